//! A body that a garment must not sink into (SkinCells, section 4.1, after Stuyck et al.
//! 2025).
//!
//! The body is a few hundred points of its surface with their normals, bound and posed
//! like everything else. A point of the garment is judged against the plane of the body's
//! nearest point: how far it is below, with the distance that it has at rest (at most the
//! margin) asked for. The body stands still while the garment is fitted to it.

use glam::{DAffine3, DVec3};

use super::domain::{FitDomain, REFERENCE_SIZE};
use super::losses::Rows;

/// A garment keeps at most this distance from the body, in centimetres.
const MARGIN: f64 = 1.0;
/// What is deeper costs by its depth instead of its square, in centimetres: a leg that has gone all the way through shall not tear the
/// cloth in front of it.
const DEEP: f64 = 2.0;
/// Body points looked at for each point of the garment; enough that legs of usual
/// characters have one every two or three centimetres: cloth is judged by the plane of the nearest.
const POINTS: usize = 1536;
/// How far around the garment the body is looked at, as a fraction of the character's size.
const AROUND: f64 = 0.05;

/// A posed body.
#[derive(Debug, Clone)]
pub(super) struct Body {
    /// For each position of the skin whether it is garment.
    garment: Vec<bool>,
    /// The distance that each position of the garment keeps.
    margin: Vec<f64>,
    /// Points and unit normals of the body in each pose.
    posed: Vec<Vec<(DVec3, DVec3)>>,
}

/// Points of the body at rest.
#[derive(Debug, Clone)]
pub(super) struct BodyAtRest {
    is_body: Vec<bool>,
    chosen: Vec<usize>,
    normals: Vec<DVec3>,
    margin: Vec<f64>,
}

impl BodyAtRest {
    /// Spreads points over the positions that are body; nothing if there is none, or
    /// nothing but body.
    pub fn new(domain: &FitDomain, is_body: Vec<bool>) -> Option<Self> {
        let mut normals = vec![DVec3::ZERO; domain.points.len()];
        for face in domain.skin.faces() {
            let [a, b, c] = face.map(|v| domain.points[v as usize]);
            for &v in face {
                normals[v as usize] += (b - a).cross(c - a);
            }
        }
        let garment = (0..domain.points.len()).filter(|&v| !is_body[v]);
        let (low, high) = garment.fold((DVec3::INFINITY, DVec3::NEG_INFINITY), |(low, high), v| {
            (low.min(domain.points[v]), high.max(domain.points[v]))
        });
        let is_near = |p: DVec3| p.cmpge(low - AROUND).all() && p.cmple(high + AROUND).all();
        let body: Vec<usize> = (0..domain.points.len())
            .filter(|&v| is_body[v] && normals[v].length_squared() > 0.0 && is_near(domain.points[v]))
            .collect();
        if body.is_empty() {
            return None;
        }
        // Farthest points first.
        let mut distance = vec![f64::INFINITY; body.len()];
        let mut chosen = vec![];
        let mut next = 0;
        while chosen.len() < POINTS.min(body.len()) {
            chosen.push(body[next]);
            let at = domain.points[body[next]];
            let mut farthest = (0.0, next);
            for (i, &v) in body.iter().enumerate() {
                distance[i] = distance[i].min(domain.points[v].distance_squared(at));
                if distance[i] > farthest.0 {
                    farthest = (distance[i], i);
                }
            }
            if farthest.0 == 0.0 {
                break;
            }
            next = farthest.1;
        }
        let normals: Vec<DVec3> = chosen.iter().map(|&v| normals[v].normalize()).collect();
        let at_rest: Vec<(DVec3, DVec3)> = chosen
            .iter()
            .zip(&normals)
            .map(|(&v, &n)| (domain.points[v], n))
            .collect();
        let margin = (0..domain.points.len())
            .map(|v| {
                if is_body[v] {
                    return 0.0;
                }
                let height =
                    nearest(&at_rest, domain.points[v]).map_or(0.0, |(y, n)| (domain.points[v] - y).dot(n));
                // What lies in the body at rest, hair in a head, may stay as deep as it is.
                height.min(MARGIN / REFERENCE_SIZE)
            })
            .collect();
        Some(Self {
            is_body,
            chosen,
            normals,
            margin,
        })
    }

    /// Which positions are body.
    pub fn is_body(&self) -> &[bool] {
        &self.is_body
    }

    /// The positions whose weights move the body.
    pub fn points(&self) -> &[usize] {
        &self.chosen
    }

    /// The body in poses, moved by the weights of its [`points`](Self::points).
    pub fn posed(&self, domain: &FitDomain, rows: &Rows, poses: &[&[DAffine3]]) -> Body {
        let pose_one = |pose: &&[DAffine3]| {
            let one = |(row, (&v, &normal)): (usize, (&usize, &DVec3))| {
                let mut at = DVec3::ZERO;
                let mut rotated = DVec3::ZERO;
                for (cell, weight) in rows.row(row) {
                    at += pose[cell].transform_point3(domain.points[v]) * weight;
                    rotated += pose[cell].transform_vector3(normal) * weight;
                }
                (at, rotated.normalize_or(normal))
            };
            self.chosen
                .iter()
                .zip(&self.normals)
                .enumerate()
                .map(one)
                .collect()
        };
        Body {
            garment: self.is_body.iter().map(|&b| !b).collect(),
            margin: self.margin.clone(),
            posed: poses.iter().map(pose_one).collect(),
        }
    }
}

fn nearest(body: &[(DVec3, DVec3)], x: DVec3) -> Option<(DVec3, DVec3)> {
    let mut best = (f64::INFINITY, None);
    for &(y, n) in body {
        let d = y.distance_squared(x);
        if d < best.0 {
            best = (d, Some((y, n)));
        }
    }
    best.1
}

impl Body {
    /// Whether a position is garment.
    pub fn is_garment(&self, point: usize) -> bool {
        self.garment[point]
    }

    /// What the depth of a position in a pose costs, and its derivative by where it is.
    pub fn collision(&self, point: usize, pose: usize, x: DVec3) -> (f64, DVec3) {
        if !self.garment[point] {
            return (0.0, DVec3::ZERO);
        }
        let Some((y, n)) = nearest(&self.posed[pose], x) else {
            return (0.0, DVec3::ZERO);
        };
        let depth = self.margin[point] - (x - y).dot(n);
        if depth <= 0.0 {
            return (0.0, DVec3::ZERO);
        }
        let deep = DEEP / REFERENCE_SIZE;
        let within = depth.min(deep);
        (within * (2.0 * depth - within), n * (-2.0 * within))
    }
}
