//! `ligament bench --edits`: how long weights take to follow a joint that is dragged.

use std::time::Instant;

use anyhow::Context;
use glam::DVec3;
use ligament::Character;
use ligament::bind::{BindOptions, HeatOptions, Method};
use ligament::character::JointIndex;
use ligament::edit::{Command, Growth, JointRef, Session, SessionOptions};
use ligament::task::Task;
use serde::Serialize;

use crate::console::Console;

/// A joint is dragged this far at a time, as a share of the character's diagonal.
const STEP: f64 = 0.004;
/// The directions in which it goes, one after the other; together they lead back.
const DRAG: [[f64; 3]; 6] = [
    [1.0, 0.0, 0.0],
    [0.0, 1.0, 0.0],
    [0.0, 0.0, 1.0],
    [-1.0, 0.0, 0.0],
    [0.0, 0.0, -1.0],
    [0.0, -1.0, 0.0],
];

/// A joint that was dragged.
#[derive(Serialize)]
pub struct Dragged {
    pub joint: String,
    /// The most positions and joints that a step solved for.
    pub positions: usize,
    pub joints: usize,
    pub median_ms: f64,
    pub worst_ms: f64,
    /// The largest difference of a weight to a whole bind, after the drag.
    pub difference: Option<f64>,
    #[serde(skip)]
    times_ms: Vec<f64>,
    #[serde(skip)]
    joining_ms: Vec<f64>,
}

/// Drags on one character.
#[derive(Serialize)]
pub struct EditRow {
    pub character: String,
    pub growth: &'static str,
    pub positions: usize,
    pub bones: usize,
    /// A whole bind by heat, with everything prepared anew.
    pub whole_ms: f64,
    /// Over all steps of all joints.
    pub median_ms: f64,
    pub worst_ms: f64,
    pub shown: Vec<Dragged>,
    /// Over all steps of the joints that are shown.
    pub shown_median_ms: f64,
    pub shown_worst_ms: f64,
    /// What it takes besides to join their steps, so that a drag is undone as one.
    pub joining_median_ms: f64,
    pub joining_worst_ms: f64,
}

/// What to drag.
pub struct Drags<'a> {
    /// Joints to show; some of each size if empty.
    pub joints: &'a [String],
    /// Insert joints into the longest bones until there are so many.
    pub bones: Option<usize>,
    pub growth: Growth,
    pub repeat: u32,
}

/// Drags every joint of a character.
pub fn drag_all(
    name: &str,
    character: &Character,
    drags: &Drags<'_>,
    console: &Console,
) -> anyhow::Result<EditRow> {
    let options = SessionOptions {
        growth: drags.growth,
        ..SessionOptions::default()
    };
    let mut session = console.with_task(|task| Session::new(character.clone(), &options, task))?;
    while drags.bones.is_some_and(|b| session.skeleton().joints.len() <= b) {
        let Some(joint) = longest_bone(&session) else {
            break;
        };
        let command = Command::InsertJoint {
            joint: JointRef::Index(joint.0),
            name: None,
            at: 0.5,
        };
        session.apply(&command, &Task::unattended())?;
    }
    let edited = session.character();
    let heat = Method::Heat(HeatOptions::default());
    let start = Instant::now();
    console.with_task(|task| heat.bind_character(&edited, &BindOptions::default(), task))?;
    let whole_ms = start.elapsed().as_secs_f64() * 1e3;

    let size = f64::from(character.mesh.diagonal());
    let skeleton = session.skeleton();
    let names: Vec<(JointIndex, String)> = skeleton
        .indices()
        .filter(|&j| skeleton.joint(j).in_skin)
        .map(|j| (j, skeleton.joint(j).name.clone()))
        .collect();
    let mut all = Vec::new();
    let mut dragged = Vec::new();
    for (joint, name) in &names {
        let mut found = Dragged {
            joint: name.clone(),
            positions: 0,
            joints: 0,
            median_ms: 0.0,
            worst_ms: 0.0,
            difference: None,
            times_ms: Vec::new(),
            joining_ms: Vec::new(),
        };
        // Of each step the fastest counts: the rest is what else the machine did.
        let mut times = vec![f64::INFINITY; DRAG.len()];
        for _ in 0..drags.repeat.max(1) {
            let again = drag(&mut session, *joint, STEP * size, &mut found)?;
            for (fastest, time) in times.iter_mut().zip(again) {
                *fastest = fastest.min(time);
            }
        }
        if found.positions == 0 {
            continue; // a joint that moves no skin
        }
        (found.median_ms, found.worst_ms) = median_and_worst(times.clone());
        found.times_ms.clone_from(&times);
        all.extend(times);
        dragged.push((*joint, found));
    }
    let mut shown = chosen(dragged, drags.joints);
    for (joint, found) in &mut shown {
        drag(&mut session, *joint, STEP * size, found)?;
        found.difference = Some(console.with_task(|task| session.difference_to_whole(task))?);
    }
    let (median_ms, worst_ms) = median_and_worst(all);
    let of_shown = shown.iter().flat_map(|s| s.1.times_ms.iter().copied());
    let (shown_median_ms, shown_worst_ms) = median_and_worst(of_shown.collect());
    let joining = shown.iter().flat_map(|s| s.1.joining_ms.iter().copied());
    let (joining_median_ms, joining_worst_ms) = median_and_worst(joining.collect());
    Ok(EditRow {
        character: name.to_owned(),
        growth: match drags.growth {
            Growth::Tolerance => "tolerance",
            Growth::Rings => "four rings",
        },
        positions: session.point_count(),
        bones: names.len(),
        whole_ms,
        median_ms,
        worst_ms,
        shown: shown.into_iter().map(|s| s.1).collect(),
        shown_median_ms,
        shown_worst_ms,
        joining_median_ms,
        joining_worst_ms,
    })
}

fn median_and_worst(mut times: Vec<f64>) -> (f64, f64) {
    times.sort_by(f64::total_cmp);
    let at = |index: usize| times.get(index).copied().unwrap_or(0.0);
    (at(times.len() / 2), at(times.len().saturating_sub(1)))
}

/// Drags a joint step by step and tells how long each took. Undo takes a drag back as one step,
/// as a person would expect; how long joining takes is told apart.
fn drag(
    session: &mut Session,
    joint: JointIndex,
    step: f64,
    found: &mut Dragged,
) -> anyhow::Result<Vec<f64>> {
    let mut times = Vec::new();
    for direction in DRAG {
        let command = Command::MoveJoint {
            joint: JointRef::Index(joint.0),
            to: None,
            by: Some(step * DVec3::from_array(direction)),
            with_children: false,
        };
        let start = Instant::now();
        let done = session
            .apply(&command, &Task::unattended())
            .with_context(|| format!("dragging '{}'", found.joint))?;
        times.push(start.elapsed().as_secs_f64() * 1e3);
        if times.len() > 1 {
            let start = Instant::now();
            session.join_last_two();
            found.joining_ms.push(start.elapsed().as_secs_f64() * 1e3);
        }
        found.positions = found.positions.max(done.positions_solved);
        found.joints = found.joints.max(done.joints_solved);
    }
    Ok(times)
}

/// The joint whose bone to its parent is longest.
fn longest_bone(session: &Session) -> Option<JointIndex> {
    let skeleton = session.skeleton();
    let length = |j: JointIndex| {
        let parent = skeleton.skin_parent(j)?;
        Some(skeleton.bind_position(j).distance(skeleton.bind_position(parent)))
    };
    let joints = skeleton.indices().filter(|&j| skeleton.joint(j).in_skin);
    joints
        .filter_map(|j| Some((j, length(j)?)))
        .max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)))
        .map(|b| b.0)
}

/// The joints that were asked for; else the least, the middle and the largest by positions
/// solved, and those between.
fn chosen(mut dragged: Vec<(JointIndex, Dragged)>, asked: &[String]) -> Vec<(JointIndex, Dragged)> {
    if !asked.is_empty() {
        dragged.retain(|d| asked.contains(&d.1.joint));
        return dragged;
    }
    dragged.sort_by_key(|d| d.1.positions);
    let last = dragged.len().saturating_sub(1);
    let wanted: Vec<usize> = (0..=4).map(|k| k * last / 4).collect();
    let mut index = 0;
    dragged.retain(|_| {
        index += 1;
        wanted.contains(&(index - 1))
    });
    dragged
}

/// The rows as a table.
pub fn markdown(rows: &[EditRow]) -> String {
    let mut text = String::from(
        "| character | region | edit | positions | bones | median ms | worst ms | difference |\n|---|---|---|---:|---:|---:|---:|---:|\n",
    );
    for row in rows {
        text.push_str(&format!(
            "| {} | {} | whole | {} | {} | {:.0} | | |\n",
            row.character, row.growth, row.positions, row.bones, row.whole_ms
        ));
        for d in &row.shown {
            text.push_str(&format!(
                "| | | {} | {} | {} | {:.1} | {:.1} | {:.1e} |\n",
                d.joint,
                d.positions,
                d.joints,
                d.median_ms,
                d.worst_ms,
                d.difference.unwrap_or(f64::NAN)
            ));
        }
        text.push_str(&format!(
            "| | | these {} | | | {:.1} | {:.1} | |\n| | | joining their steps | | | {:.1} | {:.1} | |\n| | | all joints | | | {:.1} | {:.1} | |\n",
            row.shown.len(),
            row.shown_median_ms,
            row.shown_worst_ms,
            row.joining_median_ms,
            row.joining_worst_ms,
            row.median_ms,
            row.worst_ms
        ));
    }
    text
}
