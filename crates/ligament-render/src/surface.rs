//! What is seen of a triangle at a pixel: its colour in the light.

use std::borrow::Cow;

use glam::{Vec2, Vec3, Vec4};
use ligament::Mesh;
use ligament::geometry::Weld;
use rayon::prelude::*;

use crate::camera::Lens;
use crate::coat::{Coat, SurfacePoint};
use crate::light::Lights;
use crate::project::{Sorted, project};
use crate::{BackFaces, Shading, Wire};

/// A mesh in clip space with all that colours it.
pub(crate) struct Surface<'a> {
    pub positions: &'a [Vec3],
    pub triangles: &'a [[u32; 3]],
    pub normals: Cow<'a, [Vec3]>,
    pub clip: Vec<Vec4>,
    pub coat: Coat<'a>,
    pub shading: Shading,
    pub back_faces: BackFaces,
    pub wire: Option<Wire>,
    pub opacity: f32,
    pub sorted: Sorted,
}

/// What faces seen from behind are mixed with.
const BACK_TINT: Vec3 = Vec3::new(0.50, 0.025, 0.02);
/// How far the edge of a pale mesh goes towards hiding all.
const OUTLINE: f32 = 0.7;
/// How much of that tint they get.
const BACK_TINT_SHARE: f32 = 0.85;

/// The picture's size and what lies between it and the world.
#[derive(Clone, Copy)]
pub(crate) struct Frame {
    pub lens: Lens,
    pub lights: Lights,
    pub width: u32,
    pub height: u32,
}

impl<'a> Surface<'a> {
    #[allow(clippy::too_many_arguments, reason = "one caller per kind of layer")]
    pub fn new(
        positions: &'a [Vec3],
        triangles: &'a [[u32; 3]],
        normals: Cow<'a, [Vec3]>,
        coat: Coat<'a>,
        shading: Shading,
        back_faces: BackFaces,
        wire: Option<Wire>,
        opacity: f32,
        frame: &Frame,
    ) -> Self {
        let clip: Vec<Vec4> = positions
            .par_iter()
            .with_min_len(4096)
            .map(|&p| frame.lens.clip_from_world(p))
            .collect();
        let sorted = project(
            &clip,
            triangles,
            &frame.lens,
            back_faces == BackFaces::Hide,
            frame.width,
            frame.height,
        );
        Self {
            positions,
            triangles,
            normals,
            clip,
            coat,
            shading,
            back_faces,
            wire,
            opacity,
            sorted,
        }
    }

    /// The light that a triangle sends through a point of the picture, given in pixels,
    /// and how much it hides of what is behind it.
    pub fn shade(&self, triangle: u32, x: f32, y: f32, frame: &Frame) -> (Vec3, f32) {
        let triangle = triangle as usize;
        let corners = self.triangles[triangle].map(|v| v as usize);
        let clip = corners.map(|v| self.clip[v]);
        let [a, b, c] = from_pixel(&clip, x, y, frame);
        let areas = areas(a, b, c);
        let front = areas.element_sum() > 0.0;
        let at = on_triangle(areas);
        let point = self.point(&clip, at, x, y, frame);
        let (mut color, alpha) = self.coat.color(triangle, corners, point);
        if !front && self.back_faces == BackFaces::Tint {
            color += (BACK_TINT - color) * BACK_TINT_SHARE;
        }
        let mut opacity = self.opacity;
        let mut light = if self.shading == Shading::Unlit {
            color
        } else {
            let [p, q, r] = corners.map(|v| self.positions[v]);
            let normal = match self.shading {
                Shading::Flat => (q - p).cross(r - p),
                _ => {
                    self.normals[corners[0]] * at.x
                        + self.normals[corners[1]] * at.y
                        + self.normals[corners[2]] * at.z
                }
            };
            let to_eye = match frame.lens.near {
                Some(_) => (frame.lens.eye - (p * at.x + q * at.y + r * at.z)).normalize_or(Vec3::Y),
                None => -frame.lens.forward,
            };
            let plain = normal.normalize_or(to_eye);
            let bent = match self.shading {
                Shading::Smooth => self.coat.bent(triangle, [p, q, r], plain, point),
                _ => plain,
            };
            let [normal, bent] = [plain, bent].map(|n| if front { n } else { -n });
            // A pale mesh keeps its outline: the more it turns away, the more it hides.
            let edge = 1.0 - normal.dot(to_eye).clamp(0.0, 1.0);
            opacity += (1.0 - opacity) * OUTLINE * edge * edge * edge;
            frame.lights.shade(color, bent, to_eye)
        };
        if let Some(wire) = &self.wire
            && clip.iter().all(|c| c.w > 0.0)
        {
            let half = 0.5 * Vec2::new(frame.width as f32, frame.height as f32);
            let pixels = [a / clip[0].w, b / clip[1].w, c / clip[2].w].map(|p| p * half);
            light += (Vec3::from(wire.color) - light) * wire.coverage(pixels);
        }
        (light.min(Vec3::ONE), opacity * alpha)
    }

    /// The alpha of a triangle at a point of the picture.
    pub fn alpha(&self, triangle: u32, x: f32, y: f32, frame: &Frame) -> f32 {
        let triangle = triangle as usize;
        let corners = self.triangles[triangle].map(|v| v as usize);
        let clip = corners.map(|v| self.clip[v]);
        let [a, b, c] = from_pixel(&clip, x, y, frame);
        let point = self.point(&clip, on_triangle(areas(a, b, c)), x, y, frame);
        self.coat.alpha(triangle, corners, point)
    }

    /// A point of a triangle with its neighbours, which tell how small a texture is there.
    fn point(&self, clip: &[Vec4; 3], at: Vec3, x: f32, y: f32, frame: &Frame) -> SurfacePoint {
        let beside = |x: f32, y: f32| {
            let [a, b, c] = from_pixel(clip, x, y, frame);
            let areas = areas(a, b, c);
            let there = areas / areas.element_sum();
            if there.is_finite() { there } else { at }
        };
        match &self.coat {
            Coat::Parts(_) => SurfacePoint {
                at,
                right: beside(x + 1.0, y),
                down: beside(x, y + 1.0),
            },
            _ => SurfacePoint {
                at,
                right: at,
                down: at,
            },
        }
    }
}

/// Corners seen from a pixel, before division by w.
fn from_pixel(clip: &[Vec4; 3], x: f32, y: f32, frame: &Frame) -> [Vec2; 3] {
    let ndc = Vec2::new(
        2.0 * x / frame.width as f32 - 1.0,
        1.0 - 2.0 * y / frame.height as f32,
    );
    clip.map(|c| Vec2::new(c.x - ndc.x * c.w, c.y - ndc.y * c.w))
}

/// The areas that corners span with the pixel: the perspective-correct barycentric
/// coordinates but for their sum, also where corners are behind the eye.
fn areas(a: Vec2, b: Vec2, c: Vec2) -> Vec3 {
    Vec3::new(b.perp_dot(c), c.perp_dot(a), a.perp_dot(b))
}

/// Barycentric coordinates of the nearest point of the triangle: a pixel's middle may be
/// beside it, between its samples.
fn on_triangle(areas: Vec3) -> Vec3 {
    let at = (areas / areas.element_sum()).max(Vec3::ZERO);
    let at = at / at.element_sum();
    if at.is_finite() {
        at
    } else {
        Vec3::splat(1.0 / 3.0)
    }
}

/// Smooth normals from the faces at their present positions, across vertices that the
/// mesh has split.
pub(crate) fn smooth_normals(mesh: &Mesh, positions: &[Vec3]) -> Vec<Vec3> {
    let finite = mesh.positions.iter().all(|p| p.is_finite());
    let group_of: Vec<u32> = if finite {
        Weld::within(&mesh.positions, 0.0).point_of_vertex
    } else {
        (0..positions.len() as u32).collect()
    };
    let mut sums = vec![Vec3::ZERO; positions.len()];
    for t in &mesh.triangles {
        let [a, b, c] = t.map(|v| positions[v as usize]);
        let area_normal = (b - a).cross(c - a);
        if area_normal.is_finite() {
            for &v in t {
                sums[group_of[v as usize] as usize] += area_normal;
            }
        }
    }
    group_of
        .iter()
        .map(|&g| sums[g as usize].normalize_or(Vec3::Y))
        .collect()
}
