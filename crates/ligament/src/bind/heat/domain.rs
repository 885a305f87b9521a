//! What heat flows over and what it comes from.

use crate::bind::rules::Rules;
use crate::bind::{BindError, BindOptions};
use crate::character::{Bone, Influence, JointIndex, LEAF_STUB};
use crate::skin::{JointMasks, Skin};

/// A skin and its bones, ready for [`super::HeatBinding`].
#[derive(Debug, Clone)]
pub struct HeatDomain {
    /// The surface that conducts.
    pub skin: Skin,
    /// The bones, a joint's together. An editor may put a handle at a joint's position (the editing of influence ranges in
    /// Bang et al.): distances are taken from here alone.
    pub bones: Vec<Bone>,
    /// How many joints there are.
    pub joint_count: usize,
    /// The joints that each point may follow.
    pub masks: JointMasks,
}

impl HeatDomain {
    /// A skin with its skeleton's own bones.
    pub fn new(skin: &Skin, options: &BindOptions) -> Result<Self, BindError> {
        Ok(Self::of(&Rules::of(skin, options)?))
    }

    /// The skin of a bind, with the skeleton's own bones.
    pub(crate) fn of(rules: &Rules<'_>) -> Self {
        let skeleton = rules.skeleton();
        Self {
            skin: rules.skin.clone(),
            bones: rules.bones(LEAF_STUB),
            joint_count: skeleton.joints.len(),
            masks: rules.masks.clone(),
        }
    }

    /// Takes joints that a position may not follow out of its weights and keeps the
    /// largest, which come first.
    pub(crate) fn limit(
        &self,
        masks: &JointMasks,
        position: usize,
        row: &mut Vec<Influence>,
        influences: usize,
    ) {
        let allowed = masks.at(position);
        row.retain(|i| i.weight > 0.0 && allowed[i.joint.at()]);
        match influences {
            0..=4 => few_largest::<4>(row),
            5..=8 => few_largest::<8>(row),
            _ => {
                let larger = |a: &Influence, b: &Influence| b.weight.total_cmp(&a.weight);
                row.sort_unstable_by(|a, b| larger(a, b).then(a.joint.cmp(&b.joint)));
            }
        }
        row.truncate(influences);
        if row.is_empty() {
            row.push(Influence {
                joint: self.last_resort(allowed, position),
                weight: 1.0,
            });
        }
    }

    /// The nearest joint that a position may follow: where all that reached it were others.
    fn last_resort(&self, allowed: &[bool], position: usize) -> JointIndex {
        let at = self.skin.points()[position];
        let bones = self.bones.iter().filter(|b| allowed[b.joint.at()]);
        bones
            .min_by(|a, b| a.shape.distance(at).total_cmp(&b.shape.distance(at)))
            .map_or(JointIndex(0), |b| b.joint)
    }
}

/// Keeps the `N` largest of positive weights, the largest first.
fn few_largest<const N: usize>(row: &mut Vec<Influence>) {
    // Positive numbers are ordered as their bits are, and of equal weights the lower joint comes
    // first. Finding the largest of such keys needs no branches.
    let mut largest = [0u64; N];
    for i in row.iter() {
        let mut key = u64::from(i.weight.to_bits()) << 16 | u64::from(u16::MAX - i.joint.0);
        for slot in &mut largest {
            (*slot, key) = (key.max(*slot), key.min(*slot));
        }
    }
    row.truncate(N);
    for (i, key) in row.iter_mut().zip(largest) {
        *i = Influence {
            joint: JointIndex(u16::MAX - key as u16),
            weight: f32::from_bits((key >> 16) as u32),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_largest_are_kept_and_come_first() {
        for seed in 0..50u16 {
            // Some weights are equal, none is zero.
            let row: Vec<Influence> = (0..12)
                .map(|joint| Influence {
                    joint: JointIndex(joint),
                    weight: 1.0 + f32::from((joint * 7 + seed * 5 + joint * joint * seed) % 9),
                })
                .collect();
            let mut expected = row.clone();
            expected.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.joint.cmp(&b.joint)));
            let mut four = row.clone();
            few_largest::<4>(&mut four);
            assert_eq!(four, expected[..4]);
            let mut eight = row.clone();
            few_largest::<8>(&mut eight);
            assert_eq!(eight, expected[..8]);
        }
    }
}
