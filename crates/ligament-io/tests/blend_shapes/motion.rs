//! Motion of blend shapes goes through every format that has it.

use ligament::Character;
use ligament::character::{Interpolation, ShapeMotion};
use ligament_io::gltf::{GltfFile, build};
use ligament_io::{fbx, usd};

use crate::smiling::talking;
use crate::{changed, through_gltf};

/// Moments that are not within two milliseconds of a step.
pub fn moments(motion: &ShapeMotion) -> impl Iterator<Item = f32> {
    let all = (0..=60).map(|k| k as f32 / 60.0);
    let steps = match motion.interpolation {
        Interpolation::Step => motion.times.clone(),
        _ => Vec::new(),
    };
    all.filter(move |t| steps.iter().all(|s| (t - s).abs() > 0.002))
}

/// Every motion of `a` is one of `b`, within `tolerance` at every moment; and there are no others.
fn assert_moves_alike(a: &Character, b: &Character, tolerance: f64) {
    b.mesh.check().unwrap();
    for shape in &a.mesh.blend_shapes {
        let mut found = b.mesh.blend_shapes.iter();
        let again = found.find(|s| s.name == shape.name).unwrap();
        assert_eq!(again.motions.len(), shape.motions.len(), "{}", shape.name);
        for motion in &shape.motions {
            let theirs = again.motions.iter().find(|m| m.clip == motion.clip);
            let theirs = theirs.unwrap_or_else(|| panic!("{} in {}", shape.name, motion.clip));
            for t in moments(motion) {
                let (x, y) = (motion.sample(t), theirs.sample(t));
                assert!(
                    (x - y).abs() <= tolerance,
                    "{} in {} at {t}: {y}, not {x}",
                    shape.name,
                    motion.clip
                );
            }
        }
    }
    let names = |c: &Character| -> Vec<String> { c.clips.iter().map(|c| c.name.clone()).collect() };
    assert_eq!(names(a), names(b), "clips of joints");
}

/// A spline is off by this much where it is straight between frames.
const SAMPLED: f64 = 2e-3;

#[test]
fn gltf_keeps_it() {
    let mut c = talking();
    // Shapes of one mesh that have other keys are sampled together.
    assert_moves_alike(&c, &through_gltf(&c), SAMPLED);
    // With the same keys they stay as they are, to the bit.
    for shape in &mut c.mesh.blend_shapes[..2] {
        shape
            .motions
            .retain(|m| m.interpolation != Interpolation::Linear || m.clip != "face");
    }
    let again = through_gltf(&c);
    for shape in &c.mesh.blend_shapes {
        let mut found = again.mesh.blend_shapes.iter();
        let theirs = found.find(|s| s.name == shape.name).unwrap();
        assert_eq!(theirs.motions, shape.motions, "{}", shape.name);
    }
}

#[test]
fn fbx_keeps_it() {
    let c = talking();
    let read = fbx::read(&fbx::write(&c).unwrap(), &c.name).unwrap();
    let codes: Vec<&str> = read.warnings.iter().map(|w| w.code).collect();
    assert!(
        !codes.iter().any(|c| c.contains("shape") || c.contains("clip")),
        "{codes:?}"
    );
    assert_moves_alike(&c, &read.character, SAMPLED);
    assert_moves_alike(&c, &through_gltf(&read.character), SAMPLED);
    crate::assert_same(&c, &read.character);
}

#[test]
fn usd_keeps_it_in_text_and_binary() {
    let c = talking();
    let text = usd::write(&c).unwrap().into_bytes();
    for bytes in [text, usd::write_binary(&c).unwrap()] {
        let read = usd::read_bytes(&bytes, &c.name).unwrap();
        assert_eq!(read.warnings, []);
        assert_moves_alike(&c, &read.character, SAMPLED);
        assert_moves_alike(&c, &through_gltf(&read.character), SAMPLED);
        // How much there is at rest is kept beside it.
        crate::assert_same(&c, &read.character);
    }
}

/// Clips that move nothing but shapes need no joints that move, and shapes of one name on two meshes may move apart.
#[test]
fn shapes_alone_move_in_every_format() {
    let mut c = talking();
    c.clips.clear();
    let name = c.mesh.blend_shapes[0].name.clone();
    c.mesh.blend_shapes[3].name.clone_from(&name);
    for shape in &mut c.mesh.blend_shapes {
        shape.weight = 0.0;
        shape.motions.retain(|m| m.clip == "face");
    }
    let glb = GltfFile::from_document(build(&c).unwrap().document, &c.name).unwrap();
    let usd = usd::read_bytes(usd::write(&c).unwrap().as_bytes(), &c.name).unwrap();
    let fbx = fbx::read(&fbx::write(&c).unwrap(), &c.name).unwrap();
    let all = [
        glb.blend_shapes(),
        usd.character.mesh.blend_shapes,
        fbx.character.mesh.blend_shapes,
    ];
    for shapes in all {
        for (part, at_end) in [(0, 0.75), (3, 1.0)] {
            let vertices = c.mesh.blend_shapes[part].part_vertices.len();
            let mut found = shapes.iter();
            let shape = found
                .find(|s| s.name == name && s.part_vertices.len() == vertices)
                .unwrap();
            let [motion] = &shape.motions[..] else {
                panic!("{:?}", shape.motions)
            };
            assert_eq!(motion.clip, "face");
            assert!((motion.sample(1.0) - at_end).abs() < 1e-6);
        }
    }
    assert!(glb.character().clips.is_empty());
}

/// Two animations of one name stay two.
#[test]
fn clips_of_one_name_do_not_become_one() {
    let c = talking();
    let document = changed(&c, |json| {
        let animations = json["animations"].as_array_mut().unwrap();
        let count = animations.len();
        animations[count - 1]["name"] = animations[0]["name"].clone();
    });
    let file = GltfFile::from_document(document, "twice").unwrap();
    let shapes = file.blend_shapes();
    let smile = shapes.iter().find(|s| s.name == "smile").unwrap();
    let clips: Vec<&str> = smile.motions.iter().map(|m| m.clip.as_str()).collect();
    let walk = &c.clips[0].name;
    assert_eq!(clips, [walk, &format!("{walk} (2)")]);
}

/// A broken channel breaks no other, and neither does a file that moves one primitive's shapes by another's numbers.
#[test]
fn broken_motion_moves_nothing() {
    let c = talking();
    let mut broken = 0;
    let document = changed(&c, |json| {
        for animation in json["animations"].as_array_mut().unwrap() {
            let channels = animation["channels"].as_array().unwrap().clone();
            for channel in channels.iter().filter(|c| c["target"]["path"] == "weights") {
                let sampler = channel["sampler"].as_u64().unwrap() as usize;
                let input = animation["samplers"][sampler]["input"].clone();
                animation["samplers"][sampler]["output"] = if broken == 0 { input } else { 99_999.into() };
                broken += 1;
            }
        }
    });
    assert_eq!(broken, 3);
    let file = GltfFile::from_document(document, "broken").unwrap();
    assert_eq!(file.character().clips.len(), c.clips.len());
    let moving = file
        .blend_shapes()
        .iter()
        .filter(|s| !s.motions.is_empty())
        .count();
    assert_eq!(moving, 0);
}
