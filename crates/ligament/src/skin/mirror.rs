//! Who mirrors whom on a symmetric character.
//!
//! Two questions are asked of mirror images, here once: [`Mirror`] pairs all points and all joints that take part, or
//! says that the character is not symmetric; [`mirror_joints`] finds partners as far as there are any, by name and position.

use glam::DVec3;
use rayon::prelude::*;

use crate::character::{JointIndex, Skeleton};
use crate::geometry::NearPoints;

/// Partners are found within this fraction of the diagonal.
const TOLERANCE: f64 = 1e-4;

/// Who mirrors whom.
#[derive(Debug)]
pub struct Mirror {
    /// For each position its partner.
    positions: Vec<u32>,
    /// For each joint its partner.
    joints: Vec<JointIndex>,
}

impl Mirror {
    /// The partners, if the character is symmetric about a plane of constant x.
    pub fn of(points: &[DVec3], diagonal: f64, skeleton: &Skeleton, deforms: &[bool]) -> Option<Self> {
        let reach = TOLERANCE * diagonal;
        let (low, high) = points
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), p| {
                (l.min(p.x), h.max(p.x))
            });
        let plane = (low + high) / 2.0;
        let image = |p: DVec3| DVec3::new(2.0 * plane - p.x, p.y, p.z);
        let joints = joint_partners(skeleton, deforms, image, 10.0 * reach)?;

        let near = NearPoints::new(points, reach);
        let positions: Vec<u32> = points
            .par_iter()
            .with_min_len(1024)
            .map(|&p| near.nearest(image(p)))
            .collect::<Option<_>>()?;
        // Pairs must be pairs: with positions closer than the tolerance they may not be.
        let paired = (0..positions.len()).all(|i| positions[positions[i] as usize] as usize == i);
        paired.then_some(Self { positions, joints })
    }

    /// For each point its partner.
    pub fn points(&self) -> &[u32] {
        &self.positions
    }

    /// For each joint its partner.
    pub fn joints(&self) -> &[JointIndex] {
        &self.joints
    }
}

/// For each joint the one at its mirror image; joints that take part must have one that
/// takes part as well, whose bones point the same way.
fn joint_partners(
    skeleton: &Skeleton,
    deforms: &[bool],
    image: impl Fn(DVec3) -> DVec3,
    reach: f64,
) -> Option<Vec<JointIndex>> {
    let children = skeleton.skin_children();
    let ends = |j: JointIndex| -> Vec<DVec3> {
        children[j.at()]
            .iter()
            .map(|&c| skeleton.bind_position(c))
            .collect()
    };
    let mirrors = |a: JointIndex, b: JointIndex| {
        let (of_a, of_b) = (ends(a), ends(b));
        let near = |p: DVec3, list: &[DVec3]| list.iter().any(|q| q.distance(p) <= reach);
        image(skeleton.bind_position(a)).distance(skeleton.bind_position(b)) <= reach
            && of_a.len() == of_b.len()
            && of_a.iter().all(|&p| near(image(p), &of_b))
    };
    let mut partners: Vec<JointIndex> = skeleton.indices().collect();
    for joint in skeleton.indices().filter(|j| deforms[j.at()]) {
        // On the plane a joint is its own partner, also if another one shares its position.
        let own = mirrors(joint, joint).then_some(joint);
        let other = || skeleton.indices().find(|&o| deforms[o.at()] && mirrors(joint, o));
        partners[joint.at()] = own.or_else(other)?;
    }
    let paired = skeleton.indices().all(|j| partners[partners[j.at()].at()] == j);
    paired.then_some(partners)
}

/// For each joint its partner across the plane, where there is one: the joint nearest to its mirrored bind position
/// within reach; of several there, the one whose name is the same but for left and right.
pub fn mirror_joints(
    skeleton: &Skeleton,
    used: &[bool],
    plane_x: f64,
    reach: f64,
) -> Vec<Option<JointIndex>> {
    let takes_part: Vec<JointIndex> = skeleton.indices().filter(|j| used[j.at()]).collect();
    let mut found = vec![None; skeleton.joints.len()];
    for &joint in &takes_part {
        let at = skeleton.bind_position(joint);
        let image = DVec3::new(2.0 * plane_x - at.x, at.y, at.z);
        let name = swapped_sides(&skeleton.joint(joint).name);
        found[joint.at()] = takes_part
            .iter()
            .map(|&other| (skeleton.bind_position(other).distance(image), other))
            .filter(|&(distance, _)| distance <= reach)
            .min_by(|a, b| {
                let named = |j: JointIndex| skeleton.joint(j).name.to_lowercase() != name;
                named(a.1)
                    .cmp(&named(b.1))
                    .then(a.0.total_cmp(&b.0))
                    .then(a.1.cmp(&b.1))
            })
            .map(|(_, other)| other);
    }
    found
}

/// A name in lower case with left and right swapped; single letters only between separators.
pub(super) fn swapped_sides(name: &str) -> String {
    let lower = name.to_lowercase();
    if lower.contains("left") {
        return lower.replace("left", "right");
    }
    if lower.contains("right") {
        return lower.replace("right", "left");
    }
    let letters: Vec<char> = lower.chars().collect();
    let alone = |i: usize| {
        let free = |c: Option<&char>| c.is_none_or(|c| !c.is_alphabetic());
        free(i.checked_sub(1).and_then(|i| letters.get(i))) && free(letters.get(i + 1))
    };
    (0..letters.len())
        .map(|i| match letters[i] {
            'l' if alone(i) => 'r',
            'r' if alone(i) => 'l',
            c => c,
        })
        .collect()
}
