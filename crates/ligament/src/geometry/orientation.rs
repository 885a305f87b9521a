//! Shells wound inside out.
//!
//! The sign of the volume that a shell encloses tells which way its faces look. Openings
//! are closed by a fan around the middle of each rim before measuring, so that the volume
//! does not depend on where the origin is. A shell with a negative volume that lies within
//! a positive one is a cavity (the wall of a mouth, the inner side of a double wall) and
//! meant to look inwards.

use glam::DVec3;
use rayon::prelude::*;
use serde::Serialize;

use super::box_tree::Bounds;
use super::shells::DisjointSets;
use super::winding::winding_number_of;
use super::{EdgeFaults, Shells, WeldedMesh};
use crate::task::{Cancelled, Task};

/// A shell is judged if the fans that close it have at most this fraction of its own area. A
/// cup as deep as wide has 0.2 and shows clearly which side is inside, as does a sleeve
/// open at both ends and four radii long (0.25); a half sphere has 0.5 and may as well be
/// a bump as a bowl; a sheet has 1.
pub const NEARLY_CLOSED: f64 = 0.3;

/// A shell is judged if its volume is at least this fraction of its area to the power 3/2. A
/// sphere has 0.094, a square plate a thousandth as thick as wide 3.5e-4; a sheet doubled
/// with opposite faces has what rounding leaves, about 1e-8.
pub const HAS_VOLUME: f64 = 1e-5;

/// How many of a shell's faces are asked whether they lie inside another shell.
const CAVITY_SAMPLES: usize = 9;

/// What a shell encloses.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ShellSolid {
    /// The area of its faces.
    pub area: f64,
    /// The area of the fans that close its openings.
    pub cap_area: f64,
    /// The signed volume within faces and fans; positive if the faces look outwards.
    pub volume: f64,
}

impl ShellSolid {
    /// Whether the sign of the volume means something: the shell is closed or nearly so
    /// ([`NEARLY_CLOSED`]) and not flat ([`HAS_VOLUME`]).
    pub fn is_judged(&self) -> bool {
        self.cap_area <= NEARLY_CLOSED * self.area
            && self.volume.abs() >= HAS_VOLUME * self.area * self.area.sqrt()
    }
}

/// Measures every shell. `edges` are the faults of the same mesh.
pub fn shell_solids(welded: &WeldedMesh, shells: &Shells, edges: &EdgeFaults) -> Vec<ShellSolid> {
    // Rims: open edges that hang together. A shell's rims hold none of another's points.
    let mut rims = DisjointSets::new(welded.points.len());
    for &[a, b] in &edges.open {
        rims.join(a, b);
    }
    let mut middles: Vec<(DVec3, f64)> = vec![(DVec3::ZERO, 0.0); welded.points.len()];
    for &[a, b] in &edges.open {
        let (sum, count) = &mut middles[rims.root(a) as usize];
        *sum += welded.points[a as usize] + welded.points[b as usize];
        *count += 2.0;
    }
    let mut shell_of_point: Vec<u32> = vec![0; welded.points.len()];
    for (shell, faces) in shells.faces.iter().enumerate() {
        for &face in faces {
            for p in welded.faces[face as usize] {
                shell_of_point[p as usize] = shell as u32;
            }
        }
    }

    // Any point will do as origin; one on the shell keeps the numbers small.
    let origin = |shell: usize| welded.corners(shells.faces[shell][0] as usize)[0];
    let signed_volume = |at: DVec3, [a, b, c]: [DVec3; 3]| (a - at).dot((b - at).cross(c - at)) / 6.0;
    let mut solids: Vec<ShellSolid> = shells
        .faces
        .par_iter()
        .enumerate()
        .map(|(shell, faces)| {
            let (mut area, mut volume) = (0.0, 0.0);
            for &face in faces {
                area += welded.area_vector(face as usize).length();
                volume += signed_volume(origin(shell), welded.corners(face as usize));
            }
            ShellSolid {
                area,
                cap_area: 0.0,
                volume,
            }
        })
        .collect();
    for &[a, b] in &edges.open {
        let (sum, count) = middles[rims.root(a) as usize];
        let shell = shell_of_point[a as usize] as usize;
        let fan = [welded.points[b as usize], welded.points[a as usize], sum / count];
        solids[shell].cap_area += (fan[1] - fan[0]).cross(fan[2] - fan[0]).length() / 2.0;
        solids[shell].volume += signed_volume(origin(shell), fan);
    }
    solids
}

/// The shells that are wound inside out, ascending: closed or nearly so, of negative
/// volume, and no cavities. A cavity has most of its sampled face centres inside one shell
/// of positive volume (winding number above ½). `task` is asked before each sample.
pub fn inside_out_shells(
    welded: &WeldedMesh,
    shells: &Shells,
    solids: &[ShellSolid],
    task: &Task,
) -> Result<Vec<u32>, Cancelled> {
    const STAGE: &str = "looking for shells inside out";
    task.step(STAGE, 0.0)?;
    let negative: Vec<usize> = (0..shells.count())
        .filter(|&s| solids[s].is_judged() && solids[s].volume < 0.0)
        .collect();
    if negative.is_empty() {
        return Ok(Vec::new());
    }
    let around: Vec<(usize, Bounds)> = (0..shells.count())
        .filter(|&s| solids[s].volume > 0.0)
        .map(|s| (s, bounds_of(welded, &shells.faces[s])))
        .collect();
    let mut found = Vec::new();
    for (done, &shell) in negative.iter().enumerate() {
        let faces = &shells.faces[shell];
        let samples: Vec<DVec3> = (0..faces.len())
            .step_by(faces.len().div_ceil(CAVITY_SAMPLES))
            .map(|i| welded.corners(faces[i] as usize).iter().sum::<DVec3>() / 3.0)
            .collect();
        // For each shell around, how many samples it holds.
        let mut held = vec![0; around.len()];
        for &sample in &samples {
            task.step(STAGE, done as f32 / negative.len() as f32)?;
            let at = Bounds::around(sample.as_vec3(), &[]);
            held.par_iter_mut()
                .zip(&around)
                .for_each(|(held, (outer, bounds))| {
                    let outer = shells.faces[*outer].iter().map(|&face| (face, 1.0));
                    let holds = bounds.overlaps(&at) && winding_number_of(welded, outer, sample) > 0.5;
                    *held += usize::from(holds);
                });
        }
        let is_cavity = held.iter().any(|held| 2 * held > samples.len());
        if !is_cavity {
            found.push(shell as u32);
        }
    }
    Ok(found)
}

fn bounds_of(welded: &WeldedMesh, faces: &[u32]) -> Bounds {
    let first = welded.corners(faces[0] as usize)[0].as_vec3();
    let corners: Vec<_> = faces
        .iter()
        .flat_map(|&face| welded.corners(face as usize).map(|p| p.as_vec3()))
        .collect();
    Bounds::around(first, &corners)
}

#[cfg(test)]
mod tests {
    use super::super::edge_faults;
    use super::super::shapes::{cube, flipped, joined, scaled, welded};
    use super::*;
    use crate::Mesh;
    use glam::Vec3;

    fn solids(mesh: &Mesh) -> Vec<ShellSolid> {
        let w = welded(mesh);
        shell_solids(&w, &Shells::of(&w), &edge_faults(&w))
    }

    fn inside_out(mesh: &Mesh) -> Vec<u32> {
        let w = welded(mesh);
        let shells = Shells::of(&w);
        let solids = shell_solids(&w, &shells, &edge_faults(&w));
        inside_out_shells(&w, &shells, &solids, &Task::unattended()).unwrap()
    }

    #[test]
    fn volumes_are_signed_and_do_not_depend_on_the_place() {
        for at in [Vec3::ZERO, Vec3::splat(64.0)] {
            let s = solids(&joined(&[cube(at, 2.0), flipped(cube(at + Vec3::X * 5.0, 1.0))]));
            assert!((s[0].volume - 8.0).abs() < 1e-9 && (s[0].area - 24.0).abs() < 1e-9);
            assert!((s[1].volume + 1.0).abs() < 1e-9 && s[1].cap_area == 0.0);
            // Without its lid, the fan closes it.
            let mut open = cube(at, 2.0);
            open.triangles.truncate(10);
            open.parts[0].triangles.end = 10;
            let s = solids(&open);
            assert!((s[0].volume - 8.0).abs() < 1e-9 && (s[0].cap_area - 4.0).abs() < 1e-9);
        }
    }

    #[test]
    fn flipped_shells_are_found_at_any_scale_and_cavities_are_left() {
        let far = Vec3::X * 9.0;
        let m = joined(&[
            cube(Vec3::ZERO, 3.0),
            flipped(cube(Vec3::ONE, 1.0)),
            flipped(cube(far, 1.0)),
            cube(2.0 * far, 1.0),
        ]);
        for scale in [1e-3, 1.0, 1e3] {
            assert_eq!(inside_out(&scaled(m.clone(), scale)), [2]);
        }
        // Turned over as a whole, the outer one is wrong and so is the last.
        assert_eq!(inside_out(&flipped(m)), [0, 3]);
    }

    #[test]
    fn open_shells_are_judged_while_they_are_nearly_closed() {
        let mut open = flipped(cube(Vec3::ZERO, 1.0));
        open.triangles.truncate(10);
        open.parts[0].triangles.end = 10;
        assert_eq!(inside_out(&open), [0]);
        // Two sides in a corner enclose nothing.
        open.triangles.truncate(6);
        open.parts[0].triangles.end = 6;
        assert!(inside_out(&open).is_empty());
    }

    #[test]
    fn a_sheet_doubled_with_opposite_faces_has_no_inside() {
        let mut m = cube(Vec3::ZERO, 1.0);
        m.triangles.truncate(2);
        let back: Vec<_> = m.triangles.iter().map(|&[a, b, c]| [a, c, b]).collect();
        m.triangles.extend(back);
        m.parts[0].triangles.end = 4;
        assert!(inside_out(&m).is_empty());
    }
}
