//! A human figure: its solid and its joints, from one set of measures.
//!
//! The arm is modelled stretched out to the left, palm down, and turned about the shoulder
//! to where the pose wants it.

use glam::{DQuat, DVec3};

use super::head::head;
use super::implicit::{Solid, above, ball, blend, cone, ellipsoid, flat_cone, rotated_ellipsoid, star};
use super::palm::{HandShape, hand};
use super::rig::Plan;

/// What differs from figure to figure.
#[derive(Debug, Clone, Copy)]
pub(super) struct Figure {
    /// How far the arms hang below the horizontal, in degrees.
    pub arms_down: f64,
    /// How far each leg is turned outward, in degrees.
    pub legs_apart: f64,
    /// Thickness of muscles: 1 is lean.
    pub bulk: f64,
    /// 0 is a man's build, 1 a woman's.
    pub feminine: f64,
    /// Gives every toe a joint.
    pub toe_joints: bool,
    /// How the fingers lie.
    pub hand: HandShape,
}

impl Default for Figure {
    fn default() -> Self {
        Self {
            arms_down: 0.0,
            legs_apart: 3.0,
            bulk: 1.0,
            feminine: 0.0,
            toe_joints: false,
            hand: HandShape::default(),
        }
    }
}

/// Where the arm turns: in the middle of the deltoid.
pub(super) const SHOULDER: DVec3 = DVec3::new(0.178, 1.452, -0.012);
/// Where the leg turns.
const HIP: DVec3 = DVec3::new(0.09, 0.935, 0.0);
/// Where the hand begins, before the arm is turned.
pub(super) const WRIST: DVec3 = DVec3::new(0.705, 1.452, -0.012);
const ELBOW: DVec3 = DVec3::new(0.458, 1.452, -0.016);
const KNEE: DVec3 = DVec3::new(0.092, 0.505, 0.006);
const ANKLE: DVec3 = DVec3::new(0.092, 0.088, -0.022);

impl Figure {
    /// How the arm is turned from the T-pose.
    pub fn arm_rotation(&self) -> DQuat {
        // Hanging arms carry the palm to the thigh and swing a little forward.
        let hang = self.arms_down / 90.0;
        DQuat::from_rotation_x(-0.10 * hang) * DQuat::from_rotation_z(-self.arms_down.to_radians())
    }

    fn leg_rotation(&self) -> DQuat {
        DQuat::from_rotation_z(self.legs_apart.to_radians())
    }

    /// Finer triangles in the face.
    pub fn detail(p: DVec3) -> f64 {
        let away = p.distance(DVec3::new(0.0, 1.660, 0.09));
        0.36 + 0.64 * ((away - 0.048) / 0.08).clamp(0.0, 1.0)
    }

    /// The whole body as one solid, standing on y = 0.
    pub fn solid(&self) -> Solid {
        let arm = blend(0.022, vec![self.arm(), hand(WRIST, &self.hand)])
            .rotated_about(SHOULDER, self.arm_rotation());
        let leg = self.leg().rotated_about(HIP, self.leg_rotation());
        let foot = self.foot();
        let leg = blend(0.03, vec![leg, foot]);
        let body = star(
            self.torso(),
            vec![
                (0.06, arm.mirrored()),
                (0.06, arm),
                (0.05, leg.mirrored()),
                (0.05, leg),
                (0.03, head()),
            ],
            0.02,
        );
        above(0.006, body, 0.0)
    }

    fn torso(&self) -> Solid {
        let (b, f) = (self.bulk, self.feminine);
        let mut shapes = vec![
            // Ribs, waist, pelvis.
            ellipsoid([0.0, 1.285, -0.008], [0.150 - 0.012 * f, 0.185, 0.108]),
            ellipsoid([0.0, 1.115, 0.002], [0.130 - 0.014 * f, 0.15, 0.088]),
            ellipsoid([0.0, 0.985, -0.005], [0.136 + 0.020 * f, 0.098, 0.096]),
            // The neck and what carries it.
            cone(
                [0.0, 1.43, -0.03],
                [0.0, 1.60, -0.005],
                0.062 - 0.008 * f,
                0.053 - 0.006 * f,
            ),
            // Abdomen and breastbone.
            ellipsoid([0.0, 1.10, 0.055], [0.062, 0.15, 0.038]),
            ellipsoid([0.0, 1.02, 0.045], [0.10, 0.07, 0.045]),
        ];
        let pair = [
            // Trapezius, collarbone.
            flat_cone(
                [0.035, 1.535, -0.03],
                [0.155, 1.470, -0.03],
                0.034,
                0.032 * b,
                DVec3::Z,
                0.9,
            ),
            cone([0.03, 1.455, 0.045], [0.16, 1.478, 0.012], 0.014, 0.016),
            // Shoulder blade, latissimus, the muscles beside the spine.
            rotated_ellipsoid(
                [0.085, 1.37, -0.072],
                [0.062, 0.085, 0.038],
                DQuat::from_rotation_z(0.2),
            ),
            cone([0.132, 1.36, -0.035], [0.095, 1.14, -0.03], 0.044 * b, 0.032),
            cone([0.036, 1.30, -0.088], [0.034, 1.05, -0.062], 0.026, 0.028),
            // Gluteus, hip.
            ellipsoid([0.078, 0.945, -0.066], [0.083, 0.088, 0.066 + 0.006 * f]),
            ellipsoid([0.096 + 0.022 * f, 0.95, 0.0], [0.056, 0.11, 0.074]),
        ];
        for s in pair {
            shapes.push(s.mirrored());
            shapes.push(s);
        }
        let trunk = blend(0.045, shapes);
        // Pectorals (or breasts) keep a crisper edge.
        let pectoral = rotated_ellipsoid(
            [0.072, 1.350 - 0.03 * f, 0.062 + 0.012 * f],
            [0.080 - 0.020 * f, 0.060, 0.028 * b + 0.013 * f],
            DQuat::from_rotation_y(0.34) * DQuat::from_rotation_z(0.22 - 0.22 * f),
        );
        blend(0.024 + 0.012 * f, vec![trunk, pectoral.mirrored(), pectoral])
    }

    fn arm(&self) -> Solid {
        let b = self.bulk * (1.0 - 0.16 * self.feminine);
        let (y, z) = (SHOULDER.y, SHOULDER.z);
        blend(
            0.024,
            vec![
                // Deltoid, upper arm, biceps in front, triceps behind.
                rotated_ellipsoid(
                    [0.205, y + 0.002, z],
                    [0.078, 0.058 * b, 0.060 * b],
                    DQuat::from_rotation_z(-0.12),
                ),
                cone([0.20, y, z], [0.45, y, z - 0.004], 0.046 * b, 0.037 * b),
                ellipsoid([0.335, y - 0.004, z + 0.018], [0.085, 0.036 * b, 0.032 * b]),
                ellipsoid([0.315, y - 0.002, z - 0.022], [0.095, 0.038 * b, 0.032 * b]),
                // Elbow, forearm (thick near the elbow, flat at the wrist).
                ball([0.458, y, z - 0.008], 0.035 * b),
                ellipsoid([0.525, y + 0.002, z + 0.010], [0.085, 0.036 * b, 0.036 * b]),
                ellipsoid([0.53, y - 0.004, z - 0.016], [0.09, 0.031 * b, 0.031 * b]),
                flat_cone(
                    [0.48, y, z - 0.002],
                    [0.705, y, z],
                    0.040 * b,
                    0.0275,
                    DVec3::Y,
                    0.82,
                ),
            ],
        )
    }

    fn leg(&self) -> Solid {
        let b = 0.5 + 0.5 * self.bulk;
        let x = HIP.x;
        blend(
            0.035,
            vec![
                // Thigh: shaft, front, outside, inside, hamstrings.
                cone([x, 0.90, -0.002], [x + 0.002, 0.52, 0.0], 0.078 * b, 0.051),
                rotated_ellipsoid(
                    [x + 0.008, 0.735, 0.034],
                    [0.050 * b, 0.16, 0.044 * b],
                    DQuat::from_rotation_x(0.04),
                ),
                ellipsoid([x + 0.030, 0.72, 0.010], [0.044 * b, 0.17, 0.052]),
                ellipsoid([x - 0.020, 0.80, 0.0], [0.048 * b, 0.12, 0.056]),
                ellipsoid([x, 0.72, -0.036], [0.055 * b, 0.15, 0.040 * b]),
                ellipsoid([x - 0.022, 0.565, 0.022], [0.028, 0.048, 0.028]),
                // Knee with its cap.
                ball([x + 0.001, 0.505, -0.002], 0.046),
                ellipsoid([x + 0.002, 0.508, 0.036], [0.026, 0.032, 0.020]),
                // Shin, the two bellies of the calf, the tendon.
                cone([x + 0.002, 0.49, 0.0], [x + 0.001, 0.10, -0.018], 0.047, 0.0300),
                ellipsoid([x + 0.016, 0.375, -0.026], [0.036 * b, 0.10, 0.040 * b]),
                ellipsoid([x - 0.016, 0.36, -0.028], [0.037 * b, 0.105, 0.040 * b]),
                cone([x, 0.24, -0.042], [x, 0.06, -0.052], 0.020, 0.014),
            ],
        )
    }

    /// A solid made around the straight left leg, turned as the leg is; and the ankle.
    pub fn on_leg(&self, solid: Solid) -> (Solid, DVec3) {
        (solid.rotated_about(HIP, self.leg_rotation()), self.ankle())
    }

    /// The ankle after the leg is turned.
    fn ankle(&self) -> DVec3 {
        HIP + self.leg_rotation() * (ANKLE - HIP)
    }

    /// A point of the foot: beside, above and in front of the middle of the heel, toes
    /// turned out a little.
    fn foot_point(&self, x: f64, y: f64, z: f64) -> DVec3 {
        let a = self.ankle();
        let rotation = DQuat::from_rotation_y(0.12);
        DVec3::new(a.x, 0.0, a.z) + rotation * DVec3::new(x, y, z)
    }

    /// Each toe's root, tip and radius, from the big one outward.
    fn toes(&self) -> [(DVec3, DVec3, f64); 5] {
        [
            (-0.027, 0.146, 0.192, 0.0152),
            (-0.004, 0.148, 0.190, 0.0108),
            (0.0145, 0.143, 0.180, 0.0103),
            (0.0310, 0.134, 0.167, 0.0098),
            (0.0455, 0.121, 0.150, 0.0096),
        ]
        .map(|(x, root, tip, r)| {
            (
                self.foot_point(x, r + 0.004, root),
                self.foot_point(x, r - 0.001, tip),
                r,
            )
        })
    }

    fn foot(&self) -> Solid {
        let at = |x, y, z| self.foot_point(x, y, z).to_array();
        let core = blend(
            0.028,
            vec![
                // Heel, ankle bones, instep, ball.
                ellipsoid(at(0.0, 0.034, -0.032), [0.031, 0.037, 0.036]),
                cone(at(0.0, 0.10, 0.0), at(0.0, 0.05, 0.012), 0.032, 0.034),
                ball(at(0.026, 0.078, -0.004), 0.012),
                ball(at(-0.026, 0.086, 0.002), 0.012),
                flat_cone(
                    at(-0.004, 0.066, 0.02),
                    at(-0.016, 0.026, 0.125),
                    0.034,
                    0.024,
                    DVec3::Y,
                    0.95,
                ),
                flat_cone(
                    at(0.010, 0.030, 0.0),
                    at(0.026, 0.019, 0.112),
                    0.028,
                    0.021,
                    DVec3::Y,
                    0.9,
                ),
            ],
        );
        let toes = self
            .toes()
            .map(|(root, tip, r)| {
                let middle = root.lerp(tip, 0.5) + DVec3::Y * 0.003;
                let toe = blend(
                    0.004,
                    vec![
                        cone(root.to_array(), middle.to_array(), r * 1.06, r * 1.02),
                        cone(middle.to_array(), tip.to_array(), r * 1.02, r),
                    ],
                );
                (0.014, toe)
            })
            .to_vec();
        star(core, toes, 0.002)
    }

    /// The joints, in the same measures.
    pub fn plan(&self) -> Plan {
        let mut plan = Plan::default();
        for (name, parent, y, z) in [
            ("hips", "", 0.975, -0.005),
            ("spine", "hips", 1.075, -0.012),
            ("chest", "spine", 1.20, -0.02),
            ("upper_chest", "chest", 1.335, -0.025),
            ("neck", "upper_chest", 1.505, -0.022),
            ("head", "neck", 1.60, -0.008),
        ] {
            plan.add(name, parent, DVec3::new(0.0, y, z));
        }
        let arm = |p: DVec3| SHOULDER + self.arm_rotation() * (p - SHOULDER);
        plan.add_pair("{}_shoulder", "upper_chest", DVec3::new(0.03, 1.455, 0.0));
        plan.add_pair("{}_upper_arm", "{}_shoulder", SHOULDER);
        plan.add_pair("{}_lower_arm", "{}_upper_arm", arm(ELBOW));
        plan.add_pair("{}_hand", "{}_lower_arm", arm(WRIST));
        for (finger, joints) in super::palm::finger_joints(WRIST, &self.hand) {
            let mut parent = "{}_hand".to_owned();
            for (segment, at) in super::palm::SEGMENTS.iter().zip(joints) {
                let name = format!("{{}}_{finger}_{segment}");
                plan.add_pair(&name, &parent, arm(at));
                parent = name;
            }
        }
        let leg = |p: DVec3| HIP + self.leg_rotation() * (p - HIP);
        plan.add_pair("{}_upper_leg", "hips", HIP);
        plan.add_pair("{}_lower_leg", "{}_upper_leg", leg(KNEE));
        plan.add_pair("{}_foot", "{}_lower_leg", self.ankle());
        plan.add_pair("{}_toes", "{}_foot", self.foot_point(0.006, 0.022, 0.125));
        if self.toe_joints {
            for (name, (root, tip, _)) in ["big", "second", "third", "fourth", "little"]
                .iter()
                .zip(self.toes())
            {
                plan.add_pair(&format!("{{}}_{name}_toe"), "{}_toes", root.lerp(tip, 0.25));
            }
        }
        plan
    }
}
