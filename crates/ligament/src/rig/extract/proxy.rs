//! A watertight surface to contract in the mesh's place: the boundary of its voxels,
//! smoothed.
//!
//! The boundary of a well-composed set of voxels is a closed 2-manifold, one quadrilateral
//! for each face between a solid and an empty voxel. Its triangles are nearly equal, which
//! contraction likes better than what files hold; how many there are is bounded whatever
//! the mesh. Smoothing (Taubin 1995) takes the steps off and keeps the volume.

use glam::{DVec3, IVec3};

use super::voxels::{Voxels, beside};

/// A closed triangle mesh around solid voxels, wound outward.
#[derive(Debug, Clone, Default)]
pub(super) struct Proxy {
    pub points: Vec<DVec3>,
    pub faces: Vec<[u32; 3]>,
}

/// Rounds of smoothing. Fewer leave steps, more round fingertips off.
const ROUNDS: usize = 4;
const SHRINK: f64 = 0.5;
const GROW: f64 = -0.53;

impl Proxy {
    /// The surface around solid voxels.
    pub fn of(voxels: &Voxels) -> Self {
        const NONE: u32 = u32::MAX;
        let corners = voxels.size + 1;
        let mut index = vec![NONE; (corners.x * corners.y * corners.z) as usize];
        let mut proxy = Self::default();
        for at in (0..voxels.solid.len()).filter(|&at| voxels.solid[at]) {
            let v = voxels.voxel(at);
            for n in beside(v).filter(|&n| !voxels.is_solid(n)) {
                let quad = face_corners(v, n).map(|c| {
                    let slot = &mut index[((c.z * corners.y + c.y) * corners.x + c.x) as usize];
                    if *slot == NONE {
                        *slot = proxy.points.len() as u32;
                        proxy.points.push(voxels.origin + c.as_dvec3() * voxels.cell);
                    }
                    *slot
                });
                // Diagonals alternate, so that none is preferred.
                let [a, b, c, d] = quad;
                if (v.x + v.y + v.z) % 2 == 0 {
                    proxy.faces.extend([[a, b, c], [a, c, d]]);
                } else {
                    proxy.faces.extend([[b, c, d], [b, d, a]]);
                }
            }
        }
        proxy.smooth();
        proxy
    }

    /// For each point, the points that share an edge with it, ascending.
    pub fn rings(&self) -> Vec<Vec<u32>> {
        let mut rings = vec![Vec::new(); self.points.len()];
        for &[a, b, c] in &self.faces {
            rings[a as usize].extend([b, c]);
            rings[b as usize].extend([a, c]);
            rings[c as usize].extend([a, b]);
        }
        for ring in &mut rings {
            ring.sort_unstable();
            ring.dedup();
        }
        rings
    }

    fn smooth(&mut self) {
        let rings = self.rings();
        for factor in [SHRINK, GROW].repeat(ROUNDS) {
            self.points = rings
                .iter()
                .zip(&self.points)
                .map(|(ring, &p)| {
                    let sum: DVec3 = ring.iter().map(|&n| self.points[n as usize]).sum();
                    p.lerp(sum / ring.len().max(1) as f64, factor)
                })
                .collect();
        }
    }

    /// The volume that the surface encloses.
    pub fn volume(points: &[DVec3], faces: &[[u32; 3]]) -> f64 {
        // About a corner of the mesh itself, so that a point far off costs no digits.
        let origin = points.first().copied().unwrap_or_default();
        let six_times: f64 = faces
            .iter()
            .map(|face| {
                let [a, b, c] = face.map(|p| points[p as usize] - origin);
                a.dot(b.cross(c))
            })
            .sum();
        six_times / 6.0
    }
}

/// The corners of the face between a voxel and its neighbour, counter-clockwise seen from
/// the neighbour.
fn face_corners(v: IVec3, neighbour: IVec3) -> [IVec3; 4] {
    let out = neighbour - v;
    let axis = (0..3).find(|&a| out[a] != 0).unwrap_or(0);
    let (mut i, mut j) = (IVec3::AXES[(axis + 1) % 3], IVec3::AXES[(axis + 2) % 3]);
    if out[axis] < 0 {
        (i, j) = (j, i);
    }
    let base = v + out.max(IVec3::ZERO);
    [base, base + i, base + i + j, base + j]
}
