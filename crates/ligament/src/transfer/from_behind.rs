//! Matches with another limb, found from behind, are none.
//!
//! What surrounds a limb looks away from it. Where another limb is nearer, between two legs, the surface of that limb
//! faces the target: the match is from the other side than those around it, and gives weights of another limb. A lining
//! matches from the other side too, but where it is joined to its garment both have the same weights. So, island by
//! island: pieces that match from the side on which fewer points match, and whose weights differ at their border from
//! those of the nearest points that match from the usual side, are dropped.

use std::collections::BTreeMap;

use super::matching::Found;
use super::{ClosestPoint, PointMatch, TransferSource, TransferTarget};
use crate::character::{Influence, JointIndex};
use crate::weights::weight_distance;

/// A piece ends where weights change by more than this along an edge.
const JUMP: f64 = 0.25;
/// Borders that differ by more than this belong to different limbs: left and right differ by one, a band of unmatched
/// points may hide a change of some tenths.
const OTHER_LIMB: f64 = 0.5;
/// So many rings around a piece are searched for points that match from the usual side.
const MOST_RINGS: usize = 100;
/// No piece.
const NONE: u32 = u32::MAX;

/// Turns such matches into [`PointMatch::OtherLimb`].
pub(super) fn drop_other_limbs(
    source: &TransferSource,
    target: &TransferTarget<'_>,
    closest: &[ClosestPoint],
    sides: &mut [Found],
    islands: &[Vec<u32>],
) {
    let mut walk = Walk {
        source,
        target,
        closest,
        piece_of: vec![NONE; sides.len()],
        reached_by: vec![NONE; sides.len()],
        pieces: 0,
    };
    for island in islands {
        let count = |side: Found| island.iter().filter(|&&p| sides[p as usize] == side).count();
        let (front, behind) = (count(Found::InFront), count(Found::Behind));
        if front == 0 || behind == 0 {
            continue;
        }
        let (usual, other) = if front >= behind {
            (Found::InFront, Found::Behind)
        } else {
            (Found::Behind, Found::InFront)
        };
        let mut dropped: Vec<u32> = Vec::new();
        for &first in island {
            if sides[first as usize] != other || walk.piece_of[first as usize] != NONE {
                continue;
            }
            let piece = walk.piece(first, |p| sides[p as usize] == other);
            let border = walk.border(&piece, |p| sides[p as usize] == usual);
            if let Some((inside, outside)) = border
                && weight_distance(&walk.mean(&inside), &walk.mean(&outside)) > OTHER_LIMB
            {
                dropped.extend(&piece);
            }
        }
        for p in dropped {
            sides[p as usize] = Found::Not(PointMatch::OtherLimb);
        }
    }
}

struct Walk<'a> {
    source: &'a TransferSource,
    target: &'a TransferTarget<'a>,
    closest: &'a [ClosestPoint],
    /// For each point the piece that it belongs to.
    piece_of: Vec<u32>,
    /// For each point the last piece around which it was reached.
    reached_by: Vec<u32>,
    pieces: u32,
}

impl Walk<'_> {
    fn row(&self, point: u32) -> Vec<Influence> {
        let mut row = Vec::new();
        self.source.weights_at(&self.closest[point as usize], &mut row);
        row
    }

    /// The points that are joined to `first` along edges without a jump; they form a new piece.
    fn piece(&mut self, first: u32, belongs: impl Fn(u32) -> bool) -> Vec<u32> {
        let index = self.pieces;
        self.pieces += 1;
        self.piece_of[first as usize] = index;
        let mut piece = vec![first];
        let mut next = 0;
        while let Some(&at) = piece.get(next) {
            next += 1;
            let own = self.row(at);
            for (to, _) in self.target.laplacian.row(at as usize) {
                if self.piece_of[to as usize] == NONE
                    && belongs(to)
                    && weight_distance(&own, &self.row(to)) <= JUMP
                {
                    self.piece_of[to as usize] = index;
                    piece.push(to);
                }
            }
        }
        piece
    }

    /// The points of the newest piece beside others, and the ring of usual points that a walk from there meets first; none
    /// where it meets no such points.
    fn border(&mut self, piece: &[u32], is_usual: impl Fn(u32) -> bool) -> Option<(Vec<u32>, Vec<u32>)> {
        let index = self.pieces - 1;
        let laplacian = self.target.laplacian;
        let outside = |p: u32| self.piece_of[p as usize] != index;
        let beside_others = |&p: &u32| laplacian.row(p as usize).any(|(n, _)| outside(n));
        let inside: Vec<u32> = piece.iter().copied().filter(beside_others).collect();
        for &p in piece {
            self.reached_by[p as usize] = index;
        }
        let mut ring = inside.clone();
        for _ in 0..MOST_RINGS {
            let mut next = Vec::new();
            for &at in &ring {
                for (to, _) in laplacian.row(at as usize) {
                    if self.reached_by[to as usize] != index {
                        self.reached_by[to as usize] = index;
                        next.push(to);
                    }
                }
            }
            let usual: Vec<u32> = next.iter().copied().filter(|&p| is_usual(p)).collect();
            if !usual.is_empty() {
                return Some((inside, usual));
            }
            ring = next;
        }
        None
    }

    /// The mean of the rows of some points.
    fn mean(&self, points: &[u32]) -> Vec<Influence> {
        let mut sum: BTreeMap<JointIndex, f64> = BTreeMap::new();
        for &p in points {
            for influence in self.row(p) {
                *sum.entry(influence.joint).or_default() += f64::from(influence.weight);
            }
        }
        let count = points.len().max(1) as f64;
        sum.into_iter()
            .map(|(joint, weight)| Influence {
                joint,
                weight: (weight / count) as f32,
            })
            .collect()
    }
}
