//! The numbers that a fit changes, as one list, and back.
//!
//! Everything that must stay positive is kept as its logarithm (SkinCells, section 3.4).
//! For each cell its sites, ten numbers each (centre 3, logarithms of F's diagonal 3,
//! the rest of F 3, logarithm of the radius), then the logarithms of falloff and floor.

use glam::DVec3;

use super::field::{Cell, Site};
use super::site_groups::SiteGroups;

/// Numbers per site.
pub(super) const PER_SITE: usize = 10;
/// Numbers per cell beside its sites.
pub(super) const PER_CELL: usize = 2;

/// Where things are in the list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    pub cells: usize,
    pub sites: usize,
}

impl Layout {
    pub fn len(self) -> usize {
        self.cells * self.stride()
    }

    /// Numbers from one cell to the next.
    pub fn stride(self) -> usize {
        self.sites * PER_SITE + PER_CELL
    }

    pub fn site(self, cell: usize, site: usize) -> usize {
        cell * self.stride() + site * PER_SITE
    }

    /// Where each site begins, cell by cell.
    pub fn all_sites(self) -> impl Iterator<Item = usize> {
        (0..self.cells).flat_map(move |cell| (0..self.sites).map(move |site| self.site(cell, site)))
    }

    pub fn falloff(self, cell: usize) -> usize {
        cell * self.stride() + self.sites * PER_SITE
    }

    pub fn floor(self, cell: usize) -> usize {
        self.falloff(cell) + 1
    }
}

/// A site in the form that distances are computed from.
#[derive(Debug, Clone, Copy)]
pub(super) struct OpenSite {
    pub centre: DVec3,
    /// f00, f10, f11, f20, f21, f22.
    pub shape: [f64; 6],
    pub radius: f64,
}

/// The list with its exponentials taken.
#[derive(Debug, Clone)]
pub(super) struct Opened {
    pub layout: Layout,
    pub sites: Vec<OpenSite>,
    /// The same for finding the nearest.
    pub groups: SiteGroups,
    pub falloff: Vec<f64>,
    /// c, already lowered by the share that is left of it.
    pub floor: Vec<f64>,
    /// Whether all of them are zero: the field is sparse.
    pub without_floors: bool,
}

impl Opened {
    /// Takes exponentials; `floor_share` lowers every floor, zero makes the field sparse.
    pub fn of(layout: Layout, list: &[f64], floor_share: f64) -> Self {
        let cells = 0..layout.cells;
        let site = |at: usize| {
            let p = &list[at..at + PER_SITE];
            OpenSite {
                centre: DVec3::new(p[0], p[1], p[2]),
                shape: [p[3].exp(), p[6], p[4].exp(), p[7], p[8], p[5].exp()],
                radius: p[9].exp(),
            }
        };
        let sites: Vec<OpenSite> = layout.all_sites().map(site).collect();
        let floor: Vec<f64> = cells
            .clone()
            .map(|c| floor_share * list[layout.floor(c)].exp())
            .collect();
        Self {
            layout,
            groups: SiteGroups::new(&sites, layout.sites),
            sites,
            falloff: cells.map(|c| list[layout.falloff(c)].exp()).collect(),
            without_floors: floor.iter().all(|&c| c == 0.0),
            floor,
        }
    }

    /// The cells in the form that is delivered; `names` and `origins` per cell.
    pub fn cells(&self, named: &[(String, [f32; 3])]) -> Vec<Cell> {
        let site = |s: &OpenSite| Site {
            centre: s.centre.as_vec3().to_array(),
            shape: s.shape.map(|x| x as f32),
            radius: s.radius as f32,
        };
        named
            .iter()
            .zip(self.sites.chunks_exact(self.layout.sites))
            .enumerate()
            .map(|(c, ((joint, origin), sites))| Cell {
                joint: joint.clone(),
                origin: *origin,
                falloff: self.falloff[c] as f32,
                floor: self.floor[c] as f32,
                sites: sites.iter().map(site).collect(),
            })
            .collect()
    }
}
