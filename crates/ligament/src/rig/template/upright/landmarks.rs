//! Landmarks of a humanoid, read off the slices of half a body: crotch, neck, the lines of trunk and shin, the foot, and what may be an arm.

use std::collections::BTreeMap;

use glam::{DVec3, IVec3};

use super::half::Half;
use super::paths::Paths;

/// Legs are apart where the plane of symmetry is so much thinner than the thickest place of the slice,
const APART: f64 = 0.4;
/// in so many of the slices from the ground on.
const APART_SHARE: f64 = 0.6;
/// So far below where they part, legs do not lean on each other, as a share of the height.
const BELOW_PARTING: f64 = 0.025;
/// A crotch is between these shares of the height.
const CROTCH: (f64, f64) = (0.06, 0.62);
/// The slice of a neck is so much smaller than one above and one below.
const NECK: f64 = 1.15;
/// Ends nearer than this to what is known are none, as a share of the height.
const SHORTEST: f64 = 0.08;
/// Ends that are looked at.
const ENDS: usize = 6;
/// Ends below are feet,
const FOOT: f64 = 0.13;
/// and what is further to the side is none, as shares of the height.
const FOOT_ASIDE: f64 = 0.35;
/// What is this thick beside a leg is another, as a share of its depth.
const AS_THICK: f64 = 0.6;
/// A body looks against the axis if its feet reach so much further that way, as a share of the height: files look along it.
const BACKWARD: f64 = 0.03;

/// What was found in a half, in its space.
#[derive(Debug, Clone)]
pub(super) struct Landmarks {
    /// How high the legs meet; none under a skirt.
    pub crotch: Option<f64>,
    /// How high the neck is thinnest; none under a hood.
    pub neck: Option<f64>,
    /// The middle of the body in the plane of symmetry, upward.
    pub trunk: Vec<DVec3>,
    /// The middle of the leg, upward.
    pub shin: Vec<DVec3>,
    pub toes: DVec3,
    /// 1 if it looks along its forward axis, −1 if against.
    pub facing: f64,
    /// What may be an arm: each from its tip to the trunk, along the middle.
    pub arms: Vec<Vec<DVec3>>,
    /// Ends near the ground.
    pub low_ends: Vec<DVec3>,
    /// Whether more is beside the leg that is as thick: the other leg of a quadruped.
    pub more_legs: bool,
}

/// One layer of voxels.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Slice {
    /// Voxels joined with the plane of symmetry.
    pub central: usize,
    /// The longest run of voxels along the forward axis: in the plane, and anywhere.
    middle: i32,
    thick: i32,
}

impl Slice {
    fn of(half: &Half, layer: i32) -> Self {
        let size = half.grid.size;
        let solid = |x: i32, z: i32| half.grid.is_solid(IVec3::new(x, layer, z));
        let mut slice = Self::default();
        let mut stack = Vec::new();
        for x in 0..size.x {
            let (mut run, mut longest) = (0, 0);
            for z in 0..size.z {
                run = if solid(x, z) { run + 1 } else { 0 };
                longest = longest.max(run);
                if x == 0 && run > 0 {
                    stack.push((x, z));
                }
            }
            if x == 0 {
                slice.middle = longest;
            }
            slice.thick = slice.thick.max(longest);
        }
        let mut seen = vec![false; (size.x * size.z) as usize];
        while let Some((x, z)) = stack.pop() {
            // Beyond the grid nothing is solid.
            if !solid(x, z) || seen[(z * size.x + x) as usize] {
                continue;
            }
            seen[(z * size.x + x) as usize] = true;
            slice.central += 1;
            stack.extend((0..9).map(|n| (x + n % 3 - 1, z + n / 3 - 1)));
        }
        slice
    }

    fn legs_apart(&self) -> bool {
        self.thick > 0 && f64::from(self.middle) < APART * f64::from(self.thick)
    }
}

impl Landmarks {
    /// The landmarks of a half; `None` if it has no middle or no feet.
    pub fn of(half: &Half) -> Option<Self> {
        let slices = slices(half);
        let crotch = crotch_in(half, &slices);
        let neck = neck(half, &slices, crotch);
        let Leg {
            shin,
            toes,
            facing,
            more,
        } = leg(half, crotch)?;
        let (low_ends, arms) = ends(half, crotch, neck)?;
        Some(Self {
            crotch,
            neck,
            trunk: trunk(half),
            shin,
            toes,
            facing,
            arms,
            low_ends,
            more_legs: more,
        })
    }
}

fn share_of_layers(half: &Half, share: f64) -> i32 {
    (share * f64::from(half.layers.1 - half.layers.0 + 1)) as i32
}

pub(super) fn slices(half: &Half) -> Vec<Slice> {
    (0..half.grid.size.y).map(|y| Slice::of(half, y)).collect()
}

/// How high the legs meet; none under a skirt.
pub(super) fn crotch(half: &Half) -> Option<f64> {
    crotch_in(half, &slices(half))
}

fn crotch_in(half: &Half, slices: &[Slice]) -> Option<f64> {
    let ground = half.layers.0;
    let least = share_of_layers(half, CROTCH.0);
    let mut apart = 0;
    let mut crotch = None;
    for layer in ground..ground + share_of_layers(half, CROTCH.1) {
        if !slices[layer as usize].legs_apart() {
            continue;
        }
        apart += 1;
        let gone = layer - ground + 1;
        if gone > least && f64::from(apart) >= APART_SHARE * f64::from(gone) {
            crotch = Some(half.height(layer));
        }
    }
    crotch
}

/// The slice that is smallest beside the largest above it and the largest below.
fn neck(half: &Half, slices: &[Slice], crotch: Option<f64>) -> Option<f64> {
    let (ground, top) = half.layers;
    let low = crotch.map_or(ground + share_of_layers(half, 0.45), |c| {
        half.layer(c + 0.3 * (half.height(top) - c))
    });
    let area = |layer: i32| slices[layer as usize].central as f64;
    let largest = |from: i32, to: i32| (from..=to).map(area).fold(0.0, f64::max);
    let mut best = (NECK, None);
    for layer in low..top - share_of_layers(half, 0.04) {
        let around = largest(layer, top).min(largest(low, layer));
        let stands_out = around / area(layer).max(1.0);
        if stands_out > best.0 {
            best = (stands_out, Some(half.height(layer)));
        }
    }
    best.1
}

/// The middle of the body in the plane, where it is deepest; hair and capes are thin.
fn trunk(half: &Half) -> Vec<DVec3> {
    let grid = &half.grid;
    let mut line = Vec::new();
    for layer in half.layers.0..=half.layers.1 {
        let at = |z: i32| grid.at(IVec3::new(0, layer, z));
        let depth = |z: i32| half.depth[at(z)];
        let Some(deepest) = (0..grid.size.z).max_by(|&a, &b| depth(a).total_cmp(&depth(b))) else {
            continue;
        };
        let most = depth(deepest);
        let reach = 2.0 * most;
        let (mut sum, mut weight) = (0.0, 0.0);
        for z in (0..grid.size.z).filter(|&z| depth(z) >= 0.7 * most) {
            let away = f64::from(z - deepest) * grid.cell;
            if away.abs() < reach {
                sum += depth(z) * half.centre(at(z)).z;
                weight += depth(z);
            }
        }
        if weight > 0.0 {
            line.push(DVec3::new(0.0, half.height(layer), sum / weight));
        }
    }
    smoothed(&line, 4)
}

struct Leg {
    /// Its middle, upward.
    shin: Vec<DVec3>,
    toes: DVec3,
    /// Which way they point.
    facing: f64,
    /// Whether there is another beside it.
    more: bool,
}

fn leg(half: &Half, crotch: Option<f64>) -> Option<Leg> {
    let (ground, tall) = (half.ground(), half.tall());
    let aside = FOOT_ASIDE * tall;
    let top = half.layer(crotch.unwrap_or(ground + 0.2 * tall));
    let mut sums = vec![(DVec3::ZERO, 0.0); (top - half.layers.0).max(0) as usize];
    let low = half.layer(ground + 0.07 * tall);
    let layers = half.layers.0..top.max(low + 1);
    // From the thickest of the foot up and down, so that a cape that is as thick as the leg is not taken for it half way.
    let near = |at: usize| half.centre(at).x < aside && half.grid.voxel(at).y <= low;
    let thickest = half
        .solid()
        .filter(|&at| near(at))
        .max_by(|&a, &b| half.depth[a].total_cmp(&half.depth[b]));
    let start = thickest.map_or(half.layers.0, |at| half.grid.voxel(at).y);
    let mut found: BTreeMap<i32, LegSlice> = BTreeMap::new();
    for layer in (start..layers.end).chain((layers.start..start).rev()) {
        let beside = if layer < start { layer + 1 } else { layer - 1 };
        let leg = leg_in(half, layer, aside, found.get(&beside));
        found.insert(layer, leg);
    }
    let mut foot = Vec::new();
    let (mut shins, mut twice) = (0u32, 0u32);
    for (layer, LegSlice { leg, another }) in found {
        if layer > low {
            shins += 1;
            twice += u32::from(another);
        }
        for at in leg {
            let centre = half.centre(at);
            if centre.y < ground + 0.07 * tall {
                foot.push(centre);
            }
            if let Some((sum, weight)) = sums.get_mut((layer - half.layers.0) as usize) {
                let deep = half.depth[at] * half.depth[at];
                *sum += deep * centre;
                *weight += deep;
            }
        }
    }
    let line: Vec<DVec3> = sums
        .into_iter()
        .filter(|s| s.1 > 0.0)
        .map(|(sum, weight)| sum / weight)
        .collect();
    let shin = smoothed(&line, 3);
    let ankle = at_height(&shin, ground + 0.11 * tall)?;
    let back = foot.iter().map(|p| p.z).fold(f64::INFINITY, f64::min);
    let front = foot.iter().map(|p| p.z).fold(f64::NEG_INFINITY, f64::max);
    let backward = (ankle.z - back) - (front - ankle.z);
    let facing = if backward > BACKWARD * tall { -1.0 } else { 1.0 };
    let end = if facing > 0.0 { front } else { back };
    let tip: Vec<DVec3> = foot
        .into_iter()
        .filter(|p| (p.z - end).abs() < 0.015 * tall)
        .collect();
    let count = tip.len().max(1) as f64;
    Some(Leg {
        shin,
        toes: tip.into_iter().sum::<DVec3>() / count,
        facing,
        more: 2 * twice > shins,
    })
}

/// The middle of the leg right below where legs part.
pub(super) fn below_parting(half: &Half, parting: f64) -> Option<DVec3> {
    at_height(
        &leg(half, Some(parting))?.shin,
        parting - BELOW_PARTING * half.tall(),
    )
}

/// A leg in a layer.
#[derive(Default)]
struct LegSlice {
    leg: Vec<usize>,
    /// Whether what is beside it is as thick, and no cape, which hangs across the plane.
    another: bool,
}

/// The voxels of a layer that are joined with its deepest within a distance of the plane: a leg, without the cape or tail beside it. What goes
/// on from the layer beside it comes first.
fn leg_in(half: &Half, layer: i32, aside: f64, beside: Option<&LegSlice>) -> LegSlice {
    let grid = &half.grid;
    let wide = ((aside / grid.cell).ceil() as i32).min(grid.size.x);
    let is_near = |v: IVec3| v.x < wide && grid.is_solid(v) && grid.centre(v).x < aside;
    let all = (0..wide).flat_map(|x| (0..grid.size.z).map(move |z| IVec3::new(x, layer, z)));
    let solid: Vec<IVec3> = all.filter(|&v| is_near(v)).collect();
    let depth = |v: &IVec3| half.depth[grid.at(*v)];
    let deeper = |a: &IVec3, b: &IVec3| depth(a).total_cmp(&depth(b));
    let before = beside.map_or(&[][..], |slice| &slice.leg);
    let on = before.iter().map(|&at| grid.voxel(at).with_y(layer));
    let on = on.filter(|&v| is_near(v)).max_by(deeper);
    let Some(deepest) = on.or_else(|| solid.iter().copied().max_by(deeper)) else {
        return LegSlice::default();
    };
    let mut seen = vec![false; (wide * grid.size.z) as usize];
    let mut stack = vec![deepest];
    while let Some(v) = stack.pop() {
        if !is_near(v) || std::mem::replace(&mut seen[(v.z * wide + v.x) as usize], true) {
            continue;
        }
        stack.extend((0..9).map(|n| v + IVec3::new(n % 3 - 1, 0, n / 3 - 1)));
    }
    let (leg, beside): (Vec<IVec3>, Vec<IVec3>) =
        solid.into_iter().partition(|v| seen[(v.z * wide + v.x) as usize]);
    let in_the_plane = beside.iter().any(|v| v.x == 0);
    let as_thick = beside.iter().any(|v| depth(v) >= AS_THICK * depth(&deepest));
    LegSlice {
        leg: leg.into_iter().map(|v| grid.at(v)).collect(),
        another: as_thick && !in_the_plane,
    }
}

/// Ends near the ground, and the paths along the middle from every other to the trunk.
fn ends(half: &Half, crotch: Option<f64>, neck: Option<f64>) -> Option<(Vec<DVec3>, Vec<Vec<DVec3>>)> {
    let grid = &half.grid;
    let (ground, tall) = (half.ground(), half.tall());
    // Ends: the farthest from the plane, then from the paths that were found.
    let mut known: Vec<usize> = half.solid().filter(|&at| grid.voxel(at).x == 0).collect();
    if known.is_empty() {
        return None;
    }
    let mut ends = Vec::new();
    for _ in 0..ENDS {
        let paths = Paths::from(half, &known, |_| 1.0);
        let far = half
            .solid()
            .filter(|&at| paths.cost[at].is_finite())
            .max_by(|&a, &b| paths.cost[a].total_cmp(&paths.cost[b]))?;
        if paths.cost[far] < SHORTEST * tall {
            break;
        }
        ends.push(far);
        known.extend(paths.back(far));
    }
    let top = neck.unwrap_or(ground + 0.8 * tall);
    let bottom = crotch.unwrap_or(ground + 0.45 * tall);
    let deepest = |layer: i32| {
        let depths = (0..grid.size.z).map(|z| half.depth[grid.at(IVec3::new(0, layer, z))]);
        depths.fold(0.0, f64::max)
    };
    let deepest: Vec<f64> = (0..grid.size.y).map(deepest).collect();
    let inner: Vec<usize> = half
        .solid()
        .filter(|&at| {
            let v = grid.voxel(at);
            let height = half.height(v.y);
            let in_chest = height > bottom + 0.35 * (top - bottom) && height < top;
            v.x == 0 && in_chest && half.depth[at] >= 0.6 * deepest[v.y as usize]
        })
        .collect();
    // Beyond six voxels a path is in the middle enough.
    let middle = |at: usize| (half.depth[at] / grid.cell).min(6.0).powi(-2);
    let paths = Paths::from(half, &inner, middle);
    let (low, high): (Vec<usize>, Vec<usize>) = ends
        .into_iter()
        .partition(|&end| half.centre(end).y < ground + FOOT * tall);
    let arms = high.into_iter().filter(|&end| paths.cost[end].is_finite());
    let arms = arms.map(|end| {
        let path: Vec<DVec3> = paths.back(end).into_iter().map(|at| half.centre(at)).collect();
        smoothed(&path, 6)
    });
    let low = low.into_iter().map(|end| half.centre(end)).collect();
    Some((low, arms.collect()))
}

fn smoothed(line: &[DVec3], rounds: usize) -> Vec<DVec3> {
    let mut line = line.to_vec();
    for _ in 0..rounds {
        let before = line.clone();
        for (i, w) in before.windows(3).enumerate() {
            line[i + 1] = 0.25 * w[0] + 0.5 * w[1] + 0.25 * w[2];
        }
    }
    line
}

/// The point of a line nearest to a height, moved to it.
pub(super) fn at_height(line: &[DVec3], height: f64) -> Option<DVec3> {
    let away = |p: &DVec3| (p.y - height).abs();
    let nearest = line.iter().min_by(|a, b| away(a).total_cmp(&away(b)))?;
    Some(DVec3::new(nearest.x, height, nearest.z))
}
