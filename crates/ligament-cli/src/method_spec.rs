//! A method and its form in one word: `voxel`, `voxel:2014`, `voxel:2014@256`, `heat:2007`.

use anyhow::{Context, bail};
use ligament::bind::voxel::Form;
use ligament::bind::{FitOptions, HeatPreset, Method};

use crate::voxel_args::parse_resolution;

/// A method with the preset and the resolution that it is to be used with.
pub struct MethodSpec {
    /// As it was written.
    pub name: String,
    pub method: Method,
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
            Some((name, preset)) => (name, Some(preset)),
            None => (form, None),
        };
        let mut method = with_preset(Method::named(name)?, preset)?;
        if let Some(resolution) = resolution {
            let Method::Voxel(own) = &mut method else {
                bail!("a resolution is for voxel, not for '{}'", method.name());
            };
            own.solid.resolution = resolution;
        }
        Ok(Self {
            name: text.to_owned(),
            method,
        })
    }

    /// A method as it is by default.
    pub fn plain(method: Method) -> Self {
        Self {
            name: method.name().to_owned(),
            method,
        }
    }
}

/// The method in a published form.
pub fn with_preset(mut method: Method, preset: Option<&str>) -> anyhow::Result<Method> {
    let Some(preset) = preset else { return Ok(method) };
    let name = method.name();
    match (&mut method, preset) {
        (Method::Voxel(own), "2014") => own.preset = Form::Paper2014,
        (Method::Voxel(own), "2013") => own.preset = Form::Paper2013,
        (Method::Heat(own), "2007") => own.preset = HeatPreset::Published2007,
        (Method::Heat(own), "blender") => own.preset = HeatPreset::Blender,
        (Method::Cells(own), "paper") => *own = FitOptions::paper(),
        (Method::Voxel(_), _) => bail!("'{name}' has no preset '{preset}'; known: 2014, 2013"),
        (Method::Heat(_), _) => bail!("'{name}' has no preset '{preset}'; known: 2007, blender"),
        (Method::Cells(_), _) => bail!("'{name}' has no preset '{preset}'; known: paper"),
        _ => bail!("'{name}' has no preset '{preset}'; known: none"),
    }
    Ok(method)
}
