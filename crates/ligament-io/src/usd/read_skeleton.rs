//! `Skeleton` prims as joints.
//!
//! Joints get frames without the scale of the file's units or of the prims above them: a
//! skeleton in centimetres reads as one in metres. Should prims above scale unevenly, they
//! become a plain node above the joints instead.

use std::collections::{HashMap, HashSet};

use glam::{DAffine3, DVec3};
use ligament::character::{Joint, JointIndex, Transform};

use crate::import::ImportError;

use super::layer::{Prim, Value};
use super::stage::{Stage, affine};

/// A joint's path of more bytes than this is no joint of a character.
const LONGEST_TOKEN: usize = 16_384;

/// A `Skeleton` prim after reading.
pub(super) struct ReadSkeleton {
    /// Its path.
    pub path: String,
    /// For each of its tokens, the joint.
    pub joint_of_token: HashMap<String, JointIndex>,
    /// The joints in the order of the file's tokens.
    pub joints: Vec<JointIndex>,
    /// Those without a parent among them.
    pub roots: HashSet<JointIndex>,
    /// From the space of its bind transforms to the character's bind space.
    pub bind_from_file: DAffine3,
    /// What is before a root joint's transform as the file has it.
    pub root_from_file: DAffine3,
    /// How much lengths grow on the way in.
    pub scale: f64,
}

/// Reads the skeleton at an index of the stage and adds its joints.
pub(super) fn read_skeleton(
    stage: &mut Stage<'_>,
    index: usize,
    joints: &mut Vec<Joint>,
) -> Result<ReadSkeleton, ImportError> {
    let placed = &stage.prims[index];
    let (prim, path) = (placed.prim, placed.path.clone());
    let fail = |problem: String| ImportError::malformed(path.clone(), problem);
    let inner_from_skeleton = stage.inner_from_stage * placed.world;
    let tokens = prim.value("joints").and_then(Value::texts).unwrap_or(&[]);
    if joints.len() + tokens.len() + 1 > usize::from(u16::MAX) {
        return Err(ImportError::Unsupported {
            what: "a skeleton of more than 65,535 joints".to_owned(),
            way_out: "split the scene and read one character at a time".to_owned(),
        });
    }
    let mut index_of_token: HashMap<&str, usize> = HashMap::new();
    for (i, token) in tokens.iter().enumerate() {
        if token.len() > LONGEST_TOKEN {
            return Err(fail(format!(
                "the path of joint {i} is longer than {LONGEST_TOKEN} bytes"
            )));
        }
        if index_of_token.insert(token, i).is_some() {
            return Err(fail(format!("the joint '{token}' is there twice")));
        }
    }
    let parents: Vec<Option<usize>> = tokens.iter().map(|t| parent_of(t, &index_of_token)).collect();
    let order = parents_first(&parents);

    let matrices = |name: &str| matrices_of(prim, name, tokens.len(), &path);
    let (rest, bind) = (matrices("restTransforms")?, matrices("bindTransforms")?);
    let (rest, bind) = complete(rest, bind, &parents, &order);
    if rest.is_none() && !tokens.is_empty() {
        stage.warn(
            "no_rest_pose",
            format!("{path}: it has neither rest nor bind transforms; all joints stand at the origin"),
        );
    }
    let rest = rest.unwrap_or_else(|| vec![DAffine3::IDENTITY; tokens.len()]);
    let bind = bind.unwrap_or_else(|| vec![DAffine3::IDENTITY; tokens.len()]);
    let bad = |m: &DAffine3| !m.is_finite() || m.matrix3.determinant().abs() < f64::MIN_POSITIVE;
    if let Some(i) = bind.iter().position(bad) {
        return Err(fail(format!(
            "the bind transform of '{}' is not finite or cannot be inverted",
            tokens[i]
        )));
    }
    if let Some(i) = rest.iter().position(|m| !m.is_finite()) {
        return Err(fail(format!(
            "the rest transform of '{}' is not finite",
            tokens[i]
        )));
    }

    // By the book bind transforms are in the world; some exporters leave them in the
    // skeleton's own space. Where the root stands at rest tells which.
    let skeleton_in_stage = stage.prims[index].world;
    let root = order.first().copied();
    let drift = root.map_or(DAffine3::IDENTITY, |r| {
        skeleton_in_stage * rest[r] * bind[r].inverse()
    });
    let stage_from_bind = if distance(drift, skeleton_in_stage) < distance(drift, DAffine3::IDENTITY) {
        skeleton_in_stage
    } else {
        DAffine3::IDENTITY
    };
    let bind_from_file = stage.inner_from_stage * stage_from_bind;

    let even = even_scale(inner_from_skeleton);
    let mut above = None;
    if even.is_none() {
        above = Some(JointIndex(joints.len() as u16));
        joints.push(Joint {
            name: prim.display_name().to_owned(),
            parent: None,
            rest: Transform::from_affine(inner_from_skeleton),
            bind_from_joint: inner_from_skeleton,
            in_skin: false,
        });
        stage.warn(
            "uneven_scale",
            format!("{path}: it stands under an uneven scale, kept as a node above its joints"),
        );
    }
    let scale = even.unwrap_or(1.0);
    let root_from_file = even.map_or(DAffine3::IDENTITY, |_| inner_from_skeleton);
    let names = original_names(prim, tokens);
    let in_skin = prim
        .value("ligament:inSkin")
        .and_then(Value::numbers)
        .unwrap_or(&[]);
    let mut indices = vec![JointIndex(0); tokens.len()];
    for &i in &order {
        let parent = parents[i].map(|p| indices[p]).or(above);
        indices[i] = JointIndex(joints.len() as u16);
        joints.push(Joint {
            name: names[i].clone(),
            parent,
            rest: local_transform(rest[i], parents[i].is_none(), root_from_file, scale),
            bind_from_joint: bind_from_file * bind[i] * DAffine3::from_scale(DVec3::splat(1.0 / scale)),
            in_skin: in_skin.get(i).is_none_or(|&n| n != 0.0),
        });
    }
    Ok(ReadSkeleton {
        path: stage.prims[index].path.clone(),
        joint_of_token: tokens.iter().cloned().zip(indices.iter().copied()).collect(),
        roots: (0..tokens.len())
            .filter(|&i| parents[i].is_none())
            .map(|i| indices[i])
            .collect(),
        joints: indices,
        bind_from_file,
        root_from_file,
        scale,
    })
}

/// A joint's local transform in the character's frames.
pub(super) fn local_transform(
    file: DAffine3,
    is_root: bool,
    root_from_file: DAffine3,
    scale: f64,
) -> Transform {
    let shrink = DAffine3::from_scale(DVec3::splat(1.0 / scale));
    if is_root {
        return Transform::from_affine(root_from_file * file * shrink);
    }
    let mut local = Transform::from_affine(file);
    local.translation *= scale;
    local
}

/// The nearest token above that is a joint.
fn parent_of(token: &str, indices: &HashMap<&str, usize>) -> Option<usize> {
    let mut above = token;
    while let Some((shorter, _)) = above.rsplit_once('/') {
        if let Some(&index) = indices.get(shorter) {
            return Some(index);
        }
        above = shorter;
    }
    None
}

/// The joints ordered so that parents come first; as the file has them where it can be.
fn parents_first(parents: &[Option<usize>]) -> Vec<usize> {
    let depth = |mut i: usize| {
        let mut depth = 0;
        while let Some(p) = parents[i] {
            depth += 1;
            i = p; // a parent's token is shorter, so this ends
        }
        depth
    };
    let mut order: Vec<usize> = (0..parents.len()).collect();
    if parents.iter().enumerate().any(|(i, p)| p.is_some_and(|p| p > i)) {
        order.sort_by_cached_key(|&i| depth(i));
    }
    order
}

fn matrices_of(
    prim: &Prim,
    name: &str,
    count: usize,
    path: &str,
) -> Result<Option<Vec<DAffine3>>, ImportError> {
    let Some(numbers) = prim
        .value(name)
        .and_then(Value::numbers)
        .filter(|n| !n.is_empty())
    else {
        return Ok(None);
    };
    if numbers.len() != 16 * count {
        return Err(ImportError::malformed(
            path,
            format!("'{name}' has {} numbers for {count} joints", numbers.len()),
        ));
    }
    Ok(Some(numbers.as_chunks::<16>().0.iter().map(affine).collect()))
}

type Matrices = Option<Vec<DAffine3>>;

/// Rest from bind or bind from rest, where one of them is missing.
fn complete(
    rest: Matrices,
    bind: Matrices,
    parents: &[Option<usize>],
    order: &[usize],
) -> (Matrices, Matrices) {
    match (rest, bind) {
        (Some(rest), None) => {
            let mut bind = rest.clone();
            for &i in order {
                if let Some(p) = parents[i] {
                    bind[i] = bind[p] * rest[i];
                }
            }
            (Some(rest), Some(bind))
        }
        (None, Some(bind)) => {
            let local = |i: usize| parents[i].map_or(bind[i], |p: usize| bind[p].inverse() * bind[i]);
            let rest = (0..bind.len()).map(local).collect();
            (Some(rest), Some(bind))
        }
        both => both,
    }
}

fn original_names(prim: &Prim, tokens: &[String]) -> Vec<String> {
    let given = ["ligament:jointNames", "jointNames"]
        .into_iter()
        .filter_map(|name| prim.value(name)?.texts())
        .find(|names| names.len() == tokens.len());
    let leaf = |token: &String| token.rsplit('/').next().unwrap_or(token).to_owned();
    given.map_or_else(|| tokens.iter().map(leaf).collect(), <[String]>::to_vec)
}

/// The scale of a map that neither mirrors nor stretches, up to rounding.
fn even_scale(m: DAffine3) -> Option<f64> {
    let lengths = [m.matrix3.x_axis, m.matrix3.y_axis, m.matrix3.z_axis].map(DVec3::length);
    let scale = lengths[0];
    let even = lengths.iter().all(|l| (l - scale).abs() <= 1e-5 * scale);
    let square = (m.matrix3.determinant() - scale.powi(3)).abs() <= 1e-4 * scale.powi(3);
    (scale > 0.0 && scale.is_finite() && even && square).then_some(scale)
}

fn distance(a: DAffine3, b: DAffine3) -> f64 {
    let pairs = a.to_cols_array().into_iter().zip(b.to_cols_array());
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}
