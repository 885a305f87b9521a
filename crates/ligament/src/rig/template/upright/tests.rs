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

/// A cape behind the legs, and its hem on the ground, are none of them.
#[test]
fn a_cape_does_not_draw_the_legs_back() {
    let figure = |cape: bool| {
        let size = IVec3::new(24, 56, 24);
        let mut voxels = Voxels {
            origin: DVec3::new(-12.0, 0.0, 0.0),
            cell: 1.0,
            size,
            solid: vec![false; (size.x * size.y * size.z) as usize],
        };
        for at in 0..voxels.solid.len() {
            let v = voxels.voxel(at);
            let (x, y, z) = ((f64::from(v.x) - 11.5).abs(), v.y, v.z);
            let leg = (1.0..5.0).contains(&x) && (2..24).contains(&y) && (12..17).contains(&z);
            let foot = (1.0..5.0).contains(&x) && (2..4).contains(&y) && (12..21).contains(&z);
            let trunk = x < 5.0 && (24..44).contains(&y) && (11..18).contains(&z);
            let head = x < 3.0 && (44..54).contains(&y) && (12..17).contains(&z);
            let arm = x < 11.0 && (38..42).contains(&y) && (13..16).contains(&z);
            let hangs = cape && x < 5.0 && (2..40).contains(&y) && (3..5).contains(&z);
            voxels.solid[at] = leg || foot || trunk || head || arm || hangs;
        }
        let half = Half::of(&voxels, Axes::candidates(&voxels)[0]).unwrap();
        let marks = Landmarks::of(&half).unwrap();
        (at_height(&marks.shin, 10.0).unwrap(), marks.toes, marks.facing)
    };
    let (plain, caped) = (figure(false), figure(true));
    assert!(plain.0.z > 13.0 && plain.2 == 1.0, "{plain:?}");
    assert!(plain.0.distance(caped.0) < 0.5, "{plain:?} {caped:?}");
    assert!(
        plain.1.distance(caped.1) < 0.5 && caped.2 == 1.0,
        "{plain:?} {caped:?}"
    );
}
