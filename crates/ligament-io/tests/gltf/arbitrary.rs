//! Any character, any weights, any format: what is written is what is read.

use glam::{DAffine3, DQuat, DVec3, Vec3};
use ligament::character::{
    Channel, Clip, Influence, Interpolation, Joint, JointIndex, Material, Mesh, Part, PartAttachment,
    Skeleton, Track, Transform,
};
use ligament::{Character, Weights};
use ligament_io::gltf::{Document, GltfFile, WeightFormat, build};
use proptest::prelude::*;

fn skeleton(parents: &[usize], moves: &[(i8, i8, i8)]) -> Skeleton {
    let mut skeleton = Skeleton::default();
    for (i, &(x, y, z)) in moves.iter().enumerate() {
        let parent = i
            .checked_sub(1)
            .map(|last| JointIndex((parents[i] % (last + 1)) as u16));
        let rest = Transform {
            translation: DVec3::new(f64::from(x), f64::from(y), f64::from(z)) * 0.125,
            rotation: DQuat::from_rotation_y(f64::from(x) * 0.25),
            scale: DVec3::ONE,
        };
        let above = parent.map_or(DAffine3::IDENTITY, |p| skeleton.joint(p).bind_from_joint);
        skeleton.joints.push(Joint {
            name: format!("joint {i}"),
            parent,
            rest,
            bind_from_joint: above * rest.to_affine(),
            in_skin: true,
        });
    }
    skeleton
}

prop_compose! {
    /// A character of two parts over a random tree, with random weights and one track.
    fn characters()(
        parents in prop::collection::vec(0usize..100, 12),
        moves in prop::collection::vec((-8i8..8, -8i8..8, -8i8..8), 1..12),
        corners in prop::collection::vec((-8i8..8, -8i8..8, -8i8..8), 6..40),
        faces in prop::collection::vec((0usize..100, 0usize..100, 0usize..100), 2..20),
        lists in prop::collection::vec(prop::collection::vec((0usize..100, 0.001f32..1.0), 1..11), 40),
        times in prop::collection::vec(0.01f32..1.0, 1..5),
    ) -> Character {
        let skeleton = skeleton(&parents, &moves);
        let joints = skeleton.joints.len();
        let positions: Vec<Vec3> =
            corners.iter().map(|&(x, y, z)| Vec3::new(f32::from(x), f32::from(y), f32::from(z)) * 0.25).collect();
        let split = positions.len() / 2;
        let (first, second) = faces.split_at(faces.len() / 2);
        let triangles = |list: &[(usize, usize, usize)], start: usize, count: usize| -> Vec<[u32; 3]> {
            list.iter().map(|&(a, b, c)| [a, b, c].map(|v| (start + v % count) as u32)).collect()
        };
        let mut all = triangles(first, 0, split);
        all.extend(triangles(second, split, positions.len() - split));
        let part = |name: &str, vertices, triangles, color: f32| Part {
            name: name.to_owned(),
            vertices,
            triangles,
            material: Material { base_color: [color, 0.5, 0.25, 1.0], ..Material::default() },
            attachment: PartAttachment::Skin,
            joints: None,
        };
        let parts = vec![
            part("first", 0..split, 0..first.len(), 1.0),
            part("second", split..positions.len(), first.len()..all.len(), 0.75),
        ];
        let influences: Vec<Vec<Influence>> = lists[..positions.len()].iter().map(|list| {
            list.iter().map(|&(j, weight)| Influence { joint: JointIndex((j % joints) as u16), weight }).collect()
        }).collect();
        let mut clock = 0.0;
        let times: Vec<f32> = times.iter().map(|step| { clock += step; clock }).collect();
        let track = Track {
            joint: JointIndex((joints - 1) as u16),
            channel: Channel::Translation,
            interpolation: Interpolation::Linear,
            values: times.iter().flat_map(|&t| [t, -t, 0.5]).collect(),
            times,
        };
        Character {
            name: "any".to_owned(),
            mesh: Mesh { positions, triangles: all, parts, ..Mesh::default() },
            skeleton,
            weights: Weights::new(influences.iter().map(Vec::as_slice)).ok(),
            clips: vec![Clip { name: "move".to_owned(), tracks: vec![track] }],
        }
    }
}

fn read(bytes: &[u8]) -> GltfFile {
    GltfFile::from_document(Document::from_bytes(bytes).unwrap(), "any").unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn what_is_written_is_what_is_read(
        character in characters(),
        format in prop::sample::select(vec![WeightFormat::F32, WeightFormat::U16, WeightFormat::U8]),
    ) {
        let built = build(&character).unwrap().document.to_glb().unwrap();
        let file = read(&built);
        let again = file.character();
        prop_assert!(file.warnings().is_empty(), "{:?}", file.warnings());
        prop_assert_eq!(&character.mesh.triangles, &again.mesh.triangles);
        for (a, b) in character.mesh.positions.iter().zip(&again.mesh.positions) {
            prop_assert!(a.distance(*b) < 1e-4, "{} became {}", a, b);
        }
        prop_assert_eq!(&character.clips[0].tracks[0].values, &again.clips[0].tracks[0].values);
        let weights = character.weights.as_ref().unwrap();
        let joint_in_file = |j: JointIndex| again.skeleton.find(&character.skeleton.joint(j).name).unwrap();
        let named = weights.renumbered(joint_in_file);
        let read_back = again.weights.as_ref().unwrap();
        // Numbers survive; equal weights may come in another order of joints.
        for v in 0..named.vertex_count() {
            for i in named.of_vertex(v) {
                prop_assert!((read_back.weight(v, i.joint) - i.weight).abs() < 1e-6);
            }
        }

        let stored = read(&file.with_weights(&named, format).unwrap().to_glb().unwrap());
        let unit = match format {
            WeightFormat::U8 => 1.0 / 255.0,
            WeightFormat::U16 => 1.0 / 65535.0,
            _ => 1e-6,
        };
        let stored = stored.character().weights.as_ref().unwrap();
        for v in 0..named.vertex_count() {
            for i in named.of_vertex(v) {
                prop_assert!((stored.weight(v, i.joint) - i.weight).abs() <= 1.01 * unit);
            }
        }
    }
}
