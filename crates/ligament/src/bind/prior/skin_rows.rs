//! What the recipes say at each point, by the indices of joints among those that take part, and what they say around it.

use rayon::prelude::*;

use super::Recipes;
use super::joints::Wholes;

/// Points handled at once.
pub(super) const CHUNK: usize = 512;

/// What both recipes give a joint at a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Said {
    pub slot: u16,
    pub voxel: f32,
    pub heat: f32,
}

impl Said {
    pub fn mean(&self) -> f32 {
        0.5 * (self.voxel + self.heat)
    }
}

/// Lists of different lengths, one for each point.
#[derive(Debug)]
pub(super) struct Lists<T> {
    starts: Vec<u32>,
    entries: Vec<T>,
}

impl<T: Send> Lists<T> {
    /// Makes the list of each point; `fill` adds to it.
    pub fn of(points: usize, fill: impl Fn(usize, &mut Vec<T>) + Sync) -> Self {
        let pieces: Vec<(Vec<u32>, Vec<T>)> = (0..points.div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                let (mut counts, mut entries) = (Vec::with_capacity(CHUNK), Vec::new());
                for point in chunk * CHUNK..((chunk + 1) * CHUNK).min(points) {
                    let before = entries.len();
                    fill(point, &mut entries);
                    counts.push((entries.len() - before) as u32);
                }
                (counts, entries)
            })
            .collect();
        Self::joined(pieces)
    }

    /// Puts lists together: for each piece how long each of its lists is, and all their entries.
    pub fn joined(pieces: Vec<(Vec<u32>, Vec<T>)>) -> Self {
        let mut lists = Self {
            starts: vec![0],
            entries: Vec::with_capacity(pieces.iter().map(|p| p.1.len()).sum()),
        };
        let mut end = 0;
        for (counts, entries) in pieces {
            for count in counts {
                end += count;
                lists.starts.push(end);
            }
            lists.entries.extend(entries);
        }
        lists
    }

    pub fn at(&self, point: usize) -> &[T] {
        &self.entries[self.starts[point] as usize..self.starts[point + 1] as usize]
    }
}

/// Both recipes' weights, joint by joint, the largest mean first.
pub(super) fn said(recipes: &Recipes<'_>, wholes: &Wholes) -> Lists<Said> {
    Lists::of(recipes.skin.len(), |point, list: &mut Vec<Said>| {
        let before = list.len();
        let slot = |joint: crate::character::JointIndex| wholes.slot_of[joint.at()];
        for i in recipes.voxel.of_vertex(point) {
            if let Some(slot) = slot(i.joint) {
                list.push(Said {
                    slot,
                    voxel: i.weight,
                    heat: 0.0,
                });
            }
        }
        for i in recipes.heat.of_vertex(point) {
            let Some(slot) = slot(i.joint) else { continue };
            match list[before..].iter_mut().find(|s| s.slot == slot) {
                Some(own) => own.heat = i.weight,
                None => list.push(Said {
                    slot,
                    voxel: 0.0,
                    heat: i.weight,
                }),
            }
        }
        list[before..].sort_by(|a, b| b.mean().total_cmp(&a.mean()).then(a.slot.cmp(&b.slot)));
    })
}

/// The mean of each joint over the points around; of a lone point its own.
pub(super) fn around(
    recipes: &Recipes<'_>,
    of_point: impl Fn(usize, &mut dyn FnMut(u16, f32)) + Sync,
) -> Lists<(u16, f32)> {
    let laplacian = recipes.skin.laplacian();
    Lists::of(recipes.skin.len(), |point, list: &mut Vec<(u16, f32)>| {
        let before = list.len();
        let range = laplacian.starts[point] as usize..laplacian.starts[point + 1] as usize;
        let neighbours = &laplacian.columns[range];
        let fraction = 1.0 / (neighbours.len() + 1) as f32;
        let mut add = |slot: u16, weight: f32| match list[before..].iter_mut().find(|e| e.0 == slot) {
            Some(entry) => entry.1 += fraction * weight,
            None => list.push((slot, fraction * weight)),
        };
        of_point(point, &mut add);
        for &neighbour in neighbours {
            of_point(neighbour as usize, &mut add);
        }
    })
}
