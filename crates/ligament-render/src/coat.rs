//! What colours a surface, made ready for lookup.

use glam::{Vec2, Vec3, Vec4};
use ligament::Mesh;
use ligament::character::{Alpha, Texture, UvTransform, Wrap};

use crate::picture::Picture;
use crate::{Paint, Pictures, Ramp};

/// What colours a surface.
pub(crate) enum Coat<'a> {
    Parts(Parts<'a>),
    Colors(&'a [[f32; 3]]),
    Scalar(&'a [f32], Ramp),
}

/// A mesh in the colours of its parts.
pub(crate) struct Parts<'a> {
    part_of_triangle: Vec<u32>,
    /// One for each part, and one more for triangles of none.
    looks: Vec<Look<'a>>,
    vertex_colors: Option<&'a [[f32; 4]]>,
    corner_uvs: &'a [[Vec2; 3]],
}

/// How one part looks.
struct Look<'a> {
    base: Vec4,
    alpha: Alpha,
    picture: Option<Shown<'a>>,
    /// Its bumps, and how strong they are.
    bumps: Option<(Shown<'a>, f32)>,
}

/// A texture and how it is laid on.
struct Shown<'a> {
    picture: &'a Picture,
    wrap: [Wrap; 2],
    transform: UvTransform,
}

/// How a triangle hides what is behind it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Cover {
    /// All of it.
    Solid,
    /// Where its alpha is at least this, and nowhere else.
    Cutout(f32),
    /// As much as its alpha says.
    Blend,
}

/// A point of a triangle: barycentric coordinates, and those of points one pixel further to
/// the right and down.
#[derive(Clone, Copy)]
pub(crate) struct SurfacePoint {
    pub at: Vec3,
    pub right: Vec3,
    pub down: Vec3,
}

/// Untouched materials are white; a little grey keeps light on them from burning out.
const CLAY: Vec3 = Vec3::new(0.62, 0.615, 0.605);
/// The same for characters with textures, which know darker tones of their own.
const PAINTED: Vec3 = Vec3::new(0.82, 0.815, 0.805);
/// The darkest base colour that is drawn, about that of charcoal: a black character would be
/// nothing but its outline.
const DARKEST: f32 = 0.06;
/// The same for colours of a texture, softly: what is drawn in the dark stays to be seen.
const DARKEST_TEXEL: f32 = 0.035;
/// From here on a material that blends hides all, and things behind it need not be sorted.
pub(crate) const NEARLY_SOLID: f32 = 0.98;

impl<'a> Coat<'a> {
    pub fn new(mesh: &'a Mesh, paint: Paint<'a>) -> Self {
        match paint {
            Paint::Colors(colors) => Self::Colors(colors),
            Paint::Scalar { values, ramp } => Self::Scalar(values, ramp),
            Paint::Material => Self::Parts(Parts::new(mesh, None)),
            Paint::Textured(pictures) => Self::Parts(Parts::new(mesh, Some(pictures))),
        }
    }

    /// The linear colour at a point, and how much it hides of what is behind it.
    pub fn color(&self, triangle: usize, corners: [usize; 3], point: SurfacePoint) -> (Vec3, f32) {
        let at = point.at;
        match self {
            Self::Colors(colors) => (mixed(corners.map(|v| Vec3::from(colors[v])), at), 1.0),
            Self::Scalar(values, ramp) => {
                let [a, b, c] = corners.map(|v| values[v]);
                (ramp.color(a * at.x + b * at.y + c * at.z).into(), 1.0)
            }
            Self::Parts(parts) => parts.color(triangle, corners, point),
        }
    }

    /// How a triangle hides what is behind it.
    pub fn cover(&self, triangle: usize) -> Cover {
        match self {
            Self::Parts(parts) => parts.cover(triangle),
            _ => Cover::Solid,
        }
    }

    /// Whether all triangles are solid.
    pub fn is_solid(&self) -> bool {
        match self {
            Self::Parts(parts) => parts.looks.iter().all(|l| l.cover() == Cover::Solid),
            _ => true,
        }
    }

    /// The unit normal at a point of a triangle with these corners, bent by the bumps there.
    pub fn bent(&self, triangle: usize, corners: [Vec3; 3], normal: Vec3, point: SurfacePoint) -> Vec3 {
        match self {
            Self::Parts(parts) => parts.bent(triangle, corners, normal, point).unwrap_or(normal),
            _ => normal,
        }
    }

    /// The alpha at a point.
    pub fn alpha(&self, triangle: usize, corners: [usize; 3], point: SurfacePoint) -> f32 {
        match self {
            Self::Parts(parts) => parts.texel(triangle, corners, point).w,
            _ => 1.0,
        }
    }
}

impl<'a> Parts<'a> {
    fn new(mesh: &'a Mesh, pictures: Option<&'a Pictures>) -> Self {
        let none = mesh.parts.len() as u32;
        let mut part_of_triangle = vec![none; mesh.triangles.len()];
        for (i, part) in mesh.parts.iter().enumerate() {
            if let Some(range) = part_of_triangle.get_mut(part.triangles.clone()) {
                range.fill(i as u32);
            }
        }
        let corner_uvs = mesh.corner_uvs.as_deref().unwrap_or_default();
        let has_uvs = corner_uvs.len() == mesh.triangles.len();
        let pictures = pictures.filter(|p| has_uvs || p.decoded.is_empty());
        let tone = match pictures {
            Some(pictures) if pictures.of_part.iter().any(|[color, _]| color.is_some()) => PAINTED,
            _ => CLAY,
        };
        let mut looks: Vec<Look<'a>> = Vec::new();
        for (i, part) in mesh.parts.iter().enumerate() {
            let material = &part.material;
            let [color, bumps] = [0, 1].map(|k| {
                let pictures = pictures?;
                pictures.decoded.get(pictures.of_part.get(i)?[k]?)
            });
            let picture = color
                .zip(material.texture.as_ref())
                .map(|(picture, texture)| Shown::new(picture, texture));
            let bumps = bumps
                .zip(material.normal_map.as_ref())
                .map(|(picture, map)| (Shown::new(picture, &map.texture), map.strength));
            let [r, g, b, alpha] = material.base_color;
            let color = Vec3::new(r, g, b).clamp(Vec3::ZERO, Vec3::ONE);
            let color = match picture {
                Some(_) => color,
                None => color.max(Vec3::splat(DARKEST)),
            };
            looks.push(Look {
                base: (color * tone).extend(alpha.clamp(0.0, 1.0)),
                alpha: match pictures {
                    Some(_) => material.alpha,
                    None => Alpha::Opaque,
                },
                picture,
                bumps,
            });
        }
        looks.push(Look {
            base: tone.extend(1.0),
            alpha: Alpha::Opaque,
            picture: None,
            bumps: None,
        });
        Self {
            part_of_triangle,
            looks,
            vertex_colors: mesh.colors.as_deref(),
            corner_uvs,
        }
    }

    fn look(&self, triangle: usize) -> &Look<'a> {
        &self.looks[self.part_of_triangle[triangle] as usize]
    }

    fn cover(&self, triangle: usize) -> Cover {
        self.look(triangle).cover()
    }

    /// Base colour, texture and vertex colours, multiplied.
    fn texel(&self, triangle: usize, corners: [usize; 3], point: SurfacePoint) -> Vec4 {
        let look = self.look(triangle);
        let mut color = look.base;
        if let Some(shown) = &look.picture {
            color *= shown.sample(self.corner_uvs[triangle], point);
        }
        if let Some(colors) = self.vertex_colors {
            color *= mixed(corners.map(|v| Vec4::from(colors[v])), point.at);
        }
        color
    }

    /// A normal bent by the bumps of a triangle, if it has any. Which way the picture lies on it is seen from
    /// its own coordinates, so that it turns with it in any pose.
    fn bent(&self, triangle: usize, [a, b, c]: [Vec3; 3], normal: Vec3, point: SurfacePoint) -> Option<Vec3> {
        let (shown, strength) = self.look(triangle).bumps.as_ref()?;
        let uvs = self.corner_uvs[triangle];
        let ([e, f], [d, g]) = ([b - a, c - a], [uvs[1] - uvs[0], uvs[2] - uvs[0]]);
        let handedness = d.perp_dot(g).signum();
        let across = |v: Vec3| v.reject_from_normalized(normal).try_normalize();
        let along = across(handedness * (e * g.y - f * d.y))?;
        // The picture's second coordinate runs down it, and green is up.
        let up = across(handedness * (e * g.x - f * d.x))?;
        let direction = 2.0 * shown.sample(uvs, point).truncate() - 1.0;
        let bent = along * (direction.x * strength) + up * (direction.y * strength) + normal * direction.z;
        bent.try_normalize()
    }

    fn color(&self, triangle: usize, corners: [usize; 3], point: SurfacePoint) -> (Vec3, f32) {
        let look = self.look(triangle);
        let color = self.texel(triangle, corners, point);
        let light = color.truncate();
        let light = match look.picture {
            Some(_) => (light * light + DARKEST_TEXEL * DARKEST_TEXEL).map(f32::sqrt),
            None => light,
        };
        let alpha = match look.cover() {
            Cover::Blend => color.w.clamp(0.0, 1.0),
            Cover::Solid | Cover::Cutout(_) => 1.0,
        };
        (light, alpha)
    }
}

impl Look<'_> {
    fn cover(&self) -> Cover {
        let has_alpha = self.picture.as_ref().is_some_and(|p| p.picture.has_alpha) || self.base.w < 1.0;
        match self.alpha {
            Alpha::Mask(cutoff) if has_alpha => Cover::Cutout(cutoff),
            Alpha::Blend if has_alpha => Cover::Blend,
            _ => Cover::Solid,
        }
    }
}

impl<'a> Shown<'a> {
    /// What it has at a point of a triangle with these coordinates.
    fn sample(&self, uvs: [Vec2; 3], point: SurfacePoint) -> Vec4 {
        let on_picture = |at: Vec3| self.transform.apply(mixed(uvs, at));
        let at = on_picture(point.at);
        let (right, down) = (on_picture(point.right) - at, on_picture(point.down) - at);
        self.picture.sample(at, right, down, self.wrap)
    }

    fn new(picture: &'a Picture, texture: &Texture) -> Self {
        Self {
            picture,
            wrap: texture.wrap,
            transform: texture.transform,
        }
    }
}

/// Three corners' values, mixed.
fn mixed<T>(corners: [T; 3], at: Vec3) -> T
where
    T: std::ops::Mul<f32, Output = T> + std::ops::Add<Output = T>,
{
    let [a, b, c] = corners;
    a * at.x + b * at.y + c * at.z
}
