//! The rotation nearest to a blended matrix, and its derivative.
//!
//! Delta mush compares Laplacians in the frame of the surface; B is the rotation of the
//! blend of the joints' matrices at a vertex: the polar factor of M = B·S. Found by
//! Newton's iteration B ← ½(B + B⁻ᵀ) (Higham 1986), which converges quadratically from
//! anything with a positive determinant.

use glam::{DMat3, DVec3};

/// Under this fraction of a rotation's determinant a blend has collapsed (two joints rotated
/// against each other by half a turn) and its rotation means nothing.
const COLLAPSED: f64 = 1e-6;

/// The rotation of a blend, or none where it has collapsed or mirrors.
pub(super) fn rotation_of(m: DMat3) -> Option<DMat3> {
    let determinant = m.determinant();
    let scale = m.x_axis.length_squared() + m.y_axis.length_squared() + m.z_axis.length_squared();
    if determinant.is_nan() || determinant <= COLLAPSED * (scale / 3.0) * (scale / 3.0).sqrt() {
        return None;
    }
    let mut b = m * (3.0 / scale).sqrt();
    for _ in 0..40 {
        // B⁻ᵀ is the matrix of cofactors over the determinant.
        let cofactors = DMat3::from_cols(
            b.y_axis.cross(b.z_axis),
            b.z_axis.cross(b.x_axis),
            b.x_axis.cross(b.y_axis),
        );
        let determinant = b.x_axis.dot(cofactors.x_axis);
        let next = (b + cofactors * determinant.recip()) * 0.5;
        let change = next - b;
        b = next;
        let moved =
            change.x_axis.length_squared() + change.y_axis.length_squared() + change.z_axis.length_squared();
        // Convergence is quadratic: what is left after this step is its square.
        if moved < 1e-16 {
            return Some(b);
        }
    }
    None
}

/// For a loss that changes by `g·dB·v` summed (its derivative by B is g·vᵀ), its derivative
/// by M, given B = [`rotation_of`]`(m)`.
///
/// From M = B·S follows BᵀdM − dMᵀB = ΩS + SΩ with dB = BΩ, so the turn ω solves
/// (tr S·I − S)·ω = axis of BᵀdM. What comes out is B·[y]× with
/// y = (tr S·I − S)⁻¹(v × Bᵀg).
pub(super) fn derivative_by_blend(m: DMat3, b: DMat3, g: DVec3, v: DVec3) -> DMat3 {
    let s = b.transpose() * m;
    let trace = s.x_axis.x + s.y_axis.y + s.z_axis.z;
    let system = DMat3::from_diagonal(DVec3::splat(trace)) - s;
    let determinant = system.determinant();
    if determinant.is_nan() || determinant.abs() <= 1e-9 * trace.abs().powi(3) {
        return DMat3::ZERO;
    }
    let y = system.inverse() * v.cross(b.transpose() * g);
    let cross = DMat3::from_cols(
        DVec3::new(0.0, y.z, -y.y),
        DVec3::new(-y.z, 0.0, y.x),
        DVec3::new(y.y, -y.x, 0.0),
    );
    b * cross
}

/// The sum of the products of the entries of two matrices.
pub(super) fn product(a: &DMat3, b: &DMat3) -> f64 {
    a.x_axis.dot(b.x_axis) + a.y_axis.dot(b.y_axis) + a.z_axis.dot(b.z_axis)
}

#[cfg(test)]
mod tests {
    use super::super::random::Random;
    use super::*;
    use glam::{DQuat, EulerRot};

    fn rotated(random: &mut Random) -> DMat3 {
        let mut angle = || random.between(-1.0, 1.0);
        DMat3::from_quat(DQuat::from_euler(EulerRot::XYZ, angle(), angle(), angle()))
    }

    #[test]
    fn a_rotation_times_a_stretch_gives_the_rotation() {
        let mut random = Random::new(1);
        for _ in 0..50 {
            let (r, q) = (rotated(&mut random), rotated(&mut random));
            let stretch = DVec3::from_array(std::array::from_fn(|_| random.between(0.2, 3.0)));
            let m = r * q * DMat3::from_diagonal(stretch) * q.transpose();
            let found = rotation_of(m).unwrap();
            assert!(found.abs_diff_eq(r, 1e-9), "{found} for {r}");
        }
        assert!(rotation_of(DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0))).is_none());
        assert!(rotation_of(DMat3::from_diagonal(DVec3::new(1.0, 1.0, 0.0))).is_none());
        assert!(rotation_of(DMat3::NAN).is_none());
    }

    #[test]
    fn the_derivative_is_exact() {
        let mut random = Random::new(2);
        for _ in 0..20 {
            let m = rotated(&mut random) * 0.6 + rotated(&mut random) * 0.4;
            let mut vector = || DVec3::from_array(std::array::from_fn(|_| random.between(-1.0, 1.0)));
            let (g, v) = (vector(), vector());
            let by_blend = derivative_by_blend(m, rotation_of(m).unwrap(), g, v);
            for i in 0..9 {
                let at = |step: f64| {
                    let mut entries = m.to_cols_array();
                    entries[i] += step;
                    g.dot(rotation_of(DMat3::from_cols_array(&entries)).unwrap() * v)
                };
                let difference = (at(1e-6) - at(-1e-6)) / 2e-6;
                let found = by_blend.to_cols_array()[i];
                assert!((difference - found).abs() < 1e-7, "{difference} but {found}");
            }
        }
    }
}
