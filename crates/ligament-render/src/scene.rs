//! What is drawn, and how.

use glam::Vec3;
use ligament::Mesh;
use ligament::deform::Deformed;

use crate::{Pictures, Ramp, SkeletonOverlay, Wire};

/// A mesh somewhere in the world and how to draw it.
#[derive(Debug, Clone, Copy)]
pub struct Scene<'a> {
    /// Triangles, parts and materials.
    pub mesh: &'a Mesh,
    /// Where its vertices are; the mesh's own positions or those of a pose.
    pub positions: &'a [Vec3],
    /// Unit normals, one per vertex. Without them the faces give smooth ones, across
    /// split vertices.
    pub normals: Option<&'a [Vec3]>,
    /// What colours it.
    pub paint: Paint<'a>,
    /// Bones to draw over it.
    pub skeleton: Option<SkeletonOverlay<'a>>,
    /// How it is drawn.
    pub style: Style,
}

impl<'a> Scene<'a> {
    /// A mesh as it is, in its own colours.
    pub fn of_mesh(mesh: &'a Mesh) -> Self {
        Self {
            mesh,
            positions: &mesh.positions,
            normals: mesh.normals.as_deref(),
            paint: Paint::Material,
            skeleton: None,
            style: Style::default(),
        }
    }

    /// A mesh in a pose, in its own colours.
    pub fn of_pose(mesh: &'a Mesh, deformed: &'a Deformed) -> Self {
        Self {
            positions: &deformed.positions,
            normals: Some(&deformed.normals),
            ..Self::of_mesh(mesh)
        }
    }
}

/// What colours a mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Paint<'a> {
    /// The parts' base colours times the vertices' colours. Transparency is ignored.
    Material,
    /// The same times the parts' textures; what a material cuts out or lets shine through is
    /// cut out and shines through, and normal maps bend smooth shading.
    Textured(&'a Pictures),
    /// A linear colour per vertex.
    Colors(&'a [[f32; 3]]),
    /// A number per vertex, looked up in a ramp at every pixel.
    Scalar {
        /// The numbers.
        values: &'a [f32],
        /// What colours numbers in `0.0..=1.0`.
        ramp: Ramp,
    },
}

/// How a mesh is drawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Style {
    /// How light falls on it.
    pub shading: Shading,
    /// What becomes of faces seen from behind.
    pub back_faces: BackFaces,
    /// Edges drawn over the surface, or `None`.
    pub wire: Option<Wire>,
    /// How much of what is behind it the mesh hides, in `0.0..=1.0`: below 1 the
    /// background shines through, and a skeleton stands out.
    pub opacity: f32,
    /// Strength of a soft shadow on the ground under the lowest vertex, in `0.0..=1.0`.
    pub ground_shadow: f32,
    /// What is behind everything.
    pub background: Background,
}

impl Default for Style {
    fn default() -> Self {
        Self {
            shading: Shading::Smooth,
            back_faces: BackFaces::Tint,
            wire: None,
            opacity: 1.0,
            ground_shadow: 0.45,
            background: Background::default(),
        }
    }
}

impl Style {
    /// A pale mesh that a skeleton shows through.
    pub fn ghost() -> Self {
        Self {
            opacity: 0.45,
            ..Self::default()
        }
    }
}

/// How light falls on a mesh.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Shading {
    /// By the vertices' normals.
    #[default]
    Smooth,
    /// By the faces' normals: every facet shows.
    Flat,
    /// Not at all: paint comes out as it is, for reading colours off a picture.
    Unlit,
}

/// What becomes of faces seen from behind.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum BackFaces {
    /// Drawn in a warning red, so that shells turned inside out can be seen. This holds
    /// for materials that are meant to be double-sided too.
    #[default]
    Tint,
    /// Drawn like front faces.
    Plain,
    /// Not drawn.
    Hide,
}

/// What is behind everything. Colours are linear.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Background {
    /// From the picture's upper to its lower edge.
    Gradient {
        /// At the upper edge.
        top: [f32; 3],
        /// At the lower edge.
        bottom: [f32; 3],
    },
    /// Nothing: the picture has an alpha channel.
    Transparent,
}

impl Default for Background {
    fn default() -> Self {
        Self::Gradient {
            top: [0.86, 0.87, 0.89],
            bottom: [0.62, 0.63, 0.65],
        }
    }
}

/// How finely a picture is drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RenderOptions {
    /// Pixels per row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Samples per pixel.
    pub samples: Samples,
}

impl Default for RenderOptions {
    fn default() -> Self {
        Self {
            width: 1280,
            height: 720,
            samples: Samples::Four,
        }
    }
}

/// How many samples of a pixel are looked at. More gives smoother outlines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Samples {
    /// The centre only: hard steps.
    One,
    /// Good for most pictures.
    #[default]
    Four,
    /// Smoother.
    Eight,
    /// As smooth as it gets, at up to twice the cost of four.
    Sixteen,
}

/// Why a scene cannot be drawn.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RenderError {
    /// The picture would have no pixels, or too many.
    #[error(
        "cannot draw a picture of {width} by {height} pixels; sides must be 1 to {MAX_SIDE} and the area at most {MAX_PIXELS}"
    )]
    BadSize {
        /// Pixels per row.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// A camera's numbers are not finite or its directions vanish or coincide.
    #[error(
        "the camera cannot see: its position must be finite, its directions independent and its angle or height positive"
    )]
    BadCamera,
    /// A per-vertex array has the wrong length.
    #[error("{array} has {found} entries for {expected} vertices")]
    WrongLength {
        /// The array at fault.
        array: &'static str,
        /// Its length.
        found: usize,
        /// How many the mesh has.
        expected: usize,
    },
    /// A triangle points past the end of the vertices.
    #[error("triangle {triangle} refers to a vertex that does not exist")]
    VertexOutOfRange {
        /// Index into the mesh's triangles.
        triangle: usize,
    },
    /// The skeleton and its matrices do not belong together.
    #[error("the skeleton has {joints} joints but {matrices} matrices")]
    WrongJointCount {
        /// How many joints the skeleton has.
        joints: usize,
        /// How many matrices came with it.
        matrices: usize,
    },
}

/// The longest side of a picture.
pub(crate) const MAX_SIDE: u32 = 16384;
/// The largest area of a picture.
pub(crate) const MAX_PIXELS: u64 = 1 << 26;

/// Checks everything that drawing relies on.
pub(crate) fn check(scene: &Scene, options: &RenderOptions) -> Result<(), RenderError> {
    let (width, height) = (options.width, options.height);
    let area = u64::from(width) * u64::from(height);
    if area == 0 || width > MAX_SIDE || height > MAX_SIDE || area > MAX_PIXELS {
        return Err(RenderError::BadSize { width, height });
    }
    let expected = scene.mesh.positions.len();
    let painted = match scene.paint {
        Paint::Material | Paint::Textured(_) => None,
        Paint::Colors(colors) => Some(colors.len()),
        Paint::Scalar { values, .. } => Some(values.len()),
    };
    for (array, found) in [
        ("positions", Some(scene.positions.len())),
        ("normals", scene.normals.map(<[Vec3]>::len)),
        ("paint", painted),
        ("vertex colors", scene.mesh.colors.as_ref().map(Vec::len)),
    ] {
        if let Some(found) = found.filter(|&found| found != expected) {
            return Err(RenderError::WrongLength {
                array,
                found,
                expected,
            });
        }
    }
    let beyond = |t: &[u32; 3]| t.iter().any(|&v| v as usize >= expected);
    if let Some(triangle) = scene.mesh.triangles.iter().position(beyond) {
        return Err(RenderError::VertexOutOfRange { triangle });
    }
    if let Some(overlay) = &scene.skeleton {
        let (joints, matrices) = (overlay.skeleton.joints.len(), overlay.world_from_joint.len());
        if joints != matrices {
            return Err(RenderError::WrongJointCount { joints, matrices });
        }
    }
    Ok(())
}
