//! A soft shadow where a character stands: a blurred picture of it from above, darker
//! where it is near the ground.

use glam::{Vec2, Vec3};

use crate::camera::Lens;

/// Cells along each side of the shadow's grid.
const CELLS: usize = 112;
/// Free border around the character, in cells, for the blur to run out in.
const BORDER: f32 = 20.0;
/// Height, relative to the character's size, at which a shadow is gone.
const FADE_HEIGHT: f32 = 0.35;
const BLUR_RADIUS: usize = 3;

/// Darkness over a square on the ground.
pub(crate) struct Shadow {
    ground: f32,
    corner: Vec2,
    cell: f32,
    dark: Vec<f32>,
}

impl Shadow {
    /// `None` when there is nothing to cast one.
    pub fn new(positions: &[Vec3], triangles: &[[u32; 3]], strength: f32) -> Option<Self> {
        let mut finite = positions.iter().filter(|p| p.is_finite());
        let first = *finite.next()?;
        let (low, high) = finite.fold((first, first), |(l, h), p| (l.min(*p), h.max(*p)));
        let size = (high - low).max_element();
        if !(strength > 0.0 && size > 0.0 && size.is_finite()) {
            return None;
        }
        let cell = (high.x - low.x).max(high.z - low.z).max(0.05 * size) / (CELLS as f32 - 2.0 * BORDER);
        let centre = 0.5 * Vec2::new(low.x + high.x, low.z + high.z);
        let corner = centre - Vec2::splat(0.5 * CELLS as f32 * cell);
        let mut dark = vec![0f32; CELLS * CELLS];
        for t in triangles {
            let p = t.map(|v| positions[v as usize]);
            if !p.iter().all(|p| p.is_finite()) {
                continue;
            }
            let lowest = p[0].y.min(p[1].y).min(p[2].y);
            let value = strength * (1.0 - (lowest - low.y) / (FADE_HEIGHT * size)).clamp(0.0, 1.0);
            if value > 0.0 {
                splat(&mut dark, p.map(|p| (Vec2::new(p.x, p.z) - corner) / cell), value);
            }
        }
        for _ in 0..3 {
            dark = blurred(&blurred(&dark));
        }
        Some(Self {
            ground: low.y,
            corner,
            cell,
            dark,
        })
    }

    /// The part of the picture, in ±1, that the shadow may be seen in: left, right, bottom
    /// and top.
    pub fn bounds(&self, lens: &Lens) -> [f32; 4] {
        let side = CELLS as f32 * self.cell;
        let mut bounds = [f32::INFINITY, f32::NEG_INFINITY, f32::INFINITY, f32::NEG_INFINITY];
        for corner in [Vec2::ZERO, Vec2::X, Vec2::Y, Vec2::ONE] {
            let p = self.corner + corner * side;
            let clip = lens.clip_from_world(Vec3::new(p.x, self.ground, p.y));
            if clip.w < lens.near.unwrap_or(0.0) {
                return [-1.0, 1.0, -1.0, 1.0];
            }
            let (x, y) = (clip.x / clip.w, clip.y / clip.w);
            bounds[0] = bounds[0].min(x);
            bounds[1] = bounds[1].max(x);
            bounds[2] = bounds[2].min(y);
            bounds[3] = bounds[3].max(y);
        }
        bounds
    }

    /// How dark the ground is where a ray meets it; zero where it does not.
    pub fn along(&self, start: Vec3, direction: Vec3) -> f32 {
        if direction.y >= 0.0 {
            return 0.0;
        }
        let t = (self.ground - start.y) / direction.y;
        if t <= 0.0 {
            return 0.0;
        }
        let p = start + direction * t;
        let q = (Vec2::new(p.x, p.z) - self.corner) / self.cell - 0.5;
        let last = CELLS as f32 - 1.0;
        if !(q.x >= 0.0 && q.y >= 0.0 && q.x < last && q.y < last) {
            return 0.0;
        }
        let (x, y) = (q.x as usize, q.y as usize);
        let (u, v) = (q.x - x as f32, q.y - y as f32);
        let at = |x: usize, y: usize| self.dark[y * CELLS + x];
        (at(x, y) * (1.0 - u) + at(x + 1, y) * u) * (1.0 - v)
            + (at(x, y + 1) * (1.0 - u) + at(x + 1, y + 1) * u) * v
    }
}

/// Darkens the cells whose centres a triangle covers and those its corners are in.
fn splat(dark: &mut [f32], p: [Vec2; 3], value: f32) {
    let mut darken = |x: usize, y: usize| {
        let cell = &mut dark[y * CELLS + x];
        *cell = cell.max(value);
    };
    let index = |v: f32| (v.max(0.0) as usize).min(CELLS - 1);
    for corner in p {
        darken(index(corner.x), index(corner.y));
    }
    let (low, high) = (p[0].min(p[1]).min(p[2]), p[0].max(p[1]).max(p[2]));
    let area = (p[1] - p[0]).perp_dot(p[2] - p[0]);
    if area == 0.0 {
        return;
    }
    for y in index(low.y)..=index(high.y) {
        for x in index(low.x)..=index(high.x) {
            let at = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
            let inside = (0..3).all(|k| (p[(k + 1) % 3] - p[k]).perp_dot(at - p[k]) * area >= 0.0);
            if inside {
                darken(x, y);
            }
        }
    }
}

/// A box blur along rows, with rows and columns swapped: twice is a blur both ways.
fn blurred(dark: &[f32]) -> Vec<f32> {
    let mut out = vec![0.0; CELLS * CELLS];
    for y in 0..CELLS {
        for x in 0..CELLS {
            let range = x.saturating_sub(BLUR_RADIUS)..(x + BLUR_RADIUS + 1).min(CELLS);
            let sum: f32 = dark[y * CELLS..][range].iter().sum();
            out[x * CELLS + y] = sum / (2 * BLUR_RADIUS + 1) as f32;
        }
    }
    out
}
