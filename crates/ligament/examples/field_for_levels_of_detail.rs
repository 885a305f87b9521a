//! Fits a field of weights to one mesh and binds every level of detail by it.
//!
//! `cargo run -p ligament --example field_for_levels_of_detail`

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;

use ligament::bind::{BindOptions, FitOptions, Method, Prepared};
use ligament::skin::Skin;
use ligament::task::Task;

/// Runs it.
pub fn main() -> Result<(), Box<dyn Error>> {
    let (options, task) = (BindOptions::default(), Task::unattended());
    let level =
        |spec: &str| -> Result<Skin, Box<dyn Error>> { Ok(Skin::new(ligament::sample::make(spec)?)?) };

    // The field lives in space, not on the mesh that it was fitted to. Few steps keep this
    // example short; the defaults take seconds and deform better.
    let short = FitOptions {
        guided_steps: 40,
        steps: 60,
        ..FitOptions::default()
    };
    let prepared = Method::Cells(short).prepare(&level("hound@1000")?, &options, &task)?;
    let field = prepared.field().ok_or("only cells have a field")?;

    for spec in ["hound@800", "hound@2000", "hound@4000"] {
        let skin = level(spec)?;
        let result = Prepared::with_field(field.clone(), &skin).evaluate(&options, &task)?;
        println!(
            "{spec}: {} vertices, at most {} joints each",
            result.weights.vertex_count(),
            result.weights.max_influences()
        );
    }
    Ok(())
}
