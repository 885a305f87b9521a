//! Surfaces cut open along a line: collars, cuffs, hems.

use std::collections::BTreeMap;

use glam::Vec3;

use super::surface::Surface;

/// A cut that passes an edge within this fraction of one of its ends goes through the end instead, which moves there: no slivers.
const SNAP: f32 = 0.25;

impl Surface {
    /// What lies where `side` is positive, cut exactly along its zero as far as it is straight along edges.
    pub fn clipped(mut self, side: impl Fn(Vec3) -> f32) -> Self {
        let mut sides: Vec<f32> = self.positions.iter().map(|&p| side(p)).collect();
        for t in &self.triangles {
            for (a, b) in [(t[0], t[1]), (t[1], t[2]), (t[2], t[0])] {
                let (a, b) = (a as usize, b as usize);
                if sides[a] * sides[b] < 0.0 {
                    let along = sides[a] / (sides[a] - sides[b]);
                    let near = match along {
                        t if t < SNAP => a,
                        t if t > 1.0 - SNAP => b,
                        _ => continue,
                    };
                    self.positions[near] = self.positions[a].lerp(self.positions[b], along);
                    sides[near] = 0.0;
                }
            }
        }
        let mut cuts: BTreeMap<(u32, u32), u32> = BTreeMap::new();
        let mut triangles = Vec::with_capacity(self.triangles.len());
        for t in std::mem::take(&mut self.triangles) {
            let mut outline = Vec::with_capacity(4);
            for i in 0..3 {
                let (a, b) = (t[i], t[(i + 1) % 3]);
                let (at_a, at_b) = (sides[a as usize], sides[b as usize]);
                if at_a >= 0.0 {
                    outline.push(a);
                }
                if at_a * at_b < 0.0 {
                    outline.push(*cuts.entry((a.min(b), a.max(b))).or_insert_with(|| {
                        let along = at_a / (at_a - at_b);
                        let (a, b) = (a as usize, b as usize);
                        self.positions
                            .push(self.positions[a].lerp(self.positions[b], along));
                        let normal = self.normals[a].lerp(self.normals[b], along);
                        self.normals.push(normal.normalize_or(self.normals[a]));
                        self.positions.len() as u32 - 1
                    }));
                }
            }
            // A face that only touches the cut has nothing on this side.
            if t.iter().any(|&v| sides[v as usize] > 0.0) {
                triangles.extend((2..outline.len()).map(|i| [outline[0], outline[i - 1], outline[i]]));
            }
        }
        self.triangles = triangles;
        self.without_loose_vertices()
    }

    fn without_loose_vertices(self) -> Self {
        let mut slots = vec![None; self.positions.len()];
        let mut kept = Self::default();
        for t in &self.triangles {
            let corners = t.map(|v| {
                *slots[v as usize].get_or_insert_with(|| {
                    kept.positions.push(self.positions[v as usize]);
                    kept.normals.push(self.normals[v as usize]);
                    kept.positions.len() as u32 - 1
                })
            });
            kept.triangles.push(corners);
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clipped_sheet_has_the_area_that_is_left() {
        let sheet = Surface::sheet(9, 7, false, |u, v| glam::DVec3::new(u, v, 0.0));
        // A slanted line: the area left is that of a trapezium, from x = 0.2 below to x = 0.5 above.
        let half = sheet.clipped(|p| p.x - 0.2 - 0.3 * p.y);
        let area: f32 = (half.triangles.iter())
            .map(|t| {
                let [a, b, c] = t.map(|v| half.positions[v as usize]);
                0.5 * (b - a).cross(c - a).z
            })
            .sum();
        assert!((area - 0.65).abs() < 1e-6, "{area}");
        assert!(half.positions.iter().all(|p| p.x - 0.2 - 0.3 * p.y > -1e-6));
        let smallest = (half.triangles.iter())
            .map(|t| {
                let [a, b, c] = t.map(|v| half.positions[v as usize]);
                0.5 * (b - a).cross(c - a).z
            })
            .fold(f32::INFINITY, f32::min);
        // An eighth of a face of the sheet, with both of its cut edges just past the fraction that snaps.
        assert!(smallest > 0.25 * 0.25 * 0.5 / 48.0, "{smallest}");
    }
}
