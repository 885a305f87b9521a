//! The sites of a cell four by four, so that the nearest is found by wide instructions.
//!
//! Finding the nearest site of each cell is most of what weighing costs: one site after the
//! other, with branches that cannot be foretold, it was 29 % of a whole fit. Which site is
//! nearest is found in single precision, as [`super::evaluate`] finds it; how far it is, is
//! computed in double.

use glam::{Vec3, Vec4};

use super::parameters::OpenSite;

/// Sites per group.
const LANES: usize = 4;

/// Four sites of one cell, a number of all four side by side; the last group of a cell
/// repeats its last site.
#[derive(Debug, Clone, Copy)]
struct SiteGroup {
    centre: [Vec4; 3],
    shape: [Vec4; 6],
    radius: Vec4,
    /// One over twice the radius.
    half_inverse: Vec4,
}

/// The sites of all cells.
#[derive(Debug, Clone)]
pub(super) struct SiteGroups {
    groups: Vec<SiteGroup>,
    per_cell: usize,
}

impl SiteGroups {
    /// Groups of sites that are given cell by cell, so many each.
    pub fn new(sites: &[OpenSite], per_cell: usize) -> Self {
        Self {
            groups: sites
                .chunks_exact(per_cell)
                .flat_map(|cell| cell.chunks(LANES).map(SiteGroup::new))
                .collect(),
            per_cell: per_cell.div_ceil(LANES),
        }
    }

    /// The distance to a cell and the site of it that is nearest, of several the first.
    #[inline]
    pub fn nearest(&self, cell: usize, x: Vec3) -> (f32, usize) {
        let mut best = (f32::INFINITY, 0);
        let groups = &self.groups[cell * self.per_cell..(cell + 1) * self.per_cell];
        for (g, group) in groups.iter().enumerate() {
            for (i, square) in group.squares(x).to_array().into_iter().enumerate() {
                if square < best.0 {
                    best = (square, g * LANES + i);
                }
            }
        }
        (best.0.sqrt(), best.1)
    }
}

impl SiteGroup {
    fn new(sites: &[OpenSite]) -> Self {
        let side_by_side = |number: &dyn Fn(&OpenSite) -> f64| {
            Vec4::from_array(std::array::from_fn(|i| {
                number(&sites[i.min(sites.len() - 1)]) as f32
            }))
        };
        Self {
            centre: std::array::from_fn(|k| side_by_side(&|s| s.centre[k])),
            shape: std::array::from_fn(|k| side_by_side(&|s| s.shape[k])),
            radius: side_by_side(&|s| s.radius),
            half_inverse: side_by_side(&|s| 0.5 / s.radius),
        }
    }

    /// The squares of the distances to the four (Eq. 2): roots would keep their order.
    #[inline]
    fn squares(&self, x: Vec3) -> Vec4 {
        let [px, py, pz] = self.centre;
        let [f00, f10, f11, f20, f21, f22] = self.shape;
        let (dx, dy, dz) = (
            Vec4::splat(x.x) - px,
            Vec4::splat(x.y) - py,
            Vec4::splat(x.z) - pz,
        );
        let u = f00 * dx;
        let v = f10 * dx + f11 * dy;
        let w = f20 * dx + f21 * dy + f22 * dz;
        let square = u * u + v * v + w * w;
        let rounded = square * self.half_inverse + self.radius * 0.5;
        let within = square.cmple(self.radius * self.radius);
        Vec4::select(within, rounded * rounded, square)
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::super::random::Random;
    use super::*;

    #[test]
    fn the_nearest_is_that_of_the_definition() {
        let mut random = Random::new(4);
        for per_cell in [1, 3, 4, 6, 9] {
            let mut number = |low, high| random.between(low, high);
            let mut vector =
                |size: f64| DVec3::new(number(-size, size), number(-size, size), number(-size, size));
            let sites: Vec<OpenSite> = (0..3 * per_cell)
                .map(|_| {
                    let (diagonal, rest) = (vector(0.5), vector(0.5));
                    OpenSite {
                        centre: vector(0.3),
                        shape: [
                            diagonal.x.exp(),
                            rest.x,
                            diagonal.y.exp(),
                            rest.y,
                            rest.z,
                            diagonal.z.exp(),
                        ],
                        radius: (vector(1.0).x - 1.5).exp(),
                    }
                })
                .collect();
            let groups = SiteGroups::new(&sites, per_cell);
            for _ in 0..50 {
                let x = vector(0.5);
                for cell in 0..3 {
                    let own = &sites[cell * per_cell..(cell + 1) * per_cell];
                    let least = own.iter().map(|s| s.distance(x)).fold(f64::INFINITY, f64::min);
                    let (distance, site) = groups.nearest(cell, x.as_vec3());
                    assert!(
                        (f64::from(distance) - least).abs() < 1e-6,
                        "{distance} for {least}"
                    );
                    assert!(own[site].distance(x) - least < 1e-6);
                }
            }
        }
    }
}
