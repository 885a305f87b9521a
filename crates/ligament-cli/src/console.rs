//! Talking to a person or a program: progress, notes, warnings, errors, data.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "this is the one place that prints"
)]

use std::ffi::OsString;
use std::io::{IsTerminal, Write};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use anyhow::Context;
use indicatif::{ProgressBar, ProgressStyle};
use ligament::bind::BindWarning;
use ligament::task::{CancelToken, Stage, Task};
use ligament_app::AppError;
use ligament_app::batch::Program;
use serde::Serialize;

use crate::hints;

/// Why nothing was done, with a way out.
pub fn error_text(error: &anyhow::Error) -> String {
    // Many messages quote their cause already: say it once.
    let mut text = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if text.is_empty() {
            text = cause;
        } else if !text.contains(&cause) {
            text.push_str(&format!(": {cause}"));
        }
    }
    if let Some(hint) = error.downcast_ref::<AppError>().and_then(hints::for_error) {
        text.push_str(&format!(" ({hint})"));
    }
    text
}

/// Where everything that is said goes through.
pub struct Console {
    /// Whether the result is wanted as JSON.
    pub json: bool,
    quiet: bool,
    cancel: CancelToken,
    /// Whether work is under way that looks at `cancel`.
    can_cancel: Arc<AtomicBool>,
    /// How to start this program again, where it is not a program of its own.
    again: Option<Vec<OsString>>,
}

impl Console {
    pub fn new(json: bool, quiet: bool, again: Option<Vec<OsString>>) -> Self {
        let cancel = CancelToken::new();
        let can_cancel = Arc::new(AtomicBool::new(false));
        let (token, asks) = (cancel.clone(), can_cancel.clone());
        // Ctrl-C lets work that can be cancelled end cleanly; a second one, or one during
        // anything else, ends the process at once. Outputs are renamed into place whole, so
        // either leaves no half of a file. Where no handler can be set, Ctrl-C does as usual.
        let _ = ctrlc::set_handler(move || {
            if token.is_cancelled() || !asks.load(Ordering::Relaxed) {
                std::process::exit(130);
            }
            token.cancel();
        });
        Self {
            json,
            quiet,
            cancel,
            can_cancel,
            again,
        }
    }

    /// What starts this program again.
    pub fn program(&self) -> anyhow::Result<Program> {
        if let Some([program, words @ ..]) = self.again.as_deref() {
            return Ok(Program {
                path: program.into(),
                first: words.to_vec(),
            });
        }
        Ok(Program {
            path: std::env::current_exe().context("cannot find this program to run it again")?,
            first: Vec::new(),
        })
    }

    /// Says something to a person.
    pub fn note(&self, text: impl std::fmt::Display) {
        if !self.quiet && !self.json {
            eprintln!("{text}");
        }
    }

    /// Warns a person; programs find warnings in the JSON.
    pub fn warn(&self, text: impl std::fmt::Display) {
        self.note(format_args!("warning: {text}"));
    }

    /// Warns of what was guessed in a bind.
    pub fn warn_of_binding(&self, warnings: &[BindWarning]) {
        for warning in warnings {
            match hints::for_bind_warning(warning) {
                Some(hint) => self.warn(format_args!("{warning} ({hint})")),
                None => self.warn(warning),
            }
        }
    }

    /// Says why nothing was done.
    pub fn error(&self, error: &anyhow::Error) {
        eprintln!("error: {}", error_text(error));
    }

    /// Prints text that the user asked for.
    pub fn print(&self, text: &str) {
        // A closed pipe (`| head`) is the reader's choice, not a fault.
        let _ = writeln!(std::io::stdout(), "{}", text.trim_end());
    }

    /// Prints a result as JSON.
    pub fn print_json(&self, value: &impl Serialize) -> anyhow::Result<()> {
        self.print(&serde_json::to_string_pretty(value)?);
        Ok(())
    }

    /// Prints a report as JSON, or says it to a person.
    pub fn report<R: Serialize>(&self, report: &R, words: impl Fn(&R) -> String) -> anyhow::Result<()> {
        if self.json {
            return self.print_json(report);
        }
        self.note(words(report));
        Ok(())
    }

    /// Runs long work with a progress bar if somebody watches.
    pub fn with_task<T>(&self, work: impl FnOnce(&Task<'_>) -> T) -> T {
        let bar = self.progress_bar();
        let stage_shown = Mutex::new("");
        let watcher = |stage: &'static str, fraction: f32| {
            if let Ok(mut shown) = stage_shown.lock()
                && *shown != stage
            {
                *shown = stage;
                bar.set_message(stage);
                bar.set_position(0);
            }
            let position = (fraction * 1000.0) as u64;
            if position > bar.position() {
                bar.set_position(position); // threads report out of order; never go back
            }
        };
        self.can_cancel.store(true, Ordering::Relaxed);
        let result = work(&Task::new(self.cancel.clone(), &watcher));
        self.can_cancel.store(false, Ordering::Relaxed);
        bar.finish_and_clear();
        result
    }

    /// Runs work that listens for Ctrl-C and shows what it does by itself.
    pub fn cancellable<T>(&self, work: impl FnOnce(&CancelToken) -> T) -> T {
        self.can_cancel.store(true, Ordering::Relaxed);
        let result = work(&self.cancel);
        self.can_cancel.store(false, Ordering::Relaxed);
        result
    }

    /// A bar for many assets, with their rate and how long the rest will take.
    pub fn batch_bar(&self) -> ProgressBar {
        if !self.is_watched() {
            return ProgressBar::hidden();
        }
        let style = "{bar:30} {pos}/{len} assets, {per_sec}, {eta} left";
        let style = ProgressStyle::with_template(style).unwrap_or_else(|_| ProgressStyle::default_bar());
        let bar = ProgressBar::new(0).with_style(style);
        bar.enable_steady_tick(Duration::from_millis(200));
        bar
    }

    /// Runs work that cannot say how far it is, with a sign of life if somebody watches.
    pub fn busy<T>(&self, what: &'static str, work: impl FnOnce() -> T) -> T {
        let spinner = if self.is_watched() {
            ProgressBar::new_spinner()
        } else {
            ProgressBar::hidden()
        };
        spinner.set_message(what);
        spinner.enable_steady_tick(Duration::from_millis(100));
        let result = work();
        spinner.finish_and_clear();
        result
    }

    fn is_watched(&self) -> bool {
        !self.quiet && !self.json && std::io::stderr().is_terminal()
    }

    fn progress_bar(&self) -> ProgressBar {
        if !self.is_watched() {
            return ProgressBar::hidden();
        }
        let bar = ProgressBar::new(1000);
        if let Ok(style) = ProgressStyle::with_template("{msg:>12} {bar:40} {percent:>3} %") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(200));
        bar
    }
}

/// Where something was written, as the end of a message.
pub fn wrote(output: Option<&PathBuf>) -> String {
    output.map_or_else(String::new, |output| format!("wrote {}", output.display()))
}

/// A duration the way a person reads it.
pub fn milliseconds(time: f64) -> String {
    format!("{time:.1} ms")
}

/// Where the time went, a line for each stage and one for the time that passed; stages that ran beside others are not in
/// its sum.
pub fn stage_lines(stages: &[Stage], passed_ms: f64) -> String {
    let width = stages.iter().map(|s| s.name.len()).max().unwrap_or(0).max(10);
    let line = |name: &str, time: f64| format!("  {name:<width$}{:>12}\n", milliseconds(time));
    let mut text: String = stages
        .iter()
        .map(|s| line(s.name, s.time.as_secs_f64() * 1e3))
        .collect();
    text.push_str(&line("total", passed_ms));
    text
}
