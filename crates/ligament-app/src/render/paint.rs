//! What colours the vertices.

use ligament::{Character, JointIndex};
use ligament_render::{Paint, Pictures, Ramp, joint_weights, weight_colors};

use super::RenderRequest;
use crate::AppError;
use crate::asset::Asset;

pub struct Painted<'a> {
    pub joint: Option<JointIndex>,
    values: Option<Vec<f32>>,
    colors: Option<Vec<[f32; 3]>>,
    pictures: &'a Pictures,
}

impl<'a> Painted<'a> {
    pub fn new(request: &RenderRequest, asset: &'a Asset, colors: &[[f32; 3]]) -> Result<Self, AppError> {
        let joint = request
            .joint
            .as_ref()
            .map(|name| find_joint(asset.character(), name))
            .transpose()?;
        let values = match joint {
            Some(joint) => Some(joint_weights(asset.weights()?, joint)),
            None => None,
        };
        let colors = match request.joints {
            true => Some(weight_colors(asset.weights()?, colors)),
            false => None,
        };
        Ok(Self {
            joint,
            values,
            colors,
            pictures: asset.pictures(),
        })
    }

    pub fn paint(&self) -> Paint<'_> {
        match (&self.values, &self.colors) {
            (Some(values), _) => Paint::Scalar {
                values,
                ramp: Ramp::Weight,
            },
            (None, Some(colors)) => Paint::Colors(colors),
            (None, None) => Paint::Textured(self.pictures),
        }
    }
}

pub fn find_joint(character: &Character, name: &str) -> Result<JointIndex, AppError> {
    character.skeleton.find(name).ok_or_else(|| {
        let known: Vec<&str> = character
            .skeleton
            .joints
            .iter()
            .filter(|j| j.in_skin)
            .map(|j| j.name.as_str())
            .take(12)
            .collect();
        AppError::NoJoint {
            joint: name.to_owned(),
            name: character.name.clone(),
            known: known.join(", "),
        }
    })
}
