//! Limbs that thin: skin that comes much nearer to its own bone than it is at rest, over a good part of the limb.
//!
//! A limb is a bone with skin all around it that follows it, or the bones before and after it, for at least half. Its **radius** r is the median distance of its skin at rest. Skin falls into slices across
//! the bone, a quarter of r long; a slice's **thinness** in a frame is the median over its positions of posed distance to the bone over
//! distance at rest, and between slices it changes linearly. The collapse of a limb is the longest stretch along the bone, and on
//! along the bone that follows it, that is thinner than one half, in multiples of r: 0 where nothing thins, 2 where a limb is as thin as a
//! wrung cloth for as far as it is thick. Reported are the worst limb and frame. Not negative.

use glam::{DAffine3, DVec3, Vec3};
use rayon::prelude::*;
use serde::Serialize;

use super::measured_skin::{MeasuredSkin, Regions};
use crate::character::{BoneShape, JointIndex, Skeleton, Weights};

/// Skin at less than this fraction of its distance at rest is thin.
const THIN: f64 = 0.5;
/// A slice's length, as a fraction of the limb's radius.
const SLICE: f64 = 0.25;
/// Fewer positions make no limb.
const FEWEST: usize = 12;
/// Of eight directions around a bone, so many have skin.
const SECTORS: u32 = 6;
/// Skin is a bone's own if so much of it follows the bone's joint, the one above or one below.
const FOLLOWS: f32 = 0.5;
/// Skin nearer to its bone at rest, as a fraction of the radius, says nothing by coming nearer.
const NEAREST: f64 = 0.25;

/// How far limbs thin over all frames.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Collapse {
    /// How many limbs there are: bones with skin all around.
    pub limbs: usize,
    /// The longest stretch that is thinner than half, in radii of its limb.
    pub worst: f64,
    /// The joint of that limb; none where nothing thins.
    pub worst_joint: Option<JointIndex>,
    /// The frame of that, by number.
    pub worst_frame: usize,
}

/// A bone with skin all around it.
struct Limb {
    joint: JointIndex,
    head: DVec3,
    tail: DVec3,
    radius: f64,
    /// Position, distance at rest; slice by slice.
    skin: Vec<(u32, f64)>,
    /// Where each slice's skin begins, and its middle along the bone.
    slices: Vec<(usize, f64)>,
    /// The limb that follows at its tail.
    next: Option<usize>,
}

/// A stretch that is thin.
#[derive(Debug, Clone, Copy, Default)]
struct Thin {
    longest: f64,
    /// The one that begins at the head, and the one that ends at the tail.
    at_head: f64,
    at_tail: f64,
}

impl Limb {
    fn of(
        joint: JointIndex,
        head: DVec3,
        tail: DVec3,
        skin: Vec<(u32, f64)>,
        points: &[DVec3],
    ) -> Option<Self> {
        let along = (tail - head).try_normalize()?;
        if skin.len() < FEWEST {
            return None;
        }
        let side = along.any_orthonormal_vector();
        let mut sectors = 0u32;
        for &(p, _) in &skin {
            let off = points[p as usize] - head;
            let angle = off.dot(along.cross(side)).atan2(off.dot(side));
            let sector = ((angle / std::f64::consts::TAU + 0.5) * 8.0) as u32 % 8;
            sectors |= 1 << sector;
        }
        if sectors.count_ones() < SECTORS {
            return None;
        }
        let mut distances: Vec<f64> = skin.iter().map(|s| s.1).collect();
        let radius = super::percentile(&mut distances, 50.0);
        if radius <= 0.0 {
            return None;
        }
        let length = head.distance(tail);
        let slice_of = |p: u32| {
            let at = (points[p as usize] - head).dot(along).clamp(0.0, length);
            (at / (SLICE * radius)) as u32
        };
        let mut placed: Vec<(u32, u32, f64)> = skin
            .into_iter()
            .filter(|s| s.1 >= NEAREST * radius)
            .map(|(p, distance)| (slice_of(p), p, distance))
            .collect();
        placed.sort_unstable_by_key(|s| (s.0, s.1));
        let mut slices: Vec<(usize, f64)> = Vec::new();
        let mut before = None;
        for (k, &(slice, ..)) in placed.iter().enumerate() {
            if before != Some(slice) {
                slices.push((k, (f64::from(slice) + 0.5) * SLICE * radius));
                before = Some(slice);
            }
        }
        Some(Self {
            joint,
            head,
            tail,
            radius,
            skin: placed.into_iter().map(|(_, p, distance)| (p, distance)).collect(),
            slices,
            next: None,
        })
    }

    /// The thin stretches in a frame, in radii. A joint that shrinks as the animator wants it to takes its skin along.
    fn thin(&self, moved: DAffine3, at: impl Fn(u32) -> DVec3) -> Thin {
        let scale = moved.matrix3.determinant().abs().cbrt();
        if scale.is_nan() || scale <= 0.0 {
            return Thin::default();
        }
        let bone = BoneShape::Segment {
            head: moved.transform_point3(self.head),
            tail: moved.transform_point3(self.tail),
        };
        let mut ratios: Vec<f64> = Vec::new();
        let mut profile: Vec<(f64, f64)> = Vec::with_capacity(self.slices.len());
        for (k, &(from, middle)) in self.slices.iter().enumerate() {
            let to = self.slices.get(k + 1).map_or(self.skin.len(), |s| s.0);
            ratios.clear();
            ratios.extend(
                self.skin[from..to]
                    .iter()
                    .map(|&(p, rest)| bone.distance(at(p)) / (rest * scale)),
            );
            profile.push((middle, super::percentile(&mut ratios, 50.0)));
        }
        let length = self.head.distance(self.tail);
        thin_stretches(&profile, length).scaled(1.0 / self.radius)
    }
}

impl Thin {
    fn scaled(self, factor: f64) -> Self {
        Self {
            longest: self.longest * factor,
            at_head: self.at_head * factor,
            at_tail: self.at_tail * factor,
        }
    }
}

/// Where a line through places and their thinness, level before the first and after the last, is under [`THIN`].
fn thin_stretches(profile: &[(f64, f64)], length: f64) -> Thin {
    let (Some(&first), Some(&last)) = (profile.first(), profile.last()) else {
        return Thin::default();
    };
    let mut line = vec![(0.0, first.1)];
    line.extend_from_slice(profile);
    line.push((length, last.1));
    let mut thin = Thin::default();
    let mut begun: Option<f64> = (first.1 < THIN).then_some(0.0);
    let mut ended = |from: f64, to: f64| {
        let stretch = (to - from).max(0.0);
        thin.longest = thin.longest.max(stretch);
        if from <= 0.0 {
            thin.at_head = stretch;
        }
        if to >= length {
            thin.at_tail = stretch;
        }
    };
    for pair in line.windows(2) {
        let [(a, from), (b, to)] = [pair[0], pair[1]];
        let crossing = a + (b - a) * ((THIN - from) / (to - from)).clamp(0.0, 1.0);
        match (begun, to < THIN) {
            (None, true) => begun = Some(crossing),
            (Some(start), false) => {
                ended(start, crossing);
                begun = None;
            }
            _ => {}
        }
    }
    if let Some(start) = begun {
        ended(start, length);
    }
    thin
}

/// Looks for thin limbs frame by frame.
pub(super) struct CollapseMeter {
    limbs: Vec<Limb>,
    /// For each limb the most over frames, and the frame.
    worst: Vec<(f64, usize)>,
    frames: usize,
}

impl CollapseMeter {
    pub fn new(skeleton: &Skeleton, weights: &Weights, skin: &MeasuredSkin, regions: &Regions) -> Self {
        let mut of_bone: Vec<Vec<(u32, f64)>> = vec![Vec::new(); regions.bones.len()];
        for (p, (&bone, &distance)) in regions.bone.iter().zip(&regions.distance).enumerate() {
            let Some(own) = regions.bones.get(bone as usize) else {
                continue;
            };
            // Bones within a head that steer lips and brows have skin around that follows others.
            let near = |j: JointIndex| {
                j == own.joint
                    || skeleton.joint(j).parent == Some(own.joint)
                    || skeleton.joint(own.joint).parent == Some(j)
            };
            let influences = weights.of_vertex(skin.first_vertex[p] as usize);
            let follows: f32 = influences
                .iter()
                .filter(|i| near(i.joint))
                .map(|i| i.weight)
                .sum();
            if follows >= FOLLOWS {
                of_bone[bone as usize].push((p as u32, distance));
            }
        }
        let mut limbs: Vec<Limb> = regions
            .bones
            .iter()
            .zip(of_bone)
            .filter_map(|(bone, own)| match bone.shape {
                BoneShape::Segment { head, tail } => {
                    Limb::of(bone.joint, head, tail, own, &skin.welded.points)
                }
                _ => None,
            })
            .collect();
        // The straightest limb that begins where another ends goes on with it.
        for k in 0..limbs.len() {
            let tail = limbs[k].tail;
            let along = (tail - limbs[k].head).normalize_or_zero();
            let straight = |m: usize| along.dot((limbs[m].tail - limbs[m].head).normalize_or_zero());
            let reach = 1e-3 * limbs[k].radius;
            limbs[k].next = (0..limbs.len())
                .filter(|&m| m != k && limbs[m].head.distance(tail) <= reach)
                .max_by(|&m, &n| straight(m).total_cmp(&straight(n)));
        }
        Self {
            worst: vec![(0.0, 0); limbs.len()],
            limbs,
            frames: 0,
        }
    }

    /// Adds a frame.
    pub fn add(&mut self, skin: &MeasuredSkin, posed: &[Vec3], world_from_bind: &[DAffine3]) {
        let at = |p: u32| posed[skin.first_vertex[p as usize] as usize].as_dvec3();
        let thin: Vec<Thin> = self
            .limbs
            .par_iter()
            .map(|limb| limb.thin(world_from_bind[limb.joint.at()], at))
            .collect();
        for (k, limb) in self.limbs.iter().enumerate() {
            let on = match limb.next.map(|n| thin[n]) {
                Some(next) if thin[k].at_tail > 0.0 => thin[k].at_tail + next.at_head,
                _ => 0.0,
            };
            let collapse = thin[k].longest.max(on);
            if collapse > self.worst[k].0 {
                self.worst[k] = (collapse, self.frames);
            }
        }
        self.frames += 1;
    }

    /// For each limb its joint, its worst, and the frame of that.
    pub fn of_limbs(&self) -> impl Iterator<Item = (JointIndex, (f64, usize))> + '_ {
        self.limbs.iter().zip(&self.worst).map(|(l, &w)| (l.joint, w))
    }

    pub fn finish(&self) -> Collapse {
        let mut collapse = Collapse {
            limbs: self.limbs.len(),
            worst: 0.0,
            worst_joint: None,
            worst_frame: 0,
        };
        for (joint, (worst, frame)) in self.of_limbs() {
            if worst > collapse.worst {
                collapse.worst = worst;
                collapse.worst_joint = Some(joint);
                collapse.worst_frame = frame;
            }
        }
        collapse
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stretches_under_half_are_measured_along_the_line() {
        // Falls to a quarter at 2 and rises until 4: under one half from 4/3 to 8/3, by similar triangles.
        let profile = [(0.0, 1.0), (2.0, 0.25), (4.0, 1.0)];
        let thin = thin_stretches(&profile, 4.0);
        let expected = 2.0 * 2.0 * (0.25 / 0.75);
        assert!((thin.longest - expected).abs() < 1e-12, "{}", thin.longest);
        assert_eq!((thin.at_head, thin.at_tail), (0.0, 0.0));
        // Thin at the head, and thin to the tail.
        let thin = thin_stretches(&[(1.0, 0.2), (3.0, 0.8), (5.0, 0.2)], 6.0);
        assert!((thin.at_head - 2.0).abs() < 1e-12 && (thin.at_tail - 2.0).abs() < 1e-12);
        assert_eq!(thin_stretches(&[(1.0, 0.2)], 6.0).longest, 6.0);
        assert_eq!(thin_stretches(&[(1.0, 0.9)], 6.0).longest, 0.0);
        assert_eq!(thin_stretches(&[], 6.0).longest, 0.0);
    }

    /// A tube of rings around one bone.
    fn tube() -> (Vec<DVec3>, Limb) {
        let mut points = Vec::new();
        for ring in 0..=40 {
            for k in 0..12 {
                let angle = f64::from(k) / 12.0 * std::f64::consts::TAU;
                points.push(DVec3::new(
                    f64::from(ring) * 0.1,
                    angle.cos() * 0.5,
                    angle.sin() * 0.5,
                ));
            }
        }
        let skin = (0..points.len() as u32).map(|p| (p, 0.5)).collect();
        let limb = Limb::of(JointIndex(0), DVec3::ZERO, DVec3::X * 4.0, skin, &points).unwrap();
        (points, limb)
    }

    #[test]
    fn a_tube_that_is_squeezed_is_thin_where_it_is() {
        let (points, limb) = tube();
        assert_eq!(limb.radius, 0.5);
        let turned = DAffine3::from_rotation_y(1.0) * DAffine3::from_translation(DVec3::ONE);
        let still = limb.thin(turned, |p| turned.transform_point3(points[p as usize]));
        assert_eq!(still.longest, 0.0);
        // From 1 to 2, two radii, to a third of its width.
        let squeezed = |p: u32| {
            let at = points[p as usize];
            let thin = (1.0 - 1e-9..=2.0 + 1e-9).contains(&at.x);
            turned.transform_point3(if thin {
                at * DVec3::new(1.0, 1.0 / 3.0, 1.0 / 3.0)
            } else {
                at
            })
        };
        let thin = limb.thin(turned, squeezed);
        assert!((thin.longest - 2.0).abs() < 0.3, "{}", thin.longest);
    }

    #[test]
    fn skin_on_one_side_is_no_limb() {
        let (points, _) = tube();
        let half = (0..points.len() as u32)
            .filter(|&p| points[p as usize].y > 0.1)
            .map(|p| (p, 0.5))
            .collect();
        assert!(Limb::of(JointIndex(0), DVec3::ZERO, DVec3::X * 4.0, half, &points).is_none());
    }
}
