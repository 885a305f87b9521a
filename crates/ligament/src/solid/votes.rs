//! Which voxels are inside, by the votes of six views.
//!
//! Dionne and de Lasa 2013, section 4, equations 5 and 6: look along an axis with the near
//! plane at a voxel; if the first face behind it shows its back, this view votes
//! *interior*. That asks one question of each voxel's centre: is the next surface crossed
//! along the view one that the ray leaves the solid by? So the six times r rendered slices
//! of the paper collapse into three sweeps: find where each column of voxels crosses the
//! surface, sort the crossings once, and read both views of the axis off the list.
//!
//! Columns are sampled at voxel centres with corners rounded to 1/4096 of a voxel and the
//! top-left rule of rasterisers in exact integers, so a column that passes through an
//! edge shared by two faces crosses exactly one of them.

use glam::{DVec3, UVec3};
use rayon::prelude::*;

use super::bits::{Bits, SharedBits};

/// Positions of a column are rounded to a voxel over this.
const FRACTIONS: f64 = 4096.0;
/// Crossings closer than this (in voxels) and of opposite direction cancel: a face and
/// its own back, as in a doubled sheet.
const COINCIDENT: f32 = 1e-3;

/// Which views take part: down +x, −x, +y, −y, +z, −z.
pub type Views = [bool; 6];

/// What the votes say of each voxel.
pub struct Votes {
    /// At least two of the axes vote interior.
    pub interior: Bits,
    /// Exactly one does; all voxels, where no axis has a view.
    pub ambiguous: Bits,
}

/// Asks all views. Points are in units of voxels.
pub fn votes(points: &[DVec3], faces: &[[u32; 3]], counts: UVec3, views: Views) -> Votes {
    let axes: Vec<Bits> = (0..3usize)
        .into_par_iter()
        .filter(|&axis| views[2 * axis] || views[2 * axis + 1])
        .map(|axis| {
            axis_votes(
                points,
                faces,
                counts,
                axis,
                [views[2 * axis], views[2 * axis + 1]],
            )
        })
        .collect();
    let mut one = Bits::new(counts);
    let Some(first) = axes.first() else {
        for z in 0..counts.z {
            for y in 0..counts.y {
                for x in 0..counts.x {
                    one.set(UVec3::new(x, y, z), true);
                }
            }
        }
        return Votes {
            interior: Bits::new(counts),
            ambiguous: one,
        };
    };
    one = first.clone();
    let mut two = Bits::new(counts);
    for axis in &axes[1..] {
        two.combine(&one.combined(axis, |a, b| a & b), |t, both| t | both);
        one.combine(axis, |o, a| o | a);
    }
    one.combine(&two, |o, t| o & !t);
    Votes {
        interior: two,
        ambiguous: one,
    }
}

/// A column meets the surface.
#[derive(Clone, Copy)]
struct Crossing {
    /// Where along the axis, in voxels.
    depth: f32,
    /// Whether the surface there looks along the axis: a ray along it leaves the solid.
    leaves: bool,
}

/// The votes of one axis: interior if either of its views says so.
fn axis_votes(points: &[DVec3], faces: &[[u32; 3]], counts: UVec3, axis: usize, views: [bool; 2]) -> Bits {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let columns = counts[u] as usize * counts[v] as usize;
    // Twice over the faces, to count and then to place: no column grows a list of its own. Of a fine mesh most faces lie
    // between columns, which two whole numbers for each point tell.
    let between: Vec<[i32; 2]> = points.iter().map(|p| [gap_at(p[u]), gap_at(p[v])]).collect();
    let is_between = |&[a, b, c]: &[u32; 3]| {
        let [a, b, c] = [a, b, c].map(|p| between[p as usize]);
        (0..2).any(|k| a[k] == b[k] && b[k] == c[k] && a[k] % 2 != 0)
    };
    let mut starts = vec![0u32; columns + 1];
    let each = |visit: &mut dyn FnMut(usize, Crossing)| {
        for face in faces.iter().filter(|face| !is_between(face)) {
            let corners = face.map(|p| points[p as usize]);
            crossings(corners, [u, v, axis], [counts[u], counts[v]], visit);
        }
    };
    each(&mut |column, _| starts[column + 1] += 1);
    for c in 0..columns {
        starts[c + 1] += starts[c];
    }
    let none = Crossing {
        depth: 0.0,
        leaves: false,
    };
    let mut list = vec![none; starts[columns] as usize];
    let mut next = starts.clone();
    each(&mut |column, crossing| {
        list[next[column] as usize] = crossing;
        next[column] += 1;
    });

    // Mark where runs of interior voxels begin and end; filling comes after.
    let ends = SharedBits::new(counts);
    let flip = |column: usize, at: u32| {
        if at < counts[axis] {
            let mut voxel = UVec3::ZERO;
            voxel[u] = (column % counts[u] as usize) as u32;
            voxel[v] = (column / counts[u] as usize) as u32;
            voxel[axis] = at;
            ends.flip(voxel.x, voxel.y, voxel.z);
        }
    };
    for column in 0..columns {
        let found = &mut list[starts[column] as usize..starts[column + 1] as usize];
        if found.is_empty() {
            continue;
        }
        found.sort_unstable_by(|a, b| a.depth.total_cmp(&b.depth).then(a.leaves.cmp(&b.leaves)));
        let found = without_coincident(found);
        for gap in 0..=found.len() {
            // The plus view sees what comes next, the minus view what came before.
            let ahead = views[0] && found.get(gap).is_some_and(|c| c.leaves);
            let behind = views[1] && gap > 0 && !found[gap - 1].leaves;
            if ahead || behind {
                let from = if gap > 0 {
                    first_centre_past(found[gap - 1].depth)
                } else {
                    0
                };
                let to = found
                    .get(gap)
                    .map_or(counts[axis], |c| first_centre_past(c.depth));
                flip(column, from);
                flip(column, to);
            }
        }
    }
    let mut inside = ends.into_bits();
    inside.fill_between(axis);
    inside
}

/// The first voxel whose centre lies beyond a depth.
fn first_centre_past(depth: f32) -> u32 {
    ((depth - 0.5).floor() + 1.0).max(0.0) as u32
}

/// Takes out pairs of crossings at one depth and of opposite direction; returns the rest,
/// still in order.
fn without_coincident(found: &mut [Crossing]) -> &[Crossing] {
    let mut kept = 0;
    for i in 0..found.len() {
        let crossing = found[i];
        let cancels = kept > 0
            && found[kept - 1].leaves != crossing.leaves
            && crossing.depth - found[kept - 1].depth < COINCIDENT;
        if cancels {
            kept -= 1;
        } else {
            found[kept] = crossing;
            kept += 1;
        }
    }
    &found[..kept]
}

/// The nearest fraction. (Rounding by the standard library is a call on plain processors.)
fn to_fixed(slot: f64) -> i64 {
    (slot * FRACTIONS + 0.5f64.copysign(slot)) as i64
}

/// Which centre of a column a coordinate is at (an even number), or which two it lies between (an odd one).
fn gap_at(slot: f64) -> i32 {
    let (one, half) = (FRACTIONS as i64, FRACTIONS as i64 / 2);
    let past = to_fixed(slot).saturating_sub(half);
    // Beyond every grid all columns are one.
    let column = past.div_euclid(one).clamp(-1 << 24, 1 << 24) as i32;
    2 * column + i32::from(past.rem_euclid(one) != 0)
}

/// Calls `visit` with the column and the depth of every crossing of a triangle with the
/// columns along `w`.
fn crossings(
    corners: [DVec3; 3],
    [u, v, w]: [usize; 3],
    [columns_u, columns_v]: [u32; 2],
    visit: &mut dyn FnMut(usize, Crossing),
) {
    let fixed = corners.map(|p| [to_fixed(p[u]), to_fixed(p[v])]);
    let [a, b, c] = fixed;
    let doubled_area = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
    if doubled_area == 0 {
        return;
    }
    let sign = doubled_area.signum();
    let one = FRACTIONS as i64;
    let half = one / 2;
    // Columns whose centres lie within the triangle's bounds.
    let span = |k: usize, count: u32| {
        let (low, high) = (a[k].min(b[k]).min(c[k]), a[k].max(b[k]).max(c[k]));
        let first = (low - half + one - 1).div_euclid(one).max(0);
        let last = (high - half).div_euclid(one).min(i64::from(count) - 1);
        (first, last)
    };
    let ((first_u, last_u), (first_v, last_v)) = (span(0, columns_u), span(1, columns_v));
    if first_u > last_u || first_v > last_v {
        return;
    }
    // For each corner the edge that faces it: its value there over the area is the
    // corner's share in the depth.
    let edges: [(i64, i64, i64, i64); 3] = std::array::from_fn(|k| {
        let (p, q) = (fixed[(k + 1) % 3], fixed[(k + 2) % 3]);
        let (du, dv) = (sign * (q[0] - p[0]), sign * (q[1] - p[1]));
        // The centres on an edge belong to the face on one side of it only.
        let owns = dv < 0 || dv == 0 && du < 0;
        let at_first = du * (first_v * one + half - p[1]) - dv * (first_u * one + half - p[0]);
        (at_first, -dv * one, du * one, i64::from(owns) - 1)
    });
    let depths = corners.map(|p| p[w]);
    let per_area = 1.0 / doubled_area.abs() as f64;
    for j in 0..=last_v - first_v {
        for i in 0..=last_u - first_u {
            let value = edges.map(|(start, step_u, step_v, _)| start + i * step_u + j * step_v);
            if (0..3).any(|k| value[k] + edges[k].3 < 0) {
                continue;
            }
            let depth: f64 = (0..3).map(|k| value[k] as f64 * depths[k]).sum::<f64>() * per_area;
            let column = (first_v + j) as usize * columns_u as usize + (first_u + i) as usize;
            visit(
                column,
                Crossing {
                    depth: depth as f32,
                    leaves: sign > 0,
                },
            );
        }
    }
}
