//! Every leaf's distance to every bone, many bones at once.
//!
//! Bones are taken in groups of [`LANES`]; a leaf has a row of as many 16-bit distances,
//! and one step to a neighbour relaxes the whole row with a few vector instructions.
//! Leaves whose row changed hand it on: going up through the leaves, to the neighbours
//! that come later, going down to those that came before, in turn, until nothing changes.
//! Whatever the order, that ends at the one solution of the shortest-path equations, so
//! groups can run side by side.

use rayon::prelude::*;

use super::{Metric, Sources};
use crate::solid::Leaves;
use crate::task::{Cancelled, Task};

/// Bones in a group. A row of 16-bit distances is then half a cache line.
pub const LANES: usize = 16;
/// Visits between two looks at the cancel flag: about ten milliseconds.
const VISITS_PER_STEP: usize = 1 << 17;

type Row = [u16; LANES];

/// Distances of all leaves to all bones.
#[derive(Debug, Clone, PartialEq)]
pub struct Distances {
    /// How steps were counted.
    pub metric: Metric,
    bones: usize,
    /// For each group of bones the rows of all leaves.
    groups: Vec<Vec<Row>>,
}

impl Distances {
    /// Distances put together again from [`Distances::groups`]; `None` if the groups are not
    /// those of so many bones or differ in length.
    pub fn from_groups(metric: Metric, bones: usize, groups: Vec<Vec<[u16; LANES]>>) -> Option<Self> {
        let leaves = groups.first().map_or(0, Vec::len);
        let fits = metric.is_sound()
            && groups.len() == bones.div_ceil(LANES)
            && groups.iter().all(|g| g.len() == leaves);
        fits.then_some(Self {
            metric,
            bones,
            groups,
        })
    }

    /// For each group of [`LANES`] bones the rows of all leaves, in units; `u16::MAX` where
    /// no path leads.
    pub fn groups(&self) -> &[Vec<[u16; LANES]>] {
        &self.groups
    }

    /// The number of bones.
    pub fn bones(&self) -> usize {
        self.bones
    }

    /// The number of leaves.
    pub fn leaves(&self) -> usize {
        self.groups.first().map_or(0, Vec::len)
    }

    /// The distance of a leaf to a bone in voxels; infinite where no path leads.
    pub fn voxels(&self, leaf: usize, bone: usize) -> f64 {
        match self.groups[bone / LANES][leaf][bone % LANES] {
            u16::MAX => f64::INFINITY,
            units => f64::from(units) / self.metric.units_per_voxel,
        }
    }

    /// The rows of a leaf, group after group, in units; `u16::MAX` where no path leads.
    pub fn rows(&self, leaf: usize) -> impl Iterator<Item = &Row> + '_ {
        self.groups.iter().map(move |rows| &rows[leaf])
    }

    /// The bytes that the rows take.
    pub fn memory(&self) -> usize {
        self.groups.iter().map(|g| g.len() * size_of::<Row>()).sum()
    }
}

/// Distances of all leaves to all bones. A step into the boundary costs `penalty` times
/// its length.
pub fn all_distances(
    leaves: &Leaves,
    sources: &Sources,
    penalty: f64,
    task: &Task<'_>,
) -> Result<Distances, Cancelled> {
    let metric = Metric::fitting(leaves, penalty, u32::from(u16::MAX) - 1);
    let costs: Vec<[u16; 32]> = metric
        .costs(leaves)
        .iter()
        .map(|level| level.map(|c| c.min(u16::MAX.into()) as u16))
        .collect();
    let starts = sources.leaves(leaves);
    let groups = starts
        .par_chunks(LANES)
        .map(|starts| {
            pulp::Arch::new().dispatch(Group {
                leaves,
                starts,
                metric: &metric,
                costs: &costs,
                task,
            })
        })
        .collect::<Result<_, _>>()?;
    Ok(Distances {
        metric,
        bones: starts.len(),
        groups,
    })
}

/// A group of bones and what their distances are found from.
struct Group<'a> {
    leaves: &'a Leaves,
    /// For each bone the leaves that it starts from and how far they are from it, in voxels.
    starts: &'a [Vec<(usize, f64)>],
    metric: &'a Metric,
    costs: &'a [[u16; 32]],
    task: &'a Task<'a>,
}

/// Compiled for wide vectors too, of which one holds a row.
impl pulp::WithSimd for Group<'_> {
    type Output = Result<Vec<Row>, Cancelled>;

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) -> Self::Output {
        self.distances()
    }
}

impl Group<'_> {
    #[inline(always)]
    fn distances(&self) -> Result<Vec<Row>, Cancelled> {
        let Self {
            leaves,
            starts,
            metric,
            costs,
            task,
        } = *self;
        let mut rows = vec![[u16::MAX; LANES]; leaves.len()];
        // Leaves that have news for later neighbours, and for earlier ones.
        let mut up = vec![0u64; leaves.len().div_ceil(64)];
        let mut down = up.clone();
        for (lane, bone) in starts.iter().enumerate() {
            for &(leaf, distance) in bone {
                let units = metric.units(distance).min(u32::from(u16::MAX) - 1) as u16;
                rows[leaf][lane] = rows[leaf][lane].min(units);
                up[leaf / 64] |= 1 << (leaf % 64);
                down[leaf / 64] |= 1 << (leaf % 64);
            }
        }
        let mut visits = 0usize;
        let mut watch = || {
            visits += 1;
            if visits.is_multiple_of(VISITS_PER_STEP) {
                task.step("distances", 0.5)
            } else {
                Ok(())
            }
        };
        task.step("distances", 0.0)?;
        loop {
            let mut any = false;
            for word in 0..up.len() {
                while up[word] != 0 {
                    any = true;
                    // Neighbours that this one changes come later, so nothing is passed over.
                    let bit = up[word].trailing_zeros();
                    up[word] &= up[word] - 1;
                    let leaf = word * 64 + bit as usize;
                    let (_, higher) = leaves.lower_and_higher(leaf);
                    hand_on(
                        leaf,
                        higher,
                        &costs[leaves.level(leaf)],
                        &mut rows,
                        &mut up,
                        &mut down,
                    );
                    watch()?;
                }
            }
            for word in (0..down.len()).rev() {
                while down[word] != 0 {
                    any = true;
                    let bit = 63 - down[word].leading_zeros();
                    down[word] &= !(1 << bit);
                    let leaf = word * 64 + bit as usize;
                    let (lower, _) = leaves.lower_and_higher(leaf);
                    hand_on(
                        leaf,
                        lower,
                        &costs[leaves.level(leaf)],
                        &mut rows,
                        &mut up,
                        &mut down,
                    );
                    watch()?;
                }
            }
            if !any {
                return Ok(rows);
            }
        }
    }
}

/// Relaxes the rows of some neighbours of a leaf and notes whose became shorter.
#[inline(always)]
fn hand_on(
    leaf: usize,
    neighbours: &[crate::solid::Neighbour],
    costs: &[u16; 32],
    rows: &mut [Row],
    up: &mut [u64],
    down: &mut [u64],
) {
    let from = rows[leaf];
    for neighbour in neighbours {
        let cost = costs[neighbour.step()];
        let to = &mut rows[neighbour.leaf()];
        let mut shorter = 0;
        for lane in 0..LANES {
            let path = from[lane].saturating_add(cost).min(to[lane]);
            shorter |= path ^ to[lane];
            to[lane] = path;
        }
        if shorter != 0 {
            let bit = 1 << (neighbour.leaf() % 64);
            up[neighbour.leaf() / 64] |= bit;
            down[neighbour.leaf() / 64] |= bit;
        }
    }
}
