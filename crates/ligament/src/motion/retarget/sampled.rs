//! The source's motion, frame by frame.

use glam::{DAffine3, DMat3, DQuat, DVec3};
use rayon::prelude::*;

use super::map::{RetargetError, RetargetMap};
use super::{RetargetOptions, RootMotion};
use crate::character::{Clip, JointIndex, Pose, Skeleton};

/// More frames than this are refused: an hour and a half at 20 a second.
pub(super) const MOST_FRAMES: u64 = 108_000;

/// Sources with fewer keys a second are sampled between them.
const FEWEST_A_SECOND: f64 = 20.0;

/// Sources with more keys a second are thinned.
const MOST_A_SECOND: f64 = 120.0;

/// A reference pose whose feet are nearer to height zero, in leg lengths, stands on the ground.
const NEAR_ZERO: f64 = 0.25;

/// The source's motion, frame by frame.
pub(super) struct Sampled {
    /// Seconds from the start, evenly spaced.
    pub times: Vec<f32>,
    /// Seconds from frame to frame.
    pub step: f64,
    /// Whether the last frame is the first again.
    pub closed: bool,
    /// Where joints are in the reference pose.
    pub reference: Vec<DAffine3>,
    /// The frames.
    pub frames: Vec<SourceFrame>,
    /// How much higher the ground of the motion is than that of the reference pose.
    ground: DVec3,
}

/// Where the source is in one frame.
pub(super) struct SourceFrame {
    /// Every joint's turn against the reference pose.
    pub turns: Vec<DQuat>,
    /// Where every joint is.
    pub positions: Vec<DVec3>,
}

/// How many frames a second a clip is made for.
fn rate(clip: &Clip) -> f64 {
    let of_track = |times: &[f32]| {
        let span = f64::from(*times.last()?) - f64::from(*times.first()?);
        (times.len() > 1 && span > 0.0).then(|| (times.len() - 1) as f64 / span)
    };
    let rates = clip.tracks.iter().filter_map(|t| of_track(&t.times));
    let fastest = rates.fold(0.0, f64::max);
    if fastest <= 0.0 {
        FEWEST_A_SECOND
    } else if fastest < FEWEST_A_SECOND {
        fastest * (FEWEST_A_SECOND / fastest).ceil()
    } else {
        fastest / (fastest / MOST_A_SECOND).ceil()
    }
}

/// Plays a clip at even times.
pub(super) fn sample(
    source: &Skeleton,
    clip: &Clip,
    map: &RetargetMap,
    options: &RetargetOptions,
) -> Result<Sampled, RetargetError> {
    if clip.tracks.is_empty() {
        return Err(RetargetError::NoFrames);
    }
    let bad = |option, rule| RetargetError::BadOption { option, rule };
    let fps = options.fps.unwrap_or_else(|| rate(clip));
    if !(fps.is_finite() && fps > 0.0 && fps <= 1000.0) {
        return Err(bad("frames a second", "are a number from 0 to 1000"));
    }
    let (start, end) = clip.span_secs();
    let (start, end) = (f64::from(start), f64::from(end));
    let from = start + options.from.unwrap_or(0.0);
    let to = options.to.map_or(end, |to| (start + to).min(end));
    if !(from.is_finite() && to.is_finite() && from >= start) {
        return Err(bad("beginning and end", "are seconds from the motion's start"));
    }
    if from > to {
        return Err(RetargetError::NoFrames);
    }
    let count = ((to - from) * fps).round();
    if count > MOST_FRAMES as f64 {
        return Err(RetargetError::TooManyFrames { frames: count as u64 });
    }
    let steps = (count as usize).max(usize::from(to > from));
    let step = if steps > 0 {
        (to - from) / steps as f64
    } else {
        1.0 / fps
    };
    let at = |i: usize| (from + step * i as f64) as f32;
    let mut poses: Vec<Pose> = (0..=steps)
        .into_par_iter()
        .map(|i| clip.pose_at(source, at(i)))
        .collect();
    if options.closed && steps > 0 {
        close(&mut poses, source, map, options.root);
    }
    let reference: Vec<DAffine3> = if map.first_frame_is_reference {
        clip.pose_at(source, start as f32).world_from_joints(source)
    } else {
        source.joints.iter().map(|j| j.bind_from_joint).collect()
    };
    let joint_from_reference: Vec<DMat3> = reference.iter().map(|r| r.matrix3.inverse()).collect();
    let frames = poses
        .par_iter()
        .map(|pose| {
            let world = pose.world_from_joints(source);
            let turn = |(world, back): (&DAffine3, &DMat3)| rotation(world.matrix3 * *back);
            SourceFrame {
                turns: world.iter().zip(&joint_from_reference).map(turn).collect(),
                positions: world.iter().map(|w| w.translation).collect(),
            }
        })
        .collect();
    Ok(Sampled {
        times: (0..=steps).map(|i| (step * i as f64) as f32).collect(),
        step,
        closed: options.closed,
        reference,
        frames,
        ground: DVec3::ZERO,
    })
}

/// The rotation in a map that also scales.
fn rotation(linear: DMat3) -> DQuat {
    let x = linear.x_axis.try_normalize();
    let y = x.and_then(|x| (linear.y_axis - x * x.dot(linear.y_axis)).try_normalize());
    match (x, y) {
        (Some(x), Some(y)) => DQuat::from_mat3(&DMat3::from_cols(x, y, x.cross(y))).normalize(),
        _ => DQuat::IDENTITY,
    }
}

/// Makes the last pose the first. What they differ by is spread over all; the way that the body goes stays.
fn close(poses: &mut [Pose], source: &Skeleton, map: &RetargetMap, root: RootMotion) {
    let last = poses.len() - 1;
    let up = map.source_axes.up();
    for joint in source.indices() {
        let at = joint.at();
        let (first, end) = (poses[0].locals[at], poses[last].locals[at]);
        let turn = (end.rotation.inverse() * first.rotation).normalize();
        let turn = if turn.w < 0.0 { -turn } else { turn };
        let mut shift = first.translation - end.translation;
        if root != RootMotion::InPlace {
            let above = source
                .joint(joint)
                .parent
                .map_or(DMat3::IDENTITY, |p| source.joint(p).bind_from_joint.matrix3);
            let up = (above.inverse() * up).normalize_or_zero();
            shift = up * shift.dot(up);
        }
        let grow = first.scale - end.scale;
        for (i, pose) in poses.iter_mut().enumerate() {
            let u = i as f64 / last as f64;
            let local = &mut pose.locals[at];
            local.rotation = (local.rotation * DQuat::IDENTITY.slerp(turn, u)).normalize();
            local.translation += u * shift;
            local.scale += u * grow;
        }
    }
}

impl Sampled {
    /// Where a joint would be in the motion if it stood in the reference pose.
    pub fn standing(&self, joint: JointIndex) -> DVec3 {
        self.reference[joint.at()].translation + self.ground
    }

    /// How long a leg is.
    pub fn leg_length(&self, joints: [JointIndex; 3]) -> f64 {
        let [hip, knee, ankle] = joints.map(|j| self.reference[j.at()].translation);
        hip.distance(knee) + knee.distance(ankle)
    }

    /// Finds the ground, and moves the whole motion as was asked for.
    pub fn settle(&mut self, map: &RetargetMap, root: RootMotion) {
        let up = map.source_axes.up();
        self.find_ground(map, up);
        let hips = map.hips.0.at();
        let level = |v: DVec3| v - up * v.dot(up);
        let home = self.reference[hips].translation;
        let last = self.frames.len() - 1;
        let (first, end) = (self.frames[0].positions[hips], self.frames[last].positions[hips]);
        let mut shift = |by: &dyn Fn(f64) -> DVec3| {
            for (i, frame) in self.frames.iter_mut().enumerate() {
                let by = by(i as f64 / last.max(1) as f64);
                frame.positions.iter_mut().for_each(|position| *position += by);
            }
        };
        match root {
            RootMotion::Keep => {}
            RootMotion::FromHere => shift(&|_| level(home - first)),
            RootMotion::InPlace => {
                shift(&|u| u * level(first - end));
                let sum: DVec3 = self.frames.iter().map(|f| f.positions[hips]).sum();
                let mean = sum / self.frames.len() as f64;
                for position in self.frames.iter_mut().flat_map(|f| &mut f.positions) {
                    *position += level(home - mean);
                }
            }
        }
    }

    /// Files often bind a body with its hips at the origin and play it on a floor: the floor is then where feet are lowest.
    fn find_ground(&mut self, map: &RetargetMap, up: DVec3) {
        let feet: Vec<JointIndex> = map
            .legs
            .iter()
            .map(|l| l.ball.map_or(l.source[2], |b| b.0))
            .collect();
        let lowest = |at: &dyn Fn(JointIndex) -> DVec3| feet.iter().map(|&j| at(j).dot(up)).reduce(f64::min);
        let Some(at_reference) = lowest(&|j| self.reference[j.at()].translation) else {
            return;
        };
        let leg = map
            .legs
            .iter()
            .map(|l| self.leg_length(l.source))
            .fold(0.0, f64::max);
        if at_reference.abs() <= NEAR_ZERO * leg {
            return;
        }
        let mut heights: Vec<f64> = self
            .frames
            .iter()
            .filter_map(|f| lowest(&|j| f.positions[j.at()]))
            .collect();
        heights.sort_by(f64::total_cmp);
        self.ground = up * (heights[heights.len() / 20] - at_reference);
    }
}
