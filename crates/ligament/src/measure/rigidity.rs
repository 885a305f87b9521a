//! Pieces that should stay stiff and bend.
//!
//! A connected piece of the skin should stay stiff if it is small (its bounding box's
//! diagonal at most 4 % of the character's: a button, an eye, a tooth, a rivet) or if its
//! part's or material's name says so (helmet, sword, horn, …) and it is at most a quarter
//! of the character. How far it bends in a frame is the root mean square distance of its
//! posed positions from the rigid motion of its rest shape that fits them best (Horn 1987),
//! relative to its rest positions' root mean square distance from their middle: 0 for any
//! rigid motion, about 1 when nothing of its shape is left. Reported are the worst piece's
//! worst frame and how many pieces bend by more than 5 %.

use glam::{DMat3, DVec3, Vec3};
use rayon::prelude::*;
use serde::Serialize;

use super::measured_skin::MeasuredSkin;
use crate::character::Mesh;

/// Pieces up to this fraction of the diagonal are stiff whatever they are called.
const SMALL: f64 = 0.04;
/// Pieces that are called stiff are so up to this fraction of the diagonal.
const LARGEST: f64 = 0.25;
/// A piece that bends by more counts.
const BENDS: f64 = 0.05;
/// Names of stiff things.
const STIFF_NAMES: [&str; 22] = [
    "helmet", "sword", "shield", "armor", "armour", "horn", "tooth", "teeth", "eyeball", "button", "buckle",
    "glasses", "goggles", "helm", "weapon", "crown", "badge", "rivet", "nail", "claw", "gun", "metal",
];

/// Stiff pieces over all frames.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Rigidity {
    /// Pieces that should stay stiff.
    pub stiff_pieces: usize,
    /// Of these, pieces that bend by more than 5 % of their size in some frame.
    pub bent_pieces: usize,
    /// The largest bend relative to the piece's size.
    pub worst: f64,
    /// The frame of that, by number.
    pub worst_frame: Option<usize>,
    /// A vertex of that piece.
    pub worst_vertex: Option<u32>,
}

/// Looks at stiff pieces frame by frame.
pub(super) struct RigidityMeter {
    /// Positions of each stiff piece.
    pub pieces: Vec<Vec<u32>>,
    /// Their largest bends and the frames of these.
    pub worst: Vec<(f64, usize)>,
    scale: f64,
    frames: usize,
}

impl RigidityMeter {
    /// `scale` is what the rest pose multiplies lengths by.
    pub fn new(mesh: &Mesh, skin: &MeasuredSkin, scale: f64) -> Self {
        let stiff_part: Vec<bool> = mesh
            .parts
            .iter()
            .map(|part| {
                let name = format!("{} {}", part.name, part.material.name).to_lowercase();
                STIFF_NAMES.iter().any(|stiff| name.contains(stiff))
            })
            .collect();
        let part_of_face = |face: u32| {
            let in_mesh = skin.mesh_faces[face as usize] as usize;
            mesh.parts.iter().position(|p| p.triangles.contains(&in_mesh))
        };
        let mut pieces = Vec::new();
        for faces in &skin.shells.faces {
            let mut positions: Vec<u32> = faces
                .iter()
                .flat_map(|&f| skin.welded.faces[f as usize])
                .collect();
            positions.sort_unstable();
            positions.dedup();
            let points = || positions.iter().map(|&p| skin.welded.points[p as usize]);
            let low = points().fold(DVec3::INFINITY, DVec3::min);
            let high = points().fold(DVec3::NEG_INFINITY, DVec3::max);
            let size = (high - low).length() / skin.welded.diagonal;
            let called_stiff = || part_of_face(faces[0]).is_some_and(|part| stiff_part[part]);
            if positions.len() >= 4 && (size <= SMALL || (size <= LARGEST && called_stiff())) {
                pieces.push(positions);
            }
        }
        Self {
            worst: vec![(0.0, 0); pieces.len()],
            pieces,
            scale,
            frames: 0,
        }
    }

    /// Adds a frame.
    pub fn add(&mut self, skin: &MeasuredSkin, posed: &[Vec3]) {
        let (scale, frame) = (self.scale, self.frames);
        self.pieces
            .par_iter()
            .zip(&mut self.worst)
            .for_each(|(piece, worst)| {
                let rest = |&p: &u32| skin.welded.points[p as usize] * scale;
                let now = |&p: &u32| posed[skin.first_vertex[p as usize] as usize].as_dvec3();
                let bend = misfit(piece.iter().map(|p| (rest(p), now(p))));
                if bend > worst.0 {
                    *worst = (bend, frame);
                }
            });
        self.frames += 1;
    }

    /// The result.
    pub fn finish(&self, skin: &MeasuredSkin) -> Rigidity {
        let mut worst: Option<usize> = None;
        for (k, w) in self.worst.iter().enumerate() {
            if w.0 > worst.map_or(0.0, |k| self.worst[k].0) {
                worst = Some(k);
            }
        }
        Rigidity {
            stiff_pieces: self.pieces.len(),
            bent_pieces: self.worst.iter().filter(|w| w.0 > BENDS).count(),
            worst: worst.map_or(0.0, |k| self.worst[k].0),
            worst_frame: worst.map(|k| self.worst[k].1),
            worst_vertex: worst.map(|k| skin.first_vertex[self.pieces[k][0] as usize]),
        }
    }
}

/// The root mean square distance that is left after the rigid motion that fits best,
/// relative to the root mean square distance of the first shape from its middle.
///
/// With both shapes about their middles, Σ|Rp − q|² = Σ|p|² + Σ|q|² − 2λ, where λ is the
/// largest eigenvalue of a symmetric 4 × 4 matrix (Horn, "Closed-form solution of absolute
/// orientation using unit quaternions", 1987): the rotation itself is not needed.
fn misfit(pairs: impl Iterator<Item = (DVec3, DVec3)> + Clone) -> f64 {
    let count = pairs.clone().count().max(1) as f64;
    let (sum_p, sum_q) = pairs.clone().fold((DVec3::ZERO, DVec3::ZERO), |(p, q), pair| {
        (p + pair.0, q + pair.1)
    });
    let (middle_p, middle_q) = (sum_p / count, sum_q / count);
    let (mut pp, mut qq) = (0.0, 0.0);
    let mut s = DMat3::ZERO; // column k holds Σ q p[k]
    for (p, q) in pairs {
        let (p, q) = (p - middle_p, q - middle_q);
        pp += p.length_squared();
        qq += q.length_squared();
        s += DMat3::from_cols(q * p.x, q * p.y, q * p.z);
    }
    if pp <= 0.0 {
        return 0.0;
    }
    let c = |p: usize, q: usize| s.col(p)[q];
    let (xx, yy, zz) = (c(0, 0), c(1, 1), c(2, 2));
    let (a, b, d) = (c(1, 2) - c(2, 1), c(2, 0) - c(0, 2), c(0, 1) - c(1, 0));
    let (e, f, g) = (c(0, 1) + c(1, 0), c(2, 0) + c(0, 2), c(1, 2) + c(2, 1));
    let largest = largest_eigenvalue([
        [xx + yy + zz, a, b, d],
        [a, xx - yy - zz, e, f],
        [b, e, yy - xx - zz, g],
        [d, f, g, zz - xx - yy],
    ]);
    ((pp + qq - 2.0 * largest).max(0.0) / pp).sqrt()
}

/// Of a symmetric matrix, by Jacobi's rotations.
fn largest_eigenvalue(mut m: [[f64; 4]; 4]) -> f64 {
    for _ in 0..24 {
        let off: f64 = (0..4)
            .flat_map(|i| (0..i).map(move |j| (i, j)))
            .map(|(i, j)| m[i][j].powi(2))
            .sum();
        let on: f64 = (0..4).map(|i| m[i][i].powi(2)).sum();
        if off <= 1e-30 * on {
            break;
        }
        for i in 0..4 {
            for j in 0..i {
                if m[i][j] == 0.0 {
                    continue;
                }
                let theta = (m[i][i] - m[j][j]) / (2.0 * m[i][j]);
                let t = theta.signum() / (theta.abs() + (theta * theta + 1.0).sqrt());
                let cos = 1.0 / (t * t + 1.0).sqrt();
                let sin = t * cos;
                for k in 0..4 {
                    let (x, y) = (m[k][i], m[k][j]);
                    m[k][i] = cos * x + sin * y;
                    m[k][j] = cos * y - sin * x;
                }
                for k in 0..4 {
                    let (x, y) = (m[i][k], m[j][k]);
                    m[i][k] = cos * x + sin * y;
                    m[j][k] = cos * y - sin * x;
                }
            }
        }
    }
    (0..4).map(|i| m[i][i]).fold(f64::NEG_INFINITY, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::shapes::{cube, joined};
    use glam::{DQuat, Quat};

    #[test]
    fn a_rigid_motion_leaves_nothing_and_a_squash_a_known_rest() {
        let corners: Vec<DVec3> = cube(Vec3::splat(-1.0), 2.0)
            .positions
            .iter()
            .map(|p| p.as_dvec3())
            .collect();
        for (x, y, z) in [
            (0.0, 0.0, 0.0),
            (0.4, -1.0, 2.0),
            (3.0, 0.0, 0.0),
            (0.0, 3.1, 0.2),
        ] {
            let rotation = DQuat::from_euler(glam::EulerRot::XYZ, x, y, z);
            let bend = misfit(
                corners
                    .iter()
                    .map(|&p| (p, rotation * p + DVec3::new(5.0, 1.0, -2.0))),
            );
            assert!(bend < 1e-6, "{bend}");
        }
        // Twice as long along x: every corner is 1 off along x, and √3 from the middle.
        let rotation = DQuat::from_rotation_z(1.0);
        let bend = misfit(
            corners
                .iter()
                .map(|&p| (p, rotation * (p * DVec3::new(2.0, 1.0, 1.0)))),
        );
        assert!((bend - 1.0 / 3f64.sqrt()).abs() < 1e-9, "{bend}");
    }

    #[test]
    fn small_pieces_are_looked_at_and_large_ones_are_not() {
        let mesh = joined(&[cube(Vec3::ZERO, 10.0), cube(Vec3::X * 12.0, 0.25)]);
        let skin = MeasuredSkin::of(&mesh);
        let mut meter = RigidityMeter::new(&mesh, &skin, 1.0);
        assert_eq!(meter.pieces.len(), 1);
        let rotation = Quat::from_rotation_y(0.5);
        let mut posed: Vec<Vec3> = mesh.positions.iter().map(|p| rotation * *p).collect();
        meter.add(&skin, &posed);
        assert!(meter.finish(&skin).worst < 1e-3);
        posed[15] += Vec3::ONE;
        meter.add(&skin, &posed);
        let found = meter.finish(&skin);
        assert_eq!(
            (found.stiff_pieces, found.bent_pieces, found.worst_frame),
            (1, 1, Some(1))
        );
        // A name makes a larger piece stiff.
        let mut mesh = joined(&[cube(Vec3::ZERO, 10.0), cube(Vec3::X * 12.0, 1.0)]);
        assert!(
            RigidityMeter::new(&mesh, &MeasuredSkin::of(&mesh), 1.0)
                .pieces
                .is_empty()
        );
        mesh.parts[1].name = "Left_Horn".to_owned();
        assert_eq!(
            RigidityMeter::new(&mesh, &MeasuredSkin::of(&mesh), 1.0)
                .pieces
                .len(),
            1
        );
    }
}
