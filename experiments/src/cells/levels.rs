//! One fit, every level of detail (Fig. 10): how far weights differ where levels have the same
//! point.

use std::fmt::Write as _;

use anyhow::Context;
use ligament::bind::DeformChoice;
use ligament::bind::cells::{CellField, FitOptions, bind_by_field};
use ligament::task::Task;
use ligament::weights::weight_distance;
use ligament::{Character, Weights};
use ligament_io::gltf::GltfFile;
use ligament_testkit::corpus;

use super::judge::{INFLUENCES, Judge, sample};
use super::picture::{Look, Shot, save};
use super::surface::{closest, weights_at};

/// The level that is fitted, and all of them.
const FITTED: &str = "knight@9000";
const SAMPLES: [&str; 4] = ["knight@3000", "knight@9000", "knight@20000", "knight@40000"];
const PICTURED: usize = 5;
/// About so many vertices of a level are compared.
const COMPARED: usize = 1500;
/// A level's vertex is a point of another level within this share of the character's diagonal.
const SAME: f32 = 1e-4;
/// A place is a vertex where the other corners have less than this share.
const CORNER: f32 = 1e-4;

/// ½Σ|Δw| between two levels where both have a point.
struct Difference {
    points: usize,
    /// Vertices that both have, and the largest difference there.
    vertices: usize,
    largest_at_vertices: f64,
    mean: f64,
    largest: f64,
}

fn difference(a: &Character, of_a: &Weights, b: &Character, of_b: &Weights) -> Difference {
    let vertices = a.mesh.positions.len();
    let near = SAME * b.mesh.diagonal();
    let mut found = Vec::new();
    let mut at_vertices: Vec<f64> = Vec::new();
    for v in (0..vertices).step_by((vertices / COMPARED).max(1)) {
        let Some(name) = a.mesh.part_of_vertex(v).map(|p| &p.name) else {
            continue;
        };
        let faces = b.mesh.parts.iter().filter(|p| &p.name == name);
        let places = faces.filter_map(|p| closest(&b.mesh, p.triangles.clone(), a.mesh.positions[v]));
        let Some(place) = places.min_by(|x, y| x.distance.total_cmp(&y.distance)) else {
            continue;
        };
        if place.distance <= near {
            let distance = weight_distance(of_a.of_vertex(v), &weights_at(&b.mesh, of_b, &place));
            found.push(distance);
            if place.shares.iter().any(|&s| s > 1.0 - CORNER) {
                at_vertices.push(distance);
            }
        }
    }
    Difference {
        points: found.len(),
        vertices: at_vertices.len(),
        largest_at_vertices: at_vertices.iter().copied().fold(0.0, f64::max),
        mean: found.iter().sum::<f64>() / found.len().max(1) as f64,
        largest: found.iter().copied().fold(0.0, f64::max),
    }
}

struct Level {
    name: String,
    character: Character,
    by_field: Weights,
    by_voxels: Weights,
    total: f64,
}

fn level(name: &str, character: Character, field: &CellField) -> anyhow::Result<Level> {
    eprintln!("{name}");
    // Artists leave joints out of coarse levels; all are to follow the same ones here.
    let joints = field
        .cells
        .iter()
        .filter_map(|c| character.skeleton.find(&c.joint));
    let judge = Judge::over(&character, DeformChoice::Joints(joints.collect()))?;
    let by_field = bind_by_field(&judge.domain.skin, field, &judge.options, &Task::unattended())?.weights;
    let by_voxels = judge.bound("voxel", INFLUENCES)?.value;
    let total = judge.total(&by_field)?;
    Ok(Level {
        name: name.to_owned(),
        by_field,
        by_voxels,
        total,
        character,
    })
}

fn rows(levels: &[Level], reference: usize, text: &mut String) -> anyhow::Result<()> {
    for (i, level) in levels.iter().enumerate() {
        let to = &levels[reference];
        let (field, voxel) = (
            difference(&level.character, &level.by_field, &to.character, &to.by_field),
            difference(&level.character, &level.by_voxels, &to.character, &to.by_voxels),
        );
        let vertices = level.character.mesh.positions.len();
        if i == reference {
            writeln!(
                text,
                "| `{}`, fitted | {vertices} | {:.2} | – | – | – | – | – | – | – |",
                level.name, level.total
            )?;
            continue;
        }
        writeln!(
            text,
            "| `{}` | {vertices} | {:.2} | {} | {} | {} | {:.4} | {:.4} | {:.4} | {:.4} |",
            level.name,
            level.total,
            field.vertices,
            match field.vertices {
                0 => "–".to_owned(),
                _ => format!("{:.5}", field.largest_at_vertices),
            },
            field.points,
            field.largest,
            field.mean,
            voxel.largest,
            voxel.mean
        )?;
    }
    Ok(())
}

fn picture(levels: &[Level], file: &str) -> anyhow::Result<()> {
    let poses = Judge::new(&levels[0].character)?.unseen;
    let shots: Vec<Shot<'_>> = levels
        .iter()
        .map(|level| Shot {
            character: &level.character,
            weights: &level.by_field,
            world_from_bind: &poses[PICTURED],
            caption: format!("{} vertices", level.character.mesh.positions.len()),
            painted: false,
        })
        .collect();
    save(&shots, &Look::default(), file)
}

pub fn run() -> anyhow::Result<String> {
    let mut text = String::from(
        "Levels of detail bound by the field of one of them. Differences are ½Σ|Δw| to the level that was fitted: the largest at \
         the vertices that both have (*same*), where a field cannot differ; the largest and the mean at the vertices \
         that lie on its surface within 10⁻⁴ of the diagonal (*points*), where its weights are interpolated between its vertices, \
         which alone makes the difference: an edge may cross a whole border. Beside it the same when every level is bound \
         on its own by `voxel`.\n\n\
         | level | vertices | total | same | largest | points | largest | mean | voxel, largest | voxel, mean |\n|---|---|---|---|---|---|---|---|---|---|\n",
    );
    let fitted = sample(FITTED)?;
    eprintln!("fitting {FITTED}");
    let field = Judge::new(&fitted)?.fitted(&FitOptions::default())?.value.field;
    let levels: Vec<Level> = SAMPLES
        .iter()
        .map(|name| level(name, sample(name)?, &field))
        .collect::<anyhow::Result<_>>()?;
    let reference = SAMPLES
        .iter()
        .position(|&s| s == FITTED)
        .context("it is one of them")?;
    rows(&levels, reference, &mut text)?;
    picture(&levels, "cells-levels.png")?;
    let mut pictures =
        String::from("\n![Four resolutions of the knight, one field](../images/cells-levels.png)\n");
    if let Some(folder) = corpus() {
        let names = [
            "rocketbox_male_adult_01",
            "rocketbox_male_adult_01_lod1",
            "rocketbox_male_adult_01_lod2",
        ];
        let open = |name: &str| -> anyhow::Result<Character> {
            let path = folder.join("open").join(format!("{name}.glb"));
            let mut character = GltfFile::open(&path)?.character().as_ref().clone();
            // Their colours are in pictures that the corpus left out: black without.
            for part in &mut character.mesh.parts {
                part.material.base_color = [0.6, 0.55, 0.5, 1.0];
            }
            Ok(character)
        };
        eprintln!("fitting {}", names[0]);
        let full = open(names[0])?;
        let field = Judge::new(&full)?.fitted(&FitOptions::default())?.value.field;
        let levels: Vec<Level> = names
            .iter()
            .map(|name| level(name, open(name)?, &field))
            .collect::<anyhow::Result<_>>()?;
        rows(&levels, 0, &mut text)?;
        picture(&levels, "cells-levels-corpus.png")?;
        pictures.push_str("\n![The corpus's levels, one field](../images/cells-levels-corpus.png)\n");
    } else {
        eprintln!("the corpus's levels are left out");
    }
    Ok(text + &pictures)
}
