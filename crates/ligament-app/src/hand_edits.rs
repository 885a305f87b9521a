//! Weights changed by hand, as a file: what the studio writes and `bind` and `edit` lay over their weights.

use std::collections::BTreeMap;
use std::path::Path;

use ligament::character::Influence;
use ligament::weights::hands::{HandEdit, HandEdits, HandSurface, Layering};
use ligament::{Character, JointIndex, Skeleton, Weights};
use serde::{Deserialize, Serialize};

use crate::AppError;
use crate::asset::Asset;

/// A layer of edits; vertices are the source's own, joints go by their names.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HandLayer {
    /// How much of it shows, 0 to 1.
    pub opacity: f32,
    /// Edited vertices may follow more joints than the bind's limit.
    pub unlimited: bool,
    /// What was edited.
    pub edits: Vec<VertexEdit>,
}

/// What was done to a vertex, and to all that lie where it lies.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VertexEdit {
    /// The vertex.
    pub vertex: u32,
    /// How much of the bind is covered, over 0 and up to 1.
    #[serde(default = "one")]
    pub cover: f32,
    /// What lies over it: shares by joint. A joint whose name is not its alone is `#` and its number.
    pub weights: BTreeMap<String, f32>,
}

fn one() -> f32 {
    1.0
}

impl Default for HandLayer {
    fn default() -> Self {
        Self {
            opacity: one(),
            unlimited: false,
            edits: Vec::new(),
        }
    }
}

impl HandLayer {
    /// Reads a file.
    pub fn read(path: &Path) -> Result<Self, AppError> {
        let text = std::fs::read_to_string(path).map_err(|e| AppError::read(path, e))?;
        serde_json::from_str(&text).map_err(|source| AppError::Json {
            path: path.to_owned(),
            wanted: "edits by hand",
            source,
        })
    }

    /// A layer of an open character as it is written; joints are those of `skeleton`.
    pub fn of(layer: &HandEdits, opacity: f32, unlimited: bool, asset: &Asset, skeleton: &Skeleton) -> Self {
        let names = names_of(skeleton);
        let edits = layer
            .iter()
            .map(|(vertex, edit)| VertexEdit {
                vertex: asset.source_vertex(vertex),
                cover: edit.cover,
                weights: edit
                    .weights
                    .iter()
                    .map(|i| (names[i.joint.at()].clone(), i.weight))
                    .collect(),
            })
            .collect();
        Self {
            opacity,
            unlimited,
            edits,
        }
    }

    /// The layer with the numbers of an open character, whose skeleton may have been edited.
    pub fn on(
        &self,
        asset: &Asset,
        skeleton: &Skeleton,
        surface: &HandSurface,
    ) -> Result<HandEdits, AppError> {
        if !(0.0..=1.0).contains(&self.opacity) {
            return Err(AppError::bad_value(
                "the opacity of edits by hand",
                "is a share from 0 to 1",
                self.opacity,
            ));
        }
        let names = names_of(skeleton);
        let joint_of: BTreeMap<&str, u16> = names.iter().map(String::as_str).zip(0..).collect();
        let mut first_of_source: BTreeMap<u32, u32> = BTreeMap::new();
        for vertex in (0..asset.character().mesh.positions.len() as u32).rev() {
            first_of_source.insert(asset.source_vertex(vertex), vertex);
        }
        let mut layer = HandEdits::default();
        for edit in &self.edits {
            let Some(&vertex) = first_of_source.get(&edit.vertex) else {
                return Err(asset.no_vertex(edit.vertex));
            };
            let mut weights = Vec::with_capacity(edit.weights.len());
            for (name, &weight) in &edit.weights {
                let joint = joint_of.get(name.as_str()).ok_or_else(|| AppError::NoJoint {
                    joint: name.clone(),
                    name: asset.character().name.clone(),
                    known: names.iter().take(5).cloned().collect::<Vec<_>>().join(", "),
                })?;
                weights.push(Influence {
                    joint: JointIndex(*joint),
                    weight,
                });
            }
            weights.sort_by_key(|i| i.joint);
            let made = HandEdit {
                cover: edit.cover,
                weights,
            };
            if !made.is_sound(skeleton.joints.len()) {
                return Err(AppError::bad_value(
                    "an edit by hand",
                    "covers over 0 and up to 1, with weights that are not negative and not all 0",
                    format!("that of vertex {}", edit.vertex),
                ));
            }
            // Vertices that a joint carries bend no more than their joint.
            if let Some(point) = surface.point_of_vertex(vertex as usize) {
                layer.set(surface.first_vertex(point), Some(made));
            }
        }
        Ok(layer)
    }

    /// Lays it over weights of a character that comes from `asset`; `influences` is the bind's limit.
    pub fn applied(
        &self,
        weights: &Weights,
        asset: &Asset,
        character: &Character,
        influences: usize,
    ) -> Result<Weights, AppError> {
        let surface = HandSurface::of(&character.mesh);
        let layer = self.on(asset, &character.skeleton, &surface)?;
        let layering = Layering {
            opacity: self.opacity,
            influences: (!self.unlimited).then_some(influences),
        };
        Ok(layer.applied(weights, &surface, &layering))
    }
}

/// A name for each joint that is its alone.
fn names_of(skeleton: &Skeleton) -> Vec<String> {
    let mut count: BTreeMap<&str, usize> = BTreeMap::new();
    for joint in &skeleton.joints {
        *count.entry(joint.name.as_str()).or_default() += 1;
    }
    let own = |(number, joint): (usize, &ligament::character::Joint)| {
        let name = joint.name.as_str();
        if name.is_empty() || name.starts_with('#') || count[name] > 1 {
            format!("#{number}")
        } else {
            name.to_owned()
        }
    };
    skeleton.joints.iter().enumerate().map(own).collect()
}

#[cfg(test)]
mod tests {
    use ligament::task::Task;

    use super::*;
    use crate::asset::AssetRequest;

    fn opened() -> Asset {
        Asset::open(&AssetRequest::of("sample:hound@800"), &Task::unattended()).unwrap()
    }

    #[test]
    fn a_layer_is_written_and_read_to_the_bit() {
        let asset = opened();
        let character = asset.character();
        let surface = HandSurface::of(&character.mesh);
        let mut layer = HandEdits::default();
        for point in (0..surface.len() as u32).step_by(5) {
            let weights = [(3, 0.1 + point as f32 / 7e3), (9, 1.0 / 3.0)]
                .map(|(joint, weight)| Influence {
                    joint: JointIndex(joint),
                    weight,
                })
                .to_vec();
            let edit = HandEdit {
                cover: 0.7 / 3.0,
                weights,
            };
            layer.set(surface.first_vertex(point), Some(edit));
        }
        let file = HandLayer::of(&layer, 0.6, true, &asset, &character.skeleton);
        let text = serde_json::to_string(&file).unwrap();
        let read: HandLayer = serde_json::from_str(&text).unwrap();
        assert_eq!(read, file);
        assert_eq!(read.on(&asset, &character.skeleton, &surface).unwrap(), layer);
    }

    #[test]
    fn what_cannot_be_is_told() {
        let asset = opened();
        let surface = HandSurface::of(&asset.character().mesh);
        let message = |text: &str| {
            let layer: HandLayer = serde_json::from_str(text).unwrap();
            let on = layer.on(&asset, &asset.character().skeleton, &surface);
            on.unwrap_err().to_string()
        };
        assert!(message(r#"{"edits": [{"vertex": 99999, "weights": {"head": 1}}]}"#).contains("99999"));
        assert!(message(r#"{"edits": [{"vertex": 1, "weights": {"nobody": 1}}]}"#).contains("nobody"));
        assert!(message(r#"{"edits": [{"vertex": 1, "weights": {}}]}"#).contains("vertex 1"));
        assert!(
            message(r#"{"edits": [{"vertex": 1, "cover": 2, "weights": {"head": 1}}]}"#).contains("vertex 1")
        );
        assert!(message(r#"{"opacity": 7}"#).contains("opacity"));
    }
}
