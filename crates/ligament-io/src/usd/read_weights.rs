//! A mesh's bindings: which skeleton, which joints, how much.

use glam::DAffine3;
use ligament::JointIndex;
use ligament::character::{Influence, PartAttachment};

use crate::import::ImportError;

use super::layer::{Value, entry};
use super::read_skeleton::ReadSkeleton;
use super::stage::{Stage, affine};

/// Influences that all vertices of a mesh share: each vertex gets its own copy, so there
/// must be an end to them.
const MOST_CONSTANT: usize = 32;

/// How one mesh follows a skeleton.
pub(super) struct Binding {
    pub bind_from_mesh: DAffine3,
    pub attachment: PartAttachment,
    /// One list a vertex.
    pub influences: Vec<Vec<Influence>>,
    /// The joints that the mesh names, where it names any.
    pub joints: Option<Vec<JointIndex>>,
}

/// Reads the binding of a mesh with so many vertices; `None` if it has none.
pub(super) fn read_binding(
    stage: &mut Stage<'_>,
    index: usize,
    skeletons: &[ReadSkeleton],
    vertices: usize,
) -> Result<Option<Binding>, ImportError> {
    let prim = stage.prims[index].prim;
    let path = stage.prims[index].path.clone();
    let fail = |problem: String| ImportError::malformed(path.clone(), problem);
    let (Some(indices), Some(weights)) = (
        prim.attribute("primvars:skel:jointIndices"),
        prim.attribute("primvars:skel:jointWeights"),
    ) else {
        return Ok(None);
    };
    let named = stage.inherited(index, "skel:skeleton").map(str::to_owned);
    let skeleton = match &named {
        Some(name) => skeletons.iter().find(|s| s.path == *name),
        None => skeletons.first().filter(|_| skeletons.len() == 1),
    };
    let Some(skeleton) = skeleton else {
        return Err(fail(match named {
            Some(name) => format!("it is bound to the skeleton <{name}>, which is not there"),
            None => "it has weights but no skeleton (skel:skeleton)".to_owned(),
        }));
    };
    let joints =
        match prim.value("skel:joints").and_then(Value::texts) {
            Some(tokens) if !tokens.is_empty() => {
                let known = |t: &String| skeleton.joint_of_token.get(t).copied();
                let found: Option<Vec<JointIndex>> = tokens.iter().map(known).collect();
                Some(found.ok_or_else(|| {
                    fail("'skel:joints' names a joint that is not in the skeleton".to_owned())
                })?)
            }
            _ => None,
        };
    let slots = joints.as_ref().unwrap_or(&skeleton.joints);
    let fallback = slots.first().copied();
    let Some(fallback) = fallback else {
        return Err(fail("it is bound to a skeleton without joints".to_owned()));
    };
    let numbers = |v: Option<&Value>| v.and_then(Value::numbers).unwrap_or(&[]).to_vec();
    let (indices_now, fractions) = (numbers(indices.still()), numbers(weights.still()));
    let size = entry(&indices.metadata, "elementSize").and_then(Value::number);
    let has_interpolation = entry(&indices.metadata, "interpolation").is_some();
    // Some files leave out what the lengths tell.
    let by_length = (vertices > 0 && indices_now.len() % vertices == 0).then(|| indices_now.len() / vertices);
    let is_per_vertex = by_length.is_some_and(|k| k > 0 && size.is_none_or(|s| s as usize == k));
    let is_constant = indices.interpolation() == "constant" && (has_interpolation || !is_per_vertex);
    let k = match size {
        Some(size) => size as usize,
        None if is_constant => indices_now.len(),
        None => by_length.unwrap_or(1),
    };
    let k = k.max(1);
    let rows = if is_constant { 1 } else { vertices };
    let wanted = rows.saturating_mul(k);
    if indices_now.len() != wanted || fractions.len() != wanted {
        return Err(fail(format!(
            "{} joint indices and {} weights for {rows} times {k}",
            indices_now.len(),
            fractions.len()
        )));
    }
    let (mut foreign, mut unweighted, mut bad) = (0, 0, 0);
    let mut lists = Vec::with_capacity(rows);
    for (row, row_shares) in indices_now.chunks(k).zip(fractions.chunks(k)) {
        let mut list = Vec::new();
        for (&slot, &fraction) in row.iter().zip(row_shares) {
            if !(fraction.is_finite() && fraction >= 0.0) {
                bad += 1;
            } else if fraction > 0.0 {
                match slots.get(slot.max(-1.0) as i64 as usize).filter(|_| slot >= 0.0) {
                    Some(&joint) => list.push(Influence {
                        joint,
                        weight: fraction as f32,
                    }),
                    None => foreign += 1,
                }
            }
        }
        if list.iter().all(|i| i.weight <= 0.0) {
            unweighted += 1;
            list = vec![Influence {
                joint: fallback,
                weight: 1.0,
            }];
        }
        lists.push(list);
    }
    for (code, count, what) in [
        (
            "unknown_joints",
            foreign,
            "weights name joints that are not there and are left out",
        ),
        (
            "bad_weights",
            bad,
            "weights are negative or not finite and count as zero",
        ),
        (
            "unweighted",
            unweighted,
            "vertices have no weight and follow the first joint",
        ),
    ] {
        if count > 0 {
            stage.warn(code, format!("{path}: {count} {what}"));
        }
    }
    let mut attachment = PartAttachment::Skin;
    if is_constant {
        let mut list = lists.pop().unwrap_or_default();
        list.sort_by(|a, b| b.weight.total_cmp(&a.weight));
        list.truncate(MOST_CONSTANT);
        if let [only] = list.as_slice() {
            attachment = PartAttachment::Rigid(only.joint);
        }
        lists = vec![list; vertices];
    }
    let geometry = numbers(prim.value("primvars:skel:geomBindTransform"));
    let geometry = geometry
        .as_chunks::<16>()
        .0
        .first()
        .map_or(DAffine3::IDENTITY, affine);
    if !geometry.is_finite() {
        return Err(fail("its geomBindTransform is not finite".to_owned()));
    }
    Ok(Some(Binding {
        bind_from_mesh: skeleton.bind_from_file * geometry,
        attachment,
        influences: lists,
        joints,
    }))
}
