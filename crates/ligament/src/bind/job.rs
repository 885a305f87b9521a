//! What every method starts from and ends with: the positions that need weights, the
//! joints each may follow, and the way back from positions to vertices.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use glam::Vec3;

use super::guess::left_out;
use super::{BindError, BindOptions, BindWarning, DeformChoice, Locks};
use crate::character::{Character, Influence, JointIndex, PartAttachment, Weights, WeightsError};
use crate::geometry::Laplacian;
use crate::geometry::Twins;
use crate::geometry::Welded;

/// No row: the position needs no weights.
const NO_ROW: u32 = u32::MAX;
/// No list of groups: no part that bends has the position.
const NO_GROUPS: u16 = u16::MAX;

/// A bind under way.
pub struct Job<'a> {
    character: &'a Character,
    twins: Twins,
    /// The distinct positions that need weights.
    pub positions: Vec<Vec3>,
    /// For each of them, its number among all distinct positions.
    numbers: Vec<u32>,
    /// For each of them, which of the `allowed` sets holds.
    pub allowed_of_position: Vec<u16>,
    /// Sets of joints that a position may follow: for each joint yes or no.
    pub allowed: Vec<Vec<bool>>,
    /// For each joint whether any position may follow it.
    pub deforms: Vec<bool>,
    /// For each of `positions` the falloff that a region gives it.
    pub falloff_of_position: Vec<Option<f64>>,
    locks: Locks,
    influences: usize,
    /// Of the surface that needs weights, once somebody asked.
    pub(crate) laplacian: OnceLock<Arc<Laplacian>>,
    /// What was guessed so far.
    pub warnings: Vec<BindWarning>,
}

impl<'a> Job<'a> {
    /// Checks the character and sorts out who may follow what.
    pub fn new(character: &'a Character, options: &BindOptions) -> Result<Self, BindError> {
        Self::with_twins(character, options, || Twins::of(&character.mesh))
    }

    /// The same character with other options.
    pub fn again(&self, options: &BindOptions) -> Result<Self, BindError> {
        let job = Self::with_twins(self.character, options, || self.twins.clone())?;
        Ok(Self {
            laplacian: self.laplacian.clone(),
            ..job
        })
    }

    fn with_twins(
        character: &'a Character,
        options: &BindOptions,
        twins: impl FnOnce() -> Twins,
    ) -> Result<Self, BindError> {
        character.mesh.check()?;
        character.skeleton.check()?;
        if options.influences == 0 {
            return Err(BindError::NoInfluences);
        }
        let chosen = options
            .deform
            .resolve(&character.skeleton, character.weights.as_ref())?;
        let mut warnings = Vec::new();
        if options.deform == DeformChoice::Guess {
            let joints = left_out(&character.skeleton, &chosen);
            if !joints.is_empty() {
                warnings.push(BindWarning::JointsLeftOut { joints });
            }
        }
        let twins = twins();

        // Parts with the same joints form a group; a position belongs to the groups of all
        // its twins and may follow the joints that they agree on, so that no seam tears.
        let mut groups: Vec<Vec<bool>> = Vec::new();
        let mut groups_of_position = vec![NO_GROUPS; twins.position_count()];
        // Lists of groups that positions belong to; few, though positions are many.
        let mut lists: Vec<Vec<u16>> = Vec::new();
        for part in character
            .mesh
            .parts
            .iter()
            .filter(|p| p.attachment == PartAttachment::Skin)
        {
            let allowed = allowed_joints(&chosen, part.joints.as_deref()).unwrap_or_else(|own| {
                warnings.push(BindWarning::NoDeformJointInPart {
                    part: part.name.clone(),
                    joints: own.iter().filter(|&&j| j).count(),
                });
                own
            });
            let group = groups.iter().position(|g| *g == allowed).unwrap_or_else(|| {
                groups.push(allowed);
                groups.len() - 1
            }) as u16;
            let mut joined: BTreeMap<u16, u16> = BTreeMap::new();
            for vertex in part.vertices.clone() {
                let list = &mut groups_of_position[twins.position_of_vertex[vertex] as usize];
                *list = *joined.entry(*list).or_insert_with(|| {
                    let mut groups = lists.get(usize::from(*list)).cloned().unwrap_or_default();
                    if let Err(place) = groups.binary_search(&group) {
                        groups.insert(place, group);
                    }
                    lists.iter().position(|l| *l == groups).unwrap_or_else(|| {
                        lists.push(groups);
                        lists.len() - 1
                    }) as u16
                });
            }
        }

        let mut allowed: Vec<Vec<bool>> = Vec::new();
        let mut set_of_list: Vec<Option<u16>> = vec![None; lists.len()];
        let (mut positions, mut numbers, mut allowed_of_position) = (Vec::new(), Vec::new(), Vec::new());
        for (number, &list) in groups_of_position
            .iter()
            .enumerate()
            .filter(|(_, list)| **list != NO_GROUPS)
        {
            let set = *set_of_list[usize::from(list)].get_or_insert_with(|| {
                allowed.push(common_joints(&lists[usize::from(list)], &groups));
                (allowed.len() - 1) as u16
            });
            positions.push(character.mesh.positions[twins.first_vertex[number] as usize]);
            numbers.push(number as u32);
            allowed_of_position.push(set);
        }
        if positions.is_empty() {
            return Err(BindError::NothingToBind);
        }
        let mut falloff_of_position = vec![None; positions.len()];
        let mut row_of_number = vec![NO_ROW; twins.position_count()];
        for (row, &number) in numbers.iter().enumerate() {
            row_of_number[number as usize] = row as u32;
        }
        for region in &options.regions {
            let inside = region.of.resolve(character)?;
            let drivers = region.driver_joints(&character.skeleton)?.map(|drivers| {
                let mut set = vec![false; character.skeleton.joints.len()];
                for joint in drivers {
                    set[joint.at()] = true;
                }
                allowed.push(set);
                (allowed.len() - 1) as u16
            });
            let falloff = match &region.falloff {
                Some(rule) => Some(rule.at(&character.skeleton, options.pose.as_ref())?),
                None => None,
            };
            for vertex in (0..inside.len()).filter(|&v| inside[v]) {
                let row = row_of_number[twins.position_of_vertex[vertex] as usize];
                if row == NO_ROW {
                    continue;
                }
                if let Some(set) = drivers {
                    allowed_of_position[row as usize] = set;
                }
                if falloff.is_some() {
                    falloff_of_position[row as usize] = falloff;
                }
            }
        }
        let joint_count = character.skeleton.joints.len();
        let deforms = (0..joint_count)
            .map(|j| allowed.iter().any(|set| set[j]))
            .collect();
        Ok(Self {
            character,
            twins,
            positions,
            numbers,
            allowed_of_position,
            allowed,
            deforms,
            falloff_of_position,
            locks: options.locks.clone(),
            influences: options.influences,
            laplacian: OnceLock::new(),
            warnings,
        })
    }

    /// The nearest joint of the skin above a joint.
    pub fn skin_parent(&self, joint: JointIndex) -> Option<JointIndex> {
        self.character.skeleton.skin_parent(joint)
    }

    /// The surface that needs weights: a point for each of `positions`, and the faces of
    /// the parts that bend.
    pub fn surface(&self) -> Welded {
        let row_of_number = self.row_of_number();
        let mesh = &self.character.mesh;
        let row = |v: u32| row_of_number[self.twins.position_of_vertex[v as usize] as usize];
        let faces = mesh
            .parts
            .iter()
            .filter(|p| p.attachment == PartAttachment::Skin)
            .flat_map(|p| &mesh.triangles[p.triangles.clone()])
            .map(|t| t.map(row))
            .filter(|t| !t.contains(&NO_ROW));
        Welded {
            points: self.positions.iter().map(|p| p.as_dvec3()).collect(),
            faces: faces.collect(),
            diagonal: f64::from(mesh.diagonal()),
        }
    }

    /// The Laplacian of [`Job::surface`], which the caller has at hand; found once.
    pub fn laplacian_of(&self, surface: &Welded) -> Arc<Laplacian> {
        let found = || Arc::new(Laplacian::of(&surface.points, &surface.faces));
        self.laplacian.get_or_init(found).clone()
    }

    /// For each distinct position its row among `positions`, or [`NO_ROW`].
    fn row_of_number(&self) -> Vec<u32> {
        let mut rows = vec![NO_ROW; self.twins.position_count()];
        for (row, &number) in self.numbers.iter().enumerate() {
            rows[number as usize] = row as u32;
        }
        rows
    }

    /// The joints that a position may follow.
    pub fn allowed_at(&self, position: usize) -> &[bool] {
        &self.allowed[usize::from(self.allowed_of_position[position])]
    }

    /// For each vertex its row among `positions`; none where a joint carries it or no part
    /// names it.
    pub fn row_of_vertices(&self) -> Vec<Option<usize>> {
        let rows = self.row_of_number();
        let carried = self.character.mesh.rigid_joint_of_vertices();
        let numbers = self.twins.position_of_vertex.iter().zip(carried);
        numbers
            .map(|(&number, joint)| match rows[number as usize] {
                row if row != NO_ROW && joint.is_none() => Some(row as usize),
                _ => None,
            })
            .collect()
    }

    /// The whole mesh, carried parts too, as one surface.
    pub fn body(&self) -> Welded {
        Welded::by(&self.character.mesh, &self.twins)
    }

    /// For each position its point in [`Job::body`].
    pub fn body_points(&self) -> &[u32] {
        &self.numbers
    }

    /// The first vertex at a position.
    pub fn first_vertex(&self, position: usize) -> usize {
        self.twins.first_vertex[self.numbers[position] as usize] as usize
    }

    /// The faces of skin parts, with their corners as positions of this job, and their
    /// numbers in `body`.
    pub fn faces(&self, body: &Welded) -> Vec<(u32, [u32; 3])> {
        let rows = self.row_of_number();
        let mut faces = Vec::with_capacity(body.faces.len());
        for part in &self.character.mesh.parts {
            if part.attachment != PartAttachment::Skin {
                continue;
            }
            for face in part.triangles.clone() {
                let corners = body.faces[face].map(|number| rows[number as usize]);
                if corners.iter().all(|&row| row != NO_ROW) {
                    faces.push((face as u32, corners));
                }
            }
        }
        faces
    }

    /// Hands the weights of `positions` out to all vertices; vertices of carried parts
    /// follow their joint, and what is locked stays as it was.
    pub fn scatter(&self, per_position: &Weights) -> Result<Weights, BindError> {
        let weights = self
            .handed_out(per_position)
            .map_err(|_| BindError::NothingToBind)?;
        self.locks.applied(self.character, weights, self.influences)
    }

    fn handed_out(&self, per_position: &Weights) -> Result<Weights, WeightsError> {
        let row_of_number = self.row_of_number();
        let carried = self.character.mesh.rigid_joint_of_vertices();
        Weights::in_parallel(carried.len(), 4, |vertices, builder| {
            for vertex in vertices {
                let row = row_of_number[self.twins.position_of_vertex[vertex] as usize];
                match carried[vertex] {
                    Some(joint) => builder.push(&[Influence { joint, weight: 1.0 }])?,
                    None if row != NO_ROW => builder.push_valid(per_position.of_vertex(row as usize)),
                    // A vertex that no part names: no face shows it, but it needs a weight.
                    None => builder.push(&[Influence {
                        joint: self.any_joint(),
                        weight: 1.0,
                    }])?,
                }
            }
            Ok(())
        })
    }

    fn any_joint(&self) -> JointIndex {
        JointIndex(self.deforms.iter().position(|&d| d).unwrap_or(0) as u16)
    }
}

/// The chosen joints among a part's own; if that leaves none, its own as an error.
fn allowed_joints(chosen: &[bool], own: Option<&[JointIndex]>) -> Result<Vec<bool>, Vec<bool>> {
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
