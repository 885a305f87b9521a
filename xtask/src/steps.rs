//! Steps one after the other, and how long each took.

use std::process::Command;
use std::time::{Duration, Instant};

use ligament_testkit::project_root;

use crate::Failure;

/// What was done so far.
#[derive(Default)]
pub struct Steps {
    done: Vec<(String, Duration)>,
    /// What was done beside them, which adds nothing to the time that passed.
    beside: Vec<(String, Duration)>,
    /// Whether commands say something only when they fail.
    quiet: bool,
}

impl Steps {
    /// Steps that run beside others: what their commands say is shown only where one fails.
    pub fn quiet() -> Self {
        Self {
            quiet: true,
            ..Self::default()
        }
    }

    /// Takes over what was done beside these steps.
    pub fn add_beside(&mut self, other: Self) {
        self.beside.extend(other.done);
    }

    /// Does one step and remembers its time, also when it fails.
    pub fn take(&mut self, name: &str, step: impl FnOnce() -> Result<(), Failure>) -> Result<(), Failure> {
        if !self.quiet {
            println!("── {name}");
        }
        let start = Instant::now();
        let result = step();
        self.done.push((name.to_owned(), start.elapsed()));
        result
    }

    /// Runs a command as a step and shows what it says.
    pub fn run(&mut self, name: &str, command: &mut Command) -> Result<(), Failure> {
        if self.quiet {
            self.take(name, || run_quietly(name, command))
        } else {
            self.take(name, || run(name, command))
        }
    }

    /// Runs cargo as a step.
    pub fn cargo(&mut self, arguments: &[&str]) -> Result<(), Failure> {
        let name = format!("cargo {}", arguments.join(" "));
        self.run(&name, Command::new("cargo").args(arguments))
    }

    /// The times, a line for each step and one for all.
    pub fn table(&self) -> String {
        let total: Duration = self.done.iter().map(|(_, time)| *time).sum();
        let line = |name: &str, time: Duration| format!("{:>8.1} s  {name}\n", time.as_secs_f64());
        let done = self.done.iter().map(|(name, time)| line(name, *time));
        let beside = self
            .beside
            .iter()
            .map(|(name, time)| line(&format!("(beside) {name}"), *time));
        done.chain([line("all", total)]).chain(beside).collect()
    }
}

/// Runs a command in the project's folder; what it says is shown if it fails.
fn run_quietly(name: &str, command: &mut Command) -> Result<(), Failure> {
    let output = command
        .current_dir(project_root())
        .output()
        .map_err(|e| format!("{name} does not start: {e}"))?;
    if output.status.success() {
        return Ok(());
    }
    println!("── {name}");
    print!("{}", String::from_utf8_lossy(&output.stdout));
    print!("{}", String::from_utf8_lossy(&output.stderr));
    Err(format!("{name} failed"))
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

    #[test]
    fn what_ran_beside_adds_nothing_to_the_whole() {
        let mut beside = Steps::quiet();
        beside.take("third", || Ok(())).unwrap();
        beside.done[0].1 = std::time::Duration::from_secs(100);
        let mut steps = Steps::default();
        steps.take("first", || Ok(())).unwrap();
        steps.add_beside(beside);
        let table = steps.table();
        let names: Vec<&str> = table.lines().filter_map(|l| l.split("s  ").nth(1)).collect();
        assert_eq!(names, ["first", "all", "(beside) third"]);
        let whole = table.lines().nth(1).unwrap();
        assert!(whole.trim().starts_with("0.0"), "{table}");
    }
}
