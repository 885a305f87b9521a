//! New weights in the place of old ones, as far as somebody wants them.

use std::convert::Infallible;

use crate::character::{Influence, Weights};

/// What new weights may change.
#[derive(Debug, Clone, Copy)]
pub struct Replacing<'a> {
    /// For each vertex whether its weights are replaced at all.
    pub vertices: Option<&'a [bool]>,
    /// For each joint whether it keeps its weight; the new weights of the others share what is left.
    pub kept_joints: Option<&'a [bool]>,
    /// How much of the new weights is taken, from 0 to 1.
    pub mix: f32,
    /// The most influences that a vertex has afterwards, at least 1.
    pub influences: usize,
}

impl Default for Replacing<'_> {
    fn default() -> Self {
        Self {
            vertices: None,
            kept_joints: None,
            mix: 1.0,
            influences: usize::MAX,
        }
    }
}

/// Replaces `old` weights by `new` ones of the same vertices. A vertex whose new joints all keep their old weight stays
/// as it was; so do vertices that are left out, to the bit.
pub fn replaced(old: &Weights, new: &Weights, what: &Replacing<'_>) -> Weights {
    let kept = |i: &Influence| what.kept_joints.is_some_and(|k| k[i.joint.at()]);
    let replaced = Weights::in_parallel(old.vertex_count(), 4, |vertices, builder| {
        let mut row: Vec<Influence> = Vec::new();
        for vertex in vertices {
            let before = old.of_vertex(vertex);
            row.clear();
            if what.vertices.is_none_or(|v| v[vertex]) {
                row.extend(before.iter().copied().filter(kept));
                let held: f32 = row.iter().map(|i| i.weight).sum();
                let fresh = || new.of_vertex(vertex).iter().copied().filter(|i| !kept(i));
                let sum: f32 = fresh().map(|i| i.weight).sum();
                if sum > 0.0 {
                    let scale = (1.0 - held).max(0.0) / sum;
                    row.extend(fresh().map(|i| Influence {
                        weight: scale * i.weight,
                        ..i
                    }));
                } else {
                    row.clear();
                }
            }
            if row.is_empty() {
                builder.push_valid(before);
                continue;
            }
            if what.mix < 1.0 {
                for i in &mut row {
                    i.weight *= what.mix;
                }
                // The builder joins joints that are there twice.
                row.extend(before.iter().map(|i| Influence {
                    weight: (1.0 - what.mix) * i.weight,
                    ..*i
                }));
            }
            if builder.push(&row).is_err() {
                builder.push_valid(before);
            }
        }
        Ok::<_, Infallible>(())
    });
    match replaced {
        Ok(weights) if weights.max_influences() > what.influences => {
            let limited = weights.limited(what.influences.max(1));
            keep_left_out(old, &limited, what.vertices)
        }
        Ok(weights) => weights,
        Err(never) => match never {},
    }
}

/// Vertices that are left out keep all that they had.
fn keep_left_out(old: &Weights, new: &Weights, vertices: Option<&[bool]>) -> Weights {
    let Some(vertices) = vertices else {
        return new.clone();
    };
    let chosen = Weights::in_parallel(old.vertex_count(), 4, |range, builder| {
        for vertex in range {
            let from = if vertices[vertex] { new } else { old };
            builder.push_valid(from.of_vertex(vertex));
        }
        Ok::<_, Infallible>(())
    });
    match chosen {
        Ok(weights) => weights,
        Err(never) => match never {},
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::character::JointIndex;

    fn weights(rows: &[&[(u16, f32)]]) -> Weights {
        let rows: Vec<Vec<Influence>> = rows
            .iter()
            .map(|row| {
                let influence = |&(joint, weight): &(u16, f32)| Influence {
                    joint: JointIndex(joint),
                    weight,
                };
                row.iter().map(influence).collect()
            })
            .collect();
        Weights::new(rows.iter().map(Vec::as_slice)).unwrap()
    }

    fn row(weights: &Weights, vertex: usize) -> Vec<(u16, f32)> {
        let row = weights.of_vertex(vertex).iter();
        row.map(|i| (i.joint.0, (i.weight * 1000.0).round() / 1000.0))
            .collect()
    }

    #[test]
    fn joints_that_are_kept_keep_their_weight_and_the_others_share_the_rest() {
        // Joint 9 is the garment's own ribbon.
        let old = weights(&[&[(9, 0.6), (0, 0.4)], &[(0, 1.0)], &[(9, 1.0)]]);
        let new = weights(&[&[(1, 0.5), (2, 0.5)], &[(1, 0.75), (2, 0.25)], &[(1, 1.0)]]);
        let kept: Vec<bool> = (0..10).map(|j| j == 9).collect();
        let what = Replacing {
            kept_joints: Some(&kept),
            ..Replacing::default()
        };
        let made = replaced(&old, &new, &what);
        assert_eq!(row(&made, 0), [(9, 0.6), (1, 0.2), (2, 0.2)]);
        assert_eq!(row(&made, 1), [(1, 0.75), (2, 0.25)]);
        assert_eq!(row(&made, 2), [(9, 1.0)]);
    }

    #[test]
    fn a_mix_is_between_and_what_is_left_out_stays_to_the_bit() {
        let old = weights(&[&[(0, 1.0)], &[(0, 0.3), (3, 0.7)]]);
        let new = weights(&[&[(1, 1.0)], &[(1, 1.0)]]);
        let what = Replacing {
            vertices: Some(&[true, false]),
            mix: 0.25,
            influences: 1,
            ..Replacing::default()
        };
        let made = replaced(&old, &new, &what);
        assert_eq!(row(&made, 0), [(0, 1.0)]);
        assert_eq!(made.of_vertex(1), old.of_vertex(1));
        let made = replaced(
            &old,
            &new,
            &Replacing {
                influences: 4,
                ..what
            },
        );
        assert_eq!(row(&made, 0), [(0, 0.75), (1, 0.25)]);
    }
}
