//! Dual quaternion skinning (Kavan, Collins, Žára, O'Sullivan 2008, "Geometric Skinning
//! with Approximate Dual Quaternion Blending"; algorithm 1 and section 3.6 on scale).
//!
//! Each joint's matrix is split by polar decomposition about the joint's position p in bind
//! space: M x = R S (x − p) + M p, S the symmetric scale and shear, R a rotation. Phase one blends the maps x → S (x − p) + p linearly; phase two blends the
//! rigid motions x → R (x − p) + M p as unit dual quaternions, signs chosen to agree with
//! the vertex's largest influence. Splitting about p instead of the origin keeps a joint
//! that scales and turns at once where it belongs. With a single influence the result is
//! the matrix itself. Phase one is skipped when no joint scales.
//!
//! Normals go by the cofactors of the blended S, then by the blended rotation. A mirrored
//! joint (negative determinant) has its reflection in S.

use glam::{DAffine3, DMat3, DQuat, DVec3, Quat, Vec3, Vec3A, Vec4};

use super::linear_blend::{Columns, blend, transform_normal, transform_point};
use super::skinned_mesh::{InfluenceTable, Influences, SkinnedMesh, with_influences};
use super::{DeformError, Deformed};
use crate::character::Skeleton;

/// A rigid motion: rotation and dual part, both as x, y, z, w.
#[derive(Debug, Clone, Copy)]
struct DualQuat {
    real: Vec4,
    dual: Vec4,
}

impl DualQuat {
    fn new(rotation: DQuat, translation: DVec3) -> Self {
        let dual = DQuat::from_xyzw(translation.x, translation.y, translation.z, 0.0) * rotation * 0.5;
        Self {
            real: Quat::from_array(rotation.to_array().map(|c| c as f32)).into(),
            dual: Quat::from_array(dual.to_array().map(|c| c as f32)).into(),
        }
    }

    /// Weighted sum with signs that agree with the first, normalised. The first influence
    /// is the largest; every other adds a part that does not point away from it, so the
    /// length never vanishes.
    #[inline(always)]
    fn blend(palette: &[Self], mut influences: impl Iterator<Item = (usize, f32)>) -> Self {
        let Some((joint, weight)) = influences.next() else {
            return Self {
                real: Vec4::W,
                dual: Vec4::ZERO,
            };
        };
        let first = &palette[joint];
        let (mut real, mut dual) = (first.real * weight, first.dual * weight);
        for (joint, weight) in influences {
            let q = &palette[joint];
            let signed = weight.copysign(first.real.dot(q.real));
            real += q.real * signed;
            dual += q.dual * signed;
        }
        let scale = real.length_recip();
        Self {
            real: real * scale,
            dual: dual * scale,
        }
    }

    #[inline(always)]
    fn rotate(&self, v: Vec3A) -> Vec3A {
        let axis = Vec3A::from_vec4(self.real);
        v + 2.0 * axis.cross(axis.cross(v) + v * self.real.w)
    }

    #[inline(always)]
    fn translation(&self) -> Vec3A {
        let (r, d) = (Vec3A::from_vec4(self.real), Vec3A::from_vec4(self.dual));
        2.0 * (d * self.real.w - r * self.dual.w + r.cross(d))
    }
}

/// What the two phases need of every joint.
pub(super) struct Palette {
    rigid: Vec<DualQuat>,
    /// x → S (x − p) + p; `None` when all are the identity.
    stretch: Option<Vec<Columns>>,
}

/// A stretch this close to the identity in every entry is none: what f64 matrices of a
/// rigid skeleton leave over, far under what f32 positions can show.
const NO_STRETCH: f64 = 1e-9;

impl Palette {
    pub fn new(skeleton: &Skeleton, world_from_bind: &[DAffine3]) -> Self {
        let mut rigid = Vec::with_capacity(world_from_bind.len());
        let mut stretch = Vec::with_capacity(world_from_bind.len());
        let mut stretches = false;
        for (m, joint) in world_from_bind.iter().zip(&skeleton.joints) {
            let p = joint.bind_from_joint.translation;
            let rotation = nearest_rotation(m.matrix3);
            let s = rotation.transpose() * m.matrix3;
            rigid.push(DualQuat::new(
                DQuat::from_mat3(&rotation).normalize(),
                m.transform_point3(p) - rotation * p,
            ));
            stretches |= !s.abs_diff_eq(DMat3::IDENTITY, NO_STRETCH);
            stretch.push([s.x_axis, s.y_axis, s.z_axis, p - s * p].map(|c| c.as_vec3a()));
        }
        Self {
            rigid,
            stretch: stretches.then_some(stretch),
        }
    }

    /// Both phases of a vertex as one map.
    pub fn blended(&self, influences: impl Iterator<Item = (usize, f32)> + Clone) -> DAffine3 {
        let motion = DualQuat::blend(&self.rigid, influences.clone());
        let turn = DQuat::from_vec4(motion.real.as_dvec4()).normalize();
        let motion = DAffine3::from_rotation_translation(turn, motion.translation().as_dvec3());
        match &self.stretch {
            None => motion,
            Some(stretch) => {
                let [x, y, z, offset] = blend(stretch, influences).map(|c| c.as_dvec3());
                motion * DAffine3::from_cols(x, y, z, offset)
            }
        }
    }
}

/// The rotation of the polar decomposition m = R S, with S symmetric: the rotation that is
/// nearest to m when m does not mirror, else that of −m. Where m is singular, some
/// rotation that agrees with it as far as it goes.
pub(super) fn nearest_rotation(m: DMat3) -> DMat3 {
    let size = m
        .x_axis
        .abs()
        .max(m.y_axis.abs())
        .max(m.z_axis.abs())
        .max_element();
    if !(size > 0.0 && size.is_finite()) {
        return DMat3::IDENTITY;
    }
    let mut r = m * (1.0 / size);
    let determinant = r.determinant();
    if determinant.abs() < 1e-12 {
        return rotation_of_flat(r);
    }
    if determinant < 0.0 {
        r *= -1.0;
    }
    // Newton's iteration; quadratic once near, halving the largest stretch before.
    for _ in 0..60 {
        let next = (r + r.inverse().transpose()) * 0.5;
        let settled = next.abs_diff_eq(r, 1e-15);
        r = next;
        if settled {
            break;
        }
    }
    if r.is_finite() { r } else { DMat3::IDENTITY }
}

/// Gram–Schmidt from the longest column on.
fn rotation_of_flat(m: DMat3) -> DMat3 {
    let columns = [m.x_axis, m.y_axis, m.z_axis];
    let lengths = columns.map(DVec3::length_squared);
    let first = (0..3).fold(0, |a, b| if lengths[b] > lengths[a] { b } else { a });
    let u = columns[first].normalize();
    let rest = |c: DVec3| c - u * c.dot(u);
    let (b, c) = ((first + 1) % 3, (first + 2) % 3);
    let (vb, vc) = (rest(columns[b]), rest(columns[c]));
    let v = if vb.length_squared() >= vc.length_squared() {
        vb.try_normalize()
    } else {
        vc.try_normalize().map(|w| w.cross(u))
    }
    .unwrap_or_else(|| u.any_orthonormal_vector());
    let mut out = [DVec3::ZERO; 3];
    out[first] = u;
    out[b] = v;
    out[c] = u.cross(v);
    DMat3::from_cols(out[0], out[1], out[2])
}

impl SkinnedMesh {
    /// Dual quaternion skinning by one `world_from_bind` matrix per joint. The skeleton
    /// says where joints are in bind space: scale is taken about those points.
    pub fn dual_quaternion(
        &self,
        skeleton: &Skeleton,
        world_from_bind: &[DAffine3],
    ) -> Result<Deformed, DeformError> {
        let mut out = Deformed::default();
        self.dual_quaternion_into(skeleton, world_from_bind, &mut out)?;
        Ok(out)
    }

    /// The same into buffers that are used again from pose to pose.
    pub fn dual_quaternion_into(
        &self,
        skeleton: &Skeleton,
        world_from_bind: &[DAffine3],
        out: &mut Deformed,
    ) -> Result<(), DeformError> {
        self.check_joints(world_from_bind.len().min(skeleton.joints.len()))?;
        let palette = Palette::new(skeleton, world_from_bind);
        let finish = |q: DualQuat, position: Vec3A, normal: Vec3A, rest_normal: Vec3| {
            let normal = Vec3::from(q.rotate(normal));
            (
                (q.rotate(position) + q.translation()).into(),
                normal.try_normalize().unwrap_or(rest_normal),
            )
        };
        with_influences!(&self.influences, table => match &palette.stretch {
            None => self.fill(out, |v| {
                let q = DualQuat::blend(&palette.rigid, table.of_vertex(v));
                let normal = self.normals[v];
                finish(q, self.positions[v].into(), normal.into(), normal)
            }),
            Some(stretch) => self.fill(out, |v| {
                let m = blend(stretch, table.of_vertex(v));
                let q = DualQuat::blend(&palette.rigid, table.of_vertex(v));
                let normal = self.normals[v];
                finish(q, transform_point(&m, self.positions[v]), transform_normal(&m, normal), normal)
            }),
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polar_decomposition_gives_a_rotation_and_a_symmetric_rest() {
        let turn = DMat3::from_rotation_y(1.1) * DMat3::from_rotation_x(-2.3);
        let shear = DMat3::from_cols(DVec3::X, DVec3::new(0.4, 1.0, 0.0), DVec3::new(0.0, -0.2, 3.0));
        for m in [
            turn,
            turn * shear,
            turn * DMat3::from_diagonal(DVec3::new(1e-3, 1e4, 1.0)),
            turn * DMat3::from_diagonal(DVec3::new(-1.0, 2.0, 3.0)),
        ] {
            let r = nearest_rotation(m);
            let s = r.transpose() * m;
            assert!((r * r.transpose()).abs_diff_eq(DMat3::IDENTITY, 1e-12), "{r:?}");
            assert!((r.determinant() - 1.0).abs() < 1e-12);
            assert!((s - s.transpose()).abs_diff_eq(DMat3::ZERO, 1e-7), "{s:?}");
        }
    }

    #[test]
    fn flat_and_zero_matrices_get_some_rotation() {
        for m in [
            DMat3::ZERO,
            DMat3::from_diagonal(DVec3::new(0.0, 2.0, 0.0)),
            DMat3::from_rotation_z(0.5) * DMat3::from_diagonal(DVec3::new(1.0, 0.0, 2.0)),
        ] {
            let r = nearest_rotation(m);
            assert!((r * r.transpose()).abs_diff_eq(DMat3::IDENTITY, 1e-12));
            assert!((r.determinant() - 1.0).abs() < 1e-12);
        }
    }
}
