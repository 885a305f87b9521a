//! Weights that are transferred, or changed by a tool, are weights, whatever the meshes are like.

use ligament::bind::{BindOptions, BindResult, Method};
use ligament::character::{Character, JointIndex, Rows, Weights};
use ligament::skin::{PointIndex, Skin};
use ligament::task::Task;
use ligament::transfer::{
    TransferError, TransferOptions, TransferSource, TransferTarget, Transferred, transfer_weights,
};
use ligament::weights::{SmoothingRegion, limited_by_motion, smoothed};

use crate::characters::{made, scaled, small};
use crate::defects;
use crate::methods::Request;
use crate::threads::on_threads;
use crate::validator::{apart, check_weights};

fn closest(character: &Character) -> Weights {
    let bound = Method::named("closest").unwrap().bind_character(
        character,
        &BindOptions::default(),
        &Task::unattended(),
    );
    bound.unwrap().weights
}

fn transferred(body: &Character, weights: &Weights, target: &Skin) -> Transferred {
    let skin = Skin::new(body.clone()).unwrap();
    let source = TransferSource::of_body(&skin, weights, None).unwrap();
    let first = JointIndex(0);
    let fallback = |points: &[u32]| {
        Rows::in_parallel(points.len(), |range, rows| {
            for _ in range {
                rows.push([ligament::character::Influence {
                    joint: first,
                    weight: 1.0,
                }]);
            }
            Ok::<_, TransferError>(())
        })
    };
    let options = TransferOptions::default();
    let to = TransferTarget::of_skin(target);
    transfer_weights(&source, &to, None, &options, fallback, &Task::unattended()).unwrap()
}

fn checked(label: &str, target: &Skin, of_points: &Weights) -> Weights {
    let weights = target.to_vertices(of_points, JointIndex(0)).unwrap();
    let bound = BindResult {
        weights,
        warnings: Vec::new(),
        stages: Vec::new(),
    };
    check_weights(label, target.character(), &Request::default(), &bound);
    bound.weights
}

#[test]
fn every_broken_mesh_gives_and_takes_weights() {
    let sound = made("tube@200");
    let of_sound = closest(&sound);
    for mut broken in defects::all() {
        // Whose joints weights may go to is the caller's to say.
        for part in &mut broken.mesh.parts {
            part.joints = None;
        }
        let skin = Skin::new(broken.clone()).unwrap();
        let name = &broken.name;
        let taken = transferred(&sound, &of_sound, &skin);
        checked(&format!("to {name}"), &skin, &taken.weights);
        let given = transferred(&broken, &closest(&broken), &Skin::new(sound.clone()).unwrap());
        checked(
            &format!("from {name}"),
            &Skin::new(sound.clone()).unwrap(),
            &given.weights,
        );
    }
}

#[test]
fn to_itself_nothing_changes_and_units_do_not_matter() {
    for character in small() {
        let weights = closest(&character);
        let skin = Skin::new(character.clone()).unwrap();
        let own = transferred(&character, &weights, &skin);
        let made = checked("itself", &skin, &own.weights);
        let bends: Vec<bool> = skin.points_of_vertices().iter().map(Option::is_some).collect();
        let alike = |a: &Weights, b: &Weights, tolerance: f32| {
            let far =
                (0..bends.len()).filter(|&v| bends[v] && apart(a.of_vertex(v), b.of_vertex(v)) > tolerance);
            far.count()
        };
        // Where two surfaces touch, the closest face may be the other one's.
        assert!(
            alike(&made, &weights, 0.01) * 50 <= bends.len(),
            "{}",
            character.name
        );
        for by in [1e-3, 100.0] {
            let other = scaled(&character, by);
            let skin = Skin::new(other.clone()).unwrap();
            let there = checked("scaled", &skin, &transferred(&other, &weights, &skin).weights);
            assert!(alike(&made, &there, 0.02) * 200 <= bends.len(), "{}", other.name);
        }
    }
}

#[test]
fn the_number_of_threads_does_not_show() {
    let (body, target) = (made("knight@2000"), Skin::new(made("knight@3000")).unwrap());
    let weights = closest(&body);
    let with = |threads| on_threads(threads, || transferred(&body, &weights, &target));
    let one = with(1);
    for threads in [2, 5] {
        let many = with(threads);
        assert!(
            one.weights == many.weights && one.matches == many.matches,
            "{threads}"
        );
    }
}

#[test]
fn tools_leave_weights_behind_on_every_broken_mesh() {
    for mut broken in defects::all() {
        for part in &mut broken.mesh.parts {
            part.joints = None;
        }
        let skin = Skin::new(broken.clone()).unwrap();
        let weights = closest(&broken);
        let first = (0..skin.len() as u32).map(|p| skin.first_vertex(PointIndex(p)));
        let of_points = weights.gathered(first);
        let region = SmoothingRegion {
            length: 0.05 * skin.diagonal(),
            points: None,
            locked_joints: None,
            influences: 4,
        };
        let (laplacian, points) = (skin.laplacian(), skin.points());
        let soft = smoothed(&of_points, laplacian, points, &region, &Task::unattended()).unwrap();
        checked(&format!("smoothed {}", broken.name), &skin, &soft);
        let poses: Vec<Vec<glam::DAffine3>> = ligament::motion::frames(&broken, Default::default(), 4, &[])
            .iter()
            .map(|f| f.pose.world_from_bind(&broken.skeleton))
            .collect();
        let places: Vec<glam::Vec3> = points.iter().map(|p| p.as_vec3()).collect();
        let few = limited_by_motion(&soft, &places, &poses, 1);
        assert_eq!(few.max_influences(), 1, "{}", broken.name);
        checked(&format!("limited {}", broken.name), &skin, &few);
    }
}
