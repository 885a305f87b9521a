//! Where bones are in a solid.

use glam::{DVec3, UVec3};
use rayon::prelude::*;

use crate::character::BoneShape;
use crate::solid::boundary::segment_voxels;
use crate::solid::{Bits, Leaves, Solid};

/// The voxels that each bone starts from.
#[derive(Debug, Clone, PartialEq)]
pub struct Sources {
    /// For each bone its voxels and how far their middles are from it, in voxels.
    pub of_bone: Vec<Vec<(UVec3, f64)>>,
    /// For each bone how it lies in the solid.
    pub fit: Vec<SourceFit>,
}

/// How a bone lies in the solid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SourceFit {
    /// At least in part inside: the fraction of its voxels that are.
    Inside(f64),
    /// Wholly outside: it starts from the nearest voxel of the solid, this far away.
    Snapped(f64),
}

impl Sources {
    /// Finds the bones' voxels.
    pub fn of(solid: &Solid, bones: &[BoneShape]) -> Self {
        let (of_bone, fit) = bones.par_iter().map(|bone| voxels_of(solid, bone)).unzip();
        Self { of_bone, fit }
    }

    /// The sources of groups of bones as if each group were one bone: bone i belongs to
    /// group `group[i]`.
    pub fn merged(&self, group: &[usize]) -> Self {
        let groups = group.iter().max().map_or(0, |g| g + 1);
        let mut merged = Self {
            of_bone: vec![Vec::new(); groups],
            fit: vec![SourceFit::Snapped(f64::INFINITY); groups],
        };
        for (bone, &group) in group.iter().enumerate() {
            merged.of_bone[group].extend(&self.of_bone[bone]);
            merged.fit[group] = match (merged.fit[group], self.fit[bone]) {
                (SourceFit::Inside(a), SourceFit::Inside(b)) => SourceFit::Inside(a.max(b)),
                (SourceFit::Snapped(a), SourceFit::Snapped(b)) => SourceFit::Snapped(a.min(b)),
                (inside @ SourceFit::Inside(_), _) | (_, inside) => inside,
            };
        }
        merged
    }

    /// All voxels of all bones.
    pub fn voxels(&self, counts: UVec3) -> Bits {
        let mut bits = Bits::new(counts);
        for (voxel, _) in self.of_bone.iter().flatten() {
            bits.set(*voxel, true);
        }
        bits
    }

    /// The leaves that each bone starts from and how far they are from it, in voxels.
    pub fn leaves(&self, leaves: &Leaves) -> Vec<Vec<(usize, f64)>> {
        let leaf = |v: UVec3| leaves.leaf_of_voxel(v.x as i32, v.y as i32, v.z as i32);
        self.of_bone
            .iter()
            .map(|voxels| {
                voxels
                    .iter()
                    .filter_map(|&(v, d)| leaf(v).map(|leaf| (leaf, d)))
                    .collect()
            })
            .collect()
    }
}

fn voxels_of(solid: &Solid, bone: &BoneShape) -> (Vec<(UVec3, f64)>, SourceFit) {
    let grid = &solid.grid;
    let last = (grid.counts - UVec3::ONE).as_dvec3();
    let mut all = 0;
    let mut inside: Vec<(UVec3, f64)> = Vec::new();
    let mut visit = |x: u32, y: u32, z: u32| {
        let voxel = UVec3::new(x, y, z);
        all += 1;
        if solid.boundary.get(voxel) || solid.interior.get(voxel) {
            inside.push((voxel, bone.distance(grid.centre(voxel)) / grid.size));
        }
    };
    match bone {
        BoneShape::Segment { head, tail } => {
            if let Some((from, to)) =
                clipped(grid.grid_from_bind(*head), grid.grid_from_bind(*tail), last + 1.0)
            {
                segment_voxels(from, to, &mut visit);
            }
        }
        BoneShape::Point(at) => {
            let at = grid.grid_from_bind(*at).floor();
            if at.cmpge(DVec3::ZERO).all() && at.cmple(last).all() {
                visit(at.x as u32, at.y as u32, at.z as u32);
            }
        }
        BoneShape::Sphere { centre, radius } => {
            volume(grid, bone, *centre, DVec3::splat(*radius), &mut visit)
        }
        BoneShape::Box {
            bind_from_box,
            half_extent,
        } => {
            let axes = bind_from_box.matrix3;
            let reach = axes.x_axis.abs() * half_extent.x
                + axes.y_axis.abs() * half_extent.y
                + axes.z_axis.abs() * half_extent.z;
            volume(grid, bone, bind_from_box.translation, reach, &mut visit);
        }
    }
    if inside.is_empty() {
        return snapped(solid, bone);
    }
    let fraction = inside.len() as f64 / all as f64;
    (inside, SourceFit::Inside(fraction))
}

/// The voxels whose middles a volume holds; the one of its own middle if it is too small
/// to hold any.
fn volume(
    grid: &crate::solid::Grid,
    shape: &BoneShape,
    middle: DVec3,
    reach: DVec3,
    visit: &mut impl FnMut(u32, u32, u32),
) {
    let (low, high) = (
        grid.voxel_at((middle - reach).as_vec3()),
        grid.voxel_at((middle + reach).as_vec3()),
    );
    let mut any = false;
    for z in low.z..=high.z {
        for y in low.y..=high.y {
            for x in low.x..=high.x {
                if shape.distance(grid.centre(UVec3::new(x, y, z))) == 0.0 {
                    any = true;
                    visit(x, y, z);
                }
            }
        }
    }
    if !any {
        let at = grid.voxel_at(middle.as_vec3());
        visit(at.x, at.y, at.z);
    }
}

/// The part of a segment within the box from zero to `size`, if any.
fn clipped(from: DVec3, to: DVec3, size: DVec3) -> Option<(DVec3, DVec3)> {
    // A hair inside, so that rounding leads to no voxel beyond the last.
    let (low, high) = (DVec3::ZERO, size - 1e-9 * size);
    let along = to - from;
    let (mut enter, mut leave) = (0.0f64, 1.0f64);
    for k in 0..3 {
        if along[k] == 0.0 {
            if from[k] < low[k] || from[k] > high[k] {
                return None;
            }
            continue;
        }
        let (a, b) = ((low[k] - from[k]) / along[k], (high[k] - from[k]) / along[k]);
        enter = enter.max(a.min(b));
        leave = leave.min(a.max(b));
    }
    (enter <= leave).then(|| {
        let at = |fraction: f64| (from + along * fraction).clamp(low, high);
        (at(enter), at(leave))
    })
}

/// The voxel of the surface that is nearest to a bone that lies outside.
fn snapped(solid: &Solid, bone: &BoneShape) -> (Vec<(UVec3, f64)>, SourceFit) {
    let nearest = solid
        .boundary
        .ones()
        .map(|v| (v, bone.distance(solid.grid.centre(v))))
        .min_by(|a, b| a.1.total_cmp(&b.1));
    match nearest {
        // The path from the bone to the surface counts for nothing: it is as if it lay there.
        Some((voxel, distance)) => (vec![(voxel, 0.0)], SourceFit::Snapped(distance)),
        None => (Vec::new(), SourceFit::Snapped(f64::INFINITY)),
    }
}
