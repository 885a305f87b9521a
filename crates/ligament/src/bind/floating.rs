//! Pieces of the mesh that no bone reaches: eyes, buttons, hair cards, floating armour.
//! They follow what they hang on.

use super::BindWarning;
use crate::geometry::Laplacian;
use crate::geometry::WeldedMesh;
use crate::geometry::{islands, nearest};

/// A piece no longer than this fraction of the character follows as one piece.
const SMALL: f64 = 0.15;

/// Who follows whom where no bone reaches.
#[derive(Debug, Clone)]
pub struct Floating {
    /// For each position the one whose weights it takes: itself if a bone reaches it.
    pub hosts: Vec<u32>,
    /// The positions of pieces that follow as one piece.
    pub rigid: Vec<u32>,
    /// What was guessed.
    pub warning: BindWarning,
}

/// Finds hosts for the positions that are not `reached`, if there are any of both kinds. A
/// piece takes the weights of the nearest point that is reached: a small one as one piece,
/// so that it keeps its shape, a large one point by point.
pub fn find_hosts(
    reached: impl Fn(u32) -> bool,
    surface: &WeldedMesh,
    laplacian: &Laplacian,
) -> Option<Floating> {
    let mut hosts: Vec<u32> = (0..surface.points.len() as u32).collect();
    let reaching: Vec<u32> = hosts.iter().copied().filter(|&p| reached(p)).collect();
    if reaching.len() == hosts.len() || reaching.is_empty() {
        return None;
    }
    let (mut pieces, mut rigid_pieces, mut positions) = (0, 0, 0);
    let mut rigid = Vec::new();
    for island in islands(laplacian) {
        let lost: Vec<u32> = island.iter().copied().filter(|&p| !reached(p)).collect();
        if lost.is_empty() {
            continue;
        }
        pieces += 1;
        positions += lost.len();
        let found = nearest(&surface.points, &lost, &reaching);
        let at = |p: u32| surface.points[p as usize];
        let (low, high) = island.iter().fold((at(island[0]), at(island[0])), |(l, h), &p| {
            (l.min(at(p)), h.max(at(p)))
        });
        let whole = lost.len() == island.len() && low.distance(high) <= SMALL * surface.diagonal;
        let anchor = found.iter().min_by(|a, b| a.1.total_cmp(&b.1)).map(|f| f.0);
        for (&p, &(own, _)) in lost.iter().zip(&found) {
            hosts[p as usize] = if whole { anchor.unwrap_or(own) } else { own };
        }
        if whole {
            rigid_pieces += 1;
            rigid.extend(lost);
        }
    }
    Some(Floating {
        hosts,
        rigid,
        warning: BindWarning::FloatingPieces {
            pieces,
            rigid: rigid_pieces,
            positions,
        },
    })
}
