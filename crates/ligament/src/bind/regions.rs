//! Parts of a mesh with rules of their own: how fast weights fall, and whom they follow.

use std::fmt;

use glam::{DQuat, DVec3};
use serde::de::{self, Deserializer, MapAccess, Visitor};
use serde::{Deserialize, Serialize};

use crate::character::{Character, JointIndex, Pose, Skeleton};

/// A set of vertices.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum VertexSet {
    /// All vertices of the parts of this name.
    Part(String),
    /// All vertices of the parts with a material of this name.
    Material(String),
    /// The vertices in an axis-aligned box, in bind space.
    Box {
        /// The least coordinates.
        low: DVec3,
        /// The largest coordinates.
        high: DVec3,
    },
    /// The vertices in a ball, in bind space.
    Sphere {
        /// Its middle.
        centre: DVec3,
        /// Its radius.
        radius: f64,
    },
    /// These vertices.
    Vertices(Vec<u32>),
}

/// How fast weights fall: α of Dionne and de Lasa 2014, from 0 (smooth) to 1 (sharp).
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Falloff {
    /// The same in every pose.
    Fixed(f64),
    /// Following how far a joint is rotated from its rest.
    WithJoint {
        /// The joint.
        joint: String,
        /// α at rest.
        rest: f64,
        /// α when the joint is rotated by `angle` or more.
        bent: f64,
        /// In degrees, over 0.
        angle: f64,
    },
}

/// Written out, because serde's own way to read "a number or a record" fails with JSON
/// readers that keep numbers as text.
impl<'de> Deserialize<'de> for Falloff {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(FalloffVisitor)
    }
}

struct FalloffVisitor;

impl<'de> Visitor<'de> for FalloffVisitor {
    type Value = Falloff;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("a number from 0 to 1, or a record of joint, rest, bent and angle")
    }

    fn visit_f64<E: de::Error>(self, alpha: f64) -> Result<Falloff, E> {
        Ok(Falloff::Fixed(alpha))
    }

    fn visit_u64<E: de::Error>(self, alpha: u64) -> Result<Falloff, E> {
        Ok(Falloff::Fixed(alpha as f64))
    }

    fn visit_i64<E: de::Error>(self, alpha: i64) -> Result<Falloff, E> {
        Ok(Falloff::Fixed(alpha as f64))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Falloff, A::Error> {
        let (mut joint, mut rest, mut bent, mut angle) = (None, None, None, None);
        while let Some(key) = map.next_key::<String>()? {
            match key.as_str() {
                "joint" => joint = Some(map.next_value()?),
                "rest" => rest = Some(map.next_value()?),
                "bent" => bent = Some(map.next_value()?),
                "angle" => angle = Some(map.next_value()?),
                // A number kept as text comes as a record of one such field.
                _ if key.starts_with('$') => {
                    let text: String = map.next_value()?;
                    return text.parse().map(Falloff::Fixed).map_err(de::Error::custom);
                }
                other => {
                    return Err(de::Error::unknown_field(
                        other,
                        &["joint", "rest", "bent", "angle"],
                    ));
                }
            }
        }
        let missing = de::Error::missing_field;
        Ok(Falloff::WithJoint {
            joint: joint.ok_or_else(|| missing("joint"))?,
            rest: rest.ok_or_else(|| missing("rest"))?,
            bent: bent.ok_or_else(|| missing("bent"))?,
            angle: angle.ok_or_else(|| missing("angle"))?,
        })
    }
}

/// A set of vertices and its rules.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Region {
    /// Which vertices.
    pub of: VertexSet,
    /// How fast weights fall there, for methods that have such a setting.
    #[serde(default)]
    pub falloff: Option<Falloff>,
    /// The joints that they follow, and no others; one joint makes the region rigid.
    #[serde(default)]
    pub drivers: Option<Vec<String>>,
}

/// Why a region cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RegionError {
    /// No vertex is in the set.
    #[error("the region {0} holds no vertex")]
    Empty(String),
    /// A joint is not in the skeleton.
    #[error("a region names the joint '{0}', which the skin does not have")]
    UnknownJoint(String),
    /// No joint is left to follow.
    #[error("a region's list of drivers is empty; name a joint or leave the list out")]
    NoDriver,
    /// A falloff is out of range.
    #[error("a falloff is a number from 0 to 1, and its angle over 0; got {0}")]
    Falloff(f64),
}

impl VertexSet {
    /// For each vertex whether it is in the set.
    pub fn resolve(&self, character: &Character) -> Result<Vec<bool>, RegionError> {
        let mesh = &character.mesh;
        let mut inside = vec![false; mesh.positions.len()];
        match self {
            Self::Part(_) | Self::Material(_) => {
                let chosen = mesh.parts.iter().filter(|p| match self {
                    Self::Part(name) => p.name == *name,
                    Self::Material(name) => p.material.name == *name,
                    _ => false,
                });
                for part in chosen {
                    inside[part.vertices.clone()].fill(true);
                }
            }
            Self::Box { low, high } => {
                for (inside, p) in inside.iter_mut().zip(&mesh.positions) {
                    let p = p.as_dvec3();
                    *inside = p.cmpge(*low).all() && p.cmple(*high).all();
                }
            }
            Self::Sphere { centre, radius } => {
                for (inside, p) in inside.iter_mut().zip(&mesh.positions) {
                    *inside = p.as_dvec3().distance(*centre) <= *radius;
                }
            }
            Self::Vertices(list) => {
                for &vertex in list {
                    if let Some(inside) = inside.get_mut(vertex as usize) {
                        *inside = true;
                    }
                }
            }
        }
        if inside.contains(&true) {
            Ok(inside)
        } else {
            Err(RegionError::Empty(self.described()))
        }
    }

    fn described(&self) -> String {
        match self {
            Self::Part(name) => format!("part '{name}'"),
            Self::Material(name) => format!("material '{name}'"),
            Self::Box { low, high } => format!("box from {low} to {high}"),
            Self::Sphere { centre, radius } => format!("sphere at {centre} of radius {radius}"),
            Self::Vertices(list) => format!("list of {} vertices", list.len()),
        }
    }
}

impl Falloff {
    /// α in a pose; at rest if there is none.
    pub fn at(&self, skeleton: &Skeleton, pose: Option<&Pose>) -> Result<f64, RegionError> {
        let check = |alpha: f64| {
            if (0.0..=1.0).contains(&alpha) {
                Ok(alpha)
            } else {
                Err(RegionError::Falloff(alpha))
            }
        };
        match self {
            Self::Fixed(alpha) => check(*alpha),
            Self::WithJoint {
                joint,
                rest,
                bent,
                angle,
            } => {
                let index = joint_called(skeleton, joint)?;
                if angle.is_nan() || *angle <= 0.0 {
                    return Err(RegionError::Falloff(*angle));
                }
                let (rest, bent) = (check(*rest)?, check(*bent)?);
                let rotated = pose.map_or(0.0, |pose| {
                    let at_rest: DQuat = skeleton.joint(index).rest.rotation;
                    let now = pose.locals[index.at()].rotation;
                    at_rest.angle_between(now).to_degrees()
                });
                Ok(rest + (bent - rest) * (rotated / angle).clamp(0.0, 1.0))
            }
        }
    }
}

impl Region {
    /// The joints that the region follows, if it has drivers.
    pub fn driver_joints(&self, skeleton: &Skeleton) -> Result<Option<Vec<JointIndex>>, RegionError> {
        let Some(drivers) = &self.drivers else {
            return Ok(None);
        };
        if drivers.is_empty() {
            return Err(RegionError::NoDriver);
        }
        drivers
            .iter()
            .map(|name| joint_called(skeleton, name))
            .collect::<Result<_, _>>()
            .map(Some)
    }
}

fn joint_called(skeleton: &Skeleton, name: &str) -> Result<JointIndex, RegionError> {
    skeleton
        .find(name)
        .filter(|&j| skeleton.joint(j).in_skin)
        .ok_or_else(|| RegionError::UnknownJoint(name.to_owned()))
}
