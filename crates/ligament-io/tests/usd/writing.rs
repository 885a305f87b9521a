//! USD's checker is silent about what is written, and USD moves the skin as we do.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use glam::Vec3;
use ligament::Character;
use ligament::character::Channel;
use ligament_io::gltf::GltfFile;
use ligament_io::usd;
use ligament_testkit::{corpus_characters, python_with_usd, run, spread};

use crate::common::bound;
use crate::posing::{file_order, moments, posed};
use crate::with_usd::script;

/// Positions may differ by this share of the bounding box's diagonal.
const TOLERANCE: f32 = 1e-4;

/// Where USD's own code puts the points of all meshes, at each clip and time code.
pub fn usd_points(path: &Path, codes: &[(usize, f64)]) -> Vec<Vec3> {
    let output = path.with_extension("points");
    let mut child = Command::new(python_with_usd())
        .arg(script("skin.py"))
        .arg(path)
        .arg(&output)
        .stdin(Stdio::piped())
        .spawn()
        .unwrap();
    let request = serde_json::to_vec(codes).unwrap();
    child.stdin.take().unwrap().write_all(&request).unwrap();
    assert!(child.wait().unwrap().success(), "USD skins {}", path.display());
    let bytes = std::fs::read(&output).unwrap();
    let numbers = bytes.as_chunks::<4>().0.iter().map(|b| f32::from_le_bytes(*b));
    let numbers: Vec<f32> = numbers.collect();
    numbers.as_chunks::<3>().0.iter().map(|&p| p.into()).collect()
}

/// The largest difference between USD's skinning and ours, as a share of the diagonal.
fn compare_skinning(character: &Character, path: &Path) -> f32 {
    let mut moments = moments(character);
    if moments.is_empty() {
        moments.push((0, 0.0));
    }
    let codes: Vec<(usize, f64)> = moments.iter().map(|&(c, t)| (c, f64::from(t) * 30.0)).collect();
    let points = usd_points(path, &codes);
    let order = file_order(character);
    assert_eq!(points.len(), moments.len() * order.len(), "{}", path.display());
    let mut worst = 0.0f32;
    for (&(clip, seconds), theirs) in moments.iter().zip(points.chunks(order.len())) {
        let ours = posed(character, clip, seconds);
        for (&v, theirs) in order.iter().zip(theirs) {
            worst = worst.max(ours[v].distance(*theirs));
        }
    }
    worst / character.mesh.diagonal()
}

#[test]
fn usd_accepts_and_moves_every_sample_as_we_do() {
    let folder = tempfile::tempdir().unwrap();
    let mut check = Command::new(python_with_usd());
    check.arg(script("check.py"));
    for sample in ligament::sample::names() {
        let character = bound(sample.name);
        let path = folder.path().join(format!("{}.usda", sample.name));
        usd::save(&character, &path).unwrap();
        let worst = compare_skinning(&character, &path);
        eprintln!("{}: USD's skinning differs by {worst:e} of the size", sample.name);
        assert!(worst < TOLERANCE, "{}: {worst}", sample.name);
        check.arg(path);
        let path = folder.path().join(format!("{}.usdc", sample.name));
        std::fs::write(&path, usd::write_binary(&character).unwrap()).unwrap();
        let binary = compare_skinning(&character, &path);
        assert!(binary < TOLERANCE, "{} in binary: {binary}", sample.name);
        check.arg(path);
    }
    let said = run(&mut check);
    assert_eq!(
        said.trim(),
        format!("CHECKED {}", 2 * ligament::sample::names().len())
    );
}

#[test]
fn usd_accepts_and_moves_real_characters_as_we_do() {
    let folder = tempfile::tempdir().unwrap();
    let mut check = Command::new(python_with_usd());
    check.arg(script("check.py"));
    let mut checked = 0;
    for path in spread(corpus_characters(), 10) {
        let size = std::fs::metadata(&path).unwrap().len();
        let Ok(file) = GltfFile::open(&path) else { continue };
        let mut character = file.character().as_ref().clone();
        if character.weights.is_none() || size > 4_000_000 {
            continue;
        }
        character.clips.truncate(3);
        let stem = path.file_stem().unwrap().to_string_lossy().into_owned();
        // A folder for each: textures of different characters may have one name.
        let own = folder.path().join(&stem);
        std::fs::create_dir(&own).unwrap();
        let usda = own.join(format!("{stem}.usda"));
        usd::save(&character, &usda).unwrap_or_else(|e| panic!("{stem}: {e}"));
        let worst = compare_skinning(&character, &usda);
        eprintln!("{stem}: USD's skinning differs by {worst:e} of the size");
        // USD animates scales in half precision.
        let scales = character
            .clips
            .iter()
            .flat_map(|c| &c.tracks)
            .filter(|t| t.channel == Channel::Scale);
        let is_scaled = scales.flat_map(|t| &t.values).any(|s| (s - 1.0).abs() > 1e-6);
        let tolerance = if is_scaled { 5.0 * TOLERANCE } else { TOLERANCE };
        assert!(worst < tolerance, "{stem}: {worst}");
        check.arg(usda);
        checked += 1;
    }
    if checked > 0 {
        assert_eq!(run(&mut check).trim(), format!("CHECKED {checked}"));
    }
}
