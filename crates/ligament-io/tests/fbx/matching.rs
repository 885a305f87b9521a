//! Two readings of one character: which vertex is which, and how far apart they are.

use std::collections::HashMap;

use glam::{DAffine3, DVec3, IVec3, Vec3};
use ligament::Character;
use ligament::character::Weights;

/// Finds vertices by their place.
pub struct Places<'a> {
    positions: &'a [Vec3],
    cell: f32,
    cells: HashMap<IVec3, Vec<usize>>,
}

impl<'a> Places<'a> {
    /// Places of which two within `tolerance` are one.
    pub fn new(positions: &'a [Vec3], tolerance: f32) -> Self {
        let mut cells: HashMap<IVec3, Vec<usize>> = HashMap::new();
        for (v, &p) in positions.iter().enumerate() {
            cells
                .entry((p / tolerance).floor().as_ivec3())
                .or_default()
                .push(v);
        }
        Self {
            positions,
            cell: tolerance,
            cells,
        }
    }

    /// All vertices at a place.
    pub fn at(&self, place: Vec3) -> Vec<usize> {
        let centre = (place / self.cell).floor().as_ivec3();
        let mut found = Vec::new();
        for i in 0..27 {
            let cell = centre + IVec3::new(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
            let here = self.cells.get(&cell).into_iter().flatten().copied();
            found.extend(here.filter(|&v| self.positions[v].distance(place) <= self.cell));
        }
        found
    }
}

/// Half the sum of differences of two vertices' weights, joints matched by name: the
/// share of weight that is on other joints.
pub fn weight_distance(a: (&Character, usize), b: (&Character, usize)) -> f64 {
    let named = |(c, v): (&Character, usize)| -> HashMap<String, f64> {
        let weights: &Weights = c.weights.as_ref().unwrap();
        let mut sums = HashMap::new();
        for i in weights.of_vertex(v) {
            *sums.entry(c.skeleton.joint(i.joint).name.clone()).or_default() += f64::from(i.weight);
        }
        sums
    };
    let (a, b) = (named(a), named(b));
    let mut names: Vec<&String> = a.keys().chain(b.keys()).collect();
    names.sort();
    names.dedup();
    let of = |m: &HashMap<String, f64>, n: &String| m.get(n).copied().unwrap_or(0.0);
    names.iter().map(|n| (of(&a, n) - of(&b, n)).abs()).sum::<f64>() / 2.0
}

/// Where linear blending puts a vertex.
pub fn posed(c: &Character, moves: &[DAffine3], vertex: usize) -> DVec3 {
    let at = c.mesh.positions[vertex].as_dvec3();
    let influences = c.weights.as_ref().unwrap().of_vertex(vertex);
    influences
        .iter()
        .map(|i| f64::from(i.weight) * moves[i.joint.at()].transform_point3(at))
        .sum()
}

/// Mean and maximum of many numbers.
#[derive(Default)]
pub struct Spread {
    pub count: usize,
    pub most: f64,
    sum: f64,
}

impl Spread {
    pub fn add(&mut self, x: f64) {
        self.count += 1;
        self.most = self.most.max(x);
        self.sum += x;
    }

    pub fn mean(&self) -> f64 {
        self.sum / self.count.max(1) as f64
    }
}
