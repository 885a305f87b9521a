//! One character in many disguises: what leaves its shape as it is leaves its weights as they are, and what was set right
//! is told.

#![allow(clippy::unwrap_used, reason = "in a test a panic is a failure")]

use glam::Vec3;
use ligament::Character;
use ligament::bind::{BindOptions, BindResult, BindWarning, Method};
use ligament::character::Part;
use ligament::task::Task;
use ligament::weights::weight_distance;

/// The mean difference of weights that a disguise may make which leaves the shape as it is.
const SAME: f64 = 0.02;
/// And one that takes faces away.
const NEARLY_SAME: f64 = 0.05;
const METHODS: [&str; 3] = ["best", "voxel", "heat"];

fn plain() -> Character {
    ligament::sample::make("athlete@2500").unwrap()
}

fn bind(character: &Character, by: &str) -> BindResult {
    let method = Method::named(by).unwrap();
    method
        .bind_character(character, &BindOptions::default(), &Task::unattended())
        .unwrap()
}

/// The character with another part beside its own.
fn with_part(positions: &[Vec3], faces: &[[u32; 3]]) -> Character {
    let mut character = plain();
    let mesh = &mut character.mesh;
    let (first_vertex, first_face) = (mesh.positions.len(), mesh.triangles.len());
    mesh.positions.extend_from_slice(positions);
    mesh.triangles
        .extend(faces.iter().map(|f| f.map(|v| v + first_vertex as u32)));
    mesh.parts.push(Part {
        name: "beside".to_owned(),
        vertices: first_vertex..mesh.positions.len(),
        triangles: first_face..mesh.triangles.len(),
        ..mesh.parts[0].clone()
    });
    mesh.normals = None;
    mesh.colors = None;
    mesh.corner_uvs = None;
    character
}

/// The mean over the character's own vertices of ½Σ|w − w′|.
fn difference(a: &BindResult, b: &BindResult, vertices: usize) -> f64 {
    let of = |v: usize| weight_distance(a.weights.of_vertex(v), b.weights.of_vertex(v));
    (0..vertices).map(of).sum::<f64>() / vertices as f64
}

fn assert_same(name: &str, disguised: &Character, most: f64, told: impl Fn(&BindWarning) -> bool) {
    let plain = plain();
    for method in METHODS {
        let (before, after) = (bind(&plain, method), bind(disguised, method));
        let off = difference(&before, &after, plain.mesh.positions.len());
        assert!(off <= most, "{name}, {method}: {off}");
        let all = after.warnings.iter().any(&told);
        // Heat needs no solid but for what is outside, and tells of none.
        assert!(all || method == "heat", "{name}, {method}: {:?}", after.warnings);
    }
}

#[test]
fn a_stray_triangle_changes_nothing() {
    let size = plain().mesh.diagonal();
    for far in [3.0, 30.0, 1000.0] {
        let at = Vec3::new(far * size, 0.3 * size, 0.0);
        let corners = [at, at + 0.1 * size * Vec3::X, at + 0.1 * size * Vec3::Y];
        let disguised = with_part(&corners, &[[0, 1, 2]]);
        assert_same(&format!("{far} diagonals away"), &disguised, SAME, |w| {
            matches!(w, BindWarning::Strays { shells: 1, points: 3 })
        });
    }
}

#[test]
fn a_floor_changes_nothing() {
    let size = plain().mesh.diagonal();
    for wide in [4.0, 10.0, 100.0] {
        let corners = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)]
            .map(|(x, z)| Vec3::new(x * wide * size, -0.02 * size, z * wide * size));
        let disguised = with_part(&corners, &[[0, 2, 1], [0, 3, 2]]);
        assert_same(&format!("a floor of {wide} diagonals"), &disguised, SAME, |w| {
            matches!(w, BindWarning::Strays { shells: 1, .. })
        });
    }
}

#[test]
fn one_vertex_astray_changes_little() {
    let mut disguised = plain();
    disguised.mesh.positions[40] = Vec3::new(1e7, 0.0, 0.0);
    disguised.mesh.normals = None;
    assert_same("a vertex astray", &disguised, NEARLY_SAME, |w| {
        matches!(w, BindWarning::Strays { .. })
    });
}

#[test]
fn a_body_of_two_sides_is_the_body() {
    let mut disguised = plain();
    let mesh = &mut disguised.mesh;
    let flipped: Vec<[u32; 3]> = mesh.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
    let count = mesh.triangles.len();
    assert_eq!(mesh.parts.len(), 1);
    mesh.triangles.extend(flipped);
    mesh.parts[0].triangles = 0..2 * count;
    mesh.corner_uvs = None;
    assert_same(
        "every face twice",
        &disguised,
        SAME,
        |w| matches!(w, BindWarning::TwoSided { faces } if *faces == count),
    );
}
