//! Edges that are hard stay hard through FBX, USD and glTF, and from Collada and OBJ.

#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use glam::Vec3;
use ligament::{Character, Mesh};
use ligament_io::gltf::{GltfFile, build};
use ligament_io::{collada, companion, fbx, obj, usd};

/// A cube of eight vertices, its edges hard but for those of its top, which is smooth to one side.
pub fn cube() -> Character {
    let at = |v: u32| Vec3::new((v & 1) as f32, (v >> 1 & 1) as f32, (v >> 2) as f32);
    let quads: [([u32; 4], Vec3); 6] = [
        ([0, 4, 6, 2], -Vec3::X),
        ([1, 3, 7, 5], Vec3::X),
        ([0, 1, 5, 4], -Vec3::Y),
        ([2, 6, 7, 3], Vec3::Y),
        ([0, 2, 3, 1], -Vec3::Z),
        ([4, 5, 7, 6], Vec3::Z),
    ];
    let (mut triangles, mut normals) = (Vec::new(), Vec::new());
    for ([a, b, c, d], normal) in quads {
        triangles.extend([[a, b, c], [a, c, d]]);
        let of = |v: u32| {
            if v == 7 && normal.x == 0.0 {
                Vec3::new(0.0, 1.0, 1.0).normalize()
            } else {
                normal
            }
        };
        normals.extend([[a, b, c].map(of), [a, c, d].map(of)]);
    }
    let mut mesh = Mesh::new((0..8).map(at), triangles);
    mesh.normals = Some(mesh.face_normals_at_vertices());
    mesh.corner_normals = Some(normals);
    Character {
        name: "cube".to_owned(),
        mesh,
        ..Character::default()
    }
}

fn assert_same(a: &Mesh, b: &Mesh, what: &str) {
    b.check().unwrap();
    assert_eq!((b.positions.len(), b.triangles.len()), (8, 12), "{what}");
    let (x, y) = (
        a.corner_normals.as_ref().unwrap(),
        b.corner_normals.as_ref().unwrap(),
    );
    for (t, (x, y)) in x.iter().zip(y).enumerate() {
        assert_eq!(a.triangles[t], b.triangles[t], "{what}");
        for (p, q) in x.iter().zip(y) {
            assert!(p.distance(*q) < 1e-6, "{what}: triangle {t}: {q}, not {p}");
        }
    }
}

#[test]
fn fbx_and_usd_keep_hard_edges() {
    let c = cube();
    let read = fbx::read(&fbx::write(&c).unwrap(), "cube").unwrap().character;
    assert_same(&c.mesh, &read.mesh, "FBX");
    for bytes in [
        usd::write(&c).unwrap().into_bytes(),
        usd::write_binary(&c).unwrap(),
    ] {
        let read = usd::read_bytes(&bytes, "cube").unwrap().character;
        assert_same(&c.mesh, &read.mesh, "USD");
    }
}

/// Each vertex is split into as many as it has normals, and no more.
#[test]
fn gltf_splits_vertices_at_hard_edges() {
    let c = cube();
    let built = build(&c).unwrap();
    // Three normals at seven corners of the cube, two at the one that is smooth to one side.
    assert_eq!(built.source_vertices.len(), 7 * 3 + 2);
    let file = GltfFile::from_document(built.document, "cube").unwrap();
    let mesh = &file.character().mesh;
    let normals = mesh.normals.as_ref().unwrap();
    for (t, corners) in mesh.triangles.iter().enumerate() {
        for (k, &v) in corners.iter().enumerate() {
            let wanted = c.mesh.corner_normals.as_ref().unwrap()[t][k];
            assert!(normals[v as usize].distance(wanted) < 1e-6);
            assert_eq!(built.source_vertices[v as usize], c.mesh.triangles[t][k]);
        }
    }
}

/// Where no edge is hard, nothing is kept at corners and nothing is split.
#[test]
fn smooth_meshes_stay_whole() {
    let c = ligament::sample::make("tube@400").unwrap();
    let read = fbx::read(&fbx::write(&c).unwrap(), "tube").unwrap().character;
    assert_eq!(read.mesh.corner_normals, None);
    let read = usd::read_bytes(&usd::write_binary(&c).unwrap(), "tube")
        .unwrap()
        .character;
    assert_eq!(read.mesh.corner_normals, None);
}

#[cfg(feature = "external-tools")]
mod with_blender {
    use std::path::Path;
    use std::process::Command;

    use ligament_testkit::{python_with_blender, python_with_old_blender, run};

    use super::*;

    const SCRIPT: &str = r#"
import json, sys, bpy
bpy.ops.wm.read_factory_settings(use_empty=True)
source = sys.argv[-1]
if source.endswith(".fbx"):
    bpy.ops.import_scene.fbx(filepath=source)
else:
    bpy.ops.wm.usd_import(filepath=source)
thing = next(o for o in bpy.data.objects if o.type == "MESH")
turn = thing.matrix_world.to_3x3().normalized()
print("RESULT " + json.dumps([list(turn @ n.vector) for n in thing.data.corner_normals]))
"#;

    fn check(python: &Path, file: &Path, who: &str) {
        let said = run(Command::new(python).args(["-c", SCRIPT]).arg(file));
        let line = said.lines().find_map(|l| l.strip_prefix("RESULT ")).unwrap();
        let theirs: Vec<[f32; 3]> = serde_json::from_str(line).unwrap();
        let c = cube();
        let ours = c.mesh.corner_normals.as_ref().unwrap().as_flattened();
        assert_eq!(ours.len(), theirs.len());
        for (p, q) in ours.iter().zip(theirs) {
            // Z is up in Blender.
            let wanted = Vec3::new(p.x, -p.z, p.y);
            assert!(wanted.distance(q.into()) < 1e-3, "{who}: {q:?}, not {wanted}");
        }
    }

    #[test]
    fn blender_sees_hard_edges() {
        let folder = tempfile::tempdir().unwrap();
        let (file, layer) = (folder.path().join("cube.fbx"), folder.path().join("cube.usdc"));
        std::fs::write(&file, fbx::write(&cube()).unwrap()).unwrap();
        std::fs::write(&layer, usd::write_binary(&cube()).unwrap()).unwrap();
        check(&python_with_old_blender(), &file, "FBX in 4.2");
        check(&python_with_blender(), &file, "FBX in 5.0");
        check(&python_with_blender(), &layer, "USD in 5.0");
    }
}

/// Numbers with blanks between them.
fn listed(numbers: impl IntoIterator<Item = f32>) -> String {
    let words: Vec<String> = numbers.into_iter().map(|n| n.to_string()).collect();
    words.join(" ")
}

#[test]
fn obj_and_collada_have_hard_edges() {
    let mesh = cube().mesh;
    let normals = mesh.corner_normals.clone().unwrap();
    let corners = || mesh.triangles.iter().flatten().enumerate();

    let mut text = String::new();
    for p in &mesh.positions {
        text += &format!("v {}\n", listed(p.to_array()));
    }
    for n in normals.iter().flatten() {
        text += &format!("vn {}\n", listed(n.to_array()));
    }
    let words: Vec<String> = corners().map(|(k, v)| format!("{}//{}", v + 1, k + 1)).collect();
    for face in words.chunks(3) {
        text += &format!("f {}\n", face.join(" "));
    }
    let read = obj::read(text.as_bytes(), "cube", &companion::none).unwrap();
    assert_eq!(read.warnings, []);
    assert_same(&mesh, &read.character.mesh, "OBJ");

    let places = listed(mesh.positions.iter().flat_map(|p| p.to_array()));
    let directions = listed(normals.iter().flatten().flat_map(|n| n.to_array()));
    let indices: Vec<String> = corners().map(|(k, v)| format!("{v} {k}")).collect();
    let source = |id: &str, numbers: &str, count: usize| {
        format!(
            r##"<source id="{id}"><float_array id="{id}-a" count="{}">{numbers}</float_array><technique_common>
            <accessor source="#{id}-a" count="{count}" stride="3"/></technique_common></source>"##,
            3 * count
        )
    };
    let dae = format!(
        r##"<COLLADA><asset><up_axis>Y_UP</up_axis></asset><library_geometries><geometry id="g"><mesh>{}{}
        <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
        <triangles count="12"><input semantic="VERTEX" source="#v" offset="0"/>
        <input semantic="NORMAL" source="#n" offset="1"/><p>{}</p></triangles></mesh></geometry></library_geometries>
        <library_visual_scenes><visual_scene id="w"><node><instance_geometry url="#g"/></node></visual_scene>
        </library_visual_scenes><scene><instance_visual_scene url="#w"/></scene></COLLADA>"##,
        source("p", &places, 8),
        source("n", &directions, 36),
        indices.join(" "),
    );
    let read = collada::read(dae.as_bytes(), "cube", &companion::none).unwrap();
    assert_eq!(read.warnings, []);
    assert_same(&mesh, &read.character.mesh, "Collada");
}
