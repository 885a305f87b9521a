//! Every command and option that a page names exists.

use std::collections::{BTreeMap, BTreeSet};

use ligament_testkit::project_root;

use crate::ligament;
use crate::markdown::manual;

/// Options of other programs that the pages speak of.
const OF_OTHERS: [(&str, &str); 5] = [
    ("--helped", "tools/peers/blender_weights.py"),
    ("--mode", "tools/peers/blender_weights.py"),
    ("--release", "cargo"),
    ("--open", "cargo doc"),
    ("--nocapture", "Rust's tests"),
];

fn help(words: &[&str]) -> String {
    let output = ligament().args(words).arg("--help").output().unwrap();
    assert!(output.status.success(), "ligament {} --help", words.join(" "));
    String::from_utf8(output.stdout).unwrap()
}

fn options_in(text: &str) -> BTreeSet<String> {
    text.split(|c: char| c.is_whitespace() || ",()[]'\"`;:/=".contains(c))
        .filter(|word| word.len() > 2 && word.starts_with("--"))
        .map(|word| word.trim_end_matches('.').to_owned())
        .collect()
}

/// The pages that the help of commands points to are there.
#[test]
fn pages_that_help_names_exist() {
    let commands = commands();
    let mut seen = 0;
    for name in commands.keys() {
        for word in help(&[name]).split(|c: char| c.is_whitespace() || "();,".contains(c)) {
            if word.starts_with("docs/") {
                seen += 1;
                let page = project_root().join(word.trim_end_matches('.'));
                assert!(page.exists(), "ligament {name} --help: there is no {word}");
            }
        }
    }
    assert!(seen > 0, "no help names a page");
}

/// The options of every command by its name.
fn commands() -> BTreeMap<String, BTreeSet<String>> {
    let list = help(&[]);
    let names = list
        .lines()
        .skip_while(|line| *line != "Commands:")
        .skip(1)
        .take_while(|line| !line.trim().is_empty())
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .filter_map(|line| line.split_whitespace().next())
        .filter(|name| *name != "help");
    let mut commands: BTreeMap<String, BTreeSet<String>> = names
        .map(|name| (name.to_owned(), options_in(&help(&[name]))))
        .collect();
    assert!(commands.len() >= 12, "{commands:?}");
    let of_fields = ["fit", "eval", "info"].map(|verb| options_in(&help(&["field", verb])));
    commands
        .entry("field".to_owned())
        .or_default()
        .extend(of_fields.into_iter().flatten());
    commands
}

#[test]
fn what_pages_name_exists() {
    let commands = commands();
    let all: BTreeSet<&str> = commands.values().flatten().map(String::as_str).collect();
    let others = OF_OTHERS.map(|(option, _)| option);
    let mut wrong = Vec::new();
    let mut seen = 0;
    for page in manual() {
        for span in &page.spans {
            let mut words = span.text.split_whitespace();
            let command = match words.next() {
                Some("ligament") => words.next(),
                Some(word) if commands.contains_key(word) && span.text.contains(" --") => Some(word),
                Some(word) if word.starts_with("--") => None,
                _ => continue,
            };
            seen += 1;
            if let Some(name) = command
                && name.starts_with(|c: char| c.is_ascii_lowercase())
                && !commands.contains_key(name)
            {
                wrong.push(format!("{}: there is no command {name}", page.at(span.line)));
                continue;
            }
            let known = command.and_then(|name| commands.get(name));
            for option in options_in(&span.text) {
                let exists = known.map_or_else(|| all.contains(option.as_str()), |set| set.contains(&option));
                if !exists && !others.contains(&option.as_str()) {
                    wrong.push(format!(
                        "{}: there is no {option} in {}",
                        page.at(span.line),
                        span.text
                    ));
                }
            }
        }
    }
    assert!(seen > 100, "only {seen} commands and options found");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
