//! Weights that another program gave the same character, brought to this one's vertices and
//! joints.
//!
//! Joints answer to each other by name: exactly, else without a namespace (`rig:`, `Armature|`)
//! and with upper and lower case alike. Vertices do by their positions in the bind pose, because
//! exporters split and order them as they like; of several at one position the one with the
//! nearest normal counts. Units, the axis that points up and the origin may differ: the turn,
//! scale and shift that bring the joints together bring the vertices.

use glam::{DAffine3, DMat3, DVec3, Vec3};
use rayon::prelude::*;

use super::joint_map::without_namespace;
use crate::character::{Character, Influence, JointIndex, Skeleton, Weights, WeightsBuilder, WeightsError};
use crate::geometry::{Bounds, BoxTree};

/// Vertices that a thread looks for together.
const VERTICES_AT_ONCE: usize = 1024;

/// Vertices closer than this fraction of the diagonal are the same: more than 16-bit positions
/// are rounded by, less than the shortest edges that matter.
const SAME_PLACE: f64 = 5e-4;
/// Vertices within this fraction of that are at one position.
const ONE_PLACE: f64 = 0.05;
/// The joint to which Blender's exporter gives vertices that have no weight.
const BLENDER_UNWEIGHTED: &str = "neutral_bone";

/// Weights of the same character from elsewhere.
#[derive(Debug, Clone, PartialEq)]
pub struct SameCharacter {
    /// The weights on this character's vertices and joints.
    pub weights: Weights,
    /// How vertices were found.
    pub matched: VertexMatch,
    /// Vertices that had no weight there and follow the topmost joint here.
    pub unweighted: usize,
}

/// How vertices were found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum VertexMatch {
    /// Both have the same vertices in the same order.
    Order,
    /// By their positions.
    Place,
}

/// Why it is not the same character.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum NotTheSame {
    /// A joint with weight has no counterpart.
    #[error("its joint '{joint}' has weight, but '{character}' has no joint of that name")]
    Joint {
        /// The joint's name.
        joint: String,
        /// The character that lacks it.
        character: String,
    },
    /// Vertices have no counterpart.
    #[error(
        "{missing} of the {vertices} vertices of '{character}' are not there, the first of them at {position:?}; is it the same mesh, in the same bind pose?"
    )]
    Vertices {
        /// The character whose vertices were looked for.
        character: String,
        /// How many have no counterpart.
        missing: usize,
        /// How many there are.
        vertices: usize,
        /// Where the first that is missing is.
        position: [f32; 3],
    },
    /// One of the two has no vertices or no joint of a skin.
    #[error("there is no mesh with a skeleton to compare")]
    Nothing,
    /// Weights do not belong to the character that they came with.
    #[error(transparent)]
    Weights(#[from] WeightsError),
}

/// Brings the `weights` of `from` to `to`, which is the same character.
pub fn weights_of_same_character(
    from: &Character,
    weights: &Weights,
    to: &Character,
) -> Result<SameCharacter, NotTheSame> {
    let top = to
        .skeleton
        .indices()
        .find(|&j| to.skeleton.joint(j).in_skin)
        .filter(|_| !from.mesh.positions.is_empty() && !to.mesh.positions.is_empty())
        .ok_or(NotTheSame::Nothing)?;
    let across = joints_across(&from.skeleton, &to.skeleton);
    let stands_for_none = |j: JointIndex| from.skeleton.joint(j).name == BLENDER_UNWEIGHTED;
    let lost = |i: &&Influence| across[i.joint.at()].is_none() && !stands_for_none(i.joint);
    if let Some(lost) = weights.influences().iter().find(lost) {
        return Err(NotTheSame::Joint {
            joint: from.skeleton.joint(lost.joint).name.clone(),
            character: to.name.clone(),
        });
    }
    let (vertices, matched) = vertices_across(from, to, &Similarity::between(from, to, &across))?;
    // Numbers stay as they are to the last bit where every joint has a counterpart.
    let gathered = weights.gathered(vertices.iter().map(|&v| v as usize));
    let is_none = |i: &Influence| across[i.joint.at()].is_none();
    let unweighted = gathered.iter().filter(|list| list.iter().all(is_none)).count();
    let weights = if gathered.influences().iter().any(is_none) {
        let mut builder = WeightsBuilder::with_capacity(vertices.len(), 4);
        let mut list = Vec::new();
        for influences in gathered.iter() {
            list.clear();
            list.extend(influences.iter().map(|i| Influence {
                joint: across[i.joint.at()].unwrap_or(top),
                weight: i.weight,
            }));
            builder.push(&list)?;
        }
        builder.finish()
    } else {
        gathered.renumbered(|j| across[j.at()].unwrap_or(top))
    };
    Ok(SameCharacter {
        weights,
        matched,
        unweighted,
    })
}

/// For each joint of one skeleton its counterpart in another. Names may repeat: the first
/// goes to the first, the second to the second.
fn joints_across(from: &Skeleton, to: &Skeleton) -> Vec<Option<JointIndex>> {
    let mut taken = vec![false; to.joints.len()];
    let mut across = vec![None; from.joints.len()];
    let mut pass = |same: &dyn Fn(&str, &str) -> bool| {
        for joint in from
            .indices()
            .filter(|j| from.joint(*j).name != BLENDER_UNWEIGHTED)
        {
            let name = &from.joint(joint).name;
            let free = |j: &JointIndex| !taken[j.at()] && same(&to.joint(*j).name, name);
            if across[joint.at()].is_none()
                && let Some(found) = to.indices().find(free)
            {
                taken[found.at()] = true;
                across[joint.at()] = Some(found);
            }
        }
    };
    pass(&|a, b| a == b);
    pass(&|a, b| without_namespace(a) == without_namespace(b));
    across
}

/// A turn, scale and shift.
pub(super) struct Similarity {
    pub rotation: DMat3,
    pub scale: f64,
    from_middle: DVec3,
    to_middle: DVec3,
}

impl Similarity {
    pub const NONE: Self = Self {
        rotation: DMat3::IDENTITY,
        scale: 1.0,
        from_middle: DVec3::ZERO,
        to_middle: DVec3::ZERO,
    };

    pub fn apply(&self, p: DVec3) -> DVec3 {
        self.rotation * ((p - self.from_middle) * self.scale) + self.to_middle
    }

    /// The same as an affine map.
    pub fn to_affine(&self) -> DAffine3 {
        DAffine3 {
            matrix3: self.rotation * self.scale,
            translation: self.apply(DVec3::ZERO),
        }
    }

    /// The one that brings joints to their counterparts best, among turns that exchange
    /// axes; none where they are together already.
    fn between(from: &Character, to: &Character, across: &[Option<JointIndex>]) -> Self {
        let pairs: Vec<(DVec3, DVec3)> = from
            .skeleton
            .indices()
            .filter_map(|j| {
                let other = across[j.at()]?;
                let both = from.skeleton.joint(j).in_skin && to.skeleton.joint(other).in_skin;
                both.then(|| (from.skeleton.bind_position(j), to.skeleton.bind_position(other)))
            })
            .collect();
        Self::of_pairs(&pairs, SAME_PLACE * f64::from(to.mesh.diagonal()))
    }

    /// The one that brings positions to others best; none where all are within `near` already.
    pub fn of_pairs(pairs: &[(DVec3, DVec3)], near: f64) -> Self {
        if pairs.len() < 2 || pairs.iter().all(|(a, b)| a.distance(*b) <= near) {
            return Self::NONE;
        }
        let middle =
            |of: fn(&(DVec3, DVec3)) -> DVec3| pairs.iter().map(of).sum::<DVec3>() / pairs.len() as f64;
        let (from_middle, to_middle) = (middle(|p| p.0), middle(|p| p.1));
        let spread = |of: fn(&(DVec3, DVec3)) -> DVec3, middle: DVec3| {
            pairs
                .iter()
                .map(|p| of(p).distance_squared(middle))
                .sum::<f64>()
                .sqrt()
        };
        let (wide_from, wide_to) = (spread(|p| p.0, from_middle), spread(|p| p.1, to_middle));
        let scale = if wide_from > 0.0 && wide_to > 0.0 {
            wide_to / wide_from
        } else {
            1.0
        };
        let mut best = Self::NONE;
        let mut least = f64::INFINITY;
        for rotation in rotations() {
            let candidate = Self {
                rotation,
                scale,
                from_middle,
                to_middle,
            };
            let off: f64 = pairs
                .iter()
                .map(|(a, b)| candidate.apply(*a).distance_squared(*b))
                .sum();
            // A straight chain looks the same from all around: the first turn that fits counts.
            if off < least * (1.0 - 1e-9) {
                (least, best) = (off, candidate);
            }
        }
        best
    }
}

/// The 24 turns that exchange axes, none first.
fn rotations() -> Vec<DMat3> {
    let axes = [
        DVec3::X,
        DVec3::Y,
        DVec3::Z,
        DVec3::NEG_X,
        DVec3::NEG_Y,
        DVec3::NEG_Z,
    ];
    let mut all = Vec::with_capacity(24);
    for x in axes {
        for y in axes.into_iter().cycle().skip(1).take(6) {
            if x.dot(y) == 0.0 {
                all.push(DMat3::from_cols(x, y, x.cross(y)));
            }
        }
    }
    all
}

/// For each vertex of `to` its counterpart in `from`.
fn vertices_across(
    from: &Character,
    to: &Character,
    similarity: &Similarity,
) -> Result<(Vec<u32>, VertexMatch), NotTheSame> {
    let tolerance = SAME_PLACE * f64::from(to.mesh.diagonal());
    let positions: Vec<DVec3> = from
        .mesh
        .positions
        .iter()
        .map(|p| similarity.apply(p.as_dvec3()))
        .collect();
    let wanted = &to.mesh.positions;
    let same_order = positions.len() == wanted.len()
        && positions
            .iter()
            .zip(wanted)
            .all(|(a, b)| a.distance(b.as_dvec3()) <= tolerance);
    if same_order {
        return Ok(((0..wanted.len() as u32).collect(), VertexMatch::Order));
    }
    let normals = |of: &Character| match &of.mesh.normals {
        Some(normals) if normals.len() == of.mesh.positions.len() => normals.clone(),
        _ => of.mesh.face_normals_at_vertices(),
    };
    let (their_normals, our_normals) = (normals(from), normals(to));
    let tree = BoxTree::new(positions.iter().map(|p| Bounds::around(p.as_vec3(), &[])));
    let margin = Vec3::splat((1.001 * tolerance) as f32 + f32::MIN_POSITIVE);
    let found: Vec<Option<u32>> = wanted
        .par_iter()
        .with_min_len(VERTICES_AT_ONCE)
        .enumerate()
        .map(|(v, &at)| {
            let around = Bounds {
                low: at - margin,
                high: at + margin,
            };
            let mut near: Vec<(f64, u32)> = Vec::new();
            tree.any_overlapping(&around, |q| {
                let distance = positions[q as usize].distance(at.as_dvec3());
                if distance <= tolerance {
                    near.push((distance, q));
                }
                false
            });
            near.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
            let nearest = near.first()?.0;
            let here = near.iter().take_while(|n| n.0 <= nearest + ONE_PLACE * tolerance);
            let rotated = |q: u32| (similarity.rotation * their_normals[q as usize].as_dvec3()).as_vec3();
            let mut best: Option<(f32, u32)> = None;
            for &(_, q) in here {
                let likeness = rotated(q).dot(our_normals[v]);
                if best.is_none_or(|b| likeness > b.0 + 1e-4) {
                    best = Some((likeness, q));
                }
            }
            best.map(|b| b.1)
        })
        .collect();
    // Vertices of no face and of carried parts may be lost on the way: nobody misses them.
    let mut needed = vec![false; wanted.len()];
    for &v in to.mesh.triangles.iter().flatten() {
        needed[v as usize] = true;
    }
    for (needed, rigid) in needed.iter_mut().zip(to.mesh.rigid_joint_of_vertices()) {
        *needed &= rigid.is_none();
    }
    let missing: Vec<usize> = (0..wanted.len())
        .filter(|&v| needed[v] && found[v].is_none())
        .collect();
    if let Some(&first) = missing.first() {
        return Err(NotTheSame::Vertices {
            character: to.name.clone(),
            missing: missing.len(),
            vertices: needed.iter().filter(|&&n| n).count(),
            position: wanted[first].to_array(),
        });
    }
    Ok((found.iter().map(|q| q.unwrap_or(0)).collect(), VertexMatch::Place))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bind::{BindOptions, Method};
    use crate::task::Task;
    use crate::weights::weight_distance;

    fn hand() -> (Character, Weights) {
        let hand = crate::sample::make("hand@1200").unwrap();
        let bound = Method::named("closest")
            .unwrap()
            .bind_character(&hand, &BindOptions::default(), &Task::unattended())
            .unwrap();
        (hand, bound.weights)
    }

    /// The same character with its vertices in reverse, in centimetres and with Z up.
    fn elsewhere(character: &Character, weights: &Weights) -> (Character, Weights) {
        let rotated = |p: DVec3| DVec3::new(p.x, -p.z, p.y) * 100.0;
        let mut other = character.clone();
        let last = other.mesh.positions.len() as u32 - 1;
        other.mesh.positions.reverse();
        for p in &mut other.mesh.positions {
            *p = rotated(p.as_dvec3()).as_vec3();
        }
        if let Some(normals) = &mut other.mesh.normals {
            normals.reverse();
            for n in normals {
                *n = (rotated(n.as_dvec3()) / 100.0).as_vec3();
            }
        }
        for triangle in &mut other.mesh.triangles {
            *triangle = triangle.map(|v| last - v);
        }
        for joint in &mut other.skeleton.joints {
            let position = joint.bind_from_joint.translation;
            joint.bind_from_joint = DAffine3::from_translation(rotated(position));
            joint.name = format!("Armature|{}", joint.name.to_uppercase());
        }
        (other, weights.gathered((0..=last as usize).rev()))
    }

    #[test]
    fn order_units_axes_and_namespaces_do_not_matter() {
        let (hand, weights) = hand();
        let same = weights_of_same_character(&hand, &weights, &hand).unwrap();
        assert_eq!((same.matched, same.unweighted), (VertexMatch::Order, 0));
        assert!(same.weights == weights);
        let (other, theirs) = elsewhere(&hand, &weights);
        let same = weights_of_same_character(&other, &theirs, &hand).unwrap();
        assert_eq!(same.matched, VertexMatch::Place);
        assert!(same.weights == weights);
    }

    #[test]
    fn another_character_is_refused_with_the_reason() {
        let (hand, weights) = hand();
        let mut other = hand.clone();
        other.skeleton.joints[3].name = "elsewhere".to_owned();
        let all_on_it = Weights::rigid(hand.mesh.positions.iter().map(|_| JointIndex(3)));
        let refused = weights_of_same_character(&other, &all_on_it, &hand).unwrap_err();
        assert!(refused.to_string().contains("'elsewhere'"), "{refused}");
        let mut other = hand.clone();
        for p in other.mesh.positions.iter_mut().take(7) {
            p.y += 0.1 * hand.mesh.diagonal();
        }
        let refused = weights_of_same_character(&other, &weights, &hand).unwrap_err();
        assert!(
            matches!(refused, NotTheSame::Vertices { missing: 1..=7, .. }),
            "{refused}"
        );
        let empty = Character::default();
        let nothing = weights_of_same_character(&empty, &Weights::rigid([]), &hand);
        assert_eq!(nothing.unwrap_err(), NotTheSame::Nothing);
    }

    #[test]
    fn what_blender_left_without_weight_is_counted() {
        let (hand, weights) = hand();
        let mut other = hand.clone();
        let mut neutral = other.skeleton.joints[0].clone();
        neutral.name = BLENDER_UNWEIGHTED.to_owned();
        other.skeleton.joints.push(neutral);
        let last = JointIndex(other.skeleton.joints.len() as u16 - 1);
        let lists: Vec<Vec<Influence>> = weights
            .iter()
            .enumerate()
            .map(|(v, list)| match v {
                0..5 => vec![Influence {
                    joint: last,
                    weight: 1.0,
                }],
                _ => list.to_vec(),
            })
            .collect();
        let theirs = Weights::new(lists.iter().map(Vec::as_slice)).unwrap();
        let same = weights_of_same_character(&other, &theirs, &hand).unwrap();
        assert_eq!(same.unweighted, 5);
        assert_eq!(same.weights.of_vertex(0)[0].joint, JointIndex(0));
        let off = weight_distance(same.weights.of_vertex(9), weights.of_vertex(9));
        assert!(off < 1e-6, "{off}");
    }

    #[test]
    fn there_are_24_turns_and_none_comes_first() {
        let all = rotations();
        assert_eq!(all.len(), 24);
        assert_eq!(all[0], DMat3::IDENTITY);
        assert!(all.iter().all(|t| (t.determinant() - 1.0).abs() < 1e-12));
        for (i, a) in all.iter().enumerate() {
            assert!(all[..i].iter().all(|b| a != b));
        }
    }
}
