//! Solving where it is noticed.
//!
//! Forwards, from leaves to root, a piece takes part for the columns that have a right-hand
//! side in it or below; backwards for those that have one, or a solution on its border.
//! What is too faint to be noticed is not followed; on the border of a piece it waits, and is
//! added to what later solves find there ([`LeftOut`]).

use faer::linalg::matmul::matmul;
use faer::linalg::triangular_solve::{solve_lower_triangular_in_place, solve_upper_triangular_in_place};
use faer::prelude::{Reborrow, ReborrowMut};
use faer::{Accum, MatMut, MatRef, Par};

use super::dissection::Piece;
use super::factor::{ALONE, Front, LivingFactor};

/// A right-hand side that changes no unknown by more than this share of what is faint is
/// forgotten; so is a solution on the border of a piece that is no more than that.
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

/// Solutions for the unknowns of one piece.
#[derive(Debug)]
pub struct Piecewise<'a> {
    /// The unknowns' ranks.
    pub ranks: std::ops::Range<usize>,
    /// Which right-hand sides are solved for, ascending.
    pub columns: &'a [u16],
    values: &'a [f64],
    height: usize,
}

impl Piecewise<'_> {
    /// The solutions of a right-hand side, given by its place in `columns`.
    pub fn column(&self, place: usize) -> &[f64] {
        &self.values[place * self.height..][..self.ranks.len()]
    }
}

/// Some columns over the rows of a piece: its own, then its border.
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

    fn column(&self, place: usize) -> &[f64] {
        &self.values[place * self.height..][..self.height]
    }

    fn column_mut(&mut self, place: usize) -> &mut [f64] {
        &mut self.values[place * self.height..][..self.height]
    }

    fn place_of(&self, column: u16) -> Option<usize> {
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
        for place in 0..self.columns.len() {
            if kept(self.column(place)) {
                self.columns[count] = self.columns[place];
                let range = place * self.height..(place + 1) * self.height;
                self.values.copy_within(range, count * self.height);
                count += 1;
            }
        }
        self.columns.truncate(count);
        self.values.truncate(count * self.height);
    }
}

/// What solves left out: for each piece, solutions on its border that were not followed into it.
/// Once they sum to more than is faint they are, so that what is left out does not add up.
#[derive(Debug, Clone, PartialEq)]
pub struct LeftOut {
    pieces: Vec<Block>,
}

impl LeftOut {
    /// Puts what is left out at some pieces in place, and what was there into the list.
    pub fn swap(&mut self, pieces: &mut [(u32, Block)]) {
        for (number, block) in pieces {
            std::mem::swap(&mut self.pieces[*number as usize], block);
        }
    }

    /// The pieces at which some columns are left out, without them.
    pub fn without(&self, columns: &[u16]) -> Vec<(u32, Block)> {
        let concerned = |block: &Block| columns.iter().any(|&c| block.place_of(c).is_some());
        let pieces = (0..).zip(&self.pieces).filter(|(_, block)| concerned(block));
        pieces
            .map(|(number, block)| {
                let none = Block {
                    height: block.height,
                    ..Block::default()
                };
                (number, block.replaced(&none, columns))
            })
            .collect()
    }
}

/// What a solve gives.
#[derive(Debug)]
pub struct Noticed<T> {
    /// What was read, in the order of pieces from the root on.
    pub read: Vec<T>,
    /// The pieces at which something else is left out than before.
    pub left_out: Vec<(u32, Block)>,
}

impl LivingFactor {
    /// Nothing left out yet.
    pub fn nothing_left_out(&self) -> LeftOut {
        LeftOut {
            pieces: vec![Block::default(); self.fronts.len()],
        }
    }

    /// Solves for right-hand sides given by their `entries`, ranks ascending. Solutions are
    /// followed to where they are no more than `faint`, with what earlier solves left out there.
    /// `read` sees them piece by piece, with room to work in.
    pub fn solve_where_noticed<T: Send, W: Default + Send>(
        &self,
        entries: &[Entry],
        faint: f64,
        left_out: &LeftOut,
        read: impl Fn(&Piecewise<'_>, &mut W) -> T + Sync,
    ) -> Noticed<T> {
        let solving = Solving {
            factor: self,
            faint,
            left_out,
            read: &read,
        };
        let mut kept: Vec<Block> = Vec::new();
        kept.resize_with(self.fronts.len(), Block::default);
        let pieces = &self.dissection.pieces;
        solving.forwards(pieces, &self.fronts, &mut kept, entries);
        let above = Above {
            block: &Block::default(),
            places: &[],
            first: 0,
        };
        let mut seen = Seen::default();
        solving.backwards(pieces, &self.fronts, &kept, above, &mut seen);
        Noticed {
            read: seen.read,
            left_out: seen.left_out,
        }
    }
}

/// The solutions of the piece above a branch.
#[derive(Clone, Copy)]
struct Above<'a> {
    block: &'a Block,
    /// Where the border of the branch is in it.
    places: &'a [u32],
    /// The number of the branch's first piece.
    first: usize,
}

/// What was read of pieces and left out at them so far, and room to read in.
struct Seen<T, W> {
    read: Vec<T>,
    left_out: Vec<(u32, Block)>,
    room: W,
}

impl<T, W: Default> Default for Seen<T, W> {
    fn default() -> Self {
        Self {
            read: Vec::new(),
            left_out: Vec::new(),
            room: W::default(),
        }
    }
}

struct Solving<'a, R> {
    factor: &'a LivingFactor,
    faint: f64,
    left_out: &'a LeftOut,
    read: &'a R,
}

impl<R: Sync> Solving<'_, R> {
    /// L·y = b in a branch. In `kept`, for each piece y of its own rows and what is passed on
    /// to its border.
    fn forwards(&self, pieces: &[Piece], fronts: &[Front], kept: &mut [Block], entries: &[Entry]) {
        let (Some((piece, below)), Some((front, fronts_below)), Some((block, kept_below))) =
            (pieces.split_last(), fronts.split_last(), kept.split_last_mut())
        else {
            return;
        };
        if entries.is_empty() {
            return;
        }
        let (one, other) = below.split_at(piece.below[0]);
        let (fronts_one, fronts_other) = fronts_below.split_at(piece.below[0]);
        let (kept_one, kept_other) = kept_below.split_at_mut(piece.below[0]);
        let end = one.last().map_or(piece.first, |p| p.own.end);
        let (in_one, rest) = entries.split_at(entries.partition_point(|e| (e.rank as usize) < end));
        let (in_other, own) = rest.split_at(rest.partition_point(|e| (e.rank as usize) < piece.own.start));
        let (mut a, mut b) = (
            || self.forwards(one, fronts_one, kept_one, in_one),
            || self.forwards(other, fronts_other, kept_other, in_other),
        );
        match pieces.len() >= ALONE {
            true => rayon::join(a, b),
            false => (a(), b()),
        };
        let branches = [
            kept_one.last().zip(one.last()),
            kept_other.last().zip(other.last()),
        ];
        *block = gathered(piece, branches, own);
        block.retain(|values| self.is_noticed(piece, values));
        solve_forwards(piece, front, block);
    }

    /// Whether a right-hand side on the rows of a piece makes a difference.
    fn is_noticed(&self, piece: &Piece, values: &[f64]) -> bool {
        let least = FORGOTTEN * self.faint;
        let (own, border) = values.split_at(piece.own.len());
        let mut of_own = own.iter().zip(&self.factor.added[piece.own.clone()]);
        let mut of_border = border.iter().zip(&piece.border);
        of_own.any(|(value, added)| value.abs() > least * added)
            || of_border.any(|(value, &rank)| value.abs() > least * self.factor.added[rank as usize])
    }

    /// Lᵀ·x = y in a branch.
    fn backwards<T: Send, W: Default + Send>(
        &self,
        pieces: &[Piece],
        fronts: &[Front],
        kept: &[Block],
        above: Above<'_>,
        seen: &mut Seen<T, W>,
    ) where
        R: Fn(&Piecewise<'_>, &mut W) -> T,
    {
        let (Some((piece, below)), Some((front, fronts_below)), Some((block, kept_below))) =
            (pieces.split_last(), fronts.split_last(), kept.split_last())
        else {
            return;
        };
        let number = above.first + below.len();
        let (mut solved, left_out) = self.with_border(number, piece, block, above);
        seen.left_out.extend(left_out.map(|b| (number as u32, b)));
        if !solved.columns.is_empty() && !piece.own.is_empty() {
            solve_backwards(piece, front, &mut solved);
            let solutions = Piecewise {
                ranks: piece.own.clone(),
                columns: &solved.columns,
                values: &solved.values,
                height: solved.height,
            };
            seen.read.push((self.read)(&solutions, &mut seen.room));
        }
        // A branch may have columns of its own that were too faint to get this far.
        if solved.columns.is_empty() && kept_below.iter().all(|b| b.columns.is_empty()) {
            return;
        }
        let (one, other) = below.split_at(piece.below[0]);
        let (fronts_one, fronts_other) = fronts_below.split_at(piece.below[0]);
        let (kept_one, kept_other) = kept_below.split_at(piece.below[0]);
        let [above_one, above_other] = [0, 1].map(|branch| Above {
            block: &solved,
            places: &piece.places[branch],
            first: above.first + branch * piece.below[0],
        });
        if pieces.len() >= ALONE {
            let mut of_other = Seen::default();
            rayon::join(
                || self.backwards(one, fronts_one, kept_one, above_one, seen),
                || self.backwards(other, fronts_other, kept_other, above_other, &mut of_other),
            );
            seen.read.append(&mut of_other.read);
            seen.left_out.append(&mut of_other.left_out);
        } else {
            self.backwards(one, fronts_one, kept_one, above_one, seen);
            self.backwards(other, fronts_other, kept_other, above_other, seen);
        }
    }

    /// A piece's y and the solutions on its border: the columns that it has itself and those
    /// that are noticed on the border. And what is left out there, if that is something else
    /// than before.
    fn with_border(
        &self,
        number: usize,
        piece: &Piece,
        block: &Block,
        above: Above<'_>,
    ) -> (Block, Option<Block>) {
        let (own, border) = (piece.own.len(), piece.border.len());
        let height = own + border;
        let before = &self.left_out.pieces[number];
        let most = above.block.columns.len() + block.columns.len();
        let mut solved = Block {
            columns: Vec::with_capacity(most),
            values: Vec::with_capacity(most * height),
            height,
        };
        let mut left_out = Block {
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
                    let on_border = above.places.iter().map(|&place| values[place as usize]);
                    solved.values.extend(on_border);
                }
                None => solved.values.resize(start + height, 0.0),
            }
            let on_border = &mut solved.values[start + own..];
            let new = largest(on_border);
            let earlier = before.place_of(column);
            if let Some(earlier) = earlier {
                for (value, earlier) in on_border.iter_mut().zip(before.column(earlier)) {
                    *value += earlier;
                }
            }
            if y.is_some() || largest(on_border) > self.faint {
                solved.columns.push(column);
                followed.extend(earlier.map(|_| column));
                continue;
            }
            if new > FORGOTTEN * self.faint {
                left_out.columns.push(column);
                left_out.values.extend_from_slice(on_border);
            }
            solved.values.truncate(start);
        }
        let differs = !left_out.columns.is_empty() || !followed.is_empty();
        let left_out = differs.then(|| before.replaced(&left_out, &followed));
        (solved, left_out)
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

/// The right-hand sides of a piece: its own, and what its branches pass on.
fn gathered(piece: &Piece, branches: [Option<(&Block, &Piece)>; 2], own: &[Entry]) -> Block {
    let mut columns: Vec<u16> = own.iter().map(|e| e.column).collect();
    for (block, _) in branches.iter().flatten() {
        columns.extend_from_slice(&block.columns);
    }
    columns.sort_unstable();
    columns.dedup();
    let mut gathered = Block::zeros(columns, piece.own.len() + piece.border.len());
    for (branch, places) in branches.into_iter().zip(&piece.places) {
        let Some((block, below)) = branch else { continue };
        for (from, column) in block.columns.iter().enumerate() {
            let Some(to) = gathered.place_of(*column) else {
                continue;
            };
            let passed = &block.column(from)[below.own.len()..];
            let sums = gathered.column_mut(to);
            for (&place, value) in places.iter().zip(passed) {
                sums[place as usize] += value;
            }
        }
    }
    for entry in own {
        if let Some(to) = gathered.place_of(entry.column) {
            gathered.column_mut(to)[entry.rank as usize - piece.own.start] += entry.value;
        }
    }
    gathered
}

fn panel_of<'a>(piece: &Piece, front: &'a Front) -> (MatRef<'a, f64>, MatRef<'a, f64>) {
    let (own, height) = (piece.own.len(), piece.own.len() + piece.border.len());
    MatRef::from_column_major_slice(&front.panel, height, own).split_at_row(own)
}

fn solve_forwards(piece: &Piece, front: &Front, block: &mut Block) {
    if block.columns.is_empty() || piece.own.is_empty() {
        return;
    }
    let (top, bottom) = panel_of(piece, front);
    let count = block.columns.len();
    let values = MatMut::from_column_major_slice_mut(&mut block.values, block.height, count);
    let (mut own, border) = values.split_at_row_mut(piece.own.len());
    solve_lower_triangular_in_place(top, own.rb_mut(), Par::Seq);
    matmul(border, Accum::Add, bottom, own.rb(), -1.0, Par::Seq);
}

fn solve_backwards(piece: &Piece, front: &Front, block: &mut Block) {
    let (top, bottom) = panel_of(piece, front);
    let count = block.columns.len();
    let values = MatMut::from_column_major_slice_mut(&mut block.values, block.height, count);
    let (mut own, border) = values.split_at_row_mut(piece.own.len());
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
