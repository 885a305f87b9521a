//! Poses within joint limits: one move at a time, all of them mixed, and at random.

use glam::{DQuat, DVec3};
use wildmatch::WildMatch;

use super::joint_kind::{joint_kinds, to};
use super::limits::{JointLimits, JointMove, MoveAxis};
use super::{Frame, bind_pose};
use crate::character::{JointIndex, Pose, Skeleton, Transform};

/// How many poses mix all moves.
pub(super) const MIXED_POSES: usize = 8;

/// A joint that moves in the range of motion.
struct Mover {
    joint: usize,
    /// Poses are made for all joints of a group at once.
    group: String,
    moves: Vec<JointMove>,
    /// The bone's direction.
    along: DVec3,
    /// 1 on the left and in the middle, -1 on the right.
    side: f64,
    /// From bind space to the joint's own axes, rotations alone.
    joint_from_bind: DQuat,
}

impl Mover {
    fn rotate(&self, by: JointMove, degrees: f64) -> DQuat {
        let axis = if by.axis == MoveAxis::Twist {
            self.along * self.side // left and right twist as in a mirror
        } else {
            let outward = DVec3::X * self.side;
            let directions = [DVec3::Z, DVec3::Y, outward];
            let first = match by.axis {
                MoveAxis::Forward => 0,
                MoveAxis::Up => 1,
                _ => 2,
            };
            // A bone that points there already is turned towards the next direction instead.
            (0..3)
                .map(|i| self.along.cross(directions[(first + i) % 3]))
                .find(|axis| axis.length() > 0.3)
                .unwrap_or(DVec3::X)
                .normalize_or(DVec3::X)
        };
        let in_bind = DQuat::from_axis_angle(axis, degrees.to_radians());
        self.joint_from_bind * in_bind * self.joint_from_bind.inverse()
    }
}

/// Poses within joint limits; see the module. `limits` come before the table; the first
/// whose pattern matches a joint's name counts.
pub fn range_of_motion(skeleton: &Skeleton, limits: &[JointLimits]) -> Vec<Frame> {
    let movers = movers(skeleton, limits);
    let bind = bind_pose(skeleton);
    let mut groups: Vec<&str> = Vec::new();
    for mover in &movers {
        if !groups.contains(&mover.group.as_str()) {
            groups.push(&mover.group);
        }
    }
    let mut frames = Vec::new();
    let mut add = |name: String, pose: Pose| {
        frames.push(Frame {
            name,
            clip: None,
            seconds: None,
            pose,
        });
    };
    for group in groups {
        let members = || movers.iter().filter(|m| m.group == group);
        let most_moves = members().map(|m| m.moves.len()).max().unwrap_or(0);
        for k in 0..most_moves {
            for swapped in [false, true] {
                let mut pose = bind.clone();
                let mut name = String::new();
                let mut sides = [None; 2];
                for mover in members() {
                    let Some(&by) = mover.moves.get(k) else { continue };
                    let at_end = (mover.side > 0.0) != swapped;
                    let degrees = if at_end { by.to } else { by.from };
                    let local = &mut pose.locals[mover.joint];
                    local.rotation = (local.rotation * mover.rotate(by, degrees)).normalize();
                    name = format!("{group} {}", by.axis.word());
                    sides[usize::from(mover.side < 0.0)] = Some(degrees);
                }
                let angles = match sides {
                    [Some(left), Some(right)] => format!("left {left:.0}°, right {right:.0}°"),
                    [left, right] => format!("{:.0}°", left.or(right).unwrap_or(0.0)),
                };
                add(format!("{name}: {angles}"), pose);
            }
        }
    }
    if !movers.is_empty() {
        for mix in 0..MIXED_POSES {
            add(format!("mixed {}", mix + 1), mixed(&bind, &movers, mix));
        }
    }
    frames
}

/// All moves at once at half their range, each joint on its own course: multiples of the
/// golden ratio spread evenly, whatever their number.
fn mixed(bind: &Pose, movers: &[Mover], mix: usize) -> Pose {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let mut pose = bind.clone();
    let mut number = 0usize;
    for mover in movers {
        for &by in &mover.moves {
            number += 1;
            let fraction = ((mix + 1) as f64 * GOLDEN * number as f64).fract();
            let degrees = 0.5 * (by.from + fraction * (by.to - by.from));
            let local = &mut pose.locals[mover.joint];
            local.rotation = (local.rotation * mover.rotate(by, degrees)).normalize();
        }
    }
    pose
}

/// A random rotation of every joint within its limits, from the bind pose and in bind space;
/// joints that keep still do not turn. `share` gives numbers from 0 to 1.
pub fn random_rotations(
    skeleton: &Skeleton,
    limits: &[JointLimits],
    mut fraction: impl FnMut() -> f64,
) -> Vec<DQuat> {
    let mut rotations = vec![DQuat::IDENTITY; skeleton.joints.len()];
    for mover in movers(skeleton, limits) {
        for &by in &mover.moves {
            let degrees = by.from + fraction() * (by.to - by.from);
            let bind_from_joint = mover.joint_from_bind.inverse();
            let rotation = bind_from_joint * mover.rotate(by, degrees) * mover.joint_from_bind;
            rotations[mover.joint] = (rotations[mover.joint] * rotation).normalize();
        }
    }
    rotations
}

fn movers(skeleton: &Skeleton, limits: &[JointLimits]) -> Vec<Mover> {
    let kinds = joint_kinds(skeleton);
    let children = skeleton.skin_children();
    // Descendants: a root's bone goes to the child with most.
    let mut below = vec![1usize; skeleton.joints.len()];
    for index in skeleton.indices().rev() {
        if let Some(parent) = skeleton.skin_parent(index) {
            below[parent.at()] += below[index.at()];
        }
    }
    // How many joints of one kind follow each other, up to here and in all.
    let mut run = vec![1usize; kinds.len()];
    let mut top: Vec<usize> = (0..kinds.len()).collect();
    for index in skeleton.indices() {
        if let Some(p) = skeleton.skin_parent(index).map(JointIndex::at)
            && kinds[p] == kinds[index.at()]
        {
            run[index.at()] = run[p] + 1;
            top[index.at()] = top[p];
        }
    }
    let mut longest = vec![1usize; kinds.len()];
    for (&top, &run) in top.iter().zip(&run) {
        longest[top] = longest[top].max(run);
    }
    let skin_joints = || skeleton.indices().filter(|&j| skeleton.joint(j).in_skin);
    let middle = skin_joints().next().map_or(0.0, |j| skeleton.bind_position(j).x);
    let reach = skin_joints()
        .map(|j| (skeleton.bind_position(j).x - middle).abs())
        .fold(0.0, f64::max);
    let overrides: Vec<(WildMatch, &JointLimits)> = limits
        .iter()
        .map(|l| (WildMatch::new(&l.joints.to_lowercase()), l))
        .collect();
    let mut movers = Vec::new();
    for index in skin_joints() {
        let (at, joint) = (index.at(), skeleton.joint(index));
        let name = joint.name.to_lowercase();
        let kind = kinds[at];
        let (group, moves) = match overrides.iter().find(|(pattern, _)| pattern.matches(&name)) {
            Some((_, limits)) => (limits.joints.clone(), limits.moves.clone()),
            None if kind.is_single() && run[at] > 1 => continue,
            None => {
                let fraction = if kind.is_shared() {
                    longest[top[at]] as f64
                } else {
                    1.0
                };
                let scaled = kind
                    .moves()
                    .iter()
                    .map(|m| to(m.axis, m.from / fraction, m.to / fraction));
                (kind.word().to_owned(), scaled.collect())
            }
        };
        if moves.is_empty() {
            continue;
        }
        let position = skeleton.bind_position(index);
        let incoming = skeleton
            .skin_parent(index)
            .map(|p| position - skeleton.bind_position(p));
        // At a branch the bone goes on to the child that lies straight ahead.
        let straight = |child: JointIndex| {
            let direction = (skeleton.bind_position(child) - position).normalize_or_zero();
            incoming.map_or(0.0, |incoming| direction.dot(incoming.normalize_or_zero()))
        };
        let child = children[at].iter().copied().max_by(|&a, &b| {
            let first = straight(a).total_cmp(&straight(b));
            first.then(below[a.at()].cmp(&below[b.at()])).then(b.cmp(&a))
        });
        let outgoing = child.map(|c| skeleton.bind_position(c) - position);
        let along = [outgoing, incoming]
            .into_iter()
            .flatten()
            .find_map(|direction| direction.try_normalize())
            .unwrap_or(DVec3::Y);
        movers.push(Mover {
            joint: at,
            group,
            moves,
            along,
            side: if position.x - middle < -0.02 * reach {
                -1.0
            } else {
                1.0
            },
            joint_from_bind: Transform::from_affine(joint.bind_from_joint).rotation.inverse(),
        });
    }
    movers
}
