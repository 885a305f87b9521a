//! Maya's `deformerWeights -format "JSON"`: a block of points for each joint.
//!
//! ```json
//! {"deformerWeight": {"headerInfo": {...}, "weights": [
//!   {"deformer": "skinCluster1", "source": "hips", "shape": "bodyShape", "layer": 0,
//!    "defaultValue": 0.0, "size": 2, "max": 7,
//!    "points": [{"index": 0, "value": 1.0}, {"index": 7, "value": 0.25}]}]}}
//! ```
//!
//! Read: index and value of each point, and the default value for vertices that a block
//! does not list. Lost: the positions of the shape's points, if there are any.

use ligament::character::{Skeleton, Weights};
use serde::Deserialize;
use serde_json::{Value, json};

use super::maya_block::{Block, blocks_of, weights_of};
use crate::import::ImportError;

#[derive(Deserialize)]
struct File {
    #[serde(rename = "deformerWeight")]
    deformer_weight: Body,
}

#[derive(Deserialize)]
struct Body {
    weights: Vec<Entry>,
}

#[derive(Deserialize)]
struct Entry {
    #[serde(default)]
    deformer: String,
    source: String,
    #[serde(default)]
    shape: String,
    #[serde(default, rename = "defaultValue")]
    default_value: f64,
    #[serde(default)]
    points: Vec<Point>,
}

#[derive(Deserialize)]
struct Point {
    index: usize,
    value: f64,
}

/// Reads the weights of a mesh of so many vertices.
pub fn read(bytes: &[u8], skeleton: &Skeleton, vertices: usize) -> Result<Weights, ImportError> {
    let file: File = serde_json::from_slice(bytes)
        .map_err(|e| ImportError::malformed(format!("line {}", e.line()), e.to_string()))?;
    let blocks: Vec<Block> = file
        .deformer_weight
        .weights
        .into_iter()
        .enumerate()
        .map(|(i, entry)| Block {
            deformer: entry.deformer,
            shape: entry.shape,
            joint: entry.source,
            default_value: entry.default_value as f32,
            points: entry.points.iter().map(|p| (p.index, p.value as f32)).collect(),
            location: format!("/deformerWeight/weights/{i}"),
        })
        .collect();
    weights_of(&blocks, skeleton, vertices)
}

/// The weights as text. In Maya: `deformerWeights -import -method "index" -ignoreName
/// -format "JSON" -deformer skinCluster1 "file.json"`.
pub fn write(weights: &Weights, skeleton: &Skeleton) -> String {
    let blocks: Vec<Value> = blocks_of(weights, skeleton)
        .into_iter()
        .map(|block| {
            let points: Vec<Value> = block
                .points
                .iter()
                .map(|&(index, value)| json!({ "index": index, "value": value }))
                .collect();
            json!({
                "deformer": block.deformer,
                "source": block.joint,
                "shape": block.shape,
                "layer": 0,
                "defaultValue": 0.0,
                "size": block.points.len(),
                "max": block.points.iter().map(|p| p.0).max().unwrap_or(0),
                "points": points,
            })
        })
        .collect();
    let unit = [
        1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0,
    ];
    let file = json!({
        "deformerWeight": {
            "headerInfo": { "fileName": "", "worldMatrix": unit },
            "weights": blocks,
        }
    });
    format!("{file}\n")
}
