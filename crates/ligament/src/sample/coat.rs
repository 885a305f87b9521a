//! `coat`: a man in a long coat, open in front, with sleeves. The coat is one sheet of cloth without thickness around
//! shirt and trousers; its tails hang on six short chains of joints, its top and its sleeves follow the body.

use std::f64::consts::{PI, TAU};

use glam::{DVec3, Vec3};

use super::assembly::{Assembly, cloth, material};
use super::biped_clips::{sit, walk};
use super::figure::{Figure, SHOULDER, WRIST};
use super::hanging::Hanging;
use super::implicit::{Solid, blend, ellipsoid, flat_cone, inflated};
use super::rig::{Plan, swell};
use super::skirt::off_the_face;
use super::surface::{Meshing, Surface, surface_of};
use crate::character::Character;

/// Heights of a chain's joints; the last is where the hem hangs.
const HEIGHTS: [f64; 3] = [0.90, 0.66, 0.42];
const HEM: f64 = 0.40;
const COLLAR: f64 = 1.55;
/// How far cloth stays off the body.
const EASE: f64 = 0.016;
/// The tails as a cone: height and half width above and below, and how deep they are for their width.
const TAILS: [(f64, f64); 2] = [(1.06, 0.158), (0.10, 0.315)];
const DEPTH: f64 = 0.86;

/// Half widths of the tails to the side and to the front at a height.
fn half_widths(y: f64) -> (f64, f64) {
    let [top, bottom] = TAILS;
    let t = ((top.0 - y) / (top.0 - bottom.0)).clamp(0.0, 1.0);
    let side = top.1 + t * (bottom.1 - top.1);
    (side, DEPTH * side)
}

pub(super) fn figure() -> Figure {
    Figure {
        arms_down: 42.0,
        legs_apart: 4.0,
        ..Figure::default()
    }
}

/// What the coat is the surface of, before it is cut open.
fn around_body(figure: &Figure) -> Solid {
    let [top, bottom] = TAILS.map(|(y, _)| [0.0, y, -0.006]);
    let tails = flat_cone(top, bottom, TAILS[0].1, TAILS[1].1, DVec3::Z, DEPTH);
    blend(0.05, vec![inflated(EASE, figure.solid()), tails])
}

/// Cuts a closed surface open at hem, collar, cuffs and front.
fn cut_open(figure: &Figure, whole: Surface) -> Surface {
    let arm = (figure.arm_rotation() * DVec3::X).as_vec3();
    let wrist = (SHOULDER + figure.arm_rotation() * (WRIST - SHOULDER)).as_vec3() - 0.015 * arm;
    let beside = |p: Vec3| Vec3::new(p.x.abs(), p.y, p.z);
    whole
        .clipped(|p| p.y - HEM as f32)
        // Lower in front than at the nape.
        .clipped(|p| COLLAR as f32 - p.y - 0.35 * p.z.max(-0.08))
        // The plane of the cuffs passes below the tails too.
        .clipped(|p| (wrist - beside(p)).dot(arm).max(0.36 - p.x.abs()))
        // Buttoned to the waist, open below.
        .clipped(|p| {
            let below = ((1.02 - p.y) / (1.02 - HEM as f32)).clamp(0.0, 1.0);
            if p.z > 0.0 {
                p.x.abs() - 0.012 - 0.035 * below
            } else {
                1.0
            }
        })
}

fn hair() -> Solid {
    let cap = blend(
        0.02,
        vec![
            ellipsoid([0.0, 1.722, -0.022], [0.086, 0.092, 0.100]),
            ellipsoid([0.0, 1.675, -0.052], [0.072, 0.070, 0.058]),
        ],
    );
    off_the_face(cap)
}

pub(super) fn coat(vertices: usize) -> Character {
    let figure = figure();
    let how = |percent: usize, cell, detail: fn(DVec3) -> f64| Meshing {
        vertices: vertices * percent / 100,
        cell,
        mirrored: true,
        detail,
    };
    let mut parts = Assembly::default();
    let body = surface_of(&figure.solid(), how(58, 0.0055, Figure::detail));
    let [clothes, skin] = body.split(|p| {
        let sleeve = p.x.abs() < 0.24 && p.y > 1.2;
        (0.085..1.0).contains(&p.y) && p.x.abs() < 0.3
            || (1.0..1.47).contains(&p.y) && (p.x.abs() < 0.17 || sleeve)
    });
    let [shirt, trousers] = clothes.split(|p| p.y > 1.0);
    parts.add("body", skin, material("skin", [0.72, 0.50, 0.38]));
    parts.add("shirt", shirt, material("cotton", [0.72, 0.70, 0.64]));
    parts.add("trousers", trousers, material("wool", [0.09, 0.09, 0.11]));
    parts.add(
        "hair",
        surface_of(&hair(), how(6, 0.005, |_| 1.0)),
        material("hair", [0.10, 0.06, 0.03]),
    );
    // Of the closed surface a good part is cut off: the head finely meshed, hands, what is below the hem.
    let whole = surface_of(
        &around_body(&figure),
        how(57, 0.008, |p| if p.y > COLLAR { 2.0 } else { 1.0 }),
    );
    parts.add(
        "coat",
        cut_open(&figure, whole),
        cloth("loden", [0.16, 0.20, 0.13]),
    );

    let skeleton = plan().skeleton();
    let mut step = walk(&skeleton, &figure);
    let pushed = hanging().pushed_by_legs(&skeleton, &step, 1.1);
    step.tracks.extend(pushed);
    let mut seat = sit(&skeleton, &figure);
    seat.tracks
        .extend(hanging().tracks(&skeleton, "sit", 2.4, |angle, u| {
            // Over the thighs in front, on the seat behind.
            let front = angle.cos();
            let degrees = if front > 0.5 {
                [84.0, 0.0]
            } else if front > -0.5 {
                [40.0, 4.0]
            } else {
                [12.0, 10.0]
            };
            degrees.map(|d| d * swell(u)).to_vec()
        }));
    Character {
        name: "coat".to_owned(),
        mesh: parts.finish(),
        clips: vec![step, seat],
        skeleton,
        weights: None,
    }
}

pub(super) fn hanging() -> Hanging {
    let sides = [("left", 1.0), ("right", -1.0)];
    let chains = [
        ("front", TAU / 14.0),
        ("side", TAU / 4.0),
        ("back", PI - TAU / 14.0),
    ];
    Hanging {
        chains: sides
            .iter()
            .flat_map(|(side, sign)| {
                chains.map(|(name, angle)| (format!("{side}_coat_{name}"), sign * angle))
            })
            .collect(),
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
