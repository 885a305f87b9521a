//! `docs/lab/cells-experiments.md`, a section for each experiment.

use std::fmt::Write as _;

use ligament_io::atomic::write_file;
use ligament_testkit::project_root;

const HEAD: &str = "# Experiments with SkinCells

`cargo xtask cells-experiments` measures everything below and writes this page; with a name it measures that section alone.
Nothing here is written by hand.

*Total* is Eq. 7 with the paper's λ over 24 random poses that no fit saw, at four influences: a mean over positions
and poses, lengths as if the character were 180 cm large. *Smoothness* and *location* are its two terms before λ.
Times are wall-clock on a machine with two cores that others used too, so compare them within a table only.
";

/// Puts a section in its place among `names` and leaves the others as they are.
pub fn write_section(name: &str, names: &[&str], title: &str, text: &str) -> anyhow::Result<()> {
    let path = project_root().join("docs/lab/cells-experiments.md");
    let before = std::fs::read_to_string(&path).unwrap_or_default();
    let mut page = HEAD.to_owned();
    for &other in names {
        let (begin, end) = (
            format!("<!-- {other} -->\n"),
            format!("<!-- end of {other} -->\n"),
        );
        let section = if other == name {
            Some(format!(
                "## {title}\n\n`cargo xtask cells-experiments {name}`\n\n{}\n",
                text.trim()
            ))
        } else {
            before
                .split_once(&begin)
                .and_then(|(_, rest)| rest.split_once(&end))
                .map(|(section, _)| section.to_owned())
        };
        if let Some(section) = section {
            write!(page, "\n{begin}{section}{end}")?;
        }
    }
    write_file(&path, page.as_bytes())?;
    Ok(())
}
