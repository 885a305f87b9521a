//! A tube with two bones, broken in every way that downloads are broken, and in all at once.

use glam::Vec3;
use ligament::character::{Character, JointIndex, Mesh, PartAttachment};

use crate::characters::{made, of};

/// What it is called, and how it is done to a mesh.
type Defect = (&'static str, fn(&mut Mesh));

/// One character for each defect.
pub fn all() -> Vec<Character> {
    let defects: [Defect; 15] = [
        ("duplicate faces", duplicate_faces),
        ("flipped faces", flipped_faces),
        ("inside out", inside_out),
        ("an edge of three faces", fin),
        ("shells that meet in a vertex", bow_tie),
        ("faces without area", zero_area),
        ("needles", needles),
        ("open", open),
        ("a single sheet", sheet),
        ("intersecting shells", intersecting),
        ("shells within shells", nested),
        ("unused vertices", unused_vertices),
        ("every face apart", torn),
        ("faces far away", far_away),
        ("corners that nearly meet", nearly_welded),
    ];
    let mut characters: Vec<Character> = defects
        .iter()
        .map(|(name, break_it)| with(name, *break_it))
        .collect();
    characters.push(with("everything at once", everything));
    characters.push(parts());
    characters
}

fn with(name: &str, break_it: fn(&mut Mesh)) -> Character {
    let sound = made("tube@60");
    let mut mesh = Mesh::single_part(name, sound.mesh.positions, sound.mesh.triangles);
    break_it(&mut mesh);
    of(name, mesh.positions, mesh.triangles, sound.skeleton)
}

fn everything(mesh: &mut Mesh) {
    duplicate_faces(mesh);
    flipped_faces(mesh);
    fin(mesh);
    zero_area(mesh);
    open(mesh);
    intersecting(mesh);
    torn(mesh);
    unused_vertices(mesh);
}

fn every(mesh: &Mesh, nth: usize) -> Vec<[u32; 3]> {
    mesh.triangles.iter().copied().step_by(nth).collect()
}

fn duplicate_faces(mesh: &mut Mesh) {
    let copies = every(mesh, 3);
    mesh.triangles.extend(copies);
}

fn flipped_faces(mesh: &mut Mesh) {
    for corners in mesh.triangles.iter_mut().step_by(4) {
        corners.swap(0, 1);
    }
}

fn inside_out(mesh: &mut Mesh) {
    for corners in &mut mesh.triangles {
        corners.swap(0, 1);
    }
}

fn fin(mesh: &mut Mesh) {
    let tip = mesh.positions.len() as u32;
    mesh.positions.push(Vec3::new(0.4, 0.5, 0.0));
    let fins: Vec<[u32; 3]> = every(mesh, 9).iter().map(|&[a, b, _]| [a, b, tip]).collect();
    mesh.triangles.extend(fins);
}

fn bow_tie(mesh: &mut Mesh) {
    // A second tube that hangs on the first by one vertex.
    let top = mesh.positions.len() as u32 - 1;
    let by = |v: u32| v + top + 1;
    let copies: Vec<Vec3> = mesh
        .positions
        .iter()
        .map(|&p| Vec3::new(p.x, 2.0 - p.y, p.z))
        .collect();
    mesh.positions.extend(copies);
    let faces: Vec<[u32; 3]> = mesh
        .triangles
        .iter()
        .map(|&[a, b, c]| [by(b), by(a), by(c)].map(|v| if v == by(top) { top } else { v }))
        .collect();
    mesh.triangles.extend(faces);
}

fn zero_area(mesh: &mut Mesh) {
    let flat: Vec<[u32; 3]> = every(mesh, 4)
        .iter()
        .enumerate()
        .map(|(i, &[a, b, _])| if i % 2 == 0 { [a, b, a] } else { [a, a, a] })
        .collect();
    mesh.triangles.extend(flat);
    // Corners on one line, all different.
    let first = mesh.positions.len() as u32;
    mesh.positions
        .extend([0.0, 0.25, 0.5].map(|y| Vec3::new(0.1, y, 0.0)));
    mesh.triangles.push([first, first + 1, first + 2]);
}

fn needles(mesh: &mut Mesh) {
    let first = mesh.positions.len() as u32;
    mesh.positions.extend([
        Vec3::new(0.1, 0.0, 0.0),
        Vec3::new(0.1, 1.0, 0.0),
        Vec3::new(0.1, 0.5, 1e-7),
    ]);
    mesh.triangles.push([first, first + 1, first + 2]);
}

fn open(mesh: &mut Mesh) {
    let mut number = 0;
    mesh.triangles.retain(|_| {
        number += 1;
        number % 5 != 0
    });
}

fn sheet(mesh: &mut Mesh) {
    for p in &mut mesh.positions {
        p.z = 0.0;
    }
}

fn copied(mesh: &mut Mesh, place: impl Fn(Vec3) -> Vec3) {
    let first = mesh.positions.len() as u32;
    let copies: Vec<Vec3> = mesh.positions.iter().map(|&p| place(p)).collect();
    let faces: Vec<[u32; 3]> = mesh.triangles.iter().map(|t| t.map(|v| v + first)).collect();
    mesh.positions.extend(copies);
    mesh.triangles.extend(faces);
}

fn intersecting(mesh: &mut Mesh) {
    copied(mesh, |p| Vec3::new(p.y - 0.5, p.x + 0.5, p.z + 0.013));
}

fn nested(mesh: &mut Mesh) {
    copied(mesh, |p| Vec3::new(0.5 * p.x, 0.8 * p.y + 0.1, 0.5 * p.z));
}

fn unused_vertices(mesh: &mut Mesh) {
    mesh.positions
        .extend([Vec3::new(0.0, 0.5, 0.0), Vec3::new(7.0, 7.0, 7.0)]);
}

fn torn(mesh: &mut Mesh) {
    let corners: Vec<Vec3> = mesh
        .triangles
        .iter()
        .flatten()
        .map(|&v| mesh.positions[v as usize])
        .collect();
    mesh.triangles = (0..corners.len() as u32 / 3)
        .map(|t| [3 * t, 3 * t + 1, 3 * t + 2])
        .collect();
    mesh.positions = corners;
}

fn far_away(mesh: &mut Mesh) {
    let first = mesh.positions.len() as u32;
    mesh.positions
        .extend([Vec3::X, Vec3::Y, Vec3::Z].map(|axis| 50.0 * axis));
    mesh.triangles.push([first, first + 1, first + 2]);
}

fn nearly_welded(mesh: &mut Mesh) {
    torn(mesh);
    for (i, p) in mesh.positions.iter_mut().enumerate() {
        p.x += 1e-6 * (i % 7) as f32;
    }
}

/// Parts that share vertices, list few joints, are carried, or are empty.
fn parts() -> Character {
    let mut character = made("tube@60");
    let mesh = &mut character.mesh;
    mesh.corner_uvs = None;
    let (faces, vertices) = (mesh.triangles.len(), mesh.positions.len());
    // A helmet on the tip.
    copied(mesh, |p| 0.2 * p + Vec3::Y);
    mesh.normals = None;
    let whole = mesh.parts[0].clone();
    let mut parts = vec![whole.clone(), whole.clone(), whole.clone(), whole];
    parts[0].triangles = 0..faces / 2;
    parts[1].triangles = faces / 2..faces;
    parts[0].vertices = 0..vertices;
    parts[1].vertices = 0..vertices;
    parts[2].triangles = faces..2 * faces;
    parts[2].vertices = vertices..2 * vertices;
    parts[2].attachment = PartAttachment::Rigid(JointIndex(2));
    parts[3].triangles = 2 * faces..2 * faces;
    parts[3].vertices = 2 * vertices..2 * vertices;
    for (number, part) in parts.iter_mut().enumerate() {
        part.name = format!("part {number}");
    }
    mesh.parts = parts;
    for part in &mut mesh.parts[..2] {
        part.joints = Some(vec![JointIndex(0), JointIndex(1)]);
    }
    character.name = "parts".to_owned();
    character
}
