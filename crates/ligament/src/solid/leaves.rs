//! The solid as leaves of an octree: fine at the surface and along bones, coarse within.
//!
//! Dionne and de Lasa 2014, section 3.3. A cell is split as long as a triangle or a bone
//! touches it; a cell that is not split is inside if any of its eight parts is not exterior
//! (the paper's mip-map rule). One thing is added: a cell is also split next to a cell that
//! is two levels finer, so that neighbours differ by one level at most. Steps between
//! leaves then come in nine lengths, and no path takes a detour over the middle of a large
//! cell.
//!
//! No tree is kept: for each level there is a bit per cell that is a leaf and the number
//! of leaves before each word, so the leaf anywhere is found by counting bits. Leaves
//! of all levels are numbered by the position of their middles, along x first, then y, then
//! z, so that neighbours have near leaf_of_slot and a pass in order moves through space.

use glam::{DVec3, UVec3};
use rayon::prelude::*;

use super::bits::Bits;
use super::{Grid, Solid};

/// Cells of 16 voxels are not merged further: a solid has few of them.
const TOP_LEVEL: usize = 4;
/// The most voxels along an axis: cells are counted in 16 bits, and the finest grid that
/// can be asked for has 1024.
const MOST_COUNTS: u32 = 2048;

/// An edge to a neighbouring leaf: which leaf, one of nine lengths, and whether it leads
/// into the boundary.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Neighbour(u32);

impl Neighbour {
    /// Below the leaf's number: four bits for the length and one for the boundary.
    const LEAF_SHIFT: u32 = 5;

    fn new(leaf: u32, length: u32, boundary: bool) -> Self {
        Self(leaf << Self::LEAF_SHIFT | length << 1 | u32::from(boundary))
    }

    /// The leaf at the other end.
    pub fn leaf(self) -> usize {
        (self.0 >> Self::LEAF_SHIFT) as usize
    }

    /// What the step costs, as an index into [`Leaves::step_costs`].
    pub fn step(self) -> usize {
        (self.0 & ((1 << Self::LEAF_SHIFT) - 1)) as usize
    }
}

/// The leaves at one level.
#[derive(Debug, Clone)]
struct Level {
    bits: Bits,
    /// For each word of the bits, the number of the first leaf in it.
    first_of_word: Vec<u32>,
}

impl Level {
    fn new(bits: Bits, mut next: u32) -> (Self, u32) {
        let first_of_word = bits
            .words()
            .iter()
            .map(|w| {
                let first = next;
                next += w.count_ones();
                first
            })
            .collect();
        (Self { bits, first_of_word }, next)
    }

    fn slot_of(&self, x: i32, y: i32, z: i32) -> Option<u32> {
        if !self.bits.get_or_false(x, y, z) {
            return None;
        }
        let (word, bit) = self.bits.slot(x as u32, y as u32, z as u32);
        let before = self.bits.words()[word] & ((1u64 << bit) - 1);
        Some(self.first_of_word[word] + before.count_ones())
    }
}

/// The sparse voxels of a solid.
#[derive(Debug, Clone)]
pub struct Leaves {
    /// Where the finest voxels are.
    pub grid: Grid,
    levels: Vec<Level>,
    /// The index of each leaf, level by level and in the order of each level's bits.
    leaf_of_slot: Vec<u32>,
    /// For each leaf its cell in units of its level, and its level.
    cells: Vec<([u16; 3], u8)>,
    /// Whether each leaf is a boundary voxel.
    boundary: Vec<bool>,
    /// For each leaf where its neighbours begin and where those of higher number do.
    neighbour_starts: Vec<[u32; 2]>,
    neighbours: Vec<Neighbour>,
    diagonal: bool,
}

impl Leaves {
    /// The leaves of a solid. `bones` are voxels that stay fine; `sparse` false keeps every
    /// voxel fine; `diagonal` false leaves out neighbours across edges and corners.
    pub fn of(solid: &Solid, bones: &Bits, sparse: bool, diagonal: bool) -> Self {
        let mut levels = Vec::new();
        let mut inside = solid.voxels();
        let mut split = solid.boundary.combined(bones, |s, b| s | b).coarser();
        if !sparse {
            levels.push(Level::new(inside, 0).0);
        } else {
            // At the finest level the parts of split cells are leaves; above it, the parts
            // of split cells that are not split themselves.
            let (first, mut next) =
                Level::new(inside.combined(&split.finer(inside.counts()), |i, s| i & s), 0);
            levels.push(first);
            for level in 1..=TOP_LEVEL {
                inside = inside.coarser();
                let mut leaves = inside.combined(&split, |i, s| i & !s);
                if level < TOP_LEVEL {
                    let parents = split.dilated().coarser();
                    leaves.combine(&parents.finer(leaves.counts()), |l, p| l & p);
                    split = parents;
                }
                let (made, after) = Level::new(leaves, next);
                next = after;
                levels.push(made);
            }
        }
        Self::numbered(solid.grid, levels, &solid.boundary, diagonal)
    }

    /// Leaves put together again from what [`Leaves::level_bits`] and
    /// [`Leaves::boundary_voxels`] tell; `None` if that is no octree on this grid.
    pub fn from_levels(grid: Grid, bits: Vec<Bits>, boundary: &Bits, diagonal: bool) -> Option<Self> {
        let sound = grid.origin.is_finite()
            && grid.size.is_finite()
            && grid.size > 0.0
            && grid.counts.min_element() > 0
            && grid.counts.max_element() <= MOST_COUNTS
            && boundary.counts() == grid.counts
            && (1..=TOP_LEVEL + 1).contains(&bits.len());
        if !sound {
            return None;
        }
        // Which cells hold a leaf of this level or a finer one: no leaf lies in another.
        let mut taken = Bits::new(grid.counts);
        let mut leaves = 0;
        let mut levels = Vec::new();
        for (index, bits) in bits.into_iter().enumerate() {
            if index > 0 {
                taken = taken.coarser();
            }
            if bits.counts() != taken.counts() || bits.combined(&taken, |b, t| b & t).count() > 0 {
                return None;
            }
            taken.combine(&bits, |t, b| t | b);
            leaves += bits.count();
            if leaves >= 1 << (u32::BITS - Neighbour::LEAF_SHIFT) {
                return None;
            }
            let first = (leaves - bits.count()) as u32;
            levels.push(Level::new(bits, first).0);
        }
        Some(Self::numbered(grid, levels, boundary, diagonal))
    }

    fn numbered(grid: Grid, levels: Vec<Level>, boundary: &Bits, diagonal: bool) -> Self {
        let mut leaves = Self {
            grid,
            levels,
            leaf_of_slot: Vec::new(),
            cells: Vec::new(),
            boundary: Vec::new(),
            neighbour_starts: Vec::new(),
            neighbours: Vec::new(),
            diagonal,
        };
        leaves.list_cells(boundary);
        leaves.list_neighbours();
        leaves
    }

    fn list_cells(&mut self, boundary: &Bits) {
        // Twice the middle in voxels is whole; cells of different levels never share it.
        let mut order: Vec<(u64, u32, [u16; 3], u8)> = Vec::new();
        for (level, made) in self.levels.iter().enumerate() {
            for cell in made.bits.ones() {
                let middle = (2 * cell + 1) << level as u32;
                let key = u64::from(middle.z) << 40 | u64::from(middle.y) << 20 | u64::from(middle.x);
                let cell = [cell.x as u16, cell.y as u16, cell.z as u16];
                order.push((key, order.len() as u32, cell, level as u8));
            }
        }
        order.par_sort_unstable_by_key(|o| o.0);
        self.leaf_of_slot = vec![0; order.len()];
        for (index, &(_, slot, ..)) in order.iter().enumerate() {
            self.leaf_of_slot[slot as usize] = index as u32;
        }
        self.cells = order.iter().map(|&(_, _, cell, level)| (cell, level)).collect();
        self.boundary = self
            .cells
            .iter()
            .map(|&([x, y, z], level)| level == 0 && boundary.get(UVec3::new(x.into(), y.into(), z.into())))
            .collect();
    }

    fn list_neighbours(&mut self) {
        /// Leaves handled at once.
        const CHUNK: usize = 4096;
        let lists: Vec<(Vec<[u32; 2]>, Vec<Neighbour>)> = self
            .cells
            .par_chunks(CHUNK)
            .enumerate()
            .map(|(chunk, cells)| {
                let (mut ends, mut found) = (Vec::with_capacity(CHUNK), Vec::with_capacity(26 * CHUNK));
                for (i, &(cell, level)) in cells.iter().enumerate() {
                    let before = found.len();
                    self.find_neighbours(level.into(), cell.map(i32::from), &mut found);
                    let own = &mut found[before..];
                    own.sort_unstable_by_key(|n| n.0);
                    let lower = own.partition_point(|n| n.leaf() < chunk * CHUNK + i);
                    ends.push([(before + lower) as u32, found.len() as u32]);
                }
                (ends, found)
            })
            .collect();
        self.neighbour_starts = Vec::with_capacity(self.cells.len() + 1);
        self.neighbours = Vec::with_capacity(lists.iter().map(|l| l.1.len()).sum());
        for (ends, found) in lists {
            let base = self.neighbours.len() as u32;
            let mut start = base;
            for [higher, end] in ends {
                self.neighbour_starts.push([start, base + higher]);
                start = base + end;
            }
            self.neighbours.extend(found);
        }
        let end = self.neighbours.len() as u32;
        self.neighbour_starts.push([end, end]);
    }

    /// The leaves that touch a leaf.
    fn find_neighbours(&self, level: usize, [x, y, z]: [i32; 3], found: &mut Vec<Neighbour>) {
        let own = &self.levels[level];
        for dz in -1..=1 {
            for dy in -1..=1 {
                for dx in -1..=1i32 {
                    let crossed = (dx != 0) as u32 + (dy != 0) as u32 + (dz != 0) as u32;
                    if crossed == 0 || crossed > 1 && !self.diagonal {
                        continue;
                    }
                    let (nx, ny, nz) = (x + dx, y + dy, z + dz);
                    if let Some(slot) = own.slot_of(nx, ny, nz) {
                        found.push(self.edge(slot, crossed - 1));
                        continue;
                    }
                    // A coarser leaf is met from several sides; take it from one.
                    let once = |c: i32, d: i32| d == 0 || (c + d) >> 1 != c >> 1;
                    if let Some(coarse) = self.levels.get(level + 1)
                        && once(x, dx)
                        && once(y, dy)
                        && once(z, dz)
                        && let Some(slot) = coarse.slot_of(nx >> 1, ny >> 1, nz >> 1)
                    {
                        found.push(self.edge(slot, 3 + crossed - 1));
                        continue;
                    }
                    if level == 0 {
                        continue;
                    }
                    // The parts of the neighbouring cell on the side towards this one.
                    let near = |c: i32, d: i32| match d {
                        1 => 2 * c..=2 * c,
                        -1 => 2 * c + 1..=2 * c + 1,
                        _ => 2 * c..=2 * c + 1,
                    };
                    for fz in near(nz, dz) {
                        for fy in near(ny, dy) {
                            for fx in near(nx, dx) {
                                if let Some(slot) = self.levels[level - 1].slot_of(fx, fy, fz) {
                                    found.push(self.edge(slot, 6 + crossed - 1));
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    /// How many leaves there are.
    pub fn len(&self) -> usize {
        self.cells.len()
    }

    /// Whether there is no leaf.
    pub fn is_empty(&self) -> bool {
        self.cells.is_empty()
    }

    /// How many levels have been made, the finest included.
    pub fn level_count(&self) -> usize {
        self.levels.len()
    }

    /// The leaves of each level as cells of that level, the finest first.
    pub fn level_bits(&self) -> impl Iterator<Item = &Bits> {
        self.levels.iter().map(|l| &l.bits)
    }

    /// The leaves that a triangle touches, as voxels.
    pub fn boundary_voxels(&self) -> Bits {
        let mut voxels = Bits::new(self.grid.counts);
        for leaf in (0..self.len()).filter(|&l| self.boundary[l]) {
            voxels.set(self.cell(leaf), true);
        }
        voxels
    }

    /// Whether leaves that share an edge or a corner only are neighbours too.
    pub fn diagonal(&self) -> bool {
        self.diagonal
    }

    /// The level of a leaf, the finest being 0.
    pub fn level(&self, leaf: usize) -> usize {
        self.cells[leaf].1.into()
    }

    /// Whether a triangle touches the leaf.
    pub fn is_boundary(&self, leaf: usize) -> bool {
        self.boundary[leaf]
    }

    /// The cell of a leaf in units of its level.
    pub fn cell(&self, leaf: usize) -> UVec3 {
        let ([x, y, z], _) = self.cells[leaf];
        UVec3::new(x.into(), y.into(), z.into())
    }

    /// The middle of a leaf.
    pub fn centre(&self, leaf: usize) -> DVec3 {
        let size = f64::from(1u32 << self.level(leaf));
        self.grid
            .bind_from_grid((self.cell(leaf).as_dvec3() + 0.5) * size)
    }

    /// The leaf that holds a voxel, if one does.
    pub fn leaf_of_voxel(&self, x: i32, y: i32, z: i32) -> Option<usize> {
        self.levels
            .iter()
            .enumerate()
            .find_map(|(level, l)| l.slot_of(x >> level, y >> level, z >> level))
            .map(|slot| self.leaf_of_slot[slot as usize] as usize)
    }

    /// The neighbours of a leaf, in ascending order.
    pub fn neighbours(&self, leaf: usize) -> &[Neighbour] {
        &self.neighbours[self.neighbour_starts[leaf][0] as usize..self.neighbour_starts[leaf + 1][0] as usize]
    }

    /// The neighbours of lower and those of higher number.
    pub fn lower_and_higher(&self, leaf: usize) -> (&[Neighbour], &[Neighbour]) {
        let [start, higher] = self.neighbour_starts[leaf];
        self.neighbours(leaf).split_at((higher - start) as usize)
    }

    /// How many edges there are, both directions counted.
    pub fn edge_count(&self) -> usize {
        self.neighbours.len()
    }

    fn edge(&self, slot: u32, length: u32) -> Neighbour {
        let leaf = self.leaf_of_slot[slot as usize];
        Neighbour::new(leaf, length, self.boundary[leaf as usize])
    }

    /// What a step from a leaf of some level costs, in voxels, for each value of
    /// [`Neighbour::step`]: the distance between the middles, times `penalty` when the step
    /// enters the boundary (Dionne and de Lasa 2014, equation 3).
    pub fn step_costs(level: usize, penalty: f64) -> [f64; 1 << Neighbour::LEAF_SHIFT] {
        let size = f64::from(1u32 << level);
        std::array::from_fn(|step| {
            let crossed = (step / 2 % 3 + 1) as f64;
            // To a leaf of another level the middles are one and a half (finer) sizes apart
            // along the axes that are crossed, and half a size along the others.
            let across = (2.25 * crossed + 0.25 * (3.0 - crossed)).sqrt();
            let length = match step / 6 {
                0 => size * crossed.sqrt(),
                1 => size * across,
                _ => size / 2.0 * across,
            };
            if step % 2 == 1 { penalty * length } else { length }
        })
    }

    /// The bytes that the leaves and their edges take.
    pub fn memory(&self) -> usize {
        self.cells.len() * 13
            + self.neighbour_starts.len() * 8
            + self.neighbours.len() * 4
            + self
                .levels
                .iter()
                .map(|l| l.bits.words().len() * 12)
                .sum::<usize>()
    }
}
