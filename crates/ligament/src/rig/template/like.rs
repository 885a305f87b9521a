//! Another character's skeleton, brought into this body.

use std::collections::BTreeMap;

use glam::{DAffine3, DMat3, DQuat, DVec3};

use super::fingers::fingers;
use super::humanoid::Humanoid;
use super::rivals::Source;
use super::{TemplateError, TemplateJoint, Templated};
use crate::character::{
    BodyPlan, HumanoidMap, Joint, JointIndex, NameScheme, Side, Skeleton, StandardBone, Transform,
};

/// How sure the places of joints are that only follow others.
const FOLLOWS: f64 = 0.6;

/// Moves each joint that is a standard bone to its place; others keep their place relative to the bone that carries them.
pub(super) fn fitted(
    found: &Skeleton,
    body: &Humanoid,
    source: Source,
    template: &Skeleton,
    markers: &BTreeMap<StandardBone, DVec3>,
) -> Result<Templated, TemplateError> {
    let map = HumanoidMap::of(template);
    let missing: Vec<&str> = map.missing().iter().map(|b| b.name_in(NameScheme::Vrm)).collect();
    if map.plan() != BodyPlan::Humanoid || missing.len() > 2 {
        let missing = if missing.is_empty() {
            "humanoid build".to_owned()
        } else {
            missing.join(", ")
        };
        return Err(TemplateError::TemplateNotRecognised { missing });
    }
    let mut wanted: BTreeMap<StandardBone, (DVec3, f64)> = body
        .bones
        .iter()
        .map(|(&b, p)| (b, (p.at, p.confidence)))
        .collect();
    for side in Side::BOTH {
        let bones = fingers(found, body, source, side).bones;
        wanted.extend(bones.into_iter().map(|(b, at)| (b, (at, 0.5))));
    }
    for (&bone, &at) in markers {
        if map.joint_of(bone).is_none() {
            return Err(TemplateError::NoSuchBone {
                bone: bone.name_in(NameScheme::Vrm),
            });
        }
        wanted.insert(bone, (at, 1.0));
    }
    let target = |j: JointIndex| map.bone_of(j).and_then(|b| wanted.get(&b).copied());
    let scale = overall_scale(template, &map, &wanted);
    // What hangs on nothing that is known keeps its place relative to the hips, on another scale.
    let old_hips = map
        .joint_of(StandardBone::Hips)
        .map(|j| template.bind_position(j));
    let new_hips = wanted.get(&StandardBone::Hips).map(|w| w.0);
    let (old_hips, new_hips) = old_hips.zip(new_hips).unwrap_or((DVec3::ZERO, DVec3::ZERO));
    let outer = DAffine3::from_translation(new_hips)
        * DAffine3::from_scale(DVec3::splat(scale))
        * DAffine3::from_translation(-old_hips);

    let mut moves: Vec<DAffine3> = Vec::with_capacity(template.joints.len());
    let mut joints: Vec<Joint> = Vec::with_capacity(template.joints.len());
    let mut facts = Vec::with_capacity(template.joints.len());
    for j in template.indices() {
        let old = template.joint(j);
        let carried = old.parent.map_or(outer, |p| moves[p.at()]);
        let at = old.bind_from_joint.translation;
        let (place, confidence) = target(j).unwrap_or_else(|| (carried.transform_point3(at), FOLLOWS));
        // Towards the next bone that has a place of its own.
        let next = next_of(template, &map, j).and_then(|c| Some((template.bind_position(c), target(c)?.0)));
        let turn = match (target(j), next) {
            (Some(_), Some((old_next, new_next))) => {
                let (from, to) = (old_next - at, new_next - place);
                match (from.try_normalize(), to.try_normalize()) {
                    (Some(a), Some(b)) => {
                        let s = to.length() / from.length();
                        Some((DQuat::from_rotation_arc(a, b), s))
                    }
                    _ => None,
                }
            }
            _ => None,
        };
        let own = match turn {
            Some((rotation, s)) => {
                DAffine3::from_scale_rotation_translation(DVec3::splat(s), rotation, place)
                    * DAffine3::from_translation(-at)
            }
            None => {
                let mut same = carried;
                same.translation = place - carried.matrix3 * at;
                same
            }
        };
        // Frames turn along and keep their size.
        let rotation = unscaled(own.matrix3) * unscaled(old.bind_from_joint.matrix3);
        let bind = DAffine3::from_mat3_translation(rotation, place);
        let above = old.parent.map_or(DAffine3::IDENTITY, |p: JointIndex| {
            joints[p.at()].bind_from_joint.inverse()
        });
        joints.push(Joint {
            name: old.name.clone(),
            parent: old.parent,
            rest: Transform::from_affine(above * bind),
            bind_from_joint: bind,
            in_skin: old.in_skin,
        });
        facts.push(TemplateJoint {
            bone: map.bone_of(j),
            confidence,
        });
        moves.push(own);
    }
    Ok(Templated {
        skeleton: Skeleton { joints },
        joints: facts,
        source,
    })
}

/// The rotation of a matrix that has rotation and scale.
fn unscaled(m: DMat3) -> DMat3 {
    let x = m.x_axis.try_normalize().unwrap_or(DVec3::X);
    let y = (m.y_axis - x * m.y_axis.dot(x))
        .try_normalize()
        .unwrap_or(x.any_orthonormal_vector());
    let z = x.cross(y);
    DMat3::from_cols(x, y, z)
}

/// The mapped joint that a mapped joint's bone leads to.
fn next_of(template: &Skeleton, map: &HumanoidMap, j: JointIndex) -> Option<JointIndex> {
    use StandardBone as B;
    let bone = map.bone_of(j)?;
    let order: Vec<StandardBone> = match bone {
        B::Hips => vec![B::Spine, B::Chest, B::Neck, B::Head],
        B::Spine => vec![B::Chest, B::UpperChest, B::Neck, B::Head],
        B::Chest => vec![B::UpperChest, B::Neck, B::Head],
        B::UpperChest => vec![B::Neck, B::Head],
        B::Neck => vec![B::Head],
        _ => StandardBone::ALL
            .into_iter()
            .filter(|b| b.parent() == Some(bone))
            .collect(),
    };
    let below = |c: JointIndex| {
        let mut at = Some(c);
        while let Some(k) = at {
            if k == j {
                return true;
            }
            at = template.joint(k).parent;
        }
        false
    };
    order
        .into_iter()
        .filter_map(|b| map.joint_of(b))
        .find(|&c| c != j && below(c))
}

/// How much larger this body is than the template's.
fn overall_scale(
    template: &Skeleton,
    map: &HumanoidMap,
    wanted: &BTreeMap<StandardBone, (DVec3, f64)>,
) -> f64 {
    let (mut old, mut new) = (0.0, 0.0);
    for (bone, (at, _)) in wanted {
        let parent = bone.parent().and_then(|p| Some((p, wanted.get(&p)?.0)));
        if let Some((parent, from)) = parent
            && let (Some(a), Some(b)) = (map.joint_of(parent), map.joint_of(*bone))
        {
            old += template.bind_position(a).distance(template.bind_position(b));
            new += from.distance(*at);
        }
    }
    if old > 0.0 && new > 0.0 { new / old } else { 1.0 }
}
