//! A skirt by proximity and by cells (Fig. 11), and another skirt by the first one's
//! weights and by its field (Fig. 12).

use std::f32::consts::TAU;
use std::fmt::Write as _;

use glam::Vec3;
use ligament::bind::cells::{FitOptions, bind_by_field};
use ligament::bind::{Method, ProximityOptions};
use ligament::character::Influence;
use ligament::skin::Skin;
use ligament::task::Task;
use ligament::transfer::{TransferOptions, TransferSource, TransferTarget, transfer_weights};
use ligament::{Character, Mesh, Weights};

use super::garment::Dressed;
use super::judge::{INFLUENCES, Judge, short};
use super::picture::{Look, Shot, save};

const SAMPLE: &str = "skirt@3000";
const PICTURED: usize = 16;

/// The same woman in another skirt: shorter, wider, with ten deeper folds.
fn other_skirt(character: &Character) -> anyhow::Result<Character> {
    let mut other = character.clone();
    let part = other
        .mesh
        .parts
        .iter()
        .find(|p| p.name == "skirt")
        .ok_or_else(|| anyhow::anyhow!("the sample has a skirt"))?
        .clone();
    let cloth = &mut other.mesh.positions[part.vertices.clone()];
    let (low, high) = cloth
        .iter()
        .fold((f32::INFINITY, f32::NEG_INFINITY), |(l, h), p| {
            (l.min(p.y), h.max(p.y))
        });
    for p in cloth {
        let depth = (high - p.y) / (high - low);
        let rotation = p.x.atan2(p.z);
        let wider = 1.0 + depth * (0.10 + 0.06 * (10.0 * rotation).cos());
        *p = Vec3::new(p.x * wider, high - 0.8 * (high - p.y), p.z * wider);
    }
    other.mesh = Mesh {
        normals: None,
        ..other.mesh
    };
    Ok(other)
}

/// Weights that the transfer tool gives the skirt, from the parts of a character that `from` agrees to; the rest keeps `weights`.
fn transferred(
    source: &Character,
    weights: &Weights,
    from: impl Fn(&str) -> bool,
    target: &Character,
) -> anyhow::Result<Weights> {
    let task = Task::unattended();
    let parts = || source.mesh.parts.iter().filter(|p| from(&p.name));
    let chosen: Vec<bool> = (0..source.mesh.positions.len())
        .map(|v| parts().any(|p| p.vertices.contains(&v)))
        .collect();
    let source = TransferSource::of_body(&Skin::new(source.clone())?, weights, Some(&chosen))?;
    let mut rows: Vec<Vec<Influence>> = weights.iter().map(<[Influence]>::to_vec).collect();
    for part in target.mesh.parts.iter().filter(|p| p.name == "skirt") {
        let first = part.vertices.start as u32;
        let triangles = target.mesh.triangles[part.triangles.clone()].iter();
        let alone = Mesh::single_part(
            "skirt",
            target.mesh.positions[part.vertices.clone()].to_vec(),
            triangles.map(|t| t.map(|v| v - first)).collect(),
        );
        let skin = Skin::new(Character {
            mesh: alone,
            ..target.clone()
        })?;
        let apart = |_: &[u32]| anyhow::bail!("the skirt is not worn on what it takes weights from");
        let options = TransferOptions {
            influences: INFLUENCES,
            ..TransferOptions::default()
        };
        let given = transfer_weights(
            &source,
            &TransferTarget::of_skin(&skin),
            None,
            &options,
            apart,
            &task,
        )?;
        for (v, point) in part.vertices.clone().zip(skin.points_of_vertices()) {
            if let Some(point) = point {
                rows[v] = given.weights.of_vertex(point.at()).to_vec();
            }
        }
    }
    Ok(Weights::new(rows.iter().map(Vec::as_slice))?.limited(INFLUENCES))
}

pub fn run() -> anyhow::Result<String> {
    let task = Task::unattended();
    let dressed = Dressed::sample(SAMPLE)?;
    let judge = Judge::new(&dressed.character)?;
    let proximity = Method::Closest(ProximityOptions { power: 3.5 })
        .bind(&judge.domain.skin, &judge.options, &task)?
        .weights;
    let voxel = judge.bound("voxel", INFLUENCES)?.value;
    let from_body = transferred(
        &dressed.character,
        &voxel,
        |part| dressed.body.iter().any(|b| b == part),
        &dressed.character,
    )?;
    let options = FitOptions {
        body: dressed.body.clone(),
        ..FitOptions::default()
    };
    eprintln!("the first skirt");
    let plain = judge.weights_of(&judge.fitted(&FitOptions::default())?.value)?;
    let fitted = judge.fitted(&options)?.value;
    let cells = judge.weights_of(&fitted)?;

    let other = Dressed {
        character: other_skirt(&dressed.character)?,
        garment: dressed.garment.clone(),
        body: dressed.body.clone(),
        walk: dressed.walk.clone(),
    };
    let other_judge = Judge::new(&other.character)?;
    let is_skirt = |part: &str| part == "skirt";
    let from_proximity = transferred(&dressed.character, &proximity, is_skirt, &other.character)?;
    let from_cells = transferred(&dressed.character, &cells, is_skirt, &other.character)?;
    let by_field = bind_by_field(
        &other_judge.domain.skin,
        &fitted.field,
        &other_judge.options,
        &task,
    )?
    .weights;
    eprintln!("the second skirt");
    let own = other_judge.weights_of(&other_judge.fitted(&options)?.value)?;

    let mut text = format!(
        "`sample:{SAMPLE}` walking; *inside*, *bare* and *stretch* as under garments. Proximity is 1/d^3.5 over the four nearest bones. \
         *Transferred* is [`transfer`](../commands/transfer.md): from the body under it, which knows nothing of the skirt's joints, \
         or from the first skirt. The other skirt is shorter, wider and has other folds.\n\n\
         | skirt | weights | total | smoothness | location | stretch | inside | worst | bare |\n|---|---|---|---|---|---|---|---|---|\n"
    );
    let rows = [
        ("the one fitted", "proximity", &dressed, &judge, &proximity),
        (
            "the one fitted",
            "transferred from the body",
            &dressed,
            &judge,
            &from_body,
        ),
        ("the one fitted", "cells", &dressed, &judge, &plain),
        ("the one fitted", "cells, collision", &dressed, &judge, &cells),
        (
            "another",
            "proximity, transferred",
            &other,
            &other_judge,
            &from_proximity,
        ),
        ("another", "cells, transferred", &other, &other_judge, &from_cells),
        (
            "another",
            "the first one's field",
            &other,
            &other_judge,
            &by_field,
        ),
        ("another", "cells, fitted to it", &other, &other_judge, &own),
    ];
    for (skirt, name, dressed, judge, weights) in rows {
        let cloth = dressed.fares(weights)?;
        let losses = judge.losses(weights)?;
        writeln!(
            text,
            "| {skirt} | {name} | {} | {} | {} | {} | {:.2} % | {:.2} % | {:.2} % |",
            short(judge.total(weights)?),
            short(losses.smoothness),
            short(losses.location),
            short(cloth.stretch),
            100.0 * cloth.inside,
            100.0 * cloth.worst_inside,
            100.0 * cloth.bare
        )?;
    }
    let shots: Vec<Shot<'_>> = rows
        .iter()
        .map(|(_, name, dressed, _, weights)| Shot {
            character: &dressed.character,
            weights,
            world_from_bind: &dressed.walk[PICTURED],
            caption: (*name).to_owned(),
            painted: false,
        })
        .collect();
    let look = Look {
        view: ligament_render::View::Angles {
            yaw: TAU / 10.0,
            pitch: 0.1,
        },
        size: (200, 250),
        columns: 4,
        framed: 0.0..0.62,
    };
    save(&shots, &look, "cells-skirts.png")?;
    text.push_str("\n![The rows in one moment of the walk](../images/cells-skirts.png)\n");
    Ok(text)
}
