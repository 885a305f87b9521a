//! The solid as plain voxels whose boundary is a closed 2-manifold.
//!
//! Taken from the voxel solid at twice the resolution: a voxel is solid if half of it is,
//! where fine voxels that the surface passes through count half, so that fingers and thighs
//! that nearly touch stay apart. Thin sheets, with nothing inside anywhere near, stay a
//! voxel thick. Small pieces are dropped, hollows are filled, and the set is made
//! *well-composed*: no two voxels touch in an edge or a corner alone.

use glam::{DVec3, IVec3, UVec3};

use super::symmetry::Mirror;
use crate::solid::{Solid, VoxelKind};

/// Empty voxels around the solid on every side.
const MARGIN: i32 = 2;

/// Separate pieces below this fraction of the solid are dropped: eyelashes, buttons, nails.
const SMALLEST_PIECE: f64 = 1e-3;

/// The area of a contact is less than this fraction of the square of how wide the body is
/// there. A ball that is cut in half has 1.8.
const CONTACT: f64 = 0.5;

/// Solid or empty, on a grid of cubes.
#[derive(Debug, Clone)]
pub(in crate::rig) struct Voxels {
    /// The grid's lowest corner.
    pub origin: DVec3,
    /// A voxel's side.
    pub cell: f64,
    /// Voxels along each axis.
    pub size: IVec3,
    /// Whether a voxel is solid, x fastest.
    pub solid: Vec<bool>,
}

impl Voxels {
    /// The voxels of a solid, twice as wide as its own.
    pub fn of(solid: &Solid) -> Self {
        let fine = solid.grid;
        let size = (fine.counts.as_ivec3() + 1) / 2 + 2 * MARGIN;
        let cell = 2.0 * fine.size;
        let mut voxels = Self {
            origin: fine.origin - DVec3::splat(f64::from(MARGIN) * cell),
            cell,
            size,
            solid: vec![false; (size.x * size.y * size.z) as usize],
        };
        // In sixteenths of a voxel: two for each fine voxel inside, one for each on the surface.
        let mut filled = vec![0u8; voxels.solid.len()];
        let mut touched = Vec::new();
        for z in 0..fine.counts.z {
            for y in 0..fine.counts.y {
                for x in 0..fine.counts.x {
                    let v = UVec3::new(x, y, z);
                    let at = voxels.at(v.as_ivec3() / 2 + MARGIN);
                    match solid.kind(v) {
                        VoxelKind::Exterior => {}
                        VoxelKind::Interior => filled[at] += 2,
                        VoxelKind::Boundary => {
                            filled[at] += 1;
                            touched.push(at);
                        }
                    }
                }
            }
        }
        touched.dedup();
        voxels.solid = filled.iter().map(|&f| f >= 8).collect();
        let bare = |&at: &usize| !around(voxels.voxel(at)).any(|n| voxels.is_solid(n));
        let thin: Vec<usize> = touched.into_iter().filter(bare).collect();
        for at in thin {
            voxels.solid[at] = true;
        }
        voxels.drop_small_pieces();
        voxels.fill_hollows();
        voxels.make_well_composed();
        voxels
    }

    /// Parts what touches its own mirror image in a small area: knees, hands, heels. They
    /// would contract to one point that all limbs run through. What is small beside the
    /// bodies on either side counts as such, and not the largest, which is the trunk.
    pub fn part_contacts(&mut self, mirror: &Mirror) {
        let axis = mirror.axis;
        let middle = (mirror.at - self.origin[axis]) / self.cell;
        let (first, last) = ((middle - 0.25).floor() as i32, (middle + 0.25).floor() as i32);
        let (i, j) = ((axis + 1) % 3, (axis + 2) % 3);
        let at = |a: i32, b: i32, layer: i32| {
            let mut v = IVec3::ZERO;
            (v[i], v[j], v[axis]) = (a, b, layer);
            v
        };
        let crossed = |a: i32, b: i32| (first..=last).all(|layer| self.is_solid(at(a, b, layer)));
        let run = |a: i32, b: i32| {
            let below = (0..first).rev().take_while(|&l| self.is_solid(at(a, b, l)));
            let above = (last + 1..self.size[axis]).take_while(|&l| self.is_solid(at(a, b, l)));
            below.count() + above.count()
        };
        let mut seen = vec![false; (self.size[i] * self.size[j]) as usize];
        let mut positions: Vec<Vec<(i32, i32)>> = Vec::new();
        for (a, b) in (0..self.size[j]).flat_map(|b| (0..self.size[i]).map(move |a| (a, b))) {
            let mut position = Vec::new();
            let mut queue = vec![(a, b)];
            while let Some((a, b)) = queue.pop() {
                let inner = (0..self.size[i]).contains(&a) && (0..self.size[j]).contains(&b);
                if !inner || seen[(b * self.size[i] + a) as usize] || !crossed(a, b) {
                    continue;
                }
                seen[(b * self.size[i] + a) as usize] = true;
                position.push((a, b));
                queue.extend((0..9).map(|n| (a + n % 3 - 1, b + n / 3 - 1)));
            }
            if !position.is_empty() {
                positions.push(position);
            }
        }
        let largest = positions.iter().map(Vec::len).max().unwrap_or(0);
        let mut parted = Vec::new();
        for position in positions.iter().filter(|p| p.len() < largest) {
            let runs: usize = position.iter().map(|&(a, b)| run(a, b)).sum();
            let width = runs as f64 / position.len() as f64;
            if (position.len() as f64) < CONTACT * width * width {
                let layers = |&(a, b): &(i32, i32)| (first..=last).map(move |layer| (a, b, layer));
                parted.extend(
                    position
                        .iter()
                        .flat_map(layers)
                        .map(|(a, b, l)| self.at(at(a, b, l))),
                );
            }
        }
        if !parted.is_empty() {
            for v in parted {
                self.solid[v] = false;
            }
            self.make_well_composed();
        }
    }

    /// How many faces of solid voxels are bare.
    pub fn faces(&self) -> usize {
        let solid = (0..self.solid.len()).filter(|&at| self.solid[at]);
        solid
            .map(|at| beside(self.voxel(at)).filter(|&n| !self.is_solid(n)).count())
            .sum()
    }

    /// A voxel's index in `solid`.
    pub fn at(&self, v: IVec3) -> usize {
        ((v.z * self.size.y + v.y) * self.size.x + v.x) as usize
    }

    /// The voxel at a point in `solid`.
    pub fn voxel(&self, at: usize) -> IVec3 {
        let (x, y) = (self.size.x as usize, self.size.y as usize);
        IVec3::new((at % x) as i32, (at / x % y) as i32, (at / (x * y)) as i32)
    }

    /// Whether a voxel is in the grid.
    pub fn holds(&self, v: IVec3) -> bool {
        v.cmpge(IVec3::ZERO).all() && v.cmplt(self.size).all()
    }

    /// Whether a voxel is solid; those beyond the grid are empty.
    pub fn is_solid(&self, v: IVec3) -> bool {
        self.holds(v) && self.solid[self.at(v)]
    }

    /// A voxel's centre.
    pub fn centre(&self, v: IVec3) -> DVec3 {
        self.origin + (v.as_dvec3() + 0.5) * self.cell
    }

    /// The voxel that contains a point, which may be beyond the grid.
    pub fn containing(&self, p: DVec3) -> IVec3 {
        ((p - self.origin) / self.cell).floor().as_ivec3()
    }

    fn drop_small_pieces(&mut self) {
        let mut piece = vec![0u32; self.solid.len()];
        let mut sizes = vec![0usize];
        let mut queue = Vec::new();
        for start in 0..self.solid.len() {
            if !self.solid[start] || piece[start] != 0 {
                continue;
            }
            let index = sizes.len() as u32;
            sizes.push(0);
            piece[start] = index;
            queue.push(start);
            while let Some(at) = queue.pop() {
                sizes[index as usize] += 1;
                for n in around(self.voxel(at)) {
                    if self.is_solid(n) && piece[self.at(n)] == 0 {
                        piece[self.at(n)] = index;
                        queue.push(self.at(n));
                    }
                }
            }
        }
        let all: usize = sizes.iter().sum();
        let largest = sizes.iter().copied().max().unwrap_or(0);
        for (solid, &p) in self.solid.iter_mut().zip(&piece) {
            let size = sizes[p as usize];
            *solid &= size == largest || size as f64 >= SMALLEST_PIECE * all as f64;
        }
    }

    /// Makes every empty voxel solid that cannot be reached from the grid's edge.
    fn fill_hollows(&mut self) {
        let mut reached = vec![false; self.solid.len()];
        let mut queue = vec![0usize]; // the margin is empty and connected
        reached[0] = true;
        while let Some(at) = queue.pop() {
            for n in beside(self.voxel(at)) {
                if self.holds(n) && !self.solid[self.at(n)] && !reached[self.at(n)] {
                    reached[self.at(n)] = true;
                    queue.push(self.at(n));
                }
            }
        }
        for (solid, reached) in self.solid.iter_mut().zip(reached) {
            *solid = !reached;
        }
    }

    /// Fills blocks of voxels in which solid ones touch in an edge or a corner alone.
    pub(super) fn make_well_composed(&mut self) {
        let step = |axis: usize| IVec3::AXES[axis];
        loop {
            let mut fill = Vec::new();
            for at in 0..self.solid.len() {
                let v = self.voxel(at);
                if (v + 1).cmpge(self.size).any() {
                    continue;
                }
                let block: [usize; 8] = std::array::from_fn(|b| {
                    self.at(v + IVec3::new(b as i32 & 1, b as i32 >> 1 & 1, b as i32 >> 2))
                });
                let count = block.iter().filter(|&&b| self.solid[b]).count();
                if count == 0 || count == 8 {
                    continue;
                }
                for axis in 0..3 {
                    let (i, j) = (step((axis + 1) % 3), step((axis + 2) % 3));
                    let face = [v, v + i, v + i + j, v + j].map(|n| self.at(n));
                    let s = face.map(|f| self.solid[f]);
                    if s[0] == s[2] && s[1] == s[3] && s[0] != s[1] {
                        fill.extend(face);
                    }
                }
                // Opposite corners alike and all others the other way.
                let opposite = |want: bool| {
                    (0..4).any(|b| self.solid[block[b]] == want && self.solid[block[7 - b]] == want)
                };
                if (count == 2 && opposite(true)) || (count == 6 && opposite(false)) {
                    fill.extend(block);
                }
            }
            if fill.is_empty() {
                return;
            }
            for f in fill {
                self.solid[f] = true;
            }
        }
    }

    /// Each solid voxel's distance to the nearest empty one, in the mesh's units, along
    /// chains of neighbours (26 of them); 0 for empty voxels.
    pub fn depths(&self) -> Vec<f64> {
        let far = f64::MAX;
        let mut depth: Vec<f64> = self.solid.iter().map(|&s| if s { far } else { 0.0 }).collect();
        let half: Vec<IVec3> = around(IVec3::ZERO)
            .filter(|o| (o.z, o.y, o.x) < (0, 0, 0))
            .collect();
        // Two sweeps settle a chamfer distance (Borgefors 1986).
        let mut sweep = |order: &mut dyn Iterator<Item = usize>, sign: i32| {
            for at in order {
                if depth[at] == 0.0 {
                    continue;
                }
                let v = self.voxel(at);
                for &o in &half {
                    let n = v + o * sign;
                    let beyond = if self.holds(n) { depth[self.at(n)] } else { 0.0 };
                    let length = self.cell * o.as_dvec3().length();
                    depth[at] = depth[at].min(beyond + length);
                }
            }
        };
        sweep(&mut (0..self.solid.len()), 1);
        sweep(&mut (0..self.solid.len()).rev(), -1);
        depth
    }

    /// Whether a straight line runs through solid voxels alone.
    pub fn sees(&self, a: DVec3, b: DVec3) -> bool {
        self.along(a, b, |p| self.is_solid(self.containing(p)))
    }

    /// Whether something holds all along a straight line.
    pub fn along(&self, a: DVec3, b: DVec3, good: impl Fn(DVec3) -> bool) -> bool {
        let steps = ((b - a).length() / (0.4 * self.cell)).ceil().max(1.0);
        (0..=steps as usize).all(|i| good(a.lerp(b, i as f64 / steps)))
    }
}

/// The six voxels that share a face with a voxel.
pub(super) fn beside(v: IVec3) -> impl Iterator<Item = IVec3> {
    [
        IVec3::X,
        IVec3::NEG_X,
        IVec3::Y,
        IVec3::NEG_Y,
        IVec3::Z,
        IVec3::NEG_Z,
    ]
    .into_iter()
    .map(move |d| v + d)
}

/// The 26 voxels that share a face, an edge or a corner with a voxel.
pub(in crate::rig) fn around(v: IVec3) -> impl Iterator<Item = IVec3> {
    (0..27)
        .filter(|&n| n != 13)
        .map(move |n| v + IVec3::new(n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1))
}
