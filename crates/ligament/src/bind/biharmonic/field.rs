//! The weights of all handles in all leaves of a solid.

use std::sync::atomic::{AtomicUsize, Ordering};

use glam::DVec3;
use rayon::prelude::*;

use super::bounded::{self, Effort};
use crate::bind::BindError;
use crate::character::BoneShape;
use crate::linear::Cholesky;
use crate::solid::Blend;
use crate::solid::distance::{SourceFit, Sources};
use crate::solid::{Leaves, Solid, VolumeLaplacian};
use crate::task::Task;

/// Weights under this are not kept.
const FAINTEST: f64 = 1e-5;

/// Bounded biharmonic weights in a solid, a handle being one or several shapes that move
/// together: the bones of a joint, or a single bone.
#[derive(Debug, Clone)]
pub struct BiharmonicField {
    leaves: Leaves,
    handles: usize,
    /// Where the entries of each leaf begin; one more at the end.
    starts: Vec<u32>,
    /// Handles with weight and their weights, handles ascending.
    entries: Vec<(u16, f32)>,
    /// For each shape, handle by handle, how it lies in the solid.
    fit: Vec<SourceFit>,
    efforts: Vec<Effort>,
}

impl BiharmonicField {
    /// Finds the weights. `sparse` false keeps every voxel fine. At most 65,535 handles.
    pub fn of(
        solid: &Solid,
        handles: &[Vec<BoneShape>],
        sparse: bool,
        task: &Task<'_>,
    ) -> Result<Self, BindError> {
        const STAGE: &str = "weights";
        task.step(STAGE, 0.0)?;
        let shapes: Vec<BoneShape> = handles.iter().flatten().cloned().collect();
        let handle_of_shape: Vec<usize> = handles
            .iter()
            .enumerate()
            .flat_map(|(index, shapes)| shapes.iter().map(move |_| index))
            .collect();
        let sources = Sources::of(solid, &shapes);
        let leaves = Leaves::of(solid, &sources.voxels(solid.grid.counts), sparse, false);
        let laplacian = VolumeLaplacian::of(&leaves);
        let constraints = Constraints::of(&leaves, &sources.merged(&handle_of_shape), handles.len());

        // Harmonic weights are a good first guess, and one factor serves all handles.
        let unknown: Vec<u32> = (0..leaves.len() as u32)
            .filter(|&l| constraints.reached[l as usize] && !constraints.given[l as usize])
            .collect();
        let harmonic = Cholesky::of(&laplacian.matrix.submatrix(&unknown))?;
        let done = AtomicUsize::new(0);
        let solved: Vec<(Vec<(u32, f32)>, Effort)> = constraints
            .of_handle
            .par_iter()
            .with_max_len(1)
            .map(|given| {
                let mut weights = vec![0.0; leaves.len()];
                for &(leaf, value) in given {
                    weights[leaf as usize] = value;
                }
                let flow = laplacian.matrix.times(&weights);
                let mut guess: Vec<f64> = unknown.iter().map(|&l| -flow[l as usize]).collect();
                harmonic.solve_in_place(&mut guess)?;
                for (&leaf, &guess) in unknown.iter().zip(&guess) {
                    weights[leaf as usize] = guess;
                }
                let free = |leaf: usize| constraints.reached[leaf] && !constraints.given[leaf];
                let effort = bounded::solve(&laplacian, free, &mut weights, task)?;
                let fraction = done.fetch_add(1, Ordering::Relaxed) as f32 / handles.len() as f32;
                task.step(STAGE, fraction)?;
                let entries = (0u32..).zip(&weights).filter(|(_, w)| **w > FAINTEST);
                Ok((entries.map(|(leaf, &w)| (leaf, w as f32)).collect(), effort))
            })
            .collect::<Result<_, BindError>>()?;
        task.step(STAGE, 1.0)?;

        let mut starts = vec![0u32; leaves.len() + 1];
        for &(leaf, _) in solved.iter().flat_map(|s| &s.0) {
            starts[leaf as usize + 1] += 1;
        }
        for leaf in 0..leaves.len() {
            starts[leaf + 1] += starts[leaf];
        }
        let mut next = starts.clone();
        let mut entries = vec![(0u16, 0f32); solved.iter().map(|s| s.0.len()).sum()];
        for (handle, (column, _)) in solved.iter().enumerate() {
            for &(leaf, weight) in column {
                let slot = &mut next[leaf as usize];
                entries[*slot as usize] = (handle as u16, weight);
                *slot += 1;
            }
        }
        Ok(Self {
            leaves,
            handles: handles.len(),
            starts,
            entries,
            fit: sources.fit,
            efforts: solved.into_iter().map(|s| s.1).collect(),
        })
    }

    /// The sparse voxels.
    pub fn leaves(&self) -> &Leaves {
        &self.leaves
    }

    /// How many handles there are.
    pub fn handles(&self) -> usize {
        self.handles
    }

    /// For each shape, handle by handle, how it lies in the solid.
    pub fn fit(&self) -> &[SourceFit] {
        &self.fit
    }

    /// For each handle how its solve went.
    pub fn efforts(&self) -> &[Effort] {
        &self.efforts
    }

    /// The handles with weight in a leaf and their weights, which do not quite sum to one;
    /// none where no handle is reached.
    pub fn of_leaf(&self, leaf: usize) -> &[(u16, f32)] {
        &self.entries[self.starts[leaf] as usize..self.starts[leaf + 1] as usize]
    }

    /// The weights of all handles at a point, summing to one; zeros where the solid around
    /// it holds no handle, or where no solid is near. Continuous: trilinear between the
    /// middles of voxels; towards the outside it does not change, as ∂w/∂n = 0 wants.
    pub fn at(&self, point: DVec3) -> Vec<f64> {
        let mut weights = vec![0.0; self.handles];
        let Some(blend) = Blend::at(&self.leaves, point) else {
            return weights;
        };
        for &(leaf, fraction) in blend.leaves() {
            for &(handle, weight) in self.of_leaf(leaf as usize) {
                weights[usize::from(handle)] += f64::from(fraction) * f64::from(weight);
            }
        }
        let sum: f64 = weights.iter().sum();
        if sum > 0.0 {
            weights.iter_mut().for_each(|w| *w /= sum);
        }
        weights
    }
}

/// Where weights are given, and where they follow from it.
struct Constraints {
    /// Whether a leaf lies on a handle.
    given: Vec<bool>,
    /// Whether a way leads from a leaf to a handle.
    reached: Vec<bool>,
    /// For each handle its leaves and its weights there: handles in the same leaf share.
    of_handle: Vec<Vec<(u32, f64)>>,
}

impl Constraints {
    fn of(leaves: &Leaves, sources: &Sources, handles: usize) -> Self {
        let mut leaves_of_handle = sources.leaves(leaves);
        leaves_of_handle.resize(handles, Vec::new());
        let mut sharing = vec![0u32; leaves.len()];
        let mut of_handle: Vec<Vec<(u32, f64)>> = Vec::with_capacity(handles);
        for list in leaves_of_handle {
            let mut own: Vec<u32> = list.into_iter().map(|(leaf, _)| leaf as u32).collect();
            own.sort_unstable();
            own.dedup();
            for &leaf in &own {
                sharing[leaf as usize] += 1;
            }
            of_handle.push(own.into_iter().map(|leaf| (leaf, 0.0)).collect());
        }
        for (leaf, value) in of_handle.iter_mut().flatten() {
            *value = 1.0 / f64::from(sharing[*leaf as usize]);
        }
        let given: Vec<bool> = sharing.iter().map(|&s| s > 0).collect();
        let mut reached = given.clone();
        let mut open: Vec<usize> = (0..leaves.len()).filter(|&l| given[l]).collect();
        while let Some(leaf) = open.pop() {
            for neighbour in leaves.neighbours(leaf) {
                if !std::mem::replace(&mut reached[neighbour.leaf()], true) {
                    open.push(neighbour.leaf());
                }
            }
        }
        Self {
            given,
            reached,
            of_handle,
        }
    }
}
