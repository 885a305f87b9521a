//! Every leaf's nearest few bones, by one search for all bones.
//!
//! Dijkstra's algorithm from the sources of all bones at once, a leaf being settled once
//! for each of its `k` nearest bones and closed to others after that. A bone that is not
//! among the `k` nearest of a leaf is among those of no leaf that it would reach through
//! it, so what is found is exact; ties go to the bone of the lower number. The cost grows
//! with `k` and not with the number of bones.
//!
//! The queue is a ring of buckets as wide as the shortest step: nothing that a bucket's
//! entries lead to falls into the same bucket, so each is settled in the order of
//! (distance, bone) and the search is exact without a heap.

use super::{Metric, Sources};
use crate::solid::Leaves;
use crate::task::{Cancelled, Task};

/// Buckets handled between two looks at the cancel flag.
const BUCKETS_PER_STEP: u32 = 16;

/// The nearest bones of all leaves.
#[derive(Debug, Clone, PartialEq)]
pub struct Nearest {
    /// How steps were counted.
    pub metric: Metric,
    /// How many bones each leaf has room for.
    pub k: usize,
    /// For each leaf `k` pairs of distance in units and bone, nearest first; the bone is
    /// `u32::MAX` where fewer can be reached.
    entries: Vec<(u32, u32)>,
}

impl Nearest {
    /// The nearest bones of a leaf and their distances in voxels.
    pub fn of_leaf(&self, leaf: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.entries[leaf * self.k..(leaf + 1) * self.k]
            .iter()
            .take_while(|e| e.1 != u32::MAX)
            .map(|&(units, bone)| (bone as usize, f64::from(units) / self.metric.units_per_voxel))
    }

    /// The bytes that the entries take.
    pub fn memory(&self) -> usize {
        self.entries.len() * size_of::<(u32, u32)>()
    }
}

#[derive(Clone, Copy)]
struct Entry {
    units: u32,
    leaf: u32,
    bone: u32,
}

/// The `k` nearest bones of every leaf. A step into the boundary costs `penalty` times its
/// length.
pub fn nearest_distances(
    leaves: &Leaves,
    sources: &Sources,
    k: usize,
    penalty: f64,
    task: &Task<'_>,
) -> Result<Nearest, Cancelled> {
    const STAGE: &str = "distances";
    let k = k.min(sources.of_bone.len()).max(1);
    // Room for any way through the solid.
    let metric = Metric::fitting(leaves, penalty, 1 << 30);
    let costs = metric.costs(leaves);
    let width = costs.iter().flatten().copied().min().unwrap_or(1).max(1);
    let longest = costs.iter().flatten().copied().max().unwrap_or(1);
    let mut buckets: Vec<Vec<Entry>> = vec![Vec::new(); (longest / width + 2) as usize];

    let none = (u32::MAX, u32::MAX);
    let mut entries = vec![none; leaves.len() * k];
    let mut settled = vec![0u8; leaves.len()];
    let mut waiting: Vec<Entry> = Vec::new();
    for (bone, starts) in sources.leaves(leaves).iter().enumerate() {
        for &(leaf, distance) in starts {
            waiting.push(Entry {
                units: metric.units(distance),
                leaf: leaf as u32,
                bone: bone as u32,
            });
        }
    }
    // The sources lie within a voxel or two of their bones, but keep the ring's promise
    // whatever they are: they enter when their bucket is near.
    waiting.sort_unstable_by_key(|e| std::cmp::Reverse((e.units, e.bone, e.leaf)));
    let total = (leaves.len() * k) as f32;
    let (mut done, mut queued, mut now) = (0usize, 0usize, 0u32);
    let ring = buckets.len() as u32;
    while queued > 0 || !waiting.is_empty() {
        if now % BUCKETS_PER_STEP == 0 {
            task.step(STAGE, (done as f32 / total).min(1.0))?;
        }
        while waiting.last().is_some_and(|e| e.units / width <= now) {
            if let Some(entry) = waiting.pop() {
                buckets[(entry.units / width % ring) as usize].push(entry);
                queued += 1;
            }
        }
        let mut bucket = std::mem::take(&mut buckets[(now % ring) as usize]);
        queued -= bucket.len();
        bucket.sort_unstable_by_key(|e| (e.units, e.bone, e.leaf));
        for entry in &bucket {
            let leaf = entry.leaf as usize;
            let count = usize::from(settled[leaf]);
            let own = &mut entries[leaf * k..(leaf + 1) * k];
            if count == k || own[..count].iter().any(|e| e.1 == entry.bone) {
                continue;
            }
            own[count] = (entry.units, entry.bone);
            settled[leaf] += 1;
            done += 1;
            let costs = &costs[leaves.level(leaf)];
            for neighbour in leaves.neighbours(leaf) {
                let to = neighbour.leaf();
                let count = usize::from(settled[to]);
                if count == k || entries[to * k..to * k + count].iter().any(|e| e.1 == entry.bone) {
                    continue;
                }
                let units = entry.units + costs[neighbour.step()];
                buckets[(units / width % ring) as usize].push(Entry {
                    units,
                    leaf: to as u32,
                    bone: entry.bone,
                });
                queued += 1;
            }
        }
        bucket.clear();
        buckets[(now % ring) as usize] = bucket;
        now += 1;
    }
    Ok(Nearest { metric, k, entries })
}
