//! What is seen of a triangle at a pixel: its colour in the light.

use std::borrow::Cow;

use glam::{Vec2, Vec3, Vec4};
use ligament::Mesh;
use ligament::geometry::Weld;
use rayon::prelude::*;

use crate::camera::Lens;
use crate::light::Lights;
use crate::project::{Sorted, project};
use crate::{BackFaces, Paint, Ramp, Shading, Wire};

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

/// What colours a surface, made ready for lookup.
pub(crate) enum Coat<'a> {
    Parts {
        part_of_triangle: Vec<u32>,
        base_colors: Vec<Vec3>,
        vertex_colors: Option<&'a [[f32; 4]]>,
    },
    Colors(&'a [[f32; 3]]),
    Scalar(&'a [f32], Ramp),
}

/// Untouched materials are white; a little grey keeps light on them from burning out.
const CLAY: Vec3 = Vec3::new(0.62, 0.615, 0.605);
/// The darkest base colour that is drawn, about that of charcoal: a black character would be
/// nothing but its outline.
const DARKEST: f32 = 0.06;
/// What faces seen from behind are mixed with.
const BACK_TINT: Vec3 = Vec3::new(0.50, 0.025, 0.02);
/// How far the edge of a pale mesh goes towards hiding all.
const OUTLINE: f32 = 0.7;
/// How much of that tint they get.
const BACK_TINT_SHARE: f32 = 0.85;

impl<'a> Coat<'a> {
    pub fn new(mesh: &'a Mesh, paint: Paint<'a>) -> Self {
        match paint {
            Paint::Colors(colors) => Self::Colors(colors),
            Paint::Scalar { values, ramp } => Self::Scalar(values, ramp),
            Paint::Material => {
                let none = mesh.parts.len() as u32;
                let mut part_of_triangle = vec![none; mesh.triangles.len()];
                for (i, part) in mesh.parts.iter().enumerate() {
                    if let Some(range) = part_of_triangle.get_mut(part.triangles.clone()) {
                        range.fill(i as u32);
                    }
                }
                let base = |color: [f32; 4]| {
                    let [r, g, b, _] = color;
                    Vec3::new(r, g, b).clamp(Vec3::splat(DARKEST), Vec3::ONE) * CLAY
                };
                let mut base_colors: Vec<Vec3> =
                    mesh.parts.iter().map(|p| base(p.material.base_color)).collect();
                base_colors.push(CLAY);
                Self::Parts {
                    part_of_triangle,
                    base_colors,
                    vertex_colors: mesh.colors.as_deref(),
                }
            }
        }
    }

    fn color(&self, triangle: usize, corners: [usize; 3], at: Vec3) -> Vec3 {
        let mixed = |c: [Vec3; 3]| c[0] * at.x + c[1] * at.y + c[2] * at.z;
        match self {
            Self::Colors(colors) => mixed(corners.map(|v| Vec3::from(colors[v]))),
            Self::Scalar(values, ramp) => {
                let [a, b, c] = corners.map(|v| values[v]);
                ramp.color(a * at.x + b * at.y + c * at.z).into()
            }
            Self::Parts {
                part_of_triangle,
                base_colors,
                vertex_colors,
            } => {
                let base = base_colors[part_of_triangle[triangle] as usize];
                vertex_colors.map_or(base, |colors| {
                    base * mixed(corners.map(|v| {
                        let [r, g, b, _] = colors[v];
                        Vec3::new(r, g, b)
                    }))
                })
            }
        }
    }
}

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

    /// The light that a triangle sends through a place in the picture, given in pixels,
    /// and how much it hides of what is behind it.
    pub fn shade(&self, triangle: u32, x: f32, y: f32, frame: &Frame) -> (Vec3, f32) {
        let triangle = triangle as usize;
        let corners = self.triangles[triangle].map(|v| v as usize);
        // Corners seen from the pixel, before division by w: the areas they span with it
        // are the perspective-correct barycentric coordinates, also where corners are
        // behind the eye.
        let ndc = Vec2::new(
            2.0 * x / frame.width as f32 - 1.0,
            1.0 - 2.0 * y / frame.height as f32,
        );
        let clip = corners.map(|v| self.clip[v]);
        let [a, b, c] = clip.map(|c| Vec2::new(c.x - ndc.x * c.w, c.y - ndc.y * c.w));
        let areas = Vec3::new(b.perp_dot(c), c.perp_dot(a), a.perp_dot(b));
        let sum = areas.element_sum();
        let front = sum > 0.0;
        // A place beside the triangle (between its samples) takes the nearest on it.
        let at = (areas / sum).max(Vec3::ZERO);
        let at = at / at.element_sum();
        let at = if at.is_finite() {
            at
        } else {
            Vec3::splat(1.0 / 3.0)
        };

        let mut color = self.coat.color(triangle, corners, at);
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
            let normal = normal.normalize_or(to_eye);
            let normal = if front { normal } else { -normal };
            // A pale mesh keeps its outline: the more it turns away, the more it hides.
            let edge = 1.0 - normal.dot(to_eye).clamp(0.0, 1.0);
            opacity += (1.0 - opacity) * OUTLINE * edge * edge * edge;
            frame.lights.shade(color, normal, to_eye)
        };
        if let Some(wire) = &self.wire
            && clip.iter().all(|c| c.w > 0.0)
        {
            let half = 0.5 * Vec2::new(frame.width as f32, frame.height as f32);
            let pixels = [a / clip[0].w, b / clip[1].w, c / clip[2].w].map(|p| p * half);
            light += (Vec3::from(wire.color) - light) * wire.coverage(pixels);
        }
        (light.min(Vec3::ONE), opacity)
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
