//! Texture coordinates and pictures.

use std::sync::Arc;

use glam::Vec2;
use ligament_io::import::Imported;
use ligament_io::{fbx, open};

use crate::by_hand::codes;
use crate::strip::Strip;

/// As much of a PNG as the reader looks at.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\nwhatever";
const JPEG: &[u8] = b"\xff\xd8\xff\xe0whatever";

/// In the file's corners: of the quad 0, 1, 3, 2, of the pentagon 2, 3, 5, 6, 4.
const UVS: [[f64; 2]; 6] = [
    [0.0, 0.0],
    [1.0, 0.0],
    [1.0, 0.25],
    [0.0, 0.25],
    [0.75, 1.0],
    [0.5, 0.5],
];
/// Vertex 3 is at a seam: its two corners differ.
const INDEX: [usize; 9] = [0, 1, 2, 3, 3, 5, 2, 4, 0];
const CORNERS: [u32; 9] = [0, 1, 3, 2, 2, 3, 5, 6, 4];

/// The strip with coordinates, and with both materials showing the picture of that name.
fn textured(file: &str, content: &str) -> String {
    let list = |n: usize, all: String| format!("*{n} {{ a: {all} }}");
    let uvs: Vec<String> = UVS.iter().flatten().map(f64::to_string).collect();
    let index: Vec<String> = INDEX.iter().map(usize::to_string).collect();
    let layer = format!(
        "LayerElementUV: 0 {{\nVersion: 101\nName: \"map1\"\nMappingInformationType: \"ByPolygonVertex\"\n\
         ReferenceInformationType: \"IndexToDirect\"\nUV: {}\nUVIndex: {}\n}}\nLayerElementMaterial: 0 {{",
        list(uvs.len(), uvs.join(",")),
        list(index.len(), index.join(","))
    );
    let names = format!("FileName: \"C:\\nowhere\\{file}\"\nRelativeFilename: \"{file}\"\n");
    let picture = |id: u32| {
        format!(
            "Texture: {id}, \"Texture::Skin\", \"\" {{\nType: \"TextureVideoClip\"\nVersion: 202\n{names}}}\n"
        )
    };
    let video = format!("Video: 72, \"Video::Skin\", \"Clip\" {{\nType: \"Clip\"\n{names}{content}}}\n");
    Strip::default()
        .text()
        .replacen("LayerElementMaterial: 0 {", &layer, 1)
        .replace(
            "LayerElement: {\nType: \"LayerElementMaterial\"",
            "LayerElement: {\nType: \"LayerElementUV\"\nTypedIndex: 0\n}\nLayerElement: {\nType: \"LayerElementMaterial\"",
        )
        .replace("Objects: {\n", &format!("Objects: {{\n{}{}{video}", picture(70), picture(71)))
        .replace(
            "Connections: {\n",
            "Connections: {\nC: \"OP\",70,45,\"DiffuseColor\"\nC: \"OP\",71,46,\"DiffuseColor\"\nC: \"OO\",72,70\nC: \"OO\",72,71\n",
        )
}

/// Both materials have the picture, loaded once.
#[track_caller]
fn shows(imported: &Imported, bytes: &[u8]) {
    assert_eq!(codes(imported), ["rigid_part"]);
    let parts = &imported.character.mesh.parts;
    let [a, b] = [0, 1].map(|p| parts[p].material.texture.as_ref().unwrap());
    assert_eq!((a.name.as_str(), &*a.bytes), ("Skin", bytes));
    assert!(Arc::ptr_eq(&a.bytes, &b.bytes));
    assert_eq!(parts[0].material.base_color, [1.0; 4]);
    assert!(parts[2].material.texture.is_none());
}

#[test]
fn corners_have_coordinates_from_the_upper_left() {
    let imported = fbx::read(textured("skin.png", "").as_bytes(), "strip").unwrap();
    let mesh = &imported.character.mesh;
    mesh.check().unwrap();
    let uvs = mesh.corner_uvs.as_ref().unwrap();
    assert_eq!(uvs.len(), 6);
    for (t, (corners, uvs)) in mesh.triangles[..5].iter().zip(uvs).enumerate() {
        // The quad's corners come first in the file, then the pentagon's.
        let of_face = if t < 2 { 0..4 } else { 4..9 };
        for (vertex, uv) in corners.iter().zip(uvs) {
            let corner = of_face.clone().find(|&c| CORNERS[c] == *vertex).unwrap();
            let [u, v] = UVS[INDEX[corner]];
            assert_eq!(*uv, Vec2::new(u as f32, 1.0 - v as f32), "{t} {vertex}");
        }
    }
    // The helmet has none.
    assert_eq!(uvs[5], [Vec2::ZERO; 3]);
    // Nobody may look beside bytes: each texture is told.
    assert_eq!(
        codes(&imported),
        ["texture_left_out", "texture_left_out", "rigid_part"]
    );
    // And without a layer there are none at all.
    let plain = fbx::read(&Strip::default().bytes(), "strip").unwrap();
    assert_eq!(plain.character.mesh.corner_uvs, None);
}

#[test]
fn coordinates_that_are_no_numbers_are_zero() {
    let text = textured("skin.png", "").replace("0.75,1,0.5,0.5 }", "1e300,1e300,0.5,0.5 }");
    let imported = fbx::read(text.as_bytes(), "strip").unwrap();
    let uvs = imported.character.mesh.corner_uvs.unwrap();
    assert!(uvs.iter().flatten().all(|uv| uv.is_finite()));
}

#[test]
fn pictures_are_found_beside_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("strip.fbx");
    let cases = [
        ("skin.png", "skin.png", PNG),
        ("maps\\skin.jpg", "maps/skin.jpg", JPEG),
        ("..\\elsewhere\\bare.png", "bare.png", PNG),
    ];
    for (name, place, bytes) in cases {
        std::fs::create_dir_all(folder.path().join("maps")).unwrap();
        std::fs::write(folder.path().join(place), bytes).unwrap();
        std::fs::write(&model, textured(name, "")).unwrap();
        shows(&fbx::open(&model).unwrap(), bytes);
        let open::Opened::Imported(imported) = open::open(&model).unwrap() else {
            panic!("not imported");
        };
        shows(&imported, bytes);
    }
}

#[test]
fn pictures_of_other_kinds_stay_out() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("strip.fbx");
    std::fs::write(folder.path().join("skin.tga"), b"no picture").unwrap();
    std::fs::write(&model, textured("skin.tga", "")).unwrap();
    let imported = fbx::open(&model).unwrap();
    assert!(imported.warnings[0].message.contains("neither PNG nor JPEG"));
    let parts = &imported.character.mesh.parts;
    assert!(parts.iter().all(|p| p.material.texture.is_none()));
}

#[test]
fn pictures_inside_the_file() {
    // PNG in base 64.
    let text = textured("skin.png", "Content: , \"iVBORw0KGgp3aGF0ZXZlcg==\"\n");
    shows(&fbx::read(text.as_bytes(), "strip").unwrap(), PNG);
}
