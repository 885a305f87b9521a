//! Motion: every channel of the file's animations, as one clip of the joints.
//!
//! A channel drives a step of a node's transform, whole or one number of it. A node's transform is made anew at every time at which one of
//! its channels has a key, and taken apart into translation, rotation and scale. Between keys motion is straight: tangents are left out.

use std::collections::BTreeMap;

use glam::DQuat;
use ligament::character::{Channel, Clip, Interpolation, Track};

use super::axes::Axes;
use super::document::Document;
use super::nodes::{Node, Step, composed, steps};
use super::rig::Rig;
use super::xml::Element;
use crate::import::ImportError;

/// Keys of one channel.
struct Curve {
    step: usize,
    /// Which number of the step; all if none.
    number: Option<usize>,
    times: Vec<f64>,
    values: Vec<f64>,
    width: usize,
}

impl Curve {
    /// The value at a time: straight between keys.
    fn at(&self, time: f64) -> Vec<f64> {
        let row = |k: usize| &self.values[k * self.width..(k + 1) * self.width];
        let after = self.times.partition_point(|&t| t <= time);
        if after == 0 {
            return row(0).to_vec();
        }
        if after == self.times.len() {
            return row(after - 1).to_vec();
        }
        let (from, to) = (self.times[after - 1], self.times[after]);
        let fraction = (time - from) / (to - from);
        let mixed = row(after - 1).iter().zip(row(after));
        mixed.map(|(a, b)| a + (b - a) * fraction).collect()
    }
}

pub(super) fn read(
    document: &Document<'_>,
    nodes: &[Node<'_>],
    rig: &Rig,
    axes: &Axes,
) -> Result<Vec<Clip>, ImportError> {
    let mut curves: BTreeMap<usize, Vec<Curve>> = BTreeMap::new();
    let mut found = Vec::new();
    for library in document.root.children("library_animations") {
        animations(library, &mut found);
    }
    for animation in found {
        for channel in animation.children("channel") {
            if let Some((node, curve)) = curve(document, channel, nodes, rig)? {
                curves.entry(node).or_default().push(curve);
            }
        }
    }
    let mut tracks = Vec::new();
    for (node, curves) in &curves {
        let Some(joint) = rig.joint_of_node[*node] else {
            continue;
        };
        let mut times: Vec<f64> = curves.iter().flat_map(|c| c.times.iter().copied()).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        let rest = steps(nodes[*node].element)?;
        let (mut translations, mut rotations, mut scales) = (Vec::new(), Vec::new(), Vec::new());
        let mut before = DQuat::IDENTITY;
        for &time in &times {
            let mut now: Vec<Step<'_>> = rest.clone();
            for curve in curves {
                let value = curve.at(time);
                match curve.number {
                    Some(number) => now[curve.step].numbers[number] = value[0],
                    None => now[curve.step].numbers = value,
                }
            }
            let local = axes.local(composed(&now), nodes[*node].parent.is_none());
            let (scale, rotation, translation) = local.to_scale_rotation_translation();
            let rotation = if rotation.dot(before) < 0.0 {
                -rotation
            } else {
                rotation
            };
            before = rotation;
            translations.extend(translation.as_vec3().to_array());
            rotations.extend(rotation.as_quat().to_array());
            scales.extend(scale.as_vec3().to_array());
        }
        let channels = [
            (Channel::Translation, translations),
            (Channel::Rotation, rotations),
            (Channel::Scale, scales),
        ];
        for (channel, values) in channels {
            if values.iter().all(|v: &f32| v.is_finite()) {
                tracks.push(Track {
                    joint,
                    channel,
                    interpolation: Interpolation::Linear,
                    times: times.iter().map(|&t| t as f32).collect(),
                    values,
                });
            }
        }
    }
    if tracks.is_empty() {
        return Ok(Vec::new());
    }
    let named = document.root.find("animation_clip");
    let name = named
        .and_then(|c| c.attribute("name").or(c.attribute("id")))
        .unwrap_or("animation");
    Ok(vec![Clip {
        name: name.to_owned(),
        tracks,
    }])
}

/// Animations may hold further ones.
fn animations<'a>(of: &'a Element, found: &mut Vec<&'a Element>) {
    for animation in of.children.iter().filter(|c| c.name == "animation") {
        found.push(animation);
        animations(animation, found);
    }
}

fn curve(
    document: &Document<'_>,
    channel: &Element,
    nodes: &[Node<'_>],
    rig: &Rig,
) -> Result<Option<(usize, Curve)>, ImportError> {
    let Some((id, path)) = channel.attribute("target").and_then(|t| t.split_once('/')) else {
        return Ok(None);
    };
    let Some(node) = nodes.iter().position(|n| n.element.attribute("id") == Some(id)) else {
        return Ok(None);
    };
    if rig.joint_of_node[node].is_none() {
        return Ok(None);
    }
    let (sid, member) = match path.split_once('.') {
        Some((sid, member)) => (sid, Some(member)),
        None => (path, None),
    };
    let steps = steps(nodes[node].element)?;
    let Some(step) = steps.iter().position(|s| s.sid == Some(sid)) else {
        return Ok(None); // one number of a matrix, a shape, a light
    };
    let number = match member {
        None => None,
        Some("X") => Some(0),
        Some("Y") => Some(1),
        Some("Z") => Some(2),
        Some("ANGLE") => Some(3),
        Some(_) => return Ok(None),
    };
    let whole = steps[step].kind.width();
    if number.is_some_and(|n| n >= whole) {
        return Ok(None);
    }
    let sampler = document.expect(channel.attribute("source"), channel)?;
    let source = |semantic: &str| {
        let input = sampler.input(semantic);
        document.expect(input.and_then(|i| i.attribute("source")), sampler)
    };
    let (times, values) = (
        document.numbers(source("INPUT")?)?.values,
        document.numbers(source("OUTPUT")?)?.values,
    );
    let width = if number.is_some() { 1 } else { whole };
    let rising = times.windows(2).all(|pair| pair[0] < pair[1]);
    if times.is_empty() || !rising || values.len() < times.len() * width {
        let problem = "its times do not rise, or it has fewer values than times";
        return Err(ImportError::malformed(format!("the channel of '{id}'"), problem));
    }
    Ok(Some((
        node,
        Curve {
            step,
            number,
            times,
            values,
            width,
        },
    )))
}
