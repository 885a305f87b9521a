//! Blender as a second opinion: it writes meshes that we read, and reads a BVH with us.

use std::process::Command;

use glam::DVec3;
use ligament_io::import::{ImportError, Imported};
use ligament_io::{bvh, companion, obj, ply, stl};
use ligament_testkit::{python_with_blender, run};

fn blender(script: &str, argument: &std::path::Path) -> String {
    run(Command::new(python_with_blender())
        .args(["-c", script])
        .arg(argument))
}

#[test]
fn meshes_that_blender_writes_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let script = r#"
import sys, bpy
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.mesh.primitive_monkey_add()
mesh = bpy.context.object.data
layer = mesh.color_attributes.new("Col", "BYTE_COLOR", "POINT")
for item in layer.data:
    item.color_srgb = (1.0, 0.5, 0.0, 1.0)
material = bpy.data.materials.new("fur")
mesh.materials.append(material)
to = lambda name: sys.argv[1] + "/" + name
axes = dict(forward_axis="Y", up_axis="Z")
bpy.ops.wm.obj_export(filepath=to("a.obj"), export_colors=True, **axes)
bpy.ops.wm.ply_export(filepath=to("a.ply"), ascii_format=True, export_normals=True, export_uv=False, **axes)
bpy.ops.wm.ply_export(filepath=to("b.ply"), ascii_format=False, export_normals=True, export_uv=False, **axes)
bpy.ops.wm.stl_export(filepath=to("a.stl"), ascii_format=True, **axes)
bpy.ops.wm.stl_export(filepath=to("b.stl"), ascii_format=False, **axes)
mesh.calc_loop_triangles()
print("counts", len(mesh.vertices), len(mesh.loop_triangles), len({tuple(v.co) for v in mesh.vertices}), *mesh.vertices[7].co)
"#;
    let said = blender(script, folder.path());
    let line = said.lines().find(|l| l.starts_with("counts")).unwrap();
    let numbers: Vec<f64> = line.split(' ').skip(1).map(|n| n.parse().unwrap()).collect();
    let (vertices, triangles) = (numbers[0] as usize, numbers[1] as usize);
    let places = numbers[2] as usize; // less than vertices: the monkey has some twice
    let seventh = DVec3::new(numbers[3], numbers[4], numbers[5]);
    type Read = Box<dyn Fn(&[u8]) -> Result<Imported, ImportError>>;
    let load = companion::beside(&folder.path().join("a.obj"));
    let files: [(&str, Read); 5] = [
        ("a.obj", Box::new(move |b| obj::read(b, "", &load))),
        ("a.ply", Box::new(|b| ply::read(b, ""))),
        ("b.ply", Box::new(|b| ply::read(b, ""))),
        ("a.stl", Box::new(|b| stl::read(b, ""))),
        ("b.stl", Box::new(|b| stl::read(b, ""))),
    ];
    for (file, read) in files {
        let bytes = std::fs::read(folder.path().join(file)).unwrap();
        let imported = read(&bytes).unwrap_or_else(|e| panic!("{file}: {e}"));
        let mesh = imported.character.mesh;
        assert_eq!(mesh.triangles.len(), triangles, "{file}");
        if file.ends_with("stl") {
            assert_eq!(mesh.positions.len(), places, "{file}");
            continue; // no order and no colours
        }
        assert_eq!(mesh.positions.len(), vertices, "{file}");
        assert!(mesh.positions[7].as_dvec3().distance(seventh) < 1e-5, "{file}");
        let color = mesh.colors.as_ref().unwrap()[7];
        assert!(
            (color[0] - 1.0).abs() < 1e-2 && (color[1] - 0.214).abs() < 1e-2 && color[2] < 1e-2,
            "{file}: {color:?}"
        );
        if file == "a.obj" {
            assert_eq!(mesh.parts[0].material.name, "fur");
            assert!(imported.warnings.iter().all(|w| w.code != "missing_companion"));
        }
    }
}

/// Every joint at every frame, in a rig with six channel orders and odd angles.
#[test]
fn blender_poses_a_bvh_as_we_do() {
    let orders = ["XYZ", "XZY", "YXZ", "YZX", "ZXY", "ZYX"];
    let mut text = "HIERARCHY\n".to_owned();
    for (i, order) in orders.iter().enumerate() {
        let kind = if i == 0 { "ROOT" } else { "JOINT" };
        let places = if i == 0 {
            "6 Xposition Yposition Zposition"
        } else {
            "3"
        };
        let rotations: Vec<String> = order.chars().map(|c| format!("{c}rotation")).collect();
        let offset = if i == 0 {
            "0 0 0".to_owned()
        } else {
            format!("0.5 {} -1", i + 1)
        };
        text += &format!(
            "{kind} {order}\n{{\nOFFSET {offset}\nCHANNELS {places} {}\n",
            rotations.join(" ")
        );
    }
    text += "End Site\n{\nOFFSET 1 2 3\n}\n";
    text += &"}\n".repeat(orders.len());
    text += "MOTION\nFrames: 4\nFrame Time: 0.041666667\n";
    for frame in 0..4 {
        let numbers: Vec<String> = (0..21)
            .map(|c| ((frame * 37 + c * 53) % 170 - 85).to_string())
            .collect();
        text += &format!("{}\n", numbers.join(" "));
    }
    let read = bvh::read(text.as_bytes(), "").unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.bvh");
    std::fs::write(&path, &text).unwrap();
    let script = r#"
import sys, bpy
bpy.ops.wm.read_factory_settings(use_empty=True)
bpy.ops.import_anim.bvh(filepath=sys.argv[1], axis_forward="Y", axis_up="Z", use_fps_scale=False,
                        update_scene_duration=True, rotate_mode="QUATERNION", frame_start=1)
rig = bpy.context.object
for frame in range(4):
    bpy.context.scene.frame_set(frame + 1)
    for bone in rig.pose.bones:
        print("head", frame, bone.name, *(rig.matrix_world @ bone.head))
"#;
    let said = blender(script, &path);
    let skeleton = &read.character.skeleton;
    let mut seen = 0;
    for line in said.lines().filter(|l| l.starts_with("head ")) {
        let words: Vec<&str> = line.split(' ').collect();
        let frame: f32 = words[1].parse().unwrap();
        let number = |i: usize| words[i].parse::<f64>().unwrap();
        let wanted = DVec3::new(number(3), number(4), number(5));
        let joint = skeleton.find(words[2]).unwrap();
        let pose = read.character.clips[0].pose_at(skeleton, frame * 0.041_666_667);
        let found = pose.world_from_joints(skeleton)[joint.at()].translation;
        assert!(
            found.distance(wanted) < 1e-3,
            "frame {frame}, {}: {found} for {wanted}",
            words[2]
        );
        seen += 1;
    }
    assert_eq!(seen, 4 * orders.len());
}
