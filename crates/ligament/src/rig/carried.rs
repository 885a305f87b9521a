//! What a body carries: weapons, shields, tools, lamps.
//!
//! They are as long as limbs and end further out, so that arms seem to go on to their tips. What parts or materials are called says so,
//! and so does the shape: a separate shell beside the plane of symmetry that has no counterpart on the other side. Weapons that both
//! hands hold alike are known by name alone, and what is one shell with the body is not known at all.

use glam::DVec3;

use crate::character::{Mesh, WordKind, split_name, word_kind};
use crate::geometry::{NearPoints, Shells, WeldedMesh};

/// Points on the surface are so far apart, and a counterpart is so near, as a share of the longest extent.
const REACH: f64 = 0.02;
/// A triangle whose area is less than this share of the square of its longest edge is a sliver.
const SLIVER: f64 = 0.1;
/// No triangle has more points along an edge.
const MOST_POINTS: f64 = 64.0;
/// Less of a surface than this with a counterpart, and the body is in no pose that says what has none.
const SYMMETRIC: f64 = 0.6;
/// Another axis than X is across the body only if so much more has a counterpart.
const CLEARLY: f64 = 0.02;
/// A shell with less than this has none,
const ALONE: f64 = 0.5;
/// if it stays so far from the plane, as a share of the longest extent,
const ASIDE: f64 = 0.03;
/// and is no smaller than this: a pouch or a brooch leads nobody astray.
const LARGE: f64 = 0.12;
/// More of the surface than this is not carried.
const MOST: f64 = 0.45;
/// Without what it carries, a side reaches at least so far out as the other.
const BALANCED: f64 = 0.8;

/// The mesh without what the body carries; `None` if it carries nothing, as far as that shows.
pub fn without_carried(mesh: &Mesh) -> Option<Mesh> {
    let welded = WeldedMesh::of(mesh);
    let shells = Shells::of(&welded);
    let points = SurfacePoints::of(&welded);
    let named = named(mesh);
    let mut left_out = named.clone();
    if let Some(alone) = points.alone(&welded, &shells, &named) {
        for (out, alone) in left_out.iter_mut().zip(alone) {
            *out |= alone;
        }
    }
    let area = |faces: &[bool]| -> f64 {
        let of = |f: usize| welded.area_vector(f).length();
        (0..faces.len()).filter(|&f| faces[f]).map(of).sum()
    };
    let all = area(&vec![true; left_out.len()]);
    let kept = [&left_out, &named]
        .into_iter()
        .find(|out| area(out) <= MOST * all)?;
    kept.contains(&true).then(|| without(mesh, kept))
}

/// For each face, whether its part or material is called after something that is carried.
fn named(mesh: &Mesh) -> Vec<bool> {
    let mut named = vec![false; mesh.triangles.len()];
    for part in &mesh.parts {
        let carried = [&part.name, &part.material.name].into_iter().any(|name| {
            let is_prop = |word: &str| word_kind(word) == Some(WordKind::Prop);
            let words = split_name(name);
            words
                .iter()
                .any(|w| is_prop(w) || is_prop(w.trim_end_matches('s')))
        });
        if carried {
            named[part.triangles.clone()].fill(true);
        }
    }
    named
}

/// The mesh without some faces, and without the positions that they alone have.
fn without(mesh: &Mesh, left_out: &[bool]) -> Mesh {
    let mut new_of_old = vec![None; mesh.positions.len()];
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for (triangle, _) in mesh.triangles.iter().zip(left_out).filter(|t| !t.1) {
        triangles.push(triangle.map(|v| {
            *new_of_old[v as usize].get_or_insert_with(|| {
                positions.push(mesh.positions[v as usize]);
                positions.len() as u32 - 1
            })
        }));
    }
    Mesh::single_part("body", positions, triangles)
}

/// What the points of a shell say about it.
#[derive(Clone)]
struct Extent {
    points: f64,
    /// Those that have a counterpart.
    partnered: f64,
    low: DVec3,
    high: DVec3,
}

impl Default for Extent {
    fn default() -> Self {
        Self {
            points: 0.0,
            partnered: 0.0,
            low: DVec3::INFINITY,
            high: DVec3::NEG_INFINITY,
        }
    }
}

/// Points spread over a surface.
struct SurfacePoints {
    points: Vec<DVec3>,
    /// The face that each is on; ascending.
    faces: Vec<u32>,
    /// What each counts: one, and less on slivers, whose points lie closer than they are apart along the longest edge.
    weights: Vec<f64>,
    longest: f64,
}

impl SurfacePoints {
    fn of(welded: &WeldedMesh) -> Self {
        let low = welded.points.iter().copied().fold(DVec3::INFINITY, DVec3::min);
        let high = welded
            .points
            .iter()
            .copied()
            .fold(DVec3::NEG_INFINITY, DVec3::max);
        let longest = (high - low).max_element();
        let mut found = Self {
            points: Vec::new(),
            faces: Vec::new(),
            weights: Vec::new(),
            longest,
        };
        for face in (0..welded.faces.len()).filter(|&f| !welded.is_collapsed(f)) {
            let [a, b, c] = welded.corners(face);
            let edge = a.distance(b).max(b.distance(c)).max(c.distance(a));
            let steps = (edge / (REACH * longest)).ceil().clamp(1.0, MOST_POINTS) as u32;
            let full = (SLIVER * edge * edge).max(f64::MIN_POSITIVE);
            let weight = if steps > 1 {
                (welded.area_vector(face).length() / full).min(1.0)
            } else {
                1.0
            };
            // The middles of the triangles that halves of its edges and so on divide it into.
            for i in 0..steps {
                for j in 0..steps - i {
                    let share = |k: u32| (f64::from(k) + 1.0 / 3.0) / f64::from(steps);
                    found.points.push(a + share(i) * (b - a) + share(j) * (c - a));
                    found.faces.push(face as u32);
                    found.weights.push(weight);
                }
            }
        }
        found
    }

    /// For each face, whether its shell is beside the plane of symmetry and has no counterpart. What is carried by name does not count.
    /// `None` if the body is too far from symmetric, or one side would miss a limb without them.
    fn alone(&self, welded: &WeldedMesh, shells: &Shells, carried: &[bool]) -> Option<Vec<bool>> {
        let body: Vec<usize> = (0..self.points.len())
            .filter(|&p| !carried[self.faces[p] as usize])
            .collect();
        let (axis, at, partnered) = self.mirror(&body)?;
        let mut of_shell = vec![Extent::default(); shells.count()];
        for (&p, partnered) in body.iter().zip(&partnered) {
            if let Some(shell) = shells.of_face[self.faces[p] as usize] {
                let extent = &mut of_shell[shell as usize];
                extent.points += self.weights[p];
                extent.partnered += if *partnered { self.weights[p] } else { 0.0 };
                extent.low = extent.low.min(self.points[p]);
                extent.high = extent.high.max(self.points[p]);
            }
        }
        let alone = |extent: &Extent| {
            let few = extent.partnered < ALONE * extent.points;
            let aside = (extent.low[axis] - at).max(at - extent.high[axis]) > ASIDE * self.longest;
            few && aside && (extent.high - extent.low).max_element() > LARGE * self.longest
        };
        let alone: Vec<bool> = of_shell.iter().map(alone).collect();
        let of_face = |face: usize| shells.of_face[face].is_some_and(|s| alone[s as usize]);
        let reach = |sign: f64, without: bool| {
            let kept = body
                .iter()
                .filter(|&&p| !without || !of_face(self.faces[p] as usize));
            kept.map(|&p| sign * (self.points[p][axis] - at))
                .fold(0.0, f64::max)
        };
        for sign in [1.0, -1.0] {
            let loses = reach(sign, true) < reach(sign, false);
            if loses && reach(sign, true) < BALANCED * reach(-sign, true) {
                return None;
            }
        }
        Some((0..welded.faces.len()).map(of_face).collect())
    }

    /// The plane that most points have a counterpart across, as its axis and place, and which have.
    fn mirror(&self, body: &[usize]) -> Option<(usize, f64, Vec<bool>)> {
        let points: Vec<DVec3> = body.iter().map(|&p| self.points[p]).collect();
        if points.is_empty() || self.longest <= 0.0 {
            return None;
        }
        let weights = || body.iter().map(|&p| self.weights[p]);
        let all = weights().sum::<f64>().max(f64::MIN_POSITIVE);
        let reach = REACH * self.longest;
        let near = NearPoints::new(&points, reach);
        let mut best: Option<(usize, f64, Vec<bool>)> = None;
        let mut most = SYMMETRIC;
        for axis in [0, 2, 1] {
            let along = || points.iter().map(|p| p[axis]);
            let (low, high) = (
                along().fold(f64::INFINITY, f64::min),
                along().fold(f64::NEG_INFINITY, f64::max),
            );
            let mean = along()
                .zip(weights())
                .map(|(at, weight)| at * weight)
                .sum::<f64>()
                / all;
            for at in [0.5 * (low + high), 0.0, mean] {
                let partnered: Vec<bool> = points
                    .iter()
                    .map(|p| {
                        let mut image = *p;
                        image[axis] = 2.0 * at - p[axis];
                        near.is_near(image)
                    })
                    .collect();
                let with = weights().zip(&partnered).filter(|(_, with)| **with);
                let share = with.map(|(weight, _)| weight).sum::<f64>() / all;
                let margin = best
                    .as_ref()
                    .map_or(0.0, |b| if b.0 == axis { 1e-3 } else { CLEARLY });
                if share > most + margin {
                    most = share;
                    best = Some((axis, at, partnered));
                }
            }
        }
        best
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec3;

    use super::*;
    use crate::geometry::shapes::{cube, joined};

    fn athlete() -> Mesh {
        crate::sample::make("athlete@3000").unwrap().mesh
    }

    /// A box of a size.
    fn block(middle: Vec3, size: Vec3) -> Mesh {
        let mut mesh = cube(Vec3::splat(-0.5), 1.0);
        for p in &mut mesh.positions {
            *p = middle + *p * size;
        }
        mesh
    }

    /// A sword that goes on where the left arm ends.
    fn sword(sign: f32) -> Mesh {
        block(Vec3::new(sign * 1.25, 1.45, 0.0), Vec3::new(1.0, 0.05, 0.02))
    }

    #[test]
    fn a_body_and_what_has_a_counterpart_stay() {
        let body = athlete();
        assert!(without_carried(&body).is_none(), "nothing is carried");
        let both = joined(&[body, sword(1.0), sword(-1.0)]);
        assert!(without_carried(&both).is_none());
    }

    /// A shell beside the body that has no counterpart, whatever it is called.
    #[test]
    fn what_one_side_alone_holds_is_left_out_by_its_shape() {
        let body = athlete();
        let armed = joined(&[body.clone(), sword(1.0)]);
        let bare = without_carried(&armed).unwrap();
        assert_eq!(bare.triangles.len(), body.triangles.len());
        // Within the least size it is a jewel, and in the plane of symmetry a tail or a nose.
        let jewel = block(Vec3::new(0.3, 1.3, 0.2), Vec3::splat(0.05));
        assert!(without_carried(&joined(&[body.clone(), jewel])).is_none());
        let tail = block(Vec3::new(0.02, 0.9, -0.5), Vec3::new(0.1, 0.1, 0.7));
        assert!(without_carried(&joined(&[body, tail])).is_none());
    }

    /// The blade's slivers have more points than all of a body of few triangles.
    #[test]
    fn a_long_thin_blade_on_a_coarse_body_counts_little() {
        let body = crate::sample::make("athlete@1000").unwrap().mesh;
        let blade = block(Vec3::new(0.9, 1.45, 1.0), Vec3::new(0.02, 0.01, 2.6));
        let armed = joined(&[body.clone(), blade]);
        let bare = without_carried(&armed).unwrap();
        assert_eq!(bare.triangles.len(), body.triangles.len());
    }

    #[test]
    fn what_is_called_a_weapon_is_left_out_whatever_its_shape() {
        let body = athlete();
        let mut both = joined(&[body.clone(), sword(1.0), sword(-1.0)]);
        let (faces, points) = (body.triangles.len(), body.positions.len());
        let whole = both.parts[0].clone();
        let part = |name: &str, vertices, triangles| crate::character::Part {
            name: name.to_owned(),
            vertices,
            triangles,
            ..whole.clone()
        };
        both.parts = vec![
            part("Body", 0..points, 0..faces),
            part(
                "ShortSwords",
                points..both.positions.len(),
                faces..both.triangles.len(),
            ),
        ];
        let bare = without_carried(&both).unwrap();
        assert_eq!(bare.triangles.len(), faces);
        // A name for all of it says nothing.
        both.parts[0].name = "weapon_master".to_owned();
        assert!(without_carried(&both).is_none());
    }

    /// An arm that is a shell of its own and reaches out alone stays: its side would have none.
    #[test]
    fn a_limb_that_reaches_out_alone_is_no_weapon() {
        let trunk = block(Vec3::new(0.0, 1.0, 0.0), Vec3::new(0.4, 2.0, 0.4));
        let left = block(Vec3::new(0.7, 1.6, 0.0), Vec3::new(0.8, 0.1, 0.1));
        let right = block(Vec3::new(-0.55, 1.8, 0.0), Vec3::new(0.6, 0.1, 0.1));
        let hat = block(Vec3::new(-0.1, 2.2, 0.0), Vec3::new(1.4, 0.1, 0.1));
        let posed = joined(&[trunk, left, right, hat]);
        assert!(without_carried(&posed).is_none());
    }
}
