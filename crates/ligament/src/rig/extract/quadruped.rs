//! The joints of a body on four legs: girdles, spine, legs, tail.

use std::collections::BTreeSet;

use super::anatomy::{BodyPlan, Limb, Work};

/// Neck and tail leave the trunk within this fraction of it from where legs do.
const GIRDLE: f64 = 0.4;

/// Two legs part before so much of their length is left.
const LEAST_APART: f64 = 0.4;

impl Work<'_> {
    /// Two legs on each side make a quadruped, unless the trunk stands up: then two of them
    /// are arms that hang down to the ground.
    pub(super) fn four_legs(&mut self, mut left: Vec<Limb>, mut right: Vec<Limb>) {
        let forward = self.anatomy.axes.forward;
        let foot = |work: &Self, l: &Limb| l.path.last().map_or(0.0, |&n| work.at(n)[forward]);
        for side in [&mut left, &mut right] {
            side.sort_by(|a, b| foot(self, a).total_cmp(&foot(self, b)));
        }
        let pairs: Vec<(Limb, Limb)> = left.into_iter().zip(right).collect();
        let [low, high] = &pairs[..] else { return };
        let girdle = |work: &Self, p: &(Limb, Limb)| work.trunk_of(p.0.on(), p.1.on());
        let (at_low, at_high) = (girdle(self, low), girdle(self, high));
        if at_low == at_high {
            return; // nothing between the legs: a stool, not a quadruped
        }
        let trunk = self.at(at_high) - self.at(at_low);
        if trunk[self.anatomy.axes.up].abs() > trunk[forward].abs() {
            let legs = if trunk[self.anatomy.axes.up] > 0.0 {
                low
            } else {
                high
            };
            self.biped(legs.0.clone(), legs.1.clone());
            return;
        }
        self.quadruped(low, high, at_low, at_high);
    }

    pub(super) fn quadruped(&mut self, low: &(Limb, Limb), high: &(Limb, Limb), at_low: u32, at_high: u32) {
        let forward = self.anatomy.axes.forward;
        // Legs often meet below the trunk: neck and tail leave from a little further on.
        let (at_low, at_high) = (
            self.girdle(at_low, at_high, low),
            self.girdle(at_high, at_low, high),
        );
        self.anatomy.plan = BodyPlan::Quadruped;
        // The head is what is bulkier beyond the legs.
        let (beyond_low, beyond_high) = (
            self.beyond(at_low, at_high, low),
            self.beyond(at_high, at_low, high),
        );
        let bulk = |work: &Self, girdle: u32, n: Option<u32>| n.map_or(0.0, |n| work.bulk(girdle, n));
        let head_high = bulk(self, at_high, beyond_high) >= bulk(self, at_low, beyond_low);
        self.anatomy.axes.face(if head_high { 1.0 } else { -1.0 });
        let (hind, front, hips, chest, tail, head) = if head_high {
            (low, high, at_low, at_high, beyond_low, beyond_high)
        } else {
            (high, low, at_high, at_low, beyond_high, beyond_low)
        };
        self.anatomy.root = Some(hips);
        self.name(hips, "hips".to_owned());
        for (girdle, legs, which) in [(hips, hind, "hind_"), (chest, front, "front_")] {
            for path in self.legs_apart(girdle, legs) {
                self.leg(path, which);
            }
        }
        self.spine(hips, chest, &["spine", "spine1", "chest"]);
        if let Some(next) = head {
            let ends = self.ends(chest, next);
            let reach = |&e: &u32| {
                let p = self.at(e);
                let ahead = if head_high { p[forward] } else { -p[forward] };
                ahead - 2.0 * self.sideways(e).abs()
            };
            let end = ends.iter().copied().max_by(|a, b| reach(a).total_cmp(&reach(b)));
            if let Some(end) = end {
                self.neck_and_head(chest, end);
            }
        }
        if let Some(next) = tail {
            let ends = self.ends(hips, next);
            if let Some(tail) = self.limb(hips, &ends) {
                self.tail(tail.path);
            }
        }
    }

    /// The paths of two legs from where they part: a stem between the girdle and there belongs to the trunk, or one leg
    /// would hang on the other. Legs that are one for most of their length keep it.
    fn legs_apart(&self, girdle: u32, legs: &(Limb, Limb)) -> Vec<Vec<u32>> {
        let mut paths: Vec<Vec<u32>> = [&legs.0, &legs.1]
            .into_iter()
            .filter_map(|leg| leg.path.last())
            .map(|&tip| self.tree.path(girdle, tip))
            .collect();
        if let [a, b] = &mut paths[..] {
            let shared = a.iter().zip(b.iter()).take_while(|(m, n)| m == n).count();
            let fork = shared.saturating_sub(1);
            let apart = |path: &[u32]| {
                self.tree.path_length(&path[fork..]) > LEAST_APART * self.tree.path_length(path)
            };
            if apart(a) && apart(b) {
                a.drain(..fork);
                b.drain(..fork);
            }
        }
        paths
    }

    /// The point on the way to the other girdle, in its first part, that most of the body
    /// hangs on beside legs and trunk.
    pub(super) fn girdle(&self, legs_meet: u32, other: u32, legs: &(Limb, Limb)) -> u32 {
        let trunk = self.tree.path(legs_meet, other);
        let length = self.tree.path_length(&trunk);
        let mut along = 0.0;
        let mut best = (0.0, legs_meet);
        for (k, &n) in trunk.iter().enumerate() {
            if k > 0 {
                along += self.tree.distance(trunk[k - 1], n);
            }
            if along > GIRDLE * length {
                break;
            }
            let before = (k > 0).then(|| trunk[k - 1]);
            let beyond = self.beyond(n, other, legs).filter(|&m| Some(m) != before);
            let bulk = beyond.map_or(0.0, |m| self.bulk(n, m));
            if bulk > best.0 {
                best = (bulk, n);
            }
        }
        best.1
    }

    /// The way on from a girdle that is neither a leg nor leads to the other girdle.
    pub(super) fn beyond(&self, girdle: u32, other: u32, legs: &(Limb, Limb)) -> Option<u32> {
        let mut taken: BTreeSet<u32> = BTreeSet::new();
        taken.extend(self.tree.path(girdle, other).get(1));
        for leg in [&legs.0, &legs.1] {
            if let Some(&tip) = leg.path.last() {
                taken.extend(self.tree.path(girdle, tip).get(1));
            }
        }
        let free = self.tree.links[girdle as usize]
            .iter()
            .filter(|n| !taken.contains(n));
        free.copied()
            .max_by(|&m, &n| self.bulk(girdle, m).total_cmp(&self.bulk(girdle, n)))
    }

    pub(super) fn tail(&mut self, mut path: Vec<u32>) {
        let length = self.tree.path_length(&path);
        let count = (length / (0.06 * self.diagonal)).round().clamp(2.0, 6.0) as usize;
        let first = self.tree.radii[path[0] as usize].min(0.3 * length);
        for i in 0..count {
            let at = first + (length - first) * i as f64 / (count - 1) as f64;
            let point = self.tree.point_at(&mut path, at);
            self.name(point, format!("tail{}", i + 1));
        }
        self.settle(&path);
    }
}
