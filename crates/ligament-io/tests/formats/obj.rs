//! OBJ and its materials.

use std::cell::RefCell;
use std::sync::Arc;

use glam::{Vec2, Vec3};
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
fn normals_that_disagree_make_an_edge_hard() {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nvn 0 0 1\nvn 2 0 0\nf 1//1 2//1 3//1\nf 1//2 3//2 4//2\n";
    let hard = read(text);
    assert!(hard.warnings.is_empty(), "{:?}", hard.warnings);
    let mesh = hard.character.mesh;
    assert_eq!(mesh.corner_normals, Some(vec![[Vec3::Z; 3], [Vec3::X; 3]]));
    let between = Vec3::new(1.0, 0.0, 1.0).normalize();
    assert_eq!(mesh.normals, Some(vec![between, Vec3::Z, between, Vec3::X]));
    // Where all agree, each vertex has what the file says and no edge is hard.
    let smooth = read("v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//1 3//1\n");
    assert_eq!(smooth.character.mesh.normals, Some(vec![Vec3::Z; 3]));
    assert_eq!(smooth.character.mesh.corner_normals, None);
    let some = read("v 0 0 0\nv 1 0 0\nv 0 1 0\nvn 0 0 1\nf 1//1 2//1 3\n");
    assert_eq!(some.character.mesh.normals, None);
    assert_eq!(some.warnings[0].code, "missing_normals");
}

/// A roof of three squares: two in one group, smooth between them, the third in another.
#[test]
fn smoothing_groups_say_which_edges_are_hard() {
    let places = "v 0 0 0\nv 0 0 1\nv 1 0 0\nv 1 0 1\nv 2 -1 0\nv 2 -1 1\nv 2 -2 0\nv 2 -2 1\n";
    let faces = ["f 1 2 4 3", "f 3 4 6 5", "f 5 6 8 7"];
    let of = |groups: [&str; 3]| {
        let lines = groups
            .iter()
            .zip(faces)
            .map(|(group, face)| format!("{group}\n{face}\n"));
        read(&format!("{places}{}", lines.collect::<String>()))
            .character
            .mesh
    };
    let mesh = of(["s 1", "s 1", "s off"]);
    let normals = mesh.corner_normals.unwrap();
    let at = |vertex: u32, face: usize| {
        let mut corners =
            (2 * face..2 * face + 2).flat_map(|t| mesh.triangles[t].into_iter().zip(normals[t]));
        corners.find(|(v, _)| *v == vertex).unwrap().1
    };
    let slope = Vec3::new(1.0, 1.0, 0.0).normalize();
    assert!(at(0, 0).distance(Vec3::Y) < 1e-6 && at(6, 2).distance(Vec3::X) < 1e-6);
    // By area within a group: one square has an area of one, the other of the root of two.
    let smooth = (Vec3::Y + 2.0f32.sqrt() * slope).normalize();
    assert!(at(2, 0).distance(smooth) < 1e-6 && at(2, 1).distance(smooth) < 1e-6);
    assert!(at(4, 1).distance(slope) < 1e-6 && at(4, 2).distance(Vec3::X) < 1e-6);
    // A file that says the same of all says nothing.
    for same in ["s off", "s 1"] {
        let mesh = of([same, "", ""]);
        assert_eq!((mesh.normals, mesh.corner_normals), (None, None), "{same}");
    }
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

const PNG: &[u8] = b"\x89PNG\r\n\x1a\nrest";
const JPEG: &[u8] = b"\xFF\xD8\xFF\xE0rest";
const SQUARES: &str = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 2 0 0\nv 2 1 0\nvt 0 0\nvt 0.5 0\nvt 0.5 1\nvt 0 1\nvt 0.75 0.25\n";

#[test]
fn corners_keep_their_texture_coordinates() {
    // The edge 2 3 is a seam at vertex 2; the second face counts back, the third has none.
    let text = format!("{SQUARES}f 1/1 2/2 3/3 4/4\nf 2/-1 5/-5 6/-4 3/-3\nf 1 3 2\n");
    let mesh = read(&text).character.mesh;
    assert_eq!(mesh.positions.len(), 6);
    assert_eq!(
        mesh.triangles,
        [[0, 1, 2], [0, 2, 3], [1, 4, 5], [1, 5, 2], [0, 2, 1]]
    );
    let uv = Vec2::new;
    let expected = vec![
        [uv(0.0, 1.0), uv(0.5, 1.0), uv(0.5, 0.0)],
        [uv(0.0, 1.0), uv(0.5, 0.0), uv(0.0, 0.0)],
        [uv(0.75, 0.75), uv(0.0, 1.0), uv(0.5, 1.0)],
        [uv(0.75, 0.75), uv(0.5, 1.0), uv(0.5, 0.0)],
        [Vec2::ZERO; 3],
    ];
    assert_eq!(mesh.corner_uvs, Some(expected));
    assert_eq!(
        read(&format!("{SQUARES}f 1 2 3 4\n")).character.mesh.corner_uvs,
        None
    );
    let without = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/1 2/2 3/3\n";
    assert_eq!(read(without).character.mesh.corner_uvs, None);
}

#[test]
fn notched_faces_in_mixed_order_keep_their_coordinates() {
    // Texture coordinates equal positions, so that each corner can be checked by itself.
    let text = "v 0 0 0\nv 2 1 0\nv 0 2 0\nv 0.5 1 0\nvt 0 0\nvt 2 1\nvt 0 2\nvt 0.5 1\n\
g a\nf 1/1 2/2 3/3 4/4\ng b\nf 3/3 2/2 1/1\ng a\nf 4/4 1/1 2/2 3/3\n";
    let mesh = read(text).character.mesh;
    assert_eq!(mesh.triangles.len(), 5);
    for (corners, uvs) in mesh.triangles.iter().zip(mesh.corner_uvs.unwrap()) {
        for (&vertex, uv) in corners.iter().zip(uvs) {
            let p = mesh.positions[vertex as usize];
            assert_eq!(uv, Vec2::new(p.x, 1.0 - p.y));
        }
    }
}

#[test]
fn wrong_texture_coordinates_are_told() {
    assert!(
        error(&format!("{SQUARES}f 1/1 2/2 3/6\n"))
            .starts_with("line 12: texture coordinates 6 do not exist; there are 5")
    );
    assert!(error(&format!("{SQUARES}f 1/1 2/2 3/-6\n")).starts_with("line 12: '3/-6' is no corner"));
    let odd = read("v 0 0 0\nv 1 0 0\nv 0 1 0\nvt nan 0.25\nvt 1\nf 1/1 2/2 3/2\n");
    let uvs = odd.character.mesh.corner_uvs.unwrap();
    assert_eq!(uvs[0], [Vec2::new(0.0, 0.75), Vec2::ONE, Vec2::ONE]);
    assert_eq!(odd.warnings[0].code, "bad_texture_coordinates");
}

#[test]
fn pictures_are_loaded_once_and_others_told() {
    let library = "newmtl a\nKd 0 0 0\nmap_Kd -s 1 1 1 -clamp on maps\\my skin.png\n\
newmtl b\nmap_Kd maps/my skin.png\nKd 0.5 0.5 0.5\nnewmtl c\nmap_Kd C:\\work\\c.jpg\n\
newmtl d\nmap_Kd d.tga\nnewmtl e\nmap_Kd e.png\n";
    let asked = RefCell::new(Vec::new());
    let load = |name: &str| {
        asked.borrow_mut().push(name.to_owned());
        match name {
            "x.mtl" => Some(library.as_bytes().to_vec()),
            "maps/my skin.png" => Some(PNG.to_vec()),
            "c.jpg" => Some(JPEG.to_vec()),
            "d.tga" => Some(vec![0, 0, 2]),
            _ => None,
        }
    };
    let faces: String = ["a", "b", "c", "d", "e"]
        .map(|m| format!("usemtl {m}\nf 1/1 2/2 3/3\n"))
        .concat();
    let text = format!("mtllib x.mtl\n{SQUARES}{faces}");
    let read = obj::read(text.as_bytes(), "test", &load).unwrap();
    let materials: Vec<_> = read.character.mesh.parts.iter().map(|p| &p.material).collect();
    let a = materials[0].texture.as_ref().unwrap();
    let b = materials[1].texture.as_ref().unwrap();
    assert_eq!((a.name.as_str(), &*a.bytes), ("my skin.png", PNG));
    assert!(Arc::ptr_eq(&a.bytes, &b.bytes));
    assert_eq!(materials[0].base_color, [1.0; 4]);
    assert_eq!(materials[1].base_color, [0.5, 0.5, 0.5, 1.0]);
    assert_eq!(&*materials[2].texture.as_ref().unwrap().bytes, JPEG);
    assert_eq!((&materials[3].texture, &materials[4].texture), (&None, &None));
    assert_eq!(read.warnings.len(), 1);
    assert_eq!(read.warnings[0].code, "left_out_textures");
    assert_eq!(
        read.warnings[0].message,
        "textures were left out: d.tga (neither PNG nor JPEG), e.png (not beside the file)"
    );
    let times = asked.borrow().iter().filter(|n| n.ends_with("skin.png")).count();
    assert_eq!(times, 1);
}
