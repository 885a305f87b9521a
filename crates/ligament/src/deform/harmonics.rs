//! Colours that depend on the direction they are seen in, turned with the splat that has them.
//!
//! Splats keep them as real spherical harmonics of degrees 1 to 3, in the order and with the signs of Kerbl et al. 2023. A turned
//! function is again one of the same degree, so each degree has a matrix, D = ∫ Y(d) Y(Rᵀ d)ᵀ dd over all directions, which Lebedev's
//! rule of 26 directions gives exactly: products of two functions of degree 3 have degree 6, and it is exact to 7.

use glam::{DMat3, DVec3};

/// How many functions degrees 1, 2 and 3 have together.
pub const HARMONICS: usize = 15;
/// The functions of each degree.
const DEGREES: [std::ops::Range<usize>; 3] = [0..3, 3..8, 8..15];

/// The functions of degrees 1 to 3 in a direction, a unit vector.
pub fn harmonics(direction: DVec3) -> [f64; HARMONICS] {
    let [x, y, z] = direction.to_array();
    let (xx, yy, zz) = (x * x, y * y, z * z);
    [
        -0.4886025119029199 * y,
        0.4886025119029199 * z,
        -0.4886025119029199 * x,
        1.0925484305920792 * x * y,
        -1.0925484305920792 * y * z,
        0.31539156525252005 * (2.0 * zz - xx - yy),
        -1.0925484305920792 * x * z,
        0.5462742152960396 * (xx - yy),
        -0.5900435899266435 * y * (3.0 * xx - yy),
        2.890611442640554 * x * y * z,
        -0.4570457994644658 * y * (4.0 * zz - xx - yy),
        0.3731763325901154 * z * (2.0 * zz - 3.0 * xx - 3.0 * yy),
        -0.4570457994644658 * x * (4.0 * zz - xx - yy),
        1.445305721320277 * z * (xx - yy),
        -0.5900435899266435 * x * (xx - 3.0 * yy),
    ]
}

/// Directions to the sides, edges and corners of a cube, with the weights that make sums over them integrals.
fn directions() -> impl Iterator<Item = (DVec3, f64)> {
    let steps = || [-1.0, 0.0, 1.0];
    let all = steps().into_iter().flat_map(move |x| {
        steps()
            .into_iter()
            .flat_map(move |y| steps().into_iter().map(move |z| DVec3::new(x, y, z)))
    });
    all.filter(|d| *d != DVec3::ZERO).map(|d| {
        let fraction = match d.length_squared() as u8 {
            1 => 1.0 / 21.0,
            2 => 4.0 / 105.0,
            _ => 9.0 / 280.0,
        };
        (d.normalize(), 4.0 * std::f64::consts::PI * fraction)
    })
}

/// What a rotation does to the coefficients of a function.
#[derive(Debug, Clone, PartialEq)]
pub struct HarmonicTurn {
    /// Row by row; functions of different degrees have nothing to do with each other.
    matrix: [[f64; HARMONICS]; HARMONICS],
}

impl HarmonicTurn {
    /// That of a rotation.
    pub fn new(rotation: DMat3) -> Self {
        let back = rotation.transpose();
        let mut matrix = [[0.0; HARMONICS]; HARMONICS];
        for (direction, weight) in directions() {
            let (here, before) = (harmonics(direction), harmonics(back * direction));
            for degree in DEGREES {
                for row in degree.clone() {
                    for column in degree.clone() {
                        matrix[row][column] += weight * here[row] * before[column];
                    }
                }
            }
        }
        Self { matrix }
    }

    /// Turns the coefficients of whole degrees: 3, 8 or 15 of them. Others are left as they are.
    pub fn apply(&self, coefficients: &mut [f64]) {
        let mut before = [0.0; HARMONICS];
        for degree in DEGREES {
            if degree.end > coefficients.len() {
                return;
            }
            before[degree.clone()].copy_from_slice(&coefficients[degree.clone()]);
            for row in degree.clone() {
                coefficients[row] = degree.clone().map(|c| self.matrix[row][c] * before[c]).sum();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rotation() -> DMat3 {
        DMat3::from_rotation_y(1.1) * DMat3::from_rotation_x(-2.3) * DMat3::from_rotation_z(0.4)
    }

    fn value(coefficients: &[f64], direction: DVec3) -> f64 {
        let functions = harmonics(direction);
        coefficients.iter().zip(functions).map(|(c, f)| c * f).sum()
    }

    #[test]
    fn the_functions_are_orthonormal() {
        for a in 0..HARMONICS {
            for b in 0..HARMONICS {
                let product: f64 = directions()
                    .map(|(d, w)| w * harmonics(d)[a] * harmonics(d)[b])
                    .sum();
                // Degrees 2 and 3, 1 and 3 multiply to at most 6 as well.
                assert!((product - f64::from(a == b)).abs() < 1e-12, "{a} {b}: {product}");
            }
        }
    }

    #[test]
    fn a_turned_colour_is_the_same_seen_from_the_turned_side() {
        let coefficients: [f64; HARMONICS] = std::array::from_fn(|k| ((k * 7 + 3) % 11) as f64 - 5.0);
        let turn = HarmonicTurn::new(rotation());
        for count in [3, 8, 15] {
            let mut turned = coefficients;
            turn.apply(&mut turned[..count]);
            for k in 0..40 {
                let (a, b) = (0.37 * f64::from(k), 1.0 - f64::from(k) / 20.0);
                let direction = DVec3::new(
                    a.cos() * (1.0 - b * b).max(0.0).sqrt(),
                    a.sin() * (1.0 - b * b).max(0.0).sqrt(),
                    b,
                );
                let before = value(&coefficients[..count], direction.normalize());
                let after = value(&turned[..count], rotation() * direction.normalize());
                assert!((before - after).abs() < 1e-12, "{count}: {before} {after}");
            }
            assert_eq!(turned[count..], coefficients[count..]);
        }
    }

    #[test]
    fn a_number_of_coefficients_that_is_no_degree_is_left_alone() {
        let mut coefficients = [1.0, 2.0];
        HarmonicTurn::new(rotation()).apply(&mut coefficients);
        assert_eq!(coefficients, [1.0, 2.0]);
    }
}
