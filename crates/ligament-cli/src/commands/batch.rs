//! `ligament batch`: many assets, and what they came to.

use std::io::Read;
use std::path::PathBuf;

use anyhow::Context;
use clap::{Parser, Subcommand};
use ligament::task::Task;
use ligament_app::AppError;
use ligament_app::batch::report::{BatchReportRequest, Summary, run as report};
use ligament_app::batch::{
    AssetJob, AssetResult, BatchReport, BatchRequest, ErrorClass, Event, Status, class_of, finish,
    run as do_all,
};

use crate::console::{Console, error_text};
use crate::{Cli, Outcome};

/// Do a verb with many files, each in a process of its own
///
/// What is done is skipped, what changed is made again: to go on after a stop, run it again.
#[derive(clap::Args)]
#[command(subcommand_negates_reqs = true, args_conflicts_with_subcommands = true)]
#[command(after_help = "\
Examples:
  ligament batch characters/ -o bound/
  ligament batch 'shots/**/*.fbx' -o bound/ --to glb -- --method voxel --influences 8
  ligament batch @list.jsonl -o bound/ --timeout 60 --memory 2000
  ligament batch coats/ -o dressed/ --do transfer -- body.glb {}
  ligament batch characters/ -o bound/ --shard 1/4
  ligament batch report bound/ --html report.html --csv report.csv
What comes after -- goes to the verb; {} stands for the input. A list has one input a line, or an object
such as {\"input\": \"a.glb\", \"output\": \"x/a.glb\", \"arguments\": [\"--method\", \"heat\"]}.
Exit 0: all done. 1: some failed; see quarantine/ in the output folder. 2: bad usage.")]
pub struct Args {
    #[command(subcommand)]
    about: Option<About>,
    /// Folders, patterns, files, sample:NAME, or @FILE for a list
    #[arg(required = true)]
    inputs: Vec<String>,
    /// The folder for outputs, manifest.jsonl and quarantine/
    #[arg(short, long, value_name = "FOLDER", required = true)]
    output: Option<PathBuf>,
    /// The verb: bind, rig, transfer, weights, lods, convert or check
    #[arg(long = "do", default_value = "bind", value_name = "VERB")]
    verb: String,
    /// The ending of outputs [default: the input's own, or .glb where it cannot be written]
    #[arg(long, value_name = "ENDING")]
    to: Option<String>,
    /// Assets at once [default: as many as there are cores]
    #[arg(long, value_name = "N")]
    jobs: Option<usize>,
    /// The longest that an asset may take, in seconds
    #[arg(long, default_value_t = 600.0, value_name = "SECONDS")]
    timeout: f64,
    /// The most memory that an asset may hold [default: its part of what is free]
    #[arg(long, value_name = "MB")]
    memory: Option<u64>,
    /// Do part I of N of all assets, I from 1; each part may run on another machine
    #[arg(long, value_name = "I/N", value_parser = shard)]
    shard: Option<(u32, u32)>,
    /// Try again what failed before
    #[arg(long)]
    retry: bool,
    /// Go on after failures; this is the default
    #[arg(long, conflicts_with = "fail_fast")]
    keep_going: bool,
    /// Begin nothing new after the first failure
    #[arg(long)]
    fail_fast: bool,
    /// Do not measure what was bound, which takes about twice as long as binding it
    #[arg(long)]
    no_measures: bool,
    /// Arguments of the verb
    #[arg(last = true, value_name = "ARGUMENTS")]
    arguments: Vec<String>,
}

#[derive(Subcommand)]
enum About {
    /// Totals, a table and a page of a batch, also while it runs
    Report(ReportArgs),
}

/// What to report on.
#[derive(clap::Args)]
struct ReportArgs {
    /// The batch's folder
    folder: PathBuf,
    /// Write a table, a line for each asset
    #[arg(long, value_name = "FILE.csv")]
    csv: Option<PathBuf>,
    /// Write a page with pictures, the worst first, failures by cause
    #[arg(long, value_name = "FILE.html")]
    html: Option<PathBuf>,
    /// How many assets the page shows in pictures
    #[arg(long, default_value_t = 60, value_name = "N")]
    pictures: usize,
}

fn shard(text: &str) -> Result<(u32, u32), String> {
    let parts = text
        .split_once('/')
        .and_then(|(i, n)| Some((i.parse().ok()?, n.parse().ok()?)));
    parts
        .filter(|&(i, n): &(u32, u32)| i >= 1 && i <= n)
        .ok_or_else(|| "a shard is I/N with I from 1 to N, such as 2/8".to_owned())
}

pub fn run(args: &Args, console: &Console) -> anyhow::Result<Outcome> {
    if let Some(About::Report(args)) = &args.about {
        return run_report(args, console);
    }
    let request = BatchRequest {
        inputs: args.inputs.clone(),
        output: args.output.clone().context("--output says where to write")?,
        verb: args.verb.clone(),
        arguments: args.arguments.clone(),
        to: args.to.clone(),
        jobs: args.jobs,
        threads: Some(rayon::current_num_threads()),
        timeout: args.timeout,
        memory: args.memory,
        shard: args.shard,
        retry: args.retry,
        fail_fast: args.fail_fast,
        measure: !args.no_measures,
    };
    let program = console.program()?;
    let bar = console.batch_bar();
    let seen = |event: &Event<'_>| match event {
        Event::Begins(count) => bar.set_length(*count as u64),
        Event::Skipped(_) => bar.inc(1),
        Event::Ended(row) => {
            bar.inc(1);
            if row.status == Status::Failed {
                let class = row.class.map_or("", ErrorClass::name);
                let error = row.error.as_deref().unwrap_or("");
                bar.suspend(|| console.warn(format_args!("{}: {class}: {error}", row.input)));
            }
        }
    };
    let result = console.cancellable(|cancel| do_all(&request, &program, cancel, &seen));
    bar.finish_and_clear();
    let done = result.map_err(AppError::from)?;
    console.report(&done, summary)?;
    Ok(if done.failed + done.left > 0 {
        Outcome::FaultsFound
    } else {
        Outcome::Sound
    })
}

fn summary(report: &BatchReport) -> String {
    let mut text = format!(
        "{} assets: {} done, {} done before, {} failed",
        report.assets, report.done, report.skipped, report.failed
    );
    if report.left > 0 {
        text.push_str(&format!(", {} not begun", report.left));
    }
    format!("{text}; see {}", report.manifest.display())
}

fn run_report(args: &ReportArgs, console: &Console) -> anyhow::Result<Outcome> {
    let request = BatchReportRequest {
        folder: args.folder.clone(),
        csv: args.csv.clone(),
        html: args.html.clone(),
        pictures: args.pictures,
    };
    let found = console.with_task(|task| report(&request, task))?;
    if console.json {
        console.print_json(&found)?;
    } else {
        console.print(&table(&found));
    }
    Ok(if found.failed > 0 {
        Outcome::FaultsFound
    } else {
        Outcome::Sound
    })
}

fn table(found: &Summary) -> String {
    let mut text = format!(
        "assets               {}\ndone                 {}\nfailed               {}\n",
        found.assets, found.done, found.failed
    );
    for (class, count) in &found.failures {
        text.push_str(&format!("  {class:<18} {count}\n"));
    }
    text.push_str(&format!(
        "attempts             {}\ntime of processes    {:.1} s\nmedian asset         {:.0} ms\nlargest process      {:.0} MB\nsomething broken     {}\n",
        found.attempts, found.seconds, found.median_milliseconds, found.largest_mb, found.broken
    ));
    for worst in &found.worst {
        text.push_str(&format!("  {worst}\n"));
    }
    text
}

/// The process of one asset of a batch; nobody types this.
#[derive(clap::Args)]
#[command(hide = true)]
pub struct AssetArgs {
    /// What to do
    job: PathBuf,
}

/// Does one asset and writes down what came of it.
pub fn run_asset(args: &AssetArgs) -> anyhow::Result<Outcome> {
    // The batch holds the other end of this: once it is gone nobody wants the result.
    std::thread::spawn(|| {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        std::process::exit(3);
    });
    let job: AssetJob = serde_json::from_slice(&std::fs::read(&args.job)?)?;
    let result = match verb_of(&job) {
        Err(result) => *result,
        Ok(cli) => {
            let console = Console::new(cli.how.json, true, None);
            match crate::run(cli, &console) {
                Ok(_) => finish(&job, &Task::unattended()),
                Err(error) => {
                    console.error(&error);
                    let class = error
                        .downcast_ref::<AppError>()
                        .map_or(ErrorClass::Content, class_of);
                    AssetResult::failed(class, error_text(&error))
                }
            }
        }
    };
    // Whole or not at all, as everything that others wait for.
    let waiting = job.result.with_extension("part");
    std::fs::write(&waiting, serde_json::to_vec(&result)?)?;
    std::fs::rename(&waiting, &job.result)?;
    Ok(Outcome::Sound)
}

fn verb_of(job: &AssetJob) -> Result<Cli, Box<AssetResult>> {
    let words = std::iter::once("ligament").chain(job.command.iter().map(String::as_str));
    Cli::try_parse_from(words)
        .map_err(|error| Box::new(AssetResult::failed(ErrorClass::Usage, error.to_string())))
}
