//! A texture made ready to be looked up: decoded, and in ever smaller versions.

use std::io::Cursor;
use std::sync::LazyLock;

use glam::{Vec2, Vec3, Vec4};
use image_webp::WebPDecoder;
use ligament::character::Wrap;
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

use crate::colors::{SrgbTable, srgb};

/// The longest side and the largest area that are decoded.
const MAX_SIDE: usize = 16384;
const MAX_PIXELS: usize = 1 << 26;
/// Larger pictures are halved until they are no longer: no drawing shows more of them.
const KEPT_SIDE: u32 = 2048;
/// No coder packs more pixels than this into a byte: what promises more is a trap.
const PIXELS_PER_BYTE: usize = 16384;

/// What the numbers of a picture are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Holds {
    /// Colours in sRGB.
    Colors,
    /// Directions: numbers as they are.
    Directions,
}

/// A texture with straight alpha; each level has half the sides of the one before.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Picture {
    levels: Vec<Level>,
    /// Whether any of it can be seen through.
    pub has_alpha: bool,
}

#[derive(Debug, Clone, PartialEq)]
struct Level {
    holds: Holds,
    width: u32,
    height: u32,
    texels: Vec<[u8; 4]>,
}

/// Linear light of sRGB bytes.
static LINEAR: LazyLock<Vec<f32>> = LazyLock::new(|| (0..=255).map(|b| srgb([b; 3])[0]).collect());

impl Picture {
    /// Decodes a PNG, JPEG or WebP file; says what is wrong with one that cannot be.
    pub fn decode(bytes: &[u8], holds: Holds) -> Result<Self, String> {
        let mut level = if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
            decode_png(bytes)?
        } else if bytes.starts_with(b"\xff\xd8\xff") {
            decode_jpeg(bytes)?
        } else if bytes.len() > 12 && bytes.starts_with(b"RIFF") && &bytes[8..12] == b"WEBP" {
            decode_webp(bytes)?
        } else {
            return Err("it is neither PNG nor JPEG nor WebP".to_owned());
        };
        level.holds = holds;
        Ok(Self::new(level))
    }

    fn new(mut level: Level) -> Self {
        while level.width.max(level.height) > KEPT_SIDE {
            level = level.halved();
        }
        let has_alpha = level.holds == Holds::Colors && level.texels.iter().any(|t| t[3] < 255);
        let mut levels = vec![level];
        while let Some(last) = levels.last().filter(|l| l.width.max(l.height) > 1) {
            levels.push(last.halved());
        }
        Self { levels, has_alpha }
    }

    /// Linear colour and alpha at a point of the picture, whose upper left corner is (0, 0).
    /// `along_x` and `along_y` are how far a pixel's sides reach on it.
    pub fn sample(&self, at: Vec2, along_x: Vec2, along_y: Vec2, wrap: [Wrap; 2]) -> Vec4 {
        let size = Vec2::new(self.levels[0].width as f32, self.levels[0].height as f32);
        let (x, y) = (along_x * size, along_y * size);
        let longest = x.length_squared().max(y.length_squared());
        // The area of a pixel on the picture; a pixel on a surface seen from the side is long
        // and thin, and looks blurred if its length decides alone.
        let area = x.perp_dot(y).abs().max(longest / 16.0);
        let level = if area > 1.0 { 0.5 * area.log2() } else { 0.0 };
        let last = (self.levels.len() - 1) as f32;
        let level = if level.is_finite() { level.min(last) } else { last };
        let (fine, fraction) = (level as usize, level.fract());
        let color = self.levels[fine].sample(at, wrap);
        match self.levels.get(fine + 1) {
            Some(coarse) if fraction > 0.0 => color.lerp(coarse.sample(at, wrap), fraction),
            _ => color,
        }
    }
}

impl Level {
    fn texel(&self, x: u32, y: u32) -> Vec4 {
        let [r, g, b, a] = self.texels[y as usize * self.width as usize + x as usize];
        let linear = |c: u8| match self.holds {
            Holds::Colors => LINEAR[usize::from(c)],
            Holds::Directions => f32::from(c) / 255.0,
        };
        Vec4::new(linear(r), linear(g), linear(b), f32::from(a) / 255.0)
    }

    /// Between the four texels around a point.
    fn sample(&self, at: Vec2, wrap: [Wrap; 2]) -> Vec4 {
        let texel = at * Vec2::new(self.width as f32, self.height as f32) - 0.5;
        let texel = if texel.is_finite() { texel } else { Vec2::ZERO };
        let floor = texel.floor();
        let fraction = texel - floor;
        let column = |step: f32| wrapped(floor.x + step, self.width, wrap[0]);
        let row = |step: f32| wrapped(floor.y + step, self.height, wrap[1]);
        let (left, right, top, bottom) = (column(0.0), column(1.0), row(0.0), row(1.0));
        let upper = self.texel(left, top).lerp(self.texel(right, top), fraction.x);
        let lower = self
            .texel(left, bottom)
            .lerp(self.texel(right, bottom), fraction.x);
        upper.lerp(lower, fraction.y)
    }

    /// Half the sides; colours count by how much of them can be seen.
    fn halved(&self) -> Self {
        let (width, height) = (self.width.div_ceil(2), self.height.div_ceil(2));
        let srgb = SrgbTable::new();
        let mut texels = Vec::with_capacity(width as usize * height as usize);
        for y in 0..height {
            for x in 0..width {
                let columns = [2 * x, (2 * x + 1).min(self.width - 1)];
                let rows = [2 * y, (2 * y + 1).min(self.height - 1)];
                let (mut seen, mut plain, mut alpha) = (Vec3::ZERO, Vec3::ZERO, 0.0);
                for texel in rows.iter().flat_map(|&r| columns.map(|c| self.texel(c, r))) {
                    seen += texel.truncate() * texel.w;
                    plain += texel.truncate();
                    alpha += texel.w;
                }
                let color = if alpha > 0.0 { seen / alpha } else { plain / 4.0 };
                let [r, g, b] = match self.holds {
                    Holds::Colors => srgb.bytes(color),
                    Holds::Directions => (plain / 4.0 * 255.0 + 0.5).to_array().map(|c| c as u8),
                };
                texels.push([r, g, b, (alpha / 4.0 * 255.0 + 0.5) as u8]);
            }
        }
        Self {
            holds: self.holds,
            width,
            height,
            texels,
        }
    }
}

/// A texel's column or row inside the picture.
fn wrapped(texel: f32, side: u32, wrap: Wrap) -> u32 {
    let side = side as f32;
    let inside = match wrap {
        Wrap::Clamp => texel,
        Wrap::Repeat => texel.rem_euclid(side),
        Wrap::Mirror => {
            let there_and_back = texel.rem_euclid(2.0 * side);
            if there_and_back < side {
                there_and_back
            } else {
                2.0 * side - 1.0 - there_and_back
            }
        }
    };
    inside.clamp(0.0, side - 1.0) as u32
}

/// Fails before anything is made of a picture that is too large, or larger than its file can hold.
fn check_size(width: usize, height: usize, bytes: &[u8]) -> Result<(), String> {
    let pixels = width.saturating_mul(height);
    let promised = bytes.len().saturating_mul(PIXELS_PER_BYTE);
    if width == 0 || height == 0 || width.max(height) > MAX_SIDE || pixels > MAX_PIXELS.min(promised) {
        return Err(format!("{width} by {height} pixels are too many or none"));
    }
    Ok(())
}

fn decode_png(bytes: &[u8]) -> Result<Level, String> {
    let say = |e: png::DecodingError| e.to_string();
    let limits = png::Limits {
        bytes: 8 * MAX_PIXELS,
    };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), limits);
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(say)?;
    let (width, height) = reader.info().size();
    check_size(width as usize, height as usize, bytes)?;
    let length = reader.output_buffer_size().ok_or("it is too large")?;
    let mut data = vec![0; length];
    let info = reader.next_frame(&mut data).map_err(say)?;
    let texels = texels(&data[..info.buffer_size()], info.color_type.samples())?;
    Ok(Level {
        holds: Holds::Colors,
        width,
        height,
        texels,
    })
}

fn decode_jpeg(bytes: &[u8]) -> Result<Level, String> {
    let options = DecoderOptions::default()
        .set_max_width(MAX_SIDE)
        .set_max_height(MAX_SIDE)
        .jpeg_set_out_colorspace(ColorSpace::RGB);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(|e| e.to_string())?;
    let info = decoder.info().ok_or("its header is broken")?;
    let (width, height) = (usize::from(info.width), usize::from(info.height));
    check_size(width, height, bytes)?;
    let data = decoder.decode().map_err(|e| e.to_string())?;
    let texels = texels(&data, data.len() / (width * height))?;
    if texels.len() != width * height {
        return Err("it ends too early".to_owned());
    }
    Ok(Level {
        holds: Holds::Colors,
        width: width as u32,
        height: height as u32,
        texels,
    })
}

fn decode_webp(bytes: &[u8]) -> Result<Level, String> {
    let mut decoder = WebPDecoder::new(Cursor::new(bytes)).map_err(|e| e.to_string())?;
    let (width, height) = decoder.dimensions();
    check_size(width as usize, height as usize, bytes)?;
    decoder.set_memory_limit(8 * MAX_PIXELS);
    let length = decoder.output_buffer_size().ok_or("it is too large")?;
    let mut data = vec![0; length];
    decoder.read_image(&mut data).map_err(|e| e.to_string())?;
    let texels = texels(&data, if decoder.has_alpha() { 4 } else { 3 })?;
    Ok(Level {
        holds: Holds::Colors,
        width,
        height,
        texels,
    })
}

/// Grey, grey with alpha, colour or colour with alpha as colour with alpha.
fn texels(data: &[u8], channels: usize) -> Result<Vec<[u8; 4]>, String> {
    Ok(match channels {
        1 => data.iter().map(|&g| [g, g, g, 255]).collect(),
        2 => data.as_chunks().0.iter().map(|&[g, a]| [g, g, g, a]).collect(),
        3 => data
            .as_chunks()
            .0
            .iter()
            .map(|&[r, g, b]| [r, g, b, 255])
            .collect(),
        4 => data.as_chunks().0.to_vec(),
        n => return Err(format!("it has {n} channels")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checks(side: u32) -> Picture {
        let texel = |i: u32| {
            let white = (i % side + i / side).is_multiple_of(2);
            if white { [255; 4] } else { [0, 0, 0, 255] }
        };
        Picture::new(Level {
            holds: Holds::Colors,
            width: side,
            height: side,
            texels: (0..side * side).map(texel).collect(),
        })
    }

    #[test]
    fn a_texel_is_where_it_belongs_and_halves_keep_their_light() {
        let picture = checks(4);
        assert_eq!(picture.levels.len(), 3);
        let none = Vec2::ZERO;
        let at = |x: f32, y: f32| picture.sample(Vec2::new(x, y), none, none, [Wrap::Clamp; 2]).x;
        assert_eq!(at(0.125, 0.125), 1.0);
        assert_eq!(at(0.375, 0.125), 0.0);
        assert!((at(0.25, 0.125) - 0.5).abs() < 1e-6);
        // Half of the light, not half of the bytes.
        let all = picture.sample(
            Vec2::splat(0.5),
            Vec2::new(1.0, 0.0),
            Vec2::new(0.0, 1.0),
            [Wrap::Repeat; 2],
        );
        assert!((all.x - 0.5).abs() < 0.01, "{all}");
    }

    #[test]
    fn pictures_repeat_mirror_or_end() {
        for (wrap, outside) in [
            (Wrap::Repeat, [3, 0, 1]),
            (Wrap::Mirror, [0, 3, 2]),
            (Wrap::Clamp, [0, 3, 3]),
        ] {
            let found = [-1.0, 4.0, 5.0].map(|t| wrapped(t, 4, wrap));
            assert_eq!(found, outside, "{wrap:?}");
            assert_eq!([0.0, 3.0].map(|t| wrapped(t, 4, wrap)), [0, 3]);
        }
        assert_eq!(wrapped(f32::INFINITY, 4, Wrap::Clamp), 3);
    }

    #[test]
    fn colours_that_cannot_be_seen_do_not_bleed() {
        let level = Level {
            holds: Holds::Colors,
            width: 2,
            height: 1,
            texels: vec![[255, 0, 0, 255], [0, 255, 0, 0]],
        };
        assert_eq!(level.halved().texels, [[255, 0, 0, 128]]);
        // Directions know no light.
        let directions = Level {
            holds: Holds::Directions,
            texels: vec![[255, 0, 128, 255], [0, 255, 128, 0]],
            ..level
        };
        assert_eq!(directions.halved().texels[0][..3], [128, 128, 128]);
    }

    #[test]
    fn broken_and_boundless_pictures_are_refused() {
        let mut image = crate::Image::filled(8, 8, [10, 20, 30, 255]);
        image.set(3, 2, [200, 100, 50, 7]);
        let good = crate::encode_png(&image).unwrap();
        let picture = Picture::decode(&good, Holds::Colors).unwrap();
        assert!(picture.has_alpha);
        assert_eq!(picture.levels[0].texels, image.pixels);
        assert!(Picture::decode(&good[..good.len() / 2], Holds::Colors).is_err());
        assert!(Picture::decode(b"GIF89a", Holds::Colors).is_err());
        let mut huge = good.clone();
        huge[16..24].copy_from_slice(&[0, 0, 0x3f, 0xff, 0, 0, 0x3f, 0xff]);
        assert!(Picture::decode(&huge, Holds::Colors).is_err());
        let mut random = 0x9E37_79B9_7F4A_7C15u64;
        for _ in 0..2000 {
            let mut bytes = good.clone();
            for _ in 0..3 {
                random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                let at = (random >> 33) as usize % bytes.len();
                bytes[at] = (random >> 20) as u8;
            }
            let _ = Picture::decode(&bytes, Holds::Directions);
        }
    }
}
