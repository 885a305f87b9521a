//! The scene's nodes: their order, their transforms, and which of them are joints.

use glam::{DAffine3, DMat4, DQuat, DVec3};

use super::document::Document;
use super::xml::Element;
use crate::import::ImportError;

/// A node of the scene.
pub(super) struct Node<'a> {
    pub element: &'a Element,
    pub parent: Option<usize>,
    pub local: DAffine3,
    pub world: DAffine3,
}

impl<'a> Node<'a> {
    /// What people call it.
    pub fn name(&self) -> &'a str {
        let first = |key: &str| self.element.attribute(key).filter(|name| !name.is_empty());
        first("name")
            .or_else(|| first("sid"))
            .or_else(|| first("id"))
            .unwrap_or("")
    }
}

/// One step of a node's transform, with the name by which animations reach it.
#[derive(Debug, Clone)]
pub(super) struct Step<'a> {
    pub sid: Option<&'a str>,
    pub kind: StepKind,
    pub numbers: Vec<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum StepKind {
    Matrix,
    Translate,
    Rotate,
    Scale,
}

impl StepKind {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "matrix" => Self::Matrix,
            "translate" => Self::Translate,
            "rotate" => Self::Rotate,
            "scale" => Self::Scale,
            _ => return None,
        })
    }

    pub fn width(self) -> usize {
        match self {
            Self::Matrix => 16,
            Self::Rotate => 4,
            Self::Translate | Self::Scale => 3,
        }
    }
}

impl Step<'_> {
    pub fn affine(&self) -> DAffine3 {
        let n = &self.numbers;
        match self.kind {
            StepKind::Matrix => matrix(n),
            StepKind::Translate => DAffine3::from_translation(DVec3::new(n[0], n[1], n[2])),
            StepKind::Rotate => {
                let axis = DVec3::new(n[0], n[1], n[2]).try_normalize();
                let rotation = axis.map_or(DQuat::IDENTITY, |a| DQuat::from_axis_angle(a, n[3].to_radians()));
                DAffine3::from_quat(rotation)
            }
            StepKind::Scale => DAffine3::from_scale(DVec3::new(n[0], n[1], n[2])),
        }
    }
}

/// A matrix as the file writes it: row by row.
pub(super) fn matrix(n: &[f64]) -> DAffine3 {
    let mut all = [0.0; 16];
    all.copy_from_slice(&n[..16]);
    DAffine3::from_mat4(DMat4::from_cols_array(&all).transpose())
}

/// The steps of a node's transform, in the order in which they are multiplied.
pub(super) fn steps(node: &Element) -> Result<Vec<Step<'_>>, ImportError> {
    let mut steps = Vec::new();
    for child in &node.children {
        let Some(kind) = StepKind::named(&child.name) else {
            if matches!(child.name.as_str(), "lookat" | "skew") {
                return Err(ImportError::Unsupported {
                    what: format!("a transform by <{}>", child.name),
                    way_out: "export with matrices".to_owned(),
                });
            }
            continue;
        };
        let numbers = child.numbers()?;
        if numbers.len() != kind.width() {
            let problem = format!("it has {} numbers, not {}", numbers.len(), kind.width());
            return Err(ImportError::malformed(format!("<{}>", child.name), problem));
        }
        steps.push(Step {
            sid: child.attribute("sid"),
            kind,
            numbers,
        });
    }
    Ok(steps)
}

pub(super) fn composed(steps: &[Step<'_>]) -> DAffine3 {
    steps
        .iter()
        .fold(DAffine3::IDENTITY, |all, step| all * step.affine())
}

/// All nodes of the scene, parents first. A node that is placed several times is there as often.
pub(super) fn nodes<'a>(document: &Document<'a>) -> Result<Vec<Node<'a>>, ImportError> {
    let named = document.root.below(&["scene", "instance_visual_scene"]);
    let scene = named
        .and_then(|n| document.find(n.attribute("url")))
        .or_else(|| document.root.find("visual_scene"));
    let mut nodes: Vec<Node<'a>> = Vec::new();
    let top = scene.into_iter().flat_map(|s| s.children.iter());
    let mut waiting: Vec<(&'a Element, Option<usize>, usize)> =
        top.filter(|c| c.name == "node").map(|c| (c, None, 0)).collect();
    waiting.reverse();
    while let Some((element, parent, depth)) = waiting.pop() {
        if nodes.len() > usize::from(u16::MAX) || depth > 512 {
            return Err(ImportError::Unsupported {
                what: "a scene of so many nodes".to_owned(),
                way_out: "export the character alone".to_owned(),
            });
        }
        let local = composed(&steps(element)?);
        let world = parent.map_or(local, |p: usize| nodes[p].world * local);
        let this = nodes.len();
        nodes.push(Node {
            element,
            parent,
            local,
            world,
        });
        let mut below: Vec<&'a Element> = element.children.iter().filter(|c| c.name == "node").collect();
        let placed = element.children.iter().filter(|c| c.name == "instance_node");
        below.extend(placed.filter_map(|i| document.find(i.attribute("url"))));
        waiting.extend(below.into_iter().rev().map(|c| (c, Some(this), depth + 1)));
    }
    Ok(nodes)
}
