//! From a fine, uneven surface to one of a wanted size with well-shaped triangles:
//! collapse short edges, split long ones, flip to Delaunay, slide vertices along the
//! surface and project them back onto the field (Botsch and Kobbelt 2004, "A remeshing
//! approach to multiresolution modeling").
//!
//! Collapses obey the link condition and flips make no edge twice, so the surface stays
//! the manifold it was. Of a half surface, the rim in the plane x = 0 stays there, and no
//! edge across the half joins two rim vertices, so that its mirror image fits.

use glam::DVec3;
use rayon::prelude::*;
use smallvec::SmallVec;

use super::implicit::Solid;
use super::lattice::RawSurface;

const DEAD: [u32; 3] = [u32::MAX; 3];

/// Edges between normals that differ count as longer, so that fingers and noses keep
/// more vertices than backs: by this times one minus the cosine.
const CURVATURE: f64 = 2.6;

/// Edges longer than this many wanted lengths are split, and no collapse makes one.
const LONGEST: f64 = 1.4;

pub(super) struct Remesh<'a> {
    solid: &'a Solid,
    pub positions: Vec<DVec3>,
    pub normals: Vec<DVec3>,
    /// Vertices in the mirror plane of a half surface.
    pub rim: Vec<bool>,
    pub triangles: Vec<[u32; 3]>,
    /// The triangles around each vertex, usually six.
    around: Vec<SmallVec<[u32; 8]>>,
    /// Edge length to aim for.
    pub edge: f64,
    /// What to multiply it with at a point.
    detail: fn(DVec3) -> f64,
    /// That factor by vertex.
    scale: Vec<f64>,
}

impl<'a> Remesh<'a> {
    pub fn new(solid: &'a Solid, raw: RawSurface, half: bool, detail: fn(DVec3) -> f64) -> Self {
        let rim = raw.positions.iter().map(|p| half && p.x == 0.0).collect();
        let mut around = vec![SmallVec::new(); raw.positions.len()];
        for (t, corners) in raw.triangles.iter().enumerate() {
            for &v in corners {
                around[v as usize].push(t as u32);
            }
        }
        let mut mesh = Self {
            solid,
            normals: vec![DVec3::Y; raw.positions.len()],
            scale: vec![1.0; raw.positions.len()],
            detail,
            positions: raw.positions,
            rim,
            triangles: raw.triangles,
            around,
            edge: 1.0,
        };
        mesh.guess_normals();
        mesh
    }

    /// Normals from the faces, good enough until vertices are projected; cheaper than the
    /// field while most vertices are still to be collapsed.
    fn guess_normals(&mut self) {
        let mut sums = vec![DVec3::ZERO; self.positions.len()];
        for &corners in &self.triangles {
            let cross = self.cross(corners);
            corners.iter().for_each(|&v| sums[v as usize] += cross);
        }
        for (v, sum) in sums.into_iter().enumerate() {
            self.normals[v] = sum.try_normalize().unwrap_or(DVec3::Y);
            self.scale[v] = (self.detail)(self.positions[v]);
        }
    }

    pub fn area(&self) -> f64 {
        let live = self.triangles.iter().filter(|t| **t != DEAD);
        live.map(|t| self.cross(*t).length() / 2.0).sum()
    }

    /// Vertices of the whole surface, with the mirror image of a half counted.
    pub fn whole_count(&self, half: bool) -> usize {
        let live = (0..self.positions.len()).filter(|&v| !self.around[v].is_empty());
        live.map(|v| if half && !self.rim[v] { 2 } else { 1 }).sum()
    }

    fn cross(&self, corners: [u32; 3]) -> DVec3 {
        let [a, b, c] = corners.map(|v| self.positions[v as usize]);
        (b - a).cross(c - a)
    }

    /// An edge's length relative to what it should be.
    fn length(&self, a: u32, b: u32) -> f64 {
        let (a, b) = (a as usize, b as usize);
        let bend = 1.0 - self.normals[a].dot(self.normals[b]);
        let wanted = self.edge * self.scale[a].min(self.scale[b]);
        self.positions[a].distance(self.positions[b]) * (1.0 + CURVATURE * bend) / wanted
    }

    /// Moves every vertex onto the surface, by at most an edge's length, and takes its
    /// normal from the field.
    pub fn project(&mut self, steps: usize) {
        let (solid, rim, detail) = (self.solid, &self.rim, self.detail);
        let limit = self.edge;
        let moved: Vec<(DVec3, DVec3, f64)> = self
            .positions
            .par_iter()
            .enumerate()
            .map(|(v, &start)| {
                let mut p = start;
                let mut probe = solid.probe(p);
                for _ in 0..steps {
                    let steep = probe.gradient.length_squared().max(0.05);
                    p -= (probe.value * probe.gradient / steep).clamp_length_max(limit);
                    if rim[v] {
                        p.x = 0.0;
                    }
                    probe = solid.probe(p);
                }
                let mut normal = probe.gradient;
                if rim[v] {
                    normal.x = 0.0;
                }
                (p, normal.try_normalize().unwrap_or(DVec3::Y), detail(p))
            })
            .collect();
        for (v, (p, n, scale)) in moved.into_iter().enumerate() {
            self.positions[v] = p;
            self.normals[v] = n;
            self.scale[v] = scale;
        }
    }

    /// Forgets vertices and triangles that were collapsed.
    pub fn compact(&mut self) {
        let mut slot = vec![u32::MAX; self.positions.len()];
        let mut kept = 0;
        for v in 0..slot.len() {
            if self.around[v].is_empty() {
                continue;
            }
            slot[v] = kept as u32;
            self.positions[kept] = self.positions[v];
            self.normals[kept] = self.normals[v];
            self.scale[kept] = self.scale[v];
            self.rim[kept] = self.rim[v];
            kept += 1;
        }
        self.positions.truncate(kept);
        self.normals.truncate(kept);
        self.scale.truncate(kept);
        self.rim.truncate(kept);
        self.around.truncate(kept);
        self.around.iter_mut().for_each(SmallVec::clear);
        self.triangles.retain(|t| *t != DEAD);
        for (t, corners) in self.triangles.iter_mut().enumerate() {
            *corners = corners.map(|v| slot[v as usize]);
            for &v in corners.iter() {
                self.around[v as usize].push(t as u32);
            }
        }
    }

    fn neighbours(&self, v: u32) -> SmallVec<[u32; 16]> {
        let mut all = SmallVec::new();
        for &t in &self.around[v as usize] {
            for w in self.triangles[t as usize] {
                if w != v && !all.contains(&w) {
                    all.push(w);
                }
            }
        }
        all
    }

    /// Collapses edges shorter than `shortest` of the wanted length.
    pub fn collapse_short(&mut self, shortest: f64) {
        for t in 0..self.triangles.len() {
            for side in 0..3 {
                let corners = self.triangles[t];
                if corners == DEAD {
                    break;
                }
                let (a, b) = (corners[side], corners[(side + 1) % 3]);
                if self.length(a, b) < shortest && !self.collapse(a, b) {
                    self.collapse(b, a);
                }
            }
        }
    }

    /// Draws vertex `from` into `to` if that keeps the surface sound; whether it did.
    fn collapse(&mut self, from: u32, to: u32) -> bool {
        let (f, t) = (from as usize, to as usize);
        let shared = self.around[f]
            .iter()
            .filter(|&&tri| self.triangles[tri as usize].contains(&to))
            .count();
        let rim = self.rim[f];
        if rim && !(self.rim[t] && shared == 1) {
            return false;
        }
        // The test that fails most often comes before those that take longer. Every neighbour is the corner after `from` in
        // one triangle; at the rim one is not, but comes before it.
        for &tri in &self.around[f] {
            let corners = self.triangles[tri as usize];
            let at = corners.iter().position(|&v| v == from).unwrap_or(0);
            let (next, last) = (corners[(at + 1) % 3], corners[(at + 2) % 3]);
            let too_long = |w: u32| w != to && self.length(to, w) > LONGEST;
            if too_long(next) || (rim && too_long(last)) {
                return false;
            }
        }
        let of_from = self.neighbours(from);
        let of_to = self.neighbours(to);
        let common = |w: &u32| of_to.contains(w);
        if of_from.iter().filter(|w| common(w)).count() != shared {
            return false;
        }
        if self.rim[t]
            && !rim
            && of_from
                .iter()
                .any(|w| *w != to && self.rim[*w as usize] && !common(w))
        {
            return false;
        }
        // Too few triangles would be left.
        if of_from.len() + of_to.len() < 4 + 2 * shared {
            return false;
        }
        for &tri in &self.around[f] {
            let corners = self.triangles[tri as usize];
            if corners.contains(&to) {
                continue;
            }
            let before = self.cross(corners);
            let moved = corners.map(|v| if v == from { to } else { v });
            if moved.iter().all(|&v| self.rim[v as usize]) {
                return false;
            }
            let after = self.cross(moved);
            let [a, b, c] = moved.map(|v| self.positions[v as usize]);
            let longest = a
                .distance_squared(b)
                .max(b.distance_squared(c))
                .max(c.distance_squared(a));
            let sliver = after.length() < 0.12 * longest;
            let flipped = after.dot(before) < 0.3 * after.length() * before.length();
            let off = moved
                .iter()
                .any(|&v| after.dot(self.normals[v as usize]) < 0.15 * after.length());
            if sliver || flipped || off {
                return false;
            }
        }
        for tri in std::mem::take(&mut self.around[f]) {
            let corners = self.triangles[tri as usize];
            if corners.contains(&to) {
                for v in corners {
                    self.around[v as usize].retain(|x| *x != tri);
                }
                self.triangles[tri as usize] = DEAD;
            } else {
                self.triangles[tri as usize] = corners.map(|v| if v == from { to } else { v });
                self.around[t].push(tri);
            }
        }
        true
    }

    /// Halves edges longer than [`LONGEST`].
    pub fn split_long(&mut self) {
        for t in 0..self.triangles.len() {
            let corners = self.triangles[t];
            if corners == DEAD {
                continue;
            }
            let side = (0..3)
                .map(|s| (self.length(corners[s], corners[(s + 1) % 3]), s))
                .fold((0.0, 0), |best, x| if x.0 > best.0 { x } else { best });
            if side.0 > LONGEST {
                self.split(corners[side.1], corners[(side.1 + 1) % 3]);
            }
        }
    }

    fn split(&mut self, a: u32, b: u32) {
        let shared = self.sharing(a, b);
        let mut middle = (self.positions[a as usize] + self.positions[b as usize]) / 2.0;
        let on_rim = shared.len() == 1;
        let probe = self.solid.probe(middle);
        middle -= (probe.value * probe.gradient).clamp_length_max(0.5 * self.edge);
        if on_rim {
            middle.x = 0.0;
        }
        let v = self.positions.len() as u32;
        self.positions.push(middle);
        self.normals
            .push(probe.gradient.try_normalize().unwrap_or(DVec3::Y));
        self.rim.push(on_rim);
        self.scale.push((self.detail)(middle));
        self.around.push(SmallVec::new());
        for tri in shared {
            let corners = self.triangles[tri as usize];
            let new = self.triangles.len() as u32;
            self.triangles.push(corners.map(|w| if w == a { v } else { w }));
            self.triangles[tri as usize] = corners.map(|w| if w == b { v } else { w });
            self.around[b as usize].retain(|x| *x != tri);
            for w in self.triangles[new as usize] {
                self.around[w as usize].push(new);
            }
            self.around[v as usize].push(tri);
        }
    }

    /// The live triangles on both sides of an edge.
    fn sharing(&self, a: u32, b: u32) -> Vec<u32> {
        let holds = |&&t: &&u32| self.triangles[t as usize].contains(&b);
        self.around[a as usize].iter().filter(holds).copied().collect()
    }

    /// Flips edges whose opposite angles add up to more than half a turn, where that does
    /// not fold the surface.
    pub fn flip_to_delaunay(&mut self) {
        for t in 0..self.triangles.len() {
            for side in 0..3 {
                let corners = self.triangles[t];
                if corners != DEAD {
                    let [a, b, c] = [0, 1, 2].map(|i| corners[(side + i) % 3]);
                    self.flip(t as u32, a, b, c);
                }
            }
        }
    }

    fn flip(&mut self, tri: u32, a: u32, b: u32, c: u32) {
        let Some(&other) = self.sharing(a, b).iter().find(|&&o| o != tri) else {
            return;
        };
        let Some(&d) = self.triangles[other as usize].iter().find(|&&v| v != a && v != b) else {
            return;
        };
        let cot = |at: u32| {
            let p = self.positions[at as usize];
            let (u, v) = (self.positions[a as usize] - p, self.positions[b as usize] - p);
            u.dot(v) / u.cross(v).length().max(1e-30)
        };
        if cot(c) + cot(d) > -1e-3 || (self.rim[c as usize] && self.rim[d as usize]) {
            return;
        }
        if self.neighbours(c).contains(&d) {
            return;
        }
        let new = [[c, a, d], [c, d, b]];
        let old = self.cross([a, b, c]) + self.cross(self.triangles[other as usize]);
        let folds = new.iter().any(|&n| {
            let cross = self.cross(n);
            let all_rim = n.iter().all(|&v| self.rim[v as usize]);
            let off = n
                .iter()
                .any(|&v| cross.dot(self.normals[v as usize]) < 0.15 * cross.length());
            all_rim || off || cross.dot(old) < 0.5 * cross.length() * old.length()
        });
        if folds || self.around[a as usize].len() <= 3 || self.around[b as usize].len() <= 3 {
            return;
        }
        self.triangles[tri as usize] = new[0];
        self.triangles[other as usize] = new[1];
        self.around[b as usize].retain(|x| *x != tri);
        self.around[a as usize].retain(|x| *x != other);
        self.around[c as usize].push(other);
        self.around[d as usize].push(tri);
    }

    /// Slides every vertex towards the middle of its neighbours, along the surface, and
    /// projects it back.
    pub fn relax(&mut self, fraction: f64) {
        let moved: Vec<DVec3> = (0..self.positions.len())
            .into_par_iter()
            .map(|v| {
                let mut near = self.neighbours(v as u32);
                let p = self.positions[v];
                if self.rim[v] {
                    near.retain(|&mut w| self.rim[w as usize]);
                }
                if near.is_empty() {
                    return p;
                }
                let sum: DVec3 = near.iter().map(|&w| self.positions[w as usize]).sum();
                let to = sum / near.len() as f64 - p;
                let n = self.normals[v];
                p + fraction * (to - n * n.dot(to))
            })
            .collect();
        let before = (self.positions.clone(), self.normals.clone());
        self.positions = moved;
        self.project(1);
        self.undo_folds(&before.0, &before.1);
    }

    /// Puts vertices back whose move flipped a triangle over.
    fn undo_folds(&mut self, positions: &[DVec3], normals: &[DVec3]) {
        // Each pass may fold a neighbour of what it put back; two are enough in practice.
        for _ in 0..3 {
            let folded = |t: &&[u32; 3]| {
                if **t == DEAD {
                    return false;
                }
                let [a, b, c] = t.map(|v| positions[v as usize]);
                let (was, is) = ((b - a).cross(c - a), self.cross(**t));
                was.dot(is) < 0.25 * was.length() * is.length()
            };
            let back: Vec<u32> = self.triangles.iter().filter(folded).flatten().copied().collect();
            if back.is_empty() {
                return;
            }
            for v in back {
                self.positions[v as usize] = positions[v as usize];
                self.normals[v as usize] = normals[v as usize];
            }
        }
    }
}
