//! Weights from one mesh to another.

mod same_character;

pub use same_character::{NotTheSame, SameCharacter, VertexMatch, weights_of_same_character};
