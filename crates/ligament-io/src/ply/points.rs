//! A PLY of points that is kept as it is: rows may change, get new properties or lose some, and everything else, other
//! elements, comments and the way in which numbers are written, stays byte for byte.

use glam::Vec3;
use rayon::prelude::*;

use super::header::{Element, Encoding, Header, Kind, Scalar};
use super::skip;
use super::source::{Source, number_of_bytes, number_of_word};
use crate::import::ImportError;

/// Rows per parallel piece of work; fixed, so that bytes do not depend on threads.
const CHUNK: usize = 4096;

/// A PLY whose vertices are rows of plain numbers.
#[derive(Debug)]
pub struct PointFile<'a> {
    bytes: &'a [u8],
    header: Header,
    /// Which element the points are.
    vertex: usize,
    /// Where the header ends, and the rows begin and end.
    data_start: usize,
    rows: std::ops::Range<usize>,
}

/// How an added property is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewNumber {
    /// `ushort`.
    U16,
    /// `float`.
    F32,
}

/// What becomes of a file's header when its rows are written anew.
#[derive(Debug, Clone, Default)]
pub struct Changes {
    /// Properties that go.
    pub left_out: Vec<String>,
    /// Properties that come after those that are there.
    pub added: Vec<(String, NewNumber)>,
    /// Comments that begin so go.
    pub left_out_comments: Option<&'static str>,
    /// Comments that come at the end of the header.
    pub comments: Vec<String>,
}

/// Whether these are the bytes of a PLY with vertices and without faces.
pub fn is_points(bytes: &[u8]) -> bool {
    let Ok((header, _)) = Header::read(bytes) else {
        return false;
    };
    let count = |name: &str| -> usize {
        let of_name = header.elements.iter().filter(|e| e.name == name);
        of_name.map(|e| e.count).sum()
    };
    count("vertex") > 0 && count("face") == 0 && count("tristrips") == 0
}

impl<'a> PointFile<'a> {
    /// Reads the header, and checks that all rows are there.
    pub fn read(bytes: &'a [u8]) -> Result<Self, ImportError> {
        let (header, data_start) = Header::read(bytes)?;
        let Some(vertex) = header.elements.iter().position(|e| e.name == "vertex") else {
            return Err(ImportError::malformed("the header", "it has no vertices"));
        };
        let mut source = Source::new(bytes, data_start, header.encoding);
        for element in &header.elements[..vertex] {
            skip(element, &mut source)?;
        }
        let element = &header.elements[vertex];
        if element
            .properties
            .iter()
            .any(|p| matches!(p.kind, Kind::List { .. }))
        {
            return Err(ImportError::Unsupported {
                what: "PLY with lists in its points".to_owned(),
                way_out: "save it with numbers alone".to_owned(),
            });
        }
        let from = source.at();
        let to = match header.encoding {
            Encoding::Ascii => {
                skip(element, &mut source)?;
                source.at()
            }
            Encoding::LittleEndian | Encoding::BigEndian => {
                let size = element.count.checked_mul(stride(element));
                let end = size.and_then(|size| from.checked_add(size));
                end.filter(|&end| end <= bytes.len()).ok_or_else(|| {
                    ImportError::malformed(format!("byte {}", bytes.len()), "the file ends too early")
                })?
            }
        };
        let file = Self {
            bytes,
            vertex,
            data_start,
            rows: from..to,
            header,
        };
        if ["x", "y", "z"].iter().any(|axis| file.property(axis).is_none()) {
            return Err(ImportError::Unsupported {
                what: "PLY whose points have no x, y and z".to_owned(),
                way_out: "packed splats must be unpacked before, for instance by SuperSplat".to_owned(),
            });
        }
        Ok(file)
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        self.element().count
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn element(&self) -> &Element {
        &self.header.elements[self.vertex]
    }

    /// The index of a property in a row.
    pub fn property(&self, name: &str) -> Option<usize> {
        self.element().properties.iter().position(|p| p.name == name)
    }

    /// The names of a row's properties.
    pub fn properties(&self) -> impl Iterator<Item = &str> {
        self.element().properties.iter().map(|p| p.name.as_str())
    }

    /// The comments that begin with these words, without them.
    pub fn comments(&self, beginning: &str) -> Vec<String> {
        let lines = self.header_lines().map(|line| String::from_utf8_lossy(line));
        lines
            .filter_map(|line| {
                let comment = line.trim().strip_prefix("comment ")?;
                Some(comment.strip_prefix(beginning)?.trim().to_owned())
            })
            .collect()
    }

    /// Where the points are.
    pub fn positions(&self) -> Result<Vec<Vec3>, ImportError> {
        let axes = ["x", "y", "z"].map(|axis| self.property(axis).unwrap_or_default());
        let mut positions = Vec::with_capacity(self.len());
        let mut bad = None;
        self.each(|index, row| {
            let position = Vec3::from_array(axes.map(|axis| row[axis] as f32));
            if !position.is_finite() && bad.is_none() {
                bad = Some((index, position));
            }
            positions.push(position);
        })?;
        match bad {
            None => Ok(positions),
            Some((index, position)) => Err(ImportError::malformed(
                format!("vertex {index}"),
                format!("its position is not finite ({position})"),
            )),
        }
    }

    /// Calls back with every row in order.
    pub fn each(&self, mut row: impl FnMut(usize, &[f64])) -> Result<(), ImportError> {
        let element = self.element();
        let mut source = Source::new(self.bytes, self.rows.start, self.header.encoding);
        let mut values = vec![0.0; element.properties.len()];
        for index in 0..element.count {
            for (value, property) in values.iter_mut().zip(&element.properties) {
                *value = source.number(property.kind.scalar())?;
            }
            row(index, &values);
        }
        Ok(())
    }

    /// The whole file with rows as `row` leaves them: it gets each row's number, and its values with slots for what
    /// is added at their end. Numbers that it leaves alone are copied as they were written.
    pub fn rewritten(
        &self,
        changes: &Changes,
        row: impl Fn(usize, &mut [f64]) + Sync,
    ) -> Result<Vec<u8>, ImportError> {
        let element = self.element();
        let keeps: Vec<bool> = (element.properties.iter())
            .map(|p| !changes.left_out.contains(&p.name))
            .collect();
        let mut out = self.new_header(changes, &keeps);
        out.extend_from_slice(&self.bytes[self.data_start..self.rows.start]);
        match self.header.encoding {
            Encoding::Ascii => self.write_words(changes, &keeps, row, &mut out)?,
            Encoding::LittleEndian | Encoding::BigEndian => {
                self.write_binary(changes, &keeps, row, &mut out);
            }
        }
        out.extend_from_slice(&self.bytes[self.rows.end..]);
        Ok(out)
    }

    fn header_lines(&self) -> impl Iterator<Item = &'a [u8]> {
        let ends_line = |b: &u8| *b == b'\n';
        self.bytes[..self.data_start].split_inclusive(ends_line)
    }

    fn new_header(&self, changes: &Changes, keeps: &[bool]) -> Vec<u8> {
        let mut out = Vec::with_capacity(self.bytes.len());
        let end: &[u8] = if self.bytes[..self.data_start].contains(&b'\r') {
            b"\r\n"
        } else {
            b"\n"
        };
        let mut element = None; // which one the last line belongs to
        let mut properties = 0;
        let mut added = false;
        for line in self.header_lines() {
            let words: Vec<&[u8]> = (line.split(u8::is_ascii_whitespace).filter(|w| !w.is_empty())).collect();
            let starts_element = words.first() == Some(&&b"element"[..]);
            let ends = words.first() == Some(&&b"end_header"[..]);
            if (starts_element || ends) && element == Some(self.vertex) && !added {
                added = true;
                for (name, number) in &changes.added {
                    let kind = match number {
                        NewNumber::U16 => "ushort",
                        NewNumber::F32 => "float",
                    };
                    out.extend_from_slice(format!("property {kind} {name}").as_bytes());
                    out.extend_from_slice(end);
                }
            }
            if starts_element {
                element = Some(element.map_or(0, |e: usize| e + 1));
            }
            if ends {
                for comment in &changes.comments {
                    out.extend_from_slice(format!("comment {comment}").as_bytes());
                    out.extend_from_slice(end);
                }
            }
            let goes = match words.first() {
                Some(&b"property") if element == Some(self.vertex) => {
                    properties += 1;
                    !keeps[properties - 1]
                }
                Some(&b"comment") => {
                    let comment = line.trim_ascii()[b"comment".len()..].trim_ascii_start();
                    changes
                        .left_out_comments
                        .is_some_and(|b| comment.starts_with(b.as_bytes()))
                }
                _ => false,
            };
            if !goes {
                out.extend_from_slice(line);
            }
        }
        out
    }

    fn write_binary(
        &self,
        changes: &Changes,
        keeps: &[bool],
        row: impl Fn(usize, &mut [f64]) + Sync,
        out: &mut Vec<u8>,
    ) {
        let element = self.element();
        let stride = stride(element);
        if stride == 0 {
            return;
        }
        let big_endian = self.header.encoding == Encoding::BigEndian;
        let kinds: Vec<Scalar> = element.properties.iter().map(|p| p.kind.scalar()).collect();
        let of_chunk = |(chunk, rows): (usize, &[u8])| {
            let mut out = Vec::with_capacity(rows.len());
            let mut values = vec![0.0; kinds.len() + changes.added.len()];
            let mut before = vec![0u64; kinds.len()];
            for (i, bytes) in rows.chunks_exact(stride).enumerate() {
                let mut at = 0;
                for (k, kind) in kinds.iter().enumerate() {
                    values[k] = number_of_bytes(&bytes[at..at + kind.size()], *kind, big_endian);
                    before[k] = values[k].to_bits();
                    at += kind.size();
                }
                row(chunk * CHUNK + i, &mut values);
                let mut at = 0;
                for (k, kind) in kinds.iter().enumerate() {
                    let raw = &bytes[at..at + kind.size()];
                    at += kind.size();
                    if !keeps[k] {
                        continue;
                    }
                    if values[k].to_bits() == before[k] {
                        out.extend_from_slice(raw);
                    } else {
                        push_binary(&mut out, values[k], *kind, big_endian);
                    }
                }
                for (value, (_, number)) in values[kinds.len()..].iter().zip(&changes.added) {
                    push_binary(&mut out, *value, number.scalar(), big_endian);
                }
            }
            out
        };
        let rows = &self.bytes[self.rows.clone()];
        let pieces: Vec<Vec<u8>> = rows
            .par_chunks(CHUNK * stride)
            .enumerate()
            .map(of_chunk)
            .collect();
        pieces.iter().for_each(|piece| out.extend_from_slice(piece));
    }

    fn write_words(
        &self,
        changes: &Changes,
        keeps: &[bool],
        row: impl Fn(usize, &mut [f64]),
        out: &mut Vec<u8>,
    ) -> Result<(), ImportError> {
        let element = self.element();
        let kinds: Vec<Scalar> = element.properties.iter().map(|p| p.kind.scalar()).collect();
        let mut source = crate::text::Words::starting(self.bytes, self.rows.start);
        let mut values = vec![0.0; kinds.len() + changes.added.len()];
        let mut words: Vec<(&[u8], &[u8], u64)> = Vec::with_capacity(kinds.len()); // blanks, the word, its value
        let mut from = self.rows.start;
        for index in 0..element.count {
            words.clear();
            for value in values.iter_mut().take(kinds.len()) {
                let word = source.expect("a number")?;
                let start = source.at() - word.len();
                *value = number_of_word(word).ok_or_else(|| source.error("this is no number"))?;
                words.push((&self.bytes[from..start], word, value.to_bits()));
                from = source.at();
            }
            row(index, &mut values);
            for (k, &(blanks, word, before)) in words.iter().enumerate() {
                if !keeps[k] {
                    // A line's first number goes, and its line does not.
                    let line_end = blanks.iter().rposition(|&b| b == b'\n').map_or(0, |at| at + 1);
                    out.extend_from_slice(&blanks[..line_end]);
                    continue;
                }
                out.extend_from_slice(blanks);
                if values[k].to_bits() == before {
                    out.extend_from_slice(word);
                } else {
                    push_word(out, values[k], kinds[k]);
                }
            }
            for (value, (_, number)) in values[kinds.len()..].iter().zip(&changes.added) {
                out.push(b' ');
                push_word(out, *value, number.scalar());
            }
        }
        Ok(())
    }
}

impl NewNumber {
    fn scalar(self) -> Scalar {
        match self {
            Self::U16 => Scalar::U16,
            Self::F32 => Scalar::F32,
        }
    }
}

/// The bytes of a row.
fn stride(element: &Element) -> usize {
    element.properties.iter().map(|p| p.kind.scalar().size()).sum()
}

/// A number as its type can hold it: whole ones rounded and within their range, by the rules of `as`.
fn push_binary(out: &mut Vec<u8>, value: f64, kind: Scalar, big_endian: bool) {
    let whole = value.round();
    let mut raw = [0; 8];
    match kind {
        Scalar::I8 => raw[..1].copy_from_slice(&(whole as i8).to_le_bytes()),
        Scalar::U8 => raw[..1].copy_from_slice(&(whole as u8).to_le_bytes()),
        Scalar::I16 => raw[..2].copy_from_slice(&(whole as i16).to_le_bytes()),
        Scalar::U16 => raw[..2].copy_from_slice(&(whole as u16).to_le_bytes()),
        Scalar::I32 => raw[..4].copy_from_slice(&(whole as i32).to_le_bytes()),
        Scalar::U32 => raw[..4].copy_from_slice(&(whole as u32).to_le_bytes()),
        Scalar::F32 => raw[..4].copy_from_slice(&(value as f32).to_le_bytes()),
        Scalar::F64 => raw = value.to_le_bytes(),
    }
    let raw = &mut raw[..kind.size()];
    if big_endian {
        raw.reverse();
    }
    out.extend_from_slice(raw);
}

fn push_word(out: &mut Vec<u8>, value: f64, kind: Scalar) {
    let text = match kind {
        // As few digits as read back to the same number, with an exponent where zeros would fill the line.
        Scalar::F32 => match value.abs() as f32 {
            0.0 | 1e-4..1e9 => (value as f32).to_string(),
            _ => format!("{:e}", value as f32),
        },
        Scalar::F64 => match value.abs() {
            0.0 | 1e-4..1e9 => value.to_string(),
            _ => format!("{value:e}"),
        },
        _ => format!("{}", value.round() as i64),
    };
    out.extend_from_slice(text.as_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "ply\nformat ascii 1.0\ncomment made by hand\nelement camera 1\nproperty float fov\n\
        element vertex 2\nproperty float x\nproperty uchar red\nproperty double y\nproperty float z\nproperty int label\n\
        element edge 1\nproperty int a\nproperty int b\nend_header\n35.5\n1.50 200   0.1 -2 7\n3e0 100 0.25 4 -9\n0 1\n";

    /// The same file in binary.
    fn binary(big_endian: bool) -> Vec<u8> {
        let order = if big_endian { "big" } else { "little" };
        let end = TEXT.find("end_header\n").unwrap() + "end_header\n".len();
        let mut bytes = TEXT[..end]
            .replace("ascii", &format!("binary_{order}_endian"))
            .into_bytes();
        let mut push = |value: f64, kind| push_binary(&mut bytes, value, kind, big_endian);
        push(35.5, Scalar::F32);
        for [x, red, y, z, label] in [[1.5, 200.0, 0.1, -2.0, 7.0], [3.0, 100.0, 0.25, 4.0, -9.0]] {
            push(x, Scalar::F32);
            push(red, Scalar::U8);
            push(y, Scalar::F64);
            push(z, Scalar::F32);
            push(label, Scalar::I32);
        }
        push(0.0, Scalar::I32);
        push(1.0, Scalar::I32);
        bytes
    }

    #[test]
    fn what_does_not_change_is_the_same_bytes() {
        for bytes in [TEXT.as_bytes().to_vec(), binary(false), binary(true)] {
            assert!(is_points(&bytes));
            let file = PointFile::read(&bytes).unwrap();
            assert_eq!(file.rewritten(&Changes::default(), |_, _| {}).unwrap(), bytes);
            let wanted = [Vec3::new(1.5, 0.1, -2.0), Vec3::new(3.0, 0.25, 4.0)];
            assert_eq!(file.positions().unwrap(), wanted);
        }
    }

    #[test]
    fn numbers_change_alone_and_properties_come_and_go() {
        let changes = Changes {
            left_out: vec!["label".to_owned()],
            added: vec![("weight".to_owned(), NewNumber::F32)],
            left_out_comments: Some("made"),
            comments: vec!["made by code".to_owned()],
        };
        for (bytes, text) in [
            (TEXT.as_bytes().to_vec(), true),
            (binary(false), false),
            (binary(true), false),
        ] {
            let file = PointFile::read(&bytes).unwrap();
            let (x, end) = (file.property("x").unwrap(), file.properties().count());
            let written = file
                .rewritten(&changes, |index, row| {
                    row[x] += 0.25;
                    row[end] = index as f64 + 0.5;
                })
                .unwrap();
            let again = PointFile::read(&written).unwrap();
            assert_eq!(
                again.properties().collect::<Vec<_>>(),
                ["x", "red", "y", "z", "weight"]
            );
            assert_eq!(again.comments("made"), ["by code"]);
            let mut rows = Vec::new();
            again.each(|_, row| rows.push(row.to_vec())).unwrap();
            assert_eq!(
                rows,
                [[1.75, 200.0, 0.1, -2.0, 0.5], [3.25, 100.0, 0.25, 4.0, 1.5]]
            );
            if text {
                let written = String::from_utf8(written).unwrap();
                assert!(
                    written.ends_with("35.5\n1.75 200   0.1 -2 0.5\n3.25 100 0.25 4 1.5\n0 1\n"),
                    "{written}"
                );
            }
        }
    }

    #[test]
    fn faces_packed_splats_and_files_that_end_early_are_told() {
        let faces = "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n";
        assert!(!is_points(faces.as_bytes()) && !is_points(b"solid") && !is_points(b""));
        let packed =
            "ply\nformat ascii 1.0\nelement vertex 1\nproperty uint packed_position\nend_header\n7\n";
        let message = PointFile::read(packed.as_bytes()).unwrap_err().to_string();
        assert!(message.contains("packed"), "{message}");
        for bytes in [binary(false), TEXT.as_bytes().to_vec()] {
            let cut = bytes.len() - 40;
            assert!(PointFile::read(&bytes[..cut]).is_err());
        }
        let many = TEXT.replace("vertex 2", "vertex 18446744073709551615");
        assert!(PointFile::read(many.as_bytes()).is_err());
        let many = many.replace("ascii", "binary_little_endian");
        assert!(PointFile::read(many.as_bytes()).is_err());
        let nan = TEXT.replace("3e0", "nan");
        assert!(PointFile::read(nan.as_bytes()).unwrap().positions().is_err());
    }
}
