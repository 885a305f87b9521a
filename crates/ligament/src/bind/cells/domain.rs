//! The character as the losses see it: positions that need weights in the field's unit
//! cube, the surface's Laplacian on them, springs to the bones.

use glam::{DAffine3, DVec3};

use super::springs::{Segment, Spring, segments, springs_of, weigh_by_limb};
use crate::JointIndex;
use crate::bind::rules::Rules;
use crate::bind::{BindError, BindOptions};
use crate::character::{LEAF_STUB, Skeleton, bones_of};
use crate::geometry::Laplacian;
use crate::skin::Skin;
use crate::task::Task;

/// The paper's losses count in centimetres; a character counts as this tall, whatever its
/// units, so that its weights do not depend on them.
pub const REFERENCE_SIZE: f64 = 180.0;

/// What does not change while a field is fitted. Lengths are in the unit cube.
#[derive(Debug, Clone)]
pub struct FitDomain {
    /// The middle of the unit cube, in bind space.
    pub centre: DVec3,
    /// Its side, in bind space.
    pub size: f64,
    /// The points of the skin, in the unit cube.
    pub points: Vec<DVec3>,
    /// The skin that is fitted.
    pub skin: Skin,
    /// The joints that take part, in order: one cell each.
    pub joints: Vec<JointIndex>,
    /// For each position which of `allowed` holds.
    pub allowed_of_point: Vec<u16>,
    /// Sets of cells that a position may follow, ascending.
    pub allowed: Vec<Vec<u16>>,
    /// For each position its spring, if it has a sound one.
    pub(super) springs: Vec<Option<Spring>>,
    /// The bones that springs are tied to.
    segments: Vec<Segment>,
    /// Neighbours of each position, and their fractions in its Laplacian
    /// L(x)_i = Σ_j share_ij·x_j − x_i.
    pub(super) starts: Vec<u32>,
    pub(super) neighbours: Vec<u32>,
    pub(super) fractions: Vec<f64>,
    /// The Laplacian of the points themselves.
    pub(super) rest_laplacian: Vec<DVec3>,
}

impl FitDomain {
    /// Prepares a skin for the losses.
    pub fn new(skin: &Skin, options: &BindOptions, task: &Task<'_>) -> Result<Self, BindError> {
        Self::of(&Rules::of(skin, options)?, task)
    }

    /// Prepares a bind for the losses.
    pub(in crate::bind) fn of(rules: &Rules<'_>, task: &Task<'_>) -> Result<Self, BindError> {
        let (all, faces) = (rules.skin.points(), rules.skin.faces());
        let (low, high) = all
            .iter()
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(l, h), &p| {
                (l.min(p), h.max(p))
            });
        let centre = (low + high) / 2.0;
        let size = match (high - low).max_element() {
            size if size > 0.0 => size,
            _ => 1.0, // one point: any size will do
        };
        let points: Vec<DVec3> = all.iter().map(|&p| (p - centre) / size).collect();
        let skeleton = rules.skeleton();
        let joints: Vec<JointIndex> = skeleton.indices().filter(|j| rules.joints[j.at()]).collect();
        let allowed = rules
            .masks
            .sets()
            .iter()
            .map(|set| {
                let cells = joints.iter().zip(0u16..).filter(|(j, _)| set[j.at()]);
                cells.map(|(_, cell)| cell).collect()
            })
            .collect();

        let laplacian = Laplacian::of(&points, faces);
        let mut fractions = Vec::with_capacity(laplacian.weights.len());
        for i in 0..points.len() {
            let row = || laplacian.row(i).map(|(_, w)| w);
            let sum: f64 = row().sum();
            // Where all angles are flat or obtuse, neighbours count alike.
            if sum > 0.0 && sum.is_finite() {
                fractions.extend(row().map(|w| w / sum));
            } else {
                let count = row().count() as f64;
                fractions.extend(row().map(|_| 1.0 / count));
            }
        }
        let bones = bones_of(skeleton, &rules.joints, LEAF_STUB);
        let segments = segments(&bones, &joints, centre, size);
        let springs = springs_of(&points, faces, &segments, task)?;
        let mut domain = Self {
            centre,
            size,
            points,
            skin: rules.skin.clone(),
            joints,
            allowed_of_point: rules.masks.of_points().to_vec(),
            allowed,
            springs,
            segments,
            starts: laplacian.starts,
            neighbours: laplacian.columns,
            fractions,
            rest_laplacian: Vec::new(),
        };
        domain.rest_laplacian = (0..domain.points.len())
            .map(|i| domain.laplacian_at(i, |j| domain.points[j]))
            .collect();
        Ok(domain)
    }

    /// The Laplacian at a position of points given by `at`; zero where it has no
    /// neighbours.
    pub(super) fn laplacian_at(&self, i: usize, at: impl Fn(usize) -> DVec3) -> DVec3 {
        let range = self.starts[i] as usize..self.starts[i + 1] as usize;
        if range.is_empty() {
            return DVec3::ZERO;
        }
        let mut sum = -at(i);
        for k in range {
            sum += at(self.neighbours[k] as usize) * self.fractions[k];
        }
        sum
    }

    /// The cells that a position may follow.
    pub fn cells_at(&self, point: usize) -> &[u16] {
        &self.allowed[usize::from(self.allowed_of_point[point])]
    }

    /// The same with springs that count the less the closer a bone of another limb is.
    pub fn with_springs_by_limb(mut self, skeleton: &Skeleton) -> Self {
        // The next joint above that takes part.
        let parent = |&joint: &JointIndex| {
            let mut above = skeleton.skin_parent(joint);
            while let Some(joint) = above {
                if let Ok(cell) = self.joints.binary_search(&joint) {
                    return Some(cell as u16);
                }
                above = skeleton.skin_parent(joint);
            }
            None
        };
        let parents: Vec<Option<u16>> = self.joints.iter().map(parent).collect();
        weigh_by_limb(&mut self.springs, &self.points, &self.segments, &parents);
        self
    }

    /// How many springs were kept.
    pub fn spring_count(&self) -> usize {
        self.springs.iter().flatten().count()
    }

    /// `world_from_bind` of the cells' joints, as it moves points of the unit cube.
    pub fn moves(&self, world_from_bind: &[DAffine3]) -> Vec<DAffine3> {
        self.joints
            .iter()
            .map(|j| {
                let t = world_from_bind[j.at()];
                DAffine3 {
                    matrix3: t.matrix3,
                    translation: (t.transform_point3(self.centre) - self.centre) / self.size,
                }
            })
            .collect()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::character::Character;

    pub fn domain_of(sample: &str) -> FitDomain {
        let character = crate::sample::make(sample).unwrap();
        domain_of_character(&character)
    }

    pub fn domain_of_character(character: &Character) -> FitDomain {
        let skin = Skin::new(character.clone()).unwrap();
        FitDomain::new(&skin, &BindOptions::default(), &Task::unattended()).unwrap()
    }

    #[test]
    fn it_does_not_depend_on_units() {
        let character = crate::sample::make("athlete@1000").unwrap();
        let mut large = character.clone();
        large.mesh.positions.iter_mut().for_each(|p| *p *= 64.0);
        for joint in &mut large.skeleton.joints {
            joint.bind_from_joint.translation *= 64.0;
            joint.rest.translation *= 64.0;
        }
        let (a, b) = (domain_of_character(&character), domain_of_character(&large));
        // A power of two scales without rounding.
        assert_eq!(a.points, b.points);
        assert_eq!(a.fractions, b.fractions);
        assert_eq!(a.spring_count(), b.spring_count());
        assert!(
            a.spring_count() > a.points.len() / 4,
            "{} springs",
            a.spring_count()
        );
    }

    #[test]
    fn shares_sum_to_one() {
        let domain = domain_of("knight@2000");
        for i in 0..domain.points.len() {
            let range = domain.starts[i] as usize..domain.starts[i + 1] as usize;
            let sum: f64 = domain.fractions[range.clone()].iter().sum();
            assert!(range.is_empty() || (sum - 1.0).abs() < 1e-9);
        }
    }
}
