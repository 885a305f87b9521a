//! Poses in which a garment's own joints go with the limbs under them.
//!
//! A skirt's chains that turn at random enter the legs, which asks for weights that cannot be. An animator drives them by
//! the legs; so does this: each joint of a chain is pushed outward as far as the body under the garment reaches near it, and swings a
//! little beyond. Where clips turn a garment's joints, every second pose is a moment of them.

use glam::{DAffine3, DQuat, DVec3};

use super::domain::FitDomain;
use super::losses::Rows;
use super::poses::{PoseSource, poses};
use super::random::Random;
use crate::JointIndex;
use crate::character::{Character, HumanoidMap, Skeleton};
use crate::geometry::{Bounds, BoxTree, WindingTree, closest_on_triangle};
use crate::motion::JointLimits;

/// What cloth keeps from the body, and the most that it swings out beyond, as a fraction of the way from its chain's root.
const MARGIN: f64 = 0.005;
const SWING: f64 = 0.12;
/// Chains that are further apart than this, in radians, hang free of each other, as a coat's tails do.
const FREE: f64 = 0.88;

/// A garment's chain of joints, in the bind pose.
struct Chain {
    /// The joint of the body that it hangs from.
    root: JointIndex,
    /// Its joints, from the root on.
    joints: Vec<JointIndex>,
    at: Vec<DVec3>,
    /// Where that joint is.
    axis: DVec3,
    /// Where it leads, and away from what it hangs around.
    along: DVec3,
    outward: DVec3,
    /// The directions halfway to the chains on either side, and the cosines of the angles to them.
    halfway: Vec<(DVec3, f64)>,
}

impl Chain {
    /// Where the chain is beside a point: its place at the same length along it, and that length.
    fn beside(&self, q: DVec3) -> (DVec3, f64) {
        let t = (q - self.at[0]).dot(self.along);
        let length = |i: usize| (self.at[i] - self.at[0]).dot(self.along);
        let last = self.at.len() - 2;
        let i = (0..last).find(|&i| t < length(i + 1)).unwrap_or(last);
        let span = (length(i + 1) - length(i)).max(1e-9);
        (self.at[i].lerp(self.at[i + 1], (t - length(i)) / span), t)
    }

    /// How far it has to be pushed outward for the body's point to stay `margin` within it, and within the lines to its neighbours: between two
    /// chains cloth hangs straight. And the length along it where that is.
    fn push(&self, q: DVec3, margin: f64) -> (f64, f64) {
        let (beside, t) = self.beside(q);
        let radius = (beside - self.axis).dot(self.outward);
        let lines = self
            .halfway
            .iter()
            .map(|(line, cosine)| ((q - self.axis).dot(*line) + margin) / cosine);
        (
            lines.fold((q - self.axis).dot(self.outward) + margin, f64::max) - radius,
            t,
        )
    }
}

/// The chains of a garment, and the body under it.
pub(super) struct GarmentRig {
    chains: Vec<Chain>,
    /// For each joint of the skeleton whether it is the garment's own.
    own: Vec<bool>,
    /// Points of the body under the garment, in the bind pose, and the joints that move them.
    covered: Vec<(DVec3, Vec<(JointIndex, f64)>)>,
}

impl GarmentRig {
    /// Of a skin, some points of which are body and move by `rows`. A joint is the garment's own if it and all joints below it
    /// are outside of the body, closer to the garment (coarse fingers do not hold all of their joints) and no bones that engines
    /// know. Of a chain the first joint may lie closer to the body, or in it: that is where cloth is fastened. Nothing if it has none.
    pub fn new(character: &Character, domain: &FitDomain, is_body: &[bool], rows: &Rows) -> Option<Self> {
        let skeleton = &character.skeleton;
        let in_bind = |v: u32| domain.points[v as usize] * domain.size + domain.centre;
        let (body, cloth): (Vec<&[u32; 3]>, Vec<&[u32; 3]>) =
            (domain.skin.faces().iter()).partition(|f| f.iter().all(|&v| is_body[v as usize]));
        let [body, cloth] = [body, cloth]
            .map(|faces| -> Vec<[DVec3; 3]> { faces.into_iter().map(|f| f.map(in_bind)).collect() });
        let tree = WindingTree::new(&body);
        let (to_body, to_cloth) = (Distance::new(&body), Distance::new(&cloth));
        // Where a part of the body alone is named as body, the rest of it is no garment.
        let map = HumanoidMap::of(skeleton);
        let mut own: Vec<bool> = (skeleton.indices())
            .map(|j| {
                let at = skeleton.bind_position(j);
                let is_outside = tree.around(at).abs() < 0.5 && to_cloth.from(at) < to_body.from(at);
                skeleton.joint(j).parent.is_some() && is_outside && map.bone_of(j).is_none()
            })
            .collect();
        // Parents come before their children.
        for j in skeleton.indices().rev() {
            if let Some(parent) = skeleton.joint(j).parent
                && !own[j.at()]
            {
                own[parent.at()] = false;
            }
        }
        let hinges: Vec<JointIndex> = (skeleton.indices())
            .filter(|&j| {
                let may_be = !own[j.at()] && skeleton.joint(j).parent.is_some() && map.bone_of(j).is_none();
                let next = only_child(skeleton, j).filter(|next| own[next.at()]);
                may_be && next.is_some_and(|next| children(skeleton, next).next().is_some())
            })
            .collect();
        hinges.iter().for_each(|j| own[j.at()] = true);
        let mut chains: Vec<Chain> = (skeleton.indices())
            .filter(|j| own[j.at()] && domain.joints.contains(j))
            .filter_map(|j| {
                let root = skeleton.joint(j).parent?;
                (!own[root.at()]).then(|| chain(skeleton, root, j))?
            })
            .collect();
        if chains.is_empty() {
            return None;
        }
        find_halfway(&mut chains);
        let covered = (0..domain.points.len())
            .filter(|&v| is_body[v])
            .map(|v| (v, in_bind(v as u32)))
            .filter(|(_, q)| {
                chains.iter().all(|c| {
                    let (beside, t) = c.beside(*q);
                    t > 0.0 && (*q - beside).dot(c.outward) <= 0.0
                })
            })
            .map(|(v, q)| {
                let row = rows.row(v).map(|(cell, w)| (domain.joints[cell], w));
                (q, row.collect())
            })
            .collect();
        Some(Self { chains, own, covered })
    }

    /// Whether a clip of the character turns any of its joints.
    fn is_animated(&self, character: &Character) -> bool {
        let tracks = character.clips.iter().flat_map(|c| &c.tracks);
        tracks.into_iter().any(|t| self.own[t.joint.at()])
    }

    /// Poses: `world_from_bind` for each joint.
    pub fn poses(
        &self,
        character: &Character,
        limits: &[JointLimits],
        count: usize,
        seed: u64,
    ) -> Vec<Vec<DAffine3>> {
        let mut random = Random::new(seed ^ 0x6761_726d);
        let mut all = poses(character, PoseSource::Limits, limits, count, seed);
        for pose in &mut all {
            self.drive(&character.skeleton, pose, &mut random);
        }
        if self.is_animated(character) {
            let moments = poses(character, PoseSource::Clips, limits, count, seed);
            for (pose, moment) in all.iter_mut().zip(moments).skip(1).step_by(2) {
                *pose = moment;
            }
        }
        all
    }

    /// Turns the garment's joints in a pose so that the body stays under it.
    fn drive(&self, skeleton: &Skeleton, pose: &mut [DAffine3], random: &mut Random) {
        let body: Vec<DVec3> = (self.covered.iter())
            .map(|(q, row)| {
                row.iter()
                    .map(|&(j, w)| pose[j.at()].transform_point3(*q) * w)
                    .sum()
            })
            .collect();
        for chain in &self.chains {
            let root = pose[chain.root.at()];
            let back = root.inverse();
            let size = chain.at[0].distance(chain.at[chain.at.len() - 1]);
            let swing = SWING * random.unit();
            let length = |i: usize| (chain.at[i] - chain.at[0]).dot(chain.along);
            let last = chain.at.len() - 1;
            let mut out: Vec<f64> = (0..=last).map(|i| swing * length(i).max(0.0)).collect();
            for &q in &body {
                let q = back.transform_point3(q);
                let (needed, t) = chain.push(q, MARGIN * size);
                for i in 1..=last {
                    if t >= length(i - 1) && (i == last || t <= length(i + 1)) {
                        out[i] = out[i].max(needed);
                    }
                }
            }
            let pushed = |i: usize| chain.at[i] + chain.outward * out[i];
            let mut at = chain.at[0];
            let mut rotation = DQuat::IDENTITY;
            for (i, joint) in chain.joints.iter().enumerate() {
                let along = (i < last)
                    .then(|| (chain.at[i + 1] - chain.at[i]).try_normalize())
                    .flatten();
                let wanted = (i < last)
                    .then(|| (pushed(i + 1) - pushed(i)).try_normalize())
                    .flatten();
                if let Some((along, wanted)) = along.zip(wanted) {
                    rotation = DQuat::from_rotation_arc(along, wanted);
                }
                pose[joint.at()] = root
                    * DAffine3::from_translation(at)
                    * DAffine3::from_quat(rotation)
                    * DAffine3::from_translation(-chain.at[i]);
                if i < last {
                    at += rotation * (chain.at[i + 1] - chain.at[i]);
                }
            }
        }
        // Side branches move with the joint that they hang from.
        for j in skeleton.indices() {
            let driven = self.chains.iter().any(|c| c.joints.contains(&j));
            if let Some(parent) = skeleton.joint(j).parent.filter(|_| self.own[j.at()] && !driven) {
                pose[j.at()] = pose[parent.at()];
            }
        }
    }
}

/// How far faces are away.
struct Distance<'a> {
    faces: &'a [[DVec3; 3]],
    tree: BoxTree,
}

impl<'a> Distance<'a> {
    fn new(faces: &'a [[DVec3; 3]]) -> Self {
        let bounds = |[a, b, c]: &[DVec3; 3]| Bounds::around(a.as_vec3(), &[b.as_vec3(), c.as_vec3()]);
        Self {
            faces,
            tree: BoxTree::new(faces.iter().map(bounds)),
        }
    }

    fn from(&self, at: DVec3) -> f64 {
        let to = |f: u32| closest_on_triangle(at, self.faces[f as usize]).point.distance(at);
        self.tree.closest(at, to).map_or(f64::INFINITY, |found| found.1)
    }
}

fn children(skeleton: &Skeleton, parent: JointIndex) -> impl Iterator<Item = JointIndex> + '_ {
    skeleton
        .indices()
        .filter(move |&j| skeleton.joint(j).parent == Some(parent))
}

fn only_child(skeleton: &Skeleton, parent: JointIndex) -> Option<JointIndex> {
    let mut all = children(skeleton, parent);
    all.next().filter(|_| all.next().is_none())
}

/// The chain that begins with a joint; nothing if it is a single joint or leads nowhere.
fn chain(skeleton: &Skeleton, root: JointIndex, first: JointIndex) -> Option<Chain> {
    let mut joints = vec![first];
    let mut last = first;
    while let Some(next) = children(skeleton, last).next() {
        joints.push(next);
        last = next;
    }
    let at: Vec<DVec3> = joints.iter().map(|&j| skeleton.bind_position(j)).collect();
    let along = (at.last()? - at[0]).try_normalize()?;
    let middle = at.iter().sum::<DVec3>() / at.len() as f64;
    let axis = skeleton.bind_position(root);
    let outward = (middle - axis).reject_from_normalized(along).try_normalize()?;
    Some(Chain {
        root,
        joints,
        at,
        axis,
        along,
        outward,
        halfway: Vec::new(),
    })
}

/// Finds what lies halfway from each chain to those beside it that hang from the same joint.
fn find_halfway(chains: &mut [Chain]) {
    let of: Vec<Vec<(DVec3, f64)>> = (chains.iter())
        .map(|chain| {
            let turn = |other: &Chain| {
                let cross = chain.outward.cross(other.outward).dot(chain.along);
                cross.atan2(chain.outward.dot(other.outward))
            };
            let turns = || chains.iter().filter(|c| c.root == chain.root).map(turn);
            let left = turns().filter(|t| *t > 1e-6).fold(f64::INFINITY, f64::min);
            let right = turns().filter(|t| *t < -1e-6).fold(f64::NEG_INFINITY, f64::max);
            [left, right]
                .into_iter()
                .filter(|turn| turn.abs() <= FREE)
                .map(|turn| {
                    let line = DQuat::from_axis_angle(chain.along, turn / 2.0) * chain.outward;
                    (line, (turn / 2.0).cos())
                })
                .collect()
        })
        .collect();
    for (chain, halfway) in chains.iter_mut().zip(of) {
        chain.halfway = halfway;
    }
}

#[cfg(test)]
mod tests {
    use super::super::domain::tests::domain_of_character;
    use super::super::guidance::{Guidance, Targets};
    use super::*;
    use crate::bind::{BindOptions, Method};
    use crate::skin::Skin;
    use crate::task::Task;

    fn rig(character: &Character) -> (FitDomain, GarmentRig) {
        let domain = domain_of_character(character);
        let skin = Skin::new(character.clone()).unwrap();
        let voxel = Method::named("voxel")
            .unwrap()
            .bind(&skin, &BindOptions::default(), &Task::unattended())
            .unwrap();
        let rows = Targets::new(&domain, &Guidance::everywhere(voxel.weights, 1.0)).rows;
        let mut is_body = vec![false; domain.points.len()];
        let points = domain.skin.points_of_vertices();
        for part in character
            .mesh
            .parts
            .iter()
            .filter(|p| !["skirt", "coat", "hair"].contains(&p.name.as_str()))
        {
            for point in points[part.vertices.clone()].iter().flatten() {
                is_body[point.at()] = true;
            }
        }
        let rig = GarmentRig::new(character, &domain, &is_body, &rows).unwrap();
        (domain, rig)
    }

    #[test]
    fn a_garments_own_joints_are_found_and_keep_out_of_the_body() {
        for (name, word, count) in [("skirt@1500", "skirt_", 32), ("coat@1500", "_coat_", 18)] {
            let mut character = crate::sample::make(name).unwrap();
            let (_, rig) = rig(&character);
            let skeleton = character.skeleton.clone();
            for j in skeleton.indices() {
                let joint = &skeleton.joint(j).name;
                assert_eq!(rig.own[j.at()], joint.contains(word), "{name}: {joint}");
            }
            assert_eq!(rig.own.iter().filter(|o| **o).count(), count);
            assert!(rig.is_animated(&character));
            // Knees are under the garment, hands are not.
            let moved_by = |word: &str| {
                let joints = rig.covered.iter().flat_map(|c| &c.1).map(|r| r.0);
                joints.filter(|j| skeleton.joint(*j).name.contains(word)).count()
            };
            assert!(moved_by("lower_leg") > 0 && moved_by("hand") == 0, "{name}");

            character.clips.clear();
            let poses = rig.poses(&character, &[], 6, 3);
            assert!(poses == rig.poses(&character, &[], 6, 3));
            for (pose, chain) in poses.iter().flat_map(|p| rig.chains.iter().map(move |c| (p, c))) {
                let back = pose[chain.root.at()].inverse();
                let now: Vec<DVec3> = (chain.joints.iter().zip(&chain.at))
                    .map(|(j, at)| back.transform_point3(pose[j.at()].transform_point3(*at)))
                    .collect();
                for i in 1..now.len() {
                    // Bones keep their lengths, parent and child agree, nothing swings inward.
                    let rest = chain.at[i].distance(chain.at[i - 1]);
                    assert!((now[i].distance(now[i - 1]) - rest).abs() < 1e-9);
                    let by_parent = pose[chain.joints[i - 1].at()].transform_point3(chain.at[i]);
                    assert!(back.transform_point3(by_parent).distance(now[i]) < 1e-9);
                }
                let out = |i: usize| (now[i] - chain.at[i]).dot(chain.outward);
                assert!(out(now.len() - 1) > -1e-9, "{name}");
            }
            let swung = |p: &Vec<DAffine3>| {
                rig.chains.iter().any(|c| {
                    let tip = c.at.len() - 1;
                    let there = p[c.root.at()].inverse() * p[c.joints[tip].at()];
                    there.transform_point3(c.at[tip]).distance(c.at[tip]) > 0.2
                })
            };
            assert!(
                poses.iter().any(swung),
                "{name}: a leg that is lifted takes the garment along"
            );
        }
    }

    /// With the legs alone named as body, arms and head are still no garment.
    #[test]
    fn what_is_body_without_being_named_so_is_no_garment() {
        let character = crate::sample::make("skirt@1500").unwrap();
        let (domain, whole) = rig(&character);
        let legs: Vec<bool> = (domain.points.iter())
            .map(|p| p.y * domain.size + domain.centre.y < 0.9)
            .collect();
        let rows = Rows {
            starts: vec![0; domain.points.len() + 1],
            ..Rows::default()
        };
        let of_legs = GarmentRig::new(&character, &domain, &legs, &rows);
        let own = of_legs.map_or(Vec::new(), |r| r.own);
        for (j, _) in own.iter().enumerate().filter(|(_, own)| **own) {
            assert!(whole.own[j], "{}", character.skeleton.joints[j].name);
        }
    }

    #[test]
    fn a_garment_without_joints_has_no_rig() {
        let character = crate::sample::make("athlete@1000").unwrap();
        let domain = domain_of_character(&character);
        let all = vec![true; domain.points.len()];
        let rows = Rows {
            starts: vec![0; domain.points.len() + 1],
            ..Rows::default()
        };
        assert!(GarmentRig::new(&character, &domain, &all, &rows).is_none());
    }
}
