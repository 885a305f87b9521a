//! Weights as a table: `vertex,joint,weight`, a line for each influence.
//!
//! Commas between fields, quotes around joints that need them, as RFC 4180 says; the
//! header is needed. Nothing is lost.

use std::fmt::Write as _;

use ligament::character::{Skeleton, Weights};

use super::gather::Gathered;
use super::labels::Labels;
use crate::import::ImportError;
use crate::text::{Line, count_of, f32_of, lines, shown};

/// The first line.
const HEADER: &str = "vertex,joint,weight";

/// Reads the weights of a mesh of so many vertices.
pub fn read(bytes: &[u8], skeleton: &Skeleton, vertices: usize) -> Result<Weights, ImportError> {
    let labels = Labels::new(skeleton);
    let mut gathered = Gathered::new(vertices);
    let mut rows = lines(bytes).filter(|line| !line.text.is_empty());
    let header = rows.next();
    let is_header = |line: &Line| {
        let plain: Vec<u8> = line
            .text
            .iter()
            .filter(|b| !b" \t\"".contains(b))
            .copied()
            .collect();
        plain.eq_ignore_ascii_case(HEADER.as_bytes())
    };
    if !header.as_ref().is_some_and(is_header) {
        return Err(ImportError::malformed(
            format!("line {}", header.map_or(1, |line| line.number)),
            format!("the header '{HEADER}' should be here"),
        ));
    }
    for line in rows {
        let (vertex, joint, weight) =
            fields(line.text).ok_or_else(|| line.error("a vertex, a joint and a weight should be here"))?;
        let vertex = count_of(vertex).ok_or_else(|| line.error(format!("{} is no vertex", shown(vertex))))?;
        let weight = f32_of(weight).ok_or_else(|| line.error(format!("{} is no weight", shown(weight))))?;
        let found = labels
            .find(&joint)
            .ok_or_else(|| line.error(format!("there is no joint {}", shown(joint.as_bytes()))))?;
        gathered
            .add(vertex, found, weight)
            .map_err(|problem| line.error(problem))?;
    }
    gathered.finish()
}

/// The three fields of a line.
fn fields(line: &[u8]) -> Option<(&[u8], String, &[u8])> {
    let first = line.iter().position(|&b| b == b',')?;
    let last = line
        .iter()
        .rposition(|&b| b == b',')
        .filter(|&last| last > first)?;
    let joint = &line[first + 1..last];
    let quoted = joint
        .trim_ascii()
        .strip_prefix(b"\"")
        .and_then(|j| j.strip_suffix(b"\""));
    let joint = match quoted {
        Some(inner) => std::str::from_utf8(inner).ok()?.replace("\"\"", "\""),
        None if joint.contains(&b',') => return None,
        None => std::str::from_utf8(joint).ok()?.to_owned(),
    };
    Some((line[..first].trim_ascii(), joint, line[last + 1..].trim_ascii()))
}

/// The weights as text.
pub fn write(weights: &Weights, skeleton: &Skeleton) -> String {
    let labels = Labels::new(skeleton);
    let mut text = format!("{HEADER}\n");
    for (vertex, influences) in weights.iter().enumerate() {
        for influence in influences {
            // Line ends cannot be in a field here; no joint has one in its name for long.
            let joint = labels.of(influence.joint).replace(['\n', '\r'], " ");
            let needs_quotes = joint.contains([',', '"']) || joint.trim() != joint;
            let joint = if needs_quotes {
                format!("\"{}\"", joint.replace('"', "\"\""))
            } else {
                joint
            };
            let _ = writeln!(text, "{vertex},{joint},{}", influence.weight);
        }
    }
    text
}
