//! Options of binding that several verbs share.

use std::path::Path;

use ligament::bind::{DeformChoice, Region};

use crate::AppError;

/// Which joints take part: names or globs, comma-separated or one each; `!` in front takes
/// joints out; `@FILE` reads one a line; `used` are those with weight now; `all`; none at all
/// leaves it to their names.
pub fn deform_choice(values: &[String]) -> Result<DeformChoice, AppError> {
    let mut patterns = Vec::new();
    let mut add = |words: &mut dyn Iterator<Item = &str>| {
        let trimmed = words.map(str::trim).filter(|w| !w.is_empty());
        patterns.extend(trimmed.map(str::to_owned));
    };
    for value in values {
        match value.strip_prefix('@') {
            Some(path) => {
                let path = Path::new(path);
                let text = std::fs::read_to_string(path).map_err(|e| AppError::read(path, e))?;
                // One name a line: names may hold commas and spaces, comments would be names.
                add(&mut text.lines());
            }
            None => add(&mut value.split(',')),
        }
    }
    Ok(match patterns.as_slice() {
        [] if values.is_empty() => DeformChoice::Guess,
        [] => {
            return Err(AppError::bad_value(
                "deform",
                "names the joints that take part",
                "none",
            ));
        }
        [one] if one == "all" => DeformChoice::All,
        [one] if one == "used" => DeformChoice::Used,
        _ => DeformChoice::Patterns(patterns),
    })
}

/// The most joints that a vertex follows.
pub fn influence_count(influences: usize) -> Result<usize, AppError> {
    match influences {
        1..=64 => Ok(influences),
        // As many as there are joints.
        n if n == ALL_INFLUENCES => Ok(n),
        n => Err(AppError::bad_value("influences", "are 1 to 64", n)),
    }
}

/// Every joint may move every vertex.
pub const ALL_INFLUENCES: usize = u16::MAX as usize;

/// The prune threshold: weights under it are dropped.
pub fn prune_threshold(prune: f32) -> Result<f32, AppError> {
    if (0.0..1.0).contains(&prune) {
        return Ok(prune);
    }
    Err(AppError::bad_value(
        "the prune threshold",
        "is a share from 0 up to, but not including, 1",
        prune,
    ))
}

/// Parts of a mesh with rules of their own, from a JSON file.
pub fn read_regions(path: &Path) -> Result<Vec<Region>, AppError> {
    let text = std::fs::read_to_string(path).map_err(|e| AppError::read(path, e))?;
    serde_json::from_str(&text).map_err(|source| AppError::Json {
        path: path.to_owned(),
        wanted: "a list of regions",
        source,
    })
}
