//! What heat flows over and what it comes from.

use glam::DVec3;

use crate::bind::Job;
use crate::character::{Bone, Character, Influence, JointIndex, LEAF_STUB, bones_of};
use crate::geometry::Welded;

/// A skin and its bones, ready for [`super::HeatBinding`].
#[derive(Debug, Clone)]
pub struct HeatSkin {
    /// The positions that need weights.
    pub points: Vec<DVec3>,
    /// The faces between them.
    pub faces: Vec<[u32; 3]>,
    /// The bones, a joint's together. An editor may put a handle in a joint's place (seed
    /// 003, section 3.2.3, "Editing Influence Range"): distances are taken from here alone.
    pub bones: Vec<Bone>,
    /// How many joints the skeleton has.
    pub joint_count: usize,
    /// Sets of joints that a position may follow: for each joint yes or no.
    pub allowed: Vec<Vec<bool>>,
    /// For each position, which of the sets holds.
    pub allowed_of_position: Vec<u16>,
    /// The whole mesh, carried parts too: what is inside and outside.
    pub body: Welded,
    /// For each point its number in the body.
    pub body_points: Vec<u32>,
    /// For each face its number in the body.
    pub body_faces: Vec<u32>,
}

impl HeatSkin {
    /// The skin of a bind under way.
    pub fn of(job: &Job<'_>, character: &Character) -> Self {
        let body = job.body();
        let (body_faces, faces) = job.faces(&body).into_iter().unzip();
        Self {
            points: job.positions.iter().map(|p| p.as_dvec3()).collect(),
            faces,
            bones: bones_of(&character.skeleton, &job.deforms, LEAF_STUB),
            joint_count: character.skeleton.joints.len(),
            allowed: job.allowed.clone(),
            allowed_of_position: job.allowed_of_position.clone(),
            body_points: job.body_points().to_vec(),
            body,
            body_faces,
        }
    }

    /// The joints that a position may follow.
    pub fn allowed_at(&self, position: usize) -> &[bool] {
        &self.allowed[usize::from(self.allowed_of_position[position])]
    }

    /// Takes joints that a position may not follow out of its weights and keeps the
    /// largest, which come first.
    pub(crate) fn limit(&self, position: usize, row: &mut Vec<Influence>, influences: usize) {
        let allowed = self.allowed_at(position);
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
                joint: self.last_resort(position),
                weight: 1.0,
            });
        }
    }

    /// The nearest joint that a position may follow: where all that reached it were others.
    fn last_resort(&self, position: usize) -> JointIndex {
        let allowed = self.allowed_at(position);
        let at = self.points[position];
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
        for place in &mut largest {
            (*place, key) = (key.max(*place), key.min(*place));
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
    use crate::bind::BindOptions;

    #[test]
    fn the_largest_are_kept_and_come_first() {
        let character = crate::sample::make("tube").unwrap();
        let job = Job::new(&character, &BindOptions::default()).unwrap();
        let mut skin = HeatSkin::of(&job, &character);
        let allowed: Vec<bool> = (0..12).map(|joint| joint % 5 != 3).collect();
        skin.allowed = vec![allowed.clone()];
        skin.allowed_of_position.fill(0);
        for seed in 0..50u16 {
            // Some weights are equal, some zero.
            let row: Vec<Influence> = (0..12)
                .map(|joint| Influence {
                    joint: JointIndex(joint),
                    weight: f32::from((joint * 7 + seed * 5 + joint * joint * seed) % 9),
                })
                .collect();
            for influences in 1..14 {
                let mut expected = row.clone();
                expected.retain(|i| i.weight > 0.0 && allowed[i.joint.at()]);
                expected.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.joint.cmp(&b.joint)));
                expected.truncate(influences);
                let mut limited = row.clone();
                skin.limit(0, &mut limited, influences);
                assert_eq!(limited, expected);
            }
        }
    }
}
