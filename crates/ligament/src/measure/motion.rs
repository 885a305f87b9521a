//! The poses over which a bind is measured.
//!
//! **Clips.** Frames of the file's own motions: a limited number spread evenly over the
//! clips that bend the skeleton (some joint's rotation changes by more than 10⁻³), each
//! clip at the middles of equal spans of its time. This is the choice of frames that the
//! comparison with other binders makes, so that both measure the same thing.
//!
//! **Range of motion.** Where no clip bends anything: poses within joint limits, from the
//! bind pose. What a joint is comes from its name and its place in the hierarchy
//! ([`JointKind`]), its limits from a table ([`JointKind::moves`]) that can be overridden
//! joint by joint ([`JointLimits`]). A move turns a bone from its bind direction towards
//! forward, up or outward, or twists it. For every kind of joint and every move there are
//! two poses, the left at one end and the right at the other, then the reverse: limbs that
//! move in step would hide weights that bleed from one to the other. Chains (spine, neck,
//! tail) share their limit among their joints. Last come poses that mix all moves at half
//! their range.

use glam::{DQuat, DVec3};
use serde::{Deserialize, Serialize};
use wildmatch::WildMatch;

use crate::character::{Channel, Character, Clip, JointIndex, Pose, Skeleton, Transform};

/// Rotations that change by less in every number leave a clip still.
const BENDS: f32 = 1e-3;

/// How many poses mix all moves.
const MIXED_POSES: usize = 8;

/// One pose to measure in.
#[derive(Debug, Clone)]
pub struct Frame {
    /// What a person calls it: `walk 0.42 s`, `elbow forward: left 120°, right 0°`.
    pub name: String,
    /// The clip it is from.
    pub clip: Option<String>,
    /// The clip's time in seconds.
    pub seconds: Option<f32>,
    /// Where the joints are.
    pub pose: Pose,
}

/// Where frames come from.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MotionChoice {
    /// The file's clips; the range of motion where none of them bends the skeleton.
    #[default]
    Auto,
    /// The file's clips alone.
    Clips,
    /// The range of motion alone.
    RangeOfMotion,
}

/// A direction that a bone is turned towards, seen from the character.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MoveAxis {
    /// Towards +Z, where the character looks.
    Forward,
    /// Towards +Y.
    Up,
    /// Away from the character's middle, to the left for what is in the middle.
    Outward,
    /// About the bone's own direction.
    Twist,
}

/// How far a joint may be turned in one way, in degrees from its bind pose.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointMove {
    /// The way.
    pub axis: MoveAxis,
    /// The least angle in degrees, in `-180.0..=180.0`.
    pub from: f64,
    /// The largest angle in degrees, in `-180.0..=180.0`.
    pub to: f64,
}

/// Limits of some joints that replace those of the table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JointLimits {
    /// Names with `*` and `?`, upper and lower case alike.
    pub joints: String,
    /// How they move; none keeps them still.
    pub moves: Vec<JointMove>,
}

/// What a joint is, as far as its limits go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum JointKind {
    /// Holds everything, or steers and does not bend: roots, controls, eyes.
    Still,
    /// Between pelvis and neck.
    Spine,
    /// Below the head.
    Neck,
    /// The head.
    Head,
    /// The lower jaw.
    Jaw,
    /// Carries a shoulder.
    Clavicle,
    /// From the shoulder to the elbow.
    UpperArm,
    /// The elbow and what follows it.
    Elbow,
    /// The wrist.
    Wrist,
    /// A finger's joint.
    Finger,
    /// A thumb's joint.
    Thumb,
    /// From the hip to the knee.
    Thigh,
    /// The knee and what follows it.
    Knee,
    /// The ankle.
    Ankle,
    /// The toes.
    Toe,
    /// A tail's joint.
    Tail,
    /// A joint of an unknown name with joints below it.
    Chain,
    /// A joint of an unknown name at an end.
    End,
}

const fn to(axis: MoveAxis, from: f64, to: f64) -> JointMove {
    JointMove { axis, from, to }
}

impl JointKind {
    /// The table of limits, in degrees. They are what a healthy adult does without
    /// effort, rounded down; for chains the limit of the whole chain.
    pub fn moves(self) -> &'static [JointMove] {
        use MoveAxis::{Forward, Outward, Twist, Up};
        match self {
            Self::Still => &[],
            Self::Spine => {
                &const {
                    [
                        to(Forward, -25.0, 50.0),
                        to(Outward, -30.0, 30.0),
                        to(Twist, -35.0, 35.0),
                    ]
                }
            }
            Self::Neck => {
                &const {
                    [
                        to(Forward, -30.0, 30.0),
                        to(Outward, -25.0, 25.0),
                        to(Twist, -30.0, 30.0),
                    ]
                }
            }
            Self::Head => {
                &const {
                    [
                        to(Forward, -20.0, 20.0),
                        to(Outward, -15.0, 15.0),
                        to(Twist, -40.0, 40.0),
                    ]
                }
            }
            Self::Jaw => &const { [to(Up, -20.0, 0.0)] },
            Self::Clavicle => &const { [to(Up, -5.0, 20.0), to(Forward, -10.0, 15.0)] },
            Self::UpperArm => {
                &const {
                    [
                        to(Up, -60.0, 45.0),
                        to(Forward, -20.0, 70.0),
                        to(Twist, -40.0, 40.0),
                    ]
                }
            }
            Self::Elbow => &const { [to(Forward, 0.0, 120.0)] },
            Self::Wrist => &const { [to(Up, -50.0, 50.0), to(Forward, -15.0, 20.0)] },
            Self::Finger => &const { [to(Up, -70.0, 0.0)] },
            Self::Thumb => &const { [to(Forward, -10.0, 35.0)] },
            Self::Thigh => {
                &const {
                    [
                        to(Forward, -20.0, 80.0),
                        to(Outward, -10.0, 40.0),
                        to(Twist, -25.0, 25.0),
                    ]
                }
            }
            Self::Knee => &const { [to(Forward, -110.0, 0.0)] },
            Self::Ankle => &const { [to(Up, -30.0, 20.0)] },
            Self::Toe => &const { [to(Up, -5.0, 35.0)] },
            Self::Tail => &const { [to(Outward, -60.0, 60.0), to(Up, -40.0, 40.0)] },
            Self::Chain => {
                &const {
                    [
                        to(Forward, -30.0, 30.0),
                        to(Outward, -30.0, 30.0),
                        to(Twist, -20.0, 20.0),
                    ]
                }
            }
            Self::End => &const { [to(Forward, -20.0, 20.0), to(Up, -20.0, 20.0)] },
        }
    }

    /// Whether several of these in a row share one limit.
    fn is_shared(self) -> bool {
        matches!(
            self,
            Self::Spine | Self::Neck | Self::Tail | Self::Toe | Self::Jaw
        )
    }

    /// Whether a joint of this kind below another of it only continues the same bone.
    fn is_single(self) -> bool {
        matches!(
            self,
            Self::UpperArm | Self::Elbow | Self::Wrist | Self::Thigh | Self::Knee | Self::Ankle | Self::Head
        )
    }

    fn word(self) -> &'static str {
        match self {
            Self::Still => "still",
            Self::Spine => "spine",
            Self::Neck => "neck",
            Self::Head => "head",
            Self::Jaw => "jaw",
            Self::Clavicle => "clavicle",
            Self::UpperArm => "shoulder",
            Self::Elbow => "elbow",
            Self::Wrist => "wrist",
            Self::Finger => "fingers",
            Self::Thumb => "thumb",
            Self::Thigh => "hip",
            Self::Knee => "knee",
            Self::Ankle => "ankle",
            Self::Toe => "toes",
            Self::Tail => "tail",
            Self::Chain => "other joints",
            Self::End => "end joints",
        }
    }
}

impl MoveAxis {
    fn word(self) -> &'static str {
        match self {
            Self::Forward => "forward",
            Self::Up => "up",
            Self::Outward => "outward",
            Self::Twist => "twist",
        }
    }
}

/// The words of a name in lower case: split at other characters than letters, and where a
/// small letter is followed by a capital.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut before_small = false;
    for c in name.chars() {
        let starts_word = !c.is_alphabetic() || (before_small && c.is_uppercase());
        if starts_word && words.last().is_some_and(|w| !w.is_empty()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| c.is_alphabetic()) {
            word.extend(c.to_lowercase());
        }
        before_small = c.is_lowercase();
    }
    words.retain(|w| !w.is_empty());
    words
}

/// Kinds by name: words that stand alone, then parts of the whole name; the first row that
/// matches decides. Legs and arms that only say so are told apart by their parent.
const NAMES: [(JointKind, &[&str], &[&str]); 16] = [
    (
        JointKind::Still,
        &[
            "ik",
            "eye",
            "ctrl",
            "pole",
            "root",
            "pelvis",
            "hips",
            "prop",
            "weapon",
            "slot",
            "end",
            "nub",
            "metacarpal",
            "palm",
            "tip",
        ],
        &["control", "handslot", "neutral", "eyelid", "eyebrow"],
    ),
    (JointKind::Thumb, &["thumb"], &["thumb"]),
    (
        JointKind::Finger,
        &["ring", "index", "middle", "little", "pinky", "finger", "fingers"],
        &["finger", "pinky", "pinkie"],
    ),
    (JointKind::Toe, &["toe", "toes", "ball"], &["toebase"]),
    (JointKind::Ankle, &["foot", "ankle", "hoof", "paw"], &["ankle"]),
    (
        JointKind::Knee,
        &["knee", "shin", "calf", "tibia"],
        &["lowerleg", "lowleg", "legdown"],
    ),
    (
        JointKind::Thigh,
        &["thigh", "femur", "hip"],
        &["upperleg", "upleg", "thigh"],
    ),
    (JointKind::Wrist, &["hand", "wrist"], &["wrist"]),
    (
        JointKind::Elbow,
        &["elbow", "forearm", "ulna"],
        &["forearm", "lowerarm", "elbow"],
    ),
    (JointKind::UpperArm, &["humerus"], &["upperarm", "uparm"]),
    (
        JointKind::Clavicle,
        &["clavicle", "collar", "shoulder"],
        &["clavicle", "collarbone", "shoulder"],
    ),
    (
        JointKind::Spine,
        &[
            "spine", "chest", "torso", "waist", "body", "abdomen", "belly", "back",
        ],
        &["spine", "chest", "torso", "abdomen"],
    ),
    (JointKind::Neck, &["neck"], &["neck"]),
    (JointKind::Head, &["head", "skull"], &[]),
    (JointKind::Jaw, &["jaw", "mouth", "chin"], &[]),
    (JointKind::Tail, &["tail"], &["tail"]),
];

/// What each joint is, by its name, by what hangs on it and by what it hangs on.
pub fn joint_kinds(skeleton: &Skeleton) -> Vec<JointKind> {
    let children = skeleton.skin_children();
    let mut kinds: Vec<JointKind> = Vec::with_capacity(skeleton.joints.len());
    for index in skeleton.indices() {
        let joint = skeleton.joint(index);
        let parent = skeleton.skin_parent(index);
        let parent_kind = parent.map(|p| kinds[p.at()]);
        let words = words(&joint.name);
        let whole = words.concat();
        let has = |word: &str| words.iter().any(|w| w == word);
        let by_name = NAMES
            .iter()
            .find(|(_, alone, within)| {
                alone.iter().any(|w| has(w)) || within.iter().any(|w| whole.contains(w))
            })
            .map(|row| row.0);
        let kind = if !joint.in_skin {
            JointKind::Still
        } else if let Some(kind) = by_name {
            kind
        } else if has("leg") {
            match parent_kind {
                Some(JointKind::Thigh) => JointKind::Knee,
                Some(JointKind::Knee) => JointKind::Ankle,
                Some(JointKind::Ankle | JointKind::Toe) => JointKind::Toe,
                _ => JointKind::Thigh,
            }
        } else if has("arm") {
            match parent_kind {
                Some(JointKind::UpperArm) => JointKind::Elbow,
                Some(JointKind::Elbow) => JointKind::Wrist,
                _ => JointKind::UpperArm,
            }
        } else if parent.is_none() {
            JointKind::Still
        } else if children[index.at()].is_empty() {
            JointKind::End
        } else {
            JointKind::Chain
        };
        // A shoulder that carries no upper arm is one.
        let carries_arm = || {
            children[index.at()].iter().any(|&c| {
                let name = skeleton.joint(c).name.to_lowercase();
                name.contains("arm") && !name.contains("fore") && !name.contains("lower")
            })
        };
        kinds.push(match kind {
            JointKind::Clavicle if has("shoulder") && !carries_arm() => JointKind::UpperArm,
            kind => kind,
        });
    }
    kinds
}

/// The frames to measure in.
pub fn frames(
    character: &Character,
    choice: MotionChoice,
    limit: usize,
    limits: &[JointLimits],
) -> Vec<Frame> {
    let clips = || clip_frames(character, limit);
    let range = || range_of_motion(&character.skeleton, limits);
    match choice {
        MotionChoice::Clips => clips(),
        MotionChoice::RangeOfMotion => range(),
        MotionChoice::Auto => {
            let frames = clips();
            if frames.is_empty() { range() } else { frames }
        }
    }
}

/// At most `limit` frames of the clips that bend the skeleton.
pub fn clip_frames(character: &Character, limit: usize) -> Vec<Frame> {
    let skeleton = &character.skeleton;
    let sound: Vec<Clip> = character
        .clips
        .iter()
        .map(|clip| Clip {
            name: clip.name.clone(),
            tracks: clip
                .tracks
                .iter()
                .filter(|t| t.joint.at() < skeleton.joints.len() && t.check().is_ok())
                .cloned()
                .collect(),
        })
        .filter(|clip| bends(clip, skeleton))
        .collect();
    if sound.is_empty() || limit == 0 {
        return Vec::new();
    }
    let chosen: Vec<&Clip> = if sound.len() > limit {
        let last = (sound.len() - 1) as f64;
        (0..limit)
            .map(|i| &sound[(i as f64 * last / (limit - 1).max(1) as f64) as usize])
            .collect()
    } else {
        sound.iter().collect()
    };
    let (base, extra) = (limit / chosen.len(), limit % chosen.len());
    let mut frames = Vec::with_capacity(limit);
    for (i, clip) in chosen.into_iter().enumerate() {
        let (start, end) = clip.span_secs();
        let count = if end > start {
            base + usize::from(i < extra)
        } else {
            1
        };
        for k in 0..count {
            let share = (k as f64 + 0.5) / count as f64;
            let seconds = if end > start {
                (f64::from(start) + share * (f64::from(end) - f64::from(start))) as f32
            } else {
                start
            };
            let called = if clip.name.is_empty() { "clip" } else { &clip.name };
            frames.push(Frame {
                name: format!("{called} {:.2} s", seconds - start),
                clip: Some(clip.name.clone()),
                seconds: Some(seconds),
                pose: clip.pose_at(skeleton, seconds),
            });
        }
    }
    frames
}

fn bends(clip: &Clip, skeleton: &Skeleton) -> bool {
    clip.tracks.iter().any(|track| {
        let turns = track.channel == Channel::Rotation && skeleton.joint(track.joint).in_skin;
        turns
            && (0..4).any(|axis| {
                let values = track.values.iter().skip(axis).step_by(4);
                let (low, high) = values.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), &v| {
                    (low.min(v), high.max(v))
                });
                high - low > BENDS
            })
    })
}

/// The pose in which skin and bones were brought together.
pub fn bind_pose(skeleton: &Skeleton) -> Pose {
    let local = |index: JointIndex| {
        let joint = skeleton.joint(index);
        let parent_from_bind = joint
            .parent
            .map(|p| skeleton.joint(p).bind_from_joint.inverse())
            .unwrap_or_default();
        Transform::from_affine(parent_from_bind * joint.bind_from_joint)
    };
    Pose {
        locals: skeleton.indices().map(local).collect(),
    }
}

/// A joint that moves in the range of motion.
struct Mover {
    joint: usize,
    /// Poses are made for all joints of a group at once.
    group: String,
    moves: Vec<JointMove>,
    /// The bone's direction.
    along: DVec3,
    /// 1 on the left and in the middle, -1 on the right.
    side: f64,
    /// From bind space to the joint's own axes, turns alone.
    joint_from_bind: DQuat,
}

impl Mover {
    fn turn(&self, way: JointMove, degrees: f64) -> DQuat {
        let axis = if way.axis == MoveAxis::Twist {
            self.along * self.side // left and right twist as in a mirror
        } else {
            let outward = DVec3::X * self.side;
            let ways = [DVec3::Z, DVec3::Y, outward];
            let first = match way.axis {
                MoveAxis::Forward => 0,
                MoveAxis::Up => 1,
                _ => 2,
            };
            // A bone that points there already is turned towards the next way instead.
            (0..3)
                .map(|i| self.along.cross(ways[(first + i) % 3]))
                .find(|axis| axis.length() > 0.3)
                .unwrap_or(DVec3::X)
                .normalize_or(DVec3::X)
        };
        let in_bind = DQuat::from_axis_angle(axis, degrees.to_radians());
        self.joint_from_bind * in_bind * self.joint_from_bind.inverse()
    }
}

/// Poses within joint limits; see the module. `limits` come before the table; the first
/// whose pattern matches a joint's name counts.
pub fn range_of_motion(skeleton: &Skeleton, limits: &[JointLimits]) -> Vec<Frame> {
    let movers = movers(skeleton, limits);
    let bind = bind_pose(skeleton);
    let mut groups: Vec<&str> = Vec::new();
    for mover in &movers {
        if !groups.contains(&mover.group.as_str()) {
            groups.push(&mover.group);
        }
    }
    let mut frames = Vec::new();
    let mut add = |name: String, pose: Pose| {
        frames.push(Frame {
            name,
            clip: None,
            seconds: None,
            pose,
        });
    };
    for group in groups {
        let members = || movers.iter().filter(|m| m.group == group);
        let most_moves = members().map(|m| m.moves.len()).max().unwrap_or(0);
        for k in 0..most_moves {
            for swapped in [false, true] {
                let mut pose = bind.clone();
                let mut name = String::new();
                let mut sides = [None; 2];
                for mover in members() {
                    let Some(&way) = mover.moves.get(k) else { continue };
                    let at_end = (mover.side > 0.0) != swapped;
                    let degrees = if at_end { way.to } else { way.from };
                    let local = &mut pose.locals[mover.joint];
                    local.rotation = (local.rotation * mover.turn(way, degrees)).normalize();
                    name = format!("{group} {}", way.axis.word());
                    sides[usize::from(mover.side < 0.0)] = Some(degrees);
                }
                let angles = match sides {
                    [Some(left), Some(right)] => format!("left {left:.0}°, right {right:.0}°"),
                    [left, right] => format!("{:.0}°", left.or(right).unwrap_or(0.0)),
                };
                add(format!("{name}: {angles}"), pose);
            }
        }
    }
    if !movers.is_empty() {
        for mix in 0..MIXED_POSES {
            add(format!("mixed {}", mix + 1), mixed(&bind, &movers, mix));
        }
    }
    frames
}

/// All moves at once at half their range, each joint on its own course: multiples of the
/// golden ratio spread evenly, whatever their number.
fn mixed(bind: &Pose, movers: &[Mover], mix: usize) -> Pose {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let mut pose = bind.clone();
    let mut number = 0usize;
    for mover in movers {
        for &way in &mover.moves {
            number += 1;
            let share = ((mix + 1) as f64 * GOLDEN * number as f64).fract();
            let degrees = 0.5 * (way.from + share * (way.to - way.from));
            let local = &mut pose.locals[mover.joint];
            local.rotation = (local.rotation * mover.turn(way, degrees)).normalize();
        }
    }
    pose
}

/// A random turn of every joint within its limits, from the bind pose and in bind space;
/// joints that keep still do not turn. `share` gives numbers from 0 to 1.
pub fn random_turns(
    skeleton: &Skeleton,
    limits: &[JointLimits],
    mut share: impl FnMut() -> f64,
) -> Vec<DQuat> {
    let mut turns = vec![DQuat::IDENTITY; skeleton.joints.len()];
    for mover in movers(skeleton, limits) {
        for &way in &mover.moves {
            let degrees = way.from + share() * (way.to - way.from);
            let bind_from_joint = mover.joint_from_bind.inverse();
            let turn = bind_from_joint * mover.turn(way, degrees) * mover.joint_from_bind;
            turns[mover.joint] = (turns[mover.joint] * turn).normalize();
        }
    }
    turns
}

fn movers(skeleton: &Skeleton, limits: &[JointLimits]) -> Vec<Mover> {
    let kinds = joint_kinds(skeleton);
    let children = skeleton.skin_children();
    // Descendants: a root's bone goes to the child with most.
    let mut below = vec![1usize; skeleton.joints.len()];
    for index in skeleton.indices().rev() {
        if let Some(parent) = skeleton.skin_parent(index) {
            below[parent.at()] += below[index.at()];
        }
    }
    // How many joints of one kind follow each other, up to here and in all.
    let mut run = vec![1usize; kinds.len()];
    let mut top: Vec<usize> = (0..kinds.len()).collect();
    for index in skeleton.indices() {
        if let Some(p) = skeleton.skin_parent(index).map(JointIndex::at)
            && kinds[p] == kinds[index.at()]
        {
            run[index.at()] = run[p] + 1;
            top[index.at()] = top[p];
        }
    }
    let mut longest = vec![1usize; kinds.len()];
    for (&top, &run) in top.iter().zip(&run) {
        longest[top] = longest[top].max(run);
    }
    let skin_joints = || skeleton.indices().filter(|&j| skeleton.joint(j).in_skin);
    let middle = skin_joints().next().map_or(0.0, |j| skeleton.bind_position(j).x);
    let reach = skin_joints()
        .map(|j| (skeleton.bind_position(j).x - middle).abs())
        .fold(0.0, f64::max);
    let overrides: Vec<(WildMatch, &JointLimits)> = limits
        .iter()
        .map(|l| (WildMatch::new(&l.joints.to_lowercase()), l))
        .collect();
    let mut movers = Vec::new();
    for index in skin_joints() {
        let (at, joint) = (index.at(), skeleton.joint(index));
        let name = joint.name.to_lowercase();
        let kind = kinds[at];
        let (group, moves) = match overrides.iter().find(|(pattern, _)| pattern.matches(&name)) {
            Some((_, limits)) => (limits.joints.clone(), limits.moves.clone()),
            None if kind.is_single() && run[at] > 1 => continue,
            None => {
                let share = if kind.is_shared() {
                    longest[top[at]] as f64
                } else {
                    1.0
                };
                let scaled = kind
                    .moves()
                    .iter()
                    .map(|m| to(m.axis, m.from / share, m.to / share));
                (kind.word().to_owned(), scaled.collect())
            }
        };
        if moves.is_empty() {
            continue;
        }
        let place = skeleton.bind_position(index);
        let incoming = skeleton
            .skin_parent(index)
            .map(|p| place - skeleton.bind_position(p));
        // At a branch the bone goes on to the child that lies straight ahead.
        let straight = |child: JointIndex| {
            let way = (skeleton.bind_position(child) - place).normalize_or_zero();
            incoming.map_or(0.0, |incoming| way.dot(incoming.normalize_or_zero()))
        };
        let child = children[at].iter().copied().max_by(|&a, &b| {
            let first = straight(a).total_cmp(&straight(b));
            first.then(below[a.at()].cmp(&below[b.at()])).then(b.cmp(&a))
        });
        let outgoing = child.map(|c| skeleton.bind_position(c) - place);
        let along = [outgoing, incoming]
            .into_iter()
            .flatten()
            .find_map(|way| way.try_normalize())
            .unwrap_or(DVec3::Y);
        movers.push(Mover {
            joint: at,
            group,
            moves,
            along,
            side: if place.x - middle < -0.02 * reach {
                -1.0
            } else {
                1.0
            },
            joint_from_bind: Transform::from_affine(joint.bind_from_joint).rotation.inverse(),
        });
    }
    movers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::{Interpolation, Joint, Track};
    use glam::DAffine3;

    fn skeleton(joints: &[(&str, Option<u16>, [f64; 3])]) -> Skeleton {
        let place = |i: usize| DVec3::from(joints[i].2);
        Skeleton {
            joints: joints
                .iter()
                .enumerate()
                .map(|(i, &(name, parent, _))| {
                    let above = parent.map_or(DVec3::ZERO, |p| place(usize::from(p)));
                    // Joints with axes of their own: limits must not depend on them.
                    let turn = DQuat::from_rotation_x(0.7 * i as f64);
                    Joint {
                        name: name.to_owned(),
                        parent: parent.map(JointIndex),
                        rest: Transform::from_translation(place(i) - above),
                        bind_from_joint: DAffine3::from_rotation_translation(turn, place(i)),
                        in_skin: true,
                    }
                })
                .collect(),
        }
    }

    fn biped() -> Skeleton {
        skeleton(&[
            ("Hips", None, [0.0, 1.0, 0.0]),
            ("Spine", Some(0), [0.0, 1.2, 0.0]),
            ("Spine1", Some(1), [0.0, 1.4, 0.0]),
            ("LeftShoulder", Some(2), [0.1, 1.5, 0.0]),
            ("LeftArm", Some(3), [0.2, 1.5, 0.0]),
            ("LeftForeArm", Some(4), [0.5, 1.5, 0.0]),
            ("LeftHand", Some(5), [0.8, 1.5, 0.0]),
            ("LeftHandIndex1", Some(6), [0.9, 1.5, 0.0]),
            ("LeftUpLeg", Some(0), [0.1, 0.95, 0.0]),
            ("LeftLeg", Some(8), [0.1, 0.5, 0.0]),
            ("LeftFoot", Some(9), [0.1, 0.1, 0.0]),
            ("RightUpLeg", Some(0), [-0.1, 0.95, 0.0]),
            ("RightLeg", Some(11), [-0.1, 0.5, 0.0]),
            ("RightFoot", Some(12), [-0.1, 0.1, 0.0]),
            ("Neck", Some(2), [0.0, 1.6, 0.0]),
        ])
    }

    #[test]
    fn names_tell_what_a_joint_is() {
        use JointKind::*;
        assert_eq!(
            joint_kinds(&biped()),
            [
                Still, Spine, Spine, Clavicle, UpperArm, Elbow, Wrist, Finger, Thigh, Knee, Ankle, Thigh,
                Knee, Ankle, Neck
            ]
        );
        // Only "leg" and numbers: the place in the hierarchy decides.
        let numbered = skeleton(&[
            ("torso_joint_1", None, [0.0, 1.0, 0.0]),
            ("leg_joint_L_1", Some(0), [0.1, 0.9, 0.0]),
            ("leg_joint_L_2", Some(1), [0.1, 0.5, 0.0]),
            ("leg_joint_L_3", Some(2), [0.1, 0.1, 0.0]),
            ("Bone.004", Some(3), [0.1, 0.0, 0.1]),
        ]);
        assert_eq!(joint_kinds(&numbered)[1..], [Thigh, Knee, Ankle, End]);
    }

    #[test]
    fn a_knee_bends_backward_by_its_limit_and_the_other_stays() {
        let skeleton = biped();
        let frames = range_of_motion(&skeleton, &[]);
        // The end that bends is the lower one: the left leg has it in the second pose.
        let frame = frames
            .iter()
            .find(|f| f.name == "knee forward: left -110°, right 0°")
            .unwrap();
        let world = frame.pose.world_from_joints(&skeleton);
        let shin = world[10].translation - world[9].translation;
        let angle = 110f64.to_radians();
        let expected = 0.4 * DVec3::new(0.0, -angle.cos(), -angle.sin());
        assert!(shin.distance(expected) < 1e-9, "{shin}");
        let other = world[13].translation - world[12].translation;
        assert!(other.distance(DVec3::Y * -0.4) < 1e-9);
    }

    #[test]
    fn a_chain_shares_its_limit() {
        let skeleton = biped();
        let frames = range_of_motion(&skeleton, &[]);
        let frame = frames
            .iter()
            .find(|f| f.name.starts_with("spine forward"))
            .unwrap();
        let world = frame.pose.world_from_bind(&skeleton);
        // Two joints of 25 degrees each turn the chest by 50.
        let up = world[2].matrix3 * DVec3::Y;
        assert!((up.angle_between(DVec3::Y).to_degrees() - 50.0).abs() < 1e-6);
        assert!(up.z > 0.0);
    }

    #[test]
    fn limits_can_be_overridden() {
        let skeleton = biped();
        let still = [JointLimits {
            joints: "*".to_owned(),
            moves: Vec::new(),
        }];
        assert!(range_of_motion(&skeleton, &still).is_empty());
        let one = JointLimits {
            joints: "left*leg".to_owned(),
            moves: vec![to(MoveAxis::Twist, 0.0, 30.0)],
        };
        let frames = range_of_motion(&skeleton, &[one, still[0].clone()]);
        assert_eq!(frames.len(), 2 + MIXED_POSES);
        assert_eq!(frames[0].name, "left*leg twist: 30°");
    }

    #[test]
    fn the_bind_pose_moves_nothing() {
        let skeleton = biped();
        for matrix in bind_pose(&skeleton).world_from_bind(&skeleton) {
            assert!(matrix.abs_diff_eq(DAffine3::IDENTITY, 1e-9));
        }
    }

    #[test]
    fn frames_are_spread_over_the_clips_that_bend() {
        let skeleton = biped();
        let quarter = [0.0, 0.0, 0.0, 1.0, 0.5f32.sqrt(), 0.0, 0.0, 0.5f32.sqrt()];
        let track = |channel, values: &[f32]| Track {
            joint: JointIndex(1),
            channel,
            interpolation: Interpolation::Linear,
            times: vec![1.0, 3.0],
            values: values.to_vec(),
        };
        let clip = |name: &str, track| Clip {
            name: name.to_owned(),
            tracks: vec![track],
        };
        let character = Character {
            clips: vec![
                clip("bow", track(Channel::Rotation, &quarter)),
                clip(
                    "still",
                    track(Channel::Rotation, &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]),
                ),
                clip(
                    "hop",
                    track(Channel::Translation, &[0.0, 0.0, 0.0, 0.0, 1.0, 0.0]),
                ),
                clip("nod", track(Channel::Rotation, &quarter)),
            ],
            skeleton,
            ..Character::default()
        };
        let frames = clip_frames(&character, 5);
        let times: Vec<_> = frames.iter().map(|f| (f.clip.as_deref(), f.seconds)).collect();
        assert_eq!(frames[0].name, "bow 0.33 s");
        assert_eq!(times[0], (Some("bow"), Some(1.0 + 1.0 / 3.0)));
        assert_eq!(times[1], (Some("bow"), Some(2.0)));
        assert_eq!(times[3..], [(Some("nod"), Some(1.5)), (Some("nod"), Some(2.5))]);
        // More clips than frames: the first and the last are among those chosen.
        let mut many = character.clone();
        many.clips = vec![character.clips[0].clone(); 10];
        assert_eq!(clip_frames(&many, 4).len(), 4);
        assert!(clip_frames(&Character::default(), 4).is_empty());
    }
}
