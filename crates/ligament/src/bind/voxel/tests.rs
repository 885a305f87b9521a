//! What voxel binding promises.

use glam::{DVec3, Vec3};

use super::candidate_bones::{Room, Ruler, near_bones};
use super::*;
use crate::bind::prepared::Notes;
use crate::bind::rules::Rules;
use crate::bind::{
    BindError, BindOptions, BindResult, BindWarning, DeformChoice, Falloff, Locks, Method, ProximityOptions,
    Region, RegionError, VertexSet,
};
use crate::character::{BoneShape, Character, JointIndex, Part, Pose, Weights};
use crate::geometry::WeldedMesh;
use crate::sample;
use crate::skin::{Mirror, Skin};
use crate::solid::Resolution;
use crate::task::Task;

/// Shared options and voxel's own.
#[derive(Clone, Default)]
struct Asked {
    shared: BindOptions,
    voxel: VoxelOptions,
}

fn skin_of(character: &Character) -> Skin {
    Skin::new(character.clone()).unwrap()
}

fn tried(character: &Character, asked: &Asked) -> Result<BindResult, BindError> {
    let method = Method::Voxel(asked.voxel.clone());
    method.bind(&skin_of(character), &asked.shared, &Task::unattended())
}

fn bind(character: &Character, asked: &Asked) -> BindResult {
    tried(character, asked).unwrap()
}

fn prepared(character: &Character, asked: &Asked) -> VoxelBinding {
    let skin = skin_of(character);
    let rules = Rules::of(&skin, &asked.shared).unwrap();
    let mut notes = Notes::default();
    VoxelBinding::prepare(&rules, &asked.voxel, &mut notes, &Task::unattended())
        .unwrap()
        .0
}

fn at(resolution: u32) -> Asked {
    let mut asked = Asked::default();
    asked.voxel.solid.resolution = Resolution::Voxels(resolution);
    asked
}

fn preset(preset: Form, resolution: u32) -> Asked {
    let mut asked = at(resolution);
    asked.voxel.preset = preset;
    asked
}

fn joint(character: &Character, name: &str) -> JointIndex {
    character.skeleton.find(name).unwrap()
}

/// Half the sum of differences of two rows.
fn apart(a: &Weights, b: &Weights, vertex: usize) -> f32 {
    let mut sum = 0.0;
    for i in a.of_vertex(vertex) {
        sum += (i.weight - b.weight(vertex, i.joint)).abs();
    }
    for i in b.of_vertex(vertex) {
        if a.weight(vertex, i.joint) == 0.0 {
            sum += i.weight;
        }
    }
    sum / 2.0
}

#[test]
fn every_sample_gets_complete_weights_in_every_form() {
    for name in sample::names().iter().map(|s| s.name) {
        let character = sample::make(name).unwrap();
        for options in [at(64), preset(Form::Paper2014, 64), preset(Form::Paper2013, 64)] {
            let bound = bind(&character, &options);
            assert_eq!(
                bound.weights.vertex_count(),
                character.mesh.positions.len(),
                "{name}"
            );
            for row in bound.weights.iter() {
                assert!(!row.is_empty() && row.len() <= 4, "{name}");
                assert!(
                    (row.iter().map(|i| i.weight).sum::<f32>() - 1.0).abs() < 1e-5,
                    "{name}"
                );
                assert!(row.iter().all(|i| i.weight > 0.0 && i.weight <= 1.0), "{name}");
            }
        }
    }
}

/// The point of it all: what is near in space and far through the body stays apart. Past
/// the knuckles, fingers share no weight.
#[test]
fn gaps_are_not_crossed() {
    let character = sample::make("hand@6000").unwrap();
    let options = at(128);
    let voxel = bind(&character, &options).weights;
    let closest = Method::Closest(ProximityOptions::default())
        .bind(&skin_of(&character), &options.shared, &Task::unattended())
        .unwrap()
        .weights;
    // A finger's joint and the finger that it belongs to, by the joint below the wrist.
    let finger_of = |mut joint: JointIndex| {
        let mut depth = 0;
        while let Some(parent) = character.skeleton.skin_parent(joint) {
            if character.skeleton.skin_children()[parent.at()].len() > 2 {
                return Some((joint, depth));
            }
            (joint, depth) = (parent, depth + 1);
        }
        None
    };
    let bleed = |weights: &Weights| {
        let (mut sum, mut count) = (0.0, 0);
        for row in weights.iter() {
            let Some((finger, depth)) = finger_of(row[0].joint) else {
                continue;
            };
            if depth < 2 {
                continue;
            }
            count += 1;
            let others = row
                .iter()
                .filter(|i| finger_of(i.joint).is_some_and(|f| f.0 != finger));
            sum += others.map(|i| i.weight).sum::<f32>();
        }
        assert!(count > 500, "{count} vertices past the knuckles");
        sum / count as f32
    };
    assert!(
        bleed(&voxel) < 0.1 * bleed(&closest),
        "{} against {}",
        bleed(&voxel),
        bleed(&closest)
    );
}

#[test]
fn symmetric_characters_get_symmetric_weights() {
    let character = sample::make("apose@4000").unwrap();
    let surface = WeldedMesh::of(&character.mesh);
    let deforms = vec![true; character.skeleton.joints.len()];
    let mirror = Mirror::of(&surface.points, surface.diagonal, &character.skeleton, &deforms);
    let Some(mirror) = mirror else {
        panic!("the sample is symmetric")
    };
    let weights = bind(&character, &Asked::default()).weights;
    let weld = crate::geometry::Weld::of(&character.mesh);
    let rows = weights.gathered(weld.first_vertex.iter().map(|&v| v as usize));
    let again = crate::weights::mirror_averaged(&rows, mirror.points(), mirror.joints(), 4);
    let worst = (0..rows.vertex_count())
        .map(|v| apart(&rows, &again, v))
        .fold(0.0, f32::max);
    assert!(worst < 2e-3, "{worst}");
}

/// Distances and weights of the papers' form are continuous: a point that walks across
/// voxel borders sees no jump.
#[test]
fn weights_do_not_jump_at_voxel_borders() {
    let character = sample::make("tube").unwrap();
    let binding = prepared(&character, &at(64));
    let (from, to) = (
        character.mesh.positions[0].as_dvec3(),
        character.mesh.positions[9].as_dvec3(),
    );
    let steps = 4000;
    let walk: Vec<DVec3> = (0..=steps)
        .map(|i| from.lerp(to, f64::from(i) / f64::from(steps)))
        .collect();
    let inside: Vec<DVec3> = walk
        .into_iter()
        .filter(|p| crate::solid::Blend::at(&binding.leaves, *p).is_some())
        .collect();
    let mut paths = Vec::new();
    let mut before: Option<(DVec3, Vec<f32>)> = None;
    for p in inside {
        let Some(blend) = crate::solid::Blend::at(&binding.leaves, p) else {
            continue;
        };
        blend.distances(&binding.field, &mut paths);
        if let Some((last, distances)) = &before {
            let step = (last.distance(p) / binding.leaves.grid.size) as f32;
            for (a, b) in distances.iter().zip(&paths) {
                // A step into the boundary costs four times its length, across a corner at that.
                assert!(
                    (a - b).abs() <= 8.0 * step + 1e-3,
                    "{} in a step of {step}",
                    (a - b).abs()
                );
            }
        }
        before = Some((p, paths.clone()));
    }
}

#[test]
fn the_bones_around_a_point_are_the_first_of_all() {
    let character = sample::make("hound@1500").unwrap();
    let binding = prepared(&character, &at(64));
    let rulers: Vec<Ruler> = binding.bones.iter().map(|b| Ruler::of(b, &binding)).collect();
    let (mut room, mut list, mut paths) = (Room::default(), Vec::new(), Vec::new());
    for p in skin_of(&character).points().iter().step_by(11) {
        near_bones(&binding, &rulers, *p, &mut room, &mut list);
        crate::solid::Blend::at(&binding.leaves, *p)
            .unwrap()
            .distances(&binding.field, &mut paths);
        let mut all: Vec<(f32, u16)> = paths.iter().copied().zip(0..).collect();
        all.retain(|(distance, _)| distance.is_finite());
        all.sort_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let mut wanted: Vec<u16> = all.iter().take(list.len().max(24)).map(|a| a.1).collect();
        let mut found: Vec<u16> = list.iter().map(|near| near.bone).collect();
        wanted.sort_unstable();
        found.sort_unstable();
        assert_eq!(found, wanted);
        assert!(list.is_sorted_by(|a, b| (a.distance, a.bone) < (b.distance, b.bone)));
    }
}

#[test]
fn a_sharper_falloff_makes_stiffer_weights() {
    let character = sample::make("tube").unwrap();
    let mean_largest = |alpha: f64| {
        let mut options = preset(Form::Paper2014, 64);
        options.voxel.falloff = Some(alpha);
        let weights = bind(&character, &options).weights;
        weights.iter().map(|row| f64::from(row[0].weight)).sum::<f64>() / weights.vertex_count() as f64
    };
    assert!(mean_largest(0.0) < mean_largest(0.5) && mean_largest(0.5) < mean_largest(1.0));
    assert_eq!((lambda(0.0), lambda(1.0)), (5.0, 30.0));
}

#[test]
fn the_rational_falloff_is_the_papers() {
    // Dionne and de Lasa 2013, equation 8, with d relative to the diagonal.
    let (d, alpha) = (0.2f64, 0.7);
    let expected = (1.0 / ((1.0 - alpha) * d + alpha * d * d)).powi(2);
    let found = Form::Paper2013.log_weight(20.0, alpha, 100.0).exp();
    assert!((found / expected - 1.0).abs() < 1e-12);
}

fn region(of: VertexSet) -> Region {
    Region {
        of,
        falloff: None,
        drivers: None,
    }
}

#[test]
fn a_region_follows_its_drivers_only() {
    let character = sample::make("knight@4000").unwrap();
    let part = character.mesh.parts[0].name.clone();
    let (first, second) = (
        character.skeleton.joints[1].name.clone(),
        character.skeleton.joints[2].name.clone(),
    );
    let vertices = character.mesh.parts[0].vertices.clone();
    let mut options = at(64);
    options.shared.regions = vec![Region {
        drivers: Some(vec![first.clone()]),
        ..region(VertexSet::Part(part.clone()))
    }];
    let rigid = bind(&character, &options).weights;
    for vertex in vertices.clone() {
        assert_eq!(rigid.weight(vertex, joint(&character, &first)), 1.0);
    }
    options.shared.regions[0].drivers = Some(vec![first.clone(), second.clone()]);
    let two = bind(&character, &options).weights;
    for vertex in vertices {
        let sum =
            two.weight(vertex, joint(&character, &first)) + two.weight(vertex, joint(&character, &second));
        assert!((sum - 1.0).abs() < 1e-5);
    }
}

#[test]
fn a_falloff_by_region_changes_only_that_region() {
    let character = sample::make("tube").unwrap();
    let (low, high) = character
        .mesh
        .positions
        .iter()
        .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(l, h), &p| {
            (l.min(p), h.max(p))
        });
    let mut middle = high.as_dvec3();
    let axis = (high - low).max_position();
    middle[axis] = f64::from(low[axis] + high[axis]) / 2.0;
    let half = VertexSet::Box {
        low: low.as_dvec3(),
        high: middle,
    };
    let inside = half.resolve(&character).unwrap();
    let plain = bind(&character, &preset(Form::Paper2014, 64)).weights;
    let mut options = preset(Form::Paper2014, 64);
    options.shared.regions = vec![Region {
        falloff: Some(Falloff::Fixed(1.0)),
        ..region(half)
    }];
    let other = bind(&character, &options).weights;
    let mut changed = 0;
    for vertex in 0..plain.vertex_count() {
        let moved = apart(&plain, &other, vertex) > 2e-3;
        // The nearest few and all bones count in different units, so a hair may differ.
        assert!(inside[vertex] || !moved, "vertex {vertex}");
        changed += usize::from(moved);
    }
    assert!(changed > 10);
}

#[test]
fn a_falloff_follows_a_joint() {
    let character = sample::make("tube").unwrap();
    let name = character.skeleton.joints[1].name.clone();
    let rule = Falloff::WithJoint {
        joint: name,
        rest: 0.2,
        bent: 0.8,
        angle: 90.0,
    };
    assert_eq!(rule.at(&character.skeleton, None), Ok(0.2));
    let mut pose = Pose::rest(&character.skeleton);
    pose.locals[1].rotation *= glam::DQuat::from_rotation_z(45f64.to_radians());
    let half = rule.at(&character.skeleton, Some(&pose)).unwrap();
    assert!((half - 0.5).abs() < 1e-9, "{half}");
    pose.locals[1].rotation *= glam::DQuat::from_rotation_z(100f64.to_radians());
    assert_eq!(rule.at(&character.skeleton, Some(&pose)), Ok(0.8));
}

#[test]
fn wrong_regions_are_named() {
    let character = sample::make("tube").unwrap();
    let fails = |region: Region| {
        let mut options = at(32);
        options.shared.regions = vec![region];
        tried(&character, &options).err()
    };
    let everywhere = VertexSet::Sphere {
        centre: DVec3::ZERO,
        radius: 1e9,
    };
    assert_eq!(
        fails(region(VertexSet::Part("no such part".to_owned()))),
        Some(BindError::Region(RegionError::Empty(
            "part 'no such part'".to_owned()
        )))
    );
    assert_eq!(
        fails(Region {
            drivers: Some(vec!["nobody".to_owned()]),
            ..region(everywhere.clone())
        }),
        Some(BindError::Region(RegionError::UnknownJoint("nobody".to_owned())))
    );
    assert_eq!(
        fails(Region {
            falloff: Some(Falloff::Fixed(3.0)),
            ..region(everywhere)
        }),
        Some(BindError::Region(RegionError::Falloff(3.0)))
    );
}

#[test]
fn locked_vertices_and_joints_keep_their_weights() {
    let mut character = sample::make("tube").unwrap();
    let first = JointIndex(0);
    let count = character.mesh.positions.len();
    let mut locked = at(32);
    locked.shared.locks.joints = vec![character.skeleton.joints[0].name.clone()];
    let bare = Character {
        weights: None,
        ..character.clone()
    };
    assert_eq!(tried(&bare, &locked).err(), Some(BindError::NothingToLock));
    let rows: Vec<Vec<crate::character::Influence>> = (0..count)
        .map(|_| {
            [(0u16, 0.25f32), (1, 0.75)]
                .map(|(j, weight)| crate::character::Influence {
                    joint: JointIndex(j),
                    weight,
                })
                .to_vec()
        })
        .collect();
    character.weights = Some(Weights::new(rows.iter().map(Vec::as_slice)).unwrap());
    let mut options = at(32);
    options.shared.locks.joints = vec![character.skeleton.joints[0].name.clone()];
    let held = bind(&character, &options).weights;
    assert!((0..count).all(|v| {
        let all_first = held.of_vertex(v).len() == 1 && held.of_vertex(v)[0].joint == first;
        all_first || (held.weight(v, first) - 0.25).abs() < 1e-3
    }));
    options.shared.locks = Locks {
        vertices: vec![VertexSet::Vertices(vec![3, 5])],
        joints: Vec::new(),
    };
    let kept = bind(&character, &options).weights;
    assert_eq!(kept.weight(3, first), 0.25);
    assert_eq!(kept.weight(5, JointIndex(1)), 0.75);
}

/// A small ball off the body follows it as one piece, and is reported.
#[test]
fn floating_pieces_follow_what_they_hang_on() {
    let mut character = sample::make("tube").unwrap();
    let diagonal = character.mesh.diagonal();
    let top = character
        .mesh
        .positions
        .iter()
        .copied()
        .fold(Vec3::NEG_INFINITY, |a, b| a.max(b));
    let base = character.mesh.positions.len() as u32;
    let corner = top + Vec3::splat(0.05 * diagonal);
    let size = 0.01 * diagonal;
    character.mesh.positions.extend([
        corner,
        corner + Vec3::X * size,
        corner + Vec3::Y * size,
        corner + Vec3::Z * size,
    ]);
    let triangles = character.mesh.triangles.len();
    let faces = [[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]];
    character
        .mesh
        .triangles
        .extend(faces.map(|f| f.map(|i| i + base)));
    let mut part = Part {
        name: "button".to_owned(),
        vertices: base as usize..base as usize + 4,
        triangles: triangles..triangles + 4,
        ..character.mesh.parts[0].clone()
    };
    part.joints = None;
    character.mesh.parts.push(part);
    character.mesh.normals = None;
    character.mesh.colors = None;
    character.mesh.corner_uvs = None;
    character.weights = None;
    let bound = bind(&character, &at(128));
    let rows: Vec<_> = (0..4)
        .map(|i| bound.weights.of_vertex(base as usize + i).to_vec())
        .collect();
    assert!(rows.iter().all(|r| *r == rows[0]));
    assert!(
        bound.warnings.iter().any(|w| matches!(
            w,
            BindWarning::FloatingPieces {
                pieces: 1,
                rigid: 1,
                positions: 4
            }
        )),
        "{:?}",
        bound.warnings
    );
}

#[test]
fn points_and_volumes_attract_skin_too() {
    let character = sample::make("tube").unwrap();
    let top = character
        .mesh
        .positions
        .iter()
        .copied()
        .fold(Vec3::NEG_INFINITY, |a, b| a.max(b))
        .as_dvec3();
    let last = JointIndex((character.skeleton.joints.len() - 1) as u16);
    let with = |shape: BoneShape| {
        let mut options = at(64);
        options.shared.deform = DeformChoice::All;
        options.voxel.influences = vec![Bone {
            joint: JointIndex(0),
            shape,
            stub: false,
        }];
        bind(&character, &options).weights
    };
    let fraction = |weights: &Weights, joint: JointIndex| {
        (0..weights.vertex_count())
            .map(|v| f64::from(weights.weight(v, joint)))
            .sum::<f64>()
    };
    let plain = fraction(&bind(&character, &at(64)).weights, JointIndex(0));
    let ball = with(BoneShape::Sphere {
        centre: character.skeleton.bind_position(last),
        radius: f64::from(character.mesh.diagonal()) / 20.0,
    });
    assert!(fraction(&ball, JointIndex(0)) > plain + 1.0);
    let point = with(BoneShape::Point(top));
    assert!(fraction(&point, JointIndex(0)) >= plain);
}

#[test]
fn a_binding_evaluates_another_level_of_detail() {
    let (fine, coarse) = (
        sample::make("knight@8000").unwrap(),
        sample::make("knight@3000").unwrap(),
    );
    let options = at(128);
    let binding = std::sync::Arc::new(prepared(&fine, &options));
    let on = |character: &Character| {
        let task = Task::unattended();
        let (shared, own) = (&options.shared, options.voxel.evaluation());
        LiveBinding::new(binding.clone(), &skin_of(character), shared, &task)?.weights(shared, own, &task)
    };
    assert_eq!(on(&fine).unwrap().weights, bind(&fine, &options).weights);
    let moved = on(&coarse).unwrap().weights;
    let own = bind(&coarse, &options).weights;
    let mean = (0..own.vertex_count())
        .map(|v| apart(&own, &moved, v))
        .sum::<f32>()
        / own.vertex_count() as f32;
    assert!(mean < 0.1, "{mean}");
    let tube = sample::make("tube").unwrap();
    assert!(matches!(on(&tube), Err(BindError::BindingDoesNotFit(_))));
}

#[test]
fn a_vertex_is_explained_by_its_bones() {
    let character = sample::make("athlete@8000").unwrap();
    let options = at(128);
    let binding = prepared(&character, &options);
    let explained = binding.explain(character.mesh.positions[100].as_dvec3(), &character.skeleton, 4);
    assert!(explained.in_solid && explained.bones.len() == 4);
    for bone in &explained.bones {
        // Straight is never longer than through the solid, but for the voxels' coarseness.
        assert!(
            bone.through_solid >= 0.9 * bone.straight - 2.0 * explained.voxel,
            "{bone:?}"
        );
        let last = bone.path.last().unwrap();
        let bones = binding
            .bones()
            .iter()
            .filter(|b| character.skeleton.joint(b.joint).name == bone.joint);
        let end = bones
            .map(|b| b.shape.distance(*last))
            .fold(f64::INFINITY, f64::min);
        assert!(end <= 2.0 * explained.voxel, "the path ends {end} from the bone");
    }
}

/// Scale changes nothing, nor do the roundings of another unit: metres and centimetres.
#[test]
fn scale_changes_nothing() {
    for (name, resolution) in [("tube", 64), ("hound@800", 128), ("knight@2000", 128)] {
        let character = sample::make(name).unwrap();
        let plain = bind(&character, &at(resolution)).weights;
        for scale in [1.0f32 / 8192.0, 0.01, 100.0, 254.0] {
            let mut other = character.clone();
            for p in &mut other.mesh.positions {
                *p *= scale;
            }
            for joint in &mut other.skeleton.joints {
                joint.bind_from_joint.translation *= f64::from(scale);
            }
            let scaled = bind(&other, &at(resolution)).weights;
            let worst = (0..plain.vertex_count())
                .map(|v| apart(&plain, &scaled, v))
                .fold(0.0, f32::max);
            assert!(worst < 1e-3, "{name}: {worst} at {scale}");
        }
    }
}

#[test]
fn live_weights_are_those_of_a_new_bind() {
    let mut character = sample::make("knight@3000").unwrap();
    let start = Asked::default();
    character.weights = Some(bind(&character, &start).weights);
    let (skin, task) = (skin_of(&character), Task::unattended());
    let live = LiveBinding::new(prepared(&character, &start), &skin, &start.shared, &task).unwrap();
    let middle = character.mesh.positions[100].as_dvec3();
    let sphere = |falloff, drivers| Region {
        of: VertexSet::Sphere {
            centre: middle,
            radius: 0.3,
        },
        falloff,
        drivers,
    };
    let joint = |n: usize| character.skeleton.joints[n].name.clone();
    let mut changes = vec![start.clone(); 5];
    changes[0].voxel.falloff = Some(0.7);
    changes[1].shared.regions = vec![sphere(Some(Falloff::Fixed(0.9)), None)];
    changes[2].shared.regions = vec![sphere(None, Some(vec![joint(3), joint(5)]))];
    changes[3].shared.influences = 2;
    changes[4].shared.locks.joints = vec![joint(4)];
    for (index, options) in changes.iter().enumerate() {
        let now = live
            .weights(&options.shared, options.voxel.evaluation(), &task)
            .unwrap();
        let new = bind(&character, options);
        assert!(now.weights == new.weights, "change {index}");
        assert!(
            now.weights != *character.weights.as_ref().unwrap(),
            "change {index} did nothing"
        );
    }
}

/// Drivers that are far away share by the straight line where no path kept them.
#[test]
fn a_region_far_from_its_drivers_follows_them_all_the_same() {
    let character = sample::make("athlete@2000").unwrap();
    let foot = |name: &str| {
        let found = character.skeleton.joints.iter().find(|j| j.name.contains(name));
        found.unwrap().name.clone()
    };
    let top = character.mesh.positions.iter().enumerate();
    let (head, _) = top.max_by(|a, b| a.1.y.total_cmp(&b.1.y)).unwrap();
    let drivers = vec![foot("left_toe"), foot("right_toe")];
    let mut options = Asked::default();
    options.shared.regions = vec![Region {
        of: VertexSet::Vertices(vec![head as u32]),
        falloff: None,
        drivers: Some(drivers.clone()),
    }];
    let bound = bind(&character, &options);
    for driver in &drivers {
        let joint = character.skeleton.find(driver).unwrap();
        // The head is about as far from one as from the other.
        assert!((bound.weights.weight(head, joint) - 0.5).abs() < 0.05, "{driver}");
    }
}
