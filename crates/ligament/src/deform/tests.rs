//! Deformers against closed forms and against each other.

use glam::{DAffine3, DMat3, DQuat, DVec3, Vec3, Vec3Swizzles};

use super::*;
use crate::character::{Influence, Joint, JointIndex, Mesh, PartAttachment, Skeleton, Transform};

const SIDES: usize = 16;
const RINGS: usize = 41;

/// A tube of radius 1 along +X from −4 to 4, two bones that meet at the origin, weights
/// that change over evenly from x = −2 to x = 2. The middle ring has half of each.
fn tube() -> (Character, Weights) {
    let mut positions = Vec::new();
    let mut normals = Vec::new();
    let mut triangles = Vec::new();
    for ring in 0..RINGS {
        let x = -4.0 + 8.0 * ring as f32 / (RINGS - 1) as f32;
        for side in 0..SIDES {
            let (s, c) = (side as f32 / SIDES as f32 * std::f32::consts::TAU).sin_cos();
            positions.push(Vec3::new(x, c, s));
            normals.push(Vec3::new(0.0, c, s));
            if ring > 0 {
                let (a, b) = ((ring - 1) * SIDES + side, (ring - 1) * SIDES + (side + 1) % SIDES);
                let (a, b, n) = (a as u32, b as u32, SIDES as u32);
                triangles.push([a, b, b + n]);
                triangles.push([a, b + n, a + n]);
            }
        }
    }
    let mut mesh = Mesh::single_part("tube", positions, triangles);
    mesh.normals = Some(normals);
    let joint = |name: &str, parent, at: DVec3, rest| Joint {
        name: name.to_owned(),
        parent,
        rest: Transform::from_translation(rest),
        bind_from_joint: DAffine3::from_translation(at),
        in_skin: true,
    };
    let root_at = DVec3::new(-4.0, 0.0, 0.0);
    let skeleton = Skeleton {
        joints: vec![
            joint("a", None, root_at, root_at),
            joint("b", Some(JointIndex(0)), DVec3::ZERO, DVec3::new(4.0, 0.0, 0.0)),
        ],
    };
    let lists: Vec<[Influence; 2]> = mesh
        .positions
        .iter()
        .map(|p| {
            let b = ((p.x + 2.0) / 4.0).clamp(0.0, 1.0);
            [(0, 1.0 - b), (1, b)].map(|(j, weight)| Influence {
                joint: JointIndex(j),
                weight,
            })
        })
        .collect();
    let weights = Weights::new(lists.iter().map(|l| &l[..])).unwrap();
    let character = Character {
        name: "tube".to_owned(),
        mesh,
        skeleton,
        ..Character::default()
    };
    (character, weights)
}

/// Padding that carries no visible weight, to reach wider influence tables.
fn with_many_influences(weights: &Weights, count: u16) -> Weights {
    let lists: Vec<Vec<Influence>> = weights
        .iter()
        .map(|l| {
            let extra = (2..2 + count).map(|j| Influence {
                joint: JointIndex(j),
                weight: 0.01 * f32::from(j),
            });
            l.iter().copied().chain(extra).collect()
        })
        .collect();
    Weights::new(lists.iter().map(Vec::as_slice)).unwrap()
}

fn bent(character: &Character, child: DQuat) -> Pose {
    let mut pose = Pose::rest(&character.skeleton);
    pose.locals[1].rotation = child;
    pose
}

#[track_caller]
fn assert_close(a: &[Vec3], b: &[Vec3], tolerance: f32) {
    assert_eq!(a.len(), b.len());
    for (v, (a, b)) in a.iter().zip(b).enumerate() {
        assert!(a.distance(*b) <= tolerance, "vertex {v}: {a} against {b}");
    }
}

const METHODS: [DeformMethod; 3] = [
    DeformMethod::LinearBlend,
    DeformMethod::DualQuaternion,
    DeformMethod::DeltaMush,
];

#[test]
fn the_rest_pose_returns_the_rest() {
    let (character, weights) = tube();
    let pose = Pose::rest(&character.skeleton);
    for method in METHODS {
        let out = deform(&character, &weights, &pose, method).unwrap();
        assert_close(&out.positions, &character.mesh.positions, 2e-6);
        assert_close(&out.normals, character.mesh.normals.as_ref().unwrap(), 2e-6);
    }
}

#[test]
fn whole_body_motion_moves_the_whole_body() {
    let (character, weights) = tube();
    let mut pose = Pose::rest(&character.skeleton);
    let turn = DQuat::from_euler(glam::EulerRot::XYZ, 0.7, -1.9, 2.2);
    let motion = DAffine3::from_rotation_translation(turn, DVec3::new(3.0, -1.0, 0.5));
    pose.locals[0] = Transform::from_affine(motion * pose.locals[0].to_affine());
    let expected: Vec<Vec3> = character
        .mesh
        .positions
        .iter()
        .map(|p| motion.transform_point3(p.as_dvec3()).as_vec3())
        .collect();
    let expected_normals: Vec<Vec3> = character
        .mesh
        .normals
        .iter()
        .flatten()
        .map(|n| motion.transform_vector3(n.as_dvec3()).as_vec3())
        .collect();
    for method in METHODS {
        let out = deform(&character, &weights, &pose, method).unwrap();
        assert_close(&out.positions, &expected, 1e-5);
        assert_close(&out.normals, &expected_normals, 1e-5);
    }
}

#[test]
fn one_influence_is_its_matrix() {
    let (character, _) = tube();
    let rigid = Weights::rigid(vec![JointIndex(1); character.mesh.positions.len()]);
    let mut pose = bent(&character, DQuat::from_rotation_y(2.5));
    // Turned scale all the way: a matrix with shear, and one that mirrors.
    for scale in [
        DVec3::ONE,
        DVec3::splat(2.5),
        DVec3::new(1.0, 0.3, 4.0),
        DVec3::new(-1.0, 1.0, 2.0),
        DVec3::new(1.0, 0.0, 1.0),
    ] {
        pose.locals[0].scale = DVec3::new(1.0, 2.0, 1.0);
        pose.locals[1].scale = scale;
        let m = pose.world_from_bind(&character.skeleton)[1];
        let expected: Vec<Vec3> = character
            .mesh
            .positions
            .iter()
            .map(|p| m.transform_point3(p.as_dvec3()).as_vec3())
            .collect();
        for method in [DeformMethod::LinearBlend, DeformMethod::DualQuaternion] {
            let out = deform(&character, &rigid, &pose, method).unwrap();
            assert_close(&out.positions, &expected, 2e-5);
            if m.matrix3.determinant() > 0.0 {
                let by = m.matrix3.inverse().transpose();
                let normals = character.mesh.normals.as_ref().unwrap();
                let expected: Vec<Vec3> = normals
                    .iter()
                    .map(|n| (by * n.as_dvec3()).normalize().as_vec3())
                    .collect();
                assert_close(&out.normals, &expected, 1e-5);
            }
        }
    }
}

#[test]
fn linear_blend_is_the_naive_sum_at_every_width() {
    let (mut character, weights) = tube();
    for j in 2..12u16 {
        character.skeleton.joints.push(Joint {
            name: format!("extra {j}"),
            parent: Some(JointIndex(j / 2)),
            rest: Transform {
                translation: DVec3::new(0.1, f64::from(j), 0.2),
                rotation: DQuat::from_rotation_x(0.1 * f64::from(j)),
                scale: DVec3::splat(1.0 + 0.05 * f64::from(j)),
            },
            bind_from_joint: DAffine3::from_translation(DVec3::new(0.0, f64::from(j), 0.0)),
            in_skin: true,
        });
    }
    let pose = bent(&character, DQuat::from_rotation_z(1.3));
    let matrices = pose.world_from_bind(&character.skeleton);
    for extra in [0, 2, 5, 10] {
        let weights = with_many_influences(&weights, extra);
        let out = deform(&character, &weights, &pose, DeformMethod::LinearBlend).unwrap();
        let naive: Vec<Vec3> = (0..weights.vertex_count())
            .map(|v| {
                let p = character.mesh.positions[v].as_dvec3();
                let mut sum = DVec3::ZERO;
                for i in weights.of_vertex(v) {
                    sum += f64::from(i.weight) * matrices[i.joint.at()].transform_point3(p);
                }
                sum.as_vec3()
            })
            .collect();
        assert_close(&out.positions, &naive, 1e-5);
        let mut positions = Vec::new();
        SkinnedMesh::new(&character.mesh, &weights)
            .unwrap()
            .linear_blend_positions_into(&matrices, &mut positions)
            .unwrap();
        assert_eq!(positions, out.positions);
    }
}

#[test]
fn twist_keeps_the_radius_with_dual_quaternions_and_shrinks_it_with_matrices() {
    let (character, weights) = tube();
    for angle in [0.5, 1.5, 2.5, 3.1] {
        let pose = bent(&character, DQuat::from_rotation_x(angle));
        let radius = |out: &Deformed, v: usize| out.positions[v].yz().length();
        let dqs = deform(&character, &weights, &pose, DeformMethod::DualQuaternion).unwrap();
        let lbs = deform(&character, &weights, &pose, DeformMethod::LinearBlend).unwrap();
        for v in 0..dqs.positions.len() {
            assert!((radius(&dqs, v) - 1.0).abs() < 1e-5);
            assert!((dqs.positions[v].x - character.mesh.positions[v].x).abs() < 1e-5);
        }
        let middle = RINGS / 2 * SIDES;
        let expected = (angle / 2.0).cos() as f32;
        assert!((radius(&lbs, middle) - expected).abs() < 1e-5);
    }
}

#[test]
fn methods_agree_on_moves_without_turns() {
    let (character, weights) = tube();
    let mut pose = Pose::rest(&character.skeleton);
    pose.locals[0].translation += DVec3::new(0.5, 2.0, -1.0);
    pose.locals[1].translation += DVec3::new(3.0, -1.0, 0.25);
    let lbs = deform(&character, &weights, &pose, DeformMethod::LinearBlend).unwrap();
    let dqs = deform(&character, &weights, &pose, DeformMethod::DualQuaternion).unwrap();
    assert_close(&lbs.positions, &dqs.positions, 1e-5);
    assert_close(&lbs.normals, &dqs.normals, 1e-5);
}

#[test]
fn a_joint_that_scales_and_turns_stays_in_its_place() {
    let (mut character, _) = tube();
    character.mesh.positions[0] = Vec3::ZERO; // where the child joint is
    let half = [0, 1].map(|j| Influence {
        joint: JointIndex(j),
        weight: 0.5,
    });
    let weights = Weights::new(vec![&half[..]; character.mesh.positions.len()]).unwrap();
    let mut pose = bent(&character, DQuat::from_rotation_z(2.0));
    pose.locals[1].scale = DVec3::new(3.0, 1.0, 2.0);
    let out = deform(&character, &weights, &pose, DeformMethod::DualQuaternion).unwrap();
    assert!(out.positions[0].length() < 1e-5, "{}", out.positions[0]);
}

#[test]
fn opposite_quaternions_of_one_turn_do_not_tear() {
    // Two joints that are turned alike, by quaternions of opposite sign.
    let (character, weights) = tube();
    let mut pose = Pose::rest(&character.skeleton);
    let turn = DQuat::from_rotation_x(3.5);
    pose.locals[0].rotation = turn;
    pose.locals[1].rotation = -DQuat::IDENTITY;
    let lbs = deform(&character, &weights, &pose, DeformMethod::LinearBlend).unwrap();
    let dqs = deform(&character, &weights, &pose, DeformMethod::DualQuaternion).unwrap();
    assert_close(&lbs.positions, &dqs.positions, 1e-5);
}

#[test]
fn delta_mush_smooths_a_hard_bend() {
    let (character, _) = tube();
    let joints = character
        .mesh
        .positions
        .iter()
        .map(|p| JointIndex(u16::from(p.x >= 0.0)));
    let hard = Weights::rigid(joints);
    let pose = bent(&character, DQuat::from_rotation_z(1.2));
    let lbs = deform(&character, &hard, &pose, DeformMethod::LinearBlend).unwrap();
    let mush = deform(&character, &hard, &pose, DeformMethod::DeltaMush).unwrap();
    let longest_edge = |out: &Deformed| {
        character.mesh.triangles.iter().fold(0f32, |longest, t| {
            let [a, b, c] = t.map(|v| out.positions[v as usize]);
            longest.max(a.distance(b)).max(b.distance(c)).max(c.distance(a))
        })
    };
    assert!(longest_edge(&mush) < 0.7 * longest_edge(&lbs));
    // Far from the bend both agree, also at the open ends.
    assert_close(&mush.positions[..SIDES], &lbs.positions[..SIDES], 1e-5);
    assert!(mush.positions.iter().chain(&mush.normals).all(|p| p.is_finite()));
}

#[test]
fn delta_mush_with_cotangents_returns_the_rest_too() {
    let (character, weights) = tube();
    let skin = SkinnedMesh::new(&character.mesh, &weights).unwrap();
    let options = DeltaMushOptions {
        smoothing: Smoothing::Cotangent,
        iterations: 25,
        ..Default::default()
    };
    let mush = DeltaMush::new(&character.mesh, skin, &options);
    let matrices = Pose::rest(&character.skeleton).world_from_bind(&character.skeleton);
    let out = mush.evaluate(&matrices).unwrap();
    assert_close(&out.positions, &character.mesh.positions, 5e-6);
}

#[test]
fn delta_mush_survives_loose_and_flat_geometry() {
    let (mut character, _) = tube();
    let loose = character.mesh.positions.len() as u32;
    character
        .mesh
        .positions
        .extend([Vec3::ZERO, Vec3::Y, Vec3::Y, Vec3::X * 9.0]);
    character.mesh.normals = None;
    character.mesh.triangles.push([loose, loose + 1, loose + 2]);
    character.mesh.triangles.push([loose, loose + 3, loose]);
    character.mesh.parts[0].vertices.end += 4;
    character.mesh.parts[0].triangles.end += 2;
    assert_eq!(character.mesh.check(), Ok(()));
    let weights = Weights::rigid(vec![JointIndex(1); character.mesh.positions.len()]);
    let pose = bent(&character, DQuat::from_rotation_z(1.0));
    let lbs = deform(&character, &weights, &pose, DeformMethod::LinearBlend).unwrap();
    let mush = deform(&character, &weights, &pose, DeformMethod::DeltaMush).unwrap();
    assert_close(&mush.positions, &lbs.positions, 1e-5);
}

#[test]
fn rigid_parts_follow_their_joint_whatever_the_weights_say() {
    let (mut character, weights) = tube();
    character.mesh.parts[0].attachment = PartAttachment::Rigid(JointIndex(1));
    let pose = bent(&character, DQuat::from_rotation_z(1.0));
    let m = pose.world_from_bind(&character.skeleton)[1];
    let expected: Vec<Vec3> = character
        .mesh
        .positions
        .iter()
        .map(|p| m.transform_point3(p.as_dvec3()).as_vec3())
        .collect();
    for method in METHODS {
        let out = deform(&character, &weights, &pose, method).unwrap();
        assert_close(&out.positions, &expected, 1e-5);
    }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let (character, weights) = tube();
    // Enough vertices for several chunks, by repeating the tube.
    let mut big = character.clone();
    let n = character.mesh.positions.len();
    let copies = 9;
    let offset = |i: usize| Vec3::new(0.0, 0.0, 3.0 * i as f32);
    big.mesh.positions = (0..copies * n)
        .map(|v| character.mesh.positions[v % n] + offset(v / n))
        .collect();
    big.mesh.triangles = (0..copies as u32)
        .flat_map(|c| {
            character
                .mesh
                .triangles
                .iter()
                .map(move |t| t.map(|v| v + c * n as u32))
        })
        .collect();
    big.mesh.normals = None;
    big.mesh.parts[0].vertices = 0..copies * n;
    big.mesh.parts[0].triangles = 0..big.mesh.triangles.len();
    let weights = weights.gathered((0..copies * n).map(|v| v % n));
    let mut pose = bent(&character, DQuat::from_rotation_z(1.0));
    pose.locals[1].scale = DVec3::new(1.0, 1.5, 1.0);
    for method in METHODS {
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| deform(&big, &weights, &pose, method).unwrap())
        };
        let bits = |d: &Deformed| -> Vec<[u32; 3]> {
            let all = d.positions.iter().chain(&d.normals);
            all.map(|p| p.to_array().map(f32::to_bits)).collect()
        };
        assert!(bits(&run(1)) == bits(&run(2)));
    }
}

#[test]
fn faults_are_named() {
    let (character, weights) = tube();
    let vertices = character.mesh.positions.len();
    let pose = Pose::rest(&character.skeleton);
    let fewer = weights.gathered(0..5);
    assert_eq!(
        deform(&character, &fewer, &pose, DeformMethod::LinearBlend),
        Err(DeformError::WrongVertexCount { weights: 5, vertices })
    );
    let beyond = Weights::rigid(vec![JointIndex(7); vertices]);
    for method in METHODS {
        assert_eq!(
            deform(&character, &beyond, &pose, method),
            Err(DeformError::TooFewJoints { joint: 7, joints: 2 })
        );
    }
    let empty = Character::default();
    let none = Weights::new([]).unwrap();
    let out = deform(&empty, &none, &Pose { locals: vec![] }, DeformMethod::DeltaMush).unwrap();
    assert!(out.positions.is_empty());
}

#[test]
fn a_matrix_that_shears_is_split_and_put_together_again() {
    let (character, _) = tube();
    let shear = DMat3::from_cols(DVec3::X, DVec3::new(0.7, 1.0, 0.0), DVec3::new(0.0, 0.3, 1.0));
    let m = DAffine3 {
        matrix3: DMat3::from_rotation_x(2.9) * shear,
        translation: DVec3::new(1.0, 2.0, 3.0),
    };
    let rigid = Weights::rigid(vec![JointIndex(1); character.mesh.positions.len()]);
    let skin = SkinnedMesh::new(&character.mesh, &rigid).unwrap();
    let out = skin
        .dual_quaternion(&character.skeleton, &[DAffine3::IDENTITY, m])
        .unwrap();
    let expected = skin.linear_blend(&[DAffine3::IDENTITY, m]).unwrap();
    assert_close(&out.positions, &expected.positions, 1e-5);
    assert_close(&out.normals, &expected.normals, 1e-5);
}
