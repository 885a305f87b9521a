//! Names for joints that anatomy has none for: by branch.

use std::collections::BTreeMap;

use glam::DVec3;

use super::anatomy::{Anatomy, BodyPlan};
use super::simplify::Joints;
use super::tree::Tree;

/// A name for each joint, no two alike. Branches are numbered side by side, so that what
/// is mirrored has the same number on the left and on the right.
pub(super) fn names(
    tree: &Tree,
    joints: &Joints,
    anatomy: &Anatomy,
    sided: bool,
    diagonal: f64,
) -> Vec<String> {
    let count = joints.points.len();
    let mut children = vec![0; count];
    for p in joints.parents.iter().flatten() {
        children[*p] += 1;
    }
    let mut names: Vec<String> = Vec::with_capacity(count);
    // For an unnamed joint, its branch's name and how many joints that has so far.
    let mut branch: Vec<Option<(String, usize)>> = Vec::with_capacity(count);
    let mut branches: BTreeMap<(String, &'static str), usize> = BTreeMap::new();
    for j in 0..count {
        let given = anatomy.names.get(&joints.points[j]);
        let parent = joints.parents[j];
        let continued = parent.and_then(|p| branch[p].clone().filter(|_| children[p] == 1));
        let (name, of) = match (given, parent, continued) {
            (Some(name), _, _) => (name.clone(), None),
            (None, None, _) => ("body".to_owned(), None),
            (None, _, Some((base, so_far))) => (format!("{base}_{}", so_far + 1), Some((base, so_far + 1))),
            // One more joint on a limb or the trunk, where a straight bone would leave it.
            (None, Some(p), None) if anatomy.settled.contains(&joints.points[j]) => {
                let base = names[p].clone();
                (format!("{base}_2"), Some((base, 2)))
            }
            (None, Some(p), None) => {
                let at: DVec3 = tree.points[joints.points[tip(joints, j)] as usize];
                let side = if sided {
                    anatomy.axes.side(at, diagonal)
                } else {
                    ""
                };
                let word = word(&names[p], anatomy.plan);
                let index = branches.entry((word.clone(), side)).or_default();
                *index += 1;
                let base = format!("{side}{word}{index}");
                (format!("{base}_1"), Some((base, 1)))
            }
        };
        names.push(name);
        branch.push(of);
    }
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for name in &mut names {
        let times = seen.entry(name.clone()).or_default();
        *times += 1;
        if *times > 1 {
            *name = format!("{name}_copy{times}");
        }
    }
    names
}

/// The last joint of the branch that a joint begins: joints come depth-first.
fn tip(joints: &Joints, j: usize) -> usize {
    let mut at = j;
    while joints.parents.get(at + 1).copied().flatten() == Some(at) {
        at += 1;
    }
    at
}

/// What a branch is called that leaves a joint.
fn word(parent: &str, plan: BodyPlan) -> String {
    let bare = parent.trim_start_matches("left_").trim_start_matches("right_");
    match plan {
        BodyPlan::Other => "limb",
        _ if bare.starts_with("hand") || bare.starts_with("lower_arm") => "finger",
        _ if bare.ends_with("foot") || bare.ends_with("toes") => "toe",
        _ if bare.starts_with("head") => "ear",
        _ => "branch",
    }
    .to_owned()
}
