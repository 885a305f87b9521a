//! Operators on the surface of a mesh, whatever state it is in.

mod diffusion;
mod laplacian;

pub use diffusion::Diffusion;
pub use laplacian::Laplacian;
