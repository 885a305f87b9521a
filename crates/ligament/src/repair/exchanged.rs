//! Joints whose weights stand where the other's belong, such as those of two limbs that follow each other.

use crate::character::{JointIndex, Weights};
use crate::skin::{PointIndex, Skin};

/// Of a joint's weight, less than this fraction may lie where a bind of our own has it too.
const AT_HOME: f64 = 0.25;
/// At least this fraction must lie where it has the other.
const AWAY: f64 = 0.25;

/// For each joint the one that it is exchanged with; itself where there is none. Two joints are exchanged if much of the
/// weight of each lies where a bind of our own has the other, little of it where it has itself, and neither is the other's
/// parent: neighbours share their skin, and where one ends is a matter of taste. Of several that a joint may be
/// exchanged with it takes the one that shares most.
pub fn exchanged_joints(skin: &Skin, weights: &Weights, own: &Weights) -> Vec<JointIndex> {
    let skeleton = &skin.character().skeleton;
    let count = skeleton.joints.len();
    // For each joint, the joints of our own bind where its weight is, with how much of it.
    let mut shared: Vec<Vec<(JointIndex, f64)>> = vec![Vec::new(); count];
    for point in 0..skin.len() as u32 {
        let vertex = skin.first_vertex(PointIndex(point));
        for i in weights.of_vertex(vertex) {
            let row = &mut shared[i.joint.at()];
            for o in own.of_vertex(vertex) {
                let both = f64::from(i.weight) * f64::from(o.weight);
                match row.iter_mut().find(|s| s.0 == o.joint) {
                    Some(s) => s.1 += both,
                    None => row.push((o.joint, both)),
                }
            }
        }
    }
    let fraction = |at: JointIndex, of: JointIndex| {
        let row = &shared[of.at()];
        let total: f64 = row.iter().map(|s| s.1).sum();
        let there: f64 = row.iter().filter(|s| s.0 == at).map(|s| s.1).sum();
        if total > 0.0 { there / total } else { 0.0 }
    };
    let mut pairs: Vec<(f64, JointIndex, JointIndex)> = Vec::new();
    for one in skeleton.indices().filter(|&j| fraction(j, j) < AT_HOME) {
        for &(other, _) in shared[one.at()].iter().filter(|s| s.0 > one) {
            let (there, back) = (fraction(other, one), fraction(one, other));
            if there.min(back) >= AWAY
                && fraction(other, other) < AT_HOME
                && skeleton.skin_parent(one) != Some(other)
                && skeleton.skin_parent(other) != Some(one)
            {
                pairs.push((there * back, one, other));
            }
        }
    }
    pairs.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut partners: Vec<JointIndex> = skeleton.indices().collect();
    for (_, one, other) in pairs {
        if partners[one.at()] == one && partners[other.at()] == other {
            partners[one.at()] = other;
            partners[other.at()] = one;
        }
    }
    partners
}
