//! The first half of a BVH: joints, offsets, channels.

use glam::DVec3;

use crate::import::ImportError;
use crate::text::{Words, name_of, shown};

/// One number of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BvhChannel {
    /// Along axis 0, 1 or 2.
    Position(usize),
    /// Around axis 0, 1 or 2, in degrees.
    Rotation(usize),
}

/// A joint, or an end site, which has no channels.
#[derive(Debug)]
pub(super) struct Node {
    pub name: String,
    pub parent: Option<usize>,
    pub offset: DVec3,
    pub channels: Vec<BvhChannel>,
}

/// Reads up to the word `MOTION`, or to the end of a file without motion.
pub(super) fn read(words: &mut Words) -> Result<Vec<Node>, ImportError> {
    if words
        .next()
        .is_none_or(|word| !word.eq_ignore_ascii_case(b"HIERARCHY"))
    {
        return Err(words.error("a BVH begins with HIERARCHY"));
    }
    let mut nodes: Vec<Node> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    while let Some(word) = words.next() {
        let parent = open.last().copied();
        match word.to_ascii_uppercase().as_slice() {
            b"ROOT" => {
                if parent.is_some() {
                    return Err(words.error("a ROOT cannot be inside a joint"));
                }
                open.push(begin(words, &mut nodes, None)?);
            }
            b"JOINT" => {
                if parent.is_none() {
                    return Err(words.error("a JOINT must be inside a ROOT"));
                }
                open.push(begin(words, &mut nodes, parent)?);
            }
            b"END" => {
                let Some(parent) = parent else {
                    return Err(words.error("an End Site must be inside a joint"));
                };
                words.expect("the word Site")?;
                expect(words, b"{")?;
                nodes.push(Node {
                    name: format!("{}_end", nodes[parent].name),
                    parent: Some(parent),
                    offset: DVec3::ZERO,
                    channels: Vec::new(),
                });
                open.push(nodes.len() - 1);
            }
            b"OFFSET" => {
                let offset = [
                    words.f64("an offset")?,
                    words.f64("an offset")?,
                    words.f64("an offset")?,
                ];
                let Some(at) = parent else {
                    return Err(words.error("an OFFSET must be inside a joint"));
                };
                nodes[at].offset = DVec3::from_array(offset);
            }
            b"CHANNELS" => {
                let Some(at) = parent else {
                    return Err(words.error("CHANNELS must be inside a joint"));
                };
                nodes[at].channels = channels(words)?;
            }
            b"}" => {
                if open.pop().is_none() {
                    return Err(words.error("there is one '}' too many"));
                }
            }
            b"MOTION" if open.is_empty() => break,
            _ => return Err(words.error(format!("{} does not belong here", shown(word)))),
        }
    }
    if !open.is_empty() {
        return Err(words.error("a '}' is missing"));
    }
    Ok(nodes)
}

/// A name, which may hold blanks and ends at the brace.
fn begin(words: &mut Words, nodes: &mut Vec<Node>, parent: Option<usize>) -> Result<usize, ImportError> {
    let mut name = String::new();
    loop {
        let word = words.expect("'{'")?;
        if word == b"{" {
            break;
        }
        let (word, brace) = match word.strip_suffix(b"{") {
            Some(word) => (word, true),
            None => (word, false),
        };
        if !name.is_empty() {
            name.push(' ');
        }
        name.push_str(&name_of(word));
        if brace {
            break;
        }
    }
    nodes.push(Node {
        name,
        parent,
        offset: DVec3::ZERO,
        channels: Vec::new(),
    });
    Ok(nodes.len() - 1)
}

fn channels(words: &mut Words) -> Result<Vec<BvhChannel>, ImportError> {
    let count = words.count("the number of channels")?;
    if count > 6 {
        return Err(words.error(format!("a joint has at most 6 channels, not {count}")));
    }
    let mut channels = Vec::new();
    for _ in 0..count {
        let word = words.expect("a channel")?;
        let channel = match word.to_ascii_lowercase().as_slice() {
            [axis @ b'x'..=b'z', b'p', b'o', b's', ..] => BvhChannel::Position(usize::from(axis - b'x')),
            [axis @ b'x'..=b'z', b'r', b'o', b't', ..] => BvhChannel::Rotation(usize::from(axis - b'x')),
            _ => return Err(words.error(format!("{} is no channel", shown(word)))),
        };
        channels.push(channel);
    }
    Ok(channels)
}

fn expect(words: &mut Words, wanted: &[u8]) -> Result<(), ImportError> {
    let found = words.expect("a brace")?;
    if found == wanted {
        return Ok(());
    }
    Err(words.error(format!("{} should be here, not {}", shown(wanted), shown(found))))
}
