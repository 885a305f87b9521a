//! Where a picture is taken from and how large it is, as a person writes it.

use std::fmt;
use std::str::FromStr;

use ligament_render::View;
use serde::{Deserialize, Serialize};

/// `front`, `back`, `left`, `right`, `three-quarter`, `top`, or `YAW,PITCH` in degrees.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ViewRequest(pub View);

const NAMED: [(&str, View); 6] = [
    ("front", View::Front),
    ("back", View::Back),
    ("left", View::Left),
    ("right", View::Right),
    ("three-quarter", View::ThreeQuarter),
    ("top", View::Top),
];

impl Default for ViewRequest {
    fn default() -> Self {
        Self(View::ThreeQuarter)
    }
}

impl FromStr for ViewRequest {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Some((_, view)) = NAMED.iter().find(|(name, _)| *name == text) {
            return Ok(Self(*view));
        }
        let angles = text.split_once(',').and_then(|(yaw, pitch)| {
            let number = |t: &str| t.trim().parse::<f32>().ok().filter(|x| x.is_finite());
            Some((number(yaw)?, number(pitch)?))
        });
        let (yaw, pitch) = angles.ok_or("use front, back, left, right, three-quarter, top, or YAW,PITCH")?;
        Ok(Self(View::Angles {
            yaw: yaw.to_radians(),
            pitch: pitch.to_radians(),
        }))
    }
}

impl TryFrom<String> for ViewRequest {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<ViewRequest> for String {
    fn from(view: ViewRequest) -> Self {
        view.to_string()
    }
}

impl fmt::Display for ViewRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (NAMED.iter().find(|(_, view)| *view == self.0), self.0) {
            (Some((name, _)), _) => f.write_str(name),
            (None, View::Angles { yaw, pitch }) => {
                write!(f, "{},{}", yaw.to_degrees(), pitch.to_degrees())
            }
            (None, _) => f.write_str("three-quarter"),
        }
    }
}

/// Pixels of a picture, as in `1280x720`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PictureSize {
    /// Pixels across.
    pub width: u32,
    /// Pixels down.
    pub height: u32,
}

impl FromStr for PictureSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sides = text
            .split_once(['x', '×'])
            .and_then(|(w, h)| Some((w.parse().ok()?, h.parse().ok()?)));
        let (width, height) = sides.ok_or("use WIDTHxHEIGHT in pixels, such as 1280x720")?;
        Ok(Self { width, height })
    }
}

impl TryFrom<String> for PictureSize {
    type Error = String;

    fn try_from(text: String) -> Result<Self, String> {
        text.parse()
    }
}

impl From<PictureSize> for String {
    fn from(size: PictureSize) -> Self {
        format!("{}x{}", size.width, size.height)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_and_sizes_are_read_as_they_are_written() {
        for text in ["front", "top", "three-quarter", "45,-10"] {
            let view: ViewRequest = text.parse().unwrap();
            assert_eq!(view.to_string().parse(), Ok(view), "{text}");
        }
        assert!("sideways".parse::<ViewRequest>().is_err());
        assert!("1,NaN".parse::<ViewRequest>().is_err());
        let size: PictureSize = "640x480".parse().unwrap();
        assert_eq!(String::from(size), "640x480");
        assert!("640".parse::<PictureSize>().is_err());
    }
}
