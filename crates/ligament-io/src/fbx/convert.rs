//! From `ufbx`'s numbers to glam's.

use glam::{DAffine3, DQuat, DVec3};
use ligament::character::Transform;

pub(super) fn vector(v: ufbx::Vec3) -> DVec3 {
    DVec3::new(v.x, v.y, v.z)
}

pub(super) fn quaternion(q: ufbx::Quat) -> DQuat {
    let q = DQuat::from_xyzw(q.x, q.y, q.z, q.w);
    let length = q.length();
    if length.is_finite() && length > 1e-12 {
        q / length
    } else {
        DQuat::IDENTITY
    }
}

pub(super) fn matrix(m: &ufbx::Matrix) -> DAffine3 {
    DAffine3::from_cols_array(&[
        m.m00, m.m10, m.m20, m.m01, m.m11, m.m21, m.m02, m.m12, m.m22, m.m03, m.m13, m.m23,
    ])
}

pub(super) fn transform(t: &ufbx::Transform) -> Transform {
    Transform {
        translation: vector(t.translation),
        rotation: quaternion(t.rotation),
        scale: vector(t.scale),
    }
}
