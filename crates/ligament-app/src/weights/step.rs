//! One step: what it is asked for, and how it is carried out.

use glam::DAffine3;
use ligament::bind::DeformChoice;
use ligament::character::{Influence, JointIndex, Rows};
use ligament::measure::{Finding, Measure, MeasureOptions};
use ligament::motion::{self, MotionChoice};
use ligament::repair::{TreatmentReport, repair};
use ligament::skin::{Axis, MirrorPlane, PointIndex, Skin};
use ligament::task::Task;
use ligament::transfer::{TransferError, TransferOptions, TransferSource, TransferTarget, transfer_weights};
use ligament::weights::{
    LimitCost, Replacing, Side, SmoothingRegion, joint_remap, limit_cost, limited_by_motion, mirrored,
    redirected, replaced, smoothed,
};
use ligament::{Character, Weights};
use serde::{Deserialize, Serialize};

use crate::AppError;
use crate::asset::Asset;
use crate::bind_request::{deform_choice, influence_count, prune_threshold};
use crate::vertex_choice::chosen_vertices;
use crate::words::headline;

/// Partners are found within this fraction of the diagonal.
const MIRROR_REACH: f64 = 1e-3;
/// Joints may be off their image by this fraction of it.
const JOINT_REACH: f64 = 0.01;
/// Smoothing gives a vertex that follows one joint more, but not more than vertices have anyway, or than is usual.
const USUAL_INFLUENCES: usize = 4;
/// Frames in which influences that matter are told from those that do not.
const FRAMES: usize = 24;

/// What to do to weights. `only` chooses vertices ([`chosen_vertices`]); the others stay as they are, to the bit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum WeightStep {
    /// One side's weights on both.
    Mirror {
        /// The axis across which sides are mirrored.
        #[serde(default)]
        axis: Axis,
        /// The side that gives its weights.
        #[serde(default)]
        from: MirrorFrom,
        /// How partners are found.
        #[serde(default)]
        by: PairBy,
        /// The vertices that may change.
        #[serde(default)]
        only: Vec<String>,
    },
    /// Evens weights out along the surface.
    Smooth {
        /// How far, as a fraction of the diagonal.
        length: f64,
        /// The vertices that may change.
        #[serde(default)]
        only: Vec<String>,
        /// Joints (names or globs) that keep their weight.
        #[serde(default)]
        lock: Vec<String>,
    },
    /// Drops small weights.
    Prune {
        /// Weights under this are dropped.
        threshold: f32,
        /// The vertices that may change.
        #[serde(default)]
        only: Vec<String>,
    },
    /// Keeps at most so many influences of each vertex.
    Limit {
        /// How many.
        influences: usize,
        /// Which ones.
        #[serde(default)]
        by: LimitBy,
        /// The vertices that may change.
        #[serde(default)]
        only: Vec<String>,
    },
    /// Sums of one, largest first, no joint twice: what is read is in order already, and is written so.
    Normalise,
    /// Gives vertices the weights of others of the same character, by position.
    Copy {
        /// The vertices that weights come from.
        from: Vec<String>,
        /// The vertices that they go to.
        only: Vec<String>,
    },
    /// Gives the weight of joints to another one.
    Merge {
        /// The joints (names or globs).
        joints: Vec<String>,
        /// The joint that takes their weight.
        to: String,
        /// The vertices that may change.
        #[serde(default)]
        only: Vec<String>,
    },
    /// Takes the weight of joints away; it goes to the joint above.
    Remove {
        /// The joints (names or globs).
        joints: Vec<String>,
        /// The vertices that may change.
        #[serde(default)]
        only: Vec<String>,
    },
    /// Lets vertices follow one joint alone.
    Rigid {
        /// The joint; the one that has most of their weight if none.
        #[serde(default)]
        to: Option<String>,
        /// The vertices.
        only: Vec<String>,
    },
    /// Puts right what measures find broken, as far as they get better by it.
    Repair {
        /// The vertices that may change.
        #[serde(default)]
        only: Vec<String>,
    },
}

/// The side that gives its weights.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MirrorFrom {
    /// Where the axis points: the character's left, for x.
    #[default]
    Positive,
    /// The other one.
    Negative,
}

/// How partners are found.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PairBy {
    /// By their mirrored positions.
    #[default]
    Place,
    /// By how faces are joined, from edges on the plane: for sides that are shaped differently.
    Faces,
}

/// Which influences stay.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitBy {
    /// Those with which the skin moves least from where it was, over clips or a range of motion; weights are found anew.
    #[default]
    Motion,
    /// The largest.
    Largest,
}

/// What there is to say of a step.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct StepNotes {
    /// Vertices, the source's own, that have no partner and kept what they had.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unmatched: Vec<u32>,
    /// Joints that have no partner and stand for themselves on the other side.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unpaired_joints: Vec<String>,
    /// What fewer influences cost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<LimitReport>,
    /// What was repaired.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repair: Option<RepairReport>,
    /// Joints and where their weight went.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub moved_to: Vec<(String, String)>,
}

/// What was repaired, before and after.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RepairReport {
    /// What it came to before, in a line.
    pub before: String,
    /// What it comes to now.
    pub after: String,
    /// The score before; less is better.
    pub score_before: f64,
    /// The score now.
    pub score_after: f64,
    /// What helped, in order.
    pub treatments: Vec<TreatmentReport>,
    /// Each measure that has a limit: its value before and now.
    pub measures: Vec<MeasureChange>,
}

/// A measure before and after.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct MeasureChange {
    /// The measure.
    pub measure: Measure,
    /// Its value before.
    pub before: f64,
    /// Its value now.
    pub after: f64,
}

/// What fewer influences cost, as fractions of the diagonal.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct LimitReport {
    /// Vertices that had more.
    pub vertices: usize,
    /// How far they are off over all frames, root mean square.
    pub rms: f64,
    /// How far at worst.
    pub worst: f64,
    /// The root mean square if the largest had been kept.
    pub largest_rms: f64,
    /// The worst of that.
    pub largest_worst: f64,
}

impl WeightStep {
    /// What it is called.
    pub fn verb(&self) -> &'static str {
        match self {
            Self::Mirror { .. } => "mirror",
            Self::Smooth { .. } => "smooth",
            Self::Prune { .. } => "prune",
            Self::Limit { .. } => "limit",
            Self::Normalise => "normalise",
            Self::Copy { .. } => "copy",
            Self::Merge { .. } => "merge",
            Self::Remove { .. } => "remove",
            Self::Rigid { .. } => "rigid",
            Self::Repair { .. } => "repair",
        }
    }

    /// The weights after it.
    pub(super) fn carry_out(
        &self,
        asset: &Asset,
        skin: &Skin,
        weights: &Weights,
        task: &Task<'_>,
    ) -> Result<(Weights, StepNotes), AppError> {
        let mut notes = StepNotes::default();
        let at = At { asset, skin, weights };
        let (new, only) = match self {
            Self::Mirror { axis, from, by, only } => (at.mirror(*axis, *from, *by, &mut notes)?, only),
            Self::Smooth { length, only, lock } => (at.smooth(*length, only, lock, task)?, only),
            Self::Prune { threshold, only } => (weights.pruned(prune_threshold(*threshold)?), only),
            Self::Limit { influences, by, only } => (at.limit(*influences, *by, &mut notes)?, only),
            Self::Normalise => return Ok((weights.clone(), notes)),
            Self::Copy { from, only } => (at.copy(from, only, task)?, only),
            Self::Merge { joints, to, only } => {
                let to = at.joint(to)?;
                let merged = at.joints(joints)?;
                let heir = |j: JointIndex| if merged[j.at()] { to } else { j };
                (at.redirect(heir, &mut notes), only)
            }
            Self::Remove { joints, only } => {
                let removed = at.joints(joints)?;
                let joint_remap = joint_remap(&asset.character().skeleton, &removed)
                    .ok_or_else(|| self.problem("no joint would be left"))?;
                (at.redirect(|j| joint_remap[j.at()], &mut notes), only)
            }
            Self::Repair { only } => (at.repair(&mut notes, task)?, only),
            Self::Rigid { to, only } => (at.rigid(to.as_deref(), only, &mut notes)?, only),
        };
        let Some(only) = chosen_vertices(asset, only)? else {
            return Ok((new, notes));
        };
        notes
            .unmatched
            .retain(|&v| asset.vertex(v).is_ok_and(|v| only[v]));
        let where_asked = Replacing {
            vertices: Some(&only),
            ..Replacing::default()
        };
        Ok((replaced(weights, &new, &where_asked), notes))
    }

    fn problem(&self, problem: impl Into<String>) -> AppError {
        AppError::WeightStep {
            verb: self.verb(),
            problem: problem.into(),
        }
    }
}

/// What a step works on.
struct At<'a> {
    asset: &'a Asset,
    skin: &'a Skin,
    weights: &'a Weights,
}

impl At<'_> {
    fn character(&self) -> &Character {
        self.asset.character()
    }

    /// The weights of the skin's points: those of the first vertex there.
    fn of_points(&self) -> Weights {
        let first = (0..self.skin.len() as u32).map(|p| self.skin.first_vertex(PointIndex(p)));
        self.weights.gathered(first)
    }

    fn to_vertices(&self, of_points: &Weights) -> Result<Weights, AppError> {
        let any = self
            .weights
            .influences()
            .first()
            .map_or(JointIndex(0), |i| i.joint);
        Ok(self
            .skin
            .to_vertices(of_points, any)
            .map_err(TransferError::from)?)
    }

    fn joints(&self, names: &[String]) -> Result<Vec<bool>, AppError> {
        let skeleton = &self.character().skeleton;
        match deform_choice(names)? {
            DeformChoice::Guess => Err(AppError::bad_value("joints", "are at least one name", "none")),
            choice => Ok(choice.resolve_stated(skeleton, Some(self.weights))?),
        }
    }

    fn joint(&self, name: &str) -> Result<JointIndex, AppError> {
        let skeleton = &self.character().skeleton;
        let found = skeleton.find(name).filter(|&j| skeleton.joint(j).in_skin);
        found.ok_or_else(|| {
            let in_skin = skeleton.joints.iter().filter(|j| j.in_skin);
            let known: Vec<&str> = in_skin.map(|j| j.name.as_str()).take(12).collect();
            AppError::NoJoint {
                joint: name.to_owned(),
                name: self.character().name.clone(),
                known: known.join(", "),
            }
        })
    }

    fn mirror(
        &self,
        axis: Axis,
        from: MirrorFrom,
        by: PairBy,
        notes: &mut StepNotes,
    ) -> Result<Weights, AppError> {
        let points = self.skin.points();
        let reach = MIRROR_REACH * self.skin.diagonal();
        let plane = MirrorPlane::of(points, axis, reach);
        let pairs = match by {
            PairBy::Place => plane.pairs_by_position(points, reach),
            PairBy::Faces => plane.pairs_by_faces(points, self.skin.faces(), reach),
        };
        let skeleton = &self.character().skeleton;
        let partners = plane.joint_pairs(skeleton, JOINT_REACH * self.skin.diagonal());
        let joints: Vec<JointIndex> = skeleton
            .indices()
            .map(|j| partners[j.at()].unwrap_or(j))
            .collect();
        let sign = match from {
            MirrorFrom::Positive => 1.0,
            MirrorFrom::Negative => -1.0,
        };
        let side = |(p, pair): (usize, &Option<u32>)| match sign * plane.height(points[p]) {
            _ if *pair == Some(p as u32) => Side::Middle,
            height if height < 0.0 => Side::Takes,
            _ => Side::Gives,
        };
        let sides: Vec<Side> = pairs.iter().enumerate().map(side).collect();
        let of_points = self.of_points();
        let k = of_points.max_influences();
        let made = mirrored(&of_points, &sides, &pairs, &joints, k);
        let lonely = |p: PointIndex| sides[p.at()] == Side::Takes && pairs[p.at()].is_none();
        let of_vertices = self.skin.points_of_vertices();
        let unmatched: Vec<u32> = (0..of_vertices.len() as u32)
            .filter(|&v| of_vertices[v as usize].is_some_and(lonely))
            .collect();
        notes.unmatched = self.asset.source_vertices(&unmatched);
        let mut used = vec![false; skeleton.joints.len()];
        for i in self.weights.influences() {
            used[i.joint.at()] = true;
        }
        let unpaired = skeleton
            .indices()
            .filter(|j| used[j.at()] && partners[j.at()].is_none());
        notes.unpaired_joints = unpaired.map(|j| skeleton.joint(j).name.clone()).collect();
        self.to_vertices(&made)
    }

    fn smooth(
        &self,
        length: f64,
        only: &[String],
        lock: &[String],
        task: &Task<'_>,
    ) -> Result<Weights, AppError> {
        if !(0.0..=1.0).contains(&length) {
            let rule = "is a fraction of the diagonal, from 0 to 1";
            return Err(AppError::bad_value("the smoothing length", rule, length));
        }
        let locked = match lock {
            [] => None,
            names => Some(self.joints(names)?),
        };
        let chosen = chosen_vertices(self.asset, only)?;
        let inside = chosen.map(|chosen| {
            let mut inside = vec![false; self.skin.len()];
            for (point, &chosen) in self.skin.points_of_vertices().iter().zip(&chosen) {
                if let Some(point) = point.filter(|_| chosen) {
                    inside[point.at()] = true;
                }
            }
            inside
        });
        let of_points = self.of_points();
        let region = SmoothingRegion {
            length: length * self.skin.diagonal(),
            points: inside.as_deref(),
            locked_joints: locked.as_deref(),
            influences: of_points.max_influences().max(USUAL_INFLUENCES),
        };
        let skin = self.skin;
        self.to_vertices(&smoothed(
            &of_points,
            skin.laplacian(),
            skin.points(),
            &region,
            task,
        )?)
    }

    fn limit(&self, influences: usize, by: LimitBy, notes: &mut StepNotes) -> Result<Weights, AppError> {
        let k = influence_count(influences)?;
        let character = self.character();
        let positions = &character.mesh.positions;
        let poses: Vec<Vec<DAffine3>> = motion::frames(character, MotionChoice::Auto, FRAMES, &[])
            .iter()
            .map(|frame| frame.pose.world_from_bind(&character.skeleton))
            .collect();
        let largest = self.weights.limited(k);
        let made = match by {
            LimitBy::Motion => limited_by_motion(self.weights, positions, &poses, k),
            LimitBy::Largest => largest.clone(),
        };
        let cost = |after: &Weights| -> LimitCost { limit_cost(self.weights, after, positions, &poses, k) };
        let (own, of_largest) = (cost(&made), cost(&largest));
        let diagonal = self.skin.diagonal().max(f64::MIN_POSITIVE);
        notes.limit = Some(LimitReport {
            vertices: own.limited,
            rms: own.rms / diagonal,
            worst: own.worst / diagonal,
            largest_rms: of_largest.rms / diagonal,
            largest_worst: of_largest.worst / diagonal,
        });
        Ok(made)
    }

    fn copy(&self, from: &[String], only: &[String], task: &Task<'_>) -> Result<Weights, AppError> {
        for (what, words) in [
            ("the vertices to copy from", from),
            ("the vertices to copy to", only),
        ] {
            if words.is_empty() {
                return Err(AppError::bad_value(what, "must be chosen", "none"));
            }
        }
        let from = chosen_vertices(self.asset, from)?;
        let source = TransferSource::of_body(self.skin, self.weights, from.as_deref())?;
        let of_points = self.of_points();
        let options = TransferOptions {
            influences: of_points.max_influences(),
            ..TransferOptions::default()
        };
        // A piece that nothing is near keeps what it has.
        let keep = |points: &[u32]| {
            Rows::in_parallel(points.len(), |range, rows| {
                for &point in &points[range] {
                    rows.push(of_points.of_vertex(point as usize).iter().copied());
                }
                Ok::<_, TransferError>(())
            })
        };
        let target = TransferTarget::of_skin(self.skin);
        let given = transfer_weights(&source, &target, None, &options, keep, task)?;
        self.to_vertices(&given.weights)
    }

    fn redirect(&self, to: impl Fn(JointIndex) -> JointIndex, notes: &mut StepNotes) -> Weights {
        let skeleton = &self.character().skeleton;
        let all: Vec<JointIndex> = skeleton.indices().map(to).collect();
        let name = |j: JointIndex| skeleton.joint(j).name.clone();
        let moved = skeleton.indices().filter(|&j| all[j.at()] != j);
        notes.moved_to = moved.map(|j| (name(j), name(all[j.at()]))).collect();
        redirected(self.weights, &all)
    }

    fn rigid(&self, to: Option<&str>, only: &[String], notes: &mut StepNotes) -> Result<Weights, AppError> {
        if only.is_empty() {
            let rule = "must be chosen: a part, a material, a list";
            return Err(AppError::bad_value(
                "the vertices that shall be stiff",
                rule,
                "none",
            ));
        }
        let chosen = chosen_vertices(self.asset, only)?.unwrap_or_default();
        let to = match to {
            Some(name) => self.joint(name)?,
            None => self.strongest(&chosen),
        };
        let skeleton = &self.character().skeleton;
        notes.moved_to = vec![(only.join(", "), skeleton.joint(to).name.clone())];
        Ok(Weights::rigid(self.weights.iter().map(|_| to)))
    }

    fn repair(&self, notes: &mut StepNotes, task: &Task<'_>) -> Result<Weights, AppError> {
        let options = MeasureOptions {
            penetration_frames: 0,
            ..MeasureOptions::default()
        };
        let repaired = repair(self.skin, self.weights, &options, task)?;
        let (before, after) = (&repaired.before, &repaired.after);
        let change = |f: &Finding| MeasureChange {
            measure: f.measure,
            before: f.value,
            after: after.finding(f.measure).map_or(0.0, |f| f.value),
        };
        notes.repair = Some(RepairReport {
            before: headline(before),
            after: headline(after),
            score_before: before.score,
            score_after: after.score,
            measures: before.findings.iter().map(change).collect(),
            treatments: repaired.treatments,
        });
        Ok(repaired.weights)
    }

    /// The joint with most weight at some vertices; of equal ones the first.
    fn strongest(&self, vertices: &[bool]) -> JointIndex {
        let mut sum = vec![0.0; self.character().skeleton.joints.len()];
        let rows = self.weights.iter().zip(vertices).filter(|(_, chosen)| **chosen);
        for Influence { joint, weight } in rows.flat_map(|(row, _)| row) {
            sum[joint.at()] += f64::from(*weight);
        }
        let best = (0..sum.len()).rev().max_by(|&a, &b| sum[a].total_cmp(&sum[b]));
        JointIndex(best.unwrap_or(0) as u16)
    }
}
