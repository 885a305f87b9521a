//! Measures how well weights move a character, and says where they do not.
//!
//! `cargo run -p ligament --example measure`

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;

use ligament::measure::{MeasureOptions, measure};
use ligament::motion::MotionChoice;
use ligament::task::Task;

/// Runs it.
pub fn main() -> Result<(), Box<dyn Error>> {
    let hand = ligament::sample::make("hand@1500")?;
    let weights = ligament::bind(&hand.mesh, &hand.skeleton)?.weights;

    // Every joint through its range of motion; a character's own clips would do as well.
    let options = MeasureOptions {
        motion: MotionChoice::RangeOfMotion,
        ..MeasureOptions::default()
    };
    let report = measure(&hand, &weights, None, &options, &Task::unattended())?;

    println!("over {} poses:", report.frames);
    for finding in &report.findings {
        println!(
            "{:>12}: {:.4} (limit {:.4}) {:?}",
            finding.measure.name(),
            finding.value,
            finding.limit,
            finding.verdict
        );
    }
    Ok(())
}
