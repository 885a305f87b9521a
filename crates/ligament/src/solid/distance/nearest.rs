//! Every leaf's nearest few bones, by one search for all bones.
//!
//! Dijkstra's algorithm from the sources of all bones at once. A leaf keeps its `k` best
//! (distance, bone) so far; what is no better than its last is dropped at once, so a bone
//! spreads only where it is among the `k` nearest. A bone that is not among the `k` nearest
//! of a leaf is among those of no leaf that it would reach through it, so what is found is
//! exact; ties go to the bone of the lower number. The cost grows with `k` and not with
//! the number of bones.
//!
//! The queue is a ring of buckets as wide as the shortest step. Within a bucket the order
//! does not matter: the lists are the same in the end, whoever comes first.

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
    bones: usize,
    layout: Layout,
    /// For each leaf `k` keys, nearest first; [`FREE`] where fewer can be reached.
    keys: Vec<Key>,
}

/// A distance in units above a bone's number: the order of keys is that of (distance, bone).
/// Half the size of two numbers, and the search is bound by memory.
type Key = u32;
/// Room for a key.
const FREE: Key = Key::MAX;

/// How a key is divided: as many bits for the bone as there are bones.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Layout {
    bone_bits: u32,
}

impl Layout {
    fn for_bones(bones: usize) -> Self {
        Self {
            // One value stays free: no key of a bone equals FREE.
            bone_bits: usize::BITS - bones.leading_zeros(),
        }
    }

    fn key(self, units: u32, bone: usize) -> Key {
        units << self.bone_bits | bone as u32
    }

    fn bone(self, key: Key) -> usize {
        (key & ((1 << self.bone_bits) - 1)) as usize
    }

    fn units(self, key: Key) -> u32 {
        key >> self.bone_bits
    }

    fn largest_units(self) -> u32 {
        FREE >> self.bone_bits
    }
}

impl Nearest {
    /// The number of bones.
    pub fn bones(&self) -> usize {
        self.bones
    }

    /// The number of leaves.
    pub fn leaves(&self) -> usize {
        self.keys.len() / self.k
    }

    /// The nearest bones of a leaf and their distances in voxels.
    pub fn of_leaf(&self, leaf: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.keys[leaf * self.k..(leaf + 1) * self.k]
            .iter()
            .take_while(|&&key| key != FREE)
            .map(|&key| {
                (
                    self.layout.bone(key),
                    f64::from(self.layout.units(key)) / self.metric.units_per_voxel,
                )
            })
    }

    /// The bytes that the lists take.
    pub fn memory(&self) -> usize {
        self.keys.len() * size_of::<Key>()
    }
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
    let layout = Layout::for_bones(sources.of_bone.len());
    let metric = Metric::fitting(leaves, penalty, layout.largest_units());
    let costs = metric.costs(leaves);
    let width = costs.iter().flatten().copied().min().unwrap_or(1).max(1);
    let longest = costs.iter().flatten().copied().max().unwrap_or(1);
    let ring = longest / width + 2;
    let mut buckets: Vec<Vec<(u32, Key)>> = vec![Vec::new(); ring as usize];
    let bucket_of = |key: Key| layout.units(key) / width;

    let mut keys = vec![FREE; leaves.len() * k];
    // Sources enter when their bucket is near, so that the ring holds what it can.
    let mut waiting: Vec<(Key, u32)> = Vec::new();
    for (bone, starts) in sources.leaves(leaves).iter().enumerate() {
        waiting.extend(
            starts
                .iter()
                .map(|&(leaf, d)| (layout.key(metric.units(d), bone), leaf as u32)),
        );
    }
    waiting.sort_unstable_by(|a, b| b.cmp(a));
    let (mut queued, mut now) = (0usize, 0u32);
    while queued > 0 || !waiting.is_empty() {
        if now.is_multiple_of(BUCKETS_PER_STEP) {
            task.step(STAGE, 0.5)?;
        }
        while let Some(&(key, leaf)) = waiting.last()
            && bucket_of(key) <= now
        {
            waiting.pop();
            if offered(&mut keys[leaf as usize * k..][..k], key, layout) {
                buckets[(now % ring) as usize].push((leaf, key));
                queued += 1;
            }
        }
        let mut bucket = std::mem::take(&mut buckets[(now % ring) as usize]);
        queued -= bucket.len();
        for &(leaf, key) in &bucket {
            let leaf = leaf as usize;
            if !keys[leaf * k..][..k].contains(&key) {
                continue; // a better one has taken its place since
            }
            let costs = &costs[leaves.level(leaf)];
            for neighbour in leaves.neighbours(leaf) {
                let way = key.saturating_add(costs[neighbour.step()] << layout.bone_bits);
                let to = neighbour.leaf();
                if offered(&mut keys[to * k..][..k], way, layout) {
                    buckets[(bucket_of(way) % ring) as usize].push((to as u32, way));
                    queued += 1;
                }
            }
        }
        bucket.clear();
        buckets[(now % ring) as usize] = bucket;
        now += 1;
    }
    Ok(Nearest {
        metric,
        k,
        bones: sources.of_bone.len(),
        layout,
        keys,
    })
}

/// Puts a key into a sorted list that holds each bone once, if it is better than what the
/// list has; returns whether it did.
#[inline]
fn offered(list: &mut [Key], offer: Key, layout: Layout) -> bool {
    let last = list.len() - 1;
    if offer >= list[last] {
        return false;
    }
    let bone = layout.bone(offer);
    // Where the bone stands now, or the last place, which falls out.
    let mut place = last;
    for (i, &known) in list.iter().enumerate() {
        if known != FREE && layout.bone(known) == bone {
            if known <= offer {
                return false;
            }
            place = i;
            break;
        }
    }
    while place > 0 && list[place - 1] > offer {
        list[place] = list[place - 1];
        place -= 1;
    }
    list[place] = offer;
    true
}
