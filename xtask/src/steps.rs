//! Steps one after the other, and how long each took.

use std::process::Command;
use std::time::{Duration, Instant};

use ligament_testkit::project_root;

use crate::Failure;

/// What was done so far.
#[derive(Default)]
pub struct Steps {
    done: Vec<(String, Duration)>,
}

impl Steps {
    /// Does one step and remembers its time, also when it fails.
    pub fn take(&mut self, name: &str, step: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
        println!("── {name}");
        let start = Instant::now();
        let result = step();
        self.done.push((name.to_owned(), start.elapsed()));
        result
    }

    /// Runs a command as a step and shows what it says.
    pub fn run(&mut self, name: &str, command: &mut Command) -> Result<(), Failure> {
        self.take(name, || run(name, command))
    }

    /// Runs cargo as a step.
    pub fn cargo(&mut self, arguments: &[&str]) -> Result<(), Failure> {
        let name = format!("cargo {}", arguments.join(" "));
        self.run(&name, Command::new("cargo").args(arguments))
    }

    /// The times, a line for each step and one for all.
    pub fn table(&self) -> String {
        let total: Duration = self.done.iter().map(|(_, time)| *time).sum();
        let lines = self.done.iter().map(|(name, time)| (name.as_str(), *time));
        lines
            .chain([("all", total)])
            .map(|(name, time)| format!("{:>8.1} s  {name}\n", time.as_secs_f64()))
            .collect()
    }
}

/// Runs a command in the project's folder.
pub fn run(name: &str, command: &mut Command) -> Result<(), Failure> {
    let status = command
        .current_dir(project_root())
        .status()
        .map_err(|e| format!("{name} does not start: {e}"))?;
    if status.success() {
        Ok(())
    } else {
        Err(format!("{name} failed"))
    }
}

#[cfg(test)]
mod tests {
    use super::Steps;

    #[test]
    fn the_table_names_every_step_and_the_whole() {
        let mut steps = Steps::default();
        steps.take("first", || Ok(())).unwrap();
        steps.take("second", || Err("it broke".to_owned())).unwrap_err();
        let table = steps.table();
        let names: Vec<&str> = table.lines().filter_map(|l| l.split("s  ").nth(1)).collect();
        assert_eq!(names, ["first", "second", "all"]);
    }
}
