//! `ligament studio`: see, bind, pose, compare and judge a character in the browser.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use ligament_studio::{Studio, StudioOptions};
use serde_json::json;

use crate::Outcome;
use crate::console::Console;

/// See a character in the browser, bind it, pose it, compare binds, judge them and send the result on
///
/// Starts a server on this machine that nobody else can reach, prints its address and opens the browser. The address works
/// once; ask for another in the page. Ctrl-C ends it; work is kept and offered when the same character is opened again.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  ligament studio                        a character made by code
  ligament studio hero.glb
  ligament studio characters/            all that can be opened there
  ligament studio hero.ligament          a project that was saved
  ligament studio hero.glb --no-browser  print the address, open nothing")]
pub struct Args {
    /// A file of any format, a folder, a project, or sample:NAME
    #[arg(default_value = "sample:knight")]
    input: String,
    /// The port to listen on; 0 takes one that is free
    #[arg(long, default_value_t = 0, value_name = "N")]
    port: u16,
    /// Print the address, open no browser
    #[arg(long)]
    no_browser: bool,
    /// Where exports and projects are written
    #[arg(long, default_value = ".", value_name = "FOLDER")]
    exports: PathBuf,
    /// Where unsaved work is kept [default: a folder of the user's own]
    #[arg(long, value_name = "FOLDER")]
    kept: Option<PathBuf>,
    /// Take the page from this folder, for who works on it
    #[arg(long, value_name = "FOLDER", hide = true)]
    page: Option<PathBuf>,
}

pub fn run(args: &Args, console: &Console) -> anyhow::Result<Outcome> {
    let studio = Studio::start(&StudioOptions {
        input: args.input.clone(),
        port: args.port,
        exports: args.exports.clone(),
        kept: args.kept.clone(),
        page: args.page.clone(),
    })?;
    let link = studio.link()?;
    if console.json {
        console.print(&json!({ "address": link }).to_string());
    } else {
        console.print(&link);
    }
    if !args.no_browser && !open_browser(&link) {
        console.note("no browser could be started; open the address above");
    }
    console.note("the studio runs; Ctrl-C ends it");
    studio.wait()?;
    Ok(Outcome::Sound)
}

/// Asks the system to show an address. Whether it did is another matter.
fn open_browser(link: &str) -> bool {
    let (program, words): (&str, &[&str]) = if cfg!(windows) {
        ("rundll32", &["url.dll,FileProtocolHandler"])
    } else if cfg!(target_os = "macos") {
        ("open", &[])
    } else {
        ("xdg-open", &[])
    };
    let mut command = Command::new(program);
    command.args(words).arg(link);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command.spawn().is_ok()
}
