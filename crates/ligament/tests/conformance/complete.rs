//! Every vertex gets weights: whole characters, any number of influences, broken meshes.

use glam::Vec3;
use ligament::bind::DeformChoice;
use ligament::character::JointIndex;
use ligament::task::Task;
use proptest::prelude::*;

use crate::characters::{chain, made, of, small};
use crate::defects;
use crate::methods::{self, Request};

/// The validator looks at everything; this only makes sure that there is something.
#[test]
fn every_method_gives_complete_weights() {
    for character in small() {
        for method in methods::all() {
            let bound = method.bind(&character, &Request::default(), &Task::unattended());
            assert!(
                bound.is_ok(),
                "{} on {}: {bound:?}",
                method.label(),
                character.name
            );
        }
    }
}

#[test]
fn no_vertex_follows_more_joints_than_asked_for() {
    let character = made("hand@500");
    for method in methods::all() {
        for influences in [1, 2, 4, 8, usize::MAX] {
            let request = Request::with_influences(influences);
            let bound = method.bind(&character, &request, &Task::unattended()).unwrap();
            let most = bound.weights.max_influences();
            // One joint alone is never enough for all of a hand.
            assert_eq!(most == 1, influences == 1, "{}: {most}", method.label());
        }
    }
}

/// The slow half serves every number of influences: what comes of it is what a whole bind gives.
#[test]
fn what_is_prepared_once_gives_the_weights_of_a_whole_bind() {
    let character = made("hand@500");
    let others = [1, 2, 8].map(Request::with_influences);
    for method in methods::all() {
        let bound = method
            .prepare_and_evaluate(&character, &Request::default(), &others)
            .unwrap();
        for (request, evaluated) in others
            .iter()
            .zip(bound)
            .filter(|_| method.serves_any_influences())
        {
            let whole = method.bind(&character, request, &Task::unattended()).unwrap();
            assert!(
                whole.weights == evaluated.weights,
                "{}, at most {}",
                method.label(),
                request.influences
            );
        }
    }
}

/// The choice of joints holds for every vertex, however it is made.
#[test]
fn only_chosen_joints_hold_weight() {
    let character = made("hand@500");
    let every_other = character.skeleton.indices().step_by(2).collect();
    for deform in [
        DeformChoice::Guess,
        DeformChoice::Joints(every_other),
        DeformChoice::Joints(vec![JointIndex(3)]),
    ] {
        let request = Request {
            deform,
            ..Request::default()
        };
        for method in methods::all() {
            method.bind(&character, &request, &Task::unattended()).unwrap();
        }
    }
}

#[test]
fn broken_meshes_get_complete_weights() {
    for character in defects::all() {
        for method in methods::all() {
            let bound = method.bind(&character, &Request::default(), &Task::unattended());
            assert!(
                bound.is_ok(),
                "{} on {}: {bound:?}",
                method.label(),
                character.name
            );
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, ..ProptestConfig::default() })]

    /// Corners on a small grid breed every defect there is, and all of them at once.
    #[test]
    fn any_triangles_at_all_get_complete_weights(
        corners in prop::collection::vec(prop::array::uniform3(0i8..5), 3..24),
        faces in prop::collection::vec(prop::array::uniform3(0usize..24), 1..24),
        joints in prop::collection::vec(prop::array::uniform3(-1i8..6), 1..5),
    ) {
        let count = corners.len();
        let positions = corners.iter().map(|c| Vec3::from(c.map(f32::from))).collect();
        let triangles = faces.iter().map(|f| f.map(|v| (v % count) as u32)).collect();
        let joints: Vec<[f64; 3]> = joints.iter().map(|j| j.map(f64::from)).collect();
        let character = of("soup", positions, triangles, chain(&joints));
        for method in methods::all() {
            let bound = method.bind(&character, &Request::default(), &Task::unattended());
            prop_assert!(bound.is_ok(), "{}: {bound:?}", method.label());
        }
    }
}
