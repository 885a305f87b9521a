//! One target: matched, filled, its joints found, written.

use std::path::PathBuf;

use glam::{DAffine3, DVec3};
use ligament::character::{Influence, JointIndex, WeightsBuilder};
use ligament::skin::{PointIndex, Skin};
use ligament::task::Task;
use ligament::transfer::{
    BodyFit, JointMap, Misfit, PointMatch, TransferSource, TransferTarget, Transferred, transfer_weights,
};
use ligament::weights::{Replacing, replaced};
use ligament::{Skeleton, Weights};

use super::apart::{bound_rows, moved_skeleton};
use super::picture::draw;
use super::{Body, MissingJoints, TransferRequest, TransferredTarget};
use crate::AppError;
use crate::asset::Asset;
use crate::save::{JsonHolds, save, wanted, with_joints};
use crate::vertex_choice::chosen_vertices;

/// Transfers to one target, and writes it if there is an output. `choose` sees the target's skin and what was transferred to its points, and may
/// give other weights of the body's joints instead.
pub fn transfer(
    body: &Body,
    asset: Asset,
    request: &TransferRequest,
    output: Option<PathBuf>,
    choose: impl FnOnce(&Skin, &Transferred) -> Result<Option<Weights>, AppError>,
    task: &Task<'_>,
) -> Result<Worn, AppError> {
    let start = task.now();
    if let Some(output) = &output {
        wanted(output, JsonHolds::Weights)?;
        asset.refuse_as_output(output)?;
        body.asset.refuse_as_output(output)?;
    }
    let met = meet(body, asset, request)?;
    let only = chosen_vertices(&met.asset, &request.only)?;
    let fill = chosen_vertices(&met.asset, &request.fill)?;
    let skin = Skin::new(met.asset.character().clone())?;
    let target = TransferTarget::of_skin(&skin);
    let to_match = fill.map(|fill| at_points(&skin, &fill).iter().map(|f| !f).collect::<Vec<bool>>());
    let mut bind_warnings = Vec::new();
    let given = transfer_weights(
        &met.source,
        &target,
        to_match.as_deref(),
        &request.options,
        |points| {
            let influences = request.options.influences;
            let (rows, warnings) = bound_rows(body, met.fit.as_ref(), &skin, points, influences, task)?;
            bind_warnings = warnings;
            Ok::<_, AppError>(rows)
        },
        task,
    )?;
    let of_points = choose(&skin, &given)?.unwrap_or_else(|| given.weights.clone());
    let mut stages = given.stages.clone();
    let mut watch = task.stopwatch();
    let rig = joined_rig(body, &met, &of_points, request);
    let own = own_joints(body, &met, &rig, request);
    let weights = finished(
        &met.asset,
        &skin,
        &rig,
        &of_points,
        only.as_deref(),
        &own,
        request,
    )?;
    let picture = match &request.pictures {
        Some(folder) => Some(draw(
            met.asset.character(),
            &skin,
            &given,
            folder,
            met.asset.file_stem(),
        )?),
        None => None,
    };
    task.check()?;
    let file_warnings = met.asset.warnings();
    let vertices = met.asset.character().mesh.positions.len();
    let input = met.asset.input().to_owned();
    let mut holds = vec![false; rig.skeleton.joints.len()];
    for i in weights.influences() {
        holds[i.joint.at()] = true;
    }
    let (asset, weights) = with_joints(met.asset, &rig.skeleton, &weights)?;
    if let Some(output) = &output {
        save(&asset, Some(&weights), request.store, output, JsonHolds::Weights)?;
    }
    watch.lap("write");
    stages.extend(watch.stages());
    let name = |j: &usize| rig.skeleton.joints[*j].name.clone();
    let report = TransferredTarget {
        input,
        output,
        vertices,
        matched: given.matched(),
        filled: given.filled,
        other_limb: given.matches.count(PointMatch::OtherLimb),
        bound: given.apart.len(),
        bound_pieces: given.pieces_apart,
        joints: holds.iter().filter(|&&h| h).count(),
        added_joints: rig.added,
        merged_joints: rig.merged,
        own_joints: (0..holds.len())
            .filter(|&j| own.kept[j] && !own.unchosen[j] && holds[j])
            .map(|j| name(&j))
            .collect(),
        fitted: met.fit.as_ref().map(|f| f.scale),
        max_influences: weights.max_influences(),
        picture,
        stages,
        milliseconds: task.now().saturating_sub(start).as_secs_f64() * 1e3,
        file_warnings,
        bind_warnings,
    };
    Ok(Worn {
        asset,
        weights,
        report,
    })
}

/// A target with its new weights.
pub struct Worn {
    /// The target, on all the joints that it follows now.
    pub asset: Asset,
    /// Weights of its document's vertices.
    pub weights: Weights,
    /// What was done.
    pub report: TransferredTarget,
}

/// A body and a target at one position, and which of their joints are the same.
struct Met {
    asset: Asset,
    source: TransferSource,
    map: JointMap,
    fit: Option<BodyFit>,
}

fn meet(body: &Body, asset: Asset, request: &TransferRequest) -> Result<Met, AppError> {
    let skeleton = &body.asset.character().skeleton;
    let refuse = |misfit: Misfit| AppError::Misfit {
        target: asset.input().to_owned(),
        source: misfit,
    };
    let fitted = |found: Option<(Misfit, BodyFit)>| match found {
        Some((misfit, _)) if !request.fit => Err(refuse(misfit)),
        found => Ok(found.map(|f| f.1)),
    };
    let moved = |fit: &Option<BodyFit>| match fit {
        Some(fit) => body.surface.fitted(fit),
        None => Ok(body.surface.clone()),
    };
    if asset.has_skeleton() {
        let theirs = &asset.character().skeleton;
        let map = JointMap::between(skeleton, theirs, &body.names)?;
        let shares_any = skeleton
            .indices()
            .any(|j| body.used[j.at()] && map.of_source[j.at()].is_some());
        if !shares_any {
            return Err(no_joint_in_common(body, &asset));
        }
        let diagonal = body.surface.diagonal();
        let fit = fitted(BodyFit::by_joints(skeleton, diagonal, theirs, &map, &body.used))?;
        return Ok(Met {
            source: moved(&fit)?,
            map,
            fit,
            asset,
        });
    }
    asset.character().mesh.check()?;
    let mesh = &asset.character().mesh;
    let points: Vec<DVec3> = mesh.positions.iter().map(|p| p.as_dvec3()).collect();
    let diagonal = f64::from(mesh.robust_diagonal());
    let fit = fitted(BodyFit::by_size(
        &body.surface,
        skeleton.joints.len(),
        &points,
        diagonal,
    ))?;
    let source = moved(&fit)?;
    let asset = match &fit {
        Some(fit) => asset.with_skeleton(&moved_skeleton(skeleton, fit))?,
        None => asset.with_skeleton(skeleton)?,
    };
    // A document may order joints otherwise than the skeleton that it was given.
    let map = JointMap::between(skeleton, &asset.character().skeleton, &body.names)?;
    Ok(Met {
        source,
        map,
        fit,
        asset,
    })
}

fn no_joint_in_common(body: &Body, asset: &Asset) -> AppError {
    const SHOWN: usize = 4;
    let some = |skeleton: &Skeleton, wanted: &dyn Fn(usize) -> bool| {
        let named = (0..skeleton.joints.len()).filter(|&j| skeleton.joints[j].in_skin && wanted(j));
        let names: Vec<&str> = named
            .map(|j| skeleton.joints[j].name.as_str())
            .take(SHOWN)
            .collect();
        names.join(", ")
    };
    AppError::NoJointInCommon {
        body: body.asset.input().to_owned(),
        target: asset.input().to_owned(),
        ours: some(&body.asset.character().skeleton, &|j| body.used[j]),
        theirs: some(&asset.character().skeleton, &|_| true),
    }
}

/// The target's joints once those that it lacks are added, and the way to them.
struct Rig {
    skeleton: Skeleton,
    /// For each joint of the body.
    to: Vec<Option<JointIndex>>,
    added: Vec<String>,
    merged: Vec<(String, String)>,
}

fn joined_rig(body: &Body, met: &Met, given: &Weights, request: &TransferRequest) -> Rig {
    let source = &body.asset.character().skeleton;
    let target = &met.asset.character().skeleton;
    let mut needed = vec![false; source.joints.len()];
    for i in given.influences() {
        needed[i.joint.at()] |= body.chosen[i.joint.at()];
    }
    let no_move = DAffine3::IDENTITY;
    let lacks: Vec<JointIndex> = source
        .indices()
        .filter(|j| needed[j.at()] && met.map.of_source[j.at()].is_none())
        .collect();
    let add =
        |j: &JointIndex| request.missing == MissingJoints::Add || met.map.or_above(source, *j).is_none();
    let mut wanted = vec![false; source.joints.len()];
    for joint in lacks.iter().filter(|j| add(j)) {
        wanted[joint.at()] = true;
    }
    let (skeleton, map) = met.map.joined(source, target, &wanted, |j| {
        met.fit.as_ref().map_or(no_move, |fit| fit.moves[j.at()])
    });
    let to: Vec<Option<JointIndex>> = source.indices().map(|j| map.or_above(source, j)).collect();
    let name = |j: JointIndex| source.joint(j).name.clone();
    let merged = lacks.iter().filter(|j| !wanted[j.at()]);
    Rig {
        added: lacks
            .iter()
            .filter(|j| wanted[j.at()])
            .map(|&j| name(j))
            .collect(),
        merged: merged
            .filter_map(|&j| Some((name(j), skeleton.joint(to[j.at()]?).name.clone())))
            .collect(),
        skeleton,
        to,
    }
}

/// Which of a target's joints keep their weight.
struct Own {
    kept: Vec<bool>,
    /// Of these, joints whose counterparts were not asked for.
    unchosen: Vec<bool>,
}

fn own_joints(body: &Body, met: &Met, rig: &Rig, request: &TransferRequest) -> Own {
    let count = rig.skeleton.joints.len();
    let mut chosen = vec![false; count];
    for (joint, to) in rig.to.iter().enumerate() {
        if let Some(to) = to.filter(|_| body.chosen[joint] && body.used[joint]) {
            chosen[to.at()] = true;
        }
    }
    let mut has_counterpart = met.map.reached(count);
    has_counterpart.resize(count, false);
    let unchosen: Vec<bool> = (0..count)
        .map(|j| has_counterpart[j] && !chosen[j] && !request.joints.is_empty())
        .collect();
    let own = (0..count).map(|j| !has_counterpart[j] && !chosen[j] && !request.replace_own);
    let kept = own
        .zip(&unchosen)
        .map(|(own, &unchosen)| own || unchosen)
        .collect();
    Own { kept, unchosen }
}

/// The target's new weights, by its own joints and vertices.
fn finished(
    asset: &Asset,
    skin: &Skin,
    rig: &Rig,
    given: &Weights,
    only: Option<&[bool]>,
    own: &Own,
    request: &TransferRequest,
) -> Result<Weights, AppError> {
    let first = JointIndex(rig.to.iter().flatten().map(|j| j.0).min().unwrap_or(0));
    let mut builder = WeightsBuilder::with_capacity(given.vertex_count(), 4);
    for row in given.iter() {
        // Joints that keep what they have take nothing, unless nothing else is left.
        let renamed: Vec<Influence> = row
            .iter()
            .filter_map(|i| rig.to[i.joint.at()].map(|joint| Influence { joint, ..*i }))
            .collect();
        let free: Vec<Influence> = renamed
            .iter()
            .copied()
            .filter(|i| !own.kept[i.joint.at()])
            .collect();
        let row = if free.is_empty() { &renamed } else { &free };
        if builder.push(row).is_err() {
            builder
                .push(&[Influence {
                    joint: first,
                    weight: 1.0,
                }])
                .map_err(ligament::transfer::TransferError::from)?;
        }
    }
    let new = builder.finish();
    let handed_out = |weights: &Weights| {
        let handed = skin.to_vertices(weights, first);
        handed.map_err(ligament::transfer::TransferError::from)
    };
    let limits = only.is_some() || request.mix < 1.0;
    let Some(old) = asset.character().weights.as_ref() else {
        if limits {
            return Err(AppError::NothingToKeep {
                name: asset.character().name.clone(),
            });
        }
        return Ok(handed_out(&new)?);
    };
    // Copies along a seam get the same, whatever each of them had.
    let speakers = (0..skin.len() as u32).map(|p| skin.first_vertex(PointIndex(p)));
    let old_points = old.gathered(speakers);
    let what = Replacing {
        kept_joints: Some(&own.kept),
        mix: request.mix,
        influences: request.options.influences,
        ..Replacing::default()
    };
    let mixed = handed_out(&replaced(&old_points, &new, &what))?;
    let Some(only) = only else {
        return Ok(mixed);
    };
    let where_asked = Replacing {
        vertices: Some(only),
        ..Replacing::default()
    };
    Ok(replaced(old, &mixed, &where_asked))
}

/// For each point whether any vertex there is in a set.
fn at_points(skin: &Skin, vertices: &[bool]) -> Vec<bool> {
    let mut inside = vec![false; skin.len()];
    for (point, &wanted) in skin.points_of_vertices().iter().zip(vertices) {
        if let Some(point) = point.filter(|_| wanted) {
            inside[point.at()] = true;
        }
    }
    inside
}
