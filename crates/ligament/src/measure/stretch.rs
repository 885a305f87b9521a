//! How much edges are stretched and compressed.
//!
//! For every edge of the welded skin and every frame r = |ln(posed length / rest length)|,
//! a number without unit: 0 is unchanged, 0.69 twice or half as long. The measure is the
//! **99th percentile** over all edges and frames (and the 99.9th, because on a dense mesh
//! under 1 % of the edges lie where a hard border of weights tears), counted in steps of
//! 1/4096. Stretch counts edges that grow, compression edges that shrink, each over all
//! edges. Edges without length are left out. Range: not negative, cut off at 8.

use glam::Vec3;
use rayon::prelude::*;
use serde::Serialize;

use super::measured_skin::{CHUNK, MeasuredSkin};
use super::statistics::{Histogram, percentile};

/// Edges shorter than this fraction of the diagonal have no ratio to speak of.
const SHORTEST: f64 = 1e-7;

/// Stretch and compression over all frames.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stretch {
    /// 99th percentile of |ln ratio|.
    pub p99: f64,
    /// 99.9th percentile of |ln ratio|.
    pub p999: f64,
    /// 99th percentile of ln ratio, shrinking edges counted as 0.
    pub stretch_p99: f64,
    /// 99th percentile of −ln ratio, growing edges counted as 0.
    pub compression_p99: f64,
    /// 99th percentile over edges of each edge's |ln ratio| in its worst frame.
    pub worst_frames_p99: f64,
    /// The worst edge's two vertices in the mesh.
    pub worst_edge: Option<[u32; 2]>,
    /// Its |ln ratio|.
    pub worst: f64,
    /// The frame of that, by number.
    pub worst_frame: Option<usize>,
}

/// Adds up edges frame by frame.
pub(super) struct StretchMeter {
    rest: Vec<f32>,
    both: Histogram,
    grown: Histogram,
    shrunk: Histogram,
    /// For each edge its largest |ln ratio|.
    pub worst: Vec<f32>,
    worst_frame: Vec<u32>,
    /// For each region and frame the sum of squared logarithms.
    pub region_frames: Vec<Vec<f64>>,
    logs: Vec<f32>,
}

impl StretchMeter {
    /// `scale` is what the rest pose multiplies lengths by.
    pub fn new(skin: &MeasuredSkin, scale: f64) -> Self {
        let shortest = SHORTEST * skin.welded.diagonal;
        let rest = skin
            .edges
            .iter()
            .map(|&[a, b]| {
                let length = skin.welded.points[a as usize].distance(skin.welded.points[b as usize]);
                if length > shortest {
                    (scale * length) as f32
                } else {
                    0.0
                }
            })
            .collect();
        Self {
            rest,
            both: Histogram::new(),
            grown: Histogram::new(),
            shrunk: Histogram::new(),
            worst: vec![0.0; skin.edges.len()],
            worst_frame: vec![0; skin.edges.len()],
            region_frames: Vec::new(),
            logs: vec![0.0; skin.edges.len()],
        }
    }

    /// Adds a frame; `region_of` says where each position belongs.
    pub fn add(&mut self, skin: &MeasuredSkin, posed: &[Vec3], region_of: &[u32], regions: usize) {
        let at = |p: u32| posed[skin.first_vertex[p as usize] as usize];
        self.logs
            .par_iter_mut()
            .with_min_len(CHUNK)
            .zip(&skin.edges)
            .zip(&self.rest)
            .for_each(|((log, &[a, b]), &rest)| {
                let ratio = f64::from(at(a).distance(at(b))) / f64::from(rest);
                *log = if rest > 0.0 {
                    ratio.max(1e-6).ln() as f32
                } else {
                    0.0
                };
            });
        let frame = self.region_frames.len() as u32;
        let mut of_region = vec![0.0; regions];
        for (e, &log) in self.logs.iter().enumerate() {
            if self.rest[e] == 0.0 {
                continue;
            }
            let size = log.abs();
            let bin = Histogram::bin(f64::from(size));
            self.both.add(bin);
            self.grown.add(if log > 0.0 { bin } else { 0 });
            self.shrunk.add(if log < 0.0 { bin } else { 0 });
            if size > self.worst[e] {
                self.worst[e] = size;
                self.worst_frame[e] = frame;
            }
            let region = region_of[skin.edges[e][0] as usize] as usize;
            of_region[region] += f64::from(size) * f64::from(size);
        }
        self.region_frames.push(of_region);
    }

    /// The largest |ln ratio| of every edge that has a length.
    fn measured(&self) -> impl Iterator<Item = f64> + '_ {
        let edges = self.worst.iter().zip(&self.rest);
        edges.filter(|e| *e.1 > 0.0).map(|e| f64::from(*e.0))
    }

    /// The result.
    pub fn finish(&self, skin: &MeasuredSkin) -> Stretch {
        let mut worst: Option<usize> = None;
        for (e, &size) in self.worst.iter().enumerate() {
            if size > worst.map_or(0.0, |w| self.worst[w]) {
                worst = Some(e);
            }
        }
        Stretch {
            p99: self.both.percentile(99.0),
            p999: self.both.percentile(99.9),
            stretch_p99: self.grown.percentile(99.0),
            compression_p99: self.shrunk.percentile(99.0),
            worst_frames_p99: percentile(&mut self.measured().collect::<Vec<_>>(), 99.0),
            worst_edge: worst.map(|e| skin.edges[e].map(|p| skin.first_vertex[p as usize])),
            worst: worst.map_or(0.0, |e| f64::from(self.worst[e])),
            worst_frame: worst.map(|e| self.worst_frame[e] as usize),
        }
    }

    /// For each position the largest |ln ratio| of its edges.
    pub fn of_positions(&self, skin: &MeasuredSkin) -> Vec<f32> {
        let mut worst = vec![0f32; skin.len()];
        for (&[a, b], &size) in skin.edges.iter().zip(&self.worst) {
            for p in [a, b] {
                worst[p as usize] = worst[p as usize].max(size);
            }
        }
        worst
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::shapes::cube;

    #[test]
    fn a_cube_drawn_out_along_one_axis() {
        let mesh = cube(Vec3::ZERO, 1.0);
        let skin = MeasuredSkin::of(&mesh);
        assert_eq!(skin.edges.len(), 18);
        let mut meter = StretchMeter::new(&skin, 1.0);
        let region = vec![0; skin.len()];
        meter.add(&skin, &mesh.positions, &region, 1);
        assert_eq!(meter.finish(&skin).p99, 0.0);
        let drawn: Vec<Vec3> = mesh
            .positions
            .iter()
            .map(|p| *p * Vec3::new(2.0, 1.0, 1.0))
            .collect();
        meter.add(&skin, &drawn, &region, 1);
        let found = meter.finish(&skin);
        let ln2 = 2f64.ln();
        assert!((found.p999 - ln2).abs() < 1e-3 && (found.worst - ln2).abs() < 1e-6);
        assert_eq!(found.worst_frame, Some(1));
        assert!((found.stretch_p99 - ln2).abs() < 1e-3);
        assert_eq!(found.compression_p99, 0.0);
        // Four edges doubled, four diagonals from √2 to √5.
        let squares = 4.0 * ln2 * ln2 + 4.0 * (2.5f64.ln() / 2.0).powi(2);
        assert!((meter.region_frames[1][0] - squares).abs() < 1e-5);
    }

    #[test]
    fn scale_at_rest_is_no_stretch() {
        let mesh = cube(Vec3::ZERO, 1.0);
        let skin = MeasuredSkin::of(&mesh);
        let mut meter = StretchMeter::new(&skin, 100.0);
        let large: Vec<Vec3> = mesh.positions.iter().map(|p| *p * 100.0).collect();
        meter.add(&skin, &large, &vec![0; skin.len()], 1);
        assert!(meter.finish(&skin).worst < 1e-6);
    }
}
