//! Weights that a fit shall come near to: painted by a user, or another method's.

use super::domain::FitDomain;
use super::losses::Rows;
use crate::character::Weights;
use crate::skin::PointIndex;

/// Weights to come near to, per vertex of the mesh.
#[derive(Debug, Clone)]
pub struct Guidance {
    /// The weights, for every vertex.
    pub weights: Weights,
    /// How much each vertex counts, from 0 on; 0 leaves it free, 1 is usual.
    pub strength: Vec<f32>,
    /// Vertices that have these weights, whatever the field says; the skin around them is
    /// fitted to them.
    pub locked: Vec<bool>,
}

impl Guidance {
    /// The same strength everywhere, nothing locked.
    pub fn everywhere(weights: Weights, strength: f32) -> Self {
        let count = weights.vertex_count();
        Self {
            weights,
            strength: vec![strength; count],
            locked: vec![false; count],
        }
    }
}

/// Guidance as the losses see it: per position, by cells.
#[derive(Debug, Clone)]
pub(super) struct Targets {
    pub rows: Rows,
    strength: Vec<f64>,
    locked: Vec<bool>,
}

impl Targets {
    /// Of a bind's positions, each as its first vertex says; locked if any of its vertices
    /// is. What is given to joints that take no part is shared out among the others; a
    /// position left with nothing is free.
    pub fn new(domain: &FitDomain, guidance: &Guidance) -> Self {
        let count = domain.points.len();
        let mut first = vec![None; count];
        let mut locked = vec![false; count];
        for (vertex, row) in domain.skin.points_of_vertices().into_iter().enumerate() {
            let Some(row) = row.map(PointIndex::at) else {
                continue;
            };
            if vertex < guidance.weights.vertex_count() {
                first[row].get_or_insert(vertex);
                locked[row] |= guidance.locked.get(vertex).copied().unwrap_or(false);
            }
        }
        let mut targets = Self {
            rows: Rows {
                starts: vec![0],
                ..Rows::default()
            },
            strength: Vec::with_capacity(count),
            locked,
        };
        for (point, vertex) in first.into_iter().enumerate() {
            let start = targets.rows.cells.len();
            let mut strength = 0.0;
            if let Some(vertex) = vertex {
                strength = f64::from(guidance.strength.get(vertex).copied().unwrap_or(0.0)).max(0.0);
                let allowed = domain.cells_at(point);
                for i in guidance.weights.of_vertex(vertex) {
                    let cell = domain.joints.binary_search(&i.joint).map(|c| c as u16);
                    if let Ok(cell) = cell
                        && allowed.binary_search(&cell).is_ok()
                    {
                        targets.rows.cells.push(cell);
                        targets.rows.weights.push(f64::from(i.weight));
                    }
                }
            }
            let given = &mut targets.rows.weights[start..];
            let sum: f64 = given.iter().sum();
            if sum > 0.0 {
                given.iter_mut().for_each(|w| *w /= sum);
            } else {
                strength = 0.0;
                targets.locked[point] = false;
                targets.rows.cells.truncate(start);
                targets.rows.weights.truncate(start);
            }
            targets.rows.starts.push(targets.rows.cells.len() as u32);
            targets.strength.push(strength);
        }
        targets
    }

    /// Whether a position keeps its target.
    pub fn is_locked(&self, point: usize) -> bool {
        self.locked[point]
    }

    /// Strength times the squared difference of a position's weights from its target; adds
    /// `factor` times its derivative to `gradients`, one for each of `weights`.
    pub fn difference(
        &self,
        point: usize,
        weights: impl Iterator<Item = (usize, f64)> + Clone,
        factor: f64,
        gradients: Option<&mut [f64]>,
    ) -> f64 {
        let strength = self.strength[point];
        if strength == 0.0 || self.locked[point] {
            return 0.0;
        }
        let wanted = |cell: usize| {
            let found = self.rows.row(point).find(|r| r.0 == cell);
            found.map_or(0.0, |r| r.1)
        };
        let mut sum = 0.0;
        for (cell, target) in self.rows.row(point) {
            if !weights.clone().any(|w| w.0 == cell) {
                sum += target * target;
            }
        }
        for (cell, weight) in weights.clone() {
            sum += (weight - wanted(cell)).powi(2);
        }
        if let Some(gradients) = gradients {
            for (gradient, (cell, weight)) in gradients.iter_mut().zip(weights) {
                *gradient += 2.0 * factor * strength * (weight - wanted(cell));
            }
        }
        strength * sum
    }
}
