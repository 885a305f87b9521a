//! A left hand, stretched out along +X with the palm down and the thumb forward.

use glam::{DQuat, DVec3};

use super::implicit::{Solid, ball, blend, cone, ellipsoid, flat_cone, rotated_ellipsoid, star};

/// How the fingers lie.
#[derive(Debug, Clone, Copy)]
pub(super) struct HandShape {
    /// The angle between neighbouring fingers, in degrees.
    pub spread: f64,
    /// How far every joint of a finger is bent, in degrees.
    pub curl: f64,
    /// How far the thumb stands off, in degrees.
    pub thumb_out: f64,
    /// How far the web between two fingers reaches, as a fraction of their length: to where
    /// the gap is wide enough for the triangles.
    pub web: f64,
}

impl Default for HandShape {
    fn default() -> Self {
        Self {
            spread: 10.0,
            curl: 5.0,
            thumb_out: 8.0,
            web: 0.30,
        }
    }
}

/// The three joints of a finger, as engines name them.
pub(super) const SEGMENTS: [&str; 3] = ["proximal", "intermediate", "distal"];

/// A finger: knuckle relative to the wrist, length, radius at the knuckle, and its place
/// in the fan (times the spread).
const FINGERS: [(&str, DVec3, f64, f64, f64); 4] = [
    ("index", DVec3::new(0.088, 0.002, 0.0285), 0.080, 0.0096, 1.0),
    ("middle", DVec3::new(0.092, 0.004, 0.0070), 0.090, 0.0098, 0.0),
    ("ring", DVec3::new(0.087, 0.003, -0.0140), 0.083, 0.0093, -1.0),
    ("little", DVec3::new(0.077, 0.000, -0.0335), 0.066, 0.0083, -2.1),
];

/// Where a finger's bones end, as shares of its length.
const SHARES: [f64; 3] = [0.46, 0.75, 1.0];

/// A finger's name and the positions of its three joints and its tip.
fn chains(wrist: DVec3, shape: &HandShape) -> Vec<(&'static str, [DVec3; 4], f64)> {
    let mut all = vec![("thumb", thumb(wrist, shape), 0.0122)];
    for (name, knuckle, length, radius, fan) in FINGERS {
        let root = wrist + knuckle;
        let rotation = DQuat::from_rotation_y(-(fan * shape.spread).to_radians());
        let mut points = [root; 4];
        let mut from = 0.0;
        for (bone, fraction) in SHARES.into_iter().enumerate() {
            let bent = DQuat::from_rotation_z(-((bone as f64 + 1.0) * shape.curl).to_radians());
            points[bone + 1] = points[bone] + rotation * (bent * (DVec3::X * length * (fraction - from)));
            from = fraction;
        }
        all.push((name, points, radius));
    }
    all
}

fn thumb(wrist: DVec3, shape: &HandShape) -> [DVec3; 4] {
    let root = DVec3::new(0.020, -0.008, 0.020);
    let rotation = DQuat::from_rotation_y(-shape.thumb_out.to_radians());
    [
        root,
        DVec3::new(0.056, -0.016, 0.043),
        DVec3::new(0.090, -0.020, 0.058),
        DVec3::new(0.121, -0.022, 0.066),
    ]
    .map(|p| wrist + root + rotation * (p - root))
}

/// The positions of the three joints of every finger, thumb first.
pub(super) fn finger_joints(wrist: DVec3, shape: &HandShape) -> Vec<(&'static str, [DVec3; 3])> {
    chains(wrist, shape)
        .into_iter()
        .map(|(name, p, _)| (name, [p[0], p[1], p[2]]))
        .collect()
}

/// The hand's solid, from the wrist on.
pub(super) fn hand(wrist: DVec3, shape: &HandShape) -> Solid {
    let at = |x: f64, y: f64, z: f64| (wrist + DVec3::new(x, y, z)).to_array();
    let mut palm: Vec<Solid> = FINGERS
        .iter()
        .map(|(_, knuckle, _, radius, _)| {
            let from = at(0.006, 0.0, knuckle.z * 0.45);
            flat_cone(
                from,
                (wrist + *knuckle).to_array(),
                0.0165,
                radius * 1.08,
                DVec3::Y,
                0.95,
            )
        })
        .collect();
    palm.extend([
        // The balls of the thumb and of the little finger.
        rotated_ellipsoid(
            at(0.040, -0.009, 0.024),
            [0.034, 0.015, 0.017],
            DQuat::from_rotation_y(-0.45),
        ),
        ellipsoid(at(0.036, -0.008, -0.020), [0.034, 0.014, 0.014]),
        cone(at(-0.02, 0.0, 0.0), at(0.02, 0.0, 0.0), 0.020, 0.0195),
    ]);
    let fingers = chains(wrist, shape);
    // Webs: what fills the gap between two fingers from the knuckles on.
    for pair in fingers[1..].windows(2) {
        let [(_, p, r), (_, q, _)] = pair else { continue };
        let along = |fraction: f64| (p[0].lerp(p[1], fraction) + q[0].lerp(q[1], fraction)) / 2.0;
        let end = along((shape.web / SHARES[0] - r / p[0].distance(p[1])).max(0.0));
        palm.push(cone(along(0.0).to_array(), end.to_array(), r * 0.85, r * 0.68));
    }
    let limbs = fingers
        .into_iter()
        .map(|(name, points, r)| {
            let fillet = if name == "thumb" { 0.018 } else { 0.005 };
            (fillet, finger(&points, r))
        })
        .collect();
    star(blend(0.010, palm), limbs, 0.002)
}

/// Bones that swell a little at the joints, with a soft pad under the tip.
fn finger(points: &[DVec3; 4], r: f64) -> Solid {
    let [a, b, c, _] = points.map(|p| p.to_array());
    let back = (points[2] - points[3]).normalize() * r;
    let tip = points[3] + 0.76 * back;
    let pad = points[3] + 1.3 * back - DVec3::Y * r * 0.14;
    blend(
        0.006,
        vec![
            cone(a, b, r, r * 0.90),
            ball(b, r * 0.92),
            cone(b, c, r * 0.90, r * 0.82),
            ball(c, r * 0.84),
            cone(c, tip.to_array(), r * 0.80, r * 0.74),
            ball(pad.to_array(), r * 0.70),
        ],
    )
}
