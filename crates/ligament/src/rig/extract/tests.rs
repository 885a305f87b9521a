use glam::{DMat3, DVec3, IVec3, Vec3};
use ligament_testkit::Random;

use super::proxy::Proxy;
use super::voxels::Voxels;
use super::*;
use crate::task::CancelToken;

fn extracted(mesh: &Mesh, options: &ExtractOptions) -> Extracted {
    let found = extract(mesh, options, &Task::unattended()).unwrap();
    check(mesh, &found);
    found
}

/// What is promised of every result.
fn check(mesh: &Mesh, found: &Extracted) {
    let skeleton = &found.skeleton;
    skeleton.check().unwrap();
    assert_eq!(skeleton.joints.iter().filter(|j| j.parent.is_none()).count(), 1);
    assert!(
        skeleton.duplicate_names().is_empty(),
        "{:?}",
        skeleton.duplicate_names()
    );
    for j in &skeleton.joints {
        let axes = j.bind_from_joint.matrix3;
        assert!((axes.determinant() - 1.0).abs() < 1e-9, "{}", j.name);
        assert!((axes.transpose() * axes).abs_diff_eq(DMat3::IDENTITY, 1e-9));
    }
    assert_eq!(found.joint_of_vertex.len(), mesh.positions.len());
    // Depth-first: a joint's parent is the joint before it or one of that joint's ancestors.
    for (j, joint) in skeleton.joints.iter().enumerate().skip(1) {
        let mut above = Some(JointIndex(j as u16 - 1));
        while above != joint.parent {
            above = above.and_then(|a| skeleton.joint(a).parent);
            assert!(above.is_some(), "{}", joint.name);
        }
    }
}

/// The fraction of the bones, bridges apart, that is in voxels of the solid.
fn share_inside(mesh: &Mesh, found: &Extracted) -> f64 {
    let solid = Solid::of(
        &WeldedMesh::of(mesh),
        &SolidOptions::default(),
        &Task::unattended(),
    )
    .unwrap();
    let (mut inside, mut all) = (0, 0);
    for j in found.skeleton.indices().filter(|j| !found.bridges.contains(j)) {
        let Some(parent) = found.skeleton.joint(j).parent else {
            continue;
        };
        let (a, b) = (
            found.skeleton.bind_position(parent),
            found.skeleton.bind_position(j),
        );
        for k in 0..=20 {
            all += 1;
            inside += usize::from(solid.contains(a.lerp(b, f64::from(k) / 20.0)));
        }
    }
    f64::from(inside as u32) / f64::from(all.max(1))
}

fn ends(skeleton: &Skeleton) -> Vec<DVec3> {
    let children = skeleton.skin_children();
    skeleton
        .indices()
        .filter(|j| children[j.at()].is_empty())
        .map(|j| skeleton.bind_position(j))
        .collect()
}

#[test]
fn a_tube_has_one_chain_along_its_axis() {
    let tube = crate::sample::make("tube").unwrap();
    let (low, high) = tube.mesh.bounds();
    let found = extracted(&tube.mesh, &ExtractOptions::default());
    let radius = f64::from(high.x - low.x) / 2.0;
    let (mut lowest, mut highest) = (f64::INFINITY, f64::NEG_INFINITY);
    for j in found.skeleton.indices() {
        let p = found.skeleton.bind_position(j);
        let middle = f64::from(high.x + low.x) / 2.0;
        assert!((p.x - middle).hypot(p.z) < 0.1 * radius, "{p}");
        (lowest, highest) = (lowest.min(p.y), highest.max(p.y));
    }
    // The ends reach to within a radius of the caps, from inside.
    assert!(lowest > f64::from(low.y) && lowest < f64::from(low.y) + radius);
    assert!(highest < f64::from(high.y) && highest > f64::from(high.y) - radius);
    assert_eq!(ends(&found.skeleton).len(), 2);
    assert_eq!(share_inside(&tube.mesh, &found), 1.0);
}

/// Prisms with eight sides that run into each other: no single closed surface.
fn prisms(axes: &[(Vec3, Vec3)], radius: f32) -> Mesh {
    let mut positions = Vec::new();
    let mut triangles = Vec::new();
    for &(from, to) in axes {
        let along = (to - from).normalize();
        let side = along.any_orthonormal_vector();
        let other = along.cross(side);
        let first = positions.len() as u32;
        for k in 0..8 {
            let (s, c) = (k as f32 * std::f32::consts::FRAC_PI_4).sin_cos();
            let offset = (side * c + other * s) * radius;
            positions.extend([from + offset, to + offset]);
        }
        positions.extend([from, to]);
        for k in 0..8 {
            let (a, b) = (first + 2 * k, first + 2 * ((k + 1) % 8));
            triangles.extend([
                [a, b, b + 1],
                [a, b + 1, a + 1],
                [first + 16, b, a],
                [first + 17, a + 1, b + 1],
            ]);
        }
    }
    Mesh::single_part("prisms", positions, triangles)
}

fn letter_y() -> (Mesh, [Vec3; 3]) {
    let tips = [
        Vec3::new(0.0, -1.0, 0.0),
        Vec3::new(0.8, 0.6, 0.0),
        Vec3::new(-0.8, 0.6, 0.0),
    ];
    (prisms(&tips.map(|t| (Vec3::ZERO, t)), 0.12), tips)
}

#[test]
fn a_y_of_three_intersecting_prisms_branches_once() {
    let (mesh, tips) = letter_y();
    let found = extracted(&mesh, &ExtractOptions::default());
    let skeleton = &found.skeleton;
    let mut links = vec![0; skeleton.joints.len()];
    for (j, joint) in skeleton.joints.iter().enumerate() {
        if let Some(p) = joint.parent {
            links[j] += 1;
            links[p.at()] += 1;
        }
    }
    let forks: Vec<usize> = (0..links.len()).filter(|&j| links[j] > 2).collect();
    assert_eq!(forks.len(), 1);
    assert!(skeleton.joints[forks[0]].bind_from_joint.translation.length() < 0.12);
    assert!(
        skeleton.joints[forks[0]].parent.is_none(),
        "it balances the tree best"
    );
    let ends = ends(skeleton);
    assert_eq!(ends.len(), 3);
    for tip in tips {
        let nearest = ends.iter().map(|e| e.distance(tip.as_dvec3()));
        assert!(nearest.fold(f64::INFINITY, f64::min) < 0.12);
    }
    // Between the fork and the tips, joints are on the axes.
    for j in skeleton.indices() {
        let p = skeleton.bind_position(j);
        let off = tips
            .iter()
            .map(|t| anatomy::off_line(p, DVec3::ZERO, t.as_dvec3()))
            .fold(f64::INFINITY, f64::min);
        assert!(off < 0.03, "{p}");
    }
    assert_eq!(share_inside(&mesh, &found), 1.0);
    // Π: the vertices of a tip follow a joint on their own arm.
    for (v, joint) in found.joint_of_vertex.iter().enumerate() {
        let p = mesh.positions[v];
        let at = skeleton.bind_position(*joint);
        if p.length() > 0.5 {
            assert!(at.length() < 0.15 || at.dot(p.as_dvec3()) > 0.0, "{p} {at}");
        }
    }
}

#[test]
fn size_and_place_do_not_matter() {
    let (mesh, _) = letter_y();
    let plain = extracted(&mesh, &ExtractOptions::default());
    for (scale, offset) in [(1e-3f32, 0.0f32), (1e3, 0.0), (1.0, 8.0)] {
        let mut other = mesh.clone();
        for p in &mut other.positions {
            *p = *p * scale + offset;
        }
        let found = extracted(&other, &ExtractOptions::default());
        assert_eq!(found.skeleton.joints.len(), plain.skeleton.joints.len());
        for (a, b) in found.skeleton.joints.iter().zip(&plain.skeleton.joints) {
            let back = (a.bind_from_joint.translation - f64::from(offset)) / f64::from(scale);
            assert!(
                back.distance(b.bind_from_joint.translation) < 0.02,
                "{scale} {offset}: {} {back}",
                b.name
            );
        }
    }
}

#[test]
fn pieces_apart_are_bridged() {
    let mesh = prisms(
        &[
            (Vec3::ZERO, Vec3::Y),
            (Vec3::new(0.0, 1.4, 0.0), Vec3::new(0.0, 2.4, 0.0)),
        ],
        0.15,
    );
    let found = extracted(&mesh, &ExtractOptions::default());
    assert_eq!(found.bridges.len(), 1);
    assert_eq!(share_inside(&mesh, &found), 1.0);
}

#[test]
fn a_ring_is_opened() {
    let corner = |k: usize| {
        let (s, c) = (k as f32 * std::f32::consts::FRAC_PI_3).sin_cos();
        Vec3::new(c, s, 0.0)
    };
    let sides: Vec<(Vec3, Vec3)> = (0..6).map(|k| (corner(k), corner(k + 1))).collect();
    let mesh = prisms(&sides, 0.12);
    let found = extracted(&mesh, &ExtractOptions::default());
    assert_eq!(ends(&found.skeleton).len(), 2);
    assert_eq!(share_inside(&mesh, &found), 1.0);
}

#[test]
fn a_biped_has_its_joints_on_the_right_sides() {
    for name in ["athlete@4000", "apose@4000"] {
        let character = crate::sample::make(name).unwrap();
        let found = extracted(&character.mesh, &ExtractOptions::default());
        assert_eq!((found.plan, found.symmetric), (BodyPlan::Biped, true), "{name}");
        let at = |joint: &str| {
            let joint = found.skeleton.find(joint);
            let joint = joint.unwrap_or_else(|| panic!("{name} has no such joint"));
            found.skeleton.bind_position(joint)
        };
        assert!(found.skeleton.joints[0].name == "hips" && found.skeleton.joints[0].parent.is_none());
        let diagonal = f64::from(character.mesh.diagonal());
        for joint in ["upper_arm", "lower_arm", "hand", "upper_leg", "lower_leg", "foot"] {
            let (left, right) = (at(&format!("left_{joint}")), at(&format!("right_{joint}")));
            assert!(left.x > 0.0, "the left is +X");
            assert!(
                (left * DVec3::new(-1.0, 1.0, 1.0)).distance(right) < 1e-6 * diagonal,
                "{joint}: {left} {right}"
            );
            // Near the joint that the sample was made around.
            let own = character.skeleton.find(&format!("left_{joint}")).unwrap();
            let off = character.skeleton.bind_position(own).distance(left) / diagonal;
            assert!(off < 0.06, "{name}: {joint} is off by {off}");
        }
        assert!(at("head").y > at("neck").y && at("neck").y > at("spine").y);
        assert!(share_inside(&character.mesh, &found) > 0.99);
    }
}

#[test]
fn a_quadruped_faces_where_its_head_is() {
    let character = crate::sample::make("hound@4000").unwrap();
    let found = extracted(&character.mesh, &ExtractOptions::default());
    assert_eq!((found.plan, found.symmetric), (BodyPlan::Quadruped, true));
    let at = |joint: &str| found.skeleton.bind_position(found.skeleton.find(joint).unwrap());
    assert!(at("left_front_foot").x > 0.0 && at("left_hind_foot").x > 0.0);
    assert!(at("left_front_foot").z > at("left_hind_foot").z + 0.2);
    assert!(at("head").z > at("chest").z && at("tail1").z < at("hips").z);
    assert!(share_inside(&character.mesh, &found) > 0.99);
}

/// Legs that leave the trunk together are told apart by their feet.
#[test]
fn eight_legs_make_no_quadruped() {
    let mut bars = vec![(Vec3::new(0.0, 0.5, -0.35), Vec3::new(0.0, 0.5, 0.35))];
    for side in [-1.0, 1.0] {
        for k in 0..4u8 {
            let z = f32::from(k) * 0.5 - 0.75;
            let knee = Vec3::new(0.55 * side, 0.75, z);
            bars.push((Vec3::new(0.0, 0.5, 0.2 * z), knee));
            bars.push((knee, Vec3::new(0.95 * side, 0.0, 1.4 * z)));
        }
    }
    let found = extracted(&prisms(&bars, 0.05), &ExtractOptions::default());
    assert_eq!(found.plan, BodyPlan::Other);
    assert!(ends(&found.skeleton).len() >= 8);
}

#[test]
fn many_parts_and_defects_still_make_one_biped() {
    let character = crate::sample::make("knight@4000").unwrap();
    let found = extracted(&character.mesh, &ExtractOptions::default());
    assert_eq!(found.plan, BodyPlan::Biped);
    let hand = found
        .skeleton
        .bind_position(found.skeleton.find("left_hand").unwrap());
    assert!(hand.x > 0.0);
}

#[test]
fn options_are_followed() {
    let (mesh, tips) = letter_y();
    let few = extracted(
        &mesh,
        &ExtractOptions {
            joints: Some(4),
            ..ExtractOptions::default()
        },
    );
    assert_eq!(few.skeleton.joints.len(), 4);
    assert_eq!(ends(&few.skeleton).len(), 3, "the shape is in its fork and ends");
    let rooted = extracted(
        &mesh,
        &ExtractOptions {
            root: Some(tips[0].as_dvec3()),
            ..ExtractOptions::default()
        },
    );
    assert!(
        rooted
            .skeleton
            .bind_position(JointIndex(0))
            .distance(tips[0].as_dvec3())
            < 0.12
    );
    let one = extracted(
        &mesh,
        &ExtractOptions {
            joints: Some(1),
            ..ExtractOptions::default()
        },
    );
    assert_eq!(one.skeleton.joints.len(), 1);
}

#[test]
fn threads_do_not_matter() {
    let character = crate::sample::make("knight@2000").unwrap();
    let with = |threads| {
        rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap()
            .install(|| extracted(&character.mesh, &ExtractOptions::default()))
    };
    let (one, four) = (with(1), with(4));
    assert_eq!(one.skeleton, four.skeleton);
    assert_eq!(one.joint_of_vertex, four.joint_of_vertex);
}

#[test]
fn what_cannot_be_done_is_said() {
    let task = Task::unattended();
    let options = ExtractOptions::default();
    let nothing = extract(&Mesh::default(), &options, &task);
    assert!(matches!(nothing, Err(ExtractError::Mesh(MeshError::NoTriangles))));
    let point = Mesh::single_part("p", vec![Vec3::ONE; 3], vec![[0, 1, 2]]);
    assert!(matches!(
        extract(&point, &options, &task),
        Err(ExtractError::NoExtent)
    ));
    // A single flat triangle is a thin sheet, not an error.
    let flat = Mesh::single_part("t", vec![Vec3::ZERO, Vec3::X, Vec3::Y], vec![[0, 1, 2]]);
    extracted(&flat, &options);

    let token = CancelToken::new();
    token.cancel();
    let watcher = |_: &'static str, _: f32| {};
    let (mesh, _) = letter_y();
    assert!(matches!(
        extract(&mesh, &options, &Task::new(token, &watcher)),
        Err(ExtractError::Cancelled(_))
    ));
}

#[test]
fn the_boundary_of_any_voxels_is_a_closed_manifold() {
    // Noise breeds every way that voxels can touch.
    let mut random = Random(7);
    for _ in 0..20 {
        let size = IVec3::splat(9);
        let mut voxels = Voxels {
            origin: DVec3::ZERO,
            cell: 1.0,
            size,
            solid: vec![false; 729],
        };
        for at in 0..729 {
            let v = voxels.voxel(at);
            let inner = v.cmpge(IVec3::splat(2)).all() && v.cmplt(size - 2).all();
            voxels.solid[at] = inner && random.below(4) == 0;
        }
        voxels.make_well_composed();
        let proxy = Proxy::of(&voxels);
        let mut edges: Vec<[u32; 2]> = proxy
            .faces
            .iter()
            .flat_map(|&[a, b, c]| [[a, b], [b, c], [c, a]])
            .collect();
        edges.sort_unstable();
        // Every edge is run along once each way: closed, manifold and wound alike.
        assert!(edges.windows(2).all(|w| w[0] != w[1]));
        assert!(edges.iter().all(|&[a, b]| edges.binary_search(&[b, a]).is_ok()));
        let count = voxels.solid.iter().filter(|&&s| s).count();
        assert!(count == 0 || Proxy::volume(&proxy.points, &proxy.faces) > 0.0);
    }
}
