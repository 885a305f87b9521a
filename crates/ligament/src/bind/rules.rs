//! What the shared options mean for one skin: who may follow what, how weights fall where, and how weights of points
//! become weights of vertices.

use glam::DVec3;

use super::deform_guess::left_out;
use super::{BindError, BindOptions, BindWarning, DeformChoice};
use crate::character::{Bone, Character, JointIndex, Skeleton, Weights, bones_ended_by};
use crate::skin::{JointMasks, Skin, points_at};

/// Shared options, resolved.
pub(crate) struct Rules<'a> {
    /// The skin that they are resolved for.
    pub skin: &'a Skin,
    /// The options themselves.
    pub options: &'a BindOptions,
    /// Which joints each point may follow.
    pub masks: JointMasks,
    /// For each joint whether any point may follow it.
    pub joints: Vec<bool>,
    /// For each point the falloff that a region gives it.
    pub falloffs: Vec<Option<f64>>,
    /// What was guessed.
    pub warnings: Vec<BindWarning>,
}

impl<'a> Rules<'a> {
    /// Resolves options; fails where they name what the character does not have.
    pub fn of(skin: &'a Skin, options: &'a BindOptions) -> Result<Self, BindError> {
        options.check()?;
        let character: &Character = skin.character();
        let skeleton = &character.skeleton;
        let chosen = options.deform.resolve(skin)?;
        let mut warnings = Vec::new();
        if options.deform == DeformChoice::Guess {
            let joints = left_out(skeleton, &chosen);
            if !joints.is_empty() {
                warnings.push(BindWarning::JointsLeftOut { joints });
            }
        }
        if skin.second_faces() > 0 {
            warnings.push(BindWarning::TwoSided {
                faces: skin.second_faces(),
            });
        }
        let (mut masks, without) = JointMasks::of(skin, &chosen);
        warnings.extend(without.into_iter().map(|part| BindWarning::NoDeformJointInPart {
            part: part.part,
            joints: part.joints,
        }));
        let mut falloffs = vec![None; skin.len()];
        for region in &options.regions {
            let inside = region.of.resolve(character)?;
            if let Some(drivers) = region.driver_joints(skeleton)? {
                masks.restrict(skin, &inside, &drivers);
            }
            if let Some(falloff) = &region.falloff {
                let falloff = falloff.at(skeleton, options.pose.as_ref())?;
                for point in points_at(skin, &inside) {
                    falloffs[point.at()] = Some(falloff);
                }
            }
        }
        Ok(Self {
            skin,
            options,
            joints: masks.joints(),
            masks,
            falloffs,
            warnings,
        })
    }

    /// The skeleton that is bound to.
    pub fn skeleton(&self) -> &'a Skeleton {
        &self.skin.character().skeleton
    }

    /// The bones of the joints that take part. A control, target or camera further from the body than the body is large
    /// ends none of them.
    pub fn bones(&self, leaf_stub: f64) -> Vec<Bone> {
        let points = &self.skin.solid_surface().points;
        let (low, high) = points
            .iter()
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), &p| {
                (low.min(p), high.max(p))
            });
        let size = low.distance(high);
        let skeleton = self.skeleton();
        let ends = |joint: JointIndex| {
            let at = skeleton.bind_position(joint);
            self.joints[joint.at()] || at.cmpge(low - size).all() && at.cmple(high + size).all()
        };
        bones_ended_by(skeleton, &self.joints, ends, leaf_stub)
    }

    /// Weights of points, pruned and handed out to all vertices; what is locked stays as it was.
    pub fn finished(&self, of_points: Weights) -> Result<Weights, BindError> {
        let pruned = self.options.pruned(of_points);
        let weights = self.skin.to_vertices(&pruned, self.any_joint())?;
        self.options
            .locks
            .applied(self.skin.character(), weights, self.options.influences)
    }

    fn any_joint(&self) -> JointIndex {
        JointIndex(self.joints.iter().position(|&d| d).unwrap_or(0) as u16)
    }
}
