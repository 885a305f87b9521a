//! Weight on bones that are far away through the body.
//!
//! Three distances from a point of the skin to a joint's bones: **straight** s; **through
//! the body** a ([`BodyDistance`]), which cannot jump from one leg to the other; and n, the
//! distance to the bone whose region the point is in. With D the diagonal of the bounding
//! box, weight on a joint that is no neighbour of the region's joint in the skeleton
//!
//! - **bleeds across a gap** if a > 2·s + 0.02·D: near in space, far along the body, such
//!   as the other leg, a finger beside, a thigh beside a hand;
//! - **is astray** if it does not bleed and a > n + 0.35·D: far either way, such as a left
//!   arm that follows the right.
//!
//! Each is the mean over positions of the weight at fault, in `0.0..=1.0`.
//!
//! Where the caller has no better knowledge ([`super::SolidDistance`] is some), the distance
//! through the body is the lesser of two bounds: along the bones (from the point to its region's bone, then along the
//! skeleton), which needs no connected surface, and along the skin (from the joint's
//! region over the edges of the welded mesh), which needs no sensible hierarchy.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::DVec3;
use rayon::prelude::*;
use serde::Serialize;

use super::measured_skin::{MeasuredSkin, Regions};
use crate::character::{BoneShape, Character, JointIndex, Weights};
use crate::task::{Cancelled, Task};

/// From this multiple of the straight distance on a way through the body is a detour. The
/// skin of a shoulder is up to 1.6 times as far from the spine as it looks, the inside of
/// a knee 3 times as far from the other thigh.
const DETOUR: f64 = 2.0;
/// What is allowed besides, as a fraction of the diagonal, so that neighbours do not count.
const DETOUR_SLACK: f64 = 0.02;
/// How much further than the nearest bone is astray, as a fraction of the diagonal: more than
/// a skirt that follows the pelvis, less than the way from hand to hand.
const ASTRAY: f64 = 0.35;
/// Weights below this do not matter here.
const SMALLEST: f32 = 0.01;

/// How far the skin is from bones through the body.
pub trait BodyDistance: Sync {
    /// The distance from each of the given vertices of the mesh to the joint's bones by a
    /// way inside the body, in the units of bind space. What cannot be reached is infinite,
    /// and is then found along bones and skin.
    fn distances(&self, joint: JointIndex, vertices: &[u32]) -> Vec<f64>;
}

/// Weight on bones that are far away through the body.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Bleed {
    /// Mean weight on bones that are near in space but far along the body.
    pub across_gaps: f64,
    /// Mean weight on bones that are far either way.
    pub astray: f64,
    /// The fraction of positions where either is more than a tenth.
    pub affected: f64,
}

impl Bleed {
    /// All weight that is far away.
    pub fn total(&self) -> f64 {
        self.across_gaps + self.astray
    }
}

/// The weight at fault at each position: across gaps, and astray.
pub(super) fn bleeding(
    character: &Character,
    weights: &Weights,
    skin: &MeasuredSkin,
    regions: &Regions,
    body: Option<&dyn BodyDistance>,
    task: &Task,
) -> Result<Vec<[f32; 2]>, Cancelled> {
    const STAGE: &str = "looking for bleeding weights";
    task.step(STAGE, 0.0)?;
    let skeleton = &character.skeleton;
    let mut held: Vec<Vec<(u32, f32)>> = vec![Vec::new(); skeleton.joints.len()];
    for p in 0..skin.len() {
        let home = regions.joint[p];
        for i in weights.of_vertex(skin.first_vertex[p] as usize) {
            let near = i.joint == home
                || skeleton.skin_parent(i.joint) == Some(home)
                || skeleton.skin_parent(home) == Some(i.joint);
            if i.weight >= SMALLEST && !near {
                held[i.joint.at()].push((p as u32, i.weight));
            }
        }
    }
    let bones = AlongBones::new(character, skin, regions);
    let surface = AlongSkin::new(skin, regions);
    let joints: Vec<JointIndex> = skeleton.indices().filter(|j| !held[j.at()].is_empty()).collect();
    let done = std::sync::atomic::AtomicUsize::new(0);
    let at_fault: Vec<Vec<(u32, usize, f32)>> = joints
        .par_iter()
        .map(|&joint| {
            let before = done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            task.step(STAGE, before as f32 / joints.len() as f32)?;
            let held = &held[joint.at()];
            let limits = |p: u32| {
                let straight = regions.straight(joint, skin.welded.points[p as usize]);
                let diagonal = skin.welded.diagonal;
                let detour = DETOUR * straight + DETOUR_SLACK * diagonal;
                (detour, regions.distance[p as usize] + ASTRAY * diagonal)
            };
            // The least that counts as far, for each; what is nearer needs no other way.
            let mut far: Vec<(u32, f32, f64, f64)> = Vec::new();
            let along_bones = bones.to_joint(joint);
            let known = body.map(|body| {
                let vertices: Vec<u32> = held.iter().map(|h| skin.first_vertex[h.0 as usize]).collect();
                body.distances(joint, &vertices)
            });
            let mut unknown = Vec::new();
            for (k, &(p, weight)) in held.iter().enumerate() {
                let inside = known.as_ref().and_then(|d| d.get(k)).filter(|d| d.is_finite());
                let (detour, astray) = limits(p);
                let least = detour.min(astray);
                let distance = inside.copied().unwrap_or_else(|| along_bones(p));
                if distance > least {
                    if inside.is_none() {
                        unknown.push(far.len());
                    }
                    far.push((p, weight, distance, least));
                }
            }
            if !unknown.is_empty() {
                let reach = unknown.iter().map(|&k| limits(far[k].0).0.max(far[k].3));
                let along_skin = surface.spread_from(joint, reach.fold(0.0, f64::max));
                for k in unknown {
                    far[k].2 = far[k].2.min(along_skin[far[k].0 as usize]);
                }
            }
            Ok(far
                .into_iter()
                .filter_map(|(p, weight, inside, _)| {
                    let (detour, astray) = limits(p);
                    if inside > detour {
                        Some((p, 0, weight))
                    } else if inside > astray {
                        Some((p, 1, weight))
                    } else {
                        None
                    }
                })
                .collect())
        })
        .collect::<Result<_, Cancelled>>()?;
    let mut of_position = vec![[0f32; 2]; skin.len()];
    for (p, kind, weight) in at_fault.into_iter().flatten() {
        of_position[p as usize][kind] += weight;
    }
    Ok(of_position)
}

/// Means over positions.
pub(super) fn summary(of_position: &[[f32; 2]]) -> Bleed {
    let count = of_position.len().max(1) as f64;
    let mean = |kind: usize| of_position.iter().map(|b| f64::from(b[kind])).sum::<f64>() / count;
    Bleed {
        across_gaps: mean(0),
        astray: mean(1),
        affected: of_position.iter().filter(|b| b[0] + b[1] > 0.1).count() as f64 / count,
    }
}

/// Distances along the skeleton, seen as a tree of straight lines between joints.
struct AlongBones<'a> {
    character: &'a Character,
    skin: &'a MeasuredSkin,
    regions: &'a Regions,
    children: Vec<Vec<JointIndex>>,
    parents: Vec<Option<JointIndex>>,
}

impl<'a> AlongBones<'a> {
    fn new(character: &'a Character, skin: &'a MeasuredSkin, regions: &'a Regions) -> Self {
        let skeleton = &character.skeleton;
        Self {
            character,
            skin,
            regions,
            children: skeleton.skin_children(),
            parents: skeleton.indices().map(|j| skeleton.skin_parent(j)).collect(),
        }
    }

    /// From any position to a joint's bones.
    fn to_joint(&self, joint: JointIndex) -> impl Fn(u32) -> f64 + '_ {
        let skeleton = &self.character.skeleton;
        let position = |j: JointIndex| skeleton.bind_position(j);
        let length = |j: usize| {
            let parent = self.parents[j];
            parent.map_or(f64::INFINITY, |p| {
                position(p).distance(position(JointIndex(j as u16)))
            })
        };
        // The bones begin at the joint and end at its children. Up the tree, then down:
        // parents come before their children.
        let mut tree = vec![f64::INFINITY; skeleton.joints.len()];
        tree[joint.at()] = 0.0;
        for child in &self.children[joint.at()] {
            tree[child.at()] = 0.0;
        }
        for j in (0..tree.len()).rev() {
            if let Some(p) = self.parents[j] {
                tree[p.at()] = tree[p.at()].min(tree[j] + length(j));
            }
        }
        for j in 0..tree.len() {
            if let Some(p) = self.parents[j] {
                tree[j] = tree[j].min(tree[p.at()] + length(j));
            }
        }
        move |p: u32| {
            let bone = &self.regions.bones[self.regions.bone[p as usize] as usize];
            let at = self.skin.welded.points[p as usize];
            let on_bone = bone.shape.closest_point(at);
            let enters = |j: JointIndex, by: DVec3| on_bone.distance(by) + tree[j.at()];
            let mut best = enters(bone.joint, position(bone.joint));
            if let BoneShape::Segment { tail, .. } = bone.shape {
                for &child in &self.children[bone.joint.at()] {
                    if position(child).distance(tail) <= 1e-9 * (1.0 + tail.length()) {
                        best = best.min(enters(child, tail));
                    }
                }
            }
            at.distance(on_bone) + best
        }
    }
}

/// Distances along the edges of the welded skin.
struct AlongSkin<'a> {
    skin: &'a MeasuredSkin,
    regions: &'a Regions,
    starts: Vec<u32>,
    neighbours: Vec<(u32, f64)>,
}

impl<'a> AlongSkin<'a> {
    fn new(skin: &'a MeasuredSkin, regions: &'a Regions) -> Self {
        let mut starts = vec![0u32; skin.len() + 1];
        for &p in skin.edges.iter().flatten() {
            starts[p as usize + 1] += 1;
        }
        for p in 0..skin.len() {
            starts[p + 1] += starts[p];
        }
        let mut next = starts.clone();
        let mut neighbours = vec![(0, 0.0); 2 * skin.edges.len()];
        for &[a, b] in &skin.edges {
            let length = skin.welded.points[a as usize].distance(skin.welded.points[b as usize]);
            for (from, to) in [(a, b), (b, a)] {
                let position = &mut next[from as usize];
                neighbours[*position as usize] = (to, length);
                *position += 1;
            }
        }
        Self {
            skin,
            regions,
            starts,
            neighbours,
        }
    }

    /// Dijkstra from the joint's region as far as `reach`; infinite beyond. A joint whose
    /// region is empty starts where its bones are nearest to the skin.
    fn spread_from(&self, joint: JointIndex, reach: f64) -> Vec<f64> {
        let mut distance = vec![f64::INFINITY; self.skin.len()];
        // Distances are positive, and positive floats sort as their bits do.
        let mut queue: BinaryHeap<Reverse<(u64, u32)>> = BinaryHeap::new();
        let mut start = |p: usize, d: f64, queue: &mut BinaryHeap<Reverse<(u64, u32)>>| {
            distance[p] = d;
            queue.push(Reverse((d.to_bits(), p as u32)));
        };
        for p in 0..self.skin.len() {
            if self.regions.joint[p] == joint {
                start(p, self.regions.distance[p], &mut queue);
            }
        }
        if queue.is_empty() {
            let mut nearest = (f64::INFINITY, 0);
            for (p, &at) in self.skin.welded.points.iter().enumerate() {
                let d = self.regions.straight(joint, at);
                if d < nearest.0 {
                    nearest = (d, p);
                }
            }
            start(nearest.1, nearest.0, &mut queue);
        }
        while let Some(Reverse((bits, p))) = queue.pop() {
            let d = f64::from_bits(bits);
            if d > reach {
                break;
            }
            if d > distance[p as usize] {
                continue;
            }
            let row = self.starts[p as usize] as usize..self.starts[p as usize + 1] as usize;
            for &(q, length) in &self.neighbours[row] {
                let further = d + length;
                if further < distance[q as usize] {
                    distance[q as usize] = further;
                    queue.push(Reverse((further.to_bits(), q)));
                }
            }
        }
        distance
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Mesh;
    use crate::character::{Influence, Joint, Skeleton, Transform};
    use crate::geometry::shapes::joined;
    use glam::{DAffine3, Vec3};

    /// A square pipe along −Y from `top`, `length` long, of `rings` cross-sections.
    fn pipe(x: f32, rings: u32, length: f32) -> Mesh {
        let mut positions = Vec::new();
        let mut triangles = Vec::new();
        for r in 0..rings {
            let y = -length * r as f32 / (rings - 1) as f32;
            for (dx, dz) in [(-0.1, -0.1), (0.1, -0.1), (0.1, 0.1), (-0.1, 0.1)] {
                positions.push(Vec3::new(x + dx, y, dz));
            }
            if r + 1 < rings {
                for s in 0..4 {
                    let (a, b) = (4 * r + s, 4 * r + (s + 1) % 4);
                    triangles.extend([[a, b, b + 4], [a, b + 4, a + 4]]);
                }
            }
        }
        Mesh::single_part("leg", positions, triangles)
    }

    /// Two legs side by side that are separate pieces, with a pelvis between them.
    fn legs() -> Character {
        let mesh = joined(&[pipe(0.15, 11, 1.0), pipe(-0.15, 11, 1.0)]);
        let joint = |name: &str, parent: Option<u16>, at: [f64; 3]| Joint {
            name: name.to_owned(),
            parent: parent.map(JointIndex),
            rest: Transform::IDENTITY,
            bind_from_joint: DAffine3::from_translation(DVec3::from(at)),
            in_skin: true,
        };
        Character {
            skeleton: Skeleton {
                joints: vec![
                    joint("hips", None, [0.0, 0.1, 0.0]),
                    joint("left", Some(0), [0.15, 0.0, 0.0]),
                    joint("left_foot", Some(1), [0.15, -1.0, 0.0]),
                    joint("right", Some(0), [-0.15, 0.0, 0.0]),
                    joint("right_foot", Some(3), [-0.15, -1.0, 0.0]),
                ],
            },
            mesh,
            ..Character::default()
        }
    }

    /// Each leg on its own joint, but `share` of the left leg's lowest rings on another.
    fn weights(fraction: f32, rings: usize, joint: u16) -> Weights {
        let lists: Vec<Vec<Influence>> = (0..88)
            .map(|v| {
                let own = JointIndex(if v < 44 { 1 } else { 3 });
                let other = if v < 44 && v >= 44 - 4 * rings {
                    fraction
                } else {
                    0.0
                };
                vec![
                    Influence {
                        joint: own,
                        weight: 1.0 - other,
                    },
                    Influence {
                        joint: JointIndex(joint),
                        weight: other,
                    },
                ]
            })
            .collect();
        Weights::new(lists.iter().map(Vec::as_slice)).unwrap()
    }

    fn found(character: &Character, weights: &Weights, body: Option<&dyn BodyDistance>) -> Bleed {
        let skin = MeasuredSkin::of(&character.mesh);
        let regions = Regions::of(character, weights, &skin);
        summary(&bleeding(character, weights, &skin, &regions, body, &Task::unattended()).unwrap())
    }

    #[test]
    fn weight_on_the_other_leg_bleeds() {
        let c = legs();
        assert_eq!(found(&c, &weights(0.0, 0, 3), None).total(), 0.0);
        // Four rings of 22 positions' worth in 88, each with 0.25 on the other leg.
        let bleed = found(&c, &weights(0.25, 4, 3), None);
        assert!((bleed.across_gaps - 0.25 * 16.0 / 88.0).abs() < 1e-9, "{bleed:?}");
        assert_eq!(bleed.astray, 0.0);
        assert!((bleed.affected - 16.0 / 88.0).abs() < 1e-9);
        // On the pelvis, which is the leg's neighbour, nothing bleeds.
        assert_eq!(found(&c, &weights(0.25, 4, 0), None).total(), 0.0);
    }

    #[test]
    fn a_bridge_of_skin_is_a_way() {
        // The same with the pieces joined at every ring: the other leg is next door.
        let mut c = legs();
        for r in 0..11u32 {
            let (a, b) = (4 * r, 44 + 4 * r + 1);
            c.mesh.triangles.push([a, b, a + 3]);
        }
        c.mesh.parts[1].triangles.end = c.mesh.triangles.len();
        assert_eq!(found(&c, &weights(0.25, 4, 3), None).across_gaps, 0.0);
    }

    #[test]
    fn a_distance_that_is_given_decides() {
        struct Next;
        impl BodyDistance for Next {
            fn distances(&self, _: JointIndex, vertices: &[u32]) -> Vec<f64> {
                vec![0.0; vertices.len()]
            }
        }
        struct Far;
        impl BodyDistance for Far {
            fn distances(&self, _: JointIndex, vertices: &[u32]) -> Vec<f64> {
                vec![9.0; vertices.len()]
            }
        }
        let (c, w) = (legs(), weights(0.25, 4, 3));
        assert_eq!(found(&c, &w, Some(&Next)).total(), 0.0);
        assert!(found(&c, &w, Some(&Far)).across_gaps > 0.04);
    }
}
