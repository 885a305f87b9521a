//! Files that may be downloaded, each by a word that nobody can guess.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use crate::secrets::token;

/// Downloads that are kept.
const MOST: usize = 64;

/// What may be downloaded.
#[derive(Default)]
pub struct Tickets(Mutex<BTreeMap<String, PathBuf>>);

impl Tickets {
    /// A word for a file.
    pub fn issue(&self, path: PathBuf) -> Option<String> {
        let word = token().ok()?;
        let mut tickets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if tickets.len() == MOST {
            tickets.pop_first();
        }
        tickets.insert(word.clone(), path);
        Some(word)
    }

    /// The file of a word.
    pub fn file(&self, word: &str) -> Option<PathBuf> {
        let tickets = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tickets.get(word).cloned()
    }
}
