//! Pictures with few colours, for pages that hold many of them.
//!
//! Median cut (Heckbert 1982) in sRGB with alpha: the box of colours that is worth most (its
//! longest side, weighed by the pixels in it) is split where half of its pixels are on either
//! side, until there are 256; each becomes the mean of its pixels. Nothing is dithered: drawn
//! surfaces are smooth, and noise does not compress. Same picture, same bytes.

use std::collections::BTreeMap;

use crate::{EncodeError, Image};

/// As many as one byte can name.
const COLORS: usize = 256;

/// The picture as the bytes of a PNG file of at most 256 colours, a fifth of the size of
/// [`encode_png`](crate::encode_png)'s. A picture that has no more loses nothing.
pub fn encode_png_small(image: &Image) -> Result<Vec<u8>, EncodeError> {
    let expected = image.width as usize * image.height as usize;
    if expected == 0 || image.pixels.len() != expected {
        return Err(EncodeError::BadSize {
            width: image.width,
            height: image.height,
            pixels: image.pixels.len(),
        });
    }
    // What cannot be seen has no colour.
    let plain = |p: &[u8; 4]| if p[3] == 0 { [0; 4] } else { *p };
    let mut counts: BTreeMap<[u8; 4], u32> = BTreeMap::new();
    for pixel in &image.pixels {
        *counts.entry(plain(pixel)).or_default() += 1;
    }
    let boxes = cut(counts.into_iter().collect(), COLORS);
    let mut number_of: BTreeMap<[u8; 4], u8> = BTreeMap::new();
    let (mut colors, mut alphas) = (Vec::new(), Vec::new());
    for (number, colors_in_box) in boxes.iter().enumerate() {
        let mean = mean(colors_in_box);
        colors.extend_from_slice(&mean[..3]);
        alphas.push(mean[3]);
        for (color, _) in colors_in_box {
            number_of.insert(*color, number as u8);
        }
    }
    let data: Vec<u8> = image
        .pixels
        .iter()
        .map(|p| number_of.get(&plain(p)).copied().unwrap_or(0))
        .collect();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, image.width, image.height);
    encoder.set_color(png::ColorType::Indexed);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_palette(colors);
    if alphas.iter().any(|&a| a < 255) {
        encoder.set_trns(alphas);
    }
    encoder.set_compression(png::Compression::High);
    // Neighbouring numbers mean nothing in a palette, so differences do not compress.
    encoder.set_filter(png::Filter::NoFilter);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&data)?;
    writer.finish()?;
    Ok(bytes)
}

pub(crate) type Counted = Vec<([u8; 4], u32)>;

/// At most so many groups of colours that are near each other.
pub(crate) fn cut(all: Counted, most: usize) -> Vec<Counted> {
    let mut boxes = vec![all];
    while boxes.len() < most {
        let mut best: Option<(u64, usize, usize)> = None;
        for (k, colors) in boxes.iter().enumerate() {
            let (axis, side) = longest_side(colors);
            let pixels: u64 = colors.iter().map(|c| u64::from(c.1)).sum();
            // Long sides count more than many pixels: a small bright spot keeps its colour.
            let worth = u64::from(side) * u64::from(side) * pixels.isqrt().max(1);
            if side > 0 && best.is_none_or(|b| worth > b.0) {
                best = Some((worth, k, axis));
            }
        }
        let Some((_, k, axis)) = best else { break };
        let mut colors = std::mem::take(&mut boxes[k]);
        colors.sort_unstable_by_key(|c| (c.0[axis], c.0));
        let half: u64 = colors.iter().map(|c| u64::from(c.1)).sum::<u64>() / 2;
        let (mut seen, mut at) = (0, 0);
        while at < colors.len() && seen < half {
            seen += u64::from(colors[at].1);
            at += 1;
        }
        let right = colors.split_off(at.clamp(1, colors.len() - 1));
        boxes[k] = colors;
        boxes.push(right);
    }
    boxes
}

fn longest_side(colors: &Counted) -> (usize, u8) {
    let mut longest = (0, 0);
    for axis in 0..4 {
        let low = colors.iter().map(|c| c.0[axis]).min().unwrap_or(0);
        let high = colors.iter().map(|c| c.0[axis]).max().unwrap_or(0);
        if high - low > longest.1 {
            longest = (axis, high - low);
        }
    }
    longest
}

pub(crate) fn mean(colors: &Counted) -> [u8; 4] {
    let pixels: u64 = colors.iter().map(|c| u64::from(c.1)).sum();
    std::array::from_fn(|axis| {
        let sum: u64 = colors.iter().map(|c| u64::from(c.0[axis]) * u64::from(c.1)).sum();
        ((sum + pixels / 2) / pixels.max(1)) as u8
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(bytes: &[u8]) -> Vec<[u8; 4]> {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(bytes));
        decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::ALPHA);
        let mut reader = decoder.read_info().unwrap();
        let mut data = vec![0; reader.output_buffer_size().unwrap()];
        reader.next_frame(&mut data).unwrap();
        data.as_chunks::<4>().0.to_vec()
    }

    #[test]
    fn a_picture_of_few_colours_loses_nothing() {
        let mut image = Image::filled(16, 16, [0; 4]);
        for (k, pixel) in image.pixels.iter_mut().enumerate() {
            *pixel = [k as u8, 255 - k as u8, 7, 1 + (k / 2) as u8];
        }
        let bytes = encode_png_small(&image).unwrap();
        assert_eq!(decoded(&bytes), image.pixels);
        assert_eq!(bytes, encode_png_small(&image).unwrap());
    }

    #[test]
    fn a_picture_of_many_colours_stays_near_and_becomes_small() {
        let mut image = Image::filled(200, 200, [0; 4]);
        for (k, pixel) in image.pixels.iter_mut().enumerate() {
            let (x, y) = ((k % 200) as f32 / 200.0, (k / 200) as f32 / 200.0);
            let light = 0.5 + 0.5 * (6.0 * x).sin() * (5.0 * y).cos();
            *pixel = [
                (220.0 * light) as u8,
                (210.0 * light) as u8,
                (200.0 * light) as u8,
                255,
            ];
        }
        let bytes = encode_png_small(&image).unwrap();
        for (a, b) in decoded(&bytes).iter().zip(&image.pixels) {
            assert!(
                a.iter().zip(b).all(|(a, b)| a.abs_diff(*b) <= 3),
                "{a:?} for {b:?}"
            );
        }
        assert!(3 * bytes.len() < 2 * crate::encode_png(&image).unwrap().len());
    }

    #[test]
    fn a_picture_without_pixels_is_refused() {
        let image = Image::filled(0, 3, [0; 4]);
        assert!(encode_png_small(&image).is_err());
    }
}
