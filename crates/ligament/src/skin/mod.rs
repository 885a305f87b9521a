//! The welded surface that bends: what every method, judge and edit works on.
//!
//! Exporters split a vertex where its normal, texture coordinate or material changes, and files hold parts that a
//! joint carries as one piece. A [`Skin`] has one [point](PointIndex) for each different position of the parts that
//! bend, the faces between them, and the way back to all vertices. It does not depend on any option, so one skin
//! serves every method and every setting.
//!
//! What several of them need is found once, when it is first asked for, and shared: the [Laplacian](Skin::laplacian),
//! the whole [body](Skin::body).
//!
//! [`JointMasks`] say which joints each point may follow.

mod coarse;
mod extent;
mod masks;
mod mirror;
mod mirror_pairs;

use std::sync::{Arc, OnceLock};

use glam::DVec3;

use crate::character::{
    Character, Influence, JointIndex, Mesh, MeshError, PartAttachment, SkeletonError, Weights, WeightsError,
};
use crate::geometry::{IdleFaces, Laplacian, Weld, WeldedMesh, idle_faces};

use coarse::{Interpolation, PartJoints};
pub use extent::Extent;
pub(crate) use masks::points_at;
pub use masks::{JointMasks, PartWithoutJoints};
pub use mirror::{Mirror, mirror_joints};
pub use mirror_pairs::{Axis, MirrorPlane};

/// A point of a [`Skin`]. Not a vertex of the mesh, and not a point of the whole body.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PointIndex(pub u32);

impl PointIndex {
    /// The same as an index into slices with an entry for each point.
    pub fn at(self) -> usize {
        self.0 as usize
    }
}

/// No point: a joint carries the vertex, or no part names it.
const NO_POINT: u32 = u32::MAX;

/// Why a character has no skin to work on.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SkinError {
    /// The mesh cannot be worked on.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The skeleton cannot be worked on.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
    /// Everything hangs on a joint as one piece.
    #[error("nothing needs weights: every part of the mesh is carried by a joint as one piece")]
    NothingBends,
    /// A part names a joint that the skeleton does not have.
    #[error("part '{part}' names joint {joint}, but the skeleton has only {count} joints")]
    NoSuchJoint {
        /// The part's name.
        part: String,
        /// The index that is too large.
        joint: u16,
        /// How many joints there are.
        count: usize,
    },
    /// A part may follow no joint at all.
    #[error("part '{part}' lists no joint that it may follow; give it some, or no list at all")]
    NoJointInPart {
        /// The part's name.
        part: String,
    },
    /// Another character has another mesh.
    #[error("the character has {found} vertices where the skin was made from {wanted}")]
    OtherMesh {
        /// How many the skin was made from.
        wanted: usize,
        /// How many the character has.
        found: usize,
    },
}

/// The welded surface that bends. Clones share everything.
#[derive(Debug, Clone)]
pub struct Skin {
    character: Arc<Character>,
    shared: Arc<SkinSurface>,
    /// What lies far from the skeleton, once somebody asked.
    strays: Arc<OnceLock<Option<Extent>>>,
    /// For each joint whether it is taken to move skin, once somebody guessed: sliders ask again and again.
    deforming: Arc<OnceLock<Vec<bool>>>,
    /// The skin that this one has fewer points than, and how its points follow these.
    finer: Option<Arc<(Skin, Interpolation)>>,
}

/// What depends on the mesh alone, shared by all skins of it.
#[derive(Debug)]
pub(crate) struct SkinSurface {
    weld: Arc<Weld>,
    /// Points and faces of the parts that bend; the diagonal is that of the whole mesh.
    pub surface: Arc<WeldedMesh>,
    /// How many faces were left out because they are the second sides of bodies that are modelled two-sided.
    pub second_faces: usize,
    /// For each face of the surface its index in the mesh.
    pub mesh_faces: Vec<u32>,
    /// For each point its index in the body.
    body_points: Vec<u32>,
    /// For each point of the body its point, or [`NO_POINT`].
    point_of_body: Vec<u32>,
    body: OnceLock<Arc<WeldedMesh>>,
    laplacian: OnceLock<Arc<Laplacian>>,
}

impl Skin {
    /// Welds the parts of a character that bend, after checking it. Pass an [`Arc`] to share the character, or a
    /// character to give it away.
    pub fn new(character: impl Into<Arc<Character>>) -> Result<Self, SkinError> {
        let character = character.into();
        character.mesh.check()?;
        character.skeleton.check()?;
        check_part_joints(&character)?;
        let shared = Arc::new(SkinSurface::of(&character.mesh)?);
        Ok(Self {
            character,
            shared,
            strays: Arc::default(),
            deforming: Arc::default(),
            finer: None,
        })
    }

    /// The same surface for a character that differs in its skeleton, weights or clips alone.
    pub fn with_character(&self, character: impl Into<Arc<Character>>) -> Result<Self, SkinError> {
        let character = character.into();
        character.skeleton.check()?;
        check_part_joints(&character)?;
        let (wanted, found) = (
            self.character.mesh.positions.len(),
            character.mesh.positions.len(),
        );
        if wanted != found {
            return Err(SkinError::OtherMesh { wanted, found });
        }
        Ok(Self {
            character,
            shared: self.shared.clone(),
            strays: Arc::default(),
            deforming: Arc::default(),
            finer: None,
        })
    }

    /// The character that the skin belongs to.
    pub fn character(&self) -> &Arc<Character> {
        &self.character
    }

    /// How many points there are; at least one.
    #[allow(
        clippy::len_without_is_empty,
        reason = "a skin without points is an error when it is made"
    )]
    pub fn len(&self) -> usize {
        self.points().len()
    }

    /// Where the points are, in bind space.
    pub fn points(&self) -> &[DVec3] {
        &self.shared.surface.points
    }

    /// The faces between the points, by their indices.
    pub fn faces(&self) -> &[[u32; 3]] {
        &self.shared.surface.faces
    }

    /// Points and faces together. The diagonal is that of the whole mesh, strays apart ([`Mesh::robust_diagonal`]).
    pub fn surface(&self) -> &WeldedMesh {
        &self.shared.surface
    }

    /// How many faces were left out because they are the second sides of bodies that are modelled two-sided.
    pub fn second_faces(&self) -> usize {
        self.shared.second_faces
    }

    /// For each joint whether it is taken to move skin: what somebody guessed before, or `guess`.
    pub(crate) fn deforming_joints(&self, guess: impl FnOnce() -> Vec<bool>) -> &[bool] {
        let made: &Vec<bool> = made_once(&self.deforming, guess);
        made
    }

    /// What of the surface does not count as the character because it lies far from the skeleton, if anything does.
    pub fn strays(&self) -> Option<&Extent> {
        if let Some(finer) = &self.finer {
            return finer.0.strays();
        }
        let make = || Extent::of(self.surface(), &self.character.skeleton);
        made_once(&self.strays, make).as_ref()
    }

    /// Whether the body is this very surface and nothing of it is stray.
    pub(crate) fn is_body_without_strays(&self) -> bool {
        self.finer.is_none() && std::ptr::eq(self.body(), self.surface()) && self.strays().is_none()
    }

    /// The surface that a solid is made of: all of it, but for strays, and with all its points.
    pub fn solid_surface(&self) -> &WeldedMesh {
        if let Some(finer) = &self.finer {
            return finer.0.solid_surface();
        }
        self.strays().map_or(self.surface(), |strays| &strays.surface)
    }

    /// For each face its index in the mesh.
    pub fn mesh_faces(&self) -> &[u32] {
        &self.shared.mesh_faces
    }

    /// The diagonal of the whole mesh's bounding box, strays apart ([`Mesh::robust_diagonal`]).
    pub fn diagonal(&self) -> f64 {
        self.shared.surface.diagonal
    }

    /// The Laplacian of the surface.
    pub fn laplacian(&self) -> &Arc<Laplacian> {
        let surface = &self.shared.surface;
        let make = || Arc::new(Laplacian::of(&surface.points, &surface.faces));
        made_once(&self.shared.laplacian, make)
    }

    /// The whole mesh, carried parts too, as one surface: a point for each different position.
    pub fn body(&self) -> &WeldedMesh {
        self.shared_body()
    }

    fn shared_body(&self) -> &Arc<WeldedMesh> {
        let shared = &self.shared;
        made_once(&shared.body, || {
            let mesh = &self.character.mesh;
            if shared.is_all_of(mesh) {
                return shared.surface.clone(); // the same points and faces in the same order
            }
            let mut body = WeldedMesh::by(mesh, &shared.weld);
            // Faces keep their numbers: those that say nothing new collapse, which counts for nothing.
            if let Some(IdleFaces { is_idle, .. }) = idle_faces(&body) {
                for (face, _) in body.faces.iter_mut().zip(is_idle).filter(|(_, idle)| *idle) {
                    *face = [face[0]; 3];
                }
            }
            body.into()
        })
    }

    /// For each point its index among the points of the [`Skin::body`].
    pub fn body_points(&self) -> &[u32] {
        &self.shared.body_points
    }

    /// How many points of the character's own a point stands for.
    pub(crate) fn multiplicity(&self, point: usize) -> usize {
        self.finer.as_ref().map_or(1, |finer| finer.1.multiplicity(point))
    }

    /// For each vertex of the mesh its index among the points of the [`Skin::body`].
    pub fn body_point_of_vertices(&self) -> &[u32] {
        &self.shared.weld.point_of_vertex
    }

    /// The first vertex at a point, be it carried or not.
    pub fn first_vertex(&self, point: PointIndex) -> usize {
        let shared = &self.shared;
        shared.weld.first_vertex[shared.body_points[point.at()] as usize] as usize
    }

    /// For each vertex its point; none where a joint carries it or no part names it.
    pub fn points_of_vertices(&self) -> Vec<Option<PointIndex>> {
        self.shared.points_of_vertices(&self.character.mesh)
    }

    /// Hands weights of points out to all vertices. Vertices of carried parts follow their joint; those that no part
    /// names, which no face shows, follow `otherwise`.
    pub fn to_vertices(&self, of_points: &Weights, otherwise: JointIndex) -> Result<Weights, WeightsError> {
        if let Some((finer, interpolation)) = self.finer.as_deref() {
            let lists = PartJoints::of(finer);
            let allowed = |point: usize| lists.as_ref().and_then(|lists| lists.at(point));
            let of_finer = interpolation.weights(of_points, allowed)?;
            return finer.to_vertices(&of_finer, otherwise);
        }
        let carriers = self.character.mesh.rigid_joint_of_vertices();
        Weights::in_parallel(carriers.len(), 4, |vertices, builder| {
            for vertex in vertices {
                let alone = |joint| [Influence { joint, weight: 1.0 }];
                match (carriers[vertex], self.shared.point_at(vertex)) {
                    (Some(joint), _) => builder.push(&alone(joint))?,
                    (None, Some(point)) => builder.push_valid(of_points.of_vertex(point.at())),
                    (None, None) => builder.push(&alone(otherwise))?,
                }
            }
            Ok(())
        })
    }
}

/// Parts name joints that exist, and skin may follow at least one.
fn check_part_joints(character: &Character) -> Result<(), SkinError> {
    let count = character.skeleton.joints.len();
    for part in character.mesh.parts.iter().filter(|p| !p.vertices.is_empty()) {
        let named: &[JointIndex] = match (&part.attachment, &part.joints) {
            (PartAttachment::Rigid(carrier), _) => std::slice::from_ref(carrier),
            (PartAttachment::Skin, None) => continue,
            (PartAttachment::Skin, Some(joints)) => joints,
        };
        let part = || part.name.clone();
        if named.is_empty() {
            return Err(SkinError::NoJointInPart { part: part() });
        }
        if let Some(&joint) = named.iter().find(|j| j.at() >= count) {
            return Err(SkinError::NoSuchJoint {
                part: part(),
                joint: joint.0,
                count,
            });
        }
    }
    Ok(())
}

/// What a cell holds, made now if nobody did. The cell is not locked meanwhile: a thread of the pool that waits for its
/// share of the making may begin other work that asks for the same. Both make the same then, and the first counts.
fn made_once<T>(cell: &OnceLock<T>, make: impl FnOnce() -> T) -> &T {
    if let Some(made) = cell.get() {
        return made;
    }
    let made = make();
    cell.get_or_init(|| made)
}

impl SkinSurface {
    /// Whether no joint carries a part and every face counts, so that the body is the surface.
    fn is_all_of(&self, mesh: &Mesh) -> bool {
        self.body_points.len() == self.weld.point_count() && self.mesh_faces.len() == mesh.triangles.len()
    }

    /// The point at a vertex's position, also where a joint carries the vertex.
    fn point_at(&self, vertex: usize) -> Option<PointIndex> {
        let point = self.point_of_body[self.weld.point_of_vertex[vertex] as usize];
        (point != NO_POINT).then_some(PointIndex(point))
    }

    /// For each vertex of the mesh its point; none where a joint carries it or no part names it.
    pub fn points_of_vertices(&self, mesh: &Mesh) -> Vec<Option<PointIndex>> {
        let carriers = mesh.rigid_joint_of_vertices();
        let of_vertex = |(vertex, carrier): (usize, Option<JointIndex>)| match carrier {
            Some(_) => None,
            None => self.point_at(vertex),
        };
        carriers.into_iter().enumerate().map(of_vertex).collect()
    }

    /// Welds a mesh that has passed [`Mesh::check`].
    pub fn of(mesh: &Mesh) -> Result<Self, SkinError> {
        let weld = Weld::of(mesh);
        let bending = || mesh.parts.iter().filter(|p| p.attachment == PartAttachment::Skin);
        let mut bends = vec![false; weld.point_count()];
        for vertex in bending().flat_map(|part| part.vertices.clone()) {
            bends[weld.point_of_vertex[vertex] as usize] = true;
        }
        let body_points: Vec<u32> = (0..bends.len() as u32).filter(|&p| bends[p as usize]).collect();
        if body_points.is_empty() {
            return Err(SkinError::NothingBends);
        }
        let mut point_of_body = vec![NO_POINT; bends.len()];
        for (point, &body_point) in (0..).zip(&body_points) {
            point_of_body[body_point as usize] = point;
        }
        let point = |v: u32| point_of_body[weld.point_of_vertex[v as usize] as usize];
        let (mesh_faces, faces): (Vec<u32>, Vec<[u32; 3]>) = bending()
            .flat_map(|part| part.triangles.clone())
            .map(|face| (face as u32, mesh.triangles[face].map(point)))
            .filter(|(_, corners)| !corners.contains(&NO_POINT))
            .unzip();
        let position = |&p: &u32| mesh.positions[weld.first_vertex[p as usize] as usize].as_dvec3();
        let mut surface = WeldedMesh {
            points: body_points.iter().map(position).collect(),
            faces,
            diagonal: f64::from(mesh.robust_diagonal()),
        };
        let mut mesh_faces = mesh_faces;
        let mut second_faces = 0;
        if let Some(idle) = idle_faces(&surface) {
            second_faces = idle.second_sides;
            let mut is_idle = idle.is_idle.iter();
            surface.faces.retain(|_| is_idle.next() != Some(&true));
            let mut is_idle = idle.is_idle.iter();
            mesh_faces.retain(|_| is_idle.next() != Some(&true));
        }
        Ok(Self {
            surface: surface.into(),
            second_faces,
            mesh_faces,
            body_points,
            point_of_body,
            weld: weld.into(),
            body: OnceLock::new(),
            laplacian: OnceLock::new(),
        })
    }
}
