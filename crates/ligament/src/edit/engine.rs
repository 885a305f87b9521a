//! What finds weights after each command.

use super::grouped_rows::{GroupedRows, RowGroup};
use super::heat::HeatField;
use super::options::SessionOptions;
use super::voxel::VoxelField;
use crate::character::{Influence, finished};

/// The binding that follows a session's rig.
pub(super) enum Engine {
    Heat(Box<HeatField>),
    Voxel(Box<VoxelField>),
}

impl Engine {
    /// The weights of all points as they are written.
    pub fn written(&self, options: &SessionOptions) -> GroupedRows {
        match self {
            Self::Heat(field) => {
                let (all, mut room) = (field.rows(), Vec::new());
                GroupedRows::new(all.grouping().clone(), |point, list| {
                    written_row(field, options, point, all.row(point), &mut room);
                    list.extend_from_slice(&room);
                })
            }
            Self::Voxel(field) => field.rows().clone(),
        }
    }
}

/// The weights of a group of points as they are written, into `group`. `room` is to work in.
pub(super) fn written_group(
    field: &HeatField,
    options: &SessionOptions,
    index: u32,
    group: &mut RowGroup,
    room: &mut Vec<Influence>,
) {
    let members = field.rows().grouping().members(index);
    group.clear();
    for (&point, row) in members.iter().zip(field.rows().group(index).rows()) {
        written_row(field, options, point as usize, row, room);
        group.push(room);
    }
}

/// A point's weights as they are written, into `row`, from all that it has.
fn written_row(
    field: &HeatField,
    options: &SessionOptions,
    point: usize,
    all: &[Influence],
    row: &mut Vec<Influence>,
) {
    row.clear();
    row.extend_from_slice(all);
    let domain = field.domain();
    domain.limit(&domain.masks, point, row, options.influences);
    finished(row, options.prune);
}
