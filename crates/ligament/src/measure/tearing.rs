//! Seams that open in motion.
//!
//! Exporters split vertices along seams of texture and shading. The two copies of a vertex
//! on both sides of a seam edge (an edge of the welded skin with exactly two faces, which
//! run along it in opposite directions and name different vertices) must move together.
//! The **gap** is their distance in a frame relative to the diagonal; the measure is the
//! largest over seams and frames, with the number of copies whose weights differ by more
//! than 10⁻³ ([`weight_distance`]). Pieces that merely touch are no seam.

use glam::Vec3;
use serde::Serialize;

use super::measured_skin::MeasuredSkin;
use crate::character::{Mesh, Weights};
use crate::weights::weight_distance;

/// Copies whose weights differ by less do not count as torn.
const TORN: f64 = 1e-3;

/// Tearing over all frames.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Tearing {
    /// Pairs of copies along seams.
    pub seam_pairs: usize,
    /// Of these, pairs with different weights.
    pub torn_pairs: usize,
    /// The largest gap relative to the diagonal.
    pub worst_gap: f64,
    /// The frame of that, by number.
    pub worst_frame: Option<usize>,
    /// The vertices of that.
    pub worst_pair: Option<[u32; 2]>,
}

/// Vertices that are copies of each other on both sides of a seam, smaller first, sorted.
pub(super) fn seam_pairs(mesh: &Mesh, skin: &MeasuredSkin) -> Vec<[u32; 2]> {
    // (smaller position, larger position, runs upward, vertex at smaller, vertex at larger)
    let mut sides: Vec<(u32, u32, bool, u32, u32)> = Vec::with_capacity(3 * skin.mesh_faces.len());
    for (face, &in_mesh) in skin.mesh_faces.iter().enumerate() {
        if skin.welded.is_collapsed(face) {
            continue;
        }
        let (positions, vertices) = (skin.welded.faces[face], mesh.triangles[in_mesh as usize]);
        for k in 0..3 {
            let (i, j) = (k, (k + 1) % 3);
            sides.push(if positions[i] < positions[j] {
                (positions[i], positions[j], true, vertices[i], vertices[j])
            } else {
                (positions[j], positions[i], false, vertices[j], vertices[i])
            });
        }
    }
    sides.sort_unstable();
    let mut pairs = Vec::new();
    for edge in sides.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
        if let [one, other] = edge
            && one.2 != other.2
        {
            for (a, b) in [(one.3, other.3), (one.4, other.4)] {
                if a != b {
                    pairs.push([a.min(b), a.max(b)]);
                }
            }
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    pairs
}

/// Looks at torn seams frame by frame.
pub(super) struct TearingMeter {
    seam_pairs: usize,
    diagonal: f64,
    /// Pairs with different weights.
    pub torn: Vec<[u32; 2]>,
    /// Their largest gaps and the frames of these.
    pub worst: Vec<(f64, usize)>,
    frames: usize,
}

impl TearingMeter {
    /// `scale` is what the rest pose multiplies lengths by.
    pub fn new(mesh: &Mesh, skin: &MeasuredSkin, weights: &Weights, scale: f64) -> Self {
        let pairs = seam_pairs(mesh, skin);
        let differ = |&[a, b]: &[u32; 2]| {
            weight_distance(weights.of_vertex(a as usize), weights.of_vertex(b as usize)) > TORN
        };
        let torn: Vec<[u32; 2]> = pairs.iter().copied().filter(differ).collect();
        Self {
            seam_pairs: pairs.len(),
            diagonal: (skin.welded.diagonal * scale).max(f64::MIN_POSITIVE),
            worst: vec![(0.0, 0); torn.len()],
            torn,
            frames: 0,
        }
    }

    /// Adds a frame.
    pub fn add(&mut self, posed: &[Vec3]) {
        for (&[a, b], worst) in self.torn.iter().zip(&mut self.worst) {
            let gap = f64::from(posed[a as usize].distance(posed[b as usize])) / self.diagonal;
            if gap > worst.0 {
                *worst = (gap, self.frames);
            }
        }
        self.frames += 1;
    }

    /// The result.
    pub fn finish(&self) -> Tearing {
        let mut worst: Option<usize> = None;
        for (k, w) in self.worst.iter().enumerate() {
            if w.0 > worst.map_or(0.0, |k| self.worst[k].0) {
                worst = Some(k);
            }
        }
        Tearing {
            seam_pairs: self.seam_pairs,
            torn_pairs: self.torn.len(),
            worst_gap: worst.map_or(0.0, |k| self.worst[k].0),
            worst_frame: worst.map(|k| self.worst[k].1),
            worst_pair: worst.map(|k| self.torn[k]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::{Influence, JointIndex};
    use crate::geometry::shapes::{cube, joined};

    /// Two triangles side by side with a split edge.
    fn quad() -> Mesh {
        let positions = vec![
            Vec3::ZERO,
            Vec3::X * 3.0,
            Vec3::Y * 4.0,
            Vec3::X * 3.0,
            Vec3::new(3.0, 4.0, 0.0),
            Vec3::Y * 4.0,
        ];
        Mesh::single_part("quad", positions, vec![[0, 1, 2], [3, 4, 5]])
    }

    #[test]
    fn a_seam_opens_by_what_its_copies_move_apart() {
        let mesh = quad();
        let skin = MeasuredSkin::of(&mesh);
        assert_eq!(seam_pairs(&mesh, &skin), [[1, 3], [2, 5]]);
        let one = [Influence {
            joint: JointIndex(0),
            weight: 1.0,
        }];
        let other = [Influence {
            joint: JointIndex(1),
            weight: 1.0,
        }];
        let weights = Weights::new([&one[..], &one, &one, &other, &one, &one]).unwrap();
        let mut meter = TearingMeter::new(&mesh, &skin, &weights, 1.0);
        meter.add(&mesh.positions);
        let mut moved = mesh.positions.clone();
        moved[3].z = 0.5;
        meter.add(&moved);
        let found = meter.finish();
        assert_eq!(
            (found.seam_pairs, found.torn_pairs, found.worst_frame),
            (2, 1, Some(1))
        );
        assert!((found.worst_gap - 0.1).abs() < 1e-7, "the diagonal is 5");
        assert_eq!(found.worst_pair, Some([1, 3]));
    }

    #[test]
    fn cubes_that_touch_at_a_corner_have_no_seam() {
        let mesh = joined(&[cube(Vec3::ZERO, 1.0), cube(Vec3::ONE, 1.0)]);
        assert!(seam_pairs(&mesh, &MeasuredSkin::of(&mesh)).is_empty());
    }
}
