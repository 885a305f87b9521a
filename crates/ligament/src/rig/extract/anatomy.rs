//! What the body is: legs, arms, trunk, head and tail, and where their joints go.
//!
//! A *leg* is the largest part of the tree on one side of the body whose ends are all near
//! the ground. One on each side makes a biped, two a quadruped; anything else keeps its
//! branches as they are. Limbs rarely show where they bend in the pose that they are
//! modelled in, so a knee or an elbow goes where the limb bends if it does, else where
//! anatomy has it. Names are those that engines know humanoids by, in the spelling that
//! the samples use. Left and right follow from where feet (of a biped) or the head (of a
//! quadruped) point.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;
use serde::Serialize;

use super::symmetry::Mirror;
use super::tree::{Body, Tree};
use super::voxels::Voxels;

/// What kind of body a skeleton was recognised as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BodyPlan {
    /// Two legs.
    Biped,
    /// Four legs.
    Quadruped,
    /// None of these; joints are named by branch.
    Other,
}

/// An end is near the ground if it is in this lowest share of the height.
const GROUND: f64 = 0.17;
/// What is nearer to the plane of symmetry than this share of the diagonal is on no side.
const CENTRAL: f64 = 0.025;
/// A limb bends where it is off the straight line by this share of its length.
const BENT: f64 = 0.035;

/// How far up the way to its surface the end of a head is.
const CROWN: f64 = 0.7;
/// The part of an arm, from the chest to the fingertips, that is straight upper arm.
const UPPER_ARM: (f64, f64) = (0.38, 0.52);
/// Neck and tail leave the trunk within this share of it from where legs do.
const GIRDLE: f64 = 0.4;

/// Which way is up, sideways and forward.
#[derive(Debug, Clone, Copy)]
pub(super) struct Axes {
    pub up: usize,
    pub mirror: Mirror,
    pub forward: usize,
    /// 1 if the body's left is towards the larger coordinate, −1 if towards the smaller.
    pub left: f64,
}

impl Axes {
    /// Y up, then Z up, each with the axis across which the body is most symmetric.
    pub fn candidates(voxels: &Voxels) -> [Self; 2] {
        [1, 2].map(|up| {
            // X first: it is sideways by convention and wins ties.
            let other = 3 - up;
            let (x, y) = (Mirror::across(0, voxels), Mirror::across(other, voxels));
            let mirror = if y.share > x.share + 0.02 { y } else { x };
            let forward = 3 - up - mirror.axis;
            let mut axes = Self {
                up,
                mirror,
                forward,
                left: 1.0,
            };
            // Y up faces +Z, Z up faces −Y: what glTF and Blender agree on.
            axes.face(if up == 1 { 1.0 } else { -1.0 });
            axes
        })
    }

    /// Turns the body to face along the forward axis, or against it.
    fn face(&mut self, sign: f64) {
        let left = DVec3::AXES[self.up].cross(sign * DVec3::AXES[self.forward]);
        self.left = left[self.mirror.axis].signum();
    }

    /// How far a place is from the plane of symmetry, to the left.
    pub fn sideways(&self, p: DVec3) -> f64 {
        self.left * (p[self.mirror.axis] - self.mirror.at)
    }

    /// The prefix for a joint's name.
    pub fn side(&self, p: DVec3, diagonal: f64) -> &'static str {
        let sideways = self.sideways(p);
        if sideways > CENTRAL * diagonal {
            "left_"
        } else if sideways < -CENTRAL * diagonal {
            "right_"
        } else {
            ""
        }
    }
}

/// Joints that anatomy asks for.
#[derive(Debug, Clone)]
pub(super) struct Anatomy {
    pub plan: BodyPlan,
    pub axes: Axes,
    pub root: Option<u32>,
    /// Points of the tree that are joints, by name.
    pub names: BTreeMap<u32, String>,
    /// Points on parts that need no more joints than these.
    pub settled: BTreeSet<u32>,
}

/// A part of the tree that hangs on a point.
#[derive(Debug, Clone)]
struct Limb {
    /// From the point it hangs on to its farthest end.
    path: Vec<u32>,
    /// How far it is to the side, on the mean of its ends.
    sideways: f64,
}

impl Limb {
    fn on(&self) -> u32 {
        self.path[0]
    }
}

/// Recognises a body; adds points to the tree where joints are wanted.
pub(super) fn recognise(
    tree: &mut Tree,
    candidates: [Axes; 2],
    symmetric: bool,
    body: &Body<'_>,
    diagonal: f64,
) -> Anatomy {
    for axes in candidates {
        let mut work = Work {
            tree,
            anatomy: Anatomy {
                plan: BodyPlan::Other,
                axes,
                root: None,
                names: BTreeMap::new(),
                settled: BTreeSet::new(),
            },
            symmetric,
            body,
            diagonal,
        };
        let legs = work.legs();
        let (left, right): (Vec<Limb>, Vec<Limb>) = legs.into_iter().partition(|l| l.sideways > 0.0);
        match (&left[..], &right[..]) {
            ([a], [b]) => work.biped(a.clone(), b.clone()),
            ([_, _], [_, _]) => work.four_legs(left, right),
            _ => continue,
        }
        return work.anatomy;
    }
    Anatomy {
        plan: BodyPlan::Other,
        axes: candidates[0],
        root: None,
        names: BTreeMap::new(),
        settled: BTreeSet::new(),
    }
}

/// The point that leaves the least behind any of its neighbours, by length of bone.
pub(super) fn most_central(tree: &Tree) -> u32 {
    let order = tree.outward(0);
    let parents = tree.parents(0);
    let mut below = vec![0.0; tree.len()];
    let mut worst = vec![0.0f64; tree.len()];
    for &n in order.iter().rev() {
        if let Some(p) = parents[n as usize] {
            let share = below[n as usize] + tree.distance(n, p);
            below[p as usize] += share;
            worst[p as usize] = worst[p as usize].max(share);
        }
    }
    let total = below.first().copied().unwrap_or(0.0);
    let imbalance = |n: u32| worst[n as usize].max(total - below[n as usize]);
    order
        .into_iter()
        .min_by(|&a, &b| {
            // The thicker of two that balance equally well.
            let radius = |n: u32| tree.radii[n as usize];
            imbalance(a)
                .total_cmp(&imbalance(b))
                .then(radius(b).total_cmp(&radius(a)))
        })
        .unwrap_or(0)
}

/// Which way a limb may bend.
#[derive(Debug, Clone, Copy)]
enum Bends {
    AnyWay,
    Forward,
}

struct Work<'a> {
    tree: &'a mut Tree,
    anatomy: Anatomy,
    symmetric: bool,
    body: &'a Body<'a>,
    diagonal: f64,
}

impl Work<'_> {
    fn at(&self, n: u32) -> DVec3 {
        self.tree.points[n as usize]
    }

    fn height(&self, n: u32) -> f64 {
        self.at(n)[self.anatomy.axes.up]
    }

    fn sideways(&self, n: u32) -> f64 {
        self.anatomy.axes.sideways(self.at(n))
    }

    /// The ends of what hangs on `from` by way of `next`.
    fn ends(&self, from: u32, next: u32) -> Vec<u32> {
        let mut ends = Vec::new();
        let mut stack = vec![(next, from)];
        while let Some((n, before)) = stack.pop() {
            let links = &self.tree.links[n as usize];
            if links.len() == 1 {
                ends.push(n);
            }
            stack.extend(links.iter().filter(|&&m| m != before).map(|&m| (m, n)));
        }
        ends
    }

    /// Length times squared radius of what hangs on `from` by way of `next`.
    fn bulk(&self, from: u32, next: u32) -> f64 {
        let mut bulk = 0.0;
        let mut stack = vec![(next, from)];
        while let Some((n, before)) = stack.pop() {
            let radius = self.tree.radii[n as usize];
            bulk += self.tree.distance(n, before) * radius * radius;
            let links = &self.tree.links[n as usize];
            stack.extend(links.iter().filter(|&&m| m != before).map(|&m| (m, n)));
        }
        bulk
    }

    fn limb(&self, from: u32, ends: &[u32]) -> Option<Limb> {
        let sideways = ends.iter().map(|&e| self.sideways(e)).sum::<f64>() / ends.len().max(1) as f64;
        let longest = ends
            .iter()
            .map(|&e| self.tree.path(from, e))
            .max_by(|a, b| self.tree.path_length(a).total_cmp(&self.tree.path_length(b)))?;
        Some(Limb {
            path: longest,
            sideways,
        })
    }

    fn legs(&self) -> Vec<Limb> {
        let ends: Vec<u32> = (0..self.tree.len() as u32)
            .filter(|&n| self.tree.links[n as usize].len() == 1)
            .collect();
        let heights = ends.iter().map(|&e| self.height(e));
        let low = heights.clone().fold(f64::INFINITY, f64::min);
        let high = heights.fold(f64::NEG_INFINITY, f64::max);
        let ground = low + GROUND * (high - low);
        let central = CENTRAL * self.diagonal;
        let mut legs = Vec::new();
        let root = most_central(self.tree);
        let mut stack: Vec<(u32, u32)> = self.tree.links[root as usize]
            .iter()
            .map(|&n| (n, root))
            .collect();
        while let Some((n, from)) = stack.pop() {
            let ends = self.ends(from, n);
            let both_sides = ends.iter().any(|&e| self.sideways(e) > central)
                && ends.iter().any(|&e| self.sideways(e) < -central);
            if ends.iter().all(|&e| self.height(e) < ground) && !both_sides {
                legs.extend(self.limb(from, &ends).filter(|l| l.sideways.abs() > central));
                continue;
            }
            let links = &self.tree.links[n as usize];
            stack.extend(links.iter().filter(|&&m| m != from).map(|&m| (m, n)));
        }
        legs
    }

    /// Where two limbs meet: the thickest point between the points that they hang on.
    fn meeting(&self, a: u32, b: u32) -> u32 {
        let radius = |n: u32| self.tree.radii[n as usize];
        let between = self.tree.path(a, b);
        between
            .into_iter()
            .max_by(|&m, &n| radius(m).total_cmp(&radius(n)))
            .unwrap_or(a)
    }

    /// Where the trunk meets two legs: the point between the points that they hang on which
    /// the bulk of the body hangs on too.
    fn trunk_of(&self, a: u32, b: u32) -> u32 {
        let between = self.tree.path(a, b);
        let on_path: BTreeSet<u32> = between.iter().copied().collect();
        let bulk = |n: u32| {
            let links = self.tree.links[n as usize]
                .iter()
                .filter(|m| !on_path.contains(m));
            links.map(|&m| self.bulk(n, m)).fold(0.0, f64::max)
        };
        between
            .iter()
            .copied()
            .max_by(|&m, &n| bulk(m).total_cmp(&bulk(n)))
            .unwrap_or(a)
    }

    fn name(&mut self, point: u32, name: String) {
        self.anatomy.names.entry(point).or_insert(name);
    }

    fn settle(&mut self, path: &[u32]) {
        self.anatomy.settled.extend(path);
    }

    fn biped(&mut self, a: Limb, b: Limb) {
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
    fn toes_forward(&self, path: &[u32]) -> f64 {
        let (Some(&tip), Some(&above)) = (path.last(), path.get(path.len() * 7 / 10)) else {
            return 0.0;
        };
        let forward = self.anatomy.axes.forward;
        self.at(tip)[forward] - self.at(above)[forward]
    }

    /// The end of the trunk that starts at the hips: the highest in the middle, else the
    /// highest.
    fn head(&mut self, hips: u32, not_by: &BTreeSet<u32>) -> Option<u32> {
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
    fn crown(&mut self, hips: u32, ear: u32) -> u32 {
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
    fn arms(&self, trunk: &[u32]) -> Option<(Limb, Limb)> {
        let on_trunk: BTreeSet<u32> = trunk.iter().copied().collect();
        let mut limbs: Vec<(usize, Limb)> = Vec::new();
        for (place, &n) in trunk.iter().enumerate().skip(1) {
            for &next in self.tree.links[n as usize]
                .iter()
                .filter(|m| !on_trunk.contains(m))
            {
                let ends = self.ends(n, next);
                if let Some(limb) = self.limb(n, &ends)
                    && limb.sideways.abs() > 2.0 * CENTRAL * self.diagonal
                {
                    limbs.push((place, limb));
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

    /// The share of a path at which it bends most between two shares, or `usual`. Elbows
    /// bend any way, legs forward and back: sideways they lean in from the hips.
    fn bend(&self, path: &[u32], limb: Bends, between: (f64, f64), usual: f64) -> f64 {
        let (Some(&first), Some(&last)) = (path.first(), path.last()) else {
            return usual;
        };
        let length = self.tree.path_length(path);
        let (a, b) = (self.at(first), self.at(last));
        let mut best = (BENT * length, usual);
        let mut along = 0.0;
        for w in path.windows(2) {
            along += self.tree.distance(w[0], w[1]);
            let share = along / length;
            let off = self.at(w[1]) - nearest_on_line(self.at(w[1]), a, b);
            let off = match limb {
                Bends::AnyWay => off.length(),
                Bends::Forward => off[self.anatomy.axes.forward].abs(),
            };
            if share > between.0 && share < between.1 && off > best.0 {
                best = (off, share);
            }
        }
        best.1
    }

    /// Adds a joint at a share of a path and returns the path up to it and from it.
    fn joint_at(&mut self, path: &mut Vec<u32>, share: f64, name: String) -> (Vec<u32>, Vec<u32>) {
        let length = self.tree.path_length(path);
        let point = self.tree.point_at(path, share * length);
        self.name(point, name);
        let place = path.iter().position(|&n| n == point).unwrap_or(0);
        (path[..=place].to_vec(), path[place..].to_vec())
    }

    fn side_of(&self, path: &[u32]) -> &'static str {
        let tip = path.last().map_or(0.0, |&n| self.sideways(n));
        if tip > 0.0 { "left" } else { "right" }
    }

    /// Joints for a leg from the hips (or the chest of a quadruped) to its tip.
    fn leg(&mut self, mut path: Vec<u32>, which: &str) {
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
    fn shoulder(&self, path: &[u32]) -> Option<DVec3> {
        let (&top, &tip) = (path.first()?, path.last()?);
        let length = self.tree.path_length(path);
        let at = |share: f64| self.tree.place_along(path, share * length);
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

    /// Leads a path from its start to a place and on to the upper arm. Returns the point at
    /// that place, if the path has any to spare.
    fn lead_through(&mut self, path: &[u32], place: DVec3) -> Option<u32> {
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
        let share = from.distance(place) / (from.distance(place) + place.distance(to));
        let middle = ((share * join as f64).round() as usize).clamp(1, join - 1);
        for k in 1..join {
            let p = if k <= middle {
                from.lerp(place, k as f64 / middle as f64)
            } else {
                place.lerp(to, (k - middle) as f64 / (join - middle) as f64)
            };
            self.tree.points[path[k] as usize] = p;
        }
        Some(path[middle])
    }

    /// Joints for an arm from the chest to its tip.
    fn arm(&mut self, mut path: Vec<u32>, shoulder: Option<DVec3>) {
        let (Some(&top), Some(&tip)) = (path.first(), path.last()) else {
            return;
        };
        let side = self.side_of(&path);
        let through = shoulder.and_then(|place| self.lead_through(&path, place));
        let (mut inner, mut arm) = if let Some(point) = through {
            self.name(point, format!("{side}_upper_arm"));
            let place = path.iter().position(|&n| n == point).unwrap_or(0);
            (path[..=place].to_vec(), path[place..].to_vec())
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
            let share = along / whole;
            if share > 0.6 && share < 0.97 && self.tree.links[w[1] as usize].len() > 2 {
                wrist = (share - 0.08).min(0.85);
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
    fn spine(&mut self, hips: u32, chest: u32, names: &[&str]) {
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
    fn neck_and_head(&mut self, chest: u32, end: u32) {
        let mut path = self.tree.path(chest, end);
        let length = self.tree.path_length(&path);
        if path.len() < 2 || length < 0.03 * self.diagonal {
            return;
        }
        let mut along = 0.0;
        let mut thinnest = (f64::INFINITY, 0.3);
        for w in path.windows(2) {
            along += self.tree.distance(w[0], w[1]);
            let (share, radius) = (along / length, self.tree.radii[w[1] as usize]);
            if share > 0.12 && share < 0.6 && radius < thinnest.0 - 1e-9 * self.diagonal {
                thinnest = (radius, share);
            }
        }
        self.name(end, "head_end".to_owned());
        let neck = thinnest.1;
        self.joint_at(&mut path, neck, "neck".to_owned());
        self.joint_at(&mut path, neck + 0.35 * (1.0 - neck), "head".to_owned());
        let path = self.tree.path(chest, end);
        self.settle(&path);
    }

    /// Two legs on each side make a quadruped, unless the trunk stands up: then two of them
    /// are arms that hang down to the ground.
    fn four_legs(&mut self, mut left: Vec<Limb>, mut right: Vec<Limb>) {
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

    fn quadruped(&mut self, low: &(Limb, Limb), high: &(Limb, Limb), at_low: u32, at_high: u32) {
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
            for leg in [&legs.0, &legs.1] {
                if let Some(&tip) = leg.path.last() {
                    let path = self.tree.path(girdle, tip);
                    self.leg(path, which);
                }
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

    /// The point on the way to the other girdle, in its first part, that most of the body
    /// hangs on beside legs and trunk.
    fn girdle(&self, legs_meet: u32, other: u32, legs: &(Limb, Limb)) -> u32 {
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
    fn beyond(&self, girdle: u32, other: u32, legs: &(Limb, Limb)) -> Option<u32> {
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

    fn tail(&mut self, mut path: Vec<u32>) {
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

/// The place on the segment between two others that is nearest to a place.
fn nearest_on_line(p: DVec3, a: DVec3, b: DVec3) -> DVec3 {
    let along = b - a;
    let t = ((p - a).dot(along) / along.length_squared().max(f64::MIN_POSITIVE)).clamp(0.0, 1.0);
    a + along * t
}

/// How far a place is from the segment between two others.
pub(super) fn off_line(p: DVec3, a: DVec3, b: DVec3) -> f64 {
    p.distance(nearest_on_line(p, a, b))
}
