//! glTF 2.0: `.glb`, `.gltf` and `.vrm`, read and written without loss.
//!
//! The JSON is kept as it is and looked at only where a character is concerned; see
//! [`Document`]. All skinned meshes of a file are one character in one bind space. Writing
//! weights changes the skin's accessors and what must change with them, nothing else.

mod accessor;
mod add_clips;
mod add_skeleton;
mod build;
mod clips;
mod compact;
mod container;
mod draco;
mod edit_rig;
mod error;
mod influences;
mod json;
mod meshopt;
mod morph_targets;
mod nodes;
mod read;
mod reader;
mod scenes;
mod shape_motion;
mod skeleton;
mod split_vertices;
mod textures;
mod uses;
mod vrm;
mod vrm_meta;
mod write_weights;

use std::path::Path;
use std::sync::Arc;

use ligament::character::BlendShape;
use ligament::{Character, Clip, JointIndex, Skeleton, Weights};

pub(crate) use build::nodes_of_joints;
pub use build::{Built, build};
pub use container::{Document, SaveError};
pub use error::{GltfError, GltfWarning};
pub(crate) use morph_targets::turn_of;
pub use vrm::VrmError;
pub use vrm_meta::{UnknownTerm, VrmMeta};
pub use write_weights::{WeightFormat, WriteWeightsError};

/// A glTF file and the character in it.
#[derive(Clone)]
pub struct GltfFile {
    document: Document,
    /// The scene that was asked for.
    scene: Option<usize>,
    read: read::ReadCharacter,
}

impl GltfFile {
    /// Reads a file and everything it refers to. Of several scenes, the one that the file puts first
    /// is the character; the others stay as they are.
    pub fn open(path: &Path) -> Result<Self, GltfError> {
        Self::from_document(Document::open(path)?, &stem(path))
    }

    /// The same for the scene of this name or, if none is called so, this number, counted from zero.
    pub fn open_scene(path: &Path, scene: &str) -> Result<Self, GltfError> {
        let document = Document::open(path)?;
        let scene = scenes::find_scene(&json::Node::root(&document.json), scene)?;
        Self::of_scene(document, &stem(path), Some(scene))
    }

    /// Finds the character in a document. Primitives that Draco compressed are unfolded
    /// into plain accessors first, and stay so in what is written.
    pub fn from_document(document: Document, name: &str) -> Result<Self, GltfError> {
        Self::of_scene(document, name, None)
    }

    /// The same scene of a changed document.
    fn again(&self, document: Document) -> Result<Self, GltfError> {
        Self::of_scene(document, &self.read.character.name, self.scene)
    }

    fn of_scene(mut document: Document, name: &str, scene: Option<usize>) -> Result<Self, GltfError> {
        let unfolded = draco::unfold(&mut document)?;
        let mut read = read::read_character(&document, name, scene, unfolded.bytes)?;
        if unfolded.primitives > 0 {
            read.warnings.push(GltfWarning::DracoExpanded {
                primitives: unfolded.primitives,
            });
        }
        Ok(Self {
            document,
            scene,
            read,
        })
    }

    /// The character, in bind space. A clone shares it.
    pub fn character(&self) -> &Arc<Character> {
        &self.read.character
    }

    /// The morph targets of the character's parts, read when they are asked for: [`GltfFile::character`]
    /// comes without them. For a writer of another format, they belong into
    /// [`blend_shapes`](ligament::Mesh::blend_shapes).
    pub fn blend_shapes(&self) -> Vec<BlendShape> {
        morph_targets::read_blend_shapes(&self.document, &self.read)
    }

    /// Whether any of its animations moves morph targets.
    pub(crate) fn moves_shapes(&self) -> bool {
        shape_motion::moves_shapes(&self.document.json)
    }

    /// What was wrong with the file and was repaired or lived with.
    pub fn warnings(&self) -> &[GltfWarning] {
        &self.read.warnings
    }

    /// The document as it was read, save that Draco's compression is undone.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// The same file with a skeleton and clips from elsewhere beside its meshes, which must
    /// have none of their own yet.
    pub fn with_skeleton(&self, skeleton: &Skeleton, clips: &[Clip]) -> Result<Self, GltfError> {
        let document = add_skeleton::with_skeleton(&self.document, self.scene, skeleton, clips);
        self.again(document)
    }

    /// The same file with further clips of its skeleton after its own.
    pub fn with_clips(&self, clips: &[Clip]) -> Result<Self, GltfError> {
        let document = add_clips::with_clips(&self.document, &self.read, clips);
        self.again(document)
    }

    /// The same file with its skeleton and clips edited: `edited` is its character on an
    /// edited skeleton with weights, `origins` says for each joint of that which joint of
    /// this file it was. Nodes of joints that are gone stay where they carry something. The
    /// weights come back for the vertices and joints of the new file.
    pub fn with_edited_rig(
        &self,
        edited: &Character,
        origins: &[Option<JointIndex>],
    ) -> Result<(Self, Weights), WriteWeightsError> {
        edit_rig::with_edited_rig(self, edited, origins)
    }

    /// The same file, its character with other weights in memory; the document still has its own until it is written.
    pub fn holding(&self, weights: Weights) -> Self {
        self.with_character(Character {
            weights: Some(weights),
            ..self.read.character.as_ref().clone()
        })
    }

    /// The same file, its character with other clips in memory; the document keeps its own.
    pub fn playing(&self, clips: Vec<Clip>) -> Self {
        self.with_character(Character {
            clips,
            ..self.read.character.as_ref().clone()
        })
    }

    fn with_character(&self, character: Character) -> Self {
        Self {
            document: self.document.clone(),
            scene: self.scene,
            read: read::ReadCharacter {
                character: Arc::new(character),
                ..self.read.clone()
            },
        }
    }

    /// A copy of the document that holds other weights, one entry for each vertex of the
    /// character. Parts that are no skin keep what they have.
    pub fn with_weights(
        &self,
        weights: &Weights,
        format: WeightFormat,
    ) -> Result<Document, WriteWeightsError> {
        write_weights::with_weights(&self.document, &self.read, weights, format)
    }
}

fn stem(path: &Path) -> String {
    path.file_stem()
        .map(|s| s.to_string_lossy().into_owned())
        .unwrap_or_default()
}
