//! MeasuredSkin that cuts through skin in a pose and did not at rest.
//!
//! In a frame it is the fraction of faces whose interior meets another face's, leaving out
//! the faces that do so in the bind pose already; decided exactly on the posed positions.
//! Reported are the mean over the frames looked at and the worst, in `0.0..=1.0`. Some is
//! normal: the inside of an elbow folds. This is the costly measure, so it looks at a few
//! frames only, spread evenly.

use glam::Vec3;
use serde::Serialize;

use super::measured_skin::MeasuredSkin;
use crate::geometry::{WeldedMesh, self_intersecting_faces};
use crate::task::{Cancelled, Task};

/// Self-penetration over the frames looked at.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Penetration {
    /// How many frames were looked at.
    pub frames: usize,
    /// Mean share of faces that cut others in a pose and not at rest.
    pub mean: f64,
    /// The largest share.
    pub worst: f64,
    /// The frame of that, by number.
    pub worst_frame: usize,
    /// Faces that cut others at rest already, which do not count.
    pub at_rest: usize,
}

/// The numbers of the frames to look at: `wanted` of `frames`, spread evenly.
pub(super) fn chosen_frames(frames: usize, wanted: usize) -> Vec<usize> {
    let count = wanted.min(frames);
    (0..count)
        .map(|i| ((i as f64 + 0.5) * frames as f64 / count as f64) as usize)
        .collect()
}

/// Adds up faces frame by frame.
pub(super) struct PenetrationMeter {
    at_rest: Vec<bool>,
    fractions: Vec<(usize, f64)>,
    /// For each region and frame looked at, how many faces cut others anew.
    pub region_frames: Vec<Vec<f64>>,
}

impl PenetrationMeter {
    /// Looks at the bind pose.
    pub fn new(skin: &MeasuredSkin, task: &Task) -> Result<Self, Cancelled> {
        let mut at_rest = vec![false; skin.welded.faces.len()];
        for face in self_intersecting_faces(&skin.welded, task)? {
            at_rest[face as usize] = true;
        }
        Ok(Self {
            at_rest,
            fractions: Vec::new(),
            region_frames: Vec::new(),
        })
    }

    /// Adds a frame.
    pub fn add(
        &mut self,
        frame: usize,
        skin: &MeasuredSkin,
        posed: &[Vec3],
        region_of: &[u32],
        regions: usize,
        task: &Task,
    ) -> Result<(), Cancelled> {
        let position = |&v: &u32| posed[v as usize].as_dvec3();
        let welded = WeldedMesh {
            points: skin.first_vertex.iter().map(position).collect(),
            faces: skin.welded.faces.clone(),
            diagonal: skin.welded.diagonal,
        };
        let mut of_region = vec![0.0; regions];
        let mut count = 0usize;
        for face in self_intersecting_faces(&welded, task)? {
            if !self.at_rest[face as usize] {
                count += 1;
                let corner = skin.welded.faces[face as usize][0];
                of_region[region_of[corner as usize] as usize] += 1.0;
            }
        }
        self.fractions
            .push((frame, count as f64 / skin.welded.faces.len().max(1) as f64));
        self.region_frames.push(of_region);
        Ok(())
    }

    /// The numbers of the frames that were added.
    pub fn frames(&self) -> impl Iterator<Item = usize> + '_ {
        self.fractions.iter().map(|s| s.0)
    }

    /// The result; `None` without a frame.
    pub fn finish(&self) -> Option<Penetration> {
        let mut worst = *self.fractions.first()?;
        for &fraction in &self.fractions {
            if fraction.1 > worst.1 {
                worst = fraction;
            }
        }
        Some(Penetration {
            frames: self.fractions.len(),
            mean: self.fractions.iter().map(|s| s.1).sum::<f64>() / self.fractions.len() as f64,
            worst: worst.1,
            worst_frame: worst.0,
            at_rest: self.at_rest.iter().filter(|&&cut| cut).count(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::shapes::{cube, joined};

    #[test]
    fn only_what_is_new_counts() {
        // Two cubes that cut each other at rest, and a third that runs into the first.
        let mesh = joined(&[
            cube(Vec3::ZERO, 2.0),
            cube(Vec3::new(1.0, 0.9, 0.8), 2.0),
            cube(Vec3::X * 9.0, 2.0),
        ]);
        let skin = MeasuredSkin::of(&mesh);
        let task = Task::unattended();
        let region = vec![0; skin.len()];
        let mut meter = PenetrationMeter::new(&skin, &task).unwrap();
        meter.add(3, &skin, &mesh.positions, &region, 1, &task).unwrap();
        let found = meter.finish().unwrap();
        assert_eq!(found.worst, 0.0);
        assert!(found.at_rest > 0);
        let mut moved = mesh.positions.clone();
        for p in &mut moved[16..] {
            *p += Vec3::new(-10.1, -1.1, -1.2);
        }
        meter.add(7, &skin, &moved, &region, 1, &task).unwrap();
        let found = meter.finish().unwrap();
        assert_eq!((found.frames, found.worst_frame), (2, 7));
        assert!(found.worst > 0.1 && (found.mean - found.worst / 2.0).abs() < 1e-12);
    }

    #[test]
    fn frames_are_spread() {
        assert_eq!(chosen_frames(40, 4), [5, 15, 25, 35]);
        assert_eq!(chosen_frames(2, 8), [0, 1]);
        assert!(chosen_frames(0, 8).is_empty());
    }
}
