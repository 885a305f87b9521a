//! Motions of a human.

use glam::{DQuat, DVec3};

use super::body::{FootTarget, Moment, Writer, pitch, plateau, ramp, roll, wave, yaw};
use super::gait::Step;

/// From the ankle back to where the heel touches the ground.
const HEEL: f64 = 0.05;

const LEGS: [[&str; 4]; 2] = [
    ["leftUpperLeg", "leftLowerLeg", "leftFoot", "leftToes"],
    ["rightUpperLeg", "rightLowerLeg", "rightFoot", "rightToes"],
];

/// An arm's pose from the T-pose, left side, in degrees.
#[derive(Clone, Copy)]
struct Arm {
    /// How far it hangs.
    down: f64,
    /// How far it swings forward.
    forward: f64,
    /// How far the elbow is bent.
    elbow: f64,
}

/// An arm that hangs at ease.
const AT_EASE: Arm = Arm {
    down: 76.0,
    forward: 3.0,
    elbow: 12.0,
};

/// A rotation of the left side, or its mirror image.
fn sided(left: bool, q: DQuat) -> DQuat {
    if left {
        q
    } else {
        DQuat::from_xyzw(q.x, -q.y, -q.z, q.w)
    }
}

fn side(left: bool) -> &'static str {
    if left { "left" } else { "right" }
}

fn move_arm(body: &mut Moment<'_>, left: bool, arm: Arm) {
    let upper = pitch(-arm.forward) * roll(-arm.down);
    body.rotate(&format!("{}UpperArm", side(left)), sided(left, upper));
    body.rotate(&format!("{}LowerArm", side(left)), sided(left, yaw(-arm.elbow)));
}

fn stand(body: &mut Moment<'_>) {
    for leg in LEGS {
        body.place_foot(leg, HEEL, FootTarget::default());
    }
}

/// A back bent forward, shared by its joints.
fn bow(body: &mut Moment<'_>, degrees: f64) {
    body.rotate("spine", pitch(0.4 * degrees));
    body.rotate("chest", pitch(0.35 * degrees));
    body.rotate("upperChest", pitch(0.25 * degrees));
    body.rotate("neck", pitch(-0.4 * degrees));
    body.rotate("head", pitch(-0.3 * degrees));
}

pub(super) fn idle(to: &mut Writer<'_>) {
    to.write(|u, body| {
        let (breath, sway) = (wave(2.0 * u, 0.0), wave(u, 0.0));
        body.shift(DVec3::new(
            0.018 * sway,
            -0.014 - 0.003 * breath,
            0.004 * wave(u, 0.2),
        ));
        body.rotate("hips", roll(-1.5 * sway) * yaw(1.2 * wave(u, 0.15)));
        body.rotate("spine", roll(sway) * pitch(1.0 + 0.5 * breath));
        body.rotate("chest", pitch(-1.6 * breath));
        body.rotate("upperChest", pitch(-0.8 * breath) * roll(0.5 * sway));
        body.rotate("neck", pitch(1.0 + 1.2 * breath));
        body.rotate("head", yaw(5.0 * wave(u, 0.3)) * pitch(1.5 * wave(u, 0.6)));
        for left in [true, false] {
            let lift = roll(0.8 * breath);
            body.rotate(&format!("{}Shoulder", side(left)), sided(left, lift));
            let swing = Arm {
                down: AT_EASE.down + 1.5 * breath,
                forward: AT_EASE.forward + 1.5 * wave(u, if left { 0.1 } else { 0.4 }),
                elbow: AT_EASE.elbow + 2.0 * wave(u, 0.25),
            };
            move_arm(body, left, swing);
        }
        stand(body);
    });
}

/// What walks and runs have in common.
struct Pace {
    step: Step,
    /// How far the hips are lowered, and how far they go up and down twice in a cycle.
    low: f64,
    bob: f64,
    /// When in a step they are lowest, in cycles.
    lowest: f64,
    lean: f64,
    hips_yaw: f64,
    arms: Arm,
    arm_swing: f64,
    elbow_swing: f64,
    /// How near to the middle feet are put.
    narrow: f64,
}

impl Pace {
    fn write(&self, to: &mut Writer<'_>) {
        to.write(|u, body| {
            // The left foot comes down at 0, the right one half a cycle later.
            let bob = (2.0 * std::f64::consts::TAU * (u - self.lowest)).cos();
            let over_left = wave(u, 0.25 - 0.5 * self.step.stance);
            body.shift(DVec3::new(0.014 * over_left, -self.low - self.bob * bob, 0.0));
            let forward = wave(u, 0.25); // the left foot is in front at 0
            body.rotate(
                "hips",
                yaw(-self.hips_yaw * forward) * roll(2.5 * over_left) * pitch(0.4 * self.lean),
            );
            body.rotate(
                "spine",
                yaw(0.8 * self.hips_yaw * forward) * roll(-1.5 * over_left) * pitch(0.3 * self.lean),
            );
            body.rotate("chest", yaw(0.6 * self.hips_yaw * forward) * roll(-over_left));
            body.rotate(
                "upperChest",
                yaw(0.5 * self.hips_yaw * forward) * pitch(0.3 * self.lean),
            );
            body.rotate(
                "neck",
                yaw(-0.4 * self.hips_yaw * forward) * pitch(-0.5 * self.lean),
            );
            body.rotate(
                "head",
                yaw(-0.5 * self.hips_yaw * forward) * pitch(-0.4 * self.lean),
            );
            for left in [true, false] {
                let half = if left { 0.0 } else { 0.5 };
                let swing = -wave(u, 0.25 + half);
                move_arm(
                    body,
                    left,
                    Arm {
                        down: self.arms.down,
                        forward: self.arms.forward + self.arm_swing * swing,
                        elbow: self.arms.elbow + self.elbow_swing * swing,
                    },
                );
                let mut foot = self.step.at(u + half);
                foot.shift.x = if left { -self.narrow } else { self.narrow };
                body.place_foot(LEGS[usize::from(!left)], HEEL, foot);
            }
        });
    }
}

pub(super) fn walk(to: &mut Writer<'_>) {
    Pace {
        step: Step {
            stance: 0.62,
            length: 0.66,
            ahead: 0.02,
            lift: 0.07,
            heel_first: 18.0,
            push_off: 38.0,
        },
        low: 0.045,
        bob: 0.018,
        lowest: 0.06,
        lean: 4.0,
        hips_yaw: 6.0,
        arms: Arm {
            down: 77.0,
            forward: 3.0,
            elbow: 20.0,
        },
        arm_swing: 24.0,
        elbow_swing: 10.0,
        narrow: 0.03,
    }
    .write(to);
}

pub(super) fn run(to: &mut Writer<'_>) {
    Pace {
        step: Step {
            stance: 0.34,
            length: 0.62,
            ahead: -0.04,
            lift: 0.24,
            heel_first: 4.0,
            push_off: 48.0,
        },
        low: 0.065,
        bob: 0.045,
        lowest: 0.15,
        lean: 14.0,
        hips_yaw: 9.0,
        arms: Arm {
            down: 72.0,
            forward: 2.0,
            elbow: 88.0,
        },
        arm_swing: 38.0,
        elbow_swing: 10.0,
        narrow: 0.05,
    }
    .write(to);
}

pub(super) fn jump(to: &mut Writer<'_>) {
    // Off the ground from 0.36 to 0.62 of the time: 0.42 s, as a jump of 0.21 m takes.
    const OFF: f64 = 0.36;
    const ON: f64 = 0.62;
    to.write(|u, body| {
        let air = if (OFF..=ON).contains(&u) {
            let t = (u - OFF) / (ON - OFF);
            4.0 * t * (1.0 - t)
        } else {
            0.0
        };
        let crouch =
            plateau(u, 0.04, 0.24, 0.26, OFF) + 0.8 * plateau(u, ON - 0.02, ON + 0.07, ON + 0.1, 0.97);
        let tuck = plateau(u, OFF, 0.46, 0.5, ON);
        body.shift(DVec3::new(
            0.0,
            -0.012 - 0.27 * crouch + 0.21 * air,
            -0.10 * crouch,
        ));
        body.rotate("hips", pitch(24.0 * crouch + 4.0 * tuck));
        bow(body, 22.0 * crouch);
        let up = plateau(u, 0.27, 0.40, 0.5, 0.72);
        let back = plateau(u, 0.06, 0.24, 0.25, 0.36);
        for left in [true, false] {
            move_arm(
                body,
                left,
                Arm {
                    down: 76.0 - 14.0 * up,
                    forward: 3.0 + 120.0 * up - 45.0 * back + 25.0 * crouch * (1.0 - back),
                    elbow: 14.0 + 22.0 * crouch + 18.0 * up,
                },
            );
            let toes = 30.0 * plateau(u, 0.29, OFF, ON - 0.08, ON);
            let foot = FootTarget {
                shift: DVec3::new(0.0, 0.21 * air + 0.08 * tuck, 0.0),
                toes_down: toes,
                toes_flat: if air > 0.0 { 0.3 } else { 1.0 },
            };
            body.place_foot(LEGS[usize::from(!left)], HEEL, foot);
        }
    });
}

pub(super) fn wave_hand(to: &mut Writer<'_>) {
    to.write(|u, body| {
        let raised = plateau(u, 0.02, 0.24, 0.76, 0.98);
        let beat = wave(4.0 * u, 0.0) * plateau(u, 0.15, 0.28, 0.7, 0.85);
        body.shift(DVec3::new(-0.012 * raised, -0.012, 0.0));
        body.rotate("hips", roll(1.2 * raised));
        body.rotate("spine", roll(raised));
        body.rotate("upperChest", roll(2.0 * raised) * yaw(-2.0 * raised));
        body.rotate("head", yaw(7.0 * raised) * roll(-5.0 * raised));
        body.rotate("leftShoulder", roll(8.0 * raised));
        // The upper arm out to the side, its front turned up, so that the bent elbow raises the hand.
        body.rotate(
            "leftUpperArm",
            roll(-76.0 + 66.0 * raised) * pitch(-3.0 - 84.0 * raised),
        );
        body.rotate("leftLowerArm", yaw(-12.0 - raised * 68.0 - 20.0 * beat));
        body.rotate("leftHand", yaw(-10.0 * wave(4.0 * u, -0.12) * raised));
        move_arm(body, false, AT_EASE);
        stand(body);
    });
}

pub(super) fn squat(to: &mut Writer<'_>) {
    to.write(|u, body| {
        let down = plateau(u, 0.03, 0.46, 0.54, 0.97);
        body.shift(DVec3::new(0.0, -0.012 - 0.42 * down, -0.17 * down));
        body.rotate("hips", pitch(34.0 * down));
        bow(body, 12.0 * down);
        for left in [true, false] {
            move_arm(
                body,
                left,
                Arm {
                    down: 76.0 - 10.0 * down,
                    forward: 3.0 + 95.0 * down,
                    elbow: 12.0 + 4.0 * down,
                },
            );
        }
        stand(body);
    });
}

pub(super) fn sit(to: &mut Writer<'_>) {
    to.write(|u, body| {
        let down = plateau(u, 0.03, 0.36, 0.66, 0.97);
        // The back leans forward on the way and is upright on the chair.
        let lean = plateau(u, 0.0, 0.22, 0.26, 0.42) + plateau(u, 0.58, 0.74, 0.78, 1.0);
        body.shift(DVec3::new(0.0, -0.012 - 0.44 * down, -0.36 * down));
        body.rotate("hips", pitch(30.0 * lean - 6.0 * down));
        bow(body, 14.0 * lean + 8.0 * down);
        for left in [true, false] {
            move_arm(
                body,
                left,
                Arm {
                    down: 76.0 + 2.0 * down,
                    forward: 3.0 + 30.0 * down + 14.0 * lean,
                    elbow: 12.0 + 42.0 * down,
                },
            );
        }
        stand(body);
    });
}

pub(super) fn range_of_motion(to: &mut Writer<'_>) {
    // Twelve seconds, a part of a second each for: arms up, arms forward, elbows, back forward, back aside, back turned, head,
    // left leg, right leg, squat.
    let part = |u: f64, at: f64, long: f64| {
        let (from, to) = (at / 12.0, (at + long) / 12.0);
        let quarter = 0.4 * (to - from);
        plateau(u, from, from + quarter, to - quarter, to)
    };
    to.write(|u, body| {
        let squat = part(u, 10.8, 1.2);
        body.shift(DVec3::new(0.0, -0.012 - 0.3 * squat, -0.12 * squat));
        body.rotate("hips", pitch(25.0 * squat));
        let (forward, back) = (part(u, 3.6, 1.2), part(u, 4.8, 0.6));
        let (left_side, right_side) = (part(u, 5.4, 0.7), part(u, 6.1, 0.7));
        let (left_turn, right_turn) = (part(u, 6.8, 0.7), part(u, 7.5, 0.7));
        let bend = pitch(16.0 * forward - 9.0 * back + 4.0 * squat)
            * roll(10.0 * (right_side - left_side))
            * yaw(12.0 * (left_turn - right_turn));
        for name in ["spine", "chest", "upperChest"] {
            body.rotate(name, bend);
        }
        let look = yaw(28.0 * (part(u, 8.2, 0.5) - part(u, 8.7, 0.5)));
        body.rotate("neck", look * pitch(-10.0 * back));
        body.rotate("head", look * pitch(-8.0 * forward));
        let (up, front, elbows) = (part(u, 0.0, 1.3), part(u, 1.2, 1.3), part(u, 2.4, 1.2));
        for left in [true, false] {
            move_arm(
                body,
                left,
                Arm {
                    down: 76.0 - 136.0 * up - 6.0 * front,
                    forward: 3.0 + 87.0 * front + 40.0 * squat,
                    elbow: 12.0 + 108.0 * elbows,
                },
            );
            let lifted = part(u, if left { 9.2 } else { 10.0 }, 0.8);
            let foot = FootTarget {
                shift: DVec3::new(0.0, 0.34 * lifted, 0.16 * lifted),
                toes_down: 20.0 * lifted,
                toes_flat: ramp(lifted, 0.0, 0.1) * 0.3,
            };
            body.place_foot(LEGS[usize::from(!left)], HEEL, foot);
        }
    });
}
