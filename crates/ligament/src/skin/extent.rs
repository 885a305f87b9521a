//! What of a surface lies where the skeleton is.
//!
//! Files hold a floor, a backdrop, a prop or another character beside this one, a triangle that was forgotten a hundred
//! metres away, a vertex that went astray. A solid that is laid around the bounding box of all of it leaves fewer voxels
//! for the character, or next to none. So three things do not count:
//!
//! - shells apart: they hold no bone, few of their faces lie within a fraction of the skeleton's size of one, and there is a
//!   gap between them and the box around the shells that do, or they are larger than all of those together and lie
//!   outside that box. No path through the solid leads to them anyway;
//! - points out of the skeleton's reach (its box, widened by its own diagonal on every side), with the faces around them;
//! - points that no face names.
//!
//! Where that would leave too little (a skeleton in other units, a single bone in a large body) everything counts, and
//! what takes no room from the character is left alone.

use glam::DVec3;

use crate::character::Skeleton;
use crate::geometry::{Shells, WeldedMesh};

/// A bone comes near what is within this fraction of the skeleton's diagonal: a long skirt hangs 0.15 from the nearest
/// thigh.
const NEAR: f64 = 0.2;
/// A shell with less than this fraction of its faces near a bone lies apart: a floor under the feet has a tenth, another
/// character beside this one a fifth.
const FEW_NEAR: f64 = 0.3;
/// A shell larger than the body that has less than this fraction of its faces in the box around it is a floor or a
/// backdrop.
const FEW_INSIDE: f64 = 0.1;
/// A gap is this fraction of the skeleton's diagonal. The head of a figure of boxes lies closer, above the last joint.
const GAP: f64 = 0.05;
/// So many faces of a shell are asked.
const ASKED: usize = 64;
/// A shell with more than this fraction of its points out of reach is stray as a whole; of others only faces are. A body
/// with one vertex astray has a thousandth, a floor's corners are all outside.
const FEW_POINTS: f64 = 0.02;
/// At least this fraction of all points must be left, else the skeleton says nothing about the size of the character.
const ENOUGH_POINTS: f64 = 0.2;
/// At least this fraction of the joints must lie in the box around what is left, for the same reason.
const ENOUGH_JOINTS: f64 = 0.5;
/// What is left out must make the box around the rest smaller than this fraction of what it was: a weapon held out at arm's
/// length does no harm.
const SMALLER: f64 = 0.8;
/// Points that no face names are no part of anything, and go sooner.
const A_LITTLE_SMALLER: f64 = 0.98;
/// A joint more than this many times further from the middle of all than every joint nearer than it is a far control, a
/// target or a camera.
const FAR_JOINT: f64 = 3.0;

/// The part of a surface that counts, and what does not.
#[derive(Debug, Clone, PartialEq)]
pub struct Extent {
    /// The surface without strays; points that no face names are left out unless nothing is stray.
    pub surface: WeldedMesh,
    /// How many shells are stray as a whole.
    pub shells: usize,
    /// How many points are stray.
    pub points: usize,
    /// For each point of the whole surface whether it is.
    pub is_stray: Vec<bool>,
}

impl Extent {
    /// Looks for strays; `None` where there are none, or where nothing can be said.
    pub fn of(surface: &WeldedMesh, skeleton: &Skeleton) -> Option<Self> {
        let bones = NearBones::of(skeleton)?;
        let is_outside = |p: DVec3| !(p.cmpge(bones.low).all() && p.cmple(bones.high).all());
        let outside: Vec<bool> = surface.points.iter().map(|&p| is_outside(p)).collect();
        let shells = Shells::of(surface);
        let mut seen = vec![u32::MAX; surface.points.len()];
        let mut stray: Vec<bool> = (0..)
            .zip(&shells.faces)
            .map(|(shell, faces)| is_stray(surface, faces, &outside, &mut seen, shell))
            .collect();
        for shell in bones.shells_apart(surface, &shells) {
            stray[shell] = true;
        }
        let counts = |face: usize| {
            let of_stray = shells.of_face[face].is_none_or(|shell| stray[shell as usize]);
            !of_stray && surface.faces[face].iter().all(|&p| !outside[p as usize])
        };
        let kept: Vec<usize> = (0..surface.faces.len()).filter(|&f| counts(f)).collect();
        if kept.len() == surface.faces.len() && !names_fewer(surface) {
            return None;
        }
        let compact = compacted(surface, &kept);
        let enough = compact.points.len() as f64 >= ENOUGH_POINTS * surface.points.len() as f64;
        let (all_low, all_high) = bounds(surface.points.iter().copied())?;
        let (low, high) = bounds(compact.points.iter().copied())?;
        let longest = |low: DVec3, high: DVec3| (high - low).max_element();
        let most = if kept.len() == surface.faces.len() {
            A_LITTLE_SMALLER
        } else {
            SMALLER
        };
        let is_smaller = longest(low, high) < most * longest(all_low, all_high);
        let held = bones
            .joints
            .iter()
            .filter(|p| p.cmpge(low).all() && p.cmple(high).all())
            .count();
        if !enough || !is_smaller || (held as f64) < ENOUGH_JOINTS * bones.joints.len() as f64 {
            return None;
        }
        let mut is_stray = vec![true; surface.points.len()];
        for &p in kept.iter().flat_map(|&face| &surface.faces[face]) {
            is_stray[p as usize] = false;
        }
        Some(Self {
            is_stray,
            shells: stray.iter().filter(|&&s| s).count(),
            points: surface.points.len() - compact.points.len(),
            surface: compact,
        })
    }
}

/// Whether there are points that no face names.
fn names_fewer(surface: &WeldedMesh) -> bool {
    let mut named = vec![false; surface.points.len()];
    for &p in surface.faces.iter().flatten() {
        named[p as usize] = true;
    }
    named.contains(&false)
}

/// The joints that skin may follow, far ones apart, and the lines between them.
struct NearBones {
    joints: Vec<DVec3>,
    lines: Vec<(DVec3, DVec3)>,
    /// How far from a bone is still near it.
    near: f64,
    /// What is within reach.
    low: DVec3,
    high: DVec3,
}

impl NearBones {
    fn of(skeleton: &Skeleton) -> Option<Self> {
        let listed: Vec<_> = skeleton
            .indices()
            .filter(|&j| skeleton.joint(j).in_skin)
            .map(|j| (j, skeleton.bind_position(j)))
            .collect();
        let furthest = furthest_of_body(&listed.iter().map(|j| j.1).collect::<Vec<_>>())?;
        let middle = median(&listed.iter().map(|j| j.1).collect::<Vec<_>>());
        let is_near = |p: DVec3| p.distance(middle) <= furthest;
        let joints: Vec<DVec3> = listed.iter().map(|j| j.1).filter(|&p| is_near(p)).collect();
        let (low, high) = bounds(joints.iter().copied())?;
        let reach = low.distance(high);
        if reach <= 0.0 {
            return None;
        }
        let line = |&(joint, at): &(_, DVec3)| {
            let parent = skeleton.skin_parent(joint).map(|p| skeleton.bind_position(p));
            let from = parent.filter(|&p| is_near(p)).unwrap_or(at);
            is_near(at).then_some((from, at))
        };
        Some(Self {
            lines: listed.iter().filter_map(line).collect(),
            joints,
            near: NEAR * reach,
            low: low - reach,
            high: high + reach,
        })
    }

    /// The shells that neither belong to a bone nor lie among those that do.
    fn shells_apart(&self, surface: &WeldedMesh, shells: &Shells) -> Vec<usize> {
        let asked = |shell: usize| {
            let faces = &shells.faces[shell];
            let step = faces.len().div_ceil(ASKED);
            faces
                .iter()
                .step_by(step)
                .map(|&face| surface.corners(face as usize))
        };
        let is_body = |shell: &usize| {
            self.come_near(asked(*shell)) || self.pass_through(surface, &shells.faces[*shell])
        };
        let (body, others): (Vec<usize>, Vec<usize>) = (0..shells.count()).partition(is_body);
        let corners = body.iter().flat_map(|&shell| &shells.faces[shell]);
        let Some((low, high)) = bounds(corners.flat_map(|&face| surface.corners(face as usize))) else {
            return Vec::new();
        };
        let size = low.distance(high);
        let gap = GAP / NEAR * self.near;
        let is_inside =
            |corners: &[DVec3; 3]| corners.iter().any(|p| p.cmpge(low).all() && p.cmple(high).all());
        let is_apart = |shell: &usize| {
            let corners = shells.faces[*shell]
                .iter()
                .flat_map(|&face| surface.corners(face as usize));
            let Some((own_low, own_high)) = bounds(corners) else {
                return false;
            };
            let apart = (own_low - high).max(low - own_high).max_element() > gap;
            let inside = || asked(*shell).filter(is_inside).count() as f64;
            apart || own_low.distance(own_high) > size && inside() < FEW_INSIDE * asked(*shell).len() as f64
        };
        others.into_iter().filter(is_apart).collect()
    }

    /// Whether a bone comes near some faces.
    fn come_near(&self, faces: impl ExactSizeIterator<Item = [DVec3; 3]>) -> bool {
        let count = faces.len();
        let is_near = |p: DVec3| {
            let mut lines = self.lines.iter();
            lines.any(|&(from, to)| distance_squared(p, from, to) <= self.near * self.near)
        };
        let near = faces
            .filter(|corners| corners.iter().all(|&p| is_near(p)))
            .count();
        near as f64 >= FEW_NEAR * count as f64
    }

    /// Whether a joint lies in the box around a shell.
    fn pass_through(&self, surface: &WeldedMesh, faces: &[u32]) -> bool {
        let corners = faces.iter().flat_map(|&face| surface.corners(face as usize));
        bounds(corners).is_some_and(|(low, high)| {
            let mut joints = self.joints.iter();
            joints.any(|p| p.cmpge(low).all() && p.cmple(high).all())
        })
    }
}

/// The square of the distance from a segment.
fn distance_squared(p: DVec3, from: DVec3, to: DVec3) -> f64 {
    let along = to - from;
    let fraction = ((p - from).dot(along) / along.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    p.distance_squared(from + fraction * along)
}

/// The median along each axis.
fn median(points: &[DVec3]) -> DVec3 {
    let along = |axis: usize| {
        let mut values: Vec<f64> = points.iter().map(|p| p[axis]).collect();
        let middle = values.len() / 2;
        *values.select_nth_unstable_by(middle, f64::total_cmp).1
    };
    DVec3::new(along(0), along(1), along(2))
}

/// How far from their median joints lie that belong to the body: from the nearer half on, as long as the next is not
/// several times further.
fn furthest_of_body(joints: &[DVec3]) -> Option<f64> {
    if joints.is_empty() {
        return None;
    }
    let middle = median(joints);
    let mut distances: Vec<f64> = joints.iter().map(|p| p.distance(middle)).collect();
    distances.sort_by(f64::total_cmp);
    let mut furthest = distances[distances.len() / 2];
    for &next in &distances[distances.len() / 2..] {
        if furthest > 0.0 && next > FAR_JOINT * furthest {
            break;
        }
        furthest = next;
    }
    Some(furthest)
}

/// Whether a shell has more than a few of its points out of reach.
fn is_stray(surface: &WeldedMesh, faces: &[u32], outside: &[bool], seen: &mut [u32], shell: u32) -> bool {
    let (mut all, mut out) = (0usize, 0usize);
    for &p in faces.iter().flat_map(|&face| &surface.faces[face as usize]) {
        let p = p as usize;
        if seen[p] != shell {
            seen[p] = shell;
            all += 1;
            out += usize::from(outside[p]);
        }
    }
    out as f64 > FEW_POINTS * all as f64
}

/// The box around some points.
fn bounds(mut points: impl Iterator<Item = DVec3>) -> Option<(DVec3, DVec3)> {
    let first = points.next()?;
    Some(points.fold((first, first), |(l, h), p| (l.min(p), h.max(p))))
}

/// Some faces with the points that they name, and the diagonal of those.
fn compacted(surface: &WeldedMesh, kept: &[usize]) -> WeldedMesh {
    const NONE: u32 = u32::MAX;
    let mut index = vec![NONE; surface.points.len()];
    let mut points = Vec::new();
    let faces = kept
        .iter()
        .map(|&face| {
            surface.faces[face].map(|p| {
                if index[p as usize] == NONE {
                    index[p as usize] = points.len() as u32;
                    points.push(surface.points[p as usize]);
                }
                index[p as usize]
            })
        })
        .collect();
    let diagonal = bounds(points.iter().copied()).map_or(0.0, |(low, high)| low.distance(high));
    WeldedMesh {
        points,
        faces,
        diagonal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::Character;
    use crate::geometry::Weld;
    use glam::Vec3;

    fn with(character: &Character, positions: &[Vec3], faces: &[[u32; 3]]) -> WeldedMesh {
        let mut mesh = character.mesh.clone();
        let base = mesh.positions.len() as u32;
        mesh.positions.extend_from_slice(positions);
        mesh.triangles.extend(faces.iter().map(|f| f.map(|v| v + base)));
        WeldedMesh::by(&mesh, &Weld::of(&mesh))
    }

    #[test]
    fn what_lies_far_from_the_skeleton_does_not_count() {
        let character = crate::sample::make("athlete@1500").unwrap();
        let plain = with(&character, &[], &[]);
        assert_eq!(Extent::of(&plain, &character.skeleton), None);
        let size = character.mesh.diagonal();
        let corners = |side: f32| {
            [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
                .map(|(x, z)| Vec3::new(x * side, 0.0, z * side))
        };
        let far = Vec3::new(30.0 * size, 0.0, 0.0);
        let stray = with(&character, &[far, far + Vec3::X, far + Vec3::Y], &[[0, 1, 2]]);
        let floor = with(&character, &corners(10.0 * size), &[[0, 1, 2], [0, 2, 3]]);
        for (surface, points) in [(stray, 3), (floor, 4)] {
            let extent = Extent::of(&surface, &character.skeleton).unwrap();
            assert_eq!((extent.shells, extent.points), (1, points));
            assert_eq!(extent.surface.faces.len(), plain.faces.len());
        }
    }

    #[test]
    fn one_vertex_astray_takes_its_faces_with_it_and_no_more() {
        let mut character = crate::sample::make("athlete@1500").unwrap();
        let plain = WeldedMesh::of(&character.mesh);
        character.mesh.positions[7].y += 1e4;
        let weld = Weld::within(&character.mesh.positions, 0.0);
        let surface = WeldedMesh::by(&character.mesh, &weld);
        let extent = Extent::of(&surface, &character.skeleton).unwrap();
        assert_eq!((extent.shells, extent.points), (0, 1));
        assert!(extent.surface.faces.len() + 20 > plain.faces.len());
        assert!(extent.surface.diagonal < 1.1 * plain.diagonal);
    }

    #[test]
    fn a_skeleton_in_other_units_says_nothing() {
        let mut character = crate::sample::make("athlete@1500").unwrap();
        for joint in &mut character.skeleton.joints {
            joint.bind_from_joint.translation *= 0.01;
        }
        let surface = WeldedMesh::of(&character.mesh);
        assert_eq!(Extent::of(&surface, &character.skeleton), None);
    }
}
