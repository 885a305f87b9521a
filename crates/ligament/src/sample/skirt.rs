//! `skirt`: a woman in a long skirt with a rig of its own: eight chains of joints that
//! hang from the hips. The skirt is one open sheet of cloth, without thickness, closed
//! around the legs. Hair is a closed surface; so is the body, split in skin and bodice
//! with welded vertices at the border.

use std::f64::consts::TAU;

use glam::DVec3;

use super::assembly::{Assembly, cloth, material};
use super::biped_clips::{sit, walk};
use super::figure::Figure;
use super::implicit::{blend, carve, cone, ellipsoid};
use super::rig::{Animator, Plan, pitch, roll, swell};
use super::surface::{Meshing, Surface, surface_of};
use crate::character::{Character, Clip, Skeleton, Track};

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
    let face = cone([0.0, 1.735, 0.150], [0.0, 1.60, 0.105], 0.085, 0.125);
    carve(0.012, cap, face)
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
    let pushed = pushed_by_legs(&skeleton, &step, 1.1);
    step.tracks.extend(pushed);
    let mut seat = sit(&skeleton, &figure);
    seat.tracks
        .extend(cloth_tracks(&skeleton, "sit", 2.4, |angle, u| {
            // Over the thighs and down from the knees in front; spread on the seat behind.
            let front = angle.cos();
            let degrees = if front > 0.5 {
                [88.0, 0.0, -74.0]
            } else if front > -0.5 {
                [34.0, 6.0, 0.0]
            } else {
                [10.0, 8.0, 8.0]
            };
            degrees.map(|d| d * swell(u))
        }));
    Character {
        name: "skirt".to_owned(),
        mesh: parts.finish(),
        clips: vec![step, seat],
        skeleton,
        weights: None,
    }
}

fn chain_angle(chain: usize) -> f64 {
    TAU * chain as f64 / CHAINS as f64
}

pub(super) fn plan() -> Plan {
    let mut plan = figure().plan();
    for chain in 0..CHAINS {
        let mut parent = "hips".to_owned();
        for (i, y) in HEIGHTS.into_iter().enumerate() {
            let (side, front) = half_widths(y);
            let (sin, cos) = chain_angle(chain).sin_cos();
            // Exactly mirrored: the chains opposite to each other differ in sign only.
            let x = if chain % (CHAINS / 2) == 0 {
                0.0
            } else {
                side * sin
            };
            let name = format!("skirt_{}_{}", chain + 1, i + 1);
            plan.add(&name, &parent, DVec3::new(x, y, front * cos - 0.006));
            parent = name;
        }
    }
    plan
}

/// How far thigh, shin and foot reach around their bones, and cloth stays off them.
const LEG: [(&str, &str, f64); 3] = [
    ("upper_leg", "lower_leg", 0.095),
    ("lower_leg", "foot", 0.075),
    ("foot", "toes", 0.06),
];
/// Places along each bone that are kept inside.
const ALONG: usize = 8;

/// Turns the chains so that the legs of a clip stay within the cloth, as an animator's drivers would: each joint below the
/// first is pushed outward as far as thighs, shins and feet near its height reach, and no further.
fn pushed_by_legs(skeleton: &Skeleton, clip: &Clip, duration_secs: f64) -> Vec<Track> {
    cloth_tracks(skeleton, &clip.name, duration_secs, |angle, u| {
        let legs = legs_beside_hips(skeleton, clip, (u * duration_secs) as f32);
        let outward = DVec3::new(angle.sin(), 0.0, angle.cos());
        let mut out = [0.0f64; 4];
        for &(at, radius) in &legs {
            let (side, front) = half_widths(at.y);
            let cloth = side * outward.x * outward.x + front * outward.z * outward.z;
            let needed = at.dot(outward) + radius - cloth;
            for joint in 1..4 {
                let below = if joint == 3 {
                    f64::NEG_INFINITY
                } else {
                    HEIGHTS[joint + 1]
                };
                if (below..=HEIGHTS[joint - 1]).contains(&at.y) {
                    out[joint] = out[joint].max(needed);
                }
            }
        }
        let tilt = |i: usize| {
            (out[i + 1] - out[i])
                .atan2(HEIGHTS[i] - HEIGHTS[i + 1])
                .to_degrees()
        };
        [tilt(0), tilt(1) - tilt(0), tilt(2) - tilt(1)]
    })
}

/// Places in the middle of the legs at a moment, and how far the legs reach around them; in the bind pose's axes at the
/// hips, which carry cloth and legs alike.
fn legs_beside_hips(skeleton: &Skeleton, clip: &Clip, seconds: f32) -> Vec<(DVec3, f64)> {
    let world = clip.pose_at(skeleton, seconds).world_from_joints(skeleton);
    let Some(hips) = skeleton.find("hips") else {
        return Vec::new();
    };
    let bind_from_world = skeleton.joint(hips).bind_from_joint * world[hips.at()].inverse();
    let position = |name: String| {
        skeleton
            .find(&name)
            .map(|j| bind_from_world.transform_point3(world[j.at()].translation))
    };
    let mut positions = Vec::new();
    for side in ["left", "right"] {
        for (from, to, radius) in LEG {
            let ends = position(format!("{side}_{from}")).zip(position(format!("{side}_{to}")));
            let along = (0..=ALONG).map(|i| i as f64 / ALONG as f64);
            positions.extend(
                ends.into_iter()
                    .flat_map(|(a, b)| along.clone().map(move |t| (a.lerp(b, t), radius))),
            );
        }
    }
    positions
}

/// Turns the first three joints of each chain outward by degrees.
fn cloth_tracks(
    skeleton: &Skeleton,
    name: &str,
    duration_secs: f64,
    outward: impl Fn(f64, f64) -> [f64; 3],
) -> Vec<Track> {
    let keys = 24;
    let mut to = Animator::new(skeleton, name, duration_secs, keys);
    for chain in 0..CHAINS {
        let angle = chain_angle(chain);
        for joint in 0..3 {
            to.turn(&format!("skirt_{}_{}", chain + 1, joint + 1), |u| {
                let degrees = outward(angle, u)[joint];
                roll(degrees * angle.sin()) * pitch(-degrees * angle.cos())
            });
        }
    }
    to.finish().tracks
}
