//! The character that is open: its steps, and the weights that pages have of it.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::Vec3;
use ligament::bind::BindWarning;
use ligament::deform::{DeformError, DeltaMush, SkinnedMesh};
use ligament::task::Task;
use ligament::transfer::weights_of_same_character;
use ligament::weights::hands::HandSurface;
use ligament::{Character, JointIndex, Pose};
use ligament_app::AppError;
use ligament_app::asset::{Asset, AssetRequest};

use crate::binder::{Binder, BoundSkin, evaluated};
use crate::command_line::{repeated, repeated_edits};
use crate::hands::{Hands, Numbered};
use crate::history::History;
use crate::library::Item;
use crate::messages::{SlotFacts, Standing, WarningTold};
use crate::painting::{Partners, Stroke};
use crate::rigging::{Rigged, Rigging};
use crate::scene::Stage;
use crate::snapping::Body;
use crate::state::{BindSettings, MOST_INFLUENCES, Other, State};
use crate::wire::Shown;

/// An open character.
pub struct Document {
    /// Frames that belong to it carry this number.
    pub serial: u32,
    /// What was opened.
    pub item: Item,
    /// The same, open.
    pub asset: Arc<Asset>,
    /// How it is drawn.
    pub stage: Stage,
    /// All steps.
    pub history: History,
    /// Counts every change.
    pub revision: u32,
    /// What was found so far.
    pub binder: Binder,
    /// Weights of other files, by the ids of these.
    pub others: BTreeMap<String, Arc<BoundSkin>>,
    /// What pages have: the shown weights and those that they are compared with.
    pub slots: [Slot; 2],
    /// Steps that an earlier server left.
    pub recovery: Option<History>,
    /// The character as it is shown: the file's, or with its rig edited.
    shown: Arc<Character>,
    /// The character whose joints pages have.
    pub sent: Arc<Character>,
    /// The session that edits the rig, once it is asked for.
    pub rigging: Option<Rigging>,
    /// What `shown` came of, and the weights that followed.
    rigged: Option<(Rigged, Arc<BoundSkin>)>,
    /// The body at rest, for joints that go into its middle.
    body: Option<Arc<Body>>,
    /// The skins that pick and brush pose, for the weights of each slot.
    posable: [Option<(Arc<BoundSkin>, SkinnedMesh)>; 2],
    /// Delta mush for the weights of a slot.
    pub mush: Option<(usize, Arc<BoundSkin>, Arc<DeltaMush>)>,
    /// A stroke of a brush that is under way.
    pub stroke: Option<Stroke>,
    /// The points that hands work on.
    surface: Option<Arc<HandSurface>>,
    /// Who mirrors whom, for the character that it was found for.
    partners: Option<(Arc<Character>, Arc<Partners>)>,
    /// Weights under hands: of which bind, by what, and what came of it.
    handed: Option<(Arc<BoundSkin>, Hands, usize, Arc<BoundSkin>)>,
    /// The file's own weights.
    own: Option<Arc<BoundSkin>>,
    /// For each vertex the joint that carries it.
    carried: Vec<Option<JointIndex>>,
}

/// Weights that pages have.
#[derive(Default, Clone)]
pub struct Slot {
    /// What they are called.
    pub name: String,
    /// The weights; none before a character is bound.
    pub bound: Option<Arc<BoundSkin>>,
    /// Whether better ones are being found.
    pub pending: bool,
}

/// Where a slot's weights come from.
#[derive(Debug, Clone, PartialEq)]
pub enum Wanted {
    /// There are none.
    Nothing,
    /// The file's own.
    Own,
    /// A bind.
    Bind(Box<BindSettings>),
    /// Those that follow the edits of the rig.
    Rigged(Box<Rigged>),
    /// Another file's.
    Item(String),
}

impl Document {
    /// Opens something; the slow part of it.
    pub fn open(item: &Item, task: &Task<'_>) -> Result<Asset, AppError> {
        let asset = Asset::open(&AssetRequest::of(item.source.input()), task)?;
        asset.character().mesh.check()?;
        Ok(asset)
    }

    /// What was opened.
    pub fn new(serial: u32, item: Item, asset: Asset, history: Option<History>) -> Self {
        let character = asset.character();
        let own = character.weights.as_ref().map(|weights| {
            Arc::new(BoundSkin {
                weights: weights.clone(),
                warnings: Vec::new(),
                stages: Vec::new(),
            })
        });
        let carried = character.mesh.rigid_joint_of_vertices();
        let stage = Stage::of(character);
        let slot = Slot {
            name: "file".to_owned(),
            bound: own.clone(),
            pending: false,
        };
        let opened = History::new(format!("Opened {}", item.name));
        Self {
            serial,
            shown: asset.character().clone(),
            sent: asset.character().clone(),
            rigging: None,
            rigged: None,
            body: None,
            asset: Arc::new(asset),
            stage,
            history: history.unwrap_or(opened),
            revision: 1,
            binder: Binder::default(),
            others: BTreeMap::new(),
            slots: [slot, Slot::default()],
            recovery: None,
            posable: [None, None],
            mush: None,
            stroke: None,
            surface: None,
            partners: None,
            handed: None,
            own,
            carried,
            item,
        }
    }

    /// The character.
    pub fn character(&self) -> &Arc<Character> {
        &self.shown
    }

    /// The body at rest.
    pub fn body(&mut self) -> Arc<Body> {
        let mesh = &self.shown.mesh;
        self.body.get_or_insert_with(|| Arc::new(Body::of(mesh))).clone()
    }

    /// Brings the rig to where a state has it; the weights that follow, or nothing if the session is missing.
    pub fn bring(&mut self, rig: &Rigged) -> Result<Option<Arc<BoundSkin>>, String> {
        if let Some((at, bound)) = &self.rigged
            && at == rig
        {
            return Ok(Some(bound.clone()));
        }
        let Some(rigging) = self.rigging.as_mut().filter(|r| r.serves(&rig.session)) else {
            return Ok(None);
        };
        rigging.go_to(&rig.script, &self.asset)?;
        let character = rigging.character();
        let weights = character.weights.clone().ok_or("the rig has no weights")?;
        let bound = Arc::new(BoundSkin {
            weights,
            warnings: Vec::new(),
            stages: Vec::new(),
        });
        self.look_at(Arc::new(character));
        self.rigged = Some((rig.clone(), bound.clone()));
        Ok(Some(bound))
    }

    /// The points that hands work on.
    pub fn hand_surface(&mut self) -> Arc<HandSurface> {
        let mesh = &self.shown.mesh;
        let surface = self
            .surface
            .get_or_insert_with(|| Arc::new(HandSurface::of(mesh)));
        surface.clone()
    }

    /// Who mirrors whom.
    pub fn partners(&mut self) -> Arc<Partners> {
        let surface = self.hand_surface();
        let of = self.shown.clone();
        match &self.partners {
            Some((kept, partners)) if Arc::ptr_eq(kept, &of) => partners.clone(),
            _ => {
                let partners = Arc::new(Partners::of(&of, &surface));
                self.partners = Some((of, partners.clone()));
                partners
            }
        }
    }

    /// The most influences that hands may give a point over some weights.
    pub fn most_influences(&self, below: &BoundSkin) -> usize {
        let state = self.state();
        match (&state.rig, &state.bind) {
            (Some(rig), _) => rig.session.influences,
            (None, Some(settings)) => settings.influences,
            (None, None) => below.weights.max_influences().clamp(4, MOST_INFLUENCES),
        }
    }

    /// Weights with what hands did to them.
    pub fn under_hands(&mut self, below: Arc<BoundSkin>) -> Arc<BoundSkin> {
        let hands = self.state().hands.clone();
        if hands.layer.is_empty() {
            return below;
        }
        let most = self.most_influences(&below);
        if let Some((of, by, limit, made)) = &self.handed
            && Arc::ptr_eq(of, &below)
            && (*by == hands && *limit == most)
        {
            return made.clone();
        }
        let made = self.under(&below, &hands);
        self.handed = Some((below, hands, most, made.clone()));
        made
    }

    /// A bind with edits by hand laid over it.
    pub fn under(&mut self, below: &BoundSkin, hands: &Hands) -> Arc<BoundSkin> {
        let layering = hands.layering(self.most_influences(below));
        let surface = self.hand_surface();
        Arc::new(BoundSkin {
            weights: hands.layer.applied(&below.weights, &surface, &layering),
            warnings: below.warnings.clone(),
            stages: below.stages.clone(),
        })
    }

    /// The skeleton of a rig, and which joints of the file its joints are.
    pub fn numbering(&mut self, rig: Option<&Rigged>) -> Result<Numbered, String> {
        let Some(rig) = rig else {
            let skeleton = self.asset.character().skeleton.clone();
            let own = skeleton.indices().map(Some).collect();
            return Ok((skeleton, own));
        };
        self.bring(rig)?.ok_or("weights are still being found")?;
        let origins = self.rigging.as_ref().map(Rigging::origins).unwrap_or_default();
        Ok((self.shown.skeleton.clone(), origins))
    }

    /// Whether what is shown has the joints of the last step, and not others that a drag brought.
    pub fn has_joints_of_step(&self) -> bool {
        let shown = self.rigged.as_ref().map(|r| &r.0);
        let step = self.state().rig.as_ref();
        !shown.unwrap_or(&Rigged::default()).has_other_joints(step)
    }

    /// Shows the file's own rig again.
    pub fn unrig(&mut self) {
        if self.rigged.take().is_some() {
            self.look_at(self.asset.character().clone());
        }
    }

    fn look_at(&mut self, character: Arc<Character>) {
        self.carried = character.mesh.rigid_joint_of_vertices();
        self.shown = character;
        self.posable = [None, None];
        self.mush = None;
    }

    /// The state that is shown.
    pub fn state(&self) -> &State {
        self.history.state()
    }

    /// What a state's slots want.
    pub fn wanted(&self, state: &State) -> [Wanted; 2] {
        let own = || {
            if self.own.is_some() {
                Wanted::Own
            } else {
                Wanted::Nothing
            }
        };
        let first = match (&state.rig, &state.bind) {
            (Some(rig), _) => Wanted::Rigged(Box::new(rig.clone())),
            (None, Some(settings)) => Wanted::Bind(Box::new(settings.clone())),
            (None, None) => own(),
        };
        // Weights of other joints cannot be shown on these.
        let other_joints = state.rig.as_ref().is_some_and(|r| r.has_other_joints(None));
        let second = match &state.other {
            None => Wanted::Nothing,
            Some(_) if other_joints => Wanted::Nothing,
            Some(Other::File {}) => own(),
            Some(Other::Bind(settings)) => Wanted::Bind(settings.clone()),
            Some(Other::Item(id)) => Wanted::Item(id.clone()),
        };
        [first, second]
    }

    /// The weights that are wanted, if they are at hand or quickly found.
    pub fn quickly(&mut self, wanted: &Wanted) -> Result<Option<Option<Arc<BoundSkin>>>, AppError> {
        Ok(match wanted {
            Wanted::Nothing => Some(None),
            Wanted::Own => Some(self.own.clone()),
            Wanted::Item(id) => self.others.get(id).cloned().map(Some),
            Wanted::Rigged(rig) => {
                let bound = self.bring(rig).map_err(|problem| AppError::BadValue {
                    option: "an edit of the rig",
                    rule: problem,
                    found: format!("{} edits", rig.script.len()),
                })?;
                bound.map(Some)
            }
            Wanted::Bind(settings) => {
                if let Some(bound) = self.binder.kept(settings) {
                    return Ok(Some(Some(bound)));
                }
                let Some(prepared) = self.binder.prepared(settings) else {
                    return Ok(None);
                };
                let task = Task::unattended();
                let bound = Arc::new(evaluated(&self.asset, &prepared, settings, None, &task)?);
                self.binder.keep(settings, bound.clone());
                Some(Some(bound))
            }
        })
    }

    /// Weights of settings whose slow half is done, without keeping them: while a slider moves.
    pub fn tried(
        &mut self,
        settings: &BindSettings,
        pose: Option<Pose>,
    ) -> Result<Option<Arc<BoundSkin>>, AppError> {
        if pose.is_none()
            && let Some(bound) = self.binder.kept(settings)
        {
            return Ok(Some(bound));
        }
        let Some(prepared) = self.binder.prepared(settings) else {
            return Ok(None);
        };
        let bound = evaluated(&self.asset, &prepared, settings, pose, &Task::unattended())?;
        Ok(Some(Arc::new(bound)))
    }

    /// Puts weights into a slot; the rows that changed, and their frame.
    pub fn show(&mut self, slot: usize, name: String, bound: Option<Arc<BoundSkin>>) -> (usize, Vec<u8>) {
        let before = std::mem::replace(
            &mut self.slots[slot],
            Slot {
                name,
                bound,
                pending: false,
            },
        );
        let carried = &self.carried;
        let (old, new) = (&before.bound, &self.slots[slot].bound);
        let old = Shown {
            weights: old.as_deref().map(|b| &b.weights),
            carried,
        };
        let new = Shown {
            weights: new.as_deref().map(|b| &b.weights),
            carried,
        };
        new.changed(&old, self.serial, slot as u32)
    }

    /// The rows that the shown weights have for some vertices, as a frame.
    pub fn rows_frame(&self, vertices: &[u32]) -> (usize, Vec<u8>) {
        let Some(bound) = &self.slots[0].bound else {
            return (0, Vec::new());
        };
        let bends = vertices.iter().filter(|&&v| self.carried[v as usize].is_none());
        let rows: Vec<_> = bends
            .map(|&v| (v, bound.weights.of_vertex(v as usize).to_vec()))
            .collect();
        Shown::some(&rows, self.serial, 0)
    }

    /// Where the vertices are in a pose by a slot's weights; at rest without any.
    pub fn posed(&mut self, slot: usize, pose: &Pose) -> Result<Vec<Vec3>, DeformError> {
        let character = &self.shown;
        let Some(bound) = &self.slots[slot].bound else {
            return Ok(character.mesh.positions.clone());
        };
        let kept = &mut self.posable[slot];
        if !kept.as_ref().is_some_and(|(of, _)| Arc::ptr_eq(of, bound)) {
            let skin = SkinnedMesh::new(&character.mesh, &bound.weights)?;
            *kept = Some((bound.clone(), skin));
        }
        let mut positions = Vec::new();
        if let Some((_, skin)) = kept {
            skin.linear_blend_positions_into(&pose.world_from_bind(&character.skeleton), &mut positions)?;
        }
        Ok(positions)
    }

    /// All weights of a slot as a frame.
    pub fn whole(&self, slot: usize) -> Vec<u8> {
        let shown = Shown {
            weights: self.slots[slot].bound.as_deref().map(|b| &b.weights),
            carried: &self.carried,
        };
        shown.whole(self.serial, slot as u32)
    }

    /// What a slot's weights are called.
    pub fn name_of(&self, wanted: &Wanted) -> String {
        match wanted {
            Wanted::Nothing => "not bound".to_owned(),
            Wanted::Own => "file".to_owned(),
            Wanted::Bind(settings) => settings.title(),
            Wanted::Rigged(rig) => format!("{}, rig by hand", rig.session.method.name()),
            Wanted::Item(_) => "other file".to_owned(),
        }
    }

    /// Where things stand.
    pub fn standing(&self) -> Standing<'_> {
        let state = self.state();
        let facts = |slot: &Slot| {
            slot.bound.as_ref().map(|bound| SlotFacts {
                name: slot.name.clone(),
                max_influences: bound.weights.max_influences(),
                mean_influences: bound.weights.influences().len() as f64
                    / bound.weights.vertex_count().max(1) as f64,
                pending: slot.pending,
                stages: bound
                    .stages
                    .iter()
                    .map(|s| (s.name.to_owned(), s.time.as_secs_f64() * 1e3))
                    .collect(),
                warnings: bound.warnings.iter().map(warning).collect(),
            })
        };
        let edited = state.hands.layer.len();
        let repeated = state.bind.as_ref().map(|settings| {
            let input = self.item.source.input();
            let output = format!("{}_bound.glb", self.asset.file_stem());
            repeated(settings, &input, &output, edited > 0)
        });
        let (command, regions) = repeated.map_or((None, None), |r| (Some(r.command), r.regions));
        let edits = state.rig.as_ref();
        let command = command.or_else(|| {
            let output = format!("{}_edited.glb", self.asset.file_stem());
            Some(repeated_edits(
                edits?,
                &self.item.source.input(),
                &output,
                edited > 0,
            ))
        });
        let edits = edits.and_then(|r| serde_json::to_string_pretty(&r.script).ok());
        Standing {
            serial: self.serial,
            revision: self.revision,
            state,
            history: self.history.steps().iter().map(|s| s.label.as_str()).collect(),
            at: self.history.at(),
            slots: [facts(&self.slots[0]), facts(&self.slots[1])],
            command,
            regions,
            edits,
            edited,
            recovery: self.recovery.as_ref().map(|h| h.steps().len() - 1),
        }
    }
}

/// The weights of another file that holds the same character.
pub fn weights_of(item: &Item, character: &Character, task: &Task<'_>) -> Result<BoundSkin, AppError> {
    let other = Asset::open(&AssetRequest::of(item.source.input()), task)?;
    let same = weights_of_same_character(other.character(), other.weights()?, character);
    let same = same.map_err(|source| AppError::NotTheSame {
        input: item.name.clone(),
        source,
    })?;
    Ok(BoundSkin {
        weights: same.weights,
        warnings: Vec::new(),
        stages: Vec::new(),
    })
}

fn warning(warning: &BindWarning) -> WarningTold {
    let (joints, part) = match warning {
        BindWarning::JointsLeftOut { joints }
        | BindWarning::BonesOutside { joints }
        | BindWarning::FieldJointsMissing { joints } => (joints.clone(), None),
        BindWarning::NoDeformJointInPart { part, .. } | BindWarning::IslandsSeeNoBone { part, .. } => {
            (Vec::new(), Some(part.clone()))
        }
        _ => (Vec::new(), None),
    };
    WarningTold {
        message: warning.to_string(),
        joints,
        part,
    }
}
