//! Many assets: each in a process of its own, written down, and never done twice.
//!
//! A batch is one idempotent command: what is done is skipped, what changed is made again, and going on after a kill is running it
//! again. Each asset has a key ([`key`](key_of)), a line in the manifest for every attempt, and an output that takes its name only when it was
//! read back. What fails lies in `quarantine/` with its log and the command that repeats it.

mod asset;
mod error;
mod inputs;
mod key;
mod manifest;
mod outputs;
mod permits;
mod plan;
mod process;
mod quarantine;
mod queue;
pub mod report;
mod verb;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use ligament::task::CancelToken;
use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use asset::{AssetJob, AssetResult, class_of, finish};
pub use error::BatchError;
pub use inputs::{Item, output_of};
pub use key::key_of;
pub use manifest::{ErrorClass, Measures, Row, Status, Worst, for_each_row, newer};
pub use verb::Verb;

use manifest::{Manifest, manifest_path};
use permits::Permits;
use process::{Ending, Limits};
use queue::{Before, Queue, Waiting};

/// Work that is under way, below the batch's folder. A name that no asset has.
const WORK: &str = ".work";
/// A process is given so much memory at least.
const LEAST_MEMORY: u64 = 256 << 20;
/// Of the free memory, what processes may hold together.
const USABLE_MEMORY: f64 = 0.8;

/// What to do, and how.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct BatchRequest {
    /// Folders, patterns, files, `sample:NAME`, or `@LIST` with one input or JSON object a line.
    pub inputs: Vec<String>,
    /// The folder for outputs, manifest and quarantine.
    pub output: PathBuf,
    /// The verb: bind, rig, transfer, weights, lods, convert or check.
    pub verb: String,
    /// Arguments of the verb, as on the command line; `{}` stands for the input.
    pub arguments: Vec<String>,
    /// The ending of outputs, instead of the input's own.
    pub to: Option<String>,
    /// Assets at once; as many as cores and memory allow if none.
    pub jobs: Option<usize>,
    /// Cores for all of them together; all that there are if none.
    pub threads: Option<usize>,
    /// The longest that an asset may take, in seconds.
    pub timeout: f64,
    /// The most memory that an asset may hold, in MB; its part of what is free if none.
    pub memory: Option<u64>,
    /// The part `i` of `n` of all assets, `i` from 1.
    pub shard: Option<(u32, u32)>,
    /// Try again what failed before.
    pub retry: bool,
    /// Begin nothing new after the first failure.
    pub fail_fast: bool,
    /// Measure outputs as `check` does.
    pub measure: bool,
}

impl Default for BatchRequest {
    fn default() -> Self {
        Self {
            inputs: Vec::new(),
            output: PathBuf::new(),
            verb: "bind".to_owned(),
            arguments: Vec::new(),
            to: None,
            jobs: None,
            threads: None,
            timeout: 600.0,
            memory: None,
            shard: None,
            retry: false,
            fail_fast: false,
            measure: true,
        }
    }
}

/// What came of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct BatchReport {
    /// Assets that were asked for, of this shard.
    pub assets: usize,
    /// Done now.
    pub done: usize,
    /// Done before.
    pub skipped: usize,
    /// Failed now, or before and not tried again.
    pub failed: usize,
    /// Not begun, because the batch was stopped.
    pub left: usize,
    /// The manifest.
    pub manifest: PathBuf,
}

/// What is seen of a batch while it runs.
pub enum Event<'a> {
    /// So many assets will be looked at.
    Begins(usize),
    /// One ended; its row is in the manifest.
    Ended(&'a Row),
    /// One is done or has failed already.
    Skipped(&'a Item),
}

/// How this program is started again: its path and what comes before the arguments of the command line.
#[derive(Debug, Clone)]
pub struct Program {
    /// The executable.
    pub path: PathBuf,
    /// Arguments before all others.
    pub first: Vec<OsString>,
}

/// Does everything that is not done yet.
pub fn run(
    request: &BatchRequest,
    program: &Program,
    cancel: &CancelToken,
    seen: &(dyn Fn(&Event<'_>) + Sync),
) -> Result<BatchReport, BatchError> {
    let verb = Verb::named(&request.verb).ok_or_else(|| BatchError::UnknownVerb {
        verb: request.verb.clone(),
        known: Verb::names(),
    })?;
    if !request.timeout.is_finite() || request.timeout <= 0.0 {
        return Err(BatchError::BadValue {
            option: "the timeout",
            rule: "is a number of seconds over 0",
        });
    }
    if request.shard.is_some_and(|(i, n)| i == 0 || i > n) {
        return Err(BatchError::BadValue {
            option: "the shard",
            rule: "is i/n with i from 1 to n",
        });
    }
    let folder = &request.output;
    create(folder)?;
    let to = request.to.as_deref();
    let plan = inputs::planned(&request.inputs, verb, to, request.shard, folder).inspect_err(|_| {
        let _ = std::fs::remove_dir(folder); // if it is new and empty
    })?;
    let count = plan.len();
    let cores = request.threads.filter(|&n| n > 0).unwrap_or_else(all_cores);
    let jobs = request.jobs.unwrap_or(cores).clamp(1, count.max(1));
    // One asset more than processes: while outputs take their places, the cores have work. Not where a failure must be known first.
    let workers = if request.fail_fast { jobs } else { jobs + 1 };
    let manifest_file = manifest_path(folder, request.shard);
    let manifest = Manifest::open(&manifest_file)?;
    let batch = Batch {
        request,
        program,
        verb,
        remains: folders_in(&folder.join(WORK)),
        manifest: Mutex::new(manifest),
        failure: Mutex::new(None),
        stop: CancelToken::new(),
        cancel,
        seen,
        counts: Counts::default(),
        permits: Permits::new(jobs),
    };
    let limits = limits(request, jobs);
    seen(&Event::Begins(count));
    let queue = Mutex::new(Queue::new(folder, plan));
    let threads = (cores / jobs).max(1);
    std::thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while !batch.stopped() {
                    // Another worker that panicked leaves a queue that is as good as before.
                    let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                    let ended = match next {
                        Ok(Some(waiting)) => batch.one(&waiting, &limits, threads),
                        Ok(None) => break,
                        Err(error) => Err(error),
                    };
                    if let Err(error) = ended {
                        batch.give_up(error);
                    }
                }
            });
        }
    });
    // Folders of work are empty now, or those of a batch that was killed.
    let _ = std::fs::remove_dir(folder.join(WORK));
    if let Some(error) = batch.failure.into_inner().ok().flatten() {
        return Err(error);
    }
    let [done, skipped, failed] = [&batch.counts.done, &batch.counts.skipped, &batch.counts.failed]
        .map(|count| count.load(Ordering::Relaxed));
    Ok(BatchReport {
        assets: count,
        done,
        skipped,
        failed,
        left: count - done - skipped - failed,
        manifest: manifest_file,
    })
}

fn create(folder: &Path) -> Result<(), BatchError> {
    std::fs::create_dir_all(folder).map_err(|source| BatchError::Io {
        path: folder.to_owned(),
        source,
    })
}

/// Takes folders away that nobody needs; what cannot be taken away now is tried again by the next batch.
fn remove_all(folders: &[PathBuf]) {
    for folder in folders {
        let _ = std::fs::remove_dir_all(folder);
    }
}

fn folders_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries.map(|e| e.path()).collect();
    folders.sort();
    folders
}

fn all_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

fn limits(request: &BatchRequest, jobs: usize) -> Limits {
    let free = process::free_memory().map(|free| (free as f64 * USABLE_MEMORY) as u64);
    let shared = free.map(|free| (free / jobs as u64).max(LEAST_MEMORY));
    Limits {
        time: Duration::from_secs_f64(request.timeout.min(1e9)),
        memory: request.memory.map(|mb| mb << 20).or(shared),
    }
}

#[derive(Default)]
struct Counts {
    done: AtomicUsize,
    skipped: AtomicUsize,
    failed: AtomicUsize,
}

/// A batch under way.
struct Batch<'a> {
    request: &'a BatchRequest,
    program: &'a Program,
    verb: &'static Verb,
    /// Folders of work that were there when it began.
    remains: Vec<PathBuf>,
    manifest: Mutex<Manifest>,
    /// What ended it before its time.
    failure: Mutex<Option<BatchError>>,
    stop: CancelToken,
    cancel: &'a CancelToken,
    seen: &'a (dyn Fn(&Event<'_>) + Sync),
    counts: Counts,
    /// To run a process.
    permits: Permits,
}

impl Batch<'_> {
    fn stopped(&self) -> bool {
        self.cancel.is_cancelled() || self.stop.is_cancelled()
    }

    fn give_up(&self, error: BatchError) {
        if let Ok(mut failure) = self.failure.lock() {
            failure.get_or_insert(error);
        }
        self.stop.cancel();
    }

    /// One asset: skipped, or done and written down.
    fn one(&self, waiting: &Waiting, limits: &Limits, threads: usize) -> Result<(), BatchError> {
        let item = &waiting.item;
        let key = key_of(
            item,
            self.verb.name,
            &self.request.arguments,
            env!("CARGO_PKG_VERSION"),
        );
        // A name of its own: the process of a batch that was killed may not have noticed yet.
        let work = self
            .request
            .output
            .join(WORK)
            .join(format!("{key}-{}", std::process::id()));
        let known = waiting.before.get(&key);
        let remains = self.remains_of(&key);
        if let Some(known) = known
            && self.is_settled(item, known, &remains)?
        {
            let count = match known.status {
                Status::Done => &self.counts.skipped,
                Status::Failed => &self.counts.failed,
            };
            count.fetch_add(1, Ordering::Relaxed);
            (self.seen)(&Event::Skipped(item));
            return Ok(());
        }
        let fail = |source| BatchError::Io {
            path: work.clone(),
            source,
        };
        remove_all(&remains);
        let outputs = work.join("outputs");
        std::fs::create_dir_all(&outputs).map_err(fail)?;
        let Some(row) = self
            .attempt(item, &key, &work, known, limits, threads)
            .map_err(fail)?
        else {
            std::fs::remove_dir_all(&work).map_err(fail)?;
            return Ok(()); // stopped: as if it had never begun
        };
        // What failed is quarantined before its line says so, or a kill between the two would leave it out of quarantine.
        if row.status == Status::Failed {
            quarantine::put(&self.request.output, item, &row, &work.join("log.txt")).map_err(fail)?;
        }
        // What is done has its line first: a kill between the two leaves a rename to do, never work to repeat.
        if let Ok(mut manifest) = self.manifest.lock() {
            manifest.add(&row)?;
        }
        match row.status {
            Status::Done => {
                self.publish(item, &work)?;
                quarantine::release(&self.request.output, item).map_err(fail)?;
                self.counts.done.fetch_add(1, Ordering::Relaxed);
            }
            Status::Failed => {
                self.counts.failed.fetch_add(1, Ordering::Relaxed);
                if self.request.fail_fast {
                    self.stop.cancel();
                }
            }
        }
        std::fs::remove_dir_all(&work).map_err(fail)?;
        (self.seen)(&Event::Ended(&row));
        Ok(())
    }

    /// Whether nothing is left to do for a key that was tried before. Finishes a rename that a kill prevented.
    fn is_settled(&self, item: &Item, known: &Before, remains: &[PathBuf]) -> Result<bool, BatchError> {
        if known.status == Status::Failed {
            // A disk that was full is no word on the asset.
            let is_settled = !self.request.retry && !known.by_disk;
            if is_settled {
                remove_all(remains);
            }
            return Ok(is_settled);
        }
        if self.request.output.join(&item.output).exists() {
            remove_all(remains);
            quarantine::release(&self.request.output, item).map_err(|source| BatchError::Io {
                path: self.request.output.clone(),
                source,
            })?;
            return Ok(true);
        }
        for folder in remains {
            let waiting = outputs::hash_of(&folder.join("outputs")).ok();
            if waiting.is_some() && waiting == known.output_hash {
                self.publish(item, folder)?;
                let _ = std::fs::remove_dir_all(folder);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The folders of work that a batch which was killed left of a key.
    fn remains_of(&self, key: &str) -> Vec<PathBuf> {
        let of_key = |folder: &&PathBuf| {
            let name = folder.file_name().unwrap_or_default().to_string_lossy();
            name.split('-').next() == Some(key)
        };
        self.remains.iter().filter(of_key).cloned().collect()
    }

    fn publish(&self, item: &Item, work: &Path) -> Result<(), BatchError> {
        let folder = self
            .request
            .output
            .join(item.output.parent().unwrap_or(Path::new("")));
        let last = item.output.file_name().map(Path::new).unwrap_or(Path::new(""));
        create(&folder)?;
        outputs::move_into(&work.join("outputs"), &folder, last).map_err(|source| BatchError::Io {
            path: folder.clone(),
            source,
        })
    }

    /// Runs the asset's process; `None` if the batch was stopped.
    fn attempt(
        &self,
        item: &Item,
        key: &str,
        work: &Path,
        known: Option<&Before>,
        limits: &Limits,
        threads: usize,
    ) -> std::io::Result<Option<Row>> {
        let [outputs, printed, log, result] =
            ["outputs", "printed.json", "log.txt", "result.json"].map(|name| work.join(name));
        let name = item.output.file_name().unwrap_or_default();
        let arguments: Vec<String> = self
            .request
            .arguments
            .iter()
            .chain(&item.arguments)
            .cloned()
            .collect();
        let write_to = |path: &Path| {
            self.verb
                .command(&item.input, &path.to_string_lossy(), &arguments)
        };
        let mut command_line = write_to(&outputs.join(name));
        command_line.extend(["--json".to_owned(), "--threads".to_owned(), threads.to_string()]);
        let job = AssetJob {
            command: command_line,
            outputs: outputs.clone(),
            prints: self.verb.prints,
            weights: self.verb.weights,
            measure: self.request.measure,
            result: result.clone(),
        };
        let job_file = work.join("job.json");
        std::fs::write(&job_file, serde_json::to_vec(&job)?)?;
        let mut command = Command::new(&self.program.path);
        command
            .args(&self.program.first)
            .arg("batch-asset")
            .arg(&job_file);
        let permit = self.permits.take();
        if self.stopped() {
            return Ok(None);
        }
        let ended = process::run(&mut command, &printed, &log, limits, &self.either_cancel())?;
        drop(permit);
        let said: AssetResult = match &ended.how {
            Ending::Cancelled => return Ok(None),
            Ending::TooLong => AssetResult::failed(
                ErrorClass::Timeout,
                format!("it took longer than {} s", self.request.timeout),
            ),
            Ending::TooLarge(held) => AssetResult::failed(
                ErrorClass::Memory,
                format!("it held {} MB of memory, more than it may", held >> 20),
            ),
            Ending::Ended(status) => match std::fs::read(&result)
                .ok()
                .and_then(|b| serde_json::from_slice(&b).ok())
            {
                Some(said) => said,
                None => AssetResult::failed(
                    ErrorClass::Crash,
                    format!("its process ended without a word ({status})"),
                ),
            },
        };
        let printed_json: Value = std::fs::read(&printed)
            .ok()
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .unwrap_or_default();
        let mut said = said;
        if said.class.is_none() && self.verb.prints {
            if printed_json.is_null() {
                said = AssetResult::failed(ErrorClass::Output, "what it printed is no JSON");
            } else {
                std::fs::rename(&printed, outputs.join(name))?;
            }
        }
        let status = if said.class.is_none() {
            Status::Done
        } else {
            Status::Failed
        };
        let list = |of: &str| printed_json[of].as_array().cloned().unwrap_or_default();
        let target = self.request.output.join(&item.output);
        let mut words = vec!["ligament".to_owned()];
        words.extend(write_to(&target));
        Ok(Some(Row {
            key: key.to_owned(),
            input: item.input.clone(),
            output: item.output.clone(),
            status,
            class: said.class,
            error: said.error,
            attempt: known.map_or(0, |k| k.attempts) + 1,
            ended: SystemTime::now()
                .duration_since(UNIX_EPOCH)
                .map_or(0, |t| t.as_secs()),
            milliseconds: ended.time.as_secs_f64() * 1e3,
            stages: if self.verb.prints {
                Vec::new()
            } else {
                list("stages")
            },
            peak_mb: said
                .peak
                .max(ended.peak)
                .map(|bytes| bytes as f64 / f64::from(1 << 20)),
            warnings: [list("bind_warnings"), list("warnings"), list("file_warnings")].concat(),
            measures: said.measures,
            output_hash: match status {
                Status::Done => Some(outputs::hash_of(&outputs)?),
                Status::Failed => None,
            },
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command: shlex::try_join(words.iter().map(String::as_str)).unwrap_or_default(),
        }))
    }

    /// Heard when somebody stops the batch, or when it gave up.
    fn either_cancel(&self) -> CancelToken {
        if self.failure.lock().is_ok_and(|f| f.is_some()) {
            self.stop.clone()
        } else {
            self.cancel.clone()
        }
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn program(path: &str, first: &[&str]) -> Program {
        Program {
            path: PathBuf::from(path),
            first: first.iter().map(OsString::from).collect(),
        }
    }

    fn request(folder: &Path) -> BatchRequest {
        BatchRequest {
            inputs: vec!["sample:tube@100".to_owned(), "sample:tube@120".to_owned()],
            output: folder.to_owned(),
            jobs: Some(1),
            ..BatchRequest::default()
        }
    }

    #[test]
    fn a_process_that_ends_without_a_word_is_a_crash_of_one_asset() {
        let dir = tempfile::tempdir().unwrap();
        let seen = |_: &Event<'_>| {};
        for ending in ["exit 7", "kill -9 $$"] {
            let shell = program("sh", &["-c", ending]);
            let request = BatchRequest {
                retry: true,
                ..request(dir.path())
            };
            let report = run(&request, &shell, &CancelToken::new(), &seen).unwrap();
            assert_eq!((report.assets, report.done, report.failed), (2, 0, 2));
        }
        let mut rows = Vec::new();
        for_each_row(dir.path(), |row| rows.push(row)).unwrap();
        assert_eq!(rows.iter().map(|r| r.attempt).collect::<Vec<_>>(), [1, 1, 2, 2]);
        assert!(rows.iter().all(|r| r.class == Some(ErrorClass::Crash)));
        assert!(dir.path().join("quarantine/tube_100.glb/command.txt").exists());
    }

    #[test]
    fn what_a_full_disk_prevented_is_tried_again() {
        for (class, attempts) in [(ErrorClass::Write, 2), (ErrorClass::Input, 1)] {
            let dir = tempfile::tempdir().unwrap();
            let request = BatchRequest {
                inputs: vec!["sample:tube@100".to_owned()],
                ..request(dir.path())
            };
            let item = &inputs::tests::items(&request.inputs, Verb::named("bind").unwrap(), None).unwrap()[0];
            let row = Row {
                class: Some(class),
                output: item.output.clone(),
                ..manifest::tests::row(
                    &key_of(item, "bind", &[], env!("CARGO_PKG_VERSION")),
                    Status::Failed,
                    1,
                )
            };
            Manifest::open(&manifest_path(dir.path(), None))
                .unwrap()
                .add(&row)
                .unwrap();
            let shell = program("sh", &["-c", "exit 7"]);
            run(&request, &shell, &CancelToken::new(), &|_| {}).unwrap();
            let mut rows = 0;
            for_each_row(dir.path(), |_| rows += 1).unwrap();
            assert_eq!(rows, attempts, "{class:?}");
        }
    }

    #[test]
    fn the_first_failure_stops_a_batch_that_is_to_fail_fast_and_a_cancel_any() {
        let dir = tempfile::tempdir().unwrap();
        let shell = program("sh", &["-c", "exit 7"]);
        let fast = BatchRequest {
            fail_fast: true,
            ..request(dir.path())
        };
        let report = run(&fast, &shell, &CancelToken::new(), &|_| {}).unwrap();
        assert_eq!((report.failed, report.left), (1, 1));
        let cancel = CancelToken::new();
        let sleeper = program("sh", &["-c", "sleep 60"]);
        let stop = |event: &Event<'_>| {
            if matches!(event, Event::Begins(_)) {
                cancel.cancel();
            }
        };
        let report = run(&request(dir.path()), &sleeper, &cancel, &stop).unwrap();
        assert_eq!(report.left, 2);
    }
}
