//! The solid against naive references.

use std::collections::BTreeSet;

use glam::{DVec3, UVec3};

use super::*;
use crate::geometry::winding_number;
use crate::sample;

fn surface(name: &str) -> WeldedMesh {
    WeldedMesh::of(&sample::make(name).unwrap().mesh)
}

fn solid(surface: &WeldedMesh, options: &SolidOptions) -> Solid {
    Solid::of(surface, options, &Task::unattended()).unwrap()
}

fn at(resolution: u32) -> SolidOptions {
    SolidOptions {
        resolution,
        ..SolidOptions::default()
    }
}

fn all(counts: UVec3) -> impl Iterator<Item = UVec3> {
    (0..counts.z)
        .flat_map(move |z| (0..counts.y).flat_map(move |y| (0..counts.x).map(move |x| UVec3::new(x, y, z))))
}

/// Where a line through `origin` along an axis meets a triangle: the depth, and whether
/// the face looks along the axis. In floating point, by barycentric coordinates.
fn meets(corners: [DVec3; 3], origin: DVec3, axis: usize) -> Option<(f64, bool)> {
    let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
    let cross = |a: DVec3, b: DVec3| a[u] * b[v] - a[v] * b[u];
    let [a, b, c] = corners.map(|p| p - origin);
    let area = cross(b - a, c - a);
    if area == 0.0 {
        return None;
    }
    let fractions = [cross(b, c) / area, cross(c, a) / area, cross(a, b) / area];
    fractions.iter().all(|&s| s >= 0.0).then(|| {
        (
            (fractions[0] * a + fractions[1] * b + fractions[2] * c)[axis],
            area > 0.0,
        )
    })
}

/// The vote of one axis at one point, by looking at every face.
fn naive_vote(surface: &WeldedMesh, point: DVec3, axis: usize) -> bool {
    let mut found: Vec<(f64, bool)> = (0..surface.faces.len())
        .filter_map(|f| meets(surface.corners(f), point, axis))
        .collect();
    found.sort_by(|a, b| a.0.total_cmp(&b.0));
    let split = found.partition_point(|c| c.0 <= 0.0);
    found.get(split).is_some_and(|c| c.1) || split > 0 && !found[split - 1].1
}

/// Ray casting for every voxel, on a closed character, on one made of open and crossing
/// shells, and on a sheet with no inside.
#[test]
fn votes_agree_with_casting_rays_from_every_voxel() {
    for (name, resolution) in [("hand@1200", 36), ("knight@2000", 28), ("skirt", 20)] {
        let surface = surface(name);
        let options = SolidOptions {
            flip_inside_out: false,
            winding_numbers: false,
            ..at(resolution)
        };
        let found = solid(&surface, &options);
        let (mut asked, mut wrong) = (0, 0);
        for voxel in all(found.grid.counts).filter(|&v| !found.boundary.get(v)) {
            let votes = (0..3)
                .filter(|&axis| naive_vote(&surface, found.grid.centre(voxel), axis))
                .count();
            asked += 1;
            wrong += usize::from((votes >= 2) != found.interior.get(voxel));
            wrong += usize::from((votes == 1) != found.ambiguous.get(voxel));
        }
        // Corners are rounded to 1/4096 of a voxel, so a ray that grazes a rim may differ.
        assert!(wrong * 2000 <= asked, "{name}: {wrong} of {asked}");
    }
}

#[test]
fn a_closed_surface_needs_no_winding_number() {
    let surface = surface("hand@4000");
    let found = solid(&surface, &at(64));
    assert_eq!(found.ambiguous.count(), 0);
    for voxel in all(found.grid.counts)
        .step_by(97)
        .filter(|&v| !found.boundary.get(v))
    {
        let inside = winding_number(&surface, found.grid.centre(voxel)) > 0.5;
        assert_eq!(found.interior.get(voxel), inside, "{voxel}");
    }
}

#[test]
fn every_boundary_voxel_is_touched_and_every_vertex_is_in_one() {
    let surface = surface("knight@2000");
    let found = solid(&surface, &at(64));
    for p in &surface.points {
        assert_eq!(found.kind(found.grid.voxel_at(p.as_vec3())), VoxelKind::Boundary);
    }
    let mut naive = BTreeSet::new();
    for face in 0..surface.faces.len() {
        let corners = surface.corners(face).map(|p| found.grid.grid_from_bind(p));
        boundary::triangle_voxels(corners, |x, y, z| {
            naive.insert([z, y, x]);
        });
    }
    let marked: Vec<[u32; 3]> = found.boundary.ones().map(|v| [v.z, v.y, v.x]).collect();
    assert_eq!(naive.into_iter().collect::<Vec<_>>(), marked);
}

/// A box without its top, seen from above: winding numbers fill what one axis does not see.
#[test]
fn winding_numbers_decide_where_the_votes_do_not_agree() {
    let mut open = WeldedMesh::of(&sample::make("tube").unwrap().mesh);
    // Take the caps off and a strip out of one side.
    let (low, high) = bounds(&open);
    let centre = |f: usize| open.corners(f).iter().sum::<DVec3>() / 3.0;
    let axis = (high - low).max_position();
    let keep: Vec<[u32; 3]> = (0..open.faces.len())
        .filter(|&f| {
            let c = centre(f);
            c[axis] > low[axis] + 0.02 * (high - low)[axis]
                && c[axis] < high[axis] - 0.02 * (high - low)[axis]
        })
        .map(|f| open.faces[f])
        .collect();
    open.faces = keep;
    let with = solid(&open, &at(64));
    let without = solid(
        &open,
        &SolidOptions {
            winding_numbers: false,
            ..at(64)
        },
    );
    assert!(with.winding_numbers_asked <= with.ambiguous.count());
    let decided = with.interior.combined(&without.interior, |a, b| a & !b);
    for voxel in with.ambiguous.ones() {
        let number = winding_number(&open, with.grid.centre(voxel));
        if (number - 0.5).abs() > 0.1 {
            assert_eq!(decided.get(voxel), number > 0.5, "{voxel}: {number}");
        }
    }
}

fn bounds(surface: &WeldedMesh) -> (DVec3, DVec3) {
    let first = surface.points[0];
    surface
        .points
        .iter()
        .fold((first, first), |(l, h), &p| (l.min(p), h.max(p)))
}

#[test]
fn excluded_views_leave_the_rest_to_decide() {
    let surface = surface("hand@1200");
    let all_views = solid(&surface, &at(48));
    for views in [
        [true, true, true, true, false, false],
        [true, false, true, false, true, false],
        [true, true, false, false, false, false],
        [false; 6],
    ] {
        let some = solid(&surface, &SolidOptions { views, ..at(48) });
        let differ = some.interior.combined(&all_views.interior, |a, b| a ^ b).count();
        assert!(differ * 500 <= all_views.interior.count(), "{views:?}: {differ}");
    }
}

#[test]
fn shells_inside_out_are_turned_over() {
    let mut surface = surface("hand@1200");
    let upright = solid(&surface, &at(48));
    for face in &mut surface.faces {
        face.swap(0, 1);
    }
    let flipped = solid(&surface, &at(48));
    assert_eq!(flipped.flipped_shells, [0]);
    assert_eq!(flipped.interior, upright.interior);
    let as_it_is = solid(
        &surface,
        &SolidOptions {
            flip_inside_out: false,
            ..at(48)
        },
    );
    assert_ne!(as_it_is.interior, upright.interior);
}

#[test]
fn a_user_paints_voxels_in_and_out() {
    let surface = surface("hand@1200");
    let plain = solid(&surface, &at(48));
    let (low, high) = bounds(&surface);
    let ball = |inside| Paint {
        shape: BoneShape::Sphere {
            centre: (low + high) / 2.0,
            radius: (high - low).max_element() / 4.0,
        },
        inside,
    };
    let with = |paint: Vec<Paint>| solid(&surface, &SolidOptions { paint, ..at(48) });
    let (filled, carved) = (with(vec![ball(true)]), with(vec![ball(false)]));
    assert!(filled.interior.count() > plain.interior.count());
    assert!(carved.interior.count() < plain.interior.count());
    assert_eq!(filled.boundary, plain.boundary);
    for voxel in all(plain.grid.counts).filter(|&v| !plain.boundary.get(v)) {
        let painted = ball(true).shape.distance(plain.grid.centre(voxel)) == 0.0;
        assert_eq!(filled.interior.get(voxel), painted || plain.interior.get(voxel));
        assert_eq!(carved.interior.get(voxel), !painted && plain.interior.get(voxel));
    }
    assert_eq!(with(vec![ball(true), ball(false)]), carved);
}

/// Leaves cover the solid once, differ by one level at most from their neighbours, and
/// know exactly the leaves that they touch.
#[test]
fn leaves_tile_the_solid_and_know_whom_they_touch() {
    let surface = surface("hand@1200");
    let found = solid(&surface, &at(64));
    let none = Bits::new(found.grid.counts);
    let leaves = Leaves::of(&found, &none, true, true);
    let mut volume = 0u64;
    for voxel in all(found.grid.counts) {
        let leaf = leaves.leaf_of_voxel(voxel.x as i32, voxel.y as i32, voxel.z as i32);
        if found.kind(voxel) != VoxelKind::Exterior {
            assert!(leaf.is_some(), "{voxel}");
        }
        if found.boundary.get(voxel) {
            assert!(leaf.is_some_and(|l| leaves.is_boundary(l) && leaves.level(l) == 0));
        }
        volume += u64::from(leaf.is_some());
    }
    let sizes: u64 = (0..leaves.len()).map(|l| 8u64.pow(leaves.level(l) as u32)).sum();
    assert!(
        volume <= sizes && sizes < volume + volume / 10,
        "{volume} voxels in cells of {sizes}"
    );
    assert!(leaves.len() < found.voxels().count());

    let span = |leaf: usize| {
        let size = 1u32 << leaves.level(leaf);
        let low = (leaves.cell(leaf) * size).as_ivec3();
        (low, low + size as i32)
    };
    for leaf in (0..leaves.len()).step_by(53) {
        let (low, high) = span(leaf);
        let touching: BTreeSet<usize> = (0..leaves.len())
            .filter(|&other| {
                let (l, h) = span(other);
                other != leaf && l.cmple(high).all() && low.cmple(h).all()
            })
            .collect();
        let listed: Vec<usize> = leaves.neighbours(leaf).iter().map(|n| n.leaf()).collect();
        assert_eq!(
            listed.iter().copied().collect::<BTreeSet<_>>(),
            touching,
            "leaf {leaf}"
        );
        assert_eq!(listed.len(), touching.len(), "a neighbour twice at leaf {leaf}");
        for n in leaves.neighbours(leaf) {
            assert!(leaves.level(n.leaf()).abs_diff(leaves.level(leaf)) <= 1);
            let cost = Leaves::step_costs(leaves.level(leaf), 4.0)[n.step()];
            let apart = leaves.centre(leaf).distance(leaves.centre(n.leaf())) / leaves.grid.size;
            let penalty = if leaves.is_boundary(n.leaf()) { 4.0 } else { 1.0 };
            assert!((cost - penalty * apart).abs() < 1e-9, "{cost} for {apart}");
        }
    }
}

#[test]
fn without_sparsity_every_voxel_is_a_leaf() {
    let found = solid(&surface("hand@1200"), &at(32));
    let leaves = Leaves::of(&found, &Bits::new(found.grid.counts), false, false);
    assert_eq!(leaves.len(), found.voxels().count());
    assert!((0..leaves.len()).all(|l| leaves.neighbours(l).len() <= 6));
}

#[test]
fn cancelling_stops_the_voxels() {
    let token = crate::task::CancelToken::new();
    token.cancel();
    let watch = |_: &'static str, _: f32| {};
    let task = Task::new(token, &watch);
    assert_eq!(Solid::of(&surface("hand@1200"), &at(32), &task), Err(Cancelled));
}
