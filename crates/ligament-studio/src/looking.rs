//! What the desk does when a page looks at something: nothing of this is a step.

use std::sync::{Arc, PoisonError};

use glam::Vec3;
use ligament::bind::guess_joints;
use ligament::character::PartAttachment;
use ligament::skin::Skin;
use ligament_app::asset::AssetRequest;
use ligament_app::bind_request::deform_choice;
use ligament_app::explain::explained;
use ligament_app::render::{PictureSize, RenderRequest};
use serde_json::{Value, json};

use crate::acts::{Answer, Asked};
use crate::binder::BoundSkin;
use crate::desk::{Desk, QUIET};
use crate::jobs::Finish;
use crate::painting::{Around, through_screen};
use crate::posing::{delta_mush, pick, pose_of};
use crate::project::ProjectError;
use crate::state::refuse_files;
use crate::voxel_view::voxel_frame;
use crate::wire::{Frame, Kind};

/// Pixels of a small picture.
const THUMBNAIL: PictureSize = PictureSize {
    width: 160,
    height: 160,
};

impl Desk {
    /// The weights of a slot.
    pub(crate) fn bound(&mut self, slot: usize) -> Result<Option<Arc<BoundSkin>>, String> {
        let slots = &self.opened()?.slots;
        let slot = slots.get(slot).ok_or("there are two slots")?;
        Ok(slot.bound.clone())
    }

    /// For each joint that may hold weights whether it takes part, whether it is guessed to, and why.
    pub(crate) fn which_joints(&mut self, deform: &[String]) -> Answer {
        let character = self.opened()?.character().clone();
        let skin = Skin::new(character).map_err(|e| e.to_string())?;
        refuse_files(deform).map_err(|e| e.to_string())?;
        let choice = deform_choice(deform).map_err(|e| e.to_string())?;
        let takes_part = choice.resolve(&skin).map_err(|e| e.to_string())?;
        let rows = guess_joints(&skin).into_iter().map(|guess| {
            json!({
                "joint": guess.joint.0,
                "takes_part": takes_part[guess.joint.at()],
                "guessed": guess.moves_skin,
                "reason": guess.reason,
            })
        });
        Ok(Some(Value::Array(rows.collect())))
    }

    /// What a ray meets first.
    pub(crate) fn pick(
        &mut self,
        origin: Vec3,
        direction: Vec3,
        pose: Option<&[f32]>,
        slot: usize,
    ) -> Answer {
        let bound = self.bound(slot)?;
        let document = self.opened()?;
        let character = document.character().clone();
        let pose = pose_of(&character.skeleton, pose)?;
        let weights = bound.as_deref().map(|b| &b.weights);
        let posed = document.posed(slot, &pose).map_err(|e| e.to_string())?;
        let Some(hit) = pick(&character.mesh.triangles, &posed, origin, direction) else {
            return Ok(Some(Value::Null));
        };
        let vertex = hit.vertex as usize;
        let part = character
            .mesh
            .parts
            .iter()
            .position(|p| p.triangles.contains(&hit.triangle));
        let carried = part.and_then(|p| match character.mesh.parts[p].attachment {
            PartAttachment::Rigid(joint) => Some(joint.0),
            PartAttachment::Skin => None,
        });
        let influences: Vec<(u16, f32)> = match (carried, weights) {
            (Some(joint), _) => vec![(joint, 1.0)],
            (None, Some(weights)) => {
                let row = weights.of_vertex(vertex).iter();
                row.map(|i| (i.joint.0, i.weight)).collect()
            }
            (None, None) => Vec::new(),
        };
        Ok(Some(json!({
            "vertex": hit.vertex,
            "source_vertex": document.asset.source_vertex(hit.vertex),
            "part": part,
            "carried": carried.is_some(),
            "place": hit.position.to_array(),
            "at": posed[vertex].to_array(),
            "influences": influences,
        })))
    }

    /// The vertices in a ball around what a ray meets.
    pub(crate) fn brush(
        &mut self,
        origin: Vec3,
        direction: Vec3,
        pose: Option<&[f32]>,
        around: Around,
    ) -> Answer {
        let document = self.opened()?;
        let character = document.character().clone();
        let pose = pose_of(&character.skeleton, pose)?;
        let posed = document.posed(0, &pose).map_err(|e| e.to_string())?;
        let vertices: Vec<u32> = match around {
            Around::Surface(radius) => {
                let Some(hit) = pick(&character.mesh.triangles, &posed, origin, direction) else {
                    return Ok(Some(json!({ "vertices": [], "source": [] })));
                };
                let within = |&v: &u32| posed[v as usize].distance(hit.position) <= radius;
                (0..posed.len() as u32).filter(within).collect()
            }
            Around::Screen(radius, cone) => {
                let surface = document.hand_surface();
                let points = through_screen(&surface, &posed, origin, direction, (radius, cone));
                let all = points.iter().flat_map(|(p, _)| surface.vertices_of(*p));
                all.copied().collect()
            }
        };
        let source = document.asset.source_vertices(&vertices);
        Ok(Some(json!({ "vertices": vertices, "source": source })))
    }

    /// A small picture of something that can be opened.
    pub(crate) fn thumbnail(&mut self, asked: Asked, item: &str) -> Answer {
        let item = self.library.get(item).cloned().ok_or("this is not in the list")?;
        if item.source.is_project() {
            return Err("a project has no picture".to_owned());
        }
        let file = self.folders.keeper.picture_of(&item).map_err(|e| e.to_string())?;
        self.start_job(QUIET, Some(asked), move |task| {
            // Drawn once; as long as the file is older than its picture.
            let changed = |p: &std::path::Path| p.metadata().and_then(|m| m.modified()).ok();
            let fresh = match (item.source.path().and_then(changed), changed(&file)) {
                (source, Some(picture)) => source.is_none_or(|source| source < picture),
                _ => false,
            };
            if !fresh {
                let request = RenderRequest {
                    assets: vec![AssetRequest::of(item.source.input())],
                    output: Some(file.clone()),
                    size: Some(THUMBNAIL),
                    ..RenderRequest::default()
                };
                ligament_app::render::run(&request, task)?;
            }
            let bytes = std::fs::read(&file).map_err(ProjectError::from)?;
            let finish: Finish = Box::new(move |desk| {
                let frame = Frame::new(Kind::Thumbnail, 0, asked.1, bytes.len() as u32).bytes(&bytes);
                desk.frame(asked.0, frame.finish());
                desk.reply(asked.0, asked.1, Value::Null);
            });
            Ok(finish)
        });
        Ok(None)
    }

    /// What decided the weights of a vertex.
    pub(crate) fn why(&mut self, vertex: u32) -> Answer {
        let document = self.opened()?;
        let character = document.character().clone();
        if vertex as usize >= character.mesh.positions.len() {
            return Err("there is no such vertex".to_owned());
        }
        let settings = document.state().bind.clone();
        let settings = settings.ok_or("bind first: the file's own weights do not say what decided them")?;
        let prepared = document
            .binder
            .prepared(&settings)
            .ok_or("bind again: what decided these weights is no longer kept")?;
        let bound = self.bound(0)?.ok_or("bind first")?;
        let prepared = prepared.lock().unwrap_or_else(PoisonError::into_inner);
        let binding = prepared
            .voxels()
            .ok_or("only voxel and best go by distances that can be told; choose one of them")?;
        let number = self.opened()?.asset.source_vertex(vertex);
        let why = explained(number, vertex as usize, &character, binding, &bound.weights, None);
        let mut value = serde_json::to_value(&why).map_err(|e| e.to_string())?;
        value["text"] = why.to_string().into();
        Ok(Some(value))
    }

    /// The skin in a pose by delta mush.
    pub(crate) fn mush(&mut self, asked: Asked, pose: Option<&[f32]>, slot: usize) -> Answer {
        let bound = self.bound(slot)?.ok_or("bind first")?;
        let document = self.opened()?;
        let character = document.character().clone();
        let pose = pose_of(&character.skeleton, pose)?;
        let fresh = document
            .mush
            .as_ref()
            .filter(|(s, b, _)| *s == slot && Arc::ptr_eq(b, &bound))
            .map(|m| m.2.clone());
        let mush = match fresh {
            Some(mush) => mush,
            None => {
                let mush = Arc::new(delta_mush(&character, &bound.weights).map_err(|e| e.to_string())?);
                document.mush = Some((slot, bound, mush.clone()));
                mush
            }
        };
        let world = pose.world_from_bind(&character.skeleton);
        let deformed = mush.evaluate(&world).map_err(|e| e.to_string())?;
        let flat = |v: &[Vec3]| v.iter().flat_map(|v| v.to_array()).collect::<Vec<f32>>();
        let serial = document.serial;
        let frame = Frame::new(
            Kind::Deformed,
            serial,
            slot as u32,
            deformed.positions.len() as u32,
        )
        .f32s(flat(&deformed.positions))
        .f32s(flat(&deformed.normals))
        .finish();
        self.frame(asked.0, frame);
        Ok(Some(Value::Null))
    }

    /// The voxels of the solid.
    pub(crate) fn voxels(&mut self, asked: Asked) -> Answer {
        let document = self.opened()?;
        let settings = document
            .state()
            .bind
            .clone()
            .ok_or("bind first, by voxel or best")?;
        let prepared = document
            .binder
            .prepared(&settings)
            .ok_or("bind again: the voxels of these weights are no longer kept")?;
        let serial = document.serial;
        let prepared = prepared.lock().unwrap_or_else(PoisonError::into_inner);
        let binding = prepared.voxels().ok_or("only voxel and best have voxels")?;
        let (count, frame) = voxel_frame(binding, serial);
        drop(prepared);
        self.frame(asked.0, frame);
        Ok(Some(json!({ "leaves": count })))
    }
}
