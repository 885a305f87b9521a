//! Weights changed by hand: one sparse layer over whatever bind lies below.
//!
//! A point that was edited holds how much of the bind it covers and the weights that are laid over it, as one colour is laid over
//! another: *(1 − cover) · bind + cover · own*. A light stroke therefore covers little, and when the bind below is made anew the
//! stroke lies over the new one. An edit is found from what somebody wants a point to be ([`HandEdit::towards`]) with the least
//! cover that gives it, so it does not matter in which order or with which tool the point got there.
//!
//! - [`HandEdits`]: the layer, by the first vertex of each point.
//! - [`HandSurface`]: the points of a mesh, which joints each may follow, ways along the surface.
//! - [`Touch`]: what a brush does to one point.

mod surface;
mod touch;

use std::collections::BTreeMap;
use std::convert::Infallible;

use serde::{Deserialize, Serialize};

use crate::character::{Influence, JointIndex, Weights};

pub use surface::HandSurface;
pub use touch::{Stamp, Touch, mixed};

/// Covers and shares under this are nothing.
const NOTHING: f64 = 1e-6;

/// What was done to one point.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandEdit {
    /// How much of the bind is covered, over 0 and up to 1.
    pub cover: f32,
    /// What lies over it, by joint, ascending. Only shares matter: the sum may be anything over 0, so that numbers stay as they were
    /// typed.
    pub weights: Vec<Influence>,
}

impl HandEdit {
    /// The edit with the least cover that makes `wanted` of a bind's row; none where they are the same.
    pub fn towards(wanted: &[Influence], bind: &[Influence]) -> Option<Self> {
        let sum: f64 = wanted.iter().map(|i| f64::from(i.weight)).sum();
        if sum <= 0.0 || wanted == bind {
            return None;
        }
        let fraction = |joint: JointIndex| -> f64 {
            let own = wanted.iter().filter(|i| i.joint == joint);
            own.map(|i| f64::from(i.weight)).sum::<f64>() / sum
        };
        // What shines through may nowhere be more than is wanted.
        let through = bind
            .iter()
            .filter(|i| i.weight > 0.0)
            .map(|i| fraction(i.joint) / f64::from(i.weight))
            .fold(1.0, f64::min);
        if 1.0 - through < NOTHING {
            return None;
        }
        let mut joints: Vec<JointIndex> = wanted.iter().map(|i| i.joint).collect();
        joints.sort_unstable();
        joints.dedup();
        let below = |joint| {
            bind.iter()
                .find(|i| i.joint == joint)
                .map_or(0.0, |i| f64::from(i.weight))
        };
        let weights: Vec<Influence> = joints
            .into_iter()
            .map(|joint| (joint, fraction(joint) - through * below(joint)))
            .filter(|(_, weight)| *weight > NOTHING)
            .map(|(joint, weight)| Influence {
                joint,
                weight: weight as f32,
            })
            .collect();
        (!weights.is_empty()).then_some(Self {
            cover: (1.0 - through) as f32,
            weights,
        })
    }

    /// All weights as somebody typed them, over a bind that no longer shows; none without any weight.
    pub fn typed(row: &[Influence]) -> Option<Self> {
        let mut weights: Vec<Influence> = row.iter().filter(|i| i.weight > 0.0).copied().collect();
        weights.sort_by_key(|i| i.joint);
        (!weights.is_empty()).then_some(Self { cover: 1.0, weights })
    }

    /// Whether it can be applied: finite, not negative, each joint once and known.
    pub fn is_sound(&self, joints: usize) -> bool {
        let sum: f64 = self.weights.iter().map(|i| f64::from(i.weight)).sum();
        self.cover > 0.0
            && self.cover <= 1.0
            && sum > 0.0
            && self
                .weights
                .iter()
                .all(|i| i.weight.is_finite() && i.weight >= 0.0 && i.joint.at() < joints)
            && self.weights.is_sorted_by(|a, b| a.joint < b.joint)
    }

    /// Laid over a bind's row: joints ascending, not yet limited.
    pub fn over(&self, bind: &[Influence], opacity: f32) -> Vec<Influence> {
        let cover = f64::from(self.cover) * f64::from(opacity);
        let sum: f64 = self.weights.iter().map(|i| f64::from(i.weight)).sum();
        let below = bind
            .iter()
            .map(|i| (i.joint, (1.0 - cover) * f64::from(i.weight)));
        let own = self
            .weights
            .iter()
            .map(|i| (i.joint, cover * f64::from(i.weight) / sum));
        summed(below.chain(own).collect())
    }
}

/// Shares of joints, several of one joint added up, as influences in the order of joints.
fn summed(mut fractions: Vec<(JointIndex, f64)>) -> Vec<Influence> {
    fractions.sort_by_key(|(joint, _)| *joint);
    fractions.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    fractions
        .into_iter()
        .filter(|(_, weight)| *weight > 0.0)
        .map(|(joint, weight)| Influence {
            joint,
            weight: weight as f32,
        })
        .collect()
}

/// How a layer shows.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Layering {
    /// How much of it, 0 to 1.
    pub opacity: f32,
    /// The most influences that an edited point has; nothing holds it back if none.
    pub influences: Option<usize>,
}

impl Default for Layering {
    fn default() -> Self {
        Self {
            opacity: 1.0,
            influences: None,
        }
    }
}

/// All edits, by the first vertex of each point.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HandEdits {
    edits: BTreeMap<u32, HandEdit>,
}

impl HandEdits {
    /// How many points are edited.
    pub fn len(&self) -> usize {
        self.edits.len()
    }

    /// Whether nothing is.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty()
    }

    /// What was done to a point, by its first vertex.
    pub fn of(&self, first_vertex: u32) -> Option<&HandEdit> {
        self.edits.get(&first_vertex)
    }

    /// Puts an edit in the place of what was there; none takes it away.
    pub fn set(&mut self, first_vertex: u32, edit: Option<HandEdit>) {
        match edit {
            Some(edit) => self.edits.insert(first_vertex, edit),
            None => self.edits.remove(&first_vertex),
        };
    }

    /// All edits, in the order of vertices.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (u32, &HandEdit)> {
        self.edits.iter().map(|(v, e)| (*v, e))
    }

    /// With joints under other numbers; weight of a joint that is gone goes where `renumber` says.
    pub fn renumbered(&self, renumber: impl Fn(JointIndex) -> JointIndex) -> Self {
        let moved = |edit: &HandEdit| {
            let mut weights: Vec<Influence> = edit.weights.clone();
            for i in &mut weights {
                i.joint = renumber(i.joint);
            }
            weights.sort_by_key(|i| i.joint);
            weights.dedup_by(|next, kept| {
                let same = next.joint == kept.joint;
                if same {
                    kept.weight += next.weight;
                }
                same
            });
            HandEdit {
                cover: edit.cover,
                weights,
            }
        };
        Self {
            edits: self.edits.iter().map(|(v, e)| (*v, moved(e))).collect(),
        }
    }

    /// The row of one vertex with the layer over it, as [`applied`](Self::applied) has it; none where nothing changes.
    pub fn row(
        &self,
        surface: &HandSurface,
        vertex: usize,
        bind: &[Influence],
        layering: &Layering,
    ) -> Option<Vec<Influence>> {
        let point = surface.point_of_vertex(vertex)?;
        let edit = self.edits.get(&surface.first_vertex(point))?;
        let mut row = edit.over(bind, layering.opacity);
        row.retain(|i| surface.allows(point, i.joint));
        limit(&mut row, layering.influences);
        let finished = Weights::new([row.as_slice()]).ok()?;
        Some(finished.of_vertex(0).to_vec())
    }

    /// Lays all edits over a bind. Vertices without one stay to the bit.
    pub fn applied(&self, bind: &Weights, surface: &HandSurface, layering: &Layering) -> Weights {
        if self.is_empty() || layering.opacity <= 0.0 {
            return bind.clone();
        }
        let mut of_point: Vec<Option<&HandEdit>> = vec![None; surface.len()];
        for (vertex, edit) in self.iter() {
            if let Some(point) = surface.point_of_vertex(vertex as usize) {
                of_point[point as usize] = Some(edit);
            }
        }
        let made = Weights::in_parallel(bind.vertex_count(), 4, |vertices, builder| {
            for vertex in vertices {
                let below = bind.of_vertex(vertex);
                let point = surface.point_of_vertex(vertex);
                let Some((point, edit)) = point.and_then(|p| Some((p, of_point[p as usize]?))) else {
                    builder.push_valid(below);
                    continue;
                };
                let mut row = edit.over(below, layering.opacity);
                row.retain(|i| surface.allows(point, i.joint));
                limit(&mut row, layering.influences);
                if builder.push(&row).is_err() {
                    builder.push_valid(below);
                }
            }
            Ok::<_, Infallible>(())
        });
        match made {
            Ok(weights) => weights,
            Err(never) => match never {},
        }
    }
}

/// Keeps the largest of a row.
fn limit(row: &mut Vec<Influence>, most: Option<usize>) {
    let Some(most) = most.filter(|&m| row.len() > m) else {
        return;
    };
    row.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.joint.cmp(&b.joint)));
    row.truncate(most.max(1));
}

#[cfg(test)]
mod tests;
