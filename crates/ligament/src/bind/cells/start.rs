//! Where a fit begins (SkinCells, section 3.4).

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::domain::FitDomain;
use super::parameters::{Layout, PER_SITE};
use super::random::Random;
use crate::character::Skeleton;

/// How the first cells are laid out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// Like [`Start::Bones`], then brought near to the voxel bind's weights.
    #[default]
    Voxels,
    /// Sites evenly along every bone and a leaf's stub, round, scaled so that a thick limb
    /// reaches further than a thin one.
    Bones,
    /// As published: sites at random along the bone of a joint with one child, in the hull
    /// of several children, within half a millimetre of a leaf; shapes, radii and
    /// exponents at random around one.
    Paper,
    /// Sites evenly along every bone, all round and alike, exponents of four: with a floor
    /// that hides the border it is proximity, 1/d⁴ (section 4.1).
    Proximity,
}

/// A leaf's sites reach this fraction of its incoming bone beyond it.
const STUB: f64 = 0.5;
/// The first exponent from [`Start::Voxels`] and [`Start::Bones`].
const FALLOFF: f64 = 2.0;
/// The same from [`Start::Proximity`].
const PROXIMITY_FALLOFF: f64 = 4.0;
/// The rounding of its sites: far inside any limb.
const PROXIMITY_RADIUS: f64 = 1e-3;
/// How far centres move, relative to the thickness where they are.
const REACH: f64 = 1.0;
/// Half a millimetre of a character of 180 cm.
const LEAF_RADIUS: f64 = 0.05 / super::domain::REFERENCE_SIZE;
/// The rounding of the first sites relative to the thickness there, but for
/// [`Start::Paper`] and
/// [`Start::Proximity`].
const RADIUS: f64 = 0.25;

/// The first parameters of a fit, and how far each moves in a step of a given rate.
#[derive(Debug, Clone)]
pub(super) struct Started {
    pub list: Vec<f64>,
    /// One, but for centres: a step that suits a thigh would throw a site out of a finger.
    /// As published, one for all.
    pub reach: Vec<f64>,
}

/// The first parameters; `floor` is c where the start does not say.
pub(super) fn start(
    domain: &FitDomain,
    skeleton: &Skeleton,
    layout: Layout,
    start: Start,
    floor: f64,
    seed: u64,
) -> Started {
    let mut random = Random::new(seed);
    let mut list = vec![0.0; layout.len()];
    let mut reach = vec![1.0; layout.len()];
    let children = skeleton.skin_children();
    let inside = |p: DVec3| (p - domain.centre) / domain.size;
    let mut sites: Vec<Vec<DVec3>> = Vec::with_capacity(layout.cells);
    for &joint in &domain.joints {
        let head = inside(skeleton.bind_position(joint));
        let tails: Vec<DVec3> = children[joint.at()]
            .iter()
            .map(|&c| inside(skeleton.bind_position(c)))
            .filter(|t| t.distance(head) > 1e-6)
            .collect();
        let incoming = skeleton
            .skin_parent(joint)
            .map_or(DVec3::ZERO, |p| head - inside(skeleton.bind_position(p)));
        sites.push(match start {
            Start::Paper => paper_sites(head, &tails, layout.sites, &mut random),
            Start::Bones | Start::Voxels | Start::Proximity => {
                even_sites(head, &tails, incoming, layout.sites)
            }
        });
    }
    let thickness = thickness(domain, &sites);
    let mean = {
        let mut sorted = thickness.clone();
        sorted.sort_by(f64::total_cmp);
        sorted.get(sorted.len() / 2).copied().unwrap_or(1.0)
    };
    for (c, sites) in sites.iter().enumerate() {
        for (s, site) in sites.iter().enumerate() {
            let at = layout.site(c, s);
            let p = &mut list[at..at + PER_SITE];
            p[..3].copy_from_slice(&site.to_array());
            match start {
                Start::Paper => p[3..].iter_mut().for_each(|x| *x = random.between(-0.05, 0.05)),
                Start::Proximity => {
                    reach[at..at + 3].fill(REACH * thickness[c]);
                    p[9] = PROXIMITY_RADIUS.ln();
                }
                Start::Bones | Start::Voxels => {
                    // √(R̄/R): the voxel bind's scale for thick and thin.
                    let scale = 0.5 * (mean / thickness[c]).ln();
                    p[3..6].fill(scale);
                    reach[at..at + 3].fill(REACH * thickness[c]);
                    p[9] = (RADIUS * thickness[c] * scale.exp()).ln();
                }
            }
        }
        let (falloff, floor) = match start {
            Start::Paper => (random.between(-0.05, 0.05), random.between(-0.05, 0.05)),
            Start::Proximity => (PROXIMITY_FALLOFF.ln(), floor.ln()),
            Start::Bones | Start::Voxels => (FALLOFF.ln(), floor.ln()),
        };
        list[layout.falloff(c)] = falloff;
        list[layout.floor(c)] = floor;
    }
    Started { list, reach }
}

fn paper_sites(head: DVec3, tails: &[DVec3], count: usize, random: &mut Random) -> Vec<DVec3> {
    (0..count)
        .map(|_| match tails {
            [] => {
                let offset = DVec3::from_array(std::array::from_fn(|_| random.between(-1.0, 1.0)));
                head + offset.clamp_length_max(1.0) * LEAF_RADIUS
            }
            [tail] => head.lerp(*tail, random.unit()),
            _ => {
                // Exponentials of uniform numbers, normalised, are uniform in a simplex.
                let fractions: Vec<f64> = tails.iter().map(|_| -(1.0 - random.unit()).ln()).collect();
                let sum: f64 = fractions.iter().sum();
                tails.iter().zip(&fractions).map(|(t, s)| *t * (s / sum)).sum()
            }
        })
        .collect()
}

fn even_sites(head: DVec3, tails: &[DVec3], incoming: DVec3, count: usize) -> Vec<DVec3> {
    let stub = [head + incoming * STUB];
    let tails = if tails.is_empty() { &stub[..] } else { tails };
    // Sites go to the bones by length, each the next to the bone that is served worst.
    let mut fractions = vec![0usize; tails.len()];
    for _ in 0..count {
        let need = |t: usize| tails[t].distance(head) / (fractions[t] + 1) as f64;
        let worst = (0..tails.len()).max_by(|&a, &b| need(a).total_cmp(&need(b)).then(b.cmp(&a)));
        fractions[worst.unwrap_or(0)] += 1;
    }
    let mut sites = Vec::with_capacity(count);
    for (tail, &fraction) in tails.iter().zip(&fractions) {
        sites.extend((0..fraction).map(|k| head.lerp(*tail, (k as f64 + 0.5) / fraction as f64)));
    }
    sites
}

/// The median distance of the positions nearest to each cell; of all cells where it has
/// too few.
fn thickness(domain: &FitDomain, sites: &[Vec<DVec3>]) -> Vec<f64> {
    const FEWEST: usize = 4;
    let mut of_cell: Vec<Vec<f64>> = vec![Vec::new(); sites.len()];
    let mut all = Vec::with_capacity(domain.points.len());
    for (i, &x) in domain.points.iter().enumerate() {
        let to = |cell: u16| {
            let squares = sites[usize::from(cell)].iter().map(|s| s.distance_squared(x));
            squares.fold(f64::INFINITY, f64::min)
        };
        let nearest = domain
            .cells_at(i)
            .iter()
            .map(|&c| (to(c), c))
            .min_by(|a, b| a.0.total_cmp(&b.0));
        if let Some((square, cell)) = nearest {
            of_cell[usize::from(cell)].push(square.sqrt());
            all.push(square.sqrt());
        }
    }
    let median = |list: &mut Vec<f64>| {
        list.sort_by(f64::total_cmp);
        list.get(list.len() / 2).copied().unwrap_or(0.0).max(1e-3)
    };
    let whole = median(&mut all);
    of_cell
        .iter_mut()
        .map(|list| if list.len() < FEWEST { whole } else { median(list) })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::domain::tests::domain_of;
    use super::*;

    #[test]
    fn sites_lie_on_the_bones() {
        let tails = [DVec3::X, DVec3::Y * 2.0];
        let sites = even_sites(DVec3::ZERO, &tails, DVec3::ZERO, 6);
        assert_eq!(sites.len(), 6);
        assert_eq!(sites.iter().filter(|s| s.y == 0.0).count(), 2);
        let leaf = even_sites(DVec3::X, &[], DVec3::X, 2);
        assert_eq!(leaf, [DVec3::X * 1.125, DVec3::X * 1.375]);
    }

    #[test]
    fn the_papers_sites_are_where_it_says() {
        let mut random = Random::new(3);
        for site in paper_sites(DVec3::ZERO, &[DVec3::X], 20, &mut random) {
            assert!(site.y == 0.0 && (0.0..=1.0).contains(&site.x));
        }
        for site in paper_sites(DVec3::ZERO, &[DVec3::X, DVec3::Y, DVec3::Z], 20, &mut random) {
            assert!((site.element_sum() - 1.0).abs() < 1e-12 && site.min_element() >= 0.0);
        }
        for site in paper_sites(DVec3::X, &[], 20, &mut random) {
            assert!(site.distance(DVec3::X) <= LEAF_RADIUS + 1e-12);
        }
    }

    #[test]
    fn every_start_is_a_field() {
        let character = crate::sample::make("hound@800").unwrap();
        let domain = domain_of("hound@800");
        let layout = Layout {
            cells: domain.joints.len(),
            sites: 6,
        };
        for kind in [Start::Bones, Start::Paper, Start::Proximity] {
            let Started { list, .. } = start(&domain, &character.skeleton, layout, kind, 0.01, 1);
            assert!(list.iter().all(|x| x.is_finite()));
        }
    }
}
