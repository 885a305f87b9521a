//! Options that the commands which bind share.

use clap::ValueEnum;
use ligament_app::bind_request::ALL_INFLUENCES;
use ligament_app::save::WeightFormat;

/// The most joints that a vertex follows.
#[derive(Clone, Copy)]
pub struct Influences(pub usize);

/// Reads 1 to 64, or all.
pub fn influences(text: &str) -> Result<Influences, String> {
    match text.parse() {
        _ if text == "all" => Ok(Influences(ALL_INFLUENCES)),
        Ok(n @ 1..=64) => Ok(Influences(n)),
        _ => Err("a number from 1 to 64, or all".to_owned()),
    }
}

/// How weights are stored.
#[derive(Clone, Copy, ValueEnum)]
pub enum StoredAs {
    /// As the file has them, else floats
    Keep,
    /// 32-bit floats
    F32,
    /// 16-bit fractions with an exact sum
    U16,
    /// 8-bit fractions with an exact sum
    U8,
}

impl From<StoredAs> for WeightFormat {
    fn from(stored: StoredAs) -> Self {
        match stored {
            StoredAs::Keep => Self::Keep,
            StoredAs::F32 => Self::F32,
            StoredAs::U16 => Self::U16,
            StoredAs::U8 => Self::U8,
        }
    }
}
