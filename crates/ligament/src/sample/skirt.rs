//! `skirt`: a woman in a long skirt with a rig of its own: eight chains of joints that
//! hang from the hips. The skirt is one open sheet of cloth, without thickness, closed
//! around the legs. Hair is a closed surface; so is the body, split in skin and bodice
//! with welded vertices at the border.

use std::f64::consts::TAU;

use glam::DVec3;

use super::assembly::{Assembly, cloth, material};
use super::biped_clips::{sit, walk};
use super::figure::Figure;
use super::hanging::Hanging;
use super::implicit::{blend, carve, cone, ellipsoid};
use super::rig::{Plan, swell};
use super::surface::{Meshing, Surface, surface_of};
use crate::character::Character;

pub(super) const CHAINS: usize = 8;
/// Heights of a chain's joints; the last is where the hem hangs.
const HEIGHTS: [f64; 4] = [0.965, 0.73, 0.48, 0.24];
const WAIST: f64 = 1.075;
const HEM: f64 = 0.13;

/// Half widths to the side and to the front at a height.
fn half_widths(y: f64) -> (f64, f64) {
    let profile = [
        (WAIST, 0.142, 0.112),
        (1.02, 0.176, 0.150),
        (0.95, 0.202, 0.178),
        (0.80, 0.228, 0.200),
        (HEM, 0.365, 0.330),
    ];
    let at = profile.windows(2).find(|w| y >= w[1].0).unwrap_or(&profile[3..]);
    let (top, bottom) = (at[0], at[1]);
    let t = ((top.0 - y) / (top.0 - bottom.0)).clamp(0.0, 1.0);
    (top.1 + t * (bottom.1 - top.1), top.2 + t * (bottom.2 - top.2))
}

/// A point of the cloth: `turn` around from the front over the left, at a height. Folds
/// deepen towards the hem.
fn cloth_at(turn: f64, y: f64) -> DVec3 {
    let (side, front) = half_widths(y);
    let depth = ((0.98 - y) / (0.98 - HEM)).clamp(0.0, 1.0);
    let fold = 1.0 + 0.075 * depth * (16.0 * TAU * turn).cos();
    let (sin, cos) = (TAU * turn).sin_cos();
    DVec3::new(side * fold * sin, y, front * fold * cos - 0.006)
}

pub(super) fn figure() -> Figure {
    Figure {
        arms_down: 48.0,
        legs_apart: 2.0,
        bulk: 0.9,
        feminine: 1.0,
        ..Figure::default()
    }
}

fn hair() -> super::implicit::Solid {
    let cap = blend(
        0.02,
        vec![
            ellipsoid([0.0, 1.722, -0.022], [0.086, 0.092, 0.100]),
            ellipsoid([0.0, 1.665, -0.060], [0.070, 0.075, 0.052]),
            // A bun.
            ellipsoid([0.0, 1.745, -0.118], [0.042, 0.040, 0.034]),
        ],
    );
    off_the_face(cap)
}

/// Hair as far as it leaves the figure's face free.
pub(super) fn off_the_face(hair: super::implicit::Solid) -> super::implicit::Solid {
    let face = cone([0.0, 1.735, 0.150], [0.0, 1.60, 0.105], 0.085, 0.125);
    carve(0.012, hair, face)
}

pub(super) fn skirt(vertices: usize) -> Character {
    let figure = figure();
    // A quarter of the vertices for the cloth, a tenth for the hair.
    let cloth_vertices = vertices as f64 * 0.27;
    let around = ((cloth_vertices / 0.55).sqrt() / 8.0).round().max(4.0) as usize * 8;
    let rows = (cloth_vertices / around as f64).round().max(4.0) as usize;
    let hair_vertices = vertices / 12;
    let how = |vertices, cell| Meshing {
        vertices,
        cell,
        mirrored: true,
        detail: Figure::detail,
    };
    let body = surface_of(
        &figure.solid(),
        how(vertices.saturating_sub(around * rows + hair_vertices), 0.0055),
    );
    let mut parts = Assembly::default();
    let [bodice, skin] = body.split(|p| (0.9..1.385).contains(&p.y) && p.x.abs() < 0.172);
    parts.add("body", skin, material("skin", [0.75, 0.52, 0.40]));
    parts.add("bodice", bodice, material("velvet", [0.30, 0.04, 0.07]));
    parts.add(
        "hair",
        surface_of(&hair(), how(hair_vertices, 0.005)),
        material("hair", [0.12, 0.05, 0.02]),
    );
    let sheet = Surface::sheet(around, rows, true, |u, v| cloth_at(u, HEM + v * (WAIST - HEM)));
    parts.add("skirt", sheet, cloth("linen", [0.13, 0.20, 0.42]));

    let skeleton = plan().skeleton();
    let mut step = walk(&skeleton, &figure);
    let pushed = hanging().pushed_by_legs(&skeleton, &step, 1.1);
    step.tracks.extend(pushed);
    let mut seat = sit(&skeleton, &figure);
    seat.tracks
        .extend(hanging().tracks(&skeleton, "sit", 2.4, |angle, u| {
            // Over the thighs and down from the knees in front; spread on the seat behind.
            let front = angle.cos();
            let degrees = if front > 0.5 {
                [88.0, 0.0, -74.0]
            } else if front > -0.5 {
                [34.0, 6.0, 0.0]
            } else {
                [10.0, 8.0, 8.0]
            };
            degrees.map(|d| d * swell(u)).to_vec()
        }));
    Character {
        name: "skirt".to_owned(),
        mesh: parts.finish(),
        clips: vec![step, seat],
        skeleton,
        weights: None,
    }
}

pub(super) fn hanging() -> Hanging {
    let chain = |i: usize| (format!("skirt_{}", i + 1), TAU * i as f64 / CHAINS as f64);
    Hanging {
        chains: (0..CHAINS).map(chain).collect(),
        heights: &HEIGHTS,
        half_widths,
        middle_z: -0.006,
    }
}

pub(super) fn plan() -> Plan {
    let mut plan = figure().plan();
    hanging().add_to(&mut plan);
    plan
}
