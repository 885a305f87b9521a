//! `cargo xtask web`: builds the studio's page anew from `web/`. The built page is kept in the crate, so that nobody needs
//! Node to build Ligament; [`check`] holds it against its sources.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ligament_testkit::{project_root, target_dir};

use crate::Failure;
use crate::steps::run;

/// Builds the page into the crate.
pub fn build() -> Result<(), Failure> {
    build_into(&kept())
}

/// Fails if the page that is kept is not what the sources give.
pub fn check() -> Result<(), Failure> {
    let fresh = target_dir().join("page");
    build_into(&fresh)?;
    let (kept, fresh) = (files(&kept())?, files(&fresh)?);
    if kept == fresh {
        return Ok(());
    }
    Err(
        "crates/ligament-studio/page is not what web/ gives; run `cargo xtask web` and commit the result"
            .to_owned(),
    )
}

fn kept() -> PathBuf {
    project_root().join("crates/ligament-studio/page")
}

fn build_into(folder: &Path) -> Result<(), Failure> {
    let web = project_root().join("web");
    let lock = fs::read(web.join("package-lock.json")).map_err(|e| e.to_string())?;
    let stamp = web.join("node_modules/.installed-lock");
    if fs::read(&stamp).ok().as_deref() != Some(&lock) {
        let mut install = Command::new("npm");
        install
            .args(["ci", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix"])
            .arg(&web);
        run("npm ci", &mut install)?;
        fs::write(&stamp, &lock).map_err(|e| e.to_string())?;
    }
    let mut build = Command::new("npm");
    build.args(["run", "--silent", "build", "--prefix"]).arg(&web);
    build.env("LIGAMENT_PAGE", folder);
    run("the studio's page", &mut build)
}

/// Names and bytes of a folder's files, in order.
fn files(folder: &Path) -> Result<Vec<(String, Vec<u8>)>, Failure> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))? {
        let path = entry.map_err(|e| e.to_string())?.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        files.push((name, fs::read(&path).map_err(|e| e.to_string())?));
    }
    files.sort();
    Ok(files)
}
