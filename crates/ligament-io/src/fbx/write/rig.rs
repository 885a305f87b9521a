//! Joints as `LimbNode`s, plain nodes as `Null`s, and the bind pose.
//!
//! A joint's rest rotation goes into `PreRotation` (Maya's joint orient), so that rotations of
//! zero are the rest pose and clips stay far from where Euler angles lose an axis. Joints that
//! are scaled evenly at rest get unscaled frames, which move the skin the same way: many
//! programs take a scale of 0.01 on a skeleton badly.

use glam::{DAffine3, DMat3, DQuat, DVec3};
use ligament::Character;
use ligament::character::{JointIndex, PartAttachment, Transform};

use super::node::Node;
use super::scene::{Scene, UNITS, choice, double, int, matrix, object, properties, property, vector};
use crate::export::even_scale;
use crate::gltf::nodes_of_joints;

/// The nodes that were written for joints.
pub(super) struct Rig {
    /// For each joint its node, where it has one.
    pub of_joint: Vec<Option<RigNode>>,
    /// Records of nodes that are meshes, by the nodes' numbers: they are written with these, in
    /// whose order readers find them.
    pub waiting: Vec<(i64, Node)>,
}

/// One joint's node.
#[derive(Clone, Copy)]
pub(super) struct RigNode {
    pub id: i64,
    /// Its frame is the joint's, scaled evenly by this.
    pub frame: f64,
    /// The parent's `frame`.
    pub parent_frame: f64,
    /// Where it was when skin and bones were brought together, in centimetres.
    pub bind: DAffine3,
    /// Whether skin may follow it.
    pub in_skin: bool,
    /// Where it is at rest, in centimetres.
    pub rest: DAffine3,
    /// Where the plain node above the topmost joint is at rest: what some call the armature.
    pub armature: DAffine3,
    is_under_joint: bool,
}

impl Rig {
    pub fn get(&self, joint: JointIndex) -> Option<&RigNode> {
        self.of_joint.get(joint.at())?.as_ref()
    }
}

/// Writes the tree. Plain nodes in `replaced` get no attribute: a mesh hangs on them.
pub(super) fn write_rig(scene: &mut Scene, character: &Character, replaced: &[bool]) -> Rig {
    let skeleton = &character.skeleton;
    let kept = kept(character);
    let mut rig = Rig {
        of_joint: vec![None; skeleton.joints.len()],
        waiting: Vec::new(),
    };
    for index in skeleton.indices().filter(|j| kept[j.at()]) {
        let joint = skeleton.joint(index);
        let parent = joint.parent.and_then(|p| rig.get(p)).copied();
        let parent_frame = parent.map_or(1.0, |p| p.frame);
        let frame = even_scale(joint.rest.scale).map_or(parent_frame, |s| parent_frame / s);
        let mut bind = joint.bind_from_joint * DAffine3::from_scale(DVec3::splat(frame));
        bind.translation *= UNITS;
        let mut rest = joint.rest.to_affine();
        rest.translation *= UNITS / parent_frame;
        rest.matrix3 *= frame / parent_frame;
        let above = parent.map_or(DAffine3::IDENTITY, |p| p.rest);
        let armature = match parent {
            Some(p) if p.is_under_joint || p.in_skin => p.armature,
            _ => above,
        };
        let node = RigNode {
            rest: above * rest,
            armature,
            is_under_joint: parent.is_some_and(|p| p.in_skin || p.is_under_joint),
            id: scene.id(),
            frame,
            parent_frame,
            bind,
            in_skin: joint.in_skin,
        };
        let is_mesh = replaced[index.at()];
        let kind = match (is_mesh, joint.in_skin) {
            (true, _) => "Mesh",
            (false, true) => "LimbNode",
            (false, false) => "Null",
        };
        let fallback = if joint.in_skin { "joint" } else { "node" };
        let name = if joint.name.is_empty() {
            fallback
        } else {
            &joint.name
        };
        let record = model(node.id, name, kind, &node.local(joint.rest));
        scene.connect(node.id, parent.map_or(0, |p| p.id));
        if is_mesh {
            rig.waiting.push((node.id, record));
        } else {
            scene.objects.push(record);
            let attribute = scene.id();
            let flags = if joint.in_skin { "Skeleton" } else { "Null" };
            let size = double("Size", UNITS / 100.0);
            let record = object("NodeAttribute", attribute, name, kind)
                .child(Node::of("TypeFlags", flags))
                .child(properties(joint.in_skin.then_some(size)));
            scene.objects.push(record);
            scene.connect(attribute, node.id);
        }
        rig.of_joint[index.at()] = Some(node);
    }
    rig
}

impl RigNode {
    /// A local transform of the joint, as its node has it.
    pub fn local(&self, transform: Transform) -> Transform {
        Transform {
            translation: self.translation(transform.translation),
            rotation: transform.rotation,
            scale: self.scale(transform.scale),
        }
    }

    pub fn translation(&self, translation: DVec3) -> DVec3 {
        translation * (UNITS / self.parent_frame)
    }

    pub fn scale(&self, scale: DVec3) -> DVec3 {
        let scale = scale * (self.frame / self.parent_frame);
        // Rounding of a scale that was taken out of the frame.
        let is_one = (scale - DVec3::ONE).abs().max_element() < 1e-12;
        if is_one { DVec3::ONE } else { scale }
    }
}

/// A node of the scene.
pub(super) fn model(id: i64, name: &str, kind: &str, local: &Transform) -> Node {
    let orient = degrees(euler_near(local.rotation, DVec3::ZERO));
    let mut all = vec![
        int("DefaultAttributeIndex", 0),
        // A child's matrix times its parent's, scale and all.
        choice("InheritType", 1),
    ];
    if orient != DVec3::ZERO {
        all.push(property("RotationActive", "bool", "", "").with(1));
        all.push(vector("PreRotation", "Vector3D", "", orient));
    }
    let lcl = [
        ("Lcl Translation", local.translation),
        ("Lcl Rotation", DVec3::ZERO),
        ("Lcl Scaling", local.scale),
    ];
    all.extend(lcl.map(|(name, value)| vector(name, name, "A", value)));
    object("Model", id, name, kind)
        .child(Node::of("Version", 232))
        .child(properties(all))
        .child(Node::of("Shading", true))
        .child(Node::of("Culling", "CullingOff"))
}

/// Joints of the skin, what carries parts, is driven by clips or has weight, and what lies above.
fn kept(character: &Character) -> Vec<bool> {
    let joints = &character.skeleton.joints;
    let mut kept: Vec<bool> = nodes_of_joints(character).iter().map(Option::is_some).collect();
    let skin = character
        .mesh
        .parts
        .iter()
        .filter(|p| p.attachment == PartAttachment::Skin);
    for (weights, part) in character.weights.iter().zip(skin.map(|p| &p.vertices)) {
        for influence in part.clone().flat_map(|v| weights.of_vertex(v)) {
            kept[influence.joint.at()] = true;
        }
    }
    for (i, joint) in joints.iter().enumerate().rev() {
        if let (true, Some(parent)) = (kept[i], joint.parent) {
            kept[parent.at()] = true;
        }
    }
    kept
}

/// Where everything was when skin and bones were brought together.
pub(super) fn write_bind_pose(scene: &mut Scene, rig: &Rig, meshes: &[(i64, DAffine3)]) {
    let joints = rig.of_joint.iter().flatten().filter(|n| n.in_skin);
    let all: Vec<(i64, DAffine3)> = joints
        .map(|n| (n.id, n.bind))
        .chain(meshes.iter().copied())
        .collect();
    let pose = scene.id();
    let nodes = all.iter().map(|(id, at)| {
        Node::new("PoseNode")
            .child(Node::of("Node", *id))
            .child(Node::of("Matrix", matrix(*at)))
    });
    let record = object("Pose", pose, "BindPose", "BindPose")
        .child(Node::of("Type", "BindPose"))
        .child(Node::of("Version", 100))
        .child(Node::of("NbPoseNodes", all.len() as i32))
        .children(nodes);
    scene.objects.push(record);
}

/// Turns about x, then y, then z that make up a rotation, in radians: of all that do, those
/// nearest to `before`.
pub(super) fn euler_near(rotation: DQuat, before: DVec3) -> DVec3 {
    let m = DMat3::from_quat(rotation);
    // m = Rz Ry Rx: its last row is (-sin y, cos y sin x, cos y cos x).
    let (sin_x, cos_x) = (m.y_axis.z, m.z_axis.z);
    let cos_y = sin_x.hypot(cos_x);
    let y = (-m.x_axis.z).atan2(cos_y);
    // Where y is a right angle, x and z turn about one axis: x stays what it was.
    let x = if cos_y > 1e-9 {
        sin_x.atan2(cos_x)
    } else {
        before.x
    };
    let rest = m * DMat3::from_rotation_x(-x);
    let z = (-rest.y_axis.x).atan2(rest.y_axis.y);
    let pi = std::f64::consts::PI;
    let near = |angles: DVec3| {
        let turns = ((before - angles) / (2.0 * pi)).round();
        angles + turns * 2.0 * pi
    };
    let candidates = [
        near(DVec3::new(x, y, z)),
        near(DVec3::new(x + pi, pi - y, z + pi)),
    ];
    let away = candidates.map(|c| (c - before).abs().element_sum());
    candidates[usize::from(away[1] < away[0])]
}

/// The rotation of [`euler_near`]'s angles.
pub(super) fn from_euler(angles: DVec3) -> DQuat {
    DQuat::from_rotation_z(angles.z) * DQuat::from_rotation_y(angles.y) * DQuat::from_rotation_x(angles.x)
}

pub(super) fn degrees(radians: DVec3) -> DVec3 {
    radians * 180.0 / std::f64::consts::PI
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn euler_angles_make_up_their_rotation_and_follow_the_ones_before() {
        let mut before = DVec3::ZERO;
        for k in 0..2000 {
            let t = f64::from(k) * 0.01;
            // Runs through both poles.
            let q = DQuat::from_rotation_y(t) * DQuat::from_rotation_x(0.3 * t.sin());
            let angles = euler_near(q, before);
            assert!(from_euler(angles).dot(q).abs() > 1.0 - 1e-12, "{k}");
            let apart = (angles - before).abs().max_element();
            assert!(apart < 0.8, "{k}: from {before} to {angles}");
            before = angles;
        }
        let pole = DQuat::from_rotation_y(std::f64::consts::FRAC_PI_2);
        let kept = euler_near(pole, DVec3::new(0.7, 1.5, 0.7));
        assert!((kept.x - 0.7).abs() < 1e-9 && from_euler(kept).dot(pole).abs() > 1.0 - 1e-12);
    }
}
