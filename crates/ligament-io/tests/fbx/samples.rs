//! Characters made by code, with weights.

use ligament::Character;
use ligament::bind::{BindOptions, Method};
use ligament::character::{Influence, PartAttachment, Weights};
use ligament::task::Task;

/// A sample with weights that fall with the square of the distance to the closest bones'
/// joints, so that they are no round numbers.
pub fn bound(sample: &str) -> Character {
    let mut c = ligament::sample::make(sample).unwrap();
    let task = Task::unattended();
    let closest = Method::named("closest")
        .unwrap()
        .bind_character(&c, &BindOptions::default(), &task)
        .unwrap()
        .weights;
    let mut lists: Vec<Vec<Influence>> = closest.iter().map(<[Influence]>::to_vec).collect();
    for (list, at) in lists.iter_mut().zip(&c.mesh.positions) {
        let first = list[0].joint;
        let near = [Some(first), c.skeleton.skin_parent(first)];
        let nearness = |joint| 1.0 / (1e-3 + c.skeleton.bind_position(joint).distance_squared(at.as_dvec3()));
        let near = near.into_iter().flatten();
        *list = near
            .map(|joint| Influence {
                joint,
                weight: nearness(joint) as f32,
            })
            .collect();
    }
    for part in &c.mesh.parts {
        if let PartAttachment::Rigid(joint) = part.attachment {
            lists[part.vertices.clone()].fill(vec![Influence { joint, weight: 1.0 }]);
        }
    }
    c.weights = Some(Weights::new(lists.iter().map(Vec::as_slice)).unwrap());
    c
}

/// A PNG of one white pixel.
pub const PNG: &[u8] = &[
    0x89, 0x50, 0x4e, 0x47, 0xd, 0xa, 0x1a, 0xa, 0x0, 0x0, 0x0, 0xd, 0x49, 0x48, 0x44, 0x52, 0x0, 0x0, 0x0,
    0x1, 0x0, 0x0, 0x0, 0x1, 0x8, 0x0, 0x0, 0x0, 0x0, 0x3a, 0x7e, 0x9b, 0x55, 0x0, 0x0, 0x0, 0xa, 0x49, 0x44,
    0x41, 0x54, 0x78, 0xda, 0x63, 0xf8, 0xf, 0x0, 0x1, 0x1, 0x1, 0x0, 0x1c, 0xb0, 0x8c, 0x99, 0x0, 0x0, 0x0,
    0x0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82,
];
