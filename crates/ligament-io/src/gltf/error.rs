//! What can be wrong with a glTF file, and what was repaired.

use std::path::PathBuf;

use serde::Serialize;

/// Why a glTF file cannot be read. Messages name the location and a way out.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GltfError {
    /// The system refused to read a file.
    #[error("cannot read ({source}): {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// The bytes are no glTF at all.
    #[error("this is not a glTF 2.0 file: {problem}; expected a .glb, .gltf or .vrm")]
    NotGltf {
        /// What speaks against it.
        problem: String,
    },
    /// The JSON text is broken.
    #[error("the file's JSON is broken ({0}); export it again")]
    Json(serde_json::Error),
    /// Something in the file contradicts itself or the specification.
    #[error("{location}: {problem}; export the file again, or run it through a glTF validator")]
    Malformed {
        /// A JSON pointer such as `/accessors/3`.
        location: String,
        /// What is wrong there.
        problem: String,
    },
    /// The file is sound but uses what this reader does not know.
    #[error("{location}: {what} is not supported; {way_out}")]
    Unsupported {
        /// A JSON pointer.
        location: String,
        /// The feature.
        what: String,
        /// What the user can do.
        way_out: &'static str,
    },
    /// A reference leaves the model's folder.
    #[error(
        "{location}: '{uri}' is outside the model's folder and was not opened; move the file beside the model"
    )]
    OutsideFolder {
        /// A JSON pointer.
        location: String,
        /// The reference.
        uri: String,
    },
    /// There is no scene of that name or number.
    #[error("there is no scene '{asked}'; the file's scenes are {known}")]
    NoSuchScene {
        /// What was asked for.
        asked: String,
        /// Numbers and names of those that there are.
        known: String,
    },
}

impl GltfError {
    pub(super) fn malformed(location: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Malformed {
            location: location.into(),
            problem: problem.into(),
        }
    }
}

/// Something that a file has wrong and that was repaired or lived with.
#[derive(Debug, Clone, PartialEq, Serialize, thiserror::Error)]
#[serde(tag = "code", rename_all = "snake_case")]
#[non_exhaustive]
pub enum GltfWarning {
    /// Weights that did not sum to one were scaled.
    #[error(
        "{part}: {vertices} vertices had weights that do not sum to one (from {least} to {most}); they were normalised"
    )]
    SumsNotOne {
        /// The part at fault.
        part: String,
        /// How many vertices.
        vertices: usize,
        /// The smallest sum.
        least: f32,
        /// The largest sum.
        most: f32,
    },
    /// Weights that were NaN, infinite or negative were dropped.
    #[error("{part}: {vertices} vertices had weights that are NaN, infinite or negative; those were dropped")]
    BadWeights {
        /// The part at fault.
        part: String,
        /// How many vertices.
        vertices: usize,
    },
    /// Joint indices past the end of the skin were dropped.
    #[error(
        "{part}: {vertices} vertices referred to joints that the skin does not have; those influences were dropped"
    )]
    JointOutOfRange {
        /// The part at fault.
        part: String,
        /// How many vertices.
        vertices: usize,
    },
    /// A joint that a vertex listed twice was joined.
    #[error("{part}: {vertices} vertices listed a joint twice; the weights were added")]
    RepeatedJoint {
        /// The part at fault.
        part: String,
        /// How many vertices.
        vertices: usize,
    },
    /// Vertices without any weight follow the skin's first joint.
    #[error(
        "{part}: {vertices} vertices had no weight at all; they follow the skin's first joint until bound"
    )]
    Unweighted {
        /// The part at fault.
        part: String,
        /// How many vertices.
        vertices: usize,
    },
    /// Joint indices are stored in a type that glTF forbids.
    #[error(
        "{part}: joint indices are stored as {component}, which glTF forbids; they were read all the same"
    )]
    WideJoints {
        /// The part at fault.
        part: String,
        /// The component type found.
        component: &'static str,
    },
    /// A joint's inverse bind matrix cannot be inverted.
    #[error(
        "joint '{joint}' has an inverse bind matrix that cannot be inverted; its position was taken from the rest pose"
    )]
    BadBindMatrix {
        /// The joint's name.
        joint: String,
    },
    /// A skin has fewer inverse bind matrices than joints.
    #[error(
        "skin {skin} has {matrices} inverse bind matrices for {joints} joints; the others' positions were taken from the rest pose"
    )]
    MissingBindMatrices {
        /// Index of the skin.
        skin: usize,
        /// How many matrices there are.
        matrices: usize,
        /// How many joints there are.
        joints: usize,
    },
    /// Two skins bind the same joint at different positions.
    #[error("skins {first} and {second} bind joint '{joint}' in different poses; the first one's was kept")]
    SkinsDisagree {
        /// Index of the skin whose pose was kept.
        first: usize,
        /// Index of the other skin.
        second: usize,
        /// The joint's name.
        joint: String,
    },
    /// One mesh is drawn by several skinned nodes.
    #[error("mesh {mesh} is used by several skinned nodes; node {node} shares the weights of the first")]
    SharedMesh {
        /// Index of the mesh.
        mesh: usize,
        /// Index of the later node.
        node: usize,
    },
    /// The file has no skin; joints were guessed from its nodes.
    #[error("no skin names any joints; took the {joints} nodes below '{root}' for the skeleton")]
    GuessedSkeleton {
        /// How many nodes.
        joints: usize,
        /// The topmost of them.
        root: String,
    },
    /// A primitive that is no triangles was left alone.
    #[error("{part}: {what} were left as they are")]
    NotTriangles {
        /// The part.
        part: String,
        /// Points or lines.
        what: &'static str,
    },
    /// An unskinned mesh beside skinned ones was left alone.
    #[error("{part} has no skin and hangs on '{node}'; it moves as one piece and is not bound")]
    RigidPart {
        /// The part.
        part: String,
        /// The node that carries it.
        node: String,
    },
    /// Scenery that is drawn too often to be part of a character was left out.
    #[error("{nodes} nodes draw unskinned meshes again and again; they were left out of the character")]
    TooManyInstances {
        /// How many nodes.
        nodes: usize,
    },
    /// A track that cannot be played was left out.
    #[error("clip '{clip}': a track of '{node}' was left out: {problem}")]
    BadTrack {
        /// The clip's name.
        clip: String,
        /// The node it drives.
        node: String,
        /// What is wrong.
        problem: String,
    },
    /// Draco's compression was undone; what is written is plain.
    #[error("{primitives} primitives were compressed with Draco; they are written uncompressed")]
    DracoExpanded {
        /// How many primitives.
        primitives: usize,
    },
    /// The file holds several scenes, one of which was taken.
    #[error("the file holds several scenes; '{taken}' was taken, left alone were: {}", others.join(", "))]
    SeveralScenes {
        /// The scene that was taken: its name, or its number where it has none.
        taken: String,
        /// The others that show anything.
        others: Vec<String>,
    },
    /// Triangles that point at vertices which do not exist were left out.
    #[error("{part}: {triangles} triangles refer to vertices that do not exist; they were left out")]
    TrianglesOutOfRange {
        /// The part.
        part: String,
        /// How many.
        triangles: usize,
    },
}

impl GltfWarning {
    /// Whether something in the file is wrong, rather than merely worth knowing.
    pub fn is_fault(&self) -> bool {
        !matches!(
            self,
            Self::SharedMesh { .. }
                | Self::GuessedSkeleton { .. }
                | Self::NotTriangles { .. }
                | Self::RigidPart { .. }
                | Self::TooManyInstances { .. }
                | Self::DracoExpanded { .. }
                | Self::SeveralScenes { .. }
        )
    }
}
