//! Heat against a dense solve, and what must hold on any mesh.

use glam::{DAffine3, DVec3, Vec3};

use super::*;
use crate::bind::rules::Rules;
use crate::bind::{BindError, BindOptions, BindResult, Method};
use crate::character::{BoneShape, Character, Joint, JointIndex, Mesh, Skeleton, Transform, Weights};
use crate::linear::Cholesky;
use crate::task::Task;

const FORMS: [HeatPreset; 3] = [
    HeatPreset::Ligament,
    HeatPreset::Published2007,
    HeatPreset::Blender,
];

fn bind(character: &Character, preset: HeatPreset) -> BindResult {
    let options = BindOptions {
        influences: 64,
        prune: 0.0,
        ..BindOptions::default()
    };
    let method = Method::Heat(HeatOptions {
        preset,
        ..HeatOptions::default()
    });
    let skin = Skin::new(character.clone()).unwrap();
    let bound = method.bind(&skin, &options, &Task::unattended()).unwrap();
    assert_eq!(bound.weights.vertex_count(), character.mesh.positions.len());
    bound
}

fn domain(character: &Character) -> HeatDomain {
    let (skin, options) = (Skin::new(character.clone()).unwrap(), BindOptions::default());
    HeatDomain::of(&Rules::of(&skin, &options).unwrap())
}

fn prepared(character: &Character, form: &HeatForm, handles: &[HeatHandle]) -> HeatBinding {
    HeatBinding::new(domain(character), form, handles, &Task::unattended()).unwrap()
}

/// The largest difference of a weight.
fn difference(a: &Weights, b: &Weights) -> f32 {
    let mut largest = 0f32;
    for v in 0..a.vertex_count() {
        for i in a.of_vertex(v).iter().chain(b.of_vertex(v)) {
            largest = largest.max((a.weight(v, i.joint) - b.weight(v, i.joint)).abs());
        }
    }
    largest
}

fn scaled(character: &Character, scale: f32) -> Character {
    let mut c = character.clone();
    for p in &mut c.mesh.positions {
        *p *= scale;
    }
    for joint in &mut c.skeleton.joints {
        joint.bind_from_joint.translation *= f64::from(scale);
    }
    c
}

/// Gaussian elimination with the largest pivot.
fn dense_solve(mut a: Vec<Vec<f64>>, mut b: Vec<f64>) -> Vec<f64> {
    let n = b.len();
    for k in 0..n {
        let pivot = (k..n)
            .max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))
            .unwrap();
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in k + 1..n {
            let factor = a[i][k] / a[k][k];
            for j in k..n {
                a[i][j] -= factor * a[k][j];
            }
            b[i] -= factor * b[k];
        }
    }
    for k in (0..n).rev() {
        for j in k + 1..n {
            b[k] -= a[k][j] * b[j];
        }
        b[k] /= a[k][k];
    }
    b
}

/// The published equation, written down a second time: angles by `acos`, every pair of
/// positions, no islands, no clamps; everything is visible inside a tube.
#[test]
fn the_published_form_is_the_dense_solution() {
    let c = crate::sample::make("tube@200").unwrap();
    let binding = prepared(&c, &HeatForm::published(), &[]);
    let (points, faces) = (binding.domain().skin.points(), binding.domain().skin.faces());
    let n = points.len();
    let mut system = vec![vec![0.0; n]; n];
    let mut areas = vec![0.0; n];
    for face in faces {
        for k in 0..3 {
            let [i, j, at] = [face[k], face[(k + 1) % 3], face[(k + 2) % 3]].map(|p| p as usize);
            let (u, v) = (points[i] - points[at], points[j] - points[at]);
            let cotangent = 1.0 / u.angle_between(v).tan();
            areas[at] += u.cross(v).length() / 6.0;
            for (a, b) in [(i, j), (j, i)] {
                system[a][b] -= cotangent / 2.0;
                system[a][a] += cotangent / 2.0;
            }
        }
    }
    let joints: Vec<JointIndex> = c.skeleton.indices().collect();
    let mut sides = vec![vec![0.0; n]; joints.len()];
    for p in 0..n {
        let distance = |joint: JointIndex| {
            let own = binding.domain().bones.iter().filter(|b| b.joint == joint);
            own.map(|b| b.shape.distance(points[p]))
                .fold(f64::INFINITY, f64::min)
        };
        let least = joints.iter().map(|&j| distance(j)).fold(f64::INFINITY, f64::min);
        let near: Vec<JointIndex> = joints
            .iter()
            .copied()
            .filter(|&j| distance(j) <= least * 1.0001)
            .collect();
        // The middles of the caps lie on joints.
        let least = least.max(1e-4 * binding.domain().skin.diagonal());
        let heat = areas[p] * near.len() as f64 / (least * least);
        system[p][p] += heat;
        for j in &near {
            sides[j.at()][p] = heat / near.len() as f64;
        }
    }
    let ours = binding.weights(64, &Task::unattended()).unwrap();
    for (joint, side) in joints.iter().zip(sides) {
        for (p, weight) in dense_solve(system.clone(), side).into_iter().enumerate() {
            let found = f64::from(ours.weight(p, *joint));
            assert!(
                (found - weight).abs() < 2e-5,
                "joint {joint:?} at {p}: {found} for {weight}"
            );
        }
    }
}

/// The maximum principle: before anything is cut off or normalised, temperatures are within
/// 0 and 1 and those of all joints sum to one; in every form, on a mesh with every fault.
#[test]
fn temperatures_stay_within_their_sources() {
    let c = crate::sample::make("knight@3000").unwrap();
    for form in [HeatForm::default(), HeatForm::published(), HeatForm::blender()] {
        let binding = prepared(&c, &form, &[]);
        let mut matrix = binding.matrix();
        for &p in binding.stranded() {
            matrix.values[matrix.starts[p as usize] as usize] += 1.0;
        }
        let cholesky = Cholesky::of(&matrix).unwrap();
        let mut sum = vec![0.0; cholesky.size()];
        for joint in c.skeleton.indices() {
            let mut column = vec![0.0; sum.len()];
            for p in 0..column.len() {
                let heat = binding.areas()[p] * binding.sources().heat[p];
                let own = binding.sources().of_position(p).iter().filter(|s| s.0 == joint);
                column[p] = own.map(|s| heat * s.1).sum();
            }
            cholesky.solve_in_place(&mut column).unwrap();
            for (total, w) in sum.iter_mut().zip(column) {
                assert!((-1e-9..=1.0 + 1e-9).contains(&w), "{w}");
                *total += w;
            }
        }
        for (p, total) in sum.into_iter().enumerate() {
            let expected = if binding.stranded().binary_search(&(p as u32)).is_ok() {
                0.0
            } else {
                1.0
            };
            assert!((total - expected).abs() < 1e-6, "{total} at {p}");
        }
    }
}

#[test]
fn scale_changes_nothing() {
    let c = crate::sample::make("hand@1500").unwrap();
    for preset in FORMS {
        let plain = bind(&c, preset);
        for scale in [1.0 / 1024.0, 1024.0] {
            let other = bind(&scaled(&c, scale), preset);
            let off = difference(&plain.weights, &other.weights);
            assert!(off < 1e-4, "{off} at scale {scale}, preset {preset:?}");
        }
    }
}

/// Triangles a quarter as large give the same weights where both meshes have a vertex.
#[test]
fn the_size_of_triangles_hardly_matters() {
    let (coarse, fine) = (
        crate::sample::make("tube@1000").unwrap(),
        crate::sample::make("tube@16000").unwrap(),
    );
    for preset in [HeatPreset::Ligament, HeatPreset::Published2007] {
        let [a, b] = [&coarse, &fine].map(|c| bind(c, preset).weights);
        for (v, p) in coarse.mesh.positions.iter().enumerate() {
            let near = |w: &usize| fine.mesh.positions[*w].distance(*p);
            let w = (0..fine.mesh.positions.len())
                .min_by(|x, y| near(x).total_cmp(&near(y)))
                .unwrap();
            for i in a.of_vertex(v) {
                let off = (i.weight - b.weight(w, i.joint)).abs();
                assert!(off < 0.05, "{off} at {p}, preset {preset:?}");
            }
        }
    }
}

#[test]
fn repeated_turned_and_flat_faces_change_nothing_as_published() {
    let clean = crate::sample::make("tube@600").unwrap();
    let mut broken = clean.clone();
    let mesh = &mut broken.mesh;
    let mut extra: Vec<[u32; 3]> = mesh
        .triangles
        .iter()
        .step_by(3)
        .map(|&[a, b, c]| [b, a, c])
        .collect();
    extra.extend([[5, 5, 9], [7, 7, 7]]);
    mesh.triangles.extend(extra);
    mesh.corner_uvs = None;
    let end = mesh.triangles.len();
    mesh.parts.last_mut().unwrap().triangles.end = end;
    let [a, b] = [&clean, &broken].map(|c| bind(c, HeatPreset::Published2007).weights);
    assert!(difference(&a, &b) < 1e-6);
}

fn joint(name: &str, parent: Option<u16>, at: DVec3) -> Joint {
    Joint {
        name: name.to_owned(),
        parent: parent.map(JointIndex),
        rest: Transform::from_translation(at),
        bind_from_joint: DAffine3::from_translation(at),
        in_skin: true,
    }
}

/// A closed box from one corner to the opposite one, cut into cells of about `cell`.
fn add_box(mesh: &mut (Vec<Vec3>, Vec<[u32; 3]>), low: Vec3, high: Vec3, cells: u32) {
    for axis in 0..3 {
        let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
        for side in 0..2 {
            let first = mesh.0.len() as u32;
            for i in 0..=cells {
                for j in 0..=cells {
                    let mut t = Vec3::ZERO;
                    t[axis] = side as f32;
                    t[u] = i as f32 / cells as f32;
                    t[v] = j as f32 / cells as f32;
                    mesh.0.push(low + t * (high - low));
                    if i < cells && j < cells {
                        let a = first + i * (cells + 1) + j;
                        let (b, c, d) = (a + cells + 1, a + cells + 2, a + 1);
                        let quad = [[a, b, c], [a, c, d]];
                        mesh.1
                            .extend(quad.map(|[p, q, r]| if side == 1 { [p, q, r] } else { [p, r, q] }));
                    }
                }
            }
        }
    }
}

/// A bar with two bones in it, and a button that hovers over the second half, two voxels away.
fn bar_with_button() -> Character {
    let mut mesh = (Vec::new(), Vec::new());
    add_box(&mut mesh, Vec3::new(0.0, -1.0, -1.0), Vec3::new(8.0, 1.0, 1.0), 8);
    add_box(&mut mesh, Vec3::new(5.0, 1.2, -0.2), Vec3::new(5.4, 1.4, 0.2), 2);
    Character {
        name: "bar".to_owned(),
        mesh: Mesh::single_part("bar", mesh.0, mesh.1),
        skeleton: Skeleton {
            joints: vec![
                joint("near", None, DVec3::new(0.5, 0.0, 0.0)),
                joint("far", Some(0), DVec3::new(4.0, 0.0, 0.0)),
                joint("tip", Some(1), DVec3::new(7.5, 0.0, 0.0)),
            ],
        },
        ..Character::default()
    }
}

#[test]
fn an_island_that_sees_no_bone_follows_what_it_hangs_on_and_is_reported() {
    let c = bar_with_button();
    for preset in FORMS {
        let bound = bind(&c, preset);
        let warned = matches!(
            bound.warnings.as_slice(),
            [BindWarning::IslandsSeeNoBone {
                islands: 1,
                positions: 26,
                ..
            }]
        );
        assert!(warned, "{preset:?}: {:?}", bound.warnings);
        let near = |p: Vec3| {
            (0..c.mesh.positions.len())
                .min_by(|&a, &b| {
                    let d = |v: usize| c.mesh.positions[v].distance(p);
                    d(a).total_cmp(&d(b))
                })
                .unwrap()
        };
        let (under, button) = (near(Vec3::new(5.0, 1.0, 0.0)), near(Vec3::new(5.2, 1.2, 0.0)));
        for j in 0..3 {
            let [a, b] = [under, button].map(|v| bound.weights.weight(v, JointIndex(j)));
            assert!((a - b).abs() < 0.1, "{preset:?}, joint {j}: {a} and {b}");
        }
    }
}

#[test]
fn a_skeleton_beside_the_mesh_still_binds_and_is_reported() {
    let mut c = bar_with_button();
    for joint in &mut c.skeleton.joints {
        joint.bind_from_joint.translation.y += 10.0;
    }
    // From above only the upper side of bar and button sees the bones; put a lid between.
    let mut mesh = (c.mesh.positions.clone(), c.mesh.triangles.clone());
    add_box(
        &mut mesh,
        Vec3::new(-9.0, 5.0, -9.0),
        Vec3::new(17.0, 6.0, 9.0),
        4,
    );
    c.mesh = Mesh::single_part("bar", mesh.0, mesh.1);
    assert!(!bind(&c, HeatPreset::Published2007).warnings.is_empty());
    assert!(!bind(&c, HeatPreset::Ligament).warnings.is_empty());

    // Inside a closed box with the bones outside: nothing sees anything.
    let mut mesh = (Vec::new(), Vec::new());
    add_box(&mut mesh, Vec3::ZERO, Vec3::ONE, 2);
    let positions = mesh.0.iter().map(|&p| p * 0.5 + 0.25).collect();
    c.mesh = Mesh::single_part("inner", positions, mesh.1);
    let bound = bind(&c, HeatPreset::Published2007);
    assert!(bound.weights.vertex_count() > 0);
}

#[test]
fn a_stronger_joint_draws_skin_and_a_smoother_one_is_smoother() {
    let c = crate::sample::make("tube@1500").unwrap();
    let fraction = |handles: &[HeatHandle]| {
        let weights = prepared(&c, &HeatForm::default(), handles).weights(64, &Task::unattended());
        let weights = weights.unwrap();
        (0..weights.vertex_count())
            .map(|v| weights.weight(v, JointIndex(0)))
            .sum::<f32>()
    };
    let strong = HeatHandle {
        magnitude: 4.0,
        ..HeatHandle::default()
    };
    assert!(fraction(&[strong, HeatHandle::default()]) > 1.005 * fraction(&[]));

    let roughness = |smoothness: f64| {
        let handle = HeatHandle {
            smoothness,
            ..HeatHandle::default()
        };
        let binding = prepared(&c, &HeatForm::default(), &vec![handle; c.skeleton.joints.len()]);
        let weights = binding.weights(64, &Task::unattended()).unwrap();
        let w: Vec<f64> = (0..weights.vertex_count())
            .map(|v| f64::from(weights.weight(v, JointIndex(0))))
            .collect();
        let bend = |p: usize| {
            let sum: f64 = binding
                .laplacian()
                .row(p)
                .map(|(q, c)| c * (w[p] - w[q as usize]))
                .sum();
            sum * sum / binding.areas()[p]
        };
        (0..w.len()).map(bend).sum::<f64>()
    };
    let (plain, smooth) = (roughness(0.0), roughness(0.9));
    assert!(smooth < 0.8 * plain, "{smooth} from {plain}");
}

/// Range: a bone that ends elsewhere than its joint moves the border.
#[test]
fn bones_may_stand_elsewhere_than_joints() {
    let c = crate::sample::make("tube@1500").unwrap();
    let fraction = |shift: f64| {
        let mut domain = domain(&c);
        let border = match domain.bones[0].shape {
            BoneShape::Segment { head, tail } => tail + shift * (tail - head),
            _ => panic!("a bone"),
        };
        for bone in &mut domain.bones {
            if let BoneShape::Segment { head, tail } = &mut bone.shape {
                let end = if bone.joint.0 == 0 { tail } else { head };
                if bone.joint.0 < 2 {
                    *end = border;
                }
            }
        }
        let task = Task::unattended();
        let binding = HeatBinding::new(domain, &HeatForm::default(), &[], &task).unwrap();
        let weights = binding.weights(64, &task).unwrap();
        (0..weights.vertex_count())
            .map(|v| weights.weight(v, JointIndex(0)))
            .sum::<f32>()
    };
    assert!(fraction(0.3) > 1.1 * fraction(0.0));
}

#[test]
fn joints_of_handles_are_checked_by_name() {
    let skin = Skin::new(crate::sample::make("tube").unwrap()).unwrap();
    let strange = Method::Heat(HeatOptions {
        radius: vec![("nobody".to_owned(), 2.0)],
        ..HeatOptions::default()
    });
    let refused = strange.bind(&skin, &BindOptions::default(), &Task::unattended());
    assert!(matches!(refused, Err(BindError::Deform(_))));
}
