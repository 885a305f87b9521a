//! Pieces of the mesh that no bone reaches through the solid: eyes, buttons, hair cards,
//! floating armour. They follow what they hang on.

use super::reach::Reach;
use crate::bind::BindWarning;
use crate::bind::islands::{islands, nearest};
use crate::inspect::Welded;
use crate::surface::Laplacian;

/// A piece no longer than this share of the character follows as one piece.
const SMALL: f64 = 0.15;

/// Gives hosts to what no bone reaches. A piece out of reach takes the weights of the nearest
/// place within reach: a small one as one piece, so that it keeps its shape, a large one
/// place by place. How far weights diffuse there is that of the host, and nothing within
/// one piece.
pub(super) fn find_hosts(reach: &mut Reach, surface: &Welded, laplacian: &Laplacian) -> Option<BindWarning> {
    let hosts: Vec<u32> = (0..reach.len() as u32)
        .filter(|&p| !reach.of_position(p as usize).is_empty())
        .collect();
    if hosts.len() == reach.len() || hosts.is_empty() {
        return None;
    }
    let (mut pieces, mut rigid, mut positions) = (0, 0, 0);
    for island in islands(laplacian) {
        let lost: Vec<u32> = island
            .iter()
            .copied()
            .filter(|&p| reach.of_position(p as usize).is_empty())
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
        for (&p, &(own, _)) in lost.iter().zip(&found) {
            let own = if whole { anchor.unwrap_or(own) } else { own };
            reach.hosts[p as usize] = own;
            reach.lengths[p as usize] = if whole { 0.0 } else { reach.lengths[own as usize] };
        }
    }
    Some(BindWarning::FloatingPieces {
        pieces,
        rigid,
        positions,
    })
}
