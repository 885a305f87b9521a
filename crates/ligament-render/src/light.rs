//! Light: a soft key from the camera's upper left, a cool fill from its right, a rim from
//! behind, and the sky above a warm ground. Lights turn with the camera, so every side of
//! a character is lit alike.

use glam::Vec3;

use crate::camera::Lens;

/// Lights in world space.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Lights {
    key: Vec3,
    fill: Vec3,
    rim: Vec3,
    half: Vec3,
}

const SKY: Vec3 = Vec3::new(0.32, 0.34, 0.38);
const GROUND: Vec3 = Vec3::new(0.15, 0.135, 0.13);
const KEY: Vec3 = Vec3::new(0.80, 0.77, 0.72);
const FILL: Vec3 = Vec3::new(0.12, 0.14, 0.17);
const RIM: Vec3 = Vec3::new(0.30, 0.32, 0.36);
const SHINE: f32 = 0.05;

impl Lights {
    pub fn new(lens: &Lens) -> Self {
        let towards =
            |x: f32, y: f32, z: f32| (lens.right * x + lens.up * y - lens.forward * z).normalize_or(Vec3::Y);
        let key = towards(-0.55, 0.65, 0.75);
        Self {
            key,
            fill: towards(0.9, 0.1, 0.45),
            rim: towards(0.25, 0.55, -0.8),
            half: (key - lens.forward).normalize_or(Vec3::Y),
        }
    }

    /// Light that a matt surface of this colour sends to the camera. `normal` points to
    /// the camera's side; `to_eye` is a unit vector.
    #[inline]
    pub fn shade(&self, albedo: Vec3, normal: Vec3, to_eye: Vec3) -> Vec3 {
        let sky = 0.5 + 0.5 * normal.y;
        let mut light = GROUND + (SKY - GROUND) * sky;
        light += KEY * normal.dot(self.key).max(0.0);
        light += FILL * normal.dot(self.fill).max(0.0);
        let edge = 1.0 - normal.dot(to_eye).clamp(0.0, 1.0);
        light += RIM * (edge * edge * normal.dot(self.rim).max(0.0));
        let mut shine = normal.dot(self.half).max(0.0);
        for _ in 0..4 {
            shine *= shine;
        }
        albedo * light + Vec3::splat(SHINE * shine)
    }
}
