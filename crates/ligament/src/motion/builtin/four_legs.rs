//! Motions of an animal on four legs.

use glam::DVec3;

use super::body::{Moment, Writer, pitch, roll, wave, yaw};
use super::gait::Step;

/// From the ankle back to where the heel would touch the ground.
const HEEL: f64 = 0.02;

/// Hind left, hind right, front left, front right.
const LEGS: [[&str; 4]; 4] = [
    [
        "leftHindUpperLeg",
        "leftHindLowerLeg",
        "leftHindFoot",
        "leftHindToes",
    ],
    [
        "rightHindUpperLeg",
        "rightHindLowerLeg",
        "rightHindFoot",
        "rightHindToes",
    ],
    [
        "leftFrontUpperLeg",
        "leftFrontLowerLeg",
        "leftFrontFoot",
        "leftFrontToes",
    ],
    [
        "rightFrontUpperLeg",
        "rightFrontLowerLeg",
        "rightFrontFoot",
        "rightFrontToes",
    ],
];

fn tail(body: &mut Moment<'_>, u: f64, degrees: f64) {
    for (i, name) in ["tail", "tail2", "tail3"].into_iter().enumerate() {
        body.rotate(name, yaw(degrees * wave(u, -0.1 * i as f64)));
    }
}

/// Each hind foot is followed by the front foot of its side.
pub(super) fn walk(to: &mut Writer<'_>) {
    let step = Step {
        stance: 0.66,
        length: 0.24,
        ahead: 0.0,
        lift: 0.05,
        heel_first: 0.0,
        push_off: 24.0,
    };
    to.write(|u, body| {
        body.shift(DVec3::new(
            0.008 * wave(u, 0.0),
            -0.022 - 0.005 * wave(2.0 * u, 0.1),
            0.0,
        ));
        body.rotate("hips", yaw(3.0 * wave(u, 0.25)) * roll(2.0 * wave(u, 0.0)));
        body.rotate("spine", yaw(-3.0 * wave(u, 0.25)));
        body.rotate("chest", yaw(-2.5 * wave(u, 0.25)) * roll(-2.0 * wave(u, 0.0)));
        body.rotate("neck", pitch(3.0 * wave(2.0 * u, 0.2)) * yaw(1.5 * wave(u, 0.25)));
        body.rotate(
            "head",
            pitch(-2.5 * wave(2.0 * u, 0.2)) * yaw(1.0 * wave(u, 0.25)),
        );
        tail(body, u, 5.0);
        for (leg, phase) in LEGS.into_iter().zip([0.0, 0.5, 0.75, 0.25]) {
            body.place_foot(leg, HEEL, step.at(u + phase));
        }
    });
}

/// Diagonal legs together, with a moment in the air.
pub(super) fn trot(to: &mut Writer<'_>) {
    let step = Step {
        stance: 0.44,
        length: 0.28,
        ahead: 0.0,
        lift: 0.08,
        heel_first: 0.0,
        push_off: 32.0,
    };
    to.write(|u, body| {
        // Lowest in the middle of each stance.
        let bob = (2.0 * std::f64::consts::TAU * (u - 0.22)).cos();
        body.shift(DVec3::new(0.0, -0.024 - 0.014 * bob, 0.0));
        body.rotate("hips", yaw(2.0 * wave(u, 0.25)));
        body.rotate("spine", yaw(-2.0 * wave(u, 0.25)));
        body.rotate("neck", pitch(-2.0 + 1.5 * bob));
        body.rotate("head", pitch(2.0 - 1.5 * bob));
        tail(body, u, 3.0);
        for (leg, phase) in LEGS.into_iter().zip([0.0, 0.5, 0.5, 0.0]) {
            body.place_foot(leg, HEEL, step.at(u + phase));
        }
    });
}
