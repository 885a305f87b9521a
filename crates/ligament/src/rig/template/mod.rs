//! A standard skeleton fitted into a mesh.
//!
//! Extraction says where limbs, trunk and head run; a template says which joints engines want along them, what they are
//! called and what hangs on what (Baran and Popović 2007 fit a skeleton of given bones in the same spirit, by embedding its graph;
//! here the graph is found first and recognised). A humanoid is also read off the solid itself (`upright`), and the better of both is taken (`rivals`). Bodies that the template is not made for are an error, never half a fit: the extracted skeleton
//! stays the answer.

mod build;
mod face;
mod fingers;
mod frame;
mod humanoid;
mod legs;
mod like;
mod nape;
mod rivals;
mod spelling;
#[cfg(test)]
mod tests;
mod upright;
mod usual;

use std::collections::BTreeMap;

use glam::DVec3;
use serde::Serialize;

use super::{BodyPlan, ExtractError, ExtractOptions, Extracted, extract, without_carried};
use crate::character::{Mesh, NameScheme, Skeleton, StandardBone};
use crate::task::Task;
pub use face::Face;
use face::face;
use humanoid::Humanoid;
pub use rivals::Source;

/// The skeleton that is wanted.
#[derive(Debug, Clone, Copy)]
pub enum Template<'a> {
    /// VRM's humanoid.
    Humanoid,
    /// Four legs, spine, neck, head, tail.
    Quadruped,
    /// Two legs and two wings.
    Bird,
    /// Another humanoid's skeleton, as it is: its joints, hierarchy and names.
    Like(&'a Skeleton),
}

/// How a template is fitted.
#[derive(Debug, Clone)]
pub struct TemplateOptions<'a> {
    /// The skeleton that is wanted.
    pub template: Template<'a>,
    /// Whose names joints get. The joints of another skeleton keep their own.
    pub names: NameScheme,
    /// Where bones begin that were found in the wrong place.
    pub markers: BTreeMap<StandardBone, DVec3>,
    /// What of a humanoid's face gets joints besides.
    pub face: Option<Face<'a>>,
}

/// A joint of a fitted template.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TemplateJoint {
    /// The standard bone that it is.
    pub bone: Option<StandardBone>,
    /// How sure its place is, from 0 to 1; markers are sure.
    pub confidence: f64,
}

/// A template in a mesh.
#[derive(Debug, Clone, PartialEq)]
pub struct Templated {
    /// The joints, parents first; rest is bind.
    pub skeleton: Skeleton,
    /// For each joint, what it is and how sure its place is.
    pub joints: Vec<TemplateJoint>,
    /// What the places of its joints come from.
    pub source: Source,
}

impl Templated {
    /// Joints whose place is less than half sure.
    pub fn doubtful(&self) -> Vec<&str> {
        let doubted = |(_, j): &(&crate::character::Joint, &TemplateJoint)| j.confidence < 0.5;
        self.skeleton
            .joints
            .iter()
            .zip(&self.joints)
            .filter(doubted)
            .map(|(joint, _)| joint.name.as_str())
            .collect()
    }
}

/// Why a template does not fit.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TemplateError {
    /// The body is another.
    #[error("the body is no {wanted}: {found}")]
    OtherBody {
        /// What the template is made for.
        wanted: &'static str,
        /// What was found instead.
        found: String,
    },
    /// The skeleton that was to be fitted has too few of the bones that engines know.
    #[error("the template is no humanoid that is recognised: it has no {missing}")]
    TemplateNotRecognised {
        /// The bones that it does not have.
        missing: String,
    },
    /// A marker is for a bone that the template does not have.
    #[error("the template has no {bone} for a marker to pin")]
    NoSuchBone {
        /// The bone.
        bone: &'static str,
    },
}

/// Fits a template into the body that a skeleton was extracted from.
pub fn fit_template(
    extracted: &Extracted,
    options: &TemplateOptions<'_>,
) -> Result<Templated, TemplateError> {
    let found = &extracted.skeleton;
    match options.template {
        Template::Humanoid => {
            let (body, source) = humanoid_in(extracted, options)?;
            let of_face = options
                .face
                .map(|wanted| face(wanted, &body, &extracted.whole.voxels));
            Ok(build::humanoid(
                found,
                &body,
                source,
                of_face.unwrap_or_default(),
                options.names,
                &options.markers,
            ))
        }
        Template::Like(skeleton) => {
            let (body, source) = humanoid_in(extracted, options)?;
            like::fitted(found, &body, source, skeleton, &options.markers)
        }
        Template::Quadruped | Template::Bird => {
            let (wanted, plan) = match options.template {
                Template::Quadruped => ("quadruped", BodyPlan::Quadruped),
                _ => ("bird", BodyPlan::Biped),
            };
            if let Some(bone) = options.markers.keys().next() {
                return Err(TemplateError::NoSuchBone {
                    bone: bone.name_in(NameScheme::Vrm),
                });
            }
            if extracted.plan != plan {
                return Err(TemplateError::OtherBody {
                    wanted,
                    found: plan_in_words(extracted.plan).to_owned(),
                });
            }
            if plan == BodyPlan::Biped && found.find("left_hand").is_none() {
                return Err(TemplateError::OtherBody {
                    wanted,
                    found: "it has no wings".to_owned(),
                });
            }
            Ok(build::animal(found, plan == BodyPlan::Biped, options.names))
        }
    }
}

/// Extracts a skeleton from a mesh and fits a template into it. What a humanoid carries is left out of both, if it is a humanoid without
/// that; `Extracted::joint_of_vertex` is for the vertices of what is left then.
pub fn extract_and_fit(
    mesh: &Mesh,
    extract_options: &ExtractOptions,
    options: &TemplateOptions<'_>,
    task: &Task<'_>,
) -> Result<(Extracted, Result<Templated, TemplateError>), ExtractError> {
    if matches!(options.template, Template::Humanoid | Template::Like(_))
        && let Some(body) = without_carried(mesh)
    {
        let extracted = extract(&body, extract_options, task)?;
        let fitted = fit_template(&extracted, options);
        if fitted.is_ok() {
            return Ok((extracted, fitted));
        }
    }
    let extracted = extract(mesh, extract_options, task)?;
    let fitted = fit_template(&extracted, options);
    Ok((extracted, fitted))
}

/// The humanoid that a body is, by its extracted limbs or by its solid.
fn humanoid_in(
    extracted: &Extracted,
    options: &TemplateOptions<'_>,
) -> Result<(Humanoid, Source), TemplateError> {
    let found = Humanoid::of(&extracted.skeleton, extracted.plan);
    let (mut body, source) = rivals::chosen(found, &extracted.whole)?;
    body.pin(&options.markers)?;
    Ok((body, source))
}

fn plan_in_words(plan: BodyPlan) -> &'static str {
    match plan {
        BodyPlan::Biped => "it stands on two legs",
        BodyPlan::Quadruped => "it stands on four legs",
        BodyPlan::Other => "neither two nor four legs were found",
    }
}
