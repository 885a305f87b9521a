//! What each command does to a rig.

use glam::DVec3;

use super::command::Command;
use super::error::EditError;
use super::options::EditMethod;
use super::rig_state::{JointSettings, Rig};
use crate::bind::Region;

impl Rig {
    /// Does a command; the weights of `method` are to follow it.
    pub fn apply(&mut self, command: &Command, method: EditMethod) -> Result<(), EditError> {
        let rig = self;
        match command {
            Command::MoveJoint {
                joint,
                to,
                by,
                with_children,
            } => {
                let joint = rig.joint(joint)?;
                let at = rig.skeleton.bind_position(joint);
                let to = given_position("where a joint goes", at, *to, *by)?;
                rig.move_joint(joint, to, *with_children);
            }
            Command::InsertJoint { joint, name, at } => {
                in_range("the place on the bone", "within 0 and 1", *at, |x| {
                    (0.0..=1.0).contains(&x)
                })?;
                let joint = rig.joint(joint)?;
                rig.insert(joint, name.clone(), *at)?;
            }
            Command::AddJoint { joint, name, to, by } => {
                let joint = rig.joint(joint)?;
                let at = rig.skeleton.bind_position(joint);
                let to = given_position("where a new joint is", at, *to, *by)?;
                rig.add(joint, name.clone(), to)?;
            }
            Command::DeleteJoint { joint } => {
                let joint = rig.joint(joint)?;
                rig.delete(joint)?;
            }
            Command::AlignJoints { joints } => {
                let joints = joints.iter().map(|j| rig.joint(j)).collect::<Result<_, _>>()?;
                rig.align(joints)?;
            }
            Command::SetRoot { joint } => {
                let joint = rig.joint(joint)?;
                rig.set_root(joint);
            }
            Command::RenameJoint { joint, name } => {
                let joint = rig.joint(joint)?;
                rig.rename(joint, name.clone())?;
            }
            Command::Orient { joint, up } => {
                let joint = joint.as_ref().map(|j| rig.joint(j)).transpose()?;
                rig.orient(joint, *up)?;
            }
            Command::Range { joint, to, by } => {
                let joint = rig.joint(joint)?;
                let now = rig.handle_position(joint);
                let from_bind = rig.skeleton.joint(joint).bind_from_joint.inverse();
                let position = position("where a handle goes", now, *to, *by)?;
                rig.settings_of(joint).handle = position.map(|p| from_bind.transform_point3(p));
            }
            Command::Magnitude { joint, value } => {
                in_range("a magnitude", "over 0 and finite", *value, |x| {
                    x > 0.0 && x.is_finite()
                })?;
                let joint = rig.joint(joint)?;
                rig.settings_of(joint).heat.magnitude = *value;
            }
            Command::Smoothness { joint, value } => {
                in_range("a smoothness", "within 0 and 1", *value, |x| {
                    (0.0..=1.0).contains(&x)
                })?;
                let joint = rig.joint(joint)?;
                only(method, EditMethod::Heat, "smoothness")?;
                rig.settings_of(joint).heat.smoothness = *value;
            }
            Command::TakesPart { joint, value } => {
                let joint = rig.joint(joint)?;
                rig.settings_of(joint).takes_part = *value;
            }
            Command::Falloff { value } => {
                only(method, EditMethod::Voxel, "falloff")?;
                if let Some(value) = value {
                    in_range("a falloff", "within 0 and 1", *value, |x| {
                        (0.0..=1.0).contains(&x)
                    })?;
                }
                rig.falloff = *value;
            }
            Command::AddRegion { of, falloff, drivers } => {
                if falloff.is_some() {
                    only(method, EditMethod::Voxel, "falloff")?;
                }
                rig.regions.push(Region {
                    of: of.clone(),
                    falloff: falloff.clone(),
                    drivers: drivers.clone(),
                });
            }
            Command::RemoveRegion { of } => {
                let before = rig.regions.len();
                rig.regions.retain(|r| r.of != *of);
                if rig.regions.len() == before {
                    return Err(EditError::NoSuchRegion);
                }
            }
            Command::AddShape { joint, shape } => {
                only(method, EditMethod::Voxel, "shapes around joints")?;
                let joint = rig.joint(joint)?;
                let shape = shape.around(DVec3::ZERO)?;
                rig.settings_of(joint).shapes.push(shape);
            }
            Command::RemoveShapes { joint } => {
                let joint = rig.joint(joint)?;
                let name = rig.skeleton.joint(joint).name.clone();
                let settings: &mut JointSettings = rig.settings_of(joint);
                if settings.shapes.is_empty() {
                    return Err(EditError::NoShapes { name });
                }
                settings.shapes.clear();
            }
        }
        Ok(())
    }
}

/// Fails if a setting is not one of the method whose weights follow.
fn only(method: EditMethod, wanted: EditMethod, setting: &'static str) -> Result<(), EditError> {
    if method == wanted {
        return Ok(());
    }
    Err(EditError::NotOfMethod {
        method: method.name(),
        setting,
        other: wanted.name(),
    })
}

/// A position that must be given.
fn given_position(
    what: &'static str,
    at: DVec3,
    to: Option<DVec3>,
    by: Option<DVec3>,
) -> Result<DVec3, EditError> {
    position(what, at, to, by)?.ok_or_else(|| EditError::OutOfRange {
        what,
        range: "given by 'to' or by 'by'",
        value: "neither".to_owned(),
    })
}

/// A position that is given as such or as a step from `at`.
fn position(
    what: &'static str,
    at: DVec3,
    to: Option<DVec3>,
    by: Option<DVec3>,
) -> Result<Option<DVec3>, EditError> {
    let position = match (to, by) {
        (None, None) => return Ok(None),
        (Some(to), None) => to,
        (None, Some(by)) => at + by,
        (Some(_), Some(_)) => {
            return Err(EditError::OutOfRange {
                what,
                range: "given by 'to' or by 'by'",
                value: "both".to_owned(),
            });
        }
    };
    if !position.is_finite() {
        return Err(EditError::OutOfRange {
            what,
            range: "finite",
            value: position.to_string(),
        });
    }
    Ok(Some(position))
}

fn in_range(
    what: &'static str,
    range: &'static str,
    value: f64,
    good: impl Fn(f64) -> bool,
) -> Result<(), EditError> {
    if good(value) {
        return Ok(());
    }
    Err(EditError::OutOfRange {
        what,
        range,
        value: value.to_string(),
    })
}
