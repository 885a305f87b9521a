//! Input that is empty or makes no sense: an error that names it, or complete weights;
//! never a panic.

use glam::{DVec3, Vec3};
use ligament::bind::{BindError, DeformChoice};
use ligament::character::{Character, JointIndex, MeshError, PartAttachment, SkeletonError};
use ligament::skin::SkinError;
use ligament::task::Task;

use crate::characters::{chain, made, of, scaled};
use crate::methods::{self, Request};

/// Fails unless every method refuses the character with an error that is the one meant.
fn assert_refused(name: &str, break_it: impl Fn(&mut Character), meant: impl Fn(&BindError) -> bool) {
    let mut character = made("tube@60");
    character.name = name.to_owned();
    break_it(&mut character);
    for method in methods::all() {
        let result = method.bind(&character, &Request::default(), &Task::unattended());
        let error = result.expect_err(name);
        assert!(meant(&error), "{} on {name}: {error}", method.label());
    }
}

#[test]
fn meshes_that_cannot_be_are_refused() {
    let mesh = |check: fn(&MeshError) -> bool| move |e: &BindError| matches!(e, BindError::Skin(SkinError::Mesh(m)) if check(m));
    let none = mesh(|m| *m == MeshError::NoTriangles);
    assert_refused("no triangles", |c| c.mesh.triangles.clear(), none);
    assert_refused("nothing", |c| *c = Character::default(), none);
    for bad in [f32::NAN, f32::INFINITY] {
        assert_refused(
            "no number",
            |c| c.mesh.positions[7].y = bad,
            mesh(|m| matches!(m, MeshError::NotFinite { vertex: 7, .. })),
        );
    }
    assert_refused(
        "no such vertex",
        |c| c.mesh.triangles[3][1] = 9999,
        mesh(|m| {
            matches!(
                m,
                MeshError::VertexOutOfRange {
                    triangle: 3,
                    vertex: 9999,
                    ..
                }
            )
        }),
    );
    assert_refused(
        "no parts",
        |c| c.mesh.parts.clear(),
        mesh(|m| matches!(m, MeshError::BadPart { part: 0, .. })),
    );
    assert_refused(
        "few normals",
        |c| c.mesh.normals = Some(vec![Vec3::Y]),
        mesh(|m| matches!(m, MeshError::WrongLength { array: "normals", .. })),
    );
    assert_refused(
        "all carried",
        |c| c.mesh.parts[0].attachment = PartAttachment::Rigid(JointIndex(1)),
        |e| *e == BindError::Skin(SkinError::NothingBends),
    );
    for joints in [vec![], vec![JointIndex(77)]] {
        assert_refused(
            "joints of a part that are none",
            |c| c.mesh.parts[0].joints = Some(joints.clone()),
            |e| {
                matches!(
                    e,
                    BindError::Skin(
                        SkinError::NoJointInPart { .. } | SkinError::NoSuchJoint { joint: 77, .. }
                    )
                )
            },
        );
    }
    assert_refused(
        "carried by nobody",
        |c| {
            c.mesh.parts[0].triangles = 0..40;
            let mut other = c.mesh.parts[0].clone();
            other.triangles = 40..c.mesh.triangles.len();
            other.vertices = 0..1;
            other.attachment = PartAttachment::Rigid(JointIndex(77));
            c.mesh.parts.push(other);
        },
        |e| matches!(e, BindError::Skin(SkinError::NoSuchJoint { joint: 77, .. })),
    );
}

#[test]
fn skeletons_that_cannot_be_are_refused() {
    let skeleton = |check: fn(&SkeletonError) -> bool| move |e: &BindError| matches!(e, BindError::Skin(SkinError::Skeleton(s)) if check(s));
    let none = skeleton(|s| *s == SkeletonError::NoJoints);
    assert_refused("no joints", |c| c.skeleton.joints.clear(), none);
    assert_refused(
        "no joints of a skin",
        |c| c.skeleton.joints.iter_mut().for_each(|j| j.in_skin = false),
        none,
    );
    assert_refused(
        "a circle",
        |c| c.skeleton.joints[0].parent = Some(JointIndex(2)),
        skeleton(|s| matches!(s, SkeletonError::ParentNotFirst { joint: 0, .. })),
    );
    for bad in [DVec3::NAN, DVec3::X / 0.0] {
        assert_refused(
            "a joint nowhere",
            |c| c.skeleton.joints[1].bind_from_joint.translation = bad,
            skeleton(|s| matches!(s, SkeletonError::BadTransform { joint: 1, .. })),
        );
    }
    assert_refused(
        "a joint without volume",
        |c| c.skeleton.joints[2].bind_from_joint.matrix3.x_axis = DVec3::ZERO,
        skeleton(|s| matches!(s, SkeletonError::BadTransform { joint: 2, .. })),
    );
}

#[test]
fn requests_that_cannot_be_are_refused() {
    let character = made("tube@60");
    for method in methods::all() {
        let refused = |request: Request| {
            method
                .bind(&character, &request, &Task::unattended())
                .unwrap_err()
        };
        let error = refused(Request::with_influences(0));
        assert_eq!(error, BindError::NoInfluences, "{}", method.label());
        for deform in [
            DeformChoice::Joints(Vec::new()),
            DeformChoice::Joints(vec![JointIndex(77)]),
            DeformChoice::Patterns(vec!["nobody".to_owned()]),
            DeformChoice::Used,
        ] {
            let error = refused(Request {
                deform,
                ..Request::default()
            });
            assert!(
                matches!(error, BindError::Deform(_)),
                "{}: {error}",
                method.label()
            );
        }
    }
}

/// What is strange but can be bound is bound.
#[test]
fn strange_characters_get_complete_weights() {
    let triangle = || (vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]);
    let tube = made("tube@60");
    let named = |name: &str, mut character: Character| {
        character.name = name.to_owned();
        character
    };
    let with_joints = |name: &str, joints: &[[f64; 3]]| {
        let mesh = tube.mesh.clone();
        of(name, mesh.positions, mesh.triangles, chain(joints))
    };
    let one = |name: &str, positions: Vec<Vec3>, triangles: Vec<[u32; 3]>| {
        of(
            name,
            positions,
            triangles,
            chain(&[[0.2, 0.2, 0.0], [0.4, 0.4, 0.0]]),
        )
    };
    let many: Vec<[f64; 3]> = (0..300).map(|i| [0.0, f64::from(i) / 300.0, 0.0]).collect();
    let (positions, triangles) = triangle();
    let characters = [
        one("one triangle", positions.clone(), triangles.clone()),
        one(
            "one triangle, three times one corner",
            positions.clone(),
            vec![[1, 1, 1]],
        ),
        one("all at one point", vec![Vec3::ONE; 3], triangles.clone()),
        one(
            "all on one line",
            [0.0, 1.0, 2.0].map(|x| Vec3::X * x).into(),
            triangles,
        ),
        with_joints("one joint", &[[0.0, 0.5, 0.0]]),
        with_joints("joints at one point", &[[0.0, 0.5, 0.0]; 3]),
        with_joints("joints on the skin", &[[0.1, 0.0, 0.0], [0.1, 1.0, 0.0]]),
        with_joints("joints outside", &[[5.0, 0.0, 0.0], [5.0, 1.0, 0.0]]),
        with_joints("a joint very far away", &[[0.0, 0.5, 0.0], [1e30, 0.0, 0.0]]),
        with_joints("three hundred joints", &many),
        named(
            "far from the origin",
            crate::characters::moved(&tube, Vec3::splat(1e6)),
        ),
        scaled(&tube, 1e12),
        scaled(&tube, 1e-12),
    ];
    for character in &characters {
        for method in methods::all() {
            let bound = method.bind(character, &Request::default(), &Task::unattended());
            assert!(
                bound.is_ok(),
                "{} on {}: {bound:?}",
                method.label(),
                character.name
            );
        }
    }
}

/// At the ends of what `f32` can hold, lengths and areas vanish or overflow.
#[test]
fn the_ends_of_the_range_are_bound_or_refused() {
    let tube = made("tube@60");
    for by in [1e18, 1e25, 3e38, 1e-18, 1e-25, 1e-40] {
        let character = scaled(&tube, by);
        for method in methods::all() {
            let result = method.bind(&character, &Request::default(), &Task::unattended());
            // Only a fit runs out of numbers, and only past the squares that `f32` can hold.
            if let Err(error) = result {
                let far = method.is_fit() && by == 3e38;
                assert!(far, "{} × {by}: {error}", method.label());
            }
        }
    }
}
