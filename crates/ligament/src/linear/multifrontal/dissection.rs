//! Nested dissection: an order of elimination that is a tree.
//!
//! The unknowns of a surface are cut in two; those along the cut, the separator, are
//! eliminated last, and each half is cut again (George 1973). What changes in one part of
//! the surface then concerns its supernode of the tree and the separators above, no others. Cuts
//! are made across an axis or where so many steps from an end lead to, whatever is
//! shortest: limbs come off whole.

use std::ops::Range;

use glam::DVec3;

/// Pieces of at most so many unknowns are not cut.
const LEAF: usize = 28;
/// Each side of a cut has at least this share.
const LEAST_SIDE: f64 = 0.15;

/// Unknowns that are eliminated together: a separator, or what is left at the end.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Piece {
    /// The unknowns, by rank.
    pub own: Range<usize>,
    /// The first rank of those below, down to the leaves; `own` begins after the last of them.
    pub first: usize,
    /// The later unknowns that it is connected to, by itself or through supernodes below it:
    /// ranks ascending.
    pub border: Vec<u32>,
    /// How many supernodes the two branches below have. In the list of all supernodes they come
    /// before this one, branch by branch.
    pub below: [usize; 2],
    /// Where the border of each branch's last supernode lies in this one: its own unknowns
    /// first, then its border.
    pub slots: [Vec<u32>; 2],
}

/// An order of elimination and its tree.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Dissection {
    /// The unknowns by rank.
    pub in_order: Vec<u32>,
    /// For each unknown its rank.
    pub ranks: Vec<u32>,
    /// All supernodes, those below others before them.
    pub supernodes: Vec<Piece>,
}

impl Dissection {
    /// Dissects unknowns that lie at `points` and are connected to others as `around` tells.
    pub fn of<N: Iterator<Item = u32>>(points: &[DVec3], around: impl Fn(u32) -> N) -> Self {
        let mut whole = Part {
            unknowns: (0..points.len() as u32).collect(),
            points: points.to_vec(),
            starts: vec![0],
            around: Vec::new(),
        };
        for unknown in 0..points.len() as u32 {
            whole.around.extend(around(unknown).filter(|&to| to != unknown));
            whole.starts.push(whole.around.len() as u32);
        }
        let mut made = Self::default();
        if !points.is_empty() {
            let cut = whole.cut();
            made.supernodes = cut.supernodes;
            made.in_order = cut.unknowns;
        }
        made.ranks = vec![0; points.len()];
        for (rank, &unknown) in (0..).zip(&made.in_order) {
            made.ranks[unknown as usize] = rank;
        }
        made.find_borders(around);
        made
    }

    fn find_borders<N: Iterator<Item = u32>>(&mut self, around: impl Fn(u32) -> N) {
        for index in 0..self.supernodes.len() {
            let (before, rest) = self.supernodes.split_at_mut(index);
            let Some(supernode) = rest.first_mut() else {
                continue;
            };
            let mut border: Vec<u32> = Vec::new();
            for &unknown in &self.in_order[supernode.own.clone()] {
                border.extend(around(unknown).map(|to| self.ranks[to as usize]));
            }
            let branches = branches(index, supernode.below);
            for branch in branches.iter().flatten() {
                border.extend_from_slice(&before[*branch].border);
            }
            border.retain(|&rank| rank as usize >= supernode.own.end);
            border.sort_unstable();
            border.dedup();
            let slot = |rank: &u32| match supernode.own.contains(&(*rank as usize)) {
                true => *rank - supernode.own.start as u32,
                false => (supernode.own.len() + border.partition_point(|b| b < rank)) as u32,
            };
            for (slots, branch) in supernode.slots.iter_mut().zip(branches) {
                if let Some(branch) = branch {
                    *slots = before[branch].border.iter().map(slot).collect();
                }
            }
            supernode.border = border;
        }
    }
}

/// The numbers of the last supernodes of the branches below a supernode.
fn branches(index: usize, below: [usize; 2]) -> [Option<usize>; 2] {
    let last = |end: usize, count: usize| (count > 0).then(|| end - 1);
    [last(index - below[1], below[0]), last(index, below[1])]
}

/// Some unknowns and what connects them to each other.
struct Part {
    /// Their numbers in the whole, ascending.
    unknowns: Vec<u32>,
    points: Vec<DVec3>,
    /// Where the neighbours of each begin in `around`; one more at the end.
    starts: Vec<u32>,
    /// Numbers in this part.
    around: Vec<u32>,
}

/// Pieces and unknowns in the order of elimination, both counted from zero.
#[derive(Default)]
struct Cut {
    unknowns: Vec<u32>,
    supernodes: Vec<Piece>,
}

impl Part {
    fn neighbours(&self, unknown: usize) -> &[u32] {
        &self.around[self.starts[unknown] as usize..self.starts[unknown + 1] as usize]
    }

    /// Puts the unknowns in order: both sides of a cut, then the separator.
    fn cut(self) -> Cut {
        if self.unknowns.len() <= LEAF {
            let own = 0..self.unknowns.len();
            let supernode = Piece {
                own,
                first: 0,
                border: Vec::new(),
                below: [0, 0],
                slots: Default::default(),
            };
            return Cut {
                unknowns: self.unknowns,
                supernodes: vec![supernode],
            };
        }
        let side_of = self.divided();
        let separator: Vec<u32> = (self.unknowns.iter().zip(&side_of))
            .filter(|(_, side)| **side == Side::Between)
            .map(|(unknown, _)| *unknown)
            .collect();
        let half = |side: Side| {
            let part = self.restricted(|unknown| side_of[unknown] == side);
            if part.unknowns.is_empty() {
                Cut::default()
            } else {
                part.cut()
            }
        };
        let (mut one, other) = rayon::join(|| half(Side::First), || half(Side::Second));
        let below = [one.supernodes.len(), other.supernodes.len()];
        let shift = one.unknowns.len();
        one.supernodes
            .extend(other.supernodes.into_iter().map(|mut supernode| {
                supernode.own = supernode.own.start + shift..supernode.own.end + shift;
                supernode.first += shift;
                supernode
            }));
        one.unknowns.extend(other.unknowns);
        let start = one.unknowns.len();
        one.unknowns.extend(separator);
        one.supernodes.push(Piece {
            own: start..one.unknowns.len(),
            first: 0,
            border: Vec::new(),
            below,
            slots: Default::default(),
        });
        one
    }

    /// The part that has only the unknowns that `kept` wants.
    fn restricted(&self, kept: impl Fn(usize) -> bool) -> Self {
        let mut new_number = vec![u32::MAX; self.unknowns.len()];
        let mut part = Self {
            unknowns: Vec::new(),
            points: Vec::new(),
            starts: vec![0],
            around: Vec::new(),
        };
        for unknown in (0..self.unknowns.len()).filter(|&u| kept(u)) {
            new_number[unknown] = part.unknowns.len() as u32;
            part.unknowns.push(self.unknowns[unknown]);
            part.points.push(self.points[unknown]);
        }
        for unknown in (0..self.unknowns.len()).filter(|&u| new_number[u] != u32::MAX) {
            let around = self.neighbours(unknown).iter().map(|&to| new_number[to as usize]);
            part.around.extend(around.filter(|&to| to != u32::MAX));
            part.starts.push(part.around.len() as u32);
        }
        part
    }

    /// On which side of the best cut each unknown is.
    fn divided(&self) -> Vec<Side> {
        let mut best: Option<(f64, usize, Vec<u32>)> = None;
        let mut consider = |order: Vec<u32>| {
            if let Some((cost, slot)) = self.best_cut(&order)
                && best.as_ref().is_none_or(|b| cost < b.0)
            {
                best = Some((cost, slot, order));
            }
        };
        consider(self.by_steps());
        for axis in 0..3 {
            let mut order: Vec<u32> = (0..self.unknowns.len() as u32).collect();
            let along = |u: &u32| self.points[*u as usize][axis];
            order.sort_unstable_by(|a, b| along(a).total_cmp(&along(b)).then(a.cmp(b)));
            consider(order);
        }
        let (_, slot, order) = best.unwrap_or_default();
        let mut side_of = vec![Side::Second; self.unknowns.len()];
        for &unknown in &order[..slot] {
            side_of[unknown as usize] = Side::First;
        }
        for &unknown in &order[..slot] {
            let mut around = self.neighbours(unknown as usize).iter();
            if around.any(|&to| side_of[to as usize] == Side::Second) {
                side_of[unknown as usize] = Side::Between;
            }
        }
        side_of
    }

    /// After how many unknowns of an order to cut, and what that costs.
    fn best_cut(&self, order: &[u32]) -> Option<(f64, usize)> {
        let count = order.len();
        let mut index_of = vec![0u32; count];
        for (slot, &unknown) in (0..).zip(order) {
            index_of[unknown as usize] = slot;
        }
        // An unknown is in the separator of all cuts between itself and its last neighbour.
        let mut growth = vec![0i32; count + 1];
        for (slot, &unknown) in order.iter().enumerate() {
            let around = self.neighbours(unknown as usize).iter();
            let last = around
                .map(|&to| index_of[to as usize] as usize)
                .max()
                .unwrap_or(0);
            if last > slot {
                growth[slot + 1] += 1;
                growth[last + 1] -= 1;
            }
        }
        let least = (LEAST_SIDE * count as f64) as usize;
        let mut size = 0;
        let mut best: Option<(f64, usize)> = None;
        for slot in 0..count {
            size += growth[slot];
            if slot < least.max(1) || slot > count - least {
                continue;
            }
            // A little more for halves that are less even.
            let smaller = slot.min(count - slot) as f64 / count as f64;
            let cost = (f64::from(size) + 1.0) / smaller.sqrt().sqrt();
            if best.is_none_or(|b| cost < b.0) {
                best = Some((cost, slot));
            }
        }
        best
    }

    /// The unknowns by the number of steps from one that is far from others.
    fn by_steps(&self) -> Vec<u32> {
        let end = self.by_steps_from(0).last().copied().unwrap_or(0);
        self.by_steps_from(end)
    }

    /// Those that cannot be reached come after the others, in the same way.
    fn by_steps_from(&self, first: u32) -> Vec<u32> {
        let count = self.unknowns.len();
        let mut seen = vec![false; count];
        let mut order: Vec<u32> = Vec::with_capacity(count);
        let mut next = 0;
        for start in std::iter::once(first).chain(0..count as u32) {
            if std::mem::replace(&mut seen[start as usize], true) {
                continue;
            }
            order.push(start);
            while let Some(&unknown) = order.get(next) {
                next += 1;
                for &to in self.neighbours(unknown as usize) {
                    if !std::mem::replace(&mut seen[to as usize], true) {
                        order.push(to);
                    }
                }
            }
        }
        order
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Side {
    First,
    Second,
    Between,
}
