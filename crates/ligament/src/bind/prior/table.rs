//! What was learned, packed.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use super::features::{COUNT, Features};
use crate::bind::learned::{LevelForest, Reader, TableError};

/// The first bytes of a table.
const MAGIC: [u8; 8] = *b"LIGPRIOR";
/// Changes whenever features do.
const VERSION: u16 = 2;

/// Which prior corrects weights.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PriorChoice {
    /// The one that comes with the library, learned from characters whose licences allow it.
    #[default]
    Shipped,
    /// None: the recipes as they are.
    None,
    /// This one.
    Learned(Box<Prior>),
}

impl PriorChoice {
    /// The prior, if there is one.
    pub(in crate::bind) fn prior(&self) -> Option<&Prior> {
        match self {
            Self::Shipped => Prior::shipped(),
            Self::None => None,
            Self::Learned(prior) => Some(prior),
        }
    }
}

/// A learned correction of weights. As data it is its bytes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(try_from = "Vec<u8>", into = "Vec<u8>")]
pub struct Prior {
    /// θ, for features as fractions of their ranges.
    linear: [f32; COUNT],
    forest: LevelForest,
    /// How it is used.
    manner: Manner,
}

/// How a prior is used. What is learned by trees jumps; these keep it in bounds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Manner {
    /// The fraction of the recipes' weights that is kept as it is, from 0 to 1.
    pub keep: f32,
    /// The fraction of the change that a point takes from the points around it, from 0 to 1.
    pub calm: f32,
}

impl Manner {
    fn is_sound(self) -> bool {
        (0.0..=1.0).contains(&self.keep) && (0.0..=1.0).contains(&self.calm)
    }
}

impl PartialEq for Prior {
    fn eq(&self, other: &Self) -> bool {
        self.write() == other.write()
    }
}

impl From<Prior> for Vec<u8> {
    fn from(prior: Prior) -> Self {
        prior.write()
    }
}

impl TryFrom<Vec<u8>> for Prior {
    type Error = TableError;

    fn try_from(bytes: Vec<u8>) -> Result<Self, TableError> {
        Self::read(&bytes)
    }
}

impl Prior {
    /// What was learned, put together.
    pub fn new(linear: [f32; COUNT], forest: LevelForest, manner: Manner) -> Self {
        Self {
            linear,
            forest,
            manner,
        }
    }

    /// The same, used in another manner.
    #[cfg(feature = "research")]
    pub fn in_manner(self, manner: Manner) -> Self {
        Self { manner, ..self }
    }

    /// How it is used.
    pub fn manner(&self) -> Manner {
        self.manner
    }

    /// The prior that comes with the library; none if it changes nothing.
    pub fn shipped() -> Option<&'static Self> {
        static SHIPPED: OnceLock<Option<Prior>> = OnceLock::new();
        let read = || Self::read(include_bytes!("shipped.prior")).ok();
        SHIPPED
            .get_or_init(|| read().filter(|p| !p.forest.is_empty()))
            .as_ref()
    }

    /// Its bytes.
    pub fn write(&self) -> Vec<u8> {
        let mut table = MAGIC.to_vec();
        table.extend(VERSION.to_le_bytes());
        table.extend((COUNT as u16).to_le_bytes());
        table.extend(self.manner.keep.to_le_bytes());
        table.extend(self.manner.calm.to_le_bytes());
        table.extend(self.linear.iter().flat_map(|t| t.to_le_bytes()));
        self.forest.write(&mut table);
        table
    }

    /// Reads what [`Prior::write`] wrote.
    pub fn read(bytes: &[u8]) -> Result<Self, TableError> {
        let mut table = Reader(bytes);
        if table.take::<8>()? != MAGIC {
            return Err(TableError::NoTable);
        }
        let found = u16::from_le_bytes(table.take()?);
        let count = u16::from_le_bytes(table.take()?);
        if found != VERSION || usize::from(count) != COUNT {
            return Err(TableError::OtherVersion {
                found,
                wanted: VERSION,
            });
        }
        let manner = Manner {
            keep: f32::from_le_bytes(table.take()?),
            calm: f32::from_le_bytes(table.take()?),
        };
        if !manner.is_sound() {
            return Err(TableError::NotFinite);
        }
        let mut linear = [0.0; COUNT];
        for theta in &mut linear {
            *theta = f32::from_le_bytes(table.take()?);
            if !theta.is_finite() {
                return Err(TableError::NotFinite);
            }
        }
        let forest = LevelForest::read(&mut table, COUNT)?;
        table.finish()?;
        Ok(Self {
            linear,
            forest,
            manner,
        })
    }

    /// What is added to the logarithms of weights, for rows of features.
    pub fn corrections(&self, rows: &[Features], corrections: &mut Vec<f32>) {
        self.forest.sums(&self.linear, rows, corrections);
    }
}
