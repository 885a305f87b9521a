//! Colours for numbers and joints, and the step from linear light to bytes.

use std::sync::LazyLock;

use glam::{Mat3, Vec3};
use ligament::{JointIndex, Skeleton, Weights};

/// Linear RGB from sRGB bytes.
pub fn srgb(bytes: [u8; 3]) -> [f32; 3] {
    bytes.map(|b| {
        let c = f32::from(b) / 255.0;
        if c <= 0.04045 {
            c / 12.92
        } else {
            ((c + 0.055) / 1.055).powf(2.4)
        }
    })
}

/// sRGB bytes of linear values, by table.
pub(crate) struct SrgbTable(Vec<u8>);

impl SrgbTable {
    const STEPS: f32 = 16383.0;

    pub fn new() -> Self {
        static TABLE: LazyLock<Vec<u8>> = LazyLock::new(|| {
            (0..=SrgbTable::STEPS as u32)
                .map(|i| {
                    let c = i as f32 / SrgbTable::STEPS;
                    let s = if c <= 0.0031308 {
                        12.92 * c
                    } else {
                        1.055 * c.powf(1.0 / 2.4) - 0.055
                    };
                    (s * 255.0 + 0.5) as u8
                })
                .collect()
        });
        Self(TABLE.clone())
    }

    /// Values outside 0 to 1 are clamped; NaN is black.
    #[inline]
    pub fn bytes(&self, linear: Vec3) -> [u8; 3] {
        let byte = |c: f32| self.0[(c.clamp(0.0, 1.0) * Self::STEPS + 0.5) as i32 as usize];
        [byte(linear.x), byte(linear.y), byte(linear.z)]
    }
}

/// What colours numbers in `0.0..=1.0`; others are clamped.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Ramp {
    /// Dark blue over purple and red to yellow, in even steps of lightness; zero is a
    /// greyish blue, so that what a joint does not hold stands apart from what it holds a
    /// little.
    #[default]
    Weight,
    /// The same with no colour set apart for zero.
    Even,
}

/// The greyish blue of a weight of zero, as sRGB.
const ZERO: [u8; 3] = [0x8c, 0x99, 0xa9];
/// Up to here colours pass from that of zero to the ramp's first.
const ZERO_ENDS: f32 = 0.01;
const STOPS: [[u8; 3]; 7] = [
    [0x1b, 0x1a, 0x70],
    [0x55, 0x1c, 0x94],
    [0x92, 0x23, 0x91],
    [0xc9, 0x3a, 0x70],
    [0xec, 0x65, 0x45],
    [0xfb, 0xa0, 0x2d],
    [0xfa, 0xec, 0x4a],
];
const RAMP_STEPS: usize = 255;

static RAMP: LazyLock<Vec<Vec3>> = LazyLock::new(|| {
    let stops = STOPS.map(|s| oklab(srgb(s).into()));
    (0..=RAMP_STEPS)
        .map(|i| {
            let t = i as f32 / RAMP_STEPS as f32 * (stops.len() - 1) as f32;
            let k = (t as usize).min(stops.len() - 2);
            linear(stops[k].lerp(stops[k + 1], t - k as f32))
        })
        .collect()
});

impl Ramp {
    /// The linear colour of a number. NaN has the colour of zero.
    pub fn color(self, value: f32) -> [f32; 3] {
        let value = if value.is_finite() {
            value.clamp(0.0, 1.0)
        } else {
            0.0
        };
        let t = value * RAMP_STEPS as f32;
        let k = (t as usize).min(RAMP_STEPS - 1);
        let color = RAMP[k].lerp(RAMP[k + 1], t - k as f32);
        match self {
            Self::Weight if value < ZERO_ENDS => Vec3::from(srgb(ZERO)).lerp(color, value / ZERO_ENDS).into(),
            _ => color.into(),
        }
    }
}

/// How much one joint holds of every vertex, for [`crate::Paint::Scalar`].
pub fn joint_weights(weights: &Weights, joint: JointIndex) -> Vec<f32> {
    (0..weights.vertex_count())
        .map(|v| weights.weight(v, joint))
        .collect()
}

/// All joints at once: every vertex in its joints' colours, mixed by their weights. Joints
/// beyond the colours count as black.
pub fn weight_colors(weights: &Weights, joint_colors: &[[f32; 3]]) -> Vec<[f32; 3]> {
    weights
        .iter()
        .map(|influences| {
            let mixed = influences.iter().fold(Vec3::ZERO, |sum, i| {
                let color = joint_colors.get(i.joint.at()).copied().unwrap_or_default();
                sum + Vec3::from(color) * i.weight
            });
            mixed.into()
        })
        .collect()
}

const HUES: usize = 15;

/// A linear colour for every joint of a skeleton. Always the same for the same hierarchy;
/// a joint differs clearly from its parent, its grandparent and its siblings.
pub fn joint_colors(skeleton: &Skeleton) -> Vec<[f32; 3]> {
    // Candidates on two rings of even hue in OKLab.
    let candidates: Vec<Vec3> = (0..2 * HUES)
        .map(|i| {
            let hue = (i % HUES) as f32 / HUES as f32 * std::f32::consts::TAU;
            let (lightness, chroma) = if i < HUES { (0.60, 0.15) } else { (0.80, 0.11) };
            Vec3::new(lightness, chroma * hue.cos(), chroma * hue.sin())
        })
        .collect();
    let mut used = vec![0u32; candidates.len()];
    let mut chosen: Vec<usize> = Vec::with_capacity(skeleton.joints.len());
    let parent_of = |j: usize| skeleton.joints[j].parent.map(|p| p.at()).filter(|&p| p < j);
    let mut last_child = vec![None; skeleton.joints.len()];
    let mut sibling_before = vec![None; skeleton.joints.len()];
    for j in 0..skeleton.joints.len() {
        let parent = parent_of(j);
        if let Some(p) = parent {
            sibling_before[j] = last_child[p];
            last_child[p] = Some(j);
        }
        let mut near: Vec<usize> = [parent, parent.and_then(parent_of)]
            .into_iter()
            .flatten()
            .collect();
        let mut sibling = sibling_before[j];
        while let Some(s) = sibling.filter(|_| near.len() < 12) {
            near.push(s);
            sibling = sibling_before[s];
        }
        // Far enough from relatives is enough; beyond that the least used, and of those
        // one that turns with the index.
        let score = |c: usize| {
            let distance = near
                .iter()
                .map(|&n| candidates[chosen[n]].distance(candidates[c]))
                .fold(0.2f32, f32::min);
            distance - 0.04 * used[c] as f32
        };
        let start = j * 7 % candidates.len();
        let best = (0..candidates.len())
            .map(|i| (start + i) % candidates.len())
            .reduce(|a, b| if score(b) > score(a) { b } else { a })
            .unwrap_or(0);
        used[best] += 1;
        chosen.push(best);
    }
    chosen.iter().map(|&c| linear(candidates[c]).into()).collect()
}

/// OKLab (Ottosson 2020) of a linear colour.
fn oklab(rgb: Vec3) -> Vec3 {
    let lms = Mat3::from_cols_array(&[
        0.412_221_46,
        0.211_903_5,
        0.088_302_46,
        0.536_332_55,
        0.680_699_5,
        0.281_718_85,
        0.051_445_995,
        0.107_396_96,
        0.629_978_7,
    ]) * rgb;
    Mat3::from_cols_array(&[
        0.210_454_26,
        1.977_998_5,
        0.025_904_037,
        0.793_617_8,
        -2.428_592_2,
        0.782_771_77,
        -0.004_072_047,
        0.450_593_7,
        -0.808_675_77,
    ]) * Vec3::from(lms.to_array().map(f32::cbrt))
}

/// The linear colour of an OKLab one, cut to what can be shown.
fn linear(lab: Vec3) -> Vec3 {
    let lms = Mat3::from_cols_array(&[
        1.0,
        1.0,
        1.0,
        0.396_337_78,
        -0.105_561_346,
        -0.089_484_18,
        0.215_803_76,
        -0.063_854_17,
        -1.291_485_5,
    ]) * lab;
    let rgb = Mat3::from_cols_array(&[
        4.076_741_7,
        -1.268_438,
        -0.004_196_086,
        -3.307_711_6,
        2.609_757_4,
        -0.703_418_6,
        0.230_969_94,
        -0.341_319_4,
        1.707_614_7,
    ]) * (lms * lms * lms);
    rgb.clamp(Vec3::ZERO, Vec3::ONE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DAffine3;
    use ligament::character::{Joint, Transform};

    #[test]
    fn bytes_and_light_are_inverse() {
        let table = SrgbTable::new();
        for b in 0..=255u8 {
            assert_eq!(table.bytes(srgb([b; 3]).into()), [b; 3]);
        }
        assert_eq!(table.bytes(Vec3::new(f32::NAN, -1.0, f32::INFINITY)), [0, 0, 255]);
    }

    #[test]
    fn oklab_comes_back() {
        for c in [Vec3::ONE, Vec3::new(0.2, 0.5, 0.1), Vec3::new(0.9, 0.02, 0.4)] {
            assert!(linear(oklab(c)).abs_diff_eq(c, 1e-4));
        }
        assert!((oklab(Vec3::ONE).x - 1.0).abs() < 1e-4);
    }

    #[test]
    fn the_ramp_grows_lighter_all_the_way() {
        let lightness = |v: f32| oklab(Ramp::Even.color(v).into()).x;
        for i in 0..100 {
            assert!(lightness(i as f32 / 100.0) < lightness((i + 1) as f32 / 100.0));
        }
        assert_eq!(Ramp::Weight.color(0.0), srgb(ZERO));
        assert_eq!(Ramp::Weight.color(f32::NAN), srgb(ZERO));
        assert_eq!(Ramp::Weight.color(2.0), Ramp::Weight.color(1.0));
    }

    #[test]
    fn relatives_differ_clearly() {
        // A tree in which every joint has up to three children.
        let joints: Vec<Joint> = (0..200u16)
            .map(|j| Joint {
                name: String::new(),
                parent: (j > 0).then(|| JointIndex((j - 1) / 3)),
                rest: Transform::IDENTITY,
                bind_from_joint: DAffine3::IDENTITY,
                in_skin: true,
            })
            .collect();
        let colors = joint_colors(&Skeleton { joints });
        let apart = |a: usize, b: usize| oklab(colors[a].into()).distance(oklab(colors[b].into()));
        for j in 1..200 {
            let parent = (j - 1) / 3;
            assert!(apart(j, parent) > 0.08, "{j} and its parent");
            for s in (1..j).filter(|s| (s - 1) / 3 == parent) {
                assert!(apart(j, s) > 0.08, "{j} and {s}");
            }
        }
    }
}
