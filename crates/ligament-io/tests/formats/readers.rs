//! Every reader of the project with small good files for it, and with what must hold of
//! whatever it reads: for tests over broken files, and for the fuzzers.

use glam::Vec3;
use ligament::Character;
use ligament::character::{JointIndex, Weights};
use ligament_io::gltf::{Document, GltfFile, WeightFormat};
use ligament_io::import::{ImportError, Imported};
use ligament_io::weights::dmat;
use ligament_io::{
    anim, bvh, cells, collada, companion, fbx, iqm, md5, medit, mhskel, obj, off, ply, rignet, skel,
    skeleton_json, stl, tgf, usd, voxels,
};

use crate::{seeds, written};

/// Reads; says whether it could, and panics when what it got is not sound.
pub type Read = Box<dyn Fn(&[u8]) -> bool>;

/// One reader.
pub struct Reader {
    /// The format; also the name of its fuzz target.
    pub name: &'static str,
    /// Files that are readable.
    pub seeds: Vec<Vec<u8>>,
    /// The reader.
    pub read: Read,
}

fn check(character: &Character) {
    if !character.mesh.positions.is_empty() {
        character.mesh.check().unwrap();
        for (i, a) in character.mesh.parts.iter().enumerate() {
            for b in &character.mesh.parts[i + 1..] {
                let apart = a.vertices.end <= b.vertices.start || b.vertices.end <= a.vertices.start;
                assert!(a.vertices == b.vertices || apart);
            }
        }
    }
    if !character.skeleton.joints.is_empty() {
        character.skeleton.check().unwrap();
    }
    for track in character.clips.iter().flat_map(|c| &c.tracks) {
        track.check().unwrap();
        assert!(track.joint.at() < character.skeleton.joints.len());
    }
    if let Some(weights) = &character.weights {
        check_weights(weights, character.skeleton.joints.len());
    }
}

fn check_weights(weights: &Weights, joints: usize) {
    assert!(weights.influences().iter().all(|i| i.joint.at() < joints));
    for influences in weights.iter() {
        let sum: f32 = influences.iter().map(|i| i.weight).sum();
        assert!((sum - 1.0).abs() < 1e-5);
    }
}

fn character(read: impl Fn(&[u8]) -> Result<Imported, ImportError> + 'static) -> Read {
    Box::new(move |bytes| match read(bytes) {
        Ok(imported) => {
            check(&imported.character);
            true
        }
        Err(error) => {
            assert!(!error.to_string().is_empty());
            false
        }
    })
}

/// A whole scene, where a transform may be as flat as its file says: nothing points beyond what
/// is there.
fn scene(read: impl Fn(&[u8]) -> Result<Imported, ImportError> + 'static) -> Read {
    Box::new(move |bytes| {
        let Ok(imported) = read(bytes) else { return false };
        let c = &imported.character;
        let (vertices, triangles) = (c.mesh.positions.len(), c.mesh.triangles.len());
        let joints = c.skeleton.joints.len();
        let mut corners = c.mesh.triangles.iter().flatten();
        assert!(corners.all(|&v| (v as usize) < vertices));
        let parts = &mut c.mesh.parts.iter();
        assert!(parts.all(|p| p.vertices.end <= vertices && p.triangles.end <= triangles));
        for (j, joint) in c.skeleton.joints.iter().enumerate() {
            assert!(joint.parent.is_none_or(|p| p.at() < j));
        }
        for track in c.clips.iter().flat_map(|c| &c.tracks) {
            track.check().unwrap();
            assert!(track.joint.at() < joints);
        }
        if let Some(weights) = &c.weights {
            assert_eq!(weights.vertex_count(), vertices);
            assert!(weights.influences().iter().all(|i| i.joint.at() < joints));
        }
        true
    })
}

/// glTF: what was read can be written.
fn gltf(bytes: &[u8]) -> bool {
    let Ok(file) = Document::from_bytes(bytes).and_then(|d| GltfFile::from_document(d, "")) else {
        return false;
    };
    let _ = file.blend_shapes();
    if let Some(weights) = &file.character().weights {
        assert_eq!(weights.vertex_count(), file.character().mesh.positions.len());
        if let Ok(document) = file.with_weights(weights, WeightFormat::Keep) {
            let _ = document.to_glb();
        }
    }
    true
}

/// Fields of cells, behind a checksum that is right.
fn cells(bytes: &[u8]) -> bool {
    let body = &bytes[..bytes.len().saturating_sub(4)];
    let whole = [body, &crc32fast::hash(body).to_le_bytes()].concat();
    let read = cells::read(&whole);
    read.inspect(|field| assert_eq!(field.check(), Ok(()))).is_ok()
}

/// The body of a prepared binding, behind a header that is right.
fn voxels(body: &[u8]) -> bool {
    voxels::read(&seeds::packed_voxels(body)).is_ok()
}

/// All of them.
pub fn readers() -> Vec<Reader> {
    let text = |text: &str| vec![text.as_bytes().to_vec()];
    let materials = |_: &str| Some(seeds::MTL.as_bytes().to_vec());
    let json = skeleton_json::write(&seeds::skeleton());
    let mut readers = Vec::new();
    let mut add = |name, seeds, read| readers.push(Reader { name, seeds, read });
    add("gltf", vec![seeds::gltf()], Box::new(gltf) as Read);
    add("fbx", seeds::fbx(), scene(|b| fbx::read(b, "")));
    add(
        "usd_text",
        vec![seeds::usd_text()],
        scene(|b| usd::read_bytes(b, "")),
    );
    add(
        "usd_crate",
        vec![seeds::usd_crate()],
        scene(|b| usd::read_bytes(b, "")),
    );
    add(
        "obj",
        text(seeds::OBJ),
        character(move |b| obj::read(b, "", &materials)),
    );
    add(
        "mtl",
        text(seeds::MTL),
        character(|b| obj::read(seeds::OBJ.as_bytes(), "", &|_| Some(b.to_vec()))),
    );
    add(
        "off",
        [text(seeds::OFF), text(seeds::COFF)].concat(),
        character(|b| off::read(b, "")),
    );
    let tube = written::tube();
    add(
        "collada",
        text(&written::collada(&tube)),
        character(|b| collada::read(b, "", &companion::none)),
    );
    add(
        "iqm",
        vec![written::iqm(&tube)],
        character(|b| iqm::read(b, "", &companion::none)),
    );
    add(
        "md5mesh",
        text(&written::md5mesh(&tube)),
        character(|b| md5::read_mesh(b, "", &companion::none)),
    );
    add(
        "md5anim",
        text(&written::md5anim(&tube)),
        character(|b| md5::read_clip(b, "")),
    );
    let ply_files = vec![
        seeds::PLY.into(),
        seeds::binary_ply(false),
        seeds::binary_ply(true),
    ];
    add("ply", ply_files, character(|b| ply::read(b, "")));
    add(
        "stl",
        vec![seeds::STL.into(), seeds::binary_stl()],
        character(|b| stl::read(b, "")),
    );
    add("mesh", text(seeds::MEDIT), character(|b| medit::read(b, "")));
    add("bvh", text(seeds::BVH), character(|b| bvh::read(b, "")));
    add(
        "tgf",
        text(seeds::TGF),
        character(|b| tgf::read(b, "").map(|t| t.imported)),
    );
    add("skel", text(seeds::SKEL), character(|b| skel::read(b, "")));
    add(
        "anim",
        text(seeds::ANIM),
        character(|b| {
            let mut imported = skel::read(seeds::SKEL.as_bytes(), "")?;
            let clip = anim::read(b, "", &imported.character.skeleton)?;
            imported.character.clips.push(clip);
            Ok(imported)
        }),
    );
    add(
        "mhskel",
        text(seeds::MHSKEL),
        character(|b| mhskel::read(b, "", &[Vec3::X, Vec3::Y, Vec3::Z, Vec3::ONE])),
    );
    add("rignet", text(seeds::RIGNET), character(|b| rignet::read(b, "")));
    add(
        "skeleton_json",
        text(&json),
        character(|b| skeleton_json::read(b, "")),
    );
    add("cells", vec![seeds::cells()], Box::new(cells));
    add("voxels", vec![seeds::voxels()], Box::new(voxels));
    for (name, file, read) in seeds::weight_files() {
        add(
            name,
            vec![file],
            Box::new(move |bytes| {
                let found = read(bytes, &seeds::skeleton(), 4);
                if let Ok(weights) = &found {
                    assert_eq!(weights.vertex_count(), 4);
                    check_weights(weights, 3);
                }
                found.is_ok()
            }),
        );
    }
    let mut binary = b"0 0\n2 2\n".to_vec();
    binary.extend([0.5f64, 1.0, 0.5, 0.0].iter().flat_map(|x| x.to_le_bytes()));
    add(
        "dmat",
        vec![b"2 2\n0.5\n1\n0.5\n0\n".to_vec(), binary],
        Box::new(|bytes| {
            let found = dmat::read(bytes, &seeds::skeleton(), &[JointIndex(0), JointIndex(2)], 2);
            found.inspect(|w| check_weights(w, 3)).is_ok()
        }),
    );
    readers
}
