//! What biharmonic binding promises.

use glam::{DAffine3, DVec3, UVec3};

use super::*;
use crate::bind::prepared::Notes;
use crate::bind::rules::Rules;
use crate::bind::{BindError, BindOptions, BindResult, BindWarning, Method};
use crate::character::{BoneShape, Character};
use crate::sample;
use crate::skin::Skin;
use crate::solid::{Bits, Grid, Leaves, Resolution, Solid, VolumeLaplacian};
use crate::task::Task;

fn at(resolution: u32) -> BiharmonicOptions {
    let mut options = BiharmonicOptions::default();
    options.solid.resolution = Resolution::Voxels(resolution);
    options
}

fn skin_of(character: &Character) -> Skin {
    Skin::new(character.clone()).unwrap()
}

fn bind(character: &Character, own: BiharmonicOptions) -> BindResult {
    let (skin, options) = (skin_of(character), BindOptions::default());
    Method::Biharmonic(own)
        .bind(&skin, &options, &Task::unattended())
        .unwrap()
}

fn prepared(character: &Character, own: &BiharmonicOptions) -> BiharmonicBinding {
    let (skin, options) = (skin_of(character), BindOptions::default());
    let rules = Rules::of(&skin, &options).unwrap();
    BiharmonicBinding::prepare(&rules, own, &mut Notes::default(), &Task::unattended()).unwrap()
}

/// A solid of those voxels, of size 1, that `inside` names.
fn solid_of(counts: UVec3, inside: impl Fn(UVec3) -> bool) -> Solid {
    let mut interior = Bits::new(counts);
    for z in 0..counts.z {
        for y in 0..counts.y {
            for x in 0..counts.x {
                let voxel = UVec3::new(x, y, z);
                interior.set(voxel, inside(voxel));
            }
        }
    }
    Solid {
        grid: Grid {
            origin: DVec3::ZERO,
            size: 1.0,
            counts,
        },
        boundary: Bits::new(counts),
        ambiguous: Bits::new(counts),
        interior,
        winding_numbers_asked: 0,
        flipped_shells: Vec::new(),
        flipped_faces: 0,
    }
}

/// A box that holds the middles of voxels `low..=high`.
fn box_of(low: [u32; 3], high: [u32; 3]) -> BoneShape {
    let (low, high) = (UVec3::from(low).as_dvec3(), UVec3::from(high).as_dvec3() + 1.0);
    BoneShape::Box {
        bind_from_box: DAffine3::from_translation((low + high) / 2.0),
        half_extent: (high - low) / 2.0 - 0.25,
    }
}

/// The weights of a handle in all voxels of a row along x.
fn along_x(field: &BiharmonicField, handle: u16, count: u32) -> Vec<f64> {
    let weight = |x| {
        let leaf = field.leaves().leaf_of_voxel(x, 1, 1).unwrap();
        let entry = field.of_leaf(leaf).iter().find(|e| e.0 == handle);
        entry.map_or(0.0, |e| f64::from(e.1))
    };
    (0..count as i32).map(weight).collect()
}

/// In one dimension the fourth difference vanishes: between two clamped ends the weights
/// are the cubic through the two given voxels at each end.
#[test]
fn on_a_bar_weights_are_the_cubic() {
    for (gap, thick) in [(5u32, 1u32), (12, 1), (30, 2)] {
        let counts = UVec3::new(gap + 6, 3 + thick, 3 + thick);
        let bar = solid_of(counts, |v| {
            (1..=thick).contains(&v.y) && (1..=thick).contains(&v.z)
        });
        let handles = [
            vec![box_of([0, 1, 1], [2, thick, thick])],
            vec![box_of([gap + 3, 1, 1], [gap + 5, thick, thick])],
        ];
        let field = BiharmonicField::of(&bar, &handles, false, &Task::unattended()).unwrap();
        let nodes = [1.0, 2.0, f64::from(gap) + 3.0, f64::from(gap) + 4.0];
        let cubic = |x: f64| {
            // Lagrange: the first two nodes have the value 1, the others 0.
            let basis = |i: usize| {
                let others = (0..4).filter(|&j| j != i);
                others
                    .map(|j| (x - nodes[j]) / (nodes[i] - nodes[j]))
                    .product::<f64>()
            };
            basis(0) + basis(1)
        };
        for (x, weight) in along_x(&field, 0, counts.x).into_iter().enumerate() {
            let expected = match x {
                0..=2 => 1.0,
                x if x as u32 >= gap + 3 => 0.0,
                x => cubic(x as f64),
            };
            assert!(
                (weight - expected).abs() < 1e-3,
                "{gap} at {x}: {weight} {expected}"
            );
        }
    }
}

/// A bent solid with a thin arm, and three handles.
fn bent() -> (Solid, Vec<Vec<BoneShape>>) {
    let counts = UVec3::new(14, 10, 7);
    let inside = |v: UVec3| {
        let within = |low: [u32; 3], high: [u32; 3]| {
            v.cmpge(UVec3::from(low)).all() && v.cmple(UVec3::from(high)).all()
        };
        within([1, 1, 1], [12, 4, 5]) || within([8, 4, 2], [10, 8, 3]) || within([2, 5, 2], [3, 6, 4])
    };
    let point = |x: f64, y: f64, z: f64| DVec3::new(x, y, z);
    let segment = |head, tail| BoneShape::Segment { head, tail };
    // No bone passes through an edge or a corner of a voxel, where it has a choice.
    let (shoulder, elbow) = (point(6.4, 2.6, 3.4), point(9.6, 3.7, 3.3));
    let handles = vec![
        vec![segment(point(2.5, 2.5, 3.5), shoulder)],
        vec![segment(shoulder, elbow)],
        vec![segment(elbow, point(9.4, 7.6, 2.7))],
    ];
    (solid_of(counts, inside), handles)
}

/// The same quadratic programme by projected coordinate descent on the dense matrix.
fn dense_answer(q: &[Vec<f64>], given: &[Option<f64>], bounds: bool) -> Vec<f64> {
    let mut w: Vec<f64> = given.iter().map(|g| g.unwrap_or(0.5)).collect();
    for _ in 0..20_000 {
        let mut moved = 0f64;
        for i in (0..w.len()).filter(|&i| given[i].is_none()) {
            let pull: f64 = q[i].iter().zip(&w).map(|(q, w)| q * w).sum();
            let mut to = w[i] - pull / q[i][i];
            if bounds {
                to = to.clamp(0.0, 1.0);
            }
            moved = moved.max((to - w[i]).abs());
            w[i] = to;
        }
        if moved < 1e-9 {
            break;
        }
    }
    w
}

/// The answer is that of a dense solver written another way, the bounds matter, and the
/// conditions of Karush, Kuhn and Tucker hold.
#[test]
fn weights_are_the_least_of_the_dense_programme() {
    let (solid, handles) = bent();
    for sparse in [false, true] {
        let field = BiharmonicField::of(&solid, &handles, sparse, &Task::unattended()).unwrap();
        let leaves = field.leaves();
        let laplacian = VolumeLaplacian::of(leaves);
        let n = leaves.len();
        let unit = |i| (0..n).map(|j| f64::from(i == j)).collect::<Vec<f64>>();
        let q: Vec<Vec<f64>> = (0..n).map(|i| laplacian.twice(&unit(i))).collect();
        let diagonal = laplacian.diagonal_of_square();
        let given_of = |leaf: usize| -> Vec<usize> {
            let [low, size] = [leaves.cell(leaf).as_dvec3(), DVec3::ONE] // handles are on fine leaves
                .map(|v| v * f64::from(1u32 << leaves.level(leaf)));
            let passes = |shape: &BoneShape| {
                // Along the segment in small steps, a way of its own to find its voxels.
                let BoneShape::Segment { head, tail } = shape else {
                    return false;
                };
                (0..=4000).any(|i| {
                    let p = head.lerp(*tail, f64::from(i) / 4000.0);
                    p.cmpge(low).all() && p.cmplt(low + size).all()
                })
            };
            (0..handles.len()).filter(|&h| passes(&handles[h][0])).collect()
        };
        let on: Vec<Vec<usize>> = (0..n).map(given_of).collect();
        let mut overshoot = 0f64;
        for handle in 0..handles.len() {
            let given: Vec<Option<f64>> = on
                .iter()
                .map(|on| match on.len() {
                    0 => None,
                    m => Some(if on.contains(&handle) { 1.0 / m as f64 } else { 0.0 }),
                })
                .collect();
            let free = dense_answer(&q, &given, false);
            overshoot = free.iter().fold(overshoot, |m, &w| m.max(-w).max(w - 1.0));
            let expected = dense_answer(&q, &given, true);
            let mut found = vec![0.0; n];
            for (leaf, found) in found.iter_mut().enumerate() {
                let entry = field.of_leaf(leaf).iter().find(|e| usize::from(e.0) == handle);
                *found = entry.map_or(0.0, |e| f64::from(e.1));
            }
            let pull = laplacian.twice(&found);
            for leaf in 0..n {
                let (w, e) = (found[leaf], expected[leaf]);
                assert!((w - e).abs() < 1e-3, "handle {handle}, leaf {leaf}: {w}, not {e}");
                if given[leaf].is_some() {
                    continue;
                }
                let step = -pull[leaf] / diagonal[leaf];
                assert!((0.0..=1.0).contains(&w));
                assert!(
                    w < 1.0 - 1e-3 || step > -1e-3,
                    "held at 1 and pulled down by {step}"
                );
                assert!(w > 1e-3 || step < 1e-4, "held at 0 and pulled up by {step}");
                assert!(!(1e-3..=1.0 - 1e-3).contains(&w) || step.abs() < 1e-4, "{step}");
            }
        }
        assert!(overshoot > 0.02, "the bounds do nothing here: {overshoot}");
    }
}

#[test]
fn every_sample_gets_complete_weights() {
    for name in sample::names().iter().map(|s| s.name) {
        let character = sample::make(name).unwrap();
        let bound = bind(&character, at(32));
        assert_eq!(bound.weights.vertex_count(), character.mesh.positions.len());
        for row in bound.weights.iter() {
            assert!(!row.is_empty() && row.len() <= 4, "{name}");
            assert!(
                (row.iter().map(|i| i.weight).sum::<f32>() - 1.0).abs() < 1e-5,
                "{name}"
            );
        }
    }
}

/// Before they are scaled, the weights of all joints sum to nearly one, as the paper says of
/// programmes solved one by one; and coarse leaves change little.
#[test]
fn weights_sum_to_nearly_one_by_themselves_and_sparse_is_nearly_uniform() {
    let character = sample::make("athlete@3000").unwrap();
    let binding = |uniform: bool| {
        let own = BiharmonicOptions {
            sparse: !uniform,
            ..at(48)
        };
        prepared(&character, &own)
    };
    let (sparse, uniform) = (binding(false), binding(true));
    let leaves = sparse.field().leaves();
    assert!(leaves.len() < uniform.field().leaves().len());
    let off: Vec<f64> = (0..leaves.len())
        .map(|leaf| {
            let sum: f32 = sparse.field().of_leaf(leaf).iter().map(|e| e.1).sum();
            f64::from((sum - 1.0).abs())
        })
        .collect();
    let mean = off.iter().sum::<f64>() / off.len() as f64;
    assert!(mean < 0.05, "sums are {mean} from one on the mean");
    let apart = |p: &glam::Vec3| {
        let (a, b) = (sparse.field().at(p.as_dvec3()), uniform.field().at(p.as_dvec3()));
        a.iter().zip(b).map(|(a, b)| (a - b).abs()).sum::<f64>() / 2.0
    };
    let positions = &character.mesh.positions;
    let mean = positions.iter().map(apart).sum::<f64>() / positions.len() as f64;
    assert!(mean < 0.01, "sparse and uniform voxels are {mean} apart");
}

#[test]
fn weights_at_a_point_are_continuous() {
    let (solid, handles) = bent();
    let field = BiharmonicField::of(&solid, &handles, true, &Task::unattended()).unwrap();
    let mut before: Option<Vec<f64>> = None;
    for i in 0..4000 {
        let p = DVec3::new(1.0, 2.2, 2.6).lerp(DVec3::new(12.4, 4.1, 3.4), f64::from(i) / 4000.0);
        let now = field.at(p);
        assert!((now.iter().sum::<f64>() - 1.0).abs() < 1e-6);
        if let Some(before) = before {
            let jump = before
                .iter()
                .zip(&now)
                .map(|(a, b)| (a - b).abs())
                .fold(0.0, f64::max);
            assert!(jump < 0.01, "{jump} at {p}");
        }
        before = Some(now);
    }
}

#[test]
fn scale_does_not_matter() {
    let character = sample::make("hound@2000").unwrap();
    let weights = bind(&character, at(40)).weights;
    for scale in [1.0 / 1024.0, 4096.0] {
        let mut scaled = character.clone();
        for p in &mut scaled.mesh.positions {
            *p *= scale;
        }
        for joint in &mut scaled.skeleton.joints {
            joint.bind_from_joint.translation *= f64::from(scale);
        }
        assert_eq!(bind(&scaled, at(40)).weights, weights);
    }
}

#[test]
fn a_binding_serves_other_levels_of_detail_and_no_other_skeleton() {
    let fine = sample::make("athlete@4000").unwrap();
    let coarse = sample::make("athlete@1500").unwrap();
    let task = Task::unattended();
    let (binding, bound) = (prepared(&fine, &at(48)), bind(&fine, at(48)));
    let with = |character: &Character, influences: usize| {
        let options = BindOptions {
            influences,
            ..BindOptions::default()
        };
        binding.bind(&skin_of(character), &options, &task)
    };
    assert_eq!(with(&fine, 4).unwrap().weights, bound.weights);
    let rigid = with(&fine, 1).unwrap();
    assert_eq!(rigid.weights.max_influences(), 1);
    // Nearest vertices of the two agree: it is the same field.
    let other = with(&coarse, 4).unwrap().weights;
    let mut off = 0.0;
    for (vertex, p) in coarse.mesh.positions.iter().enumerate() {
        let near = (0..fine.mesh.positions.len())
            .min_by(|&a, &b| {
                let distance = |v: usize| fine.mesh.positions[v].distance(*p);
                distance(a).total_cmp(&distance(b))
            })
            .unwrap();
        let main = other.of_vertex(vertex)[0];
        off += (main.weight - bound.weights.weight(near, main.joint)).abs();
    }
    let mean = off / coarse.mesh.positions.len() as f32;
    assert!(mean < 0.05, "levels of detail are {mean} apart");
    let hound = sample::make("hound@1500").unwrap();
    assert!(matches!(
        with(&hound, 4).err(),
        Some(BindError::BindingDoesNotFit(_))
    ));
}

/// A skeleton beside the mesh is snapped to it and reported; a piece without bones follows
/// what it is nearest to.
#[test]
fn bones_outside_and_pieces_without_bones_are_reported() {
    let mut character = sample::make("tube@500").unwrap();
    let (low, high) = character
        .mesh
        .positions
        .iter()
        .fold((glam::Vec3::INFINITY, glam::Vec3::NEG_INFINITY), |(l, h), &p| {
            (l.min(p), h.max(p))
        });
    for joint in &mut character.skeleton.joints {
        joint.bind_from_joint.translation.x += f64::from(2.0 * (high - low).length());
    }
    let bound = bind(&character, at(32));
    let outside = |w: &BindWarning| matches!(w, BindWarning::BonesOutside { .. });
    assert!(bound.warnings.iter().any(outside), "{:?}", bound.warnings);
    assert_eq!(bound.weights.vertex_count(), character.mesh.positions.len());
}

/// Leaves of a solid are one system: handles that no way joins do not feel each other.
#[test]
fn solids_that_do_not_touch_are_bound_one_by_one() {
    let solid = solid_of(UVec3::new(12, 3, 3), |v| v.x != 5 && v.y == 1 && v.z == 1);
    let handles = [
        vec![box_of([1, 1, 1], [2, 1, 1])],
        vec![box_of([8, 1, 1], [9, 1, 1])],
    ];
    let field = BiharmonicField::of(&solid, &handles, false, &Task::unattended()).unwrap();
    let leaves: &Leaves = field.leaves();
    for leaf in 0..leaves.len() {
        let handle = u16::from(leaves.cell(leaf).x > 5);
        assert!(matches!(field.of_leaf(leaf), [(h, w)] if *h == handle && (w - 1.0).abs() < 1e-5));
    }
    // With one handle only, the other half is reached by none.
    let alone = BiharmonicField::of(&solid, &handles[..1], false, &Task::unattended()).unwrap();
    assert_eq!(alone.at(DVec3::new(9.5, 1.5, 1.5)), [0.0]);
}
