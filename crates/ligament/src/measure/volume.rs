//! How much volume closed pieces lose or gain.
//!
//! A piece is a connected shell of the welded skin without open edges and with a volume.
//! In a frame the change is Σ|V − V₀| / Σ|V₀| over all such pieces, V the signed volume
//! posed and V₀ at rest: 0 where each keeps its volume, 0.1 where a tenth is lost or
//! gained. Reported are the mean over frames and the worst frame. Not negative.

use glam::{DVec3, Vec3};
use rayon::prelude::*;
use serde::Serialize;

use super::measured_skin::MeasuredSkin;

/// Change of volume over all frames.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct VolumeChange {
    /// How many closed pieces there are.
    pub closed_pieces: usize,
    /// The mean over frames of the fraction of volume that is lost or gained.
    pub mean: f64,
    /// The largest over frames.
    pub worst: f64,
    /// The frame of that, by number.
    pub worst_frame: usize,
}

/// Adds up volumes frame by frame.
pub(super) struct VolumeMeter {
    shells: Vec<usize>,
    rest: Vec<f64>,
    changes: Vec<f64>,
}

impl VolumeMeter {
    /// `scale` is what the rest pose multiplies lengths by.
    pub fn new(skin: &MeasuredSkin, scale: f64) -> Self {
        let shells: Vec<usize> = (0..skin.shells.count())
            .filter(|&s| skin.solids[s].cap_area == 0.0 && skin.solids[s].is_judged())
            .collect();
        Self {
            rest: shells
                .iter()
                .map(|&s| skin.solids[s].volume * scale * scale * scale)
                .collect(),
            shells,
            changes: Vec::new(),
        }
    }

    /// Adds a frame.
    pub fn add(&mut self, skin: &MeasuredSkin, posed: &[Vec3]) {
        let at = |p: u32| posed[skin.first_vertex[p as usize] as usize].as_dvec3();
        let volumes: Vec<f64> = self
            .shells
            .par_iter()
            .map(|&shell| {
                let faces = &skin.shells.faces[shell];
                let origin = at(skin.welded.faces[faces[0] as usize][0]);
                let six: f64 = faces
                    .iter()
                    .map(|&face| {
                        let [a, b, c]: [DVec3; 3] = skin.welded.faces[face as usize].map(|p| at(p) - origin);
                        a.dot(b.cross(c))
                    })
                    .sum();
                six / 6.0
            })
            .collect();
        let changed: f64 = volumes
            .iter()
            .zip(&self.rest)
            .map(|(v, rest)| (v - rest).abs())
            .sum();
        let whole: f64 = self.rest.iter().map(|v| v.abs()).sum();
        self.changes.push(if whole > 0.0 { changed / whole } else { 0.0 });
    }

    /// The result; `None` where nothing is closed or there is no frame.
    pub fn finish(&self) -> Option<VolumeChange> {
        let mut worst = 0;
        for (frame, &change) in self.changes.iter().enumerate() {
            if change > self.changes[worst] {
                worst = frame;
            }
        }
        let at_worst = *self.changes.get(worst)?;
        (!self.shells.is_empty()).then(|| VolumeChange {
            closed_pieces: self.shells.len(),
            mean: self.changes.iter().sum::<f64>() / self.changes.len() as f64,
            worst: at_worst,
            worst_frame: worst,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::shapes::{cube, joined};

    #[test]
    fn a_cube_squashed_to_half_beside_one_that_stays() {
        let mesh = joined(&[cube(Vec3::ZERO, 1.0), cube(Vec3::X * 3.0, 1.0)]);
        let skin = MeasuredSkin::of(&mesh);
        let mut meter = VolumeMeter::new(&skin, 1.0);
        meter.add(&skin, &mesh.positions);
        let mut squashed = mesh.positions.clone();
        for p in &mut squashed[..8] {
            p.y *= 0.5;
        }
        meter.add(&skin, &squashed);
        let found = meter.finish().unwrap();
        assert_eq!((found.closed_pieces, found.worst_frame), (2, 1));
        assert!((found.worst - 0.25).abs() < 1e-9 && (found.mean - 0.125).abs() < 1e-9);
    }

    #[test]
    fn turning_and_moving_keep_the_volume_and_an_open_box_has_none() {
        let mut mesh = cube(Vec3::ZERO, 1.0);
        let skin = MeasuredSkin::of(&mesh);
        let mut meter = VolumeMeter::new(&skin, 2.0);
        let rotation = glam::Quat::from_rotation_y(1.0);
        let moved: Vec<Vec3> = mesh
            .positions
            .iter()
            .map(|p| rotation * *p * 2.0 + Vec3::ONE)
            .collect();
        meter.add(&skin, &moved);
        assert!(meter.finish().unwrap().worst < 1e-6);
        mesh.triangles.truncate(10);
        mesh.parts[0].triangles = 0..10;
        let open = MeasuredSkin::of(&mesh);
        let mut meter = VolumeMeter::new(&open, 1.0);
        meter.add(&open, &mesh.positions);
        assert_eq!(meter.finish(), None);
    }
}
