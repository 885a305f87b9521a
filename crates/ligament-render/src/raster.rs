//! Which triangle is nearest at every sample of a tile.
//!
//! Exact integer edge functions with the top-left rule: a sample on an edge between two
//! triangles belongs to exactly one of them.

use std::ops::{Add, BitOr};

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
        let Some((edges, bounds)) = self.edges(t, pattern) else {
            return;
        };
        // Edge functions of small triangles fit into 32 bits, four to a register.
        let extent = |v: &[i32; 3]| v[0].max(v[1]).max(v[2]) - v[0].min(v[1]).min(v[2]);
        if extent(&t.x).max(extent(&t.y)) <= 64 * SUBPIXELS {
            self.sweep(t, pattern, &edges.map(|e| e as i32), bounds);
        } else {
            self.sweep(t, pattern, &edges, bounds);
        }
    }

    /// A triangle's edge functions, and the pixels of this tile that it may touch.
    #[inline]
    fn edges(&self, t: &ScreenTriangle, pattern: &Pattern<S>) -> Option<(Edges<i64, S>, [i32; 4])> {
        let bounds = |v: &[i32; 3], start: i32| {
            let low = v[0].min(v[1]).min(v[2]).div_euclid(SUBPIXELS).max(start);
            let high = v[0].max(v[1]).max(v[2]).div_euclid(SUBPIXELS);
            (low, high.min(start + TILE as i32 - 1))
        };
        let ((x0, x1), (y0, y1)) = (bounds(&t.x, self.left), bounds(&t.y, self.top));
        if x0 > x1 || y0 > y1 {
            return None;
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
        let edges = Edges {
            row,
            per_x,
            per_y,
            at_sample,
            reach,
        };
        Some((edges, [x0, x1, y0, y1]))
    }

    /// Fills a triangle in as [`Visible::fill`] does, at those samples alone that `keep` says;
    /// it gets a sample's position in pixels.
    pub fn fill_where(&mut self, t: &ScreenTriangle, pattern: &Pattern<S>, keep: impl Fn(f32, f32) -> bool) {
        let left_top = (self.left, self.top);
        let Some((edges, bounds)) = self.edges(t, pattern) else {
            return;
        };
        each_sample(t, pattern, &edges, bounds, |x, y, s, z| {
            let pixel = ((y - left_top.1) * TILE as i32 + x - left_top.0) as usize;
            let position = |p: i32, k: usize| p as f32 + 0.5 + pattern[s][k] as f32 / 16.0;
            if z > self.depth[pixel][s] && keep(position(x, 0), position(y, 1)) {
                self.depth[pixel][s] = z;
                self.id[pixel][s] = t.id;
            }
        });
    }

    /// For each pixel of the tile at which a triangle is nearer than what is there: its
    /// column and row in the tile, at how many samples, and the sum of their positions in
    /// sixteenths.
    pub fn each_seen(
        &self,
        t: &ScreenTriangle,
        pattern: &Pattern<S>,
        mut visit: impl FnMut(u32, u32, i32, [i32; 2]),
    ) {
        let Some((edges, bounds)) = self.edges(t, pattern) else {
            return;
        };
        let mut now: Option<(i32, i32, i32, [i32; 2])> = None;
        let mut finish = |seen: Option<(i32, i32, i32, [i32; 2])>| {
            if let Some((x, y, count, sum)) = seen {
                visit((x - self.left) as u32, (y - self.top) as u32, count, sum);
            }
        };
        each_sample(t, pattern, &edges, bounds, |x, y, s, z| {
            let pixel = ((y - self.top) * TILE as i32 + x - self.left) as usize;
            if z <= self.depth[pixel][s] {
                return;
            }
            match &mut now {
                Some((nx, ny, count, sum)) if (*nx, *ny) == (x, y) => {
                    *count += 1;
                    sum[0] += pattern[s][0];
                    sum[1] += pattern[s][1];
                }
                _ => finish(now.replace((x, y, 1, pattern[s]))),
            }
        });
        finish(now);
    }

    /// Walks the pixels of a box and fills those samples at which no edge is negative.
    #[inline]
    fn sweep<T: Whole>(
        &mut self,
        t: &ScreenTriangle,
        pattern: &Pattern<S>,
        edges: &Edges<T, S>,
        [x0, x1, y0, y1]: [i32; 4],
    ) {
        let zero = T::default();
        let z_at_sample: [f32; S] = std::array::from_fn(|s| {
            (t.z_per_x * pattern[s][0] as f32 + t.z_per_y * pattern[s][1] as f32) / 16.0
        });
        let [z_low, z_high] = t.z_range;
        let mut row = edges.row;
        for y in y0..=y1 {
            let mut edge = row;
            let z_row = t.z + t.z_per_y * (y as f32 + 0.5 - t.y[0] as f32 / SUBPIXELS as f32);
            let start = ((y - self.top) * TILE as i32 - self.left) as isize;
            for x in x0..=x1 {
                if (edge[0] + edges.reach[0]) | (edge[1] + edges.reach[1]) | (edge[2] + edges.reach[2])
                    >= zero
                {
                    let z = z_row + t.z_per_x * (x as f32 + 0.5 - t.x[0] as f32 / SUBPIXELS as f32);
                    let pixel = (start + x as isize) as usize;
                    // Whole arrays in and out, so that the loop becomes one vector step.
                    let (mut depth, mut id) = (self.depth[pixel], self.id[pixel]);
                    for s in 0..S {
                        let inside = (edge[0] + edges.at_sample[0][s])
                            | (edge[1] + edges.at_sample[1][s])
                            | (edge[2] + edges.at_sample[2][s]);
                        // Rounding must not put a sample outside its triangle's depths.
                        let z = z + z_at_sample[s];
                        let z = if z > z_low { z } else { z_low };
                        let z = if z < z_high { z } else { z_high };
                        let hit = (inside >= zero) & (z > depth[s]);
                        depth[s] = if hit { z } else { depth[s] };
                        id[s] = if hit { t.id } else { id[s] };
                    }
                    self.depth[pixel] = depth;
                    self.id[pixel] = id;
                }
                for k in 0..3 {
                    edge[k] = edge[k] + edges.per_x[k];
                }
            }
            for k in 0..3 {
                row[k] = row[k] + edges.per_y[k];
            }
        }
    }
}

/// Every sample inside a triangle, pixel by pixel, with its depth as [`Visible::fill`] finds it.
fn each_sample<const S: usize>(
    t: &ScreenTriangle,
    pattern: &Pattern<S>,
    edges: &Edges<i64, S>,
    [x0, x1, y0, y1]: [i32; 4],
    mut visit: impl FnMut(i32, i32, usize, f32),
) {
    let [z_low, z_high] = t.z_range;
    let mut row = edges.row;
    for y in y0..=y1 {
        let mut edge = row;
        let z_row = t.z + t.z_per_y * (y as f32 + 0.5 - t.y[0] as f32 / SUBPIXELS as f32);
        for x in x0..=x1 {
            let z = z_row + t.z_per_x * (x as f32 + 0.5 - t.x[0] as f32 / SUBPIXELS as f32);
            for s in 0..S {
                let inside = (0..3).all(|k| edge[k] + edges.at_sample[k][s] >= 0);
                if inside {
                    let offset = (t.z_per_x * pattern[s][0] as f32 + t.z_per_y * pattern[s][1] as f32) / 16.0;
                    let z = z + offset;
                    let z = if z > z_low { z } else { z_low };
                    visit(x, y, s, if z < z_high { z } else { z_high });
                }
            }
            for k in 0..3 {
                edge[k] += edges.per_x[k];
            }
        }
        for k in 0..3 {
            row[k] += edges.per_y[k];
        }
    }
}

/// Integers that edge functions are computed in.
trait Whole: Copy + Default + PartialOrd + Add<Output = Self> + BitOr<Output = Self> {}
impl Whole for i32 {}
impl Whole for i64 {}

/// The three edge functions of a triangle: at the centre of the first pixel, their change
/// per pixel, their offset at each sample, and the largest offset.
struct Edges<T, const S: usize> {
    row: [T; 3],
    per_x: [T; 3],
    per_y: [T; 3],
    at_sample: [[T; S]; 3],
    reach: [T; 3],
}

impl<T: Copy, const S: usize> Edges<T, S> {
    fn map<U>(&self, f: impl Fn(T) -> U) -> Edges<U, S> {
        Edges {
            row: self.row.map(&f),
            per_x: self.per_x.map(&f),
            per_y: self.per_y.map(&f),
            at_sample: self.at_sample.map(|samples| samples.map(&f)),
            reach: self.reach.map(&f),
        }
    }
}
