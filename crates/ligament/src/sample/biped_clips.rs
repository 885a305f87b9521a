//! Motions for every figure with a human's joints: walk, wave, squat, sit.
//!
//! Arms are described from the T-pose, in the axes of the stretched-out left arm, so that
//! one motion serves figures at rest in any arm pose.

use glam::{DQuat, DVec3};

use super::figure::Figure;
use super::rig::{Animator, pitch, roll, swell, wave, yaw};
use crate::character::{Clip, Skeleton};

/// An arm's pose, from the T-pose, left side: degrees.
#[derive(Clone, Copy)]
struct Arm {
    /// How far it hangs.
    down: f64,
    /// How far it swings forward.
    forward: f64,
    /// How far the elbow is bent.
    elbow: f64,
}

/// The mirror image of a rotation of the left side.
fn mirrored(q: DQuat) -> DQuat {
    DQuat::from_xyzw(q.x, -q.y, -q.z, q.w)
}

fn sided(left: bool, q: DQuat) -> DQuat {
    if left { q } else { mirrored(q) }
}

fn name(left: bool, joint: &str) -> String {
    format!("{}_{joint}", if left { "left" } else { "right" })
}

fn move_arm(to: &mut Animator<'_>, rest: DQuat, left: bool, arm: impl Fn(f64) -> Arm) {
    to.rotate(&name(left, "upper_arm"), |u| {
        let a = arm(u);
        sided(left, pitch(-a.forward) * roll(-a.down) * rest.inverse())
    });
    to.rotate(&name(left, "lower_arm"), |u| {
        sided(left, rest * yaw(-arm(u).elbow) * rest.inverse())
    });
}

/// A leg's pose in degrees: the thigh forward, the knee bent, the foot's toes up.
fn move_leg(to: &mut Animator<'_>, left: bool, leg: impl Fn(f64) -> (f64, f64, f64)) {
    to.rotate(&name(left, "upper_leg"), |u| pitch(-leg(u).0));
    to.rotate(&name(left, "lower_leg"), |u| pitch(leg(u).1));
    to.rotate(&name(left, "foot"), |u| pitch(-leg(u).2));
}

/// Two steps on the spot, looping.
pub(super) fn walk(skeleton: &Skeleton, figure: &Figure) -> Clip {
    walk_on(skeleton, [figure.arm_rotation(); 2], 1.0)
}

/// The same for any skeleton whose joints are named like a sample's: how its left and its right arm (as the right one's mirror
/// image) are turned from the T-pose, and how long its legs are against a sample's.
pub(super) fn walk_on(skeleton: &Skeleton, arms: [DQuat; 2], size: f64) -> Clip {
    let mut to = Animator::new(skeleton, "walk", 1.1, 24);
    to.shift("hips", |u| {
        size * DVec3::new(0.012 * wave(u, 0.0), -0.018 - 0.014 * wave(2.0 * u, 0.25), 0.0)
    });
    to.rotate("hips", |u| yaw(-5.0 * wave(u, 0.25)) * roll(2.5 * wave(u, 0.0)));
    to.rotate("spine", |u| {
        yaw(4.0 * wave(u, 0.25)) * roll(-2.0 * wave(u, 0.0)) * pitch(2.0)
    });
    to.rotate("upper_chest", |u| yaw(5.0 * wave(u, 0.25)));
    to.rotate("head", |u| yaw(-4.0 * wave(u, 0.25)));
    for left in [true, false] {
        let shift = if left { 0.25 } else { 0.75 };
        move_leg(&mut to, left, |u| {
            let thigh = 4.0 + 25.0 * wave(u, shift);
            // The knee bends most while the leg comes forward.
            let knee = 6.0 + 50.0 * wave(u, shift - 0.27).min(0.0).powi(2);
            (
                thigh,
                knee,
                -4.0 + 12.0 * wave(u, shift + 0.12) - 6.0 * wave(2.0 * u, shift),
            )
        });
        move_arm(&mut to, arms[usize::from(!left)], left, |u| {
            let swing = -wave(u, shift);
            Arm {
                down: 76.0,
                forward: 4.0 + 24.0 * swing,
                elbow: 20.0 + 12.0 * swing,
            }
        });
    }
    to.finish()
}

/// The left hand waves while the other arm hangs.
pub(super) fn wave_hand(skeleton: &Skeleton, figure: &Figure) -> Clip {
    let mut to = Animator::new(skeleton, "wave", 2.0, 32);
    // Up in the first fifth, down in the last.
    let raised = |u: f64| {
        let t = (5.0 * u.min(1.0 - u)).min(1.0);
        t * t * (3.0 - 2.0 * t)
    };
    move_arm(&mut to, figure.arm_rotation(), false, |_| Arm {
        down: 74.0,
        forward: 3.0,
        elbow: 12.0,
    });
    let rest = figure.arm_rotation();
    to.rotate("left_upper_arm", |u| {
        let (down, out) = (74.0 - 62.0 * raised(u), 55.0 * raised(u));
        // The last rotation brings the elbow's axis forward, so that the forearm goes up.
        roll(-down) * pitch(-out - 25.0 * raised(u)) * rest.inverse()
    });
    to.rotate("left_lower_arm", |u| {
        let bend = 12.0 + raised(u) * (73.0 + 22.0 * wave(3.0 * u, 0.0));
        rest * yaw(-bend) * rest.inverse()
    });
    to.rotate("left_hand", |u| {
        rest * yaw(-12.0 * raised(u) * wave(3.0 * u, 0.9)) * rest.inverse()
    });
    to.rotate("head", |u| yaw(8.0 * raised(u)) * roll(-4.0 * raised(u)));
    to.rotate("chest", |u| roll(-4.0 * raised(u)));
    to.finish()
}

/// Down to a deep squat with the arms forward, and up.
pub(super) fn squat(skeleton: &Skeleton, figure: &Figure) -> Clip {
    let mut to = Animator::new(skeleton, "squat", 2.4, 24);
    bend_down(&mut to, figure, 92.0, 112.0, 32.0, 62.0);
    to.finish()
}

/// Onto a chair that is not there, and up again.
pub(super) fn sit(skeleton: &Skeleton, figure: &Figure) -> Clip {
    let mut to = Animator::new(skeleton, "sit", 2.4, 24);
    bend_down(&mut to, figure, 86.0, 88.0, 6.0, 12.0);
    to.finish()
}

/// Thighs, knees and back bent by degrees, arms raised forward, feet kept on the floor.
fn bend_down(to: &mut Animator<'_>, figure: &Figure, thigh: f64, knee: f64, back: f64, arms: f64) {
    // Lengths of thigh and shin, for where the hips go while the feet stay.
    let (upper, lower) = (0.43, 0.417);
    to.shift("hips", move |u| {
        let (t, k) = ((thigh * swell(u)).to_radians(), (knee * swell(u)).to_radians());
        let shin = k - t;
        DVec3::new(
            0.0,
            upper * (t.cos() - 1.0) + lower * (shin.cos() - 1.0),
            lower * shin.sin() - upper * t.sin(),
        )
    });
    to.rotate("spine", |u| pitch(0.5 * back * swell(u)));
    to.rotate("chest", |u| pitch(0.5 * back * swell(u)));
    to.rotate("neck", |u| pitch(-0.5 * back * swell(u)));
    for left in [true, false] {
        move_leg(to, left, |u| {
            let s = swell(u);
            (thigh * s, knee * s, (thigh - knee) * -s)
        });
        move_arm(to, figure.arm_rotation(), left, |u| Arm {
            down: 78.0,
            forward: 4.0 + arms * swell(u),
            elbow: 12.0 + 14.0 * swell(u),
        });
    }
}
