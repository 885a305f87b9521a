//! Maps of vertices, which splats follow, against the deformers.

#![allow(clippy::unwrap_used, reason = "tests")]

use ligament::bind::{BindOptions, Method};
use ligament::deform::{DeformError, DeformMethod, SkinnedMesh, blended_transforms};
use ligament::task::Task;

#[test]
fn maps_move_positions_as_the_deformers_do() {
    let character = ligament::sample::make("apose@1000").unwrap();
    let method = Method::named("closest").unwrap();
    let bound = method.bind_character(&character, &BindOptions::default(), &Task::unattended());
    let weights = bound.unwrap().weights;
    let skeleton = &character.skeleton;
    let mut pose = character.clips[0].pose_at(skeleton, 0.3);
    pose.locals[2].scale = glam::DVec3::new(1.2, 0.9, 1.4); // dual quaternions blend stretch apart
    let moves = pose.world_from_bind(skeleton);
    let skin = SkinnedMesh::new(&character.mesh, &weights).unwrap();
    for method in [DeformMethod::LinearBlend, DeformMethod::DualQuaternion] {
        let wanted = match method {
            DeformMethod::LinearBlend => skin.linear_blend(&moves).unwrap(),
            _ => skin.dual_quaternion(skeleton, &moves).unwrap(),
        };
        let maps = blended_transforms(&weights, skeleton, &moves, method).unwrap();
        for ((map, rest), wanted) in maps.iter().zip(&character.mesh.positions).zip(wanted.positions) {
            let found = map.transform_point3(rest.as_dvec3()).as_vec3();
            assert!(found.distance(wanted) < 2e-6, "{found} {wanted}");
        }
    }
    let mush = blended_transforms(&weights, skeleton, &moves, DeformMethod::DeltaMush);
    assert_eq!(mush, Err(DeformError::NeedsFaces));
    let few = blended_transforms(&weights, skeleton, &moves[..2], DeformMethod::LinearBlend);
    assert!(matches!(few, Err(DeformError::TooFewJoints { joints: 2, .. })));
}
