//! The whole report, on characters made by code.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::bind::{BindOptions, Method};
use crate::character::{Influence, JointIndex};
use crate::task::CancelToken;

fn bound(sample: &str) -> (Character, Weights) {
    let character = crate::sample::make(sample).unwrap();
    let task = Task::unattended();
    let result = Method::named("closest")
        .unwrap()
        .bind_character(&character, &BindOptions::default(), &task);
    let weights = result.unwrap().weights;
    (character, weights)
}

fn report(character: &Character, weights: &Weights, reference: Option<&Weights>) -> Report {
    measure(
        character,
        weights,
        reference,
        &MeasureOptions::default(),
        &Task::unattended(),
    )
    .unwrap()
}

/// The tube on one joint alone: nothing can be wrong with a rigid motion.
#[test]
fn one_joint_for_all_moves_rigidly() {
    let (tube, _) = bound("tube@400");
    let rigid = Weights::rigid(vec![JointIndex(1); tube.mesh.positions.len()]);
    let found = report(&tube, &rigid, None);
    assert!(found.from_clips && found.frames == 40);
    assert!(found.stretch.worst < 1e-5);
    assert!(found.volume.as_ref().unwrap().worst < 1e-5);
    assert_eq!(found.penetration.as_ref().unwrap().worst, 0.0);
    assert_eq!(found.bleed.total(), 0.0);
    assert!(found.smoothness.roughness < 1e-12);
    assert_eq!(found.tearing.torn_pairs, 0);
    assert_eq!(found.verdict, Verdict::Sound);
}

/// A tube that is wrung by half a turn, its weights blended linearly over a known length: linear blending leaves |1 − 2w| of the radius,
/// less than half where w is between ¼ and ¾, which is half of that length.
#[test]
fn a_wrung_tube_collapses_over_half_of_its_blend() {
    let tube = crate::sample::make("tube@4000").unwrap();
    let middle = tube.skeleton.bind_position(JointIndex(1)).y as f32;
    let (low, high) = tube.mesh.bounds();
    let radius = f64::from(0.5 * (high.x - low.x));
    for blend in [0.1f32, 0.2] {
        let upper = |p: &Vec3| ((p.y - middle) / (2.0 * blend) + 0.5).clamp(0.0, 1.0);
        let rows: Vec<Vec<Influence>> = tube
            .mesh
            .positions
            .iter()
            .map(|p| {
                let both = [(0, 1.0 - upper(p)), (1, upper(p))];
                let some = both.into_iter().filter(|b| b.1 > 0.0);
                some.map(|(joint, weight)| Influence {
                    joint: JointIndex(joint),
                    weight,
                })
                .collect()
            })
            .collect();
        let wrung = Weights::new(rows.iter().map(Vec::as_slice)).unwrap();
        let mut pose = Pose::rest(&tube.skeleton);
        let local = &mut pose.locals[1];
        local.rotation *= glam::DQuat::from_rotation_y(std::f64::consts::PI);
        let frames = [Frame {
            name: "wrung".to_owned(),
            clip: None,
            seconds: None,
            pose,
        }];
        let found = collapse(&tube, &wrung, &frames).unwrap();
        let expected = f64::from(blend) / radius;
        assert!(
            (found.worst - expected).abs() < 0.3,
            "{blend}: {} {expected}",
            found.worst
        );
    }
}

/// A tube cut hard at its middle: the border ring's edges stretch by what geometry says.
#[test]
fn a_hard_border_stretches_as_geometry_says() {
    let (tube, _) = bound("tube@400");
    let hard = Weights::rigid(
        tube.mesh
            .positions
            .iter()
            .map(|p| JointIndex(u16::from(p.y > 0.5))),
    );
    let found = report(&tube, &hard, None);
    // At each frame the upper half turns by a known angle about the middle: the worst edge
    // is across the border, on the outside of the bend.
    let mut worst = 0f64;
    for frame in motion::clip_frames(&tube, 40) {
        let m = frame.pose.world_from_bind(&tube.skeleton);
        for &[a, b, c] in &tube.mesh.triangles {
            for (i, j) in [(a, b), (b, c), (c, a)] {
                let position = |v: u32| {
                    let p = tube.mesh.positions[v as usize];
                    m[usize::from(p.y > 0.5)].transform_point3(p.as_dvec3())
                };
                let at = |v: u32| tube.mesh.positions[v as usize].as_dvec3();
                let ratio = position(i).distance(position(j)) / at(i).distance(at(j));
                worst = worst.max(ratio.ln().abs());
            }
        }
    }
    assert!(
        (found.stretch.worst - worst).abs() < 1e-3,
        "{} for {worst}",
        found.stretch.worst
    );
    assert!(found.regions[0].severity >= found.regions[found.regions.len() - 1].severity);
    let region = &found.regions[0];
    assert!(region.frame.is_some() && region.findings[0].measure == region.worst);
}

#[test]
fn a_reference_that_is_the_weights_themselves_agrees() {
    let (knight, weights) = bound("knight@2000");
    let same = report(&knight, &weights, Some(&weights));
    let agreement = same.reference.as_ref().unwrap();
    assert_eq!(
        (agreement.weight_error_mean, agreement.deformation_rms),
        (0.0, Some(0.0))
    );
    assert_eq!(
        (agreement.influence_precision, agreement.influence_recall),
        (1.0, 1.0)
    );
    let rigid = weights.limited(1);
    let other = report(&knight, &rigid, Some(&weights));
    let agreement = other.reference.as_ref().unwrap();
    assert!(agreement.weight_error_mean > 0.05 && agreement.deformation_rms.unwrap() > 1e-4);
    assert_eq!(agreement.influence_precision, 1.0);
    assert!(agreement.influence_recall < 0.7);
}

#[test]
fn the_report_is_the_same_at_any_scale_and_with_any_number_of_threads() {
    let (knight, weights) = bound("knight@2000");
    let one = report(&knight, &weights, None);
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        assert_eq!(pool.install(|| report(&knight, &weights, None)), one);
    }
    let mut large = knight.clone();
    for p in &mut large.mesh.positions {
        *p *= 1024.0;
    }
    for joint in &mut large.skeleton.joints {
        joint.bind_from_joint.translation *= 1024.0;
        joint.rest.translation *= 1024.0;
    }
    for track in large.clips.iter_mut().flat_map(|c| &mut c.tracks) {
        if track.channel == crate::character::Channel::Translation {
            track.values.iter_mut().for_each(|v| *v *= 1024.0);
        }
    }
    let scaled = report(&large, &weights, None);
    for (a, b) in one.findings.iter().zip(&scaled.findings) {
        assert!(
            (a.value - b.value).abs() <= 1e-3 * a.value.max(1e-2),
            "{a:?} {b:?}"
        );
    }
}

#[test]
fn a_motionless_character_is_measured_in_its_range_of_motion() {
    let (mut apose, weights) = bound("apose@3000");
    apose.clips.clear();
    let found = report(&apose, &weights, None);
    assert!(!found.from_clips && found.frames > 20);
    assert!(
        found
            .regions
            .iter()
            .any(|r| r.frame.as_ref().is_some_and(|f| f.name.contains("elbow")))
    );
    assert!(found.symmetry.is_some());
}

#[test]
fn each_misfit_is_named() {
    let (tube, weights) = bound("tube@400");
    let run = |c: &Character, w: &Weights, r: Option<&Weights>| {
        measure(c, w, r, &MeasureOptions::default(), &Task::unattended())
    };
    let short = Weights::rigid([JointIndex(0)]);
    assert!(matches!(
        run(&tube, &short, None),
        Err(MeasureError::Weights {
            what: "the weights",
            ..
        })
    ));
    assert!(matches!(
        run(&tube, &weights, Some(&short)),
        Err(MeasureError::Weights {
            what: "the reference weights",
            ..
        })
    ));
    let beyond = [Influence {
        joint: JointIndex(99),
        weight: 1.0,
    }];
    let beyond = Weights::new(tube.mesh.positions.iter().map(|_| &beyond[..])).unwrap();
    assert!(matches!(
        run(&tube, &beyond, None),
        Err(MeasureError::Weights { .. })
    ));
    let mut carried = tube.clone();
    carried.mesh.parts[0].attachment = crate::character::PartAttachment::Rigid(JointIndex(0));
    assert_eq!(run(&carried, &weights, None), Err(MeasureError::NoSkin));
    let mut bare = tube.clone();
    bare.skeleton.joints.clear();
    assert!(matches!(
        run(&bare, &weights, None),
        Err(MeasureError::Skeleton(_))
    ));
}

#[test]
fn cancelling_at_every_step_stops_it() {
    let (tube, weights) = bound("tube@200");
    let options = MeasureOptions {
        frames: 3,
        penetration_frames: 2,
        ..MeasureOptions::default()
    };
    let run = |stop_at: usize| {
        let (token, steps) = (CancelToken::new(), AtomicUsize::new(0));
        let watch = |_: &'static str, _: f32| {
            if steps.fetch_add(1, Ordering::Relaxed) + 1 >= stop_at {
                token.cancel();
            }
        };
        let result = measure(&tube, &weights, None, &options, &Task::new(token.clone(), &watch));
        (result, steps.into_inner())
    };
    let (whole, steps) = run(usize::MAX);
    assert!(whole.is_ok() && steps > 8);
    for stop_at in 1..steps {
        assert_eq!(run(stop_at).0, Err(MeasureError::Cancelled(Cancelled)));
    }
}

#[test]
fn a_large_mesh_is_measured_in_some_frames_and_says_so() {
    let small = crate::sample::make("athlete@1000").unwrap();
    let (frames, all) = MeasureOptions::default().frames_for(&small);
    assert_eq!(frames.len(), all);
    let mut large = small.clone();
    let last = large.mesh.positions[0];
    // Points of no face: nothing but their number counts here.
    large.mesh.positions.resize(12_000_000 / 12, last);
    let options = MeasureOptions {
        motion: MotionChoice::RangeOfMotion,
        ..MeasureOptions::default()
    };
    let (whole, all) = MeasureOptions {
        all_frames: true,
        ..options.clone()
    }
    .frames_for(&large);
    assert_eq!(whole.len(), all);
    let (some, of) = options.frames_for(&large);
    assert!(all > 12);
    assert_eq!((some.len(), of), (12, all));
    // They are spread: each is one of all, in their order.
    let places: Vec<usize> = some
        .iter()
        .filter_map(|f| whole.iter().position(|w| w.pose == f.pose))
        .collect();
    assert!(places.is_sorted() && places.len() == some.len());
    assert_eq!(options.penetration_frames_for(2_000_000), 1);
    assert_eq!(options.penetration_frames_for(100_000), 8);
}
