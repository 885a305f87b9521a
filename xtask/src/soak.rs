//! `cargo xtask soak NAME [FILTER]`: the tests with more of what a daily run takes little of.

use ligament_testkit::{SOAK, SOAKS};

use crate::Failure;
use crate::steps::Steps;
use crate::test::test_command;

pub fn run(name: &str, filter: Option<&str>) -> Result<(), Failure> {
    if !SOAKS.iter().any(|(known, _)| *known == name) {
        let known = SOAKS.map(|(name, what)| format!("  {name}: {what}")).join("\n");
        return Err(format!(
            "usage: cargo xtask soak NAME [FILTER], where NAME is one of\n{known}"
        ));
    }
    let mut steps = Steps::default();
    let mut command = test_command();
    command.args(filter).env(SOAK, name);
    steps.run(&format!("soak {name}"), &mut command)
}
