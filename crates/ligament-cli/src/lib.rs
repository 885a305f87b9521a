//! The `ligament` command, as a library: the program beside it, Python's console script and Python's keyword arguments are
//! words of one command line.
//!
//! Data goes to standard output, progress and everything said to a person to standard
//! error. Exit 0: done. 1: done, and faults were found. 2: bad usage or input.

mod asset_args;
mod bind_args;
mod commands;
mod console;
mod hints;
mod measure_args;
mod motion_args;
mod request;
mod voxel_args;

use std::ffi::OsString;

use clap::{CommandFactory, Parser, Subcommand};

use console::Console;
pub use request::{Request, request};

/// Binds skin to bone: give it a character mesh, however broken, and it returns a rig
/// that animates.
#[derive(Parser)]
#[command(name = "ligament", version, propagate_version = true)]
#[command(after_help = "\
Examples:
  ligament bind hero.glb -o bound.glb        bind a character
  ligament bind sample:knight -o knight.glb  the same with nothing at hand
  ligament inspect hero.glb                  what is wrong with it?
  ligament check bound.glb                   how good are its weights, and where not?
  ligament compare hero.glb -o report.html   which method suits it? one page to send on
  ligament render bound.glb --clip walk --frames 8   see it move
  ligament animate hero.glb -o moving.glb    idle, walk, run, wave … for any body
  ligament batch characters/ -o bound/       every character of a folder
  ligament studio hero.glb                   all of it in the browser

Inputs are .glb, .gltf, .vrm, .fbx, .usda, .usdc, .usdz, .obj, .off, .ply, .stl and .mesh files, or
sample:NAME for a character made by code. Skeletons and motion may come from files of their own.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    how: How,
}

/// How to run, whatever the command.
#[derive(clap::Args)]
struct How {
    /// Print the result as JSON on standard output
    #[arg(long, global = true)]
    json: bool,
    /// Say nothing but errors
    #[arg(long, short, global = true)]
    quiet: bool,
    /// Worker threads; results are the same with any number [default: all cores]
    #[arg(long, global = true, value_name = "N")]
    threads: Option<usize>,
}

#[derive(Subcommand)]
enum Command {
    Bind(Box<commands::bind::Args>),
    Rig(commands::rig::Args),
    Animate(commands::animate::Args),
    Inspect(commands::inspect::Args),
    Check(commands::check::Args),
    Compare(commands::compare::Args),
    Convert(commands::convert::Args),
    Render(commands::render::Args),
    Pose(commands::pose::Args),
    Sample(commands::sample::Args),
    Studio(commands::studio::Args),
    Bench(commands::bench::Args),
    Field(commands::field::Args),
    Edit(Box<commands::edit::Args>),
    Transfer(Box<commands::transfer::Args>),
    Weights(Box<commands::weights::Args>),
    Lods(commands::lods::Args),
    Batch(Box<commands::batch::Args>),
    BatchAsset(commands::batch::AssetArgs),
}

/// What a command that ran to its end found.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outcome {
    Sound,
    FaultsFound,
}

/// Does what the words ask for, the program's own name first, and gives the exit status. `again` is how to start this program
/// again where it is not a program of its own.
pub fn main(words: impl IntoIterator<Item = OsString>, again: Option<Vec<OsString>>) -> u8 {
    let cli = match Cli::try_parse_from(words) {
        Ok(cli) => cli,
        Err(other) => {
            let _ = other.print(); // help and versions too; a closed pipe is the reader's choice
            return u8::try_from(other.exit_code()).unwrap_or(2);
        }
    };
    let console = Console::new(cli.how.json, cli.how.quiet, again);
    match run(cli, &console) {
        Ok(Outcome::Sound) => 0,
        Ok(Outcome::FaultsFound) => 1,
        Err(error) => {
            console.error(&error);
            2
        }
    }
}

/// The commands and their options, as they are parsed.
pub fn commands() -> clap::Command {
    Cli::command()
}

fn run(cli: Cli, console: &Console) -> anyhow::Result<Outcome> {
    // It starts threads itself once it knows what to do.
    if let Command::BatchAsset(args) = &cli.command {
        return commands::batch::run_asset(args);
    }
    let threads = cli.how.threads.unwrap_or(0); // 0: as many as there are cores
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global()?;
    match cli.command {
        Command::Bind(args) => commands::bind::run(&args, console),
        Command::Rig(args) => commands::rig::run(&args, console),
        Command::Animate(args) => commands::animate::run(&args, console),
        Command::Inspect(args) => commands::inspect::run(&args, console),
        Command::Check(args) => commands::check::run(&args, console),
        Command::Compare(args) => commands::compare::run(&args, console),
        Command::Convert(args) => commands::convert::run(&args, console),
        Command::Render(args) => commands::render::run(&args, console),
        Command::Pose(args) => commands::pose::run(&args, console),
        Command::Bench(args) => commands::bench::run(&args, console),
        Command::Sample(args) => commands::sample::run(&args, console),
        Command::Studio(args) => commands::studio::run(&args, console),
        Command::Field(args) => commands::field::run(&args, console),
        Command::Edit(args) => commands::edit::run(&args, console),
        Command::Transfer(args) => commands::transfer::run(&args, console),
        Command::Weights(args) => commands::weights::run(&args, console),
        Command::Lods(args) => commands::lods::run(&args, console),
        Command::Batch(args) => commands::batch::run(&args, console),
        Command::BatchAsset(_) => Ok(Outcome::Sound),
    }
}

#[cfg(test)]
mod tests {
    /// No two options of a command share a name, and all defaults parse.
    #[test]
    fn the_options_are_consistent() {
        super::commands().debug_assert();
    }
}
