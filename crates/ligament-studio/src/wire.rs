//! Binary frames from the server to the page.
//!
//! Little-endian, four-byte aligned. Every frame begins with sixteen bytes: the protocol's version and the frame's kind (u16
//! each), the serial number of the character that it belongs to, and two numbers that depend on the kind (u32 each).
//! `docs/internals/studio.md` lists the kinds.

use ligament::character::Influence;
use ligament::{JointIndex, Weights};
use rayon::prelude::*;

use crate::state::MOST_INFLUENCES;

/// Vertices that are looked at together.
const CHUNK: usize = 4096;

/// Changes when the meaning of a frame or a message does.
pub const VERSION: u16 = 1;

/// What a frame holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u16)]
pub enum Kind {
    /// Positions, normals, texture coordinates, colours, corners.
    Mesh = 1,
    /// The weights of all vertices.
    Weights = 2,
    /// The weights of some vertices.
    Rows = 3,
    /// The poses of a clip.
    Clip = 4,
    /// A picture's file.
    Texture = 5,
    /// Positions and normals in a pose.
    Deformed = 6,
    /// The voxels of the solid.
    Voxels = 7,
    /// A number for each vertex.
    Map = 8,
    /// A small picture's file.
    Thumbnail = 9,
    /// Who mirrors whom.
    Mirror = 10,
}

/// A frame being written.
pub struct Frame(Vec<u8>);

impl Frame {
    /// The first sixteen bytes.
    pub fn new(kind: Kind, serial: u32, a: u32, b: u32) -> Self {
        let mut bytes = Vec::with_capacity(64);
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend((kind as u16).to_le_bytes());
        for number in [serial, a, b] {
            bytes.extend(number.to_le_bytes());
        }
        Self(bytes)
    }

    /// Adds whole numbers.
    pub fn u32s(mut self, numbers: impl IntoIterator<Item = u32>) -> Self {
        self.0.extend(numbers.into_iter().flat_map(u32::to_le_bytes));
        self
    }

    /// Adds numbers.
    pub fn f32s(mut self, numbers: impl IntoIterator<Item = f32>) -> Self {
        self.0.extend(numbers.into_iter().flat_map(f32::to_le_bytes));
        self
    }

    /// Adds bytes, filled up to a multiple of four.
    pub fn bytes(mut self, bytes: &[u8]) -> Self {
        self.0.extend(bytes);
        self.0.resize(self.0.len().next_multiple_of(4), 0);
        self
    }

    /// The finished frame.
    pub fn finish(self) -> Vec<u8> {
        self.0
    }
}

/// Weights as the page has them: for each vertex up to eight words, the joint in the upper half and its share of 65535 in the
/// lower. Vertices of carried parts follow their joint alone.
pub struct Shown<'a> {
    /// The weights; none before a character is bound.
    pub weights: Option<&'a Weights>,
    /// For each vertex the joint that carries it, if one does.
    pub carried: &'a [Option<JointIndex>],
}

impl Shown<'_> {
    /// What a vertex follows.
    fn row(&self, vertex: usize) -> Row<'_> {
        match (self.carried[vertex], self.weights) {
            (Some(joint), _) => Row::One(joint),
            (None, Some(weights)) => Row::Many(weights.of_vertex(vertex)),
            (None, None) => Row::Many(&[]),
        }
    }

    /// Words that every row has here.
    pub fn width(&self) -> usize {
        let most = self.weights.map_or(1, Weights::max_influences);
        most.clamp(1, MOST_INFLUENCES)
    }

    /// The rows of all vertices.
    pub fn whole(&self, serial: u32, slot: u32) -> Vec<u8> {
        let width = self.width();
        let mut words = Vec::with_capacity(self.carried.len() * width);
        for vertex in 0..self.carried.len() {
            self.row(vertex).pack(width, &mut words);
        }
        Frame::new(Kind::Weights, serial, slot, width as u32)
            .u32s(words)
            .finish()
    }

    /// Rows of some vertices, whoever found them.
    pub fn some(rows: &[(u32, Vec<Influence>)], serial: u32, slot: u32) -> (usize, Vec<u8>) {
        let width = rows.iter().map(|r| r.1.len()).max().unwrap_or(1);
        let width = width.clamp(1, MOST_INFLUENCES);
        let mut words = Vec::with_capacity(rows.len() * width);
        for (_, row) in rows {
            Row::Many(row).pack(width, &mut words);
        }
        let frame = Frame::new(Kind::Rows, serial, slot, width as u32)
            .u32s([rows.len() as u32])
            .u32s(rows.iter().map(|r| r.0))
            .u32s(words);
        (rows.len(), frame.finish())
    }

    /// The rows that differ from those that the page has.
    pub fn changed(&self, before: &Self, serial: u32, slot: u32) -> (usize, Vec<u8>) {
        let width = self.width();
        let count = self.carried.len();
        let chunks: Vec<(Vec<u32>, Vec<u32>)> = (0..count.div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                let vertices = chunk * CHUNK..count.min((chunk + 1) * CHUNK);
                let (mut changed, mut words) = (Vec::new(), Vec::new());
                for vertex in vertices {
                    let row = self.row(vertex);
                    if row != before.row(vertex) {
                        changed.push(vertex as u32);
                        row.pack(width, &mut words);
                    }
                }
                (changed, words)
            })
            .collect();
        let rows: usize = chunks.iter().map(|c| c.0.len()).sum();
        let frame = Frame::new(Kind::Rows, serial, slot, width as u32)
            .u32s([rows as u32])
            .u32s(chunks.iter().flat_map(|c| c.0.iter().copied()))
            .u32s(chunks.iter().flat_map(|c| c.1.iter().copied()));
        (rows, frame.finish())
    }
}

#[derive(PartialEq)]
enum Row<'a> {
    One(JointIndex),
    Many(&'a [Influence]),
}

impl Row<'_> {
    fn pack(&self, width: usize, words: &mut Vec<u32>) {
        let start = words.len();
        match self {
            Self::One(joint) => words.push(u32::from(joint.0) << 16 | 65535),
            Self::Many(influences) => {
                let shown = &influences[..influences.len().min(width)];
                let sum: f32 = shown.iter().map(|i| i.weight).sum();
                let mut left = 65535;
                // The largest comes first and takes what rounding leaves over.
                for influence in shown.iter().skip(1) {
                    let share = (influence.weight / sum * 65535.0).round() as u32;
                    left -= share.min(left);
                    words.push(u32::from(influence.joint.0) << 16 | share);
                }
                if let Some(first) = shown.first() {
                    words.insert(start, u32::from(first.joint.0) << 16 | left);
                }
            }
        }
        words.resize(start + width, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights(rows: &[&[(u16, f32)]]) -> Weights {
        let rows: Vec<Vec<Influence>> = rows
            .iter()
            .map(|row| {
                row.iter()
                    .map(|&(joint, weight)| Influence {
                        joint: JointIndex(joint),
                        weight,
                    })
                    .collect()
            })
            .collect();
        Weights::new(rows.iter().map(Vec::as_slice)).unwrap()
    }

    fn words(frame: &[u8]) -> Vec<u32> {
        frame[16..]
            .chunks(4)
            .map(|c| u32::from_le_bytes(c.try_into().unwrap()))
            .collect()
    }

    #[test]
    fn rows_sum_to_the_whole() {
        let thirds = weights(&[&[(1, 1.0), (2, 1.0), (3, 1.0)], &[(7, 1.0)]]);
        let shown = Shown {
            weights: Some(&thirds),
            carried: &[None, None],
        };
        let frame = shown.whole(5, 1);
        assert_eq!(frame[..16], [1, 0, 2, 0, 5, 0, 0, 0, 1, 0, 0, 0, 3, 0, 0, 0]);
        let words = words(&frame);
        assert_eq!(words.len(), 6);
        assert_eq!(words[..3].iter().map(|w| w & 0xffff).sum::<u32>(), 65535);
        assert_eq!(words[3..], [7 << 16 | 65535, 0, 0]);
    }

    #[test]
    fn only_what_changed_is_sent() {
        let (old, new) = (
            weights(&[&[(0, 1.0)], &[(0, 1.0)], &[(0, 1.0)]]),
            weights(&[&[(0, 1.0)], &[(0, 1.0), (1, 1.0)], &[(1, 1.0)]]),
        );
        // The last vertex is carried: whatever its weights, it stays.
        let carried = [None, None, Some(JointIndex(4))];
        let shown = |w| Shown {
            weights: Some(w),
            carried: &carried,
        };
        let (count, frame) = shown(&new).changed(&shown(&old), 1, 0);
        assert_eq!(count, 1);
        assert_eq!(words(&frame), [1, 1, 32767, 1 << 16 | 32768]);
        assert_eq!(shown(&new).changed(&shown(&new), 1, 0).0, 0);
    }

    #[test]
    fn what_is_not_bound_has_no_joint() {
        let shown = Shown {
            weights: None,
            carried: &[None, Some(JointIndex(2))],
        };
        assert_eq!(words(&shown.whole(1, 0)), [0, 2 << 16 | 65535]);
    }
}
