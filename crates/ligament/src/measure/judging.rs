//! From what was measured to the judgement of every joint's neighbourhood, and to numbers for pictures.

use super::Maps;
use super::collapse::CollapseMeter;
use super::measured_skin::{MeasuredSkin, Regions};
use super::penetration::PenetrationMeter;
use super::reference::ReferenceMeter;
use super::rigidity::RigidityMeter;
use super::statistics::percentile;
use super::stretch::StretchMeter;
use super::tearing::TearingMeter;
use super::verdict::{Finding, FrameName, Limits, Measure, RegionVerdict, judge_region};
use crate::character::{Character, JointIndex};
use crate::motion::Frame;

/// A region of fewer positions than this, or than [`FEW_SHARE`] of all, counts as if the
/// rest of them were faultless: a mean over three positions says nothing.
const FEW: usize = 16;
/// See [`FEW`].
const FEW_SHARE: f64 = 0.0025;

/// The regions that have positions, numbered.
pub(super) struct RegionIndex {
    /// For each position the index of its region.
    pub of_position: Vec<u32>,
    /// For each region its joint.
    pub joints: Vec<JointIndex>,
}

impl RegionIndex {
    pub fn of(regions: &Regions, joints: usize) -> Self {
        let mut seen = vec![false; joints];
        for joint in &regions.joint {
            seen[joint.at()] = true;
        }
        let mut number = vec![0u32; joints];
        let mut named = Vec::new();
        for j in (0..joints).filter(|&j| seen[j]) {
            number[j] = named.len() as u32;
            named.push(JointIndex(j as u16));
        }
        Self {
            of_position: regions.joint.iter().map(|j| number[j.at()]).collect(),
            joints: named,
        }
    }
}

/// Everything measured, before it is judged.
pub(super) struct MeasureState<'a> {
    pub skin: &'a MeasuredSkin,
    pub region_index: &'a RegionIndex,
    pub bleed: &'a [[f32; 2]],
    pub roughness: &'a [f32],
    pub hard: &'a [bool],
    pub asymmetry: Option<&'a [f32]>,
    pub stretch: &'a StretchMeter,
    pub collapse: &'a CollapseMeter,
    pub tearing: &'a TearingMeter,
    pub rigidity: &'a RigidityMeter,
    pub penetration: Option<&'a PenetrationMeter>,
    pub deformation: Option<&'a ReferenceMeter>,
}

/// The frame of the largest of a region's numbers.
fn worst_frame(region_frames: &[Vec<f64>], region: usize) -> Option<usize> {
    let mut worst = None;
    let mut most = 0.0;
    for (frame, of_region) in region_frames.iter().enumerate() {
        if of_region[region] > most {
            most = of_region[region];
            worst = Some(frame);
        }
    }
    worst
}

impl MeasureState<'_> {
    /// Judges every region, the worst first.
    pub fn regions(&self, character: &Character, frames: &[Frame], limits: &Limits) -> Vec<RegionVerdict> {
        let (skin, count) = (self.skin, self.region_index.joints.len());
        let mut positions: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (p, &region) in self.region_index.of_position.iter().enumerate() {
            positions[region as usize].push(p as u32);
        }
        let mut edges: Vec<Vec<f64>> = vec![Vec::new(); count];
        for (&[a, _], &worst) in skin.edges.iter().zip(&self.stretch.worst) {
            edges[self.region_index.of_position[a as usize] as usize].push(f64::from(worst));
        }
        let mut hard = vec![0usize; count];
        for (&[a, _], &is_hard) in skin.edges.iter().zip(self.hard) {
            hard[self.region_index.of_position[a as usize] as usize] += usize::from(is_hard);
        }
        let mut faces = vec![0usize; count];
        for face in &skin.welded.faces {
            faces[self.region_index.of_position[face[0] as usize] as usize] += 1;
        }
        // Gaps and bends are the worst of a region, with their frames.
        let mut gaps = vec![(0.0, 0); count];
        for (&[a, _], &worst) in self.tearing.torn.iter().zip(&self.tearing.worst) {
            let gap = &mut gaps[self.region_of_vertex(a)];
            if worst.0 > gap.0 {
                *gap = worst;
            }
        }
        let mut bends = vec![(0.0, 0); count];
        for (piece, &worst) in self.rigidity.pieces.iter().zip(&self.rigidity.worst) {
            let bend = &mut bends[self.region_index.of_position[piece[0] as usize] as usize];
            if worst.0 > bend.0 {
                *bend = worst;
            }
        }
        let mut thin = vec![(0.0, 0); count];
        for (joint, worst) in self.collapse.of_limbs() {
            if let Ok(region) = self.region_index.joints.binary_search(&joint)
                && worst.0 > thin[region].0
            {
                thin[region] = worst;
            }
        }
        let vertices_of_region = {
            let mut counts = vec![0usize; count];
            for &v in &skin.vertices {
                counts[self.region_of_vertex(v)] += 1;
            }
            counts
        };
        let maps = self.maps();
        let few = FEW.max((FEW_SHARE * skin.len() as f64) as usize);
        let mut found = Vec::new();
        for region in 0..count {
            let here = &positions[region];
            let mean = |of: &dyn Fn(usize) -> f64| {
                here.iter().map(|&p| of(p as usize)).sum::<f64>() / here.len().max(few) as f64
            };
            let value = |measure| match measure {
                Measure::Stretch => {
                    let mut worst = edges[region].clone();
                    worst.resize(worst.len().max(3 * few), 0.0);
                    Some(percentile(&mut worst, 95.0))
                }
                Measure::HardEdges => Some(hard[region] as f64 / edges[region].len().max(3 * few) as f64),
                Measure::Bleed => {
                    let both = |p: usize| f64::from(self.bleed[p][0] + self.bleed[p][1]);
                    Some(mean(&both))
                }
                Measure::Roughness => Some(mean(&|p| f64::from(self.roughness[p]))),
                Measure::Collapse => Some(thin[region].0),
                Measure::Tearing => Some(gaps[region].0),
                Measure::Bending => Some(bends[region].0),
                Measure::Asymmetry => self.asymmetry.map(|a| mean(&|p| f64::from(a[p].max(0.0)))),
                Measure::Penetration => self.penetration.map(|meter| {
                    let counts = meter.region_frames.iter().map(|of_region| of_region[region]);
                    counts.fold(0.0, f64::max) / faces[region].max(2 * few) as f64
                }),
                Measure::Deformation => self.deformation.map(|meter| {
                    let squares: f64 = meter
                        .region_frames
                        .iter()
                        .map(|of_region| of_region[region])
                        .sum();
                    let count = vertices_of_region[region] * meter.region_frames.len();
                    (squares / count.max(1) as f64).sqrt()
                }),
                Measure::Volume | Measure::TinyWeights | Measure::Influences => None,
            };
            let findings: Vec<Finding> = Measure::ALL
                .into_iter()
                .filter_map(|m| Some(Finding::new(m, value(m)?, limits.of_region(m)?)))
                .collect();
            let joint = self.region_index.joints[region];
            let name = character.skeleton.joint(joint).name.clone();
            let Some(mut verdict) = judge_region(joint, name, here.len(), 0, findings) else {
                continue;
            };
            let map = maps.of(verdict.worst);
            let mut spot = here.first().copied().unwrap_or(0);
            let number = |p: u32| {
                map.get(skin.first_vertex[p as usize] as usize)
                    .copied()
                    .unwrap_or(0.0)
            };
            for &p in here {
                if number(p) > number(spot) {
                    spot = p;
                }
            }
            verdict.vertex = skin.first_vertex[spot as usize];
            let frame = match verdict.worst {
                Measure::Collapse => Some(thin[region].1),
                Measure::Tearing if gaps[region].0 > 0.0 => Some(gaps[region].1),
                Measure::Bending if bends[region].0 > 0.0 => Some(bends[region].1),
                Measure::Penetration => self.penetration.and_then(|meter| {
                    let k = worst_frame(&meter.region_frames, region)?;
                    meter.frames().nth(k)
                }),
                Measure::Deformation => self
                    .deformation
                    .and_then(|meter| worst_frame(&meter.region_frames, region)),
                _ => worst_frame(&self.stretch.region_frames, region),
            };
            verdict.frame = frame.and_then(|number| frames.get(number).map(|f| frame_name(number, f)));
            found.push(verdict);
        }
        found.sort_by(|a, b| b.severity.total_cmp(&a.severity).then(a.joint.cmp(&b.joint)));
        found
    }

    fn region_of_vertex(&self, vertex: u32) -> usize {
        let position = self.skin.point_of_vertex[vertex as usize];
        self.region_index.of_position[position as usize] as usize
    }

    pub fn maps(&self) -> Maps {
        let skin = self.skin;
        let vertices = skin.point_of_vertex.len();
        let bleed: Vec<f32> = self.bleed.iter().map(|b| b[0] + b[1]).collect();
        let mut tearing = vec![0f32; vertices];
        for (pair, worst) in self.tearing.torn.iter().zip(&self.tearing.worst) {
            for &v in pair {
                tearing[v as usize] = tearing[v as usize].max(worst.0 as f32);
            }
        }
        let mut bending = vec![0f32; skin.len()];
        for (piece, worst) in self.rigidity.pieces.iter().zip(&self.rigidity.worst) {
            for &p in piece {
                bending[p as usize] = worst.0 as f32;
            }
        }
        let asymmetry: Vec<f32> = match self.asymmetry {
            Some(differences) => differences.iter().map(|d| d.max(0.0)).collect(),
            None => vec![0.0; skin.len()],
        };
        let mut deformation = vec![0f32; vertices];
        if let Some(meter) = self.deformation {
            for (&v, &worst) in skin.vertices.iter().zip(&meter.worst_of_vertex) {
                deformation[v as usize] = worst;
            }
        }
        Maps {
            stretch: skin.to_vertices(&self.stretch.of_positions(skin)),
            bleed: skin.to_vertices(&bleed),
            roughness: skin.to_vertices(self.roughness),
            tearing,
            bending: skin.to_vertices(&bending),
            asymmetry: skin.to_vertices(&asymmetry),
            deformation,
        }
    }
}

fn frame_name(number: usize, frame: &Frame) -> FrameName {
    FrameName {
        number,
        name: frame.name.clone(),
        clip: frame.clip.clone(),
        seconds: frame.seconds,
    }
}
