//! How far each position is from the bones around it: what weights are made of.

use glam::{DVec3, Vec3};
use rayon::prelude::*;

use super::binding::VoxelBinding;
use super::blend::Blend;
use super::falloff::{Form, NEAREST_VOXELS};
use crate::character::{Bone, BoneShape, Influence};
use crate::task::{Cancelled, Task};

/// The bones kept for each position. More change no weight that a vertex keeps.
const KEPT: usize = 24;
/// A way through the solid that is longer than the straight line by no more than this share
/// and a voxel is taken as the straight line: ways from voxel to voxel are up to a tenth
/// longer than they should be.
const STRAIGHT: f32 = 0.15;
/// How much further a position directly past the end of a segment counts.
const PAST_END: f32 = 0.5;
/// Weights diffuse by this share of the distance to the nearest bone.
const SMOOTHING: f64 = 0.3;
/// Positions handled between two looks at the cancel flag.
const CHUNK: usize = 1024;

/// A bone near a position.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Near {
    pub bone: u16,
    /// In voxels, before the thickness of its limb counts.
    pub distance: f32,
}

/// The bones around all positions of a mesh.
#[derive(Debug, Clone)]
pub struct Reach {
    starts: Vec<u32>,
    near: Vec<Near>,
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

/// The bones around some positions: how many for each, all of them, and who lies beside one.
type ChunkReach = (Vec<u32>, Vec<Near>, Vec<(u16, f32)>);

/// The nearest bone of a position beside whose middle it lies, and its distance.
pub(super) type Beside = Option<(u16, f32)>;

/// The bones around one position, nearest first.
pub(super) fn near_bones(
    binding: &VoxelBinding,
    rulers: &[Ruler],
    point: DVec3,
    ways: &mut Vec<f32>,
    list: &mut Vec<Near>,
) -> Beside {
    list.clear();
    let blend = Blend::at(&binding.leaves, point)?;
    blend.distances(&binding.field, ways);
    let grid = &binding.leaves.grid;
    let p = grid.grid_from_bind(point).as_vec3();
    let ligament = binding.form == Form::Ligament;
    let mut nearest: Option<(f32, u16, f32)> = None;
    for (bone, &way) in ways.iter().enumerate().filter(|w| w.1.is_finite()) {
        let mut distance = way;
        if ligament {
            let (straight, along) = rulers[bone].straight(p, point, grid.size);
            if way <= straight * (1.0 + STRAIGHT) + 1.0 {
                distance = straight;
            }
            distance = distance.max(NEAREST_VOXELS as f32);
            if nearest.is_none_or(|n| distance < n.0) {
                nearest = Some((distance, bone as u16, along));
            }
            distance *= 1.0 + PAST_END * rulers[bone].past_end(p, along);
        }
        list.push(Near {
            bone: bone as u16,
            distance,
        });
    }
    let order = |a: &Near, b: &Near| a.distance.total_cmp(&b.distance).then(a.bone.cmp(&b.bone));
    if list.len() > KEPT {
        list.select_nth_unstable_by(KEPT - 1, order);
        list.truncate(KEPT);
    }
    list.sort_unstable_by(order);
    nearest
        .filter(|n| (0.05..=0.95).contains(&n.2))
        .map(|n| (n.1, n.0))
}

impl VoxelBinding {
    /// The bones around all points.
    pub fn reach(&self, points: &[DVec3], task: &Task<'_>) -> Result<Reach, Cancelled> {
        Ok(self.reach_and_sides(points, task)?.0)
    }

    /// The bones around all points, and for those that lie beside their nearest bone which
    /// one that is and how far away.
    pub(super) fn reach_and_sides(
        &self,
        points: &[DVec3],
        task: &Task<'_>,
    ) -> Result<(Reach, Vec<(u16, f32)>), Cancelled> {
        let rulers: Vec<Ruler> = self.bones.iter().map(|b| Ruler::of(b, self)).collect();
        let chunks: Vec<ChunkReach> = points
            .par_chunks(CHUNK)
            .map(|points| {
                task.step("reach", 0.5)?;
                let (mut ways, mut list) = (Vec::new(), Vec::new());
                let (mut counts, mut near, mut beside) = (Vec::new(), Vec::new(), Vec::new());
                for &point in points {
                    beside.extend(near_bones(self, &rulers, point, &mut ways, &mut list));
                    counts.push(list.len() as u32);
                    near.extend_from_slice(&list);
                }
                Ok((counts, near, beside))
            })
            .collect::<Result<_, Cancelled>>()?;
        let mut starts = vec![0];
        let mut end = 0;
        for count in chunks.iter().flat_map(|c| &c.0) {
            end += count;
            starts.push(end);
        }
        let beside = chunks.iter().flat_map(|c| c.2.iter().copied()).collect();
        let near: Vec<Near> = chunks.into_iter().flat_map(|c| c.1).collect();
        let lengths = starts
            .windows(2)
            .map(|range| {
                let first = near[range[0] as usize..range[1] as usize].first();
                first.map_or(0.0, |n| SMOOTHING * f64::from(n.distance) * self.leaves.grid.size)
            })
            .collect();
        let reach = Reach {
            starts,
            near,
            lengths,
        };
        Ok((reach, beside))
    }
}

impl Reach {
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

    pub(super) fn of_position(&self, position: usize) -> &[Near] {
        &self.near[self.starts[position] as usize..self.starts[position + 1] as usize]
    }

    /// Weights of all positions, largest first and not normalised, at most `k` for each;
    /// empty where no bone that is allowed can be reached. `alpha` may differ by position.
    pub fn weights<'a>(
        &self,
        binding: &VoxelBinding,
        k: usize,
        allowed: impl Fn(usize) -> &'a [bool] + Sync,
        alpha: impl Fn(usize) -> Option<f64> + Sync,
        task: &Task<'_>,
    ) -> Result<Vec<Vec<Influence>>, Cancelled> {
        let diagonal = binding.leaves.grid.counts.as_dvec3().length();
        let chunks: Vec<Vec<Vec<Influence>>> = (0..self.len().div_ceil(CHUNK))
            .into_par_iter()
            .map(|chunk| {
                task.step("weights", 0.5)?;
                let mut joints: Vec<(f32, Influence)> = Vec::with_capacity(KEPT);
                let rows = (chunk * CHUNK..((chunk + 1) * CHUNK).min(self.len())).map(|position| {
                    let alpha = alpha(position).unwrap_or(binding.form.default_alpha());
                    let log = |d: f32| binding.form.log_weight(f64::from(d), alpha, diagonal);
                    self.row(position, binding, k, allowed(position), log, &mut joints)
                });
                Ok(rows.collect())
            })
            .collect::<Result<_, Cancelled>>()?;
        Ok(chunks.into_iter().flatten().collect())
    }

    fn row(
        &self,
        position: usize,
        binding: &VoxelBinding,
        k: usize,
        allowed: &[bool],
        log: impl Fn(f32) -> f64,
        joints: &mut Vec<(f32, Influence)>,
    ) -> Vec<Influence> {
        joints.clear();
        for near in self.of_position(position) {
            let joint = binding.bones[usize::from(near.bone)].joint;
            if !allowed[joint.at()] {
                continue;
            }
            let distance = near.distance * binding.scales[usize::from(near.bone)];
            match joints.iter_mut().find(|j| j.1.joint == joint) {
                Some(known) => known.0 = known.0.min(distance),
                None => joints.push((distance, Influence { joint, weight: 0.0 })),
            }
        }
        joints.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.joint.cmp(&b.1.joint)));
        joints.truncate(k);
        let most = joints.first().map_or(0.0, |j| log(j.0));
        joints
            .iter()
            .map(|&(distance, influence)| Influence {
                weight: (log(distance) - most).exp() as f32,
                ..influence
            })
            .collect()
    }
}
