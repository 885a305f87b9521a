//! A head with a face, for every human figure: chin at 1.575 m, crown at 1.80 m.

use glam::{DQuat, DVec3};

use super::implicit::{
    Solid, ball, blend, carve, cone, ellipsoid, flat_cone, rotated_ellipsoid, with_mirror,
};

/// The middle of the left eye.
pub(super) const EYE: DVec3 = DVec3::new(0.0315, 1.690, 0.0735);
/// An eye's radius.
pub(super) const EYE_RADIUS: f64 = 0.0125;

/// The head's solid, down to the neck.
pub(super) fn head() -> Solid {
    let mut skull = vec![
        ellipsoid([0.0, 1.712, -0.012], [0.077, 0.088, 0.097]),
        ellipsoid([0.0, 1.690, -0.045], [0.066, 0.068, 0.064]),
        // The face from brow to chin.
        flat_cone(
            [0.0, 1.700, 0.036],
            [0.0, 1.612, 0.044],
            0.062,
            0.036,
            DVec3::Z,
            0.85,
        ),
        ellipsoid([0.0, 1.592, 0.070], [0.022, 0.016, 0.017]),
        ellipsoid([0.0, 1.640, 0.062], [0.032, 0.030, 0.026]),
    ];
    skull.extend(with_mirror(vec![
        // Jaw, cheekbone.
        cone([0.054, 1.640, 0.005], [0.016, 1.592, 0.066], 0.019, 0.015),
        ellipsoid([0.046, 1.668, 0.050], [0.022, 0.017, 0.022]),
    ]));
    let skull = blend(0.026, skull);

    let brow = with_mirror(vec![cone(
        [0.014, 1.709, 0.0825],
        [0.049, 1.709, 0.066],
        0.0105,
        0.0085,
    )]);
    let browed = blend(0.014, [vec![skull], brow].concat());
    let sockets = blend(
        0.004,
        with_mirror(vec![ellipsoid([0.0325, 1.689, 0.094], [0.020, 0.0125, 0.018])]),
    );
    let hollow = carve(0.012, browed, sockets);

    let lids = with_mirror(vec![
        ball(EYE.to_array(), EYE_RADIUS),
        // Upper and lower lid.
        ellipsoid([EYE.x, EYE.y + 0.0052, EYE.z + 0.0005], [0.0185, 0.0085, 0.0140]),
        ellipsoid([EYE.x, EYE.y - 0.0090, EYE.z - 0.0005], [0.0165, 0.0050, 0.0125]),
    ]);
    let mut nose = vec![
        flat_cone(
            [0.0, 1.700, 0.085],
            [0.0, 1.664, 0.107],
            0.0085,
            0.0105,
            DVec3::X,
            0.85,
        ),
        ball([0.0, 1.660, 0.1085], 0.0105),
    ];
    nose.extend(with_mirror(vec![ellipsoid(
        [0.0115, 1.657, 0.096],
        [0.0078, 0.0072, 0.0105],
    )]));
    let mouth = vec![
        ellipsoid([0.0, 1.6350, 0.0855], [0.0250, 0.0062, 0.0105]),
        ellipsoid([0.0, 1.6205, 0.0845], [0.0210, 0.0072, 0.0105]),
    ];
    let face = blend(0.003, [vec![hollow], lids].concat());
    let face = blend(0.009, [vec![face], nose].concat());
    let face = blend(0.0075, [vec![face], mouth].concat());

    let ear = carve(
        0.004,
        rotated_ellipsoid(
            [0.0795, 1.676, -0.010],
            [0.0085, 0.0320, 0.0190],
            DQuat::from_rotation_y(-0.45) * DQuat::from_rotation_x(-0.15),
        ),
        rotated_ellipsoid(
            [0.0875, 1.679, -0.005],
            [0.0065, 0.0200, 0.0100],
            DQuat::from_rotation_y(-0.45),
        ),
    );
    blend(0.006, [vec![face], with_mirror(vec![ear])].concat())
}
