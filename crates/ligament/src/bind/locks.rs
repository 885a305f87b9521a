//! What keeps the weights that a character has.

use serde::{Deserialize, Serialize};

use super::{BindError, VertexSet};
use crate::character::{Character, Influence, Weights, WeightsBuilder};

/// Vertices and joints whose weights stay as they are.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Locks {
    /// Vertices that keep all their weights.
    pub vertices: Vec<VertexSet>,
    /// Joints (names) that keep their weight on every vertex; the others share the rest.
    pub joints: Vec<String>,
}

impl Locks {
    /// Whether nothing is locked.
    pub fn is_empty(&self) -> bool {
        self.vertices.is_empty() && self.joints.is_empty()
    }

    /// New weights with what is locked put back. At most `k` influences are kept, locked
    /// ones before others.
    pub fn applied(&self, character: &Character, new: Weights, k: usize) -> Result<Weights, BindError> {
        if self.is_empty() {
            return Ok(new);
        }
        let old = character.weights.as_ref().ok_or(BindError::NothingToLock)?;
        let mut kept = vec![false; character.mesh.positions.len()];
        for set in &self.vertices {
            for (kept, inside) in kept.iter_mut().zip(set.resolve(character)?) {
                *kept |= inside;
            }
        }
        let mut locked = vec![false; character.skeleton.joints.len()];
        for name in &self.joints {
            let joint = character
                .skeleton
                .find(name)
                .ok_or_else(|| super::RegionError::UnknownJoint(name.clone()))?;
            locked[joint.at()] = true;
        }
        let mut builder = WeightsBuilder::with_capacity(new.vertex_count(), k);
        for vertex in 0..new.vertex_count() {
            if kept[vertex] {
                builder.push_valid(old.of_vertex(vertex));
                continue;
            }
            let mut row: Vec<Influence> = old
                .of_vertex(vertex)
                .iter()
                .copied()
                .filter(|i| locked[i.joint.at()])
                .collect();
            row.truncate(k);
            let held: f32 = row.iter().map(|i| i.weight).sum();
            let mut free: Vec<Influence> = new
                .of_vertex(vertex)
                .iter()
                .copied()
                .filter(|i| !locked[i.joint.at()])
                .collect();
            free.truncate(k - row.len());
            let sum: f32 = free.iter().map(|i| i.weight).sum();
            let rest = (1.0 - held).max(0.0);
            for influence in &mut free {
                influence.weight *= if sum > 0.0 { rest / sum } else { 0.0 };
            }
            row.extend(free);
            // A vertex whose only new joints are locked ones has nobody to give the rest to.
            let pushed = if row.iter().any(|i| i.weight > 0.0) {
                builder.push(&row)
            } else {
                builder.push(new.of_vertex(vertex))
            };
            pushed?;
        }
        Ok(builder.finish())
    }
}
