//! A skeleton from a mesh, whatever state it is in.
//!
//! 1. The mesh's voxel solid, and a watertight surface around it (`voxels`, `proxy`).
//! 2. That surface contracts to nearly nothing (`contract`) and collapses to a graph
//!    (`collapse`): Au et al., "Skeleton Extraction by Mesh Contraction" (2008).
//! 3. The graph becomes a tree inside the solid (`tree`), symmetric where the body is
//!    (`symmetry`).
//! 4. Legs, arms, head and tail are recognised (`anatomy`), joints are chosen (`simplify`),
//!    named (`names`) and given frames (`orient`).
//!
//! Promised: one connected tree, parents first; every bone within a voxel of the solid, apart
//! from bridges between separate pieces and what a limit on joints cuts short;
//! orthonormal, right-handed frames; names that differ; the same result at any number of
//! threads. Not promised: that joints are where an artist would put them.

mod anatomy;
mod axes;
mod biped;
mod body;
mod collapse;
mod contract;
mod names;
mod orient;
mod proxy;
mod quadruped;
mod simplify;
mod symmetry;
#[cfg(test)]
mod tests;
mod tree;
mod tree_prune;
mod tree_tips;
mod voxels;

use glam::DVec3;

use crate::character::{BoneShape, JointIndex, LEAF_STUB, Mesh, MeshError, Skeleton, bones_of};
use crate::geometry::WeldedMesh;
use crate::solid::{Grid, Solid, SolidOptions};
use crate::task::{Cancelled, Stage, Task};

pub use anatomy::BodyPlan;
pub(in crate::rig) use axes::Axes;
pub(in crate::rig) use voxels::{Voxels, around};

use body::Body;
use collapse::Graph;
use proxy::Proxy;
use tree::Tree;

/// Points of the surface that is contracted, roughly, at the usual detail. Contraction takes
/// about a second for 20,000 on one core and grows a little faster than the points do.
const PROXY_POINTS: f64 = 20_000.0;
/// The boundary of voxels has about so many points for each square of their side that the
/// surface has.
const STEPS_PER_SQUARE: f64 = 1.5;
/// Voxels along the longest side, at least and at most.
const VOXELS: (f64, f64) = (48.0, 224.0);
/// Branches shorter than this fraction of the diagonal are not looked at.
const SHORTEST_BRANCH: f64 = 0.035;

/// What to extract.
#[derive(Debug, Clone, PartialEq)]
pub struct ExtractOptions {
    /// Where the root is to be: the joint nearest to this point becomes it. `None` takes the
    /// hips of a biped or quadruped, else the joint that balances the skeleton best.
    pub root: Option<DVec3>,
    /// The most joints wanted, from 1 on; those that cost the least shape are left out.
    pub joints: Option<usize>,
    /// How small a thing gets a joint, from 0 (limbs alone) to 1 (fingers, ears, folds);
    /// usually 0.5. Raising it takes longer.
    pub detail: f64,
}

impl Default for ExtractOptions {
    fn default() -> Self {
        Self {
            root: None,
            joints: None,
            detail: 0.5,
        }
    }
}

/// A skeleton and what it came from.
#[derive(Debug, Clone)]
pub struct Extracted {
    /// The joints, parents first, depth-first; rest is bind.
    pub skeleton: Skeleton,
    /// For each vertex of the mesh, the joint whose part of the body it collapsed to (Π of
    /// Au et al.).
    pub joint_of_vertex: Vec<JointIndex>,
    /// What the body was recognised as.
    pub plan: BodyPlan,
    /// Whether the body, and with it the skeleton, is symmetric.
    pub symmetric: bool,
    /// The joints whose bone to their parent spans a gap between separate pieces.
    pub bridges: Vec<JointIndex>,
    /// Where the time went.
    pub stages: Vec<Stage>,
    /// What it was extracted from, for templates.
    pub(in crate::rig) whole: Whole,
}

/// The body that a skeleton was extracted from.
#[derive(Debug, Clone)]
pub(in crate::rig) struct Whole {
    pub voxels: Voxels,
    /// The ways in which it may stand, the likeliest first.
    pub stands: Vec<Axes>,
}

/// Why there is no skeleton.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ExtractError {
    /// The mesh cannot be worked on.
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// All of the mesh is in one point.
    #[error("the mesh has no extent: all its vertices are in one point")]
    NoExtent,
    /// The caller asked to stop.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Extracts a skeleton from a mesh; see the module.
pub fn extract(mesh: &Mesh, options: &ExtractOptions, task: &Task<'_>) -> Result<Extracted, ExtractError> {
    mesh.check()?;
    let mut watch = task.stopwatch();
    let welded = WeldedMesh::of(mesh);
    let (low, high) = mesh.bounds();
    let longest = f64::from((high - low).max_element());
    if longest <= 0.0 || !longest.is_finite() {
        return Err(ExtractError::NoExtent);
    }
    // From 4 at no detail by way of 1 to a quarter at full detail.
    let scale = 4f64.powf(1.0 - 2.0 * options.detail.clamp(0.0, 1.0));
    // Detail is worth more points, but not as many as it has steps.
    let points = PROXY_POINTS / scale.sqrt();
    let (mut solid, mut voxels) = filled(&welded, resolution(&welded, longest, points), task)?;
    // Shells within shells have an area that does not show on the outside.
    let finer = (points / voxels.faces().max(1) as f64).sqrt();
    if finer > 1.2 {
        let resolution = finer * longest / voxels.cell;
        (solid, voxels) = filled(&welded, resolution.clamp(VOXELS.0, VOXELS.1) as u32, task)?;
    }
    let candidates = Axes::candidates(&voxels);
    let mirror = candidates[0].mirror;
    if mirror.is_symmetric() {
        voxels.part_contacts(&mirror);
    }
    let depths = voxels.depths();
    watch.lap("voxels");

    task.step("contracting", 0.0)?;
    let proxy = Proxy::of(&voxels);
    let rings = proxy.rings();
    let contracted = contract::contract(&proxy, &rings, task)?;
    watch.lap("contract");
    task.step("collapsing", 0.0)?;
    let graph = collapse::collapse(&contracted, &proxy.faces, rings.clone());
    watch.lap("collapse");

    task.step("joints", 0.0)?;
    let diagonal = welded.diagonal;
    let body = Body {
        voxels: &voxels,
        depths: &depths,
        solid: &solid,
        shortest: SHORTEST_BRANCH * scale * diagonal,
    };
    let mut tree = Tree::of(&graph, &proxy, &rings, &contracted, &body);
    let half = mirror
        .is_symmetric()
        .then(|| symmetry::symmetrised(&tree, &mirror, diagonal, &body));
    let symmetric = if let Some(twice) = half.flatten() {
        tree = twice;
        true
    } else {
        false
    };
    let anatomy = anatomy::recognise(&mut tree, candidates, symmetric, &body, diagonal);
    let root = options.root.and_then(|at| {
        (0..tree.len() as u32).min_by(|&a, &b| {
            let distance = |n: u32| tree.points[n as usize].distance_squared(at);
            distance(a).total_cmp(&distance(b))
        })
    });
    let joints = simplify::simplify(
        &tree,
        &anatomy,
        root,
        &body,
        symmetric,
        scale,
        diagonal,
        options.joints,
    );
    let names = names::names(
        &tree,
        &joints,
        &anatomy,
        symmetric || anatomy.plan != BodyPlan::Other,
        diagonal,
    );
    let positions: Vec<DVec3> = joints.points.iter().map(|&n| tree.points[n as usize]).collect();
    let skeleton = orient::skeleton(
        &positions,
        &joints.parents,
        names,
        DVec3::AXES[anatomy.axes.forward],
    );
    let bridges = bridges(&tree, &joints, &body);
    let joint_of_vertex = joint_of_vertices(mesh, &skeleton, &graph, &proxy, &voxels);
    watch.lap("joints");
    let stands = match anatomy.plan {
        BodyPlan::Other => candidates.to_vec(),
        _ => vec![anatomy.axes],
    };
    Ok(Extracted {
        skeleton,
        joint_of_vertex,
        plan: anatomy.plan,
        symmetric,
        bridges,
        stages: watch.stages(),
        whole: Whole { voxels, stands },
    })
}

/// Voxels along the longest side for about so many points.
fn resolution(welded: &WeldedMesh, longest: f64, points: f64) -> u32 {
    let area: f64 = (0..welded.faces.len())
        .map(|f| welded.area_vector(f).length())
        .sum();
    let cell = (STEPS_PER_SQUARE * area / points).sqrt();
    (longest / cell).clamp(VOXELS.0, VOXELS.1) as u32
}

/// The voxels at a resolution, and the solid that they come from.
fn filled(welded: &WeldedMesh, resolution: u32, task: &Task<'_>) -> Result<(Solid, Voxels), ExtractError> {
    let grid = Grid::in_pairs(&welded.points, 2 * resolution);
    let solid = Solid::within(welded, grid, &SolidOptions::default(), task)?;
    let voxels = Voxels::of(&solid);
    Ok((solid, voxels))
}

/// Joints whose bone to their parent leaves the solid because pieces are apart.
fn bridges(tree: &Tree, joints: &simplify::Joints, body: &Body<'_>) -> Vec<JointIndex> {
    (0..joints.points.len())
        .filter(|&j| {
            joints.parents[j].is_some_and(|p| {
                let path = tree.path(joints.points[p], joints.points[j]);
                let ends = [p, j].map(|j| tree.points[joints.points[j] as usize]);
                path.windows(2).any(|w| tree.is_bridge(w[0], w[1])) && !body.holds_line(ends[0], ends[1])
            })
        })
        .map(|j| JointIndex(j as u16))
        .collect()
}

/// Π for the mesh's own vertices: by way of the voxel that each is in to a point of the
/// proxy, from there to the node that it collapsed to, and to the bone nearest to that.
fn joint_of_vertices(
    mesh: &Mesh,
    skeleton: &Skeleton,
    graph: &Graph,
    proxy: &Proxy,
    voxels: &Voxels,
) -> Vec<JointIndex> {
    let deforms = vec![true; skeleton.joints.len()];
    let bones = bones_of(skeleton, &deforms, LEAF_STUB);
    // Where each node's region was before it was contracted.
    let mut middles = vec![(DVec3::ZERO, 0.0f64); graph.centre_point.len()];
    for (p, &node) in graph.node_of_point.iter().enumerate() {
        middles[node as usize].0 += proxy.points[p];
        middles[node as usize].1 += 1.0;
    }
    let joint_of_node: Vec<JointIndex> = middles
        .iter()
        .map(|&(sum, count)| {
            let middle = sum / count.max(1.0);
            let distance = |s: &BoneShape| s.distance(middle);
            bones
                .iter()
                .min_by(|a, b| distance(&a.shape).total_cmp(&distance(&b.shape)))
                .map_or(JointIndex(0), |b| b.joint)
        })
        .collect();
    // The proxy's points spread through the grid to every voxel.
    const NONE: u32 = u32::MAX;
    let mut node_of_voxel = vec![NONE; voxels.solid.len()];
    let mut queue = std::collections::VecDeque::new();
    for (p, &position) in proxy.points.iter().enumerate() {
        let v = voxels.containing(position);
        if voxels.holds(v) && node_of_voxel[voxels.at(v)] == NONE {
            node_of_voxel[voxels.at(v)] = graph.node_of_point[p];
            queue.push_back(v);
        }
    }
    while let Some(v) = queue.pop_front() {
        let node = node_of_voxel[voxels.at(v)];
        for n in voxels::beside(v).filter(|&n| voxels.holds(n)) {
            let slot = &mut node_of_voxel[voxels.at(n)];
            if *slot == NONE {
                *slot = node;
                queue.push_back(n);
            }
        }
    }
    mesh.positions
        .iter()
        .map(|p| {
            let v = voxels.containing(p.as_dvec3());
            let node = if voxels.holds(v) {
                node_of_voxel[voxels.at(v)]
            } else {
                NONE
            };
            joint_of_node.get(node as usize).copied().unwrap_or(JointIndex(0))
        })
        .collect()
}
