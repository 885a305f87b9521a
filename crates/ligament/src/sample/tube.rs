//! `tube`: a capped cylinder along Y with two bones, whose every vertex has a closed form.
//!
//! Radius 0.1 m, from y = 0 to y = 1; joints at 0, 0.5 and 1. Ring `r` of `R` is at
//! y = r / (R - 1), its vertex `s` of `S` at the angle 2 pi s / S from +Z towards +X;
//! rings come first, then the middles of the lower and the upper cap.

use std::f64::consts::TAU;

use glam::{DVec3, Vec3};

use super::assembly::material;
use super::rig::{Animator, Plan, pitch, swell, wave, yaw};
use super::surface::Surface;
use crate::character::Character;

/// The cylinder's radius; its length is 1.
pub(super) const RADIUS: f64 = 0.1;

/// Rings and vertices a ring for about so many vertices: an even number around, an odd
/// number of rings so that one lies at the middle joint, squares about as high as wide.
pub(super) fn divisions(vertices: usize) -> (usize, usize) {
    let squarish = (vertices as f64 * TAU * RADIUS).sqrt() / 2.0;
    let around = (squarish.round() as usize).max(3) * 2;
    let spans = (vertices.saturating_sub(2) as f64 / around as f64 - 1.0) / 2.0;
    ((spans.round() as usize).max(1) * 2 + 1, around)
}

pub(super) fn tube(vertices: usize) -> Character {
    let (rings, around) = divisions(vertices);
    let mut surface = Surface::default();
    for r in 0..rings {
        for s in 0..around {
            let (sin, cos) = (TAU * s as f64 / around as f64).sin_cos();
            let y = r as f64 / (rings - 1) as f64;
            surface
                .positions
                .push(DVec3::new(RADIUS * sin, y, RADIUS * cos).as_vec3());
        }
    }
    let middle = surface.positions.len() as u32;
    surface.positions.extend([Vec3::ZERO, Vec3::Y]);
    for s in 0..around {
        let at = |r: usize, s: usize| (r * around + s % around) as u32;
        for r in 0..rings - 1 {
            let [a, b, c, d] = [at(r, s), at(r, s + 1), at(r + 1, s + 1), at(r + 1, s)];
            surface.triangles.push([a, b, c]);
            surface.triangles.push([a, c, d]);
        }
        surface.triangles.push([middle, at(0, s + 1), at(0, s)]);
        surface
            .triangles
            .push([middle + 1, at(rings - 1, s), at(rings - 1, s + 1)]);
    }
    let mut plan = Plan::default();
    plan.add("root", "", DVec3::ZERO);
    plan.add("mid", "root", DVec3::new(0.0, 0.5, 0.0));
    plan.add("tip", "mid", DVec3::Y);
    let skeleton = plan.skeleton();

    let mut bend = Animator::new(&skeleton, "bend", 2.0, 20);
    bend.rotate("mid", |u| pitch(90.0 * swell(u)));
    let bend = bend.finish();
    let mut twist = Animator::new(&skeleton, "twist", 2.0, 20);
    twist.rotate("mid", |u| yaw(90.0 * wave(u, 0.0)));
    let twist = twist.finish();
    Character {
        name: "tube".to_owned(),
        mesh: surface
            .with_face_normals()
            .into_mesh("tube", material("rubber", [0.25, 0.45, 0.62])),
        skeleton,
        weights: None,
        clips: vec![bend, twist],
    }
}
