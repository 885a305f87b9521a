//! Closed forms of the two baselines, and what shared options mean.

use glam::{DAffine3, DVec3, Vec3};

use super::*;
use crate::character::{
    Character, Joint, JointIndex, Material, Mesh, MeshError, Part, PartAttachment, Skeleton, SkeletonError,
    Transform,
};
use crate::skin::{Skin, SkinError};
use crate::task::Task;

/// Joints at the given positions, each the child of the one before.
fn chain(positions: &[[f64; 3]]) -> Skeleton {
    let joint = |(i, &at): (usize, &[f64; 3])| {
        let before = i
            .checked_sub(1)
            .map_or(DVec3::ZERO, |p| DVec3::from(positions[p]));
        Joint {
            name: format!("joint{i}"),
            parent: i.checked_sub(1).map(|p| JointIndex(p as u16)),
            rest: Transform::from_translation(DVec3::from(at) - before),
            bind_from_joint: DAffine3::from_translation(at.into()),
            in_skin: true,
        }
    };
    Skeleton {
        joints: positions.iter().enumerate().map(joint).collect(),
    }
}

fn part(name: &str, vertices: std::ops::Range<usize>, triangles: std::ops::Range<usize>) -> Part {
    Part {
        name: name.to_owned(),
        vertices,
        triangles,
        material: Material::default(),
        attachment: PartAttachment::Skin,
        joints: None,
    }
}

/// Two triangles that share the positions of two corners, over three joints on a line.
fn character() -> Character {
    let positions = vec![
        Vec3::new(0.0, 1.0, 0.0),
        Vec3::new(1.0, 1.0, 0.0),
        Vec3::new(0.5, 2.0, 0.0),
        Vec3::new(1.0, 1.0, 0.0), // a twin of vertex 1
        Vec3::new(2.0, 1.0, 0.0),
        Vec3::new(0.5, 2.0, 0.0), // a twin of vertex 2
    ];
    Character {
        name: "two".to_owned(),
        mesh: Mesh {
            positions,
            triangles: vec![[0, 1, 2], [3, 4, 5]],
            parts: vec![part("left", 0..3, 0..1), part("right", 3..6, 1..2)],
            ..Mesh::default()
        },
        skeleton: chain(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0]]),
        ..Character::default()
    }
}

fn bind_by(method: Method, character: &Character, options: &BindOptions) -> Result<BindResult, BindError> {
    method.bind(&Skin::new(character.clone())?, options, &Task::unattended())
}

fn bind(character: &Character, options: &BindOptions) -> Result<BindResult, BindError> {
    bind_by(Method::Closest(ProximityOptions::default()), character, options)
}

fn weights_at(bound: &BindResult, vertex: usize) -> Vec<(u16, f32)> {
    bound
        .weights
        .of_vertex(vertex)
        .iter()
        .map(|i| (i.joint.0, i.weight))
        .collect()
}

#[test]
fn closest_follows_the_fourth_power() {
    let bound = bind(&character(), &BindOptions::default()).unwrap();
    // Vertex 4 at (2, 1): joint 1 owns 1..2 and joint 2 the stub 2..2.25, both at
    // distance 1; joint 0 owns 0..1, at distance √2, and so weighs a quarter of either.
    let found = weights_at(&bound, 4);
    let expected = [(1, 4.0 / 9.0), (2, 4.0 / 9.0), (0, 1.0 / 9.0)];
    for ((joint, weight), (wanted, fraction)) in found.into_iter().zip(expected) {
        assert_eq!(joint, wanted);
        assert!((weight - fraction).abs() < 1e-6, "{weight} for {fraction}");
    }
}

#[test]
fn the_power_is_an_option() {
    let with = |power| {
        let method = Method::Closest(ProximityOptions { power });
        bind_by(method, &character(), &BindOptions::default())
    };
    // Half instead of a quarter: 2/5, 2/5, 1/5.
    assert!((weights_at(&with(2.0).unwrap(), 4)[2].1 - 0.2).abs() < 1e-6);
    for power in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(with(power), Err(BindError::OutOfRange { .. })));
    }
}

/// The nearest joint shares with its parent and children alone, over joints left out.
#[test]
fn hierarchy_keeps_to_neighbours() {
    let mut c = character();
    c.skeleton = chain(&[
        [0.0, 0.0, 0.0],
        [1.0, 0.0, 0.0],
        [2.0, 0.0, 0.0],
        [3.0, 0.0, 3.0],
        [0.0, 2.2, 0.5],
    ]);
    let joints = |bound: &BindResult, v: usize| {
        let mut list: Vec<u16> = weights_at(bound, v).iter().map(|w| w.0).collect();
        list.sort_unstable();
        list
    };
    let hierarchy = || Method::Hierarchy(ProximityOptions::default());
    let run = |c: &Character, options: &BindOptions| bind_by(hierarchy(), c, options).unwrap();
    let bound = run(&c, &BindOptions::default());
    // Vertex 0 at (0, 1) is nearest to joint 0, whose one neighbour is joint 1; in a
    // straight line the bone of joint 3, which runs back to that point, is nearer.
    assert_eq!(joints(&bound, 0), [0, 1]);
    assert!(joints(&bind(&c, &BindOptions::default()).unwrap(), 0).contains(&3));
    // (2, 1) lies at the border of joints 1 and 2, and the first of them is the nearest.
    assert_eq!(joints(&bound, 4), [0, 1, 2]);
    let without = BindOptions {
        deform: DeformChoice::Patterns(vec!["!joint1".to_owned()]),
        ..BindOptions::default()
    };
    assert_eq!(joints(&run(&c, &without), 0), [0, 2]);
}

#[test]
fn on_a_bone_it_is_all_or_nothing() {
    let mut c = character();
    c.mesh.positions[4] = Vec3::new(1.5, 0.0, 0.0);
    let bound = bind(&c, &BindOptions::default()).unwrap();
    assert_eq!(weights_at(&bound, 4), [(1, 1.0)]);
}

#[test]
fn influences_and_prune_threshold_are_kept() {
    let few = BindOptions {
        influences: 2,
        ..BindOptions::default()
    };
    assert_eq!(bind(&character(), &few).unwrap().weights.max_influences(), 2);
    let high = BindOptions {
        prune: 0.2,
        ..BindOptions::default()
    };
    let bound = bind(&character(), &high).unwrap();
    assert_eq!(weights_at(&bound, 4), [(1, 0.5), (2, 0.5)]);
}

#[test]
fn scale_changes_nothing() {
    let plain = bind(&character(), &BindOptions::default()).unwrap();
    for scale in [1e-8f32, 1e8] {
        let mut c = character();
        for p in &mut c.mesh.positions {
            *p *= scale;
        }
        for joint in &mut c.skeleton.joints {
            joint.bind_from_joint.translation *= f64::from(scale);
        }
        let scaled = bind(&c, &BindOptions::default()).unwrap();
        for v in 0..6 {
            for (a, b) in weights_at(&plain, v).iter().zip(weights_at(&scaled, v)) {
                assert_eq!(a.0, b.0, "at scale {scale}");
                assert!((a.1 - b.1).abs() < 1e-5, "at scale {scale}");
            }
        }
    }
}

/// A seam between parts whose skins list different joints must not tear.
#[test]
fn coincident_vertices_follow_joints_that_both_parts_list() {
    let mut c = character();
    c.mesh.parts[0].joints = Some(vec![JointIndex(0), JointIndex(1)]);
    c.mesh.parts[1].joints = Some(vec![JointIndex(1), JointIndex(2)]);
    let bound = bind(&c, &BindOptions::default()).unwrap();
    assert_eq!(weights_at(&bound, 1), weights_at(&bound, 3));
    assert_eq!(weights_at(&bound, 1), [(1, 1.0)]);
    let joints = |v: usize| weights_at(&bound, v).iter().map(|w| w.0).collect::<Vec<_>>();
    assert!(!joints(0).contains(&2) && !joints(4).contains(&0));
}

#[test]
fn a_part_whose_joints_all_stay_out_keeps_its_own_and_says_so() {
    let mut c = character();
    c.mesh.parts[1].joints = Some(vec![JointIndex(2)]);
    let options = BindOptions {
        deform: DeformChoice::Patterns(vec!["joint0".to_owned()]),
        ..BindOptions::default()
    };
    let bound = bind(&c, &options).unwrap();
    assert_eq!(weights_at(&bound, 0), [(0, 1.0)]);
    assert_eq!(weights_at(&bound, 4), [(2, 1.0)]);
    assert_eq!(
        bound.warnings,
        [BindWarning::NoDeformJointInPart {
            part: "right".to_owned(),
            joints: 1
        }]
    );
}

#[test]
fn what_a_joint_carries_follows_it_alone() {
    let mut c = character();
    c.mesh.parts[1].attachment = PartAttachment::Rigid(JointIndex(2));
    let bound = bind(&c, &BindOptions::default()).unwrap();
    for v in 3..6 {
        assert_eq!(weights_at(&bound, v), [(2, 1.0)]);
    }
    c.mesh.parts[0].attachment = PartAttachment::Rigid(JointIndex(0));
    assert_eq!(
        bind(&c, &BindOptions::default()).err(),
        Some(BindError::Skin(SkinError::NothingBends))
    );
}

#[test]
fn faults_are_named_before_anything_is_done() {
    let none = BindOptions {
        influences: 0,
        ..BindOptions::default()
    };
    assert_eq!(bind(&character(), &none).err(), Some(BindError::NoInfluences));
    let mut c = character();
    c.mesh.positions[2].z = f32::INFINITY;
    assert!(matches!(
        bind(&c, &BindOptions::default()),
        Err(BindError::Skin(SkinError::Mesh(MeshError::NotFinite {
            vertex: 2,
            ..
        })))
    ));
    let mut c = character();
    c.skeleton.joints.clear();
    assert_eq!(
        bind(&c, &BindOptions::default()).err(),
        Some(BindError::Skin(SkinError::Skeleton(SkeletonError::NoJoints)))
    );
    let error = Method::named("magic").err().unwrap().to_string();
    assert!(error.contains("magic") && error.contains("closest"), "{error}");
}

/// A method and its options survive a file, and what they do not know is refused.
#[test]
fn methods_are_data() {
    for method in Method::all() {
        let name = method.name();
        assert_eq!(Method::named(name).as_ref(), Ok(&method), "{name}");
    }
}
