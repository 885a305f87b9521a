//! Pieces of the mesh that no bone reaches through the solid: eyes, buttons, hair cards,
//! floating armour. They follow what they hang on.

use crate::bind::islands::{islands, nearest};
use crate::bind::{BindError, BindWarning, Job};
use crate::character::{Influence, Weights, WeightsBuilder};
use crate::inspect::Welded;
use crate::surface::Laplacian;

/// A piece no longer than this share of the character follows as one piece.
const SMALL: f64 = 0.15;

/// Weights for all positions. A piece without any takes those of the nearest place that has
/// some: a small one as one piece, so that it keeps its shape, a large one place by place.
pub(in crate::bind) fn filled(
    rows: Vec<Vec<Influence>>,
    surface: &Welded,
    laplacian: &Laplacian,
    job: &Job<'_>,
    lengths: &mut [f64],
) -> Result<(Weights, Option<BindWarning>), BindError> {
    let hosts: Vec<u32> = (0..rows.len() as u32)
        .filter(|&p| !rows[p as usize].is_empty())
        .collect();
    let mut source: Vec<u32> = (0..rows.len() as u32).collect();
    let (mut pieces, mut rigid, mut positions) = (0, 0, 0);
    if hosts.len() < rows.len() && !hosts.is_empty() {
        for island in islands(laplacian) {
            let lost: Vec<u32> = island
                .iter()
                .copied()
                .filter(|&p| rows[p as usize].is_empty())
                .collect();
            if lost.is_empty() {
                continue;
            }
            pieces += 1;
            positions += lost.len();
            let found = nearest(&surface.points, &lost, &hosts, surface.diagonal);
            let at = |p: u32| surface.points[p as usize];
            let (low, high) = island.iter().fold((at(island[0]), at(island[0])), |(l, h), &p| {
                (l.min(at(p)), h.max(at(p)))
            });
            let whole = lost.len() == island.len() && low.distance(high) <= SMALL * surface.diagonal;
            rigid += usize::from(whole);
            let anchor = found.iter().min_by(|a, b| a.1.total_cmp(&b.1)).map(|f| f.0);
            for (&p, &(host, _)) in lost.iter().zip(&found) {
                source[p as usize] = if whole { anchor.unwrap_or(host) } else { host };
                lengths[p as usize] = if whole { 0.0 } else { lengths[host as usize] };
            }
        }
    }
    let mut builder = WeightsBuilder::with_capacity(rows.len(), 4);
    for (position, &from) in source.iter().enumerate() {
        let row = &rows[from as usize];
        let allowed = job.allowed_at(position);
        // A host may follow joints that this position may not.
        let own: Vec<Influence> = row.iter().copied().filter(|i| allowed[i.joint.at()]).collect();
        let pushed = if own.is_empty() {
            let any = allowed.iter().position(|&a| a).unwrap_or(0);
            builder.push(&[Influence {
                joint: crate::JointIndex(any as u16),
                weight: 1.0,
            }])
        } else {
            builder.push(&own)
        };
        pushed.map_err(|_| BindError::NothingToBind)?;
    }
    let warning = (pieces > 0).then_some(BindWarning::FloatingPieces {
        pieces,
        rigid,
        positions,
    });
    Ok((builder.finish(), warning))
}
