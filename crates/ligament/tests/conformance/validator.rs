//! What weights must be, whoever made them.

use std::collections::HashMap;

use ligament::bind::BindResult;
use ligament::character::{Character, Influence, PartAttachment, Weights, quantise_u8, quantise_u16};
use ligament::skin::Skin;

use crate::methods::{Method, Request};

/// Fails unless every vertex has 1 to k influences of joints that it may follow, sorted,
/// none negative or NaN, which sum to one, also after rounding to integers; and unless
/// vertices at one position move as one.
pub fn check_weights(label: &str, character: &Character, request: &Request, bound: &BindResult) {
    let weights = &bound.weights;
    assert_eq!(
        weights.vertex_count(),
        character.mesh.positions.len(),
        "{label}: rows and vertices"
    );
    let allowed = allowed_joints(character, request);
    for (vertex, row) in weights.iter().enumerate() {
        let at = || format!("{label}, {}, vertex {vertex}: {row:?}", character.name);
        assert!(
            (1..=request.influences).contains(&row.len()),
            "{}, at most {}",
            at(),
            request.influences
        );
        assert!(
            row.iter().all(|i| i.weight > 0.0 && i.weight <= 1.0),
            "{}: a weight is not over 0 and at most 1",
            at()
        );
        assert!(
            row.is_sorted_by(|a, b| a.weight >= b.weight),
            "{} is not sorted",
            at()
        );
        let repeats = (1..row.len()).any(|i| row[..i].iter().any(|j| j.joint == row[i].joint));
        assert!(!repeats, "{} repeats a joint", at());
        // The Khronos validator's tolerance.
        let sum: f32 = row.iter().map(|i| i.weight).sum();
        assert!(
            (sum - 1.0).abs() <= 2e-7 * row.len() as f32,
            "{} sums to {sum}",
            at()
        );
        check_quantised(row, at);
        let follows = |i: &Influence| allowed[vertex].get(i.joint.at()) == Some(&true);
        assert!(row.iter().all(follows), "{}: a joint that may not", at());
    }
    check_seams(label, character, weights);
}

/// Integers sum to their full scale exactly.
fn check_quantised(row: &[Influence], at: impl Fn() -> String) {
    let small: u32 = quantise_u8(row).into_iter().map(u32::from).sum();
    let large: u32 = quantise_u16(row).into_iter().map(u32::from).sum();
    assert_eq!((small, large), (255, 65535), "{} quantised", at());
}

/// For each vertex and joint whether one may follow the other: the joints that were
/// chosen, among those of its part; of a carried part the one that carries it.
fn allowed_joints(character: &Character, request: &Request) -> Vec<Vec<bool>> {
    let skeleton = &character.skeleton;
    let chosen = request
        .deform
        .resolve(&Skin::new(character.clone()).unwrap())
        .unwrap();
    let mut allowed = vec![chosen.clone(); character.mesh.positions.len()];
    for part in &character.mesh.parts {
        let of_part: Vec<bool> = skeleton
            .indices()
            .map(|joint| match part.attachment {
                PartAttachment::Rigid(carrier) => joint == carrier,
                PartAttachment::Skin => {
                    chosen[joint.at()] && part.joints.as_ref().is_none_or(|own| own.contains(&joint))
                }
            })
            .collect();
        allowed[part.vertices.clone()].fill(of_part);
    }
    allowed
}

/// Skin splits vertices along seams and hard edges: copies that differ would tear it.
fn check_seams(label: &str, character: &Character, weights: &Weights) {
    let carried = character.mesh.rigid_joint_of_vertices();
    let mut first_at: HashMap<[u32; 3], usize> = HashMap::new();
    let mut named = vec![false; carried.len()];
    for part in &character.mesh.parts {
        named[part.vertices.clone()].fill(true);
    }
    for (vertex, position) in character.mesh.positions.iter().enumerate() {
        if carried[vertex].is_some() || !named[vertex] {
            continue;
        }
        // + 0.0 makes the two zeros one.
        let key = (*position + 0.0).to_array().map(f32::to_bits);
        let first = *first_at.entry(key).or_insert(vertex);
        assert_eq!(
            weights.of_vertex(first),
            weights.of_vertex(vertex),
            "{label}, {}: vertices {first} and {vertex} share a position",
            character.name
        );
    }
}

/// Fails unless all differences are small. Of weights that jump, one in two hundred vertices
/// may lie on a border.
pub fn check_alike(method: &Method, what: &str, differences: impl Iterator<Item = f32>, tolerance: f32) {
    let differences: Vec<f32> = differences.collect();
    let large = differences.iter().filter(|d| **d > tolerance).count();
    let borders = if method.is_continuous() {
        0
    } else {
        differences.len() / 200
    };
    assert!(
        large <= borders,
        "{} on {what}: {large} of {} vertices differ by more than {tolerance}, up to {}",
        method.label(),
        differences.len(),
        differences.iter().copied().fold(0.0, f32::max)
    );
}

/// The sum over all joints of how much two rows differ.
pub fn apart(a: &[Influence], b: &[Influence]) -> f32 {
    let weight_in = |row: &[Influence], i: &Influence| {
        row.iter()
            .find(|other| other.joint == i.joint)
            .map_or(0.0, |other| other.weight)
    };
    let of_a: f32 = a.iter().map(|i| (i.weight - weight_in(b, i)).abs()).sum();
    let only_b = b.iter().filter(|i| weight_in(a, i) == 0.0);
    of_a + only_b.map(|i| i.weight).sum::<f32>()
}
