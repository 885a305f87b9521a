//! What the desk does for hands on the weights.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::Vec3;
use ligament::character::Influence;
use ligament::task::Task;
use ligament::weights::hands::{HandEdits, HandSurface};
use ligament::{Character, JointIndex};
use ligament_app::hand_edits::HandLayer;
use ligament_io::atomic::write_file;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::acts::{Answer, Asked, Change};
use crate::binder::BoundSkin;
use crate::command_line::HAND_EDITS;
use crate::desk::Desk;
use crate::document::Document;
use crate::export::free_name;
use crate::hands::Hands;
use crate::painting::{Around, Brush, Ground, Stroke, falloff, normal, through_screen};
use crate::posing::{pick, pose_of};
use crate::wire::Shown;

/// Vertices that a table shows at most.
const MOST_ROWS: usize = 500;
/// Rays of one message.
const MOST_RAYS: usize = 256;
/// Rounds of smoothing at most.
const MOST_ROUNDS: usize = 100;

/// Tools that are no strokes. `vertices` are the document's; all that were edited if none.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum HandTool {
    /// How much of the layer shows.
    Opacity(f32),
    /// Whether influences and sum are not held.
    Pause(bool),
    /// One joint's share, as it is typed into a table.
    Share {
        /// Where.
        vertices: Vec<u32>,
        /// The joint.
        joint: u16,
        /// Its share, 0 to 1.
        value: f32,
    },
    /// Weights that were copied elsewhere.
    Paste {
        /// Where to.
        vertices: Vec<u32>,
        /// Joints and shares.
        weights: Vec<(u16, f32)>,
    },
    /// Towards the mean of what is around, so many times.
    Smooth {
        /// Where.
        #[serde(default)]
        vertices: Option<Vec<u32>>,
        /// How often.
        rounds: usize,
    },
    /// One side's weights on the other.
    Mirror {
        /// Where they come from.
        #[serde(default)]
        vertices: Option<Vec<u32>>,
        /// From the negative side of x to the positive one.
        to_positive: bool,
    },
    /// Drops small shares.
    Prune {
        /// Where.
        #[serde(default)]
        vertices: Option<Vec<u32>>,
        /// Under this.
        under: f32,
    },
    /// Takes edits away: the bind shows again.
    Clear {
        /// Where.
        #[serde(default)]
        vertices: Option<Vec<u32>>,
    },
}

/// What a stroke needs of a document.
struct Bench {
    character: Arc<Character>,
    surface: Arc<HandSurface>,
    below: Arc<BoundSkin>,
    hands: Hands,
    most: usize,
}

impl Bench {
    fn ground(&self) -> Ground<'_> {
        Ground {
            surface: &self.surface,
            bind: &self.below.weights,
            skeleton: &self.character.skeleton,
            paused: self.hands.paused,
        }
    }

    /// Points of vertices, each once; of all edits if none are named.
    fn points(&self, vertices: Option<&[u32]>) -> Vec<u32> {
        let point = |v: u32| self.surface.point_of_vertex(v as usize);
        let points: BTreeSet<u32> = match vertices {
            Some(vertices) => vertices.iter().filter_map(|&v| point(v)).collect(),
            None => self.hands.layer.iter().filter_map(|(v, _)| point(v)).collect(),
        };
        points.into_iter().collect()
    }
}

/// The bind under the hands of a document.
fn bench(document: &mut Document) -> Result<Bench, String> {
    let state = document.state().clone();
    let [wanted, _] = document.wanted(&state);
    let below = document.quickly(&wanted).map_err(|e| e.to_string())?;
    let below = below
        .ok_or("weights are still being found; paint when they are")?
        .ok_or("there are no weights to paint on: bind first")?;
    Ok(Bench {
        character: document.character().clone(),
        surface: document.hand_surface(),
        most: document.most_influences(&below),
        hands: state.hands,
        below,
    })
}

impl Desk {
    /// Touches the skin; the stroke goes on.
    pub(crate) fn paint(
        &mut self,
        brush: &Brush,
        rays: &[[[f32; 3]; 2]],
        around: Around,
        pose: Option<&[f32]>,
    ) -> Answer {
        let timer = Task::unattended();
        let start = timer.now();
        let document = self.opened()?;
        let bench = bench(document)?;
        brush.check(&bench.character.skeleton)?;
        if rays.len() > MOST_RAYS {
            return Err(format!("a message has at most {MOST_RAYS} rays"));
        }
        let partners = brush.mirrored.then(|| document.partners());
        let pose = pose_of(&bench.character.skeleton, pose)?;
        let posed = document.posed(0, &pose).map_err(|e| e.to_string())?;
        let mut stroke = document
            .stroke
            .take()
            .unwrap_or_else(|| Stroke::new(&bench.hands.layer));
        let mut changed: Vec<u32> = Vec::new();
        for &[origin, direction] in rays {
            let points = under(&bench, &posed, origin.into(), direction.into(), around);
            changed.extend(stroke.stamp(brush, &points, partners.as_deref(), &bench.ground()));
        }
        changed.sort_unstable();
        changed.dedup();
        let (rows, frame) = stroke_frame(document, &bench, &stroke.layer, &changed);
        document.stroke = Some(stroke);
        let bytes = frame.len();
        if rows > 0 {
            self.frame_all(frame);
        }
        let milliseconds = timer.now().saturating_sub(start).as_secs_f64() * 1e3;
        Ok(Some(
            json!({ "rows": rows, "bytes": bytes, "milliseconds": milliseconds }),
        ))
    }

    /// Takes the stroke as a step.
    pub(crate) fn end_stroke(&mut self, asked: Asked, label: String) -> Answer {
        let document = self.opened()?;
        let Some(stroke) = document.stroke.take() else {
            return Ok(Some(json!({ "taken": false })));
        };
        self.take_layer(asked, label, stroke.layer)
    }

    /// Gives up a stroke that is no step: pages get back what they had.
    pub(crate) fn drop_stroke(&mut self) {
        let Some(document) = &mut self.document else {
            return;
        };
        let Some(stroke) = document.stroke.take() else {
            return;
        };
        let surface = document.hand_surface();
        let vertices: Vec<u32> = stroke
            .touched
            .iter()
            .flat_map(|&p| surface.vertices_of(p))
            .copied()
            .collect();
        let (rows, frame) = document.rows_frame(&vertices);
        if rows > 0 {
            self.frame_all(frame);
        }
    }

    /// A step to another layer.
    fn take_layer(&mut self, asked: Asked, label: String, layer: HandEdits) -> Answer {
        let document = self.opened()?;
        let hands = Hands {
            layer: Arc::new(layer),
            ..document.state().hands.clone()
        };
        self.change(asked, label, Change::Hands(Box::new(hands)))
    }

    /// Touches all that is connected to what a ray meets.
    pub(crate) fn fill(
        &mut self,
        asked: Asked,
        brush: &Brush,
        [origin, direction]: [[f32; 3]; 2],
        pose: Option<&[f32]>,
        reach: Option<f32>,
    ) -> Answer {
        self.drop_stroke();
        let document = self.opened()?;
        let bench = bench(document)?;
        brush.check(&bench.character.skeleton)?;
        let pose = pose_of(&bench.character.skeleton, pose)?;
        let posed = document.posed(0, &pose).map_err(|e| e.to_string())?;
        let partners = brush.mirrored.then(|| document.partners());
        let reach = reach.unwrap_or(f32::INFINITY);
        let mut points = under(
            &bench,
            &posed,
            origin.into(),
            direction.into(),
            Around::Surface(reach),
        );
        if points.is_empty() {
            return Err("there is no skin under the pointer that could be filled".to_owned());
        }
        for point in &mut points {
            point.1 = 1.0;
        }
        let mut stroke = Stroke::new(&bench.hands.layer);
        stroke.stamp(brush, &points, partners.as_deref(), &bench.ground());
        let label = format!("Fill {} points", points.len());
        self.take_layer(asked, label, stroke.layer)
    }

    /// Shows the layer as if it covered so much; the last step stays.
    pub(crate) fn show_layer(&mut self, opacity: f32) -> Answer {
        self.drop_stroke();
        let document = self.opened()?;
        let bench = bench(document)?;
        let hands = Hands {
            opacity: opacity.clamp(0.0, 1.0),
            ..bench.hands
        };
        let shown = document.under(&bench.below, &hands);
        let name = document.slots[0].name.clone();
        let (rows, frame) = document.show(0, name, Some(shown));
        if rows > 0 {
            self.frame_all(frame);
        }
        Ok(Some(json!({ "rows": rows })))
    }

    /// Uses a tool on the layer.
    pub(crate) fn use_tool(&mut self, asked: Asked, tool: HandTool, label: String) -> Answer {
        self.drop_stroke();
        let document = self.opened()?;
        let set = |hands: Hands| Change::Hands(Box::new(hands));
        let own = document.state().hands.clone();
        match tool {
            HandTool::Opacity(opacity) => self.change(asked, label, set(Hands { opacity, ..own })),
            HandTool::Pause(paused) => self.change(asked, label, set(Hands { paused, ..own })),
            tool => {
                let bench = bench(document)?;
                let layer = used(document, &bench, tool)?;
                self.take_layer(asked, label, layer)
            }
        }
    }

    /// The weights of some vertices.
    pub(crate) fn rows(&mut self, vertices: &[u32]) -> Answer {
        let bound = self.bound(0)?.ok_or("there are no weights yet: bind first")?;
        let document = self.opened()?;
        let surface = document.hand_surface();
        let count = bound.weights.vertex_count();
        let layer = document.state().hands.layer.clone();
        let mut seen = BTreeSet::new();
        let rows: Vec<Value> = vertices
            .iter()
            .filter(|&&v| (v as usize) < count)
            .filter_map(|&v| Some((v, surface.point_of_vertex(v as usize)?)))
            .filter(|(_, point)| seen.insert(*point))
            .take(MOST_ROWS)
            .map(|(vertex, point)| {
                let row = bound.weights.of_vertex(vertex as usize).iter();
                json!({
                    "vertex": vertex,
                    "source_vertex": document.asset.source_vertex(vertex),
                    "edited": layer.of(surface.first_vertex(point)).map(|e| e.cover),
                    "influences": row.map(|i| (i.joint.0, i.weight)).collect::<Vec<_>>(),
                })
            })
            .collect();
        Ok(Some(json!(rows)))
    }

    /// Writes the layer as a file.
    pub(crate) fn keep_hands(&mut self) -> Answer {
        let folder = self.folders.exports.clone();
        let tickets = self.tickets.clone();
        let document = self.opened()?;
        let hands = &document.state().hands;
        let skeleton = &document.character().skeleton;
        let layer = HandLayer::of(
            &hands.layer,
            hands.opacity,
            hands.paused,
            &document.asset,
            skeleton,
        );
        let text = serde_json::to_string(&layer).map_err(|e| e.to_string())?;
        let stem = HAND_EDITS.trim_end_matches(".json");
        let path = free_name(&folder, stem, "json");
        write_file(&path, text.as_bytes()).map_err(|e| e.to_string())?;
        let name = crate::library::file_name(&path);
        let shown = path.display().to_string();
        Ok(Some(
            json!({ "name": name, "path": shown, "bytes": text.len(), "ticket": tickets.issue(path) }),
        ))
    }
}

/// The points under a brush, each with its share.
fn under(bench: &Bench, posed: &[Vec3], origin: Vec3, direction: Vec3, around: Around) -> Vec<(u32, f32)> {
    let bends = |p: &(u32, f32)| {
        let vertices = bench.surface.vertices_of(p.0).iter();
        vertices
            .copied()
            .any(|v| bench.surface.point_of_vertex(v as usize).is_some())
    };
    let found = match around {
        Around::Screen(radius, cone) => {
            through_screen(&bench.surface, posed, origin, direction, (radius, cone))
        }
        Around::Surface(radius) => {
            let triangles = &bench.character.mesh.triangles;
            let Some(hit) = pick(triangles, posed, origin, direction) else {
                return Vec::new(); // beside the character: the stroke goes on
            };
            let corners: Vec<(u32, f32)> = triangles[hit.triangle]
                .iter()
                .filter_map(|&v| {
                    let point = bench.surface.point_of_vertex(v as usize)?;
                    Some((point, posed[v as usize].distance(hit.position)))
                })
                .collect();
            let mut found = bench.surface.ways().within(&corners, radius);
            for point in &mut found {
                point.1 = falloff(point.1, radius);
            }
            found
        }
    };
    found.into_iter().filter(bends).collect()
}

/// The rows of some points under a stroke's layer, as a frame.
fn stroke_frame(document: &Document, bench: &Bench, layer: &HandEdits, points: &[u32]) -> (usize, Vec<u8>) {
    let layering = bench.hands.layering(bench.most);
    let rows: Vec<(u32, Vec<Influence>)> = points
        .iter()
        .flat_map(|&p| bench.surface.vertices_of(p))
        .filter(|&&v| bench.surface.point_of_vertex(v as usize).is_some())
        .map(|&vertex| {
            let below = bench.below.weights.of_vertex(vertex as usize);
            let row = layer.row(&bench.surface, vertex as usize, below, &layering);
            (vertex, row.unwrap_or_else(|| below.to_vec()))
        })
        .collect();
    Shown::some(&rows, document.serial, 0)
}

/// A layer after a tool.
fn used(document: &mut Document, bench: &Bench, tool: HandTool) -> Result<HandEdits, String> {
    let ground = bench.ground();
    let mut layer = bench.hands.layer.as_ref().clone();
    let joints = bench.character.skeleton.joints.len();
    // What a table shows: normal, and no more influences than are held.
    let shown = |layer: &HandEdits, point: u32| -> Vec<Influence> {
        let vertex = bench.surface.first_vertex(point) as usize;
        let below = bench.below.weights.of_vertex(vertex);
        let layering = Hands {
            opacity: 1.0,
            ..bench.hands.clone()
        }
        .layering(bench.most);
        let row = layer.row(&bench.surface, vertex, below, &layering);
        let mut row = row.unwrap_or_else(|| below.to_vec());
        row.sort_by_key(|i| i.joint);
        row
    };
    match tool {
        HandTool::Share {
            vertices,
            joint,
            value,
        } => {
            let brush = Brush {
                mode: crate::painting::Mode::Replace,
                joint,
                value,
                strength: 1.0,
                mirrored: false,
            };
            brush.check(&bench.character.skeleton)?;
            for point in bench.points(Some(&vertices)) {
                let mut row = match bench.hands.paused {
                    true => ground.row(&layer, point),
                    false => shown(&layer, point),
                };
                // The least makes room for a joint that comes, so that the number stays as it was typed.
                let comes = value > 0.0 && row.iter().all(|i| i.joint.0 != joint);
                if comes && !bench.hands.paused && row.len() >= bench.most.max(2) {
                    let least = row
                        .iter()
                        .enumerate()
                        .min_by(|a, b| a.1.weight.total_cmp(&b.1.weight));
                    if let Some(least) = least.map(|l| l.0) {
                        row.remove(least);
                    }
                }
                let row = ground.touched(&row, &brush, JointIndex(joint), 1.0);
                ground.set(&mut layer, point, &row);
            }
        }
        HandTool::Paste { vertices, weights } => {
            let sound = |&(joint, weight): &(u16, f32)| {
                usize::from(joint) < joints && weight.is_finite() && weight >= 0.0
            };
            if !weights.iter().all(sound) {
                return Err("these weights do not belong to this skeleton".to_owned());
            }
            let mut row: Vec<Influence> = weights
                .iter()
                .map(|&(joint, weight)| Influence {
                    joint: JointIndex(joint),
                    weight,
                })
                .collect();
            row.sort_by_key(|i| i.joint);
            row.dedup_by_key(|i| i.joint);
            let row = normal(row);
            for point in bench.points(Some(&vertices)) {
                ground.set(&mut layer, point, &row);
            }
        }
        HandTool::Smooth { vertices, rounds } => {
            let points = bench.points(vertices.as_deref());
            for _ in 0..rounds.min(MOST_ROUNDS) {
                ground.relax(&mut layer, points.iter().map(|&p| (p, 0.5)));
            }
        }
        HandTool::Mirror {
            vertices,
            to_positive,
        } => {
            let partners = document.partners();
            let points = bench.points(vertices.as_deref());
            ground.mirror(&mut layer, &points, &partners, to_positive);
        }
        HandTool::Prune { vertices, under } => {
            if !(0.0..1.0).contains(&under) {
                return Err("the share under which weights go is 0 up to 1".to_owned());
            }
            for point in bench.points(vertices.as_deref()) {
                let mut row = normal(ground.row(&layer, point));
                let most = row.iter().map(|i| i.weight).fold(0.0, f32::max);
                row.retain(|i| i.weight >= under || i.weight == most);
                ground.set(&mut layer, point, &normal(row));
            }
        }
        HandTool::Clear { vertices } => {
            for point in bench.points(vertices.as_deref()) {
                layer.set(bench.surface.first_vertex(point), None);
            }
        }
        HandTool::Opacity(_) | HandTool::Pause(_) => {}
    }
    Ok(layer)
}
