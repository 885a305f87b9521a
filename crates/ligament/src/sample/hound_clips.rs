//! Motions for the hound: walk and wag.

use glam::{DQuat, DVec3};

use super::rig::{Animator, pitch, wave, yaw};
use crate::character::{Clip, Skeleton};

/// Four beats on the spot, looping: each hind foot is followed by the front foot of its
/// side.
pub(super) fn walk(skeleton: &Skeleton) -> Clip {
    let mut to = Animator::new(skeleton, "walk", 1.0, 24);
    to.shift("hips", |u| {
        DVec3::new(0.006 * wave(u, 0.0), -0.008 - 0.006 * wave(2.0 * u, 0.1), 0.0)
    });
    to.rotate("hips", |u| yaw(3.0 * wave(u, 0.25)));
    to.rotate("spine1", |u| yaw(-4.0 * wave(u, 0.25)));
    to.rotate("neck", |u| pitch(2.5 * wave(2.0 * u, 0.2)));
    to.rotate("head", |u| pitch(-2.0 * wave(2.0 * u, 0.2)));
    for (i, name) in ["tail1", "tail2", "tail3", "tail4", "tail5"].iter().enumerate() {
        to.rotate(name, |u| yaw(5.0 * wave(u, -0.08 * i as f64)));
    }
    for (side, half) in [("left", 0.0), ("right", 0.5)] {
        // The foot is lifted while the leg swings forward.
        let lift = |u: f64, shift: f64| wave(u, shift - 0.25).max(0.0).powi(2);
        let (hind, front) = (half, half - 0.25);
        let joint = |name: &str| format!("{side}_{name}");
        to.rotate(&joint("hind_upper_leg"), |u| pitch(-16.0 * wave(u, hind)));
        to.rotate(&joint("hind_lower_leg"), |u| {
            pitch(4.0 * wave(u, hind) + 28.0 * lift(u, hind + 0.5))
        });
        to.rotate(&joint("hind_foot"), |u| pitch(-24.0 * lift(u, hind + 0.5)));
        to.rotate(&joint("hind_toes"), |u| pitch(18.0 * lift(u, hind + 0.5)));
        to.rotate(&joint("front_shoulder"), |u| pitch(-6.0 * wave(u, front)));
        to.rotate(&joint("front_upper_leg"), |u| pitch(-13.0 * wave(u, front)));
        to.rotate(&joint("front_lower_leg"), |u| pitch(-22.0 * lift(u, front + 0.5)));
        to.rotate(&joint("front_foot"), |u| pitch(42.0 * lift(u, front + 0.5)));
    }
    to.finish()
}

/// The tail wags fast, the head tilts, the ears follow.
pub(super) fn wag(skeleton: &Skeleton) -> Clip {
    let mut to = Animator::new(skeleton, "wag", 1.2, 36);
    to.rotate("tail1", |u| pitch(26.0) * yaw(14.0 * wave(3.0 * u, 0.0)));
    for (i, name) in ["tail2", "tail3", "tail4", "tail5"].iter().enumerate() {
        to.rotate(name, |u| yaw(13.0 * wave(3.0 * u, -0.09 * (i + 1) as f64)));
    }
    to.rotate("hips", |u| yaw(-2.5 * wave(3.0 * u, 0.0)));
    to.rotate("neck1", |u| pitch(-8.0) * yaw(4.0 * wave(u, 0.0)));
    to.rotate("head", |u| {
        DQuat::from_rotation_z((7.0 * wave(u, 0.0)).to_radians())
    });
    to.rotate("jaw", |u| pitch(7.0 + 4.0 * wave(3.0 * u, 0.2)));
    for (side, flip) in [("left", 1.0), ("right", -1.0)] {
        to.rotate(&format!("{side}_ear"), |u| {
            DQuat::from_rotation_z((flip * (6.0 + 6.0 * wave(2.0 * u, 0.0))).to_radians())
        });
    }
    to.finish()
}
