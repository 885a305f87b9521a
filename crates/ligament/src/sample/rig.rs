//! Skeletons from a list of names and positions, and clips from functions of time.

use glam::{DAffine3, DMat3, DQuat, DVec3};

use crate::character::{Channel, Clip, Interpolation, Joint, JointIndex, Skeleton, Track, Transform};

/// Joints as they are planned: parents first, by name.
#[derive(Debug, Clone, Default)]
pub(super) struct Plan {
    joints: Vec<(String, Option<usize>, DVec3)>,
}

impl Plan {
    /// Adds a joint under the joint named `parent`, or a root if that is empty. An unknown
    /// parent makes a root, which the tests would notice.
    pub fn add(&mut self, name: &str, parent: &str, at: DVec3) {
        let parent = self.joints.iter().position(|j| j.0 == parent);
        self.joints.push((name.to_owned(), parent, at));
    }

    /// Adds a joint of the left side (+X) and its mirror image; `{}` in either name stands
    /// for `left` and `right`.
    pub fn add_pair(&mut self, name: &str, parent: &str, at: DVec3) {
        for (side, flip) in [("left", 1.0), ("right", -1.0)] {
            let at = at * DVec3::new(flip, 1.0, 1.0);
            self.add(&name.replace("{}", side), &parent.replace("{}", side), at);
        }
    }

    /// The same joints under a new first one.
    pub fn with_root(self, name: &str, at: DVec3) -> Self {
        let mut joints = vec![(name.to_owned(), None, at)];
        let below = self.joints.into_iter();
        joints.extend(below.map(|(name, parent, at)| (name, Some(parent.map_or(0, |p| p + 1)), at)));
        Self { joints }
    }

    /// The skeleton: each joint's Y axis points to its first child (a leaf's along its
    /// incoming bone), its Z axis as far forward as that allows. Rest is bind.
    pub fn skeleton(&self) -> Skeleton {
        let mut joints: Vec<Joint> = Vec::with_capacity(self.joints.len());
        for (index, (name, parent, at)) in self.joints.iter().enumerate() {
            let child = self.joints.iter().find(|j| j.1 == Some(index)).map(|j| j.2);
            let along = match (child, parent) {
                (Some(child), _) => child - *at,
                (None, Some(parent)) => *at - self.joints[*parent].2,
                (None, None) => DVec3::Y,
            };
            let bind_from_joint = DAffine3::from_mat3_translation(frame(along), *at);
            let parent_from_bind = parent.map_or(DAffine3::IDENTITY, |p| joints[p].bind_from_joint.inverse());
            joints.push(Joint {
                name: name.clone(),
                parent: parent.map(|p| JointIndex(p as u16)),
                rest: Transform::from_affine(parent_from_bind * bind_from_joint),
                bind_from_joint,
                in_skin: true,
            });
        }
        Skeleton { joints }
    }
}

/// A right-handed frame with Y along `along` and Z near +Z (near +Y for bones along Z).
fn frame(along: DVec3) -> DMat3 {
    let y = along.try_normalize().unwrap_or(DVec3::Y);
    let hint = if y.z.abs() > 0.9 { DVec3::Y } else { DVec3::Z };
    let x = y.cross(hint).normalize();
    DMat3::from_cols(x, y, x.cross(y))
}

/// Writes a clip for a skeleton, joint by joint, from functions of a phase in 0..=1.
pub(super) struct Animator<'a> {
    skeleton: &'a Skeleton,
    duration_secs: f64,
    keys: usize,
    clip: Clip,
}

impl<'a> Animator<'a> {
    /// A clip of `keys` + 1 evenly spaced keys.
    pub fn new(skeleton: &'a Skeleton, name: &str, duration_secs: f64, keys: usize) -> Self {
        Self {
            skeleton,
            duration_secs,
            keys,
            clip: Clip {
                name: name.to_owned(),
                tracks: Vec::new(),
            },
        }
    }

    fn phases(&self) -> impl Iterator<Item = f64> + use<> {
        let keys = self.keys;
        (0..=keys).map(move |k| k as f64 / keys as f64)
    }

    fn push(&mut self, joint: JointIndex, channel: Channel, values: Vec<f32>) {
        let times = self.phases().map(|u| (u * self.duration_secs) as f32).collect();
        self.clip.tracks.push(Track {
            joint,
            channel,
            interpolation: Interpolation::Linear,
            times,
            values,
        });
    }

    /// Turns a joint, against its rest pose, by a rotation in the character's own axes (X
    /// left, Y up, Z forward as they are at rest). Joints that are not there are skipped:
    /// one motion serves skeletons with and without fingers.
    pub fn rotate(&mut self, joint: &str, by: impl Fn(f64) -> DQuat) {
        let Some(index) = self.skeleton.find(joint) else {
            return;
        };
        let j = self.skeleton.joint(index);
        let bind = DQuat::from_mat3(&j.bind_from_joint.matrix3);
        let values = self
            .phases()
            .flat_map(|u| {
                (j.rest.rotation * (bind.inverse() * by(u) * bind))
                    .normalize()
                    .to_array()
            })
            .map(|x| x as f32)
            .collect();
        self.push(index, Channel::Rotation, values);
    }

    /// Moves a joint from its rest position by an offset in its parent's axes, which for a
    /// root are the character's.
    pub fn shift(&mut self, joint: &str, by: impl Fn(f64) -> DVec3) {
        let Some(index) = self.skeleton.find(joint) else {
            return;
        };
        let j = self.skeleton.joint(index);
        let parent = j.parent.map_or(DQuat::IDENTITY, |p| {
            DQuat::from_mat3(&self.skeleton.joint(p).bind_from_joint.matrix3)
        });
        let values = self
            .phases()
            .flat_map(|u| (j.rest.translation + parent.inverse() * by(u)).to_array())
            .map(|x| x as f32)
            .collect();
        self.push(index, Channel::Translation, values);
    }

    /// The finished clip.
    pub fn finish(self) -> Clip {
        self.clip
    }
}

/// A rotation about X, in degrees: nods forward.
pub(super) fn pitch(degrees: f64) -> DQuat {
    DQuat::from_rotation_x(degrees.to_radians())
}

/// A rotation about Y, in degrees: turns to the character's left.
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

/// Rises from 0 to 1 in the middle of the phase and falls back, smoothly.
pub(super) fn swell(phase: f64) -> f64 {
    (std::f64::consts::PI * phase).sin().powi(2)
}
