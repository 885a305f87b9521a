//! What brushes and other tools make of a layer of edits by hand. Pure: the desk finds what is under the pointer.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use glam::{DVec3, Vec3};
use ligament::character::Influence;
use ligament::skin::{Axis, MirrorPlane};
use ligament::weights::hands::{HandEdit, HandEdits, HandSurface, Stamp, Touch, mixed};
use ligament::{Character, JointIndex, Skeleton, Weights};
use serde::Deserialize;

/// How far an image may be from a position, as a fraction of the diagonal.
const COINCIDENT: f64 = 1e-3;
/// How far a joint may be from its partner's image, as a fraction of the diagonal.
const SAME_JOINT: f64 = 1e-2;

/// What a brush does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// More of the joint, or less.
    Add,
    /// So much of the joint.
    Replace,
    /// So many times as much of the joint.
    Scale,
    /// Towards the mean of what is around.
    Relax,
}

/// A brush.
#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Brush {
    /// What it does.
    pub mode: Mode,
    /// To which joint.
    pub joint: u16,
    /// What is added, put in place or multiplied with.
    #[serde(default = "one")]
    pub value: f32,
    /// How much of that, 0 to 1.
    pub strength: f32,
    /// On the other side too, with the partner of the joint.
    #[serde(default)]
    pub mirrored: bool,
}

fn one() -> f32 {
    1.0
}

impl Brush {
    /// Fails where it makes no sense.
    pub fn check(&self, skeleton: &Skeleton) -> Result<(), String> {
        let joint = skeleton.joints.get(usize::from(self.joint));
        if self.mode != Mode::Relax && !joint.is_some_and(|j| j.in_skin) {
            return Err("choose a joint that skin can follow".to_owned());
        }
        if !(0.0..=1.0).contains(&self.strength) || !(-1.0..=100.0).contains(&self.value) {
            return Err("a brush's strength is 0 to 1, its value -1 to 100".to_owned());
        }
        Ok(())
    }
}

/// How far a brush reaches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Around {
    /// Along the surface.
    Surface(f32),
    /// Through the screen: a radius, and by what it grows with the distance.
    Screen(f32, f32),
}

impl Around {
    /// As a page has it.
    pub fn of(radius: f32, cone: f32, through: bool) -> Self {
        if through {
            Self::Screen(radius, cone)
        } else {
            Self::Surface(radius)
        }
    }
}

/// Who mirrors whom.
pub struct Partners {
    /// For each point its image.
    pub points: Vec<Option<u32>>,
    /// For each joint its partner; itself where it has none.
    pub joints: Vec<JointIndex>,
    /// For each point how far it is on the positive side.
    pub heights: Vec<f64>,
}

impl Partners {
    /// Across x, as measures and rigs have it.
    pub fn of(character: &Character, surface: &HandSurface) -> Self {
        let mesh = &character.mesh;
        let position = |p: u32| mesh.positions[surface.first_vertex(p) as usize].as_dvec3();
        let points: Vec<DVec3> = (0..surface.len() as u32).map(position).collect();
        let diagonal = f64::from(mesh.diagonal());
        let plane = MirrorPlane::of(&points, Axis::X, COINCIDENT * diagonal);
        let pairs = plane.joint_pairs(&character.skeleton, SAME_JOINT * diagonal);
        Self {
            points: plane.pairs_by_position(&points, COINCIDENT * diagonal),
            joints: character
                .skeleton
                .indices()
                .zip(pairs)
                .map(|(own, partner)| partner.unwrap_or(own))
                .collect(),
            heights: points.iter().map(|&p| plane.height(p)).collect(),
        }
    }

    fn swapped(&self, row: &[Influence]) -> Vec<Influence> {
        let mut row: Vec<Influence> = row
            .iter()
            .map(|i| Influence {
                joint: self.joints[i.joint.at()],
                ..*i
            })
            .collect();
        row.sort_by_key(|i| i.joint);
        row
    }
}

/// What layers lie over, and how edits are held.
#[derive(Clone, Copy)]
pub struct Ground<'a> {
    /// The points.
    pub surface: &'a HandSurface,
    /// The bind below.
    pub bind: &'a Weights,
    /// Whose joints.
    pub skeleton: &'a Skeleton,
    /// The sum is not held.
    pub paused: bool,
}

impl Ground<'_> {
    /// What a point's bind has, joints ascending.
    fn below(&self, point: u32) -> Vec<Influence> {
        let vertex = self.surface.first_vertex(point) as usize;
        let mut row = self.bind.of_vertex(vertex).to_vec();
        row.sort_by_key(|i| i.joint);
        row
    }

    /// What a point has under a layer, before influences are limited; joints ascending.
    pub fn row(&self, layer: &HandEdits, point: u32) -> Vec<Influence> {
        match layer.of(self.surface.first_vertex(point)) {
            Some(edit) if self.paused && edit.cover >= 1.0 => edit.weights.clone(),
            Some(edit) => edit.over(&self.below(point), 1.0),
            None => self.below(point),
        }
    }

    /// Makes a point have this row, as far as its parts list the joints.
    pub fn set(&self, layer: &mut HandEdits, point: u32, row: &[Influence]) {
        let row: Vec<Influence> = row
            .iter()
            .filter(|i| self.surface.allows(point, i.joint))
            .copied()
            .collect();
        let edit = if self.paused {
            HandEdit::typed(&row)
        } else {
            HandEdit::towards(&row, &self.below(point))
        };
        if row.iter().any(|i| i.weight > 0.0) {
            layer.set(self.surface.first_vertex(point), edit);
        }
    }

    /// Who takes what a joint loses that holds all of a point: its parent, else a child.
    fn heir(&self, joint: JointIndex) -> Option<JointIndex> {
        let skeleton = self.skeleton;
        skeleton.skin_parent(joint).or_else(|| {
            let mut others = skeleton.indices().filter(|&j| skeleton.joint(j).in_skin);
            others.find(|&j| skeleton.skin_parent(j) == Some(joint))
        })
    }

    /// One joint's share of a row, changed by a brush.
    pub fn touched(
        &self,
        row: &[Influence],
        brush: &Brush,
        joint: JointIndex,
        amount: f32,
    ) -> Vec<Influence> {
        let touch = match brush.mode {
            Mode::Add => Touch::Add,
            Mode::Replace => Touch::Replace,
            Mode::Scale | Mode::Relax => Touch::Scale,
        };
        let stamp = Stamp {
            touch,
            joint,
            value: brush.value,
            amount,
            holds_sum: !self.paused,
            heir: self.heir(joint),
        };
        stamp.on(row)
    }

    /// Points on their way to the mean of their neighbours, all at once.
    pub fn relax(&self, layer: &mut HandEdits, points: impl IntoIterator<Item = (u32, f32)>) {
        let rows: Vec<(u32, Vec<Influence>)> = points
            .into_iter()
            .map(|(point, amount)| {
                let around = self.surface.ways().neighbours(point).iter();
                let rows: Vec<Vec<Influence>> = around.map(|&n| normal(self.row(layer, n))).collect();
                let own = normal(self.row(layer, point));
                (point, mixed(&own, rows.iter().map(Vec::as_slice), amount))
            })
            .collect();
        for (point, row) in rows {
            self.set(layer, point, &row);
        }
    }

    /// One side's rows on the other, for these points of the giving side.
    pub fn mirror(&self, layer: &mut HandEdits, points: &[u32], partners: &Partners, to_positive: bool) {
        let sign = if to_positive { -1.0 } else { 1.0 };
        for &point in points {
            let image = partners.points[point as usize].filter(|&image| image != point);
            if let Some(image) = image.filter(|_| sign * partners.heights[point as usize] > 0.0) {
                let row = partners.swapped(&normal(self.row(layer, point)));
                self.set(layer, image, &row);
            }
        }
    }
}

/// A row whose sum is one.
pub fn normal(mut row: Vec<Influence>) -> Vec<Influence> {
    let sum: f64 = row.iter().map(|i| f64::from(i.weight)).sum();
    if sum > 0.0 && (sum - 1.0).abs() > 1e-7 {
        for i in &mut row {
            i.weight = (f64::from(i.weight) / sum) as f32;
        }
    }
    row
}

/// A stroke that is under way.
pub struct Stroke {
    /// The layer when it began.
    start: Arc<HandEdits>,
    /// The layer now.
    pub layer: HandEdits,
    /// The most that each point was touched: how fast the pointer went does not matter.
    most: BTreeMap<u32, f32>,
    /// All points that it changed.
    pub touched: BTreeSet<u32>,
}

impl Stroke {
    /// Begins one.
    pub fn new(start: &Arc<HandEdits>) -> Self {
        Self {
            start: start.clone(),
            layer: start.as_ref().clone(),
            most: BTreeMap::new(),
            touched: BTreeSet::new(),
        }
    }

    /// Touches points, each so much; which changed.
    pub fn stamp(
        &mut self,
        brush: &Brush,
        points: &[(u32, f32)],
        partners: Option<&Partners>,
        ground: &Ground<'_>,
    ) -> Vec<u32> {
        let image = |p: u32| partners.and_then(|all| all.points[p as usize]);
        let mut changed: Vec<u32> = Vec::new();
        if brush.mode == Mode::Relax {
            let mut amounts: BTreeMap<u32, f32> = BTreeMap::new();
            for &(point, share) in points {
                for at in [Some(point), image(point)].into_iter().flatten() {
                    let amount = amounts.entry(at).or_default();
                    *amount = amount.max(share * brush.strength);
                }
            }
            changed.extend(amounts.keys());
            ground.relax(&mut self.layer, amounts);
        } else {
            for &(point, share) in points {
                let most = self.most.entry(point).or_default();
                if share > *most {
                    *most = share;
                    changed.extend([Some(point), image(point)].into_iter().flatten());
                }
            }
            changed.sort_unstable();
            changed.dedup();
            let joint = JointIndex(brush.joint);
            for &point in &changed {
                // A touch of its own, and that of the other side.
                let touch = |row: &[Influence], joint, share: f32| {
                    ground.touched(row, brush, joint, share * brush.strength)
                };
                let start = ground.row(&self.start, point);
                let own = self.most.get(&point).copied();
                let other = image(point).and_then(|p| self.most.get(&p)).copied();
                let partner = partners.map_or(joint, |p| p.joints[joint.at()]);
                let row = match (own, other) {
                    (own, other) if partner == joint => {
                        let most = own.unwrap_or(0.0).max(other.unwrap_or(0.0));
                        touch(&start, joint, most)
                    }
                    (Some(own), None) => touch(&start, joint, own),
                    (None, other) => touch(&start, partner, other.unwrap_or(0.0)),
                    // Where both meet neither comes last.
                    (Some(own), Some(other)) => {
                        let one = touch(&touch(&start, joint, own), partner, other);
                        let two = touch(&touch(&start, partner, other), joint, own);
                        mixed(&one, [two.as_slice()], 0.5)
                    }
                };
                ground.set(&mut self.layer, point, &row);
            }
        }
        self.touched.extend(&changed);
        changed
    }
}

/// How much a brush does at a distance, 1 in its middle and 0 at its border, level at both.
pub fn falloff(distance: f32, radius: f32) -> f32 {
    let t = (1.0 - distance / radius).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// Points within a cone or a tube around a ray, through everything, each with its share.
pub fn through_screen(
    surface: &HandSurface,
    posed: &[Vec3],
    origin: Vec3,
    direction: Vec3,
    (radius, cone): (f32, f32),
) -> Vec<(u32, f32)> {
    let Some(direction) = direction.try_normalize() else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for point in 0..surface.len() as u32 {
        let from = posed[surface.first_vertex(point) as usize] - origin;
        let along = from.dot(direction);
        let reach = radius + cone * along;
        let apart = (from - direction * along).length();
        if along > 0.0 && apart < reach {
            found.push((point, falloff(apart, reach)));
        }
    }
    found
}
