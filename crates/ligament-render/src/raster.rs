//! Which triangle is nearest at every sample of a tile.
//!
//! Exact integer edge functions with the top-left rule: a sample on an edge between two
//! triangles belongs to exactly one of them.

use crate::project::{SUBPIXELS, ScreenTriangle};

/// Tiles are squares of this many pixels.
pub(crate) const TILE: u32 = 32;

/// No triangle.
pub(crate) const NOTHING: u32 = u32::MAX;

/// Where samples lie in a pixel, in sixteenths from its centre.
pub(crate) type Pattern<const S: usize> = [[i32; 2]; S];

pub(crate) const PATTERN_1: Pattern<1> = [[0, 0]];
/// A rotated grid: every sample has a row and a column of its own.
pub(crate) const PATTERN_4: Pattern<4> = [[-2, -6], [6, -2], [-6, 2], [2, 6]];
/// No two samples share a row or column.
pub(crate) const PATTERN_8: Pattern<8> = [
    [1, -3],
    [-1, 3],
    [5, 1],
    [-3, -5],
    [-5, 5],
    [-7, -1],
    [3, 7],
    [7, -7],
];
/// As for eight.
pub(crate) const PATTERN_16: Pattern<16> = [
    [1, 1],
    [-1, -3],
    [-3, 2],
    [4, -1],
    [-5, -2],
    [2, 5],
    [5, 3],
    [3, -5],
    [-2, 6],
    [0, -7],
    [-4, -6],
    [-6, 4],
    [-8, 0],
    [7, -4],
    [6, 7],
    [-7, -8],
];

/// Nearest depth and its triangle at every sample of a tile, pixel by pixel.
pub(crate) struct Visible<const S: usize> {
    depth: Vec<[f32; S]>,
    id: Vec<[u32; S]>,
    left: i32,
    top: i32,
}

impl<const S: usize> Visible<S> {
    pub fn new() -> Self {
        let pixels = (TILE * TILE) as usize;
        Self {
            depth: vec![[f32::NEG_INFINITY; S]; pixels],
            id: vec![[NOTHING; S]; pixels],
            left: 0,
            top: 0,
        }
    }

    /// Starts over for the tile whose top left pixel is given.
    pub fn clear(&mut self, left: u32, top: u32) {
        self.depth.fill([f32::NEG_INFINITY; S]);
        self.id.fill([NOTHING; S]);
        (self.left, self.top) = (left as i32, top as i32);
    }

    /// The triangles at a pixel's samples; `x` and `y` within the tile.
    pub fn at(&self, x: u32, y: u32) -> &[u32; S] {
        &self.id[(y * TILE + x) as usize]
    }

    /// Fills a triangle in, where it is nearer than what is there. Of two at the same
    /// depth the one that came first stays.
    pub fn fill(&mut self, t: &ScreenTriangle, pattern: &Pattern<S>) {
        let bounds = |v: &[i32; 3], start: i32| {
            let low = v[0].min(v[1]).min(v[2]).div_euclid(SUBPIXELS).max(start);
            let high = v[0].max(v[1]).max(v[2]).div_euclid(SUBPIXELS);
            (low, high.min(start + TILE as i32 - 1))
        };
        let ((x0, x1), (y0, y1)) = (bounds(&t.x, self.left), bounds(&t.y, self.top));
        if x0 > x1 || y0 > y1 {
            return;
        }
        // Edge k runs from corner k to the next; inside is where all three are positive.
        let centre = |pixel: i32| i64::from(pixel * SUBPIXELS + SUBPIXELS / 2);
        let unit = i64::from(SUBPIXELS / 16);
        let mut row = [0i64; 3];
        let mut per_x = [0i64; 3];
        let mut per_y = [0i64; 3];
        let mut at_sample = [[0i64; S]; 3];
        let mut reach = [0i64; 3];
        for k in 0..3 {
            let next = (k + 1) % 3;
            let (dx, dy) = (i64::from(t.x[next] - t.x[k]), i64::from(t.y[next] - t.y[k]));
            let owns_border = dy < 0 || (dy == 0 && dx > 0);
            row[k] = dx * (centre(y0) - i64::from(t.y[k])) - dy * (centre(x0) - i64::from(t.x[k]))
                + if owns_border { 0 } else { -1 };
            per_x[k] = -dy * i64::from(SUBPIXELS);
            per_y[k] = dx * i64::from(SUBPIXELS);
            reach[k] = i64::MIN;
            for s in 0..S {
                at_sample[k][s] = unit * (dx * i64::from(pattern[s][1]) - dy * i64::from(pattern[s][0]));
                reach[k] = reach[k].max(at_sample[k][s]);
            }
        }
        let z_at_sample: [f32; S] = std::array::from_fn(|s| {
            (t.z_per_x * pattern[s][0] as f32 + t.z_per_y * pattern[s][1] as f32) / 16.0
        });
        let [z_low, z_high] = t.z_range;
        for y in y0..=y1 {
            let mut edge = row;
            let z_row = t.z + t.z_per_y * (y as f32 + 0.5 - t.y[0] as f32 / SUBPIXELS as f32);
            let start = ((y - self.top) * TILE as i32 - self.left) as isize;
            for x in x0..=x1 {
                if edge[0] + reach[0] >= 0 && edge[1] + reach[1] >= 0 && edge[2] + reach[2] >= 0 {
                    let z = z_row + t.z_per_x * (x as f32 + 0.5 - t.x[0] as f32 / SUBPIXELS as f32);
                    let pixel = (start + x as isize) as usize;
                    let (depth, id) = (&mut self.depth[pixel], &mut self.id[pixel]);
                    for s in 0..S {
                        let inside = (edge[0] + at_sample[0][s])
                            | (edge[1] + at_sample[1][s])
                            | (edge[2] + at_sample[2][s]);
                        // Rounding must not put a sample outside its triangle's depths.
                        let z = (z + z_at_sample[s]).max(z_low).min(z_high);
                        if inside >= 0 && z > depth[s] {
                            depth[s] = z;
                            id[s] = t.id;
                        }
                    }
                }
                for k in 0..3 {
                    edge[k] += per_x[k];
                }
            }
            for k in 0..3 {
                row[k] += per_y[k];
            }
        }
    }
}
