//! The pieces a mesh falls into.

use super::WeldedMesh;

/// Connected components of the welded mesh. Faces that share a position belong to one
/// shell. Collapsed faces ([`WeldedMesh::is_collapsed`]) belong to none and connect nothing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shells {
    /// For each face the shell it belongs to.
    pub of_face: Vec<Option<u32>>,
    /// For each shell its faces, ascending. Shells come in the order of their first faces.
    pub faces: Vec<Vec<u32>>,
}

impl Shells {
    /// Finds the shells of a mesh.
    pub fn of(welded: &WeldedMesh) -> Self {
        let mut sets = DisjointSets::new(welded.points.len());
        for (face, &[a, b, c]) in welded.faces.iter().enumerate() {
            if !welded.is_collapsed(face) {
                sets.join(a, b);
                sets.join(b, c);
            }
        }
        let mut shell_of_root: Vec<Option<u32>> = vec![None; welded.points.len()];
        let mut shells = Self {
            of_face: vec![None; welded.faces.len()],
            faces: Vec::new(),
        };
        for (face, corners) in welded.faces.iter().enumerate() {
            if welded.is_collapsed(face) {
                continue;
            }
            let shell = *shell_of_root[sets.root(corners[0]) as usize].get_or_insert_with(|| {
                shells.faces.push(Vec::new());
                shells.faces.len() as u32 - 1
            });
            shells.of_face[face] = Some(shell);
            shells.faces[shell as usize].push(face as u32);
        }
        shells
    }

    /// How many shells there are.
    pub fn count(&self) -> usize {
        self.faces.len()
    }
}

/// Union–find with path halving; the smaller number becomes the root.
pub(crate) struct DisjointSets(Vec<u32>);

impl DisjointSets {
    /// Every element alone.
    pub fn new(count: usize) -> Self {
        Self((0..count as u32).collect())
    }

    /// The smallest element of the set that holds `at`.
    pub fn root(&mut self, mut at: u32) -> u32 {
        while self.0[at as usize] != at {
            let above = self.0[self.0[at as usize] as usize];
            self.0[at as usize] = above;
            at = above;
        }
        at
    }

    /// Makes two sets one.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}

#[cfg(test)]
mod tests {
    use super::super::shapes::{cube, joined, welded};
    use super::*;
    use glam::Vec3;

    #[test]
    fn cubes_apart_are_shells_and_cubes_that_share_a_corner_are_one() {
        let apart = joined(&[cube(Vec3::ZERO, 1.0), cube(Vec3::X * 3.0, 1.0)]);
        let shells = Shells::of(&welded(&apart));
        assert_eq!(shells.count(), 2);
        assert_eq!(shells.faces[1], (12..24).collect::<Vec<u32>>());
        assert_eq!(shells.of_face[23], Some(1));
        let touching = joined(&[cube(Vec3::ZERO, 1.0), cube(Vec3::splat(1.0), 1.0)]);
        assert_eq!(Shells::of(&welded(&touching)).count(), 1);
    }

    #[test]
    fn collapsed_faces_connect_nothing() {
        let mut m = joined(&[cube(Vec3::ZERO, 1.0), cube(Vec3::X * 3.0, 1.0)]);
        m.triangles.push([0, 8, 8]);
        m.parts[1].triangles.end += 1;
        let shells = Shells::of(&welded(&m));
        assert_eq!((shells.count(), shells.of_face[24]), (2, None));
    }
}
