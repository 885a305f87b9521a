//! What is to be done next, and what the manifests say of it.
//!
//! Items are taken from the plan some thousands at a time, and the manifests are read for those alone: what a batch remembers does not
//! grow with its assets.

use std::collections::{HashMap, VecDeque};
use std::path::{Path, PathBuf};

use serde::Deserialize;

use super::BatchError;
use super::inputs::Item;
use super::manifest::{ErrorClass, Status, for_each_line};
use super::plan::Planned;

/// So many items are held at once. The manifests are read once for so many: 60 times for a million assets.
const AT_ONCE: usize = 16_384;

/// What the manifests say of a key.
#[derive(Debug, Clone)]
pub struct Before {
    /// Done by any attempt, or failed by all.
    pub status: Status,
    /// How often it was tried.
    pub attempts: u32,
    /// The hash of the output, if it was done.
    pub output_hash: Option<String>,
    /// Whether the last failure was the disk's and not the asset's.
    pub by_disk: bool,
}

/// An item, with what is known of its output by key.
#[derive(Debug)]
pub struct Waiting {
    /// The item.
    pub item: Item,
    /// What was tried for its output before.
    pub before: HashMap<String, Before>,
}

/// What is to be done, the largest first.
pub struct Queue {
    folder: PathBuf,
    plan: Planned,
    waiting: VecDeque<Waiting>,
    at_once: usize,
}

/// What of a line in a manifest says whether an asset is done.
#[derive(Deserialize)]
struct Attempt {
    key: String,
    output: PathBuf,
    status: Status,
    class: Option<ErrorClass>,
    output_hash: Option<String>,
}

impl Queue {
    /// Everything of a plan, with what the manifests of a folder say.
    pub fn new(folder: &Path, plan: Planned) -> Self {
        Self {
            folder: folder.to_owned(),
            plan,
            waiting: VecDeque::new(),
            at_once: AT_ONCE,
        }
    }

    /// The next item.
    pub fn next(&mut self) -> Result<Option<Waiting>, BatchError> {
        if self.waiting.is_empty() {
            self.fill()?;
        }
        Ok(self.waiting.pop_front())
    }

    fn fill(&mut self) -> Result<(), BatchError> {
        let mut items = Vec::new();
        while items.len() < self.at_once {
            let Some(item) = self.plan.next()? else { break };
            items.push(item);
        }
        if items.is_empty() {
            return Ok(());
        }
        items.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.output.cmp(&b.output)));
        let mut known: HashMap<PathBuf, HashMap<String, Before>> =
            items.iter().map(|i| (i.output.clone(), HashMap::new())).collect();
        for_each_line(&self.folder, |attempt: Attempt| {
            let Some(of_output) = known.get_mut(&attempt.output) else {
                return;
            };
            let before = of_output.entry(attempt.key).or_insert(Before {
                status: attempt.status,
                attempts: 0,
                output_hash: None,
                by_disk: false,
            });
            before.attempts += 1;
            before.by_disk = attempt.class == Some(ErrorClass::Write);
            if attempt.status == Status::Done {
                before.status = Status::Done;
                before.output_hash = attempt.output_hash;
            }
        })?;
        self.waiting.extend(items.into_iter().map(|item| Waiting {
            before: known.remove(&item.output).unwrap_or_default(),
            item,
        }));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::manifest::tests::row;
    use super::super::manifest::{Manifest, manifest_path};
    use super::super::plan::Plan;
    use super::*;

    #[test]
    fn what_was_done_is_known_in_every_window() {
        let dir = tempfile::tempdir().unwrap();
        let mut plan = Plan::new(dir.path()).unwrap();
        let mut manifest = Manifest::open(&manifest_path(dir.path(), None)).unwrap();
        for k in 0..10 {
            let row = row(&format!("k{k}"), Status::Done, 1);
            let item = Item {
                input: row.input.clone(),
                output: row.output.clone(),
                arguments: Vec::new(),
                bytes: 1 + k % 4,
            };
            plan.add(&item).unwrap();
            if k % 2 == 0 {
                manifest.add(&row).unwrap();
                manifest.add(&row).unwrap();
            }
        }
        let mut queue = Queue {
            at_once: 3,
            ..Queue::new(dir.path(), plan.finish().unwrap())
        };
        let mut seen = 0;
        while let Some(waiting) = queue.next().unwrap() {
            let key = waiting.item.output.with_extension("").display().to_string();
            let done = key[1..].parse::<u64>().unwrap() % 2 == 0;
            assert_eq!(
                waiting.before.get(&key).map(|b| b.attempts),
                done.then_some(2),
                "{key}"
            );
            seen += 1;
        }
        assert_eq!(seen, 10);
    }
}
