//! The command line itself, and what it knows, for Python.

use std::ffi::OsString;

use clap::{ArgAction, Command};
use pyo3::prelude::*;
use serde_json::{Value, json};

/// Does what the words ask for and gives the exit status. `again` starts this program again.
#[pyfunction]
pub fn main(py: Python<'_>, words: Vec<OsString>, again: Vec<OsString>) -> u8 {
    py.detach(|| ligament_cli::main(words, Some(again)))
}

/// All commands with their options, as JSON: names, help, defaults, choices, whether they take a value or several.
#[pyfunction]
pub fn options() -> String {
    described(&ligament_cli::commands()).to_string()
}

/// Characters made by code: names, vertices and descriptions, as JSON.
#[pyfunction]
pub fn samples() -> String {
    serde_json::to_string(&ligament_app::sample::list()).unwrap_or_default()
}

fn described(command: &Command) -> Value {
    let text = |help: Option<&clap::builder::StyledStr>| help.map(ToString::to_string);
    let arguments: Vec<Value> = command
        .get_arguments()
        .map(|argument| {
            let values = argument.get_possible_values();
            let takes_value = argument.get_action().takes_values();
            let several = matches!(argument.get_action(), ArgAction::Append)
                || argument.get_num_args().is_some_and(|n| n.max_values() > 1);
            json!({
                "name": argument.get_id().as_str(),
                "option": argument.get_long(),
                "help": text(argument.get_help()),
                "takes_value": takes_value,
                "value_name": argument.get_value_names().and_then(|n| n.first()).map(ToString::to_string),
                "several": several,
                "required": argument.is_required_set(),
                "global": argument.is_global_set(),
                "hidden": argument.is_hide_set(),
                "defaults": argument.get_default_values().iter().map(|v| v.to_string_lossy()).collect::<Vec<_>>(),
                "choices": if takes_value {
                    values.iter().map(|v| v.get_name().to_owned()).collect()
                } else {
                    Vec::new()
                },
            })
        })
        .collect();
    let commands: Vec<Value> = command.get_subcommands().map(described).collect();
    json!({
        "name": command.get_name(),
        "help": text(command.get_about()),
        "hidden": command.is_hide_set(),
        "arguments": arguments,
        "commands": commands,
    })
}
