//! libigl's `.tgf`: a graph of handles.
//!
//! Layout: a line `id x y z ...` for each vertex, `#`, a line `from to [bone] [pseudo]
//! [cage]` for each edge, with ids from 1. Read: positions and bone edges (those whose
//! third number is missing or not zero). Vertices become joints named `joint1` and so on
//! by their id; each connected piece becomes a tree, breadth first from its best root:
//! the vertex from which most edges point away as the file writes them, then the one
//! with most edges, then the first.
//!
//! Lost: pseudo and cage edges, whatever else stands on a vertex's line. Edges that would
//! close a ring are left out, with a warning.

use std::collections::{HashMap, HashSet, VecDeque};

use glam::DVec3;
use ligament::character::{JointIndex, LooseJoint};

use crate::assemble::{skeleton_alone, skeleton_of, warning};
use crate::import::{ImportError, Imported};
use crate::text::{Line, f64_of, lines, shown};

/// A skeleton, and which joint each column of libigl's weights belongs to.
#[derive(Debug, Clone)]
pub struct Tgf {
    /// The skeleton.
    pub imported: Imported,
    /// libigl writes a column of weights for each point handle (a vertex without edges)
    /// and then one for each bone edge, in the file's order. A bone moves with the joint
    /// at its upper end. See [`crate::weights::dmat`].
    pub joint_of_column: Vec<JointIndex>,
}

/// Reads a TGF.
pub fn read(bytes: &[u8], name: &str) -> Result<Tgf, ImportError> {
    let mut positions: Vec<DVec3> = Vec::new();
    let mut edges: Vec<[usize; 2]> = Vec::new();
    let mut section = 0;
    for line in lines(bytes) {
        if line.text.starts_with(b"#") {
            section += 1;
        } else if !line.text.is_empty() && section == 0 {
            positions.push(vertex(line, positions.len() + 1)?);
        } else if !line.text.is_empty() && section == 1 {
            edges.extend(edge(line, positions.len())?);
        }
    }
    let graph = Graph::new(positions.len(), &edges);
    let parents = graph.parents();
    let mut warnings = Vec::new();
    if parents.left_out > 0 {
        warnings.push(warning(
            "left_out_edges",
            format!("{} edges would close a ring and were left out", parents.left_out),
        ));
    }
    let joints = positions
        .iter()
        .enumerate()
        .map(|(v, &at)| LooseJoint::at(format!("joint{}", v + 1), parents.of[v], at))
        .collect();
    let (skeleton, new_of_old) = skeleton_of(joints)?;
    let handles = (0..positions.len()).filter(|&v| graph.neighbours[v].is_empty());
    let upper_end = |&[a, b]: &[usize; 2]| if parents.of[a] == Some(b) { b } else { a };
    let joint_of_column = handles
        .chain(edges.iter().map(upper_end))
        .map(|v| new_of_old[v])
        .collect();
    Ok(Tgf {
        imported: skeleton_alone(name, skeleton, Vec::new(), warnings),
        joint_of_column,
    })
}

fn vertex(line: Line, expected: usize) -> Result<DVec3, ImportError> {
    let mut words = line.words();
    let id = words.next().unwrap_or_default();
    if f64_of(id) != Some(expected as f64) {
        return Err(line.error(format!("vertex {expected} should be here, not {}", shown(id))));
    }
    let mut number = || {
        words
            .next()
            .and_then(f64_of)
            .ok_or_else(|| line.error("a vertex needs three coordinates"))
    };
    Ok(DVec3::new(number()?, number()?, number()?))
}

fn edge(line: Line, vertices: usize) -> Result<Option<[usize; 2]>, ImportError> {
    let mut words = line.words();
    let mut end = || {
        let id = words.next().and_then(f64_of).map_or(0, |id| id as usize);
        if (1..=vertices).contains(&id) {
            return Ok(id - 1);
        }
        Err(line.error(format!("an edge joins two of the {vertices} vertices")))
    };
    let ends = [end()?, end()?];
    let is_bone = words.next().and_then(f64_of).is_none_or(|bone| bone != 0.0);
    Ok((is_bone && ends[0] != ends[1]).then_some(ends))
}

struct Graph {
    /// For each vertex the other end of each edge, and whether the edge points there.
    neighbours: Vec<Vec<(usize, bool)>>,
}

struct Parents {
    of: Vec<Option<usize>>,
    left_out: usize,
}

impl Graph {
    fn new(vertices: usize, edges: &[[usize; 2]]) -> Self {
        let mut neighbours = vec![Vec::new(); vertices];
        for &[from, to] in edges {
            neighbours[from].push((to, true));
            neighbours[to].push((from, false));
        }
        Self { neighbours }
    }

    fn parents(&self) -> Parents {
        let count = self.neighbours.len();
        let mut of = vec![None; count];
        let mut seen = vec![false; count];
        let mut tree_edges = 0;
        for start in 0..count {
            if seen[start] {
                continue;
            }
            let (piece, above) = self.spread(start);
            for &v in &piece {
                seen[v] = true;
            }
            let root = self.best_root(&piece, &above);
            for (v, parent, _) in self.spread(root).1 {
                of[v] = Some(parent);
                tree_edges += 1;
            }
        }
        let edges = self.neighbours.iter().map(Vec::len).sum::<usize>() / 2;
        Parents {
            of,
            left_out: edges - tree_edges,
        }
    }

    /// The vertices of a piece breadth first, and for each but the first its parent and
    /// whether the edge points away from that.
    fn spread(&self, start: usize) -> (Vec<usize>, Vec<(usize, usize, bool)>) {
        let mut order = Vec::new();
        let mut parents = Vec::new();
        let mut seen = HashSet::from([start]);
        let mut waiting = VecDeque::from([start]);
        while let Some(v) = waiting.pop_front() {
            order.push(v);
            for &(next, points_away) in &self.neighbours[v] {
                if seen.insert(next) {
                    parents.push((next, v, points_away));
                    waiting.push_back(next);
                }
            }
        }
        (order, parents)
    }

    /// Going from a vertex to its child in a tree turns one edge round: the number of
    /// edges that point away from each vertex follows from its parent's.
    fn best_root(&self, piece: &[usize], parents: &[(usize, usize, bool)]) -> usize {
        let mut pointing_away: HashMap<usize, i64> = HashMap::new();
        pointing_away.insert(piece[0], 0);
        for &(v, parent, points_away) in parents {
            let above = pointing_away.get(&parent).copied().unwrap_or(0);
            let step = if points_away { -1 } else { 1 };
            pointing_away.insert(v, above + step);
        }
        let rank = |v: usize| {
            let away = pointing_away.get(&v).copied().unwrap_or(0);
            (away, self.neighbours[v].len(), std::cmp::Reverse(v))
        };
        piece.iter().copied().max_by_key(|&v| rank(v)).unwrap_or(piece[0])
    }
}
