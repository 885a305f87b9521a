//! Why a batch did not begin, or could not go on.

use std::path::PathBuf;

/// Why a batch did not begin, or could not go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BatchError {
    /// An input is not there.
    #[error("there is no such file or folder: {input}")]
    Missing {
        /// The input.
        input: String,
    },
    /// A folder or a pattern has nothing to do.
    #[error("nothing in it can be read as a character: {input}")]
    NothingIn {
        /// The input.
        input: String,
    },
    /// A pattern is none.
    #[error("'{pattern}' is no pattern: {problem}")]
    BadPattern {
        /// The pattern.
        pattern: String,
        /// Why.
        problem: String,
    },
    /// A line of a list is wrong.
    #[error("line {line} is no input: {problem}: {}", list.display())]
    BadRow {
        /// The list.
        list: PathBuf,
        /// The line, from 1.
        line: usize,
        /// Why.
        problem: String,
    },
    /// Two inputs have one output.
    #[error("{first} and {second} would both write {}; name their outputs in a list", output.display())]
    SameOutput {
        /// The output.
        output: PathBuf,
        /// One input.
        first: String,
        /// The other.
        second: String,
    },
    /// A path is no text, so no manifest can hold it.
    #[error("this name is no Unicode; rename the file: {}", path.display())]
    NotUnicode {
        /// The file.
        path: PathBuf,
    },
    /// There is no such verb for batches.
    #[error("a batch cannot do '{verb}'; it can do {known}")]
    UnknownVerb {
        /// The verb.
        verb: String,
        /// The verbs that there are.
        known: String,
    },
    /// A number is wrong.
    #[error("{option} {rule}")]
    BadValue {
        /// Which one.
        option: &'static str,
        /// What it may be.
        rule: &'static str,
    },
    /// Another batch writes the same manifest.
    #[error("another batch is at work in this folder; wait for it, or give shards: {}", path.display())]
    Busy {
        /// The manifest.
        path: PathBuf,
    },
    /// The system refused.
    #[error("{source}: {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: std::io::Error,
    },
}
