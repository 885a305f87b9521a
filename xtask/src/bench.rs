//! `cargo xtask bench`: every method over the corpus, into docs/lab/bench.md.

use std::fs;
use std::process::Command;

use ligament_testkit::{corpus, project_root, target_dir};

use crate::Failure;

const PREAMBLE: &str = "\
# Methods over the corpus

Real characters with their artists' weights taken off and bound again with four influences, to the joints that the artist
gave weight. *Def*: root mean square distance of the posed skins over the file's own clips (a range of motion where it has
none), in percent of the diagonal. *L1*: mean over vertices of ½Σ|w − w*|. Times are the fastest of three binds (of one
where it takes over ten seconds), reading and writing apart; memory is what a process that does nothing else holds
meanwhile, the character included, looked at every millisecond. The characters are those that the methods' constants were chosen on, and
the prior of `best` has learned from some of them: what it gives to authors whom it never saw is [elsewhere](prior.md#what-it-gives).

`cargo xtask bench` writes this page anew; for one folder, `ligament bench FOLDER -o table.md`.
";

pub fn run() -> Result<(), Failure> {
    let corpus = corpus().ok_or("the bench needs the corpus; name it with LIGAMENT_CORPUS")?;
    let table = target_dir().join("bench.md");
    // Asked before the bench: what is committed meanwhile was not measured.
    let commit = commit()?;
    println!("── ligament bench");
    let status = Command::new("cargo")
        .args(["run", "--release", "--package", "ligament-cli", "--", "bench"])
        .arg(corpus.join("open"))
        .args(["--used-joints", "--repeat", "3", "--output"])
        .arg(&table)
        .current_dir(project_root())
        .status()
        .map_err(|e| format!("cargo does not start: {e}"))?;
    // 1 means that some character failed, which is a result.
    if !matches!(status.code(), Some(0 | 1)) {
        return Err("ligament bench failed".to_owned());
    }
    let table = fs::read_to_string(&table).map_err(|e| e.to_string())?;
    let page = project_root().join("docs/lab/bench.md");
    fs::write(&page, format!("{PREAMBLE}\nMeasured on {commit}.\n\n{table}"))
        .map_err(|e| format!("{}: {e}", page.display()))
}

/// The commit that is measured, in words for the page.
fn commit() -> Result<String, Failure> {
    let id = git(&["rev-parse", "--short", "HEAD"])?;
    let changed = !git(&["status", "--porcelain", "--untracked-files=no"])?.is_empty();
    Ok(in_words(&id, changed))
}

fn in_words(id: &str, changed: bool) -> String {
    let uncommitted = if changed { " with uncommitted changes" } else { "" };
    format!("commit `{id}`{uncommitted}")
}

fn git(arguments: &[&str]) -> Result<String, Failure> {
    let output = Command::new("git")
        .args(arguments)
        .current_dir(project_root())
        .output()
        .map_err(|e| format!("git does not start: {e}"))?;
    if output.status.success() {
        Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
    } else {
        Err(format!(
            "git {} failed; the page must say on which commit it was measured",
            arguments.join(" ")
        ))
    }
}

#[cfg(test)]
mod tests {
    use super::in_words;

    #[test]
    fn what_is_not_committed_is_said() {
        assert_eq!(in_words("8763cef", false), "commit `8763cef`");
        assert_eq!(
            in_words("8763cef", true),
            "commit `8763cef` with uncommitted changes"
        );
    }
}
