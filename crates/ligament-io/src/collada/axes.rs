//! From the file's axes and unit to ours: +Y up, metres.

use glam::{DAffine3, DMat3, DVec3};

use super::xml::Element;

/// The change of axes and unit.
pub(super) struct Axes {
    rotation: DMat3,
    metres: f64,
}

impl Axes {
    pub fn of(root: &Element) -> Self {
        let asset = root.child("asset");
        let up = asset.and_then(|a| a.child("up_axis")).map(|u| u.text.trim());
        let metres = asset
            .and_then(|a| a.child("unit"))
            .and_then(|u| u.attribute("meter"))
            .and_then(|m| m.trim().parse::<f64>().ok());
        Self {
            rotation: match up {
                Some("Z_UP") => DMat3::from_cols(DVec3::X, DVec3::NEG_Z, DVec3::Y),
                Some("X_UP") => DMat3::from_cols(DVec3::Y, DVec3::NEG_X, DVec3::Z),
                _ => DMat3::IDENTITY,
            },
            metres: metres
                .filter(|m| m.is_finite() && *m > 1e-9 && *m < 1e9)
                .unwrap_or(1.0),
        }
    }

    /// A position in the world.
    pub fn point(&self, point: DVec3) -> DVec3 {
        self.rotation * point * self.metres
    }

    /// A direction in the world.
    pub fn direction(&self, direction: DVec3) -> DVec3 {
        self.rotation * direction
    }

    /// A frame in the world: its unit changes, not its scale.
    pub fn world(&self, frame: DAffine3) -> DAffine3 {
        DAffine3::from_mat3_translation(self.rotation * frame.matrix3, self.point(frame.translation))
    }

    /// A frame in its parent's, or in the world where it has none.
    pub fn local(&self, frame: DAffine3, is_root: bool) -> DAffine3 {
        if is_root {
            self.world(frame)
        } else {
            DAffine3::from_mat3_translation(frame.matrix3, frame.translation * self.metres)
        }
    }
}
