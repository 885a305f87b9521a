//! A method and its form in one word: `voxel`, `voxel:2014`, `voxel:2014@256`, `heat:2007`.

use ligament::bind::Method;

use crate::AppError;
use crate::method_options::{MethodOptions, method};
use crate::resolution::ResolutionRequest;

/// A method with the preset and the resolution that it is to be used with.
#[derive(Debug, Clone, PartialEq)]
pub struct MethodSpec {
    /// As it was written.
    pub name: String,
    /// The method.
    pub method: Method,
}

impl MethodSpec {
    /// Reads `METHOD[:PRESET][@RESOLUTION]`.
    pub fn parse(text: &str) -> Result<Self, AppError> {
        let (form, resolution) = match text.split_once('@') {
            Some((form, resolution)) => {
                let resolution: ResolutionRequest = resolution.parse().map_err(|_| {
                    AppError::bad_value(
                        "a method",
                        "is METHOD[:PRESET][@RESOLUTION] with a resolution from 32 to 1024, or auto",
                        format!("'{text}'"),
                    )
                })?;
                (form, Some(resolution))
            }
            None => (text, None),
        };
        let (name, preset) = match form.split_once(':') {
            Some((name, preset)) => (name, Some(preset.to_owned())),
            None => (form, None),
        };
        let options = MethodOptions {
            preset,
            resolution,
            ..MethodOptions::default()
        };
        Ok(Self {
            name: text.to_owned(),
            method: method(Some(name), &options)?,
        })
    }
}

impl From<Method> for MethodSpec {
    fn from(method: Method) -> Self {
        Self {
            name: method.name().to_owned(),
            method,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ligament::solid::Resolution;

    #[test]
    fn a_word_names_method_form_and_resolution() {
        let spec = MethodSpec::parse("voxel:2014@256").unwrap();
        let Method::Voxel(voxel) = &spec.method else {
            panic!("voxel is named")
        };
        assert_eq!(voxel.solid.resolution, Resolution::Voxels(256));
        assert_eq!(MethodSpec::parse("heat").unwrap().method.name(), "heat");
        for bad in ["magic", "heat:1999", "heat@128", "voxel@7", "best:2014"] {
            assert!(MethodSpec::parse(bad).is_err(), "{bad}");
        }
    }
}
