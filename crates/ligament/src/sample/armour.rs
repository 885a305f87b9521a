//! What the knight wears, as solids around the figure.

use glam::{DQuat, DVec3};

use super::implicit::{Solid, ball, blend, carve, cone, ellipsoid, flat_cone, turned_ellipsoid};

fn with_mirror(solids: Vec<Solid>) -> Vec<Solid> {
    let mirrored: Vec<Solid> = solids.iter().map(Solid::mirrored).collect();
    solids.into_iter().chain(mirrored).collect()
}

/// A bowl with a crest and a neck guard, open below and in front of the face.
pub(super) fn helmet() -> Solid {
    let bowl = |grow: f64| {
        blend(
            0.03,
            vec![
                ellipsoid([0.0, 1.715, -0.012], [0.097 + grow, 0.108 + grow, 0.116 + grow]),
                cone(
                    [0.0, 1.70, -0.015],
                    [0.0, 1.60, -0.030],
                    0.094 + grow,
                    0.098 + grow,
                ),
            ],
        )
    };
    let crest = flat_cone(
        [0.0, 1.775, 0.055],
        [0.0, 1.745, -0.105],
        0.062,
        0.045,
        DVec3::X,
        0.17,
    );
    let outside = blend(0.008, vec![bowl(0.011), crest]);
    let face = blend(
        0.02,
        vec![
            flat_cone([0.0, 1.672, 0.11], [0.0, 1.56, 0.11], 0.060, 0.056, DVec3::Z, 1.1),
            ellipsoid([0.0, 1.690, 0.115], [0.070, 0.028, 0.06]),
        ],
    );
    let below = blend(0.01, vec![cone([0.0, 1.40, 0.02], [0.0, 1.51, 0.02], 0.20, 0.10)]);
    carve(
        0.005,
        carve(0.004, outside, bowl(0.0)),
        blend(0.01, vec![face, below]),
    )
}

/// Breast and back plate.
pub(super) fn cuirass() -> Solid {
    let plate = blend(
        0.05,
        [
            vec![
                ellipsoid([0.0, 1.30, -0.008], [0.172, 0.175, 0.134]),
                ellipsoid([0.0, 1.13, 0.002], [0.150, 0.115, 0.112]),
                // The keel of the breast.
                cone([0.0, 1.36, 0.095], [0.0, 1.18, 0.105], 0.030, 0.030),
            ],
            with_mirror(vec![ellipsoid([0.075, 1.35, 0.062], [0.085, 0.075, 0.060])]),
        ]
        .concat(),
    );
    let collar = ellipsoid([0.0, 1.515, 0.01], [0.085, 0.085, 0.090]);
    carve(0.012, plate, collar)
}

/// Mail from the belt to the thighs, hollow.
pub(super) fn fauld() -> Solid {
    let bell = |grow: f64, from: f64, to: f64| {
        flat_cone(
            [0.0, from, -0.004],
            [0.0, to, -0.004],
            0.150 + grow,
            0.225 + grow,
            DVec3::Z,
            0.84,
        )
    };
    let floor = cone([-0.6, 0.42, 0.0], [0.6, 0.42, 0.0], 0.305, 0.305);
    carve(
        0.006,
        carve(0.004, bell(0.012, 1.00, 0.72), bell(0.0, 0.99, 0.70)),
        floor,
    )
}

/// Three lames over the left shoulder, before the arm is turned. They cut into the body.
pub(super) fn pauldron() -> Solid {
    let lame = |x: f64, y: f64, r: f64| {
        turned_ellipsoid(
            [x, y, -0.012],
            [0.062 * r, 0.062 * r, 0.078 * r],
            DQuat::from_rotation_z(-0.3),
        )
    };
    blend(
        0.006,
        vec![
            lame(0.185, 1.472, 1.12),
            lame(0.232, 1.462, 1.0),
            lame(0.275, 1.455, 0.86),
        ],
    )
}

/// The left forearm's guard, before the arm is turned.
pub(super) fn vambrace() -> Solid {
    let (y, z) = (1.452, -0.012);
    blend(
        0.01,
        vec![
            flat_cone([0.49, y, z], [0.665, y, z], 0.050, 0.037, DVec3::Y, 0.9),
            cone([0.655, y, z], [0.695, y, z], 0.034, 0.044),
            // The elbow's cop.
            ellipsoid([0.462, y, z - 0.016], [0.038, 0.046, 0.040]),
        ],
    )
}

/// The left leg's boot and greave, before the leg is turned; the foot points at +Z.
pub(super) fn greave() -> Solid {
    let x = 0.092;
    blend(
        0.02,
        vec![
            cone([x, 0.45, 0.0], [x, 0.13, -0.020], 0.060, 0.044),
            ellipsoid([x, 0.37, -0.026], [0.062, 0.11, 0.050]),
            // The knee's cop.
            turned_ellipsoid(
                [x, 0.51, 0.012],
                [0.060, 0.052, 0.058],
                DQuat::from_rotation_x(0.1),
            ),
        ],
    )
}

/// A shoe of steel around the left foot, given the middle of its ankle on the floor.
pub(super) fn sabaton(ankle: DVec3) -> Solid {
    let turn = DQuat::from_rotation_y(0.12);
    let at =
        |x: f64, y: f64, z: f64| (DVec3::new(ankle.x, 0.0, ankle.z) + turn * DVec3::new(x, y, z)).to_array();
    blend(
        0.02,
        vec![
            cone(at(0.0, 0.13, 0.0), at(0.0, 0.05, -0.01), 0.046, 0.048),
            flat_cone(
                at(0.002, 0.055, 0.0),
                at(0.0, 0.030, 0.13),
                0.052,
                0.052,
                DVec3::Y,
                0.75,
            ),
            flat_cone(
                at(0.002, 0.026, 0.12),
                at(-0.004, 0.018, 0.195),
                0.048,
                0.022,
                DVec3::Y,
                0.8,
            ),
        ],
    )
}

/// A pouch on the right of the belt.
pub(super) fn pouch() -> Solid {
    let (x, y, z) = (-0.105, 0.965, 0.150);
    let turn = DQuat::from_rotation_y(-0.55);
    let at = |dx: f64, dy: f64, dz: f64| (DVec3::new(x, y, z) + turn * DVec3::new(dx, dy, dz)).to_array();
    blend(
        0.012,
        vec![
            flat_cone(
                at(-0.020, -0.012, 0.0),
                at(0.020, -0.012, 0.0),
                0.036,
                0.036,
                turn * DVec3::Z,
                0.72,
            ),
            flat_cone(
                at(-0.028, 0.022, 0.004),
                at(0.028, 0.022, 0.004),
                0.018,
                0.018,
                turn * DVec3::Z,
                1.4,
            ),
            ball(at(0.0, 0.004, 0.030), 0.008),
        ],
    )
}
