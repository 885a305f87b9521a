//! Files that are no FBX, or not a whole one: an error that says so.

use ligament_io::fbx;
use ligament_io::import::ImportError;

use crate::strip::Strip;

#[test]
fn what_is_no_fbx_is_refused() {
    for bytes in [
        &b""[..],
        b"hello",
        b"glTF\x02\0\0\0",
        b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n",
        &[0; 64],
        &[0xFF; 4096],
    ] {
        let error = fbx::read(bytes, "x").unwrap_err();
        assert!(matches!(error, ImportError::Malformed { .. }), "{error}");
    }
}

#[test]
fn a_file_that_is_not_there_names_its_path() {
    let error = fbx::open("nowhere/it.fbx".as_ref()).unwrap_err();
    assert!(error.to_string().ends_with("nowhere/it.fbx"), "{error}");
}

#[test]
fn every_cut_is_refused_or_read() {
    let whole = Strip::default().bytes();
    for end in (0..whole.len()).step_by(7) {
        let _ = fbx::read(&whole[..end], "cut");
    }
}

#[test]
fn trees_too_deep_are_refused() {
    let mut models = String::new();
    let mut links = String::from("C: \"OO\",1000,0\n");
    for i in 0..5000 {
        models += &format!(
            "Model: {}, \"Model::n\", \"LimbNode\" {{\nVersion: 232\n}}\n",
            1000 + i
        );
        links += &format!("C: \"OO\",{},{}\n", 1001 + i, 1000 + i);
    }
    let text = format!(
        "; FBX 7.4.0 project file\nFBXHeaderExtension: {{\nFBXVersion: 7400\n}}\nObjects: {{\n{models}}}\nConnections: {{\n{links}}}\n"
    );
    let error = fbx::read(text.as_bytes(), "deep").unwrap_err();
    assert!(matches!(error, ImportError::Unsupported { .. }), "{error}");
}

/// A few hundred nodes that all show one mesh give no more than the file's size allows.
#[test]
fn instances_are_limited() {
    let strip = Strip::default().text();
    let corners = 30_000;
    let mut text = strip.replacen(
        "Vertices: *21 { a: ",
        &format!(
            "Vertices: *{} {{ a: {}",
            21 + 3 * corners,
            "0,0,0,".repeat(corners)
        ),
        1,
    );
    let (mut models, mut links) = (String::new(), String::new());
    for i in 0..400 {
        models += &format!(
            "Model: {}, \"Model::n\", \"Mesh\" {{\nVersion: 232\n}}\n",
            1000 + i
        );
        links += &format!("C: \"OO\",{0},0\nC: \"OO\",40,{0}\n", 1000 + i);
    }
    text = text.replace("Objects: {\n", &format!("Objects: {{\n{models}"));
    text = text.replace("Connections: {\n", &format!("Connections: {{\n{links}"));
    text = text.replace("C: \"OO\",50,40\n", "");
    let imported = fbx::read(text.as_bytes(), "many").unwrap();
    assert!(imported.warnings.iter().any(|w| w.code == "too_many_instances"));
    let vertices = imported.character.mesh.positions.len();
    assert!(
        vertices > 100_000 && vertices <= 4 * text.len() + (1 << 20),
        "{vertices}"
    );
}

/// One node of a binary file: offsets are counted from the start of the file.
fn node(start: usize, name: &str, properties: &[Vec<u8>], children: &dyn Fn(usize) -> Vec<u8>) -> Vec<u8> {
    let body: Vec<u8> = properties.concat();
    let inner_start = start + 13 + name.len() + body.len();
    let inner = children(inner_start);
    let mut bytes = Vec::new();
    for number in [inner_start + inner.len(), properties.len(), body.len()] {
        bytes.extend((number as u32).to_le_bytes());
    }
    bytes.push(name.len() as u8);
    bytes.extend(name.as_bytes());
    bytes.extend(body);
    bytes.extend(inner);
    bytes
}

/// A short file that says it holds sixteen gigabytes of vertices.
#[test]
fn an_array_that_lies_about_its_size_takes_no_memory() {
    for numbers in [u32::MAX, 1 << 31, 1 << 27, 1 << 23] {
        let text = |s: &str| [b"S", &(s.len() as u32).to_le_bytes()[..], s.as_bytes()].concat();
        let mut array = vec![b'd'];
        // How many, zlib, how many bytes of zlib, and too few of them.
        for number in [numbers, 1, 10] {
            array.extend(number.to_le_bytes());
        }
        array.extend([0x78, 0x9C, 0x63, 0, 0, 0, 0, 0, 0, 0]);
        let vertices = |at: usize| {
            let mut bytes = node(at, "Vertices", std::slice::from_ref(&array), &|_| Vec::new());
            bytes.extend([0; 13]);
            bytes
        };
        let id = [b"L", &40i64.to_le_bytes()[..]].concat();
        let geometry = |at: usize| {
            let mut bytes = node(
                at,
                "Geometry",
                &[id.clone(), text("Geometry"), text("Mesh")],
                &vertices,
            );
            bytes.extend([0; 13]);
            bytes
        };
        let mut file = b"Kaydara FBX Binary  \0\x1A\0".to_vec();
        file.extend(7400u32.to_le_bytes());
        file.extend(node(file.len(), "Objects", &[], &geometry));
        file.extend([0; 13]);
        let before = crate::mutations::ALLOCATOR.current_usage();
        crate::mutations::ALLOCATOR.reset_peak_usage();
        let error = fbx::read(&file, "liar").unwrap_err();
        let used = crate::mutations::ALLOCATOR.peak_usage().saturating_sub(before);
        assert!(used < 300 << 20, "{used} bytes");
        assert!(matches!(error, ImportError::Unsupported { .. }), "{error}");
    }
}
