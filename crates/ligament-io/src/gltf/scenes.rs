//! Which of a file's scenes is the character.
//!
//! A file may hold several: one for each level of detail, for a body and its weapons. One of them is
//! read, the others stay in the document as they are. Where there is only one, all nodes count,
//! also those that it forgot.

use super::error::{GltfError, GltfWarning};
use super::json::Node;
use super::nodes::Scene;

/// The scene of this name or, if none is called so, of this number, counted from zero.
pub(super) fn find_scene(root: &Node<'_>, asked: &str) -> Result<usize, GltfError> {
    let names = names(root)?;
    let by_name = names.iter().position(|n| n == asked && !asked.is_empty());
    let by_number = || asked.parse().ok().filter(|&n: &usize| n < names.len());
    by_name.or_else(by_number).ok_or_else(|| {
        let listed = names.iter().enumerate().map(|(i, name)| match name.as_str() {
            "" => i.to_string(),
            name => format!("{i} '{name}'"),
        });
        GltfError::NoSuchScene {
            asked: asked.to_owned(),
            known: listed.collect::<Vec<_>>().join(", "),
        }
    })
}

/// For each node whether it belongs to the chosen scene: the one that was asked for, or the one
/// that the file says is first.
pub(super) fn shown(
    root: &Node<'_>,
    scene: &Scene,
    asked: Option<usize>,
    warnings: &mut Vec<GltfWarning>,
) -> Result<Vec<bool>, GltfError> {
    let scenes = root.items("scenes")?;
    if asked.is_none() && scenes.len() < 2 {
        return Ok(vec![true; scene.nodes.len()]);
    }
    let stated = root.get("scene").map(|n| n.as_index_under(scenes.len(), "scene"));
    let taken = match (asked, stated) {
        (Some(asked), _) => asked,
        (None, stated) => stated.transpose()?.unwrap_or(0),
    };
    let mut shown = vec![false; scene.nodes.len()];
    for node in scenes.get(taken).map_or(Ok(Vec::new()), |s| s.items("nodes"))? {
        shown[node.as_index_under(scene.nodes.len(), "node")?] = true;
    }
    for &node in &scene.order {
        if let Some(parent) = scene.nodes[node].parent {
            shown[node] |= shown[parent];
        }
    }
    let names = names(root)?;
    let others: Vec<String> = (0..scenes.len())
        .filter(|&i| i != taken && scenes[i].count("nodes") > 0)
        .map(|i| called(i, &names))
        .collect();
    if asked.is_none() && !others.is_empty() {
        warnings.push(GltfWarning::SeveralScenes {
            taken: called(taken, &names),
            others,
        });
    }
    Ok(shown)
}

fn called(scene: usize, names: &[String]) -> String {
    match names.get(scene).map_or("", String::as_str) {
        "" => scene.to_string(),
        name => name.to_owned(),
    }
}

fn names(root: &Node<'_>) -> Result<Vec<String>, GltfError> {
    let scenes = root.items("scenes")?;
    Ok(scenes.iter().map(|s| s.str_or("name", "").to_owned()).collect())
}
