//! Characters made by code, so that everything runs with no data at hand.
//!
//! Bodies are implicit surfaces (smooth unions of rounded cones and ellipsoids) turned into
//! triangles by marching tetrahedra and remeshing; garments are sheets; the tube is exact.
//! The same spec gives the same bytes every time, at any number of threads.
//!
//! ```
//! let knight = ligament::sample::make("knight@3000")?;
//! assert!(knight.skeleton.find("left_hand").is_some());
//! # Ok::<(), ligament::sample::SampleError>(())
//! ```

mod armour;
mod assembly;
mod athlete;
mod biped_clips;
mod clipped;
mod coat;
mod figure;
mod hand;
mod hanging;
mod head;
mod hound;
mod hound_clips;
mod implicit;
mod knight;
mod lattice;
mod palm;
mod remesh;
mod rig;
mod skirt;
mod surface;
mod tube;

#[cfg(test)]
mod tests;

use crate::character::Character;

/// What there is to know about a sample before it is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SampleInfo {
    /// What [`make`] calls it.
    pub name: &'static str,
    /// One line on what it shows.
    pub description: &'static str,
    /// How many vertices it has, roughly, when none are asked for.
    pub vertices: usize,
    /// The fewest vertices that still show what it is.
    pub fewest: usize,
}

/// The most vertices a sample is made with.
pub const MOST_VERTICES: usize = 200_000;

static SAMPLES: [SampleInfo; 8] = [
    SampleInfo {
        name: "knight",
        description: "many parts as downloads have them: armour, cape, hair, and a few defects",
        vertices: 12_000,
        fewest: 2_000,
    },
    SampleInfo {
        name: "athlete",
        description: "one closed surface in the T-pose, with joints for fingers and toes",
        vertices: 20_000,
        fewest: 1_000,
    },
    SampleInfo {
        name: "apose",
        description: "one closed surface with the arms down, hands near the thighs",
        vertices: 16_000,
        fewest: 1_000,
    },
    SampleInfo {
        name: "hand",
        description: "a hand with its fingers close together",
        vertices: 8_000,
        fewest: 500,
    },
    SampleInfo {
        name: "hound",
        description: "a dog on four legs, with ears and a tail",
        vertices: 12_000,
        fewest: 800,
    },
    SampleInfo {
        name: "skirt",
        description: "a long open skirt over legs, with chains of skirt joints",
        vertices: 14_000,
        fewest: 1_500,
    },
    SampleInfo {
        name: "coat",
        description: "a long coat over shirt and trousers, open in front, with joints for its tails",
        vertices: 14_000,
        fewest: 1_500,
    },
    SampleInfo {
        name: "tube",
        description: "a capped cylinder with two bones, exact to the last digit",
        vertices: 1_000,
        fewest: 20,
    },
];

/// All samples.
pub fn names() -> &'static [SampleInfo] {
    &SAMPLES
}

/// Why there is no such sample.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SampleError {
    /// No sample of that name.
    #[error("there is no sample '{name}'; the samples are {}", known())]
    UnknownName {
        /// What was asked for.
        name: String,
    },
    /// What follows the `@` is no whole number.
    #[error("'{count}' is no number of vertices; write for example '{name}@2000'")]
    NotANumber {
        /// The sample asked for.
        name: String,
        /// What was given as the number.
        count: String,
    },
    /// More or fewer vertices than the sample can be made with.
    #[error("'{name}' cannot be made with {count} vertices; ask for {fewest} to {most}")]
    CountOutOfRange {
        /// The sample asked for.
        name: String,
        /// The vertices asked for.
        count: usize,
        /// The fewest it can be made with.
        fewest: usize,
        /// The most it can be made with.
        most: usize,
    },
}

fn known() -> String {
    SAMPLES.map(|s| s.name).join(", ")
}

/// Makes the sample that `spec` names: `knight`, or `knight@2000` for about so many
/// vertices.
pub fn make(spec: &str) -> Result<Character, SampleError> {
    let (name, count) = match spec.split_once('@') {
        Some((name, count)) => (name.trim(), Some(count.trim())),
        None => (spec.trim(), None),
    };
    let info = SAMPLES
        .iter()
        .find(|s| s.name == name)
        .ok_or_else(|| SampleError::UnknownName {
            name: name.to_owned(),
        })?;
    let vertices = match count {
        None => info.vertices,
        Some(count) => count.parse().map_err(|_| SampleError::NotANumber {
            name: name.to_owned(),
            count: count.to_owned(),
        })?,
    };
    if !(info.fewest..=MOST_VERTICES).contains(&vertices) {
        return Err(SampleError::CountOutOfRange {
            name: name.to_owned(),
            count: vertices,
            fewest: info.fewest,
            most: MOST_VERTICES,
        });
    }
    Ok(match info.name {
        "knight" => knight::knight(vertices),
        "athlete" => athlete::athlete(vertices),
        "apose" => athlete::apose(vertices),
        "hand" => hand::hand(vertices),
        "hound" => hound::hound(vertices),
        "skirt" => skirt::skirt(vertices),
        "coat" => coat::coat(vertices),
        _ => tube::tube(vertices),
    })
}
