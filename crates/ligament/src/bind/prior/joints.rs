//! The joints that take part, as wholes: their bones, the limbs around them, their names, and the skin that the recipes
//! give them.

use glam::DVec3;

use super::Recipes;
use crate::character::{BoneShape, JointIndex, WordKind, word_kind, words};
use crate::motion::joint_kinds;

/// A limb's radius needs at least so many points alongside its bone.
const ENOUGH: usize = 4;
/// Steps in the hierarchy are counted up to here.
pub(super) const FAR: u8 = 6;

/// A bone as the numbers that features need.
#[derive(Debug, Clone)]
pub(super) struct Limb {
    pub slot: u16,
    pub head: DVec3,
    pub tail: DVec3,
    pub length: f64,
    /// Zero for a point.
    pub direction: DVec3,
    pub stub: bool,
    /// R: the median distance of the skin alongside.
    pub radius: f64,
    /// How far other joints' bones are from its middle and tail, in R.
    pub coincides: [f64; 2],
    /// Whether it is the one that goes on, of its joint's bones.
    pub main: bool,
}

impl Limb {
    /// How far along a point is (0 at the head, 1 at the tail), and the nearest point of the bone.
    pub fn nearest(&self, p: DVec3) -> (f64, DVec3) {
        if self.length == 0.0 {
            return (0.0, self.head);
        }
        let along = (p - self.head).dot(self.direction) / self.length;
        (along, self.head + along.clamp(0.0, 1.0) * (self.tail - self.head))
    }
}

/// A joint that takes part.
#[derive(Debug, Clone)]
pub(super) struct JointWhole {
    pub joint: JointIndex,
    pub parent: Option<u16>,
    pub at: DVec3,
    pub children: usize,
    /// How much is below, from 0 to 1, in logarithms.
    pub below: f64,
    pub bend: f64,
    /// Its longest bone.
    pub direction: DVec3,
    pub length: f64,
    pub radius: f64,
    pub from_parent: DVec3,
    pub from_parent_length: f64,
    /// Across the joint: the mean of where it comes from and where it goes.
    pub bisector: DVec3,
    pub kind: u8,
    pub says: [bool; 4],
    /// The skin that it has.
    pub area: f64,
    pub heat_area: f64,
    pub voxel_area: f64,
    pub top_area: f64,
    pub centroid: DVec3,
    pub spread: f64,
    /// The largest part of its skin in one piece of the surface.
    pub main_piece: f64,
}

/// All joints that take part.
#[derive(Debug)]
pub(super) struct Wholes {
    /// For each joint of the skeleton its index among those that take part.
    pub slot_of: Vec<Option<u16>>,
    pub joints: Vec<JointWhole>,
    /// For each bone of the voxel binding.
    pub limbs: Vec<Limb>,
    /// For each joint the range of its bones.
    pub limbs_of: Vec<Vec<u16>>,
    pub median_radius: f64,
    /// For each point whether it is part of the body, and the area around it.
    pub body: Vec<bool>,
    pub areas: Vec<f64>,
    pub total_area: f64,
    /// A corner of the skeleton's box, and its diagonal.
    pub low: DVec3,
    pub diagonal: f64,
    /// The middle plane, where the skeleton is symmetric.
    pub plane: Option<f64>,
    /// For each pair of joints how many steps apart, and whether the second is deeper.
    steps: Vec<(u8, i8)>,
    /// Whether the first is above the second.
    above: Vec<bool>,
}

impl Wholes {
    pub fn of(recipes: &Recipes<'_>) -> Self {
        let skeleton = &recipes.skin.character().skeleton;
        let bones = recipes.bones;
        let mut slot_of = vec![None; skeleton.joints.len()];
        let mut owners: Vec<JointIndex> = bones.iter().map(|b| b.joint).collect();
        owners.sort_unstable();
        owners.dedup();
        for (slot, joint) in owners.iter().enumerate() {
            slot_of[joint.at()] = Some(slot as u16);
        }
        let parent_of = |joint: JointIndex| {
            let mut above = skeleton.skin_parent(joint);
            while let Some(p) = above {
                if slot_of[p.at()].is_some() {
                    return slot_of[p.at()];
                }
                above = skeleton.skin_parent(p);
            }
            None
        };
        let parents: Vec<Option<u16>> = owners.iter().map(|&j| parent_of(j)).collect();
        let mut limbs: Vec<Limb> = bones
            .iter()
            .map(|bone| {
                let (head, tail) = match &bone.shape {
                    BoneShape::Segment { head, tail } => (*head, *tail),
                    BoneShape::Point(p) => (*p, *p),
                    other => (other.closest_point(DVec3::ZERO), other.closest_point(DVec3::ZERO)),
                };
                Limb {
                    slot: slot_of[bone.joint.at()].unwrap_or(0),
                    head,
                    tail,
                    length: head.distance(tail),
                    direction: (tail - head).normalize_or_zero(),
                    stub: bone.stub,
                    radius: 0.0,
                    coincides: [0.0; 2],
                    main: false,
                }
            })
            .collect();
        let mut limbs_of = vec![Vec::new(); owners.len()];
        for (index, limb) in limbs.iter().enumerate() {
            limbs_of[usize::from(limb.slot)].push(index as u16);
        }
        let body = recipes.body();
        let median_radius = radii(&mut limbs, &limbs_of, &parents, recipes, &body);
        coincidences(&mut limbs);
        let (low, diagonal) = recipes.frame();
        let areas = recipes.areas(&body);
        let mut wholes = Self {
            joints: Vec::with_capacity(owners.len()),
            slot_of,
            limbs,
            limbs_of,
            median_radius,
            total_area: areas.iter().sum::<f64>().max(f64::MIN_POSITIVE),
            body,
            areas,
            low,
            diagonal,
            plane: None,
            steps: Vec::new(),
            above: Vec::new(),
        };
        wholes.fill_joints(&owners, &parents, recipes);
        wholes.find_plane();
        wholes.find_steps();
        wholes
    }

    fn fill_joints(&mut self, owners: &[JointIndex], parents: &[Option<u16>], recipes: &Recipes<'_>) {
        let skeleton = &recipes.skin.character().skeleton;
        let kinds = joint_kinds(skeleton);
        let count = owners.len();
        let (mut children, mut below) = (vec![0usize; count], vec![0usize; count]);
        // Parents come before children, and slots are in the order of joints.
        for slot in (0..count).rev() {
            if let Some(p) = parents[slot] {
                children[usize::from(p)] += 1;
                below[usize::from(p)] += 1 + below[slot];
            }
        }
        for (slot, &joint) in owners.iter().enumerate() {
            let at = skeleton.bind_position(joint);
            let longest = self.limbs_of[slot]
                .iter()
                .map(|&l| &self.limbs[usize::from(l)])
                .fold(None::<&Limb>, |best, limb| match best {
                    Some(b) if b.length >= limb.length => Some(b),
                    _ => Some(limb),
                });
            let (direction, length, radius) = longest.map_or((DVec3::ZERO, 0.0, self.median_radius), |l| {
                (l.direction, l.length, l.radius)
            });
            let parent = parents[slot];
            let incoming = parent.map_or(DVec3::ZERO, |p| {
                at - skeleton.bind_position(owners[usize::from(p)])
            });
            let from_parent = incoming.normalize_or_zero();
            let bend = parent.map_or(1.0, |p| {
                direction.dot(
                    self.joints
                        .get(usize::from(p))
                        .map_or(DVec3::ZERO, |p| p.direction),
                )
            });
            let heard = words(&skeleton.joint(joint).name);
            let says = |kind: WordKind| heard.iter().any(|w| word_kind(w) == Some(kind));
            self.joints.push(JointWhole {
                joint,
                parent,
                at,
                children: children[slot],
                below: (1.0 + below[slot] as f64).ln() / (1.0 + count.max(2) as f64).ln(),
                bend,
                direction,
                length,
                radius,
                from_parent,
                from_parent_length: incoming.length(),
                bisector: (from_parent + direction).normalize_or_zero(),
                kind: kinds[joint.at()] as u8,
                says: [WordKind::Face, WordKind::Soft, WordKind::Prop, WordKind::Helper].map(says),
                area: 0.0,
                heat_area: 0.0,
                voxel_area: 0.0,
                top_area: 0.0,
                centroid: at,
                spread: 0.0,
                main_piece: 1.0,
            });
            let straight = |&l: &u16| {
                let limb = &self.limbs[usize::from(l)];
                let ahead = if parent.is_some() {
                    limb.direction.dot(from_parent)
                } else {
                    1.0
                };
                ahead * limb.length
            };
            let main = self.limbs_of[slot]
                .iter()
                .copied()
                .fold(None::<u16>, |best, l| match best {
                    Some(b) if straight(&b) >= straight(&l) => Some(b),
                    _ => Some(l),
                });
            if let Some(main) = main {
                self.limbs[usize::from(main)].main = true;
            }
        }
    }

    fn find_plane(&mut self) {
        let mut across: Vec<f64> = self.joints.iter().map(|j| j.at.x).collect();
        across.sort_by(f64::total_cmp);
        let Some(&plane) = across.get(across.len() / 2) else {
            return;
        };
        let has_image = |j: &&JointWhole| {
            let image = DVec3::new(2.0 * plane - j.at.x, j.at.y, j.at.z);
            let near = |o: &JointWhole| o.at.distance(image) < 0.02 * self.diagonal;
            self.joints.iter().any(near)
        };
        let paired = self.joints.iter().filter(has_image).count();
        if paired as f64 > 0.8 * self.joints.len() as f64 {
            self.plane = Some(plane);
        }
    }

    fn find_steps(&mut self) {
        let count = self.joints.len();
        let ancestors: Vec<Vec<u16>> = (0..count)
            .map(|slot| {
                let mut list = vec![slot as u16];
                let mut at = self.joints[slot].parent;
                while let Some(p) = at {
                    list.push(p);
                    at = self.joints[usize::from(p)].parent;
                }
                list
            })
            .collect();
        self.steps = vec![(FAR, 0); count * count];
        self.above = vec![false; count * count];
        let mut up_from = vec![u8::MAX; count];
        for (a, own) in ancestors.iter().enumerate() {
            for (up, &x) in own.iter().enumerate() {
                up_from[usize::from(x)] = up.min(100) as u8;
                if up > 0 {
                    self.above[usize::from(x) * count + a] = true;
                }
            }
            for (b, other) in ancestors.iter().enumerate() {
                let meet = other.iter().position(|&x| up_from[usize::from(x)] != u8::MAX);
                if let Some(down) = meet {
                    let up = usize::from(up_from[usize::from(other[down])]);
                    let deeper = (down as i64 - up as i64).signum() as i8;
                    self.steps[a * count + b] = ((up + down).min(usize::from(FAR)) as u8, deeper);
                }
            }
            for &x in own {
                up_from[usize::from(x)] = u8::MAX;
            }
        }
    }

    /// Steps from one joint to another, and whether the second is deeper.
    pub fn steps(&self, from: u16, to: u16) -> (u8, i8) {
        self.steps[usize::from(from) * self.joints.len() + usize::from(to)]
    }

    /// Whether the first is above the second.
    pub fn is_above(&self, first: u16, second: u16) -> bool {
        self.above[usize::from(first) * self.joints.len() + usize::from(second)]
    }
}

/// Finds the radius of the limb around each bone; the median over bones is returned.
fn radii(
    limbs: &mut [Limb],
    limbs_of: &[Vec<u16>],
    parents: &[Option<u16>],
    recipes: &Recipes<'_>,
    body: &[bool],
) -> f64 {
    let mut alongside: Vec<Vec<f64>> = vec![Vec::new(); limbs.len()];
    for (point, &p) in recipes.skin.points().iter().enumerate() {
        let Some(nearest) = recipes.near(point).first().filter(|_| body[point]) else {
            continue;
        };
        let limb = &limbs[usize::from(nearest.bone)];
        let (along, closest) = limb.nearest(p);
        if (0.05..=0.95).contains(&along) {
            alongside[usize::from(nearest.bone)].push(closest.distance(p));
        }
    }
    let own: Vec<Option<f64>> = alongside
        .iter_mut()
        .map(|list| (list.len() >= ENOUGH).then(|| median(list)))
        .collect();
    let of_joint: Vec<Option<f64>> = limbs_of
        .iter()
        .map(|limbs| {
            let known: Vec<f64> = limbs.iter().filter_map(|&l| own[usize::from(l)]).collect();
            (!known.is_empty()).then(|| known.iter().sum::<f64>() / known.len() as f64)
        })
        .collect();
    let found: Vec<Option<f64>> = own
        .iter()
        .zip(limbs.iter())
        .map(|(own, limb)| {
            let mut at = Some(limb.slot);
            let mut radius = *own;
            while let (None, Some(slot)) = (radius, at) {
                radius = of_joint[usize::from(slot)];
                at = parents[usize::from(slot)];
            }
            radius
        })
        .collect();
    let mut known: Vec<f64> = found.iter().flatten().copied().collect();
    let least = 0.5 * recipes.voxel_size;
    let typical = if known.is_empty() {
        2.0 * least
    } else {
        median(&mut known).max(least)
    };
    for (limb, radius) in limbs.iter_mut().zip(found) {
        limb.radius = radius.unwrap_or(typical).max(least);
    }
    typical
}

/// How near other joints' bones come.
fn coincidences(limbs: &mut [Limb]) {
    let others: Vec<Limb> = limbs.to_vec();
    for limb in limbs {
        let middle = 0.5 * (limb.head + limb.tail);
        let mut least = [limb.radius.max(limb.length) * 20.0; 2];
        for other in others.iter().filter(|o| o.slot != limb.slot) {
            for (least, p) in least.iter_mut().zip([middle, limb.tail]) {
                *least = least.min(other.nearest(p).1.distance(p));
            }
        }
        limb.coincides = least.map(|d| d / limb.radius);
    }
}

pub(super) fn median(list: &mut [f64]) -> f64 {
    let middle = list.len() / 2;
    *list.select_nth_unstable_by(middle, f64::total_cmp).1
}
