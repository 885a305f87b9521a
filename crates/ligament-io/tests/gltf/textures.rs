//! Textures of other formats: coordinates per corner become vertices split at seams.

use glam::{Vec2, Vec3};
use ligament::character::{Alpha, Influence, Joint, JointIndex, Mesh, Texture, Transform, UvTransform, Wrap};
use ligament::{Character, Weights};
use ligament_io::gltf::{Document, GltfFile, build};

/// The smallest PNG: one white pixel.
const PNG: &[u8] = &[
    0x89, 0x50, 0x4e, 0x47, 0xd, 0xa, 0x1a, 0xa, 0x0, 0x0, 0x0, 0xd, 0x49, 0x48, 0x44, 0x52, 0x0, 0x0, 0x0,
    0x1, 0x0, 0x0, 0x0, 0x1, 0x8, 0x0, 0x0, 0x0, 0x0, 0x3a, 0x7e, 0x9b, 0x55, 0x0, 0x0, 0x0, 0xa, 0x49, 0x44,
    0x41, 0x54, 0x78, 0xda, 0x63, 0xf8, 0xf, 0x0, 0x1, 0x1, 0x1, 0x0, 0x1c, 0xb0, 0x8c, 0x99, 0x0, 0x0, 0x0,
    0x0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
];

/// Two triangles over an edge that is a seam of the texture at one of its ends.
fn square() -> Character {
    let corners = vec![Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::new(1.0, 1.0, 0.0)];
    let mut mesh = Mesh::single_part("square", corners, vec![[0, 1, 2], [1, 3, 2]]);
    let uv = Vec2::new;
    mesh.corner_uvs = Some(vec![
        [uv(0.0, 1.0), uv(0.5, 1.0), uv(0.0, 0.0)],
        [uv(0.75, 1.0), uv(1.0, 0.0), uv(0.0, 0.0)],
    ]);
    mesh.parts[0].material.texture = Some(Texture::new("white", PNG));
    let joint = |name: &str| Joint {
        name: name.to_owned(),
        parent: None,
        rest: Transform::IDENTITY,
        bind_from_joint: glam::DAffine3::IDENTITY,
        in_skin: true,
    };
    let mut c = Character {
        name: "square".to_owned(),
        mesh,
        ..Character::default()
    };
    c.skeleton.joints = vec![joint("a"), joint("b")];
    let of = |j: u16| {
        vec![Influence {
            joint: JointIndex(j),
            weight: 1.0,
        }]
    };
    let lists = [of(0), of(1), of(0), of(1)];
    c.weights = Weights::new(lists.iter().map(Vec::as_slice)).ok();
    c
}

#[test]
fn seams_split_vertices_and_keep_weights() {
    let character = square();
    assert_eq!(character.mesh.check(), Ok(()));
    let built = build(&character).unwrap();
    assert_eq!(built.source_vertices, [0, 1, 1, 2, 3]);
    let file = GltfFile::from_document(built.document.clone(), "square").unwrap();
    let again = file.character();
    assert_eq!(again.mesh.positions.len(), 5);
    assert_eq!(again.mesh.corner_uvs, character.mesh.corner_uvs);
    assert_eq!(
        again.mesh.parts[0].material.texture,
        character.mesh.parts[0].material.texture
    );
    for (vertex, &source) in built.source_vertices.iter().enumerate() {
        let source = source as usize;
        assert_eq!(again.mesh.positions[vertex], character.mesh.positions[source]);
        let name = |c: &Character, v: usize| {
            let joint = c.weights.as_ref().unwrap().of_vertex(v)[0].joint;
            c.skeleton.joint(joint).name.clone()
        };
        assert_eq!(name(again, vertex), name(&character, source));
    }
}

/// The width and height that the first picture says of itself, where another reader finds it.
fn size_of_png(document: &gltf::Document, blob: &[u8]) -> [u32; 2] {
    let gltf::image::Source::View { view, mime_type } = document.images().next().unwrap().source() else {
        panic!("the picture is not in the file");
    };
    assert_eq!(mime_type, "image/png");
    let png = &blob[view.offset()..view.offset() + view.length()];
    let number = |at: usize| u32::from_be_bytes(png[at..at + 4].try_into().unwrap());
    assert_eq!(&png[12..16], b"IHDR");
    [number(16), number(20)]
}

/// Another reader sees each corner's coordinates and the picture.
#[test]
fn another_reader_sees_the_texture() {
    let character = square();
    let bytes = build(&character).unwrap().document.to_glb().unwrap();
    let gltf::Gltf { document, blob } = gltf::Gltf::from_slice(&bytes).unwrap();
    assert_eq!(size_of_png(&document, blob.as_deref().unwrap()), [1, 1]);
    let primitive = document.meshes().next().unwrap().primitives().next().unwrap();
    assert!(
        primitive
            .material()
            .pbr_metallic_roughness()
            .base_color_texture()
            .is_some()
    );
    let reader = primitive.reader(|_| blob.as_deref());
    let uvs: Vec<[f32; 2]> = reader.read_tex_coords(0).unwrap().into_f32().collect();
    let corners: Vec<[f32; 2]> = reader
        .read_indices()
        .unwrap()
        .into_u32()
        .map(|i| uvs[i as usize])
        .collect();
    let expected: Vec<[f32; 2]> = character
        .mesh
        .corner_uvs
        .unwrap()
        .iter()
        .flatten()
        .map(|uv| uv.to_array())
        .collect();
    assert_eq!(corners, expected);
}

#[test]
fn a_wrong_number_of_coordinates_is_named() {
    let mut mesh = square().mesh;
    mesh.corner_uvs = Some(Vec::new());
    assert!(mesh.check().unwrap_err().to_string().contains("corner_uvs"));
}

#[test]
fn how_a_picture_is_laid_on_is_kept() {
    let mut character = square();
    let base = character.mesh.parts[0].clone();
    // The same picture three times: as it is, wrapped, wrapped and moved.
    let mut looks = vec![base.material.clone(); 3];
    looks[0].alpha = Alpha::Blend;
    looks[1].alpha = Alpha::Mask(0.25);
    for look in &mut looks[1..] {
        look.texture.as_mut().unwrap().wrap = [Wrap::Clamp, Wrap::Mirror];
    }
    looks[2].texture.as_mut().unwrap().transform = UvTransform {
        offset: Vec2::new(0.25, -0.5),
        rotation: 0.5,
        scale: Vec2::new(2.0, 0.5),
    };
    let end = character.mesh.triangles.len();
    let triangles = [0..1, 1..2, 2..end];
    character.mesh.triangles.push([0, 1, 2]);
    character.mesh.corner_uvs.as_mut().unwrap().push([Vec2::ZERO; 3]);
    let triangles = triangles.map(|r| if r.start == 2 { 2..3 } else { r });
    character.mesh.parts = looks
        .iter()
        .zip(triangles)
        .map(|(material, triangles)| ligament::Part {
            material: material.clone(),
            triangles,
            ..base.clone()
        })
        .collect();
    assert_eq!(character.mesh.check(), Ok(()));
    let bytes = build(&character).unwrap().document.to_glb().unwrap();
    let gltf::Gltf { document, .. } = gltf::Gltf::from_slice(&bytes).unwrap();
    assert_eq!((document.images().count(), document.textures().count()), (1, 2));
    let file = GltfFile::from_document(Document::from_bytes(&bytes).unwrap(), "square").unwrap();
    let read: Vec<_> = file
        .character()
        .mesh
        .parts
        .iter()
        .map(|p| p.material.clone())
        .collect();
    assert_eq!(read.len(), 3);
    for (found, wanted) in read.iter().zip(&looks) {
        assert_eq!((found.alpha, &found.texture), (wanted.alpha, &wanted.texture));
    }
}
