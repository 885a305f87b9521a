//! Binds a mesh that is nothing but arrays: positions, triangles, joints.
//!
//! `cargo run -p ligament --example bind_arrays`

#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;

use ligament::{Mesh, Skeleton};

/// Vertices along each edge of the column.
const RINGS: u32 = 9;

/// Runs it.
pub fn main() -> Result<(), Box<dyn Error>> {
    let (positions, triangles) = column();
    // Names, parents as indices of this list, positions: in any order.
    let joints = [
        ("lower", None, [0.0, 0.0, 0.0]),
        ("upper", Some(0), [0.0, 1.0, 0.0]),
        ("end", Some(1), [0.0, 2.0, 0.0]),
    ];

    let skeleton = Skeleton::from_positions(&joints)?;
    let bound = ligament::bind(&Mesh::new(positions, triangles), &skeleton)?;
    let (joints, weights) = bound.weights.to_arrays::<4>();

    for warning in &bound.warnings {
        println!("note: {warning}");
    }
    for ring in 0..RINGS as usize {
        let vertex = 4 * ring;
        println!(
            "vertex {vertex:2}: joints {:?}, weights {:.2?}",
            joints[vertex], weights[vertex]
        );
    }
    Ok(())
}

/// A square column two units high, as any modeller or scanner would hand it over.
fn column() -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let corners = [[-0.2, -0.2], [0.2, -0.2], [0.2, 0.2], [-0.2, 0.2]];
    let positions = (0..RINGS)
        .flat_map(|ring| corners.map(|[x, z]| [x, 2.0 * ring as f32 / (RINGS - 1) as f32, z]))
        .collect();
    let mut triangles = Vec::new();
    for ring in 0..RINGS - 1 {
        for side in 0..4 {
            let next = (side + 1) % 4;
            let [a, b] = [4 * ring + side, 4 * ring + next];
            triangles.extend([[a, a + 4, b + 4], [a, b + 4, b]]);
        }
    }
    let top = 4 * (RINGS - 1);
    triangles.extend([[0, 1, 2], [0, 2, 3]]);
    triangles.extend([[top, top + 2, top + 1], [top, top + 3, top + 2]]);
    (positions, triangles)
}
