//! Weights that were written are there, as another reader sees them, and sum exactly.

use ligament::Weights;
use ligament::character::{Influence, JointIndex};
use ligament_io::gltf::{Document, GltfFile, WeightFormat};

use crate::zoo;

/// Weights with `k` influences at vertex 0 and fewer elsewhere.
fn some_weights(vertices: usize, joints: &[JointIndex]) -> Weights {
    let lists: Vec<Vec<Influence>> = (0..vertices)
        .map(|v| {
            let influence = |(i, &joint): (usize, &JointIndex)| Influence {
                joint,
                weight: 1.0 + ((v + i) % 3) as f32,
            };
            joints
                .iter()
                .enumerate()
                .take(1 + (v + 2) % joints.len())
                .map(influence)
                .collect()
        })
        .collect();
    Weights::new(lists.iter().map(Vec::as_slice)).unwrap()
}

fn skin_joints(gltf: &GltfFile) -> Vec<JointIndex> {
    let skeleton = &gltf.character().skeleton;
    skeleton
        .indices()
        .filter(|&j| skeleton.joint(j).in_skin)
        .collect()
}

#[test]
fn every_variation_gives_back_what_was_written() {
    let variations = zoo::all()
        .into_iter()
        .chain([("unbound", zoo::unbound()), ("skinless", zoo::skinless())]);
    for (name, file) in variations {
        let gltf = GltfFile::from_document(Document::from_bytes(&file.bytes()).unwrap(), name).unwrap();
        // Weld in the second skin must agree with the first: repeat with the period.
        let all = some_weights(8, &skin_joints(&gltf));
        let weights = all.gathered((0..gltf.character().mesh.positions.len()).map(|v| v % 8));
        for format in [
            WeightFormat::Keep,
            WeightFormat::F32,
            WeightFormat::U16,
            WeightFormat::U8,
        ] {
            let bytes = gltf.with_weights(&weights, format).unwrap().to_glb().unwrap();
            let again = GltfFile::from_document(Document::from_bytes(&bytes).unwrap(), name).unwrap();
            let read = again
                .character()
                .weights
                .as_ref()
                .unwrap_or_else(|| panic!("{name}: no weights"));
            let sloppy = format == WeightFormat::U8 || name == "weights_u8" && format == WeightFormat::Keep;
            let tolerance = if sloppy { 1.0 / 255.0 } else { 1.0 / 65535.0 };
            for v in 0..weights.vertex_count() {
                for i in weights.of_vertex(v) {
                    let difference = (read.weight(v, i.joint) - i.weight).abs();
                    assert!(
                        difference <= tolerance,
                        "{name} {format:?}: vertex {v} is off by {difference}"
                    );
                }
            }
            // Positions stay where they were, also where a mesh got its first skin.
            for (a, b) in gltf
                .character()
                .mesh
                .positions
                .iter()
                .zip(&again.character().mesh.positions)
            {
                assert!(a.distance(*b) < 1e-5, "{name}: moved from {a} to {b}");
            }
        }
    }
}

#[test]
fn quantised_sums_are_exact_over_all_sets() {
    let mut file = zoo::plain();
    // Ten joints, so that vertices can have more than four and eight influences.
    for i in 0..7 {
        let node = file.push("nodes", serde_json::json!({ "name": format!("extra{i}") }));
        file.json["scenes"][0]["nodes"]
            .as_array_mut()
            .unwrap()
            .push(node.into());
        file.json["skins"][0]["joints"]
            .as_array_mut()
            .unwrap()
            .push(node.into());
    }
    file.json["skins"][0]
        .as_object_mut()
        .unwrap()
        .remove("inverseBindMatrices");
    let gltf = GltfFile::from_document(Document::from_bytes(&file.glb()).unwrap(), "ten").unwrap();
    let weights = some_weights(8, &skin_joints(&gltf));
    assert_eq!(weights.max_influences(), 10);
    for (format, full) in [(WeightFormat::U8, 255u32), (WeightFormat::U16, 65535)] {
        let bytes = gltf.with_weights(&weights, format).unwrap().to_glb().unwrap();
        let gltf::Gltf { document, blob } = gltf::Gltf::from_slice(&bytes).unwrap();
        let primitive = document.meshes().next().unwrap().primitives().next().unwrap();
        let reader = primitive.reader(|_| blob.as_deref());
        let mut sums = [0u32; 8];
        for set in 0..3 {
            let rows: Vec<[u16; 4]> = match reader.read_weights(set).unwrap() {
                gltf::mesh::util::ReadWeights::U8(rows) => rows.map(|r| r.map(u16::from)).collect(),
                gltf::mesh::util::ReadWeights::U16(rows) => rows.collect(),
                gltf::mesh::util::ReadWeights::F32(_) => panic!("floats were not asked for"),
            };
            for (sum, row) in sums.iter_mut().zip(rows) {
                *sum += row.into_iter().map(u32::from).sum::<u32>();
            }
        }
        assert_eq!(sums, [full; 8]);
        assert!(reader.read_weights(3).is_none());
    }
}

#[test]
fn fewer_sets_are_written_when_fewer_are_needed() {
    let file = zoo::all().into_iter().find(|(n, _)| *n == "two_sets").unwrap().1;
    let gltf = GltfFile::from_document(Document::from_bytes(&file.bytes()).unwrap(), "two").unwrap();
    let document = gltf
        .with_weights(&Weights::rigid([skin_joints(&gltf)[0]; 8]), WeightFormat::Keep)
        .unwrap();
    let attributes = document
        .json()
        .pointer("/meshes/0/primitives/0/attributes")
        .unwrap();
    let keys: Vec<&String> = attributes.as_object().unwrap().keys().collect();
    assert_eq!(keys, ["POSITION", "JOINTS_0", "WEIGHTS_0"]);
}

#[test]
fn weights_of_another_mesh_are_refused() {
    let gltf = GltfFile::from_document(Document::from_bytes(&zoo::plain().glb()).unwrap(), "plain").unwrap();
    let error = gltf
        .with_weights(&Weights::rigid([JointIndex(0); 3]), WeightFormat::Keep)
        .err()
        .unwrap();
    assert!(error.to_string().contains("3 vertices"), "{error}");
}

#[test]
fn a_character_survives_being_built_into_a_file() {
    for (name, file) in zoo::all() {
        let gltf = GltfFile::from_document(Document::from_bytes(&file.bytes()).unwrap(), name).unwrap();
        let built = ligament_io::gltf::build(gltf.character()).unwrap().document;
        let again =
            GltfFile::from_document(Document::from_bytes(&built.to_glb().unwrap()).unwrap(), name).unwrap();
        let (a, b) = (gltf.character(), again.character());
        assert_eq!(a.mesh.triangles, b.mesh.triangles, "{name}");
        assert_eq!(a.mesh.positions.len(), b.mesh.positions.len(), "{name}");
        let (before, after) = (a.weights.as_ref().unwrap(), b.weights.as_ref().unwrap());
        for v in 0..before.vertex_count() {
            for i in before.of_vertex(v) {
                let joint = b.skeleton.find(&a.skeleton.joint(i.joint).name).unwrap();
                assert_eq!(after.weight(v, joint), i.weight, "{name}: vertex {v}");
            }
        }
        assert_eq!(a.clips[0].tracks[0].values, b.clips[0].tracks[0].values, "{name}");
    }
}
