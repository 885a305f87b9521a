//! Edges of triangles drawn over the shaded surface.
//!
//! Each visible triangle darkens its pixels by their distance to its edges, so hidden
//! lines are hidden by the same depth test as the surface.

use glam::Vec2;

/// How edges are drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Wire {
    /// Linear colour of the lines.
    pub color: [f32; 3],
    /// Full width of a line between two faces, in pixels.
    pub width: f32,
    /// How much of the surface a line hides, in `0.0..=1.0`.
    pub opacity: f32,
}

impl Default for Wire {
    fn default() -> Self {
        Self {
            color: [0.02, 0.025, 0.04],
            width: 1.1,
            opacity: 0.7,
        }
    }
}

/// Where triangles are lower than this many line widths the lines grow fainter, so that a
/// dense mesh does not turn black.
const FADE_WIDTHS: f32 = 4.0;

impl Wire {
    /// How much a pixel at the origin is hidden by the edges of a triangle whose corners
    /// are given in pixels.
    pub(crate) fn coverage(&self, corners: [Vec2; 3]) -> f32 {
        let mut coverage = 0f32;
        let double_area = (corners[1] - corners[0]).perp_dot(corners[2] - corners[0]).abs();
        let mut longest = 0f32;
        for k in 0..3 {
            let (a, b) = (corners[k], corners[(k + 1) % 3]);
            let length = a.distance(b);
            longest = longest.max(length);
            if length > 0.0 {
                let distance = a.perp_dot(b).abs() / length;
                // One pixel of soft border around the half-width that is this face's.
                coverage = coverage.max((0.5 * self.width + 0.5 - distance).clamp(0.0, 1.0));
            }
        }
        let lowest = if longest > 0.0 { double_area / longest } else { 0.0 };
        let fade = (lowest / (FADE_WIDTHS * self.width.max(0.1))).clamp(0.12, 1.0);
        coverage * self.opacity * fade
    }
}
