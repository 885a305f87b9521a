//! Parts of real characters, each dressed from the others, held against the artist's weights of it.

use std::fmt::Write;

use glam::{DAffine3, DVec3};
use ligament::bind::{BestOptions, BindOptions, DeformChoice, Method, PriorChoice};
use ligament::character::{Character, Influence, PartAttachment, Rows, Weights};
use ligament::motion::{self, MotionChoice};
use ligament::skin::{PointIndex, Skin};
use ligament::task::Task;
use ligament::transfer::{
    Matches, TransferError, TransferOptions, TransferSource, TransferTarget, transfer_weights,
};
use ligament_io::gltf::GltfFile;
use ligament_testkit::{corpus_characters, spread};

/// Smaller parts are eyes, teeth and buttons.
const LEAST_VERTICES: usize = 150;
/// Parts of which fewer points have a counterpart are not worn on the others.
const LEAST_MATCHED: f64 = 0.1;
/// Frames in which skins are compared.
const FRAMES: usize = 24;

/// A part, and how far each way is off the artist's skin of it, in percent of the character's diagonal.
struct Dressed {
    name: String,
    matched: f64,
    nearest: f64,
    transfer: f64,
    bind: f64,
}

#[test]
fn parts_are_dressed_from_the_others_as_well_as_by_the_best_other_way() {
    let mut all: Vec<Dressed> = Vec::new();
    for path in spread(corpus_characters(), 6) {
        let character = GltfFile::open(&path).unwrap().character().as_ref().clone();
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        all.extend(dressed(&name, &character));
    }
    if all.is_empty() {
        return;
    }
    let median = |of: &dyn Fn(&Dressed) -> f64| {
        let mut values: Vec<f64> = all.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    let mut table = String::new();
    for d in &all {
        writeln!(
            table,
            "| {} | {:.0} % | {:.3} | {:.3} | {:.3} |",
            d.name,
            100.0 * d.matched,
            d.nearest,
            d.transfer,
            d.bind
        )
        .unwrap();
    }
    let ratio = median(&|d| d.transfer / d.nearest.min(d.bind).max(1e-6));
    println!(
        "{table}| median | | {:.3} | {:.3} | {:.3} |\ntransfer against the better of the others, median: {ratio:.3}",
        median(&|d| d.nearest),
        median(&|d| d.transfer),
        median(&|d| d.bind)
    );
    let least = median(&|d| d.nearest).min(median(&|d| d.bind));
    assert!(median(&|d| d.transfer) <= least + 1e-6);
}

fn dressed(name: &str, character: &Character) -> Vec<Dressed> {
    let (Some(artist), task) = (&character.weights, Task::unattended()) else {
        return Vec::new();
    };
    let skin_parts: Vec<_> = (character.mesh.parts.iter())
        .filter(|p| p.attachment == PartAttachment::Skin)
        .collect();
    if skin_parts.len() < 2 {
        return Vec::new();
    }
    let skin = Skin::new(character.clone()).unwrap();
    let poses: Vec<Vec<DAffine3>> = motion::frames(character, MotionChoice::Auto, FRAMES, &[])
        .iter()
        .map(|f| f.pose.world_from_bind(&character.skeleton))
        .collect();
    let diagonal = skin.diagonal();
    let mut own: Option<Weights> = None;
    let mut all = Vec::new();
    for part in &skin_parts {
        // Two parts may name the same vertices.
        let others: Vec<bool> = (0..character.mesh.positions.len())
            .map(|v| !part.vertices.contains(&v) && skin_parts.iter().any(|p| p.vertices.contains(&v)))
            .collect();
        if part.vertices.len() < LEAST_VERTICES || !others.contains(&true) {
            continue;
        }
        let Ok(source) = TransferSource::of_body(&skin, artist, Some(&others)) else {
            continue;
        };
        let alone = Skin::new(only(character, &part.vertices, &part.triangles)).unwrap();
        let target = TransferTarget::of_skin(&alone);
        let options = TransferOptions::default();
        let matches = Matches::of(&source, &target, None, &options.matching, &task).unwrap();
        let matched = matches
            .state
            .iter()
            .enumerate()
            .filter(|(p, _)| matches.is_matched(*p))
            .count();
        let matched = matched as f64 / alone.len() as f64;
        if matched < LEAST_MATCHED {
            continue;
        }
        let own = own.get_or_insert_with(|| {
            let options = BindOptions {
                deform: DeformChoice::Used,
                ..BindOptions::default()
            };
            // The shipped prior has learned from some of these very weights: no fair rival.
            let method = Method::Best(BestOptions {
                prior: PriorChoice::None,
                ..BestOptions::default()
            });
            method.bind(&skin, &options, &task).unwrap().weights
        });
        let vertex = |point: usize| part.vertices.start + alone.first_vertex(PointIndex(point as u32));
        let own_rows = |points: &[u32]| {
            Rows::in_parallel(points.len(), |range, rows| {
                for &p in &points[range] {
                    rows.push(own.of_vertex(vertex(p as usize)).iter().copied());
                }
                Ok::<_, TransferError>(())
            })
        };
        let given = transfer_weights(&source, &target, None, &options, own_rows, &task).unwrap();
        let mut nearest: Vec<Vec<Influence>> = vec![Vec::new(); alone.len()];
        for (row, closest) in nearest.iter_mut().zip(&matches.closest) {
            source.weights_at(closest, row);
        }
        let nearest = Weights::new(nearest.iter().map(Vec::as_slice))
            .unwrap()
            .limited(4);
        let off = |row: &dyn Fn(usize) -> Vec<Influence>| {
            let mut sum = 0.0;
            for point in 0..alone.len() {
                let at = alone.points()[point];
                let (ours, theirs) = (row(point), artist.of_vertex(vertex(point)));
                for pose in &poses {
                    sum += posed(&ours, at, pose).distance_squared(posed(theirs, at, pose));
                }
            }
            100.0 * (sum / (alone.len() * poses.len()).max(1) as f64).sqrt() / diagonal
        };
        all.push(Dressed {
            name: format!("{name}: {}", part.name),
            matched,
            nearest: off(&|p| nearest.of_vertex(p).to_vec()),
            transfer: off(&|p| given.weights.of_vertex(p).to_vec()),
            bind: off(&|p| own.of_vertex(vertex(p)).to_vec()),
        });
    }
    all
}

/// One part as a character of its own, on the same skeleton.
fn only(
    character: &Character,
    vertices: &std::ops::Range<usize>,
    triangles: &std::ops::Range<usize>,
) -> Character {
    let positions = character.mesh.positions[vertices.clone()].to_vec();
    let shifted = character.mesh.triangles[triangles.clone()]
        .iter()
        .map(|t| t.map(|v| v - vertices.start as u32));
    Character {
        mesh: ligament::Mesh::single_part("part", positions, shifted.collect()),
        skeleton: character.skeleton.clone(),
        ..Character::default()
    }
}

fn posed(row: &[Influence], at: DVec3, pose: &[DAffine3]) -> DVec3 {
    row.iter()
        .map(|i| f64::from(i.weight) * pose[i.joint.at()].transform_point3(at))
        .sum()
}
