//! What lies close under or over a point: patches of the other pieces of the surface, and who holds them. A tunic follows
//! the thigh that it hangs on, a button the cloth.

use glam::{DVec3, IVec3};

use super::skin_rows::{Lists, Said};

/// Patches are as large as this fraction of the skeleton's diagonal, and are looked for as far away.
const CELL: f64 = 0.03;

/// The points of one piece in one cell.
#[derive(Debug)]
struct Patch {
    piece: u32,
    middle: DVec3,
    /// The joints that hold it, by their mean weights.
    weights: Vec<(u16, f32)>,
}

/// Another piece close to a point.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layer {
    patch: u32,
    pub distance: f64,
    /// The way to it.
    pub direction: DVec3,
}

/// All patches, cell by cell.
#[derive(Debug)]
pub(super) struct Layers {
    low: DVec3,
    cell: f64,
    /// Cells that hold points, in order, and where the patches of each begin.
    cells: Vec<([i32; 3], u32)>,
    patches: Vec<Patch>,
}

impl Layers {
    /// Parts the points of the body into patches. `piece_of` tells for each point its piece; `low` is a corner of the
    /// skeleton's box and `diagonal` its size.
    pub fn of(
        points: &[DVec3],
        piece_of: &[u32],
        body: &[bool],
        said: &Lists<Said>,
        (low, diagonal): (DVec3, f64),
    ) -> Self {
        let mut layers = Self {
            low,
            cell: CELL * diagonal,
            cells: Vec::new(),
            patches: Vec::new(),
        };
        if piece_of.iter().all(|piece| *piece == piece_of[0]) {
            return layers;
        }
        let mut order: Vec<([i32; 3], u32, u32)> = points
            .iter()
            .zip(piece_of)
            .enumerate()
            .filter(|(point, _)| body[*point])
            .map(|(point, (&p, &piece))| (layers.cell_of(p).to_array(), piece, point as u32))
            .collect();
        order.sort_unstable();
        for group in order.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let (cell, piece, _) = group[0];
            if layers.cells.last().is_none_or(|c| c.0 != cell) {
                layers.cells.push((cell, layers.patches.len() as u32));
            }
            let fraction = 1.0 / group.len() as f32;
            let mut weights: Vec<(u16, f32)> = Vec::new();
            let mut middle = DVec3::ZERO;
            for &(_, _, point) in group {
                middle += points[point as usize];
                for s in said.at(point as usize) {
                    match weights.iter_mut().find(|w| w.0 == s.slot) {
                        Some(known) => known.1 += fraction * s.mean(),
                        None => weights.push((s.slot, fraction * s.mean())),
                    }
                }
            }
            layers.patches.push(Patch {
                piece,
                middle: middle / group.len() as f64,
                weights,
            });
        }
        layers
    }

    fn cell_of(&self, p: DVec3) -> IVec3 {
        ((p - self.low) / self.cell).floor().as_ivec3()
    }

    fn in_cell(&self, cell: IVec3) -> std::ops::Range<usize> {
        let Ok(at) = self.cells.binary_search_by_key(&cell.to_array(), |c| c.0) else {
            return 0..0;
        };
        let next = self.cells.get(at + 1);
        self.cells[at].1 as usize..next.map_or(self.patches.len(), |c| c.1 as usize)
    }

    /// The nearest patch of another piece than `piece`, if one is close.
    pub fn close_to(&self, p: DVec3, piece: u32) -> Option<Layer> {
        if self.patches.is_empty() {
            return None;
        }
        let own = self.cell_of(p);
        let mut best: Option<(f64, usize)> = None;
        for z in -1..=1 {
            for y in -1..=1 {
                for x in -1..=1 {
                    let cell = IVec3::new(
                        own.x.saturating_add(x),
                        own.y.saturating_add(y),
                        own.z.saturating_add(z),
                    );
                    for at in self.in_cell(cell) {
                        let patch = &self.patches[at];
                        let squared = patch.middle.distance_squared(p);
                        if patch.piece != piece && best.is_none_or(|b| squared < b.0) {
                            best = Some((squared, at));
                        }
                    }
                }
            }
        }
        best.map(|(squared, at)| Layer {
            patch: at as u32,
            distance: squared.sqrt(),
            direction: (self.patches[at].middle - p).normalize_or_zero(),
        })
    }

    /// A joint's mean weight in a patch.
    pub fn weight(&self, layer: &Layer, slot: u16) -> f32 {
        let weights = &self.patches[layer.patch as usize].weights;
        weights.iter().find(|w| w.0 == slot).map_or(0.0, |w| w.1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Each point follows the joint that is numbered like its piece.
    fn said(piece_of: &[u32]) -> Lists<Said> {
        Lists::of(piece_of.len(), |point, list| {
            list.push(Said {
                slot: piece_of[point] as u16,
                voxel: 1.0,
                heat: 1.0,
            });
        })
    }

    #[test]
    fn cloth_sees_the_skin_beneath_and_nothing_sees_itself_or_what_is_far() {
        let row = |y: f64| (0..40).map(move |x| DVec3::new(0.005 * f64::from(x), y, 0.0));
        let points: Vec<DVec3> = row(0.0).chain(row(0.02)).chain(row(0.5)).collect();
        let piece_of: Vec<u32> = [0, 1, 2].into_iter().flat_map(|p| [p; 40]).collect();
        let layers = Layers::of(
            &points,
            &piece_of,
            &[true; 120],
            &said(&piece_of),
            (DVec3::ZERO, 1.0),
        );
        let beneath = layers.close_to(points[60], 1).unwrap();
        assert_eq!(
            (layers.weight(&beneath, 0), layers.weight(&beneath, 1)),
            (1.0, 0.0)
        );
        assert!(beneath.direction.y < -0.7 && beneath.distance < 0.03);
        assert!(layers.close_to(points[100], 2).is_none());
        // What is no part of the body is not there.
        let bare: Vec<bool> = (0..120).map(|p| p >= 40).collect();
        let layers = Layers::of(&points, &piece_of, &bare, &said(&piece_of), (DVec3::ZERO, 1.0));
        assert!(layers.close_to(points[60], 1).is_none());
    }

    proptest! {
        #[test]
        fn the_nearest_patch_is_the_naive_nearest(
            places in prop::collection::vec((prop::array::uniform3(0u8..12), 0u32..3), 2..60),
        ) {
            let points: Vec<DVec3> = places
                .iter()
                .map(|(p, _)| DVec3::from(p.map(f64::from)) * 0.011)
                .collect();
            let piece_of: Vec<u32> = places.iter().map(|p| p.1).collect();
            let layers = Layers::of(&points, &piece_of, &vec![true; points.len()], &said(&piece_of), (DVec3::ZERO, 1.0));
            for (&p, &piece) in points.iter().zip(&piece_of) {
                let around = layers.cell_of(p);
                let naive = layers
                    .patches
                    .iter()
                    .filter(|q| q.piece != piece)
                    .filter(|q| (layers.cell_of(q.middle) - around).abs().max_element() <= 1)
                    .map(|q| q.middle.distance(p))
                    .fold(f64::INFINITY, f64::min);
                let found = layers.close_to(p, piece).map_or(f64::INFINITY, |l| l.distance);
                prop_assert!((found - naive).abs() < 1e-12 || found == naive);
            }
        }
    }
}
