//! Weights at one point in double precision, and how a change of the weights becomes a
//! change of the field's parameters. What a fit runs; [`super::evaluate`] is what a
//! delivered field runs.

use glam::DVec3;
use smallvec::SmallVec;

use super::parameters::{OpenSite, Opened};

/// A cell that weighs at a point, or gives the border D there.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    pub cell: u16,
    /// The nearest of its sites.
    site: u16,
    distance: f64,
    /// Numerator of Eq. 3.
    numerator: f64,
    /// Logarithm of the numerator over the distance.
    log_ratio: f64,
    /// Whether the numerator is the floor c.
    on_floor: bool,
    pub weight: f64,
}

/// The entries of one point, by increasing distance.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row {
    pub start: u32,
    pub end: u32,
    /// The entry that gives D, counted from `start`; none with l cells or fewer.
    border: Option<u32>,
}

impl OpenSite {
    /// F·(x − p).
    fn metric(&self, x: DVec3) -> DVec3 {
        let d = x - self.centre;
        let f = &self.shape;
        DVec3::new(
            f[0] * d.x,
            f[1] * d.x + f[2] * d.y,
            f[3] * d.x + f[4] * d.y + f[5] * d.z,
        )
    }

    /// The distance, rounded off within the radius (Eq. 2).
    pub fn distance(&self, x: DVec3) -> f64 {
        let (d, t) = (self.metric(x).length(), self.radius);
        if d <= t { 0.5 * (d * d / t + t) } else { d }
    }
}

impl Opened {
    /// Weighs a point among the cells of `candidates`, each farther by its detour there, and
    /// appends the entries. Without floors only the l + 1 nearest are kept.
    pub fn weigh(
        &self,
        x: DVec3,
        candidates: &[u16],
        detour: impl Fn(u16) -> f32,
        influences: usize,
        entries: &mut Vec<Entry>,
    ) -> Row {
        let start = entries.len();
        // Single precision tells who is near, double how near. A distance is never negative:
        // its bits have its order.
        let single = x.as_vec3();
        let mut near: SmallVec<[u64; 16]> = SmallVec::with_capacity(candidates.len());
        near.extend(candidates.iter().map(|&cell| {
            let (distance, site) = self.groups.nearest(usize::from(cell), single);
            let distance = distance + detour(cell);
            u64::from(distance.to_bits()) << 32 | u64::from(cell) << 16 | site as u64
        }));
        near.sort_unstable();
        let has_border = near.len() > influences;
        if has_border && self.without_floors {
            near.truncate(influences + 1);
        }
        entries.extend(near.iter().map(|&key| {
            let (cell, site) = ((key >> 16) as u16, key as u16);
            let distance = self.sites[usize::from(cell) * self.layout.sites + usize::from(site)].distance(x);
            Entry {
                cell,
                site,
                distance: distance + f64::from(detour(cell)),
                numerator: 1.0,
                log_ratio: 0.0,
                on_floor: true,
                weight: 0.0,
            }
        }));
        entries[start..].sort_unstable_by(|a, b| a.distance.total_cmp(&b.distance).then(a.cell.cmp(&b.cell)));
        let border = has_border.then(|| entries[start + influences].distance);
        let mut largest = f64::NEG_INFINITY;
        for e in &mut entries[start..] {
            let cell = usize::from(e.cell);
            if let Some(border) = border {
                let open = border - e.distance;
                e.on_floor = open <= self.floor[cell];
                e.numerator = if e.on_floor { self.floor[cell] } else { open };
            }
            e.log_ratio = (e.numerator / e.distance).ln();
            e.weight = self.falloff[cell] * e.log_ratio;
            largest = largest.max(e.weight);
        }
        let mut sum = 0.0;
        for e in &mut entries[start..] {
            e.weight = if largest > f64::NEG_INFINITY {
                (e.weight - largest).exp()
            } else {
                1.0
            };
            sum += e.weight;
        }
        for e in &mut entries[start..] {
            e.weight /= sum;
        }
        Row {
            start: start as u32,
            end: entries.len() as u32,
            border: border.map(|_| influences as u32),
        }
    }

    /// Adds to `gradient` what the derivatives of a loss by the weights of a point
    /// (`weight_gradient`, one for each entry) say about the parameters.
    pub fn back(&self, x: DVec3, entries: &[Entry], row: Row, weight_gradient: &[f64], gradient: &mut [f64]) {
        let mean: f64 = entries
            .iter()
            .zip(weight_gradient)
            .map(|(e, g)| e.weight * g)
            .sum();
        let mut by_border = 0.0;
        for (e, g) in entries.iter().zip(weight_gradient) {
            let by_log_weight = e.weight * (g - mean);
            if by_log_weight == 0.0 {
                continue;
            }
            let cell = usize::from(e.cell);
            let falloff = self.falloff[cell];
            gradient[self.layout.falloff(cell)] += by_log_weight * e.log_ratio * falloff;
            let by_log_ratio = falloff * by_log_weight;
            let mut by_distance = -by_log_ratio / e.distance;
            if row.border.is_some() {
                if e.on_floor {
                    gradient[self.layout.floor(cell)] += by_log_ratio;
                } else {
                    // At the border the numerator vanishes, and with it the weight; an
                    // exponent under one would make the gradient infinite there.
                    let gradient = by_log_ratio / e.numerator.max(LEAST_NUMERATOR);
                    by_distance -= gradient;
                    by_border += gradient;
                }
            }
            self.back_distance(x, e, by_distance, gradient);
        }
        if let Some(border) = row.border
            && by_border != 0.0
        {
            self.back_distance(x, &entries[border as usize], by_border, gradient);
        }
    }

    fn back_distance(&self, x: DVec3, e: &Entry, by_distance: f64, gradient: &mut [f64]) {
        let (cell, index) = (usize::from(e.cell), usize::from(e.site));
        let site = &self.sites[cell * self.layout.sites + index];
        let u = site.metric(x);
        let d = u.length();
        let at = self.layout.site(cell, index);
        let g = &mut gradient[at..at + super::parameters::PER_SITE];
        // Within the radius d cancels, so a point on the site itself is no special case.
        let by_u = if d <= site.radius {
            let ratio = d / site.radius;
            g[9] += by_distance * 0.5 * (1.0 - ratio * ratio) * site.radius;
            u * (by_distance / site.radius)
        } else {
            u * (by_distance / d)
        };
        let offset = x - site.centre;
        let f = &site.shape;
        g[0] -= f[0] * by_u.x + f[1] * by_u.y + f[3] * by_u.z;
        g[1] -= f[2] * by_u.y + f[4] * by_u.z;
        g[2] -= f[5] * by_u.z;
        g[3] += by_u.x * offset.x * f[0];
        g[4] += by_u.y * offset.y * f[2];
        g[5] += by_u.z * offset.z * f[5];
        g[6] += by_u.y * offset.x;
        g[7] += by_u.z * offset.x;
        g[8] += by_u.z * offset.y;
    }
}

/// See [`Opened::back`].
const LEAST_NUMERATOR: f64 = 1e-5;

#[cfg(test)]
mod tests {
    use super::super::parameters::Layout;
    use super::super::random::Random;
    use super::*;

    fn arbitrary(layout: Layout, random: &mut Random) -> Vec<f64> {
        let mut list: Vec<f64> = (0..layout.len()).map(|_| random.between(-0.3, 0.3)).collect();
        for c in 0..layout.cells {
            for s in 0..layout.sites {
                list[layout.site(c, s) + 9] = random.between(-3.0, -0.5);
            }
            list[layout.falloff(c)] = random.between(0.0, 1.0);
            list[layout.floor(c)] = random.between(-3.0, -1.0);
        }
        list
    }

    /// Σ weight_gradient·w over random points, by parameter: exact against central differences.
    #[test]
    fn the_gradient_of_the_weights_is_exact() {
        let layout = Layout { cells: 7, sites: 3 };
        let mut random = Random::new(5);
        for influences in [1, 4, 7] {
            for floor_share in [0.0, 1.0] {
                let list = arbitrary(layout, &mut random);
                let points: Vec<DVec3> = (0..20)
                    .map(|_| DVec3::from_array(std::array::from_fn(|_| random.between(-0.4, 0.4))))
                    .collect();
                let by_cell: Vec<f64> = (0..7).map(|_| random.between(-1.0, 1.0)).collect();
                let sum = |list: &[f64], gradient: Option<&mut [f64]>| {
                    let opened = Opened::of(layout, list, floor_share);
                    let mut gradient = gradient;
                    let mut total = 0.0;
                    for &x in &points {
                        let mut entries = Vec::new();
                        let detour = |c| 0.01 * f32::from(c);
                        let row = opened.weigh(x, &[0, 1, 2, 3, 4, 5, 6], detour, influences, &mut entries);
                        let weight_gradient: Vec<f64> =
                            entries.iter().map(|e| by_cell[usize::from(e.cell)]).collect();
                        total += entries
                            .iter()
                            .zip(&weight_gradient)
                            .map(|(e, g)| e.weight * g)
                            .sum::<f64>();
                        if let Some(gradient) = gradient.as_deref_mut() {
                            opened.back(x, &entries, row, &weight_gradient, gradient);
                        }
                    }
                    total
                };
                let mut gradient = vec![0.0; list.len()];
                sum(&list, Some(&mut gradient));
                for i in 0..list.len() {
                    let h = 1e-6;
                    let at = |step: f64| {
                        let mut moved = list.clone();
                        moved[i] += step;
                        sum(&moved, None)
                    };
                    let difference = (at(h) - at(-h)) / (2.0 * h);
                    assert!(
                        (difference - gradient[i]).abs() < 1e-6 * (1.0 + difference.abs()),
                        "parameter {i}: {difference} but {}",
                        gradient[i]
                    );
                }
            }
        }
    }
}
