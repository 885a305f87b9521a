//! Surfaces, whatever state they are in.
//!
//! - [`Weld`]: which vertices lie at one position; [`WeldedMesh`]: the mesh as one surface.
//! - `NearPoints`: which point lies at a position.
//! - `BoxTree`: what is near a box, a segment or a point; `closest_on_triangle`: where on a face.
//! - [`edge_faults`], [`Shells`], `islands`: what is connected to what.
//! - [`idle_faces`]: repetitions, and second sides of bodies that are modelled two-sided; [`faces_to_flip`]: faces wound against their neighbours.
//! - [`shell_solids`], [`inside_out_shells`]: which shells enclose a volume, and which are wound inside out.
//! - [`winding_number`] and, for many points, [`WindingTree`]: how often the surface goes around a point.
//! - [`Laplacian`], `Diffusion`: operators on the surface; `normals`: which way it looks.
//! - [`mirror_symmetry`]: whether left and right are alike.
//! - [`SurfacePaths`]: how far it is along the surface, without crossing a gap.
//! - [`self_intersecting_faces`], `Faces`: faces that cross each other, or stand in the way.
//!
//! Nothing here knows of bones or weights but `Diffusion`, which smooths rows of weights.

mod box_tree;
mod closest_point;
mod consistent_winding;
mod diffusion;
mod edges;
mod idle_faces;
mod islands;
mod laplacian;
mod mirror;
mod near_points;
mod normals;
mod one_ring;
mod orientation;
mod repeated_faces;
mod self_intersection;
#[cfg(test)]
pub(crate) mod shapes;
mod shells;
mod surface_paths;
mod triangle_pair;
mod visibility;
mod weld;
mod welded;
mod winding;
mod winding_tree;

pub(crate) use box_tree::{Bounds, BoxTree};
pub(crate) use closest_point::closest_on_triangle;
pub use consistent_winding::{WindingDisagreement, faces_to_flip};
pub(crate) use diffusion::Diffusion;
pub use edges::{EdgeFaults, edge_faults};
pub use idle_faces::{IdleFaces, idle_faces};
pub(crate) use islands::{islands, nearest};
pub use laplacian::Laplacian;
pub use mirror::{MirrorFacts, mirror_symmetry};
pub(crate) use near_points::NearPoints;
pub(crate) use normals::{normal_axes, normals, normals_of};
pub use one_ring::Smoothing;
pub(crate) use one_ring::{Rings, rings_of_edges, rings_of_faces};
pub use orientation::{HAS_VOLUME, NEARLY_CLOSED, ShellSolid, inside_out_shells, shell_solids};
pub use self_intersection::self_intersecting_faces;
pub(crate) use shells::DisjointSets;
pub use shells::Shells;
pub use surface_paths::SurfacePaths;
pub(crate) use visibility::Faces;
pub use weld::Weld;
pub use welded::WeldedMesh;
pub use winding::{winding_number, winding_number_of};
pub use winding_tree::WindingTree;
