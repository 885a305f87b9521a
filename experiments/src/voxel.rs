//! The experiments of the papers on voxel binding, and ours: writes
//! `docs/lab/voxel-experiments.md` and its pictures from what it measures.
//!
//! `cargo xtask experiments` runs it. Samples are always measured; characters of the corpus
//! where there is one, every second so that it takes minutes.

#![allow(
    clippy::print_stderr,
    reason = "a program for developers that tells what it does"
)]

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use anyhow::Context;
use ligament::bind::voxel::Form;
use ligament::bind::{BindOptions, DeformChoice, HeatOptions, Method, VoxelOptions};
use ligament::character::{BoneShape, LEAF_STUB, bones_of};
use ligament::skin::Skin;
use ligament::solid::distance::{Sources, all_distances, nearest_distances};
use ligament::solid::{Leaves, Resolution, Solid, SolidOptions};
use ligament::task::Task;
use ligament::{Character, Weights};
use ligament_io::atomic::write_file;
use ligament_io::gltf::GltfFile;
use ligament_render::{
    Camera, Cell, Image, Paint, Projection, RenderOptions, Samples, Scene, SheetOptions, View, encode_png,
    joint_colors, render, sheet, weight_colors,
};
use ligament_testkit::{corpus_characters, project_root};

/// Of the corpus every so many characters are measured.
const EVERY: usize = 2;
/// The character in the pictures.
const PICTURED: &str = "apose@8000";

/// The options that a setting may change.
#[derive(Default)]
struct Asked {
    influences: Option<usize>,
    voxel: VoxelOptions,
    heat: HeatOptions,
}

/// One way to bind.
struct Setting {
    name: &'static str,
    by_heat: bool,
    change: fn(&mut Asked),
}

const fn voxel(name: &'static str, change: fn(&mut Asked)) -> Setting {
    Setting {
        name,
        by_heat: false,
        change,
    }
}

/// Settings that are compared; the first is what the others are compared with.
struct Experiment {
    title: &'static str,
    about: &'static str,
    settings: &'static [Setting],
}

const EXPERIMENTS: [Experiment; 6] = [
    Experiment {
        title: "Presets",
        about: "The default against the papers' own forms.",
        settings: &[
            voxel("default", |_| ()),
            voxel("2014", |o| o.voxel.preset = Form::Paper2014),
            voxel("2013", |o| o.voxel.preset = Form::Paper2013),
        ],
    },
    Experiment {
        title: "Sparse and uniform voxels",
        about: "Leaves of an octree against voxels that are all of the finest size (256 along the longest side).",
        settings: &[
            voxel("sparse", |o| o.voxel.solid.resolution = Resolution::Voxels(256)),
            voxel("uniform", |o| {
                o.voxel.solid.resolution = Resolution::Voxels(256);
                o.voxel.sparse = Some(false);
            }),
        ],
    },
    Experiment {
        title: "Resolution",
        about: "Voxels along the longest side, compared with 128.",
        settings: &[
            voxel("128", |o| o.voxel.solid.resolution = Resolution::Voxels(128)),
            voxel("32", |o| o.voxel.solid.resolution = Resolution::Voxels(32)),
            voxel("64", |o| o.voxel.solid.resolution = Resolution::Voxels(64)),
            voxel("256", |o| o.voxel.solid.resolution = Resolution::Voxels(256)),
            voxel("512", |o| o.voxel.solid.resolution = Resolution::Voxels(512)),
        ],
    },
    Experiment {
        title: "Boundary penalty",
        about: "What a step into a voxel of the surface costs, compared with 4.",
        settings: &[
            voxel("4", |_| ()),
            voxel("1", |o| o.voxel.penalty = Some(1.0)),
            voxel("2", |o| o.voxel.penalty = Some(2.0)),
            voxel("10", |o| o.voxel.penalty = Some(10.0)),
            voxel("20", |o| o.voxel.penalty = Some(20.0)),
        ],
    },
    Experiment {
        title: "Neighbours",
        about: "Ways across faces, edges and corners of voxels, or across faces alone.",
        settings: &[
            voxel("all", |_| ()),
            voxel("six", |o| o.voxel.diagonal = Some(false)),
        ],
    },
    Experiment {
        title: "Influences",
        about: "Four joints for each vertex, or as many as there are.",
        settings: &[
            voxel("voxel, 4", |_| ()),
            voxel("voxel, all", |o| o.influences = Some(usize::from(u16::MAX))),
            Setting {
                name: "heat, 4",
                by_heat: true,
                change: |_| (),
            },
            Setting {
                name: "heat, all",
                by_heat: true,
                change: |o| o.influences = Some(usize::from(u16::MAX)),
            },
        ],
    },
];

/// What came of one setting on one character.
struct Measured {
    time: Duration,
    /// Bytes of voxels and distances.
    memory: Option<usize>,
    weights: Weights,
}

fn measure(character: &Character, setting: &Setting) -> anyhow::Result<Measured> {
    let mut asked = Asked::default();
    (setting.change)(&mut asked);
    let mut options = BindOptions {
        deform: match character.weights {
            Some(_) => DeformChoice::Used,
            None => DeformChoice::Guess,
        },
        ..BindOptions::default()
    };
    options.influences = asked.influences.unwrap_or(options.influences);
    let method = if setting.by_heat {
        Method::Heat(asked.heat)
    } else {
        Method::Voxel(asked.voxel)
    };
    let skin = Skin::new(character.clone())?;
    let task = Task::unattended();
    let start = Instant::now();
    let prepared = method.prepare(&skin, &options, &task)?;
    let weights = prepared.evaluate(&options, &task)?.weights;
    Ok(Measured {
        time: start.elapsed(),
        memory: prepared.voxels().map(|v| v.memory()),
        weights,
    })
}

/// The mean over vertices of half the sum of differences: the share of weight that is
/// elsewhere.
fn difference(a: &Weights, b: &Weights) -> f64 {
    let vertices = a.vertex_count();
    let total: f64 = (0..vertices)
        .map(|v| {
            let here = (a.of_vertex(v).iter()).map(|i| (i.weight - b.weight(v, i.joint)).abs());
            let there = (b.of_vertex(v).iter())
                .filter(|i| a.of_vertex(v).iter().all(|j| j.joint != i.joint))
                .map(|i| i.weight);
            0.5 * f64::from(here.chain(there).sum::<f32>())
        })
        .sum();
    total / vertices.max(1) as f64
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn shown(value: Option<f64>, digits: usize) -> String {
    value.map_or("–".to_owned(), |v| format!("{v:.digits$}"))
}

/// The rows of one experiment for one group of characters.
fn rows(
    group: &str,
    experiment: &Experiment,
    characters: &[Character],
    text: &mut String,
) -> anyhow::Result<()> {
    let count = experiment.settings.len();
    let mut times = vec![Vec::new(); count];
    let mut memories = vec![Vec::new(); count];
    let mut differences = vec![Vec::new(); count];
    let mut errors = vec![Vec::new(); count];
    for character in characters {
        eprintln!("{}: {}", experiment.title, character.name);
        let measured: Vec<Measured> = experiment
            .settings
            .iter()
            .map(|s| measure(character, s).with_context(|| format!("{}, {}", character.name, s.name)))
            .collect::<anyhow::Result<_>>()?;
        for (at, found) in measured.iter().enumerate() {
            times[at].push(found.time.as_secs_f64());
            memories[at].extend(found.memory.map(|m| m as f64 / 1e6));
            differences[at].push(difference(&found.weights, &measured[0].weights));
            let error = character.weights.as_ref().map(|w| difference(&found.weights, w));
            eprintln!("  {}: error {}", experiment.settings[at].name, shown(error, 4));
            errors[at].extend(error);
        }
    }
    for (at, setting) in experiment.settings.iter().enumerate() {
        writeln!(
            text,
            "| {group} | {} | {} | {} | {} | {} |",
            setting.name,
            shown(mean(&times[at]), 2),
            shown(mean(&memories[at]), 1),
            if at == 0 {
                "–".to_owned()
            } else {
                shown(mean(&differences[at]), 4)
            },
            shown(mean(&errors[at]), 4)
        )?;
    }
    Ok(())
}

/// What winding numbers change, character by character.
fn winding_rows(characters: &[Character], text: &mut String) -> anyhow::Result<()> {
    for character in characters {
        eprintln!("Winding numbers: {}", character.name);
        let on = voxel("on", |_| ());
        let off = voxel("off", |o| o.voxel.solid.winding_numbers = Some(false));
        let task = Task::unattended();
        let skin = Skin::new(character.clone())?;
        let surface = skin.surface();
        let solid = |winding_numbers: bool| {
            let options = SolidOptions {
                resolution: Resolution::Auto.resolve(surface, None),
                winding_numbers,
                ..SolidOptions::default()
            };
            Solid::of(surface, &options, &task)
        };
        let (with, without) = (solid(true)?, solid(false)?);
        let (slow, fast) = (fastest(|| Ok(solid(true)?))?, fastest(|| Ok(solid(false)?))?);
        let whole = fastest(|| measure(character, &on))?;
        let share = 100.0 * (slow - fast).max(0.0) / whole;
        let changed = with.interior.combined(&without.interior, |a, b| a ^ b).count();
        let (with_weights, without_weights) = (measure(character, &on)?, measure(character, &off)?);
        let error = |w: &Weights| character.weights.as_ref().map(|artist| difference(w, artist));
        writeln!(
            text,
            "| {} | {} | {} | {changed} | {share:.1} | {:.4} | {} | {} |",
            character.name,
            with.voxels().count(),
            with.winding_numbers_asked,
            difference(&with_weights.weights, &without_weights.weights),
            shown(error(&with_weights.weights), 4),
            shown(error(&without_weights.weights), 4)
        )?;
    }
    Ok(())
}

/// The shortest of a few runs, in seconds.
fn fastest<T>(mut run: impl FnMut() -> anyhow::Result<T>) -> anyhow::Result<f64> {
    let mut best = f64::INFINITY;
    for _ in 0..3 {
        let start = Instant::now();
        run()?;
        best = best.min(start.elapsed().as_secs_f64());
    }
    Ok(best)
}

/// What distances cost for 10 to 200 bones: those of the athlete, cut into equal pieces.
fn bone_rows(text: &mut String) -> anyhow::Result<()> {
    let character = ligament::sample::make("athlete@25000")?;
    let task = Task::unattended();
    let skin = Skin::new(character.clone())?;
    let surface = skin.surface();
    let whole = bones_of(
        &character.skeleton,
        &vec![true; character.skeleton.joints.len()],
        LEAF_STUB,
    );
    let longest = |bones: &[BoneShape]| {
        let lengths = bones.iter().map(length).enumerate();
        lengths.max_by(|a, b| a.1.total_cmp(&b.1)).map(|l| l.0)
    };
    for resolution in [128, 256] {
        let options = SolidOptions {
            resolution,
            ..SolidOptions::default()
        };
        let solid = Solid::of(surface, &options, &task)?;
        let before = fastest(|| Ok(Solid::of(surface, &options, &task)?))?;
        let mut bones: Vec<BoneShape> = whole.iter().map(|b| b.shape.clone()).collect();
        bones.sort_by(|a, b| length(b).total_cmp(&length(a)));
        bones.truncate(10);
        let mut first: Option<(f64, f64)> = None;
        for count in [10, 20, 50, 100, 200] {
            while bones.len() < count {
                let Some(at) = longest(&bones) else { break };
                if let BoneShape::Segment { head, tail } = bones[at] {
                    let middle = head.midpoint(tail);
                    bones[at] = BoneShape::Segment { head, tail: middle };
                    bones.push(BoneShape::Segment { head: middle, tail });
                }
            }
            let sources = Sources::of(&solid, &bones);
            let leaves = Leaves::of(&solid, &sources.voxels(solid.grid.counts), true, true);
            let before = before
                + fastest(|| {
                    Ok(Leaves::of(
                        &solid,
                        &Sources::of(&solid, &bones).voxels(solid.grid.counts),
                        true,
                        true,
                    ))
                })?;
            let four = fastest(|| Ok(nearest_distances(&leaves, &sources, 4, 4.0, &task)?))?;
            let all = fastest(|| Ok(all_distances(&leaves, &sources, 4.0, &task)?))?;
            let (four, all) = (before + four, before + all);
            let (four_first, all_first) = *first.get_or_insert((four, all));
            writeln!(
                text,
                "| {resolution} | {count} | {:.1} | {:.2} | {:.1} | {:.2} |",
                1e3 * four,
                four / four_first,
                1e3 * all,
                all / all_first
            )?;
        }
    }
    Ok(())
}

fn length(bone: &BoneShape) -> f64 {
    match bone {
        BoneShape::Segment { head, tail } => head.distance(*tail),
        _ => 0.0,
    }
}

/// A picture of the weights that some settings give, side by side.
fn picture(settings: &[Setting], file: &str) -> anyhow::Result<()> {
    let character = ligament::sample::make(PICTURED)?;
    let joint_colors = joint_colors(&character.skeleton);
    let mut images: Vec<(Image, &str)> = Vec::new();
    for setting in settings {
        let found = measure(&character, setting)?;
        let colors = weight_colors(&found.weights, &joint_colors);
        let scene = Scene {
            paint: Paint::Colors(&colors),
            ..Scene::of_mesh(&character.mesh)
        };
        let (width, height) = (320, 400);
        let camera = Camera::fit(
            &character.mesh.positions,
            View::Front,
            Projection::PERSPECTIVE,
            width as f32 / height as f32,
            0.05,
        );
        let options = RenderOptions {
            width,
            height,
            samples: Samples::Eight,
        };
        images.push((render(&scene, &camera, &options)?, setting.name));
    }
    let cells: Vec<Cell<'_>> = (images.iter())
        .map(|(image, caption)| Cell { image, caption })
        .collect();
    let columns = cells.len();
    let sheet = sheet(
        &cells,
        &SheetOptions {
            columns,
            ..SheetOptions::default()
        },
    )?;
    write_file(
        &project_root().join("docs/images").join(file),
        &encode_png(&sheet)?,
    )?;
    Ok(())
}

/// The machine's load while this ran, where the system tells.
fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let load = text.split(' ').nth(1).and_then(|l| l.parse::<f64>().ok());
    match load {
        Some(load) => {
            format!("; when it ended, {load:.0} processes had wanted to run at once for five minutes")
        }
        None => String::new(),
    }
}

fn main() -> anyhow::Result<()> {
    let samples: Vec<Character> = ligament::sample::names()
        .iter()
        .map(|s| ligament::sample::make(s.name))
        .collect::<Result<_, _>>()?;
    let corpus: Vec<Character> = corpus_characters()
        .iter()
        .step_by(EVERY)
        .map(|path| Ok(GltfFile::open(path)?.character().as_ref().clone()))
        .collect::<anyhow::Result<_>>()?;
    let groups = [("samples", &samples), ("corpus", &corpus)];

    let mut tables = String::new();
    for experiment in &EXPERIMENTS {
        writeln!(tables, "\n## {}\n\n{}\n", experiment.title, experiment.about)?;
        writeln!(
            tables,
            "| characters | setting | time, s | memory, MB | difference | error |\n|---|---|---|---|---|---|"
        )?;
        for (name, characters) in groups.iter().filter(|g| !g.1.is_empty()) {
            rows(name, experiment, characters, &mut tables)?;
        }
    }
    writeln!(
        tables,
        "\n## Winding numbers\n\nWhat they change where the six views do not agree, and their share of the time of a bind.\n\n| character | voxels | asked | changed | \
         time, % | difference | error with | error without |\n|---|---|---|---|---|---|---|---|"
    )?;
    for (_, characters) in &groups {
        winding_rows(characters, &mut tables)?;
    }
    writeln!(
        tables,
        "\n## Number of bones\n\nVoxels of the athlete and distances through it, whose ten longest bones are cut into ever more pieces, in \
         milliseconds and relative to ten bones.\n\n| voxels | bones | nearest four, ms | × | all, ms | × \
         |\n|---|---|---|---|---|---|"
    )?;
    bone_rows(&mut tables)?;
    picture(EXPERIMENTS[0].settings, "voxel-presets.png")?;
    picture(EXPERIMENTS[2].settings, "voxel-resolutions.png")?;

    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let text = format!(
        "# Experiments with voxel binding\n\nMeasured by `cargo xtask experiments`; every figure below comes from one run. \
         Nothing is written by hand.\n\nTimes and errors are means over {} samples and {} characters of the corpus (every \
         {EVERY}nd). *Memory* is that of voxels and distances. *Difference* is ½Σ|Δw| per vertex to the table's first \
         row: the share of weight that went elsewhere. *Error* is the same to the artist's weights, with the joints that \
         the artist used; a dash where there are none.\n\nThe machine has {cores} cores{}. Compare times within a table \
         only.\n\n![The default, 2014 and 2013](../images/voxel-presets.png)\n\n![128, 32, 64, 256 and 512 voxels](../images/voxel-resolutions.png)\n{tables}",
        samples.len(),
        corpus.len(),
        load()
    );
    write_file(
        &project_root().join("docs/lab/voxel-experiments.md"),
        text.as_bytes(),
    )?;
    Ok(())
}
