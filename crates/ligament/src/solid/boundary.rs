//! Which voxels a triangle or a segment touches.
//!
//! The separating-axis test of Akenine-Möller (2001) in the form of Schwarz and Seidel,
//! "Fast Parallel Surface and Solid Voxelization on GPUs" (2010), section 4: a triangle
//! and a box overlap iff their projections along x, y and z do and the box is cut by the
//! triangle's plane. Walking the projection along which the triangle is largest leaves a
//! few candidates in each column, so the work grows with the triangle's area.

use glam::DVec3;

/// Calls `mark` with every voxel that the triangle touches, in units of voxels. The
/// triangle must lie within the grid.
pub fn triangle_voxels([a, b, c]: [DVec3; 3], mut mark: impl FnMut(u32, u32, u32)) {
    let (low, high) = (floors(a.min(b).min(c)), floors(a.max(b).max(c)));
    if low == high {
        mark(low.x as u32, low.y as u32, low.z as u32);
        return;
    }
    let normal = (b - a).cross(c - a);
    let size = normal.abs();
    if size.max_element() == 0.0 {
        // A triangle without area is its edges.
        for (p, q) in [(a, b), (b, c), (c, a)] {
            segment_voxels(p, q, &mut mark);
        }
        return;
    }
    let w = size.max_position();
    let (u, v) = ((w + 1) % 3, (w + 2) % 3);
    let main = EdgeTests::new([a, b, c], u, v, normal[w]);
    let sides = [
        EdgeTests::new([a, b, c], v, w, normal[u]),
        EdgeTests::new([a, b, c], w, u, normal[v]),
    ];
    // w as a function of u and v on the triangle's plane, and its range over a unit square.
    let (slope_u, slope_v) = (-normal[u] / normal[w], -normal[v] / normal[w]);
    let base = a[w] - slope_u * a[u] - slope_v * a[v];
    let (least, most) = (
        slope_u.min(0.0) + slope_v.min(0.0),
        slope_u.max(0.0) + slope_v.max(0.0),
    );

    let mut cell = [0; 3];
    let mut at_v = low[v];
    while at_v <= high[v] {
        cell[v] = at_v as u32;
        let mut at_u = low[u];
        while at_u <= high[u] {
            if main.touch(at_u, at_v) {
                cell[u] = at_u as u32;
                let plane = base + slope_u * at_u + slope_v * at_v;
                let mut at_w = floor(plane + least).max(low[w]);
                let top = floor(plane + most).min(high[w]);
                while at_w <= top {
                    if sides[0].touch(at_v, at_w) && sides[1].touch(at_w, at_u) {
                        cell[w] = at_w as u32;
                        mark(cell[0], cell[1], cell[2]);
                    }
                    at_w += 1.0;
                }
            }
            at_u += 1.0;
        }
        at_v += 1.0;
    }
}

/// The largest whole number that is not over `x`, which is far within what 64 bits hold: plain processors round down by a
/// call.
#[inline(always)]
fn floor(x: f64) -> f64 {
    let cut = x as i64 as f64;
    if cut > x { cut - 1.0 } else { cut }
}

fn floors(p: DVec3) -> DVec3 {
    DVec3::new(floor(p.x), floor(p.y), floor(p.z))
}

/// The projection of a triangle along one axis, as three half planes widened by a voxel.
struct EdgeTests([(f64, f64, f64); 3]);

impl EdgeTests {
    fn new(corners: [DVec3; 3], s: usize, t: usize, along: f64) -> Self {
        let sign = if along >= 0.0 { 1.0 } else { -1.0 };
        Self(std::array::from_fn(|k| {
            let (p, q) = (corners[k], corners[(k + 1) % 3]);
            // Inward normal of the edge from p to q.
            let (ns, nt) = (-(q[t] - p[t]) * sign, (q[s] - p[s]) * sign);
            // The corner of the unit square that lies furthest inside.
            (ns, nt, ns.max(0.0) + nt.max(0.0) - ns * p[s] - nt * p[t])
        }))
    }

    /// Whether the projection touches the unit square at (s, t). A projection without
    /// area passes where its line does, because the plane and the box decide the rest.
    fn touch(&self, s: f64, t: f64) -> bool {
        self.0
            .iter()
            .all(|&(ns, nt, offset)| ns * s + nt * t + offset >= 0.0)
    }
}

/// Calls `mark` with every voxel that the segment passes through, in units of voxels: a
/// walk from voxel border to voxel border (Amanatides and Woo 1987).
pub fn segment_voxels(from: DVec3, to: DVec3, mut mark: impl FnMut(u32, u32, u32)) {
    let along = to - from;
    let mut at = from.floor();
    let last = to.floor();
    let step = along.signum();
    // Along each axis, the fraction of the path to the next border and from border to border.
    let mut next = DVec3::INFINITY;
    let mut stride = DVec3::INFINITY;
    for k in 0..3 {
        if along[k] != 0.0 {
            let border = if along[k] > 0.0 { at[k] + 1.0 } else { at[k] };
            next[k] = (border - from[k]) / along[k];
            stride[k] = 1.0 / along[k].abs();
        }
    }
    let mut left = (last - at).abs().element_sum();
    mark(at.x as u32, at.y as u32, at.z as u32);
    while left > 0.0 {
        // Rounding must not lead past the last voxel along any axis.
        let axis = (0..3)
            .filter(|&k| at[k] != last[k])
            .min_by(|&i, &j| next[i].total_cmp(&next[j]));
        let Some(axis) = axis else { return };
        at[axis] += step[axis];
        next[axis] += stride[axis];
        left -= 1.0;
        mark(at.x as u32, at.y as u32, at.z as u32);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    /// The thirteen separating axes of a triangle and the box [v, v+1]³, as a margin:
    /// positive apart, negative overlapping (Akenine-Möller 2001).
    fn separation(corners: [DVec3; 3], voxel: DVec3) -> f64 {
        let centre = voxel + 0.5;
        let p = corners.map(|c| c - centre);
        let edges = [p[1] - p[0], p[2] - p[1], p[0] - p[2]];
        let mut axes = vec![DVec3::X, DVec3::Y, DVec3::Z, edges[0].cross(edges[1])];
        for e in edges {
            axes.extend([DVec3::X.cross(e), DVec3::Y.cross(e), DVec3::Z.cross(e)]);
        }
        let mut worst = f64::NEG_INFINITY;
        for axis in axes {
            let length = axis.length();
            if length < 1e-9 {
                continue;
            }
            let axis = axis / length;
            let reach = 0.5 * axis.abs().element_sum();
            let along = p.map(|p| p.dot(axis));
            let low = along[0].min(along[1]).min(along[2]);
            let high = along[0].max(along[1]).max(along[2]);
            worst = worst.max(low - reach).max(-high - reach);
        }
        worst
    }

    fn point() -> impl Strategy<Value = DVec3> {
        prop::array::uniform3(0.0f64..7.0).prop_map(DVec3::from)
    }

    fn marked(run: impl FnOnce(&mut dyn FnMut(u32, u32, u32))) -> BTreeSet<[u32; 3]> {
        let mut set = BTreeSet::new();
        run(&mut |x, y, z| {
            set.insert([x, y, z]);
        });
        set
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]
        #[test]
        fn triangles_agree_with_the_separating_axes(a in point(), b in point(), c in point(), small in 0.02f64..1.0) {
            let corners = [a, a + (b - a) * small, a + (c - a) * small];
            let found = marked(|mark| triangle_voxels(corners, mark));
            for x in 0..8 {
                for y in 0..8 {
                    for z in 0..8 {
                        let apart = separation(corners, DVec3::new(f64::from(x), f64::from(y), f64::from(z)));
                        if apart.abs() > 1e-9 {
                            prop_assert_eq!(found.contains(&[x, y, z]), apart < 0.0);
                        }
                    }
                }
            }
        }

        #[test]
        fn segments_are_triangles_without_width(a in point(), b in point()) {
            let found = marked(|mark| segment_voxels(a, b, mark));
            for x in 0..8 {
                for y in 0..8 {
                    for z in 0..8 {
                        let apart = separation([a, b, a], DVec3::new(f64::from(x), f64::from(y), f64::from(z)));
                        if apart.abs() > 1e-9 {
                            prop_assert_eq!(found.contains(&[x, y, z]), apart < 0.0);
                        }
                    }
                }
            }
            // A walk: each voxel shares a face with the one before.
            let mut path = Vec::new();
            segment_voxels(a, b, |x, y, z| path.push([x as i32, y as i32, z as i32]));
            for pair in path.windows(2) {
                prop_assert_eq!((0..3).map(|k| (pair[0][k] - pair[1][k]).abs()).sum::<i32>(), 1);
            }
            let end = b.floor();
            prop_assert_eq!(path.last(), Some(&[end.x as i32, end.y as i32, end.z as i32]));
        }
    }

    #[test]
    fn a_triangle_without_area_is_its_edges() {
        let at = [
            DVec3::new(0.5, 0.5, 0.5),
            DVec3::new(2.5, 0.5, 0.5),
            DVec3::new(1.5, 0.5, 0.5),
        ];
        let found = marked(|mark| triangle_voxels(at, mark));
        assert_eq!(
            found.into_iter().collect::<Vec<_>>(),
            [[0, 0, 0], [1, 0, 0], [2, 0, 0]]
        );
    }
}
