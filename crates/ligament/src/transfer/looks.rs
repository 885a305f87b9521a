//! Which way a surface looks: out, or both ways where a sheet has a face on either side.

use glam::DVec3;

use crate::geometry::{normal_axes, normals};

/// Unit normals that cancel to this length say nothing but how numbers were rounded.
const CANCELS: f64 = 1e-6;

/// Which way a surface looks at a place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Look {
    /// Along its normal.
    Out(DVec3),
    /// Along this and against it.
    BothWays(DVec3),
    /// There is no face.
    Nowhere,
}

impl Look {
    pub fn is_both_ways(self) -> bool {
        matches!(self, Self::BothWays(_))
    }

    /// The cosine between two ways; the best one where either looks both ways, 1 where one looks nowhere.
    pub fn cosine(self, other: Self) -> f64 {
        match (self, other) {
            (Self::Nowhere, _) | (_, Self::Nowhere) => 1.0,
            (Self::Out(a), Self::Out(b)) => a.dot(b),
            (Self::Out(a) | Self::BothWays(a), Self::Out(b) | Self::BothWays(b)) => a.dot(b).abs(),
        }
    }
}

/// Which way a surface looks at its points.
#[derive(Debug, Clone)]
pub(super) struct Looks {
    /// Unit normals; zero where they cancel.
    normals: Vec<DVec3>,
    /// The same whatever side faces look to.
    axes: Vec<DVec3>,
}

impl Looks {
    pub fn of(points: &[DVec3], faces: &[[u32; 3]]) -> Self {
        Self {
            normals: normals(points, faces),
            axes: normal_axes(points, faces),
        }
    }

    /// At a point.
    pub fn at(&self, point: usize) -> Look {
        match (self.normals[point], self.axes[point]) {
            (DVec3::ZERO, DVec3::ZERO) => Look::Nowhere,
            (DVec3::ZERO, axis) => Look::BothWays(axis),
            (normal, _) => Look::Out(normal),
        }
    }

    /// Between the corners of a face.
    pub fn between(&self, corners: [u32; 3], barycentric: [f64; 3]) -> Look {
        let mixed = corners.iter().zip(barycentric);
        let (mut normal, mut axis) = (DVec3::ZERO, DVec3::ZERO);
        for (&point, fraction) in mixed {
            normal += fraction * self.normals[point as usize];
            let own = self.axes[point as usize];
            axis += fraction * if axis.dot(own) < 0.0 { -own } else { own };
        }
        match (normal.length(), axis.length()) {
            (length, _) if length > CANCELS => Look::Out(normal / length),
            (_, length) if length > CANCELS => Look::BothWays(axis / length),
            _ => Look::Nowhere,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sheet_looks_both_ways_and_a_point_nowhere() {
        let points = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z];
        let single = Looks::of(&points, &[[0, 1, 2]]);
        let sheet = Looks::of(&points, &[[0, 1, 2], [0, 2, 1]]);
        assert_eq!(single.at(0), Look::Out(DVec3::Z));
        assert_eq!(single.at(3), Look::Nowhere);
        assert!(matches!(sheet.at(0), Look::BothWays(axis) if axis.z.abs() == 1.0));
        assert!(matches!(
            sheet.between([0, 1, 2], [0.2, 0.3, 0.5]),
            Look::BothWays(_)
        ));
        let down = Look::Out(-DVec3::Z);
        assert_eq!(single.at(0).cosine(down), -1.0);
        assert_eq!(sheet.at(0).cosine(down), 1.0);
        assert_eq!(single.at(3).cosine(down), 1.0);
        assert_eq!(sheet.at(0).cosine(Look::Out(DVec3::X)), 0.0);
    }
}
