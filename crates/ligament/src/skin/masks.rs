//! Which joints each point of a skin may follow.

use std::collections::BTreeMap;

use super::{PointIndex, Skin};
use crate::character::{JointIndex, PartAttachment};

/// No list of groups: no part that bends has been seen at the point yet.
const NO_GROUPS: u16 = u16::MAX;

/// Sets of joints, and which of them holds at each point. Sets are few, though points are many.
#[derive(Debug, Clone, PartialEq)]
pub struct JointMasks {
    /// For each joint yes or no.
    sets: Vec<Vec<bool>>,
    /// For each point its set.
    of_point: Vec<u16>,
}

/// None of the chosen joints may move a part, so that it was given all joints of its own skin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartWithoutJoints {
    /// The part's name.
    pub part: String,
    /// How many joints its skin has.
    pub joints: usize,
}

impl JointMasks {
    /// The chosen joints, but only those that a part's own skin lists. A point on the border of two parts may follow the
    /// joints that both list, so that no seam tears.
    pub fn of(skin: &Skin, chosen: &[bool]) -> (Self, Vec<PartWithoutJoints>) {
        let mut without = Vec::new();
        // Parts with the same joints form a group; a point belongs to the groups of all vertices there.
        let mut groups: Vec<Vec<bool>> = Vec::new();
        let mut lists: Vec<Vec<u16>> = Vec::new();
        let mut list_of_body = vec![NO_GROUPS; skin.shared.point_of_body.len()];
        let mesh = &skin.character.mesh;
        for part in mesh.parts.iter().filter(|p| p.attachment == PartAttachment::Skin) {
            let allowed = chosen_among(chosen, part.joints.as_deref()).unwrap_or_else(|own| {
                without.push(PartWithoutJoints {
                    part: part.name.clone(),
                    joints: own.iter().filter(|&&j| j).count(),
                });
                own
            });
            let group = index_or_push(&mut groups, allowed);
            let mut joined: BTreeMap<u16, u16> = BTreeMap::new();
            for vertex in part.vertices.clone() {
                let list = &mut list_of_body[skin.shared.weld.point_of_vertex[vertex] as usize];
                *list = *joined.entry(*list).or_insert_with(|| {
                    let mut of_point = lists.get(usize::from(*list)).cloned().unwrap_or_default();
                    if let Err(slot) = of_point.binary_search(&group) {
                        of_point.insert(slot, group);
                    }
                    index_or_push(&mut lists, of_point)
                });
            }
        }
        let mut sets: Vec<Vec<bool>> = Vec::new();
        let mut set_of_list: Vec<Option<u16>> = vec![None; lists.len()];
        let set_of_point = |&body_point: &u32| {
            let list = usize::from(list_of_body[body_point as usize]);
            *set_of_list[list].get_or_insert_with(|| {
                sets.push(common_joints(&lists[list], &groups));
                (sets.len() - 1) as u16
            })
        };
        let of_point = skin.body_points().iter().map(set_of_point).collect();
        (Self { sets, of_point }, without)
    }

    /// The same sets of joints by other names: `renamed` gives each set for joints that are numbered otherwise.
    pub fn renumbered(&self, renamed: impl Fn(&[bool]) -> Vec<bool>) -> Self {
        Self {
            sets: self.sets.iter().map(|set| renamed(set)).collect(),
            of_point: self.of_point.clone(),
        }
    }

    /// Lets the points of some vertices follow these joints and no others.
    pub fn restrict(&mut self, skin: &Skin, vertices: &[bool], joints: &[JointIndex]) {
        let mut set = vec![false; self.sets.first().map_or(0, Vec::len)];
        for joint in joints {
            set[joint.at()] = true;
        }
        self.sets.push(set);
        let own = (self.sets.len() - 1) as u16;
        for point in points_at(skin, vertices) {
            self.of_point[point.at()] = own;
        }
    }

    /// The joints that a point may follow: for each joint yes or no.
    pub fn at(&self, point: usize) -> &[bool] {
        &self.sets[usize::from(self.of_point[point])]
    }

    /// All sets.
    pub fn sets(&self) -> &[Vec<bool>] {
        &self.sets
    }

    /// For each point the index of its set.
    pub fn of_points(&self) -> &[u16] {
        &self.of_point
    }

    /// For each joint whether any point may follow it.
    pub fn joints(&self) -> Vec<bool> {
        let count = self.sets.first().map_or(0, Vec::len);
        (0..count).map(|j| self.sets.iter().any(|set| set[j])).collect()
    }
}

/// The points at the positions of some vertices.
pub(crate) fn points_at<'a>(skin: &'a Skin, vertices: &'a [bool]) -> impl Iterator<Item = PointIndex> + 'a {
    let chosen = (0..vertices.len()).filter(|&v| vertices[v]);
    chosen.filter_map(|vertex| skin.shared.point_at(vertex))
}

fn index_or_push<T: PartialEq>(list: &mut Vec<T>, item: T) -> u16 {
    let index = list.iter().position(|have| *have == item).unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    });
    index as u16
}

/// The chosen joints among a part's own; if that leaves none, its own as an error.
fn chosen_among(chosen: &[bool], own: Option<&[JointIndex]>) -> Result<Vec<bool>, Vec<bool>> {
    let Some(own) = own else {
        return Ok(chosen.to_vec());
    };
    let mut listed = vec![false; chosen.len()];
    for joint in own {
        listed[joint.at()] = true;
    }
    let both: Vec<bool> = listed.iter().zip(chosen).map(|(&l, &c)| l && c).collect();
    if both.contains(&true) {
        Ok(both)
    } else {
        Err(listed)
    }
}

/// The joints that all groups agree on; the first group's where they agree on none.
fn common_joints(list: &[u16], groups: &[Vec<bool>]) -> Vec<bool> {
    let mut common = groups[usize::from(list[0])].clone();
    for &group in &list[1..] {
        let other = &groups[usize::from(group)];
        let both: Vec<bool> = common.iter().zip(other).map(|(&a, &b)| a && b).collect();
        if both.contains(&true) {
            common = both;
        }
    }
    common
}
