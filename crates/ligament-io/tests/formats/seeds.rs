//! Small good files of every format.

#[path = "../fbx/strip.rs"]
#[allow(dead_code, reason = "only the files themselves are seeds")]
mod strip;

use std::sync::Arc;

use glam::{DVec3, Vec3};
use ligament::Character;
use ligament::bind::cells::{Cell, CellField, Detour, FittedSurface, Site};
use ligament::bind::{BindOptions, Method, VoxelOptions};
use ligament::character::{Influence, JointIndex, Skeleton, Weights};
use ligament::skin::Skin;
use ligament::solid::Resolution;
use ligament::task::Task;
use ligament_io::{cells, gltf, skel, usd, voxels, weights};
use strip::Strip;

pub const OBJ: &str = "# a house\nmtllib house.mtl\no house\nv 0 0 0 1 0 0\nv 1 0 0 0 1 0\nv 1 1 0 0 0 1\n\
v 0.5 1.5 0 1 1 1\nv 0 1 0\nv 0 0 1\nv 1 0 1\nvn 0 0 1\nvt 0 0\ng front\nusemtl wall\n\
f 1/1/1 2/1/1 3/1/1 4/1/1 5/1/1\ng side\ns 1\nf -2//1 -1//1 2//1 1//1\nl 1 2\n";

pub const MTL: &str = "newmtl wall\nKd 0.5 0.25 0.125\nd 0.5\nmap_Kd wall.png\n";

pub const OFF: &str = "OFF # a tent\n5 5 0\n0 0 0\n1 0 0\n1 0 1\n0 0 1\n.5 1 .5\n4 0 1 2 3\n3 0 4 1\n3 1 4 2 255 0 0\n3 2 4 3\n3 3 4 0\n";

pub const COFF: &str =
    "COFF\n# colours\n3 1 0\n0 0 0 255 0 0 255\n1 0 0 0 255 0 255\n0 1 0 0 0 255 128\n3 0 1 2\n";

pub const PLY: &str = "ply\nformat ascii 1.0\ncomment a square\nelement vertex 4\nproperty float x\nproperty float y\n\
property float z\nproperty uchar red\nproperty uchar green\nproperty uchar blue\nelement face 1\n\
property list uchar int vertex_indices\nproperty uchar flags\nelement edge 1\nproperty int a\nproperty int b\n\
end_header\n0 0 0 255 0 0\n1 0 0 0 255 0\n1 1 0 0 0 255\n0 1 0 255 255 255\n4 0 1 2 3 7\n0 1\n";

pub const STL: &str = "solid two\nfacet normal 0 0 1\n outer loop\n  vertex 0 0 0\n  vertex 1 0 0\n  vertex 0 1 0\n \
endloop\nendfacet\nfacet normal 0 0 1\n outer loop\n  vertex 1 0 0\n  vertex 1 1 0\n  vertex -0 1 0\n endloop\n\
endfacet\nendsolid two\n";

pub const MEDIT: &str = "MeshVersionFormatted 1\nDimension 3\nVertices\n5\n0 0 0 0\n1 0 0 0\n0 1 0 0\n0 0 1 0\n1 1 1 0\n\
Triangles\n0\nTetrahedra\n2\n1 2 3 4 0\n2 3 4 5 0\nEnd\n";

pub const BVH: &str = "HIERARCHY\nROOT Hips\n{\n  OFFSET 0 10 0\n  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n  \
JOINT Left Leg\n  {\n    OFFSET 1 -2 0\n    CHANNELS 3 Yrotation Zrotation Xrotation\n    End Site\n    {\n      \
OFFSET 0 -4 0\n    }\n  }\n}\nMOTION\nFrames: 2\nFrame Time: 0.04\n0 10 0 0 0 0 0 0 0\n5 11 -3 90 0 0 0 0 90\n";

pub const TGF: &str =
    "1 0 0 0 9e199\n2 1 0 0\n3 2 0 0\n4 1 1 0\n5 9 9 9\n#\n2 3\n2 1\n2 4 1 0 0\n1 4 0 1 0\n#\n";

pub const SKEL: &str = "3\n0 0 0\thips\troot\n0 1 0\tspine\thips\n0 2 0.5\thead\tspine\n";

pub const ANIM: &str = "2 2\n0\n1 0 0\n1 0 0\n0 0\n1\n0 0 1\n1 0 0\n1.5707963267948966 0.5\n";

pub const RIGNET: &str = "joints hips 0 0 0\njoints head 0 2 0.5\njoints spine 0 1 0\nroot hips\nhier hips spine\n\
hier spine head\nskin 0 hips 1\nskin 1 hips 0.25 head 0.75\n";

pub const MHSKEL: &str = r#"{"name": "tiny", "bones": {
"arm": {"head": "a", "tail": "b", "parent": "root", "reference": null},
"root": {"head": "r", "tail": "a", "parent": null, "reference": null}},
"joints": {"a": [0, 1], "b": [2], "r": [3, 3, 0, 0]}, "planes": {}}"#;

/// Binary PLY of a triangle and a square, either byte order.
pub fn binary_ply(big_endian: bool) -> Vec<u8> {
    let order = if big_endian { "big" } else { "little" };
    let mut bytes = format!(
        "ply\nformat binary_{order}_endian 1.0\nelement vertex 4\nproperty double x\nproperty float y\n\
property short z\nproperty float nx\nproperty float ny\nproperty float nz\nelement face 2\n\
property list uchar uint vertex_index\nend_header\n"
    )
    .into_bytes();
    let mut put = |little: &[u8]| {
        if big_endian {
            bytes.extend(little.iter().rev());
        } else {
            bytes.extend(little);
        }
    };
    for [x, y, z] in [[0i16, 0, 0], [1, 0, 0], [1, 1, -300], [0, 1, 0]] {
        put(&f64::from(x).to_le_bytes());
        put(&f32::from(y).to_le_bytes());
        put(&z.to_le_bytes());
        for n in [0f32, 0.0, 2.0] {
            put(&n.to_le_bytes());
        }
    }
    for face in [&[0u32, 1, 2][..], &[0, 1, 2, 3]] {
        put(&[face.len() as u8]);
        for v in face {
            put(&v.to_le_bytes());
        }
    }
    bytes
}

/// Binary STL of one triangle, with "solid" in its comment.
pub fn binary_stl() -> Vec<u8> {
    let mut bytes = vec![0; 80];
    bytes[..5].copy_from_slice(b"solid");
    bytes.extend(1u32.to_le_bytes());
    for x in [0f32, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0] {
        bytes.extend(x.to_le_bytes());
    }
    bytes.extend([0; 2]);
    bytes
}

pub fn skeleton() -> Skeleton {
    let mut skeleton = skel::read(SKEL.as_bytes(), "").unwrap().character.skeleton;
    skeleton.joints[1].name = "the \"spine\", <middle>".to_owned();
    skeleton
}

pub fn some_weights() -> Weights {
    let inf = |joint: u16, weight: f32| Influence {
        joint: JointIndex(joint),
        weight,
    };
    Weights::new([
        &[inf(0, 1.0)][..],
        &[inf(0, 0.3), inf(1, 0.7)],
        &[inf(1, 0.1), inf(2, 0.2), inf(0, 1e-9)],
        &[inf(2, 1.0)],
    ])
    .unwrap()
}

/// A way to read weights.
pub type ReadWeights = fn(&[u8], &Skeleton, usize) -> Result<Weights, ligament_io::import::ImportError>;

/// Every weights format: its name, the sample written, its reader.
pub fn weight_files() -> Vec<(&'static str, Vec<u8>, ReadWeights)> {
    let (w, s) = (&some_weights(), &skeleton());
    vec![
        (
            "csv",
            weights::csv::write(w, s).into_bytes(),
            weights::csv::read as ReadWeights,
        ),
        (
            "maya_xml",
            weights::maya_xml::write(w, s).into_bytes(),
            weights::maya_xml::read,
        ),
        (
            "maya_json",
            weights::maya_json::write(w, s).into_bytes(),
            weights::maya_json::read,
        ),
        (
            "rignet_text",
            weights::rignet_text::write(w, s).into_bytes(),
            weights::rignet_text::read,
        ),
        ("npz", weights::npz::write(w, s), weights::npz::read),
    ]
}

/// A small character with weights and one clip.
fn tube() -> Character {
    let mut tube = ligament::sample::make("tube@100").unwrap();
    tube.clips.truncate(1);
    let halves = [0, 1].map(|joint| Influence {
        joint: JointIndex(joint),
        weight: 0.5,
    });
    tube.weights = Weights::new(tube.mesh.positions.iter().map(|_| &halves[..])).ok();
    tube
}

pub fn gltf() -> Vec<u8> {
    gltf::build(&tube()).unwrap().document.to_glb().unwrap()
}

/// FBX as text, with and without a skin.
pub fn fbx() -> Vec<Vec<u8>> {
    let unskinned = Strip {
        bones: false,
        ..Strip::default()
    };
    vec![Strip::default().bytes(), unskinned.bytes()]
}

pub fn usd_text() -> Vec<u8> {
    usd::write(&tube()).unwrap().into()
}

pub fn usd_crate() -> Vec<u8> {
    usd::write_binary(&tube()).unwrap()
}

/// A field of three cells with detours.
pub fn cells() -> Vec<u8> {
    let site = Site {
        centre: [0.1, 0.2, -0.3],
        shape: [1.0, 0.0, 1.0, 0.0, 0.0, 1.0],
        radius: 0.05,
    };
    let cell = |c: usize| Cell {
        joint: format!("joint {c}"),
        origin: [0.1, 0.2, 0.3],
        falloff: 1.5,
        floor: 0.0,
        sites: vec![site; 2],
    };
    cells::write(&CellField {
        influences: 2,
        centre: DVec3::ONE,
        size: 1.8,
        cells: (0..3).map(cell).collect(),
        detour: Detour::new(4, 3, 1e-3, vec![3, 10, 17], (0..9).collect()),
        surface: FittedSurface::new(vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]).map(Arc::new),
    })
}

/// The body of a prepared binding.
pub fn voxels() -> Vec<u8> {
    let mut own = VoxelOptions::default();
    own.solid.resolution = Resolution::Voxels(8);
    let skin = Skin::new(tube()).unwrap();
    let prepared = Method::Voxel(own).prepare(&skin, &BindOptions::default(), &Task::unattended());
    let binding = prepared.unwrap().into_voxels().unwrap();
    let mut rest = &voxels::write(binding)[16..];
    let mut body = Vec::new();
    while let Some((lengths, after)) = rest.split_first_chunk::<8>() {
        let length = |at: usize| u32::from_le_bytes(lengths[at..at + 4].try_into().unwrap()) as usize;
        let (block, after) = after.split_at(length(4));
        body.extend(lz4_flex::block::decompress(block, length(0)).unwrap());
        rest = after;
    }
    body
}

/// A body of a prepared binding with its header: magic, version, checksum, one block.
pub fn packed_voxels(body: &[u8]) -> Vec<u8> {
    let packed = lz4_flex::block::compress(body);
    let mut bytes = b"LGVOXELS".to_vec();
    for number in [1, crc32fast::hash(body), body.len() as u32, packed.len() as u32] {
        bytes.extend(number.to_le_bytes());
    }
    bytes.extend(packed);
    bytes
}
