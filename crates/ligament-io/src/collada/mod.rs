//! Collada 1.4 and 1.5 (`.dae`): what many archives have and nothing else.
//!
//! One scene becomes one character: axes and unit as the file states them, all skins in one bind space, nodes that are joints (by type, or
//! because a skin names them) and the nodes above them as the skeleton. Vertices are the positions of a geometry, never split for
//! seams; their normals are the mean of their corners'.
//!
//! Read: polygons of every kind, the first set of texture coordinates, diffuse colours and pictures (PNG and JPEG beside the model), skins with
//! any number of influences, animations by matrices or by steps. Lost: further texture coordinates, other textures, tangents of curves (motion is
//! straight between keys), morphs, lights, cameras, physics, splines.

mod axes;
mod clips;
mod document;
mod material;
mod mesh;
mod nodes;
mod placing;
mod rig;
mod xml;

use ligament::Character;

use crate::assemble::warning;
use crate::import::{ImportError, Imported};

use axes::Axes;
use document::Document;
use mesh::{Gatherer, GeometryInstance};

/// Reads a file; pictures that it names are found by `beside`.
pub fn read(
    bytes: &[u8],
    name: &str,
    beside: &dyn Fn(&str) -> Option<Vec<u8>>,
) -> Result<Imported, ImportError> {
    let root = xml::parse(bytes)?;
    let document = Document::new(&root);
    let axes = Axes::of(&root);
    let nodes = nodes::nodes(&document)?;
    let mut warnings = Vec::new();
    let (mut instances, mut skins, mut morphs) = (Vec::new(), Vec::new(), 0);
    for (node, found) in nodes.iter().enumerate() {
        for instance in &found.element.children {
            let mut target = match instance.name.as_str() {
                "instance_geometry" | "instance_controller" => {
                    document.expect(instance.attribute("url"), instance)?
                }
                _ => continue,
            };
            let mut skin = None;
            // A controller may deform another: a skin over a morph. Their number ends loops.
            for _ in 0..8 {
                let Some(inner) = target.child("skin").or_else(|| target.child("morph")) else {
                    break;
                };
                if inner.name == "skin" {
                    skin = Some((inner, skins.len()));
                    skins.push(rig::skin_joints(&document, inner, &nodes)?);
                } else {
                    morphs += 1;
                }
                target = document.expect(inner.attribute("source"), inner)?;
            }
            instances.push(GeometryInstance {
                node,
                instance,
                geometry: target,
                skin,
            });
        }
    }
    if morphs > 0 {
        warnings.push(warning(
            "left_out_blend_shapes",
            format!("left out {morphs} blend shape(s)"),
        ));
    }
    let rig = rig::build(&nodes, &skins, &axes)?;
    let gatherer = Gatherer {
        document: &document,
        nodes: &nodes,
        skins: &skins,
        rig: &rig,
        axes: &axes,
        beside,
    };
    let gathered = gatherer.gather(&instances, &mut warnings)?;
    let clips = clips::read(&document, &nodes, &rig, &axes)?;
    Ok(Imported {
        character: Character {
            name: name.to_owned(),
            mesh: gathered.mesh,
            skeleton: rig.skeleton,
            weights: gathered.weights,
            clips,
        },
        warnings,
    })
}
