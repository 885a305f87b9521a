//! Guessing which joints move skin, when nobody says so.
//!
//! Control joints, targets, ends of chains, places for props and limbs that this mesh does not have steal weight from the
//! joints that do move skin. All [evidence] is weighed by a table that was learned from characters whose artists gave the
//! answer (`docs/lab/deform-joints.md`): the log-odds of a joint are the sum of its trees. What a mistake costs was part
//! of the lesson: skin that follows a joint which should be left out moves far wrong, skin that follows the parent of one
//! that should not be is off by little.
//!
//! Left and right are decided together, and at least one joint is always kept.

mod evidence;
mod features;
mod names;
mod reason;
#[cfg(test)]
mod tests;

use std::sync::OnceLock;

use serde::Serialize;

use super::learned::{Forest, Reader, TableError};
use crate::character::{HumanoidMap, JointIndex, NameScheme, Side, Skeleton, StandardBone};
use crate::skin::{Skin, mirror_joints};

pub use evidence::evidence;
use features::Name;
pub use features::{FEATURES, Features};
pub use names::by_names;

/// The first bytes of a table.
const MAGIC: [u8; 8] = *b"LIGJOINT";
/// Changes whenever features do.
const VERSION: u16 = 1;
/// Joints that are named after a part of a face, hair or clothes are left out under these log-odds.
const NAMED: f32 = -1.5;
/// A joint is a bone of the body, whatever the table thinks, if the map of the body is so sure.
const BONE: f64 = 0.8;
/// Partners across the middle are found within this fraction of the diagonal.
const MIRROR: f64 = 1e-3;

/// What is thought of one joint.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JointGuess {
    /// Which one.
    pub joint: JointIndex,
    /// Its name.
    pub name: String,
    /// Whether it is taken to move skin.
    pub moves_skin: bool,
    /// How sure that is: one half is a toss-up, one is certain.
    pub certainty: f32,
    /// What decided.
    pub reason: String,
}

/// What was learned about joints.
#[derive(Debug, Clone)]
pub struct JointTable {
    /// Log-odds before any tree is asked.
    bias: f32,
    forest: Forest,
    /// What is usual among joints that move skin.
    usual: Features,
}

impl JointTable {
    /// What was learned, put together.
    #[cfg(feature = "research")]
    pub fn new(bias: f32, forest: Forest, usual: Features) -> Self {
        Self { bias, forest, usual }
    }

    /// The table that comes with the library.
    pub fn shipped() -> &'static Self {
        static SHIPPED: OnceLock<JointTable> = OnceLock::new();
        SHIPPED.get_or_init(|| {
            Self::read(include_bytes!("joints.table")).unwrap_or_else(|_| Self {
                bias: 1.0,
                forest: Forest::default(),
                usual: [0; FEATURES.len()],
            })
        })
    }

    /// Its bytes.
    #[cfg(any(test, feature = "research"))]
    pub fn write(&self) -> Vec<u8> {
        let mut table = MAGIC.to_vec();
        table.extend(VERSION.to_le_bytes());
        table.extend(self.bias.to_le_bytes());
        table.extend(self.usual);
        self.forest.write(&mut table);
        table
    }

    /// Reads what [`JointTable::write`] wrote.
    pub fn read(bytes: &[u8]) -> Result<Self, TableError> {
        let mut table = Reader(bytes);
        if table.take::<8>()? != MAGIC {
            return Err(TableError::NoTable);
        }
        let found = u16::from_le_bytes(table.take()?);
        if found != VERSION {
            return Err(TableError::OtherVersion {
                found,
                wanted: VERSION,
            });
        }
        let bias = f32::from_le_bytes(table.take()?);
        if !bias.is_finite() {
            return Err(TableError::NotFinite);
        }
        let usual = table.take()?;
        let forest = Forest::read(&mut table, FEATURES.len())?;
        table.finish()?;
        Ok(Self { bias, forest, usual })
    }

    /// The log-odds that a joint moves skin.
    pub fn log_odds(&self, features: &Features) -> f32 {
        self.bias + self.forest.sum(features)
    }

    /// For each joint whether it is taken to move skin.
    pub fn choose(&self, skin: &Skin) -> Vec<bool> {
        self.chosen(skin, &evidence(skin))
    }

    fn chosen(&self, skin: &Skin, evidence: &[Features]) -> Vec<bool> {
        let skeleton = &skin.character().skeleton;
        let in_skin: Vec<bool> = skeleton.joints.iter().map(|j| j.in_skin).collect();
        let odds = self.odds(skin, evidence);
        let named = by_names(skeleton);
        let bones = bones_of_the_body(skeleton);
        // The table learned from names; it knows nothing of joints that are only numbered.
        let names_say_nothing = skeleton
            .indices()
            .filter(|j| in_skin[j.at()])
            .all(|j| evidence[j.at()][Name::SaysNothing as usize] == u8::MAX);
        let moves: Vec<bool> = (0..odds.len())
            .map(|j| {
                named[j]
                    && (names_say_nothing || bones[j].is_some() || odds[j] > threshold(&evidence[j]))
                    && !holds_nothing(&evidence[j])
            })
            .collect();
        // In a plain chain the first joint is a bone like the others, whatever it is called.
        let children = skeleton.skin_children();
        let branches = children.iter().any(|c| c.len() > 1);
        if moves.contains(&true) && branches {
            moves
        } else {
            in_skin
        }
    }

    /// The log-odds of all joints, those of partners averaged.
    fn odds(&self, skin: &Skin, evidence: &[Features]) -> Vec<f32> {
        let skeleton = &skin.character().skeleton;
        let in_skin: Vec<bool> = skeleton.joints.iter().map(|j| j.in_skin).collect();
        let own: Vec<f32> = evidence.iter().map(|f| self.log_odds(f)).collect();
        let (low, high) = skin
            .points()
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), p| {
                (l.min(p.x), h.max(p.x))
            });
        let partners = mirror_joints(skeleton, &in_skin, 0.5 * (low + high), MIRROR * skin.diagonal());
        own.iter()
            .zip(&partners)
            .map(|(&own_odds, partner)| partner.map_or(own_odds, |p| 0.5 * (own_odds + own[p.at()])))
            .collect()
    }

    /// What is thought of each joint of the skin, and why.
    pub fn guesses(&self, skin: &Skin) -> Vec<JointGuess> {
        let skeleton = &skin.character().skeleton;
        let evidence = evidence(skin);
        let odds = self.odds(skin, &evidence);
        let chosen = self.chosen(skin, &evidence);
        let named = by_names(skeleton);
        let bones = bones_of_the_body(skeleton);
        skeleton
            .indices()
            .filter(|&j| skeleton.joint(j).in_skin)
            .map(|joint| {
                let at = joint.at();
                let by_table = 1.0 / (1.0 + (-odds[at].abs()).exp());
                // Names that leave a joint out are certain words; where the whole skeleton would go, all of it stays.
                let by_map = bones[at].filter(|_| odds[at] <= threshold(&evidence[at]));
                let (certainty, reason) = if let Some(bone) = by_map.filter(|_| chosen[at]) {
                    let name = bone.name_in(NameScheme::Vrm);
                    (
                        BONE as f32,
                        format!("hierarchy and place make it the {name} of a body"),
                    )
                } else if chosen[at] {
                    (by_table, reason::reason(self, &evidence[at], true))
                } else if !named[at] {
                    (1.0, reason::by_name(&evidence[at]).to_owned())
                } else if holds_nothing(&evidence[at]) {
                    (
                        1.0,
                        "it is named after something that this mesh does not have".to_owned(),
                    )
                } else {
                    (by_table, reason::reason(self, &evidence[at], false))
                };
                JointGuess {
                    joint,
                    name: skeleton.joint(joint).name.clone(),
                    moves_skin: chosen[at],
                    certainty,
                    reason,
                }
            })
            .collect()
    }
}

/// The log-odds over which a joint is kept. A part of a body is no matter of opinion: a spine that lies oddly is a spine. What belongs
/// to a face or hangs from a body stays unless much speaks against it.
fn threshold(evidence: &Features) -> f32 {
    let says = |name: Name| evidence[name as usize] == u8::MAX;
    if says(Name::SaysBody) {
        f32::NEG_INFINITY
    } else if says(Name::SaysFace) || says(Name::SaysSoft) {
        NAMED
    } else {
        0.0
    }
}

/// For each joint the bone of trunk, head or limbs that it surely is. Fingers, eyes and jaws stay a matter of evidence, since many
/// meshes have none, and so do hips: on four of six characters of the corpus whose hips only their place tells they hold no skin.
fn bones_of_the_body(skeleton: &Skeleton) -> Vec<Option<StandardBone>> {
    use StandardBone as B;
    let mut bones = vec![None; skeleton.joints.len()];
    for found in HumanoidMap::of(skeleton).bones() {
        let of_left = found.bone.on(Side::Left);
        let main = of_left <= B::LeftHand && !matches!(of_left, B::Hips | B::Jaw | B::LeftEye);
        if main && found.confidence >= BONE {
            bones[found.joint.at()] = Some(found.bone);
        }
    }
    bones
}

/// Whether a joint is named after something that is carried, and no piece of the mesh is that.
fn holds_nothing(evidence: &Features) -> bool {
    let feature = |name: Name| evidence[name as usize];
    feature(Name::SaysProp) == u8::MAX && feature(Name::IsLeaf) == u8::MAX && feature(Name::OwnsShells) == 0
}

/// For each joint whether it moves skin, as far as all evidence tells.
pub fn guessed_deform_joints(skin: &Skin) -> Vec<bool> {
    skin.deforming_joints(|| JointTable::shipped().choose(skin))
        .to_vec()
}

/// What is thought of each joint of the skin, and why.
pub fn guess_joints(skin: &Skin) -> Vec<JointGuess> {
    JointTable::shipped().guesses(skin)
}

/// The names of the joints of the skin that a guess leaves out.
pub fn left_out(skeleton: &Skeleton, moves: &[bool]) -> Vec<String> {
    let out = |j: &JointIndex| skeleton.joint(*j).in_skin && !moves[j.at()];
    skeleton
        .indices()
        .filter(out)
        .map(|j| skeleton.joint(j).name.clone())
        .collect()
}
