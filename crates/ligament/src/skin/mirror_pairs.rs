//! Partners across any axis-aligned plane, as far as there are any: points by position or by how faces are joined, joints by
//! name and position.
//!
//! [`Mirror`](super::Mirror) is all or nothing and tells methods whether a character is symmetric; this is for a person
//! who wants one side on the other.

use std::collections::VecDeque;

use glam::DVec3;
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use super::mirror::swapped_sides;
use crate::character::{JointIndex, Skeleton};
use crate::geometry::NearPoints;

/// An axis.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Axis {
    /// From right to left, in glTF.
    #[default]
    X,
    /// Upwards, in glTF.
    Y,
    /// To the front, in glTF.
    Z,
}

/// A plane across an axis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MirrorPlane {
    /// The axis that it stands on.
    pub axis: Axis,
    /// Where on the axis.
    pub at: f64,
}

impl MirrorPlane {
    /// The better one of the middle of the box around some points and of 0: a sword in one hand moves the box.
    pub fn of(points: &[DVec3], axis: Axis, reach: f64) -> Self {
        let along = |p: &DVec3| p[axis as usize];
        let low = points.iter().map(along).fold(f64::INFINITY, f64::min);
        let high = points.iter().map(along).fold(f64::NEG_INFINITY, f64::max);
        let middle = Self {
            axis,
            at: if low <= high { (low + high) / 2.0 } else { 0.0 },
        };
        let zero = Self { axis, at: 0.0 };
        if middle.at.abs() <= reach / 2.0 {
            return middle;
        }
        let paired = |plane: &Self| plane.pairs_by_position(points, reach).iter().flatten().count();
        if paired(&zero) > paired(&middle) {
            zero
        } else {
            middle
        }
    }

    /// The mirror image of a point.
    pub fn image(&self, mut p: DVec3) -> DVec3 {
        p[self.axis as usize] = 2.0 * self.at - p[self.axis as usize];
        p
    }

    /// How far a point is on the axis's side of the plane.
    pub fn height(&self, p: DVec3) -> f64 {
        p[self.axis as usize] - self.at
    }

    /// For each point the one nearest to its image within `reach`, where that one's nearest is the point again.
    pub fn pairs_by_position(&self, points: &[DVec3], reach: f64) -> Vec<Option<u32>> {
        let near = NearPoints::new(points, reach);
        let nearest: Vec<Option<u32>> = points
            .par_iter()
            .with_min_len(1024)
            .map(|&p| near.nearest(self.image(p)))
            .collect();
        let is_pair = |&(p, found): &(usize, &Option<u32>)| {
            found.is_some_and(|f| nearest[f as usize].is_some_and(|back| back as usize == p))
        };
        let mut pairs = vec![None; points.len()];
        for (p, found) in nearest.iter().enumerate().filter(is_pair) {
            pairs[p] = *found;
        }
        pairs
    }

    /// For each point the one that faces lead to in the same way on the other side, from edges that lie on the plane
    /// within `reach`: for bodies whose sides are joined alike and shaped differently. A point that two ways lead to
    /// differently has no partner.
    pub fn pairs_by_faces(&self, points: &[DVec3], faces: &[[u32; 3]], reach: f64) -> Vec<Option<u32>> {
        // The third corner of the face at each directed edge; none where several faces share it.
        let mut third: FxHashMap<(u32, u32), Option<u32>> = FxHashMap::default();
        for &[a, b, c] in faces.iter().filter(|[a, b, c]| a != b && b != c && c != a) {
            for (from, to, other) in [(a, b, c), (b, c, a), (c, a, b)] {
                third
                    .entry((from, to))
                    .and_modify(|known| *known = None)
                    .or_insert(Some(other));
            }
        }
        let third = |from: u32, to: u32| third.get(&(from, to)).copied().flatten();
        let on_plane = |p: u32| self.height(points[p as usize]).abs() <= reach;
        let mut partner: Vec<Option<u32>> = vec![None; points.len()];
        let mut contested = vec![false; points.len()];
        // An edge and its image, which runs the other way around its face.
        let mut queue: VecDeque<((u32, u32), (u32, u32))> = VecDeque::new();
        for &[a, b, c] in faces {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                if from < to && on_plane(from) && on_plane(to) {
                    (partner[from as usize], partner[to as usize]) = (Some(from), Some(to));
                    queue.push_back(((from, to), (from, to)));
                }
            }
        }
        let mut visited: FxHashSet<(u32, u32)> = FxHashSet::default();
        while let Some(((a, b), (image_a, image_b))) = queue.pop_front() {
            if visited.contains(&(a, b)) {
                continue;
            }
            let (Some(c), Some(image)) = (third(a, b), third(image_b, image_a)) else {
                continue;
            };
            visited.extend([(a, b), (b, c), (c, a)]);
            match (partner[c as usize], partner[image as usize]) {
                (None, None) => (partner[c as usize], partner[image as usize]) = (Some(image), Some(c)),
                (Some(known), Some(back)) if known == image && back == c => {}
                _ => {
                    (contested[c as usize], contested[image as usize]) = (true, true);
                    continue;
                }
            }
            queue.push_back(((c, b), (image, image_b)));
            queue.push_back(((a, c), (image_a, image)));
        }
        for (p, contested) in contested.iter().enumerate() {
            if *contested && let Some(other) = partner[p].take() {
                partner[other as usize] = None;
            }
        }
        partner
    }

    /// For each joint its partner: the one whose name has left and right swapped; else the one at its image within
    /// `reach`, which may be itself. None where there is neither.
    pub fn joint_pairs(&self, skeleton: &Skeleton, reach: f64) -> Vec<Option<JointIndex>> {
        let joints: Vec<JointIndex> = skeleton
            .indices()
            .filter(|&j| skeleton.joint(j).in_skin)
            .collect();
        let name = |j: JointIndex| skeleton.joint(j).name.to_lowercase();
        let mut pairs = vec![None; skeleton.joints.len()];
        for &joint in &joints {
            let swapped = swapped_sides(&skeleton.joint(joint).name);
            let image = self.image(skeleton.bind_position(joint));
            let distance = |j: JointIndex| skeleton.bind_position(j).distance(image);
            let has_side = swapped != name(joint);
            let nearest = |of: &mut dyn Iterator<Item = JointIndex>| {
                of.min_by(|&a, &b| distance(a).total_cmp(&distance(b)).then(a.cmp(&b)))
            };
            let named = nearest(&mut joints.iter().copied().filter(|&j| has_side && name(j) == swapped));
            let placed = || {
                let own = (distance(joint) <= reach).then_some(joint);
                own.or_else(|| nearest(&mut joints.iter().copied()).filter(|&j| distance(j) <= reach))
            };
            pairs[joint.at()] = named.or_else(placed);
        }
        pairs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A strip of squares across the plane x = 0, its right side as it is, its left side changed.
    fn strip(bent: f64) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let mut points = Vec::new();
        let mut faces = Vec::new();
        for y in 0..4u32 {
            for x in 0..5u32 {
                let x_at = f64::from(x) - 2.0;
                let bend = if x_at < 0.0 { bent * f64::from(y) } else { 0.0 };
                points.push(DVec3::new(x_at + bend, f64::from(y), 0.0));
                if x < 4 && y < 3 {
                    let i = 5 * y + x;
                    // Cut alike on both sides.
                    if x < 2 {
                        faces.extend([[i, i + 1, i + 5], [i + 1, i + 6, i + 5]]);
                    } else {
                        faces.extend([[i, i + 1, i + 6], [i, i + 6, i + 5]]);
                    }
                }
            }
        }
        (points, faces)
    }

    fn expected() -> Vec<Option<u32>> {
        (0..20).map(|i| Some(5 * (i / 5) + 4 - i % 5)).collect()
    }

    #[test]
    fn partners_are_found_by_position_and_by_faces() {
        let (points, faces) = strip(0.0);
        let plane = MirrorPlane::of(&points, Axis::X, 1e-3);
        assert_eq!(plane.at, 0.0);
        assert_eq!(plane.pairs_by_position(&points, 1e-3), expected());
        assert_eq!(plane.pairs_by_faces(&points, &faces, 1e-3), expected());
        // Shaped differently: positions no longer tell, faces do.
        let (points, faces) = strip(0.1);
        let plane = MirrorPlane {
            axis: Axis::X,
            at: 0.0,
        };
        assert!(plane.pairs_by_position(&points, 1e-3).contains(&None));
        assert_eq!(plane.pairs_by_faces(&points, &faces, 1e-3), expected());
    }

    #[test]
    fn a_face_that_is_joined_otherwise_leaves_points_without_a_partner() {
        let (points, mut faces) = strip(0.0);
        // The outermost squares of the left side are gone.
        faces.retain(|f| !f.contains(&0) && !f.contains(&5) && !f.contains(&10) && !f.contains(&15));
        let pairs = MirrorPlane {
            axis: Axis::X,
            at: 0.0,
        }
        .pairs_by_faces(&points, &faces, 1e-3);
        for (p, pair) in pairs.iter().enumerate() {
            let outermost = p % 5 == 0 || p % 5 == 4;
            assert_eq!(pair.is_none(), outermost, "{p} {pair:?}");
        }
    }

    #[test]
    fn joints_pair_by_name_before_position_and_along_any_axis() {
        let joints = [
            ("root", None, [0.0, 0.0, 0.0]),
            ("arm_L", Some(0), [0.0, 1.0, 1.0]),
            ("arm_R", Some(0), [0.0, 1.0, -1.2]),
            ("fin_a", Some(0), [0.0, 2.0, 0.5]),
            ("fin_b", Some(0), [0.0, 2.0, -0.5]),
            ("lone", Some(0), [0.0, 3.0, 0.7]),
        ];
        let skeleton = Skeleton::from_positions(&joints).unwrap();
        let plane = MirrorPlane {
            axis: Axis::Z,
            at: 0.0,
        };
        let found: Vec<Option<u16>> = plane
            .joint_pairs(&skeleton, 0.01)
            .iter()
            .map(|j| j.map(|j| j.0))
            .collect();
        assert_eq!(found, [Some(0), Some(2), Some(1), Some(4), Some(3), None]);
    }
}
