//! Maya's `deformerWeights` in XML, its older default: a block of points for each joint.
//!
//! ```xml
//! <deformerWeight>
//!   <headerInfo fileName="" worldMatrix="1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1"/>
//!   <weights deformer="skinCluster1" source="hips" shape="bodyShape" layer="0"
//!            defaultValue="0.000" size="2" max="7">
//!     <point index="0" value="1.000"/>
//!     <point index="7" value="0.250"/>
//!   </weights>
//! </deformerWeight>
//! ```
//!
//! Read: index and value of each point, and the default value for vertices that a block
//! does not list. Lost: the positions of the shape's points, if there are any.

use std::borrow::Cow;
use std::fmt::Write as _;

use ligament::character::{Skeleton, Weights};
use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

use super::maya_block::{Block, blocks_of, weights_of};
use crate::import::ImportError;
use crate::text::{count_of, f32_of, without_mark};

/// Reads the weights of a mesh of so many vertices.
pub fn read(bytes: &[u8], skeleton: &Skeleton, vertices: usize) -> Result<Weights, ImportError> {
    let text = std::str::from_utf8(without_mark(bytes))
        .map_err(|e| ImportError::malformed(format!("byte {}", e.valid_up_to()), "it is no UTF-8 text"))?;
    let mut reader = Reader::from_str(text);
    let mut blocks: Vec<Block> = Vec::new();
    let mut open = false; // inside a block of weights
    let mut is_whole = false;
    loop {
        let at = reader.buffer_position();
        let fail = |problem: String| ImportError::malformed(format!("byte {at}"), problem);
        match reader.read_event().map_err(|e| fail(e.to_string()))? {
            Event::Eof => break,
            Event::Start(tag) | Event::Empty(tag) if tag.name().as_ref() == "weights" => {
                let default_value = attribute(&tag, "defaultValue").map(|v| f32_of(v.as_bytes()));
                let source = attribute(&tag, "source");
                blocks.push(Block {
                    deformer: attribute(&tag, "deformer").unwrap_or_default().into_owned(),
                    shape: attribute(&tag, "shape").unwrap_or_default().into_owned(),
                    joint: source
                        .ok_or_else(|| fail("weights have no source".to_owned()))?
                        .into_owned(),
                    default_value: default_value
                        .unwrap_or(Some(0.0))
                        .ok_or_else(|| fail("the default value is no number".to_owned()))?,
                    points: Vec::new(),
                    location: format!("byte {at}"),
                });
                open = true;
            }
            Event::Start(tag) | Event::Empty(tag) if tag.name().as_ref() == "point" => {
                if let Some(block) = blocks.last_mut().filter(|_| open) {
                    let index = attribute(&tag, "index").and_then(|v| count_of(v.trim().as_bytes()));
                    let value = attribute(&tag, "value").and_then(|v| f32_of(v.trim().as_bytes()));
                    let (Some(index), Some(value)) = (index, value) else {
                        return Err(fail("a point needs an index and a value".to_owned()));
                    };
                    block.points.push((index, value));
                }
            }
            Event::End(tag) if tag.name().as_ref() == "weights" => open = false,
            Event::End(tag) if tag.name().as_ref() == "deformerWeight" => is_whole = true,
            _ => {}
        }
    }
    if !is_whole {
        let location = format!("byte {}", bytes.len());
        return Err(ImportError::malformed(
            location,
            "there is no <deformerWeight>, or its end is missing",
        ));
    }
    weights_of(&blocks, skeleton, vertices)
}

fn attribute<'a>(tag: &'a BytesStart, name: &str) -> Option<Cow<'a, str>> {
    let found = tag.try_get_attribute(name).ok()??;
    found.normalized_value(XmlVersion::Implicit1_0).ok()
}

/// The weights as text. In Maya: `deformerWeights -import -method "index" -ignoreName
/// -deformer skinCluster1 "file.xml"`.
pub fn write(weights: &Weights, skeleton: &Skeleton) -> String {
    let mut text = String::from(
        "<?xml version=\"1.0\"?>\n<deformerWeight>\n  <headerInfo fileName=\"\" worldMatrix=\"1.000000 0.000000 \
         0.000000 0.000000 0.000000 1.000000 0.000000 0.000000 0.000000 0.000000 1.000000 0.000000 0.000000 \
         0.000000 0.000000 1.000000 \"/>\n",
    );
    for block in blocks_of(weights, skeleton) {
        let _ = writeln!(
            text,
            "  <weights deformer=\"{}\" source=\"{}\" shape=\"{}\" layer=\"0\" defaultValue=\"0.000\" \
             size=\"{}\" max=\"{}\">",
            block.deformer,
            escaped(&block.joint),
            block.shape,
            block.points.len(),
            block.points.iter().map(|p| p.0).max().unwrap_or(0),
        );
        for (index, value) in &block.points {
            let _ = writeln!(text, "    <point index=\"{index}\" value=\"{value}\"/>");
        }
        text.push_str("  </weights>\n");
    }
    text.push_str("</deformerWeight>\n");
    text
}

/// Text inside quotes. Control characters are not allowed in XML at all.
fn escaped(name: &str) -> String {
    let allowed: String = name.chars().filter(|c| !c.is_control()).collect();
    quick_xml::escape::escape(allowed.as_str()).into_owned()
}
