//! Operators on the surface of a mesh, whatever state it is in.

mod diffusion;
mod laplacian;

pub use diffusion::diffused;
pub use laplacian::Laplacian;
