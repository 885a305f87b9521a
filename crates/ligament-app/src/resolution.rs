//! How many voxels the longest side of a character has, as a request says it.

use std::fmt;
use std::str::FromStr;

use ligament::solid::Resolution;
use serde::de::{self, Deserializer, Visitor};
use serde::{Deserialize, Serialize, Serializer};

use crate::AppError;

/// `auto`, or voxels along the longest side, 32 to 1024.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ResolutionRequest {
    /// Chosen from the mesh.
    #[default]
    Auto,
    /// This many.
    Voxels(u32),
}

impl FromStr for ResolutionRequest {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let number = || text.parse().ok().map(Self::Voxels);
        match text {
            "auto" => Some(Self::Auto),
            _ => number(),
        }
        .filter(|r| Resolution::try_from(*r).is_ok())
        .ok_or_else(|| format!("a resolution is a number from 32 to 1024, or auto; got '{text}'"))
    }
}

impl TryFrom<ResolutionRequest> for Resolution {
    type Error = AppError;

    fn try_from(request: ResolutionRequest) -> Result<Self, AppError> {
        match request {
            ResolutionRequest::Auto => Ok(Self::Auto),
            ResolutionRequest::Voxels(n @ 32..=1024) => Ok(Self::Voxels(n)),
            ResolutionRequest::Voxels(n) => Err(AppError::bad_value(
                "resolution",
                "is a number from 32 to 1024, or auto",
                n,
            )),
        }
    }
}

impl Serialize for ResolutionRequest {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Auto => to.serialize_str("auto"),
            Self::Voxels(n) => to.serialize_u32(*n),
        }
    }
}

impl<'de> Deserialize<'de> for ResolutionRequest {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(NumberOrAuto)
    }
}

struct NumberOrAuto;

impl<'de> Visitor<'de> for NumberOrAuto {
    type Value = ResolutionRequest;

    fn expecting(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str("a number from 32 to 1024, or \"auto\"")
    }

    fn visit_u64<E: de::Error>(self, number: u64) -> Result<Self::Value, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_i64<E: de::Error>(self, number: i64) -> Result<Self::Value, E> {
        self.visit_str(&number.to_string())
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
        text.parse().map_err(de::Error::custom)
    }

    /// A reader that keeps numbers as text gives them as a record of one field.
    fn visit_map<A: de::MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
        match map.next_entry::<String, String>()? {
            Some((key, text)) if key.starts_with('$') => self.visit_str(&text),
            _ => Err(de::Error::custom("a resolution is a number or \"auto\"")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_resolution_is_a_number_or_auto() {
        let read = |text: &str| serde_json::from_str::<ResolutionRequest>(text).ok();
        assert_eq!(read("\"auto\""), Some(ResolutionRequest::Auto));
        assert_eq!(read("128"), Some(ResolutionRequest::Voxels(128)));
        assert_eq!(read("\"256\""), Some(ResolutionRequest::Voxels(256)));
        assert_eq!(read("16"), None);
        assert_eq!(read("\"fine\""), None);
        for request in [ResolutionRequest::Auto, ResolutionRequest::Voxels(64)] {
            let text = serde_json::to_string(&request).unwrap();
            assert_eq!(read(&text), Some(request), "{text}");
        }
    }
}
