//! Collada as Blender 4.2 writes it, the last version that does.

use std::process::Command;

use ligament::Character;
use ligament::bind::{BindOptions, Method};
use ligament::task::Task;
use ligament_io::import::Imported;
use ligament_io::{collada, companion, gltf};
use ligament_testkit::{python_with_old_blender, run};

const SCRIPT: &str = r#"
import os, sys, bpy
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_scene.gltf(filepath=sys.argv[1])
for thing in bpy.data.objects:  # all but the shape that bones are drawn as
    thing.select_set(thing.type == "ARMATURE" or bool(thing.vertex_groups))
for thing in bpy.data.objects:
    if thing.type == "ARMATURE":
        thing.rotation_mode = "XYZ"
        thing.rotation_euler = (0, 0, float(sys.argv[3]))
        thing.scale = (float(sys.argv[4]),) * 3
bpy.context.view_layer.update()
bpy.ops.wm.collada_export(filepath=sys.argv[2], selected=True, include_animations=True, include_all_actions=False)
os._exit(0)  # as a module, this version crashes when it ends after an export
"#;

/// The hound bound by a method, and what Blender's export of it gives with an armature that is turned and scaled so.
fn through_blender(method: &str, turn_and_scale: [&str; 2]) -> (Character, Imported) {
    let mut before = ligament::sample::make("hound@800").unwrap();
    let method = Method::named(method).unwrap();
    let bound = method.bind_character(&before, &BindOptions::default(), &Task::unattended());
    before.weights = Some(bound.unwrap().weights);
    let folder = tempfile::tempdir().unwrap();
    let (glb, dae) = (folder.path().join("in.glb"), folder.path().join("out.dae"));
    std::fs::write(&glb, gltf::build(&before).unwrap().document.to_glb().unwrap()).unwrap();
    run(Command::new(python_with_old_blender())
        .args(["-c", SCRIPT])
        .args([&glb, &dae])
        .args(turn_and_scale));
    let after = collada::read(&std::fs::read(&dae).unwrap(), "x", &companion::beside(&dae)).unwrap();
    (before, after)
}

#[test]
fn a_character_that_blender_writes_is_the_one_that_it_was_given() {
    let (before, after) = through_blender("heat", ["0", "1"]);
    assert!(after.warnings.is_empty(), "{:?}", after.warnings);
    let after = after.character;
    assert_eq!(before.mesh.triangles.len(), after.mesh.triangles.len());

    let size = before.mesh.diagonal();
    let named = |c: &Character, v: usize, name: &str| {
        let joint = c.skeleton.find(name).unwrap();
        c.weights.as_ref().unwrap().weight(v, joint)
    };
    for (v, place) in before.mesh.positions.iter().enumerate() {
        let near = |w: &usize| after.mesh.positions[*w].distance(*place) < 1e-4 * size;
        let same: Vec<usize> = (0..after.mesh.positions.len()).filter(near).collect();
        assert!(!same.is_empty(), "vertex {v} is elsewhere");
        let differs = |w: &usize| {
            let rows = before.weights.as_ref().unwrap().of_vertex(v).iter();
            rows.map(|i| (named(&after, *w, &before.skeleton.joint(i.joint).name) - i.weight).abs())
                .fold(0.0, f32::max)
        };
        let least = same.iter().map(differs).fold(f32::MAX, f32::min);
        assert!(least < 2e-3, "vertex {v}: weights differ by {least}");
    }
    for joint in before.skeleton.joints.iter().filter(|j| j.in_skin) {
        let there = after
            .skeleton
            .bind_position(after.skeleton.find(&joint.name).unwrap());
        let apart = there.distance(joint.bind_from_joint.translation);
        assert!(apart < 1e-4 * f64::from(size), "{} is {apart} off", joint.name);
    }
    // The clip that Blender had on: posed at rest and in its middle, joints are where ours are in one of the clips.
    let clip = &after.clips[0];
    let (start, end) = clip.span_secs();
    let middle = start + 0.5 * (end - start);
    let posed = clip
        .pose_at(&after.skeleton, middle)
        .world_from_joints(&after.skeleton);
    let moved = before.skeleton.joints.iter().filter(|j| j.in_skin).any(|j| {
        let there = after.skeleton.find(&j.name).unwrap();
        posed[there.at()]
            .translation
            .distance(j.bind_from_joint.translation)
            > 1e-3 * f64::from(size)
    });
    assert!(moved, "nothing moves");
}

/// With an armature that is turned and scaled, Blender states joints in the world and skins in the armature.
#[test]
fn a_skin_of_a_turned_and_scaled_armature_lies_on_its_joints() {
    let (before, after) = through_blender("closest", ["1.5", "4"]);
    let codes: Vec<&str> = after.warnings.iter().map(|w| w.code).collect();
    assert!(
        codes.iter().all(|c| *c == "skin_beside_its_joints") && !codes.is_empty(),
        "{codes:?}"
    );
    let after = after.character;
    let rotation = glam::Affine3A::from_scale_rotation_translation(
        glam::Vec3::splat(4.0),
        glam::Quat::from_rotation_y(1.5),
        glam::Vec3::ZERO,
    );
    let size = 4.0 * before.mesh.diagonal();
    for place in &before.mesh.positions {
        let there = rotation.transform_point3(*place);
        let near = after.mesh.positions.iter().map(|p| p.distance(there));
        assert!(near.fold(f32::MAX, f32::min) < 1e-4 * size, "nothing at {there}");
    }
    for joint in before.skeleton.joints.iter().filter(|j| j.in_skin) {
        let found = after.skeleton.find(&joint.name).unwrap();
        let wanted = rotation.transform_point3(joint.bind_from_joint.translation.as_vec3());
        let apart = after.skeleton.bind_position(found).as_vec3().distance(wanted);
        assert!(apart < 1e-4 * size, "{} is {apart} off", joint.name);
    }
}
