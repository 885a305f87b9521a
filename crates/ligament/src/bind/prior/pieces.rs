//! The connected pieces of the surface, and who holds them.

use glam::DVec3;

use super::Recipes;
use super::joints::Wholes;
use super::skin_rows::{Lists, Said};
use crate::geometry::islands;

/// A joint holds a piece if its mean weight there is over this.
const HOLDS: f32 = 0.02;

/// One piece.
#[derive(Debug)]
pub(super) struct Piece {
    /// The fraction of all area.
    pub area: f64,
    pub low: DVec3,
    pub high: DVec3,
    /// Its size over the skeleton's diagonal.
    pub extent: f64,
    /// The largest mean weight of a joint.
    pub most: f32,
    /// How many joints hold it.
    pub joints: usize,
}

/// All pieces.
#[derive(Debug)]
pub(super) struct Pieces {
    pub of_point: Vec<u32>,
    pub pieces: Vec<Piece>,
    /// For each piece and joint the mean weight.
    weights: Vec<f32>,
    /// For each piece and joint the fraction of the joint's skin.
    owned: Vec<f32>,
    joints: usize,
}

impl Pieces {
    /// Finds them, and what joints own.
    pub fn of(recipes: &Recipes<'_>, wholes: &mut Wholes, said: &Lists<Said>) -> Self {
        let skin = recipes.skin;
        let (points, diagonal) = (skin.points(), wholes.diagonal);
        let islands = islands(skin.laplacian());
        let joints = wholes.joints.len();
        let mut pieces = Self {
            of_point: vec![0; points.len()],
            pieces: Vec::with_capacity(islands.len()),
            weights: vec![0.0; islands.len() * joints],
            owned: vec![0.0; islands.len() * joints],
            joints,
        };
        let mut centroids = vec![DVec3::ZERO; joints];
        let mut squares = vec![0.0; joints];
        for (index, island) in islands.iter().enumerate() {
            let (mut low, mut high, mut area) = (DVec3::INFINITY, DVec3::NEG_INFINITY, 0.0);
            let row = index * joints..(index + 1) * joints;
            for &point in island {
                let point = point as usize;
                pieces.of_point[point] = index as u32;
                let (p, a) = (points[point], wholes.areas[point]);
                if wholes.body[point] {
                    low = low.min(p);
                    high = high.max(p);
                }
                area += a;
                for (rank, s) in said.at(point).iter().enumerate() {
                    let slot = usize::from(s.slot);
                    let own = a * f64::from(s.mean());
                    pieces.weights[row.start + slot] += own as f32;
                    let whole = &mut wholes.joints[slot];
                    whole.area += own;
                    whole.voxel_area += a * f64::from(s.voxel);
                    whole.heat_area += a * f64::from(s.heat);
                    if rank == 0 {
                        whole.top_area += a;
                    }
                    centroids[slot] += own * p;
                    squares[slot] += own * p.length_squared();
                }
            }
            if low.x > high.x {
                // No part of the body: where its first point is.
                low = points[island[0] as usize];
                high = low;
            }
            let area = area.max(f64::MIN_POSITIVE);
            let weights = &mut pieces.weights[row.clone()];
            pieces.owned[row].copy_from_slice(weights);
            weights.iter_mut().for_each(|w| *w /= area as f32);
            pieces.pieces.push(Piece {
                area: area / wholes.total_area,
                low,
                high,
                extent: low.distance(high) / diagonal,
                most: weights.iter().copied().fold(0.0, f32::max),
                joints: weights.iter().filter(|&&w| w > HOLDS).count(),
            });
        }
        for (slot, whole) in wholes.joints.iter_mut().enumerate() {
            if whole.area > 1e-4 * wholes.total_area {
                whole.centroid = centroids[slot] / whole.area;
                whole.spread = (squares[slot] / whole.area - whole.centroid.length_squared())
                    .max(0.0)
                    .sqrt();
            }
            whole.spread = whole.spread.max(0.5 * wholes.median_radius);
            let total = whole.area.max(f64::MIN_POSITIVE) as f32;
            let mut most = 0f32;
            for index in 0..islands.len() {
                let owned = &mut pieces.owned[index * joints + slot];
                *owned /= total;
                most = most.max(*owned);
            }
            whole.main_piece = f64::from(most);
        }
        pieces
    }

    /// A joint's mean weight in a piece.
    pub fn weight(&self, piece: usize, slot: u16) -> f32 {
        self.weights[piece * self.joints + usize::from(slot)]
    }

    /// The fraction of a joint's skin that lies in a piece.
    pub fn owned(&self, piece: usize, slot: u16) -> f32 {
        self.owned[piece * self.joints + usize::from(slot)]
    }
}
