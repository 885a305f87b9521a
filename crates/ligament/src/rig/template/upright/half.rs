//! Half of a body that stands upright: what lies beside its plane of symmetry, and has a counterpart on the other side.
//!
//! What a body carries on one side alone (a sword, a shield, a bow) has none and is left out.

use std::collections::VecDeque;

use glam::{DVec3, IVec3};

use crate::rig::extract::{Axes, Voxels, around};

/// Separate pieces below this share of the half are dropped.
const CRUMB: f64 = 0.002;

/// Half of a body on a grid of its own: x outward from the plane, y up, z along the axis that it looks along.
pub(in crate::rig::template) struct Half {
    pub grid: Voxels,
    /// For each voxel, how far it is to the outside.
    pub depth: Vec<f64>,
    /// The lowest and highest layer with anything in it.
    pub layers: (i32, i32),
    /// The share of the body that has a counterpart.
    pub kept: f64,
    axes: Axes,
}

impl Half {
    /// The half of a body; `None` if nothing of it has a counterpart.
    pub fn of(voxels: &Voxels, axes: Axes) -> Option<Self> {
        let (up, side, forward) = (axes.up, axes.mirror.axis, axes.forward);
        let low = voxels.origin[side];
        let high = low + voxels.cell * f64::from(voxels.size[side]);
        let reach = (high - axes.mirror.at).max(axes.mirror.at - low);
        let wide = (reach / voxels.cell).ceil() as i32 + 1;
        let size = IVec3::new(wide, voxels.size[up], voxels.size[forward]);
        let mut grid = Voxels {
            origin: DVec3::new(0.0, voxels.origin[up], voxels.origin[forward]),
            cell: voxels.cell,
            size,
            solid: vec![false; (size.x * size.y * size.z) as usize],
        };
        let place = |v: IVec3, sign: f64| {
            let c = grid.centre(v);
            let mut p = DVec3::ZERO;
            (p[side], p[up], p[forward]) = (axes.mirror.at + sign * c.x, c.y, c.z);
            voxels.containing(p)
        };
        let near = |v: IVec3| voxels.is_solid(v) || around(v).any(|n| voxels.is_solid(n));
        let (mut any, mut both) = (0usize, 0usize);
        let mut solid = vec![false; grid.solid.len()];
        for (at, solid) in solid.iter_mut().enumerate() {
            let v = grid.voxel(at);
            let (here, there) = (place(v, 1.0), place(v, -1.0));
            let on = (voxels.is_solid(here), voxels.is_solid(there));
            *solid = (on.0 && near(there)) || (on.1 && near(here));
            any += usize::from(on.0 || on.1);
            both += usize::from(*solid);
        }
        grid.solid = solid;
        join_pieces(&mut grid);
        let heights = || {
            (0..grid.solid.len())
                .filter(|&at| grid.solid[at])
                .map(|at| grid.voxel(at).y)
        };
        let layers = (heights().min()?, heights().max()?);
        Some(Self {
            depth: depths(&grid),
            grid,
            layers,
            kept: both as f64 / any.max(1) as f64,
            axes,
        })
    }

    pub fn tall(&self) -> f64 {
        f64::from(self.layers.1 - self.layers.0 + 1) * self.grid.cell
    }

    pub fn ground(&self) -> f64 {
        self.grid.origin.y + f64::from(self.layers.0) * self.grid.cell
    }

    /// The layer at a height.
    pub fn layer(&self, height: f64) -> i32 {
        ((height - self.grid.origin.y) / self.grid.cell).floor() as i32
    }

    /// The height of a layer's middle.
    pub fn height(&self, layer: i32) -> f64 {
        self.grid.origin.y + (f64::from(layer) + 0.5) * self.grid.cell
    }

    pub fn centre(&self, at: usize) -> DVec3 {
        self.grid.centre(self.grid.voxel(at))
    }

    /// Every solid voxel.
    pub fn solid(&self) -> impl Iterator<Item = usize> {
        (0..self.grid.solid.len()).filter(|&at| self.grid.solid[at])
    }

    /// How deep a point is inside, on either side of the plane; 0 outside.
    pub fn depth_at(&self, p: DVec3) -> f64 {
        let v = self.grid.containing(DVec3::new(p.x.abs(), p.y, p.z));
        if self.grid.holds(v) {
            self.depth[self.grid.at(v)]
        } else {
            0.0
        }
    }

    /// Where a point of the half is in the mesh's space, on the side that a sign says.
    pub fn in_mesh(&self, p: DVec3, sign: f64) -> DVec3 {
        let mut at = DVec3::ZERO;
        at[self.axes.mirror.axis] = self.axes.mirror.at + sign * p.x;
        at[self.axes.up] = p.y;
        at[self.axes.forward] = p.z;
        at
    }

    /// A point of the mesh's space here; x is negative on the other side.
    pub fn of_mesh(&self, p: DVec3) -> DVec3 {
        let axes = &self.axes;
        DVec3::new(p[axes.mirror.axis] - axes.mirror.at, p[axes.up], p[axes.forward])
    }

    /// Up, and to the left of a body that looks along the forward axis, or against it.
    pub fn up_and_left(&self, facing: f64) -> (DVec3, DVec3) {
        let up = DVec3::AXES[self.axes.up];
        (up, up.cross(facing * DVec3::AXES[self.axes.forward]))
    }

    /// Which way along its own axis the left of such a body is.
    pub fn left(&self, facing: f64) -> f64 {
        self.up_and_left(facing).1[self.axes.mirror.axis].signum()
    }
}

/// Depths of a half, for which the plane of symmetry is no border.
fn depths(half: &Voxels) -> Vec<f64> {
    let size = IVec3::new(2 * half.size.x, half.size.y, half.size.z);
    let mut whole = Voxels {
        origin: half.origin,
        cell: half.cell,
        size,
        solid: vec![false; (size.x * size.y * size.z) as usize],
    };
    for at in (0..half.solid.len()).filter(|&at| half.solid[at]) {
        let v = half.voxel(at);
        for x in [half.size.x + v.x, half.size.x - 1 - v.x] {
            let twin = whole.at(IVec3::new(x, v.y, v.z));
            whole.solid[twin] = true;
        }
    }
    let depth = whole.depths();
    let beside = |at: usize| whole.at(half.voxel(at) + IVec3::X * half.size.x);
    (0..half.solid.len()).map(|at| depth[beside(at)]).collect()
}

/// Joins separate pieces (a robot's hands, a doll's limbs) by the shortest paths between them, and drops crumbs.
fn join_pieces(grid: &mut Voxels) {
    let mut piece = vec![0usize; grid.solid.len()];
    let mut sizes = vec![0usize];
    for start in 0..grid.solid.len() {
        if !grid.solid[start] || piece[start] != 0 {
            continue;
        }
        let own = sizes.len();
        sizes.push(0);
        piece[start] = own;
        let mut stack = vec![start];
        while let Some(at) = stack.pop() {
            sizes[own] += 1;
            for n in around(grid.voxel(at)).filter(|&n| grid.is_solid(n)) {
                let n = grid.at(n);
                if piece[n] == 0 {
                    piece[n] = own;
                    stack.push(n);
                }
            }
        }
    }
    let all: usize = sizes.iter().sum();
    let Some(main) = (1..sizes.len()).max_by_key(|&p| sizes[p]) else {
        return;
    };
    let crumb: Vec<bool> = sizes.iter().map(|&s| (s as f64) < CRUMB * all as f64).collect();
    for (solid, piece) in grid.solid.iter_mut().zip(&mut piece) {
        if crumb[*piece] {
            (*solid, *piece) = (false, 0);
        }
    }
    let mut apart = (1..sizes.len()).filter(|&p| p != main && !crumb[p]).count();
    while apart > 0 {
        // Breadth first from what is joined, through the empty space.
        let mut from: Vec<Option<usize>> = vec![None; grid.solid.len()];
        let mut queue: VecDeque<usize> = (0..piece.len()).filter(|&at| piece[at] == main).collect();
        for &at in &queue {
            from[at] = Some(at);
        }
        let mut hit = None;
        while let Some(at) = queue.pop_front() {
            if piece[at] != 0 && piece[at] != main {
                hit = Some(at);
                break;
            }
            for n in around(grid.voxel(at)).filter(|&n| grid.holds(n)) {
                let n = grid.at(n);
                if from[n].is_none() {
                    from[n] = Some(at);
                    queue.push_back(n);
                }
            }
        }
        let Some(hit) = hit else { return };
        let joined = piece[hit];
        let mut at = hit;
        while piece[at] != main {
            if piece[at] == 0 {
                grid.solid[at] = true;
                piece[at] = main;
            }
            let Some(before) = from[at] else { break };
            at = before;
        }
        for p in piece.iter_mut().filter(|p| **p == joined) {
            *p = main;
        }
        apart -= 1;
    }
}
