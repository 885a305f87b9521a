//! Pictures that move: APNG, which keeps every colour, and GIF, which plays everywhere.
//!
//! After the first picture only the box around what changed is stored. A GIF has one palette for
//! all its pictures, so that colours do not flicker, and pixels that stay are transparent, which
//! compresses well.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::palette::{cut, mean};
use crate::{EncodeError, Image};

/// As many colours as a GIF's palette has beside the one that means "as before".
const COLORS: usize = 255;

/// Pictures of one size as the bytes of an endless APNG file, each shown for as many
/// hundredths of a second.
pub fn encode_apng(frames: &[Image], hundredths: u16) -> Result<Vec<u8>, EncodeError> {
    let first = check(frames)?;
    let opaque = frames.iter().flat_map(|f| &f.pixels).all(|p| p[3] == 255);
    let channels = if opaque { 3 } else { 4 };
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, first.width, first.height);
    encoder.set_color(if opaque {
        png::ColorType::Rgb
    } else {
        png::ColorType::Rgba
    });
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Balanced);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    encoder.set_animated(frames.len() as u32, 0)?;
    encoder.set_frame_delay(hundredths, 100)?;
    encoder.set_blend_op(png::BlendOp::Source)?;
    let mut writer = encoder.write_header()?;
    let mut before: Option<&Image> = None;
    for frame in frames {
        let part = before.map_or(whole(frame), |before| changed(before, frame));
        if before.is_some() {
            writer.set_frame_position(0, 0)?;
            writer.set_frame_dimension(part.width, part.height)?;
            writer.set_frame_position(part.left, part.top)?;
        }
        let data: Vec<u8> = part
            .rows(frame)
            .flatten()
            .flat_map(|p| p.iter().take(channels))
            .copied()
            .collect();
        writer.write_image_data(&data)?;
        before = Some(frame);
    }
    writer.finish()?;
    Ok(bytes)
}

/// Pictures of one size as the bytes of an endless GIF file, each shown for as many
/// hundredths of a second. What can be seen through becomes opaque.
pub fn encode_gif(frames: &[Image], hundredths: u16) -> Result<Vec<u8>, EncodeError> {
    let first = check(frames)?;
    let too_large = || EncodeError::BadSize {
        width: first.width,
        height: first.height,
        pixels: first.pixels.len(),
    };
    let side = |n: u32| u16::try_from(n).map_err(|_| too_large());
    let (width, height) = (side(first.width)?, side(first.height)?);
    let palette = Palette::of(frames);
    let mut bytes = Vec::new();
    let mut encoder = gif::Encoder::new(&mut bytes, width, height, &palette.colors)?;
    encoder.set_repeat(gif::Repeat::Infinite)?;
    let same = palette.colors.len() / 3; // a number that has no colour
    let mut before: Option<Vec<u8>> = None;
    for frame in frames {
        let numbers: Vec<u8> = frame.pixels.iter().map(|p| palette.number(*p)).collect();
        let part = match &before {
            None => whole(frame),
            Some(before) => {
                let changed = |i: usize| before[i] != numbers[i];
                box_around(frame.width, frame.height, changed)
            }
        };
        let row = frame.width as usize;
        let mut data = Vec::with_capacity(part.width as usize * part.height as usize);
        for y in part.top..part.top + part.height {
            for x in part.left..part.left + part.width {
                let i = y as usize * row + x as usize;
                let stays = before.as_ref().is_some_and(|b| b[i] == numbers[i]);
                data.push(if stays { same as u8 } else { numbers[i] });
            }
        }
        let picture = gif::Frame {
            delay: hundredths,
            dispose: gif::DisposalMethod::Keep,
            transparent: Some(same as u8),
            left: part.left as u16,
            top: part.top as u16,
            width: part.width as u16,
            height: part.height as u16,
            buffer: Cow::Owned(data),
            ..gif::Frame::default()
        };
        encoder.write_frame(&picture)?;
        before = Some(numbers);
    }
    drop(encoder);
    Ok(bytes)
}

/// All pictures have pixels and are of one size; gives the first.
fn check(frames: &[Image]) -> Result<&Image, EncodeError> {
    let sound = |f: &Image| {
        let expected = f.width as usize * f.height as usize;
        let same = frames
            .first()
            .is_some_and(|g| (g.width, g.height) == (f.width, f.height));
        same && expected > 0 && f.pixels.len() == expected
    };
    let empty = Image::default();
    let wrong = frames.iter().find(|f| !sound(f)).or(match frames {
        [] => Some(&empty),
        _ => None,
    });
    match (wrong, frames.first()) {
        (None, Some(first)) => Ok(first),
        (wrong, _) => Err(EncodeError::BadSize {
            width: wrong.map_or(0, |f| f.width),
            height: wrong.map_or(0, |f| f.height),
            pixels: wrong.map_or(0, |f| f.pixels.len()),
        }),
    }
}

/// A part of a picture.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Box2 {
    left: u32,
    top: u32,
    width: u32,
    height: u32,
}

impl Box2 {
    fn rows(self, image: &Image) -> impl Iterator<Item = &[[u8; 4]]> {
        (self.top..self.top + self.height).map(move |y| {
            let start = y as usize * image.width as usize + self.left as usize;
            &image.pixels[start..start + self.width as usize]
        })
    }
}

fn whole(image: &Image) -> Box2 {
    Box2 {
        left: 0,
        top: 0,
        width: image.width,
        height: image.height,
    }
}

fn changed(before: &Image, now: &Image) -> Box2 {
    box_around(now.width, now.height, |i| before.pixels[i] != now.pixels[i])
}

/// The box around what changed; one pixel where nothing did.
fn box_around(width: u32, height: u32, changed: impl Fn(usize) -> bool) -> Box2 {
    let (mut left, mut right, mut top, mut bottom) = (width, 0, height, 0);
    for y in 0..height {
        for x in 0..width {
            if changed(y as usize * width as usize + x as usize) {
                (left, right) = (left.min(x), right.max(x));
                (top, bottom) = (top.min(y), bottom.max(y));
            }
        }
    }
    if left > right {
        (left, right, top, bottom) = (0, 0, 0, 0);
    }
    Box2 {
        left,
        top,
        width: right - left + 1,
        height: bottom - top + 1,
    }
}

/// The colours of several pictures.
struct Palette {
    /// Red, green, blue, one after the other.
    colors: Vec<u8>,
    number_of: HashMap<[u8; 4], u8>,
}

impl Palette {
    fn of(frames: &[Image]) -> Self {
        let mut counts: HashMap<[u8; 4], u32> = HashMap::new();
        for pixel in frames.iter().flat_map(|f| &f.pixels) {
            *counts.entry(opaque(*pixel)).or_default() += 1;
        }
        let mut counts: Vec<([u8; 4], u32)> = counts.into_iter().collect();
        counts.sort_unstable();
        let (mut colors, mut number_of) = (Vec::new(), HashMap::new());
        for (number, group) in cut(counts, COLORS).iter().enumerate() {
            colors.extend_from_slice(&mean(group)[..3]);
            number_of.extend(group.iter().map(|(color, _)| (*color, number as u8)));
        }
        Self { colors, number_of }
    }

    fn number(&self, pixel: [u8; 4]) -> u8 {
        self.number_of.get(&opaque(pixel)).copied().unwrap_or(0)
    }
}

fn opaque([r, g, b, _]: [u8; 4]) -> [u8; 4] {
    [r, g, b, 255]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A square that wanders over a gradient.
    fn frames() -> Vec<Image> {
        let frame = |k: u32| {
            let mut image = Image::filled(40, 30, [0, 0, 0, 255]);
            for y in 0..30 {
                for x in 0..40 {
                    let inside = (5 * k..5 * k + 6).contains(&x) && (10..18).contains(&y);
                    let color = if inside {
                        [250, 40, 10, 255]
                    } else {
                        [2 * y as u8, 90, 100, 255]
                    };
                    image.set(x, y, color);
                }
            }
            image
        };
        [0, 1, 1, 4, 6].map(frame).into()
    }

    fn decoded_apng(bytes: &[u8]) -> Vec<Vec<u8>> {
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
            .read_info()
            .unwrap();
        let count = reader.info().animation_control().unwrap().num_frames;
        let (width, height) = reader.info().size();
        let mut canvas = vec![0; (width * height * 3) as usize];
        (0..count)
            .map(|_| {
                let mut data = vec![0; canvas.len()];
                let info = reader.next_frame(&mut data).unwrap();
                let control = *reader.info().frame_control().unwrap();
                for row in 0..info.height {
                    let from = (row * info.width * 3) as usize;
                    let to = (((control.y_offset + row) * width + control.x_offset) * 3) as usize;
                    let length = (info.width * 3) as usize;
                    canvas[to..to + length].copy_from_slice(&data[from..from + length]);
                }
                canvas.clone()
            })
            .collect()
    }

    fn plain(image: &Image) -> Vec<u8> {
        image.pixels.iter().flat_map(|p| p[..3].to_vec()).collect()
    }

    #[test]
    fn an_apng_shows_every_picture_as_it_was() {
        let frames = frames();
        let bytes = encode_apng(&frames, 4).unwrap();
        assert_eq!(bytes, encode_apng(&frames, 4).unwrap());
        let wanted: Vec<Vec<u8>> = frames.iter().map(plain).collect();
        assert_eq!(decoded_apng(&bytes), wanted);
        let alone: usize = frames.iter().map(|f| crate::encode_png(f).unwrap().len()).sum();
        assert!(bytes.len() < alone, "{} of {alone}", bytes.len());
    }

    #[test]
    fn a_gif_shows_every_picture_as_it_was() {
        let frames = frames();
        let bytes = encode_gif(&frames, 4).unwrap();
        assert_eq!(bytes, encode_gif(&frames, 4).unwrap());
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(bytes.as_slice()).unwrap();
        let mut canvas = vec![0u8; 40 * 30 * 3];
        let mut shown = 0;
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            assert_eq!(frame.delay, 4);
            for (i, pixel) in frame.buffer.as_chunks::<4>().0.iter().enumerate() {
                let (x, y) = (i % usize::from(frame.width), i / usize::from(frame.width));
                let to = ((usize::from(frame.top) + y) * 40 + usize::from(frame.left) + x) * 3;
                if pixel[3] == 255 {
                    canvas[to..to + 3].copy_from_slice(&pixel[..3]);
                }
            }
            // 31 colours: nothing is lost.
            assert_eq!(canvas, plain(&frames[shown]), "picture {shown}");
            shown += 1;
        }
        assert_eq!(shown, frames.len());
    }

    #[test]
    fn pictures_of_many_colours_stay_near() {
        let frame = |k: u8| {
            let mut image = Image::filled(64, 64, [0, 0, 0, 255]);
            for (i, pixel) in image.pixels.iter_mut().enumerate() {
                *pixel = [(i % 64) as u8 * 4, (i / 64) as u8 * 4, k * 20, 255];
            }
            image
        };
        let frames: Vec<Image> = (0..3).map(frame).collect();
        let palette = Palette::of(&frames);
        assert!(palette.colors.len() <= 3 * COLORS);
        for pixel in frames.iter().flat_map(|f| &f.pixels) {
            let n = usize::from(palette.number(*pixel));
            let near = palette.colors[3 * n..3 * n + 3]
                .iter()
                .zip(pixel)
                .all(|(a, b)| a.abs_diff(*b) <= 24);
            assert!(near, "{pixel:?}");
        }
    }

    #[test]
    fn nothing_and_pictures_of_several_sizes_are_refused() {
        let two = [Image::filled(3, 3, [0; 4]), Image::filled(3, 4, [0; 4])];
        assert!(encode_apng(&[], 4).is_err() && encode_gif(&[], 4).is_err());
        assert!(encode_apng(&two, 4).is_err() && encode_gif(&two, 4).is_err());
    }
}
