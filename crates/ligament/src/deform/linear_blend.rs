//! Linear blend skinning: v' = Σ wᵢ Mᵢ v, with Mᵢ = `world_from_bind` of joint i.
//!
//! Normals go by the cofactor matrix of the blended 3×3 part, which equals the inverse
//! transpose up to scale and keeps them square to the faces under stretch. A joint that
//! mirrors turns faces inside out, and the normals with them. Where the blend squashes
//! space to nothing the rest normal stays.

use glam::{DAffine3, Vec3, Vec3A};

use super::skinned_mesh::{InfluenceTable, Influences, SkinnedMesh, with_influences};
use super::{DeformError, Deformed};

/// The columns of a 3×4 matrix, each in a SIMD register.
pub(super) type Columns = [Vec3A; 4];

/// Matrices in `f32`, ready to blend.
pub(super) fn palette(world_from_bind: &[DAffine3]) -> Vec<Columns> {
    world_from_bind
        .iter()
        .map(|m| {
            [
                m.matrix3.x_axis,
                m.matrix3.y_axis,
                m.matrix3.z_axis,
                m.translation,
            ]
            .map(|c| c.as_vec3a())
        })
        .collect()
}

/// Σ wᵢ Mᵢ of a vertex.
#[inline(always)]
pub(super) fn blend(palette: &[Columns], influences: impl Iterator<Item = (usize, f32)>) -> Columns {
    let mut m = [Vec3A::ZERO; 4];
    for (joint, weight) in influences {
        let joint = &palette[joint];
        for c in 0..4 {
            m[c] += joint[c] * weight;
        }
    }
    m
}

#[inline(always)]
pub(super) fn transform_point(m: &Columns, p: Vec3) -> Vec3A {
    m[0] * p.x + m[1] * p.y + m[2] * p.z + m[3]
}

/// A normal by the cofactors of the 3×3 part, not normalised.
#[inline(always)]
pub(super) fn transform_normal(m: &Columns, n: Vec3) -> Vec3A {
    m[1].cross(m[2]) * n.x + m[2].cross(m[0]) * n.y + m[0].cross(m[1]) * n.z
}

impl SkinnedMesh {
    /// Linear blend skinning by one `world_from_bind` matrix per joint
    /// ([`Pose::world_from_bind`](crate::Pose::world_from_bind)).
    pub fn linear_blend(&self, world_from_bind: &[DAffine3]) -> Result<Deformed, DeformError> {
        let mut out = Deformed::default();
        self.linear_blend_into(world_from_bind, &mut out)?;
        Ok(out)
    }

    /// The same into buffers that are used again from pose to pose.
    pub fn linear_blend_into(
        &self,
        world_from_bind: &[DAffine3],
        out: &mut Deformed,
    ) -> Result<(), DeformError> {
        self.check_joints(world_from_bind.len())?;
        let palette = palette(world_from_bind);
        with_influences!(&self.influences, table => self.fill(out, |v| {
            let m = blend(&palette, table.of_vertex(v));
            let rest = self.normals[v];
            let normal = Vec3::from(transform_normal(&m, rest)).try_normalize().unwrap_or(rest);
            (transform_point(&m, self.positions[v]).into(), normal)
        }));
        Ok(())
    }

    /// Positions alone, at less than half the cost.
    pub fn linear_blend_positions_into(
        &self,
        world_from_bind: &[DAffine3],
        out: &mut Vec<Vec3>,
    ) -> Result<(), DeformError> {
        self.check_joints(world_from_bind.len())?;
        let palette = palette(world_from_bind);
        with_influences!(&self.influences, table => self.fill_positions(out, |v| {
            let m = blend(&palette, table.of_vertex(v));
            transform_point(&m, self.positions[v]).into()
        }));
        Ok(())
    }
}
