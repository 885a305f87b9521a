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

/// A solid in a ball that bounds it, so that far solids need not be looked into.
#[derive(Debug, Clone)]
pub(super) struct Solid {
    centre: DVec3,
    radius: f64,
    node: Node,
}

#[derive(Debug, Clone)]
enum Node {
    /// `|q - c| - r` for `q = linear * (p - anchor)`, with `c` and `r` running from the
    /// anchor with `ra` to `end` with `rb`.
    Cone {
        anchor: DVec3,
        linear: DMat3,
        end: DVec3,
        ra: f64,
        rb: f64,
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
}

/// A ball.
pub(super) fn ball(centre: [f64; 3], radius: f64) -> Solid {
    cone(centre, centre, radius, radius)
}

/// An ellipsoid with its axes along x, y and z.
pub(super) fn ellipsoid(centre: [f64; 3], radii: [f64; 3]) -> Solid {
    turned_ellipsoid(centre, radii, DQuat::IDENTITY)
}

/// An ellipsoid turned about its centre.
pub(super) fn turned_ellipsoid(centre: [f64; 3], radii: [f64; 3], turn: DQuat) -> Solid {
    let radii = DVec3::from(radii);
    Solid {
        centre: centre.into(),
        radius: radii.max_element(),
        node: Node::Cone {
            anchor: centre.into(),
            linear: DMat3::from_diagonal(radii.recip()) * DMat3::from_quat(turn.inverse()),
            end: DVec3::ZERO,
            ra: 1.0,
            rb: 1.0,
        },
    }
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
    Solid {
        centre: (a + b) / 2.0,
        radius: a.distance(b) / 2.0 + ra.max(rb) * factor.max(1.0),
        node: Node::Cone {
            anchor: a,
            linear,
            end: linear * (b - a),
            ra,
            rb,
        },
    }
}

/// The union of solids with seams filleted over about `k`.
pub(super) fn blend(k: f64, solids: Vec<Solid>) -> Solid {
    let (centre, radius) = ball_around(&solids);
    Solid {
        centre,
        radius: radius + k,
        node: Node::Blend { k, solids },
    }
}

/// Limbs on a core: each is filleted with the core by its own width, and with the other
/// limbs by `between` only.
pub(super) fn star(core: Solid, limbs: Vec<(f64, Solid)>, between: f64) -> Solid {
    let mut all: Vec<Solid> = limbs.iter().map(|l| l.1.clone()).collect();
    all.push(core.clone());
    let (centre, radius) = ball_around(&all);
    let widest = limbs.iter().fold(between, |w, l| w.max(l.0));
    Solid {
        centre,
        radius: radius + widest,
        node: Node::Star {
            core: Box::new(core),
            limbs,
            between,
        },
    }
}

/// `from` without `cut`, the rim rounded over `k`.
pub(super) fn carve(k: f64, from: Solid, cut: Solid) -> Solid {
    Solid {
        centre: from.centre,
        radius: from.radius,
        node: Node::Carve {
            k,
            from: Box::new(from),
            cut: Box::new(cut),
        },
    }
}

/// What of a solid is above a floor.
pub(super) fn above(k: f64, of: Solid, floor: f64) -> Solid {
    Solid {
        centre: of.centre,
        radius: of.radius,
        node: Node::Above {
            k,
            of: Box::new(of),
            floor,
        },
    }
}

fn ball_around(solids: &[Solid]) -> (DVec3, f64) {
    let (lo, hi) = solids
        .iter()
        .fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(lo, hi), s| {
            (lo.min(s.centre - s.radius), hi.max(s.centre + s.radius))
        });
    let centre = (lo + hi) / 2.0;
    let radius = solids
        .iter()
        .fold(0f64, |r, s| r.max(s.centre.distance(centre) + s.radius));
    (centre, radius)
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
    /// A lower bound of the distance.
    fn at_least(&self, p: DVec3) -> f64 {
        self.centre.distance(p) - self.radius
    }

    /// The value alone.
    pub fn value(&self, p: DVec3) -> f64 {
        self.probe(p).value
    }

    /// Value and gradient at a point.
    pub fn probe(&self, p: DVec3) -> Probe {
        match &self.node {
            Node::Cone {
                anchor,
                linear,
                end,
                ra,
                rb,
            } => probe_cone(*linear * (p - *anchor), linear, *end, *ra, *rb),
            Node::Blend { k, solids } => {
                let mut so_far: Option<Probe> = None;
                for solid in solids {
                    so_far = Some(match so_far {
                        None => solid.probe(p),
                        Some(so_far) if solid.at_least(p) > so_far.value + FAR * k => so_far,
                        Some(so_far) => smooth_min(so_far, solid.probe(p), *k),
                    });
                }
                so_far.unwrap_or(Probe {
                    value: f64::MAX,
                    gradient: DVec3::Y,
                })
            }
            Node::Star { core, limbs, between } => {
                let core = core.probe(p);
                let mut so_far = core;
                for (k, limb) in limbs {
                    if limb.at_least(p) > so_far.value + FAR * (k + between) {
                        continue;
                    }
                    let joined = smooth_min(core, limb.probe(p), *k);
                    // A limb that is not felt here leaves the core, which is counted already.
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
                if cut.at_least(p) > FAR * k - kept.value {
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
        }
    }

    /// The mirror image in the plane x = 0.
    pub fn mirrored(&self) -> Self {
        let flip = DMat3::from_diagonal(DVec3::new(-1.0, 1.0, 1.0));
        self.mapped(&|p| flip * p, flip)
    }

    /// Turned by `turn` about `pivot`.
    pub fn turned_about(&self, pivot: DVec3, turn: DQuat) -> Self {
        self.mapped(&|p| pivot + turn * (p - pivot), DMat3::from_quat(turn.inverse()))
    }

    /// Moved by an isometry `point` whose linear part has the inverse `back`.
    fn mapped(&self, point: &dyn Fn(DVec3) -> DVec3, back: DMat3) -> Self {
        let map = |s: &Self| s.mapped(point, back);
        let node = match &self.node {
            Node::Cone {
                anchor,
                linear,
                end,
                ra,
                rb,
            } => Node::Cone {
                anchor: point(*anchor),
                linear: *linear * back,
                end: *end,
                ra: *ra,
                rb: *rb,
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
        };
        Self {
            centre: point(self.centre),
            radius: self.radius,
            node,
        }
    }

    /// The corners of a box that holds the solid, not always a tight one.
    pub fn bounds(&self) -> (DVec3, DVec3) {
        let merge = |solids: &mut dyn Iterator<Item = &Self>, k: f64| {
            let (lo, hi) = solids.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(lo, hi), s| {
                let (l, h) = s.bounds();
                (lo.min(l), hi.max(h))
            });
            (lo - k / 2.0, hi + k / 2.0)
        };
        match &self.node {
            Node::Cone { .. } => (self.centre - self.radius, self.centre + self.radius),
            Node::Blend { k, solids } => merge(&mut solids.iter(), *k),
            Node::Star { core, limbs, between } => {
                let k = limbs.iter().fold(*between, |w, l| w.max(l.0));
                merge(&mut limbs.iter().map(|l| &l.1).chain([core.as_ref()]), k)
            }
            Node::Carve { from, .. } => from.bounds(),
            Node::Above { of, floor, .. } => {
                let (lo, hi) = of.bounds();
                (lo.with_y(lo.y.max(*floor - 0.01)), hi)
            }
        }
    }
}

/// How widely two limbs blend: not at all where both are only the core's fillet, so that
/// the union stays continuous as limbs come into reach.
fn fade(between: f64, core: f64, a: &Probe, b: &Probe) -> f64 {
    between.min(core - a.value.max(b.value))
}

fn probe_cone(q: DVec3, linear: &DMat3, end: DVec3, ra: f64, rb: f64) -> Probe {
    let length = end.length();
    let mut from = DVec3::ZERO;
    let mut radius = ra;
    if length > (ra - rb).abs() {
        let axis = end / length;
        let along = q.dot(axis);
        let away = (q - along * axis).length();
        let sine = (ra - rb) / length;
        let foot = (along - away * sine / (1.0 - sine * sine).sqrt()).clamp(0.0, length);
        from = foot * axis;
        radius = ra - sine * foot;
    } else if rb > ra {
        (from, radius) = (end, rb);
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
        let (pivot, turn) = (DVec3::new(0.3, 0.2, 0.1), DQuat::from_rotation_z(0.7));
        let turned = solid.turned_about(pivot, turn);
        assert!((turned.value(pivot + turn * (p - pivot)) - solid.value(p)).abs() < 1e-12);
    }
}
