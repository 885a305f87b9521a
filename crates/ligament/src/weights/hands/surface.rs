//! The points that hands work on.

use rustc_hash::FxHashMap;

use crate::character::{JointIndex, Mesh, PartAttachment};
use crate::geometry::{SurfacePaths, Weld, WeldedMesh};

/// No point: a joint carries the vertex, or no part names it.
const NO_POINT: u32 = u32::MAX;

/// The welded points of a mesh that bend, which joints each may follow, and ways along the surface between them.
#[derive(Debug, Clone)]
pub struct HandSurface {
    /// For each vertex its point, or none.
    point_of_vertex: Vec<u32>,
    /// For each point its first vertex.
    first_vertex: Vec<u32>,
    /// For each point its vertices.
    vertices: Vec<u32>,
    starts: Vec<u32>,
    /// For each point the list of joints that it may follow.
    mask_of_point: Vec<u16>,
    masks: Vec<Option<Vec<JointIndex>>>,
    ways: SurfacePaths,
}

impl HandSurface {
    /// Looks at a mesh that has passed [`Mesh::check`].
    pub fn of(mesh: &Mesh) -> Self {
        let weld = Weld::of(mesh);
        let welded = WeldedMesh::by(mesh, &weld);
        let mut bends = vec![false; mesh.positions.len()];
        let mut masks: Vec<Option<Vec<JointIndex>>> = vec![None];
        let mut mask_of_point = vec![u16::MAX; weld.point_count()];
        let mut joined: FxHashMap<(u16, u16), u16> = FxHashMap::default();
        for part in mesh.parts.iter().filter(|p| p.attachment == PartAttachment::Skin) {
            let own = part.joints.clone().map(|mut joints| {
                joints.sort_unstable();
                joints
            });
            let mask = number_of(&mut masks, own);
            for vertex in part.vertices.clone() {
                bends[vertex] = true;
                let at = &mut mask_of_point[weld.point_of_vertex[vertex] as usize];
                if *at == mask {
                    continue;
                }
                // Where parts meet, a point follows joints that both list, so that no seam tears.
                *at = match *at {
                    u16::MAX => mask,
                    before => *joined.entry((before, mask)).or_insert_with(|| {
                        let both = match (&masks[usize::from(before)], &masks[usize::from(mask)]) {
                            (None, other) | (other, None) => other.clone(),
                            (Some(a), Some(b)) => {
                                Some(a.iter().filter(|j| b.binary_search(j).is_ok()).copied().collect())
                            }
                        };
                        number_of(&mut masks, both)
                    }),
                };
            }
        }
        let point_of_vertex = weld
            .point_of_vertex
            .iter()
            .zip(&bends)
            .map(|(&point, &bends)| if bends { point } else { NO_POINT })
            .collect();
        let mut starts = vec![0u32; weld.point_count() + 1];
        for &point in &weld.point_of_vertex {
            starts[point as usize + 1] += 1;
        }
        for point in 0..weld.point_count() {
            starts[point + 1] += starts[point];
        }
        let mut next = starts.clone();
        let mut vertices = vec![0; weld.point_of_vertex.len()];
        for (vertex, &point) in weld.point_of_vertex.iter().enumerate() {
            vertices[next[point as usize] as usize] = vertex as u32;
            next[point as usize] += 1;
        }
        Self {
            point_of_vertex,
            first_vertex: weld.first_vertex,
            vertices,
            starts,
            mask_of_point,
            masks,
            ways: SurfacePaths::of(&welded),
        }
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        self.first_vertex.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.first_vertex.is_empty()
    }

    /// The point of a vertex that bends.
    pub fn point_of_vertex(&self, vertex: usize) -> Option<u32> {
        self.point_of_vertex
            .get(vertex)
            .copied()
            .filter(|&p| p != NO_POINT)
    }

    /// The first vertex of a point.
    pub fn first_vertex(&self, point: u32) -> u32 {
        self.first_vertex[point as usize]
    }

    /// All vertices of a point.
    pub fn vertices_of(&self, point: u32) -> &[u32] {
        let at = point as usize;
        &self.vertices[self.starts[at] as usize..self.starts[at + 1] as usize]
    }

    /// Whether the parts of a point list a joint.
    pub fn allows(&self, point: u32, joint: JointIndex) -> bool {
        let mask = self.masks.get(usize::from(self.mask_of_point[point as usize]));
        match mask {
            Some(Some(joints)) => joints.binary_search(&joint).is_ok(),
            _ => true,
        }
    }

    /// Ways along the surface, between points.
    pub fn ways(&self) -> &SurfacePaths {
        &self.ways
    }
}

fn number_of(masks: &mut Vec<Option<Vec<JointIndex>>>, mask: Option<Vec<JointIndex>>) -> u16 {
    let found = masks.iter().position(|m| *m == mask);
    let at = found.unwrap_or_else(|| {
        masks.push(mask);
        masks.len() - 1
    });
    at.min(usize::from(u16::MAX) - 1) as u16
}
