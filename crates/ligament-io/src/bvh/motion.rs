//! The second half of a BVH: numbers, a line a frame.

use glam::{DQuat, DVec3};
use ligament::character::{Channel, Clip, Interpolation, JointIndex, Track};

use super::hierarchy::{BvhChannel, Node};
use crate::assemble::warning;
use crate::import::{ImportError, ImportWarning};
use crate::text::{Words, f64_of, shown};

/// Reads what follows the word `MOTION`; `None` when nothing does.
pub(super) fn read(
    words: &mut Words,
    nodes: &[Node],
    name: &str,
    warnings: &mut Vec<ImportWarning>,
) -> Result<Option<Clip>, ImportError> {
    let Some(word) = words.next() else { return Ok(None) };
    if !word.eq_ignore_ascii_case(b"Frames:") {
        return Err(words.error(format!("'Frames:' should be here, not {}", shown(word))));
    }
    let stated = words.count("the number of frames")?;
    let (frame, time) = (words.expect("Frame Time:")?, words.expect("Frame Time:")?);
    if !frame.eq_ignore_ascii_case(b"Frame") || !time.eq_ignore_ascii_case(b"Time:") {
        return Err(words.error("'Frame Time:' should be here"));
    }
    let mut frame_secs = words.f64("the time of a frame")?;
    if frame_secs <= 0.0 {
        frame_secs = 1.0 / 30.0;
        warnings.push(warning(
            "guessed_frame_time",
            "the time of a frame is not positive; 1/30 s was taken",
        ));
    }
    let width: usize = nodes.iter().map(|n| n.channels.len()).sum();
    if width == 0 {
        return Ok(None);
    }
    let numbers = all_numbers(words)?;
    let frames = (numbers.len() / width).min(stated);
    if numbers.len() != stated.saturating_mul(width) {
        warnings.push(warning(
            "wrong_frame_count",
            format!(
                "the file states {stated} frames of {width} numbers and holds {}",
                numbers.len()
            ),
        ));
    }
    if frames == 0 {
        return Ok(None);
    }
    let numbers = &numbers[..frames * width];
    let times: Vec<f32> = (0..frames).map(|f| (f as f64 * frame_secs) as f32).collect();
    let on_top = positions_come_on_top(nodes, numbers, width);
    if on_top {
        warnings.push(warning(
            "positions_on_top_of_offsets",
            "position channels were taken as moves away from the joints' offsets",
        ));
    }
    let mut tracks = Vec::new();
    let mut column = 0;
    for (joint, node) in nodes.iter().enumerate() {
        let columns = column..column + node.channels.len();
        column = columns.end;
        let track = |channel, values| Track {
            joint: JointIndex(joint as u16),
            channel,
            interpolation: Interpolation::Linear,
            times: times.clone(),
            values,
        };
        let frames = || numbers.chunks_exact(width).map(|frame| &frame[columns.clone()]);
        if node.channels.iter().any(|c| matches!(c, BvhChannel::Position(_))) {
            let values = frames().flat_map(|f| position(node, f, on_top).as_vec3().to_array());
            tracks.push(track(Channel::Translation, values.collect()));
        }
        if node.channels.iter().any(|c| matches!(c, BvhChannel::Rotation(_))) {
            let mut before = DQuat::IDENTITY;
            let values = frames().flat_map(|f| {
                let turn = rotation(node, f);
                // Of the two quaternions of a turn, the one near the last.
                before = if before.dot(turn) < 0.0 { -turn } else { turn };
                before.as_quat().to_array()
            });
            tracks.push(track(Channel::Rotation, values.collect()));
        }
    }
    if let Some(broken) = tracks.iter().find_map(|t| t.check().err().map(|e| (t.joint, e))) {
        let (joint, error) = broken;
        return Err(ImportError::malformed(
            format!("the motion of joint '{}'", nodes[joint.at()].name),
            error.to_string(),
        ));
    }
    Ok(Some(Clip {
        name: name.to_owned(),
        tracks,
    }))
}

fn all_numbers(words: &mut Words) -> Result<Vec<f64>, ImportError> {
    let mut numbers = Vec::new();
    while let Some(word) = words.next() {
        let number = f64_of(word).ok_or_else(|| words.error(format!("{} is no number", shown(word))))?;
        numbers.push(number);
    }
    Ok(numbers)
}

/// Whether the joints stay nearer to their offsets when positions are added to them.
fn positions_come_on_top(nodes: &[Node], numbers: &[f64], width: usize) -> bool {
    let (mut instead, mut on_top) = (0.0, 0.0);
    let mut column = 0;
    for node in nodes {
        for (i, channel) in node.channels.iter().enumerate() {
            if let &BvhChannel::Position(axis) = channel {
                for frame in numbers.chunks_exact(width) {
                    let number = frame[column + i];
                    instead += (number - node.offset[axis]).powi(2);
                    on_top += number.powi(2);
                }
            }
        }
        column += node.channels.len();
    }
    on_top < instead
}

fn position(node: &Node, frame: &[f64], on_top: bool) -> DVec3 {
    let mut at = node.offset;
    for (channel, &number) in node.channels.iter().zip(frame) {
        if let &BvhChannel::Position(axis) = channel {
            at[axis] = if on_top {
                node.offset[axis] + number
            } else {
                number
            };
        }
    }
    at
}

fn rotation(node: &Node, frame: &[f64]) -> DQuat {
    let mut turn = DQuat::IDENTITY;
    for (channel, &degrees) in node.channels.iter().zip(frame) {
        if let &BvhChannel::Rotation(axis) = channel {
            turn *= DQuat::from_axis_angle(DVec3::AXES[axis], degrees.to_radians());
        }
    }
    turn.normalize()
}
