//! Frames for joints: Y along the bone, Z towards the outside of the bend.
//!
//! Bang et al. 2015, section 3.1.3: the primary axis points to the child (at a branch, to
//! the one with most joints below it), the up-vector of a joint b between a and c points
//! from the line ac to b. Straight joints take the up-vector of the nearest bent one on
//! their chain; where a chain zigzags, up-vectors are turned to one side, so that one axis
//! bends all of it the same way. Every frame is orthonormal and right-handed.

use glam::{DAffine3, DMat3, DVec3};

use crate::character::{Joint, JointIndex, Skeleton, Transform};

/// A joint is straight if it is off the line by less than this fraction of the line.
const STRAIGHT: f64 = 0.02;

/// The skeleton of joints at positions, parents first. `hint` is up for chains that are
/// straight all the way.
pub(super) fn skeleton(
    positions: &[DVec3],
    parents: &[Option<usize>],
    names: Vec<String>,
    hint: DVec3,
) -> Skeleton {
    let frames = frames(positions, parents, hint);
    let joints: Vec<DAffine3> = frames
        .iter()
        .zip(positions)
        .map(|(&frame, &position)| DAffine3::from_mat3_translation(frame, position))
        .collect();
    Skeleton {
        joints: names
            .into_iter()
            .enumerate()
            .map(|(j, name)| {
                let parent_from_bind = parents[j].map_or(DAffine3::IDENTITY, |p| joints[p].inverse());
                Joint {
                    name,
                    parent: parents[j].map(|p| JointIndex(p as u16)),
                    rest: Transform::from_affine(parent_from_bind * joints[j]),
                    bind_from_joint: joints[j],
                    in_skin: true,
                }
            })
            .collect(),
    }
}

/// Each joint's axes as columns.
pub(super) fn frames(positions: &[DVec3], parents: &[Option<usize>], hint: DVec3) -> Vec<DMat3> {
    let main = main_children(parents);
    let mut ups: Vec<Option<DVec3>> = vec![None; positions.len()];
    for (b, parent) in parents.iter().enumerate() {
        if let (Some(a), Some(c)) = (*parent, main[b]) {
            ups[b] = up(positions[a], positions[b], positions[c]);
        }
    }
    // A chain runs along main children; every joint is on one.
    for head in 0..positions.len() {
        if parents[head].is_some_and(|p| main[p] == Some(head)) {
            continue;
        }
        let chain: Vec<usize> = std::iter::successors(Some(head), |&j| main[j]).collect();
        let bent: Vec<(usize, DVec3)> = chain
            .iter()
            .enumerate()
            .filter_map(|(i, &j)| ups[j].map(|u| (i, u)))
            .collect();
        let above = parents[head].and_then(|p| ups[p]);
        let mut last: Option<DVec3> = None;
        for (i, &j) in chain.iter().enumerate() {
            let nearest = bent.iter().min_by_key(|(k, _)| k.abs_diff(i)).map(|b| b.1);
            let mut chosen = nearest.or(above).unwrap_or(hint);
            if last.is_some_and(|l| l.dot(chosen) < 0.0) {
                chosen = -chosen;
            }
            last = Some(chosen);
            ups[j] = Some(chosen);
        }
    }
    (0..positions.len())
        .map(|j| {
            let along = match (main[j], parents[j]) {
                (Some(child), _) => positions[child] - positions[j],
                (None, Some(parent)) => positions[j] - positions[parent],
                (None, None) => DVec3::Y,
            };
            frame(along, ups[j].unwrap_or(hint), hint)
        })
        .collect()
}

/// For each joint the child with most joints below it, the first of equals.
fn main_children(parents: &[Option<usize>]) -> Vec<Option<usize>> {
    let mut below = vec![1usize; parents.len()];
    for j in (0..parents.len()).rev() {
        if let Some(p) = parents[j] {
            below[p] += below[j];
        }
    }
    let mut main: Vec<Option<usize>> = vec![None; parents.len()];
    for (j, parent) in parents.iter().enumerate() {
        if let Some(p) = *parent
            && main[p].is_none_or(|m| below[j] > below[m])
        {
            main[p] = Some(j);
        }
    }
    main
}

/// From the line ac to b, or `None` where b is on it.
fn up(a: DVec3, b: DVec3, c: DVec3) -> Option<DVec3> {
    let line = c - a;
    let along = line.try_normalize()?;
    let off = (b - a) - along * (b - a).dot(along);
    (off.length() > STRAIGHT * line.length()).then(|| off.normalize())
}

/// Y along `along`, Z as near to `up` as that allows; other directions stand in where those
/// fail.
fn frame(along: DVec3, up: DVec3, hint: DVec3) -> DMat3 {
    let y = along.try_normalize().unwrap_or(DVec3::Y);
    let z = [up, hint, DVec3::Z, DVec3::Y]
        .into_iter()
        .map(|u| u - y * u.dot(y))
        .find(|z| z.length() > 0.1)
        .unwrap_or(DVec3::X)
        .normalize();
    DMat3::from_cols(y.cross(z), y, z)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(frames: &[DMat3]) {
        for f in frames {
            assert!((f.determinant() - 1.0).abs() < 1e-12, "{f}");
            assert!((f.transpose() * *f).abs_diff_eq(DMat3::IDENTITY, 1e-12));
        }
    }

    #[test]
    fn straight_chains_along_every_axis_have_frames() {
        for along in DVec3::AXES.into_iter().flat_map(|a| [a, -a]) {
            let positions: Vec<DVec3> = (0..5).map(|i| along * f64::from(i)).collect();
            let parents: Vec<Option<usize>> = (0..5usize).map(|i| i.checked_sub(1)).collect();
            let f = frames(&positions, &parents, DVec3::Z);
            check(&f);
            assert!(f.iter().all(|m| m.y_axis.abs_diff_eq(along, 1e-12)));
            assert!(f.iter().all(|m| m.z_axis.abs_diff_eq(f[0].z_axis, 1e-12)));
        }
    }

    #[test]
    fn a_bend_points_up_and_its_chain_follows() {
        // A knee that is in front of the line from hip to foot.
        let positions = [
            [0.0, 3.0, 0.0],
            [0.0, 2.0, 0.3],
            [0.0, 1.0, 0.0],
            [0.0, 0.0, -0.3],
        ]
        .map(DVec3::from);
        let f = frames(&positions, &[None, Some(0), Some(1), Some(2)], DVec3::Z);
        check(&f);
        assert!(f.iter().all(|m| m.z_axis.z > 0.9));
    }

    #[test]
    fn joints_in_one_place_do_not_break_it() {
        check(&frames(&[DVec3::ZERO; 3], &[None, Some(0), Some(1)], DVec3::Z));
    }

    #[test]
    fn a_branch_points_to_the_child_with_most_below() {
        let positions = [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Y * 2.0];
        let f = frames(&positions, &[None, Some(0), Some(0), Some(2)], DVec3::Z);
        check(&f);
        assert_eq!(f[0].y_axis, DVec3::Y);
    }
}
