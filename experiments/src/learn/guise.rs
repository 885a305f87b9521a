//! How a character is bound for learning: as its artist had it, with joints that are guessed, or in a disguise. What is
//! right stays the same; what features see does not, so that no answer hangs on what a file leaves to chance.

use glam::{DVec3, Vec3};
use ligament::Character;
use ligament::character::{Part, Skeleton};
use ligament_testkit::Random;

/// How a character is bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Guise {
    /// To the joints that its artist used.
    Told,
    /// To the joints that are guessed.
    Guessed,
    /// To the joints that its artist used, a little off their places, with faces gone or flipped, noise, or things
    /// beside it.
    Disguised,
    /// To fewer joints than its artist used: what those that are left out hold is their parents'.
    Simpler,
}

impl Guise {
    pub const ALL: [Self; 4] = [Self::Told, Self::Guessed, Self::Disguised, Self::Simpler];

    pub fn word(self) -> &'static str {
        match self {
            Self::Told => "told",
            Self::Guessed => "guessed",
            Self::Disguised => "disguised",
            Self::Simpler => "simpler",
        }
    }

    /// The guise that is called so.
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|g| g.word() == word)
    }

    /// What it counts for in learning.
    pub fn share(self) -> f64 {
        match self {
            Self::Told => 1.0,
            _ => 0.5,
        }
    }

    /// Points that are kept of each character.
    pub fn points(self) -> usize {
        match self {
            Self::Told => 1200,
            _ => 600,
        }
    }
}

/// Which of the used joints a simpler skeleton keeps; left and right alike.
pub fn simpler(skeleton: &Skeleton, used: &[bool], name: &str) -> Vec<bool> {
    let of_both = |name: &str| {
        let lower = name.to_lowercase();
        let plain = ["left", "right"]
            .iter()
            .fold(lower, |n, side| n.replace(side, ""));
        let ends = [".l", ".r", "_l", "_r", "-l", "-r", " l", " r"];
        let plain = ends.iter().fold(plain, |n, end| {
            n.strip_suffix(end).map_or(n.clone(), str::to_owned)
        });
        ["l_", "r_"].iter().fold(plain, |n, start| {
            n.strip_prefix(start).map_or(n.clone(), str::to_owned)
        })
    };
    let children = skeleton.skin_children();
    let mut kept = used.to_vec();
    for joint in skeleton.indices().filter(|j| used[j.at()]) {
        let Some(parent) = skeleton.skin_parent(joint) else {
            continue;
        };
        let mut random = Random(seed(&format!("{name} {}", of_both(&skeleton.joint(joint).name))));
        random.next();
        let one_in = if children[joint.at()].is_empty() { 4 } else { 8 };
        // What hangs on a small part that went goes with it, half of the time.
        let with_parent = used[parent.at()] && !kept[parent.at()] && random.below(2) == 0;
        kept[joint.at()] = !(random.below(one_in) == 0 || with_parent);
    }
    if kept.iter().filter(|k| **k).count() < 3 {
        used.to_vec()
    } else {
        kept
    }
}

/// Joints are moved by up to so much of the way from their parent.
const OFF_PLACE: f64 = 0.04;

fn seed(name: &str) -> u64 {
    name.bytes().fold(0xCBF2_9CE4_8422_2325u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01B3)
    })
}

/// A character in a disguise that its name chooses. Its own vertices come first, in their order.
pub fn disguised(plain: &Character, name: &str) -> Character {
    let mut random = Random(seed(name));
    let mut character = plain.clone();
    character.clips.clear();
    character.mesh.normals = None;
    character.mesh.colors = None;
    character.mesh.corner_uvs = None;
    match random.below(5) {
        0 => noise(&mut character, &mut random),
        1 => {
            missing(&mut character, 10 + random.below(15), &mut random);
        }
        2 => half_flipped(&mut character),
        3 => floor(&mut character),
        _ => prop(&mut character),
    }
    if random.below(2) == 0 {
        missing(&mut character, 5, &mut random);
    }
    joints_off(&mut character, &mut random);
    character
}

fn any(random: &mut Random) -> f64 {
    2.0 * (random.next() >> 11) as f64 / (1u64 << 53) as f64 - 1.0
}

fn noise(character: &mut Character, random: &mut Random) {
    let most = 5e-4 * character.mesh.diagonal();
    // Vertices at one position stay at one.
    let mut moved: std::collections::BTreeMap<[u32; 3], Vec3> = std::collections::BTreeMap::new();
    for p in &mut character.mesh.positions {
        *p = *moved.entry(p.to_array().map(f32::to_bits)).or_insert_with(|| {
            let mut one = || any(random) as f32;
            *p + most * Vec3::new(one(), one(), one())
        });
    }
}

/// Replaces the faces of every part.
fn with_faces(character: &mut Character, mut kept: impl FnMut([u32; 3], &[Vec3]) -> Option<[u32; 3]>) {
    let mesh = &mut character.mesh;
    let old = std::mem::take(&mut mesh.triangles);
    for part in &mut mesh.parts {
        let first = mesh.triangles.len();
        let faces = old[part.triangles.clone()].iter();
        mesh.triangles
            .extend(faces.filter_map(|&face| kept(face, &mesh.positions)));
        part.triangles = first..mesh.triangles.len();
    }
}

fn missing(character: &mut Character, percent: usize, random: &mut Random) {
    with_faces(character, |face, _| {
        (random.below(100) >= percent).then_some(face)
    });
}

/// As a mirror modifier without care leaves it.
fn half_flipped(character: &mut Character) {
    with_faces(character, |[a, b, c], positions| {
        let x: f32 = [a, b, c].iter().map(|&v| positions[v as usize].x).sum();
        Some(if x > 0.0 { [a, c, b] } else { [a, b, c] })
    });
}

fn with_part(character: &mut Character, positions: &[Vec3], faces: &[[u32; 3]]) {
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
}

fn floor(character: &mut Character) {
    let (low, high) = character.mesh.bounds();
    let size = character.mesh.diagonal();
    let middle = (0.5 * (low + high)).with_y(low.y - 0.005 * size);
    let (u, v) = (2.0 * size * Vec3::Z, 2.0 * size * Vec3::X);
    let corners = [middle - u - v, middle + u - v, middle + u + v, middle - u + v];
    with_part(character, &corners, &[[0, 1, 2], [0, 2, 3]]);
}

/// A crate of twelve faces beside it.
fn prop(character: &mut Character) {
    let size = character.mesh.diagonal();
    let (low, high) = character.mesh.bounds();
    let at = Vec3::new(high.x + 0.3 * size, low.y, 0.5 * (low.z + high.z));
    let corner = |i: u32| at + 0.4 * size * Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32);
    let corners: Vec<Vec3> = (0..8).map(corner).collect();
    let faces = [
        [0, 2, 3],
        [0, 3, 1],
        [4, 5, 7],
        [4, 7, 6],
        [0, 4, 6],
        [0, 6, 2],
        [1, 3, 7],
        [1, 7, 5],
        [0, 1, 5],
        [0, 5, 4],
        [2, 6, 7],
        [2, 7, 3],
    ];
    with_part(character, &corners, &faces);
}

fn joints_off(character: &mut Character, random: &mut Random) {
    let skeleton = &mut character.skeleton;
    let at: Vec<DVec3> = skeleton
        .joints
        .iter()
        .map(|j| j.bind_from_joint.translation)
        .collect();
    for (index, joint) in skeleton.joints.iter_mut().enumerate() {
        let Some(parent) = joint.parent else { continue };
        let off = DVec3::new(any(random), any(random), any(random));
        let far = at[index].distance(at[parent.at()]);
        joint.bind_from_joint.translation += OFF_PLACE * far * off;
    }
}
