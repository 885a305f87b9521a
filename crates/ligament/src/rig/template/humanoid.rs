//! Where the joints of a humanoid are: along the limbs that were extracted, by the proportions that artists keep.
//!
//! Extraction knows well where limbs run and end, and poorly where a straight limb would bend or where a shoulder turns. Artists
//! place those alike, whatever the style. The shares below are medians over the humanoids of the corpus (`docs/lab/rig.md`).

use std::collections::BTreeMap;

use glam::DVec3;

use super::face::is_of_face;
use super::frame::{Frame, along, length};
use super::{TemplateError, plan_in_words};
use crate::character::{NameScheme, Side, Skeleton, StandardBone};
use crate::rig::BodyPlan;

/// Half the distance between shoulders, as a share of the arm from there to the wrist.
const SHOULDER: f64 = 0.33;
/// An elbow, as a share of the arm.
pub(super) const ELBOW: f64 = 0.52;
/// The hips' height over the ankles, as a share of the neck's.
pub(super) const LEG: f64 = 0.6;
/// and how far from that share the extracted hips may draw it.
const LEG_RANGE: f64 = 0.05;
/// An ankle's height over the toes' end, as a share of the body's height.
const ANKLE: f64 = 0.042;
/// A shoulder is no further below the thinnest place of the neck, as a share of the height.
pub(super) const BELOW_NECK: f64 = 0.11;
/// The neck's base between shoulders and thinnest place.
const NECK: f64 = 0.5;
/// The head's joint from the thinnest place of the neck towards the middle of the head.
const HEAD: f64 = 0.3;
/// Half the distance of the hip joints, as a share of the neck's height over the ankles.
pub(super) const HIPS_WIDE: (f64, f64) = (0.04, 0.13);
/// A collarbone's start, as a share of the way from the middle to the shoulder.
const COLLAR: f64 = 0.17;
/// The ball of the foot, as a share of the way from the ankle to the toes' end.
const BALL: f64 = 0.74;
/// The spine's joints from the hips to the neck.
const SPINE: [(StandardBone, f64); 3] = [
    (StandardBone::Spine, 0.2),
    (StandardBone::Chest, 0.45),
    (StandardBone::UpperChest, 0.72),
];

/// A bone's place and how sure it is.
#[derive(Debug, Clone, Copy)]
pub(super) struct Placed {
    pub at: DVec3,
    pub confidence: f64,
}

/// A humanoid in a mesh.
#[derive(Debug, Clone)]
pub(super) struct Humanoid {
    pub frame: Frame,
    pub bones: BTreeMap<StandardBone, Placed>,
    /// The top of the head, and the ends of toes.
    pub ends: BTreeMap<StandardBone, DVec3>,
}

struct Found<'a>(&'a Skeleton);

impl Found<'_> {
    fn at(&self, name: &str) -> Option<DVec3> {
        self.0.find(name).map(|j| self.0.bind_position(j))
    }

    fn side(&self, side: Side, name: &str) -> Option<DVec3> {
        let word = if side == Side::Left { "left" } else { "right" };
        self.at(&format!("{word}_{name}"))
    }
}

fn other(found: impl Into<String>) -> TemplateError {
    TemplateError::OtherBody {
        wanted: "humanoid",
        found: found.into(),
    }
}

/// An arm as it was extracted, from the wrist inward.
struct Arm {
    path: Vec<DVec3>,
    /// Where along it the shoulder is.
    shoulder: f64,
    /// How far the extracted shoulder is from there, as a share of the arm.
    moved: f64,
}

struct Leg {
    knee: DVec3,
    foot: DVec3,
    toes: DVec3,
    ankle: DVec3,
}

impl Humanoid {
    /// Finds the places in an extracted skeleton, whose joints have the names that extraction gives.
    pub fn of(skeleton: &Skeleton, plan: BodyPlan) -> Result<Self, TemplateError> {
        if plan != BodyPlan::Biped {
            return Err(other(plan_in_words(plan)));
        }
        let found = Found(skeleton);
        let missing = |what: &str| other(format!("no {what} was found"));
        let hips = found.at("hips").ok_or_else(|| missing("pelvis"))?;
        let neck = found.at("neck").ok_or_else(|| missing("neck"))?;
        let head = found.at("head").ok_or_else(|| missing("head"))?;
        let crown = found.at("head_end").unwrap_or(head);
        let hands = Side::BOTH.map(|s| found.side(s, "hand"));
        let [Some(left), Some(right)] = hands else {
            return Err(missing("pair of arms"));
        };
        let feet = Side::BOTH.map(|s| found.side(s, "foot"));
        let [Some(left_foot), Some(right_foot)] = feet else {
            return Err(missing("pair of legs"));
        };
        let across = (left - right) + (left_foot - right_foot);
        let frame = Frame::of(skeleton, neck - hips, across, hips).ok_or_else(|| missing("upright trunk"))?;
        let mut work = Self {
            frame,
            bones: BTreeMap::new(),
            ends: BTreeMap::new(),
        };
        work.check_build(skeleton, hips, neck, crown, [left_foot, right_foot])?;

        let trunk: Vec<DVec3> = ["hips", "spine", "chest", "upper_chest", "neck"]
            .iter()
            .filter_map(|n| found.at(n))
            .collect();
        let chest = trunk[trunk.len().saturating_sub(2)];
        let arms = Side::BOTH.map(|s| work.arm(&found, s, chest));
        let [Some(left_arm), Some(right_arm)] = arms else {
            return Err(missing("pair of arms"));
        };
        let legs = Side::BOTH.map(|s| work.leg(&found, s));
        let [Some(left_leg), Some(right_leg)] = legs else {
            return Err(missing("pair of legs"));
        };
        work.check_limbs([&left_arm, &right_arm], [&left_leg, &right_leg])?;
        work.place(
            [left_arm, right_arm],
            [left_leg, right_leg],
            &trunk,
            [neck, head, crown],
        );
        Ok(work)
    }

    /// Moves bones to where they are known to begin.
    pub fn pin(&mut self, markers: &BTreeMap<StandardBone, DVec3>) -> Result<(), TemplateError> {
        for (&bone, &at) in markers {
            let Some(placed) = self.bones.get_mut(&bone) else {
                // Fingers and the face are placed later.
                if bone.on(Side::Left) > StandardBone::LeftHand || is_of_face(bone) {
                    continue;
                }
                return Err(TemplateError::NoSuchBone {
                    bone: bone.name_in(NameScheme::Vrm),
                });
            };
            *placed = Placed { at, confidence: 1.0 };
        }
        Ok(())
    }

    /// Whether it stands like a humanoid: an upright trunk in the middle on two feet and nothing else.
    fn check_build(
        &self,
        skeleton: &Skeleton,
        hips: DVec3,
        neck: DVec3,
        crown: DVec3,
        feet: [DVec3; 2],
    ) -> Result<(), TemplateError> {
        let frame = &self.frame;
        let trunk = neck - hips;
        if frame.height(neck) - frame.height(hips) < 0.7 * trunk.length() {
            return Err(other("its trunk does not stand upright"));
        }
        if frame.sideways(crown).abs() > 0.15 * frame.tall {
            return Err(other("what rises from its trunk is to one side"));
        }
        let legs = feet.map(|f| frame.height(hips) - frame.height(f));
        if legs
            .iter()
            .any(|l| *l < 0.08 * frame.tall || *l > 0.75 * frame.tall)
        {
            return Err(other("its legs are too short or too long"));
        }
        // Ends near the ground that are no toes are more legs.
        let children = skeleton.skin_children();
        let mut more = 0usize;
        for j in skeleton.indices().filter(|j| children[j.at()].is_empty()) {
            let at = skeleton.bind_position(j);
            let low = frame.height(at) - frame.ground < 0.12 * frame.tall;
            let near = feet.iter().any(|f| at.distance(*f) < 0.2 * frame.tall);
            let aside = frame.sideways(at).abs() > 0.1 * frame.tall;
            more += usize::from(low && !near && aside);
        }
        if more >= 2 {
            return Err(other(format!("it stands on {} more limbs than two", more)));
        }
        Ok(())
    }

    fn check_limbs(&self, arms: [&Arm; 2], legs: [&Leg; 2]) -> Result<(), TemplateError> {
        let uneven = |[a, b]: [f64; 2], most: f64| a.max(b) > most * a.min(b).max(f64::MIN_POSITIVE);
        if uneven(arms.map(|a| a.shoulder), 3.0) {
            return Err(other("its arms are not alike"));
        }
        if arms.iter().any(|a| a.shoulder < 0.1 * self.frame.tall) {
            return Err(other("its arms are too short to bend"));
        }
        if uneven(legs.map(|l| l.knee.distance(l.ankle)), 2.5) {
            return Err(other("its legs are not alike"));
        }
        Ok(())
    }

    fn arm(&self, found: &Found<'_>, side: Side, chest: DVec3) -> Option<Arm> {
        let mut path = vec![
            found.side(side, "hand")?,
            found.side(side, "lower_arm")?,
            found.side(side, "upper_arm")?,
        ];
        let extracted = length(&path);
        path.extend(found.side(side, "shoulder"));
        path.push(chest);
        let total = length(&path);
        // Inward from the wrist until the middle is as near as it is for that long an arm.
        const STEPS: u32 = 400;
        let shoulder = (1..=STEPS)
            .map(|k| total * f64::from(k) / f64::from(STEPS))
            .find(|&l| self.frame.sideways(along(&path, l)).abs() <= SHOULDER * l)
            .unwrap_or(extracted);
        Some(Arm {
            moved: (shoulder - extracted).abs() / total.max(f64::MIN_POSITIVE),
            path,
            shoulder,
        })
    }

    fn leg(&self, found: &Found<'_>, side: Side) -> Option<Leg> {
        let knee = found.side(side, "lower_leg")?;
        let foot = found.side(side, "foot")?;
        let toes = found.side(side, "toes").unwrap_or(foot);
        let (high, low) = (self.frame.height(knee), self.frame.height(foot));
        let wanted = (self.frame.height(toes) + ANKLE * self.frame.tall).min(low);
        // On along the shin, but no further back or ahead.
        let on = (foot - knee) * ((low - wanted) / (high - low).max(1e-9 * self.frame.tall)).min(1.0);
        let on = on - self.frame.forward * on.dot(self.frame.forward);
        Some(Leg {
            knee,
            foot,
            toes,
            ankle: foot + on,
        })
    }

    fn place(&mut self, arms: [Arm; 2], legs: [Leg; 2], trunk: &[DVec3], [thin, head, crown]: [DVec3; 3]) {
        use StandardBone as B;
        let frame = self.frame;
        let mean = |[a, b]: [f64; 2]| 0.5 * (a + b);
        let found = arms.each_ref().map(|a| along(&a.path, a.shoulder));
        let shoulders =
            mean(found.map(|p| frame.height(p))).max(frame.height(thin) - BELOW_NECK * frame.tall);
        let neck = shoulders + NECK * (frame.height(thin) - shoulders);
        let ankles = mean(legs.each_ref().map(|l| frame.height(l.ankle)));
        let tall = (neck - ankles).max(1e-3 * frame.tall);
        let usual = ankles + LEG * tall;
        let seen = frame.height(trunk[0]) + 0.01 * frame.tall;
        let hip = usual + (seen - usual).clamp(-LEG_RANGE * tall, LEG_RANGE * tall);
        // The further extraction is from what is usual, the less sure it is.
        let trust = |off: f64| (0.95 - 4.0 * off).clamp(0.2, 0.95);
        let sure = trust(((seen - usual).abs() / tall - LEG_RANGE).max(0.0));
        let axis = |height: f64| self.on_trunk(trunk, height);
        let hips = axis(hip + 0.01 * tall);
        let mut placed = vec![(B::Hips, hips, sure)];
        for (bone, share) in SPINE {
            placed.push((bone, axis(hip + share * (neck - hip)), sure));
        }
        placed.push((B::Neck, axis(neck), 0.9));
        placed.push((B::Head, thin.lerp(head, HEAD), 0.9));
        let top = axis(neck - 0.05 * tall);
        let mut ends = vec![(B::Head, crown)];
        for (side, arm) in Side::BOTH.into_iter().zip(&arms) {
            let on = along(&arm.path, arm.shoulder);
            // Arms that hang leave the curve in the chest too low.
            let shoulder = frame.at_height(on, frame.height(on).max(shoulders));
            let mut line = vec![shoulder];
            let mut gone = 0.0;
            let mut outer = vec![arm.path[0]];
            for w in arm.path.windows(2) {
                gone += w[0].distance(w[1]);
                if gone < arm.shoulder {
                    outer.push(w[1]);
                }
            }
            line.extend(outer.into_iter().rev());
            let elbow = self.elbow(&line);
            let sure = trust((arm.moved - 0.08).max(0.0));
            placed.push((B::LeftShoulder.on(side), top.lerp(shoulder, COLLAR), sure));
            placed.push((B::LeftUpperArm.on(side), shoulder, sure));
            placed.push((B::LeftLowerArm.on(side), elbow, sure));
            placed.push((B::LeftHand.on(side), arm.path[0], 0.9));
        }
        for (side, leg) in Side::BOTH.into_iter().zip(&legs) {
            // The thigh goes on where the shin came from, and hips are narrower than knees.
            let knee = frame.sideways(leg.knee);
            let drop = frame.height(leg.knee) - frame.height(leg.foot);
            let lean = (knee - frame.sideways(leg.foot)) / drop.max(1e-9 * frame.tall);
            let straight = knee + lean * (hip - frame.height(leg.knee));
            let wide = (straight * knee.signum())
                .clamp(0.6 * knee.abs(), knee.abs())
                .clamp(HIPS_WIDE.0 * tall, HIPS_WIDE.1 * tall);
            let thigh = frame.at_sideways(frame.at_height(hips, hip), wide * knee.signum());
            let half = 0.5 * (hip + frame.height(leg.ankle));
            let bend = self.knee(leg, thigh, half);
            placed.push((B::LeftUpperLeg.on(side), thigh, sure));
            placed.push((B::LeftLowerLeg.on(side), bend, sure.max(0.6)));
            placed.push((B::LeftFoot.on(side), leg.ankle, 0.9));
            let ball = leg.ankle.lerp(leg.toes, BALL);
            let ball = frame.at_height(ball, frame.height(leg.toes).min(frame.height(ball)));
            if leg.toes.distance(leg.ankle) > 0.02 * frame.tall {
                placed.push((B::LeftToes.on(side), ball, 0.7));
                ends.push((B::LeftToes.on(side), leg.toes));
            }
        }
        self.ends.extend(ends);
        for (bone, at, confidence) in placed {
            self.bones.insert(bone, Placed { at, confidence });
        }
    }

    /// The elbow of an arm from the shoulder on: where it bends, else where artists put it.
    fn elbow(&self, line: &[DVec3]) -> DVec3 {
        let whole = length(line);
        let (Some(&first), Some(&last)) = (line.first(), line.last()) else {
            return DVec3::ZERO;
        };
        let way = (last - first).normalize_or_zero();
        let off = |p: DVec3| ((p - first) - way * (p - first).dot(way)).length();
        let mut gone = 0.0;
        for w in line.windows(2) {
            gone += w[0].distance(w[1]);
            if gone > 0.4 * whole && gone < 0.62 * whole && off(w[1]) > 0.08 * whole {
                return w[1];
            }
        }
        along(line, ELBOW * whole)
    }

    /// The point at a height on the way from the thigh by the extracted knee to the ankle.
    fn knee(&self, leg: &Leg, thigh: DVec3, height: f64) -> DVec3 {
        let at = |p: DVec3| self.frame.height(p);
        let (from, to) = if at(leg.knee) >= height {
            (leg.knee, leg.ankle)
        } else {
            (thigh, leg.knee)
        };
        let drop = at(from) - at(to);
        let share = if drop > 0.0 {
            (at(from) - height) / drop
        } else {
            0.0
        };
        from.lerp(to, share.clamp(0.0, 1.0))
    }

    /// The point of the trunk's line at a height.
    fn on_trunk(&self, trunk: &[DVec3], height: f64) -> DVec3 {
        let frame = &self.frame;
        for w in trunk.windows(2) {
            let (low, high) = (frame.height(w[0]), frame.height(w[1]));
            if height <= high {
                let share = ((height - low) / (high - low).max(1e-9 * frame.tall)).clamp(0.0, 1.0);
                return frame.at_height(w[0].lerp(w[1], share), height);
            }
        }
        frame.at_height(trunk.last().copied().unwrap_or(DVec3::ZERO), height)
    }
}
