//! Characters as IQM, MD5 and Collada, written for tests by the descriptions of those formats. Nothing here knows the readers.

use std::fmt::Write as _;

use glam::{DAffine3, DMat3, DMat4, DQuat, DVec3, Vec3};
use ligament::Character;
use ligament::character::{Channel, Clip, Interpolation, Joint};

/// Where a joint is relative to its parent in bind space, in axes in which `turn` gives ours.
fn local(c: &Character, joint: &Joint, turn: DMat3) -> DAffine3 {
    match joint.parent {
        Some(parent) => c.skeleton.joint(parent).bind_from_joint.inverse() * joint.bind_from_joint,
        None => DAffine3::from_mat3(turn.inverse()) * joint.bind_from_joint,
    }
}

/// +Z up: the turn to +Y up.
const Z_UP: DMat3 = DMat3::from_cols(DVec3::X, DVec3::NEG_Z, DVec3::Y);

/// An IQM file with one mesh, four influences as floats, and one clip whose frames are bind pose and the root moved by its height.
pub fn iqm(c: &Character) -> Vec<u8> {
    let mut texts = vec![0u8];
    let mut text = |name: &str| {
        let at = texts.len() as u32;
        texts.extend(name.as_bytes());
        texts.push(0);
        at
    };
    let joints = &c.skeleton.joints;
    let names: Vec<u32> = joints.iter().map(|j| text(&j.name)).collect();
    let (mesh_name, material, clip_name) = (text("body"), text("cloth"), text("hop"));
    let floats =
        |values: &[f64]| -> Vec<u8> { values.iter().flat_map(|v| (*v as f32).to_le_bytes()).collect() };
    let down = |p: Vec3| [p.x, -p.z, p.y].map(f64::from);
    let positions: Vec<u8> = c.mesh.positions.iter().flat_map(|&p| floats(&down(p))).collect();
    let vertices = c.mesh.positions.len();
    let mut uvs = vec![[0.0f64; 2]; vertices];
    for (face, corners) in c.mesh.triangles.iter().zip(c.mesh.corner_uvs.iter().flatten()) {
        for k in 0..3 {
            uvs[face[k] as usize] = corners[k].as_dvec2().to_array();
        }
    }
    let uvs: Vec<u8> = uvs.iter().flat_map(|uv| floats(uv)).collect();
    let (mut indices, mut shares) = (Vec::new(), Vec::new());
    for row in c.weights.as_ref().unwrap().iter() {
        for k in 0..4 {
            indices.push(row.get(k).map_or(0, |i| i.joint.0 as u8));
            shares.extend(row.get(k).map_or(0.0f32, |i| i.weight).to_le_bytes());
        }
    }
    let faces: Vec<u8> = c
        .mesh
        .triangles
        .iter()
        .flat_map(|t| [t[0], t[2], t[1]])
        .flat_map(u32::to_le_bytes)
        .collect();
    let (mut joint_bytes, mut poses, mut frames) = (Vec::new(), Vec::new(), [Vec::new(), Vec::new()]);
    for (joint, name) in joints.iter().zip(&names) {
        let (scale, turn, place) = local(c, joint, Z_UP).to_scale_rotation_translation();
        let parent = joint.parent.map_or(-1, |p| i32::from(p.0)).to_le_bytes();
        joint_bytes.extend(name.to_le_bytes());
        joint_bytes.extend(parent);
        let ten = [
            place.to_array().to_vec(),
            turn.to_array().to_vec(),
            scale.to_array().to_vec(),
        ]
        .concat();
        joint_bytes.extend(floats(&ten));
        poses.extend(parent);
        // The root's height is in the frames, all else in the offsets.
        let moves = joint.parent.is_none();
        poses.extend(if moves { 1u32 << 2 } else { 0 }.to_le_bytes());
        poses.extend(floats(&ten));
        let mut scales = [0.0; 10];
        scales[2] = 0.001;
        poses.extend(floats(&scales));
        if moves {
            frames[0].extend(0u16.to_le_bytes());
            frames[1].extend(500u16.to_le_bytes());
        }
    }
    let channels = frames[0].len() as u32 / 2;
    let mut body = Vec::new();
    let mut put = |bytes: &[u8]| {
        let at = 124 + body.len() as u32;
        body.extend(bytes);
        body.resize(body.len().next_multiple_of(4), 0);
        at
    };
    let data = [put(&positions), put(&uvs), put(&indices), put(&shares)];
    let words = |words: &[u32]| -> Vec<u8> { words.iter().flat_map(|w| w.to_le_bytes()).collect() };
    let arrays = words(&[
        0, 0, 7, 3, data[0], 1, 0, 7, 2, data[1], 4, 0, 1, 4, data[2], 5, 0, 7, 4, data[3],
    ]);
    let count = c.mesh.triangles.len() as u32;
    let meshes = words(&[mesh_name, material, 0, vertices as u32, 0, count]);
    let clip = [words(&[clip_name, 0, 2]), floats(&[10.0]), words(&[0])].concat();
    let at = [
        put(&texts),
        put(&meshes),
        put(&arrays),
        put(&faces),
        put(&joint_bytes),
        put(&poses),
        put(&clip),
    ];
    let frames_at = put(&frames.concat());
    let joint_count = joints.len() as u32;
    let header = [
        2,
        124 + body.len() as u32,
        0,
        texts.len() as u32,
        at[0],
        1,
        at[1],
        4,
        vertices as u32,
        at[2],
        count,
        at[3],
        0,
        joint_count,
        at[4],
        joint_count,
        at[5],
        1,
        at[6],
        2,
        channels,
        frames_at,
        0,
        0,
        0,
        0,
        0,
    ];
    [b"INTERQUAKEMODEL\0".to_vec(), words(&header), body].concat()
}

/// +X front, +Z up: the turn to +Z front, +Y up.
const DOOM: DMat3 = DMat3::from_cols(DVec3::Z, DVec3::X, DVec3::Y);

/// Three numbers of a rotation whose fourth is not positive.
fn three(turn: DQuat) -> [f64; 3] {
    let turn = if turn.w > 0.0 { -turn } else { turn };
    [turn.x, turn.y, turn.z]
}

/// An `.md5mesh`.
pub fn md5mesh(c: &Character) -> String {
    let joints = &c.skeleton.joints;
    let mut text = format!(
        "MD5Version 10\ncommandline \"a test\"\n\nnumJoints {}\nnumMeshes 1\n\njoints {{\n",
        joints.len()
    );
    let turn = DAffine3::from_mat3(DOOM.inverse());
    for joint in joints {
        let (_, turn, p) = (turn * joint.bind_from_joint).to_scale_rotation_translation();
        let [x, y, z] = three(turn);
        let parent = joint.parent.map_or(-1, |p| i32::from(p.0));
        let _ = writeln!(
            text,
            "\t\"{}\"\t{parent} ( {} {} {} ) ( {x} {y} {z} )\t\t// a comment",
            joint.name, p.x, p.y, p.z
        );
    }
    let _ = writeln!(
        text,
        "}}\n\nmesh {{\n\tshader \"models/monsters/cloth\"\n\n\tnumverts {}",
        c.mesh.positions.len()
    );
    let (mut weights, mut count) = (String::new(), 0);
    for (v, row) in c.weights.as_ref().unwrap().iter().enumerate() {
        let _ = writeln!(text, "\tvert {v} ( 0.25 0.75 ) {count} {}", row.len());
        for influence in row {
            let at = c.skeleton.joint(influence.joint).bind_from_joint.inverse();
            let p = at.transform_point3(c.mesh.positions[v].as_dvec3());
            let _ = writeln!(
                weights,
                "\tweight {count} {} {} ( {} {} {} )",
                influence.joint.0, influence.weight, p.x, p.y, p.z
            );
            count += 1;
        }
    }
    let _ = writeln!(text, "\n\tnumtris {}", c.mesh.triangles.len());
    for (f, [a, b, d]) in c.mesh.triangles.iter().enumerate() {
        let _ = writeln!(text, "\ttri {f} {a} {d} {b}");
    }
    let _ = write!(text, "\n\tnumweights {count}\n{weights}}}\n");
    text
}

/// An `.md5anim` of two frames: bind pose, then the root 0.5 higher and a quarter turn about the vertical.
pub fn md5anim(c: &Character) -> String {
    let joints = &c.skeleton.joints;
    let mut text = format!(
        "MD5Version 10\ncommandline \"\"\nnumFrames 2\nnumJoints {}\nframeRate 10\nnumAnimatedComponents 6\n\nhierarchy {{\n",
        joints.len()
    );
    let locals: Vec<(DVec3, DQuat)> = joints
        .iter()
        .map(|j| {
            let (_, turn, place) = local(c, j, DOOM).to_scale_rotation_translation();
            (place, turn)
        })
        .collect();
    for joint in joints {
        let parent = joint.parent.map_or(-1, |p| i32::from(p.0));
        let flags = if parent < 0 { 63 } else { 0 };
        let _ = writeln!(text, "\t\"{}\"\t{parent} {flags} 0\t//", joint.name);
    }
    text.push_str("}\n\nbounds {\n\t( -1 -1 -1 ) ( 1 1 1 )\n\t( -1 -1 -1 ) ( 1 1 1 )\n}\n\nbaseframe {\n");
    for (p, turn) in &locals {
        let [x, y, z] = three(*turn);
        let _ = writeln!(text, "\t( {} {} {} ) ( {x} {y} {z} )", p.x, p.y, p.z);
    }
    text.push_str("}\n");
    let (p, turn) = locals[0];
    let quarter = DQuat::from_rotation_z(std::f64::consts::FRAC_PI_2);
    for (frame, (p, turn)) in [(p, turn), (quarter * p + 0.5 * DVec3::Z, quarter * turn)]
        .into_iter()
        .enumerate()
    {
        let [x, y, z] = three(turn);
        let _ = writeln!(
            text,
            "\nframe {frame} {{\n\t {} {} {} {x} {y} {z}\n}}",
            p.x, p.y, p.z
        );
    }
    text
}

/// The clip that [`md5anim`] and [`iqm`] hold, on the character itself: the root moves up, and turns if it is said.
pub fn hop(c: &Character, turns: bool) -> Clip {
    let root = c.skeleton.indices().next().unwrap();
    let rest = c.skeleton.joint(root).rest;
    let turn = if turns {
        DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2)
    } else {
        DQuat::IDENTITY
    };
    let track = |channel, values: Vec<f32>| ligament::character::Track {
        joint: root,
        channel,
        interpolation: Interpolation::Linear,
        times: vec![0.0, 0.1],
        values,
    };
    let places = [rest.translation, turn * rest.translation + 0.5 * DVec3::Y];
    let turns = [rest.rotation, turn * rest.rotation];
    Clip {
        name: "hop".to_owned(),
        tracks: vec![
            track(
                Channel::Translation,
                places.iter().flat_map(|p| p.as_vec3().to_array()).collect(),
            ),
            track(
                Channel::Rotation,
                turns.iter().flat_map(|q| q.as_quat().to_array()).collect(),
            ),
        ],
    }
}

fn row_by_row(m: DAffine3) -> String {
    let all = DMat4::from(m).transpose().to_cols_array();
    all.map(|v| v.to_string()).join(" ")
}

/// A Collada file in centimetres with +Z up: polygons of all faces, a skin, joints by matrices, and the root moving by steps.
pub fn collada(c: &Character) -> String {
    let to_file = |m: DAffine3| {
        let turned = DAffine3::from_mat3(Z_UP.inverse()) * m;
        DAffine3::from_mat3_translation(turned.matrix3, turned.translation * 100.0)
    };
    let listed = |values: Vec<String>| (values.len(), values.join(" "));
    let positions = c
        .mesh
        .positions
        .iter()
        .flat_map(|&p| (Z_UP.inverse() * p.as_dvec3() * 100.0).to_array());
    let (numbers, positions) = listed(positions.map(|v| v.to_string()).collect());
    let (faces, corners) = (c.mesh.triangles.len(), c.mesh.triangles.iter().flatten());
    let (_, corners) = listed(corners.map(u32::to_string).collect());
    let joints = &c.skeleton.joints;
    let names = joints
        .iter()
        .map(|j| j.name.as_str())
        .collect::<Vec<_>>()
        .join(" ");
    let binds: Vec<String> = joints
        .iter()
        .map(|j| row_by_row(to_file(j.bind_from_joint).inverse()))
        .collect();
    let weights = c.weights.as_ref().unwrap();
    let (count, shares) = listed(
        weights
            .influences()
            .iter()
            .map(|i| i.weight.to_string())
            .collect(),
    );
    let (_, counts) = listed(weights.iter().map(|row| row.len().to_string()).collect());
    let pairs = weights
        .influences()
        .iter()
        .enumerate()
        .map(|(k, i)| format!("{} {k}", i.joint.0));
    let (_, pairs) = listed(pairs.collect());
    let mut nodes = String::new();
    fn node(c: &Character, of: usize, to_file: &dyn Fn(DAffine3) -> DAffine3, nodes: &mut String) {
        let joint = &c.skeleton.joints[of];
        let here = match joint.parent {
            None => to_file(joint.bind_from_joint),
            Some(parent) => {
                to_file(c.skeleton.joint(parent).bind_from_joint).inverse() * to_file(joint.bind_from_joint)
            }
        };
        let name = &joint.name;
        let _ = write!(
            nodes,
            r#"<node id="id-{name}" name="{name}" sid="{name}" type="JOINT">"#
        );
        if joint.parent.is_none() {
            // By steps: a turn about an axis, and a place that is animated.
            let (_, turn, p) = here.to_scale_rotation_translation();
            let (axis, angle) = turn.to_axis_angle();
            let angle = angle.to_degrees();
            let _ = write!(
                nodes,
                r#"<translate sid="place">{} {} {}</translate>"#,
                p.x, p.y, p.z
            );
            let _ = write!(
                nodes,
                r#"<rotate sid="turn">{} {} {} {angle}</rotate>"#,
                axis.x, axis.y, axis.z
            );
        } else {
            let _ = write!(nodes, r#"<matrix sid="transform">{}</matrix>"#, row_by_row(here));
        }
        let children = c
            .skeleton
            .joints
            .iter()
            .enumerate()
            .filter(|(_, j)| j.parent.is_some_and(|p| p.at() == of));
        for (child, _) in children {
            node(c, child, to_file, nodes);
        }
        nodes.push_str("</node>");
    }
    let mut heights = (0.0, 0.0);
    for (k, joint) in joints.iter().enumerate().filter(|(_, j)| j.parent.is_none()) {
        let height = to_file(joint.bind_from_joint).translation.z;
        heights = (height, height + 50.0);
        node(c, k, &to_file, &mut nodes);
    }
    let (matrices, binds) = (16 * joints.len(), binds.join(" "));
    let (vertices, root) = (c.mesh.positions.len(), &joints[0].name);
    format!(
        r##"<?xml version="1.0" encoding="utf-8"?>
<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
<asset><unit name="centimeter" meter="0.01"/><up_axis>Z_UP</up_axis></asset>
<library_effects><effect id="e"><profile_COMMON><technique sid="common"><lambert><diffuse><color>0.5 0.25 0.125 1</color></diffuse></lambert></technique></profile_COMMON></effect></library_effects>
<library_materials><material id="m" name="cloth"><instance_effect url="#e"/></material></library_materials>
<library_geometries><geometry id="g" name="body"><mesh>
<source id="p"><float_array id="pa" count="{numbers}">{positions}</float_array><technique_common><accessor source="#pa" count="{vertices}" stride="3"/></technique_common></source>
<vertices id="v"><input semantic="POSITION" source="#p"/></vertices>
<triangles material="s" count="{faces}"><input semantic="VERTEX" source="#v" offset="0"/><p>{corners}</p></triangles>
</mesh></geometry></library_geometries>
<library_controllers><controller id="c"><skin source="#g"><bind_shape_matrix>1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 1</bind_shape_matrix>
<source id="j"><Name_array id="ja" count="{joint_count}">{names}</Name_array></source>
<source id="b"><float_array id="ba" count="{matrices}">{binds}</float_array><technique_common><accessor source="#ba" count="{joint_count}" stride="16"/></technique_common></source>
<source id="w"><float_array id="wa" count="{count}">{shares}</float_array><technique_common><accessor source="#wa" count="{count}" stride="1"/></technique_common></source>
<joints><input semantic="JOINT" source="#j"/><input semantic="INV_BIND_MATRIX" source="#b"/></joints>
<vertex_weights count="{vertices}"><input semantic="JOINT" source="#j" offset="0"/><input semantic="WEIGHT" source="#w" offset="1"/><vcount>{counts}</vcount><v>{pairs}</v></vertex_weights>
</skin></controller></library_controllers>
<library_animations><animation id="a"><source id="t"><float_array id="ta" count="2">0 0.1</float_array><technique_common><accessor source="#ta" count="2" stride="1"/></technique_common></source>
<source id="o"><float_array id="oa" count="2">{} {}</float_array><technique_common><accessor source="#oa" count="2" stride="1"/></technique_common></source>
<sampler id="sa"><input semantic="INPUT" source="#t"/><input semantic="OUTPUT" source="#o"/></sampler><channel source="#sa" target="id-{root}/place.Z"/></animation></library_animations>
<library_visual_scenes><visual_scene id="scene">{nodes}
<node id="body" name="body"><instance_controller url="#c"><skeleton>#id-{root}</skeleton><bind_material><technique_common><instance_material symbol="s" target="#m"/></technique_common></bind_material></instance_controller></node>
</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#scene"/></scene>
</COLLADA>
"##,
        heights.0,
        heights.1,
        joint_count = joints.len(),
    )
}

/// A small character with weights, for seeds: the sample's tube, bound to its closest joints.
pub fn tube() -> Character {
    use ligament::bind::{BindOptions, Method};
    let c = ligament::sample::make("tube@120").unwrap();
    let bound = Method::named("closest").unwrap().bind_character(
        &c,
        &BindOptions::default(),
        &ligament::task::Task::unattended(),
    );
    Character {
        weights: Some(bound.unwrap().weights),
        ..c
    }
}
