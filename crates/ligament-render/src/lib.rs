//! Draws characters to pictures: a software renderer with no window, GPU or driver.
//!
//! [`render`] turns a [`Scene`] (a mesh at given positions, painted by its materials and their
//! textures ([`Pictures`]), by colours, or by a scalar such as one joint's weights; optionally its wireframe and
//! skeleton), seen by a [`Camera`], into an [`Image`]. [`sheet`] lays images out in a
//! grid with captions, [`encode_png`] gives the bytes of a PNG file, [`encode_png_small`] fewer
//! of them, [`encode_apng`] and [`encode_gif`] those of pictures that move.
//!
//! How it works: triangles are clipped, projected and sorted into square tiles; each tile
//! finds the nearest triangle at several samples per pixel (a visibility buffer), then
//! shades each visible triangle once per pixel. Tiles run on the caller's rayon pool and
//! share nothing, so pictures are the same bytes at any thread count. Across different
//! processors the last bit of a colour may differ.
//!
//! Conventions are those of [`ligament::character`]: +Y up, the character faces +Z, its
//! left is +X and thus on the right-hand side of a front view. Colours are linear RGB
//! until the very end, when they become sRGB bytes.

mod bones;
mod camera;
mod coat;
mod colors;
mod encode;
mod font;
mod image;
mod light;
mod moving;
mod palette;
mod picture;
mod pictures;
mod project;
mod raster;
mod render;
mod scene;
mod shadow;
mod sheet;
mod surface;
mod wire;

pub use bones::SkeletonOverlay;
pub use camera::{Camera, Projection, View};
pub use colors::{Ramp, joint_colors, joint_weights, srgb, weight_colors};
pub use encode::{EncodeError, encode_png};
pub use font::{GLYPH_HEIGHT, GLYPH_WIDTH, draw_text, text_width};
pub use image::Image;
pub use moving::{encode_apng, encode_gif};
pub use palette::encode_png_small;
pub use pictures::Pictures;
pub use render::render;
pub use scene::{BackFaces, Background, Paint, RenderError, RenderOptions, Samples, Scene, Shading, Style};
pub use sheet::{Cell, SheetOptions, sheet, side_by_side};
pub use wire::Wire;
