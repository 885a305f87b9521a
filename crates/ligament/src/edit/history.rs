//! The steps back and forth.

use super::engine::Engine;
use super::grouped_rows::{RowGroup, older_of};
use super::heat::HeatChange;
use super::rig_state::Rig;
use super::session::{EditResult, Session};

/// What is kept of a command: everything that it replaced.
pub(super) struct Change {
    pub rig: Rig,
    pub heat: Option<HeatChange>,
    /// Weights of positions as they are written: groups where some are others.
    pub finals: Vec<(u32, RowGroup)>,
    pub deforms: Vec<bool>,
}

impl Session {
    /// How many commands can be undone.
    pub fn undo_count(&self) -> usize {
        self.undo.len()
    }

    /// How many commands can be done again.
    pub fn redo_count(&self) -> usize {
        self.redo.len()
    }

    /// Takes the last command back; `None` if there is none.
    pub fn undo(&mut self) -> Option<EditResult> {
        let mut change = self.undo.pop()?;
        self.swap(&mut change);
        let changed_vertices = self.changed_vertices(&change, self.differing(&change));
        self.redo.push(change);
        Some(EditResult {
            changed_vertices,
            ..EditResult::default()
        })
    }

    /// Does the command again that was undone last; `None` if there is none.
    pub fn redo(&mut self) -> Option<EditResult> {
        let mut change = self.redo.pop()?;
        self.swap(&mut change);
        let changed_vertices = self.changed_vertices(&change, self.differing(&change));
        self.undo.push(change);
        Some(EditResult {
            changed_vertices,
            ..EditResult::default()
        })
    }

    /// Joins the last two commands into one step for undo, as a drag's steps are one to a
    /// person. Fails if there are not two, or if something could be done again.
    pub fn join_last_two(&mut self) -> bool {
        if self.undo.len() < 2 || !self.redo.is_empty() {
            return false;
        }
        let (Some(later), Some(earlier)) = (self.undo.pop(), self.undo.pop()) else {
            return false;
        };
        self.undo.push(Change {
            rig: earlier.rig,
            heat: match (earlier.heat, later.heat) {
                (Some(earlier), Some(later)) => Some(earlier.joined(later)),
                (earlier, later) => earlier.or(later),
            },
            finals: older_of(earlier.finals, later.finals),
            deforms: earlier.deforms,
        });
        true
    }

    fn swap(&mut self, change: &mut Change) {
        std::mem::swap(&mut self.rig, &mut change.rig);
        std::mem::swap(&mut self.deforms, &mut change.deforms);
        self.finals.swap(&mut change.finals);
        match &mut self.engine {
            Engine::Heat(field) => {
                if let Some(heat) = &mut change.heat {
                    field.swap(heat);
                }
            }
            // Distances follow the rig at the next command; they depend on nothing else.
            Engine::Voxel(_) => {}
        }
    }
}
