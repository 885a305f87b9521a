//! OBJ and its materials.

use glam::Vec3;
use ligament_io::import::Imported;
use ligament_io::{companion, obj};

use crate::seeds;

fn read(text: &str) -> Imported {
    obj::read(text.as_bytes(), "test", &companion::none).unwrap()
}

fn error(text: &str) -> String {
    obj::read(text.as_bytes(), "test", &companion::none)
        .unwrap_err()
        .to_string()
}

#[test]
fn parts_materials_and_colours_are_kept() {
    let load = |name: &str| (name == "house.mtl").then(|| seeds::MTL.as_bytes().to_vec());
    let read = obj::read(seeds::OBJ.as_bytes(), "house", &load).unwrap();
    let mesh = &read.character.mesh;
    assert_eq!(mesh.positions.len(), 7);
    assert_eq!(mesh.triangles.len(), 5);
    let names: Vec<&str> = mesh.parts.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["house/front", "house/side"]);
    assert_eq!(mesh.parts[0].triangles, 0..3);
    assert_eq!(mesh.parts[1].material.name, "wall");
    assert_eq!(mesh.parts[1].material.base_color, [0.5, 0.25, 0.125, 0.5]);
    // Both parts use vertices 0 and 1.
    assert_eq!(mesh.parts[0].vertices, 0..7);
    assert_eq!(mesh.parts[1].vertices, 0..7);
    // Negative indices count back: the side is 6 7 2 1.
    assert!(
        mesh.triangles[3..]
            .iter()
            .flatten()
            .all(|v| [5, 6, 1, 0].contains(v))
    );
    assert_eq!(mesh.normals, Some(vec![Vec3::Z; 7]));
    let colors = mesh.colors.as_ref().unwrap();
    assert_eq!(colors[0], [1.0, 0.0, 0.0, 1.0]);
    assert_eq!(colors[6], [1.0; 4]);
    let codes: Vec<&str> = read.warnings.iter().map(|w| w.code).collect();
    assert_eq!(codes, ["left_out_textures", "left_out_elements"]);
}

#[test]
fn groups_that_come_again_are_one_part() {
    let text =
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 5 0 0\nv 6 0 0\nv 5 1 0\ng a\nf 1 2 3\ng b\nf 4 5 6\ng a\nf 3 2 1\n";
    let mesh = read(text).character.mesh;
    assert_eq!(mesh.triangles, [[0, 1, 2], [2, 1, 0], [3, 4, 5]]);
    assert_eq!(mesh.parts.len(), 2);
    assert_eq!(
        (mesh.parts[0].vertices.clone(), mesh.parts[1].vertices.clone()),
        (0..3, 3..6)
    );
    mesh.check().unwrap();
}

#[test]
fn normals_that_disagree_are_left_out() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nvn 1 0 0\nf 1//1 2//1 3//1\nf 1//2 3//2 4//2\n";
    let hard = read(text);
    assert_eq!(hard.character.mesh.normals, None);
    assert_eq!(hard.warnings[0].code, "split_normals");
    let some = read("v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//1 3\n");
    assert_eq!(some.character.mesh.normals, None);
}

#[test]
fn vertices_may_come_after_faces_and_lines_may_go_on() {
    let mesh = read("f 1 2 \\\n 3\nv 0 0 0\nv 1 0 0\r\nv 0 1 0 1.0\n")
        .character
        .mesh;
    assert_eq!(mesh.triangles, [[0, 1, 2]]);
    assert_eq!(mesh.colors, None);
}

#[test]
fn errors_name_the_line() {
    assert_eq!(
        error("v 0 0 0\nv 1 0\n"),
        "line 2: a vertex needs three coordinates and has 2"
    );
    assert!(error("v 0 0 nan\n").starts_with("line 1: "));
    assert!(error("v 0 0 0\nf 1 1 2\n").starts_with("line 2: vertex 2 does not exist"));
    assert!(error("v 0 0 0\n\nf 1 1 -2\n").starts_with("line 3: '-2' is no corner"));
    assert!(error("v 0 0 0\nf 1 1\n").contains("three corners"));
    assert!(error("hello\n").contains("no triangles"));
}

#[test]
fn a_missing_library_is_told() {
    let read = read(seeds::OBJ);
    assert_eq!(read.warnings[0].code, "missing_companion");
    assert_eq!(read.character.mesh.parts[0].material.name, "wall");
}
