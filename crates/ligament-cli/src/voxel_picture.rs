//! `render --voxels`: the solid that a mesh encloses, as cubes, whole or cut open.
//!
//! Cubes of neighbouring leaves differ a little in brightness, so that a cut shows how
//! coarse voxels are within.

use std::str::FromStr;

use anyhow::bail;
use glam::{IVec3, UVec3, Vec3};
use ligament::Character;
use ligament::bind::DeformChoice;
use ligament::character::{BoneShape, LEAF_STUB, Mesh, bones_of};
use ligament::geometry::Welded;
use ligament::skin::Skin;
use ligament::solid::distance::Sources;
use ligament::solid::{Leaves, Resolution, Solid, SolidOptions};
use ligament::task::Task;

/// A plane across an axis, as a share of the box around the mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Slice {
    axis: usize,
    share: f64,
}

impl FromStr for Slice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parsed = text.split_once('=').and_then(|(axis, share)| {
            Some(Self {
                axis: ["x", "y", "z"].iter().position(|a| *a == axis)?,
                share: share.parse().ok().filter(|s| (0.0..=1.0).contains(s))?,
            })
        });
        parsed.ok_or_else(|| "use x=SHARE, y=SHARE or z=SHARE with a share from 0 to 1".to_owned())
    }
}

/// What a cube stands for, from what hides others to what is common.
#[derive(Clone, Copy)]
enum Kind {
    /// A bone starts here.
    Bone,
    /// A triangle touches it.
    Boundary,
    /// The views did not agree on it, and the winding number put it inside.
    Ambiguous,
    /// Inside.
    Interior,
}

impl Kind {
    /// Linear colour.
    fn color(self) -> [f32; 3] {
        match self {
            Self::Bone => [0.85, 0.18, 0.03],
            Self::Boundary => [0.42, 0.44, 0.48],
            Self::Ambiguous => [0.55, 0.12, 0.55],
            Self::Interior => [0.16, 0.42, 0.78],
        }
    }
}

/// Cubes as a mesh with a colour for each vertex.
pub struct VoxelPicture {
    /// The sides of cubes that can be seen.
    pub mesh: Mesh,
    /// A linear colour for each of its vertices.
    pub colors: Vec<[f32; 3]>,
    /// How many voxels of which kind there are, in words.
    pub legend: String,
}

/// Finds the solid and the cubes that are seen by a camera that looks `forward`; a slice
/// takes away the side towards it.
pub fn voxel_picture(
    character: &Character,
    resolution: Resolution,
    slice: Option<Slice>,
    forward: Vec3,
    task: &Task<'_>,
) -> anyhow::Result<VoxelPicture> {
    let (surface, bones) = if character.skeleton.joints.iter().any(|j| j.in_skin) {
        let skin = Skin::new(character.clone())?;
        let joints = DeformChoice::Guess.resolve(&character.skeleton, None)?;
        let bones = bones_of(&character.skeleton, &joints, LEAF_STUB);
        (skin.surface().clone(), bones)
    } else {
        (Welded::of(&character.mesh), Vec::new())
    };
    let options = SolidOptions {
        resolution: resolution.resolve(&surface, None),
        ..SolidOptions::default()
    };
    let solid = Solid::of(&surface, &options, task)?;
    let shapes: Vec<BoneShape> = bones.into_iter().map(|b| b.shape).collect();
    let sources = Sources::of(&solid, &shapes).voxels(solid.grid.counts);
    let leaves = Leaves::of(&solid, &sources, true, true);

    let counts = solid.grid.counts;
    let hidden = |voxel: UVec3| {
        slice.is_some_and(|s| {
            let at = (f64::from(voxel[s.axis]) + 0.5) / f64::from(counts[s.axis]);
            if forward[s.axis] < 0.0 {
                at > s.share
            } else {
                at < s.share
            }
        })
    };
    let shown = |at: IVec3| {
        let inside =
            solid.boundary.get_or_false(at.x, at.y, at.z) || solid.interior.get_or_false(at.x, at.y, at.z);
        inside && !hidden(at.as_uvec3())
    };
    let (mut positions, mut triangles, mut colors) = (Vec::new(), Vec::new(), Vec::new());
    for voxel in solid.voxels().ones().filter(|&v| !hidden(v)) {
        let kind = if sources.get(voxel) {
            Kind::Bone
        } else if solid.boundary.get(voxel) {
            Kind::Boundary
        } else if solid.ambiguous.get(voxel) {
            Kind::Ambiguous
        } else {
            Kind::Interior
        };
        let at = voxel.as_ivec3();
        let shade = match leaves.leaf_of_voxel(at.x, at.y, at.z) {
            Some(leaf) if leaves.cell(leaf).element_sum() % 2 == 1 => 0.86,
            _ => 1.0,
        };
        for axis in 0..3 {
            for side in [0, 1] {
                let mut beside = at;
                beside[axis] += 2 * side - 1;
                if shown(beside) {
                    continue;
                }
                let first = positions.len() as u32;
                let (u, v) = ((axis + 1) % 3, (axis + 2) % 3);
                for (a, b) in [(0, 0), (1, 0), (1, 1), (0, 1)] {
                    let mut corner = at;
                    corner[axis] += side;
                    corner[u] += a;
                    corner[v] += b;
                    positions.push(solid.grid.bind_from_grid(corner.as_dvec3()).as_vec3());
                    colors.push(kind.color().map(|c| c * shade));
                }
                let corner = |k: u32| first + if side == 1 { k } else { (4 - k) % 4 };
                triangles.push([corner(0), corner(1), corner(2)]);
                triangles.push([corner(0), corner(2), corner(3)]);
            }
        }
    }
    if triangles.is_empty() {
        bail!("the slice leaves no voxel to show; choose another share");
    }
    let ambiguous = solid.ambiguous.combined(&solid.interior, |a, i| a & i).count();
    let legend = format!(
        "{} × {} × {} voxels in {} leaves: {} boundary (grey), {} interior (blue), {ambiguous} of them by \
         winding numbers (violet), {} of bones (orange)",
        counts.x,
        counts.y,
        counts.z,
        leaves.len(),
        solid.boundary.count(),
        solid.interior.count(),
        sources.count()
    );
    Ok(VoxelPicture {
        mesh: Mesh::single_part(&character.name, positions, triangles),
        colors,
        legend,
    })
}
