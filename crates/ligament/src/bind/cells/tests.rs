//! What a fitted field promises.

use super::*;
use crate::bind::{Locks, ProximityOptions, VertexSet};

fn skin_of(character: &Character) -> Skin {
    Skin::new(character.clone()).unwrap()
}

fn quick() -> FitOptions {
    FitOptions {
        steps: 30,
        guided_steps: 0,
        start: Start::Bones,
        geodesic: false,
        pose_pool: 16,
        ..FitOptions::default()
    }
}

fn fitted(character: &Character, options: &FitOptions) -> Fitted {
    fit_character(
        &skin_of(character),
        &BindOptions::default(),
        options,
        None,
        &Task::unattended(),
    )
    .unwrap()
}

#[test]
fn a_fit_lowers_the_loss_over_poses_it_did_not_see() {
    let character = crate::sample::make("hound@800").unwrap();
    for options in [
        FitOptions {
            steps: 120,
            ..quick()
        },
        FitOptions {
            steps: 120,
            site_axes: true,
            ..quick()
        },
        FitOptions {
            steps: 60,
            ..FitOptions::paper()
        },
    ] {
        let fitted = fitted(&character, &options);
        let total = |l: &Losses| l.total(&fitted.report.weights);
        let (before, after) = (total(&fitted.report.unseen_before), total(&fitted.report.unseen));
        assert!(after < 0.95 * before, "{before} became {after}");
        assert_eq!(fitted.field.check(), Ok(()));
        assert!(fitted.field.cells.iter().all(|c| c.floor == 0.0));
    }
}

#[test]
fn any_number_of_threads_gives_the_same_field() {
    let character = crate::sample::make("knight@2000").unwrap();
    let options = FitOptions {
        points_per_step: 700,
        steps: 12,
        site_axes: true,
        ..quick()
    };
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| fitted(&character, &options)).field
    };
    let one = with(1);
    assert_eq!(one, with(3));
    let other = FitOptions { seed: 2, ..options };
    assert_ne!(one, fitted(&character, &other).field);
}

/// As by default, with all that goes beyond the paper, but short.
fn short() -> FitOptions {
    FitOptions {
        steps: 12,
        guided_steps: 25,
        pose_pool: 16,
        ..FitOptions::default()
    }
}

/// The same character in another unit.
fn scaled(character: &Character, by: f32) -> Character {
    let mut scaled = character.clone();
    scaled.mesh.positions.iter_mut().for_each(|p| *p *= by);
    for joint in &mut scaled.skeleton.joints {
        joint.bind_from_joint.translation *= f64::from(by);
        joint.rest.translation *= f64::from(by);
    }
    scaled
}

fn bound(character: &Character, options: &FitOptions) -> Weights {
    let field = fitted(character, options).field;
    bind_by_field(
        &skin_of(character),
        &field,
        &BindOptions::default(),
        &Task::unattended(),
    )
    .unwrap()
    .weights
}

#[test]
fn metres_and_centimetres_give_the_same_weights() {
    let character = crate::sample::make("hound@800").unwrap();
    let (a, b) = (
        bound(&character, &short()),
        bound(&scaled(&character, 100.0), &short()),
    );
    let sum: f64 = (0..a.vertex_count())
        .map(|v| crate::weights::weight_distance(a.of_vertex(v), b.of_vertex(v)))
        .sum();
    let mean = sum / a.vertex_count() as f64;
    // The voxel bind differs by a millionth, and steps of a fit lead apart what is apart. With
    // voxels that follow the unit it was 0.04.
    assert!(mean < 5e-3, "{mean}");
}

#[test]
fn a_unit_that_rounds_nothing_changes_no_bit() {
    let character = crate::sample::make("hound@800").unwrap();
    let large = scaled(&character, 128.0);
    assert_eq!(bound(&character, &short()), bound(&large, &short()));
}

#[test]
fn one_and_two_threads_give_the_same_bytes_over_a_body() {
    let character = crate::sample::make("skirt@1500").unwrap();
    let options = FitOptions {
        body: vec!["body".to_owned(), "bodice".to_owned()],
        points_per_step: 600,
        ..short()
    };
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| {
            let field = fitted(&character, &options).field;
            let task = Task::unattended();
            let bound = bind_by_field(&skin_of(&character), &field, &BindOptions::default(), &task).unwrap();
            (field, bound.weights)
        })
    };
    let (one, two) = (with(1), with(2));
    assert_eq!(one, two);
    // Equal numbers may still differ in the sign of a zero.
    assert_eq!(format!("{one:?}"), format!("{two:?}"));
}

#[test]
fn one_field_binds_another_level_of_detail() {
    let character = crate::sample::make("athlete@1000").unwrap();
    let field = fitted(&character, &quick()).field;
    let fine = crate::sample::make("athlete@3000").unwrap();
    let bound = bind_by_field(
        &skin_of(&fine),
        &field,
        &BindOptions::default(),
        &Task::unattended(),
    )
    .unwrap();
    assert_eq!(bound.weights.vertex_count(), fine.mesh.positions.len());
    assert!(bound.weights.max_influences() <= 4);
    assert!(bound.warnings.is_empty(), "{:?}", bound.warnings);
}

/// The surface that a field carries changes no bit of the weights on it, and beside it they come close to those on it.
#[test]
fn a_field_weighs_beside_its_surface_nearly_as_on_it() {
    let character = crate::sample::make("hound@800").unwrap();
    let field = fitted(&character, &quick()).field;
    let alone = CellField {
        surface: None,
        ..field.clone()
    };
    let skin = skin_of(&character);
    let at = |by: f32| -> Vec<Vec3> {
        let middle = field.centre.as_vec3();
        let points = skin.points().iter().map(|p| p.as_vec3());
        points
            .map(|p| p + (p - middle).normalize() * by * field.size as f32)
            .collect()
    };
    let weights = |field: &CellField, by: f32| field.weights_at(&at(by), &Task::unattended()).unwrap();
    let on = weights(&field, 0.0);
    assert_eq!(on, weights(&alone, 0.0));
    let apart = |other: &Weights| -> f32 {
        let rows = on.iter().zip(other.iter());
        let one = |(a, b): (&[crate::character::Influence], &[crate::character::Influence])| -> f32 {
            let of = |row: &[crate::character::Influence], j| {
                row.iter().find(|i| i.joint == j).map_or(0.0, |i| i.weight)
            };
            a.iter().map(|i| (i.weight - of(b, i.joint)).abs()).sum()
        };
        rows.map(one).sum::<f32>() / on.vertex_count() as f32
    };
    let (drawn, straight) = (apart(&weights(&field, 0.01)), apart(&weights(&alone, 0.01)));
    assert!(drawn < straight, "{drawn} of {straight}");
    // Far away nothing is drawn.
    assert_eq!(weights(&field, 3.0), weights(&alone, 3.0));
}

#[test]
fn another_skeleton_is_told() {
    let character = crate::sample::make("tube@100").unwrap();
    let field = fitted(&character, &quick()).field;
    let hound = crate::sample::make("hound@800").unwrap();
    let error = bind_by_field(
        &skin_of(&hound),
        &field,
        &BindOptions::default(),
        &Task::unattended(),
    )
    .unwrap_err();
    assert!(
        matches!(error, BindError::Field(FieldError::OtherSkeleton { .. })),
        "{error}"
    );
}

#[test]
fn guidance_is_followed() {
    let character = crate::sample::make("hound@800").unwrap();
    let options = BindOptions::default();
    // A field can follow what a field gave.
    let given = FitOptions {
        seed: 9,
        ..FitOptions::paper()
    };
    let given = fitted(&character, &FitOptions { steps: 1, ..given }).field;
    let wanted = bind_by_field(&skin_of(&character), &given, &options, &Task::unattended())
        .unwrap()
        .weights;
    let guided = FitOptions {
        steps: 1,
        guided_steps: 150,
        ..quick()
    };
    let distance = |guidance: Option<&Guidance>| {
        let fitted = fit_character(
            &skin_of(&character),
            &options,
            &guided,
            guidance,
            &Task::unattended(),
        )
        .unwrap();
        let bound =
            bind_by_field(&skin_of(&character), &fitted.field, &options, &Task::unattended()).unwrap();
        let all = (0..wanted.vertex_count())
            .map(|v| crate::weights::weight_distance(bound.weights.of_vertex(v), wanted.of_vertex(v)));
        all.sum::<f64>() / wanted.vertex_count() as f64
    };
    let free = distance(None);
    let near = distance(Some(&Guidance::everywhere(wanted.clone(), 1.0)));
    assert!(near < 0.7 * free, "{free} became {near}");
}

#[test]
fn locked_vertices_keep_their_weights_and_the_fit_knows() {
    let mut character = crate::sample::make("hound@800").unwrap();
    let task = Task::unattended();
    let free = BindOptions::default();
    let given = Method::Closest(ProximityOptions::default())
        .bind_character(&character, &free, &task)
        .unwrap()
        .weights;
    character.weights = Some(given.clone());
    let locked: Vec<u32> = (0..given.vertex_count() as u32).step_by(3).collect();
    let options = BindOptions {
        locks: Locks {
            vertices: vec![VertexSet::Vertices(locked)],
            ..Locks::default()
        },
        ..free
    };
    let fitted = fit_character(&skin_of(&character), &options, &quick(), None, &task).unwrap();
    let bound = bind_by_field(&skin_of(&character), &fitted.field, &options, &task)
        .unwrap()
        .weights;
    for v in (0..given.vertex_count()).step_by(3) {
        assert_eq!(bound.of_vertex(v), given.of_vertex(v));
    }
    let unaware = fit_character(
        &skin_of(&character),
        &BindOptions::default(),
        &quick(),
        None,
        &task,
    )
    .unwrap();
    assert_ne!(fitted.field, unaware.field);
}

#[test]
fn cancelling_stops_a_fit_before_and_in_every_stage() {
    let character = crate::sample::make("hound@800").unwrap();
    let options = BindOptions::default();
    let seen = std::sync::Mutex::new(Vec::new());
    let watch = |stage: &'static str, _share: f32| {
        let mut seen = seen.lock().unwrap();
        if !seen.contains(&stage) {
            seen.push(stage);
        }
    };
    let task = Task::new(crate::task::CancelToken::new(), &watch);
    fit_character(&skin_of(&character), &options, &short(), None, &task).unwrap();
    let stages = seen.into_inner().unwrap();
    assert!(
        ["springs", "guide", "fit"].iter().all(|s| stages.contains(s)),
        "{stages:?}"
    );
    for at in std::iter::once(None).chain(stages.into_iter().map(Some)) {
        let cancel = crate::task::CancelToken::new();
        if at.is_none() {
            cancel.cancel();
        }
        let stop = cancel.clone();
        let watch = move |stage: &'static str, _share: f32| {
            if Some(stage) == at {
                stop.cancel();
            }
        };
        let task = Task::new(cancel, &watch);
        let found = fit_character(&skin_of(&character), &options, &short(), None, &task);
        assert!(matches!(found, Err(BindError::Cancelled(_))), "at {at:?}");
    }
}

#[test]
fn no_exponent_falls_under_its_bound() {
    let character = crate::sample::make("hand@1200").unwrap();
    let least = |least_falloff: f64| {
        let options = FitOptions {
            least_falloff,
            ..short()
        };
        let cells = fitted(&character, &options).field.cells;
        cells.iter().map(|c| c.falloff).fold(f32::INFINITY, f32::min)
    };
    // They begin at 2 and go both ways.
    assert!(least(0.0) < 1.95);
    assert!(least(1.95) >= 1.95);
}

/// With steps that are far too long a fit runs away; guarded, it goes back and slows down.
#[test]
fn a_fit_that_runs_away_goes_back() {
    let character = crate::sample::make("hound@800").unwrap();
    let after = |run_away: Option<f64>| {
        let options = FitOptions {
            run_away,
            rate: 1.0,
            last_rate: 1.0,
            steps: 1500,
            ..short()
        };
        let report = fitted(&character, &options).report;
        (report.unseen.total(&report.weights), report.went_back)
    };
    let ((free, never), (guarded, times)) = (after(None), after(Some(1.5)));
    assert_eq!(never, 0);
    assert!(
        times > 0 && 2.0 * guarded < free,
        "{guarded} after {times}, {free}"
    );
}
