//! `athlete`: one closed surface in the T-pose, joints down to the toes.
//! `apose`: the same build with the arms down, hands near the thighs.

use super::assembly::material;
use super::biped_clips::{squat, walk, wave_hand};
use super::figure::Figure;
use super::palm::HandShape;
use super::surface::{Meshing, surface_of};
use crate::character::Character;

/// A figure as one closed surface.
fn one_surface(name: &str, figure: &Figure, vertices: usize, rgb: [f32; 3]) -> Character {
    let surface = surface_of(
        &figure.solid(),
        Meshing {
            vertices,
            cell: 0.0055,
            mirrored: true,
            detail: Figure::detail,
        },
    );
    let skeleton = figure.plan().skeleton();
    Character {
        name: name.to_owned(),
        mesh: surface.into_mesh("body", material("skin", rgb)),
        clips: vec![
            walk(&skeleton, figure),
            wave_hand(&skeleton, figure),
            squat(&skeleton, figure),
        ],
        skeleton,
        weights: None,
    }
}

pub(super) fn athlete_figure() -> Figure {
    Figure {
        bulk: 1.06,
        toe_joints: true,
        ..Figure::default()
    }
}

pub(super) fn athlete(vertices: usize) -> Character {
    one_surface("athlete", &athlete_figure(), vertices, [0.55, 0.33, 0.22])
}

pub(super) fn apose_figure() -> Figure {
    Figure {
        arms_down: 73.0,
        hand: HandShape {
            curl: 9.0,
            ..HandShape::default()
        },
        ..Figure::default()
    }
}

pub(super) fn apose(vertices: usize) -> Character {
    one_surface("apose", &apose_figure(), vertices, [0.72, 0.50, 0.38])
}
