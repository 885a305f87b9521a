//! Which points of a target have a counterpart on a source: the first half of robust skin weight transfer (Abdrashitov et
//! al. 2023, section 3.1).
//!
//! A point is matched if the source's closest point is near enough and looks the same way. Lengths are fractions of the
//! target's diagonal, so that no unit matters. Cloth of one sheet has one normal for its two sides, and linings look
//! inwards: a normal may also be the opposite one. That alone would let the inner side of a left sock match the right
//! leg, which faces it; see [`from_behind`](super::from_behind).

use glam::DVec3;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::from_behind::drop_other_limbs;
use super::looks::Looks;
use super::{ClosestPoint, TransferError, TransferSource};
use crate::geometry::{Laplacian, islands};
use crate::task::{Cancelled, Task};

/// Points that one thread looks for together.
const POINTS_AT_ONCE: usize = 512;

/// When a point has a counterpart.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MatchOptions {
    /// How far the counterpart may be away, as a fraction of the target's diagonal, over 0. More matches further layers of
    /// clothes, and more that belongs elsewhere.
    pub distance: f64,
    /// How far the two normals may be apart, in degrees from 0 to 180. More matches wrinkles and flares.
    pub angle: f64,
    /// Which sides of the two surfaces may match.
    pub sides: Sides,
}

impl Default for MatchOptions {
    fn default() -> Self {
        Self {
            distance: 0.05,
            angle: 30.0,
            sides: Sides::Either,
        }
    }
}

/// Which sides of two surfaces may match.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sides {
    /// Normals that point the same way, as published.
    Same,
    /// Also normals that point opposite ways: linings, sheets, what is inside out.
    #[default]
    Either,
}

/// Whether a point has a counterpart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum PointMatch {
    /// It has.
    Matched,
    /// The source is too far away.
    TooFar,
    /// The source looks another way there.
    TurnedAway,
    /// The counterpart belongs to another limb than what surrounds the point.
    OtherLimb,
    /// It was not to be matched.
    Masked,
}

/// The surface that weights go to.
#[derive(Debug, Clone, Copy)]
pub struct TransferTarget<'a> {
    /// Where its points are.
    pub points: &'a [DVec3],
    /// The faces between them.
    pub faces: &'a [[u32; 3]],
    /// Its Laplacian.
    pub laplacian: &'a std::sync::Arc<Laplacian>,
    /// The diagonal of the box around it.
    pub diagonal: f64,
}

/// The counterparts of a target's points.
#[derive(Debug, Clone, PartialEq)]
pub struct Matches {
    /// For each point the closest one of the source.
    pub closest: Vec<ClosestPoint>,
    /// For each point whether that counts.
    pub state: Vec<PointMatch>,
    /// For each point whether it or its counterpart lies on a sheet with faces on either side, so that no side was asked for.
    pub both_ways: Vec<bool>,
    /// The connected pieces of the target, each ascending.
    pub islands: Vec<Vec<u32>>,
}

impl MatchOptions {
    /// Fails if a number is out of its range.
    pub fn check(&self) -> Result<(), TransferError> {
        let bad = |option, range, value| Err(TransferError::OutOfRange { option, range, value });
        if !(self.distance > 0.0 && self.distance.is_finite()) {
            return bad(
                "the distance of a match",
                "a fraction of the diagonal over 0",
                self.distance,
            );
        }
        if !(0.0..=180.0).contains(&self.angle) {
            return bad("the angle of a match", "from 0 to 180 degrees", self.angle);
        }
        Ok(())
    }
}

impl Matches {
    /// Finds the counterparts of all points; those that `wanted` says no to are masked.
    pub fn of(
        source: &TransferSource,
        target: &TransferTarget<'_>,
        wanted: Option<&[bool]>,
        options: &MatchOptions,
        task: &Task<'_>,
    ) -> Result<Self, TransferError> {
        options.check()?;
        let looks = Looks::of(target.points, target.faces);
        let reach = options.distance * target.diagonal;
        let least = options.angle.to_radians().cos() - COSINE_SLACK;
        let found: Vec<(ClosestPoint, Found)> = (0..target.points.len())
            .into_par_iter()
            .with_min_len(POINTS_AT_ONCE)
            .map(|point| {
                if point % POINTS_AT_ONCE == 0 {
                    task.step("matching", point as f32 / target.points.len() as f32)?;
                }
                let closest = source.closest(target.points[point]);
                if wanted.is_some_and(|w| !w[point]) {
                    return Ok((closest, Found::Not(PointMatch::Masked)));
                }
                if closest.distance > reach {
                    return Ok((closest, Found::Not(PointMatch::TooFar)));
                }
                let cosine = looks.at(point).cosine(source.look_at(&closest));
                let found = match options.sides {
                    _ if cosine >= least => Found::InFront,
                    Sides::Either if -cosine >= least => Found::Behind,
                    _ => Found::Not(PointMatch::TurnedAway),
                };
                Ok((closest, found))
            })
            .collect::<Result<_, Cancelled>>()?;
        let closest: Vec<ClosestPoint> = found.iter().map(|f| f.0).collect();
        let mut sides: Vec<Found> = found.iter().map(|f| f.1).collect();
        let islands = islands(target.laplacian);
        if options.sides == Sides::Either {
            drop_other_limbs(source, target, &closest, &mut sides, &islands);
        }
        let state = sides
            .iter()
            .map(|side| match side {
                Found::InFront | Found::Behind => PointMatch::Matched,
                Found::Not(why) => *why,
            })
            .collect();
        let both_ways = closest
            .iter()
            .enumerate()
            .map(|(point, at)| looks.at(point).is_both_ways() || source.look_at(at).is_both_ways())
            .collect();
        Ok(Self {
            closest,
            state,
            both_ways,
            islands,
        })
    }

    /// Whether a point has a counterpart.
    pub fn is_matched(&self, point: usize) -> bool {
        self.state[point] == PointMatch::Matched
    }

    /// How many points are in a state.
    pub fn count(&self, state: PointMatch) -> usize {
        self.state.iter().filter(|&&s| s == state).count()
    }
}

/// A cosine may be short of its limit by this: an angle of 0 still matches what is parallel.
const COSINE_SLACK: f64 = 1e-9;

/// From which side a counterpart was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// Normals point the same way.
    InFront,
    /// They point opposite ways.
    Behind,
    /// It was not.
    Not(PointMatch),
}
