//! What all readers of other formats than glTF share: their result, their errors, their
//! warnings.

use std::path::{Path, PathBuf};

use ligament::Character;
use serde::Serialize;

use crate::gltf::GltfWarning;

/// What was read, and what was guessed or left out on the way.
#[derive(Debug, Clone, Default)]
pub struct Imported {
    /// As much of a character as the file holds: a mesh, a skeleton, clips, weights. In
    /// the one convention inside: right-handed, +Y up, facing +Z, metres.
    pub character: Character,
    /// What was guessed, repaired or left out.
    pub warnings: Vec<ImportWarning>,
}

/// Something that a user may want to know about a file that was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ImportWarning {
    /// A stable name for programs, such as `left_out_lines`.
    pub code: &'static str,
    /// For people.
    pub message: String,
}

/// Anything that was found in a file and repaired, guessed or left out.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum FileWarning {
    /// In a glTF file.
    Gltf(GltfWarning),
    /// In a file of another format.
    Import(ImportWarning),
}

impl FileWarning {
    /// Whether another says the same of something else in the file.
    pub fn is_like(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Gltf(a), Self::Gltf(b)) => std::mem::discriminant(a) == std::mem::discriminant(b),
            (Self::Import(a), Self::Import(b)) => a.code == b.code,
            _ => false,
        }
    }
}

impl std::fmt::Display for FileWarning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Gltf(warning) => write!(f, "{warning}"),
            Self::Import(warning) => write!(f, "{}", warning.message),
        }
    }
}

/// Why a file cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The system refused.
    #[error("cannot read ({source}): {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The file contradicts its format.
    #[error("{location}: {problem}")]
    Malformed {
        /// Where: `line 12`, `byte 400`, `/HIERARCHY/Hips`.
        location: String,
        /// What is wrong there.
        problem: String,
    },
    /// The file is sound but uses what this reader does not know.
    #[error("{what} is not supported; {way_out}")]
    Unsupported {
        /// The feature.
        what: String,
        /// What the user can do.
        way_out: String,
    },
    /// Another program that is needed does not do its part.
    #[error("{what}, but '{program}' {problem}; {way_out}")]
    NeedsProgram {
        /// What it is needed for.
        what: &'static str,
        /// The program.
        program: String,
        /// What is wrong with it.
        problem: String,
        /// What the user can do.
        way_out: &'static str,
    },
}

impl ImportError {
    pub(crate) fn malformed(location: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Malformed {
            location: location.into(),
            problem: problem.into(),
        }
    }
}

/// Reads a whole file.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, ImportError> {
    std::fs::read(path).map_err(|source| ImportError::Io {
        path: path.to_owned(),
        source,
    })
}
