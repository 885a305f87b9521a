//! The bones that engines know a humanoid by, and what each calls them.

use serde::{Deserialize, Serialize};

/// The left or the right of a body, as it sees itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Side {
    /// Its left; +X if it faces +Z.
    Left,
    /// Its right.
    Right,
}

impl Side {
    /// Left first.
    pub const BOTH: [Self; 2] = [Self::Left, Self::Right];

    /// The other one.
    pub fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// Whose names joints are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NameScheme {
    /// VRM 1.0: `leftUpperArm`.
    Vrm,
    /// Mixamo: `mixamorig:LeftArm`.
    Mixamo,
    /// Unreal Engine's mannequin: `upperarm_l`.
    Unreal,
    /// Unity's humanoid avatar: `LeftUpperArm`.
    Unity,
    /// The deforming bones of Blender's Rigify: `DEF-upper_arm.L`.
    Rigify,
}

impl NameScheme {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Vrm, Self::Mixamo, Self::Unreal, Self::Unity, Self::Rigify];

    /// The word for it in options.
    pub fn word(self) -> &'static str {
        match self {
            Self::Vrm => "vrm",
            Self::Mixamo => "mixamo",
            Self::Unreal => "unreal",
            Self::Unity => "unity",
            Self::Rigify => "rigify",
        }
    }
}

macro_rules! bones {
    ($($(#[doc = $doc:literal])* $bone:ident $vrm:literal $mixamo:literal $unreal:literal $unity:literal $rigify:literal;)*) => {
        /// A bone of VRM 1.0's humanoid, named after it. A bone begins at its joint.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(rename_all = "camelCase")]
        pub enum StandardBone {
            $($(#[doc = $doc])* $bone,)*
        }

        impl StandardBone {
            /// All of them, parents first.
            pub const ALL: [Self; BONES] = [$(Self::$bone,)*];

            /// What a package calls it.
            pub fn name_in(self, scheme: NameScheme) -> &'static str {
                match self {
                    $(Self::$bone => match scheme {
                        NameScheme::Vrm => $vrm,
                        NameScheme::Mixamo => $mixamo,
                        NameScheme::Unreal => $unreal,
                        NameScheme::Unity => $unity,
                        NameScheme::Rigify => $rigify,
                    },)*
                }
            }
        }
    };
}

/// How many bones there are.
const BONES: usize = 55;

bones! {
    #[doc = "Carries legs and spine."]
    Hips "hips" "mixamorig:Hips" "pelvis" "Hips" "DEF-spine";
    #[doc = "The lowest joint of the back."]
    Spine "spine" "mixamorig:Spine" "spine_01" "Spine" "DEF-spine.001";
    #[doc = "The middle of the back."]
    Chest "chest" "mixamorig:Spine1" "spine_02" "Chest" "DEF-spine.002";
    #[doc = "What carries the shoulders."]
    UpperChest "upperChest" "mixamorig:Spine2" "spine_03" "UpperChest" "DEF-spine.003";
    #[doc = "Carries the head."]
    Neck "neck" "mixamorig:Neck" "neck_01" "Neck" "DEF-spine.004";
    #[doc = "The head."]
    Head "head" "mixamorig:Head" "head" "Head" "DEF-spine.006";
    #[doc = "The lower jaw."]
    Jaw "jaw" "mixamorig:Jaw" "jaw" "Jaw" "DEF-jaw";
    #[doc = "The left eye."]
    LeftEye "leftEye" "mixamorig:LeftEye" "eye_l" "LeftEye" "DEF-eye.L";
    #[doc = "The left hip joint."]
    LeftUpperLeg "leftUpperLeg" "mixamorig:LeftUpLeg" "thigh_l" "LeftUpperLeg" "DEF-thigh.L";
    #[doc = "The left knee."]
    LeftLowerLeg "leftLowerLeg" "mixamorig:LeftLeg" "calf_l" "LeftLowerLeg" "DEF-shin.L";
    #[doc = "The left ankle."]
    LeftFoot "leftFoot" "mixamorig:LeftFoot" "foot_l" "LeftFoot" "DEF-foot.L";
    #[doc = "The left toes."]
    LeftToes "leftToes" "mixamorig:LeftToeBase" "ball_l" "LeftToes" "DEF-toe.L";
    #[doc = "The left collarbone."]
    LeftShoulder "leftShoulder" "mixamorig:LeftShoulder" "clavicle_l" "LeftShoulder" "DEF-shoulder.L";
    #[doc = "The left shoulder joint."]
    LeftUpperArm "leftUpperArm" "mixamorig:LeftArm" "upperarm_l" "LeftUpperArm" "DEF-upper_arm.L";
    #[doc = "The left elbow."]
    LeftLowerArm "leftLowerArm" "mixamorig:LeftForeArm" "lowerarm_l" "LeftLowerArm" "DEF-forearm.L";
    #[doc = "The left wrist."]
    LeftHand "leftHand" "mixamorig:LeftHand" "hand_l" "LeftHand" "DEF-hand.L";
    #[doc = "Joint 1 of the left thumb."]
    LeftThumbMetacarpal "leftThumbMetacarpal" "mixamorig:LeftHandThumb1" "thumb_01_l" "LeftThumbProximal" "DEF-thumb.01.L";
    #[doc = "Joint 2 of the left thumb."]
    LeftThumbProximal "leftThumbProximal" "mixamorig:LeftHandThumb2" "thumb_02_l" "LeftThumbIntermediate" "DEF-thumb.02.L";
    #[doc = "Joint 3 of the left thumb."]
    LeftThumbDistal "leftThumbDistal" "mixamorig:LeftHandThumb3" "thumb_03_l" "LeftThumbDistal" "DEF-thumb.03.L";
    #[doc = "Joint 1 of the left index finger."]
    LeftIndexProximal "leftIndexProximal" "mixamorig:LeftHandIndex1" "index_01_l" "LeftIndexProximal" "DEF-f_index.01.L";
    #[doc = "Joint 2 of the left index finger."]
    LeftIndexIntermediate "leftIndexIntermediate" "mixamorig:LeftHandIndex2" "index_02_l" "LeftIndexIntermediate" "DEF-f_index.02.L";
    #[doc = "Joint 3 of the left index finger."]
    LeftIndexDistal "leftIndexDistal" "mixamorig:LeftHandIndex3" "index_03_l" "LeftIndexDistal" "DEF-f_index.03.L";
    #[doc = "Joint 1 of the left middle finger."]
    LeftMiddleProximal "leftMiddleProximal" "mixamorig:LeftHandMiddle1" "middle_01_l" "LeftMiddleProximal" "DEF-f_middle.01.L";
    #[doc = "Joint 2 of the left middle finger."]
    LeftMiddleIntermediate "leftMiddleIntermediate" "mixamorig:LeftHandMiddle2" "middle_02_l" "LeftMiddleIntermediate" "DEF-f_middle.02.L";
    #[doc = "Joint 3 of the left middle finger."]
    LeftMiddleDistal "leftMiddleDistal" "mixamorig:LeftHandMiddle3" "middle_03_l" "LeftMiddleDistal" "DEF-f_middle.03.L";
    #[doc = "Joint 1 of the left ring finger."]
    LeftRingProximal "leftRingProximal" "mixamorig:LeftHandRing1" "ring_01_l" "LeftRingProximal" "DEF-f_ring.01.L";
    #[doc = "Joint 2 of the left ring finger."]
    LeftRingIntermediate "leftRingIntermediate" "mixamorig:LeftHandRing2" "ring_02_l" "LeftRingIntermediate" "DEF-f_ring.02.L";
    #[doc = "Joint 3 of the left ring finger."]
    LeftRingDistal "leftRingDistal" "mixamorig:LeftHandRing3" "ring_03_l" "LeftRingDistal" "DEF-f_ring.03.L";
    #[doc = "Joint 1 of the left little finger."]
    LeftLittleProximal "leftLittleProximal" "mixamorig:LeftHandPinky1" "pinky_01_l" "LeftLittleProximal" "DEF-f_pinky.01.L";
    #[doc = "Joint 2 of the left little finger."]
    LeftLittleIntermediate "leftLittleIntermediate" "mixamorig:LeftHandPinky2" "pinky_02_l" "LeftLittleIntermediate" "DEF-f_pinky.02.L";
    #[doc = "Joint 3 of the left little finger."]
    LeftLittleDistal "leftLittleDistal" "mixamorig:LeftHandPinky3" "pinky_03_l" "LeftLittleDistal" "DEF-f_pinky.03.L";
    #[doc = "The right eye."]
    RightEye "rightEye" "mixamorig:RightEye" "eye_r" "RightEye" "DEF-eye.R";
    #[doc = "The right hip joint."]
    RightUpperLeg "rightUpperLeg" "mixamorig:RightUpLeg" "thigh_r" "RightUpperLeg" "DEF-thigh.R";
    #[doc = "The right knee."]
    RightLowerLeg "rightLowerLeg" "mixamorig:RightLeg" "calf_r" "RightLowerLeg" "DEF-shin.R";
    #[doc = "The right ankle."]
    RightFoot "rightFoot" "mixamorig:RightFoot" "foot_r" "RightFoot" "DEF-foot.R";
    #[doc = "The right toes."]
    RightToes "rightToes" "mixamorig:RightToeBase" "ball_r" "RightToes" "DEF-toe.R";
    #[doc = "The right collarbone."]
    RightShoulder "rightShoulder" "mixamorig:RightShoulder" "clavicle_r" "RightShoulder" "DEF-shoulder.R";
    #[doc = "The right shoulder joint."]
    RightUpperArm "rightUpperArm" "mixamorig:RightArm" "upperarm_r" "RightUpperArm" "DEF-upper_arm.R";
    #[doc = "The right elbow."]
    RightLowerArm "rightLowerArm" "mixamorig:RightForeArm" "lowerarm_r" "RightLowerArm" "DEF-forearm.R";
    #[doc = "The right wrist."]
    RightHand "rightHand" "mixamorig:RightHand" "hand_r" "RightHand" "DEF-hand.R";
    #[doc = "Joint 1 of the right thumb."]
    RightThumbMetacarpal "rightThumbMetacarpal" "mixamorig:RightHandThumb1" "thumb_01_r" "RightThumbProximal" "DEF-thumb.01.R";
    #[doc = "Joint 2 of the right thumb."]
    RightThumbProximal "rightThumbProximal" "mixamorig:RightHandThumb2" "thumb_02_r" "RightThumbIntermediate" "DEF-thumb.02.R";
    #[doc = "Joint 3 of the right thumb."]
    RightThumbDistal "rightThumbDistal" "mixamorig:RightHandThumb3" "thumb_03_r" "RightThumbDistal" "DEF-thumb.03.R";
    #[doc = "Joint 1 of the right index finger."]
    RightIndexProximal "rightIndexProximal" "mixamorig:RightHandIndex1" "index_01_r" "RightIndexProximal" "DEF-f_index.01.R";
    #[doc = "Joint 2 of the right index finger."]
    RightIndexIntermediate "rightIndexIntermediate" "mixamorig:RightHandIndex2" "index_02_r" "RightIndexIntermediate" "DEF-f_index.02.R";
    #[doc = "Joint 3 of the right index finger."]
    RightIndexDistal "rightIndexDistal" "mixamorig:RightHandIndex3" "index_03_r" "RightIndexDistal" "DEF-f_index.03.R";
    #[doc = "Joint 1 of the right middle finger."]
    RightMiddleProximal "rightMiddleProximal" "mixamorig:RightHandMiddle1" "middle_01_r" "RightMiddleProximal" "DEF-f_middle.01.R";
    #[doc = "Joint 2 of the right middle finger."]
    RightMiddleIntermediate "rightMiddleIntermediate" "mixamorig:RightHandMiddle2" "middle_02_r" "RightMiddleIntermediate" "DEF-f_middle.02.R";
    #[doc = "Joint 3 of the right middle finger."]
    RightMiddleDistal "rightMiddleDistal" "mixamorig:RightHandMiddle3" "middle_03_r" "RightMiddleDistal" "DEF-f_middle.03.R";
    #[doc = "Joint 1 of the right ring finger."]
    RightRingProximal "rightRingProximal" "mixamorig:RightHandRing1" "ring_01_r" "RightRingProximal" "DEF-f_ring.01.R";
    #[doc = "Joint 2 of the right ring finger."]
    RightRingIntermediate "rightRingIntermediate" "mixamorig:RightHandRing2" "ring_02_r" "RightRingIntermediate" "DEF-f_ring.02.R";
    #[doc = "Joint 3 of the right ring finger."]
    RightRingDistal "rightRingDistal" "mixamorig:RightHandRing3" "ring_03_r" "RightRingDistal" "DEF-f_ring.03.R";
    #[doc = "Joint 1 of the right little finger."]
    RightLittleProximal "rightLittleProximal" "mixamorig:RightHandPinky1" "pinky_01_r" "RightLittleProximal" "DEF-f_pinky.01.R";
    #[doc = "Joint 2 of the right little finger."]
    RightLittleIntermediate "rightLittleIntermediate" "mixamorig:RightHandPinky2" "pinky_02_r" "RightLittleIntermediate" "DEF-f_pinky.02.R";
    #[doc = "Joint 3 of the right little finger."]
    RightLittleDistal "rightLittleDistal" "mixamorig:RightHandPinky3" "pinky_03_r" "RightLittleDistal" "DEF-f_pinky.03.R";
}

impl StandardBone {
    /// The bone that VRM calls so.
    pub fn from_vrm(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|b| b.name_in(NameScheme::Vrm) == name)
    }

    /// Which side it is on; none for trunk and head.
    pub fn side(self) -> Option<Side> {
        let name = self.name_in(NameScheme::Vrm);
        match () {
            () if name.starts_with("left") => Some(Side::Left),
            () if name.starts_with("right") => Some(Side::Right),
            () => None,
        }
    }

    /// The same bone of a side; itself if it is on none.
    pub fn on(self, side: Side) -> Self {
        if self.side().is_none_or(|own| own == side) {
            self
        } else {
            self.mirrored()
        }
    }

    /// The bone of the other side; itself if it is on none.
    pub fn mirrored(self) -> Self {
        let at = self as usize;
        let sided = Self::LeftEye as usize;
        let each = (BONES - sided) / 2;
        match self.side() {
            None => self,
            Some(Side::Left) => Self::ALL[at + each],
            Some(Side::Right) => Self::ALL[at - each],
        }
    }

    /// The bone that it hangs on if all are there.
    pub fn parent(self) -> Option<Self> {
        use StandardBone as B;
        let left = match self.on(Side::Left) {
            B::Hips => return None,
            B::Spine | B::LeftUpperLeg => B::Hips,
            B::Chest => B::Spine,
            B::UpperChest => B::Chest,
            B::Neck | B::LeftShoulder => B::UpperChest,
            B::Head => B::Neck,
            B::Jaw | B::LeftEye => B::Head,
            B::LeftThumbMetacarpal
            | B::LeftIndexProximal
            | B::LeftMiddleProximal
            | B::LeftRingProximal
            | B::LeftLittleProximal => B::LeftHand,
            // Along a limb each hangs on the one before it.
            bone => Self::ALL[bone as usize - 1],
        };
        Some(self.side().map_or(left, |side| left.on(side)))
    }

    /// Whether VRM asks for it.
    pub fn is_required(self) -> bool {
        use StandardBone as B;
        matches!(
            self.on(Side::Left),
            B::Hips
                | B::Spine
                | B::Head
                | B::LeftUpperLeg
                | B::LeftLowerLeg
                | B::LeftFoot
                | B::LeftUpperArm
                | B::LeftLowerArm
                | B::LeftHand
        )
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_vrms_own_and_differ() {
        for bone in StandardBone::ALL {
            // serde's camelCase is the variant's name with a small first letter.
            let mut variant = format!("{bone:?}");
            variant[..1].make_ascii_lowercase();
            assert_eq!(variant, bone.name_in(NameScheme::Vrm));
            assert_eq!(StandardBone::from_vrm(bone.name_in(NameScheme::Vrm)), Some(bone));
        }
        for scheme in NameScheme::ALL {
            let names: BTreeSet<&str> = StandardBone::ALL.iter().map(|b| b.name_in(scheme)).collect();
            assert_eq!(names.len(), StandardBone::ALL.len(), "{scheme:?}");
        }
    }

    #[test]
    fn sides_and_parents_mirror_each_other() {
        for bone in StandardBone::ALL {
            assert_eq!(bone.mirrored().mirrored(), bone);
            assert_eq!(bone.mirrored().side(), bone.side().map(Side::other));
            assert_eq!(
                bone.mirrored().parent(),
                bone.parent().map(StandardBone::mirrored)
            );
            assert!(bone.parent().is_none_or(|p| p < bone), "{bone:?}");
        }
        use StandardBone as B;
        assert_eq!(B::RightLowerArm.parent(), Some(B::RightUpperArm));
        assert_eq!(B::LeftLittleDistal.parent(), Some(B::LeftLittleIntermediate));
        assert_eq!(B::RightShoulder.parent(), Some(B::UpperChest));
        assert_eq!(B::RightToes.parent(), Some(B::RightFoot));
        assert_eq!(StandardBone::ALL.iter().filter(|b| b.is_required()).count(), 15);
    }
}
