//! From a scene to a picture, tile by tile.

use std::borrow::Cow;

use glam::{Vec3, Vec4};
use rayon::prelude::*;

use crate::bones::BoneMesh;
use crate::camera::{Camera, Lens};
use crate::coat::{Coat, Cover, NEARLY_SOLID};
use crate::colors::SrgbTable;
use crate::light::Lights;
use crate::project::ScreenTriangle;
use crate::raster::{NOTHING, PATTERN_1, PATTERN_4, PATTERN_8, PATTERN_16, Pattern, TILE, Visible};
use crate::scene::check;
use crate::shadow::Shadow;
use crate::surface::{Frame, Surface, smooth_normals};
use crate::{BackFaces, Background, Image, RenderError, RenderOptions, Samples, Scene, Shading};

/// Draws a scene. Triangles with corners that are not finite are left out.
pub fn render(scene: &Scene, camera: &Camera, options: &RenderOptions) -> Result<Image, RenderError> {
    check(scene, options)?;
    let (width, height) = (options.width, options.height);
    let lens = Lens::new(camera, width as f32 / height as f32).ok_or(RenderError::BadCamera)?;
    let frame = Frame {
        lens,
        lights: Lights::new(&lens),
        width,
        height,
    };
    let style = &scene.style;
    let normals = match (style.shading, scene.normals) {
        (Shading::Smooth, None) => Cow::Owned(smooth_normals(scene.mesh, scene.positions)),
        (_, Some(normals)) => Cow::Borrowed(normals),
        _ => Cow::Borrowed(&[][..]),
    };
    let skin = Surface::new(
        scene.positions,
        &scene.mesh.triangles,
        normals,
        Coat::new(scene.mesh, scene.paint),
        style.shading,
        style.back_faces,
        style.wire,
        style.opacity.clamp(0.0, 1.0),
        &frame,
    );
    let bone_mesh = scene.skeleton.as_ref().map(BoneMesh::new);
    let bones = bone_mesh.as_ref().map(|bones| {
        Surface::new(
            &bones.positions,
            &bones.triangles,
            Cow::Borrowed(&bones.normals),
            Coat::Colors(&bones.colors),
            Shading::Smooth,
            BackFaces::Plain,
            None,
            1.0,
            &frame,
        )
    });
    let shadow = match style.background {
        Background::Transparent => None,
        Background::Gradient { .. } => {
            Shadow::new(scene.positions, &scene.mesh.triangles, style.ground_shadow)
                .map(|shadow| (shadow.bounds(&lens), shadow))
        }
    };
    let srgb = SrgbTable::new();
    let rows = (0..height)
        .map(|y| match style.background {
            Background::Transparent => [0; 4],
            Background::Gradient { top, bottom } => {
                let [r, g, b] = srgb.bytes(gradient(top, bottom, y, height));
                [r, g, b, 255]
            }
        })
        .collect();
    let layers = Layers {
        frame,
        rows,
        skin,
        bones,
        shadow,
        background: style.background,
        srgb,
    };
    Ok(match options.samples {
        Samples::One => layers.draw(&PATTERN_1),
        Samples::Four => layers.draw(&PATTERN_4),
        Samples::Eight => layers.draw(&PATTERN_8),
        Samples::Sixteen => layers.draw(&PATTERN_16),
    })
}

/// The background's colour in a row of pixels.
fn gradient(top: [f32; 3], bottom: [f32; 3], y: u32, height: u32) -> Vec3 {
    Vec3::from(top).lerp(Vec3::from(bottom), (y as f32 + 0.5) / height as f32)
}

/// All that a tile needs to know.
struct Layers<'a> {
    frame: Frame,
    skin: Surface<'a>,
    bones: Option<Surface<'a>>,
    /// The ground's shadow and where in the picture it may be seen.
    shadow: Option<([f32; 4], Shadow)>,
    background: Background,
    /// Each row's background where nothing falls on it.
    rows: Vec<[u8; 4]>,
    srgb: SrgbTable,
}

impl Layers<'_> {
    fn draw<const S: usize>(&self, pattern: &Pattern<S>) -> Image {
        let (width, height) = (self.frame.width, self.frame.height);
        let columns = width.div_ceil(TILE);
        let mut image = Image::filled(width, height, [0; 4]);
        // A band of tiles is a run of rows, so bands can be written without copies.
        image
            .pixels
            .par_chunks_mut((width * TILE) as usize)
            .enumerate()
            .for_each_init(Visible::<S>::new, |visible, (band, pixels)| {
                for column in 0..columns {
                    self.draw_tile(band as u32 * columns + column, pattern, visible, pixels);
                }
            });
        image
    }

    /// Draws a tile into the rows of its band.
    fn draw_tile<const S: usize>(
        &self,
        tile: u32,
        pattern: &Pattern<S>,
        visible: &mut Visible<S>,
        band: &mut [[u8; 4]],
    ) {
        let (width, height) = (self.frame.width, self.frame.height);
        let columns = width.div_ceil(TILE);
        let (left, top) = (tile % columns * TILE, tile / columns * TILE);
        let (across, down) = (TILE.min(width - left), TILE.min(height - top));
        let mut colors = [Vec4::ZERO; (TILE * TILE) as usize];
        for surface in [Some(&self.skin), self.bones.as_ref()].into_iter().flatten() {
            let mut triangles = surface.sorted.of_tile(tile as usize).peekable();
            if triangles.peek().is_none() {
                continue;
            }
            visible.clear(left, top);
            let mut blended: Vec<&ScreenTriangle> = Vec::new();
            if surface.coat.is_solid() {
                for triangle in triangles {
                    visible.fill(triangle, pattern);
                }
            } else {
                for triangle in triangles {
                    let keeps = |least: f32| {
                        move |x: f32, y: f32| surface.alpha(triangle.id, x, y, &self.frame) >= least
                    };
                    match surface.coat.cover(triangle.id as usize) {
                        Cover::Solid => visible.fill(triangle, pattern),
                        Cover::Cutout(least) => visible.fill_where(triangle, pattern, keeps(least)),
                        Cover::Blend => {
                            visible.fill_where(triangle, pattern, keeps(NEARLY_SOLID));
                            blended.push(triangle);
                        }
                    }
                }
            }
            for y in 0..down {
                for x in 0..across {
                    let ids = visible.at(x, y);
                    if let Some(over) = self.resolve(surface, ids, pattern, left + x, top + y) {
                        let under = &mut colors[(y * TILE + x) as usize];
                        *under = over + *under * (1.0 - over.w);
                    }
                }
            }
            // What blends lies over what is behind it, the farthest first.
            let depth = |t: &ScreenTriangle| 0.5 * (t.z_range[0] + t.z_range[1]);
            blended.sort_by(|a, b| depth(a).total_cmp(&depth(b)));
            for triangle in blended {
                visible.each_seen(triangle, pattern, |x, y, count, sum| {
                    if x >= across || y >= down {
                        return;
                    }
                    let sixteenths = 16.0 * count as f32;
                    let (light, opacity) = surface.shade(
                        triangle.id,
                        (left + x) as f32 + 0.5 + sum[0] as f32 / sixteenths,
                        (top + y) as f32 + 0.5 + sum[1] as f32 / sixteenths,
                        &self.frame,
                    );
                    let over = (light * opacity).extend(opacity) * (count as f32 / S as f32);
                    let under = &mut colors[(y * TILE + x) as usize];
                    *under = over + *under * (1.0 - over.w);
                });
            }
        }
        for y in 0..down {
            for x in 0..across {
                let color = colors[(y * TILE + x) as usize];
                band[(y * width + left + x) as usize] = self.finish(color, left + x, top + y);
            }
        }
    }

    /// The colour of a pixel, premultiplied by how much of it is covered: every triangle
    /// that is seen in it is shaded once, at the middle of its samples.
    fn resolve<const S: usize>(
        &self,
        surface: &Surface,
        ids: &[u32; S],
        pattern: &Pattern<S>,
        x: u32,
        y: u32,
    ) -> Option<Vec4> {
        let (cx, cy) = (x as f32 + 0.5, y as f32 + 0.5);
        let first = ids[0];
        if ids.iter().all(|&id| id == first) {
            return (first != NOTHING).then(|| {
                let (light, opacity) = surface.shade(first, cx, cy, &self.frame);
                (light * opacity).extend(opacity)
            });
        }
        let mut sum = Vec4::ZERO;
        for s in 0..S {
            let id = ids[s];
            if id == NOTHING || ids[..s].contains(&id) {
                continue;
            }
            let (mut count, mut dx, mut dy) = (0, 0, 0);
            for other in s..S {
                if ids[other] == id {
                    count += 1;
                    dx += pattern[other][0];
                    dy += pattern[other][1];
                }
            }
            let sixteenths = 16.0 * count as f32;
            let (light, opacity) = surface.shade(
                id,
                cx + dx as f32 / sixteenths,
                cy + dy as f32 / sixteenths,
                &self.frame,
            );
            sum += (light * opacity).extend(opacity) * (count as f32 / S as f32);
        }
        Some(sum)
    }

    /// A pixel's bytes: what is behind it added.
    fn finish(&self, color: Vec4, x: u32, y: u32) -> [u8; 4] {
        let light = color.truncate();
        match self.background {
            Background::Transparent => {
                if color.w <= 0.0 {
                    return [0; 4];
                }
                let [r, g, b] = self.srgb.bytes(light / color.w);
                [r, g, b, (color.w.min(1.0) * 255.0 + 0.5) as u8]
            }
            Background::Gradient { top, bottom } => {
                let dark = if color.w < 1.0 { self.shadow_at(x, y) } else { 0.0 };
                if color.w <= 0.0 && dark <= 0.0 {
                    return self.rows[y as usize];
                }
                let behind = gradient(top, bottom, y, self.frame.height) * (1.0 - dark);
                let total = light + behind * (1.0 - color.w).max(0.0);
                let [r, g, b] = self.srgb.bytes(total);
                [r, g, b, 255]
            }
        }
    }

    /// How dark the ground is that is seen behind a pixel.
    fn shadow_at(&self, x: u32, y: u32) -> f32 {
        let Some(([left, right, low, high], shadow)) = &self.shadow else {
            return 0.0;
        };
        let x = 2.0 * (x as f32 + 0.5) / self.frame.width as f32 - 1.0;
        let y = 1.0 - 2.0 * (y as f32 + 0.5) / self.frame.height as f32;
        if x < *left || x > *right || y < *low || y > *high {
            return 0.0;
        }
        let (start, direction) = self.frame.lens.ray(x, y);
        shadow.along(start, direction)
    }
}
