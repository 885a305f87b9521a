//! Weights of a field at many points, fast.
//!
//! All sites of all cells lie in parallel arrays, so that the compiler turns the loop over
//! them into vector instructions; distances of sites, least per cell, the l+1 nearest
//! cells, weights. Single precision, points in chunks of fixed size, the same bytes at any
//! thread count.

use std::sync::atomic::{AtomicUsize, Ordering};

use glam::Vec3;
use rayon::prelude::*;

use super::detour::Detour;
use super::field::CellField;
use crate::JointIndex;
use crate::character::{Influence, Weights, WeightsBuilder};
use crate::task::{Cancelled, Task};

/// Points per parallel piece of work: about a millisecond.
const CHUNK: usize = 1024;

/// A field laid out for evaluation. Prepared once, evaluated at any number of points.
#[derive(Debug, Clone)]
pub struct Evaluator<'a> {
    field: &'a CellField,
    centre: [Vec<f32>; 3],
    shape: [Vec<f32>; 6],
    /// Of each site t², ½/t and ½t.
    radius: [Vec<f32>; 3],
    /// Where each cell's sites begin; one more at the end.
    starts: Vec<usize>,
}

/// What evaluation writes to, kept between points.
struct Scratch {
    sites: Vec<f32>,
    cells: Vec<f32>,
    nearest: Vec<(f32, usize)>,
    row: Vec<Influence>,
}

impl<'a> Evaluator<'a> {
    /// Lays out a field that has passed [`CellField::check`].
    pub fn new(field: &'a CellField) -> Self {
        let sites = || field.cells.iter().flat_map(|c| &c.sites);
        let mut starts = vec![0];
        for cell in &field.cells {
            starts.push(starts[starts.len() - 1] + cell.sites.len());
        }
        Self {
            field,
            centre: std::array::from_fn(|i| sites().map(|s| s.centre[i]).collect()),
            shape: std::array::from_fn(|i| sites().map(|s| s.shape[i]).collect()),
            radius: [
                sites().map(|s| s.radius * s.radius).collect(),
                sites().map(|s| 0.5 / s.radius).collect(),
                sites().map(|s| 0.5 * s.radius).collect(),
            ],
            starts,
        }
    }

    /// The weights at points of bind space, at most as many as the field's influences.
    /// `joints` names the joint of each cell; a cell without one takes no part, and
    /// neither does one whose joint `allowed` forbids to a point (given by its index). A
    /// point that may follow nothing follows `joints`' first.
    pub fn weights_at<'m>(
        &self,
        points: &[Vec3],
        joints: &[Option<JointIndex>],
        allowed: impl Fn(usize) -> Option<&'m [bool]> + Sync,
        task: &Task<'_>,
    ) -> Result<Weights, Cancelled> {
        let done = AtomicUsize::new(0);
        let first = joints.iter().flatten().next().copied().unwrap_or(JointIndex(0));
        let chunks: Vec<Weights> = points
            .par_chunks(CHUNK)
            .enumerate()
            .map(|(chunk, points)| {
                let before = done.fetch_add(points.len(), Ordering::Relaxed);
                task.step("weigh", before as f32 / (before + points.len()) as f32)?;
                let mut scratch = self.scratch();
                let mut builder = WeightsBuilder::with_capacity(points.len(), 4);
                for (i, &point) in points.iter().enumerate() {
                    let mask = allowed(chunk * CHUNK + i);
                    let open = |cell: usize| joints[cell].filter(|j| mask.is_none_or(|m| m[j.at()]));
                    self.weigh(self.field.weighed_at(point), open, &mut scratch);
                    if builder.push(&scratch.row).is_err() {
                        builder.push_valid(&[Influence {
                            joint: first,
                            weight: 1.0,
                        }]);
                    }
                }
                Ok(builder.finish())
            })
            .collect::<Result<_, Cancelled>>()?;
        let mut builder = WeightsBuilder::with_capacity(points.len(), 4);
        for row in chunks.iter().flat_map(Weights::iter) {
            builder.push_valid(row);
        }
        Ok(builder.finish())
    }

    fn scratch(&self) -> Scratch {
        Scratch {
            sites: vec![0.0; self.centre[0].len()],
            cells: vec![0.0; self.field.cells.len()],
            nearest: Vec::with_capacity(self.field.cells.len()),
            row: Vec::with_capacity(self.field.cells.len()),
        }
    }

    /// Distances of all cells at a point of the unit cube.
    fn distances(&self, x: Vec3, scratch: &mut Scratch) {
        let n = scratch.sites.len();
        let out = &mut scratch.sites[..n];
        // Slices of one known length, so that the loop needs no checks.
        let [px, py, pz] = [0, 1, 2].map(|i: usize| &self.centre[i][..n]);
        let [f00, f10, f11, f20, f21, f22] = [0, 1, 2, 3, 4, 5].map(|i: usize| &self.shape[i][..n]);
        let [square, inverse, half] = [0, 1, 2].map(|i: usize| &self.radius[i][..n]);
        for s in 0..n {
            let (dx, dy, dz) = (x.x - px[s], x.y - py[s], x.z - pz[s]);
            let u = f00[s] * dx;
            let v = f10[s] * dx + f11[s] * dy;
            let w = f20[s] * dx + f21[s] * dy + f22[s] * dz;
            let d2 = u * u + v * v + w * w;
            let near = d2 * inverse[s] + half[s];
            let far = d2.sqrt();
            out[s] = if d2 <= square[s] { near } else { far };
        }
        for (cell, range) in scratch.cells.iter_mut().zip(self.starts.windows(2)) {
            *cell = scratch.sites[range[0]..range[1]]
                .iter()
                .copied()
                .fold(f32::INFINITY, f32::min);
        }
        if let Some(detour) = &self.field.detour {
            detour.add_to(x, &mut scratch.cells);
        }
    }

    fn weigh(&self, x: Vec3, open: impl Fn(usize) -> Option<JointIndex>, scratch: &mut Scratch) {
        self.distances(x, scratch);
        let most = self.field.influences.min(self.field.cells.len());
        let Scratch {
            cells, nearest, row, ..
        } = scratch;
        nearest.clear();
        row.clear();
        let dense = self.field.cells.iter().any(|c| c.floor > 0.0);
        // Only the l+1 nearest can matter, unless a floor lets all weigh.
        let keep = if dense { cells.len() } else { most + 1 };
        for (cell, &distance) in cells.iter().enumerate() {
            let full = nearest.len() == keep;
            if full && nearest[keep - 1].0 <= distance || open(cell).is_none() {
                continue;
            }
            if full {
                nearest.pop();
            }
            let slot = nearest.partition_point(|n| n.0 <= distance);
            nearest.insert(slot, (distance, cell));
        }
        let Some(&(least, _)) = nearest.first() else {
            return;
        };
        let border = nearest.get(most).map(|n| n.0);
        let log_weight = |&(d, cell): &(f32, usize)| {
            let cell = &self.field.cells[cell];
            let numerator = border.map_or(1.0, |border| (border - d).max(cell.floor));
            cell.falloff * (numerator.ln() - d.ln())
        };
        // Relative to the largest, so that no power overflows.
        let logs: Vec<f32> = nearest.iter().map(log_weight).collect();
        let largest = logs.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        for (n, log) in nearest.iter().zip(&logs) {
            let weight = if largest > f32::NEG_INFINITY {
                (log - largest).exp()
            } else {
                // The l+1 nearest tie: the first l share.
                f32::from(u8::from(n.0 <= least))
            };
            if let Some(joint) = open(n.1) {
                row.push(Influence { joint, weight });
            }
        }
        if row.len() > most {
            // Ties keep the nearer cell; a floor keeps the heavier.
            row.sort_by(|a, b| b.weight.total_cmp(&a.weight));
            row.truncate(most);
        }
    }
}

impl CellField {
    /// The weights at points of bind space by the numbers of the cells; see
    /// [`Evaluator::weights_at`].
    pub fn weights_at(&self, points: &[Vec3], task: &Task<'_>) -> Result<Weights, Cancelled> {
        let joints: Vec<Option<JointIndex>> = (0..self.cells.len() as u16)
            .map(|c| Some(JointIndex(c)))
            .collect();
        Evaluator::new(self).weights_at(points, &joints, |_| None, task)
    }

    /// How much longer the way through the solid to each cell is, or none.
    pub fn detour(&self) -> Option<&Detour> {
        self.detour.as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::super::field::tests::arbitrary_field;
    use super::super::field::{Cell, Site};
    use super::super::random::Random;
    use super::*;

    fn points(n: usize, seed: u64) -> Vec<Vec3> {
        let mut random = Random::new(seed);
        (0..n)
            .map(|_| Vec3::from_array(std::array::from_fn(|_| random.between(-0.6, 0.6) as f32)))
            .collect()
    }

    fn weights(field: &CellField, points: &[Vec3]) -> Weights {
        field.weights_at(points, &Task::unattended()).unwrap()
    }

    /// Eq. 2 and 3 word for word, in double precision.
    fn by_definition(field: &CellField, x: Vec3) -> Vec<f64> {
        let distance = |cell: &Cell| {
            let site = |s: &Site| {
                let d = (x - Vec3::from(s.centre)).as_dvec3();
                let f = s.shape.map(f64::from);
                let u = glam::DVec3::new(
                    f[0] * d.x,
                    f[1] * d.x + f[2] * d.y,
                    f[3] * d.x + f[4] * d.y + f[5] * d.z,
                );
                let (d, t) = (u.length(), f64::from(s.radius));
                if d <= t { 0.5 * (d * d / t + t) } else { d }
            };
            cell.sites.iter().map(site).fold(f64::INFINITY, f64::min)
        };
        let distances: Vec<f64> = field.cells.iter().map(distance).collect();
        let mut sorted = distances.clone();
        sorted.sort_by(f64::total_cmp);
        let border = sorted.get(field.influences);
        let raw: Vec<f64> = distances
            .iter()
            .zip(&field.cells)
            .map(|(d, c)| (border.map_or(1.0, |b| (b - d).max(0.0)) / d).powf(f64::from(c.falloff)))
            .collect();
        let sum: f64 = raw.iter().sum();
        raw.iter().map(|w| w / sum).collect()
    }

    #[test]
    fn it_is_what_the_paper_defines() {
        for (cells, influences) in [(9, 4), (9, 1), (3, 4), (4, 4), (1, 4)] {
            let field = arbitrary_field(cells, 5, influences, 7);
            let points = points(300, 3);
            let found = weights(&field, &points);
            for (p, &x) in points.iter().enumerate() {
                assert!(found.of_vertex(p).len() <= influences);
                for (cell, expected) in by_definition(&field, x).into_iter().enumerate() {
                    let weight = found.weight(p, JointIndex(cell as u16));
                    assert!(
                        (f64::from(weight) - expected).abs() < 2e-4,
                        "{weight} for {expected}"
                    );
                }
            }
        }
    }

    #[test]
    fn weights_are_continuous_across_the_borders() {
        let field = arbitrary_field(12, 4, 3, 11);
        let steps = 20_000;
        let path: Vec<Vec3> = (0..=steps)
            .map(|i| Vec3::new(-0.6 + 1.2 * i as f32 / steps as f32, 0.05, 0.1))
            .collect();
        let found = weights(&field, &path);
        for i in 1..path.len() {
            let step = crate::weights::weight_distance(found.of_vertex(i - 1), found.of_vertex(i));
            assert!(step < 0.02, "a step of {step} at {}", path[i]);
        }
    }

    #[test]
    fn ties_share() {
        // Five equal cells at one position, three may weigh.
        let mut field = arbitrary_field(5, 1, 3, 1);
        let cell = field.cells[0].clone();
        field.cells.fill(cell);
        let found = weights(&field, &[Vec3::ZERO]);
        assert_eq!(found.of_vertex(0).len(), 3);
        assert!(
            found
                .of_vertex(0)
                .iter()
                .all(|i| (i.weight - 1.0 / 3.0).abs() < 1e-6)
        );
    }

    #[test]
    fn a_point_on_a_site_and_one_far_away_have_weights() {
        let field = arbitrary_field(6, 3, 4, 5);
        let site = Vec3::from(field.cells[2].sites[1].centre);
        let found = weights(&field, &[site, Vec3::splat(1e6), Vec3::splat(1e30)]);
        assert_eq!(found.of_vertex(0)[0].joint, JointIndex(2));
        assert!(found.of_vertex(1).len() <= 4);
    }

    #[test]
    fn forbidden_cells_take_no_part_and_do_not_border() {
        let field = arbitrary_field(6, 3, 2, 5);
        let points = points(50, 9);
        let joints: Vec<_> = (0..6).map(|c| Some(JointIndex(c))).collect();
        let mask = [false, true, true, false, true, true];
        let masked = Evaluator::new(&field)
            .weights_at(&points, &joints, |_| Some(&mask[..]), &Task::unattended())
            .unwrap();
        let mut fewer = field.clone();
        let mut keep = mask.iter();
        fewer.cells.retain(|_| *keep.next().unwrap());
        let renumbered = weights(&fewer, &points).renumbered(|j| JointIndex([1, 2, 4, 5][j.at()]));
        assert_eq!(masked, renumbered);
    }
}
