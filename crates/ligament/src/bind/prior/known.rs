//! Features that do not depend on the point: those of a bone and its joint, and those of a piece. They are found once
//! instead of once for each point.

use super::features::{COUNT, Features, Name, RANGES};
use super::joints::{Limb, Wholes};
use super::pieces::Pieces;
use super::rows::{MOST, Row};

/// The features that all candidates of a point share.
pub(super) const OF_POINT: [Name; 15] = [
    Name::Largest,
    Name::Second,
    Name::Disagreement,
    Name::BestKind,
    Name::PieceArea,
    Name::PieceExtent,
    Name::PieceMost,
    Name::PieceJoints,
    Name::CloseDistance,
    Name::CloseFacing,
    Name::PartFace,
    Name::PartSoft,
    Name::PartProp,
    Name::Thinness,
    Name::Edges,
];

/// What is known about a piece whatever the point and the joint.
#[derive(Debug)]
pub(super) struct OfPiece {
    /// Its area, extent, largest weight and joints.
    pub bytes: [u8; 4],
    /// One for what is next to nothing, falling with the size.
    pub smallness: f64,
}

/// All of it.
#[derive(Debug)]
pub(super) struct Known {
    /// For each bone a row in which the features of the bone and its joint are filled in.
    pub of_limb: Vec<Features>,
    /// For each bone on which side of the middle it lies, as a sign; zero in the middle and where there is none.
    pub sides: Vec<f64>,
    /// Where the middle is, if there is one.
    pub plane: f64,
    pub of_piece: Vec<OfPiece>,
    /// The byte of each rank.
    pub ranks: [u8; MOST + 1],
}

impl Known {
    pub fn of(wholes: &Wholes, pieces: &Pieces) -> Self {
        let of_piece = pieces
            .pieces
            .iter()
            .map(|piece| {
                let byte = |name: Name, value: f64| RANGES[name as usize].byte(value as f32);
                OfPiece {
                    bytes: [
                        byte(Name::PieceArea, piece.area.max(1e-9).ln()),
                        byte(Name::PieceExtent, piece.extent),
                        byte(Name::PieceMost, f64::from(piece.most)),
                        byte(Name::PieceJoints, (1.0 + piece.joints as f64).ln()),
                    ],
                    smallness: (-piece.extent / 0.15).exp(),
                }
            })
            .collect();
        Self {
            of_limb: wholes.limbs.iter().map(|limb| of_limb(wholes, limb)).collect(),
            sides: wholes.limbs.iter().map(|limb| side(wholes, limb)).collect(),
            plane: wholes.plane.unwrap_or(0.0),
            of_piece,
            ranks: std::array::from_fn(|rank| {
                RANGES[Name::Rank as usize].byte((1.0 + rank as f64).ln() as f32)
            }),
        }
    }
}

/// On which side of a symmetric character's middle a bone lies.
fn side(wholes: &Wholes, limb: &Limb) -> f64 {
    let off = wholes
        .plane
        .map_or(0.0, |plane| limb.head.midpoint(limb.tail).x - plane);
    if off.abs() <= 0.01 * wholes.diagonal {
        0.0
    } else {
        off.signum()
    }
}

fn of_limb(wholes: &Wholes, limb: &Limb) -> Features {
    let mut row = Row([0; COUNT]);
    let whole = &wholes.joints[usize::from(limb.slot)];
    let (floor, least_area) = (1e-9 * wholes.diagonal, 1e-9 * wholes.total_area);
    let ratio = |a: f64, b: f64| (a.max(floor) / b.max(floor)).ln();
    let yes = |is_so: bool| f64::from(u8::from(is_so));
    row.put(Name::RadiusInMedians, ratio(limb.radius, wholes.median_radius));
    row.put(Name::LengthInRadii, ratio(limb.length, limb.radius));
    row.put(Name::LengthInDiagonals, ratio(limb.length, wholes.diagonal));
    row.put(Name::Leaf, yes(limb.stub));
    row.put(Name::Children, whole.children as f64);
    row.put(Name::Below, whole.below);
    row.put(Name::CoincidesMiddle, limb.coincides[0].max(1e-9).ln());
    row.put(Name::CoincidesTail, limb.coincides[1].max(1e-9).ln());
    row.put(Name::Bend, whole.bend);
    match whole.parent.map(|parent| &wholes.joints[usize::from(parent)]) {
        Some(parent) => {
            row.put(Name::RadiusOverParent, ratio(whole.radius, parent.radius));
            row.put(
                Name::LengthOverParent,
                ratio(whole.length, whole.from_parent_length),
            );
            row.put(
                Name::ShareOverParent,
                (whole.area.max(least_area) / parent.area.max(least_area)).ln(),
            );
        }
        None => {
            for name in [
                Name::RadiusOverParent,
                Name::LengthOverParent,
                Name::ShareOverParent,
                Name::Plane,
                Name::PlaneFar,
                Name::PlaneIncoming,
            ] {
                row.put(name, 0.0);
            }
        }
    }
    row.put(Name::SideBone, yes(!limb.main));
    row.put(Name::Aside, yes(side(wholes, limb) != 0.0));
    row.put(Name::Kind, f64::from(whole.kind));
    for (name, says) in [Name::SaysFace, Name::SaysSoft, Name::SaysProp, Name::SaysHelper]
        .into_iter()
        .zip(whole.says)
    {
        row.put(name, yes(says));
    }
    let total = wholes.total_area;
    row.put(Name::Share, (whole.top_area / total).max(1e-9).ln());
    row.put(Name::HeatShare, (whole.heat_area / total).max(1e-9).ln());
    row.put(Name::TopOfOwn, whole.top_area / whole.area.max(1e-9 * total));
    let both = whole.voxel_area + whole.heat_area;
    row.put(
        Name::VoxelOverHeat,
        (whole.voxel_area - whole.heat_area) / both.max(1e-9 * total),
    );
    let cylinder = std::f64::consts::TAU * whole.radius * whole.length.max(whole.radius);
    row.put(Name::Plumpness, (whole.area.max(1e-9 * total) / cylinder).ln());
    row.put(Name::MainPiece, whole.main_piece);
    row.put(Name::AimedBone, 0.0); // a stub's depends on the point
    row.0
}
