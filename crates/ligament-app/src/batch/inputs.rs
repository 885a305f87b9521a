//! What a batch is to do: folders, patterns, files and lists, each asset once.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Component, Path, PathBuf};

use ligament_io::registry::{JsonHolds, format_of, written_as};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::BatchError;
use super::plan::{Plan, Planned};
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

/// Every asset of the inputs, or of a shard of them, as a plan that is kept in a folder.
pub fn planned(
    inputs: &[String],
    verb: &Verb,
    to: Option<&str>,
    shard: Option<(u32, u32)>,
    folder: &Path,
) -> Result<Planned, BatchError> {
    let mut found = Found {
        verb,
        to,
        shard,
        found: 0,
        plan: Plan::new(folder)?,
        // A batch whose outputs lie among its inputs must not take them for inputs when it goes on.
        outputs: folder.canonicalize().ok(),
    };
    for input in inputs {
        found.take(input)?;
    }
    found.plan.finish()
}

/// Which shard does an item: by its output's name, so that no shard needs to know of the others.
fn shard_of(output: &Path, shards: u32) -> u32 {
    let hash = Sha256::digest(output.to_string_lossy().as_bytes());
    let number = u64::from_le_bytes(hash[..8].try_into().unwrap_or_default());
    (number % u64::from(shards)) as u32 + 1
}

struct Found<'a> {
    verb: &'a Verb,
    to: Option<&'a str>,
    shard: Option<(u32, u32)>,
    /// Assets so far, of all shards.
    found: u64,
    plan: Plan,
    /// The batch's own folder.
    outputs: Option<PathBuf>,
}

impl Found<'_> {
    fn take(&mut self, input: &str) -> Result<(), BatchError> {
        if let Some(name) = input.strip_prefix("sample:") {
            let named = PathBuf::from(name.replace('@', "_"));
            let output = output_with(&named.with_extension(""), "glb", self.verb, self.to);
            return self.add(input.to_owned(), output, Vec::new(), 0);
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
        let before = self.found;
        self.files_below(folder, folder)?;
        if self.found == before {
            return Err(BatchError::NothingIn {
                input: folder.display().to_string(),
            });
        }
        Ok(())
    }

    /// Links to folders are not followed.
    fn files_below(&mut self, folder: &Path, root: &Path) -> Result<(), BatchError> {
        let fail = |path: &Path| {
            let path = path.to_owned();
            move |source| BatchError::Io { path, source }
        };
        for entry in std::fs::read_dir(folder).map_err(fail(folder))? {
            let entry = entry.map_err(fail(folder))?;
            let path = entry.path();
            if entry.file_type().map_err(fail(&path))?.is_dir() {
                if self.outputs.is_none() || path.canonicalize().ok() != self.outputs {
                    self.files_below(&path, root)?;
                }
            } else if format_of(&path).is_ok_and(holds_mesh) && path.is_file() {
                let relative = path.strip_prefix(root).unwrap_or(&path).to_owned();
                self.file(&path, &relative)?;
            }
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
        let before = self.found;
        for entry in glob::glob(pattern).map_err(|e| bad(&e))? {
            let path = entry.map_err(|e| bad(&e))?;
            if path.is_file() {
                let relative = path.strip_prefix(&fixed).unwrap_or(&path).to_owned();
                self.file(&path, &relative)?;
            }
        }
        if self.found == before {
            return Err(BatchError::NothingIn {
                input: pattern.to_owned(),
            });
        }
        Ok(())
    }

    /// A list: one input a line, or one JSON object a line.
    fn list(&mut self, list: &Path) -> Result<(), BatchError> {
        let fail = |source| BatchError::Io {
            path: list.to_owned(),
            source,
        };
        let lines = BufReader::new(File::open(list).map_err(fail)?).lines();
        for (number, line) in lines.enumerate() {
            let line = line.map_err(fail)?;
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
                    output_with(Path::new(&name), "glb", self.verb, self.to)
                }
                None => output_of(&below(path), self.verb, self.to),
            };
            self.add(row.input, output, row.arguments, bytes)?;
        }
        Ok(())
    }

    fn file(&mut self, path: &Path, relative: &Path) -> Result<(), BatchError> {
        let input = path.to_str().ok_or_else(|| BatchError::NotUnicode {
            path: path.to_owned(),
        })?;
        let bytes = path.metadata().map_or(0, |m| m.len());
        let output = output_of(relative, self.verb, self.to);
        self.add(input.to_owned(), output, Vec::new(), bytes)
    }

    fn add(
        &mut self,
        input: String,
        output: PathBuf,
        arguments: Vec<String>,
        bytes: u64,
    ) -> Result<(), BatchError> {
        self.found += 1;
        if self.shard.is_some_and(|(i, n)| shard_of(&output, n) != i) {
            return Ok(());
        }
        self.plan.add(&Item {
            input,
            output,
            arguments,
            bytes,
        })
    }
}

/// The output of an input by its path below the batch's root: the same path and ending. An ending that cannot be written stays in the
/// name, so that `a.obj` and `a.stl` stay apart. `to` is an ending that is asked for.
pub fn output_of(relative: &Path, verb: &Verb, to: Option<&str>) -> PathBuf {
    let kept = relative.extension().and_then(|e| e.to_str()).unwrap_or("");
    output_with(relative, kept, verb, to)
}

fn output_with(relative: &Path, ending: &str, verb: &Verb, to: Option<&str>) -> PathBuf {
    if let Some(ending) = verb.ending {
        return added(relative, ending);
    }
    if let Some(to) = to {
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

/// A path with a further ending.
fn added(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".");
    name.push(ending);
    path.with_file_name(name)
}

/// Whether a file may be an asset by itself: skeletons and motion go with others.
fn holds_mesh(format: ligament_io::registry::Format) -> bool {
    use ligament_io::registry::Format::{Collada, Fbx, Gltf, Iqm, Md5Mesh, Medit, Obj, Off, Ply, Stl, Usd};
    matches!(
        format,
        Gltf | Fbx | Usd | Collada | Iqm | Md5Mesh | Obj | Off | Ply | Stl | Medit
    )
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
pub(super) mod tests {
    use super::*;

    /// Every asset of the inputs, the largest first.
    pub fn items(inputs: &[String], verb: &Verb, to: Option<&str>) -> Result<Vec<Item>, BatchError> {
        let dir = tempfile::tempdir().unwrap();
        let mut planned = planned(inputs, verb, to, None, dir.path())?;
        let mut items = Vec::new();
        while let Some(item) = planned.next()? {
            items.push(item);
        }
        Ok(items)
    }

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
    fn outputs_among_the_inputs_are_no_inputs() {
        let dir = tempfile::tempdir().unwrap();
        touch(&dir.path().join("a.glb"), 1);
        let outputs = dir.path().join("bound");
        touch(&outputs.join("a.glb"), 1);
        let inputs = [dir.path().to_str().unwrap().to_owned()];
        let verb = Verb::named("bind").unwrap();
        let plan = planned(&inputs, verb, None, None, &outputs).unwrap();
        assert_eq!(plan.len(), 1);
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
