//! Symmetric characters get symmetric weights.
//!
//! If every position and every joint that takes part has a partner on the other side of
//! a plane of constant x, weights are averaged with those of the partner, joints swapped.
//! What voxels, ties and rounding made different is then the same.

use glam::{DVec3, IVec3};
use rustc_hash::FxHashMap;

use crate::character::{Influence, JointIndex, Skeleton, Weights, WeightsBuilder};

/// Partners are found within this share of the diagonal.
const TOLERANCE: f64 = 1e-4;

/// Who mirrors whom.
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

        // Positions by the cell that they are in; a partner is in a cell beside its image.
        let cell = |p: DVec3| (p / (2.0 * reach)).floor().as_ivec3();
        let mut cells: FxHashMap<IVec3, Vec<u32>> = FxHashMap::default();
        for (i, &p) in points.iter().enumerate() {
            cells.entry(cell(p)).or_default().push(i as u32);
        }
        let find = |p: DVec3| {
            let at = cell(image(p) - reach);
            let mut best: Option<(f64, u32)> = None;
            for offset in 0..8 {
                let beside = at + IVec3::new(offset & 1, offset >> 1 & 1, offset >> 2);
                for &candidate in cells.get(&beside).into_iter().flatten() {
                    let distance = points[candidate as usize].distance(image(p));
                    if distance <= reach && best.is_none_or(|b| (distance, candidate) < b) {
                        best = Some((distance, candidate));
                    }
                }
            }
            best.map(|b| b.1)
        };
        let positions: Vec<u32> = points.iter().map(|&p| find(p)).collect::<Option<_>>()?;
        // Pairs must be pairs: with positions closer than the tolerance they may not be.
        let paired = (0..positions.len()).all(|i| positions[positions[i] as usize] as usize == i);
        paired.then_some(Self { positions, joints })
    }

    /// Each position's weights averaged with its partner's.
    pub fn averaged(&self, weights: &Weights, k: usize) -> Weights {
        let mut builder = WeightsBuilder::with_capacity(self.positions.len(), k);
        for (position, &partner) in self.positions.iter().enumerate() {
            let mut row: Vec<Influence> = weights.of_vertex(position).to_vec();
            for other in weights.of_vertex(partner as usize) {
                let joint = self.joints[other.joint.at()];
                match row.iter_mut().find(|i| i.joint == joint) {
                    Some(own) => own.weight += other.weight,
                    None => row.push(Influence {
                        joint,
                        weight: other.weight,
                    }),
                }
            }
            // Sums of the same two numbers in either order are the same, so ties are exact:
            // a joint and its partner are kept or dropped together.
            row.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.joint.cmp(&b.joint)));
            if row.len() > k {
                let border = row[k].weight;
                let keep = row.partition_point(|i| i.weight > border).min(k);
                row.truncate(if keep == 0 { k } else { keep });
            }
            if builder.push(&row).is_err() {
                builder.push_valid(weights.of_vertex(position));
            }
        }
        builder.finish()
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
        // On the plane a joint is its own partner, also if another one shares its place.
        let own = mirrors(joint, joint).then_some(joint);
        let other = || skeleton.indices().find(|&o| deforms[o.at()] && mirrors(joint, o));
        partners[joint.at()] = own.or_else(other)?;
    }
    let paired = skeleton.indices().all(|j| partners[partners[j.at()].at()] == j);
    paired.then_some(partners)
}
