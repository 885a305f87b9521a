//! Pictures side by side, with captions.

use crate::scene::{MAX_PIXELS, MAX_SIDE};
use crate::{GLYPH_HEIGHT, Image, RenderError, draw_text, text_width};

/// One picture of a sheet.
#[derive(Debug, Clone, Copy)]
pub struct Cell<'a> {
    /// The picture.
    pub image: &'a Image,
    /// What is written under it, in ASCII; empty for nothing.
    pub caption: &'a str,
}

/// How a sheet is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SheetOptions {
    /// Pictures per row; 0 puts all in one.
    pub columns: usize,
    /// Free pixels between pictures and around all.
    pub gap: u32,
    /// Pixels per dot of the captions' font; 2 gives letters 14 pixels high.
    pub caption_scale: u32,
    /// What is between the pictures, as sRGB.
    pub background: [u8; 4],
    /// The captions' colour, as sRGB.
    pub caption_color: [u8; 4],
}

impl Default for SheetOptions {
    fn default() -> Self {
        Self {
            columns: 0,
            gap: 8,
            caption_scale: 2,
            background: [250, 250, 251, 255],
            caption_color: [52, 56, 64, 255],
        }
    }
}

/// Lays pictures out in rows, each in a cell as large as the largest picture, captions
/// centred below. Captions that are too long end in two dots.
pub fn sheet(cells: &[Cell], options: &SheetOptions) -> Result<Image, RenderError> {
    let columns = match options.columns {
        0 => cells.len(),
        n => n.min(cells.len()),
    } as u64;
    let cell_width = cells.iter().map(|c| c.image.width).max().unwrap_or(0);
    let cell_height = cells.iter().map(|c| c.image.height).max().unwrap_or(0);
    let scale = options.caption_scale;
    let captioned = scale > 0 && cells.iter().any(|c| !c.caption.is_empty());
    let caption_height = if captioned {
        (GLYPH_HEIGHT + 3).saturating_mul(scale)
    } else {
        0
    };
    let gap = u64::from(options.gap);
    let rows = (cells.len() as u64).div_ceil(columns.max(1));
    let row_height = u64::from(cell_height) + u64::from(caption_height) + gap;
    let width = columns * (u64::from(cell_width) + gap) + gap;
    let height = rows * row_height + gap;
    let fits = columns > 0
        && width <= u64::from(MAX_SIDE)
        && height <= u64::from(MAX_SIDE)
        && width * height <= MAX_PIXELS;
    if !fits {
        return Err(RenderError::BadSize {
            width: u32::try_from(width).unwrap_or(u32::MAX),
            height: u32::try_from(height).unwrap_or(u32::MAX),
        });
    }
    let mut out = Image::filled(width as u32, height as u32, options.background);
    for (i, cell) in cells.iter().enumerate() {
        let (column, row) = (i as u64 % columns, i as u64 / columns);
        let left = (gap + column * (u64::from(cell_width) + gap)) as u32;
        let top = (gap + row * row_height) as u32;
        out.paste(
            cell.image,
            left + (cell_width - cell.image.width) / 2,
            top + (cell_height - cell.image.height) / 2,
        );
        if captioned {
            let caption = shortened(cell.caption, cell_width, scale);
            let indent = cell_width.saturating_sub(text_width(&caption, scale)) / 2;
            let y = top + cell_height + 2 * scale;
            draw_text(&mut out, left + indent, y, scale, options.caption_color, &caption);
        }
    }
    Ok(out)
}

/// Two pictures, or a few, in one row.
pub fn side_by_side(cells: &[Cell]) -> Result<Image, RenderError> {
    sheet(cells, &SheetOptions::default())
}

fn shortened(caption: &str, width: u32, scale: u32) -> String {
    if text_width(caption, scale) <= width {
        return caption.to_owned();
    }
    let mut kept: Vec<char> = caption.chars().collect();
    while let Some(_last) = kept.pop() {
        let short: String = kept.iter().chain(&['.', '.']).collect();
        if text_width(&short, scale) <= width {
            return short;
        }
    }
    String::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pictures_go_where_they_belong() {
        let red = Image::filled(10, 6, [255, 0, 0, 255]);
        let small = Image::filled(4, 2, [0, 255, 0, 255]);
        let cells = [
            Cell {
                image: &red,
                caption: "a",
            },
            Cell {
                image: &small,
                caption: "",
            },
            Cell {
                image: &red,
                caption: "a long caption",
            },
        ];
        let options = SheetOptions {
            columns: 2,
            gap: 3,
            caption_scale: 1,
            ..SheetOptions::default()
        };
        let out = sheet(&cells, &options).unwrap();
        assert_eq!((out.width, out.height), (29, 45));
        assert_eq!(out.get(3, 3), Some([255, 0, 0, 255]));
        assert_eq!(out.get(2, 3), Some(options.background));
        // The small one is centred in its cell.
        assert_eq!(out.get(19, 5), Some([0, 255, 0, 255]));
        assert_eq!(out.get(18, 5), Some(options.background));
        assert_eq!(out.get(3, 24), Some([255, 0, 0, 255]));
        assert!(out.pixels.contains(&options.caption_color));
        assert_eq!(shortened("abcdef", 24, 1), "ab..");
        assert_eq!(shortened("abcdef", 5, 1), "");
    }

    #[test]
    fn an_empty_or_absurd_sheet_is_refused() {
        assert!(sheet(&[], &SheetOptions::default()).is_err());
        let wide = Image::filled(9000, 1, [0; 4]);
        let cell = Cell {
            image: &wide,
            caption: "",
        };
        assert!(side_by_side(&[cell, cell]).is_err());
    }
}
