//! What Ligament built, through Blender to FBX and back.

use std::path::Path;
use std::process::Command;

use glam::{Vec2, Vec3};
use ligament::Character;
use ligament::character::{Clip, Interpolation, Joint, JointIndex, Texture};
use ligament_io::{fbx, gltf};
use ligament_testkit::{python_with_blender, run};

use crate::matching::{Places, Spread, posed, weight_distance};
use crate::samples::{PNG, bound};

/// Blender's defaults; Z up with the unit applied; the axes turned into the geometry.
const OPTIONS: [&str; 3] = [
    "{}",
    r#"{"axis_forward": "-Y", "axis_up": "Z", "apply_scale_options": "FBX_SCALE_ALL", "add_leaf_bones": false}"#,
    r#"{"bake_space_transform": true, "global_scale": 1.0, "apply_scale_options": "FBX_SCALE_UNITS", "primary_bone_axis": "X", "secondary_bone_axis": "Y"}"#,
];

fn through_blender(c: &Character, options: &str) -> Character {
    let folder = tempfile::tempdir().unwrap();
    let (glb, out) = (folder.path().join("in.glb"), folder.path().join("out.fbx"));
    std::fs::write(&glb, gltf::build(c).unwrap().document.to_glb().unwrap()).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fbx/to_fbx.py");
    run(Command::new(python_with_blender())
        .arg(script)
        .args([&glb, &out])
        .arg(options));
    let imported = fbx::open(&out).unwrap();
    imported.character.mesh.check().unwrap();
    imported.character.skeleton.check().unwrap();
    imported.character
}

/// The joint of that name that skin may follow.
fn find(c: &Character, joint: &Joint) -> JointIndex {
    let is_it = |j: &JointIndex| c.skeleton.joint(*j).name == joint.name && c.skeleton.joint(*j).in_skin;
    c.skeleton
        .indices()
        .find(is_it)
        .unwrap_or_else(|| panic!("no {}", joint.name))
}

fn check(before: &Character, options: &str) {
    let after = through_blender(before, options);
    let size = f64::from(before.mesh.diagonal());
    let place = format!("{} {options}", before.name);
    // Blender drops a face that repeats another.
    let faces = [before, &after].map(|c| c.mesh.triangles.len());
    assert!(faces[0] - faces[1] <= 1, "{place}: {faces:?} faces");

    let places = Places::new(&after.mesh.positions, 1e-4 * size as f32);
    let matched: Vec<Vec<usize>> = before.mesh.positions.iter().map(|&p| places.at(p)).collect();
    let lost = matched.iter().filter(|m| m.is_empty()).count();
    assert_eq!(lost, 0, "{place}: vertices that are elsewhere");
    let mut weights = Spread::default();
    for (v, found) in matched.iter().enumerate() {
        let all = found.iter().map(|&m| weight_distance((before, v), (&after, m)));
        weights.add(all.fold(1.0, f64::min));
    }
    assert!(weights.most < 1e-3, "{place}: weights differ by {}", weights.most);

    let mut joints = Spread::default();
    for joint in before.skeleton.joints.iter().filter(|j| j.in_skin) {
        let at = after.skeleton.bind_position(find(&after, joint));
        joints.add(at.distance(joint.bind_from_joint.translation));
    }
    assert!(
        joints.most < 1e-5 * size,
        "{place}: joints are {} off",
        joints.most
    );

    let mut apart = Spread::default();
    for clip in &before.clips {
        let same = after.clips.iter().find(|c| c.name.contains(&clip.name));
        let same = same.unwrap_or_else(|| panic!("{place}: no clip {}", clip.name));
        let (start, end) = clip.span_secs();
        let frames = ((end - start) * 30.0).floor() as usize;
        for frame in (0..=frames).step_by(1 + frames / 6) {
            let seconds = frame as f32 / 30.0;
            let ours = clip.pose_at(&before.skeleton, start + seconds);
            let ours = ours.world_from_bind(&before.skeleton);
            let theirs = same.pose_at(&after.skeleton, seconds);
            let theirs = theirs.world_from_bind(&after.skeleton);
            for (v, found) in matched.iter().enumerate().step_by(5) {
                let at = posed(before, &ours, v);
                let all = found.iter().map(|&m| posed(&after, &theirs, m).distance(at));
                apart.add(all.fold(f64::INFINITY, f64::min));
            }
        }
    }
    assert!(
        apart.most < 1e-4 * size,
        "{place}: posed vertices are up to {} apart",
        apart.most
    );
}

/// The clip with a key at every frame: Blender and glTF differ between keys.
fn at_frames(clip: &Clip) -> Clip {
    let (start, end) = clip.span_secs();
    let times: Vec<f32> = (0..=((end - start) * 30.0).round() as usize)
        .map(|frame| start + frame as f32 / 30.0)
        .collect();
    let mut clip = clip.clone();
    for track in &mut clip.tracks {
        let width = track.channel.width();
        let values = |&t: &f32| track.sample(t).map(|x| x as f32).into_iter().take(width);
        track.values = times.iter().flat_map(values).collect();
        track.interpolation = Interpolation::Linear;
        track.times.clone_from(&times);
    }
    clip
}

#[test]
fn a_tube_comes_back_from_blender() {
    for options in OPTIONS {
        check(&bound("tube"), options);
    }
}

#[test]
fn a_biped_comes_back_from_blender_with_its_left_at_its_left() {
    let knight = bound("knight@4000");
    // One clip at a time: where a clip does not move a bone, Blender exports it as the
    // clip before left it.
    for (clip, options) in knight.clips.iter().zip(OPTIONS) {
        let one = Character {
            clips: vec![at_frames(clip)],
            ..knight.clone()
        };
        check(&one, options);
    }
}

#[test]
fn a_picture_and_its_coordinates_come_back_from_blender() {
    let mut tube = bound("tube");
    tube.clips.clear();
    let mesh = &mut tube.mesh;
    let uv = |p: Vec3| Vec2::new(0.5 + 0.3 * p.x + 0.1 * p.z, 0.2 + 0.25 * p.y);
    let corners = |t: &[u32; 3]| t.map(|v| uv(mesh.positions[v as usize]));
    mesh.corner_uvs = Some(mesh.triangles.iter().map(corners).collect());
    for part in &mut mesh.parts {
        part.material.name = "Painted".to_owned();
        part.material.base_color = [1.0; 4];
        part.material.texture = Some(Texture::new("white", PNG));
    }
    let after = through_blender(&tube, r#"{"path_mode": "COPY", "embed_textures": true}"#);
    let mesh = &after.mesh;
    assert!(mesh.triangles.len() + 1 >= tube.mesh.triangles.len());
    for (triangle, uvs) in mesh.triangles.iter().zip(mesh.corner_uvs.as_ref().unwrap()) {
        for (&v, found) in triangle.iter().zip(uvs) {
            let at = mesh.positions[v as usize];
            assert!(found.distance(uv(at)) < 1e-4, "{found} at {at}");
        }
    }
    for part in &mesh.parts {
        assert_eq!(&*part.material.texture.as_ref().unwrap().bytes, PNG);
    }
}
