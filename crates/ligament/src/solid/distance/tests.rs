//! Distances against Dijkstra's algorithm, one bone at a time.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::DVec3;

use super::sources::SourceFit;
use super::*;
use crate::character::{BoneShape, LEAF_STUB, bones_of};
use crate::geometry::WeldedMesh;
use crate::sample;
use crate::solid::{Bits, Solid, SolidOptions};
use crate::task::Task;

/// A solid, its bones and its leaves.
fn prepared(name: &str, resolution: u32, sparse: bool) -> (Leaves, Sources) {
    let character = sample::make(name).unwrap();
    let surface = WeldedMesh::of(&character.mesh);
    let options = SolidOptions {
        resolution,
        ..SolidOptions::default()
    };
    let solid = Solid::of(&surface, &options, &Task::unattended()).unwrap();
    let deforms = vec![true; character.skeleton.joints.len()];
    let bones: Vec<BoneShape> = bones_of(&character.skeleton, &deforms, LEAF_STUB)
        .into_iter()
        .map(|b| b.shape)
        .collect();
    let sources = Sources::of(&solid, &bones);
    let leaves = Leaves::of(&solid, &sources.voxels(solid.grid.counts), sparse, true);
    (leaves, sources)
}

/// One bone at a time with a heap (Dionne and de Lasa 2013, algorithm 1).
fn dijkstra(leaves: &Leaves, starts: &[(usize, f64)], metric: &Metric) -> Vec<u32> {
    let costs = metric.costs(leaves);
    let mut best = vec![UNREACHED; leaves.len()];
    let mut heap = BinaryHeap::new();
    for &(leaf, distance) in starts {
        heap.push(Reverse((metric.units(distance), leaf)));
    }
    while let Some(Reverse((units, leaf))) = heap.pop() {
        if best[leaf] != UNREACHED {
            continue;
        }
        best[leaf] = units;
        for n in leaves.neighbours(leaf) {
            heap.push(Reverse((units + costs[leaves.level(leaf)][n.step()], n.leaf())));
        }
    }
    best
}

#[test]
fn sweeps_give_what_dijkstra_gives_bone_by_bone() {
    for (name, sparse) in [("hand@1200", true), ("knight@2000", true), ("hound@2000", false)] {
        let (leaves, sources) = prepared(name, 48, sparse);
        let found = all_distances(&leaves, &sources, 4.0, &Task::unattended()).unwrap();
        for (bone, starts) in sources.leaves(&leaves).iter().enumerate() {
            let wanted = dijkstra(&leaves, starts, &found.metric);
            for leaf in 0..leaves.len() {
                let units = found.rows(leaf).flatten().nth(bone).copied().unwrap();
                let wanted = wanted[leaf].min(u32::from(u16::MAX)) as u16;
                assert_eq!(units, wanted, "{name}: leaf {leaf}, bone {bone}");
            }
        }
    }
}

#[test]
fn the_nearest_bones_are_the_first_of_all() {
    for (name, k) in [("hand@1200", 4), ("knight@2000", 3), ("hound@2000", 100)] {
        let (leaves, sources) = prepared(name, 48, true);
        let found = nearest_distances(&leaves, &sources, k, 4.0, &Task::unattended()).unwrap();
        let all: Vec<Vec<u32>> = sources
            .leaves(&leaves)
            .iter()
            .map(|s| dijkstra(&leaves, s, &found.metric))
            .collect();
        for leaf in 0..leaves.len() {
            let mut wanted: Vec<(u32, usize)> = all
                .iter()
                .enumerate()
                .map(|(bone, d)| (d[leaf], bone))
                .filter(|d| d.0 != UNREACHED)
                .collect();
            wanted.sort_unstable();
            wanted.truncate(k);
            let listed: Vec<(u32, usize)> = found
                .of_leaf(leaf)
                .map(|(bone, d)| (found.metric.units(d), bone))
                .collect();
            assert_eq!(listed, wanted, "{name}: leaf {leaf}");
        }
    }
}

/// In a solid box the distance to a point is that of the chamfer metric: straight along
/// the axes and diagonals, and never more than a tenth longer than the straight line.
#[test]
fn distances_in_a_box_are_nearly_straight() {
    let grid = crate::solid::Grid {
        origin: DVec3::ZERO,
        size: 1.0,
        counts: glam::UVec3::splat(32),
    };
    let mut interior = Bits::new(grid.counts);
    for v in 0..32u32.pow(3) {
        interior.set(glam::UVec3::new(v % 32, v / 32 % 32, v / 1024), true);
    }
    let solid = Solid {
        grid,
        boundary: Bits::new(grid.counts),
        interior,
        ambiguous: Bits::new(grid.counts),
        winding_numbers_asked: 0,
        flipped_shells: Vec::new(),
        flipped_faces: 0,
    };
    let source = grid.centre(glam::UVec3::splat(4));
    let sources = Sources::of(&solid, &[BoneShape::Point(source)]);
    assert_eq!(sources.fit, [SourceFit::Inside(1.0)]);
    let leaves = Leaves::of(&solid, &sources.voxels(grid.counts), false, true);
    let found = all_distances(&leaves, &sources, 4.0, &Task::unattended()).unwrap();
    for leaf in 0..leaves.len() {
        let straight = leaves.centre(leaf).distance(source);
        let path = found.voxels(leaf, 0);
        assert!(
            path >= 0.99 * straight && path <= 1.13 * straight + 0.01,
            "{path} for {straight}"
        );
    }
}

#[test]
fn volumes_and_bones_outside_have_sources_too() {
    let character = sample::make("tube").unwrap();
    let surface = WeldedMesh::of(&character.mesh);
    let solid = Solid::of(&surface, &SolidOptions::default(), &Task::unattended()).unwrap();
    let first = surface.points[0];
    let (low, high) = surface
        .points
        .iter()
        .fold((first, first), |(l, h), &p| (l.min(p), h.max(p)));
    let far = high + (high - low);
    let bones = [
        BoneShape::Sphere {
            centre: (low + high) / 2.0,
            radius: (high - low).min_element() / 3.0,
        },
        BoneShape::Point(far),
        BoneShape::Segment {
            head: (low + high) / 2.0,
            tail: far,
        },
        BoneShape::Box {
            bind_from_box: glam::DAffine3::from_translation((low + high) / 2.0),
            half_extent: DVec3::splat(1e-9),
        },
    ];
    let sources = Sources::of(&solid, &bones);
    assert_eq!(sources.fit[0], SourceFit::Inside(1.0));
    assert!(sources.of_bone[0].len() > 100);
    assert!(matches!(sources.fit[1], SourceFit::Snapped(d) if d > 0.0));
    assert_eq!(sources.of_bone[1].len(), 1);
    assert!(matches!(sources.fit[2], SourceFit::Inside(fraction) if fraction > 0.0 && fraction < 1.0));
    assert_eq!(sources.of_bone[3].len(), 1);
}
