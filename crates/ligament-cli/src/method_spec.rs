//! A method and its form in one word: `voxel`, `voxel:2014`, `voxel:2014@256`, `heat:2007`.

use anyhow::{Context, bail};
use ligament::bind::{BindOptions, Method, method};
use ligament::solid::Resolution;

use crate::voxel_args::parse_resolution;

/// A method with the preset and the resolution that it is to be used with.
pub struct MethodSpec {
    /// As it was written.
    pub name: String,
    pub method: &'static dyn Method,
    preset: Option<String>,
    resolution: Option<Resolution>,
}

impl MethodSpec {
    /// Reads `METHOD[:PRESET][@RESOLUTION]`.
    pub fn parse(text: &str) -> anyhow::Result<Self> {
        let (form, resolution) = match text.split_once('@') {
            Some((form, resolution)) => {
                let resolution =
                    parse_resolution(resolution).with_context(|| format!("in the method '{text}'"))?;
                (form, Some(resolution))
            }
            None => (text, None),
        };
        let (name, preset) = match form.split_once(':') {
            Some((name, preset)) => (name, Some(preset.to_owned())),
            None => (form, None),
        };
        let method = method(name)?;
        if resolution.is_some() && method.name() != "voxel" {
            bail!("a resolution is for voxel, not for '{}'", method.name());
        }
        Ok(Self {
            name: text.to_owned(),
            method,
            preset,
            resolution,
        })
    }

    /// A method as it is by default.
    pub fn plain(method: &'static dyn Method) -> Self {
        Self {
            name: method.name().to_owned(),
            method,
            preset: None,
            resolution: None,
        }
    }

    /// Puts preset and resolution into the options.
    pub fn apply(&self, options: &mut BindOptions) {
        options.preset.clone_from(&self.preset);
        if let Some(resolution) = self.resolution {
            options.voxel.resolution = resolution;
        }
    }
}
