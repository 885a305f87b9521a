//! The field beside the surface that it is fitted to: there it shall weigh as on the surface, so that it serves garments that lie a
//! little further out or in.
//!
//! Places are those whose closest point of the surface is the one that they were taken beside; what lies between a hand and a
//! skirt belongs to whichever is closer.

use glam::DVec3;
use rayon::prelude::*;

use super::detour::Detour;
use super::domain::FitDomain;
use super::fit_loop::Fit;
use super::parameters::Opened;
use super::random::Random;
use super::weigh::Entry;
use crate::geometry::{Bounds, BoxTree, closest_on_triangle};

/// How far out and in places lie at most, as fractions of the character's size.
const OUT: f64 = 0.06;
const IN: f64 = 0.02;
/// A place counts if no other part of the surface is closer than this fraction of its own distance.
const OWN: f64 = 0.9;
/// The most places, and how many of them a step looks at.
const PLACES: usize = 8192;
const PER_STEP: usize = 256;
/// Places per parallel piece of work.
const CHUNK: usize = 32;

/// A place beside the surface.
#[derive(Debug, Clone)]
pub(super) struct Beside {
    /// The position that it lies beside.
    pub point: u32,
    pub at: DVec3,
    /// Detours of all cells there; empty without.
    pub detours: Vec<f32>,
}

/// Places beside the surface of a domain.
pub(super) fn places(domain: &FitDomain, detour: Option<&Detour>, seed: u64) -> Vec<Beside> {
    let mut normals = vec![DVec3::ZERO; domain.points.len()];
    let corners: Vec<[DVec3; 3]> = (domain.skin.faces().iter())
        .map(|f| f.map(|v| domain.points[v as usize]))
        .collect();
    for (face, [a, b, c]) in domain.skin.faces().iter().zip(&corners) {
        for &v in face {
            normals[v as usize] += (*b - *a).cross(*c - *a);
        }
    }
    let tree = BoxTree::new(
        corners
            .iter()
            .map(|[a, b, c]| Bounds::around(a.as_vec3(), &[b.as_vec3(), c.as_vec3()])),
    );
    let mut random = Random::new(seed ^ 3);
    let points = domain.points.len();
    let step = (2 * points).div_ceil(PLACES).max(1);
    let wanted: Vec<(u32, DVec3, f64)> = (0..2 * points)
        .step_by(step)
        .filter_map(|i| {
            let reach = if i % 3 == 2 { -IN } else { OUT } * random.unit();
            let normal = normals[i % points].try_normalize()?;
            Some((
                (i % points) as u32,
                domain.points[i % points] + normal * reach,
                reach.abs(),
            ))
        })
        .collect();
    wanted
        .into_par_iter()
        .filter_map(|(point, at, reach)| {
            let distance = |f: u32| closest_on_triangle(at, corners[f as usize]).point.distance(at);
            let (_, nearest) = tree.closest(at, distance)?;
            (nearest >= OWN * reach).then(|| {
                let mut detours = Vec::new();
                if let Some(detour) = detour {
                    detours.resize(domain.joints.len(), 0.0);
                    detour.add_to(at.as_vec3(), &mut detours);
                }
                Beside { point, at, detours }
            })
        })
        .collect()
}

impl Fit<'_> {
    /// Adds to `gradient` that of λ times the squared difference between weights beside the surface and weights on it, which are
    /// taken as given; a mean over some places.
    pub(super) fn add_beside(&self, opened: &Opened, lambda: f64, random: &mut Random, gradient: &mut [f64]) {
        if self.beside.is_empty() || lambda == 0.0 {
            return;
        }
        let chosen: Vec<usize> = (0..PER_STEP).map(|_| random.below(self.beside.len())).collect();
        let factor = 2.0 * lambda / PER_STEP as f64;
        let parts: Vec<Vec<f64>> = chosen
            .par_chunks(CHUNK)
            .map(|chosen| {
                let mut part = vec![0.0; gradient.len()];
                let (mut here, mut there): (Vec<Entry>, Vec<Entry>) = (Vec::new(), Vec::new());
                let mut by_weight = Vec::new();
                for &i in chosen {
                    let Beside { point, at, detours } = &self.beside[i];
                    let p = *point as usize;
                    if self.locked(*point).is_some() {
                        continue;
                    }
                    here.clear();
                    there.clear();
                    by_weight.clear();
                    let cells = self.domain.cells_at(p);
                    let surface = self.domain.points[p];
                    let near = self.candidate_starts[p] as usize..self.candidate_starts[p + 1] as usize;
                    let near = &self.candidates[near];
                    opened.weigh(surface, near, |c| self.detour(p, c), self.influences, &mut here);
                    let detour = |c: u16| detours.get(usize::from(c)).copied().unwrap_or(0.0);
                    let row = opened.weigh(*at, cells, detour, self.influences, &mut there);
                    by_weight.extend(there.iter().map(|e| {
                        let on_surface = here.iter().find(|h| h.cell == e.cell).map_or(0.0, |h| h.weight);
                        factor * (e.weight - on_surface)
                    }));
                    opened.back(*at, &there, row, &by_weight, &mut part);
                }
                part
            })
            .collect();
        for part in &parts {
            for (sum, x) in gradient.iter_mut().zip(part) {
                *sum += x;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::domain::tests::domain_of_character;
    use super::super::fit_options::FitOptions;
    use super::super::parameters::Layout;
    use super::super::start::{Start, start};
    use super::*;

    /// By looking at every face: a place lies as far out or in as it may, and nothing else of the surface is closer. The skirt's hands
    /// hang beside it, so that some places are left out.
    #[test]
    fn places_belong_to_the_surface_that_they_lie_beside() {
        let domain = domain_of_character(&crate::sample::make("skirt@1500").unwrap());
        let found = places(&domain, None, 5);
        let same = places(&domain, None, 5);
        assert!(found.iter().zip(&same).all(|(a, b)| a.at == b.at) && found.len() == same.len());
        let corners = |f: &[u32; 3]| f.map(|v| domain.points[v as usize]);
        for Beside { point, at, .. } in &found {
            let reach = at.distance(domain.points[*point as usize]);
            assert!(reach <= OUT);
            let nearest = (domain.skin.faces().iter())
                .map(|f| closest_on_triangle(*at, corners(f)).point.distance(*at))
                .fold(f64::INFINITY, f64::min);
            assert!(nearest >= 0.899 * reach, "{nearest} of {reach}");
        }
        let wanted = (0..2 * domain.points.len()).step_by((2 * domain.points.len()).div_ceil(PLACES).max(1));
        let (found, wanted) = (found.len(), wanted.count());
        assert!(found > wanted / 4 && found < wanted, "{found} of {wanted}");
    }

    /// Against central differences of the sum that it is the gradient of, written out here; weights on the surface stay those of the
    /// first parameters.
    #[test]
    fn holding_the_field_beside_the_surface_has_an_exact_gradient() {
        let character = crate::sample::make("skirt@1500").unwrap();
        let domain = domain_of_character(&character);
        let layout = Layout {
            cells: domain.joints.len(),
            sites: 2,
        };
        let mut random = Random::new(11);
        let mut list = start(&domain, &character.skeleton, layout, Start::Bones, 0.05, 3).list;
        // Off the symmetric start, where nearest sites tie.
        list.iter_mut().for_each(|x| *x += random.between(-0.01, 0.01));
        let options = FitOptions {
            candidates: 0,
            ..FitOptions::default()
        };
        let mut fit = Fit {
            domain: &domain,
            options: &options,
            influences: 4,
            layout,
            detours: Vec::new(),
            targets: None,
            beside: places(&domain, None, 5),
            candidate_starts: Vec::new(),
            candidates: Vec::new(),
            reach: Vec::new(),
        };
        let (lambda, seed) = (3.0, 7);
        let first = Opened::of(layout, &list, 1.0);
        fit.choose_candidates(&first);
        let mut gradient = vec![0.0; list.len()];
        fit.add_beside(&first, lambda, &mut Random::new(seed), &mut gradient);

        let mut drawn = Random::new(seed);
        let chosen: Vec<&Beside> = (0..PER_STEP)
            .map(|_| &fit.beside[drawn.below(fit.beside.len())])
            .collect();
        let dense = |opened: &Opened, place: &Beside, at: DVec3| {
            let mut entries = Vec::new();
            opened.weigh(
                at,
                domain.cells_at(place.point as usize),
                |_| 0.0,
                4,
                &mut entries,
            );
            let mut row = vec![0.0; layout.cells];
            entries.iter().for_each(|e| row[usize::from(e.cell)] = e.weight);
            row
        };
        let on_surface: Vec<Vec<f64>> = (chosen.iter())
            .map(|b| dense(&first, b, domain.points[b.point as usize]))
            .collect();
        let sum = |list: &[f64]| -> f64 {
            let opened = Opened::of(layout, list, 1.0);
            let one = |(b, here): (&&Beside, &Vec<f64>)| -> f64 {
                let there = dense(&opened, b, b.at);
                there.iter().zip(here).map(|(t, h)| (t - h).powi(2)).sum()
            };
            lambda / PER_STEP as f64 * chosen.iter().zip(&on_surface).map(one).sum::<f64>()
        };
        assert!(sum(&list) > 0.0, "nothing to differentiate");
        let size = gradient.iter().map(|g| g * g).sum::<f64>().sqrt();
        for trial in 0..12 {
            let direction: Vec<f64> = (0..list.len()).map(|_| random.between(-1.0, 1.0)).collect();
            let length = direction.iter().map(|x| x * x).sum::<f64>().sqrt();
            let at = |step: f64| {
                let moved: Vec<f64> = list
                    .iter()
                    .zip(&direction)
                    .map(|(x, d)| x + step * d / length)
                    .collect();
                sum(&moved)
            };
            let h = 1e-5;
            let difference = (at(h) - at(-h)) / (2.0 * h);
            let exact = gradient.iter().zip(&direction).map(|(g, d)| g * d).sum::<f64>() / length;
            assert!(
                (difference - exact).abs() < 1e-5 * size,
                "trial {trial}: {difference} by differences, {exact} by the gradient, of {size}"
            );
        }
    }
}
