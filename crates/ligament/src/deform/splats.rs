//! Gaussian splats that follow a skeleton: how an affine map turns and stretches an ellipsoid.
//!
//! A splat has the covariance Σ = R S² Rᵀ, with R its rotation and S its scales along its own axes. Under a map with linear part
//! M it becomes M Σ Mᵀ. The factors of that are found without ever forming it: the columns of M R S are turned among
//! themselves until they are at right angles (one-sided Jacobi), then their directions are the new axes and their lengths the
//! new scales. Squaring would lose the thin side of flat splats; and columns that are at right angles already, as
//! under every rigid motion and even scale, stay in their order.

use glam::{DMat3, DQuat, DVec3};

use super::dual_quaternion::nearest_rotation;

/// Columns count as square to each other from this cosine on.
const SQUARE: f64 = 1e-15;
/// Jacobi's sweeps over three columns; convergence is quadratic, so that six nearly always do.
const SWEEPS: usize = 24;

/// An ellipsoid: its axes as a unit quaternion, and its standard deviation along each.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ellipsoid {
    /// How it is turned.
    pub rotation: DQuat,
    /// How far it reaches along its own axes.
    pub scales: DVec3,
}

impl Ellipsoid {
    /// The ellipsoid after a map with this linear part. Its axes stay in their order as far as the map leaves them square to each
    /// other; a map that mirrors leaves a rotation all the same, since an ellipsoid is its own mirror image.
    pub fn moved(&self, linear: DMat3) -> Self {
        let axes = linear * DMat3::from_quat(self.rotation);
        let mut columns = [
            axes.x_axis * self.scales.x,
            axes.y_axis * self.scales.y,
            axes.z_axis * self.scales.z,
        ];
        for _ in 0..SWEEPS {
            let mut turned = false;
            for (a, b) in [(0, 1), (0, 2), (1, 2)] {
                turned |= make_square(&mut columns, a, b);
            }
            if !turned {
                break;
            }
        }
        let scales = DVec3::from_array(columns.map(DVec3::length));
        Self {
            rotation: frame(columns, scales).unwrap_or_else(|| {
                let turn = nearest_rotation(linear);
                (DQuat::from_mat3(&turn) * self.rotation).normalize()
            }),
            scales,
        }
    }

    /// Its covariance.
    pub fn covariance(&self) -> DMat3 {
        let r = DMat3::from_quat(self.rotation);
        r * DMat3::from_diagonal(self.scales * self.scales) * r.transpose()
    }
}

/// Turns two columns in their plane, by at most 45°, so that they are square to each other; whether they were not.
fn make_square(columns: &mut [DVec3; 3], a: usize, b: usize) -> bool {
    let (p, q) = (columns[a], columns[b]);
    let (pp, qq, pq) = (p.length_squared(), q.length_squared(), p.dot(q));
    if pq.abs() <= SQUARE * (pp * qq).sqrt() {
        return false;
    }
    let zeta = (qq - pp) / (2.0 * pq);
    let tangent = 1f64.copysign(zeta) / (zeta.abs() + zeta.hypot(1.0));
    let cosine = tangent.hypot(1.0).recip();
    let sine = cosine * tangent;
    columns[a] = p * cosine - q * sine;
    columns[b] = p * sine + q * cosine;
    true
}

/// The rotation with these columns' directions. Columns that are nothing beside the longest get what directions are left;
/// none if all are nothing.
fn frame(columns: [DVec3; 3], lengths: DVec3) -> Option<DQuat> {
    let mut order = [0, 1, 2];
    order.sort_by(|&a, &b| lengths[b].total_cmp(&lengths[a]));
    let [first, second, third] = order;
    if !(lengths[first] > 0.0 && lengths.is_finite()) {
        return None;
    }
    let u = columns[first] / lengths[first];
    let v = columns[second] - u * columns[second].dot(u);
    let v = if lengths[second] > f64::MIN_POSITIVE.sqrt() {
        v.try_normalize()
    } else {
        None
    };
    let v = v.unwrap_or_else(|| u.any_orthonormal_vector());
    let mut axes = [DVec3::ZERO; 3];
    axes[first] = u;
    axes[second] = v;
    // An ellipsoid does not tell an axis from its opposite, so the shortest one makes the frame right-handed.
    let follows = (first + 1) % 3 == second;
    axes[third] = if follows { u.cross(v) } else { v.cross(u) };
    let [x, y, z] = axes;
    Some(DQuat::from_mat3(&DMat3::from_cols(x, y, z)).normalize())
}

/// A covariance after a map with this linear part.
pub fn moved_covariance(covariance: DMat3, linear: DMat3) -> DMat3 {
    linear * covariance * linear.transpose()
}

/// The rotation that is nearest to a map's linear part: what turns directions that are no offsets, such as those in which
/// a splat's colour is seen.
pub fn turn_of(linear: DMat3) -> DMat3 {
    nearest_rotation(linear)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers from 0 to 1 that look random.
    fn numbers(seed: u64) -> impl FnMut() -> f64 {
        let mut state = seed;
        move || {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            (state >> 11) as f64 / (1u64 << 53) as f64
        }
    }

    fn some(next: &mut impl FnMut() -> f64) -> Ellipsoid {
        let mut centred = || next() - 0.5;
        let rotation = DQuat::from_xyzw(centred(), centred(), centred(), centred()).normalize();
        let mut scale = || (8.0 * centred()).exp();
        Ellipsoid {
            rotation,
            scales: DVec3::new(scale(), scale(), scale()),
        }
    }

    fn agree(a: DMat3, b: DMat3) -> bool {
        let size = b.to_cols_array().iter().fold(0f64, |m, c| m.max(c.abs()));
        a.abs_diff_eq(b, 1e-12 * size)
    }

    #[test]
    fn any_map_gives_the_covariance_that_it_should() {
        let mut next = numbers(3);
        for _ in 0..2000 {
            let splat = some(&mut next);
            let linear = DMat3::from_cols_array(&std::array::from_fn(|_| 4.0 * next() - 2.0));
            let moved = splat.moved(linear);
            let wanted = moved_covariance(splat.covariance(), linear);
            assert!(agree(moved.covariance(), wanted), "{splat:?} {linear:?}");
            assert!((moved.rotation.length() - 1.0).abs() < 1e-12 && moved.scales.min_element() >= 0.0);
        }
    }

    #[test]
    fn a_rigid_motion_turns_it_and_an_even_scale_scales_it() {
        let mut next = numbers(5);
        for _ in 0..500 {
            let (splat, turn) = (some(&mut next), some(&mut next).rotation);
            let factor = 0.1 + 3.0 * next();
            let moved = splat.moved(DMat3::from_quat(turn) * factor);
            let wanted = turn * splat.rotation;
            assert!(moved.rotation.dot(wanted).abs() > 1.0 - 1e-12, "{moved:?}");
            let ratio = moved.scales / (splat.scales * factor);
            assert!((ratio - DVec3::ONE).abs().max_element() < 1e-12, "{ratio}");
        }
    }

    #[test]
    fn thin_flat_and_empty_ones_stay_what_they_are() {
        let linear = DMat3::from_cols(DVec3::new(1.0, 0.2, 0.0), DVec3::new(0.4, 1.1, -0.3), DVec3::Z);
        let rotation = DQuat::from_rotation_x(0.7) * DQuat::from_rotation_z(-1.1);
        let thin = Ellipsoid {
            rotation,
            scales: DVec3::new(1.0, 2.0, 1e-9),
        };
        let moved = thin.moved(linear);
        // The volume says what the thin side must be.
        let volume = moved.scales.element_product() / thin.scales.element_product();
        assert!((volume / linear.determinant() - 1.0).abs() < 1e-6, "{volume}");
        let flat = Ellipsoid {
            scales: DVec3::new(1.0, 2.0, 0.0),
            ..thin
        };
        let moved = flat.moved(linear);
        assert!(
            moved.scales.z == 0.0 && agree(moved.covariance(), moved_covariance(flat.covariance(), linear))
        );
        for nothing in [
            flat.moved(DMat3::ZERO),
            Ellipsoid {
                scales: DVec3::ZERO,
                ..thin
            }
            .moved(linear),
        ] {
            assert!(nothing.scales == DVec3::ZERO && (nothing.rotation.length() - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn a_mirror_leaves_a_rotation() {
        let splat = some(&mut numbers(9));
        let mirror = DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0));
        let moved = splat.moved(mirror);
        assert!(agree(
            moved.covariance(),
            moved_covariance(splat.covariance(), mirror)
        ));
    }
}
