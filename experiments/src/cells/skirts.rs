//! A skirt by proximity and by cells (Fig. 11), and another skirt by the first one's
//! weights and by its field (Fig. 12).

use std::f32::consts::TAU;
use std::fmt::Write as _;

use glam::Vec3;
use ligament::bind::cells::{CellField, FitOptions, bind_by_field};
use ligament::bind::{DeformChoice, Method, ProximityOptions};
use ligament::character::Influence;
use ligament::skin::Skin;
use ligament::task::Task;
use ligament::transfer::{TransferOptions, TransferSource, TransferTarget, transfer_weights};
use ligament::{Character, Mesh, Weights};

use super::garment::Dressed;
use super::judge::{INFLUENCES, Judge, sample, short};
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

/// Weights that the transfer tool gives a part, from the parts of a character that `from` agrees to; the rest keeps `weights`.
fn transferred(
    source: &Character,
    weights: &Weights,
    from: impl Fn(&str) -> bool,
    target: &Character,
    to: &str,
) -> anyhow::Result<Weights> {
    let task = Task::unattended();
    let parts = || source.mesh.parts.iter().filter(|p| from(&p.name));
    let chosen: Vec<bool> = (0..source.mesh.positions.len())
        .map(|v| parts().any(|p| p.vertices.contains(&v)))
        .collect();
    let source = TransferSource::of_body(&Skin::new(source.clone())?, weights, Some(&chosen))?;
    let mut rows: Vec<Vec<Influence>> = weights.iter().map(<[Influence]>::to_vec).collect();
    rows.resize(target.mesh.positions.len(), Vec::new());
    for part in target.mesh.parts.iter().filter(|p| p.name == to) {
        let first = part.vertices.start as u32;
        let triangles = target.mesh.triangles[part.triangles.clone()].iter();
        let alone = Mesh::single_part(
            to,
            target.mesh.positions[part.vertices.clone()].to_vec(),
            triangles.map(|t| t.map(|v| v - first)).collect(),
        );
        let skin = Skin::new(Character {
            mesh: alone,
            ..target.clone()
        })?;
        let apart = |_: &[u32]| anyhow::bail!("{to} is not worn on what it takes weights from");
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

/// A field as its cells alone have it.
fn without_surface(field: &CellField) -> CellField {
    CellField {
        surface: None,
        ..field.clone()
    }
}

/// A body's field on the coat that it wears, and the body's weights transferred to it. The coat's own joints take no part: a body
/// knows nothing of them.
fn over_a_body() -> anyhow::Result<String> {
    let task = Task::unattended();
    let worn = sample("coat@3000")?;
    let coat = worn.mesh.parts.iter().find(|p| p.name == "coat");
    let coat = coat.ok_or_else(|| anyhow::anyhow!("the sample has a coat"))?;
    // It is the last part.
    let body = Character {
        mesh: Mesh {
            positions: worn.mesh.positions[..coat.vertices.start].to_vec(),
            triangles: worn.mesh.triangles[..coat.triangles.start].to_vec(),
            parts: worn
                .mesh
                .parts
                .iter()
                .filter(|p| p.name != "coat")
                .cloned()
                .collect(),
            normals: None,
            colors: None,
            corner_uvs: None,
            ..worn.mesh.clone()
        },
        ..worn.clone()
    };
    body.mesh.check()?;
    let joints = || DeformChoice::Patterns(vec!["!*_coat_*".to_owned()]);
    let (of_body, of_worn) = (Judge::over(&body, joints())?, Judge::over(&worn, joints())?);
    eprintln!("the body under the coat");
    let fitted = of_body.fitted(&FitOptions::default())?.value;
    let own = of_body.weights_of(&fitted)?;
    let on_coat = |field: &CellField| -> anyhow::Result<Weights> {
        Ok(bind_by_field(&of_worn.domain.skin, field, &of_worn.options, &task)?.weights)
    };
    let mut text = String::from(
        "\n`sample:coat@3000`, its own joints left out: a field that was fitted to the body alone, evaluated at the coat.\n\n\
         | weights | total | smoothness | location |\n|---|---|---|---|\n",
    );
    for (name, weights) in [
        (
            "the body's, transferred",
            transferred(&body, &own, |_| true, &worn, "coat")?,
        ),
        ("the body's field", on_coat(&fitted.field)?),
        (
            "the body's field without its surface",
            on_coat(&without_surface(&fitted.field))?,
        ),
    ] {
        let losses = of_worn.losses(&weights)?;
        writeln!(
            text,
            "| {name} | {} | {} | {} |",
            short(of_worn.total(&weights)?),
            short(losses.smoothness),
            short(losses.location)
        )?;
    }
    Ok(text)
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
        "skirt",
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
    let from_proximity = transferred(
        &dressed.character,
        &proximity,
        is_skirt,
        &other.character,
        "skirt",
    )?;
    let from_cells = transferred(&dressed.character, &cells, is_skirt, &other.character, "skirt")?;
    let by_field = |field: &CellField| -> anyhow::Result<Weights> {
        Ok(bind_by_field(&other_judge.domain.skin, field, &other_judge.options, &task)?.weights)
    };
    let by_cells_alone = by_field(&without_surface(&fitted.field))?;
    let by_field = by_field(&fitted.field)?;
    eprintln!("the second skirt");
    let own = other_judge.weights_of(&other_judge.fitted(&options)?.value)?;

    let mut text = format!(
        "`sample:{SAMPLE}` walking; *inside*, *bare* and *stretch* as under garments. Proximity is 1/d^3.5 over the four nearest bones. \
         *Transferred* is [`transfer`](../commands/transfer.md): from the body under it, which knows nothing of the skirt's joints, \
         or from the first skirt. The other skirt is shorter, wider and has other folds. A field carries the surface that it was fitted to, and \
         weighs beside it as on it; without, by its cells alone.\n\n\
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
        (
            "another",
            "the first one's field without its surface",
            &other,
            &other_judge,
            &by_cells_alone,
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
    text.push_str(&over_a_body()?);
    let shots: Vec<Shot<'_>> = rows
        .iter()
        .filter(|r| !std::ptr::eq(r.4, &raw const by_cells_alone))
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
