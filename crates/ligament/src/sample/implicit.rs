//! Solids as signed fields: negative inside, about a distance near the surface.
//!
//! Shapes are balls and rounded cones, stretched by a linear map, and joined by smooth
//! unions. A squashed shape's value is its distance in the stretched space divided by the
//! length of the gradient: right to first order at the surface, which is all that
//! blending and projecting need.

use glam::{DMat3, DQuat, DVec3};

/// A field's value and its gradient (a unit vector up to blending).
#[derive(Debug, Clone, Copy)]
pub(super) struct Probe {
    pub value: f64,
    pub gradient: DVec3,
}

/// A solid in a box that bounds it, so that far solids need not be looked into.
#[derive(Debug, Clone)]
pub(super) struct Solid {
    low: DVec3,
    high: DVec3,
    node: Node,
}

#[derive(Debug, Clone)]
enum Node {
    /// `|q - c| - r` for `q = linear * (p - anchor)`, with `c` and `r` running along a cone from the
    /// anchor on.
    Cone {
        anchor: DVec3,
        linear: DMat3,
        cone: RoundCone,
    },
    Blend {
        k: f64,
        solids: Vec<Solid>,
    },
    /// Every limb is blended with the core, but hardly with other limbs: fingers and
    /// thighs stay apart.
    Star {
        core: Box<Solid>,
        limbs: Vec<(f64, Solid)>,
        between: f64,
    },
    Carve {
        k: f64,
        from: Box<Solid>,
        cut: Box<Solid>,
    },
    Above {
        k: f64,
        of: Box<Solid>,
        floor: f64,
    },
    Inflated {
        by: f64,
        of: Box<Solid>,
    },
}

/// A ball.
pub(super) fn ball(centre: [f64; 3], radius: f64) -> Solid {
    cone(centre, centre, radius, radius)
}

/// An ellipsoid with its axes along x, y and z.
pub(super) fn ellipsoid(centre: [f64; 3], radii: [f64; 3]) -> Solid {
    rotated_ellipsoid(centre, radii, DQuat::IDENTITY)
}

/// An ellipsoid rotated about its centre.
pub(super) fn rotated_ellipsoid(centre: [f64; 3], radii: [f64; 3], rotation: DQuat) -> Solid {
    Solid::new(Node::Cone {
        anchor: centre.into(),
        linear: DMat3::from_diagonal(DVec3::from(radii).recip()) * DMat3::from_quat(rotation.inverse()),
        cone: RoundCone::new(DVec3::ZERO, 1.0, 1.0),
    })
}

/// A cone with round ends: a ball of radius `ra` at `a` rolled to one of `rb` at `b`.
pub(super) fn cone(a: [f64; 3], b: [f64; 3], ra: f64, rb: f64) -> Solid {
    flat_cone(a, b, ra, rb, DVec3::Y, 1.0)
}

/// A round cone whose thickness along the unit vector `across` is multiplied by `factor`.
pub(super) fn flat_cone(a: [f64; 3], b: [f64; 3], ra: f64, rb: f64, across: DVec3, factor: f64) -> Solid {
    let (a, b) = (DVec3::from(a), DVec3::from(b));
    let grow = 1.0 / factor - 1.0;
    let linear =
        DMat3::IDENTITY + grow * DMat3::from_cols(across * across.x, across * across.y, across * across.z);
    Solid::new(Node::Cone {
        anchor: a,
        linear,
        cone: RoundCone::new(linear * (b - a), ra, rb),
    })
}

/// The union of solids with seams filleted over about `k`.
pub(super) fn blend(k: f64, solids: Vec<Solid>) -> Solid {
    Solid::new(Node::Blend { k, solids })
}

/// Limbs on a core: each is filleted with the core by its own width, and with the other
/// limbs by `between` only.
pub(super) fn star(core: Solid, limbs: Vec<(f64, Solid)>, between: f64) -> Solid {
    Solid::new(Node::Star {
        core: Box::new(core),
        limbs,
        between,
    })
}

/// `from` without `cut`, the rim rounded over `k`.
pub(super) fn carve(k: f64, from: Solid, cut: Solid) -> Solid {
    Solid::new(Node::Carve {
        k,
        from: Box::new(from),
        cut: Box::new(cut),
    })
}

/// What of a solid is above a floor.
pub(super) fn above(k: f64, of: Solid, floor: f64) -> Solid {
    Solid::new(Node::Above {
        k,
        of: Box::new(of),
        floor,
    })
}

/// A solid that reaches further by a distance, right near its surface.
pub(super) fn inflated(by: f64, of: Solid) -> Solid {
    Solid::new(Node::Inflated { by, of: Box::new(of) })
}

/// Solids and their mirror images.
pub(super) fn with_mirror(solids: Vec<Solid>) -> Vec<Solid> {
    let mirrored: Vec<Solid> = solids.iter().map(Solid::mirrored).collect();
    solids.into_iter().chain(mirrored).collect()
}

impl Node {
    /// The corners of a box around the solid.
    fn bounds(&self) -> (DVec3, DVec3) {
        let around = |solids: &mut dyn Iterator<Item = &Solid>, k: f64| {
            let none = (DVec3::INFINITY, DVec3::NEG_INFINITY);
            let (low, high) = solids.fold(none, |(l, h), s| (l.min(s.low), h.max(s.high)));
            (low - k / 2.0, high + k / 2.0)
        };
        match self {
            Self::Cone {
                anchor,
                linear,
                cone: RoundCone { end, ra, rb, .. },
            } => {
                let inverse = linear.inverse();
                let tip = *anchor + inverse * *end;
                // A ball stretched by a matrix reaches as far as the matrix's rows are long.
                let rows = inverse.transpose();
                let reach = DVec3::new(rows.x_axis.length(), rows.y_axis.length(), rows.z_axis.length());
                (
                    (*anchor - *ra * reach).min(tip - *rb * reach),
                    (*anchor + *ra * reach).max(tip + *rb * reach),
                )
            }
            Self::Blend { k, solids } => around(&mut solids.iter(), *k),
            Self::Star { core, limbs, between } => {
                let k = limbs.iter().fold(*between, |w, l| w.max(l.0));
                around(&mut limbs.iter().map(|l| &l.1).chain([core.as_ref()]), k)
            }
            Self::Carve { from, .. } => (from.low, from.high),
            Self::Above { of, floor, .. } => (of.low.with_y(of.low.y.max(*floor)), of.high),
            Self::Inflated { by, of } => (of.low - *by, of.high + *by),
        }
    }
}

/// The smooth minimum: a parabola where the two are within `k`, else the smaller one.
fn smooth_min(a: Probe, b: Probe, k: f64) -> Probe {
    let (low, high) = if a.value <= b.value { (a, b) } else { (b, a) };
    let h = 1.0 - (high.value - low.value) / k;
    if k <= 0.0 || h <= 0.0 {
        return low;
    }
    Probe {
        value: low.value - h * h * k / 4.0,
        gradient: low.gradient.lerp(high.gradient, h / 2.0),
    }
}

fn negated(p: Probe) -> Probe {
    Probe {
        value: -p.value,
        gradient: -p.gradient,
    }
}

/// A solid further than its blend width times this leaves a union unchanged. More than 1
/// because squashed shapes know their distance only to first order.
const FAR: f64 = 1.6;

impl Solid {
    fn new(node: Node) -> Self {
        let (low, high) = node.bounds();
        Self { low, high, node }
    }

    /// The square of a lower bound of the distance; zero in the bounding box.
    fn at_least_squared(&self, p: DVec3) -> f64 {
        let outside = (self.low - p).max(p - self.high).max(DVec3::ZERO);
        outside.length_squared()
    }

    /// Whether it is certainly farther than `distance`.
    fn is_beyond(&self, p: DVec3, distance: f64) -> bool {
        distance < 0.0 || self.at_least_squared(p) > distance * distance
    }

    /// The corners of a box that holds the solid, not always a tight one.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        (self.low, self.high)
    }

    /// The value alone.
    pub fn value(&self, p: DVec3) -> f64 {
        self.probe(p).value
    }

    /// Value and gradient at a point.
    pub fn probe(&self, p: DVec3) -> Probe {
        match &self.node {
            Node::Cone { anchor, linear, cone } => cone.probe(*linear * (p - *anchor), linear),
            Node::Blend { k, solids } => {
                let mut so_far: Option<Probe> = None;
                for solid in solids {
                    so_far = Some(match so_far {
                        None => solid.probe(p),
                        Some(so_far) if solid.is_beyond(p, so_far.value + FAR * k) => so_far,
                        Some(so_far) => smooth_min(so_far, solid.probe(p), *k),
                    });
                }
                so_far.unwrap_or(Probe {
                    value: f64::MAX,
                    gradient: DVec3::Y,
                })
            }
            Node::Star { core, limbs, between } => {
                if let Some(alone) = nearest_limb_alone(core, limbs, *between, p) {
                    return alone;
                }
                let core = core.probe(p);
                let mut so_far = core;
                for (k, limb) in limbs {
                    if limb.is_beyond(p, so_far.value + FAR * (k + between)) {
                        continue;
                    }
                    let joined = smooth_min(core, limb.probe(p), *k);
                    // A limb that has no influence here leaves the core, which is counted already.
                    if joined.value < core.value {
                        so_far = if so_far.value >= core.value {
                            joined
                        } else {
                            smooth_min(so_far, joined, fade(*between, core.value, &so_far, &joined))
                        };
                    }
                }
                so_far
            }
            Node::Carve { k, from, cut } => {
                let kept = from.probe(p);
                if cut.is_beyond(p, FAR * k - kept.value) {
                    return kept;
                }
                negated(smooth_min(negated(kept), cut.probe(p), *k))
            }
            Node::Above { k, of, floor } => {
                let kept = of.probe(p);
                let height = Probe {
                    value: p.y - floor,
                    gradient: DVec3::Y,
                };
                negated(smooth_min(negated(kept), height, *k))
            }
            Node::Inflated { by, of } => {
                let inner = of.probe(p);
                Probe {
                    value: inner.value - by,
                    ..inner
                }
            }
        }
    }

    /// The mirror image in the plane x = 0.
    pub fn mirrored(&self) -> Self {
        let flip = DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0));
        self.mapped(&|p| flip * p, flip)
    }

    /// Turned by `turn` about `pivot`.
    pub fn rotated_about(&self, pivot: DVec3, rotation: DQuat) -> Self {
        self.mapped(
            &|p| pivot + rotation * (p - pivot),
            DMat3::from_quat(rotation.inverse()),
        )
    }

    /// Moved by an isometry `point` whose linear part has the inverse `back`.
    fn mapped(&self, point: &dyn Fn(DVec3) -> DVec3, back: DMat3) -> Self {
        let map = |s: &Self| s.mapped(point, back);
        let node = match &self.node {
            Node::Cone { anchor, linear, cone } => Node::Cone {
                anchor: point(*anchor),
                linear: *linear * back,
                cone: *cone,
            },
            Node::Blend { k, solids } => Node::Blend {
                k: *k,
                solids: solids.iter().map(map).collect(),
            },
            Node::Star { core, limbs, between } => Node::Star {
                core: Box::new(map(core)),
                limbs: limbs.iter().map(|(k, l)| (*k, map(l))).collect(),
                between: *between,
            },
            Node::Carve { k, from, cut } => Node::Carve {
                k: *k,
                from: Box::new(map(from)),
                cut: Box::new(map(cut)),
            },
            Node::Above { k, of, floor } => Node::Above {
                k: *k,
                of: Box::new(map(of)),
                floor: *floor,
            },
            Node::Inflated { by, of } => Node::Inflated {
                by: *by,
                of: Box::new(map(of)),
            },
        };
        Self::new(node)
    }
}

/// The value of the nearest limb where core and other limbs are too far to have influence.
fn nearest_limb_alone(core: &Solid, limbs: &[(f64, Solid)], between: f64, p: DVec3) -> Option<Probe> {
    let mut nearest = (f64::MAX, 0);
    for (index, (_, limb)) in limbs.iter().enumerate() {
        let at_least = limb.at_least_squared(p);
        if at_least < nearest.0 {
            nearest = (at_least, index);
        }
    }
    let (k, limb) = limbs.get(nearest.1)?;
    if !core.is_beyond(p, nearest.0.sqrt() + FAR * (k + between)) {
        return None;
    }
    let alone = limb.probe(p);
    let in_range = |(index, (k, other)): (usize, &(f64, Solid))| {
        index != nearest.1 && !other.is_beyond(p, alone.value + FAR * (k + between))
    };
    let far = core.is_beyond(p, alone.value + FAR * (k + between));
    (far && !limbs.iter().enumerate().any(in_range)).then_some(alone)
}

/// How widely two limbs blend: not at all where both are only the core's fillet, so that
/// the union stays continuous as limbs come into reach.
fn fade(between: f64, core: f64, a: &Probe, b: &Probe) -> f64 {
    between.min(core - a.value.max(b.value))
}

/// A ball of radius `ra` at the origin rolled to one of `rb` at `end`.
#[derive(Debug, Clone, Copy)]
struct RoundCone {
    end: DVec3,
    ra: f64,
    rb: f64,
    /// Where neither ball holds the other, the slope between them.
    slope: Option<Slope>,
}

#[derive(Debug, Clone, Copy)]
struct Slope {
    length: f64,
    axis: DVec3,
    sine: f64,
    cosine: f64,
}

impl RoundCone {
    fn new(end: DVec3, ra: f64, rb: f64) -> Self {
        let length = end.length();
        let slope = (length > (ra - rb).abs()).then(|| {
            let sine = (ra - rb) / length;
            Slope {
                length,
                axis: end / length,
                sine,
                cosine: (1.0 - sine * sine).sqrt(),
            }
        });
        Self { end, ra, rb, slope }
    }

    fn probe(&self, q: DVec3, linear: &DMat3) -> Probe {
        let mut from = DVec3::ZERO;
        let mut radius = self.ra;
        if let Some(slope) = &self.slope {
            let along = q.dot(slope.axis);
            let away = (q - along * slope.axis).length();
            let foot = (along - away * slope.sine / slope.cosine).clamp(0.0, slope.length);
            from = foot * slope.axis;
            radius = self.ra - slope.sine * foot;
        } else if self.rb > self.ra {
            (from, radius) = (self.end, self.rb);
        }
        let offset = q - from;
        let distance = offset.length();
        let direction = if distance > 1e-12 {
            offset / distance
        } else {
            DVec3::Y
        };
        let gradient = linear.transpose() * direction;
        let steepness = gradient.length();
        Probe {
            value: (distance - radius) / steepness,
            gradient: gradient / steepness,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_cone_is_an_exact_distance() {
        let c = cone([0.0, 0.0, 0.0], [2.0, 0.0, 0.0], 1.0, 0.5);
        assert!((c.value(DVec3::new(-3.0, 0.0, 0.0)) - 2.0).abs() < 1e-12);
        assert!((c.value(DVec3::new(4.0, 0.0, 0.0)) - 1.5).abs() < 1e-12);
        // Against the definition: the least over balls along the axis.
        for p in [DVec3::new(1.0, 1.5, 0.3), DVec3::new(0.2, 0.1, -2.0)] {
            let naive = (0..=20_000)
                .map(|i| f64::from(i) / 20_000.0)
                .map(|t| p.distance(DVec3::X * 2.0 * t) - (1.0 - 0.5 * t))
                .fold(f64::MAX, f64::min);
            assert!((c.value(p) - naive).abs() < 1e-6, "{p}");
        }
    }

    #[test]
    fn gradients_agree_with_differences_on_the_surface() {
        let solid = blend(
            0.2,
            vec![
                ellipsoid([0.0; 3], [1.0, 0.6, 0.8]),
                flat_cone([0.5, 0.0, 0.0], [2.0, 0.3, 0.0], 0.4, 0.2, DVec3::Y, 0.7),
            ],
        );
        for start in [
            DVec3::new(1.2, 0.5, 0.3),
            DVec3::new(-0.7, 0.5, 0.2),
            DVec3::new(2.2, 0.6, 0.0),
        ] {
            let mut p = start;
            for _ in 0..20 {
                let at = solid.probe(p);
                p -= at.value * at.gradient;
            }
            let e = 1e-6;
            let slope = DVec3::from_array(
                [DVec3::X, DVec3::Y, DVec3::Z]
                    .map(|d| (solid.value(p + e * d) - solid.value(p - e * d)) / (2.0 * e)),
            );
            assert!(slope.distance(solid.probe(p).gradient) < 0.05, "{p}: {slope}");
        }
    }

    #[test]
    fn mirrored_and_turned_solids_keep_their_values() {
        let solid = star(
            ellipsoid([0.1, 0.0, 0.0], [1.0, 0.6, 0.8]),
            vec![(
                0.2,
                flat_cone([0.5, 0.0, 0.0], [2.0, 0.3, 0.0], 0.4, 0.2, DVec3::Z, 0.7),
            )],
            0.1,
        );
        let p = DVec3::new(1.3, 0.4, 0.2);
        let mirrored = solid.mirrored();
        assert!((mirrored.value(p * DVec3::new(-1.0, 1.0, 1.0)) - solid.value(p)).abs() < 1e-12);
        let (pivot, rotation) = (DVec3::new(0.3, 0.2, 0.1), DQuat::from_rotation_z(0.7));
        let rotated = solid.rotated_about(pivot, rotation);
        assert!((rotated.value(pivot + rotation * (p - pivot)) - solid.value(p)).abs() < 1e-12);
    }
}
