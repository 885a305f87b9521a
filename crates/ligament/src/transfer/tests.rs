//! Transfer held against closed forms and slow references.

use std::convert::Infallible;
use std::f64::consts::TAU;
use std::sync::Arc;

use glam::DVec3;

use super::*;
use crate::character::{Influence, JointIndex, Rows, Weights};
use crate::geometry::{Laplacian, WeldedMesh};
use crate::task::Task;
use crate::weights::weight_distance;

/// A surface with all that a target needs.
struct Surface {
    points: Vec<DVec3>,
    faces: Vec<[u32; 3]>,
    laplacian: Arc<Laplacian>,
}

impl Surface {
    fn of(points: Vec<DVec3>, faces: Vec<[u32; 3]>) -> Self {
        let laplacian = Arc::new(Laplacian::of(&points, &faces));
        Self {
            points,
            faces,
            laplacian,
        }
    }

    fn target(&self) -> TransferTarget<'_> {
        TransferTarget {
            points: &self.points,
            faces: &self.faces,
            laplacian: &self.laplacian,
            diagonal: diagonal(&self.points),
        }
    }

    fn welded(&self) -> WeldedMesh {
        WeldedMesh {
            points: self.points.clone(),
            faces: self.faces.clone(),
            diagonal: diagonal(&self.points),
        }
    }

    fn joined(&self, other: &Self) -> Self {
        let after = self.points.len() as u32;
        let moved = other.faces.iter().map(|f| f.map(|p| p + after));
        Self::of(
            self.points.iter().chain(&other.points).copied().collect(),
            self.faces.iter().copied().chain(moved).collect(),
        )
    }

    fn scaled(&self, by: f64) -> Self {
        Self::of(self.points.iter().map(|p| by * *p).collect(), self.faces.clone())
    }
}

fn diagonal(points: &[DVec3]) -> f64 {
    let low = points.iter().copied().fold(DVec3::INFINITY, DVec3::min);
    let high = points.iter().copied().fold(DVec3::NEG_INFINITY, DVec3::max);
    low.distance(high)
}

/// An open tube along y from 0 to 1 around (x, 0), wound outwards.
fn tube(x: f64, radius: f64, around: u32, rows: u32) -> Surface {
    let mut points = Vec::new();
    let mut faces = Vec::new();
    for row in 0..=rows {
        for k in 0..around {
            let (sin, cos) = (TAU * f64::from(k) / f64::from(around)).sin_cos();
            points.push(DVec3::new(
                x + radius * cos,
                f64::from(row) / f64::from(rows),
                radius * sin,
            ));
            if row < rows {
                let (a, b) = (row * around + k, row * around + (k + 1) % around);
                faces.push([a, a + around, b]);
                faces.push([b, a + around, b + around]);
            }
        }
    }
    Surface::of(points, faces)
}

fn two(first: f64) -> Vec<Influence> {
    let fractions = [(0, first), (1, 1.0 - first)];
    let influence = |&(joint, weight): &(u16, f64)| Influence {
        joint: JointIndex(joint),
        weight: weight as f32,
    };
    fractions.iter().filter(|s| s.1 > 0.0).map(influence).collect()
}

fn weights_by(surface: &Surface, first: impl Fn(DVec3) -> f64) -> Weights {
    let rows: Vec<Vec<Influence>> = surface.points.iter().map(|&p| two(first(p))).collect();
    Weights::new(rows.iter().map(Vec::as_slice)).unwrap()
}

fn source_by(surface: &Surface, first: impl Fn(DVec3) -> f64) -> TransferSource {
    TransferSource::new(surface.welded(), weights_by(surface, first)).unwrap()
}

fn no_fallback(points: &[u32]) -> Result<Rows, TransferError> {
    panic!("{} points without a match", points.len())
}

fn transferred(source: &TransferSource, target: &Surface, options: &TransferOptions) -> Transferred {
    let task = Task::unattended();
    transfer_weights(source, &target.target(), None, options, no_fallback, &task).unwrap()
}

#[test]
fn a_tube_onto_a_finer_tube_keeps_weights_by_height() {
    // Linear in y, so that any point of any face has the weight of its height.
    let source = source_by(&tube(0.0, 0.2, 16, 10), |p| p.y);
    let target = tube(0.0, 0.205, 48, 64);
    let found = transferred(&source, &target, &TransferOptions::default());
    assert_eq!(found.matches.count(PointMatch::Matched), target.points.len());
    for (point, row) in target.points.iter().zip(found.weights.iter()) {
        assert!(weight_distance(row, &two(point.y)) < 1.1e-3, "{point} {row:?}");
    }
}

#[test]
fn constant_weights_stay_constant_wherever_they_are_filled() {
    let source = source_by(&tube(0.0, 0.2, 24, 12), |_| 0.3);
    // Half of it hangs below the source, flared: too far away, or turned away.
    let mut target = tube(0.0, 0.21, 24, 40);
    for p in &mut target.points {
        p.y = 2.0 * p.y - 1.0;
        let flare = 1.0 + 2.0 * (-p.y).max(0.0);
        *p *= DVec3::new(flare, 1.0, flare);
    }
    let target = Surface::of(target.points, target.faces);
    let found = transferred(&source, &target, &TransferOptions::default());
    assert!(found.filled > 300, "{}", found.filled);
    for row in found.weights.iter() {
        assert!(weight_distance(row, &two(0.3)) < 1e-4, "{row:?}");
    }
}

#[test]
fn a_gap_between_linear_weights_is_filled_linearly() {
    // Linear functions bend nowhere and their slope is the least that joins both ends.
    let strip = sheet(41, 7);
    let row_of = |p: &DVec3| (p.x < 8.5 || p.x > 31.5).then(|| two(p.x / 40.0));
    let mut rows: Vec<Option<Row>> = strip.points.iter().map(row_of).collect();
    let empty = rows.iter().filter(|r| r.is_none()).count();
    let filled = inpaint(&strip.laplacian, &mut rows, 3.0, &Task::unattended()).unwrap();
    assert_eq!(filled, empty);
    for (point, row) in strip.points.iter().zip(rows) {
        let row = row.unwrap();
        assert!(
            weight_distance(&row, &two(point.x / 40.0)) < 1e-4,
            "{point} {row:?}"
        );
    }
}

/// Unit squares cut in two, in a plane.
fn sheet(columns: u32, rows: u32) -> Surface {
    let mut points = Vec::new();
    let mut faces = Vec::new();
    for y in 0..rows {
        for x in 0..columns {
            points.push(DVec3::new(f64::from(x), f64::from(y), 0.0));
            if x + 1 < columns && y + 1 < rows {
                let i = y * columns + x;
                faces.push([i, i + 1, i + columns]);
                faces.push([i + 1, i + columns + 1, i + columns]);
            }
        }
    }
    Surface::of(points, faces)
}

/// The same programme by projected coordinate descent on dense matrices.
fn naive_inpaint(laplacian: &Laplacian, known: &[Option<f64>], length: f64) -> Vec<f64> {
    let n = known.len();
    let mut l = vec![vec![0.0; n]; n];
    for i in 0..n {
        for (j, w) in laplacian.row(i) {
            l[i][j as usize] -= w.max(1e-6);
            l[i][i] += w.max(1e-6);
        }
    }
    let mut q = l.clone();
    for (i, row) in q.iter_mut().enumerate() {
        for (j, entry) in row.iter_mut().enumerate() {
            let square: f64 = (0..n).map(|m| l[i][m] * l[m][j] / laplacian.areas[m]).sum();
            *entry += length * length * square;
        }
    }
    let mut x: Vec<f64> = known.iter().map(|k| k.unwrap_or(0.5)).collect();
    for _ in 0..20_000 {
        for i in (0..n).filter(|&i| known[i].is_none()) {
            let pull: f64 = (0..n).map(|j| q[i][j] * x[j]).sum();
            x[i] = (x[i] - pull / q[i][i]).clamp(0.0, 1.0);
        }
    }
    x
}

#[test]
fn filling_agrees_with_a_dense_programme_that_has_bounds() {
    let strip = sheet(17, 4);
    // A steep slope that runs out below 0 and above 1 without bounds.
    let known = |p: &DVec3| match p.x as u32 {
        0 => Some(0.0),
        1 => Some(0.45),
        2 => Some(0.9),
        14 => Some(0.1),
        15.. => Some(0.0),
        _ => None,
    };
    let of_first: Vec<Option<f64>> = strip.points.iter().map(known).collect();
    let mut binds = false;
    for length in [0.5, 3.0, 30.0] {
        let mut rows: Vec<Option<Row>> = of_first.iter().map(|k| k.map(two)).collect();
        inpaint(&strip.laplacian, &mut rows, length, &Task::unattended()).unwrap();
        let firsts = naive_inpaint(&strip.laplacian, &of_first, length);
        for ((first, row), point) in firsts.iter().zip(&rows).zip(&strip.points) {
            let weight = |joint: u16| {
                let own = row.iter().flatten().find(|i| i.joint == JointIndex(joint));
                own.map_or(0.0, |i| f64::from(i.weight))
            };
            assert!(
                (weight(0) - first).abs() < 2e-3,
                "{length} {point}: {} {first}",
                weight(0)
            );
            // The two joints are each other's complement, and so are their bounds.
            assert!((weight(1) - (1.0 - first)).abs() < 2e-3, "{length} {point}");
            binds |= known(point).is_none() && *first > 0.9999;
        }
    }
    assert!(binds, "no bound was reached: the test tests too little");
}

#[test]
fn units_do_not_matter() {
    let (body, skirt) = (tube(0.0, 0.2, 24, 20), flared());
    let first = |p: DVec3| (1.5 * p.y - 0.5 * p.x).clamp(0.0, 1.0);
    let options = TransferOptions::default();
    let metres = transferred(&source_by(&body, first), &skirt, &options);
    assert!(metres.filled > 200, "{}", metres.filled);
    for by in [100.0, 1e-3, 39.37] {
        let source = source_by(&body.scaled(by), |p| first(p / by));
        let found = transferred(&source, &skirt.scaled(by), &options);
        assert_eq!(found.matches.state, metres.matches.state, "{by}");
        for (a, b) in found.weights.iter().zip(metres.weights.iter()) {
            assert!(weight_distance(a, b) < 2e-3, "{by}: {a:?} {b:?}");
        }
    }
}

/// A tube that leaves another one at its lower half.
fn flared() -> Surface {
    let mut skirt = tube(0.0, 0.21, 32, 30);
    for p in &mut skirt.points {
        let flare = 1.0 + 2.0 * (0.5 - p.y).max(0.0);
        *p *= DVec3::new(flare, 1.0, flare);
    }
    Surface::of(skirt.points, skirt.faces)
}

#[test]
fn a_left_sock_takes_nothing_from_the_right_leg() {
    // Two legs whose gap is narrower than the sock on the left one is wide.
    let legs = tube(-0.11, 0.1, 32, 10).joined(&tube(0.11, 0.1, 32, 10));
    let source = source_by(&legs, |p| f64::from(u8::from(p.x < 0.0)));
    let sock = tube(-0.11, 0.118, 48, 12);
    for sides in [Sides::Either, Sides::Same] {
        let mut options = TransferOptions::default();
        options.matching.sides = sides;
        let found = transferred(&source, &sock, &options);
        let nearer_right = (found.matches.closest.iter())
            .filter(|c| c.face as usize >= legs.faces.len() / 2)
            .count();
        assert!(
            nearer_right > 20,
            "{nearer_right}: the legs are too far apart for this test"
        );
        for row in found.weights.iter() {
            assert!(weight_distance(row, &two(1.0)) < 1e-6, "{sides:?} {row:?}");
        }
    }
}

#[test]
fn a_lining_matches_and_so_does_what_is_inside_out() {
    let source = source_by(&tube(0.0, 0.2, 24, 12), |p| p.y);
    let mut lining = tube(0.0, 0.205, 24, 12);
    for face in &mut lining.faces {
        face.swap(0, 1);
    }
    let lining = Surface::of(lining.points, lining.faces);
    let found = transferred(&source, &lining, &TransferOptions::default());
    assert_eq!(found.matches.count(PointMatch::Matched), lining.points.len());
    let mut options = MatchOptions {
        sides: Sides::Same,
        ..MatchOptions::default()
    };
    let task = Task::unattended();
    let same = Matches::of(&source, &lining.target(), None, &options, &task).unwrap();
    assert_eq!(same.count(PointMatch::TurnedAway), lining.points.len());
    options.angle = 180.0;
    let any = Matches::of(&source, &lining.target(), None, &options, &task).unwrap();
    assert_eq!(any.count(PointMatch::Matched), lining.points.len());
}

#[test]
fn a_piece_without_a_match_gets_what_the_caller_gives_and_others_are_not_asked() {
    let source = source_by(&tube(0.0, 0.2, 24, 12), |p| p.y);
    let near = tube(0.0, 0.21, 24, 12);
    let far = tube(5.0, 0.2, 8, 4);
    let target = near.joined(&far);
    let wanted: Vec<u32> = (near.points.len() as u32..target.points.len() as u32).collect();
    let give = |points: &[u32]| -> Result<Rows, TransferError> {
        assert_eq!(points, wanted);
        let row = |rows: std::ops::Range<usize>, all: &mut Rows| {
            rows.for_each(|_| all.push(two(0.25)));
            Ok::<_, Infallible>(())
        };
        Ok(Rows::in_parallel(points.len(), row).unwrap())
    };
    let options = TransferOptions::default();
    let task = Task::unattended();
    let found = transfer_weights(&source, &target.target(), None, &options, give, &task).unwrap();
    assert_eq!((found.pieces_apart, found.apart.len()), (1, far.points.len()));
    for &p in &wanted {
        assert!(weight_distance(found.weights.of_vertex(p as usize), &two(0.25)) < 1e-6);
    }
    let few = |_: &[u32]| {
        Rows::in_parallel(1, |_, all: &mut Rows| {
            all.push(two(0.5));
            Ok::<_, TransferError>(())
        })
    };
    let refused = transfer_weights(&source, &target.target(), None, &options, few, &task).unwrap_err();
    assert!(
        matches!(refused, TransferError::Fallback { found: 1, .. }),
        "{refused}"
    );
}

#[test]
fn points_that_are_not_wanted_are_filled_from_those_around_them() {
    let body = tube(0.0, 0.2, 24, 24);
    // A stripe of wrong weights that the target shall not take.
    let stripe = |p: DVec3| (0.4..0.6).contains(&p.y);
    let source = source_by(&body, |p| if stripe(p) { 0.0 } else { p.y });
    let target = tube(0.0, 0.205, 24, 24);
    let wanted: Vec<bool> = target.points.iter().map(|p| !(0.3..0.7).contains(&p.y)).collect();
    let (options, task) = (TransferOptions::default(), Task::unattended());
    let found = transfer_weights(
        &source,
        &target.target(),
        Some(&wanted),
        &options,
        no_fallback,
        &task,
    );
    let found = found.unwrap();
    assert!(found.matches.count(PointMatch::Masked) > 200);
    for (point, row) in target.points.iter().zip(found.weights.iter()) {
        assert!(weight_distance(row, &two(point.y)) < 0.01, "{point} {row:?}");
    }
}

#[test]
fn threads_do_not_show() {
    let (body, skirt) = (tube(0.0, 0.2, 24, 20), flared());
    let source = source_by(&body, |p| (1.5 * p.y - 0.5 * p.x).clamp(0.0, 1.0));
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| transferred(&source, &skirt, &TransferOptions::default()))
    };
    let one = with(1);
    for threads in [2, 5] {
        let many = with(threads);
        assert!(
            one.weights == many.weights && one.matches == many.matches,
            "{threads}"
        );
    }
}

#[test]
fn bad_options_and_sources_are_refused_by_name() {
    let body = tube(0.0, 0.2, 8, 4);
    let source = source_by(&body, |_| 0.5);
    let refused = |options: TransferOptions| {
        let task = Task::unattended();
        let tried = transfer_weights(&source, &body.target(), None, &options, no_fallback, &task);
        tried.unwrap_err().to_string()
    };
    let usual = TransferOptions::default();
    let matching = |matching| TransferOptions { matching, ..usual };
    for distance in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let text = refused(matching(MatchOptions {
            distance,
            ..usual.matching
        }));
        assert!(text.contains("distance"), "{text}");
    }
    let text = refused(matching(MatchOptions {
        angle: 181.0,
        ..usual.matching
    }));
    assert!(text.contains("angle"), "{text}");
    let text = refused(TransferOptions {
        smoothing: f64::NAN,
        ..usual
    });
    assert!(text.contains("smoothing"), "{text}");
    let text = refused(TransferOptions {
        influences: 0,
        ..usual
    });
    assert!(text.contains("influences"), "{text}");
    let text = refused(TransferOptions { prune: 1.0, ..usual });
    assert!(text.contains("prune"), "{text}");

    let collapsed = WeldedMesh {
        points: vec![DVec3::ZERO],
        faces: vec![[0, 0, 0]],
        diagonal: 0.0,
    };
    let one = Weights::rigid([JointIndex(0)]);
    let nothing = TransferSource::new(collapsed.clone(), one).unwrap_err();
    assert_eq!(nothing, TransferError::NoSurface);
    let wrong = TransferSource::new(collapsed, Weights::rigid([])).unwrap_err();
    assert_eq!(wrong, TransferError::WrongLength { wanted: 1, found: 0 });
}
