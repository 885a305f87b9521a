//! From distances to weights: the default form and the papers'.

use std::convert::Infallible;

use serde::{Deserialize, Serialize};

use crate::character::{Influence, Rows, Weights};

/// Distances below a tenth of a voxel count as that (Dionne and de Lasa 2014, section 3.5).
pub(super) const NEAREST_VOXELS: f64 = 0.1;
/// The bounds of the relative distance in Dionne and de Lasa 2013, equation 8.
const RELATIVE: (f64, f64) = (1e-4, 1.0);

/// Which form of the method.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// The default.
    #[default]
    Ligament,
    /// Dionne and de Lasa (2014): sparse voxels, penalty, winding numbers, d^−λ.
    #[serde(rename = "2014")]
    Paper2014,
    /// Dionne and de Lasa (2013): uniform voxels, six neighbours, the rational falloff.
    #[serde(rename = "2013")]
    Paper2013,
}

impl Form {
    pub(crate) fn leaf_stub(self) -> f64 {
        match self {
            Self::Ligament => 0.8,
            Self::Paper2014 | Self::Paper2013 => crate::character::LEAF_STUB,
        }
    }

    pub(super) fn resolution(self) -> Option<u32> {
        match self {
            Self::Ligament => None,
            Self::Paper2014 | Self::Paper2013 => Some(256),
        }
    }

    pub(super) fn winding_numbers(self) -> bool {
        self != Self::Paper2013
    }

    pub(super) fn sparse(self) -> bool {
        self != Self::Paper2013
    }

    pub(super) fn diagonal(self) -> bool {
        self != Self::Paper2013
    }

    pub(super) fn penalty(self) -> f64 {
        match self {
            Self::Ligament | Self::Paper2014 => 4.0,
            Self::Paper2013 => 1.0,
        }
    }

    /// Whether each bone of a joint counts by itself; else the nearest of them.
    pub(super) fn tells_bones_apart(self) -> bool {
        self == Self::Ligament
    }

    pub(super) fn weighs_thickness(self) -> bool {
        self == Self::Ligament
    }

    pub(super) fn smooths(self) -> bool {
        self == Self::Ligament
    }

    /// α if the user gives none.
    pub fn default_alpha(self) -> f64 {
        match self {
            Self::Ligament => 0.2, // λ = 10
            Self::Paper2014 => 0.5,
            Self::Paper2013 => 0.7,
        }
    }

    /// The logarithm of a joint's weight before normalising. `distance` is in voxels, and
    /// `diagonal` of the grid too.
    pub(super) fn log_weight(self, distance: f64, alpha: f64, diagonal: f64) -> f64 {
        match self {
            // Dionne and de Lasa 2014, equation 5, in logarithms: thirtieth powers
            // overflow.
            Self::Ligament | Self::Paper2014 => -lambda(alpha) * distance.max(NEAREST_VOXELS).ln(),
            // Dionne and de Lasa 2013, equation 8. Its D is the product of the extents,
            // which is a volume; the diagonal makes the distance relative as the paper
            // means it.
            Self::Paper2013 => {
                let d = (distance / diagonal).clamp(RELATIVE.0, RELATIVE.1);
                -2.0 * ((1.0 - alpha) * d + alpha * d * d).ln()
            }
        }
    }
}

/// Dionne and de Lasa 2014, equation 6: the power by which weights fall, from 5 at α = 0 to
/// 30 at α = 1.
pub fn lambda(alpha: f64) -> f64 {
    (1.0 - alpha) * 5.0 + alpha * 30.0
}

/// The `k` largest of each row among the joints that it may follow; `before` where none is
/// left.
pub(super) fn limited<'a>(
    rows: &Rows,
    before: &Weights,
    k: usize,
    allowed: impl Fn(usize) -> &'a [bool] + Sync,
) -> Weights {
    let limited = Weights::in_parallel(rows.len(), k.min(4), |positions, builder| {
        let mut row: Vec<Influence> = Vec::new();
        for position in positions {
            let allowed = allowed(position);
            row.clear();
            row.extend(rows.of(position).iter().filter(|i| allowed[i.joint.at()]));
            row.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.joint.cmp(&b.joint)));
            row.truncate(k);
            if builder.push(&row).is_err() {
                builder.push_valid(before.of_vertex(position));
            }
        }
        Ok::<_, Infallible>(())
    });
    match limited {
        Ok(weights) => weights,
        Err(never) => match never {},
    }
}
