//! Symmetric characters get symmetric weights.
//!
//! If every position and every joint that takes part has a partner on the other side of
//! a plane of constant x, weights are averaged with those of the partner, joints swapped.
//! What voxels, ties and rounding made different is then the same.

use std::convert::Infallible;

use glam::{DVec3, IVec3};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use crate::character::{Influence, JointIndex, Skeleton, Weights};

/// Partners are found within this share of the diagonal.
const TOLERANCE: f64 = 1e-4;
/// The edge of a cell in which partners are looked for.
const CELLS_PER_TOLERANCE: f64 = 16.0;
/// The end of a chain.
const NOBODY: u32 = u32::MAX;

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

        // Positions by the cell that they are in, chained. Cells are much wider than the
        // tolerance: all but a few images lie near one cell only.
        let cell = |p: DVec3| (p / (CELLS_PER_TOLERANCE * reach)).floor().as_ivec3();
        let mut first: FxHashMap<IVec3, u32> = FxHashMap::default();
        first.reserve(points.len());
        let mut next = vec![NOBODY; points.len()];
        for (i, &p) in points.iter().enumerate() {
            next[i] = first.insert(cell(p), i as u32).unwrap_or(NOBODY);
        }
        let find = |&p: &DVec3| {
            let image = image(p);
            let (low, high) = (cell(image - reach), cell(image + reach));
            let mut best: Option<(f64, u32)> = None;
            for x in low.x..=high.x {
                for y in low.y..=high.y {
                    for z in low.z..=high.z {
                        let mut candidate = first.get(&IVec3::new(x, y, z)).copied().unwrap_or(NOBODY);
                        while candidate != NOBODY {
                            let distance = points[candidate as usize].distance(image);
                            if distance <= reach && best.is_none_or(|b| (distance, candidate) < b) {
                                best = Some((distance, candidate));
                            }
                            candidate = next[candidate as usize];
                        }
                    }
                }
            }
            best.map(|b| b.1)
        };
        let positions: Vec<u32> = points
            .par_iter()
            .with_min_len(1024)
            .map(find)
            .collect::<Option<_>>()?;
        // Pairs must be pairs: with positions closer than the tolerance they may not be.
        let paired = (0..positions.len()).all(|i| positions[positions[i] as usize] as usize == i);
        paired.then_some(Self { positions, joints })
    }

    /// Each position's weights averaged with its partner's.
    pub fn averaged(&self, weights: &Weights, k: usize) -> Weights {
        let averaged = Weights::in_parallel(self.positions.len(), k.min(4), |range, builder| {
            let mut row: Vec<Influence> = Vec::new();
            for position in range {
                row.clear();
                row.extend_from_slice(weights.of_vertex(position));
                for other in weights.of_vertex(self.positions[position] as usize) {
                    let joint = self.joints[other.joint.at()];
                    match row.iter_mut().find(|i| i.joint == joint) {
                        Some(own) => own.weight += other.weight,
                        None => row.push(Influence {
                            joint,
                            weight: other.weight,
                        }),
                    }
                }
                // Sums of the same two numbers in either order are the same, so ties are
                // exact: a joint and its partner are kept or dropped together.
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
            Ok::<_, Infallible>(())
        });
        match averaged {
            Ok(weights) => weights,
            Err(never) => match never {},
        }
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
