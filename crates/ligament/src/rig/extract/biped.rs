//! The joints of a body on two legs: hips, spine, head, arms, legs.

use std::collections::BTreeSet;

use glam::DVec3;

use super::anatomy::{Bends, BodyPlan, CENTRAL, Limb, Work, nearest_on_line};

/// A limb bends where it is off the straight line by this fraction of its length.
const BENT: f64 = 0.035;
/// How far up the way to its surface the end of a head is.
const CROWN: f64 = 0.7;
/// The part of an arm, from the chest to the fingertips, that is straight upper arm.
const UPPER_ARM: (f64, f64) = (0.38, 0.52);

impl Work<'_> {
    pub(super) fn biped(&mut self, a: Limb, b: Limb) {
        self.anatomy.plan = BodyPlan::Biped;
        let hips = self.trunk_of(a.on(), b.on());
        let legs: Vec<Vec<u32>> = [&a, &b]
            .iter()
            .filter_map(|l| l.path.last().map(|&tip| self.tree.path(hips, tip)))
            .collect();
        let forward: f64 = legs.iter().map(|path| self.toes_forward(path)).sum();
        if forward.abs() > 0.02 * self.diagonal {
            self.anatomy.axes.face(forward.signum());
        }
        self.anatomy.root = Some(hips);
        self.name(hips, "hips".to_owned());
        for leg in &legs {
            self.leg(leg.clone(), "");
        }
        let of_legs: BTreeSet<u32> = legs.iter().filter_map(|l| l.get(1).copied()).collect();
        let Some(head) = self.head(hips, &of_legs) else {
            return;
        };
        let trunk = self.tree.path(hips, head);
        let chest = match self.arms(&trunk) {
            Some((left, right)) => {
                let chest = self.meeting(left.on(), right.on());
                let mut shoulders = [&left, &right].map(|arm| self.shoulder(&arm.path));
                if self.symmetric {
                    shoulders[1] = shoulders[0].map(|p| self.anatomy.axes.mirror.image(p));
                }
                for (arm, shoulder) in [left, right].into_iter().zip(shoulders) {
                    self.arm(arm.path, shoulder);
                }
                chest
            }
            None => {
                let mut path = trunk.clone();
                let length = self.tree.path_length(&path);
                self.tree.point_at(&mut path, 0.5 * length)
            }
        };
        self.spine(hips, chest, &["spine", "chest", "upper_chest"]);
        self.neck_and_head(chest, head);
    }

    /// How far the last tenth of a leg reaches forward of what is above.
    pub(super) fn toes_forward(&self, path: &[u32]) -> f64 {
        let (Some(&tip), Some(&above)) = (path.last(), path.get(path.len() * 7 / 10)) else {
            return 0.0;
        };
        let forward = self.anatomy.axes.forward;
        self.at(tip)[forward] - self.at(above)[forward]
    }

    /// The end of the trunk that starts at the hips: the highest in the middle, else the
    /// highest.
    pub(super) fn head(&mut self, hips: u32, not_by: &BTreeSet<u32>) -> Option<u32> {
        let links = self.tree.links[hips as usize]
            .iter()
            .filter(|n| !not_by.contains(n));
        let next = links
            .copied()
            .max_by(|&m, &n| self.bulk(hips, m).total_cmp(&self.bulk(hips, n)))?;
        let ends = self.ends(hips, next);
        let central = |e: &&u32| self.sideways(**e).abs() < 2.0 * CENTRAL * self.diagonal;
        let highest = |a: &&u32, b: &&u32| self.height(**a).total_cmp(&self.height(**b));
        let best = *ends.iter().max_by(highest)?;
        let middle = ends.iter().filter(central).max_by(highest);
        match middle {
            // Something in the middle that is much lower is a tail or a belt, not a head.
            Some(&m) if self.height(best) - self.height(m) < 0.25 * self.diagonal => Some(m),
            _ if self.symmetric && !central(&&best) => Some(self.crown(hips, best)),
            _ => Some(best),
        }
    }

    /// A new end at the top of a head that has none but its ears or horns: above the last
    /// point in the middle on the way to one of those.
    pub(super) fn crown(&mut self, hips: u32, ear: u32) -> u32 {
        let path = self.tree.path(hips, ear);
        let central = |n: &&u32| self.sideways(**n).abs() < CENTRAL * self.diagonal;
        let fork = path.iter().take_while(central).last().copied().unwrap_or(hips);
        let up = DVec3::AXES[self.anatomy.axes.up];
        let step = 0.5 * self.body.voxels.cell;
        let from = self.at(fork);
        let mut height = 0.0;
        while self.body.depth(from + up * (height + step)) > 0.0 {
            height += step;
        }
        let top = from + up * (CROWN * height);
        if height < 4.0 * step {
            return fork;
        }
        let crown = self.tree.add(top, self.body.radius(top));
        self.tree.join(fork, crown);
        crown
    }

    /// A limb on either side of the trunk: the lowest two that are not short.
    pub(super) fn arms(&self, trunk: &[u32]) -> Option<(Limb, Limb)> {
        let on_trunk: BTreeSet<u32> = trunk.iter().copied().collect();
        let mut limbs: Vec<(usize, Limb)> = Vec::new();
        for (position, &n) in trunk.iter().enumerate().skip(1) {
            for &next in self.tree.links[n as usize]
                .iter()
                .filter(|m| !on_trunk.contains(m))
            {
                let ends = self.ends(n, next);
                if let Some(limb) = self.limb(n, &ends)
                    && limb.sideways.abs() > 2.0 * CENTRAL * self.diagonal
                {
                    limbs.push((position, limb));
                }
            }
        }
        let reach = |l: &Limb| self.tree.path_length(&l.path);
        let mut pairs = Vec::new();
        for (i, a) in &limbs {
            for (j, b) in &limbs {
                let apart = self.at(a.on()).distance(self.at(b.on()));
                if a.sideways > 0.0 && b.sideways < 0.0 && apart < 0.15 * self.diagonal {
                    pairs.push((i + j, reach(a).min(reach(b)), a, b));
                }
            }
        }
        let longest = pairs.iter().map(|p| p.1).fold(0.0, f64::max);
        let long = pairs
            .into_iter()
            .filter(|p| p.1 > 0.6 * longest && p.1 > 0.1 * self.diagonal);
        long.min_by(|p, q| p.0.cmp(&q.0).then(q.1.total_cmp(&p.1)))
            .map(|(_, _, a, b)| (a.clone(), b.clone()))
    }

    /// The fraction of a path at which it bends most between two shares, or `usual`. Elbows
    /// bend any way, legs forward and back: sideways they lean in from the hips.
    pub(super) fn bend(&self, path: &[u32], limb: Bends, between: (f64, f64), usual: f64) -> f64 {
        let (Some(&first), Some(&last)) = (path.first(), path.last()) else {
            return usual;
        };
        let length = self.tree.path_length(path);
        let (a, b) = (self.at(first), self.at(last));
        let mut best = (BENT * length, usual);
        let mut along = 0.0;
        for w in path.windows(2) {
            along += self.tree.distance(w[0], w[1]);
            let fraction = along / length;
            let off = self.at(w[1]) - nearest_on_line(self.at(w[1]), a, b);
            let off = match limb {
                Bends::AnyWay => off.length(),
                Bends::Forward => off[self.anatomy.axes.forward].abs(),
            };
            if fraction > between.0 && fraction < between.1 && off > best.0 {
                best = (off, fraction);
            }
        }
        best.1
    }

    /// Adds a joint at a fraction of a path and returns the path up to it and from it.
    pub(super) fn joint_at(
        &mut self,
        path: &mut Vec<u32>,
        fraction: f64,
        name: String,
    ) -> (Vec<u32>, Vec<u32>) {
        let length = self.tree.path_length(path);
        let point = self.tree.point_at(path, fraction * length);
        self.name(point, name);
        let position = path.iter().position(|&n| n == point).unwrap_or(0);
        (path[..=position].to_vec(), path[position..].to_vec())
    }

    pub(super) fn side_of(&self, path: &[u32]) -> &'static str {
        let tip = path.last().map_or(0.0, |&n| self.sideways(n));
        if tip > 0.0 { "left" } else { "right" }
    }

    /// Joints for a leg from the hips (or the chest of a quadruped) to its tip.
    pub(super) fn leg(&mut self, mut path: Vec<u32>, which: &str) {
        let (Some(&top), Some(&tip)) = (path.first(), path.last()) else {
            return;
        };
        let side = format!("{}_{which}", self.side_of(&path));
        let length = self.tree.path_length(&path);
        let start = (0.7 * self.tree.radii[top as usize] / length).min(0.35);
        let (_, mut leg) = self.joint_at(&mut path, start, format!("{side}upper_leg"));
        self.name(tip, format!("{side}toes"));
        let (ankle, knee) = if which.is_empty() {
            (((0.65, 0.97), 0.88), ((0.35, 0.65), 0.52))
        } else {
            (((0.6, 0.9), 0.74), ((0.3, 0.7), 0.52))
        };
        let ankle = self.bend(&leg, Bends::Forward, ankle.0, ankle.1);
        let (mut upper, _) = self.joint_at(&mut leg, ankle, format!("{side}foot"));
        let knee = self.bend(&upper, Bends::Forward, knee.0, knee.1);
        self.joint_at(&mut upper, knee, format!("{side}lower_leg"));
        let whole = self.tree.path(top, tip);
        self.settle(&whole);
    }

    /// Where an arm's straight upper part, led on towards the trunk, leaves the body again
    /// or enters the trunk. (The curve itself sinks to the middle of the chest on its way.)
    pub(super) fn shoulder(&self, path: &[u32]) -> Option<DVec3> {
        let (&top, &tip) = (path.first()?, path.last()?);
        let length = self.tree.path_length(path);
        let at = |fraction: f64| self.tree.place_along(path, fraction * length);
        let (upper, lower) = (at(UPPER_ARM.0), at(UPPER_ARM.1));
        let radius = self.body.depth(upper.midpoint(lower)).max(self.body.voxels.cell);
        let inward = (upper - lower).try_normalize()?;
        let step = 0.25 * self.body.voxels.cell;
        let side = self.sideways(tip).signum();
        let most = UPPER_ARM.0 * length;
        let mut shoulder = upper;
        let mut gone = 0.0;
        loop {
            let next = upper + inward * (gone + step);
            let depth = self.body.depth(next);
            if depth > 1.4 * radius {
                break;
            }
            if depth < 0.6 * radius {
                shoulder -= inward * (0.4 * radius).min(gone);
                break;
            }
            if gone > most || side * self.anatomy.axes.sideways(next) < CENTRAL * self.diagonal {
                return None;
            }
            gone += step;
            shoulder = next;
        }
        let seen = self.body.holds_line(self.at(top), shoulder) && self.body.holds_line(shoulder, upper);
        seen.then_some(shoulder)
    }

    /// Leads a path from its start to a point and on to the upper arm. Returns the point at
    /// that point, if the path has any to spare.
    pub(super) fn lead_through(&mut self, path: &[u32], position: DVec3) -> Option<u32> {
        let length = self.tree.path_length(path);
        let mut along = 0.0;
        let mut join = 0;
        for (k, w) in path.windows(2).enumerate() {
            along += self.tree.distance(w[0], w[1]);
            if along >= UPPER_ARM.0 * length {
                join = k + 1;
                break;
            }
        }
        let inner = path.get(1..join).filter(|inner| !inner.is_empty())?;
        if inner.iter().any(|&n| self.tree.links[n as usize].len() != 2) {
            return None;
        }
        let (from, to) = (self.at(path[0]), self.at(path[join]));
        let fraction = from.distance(position) / (from.distance(position) + position.distance(to));
        let middle = ((fraction * join as f64).round() as usize).clamp(1, join - 1);
        for k in 1..join {
            let p = if k <= middle {
                from.lerp(position, k as f64 / middle as f64)
            } else {
                position.lerp(to, (k - middle) as f64 / (join - middle) as f64)
            };
            self.tree.points[path[k] as usize] = p;
        }
        Some(path[middle])
    }

    /// Joints for an arm from the chest to its tip.
    pub(super) fn arm(&mut self, mut path: Vec<u32>, shoulder: Option<DVec3>) {
        let (Some(&top), Some(&tip)) = (path.first(), path.last()) else {
            return;
        };
        let side = self.side_of(&path);
        let through = shoulder.and_then(|position| self.lead_through(&path, position));
        let (mut inner, mut arm) = if let Some(point) = through {
            self.name(point, format!("{side}_upper_arm"));
            let position = path.iter().position(|&n| n == point).unwrap_or(0);
            (path[..=position].to_vec(), path[position..].to_vec())
        } else {
            let length = self.tree.path_length(&path);
            let start = (0.95 * self.tree.radii[top as usize] / length).min(0.3);
            self.joint_at(&mut path, start, format!("{side}_upper_arm"))
        };
        self.joint_at(&mut inner, 0.3, format!("{side}_shoulder"));
        self.name(tip, format!("{side}_hand_end"));
        // Where the first finger leaves, the hand has begun already.
        let whole = self.tree.path_length(&arm);
        let mut along = 0.0;
        let mut wrist = 0.77;
        for w in arm.windows(2) {
            along += self.tree.distance(w[0], w[1]);
            let fraction = along / whole;
            if fraction > 0.6 && fraction < 0.97 && self.tree.links[w[1] as usize].len() > 2 {
                wrist = (fraction - 0.08).min(0.85);
                break;
            }
        }
        let (mut upper, _) = self.joint_at(&mut arm, wrist, format!("{side}_hand"));
        let elbow = self.bend(&upper, Bends::AnyWay, (0.35, 0.65), 0.5);
        self.joint_at(&mut upper, elbow, format!("{side}_lower_arm"));
        let whole = self.tree.path(top, tip);
        self.settle(&whole);
    }

    /// Joints from the hips to the chest, at equal distances; the last name is the chest's.
    pub(super) fn spine(&mut self, hips: u32, chest: u32, names: &[&str]) {
        let mut path = self.tree.path(hips, chest);
        let length = self.tree.path_length(&path);
        let wanted = (length / (0.05 * self.diagonal)).floor() as usize;
        let names = &names[..names.len().min(wanted.max(1))];
        let count = names.len();
        for (i, &name) in names.iter().enumerate() {
            let at = (i + 1) as f64 / count as f64 * length;
            let point = if i + 1 == count {
                chest
            } else {
                self.tree.point_at(&mut path, at)
            };
            self.name(point, name.to_owned());
        }
        let path = self.tree.path(hips, chest);
        self.settle(&path);
    }

    /// The neck where it is thinnest, the head above it.
    pub(super) fn neck_and_head(&mut self, chest: u32, end: u32) {
        let mut path = self.tree.path(chest, end);
        let length = self.tree.path_length(&path);
        if path.len() < 2 || length < 0.03 * self.diagonal {
            return;
        }
        let mut along = 0.0;
        let mut thinnest = (f64::INFINITY, 0.3);
        for w in path.windows(2) {
            along += self.tree.distance(w[0], w[1]);
            let (fraction, radius) = (along / length, self.tree.radii[w[1] as usize]);
            if fraction > 0.12 && fraction < 0.6 && radius < thinnest.0 - 1e-9 * self.diagonal {
                thinnest = (radius, fraction);
            }
        }
        self.name(end, "head_end".to_owned());
        let neck = thinnest.1;
        self.joint_at(&mut path, neck, "neck".to_owned());
        self.joint_at(&mut path, neck + 0.35 * (1.0 - neck), "head".to_owned());
        let path = self.tree.path(chest, end);
        self.settle(&path);
    }
}
