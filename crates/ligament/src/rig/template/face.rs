//! Eyes and a jaw, for who asks for them.
//!
//! Eyes that are pieces of their own are where their balls are. Eyes that are modelled or painted on the skin, and jaws, are
//! where artists have them: medians over the heads of the corpus that have such joints, 19 with eyes and 23 with a jaw (`docs/lab/rig.md`).

use glam::DVec3;

use super::frame::Frame;
use super::humanoid::Humanoid;
use crate::character::{Mesh, Side, StandardBone};
use crate::geometry::{Shells, WeldedMesh};
use crate::rig::extract::Voxels;

/// The eyes' height over the head's joint, as a share of the head's height over it.
const EYES_UP: f64 = 0.42;
/// Half their distance, as a share of the head's width there.
const EYES_APART: f64 = 0.16;
/// Their place from the back of the head to its front.
const EYES_AHEAD: f64 = 0.82;
/// A jaw's height likewise,
const JAW_UP: f64 = 0.06;
/// its place from back to front,
const JAW_AHEAD: f64 = 0.5;
/// and the chin's height and place.
const CHIN_UP: f64 = -0.1;
const CHIN_AHEAD: f64 = 0.95;
/// The top of a head is no further aside of its joint, as a share of the body's height.
const AROUND: f64 = 0.08;
/// Widths and depths are taken no further from the middle, as a share of the head's height: hats and shoulders go on.
const ASIDE: f64 = 0.6;
/// An eyeball's diameter, as a share of the head's height.
const BALL: (f64, f64) = (0.04, 0.6);
/// Its longest side is no longer than so many times its shortest; some are half balls.
const ROUND: f64 = 2.2;
/// A ball that mirrors another is off by no more than this share of the head's height.
const ALIKE: f64 = 0.05;
/// How sure places are by balls and by proportions.
const SEEN: f64 = 0.9;
const USUAL: f64 = 0.45;

/// What of a face gets joints.
#[derive(Debug, Clone, Copy)]
pub struct Face<'a> {
    /// Whether each eye gets one.
    pub eyes: bool,
    /// Whether the lower jaw gets one.
    pub jaw: bool,
    /// The mesh, whose pieces may be eyeballs.
    pub mesh: &'a Mesh,
}

/// A joint of a face.
pub(super) struct FaceJoint {
    pub bone: StandardBone,
    pub at: DVec3,
    pub end: DVec3,
    pub confidence: f64,
}

/// Whether a bone is an eye or the jaw.
pub(super) fn is_of_face(bone: StandardBone) -> bool {
    matches!(bone.on(Side::Left), StandardBone::LeftEye | StandardBone::Jaw)
}

/// The joints of a face that are wanted; none if the body has no head.
pub(super) fn face(wanted: Face<'_>, body: &Humanoid, solid: &Voxels) -> Vec<FaceJoint> {
    let Some(head) = Head::of(body, solid) else {
        return Vec::new();
    };
    let mut joints = Vec::new();
    if wanted.eyes {
        let balls = head.eyeballs(wanted.mesh);
        for (side, sign) in [(Side::Left, 1.0), (Side::Right, -1.0)] {
            let usual = || head.place(EYES_UP, sign * EYES_APART, EYES_AHEAD);
            let Some(at) = balls.map(|b| b[usize::from(side == Side::Right)]).or_else(usual) else {
                continue;
            };
            joints.push(FaceJoint {
                bone: StandardBone::LeftEye.on(side),
                at,
                end: at + head.frame.forward * (0.15 * head.tall),
                confidence: if balls.is_some() { SEEN } else { USUAL },
            });
        }
    }
    if wanted.jaw
        && let (Some(at), Some(end)) = (
            head.place(JAW_UP, 0.0, JAW_AHEAD),
            head.place(CHIN_UP, 0.0, CHIN_AHEAD),
        )
    {
        joints.push(FaceJoint {
            bone: StandardBone::Jaw,
            at,
            end,
            confidence: USUAL,
        });
    }
    joints
}

/// A head in the solid.
struct Head<'a> {
    frame: &'a Frame,
    solid: &'a Voxels,
    /// Its joint.
    joint: DVec3,
    /// From the joint to the top.
    tall: f64,
}

impl<'a> Head<'a> {
    fn of(body: &'a Humanoid, solid: &'a Voxels) -> Option<Self> {
        let joint = body.bones.get(&StandardBone::Head)?.at;
        let frame = &body.frame;
        // The top of the body about the joint: the end of an extracted head is inside it.
        let heights = (0..solid.solid.len())
            .filter(|&at| solid.solid[at])
            .filter_map(|at| {
                let off = solid.centre(solid.voxel(at)) - joint;
                let up = off.dot(frame.up);
                ((off - frame.up * up).length() < AROUND * frame.tall).then_some(up)
            });
        let tall = heights.fold(0.0, f64::max) + 0.5 * solid.cell;
        (tall > 0.0).then_some(Self {
            frame: &body.frame,
            solid,
            joint,
            tall,
        })
    }

    /// A place by its height over the joint, and by the width and the depth of the head at that height.
    fn place(&self, up: f64, aside: f64, ahead: f64) -> Option<DVec3> {
        let frame = self.frame;
        let height = frame.height(self.joint) + up * self.tall;
        let middle = self.joint.dot(frame.left);
        let (mut back, mut front) = (f64::INFINITY, f64::NEG_INFINITY);
        let (mut right, mut left) = (f64::INFINITY, f64::NEG_INFINITY);
        for at in (0..self.solid.solid.len()).filter(|&at| self.solid.solid[at]) {
            let p = self.solid.centre(self.solid.voxel(at));
            let side = p.dot(frame.left) - middle;
            let same_height = (frame.height(p) - height).abs() <= 0.75 * self.solid.cell;
            if !same_height || side.abs() > ASIDE * self.tall {
                continue;
            }
            (right, left) = (right.min(side), left.max(side));
            // The depth in the middle: hair and ears lie further back at the sides.
            if side.abs() <= 0.25 * self.tall {
                let deep = p.dot(frame.forward);
                (back, front) = (back.min(deep), front.max(deep));
            }
        }
        let found = right <= left && back <= front;
        found.then(|| {
            let half = 0.5 * self.solid.cell;
            let wide = left - right + 2.0 * half;
            let deep = (back - half) + ahead * (front - back + 2.0 * half);
            frame.up * height + frame.left * (middle + aside * wide) + frame.forward * deep
        })
    }

    /// The middles of the left and the right eyeball, where the mesh has them as pieces: round, in the front of the head, one the
    /// mirror image of the other. Of several pairs (iris, cornea, lids) the one that is the nearest to where eyes usually are.
    fn eyeballs(&self, mesh: &Mesh) -> Option<[DVec3; 2]> {
        let welded = WeldedMesh::of(mesh);
        let frame = self.frame;
        let usual = self.place(EYES_UP, EYES_APART, EYES_AHEAD)?;
        let middle = self.joint.dot(frame.left);
        let mut balls: Vec<DVec3> = Vec::new();
        for faces in &Shells::of(&welded).faces {
            let (mut low, mut high) = (DVec3::INFINITY, DVec3::NEG_INFINITY);
            for &corner in faces.iter().flat_map(|&f| &welded.faces[f as usize]) {
                let p = welded.points[corner as usize];
                (low, high) = (low.min(p), high.max(p));
            }
            let (size, centre) = (high - low, low.midpoint(high));
            let (from, to) = (BALL.0 * self.tall, BALL.1 * self.tall);
            let round = size.max_element() <= ROUND * size.min_element();
            let fits = size.max_element() >= from && size.max_element() <= to;
            let above = frame.height(centre) > frame.height(self.joint);
            let in_front = (centre - self.joint).dot(frame.forward) > 0.0;
            if round && fits && above && in_front && centre.distance(usual) < self.tall {
                balls.push(centre);
            }
        }
        let mirrored = |p: DVec3| p - frame.left * (2.0 * (p.dot(frame.left) - middle));
        let pairs = balls.iter().filter_map(|&left| {
            let aside = left.dot(frame.left) - middle;
            let right = balls
                .iter()
                .copied()
                .min_by(|a, b| a.distance(mirrored(left)).total_cmp(&b.distance(mirrored(left))))?;
            let alike = right.distance(mirrored(left)) < ALIKE * self.tall;
            (aside > ALIKE * self.tall && alike).then_some([left, right])
        });
        pairs.min_by(|a, b| a[0].distance(usual).total_cmp(&b[0].distance(usual)))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{extracted, options};
    use super::super::{Template, TemplateJoint, Templated, fit_template};
    use super::*;
    use crate::character::NameScheme;
    use glam::Vec3;

    fn with_face(mesh: &Mesh) -> Templated {
        let found = extracted(mesh);
        let mut wanted = options(Template::Humanoid, NameScheme::Vrm);
        wanted.face = Some(Face {
            eyes: true,
            jaw: true,
            mesh,
        });
        fit_template(&found, &wanted).unwrap()
    }

    fn joint(fitted: &Templated, bone: StandardBone) -> (DVec3, TemplateJoint) {
        let at = fitted.joints.iter().position(|j| j.bone == Some(bone)).unwrap();
        (
            fitted.skeleton.joints[at].bind_from_joint.translation,
            fitted.joints[at],
        )
    }

    #[test]
    fn eyes_and_jaw_are_in_the_front_of_the_head() {
        use StandardBone as B;
        let character = crate::sample::make("athlete@4000").unwrap();
        let fitted = with_face(&character.mesh);
        let [head, left, right, jaw] = [B::Head, B::LeftEye, B::RightEye, B::Jaw].map(|b| joint(&fitted, b));
        assert!(left.0.y > head.0.y && left.0.y > jaw.0.y, "{left:?} {jaw:?}");
        assert!(left.0.z > jaw.0.z, "eyes are before the jaw's hinge");
        assert!((left.0.x + right.0.x).abs() < 0.01 && left.0.x > 0.01);
        // Nothing of the mesh shows them: nobody should trust them blindly.
        assert!(fitted.doubtful().contains(&"leftEye") && fitted.doubtful().contains(&"jaw"));
        // Who does not ask has none.
        let found = extracted(&character.mesh);
        let plain = fit_template(&found, &options(Template::Humanoid, NameScheme::Vrm)).unwrap();
        assert!(plain.skeleton.find("leftEye").is_none() && plain.skeleton.find("jaw").is_none());
    }

    #[test]
    fn eyeballs_are_found_where_they_are() {
        let mut mesh = crate::sample::make("athlete@4000").unwrap().mesh;
        let usual = joint(&with_face(&mesh), StandardBone::LeftEye).0;
        let wanted = usual + DVec3::new(0.012, 0.02, 0.01);
        for centre in [wanted, wanted * DVec3::new(-1.0, 1.0, 1.0)] {
            octahedron(&mut mesh, centre.as_vec3(), 0.015);
        }
        // One that has no partner, nearer to where eyes usually are, is none.
        octahedron(&mut mesh, usual.as_vec3(), 0.012);
        let fitted = with_face(&mesh);
        let (left, seen) = joint(&fitted, StandardBone::LeftEye);
        assert!(left.distance(wanted) < 1e-4, "{left} {wanted}");
        assert!(seen.confidence > 0.8);
        let right = joint(&fitted, StandardBone::RightEye).0;
        assert!(right.distance(wanted * DVec3::new(-1.0, 1.0, 1.0)) < 1e-4);
    }

    fn octahedron(mesh: &mut Mesh, centre: Vec3, radius: f32) {
        (mesh.normals, mesh.colors) = (None, None);
        (mesh.corner_normals, mesh.corner_uvs) = (None, None);
        let first = mesh.positions.len() as u32;
        for axis in Vec3::AXES {
            mesh.positions
                .extend([centre + axis * radius, centre - axis * radius]);
        }
        for x in [0, 1] {
            for y in [2, 3] {
                for z in [4, 5] {
                    mesh.triangles.push([first + x, first + y, first + z]);
                }
            }
        }
        let (vertices, triangles) = (mesh.positions.len(), mesh.triangles.len());
        if let Some(part) = mesh.parts.last_mut() {
            part.vertices.end = vertices;
            part.triangles.end = triangles;
        }
    }
}
