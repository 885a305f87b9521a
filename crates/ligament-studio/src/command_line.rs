//! The words of `ligament bind` that repeat a bind without the studio.

use ligament::bind::VertexSet;
use ligament::character::BoneShape;

use ligament_app::edit::SessionRequest;

use crate::rigging::Rigged;
use crate::state::BindSettings;

/// What the file of edits by hand is called in commands.
pub const HAND_EDITS: &str = "hand_edits.json";

/// The command, and the regions' file that it names, if it needs one.
pub struct Repeated {
    /// The command.
    pub command: String,
    /// What `regions.json` holds.
    pub regions: Option<String>,
}

/// The command that gives the same weights from the same input.
pub fn repeated(settings: &BindSettings, input: &str, output: &str, hands: bool) -> Repeated {
    let mut words: Vec<String> = [
        "ligament",
        "bind",
        input,
        "-o",
        output,
        "--method",
        &settings.method,
    ]
    .map(str::to_owned)
    .to_vec();
    let mut put = |option: &str, value: String| words.extend([option.to_owned(), value]);
    let options = &settings.options;
    put("--influences", settings.influences.to_string());
    let usual = BindSettings::default();
    if settings.prune != usual.prune {
        put("--prune", settings.prune.to_string());
    }
    for joints in &settings.deform {
        put("--deform", joints.clone());
    }
    if let Some(preset) = &options.preset {
        put("--preset", preset.clone());
    }
    if let Some(resolution) = options.resolution.and_then(|r| serde_json::to_value(r).ok()) {
        put("--resolution", plain(&resolution));
    }
    if let Some(falloff) = options.falloff {
        put("--falloff", falloff.to_string());
    }
    if let Some(penalty) = options.penalty {
        put("--penalty", penalty.to_string());
    }
    if let Some(power) = options.power {
        put("--power", power.to_string());
    }
    for (joints, scale) in &options.radius {
        put("--radius", format!("{joints}={scale}"));
    }
    for (joints, share) in &options.smoothness {
        put("--smoothness", format!("{joints}={share}"));
    }
    if !options.exclude_views.is_empty() {
        put("--exclude-view", options.exclude_views.join(","));
    }
    for paint in &options.paint {
        // The command line paints balls; so does the page.
        if let BoneShape::Sphere { centre, radius } = paint.shape {
            let side = if paint.inside { "in" } else { "out" };
            put(
                "--paint",
                format!("{side}:{},{},{},{radius}", centre.x, centre.y, centre.z),
            );
        }
    }
    for shape in &options.shapes {
        put("--shape", shape.to_string());
    }
    if let Some(sites) = options.sites {
        put("--sites", sites.to_string());
    }
    if let Some(steps) = options.steps {
        put("--steps", steps.to_string());
    }
    if let Some(seed) = options.seed {
        put("--seed", seed.to_string());
    }
    for joint in &settings.locks.joints {
        put("--lock-joint", joint.clone());
    }
    for set in &settings.locks.vertices {
        if let VertexSet::Part(part) = set {
            put("--lock-part", part.clone());
        }
    }
    let regions = (!settings.regions.is_empty())
        .then(|| serde_json::to_string_pretty(&settings.regions).ok())
        .flatten();
    if regions.is_some() {
        put("--regions", "regions.json".to_owned());
    }
    if hands {
        put("--hand-edits", HAND_EDITS.to_owned());
    }
    for (option, given) in [
        ("--no-winding-numbers", options.winding_numbers == Some(false)),
        ("--keep-winding", options.flip_inside_out == Some(false)),
        ("--uniform", options.sparse == Some(false)),
        ("--six-neighbours", options.diagonal == Some(false)),
        ("--no-smoothing", options.smoothing == Some(false)),
    ] {
        if given {
            words.push(option.to_owned());
        }
    }
    let command = shlex::try_join(words.iter().map(String::as_str)).unwrap_or_default();
    Repeated { command, regions }
}

/// The command that repeats the edits of a rig; `edits.json` holds them.
pub fn repeated_edits(rig: &Rigged, input: &str, output: &str, hands: bool) -> String {
    let mut words: Vec<String> = ["ligament", "edit", input, "edits.json", "-o", output]
        .map(str::to_owned)
        .to_vec();
    let (own, usual) = (&rig.session, SessionRequest::default());
    let mut put = |option: &str, value: String| words.extend([option.to_owned(), value]);
    put("--method", own.method.name().to_owned());
    put("--influences", own.influences.to_string());
    if own.prune != usual.prune {
        put("--prune", own.prune.to_string());
    }
    if own.tolerance != usual.tolerance {
        put("--tolerance", own.tolerance.to_string());
    }
    for joints in &own.deform {
        put("--deform", joints.clone());
    }
    if hands {
        put("--hand-edits", HAND_EDITS.to_owned());
    }
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_default()
}

fn plain(value: &serde_json::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_quoted_for_a_shell() {
        let mut settings = BindSettings {
            method: "voxel".to_owned(),
            deform: vec!["!*_IK".to_owned()],
            ..BindSettings::default()
        };
        settings.options.falloff = Some(0.35);
        settings.options.smoothing = Some(false);
        let command = repeated(&settings, "my hero.glb", "bound.glb", true).command;
        assert_eq!(
            command,
            "ligament bind 'my hero.glb' -o bound.glb --method voxel --influences 4 --deform '!*_IK' \
             --falloff 0.35 --hand-edits hand_edits.json --no-smoothing"
        );
    }
}
