//! NumPy's `.npy`: one array with its type and shape in front.

use crate::import::ImportError;

/// An array as it lies in the file.
pub(super) struct Array<'a> {
    pub shape: Vec<usize>,
    /// `u`, `i`, `f` or `U`.
    kind: u8,
    /// Bytes per item.
    size: usize,
    big_endian: bool,
    fortran_order: bool,
    data: &'a [u8],
}

impl<'a> Array<'a> {
    pub fn read(bytes: &'a [u8], name: &str) -> Result<Self, ImportError> {
        let fail = |problem: &str| ImportError::malformed(format!("array '{name}'"), problem);
        let rest = bytes
            .strip_prefix(b"\x93NUMPY")
            .ok_or_else(|| fail("it is no NumPy array"))?;
        let (start, length) = match *rest {
            [1, _, a, b, ..] => (4, usize::from(u16::from_le_bytes([a, b]))),
            [2 | 3, _, a, b, c, d, ..] => (6, u32::from_le_bytes([a, b, c, d]) as usize),
            _ => return Err(fail("its version is not known")),
        };
        let header = rest
            .get(start..start + length)
            .and_then(|h| std::str::from_utf8(h).ok())
            .ok_or_else(|| fail("its header is damaged"))?;
        let value = |key: &str| {
            let after = header.split_once(&format!("'{key}':"))?.1;
            Some(after.trim_start())
        };
        let descr = value("descr")
            .and_then(|v| v.strip_prefix('\''))
            .and_then(|v| v.split_once('\''))
            .map(|(descr, _)| descr.as_bytes())
            .ok_or_else(|| fail("its header has no plain type"))?;
        let shape = value("shape")
            .and_then(|v| v.strip_prefix('('))
            .and_then(|v| v.split_once(')'))
            .and_then(|(list, _)| {
                let items = list.split(',').map(str::trim).filter(|s| !s.is_empty());
                items.map(|s| s.parse().ok()).collect::<Option<Vec<usize>>>()
            })
            .ok_or_else(|| fail("its header has no shape"))?;
        let fortran_order = value("fortran_order").is_some_and(|v| v.starts_with("True"));
        let [order, kind, digits @ ..] = descr else {
            return Err(fail("its type is not understood"));
        };
        let width: usize = std::str::from_utf8(digits)
            .ok()
            .and_then(|d| d.parse().ok())
            .ok_or_else(|| fail("its type is not understood"))?;
        let size = match (kind, width) {
            (b'u' | b'i', 1 | 2 | 4 | 8) | (b'f', 4 | 8) => width,
            (b'U', _) => width.checked_mul(4).ok_or_else(|| fail("its text is too long"))?,
            _ => return Err(fail("its type is none of integers, floats or text")),
        };
        let data = &rest[start + length..];
        let items = shape.iter().try_fold(1usize, |n, &d| n.checked_mul(d));
        let wanted = items.and_then(|n| n.checked_mul(size));
        if wanted != Some(data.len()) {
            return Err(fail("its shape and its length do not agree"));
        }
        Ok(Self {
            shape,
            kind: *kind,
            size,
            big_endian: *order == b'>',
            fortran_order,
            data,
        })
    }

    /// The item at a row and a column of a table; the only column of a list.
    fn item(&self, row: usize, column: usize) -> &'a [u8] {
        let (rows, columns) = (self.shape.first().copied(), self.shape.get(1).copied());
        let (rows, columns) = (rows.unwrap_or(1), columns.unwrap_or(1));
        let index = if self.fortran_order {
            column * rows + row
        } else {
            row * columns + column
        };
        self.data
            .get(index * self.size..(index + 1) * self.size)
            .unwrap_or_default()
    }

    /// An item as a number; `None` when it is text.
    pub fn number(&self, row: usize, column: usize) -> Option<f64> {
        let item = self.item(row, column);
        let mut raw = [0; 8];
        raw.get_mut(..item.len())?.copy_from_slice(item);
        if self.big_endian {
            raw[..item.len()].reverse();
        }
        let unsigned = u64::from_le_bytes(raw);
        let unused = 64 - 8 * item.len() as u32;
        match (self.kind, item.len()) {
            (_, 0) => None,
            (b'u', _) => Some(unsigned as f64),
            (b'i', _) => Some((((unsigned << unused) as i64) >> unused) as f64),
            (b'f', 4) => Some(f64::from(f32::from_bits(unsigned as u32))),
            (b'f', 8) => Some(f64::from_bits(unsigned)),
            _ => None,
        }
    }

    /// An item of a list as text; `None` when it is a number.
    pub fn text(&self, row: usize) -> Option<String> {
        if self.kind != b'U' {
            return None;
        }
        let code = |b: &[u8]| {
            let raw = [b[0], b[1], b[2], b[3]];
            let code = if self.big_endian {
                u32::from_be_bytes(raw)
            } else {
                u32::from_le_bytes(raw)
            };
            char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
        };
        let text: String = self.item(row, 0).chunks_exact(4).map(code).collect();
        Some(text.trim_end_matches('\0').to_owned())
    }
}

/// A file of one array; `data` holds its items, little-endian, row by row.
pub(super) fn write(descr: &str, shape: &[usize], data: &[u8]) -> Vec<u8> {
    let shape: Vec<String> = shape.iter().map(|d| format!("{d},")).collect();
    let mut header = format!(
        "{{'descr': '{descr}', 'fortran_order': False, 'shape': ({}), }}",
        shape.join(" ")
    );
    // The data starts at a multiple of 64, after magic, version and length: 10 bytes.
    let padding = 63 - (10 + header.len()) % 64;
    header.push_str(&" ".repeat(padding));
    header.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.extend(data);
    bytes
}
