//! Pieces of a target that nothing of the body is near: bound, together with the body, to the joints that move it.

use glam::DVec3;
use ligament::bind::{BindError, BindOptions, BindWarning, DeformChoice, Method};
use ligament::character::{Part, PartAttachment, Rows};
use ligament::skin::{PointIndex, Skin};
use ligament::task::Task;
use ligament::transfer::{BodyFit, JointMap};
use ligament::{Character, Mesh, Skeleton};

use super::Body;
use crate::AppError;

/// Rows of the body's joints for points of a target.
pub fn bound_rows(
    body: &Body,
    fit: Option<&BodyFit>,
    target: &Skin,
    points: &[u32],
    influences: usize,
    task: &Task<'_>,
) -> Result<(Rows, Vec<BindWarning>), AppError> {
    let together = together(body, fit, &target.character().mesh)?;
    let before = body.asset.character().mesh.positions.len();
    let used = body.used.iter().enumerate().filter(|(_, used)| **used);
    let options = BindOptions {
        deform: DeformChoice::Joints(used.map(|(j, _)| ligament::JointIndex(j as u16)).collect()),
        influences,
        prune: 0.0,
        ..BindOptions::default()
    };
    let skin = Skin::new(together).map_err(BindError::from)?;
    let bound = Method::default().bind(&skin, &options, task)?;
    let rows = Rows::in_parallel(points.len(), |range, rows| {
        for &point in &points[range] {
            let vertex = before + target.first_vertex(PointIndex(point));
            rows.push(bound.weights.of_vertex(vertex).iter().copied());
        }
        Ok::<_, AppError>(())
    })?;
    Ok((rows, bound.warnings))
}

/// Body and target as one character on the body's skeleton, in the target's place.
fn together(body: &Body, fit: Option<&BodyFit>, target: &Mesh) -> Result<Character, AppError> {
    let character = body.asset.character();
    let mut mesh = Mesh {
        normals: None,
        colors: None,
        corner_uvs: None,
        corner_normals: None,
        ..character.mesh.clone()
    };
    let mut skeleton = character.skeleton.clone();
    if let Some(fit) = fit {
        let positions: Vec<DVec3> = mesh.positions.iter().map(|p| p.as_dvec3()).collect();
        for (p, to) in mesh
            .positions
            .iter_mut()
            .zip(fit.moved(&positions, body.asset.weights()?))
        {
            *p = to.as_vec3();
        }
        skeleton = moved_skeleton(&skeleton, fit);
    }
    let (vertices, faces) = (mesh.positions.len(), mesh.triangles.len());
    mesh.positions.extend(&target.positions);
    let shifted = target.triangles.iter().map(|t| t.map(|v| v + vertices as u32));
    mesh.triangles.extend(shifted);
    mesh.parts.extend(target.parts.iter().map(|part| Part {
        vertices: part.vertices.start + vertices..part.vertices.end + vertices,
        triangles: part.triangles.start + faces..part.triangles.end + faces,
        attachment: PartAttachment::Skin,
        joints: None,
        ..part.clone()
    }));
    Ok(Character {
        name: character.name.clone(),
        mesh,
        skeleton,
        ..Character::default()
    })
}

/// A body's skeleton brought to a target: all its joints, nodes between them left out.
pub fn moved_skeleton(skeleton: &Skeleton, fit: &BodyFit) -> Skeleton {
    // The same numbers of joints: nodes that hold no weight stay where they are in the list.
    let nobody = JointMap {
        of_source: vec![None; skeleton.joints.len()],
    };
    let all = vec![true; skeleton.joints.len()];
    let (mut moved, _) = nobody.joined(skeleton, &Skeleton::default(), &all, |j| fit.moves[j.at()]);
    for (joint, before) in moved.joints.iter_mut().zip(&skeleton.joints) {
        joint.in_skin = before.in_skin;
    }
    moved
}
