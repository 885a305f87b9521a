//! VRM 1.0 out: a humanoid's bones named for the programs that play avatars.
//!
//! Written: `VRMC_vrm` with the humanoid map and what is said about the work. The nodes' rest pose becomes the T-pose, as VRM asks;
//! the skin's bind pose stays what it is. Files that are VRM already keep all their blocks.

use ligament::character::{HumanoidMap, JointIndex, NameScheme, StandardBone, Transform};
use ligament::motion::t_pose;
use serde_json::{Map, Value, json};

use super::json::list_mut;
use super::vrm_meta::{UnknownTerm, VrmMeta};
use super::{GltfError, GltfFile};

const EXTENSION: &str = "VRMC_vrm";

/// Why a character is no VRM.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum VrmError {
    /// Bones that VRM asks for were not found.
    #[error(
        "VRM asks for bones that no joint looks like: {}; rename the joints that they are, or use another format",
        names(.bones)
    )]
    Missing {
        /// The bones.
        bones: Vec<StandardBone>,
    },
    /// Something is said that VRM has no word for.
    #[error(transparent)]
    Term(#[from] UnknownTerm),
    /// What is said about avatars of VRM 0.x has other words.
    #[error(
        "this is VRM 0.x, which says other things about its avatar: what is asked for can be said in VRM 1.0 alone"
    )]
    Old,
    /// The document that was made cannot be read.
    #[error(transparent)]
    Gltf(#[from] GltfError),
}

fn names(bones: &[StandardBone]) -> String {
    let names: Vec<&str> = bones.iter().map(|b| b.name_in(NameScheme::Vrm)).collect();
    names.join(", ")
}

impl GltfFile {
    /// Whether it says that it is an avatar.
    pub fn is_vrm(&self) -> bool {
        let extensions = self.document.json().get("extensions");
        extensions.is_some_and(|e| e.get(EXTENSION).is_some() || e.get("VRM").is_some())
    }

    /// The same file as VRM 1.0. One that is VRM already keeps its blocks, but for what is said anew.
    pub fn with_vrm(&self, meta: &VrmMeta) -> Result<Self, VrmError> {
        if self.is_vrm() {
            return self.said_anew(meta);
        }
        let character = self.character();
        let skeleton = &character.skeleton;
        let map = HumanoidMap::of(skeleton);
        let missing = map.missing();
        if !missing.is_empty() {
            return Err(VrmError::Missing { bones: missing });
        }
        let node_of_joint = &self.read.rig.node_of_joint;
        let mut document = self.document.clone();
        if let Some(pose) = t_pose(skeleton, &map) {
            for index in skeleton.indices() {
                let local = pose.locals[index.at()];
                if !same(&local, &skeleton.joint(index).rest) {
                    let location = format!("/nodes/{}", node_of_joint[index.at()]);
                    if let Some(Value::Object(node)) = document.json.pointer_mut(&location) {
                        set_rest(node, &local);
                    }
                }
            }
        }
        let mut human_bones = Map::new();
        for (bone, joint) in written_bones(&map, |a, b| {
            std::iter::successors(skeleton.joint(b).parent, |&j| skeleton.joint(j).parent).any(|j| j == a)
        }) {
            let name = bone.name_in(NameScheme::Vrm).to_owned();
            human_bones.insert(name, json!({ "node": node_of_joint[joint.at()] }));
        }
        let object = document.object_mut();
        let used = list_mut(object, "extensionsUsed");
        used.push(EXTENSION.into());
        let extensions = object
            .entry("extensions")
            .or_insert_with(|| Value::Object(Map::new()));
        if let Value::Object(extensions) = extensions {
            extensions.insert(
                EXTENSION.to_owned(),
                json!({
                    "specVersion": "1.0",
                    "meta": meta.whole(&character.name)?,
                    "humanoid": { "humanBones": human_bones },
                }),
            );
        }
        Ok(self.again(document)?)
    }

    /// An avatar with some of what is said about it replaced.
    fn said_anew(&self, meta: &VrmMeta) -> Result<Self, VrmError> {
        let said = meta.said()?;
        if said.is_empty() {
            return Ok(self.clone());
        }
        let mut document = self.document.clone();
        let location = format!("/extensions/{EXTENSION}/meta");
        let Some(Value::Object(block)) = document.json.pointer_mut(&location) else {
            return Err(VrmError::Old);
        };
        block.extend(said);
        Ok(self.again(document)?)
    }
}

/// The bones whose place in the hierarchy is as VRM asks: below the bone that they belong to, which is there too where it
/// must be.
fn written_bones(
    map: &HumanoidMap,
    is_above: impl Fn(JointIndex, JointIndex) -> bool,
) -> Vec<(StandardBone, JointIndex)> {
    use StandardBone as B;
    let mut written: Vec<(StandardBone, JointIndex)> = Vec::new();
    for mapped in map.bones() {
        // A back of two joints has a chest, not an upper chest.
        let bone = match mapped.bone {
            B::UpperChest if map.joint_of(B::Chest).is_none() => B::Chest,
            bone => bone,
        };
        let needs_parent =
            !bone.is_required() && !matches!(bone, B::Chest | B::Neck | B::LeftShoulder | B::RightShoulder);
        let nearest = std::iter::successors(bone.parent(), |b| b.parent())
            .find_map(|b| written.iter().find(|w| w.0 == b).copied());
        let fits = nearest.is_none_or(|(above, joint)| {
            is_above(joint, mapped.joint) && (!needs_parent || Some(above) == bone.parent())
        });
        if fits || bone.is_required() {
            written.push((bone, mapped.joint));
        }
    }
    written
}

fn same(a: &Transform, b: &Transform) -> bool {
    a.translation.distance(b.translation) <= 1e-6 * (1.0 + b.translation.length())
        && a.rotation.dot(b.rotation).abs() > 1.0 - 1e-12
}

fn set_rest(node: &mut Map<String, Value>, local: &Transform) {
    node.remove("matrix");
    node.insert("translation".to_owned(), json!(local.translation.to_array()));
    node.insert("rotation".to_owned(), json!(local.rotation.to_array()));
    node.insert("scale".to_owned(), json!(local.scale.to_array()));
}
