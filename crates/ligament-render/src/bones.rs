//! A skeleton as solid shapes: an octahedron per bone, a ball per joint.

use glam::{DAffine3, Vec3};
use ligament::{JointIndex, Skeleton};

/// Bones to draw over a mesh. They are never hidden by it; give the mesh
/// [`crate::Style::ghost`] to let them stand out.
#[derive(Debug, Clone, Copy)]
pub struct SkeletonOverlay<'a> {
    /// The joints. Those that are not in the skin are left out.
    pub skeleton: &'a Skeleton,
    /// Where they are, one matrix per joint; see
    /// [`Pose::world_from_joints`](ligament::Pose::world_from_joints).
    pub world_from_joint: &'a [DAffine3],
    /// A joint to set apart from the others.
    pub highlight: Option<JointIndex>,
    /// Linear colours, one per joint; without them all are alike.
    pub colors: Option<&'a [[f32; 3]]>,
}

impl<'a> SkeletonOverlay<'a> {
    /// A plain overlay.
    pub fn new(skeleton: &'a Skeleton, world_from_joint: &'a [DAffine3]) -> Self {
        Self {
            skeleton,
            world_from_joint,
            highlight: None,
            colors: None,
        }
    }
}

const BONE: [f32; 3] = [0.12, 0.28, 0.52];
const JOINT: [f32; 3] = [0.80, 0.62, 0.16];
const HIGHLIGHT: [f32; 3] = [0.90, 0.20, 0.03];

/// Half the width of a bone relative to its length, and its bounds relative to the size of
/// the skeleton.
const BONE_WIDTH: f32 = 0.075;
const BONE_WIDTH_BOUNDS: [f32; 2] = [0.002, 0.013];
/// Where a bone is widest, from its head.
const WAIST: f32 = 0.15;
/// The radius of a joint's ball relative to the size of the skeleton, and at most this
/// share of the shortest bone at the joint.
const BALL: f32 = 0.0075;
const BALL_SHARE: f32 = 0.16;

/// Triangles of a skeleton.
#[derive(Default)]
pub(crate) struct BoneMesh {
    pub positions: Vec<Vec3>,
    pub normals: Vec<Vec3>,
    pub colors: Vec<[f32; 3]>,
    pub triangles: Vec<[u32; 3]>,
}

impl BoneMesh {
    pub fn new(overlay: &SkeletonOverlay) -> Self {
        let mut mesh = Self::default();
        let skeleton = overlay.skeleton;
        let position = |j: JointIndex| overlay.world_from_joint[j.at()].translation.as_vec3();
        let joints: Vec<JointIndex> = skeleton
            .indices()
            .filter(|&j| skeleton.joint(j).in_skin && position(j).is_finite())
            .collect();
        let Some(&first) = joints.first() else {
            return mesh;
        };
        let bounds = (position(first), position(first));
        let (low, high) = joints
            .iter()
            .fold(bounds, |(l, h), &j| (l.min(position(j)), h.max(position(j))));
        let size = (high - low).length();
        let mut shortest = vec![f32::INFINITY; skeleton.joints.len()];
        for &joint in &joints {
            let Some(parent) = skeleton.skin_parent(joint).filter(|&p| position(p).is_finite()) else {
                continue;
            };
            let (head, tail) = (position(parent), position(joint));
            let length = head.distance(tail);
            if length > 1e-6 * size {
                for j in [joint, parent] {
                    shortest[j.at()] = shortest[j.at()].min(length);
                }
                mesh.add_bone(head, tail, size, overlay.color(parent, BONE));
            }
        }
        // A lone joint has no size to go by; it gets a small ball all the same.
        let size = if size > 0.0 { size } else { 0.1 };
        for &joint in &joints {
            let fraction = shortest[joint.at()] * BALL_SHARE;
            let radius = (BALL * size).min(fraction);
            let grown = if overlay.highlight == Some(joint) {
                1.6
            } else {
                1.0
            };
            mesh.add_ball(position(joint), radius * grown, overlay.color(joint, JOINT));
        }
        mesh
    }

    fn add_bone(&mut self, head: Vec3, tail: Vec3, size: f32, color: [f32; 3]) {
        let along = tail - head;
        let (u, v) = along.normalize_or(Vec3::Y).any_orthonormal_pair();
        let [least, most] = BONE_WIDTH_BOUNDS;
        let width = (BONE_WIDTH * along.length()).clamp(least * size, most * size);
        let waist = head + along * WAIST;
        let ring = [u, v, -u, -v].map(|d| waist + d * width);
        for k in 0..4 {
            let (a, b) = (ring[k], ring[(k + 1) % 4]);
            self.add_facet([head, b, a], color);
            self.add_facet([tail, a, b], color);
        }
    }

    fn add_facet(&mut self, corners: [Vec3; 3], color: [f32; 3]) {
        let [a, b, c] = corners;
        let first = self.positions.len() as u32;
        let normal = (b - a).cross(c - a).normalize_or(Vec3::Y);
        self.positions.extend(corners);
        self.normals.extend([normal; 3]);
        self.colors.extend([color; 3]);
        self.triangles.push([first, first + 1, first + 2]);
    }

    fn add_ball(&mut self, centre: Vec3, radius: f32, color: [f32; 3]) {
        const SIDES: u32 = 12;
        const RINGS: u32 = 8;
        let first = self.positions.len() as u32;
        for ring in 0..=RINGS {
            let (sp, cp) = (ring as f32 / RINGS as f32 * std::f32::consts::PI).sin_cos();
            for side in 0..SIDES {
                let (s, c) = (side as f32 / SIDES as f32 * std::f32::consts::TAU).sin_cos();
                let normal = Vec3::new(sp * s, cp, sp * c);
                self.positions.push(centre + normal * radius);
                self.normals.push(normal);
                self.colors.push(color);
            }
        }
        for ring in 0..RINGS {
            for side in 0..SIDES {
                let next = (side + 1) % SIDES;
                let (a, b) = (first + ring * SIDES + side, first + ring * SIDES + next);
                self.triangles.push([a, a + SIDES, b + SIDES]);
                self.triangles.push([a, b + SIDES, b]);
            }
        }
    }
}

impl SkeletonOverlay<'_> {
    fn color(&self, joint: JointIndex, plain: [f32; 3]) -> [f32; 3] {
        if self.highlight == Some(joint) {
            return HIGHLIGHT;
        }
        let given = self.colors.and_then(|c| c.get(joint.at()));
        given.copied().unwrap_or(plain)
    }
}
