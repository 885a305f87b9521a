//! What is wrong with a mesh, a skeleton or weights, counted.

pub mod box_tree;
mod edges;
mod faces;
mod self_intersection;
#[cfg(test)]
mod shapes;
mod shells;
pub mod triangle_pair;
mod welded;

pub use edges::{EdgeFaults, edge_faults};
pub use faces::{FLAT_FACE, degenerate_faces, duplicate_faces};
pub use self_intersection::self_intersecting_faces;
pub use shells::Shells;
pub use welded::Welded;
