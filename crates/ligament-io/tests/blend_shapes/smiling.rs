//! A character made by code that has blend shapes.

use glam::Vec3;
use ligament::Character;
use ligament::bind::{BindOptions, Method};
use ligament::character::{BlendShape, Influence, Interpolation, PartAttachment, ShapeMotion, Weights};
use ligament::task::Task;

/// The order of vertices in files: by mesh, where parts that share vertices are one.
pub fn file_order(c: &Character) -> Vec<usize> {
    let mut seen = Vec::new();
    let mut order = Vec::new();
    for part in &c.mesh.parts {
        if !seen.contains(&part.vertices) {
            seen.push(part.vertices.clone());
            order.extend(part.vertices.clone());
        }
    }
    order
}

/// A shape that moves every `step`th vertex of a part.
fn shape(c: &Character, part: usize, name: &str, step: usize, with_normals: bool) -> BlendShape {
    let part_vertices = c.mesh.parts[part].vertices.clone();
    let vertices: Vec<u32> = part_vertices.clone().step_by(step).map(|v| v as u32).collect();
    let offset = |&v: &u32| {
        let p = c.mesh.positions[v as usize];
        0.05 * Vec3::new((9.0 * p.y).sin(), 1.0 + (7.0 * p.x).cos(), p.z - 0.3)
    };
    let normal = |&v: &u32| 0.1 * Vec3::new((v as f32).sin(), 0.5, (v as f32).cos());
    BlendShape {
        name: name.to_owned(),
        weight: 0.0,
        offsets: vertices.iter().map(offset).collect(),
        normal_offsets: with_normals.then(|| vertices.iter().map(normal).collect()),
        vertices,
        part_vertices,
        motions: Vec::new(),
    }
}

/// A knight whose first part has three shapes, one of which moves nothing, and whose last part, which
/// is carried by a joint, has one.
pub fn smiling() -> Character {
    let mut c = ligament::sample::make("knight@2000").unwrap();
    let closest = Method::named("closest").unwrap();
    let bound = closest.bind_character(&c, &BindOptions::default(), &Task::unattended());
    let mut rows: Vec<Vec<Influence>> = bound.unwrap().weights.iter().map(<[_]>::to_vec).collect();
    let (skin, rigid) = (0, c.mesh.parts.len() - 1);
    let part = &mut c.mesh.parts[rigid];
    let joint = rows[part.vertices.start][0].joint;
    part.attachment = PartAttachment::Rigid(joint);
    rows[part.vertices.clone()].fill(vec![Influence { joint, weight: 1.0 }]);
    c.weights = Some(Weights::new(rows.iter().map(Vec::as_slice)).unwrap());
    assert_ne!(c.mesh.parts[skin].vertices, c.mesh.parts[rigid].vertices);
    c.mesh.blend_shapes = vec![
        shape(&c, skin, "smile", 3, true),
        shape(&c, skin, "2. blink/左", 1, false),
        shape(&c, skin, "nothing", usize::MAX, false),
        shape(&c, rigid, "open", 2, true),
    ];
    c.mesh.blend_shapes[0].weight = 0.25;
    c.mesh.blend_shapes[2].vertices.clear();
    c.mesh.blend_shapes[2].offsets.clear();
    c
}

/// The same, with shapes that move: along straight lines while it walks, by steps and along splines in a
/// clip that moves no joint.
pub fn talking() -> Character {
    let mut c = smiling();
    let walk = c.clips[0].name.clone();
    let motion = |clip: &str, interpolation, times: &[f32], values: &[f32]| ShapeMotion {
        clip: clip.to_owned(),
        interpolation,
        times: times.to_vec(),
        values: values.to_vec(),
    };
    let shapes = &mut c.mesh.blend_shapes;
    shapes[0].motions = vec![
        motion(
            &walk,
            Interpolation::Linear,
            &[0.0, 0.25, 0.5, 1.0],
            &[0.25, 1.0, -0.5, 0.25],
        ),
        motion("face", Interpolation::Linear, &[0.0, 1.0], &[0.0, 0.75]),
    ];
    shapes[1].motions = vec![motion(
        "face",
        Interpolation::CubicSpline,
        &[0.0, 0.5, 1.0],
        &[0.0, 0.0, 2.0, 0.5, 0.75, 0.5, -1.0, 0.25, 0.0],
    )];
    shapes[3].motions = vec![motion("face", Interpolation::Step, &[0.0, 0.5], &[0.0, 1.0])];
    c
}
