//! A contracted surface becomes a graph: edges collapse until no face is left.
//!
//! Au et al. 2008, section 5. The edge (i, j) is collapsed into j at the cost
//! `w_a·F_a + w_b·F_b`. The shape cost F_a is the sum of the squared distances of v_j from
//! the lines of all edges that i and j stand for (quadrics, equations 4 to 6); the sampling cost
//! F_b = |v_i − v_j|·Σ_k |v_i − v_k| keeps long edges from forming (equation 7). Only edges of
//! faces collapse, so what has become a line is left alone.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use glam::{DMat3, DVec3};

const SHAPE_WEIGHT: f64 = 1.0;
const SAMPLING_WEIGHT: f64 = 0.1;

/// Nodes joined by edges, and which points of the surface each node stands for.
#[derive(Debug, Clone, Default)]
pub(super) struct Graph {
    /// For each node, the surface point that the others collapsed into.
    pub centre_point: Vec<u32>,
    /// Pairs of nodes, the smaller number first, ascending.
    pub edges: Vec<[u32; 2]>,
    /// For each point of the surface, its node (Π).
    pub node_of_point: Vec<u32>,
}

/// Squared distances from lines, summed: `pᵀ·a·p − 2·b·p + c`.
#[derive(Debug, Clone, Copy)]
struct Quadric {
    a: DMat3,
    b: DVec3,
    c: f64,
}

impl Quadric {
    const ZERO: Self = Self {
        a: DMat3::ZERO,
        b: DVec3::ZERO,
        c: 0.0,
    };

    fn of_line(p: DVec3, q: DVec3) -> Self {
        let Some(along) = (q - p).try_normalize() else {
            return Self::ZERO;
        };
        let outer = DMat3::from_cols(along * along.x, along * along.y, along * along.z);
        let a = DMat3::IDENTITY - outer;
        let b = a * p;
        Self { a, b, c: p.dot(b) }
    }

    fn add(&mut self, other: &Self) {
        self.a += other.a;
        self.b += other.b;
        self.c += other.c;
    }

    fn at(&self, p: DVec3) -> f64 {
        (p.dot(self.a * p) - 2.0 * self.b.dot(p) + self.c).max(0.0)
    }
}

/// A non-negative cost as a key that sorts like it.
fn key(cost: f64) -> u64 {
    cost.to_bits()
}

struct Collapse<'a> {
    points: &'a [DVec3],
    quadrics: Vec<Quadric>,
    neighbours: Vec<Vec<u32>>,
    faces: Vec<[u32; 3]>,
    faces_of: Vec<Vec<u32>>,
    into: Vec<u32>,
    version: Vec<u32>,
    queue: BinaryHeap<Reverse<(u64, u32, u32, u32)>>,
}

/// The graph that a contracted surface collapses to.
pub(super) fn collapse(points: &[DVec3], faces: &[[u32; 3]], rings: Vec<Vec<u32>>) -> Graph {
    // Around the middle of the points, where quadrics keep most digits.
    let middle = points.iter().sum::<DVec3>() / points.len().max(1) as f64;
    let points: Vec<DVec3> = points.iter().map(|&p| p - middle).collect();
    let mut quadrics = vec![Quadric::ZERO; points.len()];
    for (i, ring) in rings.iter().enumerate() {
        for &j in ring {
            quadrics[i].add(&Quadric::of_line(points[i], points[j as usize]));
        }
    }
    let mut faces_of = vec![Vec::new(); points.len()];
    for (f, face) in faces.iter().enumerate() {
        for &p in face {
            faces_of[p as usize].push(f as u32);
        }
    }
    let mut work = Collapse {
        points: &points,
        quadrics,
        neighbours: rings,
        faces: faces.to_vec(),
        faces_of,
        into: (0..points.len() as u32).collect(),
        version: vec![0; points.len()],
        queue: BinaryHeap::new(),
    };
    for i in 0..points.len() as u32 {
        work.enqueue(i);
    }
    while let Some(Reverse((_, i, j, version))) = work.queue.pop() {
        if work.version[i as usize] == version && work.into[i as usize] == i {
            work.collapse(i, j);
        }
    }
    work.graph()
}

impl Collapse<'_> {
    /// Puts the cheapest collapse of a point in the queue, in place of an earlier one.
    fn enqueue(&mut self, i: u32) {
        let at = i as usize;
        self.version[at] += 1;
        let p = self.points[at];
        let spread: f64 = self.neighbours[at]
            .iter()
            .map(|&k| p.distance(self.points[k as usize]))
            .sum();
        let mut best: Option<(u64, u32)> = None;
        for &f in &self.faces_of[at] {
            for j in self.faces[f as usize].into_iter().filter(|&j| j != i) {
                let q = self.points[j as usize];
                let shape = self.quadrics[at].at(q) + self.quadrics[j as usize].at(q);
                let cost = SHAPE_WEIGHT * shape + SAMPLING_WEIGHT * p.distance(q) * spread;
                let candidate = (key(cost), j);
                if best.is_none_or(|b| candidate < b) {
                    best = Some(candidate);
                }
            }
        }
        if let Some((cost, j)) = best {
            self.queue.push(Reverse((cost, i, j, self.version[at])));
        }
    }

    fn collapse(&mut self, i: u32, j: u32) {
        let (from, to) = (i as usize, j as usize);
        self.into[from] = j;
        let quadric = self.quadrics[from];
        self.quadrics[to].add(&quadric);
        for f in std::mem::take(&mut self.faces_of[from]) {
            let mut face = self.faces[f as usize];
            for p in &mut face {
                if *p == i {
                    *p = j;
                }
            }
            let mut sorted = face;
            sorted.sort_unstable();
            let flat = sorted[0] == sorted[1] || sorted[1] == sorted[2];
            // A face that folds onto another one is the same face.
            let folded = !flat
                && self.faces_of[to].iter().any(|&g| {
                    let mut other = self.faces[g as usize];
                    other.sort_unstable();
                    g != f && other == sorted
                });
            if flat || folded {
                for &p in &self.faces[f as usize] {
                    self.faces_of[p as usize].retain(|&g| g != f);
                }
            } else {
                self.faces[f as usize] = face;
                self.faces_of[to].push(f);
            }
        }
        for k in std::mem::take(&mut self.neighbours[from]) {
            let ring = &mut self.neighbours[k as usize];
            if let Ok(at) = ring.binary_search(&i) {
                ring.remove(at);
            }
            if k == j {
                continue;
            }
            let ring = &mut self.neighbours[k as usize];
            if let Err(at) = ring.binary_search(&j) {
                ring.insert(at, j);
            }
            let ring = &mut self.neighbours[to];
            if let Err(at) = ring.binary_search(&k) {
                ring.insert(at, k);
            }
        }
        self.enqueue(j);
        for k in self.neighbours[to].clone() {
            self.enqueue(k);
        }
    }

    fn graph(&self) -> Graph {
        const NONE: u32 = u32::MAX;
        let mut node = vec![NONE; self.points.len()];
        let mut graph = Graph::default();
        for i in 0..self.points.len() {
            if self.into[i] == i as u32 {
                node[i] = graph.centre_point.len() as u32;
                graph.centre_point.push(i as u32);
            }
        }
        for &i in &graph.centre_point {
            for &j in self.neighbours[i as usize].iter().filter(|&&j| j > i) {
                graph.edges.push([node[i as usize], node[j as usize]]);
            }
        }
        graph.node_of_point = (0..self.points.len())
            .map(|mut i| {
                while self.into[i] as usize != i {
                    i = self.into[i] as usize;
                }
                node[i]
            })
            .collect();
        graph
    }
}
