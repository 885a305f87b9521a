//! Ways along the edges of a surface: how far it is from one point to those around, without crossing a gap.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rustc_hash::FxHashMap;

use super::WeldedMesh;

/// The edges of a welded surface with their lengths.
#[derive(Debug, Clone, Default)]
pub struct SurfacePaths {
    starts: Vec<u32>,
    neighbours: Vec<u32>,
    lengths: Vec<f32>,
}

impl SurfacePaths {
    /// The edges of a surface, each once from either end, neighbours ascending.
    pub fn of(surface: &WeldedMesh) -> Self {
        let mut edges: Vec<(u32, u32)> = Vec::with_capacity(6 * surface.faces.len());
        for &[a, b, c] in &surface.faces {
            for (from, to) in [(a, b), (b, c), (c, a)] {
                if from != to {
                    edges.extend([(from, to), (to, from)]);
                }
            }
        }
        edges.sort_unstable();
        edges.dedup();
        let mut starts = vec![0u32; surface.points.len() + 1];
        for &(from, _) in &edges {
            starts[from as usize + 1] += 1;
        }
        for point in 0..surface.points.len() {
            starts[point + 1] += starts[point];
        }
        let length =
            |&(a, b): &(u32, u32)| surface.points[a as usize].distance(surface.points[b as usize]) as f32;
        Self {
            starts,
            lengths: edges.iter().map(length).collect(),
            neighbours: edges.into_iter().map(|(_, to)| to).collect(),
        }
    }

    /// The points that share an edge with one.
    pub fn neighbours(&self, point: u32) -> &[u32] {
        &self.neighbours[self.range(point)]
    }

    fn range(&self, point: u32) -> std::ops::Range<usize> {
        self.starts[point as usize] as usize..self.starts[point as usize + 1] as usize
    }

    /// All points within `radius` of some that are a little way off already, with the lengths of the shortest paths along
    /// edges; by point, ascending (Dijkstra 1959).
    pub fn within(&self, from: &[(u32, f32)], radius: f32) -> Vec<(u32, f32)> {
        let mut far: FxHashMap<u32, f32> = FxHashMap::default();
        // Lengths are not negative, so their bits are in order.
        let mut queue: BinaryHeap<Reverse<(u32, u32)>> = BinaryHeap::new();
        for &(point, length) in from {
            let better = length <= radius && far.get(&point).is_none_or(|&f| length < f);
            if better && (point as usize) + 1 < self.starts.len() {
                far.insert(point, length.max(0.0));
                queue.push(Reverse((length.max(0.0).to_bits(), point)));
            }
        }
        while let Some(Reverse((bits, point))) = queue.pop() {
            let here = f32::from_bits(bits);
            if far.get(&point).is_some_and(|&f| f < here) {
                continue;
            }
            for edge in self.range(point) {
                let (next, length) = (self.neighbours[edge], here + self.lengths[edge]);
                if length <= radius && far.get(&next).is_none_or(|&f| length < f) {
                    far.insert(next, length);
                    queue.push(Reverse((length.to_bits(), next)));
                }
            }
        }
        let mut found: Vec<(u32, f32)> = far.into_iter().collect();
        found.sort_unstable_by_key(|f| f.0);
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample;

    /// By relaxing every edge until nothing changes (Bellman and Ford).
    fn naive(surface: &WeldedMesh, from: u32) -> Vec<f32> {
        let mut far = vec![f32::INFINITY; surface.points.len()];
        far[from as usize] = 0.0;
        loop {
            let mut changed = false;
            for &[a, b, c] in &surface.faces {
                for (p, q) in [(a, b), (b, a), (b, c), (c, b), (c, a), (a, c)] {
                    let edge = surface.points[p as usize].distance(surface.points[q as usize]) as f32;
                    let path = far[p as usize] + edge;
                    if path < far[q as usize] {
                        far[q as usize] = path;
                        changed = true;
                    }
                }
            }
            if !changed {
                return far;
            }
        }
    }

    #[test]
    fn ways_are_as_long_as_when_every_edge_is_tried() {
        let hound = sample::make("hound@1200").unwrap();
        let surface = WeldedMesh::of(&hound.mesh);
        let paths = SurfacePaths::of(&surface);
        let from = 17;
        let far = naive(&surface, from);
        let radius = 0.15 * surface.diagonal as f32;
        let found = paths.within(&[(from, 0.0)], radius);
        let expected: Vec<(u32, f32)> = (0u32..)
            .zip(far.iter().copied())
            .filter(|(_, f)| *f <= radius)
            .collect();
        assert!(expected.len() > 20, "{}", expected.len());
        assert_eq!(found, expected);
    }

    #[test]
    fn a_gap_is_not_crossed() {
        let square = |x: f64| {
            [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)].map(|(u, v)| glam::DVec3::new(x + u, v, 0.0))
        };
        let surface = WeldedMesh {
            points: square(0.0).into_iter().chain(square(1.001)).collect(),
            faces: vec![[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]],
            diagonal: 2.0,
        };
        let paths = SurfacePaths::of(&surface);
        let reached: Vec<u32> = paths
            .within(&[(0, 0.0)], f32::INFINITY)
            .iter()
            .map(|f| f.0)
            .collect();
        assert_eq!(reached, [0, 1, 2, 3]);
        assert!(paths.within(&[(0, 2.0)], 1.0).is_empty());
        assert!(paths.within(&[(99, 0.0)], 1.0).is_empty());
    }
}
