//! How far each position is from the bones around it: what weights are made of.

use std::iter::repeat_n;

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use super::binding::VoxelBinding;
use super::falloff::{Form, NEAREST_VOXELS};
use crate::bind::floating::Floating;
use crate::bind::{BindError, BindWarning};
use crate::character::{Bone, BoneShape, Influence, JointIndex, Weights};
use crate::solid::Blend;
use crate::task::{Cancelled, Task};

/// The bones kept for each position. More change no weight that a vertex keeps.
const KEPT: usize = 24;
/// A path through the solid that is longer than the straight line by no more than this share
/// and a voxel is taken as the straight line: paths from voxel to voxel are up to a tenth
/// longer than they should be.
const STRAIGHT: f32 = 0.15;
/// How much further a position directly past the end of a segment counts.
const PAST_END: f32 = 0.5;
/// Weights diffuse by this fraction of the distance to the nearest bone.
const SMOOTHING: f64 = 0.3;
/// Positions handled between two looks at the cancel flag.
const CHUNK: usize = 1024;

/// A bone near a position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::bind) struct Near {
    pub bone: u16,
    /// In voxels, before the thickness of its limb counts.
    pub distance: f32,
}

/// The bones around all positions of a mesh.
#[derive(Debug, Clone)]
pub struct CandidateBones {
    starts: Vec<u32>,
    near: Vec<Near>,
    /// For each position the one whose bones count: itself, unless it hangs on another.
    pub(super) hosts: Vec<u32>,
    /// How far weights diffuse at each position; zero where nothing is reached.
    pub(super) lengths: Vec<f64>,
}

/// A bone as the numbers that distances need, in voxels.
pub(super) struct Ruler {
    head: Vec3,
    along: Vec3,
    /// One over the square of the length; zero for a point.
    per_length_squared: f32,
    length: f32,
    stub: bool,
    volume: Option<BoneShape>,
}

impl Ruler {
    pub fn of(bone: &Bone, binding: &VoxelBinding) -> Self {
        let grid = &binding.leaves.grid;
        let at = |p: DVec3| grid.grid_from_bind(p).as_vec3();
        let (head, tail, volume) = match &bone.shape {
            BoneShape::Segment { head, tail } => (at(*head), at(*tail), None),
            BoneShape::Point(p) => (at(*p), at(*p), None),
            shape => (Vec3::ZERO, Vec3::ZERO, Some(shape.clone())),
        };
        let along = tail - head;
        let squared = along.length_squared();
        Self {
            head,
            along,
            per_length_squared: if squared > 0.0 { 1.0 / squared } else { 0.0 },
            length: squared.sqrt(),
            stub: bone.stub,
            volume,
        }
    }

    /// The straight distance, and how far along the segment (0 to 1 within it).
    fn straight(&self, p: Vec3, bind: DVec3, voxel: f64) -> (f32, f32) {
        if let Some(shape) = &self.volume {
            return ((shape.distance(bind) / voxel) as f32, 0.5);
        }
        let along = (p - self.head).dot(self.along) * self.per_length_squared;
        let closest = self.head + self.along * along.clamp(0.0, 1.0);
        (closest.distance(p), along)
    }

    /// The cosine of how directly a position lies past an end of the segment.
    fn past_end(&self, p: Vec3, along: f32) -> f32 {
        if self.per_length_squared == 0.0 {
            return 0.0;
        }
        let direction = self.along / self.length;
        if along < 0.0 {
            (p - self.head).normalize_or_zero().dot(-direction).max(0.0)
        } else if along > 1.0 && !self.stub {
            (p - self.head - self.along)
                .normalize_or_zero()
                .dot(direction)
                .max(0.0)
        } else {
            0.0
        }
    }
}

/// The bones around some positions: how many for each, all of them, and who lies alongside one.
type ChunkReach = (Vec<u32>, Vec<Near>, Vec<(u16, f32)>);

/// The nearest bone of a position alongside whose middle it lies, and its distance.
pub(super) type Alongside = Option<(u16, f32)>;

/// A distance, which is not negative, above a bone's number: their order is that of whole numbers, which are sorted
/// without a branch.
fn key(distance: f32, bone: u16) -> u64 {
    u64::from(distance.to_bits()) << 16 | u64::from(bone)
}

fn near_of(key: u64) -> Near {
    Near {
        bone: key as u16,
        distance: f32::from_bits((key >> 16) as u32),
    }
}

/// Room to work in.
#[derive(Default)]
pub(super) struct Room {
    /// The length of the path to each bone.
    pub paths: Vec<f32>,
    keys: Vec<u64>,
}

/// The bones around one position, nearest first.
pub(super) fn near_bones(
    binding: &VoxelBinding,
    rulers: &[Ruler],
    point: DVec3,
    room: &mut Room,
    list: &mut Vec<Near>,
) -> Alongside {
    list.clear();
    let blend = Blend::at(&binding.leaves, point)?;
    blend.distances(&binding.field, &mut room.paths);
    let grid = &binding.leaves.grid;
    let p = grid.grid_from_bind(point).as_vec3();
    // The nearest by the path through the solid: rulers and ends are for these alone.
    let Room { paths, keys } = room;
    keys.clear();
    keys.extend(paths.iter().enumerate().map(|(bone, &distance)| {
        if distance.is_finite() {
            key(distance, bone as u16)
        } else {
            u64::MAX
        }
    }));
    if keys.len() > KEPT {
        keys.select_nth_unstable(KEPT - 1);
        keys.truncate(KEPT);
    }
    keys.retain(|&key| key != u64::MAX);
    list.extend(keys.iter().map(|&key| near_of(key)));
    let mut nearest: Option<(f32, u16, f32)> = None;
    if binding.form == Form::Ligament {
        for near in list.iter_mut() {
            let ruler = &rulers[usize::from(near.bone)];
            let (straight, along) = ruler.straight(p, point, grid.size);
            if near.distance <= straight * (1.0 + STRAIGHT) + 1.0 {
                near.distance = straight;
            }
            near.distance = near.distance.max(NEAREST_VOXELS as f32);
            if nearest.is_none_or(|n| (near.distance, near.bone) < (n.0, n.1)) {
                nearest = Some((near.distance, near.bone, along));
            }
            near.distance *= 1.0 + PAST_END * ruler.past_end(p, along);
        }
    }
    for (key, near) in keys.iter_mut().zip(&*list) {
        *key = self::key(near.distance, near.bone);
    }
    keys.sort_unstable();
    for (near, &key) in list.iter_mut().zip(&*keys) {
        *near = near_of(key);
    }
    nearest
        .filter(|n| (0.05..=0.95).contains(&n.2))
        .map(|n| (n.1, n.0))
}

impl VoxelBinding {
    /// The bones around all points.
    pub fn reach(&self, points: &[DVec3], task: &Task<'_>) -> Result<CandidateBones, Cancelled> {
        Ok(self.candidates_and_sides(points, |_| 1, task)?.0)
    }

    /// The bones around all points, and for those that lie alongside their nearest bone which
    /// one that is and how far away, as often as the point counts.
    pub(super) fn candidates_and_sides(
        &self,
        points: &[DVec3],
        multiplicity: impl Fn(usize) -> usize + Sync,
        task: &Task<'_>,
    ) -> Result<(CandidateBones, Vec<(u16, f32)>), Cancelled> {
        let rulers: Vec<Ruler> = self.bones.iter().map(|b| Ruler::of(b, self)).collect();
        let chunks: Vec<ChunkReach> = points
            .par_chunks(CHUNK)
            .enumerate()
            .map(|(chunk, points)| {
                task.step("reach", 0.5)?;
                let (mut room, mut list) = (Room::default(), Vec::new());
                let (mut counts, mut near, mut alongside) = (Vec::new(), Vec::new(), Vec::new());
                for (slot, &point) in points.iter().enumerate() {
                    let side = near_bones(self, &rulers, point, &mut room, &mut list);
                    let often = multiplicity(chunk * CHUNK + slot);
                    alongside.extend(side.into_iter().flat_map(|side| repeat_n(side, often)));
                    counts.push(list.len() as u32);
                    near.extend_from_slice(&list);
                }
                Ok((counts, near, alongside))
            })
            .collect::<Result<_, Cancelled>>()?;
        let mut starts = vec![0];
        let mut end = 0;
        for count in chunks.iter().flat_map(|c| &c.0) {
            end += count;
            starts.push(end);
        }
        let alongside = chunks.iter().flat_map(|c| c.2.iter().copied()).collect();
        let near: Vec<Near> = chunks.into_iter().flat_map(|c| c.1).collect();
        let lengths = starts
            .windows(2)
            .map(|range| {
                let first = near[range[0] as usize..range[1] as usize].first();
                first.map_or(0.0, |n| SMOOTHING * f64::from(n.distance) * self.leaves.grid.size)
            })
            .collect();
        let reach = CandidateBones {
            starts,
            near,
            hosts: (0..points.len() as u32).collect(),
            lengths,
        };
        Ok((reach, alongside))
    }
}

impl CandidateBones {
    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.lengths.is_empty()
    }

    /// How far weights diffuse at each position; zero where nothing is reached.
    pub fn lengths(&self) -> &[f64] {
        &self.lengths
    }

    /// Whether any bone reaches a position.
    pub(super) fn reaches(&self, position: u32) -> bool {
        !self.of_position(position as usize).is_empty()
    }

    /// Lets what floats follow its hosts. Weights diffuse there as far as at the host, and
    /// not at all within one piece.
    pub(super) fn take_hosts(&mut self, floating: Floating) -> BindWarning {
        for (position, &host) in floating.hosts.iter().enumerate() {
            self.lengths[position] = self.lengths[host as usize];
        }
        for &position in &floating.rigid {
            self.lengths[position as usize] = 0.0;
        }
        self.hosts = floating.hosts;
        floating.warning
    }

    /// Whether no bone reaches a position, so that it hangs on another.
    pub(in crate::bind) fn floats(&self, position: usize) -> bool {
        self.hosts[position] as usize != position
    }

    /// The bones around a position's host, nearest first.
    pub(in crate::bind) fn near_host(&self, position: usize) -> &[Near] {
        self.of_position(self.hosts[position] as usize)
    }

    pub(super) fn of_position(&self, position: usize) -> &[Near] {
        &self.near[self.starts[position] as usize..self.starts[position + 1] as usize]
    }

    /// Weights of all positions, each with at most `k` influences. A position takes those of
    /// its host; where no bone around it is allowed, those that are count by the straight
    /// line. `alpha` may differ by position.
    pub(super) fn weights<'a>(
        &self,
        binding: &VoxelBinding,
        points: &[DVec3],
        k: usize,
        allowed: impl Fn(usize) -> &'a [bool] + Sync,
        alpha: impl Fn(usize) -> Option<f64> + Sync,
        task: &Task<'_>,
    ) -> Result<Weights, BindError> {
        let diagonal = binding.leaves.grid.counts.as_dvec3().length();
        // Bones come nearest first: what is further than the last of `k`, even by the least scale, is not among them.
        let least = binding.scales.iter().copied().fold(f32::INFINITY, f32::min);
        Weights::in_parallel(self.len(), k.min(4), |positions, builder| {
            task.step("weights", 0.5)?;
            let mut joints: Vec<(f32, JointIndex)> = Vec::with_capacity(KEPT);
            let mut row: Vec<Influence> = Vec::with_capacity(KEPT);
            for position in positions {
                let allowed = allowed(position);
                joints.clear();
                for near in self.of_position(self.hosts[position] as usize) {
                    if joints.len() >= k && near.distance * least > joints[k - 1].0 {
                        break;
                    }
                    let bone = usize::from(near.bone);
                    add_nearest(&mut joints, k, binding, bone, near.distance, allowed);
                }
                if joints.is_empty() {
                    for (index, bone) in binding.bones.iter().enumerate() {
                        let straight = bone.shape.distance(points[position]) / binding.leaves.grid.size;
                        add_nearest(&mut joints, k, binding, index, straight as f32, allowed);
                    }
                }
                let alpha = alpha(position).unwrap_or(binding.form.default_alpha());
                let log = |d: f32| binding.form.log_weight(f64::from(d), alpha, diagonal);
                let most = joints.first().map_or(0.0, |j| log(j.0));
                row.clear();
                row.extend(joints.iter().map(|&(distance, joint)| Influence {
                    joint,
                    weight: (log(distance) - most).exp() as f32,
                }));
                if builder.push(&row).is_err() {
                    // A joint that may be followed but has no bone.
                    let joint = allowed.iter().position(|&a| a).unwrap_or(0);
                    builder.push_valid(&[Influence {
                        joint: JointIndex(joint as u16),
                        weight: 1.0,
                    }]);
                }
            }
            Ok(())
        })
    }
}

/// Adds a bone to the `k` nearest joints around a position, which are in order; the nearest bone of a joint counts.
fn add_nearest(
    joints: &mut Vec<(f32, JointIndex)>,
    k: usize,
    binding: &VoxelBinding,
    bone: usize,
    distance: f32,
    allowed: &[bool],
) {
    let joint = binding.bones[bone].joint;
    if !allowed[joint.at()] {
        return;
    }
    let new = (distance * binding.scales[bone], joint);
    let before = |a: &(f32, JointIndex)| a.0.total_cmp(&new.0).then(a.1.cmp(&new.1)).is_lt();
    if let Some(known) = joints.iter().position(|j| j.1 == joint) {
        if before(&joints[known]) {
            return;
        }
        joints.remove(known);
    } else if joints.len() >= k {
        if joints.last().is_some_and(before) {
            return;
        }
        joints.pop();
    }
    let at = joints.iter().rposition(before).map_or(0, |p| p + 1);
    joints.insert(at, new);
}
