//! PNG bytes of a picture.

use crate::Image;

/// Why a picture cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// The picture has no pixels, or not as many as its size says.
    #[error("a picture of {width} by {height} with {pixels} pixels cannot be written")]
    BadSize {
        /// Pixels per row.
        width: u32,
        /// Rows.
        height: u32,
        /// How many pixels there are.
        pixels: usize,
    },
    /// The encoder gave up.
    #[error("the PNG encoder failed: {0}")]
    Png(#[from] png::EncodingError),
    /// The encoder gave up.
    #[error("the GIF encoder failed: {0}")]
    Gif(#[from] gif::EncodingError),
}

/// The picture as the bytes of a PNG file, marked sRGB; without an alpha channel when
/// everything is opaque.
pub fn encode_png(image: &Image) -> Result<Vec<u8>, EncodeError> {
    let expected = image.width as usize * image.height as usize;
    if expected == 0 || image.pixels.len() != expected {
        return Err(EncodeError::BadSize {
            width: image.width,
            height: image.height,
            pixels: image.pixels.len(),
        });
    }
    let opaque = image.pixels.iter().all(|p| p[3] == 255);
    let channels = if opaque { 3 } else { 4 };
    let data: Vec<u8> = image
        .pixels
        .iter()
        .flat_map(|p| p.iter().take(channels))
        .copied()
        .collect();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, image.width, image.height);
    encoder.set_color(if opaque {
        png::ColorType::Rgb
    } else {
        png::ColorType::Rgba
    });
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    encoder.set_source_srgb(png::SrgbRenderingIntent::Perceptual);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&data)?;
    writer.finish()?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_can_be_read_back() {
        for alpha in [255, 7] {
            let mut image = Image::filled(5, 3, [10, 20, 30, 255]);
            image.set(4, 2, [200, 100, 50, alpha]);
            let bytes = encode_png(&image).unwrap();
            let mut reader = png::Decoder::new(std::io::Cursor::new(&bytes))
                .read_info()
                .unwrap();
            let mut data = vec![0; reader.output_buffer_size().unwrap()];
            let info = reader.next_frame(&mut data).unwrap();
            assert_eq!((info.width, info.height), (5, 3));
            let channels = if alpha == 255 { 3 } else { 4 };
            assert_eq!(
                &data[..channels * 15][channels * 14..],
                &[200, 100, 50, alpha][..channels]
            );
        }
    }

    #[test]
    fn a_picture_without_pixels_is_refused() {
        assert!(matches!(
            encode_png(&Image::default()),
            Err(EncodeError::BadSize { .. })
        ));
    }
}
