//! `hound`: a dog on four legs, with snout, ears and tail; one closed surface.

use glam::{DQuat, DVec3};

use super::assembly::material;
use super::hound_clips::{wag, walk};
use super::implicit::{
    Solid, above, ball, blend, carve, cone, ellipsoid, flat_cone, rotated_ellipsoid, star, with_mirror,
};
use super::rig::Plan;
use super::surface::{Meshing, surface_of};
use crate::character::Character;

/// The tail from root to tip.
const TAIL: [[f64; 3]; 6] = [
    [0.0, 0.600, -0.375],
    [0.0, 0.585, -0.455],
    [0.0, 0.545, -0.525],
    [0.0, 0.510, -0.600],
    [0.0, 0.500, -0.680],
    [0.0, 0.520, -0.750],
];
/// Left front leg: shoulder, elbow, wrist, ball of the paw.
const FRONT: [[f64; 3]; 4] = [
    [0.072, 0.500, 0.275],
    [0.088, 0.365, 0.185],
    [0.086, 0.125, 0.190],
    [0.086, 0.030, 0.222],
];
/// Left hind leg: hip, knee, hock, ball of the paw.
const HIND: [[f64; 3]; 4] = [
    [0.072, 0.545, -0.305],
    [0.096, 0.365, -0.215],
    [0.090, 0.175, -0.385],
    [0.090, 0.030, -0.335],
];
/// The left ear's root and fold.
const EAR: [[f64; 3]; 3] = [
    [0.045, 0.845, 0.435],
    [0.090, 0.845, 0.430],
    [0.116, 0.785, 0.445],
];

/// A straight run of round cones through points.
fn run(k: f64, points: &[[f64; 3]], radii: &[f64]) -> Solid {
    let cones = points.windows(2).zip(radii.windows(2));
    blend(k, cones.map(|(p, r)| cone(p[0], p[1], r[0], r[1])).collect())
}

fn trunk() -> Solid {
    let mut shapes = vec![
        // Chest, ribs, loin, croup.
        ellipsoid([0.0, 0.485, 0.185], [0.105, 0.150, 0.165]),
        ellipsoid([0.0, 0.500, 0.040], [0.110, 0.138, 0.190]),
        ellipsoid([0.0, 0.545, -0.140], [0.086, 0.088, 0.190]),
        ellipsoid([0.0, 0.560, -0.300], [0.092, 0.090, 0.110]),
        // Withers and back.
        cone([0.0, 0.615, 0.170], [0.0, 0.600, -0.280], 0.042, 0.040),
        // Neck.
        cone([0.0, 0.565, 0.250], [0.0, 0.770, 0.390], 0.098, 0.066),
        cone([0.0, 0.500, 0.290], [0.0, 0.720, 0.400], 0.070, 0.052),
    ];
    shapes.extend(with_mirror(vec![
        // Shoulder blade and haunch.
        rotated_ellipsoid(
            [0.078, 0.510, 0.225],
            [0.042, 0.120, 0.080],
            DQuat::from_rotation_x(0.45),
        ),
        rotated_ellipsoid(
            [0.072, 0.500, -0.280],
            [0.050, 0.120, 0.092],
            DQuat::from_rotation_x(-0.35),
        ),
    ]));
    blend(0.06, shapes)
}

fn front_leg() -> Solid {
    let limb = run(0.03, &FRONT, &[0.058, 0.040, 0.026, 0.024]);
    blend(
        0.02,
        vec![
            limb,
            ellipsoid([0.092, 0.400, 0.175], [0.034, 0.070, 0.046]),
            ball([0.086, 0.125, 0.186], 0.029),
            paw(FRONT[3]),
        ],
    )
}

fn hind_leg() -> Solid {
    let limb = run(0.035, &HIND, &[0.085, 0.050, 0.026, 0.023]);
    blend(
        0.03,
        vec![
            limb,
            rotated_ellipsoid(
                [0.092, 0.440, -0.275],
                [0.046, 0.110, 0.078],
                DQuat::from_rotation_x(-0.3),
            ),
            rotated_ellipsoid(
                [0.095, 0.295, -0.290],
                [0.030, 0.080, 0.042],
                DQuat::from_rotation_x(0.75),
            ),
            ball([0.090, 0.185, -0.395], 0.026),
            paw(HIND[3]),
        ],
    )
}

/// A paw with four toes around the end of a leg.
fn paw(at: [f64; 3]) -> Solid {
    let p = |x: f64, y: f64, z: f64| [at[0] + x, y, at[2] + z];
    let core = blend(
        0.016,
        vec![ellipsoid(p(0.0, 0.030, 0.002), [0.036, 0.026, 0.042])],
    );
    let toes = [(-0.026, 0.026), (-0.0095, 0.040), (0.0095, 0.040), (0.026, 0.026)]
        .into_iter()
        .map(|(x, z)| {
            let toe = blend(
                0.006,
                vec![
                    cone(p(x * 0.8, 0.028, 0.01), p(x, 0.018, z + 0.006), 0.013, 0.0135),
                    cone(
                        p(x, 0.016, z + 0.014),
                        p(x * 1.05, 0.010, z + 0.026),
                        0.006,
                        0.003,
                    ),
                ],
            );
            (0.008, toe)
        })
        .collect();
    star(core, toes, 0.002)
}

fn head() -> Solid {
    let mut shapes = vec![
        ellipsoid([0.0, 0.815, 0.440], [0.066, 0.064, 0.080]),
        // Muzzle, lower jaw.
        flat_cone(
            [0.0, 0.798, 0.490],
            [0.0, 0.772, 0.622],
            0.046,
            0.030,
            DVec3::X,
            0.92,
        ),
        flat_cone(
            [0.0, 0.760, 0.460],
            [0.0, 0.733, 0.600],
            0.034,
            0.019,
            DVec3::X,
            1.05,
        ),
    ];
    shapes.extend(with_mirror(vec![
        // Cheek, brow, the flap of the lip.
        ellipsoid([0.042, 0.785, 0.455], [0.028, 0.038, 0.045]),
        ellipsoid([0.030, 0.850, 0.488], [0.020, 0.014, 0.022]),
        flat_cone(
            [0.020, 0.768, 0.520],
            [0.015, 0.768, 0.615],
            0.024,
            0.021,
            DVec3::X,
            0.65,
        ),
    ]));
    let skull = blend(0.024, shapes);
    let sockets = blend(
        0.002,
        with_mirror(vec![ellipsoid([0.046, 0.832, 0.515], [0.015, 0.012, 0.020])]),
    );
    // A wedge between lips and jaw, widest in front.
    let mouth = flat_cone(
        [0.0, 0.7505, 0.555],
        [0.0, 0.7530, 0.72],
        0.0035,
        0.0140,
        DVec3::X,
        14.0,
    );
    let carved = carve(0.006, carve(0.006, skull, sockets), mouth);
    let eyes = with_mirror(vec![ball([0.036, 0.831, 0.503], 0.0125)]);
    let nose = carve(
        0.003,
        rotated_ellipsoid(
            [0.0, 0.790, 0.648],
            [0.019, 0.014, 0.014],
            DQuat::from_rotation_x(-0.25),
        ),
        blend(0.001, with_mirror(vec![ball([0.0085, 0.787, 0.662], 0.0045)])),
    );
    let face = blend(0.004, [vec![carved], eyes].concat());
    blend(0.006, vec![face, nose])
}

fn ear() -> Solid {
    let flap = DVec3::new(0.90, 0.38, -0.22).normalize();
    blend(
        0.012,
        vec![
            flat_cone(EAR[0], EAR[1], 0.024, 0.030, DVec3::Y, 0.5),
            flat_cone(EAR[1], EAR[2], 0.031, 0.030, flap, 0.40),
            flat_cone(EAR[2], [0.121, 0.755, 0.452], 0.030, 0.020, flap, 0.40),
        ],
    )
}

pub(super) fn solid() -> Solid {
    let (front, hind) = (front_leg(), hind_leg());
    let tail = run(0.02, &TAIL, &[0.036, 0.028, 0.023, 0.020, 0.017, 0.009]);
    let body = star(
        trunk(),
        vec![
            (0.045, front.mirrored()),
            (0.045, front),
            (0.045, hind.mirrored()),
            (0.045, hind),
            (0.03, tail),
            (
                0.05,
                star(head(), vec![(0.014, ear().mirrored()), (0.014, ear())], 0.004),
            ),
        ],
        0.015,
    );
    above(0.006, body, 0.0)
}

pub(super) fn plan() -> Plan {
    let mut plan = Plan::default();
    for (name, parent, y, z) in [
        ("hips", "", 0.560, -0.290),
        ("spine", "hips", 0.575, -0.150),
        ("spine1", "spine", 0.565, 0.000),
        ("chest", "spine1", 0.545, 0.140),
        ("neck", "chest", 0.590, 0.270),
        ("neck1", "neck", 0.690, 0.340),
        ("head", "neck1", 0.800, 0.425),
    ] {
        plan.add(name, parent, DVec3::new(0.0, y, z));
    }
    plan.add("jaw", "head", DVec3::new(0.0, 0.762, 0.470));
    plan.add_pair("{}_ear", "head", DVec3::from(EAR[0]));
    plan.add_pair("{}_ear1", "{}_ear", DVec3::from(EAR[1]));
    let mut parent = "hips".to_owned();
    for (i, at) in TAIL.iter().take(5).enumerate() {
        let name = format!("tail{}", i + 1);
        plan.add(&name, &parent, DVec3::from(*at));
        parent = name;
    }
    plan.add_pair("{}_front_shoulder", "chest", DVec3::new(0.060, 0.590, 0.185));
    for (leg, names, points) in [
        (
            "front_shoulder",
            ["front_upper_leg", "front_lower_leg", "front_foot", "front_toes"],
            FRONT,
        ),
        (
            "hips",
            ["hind_upper_leg", "hind_lower_leg", "hind_foot", "hind_toes"],
            HIND,
        ),
    ] {
        let mut parent = if leg == "hips" {
            leg.to_owned()
        } else {
            format!("{{}}_{leg}")
        };
        for (name, at) in names.iter().zip(points) {
            let name = format!("{{}}_{name}");
            plan.add_pair(&name, &parent, DVec3::from(at));
            parent = name;
        }
    }
    plan
}

pub(super) fn hound(vertices: usize) -> Character {
    let how = Meshing {
        vertices,
        cell: 0.0045,
        mirrored: true,
        detail: |p| {
            let away = p.distance(DVec3::new(0.0, 0.79, 0.57));
            0.55 + 0.45 * ((away - 0.10) / 0.08).clamp(0.0, 1.0)
        },
    };
    let skeleton = plan().skeleton();
    Character {
        name: "hound".to_owned(),
        mesh: surface_of(&solid(), how).into_mesh("hound", material("coat", [0.42, 0.24, 0.11])),
        clips: vec![walk(&skeleton), wag(&skeleton)],
        skeleton,
        weights: None,
    }
}
