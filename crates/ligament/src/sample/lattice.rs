//! A first surface of a solid: marching tetrahedra on a grid of cubes.
//!
//! Each cube is cut into five tetrahedra, mirrored from cube to cube so that faces meet.
//! Every tetrahedron is crossed by one triangle or one quadrilateral, so the surface is a
//! closed 2-manifold whatever the field does. Grid planes are unions of tetrahedron faces:
//! the half with x >= 0 ends exactly in the plane x = 0 and can be mirrored.

use glam::{DVec3, IVec3};
use rayon::prelude::*;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::implicit::Solid;

/// Corners, triangles counter-clockwise seen from outside.
#[derive(Debug, Clone, Default)]
pub(super) struct RawSurface {
    pub positions: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
}

/// Corner `b` of a cube is at (bit 0, bit 1, bit 2) of `b`.
const EVEN_CUBE: [[usize; 4]; 5] = [
    [0, 3, 5, 6],
    [1, 0, 3, 5],
    [2, 0, 3, 6],
    [4, 0, 5, 6],
    [7, 3, 5, 6],
];
const ODD_CUBE: [[usize; 4]; 5] = [
    [1, 2, 4, 7],
    [0, 1, 2, 4],
    [3, 1, 2, 7],
    [5, 1, 4, 7],
    [6, 2, 4, 7],
];

/// Cubes per side of the coarsest block that is looked at; halved until single cubes.
const COARSEST: i32 = 16;

/// Fields may be this much steeper than a distance before a block with surface in it is
/// taken for an empty one. Where they are steeper still the surface is followed from cube to
/// cube, so this must only be enough to find every piece somewhere.
const STEEPEST: f64 = 1.5;

/// Crossings keep this fraction of an edge away from its ends, so that no face is degenerate.
const EDGE_MARGIN: f64 = 0.12;

struct Grid {
    origin: DVec3,
    cell: f64,
    /// Points per axis.
    size: IVec3,
}

impl Grid {
    fn at(&self, point: IVec3) -> usize {
        ((point.z * self.size.y + point.y) * self.size.x + point.x) as usize
    }

    fn position(&self, point: IVec3) -> DVec3 {
        self.origin + self.cell * point.as_dvec3()
    }
}

fn corner(cube: IVec3, b: usize) -> IVec3 {
    cube + IVec3::new((b & 1) as i32, (b >> 1 & 1) as i32, (b >> 2 & 1) as i32)
}

/// The surface of `solid` on cubes with sides of `cell`; of its half with x >= 0 if `half`.
pub(super) fn march(solid: &Solid, cell: f64, half: bool) -> RawSurface {
    let (mut lo, hi) = solid.bounds();
    lo -= 2.0 * cell;
    if half {
        lo.x = 0.0;
    }
    let blocks = ((hi + 2.0 * cell - lo) / (cell * f64::from(COARSEST)))
        .ceil()
        .as_ivec3();
    let grid = Grid {
        origin: lo,
        cell,
        size: blocks * COARSEST + 1,
    };
    let mut cubes = cubes_near_surface(solid, &grid, blocks);
    let mut values = vec![f32::NAN; (grid.size.x * grid.size.y * grid.size.z) as usize];
    let mut taken = vec![false; values.len()];
    let mut new = 0..cubes.len();
    // Where the surface leaves the cubes found so far, follow it.
    while !new.is_empty() {
        find_values(solid, &grid, &cubes[new.clone()], &mut values);
        for &cube in &cubes[new.clone()] {
            taken[grid.at(cube)] = true;
        }
        let end = cubes.len();
        for c in new {
            follow(&grid, &values, &mut taken, c, &mut cubes);
        }
        new = end..cubes.len();
    }
    stitch(&grid, &cubes, &values)
}

/// Adds the neighbours of a cube that share a face which the surface crosses.
fn follow(grid: &Grid, values: &[f32], taken: &mut [bool], cube: usize, cubes: &mut Vec<IVec3>) {
    let cube = cubes[cube];
    let inside: [bool; 8] = std::array::from_fn(|b| values[grid.at(corner(cube, b))] < 0.0);
    if inside.iter().all(|&i| i == inside[0]) {
        return;
    }
    for axis in 0..3 {
        for side in [0, 1] {
            let mut face = (0..8).filter(|b| b >> axis & 1 == side).map(|b| inside[b]);
            let first = face.next();
            let mut next = cube;
            next[axis] += if side == 1 { 1 } else { -1 };
            let in_grid = next[axis] >= 0 && next[axis] < grid.size[axis] - 1;
            if in_grid && face.any(|i| Some(i) != first) && !taken[grid.at(next)] {
                taken[grid.at(next)] = true;
                cubes.push(next);
            }
        }
    }
}

fn cubes_near_surface(solid: &Solid, grid: &Grid, blocks: IVec3) -> Vec<IVec3> {
    let mut size = COARSEST;
    let mut kept: Vec<IVec3> = (0..blocks.z)
        .flat_map(|z| (0..blocks.y).flat_map(move |y| (0..blocks.x).map(move |x| IVec3::new(x, y, z))))
        .map(|b| b * size)
        .collect();
    loop {
        // Half the block's diagonal.
        let reach = grid.cell * f64::from(size) * 0.75f64.sqrt() * STEEPEST;
        kept = kept
            .into_par_iter()
            .filter(|&b| {
                let centre = grid.position(b) + 0.5 * grid.cell * f64::from(size);
                solid.value(centre).abs() <= reach
            })
            .collect();
        // Single cubes are cheaper to test by their corners, which are needed anyway.
        if size == 2 {
            return kept
                .iter()
                .flat_map(|&b| (0..8).map(move |c| corner(b, c)))
                .collect();
        }
        size /= 2;
        kept = kept
            .iter()
            .flat_map(|&b| (0..8).map(move |c| b + (corner(IVec3::ZERO, c)) * size))
            .collect();
    }
}

/// Fills in the field's values at the corners of cubes; NaN are those not known yet.
fn find_values(solid: &Solid, grid: &Grid, cubes: &[IVec3], values: &mut [f32]) {
    let mut wanted = Vec::new();
    for &cube in cubes {
        for b in 0..8 {
            let point = corner(cube, b);
            let slot = &mut values[grid.at(point)];
            if slot.is_nan() {
                *slot = 0.0;
                wanted.push(point);
            }
        }
    }
    let found: Vec<f32> = wanted
        .par_iter()
        .map(|&point| solid.value(grid.position(point)) as f32)
        .collect();
    for (&point, value) in wanted.iter().zip(found) {
        values[grid.at(point)] = value;
    }
}

/// Corners of a tetrahedron on one side of the surface.
type Corners = SmallVec<[usize; 4]>;

fn stitch(grid: &Grid, cubes: &[IVec3], values: &[f32]) -> RawSurface {
    let mut surface = RawSurface::default();
    let mut vertex_of_edge: FxHashMap<(u32, u32), u32> = FxHashMap::default();
    for &cube in cubes {
        let points: [IVec3; 8] = std::array::from_fn(|b| corner(cube, b));
        let inside = points.map(|p| values[grid.at(p)] < 0.0);
        if inside.iter().all(|&i| i == inside[0]) {
            continue;
        }
        let odd = (cube.x + cube.y + cube.z) % 2 != 0;
        for tetrahedron in if odd { ODD_CUBE } else { EVEN_CUBE } {
            let (ins, outs): (Corners, Corners) = tetrahedron.into_iter().partition(|&b| inside[b]);
            let ring: &[(usize, usize)] = match (&ins[..], &outs[..]) {
                (&[a], &[c, d, e]) => &[(a, c), (a, d), (a, e)],
                (&[a, b, f], &[c]) => &[(a, c), (b, c), (f, c)],
                (&[a, b], &[c, d]) => &[(a, c), (a, d), (b, d), (b, c)],
                _ => continue,
            };
            // Orientation from the edges' middles, which no rounding can flatten.
            let middle = |&(i, o): &(usize, usize)| (points[i] + points[o]).as_dvec3();
            let m = [&ring[0], &ring[1], &ring[2]].map(middle);
            let outward = (points[ring[0].1] - points[ring[0].0]).as_dvec3();
            let flip = (m[1] - m[0]).cross(m[2] - m[0]).dot(outward) < 0.0;
            let mut corners: SmallVec<[u32; 4]> = ring
                .iter()
                .map(|&(i, o)| {
                    let (i, o) = (points[i], points[o]);
                    let (ki, ko) = (grid.at(i), grid.at(o));
                    *vertex_of_edge
                        .entry((ki.min(ko) as u32, ki.max(ko) as u32))
                        .or_insert_with(|| {
                            let (vi, vo) = (f64::from(values[ki]), f64::from(values[ko]));
                            let t = (vi / (vi - vo)).clamp(EDGE_MARGIN, 1.0 - EDGE_MARGIN);
                            surface.positions.push(grid.position(i).lerp(grid.position(o), t));
                            surface.positions.len() as u32 - 1
                        })
                })
                .collect();
            if flip {
                corners.reverse();
            }
            surface.triangles.push([corners[0], corners[1], corners[2]]);
            if let [a, _, c, d] = corners[..] {
                surface.triangles.push([a, c, d]);
            }
        }
    }
    surface
}
