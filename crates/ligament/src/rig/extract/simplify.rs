//! From a curve skeleton with many points to joints.
//!
//! Between branch points, ends and joints that anatomy asks for, Douglas and Peucker's
//! algorithm (1973) keeps the points that a straight line would miss. Long straight
//! stretches are divided, so that tails and tentacles can bend. A bone that would leave the
//! solid gets a joint more. Where fewer joints are wanted, those go first that cost the least
//! shape.

use std::collections::{BTreeMap, BTreeSet};

use super::anatomy::{Anatomy, most_central, off_line};
use super::body::Body;
use super::tree::Tree;

/// A bone may miss the curve by this fraction of the diagonal.
const TOLERANCE: f64 = 0.02;
/// Bones are no longer than this fraction of the diagonal.
const LONGEST: f64 = 0.14;
/// Points along a bone that are looked at to tell whether it is outside.
const SAMPLES: u32 = 16;
/// A bone at an end stays if this fraction of it is inside.
const INSIDE: f64 = 0.75;

/// Joints as they are before they have frames: parents first.
#[derive(Debug, Clone, Default)]
pub(super) struct Joints {
    /// The points of the tree that they are at.
    pub points: Vec<u32>,
    pub parents: Vec<Option<usize>>,
}

/// Chooses joints. `detail` multiplies tolerances; `most` limits how many there are.
#[expect(
    clippy::too_many_arguments,
    reason = "the body, what is known of it, and what was asked for; called once"
)]
pub(super) fn simplify(
    tree: &Tree,
    anatomy: &Anatomy,
    root: Option<u32>,
    body: &Body<'_>,
    symmetric: bool,
    scale: f64,
    diagonal: f64,
    most: Option<usize>,
) -> Joints {
    let root = root
        .or(anatomy.root)
        .unwrap_or_else(|| nearest_branch_point(tree));
    let mut kept: BTreeSet<u32> = anatomy.names.keys().copied().collect();
    kept.insert(root);
    kept.extend((0..tree.len() as u32).filter(|&n| tree.links[n as usize].len() != 2));
    let fixed = kept.clone();
    for &from in &fixed {
        for &next in &tree.links[from as usize] {
            let mut path = vec![from, next];
            let (mut before, mut now) = (from, next);
            while !fixed.contains(&now) {
                let Some(&ahead) = tree.links[now as usize].iter().find(|&&n| n != before) else {
                    break;
                };
                (before, now) = (now, ahead);
                path.push(now);
            }
            // Each stretch once, always from the same end.
            if path.last().is_none_or(|&end| end < from) {
                continue;
            }
            let settled = path.iter().all(|n| anatomy.settled.contains(n));
            if !settled {
                douglas_peucker(tree, &path, TOLERANCE * scale * diagonal, &mut kept);
                divide(tree, &path, LONGEST * scale.max(0.25) * diagonal, &mut kept);
            }
            stay_inside(tree, &path, body, &mut kept);
        }
    }
    if symmetric {
        // What one side needs to stay inside, by a hair, the other gets too.
        let mirror = anatomy.axes.mirror;
        for n in kept.clone() {
            let image = mirror.image(tree.points[n as usize]);
            let same = |&m: &u32| tree.points[m as usize].distance(image) < 1e-9 * diagonal;
            kept.extend((0..tree.len() as u32).find(same));
        }
    }
    let mut joints = hierarchy(tree, root, &kept, anatomy);
    loop {
        let outside = ends_outside(tree, &joints, body, anatomy, symmetric.then_some(diagonal));
        if outside.is_empty() {
            break;
        }
        kept.retain(|n| !outside.contains(n));
        joints = hierarchy(tree, root, &kept, anatomy);
    }
    if let Some(most) = most {
        let order = reduced(tree, &joints, most.max(1));
        let kept: BTreeSet<u32> = order.into_iter().collect();
        joints = hierarchy(tree, root, &kept, anatomy);
    }
    joints
}

/// The branch point (or end) nearest to the point that balances the tree best.
fn nearest_branch_point(tree: &Tree) -> u32 {
    let centre = most_central(tree);
    let mut queue = std::collections::VecDeque::from([(centre, centre)]);
    while let Some((n, from)) = queue.pop_front() {
        if tree.links[n as usize].len() != 2 {
            // An end is no place for a root while the middle of a line is.
            return if tree.links[n as usize].len() == 1 {
                centre
            } else {
                n
            };
        }
        queue.extend(
            tree.links[n as usize]
                .iter()
                .filter(|&&m| m != from)
                .map(|&m| (m, n)),
        );
    }
    centre
}

fn douglas_peucker(tree: &Tree, path: &[u32], tolerance: f64, kept: &mut BTreeSet<u32>) {
    if let Some((worst, off)) = farthest(tree, path)
        && off > tolerance
    {
        kept.insert(path[worst]);
        douglas_peucker(tree, &path[..=worst], tolerance, kept);
        douglas_peucker(tree, &path[worst..], tolerance, kept);
    }
}

/// The inner point of a path that is farthest off the line between its ends.
fn farthest(tree: &Tree, path: &[u32]) -> Option<(usize, f64)> {
    let at = |n: u32| tree.points[n as usize];
    let (a, b) = (at(*path.first()?), at(*path.last()?));
    (1..path.len().saturating_sub(1))
        .map(|i| (i, off_line(at(path[i]), a, b)))
        .max_by(|x, y| x.1.total_cmp(&y.1).then(y.0.cmp(&x.0)))
}

/// The stretches of a path between points that are kept.
fn stretches(path: &[u32], kept: &BTreeSet<u32>) -> Vec<Vec<u32>> {
    let mut all: Vec<Vec<u32>> = Vec::new();
    let mut now = Vec::new();
    for &n in path {
        now.push(n);
        if kept.contains(&n) && now.len() > 1 {
            all.push(std::mem::replace(&mut now, vec![n]));
        }
    }
    all
}

fn divide(tree: &Tree, path: &[u32], longest: f64, kept: &mut BTreeSet<u32>) {
    for stretch in stretches(path, kept) {
        let length = tree.path_length(&stretch);
        let count = (length / longest).ceil().max(1.0) as usize;
        let mut along = vec![0.0];
        for w in stretch.windows(2) {
            along.push(along[along.len() - 1] + tree.distance(w[0], w[1]));
        }
        for i in 1..count {
            let wanted = i as f64 / count as f64 * length;
            let off = |k: usize| (along[k] - wanted).abs();
            let nearest = (0..stretch.len()).min_by(|&a, &b| off(a).total_cmp(&off(b)));
            kept.extend(nearest.map(|k| stretch[k]));
        }
    }
}

fn stay_inside(tree: &Tree, path: &[u32], body: &Body<'_>, kept: &mut BTreeSet<u32>) {
    for stretch in stretches(path, kept) {
        let (Some(&a), Some(&b)) = (stretch.first(), stretch.last()) else {
            continue;
        };
        let bridged = stretch.windows(2).any(|w| tree.is_bridge(w[0], w[1]));
        let seen = body.holds_line(tree.points[a as usize], tree.points[b as usize]);
        // What is shorter than the voxels can tell is left as it is.
        let short = tree.distance(a, b) < 2.0 * body.voxels.cell;
        if seen || short || (bridged && stretch.len() < 3) {
            continue;
        }
        if let Some((worst, _)) = farthest(tree, &stretch) {
            kept.insert(stretch[worst]);
            stay_inside(tree, &stretch[..=worst], body, kept);
            stay_inside(tree, &stretch[worst..], body, kept);
        }
    }
}

/// The points of unnamed joints at the ends whose bones are not well inside: folds of cloth
/// and straps that the voxels closed. With the diagonal of a symmetric body, their mirror
/// images too.
fn ends_outside(
    tree: &Tree,
    joints: &Joints,
    body: &Body<'_>,
    anatomy: &Anatomy,
    symmetric: Option<f64>,
) -> BTreeSet<u32> {
    let at = |n: u32| tree.points[n as usize];
    let ends: Vec<u32> = (0..joints.points.len())
        .filter(|&j| !joints.parents.contains(&Some(j)))
        .map(|j| joints.points[j])
        .filter(|n| !anatomy.names.contains_key(n))
        .collect();
    let mut outside = BTreeSet::new();
    for (j, &point) in joints.points.iter().enumerate() {
        let Some(parent) = joints.parents[j].filter(|_| ends.contains(&point)) else {
            continue;
        };
        let parent = joints.points[parent];
        let bridged = tree
            .path(parent, point)
            .windows(2)
            .any(|w| tree.is_bridge(w[0], w[1]));
        let samples = (1..=SAMPLES).map(|k| at(parent).lerp(at(point), f64::from(k) / f64::from(SAMPLES)));
        let inside = samples.filter(|&p| body.solid.contains(p)).count();
        if !bridged && (inside as f64) < INSIDE * f64::from(SAMPLES) {
            outside.insert(point);
        }
    }
    if let Some(diagonal) = symmetric {
        for n in outside.clone() {
            let image = anatomy.axes.mirror.image(at(n));
            let same = |&&m: &&u32| at(m).distance(image) < 1e-9 * diagonal;
            outside.extend(ends.iter().find(same));
        }
    }
    outside
}

/// The joints in depth-first order from the root. Siblings are ordered by what mirrors:
/// their height, how far forward and how far from the middle they are.
fn hierarchy(tree: &Tree, root: u32, kept: &BTreeSet<u32>, anatomy: &Anatomy) -> Joints {
    let axes = &anatomy.axes;
    let rank = |n: u32| {
        let p = tree.points[n as usize];
        let sideways = axes.sideways(p);
        [p[axes.up], p[axes.forward], sideways.abs(), -sideways]
    };
    let mut joints = Joints::default();
    let mut stack = vec![(root, root, None)];
    while let Some((mut n, mut from, parent)) = stack.pop() {
        while !kept.contains(&n) {
            match tree.links[n as usize].iter().find(|&&m| m != from) {
                Some(&ahead) if tree.links[n as usize].len() == 2 => (from, n) = (n, ahead),
                _ => break,
            }
        }
        let links = tree.links[n as usize]
            .iter()
            .copied()
            .filter(|&m| m != from || n == root);
        let mut parent = parent;
        if kept.contains(&n) {
            joints.points.push(n);
            joints.parents.push(parent);
            parent = Some(joints.points.len() - 1);
        }
        let mut next: Vec<u32> = links.collect();
        next.sort_by(|&a, &b| {
            let (a, b) = (rank(a), rank(b));
            (0..4).fold(std::cmp::Ordering::Equal, |order, i| {
                order.then(a[i].total_cmp(&b[i]))
            })
        });
        stack.extend(next.into_iter().map(|m| (m, n, parent)));
    }
    joints
}

/// The points of so many joints as are wanted: ends of short bones and joints on straight
/// lines go first.
fn reduced(tree: &Tree, joints: &Joints, most: usize) -> Vec<u32> {
    let at = |j: usize| tree.points[joints.points[j] as usize];
    let mut parents: BTreeMap<usize, Option<usize>> = joints.parents.iter().copied().enumerate().collect();
    while parents.len() > most {
        let mut children: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (&j, &p) in &parents {
            if let Some(p) = p {
                children.entry(p).or_default().push(j);
            }
        }
        let cost = |j: usize, parent: usize| match children.get(&j).map(Vec::as_slice) {
            None => at(j).distance(at(parent)),
            Some([child]) => off_line(at(j), at(parent), at(*child)),
            Some(more) => more.iter().map(|&c| off_line(at(j), at(parent), at(c))).sum(),
        };
        let cheapest = parents
            .iter()
            .filter_map(|(&j, &p)| p.map(|p| (cost(j, p), j, p)))
            .min_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        let Some((_, gone, parent)) = cheapest else { break };
        parents.remove(&gone);
        for p in parents.values_mut() {
            if *p == Some(gone) {
                *p = Some(parent);
            }
        }
    }
    parents.keys().map(|&j| joints.points[j]).collect()
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::super::anatomy::BodyPlan;
    use super::super::axes::Axes;
    use super::super::voxels::Voxels;
    use super::*;
    use crate::character::JointIndex;
    use crate::geometry::WeldedMesh;
    use crate::solid::{Solid, SolidOptions};
    use crate::task::Task;

    /// A tree along a tube with a branch that leaves it sideways: points 0 to 2 and 3.
    fn joints_with(bridges: BTreeSet<[u32; 2]>, names: BTreeMap<u32, String>) -> Vec<u32> {
        let tube = crate::sample::make("tube@1000").unwrap();
        let solid = Solid::of(
            &WeldedMesh::of(&tube.mesh),
            &SolidOptions::default(),
            &Task::unattended(),
        )
        .unwrap();
        let voxels = Voxels::of(&solid);
        let depths = voxels.depths();
        let body = Body {
            voxels: &voxels,
            depths: &depths,
            solid: &solid,
            shortest: 0.0,
        };
        let (first, last) = (JointIndex(0), JointIndex(tube.skeleton.joints.len() as u16 - 1));
        let (low, high) = (
            tube.skeleton.bind_position(first),
            tube.skeleton.bind_position(last),
        );
        let middle = low.lerp(high, 0.5);
        let sideways = (high - low).any_orthogonal_vector().normalize() * low.distance(high);
        let points: Vec<DVec3> = vec![
            low.lerp(high, 0.1),
            middle,
            low.lerp(high, 0.9),
            middle + sideways,
        ];
        let tree = Tree {
            radii: points.iter().map(|&p| body.depth(p)).collect(),
            points,
            links: vec![vec![1], vec![0, 2, 3], vec![1], vec![1]],
            bridges,
        };
        let anatomy = Anatomy {
            plan: BodyPlan::Other,
            axes: Axes::candidates(&voxels)[0],
            root: Some(1),
            names,
            settled: BTreeSet::new(),
        };
        let diagonal = f64::from(tube.mesh.diagonal());
        let joints = simplify(&tree, &anatomy, None, &body, false, 1e9, diagonal, None);
        let mut points = joints.points;
        points.sort_unstable();
        points
    }

    #[test]
    fn ends_outside_are_dropped_unless_they_have_a_name_or_hang_over_a_gap() {
        assert_eq!(joints_with(BTreeSet::new(), BTreeMap::new()), [0, 1, 2]);
        let named = BTreeMap::from([(3, "left_hand".to_owned())]);
        assert_eq!(joints_with(BTreeSet::new(), named), [0, 1, 2, 3]);
        assert_eq!(
            joints_with(BTreeSet::from([[1, 3]]), BTreeMap::new()),
            [0, 1, 2, 3]
        );
    }
}
