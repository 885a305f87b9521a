//! Which bones that engines know the joints are, as a table.

use ligament::character::{BodyPlan, LimbKind, NameScheme, Side, StandardBone};
use ligament_app::inspect::{AnatomyReport, BoneReport, LimbReport};

use super::Text;

/// Bones up to here are one row each; fingers are counted.
const LAST_ROW: StandardBone = StandardBone::LeftHand;
/// Less is worth a look.
const SURE: f64 = 0.7;

pub(super) fn write(text: &mut Text, anatomy: &AnatomyReport) {
    if anatomy.bones.is_empty() && anatomy.limbs.is_empty() {
        return;
    }
    text.title("Bones that engines know, by names, hierarchy and position");
    let plan = match anatomy.plan {
        BodyPlan::Humanoid => "humanoid",
        BodyPlan::Quadruped => "quadruped",
        BodyPlan::Bird => "bird",
        BodyPlan::Other => "none that is known",
    };
    text.row("body", plan);
    let found = |bone: StandardBone| anatomy.bones.iter().find(|b| b.bone == bone);
    for bone in StandardBone::ALL.into_iter().filter(|b| *b <= LAST_ROW) {
        let (name, joints) = match bone.side() {
            None => (bone.name_in(NameScheme::Vrm).to_owned(), found(bone).map(said)),
            Some(_) => {
                let sides = [bone, bone.mirrored()].map(found);
                let joints = sides.iter().any(Option::is_some).then(|| {
                    let said = sides.map(|b| b.map_or_else(|| "–".to_owned(), said));
                    said.join(" | ")
                });
                (bone.name_in(NameScheme::Vrm)["left".len()..].to_owned(), joints)
            }
        };
        if let Some(joints) = joints {
            text.row(&name, joints);
        }
    }
    for side in Side::BOTH {
        let joints = anatomy
            .bones
            .iter()
            .filter(|b| b.bone.side() == Some(side) && b.bone.on(Side::Left) > LAST_ROW)
            .count();
        if joints > 0 {
            let side = if side == Side::Left {
                "left fingers"
            } else {
                "right fingers"
            };
            text.row(side, format!("{joints} joints"));
        }
    }
    if anatomy.plan == BodyPlan::Humanoid && !anatomy.missing.is_empty() {
        let names: Vec<String> = anatomy
            .missing
            .iter()
            .map(|b| b.name_in(NameScheme::Vrm).to_owned())
            .collect();
        text.list("missing", &names);
    }
    if anatomy.plan != BodyPlan::Humanoid {
        for limb in &anatomy.limbs {
            text.row(&limb_name(limb), limb.joints.join(", "));
        }
    }
    if anatomy.sides_swapped {
        text.line("  The feet point backwards for what the names call left and right: the character may be mirrored.");
    }
}

/// The joint's name, and how sure it is where that is little.
fn said(bone: &BoneReport) -> String {
    if bone.confidence < SURE {
        format!("{} ({:.0} % sure)", bone.joint, 100.0 * bone.confidence)
    } else {
        bone.joint.clone()
    }
}

fn limb_name(limb: &LimbReport) -> String {
    let side = match limb.side {
        Some(Side::Left) => "left ",
        Some(Side::Right) => "right ",
        None => "",
    };
    let kind = match limb.kind {
        LimbKind::Leg => "leg",
        LimbKind::FrontLeg => "front leg",
        LimbKind::HindLeg => "hind leg",
        LimbKind::Arm => "arm",
        LimbKind::Wing => "wing",
        LimbKind::Tail => "tail",
    };
    format!("{side}{kind}")
}
