//! What speaks for and against a joint's moving skin.
//!
//! Names, ranks in the hierarchy, positions in and around the skin, motion, and what the file's parts list. Each is a
//! number that does not depend on the unit or on which way the character stands.

use glam::{DAffine3, DVec3};
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::features::{FEATURES, Features, Name};
use crate::character::{
    Bone, BoneShape, Channel, Character, JointIndex, LEAF_STUB, PartAttachment, Skeleton, WordKind, bones_of,
    word_kind, words,
};
use crate::geometry::{DisjointSets, normals_of};
use crate::motion::clip_frames;
use crate::skin::Skin;

/// Points of the skin that are looked at; every so many of a larger skin.
const POINTS: usize = 800;
/// A shell is a joint's if more than this fraction of it is nearest to that joint.
const OWN: f64 = 0.6;
/// Frames of the clips that are looked at.
const FRAMES: usize = 12;
/// The ball around a joint whose motion is looked at, as a fraction of the diagonal.
const BALL: f64 = 0.05;

/// The evidence for each joint; of plain nodes all zeros.
pub fn evidence(skin: &Skin) -> Vec<Features> {
    let character: &Character = skin.character();
    let skeleton = &character.skeleton;
    let tree = Tree::of(skeleton);
    let names = Names::of(character, &tree);
    let geometry = JointGeometry::of(skin, &tree);
    let motion = Motion::of(character, &geometry, skin.diagonal());
    let lists = lists(character);
    skeleton
        .indices()
        .map(|joint| {
            let mut row = Row::default();
            if skeleton.joint(joint).in_skin {
                names.tell(joint, &tree, &mut row);
                tree.tell(joint, &mut row);
                geometry.tell(joint, skeleton, &mut row);
                motion.tell(joint, &mut row);
                row.put(Name::Listed, lists[joint.at()]);
            }
            row.0
        })
        .collect()
}

/// The features of one joint while they are found.
struct Row(Features);

impl Default for Row {
    fn default() -> Self {
        Self([0; FEATURES.len()])
    }
}

impl Row {
    fn put(&mut self, name: Name, value: f64) {
        let at = name as usize;
        self.0[at] = FEATURES[at].range.byte(value as f32);
    }

    fn yes(&mut self, name: Name, is_so: bool) {
        self.put(name, f64::from(u8::from(is_so)));
    }
}

/// The hierarchy of the joints of the skin.
struct Tree {
    parent: Vec<Option<JointIndex>>,
    children: Vec<Vec<JointIndex>>,
    /// How many are below.
    below: Vec<usize>,
    /// How many are above.
    depth: Vec<usize>,
    /// How many generations are below.
    height: Vec<usize>,
    joints: usize,
    roots: usize,
}

impl Tree {
    fn of(skeleton: &Skeleton) -> Self {
        let count = skeleton.joints.len();
        let parent: Vec<Option<JointIndex>> = skeleton
            .indices()
            .map(|j| {
                skeleton
                    .joint(j)
                    .in_skin
                    .then(|| skeleton.skin_parent(j))
                    .flatten()
            })
            .collect();
        let (mut below, mut depth, mut height) = (vec![0; count], vec![0; count], vec![0; count]);
        for j in 0..count {
            if let Some(p) = parent[j] {
                depth[j] = depth[p.at()] + 1;
            }
        }
        for j in (0..count).rev() {
            if let Some(p) = parent[j] {
                below[p.at()] += 1 + below[j];
                height[p.at()] = height[p.at()].max(height[j] + 1);
            }
        }
        let in_skin = || skeleton.indices().filter(|&j| skeleton.joint(j).in_skin);
        Self {
            children: skeleton.skin_children(),
            below,
            depth,
            height,
            joints: in_skin().count(),
            roots: in_skin().filter(|j| parent[j.at()].is_none()).count(),
            parent,
        }
    }

    fn tell(&self, joint: JointIndex, row: &mut Row) {
        let at = joint.at();
        let parent = self.parent[at];
        let siblings = parent.map_or(self.roots, |p| self.children[p.at()].len());
        let leaf = self.children[at].is_empty();
        row.yes(Name::IsRoot, parent.is_none());
        row.yes(Name::IsLeaf, leaf);
        row.put(Name::Children, self.children[at].len() as f64);
        row.put(
            Name::Below,
            self.below[at] as f64 / (self.joints.max(2) - 1) as f64,
        );
        row.put(Name::Depth, self.depth[at] as f64);
        row.put(Name::Height, self.height[at] as f64);
        row.put(Name::Siblings, siblings as f64 - 1.0);
        row.yes(
            Name::HangsOnRoot,
            parent.is_some_and(|p| self.parent[p.at()].is_none()),
        );
        row.yes(Name::EndsChain, leaf && siblings == 1 && parent.is_some());
        row.put(Name::Joints, (self.joints as f64).ln());
        // Leaves beside a joint that goes on.
        let goes_on = |p: JointIndex| self.children[p.at()].iter().any(|c| self.height[c.at()] > 0);
        row.yes(Name::LeafBesideLimb, leaf && parent.is_some_and(goes_on));
    }

    fn is_related(&self, a: JointIndex, b: JointIndex) -> bool {
        let above = |mut j: JointIndex, top: JointIndex| {
            while let Some(p) = self.parent[j.at()] {
                if p == top {
                    return true;
                }
                j = p;
            }
            false
        };
        a == b || above(a, b) || above(b, a)
    }
}

/// What the words of names say.
struct Names {
    words: Vec<Vec<String>>,
    /// For each joint which kinds of words it has.
    kinds: Vec<[bool; KINDS]>,
    /// The fraction of joints with a word for a body's part.
    bodies: f64,
    /// Whether any name says that it moves skin.
    any_deform: bool,
    /// The largest single digit of a finger's name.
    deepest_finger: u32,
    parts: Vec<Vec<String>>,
    /// For each joint the others at the same position.
    twins: Vec<Vec<JointIndex>>,
}

/// How many kinds of words there are.
const KINDS: usize = 14;
/// Joints nearer than this fraction of the diagonal are at the same position.
const COINCIDENT: f64 = 2e-3;

/// Finger and toe joints that Mixamo adds past the last bone are numbered four.
const FINGERS: [&str; 7] = ["thumb", "index", "middle", "ring", "pinky", "finger", "toe"];

impl Names {
    fn of(character: &Character, tree: &Tree) -> Self {
        let skeleton = &character.skeleton;
        let all: Vec<Vec<String>> = skeleton.joints.iter().map(|j| words(&j.name)).collect();
        let kinds: Vec<[bool; KINDS]> = all
            .iter()
            .map(|words| {
                let mut kinds = [false; KINDS];
                for kind in words.iter().filter_map(|w| word_kind(w)) {
                    kinds[kind as usize] = true;
                }
                kinds
            })
            .collect();
        let with = |kind: WordKind| {
            let joints = skeleton.joints.iter().zip(&kinds);
            joints.filter(|(j, k)| j.in_skin && k[kind as usize]).count()
        };
        let finger_digit = |words: &Vec<String>| {
            let digits = words
                .iter()
                .filter_map(|w| w.parse::<u32>().ok())
                .filter(|&d| d < 10);
            let finger = words.iter().any(|w| FINGERS.contains(&w.as_str()));
            finger.then(|| digits.max()).flatten()
        };
        Self {
            bodies: with(WordKind::Body) as f64 / tree.joints.max(1) as f64,
            any_deform: with(WordKind::Deform) > 0,
            deepest_finger: all.iter().filter_map(finger_digit).max().unwrap_or(0),
            twins: twins(skeleton, COINCIDENT * f64::from(character.mesh.diagonal())),
            kinds,
            words: all,
            parts: character.mesh.parts.iter().map(|p| words(&p.name)).collect(),
        }
    }

    fn has(&self, joint: JointIndex, kind: WordKind) -> bool {
        self.kinds[joint.at()][kind as usize]
    }

    /// The fraction of all joints whose names have the same kinds of words.
    fn like_it(&self, joint: JointIndex) -> f64 {
        let own = self.kinds[joint.at()];
        self.kinds.iter().filter(|k| **k == own).count() as f64 / self.kinds.len() as f64
    }

    /// The words that are neither numbers nor sides nor ends.
    fn stem(&self, joint: JointIndex) -> Vec<&str> {
        let counts = |w: &&String| {
            !w.chars().all(|c| c.is_ascii_digit())
                && !matches!(
                    word_kind(w),
                    Some(WordKind::Side | WordKind::End | WordKind::Joint)
                )
        };
        self.words[joint.at()]
            .iter()
            .filter(counts)
            .map(String::as_str)
            .collect()
    }

    fn tell(&self, joint: JointIndex, tree: &Tree, row: &mut Row) {
        use WordKind as W;
        let words = &self.words[joint.at()];
        let leaf = tree.children[joint.at()].is_empty();
        let deciding = words.iter().rev().find(|w| {
            !w.chars().all(|c| c.is_ascii_digit())
                && !matches!(word_kind(w), Some(WordKind::Side | WordKind::Joint))
        });
        let last = deciding.and_then(|w| word_kind(w));
        for (name, kind) in [
            (Name::SaysControl, W::Control),
            (Name::SaysSteering, W::Steering),
            (Name::SaysSocket, W::Socket),
            (Name::SaysProp, W::Prop),
            (Name::SaysHelper, W::Helper),
            (Name::SaysBody, W::Body),
            (Name::SaysFace, W::Face),
            (Name::SaysSoft, W::Soft),
            (Name::SaysObject, W::Object),
        ] {
            row.yes(name, self.has(joint, kind));
        }
        row.yes(Name::SaysEnd, last == Some(W::End));
        // `Armature_Bone_012` is a bone, `Armature` is none.
        row.yes(
            Name::SaysRoot,
            last == Some(W::Root) && !self.has(joint, W::Joint),
        );
        let known = words.iter().any(|w| {
            !matches!(word_kind(w), None | Some(W::Joint | W::Side)) && !w.chars().all(|c| c.is_ascii_digit())
        });
        row.yes(Name::SaysNothing, !known);
        row.put(Name::OthersLikeIt, self.like_it(joint));
        let twin = |better: &dyn Fn(JointIndex) -> bool| self.twins[joint.at()].iter().any(|&t| better(t));
        row.yes(
            Name::TwinDeforms,
            !self.has(joint, W::Deform) && twin(&|t| self.has(t, W::Deform)),
        );
        let steers = |j: JointIndex| {
            let kinds = self.words[j.at()].iter().filter_map(|w| word_kind(w));
            kinds.filter(|k| matches!(k, W::Control | W::Steering)).count()
        };
        row.yes(Name::TwinPlain, twin(&|t| steers(t) < steers(joint)));
        row.put(
            Name::SaysDeform,
            match (self.has(joint, W::Deform), self.any_deform) {
                (true, _) => 1.0,
                (false, false) => 0.5,
                (false, true) => 0.0,
            },
        );
        let parent = tree.parent[joint.at()];
        let stem = self.stem(joint);
        let alike = parent.is_some_and(|p| !stem.is_empty() && self.stem(p) == stem);
        row.yes(Name::NamedAsParent, alike);
        let mut above = parent;
        let mut steered = false;
        while let Some(p) = above {
            steered |= self.has(p, W::Control);
            above = tree.parent[p.at()];
        }
        row.yes(Name::BelowControl, steered);
        let child_controls = tree.children[joint.at()]
            .iter()
            .filter(|&&c| self.has(c, W::Control) || !self.has(c, W::Body))
            .count();
        row.put(
            Name::ChildrenNoBody,
            if leaf {
                0.0
            } else {
                child_controls as f64 / tree.children[joint.at()].len() as f64
            },
        );
        row.put(Name::BodiesNamed, self.bodies);
        let past_finger = leaf
            && self.deepest_finger == 4
            && words.iter().any(|w| w == "4")
            && words.iter().any(|w| FINGERS.contains(&w.as_str()));
        row.yes(Name::PastFinger, past_finger);
        row.yes(Name::NamedAsPart, self.parts.iter().any(|part| part == words));
    }
}

/// For each joint of the skin the others at the same position.
fn twins(skeleton: &Skeleton, reach: f64) -> Vec<Vec<JointIndex>> {
    let at = |j: JointIndex| skeleton.bind_position(j);
    let in_skin = |j: &JointIndex| skeleton.joint(*j).in_skin;
    skeleton
        .indices()
        .map(|joint| {
            let near = |o: &JointIndex| *o != joint && at(*o).distance(at(joint)) <= reach;
            skeleton.indices().filter(in_skin).filter(near).collect()
        })
        .collect()
}

/// Where joints are, seen from the skin and from each other.
struct JointGeometry {
    /// ln of the distance to the nearest point of the skin over the diagonal.
    skin_distance: Vec<f64>,
    /// How far outside the skin's box, over the diagonal.
    outside_box: Vec<f64>,
    /// The cosine between the nearest point's normal and the way out to it; positive inside.
    inside: Vec<f64>,
    /// The fraction of the points that are nearest to its bones.
    fraction: Vec<f64>,
    /// The mean of that cosine over those.
    facing: Vec<f64>,
    /// ln of their median distance over that of all points.
    reach: Vec<f64>,
    /// The fraction of them in shells that are mostly nearest to it.
    owns: Vec<f64>,
    /// The median of ln of how much farther the next joint is from them.
    alone: Vec<f64>,
    /// The nearest joint that is neither above nor below, and how far it is over the diagonal.
    neighbour: Vec<Option<(JointIndex, f64)>>,
    to_parent: Vec<f64>,
    to_child: Vec<f64>,
    low: DVec3,
    high: DVec3,
}

/// One look from a point of the skin.
struct Look {
    joint: JointIndex,
    distance: f64,
    /// To the nearest bone of another joint.
    next: f64,
    shell: u32,
    facing: f64,
}

impl JointGeometry {
    fn of(skin: &Skin, tree: &Tree) -> Self {
        let skeleton = &skin.character().skeleton;
        let count = skeleton.joints.len();
        let diagonal = skin.diagonal().max(f64::MIN_POSITIVE);
        let every = skin.len().div_ceil(POINTS).max(1);
        let mut shells = DisjointSets::new(skin.len());
        for &[a, b, c] in skin.faces() {
            shells.join(a, b);
            shells.join(b, c);
        }
        // What is no part of the character says nothing of its joints.
        let strays = skin.strays().map_or(&[][..], |strays| &strays.is_stray);
        let counts = |point: &usize| !strays.get(*point).copied().unwrap_or(false);
        let chosen: Vec<usize> = (0..skin.len()).filter(counts).step_by(every).collect();
        let mut is_chosen = vec![false; skin.len()];
        chosen.iter().for_each(|&point| is_chosen[point] = true);
        let normals = normals_of(skin.points(), skin.faces(), |point| is_chosen[point]);
        let points: Vec<(DVec3, DVec3, u32)> = chosen
            .iter()
            .map(|&i| (skin.points()[i], normals[i], shells.root(i as u32)))
            .collect();
        let in_skin: Vec<bool> = skeleton.joints.iter().map(|j| j.in_skin).collect();
        let bones = bones_of(skeleton, &in_skin, LEAF_STUB);
        let mut looks: Vec<Look> = points
            .par_iter()
            .with_min_len(64)
            .filter_map(|&(p, n, shell)| look(&bones, p, n, shell))
            .collect();
        // Skins that are wound inside out face the other way.
        let turned = looks.iter().map(|l| l.facing).sum::<f64>() < 0.0;
        let sign = if turned { -1.0 } else { 1.0 };
        looks.iter_mut().for_each(|l| l.facing *= sign);

        let (low, high) = (0..skin.len())
            .filter(counts)
            .map(|point| skin.points()[point])
            .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), p| {
                (low.min(p), high.max(p))
            });
        let at = |j: JointIndex| skeleton.bind_position(j);
        let mut geometry = Self {
            skin_distance: vec![0.0; count],
            outside_box: vec![0.0; count],
            inside: vec![0.0; count],
            fraction: vec![0.0; count],
            facing: vec![0.0; count],
            reach: vec![0.0; count],
            owns: vec![0.0; count],
            alone: vec![0.0; count],
            neighbour: vec![None; count],
            to_parent: vec![0.0; count],
            to_child: vec![0.0; count],
            low,
            high,
        };
        let mut distances: Vec<Vec<f64>> = vec![Vec::new(); count];
        let mut gaps: Vec<Vec<f64>> = vec![Vec::new(); count];
        let mut of_shell: FxHashMap<u32, usize> = FxHashMap::default();
        let mut of_both: FxHashMap<(u32, usize), usize> = FxHashMap::default();
        for look in &looks {
            *of_shell.entry(look.shell).or_default() += 1;
            *of_both.entry((look.shell, look.joint.at())).or_default() += 1;
        }
        for look in &looks {
            let j = look.joint.at();
            gaps[j].push(((look.next + 1e-6 * diagonal) / (look.distance + 1e-6 * diagonal)).ln());
            let mine = of_both[&(look.shell, j)] as f64;
            geometry.owns[j] += f64::from(mine > OWN * of_shell[&look.shell] as f64);
            geometry.fraction[j] += 1.0 / looks.len() as f64;
            geometry.facing[j] += look.facing;
            distances[j].push(look.distance);
        }
        let mut every: Vec<f64> = looks.iter().map(|l| l.distance).collect();
        let typical = median(&mut every).unwrap_or(diagonal).max(1e-6 * diagonal);
        let joints: Vec<JointIndex> = skeleton.indices().filter(|j| in_skin[j.at()]).collect();
        for &joint in &joints {
            let (j, here) = (joint.at(), at(joint));
            if let Some(middle) = median(&mut distances[j]) {
                geometry.facing[j] /= distances[j].len() as f64;
                geometry.reach[j] = (middle / typical).max(1e-3).ln();
                geometry.owns[j] /= distances[j].len() as f64;
                geometry.alone[j] = median(&mut gaps[j]).unwrap_or(0.0);
            }
            let nearest = points
                .iter()
                .min_by(|a, b| a.0.distance_squared(here).total_cmp(&b.0.distance_squared(here)));
            if let Some(&(p, n, _)) = nearest {
                geometry.skin_distance[j] = ratio(p.distance(here), diagonal);
                geometry.inside[j] = sign * n.dot((p - here).normalize_or_zero());
            }
            geometry.outside_box[j] = here.distance(here.clamp(low, high)) / diagonal;
            geometry.to_parent[j] = tree.parent[j].map_or(0.0, |p| ratio(at(p).distance(here), diagonal));
            let child = tree.children[j].iter().map(|&c| at(c).distance(here));
            geometry.to_child[j] = ratio(child.fold(diagonal, f64::min), diagonal);
            geometry.neighbour[j] = joints
                .iter()
                .filter(|&&other| !tree.is_related(joint, other))
                .map(|&other| (other, at(other).distance(here) / diagonal))
                .min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        }
        geometry
    }

    fn tell(&self, joint: JointIndex, skeleton: &Skeleton, row: &mut Row) {
        let j = joint.at();
        row.put(Name::SkinDistance, self.skin_distance[j]);
        row.put(Name::OutsideBox, self.outside_box[j]);
        row.put(Name::Inside, self.inside[j]);
        row.put(Name::Share, self.fraction[j].max(1e-4).ln());
        row.put(Name::Facing, self.facing[j]);
        row.put(Name::Reach, self.reach[j]);
        row.put(Name::OwnsShells, self.owns[j]);
        row.put(Name::Alone, self.alone[j]);
        row.put(
            Name::ToNeighbour,
            self.neighbour[j].map_or(0.0, |n| n.1.max(1e-4).ln()),
        );
        row.put(Name::ToParent, self.to_parent[j]);
        row.put(Name::ToChild, self.to_child[j]);
        let extent = self.high - self.low;
        let least = (1e-9 * extent.length()).max(f64::MIN_POSITIVE);
        let relative = (skeleton.bind_position(joint) - self.low) / extent.max(DVec3::splat(least));
        row.put(Name::Up, relative.y);
        row.put(Name::Aside, (2.0 * relative.x - 1.0).abs());
        row.put(Name::Forward, relative.z);
    }
}

/// ln of a length over another one.
fn ratio(length: f64, whole: f64) -> f64 {
    (length / whole).max(1e-4).ln()
}

fn median(list: &mut [f64]) -> Option<f64> {
    let middle = list.len() / 2;
    (!list.is_empty()).then(|| *list.select_nth_unstable_by(middle, f64::total_cmp).1)
}

/// The nearest bone of a point, and how squarely the skin faces away from it.
fn look(bones: &[Bone], point: DVec3, normal: DVec3, shell: u32) -> Option<Look> {
    let squared = |shape: &BoneShape| {
        let closest = shape.closest_point(point);
        (closest.distance_squared(point), closest)
    };
    let (bone, (distance, closest)) = bones
        .iter()
        .map(|b| (b, squared(&b.shape)))
        .min_by(|a, b| a.1.0.total_cmp(&b.1.0).then(a.0.joint.cmp(&b.0.joint)))?;
    let others = bones.iter().filter(|b| b.joint != bone.joint);
    let next = others.map(|b| squared(&b.shape).0).fold(f64::INFINITY, f64::min);
    Some(Look {
        joint: bone.joint,
        distance: distance.sqrt(),
        next: if next.is_finite() {
            next.sqrt()
        } else {
            distance.sqrt()
        },
        shell,
        facing: normal.dot((point - closest).normalize_or_zero()),
    })
}

/// How joints move in the file's clips.
struct Motion {
    any: bool,
    /// Of the ball around the joint, seen from its parent, over the diagonal.
    own: Vec<f64>,
    /// Of the joint itself, seen from its parent.
    sliding: Vec<f64>,
    /// Of the joint in the world.
    world: Vec<f64>,
    /// How far from one its scale is.
    scale: Vec<f64>,
    /// How the distance to its neighbour changes.
    apart: Vec<f64>,
    tracked: Vec<bool>,
}

impl Motion {
    fn of(character: &Character, geometry: &JointGeometry, diagonal: f64) -> Self {
        let skeleton = &character.skeleton;
        let count = skeleton.joints.len();
        let frames: Vec<Vec<DAffine3>> = clip_frames(character, FRAMES)
            .iter()
            .map(|f| f.pose.world_from_bind(skeleton))
            .collect();
        let mut tracked = vec![false; count];
        for track in character.clips.iter().flat_map(|c| &c.tracks) {
            if track.channel == Channel::Rotation && track.joint.at() < count {
                tracked[track.joint.at()] = true;
            }
        }
        let mut motion = Self {
            any: !frames.is_empty(),
            own: vec![0.0; count],
            sliding: vec![0.0; count],
            world: vec![0.0; count],
            scale: vec![0.0; count],
            apart: vec![0.0; count],
            tracked,
        };
        if frames.is_empty() {
            return motion;
        }
        // Files in other units scale everything alike.
        let scale_of = |m: &DAffine3| m.matrix3.determinant().abs().cbrt();
        let mut scales: Vec<f64> = skeleton
            .indices()
            .filter(|&j| skeleton.joint(j).in_skin)
            .map(|j| scale_of(&frames[0][j.at()]))
            .collect();
        let usual = median(&mut scales).filter(|s| *s > 1e-9).unwrap_or(1.0);
        for joint in skeleton.indices().filter(|&j| skeleton.joint(j).in_skin) {
            let j = joint.at();
            let here = skeleton.bind_position(joint);
            let parent = skeleton.skin_parent(joint);
            let ball = BALL * diagonal;
            let marks = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z].map(|d| here + ball * d);
            let (mut own, mut sliding, mut world) = (Spread::default(), Spread::default(), Spread::default());
            let (mut scale, mut apart) = (0.0, Spread::default());
            for frame in &frames {
                let relative = parent.map_or(frame[j], |p| frame[p.at()].inverse() * frame[j]);
                let unit = if parent.is_some() { 1.0 } else { usual };
                for (index, &mark) in marks.iter().enumerate() {
                    own.add(index, relative.transform_point3(mark) / unit);
                }
                sliding.add(0, relative.transform_point3(here) / unit);
                let posed = frame[j].transform_point3(here) / usual;
                world.add(0, posed);
                scale += (scale_of(&frame[j]) / usual).max(1e-6).ln().abs() / frames.len() as f64;
                if let Some((other, _)) = geometry.neighbour[j] {
                    let at = frame[other.at()].transform_point3(skeleton.bind_position(other)) / usual;
                    apart.add(0, DVec3::X * at.distance(posed));
                }
            }
            motion.own[j] = own.root_mean_square() / diagonal;
            motion.sliding[j] = sliding.root_mean_square() / diagonal;
            motion.world[j] = world.root_mean_square() / diagonal;
            motion.scale[j] = scale;
            motion.apart[j] = apart.root_mean_square() / diagonal;
        }
        motion
    }

    fn tell(&self, joint: JointIndex, row: &mut Row) {
        let j = joint.at();
        let logged = |v: f64| v.clamp(1e-5, 1.0).ln();
        row.yes(Name::HasClips, self.any);
        if self.any {
            row.put(Name::OwnMotion, logged(self.own[j]));
            row.put(Name::Slides, logged(self.sliding[j]));
            row.put(Name::WorldMotion, logged(self.world[j]));
            row.put(Name::Scaled, self.scale[j]);
            row.put(Name::ApartMotion, logged(self.apart[j]));
            row.yes(Name::Tracked, self.tracked[j]);
        }
    }
}

/// How far marks are from where they are on average.
#[derive(Default)]
struct Spread {
    sums: [(DVec3, f64, f64); 4],
}

impl Spread {
    fn add(&mut self, mark: usize, at: DVec3) {
        let sum = &mut self.sums[mark];
        sum.0 += at;
        sum.1 += at.length_squared();
        sum.2 += 1.0;
    }

    fn root_mean_square(&self) -> f64 {
        let variance = |&(sum, squares, n): &(DVec3, f64, f64)| {
            if n == 0.0 {
                return 0.0;
            }
            (squares / n - (sum / n).length_squared()).max(0.0)
        };
        let used = self.sums.iter().filter(|s| s.2 > 0.0).count().max(1) as f64;
        (self.sums.iter().map(variance).sum::<f64>() / used).sqrt()
    }
}

/// For each joint the fraction of skin, by vertices, whose part may follow it.
fn lists(character: &Character) -> Vec<f64> {
    let mut listed = vec![0.0; character.skeleton.joints.len()];
    let mut all = 0.0;
    for part in character
        .mesh
        .parts
        .iter()
        .filter(|p| p.attachment == PartAttachment::Skin)
    {
        let size = part.vertices.len() as f64;
        all += size;
        match &part.joints {
            None => listed.iter_mut().for_each(|l| *l += size),
            Some(joints) => {
                for joint in joints {
                    if let Some(l) = listed.get_mut(joint.at()) {
                        *l += size;
                    }
                }
            }
        }
    }
    listed.iter().map(|l| l / f64::max(all, 1.0)).collect()
}
