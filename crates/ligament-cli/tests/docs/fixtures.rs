//! The files that the pages speak of, made from samples.

use std::fmt::Write as _;
use std::path::Path;

use glam::{DAffine3, DVec3};
use ligament::character::{Joint, Transform};
use ligament::{Character, Mesh};
use ligament_io::gltf::build;
use tempfile::TempDir;

use crate::ligament;
use crate::markdown::Page;
use crate::strip::Strip;

/// About how many vertices a sample has here.
pub const VERTICES: usize = 2000;

/// A folder with every file that a command of the pages reads.
pub struct Fixtures(TempDir);

impl Fixtures {
    /// All of them.
    pub fn make(pages: &[Page]) -> Self {
        let fixtures = Self::blocks_alone(pages);
        let folder = fixtures.path();
        let hero = hero(1500);
        let tube = ligament::sample::make("tube@200").unwrap();
        write_glb(&hero, &folder.join("hero.glb"));
        write_glb(&self::hero(1000), &folder.join("hero_lod1.glb"));
        run(
            folder,
            &["bind", "hero.glb", "--method", "heat", "-o", "bound.glb"],
        );
        run(
            folder,
            &["bind", "hero.glb", "--method", "closest", "-o", "artist.glb"],
        );
        // A body that has weights, and what is worn on it.
        std::fs::copy(folder.join("bound.glb"), folder.join("body.glb")).unwrap();
        write_glb(&shirt(&hero), &folder.join("shirt.glb"));
        std::fs::write(folder.join("trousers.obj"), obj(&hero)).unwrap();
        // Folders for batches.
        for (from, to) in [
            ("bound.glb", "characters/hero.glb"),
            ("shirt.glb", "coats/shirt.glb"),
        ] {
            let to = folder.join(to);
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::fs::copy(folder.join(from), to).unwrap();
        }
        // Another program's weights: the tests of Blender make real ones.
        std::fs::copy(folder.join("artist.glb"), folder.join("hero_blender.glb")).unwrap();
        let strip = Strip::default().bytes();
        let joints: Vec<&str> = hero.skeleton.joints.iter().map(|j| j.name.as_str()).collect();
        let files: [(&str, Vec<u8>); 12] = [
            ("hero.obj", obj(&hero).into()),
            ("hero.bvh", bvh(&hero).into()),
            ("dance.bvh", bvh(&hero).into()),
            ("hero.fbx", strip.clone()),
            ("walk.fbx", strip),
            ("arm.obj", obj(&tube).into()),
            ("arm.tgf", tgf(&tube).into()),
            ("arm-weights.dmat", dmat(&tube).into()),
            ("scan.csv", "0,1,0\n0.1,1.2,0\n".into()),
            ("splats.ply", splats(&hero).into()),
            ("orient.json", "[{\"command\": \"orient\"}]".into()),
            ("joints.txt", joints.join("\n").into()),
        ];
        for (name, bytes) in files {
            std::fs::write(folder.join(name), bytes).unwrap();
        }
        fixtures
    }

    /// The JSON of the pages as files.
    pub fn blocks_alone(pages: &[Page]) -> Self {
        let fixtures = Self(tempfile::tempdir().unwrap());
        for (file, page) in [
            ("script.json", "docs/commands/edit.md"),
            ("map.json", "docs/commands/animate.md"),
            ("regions.json", "docs/methods/voxel.md"),
            ("limits.json", "docs/measures.md"),
            ("hand_edits.json", "docs/commands/bind.md"),
            ("list.jsonl", "docs/commands/batch.md"),
            ("two_joints.json", "docs/formats.md"),
        ] {
            let page = pages.iter().find(|p| p.name == page).unwrap();
            let is_json = |b: &&crate::markdown::Block| b.language.as_deref() == Some("json");
            let block = page.blocks.iter().find(is_json).unwrap();
            std::fs::write(fixtures.path().join(file), &block.text).unwrap();
        }
        fixtures
    }

    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// The same files in a folder of their own.
    pub fn copy(&self) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        copy_folder(self.path(), folder.path());
        folder
    }
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let path = entry.unwrap().path();
        let target = to.join(path.file_name().unwrap());
        if path.is_dir() {
            copy_folder(&path, &target);
        } else {
            std::fs::copy(&path, target).unwrap();
        }
    }
}

/// A person with a helmet on, and a joint that holds no skin: what pages call a hero.
fn hero(vertices: usize) -> Character {
    let mut hero = ligament::sample::make(&format!("apose@{vertices}")).unwrap();
    let head = hero.skeleton.find("head").unwrap();
    let bind_from_end =
        DAffine3::from_translation(DVec3::Y * 0.2) * hero.skeleton.joint(head).bind_from_joint;
    hero.skeleton.joints.push(Joint {
        name: "head_end".to_owned(),
        parent: Some(head),
        rest: Transform::from_translation(DVec3::Y * 0.2),
        bind_from_joint: bind_from_end,
        in_skin: true,
    });
    let centre = hero.skeleton.bind_position(head).as_vec3();
    let mesh = &mut hero.mesh;
    (mesh.normals, mesh.colors, mesh.corner_uvs) = (None, None, None);
    let on_head = |t: &&[u32; 3]| t.iter().all(|&v| mesh.positions[v as usize].y > centre.y);
    let faces: Vec<[u32; 3]> = mesh.triangles.iter().filter(on_head).copied().collect();
    let (first_vertex, first_face) = (mesh.positions.len(), mesh.triangles.len());
    // Corners of their own for every face: welding brings them together again.
    for face in &faces {
        let at = mesh.positions.len() as u32;
        let outside = face.map(|v| centre + (mesh.positions[v as usize] - centre) * 1.1);
        mesh.positions.extend(outside);
        mesh.triangles.push([at, at + 1, at + 2]);
    }
    let mut helmet = mesh.parts[0].clone();
    helmet.name = "helmet".to_owned();
    helmet.material.name = "wool".to_owned();
    helmet.vertices = first_vertex..mesh.positions.len();
    helmet.triangles = first_face..mesh.triangles.len();
    mesh.parts.push(helmet);
    mesh.check().unwrap();
    hero
}

/// The middle of a hero, a little wider: a mesh without joints.
fn shirt(hero: &Character) -> Character {
    let (low, high) = hero.mesh.bounds();
    let normals = hero.mesh.face_normals_at_vertices();
    let height = |v: u32| (hero.mesh.positions[v as usize].y - low.y) / (high.y - low.y);
    let mut vertices: Vec<u32> = Vec::new();
    let mut triangles = Vec::new();
    for face in &hero.mesh.triangles[hero.mesh.parts[0].triangles.clone()] {
        if face.iter().all(|&v| (0.5..0.8).contains(&height(v))) {
            triangles.push(face.map(|v| {
                let known = vertices.iter().position(|&k| k == v);
                known.unwrap_or_else(|| {
                    vertices.push(v);
                    vertices.len() - 1
                }) as u32
            }));
        }
    }
    let outside = |&v: &u32| hero.mesh.positions[v as usize] + 0.01 * normals[v as usize];
    Character {
        name: "shirt".to_owned(),
        mesh: Mesh::single_part("shirt", vertices.iter().map(outside).collect(), triangles),
        ..Character::default()
    }
}

fn write_glb(character: &Character, path: &Path) {
    build(character).unwrap().document.save(path).unwrap();
}

fn run(folder: &Path, words: &[&str]) {
    let output = ligament().args(words).current_dir(folder).output().unwrap();
    assert!(
        output.status.success(),
        "{words:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// A mesh as Wavefront OBJ, a group for each part.
fn obj(character: &Character) -> String {
    let mesh = &character.mesh;
    let mut text = String::new();
    for p in &mesh.positions {
        writeln!(text, "v {} {} {}", p.x, p.y, p.z).unwrap();
    }
    for part in &mesh.parts {
        writeln!(text, "g {}", part.name).unwrap();
        for t in &mesh.triangles[part.triangles.clone()] {
            writeln!(text, "f {} {} {}", t[0] + 1, t[1] + 1, t[2] + 1).unwrap();
        }
    }
    text
}

/// A round Gaussian splat at every vertex.
fn splats(character: &Character) -> String {
    let positions = &character.mesh.positions;
    let mut text = format!("ply\nformat ascii 1.0\nelement vertex {}\n", positions.len());
    for name in [
        "x", "y", "z", "opacity", "scale_0", "scale_1", "scale_2", "rot_0", "rot_1", "rot_2", "rot_3",
    ] {
        writeln!(text, "property float {name}").unwrap();
    }
    text.push_str("end_header\n");
    for p in positions {
        writeln!(text, "{} {} {} 1 -4 -4 -4 1 0 0 0", p.x, p.y, p.z).unwrap();
    }
    text
}

/// A skeleton as Biovision BVH, at rest for two frames.
fn bvh(character: &Character) -> String {
    let skeleton = &character.skeleton;
    let children = |parent: Option<usize>| {
        let joints = skeleton.joints.iter().enumerate();
        joints
            .filter(move |(_, j)| j.parent.map(|p| p.at()) == parent)
            .map(|(at, _)| at)
    };
    let position = |at: usize| skeleton.bind_position(skeleton.indices().nth(at).unwrap());
    let mut text = String::from("HIERARCHY\n");
    let mut channels = 0;
    // Joints to open (with their parent), or to close.
    let mut stack: Vec<Option<(usize, Option<usize>)>> =
        children(None).map(|root| Some((root, None))).collect();
    assert_eq!(stack.len(), 1, "BVH has one root");
    while let Some(next) = stack.pop() {
        let Some((at, parent)) = next else {
            text.push_str("}\n");
            continue;
        };
        let offset = position(at) - parent.map_or_else(Default::default, position);
        let kind = if parent.is_some() { "JOINT" } else { "ROOT" };
        writeln!(text, "{kind} {}\n{{", skeleton.joints[at].name).unwrap();
        writeln!(text, "OFFSET {} {} {}", offset.x, offset.y, offset.z).unwrap();
        text.push_str("CHANNELS 3 Zrotation Xrotation Yrotation\n");
        channels += 3;
        stack.push(None);
        let below: Vec<usize> = children(Some(at)).collect();
        if below.is_empty() {
            text.push_str("End Site\n{\nOFFSET 0 0.05 0\n}\n");
        }
        stack.extend(below.into_iter().rev().map(|child| Some((child, Some(at)))));
    }
    let frame = vec!["0"; channels].join(" ");
    write!(text, "MOTION\nFrames: 2\nFrame Time: 0.04\n{frame}\n{frame}\n").unwrap();
    text
}

/// A chain of joints as libigl's TGF.
fn tgf(character: &Character) -> String {
    let skeleton = &character.skeleton;
    let mut text = String::new();
    for (at, joint) in skeleton.indices().enumerate() {
        let p = skeleton.bind_position(joint);
        writeln!(text, "{} {} {} {}", at + 1, p.x, p.y, p.z).unwrap();
    }
    text.push_str("#\n");
    for (at, joint) in skeleton.joints.iter().enumerate() {
        if let Some(parent) = joint.parent {
            writeln!(text, "{} {} 1 0 0", parent.at() + 1, at + 1).unwrap();
        }
    }
    text
}

/// Weights for [`tgf`] as libigl's dense matrix, a column for each bone: all on the first.
fn dmat(character: &Character) -> String {
    let bones = character
        .skeleton
        .joints
        .iter()
        .filter(|j| j.parent.is_some())
        .count();
    let vertices = character.mesh.positions.len();
    let mut text = format!("{bones} {vertices}\n");
    for bone in 0..bones {
        let weight = if bone == 0 { "1\n" } else { "0\n" };
        text.push_str(&weight.repeat(vertices));
    }
    text
}
