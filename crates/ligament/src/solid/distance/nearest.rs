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
/// Buckets with fewer entries than this in a half are not worth waking a thread for.
const WORTH_SHARING: usize = 64;

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
    /// Lists put together again from [`Nearest::keys`]; `None` if a key names a bone that
    /// does not exist or the lists are not of `k` keys each.
    pub fn from_keys(metric: Metric, k: usize, bones: usize, keys: Vec<u32>) -> Option<Self> {
        let bones_fit = (1..=usize::from(u16::MAX)).contains(&bones);
        if !(metric.is_sound() && bones_fit && k > 0 && keys.len().is_multiple_of(k)) {
            return None;
        }
        let layout = Layout::for_bones(bones);
        let known = |&key: &Key| key == FREE || layout.bone(key) < bones;
        keys.iter().all(known).then_some(Self {
            metric,
            k,
            bones,
            layout,
            keys,
        })
    }

    /// For each leaf `k` keys, nearest first: the distance in units above as many bits as
    /// the number of bones has, and in those the bone; `u32::MAX` where there is none.
    pub fn keys(&self) -> &[u32] {
        &self.keys
    }

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
    let mut waiting: Vec<(Key, u32)> = Vec::new();
    for (bone, starts) in sources.leaves(leaves).iter().enumerate() {
        waiting.extend(
            starts
                .iter()
                .map(|&(leaf, d)| (layout.key(metric.units(d), bone), leaf as u32)),
        );
    }
    waiting.sort_unstable_by(|a, b| b.cmp(a));

    let search = Search {
        leaves,
        costs: &costs,
        layout,
        k,
        width,
        ring,
    };
    let mut keys = vec![FREE; leaves.len() * k];
    // Leaves are numbered along z, so each half is a slab and few steps lead across.
    let half = leaves.len() / 2;
    let (low, high) = keys.split_at_mut(half * k);
    let mut low = Half::new(0..half, low, ring);
    let mut high = Half::new(half..leaves.len(), high, ring);
    let mut now = 0;
    while low.queued + high.queued > 0 || !waiting.is_empty() {
        if now % BUCKETS_PER_STEP == 0 {
            task.step(STAGE, 0.5)?;
        }
        // Sources enter when their bucket comes, so that the ring holds what it can.
        while let Some(&(key, leaf)) = waiting.last()
            && layout.units(key) / width <= now
        {
            waiting.pop();
            let side = if (leaf as usize) < half {
                &mut low
            } else {
                &mut high
            };
            side.offer(&search, leaf, key, now);
        }
        let slot = (now % ring) as usize;
        if low.buckets[slot].len().min(high.buckets[slot].len()) < WORTH_SHARING {
            low.spread(&search, now);
            high.spread(&search, now);
        } else {
            rayon::join(|| low.spread(&search, now), || high.spread(&search, now));
        }
        for (leaf, key) in std::mem::take(&mut low.across) {
            high.offer(&search, leaf, key, now);
        }
        for (leaf, key) in std::mem::take(&mut high.across) {
            low.offer(&search, leaf, key, now);
        }
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

/// What does not change during a search.
struct Search<'a> {
    leaves: &'a Leaves,
    costs: &'a [[u32; 32]],
    layout: Layout,
    k: usize,
    /// Units in a bucket.
    width: u32,
    /// Buckets in the ring.
    ring: u32,
}

/// One half of the leaves, with a queue of its own, so that two threads can spread at once.
struct Half<'a> {
    leaves: std::ops::Range<usize>,
    keys: &'a mut [Key],
    buckets: Vec<Vec<(u32, Key)>>,
    /// How many entries all buckets hold.
    queued: usize,
    /// What is offered to leaves of the other half.
    across: Vec<(u32, Key)>,
}

impl<'a> Half<'a> {
    fn new(leaves: std::ops::Range<usize>, keys: &'a mut [Key], ring: u32) -> Self {
        Self {
            leaves,
            keys,
            buckets: vec![Vec::new(); ring as usize],
            queued: 0,
            across: Vec::new(),
        }
    }

    /// Offers a bone to a leaf of this half; if it takes it, it will hand it on.
    fn offer(&mut self, search: &Search<'_>, leaf: u32, key: Key, now: u32) {
        let at = (leaf as usize - self.leaves.start) * search.k;
        if offered(&mut self.keys[at..at + search.k], key, search.layout) {
            let bucket = (search.layout.units(key) / search.width).max(now);
            self.buckets[(bucket % search.ring) as usize].push((leaf, key));
            self.queued += 1;
        }
    }

    /// Hands on what the bucket at hand holds.
    fn spread(&mut self, search: &Search<'_>, now: u32) {
        let slot = (now % search.ring) as usize;
        let mut bucket = std::mem::take(&mut self.buckets[slot]);
        self.queued -= bucket.len();
        for &(leaf, key) in &bucket {
            let at = (leaf as usize - self.leaves.start) * search.k;
            if !self.keys[at..at + search.k].contains(&key) {
                continue; // a better one has taken its place since
            }
            let costs = &search.costs[search.leaves.level(leaf as usize)];
            for neighbour in search.leaves.neighbours(leaf as usize) {
                let path = key.saturating_add(costs[neighbour.step()] << search.layout.bone_bits);
                let to = neighbour.leaf();
                if self.leaves.contains(&to) {
                    self.offer(search, to as u32, path, now);
                } else {
                    self.across.push((to as u32, path));
                }
            }
        }
        bucket.clear();
        self.buckets[slot] = bucket;
    }
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
    // Where the bone stands now, or the last slot, which falls out.
    let mut slot = last;
    for (i, &known) in list.iter().enumerate() {
        if known != FREE && layout.bone(known) == bone {
            if known <= offer {
                return false;
            }
            slot = i;
            break;
        }
    }
    while slot > 0 && list[slot - 1] > offer {
        list[slot] = list[slot - 1];
        slot -= 1;
    }
    list[slot] = offer;
    true
}
