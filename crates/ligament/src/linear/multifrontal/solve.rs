//! Solving where it is significant.
//!
//! Forwards, from leaves to root, a supernode takes part for the columns that have a right-hand
//! side in it or below; backwards for those that have one, or a solution on its border.
//! What is negligible is not followed; on the border of a supernode it waits, and is
//! added to what later solves find there ([`Deferred`]).

use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place};
use faer::prelude::{Reborrow, ReborrowMut};
use faer::{Accum, MatMut, MatRef, Par};

use super::dissection::Piece;
use super::factor::{ALONE, Front, UpdatableFactor};

/// A right-hand side that changes no unknown by more than this fraction of what is negligible is
/// forgotten; so is a solution on the border of a supernode that is no more than that.
const FORGOTTEN: f64 = 0.01;

/// A right-hand side's value for an unknown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Entry {
    /// The unknown's rank.
    pub rank: u32,
    /// Which right-hand side.
    pub column: u16,
    /// Its value.
    pub value: f64,
}

/// Solutions for the unknowns of one supernode.
#[derive(Debug)]
pub struct BySupernode<'a> {
    /// The unknowns' ranks.
    pub ranks: std::ops::Range<usize>,
    /// Which right-hand sides are solved for, ascending.
    pub columns: &'a [u16],
    values: &'a [f64],
    height: usize,
}

impl BySupernode<'_> {
    /// The solutions of a right-hand side, given by its index in `columns`.
    pub fn column(&self, slot: usize) -> &[f64] {
        &self.values[slot * self.height..][..self.ranks.len()]
    }
}

/// Some columns over the rows of a supernode: its own, then its border.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Block {
    columns: Vec<u16>,
    /// Column by column.
    values: Vec<f64>,
    height: usize,
}

impl Block {
    fn zeros(columns: Vec<u16>, height: usize) -> Self {
        Self {
            values: vec![0.0; columns.len() * height],
            columns,
            height,
        }
    }

    fn column(&self, slot: usize) -> &[f64] {
        &self.values[slot * self.height..][..self.height]
    }

    fn column_mut(&mut self, slot: usize) -> &mut [f64] {
        &mut self.values[slot * self.height..][..self.height]
    }

    fn index_of(&self, column: u16) -> Option<usize> {
        self.columns.binary_search(&column).ok()
    }

    /// With the columns of another block in the place of its own or beside them, and without
    /// those that are `gone`.
    fn replaced(&self, by: &Self, gone: &[u16]) -> Self {
        let mut made = Self {
            height: by.height,
            ..Self::default()
        };
        for (column, old, new) in in_either(&self.columns, &by.columns) {
            let values = match (old, new) {
                (_, Some(new)) => by.column(new),
                (Some(old), None) if !gone.contains(&column) => self.column(old),
                _ => continue,
            };
            made.columns.push(column);
            made.values.extend_from_slice(values);
        }
        made
    }

    /// Takes out the columns that `kept` does not want.
    fn retain(&mut self, kept: impl Fn(&[f64]) -> bool) {
        let mut count = 0;
        for slot in 0..self.columns.len() {
            if kept(self.column(slot)) {
                self.columns[count] = self.columns[slot];
                let range = slot * self.height..(slot + 1) * self.height;
                self.values.copy_within(range, count * self.height);
                count += 1;
            }
        }
        self.columns.truncate(count);
        self.values.truncate(count * self.height);
    }
}

/// What solves left out: for each supernode, solutions on its border that were not followed into it.
/// Once they sum to more than is negligible they are, so that what is left out does not add up.
#[derive(Debug, Clone, PartialEq)]
pub struct Deferred {
    supernodes: Vec<Block>,
}

impl Deferred {
    /// Puts what is left out at some supernodes in place, and what was there into the list.
    pub fn swap(&mut self, supernodes: &mut [(u32, Block)]) {
        for (index, block) in supernodes {
            std::mem::swap(&mut self.supernodes[*index as usize], block);
        }
    }

    /// The supernodes at which some columns are left out, without them.
    pub fn without(&self, columns: &[u16]) -> Vec<(u32, Block)> {
        let concerned = |block: &Block| columns.iter().any(|&c| block.index_of(c).is_some());
        let supernodes = (0..).zip(&self.supernodes).filter(|(_, block)| concerned(block));
        supernodes
            .map(|(index, block)| {
                let none = Block {
                    height: block.height,
                    ..Block::default()
                };
                (index, block.replaced(&none, columns))
            })
            .collect()
    }
}

/// What a solve gives.
#[derive(Debug)]
pub struct Significant<T> {
    /// What was read, in the order of supernodes from the root on.
    pub read: Vec<T>,
    /// The supernodes at which something else is left out than before.
    pub deferred: Vec<(u32, Block)>,
}

impl UpdatableFactor {
    /// Nothing left out yet.
    pub fn nothing_left_out(&self) -> Deferred {
        Deferred {
            supernodes: vec![Block::default(); self.fronts.len()],
        }
    }

    /// Solves for right-hand sides given by their `entries`, ranks ascending. Solutions are
    /// followed to where they are no more than `negligible`, with what earlier solves left out there.
    /// `read` sees them supernode by supernode, with room to work in.
    pub fn solve_where_significant<T: Send, W: Default + Send>(
        &self,
        entries: &[Entry],
        negligible: f64,
        deferred: &Deferred,
        read: impl Fn(&BySupernode<'_>, &mut W) -> T + Sync,
    ) -> Significant<T> {
        let solving = Solving {
            factor: self,
            negligible,
            deferred,
            read: &read,
        };
        let mut kept: Vec<Block> = Vec::new();
        kept.resize_with(self.fronts.len(), Block::default);
        let supernodes = &self.dissection.supernodes;
        solving.forwards(supernodes, &self.fronts, &mut kept, entries);
        let above = Above {
            block: &Block::default(),
            slots: &[],
            first: 0,
        };
        let mut seen = Seen::default();
        solving.backwards(supernodes, &self.fronts, &kept, above, &mut seen);
        Significant {
            read: seen.read,
            deferred: seen.deferred,
        }
    }
}

/// The solutions of the supernode above a branch.
#[derive(Clone, Copy)]
struct Above<'a> {
    block: &'a Block,
    /// Where the border of the branch is in it.
    slots: &'a [u32],
    /// The number of the branch's first supernode.
    first: usize,
}

/// What was read of supernodes and left out at them so far, and room to read in.
struct Seen<T, W> {
    read: Vec<T>,
    deferred: Vec<(u32, Block)>,
    room: W,
}

impl<T, W: Default> Default for Seen<T, W> {
    fn default() -> Self {
        Self {
            read: Vec::new(),
            deferred: Vec::new(),
            room: W::default(),
        }
    }
}

struct Solving<'a, R> {
    factor: &'a UpdatableFactor,
    negligible: f64,
    deferred: &'a Deferred,
    read: &'a R,
}

impl<R: Sync> Solving<'_, R> {
    /// L·y = b in a branch. In `kept`, for each supernode y of its own rows and what is passed on
    /// to its border.
    fn forwards(&self, supernodes: &[Piece], fronts: &[Front], kept: &mut [Block], entries: &[Entry]) {
        let (Some((supernode, below)), Some((front, fronts_below)), Some((block, kept_below))) = (
            supernodes.split_last(),
            fronts.split_last(),
            kept.split_last_mut(),
        ) else {
            return;
        };
        if entries.is_empty() {
            return;
        }
        let (one, other) = below.split_at(supernode.below[0]);
        let (fronts_one, fronts_other) = fronts_below.split_at(supernode.below[0]);
        let (kept_one, kept_other) = kept_below.split_at_mut(supernode.below[0]);
        let end = one.last().map_or(supernode.first, |p| p.own.end);
        let (in_one, rest) = entries.split_at(entries.partition_point(|e| (e.rank as usize) < end));
        let (in_other, own) =
            rest.split_at(rest.partition_point(|e| (e.rank as usize) < supernode.own.start));
        let (mut a, mut b) = (
            || self.forwards(one, fronts_one, kept_one, in_one),
            || self.forwards(other, fronts_other, kept_other, in_other),
        );
        match supernodes.len() >= ALONE {
            true => rayon::join(a, b),
            false => (a(), b()),
        };
        let branches = [
            kept_one.last().zip(one.last()),
            kept_other.last().zip(other.last()),
        ];
        *block = gathered(supernode, branches, own);
        block.retain(|values| self.is_noticed(supernode, values));
        solve_forwards(supernode, front, block);
    }

    /// Whether a right-hand side on the rows of a supernode makes a difference.
    fn is_noticed(&self, supernode: &Piece, values: &[f64]) -> bool {
        let least = FORGOTTEN * self.negligible;
        let (own, border) = values.split_at(supernode.own.len());
        let mut of_own = own.iter().zip(&self.factor.added[supernode.own.clone()]);
        let mut of_border = border.iter().zip(&supernode.border);
        of_own.any(|(value, added)| value.abs() > least * added)
            || of_border.any(|(value, &rank)| value.abs() > least * self.factor.added[rank as usize])
    }

    /// Lᵀ·x = y in a branch.
    fn backwards<T: Send, W: Default + Send>(
        &self,
        supernodes: &[Piece],
        fronts: &[Front],
        kept: &[Block],
        above: Above<'_>,
        seen: &mut Seen<T, W>,
    ) where
        R: Fn(&BySupernode<'_>, &mut W) -> T,
    {
        let (Some((supernode, below)), Some((front, fronts_below)), Some((block, kept_below))) =
            (supernodes.split_last(), fronts.split_last(), kept.split_last())
        else {
            return;
        };
        let index = above.first + below.len();
        let (mut solved, deferred) = self.with_border(index, supernode, block, above);
        seen.deferred.extend(deferred.map(|b| (index as u32, b)));
        if !solved.columns.is_empty() && !supernode.own.is_empty() {
            solve_backwards(supernode, front, &mut solved);
            let solutions = BySupernode {
                ranks: supernode.own.clone(),
                columns: &solved.columns,
                values: &solved.values,
                height: solved.height,
            };
            seen.read.push((self.read)(&solutions, &mut seen.room));
        }
        // A branch may have columns of its own that were negligible before they got this far.
        if solved.columns.is_empty() && kept_below.iter().all(|b| b.columns.is_empty()) {
            return;
        }
        let (one, other) = below.split_at(supernode.below[0]);
        let (fronts_one, fronts_other) = fronts_below.split_at(supernode.below[0]);
        let (kept_one, kept_other) = kept_below.split_at(supernode.below[0]);
        let [above_one, above_other] = [0, 1].map(|branch| Above {
            block: &solved,
            slots: &supernode.slots[branch],
            first: above.first + branch * supernode.below[0],
        });
        if supernodes.len() >= ALONE {
            let mut of_other = Seen::default();
            rayon::join(
                || self.backwards(one, fronts_one, kept_one, above_one, seen),
                || self.backwards(other, fronts_other, kept_other, above_other, &mut of_other),
            );
            seen.read.append(&mut of_other.read);
            seen.deferred.append(&mut of_other.deferred);
        } else {
            self.backwards(one, fronts_one, kept_one, above_one, seen);
            self.backwards(other, fronts_other, kept_other, above_other, seen);
        }
    }

    /// A supernode's y and the solutions on its border: the columns that it has itself and those
    /// that are significant on the border. And what is left out there, if that is something else
    /// than before.
    fn with_border(
        &self,
        index: usize,
        supernode: &Piece,
        block: &Block,
        above: Above<'_>,
    ) -> (Block, Option<Block>) {
        let (own, border) = (supernode.own.len(), supernode.border.len());
        let height = own + border;
        let before = &self.deferred.supernodes[index];
        let most = above.block.columns.len() + block.columns.len();
        let mut solved = Block {
            columns: Vec::with_capacity(most),
            values: Vec::with_capacity(most * height),
            height,
        };
        let mut deferred = Block {
            height: border,
            ..Block::default()
        };
        let mut followed: Vec<u16> = Vec::new();
        for (column, x, y) in in_either(&above.block.columns, &block.columns) {
            let start = solved.values.len();
            match y {
                Some(y) => solved.values.extend_from_slice(&block.column(y)[..own]),
                None => solved.values.resize(start + own, 0.0),
            }
            match x {
                Some(x) => {
                    let values = above.block.column(x);
                    let on_border = above.slots.iter().map(|&slot| values[slot as usize]);
                    solved.values.extend(on_border);
                }
                None => solved.values.resize(start + height, 0.0),
            }
            let on_border = &mut solved.values[start + own..];
            let new = largest(on_border);
            let earlier = before.index_of(column);
            if let Some(earlier) = earlier {
                for (value, earlier) in on_border.iter_mut().zip(before.column(earlier)) {
                    *value += earlier;
                }
            }
            if y.is_some() || largest(on_border) > self.negligible {
                solved.columns.push(column);
                followed.extend(earlier.map(|_| column));
                continue;
            }
            if new > FORGOTTEN * self.negligible {
                deferred.columns.push(column);
                deferred.values.extend_from_slice(on_border);
            }
            solved.values.truncate(start);
        }
        let differs = !deferred.columns.is_empty() || !followed.is_empty();
        let deferred = differs.then(|| before.replaced(&deferred, &followed));
        (solved, deferred)
    }
}

/// The numbers in either of two ascending lists, and where they are in each.
fn in_either(one: &[u16], other: &[u16]) -> impl Iterator<Item = (u16, Option<usize>, Option<usize>)> {
    let (mut a, mut b) = (0, 0);
    std::iter::from_fn(move || {
        let next = match (one.get(a), other.get(b)) {
            (Some(x), Some(y)) => *x.min(y),
            (x, y) => *x.or(y)?,
        };
        let in_one = (one.get(a) == Some(&next)).then_some(a);
        let in_other = (other.get(b) == Some(&next)).then_some(b);
        a += usize::from(in_one.is_some());
        b += usize::from(in_other.is_some());
        Some((next, in_one, in_other))
    })
}

fn largest(values: &[f64]) -> f64 {
    values.iter().fold(0.0, |most: f64, x| most.max(x.abs()))
}

/// The right-hand sides of a supernode: its own, and what its branches pass on.
fn gathered(supernode: &Piece, branches: [Option<(&Block, &Piece)>; 2], own: &[Entry]) -> Block {
    let mut columns: Vec<u16> = own.iter().map(|e| e.column).collect();
    for (block, _) in branches.iter().flatten() {
        columns.extend_from_slice(&block.columns);
    }
    columns.sort_unstable();
    columns.dedup();
    let mut gathered = Block::zeros(columns, supernode.own.len() + supernode.border.len());
    for (branch, slots) in branches.into_iter().zip(&supernode.slots) {
        let Some((block, below)) = branch else { continue };
        for (from, column) in block.columns.iter().enumerate() {
            let Some(to) = gathered.index_of(*column) else {
                continue;
            };
            let passed = &block.column(from)[below.own.len()..];
            let sums = gathered.column_mut(to);
            for (&slot, value) in slots.iter().zip(passed) {
                sums[slot as usize] += value;
            }
        }
    }
    for entry in own {
        if let Some(to) = gathered.index_of(entry.column) {
            gathered.column_mut(to)[entry.rank as usize - supernode.own.start] += entry.value;
        }
    }
    gathered
}

fn panel_of<'a>(supernode: &Piece, front: &'a Front) -> (MatRef<'a, f64>, MatRef<'a, f64>) {
    let (own, height) = (supernode.own.len(), supernode.own.len() + supernode.border.len());
    MatRef::from_column_major_slice(&front.panel, height, own).split_at_row(own)
}

fn solve_forwards(supernode: &Piece, front: &Front, block: &mut Block) {
    if block.columns.is_empty() || supernode.own.is_empty() {
        return;
    }
    let (top, bottom) = panel_of(supernode, front);
    let count = block.columns.len();
    let values = MatMut::from_column_major_slice_mut(&mut block.values, block.height, count);
    let (mut own, border) = values.split_at_row_mut(supernode.own.len());
    solve_lower_triangular_in_place(top, own.rb_mut(), Par::Seq);
    matmul(border, Accum::Add, bottom, own.rb(), -1.0, Par::Seq);
}

fn solve_backwards(supernode: &Piece, front: &Front, block: &mut Block) {
    let (top, bottom) = panel_of(supernode, front);
    let count = block.columns.len();
    let values = MatMut::from_column_major_slice_mut(&mut block.values, block.height, count);
    let (mut own, border) = values.split_at_row_mut(supernode.own.len());
    matmul(
        own.rb_mut(),
        Accum::Add,
        bottom.transpose(),
        border.rb(),
        -1.0,
        Par::Seq,
    );
    solve_upper_triangular_in_place(top.transpose(), own, Par::Seq);
}
