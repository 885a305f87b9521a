//! `cargo xtask bench`: every method over the corpus, into docs/bench.md and the
//! README's summary.

use std::fs;
use std::process::Command;

use ligament_testkit::{corpus, project_root, target_dir};

use crate::Failure;

/// What stands between these in the README is written anew.
const MARKS: [&str; 2] = ["<!-- bench -->\n", "<!-- /bench -->"];

const PREAMBLE: &str = "\
# Methods over the corpus

Real characters with their artists' weights taken off and bound again with four influences, to the joints that the artist
gave weight. *Def*: root mean square distance of the posed skins over the file's own clips (a range of motion where it has
none), in percent of the diagonal. *L1*: mean over vertices of ½Σ|w − w*|. Times are the fastest of three binds (of one
where it takes over ten seconds), reading and writing apart; memory is what a process that does nothing else holds
meanwhile, the character included, looked at every millisecond. The characters are those that the methods' constants were chosen on.

`cargo xtask bench` writes this page and the README's summary anew; for one folder, `ligament bench FOLDER -o table.md`.

";

const SUMMARY: &str = "\
Real characters, bound again to the joints that their artists gave weight ([docs/bench.md](docs/bench.md) has every character and
stage; `cargo xtask bench` measures anew):

";

pub fn run() -> Result<(), Failure> {
    let corpus = corpus().ok_or("the bench needs the corpus; name it with LIGAMENT_CORPUS")?;
    let table = target_dir().join("bench.md");
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
    let page = project_root().join("docs/bench.md");
    fs::write(&page, format!("{PREAMBLE}{table}")).map_err(|e| format!("{}: {e}", page.display()))?;
    let readme = project_root().join("README.md");
    let text = fs::read_to_string(&readme).map_err(|e| format!("{}: {e}", readme.display()))?;
    let summary = format!("{SUMMARY}{}", table.split("\n\n").next().unwrap_or(""));
    fs::write(&readme, with_summary(&text, &summary)?).map_err(|e| format!("{}: {e}", readme.display()))
}

/// The README with another summary between the marks.
fn with_summary(readme: &str, summary: &str) -> Result<String, Failure> {
    let missing = || format!("README.md lacks {} … {}", MARKS[0].trim(), MARKS[1]);
    let (before, rest) = readme.split_once(MARKS[0]).ok_or_else(missing)?;
    let (_, after) = rest.split_once(MARKS[1]).ok_or_else(missing)?;
    Ok(format!(
        "{before}{}{}\n{}{after}",
        MARKS[0],
        summary.trim_end(),
        MARKS[1]
    ))
}

#[cfg(test)]
mod tests {
    use super::with_summary;

    #[test]
    fn only_what_is_between_the_marks_changes() {
        let readme = "a\n<!-- bench -->\nold\n<!-- /bench -->\nb\n";
        let new = with_summary(readme, "| new |").unwrap();
        assert_eq!(new, "a\n<!-- bench -->\n| new |\n<!-- /bench -->\nb\n");
        assert_eq!(with_summary(&new, "| new |").unwrap(), new);
        assert!(with_summary("no marks", "x").is_err());
    }
}
