//! The skeleton of a template: joints, hierarchy, names and frames.

use std::collections::{BTreeMap, BTreeSet};

use glam::{DAffine3, DMat3, DVec3};

use super::face::{FaceJoint, is_of_face};
use super::fingers::{Fingers, fingers};
use super::humanoid::Humanoid;
use super::rivals::Source;
use super::spelling::spelled;
use super::{TemplateJoint, Templated};
use crate::character::{Joint, JointIndex, NameScheme, Side, Skeleton, StandardBone, Transform};

/// How sure the places of chains are that the template does not know, and of fingers.
const CHAIN: f64 = 0.7;
const FINGER: f64 = 0.55;
/// A chain leaves the body if its tip is so far from every bone, as a share of the height: armour and cloth that lie close follow the
/// body, and a thicket of joints in them would only take its weight.
const LEAVES: f64 = 0.15;
/// Bones of chains are no shorter, as a share of the height, but at forks and tips.
const SHORTEST: f64 = 0.04;

/// A joint before it has a frame.
struct Draft {
    name: String,
    parent: Option<usize>,
    at: DVec3,
    bone: Option<StandardBone>,
    confidence: f64,
    /// The bone whose end it is.
    ends: Option<StandardBone>,
}

/// Fits VRM's humanoid.
pub(super) fn humanoid(
    found: &Skeleton,
    body: &Humanoid,
    source: Source,
    face: Vec<FaceJoint>,
    scheme: NameScheme,
    markers: &BTreeMap<StandardBone, DVec3>,
) -> Templated {
    let mut places: BTreeMap<StandardBone, (DVec3, f64)> = body
        .bones
        .iter()
        .map(|(&b, p)| (b, (p.at, p.confidence)))
        .collect();
    let mut ends: Vec<(StandardBone, DVec3)> = body.ends.iter().map(|(&b, &p)| (b, p)).collect();
    for side in Side::BOTH {
        let Fingers { bones, tips } = fingers(found, body, source, side);
        for (bone, at) in bones {
            places.insert(bone, (at, FINGER));
        }
        if tips.is_empty() && source == Source::Limbs {
            let word = if side == Side::Left { "left" } else { "right" };
            let end = found.find(&format!("{word}_hand_end"));
            ends.extend(end.map(|j| (StandardBone::LeftHand.on(side), found.bind_position(j))));
        }
        ends.extend(tips);
    }
    for joint in face {
        places.insert(joint.bone, (joint.at, joint.confidence));
        ends.push((joint.bone, joint.end));
    }
    for (&bone, &at) in markers {
        // Who shows where an eye is wants it to be one.
        if places.contains_key(&bone) || is_of_face(bone) {
            places.insert(bone, (at, 1.0));
        }
    }
    let mut drafts: Vec<Draft> = Vec::new();
    let mut index: BTreeMap<StandardBone, usize> = BTreeMap::new();
    for (&bone, &(at, confidence)) in &places {
        let mut above = bone.parent();
        while let Some(p) = above.filter(|p| !index.contains_key(p)) {
            above = p.parent();
        }
        index.insert(bone, drafts.len());
        drafts.push(Draft {
            name: bone.name_in(scheme).to_owned(),
            parent: above.map(|p| index[&p]),
            at,
            bone: Some(bone),
            confidence,
            ends: None,
        });
    }
    for (bone, at) in ends {
        if let Some(&parent) = index.get(&bone) {
            let own = bone.name_in(NameScheme::Rigify);
            let words = match scheme {
                NameScheme::Rigify => format!("{own}_end"),
                _ => format!("{}_end", bone.name_in(scheme)),
            };
            drafts.push(Draft {
                name: words,
                parent: Some(parent),
                at,
                bone: None,
                confidence: CHAIN,
                ends: Some(bone),
            });
        }
    }
    chains(found, &index, source, scheme, body.frame.tall, &mut drafts);
    finished(drafts, body, source)
}

/// The words of extraction for a joint that a standard bone takes the place of, without what numbers it.
fn bone_of_word(name: &str) -> Option<StandardBone> {
    use StandardBone as B;
    let mut base = name;
    while let Some((rest, number)) = base.rsplit_once('_').filter(|(_, n)| n.parse::<u32>().is_ok()) {
        let _ = number;
        base = rest;
    }
    let (side, word) = match base.split_once('_') {
        Some(("left", rest)) => (Side::Left, rest),
        Some(("right", rest)) => (Side::Right, rest),
        _ => (Side::Left, base),
    };
    let bone = match word {
        "hips" => B::Hips,
        "spine" => B::Spine,
        "chest" => B::Chest,
        "upper_chest" => B::UpperChest,
        "neck" => B::Neck,
        "head" | "head_end" => B::Head,
        "upper_leg" => B::LeftUpperLeg,
        "lower_leg" => B::LeftLowerLeg,
        "foot" => B::LeftFoot,
        "toes" => B::LeftToes,
        "shoulder" => B::LeftShoulder,
        "upper_arm" => B::LeftUpperArm,
        "lower_arm" => B::LeftLowerArm,
        "hand" | "hand_end" => B::LeftHand,
        _ => return None,
    };
    Some(bone.on(side))
}

/// Tails, ears, capes and hair: the extracted chains that no bone takes the place of and that leave the body.
fn chains(
    found: &Skeleton,
    index: &BTreeMap<StandardBone, usize>,
    source: Source,
    scheme: NameScheme,
    tall: f64,
    drafts: &mut Vec<Draft>,
) {
    let bones: Vec<(DVec3, DVec3)> = drafts
        .iter()
        .filter_map(|d| Some((drafts[d.parent?].at, d.at)))
        .collect();
    // Joints on the way to what leaves the body: children come after their parents.
    let mut leaves: Vec<bool> = found
        .indices()
        .map(|j| {
            bones
                .iter()
                .all(|&bone| off(bone, found.bind_position(j)) >= LEAVES * tall)
        })
        .collect();
    let mut ways = vec![0usize; found.joints.len()];
    for j in found.indices().rev() {
        if let Some(parent) = found.joint(j).parent.filter(|_| leaves[j.at()]) {
            leaves[parent.at()] = true;
            ways[parent.at()] += 1;
        }
    }
    // Where what hangs on an extracted joint goes; nowhere for hands and feet, whose branches are fingers and toes.
    let mut goes: Vec<Option<usize>> = Vec::with_capacity(found.joints.len());
    for j in found.indices() {
        let joint = found.joint(j);
        let parent = joint.parent.and_then(|p| goes[p.at()]);
        let bone = match source {
            Source::Limbs => bone_of_word(&joint.name),
            Source::Landmarks if leaves[j.at()] && parent.is_some() => None,
            Source::Landmarks => nearest_bone(drafts, index, found.bind_position(j)),
        };
        if let Some(bone) = bone {
            let mut bone = Some(bone);
            while let Some(b) = bone.filter(|b| !index.contains_key(b)) {
                bone = b.parent();
            }
            let at_an_end = bone.is_some_and(|b| {
                matches!(
                    b.on(Side::Left),
                    StandardBone::LeftHand | StandardBone::LeftFoot | StandardBone::LeftToes
                )
            });
            goes.push(bone.filter(|_| !at_an_end).and_then(|b| index.get(&b).copied()));
            continue;
        }
        let Some(parent) = parent.filter(|_| leaves[j.at()]) else {
            goes.push(None);
            continue;
        };
        let short = drafts[parent].at.distance(found.bind_position(j)) < SHORTEST * tall;
        if short && ways[j.at()] == 1 {
            goes.push(Some(parent));
            continue;
        }
        goes.push(Some(drafts.len()));
        drafts.push(Draft {
            name: spelled(&joint.name, scheme),
            parent: Some(parent),
            at: found.bind_position(j),
            bone: None,
            confidence: CHAIN,
            ends: None,
        });
    }
}

/// The standard bone that begins nearest to a point.
fn nearest_bone(
    drafts: &[Draft],
    index: &BTreeMap<StandardBone, usize>,
    point: DVec3,
) -> Option<StandardBone> {
    let away = |at: usize| drafts[at].at.distance_squared(point);
    let nearest = index.iter().min_by(|a, b| away(*a.1).total_cmp(&away(*b.1)))?;
    Some(*nearest.0)
}

/// How far a point is from a bone.
fn off((from, to): (DVec3, DVec3), point: DVec3) -> f64 {
    let along = to - from;
    let share = (point - from).dot(along) / along.length_squared().max(f64::MIN_POSITIVE);
    point.distance(from + along * share.clamp(0.0, 1.0))
}

/// The bone that a bone points to where several hang on it.
fn main_child(bone: StandardBone) -> Option<StandardBone> {
    use StandardBone as B;
    let child = match bone.on(Side::Left) {
        B::Hips => B::Spine,
        B::Spine => B::Chest,
        B::Chest => B::UpperChest,
        B::UpperChest => B::Neck,
        B::Neck => B::Head,
        B::LeftHand => B::LeftMiddleProximal,
        _ => return None,
    };
    Some(bone.side().map_or(child, |s| child.on(s)))
}

/// Y along the bone; Z to the front of trunk and legs, to the back of arms, up on feet and fingers: bends are then
/// turns about X.
fn roll(bone: Option<StandardBone>, body: &Humanoid) -> DVec3 {
    use StandardBone as B;
    let frame = &body.frame;
    match bone.map(|b| b.on(Side::Left)) {
        Some(B::LeftShoulder | B::LeftUpperArm | B::LeftLowerArm) => -frame.forward,
        Some(b) if b >= B::LeftHand => frame.up,
        Some(B::LeftFoot | B::LeftToes | B::LeftEye | B::Jaw) => frame.up,
        _ => frame.forward,
    }
}

fn finished(drafts: Vec<Draft>, body: &Humanoid, source: Source) -> Templated {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); drafts.len()];
    for (j, draft) in drafts.iter().enumerate() {
        if let Some(p) = draft.parent {
            children[p].push(j);
        }
    }
    let frames: Vec<DAffine3> = drafts
        .iter()
        .enumerate()
        .map(|(j, draft)| {
            let wanted = draft.bone.and_then(main_child);
            let next = children[j]
                .iter()
                .copied()
                .find(|&c| wanted.is_some() && drafts[c].bone == wanted)
                .or_else(|| {
                    // A head points to its top, not to its jaw.
                    let of_body = |&c: &usize| drafts[c].bone.is_some_and(|b| !is_of_face(b));
                    children[j].iter().copied().find(of_body)
                })
                .or_else(|| children[j].iter().copied().find(|&c| drafts[c].ends.is_some()))
                .or_else(|| children[j].first().copied());
            let along = match (next, draft.parent) {
                (Some(c), _) => drafts[c].at - draft.at,
                (None, Some(p)) => draft.at - drafts[p].at,
                (None, None) => body.frame.up,
            };
            let roll = roll(draft.bone.or(draft.ends), body);
            DAffine3::from_mat3_translation(oriented(along, roll, body.frame.left), draft.at)
        })
        .collect();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    let joints = drafts
        .iter()
        .enumerate()
        .map(|(j, draft)| {
            let mut name = draft.name.clone();
            while !seen.insert(name.clone()) {
                name.push_str("_copy");
            }
            let above = draft.parent.map_or(DAffine3::IDENTITY, |p| frames[p].inverse());
            Joint {
                name,
                parent: draft.parent.map(|p| JointIndex(p as u16)),
                rest: Transform::from_affine(above * frames[j]),
                bind_from_joint: frames[j],
                in_skin: true,
            }
        })
        .collect();
    Templated {
        skeleton: Skeleton { joints },
        joints: drafts
            .iter()
            .map(|d| TemplateJoint {
                bone: d.bone,
                confidence: d.confidence,
            })
            .collect(),
        source,
    }
}

/// Y along a direction, Z as near to `roll` as that allows.
fn oriented(along: DVec3, roll: DVec3, spare: DVec3) -> DMat3 {
    let y = along.try_normalize().unwrap_or(DVec3::Y);
    let z = [roll, spare, DVec3::Z, DVec3::Y]
        .into_iter()
        .map(|r| r - y * r.dot(y))
        .find(|z| z.length() > 0.1)
        .unwrap_or(DVec3::X)
        .normalize();
    DMat3::from_cols(y.cross(z), y, z)
}

/// The extracted joints of an animal in the spelling of a package. The arms of a bird are wings.
pub(super) fn animal(found: &Skeleton, bird: bool, scheme: NameScheme) -> Templated {
    use StandardBone as B;
    let mut skeleton = found.clone();
    let mut joints = Vec::with_capacity(found.joints.len());
    for joint in &mut skeleton.joints {
        let bone = bone_of_word(&joint.name).filter(|b| {
            let whole = b.side().is_none() || bird && b.on(Side::Left) <= B::LeftToes;
            let plain = !joint.name.ends_with("_end") && !joint.name.ends_with(|c: char| c.is_ascii_digit());
            whole && plain
        });
        joints.push(TemplateJoint {
            bone,
            confidence: CHAIN,
        });
        let mut words = joint.name.clone();
        if bird {
            for (arm, wing) in [
                ("shoulder", "wing_root"),
                ("upper_arm", "wing1"),
                ("lower_arm", "wing2"),
                ("hand", "wing3"),
                ("finger", "feather"),
            ] {
                words = words.replace(arm, wing);
            }
        }
        joint.name = match bone {
            Some(bone) => bone.name_in(scheme).to_owned(),
            None => spelled(&words, scheme),
        };
    }
    Templated {
        skeleton,
        joints,
        source: Source::Limbs,
    }
}
