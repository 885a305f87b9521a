//! Numbers of a PLY one after the other, however they are written.

use super::header::{Encoding, Scalar};
use crate::import::ImportError;
use crate::text::{Words, f64_of, shown};

pub(super) enum Source<'a> {
    Ascii(Words<'a>),
    Binary {
        bytes: &'a [u8],
        at: usize,
        big_endian: bool,
    },
}

impl<'a> Source<'a> {
    pub fn new(bytes: &'a [u8], data_start: usize, encoding: Encoding) -> Self {
        match encoding {
            Encoding::Ascii => Self::Ascii(Words::starting(bytes, data_start)),
            Encoding::LittleEndian | Encoding::BigEndian => Self::Binary {
                bytes,
                at: data_start,
                big_endian: encoding == Encoding::BigEndian,
            },
        }
    }

    /// The next number.
    pub fn number(&mut self, kind: Scalar) -> Result<f64, ImportError> {
        match self {
            Self::Ascii(words) => {
                let word = words.expect("a number")?;
                number_of_word(word).ok_or_else(|| words.error(format!("{} is no number", shown(word))))
            }
            Self::Binary {
                bytes,
                at,
                big_endian,
            } => {
                let size = kind.size();
                let Some(found) = bytes.get(*at..*at + size) else {
                    let location = format!("byte {}", bytes.len());
                    return Err(ImportError::malformed(location, "the file ends too early"));
                };
                *at += size;
                Ok(number_of_bytes(found, kind, *big_endian))
            }
        }
    }

    /// How many bytes were read.
    pub fn at(&self) -> usize {
        match self {
            Self::Ascii(words) => words.at(),
            Self::Binary { at, .. } => *at,
        }
    }

    /// The length of a list.
    pub fn length(&mut self, kind: Scalar) -> Result<usize, ImportError> {
        let length = self.number(kind)?;
        if !(length >= 0.0 && length < f64::from(u32::MAX)) {
            return Err(self.error(format!("a list cannot have {length} entries")));
        }
        Ok(length as usize)
    }

    pub fn skip_list(&mut self, count: Scalar, item: Scalar) -> Result<(), ImportError> {
        for _ in 0..self.length(count)? {
            self.number(item)?;
        }
        Ok(())
    }

    /// Says what is wrong here.
    pub fn error(&self, problem: String) -> ImportError {
        match self {
            Self::Ascii(words) => words.error(problem),
            Self::Binary { at, .. } => ImportError::malformed(format!("byte {at}"), problem),
        }
    }
}

/// A number that is written out.
pub(super) fn number_of_word(word: &[u8]) -> Option<f64> {
    // Some programs write NaN for a missing normal or quality.
    f64_of(word).or_else(|| word.eq_ignore_ascii_case(b"nan").then_some(f64::NAN))
}

/// A number of this type from as many bytes as it has.
pub(super) fn number_of_bytes(bytes: &[u8], kind: Scalar, big_endian: bool) -> f64 {
    let mut raw = [0; 8];
    raw[..bytes.len()].copy_from_slice(bytes);
    if big_endian {
        raw[..bytes.len()].reverse();
    }
    let [a, b, c, d, ..] = raw;
    match kind {
        Scalar::I8 => f64::from(a as i8),
        Scalar::U8 => f64::from(a),
        Scalar::I16 => f64::from(i16::from_le_bytes([a, b])),
        Scalar::U16 => f64::from(u16::from_le_bytes([a, b])),
        Scalar::I32 => f64::from(i32::from_le_bytes([a, b, c, d])),
        Scalar::U32 => f64::from(u32::from_le_bytes([a, b, c, d])),
        Scalar::F32 => f64::from(f32::from_le_bytes([a, b, c, d])),
        Scalar::F64 => f64::from_le_bytes(raw),
    }
}
