//! Our heat is Blender's bone heat, where the two mean the same.

use std::path::Path;
use std::process::Command;
use std::time::Instant;

use ligament::Character;
use ligament::bind::BindOptions;
use ligament::bind::heat::{HeatBinding, HeatDomain, HeatForm};
use ligament::character::{BoneShape, JointIndex};
use ligament::skin::Skin;
use ligament::task::Task;
use ligament_io::open::{Opened, open, open_skeleton};
use ligament_testkit::{corpus, python_with_blender, run as run_tool};
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize)]
struct Answer {
    seconds: f64,
    /// For each vertex bones and their weights.
    weights: Vec<Vec<(usize, f64)>>,
}

fn domain_of(character: &Character) -> HeatDomain {
    HeatDomain::new(&Skin::new(character.clone()).unwrap(), &BindOptions::default()).unwrap()
}

/// What Blender answers for the same points, faces and bones.
fn blender(domain: &HeatDomain) -> Answer {
    let bones: Vec<_> = domain
        .bones
        .iter()
        .map(|b| match b.shape {
            BoneShape::Segment { head, tail } => (head, tail),
            _ => panic!("Blender has no other bones"),
        })
        .collect();
    let given = json!({ "positions": domain.skin.points(), "faces": domain.skin.faces(), "bones": bones });
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), given.to_string()).unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/blender_heat.py");
    let output = run_tool(Command::new(python_with_blender()).arg(script).arg(file.path()));
    let line = output.lines().find_map(|l| l.strip_prefix("RESULT "));
    serde_json::from_str(line.expect("the script prints its result")).unwrap()
}

/// Blender fades weights out between 0.05 and 0.025, and does not normalise.
fn faded(weight: f64) -> f64 {
    if weight < 0.05 {
        ((weight - 0.025) * 2.0).max(0.0)
    } else {
        weight
    }
}

/// ½Σ|ours − theirs| of each vertex.
fn disagreement(character: &Character, form: &HeatForm) -> Vec<f64> {
    let mut domain = domain_of(character);
    // To Blender every bone is a source of its own.
    domain.joint_count = domain.bones.len();
    for (number, bone) in domain.bones.iter_mut().enumerate() {
        bone.joint = JointIndex(number as u16);
    }
    domain.masks = domain.masks.renumbered(|_| vec![true; domain.bones.len()]);
    let theirs = blender(&domain).weights;
    let task = Task::unattended();
    let binding = HeatBinding::new(domain, form, &[], &task).unwrap();
    let ours = binding.weights(64, &task).unwrap();
    let disagreement = |(position, bones): (usize, &Vec<(usize, f64)>)| {
        let mut off = vec![0.0; binding.domain().joint_count];
        for i in ours.of_vertex(position) {
            off[i.joint.at()] += faded(f64::from(i.weight));
        }
        for &(bone, weight) in bones {
            off[bone] -= weight;
        }
        off.iter().map(|d: &f64| d.abs()).sum::<f64>() / 2.0
    };
    theirs.iter().enumerate().map(disagreement).collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Along a tube every normal points away from the bone, so Blender's angle changes nothing,
/// and the published form with Blender's c is Blender's.
#[test]
fn the_published_form_agrees_with_blender_on_a_tube() {
    let form = HeatForm {
        strength: HeatForm::blender().strength,
        ..HeatForm::published()
    };
    let tube = ligament::sample::make("tube@2000").unwrap();
    let off = disagreement(&tube, &form);
    let largest = off.iter().copied().fold(0.0, f64::max);
    assert!(mean(&off) < 1e-3 && largest < 0.02, "{}, {largest}", mean(&off));
}

/// With the angle, on a whole body. Blender has other normals (not weighted by angles) and
/// other areas (Voronoi, not thirds), and a few vertices may differ by much.
#[test]
fn blenders_form_agrees_with_blender_on_a_body() {
    let athlete = ligament::sample::make("athlete@6000").unwrap();
    let off = disagreement(&athlete, &HeatForm::blender());
    let share = off.iter().filter(|&&d| d > 0.1).count() as f64 / off.len() as f64;
    assert!(mean(&off) < 5e-3 && share < 5e-3, "{}, {share}", mean(&off));
}

/// The weighting steps alone, one after the other on the same mesh.
#[test]
#[ignore = "a measurement, for an idle machine and --release"]
fn the_armadillo_is_bound_three_times_faster_than_by_blender() {
    let Some(corpus) = corpus() else { return };
    let meshes = corpus.join("meshes");
    let Opened::Imported(imported) = open(&meshes.join("libigl_armadillo.obj")).unwrap() else {
        panic!("an OBJ file is imported")
    };
    let mut character = imported.character;
    character.skeleton = open_skeleton(&meshes.join("libigl_armadillo.skel"), &character.mesh)
        .unwrap()
        .skeleton;
    let theirs = blender(&domain_of(&character)).seconds;
    let start = Instant::now();
    let options = BindOptions::default();
    let method = ligament::bind::Method::named("heat").unwrap();
    method
        .bind_character(&character, &options, &Task::unattended())
        .unwrap();
    let ours = start.elapsed().as_secs_f64();
    println!("{ours:.3} s, Blender {theirs:.3} s");
    assert!(3.0 * ours < theirs, "{ours:.2} s, Blender {theirs:.2} s");
}
