//! The header of a PLY: which elements follow, and what each holds.

use crate::import::ImportError;
use crate::text::{count_of, name_of, shown};

/// How numbers are written after the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Encoding {
    Ascii,
    LittleEndian,
    BigEndian,
}

/// The type of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scalar {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Scalar {
    fn of(word: &[u8]) -> Option<Self> {
        Some(match word {
            b"char" | b"int8" => Self::I8,
            b"uchar" | b"uint8" => Self::U8,
            b"short" | b"int16" => Self::I16,
            b"ushort" | b"uint16" => Self::U16,
            b"int" | b"int32" => Self::I32,
            b"uint" | b"uint32" => Self::U32,
            b"float" | b"float32" => Self::F32,
            b"double" | b"float64" => Self::F64,
            _ => return None,
        })
    }

    pub fn size(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// What stands for full brightness.
    pub fn largest_color(self) -> f64 {
        match self {
            Self::F32 | Self::F64 => 1.0,
            Self::I8 | Self::U8 => 255.0,
            Self::I16 | Self::U16 => 65535.0,
            Self::I32 | Self::U32 => 4294967295.0,
        }
    }
}

/// One number, or a list with its length in front.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Scalar(Scalar),
    List { count: Scalar, item: Scalar },
}

impl Kind {
    /// The type of its numbers.
    pub fn scalar(self) -> Scalar {
        match self {
            Self::Scalar(kind) | Self::List { item: kind, .. } => kind,
        }
    }
}

#[derive(Debug)]
pub(super) struct Property {
    pub name: String,
    pub kind: Kind,
}

#[derive(Debug)]
pub(super) struct Element {
    pub name: String,
    pub count: usize,
    pub properties: Vec<Property>,
}

#[derive(Debug)]
pub(super) struct Header {
    pub encoding: Encoding,
    pub elements: Vec<Element>,
}

impl Header {
    /// The header, and where the data after it starts.
    pub fn read(bytes: &[u8]) -> Result<(Self, usize), ImportError> {
        let mut encoding = None;
        let mut elements: Vec<Element> = Vec::new();
        let mut at = 0;
        let mut number = 0;
        loop {
            number += 1;
            let fail = |problem: String| Err(ImportError::malformed(format!("line {number}"), problem));
            let rest = &bytes[at..];
            let Some(end) = rest.iter().position(|&b| b == b'\n' || b == b'\r') else {
                return fail("the header has no 'end_header'".to_owned());
            };
            let line = &rest[..end];
            at += end + if rest[end..].starts_with(b"\r\n") { 2 } else { 1 };
            if number == 1 {
                if line.trim_ascii() != b"ply" {
                    return fail("a PLY begins with 'ply'".to_owned());
                }
                continue;
            }
            let words: Vec<&[u8]> = line
                .split(u8::is_ascii_whitespace)
                .filter(|w| !w.is_empty())
                .take(5)
                .collect();
            match words[..] {
                [b"format", kind, ..] => {
                    encoding = Some(match kind {
                        b"ascii" => Encoding::Ascii,
                        b"binary_little_endian" => Encoding::LittleEndian,
                        b"binary_big_endian" => Encoding::BigEndian,
                        other => return fail(format!("the format {} is not known", shown(other))),
                    });
                }
                [b"element", name, count] => {
                    let Some(count) = count_of(count) else {
                        return fail(format!("{} is no number of elements", shown(count)));
                    };
                    elements.push(Element {
                        name: name_of(name),
                        count,
                        properties: Vec::new(),
                    });
                }
                [b"property", ref words @ ..] => match (elements.last_mut(), property(words)) {
                    (Some(element), Some(property)) => element.properties.push(property),
                    _ => return fail("this property is not understood".to_owned()),
                },
                [b"end_header"] => break,
                [] | [b"comment" | b"obj_info", ..] => {}
                _ => return fail(format!("{} is no line of a header", shown(line))),
            }
        }
        let encoding =
            encoding.ok_or_else(|| ImportError::malformed("the header", "it does not state a format"))?;
        Ok((Self { encoding, elements }, at))
    }
}

fn property(words: &[&[u8]]) -> Option<Property> {
    let (kind, name) = match *words {
        [b"list", count, item, name] => {
            let (count, item) = (Scalar::of(count)?, Scalar::of(item)?);
            (Kind::List { count, item }, name)
        }
        [kind, name] => (Kind::Scalar(Scalar::of(kind)?), name),
        _ => return None,
    };
    Some(Property {
        name: name_of(name),
        kind,
    })
}
