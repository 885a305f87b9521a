//! Where joints are: which way is up and left, what is on a side, and limbs that come in pairs.

use glam::DVec3;

use super::Side;
use super::reading::{Name, Part};
use crate::character::Skeleton;

/// A joint nearer to the plane of symmetry than this share of the skeleton's size is on no side.
const CENTRAL: f64 = 0.02;
/// Mirror images of joints are this near, as a share of the size.
const IMAGE: f64 = 0.04;
/// Limbs of a pair begin and end within this share of the size from each other's mirror image. Poses differ.
const PAIR: f64 = 0.22;
/// A leg ends in this lowest share of the height.
const GROUND: f64 = 0.2;
/// and comes down from at least so much higher.
const DESCENT: f64 = 0.12;
/// Legs come down so much farther along Z, as a share of the size, if not Y is up.
const Y_FIRST: f64 = 0.1;

/// Two limbs that mirror each other.
#[derive(Debug, Clone)]
pub(super) struct Pair {
    /// The central joint that carries the left one.
    pub on: usize,
    /// From where each leaves the middle to its farthest end, left first.
    pub paths: [Vec<usize>; 2],
    /// Whether they reach the ground.
    pub legs: bool,
}

/// Joints in space.
#[derive(Debug, Clone)]
pub(super) struct Place {
    /// The nearest joint above that is looked at.
    pub parent: Vec<Option<usize>>,
    pub children: Vec<Vec<usize>>,
    pub depth: Vec<usize>,
    pub at: Vec<DVec3>,
    /// Which joints are looked at.
    pub seen: Vec<bool>,
    pub up: DVec3,
    pub left: DVec3,
    /// Where the plane of symmetry is along `left`.
    middle: f64,
    pub size: f64,
    pub pairs: Vec<Pair>,
    /// Whether names say which way left is.
    named_sides: bool,
}

impl Place {
    pub fn of(skeleton: &Skeleton, names: &[Name]) -> Self {
        let count = skeleton.joints.len();
        let any_in_skin = skeleton.joints.iter().any(|j| j.in_skin);
        // Plain nodes count if they are called a part and carry skin: some hips hold no weights.
        let mut carries_skin = vec![false; count];
        for j in (0..count).rev() {
            if let Some(p) = skeleton.joints[j].parent
                && (skeleton.joints[j].in_skin || carries_skin[j])
            {
                carries_skin[p.at()] = true;
            }
        }
        let seen: Vec<bool> = (0..count)
            .map(|j| {
                let part = matches!(names[j], Name::Part(_)) && carries_skin[j];
                (skeleton.joints[j].in_skin || part || !any_in_skin)
                    && !matches!(names[j], Name::NoBone)
                    && skeleton.joints[j].bind_from_joint.translation.is_finite()
            })
            .collect();
        let mut parent = vec![None; count];
        let mut depth = vec![0; count];
        let mut children = vec![Vec::new(); count];
        for j in 0..count {
            let mut above = skeleton.joints[j].parent;
            while let Some(p) = above {
                if seen[p.at()] {
                    parent[j] = Some(p.at());
                    break;
                }
                above = skeleton.joint(p).parent;
            }
            depth[j] = parent[j].map_or(0, |p| depth[p] + 1);
            if let Some(p) = parent[j].filter(|_| seen[j]) {
                children[p].push(j);
            }
        }
        let at: Vec<DVec3> = skeleton
            .joints
            .iter()
            .map(|j| j.bind_from_joint.translation)
            .collect();
        let (low, high) = (0..count)
            .filter(|&j| seen[j])
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), j| {
                (low.min(at[j]), high.max(at[j]))
            });
        let size = if seen.contains(&true) {
            (high - low).length()
        } else {
            0.0
        };
        let mut place = Self {
            parent,
            children,
            depth,
            at,
            seen,
            up: DVec3::Y,
            left: DVec3::X,
            middle: 0.0,
            size,
            pairs: Vec::new(),
            named_sides: false,
        };
        place.orient(names);
        place
    }

    /// Finds up, left and the pairs, by names where they say it.
    fn orient(&mut self, names: &[Name]) {
        if let Some(up) = self.up_by_names(names) {
            self.up = up;
        }
        if let Some((left, middle)) = self.left_by_names(names) {
            (self.left, self.middle, self.named_sides) = (left, middle, true);
            self.pairs = self.find_pairs();
            return;
        }
        // Without names: upright along Y, or Z where Y has no legs.
        let mut best: Option<(f64, Self)> = None;
        for up in [DVec3::Y, DVec3::Z] {
            let mut place = self.clone();
            place.up = up;
            (place.left, place.middle) = place.left_by_mirror();
            place.pairs = place.find_pairs();
            place.face_by_feet();
            let descents = place
                .pairs
                .iter()
                .filter(|p| p.legs)
                .map(|p| place.descent(&p.paths[0]));
            let legs = descents.fold(0.0, f64::max) / place.size.max(f64::MIN_POSITIVE);
            if best.as_ref().is_none_or(|b| legs > b.0 + Y_FIRST) {
                best = Some((legs, place));
            }
        }
        if let Some((_, place)) = best {
            *self = place;
        }
    }

    pub fn indices(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.at.len()).filter(|&j| self.seen[j])
    }

    pub fn height(&self, j: usize) -> f64 {
        self.at[j].dot(self.up)
    }

    /// How far to the left of the middle a joint is.
    pub fn sideways(&self, j: usize) -> f64 {
        self.at[j].dot(self.left) - self.middle
    }

    pub fn distance(&self, a: usize, b: usize) -> f64 {
        self.at[a].distance(self.at[b])
    }

    pub fn forward(&self) -> DVec3 {
        self.left.cross(self.up)
    }

    /// Whether `a` is above `b` in the hierarchy, or is it.
    pub fn carries(&self, a: usize, b: usize) -> bool {
        let mut at = Some(b);
        while let Some(j) = at {
            if j == a {
                return true;
            }
            at = self.parent[j];
        }
        false
    }

    /// The lowest joint that carries both.
    pub fn common(&self, a: usize, b: usize) -> Option<usize> {
        let mut at = Some(a);
        while let Some(j) = at {
            if self.carries(j, b) {
                return Some(j);
            }
            at = self.parent[j];
        }
        None
    }

    /// From a joint down to one below it, both included; nothing if it is not below.
    pub fn path(&self, from: usize, to: usize) -> Vec<usize> {
        let mut path = vec![to];
        let mut at = to;
        while at != from {
            let Some(p) = self.parent[at] else {
                return Vec::new();
            };
            path.push(p);
            at = p;
        }
        path.reverse();
        path
    }

    /// From a joint to the end below it that is farthest along bones.
    pub fn longest_path(&self, from: usize) -> Vec<usize> {
        let mut best = (-1.0, from);
        let mut waiting = vec![(from, 0.0)];
        while let Some((j, length)) = waiting.pop() {
            if length > best.0 {
                best = (length, j);
            }
            waiting.extend(
                self.children[j]
                    .iter()
                    .rev()
                    .map(|&c| (c, length + self.distance(j, c))),
            );
        }
        self.path(from, best.1)
    }

    pub fn length(&self, path: &[usize]) -> f64 {
        path.windows(2).map(|w| self.distance(w[0], w[1])).sum()
    }

    fn up_by_names(&self, names: &[Name]) -> Option<DVec3> {
        let mean = |parts: &[Part]| {
            let all: Vec<DVec3> = self
                .indices()
                .filter(|&j| matches!(&names[j], Name::Part(r) if parts.contains(&r.part)))
                .map(|j| self.at[j])
                .collect();
            (!all.is_empty()).then(|| all.iter().sum::<DVec3>() / all.len() as f64)
        };
        let way = mean(&[Part::UpperLeg]).zip(mean(&[Part::Foot]));
        let way = way.map(|(high, low)| high - low)?;
        // Along the axis that it is nearest to: scenes are upright.
        let axis = (0..3).max_by(|&a, &b| way[a].abs().total_cmp(&way[b].abs()))?;
        (way[axis] != 0.0).then(|| DVec3::AXES[axis] * way[axis].signum())
    }

    /// Left by the joints that say so, and where the middle is between them.
    fn left_by_names(&self, names: &[Name]) -> Option<(DVec3, f64)> {
        let mean = |side: Side| {
            let all: Vec<DVec3> = self
                .indices()
                .filter(|&j| matches!(&names[j], Name::Part(r) if r.side == Some(side)))
                .map(|j| self.at[j])
                .collect();
            (all.len() >= 2).then(|| all.iter().sum::<DVec3>() / all.len() as f64)
        };
        let (l, r) = mean(Side::Left).zip(mean(Side::Right))?;
        let across = (l - r) - self.up * (l - r).dot(self.up);
        if across.length() < 0.01 * self.size {
            return None;
        }
        let axis = (0..3).max_by(|&a, &b| across[a].abs().total_cmp(&across[b].abs()))?;
        let left = DVec3::AXES[axis] * across[axis].signum();
        Some((left, ((l + r) / 2.0).dot(left)))
    }

    /// The axis across which most joints have a mirror image, towards +X or +Z.
    fn left_by_mirror(&self) -> (DVec3, f64) {
        let axes: [DVec3; 2] = if self.up.y != 0.0 {
            [DVec3::X, DVec3::Z]
        } else {
            [DVec3::X, DVec3::Y]
        };
        let mut best = (-1.0, axes[0], 0.0);
        for axis in axes {
            let mut along: Vec<f64> = self.indices().map(|j| self.at[j].dot(axis)).collect();
            along.sort_by(f64::total_cmp);
            let (Some(first), Some(last)) = (along.first(), along.last()) else {
                continue;
            };
            for middle in [0.0, along[along.len() / 2], (first + last) / 2.0] {
                let score = self.mirror_score(axis, middle);
                if score > best.0 + 1e-9 {
                    best = (score, axis, middle);
                }
            }
        }
        (best.1, best.2)
    }

    /// How many joints off the plane have a mirror image, as a share of all.
    fn mirror_score(&self, axis: DVec3, middle: f64) -> f64 {
        let mut images = 0usize;
        for j in self.indices() {
            let off = self.at[j].dot(axis) - middle;
            let image = self.at[j] - 2.0 * off * axis;
            let near = |k: usize| self.at[k].distance(image) < IMAGE * self.size;
            images += usize::from(off.abs() > CENTRAL * self.size && self.indices().any(near));
        }
        images as f64 / self.indices().count().max(1) as f64
    }

    /// Which side each joint and all below it are on; none if on both or on neither.
    fn sides(&self) -> Vec<Option<Side>> {
        let eps = CENTRAL * self.size;
        let mut reach: Vec<(f64, f64)> = (0..self.at.len())
            .map(|j| (self.sideways(j), self.sideways(j)))
            .collect();
        for j in (0..self.at.len()).rev().filter(|&j| self.seen[j]) {
            if let Some(p) = self.parent[j] {
                reach[p] = (reach[p].0.min(reach[j].0), reach[p].1.max(reach[j].1));
            }
        }
        reach
            .into_iter()
            .map(|(low, high)| match (high > eps, low < -eps) {
                (true, false) => Some(Side::Left),
                (false, true) => Some(Side::Right),
                _ => None,
            })
            .collect()
    }

    fn find_pairs(&self) -> Vec<Pair> {
        let sides = self.sides();
        let roots = |side: Side| -> Vec<usize> {
            self.indices()
                .filter(|&j| sides[j] == Some(side) && self.parent[j].is_some_and(|p| sides[p] != Some(side)))
                .collect()
        };
        let roots = |side: Side| self.split(roots(side));
        let image = |p: DVec3| p - 2.0 * (p.dot(self.left) - self.middle) * self.left;
        let (lefts, rights) = (roots(Side::Left), roots(Side::Right));
        let mut costs: Vec<(f64, usize, usize)> = Vec::new();
        let paths: Vec<Option<Vec<usize>>> = (0..self.at.len())
            .map(|j| (lefts.contains(&j) || rights.contains(&j)).then(|| self.longest_path(j)))
            .collect();
        let end = |j: usize| paths[j].as_ref().and_then(|p| p.last().copied()).unwrap_or(j);
        for &l in &lefts {
            for &r in &rights {
                let starts = image(self.at[l]).distance(self.at[r]);
                let ends = image(self.at[end(l)]).distance(self.at[end(r)]);
                let cost = starts + ends;
                if starts < 0.5 * PAIR * self.size && cost < PAIR * self.size {
                    costs.push((cost, l, r));
                }
            }
        }
        costs.sort_by(|a, b| a.0.total_cmp(&b.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        let mut taken = vec![false; self.at.len()];
        let mut pairs = Vec::new();
        for (_, l, r) in costs {
            if taken[l] || taken[r] {
                continue;
            }
            taken[l] = true;
            taken[r] = true;
            if let (Some(on), Some(a), Some(b)) = (self.parent[l], &paths[l], &paths[r]) {
                pairs.push(Pair {
                    on,
                    paths: [a.clone(), b.clone()],
                    legs: false,
                });
            }
        }
        pairs.sort_by_key(|p| p.paths[0][0]);
        self.tell_legs(&mut pairs);
        pairs
    }

    /// Joints that carry several limbs, as those of a spider, give way to the limbs.
    fn split(&self, roots: Vec<usize>) -> Vec<usize> {
        let mut limbs = Vec::new();
        let mut waiting = roots;
        while let Some(root) = waiting.pop() {
            let length = |&c: &usize| self.distance(root, c) + self.length(&self.longest_path(c));
            let children = &self.children[root];
            let longest = children.iter().map(length).fold(0.0, f64::max);
            let long: Vec<usize> = children
                .iter()
                .copied()
                .filter(|c| length(c) > 0.6 * longest)
                .collect();
            let stem = self.parent[root].map_or(0.0, |p| self.distance(p, root));
            if long.len() >= 2 && longest > 0.15 * self.size && longest > 2.0 * stem {
                waiting.extend(long);
            } else {
                limbs.push(root);
            }
        }
        limbs.sort_unstable();
        limbs
    }

    /// How far a path comes down from where it starts.
    fn descent(&self, path: &[usize]) -> f64 {
        let lowest = path.iter().map(|&j| self.height(j)).fold(f64::INFINITY, f64::min);
        path.first().map_or(0.0, |&j| self.height(j)) - lowest
    }

    fn tell_legs(&self, pairs: &mut [Pair]) {
        let heights = || self.indices().map(|j| self.height(j));
        let (low, high) = (
            heights().fold(f64::INFINITY, f64::min),
            heights().fold(f64::NEG_INFINITY, f64::max),
        );
        let tall = high - low;
        for pair in pairs {
            let reaches = |path: &Vec<usize>| {
                let lowest = path.iter().map(|&j| self.height(j)).fold(f64::INFINITY, f64::min);
                lowest < low + GROUND * tall && self.descent(path) > DESCENT * tall
            };
            pair.legs = pair.paths[0].len() >= 2 && pair.paths.iter().all(reaches);
        }
    }

    /// Turns left to where the feet say that it is; the pairs with it.
    fn face_by_feet(&mut self) {
        let mut ahead = 0.0;
        for pair in self.pairs.iter().filter(|p| p.legs) {
            for path in &pair.paths {
                let lowest = path.iter().map(|&j| self.height(j)).fold(f64::INFINITY, f64::min);
                let length = self.length(path);
                // The foot is what runs level at the end.
                let near = |&&j: &&usize| self.height(j) < lowest + 0.2 * length;
                let ankle = path.iter().find(near).copied();
                if let (Some(ankle), Some(&toe)) = (ankle, path.last()) {
                    ahead += (self.at[toe] - self.at[ankle]).dot(self.forward());
                }
            }
        }
        // Without feet: Y up faces +Z, Z up faces −Y.
        let usual = if self.up.y != 0.0 { DVec3::Z } else { DVec3::NEG_Y };
        let forward = self.forward();
        let against = if ahead.abs() > 0.01 * self.size {
            ahead < 0.0
        } else {
            forward.dot(usual) < -0.5
        };
        if against {
            self.left = -self.left;
            self.middle = -self.middle;
            for pair in &mut self.pairs {
                pair.paths.swap(0, 1);
            }
        }
    }

    /// Whether pairs of joints that point ahead point backwards for the names of sides: left and right are likely swapped.
    pub fn sides_look_swapped(&self, pairs: &[(usize, usize)]) -> bool {
        let ahead: f64 = pairs
            .iter()
            .map(|&(back, front)| (self.at[front] - self.at[back]).dot(self.forward()))
            .sum();
        self.named_sides && ahead < -0.02 * self.size
    }
}
