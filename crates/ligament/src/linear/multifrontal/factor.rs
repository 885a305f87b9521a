//! The factor, supernode by supernode.

use std::sync::Arc;

use faer::dyn_stack::{MemBuffer, MemStack};
use faer::linalg::cholesky::llt::factor::{cholesky_in_place, cholesky_in_place_scratch};
use faer::linalg::matmul::triangular::{self, BlockStructure};
use faer::linalg::triangular_solve::solve_lower_triangular_in_place;
use faer::prelude::{Reborrow, ReborrowMut};
use faer::{Accum, MatMut, MatRef, Par};
use glam::DVec3;

use super::dissection::{Dissection, Piece};
use crate::linear::{LinearError, SymmetricMatrix};

/// Branches of fewer supernodes are worked on by one thread.
pub(super) const ALONE: usize = 24;
/// What a supernode passes on is taken for the same as long as its rows changed by less than this
/// share of D.
const SAME: f64 = 3e-4;

/// A factor of C + D.
#[derive(Debug, Clone)]
pub struct UpdatableFactor {
    pub(super) dissection: Arc<Dissection>,
    pub(super) rows: Rows,
    /// D by rank, as factorised.
    pub(super) added: Vec<f64>,
    pub(super) fronts: Vec<Front>,
}

/// The rows of C from the diagonal on, by rank.
#[derive(Debug, Clone)]
pub(super) struct Rows {
    starts: Vec<u32>,
    values: Vec<f64>,
    /// Where an entry lies among the unknowns of its row's supernode and their border.
    slots: Vec<u32>,
}

impl Rows {
    fn range(&self, row: usize) -> std::ops::Range<usize> {
        self.starts[row] as usize..self.starts[row + 1] as usize
    }
}

/// What a supernode has of the factor.
#[derive(Debug, Clone, Default)]
pub(super) struct Front {
    /// The factor's columns of its own unknowns: column by column, rows of its own and then of
    /// the border.
    pub panel: Vec<f64>,
    /// What it adds to the matrix of its border: column by column, the lower triangle.
    passed: Vec<f64>,
}

impl UpdatableFactor {
    /// Factorises C + D for unknowns that lie at `points`, which only tell where to cut.
    pub fn of(points: &[DVec3], c: &SymmetricMatrix, d: &[f64]) -> Result<Self, LinearError> {
        let whole = c.rows();
        let around = |unknown: u32| whole[unknown as usize].iter().map(|e| e.0);
        Self::along(Arc::new(Dissection::of(points, around)), &whole, d)
    }

    /// Factorises another C + D whose C has its entries at the same indices.
    pub fn like(&self, c: &SymmetricMatrix, d: &[f64]) -> Result<Self, LinearError> {
        Self::along(self.dissection.clone(), &c.rows(), d)
    }

    fn along(dissection: Arc<Dissection>, whole: &[Vec<(u32, f64)>], d: &[f64]) -> Result<Self, LinearError> {
        let mut factor = Self {
            rows: rows_in_order(whole, &dissection),
            fronts: vec![Front::default(); dissection.supernodes.len()],
            // Nothing is factorised yet.
            added: vec![f64::NAN; whole.len()],
            dissection,
        };
        factor.follow(d)?;
        Ok(factor)
    }

    /// How many unknowns there are.
    pub fn size(&self) -> usize {
        self.added.len()
    }

    /// When an unknown is eliminated.
    pub fn rank(&self, unknown: u32) -> u32 {
        self.dissection.ranks[unknown as usize]
    }

    /// The unknowns by rank.
    pub fn in_order(&self) -> &[u32] {
        &self.dissection.in_order
    }

    /// The ranks that are solved together.
    pub fn supernodes(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        self.dissection
            .supernodes
            .iter()
            .map(|supernode| supernode.own.clone())
    }

    /// Factorises anew for another D, as far as it differs. After an error the factor is good
    /// for nothing but to follow a D that has none.
    pub fn follow(&mut self, d: &[f64]) -> Result<(), LinearError> {
        let mut changed = Vec::new();
        for (rank, (&unknown, added)) in (0..).zip(self.dissection.in_order.iter().zip(&mut self.added)) {
            let new = d[unknown as usize];
            if *added != new {
                *added = new;
                changed.push(rank);
            }
        }
        let work = Work {
            rows: &self.rows,
            added: &self.added,
        };
        let done = work.branch(
            &self.dissection.supernodes,
            &mut self.fronts,
            &changed,
            &mut Vec::new(),
        );
        if done.is_err() {
            self.added.fill(f64::NAN);
        }
        done.map(|_| ())
    }
}

/// Entries by rank.
fn rows_in_order(whole: &[Vec<(u32, f64)>], dissection: &Dissection) -> Rows {
    let mut rows = Rows {
        starts: vec![0],
        values: Vec::new(),
        slots: Vec::new(),
    };
    for supernode in &dissection.supernodes {
        for rank in supernode.own.clone() {
            let entries = whole[dissection.in_order[rank] as usize].iter();
            let by_rank = entries.map(|&(to, value)| (dissection.ranks[to as usize], value));
            for (column, value) in by_rank.filter(|e| e.0 as usize >= rank) {
                rows.values.push(value);
                rows.slots.push(slot(supernode, column));
            }
            rows.starts.push(rows.values.len() as u32);
        }
    }
    rows
}

/// Where a rank from a supernode's first on lies in it.
fn slot(supernode: &Piece, rank: u32) -> u32 {
    match (rank as usize) < supernode.own.end {
        true => rank - supernode.own.start as u32,
        false => (supernode.own.len() + supernode.border.partition_point(|&b| b < rank)) as u32,
    }
}

struct Work<'a> {
    rows: &'a Rows,
    added: &'a [f64],
}

impl Work<'_> {
    /// Factorises what changed in a branch of the tree, and says whether anything else is
    /// passed on by it. `changed` are ranks of the branch, ascending; `room` is to work in.
    fn branch(
        &self,
        supernodes: &[Piece],
        fronts: &mut [Front],
        changed: &[u32],
        room: &mut Vec<f64>,
    ) -> Result<bool, LinearError> {
        let (Some((supernode, below)), Some((front, fronts_below))) =
            (supernodes.split_last(), fronts.split_last_mut())
        else {
            return Ok(false);
        };
        if changed.is_empty() {
            return Ok(false);
        }
        let (one, other) = below.split_at(supernode.below[0]);
        let (fronts_one, fronts_other) = fronts_below.split_at_mut(supernode.below[0]);
        let end = one.last().map_or(supernode.first, |p| p.own.end);
        let (changed_one, rest) = changed.split_at(changed.partition_point(|&r| (r as usize) < end));
        let (changed_other, own) =
            rest.split_at(rest.partition_point(|&r| (r as usize) < supernode.own.start));
        let (a, b) = match supernodes.len() >= ALONE && !changed_one.is_empty() && !changed_other.is_empty() {
            true => rayon::join(
                || self.branch(one, fronts_one, changed_one, room),
                || self.branch(other, fronts_other, changed_other, &mut Vec::new()),
            ),
            false => (
                self.branch(one, fronts_one, changed_one, room),
                self.branch(other, fronts_other, changed_other, room),
            ),
        };
        if !(a? | b? | !own.is_empty()) {
            return Ok(false);
        }
        self.supernode(supernode, front, [fronts_one.last(), fronts_other.last()], room)
    }

    /// Factorises a supernode, and says whether what it passes on is something else.
    fn supernode(
        &self,
        supernode: &Piece,
        front: &mut Front,
        branches: [Option<&Front>; 2],
        passed: &mut Vec<f64>,
    ) -> Result<bool, LinearError> {
        let (own, border) = (supernode.own.len(), supernode.border.len());
        let height = own + border;
        let size = self.added.len();
        let fits =
            fill_with_zeros(&mut front.panel, height * own) && fill_with_zeros(passed, border * border);
        if !fits {
            return Err(LinearError::TooLarge { size });
        }
        for (column, rank) in supernode.own.clone().enumerate() {
            let range = self.rows.range(rank);
            let target = &mut front.panel[column * height..][..height];
            let slots = self.rows.slots[range.clone()].iter();
            for (&slot, &value) in slots.zip(&self.rows.values[range]) {
                target[slot as usize] = value;
            }
            target[column] += self.added[rank];
        }
        for (branch, slots) in branches.into_iter().zip(&supernode.slots) {
            let Some(branch) = branch else { continue };
            for (column, &to) in slots.iter().enumerate() {
                let to = to as usize;
                let from = &branch.passed[column * slots.len()..][..slots.len()];
                let (target, shift) = match to < own {
                    true => (&mut front.panel[to * height..][..height], 0),
                    false => (&mut passed[(to - own) * border..][..border], own),
                };
                for (&slot, value) in slots[column..].iter().zip(&from[column..]) {
                    target[slot as usize - shift] += value;
                }
            }
        }
        if own > 0 {
            let panel = MatMut::from_column_major_slice_mut(&mut front.panel, height, own);
            let (mut top, mut bottom) = panel.split_at_row_mut(own);
            let need = cholesky_in_place_scratch::<f64>(own, Par::Seq, Default::default());
            let mut memory = MemBuffer::try_new(need).map_err(|_| LinearError::TooLarge { size })?;
            cholesky_in_place(
                top.rb_mut(),
                Default::default(),
                Par::Seq,
                MemStack::new(&mut memory),
                Default::default(),
            )
            .map_err(|_| LinearError::NotPositiveDefinite { size })?;
            solve_lower_triangular_in_place(top.rb(), bottom.rb_mut().transpose_mut(), Par::Seq);
            let bottom: MatRef<'_, f64> = bottom.rb();
            triangular::matmul(
                MatMut::from_column_major_slice_mut(passed, border, border),
                BlockStructure::TriangularLower,
                Accum::Add,
                bottom,
                BlockStructure::Rectangular,
                bottom.transpose(),
                BlockStructure::Rectangular,
                -1.0,
                Par::Seq,
            );
        }
        if self.passes_the_same(supernode, &front.passed, passed) {
            return Ok(false);
        }
        std::mem::swap(&mut front.passed, passed);
        Ok(true)
    }

    /// Whether two lower triangles differ by nothing that matters.
    fn passes_the_same(&self, supernode: &Piece, old: &[f64], new: &[f64]) -> bool {
        let border = supernode.border.len();
        if old.len() != new.len() {
            return false;
        }
        // For each row, from those columns that were looked at.
        let mut differences = vec![0.0; border];
        (0..border).all(|column| {
            let range = column * border + column..(column + 1) * border;
            let pairs = old[range.clone()].iter().zip(&new[range]);
            let mut in_column = 0.0;
            for (in_row, (old, new)) in differences[column..].iter_mut().zip(pairs) {
                let difference = (old - new).abs();
                *in_row += difference;
                in_column += difference;
            }
            let added = self.added[supernode.border[column] as usize];
            differences[column] + in_column <= SAME * added
        })
    }
}

/// Makes a list of so many zeros, if there is memory for it.
fn fill_with_zeros(list: &mut Vec<f64>, length: usize) -> bool {
    list.clear();
    let fits = list.try_reserve_exact(length).is_ok();
    if fits {
        list.resize(length, 0.0);
    }
    fits
}
