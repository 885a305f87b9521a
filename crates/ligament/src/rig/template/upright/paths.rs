//! Cheapest paths through half a body.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use glam::IVec3;

use super::half::Half;
use crate::rig::extract::around;

/// A voxel that waits for its turn, the cheapest first; ties go by index, so that paths are the same every time.
#[derive(PartialEq)]
struct Waiting(f64, usize);

impl Eq for Waiting {}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        other.0.total_cmp(&self.0).then(other.1.cmp(&self.1))
    }
}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The cheapest path from some voxels to every other.
pub(super) struct Paths {
    /// Infinite where none leads.
    pub cost: Vec<f64>,
    from: Vec<Option<usize>>,
}

impl Paths {
    /// Paths from `sources`; a step into a voxel costs its length times the voxel's price (Dijkstra).
    pub fn from(half: &Half, sources: &[usize], price: impl Fn(usize) -> f64) -> Self {
        let grid = &half.grid;
        let mut paths = Self {
            cost: vec![f64::INFINITY; grid.solid.len()],
            from: vec![None; grid.solid.len()],
        };
        let mut waiting = BinaryHeap::new();
        for &source in sources {
            paths.cost[source] = 0.0;
            waiting.push(Waiting(0.0, source));
        }
        let steps: Vec<(IVec3, f64)> = around(IVec3::ZERO)
            .map(|o| (o, o.as_dvec3().length() * grid.cell))
            .collect();
        while let Some(Waiting(cost, at)) = waiting.pop() {
            if cost > paths.cost[at] {
                continue;
            }
            let v = grid.voxel(at);
            for &(offset, length) in &steps {
                let next = v + offset;
                if !grid.is_solid(next) {
                    continue;
                }
                let next = grid.at(next);
                let total = cost + length * price(next);
                if total < paths.cost[next] {
                    paths.cost[next] = total;
                    paths.from[next] = Some(at);
                    waiting.push(Waiting(total, next));
                }
            }
        }
        paths
    }

    /// From a voxel back to the source.
    pub fn back(&self, from: usize) -> Vec<usize> {
        let mut path = vec![from];
        let mut at = from;
        while let Some(before) = self.from[at] {
            path.push(before);
            at = before;
        }
        path
    }
}
