//! Things that a character carries or wears like a horn: weapons, shields, antennas, buckets on a belt.
//!
//! No bone runs through such a thing and little of it lies against the body, so neither distances nor heat know that it is
//! stiff: each of its points follows the limb that happens to be nearest, and a halberd beside a hand is torn between hand, hip and
//! head. Shells that touch one another are one thing. A thing is closed and no sheet (capes and skirts bend), as large as a hand at
//! least, has no bone within its box, and hardly touches the body. All of it follows one joint.
//!
//! Of 82 such things on 163 real characters 70 follow one joint by their artists' weights, too (docs/lab/prior.md).

use glam::DVec3;

use super::BindWarning;
use crate::character::{Bone, BoneShape, Influence, JointIndex, Skeleton, Weights, WeightsError};
use crate::geometry::{Bounds, BoxTree, DisjointSets, Shells, WeldedMesh, closest_on_triangle};
use crate::skin::{JointMasks, Skin};

/// Shells nearer than this fraction of the diagonal touch.
const TOUCHING: f64 = 0.004;
/// What is smaller than this fraction of the diagonal is no thing: the piece's own weights hardly differ.
const LARGE: f64 = 0.08;
/// What lies within this fraction of the diagonal from the body lies against it.
const AGAINST: f64 = 0.02;
/// More than this fraction of its area against the body, and it is worn.
const WORN: f64 = 0.35;
/// More than this fraction of its edges with one face only, and it is a sheet.
const OPEN: f64 = 0.15;
/// A joint clearly has most of a thing if it has so much more of it than the next.
const CLEARLY: f64 = 1.1;
/// Bones beside a thing that spread over more than this fraction of its diagonal run along it: a wing is a thin box under its bones.
const BESIDE: f64 = 0.25;
/// What is thinner than this fraction of its breadth (a cube is 0.19)
const THIN: f64 = 0.1;
/// and broader than this fraction of its length is a sheet too, though it has two sides: a cape, a wing, a flag.
const BROAD: f64 = 0.15;
/// More faces than these are looked at in steps.
const FACES: usize = 4096;
/// Faces that lie so close together that each has more neighbours than this on the mean are no things to carry but a heap.
const NEIGHBOURS: usize = 256;
/// What a character carries.
#[derive(Debug, Default)]
pub(super) struct Carried {
    /// The points of each thing, ascending, and what each has to say about who holds it.
    things: Vec<Vec<(u32, f64)>>,
}

impl Carried {
    /// Finds it by the bones that take part.
    pub fn of(skin: &Skin, bones: &[Bone]) -> Self {
        let things = Shapes::of(skin, bones).map_or(Vec::new(), |s| s.things());
        Self { things }
    }

    /// Weights of points with each thing held by one joint, where all of it may follow that one.
    pub fn held(
        &self,
        skin: &Skin,
        masks: &JointMasks,
        weights: Weights,
    ) -> Result<(Weights, Option<BindWarning>), WeightsError> {
        let mut holders: Vec<Option<JointIndex>> =
            vec![None; if self.things.is_empty() { 0 } else { skin.len() }];
        let (mut pieces, mut points) = (0, 0);
        for thing in &self.things {
            let Some(joint) = holder(thing, &skin.character().skeleton, &weights) else {
                continue;
            };
            if thing.iter().all(|&(p, _)| masks.at(p as usize)[joint.at()]) {
                (pieces, points) = (pieces + 1, points + thing.len());
                for &(p, _) in thing {
                    holders[p as usize] = Some(joint);
                }
            }
        }
        if pieces == 0 {
            return Ok((weights, None));
        }
        let held = Weights::in_parallel(
            weights.vertex_count(),
            weights.max_influences(),
            |range, builder| {
                for point in range {
                    match holders[point] {
                        Some(joint) => builder.push(&[Influence { joint, weight: 1.0 }])?,
                        None => builder.push(weights.of_vertex(point))?,
                    }
                }
                Ok(())
            },
        )?;
        Ok((held, Some(BindWarning::Carried { pieces, points })))
    }
}

/// The joint that clearly has most of a thing, else the middle of those that have it: the last one, from the root on, whose limb
/// has more than half of it. A staff that thumb and fingers have alike is the hand's; what left and right have alike is the trunk's.
fn holder(thing: &[(u32, f64)], skeleton: &Skeleton, weights: &Weights) -> Option<JointIndex> {
    let mut sums = vec![0.0; skeleton.joints.len()];
    for &(p, say) in thing {
        for i in weights.of_vertex(p as usize) {
            sums[i.joint.at()] += say * f64::from(i.weight);
        }
    }
    let most = skeleton
        .indices()
        .max_by(|a, b| sums[a.at()].total_cmp(&sums[b.at()]))?;
    let others = skeleton.indices().filter(|&j| j != most).map(|j| sums[j.at()]);
    if sums[most.at()] > CLEARLY * others.fold(0.0, f64::max) {
        return Some(most);
    }
    let half = 0.5 * sums.iter().sum::<f64>();
    // Children come after their parents.
    for joint in skeleton.indices().rev() {
        if sums[joint.at()] > half {
            return Some(joint);
        }
        if let Some(parent) = skeleton.joint(joint).parent {
            sums[parent.at()] += sums[joint.at()];
        }
    }
    None
}

/// The box around some faces.
#[derive(Debug, Clone)]
struct Extent {
    low: DVec3,
    high: DVec3,
}

impl Default for Extent {
    fn default() -> Self {
        Self {
            low: DVec3::INFINITY,
            high: DVec3::NEG_INFINITY,
        }
    }
}

impl Extent {
    fn join(&mut self, other: &Self) {
        self.low = self.low.min(other.low);
        self.high = self.high.max(other.high);
    }

    /// The part of a segment that is within the box or near it.
    fn part_within(&self, [head, tail]: [DVec3; 2], near: f64) -> Option<[DVec3; 2]> {
        let along = tail - head;
        let (mut from, mut to) = (0.0f64, 1.0f64);
        for axis in 0..3 {
            let (low, high) = (self.low[axis] - near, self.high[axis] + near);
            if along[axis] == 0.0 {
                if head[axis] < low || head[axis] > high {
                    return None;
                }
                continue;
            }
            let ends = [low, high].map(|side| (side - head[axis]) / along[axis]);
            from = from.max(ends[0].min(ends[1]));
            to = to.min(ends[0].max(ends[1]));
        }
        (from <= to).then(|| [head + from * along, head + to * along])
    }

    fn diagonal(&self) -> f64 {
        self.low.distance(self.high)
    }
}

/// The shells of a skin, and where the bones run.
struct Shapes<'a> {
    welded: &'a WeldedMesh,
    areas: &'a [f64],
    diagonal: f64,
    shells: Shells,
    extents: Vec<Extent>,
    /// The bones from end to end, and a tree over them.
    bones: (Vec<[DVec3; 2]>, BoxTree),
    /// For each shell whether no bone runs within its box.
    boneless: Vec<bool>,
}

impl<'a> Shapes<'a> {
    /// `None` if there is nothing to look for.
    fn of(skin: &'a Skin, bones: &[Bone]) -> Option<Self> {
        let (welded, diagonal) = (skin.surface(), skin.diagonal());
        let shells = Shells::of(welded);
        if shells.count() < 2 {
            return None;
        }
        let mut extents = vec![Extent::default(); shells.count()];
        for (shell, faces) in shells.faces.iter().enumerate() {
            for &face in faces {
                for corner in welded.corners(face as usize) {
                    extents[shell].join(&Extent {
                        low: corner,
                        high: corner,
                    });
                }
            }
        }
        let ends = |bone: &Bone| match &bone.shape {
            BoneShape::Segment { head, tail } => [*head, *tail],
            BoneShape::Point(at) => [*at; 2],
            BoneShape::Sphere { centre, .. } => [*centre; 2],
            BoneShape::Box { bind_from_box, .. } => [bind_from_box.translation; 2],
        };
        let mut bones: Vec<[DVec3; 2]> = bones.iter().map(ends).collect();
        bones.retain(|ends| ends.iter().all(|end| end.as_vec3().is_finite()));
        let of_bones = BoxTree::new(
            bones
                .iter()
                .map(|[head, tail]| Bounds::around(head.as_vec3(), &[tail.as_vec3()])),
        );
        let mut shapes = Self {
            welded,
            areas: &skin.laplacian().areas,
            diagonal,
            shells,
            extents,
            bones: (bones, of_bones),
            boneless: Vec::new(),
        };
        shapes.boneless = shapes
            .extents
            .iter()
            .map(|e| shapes.no_bone(e, 0.0, |_| true))
            .collect();
        (shapes.boneless.contains(&true) && shapes.boneless.contains(&false)).then_some(shapes)
    }

    /// Whether for no part of a bone within or near a box something holds.
    fn no_bone(&self, extent: &Extent, near: f64, mut holds: impl FnMut([DVec3; 2]) -> bool) -> bool {
        let (bones, tree) = &self.bones;
        let around = Bounds::around((extent.low - near).as_vec3(), &[(extent.high + near).as_vec3()]);
        !tree.any_overlapping(&around, |i| {
            extent
                .part_within(bones[i as usize], near)
                .is_some_and(&mut holds)
        })
    }

    fn corners(&self, face: u32) -> [DVec3; 3] {
        self.welded.corners(face as usize)
    }

    fn distance(&self, at: DVec3, face: u32) -> f64 {
        closest_on_triangle(at, self.corners(face)).point.distance(at)
    }

    /// The faces of shells, and a tree over them.
    fn tree(&self, taken: impl Fn(usize) -> bool) -> (Vec<u32>, BoxTree) {
        let faces: Vec<u32> = (0..self.shells.count())
            .filter(|&shell| taken(shell))
            .flat_map(|shell| self.shells.faces[shell].iter().copied())
            .collect();
        let tree = BoxTree::new(faces.iter().map(|&face| {
            let [a, b, c] = self.corners(face).map(|p| p.as_vec3());
            Bounds::around(a, &[b, c])
        }));
        (faces, tree)
    }

    /// The points of each thing that is carried.
    fn things(&self) -> Vec<Vec<(u32, f64)>> {
        let groups = self.groups();
        if groups.is_empty() {
            return Vec::new();
        }
        let (faces, tree) = self.tree(|shell| !self.boneless[shell]);
        let near = AGAINST * self.diagonal;
        let to_body = |at: DVec3| {
            let found = tree.closest(at, |i| self.distance(at, faces[i as usize]));
            found.map_or(f64::INFINITY, |f| f.1)
        };
        // What is far from the body follows whatever limb is nearest there: it has little to say.
        let say = |p: u32| {
            let far = to_body(self.welded.points[p as usize]) + near;
            (p, self.areas[p as usize] / (far * far))
        };
        groups
            .into_iter()
            .filter(|group| self.fraction_where(group, |at| to_body(at) <= near) <= WORN)
            .map(|group| {
                let mut points: Vec<u32> = group
                    .iter()
                    .flat_map(|&f| self.welded.faces[f as usize])
                    .collect();
                points.sort_unstable();
                points.dedup();
                points.into_iter().map(say).collect()
            })
            .collect()
    }

    /// The faces of closed boneless shells that touch one another, where they are large and no bone runs among them.
    fn groups(&self) -> Vec<Vec<u32>> {
        let mut sets = DisjointSets::new(self.shells.count());
        let closed = |shell: usize| self.boneless[shell] && self.open(&self.shells.faces[shell]) <= OPEN;
        let closed: Vec<bool> = (0..self.shells.count()).map(closed).collect();
        let (faces, tree) = self.tree(|shell| closed[shell]);
        let mut looks = NEIGHBOURS * faces.len();
        let gap = TOUCHING * self.diagonal;
        for &own in &faces {
            let shell = self.shells.of_face[own as usize].unwrap_or(0);
            for corner in self.corners(own) {
                let around = Bounds::around((corner - gap).as_vec3(), &[(corner + gap).as_vec3()]);
                let heap = tree.any_overlapping(&around, |i| {
                    looks = looks.saturating_sub(1);
                    let face = faces[i as usize];
                    let other = self.shells.of_face[face as usize].unwrap_or(0);
                    if sets.root(other) != sets.root(shell) && self.distance(corner, face) <= gap {
                        sets.join(other, shell);
                    }
                    looks == 0
                });
                if heap {
                    return Vec::new();
                }
            }
        }
        let mut groups: Vec<(Extent, Vec<u32>)> = vec![(Extent::default(), Vec::new()); self.shells.count()];
        for shell in (0..self.shells.count()).filter(|&s| closed[s]) {
            let group = &mut groups[sets.root(shell as u32) as usize];
            group.0.join(&self.extents[shell]);
            group.1.extend(&self.shells.faces[shell]);
        }
        groups
            .into_iter()
            .filter(|(extent, faces)| {
                !faces.is_empty()
                    && extent.diagonal() >= LARGE * self.diagonal
                    && self.has_no_bone(extent)
                    && !self.is_sheet(extent, faces)
            })
            .map(|(_, faces)| faces)
            .collect()
    }

    /// Whether no bone runs within a box, or along it.
    fn has_no_bone(&self, extent: &Extent) -> bool {
        let mut beside = Extent::default();
        self.no_bone(extent, 0.0, |_| true)
            && self.no_bone(extent, AGAINST * self.diagonal, |ends| {
                for end in ends {
                    beside.join(&Extent { low: end, high: end });
                }
                beside.diagonal() > BESIDE * extent.diagonal()
            })
    }

    /// Whether some closed faces are the two sides of a sheet: cloth bends.
    fn is_sheet(&self, extent: &Extent, faces: &[u32]) -> bool {
        let (mut area, mut volume) = (0.0, 0.0);
        for &face in faces {
            let from_low = self.corners(face).map(|corner| corner - extent.low);
            area += self.welded.area_vector(face as usize).length();
            volume += from_low[0].dot(from_low[1].cross(from_low[2])) / 6.0;
        }
        let thickness = 2.0 * volume.abs() / area.max(f64::MIN_POSITIVE);
        let breadth = 0.5 * area / extent.diagonal();
        thickness < THIN * breadth && breadth > BROAD * extent.diagonal()
    }

    /// The fraction of edges that have one face only.
    fn open(&self, faces: &[u32]) -> f64 {
        let mut edges: Vec<(u32, u32)> = faces
            .iter()
            .flat_map(|&face| {
                let [a, b, c] = self.welded.faces[face as usize];
                [(a, b), (b, c), (c, a)].map(|(a, b)| (a.min(b), a.max(b)))
            })
            .collect();
        edges.sort_unstable();
        let (mut all, mut alone) = (0, 0);
        for same in edges.chunk_by(|a, b| a == b) {
            all += 1;
            alone += usize::from(same.len() == 1);
        }
        alone as f64 / f64::from(all.max(1))
    }

    /// The fraction of the faces' area where something holds.
    fn fraction_where(&self, faces: &[u32], holds: impl Fn(DVec3) -> bool) -> f64 {
        let (mut with, mut all) = (0.0, 0.0);
        for &face in faces.iter().step_by(faces.len().div_ceil(FACES)) {
            let [a, b, c] = self.corners(face);
            let area = self.welded.area_vector(face as usize).length();
            let middle = (a + b + c) / 3.0;
            // The middle of a long face says little of its ends.
            for at in [a, b, c].map(|corner| middle.midpoint(corner)) {
                all += area;
                if holds(at) {
                    with += area;
                }
            }
        }
        if all > 0.0 { with / all } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::bind::{BestOptions, BindOptions, BindResult, Method, PriorChoice};
    use crate::character::{Character, Part};
    use crate::sample;
    use crate::task::Task;

    /// Adds a closed box as a part of its own and returns its vertices.
    fn add_box(character: &mut Character, low: Vec3, high: Vec3) -> std::ops::Range<usize> {
        let mesh = &mut character.mesh;
        let (first, first_face) = (mesh.positions.len(), mesh.triangles.len());
        mesh.positions.extend((0..8).map(|corner| {
            let side = |bit: u32| (corner >> bit & 1) as f32;
            low + (high - low) * Vec3::new(side(0), side(1), side(2))
        }));
        let quads = [
            [0, 2, 3, 1],
            [4, 5, 7, 6],
            [0, 4, 6, 2],
            [1, 3, 7, 5],
            [0, 1, 5, 4],
            [2, 6, 7, 3],
        ];
        let faces = quads.iter().flat_map(|&[a, b, c, d]| [[a, b, c], [a, c, d]]);
        mesh.triangles
            .extend(faces.map(|face: [u32; 3]| face.map(|v| v + first as u32)));
        mesh.parts.push(Part {
            name: "added".to_owned(),
            vertices: first..first + 8,
            triangles: first_face..mesh.triangles.len(),
            joints: None,
            ..mesh.parts[0].clone()
        });
        first..first + 8
    }

    /// A body without what would have to grow with it.
    fn body() -> Character {
        let mut character = sample::make("apose@1500").unwrap();
        character.mesh.normals = None;
        character.mesh.colors = None;
        character.mesh.corner_uvs = None;
        character.weights = None;
        character
    }

    fn bound(character: Character) -> BindResult {
        let plain = BestOptions {
            prior: PriorChoice::None,
            ..BestOptions::default()
        };
        let skin = Skin::new(character).unwrap();
        Method::Best(plain)
            .bind(&skin, &BindOptions::default(), &Task::unattended())
            .unwrap()
    }

    fn hand(character: &Character) -> Vec3 {
        let joint = character.skeleton.find("left_hand").unwrap();
        character.skeleton.bind_position(joint).as_vec3()
    }

    fn things(result: &BindResult) -> Option<(usize, usize)> {
        result.warnings.iter().find_map(|w| match w {
            BindWarning::Carried { pieces, points } => Some((*pieces, *points)),
            _ => None,
        })
    }

    /// A staff and the lamp on its end, beside a hand.
    #[test]
    fn a_staff_and_its_lamp_follow_one_joint() {
        let mut character = body();
        let size = character.mesh.diagonal();
        let at = hand(&character) + 0.06 * size * Vec3::Z;
        let staff = Vec3::new(0.006, 0.3, 0.006) * size;
        let staff = add_box(&mut character, at - staff, at + staff);
        let end = at + 0.301 * size * Vec3::Y;
        let lamp = Vec3::new(0.02, 0.0, 0.02) * size;
        let lamp = add_box(&mut character, end - lamp, end + lamp + 0.04 * size * Vec3::Y);
        let result = bound(character);
        assert_eq!(things(&result), Some((1, 16)), "{:?}", result.warnings);
        let first = result.weights.of_vertex(staff.start).to_vec();
        assert_eq!(first.len(), 1);
        for vertex in staff.chain(lamp) {
            assert_eq!(result.weights.of_vertex(vertex), &first[..], "vertex {vertex}");
        }
    }

    /// What lies against the body is worn, and what is small keeps its own weights.
    #[test]
    fn clothes_and_buttons_are_not_carried() {
        let mut character = body();
        let size = character.mesh.diagonal();
        let at = hand(&character);
        let button = Vec3::splat(0.01) * size;
        add_box(&mut character, at + 3.0 * button, at + 5.0 * button);
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for &p in &character.mesh.positions {
            (low, high) = (low.min(p), high.max(p));
        }
        // A belt around the middle: bones run through it.
        let middle = 0.5 * (low + high);
        let belt = Vec3::new(0.12, 0.02, 0.12) * size;
        add_box(&mut character, middle - belt, middle + belt);
        assert_eq!(things(&bound(character)), None);
    }

    /// It has two sides and hangs off, but it is cloth.
    #[test]
    fn a_cape_is_not_carried() {
        let mut character = body();
        let size = character.mesh.diagonal();
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        for &p in &character.mesh.positions {
            (low, high) = (low.min(p), high.max(p));
        }
        let behind = Vec3::new(0.5 * (low.x + high.x), 0.5 * (low.y + high.y), low.z - 0.1 * size);
        let cape = Vec3::new(0.12, 0.2, 0.003) * size;
        add_box(&mut character, behind - cape, behind + cape);
        assert_eq!(things(&bound(character)), None);
    }

    #[test]
    fn segments_are_cut_off_at_a_box() {
        let unit = Extent {
            low: DVec3::ZERO,
            high: DVec3::ONE,
        };
        let across = [DVec3::new(-1.0, 0.5, 0.5), DVec3::new(3.0, 0.5, 0.5)];
        assert_eq!(
            unit.part_within(across, 0.0),
            Some([DVec3::new(0.0, 0.5, 0.5), DVec3::new(1.0, 0.5, 0.5)])
        );
        let inside = [DVec3::splat(0.25), DVec3::splat(0.75)];
        assert_eq!(unit.part_within(inside, 0.0), Some(inside));
        let past = [DVec3::new(-1.0, 1.5, 0.5), DVec3::new(3.0, 1.5, 0.5)];
        assert_eq!(unit.part_within(past, 0.0), None);
        assert!(unit.part_within(past, 0.5).is_some());
        assert_eq!(unit.part_within([DVec3::splat(2.0); 2], 0.0), None);
    }

    /// Between two hands, neither of which has more of it.
    #[test]
    fn what_both_hands_hold_follows_what_both_hang_on() {
        let mut character = sample::make("athlete@1500").unwrap();
        let skeleton = &mut character.skeleton;
        let [left, right] = ["left_hand", "right_hand"].map(|name| skeleton.find(name).unwrap());
        let row = |joint| Influence { joint, weight: 0.5 };
        let weights = Weights::new([&[row(left), row(right)][..]]).unwrap();
        let found = holder(&[(0, 1.0)], skeleton, &weights).unwrap();
        let above = |joint: JointIndex| {
            std::iter::successors(Some(joint), |&j| skeleton.joint(j).parent).collect::<Vec<_>>()
        };
        let of_right = above(right);
        let common = above(left).into_iter().find(|j| of_right.contains(j)).unwrap();
        assert_eq!(found, common);
    }
}
