//! What real files do to a character without changing its shape, or hardly.

use glam::{DAffine3, DQuat, DVec3, Vec3};
use ligament::Character;
use ligament::bind::BindWarning;
use ligament::character::{Joint, JointIndex, Mesh, Part, Transform};
use ligament_testkit::Random;

/// A character in disguise.
pub struct Disguised {
    pub character: Character,
    /// For each vertex of the plain character its vertex here; none where it is no longer to be compared.
    pub vertices: Vec<Option<usize>>,
}

impl Disguised {
    /// The plain character's vertices come first.
    fn first(plain: &Character, character: Character) -> Self {
        Self {
            character,
            vertices: (0..plain.mesh.positions.len()).map(Some).collect(),
        }
    }
}

/// What must be said of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Said {
    /// Nothing.
    Nothing,
    /// That something lies far from the skeleton.
    Strays,
    /// The same, or that pieces hold no bone.
    Apart,
    /// That faces are there twice.
    TwoSided,
    /// That faces, or whole shells, are wound the wrong way.
    Flipped,
}

impl Said {
    pub fn is_in(self, warnings: &[BindWarning]) -> bool {
        warnings.iter().any(|w| match self {
            Self::Nothing => true,
            Self::Strays => matches!(w, BindWarning::Strays { .. }),
            Self::Apart => matches!(w, BindWarning::Strays { .. } | BindWarning::FloatingPieces { .. }),
            Self::TwoSided => matches!(w, BindWarning::TwoSided { .. }),
            Self::Flipped => matches!(
                w,
                BindWarning::FacesFlipped { .. } | BindWarning::ShellsInsideOut { .. }
            ),
        }) || self == Self::Nothing
    }
}

/// The mean difference of weights that a disguise may make which leaves the shape as it is.
const SAME: f64 = 0.02;
/// And one that takes faces away.
const NEARLY_SAME: f64 = 0.05;

type Make = fn(&Character) -> Disguised;

/// All disguises: what they are called, how they are made, how much weights may differ, what must be said.
pub fn all() -> Vec<(&'static str, Make, f64, Said)> {
    vec![
        ("triangle soup", soup, SAME, Said::Nothing),
        (
            "all faces flipped",
            |c| flipped(c, |_, _| true),
            SAME,
            Said::Flipped,
        ),
        (
            "30 % of the faces flipped",
            |c| flipped(c, |_, random| random.below(100) < 30),
            SAME,
            Said::Flipped,
        ),
        ("one half flipped", half_flipped, SAME, Said::Flipped),
        (
            "every face twice, in both windings",
            two_sided,
            SAME,
            Said::TwoSided,
        ),
        ("every face twice", every_face_twice, SAME, Said::Nothing),
        ("some faces twice", some_faces_twice, SAME, Said::Nothing),
        ("faces without area", without_area, SAME, Said::Nothing),
        (
            "10 % of the faces gone",
            |c| missing(c, 10),
            NEARLY_SAME,
            Said::Nothing,
        ),
        (
            "30 % of the faces gone",
            |c| missing(c, 30),
            NEARLY_SAME,
            Said::Nothing,
        ),
        ("noise", noise, SAME, Said::Nothing),
        ("a stray triangle at 0.3", |c| stray(c, 0.3), SAME, Said::Apart),
        ("a stray triangle at 3", |c| stray(c, 3.0), SAME, Said::Strays),
        ("a stray triangle at 30", |c| stray(c, 30.0), SAME, Said::Strays),
        (
            "a stray triangle at 1000",
            |c| stray(c, 1000.0),
            SAME,
            Said::Strays,
        ),
        ("a vertex at 1e7", vertex_astray, NEARLY_SAME, Said::Strays),
        ("a floor of 1.5", |c| floor(c, 1.5), SAME, Said::Strays),
        ("a floor of 4", |c| floor(c, 4.0), SAME, Said::Strays),
        ("a floor of 10", |c| floor(c, 10.0), SAME, Said::Strays),
        ("a floor of 100", |c| floor(c, 100.0), SAME, Said::Strays),
        ("a backdrop", backdrop, SAME, Said::Strays),
        ("a prop beside it", prop, SAME, Said::Apart),
        ("another character beside it", second, SAME, Said::Apart),
        ("in centimetres", |c| scaled(c, 100.0), SAME, Said::Nothing),
        ("in kilometres", |c| scaled(c, 1e-3), SAME, Said::Nothing),
        ("Z up", z_up, SAME, Said::Nothing),
        ("mirrored", mirrored, SAME, Said::Nothing),
        (
            "a kilometre from the origin",
            |c| moved(c, 1e3),
            SAME,
            Said::Nothing,
        ),
        ("cut into 500 shells", shells, SAME, Said::Nothing),
        ("unused vertices", unused, SAME, Said::Nothing),
        ("a far control joint", far_joint, SAME, Said::Nothing),
        (
            "a floor and a far camera",
            far_joint_and_floor,
            SAME,
            Said::Strays,
        ),
        (
            "vertices in another order",
            shuffled_vertices,
            SAME,
            Said::Nothing,
        ),
        ("parts in another order", shuffled_parts, SAME, Said::Nothing),
    ]
}

/// Forgets what is kept per vertex or corner beside positions, which disguises do not keep up.
fn bare(mesh: &mut Mesh) {
    mesh.normals = None;
    mesh.colors = None;
    mesh.corner_uvs = None;
}

fn plain_copy(plain: &Character) -> Character {
    let mut character = plain.clone();
    character.weights = None;
    bare(&mut character.mesh);
    character
}

/// The character with a part beside its own.
fn with_part(plain: &Character, positions: &[Vec3], faces: &[[u32; 3]]) -> Character {
    let mut character = plain_copy(plain);
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
    character
}

/// Replaces the faces of every part.
fn with_faces(plain: &Character, mut faces_of: impl FnMut(&[[u32; 3]], &Mesh) -> Vec<[u32; 3]>) -> Disguised {
    let mut character = plain_copy(plain);
    let mesh = &mut character.mesh;
    let old = std::mem::take(&mut mesh.triangles);
    let mut parts = std::mem::take(&mut mesh.parts);
    let mut all = Vec::new();
    for part in &mut parts {
        let faces = faces_of(&old[part.triangles.clone()], &plain.mesh);
        part.triangles = all.len()..all.len() + faces.len();
        all.extend(faces);
    }
    (mesh.triangles, mesh.parts) = (all, parts);
    Disguised::first(plain, character)
}

fn flip([a, b, c]: [u32; 3]) -> [u32; 3] {
    [a, c, b]
}

fn soup(plain: &Character) -> Disguised {
    let mut character = plain_copy(plain);
    let mesh = &mut character.mesh;
    let mut positions = Vec::new();
    let mut vertices = vec![None; plain.mesh.positions.len()];
    for part in &mut mesh.parts {
        let first = positions.len();
        for face in &mut mesh.triangles[part.triangles.clone()] {
            for v in face {
                vertices[*v as usize].get_or_insert(positions.len());
                positions.push(plain.mesh.positions[*v as usize]);
                *v = positions.len() as u32 - 1;
            }
        }
        part.vertices = first..positions.len();
    }
    mesh.positions = positions;
    Disguised { character, vertices }
}

fn flipped(plain: &Character, which: impl Fn([u32; 3], &mut Random) -> bool) -> Disguised {
    let mut random = Random(1);
    with_faces(plain, |faces, _| {
        let flip_some = |&f: &[u32; 3]| if which(f, &mut random) { flip(f) } else { f };
        faces.iter().map(flip_some).collect()
    })
}

/// As a mirror modifier without care leaves it.
fn half_flipped(plain: &Character) -> Disguised {
    with_faces(plain, |faces, mesh| {
        let is_left = |f: &[u32; 3]| f.iter().map(|&v| mesh.positions[v as usize].x).sum::<f32>() > 0.0;
        let flip_left = |&f: &[u32; 3]| if is_left(&f) { flip(f) } else { f };
        faces.iter().map(flip_left).collect()
    })
}

fn two_sided(plain: &Character) -> Disguised {
    with_faces(plain, |faces, _| {
        faces
            .iter()
            .copied()
            .chain(faces.iter().map(|&f| flip(f)))
            .collect()
    })
}

fn every_face_twice(plain: &Character) -> Disguised {
    with_faces(plain, |faces, _| [faces, faces].concat())
}

fn some_faces_twice(plain: &Character) -> Disguised {
    let mut random = Random(2);
    with_faces(plain, |faces, _| {
        let again: Vec<[u32; 3]> = faces
            .iter()
            .copied()
            .filter(|_| random.below(100) < 20)
            .map(|[a, b, c]| [b, c, a])
            .collect();
        [faces, &again].concat()
    })
}

fn without_area(plain: &Character) -> Disguised {
    let mut random = Random(3);
    with_faces(plain, |faces, _| {
        let mut all = faces.to_vec();
        for _ in 0..faces.len() / 10 {
            let [a, b, c] = faces[random.below(faces.len())];
            all.push([[a, a, b], [c, c, c], [b, c, b]][random.below(3)]);
        }
        all
    })
}

fn missing(plain: &Character, percent: usize) -> Disguised {
    let mut random = Random(4);
    with_faces(plain, |faces, _| {
        let kept = faces.iter().copied().filter(|_| random.below(100) >= percent);
        kept.collect()
    })
}

fn noise(plain: &Character) -> Disguised {
    let mut character = plain_copy(plain);
    let most = 2e-4 * plain.mesh.diagonal();
    let mut random = Random(5);
    // Vertices at one position stay at one.
    let mut moved: std::collections::HashMap<[u32; 3], Vec3> = Default::default();
    for p in &mut character.mesh.positions {
        *p = *moved.entry(p.to_array().map(f32::to_bits)).or_insert_with(|| {
            let mut any = || random.below(2001) as f32 / 1000.0 - 1.0;
            *p + most * Vec3::new(any(), any(), any())
        });
    }
    Disguised::first(plain, character)
}

fn stray(plain: &Character, far: f32) -> Disguised {
    let size = plain.mesh.diagonal();
    let (low, high) = plain.mesh.bounds();
    let at = 0.5 * (low + high) + Vec3::new((0.5 + far) * size, 0.3 * size, 0.0);
    let corners = [at, at + 0.1 * size * Vec3::X, at + 0.1 * size * Vec3::Y];
    Disguised::first(plain, with_part(plain, &corners, &[[0, 1, 2]]))
}

fn vertex_astray(plain: &Character) -> Disguised {
    let mut character = plain_copy(plain);
    let mut astray = Disguised::first(plain, Character::default());
    character.mesh.positions[40] = Vec3::new(1e7, 0.0, 0.0);
    astray.vertices[40] = None;
    astray.character = character;
    astray
}

/// The four corners of a rectangle and its two faces.
fn sheet(middle: Vec3, u: Vec3, v: Vec3) -> ([Vec3; 4], [[u32; 3]; 2]) {
    let corners = [middle - u - v, middle + u - v, middle + u + v, middle - u + v];
    (corners, [[0, 1, 2], [0, 2, 3]])
}

fn floor(plain: &Character, wide: f32) -> Disguised {
    let (low, high) = plain.mesh.bounds();
    let size = plain.mesh.diagonal();
    let middle = (0.5 * (low + high)).with_y(low.y - 0.005 * size);
    let half = 0.5 * wide * size;
    let (corners, faces) = sheet(middle, half * Vec3::Z, half * Vec3::X);
    Disguised::first(plain, with_part(plain, &corners, &faces))
}

fn backdrop(plain: &Character) -> Disguised {
    let (low, high) = plain.mesh.bounds();
    let size = plain.mesh.diagonal();
    let middle = (0.5 * (low + high)).with_z(low.z - 0.5 * size);
    let (corners, faces) = sheet(middle, 6.0 * size * Vec3::X, 6.0 * size * Vec3::Y);
    Disguised::first(plain, with_part(plain, &corners, &faces))
}

/// A crate of twelve faces, half a diagonal beside.
fn prop(plain: &Character) -> Disguised {
    let size = plain.mesh.diagonal();
    let (low, high) = plain.mesh.bounds();
    let at = Vec3::new(high.x + 0.3 * size, low.y, 0.5 * (low.z + high.z));
    let corner = |i: u32| at + 0.4 * size * Vec3::new((i & 1) as f32, (i >> 1 & 1) as f32, (i >> 2) as f32);
    let corners: Vec<Vec3> = (0..8).map(corner).collect();
    let quads = [
        [0, 2, 3, 1],
        [4, 5, 7, 6],
        [0, 4, 6, 2],
        [1, 3, 7, 5],
        [0, 1, 5, 4],
        [2, 6, 7, 3],
    ];
    let faces: Vec<[u32; 3]> = quads
        .iter()
        .flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]])
        .collect();
    Disguised::first(plain, with_part(plain, &corners, &faces))
}

/// The same body again, a body's width beside.
fn second(plain: &Character) -> Disguised {
    let (low, high) = plain.mesh.bounds();
    let aside = Vec3::X * 1.2 * (high.x - low.x);
    let corners: Vec<Vec3> = plain.mesh.positions.iter().map(|&p| p + aside).collect();
    Disguised::first(plain, with_part(plain, &corners, &plain.mesh.triangles))
}

/// Mesh and skeleton moved by one transform.
fn transformed(plain: &Character, by: DAffine3) -> Disguised {
    let mut character = plain_copy(plain);
    character.clips.clear();
    for p in &mut character.mesh.positions {
        *p = by.transform_point3(p.as_dvec3()).as_vec3();
    }
    let (scale, rotation, _) = by.to_scale_rotation_translation();
    for joint in &mut character.skeleton.joints {
        // Axes stay of length one: a bind goes by where joints are.
        let at = by.transform_point3(joint.bind_from_joint.translation);
        joint.bind_from_joint.matrix3 = glam::DMat3::from_quat(rotation) * joint.bind_from_joint.matrix3;
        joint.bind_from_joint.translation = at;
        joint.rest.translation *= scale.x.abs();
        if joint.parent.is_none() {
            joint.rest.rotation = rotation * joint.rest.rotation;
            joint.rest.translation = at;
        }
    }
    Disguised::first(plain, character)
}

fn scaled(plain: &Character, by: f64) -> Disguised {
    transformed(plain, DAffine3::from_scale(DVec3::splat(by)))
}

fn z_up(plain: &Character) -> Disguised {
    transformed(plain, DAffine3::from_rotation_x(std::f64::consts::FRAC_PI_2))
}

fn moved(plain: &Character, far: f64) -> Disguised {
    transformed(plain, DAffine3::from_translation(DVec3::new(far, 0.0, far)))
}

/// The left hand becomes the right one, and faces look inwards.
fn mirrored(plain: &Character) -> Disguised {
    let mut character = plain_copy(plain);
    character.clips.clear();
    for p in &mut character.mesh.positions {
        p.x = -p.x;
    }
    let skeleton = &mut character.skeleton;
    let at: Vec<DVec3> = skeleton
        .joints
        .iter()
        .map(|j| j.bind_from_joint.translation * DVec3::new(-1.0, 1.0, 1.0))
        .collect();
    for (index, joint) in skeleton.joints.iter_mut().enumerate() {
        let above = joint.parent.map_or(DVec3::ZERO, |p| at[p.at()]);
        joint.bind_from_joint = DAffine3::from_translation(at[index]);
        joint.rest = Transform::from_translation(at[index] - above);
        joint.rest.rotation = DQuat::IDENTITY;
    }
    Disguised::first(plain, character)
}

/// Faces fall into many pieces whose borders have vertices of their own.
fn shells(plain: &Character) -> Disguised {
    const PIECES: usize = 500;
    let mut character = plain_copy(plain);
    let mesh = &mut character.mesh;
    let mut positions = Vec::new();
    let mut vertices = vec![None; plain.mesh.positions.len()];
    for part in &mut mesh.parts {
        let first = positions.len();
        let faces = &mut mesh.triangles[part.triangles.clone()];
        let piece = (faces.len() / PIECES).max(1);
        for faces in faces.chunks_mut(piece) {
            let mut own: std::collections::HashMap<u32, u32> = Default::default();
            for v in faces.iter_mut().flatten() {
                let new = *own.entry(*v).or_insert_with(|| {
                    positions.push(plain.mesh.positions[*v as usize]);
                    positions.len() as u32 - 1
                });
                vertices[*v as usize].get_or_insert(new as usize);
                *v = new;
            }
        }
        part.vertices = first..positions.len();
    }
    mesh.positions = positions;
    Disguised { character, vertices }
}

/// Points that no face names, in and around the body and at the origin, in the last part.
fn unused(plain: &Character) -> Disguised {
    let mut character = plain_copy(plain);
    let mesh = &mut character.mesh;
    let size = mesh.diagonal();
    let mut random = Random(6);
    for _ in 0..200 {
        let mut any = || random.below(2001) as f32 / 1000.0 - 1.0;
        mesh.positions.push(0.5 * size * Vec3::new(any(), any(), any()));
    }
    if let Some(last) = mesh.parts.last_mut() {
        last.vertices.end = mesh.positions.len();
    }
    Disguised::first(plain, character)
}

fn far_joint(plain: &Character) -> Disguised {
    let mut character = plain_copy(plain);
    let at = DVec3::new(0.0, 0.5, 8.0) * f64::from(plain.mesh.diagonal());
    character.skeleton.joints.push(Joint {
        name: "camera_ctrl".to_owned(),
        parent: Some(JointIndex(0)),
        rest: Transform::from_translation(at - character.skeleton.bind_position(JointIndex(0))),
        bind_from_joint: DAffine3::from_translation(at),
        in_skin: true,
    });
    Disguised::first(plain, character)
}

fn far_joint_and_floor(plain: &Character) -> Disguised {
    let far = far_joint(plain).character;
    floor(&far, 12.0)
}

fn shuffled_vertices(plain: &Character) -> Disguised {
    let mut character = plain_copy(plain);
    let mut vertices = vec![None; plain.mesh.positions.len()];
    let mut random = Random(7);
    let mesh = &mut character.mesh;
    let mut new_of = vec![0u32; plain.mesh.positions.len()];
    for part in &mesh.parts {
        let mut order: Vec<usize> = part.vertices.clone().collect();
        for i in (1..order.len()).rev() {
            order.swap(i, random.below(i + 1));
        }
        for (new, &old) in part.vertices.clone().zip(&order) {
            mesh.positions[new] = plain.mesh.positions[old];
            vertices[old] = Some(new);
            new_of[old] = new as u32;
        }
    }
    for v in mesh.triangles.iter_mut().flatten() {
        *v = new_of[*v as usize];
    }
    Disguised { character, vertices }
}

/// The last part first. A single part is first cut in two.
fn shuffled_parts(plain: &Character) -> Disguised {
    let source = if plain.mesh.parts.len() == 1 {
        let mut cut = plain_copy(plain);
        let (vertices, faces) = (cut.mesh.positions.len(), cut.mesh.triangles.len());
        // Vertices of both halves, so that each part names its own.
        let copies = cut.mesh.positions.clone();
        cut.mesh.positions.extend(copies);
        for face in &mut cut.mesh.triangles[faces / 2..] {
            *face = face.map(|v| v + vertices as u32);
        }
        let part = cut.mesh.parts[0].clone();
        cut.mesh.parts = vec![
            Part {
                vertices: 0..vertices,
                triangles: 0..faces / 2,
                ..part.clone()
            },
            Part {
                name: "second".to_owned(),
                vertices: vertices..2 * vertices,
                triangles: faces / 2..faces,
                ..part
            },
        ];
        cut
    } else {
        plain_copy(plain)
    };
    let mut character = plain_copy(&source);
    let mesh = &mut character.mesh;
    mesh.positions.clear();
    mesh.triangles.clear();
    mesh.parts.clear();
    let mut vertices = vec![None; source.mesh.positions.len()];
    for part in source.mesh.parts.iter().rev() {
        let (first_vertex, first_face) = (mesh.positions.len(), mesh.triangles.len());
        for old in part.vertices.clone() {
            vertices[old] = Some(mesh.positions.len());
            mesh.positions.push(source.mesh.positions[old]);
        }
        let from = part.vertices.start as u32;
        let faces = source.mesh.triangles[part.triangles.clone()].iter();
        mesh.triangles
            .extend(faces.map(|f| f.map(|v| v - from + first_vertex as u32)));
        mesh.parts.push(Part {
            vertices: first_vertex..mesh.positions.len(),
            triangles: first_face..mesh.triangles.len(),
            ..part.clone()
        });
    }
    vertices.truncate(plain.mesh.positions.len());
    Disguised { character, vertices }
}
