//! Motions made by code, for any body that is recognised.
//!
//! Each is written for a body of its own, a plain human in the T-pose or a plain animal on four legs, and carried to others
//! by [`retarget`](super::retarget). Feet are placed on the ground and legs solved for them, so that what stands does not
//! slide; walks and runs are on the spot, over ground that moves backward evenly.

mod body;
mod four_legs;
mod gait;
mod human;

use crate::character::{BodyPlan, Clip, HumanoidMap, Skeleton};
use crate::motion::retarget::{
    KeyTolerance, MatchError, NamedJoints, RetargetError, RetargetOptions, match_joints, reduced, retarget,
};

/// What kind of body a motion is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuiltinBody {
    /// Upright, with two legs and two arms.
    Human,
    /// On four legs.
    FourLegs,
}

/// A motion made by code.
#[derive(Debug, Clone, Copy)]
pub struct Builtin {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub description: &'static str,
    /// The body that it is for.
    pub body: BuiltinBody,
    /// Whether its end is its beginning and it goes on.
    pub loops: bool,
    make: fn(&mut body::Writer<'_>),
    seconds: f64,
}

const BUILTINS: [Builtin; 10] = {
    const fn human(
        name: &'static str,
        description: &'static str,
        seconds: f64,
        make: fn(&mut body::Writer<'_>),
    ) -> Builtin {
        Builtin {
            name,
            description,
            body: BuiltinBody::Human,
            loops: true,
            make,
            seconds,
        }
    }
    const fn animal(
        name: &'static str,
        description: &'static str,
        seconds: f64,
        make: fn(&mut body::Writer<'_>),
    ) -> Builtin {
        Builtin {
            body: BuiltinBody::FourLegs,
            ..human(name, description, seconds, make)
        }
    }
    [
        human("idle", "stands, breathes and shifts its weight", 4.0, human::idle),
        human("walk", "two steps on the spot", 1.1, human::walk),
        human(
            "run",
            "two steps on the spot, in the air between them",
            0.7,
            human::run,
        ),
        human("jump", "crouches, jumps and lands", 1.6, human::jump),
        human("wave", "raises the left hand and waves", 2.4, human::wave_hand),
        human("squat", "down with the arms forward, and up", 2.4, human::squat),
        human("sit", "onto a chair that is not there, and up", 3.0, human::sit),
        human(
            "range-of-motion",
            "arms, back, head, legs, one after the other to their limits",
            12.0,
            human::range_of_motion,
        ),
        animal("walk", "four beats on the spot", 1.1, four_legs::walk),
        animal(
            "trot",
            "diagonal legs together, on the spot",
            0.62,
            four_legs::trot,
        ),
    ]
};

/// All motions that are made by code.
pub fn builtins() -> &'static [Builtin] {
    &BUILTINS
}

/// The motion of that name for a body.
pub fn find_builtin(name: &str, body: BuiltinBody) -> Result<&'static Builtin, BuiltinError> {
    let of_body = || BUILTINS.iter().filter(move |b| b.body == body);
    of_body()
        .find(|b| b.name == name)
        .ok_or_else(|| BuiltinError::Unknown {
            name: name.to_owned(),
            body: match body {
                BuiltinBody::Human => "a human",
                BuiltinBody::FourLegs => "an animal on four legs",
            },
            known: of_body().map(|b| b.name).collect(),
        })
}

impl Builtin {
    /// The motion and the skeleton that it is for.
    pub fn make(&self) -> (Skeleton, Clip) {
        let skeleton = match self.body {
            BuiltinBody::Human => body::human(),
            BuiltinBody::FourLegs => body::four_legs(),
        };
        let mut writer = body::Writer::new(&skeleton, self.seconds);
        (self.make)(&mut writer);
        let clip = writer.finish(self.name);
        (skeleton, clip)
    }
}

/// Why there is no such motion for a skeleton.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BuiltinError {
    /// No motion of that name, or none for such a body.
    #[error("there is no built-in motion '{name}' for {body}; there are {}", .known.join(", "))]
    Unknown {
        /// The name asked for.
        name: String,
        /// What the character is.
        body: &'static str,
        /// The names that there are.
        known: Vec<&'static str>,
    },
    /// The skeleton's joints are not recognised.
    #[error(transparent)]
    Match(#[from] MatchError),
    /// The motion cannot be carried over.
    #[error(transparent)]
    Retarget(#[from] RetargetError),
}

/// The kind of body whose motions suit a skeleton.
pub fn body_of(skeleton: &Skeleton) -> BuiltinBody {
    match HumanoidMap::of(skeleton).plan() {
        BodyPlan::Quadruped => BuiltinBody::FourLegs,
        _ => BuiltinBody::Human,
    }
}

/// A motion made by code, for this skeleton.
pub fn builtin_clip(name: &str, target: &Skeleton, named: &NamedJoints) -> Result<Clip, BuiltinError> {
    let builtin = find_builtin(name, body_of(target))?;
    let (source, clip) = builtin.make();
    let map = match_joints(&source, &clip, target, named)?;
    let options = RetargetOptions {
        closed: builtin.loops,
        ..RetargetOptions::default()
    };
    let carried = retarget(&source, &clip, target, &map, &options)?;
    // Written keys are as fine as anyone sees; lengths are in the character's own units.
    let tolerance = KeyTolerance {
        length: KeyTolerance::default().length * carried.scale,
        ..KeyTolerance::default()
    };
    Ok(reduced(&carried.clip, tolerance))
}
