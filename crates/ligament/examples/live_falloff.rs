//! Prepares a binding once, then changes its falloff as a slider would.
//!
//! `cargo run -p ligament --example live_falloff`

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;

use ligament::bind::{BindOptions, Method, VoxelOptions};
use ligament::skin::Skin;
use ligament::task::Task;

/// Runs it.
pub fn main() -> Result<(), Box<dyn Error>> {
    let (options, task) = (BindOptions::default(), Task::unattended());
    let skin = Skin::new(ligament::sample::make("hand@2000")?)?;

    // Slow: voxels, and distances from every bone through them. It owns all that it needs,
    // so an editor or a server can keep it.
    let before = task.now();
    let mut prepared = Method::Voxel(VoxelOptions::default()).prepare(&skin, &options, &task)?;
    println!("prepared in {:.0?}", task.now() - before);

    // Fast: weights from those distances.
    for falloff in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let before = task.now();
        prepared.set_falloff(Some(falloff))?;
        let weights = prepared.evaluate(&options, &task)?.weights;
        let mean = weights.influences().len() as f64 / weights.vertex_count() as f64;
        println!(
            "falloff {falloff:.2}: {mean:.2} joints for each vertex, in {:.1?}",
            task.now() - before
        );
    }
    Ok(())
}
