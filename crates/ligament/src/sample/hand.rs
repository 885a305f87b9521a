//! `hand`: a left hand with a stump of forearm, fingers close together.

use glam::DVec3;

use super::assembly::material;
use super::implicit::{Solid, blend, flat_cone};
use super::palm::{HandShape, SEGMENTS, finger_joints, hand as hand_solid};
use super::rig::{Animator, Plan, roll, swell, yaw};
use super::surface::{Meshing, surface_of};
use crate::character::{Character, Clip, Skeleton};

/// Where the hand begins: low over the floor, the middle finger along +X.
const WRIST: DVec3 = DVec3::new(0.0, 0.05, 0.0);
const SHAPE: HandShape = HandShape {
    spread: 2.2,
    curl: 3.0,
    thumb_out: 0.0,
    web: 0.13,
};

pub(super) fn solid() -> Solid {
    let y = WRIST.y;
    let forearm = flat_cone([-0.16, y, 0.0], [0.0, y, 0.0], 0.036, 0.0265, DVec3::Y, 0.82);
    blend(0.022, vec![forearm, hand_solid(WRIST, &SHAPE)])
}

pub(super) fn plan() -> Plan {
    let mut plan = Plan::default();
    plan.add("forearm", "", DVec3::new(-0.16, WRIST.y, 0.0));
    plan.add("hand", "forearm", WRIST);
    let ends = [0.0, 0.97, 0.97, 0.97, 0.95];
    for ((finger, joints), end) in finger_joints(WRIST, &SHAPE).into_iter().zip(ends) {
        let mut parent = "hand".to_owned();
        if end > 0.0 {
            // The long bone in the palm, which lets the hand cup.
            let name = format!("{finger}_metacarpal");
            plan.add(&name, &parent, WRIST.lerp(joints[0], 0.22));
            parent = name;
        }
        for (segment, at) in SEGMENTS.iter().zip(joints) {
            let name = format!("{finger}_{segment}");
            plan.add(&name, &parent, at);
            parent = name;
        }
    }
    plan
}

pub(super) fn hand(vertices: usize) -> Character {
    let how = Meshing {
        vertices,
        cell: 0.0014,
        mirrored: false,
        detail: |_| 1.0,
    };
    let skeleton = plan().skeleton();
    Character {
        name: "hand".to_owned(),
        mesh: surface_of(&solid(), how).into_mesh("hand", material("skin", [0.72, 0.48, 0.36])),
        clips: vec![fist(&skeleton), spread(&skeleton)],
        skeleton,
        weights: None,
    }
}

const FINGERS: [&str; 4] = ["index", "middle", "ring", "little"];

/// Closes the hand and opens it.
fn fist(skeleton: &Skeleton) -> Clip {
    let mut to = Animator::new(skeleton, "fist", 2.0, 20);
    for finger in FINGERS {
        for (segment, degrees) in SEGMENTS.iter().zip([78.0, 92.0, 58.0]) {
            to.rotate(&format!("{finger}_{segment}"), |u| roll(-degrees * swell(u)));
        }
    }
    to.rotate("thumb_proximal", |u| {
        glam::DQuat::from_axis_angle(DVec3::new(0.8, -0.1, 0.5).normalize(), -0.65 * swell(u))
    });
    to.rotate("thumb_intermediate", |u| yaw(34.0 * swell(u)));
    to.rotate("thumb_distal", |u| yaw(46.0 * swell(u)));
    to.finish()
}

/// Fans the fingers out, and back.
fn spread(skeleton: &Skeleton) -> Clip {
    let mut to = Animator::new(skeleton, "spread", 2.0, 20);
    for (finger, degrees) in FINGERS.iter().zip([10.0, 1.0, -9.0, -19.0]) {
        to.rotate(&format!("{finger}_proximal"), |u| {
            yaw(-degrees * swell(u)) * roll(5.0 * swell(u))
        });
    }
    to.rotate("thumb_proximal", |u| yaw(-32.0 * swell(u)));
    to.finish()
}
