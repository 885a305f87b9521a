//! Poses to fit to and to judge by: random turns of every joint, or moments of the
//! character's clips (SkinCells, section 3.6).

use glam::DAffine3;
use serde::{Deserialize, Serialize};

use super::random::Random;
use crate::character::{Character, Skeleton};
use crate::motion::JointLimits;
use crate::motion::random_rotations;

/// Where poses come from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PoseSource {
    /// Every joint turned at random within its limits.
    #[default]
    Limits,
    /// Moments of the clips, evenly over all of them; limits where there is no clip.
    Clips,
}

/// `world_from_bind` for each joint in `count` poses; `limits` overrule those that joints
/// have by their names and positions.
pub fn poses(
    character: &Character,
    source: PoseSource,
    limits: &[JointLimits],
    count: usize,
    seed: u64,
) -> Vec<Vec<DAffine3>> {
    let mut random = Random::new(seed);
    let clips: Vec<_> = character
        .clips
        .iter()
        .map(|clip| (clip, clip.span_secs()))
        .filter(|(_, (start, end))| end > start)
        .collect();
    let total: f32 = clips.iter().map(|(_, (start, end))| end - start).sum();
    (0..count)
        .map(|_| {
            if source == PoseSource::Limits || clips.is_empty() {
                return random_pose(&character.skeleton, limits, &mut random);
            }
            let mut at = random.unit() as f32 * total;
            let mut chosen = clips[0];
            for &clip in &clips {
                chosen = clip;
                let length = clip.1.1 - clip.1.0;
                if at <= length {
                    break;
                }
                at -= length;
            }
            let (clip, (start, end)) = chosen;
            let pose = clip.pose_at(&character.skeleton, (start + at).min(end));
            pose.world_from_bind(&character.skeleton)
        })
        .collect()
}

/// Turns every joint about its position in the bind pose, within its limits. Turning there
/// instead of at rest keeps scales and shears above the skeleton out of it.
fn random_pose(skeleton: &Skeleton, limits: &[JointLimits], random: &mut Random) -> Vec<DAffine3> {
    let rotations = random_rotations(skeleton, limits, || random.unit());
    let mut moves: Vec<DAffine3> = Vec::with_capacity(skeleton.joints.len());
    for (joint, rotation) in skeleton.joints.iter().zip(rotations) {
        let above = joint.parent.map_or(DAffine3::IDENTITY, |p| moves[p.at()]);
        let at = joint.bind_from_joint.translation;
        let about =
            DAffine3::from_translation(at) * DAffine3::from_quat(rotation) * DAffine3::from_translation(-at);
        moves.push(above * about);
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_the_same_poses_and_bones_keep_their_lengths() {
        let character = crate::sample::make("athlete@1000").unwrap();
        let first = poses(&character, PoseSource::Limits, &[], 3, 7);
        assert_eq!(first, poses(&character, PoseSource::Limits, &[], 3, 7));
        assert_ne!(first, poses(&character, PoseSource::Limits, &[], 3, 8));
        let skeleton = &character.skeleton;
        for pose in &first {
            for j in skeleton.indices() {
                let Some(p) = skeleton.joint(j).parent else {
                    continue;
                };
                let (a, b) = (skeleton.bind_position(p), skeleton.bind_position(j));
                // Parent and child agree on where the child is.
                let by_parent = pose[p.at()].transform_point3(b);
                assert!(by_parent.distance(pose[j.at()].transform_point3(b)) < 1e-9);
                let length = pose[p.at()].transform_point3(a).distance(by_parent);
                assert!((length - a.distance(b)).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn limits_hold_a_joint_still() {
        let character = crate::sample::make("hound@800").unwrap();
        let still = [JointLimits {
            joints: "*".to_owned(),
            moves: Vec::new(),
        }];
        for pose in poses(&character, PoseSource::Limits, &still, 2, 7) {
            assert!(pose.iter().all(|t| t.abs_diff_eq(DAffine3::IDENTITY, 1e-12)));
        }
    }

    #[test]
    fn clips_are_sampled_within_their_time() {
        let character = crate::sample::make("athlete@1000").unwrap();
        assert!(!character.clips.is_empty());
        let found = poses(&character, PoseSource::Clips, &[], 5, 1);
        assert!(found.iter().flatten().all(|t| t.is_finite()));
        assert_ne!(found[0], found[1]);
    }
}
