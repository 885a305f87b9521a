//! What a batch is to do: folders, patterns, files and lists, each asset once.

use std::collections::BTreeMap;
use std::path::{Component, Path, PathBuf};

use ligament_io::registry::{JsonHolds, format_of, written_as};
use serde::{Deserialize, Serialize};

use super::BatchError;
use super::verb::Verb;

/// One asset that is asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Item {
    /// The file, or `sample:NAME`.
    pub input: String,
    /// Where its output goes, below the folder of the batch.
    pub output: PathBuf,
    /// Further arguments of the verb, for this asset alone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// Its size in bytes: the largest are begun first.
    pub bytes: u64,
}

/// A row of a list in JSON lines.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ListRow {
    input: String,
    #[serde(default)]
    output: Option<PathBuf>,
    #[serde(default)]
    arguments: Vec<String>,
}

/// Every asset of the inputs, the largest first.
pub fn items(inputs: &[String], verb: &Verb, to: Option<&str>) -> Result<Vec<Item>, BatchError> {
    let mut found = Found {
        verb,
        to,
        items: Vec::new(),
    };
    for input in inputs {
        found.take(input)?;
    }
    let mut items = found.items;
    refuse_same_output(&items)?;
    items.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.output.cmp(&b.output)));
    Ok(items)
}

/// Two inputs that would write the same file are a mistake that no order puts right.
fn refuse_same_output(items: &[Item]) -> Result<(), BatchError> {
    let mut first: BTreeMap<&Path, &str> = BTreeMap::new();
    for item in items {
        if let Some(other) = first.insert(&item.output, &item.input) {
            return Err(BatchError::SameOutput {
                output: item.output.clone(),
                first: other.to_owned(),
                second: item.input.clone(),
            });
        }
    }
    Ok(())
}

struct Found<'a> {
    verb: &'a Verb,
    to: Option<&'a str>,
    items: Vec<Item>,
}

impl Found<'_> {
    fn take(&mut self, input: &str) -> Result<(), BatchError> {
        if let Some(name) = input.strip_prefix("sample:") {
            let named = PathBuf::from(name.replace('@', "_"));
            let output = self.output_for(&named.with_extension(""), "glb");
            self.add(input.to_owned(), output, Vec::new(), 0);
            return Ok(());
        }
        if let Some(list) = input.strip_prefix('@') {
            return self.list(Path::new(list));
        }
        let path = Path::new(input);
        if path.is_dir() {
            return self.folder(path);
        }
        if path.is_file() {
            let name = path.file_name().map(PathBuf::from).unwrap_or_default();
            return self.file(path, &name);
        }
        if input.contains(['*', '?', '[']) {
            return self.pattern(input);
        }
        Err(BatchError::Missing {
            input: input.to_owned(),
        })
    }

    /// Every file of a format that is read, in this folder and below.
    fn folder(&mut self, folder: &Path) -> Result<(), BatchError> {
        let before = self.items.len();
        for path in files_below(folder)? {
            if format_of(&path).is_ok_and(holds_mesh) {
                let relative = path.strip_prefix(folder).unwrap_or(&path).to_owned();
                self.file(&path, &relative)?;
            }
        }
        if self.items.len() == before {
            return Err(BatchError::NothingIn {
                input: folder.display().to_string(),
            });
        }
        Ok(())
    }

    /// A pattern keeps its outputs below what comes before its first wildcard.
    fn pattern(&mut self, pattern: &str) -> Result<(), BatchError> {
        let bad = |problem: &dyn std::fmt::Display| BatchError::BadPattern {
            pattern: pattern.to_owned(),
            problem: problem.to_string(),
        };
        let fixed: PathBuf = Path::new(pattern)
            .components()
            .take_while(|c| !c.as_os_str().to_string_lossy().contains(['*', '?', '[']))
            .collect();
        let mut paths = Vec::new();
        for entry in glob::glob(pattern).map_err(|e| bad(&e))? {
            let path = entry.map_err(|e| bad(&e))?;
            if path.is_file() {
                paths.push(path);
            }
        }
        if paths.is_empty() {
            return Err(BatchError::NothingIn {
                input: pattern.to_owned(),
            });
        }
        for path in paths {
            let relative = path.strip_prefix(&fixed).unwrap_or(&path).to_owned();
            self.file(&path, &relative)?;
        }
        Ok(())
    }

    /// A list: one input a line, or one JSON object a line.
    fn list(&mut self, list: &Path) -> Result<(), BatchError> {
        let text = std::fs::read_to_string(list).map_err(|source| BatchError::Io {
            path: list.to_owned(),
            source,
        })?;
        for (number, line) in text.lines().enumerate() {
            let line = line.trim();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let bad = |problem: String| BatchError::BadRow {
                list: list.to_owned(),
                line: number + 1,
                problem,
            };
            let row = if line.starts_with('{') {
                serde_json::from_str(line).map_err(|e| bad(e.to_string()))?
            } else {
                ListRow {
                    input: line.to_owned(),
                    output: None,
                    arguments: Vec::new(),
                }
            };
            // A file that is not there is an asset that fails, not a batch that does not begin.
            let path = Path::new(&row.input);
            let bytes = path.metadata().map_or(0, |m| m.len());
            let output = match row.output {
                Some(output) if stays_below(&output) => output,
                Some(output) => {
                    return Err(bad(format!(
                        "the output must stay below the batch's folder: {}",
                        output.display()
                    )));
                }
                None if row.input.starts_with("sample:") => {
                    let name = row.input.trim_start_matches("sample:").replace('@', "_");
                    self.output_for(Path::new(&name), "glb")
                }
                None => self.output_of(&below(path)),
            };
            self.add(row.input, output, row.arguments, bytes);
        }
        Ok(())
    }

    fn file(&mut self, path: &Path, relative: &Path) -> Result<(), BatchError> {
        let input = path.to_str().ok_or_else(|| BatchError::NotUnicode {
            path: path.to_owned(),
        })?;
        let bytes = path.metadata().map_or(0, |m| m.len());
        let output = self.output_of(relative);
        self.add(input.to_owned(), output, Vec::new(), bytes);
        Ok(())
    }

    fn add(&mut self, input: String, output: PathBuf, arguments: Vec<String>, bytes: u64) {
        self.items.push(Item {
            input,
            output,
            arguments,
            bytes,
        });
    }

    /// The output of an input by its path below the batch's root: the same path and ending. An ending that
    /// cannot be written stays in the name, so that `a.obj` and `a.stl` stay apart.
    fn output_of(&self, relative: &Path) -> PathBuf {
        let kept = relative.extension().and_then(|e| e.to_str()).unwrap_or("");
        self.output_for(relative, kept)
    }

    fn output_for(&self, relative: &Path, ending: &str) -> PathBuf {
        if let Some(ending) = self.verb.ending {
            return added(relative, ending);
        }
        if let Some(to) = self.to {
            return relative.with_extension(to);
        }
        let probe = Path::new("x").with_extension(ending);
        let holds_a_character = format_of(&probe).is_ok_and(ligament_io::registry::Format::holds_characters);
        if holds_a_character && written_as(&probe, JsonHolds::Weights).is_ok() {
            relative.with_extension(ending)
        } else {
            added(relative, "glb")
        }
    }
}

/// A path with a further ending.
fn added(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(ending);
    path.with_file_name(name)
}

/// Whether a file may be an asset by itself: skeletons and motion go with others.
fn holds_mesh(format: ligament_io::registry::Format) -> bool {
    use ligament_io::registry::Format::{Fbx, Gltf, Medit, Obj, Off, Ply, Stl, Usd};
    matches!(format, Gltf | Fbx | Usd | Obj | Off | Ply | Stl | Medit)
}

/// Every file of a folder and of those below, in order; links to folders are not followed.
fn files_below(folder: &Path) -> Result<Vec<PathBuf>, BatchError> {
    let fail = |path: &Path| {
        let path = path.to_owned();
        move |source| BatchError::Io { path, source }
    };
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(fail(folder))? {
        let entry = entry.map_err(fail(folder))?;
        let kind = entry.file_type().map_err(fail(&entry.path()))?;
        entries.push((entry.path(), kind.is_dir()));
    }
    entries.sort();
    let mut files = Vec::new();
    for (path, is_folder) in entries {
        if is_folder {
            files.extend(files_below(&path)?);
        } else if path.is_file() {
            files.push(path);
        }
    }
    Ok(files)
}

/// A path of a list as one below the batch's folder: what climbs out or begins at the root is left out.
fn below(path: &Path) -> PathBuf {
    path.components()
        .filter(|c| matches!(c, Component::Normal(_)))
        .collect()
}

fn stays_below(path: &Path) -> bool {
    !path.as_os_str().is_empty() && path.components().all(|c| matches!(c, Component::Normal(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(path: &Path, bytes: usize) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, vec![b'x'; bytes]).unwrap();
    }

    fn names(items: &[Item]) -> Vec<String> {
        items.iter().map(|i| i.output.display().to_string()).collect()
    }

    #[test]
    fn folders_keep_their_shape_and_the_largest_come_first() {
        let dir = tempfile::tempdir().unwrap();
        touch(&dir.path().join("a/small.glb"), 1);
        touch(&dir.path().join("a/deep/large.glb"), 100);
        touch(&dir.path().join("b.obj"), 10);
        touch(&dir.path().join("note.md"), 1000);
        touch(&dir.path().join("walk.bvh"), 1000);
        let folder = dir.path().to_str().unwrap().to_owned();
        let verb = Verb::named("bind").unwrap();
        let found = items(std::slice::from_ref(&folder), verb, None).unwrap();
        assert_eq!(names(&found), ["a/deep/large.glb", "b.obj.glb", "a/small.glb"]);
        let to = items(std::slice::from_ref(&folder), verb, Some("npz")).unwrap();
        assert_eq!(names(&to), ["a/deep/large.npz", "b.npz", "a/small.npz"]);
        let pattern = items(&[format!("{folder}/**/*.glb")], verb, None).unwrap();
        assert_eq!(names(&pattern), ["a/deep/large.glb", "a/small.glb"]);
        let check = items(&[folder], Verb::named("check").unwrap(), None).unwrap();
        assert_eq!(names(&check)[0], "a/deep/large.glb.json");
    }

    #[test]
    fn lists_have_options_for_each_row_and_stay_below() {
        let dir = tempfile::tempdir().unwrap();
        let list = dir.path().join("list.jsonl");
        let rows = r#"# two rows
{"input": "/abs/../x/one.glb", "arguments": ["--method", "heat"]}
sample:tube@200
"#;
        std::fs::write(&list, rows).unwrap();
        let verb = Verb::named("bind").unwrap();
        let found = items(&[format!("@{}", list.display())], verb, None).unwrap();
        assert_eq!(names(&found), ["abs/x/one.glb", "tube_200.glb"]);
        assert_eq!(found[0].arguments, ["--method", "heat"]);
        for bad in [
            r#"{"input": "a.glb", "output": "../a.glb"}"#,
            r#"{"inputs": "a.glb"}"#,
            "{",
        ] {
            std::fs::write(&list, bad).unwrap();
            let error = items(&[format!("@{}", list.display())], verb, None).unwrap_err();
            assert!(error.to_string().contains("line 1"), "{error}");
        }
    }

    #[test]
    fn what_cannot_be_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let verb = Verb::named("bind").unwrap();
        let empty = dir.path().to_str().unwrap().to_owned();
        assert!(matches!(
            items(&[empty], verb, None),
            Err(BatchError::NothingIn { .. })
        ));
        assert!(matches!(
            items(&["no/such.glb".to_owned()], verb, None),
            Err(BatchError::Missing { .. })
        ));
        touch(&dir.path().join("a/x.glb"), 1);
        touch(&dir.path().join("b/x.glb"), 1);
        let both = ["a", "b"].map(|f| dir.path().join(f).to_str().unwrap().to_owned());
        assert!(matches!(
            items(&both, verb, None),
            Err(BatchError::SameOutput { .. })
        ));
    }
}
