//! Triangles from the world to the picture: projection, clipping, sorting into tiles.

use glam::{Vec3, Vec4};
use rayon::prelude::*;

use crate::camera::Lens;
use crate::raster::TILE;

/// Fixed-point units per pixel.
pub(crate) const SUBPIXELS: i32 = 256;

/// Clip this many half-pictures from the centre, so that fixed-point numbers stay small.
const GUARD: f32 = 3.0;

/// A triangle in the picture, ready to be filled.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ScreenTriangle {
    /// Corners in fixed point, wound so that the area is positive with y down.
    pub x: [i32; 3],
    pub y: [i32; 3],
    /// Depth at the first corner and its change per pixel.
    pub z: f32,
    pub z_per_x: f32,
    pub z_per_y: f32,
    pub z_range: [f32; 2],
    /// The triangle of the mesh that this is a piece of.
    pub id: u32,
}

/// Triangles and which of them touch which tile.
pub(crate) struct Sorted {
    pub triangles: Vec<ScreenTriangle>,
    starts: Vec<u32>,
    entries: Vec<u32>,
}

impl Sorted {
    /// The triangles that may touch a tile, in the mesh's order.
    pub fn of_tile(&self, tile: usize) -> impl Iterator<Item = &ScreenTriangle> {
        self.entries[self.starts[tile] as usize..self.starts[tile + 1] as usize]
            .iter()
            .map(|&t| &self.triangles[t as usize])
    }
}

/// A polygon of at most eight corners.
struct Polygon {
    corners: [Vec4; 8],
    count: usize,
}

impl Polygon {
    /// Keeps the side of a plane where `inside` is not negative.
    fn clip(&mut self, inside: impl Fn(Vec4) -> f32) {
        let from = Self {
            corners: self.corners,
            count: self.count,
        };
        self.count = 0;
        for i in 0..from.count {
            let (a, b) = (from.corners[i], from.corners[(i + 1) % from.count]);
            let (da, db) = (inside(a), inside(b));
            if da >= 0.0 {
                self.push(a);
            }
            if (da >= 0.0) != (db >= 0.0) {
                self.push(a + (b - a) * (da / (da - db)));
            }
        }
    }

    fn push(&mut self, corner: Vec4) {
        if self.count < self.corners.len() {
            self.corners[self.count] = corner;
            self.count += 1;
        }
    }
}

/// Projects triangles whose corners are in clip space.
pub(crate) fn project(
    clip: &[Vec4],
    triangles: &[[u32; 3]],
    lens: &Lens,
    hide_back_faces: bool,
    width: u32,
    height: u32,
) -> Sorted {
    let pieces: Vec<Vec<ScreenTriangle>> = triangles
        .par_chunks(4096)
        .enumerate()
        .map(|(chunk, triangles)| {
            let mut out = Vec::with_capacity(triangles.len());
            for (i, t) in triangles.iter().enumerate() {
                let corners = t.map(|v| clip[v as usize]);
                if hide_back_faces && !faces_front(&corners) {
                    continue;
                }
                clipped(corners, lens, (chunk * 4096 + i) as u32, width, height, &mut out);
            }
            out
        })
        .collect();
    let triangles = pieces.concat();
    sorted(triangles, width, height)
}

/// Whether a triangle is seen from its front: the sign of its volume with the eye.
fn faces_front(corners: &[Vec4; 3]) -> bool {
    let [a, b, c] = corners.map(|c| Vec3::new(c.x, c.y, c.w));
    a.dot(b.cross(c)) > 0.0
}

fn clipped(corners: [Vec4; 3], lens: &Lens, id: u32, width: u32, height: u32, out: &mut Vec<ScreenTriangle>) {
    if !corners.iter().all(|c| c.is_finite()) {
        return;
    }
    let near = lens.near.unwrap_or(0.5);
    let beyond = |outside: fn(Vec4) -> bool| corners.iter().all(|&c| outside(c));
    if corners.iter().all(|c| c.w < near)
        || beyond(|c| c.x > c.w)
        || beyond(|c| c.x < -c.w)
        || beyond(|c| c.y > c.w)
        || beyond(|c| c.y < -c.w)
    {
        return;
    }
    let inside = |c: &Vec4| c.w >= near && c.x.abs() <= GUARD * c.w && c.y.abs() <= GUARD * c.w;
    if corners.iter().all(inside) {
        out.extend(screen_triangle(corners, id, width, height));
        return;
    }
    let mut polygon = Polygon {
        corners: [Vec4::ZERO; 8],
        count: 3,
    };
    polygon.corners[..3].copy_from_slice(&corners);
    polygon.clip(|c| c.w - near);
    polygon.clip(|c| GUARD * c.w - c.x);
    polygon.clip(|c| GUARD * c.w + c.x);
    polygon.clip(|c| GUARD * c.w - c.y);
    polygon.clip(|c| GUARD * c.w + c.y);
    for k in 2..polygon.count {
        let piece = [polygon.corners[0], polygon.corners[k - 1], polygon.corners[k]];
        out.extend(screen_triangle(piece, id, width, height));
    }
}

fn screen_triangle(corners: [Vec4; 3], id: u32, width: u32, height: u32) -> Option<ScreenTriangle> {
    let fixed = |v: f32, size: u32| (v * size as f32 * SUBPIXELS as f32).round() as i32;
    let mut x = corners.map(|c| fixed(0.5 + 0.5 * c.x / c.w, width));
    let mut y = corners.map(|c| fixed(0.5 - 0.5 * c.y / c.w, height));
    let mut z = corners.map(|c| c.z / c.w);
    let cross = |x: &[i32; 3], y: &[i32; 3]| {
        i64::from(x[1] - x[0]) * i64::from(y[2] - y[0]) - i64::from(x[2] - x[0]) * i64::from(y[1] - y[0])
    };
    let mut area = cross(&x, &y);
    if area < 0 {
        x.swap(1, 2);
        y.swap(1, 2);
        z.swap(1, 2);
        area = -area;
    }
    if area == 0 {
        return None;
    }
    let (dx1, dy1) = (f64::from(x[1] - x[0]), f64::from(y[1] - y[0]));
    let (dx2, dy2) = (f64::from(x[2] - x[0]), f64::from(y[2] - y[0]));
    let (dz1, dz2) = (
        f64::from(z[1]) - f64::from(z[0]),
        f64::from(z[2]) - f64::from(z[0]),
    );
    let per_pixel = f64::from(SUBPIXELS) / area as f64;
    Some(ScreenTriangle {
        x,
        y,
        z: z[0],
        z_per_x: ((dz1 * dy2 - dz2 * dy1) * per_pixel) as f32,
        z_per_y: ((dz2 * dx1 - dz1 * dx2) * per_pixel) as f32,
        z_range: [z[0].min(z[1]).min(z[2]), z[0].max(z[1]).max(z[2])],
        id,
    })
}

/// First and last tile in each direction that a triangle's box touches.
fn tiles_of(t: &ScreenTriangle, columns: i32, rows: i32) -> Option<[i32; 4]> {
    let unit = TILE as i32 * SUBPIXELS;
    let least = |v: &[i32; 3]| v[0].min(v[1]).min(v[2]).div_euclid(unit).max(0);
    let most = |v: &[i32; 3], count: i32| v[0].max(v[1]).max(v[2]).div_euclid(unit).min(count - 1);
    let range = [least(&t.x), most(&t.x, columns), least(&t.y), most(&t.y, rows)];
    (range[0] <= range[1] && range[2] <= range[3]).then_some(range)
}

fn sorted(triangles: Vec<ScreenTriangle>, width: u32, height: u32) -> Sorted {
    let (columns, rows) = (width.div_ceil(TILE) as i32, height.div_ceil(TILE) as i32);
    let mut starts = vec![0u32; (columns * rows) as usize + 1];
    let each_tile = |t: &ScreenTriangle, visit: &mut dyn FnMut(usize)| {
        if let Some([left, right, top, bottom]) = tiles_of(t, columns, rows) {
            for row in top..=bottom {
                for column in left..=right {
                    visit((row * columns + column) as usize);
                }
            }
        }
    };
    for t in &triangles {
        each_tile(t, &mut |tile| starts[tile + 1] += 1);
    }
    for tile in 1..starts.len() {
        starts[tile] += starts[tile - 1];
    }
    let mut next = starts.clone();
    let mut entries = vec![0; starts.last().map_or(0, |&n| n as usize)];
    for (i, t) in triangles.iter().enumerate() {
        each_tile(t, &mut |tile| {
            entries[next[tile] as usize] = i as u32;
            next[tile] += 1;
        });
    }
    Sorted {
        triangles,
        starts,
        entries,
    }
}
