//! Units and axes of files that do not state them.

use std::fmt;
use std::str::FromStr;

use glam::{DAffine3, DQuat, DVec3};
use ligament::Character;
use ligament::rig::{Fit, UpAxisRotation, apply_fit};
use serde::{Deserialize, Serialize};

/// Which way is up in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum UpAxis {
    /// As here.
    Y,
    /// As in Blender, 3ds Max and most CAD programs; what faces −Y then faces +Z here.
    Z,
}

/// What a file counts lengths in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs, reason = "each is the name of a unit")]
pub enum LengthUnit {
    Millimetres,
    Centimetres,
    Metres,
    Inches,
    Feet,
}

impl LengthUnit {
    /// Metres in one of it.
    pub fn metres(self) -> f64 {
        match self {
            Self::Millimetres => 0.001,
            Self::Centimetres => 0.01,
            Self::Metres => 1.0,
            Self::Inches => 0.0254,
            Self::Feet => 0.3048,
        }
    }
}

const UNITS: [(&str, LengthUnit); 5] = [
    ("mm", LengthUnit::Millimetres),
    ("cm", LengthUnit::Centimetres),
    ("m", LengthUnit::Metres),
    ("in", LengthUnit::Inches),
    ("ft", LengthUnit::Feet),
];

impl FromStr for LengthUnit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = UNITS.iter().find(|(name, _)| *name == text);
        found
            .map(|(_, unit)| *unit)
            .ok_or("use mm, cm, m, in or ft".to_owned())
    }
}

impl fmt::Display for LengthUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = UNITS.iter().find(|(_, unit)| unit == self);
        f.write_str(found.map_or("m", |(name, _)| name))
    }
}

impl FromStr for UpAxis {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "y" => Ok(Self::Y),
            "z" => Ok(Self::Z),
            _ => Err("use y or z".to_owned()),
        }
    }
}

impl fmt::Display for UpAxis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Y => "y",
            Self::Z => "z",
        })
    }
}

/// The same as a map.
pub(crate) fn placing(up: UpAxis, scale: f64) -> DAffine3 {
    let turn = match up {
        UpAxis::Y => DQuat::IDENTITY,
        UpAxis::Z => DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2),
    };
    DAffine3::from_scale_rotation_translation(DVec3::splat(scale), turn, DVec3::ZERO)
}

/// Turns and scales a whole character: mesh, blend shapes, skeleton, clips.
pub(crate) fn orient_and_scale(character: &mut Character, up: UpAxis, scale: f64) {
    let rotation = match up {
        UpAxis::Y => UpAxisRotation::None,
        UpAxis::Z => UpAxisRotation::ZUpToYUp,
    };
    let turn = match up {
        UpAxis::Y => DQuat::IDENTITY,
        UpAxis::Z => DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2),
    };
    for p in &mut character.mesh.positions {
        *p = (turn * p.as_dvec3() * scale).as_vec3();
    }
    for n in character.mesh.normals.iter_mut().flatten() {
        *n = (turn * n.as_dvec3()).as_vec3();
    }
    for n in character.mesh.corner_normals.iter_mut().flatten().flatten() {
        *n = (turn * n.as_dvec3()).as_vec3();
    }
    for shape in &mut character.mesh.blend_shapes {
        for offset in &mut shape.offsets {
            *offset = (turn * offset.as_dvec3() * scale).as_vec3();
        }
        for normal in shape.normal_offsets.iter_mut().flatten() {
            *normal = (turn * normal.as_dvec3()).as_vec3();
        }
    }
    let fit = Fit {
        rotation,
        scale,
        offset: DVec3::ZERO,
        agreement_before: 1.0,
        agreement_after: 1.0,
    };
    apply_fit(&fit, &mut character.skeleton, &mut character.clips);
}

#[cfg(test)]
mod tests {
    use super::*;
    use ligament::Pose;
    use ligament::deform::{DeformMethod, deform};

    #[test]
    fn a_character_that_was_turned_and_scaled_moves_as_before() {
        let mut tube = ligament::sample::make("tube@300").unwrap();
        let method = ligament::bind::Method::named("closest").unwrap();
        let task = ligament::task::Task::unattended();
        let bound = method.bind_character(&tube, &ligament::bind::BindOptions::default(), &task);
        tube.weights = Some(bound.unwrap().weights);
        let mut placed = tube.clone();
        orient_and_scale(&mut placed, UpAxis::Z, 0.01);
        let turn = |p: glam::Vec3| 0.01 * glam::Vec3::new(p.x, p.z, -p.y);
        let moments = [None, Some(0.3), Some(0.8)];
        for seconds in moments {
            let posed = |c: &Character| {
                let pose = match seconds {
                    Some(t) => c.clips[0].pose_at(&c.skeleton, t),
                    None => Pose::rest(&c.skeleton),
                };
                let weights = c.weights.as_ref().unwrap();
                deform(c, weights, &pose, DeformMethod::LinearBlend)
                    .unwrap()
                    .positions
            };
            for (p, q) in posed(&tube).iter().zip(posed(&placed)) {
                assert!(turn(*p).distance(q) < 1e-6, "{p} {q}");
            }
        }
    }

    #[test]
    fn units_are_written_as_they_are_read() {
        for (name, unit) in UNITS {
            assert_eq!(name.parse(), Ok(unit));
            assert_eq!(unit.to_string(), name);
        }
        assert!("furlong".parse::<LengthUnit>().is_err() && "w".parse::<UpAxis>().is_err());
    }
}
