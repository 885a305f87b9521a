//! The weights that a file came with, repaired where they can be lived with.

use std::collections::BTreeMap;

use ligament::character::{Influence, JointIndex};

use super::accessor::Component;
use super::error::{GltfError, GltfWarning};
use super::json::Node;
use super::reader::Reader;

/// A float sum may be off by this much for each influence before it is worth a warning:
/// far more than rounding gives, far less than can be seen. Integers by one unit each.
const SUM_TOLERANCE: f32 = 1e-4;

/// The accessor pairs JOINTS_n and WEIGHTS_n of a primitive, as many as it has of both.
pub(super) fn influence_sets(attributes: &Node<'_>) -> Result<Vec<(usize, usize)>, GltfError> {
    let mut sets = Vec::new();
    while let (Some(joints), Some(weights)) = (
        attributes.get(&format!("JOINTS_{}", sets.len())),
        attributes.get(&format!("WEIGHTS_{}", sets.len())),
    ) {
        sets.push((joints.as_index()?, weights.as_index()?));
    }
    Ok(sets)
}

/// Reads `vertices` lists of influences. `joints` gives the skeleton's joint for each slot
/// of the skin. A vertex that has no weight gets the first one.
pub(super) fn read_influences(
    reader: &Reader<'_>,
    sets: &[(usize, usize)],
    vertices: usize,
    joints: &[JointIndex],
    part: &str,
    warnings: &mut Vec<GltfWarning>,
) -> Result<Vec<Vec<Influence>>, GltfError> {
    let mut raw: Vec<Vec<(u32, f32)>> = vec![Vec::new(); vertices];
    let mut tolerance = SUM_TOLERANCE;
    for &(joint_accessor, weight_accessor) in sets {
        let slots = reader.elements(joint_accessor)?;
        let weights = reader.elements(weight_accessor)?;
        for (accessor, e) in [(joint_accessor, &slots), (weight_accessor, &weights)] {
            if e.count() != vertices || e.width != 4 {
                return Err(GltfError::malformed(
                    format!("/accessors/{accessor}"),
                    format!(
                        "holds {} elements of {} numbers for {vertices} vertices of 4",
                        e.count(),
                        e.width
                    ),
                ));
            }
        }
        if !matches!(slots.component, Component::U8 | Component::U16) {
            warnings.push(GltfWarning::WideJoints {
                part: part.to_owned(),
                component: slots.component.name(),
            });
        }
        tolerance = match weights.component {
            Component::U8 => 1.0 / 255.0,
            Component::U16 => 1.0 / 65535.0,
            _ => tolerance,
        };
        // Floats or signed integers as joint indices: whole numbers in the wrong type.
        let slots = slots.to_u32().unwrap_or_else(|| {
            slots
                .to_f32()
                .into_iter()
                .map(|x| if x >= 0.0 { x as u32 } else { u32::MAX })
                .collect()
        });
        let weights = weights.to_f32();
        for (v, list) in raw.iter_mut().enumerate() {
            list.extend((4 * v..4 * v + 4).map(|i| (slots[i], weights[i])));
        }
    }

    let (mut bad, mut out_of_range, mut repeated, mut unweighted, mut off) = (0, 0, 0, 0, 0);
    let (mut least, mut most) = (f32::MAX, 0f32);
    let mut result = Vec::with_capacity(vertices);
    for list in raw {
        let mut by_joint: BTreeMap<JointIndex, f32> = BTreeMap::new();
        let (mut is_bad, mut is_out, mut is_repeated) = (false, false, false);
        for (slot, weight) in list {
            if weight == 0.0 {
                continue; // whatever joint an unused slot names
            }
            if !(weight.is_finite() && weight > 0.0) {
                is_bad = true;
            } else if let Some(&joint) = joints.get(slot as usize) {
                is_repeated |= by_joint.contains_key(&joint);
                *by_joint.entry(joint).or_default() += weight;
            } else {
                is_out = true;
            }
        }
        bad += usize::from(is_bad);
        out_of_range += usize::from(is_out);
        repeated += usize::from(is_repeated);
        let sum: f32 = by_joint.values().sum();
        if by_joint.is_empty() || !sum.is_finite() {
            unweighted += 1;
            by_joint.clear();
            if let Some(&first) = joints.first() {
                by_joint.insert(first, 1.0);
            }
        } else if (sum - 1.0).abs() > tolerance * by_joint.len() as f32 {
            off += 1;
            least = least.min(sum);
            most = most.max(sum);
        }
        result.push(
            by_joint
                .into_iter()
                .map(|(joint, weight)| Influence { joint, weight })
                .collect(),
        );
    }
    let part = || part.to_owned();
    let found = [
        (
            bad,
            GltfWarning::BadWeights {
                part: part(),
                vertices: bad,
            },
        ),
        (
            out_of_range,
            GltfWarning::JointOutOfRange {
                part: part(),
                vertices: out_of_range,
            },
        ),
        (
            repeated,
            GltfWarning::RepeatedJoint {
                part: part(),
                vertices: repeated,
            },
        ),
        (
            unweighted,
            GltfWarning::Unweighted {
                part: part(),
                vertices: unweighted,
            },
        ),
        (
            off,
            GltfWarning::SumsNotOne {
                part: part(),
                vertices: off,
                least,
                most,
            },
        ),
    ];
    warnings.extend(
        found
            .into_iter()
            .filter(|(count, _)| *count > 0)
            .map(|(_, warning)| warning),
    );
    Ok(result)
}
