//! Draco against Google's own encoder and decoder.

use std::path::{Path, PathBuf};
use std::process::Command;

use ligament_io::gltf::{GltfFile, WeightFormat};
use ligament_testkit::{corpus_characters, node_tools, run};

use crate::draco::{assert_plain, assert_same_shape, draco_warnings, open};
use crate::zoo;

#[test]
fn what_googles_encoder_made_reads_as_googles_decoder_reads_it() {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/gltf/draco.mjs");
    let folder = tempfile::tempdir().unwrap();
    let plain = folder.path().join("zoo.glb");
    std::fs::write(&plain, zoo::plain().glb()).unwrap();
    let mut inputs: Vec<PathBuf> = vec![plain];
    let wanted = ["cesium_man.glb", "hand_webxr_left.glb", "robot_expressive.glb"];
    inputs.extend(
        corpus_characters()
            .into_iter()
            .filter(|path| wanted.iter().any(|name| path.ends_with(name))),
    );
    for input in inputs {
        for method in ["edgebreaker", "sequential"] {
            let [compressed, decoded] =
                ["compressed.glb", "decoded.glb"].map(|name| folder.path().join(name));
            run(Command::new("node")
                .arg(&script)
                .arg(node_tools())
                .arg(method)
                .args([&input, &compressed, &decoded]));
            let name = format!("{} {method}", input.display());
            let ours = GltfFile::open(&compressed).unwrap();
            assert!(!draco_warnings(&ours).is_empty(), "{name} was not compressed");
            let theirs = GltfFile::open(&decoded).unwrap();
            let (a, b) = (ours.character(), theirs.character());
            assert_eq!(a.mesh.positions, b.mesh.positions, "{name}");
            assert_eq!(a.mesh.normals, b.mesh.normals, "{name}");
            assert_eq!(a.mesh.colors, b.mesh.colors, "{name}");
            assert_eq!(a.mesh.triangles, b.mesh.triangles, "{name}");
            assert_eq!(a.weights, b.weights, "{name}");
            let original = GltfFile::open(&input).unwrap();
            assert_same_shape(&name, original.character(), a, 14.0, 4.0 / 4095.0);
            if let Some(weights) = &a.weights {
                let document = ours.with_weights(weights, WeightFormat::Keep).unwrap();
                assert_plain(&document);
                let again = open(&document.to_glb().unwrap());
                assert_eq!(again.character().mesh.positions, a.mesh.positions, "{name}");
            }
        }
    }
}
