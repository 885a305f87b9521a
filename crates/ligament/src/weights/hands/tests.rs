//! The layer against closed forms: what is wanted comes out, what is not edited stays, a new bind shows through.

use super::*;
use crate::character::Mesh;
use crate::sample;

fn inf(joint: u16, weight: f32) -> Influence {
    Influence {
        joint: JointIndex(joint),
        weight,
    }
}

/// Numbers that look random and are always the same.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f32 {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (self.0 >> 40) as f32 / (1u64 << 24) as f32
    }

    /// A row of some of six joints that sums to one.
    fn row(&mut self) -> Vec<Influence> {
        let mut row: Vec<Influence> = (0..6).map(|j| inf(j, self.next())).collect();
        row.retain(|i| i.weight > 0.4);
        if row.is_empty() {
            row.push(inf(2, 1.0));
        }
        Weights::new([row.as_slice()]).unwrap().of_vertex(0).to_vec()
    }
}

fn weight(row: &[Influence], joint: u16) -> f64 {
    let own = row.iter().filter(|i| i.joint.0 == joint);
    own.map(|i| f64::from(i.weight)).sum()
}

#[test]
fn what_is_wanted_comes_out_with_the_least_cover() {
    let mut numbers = Numbers(5);
    for _ in 0..500 {
        let (bind, wanted) = (numbers.row(), numbers.row());
        let Some(edit) = HandEdit::towards(&wanted, &bind) else {
            assert!((0..6).all(|j| (weight(&wanted, j) - weight(&bind, j)).abs() < 1e-5));
            continue;
        };
        assert!(edit.is_sound(6));
        let made = edit.over(&bind, 1.0);
        for joint in 0..6 {
            let (found, wanted) = (weight(&made, joint), weight(&wanted, joint));
            assert!((found - wanted).abs() < 2e-6, "{found} {wanted}");
        }
        // With less cover some joint of the bind would show more than is wanted.
        let through = 1.0 - f64::from(edit.cover) + 1e-4;
        assert!((0..6).any(|j| through * weight(&bind, j) > weight(&wanted, j)));
        // Half of it is half way.
        let half = edit.over(&bind, 0.5);
        for joint in 0..6 {
            let middle = (weight(&bind, joint) + weight(&wanted, joint)) / 2.0;
            assert!((weight(&half, joint) - middle).abs() < 2e-6);
        }
    }
    let row = numbers.row();
    assert_eq!(HandEdit::towards(&row, &row), None);
    assert_eq!(HandEdit::towards(&[], &row), None);
}

#[test]
fn a_light_stroke_lies_over_a_bind_that_is_made_anew() {
    // Adding b to joint j is a layer of a = b / (1 − w) of it, whatever is below.
    let bind = [inf(0, 0.6), inf(1, 0.4)];
    let stamp = Stamp {
        touch: Touch::Add,
        joint: JointIndex(3),
        value: 0.2,
        amount: 1.0,
        holds_sum: true,
        heir: None,
    };
    let edit = HandEdit::towards(&stamp.on(&bind), &bind).unwrap();
    assert!((edit.cover - 0.2).abs() < 1e-6 && edit.weights.len() == 1);
    let anew = [inf(0, 0.1), inf(2, 0.9)];
    let row = edit.over(&anew, 1.0);
    for (joint, expected) in [(0, 0.08), (2, 0.72), (3, 0.2)] {
        assert!((weight(&row, joint) - expected).abs() < 1e-6);
    }
}

#[test]
fn touches_are_what_they_say() {
    let row = [inf(0, 0.5), inf(1, 0.3), inf(2, 0.2)];
    let stamp = |touch, value, amount| Stamp {
        touch,
        joint: JointIndex(1),
        value,
        amount,
        holds_sum: true,
        heir: Some(JointIndex(5)),
    };
    for (touch, value, amount, expected) in [
        (Touch::Add, 0.4, 0.5, 0.5),
        (Touch::Add, -1.0, 1.0, 0.0),
        (Touch::Add, 9.0, 1.0, 1.0),
        (Touch::Replace, 0.8, 1.0, 0.8),
        (Touch::Replace, 0.8, 0.5, 0.55),
        (Touch::Scale, 0.5, 1.0, 0.15),
        (Touch::Scale, 2.0, 0.5, 0.45),
    ] {
        let made = stamp(touch, value, amount).on(&row);
        assert!((weight(&made, 1) - expected).abs() < 1e-6, "{touch:?} {value}");
        let sum: f64 = (0..6).map(|j| weight(&made, j)).sum();
        assert!((sum - 1.0).abs() < 1e-6);
        if expected < 1.0 {
            let ratio = weight(&made, 0) / weight(&made, 2);
            assert!((ratio - 2.5).abs() < 1e-5, "the others keep their proportion");
        }
    }
    // Where one joint holds all, what it loses goes to its heir, or nowhere.
    let alone = [inf(1, 1.0)];
    let less = stamp(Touch::Scale, 0.25, 1.0);
    assert_eq!(less.on(&alone), [inf(1, 0.25), inf(5, 0.75)]);
    assert_eq!(Stamp { heir: None, ..less }.on(&alone), alone);
    // A sum that is not held leaves the others alone.
    let paused = Stamp {
        holds_sum: false,
        ..stamp(Touch::Replace, 0.9, 1.0)
    };
    assert_eq!(paused.on(&row), [inf(0, 0.5), inf(1, 0.9), inf(2, 0.2)]);
    // Half way to the mean of two neighbours.
    let (a, b): (&[Influence], &[Influence]) = (&[inf(0, 1.0)], &[inf(3, 1.0)]);
    let relaxed = mixed(&row, [a, b], 0.5);
    for (joint, expected) in [(0, 0.5), (1, 0.15), (2, 0.1), (3, 0.25)] {
        assert!((weight(&relaxed, joint) - expected).abs() < 1e-6);
    }
    assert_eq!(mixed(&row, [], 0.5), row);
}

#[test]
fn the_rest_stays_to_the_bit_and_no_seam_tears() {
    let hound = sample::make("hound@1500").unwrap();
    let bind = Weights::rigid(hound.mesh.positions.iter().map(|_| JointIndex(1)));
    let surface = HandSurface::of(&hound.mesh);
    let mut layer = HandEdits::default();
    assert_eq!(layer.applied(&bind, &surface, &Layering::default()), bind);
    let wanted = [inf(1, 0.4), inf(2, 0.3), inf(3, 0.2), inf(4, 0.1)];
    let touched: Vec<u32> = (0..surface.len() as u32).step_by(7).collect();
    for &point in &touched {
        let first = surface.first_vertex(point);
        layer.set(first, HandEdit::towards(&wanted, bind.of_vertex(first as usize)));
    }
    assert_eq!(layer.len(), touched.len());
    let layering = Layering {
        influences: Some(2),
        ..Layering::default()
    };
    let made = layer.applied(&bind, &surface, &layering);
    for vertex in 0..bind.vertex_count() {
        let point = surface.point_of_vertex(vertex).unwrap();
        let row = made.of_vertex(vertex);
        if touched.binary_search(&point).is_err() {
            assert_eq!(row, bind.of_vertex(vertex));
            continue;
        }
        assert_eq!(row.len(), 2, "no more than asked for");
        assert!((weight(row, 1) - 0.4 / 0.7).abs() < 1e-5);
        let single = layer.row(&surface, vertex, bind.of_vertex(vertex), &layering);
        assert_eq!(single.as_deref(), Some(row));
        let twins = surface.vertices_of(point);
        assert!(twins.contains(&(vertex as u32)));
        assert!(twins.iter().all(|&t| made.of_vertex(t as usize) == row));
    }
    let unseen = Layering {
        opacity: 0.0,
        ..layering
    };
    assert_eq!(layer.applied(&bind, &surface, &unseen), bind);
    for &point in &touched {
        layer.set(surface.first_vertex(point), None);
    }
    assert_eq!(layer.applied(&bind, &surface, &layering), bind);
}

#[test]
fn a_part_follows_only_joints_that_it_lists() {
    let positions: Vec<glam::Vec3> = [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)]
        .map(|(x, y)| glam::Vec3::new(x, y, 0.0))
        .to_vec();
    let mut mesh = Mesh::single_part("cloth", positions, vec![[0, 1, 2], [1, 3, 2]]);
    mesh.parts[0].joints = Some(vec![JointIndex(2), JointIndex(0)]);
    let surface = HandSurface::of(&mesh);
    assert!(surface.allows(0, JointIndex(2)) && !surface.allows(0, JointIndex(1)));
    let bind = Weights::rigid([JointIndex(0); 4]);
    let mut layer = HandEdits::default();
    layer.set(1, HandEdit::typed(&[inf(1, 3.0), inf(2, 1.0)]));
    layer.set(2, HandEdit::typed(&[inf(1, 3.0)]));
    let made = layer.applied(&bind, &surface, &Layering::default());
    assert_eq!(made.of_vertex(1), [inf(2, 1.0)]);
    assert_eq!(made.of_vertex(2), [inf(0, 1.0)], "weight has to go somewhere");
    let moved = layer.renumbered(|j| if j.0 == 1 { JointIndex(2) } else { j });
    assert_eq!(moved.of(1).unwrap().weights, [inf(2, 4.0)]);
}
