//! By how much weights fail heat's system.

use rayon::prelude::*;

use super::HeatField;
use super::operator::Operator;
use crate::character::JointIndex;

/// Positions that a thread looks at together.
const CHUNK: usize = 256;

/// A joint's right-hand side at a position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Side {
    pub joint: JointIndex,
    pub position: u32,
    pub value: f64,
}

/// b − A·w at some positions, for the joints that `own` names. (Where heat changed little, the
/// difference of old and new system is nearer to the truth: negligible weights are not kept.)
pub(super) fn residuals(
    field: &HeatField,
    operator: &Operator,
    own: &[bool],
    positions: &[u32],
) -> Vec<Side> {
    let found = |positions: &[u32]| {
        let mut dense = vec![0.0f64; own.len()];
        let mut used: Vec<JointIndex> = Vec::new();
        let mut found = Vec::new();
        for &position in positions {
            let at = position as usize;
            let mut add = |joint: JointIndex, value: f64| {
                if own[joint.at()] {
                    if dense[joint.at()] == 0.0 && !used.contains(&joint) {
                        used.push(joint);
                    }
                    dense[joint.at()] += value;
                }
            };
            let heat = field.heat[at];
            field.for_shares(at, |joint, fraction| add(joint, heat * fraction));
            for i in field.rows.row(at) {
                add(i.joint, -(operator.diagonal[at] + heat) * f64::from(i.weight));
            }
            for (to, value) in operator.row(at) {
                for i in field.rows.row(to as usize) {
                    add(i.joint, -value * f64::from(i.weight));
                }
            }
            found.extend(used.drain(..).map(|joint| Side {
                joint,
                position,
                value: std::mem::take(&mut dense[joint.at()]),
            }));
        }
        found
    };
    let chunks: Vec<Vec<Side>> = positions.par_chunks(CHUNK).map(found).collect();
    chunks.into_iter().flatten().collect()
}
