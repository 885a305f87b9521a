//! Humanoids by their landmarks, in samples whose joints are known.

use glam::{DVec3, IVec3, Vec3};

use super::super::tests::misplaced_at;
use super::half::Half;
use super::paths::Paths;
use super::*;
use crate::character::Mesh;
use crate::rig::extract::{Axes, Voxels};
use crate::rig::{ExtractOptions, Extracted, extract};
use crate::task::Task;
use StandardBone as B;

fn extracted(mesh: &Mesh) -> Extracted {
    extract(mesh, &ExtractOptions::default(), &Task::unattended()).unwrap()
}

fn by_landmarks(mesh: &Mesh) -> Humanoid {
    let found = extracted(mesh);
    let half = Half::of(&found.whole.voxels, found.whole.stands[0]).unwrap();
    humanoid(&half).unwrap().body
}

#[test]
fn landmarks_alone_place_the_joints_of_samples() {
    for name in ["athlete@4000", "apose@4000"] {
        let character = crate::sample::make(name).unwrap();
        let body = by_landmarks(&character.mesh);
        let off = misplaced_at(&character, |bone| body.bones[&bone].at, 0.08);
        assert!(off.is_empty(), "{name}: {off:?}");
        let far = misplaced_at(&character, |bone| body.bones[&bone].at, 0.05);
        assert!(far.len() <= 4, "{name}: {far:?}");
    }
}

/// A body turned about the vertical by half a turn looks the other path, and its sides with it.
#[test]
fn feet_say_which_side_is_left() {
    let character = crate::sample::make("athlete@4000").unwrap();
    let mut mesh = character.mesh.clone();
    let ahead = by_landmarks(&mesh);
    for p in &mut mesh.positions {
        *p = Vec3::new(-p.x, p.y, -p.z);
    }
    let back = by_landmarks(&mesh);
    assert!(ahead.bones[&B::LeftHand].at.x > 0.2);
    assert!(back.bones[&B::LeftHand].at.x < -0.2);
    assert!(ahead.frame.forward.z > 0.9 && back.frame.forward.z < -0.9);
}

#[test]
fn an_animal_is_no_humanoid_by_its_landmarks() {
    let character = crate::sample::make("hound@3000").unwrap();
    let none = Err(super::super::TemplateError::OtherBody {
        wanted: "humanoid",
        found: String::new(),
    });
    let found = extracted(&character.mesh);
    assert!(super::super::rivals::chosen(none, &found.whole).is_err());
}

/// Every path costs what the cheapest step into its end says, by a plain sum over all edges until nothing changes.
#[test]
fn paths_are_the_cheapest() {
    let size = IVec3::new(9, 11, 7);
    let mut voxels = Voxels {
        origin: DVec3::new(-4.5, 0.0, 0.0),
        cell: 1.0,
        size,
        solid: vec![false; 9 * 11 * 7],
    };
    // A block with a wall in it that has one hole, the same on both sides.
    for at in 0..voxels.solid.len() {
        let v = voxels.voxel(at);
        let inner = v.cmpge(IVec3::ONE).all() && v.cmplt(size - 1).all();
        let hole = (v.x - 4).abs() == 3 && v.z == 2;
        voxels.solid[at] = inner && (v.y != 5 || hole);
    }
    let axes: Axes = Axes::candidates(&voxels)[0];
    let half = Half::of(&voxels, axes).unwrap();
    assert_eq!(half.kept, 1.0);
    let price = |at: usize| 1.0 + (at % 5) as f64;
    let source = half.solid().next().unwrap();
    let paths = Paths::from(&half, &[source], price);
    let solid: Vec<usize> = half.solid().collect();
    let mut naive = vec![f64::INFINITY; half.grid.solid.len()];
    naive[source] = 0.0;
    loop {
        let mut changed = false;
        for &a in &solid {
            for &b in &solid {
                let step = (half.grid.voxel(a) - half.grid.voxel(b)).abs();
                if a == b || step.max_element() > 1 {
                    continue;
                }
                let cost = naive[a] + step.as_dvec3().length() * price(b);
                if cost < naive[b] - 1e-12 {
                    naive[b] = cost;
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    for &at in &solid {
        assert!((paths.cost[at] - naive[at]).abs() < 1e-9, "{at}");
        let path = paths.back(at);
        assert_eq!((path[0], *path.last().unwrap()), (at, source));
    }
}

/// A body of blocks, each symmetric and given by how far it is from the plane, up and along Z.
type Block = ([f64; 2], [i32; 2], [i32; 2]);

fn figure(blocks: &[Block]) -> Half {
    let size = IVec3::new(40, 56, 24);
    let mut voxels = Voxels {
        origin: DVec3::new(-20.0, 0.0, 0.0),
        cell: 1.0,
        size,
        solid: vec![false; (size.x * size.y * size.z) as usize],
    };
    for at in 0..voxels.solid.len() {
        let v = voxels.voxel(at);
        let x = (f64::from(v.x) - 19.5).abs();
        voxels.solid[at] = blocks.iter().any(|(aside, up, along)| {
            (aside[0]..aside[1]).contains(&x)
                && (up[0]..up[1]).contains(&v.y)
                && (along[0]..along[1]).contains(&v.z)
        });
    }
    Half::of(&voxels, Axes::candidates(&voxels)[0]).unwrap()
}

const LEG: Block = ([1.0, 5.0], [2, 24], [12, 17]);
const FOOT: Block = ([1.0, 5.0], [2, 4], [12, 21]);
const TRUNK: Block = ([0.0, 5.0], [24, 44], [11, 18]);
const HEAD: Block = ([0.0, 3.0], [44, 54], [12, 17]);
const ARM: Block = ([0.0, 11.0], [38, 42], [13, 16]);

/// A cape behind the legs, and its hem on the ground, are none of them; nor is one that is thicker than the shin where that is thinnest.
#[test]
fn a_cape_does_not_draw_the_legs_back() {
    let seen = |blocks: &[Block]| {
        let marks = Landmarks::of(&figure(blocks)).unwrap();
        (at_height(&marks.shin, 10.0).unwrap(), marks.toes, marks.facing)
    };
    let plain = seen(&[LEG, FOOT, TRUNK, HEAD, ARM]);
    assert!(plain.0.z > 13.0 && plain.2 == 1.0, "{plain:?}");
    let cape = ([0.0, 5.0], [2, 40], [3, 5]);
    let thick = ([1.0, 6.0], [6, 40], [3, 8]);
    let thin = ([2.0, 4.0], [9, 12], [13, 15]);
    let [above, below] = [([1.0, 5.0], [12, 24], [12, 17]), ([1.0, 5.0], [2, 9], [12, 17])];
    let caped = seen(&[LEG, FOOT, TRUNK, HEAD, ARM, cape]);
    let waisted = seen(&[above, thin, below, FOOT, TRUNK, HEAD, ARM, thick]);
    for other in [caped, waisted] {
        assert!(plain.0.distance(other.0) < 0.6, "{plain:?} {other:?}");
        assert!(
            plain.1.distance(other.1) < 0.5 && other.2 == 1.0,
            "{plain:?} {other:?}"
        );
    }
}

/// A leg begins in its own middle, however far aside; under a robe none is seen.
#[test]
fn legs_begin_in_their_middle() {
    let apart = ([6.0, 10.0], [2, 24], [12, 17]);
    let hips = ([0.0, 10.0], [24, 28], [11, 18]);
    let top = leg_top(&figure(&[apart, hips, TRUNK, HEAD, ARM])).unwrap();
    assert!((top.x - 8.0).abs() < 0.3 && (top.z - 14.5).abs() < 0.3, "{top}");
    assert!(top.y > 21.0 && top.y < 24.0, "{top}");
    let robe = ([0.0, 6.0], [2, 26], [11, 18]);
    assert!(leg_top(&figure(&[robe, TRUNK, HEAD, ARM])).is_none());
}

/// Where a hood gets smaller upward without a neck, the bend is where it meets the shoulders; a body that does not bend has none.
#[test]
fn the_nape_is_where_the_outline_bends_in() {
    // From 10 wide at 38 to 3 at 44, and on to 2 at the top.
    let mut hooded = vec![LEG, ([0.0, 10.0], [24, 38], [11, 18])];
    for k in 0..6 {
        let wide = 10.0 - 7.0 * f64::from(k + 1) / 6.0;
        hooded.push(([0.0, wide], [38 + k, 39 + k], [11, 18]));
    }
    hooded.push(([0.0, 3.0], [44, 50], [11, 18]));
    hooded.push(([0.0, 2.0], [50, 54], [11, 18]));
    let half = figure(&hooded);
    assert!(Landmarks::of(&half).unwrap().neck.is_none());
    let found = nape(&half, 34.0).unwrap();
    assert!((found - 44.0).abs() < 1.6, "{found}");
    let block = figure(&[LEG, ([0.0, 8.0], [24, 54], [11, 18])]);
    assert_eq!(nape(&block, 40.0), None);
}
