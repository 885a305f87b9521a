//! How far a change reaches.
//!
//! A change of the system at some positions changes weights everywhere, but ever less the
//! further away: over a length l of skin with heat H it fades like e^(−l·√H), whatever the
//! mesh (and less over edges that are long beside 1/√H). The region grows along edges until
//! what is left is under a tolerance. (Rings of neighbours, as seed 003 counts them, are short
//! on dense meshes and long on coarse ones.)

use super::HeatField;
use super::operator::Operator;

/// Steps in which faintness is counted, for each factor of e.
const STEPS: f64 = 256.0;
/// Right-hand sides are spread over at most this share of the length over which they fade, so
/// that what is estimated stays over what comes: a line of them, spread over a quarter, counts
/// for three times what it does.
const SPREAD: f64 = 0.25;
/// Rounds of spreading at most: more cost more than they save.
const ROUNDS: usize = 32;
/// Ways along edges are longer than straight ones, by about this factor on usual meshes.
const DETOUR: f64 = 1.1;

/// The positions that a change reaches with at least `tolerance` of a weight, unsorted.
/// `seeds` are positions with how much of a weight may change there.
pub(super) fn reached(
    field: &HeatField,
    operator: &Operator,
    seeds: &[(u32, f64)],
    tolerance: f64,
) -> Vec<u32> {
    // Faintness −ln(share) in whole steps, in buckets: every edge is looked at once.
    let faintest = (-tolerance.ln() * STEPS).ceil().max(0.0) as usize;
    let mut buckets: Vec<Vec<u32>> = vec![Vec::new(); faintest + 1];
    let mut faintness = vec![u32::MAX; field.heat.len()];
    for &(position, share) in seeds.iter().filter(|s| s.1 >= tolerance) {
        let faint = (-share.min(1.0).ln() * STEPS) as usize;
        if faint <= faintest && (faint as u32) < faintness[position as usize] {
            faintness[position as usize] = faint as u32;
            buckets[faint].push(position);
        }
    }
    let surface = &field.surface;
    let points = &surface.skin.points;
    let decay = |p: usize| operator.decay(field.heat[p] / surface.areas[p]);
    let mut region = Vec::new();
    for faint in 0..=faintest {
        let mut next = 0;
        while let Some(&from) = buckets[faint].get(next) {
            next += 1;
            if faintness[from as usize] as usize != faint {
                continue; // reached by a shorter way since
            }
            region.push(from);
            let own = decay(from as usize);
            for (to, _) in surface.laplacian.row(from as usize) {
                if (faintness[to as usize] as usize) <= faint {
                    continue;
                }
                let length = points[from as usize].distance(points[to as usize]) / DETOUR;
                // Over an edge: 2·cosh k = 2 + (l·√H)², which is l·√H for short edges.
                let smooth = length * 0.5 * (own + decay(to as usize));
                let step = 2.0 * (smooth / 2.0).asinh() * STEPS;
                let there = faint + step as usize;
                if there <= faintest && (there as u32) < faintness[to as usize] {
                    faintness[to as usize] = there as u32;
                    buckets[there].push(to);
                }
            }
        }
    }
    region
}

/// How much of a weight right-hand sides may change, at the positions where they are or close
/// by. By the maximum principle it is no more than the largest over M·H; but bands as thin as
/// an edge, where one bone takes over from another, change far less on a dense mesh, where
/// what is around holds them.
pub(super) fn spread_out(
    field: &HeatField,
    operator: &Operator,
    sides: &[(u32, f64)],
    tolerance: f64,
) -> Vec<(u32, f64)> {
    let mut amounts = vec![0.0f64; field.heat.len()];
    let mut listed = vec![false; field.heat.len()];
    let mut positions: Vec<u32> = Vec::with_capacity(2 * sides.len());
    for &(position, side) in sides {
        amounts[position as usize] += side;
        if !std::mem::replace(&mut listed[position as usize], true) {
            positions.push(position);
        }
    }
    // A round in which half goes to the neighbours spreads by half an edge, and k rounds by
    // √k times that; M·H is about (edge/length of fading)². No bound holds for stiff skin.
    let rounds_of = |p: usize| match operator.stiffness == 0.0 {
        true => 4.0 * SPREAD * SPREAD / field.heat[p],
        false => 0.0,
    };
    let mut gains: Vec<(u32, f64)> = Vec::new();
    for round in 1..=ROUNDS {
        for &position in &positions {
            let at = position as usize;
            let faint = amounts[at] < 0.1 * tolerance * field.heat[at];
            if faint || rounds_of(at) < round as f64 {
                continue;
            }
            let around = field.surface.laplacian.row(at);
            let count = around.count();
            if count > 0 {
                let each = 0.5 * amounts[at] / count as f64;
                let around = field.surface.laplacian.row(at);
                gains.extend(around.map(|(to, _)| (to, each)));
                amounts[at] *= 0.5;
            }
        }
        if gains.is_empty() {
            break;
        }
        for (to, amount) in gains.drain(..) {
            amounts[to as usize] += amount;
            if !std::mem::replace(&mut listed[to as usize], true) {
                positions.push(to);
            }
        }
    }
    let share = |p: u32| (p, amounts[p as usize] / field.heat[p as usize]);
    positions.into_iter().map(share).collect()
}
