//! `.blend` files, through a Blender that is started like the real program.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use ligament::character::Channel;
use ligament_io::blend::Blender;
use ligament_testkit::{python_with_blender, run};

/// A mesh with a mirror on a bone with a motion, what the bone looks like, and a script that would
/// tell on us if it ran.
const MAKE: &str = r#"
import sys, bpy
bpy.ops.wm.read_factory_settings(use_empty=True)
mesh = bpy.data.meshes.new("body")
mesh.from_pydata([(0, 0, 0), (1, 0, 0), (1, 0, 2), (0, 0, 2)], [], [(0, 1, 2, 3)])
body = bpy.data.objects.new("body", mesh)
widget = bpy.data.objects.new("widget", bpy.data.meshes.new_from_object(body))
bones = bpy.data.objects.new("rig", bpy.data.armatures.new("rig"))
for thing in (body, widget, bones):
    bpy.context.scene.collection.objects.link(thing)
bpy.context.view_layer.objects.active = bones
bpy.ops.object.mode_set(mode="EDIT")
bone = bones.data.edit_bones.new("spine")
bone.head, bone.tail = (0, 0, 0), (0, 0, 1)
bpy.ops.object.mode_set(mode="POSE")
pose = bones.pose.bones["spine"]
pose.custom_shape = widget
pose.rotation_mode = "XYZ"
for frame, angle in ((1, 0.0), (25, 1.0)):
    pose.rotation_euler = (angle, 0, 0)
    pose.keyframe_insert("rotation_euler", frame=frame)
bones.animation_data.action.name = "bow"
body.modifiers.new("mirror", "MIRROR")
body.modifiers.new("armature", "ARMATURE").object = bones
body.parent = bones
body.vertex_groups.new(name="spine").add([0, 1, 2, 3], 1.0, "REPLACE")
text = bpy.data.texts.new("tell.py")
text.from_string("open(" + repr(sys.argv[2]) + ", 'w').write('ran')")
text.use_module = True
bpy.ops.wm.save_as_mainfile(filepath=sys.argv[1])
"#;

/// Blender as a module, behind the words of the program.
const LAUNCHER: &str = r#"
import sys, bpy
words = sys.argv[1:]
ours, theirs = words[:words.index("--")], words[words.index("--") + 1:]
for word in ("--background", "--factory-startup", "--disable-autoexec"):
    ours.remove(word)
assert ours[0] == "--python-exit-code" and ours[3] == "--python" and len(theirs) == 1, words
bpy.ops.wm.open_mainfile(filepath=ours[2], use_scripts=False)
exec(compile(open(ours[4]).read(), ours[4], "exec"))
"#;

/// A program that starts as Blender does.
fn program(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, format!("#!/bin/sh\n{text}\n")).unwrap();
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    path
}

fn blender(program: &Path, seconds: u64) -> Blender {
    Blender {
        program: program.into(),
        limit: Duration::from_secs(seconds),
    }
}

#[test]
fn a_character_is_read_as_blender_has_it() {
    let folder = tempfile::tempdir().unwrap();
    let (blend, trace) = (folder.path().join("hero.blend"), folder.path().join("trace.txt"));
    let python = python_with_blender();
    run(Command::new(&python).args(["-c", MAKE]).arg(&blend).arg(&trace));
    let launcher = folder.path().join("launcher.py");
    std::fs::write(&launcher, LAUNCHER).unwrap();
    let text = format!("exec '{}' '{}' \"$@\"", python.display(), launcher.display());
    let file = blender(&program(folder.path(), "blender", &text), 300)
        .open(&blend)
        .unwrap();
    let c = file.character();
    assert_eq!(c.name, "hero");
    // The modifier is worked in, what the bone looks like is not there, and up is up.
    let names: Vec<&str> = c.mesh.parts.iter().map(|p| p.name.as_str()).collect();
    assert_eq!(names, ["body"]);
    assert_eq!(c.mesh.triangles.len(), 4);
    let (low, high) = c.mesh.bounds();
    assert!(low.distance(glam::Vec3::new(-1.0, 0.0, 0.0)) < 1e-5, "{low}");
    assert!(high.distance(glam::Vec3::new(1.0, 2.0, 0.0)) < 1e-5, "{high}");
    let spine = c.skeleton.find("spine").unwrap();
    let weights = c.weights.as_ref().unwrap();
    assert!((0..c.mesh.positions.len()).all(|v| weights.weight(v, spine) == 1.0));
    let [clip] = &c.clips[..] else {
        panic!("{:?}", c.clips)
    };
    assert!(clip.name.contains("bow"), "{}", clip.name);
    assert!(
        clip.tracks
            .iter()
            .any(|t| t.joint == spine && t.channel == Channel::Rotation)
    );
    assert!(!trace.exists(), "a script in the file was run");
}

#[test]
fn what_goes_wrong_is_told_with_a_way_out() {
    let folder = tempfile::tempdir().unwrap();
    let blend = folder.path().join("hero.blend");
    std::fs::write(&blend, b"BLENDER").unwrap();
    let missing = blender(&folder.path().join("nowhere"), 10);
    let fails = program(folder.path(), "fails", "echo cannot read it; exit 3");
    let silent = program(folder.path(), "silent", "exit 0");
    let slow = program(folder.path(), "slow", "exec sleep 60");
    for (blender, said) in [
        (missing, "cannot be started"),
        (blender(&fails, 10), "cannot read it"),
        (blender(&silent, 10), "exported nothing"),
        (blender(&slow, 0), "was not done after 0 s"),
    ] {
        let error = blender.open(&blend).err().unwrap().to_string();
        assert!(
            error.contains(said) && error.contains("LIGAMENT_BLENDER"),
            "{error}"
        );
    }
    let lost = blender(&fails, 10).open(&folder.path().join("lost.blend"));
    assert!(lost.err().unwrap().to_string().contains("lost.blend"));
}
