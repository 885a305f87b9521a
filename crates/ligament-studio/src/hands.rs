//! Weights changed by hand, as a part of a state: a layer, how much of it shows, and whether anything holds it back.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::Vec3;
use ligament::character::Influence;
use ligament::weights::hands::{HandEdit, HandEdits, HandSurface, Layering};
use ligament::{Character, JointIndex, Mesh, Skeleton};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// What hands did to the weights.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Hands {
    /// What was edited. Pages have it as rows of weights; a history keeps what each step changed of it.
    #[serde(skip)]
    pub layer: Arc<HandEdits>,
    /// How much of it shows, 0 to 1.
    pub opacity: f32,
    /// Neither the number of influences nor the sum is held while painting.
    pub paused: bool,
}

impl Default for Hands {
    fn default() -> Self {
        Self {
            layer: Arc::default(),
            opacity: 1.0,
            paused: false,
        }
    }
}

impl Hands {
    /// Fails where it does not belong to a skeleton of so many joints.
    pub fn check(&self, joints: usize) -> Result<(), String> {
        if !(0.0..=1.0).contains(&self.opacity) {
            return Err("the opacity of edits by hand is a share from 0 to 1".to_owned());
        }
        if !self.layer.iter().all(|(_, edit)| edit.is_sound(joints)) {
            return Err("edits by hand do not belong to this skeleton".to_owned());
        }
        Ok(())
    }

    /// How the layer shows over weights of so many influences.
    pub fn layering(&self, influences: usize) -> Layering {
        Layering {
            opacity: self.opacity,
            influences: (!self.paused).then_some(influences),
        }
    }
}

/// What one step changed of a layer: first vertices of points, and what is there now.
pub type LayerChange = Vec<(u32, Option<HandEdit>)>;

/// What makes `after` of `before`.
pub fn change_between(before: &Arc<HandEdits>, after: &Arc<HandEdits>) -> LayerChange {
    if Arc::ptr_eq(before, after) {
        return Vec::new();
    }
    let vertices: BTreeSet<u32> = before.iter().chain(after.iter()).map(|(v, _)| v).collect();
    vertices
        .into_iter()
        .filter(|&v| before.of(v) != after.of(v))
        .map(|v| (v, after.of(v).cloned()))
        .collect()
}

/// A layer after a change.
pub fn changed(before: &Arc<HandEdits>, change: LayerChange) -> Arc<HandEdits> {
    if change.is_empty() {
        return before.clone();
    }
    let mut layer = before.as_ref().clone();
    for (vertex, edit) in change {
        layer.set(vertex, edit);
    }
    Arc::new(layer)
}

/// A skeleton, and for each of its joints the one of the file that it was.
pub type Numbered = (Skeleton, Vec<Option<JointIndex>>);

/// For each joint of a skeleton the one that it is in another: the same of the file, else of the same name, else what its parent is.
pub fn renumbering(from: &Numbered, to: &Numbered) -> Vec<JointIndex> {
    let (skeleton, origins) = from;
    let same = |joint: JointIndex| {
        let origin = origins.get(joint.at()).copied().flatten();
        match origin {
            Some(origin) => to.1.iter().position(|o| *o == Some(origin)),
            None => {
                to.0.joints
                    .iter()
                    .position(|j| j.name == skeleton.joint(joint).name)
            }
        }
    };
    skeleton
        .indices()
        .map(|joint| {
            let mut at = Some(joint);
            while let Some(joint) = at {
                if let Some(found) = same(joint) {
                    return JointIndex(found as u16);
                }
                at = skeleton.joint(joint).parent;
            }
            JointIndex(0)
        })
        .collect()
}

/// A layer on another mesh of the same character, as a level of detail is: every point takes what the nearest one has, joints by their names.
pub fn on_other_mesh(layer: &HandEdits, from: &Character, to: &Character) -> HandEdits {
    let (here, there) = (HandSurface::of(&from.mesh), HandSurface::of(&to.mesh));
    let joint = |joint: JointIndex| to.skeleton.find(&from.skeleton.joint(joint).name);
    let position =
        |surface: &HandSurface, mesh: &Mesh, p: u32| mesh.positions[surface.first_vertex(p) as usize];
    let positions: Vec<Vec3> = (0..here.len() as u32)
        .map(|p| position(&here, &from.mesh, p))
        .collect();
    let found: Vec<Option<(u32, HandEdit)>> = (0..there.len() as u32)
        .into_par_iter()
        .map(|point| {
            let at = position(&there, &to.mesh, point);
            let far = |p: &usize| positions[*p].distance_squared(at);
            let nearest = (0..positions.len()).min_by(|a, b| far(a).total_cmp(&far(b)))?;
            let edit = layer.of(here.first_vertex(nearest as u32))?;
            let known = |i: &Influence| {
                Some(Influence {
                    joint: joint(i.joint)?,
                    ..*i
                })
            };
            let weights: Vec<Influence> = edit.weights.iter().filter_map(known).collect();
            let mut moved = HandEdit::typed(&weights)?;
            moved.cover = edit.cover;
            Some((there.first_vertex(point), moved))
        })
        .collect();
    let mut other = HandEdits::default();
    for (vertex, edit) in found.into_iter().flatten() {
        other.set(vertex, Some(edit));
    }
    other
}

#[cfg(test)]
mod tests {
    use super::*;

    fn edit(joint: u16) -> Option<HandEdit> {
        let joint = JointIndex(joint);
        HandEdit::typed(&[Influence { joint, weight: 1.0 }])
    }

    #[test]
    fn changes_lead_from_layer_to_layer() {
        let mut a = HandEdits::default();
        a.set(3, edit(1));
        a.set(5, edit(1));
        let mut b = a.clone();
        b.set(3, None);
        b.set(5, edit(2));
        b.set(9, edit(0));
        let (a, b) = (Arc::new(a), Arc::new(b));
        let there = change_between(&a, &b);
        assert_eq!(there.iter().map(|c| c.0).collect::<Vec<_>>(), [3, 5, 9]);
        assert_eq!(changed(&a, there), b);
        assert_eq!(changed(&b, change_between(&b, &a)), a);
        assert!(change_between(&a, &a).is_empty());
    }

    #[test]
    fn a_level_of_detail_gets_the_edits_of_what_is_nearest() {
        let (fine, coarse) = (
            ligament::sample::make("hound@3000").unwrap(),
            ligament::sample::make("hound@800").unwrap(),
        );
        let high = |mesh: &Mesh, v: u32| mesh.positions[v as usize].y > 0.6;
        let surface = HandSurface::of(&fine.mesh);
        let mut layer = HandEdits::default();
        for point in 0..surface.len() as u32 {
            let vertex = surface.first_vertex(point);
            if high(&fine.mesh, vertex) {
                layer.set(vertex, edit(3));
            }
        }
        let other = on_other_mesh(&layer, &fine, &coarse);
        let there = HandSurface::of(&coarse.mesh);
        let count = (0..there.len() as u32)
            .filter(|&p| high(&coarse.mesh, there.first_vertex(p)))
            .count();
        assert!(
            !other.is_empty() && other.len().abs_diff(count) < 1 + count / 4,
            "{} {count}",
            other.len()
        );
        assert!(other.iter().all(|(_, e)| e.weights[0].joint == JointIndex(3)));
    }

    #[test]
    fn a_joint_that_is_gone_leaves_its_weight_to_its_parent() {
        let hound = ligament::sample::make("hound@800").unwrap().skeleton;
        let all = |s: &Skeleton| {
            (0..s.joints.len() as u16)
                .map(|j| Some(JointIndex(j)))
                .collect::<Vec<_>>()
        };
        let from = (hound.clone(), all(&hound));
        let head = hound.find("head").unwrap();
        let (mut fewer, mut origins) = from.clone();
        fewer.joints[head.at()].name = "other".to_owned();
        origins[head.at()] = None;
        let map = renumbering(&from, &(fewer, origins));
        assert_eq!(map[head.at()], hound.joint(head).parent.unwrap());
        assert_eq!(map[0], JointIndex(0));
    }
}
