//! A skin of fewer points for meshes of very many.
//!
//! Weights change over the length of a limb, not from one of a million vertices to the next. So methods whose cost grows
//! faster than the mesh work on clusters: the points of one cell of a grid that are connected within it and belong to one
//! part become one point, and faces between three clusters stay. A point then takes the weights of the nearest point on
//! the faces around its cluster. Cells are laid out from the plane in the middle, so that a symmetric skin has symmetric
//! clusters. The solid is still that of the whole surface.

use std::sync::Arc;

use glam::{DVec3, I64Vec3};
use rayon::prelude::*;

use super::{NO_POINT, Skin, SkinSurface};
use crate::character::{Influence, JointIndex, Weights, WeightsError};
use crate::geometry::{DisjointSets, WeldedMesh};

/// Clusters that are not a good deal fewer than the points are not worth it.
const WORTH_IT: f64 = 0.7;
/// Clusters for each cell's area of surface: a surface cuts cells askew.
const CLUSTERS_PER_AREA: f64 = 1.6;
/// Points handled by a thread in one go.
const CHUNK: usize = 4096;

/// How points follow clusters.
#[derive(Debug)]
pub(super) struct Interpolation {
    /// For each point three clusters and the fractions of the second and the third.
    corners: Vec<([u32; 3], [f32; 2])>,
    /// For each cluster how many points it has.
    multiplicity: Vec<u32>,
}

/// The clusters of a surface.
struct Clusters {
    of_point: Vec<u32>,
    count: usize,
}

impl Skin {
    /// The same skin with about `count` points; none if it has not many more, or cannot be made coarser.
    pub(crate) fn coarser(&self, count: usize) -> Option<Self> {
        let fine = &self.shared.surface;
        if self.len() <= 2 * count {
            return None;
        }
        let clusters = Clusters::of(self, count)?;
        let surface = clusters.surface(fine);
        let (faces, mesh_faces): (Vec<[u32; 3]>, Vec<u32>) = fine
            .faces
            .iter()
            .zip(&self.shared.mesh_faces)
            .map(|(face, &mesh_face)| (face.map(|p| clusters.of_point[p as usize]), mesh_face))
            .filter(|([a, b, c], _)| a != b && b != c && c != a)
            .unzip();
        let mut first_of = vec![NO_POINT; clusters.count];
        for (point, &cluster) in clusters.of_point.iter().enumerate().rev() {
            first_of[cluster as usize] = self.shared.body_points[point];
        }
        let surface = Arc::new(WeldedMesh { faces, ..surface });
        let interpolation = Interpolation::of(&fine.points, &clusters, &surface);
        let point_of_body = self.shared.point_of_body.iter().map(|&point| match point {
            NO_POINT => NO_POINT,
            point => clusters.of_point[point as usize],
        });
        let shared = SkinSurface {
            weld: self.shared.weld.clone(),
            surface,
            second_faces: self.shared.second_faces,
            mesh_faces,
            body_points: first_of,
            point_of_body: point_of_body.collect(),
            body: self.shared_body().clone().into(),
            laplacian: Default::default(),
        };
        Some(Self {
            character: self.character.clone(),
            shared: shared.into(),
            strays: Arc::default(),
            deforming: Arc::default(),
            finer: Some((self.clone(), interpolation).into()),
        })
    }
}

impl Clusters {
    fn of(skin: &Skin, count: usize) -> Option<Self> {
        let surface = &skin.shared.surface;
        let area: f64 = (0..surface.faces.len())
            .into_par_iter()
            .with_min_len(CHUNK)
            .map(|face| surface.area_vector(face).length())
            .collect::<Vec<f64>>()
            .iter()
            .sum();
        let size = (CLUSTERS_PER_AREA * area / count as f64).sqrt();
        if !(size.is_finite() && size > 0.0) {
            return None;
        }
        let (low, high) = surface
            .points
            .iter()
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), &p| {
                (low.min(p), high.max(p))
            });
        let plane = (low.x + high.x) / 2.0;
        // Cells of one half are the mirror images of the other half's; one lies across the plane.
        let cell = |p: DVec3| {
            let aside = (p.x - plane) / size;
            let x = ((aside.abs() + 0.5).floor()).copysign(aside);
            DVec3::new(x, ((p.y - low.y) / size).floor(), ((p.z - low.z) / size).floor()).as_i64vec3()
        };
        let part_of = part_of_points(skin);
        let keys: Vec<(I64Vec3, u32)> = surface
            .points
            .par_iter()
            .with_min_len(CHUNK)
            .zip(&part_of)
            .map(|(&p, &part)| (cell(p), part))
            .collect();
        let mut sets = DisjointSets::new(surface.points.len());
        for &[a, b, c] in &surface.faces {
            for (a, b) in [(a, b), (b, c), (c, a)] {
                if keys[a as usize] == keys[b as usize] {
                    sets.join(a, b);
                }
            }
        }
        let mut of_point = vec![NO_POINT; surface.points.len()];
        let mut clusters = 0;
        for point in 0..of_point.len() as u32 {
            let root = sets.root(point);
            if root == point {
                of_point[point as usize] = clusters;
                clusters += 1;
            } else {
                of_point[point as usize] = of_point[root as usize]; // roots come first
            }
        }
        let found = Self {
            of_point,
            count: clusters as usize,
        };
        (found.count as f64 <= WORTH_IT * surface.points.len() as f64).then_some(found)
    }

    /// The clusters' middles, as yet without faces.
    fn surface(&self, fine: &WeldedMesh) -> WeldedMesh {
        let mut points = vec![DVec3::ZERO; self.count];
        let mut counts = vec![0u32; self.count];
        for (&cluster, &p) in self.of_point.iter().zip(&fine.points) {
            points[cluster as usize] += p;
            counts[cluster as usize] += 1;
        }
        for (p, &count) in points.iter_mut().zip(&counts) {
            *p /= f64::from(count);
        }
        WeldedMesh {
            points,
            faces: Vec::new(),
            diagonal: fine.diagonal,
        }
    }
}

/// The joints that the parts of a skin list: for each point its list, if any part has one.
pub(super) struct PartJoints {
    part_of: Vec<u32>,
    lists: Vec<Option<Vec<bool>>>,
}

impl PartJoints {
    pub fn of(skin: &Skin) -> Option<Self> {
        let parts = &skin.character.mesh.parts;
        if parts.iter().all(|part| part.joints.is_none()) {
            return None;
        }
        let list = |joints: &Vec<JointIndex>| {
            let mut listed = vec![false; skin.character.skeleton.joints.len()];
            for joint in joints {
                listed[joint.at()] = true;
            }
            listed
        };
        Some(Self {
            part_of: part_of_points(skin),
            lists: parts.iter().map(|part| part.joints.as_ref().map(list)).collect(),
        })
    }

    pub fn at(&self, point: usize) -> Option<&[bool]> {
        self.lists.get(self.part_of[point] as usize)?.as_deref()
    }
}

/// For each point the part that it first occurs in.
fn part_of_points(skin: &Skin) -> Vec<u32> {
    let mut part_of = vec![u32::MAX; skin.len()];
    for (index, part) in skin.character.mesh.parts.iter().enumerate().rev() {
        for vertex in part.vertices.clone() {
            if let Some(point) = skin.shared.point_at(vertex) {
                part_of[point.at()] = index as u32;
            }
        }
    }
    part_of
}

impl Interpolation {
    fn of(points: &[DVec3], clusters: &Clusters, surface: &WeldedMesh) -> Self {
        let mut starts = vec![0u32; clusters.count + 1];
        for &p in surface.faces.iter().flatten() {
            starts[p as usize + 1] += 1;
        }
        for p in 0..clusters.count {
            starts[p + 1] += starts[p];
        }
        let mut faces_of = vec![0u32; 3 * surface.faces.len()];
        let mut next = starts.clone();
        for (face, corners) in surface.faces.iter().enumerate() {
            for &p in corners {
                faces_of[next[p as usize] as usize] = face as u32;
                next[p as usize] += 1;
            }
        }
        let corners = points
            .par_iter()
            .with_min_len(CHUNK)
            .zip(&clusters.of_point)
            .map(|(&p, &cluster)| {
                let own = starts[cluster as usize] as usize..starts[cluster as usize + 1] as usize;
                let mut best = (f64::INFINITY, ([cluster; 3], [0.0; 2]));
                for &face in &faces_of[own] {
                    let [a, b, c] = surface.corners(face as usize);
                    let [v, w] = nearest_in_triangle(p, a, b, c);
                    let distance = (a + v * (b - a) + w * (c - a)).distance_squared(p);
                    if distance < best.0 {
                        best = (distance, (surface.faces[face as usize], [v as f32, w as f32]));
                    }
                }
                best.1
            })
            .collect();
        let mut multiplicity = vec![0; clusters.count];
        for &cluster in &clusters.of_point {
            multiplicity[cluster as usize] += 1;
        }
        Self {
            corners,
            multiplicity,
        }
    }

    pub fn multiplicity(&self, cluster: usize) -> usize {
        self.multiplicity[cluster] as usize
    }

    /// The weights of all points from those of the clusters, at most as many influences as any cluster has. `allowed` are
    /// the joints that a point may follow, if not all.
    pub fn weights<'a>(
        &self,
        of_clusters: &Weights,
        allowed: impl Fn(usize) -> Option<&'a [bool]> + Sync,
    ) -> Result<Weights, WeightsError> {
        let most = of_clusters.iter().map(<[Influence]>::len).max().unwrap_or(1);
        Weights::in_parallel(self.corners.len(), most.min(4), |points, builder| {
            let mut row: Vec<Influence> = Vec::new();
            for point in points {
                let (clusters, [second, third]) = self.corners[point];
                let mask = allowed(point);
                row.clear();
                for (cluster, fraction) in clusters.into_iter().zip([1.0 - second - third, second, third]) {
                    if fraction <= 0.0 {
                        continue;
                    }
                    for i in of_clusters.of_vertex(cluster as usize) {
                        if mask.is_some_and(|mask| !mask[i.joint.at()]) {
                            continue;
                        }
                        let weight = fraction * i.weight;
                        match row.iter_mut().find(|own| own.joint == i.joint) {
                            Some(own) => own.weight += weight,
                            None => row.push(Influence { weight, ..*i }),
                        }
                    }
                }
                row.sort_unstable_by(|a, b| b.weight.total_cmp(&a.weight).then(a.joint.cmp(&b.joint)));
                row.truncate(most);
                if builder.push(&row).is_err() {
                    builder.push_valid(of_clusters.of_vertex(clusters[0] as usize));
                }
            }
            Ok(())
        })
    }
}

/// The point of a triangle that is nearest to p: the fractions of its second and third corner (Ericson, Real-Time
/// Collision Detection, section 5.1.5).
fn nearest_in_triangle(p: DVec3, a: DVec3, b: DVec3, c: DVec3) -> [f64; 2] {
    let (ab, ac, ap) = (b - a, c - a, p - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return [0.0, 0.0];
    }
    let bp = p - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return [1.0, 0.0];
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return [d1 / (d1 - d3), 0.0];
    }
    let cp = p - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return [0.0, 1.0];
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return [0.0, d2 / (d2 - d6)];
    }
    let va = d3 * d6 - d5 * d4;
    if va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0 {
        let along = (d4 - d3) / ((d4 - d3) + (d5 - d6));
        return [1.0 - along, along];
    }
    let sum = va + vb + vc;
    [vb / sum, vc / sum]
}
