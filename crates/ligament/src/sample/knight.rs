//! `knight`: what a downloaded character is like. Many parts, each with its own material,
//! that touch and cut each other; a cape and strands of hair that are open sheets, and
//! have no bones of their own; vertices split at a seam; and, on purpose, exactly one
//! duplicated face and one shell (the pouch) wound inside out.
//!
//! The skeleton has two joints that should take no skin: a control `root` on the floor
//! above everything, and a `head_end` at the crown.

use std::f64::consts::{PI, TAU};

use glam::{DVec3, Vec3};

use super::armour;
use super::assembly::{Assembly, cloth, material};
use super::biped_clips::{squat, walk, wave_hand};
use super::figure::{Figure, SHOULDER, WRIST};
use super::head::{EYE, EYE_RADIUS};
use super::implicit::Solid;
use super::rig::Plan;
use super::surface::{Meshing, Surface, surface_of};
use crate::character::Character;

pub(super) fn figure() -> Figure {
    Figure {
        arms_down: 38.0,
        legs_apart: 6.0,
        bulk: 1.1,
        ..Figure::default()
    }
}

/// Finer still than on a figure with more vertices.
fn face_detail(p: DVec3) -> f64 {
    Figure::detail(p).powf(1.4)
}

/// Strands of hair at the nape.
const STRANDS: usize = 13;

const STEEL: [f32; 3] = [0.42, 0.45, 0.50];
const DARK_STEEL: [f32; 3] = [0.16, 0.17, 0.20];

pub(super) fn knight(vertices: usize) -> Character {
    let figure = figure();
    let fraction = |percent: usize| vertices * percent / 100;
    let make = |solid: &Solid, percent: usize, cell: f64, mirrored: bool| {
        let detail: fn(DVec3) -> f64 = if percent > 30 { face_detail } else { |_| 1.0 };
        let how = Meshing {
            vertices: fraction(percent),
            cell,
            mirrored,
            detail,
        };
        surface_of(solid, how)
    };
    // Pieces of the left side, with their mirror images.
    let pair = |solid: &Solid, percent: usize, cell: f64| {
        let left = make(solid, percent, cell, false);
        let right = left.mirrored();
        left.joined(right)
    };
    let on_arm = |solid: Solid| solid.rotated_about(SHOULDER, figure.arm_rotation());

    // The body takes as long as all the armour: side by side.
    let (mut body, [cuirass, crest, pauldrons, vambraces, greaves, sabatons, pouch]) = rayon::join(
        || make(&figure.solid(), 40, 0.006, true),
        || {
            let (leg, foot) = figure.on_leg(armour::greave());
            let shoe = super::implicit::above(0.004, armour::sabaton(foot), -0.006);
            [
                make(&armour::cuirass(), 7, 0.012, true),
                make(&armour::crest(), 1, 0.006, true),
                pair(&on_arm(armour::pauldron()), 3, 0.008),
                pair(&on_arm(armour::vambrace()), 3, 0.007),
                pair(&leg, 3, 0.008),
                pair(&shoe, 3, 0.007),
                make(&armour::pouch(), 2, 0.005, false).inside_out(),
            ]
        },
    );
    let mut parts = Assembly::default();
    // The one duplicated face.
    if let Some(&face) = body.triangles.first() {
        body.triangles.push(face);
    }
    let wrist = (WRIST.x - SHOULDER.x) as f32 - 0.02;
    let [skin, clothes] = body.split(|p| {
        let shoulder = SHOULDER.as_vec3().with_x(SHOULDER.x as f32 * p.x.signum());
        p.y > 1.49 || (p.distance(shoulder) > wrist && p.x.abs() > 0.3)
    });
    parts.add("body", skin, material("skin", [0.70, 0.46, 0.34]));
    parts.add("gambeson", clothes, material("quilt", [0.10, 0.12, 0.20]));

    parts.add("cuirass", cuirass, material("steel", STEEL));
    parts.add("fauld", armour::fauld(fraction(7)), material("mail", DARK_STEEL));
    let helmet = armour::helmet_bowl(fraction(8)).joined(crest);
    parts.add("helmet", helmet, material("steel", STEEL));

    parts.add("pauldrons", pauldrons, material("gilt", [0.58, 0.40, 0.12]));
    parts.add("vambraces", vambraces, material("steel", STEEL));
    parts.add("greaves", greaves, material("steel", STEEL));
    parts.add("sabatons", sabatons, material("dark steel", DARK_STEEL));
    parts.add("belt", belt(fraction(3)), material("leather", [0.16, 0.07, 0.03]));
    parts.add("pouch", pouch, material("leather", [0.24, 0.11, 0.05]));
    parts.add("eyes", eyes(fraction(1)), material("eyes", [0.85, 0.87, 0.90]));
    parts.add("hair", hair(fraction(1)), cloth("hair", [0.22, 0.11, 0.04]));
    parts.add("cape", cape(fraction(5)), cloth("wool", [0.42, 0.03, 0.04]));

    let skeleton = plan().skeleton();
    Character {
        name: "knight".to_owned(),
        mesh: parts.finish(),
        clips: vec![
            walk(&skeleton, &figure),
            wave_hand(&skeleton, &figure),
            squat(&skeleton, &figure),
        ],
        skeleton,
        weights: None,
    }
}

pub(super) fn plan() -> Plan {
    let mut plan = figure().plan();
    plan.add("head_end", "head", DVec3::new(0.0, 1.80, -0.008));
    plan.with_root("root", DVec3::ZERO)
}

/// A ring of leather: a flattened torus.
fn belt(vertices: usize) -> Surface {
    let tube = 8;
    let around = (vertices / tube).max(8);
    let mut ring = Surface::default();
    for t in 0..tube {
        let (up, out) = (TAU * t as f64 / tube as f64).sin_cos();
        for s in 0..around {
            let (sin, cos) = (TAU * s as f64 / around as f64).sin_cos();
            let grow = 0.011 * out;
            let p = DVec3::new(
                (0.172 + grow) * sin,
                1.015 + 0.022 * up,
                (0.144 + grow) * cos - 0.003,
            );
            ring.positions.push(p.as_vec3());
        }
    }
    ring.ring_of_rings(tube, around)
}

/// Two balls.
fn eyes(vertices: usize) -> Surface {
    let around = ((vertices as f64 / 2.0).sqrt() * 1.4).round().max(6.0) as usize;
    let rings = (around / 2).max(3);
    let mut left = Surface::default();
    let at = |n: DVec3| (EYE + (EYE_RADIUS + 0.0012) * n).as_vec3();
    left.positions.push(at(DVec3::Y));
    for r in 1..rings {
        let (level, up) = (PI * r as f64 / rings as f64).sin_cos();
        for s in 0..around {
            let (sin, cos) = (TAU * s as f64 / around as f64).sin_cos();
            left.positions.push(at(DVec3::new(level * sin, up, level * cos)));
        }
    }
    left.positions.push(at(DVec3::NEG_Y));
    let left = left.capped_rings(rings - 1, around);
    let right = left.mirrored();
    left.joined(right)
}

/// Cards of hair that hang from under the helmet onto the neck guard.
fn hair(vertices: usize) -> Surface {
    let rows = (vertices / (2 * STRANDS)).max(3);
    let mut all = Surface::default();
    for strand in 0..STRANDS {
        let across = strand as f64 / (STRANDS - 1) as f64 * 2.0 - 1.0;
        // From ear to ear around the back.
        let angle = PI + across * 1.75;
        let length = 0.15 + 0.02 * (3.0 * across).cos();
        let card = Surface::sheet(2, rows, false, |u, v| {
            let down = 1.0 - v;
            let a = angle + (u - 0.5) * 0.24 * (1.0 - 0.55 * down);
            let out = 0.088 + 0.030 * down * down + 0.004 * (strand % 2) as f64;
            DVec3::new(out * a.sin(), 1.640 - length * down, out * 1.08 * a.cos() - 0.022)
        });
        all = all.joined(card);
    }
    all
}

/// A sheet of wool from shoulder to shoulder down to the calves, in folds.
fn cape(vertices: usize) -> Surface {
    let columns = ((vertices as f64 / 1.35).sqrt().round() as usize).max(4);
    let rows = (vertices / columns).max(4);
    let sheet = Surface::sheet(columns, rows, false, |u, v| {
        let down = 1.0 - v;
        let across = 2.0 * u - 1.0;
        let flare = 0.165 + 0.19 * down.powf(0.8);
        let fold = 0.032 * down.sqrt() * (5.0 * PI * across).cos();
        // Drawn forward over the shoulders at the top, falling free behind.
        let wrap = 0.05 * (1.0 - down).powi(3) * across * across;
        let z = -0.150 - 0.150 * down.powf(0.7) + wrap + fold + 0.06 * across * across * down;
        let y = 1.505 - 0.05 * across * across * (1.0 - down).powi(4) - 1.16 * down;
        DVec3::new(flare * across, y, z)
    });
    // Seen from behind.
    turned_to_back(sheet)
}

fn turned_to_back(mut sheet: Surface) -> Surface {
    for t in &mut sheet.triangles {
        t.swap(1, 2);
    }
    sheet.normals.iter_mut().for_each(|n: &mut Vec3| *n = -*n);
    sheet
}
