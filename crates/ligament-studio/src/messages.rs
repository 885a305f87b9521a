//! What page and server say to each other as JSON. `docs/internals/studio.md` explains every message.
//!
//! Variants are tagged from outside (`{"do": {"bind": {…}}}`): tags inside would make serde buffer numbers, which fails with
//! readers that keep numbers as text.

use ligament::character::NameScheme;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::hand_acts::HandTool;
use crate::library::Listed;
use crate::painting::Brush;
use crate::rig_acts::Standard;
use crate::rigging::Rigged;
use crate::scene::{Scene, SceneBone, SceneJoint};
use crate::state::{BindSettings, Key, Other, State, Turn};

/// The first message on every WebSocket.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hello {
    /// The session's secret.
    pub secret: String,
    /// The version of the protocol that the page speaks.
    pub version: u16,
}

/// What a page asks for.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The page's number for it, which the answer repeats.
    pub id: u32,
    /// The revision that the page saw; steps are refused when another tab was faster.
    #[serde(default)]
    pub base: Option<u32>,
    /// What to do.
    #[serde(rename = "do")]
    pub command: Command,
}

/// What can be asked for.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Command {
    /// What can be opened.
    Library {},
    /// Opens something, by its id.
    Open {
        /// The id.
        item: String,
    },
    /// A step: weights by these settings; the file's own if none.
    Bind {
        /// How.
        settings: Option<Box<BindSettings>>,
        /// What the step is called, if not as usual.
        #[serde(default)]
        label: Option<String>,
    },
    /// Shows the weights of these settings while a slider moves; no step.
    Try {
        /// How.
        settings: Box<BindSettings>,
        /// Falloffs that follow a joint are taken in this pose.
        #[serde(default)]
        pose: Option<Vec<f32>>,
    },
    /// Shows the weights of the last step again.
    Forget {},
    /// Stops a job.
    Cancel {
        /// The job.
        job: u32,
    },
    /// A step: what the weights are compared with.
    Compare {
        /// With what; nothing if none.
        other: Option<Other>,
    },
    /// A step: joints posed by hand.
    Pose {
        /// Those that are not at rest.
        turns: Vec<Turn>,
        /// What the step is called.
        label: String,
    },
    /// A step: the poses of a clip.
    Keys {
        /// All of them.
        keys: Vec<Key>,
        /// What the step is called.
        label: String,
    },
    /// Opens the same mesh on a skeleton that is found in it, as `ligament rig` does.
    Extract {
        /// How small a thing gets joints, from 0 (limbs alone) to 1.
        detail: f64,
        /// The most joints wanted.
        #[serde(default)]
        joints: Option<usize>,
        /// A standard skeleton to fit.
        #[serde(default)]
        template: Option<Standard>,
        /// Whose names its joints get.
        #[serde(default)]
        names: Option<NameScheme>,
    },
    /// A step: the rig under hands, with all that was done to it; the file's own if none.
    Rig {
        /// How, and what was done.
        rig: Option<Box<Rigged>>,
        /// What the step is called.
        label: String,
    },
    /// Shows further edits of the rig while a joint or a handle is dragged; no step.
    Drag {
        /// What is done beyond the last step.
        script: Vec<Value>,
    },
    /// Which joints would take part, and why.
    WhichJoints {
        /// The choice, as binding takes it; guessed if empty.
        #[serde(default)]
        deform: Vec<String>,
    },
    /// The middle of what a ray passes through of the body at rest.
    Snap {
        /// Where it starts.
        origin: [f32; 3],
        /// Where it goes.
        direction: [f32; 3],
        /// From the first limb to the last, instead of the first alone.
        #[serde(default)]
        whole: bool,
    },
    /// Shows another step.
    Go {
        /// Its number.
        step: usize,
    },
    /// What a ray meets first.
    Pick {
        /// Where it starts.
        origin: [f32; 3],
        /// Where it goes.
        direction: [f32; 3],
        /// The pose that the page shows; rest if none.
        pose: Option<Vec<f32>>,
        /// Which weights pose the skin: 0 the shown ones, 1 those they are compared with.
        slot: usize,
    },
    /// The vertices within a ball around what a ray meets, as the page shows them.
    Brush {
        /// Where the ray starts.
        origin: [f32; 3],
        /// Where it goes.
        direction: [f32; 3],
        /// The pose that the page shows; rest if none.
        pose: Option<Vec<f32>>,
        /// The ball's radius.
        radius: f32,
        /// By which it grows with the distance, through the screen.
        #[serde(default)]
        cone: f32,
        /// Everything within the circle on the screen, also what is behind.
        #[serde(default)]
        through: bool,
    },
    /// Touches the skin with a brush, at each ray in turn; a stroke goes on until `stroke` ends it. No step.
    Paint {
        /// The brush.
        brush: Brush,
        /// Rays, each where it starts and where it goes.
        rays: Vec<[[f32; 3]; 2]>,
        /// The brush's radius.
        radius: f32,
        /// By which it grows with the distance, for brushes that go through the screen.
        #[serde(default)]
        cone: f32,
        /// Through all that is behind, instead of along the surface.
        #[serde(default)]
        through: bool,
        /// The pose that the page shows; rest if none.
        #[serde(default)]
        pose: Option<Vec<f32>>,
    },
    /// A step: what the stroke did.
    Stroke {
        /// What the step is called.
        label: String,
    },
    /// A step: touches all that is connected to what a ray meets, up to a distance along the surface.
    Fill {
        /// The brush.
        brush: Brush,
        /// Where the ray starts.
        origin: [f32; 3],
        /// Where it goes.
        direction: [f32; 3],
        /// The pose that the page shows; rest if none.
        #[serde(default)]
        pose: Option<Vec<f32>>,
        /// How far; everything that is connected if none.
        #[serde(default)]
        reach: Option<f32>,
    },
    /// Shows the layer of edits by hand as if it covered so much. The last step stays.
    Layer {
        /// How much, 0 to 1.
        opacity: f32,
    },
    /// A step: another tool on the layer of edits by hand.
    Hands {
        /// What is done.
        tool: HandTool,
        /// What the step is called.
        label: String,
    },
    /// The weights of some vertices, as a table has them.
    Rows {
        /// Which, as the document numbers them.
        vertices: Vec<u32>,
    },
    /// Writes the layer of edits by hand as a file that `ligament bind --hand-edits` reads.
    KeepHands {},
    /// A small picture of something that can be opened, as a frame.
    Thumbnail {
        /// Its id.
        item: String,
    },
    /// What decided the weights of a vertex.
    Why {
        /// The vertex, as the document numbers it.
        vertex: u32,
    },
    /// The skin in a pose by delta mush, as a frame.
    Mush {
        /// The pose; rest if none.
        pose: Option<Vec<f32>>,
        /// Which weights.
        slot: usize,
    },
    /// A clip's poses, as a frame.
    Clip {
        /// Its number.
        clip: usize,
    },
    /// Measures the shown weights.
    Check {
        /// In the range of motion, whatever the clips do.
        range: bool,
    },
    /// Writes the character, or the weights alone.
    Export {
        /// How the file's name ends.
        format: String,
    },
    /// Writes another mesh in the same volume (a level of detail, an injured version) with weights by the shown bind's
    /// distances.
    BindOther {
        /// Its id.
        item: String,
        /// How the file's name ends.
        format: String,
    },
    /// Writes the project as one file.
    Save {},
    /// The voxels of the solid, as a frame.
    Voxels {},
    /// Who mirrors whom, as a frame.
    Mirror {},
    /// Takes up, or forgets, work that a server before this one left.
    Recover {
        /// Whether to take it up.
        accept: bool,
    },
    /// A fresh address that opens this session in another tab.
    Link {},
}

impl Command {
    /// Messages of one kind of which only the latest matters.
    pub fn latest_wins(&self) -> Option<u8> {
        match self {
            Self::Try { .. } => Some(0),
            Self::Pick { .. } => Some(1),
            Self::Mush { .. } => Some(2),
            Self::Drag { .. } => Some(3),
            Self::Snap { .. } => Some(4),
            Self::Layer { .. } => Some(5),
            Self::Brush { .. } => None, // every stamp counts
            _ => None,
        }
    }

    /// Whether it changes what undo takes back.
    pub fn is_step(&self) -> bool {
        matches!(
            self,
            Self::Bind { .. }
                | Self::Compare { .. }
                | Self::Pose { .. }
                | Self::Keys { .. }
                | Self::Rig { .. }
                | Self::Stroke { .. }
                | Self::Fill { .. }
                | Self::Hands { .. }
                | Self::Go { .. }
        )
    }
}

/// What a server tells.
#[derive(Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ServerMessage<'a> {
    /// The answer to the first message.
    Welcome {
        /// The protocol's version.
        version: u16,
        /// Ligament's.
        ligament: &'static str,
        /// What can be opened.
        library: Vec<Listed>,
        /// What exports can be.
        formats: Vec<Format>,
        /// The methods, the default first.
        methods: Vec<MethodTold>,
    },
    /// A character was opened; its mesh, pictures and weights follow as frames.
    Scene(&'a Scene),
    /// Where things stand.
    State(Box<Standing<'a>>),
    /// Joints are elsewhere, or called otherwise.
    Joints {
        /// The character's number.
        serial: u32,
        /// All of them.
        joints: Vec<SceneJoint>,
        /// Their bones.
        bones: Vec<SceneBone>,
    },
    /// How far a job is.
    Progress {
        /// Which.
        job: u32,
        /// `open`, `bind`, `check`, `export`.
        kind: &'static str,
        /// What it is at.
        stage: &'static str,
        /// How much of that is done, 0 to 1.
        share: f32,
    },
    /// A job is over.
    Ended {
        /// Which.
        job: u32,
        /// Its kind.
        kind: &'static str,
        /// Why it came to nothing, if it did.
        failed: Option<String>,
        /// Whether that was asked for.
        cancelled: bool,
    },
    /// An answer.
    Reply {
        /// The request's number.
        id: u32,
        /// What came of it.
        value: Value,
    },
    /// What was asked for was not done.
    Error {
        /// The request's number; none where the message could not be read.
        id: Option<u32>,
        /// Why, and what to do.
        message: String,
    },
}

/// A kind of file that can be written.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Format {
    /// How its name ends.
    pub ending: &'static str,
    /// What it is.
    pub title: &'static str,
}

/// A method.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct MethodTold {
    /// Its name.
    pub name: &'static str,
    /// What it does.
    pub summary: &'static str,
    /// Whether it has the falloff slider.
    pub falloff: bool,
}

/// Where a document stands.
#[derive(Debug, Serialize)]
pub struct Standing<'a> {
    /// The character's number.
    pub serial: u32,
    /// Counts every change.
    pub revision: u32,
    /// What undo takes back.
    pub state: &'a State,
    /// What the steps are called.
    pub history: Vec<&'a str>,
    /// Which of them is shown.
    pub at: usize,
    /// The weights shown, and those that they are compared with.
    pub slots: [Option<SlotFacts>; 2],
    /// The command that repeats the bind.
    pub command: Option<String>,
    /// What its `regions.json` holds.
    pub regions: Option<String>,
    /// What its `edits.json` holds.
    pub edits: Option<String>,
    /// How many points are edited by hand.
    pub edited: usize,
    /// How many steps an earlier server left.
    pub recovery: Option<usize>,
}

/// Weights in short.
#[derive(Debug, Serialize)]
pub struct SlotFacts {
    /// What they are called.
    pub name: String,
    /// The most joints that a vertex follows.
    pub max_influences: usize,
    /// On average.
    pub mean_influences: f64,
    /// Whether better ones are being found.
    pub pending: bool,
    /// Where the time went: stage and milliseconds.
    pub stages: Vec<(String, f64)>,
    /// What was guessed.
    pub warnings: Vec<WarningTold>,
}

/// A warning and where to look.
#[derive(Debug, Serialize)]
pub struct WarningTold {
    /// In words.
    pub message: String,
    /// Joints that it is about, by name.
    pub joints: Vec<String>,
    /// The part that it is about.
    pub part: Option<String>,
}
