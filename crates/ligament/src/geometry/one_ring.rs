//! What surrounds each position of a welded surface.

use glam::Vec3A;
use serde::{Deserialize, Serialize};

/// How neighbours count when smoothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Smoothing {
    /// All neighbours alike. Evens out the tessellation along with the shape.
    #[default]
    Uniform,
    /// By the cotangents of the rest mesh, negative ones as zero. Follows the shape where
    /// triangles are uneven.
    Cotangent,
}

/// Rows of neighbours of positions, one after the other.
#[derive(Debug, Clone, Default)]
pub(crate) struct Rings {
    starts: Vec<u32>,
    pub neighbours: Vec<u32>,
}

impl Rings {
    /// Where a position's neighbours are in `neighbours`.
    pub fn range(&self, position: usize) -> std::ops::Range<usize> {
        self.starts[position] as usize..self.starts[position + 1] as usize
    }
}

/// For each position, the two other corners of each face around it, in turn.
pub(crate) fn rings_of_faces(triangles: &[[u32; 3]], positions: usize) -> Rings {
    let mut starts = vec![0u32; positions + 1];
    for &p in triangles.iter().flatten() {
        starts[p as usize + 1] += 2;
    }
    for p in 0..positions {
        starts[p + 1] += starts[p];
    }
    let mut next = starts.clone();
    let mut neighbours = vec![0; 6 * triangles.len()];
    for t in triangles {
        for k in 0..3 {
            let at = &mut next[t[k] as usize];
            neighbours[*at as usize] = t[(k + 1) % 3];
            neighbours[*at as usize + 1] = t[(k + 2) % 3];
            *at += 2;
        }
    }
    Rings { starts, neighbours }
}

/// Each neighbour along an edge once, and its share in the mean.
pub(crate) fn rings_of_edges(faces: &Rings, rest: &[Vec3A], smoothing: Smoothing) -> (Rings, Vec<f32>) {
    let mut edges = Rings {
        starts: vec![0],
        neighbours: Vec::new(),
    };
    let mut fractions = Vec::new();
    let mut ring: Vec<(u32, f32)> = Vec::new();
    for p in 0..rest.len() {
        ring.clear();
        for pair in faces.neighbours[faces.range(p)].chunks_exact(2) {
            let (a, b) = (rest[pair[0] as usize], rest[pair[1] as usize]);
            // The edge to one corner is weighed by the angle at the other.
            ring.push((pair[0], cotangent(b, rest[p], a)));
            ring.push((pair[1], cotangent(a, rest[p], b)));
        }
        ring.sort_by_key(|&(n, _)| n);
        ring.dedup_by(|next, kept| {
            let same = next.0 == kept.0;
            if same {
                kept.1 += next.1;
            }
            same
        });
        for (_, fraction) in &mut ring {
            *fraction = match smoothing {
                Smoothing::Uniform => 1.0,
                Smoothing::Cotangent => fraction.max(0.0),
            };
        }
        let mut sum: f32 = ring.iter().map(|&(_, fraction)| fraction).sum();
        if !(sum > 0.0 && sum.is_finite()) {
            ring.iter_mut().for_each(|(_, fraction)| *fraction = 1.0);
            sum = ring.len() as f32;
        }
        for &(n, fraction) in &ring {
            edges.neighbours.push(n);
            fractions.push(fraction / sum);
        }
        edges.starts.push(edges.neighbours.len() as u32);
    }
    (edges, fractions)
}

/// The cotangent of the angle at `at`, zero for a face without area.
fn cotangent(at: Vec3A, a: Vec3A, b: Vec3A) -> f32 {
    let (u, v) = (a - at, b - at);
    let sine = u.cross(v).length();
    if sine > 0.0 { u.dot(v) / sine } else { 0.0 }
}
