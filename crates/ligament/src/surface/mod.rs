//! Operators on the surface of a mesh, whatever state it is in.

mod laplacian;

pub use laplacian::Laplacian;
