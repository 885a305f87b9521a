//! A motion of one skeleton, carried to another.
//!
//! **Turns.** A joint's *turn* is its rotation in the world against a reference pose, the bind pose. Turns know nothing of
//! joints' own axes, so they are what is carried: from the source's body (left, up, forward, found from its legs) to the
//! target's. Where the two reference poses differ (arms stretched out against arms that hang), each limb of the target is
//! first turned to point as the source's does ([`RestRule`]).
//!
//! **Positions.** Hips move as the source's, times the ratio of the legs' lengths, and stand as high over the ground as their
//! own legs let them. While a foot of the source is [on the ground](Contact), that of the target moves as it does, times
//! the same ratio: it stays where the source's stays, whatever its own thigh and shin would make of the turns. Between
//! contacts the correction goes over from one to the next. Thigh and shin are solved for it ([`two_bone`]); feet keep
//! their turns.
//!
//! **Joints** are matched by what they are ([`match_joints`]).
//!
//! **Keys.** A clip is sampled evenly; [`reduced`](fn@reduced) drops the keys that the others give within a tolerance.

mod axes;
mod contacts;
mod feet;
mod judge;
mod map;
mod matching;
mod reduce;
mod sampled;
#[cfg(test)]
mod tests;
mod turns;
mod two_bone;

use glam::DVec3;
use serde::{Deserialize, Serialize};

use crate::character::{Channel, Clip, Interpolation, JointIndex, Skeleton, Track};

pub use axes::BodyAxes;
pub use contacts::Contact;
pub use judge::{FootFaults, foot_faults};
pub use map::{JointPair, Limb, RestRule, RetargetError, RetargetMap};
pub use matching::{MatchError, NamedJoints, match_joints};
pub use reduce::{KeyTolerance, reduced};
pub use two_bone::two_bone;

pub(super) use turns::Turner;

/// What happens to where the character goes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RootMotion {
    /// It goes where the source goes, times the ratio of the legs' lengths.
    #[default]
    Keep,
    /// The same, from the position where it is bound.
    FromHere,
    /// It walks on the spot: the way from the first frame to the last is taken out evenly.
    InPlace,
}

/// How to carry a motion over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct RetargetOptions {
    /// Frames a second; those of the source if none.
    pub fps: Option<f64>,
    /// Where to begin, in seconds from the source's start.
    pub from: Option<f64>,
    /// Where to end, in seconds from the source's start.
    pub to: Option<f64>,
    /// Make the last frame the first again; what they differ by is spread over the clip.
    pub closed: bool,
    /// What happens to where the character goes.
    pub root: RootMotion,
    /// Keep feet on the ground and from sliding.
    pub feet: bool,
    /// Keep hands where they are seen from the shoulders, as far as the arm's length goes.
    pub hands: bool,
}

impl Default for RetargetOptions {
    fn default() -> Self {
        Self {
            fps: None,
            from: None,
            to: None,
            closed: false,
            root: RootMotion::default(),
            feet: true,
            hands: false,
        }
    }
}

/// A motion that was carried over.
#[derive(Debug, Clone, PartialEq)]
pub struct Retargeted {
    /// The motion, a key for each frame.
    pub clip: Clip,
    /// When its frames are, in seconds from its start.
    pub times: Vec<f32>,
    /// How many times longer the target's legs are.
    pub scale: f64,
    /// Times in which a foot stood on the ground.
    pub contacts: Vec<Contact>,
}

/// Carries a clip of `source` to `target`. Tracks must have passed [`Track::check`]; those of joints that the map does not
/// name, of scales and of positions other than that of the hips are not carried.
pub fn retarget(
    source: &Skeleton,
    clip: &Clip,
    target: &Skeleton,
    map: &RetargetMap,
    options: &RetargetOptions,
) -> Result<Retargeted, RetargetError> {
    map.check(source, target)?;
    let mut sampled = sampled::sample(source, clip, map, options)?;
    let aligned = map.aligned(&sampled, target);
    let scale = map.scale(&sampled, target);
    sampled.settle(map, options.root);

    let turner = Turner::new(target).carrying(map.legs.iter().chain(&map.arms));
    let mut frames = aligned.carry(&sampled, &turner, map, scale);
    let contacts = contacts::find(&sampled, map);
    if options.feet {
        feet::keep(&mut frames, &sampled, &aligned, &turner, map, scale, &contacts);
    }
    if options.hands {
        feet::reach(&mut frames, &sampled, &aligned, &turner, map);
    }
    Ok(Retargeted {
        clip: turner.clip(&clip.name, &frames, &sampled.times, &map.driven(), map.hips.1),
        times: sampled.times,
        scale,
        contacts,
    })
}

/// Where the target is in one frame.
#[derive(Debug, Clone)]
pub(super) struct TargetFrame {
    /// Every joint's turn.
    pub turns: Vec<glam::DQuat>,
    /// Where the hips are.
    pub hips: DVec3,
}

fn track(joint: JointIndex, channel: Channel, times: &[f32], values: Vec<f32>) -> Track {
    Track {
        joint,
        channel,
        interpolation: Interpolation::Linear,
        times: times.to_vec(),
        values,
    }
}
