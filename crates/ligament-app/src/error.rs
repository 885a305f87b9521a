//! Why a request was not carried out.

use std::path::{Path, PathBuf};

use ligament::bind::{BindError, DeformChoiceError, TableError, UnknownMethod};
use ligament::character::MeshError;
use ligament::deform::DeformError;
use ligament::edit::EditError;
use ligament::inspect::InspectError;
use ligament::measure::MeasureError;
use ligament::motion::builtin::BuiltinError;
use ligament::motion::retarget::{MatchError, RetargetError};
use ligament::repair::RepairError;
use ligament::rig::ExtractError;
use ligament::sample::SampleError;
use ligament::skin::SkinError;
use ligament::task::Cancelled;
use ligament::transfer::{JointMapError, Misfit, NotTheSame, TransferError};
use ligament_io::atomic::WriteError;
use ligament_io::cells::CellsError;
use ligament_io::gltf::{GltfError, SaveError, VrmError, WriteWeightsError};
use ligament_io::open::OpenError;
use ligament_io::registry::UnknownEnding;
use ligament_io::{fbx, usd, voxels::VoxelsError};
use ligament_render::{EncodeError, RenderError};

use crate::batch::BatchError;
use crate::method_options::UnknownOption;

/// Why a request was not carried out. Nothing was written, unless the message says so.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum AppError {
    /// An option has a value that it cannot have.
    #[error("{option} {rule}; got {found}")]
    BadValue {
        /// The option, as the request's field is called, in words.
        option: &'static str,
        /// What it may be: "is a share from 0 to 1".
        rule: String,
        /// What it is.
        found: String,
    },
    /// There is no method of that name.
    #[error(transparent)]
    UnknownMethod(#[from] UnknownMethod),
    /// The method does not know an option.
    #[error(transparent)]
    UnknownOption(#[from] UnknownOption),
    /// The method has no such preset.
    #[error("'{method}' has no preset '{preset}'; it has {known}")]
    UnknownPreset {
        /// The method.
        method: &'static str,
        /// The name asked for.
        preset: String,
        /// The names that it has.
        known: String,
    },
    /// What a file holds already leaves no room for an option.
    #[error("'{file}' was prepared before, so '{option}' changes nothing; leave one of them out")]
    PreparedBefore {
        /// The option that names the file.
        file: &'static str,
        /// The other option.
        option: &'static str,
    },

    /// A file cannot be opened.
    #[error("{}", in_file(path, source, source.names(path)))]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        source: OpenError,
    },
    /// Units or axes were given for a file that states its own.
    #[error("'{name}' says itself what its units and axes are")]
    StatesUnits {
        /// What it is called.
        name: String,
    },
    /// The input is a folder.
    #[error("this is a folder, not a file: {}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
    },
    /// There is no such sample.
    #[error(transparent)]
    Sample(#[from] SampleError),
    /// The system refused to read a file.
    #[error("cannot read ({source}): {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A JSON file holds something else.
    #[error("this is not {wanted} ({source}): {}", path.display())]
    Json {
        /// The file.
        path: PathBuf,
        /// What it should hold.
        wanted: &'static str,
        /// Where it differs.
        source: serde_json::Error,
    },
    /// A line of a list of points is none.
    #[error("line {line} is no point: three numbers are needed: {}", path.display())]
    NotAPoint {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// Points have no surface that a method could bind.
    #[error(
        "points without faces are bound by a field that was fitted to a character: make one with 'field fit' and name it as the field"
    )]
    PointsWithoutField,
    /// Points hold no skeleton.
    #[error("points have no skeleton of their own; name the file that has it as the skeleton")]
    PointsWithoutSkeleton,
    /// Points that nobody bound.
    #[error("these points have no weights; bind them by a field before, or name a field to pose them by")]
    PointsWithoutWeights,
    /// Weights in a file of points that cannot be used.
    #[error("the points' weights cannot be used: {problem}: {}", path.display())]
    PointWeights {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        problem: String,
    },
    /// Points go back to where they came from.
    #[error("points are written as .ply, or their weights alone as .csv, .npz, .json, .xml or .txt: {}", path.display())]
    PointsAsPly {
        /// The file that was asked for.
        path: PathBuf,
    },
    /// An option that needs faces.
    #[error("'{option}' is not for points without faces")]
    NotForPoints {
        /// The option.
        option: &'static str,
    },
    /// An option that is for points alone.
    #[error("'field' is for points without faces; a character is posed by the weights that it has")]
    FieldForPoints,
    /// A line of a map of joints names no two.
    #[error("line {line} names no two joints: write BODY = GARMENT: {}", path.display())]
    NotAPair {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// A field of cells cannot be read.
    #[error("{source}: {}", path.display())]
    Field {
        /// The file.
        path: PathBuf,
        /// Why.
        source: CellsError,
    },
    /// A prepared binding cannot be read.
    #[error("{}", in_file(path, source, matches!(source, VoxelsError::Io { .. })))]
    Binding {
        /// The file.
        path: PathBuf,
        /// Why.
        source: VoxelsError,
    },
    /// A prior cannot be used.
    #[error("{}: {source}; `none` binds without one", path.display())]
    Prior {
        /// The file.
        path: PathBuf,
        /// Why.
        source: TableError,
    },
    /// A prepared binding belongs to another character.
    #[error("{source}: {}", path.display())]
    BindingUsed {
        /// The file.
        path: PathBuf,
        /// Why.
        source: BindError,
    },

    /// There is no joint that skin could follow.
    #[error(
        "{input} has no skeleton: no skin and no node that looks like a joint; take one from another file, or make one by rigging"
    )]
    NoSkeleton {
        /// What the user calls the input.
        input: String,
    },
    /// A skeleton was given for a file that has one.
    #[error("'{name}' has a skeleton already; leave the other file's skeleton out")]
    HasSkeleton {
        /// The character.
        name: String,
    },
    /// Motion was given for a glTF file, but no skeleton.
    #[error(
        "motion from another file needs a skeleton from another file too where the input is glTF; its own clips are used as they are"
    )]
    MotionAlone,
    /// Weights are needed and there are none.
    #[error("'{name}' has no weights yet; bind it first")]
    NoWeights {
        /// The character.
        name: String,
    },
    /// A vertex that the source does not have.
    #[error("there is no vertex {vertex}; the last one is {last}")]
    NoVertex {
        /// The number asked for.
        vertex: u32,
        /// The last that there is.
        last: usize,
    },
    /// No joint has that name.
    #[error("there is no joint '{joint}' in '{name}'; it has {known}, …")]
    NoJoint {
        /// The name asked for.
        joint: String,
        /// The character.
        name: String,
        /// Some that there are.
        known: String,
    },
    /// No clip has that name.
    #[error("there is no clip '{clip}'; {}", known_clips(known))]
    NoClip {
        /// The name asked for.
        clip: String,
        /// Those that there are.
        known: Vec<String>,
    },
    /// A pose from a clip is wanted, and there are no clips.
    #[error("'{name}' has no clips to take a pose from")]
    NoClips {
        /// The character.
        name: String,
    },
    /// A character cannot be written as VRM.
    #[error(transparent)]
    Vrm(#[from] VrmError),
    /// There is no such built-in motion, or not for this character.
    #[error(transparent)]
    Builtin(#[from] BuiltinError),
    /// Joints of a motion cannot be matched to the character's.
    #[error("{source} (the motion is {motion})")]
    Unmatched {
        /// Where the motion is from.
        motion: String,
        /// What is missing.
        source: MatchError,
    },
    /// A motion cannot be carried over.
    #[error("{source} (the motion is {motion})")]
    Retarget {
        /// Where the motion is from.
        motion: String,
        /// Why.
        source: RetargetError,
    },
    /// Nothing was posed, so nothing can be measured.
    #[error("'{name}' has no pose to measure in; {way_out}")]
    NoPose {
        /// The character.
        name: String,
        /// What can be done.
        way_out: &'static str,
    },
    /// A file holds another character than the one it is compared with.
    #[error("cannot compare with {input}: {source}")]
    NotTheSame {
        /// The other file.
        input: String,
        /// What differs.
        source: NotTheSame,
    },
    /// Two columns of a comparison would have one name.
    #[error("two columns are called '{name}'; give one of them another name")]
    SameName {
        /// The name.
        name: String,
    },
    /// Nothing was chosen that could be compared.
    #[error("there is nothing to compare; choose methods, other files or the file's own weights")]
    NothingToCompare,
    /// All methods that were to be compared failed.
    #[error("nothing could be bound; {name}: {why}")]
    NothingBound {
        /// The first of them.
        name: String,
        /// Why it failed.
        why: String,
    },
    /// A step of an edit script cannot be done.
    #[error("step {number} of the script ({command}): {problem}")]
    Step {
        /// Which one, from 1.
        number: usize,
        /// Its command.
        command: String,
        /// Why.
        problem: String,
    },
    /// A choice of vertices means nothing.
    #[error("'{word}' chooses no vertices: {rule}")]
    BadChoice {
        /// The choice.
        word: String,
        /// Why.
        rule: String,
    },
    /// Choices of vertices take out what they put in.
    #[error("the choice of vertices ({words}) leaves none")]
    NoVertexChosen {
        /// The choices.
        words: String,
    },
    /// Part of a mesh is to get weights, and the rest has none to keep.
    #[error("'{name}' has no weights that the rest of it could keep; leave out what limits the transfer")]
    NothingToKeep {
        /// The character.
        name: String,
    },
    /// A step of several cannot be done.
    #[error("{verb}: {problem}")]
    WeightStep {
        /// The verb.
        verb: &'static str,
        /// Why.
        problem: String,
    },
    /// A body and a garment share no joint.
    #[error(
        "{target} has joints of its own ({theirs}, …) and none of those that move {body} ({ours}, …); map them, or name what their names begin or end with"
    )]
    NoJointInCommon {
        /// What the user calls the body.
        body: String,
        /// What the user calls the garment.
        target: String,
        /// Some of the body's joints.
        ours: String,
        /// Some of the garment's.
        theirs: String,
    },
    /// A body and a garment were not made for each other.
    #[error("{target}: {source}; ask for the body to be fitted to it")]
    Misfit {
        /// What the user calls the garment.
        target: String,
        /// How they differ.
        source: Misfit,
    },
    /// Several outputs would be one file.
    #[error("{} would be written twice; give the targets different names", path.display())]
    SameOutput {
        /// The file.
        path: PathBuf,
    },
    /// A slice leaves no voxel.
    #[error("the slice leaves no voxel to show; choose another share")]
    EmptySlice,

    /// The output's name asks for nothing that can be written.
    #[error("{source}: {}", path.display())]
    UnknownEnding {
        /// The output.
        path: PathBuf,
        /// What is known.
        source: UnknownEnding,
    },
    /// Weights alone are to be written, and there are none.
    #[error("there are no weights to write; bind the character first: {}", path.display())]
    NothingToWrite {
        /// The output.
        path: PathBuf,
    },
    /// A file or folder cannot be written.
    #[error("cannot make the folder ({source}): {}", path.display())]
    Folders {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: std::io::Error,
    },
    /// A file cannot be written.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A glTF document cannot be written.
    #[error(transparent)]
    SaveGltf(#[from] SaveError),
    /// A USD layer cannot be written.
    #[error(transparent)]
    SaveUsd(#[from] usd::SaveError),
    /// A character cannot be written as FBX.
    #[error(transparent)]
    SaveFbx(#[from] fbx::WriteError),
    /// Weights cannot go into a document.
    #[error(transparent)]
    WriteWeights(#[from] WriteWeightsError),
    /// A document that was made here cannot be read back.
    #[error(transparent)]
    Gltf(#[from] GltfError),

    /// The mesh cannot be worked on.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The choice of joints names none.
    #[error(transparent)]
    Deform(#[from] DeformChoiceError),
    /// The character cannot be bound.
    #[error(transparent)]
    Bind(#[from] BindError),
    /// Weights cannot be measured.
    #[error(transparent)]
    Measure(#[from] MeasureError),
    /// The skin cannot be posed.
    #[error(transparent)]
    Skinning(#[from] DeformError),
    /// The character cannot be inspected.
    #[error(transparent)]
    Inspect(#[from] InspectError),
    /// No skeleton can be extracted.
    #[error(transparent)]
    Extract(#[from] ExtractError),
    /// Weights cannot be transferred.
    #[error(transparent)]
    Transfer(#[from] TransferError),
    /// Joints do not answer to each other.
    #[error(transparent)]
    JointMap(#[from] JointMapError),
    /// Weights cannot be repaired.
    #[error(transparent)]
    Repair(#[from] RepairError),
    /// A character has no skin.
    #[error(transparent)]
    Skin(#[from] SkinError),
    /// The rig cannot be edited.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// A picture cannot be drawn.
    #[error(transparent)]
    Render(#[from] RenderError),
    /// A picture cannot be encoded.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// A batch cannot begin or go on.
    #[error(transparent)]
    Batch(#[from] BatchError),
    /// The caller asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// A message that names its file once, at the end.
fn in_file(path: &Path, source: &dyn std::error::Error, names_it: bool) -> String {
    if names_it {
        source.to_string()
    } else {
        format!("{source}: {}", path.display())
    }
}

fn known_clips(known: &[String]) -> String {
    if known.is_empty() {
        "the file has none".to_owned()
    } else {
        format!("the file has: {}", known.join(", "))
    }
}

impl AppError {
    /// An option's value is outside what it may be.
    pub(crate) fn bad_value(
        option: &'static str,
        rule: impl Into<String>,
        found: impl std::fmt::Display,
    ) -> Self {
        Self::BadValue {
            option,
            rule: rule.into(),
            found: found.to_string(),
        }
    }

    pub(crate) fn read(path: &Path, source: std::io::Error) -> Self {
        Self::Read {
            path: path.to_owned(),
            source,
        }
    }
}
