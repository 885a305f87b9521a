//! Neither units nor the place where a character stands change its weights.

use glam::Vec3;
use ligament::character::Character;
use ligament::task::Task;

use crate::characters::{made, moved, scaled};
use crate::methods::{self, Request};
use crate::validator::{apart, check_alike};

/// How much the weights of a vertex may differ in all: in other units positions round to
/// other numbers, which moves voxels and the ends of a fit a little.
const WITHIN: f32 = 1e-3;

/// Binds all by every method and compares.
fn check_same(character: &Character, others: &[Character]) {
    let (request, task) = (Request::everything(), Task::unattended());
    for method in methods::all() {
        let plain = method.bind(character, &request, &task).unwrap().weights;
        for other in others {
            let weights = method.bind(other, &request, &task).unwrap().weights;
            let rows = plain.iter().zip(weights.iter());
            check_alike(&method, &other.name, rows.map(|(a, b)| apart(a, b)), WITHIN);
        }
    }
}

/// Powers of two scale without rounding.
#[test]
fn powers_of_two_change_no_bit() {
    let character = made("hand@500");
    let (request, task) = (Request::default(), Task::unattended());
    for method in methods::all() {
        let plain = method.bind(&character, &request, &task).unwrap().weights;
        for power in [-27, 27] {
            let other = scaled(&character, 2f64.powi(power));
            let weights = method.bind(&other, &request, &task).unwrap().weights;
            assert!(plain == weights, "{} on {}", method.label(), other.name);
        }
    }
}

#[test]
fn units_change_nothing() {
    let character = made("hand@500");
    check_same(
        &character,
        &[1e-8, 1e-3, 1e3, 1e8].map(|by| scaled(&character, by)),
    );
}

#[test]
fn where_it_stands_changes_nothing() {
    let character = made("hand@500");
    check_same(&character, &[moved(&character, Vec3::new(3.0, -1.0, 2.0))]);
}
