//! The bodies that motions are written for, and how they are written.

use glam::{DAffine3, DQuat, DVec3};

use crate::character::{Channel, Clip, Interpolation, Joint, JointIndex, Skeleton, Track, Transform};
use crate::motion::retarget::two_bone;

/// Keys a second.
const KEYS_A_SECOND: f64 = 30.0;

/// Joints by name, parent and position, whose axes are the body's: X left, Y up, Z forward. `{}` stands for both sides.
fn skeleton(joints: &[(&str, &str, [f64; 3])]) -> Skeleton {
    let mut all: Vec<(String, String, DVec3)> = Vec::new();
    for &(name, parent, at) in joints {
        if !name.contains("{}") {
            all.push((name.to_owned(), parent.to_owned(), DVec3::from(at)));
            continue;
        }
        for (side, flip) in [("left", 1.0), ("right", -1.0)] {
            let at = DVec3::from(at) * DVec3::new(flip, 1.0, 1.0);
            all.push((name.replace("{}", side), parent.replace("{}", side), at));
        }
    }
    let joints = all.iter().map(|(name, parent, at)| {
        let parent = all.iter().position(|j| j.0 == *parent);
        let above = parent.map_or(DVec3::ZERO, |p| all[p].2);
        Joint {
            name: name.clone(),
            parent: parent.map(|p| JointIndex(p as u16)),
            rest: Transform::from_translation(*at - above),
            bind_from_joint: DAffine3::from_translation(*at),
            in_skin: true,
        }
    });
    Skeleton {
        joints: joints.collect(),
    }
}

/// A human of 1.72 m in the T-pose, joints named as in VRM.
pub(super) fn human() -> Skeleton {
    skeleton(&[
        ("hips", "", [0.0, 0.95, 0.0]),
        ("spine", "hips", [0.0, 1.05, 0.0]),
        ("chest", "spine", [0.0, 1.19, -0.01]),
        ("upperChest", "chest", [0.0, 1.32, -0.015]),
        ("neck", "upperChest", [0.0, 1.48, -0.01]),
        ("head", "neck", [0.0, 1.57, 0.0]),
        ("{}Shoulder", "upperChest", [0.03, 1.43, 0.0]),
        ("{}UpperArm", "{}Shoulder", [0.17, 1.43, 0.0]),
        ("{}LowerArm", "{}UpperArm", [0.45, 1.43, 0.0]),
        ("{}Hand", "{}LowerArm", [0.70, 1.43, 0.0]),
        ("{}UpperLeg", "hips", [0.09, 0.91, 0.0]),
        ("{}LowerLeg", "{}UpperLeg", [0.09, 0.50, 0.0]),
        ("{}Foot", "{}LowerLeg", [0.09, 0.085, -0.02]),
        ("{}Toes", "{}Foot", [0.09, 0.02, 0.11]),
    ])
}

/// An animal on four legs, 0.6 m high at the back.
pub(super) fn four_legs() -> Skeleton {
    skeleton(&[
        ("hips", "", [0.0, 0.56, -0.24]),
        ("spine", "hips", [0.0, 0.58, -0.10]),
        ("chest", "spine", [0.0, 0.58, 0.10]),
        ("neck", "chest", [0.0, 0.62, 0.26]),
        ("head", "neck", [0.0, 0.76, 0.38]),
        ("tail", "hips", [0.0, 0.56, -0.34]),
        ("tail2", "tail", [0.0, 0.50, -0.44]),
        ("tail3", "tail2", [0.0, 0.44, -0.54]),
        ("{}FrontUpperLeg", "chest", [0.07, 0.45, 0.20]),
        ("{}FrontLowerLeg", "{}FrontUpperLeg", [0.07, 0.29, 0.14]),
        ("{}FrontFoot", "{}FrontLowerLeg", [0.07, 0.09, 0.15]),
        ("{}FrontToes", "{}FrontFoot", [0.07, 0.02, 0.18]),
        ("{}HindUpperLeg", "hips", [0.07, 0.50, -0.24]),
        ("{}HindLowerLeg", "{}HindUpperLeg", [0.07, 0.31, -0.18]),
        ("{}HindFoot", "{}HindLowerLeg", [0.07, 0.15, -0.31]),
        ("{}HindToes", "{}HindFoot", [0.07, 0.02, -0.26]),
    ])
}

/// A rotation about X, in degrees: nods forward.
pub(super) fn pitch(degrees: f64) -> DQuat {
    DQuat::from_rotation_x(degrees.to_radians())
}

/// A rotation about Y, in degrees: turns to the left.
pub(super) fn yaw(degrees: f64) -> DQuat {
    DQuat::from_rotation_y(degrees.to_radians())
}

/// A rotation about Z, in degrees: lifts the left side.
pub(super) fn roll(degrees: f64) -> DQuat {
    DQuat::from_rotation_z(degrees.to_radians())
}

/// A sine over one turn of the phase, shifted by `shift` turns.
pub(super) fn wave(phase: f64, shift: f64) -> f64 {
    (std::f64::consts::TAU * (phase + shift)).sin()
}

/// From 0 to 1 while the phase goes from `from` to `to`, smoothly.
pub(super) fn ramp(phase: f64, from: f64, to: f64) -> f64 {
    let t = ((phase - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Up between `a` and `b`, down between `c` and `d`.
pub(super) fn plateau(phase: f64, a: f64, b: f64, c: f64, d: f64) -> f64 {
    ramp(phase, a, b) - ramp(phase, c, d)
}

/// A foot in the body's space.
#[derive(Clone, Copy, Default)]
pub(super) struct FootTarget {
    /// How far it is moved from where it stands, before it is turned.
    pub shift: DVec3,
    /// Toes down (and the heel up), in degrees; it turns about the ball, or toes up, about the heel.
    pub toes_down: f64,
    /// How much of that the toes do not follow.
    pub toes_flat: f64,
}

/// One moment of a motion: turns against the parent in the body's axes, and where the hips are.
pub(super) struct Moment<'a> {
    skeleton: &'a Skeleton,
    rotations: Vec<DQuat>,
    hips: DVec3,
}

impl Moment<'_> {
    fn find(&self, name: &str) -> usize {
        // Names are written in this room; a test asks for each of them.
        self.skeleton.find(name).map_or(0, JointIndex::at)
    }

    /// Turns a joint against its parent.
    pub fn rotate(&mut self, name: &str, by: DQuat) {
        let joint = self.find(name);
        self.rotations[joint] = by;
    }

    /// Moves the hips from where they are bound.
    pub fn shift(&mut self, by: DVec3) {
        self.hips = by;
    }

    /// Where joints are, and how they are turned in the world.
    fn world(&self) -> Vec<(DVec3, DQuat)> {
        let mut world: Vec<(DVec3, DQuat)> = Vec::with_capacity(self.rotations.len());
        for (joint, rotation) in self.skeleton.joints.iter().zip(&self.rotations) {
            world.push(match joint.parent {
                None => (joint.rest.translation + self.hips, *rotation),
                Some(p) => {
                    let (at, above) = world[p.at()];
                    (at + above * joint.rest.translation, above * *rotation)
                }
            });
        }
        world
    }

    /// Puts a foot somewhere and solves the leg: the names of hip, knee, ankle and ball.
    pub fn place_foot(&mut self, leg: [&str; 4], heel_back: f64, foot: FootTarget) {
        let [hip, knee, ankle, ball] = leg.map(|name| self.find(name));
        let bound = |j: usize| self.skeleton.joints[j].bind_from_joint.translation;
        let turned = pitch(foot.toes_down);
        // Toes down, it stands on the ball; toes up, on the heel.
        let pivot = if foot.toes_down >= 0.0 {
            bound(ball)
        } else {
            DVec3::new(bound(ankle).x, 0.0, bound(ankle).z - heel_back)
        };
        let goal = pivot + foot.shift + turned * (bound(ankle) - pivot);
        self.rotations[hip] = DQuat::IDENTITY;
        self.rotations[knee] = DQuat::IDENTITY;
        let world = self.world();
        let parent = self.skeleton.joints[hip].parent.map_or(0, JointIndex::at);
        let above = world[parent].1;
        let bend = (bound(knee) - bound(hip))
            .normalize_or_zero()
            .cross((bound(ankle) - bound(knee)).normalize_or_zero());
        let hint = if bend.length() > 0.1 {
            bend.normalize()
        } else {
            DVec3::X
        };
        let [upper, lower] = two_bone(world[hip].0, world[knee].0, world[ankle].0, goal, above * hint);
        let (upper, lower) = (upper * above, lower * above);
        self.rotations[hip] = above.inverse() * upper;
        self.rotations[knee] = upper.inverse() * lower;
        self.rotations[ankle] = lower.inverse() * turned;
        self.rotations[ball] = pitch(-foot.toes_down * foot.toes_flat);
    }
}

/// Writes a motion moment by moment.
pub(super) struct Writer<'a> {
    skeleton: &'a Skeleton,
    seconds: f64,
    steps: usize,
    rotations: Vec<Vec<f32>>,
    hips: Vec<f32>,
}

impl<'a> Writer<'a> {
    pub fn new(skeleton: &'a Skeleton, seconds: f64) -> Self {
        Self {
            skeleton,
            seconds,
            steps: (seconds * KEYS_A_SECOND).round().max(1.0) as usize,
            rotations: vec![Vec::new(); skeleton.joints.len()],
            hips: Vec::new(),
        }
    }

    /// Asks for every moment by its phase, from 0 to 1.
    pub fn write(&mut self, pose: impl Fn(f64, &mut Moment<'_>)) {
        let mut before: Vec<DQuat> = vec![DQuat::IDENTITY; self.rotations.len()];
        for step in 0..=self.steps {
            let mut moment = Moment {
                skeleton: self.skeleton,
                rotations: vec![DQuat::IDENTITY; self.rotations.len()],
                hips: DVec3::ZERO,
            };
            pose(step as f64 / self.steps as f64, &mut moment);
            for ((values, rotation), before) in
                self.rotations.iter_mut().zip(&moment.rotations).zip(&mut before)
            {
                let rotation = rotation.normalize();
                *before = if before.dot(rotation) < 0.0 {
                    -rotation
                } else {
                    rotation
                };
                values.extend(before.as_quat().to_array());
            }
            let hips = self.skeleton.joints[0].rest.translation + moment.hips;
            self.hips.extend(hips.as_vec3().to_array());
        }
    }

    pub fn finish(self, name: &str) -> Clip {
        let steps = self.steps as f64;
        let times: Vec<f32> = (0..=self.steps)
            .map(|step| (self.seconds * step as f64 / steps) as f32)
            .collect();
        let track = |joint: usize, channel, values| Track {
            joint: JointIndex(joint as u16),
            channel,
            interpolation: Interpolation::Linear,
            times: times.clone(),
            values,
        };
        let mut tracks = vec![track(0, Channel::Translation, self.hips)];
        let rotations = self.rotations.into_iter().enumerate();
        tracks.extend(rotations.map(|(joint, values)| track(joint, Channel::Rotation, values)));
        Clip {
            name: name.to_owned(),
            tracks,
        }
    }
}
