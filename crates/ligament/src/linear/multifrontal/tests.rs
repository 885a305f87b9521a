use glam::DVec3;

use super::dissection::Dissection;
use super::*;
use crate::geometry::Laplacian;
use crate::linear::{Cholesky, LinearError, SymmetricMatrix};

/// The points of a sample and C, with edges over two if asked for.
fn surface(sample: &str, squared: bool) -> (Vec<DVec3>, SymmetricMatrix) {
    let character = crate::sample::make(sample).unwrap();
    let points: Vec<DVec3> = character.mesh.positions.iter().map(|p| p.as_dvec3()).collect();
    let laplacian = Laplacian::of(&points, &character.mesh.triangles);
    let zero = vec![0.0; points.len()];
    let c = laplacian.matrix(&zero, 1.0, 1e-6);
    match squared {
        true => {
            let areas: Vec<f64> = laplacian.areas.iter().map(|a| a.max(1e-6)).collect();
            let square = c.plus_square(1e-3, &c, &areas);
            (points, square)
        }
        false => (points, c),
    }
}

/// Some D, different from row to row.
fn added(size: usize, seed: usize) -> Vec<f64> {
    (0..size)
        .map(|i| 1e-3 * (1 + (i * 31 + seed * 17) % 13) as f64)
        .collect()
}

/// Entries of three right-hand sides at some unknowns of `range`.
fn entries(factor: &UpdatableFactor, range: std::ops::Range<u32>) -> Vec<Entry> {
    let mut entries: Vec<Entry> = range
        .map(|u| Entry {
            rank: factor.rank(u),
            column: (u % 3) as u16 * 7,
            value: 1e-4 * f64::from(1 + u % 5),
        })
        .collect();
    entries.sort_by_key(|e| e.rank);
    entries
}

fn solutions(factor: &UpdatableFactor, entries: &[Entry], negligible: f64) -> (Vec<Vec<f64>>, usize) {
    solutions_with(factor, entries, negligible, &mut factor.nothing_left_out())
}

/// The solutions by column and unknown, with zero where nothing was solved.
fn solutions_with(
    factor: &UpdatableFactor,
    entries: &[Entry],
    negligible: f64,
    deferred: &mut Deferred,
) -> (Vec<Vec<f64>>, usize) {
    let read = |part: &BySupernode<'_>, _: &mut ()| {
        let columns = part.columns.iter().enumerate();
        let of_column = |(slot, &column): (usize, &u16)| (column, part.column(slot).to_vec());
        (part.ranks.clone(), columns.map(of_column).collect::<Vec<_>>())
    };
    let mut significant = factor.solve_where_significant(entries, negligible, deferred, read);
    deferred.swap(&mut significant.deferred);
    let mut solutions = vec![vec![0.0; factor.size()]; 15];
    let mut solved = 0;
    for (ranks, columns) in significant.read {
        solved += ranks.len();
        for (column, values) in columns {
            for (rank, value) in ranks.clone().zip(values) {
                solutions[usize::from(column)][factor.in_order()[rank] as usize] = value;
            }
        }
    }
    (solutions, solved)
}

/// The same by a factorisation of the whole.
fn expected(factor: &UpdatableFactor, c: &SymmetricMatrix, d: &[f64], entries: &[Entry]) -> Vec<Vec<f64>> {
    let whole = Cholesky::of(&c.clone().plus_diagonal(d)).unwrap();
    let mut columns = vec![vec![0.0; d.len()]; 15];
    for entry in entries {
        columns[usize::from(entry.column)][factor.in_order()[entry.rank as usize] as usize] += entry.value;
    }
    for column in &mut columns {
        whole.solve_in_place(column).unwrap();
    }
    columns
}

fn largest_difference(a: &[Vec<f64>], b: &[Vec<f64>]) -> f64 {
    let pairs = a.iter().flatten().zip(b.iter().flatten());
    pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn halves_are_not_connected() {
    let (points, c) = surface("hound@3000", false);
    let rows = c.rows();
    let dissection = Dissection::of(&points, |u| rows[u as usize].iter().map(|e| e.0));
    let mut seen: Vec<u32> = dissection.in_order.clone();
    seen.sort_unstable();
    assert!(seen.iter().copied().eq(0..points.len() as u32));
    let mut ranks = 0;
    for supernode in &dissection.supernodes {
        assert_eq!(supernode.own.start, ranks);
        ranks = supernode.own.end;
        // Whoever is connected to something in the branch is in it or on its border.
        for rank in supernode.first..supernode.own.end {
            for (to, _) in &rows[dissection.in_order[rank] as usize] {
                let to = dissection.ranks[*to as usize];
                let inside = (supernode.first..supernode.own.end).contains(&(to as usize));
                assert!(inside || supernode.border.binary_search(&to).is_ok());
            }
        }
    }
    assert_eq!(ranks, points.len());
}

#[test]
fn solutions_are_those_of_a_whole_factorisation() {
    for squared in [false, true] {
        let (points, c) = surface("hound@3000", squared);
        let d = added(points.len(), 0);
        let factor = UpdatableFactor::of(&points, &c, &d).unwrap();
        let entries = entries(&factor, 0..points.len() as u32);
        let (found, _) = solutions(&factor, &entries, 0.0);
        let expected = expected(&factor, &c, &d, &entries);
        assert!(largest_difference(&found, &expected) < 1e-9);
        // Other values at the same indices.
        let mut other = c.clone();
        other.values.iter_mut().for_each(|v| *v *= 0.5);
        let (found, _) = solutions(&factor.like(&other, &d).unwrap(), &entries, 0.0);
        let expected = self::expected(&factor, &other, &d, &entries);
        assert!(largest_difference(&found, &expected) < 1e-9);
    }
}

#[test]
fn another_diagonal_is_followed_where_it_is_another() {
    let (points, c) = surface("athlete@3000", false);
    let mut d = added(points.len(), 0);
    let mut factor = UpdatableFactor::of(&points, &c, &d).unwrap();
    for seed in 1..4 {
        let other = added(points.len(), seed);
        d[700 * seed..700 * seed + 300].copy_from_slice(&other[..300]);
        factor.follow(&d).unwrap();
        let entries = entries(&factor, 0..points.len() as u32);
        let (found, ..) = solutions(&factor, &entries, 0.0);
        let expected = expected(&factor, &c, &d, &entries);
        // Weights follow to six digits.
        assert!(largest_difference(&found, &expected) < 1e-6);
    }
}

#[test]
fn what_is_left_out_is_faint() {
    let (points, c) = surface("hound@8000", false);
    // So much that changes fade within some edges.
    let d: Vec<f64> = added(points.len(), 0).iter().map(|d| 30.0 * d).collect();
    let factor = UpdatableFactor::of(&points, &c, &d).unwrap();
    let mut entries = entries(&factor, 3000..3300);
    for entry in &mut entries {
        entry.value *= 30.0;
    }
    let expected = expected(&factor, &c, &d, &entries);
    let negligible = 1e-4;
    let (found, solved) = solutions(&factor, &entries, negligible);
    assert!(largest_difference(&found, &expected) < 2.0 * negligible);
    assert!(solved < points.len() / 2, "{solved} of {}", points.len());
}

#[test]
fn what_is_left_out_does_not_add_up() {
    let (points, c) = surface("hound@8000", false);
    let d: Vec<f64> = added(points.len(), 0).iter().map(|d| 30.0 * d).collect();
    let factor = UpdatableFactor::of(&points, &c, &d).unwrap();
    let negligible = 1e-4;
    let mut deferred = factor.nothing_left_out();
    let mut sums = vec![vec![0.0; points.len()]; 15];
    let mut expected_sums = sums.clone();
    let add = |to: &mut Vec<Vec<f64>>, from: &[Vec<f64>]| {
        let pairs = to.iter_mut().flatten().zip(from.iter().flatten());
        pairs.for_each(|(sum, value)| *sum += value);
    };
    let mut forgetful = sums.clone();
    for time in 0..40 {
        let mut entries = entries(&factor, 3000 + 4 * time..3300 + 4 * time);
        for entry in &mut entries {
            entry.value *= 10.0;
        }
        add(&mut expected_sums, &expected(&factor, &c, &d, &entries));
        add(
            &mut sums,
            &solutions_with(&factor, &entries, negligible, &mut deferred).0,
        );
        add(&mut forgetful, &solutions(&factor, &entries, negligible).0);
        assert!(largest_difference(&sums, &expected_sums) < 3.0 * negligible);
    }
    // Columns can be taken out of it, and put back.
    let has = |deferred: &Deferred, column| !deferred.without(&[column]).is_empty();
    let mut without = deferred.without(&[7]);
    deferred.swap(&mut without);
    assert!(has(&deferred, 0) && !has(&deferred, 7));
    deferred.swap(&mut without);
    assert!(has(&deferred, 0) && has(&deferred, 7));
    // Else this would prove nothing.
    assert!(largest_difference(&forgetful, &expected_sums) > 10.0 * negligible);
}

#[test]
fn what_has_no_single_answer_is_refused_and_can_be_followed_on_from() {
    let (points, c) = surface("hound@1000", false);
    let mut d = added(points.len(), 0);
    let mut factor = UpdatableFactor::of(&points, &c, &d).unwrap();
    let size = points.len();
    d[5] = -1e3;
    assert_eq!(factor.follow(&d), Err(LinearError::NotPositiveDefinite { size }));
    d[5] = 1e-3;
    factor.follow(&d).unwrap();
    let entries = entries(&factor, 0..20);
    let (found, ..) = solutions(&factor, &entries, 0.0);
    assert!(largest_difference(&found, &expected(&factor, &c, &d, &entries)) < 1e-9);
    let nothing = UpdatableFactor::of(
        &[],
        &SymmetricMatrix {
            starts: vec![0],
            ..SymmetricMatrix::default()
        },
        &[],
    );
    let nothing = nothing.unwrap();
    let deferred = nothing.nothing_left_out();
    let significant = nothing.solve_where_significant(&[], 0.0, &deferred, |_, _: &mut ()| ());
    assert!(significant.read.is_empty() && significant.deferred.is_empty());
}
