//! Any bytes: reading never panics, and what was read can be written.

#![no_main]

use libfuzzer_sys::fuzz_target;
use ligament_io::gltf::{Document, GltfFile, WeightFormat};

fuzz_target!(|bytes: &[u8]| {
    let Ok(gltf) = Document::from_bytes(bytes).and_then(|d| GltfFile::from_document(d, "fuzz")) else { return };
    if let Some(weights) = &gltf.character().weights
        && let Ok(document) = gltf.with_weights(weights, WeightFormat::Keep)
    {
        let _ = document.to_glb();
    }
});
