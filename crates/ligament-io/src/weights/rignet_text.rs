//! The `skin` lines of RigNet's rig text: `skin VERTEX JOINT WEIGHT JOINT WEIGHT ...`.
//!
//! Other lines are read over, so a whole rig serves as well. Blanks in joints' names are
//! `_`. Nothing is lost but that.

use std::fmt::Write as _;

use ligament::character::{Skeleton, Weights};

use super::gather::Gathered;
use super::labels::Labels;
use crate::import::ImportError;
use crate::text::{Line, count_of, f32_of, lines, shown};

/// Reads the weights of a mesh of so many vertices.
pub fn read(bytes: &[u8], skeleton: &Skeleton, vertices: usize) -> Result<Weights, ImportError> {
    let labels = Labels::without_blanks(skeleton);
    let mut gathered = Gathered::new(vertices);
    for line in skin_lines(bytes) {
        let mut words = line.words().skip(1);
        let vertex = words.next().unwrap_or_default();
        let vertex = count_of(vertex).ok_or_else(|| line.error(format!("{} is no vertex", shown(vertex))))?;
        while let Some(joint) = words.next() {
            let found = std::str::from_utf8(joint).ok().and_then(|name| labels.find(name));
            let found = found.ok_or_else(|| line.error(format!("there is no joint {}", shown(joint))))?;
            let weight = words
                .next()
                .and_then(f32_of)
                .ok_or_else(|| line.error(format!("joint {} has no weight", shown(joint))))?;
            gathered
                .add(vertex, found, weight)
                .map_err(|problem| line.error(problem))?;
        }
    }
    gathered.finish()
}

fn skin_lines(bytes: &[u8]) -> impl Iterator<Item = Line<'_>> {
    lines(bytes).filter(|line| line.words().next() == Some(b"skin"))
}

/// What a file that knows its own number of vertices holds.
pub(crate) enum Found {
    Nothing,
    /// Some vertices are missing.
    Gaps,
    All(Weights),
}

/// Reads all weights there are; the vertices are those named.
pub(crate) fn read_all(bytes: &[u8], skeleton: &Skeleton) -> Result<Found, ImportError> {
    let named = || skin_lines(bytes).filter_map(|l| l.words().nth(1).and_then(count_of));
    let mut vertices: Vec<usize> = named().collect();
    vertices.sort_unstable();
    vertices.dedup();
    if vertices.is_empty() {
        return Ok(Found::Nothing);
    }
    if vertices.last() != Some(&(vertices.len() - 1)) {
        return Ok(Found::Gaps);
    }
    Ok(Found::All(read(bytes, skeleton, vertices.len())?))
}

/// The weights as text, a line a vertex.
pub fn write(weights: &Weights, skeleton: &Skeleton) -> String {
    let labels = Labels::without_blanks(skeleton);
    let mut text = String::new();
    for (vertex, influences) in weights.iter().enumerate() {
        let _ = write!(text, "skin {vertex}");
        for influence in influences {
            let _ = write!(text, " {} {}", labels.of(influence.joint), influence.weight);
        }
        text.push('\n');
    }
    text
}
