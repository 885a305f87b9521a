//! Limbs that reach their tips, lie inside the body and run smoothly.

use glam::DVec3;

use super::body::Body;
use super::proxy::Proxy;
use super::tree::Tree;

/// A tip stays below the surface by this fraction of the limb's radius.
const TIP_DEPTH: f64 = 0.6;
/// What is within this fraction of the limb's radius of the farthest point is the tip.
const TIP_WIDTH: f64 = 0.4;

impl Tree {
    /// Leads every end on to the tip of its region: the middle of what is farthest out, which
    /// is the toes of a foot and the centre of a tube's flat cap.
    pub(super) fn reach_tips(&mut self, proxy: &Proxy, node_of_point: &[u32], body: &Body<'_>) {
        let mut regions: Vec<Vec<DVec3>> = vec![Vec::new(); self.len()];
        for (p, &node) in node_of_point.iter().enumerate() {
            if self.links[node as usize].len() == 1 {
                regions[node as usize].push(proxy.points[p]);
            }
        }
        for (end, region) in regions.iter().enumerate() {
            let [before] = self.links[end][..] else { continue };
            let (from, base) = (self.points[end], self.points[before as usize]);
            let farthest = region.iter().map(|p| p.distance(base)).fold(0.0, f64::max);
            let near = farthest - (TIP_WIDTH * self.radii[end]).max(body.voxels.cell);
            let (sum, count) = region
                .iter()
                .filter(|p| p.distance(base) >= near)
                .fold((DVec3::ZERO, 0.0), |(sum, count), &p| (sum + p, count + 1.0));
            if count == 0.0 {
                continue;
            }
            let tip = sum / count;
            let below = TIP_DEPTH * self.radii[end];
            let stop = tip + (from - tip).clamp_length_max(below);
            let mut last = end as u32;
            let mut reach = |tree: &mut Self, p: DVec3| {
                if p.distance(from) > body.voxels.cell {
                    let next = tree.add(p, body.radius(p));
                    tree.join(last, next);
                    last = next;
                }
            };
            if body.voxels.sees(from, stop) {
                reach(self, stop);
            } else {
                for p in body.path(from, tip).unwrap_or_default() {
                    if p.distance(tip) > below {
                        reach(self, p);
                    }
                }
            }
        }
    }

    /// Leads lines that leave the solid through it.
    pub(super) fn lead_inside(&mut self, body: &Body<'_>) {
        for a in 0..self.len() as u32 {
            for b in self.links[a as usize].clone() {
                let (p, q) = (self.points[a as usize], self.points[b as usize]);
                if b < a || self.is_bridge(a, b) || body.voxels.sees(p, q) {
                    continue;
                }
                let Some(path) = body.path(p, q) else {
                    self.bridges.insert([a, b]);
                    continue;
                };
                self.part(a, b);
                let mut last = a;
                for p in path {
                    let next = self.add(p, body.radius(p));
                    self.join(last, next);
                    last = next;
                }
                self.join(last, b);
            }
        }
    }

    /// Smooths what is no end and no branch point, as far as it stays inside.
    pub(super) fn smooth(&mut self, body: &Body<'_>) {
        for _ in 0..8 {
            let before = self.points.clone();
            for n in 0..self.len() {
                if let [a, b] = self.links[n][..]
                    && !self.is_bridge(n as u32, a)
                    && !self.is_bridge(n as u32, b)
                {
                    let p = before[n].lerp(before[a as usize].midpoint(before[b as usize]), 0.5);
                    let seen = [a, b].iter().all(|&m| {
                        body.holds_line(p, before[m as usize]) && body.holds_line(p, self.points[m as usize])
                    });
                    if seen {
                        self.points[n] = p;
                    }
                }
            }
        }
        for n in 0..self.len() {
            self.radii[n] = body.radius(self.points[n]);
        }
    }
}
