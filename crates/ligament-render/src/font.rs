//! A tiny font of five by seven dots for captions, with two rows below for descenders.

use crate::Image;

/// Width of a character's cell in dots: five for the glyph, one free.
pub const GLYPH_WIDTH: u32 = 6;
/// Height of a line in dots, descenders included, without space between lines.
pub const GLYPH_HEIGHT: u32 = 9;

/// These hang below the line, and how far.
const HANGING: &str = "gpqy";
const DESCENT: u32 = 2;

/// Seven rows per character from the space on, each a digit of base 32 whose highest bit
/// is the leftmost dot: `E` is 14 is `.###.`.
const GLYPHS: &[u8; 95 * 7] = b"\
0000000\
4444404\
AAA0000\
AAVAVAA\
4FKE5U4\
OP248J3\
CIK8LID\
4480000\
2488842\
8422248\
04LEL40\
044V440\
0000C48\
000V000\
00000CC\
01248G0\
EHJLPHE\
4C4444E\
EH1248V\
V2421HE\
26AIV22\
VGU11HE\
68GUHHE\
V124888\
EHHEHHE\
EHHF12C\
0CC0CC0\
0CC0C48\
248G842\
00V0V00\
8421248\
EH12404\
EH1DLLE\
EHHHVHH\
UHHUHHU\
EHGGGHE\
SIHHHIS\
VGGUGGV\
VGGUGGG\
EHGNHHF\
HHHVHHH\
E44444E\
72222IC\
HIKOKIH\
GGGGGGV\
HRLLHHH\
HHPLJHH\
EHHHHHE\
UHHUGGG\
EHHHLID\
UHHUKIH\
FGGE11U\
V444444\
HHHHHHE\
HHHHHA4\
HHHLLLA\
HHA4AHH\
HHHA444\
V1248GV\
E88888E\
0G84210\
E22222E\
4AH0000\
000000V\
8420000\
00E1FHF\
GGMPHHU\
00EGGHE\
11DJHHF\
00EHVGE\
698S888\
FHHHF1E\
GGMPHHH\
40C444E\
20622IC\
GGIKOKI\
C44444E\
00QLLHH\
00MPHHH\
00EHHHE\
UHHHUGG\
FHHHF11\
00MPGGG\
00EGE1U\
88S8896\
00HHHJD\
00HHHA4\
00HHLLA\
00HA4AH\
HHHHF1E\
00V248V\
2448442\
4444444\
8442448\
008L200";

/// What stands for characters that the font does not have.
const UNKNOWN: &[u8; 7] = b"VHHHHHV";

fn rows(c: char) -> [u8; 7] {
    let glyph = match c {
        ' '..='~' => &GLYPHS[(c as usize - ' ' as usize) * 7..][..7],
        _ => UNKNOWN,
    };
    std::array::from_fn(|row| match glyph[row] {
        digit @ b'0'..=b'9' => digit - b'0',
        letter => letter - b'A' + 10,
    })
}

/// How wide a line of text is, in pixels.
pub fn text_width(text: &str, scale: u32) -> u32 {
    let columns = (text.chars().count() as u32).saturating_mul(GLYPH_WIDTH);
    columns.saturating_sub(1).saturating_mul(scale)
}

/// Draws a line of text with its top left corner at `x`, `y`, each dot `scale` pixels wide
/// and high. What reaches over the edge is left out.
pub fn draw_text(image: &mut Image, x: u32, y: u32, scale: u32, color: [u8; 4], text: &str) {
    for (i, c) in text.chars().enumerate() {
        let left = x.saturating_add((i as u32).saturating_mul(GLYPH_WIDTH * scale));
        if left >= image.width {
            return;
        }
        let top = y + if HANGING.contains(c) { DESCENT * scale } else { 0 };
        for (row, bits) in rows(c).into_iter().enumerate() {
            for column in (0..5u32).filter(|column| bits >> (4 - column) & 1 == 1) {
                for dy in 0..scale {
                    for dx in 0..scale {
                        image.set(left + column * scale + dx, top + row as u32 * scale + dy, color);
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printable_character_has_a_glyph_of_its_own() {
        let mut seen = std::collections::BTreeMap::new();
        for c in '!'..='~' {
            let rows = rows(c);
            assert!(rows.iter().any(|&r| r != 0), "{c} is empty");
            assert!(rows.iter().all(|&r| r < 32), "{c} is too wide");
            assert_eq!(seen.insert(rows, c), None, "{c} looks like another");
        }
        assert_eq!(rows(' '), [0; 7]);
        assert_eq!(rows('é'), rows('\n'));
        assert_eq!(rows('T'), [31, 4, 4, 4, 4, 4, 4]);
    }

    #[test]
    fn text_lands_where_it_should_and_is_cut_at_the_edge() {
        let mut image = Image::filled(20, 16, [0; 4]);
        draw_text(&mut image, 2, 1, 2, [255; 4], "TT");
        assert_eq!(image.get(2, 1), Some([255; 4]));
        assert_eq!(image.get(11, 2), Some([255; 4]));
        assert_eq!(image.get(12, 1), Some([0; 4]));
        assert_eq!(image.get(6, 14), Some([255; 4]));
        assert_eq!(image.get(14, 1), Some([255; 4]));
        assert_eq!(text_width("TT", 2), 22);
        assert_eq!(text_width("", 2), 0);
    }
}
