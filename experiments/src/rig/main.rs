//! Measures templates: how near the joints of a humanoid that is fitted into a mesh are to the artist's.
//!
//! `rig FOLDER… [--only WORD] [--bones] [--missed] [--fitted]`: all characters of folders, their skeletons and weights left out, whatever
//! they carry included and not. Prints the tables of `docs/lab/rig.md`: the files that constants were chosen on, one by one, and sums of
//! the others. `--only` looks at files whose names begin so; `--bones` adds a table by bone; `--missed` one of all files with the
//! joints that are missed; `--fitted` names what is no humanoid and is fitted nevertheless; `--places FILE` writes where artist and fit
//! have every main joint, for whoever looks for what is usual.

#![allow(
    clippy::print_stdout,
    reason = "a program for developers that tells what it finds"
)]

mod judge;

use std::path::{Path, PathBuf};

use anyhow::Context;
use ligament::character::{BodyPlan, HumanoidMap};
use ligament_io::open::{Opened, open};
use rayon::prelude::*;

use judge::{Judged, judge, skin_alone};

/// Files that constants of templates were chosen on; all others are held out.
const SEEN: [&str; 32] = [
    "babylon_yeti",
    "cesium_man",
    "clementwu_knight",
    "danielabbott_human",
    "flare_minotaur",
    "godette",
    "katsbits_bob",
    "kaykit_barbarian",
    "kaykit_knight",
    "kaykit_rogue_hooded",
    "kenney_cyborg_female",
    "khronos_riggedfigure",
    "m2m_human",
    "m2m_sintel",
    "makehuman_female_armsdown_163",
    "makehuman_male_163",
    "mannequiny",
    "momentum_test_8inf",
    "pm100_crimsom",
    "pm100_crimsom_voxel",
    "pm100_eyesummoner",
    "quaternius_mech_mike",
    "quaternius_witch",
    "robot_expressive",
    "rocketbox_female_longskirt_10",
    "rocketbox_male_adult_01",
    "seed_san",
    "stk_sara",
    "sumwars_priest_f",
    "xonotic_erebus",
    "yofrankie_momo",
    "zeroad_f_dress",
];

/// A file, with what it carries and without.
struct Measured {
    name: String,
    /// Whether its artist's skeleton is a humanoid's.
    humanoid: bool,
    /// Whether anything only hangs on a joint.
    rigid: bool,
    carrying: Judged,
    bare: Judged,
}

impl Measured {
    fn of(path: &Path) -> anyhow::Result<Self> {
        let name = path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let character = match open(path).with_context(|| format!("opening {}", path.display()))? {
            Opened::Gltf(file) => file.character().as_ref().clone(),
            Opened::Imported(imported) => imported.character,
        };
        let own = HumanoidMap::of(&character.skeleton);
        let humanoid = own.plan() == BodyPlan::Humanoid;
        let carrying = judge(&character, &own, &character.mesh)?;
        let skin = skin_alone(&character.mesh);
        let rigid = skin.is_some();
        let bare = match skin {
            Some(skin) => judge(&character, &own, &skin)?,
            None => carrying.clone(),
        };
        Ok(Self {
            name,
            humanoid,
            rigid,
            carrying,
            bare,
        })
    }

    fn seen(&self) -> bool {
        SEEN.contains(&self.name.as_str())
    }
}

/// Which of the two is looked at.
type View = fn(&Measured) -> &Judged;

fn main() -> anyhow::Result<()> {
    let (mut folders, mut only) = (Vec::new(), String::new());
    let (mut bones, mut missed, mut names, mut places) = (false, false, false, None);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--only" => only = arguments.next().context("--only WORD")?,
            "--bones" => bones = true,
            "--missed" => missed = true,
            "--fitted" => names = true,
            "--places" => places = Some(arguments.next().context("--places FILE")?),
            folder => folders.push(PathBuf::from(folder)),
        }
    }
    let mut files = Vec::new();
    for folder in &folders {
        let entries = std::fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
        for entry in entries {
            let path = entry?.path();
            let wanted = path.extension().is_some_and(|e| e == "glb" || e == "vrm");
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if wanted && name.starts_with(&only) {
                files.push(path.clone());
            }
        }
    }
    files.sort_by(|a, b| a.file_name().cmp(&b.file_name()));
    let all: Vec<Measured> = files
        .par_iter()
        .with_max_len(1)
        .map(|path| Measured::of(path))
        .collect::<anyhow::Result<_>>()?;
    let (humanoids, others): (Vec<&Measured>, Vec<&Measured>) = all.iter().partition(|m| m.humanoid);
    let (seen, held_out): (Vec<&Measured>, Vec<&Measured>) = humanoids.iter().partition(|m| m.seen());

    println!("| file | fitted by | main joints within 5 % | mean distance |\n|---|---|---|---|");
    for file in &seen {
        println!("| {} {}", file.name, row(&file.carrying));
    }
    let (carrying, bare): (View, View) = (|m| &m.carrying, |m| &m.bare);
    println!("{}", sum("all", &seen, carrying));
    println!("{}", sum("all, what hangs on joints left out", &seen, bare));
    println!("{}", sum("held out", &held_out, carrying));
    println!(
        "{}",
        sum("held out, what hangs on joints left out", &held_out, bare)
    );
    let fitted = |view: View| others.iter().filter(|m| view(m).by.is_some()).count();
    println!(
        "\nof {} others {} are fitted, {} with what hangs on joints left out",
        others.len(),
        fitted(carrying),
        fitted(bare)
    );
    if names {
        for file in others
            .iter()
            .filter(|m| m.carrying.by.is_some() || m.bare.by.is_some())
        {
            println!("- {}", file.name);
        }
    }
    if missed {
        println!(
            "\n| file | what it carries | fitted by | main joints within 5 % | mean distance | missed, by how much |\n|---|---|---|---|---|---|"
        );
        for file in &humanoids {
            let views = [("with", &file.carrying), ("without", &file.bare)];
            for (what, judged) in views.into_iter().take(if file.rigid { 2 } else { 1 }) {
                println!("| {} | {what} {} {} |", file.name, row(judged), judged.missed());
            }
        }
    }
    if bones {
        println!("\n| bone | within 5 %, of the first | held out |\n|---|---|---|");
        for bone in judge::main_bones() {
            let share = |files: &[&Measured]| {
                let offs = || files.iter().filter_map(|m| m.bare.off(bone));
                format!(
                    "{} of {}",
                    offs().filter(|o| *o < judge::NEAR).count(),
                    offs().count()
                )
            };
            println!("| {bone:?} | {} | {} |", share(&seen), share(&held_out));
        }
    }
    if let Some(file) = places {
        let lines = humanoids.iter().flat_map(|m| m.bare.places(&m.name));
        let text: String = ["file,bone,artist_x,artist_y,artist_z,fit_x,fit_y,fit_z\n".to_owned()]
            .into_iter()
            .chain(lines)
            .collect();
        std::fs::write(&file, text).with_context(|| format!("writing {file}"))?;
    }
    Ok(())
}

fn row(judged: &Judged) -> String {
    match &judged.by {
        Some(by) => format!(
            "| {by} | {} of {} | {:.1} % |",
            judged.near(),
            judged.joints.len(),
            100.0 * judged.mean()
        ),
        None => "| no | | |".to_owned(),
    }
}

/// A row for many files: how many are fitted, how many joints of those are near.
fn sum(name: &str, files: &[&Measured], view: View) -> String {
    let fitted: Vec<&Judged> = files.iter().map(|m| view(m)).filter(|j| j.by.is_some()).collect();
    let near: usize = fitted.iter().map(|j| j.near()).sum();
    let all: usize = fitted.iter().map(|j| j.joints.len()).sum();
    let off: f64 = fitted.iter().map(|j| j.mean() * j.joints.len() as f64).sum();
    format!(
        "| {name} | {} of {} | {near} of {all} ({:.1} %) | {:.1} % |",
        fitted.len(),
        files.len(),
        100.0 * near as f64 / all.max(1) as f64,
        100.0 * off / all.max(1) as f64
    )
}
