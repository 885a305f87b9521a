//! How much each joint moves each vertex.
//!
//! A flat list of influences with a start per vertex. Every [`Weights`] value keeps the
//! promise that every vertex has at least one influence, none negative or NaN, no joint
//! twice, sorted by decreasing weight (ties by joint), sum 1.

use std::convert::Infallible;
use std::ops::Range;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::JointIndex;

/// Vertices that one thread handles in one go.
const CHUNK: usize = 1024;
/// Lists of more influences are sorted to find repeated joints.
const SHORT: usize = 8;

/// One joint's share in one vertex.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Influence {
    /// The joint.
    pub joint: JointIndex,
    /// Its share, in `0.0..=1.0`.
    pub weight: f32,
}

/// The influences of all vertices.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Weights {
    starts: Vec<u32>,
    influences: Vec<Influence>,
}

/// Why influences are no weights.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum WeightsError {
    /// A vertex has no influence, or only zeros.
    #[error("vertex {vertex} has no weight")]
    Unweighted {
        /// The vertex at fault.
        vertex: usize,
    },
    /// A weight is NaN, infinite or negative.
    #[error("vertex {vertex} has a weight of {weight}")]
    BadWeight {
        /// The vertex at fault.
        vertex: usize,
        /// The weight.
        weight: f32,
    },
}

/// Collects influences vertex by vertex and puts each vertex in order.
#[derive(Debug, Clone)]
pub struct WeightsBuilder {
    /// The number of the first vertex, for errors.
    first: usize,
    weights: Weights,
    scratch: Vec<Influence>,
}

impl WeightsBuilder {
    /// Ready for `vertices` vertices of about `per_vertex` influences.
    pub fn with_capacity(vertices: usize, per_vertex: usize) -> Self {
        let mut starts = Vec::with_capacity(vertices + 1);
        starts.push(0);
        Self {
            first: 0,
            weights: Weights {
                starts,
                // As many influences as are asked for are seldom there.
                influences: Vec::with_capacity(vertices * per_vertex.min(SHORT)),
            },
            scratch: Vec::new(),
        }
    }

    /// Adds the next vertex: joins repeated joints, drops zeros, sorts, normalises. On an
    /// error nothing is added.
    pub fn push(&mut self, influences: &[Influence]) -> Result<(), WeightsError> {
        let vertex = self.first + self.weights.starts.len() - 1;
        if let Some(bad) = influences
            .iter()
            .find(|i| !(i.weight.is_finite() && i.weight >= 0.0))
        {
            return Err(WeightsError::BadWeight {
                vertex,
                weight: bad.weight,
            });
        }
        let scratch = &mut self.scratch;
        scratch.clear();
        scratch.extend(influences.iter().filter(|i| i.weight > 0.0));
        // Most lists are short and repeat nothing: looking is cheaper than sorting.
        let repeats = scratch.len() > SHORT
            || (1..scratch.len()).any(|i| scratch[..i].iter().any(|j| j.joint == scratch[i].joint));
        if repeats {
            scratch.sort_by_key(|i| i.joint);
            scratch.dedup_by(|next, kept| {
                let same = next.joint == kept.joint;
                if same {
                    kept.weight += next.weight;
                }
                same
            });
        }
        normalise(scratch);
        if scratch.is_empty() {
            return Err(WeightsError::Unweighted { vertex });
        }
        self.weights.influences.extend_from_slice(scratch);
        self.weights.starts.push(self.weights.influences.len() as u32);
        Ok(())
    }

    /// Adds the next vertex from a list that already keeps the promise, as it is.
    pub(crate) fn push_valid(&mut self, influences: &[Influence]) {
        self.weights.influences.extend_from_slice(influences);
        self.weights.starts.push(self.weights.influences.len() as u32);
    }

    /// The finished weights.
    pub fn finish(self) -> Weights {
        self.weights
    }
}

/// Influences of many positions before they are weights: in any order, of any sum, also
/// none for a position.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    starts: Vec<u32>,
    influences: Vec<Influence>,
}

impl Rows {
    /// Ready for rows to be added.
    fn with_capacity(rows: usize) -> Self {
        let mut starts = Vec::with_capacity(rows + 1);
        starts.push(0);
        Self {
            starts,
            influences: Vec::with_capacity(4 * rows),
        }
    }

    /// Rows from where each starts (one more at the end) and all their influences.
    pub(crate) fn from_parts(starts: Vec<u32>, influences: Vec<Influence>) -> Self {
        Self { starts, influences }
    }

    /// Rows made by all threads. `fill` gets a range of rows and adds them in order.
    pub fn in_parallel<E: Send>(
        rows: usize,
        fill: impl Fn(Range<usize>, &mut Self) -> Result<(), E> + Sync,
    ) -> Result<Self, E> {
        let pieces: Vec<Self> = ranges(rows)
            .map(|range| {
                let mut piece = Self::with_capacity(range.len());
                fill(range, &mut piece)?;
                Ok(piece)
            })
            .collect::<Result<_, E>>()?;
        let (starts, influences) = joined(pieces.into_iter().map(|p| (p.starts, p.influences)), rows);
        Ok(Self { starts, influences })
    }

    /// Adds the next row.
    pub fn push(&mut self, row: impl IntoIterator<Item = Influence>) {
        self.influences.extend(row);
        self.starts.push(self.influences.len() as u32);
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The influences of a row.
    pub fn of(&self, row: usize) -> &[Influence] {
        &self.influences[self.starts[row] as usize..self.starts[row + 1] as usize]
    }
}

/// `0..count` in pieces for the threads.
fn ranges(count: usize) -> impl IndexedParallelIterator<Item = Range<usize>> {
    (0..count.div_ceil(CHUNK))
        .into_par_iter()
        .map(move |chunk| chunk * CHUNK..((chunk + 1) * CHUNK).min(count))
}

/// Flat lists put one after the other, their starts counted on.
fn joined(
    pieces: impl ExactSizeIterator<Item = (Vec<u32>, Vec<Influence>)>,
    rows: usize,
) -> (Vec<u32>, Vec<Influence>) {
    let mut starts = Vec::with_capacity(rows + 1);
    starts.push(0);
    let mut influences: Vec<Influence> = Vec::new();
    for (piece_starts, piece) in pieces {
        if influences.is_empty() {
            influences.reserve(piece.len() * rows.div_ceil(CHUNK));
        }
        let before = influences.len() as u32;
        starts.extend(piece_starts[1..].iter().map(|s| before + s));
        influences.extend_from_slice(&piece);
    }
    (starts, influences)
}

/// One vertex's influences as [`Weights`] has them: no zeros, largest first, sum one, and
/// those under `floor` left out. Expects joints ascending, none twice.
pub(crate) fn finished(influences: &mut Vec<Influence>, floor: f32) {
    influences.retain(|i| i.weight > 0.0);
    normalise(influences);
    let before = influences.len();
    let mut rank = 0;
    influences.retain(|i| {
        rank += 1;
        rank == 1 || i.weight >= floor
    });
    if influences.len() < before {
        normalise(influences);
    }
}

/// Sorts by decreasing weight and scales to a sum of one. The rounding that is left goes
/// to the largest, so that an `f32` sum in order is as near to 1 as one can be. Weights
/// that vanish beside the largest are dropped; so is everything if the sum is zero.
fn normalise(influences: &mut Vec<Influence>) {
    // In f64: sums of numbers near the ends of f32's range would overflow or round to nothing.
    let sum: f64 = influences.iter().map(|i| f64::from(i.weight)).sum();
    // What sums to one already, as near as f32 can, stays to the bit.
    if (sum - 1.0).abs() > 1e-7 {
        let scale = 1.0 / sum;
        for i in influences.iter_mut() {
            i.weight = (f64::from(i.weight) * scale) as f32;
        }
    }
    influences.retain(|i| i.weight > f32::MIN_POSITIVE);
    let order = |a: &Influence, b: &Influence| b.weight.total_cmp(&a.weight).then(a.joint.cmp(&b.joint));
    // Looking costs little beside sorting, and those who chose the largest have them in order.
    let in_order = |influences: &[Influence]| influences.is_sorted_by(|a, b| order(a, b).is_le());
    if !in_order(influences) {
        influences.sort_by(order);
    }
    let others: f64 = influences.iter().skip(1).map(|i| f64::from(i.weight)).sum();
    if let Some(first) = influences.first_mut() {
        first.weight = (1.0 - others) as f32;
    }
    // Of two that are nearly equal the rounding may have made the first the smaller one.
    if !in_order(influences) {
        influences.sort_by(order);
    }
}

impl Weights {
    /// Puts a list of influences per vertex in order, or says which vertex is at fault.
    pub fn new<'a>(vertices: impl IntoIterator<Item = &'a [Influence]>) -> Result<Self, WeightsError> {
        let mut builder = WeightsBuilder::with_capacity(0, 0);
        for influences in vertices {
            builder.push(influences)?;
        }
        Ok(builder.finish())
    }

    /// Weights of `vertices` vertices, made by all threads. `fill` gets a range of vertices
    /// and adds them to its builder in order.
    pub fn in_parallel<E: Send>(
        vertices: usize,
        per_vertex: usize,
        fill: impl Fn(Range<usize>, &mut WeightsBuilder) -> Result<(), E> + Sync,
    ) -> Result<Self, E> {
        let pieces: Vec<Self> = ranges(vertices)
            .map(|range| {
                let mut builder = WeightsBuilder::with_capacity(range.len(), per_vertex);
                builder.first = range.start;
                fill(range, &mut builder)?;
                Ok(builder.finish())
            })
            .collect::<Result<_, E>>()?;
        let (starts, influences) = joined(pieces.into_iter().map(|p| (p.starts, p.influences)), vertices);
        Ok(Self { starts, influences })
    }

    /// Every vertex follows one joint alone.
    pub fn rigid(joints: impl IntoIterator<Item = JointIndex>) -> Self {
        let influences: Vec<Influence> = joints
            .into_iter()
            .map(|joint| Influence { joint, weight: 1.0 })
            .collect();
        Self {
            starts: (0..=influences.len() as u32).collect(),
            influences,
        }
    }

    /// How many vertices there are.
    pub fn vertex_count(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// A vertex's influences, largest first.
    pub fn of_vertex(&self, vertex: usize) -> &[Influence] {
        &self.influences[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }

    /// All vertices' influences in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[Influence]> + Clone {
        (0..self.vertex_count()).map(|v| self.of_vertex(v))
    }

    /// All influences of all vertices, one after the other.
    pub fn influences(&self) -> &[Influence] {
        &self.influences
    }

    /// The largest number of influences that a vertex has.
    pub fn max_influences(&self) -> usize {
        self.iter().map(<[Influence]>::len).max().unwrap_or(0)
    }

    /// The weight of a joint at a vertex; zero where it has none.
    pub fn weight(&self, vertex: usize, joint: JointIndex) -> f32 {
        self.of_vertex(vertex)
            .iter()
            .find(|i| i.joint == joint)
            .map_or(0.0, |i| i.weight)
    }

    /// Keeps the `k` largest influences of each vertex (at least one) and normalises.
    pub fn limited(&self, k: usize) -> Self {
        self.kept(|rank, _| rank < k)
    }

    /// Drops weights under `floor`, never a vertex's largest, and normalises.
    pub fn pruned(&self, floor: f32) -> Self {
        self.kept(|_, influence| influence.weight >= floor)
    }

    /// Keeps the influences that `keep` (given rank and influence) agrees to, and always
    /// the largest.
    fn kept(&self, keep: impl Fn(usize, Influence) -> bool + Sync) -> Self {
        let kept = Self::in_parallel(self.vertex_count(), 4, |range, builder| {
            let mut scratch = Vec::new();
            for vertex in range.map(|v| self.of_vertex(v)) {
                scratch.clear();
                scratch.extend(
                    vertex
                        .iter()
                        .enumerate()
                        .filter(|&(rank, &i)| rank == 0 || keep(rank, i))
                        .map(|(_, &i)| i),
                );
                if scratch.len() < vertex.len() {
                    normalise(&mut scratch);
                }
                builder.push_valid(&scratch);
            }
            Ok::<_, Infallible>(())
        });
        match kept {
            Ok(weights) => weights,
            Err(never) => match never {},
        }
    }

    /// Joints and weights as engines take them: `K` of each for every vertex, largest first,
    /// filled up with joint 0 at weight 0. Of vertices with more influences the `K` largest
    /// are kept and sum to one again. `K` is at least one.
    pub fn to_arrays<const K: usize>(&self) -> (Vec<[u16; K]>, Vec<[f32; K]>) {
        const { assert!(K > 0, "a vertex has at least one influence") };
        let vertices = self.vertex_count();
        let (mut joints, mut weights) = (vec![[0; K]; vertices], vec![[0.0; K]; vertices]);
        for (vertex, row) in self.limited(K).iter().enumerate() {
            for (slot, influence) in row.iter().enumerate() {
                joints[vertex][slot] = influence.joint.0;
                weights[vertex][slot] = influence.weight;
            }
        }
        (joints, weights)
    }

    /// The same weights for a skeleton whose joints are numbered differently. `renumber`
    /// must not send two joints of a vertex to one.
    pub fn renumbered(&self, renumber: impl Fn(JointIndex) -> JointIndex) -> Self {
        let mut renumbered = self.clone();
        for influence in &mut renumbered.influences {
            influence.joint = renumber(influence.joint);
        }
        renumbered
    }

    /// The weights of the given vertices, in the given order.
    pub fn gathered(&self, vertices: impl IntoIterator<Item = usize>) -> Self {
        let mut starts = vec![0];
        let mut influences = Vec::new();
        for v in vertices {
            influences.extend_from_slice(self.of_vertex(v));
            starts.push(influences.len() as u32);
        }
        Self { starts, influences }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn inf(joint: u16, weight: f32) -> Influence {
        Influence {
            joint: JointIndex(joint),
            weight,
        }
    }

    /// The promise that every `Weights` keeps.
    fn check(weights: &Weights) {
        for (v, vertex) in weights.iter().enumerate() {
            assert!(!vertex.is_empty(), "vertex {v} is empty");
            assert!(
                vertex.iter().all(|i| i.weight > 0.0 && i.weight <= 1.0),
                "vertex {v}: {vertex:?}"
            );
            assert!(
                vertex.is_sorted_by(|a, b| a.weight >= b.weight),
                "vertex {v} is not sorted: {vertex:?}"
            );
            let mut joints: Vec<_> = vertex.iter().map(|i| i.joint).collect();
            joints.sort();
            joints.dedup();
            assert_eq!(joints.len(), vertex.len(), "vertex {v} repeats a joint");
            let sum: f32 = vertex.iter().map(|i| i.weight).sum();
            // The Khronos validator's tolerance.
            assert!(
                (sum - 1.0).abs() <= 2e-7 * vertex.len() as f32,
                "vertex {v} sums to {sum}"
            );
        }
    }

    #[test]
    fn repeated_joints_join_and_zeros_go() {
        let w = Weights::new([&[inf(3, 1.0), inf(1, 0.0), inf(3, 2.0), inf(2, 1.0)][..]]).unwrap();
        assert_eq!(w.of_vertex(0), [inf(3, 0.75), inf(2, 0.25)]);
    }

    #[test]
    fn faults_name_the_vertex() {
        let good: &[Influence] = &[inf(0, 1.0)];
        assert_eq!(
            Weights::new([good, &[]]),
            Err(WeightsError::Unweighted { vertex: 1 })
        );
        assert_eq!(
            Weights::new([good, good, &[inf(0, -1.0)]]),
            Err(WeightsError::BadWeight {
                vertex: 2,
                weight: -1.0
            })
        );
        assert!(matches!(
            Weights::new([&[inf(0, f32::NAN)][..]]),
            Err(WeightsError::BadWeight { vertex: 0, .. })
        ));
    }

    #[test]
    fn the_ends_of_the_range_normalise() {
        let w = Weights::new([
            &[inf(0, f32::MAX), inf(1, f32::MAX)][..],
            &[inf(0, 1e-44), inf(1, 1e-44)][..],
            &[inf(0, f32::MAX), inf(1, 1e-44)][..],
        ])
        .unwrap();
        check(&w);
        assert_eq!(w.of_vertex(0), [inf(0, 0.5), inf(1, 0.5)]);
        assert_eq!(w.of_vertex(1), [inf(0, 0.5), inf(1, 0.5)]);
        assert_eq!(w.of_vertex(2), [inf(0, 1.0)]);
    }

    #[test]
    fn arrays_are_filled_up_or_cut() {
        let w = Weights::new([
            &[inf(3, 1.0)][..],
            &[inf(1, 0.5), inf(2, 0.375), inf(4, 0.125)][..],
        ])
        .unwrap();
        let (joints, weights) = w.to_arrays::<2>();
        assert_eq!(joints, [[3, 0], [1, 2]]);
        assert_eq!(weights[0], [1.0, 0.0]);
        assert!((weights[1][0] - 0.5 / 0.875).abs() < 1e-6);
        assert_eq!(weights[1].iter().sum::<f32>(), 1.0);
        let (joints, weights) = w.to_arrays::<4>();
        assert_eq!(joints, [[3, 0, 0, 0], [1, 2, 4, 0]]);
        assert_eq!(weights[1], [0.5, 0.375, 0.125, 0.0]);
    }

    prop_compose! {
        /// Vertices with at least one positive weight each, many of them repeated or zero.
        pub(crate) fn arbitrary_weights()(
            vertices in prop::collection::vec(
                (prop::collection::vec((0u16..6, prop_oneof![Just(0.0f32), 1e-6f32..1.0, 1e-30f32..1e30]), 0..8), 0u16..6, 1e-3f32..1.0),
                1..20,
            )
        ) -> Weights {
            let lists: Vec<Vec<Influence>> = vertices.into_iter().map(|(list, joint, weight)| {
                list.into_iter().map(|(j, w)| inf(j, w)).chain([inf(joint, weight)]).collect()
            }).collect();
            Weights::new(lists.iter().map(Vec::as_slice)).expect("each has a positive weight")
        }
    }

    proptest! {
        #[test]
        fn the_promise_holds_after_every_operation(
            weights in arbitrary_weights(), k in 1usize..6, floor in 0.0f32..0.6
        ) {
            check(&weights);
            let limited = weights.limited(k);
            check(&limited);
            prop_assert!(limited.max_influences() <= k);
            let pruned = weights.pruned(floor);
            check(&pruned);
            // What was dropped was small, and what is kept only grew by normalising.
            for v in 0..weights.vertex_count() {
                for i in weights.of_vertex(v) {
                    let after = pruned.weight(v, i.joint);
                    prop_assert!(after == 0.0 && i.weight < floor || after >= i.weight - 1e-6);
                }
            }
        }
    }
}
