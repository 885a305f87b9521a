//! OFF, PLY, STL and Medit.

use glam::Vec3;
use ligament::character::Mesh;
use ligament_io::import::{ImportError, Imported};
use ligament_io::{medit, off, ply, stl};

use crate::seeds;

fn mesh(read: Result<Imported, ImportError>) -> Mesh {
    let mesh = read.unwrap().character.mesh;
    mesh.check().unwrap();
    mesh
}

#[test]
fn off_in_its_variants() {
    let tent = mesh(off::read(seeds::OFF.as_bytes(), "tent"));
    assert_eq!((tent.positions.len(), tent.triangles.len()), (5, 6));
    let coloured = mesh(off::read(seeds::COFF.as_bytes(), "c"));
    let colors = coloured.colors.unwrap();
    assert_eq!(colors[0], [1.0, 0.0, 0.0, 1.0]);
    assert!((colors[2][3] - 128.0 / 255.0).abs() < 1e-6);
    let normals = "CNOFF 3 1 0\n0 0 0 0 0 2 1 0 0\n1 0 0 0 0 2 0 1.0 0\n0 1 0 0 0 2 0 0 1\n3 0 1 2\n";
    let both = mesh(off::read(normals.as_bytes(), "n"));
    assert_eq!(both.normals, Some(vec![Vec3::Z; 3]));
    assert!(both.colors.is_some());
    let headless = mesh(off::read(b"3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n", "h"));
    assert_eq!(headless.triangles, [[0, 1, 2]]);
    assert!(matches!(
        off::read(b"4OFF\n1 1 1\n", ""),
        Err(ImportError::Unsupported { .. })
    ));
    assert!(matches!(
        off::read(b"OFF BINARY\n", ""),
        Err(ImportError::Unsupported { .. })
    ));
    let message = off::read(b"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n", "")
        .unwrap_err()
        .to_string();
    assert_eq!(message, "line 6: '3' is none of the 3 vertices");
    assert!(off::read(b"OFF\n99999999999 1 0\n0 0 0\n", "").is_err());
}

#[test]
fn ply_in_text_and_both_byte_orders() {
    let square = mesh(ply::read(seeds::PLY.as_bytes(), "square"));
    assert_eq!(square.triangles.len(), 2);
    assert_eq!(square.colors.unwrap()[1], [0.0, 1.0, 0.0, 1.0]);
    let little = mesh(ply::read(&seeds::binary_ply(false), "b"));
    let big = mesh(ply::read(&seeds::binary_ply(true), "b"));
    assert_eq!(little, big);
    assert_eq!(little.positions[2], Vec3::new(1.0, 1.0, -300.0));
    assert_eq!(little.triangles.len(), 3);
    assert_eq!(little.normals, Some(vec![Vec3::Z; 4]));
    let cut = &seeds::binary_ply(true)[..300];
    assert!(
        ply::read(cut, "")
            .unwrap_err()
            .to_string()
            .starts_with("byte 300: ")
    );
    let windows = seeds::PLY.replace('\n', "\r\n");
    assert_eq!(mesh(ply::read(windows.as_bytes(), "")).triangles.len(), 2);
}

#[test]
fn stl_corners_are_joined() {
    let two = mesh(stl::read(seeds::STL.as_bytes(), "file"));
    assert_eq!((two.positions.len(), two.triangles.len()), (4, 2));
    assert_eq!(two.parts[0].name, "two");
    let one = mesh(stl::read(&seeds::binary_stl(), "file"));
    assert_eq!(one.triangles, [[0, 1, 2]]);
    assert_eq!(one.positions[1], Vec3::X);
    let mut cut = seeds::binary_stl();
    cut.truncate(120);
    cut[..5].fill(b' ');
    assert!(
        stl::read(&cut, "")
            .unwrap_err()
            .to_string()
            .contains("0 of 1 triangles")
    );
}

#[test]
fn the_hull_of_tetrahedra_faces_outwards() {
    let hull = mesh(medit::read(seeds::MEDIT.as_bytes(), "tets"));
    assert_eq!((hull.positions.len(), hull.triangles.len()), (5, 6));
    let centre = Vec3::splat(0.4);
    for t in &hull.triangles {
        let [a, b, c] = t.map(|v| hull.positions[v as usize]);
        assert!((b - a).cross(c - a).dot(a - centre) > 0.0, "{t:?}");
    }
    let inwards = seeds::MEDIT.replace(
        "Triangles\n0\n",
        "Triangles\n4\n1 2 3 0\n1 4 2 0\n1 3 4 0\n2 4 3 0\n",
    );
    let read = medit::read(inwards.as_bytes(), "").unwrap();
    assert_eq!(read.warnings[0].code, "turned_inside_out");
    assert_eq!(read.character.mesh.triangles[0], [0, 2, 1]);
}
