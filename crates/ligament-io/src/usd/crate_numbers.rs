//! Numbers of the binary form: how wide they are, and which fit beside their type.

use crate::import::ImportError;

use super::bytes::Bytes;

/// How one number is stored.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Number {
    Byte,
    Int,
    Uint,
    Int64,
    Half,
    Float,
    Double,
}

impl Number {
    pub fn size(self) -> usize {
        match self {
            Self::Byte => 1,
            Self::Half => 2,
            Self::Int | Self::Uint | Self::Float => 4,
            Self::Int64 | Self::Double => 8,
        }
    }

    pub fn read(self, bytes: &mut Bytes<'_>) -> Result<f64, ImportError> {
        Ok(match self {
            Self::Byte => f64::from(bytes.u8()?),
            Self::Int => f64::from(bytes.u32()? as i32),
            Self::Uint => f64::from(bytes.u32()?),
            Self::Int64 => bytes.u64()? as i64 as f64,
            Self::Half => half(u16::from_le_bytes(bytes.array()?)),
            Self::Float => f64::from(f32::from_bits(bytes.u32()?)),
            Self::Double => f64::from_bits(bytes.u64()?),
        })
    }
}

/// The number behind 16 bits.
pub(crate) fn half(bits: u16) -> f64 {
    let sign = if bits & 0x8000 == 0 { 1.0 } else { -1.0 };
    let exponent = i32::from((bits >> 10) & 31);
    let fraction = f64::from(bits & 1023);
    sign * match exponent {
        0 => fraction * 2f64.powi(-24),
        31 if fraction == 0.0 => f64::INFINITY,
        31 => f64::NAN,
        _ => (1024.0 + fraction) * 2f64.powi(exponent - 25),
    }
}

/// How a type's numbers are stored and how many make one value; `None` for other types.
pub(super) fn shape(kind: u64) -> Option<(Number, usize)> {
    use Number::{Byte, Double, Float, Half, Int, Int64, Uint};
    Some(match kind {
        1 | 2 => (Byte, 1),
        3 => (Int, 1),
        4 => (Uint, 1),
        5 | 6 => (Int64, 1),
        7 => (Half, 1),
        8 => (Float, 1),
        9 | 48 | 56 => (Double, 1),
        13 => (Double, 4),
        14 => (Double, 9),
        15 => (Double, 16),
        16 => (Double, 4),
        17 => (Float, 4),
        18 => (Half, 4),
        19..=30 => {
            let number = [Double, Float, Half, Int][((kind - 19) % 4) as usize];
            (number, 2 + ((kind - 19) / 4) as usize)
        }
        _ => return None,
    })
}

/// A value that fits into the 32 bits beside its type.
pub(super) fn inlined(kind: u64, number: Number, width: usize, payload: u32) -> Vec<f64> {
    let bytes = payload.to_le_bytes();
    let small = |i: usize| f64::from(bytes.get(i).copied().unwrap_or(0) as i8);
    match (kind, number, width) {
        (13..=15, ..) => {
            let side = [2, 3, 4][(kind - 13) as usize];
            let mut numbers = vec![0.0; width];
            for i in 0..side {
                numbers[i * side + i] = small(i);
            }
            numbers
        }
        (_, Number::Half, 2) => [[bytes[0], bytes[1]], [bytes[2], bytes[3]]]
            .map(|b| half(u16::from_le_bytes(b)))
            .to_vec(),
        (_, _, 2..) => (0..width).map(small).collect(),
        (1 | 2, ..) => vec![f64::from(bytes[0])],
        (_, Number::Int | Number::Int64, _) => vec![f64::from(payload as i32)],
        (_, Number::Half, _) => vec![half(payload as u16)],
        (_, Number::Float | Number::Double, _) => vec![f64::from(f32::from_bits(payload))],
        _ => vec![f64::from(payload)],
    }
}
