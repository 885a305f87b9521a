//! Points, balls and boxes that attract skin for a joint, besides its bones.

use std::fmt;
use std::str::FromStr;

use glam::DVec3;
use ligament::Skeleton;
use ligament::character::Bone;
use ligament::edit::ShapeAround;
use serde::{Deserialize, Serialize};

use crate::AppError;

/// A shape around a joint. As text: `JOINT=point:X,Y,Z`, `JOINT=ball:X,Y,Z,RADIUS` or `JOINT=box:X,Y,Z,A,B,C`, all as seen
/// from the joint along the axes of the character; A, B and C are half the box's extent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShapeRequest {
    /// The joint's name.
    pub joint: String,
    /// Where, and which shape.
    pub shape: ShapeAround,
}

const FORM: &str = "write JOINT=point:X,Y,Z, JOINT=ball:X,Y,Z,RADIUS or JOINT=box:X,Y,Z,A,B,C";

impl FromStr for ShapeRequest {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        // Names may hold the sign; shapes do not.
        let (joint, shape) = text.rsplit_once('=').ok_or(FORM)?;
        let (kind, numbers) = shape.split_once(':').ok_or(FORM)?;
        let numbers: Option<Vec<f64>> = numbers.split(',').map(|n| n.trim().parse().ok()).collect();
        let shape = match (kind, numbers.as_deref()) {
            ("point", Some(&[x, y, z])) => ShapeAround::Point {
                offset: DVec3::new(x, y, z),
            },
            ("ball", Some(&[x, y, z, radius])) => ShapeAround::Ball {
                offset: DVec3::new(x, y, z),
                radius,
            },
            ("box", Some(&[x, y, z, a, b, c])) => ShapeAround::Box {
                offset: DVec3::new(x, y, z),
                half_extent: DVec3::new(a, b, c),
            },
            _ => return Err(FORM.to_owned()),
        };
        shape.around(DVec3::ZERO).map_err(|e| e.to_string())?;
        Ok(Self {
            joint: joint.to_owned(),
            shape,
        })
    }
}

impl fmt::Display for ShapeRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joint = &self.joint;
        match self.shape {
            ShapeAround::Point { offset: o } => write!(f, "{joint}=point:{},{},{}", o.x, o.y, o.z),
            ShapeAround::Ball { offset: o, radius } => {
                write!(f, "{joint}=ball:{},{},{},{radius}", o.x, o.y, o.z)
            }
            ShapeAround::Box {
                offset: o,
                half_extent: h,
            } => write!(f, "{joint}=box:{},{},{},{},{},{}", o.x, o.y, o.z, h.x, h.y, h.z),
        }
    }
}

/// The shapes as bones of a skeleton.
pub fn attracting(shapes: &[ShapeRequest], skeleton: &Skeleton) -> Result<Vec<Bone>, AppError> {
    let bone = |request: &ShapeRequest| {
        let joint = skeleton
            .find(&request.joint)
            .filter(|&j| skeleton.joint(j).in_skin);
        let joint = joint.ok_or_else(|| {
            AppError::bad_value(
                "shapes",
                "belong to joints of the skin",
                format!("'{}'", request.joint),
            )
        })?;
        let shape = request
            .shape
            .around(skeleton.bind_position(joint))
            .map_err(|e| AppError::bad_value("shapes", e.to_string(), request))?;
        Ok(Bone {
            joint,
            shape,
            stub: false,
        })
    };
    shapes.iter().map(bone).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_written_as_they_are_read() {
        for text in [
            "hand=point:0,-0.5,1e-3",
            "a=b=ball:0,0,0,0.25",
            "l_arm=box:1,2,3,0.5,0.25,0.125",
        ] {
            let read: ShapeRequest = text.parse().unwrap();
            let again: ShapeRequest = read.to_string().parse().unwrap();
            assert_eq!(again, read, "{text}");
        }
        for text in [
            "hand",
            "hand=ball:0,0,0",
            "hand=ball:0,0,0,-1",
            "hand=cone:0,0,0",
            "hand=point:0,0,nan",
        ] {
            assert!(text.parse::<ShapeRequest>().is_err(), "{text}");
        }
    }

    #[test]
    fn shapes_are_bones_where_their_joints_are() {
        let tube = ligament::sample::make("tube@200").unwrap();
        let joint = tube
            .skeleton
            .indices()
            .find(|&j| tube.skeleton.joint(j).in_skin)
            .unwrap();
        let name = tube.skeleton.joint(joint).name.clone();
        let ball: ShapeRequest = format!("{name}=ball:0.5,0,0,0.25").parse().unwrap();
        let bones = attracting(&[ball], &tube.skeleton).unwrap();
        let middle = tube.skeleton.bind_position(joint) + DVec3::X * 0.5;
        assert_eq!(bones[0].joint, joint);
        assert!(bones[0].shape.distance(middle + DVec3::Y * 0.2) == 0.0);
        assert!((bones[0].shape.distance(middle + DVec3::Y) - 0.75).abs() < 1e-12);
        let nobody: ShapeRequest = "nobody=point:0,0,0".parse().unwrap();
        assert!(attracting(&[nobody], &tube.skeleton).is_err());
    }
}
