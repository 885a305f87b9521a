//! What the knight wears, as solids around the figure.

use std::f64::consts::{FRAC_PI_2, TAU};

use glam::{DQuat, DVec3};

use super::implicit::{
    Solid, ball, blend, carve, cone, ellipsoid, flat_cone, rotated_ellipsoid, with_mirror,
};
use super::surface::Surface;

/// How thick the helmet's and the fauld's steel is.
const PLATE: f64 = 0.009;

/// A steel bowl with two walls, open below; its rim rises over the face. Two walls joined
/// at the rim, so the shell is closed.
pub(super) fn helmet_bowl(vertices: usize) -> Surface {
    let rows = ((vertices as f64 / 3.0).sqrt().round() as usize).max(4);
    let around = (vertices / (2 * rows)).max(8) / 2 * 2;
    // The rim's height by angle from the front: over the brow, then down to the nape.
    let rim = |angle: f64| {
        let open = (angle.cos() - 0.36) / 0.22;
        1.565 + 0.155 * open.clamp(0.0, 1.0) + 0.018 * angle.cos()
    };
    let wall = |angle: f64, t: f64, grow: f64| {
        let crown = 1.832;
        let y = crown + (rim(angle) - crown) * t;
        // Half an ellipsoid on a cylinder that flares at the nape.
        let up = ((y - 1.715) / (crown - 1.715)).max(0.0);
        let wide = (1.0 - up * up).max(0.0).sqrt() + 0.12 * ((1.66 - y) / 0.1).max(0.0).powi(2);
        let (sin, cos) = angle.sin_cos();
        let (side, front) = (0.099 + grow, 0.121 + grow);
        DVec3::new(side * wide * sin, y + grow * up, front * wide * cos - 0.010)
    };
    // Rows are spread by angle from the crown, so that the dome is round.
    let spread = |t: f64| 0.55 * (1.0 - (t * FRAC_PI_2).cos()) + 0.45 * t * t;
    let mut bowl = Surface::default();
    let crown = |grow: f64| DVec3::new(0.0, 1.832 + grow, -0.010).as_vec3();
    bowl.positions.push(crown(PLATE));
    for r in 1..2 * rows {
        let (t, grow) = if r <= rows {
            (r as f64 / rows as f64, PLATE)
        } else {
            ((2 * rows - r) as f64 / rows as f64, 0.0)
        };
        for s in 0..around {
            let angle = TAU * s as f64 / around as f64;
            bowl.positions.push(wall(angle, spread(t), grow).as_vec3());
        }
    }
    bowl.positions.push(crown(0.0));
    bowl.capped_rings(2 * rows - 1, around)
}

/// The ridge along the helmet.
pub(super) fn crest() -> Solid {
    flat_cone(
        [0.0, 1.782, 0.055],
        [0.0, 1.762, -0.100],
        0.066,
        0.055,
        DVec3::X,
        0.16,
    )
}

/// Breast and back plate.
pub(super) fn cuirass() -> Solid {
    let plate = blend(
        0.05,
        [
            vec![
                ellipsoid([0.0, 1.315, -0.010], [0.174, 0.180, 0.138]),
                ellipsoid([0.0, 1.12, 0.002], [0.152, 0.125, 0.116]),
                // The keel of the breast.
                cone([0.0, 1.38, 0.100], [0.0, 1.16, 0.098], 0.026, 0.022),
            ],
            with_mirror(vec![
                ellipsoid([0.075, 1.35, 0.062], [0.085, 0.075, 0.062]),
                // Over the shoulders.
                cone([0.070, 1.470, -0.015], [0.150, 1.445, -0.015], 0.052, 0.052),
                ellipsoid([0.080, 1.38, -0.075], [0.080, 0.085, 0.055]),
            ]),
        ]
        .concat(),
    );
    let collar = cone([0.0, 1.52, -0.005], [0.0, 1.62, 0.0], 0.074, 0.10);
    carve(0.012, plate, collar)
}

/// Mail from the belt to the thighs: a bell with two walls joined at hem and waist.
pub(super) fn fauld(vertices: usize) -> Surface {
    let rows = ((vertices as f64 / 12.0).sqrt().round() as usize).max(3);
    let around = (vertices / (2 * rows)).max(8);
    let (waist, hem) = (1.03, 0.715);
    let mut bell = Surface::default();
    for r in 0..2 * rows {
        let (step, grow) = if r < rows {
            (r, 0.0)
        } else {
            (2 * rows - 1 - r, PLATE)
        };
        let t = step as f64 / (rows - 1) as f64;
        for s in 0..around {
            let angle = TAU * s as f64 / around as f64;
            let (sin, cos) = angle.sin_cos();
            // Shallow pleats at the hem.
            let out = 0.158 + 0.085 * t.powf(0.8) + grow + 0.006 * t * (12.0 * angle).cos();
            let y = waist + (hem - waist) * t;
            bell.positions
                .push(DVec3::new(out * sin, y, 0.84 * out * cos - 0.004).as_vec3());
        }
    }
    bell.ring_of_rings(2 * rows, around)
}

/// Three lames over the left shoulder, before the arm is turned. They cut into the body.
pub(super) fn pauldron() -> Solid {
    let lame = |x: f64, y: f64, r: f64| {
        rotated_ellipsoid(
            [x, y, -0.012],
            [0.050 * r, 0.072 * r, 0.084 * r],
            DQuat::from_rotation_z(0.35),
        )
    };
    blend(
        0.006,
        vec![
            lame(0.185, 1.470, 1.14),
            lame(0.222, 1.464, 1.03),
            lame(0.257, 1.457, 0.93),
            lame(0.290, 1.452, 0.84),
        ],
    )
}

/// The left forearm's guard, before the arm is turned.
pub(super) fn vambrace() -> Solid {
    let (y, z) = (1.452, -0.012);
    blend(
        0.01,
        vec![
            flat_cone([0.49, y, z], [0.665, y, z], 0.058, 0.040, DVec3::Y, 0.95),
            cone([0.655, y, z], [0.695, y, z], 0.034, 0.044),
            // The elbow's cop.
            ellipsoid([0.460, y, z - 0.010], [0.046, 0.056, 0.056]),
        ],
    )
}

/// The left leg's boot and greave, before the leg is turned; the foot points at +Z.
pub(super) fn greave() -> Solid {
    let x = 0.092;
    blend(
        0.02,
        vec![
            cone([x, 0.45, 0.0], [x, 0.11, -0.026], 0.060, 0.049),
            ellipsoid([x, 0.365, -0.030], [0.064, 0.14, 0.056]),
            // The knee's cop.
            rotated_ellipsoid(
                [x, 0.51, 0.012],
                [0.060, 0.052, 0.058],
                DQuat::from_rotation_x(0.1),
            ),
        ],
    )
}

/// A shoe of steel around the left foot, given the middle of its ankle on the floor.
pub(super) fn sabaton(ankle: DVec3) -> Solid {
    let rotation = DQuat::from_rotation_y(0.12);
    let at = |x: f64, y: f64, z: f64| {
        (DVec3::new(ankle.x, 0.0, ankle.z) + rotation * DVec3::new(x, y, z)).to_array()
    };
    blend(
        0.02,
        vec![
            cone(at(0.0, 0.13, -0.002), at(0.0, 0.045, -0.026), 0.050, 0.051),
            flat_cone(
                at(0.004, 0.060, 0.0),
                at(0.006, 0.034, 0.13),
                0.058,
                0.062,
                DVec3::Y,
                0.78,
            ),
            flat_cone(
                at(0.004, 0.030, 0.13),
                at(-0.006, 0.024, 0.195),
                0.058,
                0.036,
                DVec3::Y,
                0.78,
            ),
        ],
    )
}

/// A pouch on the right of the belt.
pub(super) fn pouch() -> Solid {
    let (x, y, z) = (-0.105, 0.965, 0.150);
    let rotation = DQuat::from_rotation_y(-0.55);
    let at = |dx: f64, dy: f64, dz: f64| (DVec3::new(x, y, z) + rotation * DVec3::new(dx, dy, dz)).to_array();
    blend(
        0.012,
        vec![
            flat_cone(
                at(-0.020, -0.012, 0.0),
                at(0.020, -0.012, 0.0),
                0.036,
                0.036,
                rotation * DVec3::Z,
                0.72,
            ),
            flat_cone(
                at(-0.028, 0.022, 0.004),
                at(0.028, 0.022, 0.004),
                0.018,
                0.018,
                rotation * DVec3::Z,
                1.4,
            ),
            ball(at(0.0, 0.004, 0.030), 0.008),
        ],
    )
}
