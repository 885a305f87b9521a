//! Every command of the pages runs.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::fixtures::{self, Fixtures};
use crate::ligament;
use crate::markdown::{Page, manual};

/// What a line of `sh` may begin with and is not run, and why.
const NOT_RUN: [(&str, &str); 8] = [
    (
        "ligament studio",
        "serves until it is told to stop; tests/cli/studio.rs runs it",
    ),
    ("cargo run --release -- studio", "the same"),
    ("cargo install ", "installs into the user's home"),
    ("cargo xtask ", "runs this test among others, or for hours"),
    ("cargo bench ", "takes minutes; xtask compiles the benches"),
    ("cargo test ", "runs tests within a test"),
    ("pip install ", "needs a network"),
    (
        "python tools/peers/",
        "needs Blender; tests/cli/blender.rs runs it",
    ),
];
/// Commands that say by their exit status 1 that they found faults.
const MAY_FIND_FAULTS: [&str; 3] = ["inspect", "check", "compare"];
/// Languages of fenced blocks: those that are run or compiled (Python by python/tests/test_docs.py), and text.
const LANGUAGES: [&str; 6] = ["sh", "json", "rust", "rust,no_run", "python", "text"];

/// A command of a page, without its name.
struct Line {
    words: Vec<String>,
    at: String,
}

/// The commands of a page in order; lines that end in `\` go on.
fn lines_of(page: &Page) -> Vec<Line> {
    let mut lines = Vec::new();
    for block in page.blocks.iter().filter(|b| b.language.as_deref() == Some("sh")) {
        for text in block.text.replace("\\\n", " ").lines() {
            let at = page.at(block.line);
            let text = text.trim();
            if text.is_empty()
                || text.starts_with('#')
                || NOT_RUN.iter().any(|(start, _)| text.starts_with(start))
            {
                continue;
            }
            let command = text
                .strip_prefix("ligament ")
                .or_else(|| text.strip_prefix("cargo run --release -- "))
                .unwrap_or_else(|| panic!("{at}: neither a command of ligament nor in NOT_RUN: {text}"));
            let words = shlex::split(command).unwrap_or_else(|| panic!("{at}: quotes do not match: {text}"));
            lines.push(Line { words, at });
        }
    }
    lines
}

/// The same command with less to do: small samples, few steps, few frames, and the
/// quickest methods to compare.
fn smaller(words: &[String]) -> Vec<String> {
    let mut words: Vec<String> = words
        .iter()
        .map(|word| {
            let is_sample = word.starts_with("sample:") || word == "knight";
            if is_sample && !word.contains('@') {
                format!("{word}@{}", fixtures::VERTICES)
            } else {
                word.clone()
            }
        })
        .collect();
    if words.first().is_some_and(|verb| verb == "batch") {
        // What comes last belongs to the verb of the batch.
        let measured = words.get(1).is_some_and(|w| w != "report");
        let fewer = measured.then_some("--no-measures");
        words.splice(1..1, fewer.map(str::to_owned));
        return words;
    }
    let says = |word: &str| words.iter().any(|w| w == word);
    let fits = says("fit") || (says("cells") && !says("--field"));
    let measures = says("check") || says("compare");
    let mut fewer = vec!["--threads", "1"];
    if fits && !says("--steps") {
        fewer.extend(["--steps", "20"]);
    }
    if measures {
        fewer.extend(["--frames", "4", "--penetration-frames", "1"]);
    }
    if says("compare") && !says("--methods") {
        fewer.extend(["--methods", "heat,closest"]);
    }
    words.extend(fewer.into_iter().map(str::to_owned));
    words
}

/// Runs a command in a folder; what went wrong, if anything.
fn run(line: &Line, folder: &Path) -> Result<(), String> {
    let words = smaller(&line.words);
    let output = ligament().args(&words).current_dir(folder).output().unwrap();
    let verb = line.words.first().map_or("", String::as_str);
    let code = output.status.code();
    let said = String::from_utf8_lossy(&output.stderr);
    if code != Some(0) && !(code == Some(1) && MAY_FIND_FAULTS.contains(&verb)) {
        return Err(format!(
            "{}: ligament {}\n{code:?} {said}",
            line.at,
            words.join(" ")
        ));
    }
    let output = words
        .iter()
        .position(|w| w == "-o")
        .and_then(|o| words.get(o + 1));
    match output {
        Some(file) if !folder.join(file).exists() => Err(format!(
            "{}: ligament {} wrote no {file}",
            line.at,
            words.join(" ")
        )),
        _ => Ok(()),
    }
}

#[test]
fn every_command_runs() {
    let pages = manual();
    let fixtures = Fixtures::make(&pages);
    let todo: Vec<Vec<Line>> = pages
        .iter()
        .map(lines_of)
        .filter(|lines| !lines.is_empty())
        .collect();
    assert!(
        todo.iter().map(Vec::len).sum::<usize>() > 60,
        "too few commands found"
    );
    let next = AtomicUsize::new(0);
    let failures = Mutex::new(Vec::new());
    // Pages are apart; the commands of one page build on each other.
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(lines) = todo.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let folder = fixtures.copy();
                    let results = lines.iter().map(|line| run(line, folder.path()));
                    failures.lock().unwrap().extend(results.filter_map(Result::err));
                }
            });
        }
    });
    let failures = failures.into_inner().unwrap();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn every_block_says_what_it_is() {
    for page in manual() {
        for block in &page.blocks {
            let known = block.language.as_deref().is_none_or(|l| LANGUAGES.contains(&l));
            assert!(
                known,
                "{}: {:?} is not one of {LANGUAGES:?}",
                page.at(block.line),
                block.language
            );
            let code =
                block.text.contains("ligament ") && !matches!(block.language.as_deref(), Some("sh" | "text"));
            let rust = block.language.as_deref().is_some_and(|l| l.starts_with("rust"));
            assert!(rust || !code, "{}: commands belong into sh", page.at(block.line));
        }
    }
}
