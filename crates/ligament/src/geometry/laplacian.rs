//! The cotangent Laplacian of a triangle soup.
//!
//! The weight of the edge between positions i and j is half the sum of the cotangents of
//! the angles that face it (Pinkall and Polthier 1993). Three things make it safe on
//! broken meshes: a face without area adds nothing, a face that repeats another (whatever
//! its orientation) counts once, and a negative sum counts as zero, so that every system
//! built on it obeys a maximum principle.

use glam::DVec3;
use rayon::prelude::*;

use super::repeated_faces::first_with_same_corners;
use crate::linear::SymmetricMatrix;

/// Cotangents beyond this belong to slivers, and would drown their neighbours.
const LARGEST_COTANGENT: f64 = 100.0;
/// Rows handled at once.
const ROWS: usize = 2048;

/// A symmetric sparse matrix, row by row, without its diagonal: that is minus the sum of
/// the row. `(L f)(i) = Σ_j weight(i, j)·(f(i) − f(j))` is positive semi-definite.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Laplacian {
    /// Where each position's row begins in `columns` and `weights`; one more at the end.
    pub starts: Vec<u32>,
    /// The neighbours of each position in ascending order.
    pub columns: Vec<u32>,
    /// The weights of the edges to them, none negative.
    pub weights: Vec<f64>,
    /// A third of the area of the faces around each position; zero where there is none.
    pub areas: Vec<f64>,
}

impl Laplacian {
    /// Builds the operator. Faces must name existing points.
    pub fn of(points: &[DVec3], faces: &[[u32; 3]]) -> Self {
        let mut areas = vec![0.0; points.len()];
        let mut starts = vec![0u32; points.len() + 1];
        let faces = distinct_faces(points.len(), faces);
        for &p in faces.iter().flatten() {
            starts[p as usize + 1] += 2;
        }
        for p in 0..points.len() {
            starts[p + 1] += starts[p];
        }
        // Every face adds to both directions of its edges; repeated entries merge below.
        let mut next = starts.clone();
        let entries_len = 6 * faces.len();
        let mut entries = vec![(0u32, 0.0f64); entries_len];
        for face in &faces {
            let [a, b, c] = face.map(|p| points[p as usize]);
            let double_area = (b - a).cross(c - a).length();
            for k in 0..3 {
                let (i, j, at) = (face[k], face[(k + 1) % 3], face[(k + 2) % 3]);
                areas[i as usize] += double_area / 6.0;
                let (u, v) = (
                    points[i as usize] - points[at as usize],
                    points[j as usize] - points[at as usize],
                );
                let cotangent = if double_area > 0.0 {
                    (u.dot(v) / double_area).clamp(-LARGEST_COTANGENT, LARGEST_COTANGENT)
                } else {
                    0.0
                };
                for (from, to) in [(i, j), (j, i)] {
                    let slot = &mut next[from as usize];
                    entries[*slot as usize] = (to, cotangent / 2.0);
                    *slot += 1;
                }
            }
        }
        // Rows are independent: sort and merge them in chunks.
        let mut rows: Vec<&mut [(u32, f64)]> = Vec::with_capacity(points.len());
        let mut rest = entries.as_mut_slice();
        for p in 0..points.len() {
            let (row, after) = rest.split_at_mut((starts[p + 1] - starts[p]) as usize);
            rows.push(row);
            rest = after;
        }
        let merged: Vec<(Vec<u32>, Vec<u32>, Vec<f64>)> =
            rows.par_chunks_mut(ROWS).map(merged_rows).collect();
        let mut laplacian = Self {
            starts: Vec::with_capacity(points.len() + 1),
            columns: Vec::with_capacity(entries_len / 2),
            weights: Vec::with_capacity(entries_len / 2),
            areas,
        };
        laplacian.starts.push(0);
        let mut end = 0;
        for (counts, columns, weights) in merged {
            for count in counts {
                end += count;
                laplacian.starts.push(end);
            }
            laplacian.columns.extend(columns);
            laplacian.weights.extend(weights);
        }
        laplacian
    }

    /// The neighbours of a position and the weights of the edges to them.
    pub fn row(&self, position: usize) -> impl Iterator<Item = (u32, f64)> + '_ {
        let range = self.starts[position] as usize..self.starts[position + 1] as usize;
        self.columns[range.clone()]
            .iter()
            .copied()
            .zip(self.weights[range].iter().copied())
    }

    /// `diagonal + scale·L` as a matrix, where every edge counts as at least `least_edge`, so that edges whose
    /// cotangents cancel or vanish still connect what they join.
    pub fn matrix(&self, diagonal: &[f64], scale: f64, least_edge: f64) -> SymmetricMatrix {
        SymmetricMatrix::of_graph(diagonal, |row| {
            self.row(row)
                .map(move |(to, weight)| (to, scale * weight.max(least_edge)))
        })
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.areas.len()
    }

    /// Whether there are no positions.
    pub fn is_empty(&self) -> bool {
        self.areas.is_empty()
    }
}

/// How many entries each row has, their columns and weights, repeated columns summed.
fn merged_rows(rows: &mut [&mut [(u32, f64)]]) -> (Vec<u32>, Vec<u32>, Vec<f64>) {
    let (mut counts, mut columns, mut weights) = (Vec::with_capacity(rows.len()), Vec::new(), Vec::new());
    for row in rows {
        let before = columns.len();
        // By value within an edge, so that both its directions sum in the same order and
        // agree to the last bit whatever the order of the faces.
        row.sort_unstable_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        for edge in row.chunk_by(|a, b| a.0 == b.0) {
            columns.push(edge[0].0);
            weights.push(edge.iter().map(|e| e.1).sum::<f64>().max(0.0));
        }
        counts.push((columns.len() - before) as u32);
    }
    (counts, columns, weights)
}

/// Faces with three different corners, each set of corners once, in their order.
fn distinct_faces(points: usize, faces: &[[u32; 3]]) -> Vec<[u32; 3]> {
    let first = first_with_same_corners(points, faces);
    let is_distinct = |face: usize| {
        let [a, b, c] = faces[face];
        first[face] as usize == face && a != b && b != c && c != a
    };
    (0..faces.len())
        .filter(|&face| is_distinct(face))
        .map(|face| faces[face])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A lattice in a plane, of squares or of sheared ones, its inner points moved about.
    fn sheet(n: u32, shear: f64, jitter: f64) -> (Vec<DVec3>, Vec<[u32; 3]>) {
        let mut points = Vec::new();
        let mut faces = Vec::new();
        for y in 0..n {
            for x in 0..n {
                let inner = x > 0 && y > 0 && x + 1 < n && y + 1 < n;
                let shift = if inner { jitter } else { 0.0 };
                let (a, b) = (f64::from(x * 7 + y * 3), f64::from(x * 5 + y * 11));
                let (u, v) = (f64::from(x) + shift * a.sin(), f64::from(y) + shift * b.cos());
                points.push(DVec3::new(u - shear * v, v * (1.0 - shear * shear).sqrt(), 0.0));
                if x + 1 < n && y + 1 < n {
                    let i = y * n + x;
                    faces.push([i, i + 1, i + n + 1]);
                    faces.push([i, i + n + 1, i + n]);
                }
            }
        }
        (points, faces)
    }

    #[test]
    fn squares_give_the_five_point_stencil() {
        let (points, faces) = sheet(5, 0.0, 0.0);
        let laplacian = Laplacian::of(&points, &faces);
        for (j, weight) in laplacian.row(12) {
            let straight = [7, 11, 13, 17].contains(&j);
            assert!(
                (weight - if straight { 1.0 } else { 0.0 }).abs() < 1e-12,
                "{j}: {weight}"
            );
        }
        assert!((laplacian.areas.iter().sum::<f64>() - 16.0).abs() < 1e-12);
        assert!((laplacian.areas[12] - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_linear_function_in_the_plane_is_harmonic() {
        let (points, faces) = sheet(8, 0.5, 0.1);
        let laplacian = Laplacian::of(&points, &faces);
        for y in 1..7 {
            for x in 1..7 {
                let i = y * 8 + x;
                let f = |p: usize| points[p].x - 2.0 * points[p].y;
                let sum: f64 = laplacian.row(i).map(|(j, w)| w * (f(i) - f(j as usize))).sum();
                assert!(sum.abs() < 1e-10, "{sum} at {x}, {y}");
            }
        }
    }

    #[test]
    fn it_is_symmetric_and_never_negative_on_a_real_mesh() {
        let character = crate::sample::make("knight@2000").unwrap();
        let points: Vec<DVec3> = character.mesh.positions.iter().map(|p| p.as_dvec3()).collect();
        let laplacian = Laplacian::of(&points, &character.mesh.triangles);
        for i in 0..laplacian.len() {
            for (j, weight) in laplacian.row(i) {
                assert!(weight >= 0.0 && weight.is_finite());
                let back = laplacian.row(j as usize).find(|&(k, _)| k as usize == i);
                assert_eq!(back, Some((i as u32, weight)));
            }
        }
    }

    #[test]
    fn repeated_turned_and_collapsed_faces_change_nothing() {
        let (points, faces) = sheet(4, 0.0, 0.1);
        let clean = Laplacian::of(&points, &faces);
        let mut broken = faces.clone();
        broken.extend(faces.iter().map(|&[a, b, c]| [c, b, a]));
        broken.push([3, 3, 7]);
        assert_eq!(Laplacian::of(&points, &broken), clean);
    }
}
