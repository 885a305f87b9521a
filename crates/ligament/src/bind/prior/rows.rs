//! The joints that each point might follow, with their features.

use glam::DVec3;

use crate::character::{JointIndex, WordKind, word_kind, words};
use crate::skin::PointIndex;

use super::Recipes;
use super::features::{COUNT, Features, Name, RANGES};
use super::joints::Wholes;
use super::known::{Known, OF_POINT};
use super::layers::{Layer, Layers};
use super::pieces::Pieces;
use super::skin_rows::{Lists, Said, around, said};

/// The most candidates of a point.
pub const MOST: usize = 10;
/// A joint to which either recipe gives this much is a candidate.
const SAID: f32 = 0.005;
/// Others are candidates if they are at most so many times as far as the nearest.
const REACH: f32 = 1.6;
/// ln of the least weight that counts.
pub(super) const LEAST_LOG: f32 = -7.0;
/// Where a joint is that is not in the list, or never may be.
const NOWHERE: u16 = u16::MAX;
const BARRED: u16 = u16::MAX - 1;
/// What keeps heat's charge finite behind the skin's back.
const BEHIND: f64 = 5e-4;

/// A joint that a point might follow.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// Its index among the joints that take part.
    pub slot: u16,
    /// ln of the recipes' mean weight.
    pub base: f32,
    /// What is known about it.
    pub features: Features,
}

/// A joint near a point.
#[derive(Clone, Copy)]
struct Around {
    slot: u16,
    limb: u16,
    /// The distance that voxel binding counts.
    counted: f32,
    /// The same before thickness counts.
    near: f32,
}

/// A joint near a point, measured.
struct Measured {
    around: Around,
    said: Said,
    straight: f64,
    through: f64,
    past_end: f64,
    along: f64,
    facing: f64,
    cost: f64,
    from_centroid: f64,
}

/// Everything that rows are made of.
pub(super) struct RowMaker<'a> {
    recipes: &'a Recipes<'a>,
    pub wholes: Wholes,
    said: Lists<Said>,
    around: Lists<(u16, f32)>,
    wide: Lists<(u16, f32)>,
    pub pieces: Pieces,
    layers: Layers,
    /// For each part of the mesh its first vertex, and what its name says: face, hair or clothes, something carried.
    parts: Vec<(usize, [bool; 3])>,
    diagonal: f64,
    /// What does not depend on the point.
    known: Known,
}

impl<'a> RowMaker<'a> {
    pub fn new(recipes: &'a Recipes<'a>) -> Self {
        let mut wholes = Wholes::of(recipes);
        let said = said(recipes, &wholes);
        let around_point = around(recipes, |point, add| {
            said.at(point).iter().for_each(|s| add(s.slot, s.mean()));
        });
        let wide = around(recipes, |point, add| {
            around_point.at(point).iter().for_each(|&(slot, w)| add(slot, w));
        });
        let pieces = Pieces::of(recipes, &mut wholes, &said);
        let layers = Layers::of(
            recipes.skin.points(),
            &pieces.of_point,
            &wholes.body,
            &said,
            (wholes.low, wholes.diagonal),
        );
        Self {
            recipes,
            known: Known::of(&wholes, &pieces),
            diagonal: wholes.diagonal,
            parts: parts(recipes),
            layers,
            wholes,
            said,
            around: around_point,
            wide,
            pieces,
        }
    }

    /// The joints around a point, in any order: the nearest bone of each counts.
    fn joints_around(&self, point: usize, list: &mut Vec<Around>, places: &mut Vec<u16>) {
        list.clear();
        places.resize(self.wholes.joints.len(), NOWHERE);
        let recipes = self.recipes;
        let allowed = recipes.masks.at(point);
        let mut add = |places: &mut [u16], slot: u16, limb: u16, near: f32| {
            let counted = near * recipes.scales[usize::from(limb)];
            let place = &mut places[usize::from(slot)];
            let new = Around {
                slot,
                limb,
                counted,
                near,
            };
            match list.get_mut(usize::from(*place)) {
                Some(known) if known.counted <= counted => (),
                Some(known) => *known = new,
                None => {
                    *place = list.len() as u16;
                    list.push(new);
                }
            }
        };
        let voxel = recipes.voxel_size as f32;
        for near in recipes.near(point) {
            let slot = self.wholes.limbs[usize::from(near.bone)].slot;
            if allowed[self.wholes.joints[usize::from(slot)].joint.at()] {
                add(places, slot, near.bone, near.distance * voxel);
            } else {
                places[usize::from(slot)] = BARRED;
            }
        }
        // Joints that heat knows and voxels do not reach count by the straight line.
        let p = recipes.skin.points()[point];
        for s in self.said.at(point) {
            if places[usize::from(s.slot)] != NOWHERE {
                continue;
            }
            for &limb in &self.wholes.limbs_of[usize::from(s.slot)] {
                let straight = self.wholes.limbs[usize::from(limb)].nearest(p).1.distance(p);
                add(places, s.slot, limb, straight as f32);
            }
        }
        for near in recipes.near(point) {
            places[usize::from(self.wholes.limbs[usize::from(near.bone)].slot)] = NOWHERE;
        }
        for around in list {
            places[usize::from(around.slot)] = NOWHERE;
        }
    }

    fn measured(&self, point: usize, around: Around, said: Said) -> Measured {
        let p = self.recipes.skin.points()[point];
        let limb = &self.wholes.limbs[usize::from(around.limb)];
        let (along, closest) = limb.nearest(p);
        let out = p - closest;
        let straight = out.length();
        let past_end = if limb.length == 0.0 {
            0.0
        } else if along < 0.0 {
            (p - limb.head).normalize_or_zero().dot(-limb.direction).max(0.0)
        } else if along > 1.0 && !limb.stub {
            (p - limb.tail).normalize_or_zero().dot(limb.direction).max(0.0)
        } else {
            0.0
        };
        let facing = self.recipes.normals[point].dot(out.normalize_or_zero());
        let whole = &self.wholes.joints[usize::from(around.slot)];
        Measured {
            around,
            said,
            straight,
            through: f64::from(around.near) / (1.0 + 0.5 * past_end),
            past_end,
            along,
            facing,
            cost: straight / ((0.5 * (1.0 + facing)).max(0.0) + BEHIND),
            from_centroid: p.distance(whole.centroid),
        }
    }

    /// Chooses the candidates of a point; the first has the largest mean. How many there are.
    pub fn choose(&self, point: usize, scratch: &mut Scratch) -> usize {
        let Scratch { near, chosen, places } = scratch;
        self.joints_around(point, near, places);
        chosen.clear();
        let said = self.said.at(point);
        for s in said.iter().filter(|s| s.voxel.max(s.heat) > SAID).take(MOST) {
            if let Some(&around) = near.iter().find(|a| a.slot == s.slot) {
                chosen.push(self.measured(point, around, *s));
            }
        }
        // Only what is in reach needs an order.
        let nearest = near.iter().map(|a| a.counted).min_by(f32::total_cmp);
        let furthest = nearest.map_or(0.0, |counted| REACH * counted);
        near.retain(|a| a.counted <= furthest);
        near.sort_unstable_by(|a, b| a.counted.total_cmp(&b.counted).then(a.slot.cmp(&b.slot)));
        for around in near.iter() {
            if chosen.len() >= MOST {
                break;
            }
            if chosen.iter().any(|c| c.around.slot == around.slot) {
                continue;
            }
            let nothing = Said {
                slot: around.slot,
                voxel: 0.0,
                heat: 0.0,
            };
            let own = said.iter().find(|s| s.slot == around.slot).copied();
            chosen.push(self.measured(point, *around, own.unwrap_or(nothing)));
        }
        chosen.len()
    }

    /// The joint of the first candidate that was chosen.
    pub fn first_joint(&self, scratch: &Scratch) -> Option<JointIndex> {
        let first = scratch.chosen.first()?;
        Some(self.wholes.joints[usize::from(first.around.slot)].joint)
    }

    /// The candidates of a point, for those who learn. The first has the largest mean.
    #[cfg(feature = "research")]
    pub fn rows(&self, point: usize, scratch: &mut Scratch, rows: &mut Vec<Candidate>) {
        rows.clear();
        if self.choose(point, scratch) > 0 {
            self.add_chosen(point, scratch, rows);
        }
    }

    /// Adds what is known about the candidates that were chosen, of which there is one at least.
    pub fn add_chosen(&self, point: usize, scratch: &Scratch, rows: &mut Vec<Candidate>) {
        let chosen = &scratch.chosen[..];
        let least = Least::of(chosen);
        let p = self.recipes.skin.points()[point];
        let close = self.layers.close_to(p, self.pieces.of_point[point]);
        let of_point = self.of_point(point, chosen, &least, close.as_ref());
        for index in 0..chosen.len() {
            let limb = usize::from(chosen[index].around.limb);
            let mut row = Row(self.known.of_limb[limb]);
            for name in OF_POINT {
                row.0[name as usize] = of_point.0[name as usize];
            }
            self.fill(point, chosen, index, &least, &mut row);
            let close_weight = close
                .as_ref()
                .map_or(0.0, |layer| self.layers.weight(layer, chosen[index].around.slot));
            row.put(Name::CloseLog, log(f64::from(close_weight)));
            rows.push(Candidate {
                slot: chosen[index].around.slot,
                base: log(f64::from(chosen[index].said.mean())) as f32,
                features: row.0,
            });
        }
    }

    /// What all candidates of a point share.
    fn of_point(&self, point: usize, chosen: &[Measured], least: &Least, close: Option<&Layer>) -> Row {
        let mut row = Row([0; COUNT]);
        row.put(Name::Largest, f64::from(chosen[0].said.mean()));
        row.put(
            Name::Second,
            chosen.get(1).map_or(0.0, |c| f64::from(c.said.mean())),
        );
        row.put(Name::Disagreement, least.disagreement);
        let best = chosen[0].around.slot;
        row.put(
            Name::BestKind,
            f64::from(self.wholes.joints[usize::from(best)].kind),
        );
        let floor = 1e-9 * self.diagonal;
        let ratio = |a: f64, b: f64| (a.max(floor) / b.max(floor)).ln();
        row.put(Name::Thinness, ratio(least.through, self.diagonal));
        row.put(Name::Edges, ratio(self.mean_edge(point), least.through));
        let of_piece = &self.known.of_piece[self.pieces.of_point[point] as usize];
        for (name, byte) in [
            Name::PieceArea,
            Name::PieceExtent,
            Name::PieceMost,
            Name::PieceJoints,
        ]
        .into_iter()
        .zip(of_piece.bytes)
        {
            row.0[name as usize] = byte;
        }
        match close {
            None => {
                row.put(Name::CloseDistance, 3.0);
                row.put(Name::CloseFacing, 0.0);
            }
            Some(layer) => {
                row.put(
                    Name::CloseDistance,
                    (layer.distance.max(floor) / least.through.max(floor)).ln(),
                );
                row.put(
                    Name::CloseFacing,
                    self.recipes.normals[point].dot(layer.direction),
                );
            }
        }
        for (name, says) in [Name::PartFace, Name::PartSoft, Name::PartProp]
            .into_iter()
            .zip(self.part_says(point))
        {
            row.put(name, f64::from(u8::from(says)));
        }
        row
    }

    /// What is the candidate's own.
    fn fill(&self, point: usize, chosen: &[Measured], index: usize, least: &Least, row: &mut Row) {
        let m = &chosen[index];
        let slot = m.around.slot;
        let whole = &self.wholes.joints[usize::from(slot)];
        let limb = &self.wholes.limbs[usize::from(m.around.limb)];
        let (p, normal) = (self.recipes.skin.points()[point], self.recipes.normals[point]);
        let radius = limb.radius;
        let floor = 1e-9 * self.diagonal;
        let ratio = |a: f64, b: f64| (a.max(floor) / b.max(floor)).ln();

        row.put(Name::Counted, ratio(f64::from(m.around.counted), least.counted));
        row.put(Name::Through, ratio(m.through, least.through));
        row.put(Name::Straight, ratio(m.straight, least.straight));
        row.put(Name::Detour, ratio(m.through, m.straight));
        row.put(Name::PastEnd, m.past_end);
        row.put(
            Name::OverHead,
            (-m.along).max(0.0) * limb.length / least.through.max(floor),
        );
        row.put(
            Name::OverTail,
            (m.along - 1.0).max(0.0) * limb.length / least.through.max(floor),
        );
        row.put(Name::ToHead, m.along * limb.length / radius);
        row.put(Name::ToTail, (1.0 - m.along) * limb.length / radius);
        row.put(Name::Along, m.along);
        row.put(Name::StraightInRadii, ratio(m.straight, radius));
        row.put(Name::Facing, m.facing);
        row.put(Name::HeatCost, ratio(m.cost, least.cost));
        let rank = chosen
            .iter()
            .filter(|o| o.around.counted < m.around.counted)
            .count();
        row.0[Name::Rank as usize] = self.known.ranks[rank];

        let mean = m.said.mean();
        row.put(Name::VoxelLog, log(f64::from(m.said.voxel)));
        row.put(Name::HeatLog, log(f64::from(m.said.heat)));
        row.put(Name::Voxel, f64::from(m.said.voxel));
        row.put(Name::Heat, f64::from(m.said.heat));
        row.put(Name::Mean, f64::from(mean));
        let at = |list: &Lists<(u16, f32)>| {
            let found = list.at(point).iter().find(|e| e.0 == slot);
            log(found.map_or(0.0, |e| f64::from(e.1)))
        };
        row.put(Name::Around, at(&self.around));
        row.put(Name::Wide, at(&self.wide));

        row.put(Name::RadiusInDistances, ratio(radius, least.through));
        if whole.parent.is_some() {
            let off = (p - whole.at) / whole.radius;
            row.put(Name::Plane, off.dot(whole.bisector).tanh());
            row.put(Name::PlaneFar, off.dot(whole.bisector));
            row.put(Name::PlaneIncoming, off.dot(whole.from_parent).tanh());
        }
        let lateral = self.known.sides[usize::from(m.around.limb)] * (p.x - self.known.plane) / radius;
        row.put(Name::Lateral, lateral);
        row.put(Name::FromCentroid, ratio(m.from_centroid, whole.spread));
        row.put(
            Name::FromCentroidLeast,
            ratio(m.from_centroid, least.from_centroid),
        );
        if limb.stub {
            row.put(Name::AimedBone, self.aimed(slot, p, m.straight, floor));
        }
        row.put(Name::NormalAlong, normal.dot(limb.direction));

        self.fill_relations(chosen, index, row);
        self.fill_piece(point, slot, limb.head, limb.head.midpoint(limb.tail), row);
    }

    /// ln of the distance to a leaf's bone aimed at its skin over that to its stub.
    fn aimed(&self, slot: u16, p: DVec3, straight: f64, floor: f64) -> f64 {
        let whole = &self.wholes.joints[usize::from(slot)];
        let along = 1.6 * (whole.centroid - whole.at);
        let squared = along.length_squared().max(floor * floor);
        let t = ((p - whole.at).dot(along) / squared).clamp(0.0, 1.0);
        let distance = (whole.at + t * along).distance(p);
        (distance.max(floor) / straight.max(floor)).ln()
    }

    fn fill_relations(&self, chosen: &[Measured], index: usize, row: &mut Row) {
        let slot = chosen[index].around.slot;
        let wholes = &self.wholes;
        let (steps, deeper) = wholes.steps(chosen[0].around.slot, slot);
        let yes = |is_so: bool| f64::from(u8::from(is_so));
        row.put(Name::IsBest, yes(index == 0));
        row.put(Name::IsParent, yes(steps == 1 && deeper < 0));
        row.put(Name::IsChild, yes(steps == 1 && deeper > 0));
        row.put(Name::IsSibling, yes(steps == 2 && deeper == 0));
        row.put(Name::TreeDistance, f64::from(steps));
        row.put(Name::Direction, f64::from(deeper));
        let second = chosen.get(1).map_or(slot, |c| c.around.slot);
        row.put(Name::SecondTreeDistance, f64::from(wholes.steps(second, slot).0));
        let (mut below, mut above, mut parent, mut child) = (0.0, 0.0, 0.0, 0.0);
        for other in chosen {
            let (o, w) = (other.around.slot, f64::from(other.said.mean()));
            if wholes.is_above(slot, o) {
                below += w;
            }
            if wholes.is_above(o, slot) {
                above += w;
            }
            if wholes.joints[usize::from(slot)].parent == Some(o) {
                parent += w;
            }
            if wholes.joints[usize::from(o)].parent == Some(slot) {
                child += w;
            }
        }
        row.put(Name::BelowWeight, below);
        row.put(Name::AboveWeight, above);
        row.put(Name::ParentWeight, parent);
        row.put(Name::ChildWeight, child);
    }

    fn fill_piece(&self, point: usize, slot: u16, head: DVec3, middle: DVec3, row: &mut Row) {
        let index = self.pieces.of_point[point] as usize;
        let piece = &self.pieces.pieces[index];
        let weight = f64::from(self.pieces.weight(index, slot));
        let log_weight = log(weight);
        row.put(Name::PieceWeight, weight);
        row.put(Name::PieceWeightLog, log_weight);
        row.put(
            Name::SmallPieceLog,
            log_weight * self.known.of_piece[index].smallness,
        );
        row.put(Name::OwnInPiece, f64::from(self.pieces.owned(index, slot)));
        let margin = DVec3::splat(0.02 * self.diagonal);
        let holds = |q: DVec3| {
            let inside = q.cmpge(piece.low - margin).all() && q.cmple(piece.high + margin).all();
            f64::from(u8::from(inside))
        };
        row.put(Name::BoneInPiece, holds(middle));
        row.put(Name::HeadInPiece, holds(head));
    }

    /// What the name of a point's part says.
    fn part_says(&self, point: usize) -> [bool; 3] {
        let vertex = self.recipes.skin.first_vertex(PointIndex(point as u32));
        let after = self.parts.partition_point(|p| p.0 <= vertex);
        after.checked_sub(1).map_or([false; 3], |at| self.parts[at].1)
    }

    fn mean_edge(&self, point: usize) -> f64 {
        let points = self.recipes.skin.points();
        let laplacian = self.recipes.skin.laplacian();
        let range = laplacian.starts[point] as usize..laplacian.starts[point + 1] as usize;
        let count = range.len().max(1) as f64;
        let edges = laplacian.columns[range].iter();
        edges
            .map(|&n| points[n as usize].distance(points[point]))
            .sum::<f64>()
            / count
    }
}

/// For each part its first vertex and what its name, or that of its material, says.
fn parts(recipes: &Recipes<'_>) -> Vec<(usize, [bool; 3])> {
    let parts = recipes.skin.character().mesh.parts.iter();
    let mut list: Vec<(usize, [bool; 3])> = parts
        .filter(|part| !part.vertices.is_empty())
        .map(|part| {
            let heard = [words(&part.name), words(&part.material.name)].concat();
            let says = |kind: WordKind| heard.iter().any(|w| word_kind(w) == Some(kind));
            (
                part.vertices.start,
                [WordKind::Face, WordKind::Soft, WordKind::Prop].map(says),
            )
        })
        .collect();
    list.sort_unstable_by_key(|p| p.0);
    list
}

/// Room to work in.
#[derive(Default)]
pub(super) struct Scratch {
    near: Vec<Around>,
    chosen: Vec<Measured>,
    /// For each joint where it is in `near`; nowhere between two points.
    places: Vec<u16>,
}

/// The least of some numbers over the candidates of a point.
struct Least {
    counted: f64,
    through: f64,
    straight: f64,
    cost: f64,
    from_centroid: f64,
    disagreement: f64,
}

impl Least {
    fn of(chosen: &[Measured]) -> Self {
        let least = |of: fn(&Measured) -> f64| chosen.iter().map(of).fold(f64::INFINITY, f64::min);
        Self {
            counted: least(|m| f64::from(m.around.counted)),
            through: least(|m| m.through),
            straight: least(|m| m.straight),
            cost: least(|m| m.cost),
            from_centroid: least(|m| m.from_centroid),
            disagreement: 0.5
                * chosen
                    .iter()
                    .map(|m| f64::from((m.said.voxel - m.said.heat).abs()))
                    .sum::<f64>(),
        }
    }
}

/// ln of a weight, of at least the least that counts.
pub(super) fn log(weight: f64) -> f64 {
    if weight > 0.0 {
        weight.ln().max(f64::from(LEAST_LOG))
    } else {
        f64::from(LEAST_LOG)
    }
}

/// A row that is being filled.
pub(super) struct Row(pub Features);

impl Row {
    pub fn put(&mut self, name: Name, value: f64) {
        let at = name as usize;
        self.0[at] = RANGES[at].byte(value as f32);
    }
}
