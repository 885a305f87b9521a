//! What every sample promises, checked by the plainest code that can check it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

use glam::{DVec3, Vec3};

use super::implicit::Solid;
use super::*;
use crate::character::{Channel, Mesh};
use crate::geometry::Weld;

/// Samples that are one closed surface, with the solids they were made from.
fn clean() -> Vec<(&'static str, Option<Solid>, bool)> {
    vec![
        ("athlete", Some(athlete::athlete_figure().solid()), true),
        ("apose", Some(athlete::apose_figure().solid()), true),
        ("hand", Some(hand::solid()), false),
        ("hound", Some(hound::solid()), true),
        ("tube", None, true),
    ]
}

/// A sample at its default size, made once for all tests.
fn default_size(name: &str) -> &'static Character {
    static MADE: [OnceLock<Character>; 8] = [const { OnceLock::new() }; 8];
    let index = names().iter().position(|s| s.name == name).unwrap();
    MADE[index].get_or_init(|| make(name).unwrap())
}

/// Faces with coincident vertices joined into one vertex.
fn welded(mesh: &Mesh) -> (Vec<Vec3>, Vec<[u32; 3]>) {
    let weld = Weld::of(mesh);
    let at = weld
        .first_vertex
        .iter()
        .map(|&v| mesh.positions[v as usize])
        .collect();
    let faces = mesh
        .triangles
        .iter()
        .map(|t| t.map(|v| weld.point_of_vertex[v as usize]))
        .collect();
    (at, faces)
}

/// How often each directed edge is used.
fn directed_edges(faces: &[[u32; 3]]) -> BTreeMap<(u32, u32), usize> {
    let mut uses = BTreeMap::new();
    for t in faces {
        for i in 0..3 {
            *uses.entry((t[i], t[(i + 1) % 3])).or_default() += 1;
        }
    }
    uses
}

/// The sets of faces that are connected by shared vertices.
fn components(vertices: usize, faces: &[[u32; 3]]) -> Vec<Vec<[u32; 3]>> {
    let mut leader: Vec<usize> = (0..vertices).collect();
    fn find(leader: &mut [usize], mut v: usize) -> usize {
        while leader[v] != v {
            leader[v] = leader[leader[v]];
            v = leader[v];
        }
        v
    }
    for t in faces {
        for i in 1..3 {
            let (a, b) = (find(&mut leader, t[0] as usize), find(&mut leader, t[i] as usize));
            leader[a] = b;
        }
    }
    let mut sets: BTreeMap<usize, Vec<[u32; 3]>> = BTreeMap::new();
    for t in faces {
        sets.entry(find(&mut leader, t[0] as usize)).or_default().push(*t);
    }
    sets.into_values().collect()
}

fn signed_volume(at: &[Vec3], faces: &[[u32; 3]]) -> f64 {
    let volume = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| at[v as usize].as_dvec3());
        a.dot(b.cross(c)) / 6.0
    };
    faces.iter().map(volume).sum()
}

fn duplicated_faces(faces: &[[u32; 3]]) -> usize {
    let mut seen = BTreeSet::new();
    let sorted = |t: &[u32; 3]| {
        let mut t = *t;
        t.sort_unstable();
        t
    };
    faces.iter().filter(|t| !seen.insert(sorted(t))).count()
}

fn open_edges(faces: &[[u32; 3]]) -> usize {
    let edges = directed_edges(faces);
    edges
        .keys()
        .filter(|&&(a, b)| !edges.contains_key(&(b, a)))
        .count()
}

fn degenerate_faces(at: &[Vec3], faces: &[[u32; 3]]) -> usize {
    let flat = |t: &&[u32; 3]| {
        let [a, b, c] = t.map(|v| at[v as usize].as_dvec3());
        let longest = a.distance(b).max(b.distance(c)).max(c.distance(a));
        (b - a).cross(c - a).length() < 1e-3 * longest * longest
    };
    faces.iter().filter(flat).count()
}

/// Whether an edge passes through a triangle, not counting touches at the rim.
fn pierces(p: DVec3, q: DVec3, [a, b, c]: [DVec3; 3]) -> bool {
    let (d, e1, e2) = (q - p, b - a, c - a);
    let h = d.cross(e2);
    let det = e1.dot(h);
    if det.abs() < 1e-18 {
        return false;
    }
    let s = p - a;
    let u = s.dot(h) / det;
    let v = d.dot(s.cross(e1)) / det;
    let t = e2.dot(s.cross(e1)) / det;
    let e = 1e-7;
    u > e && v > e && u + v < 1.0 - e && t > e && t < 1.0 - e
}

/// Where pairs of faces without a common vertex pass through each other.
fn self_intersections(at: &[Vec3], faces: &[[u32; 3]]) -> Vec<Vec3> {
    let corners = |t: &[u32; 3]| t.map(|v| at[v as usize].as_dvec3());
    let cell = 1.5
        * faces
            .iter()
            .map(|t| corners(t)[0].distance(corners(t)[1]))
            .fold(0.0, f64::max);
    let mut grid: BTreeMap<[i32; 3], Vec<usize>> = BTreeMap::new();
    let key = |p: DVec3| (p / cell).floor().as_ivec3();
    for (index, t) in faces.iter().enumerate() {
        let c = corners(t);
        let (lo, hi) = (key(c[0].min(c[1]).min(c[2])), key(c[0].max(c[1]).max(c[2])));
        for x in lo.x..=hi.x {
            for y in lo.y..=hi.y {
                for z in lo.z..=hi.z {
                    grid.entry([x, y, z]).or_default().push(index);
                }
            }
        }
    }
    let mut found = BTreeSet::new();
    for near in grid.values() {
        for (i, &f) in near.iter().enumerate() {
            let a = corners(&faces[f]);
            let (alo, ahi) = (a[0].min(a[1]).min(a[2]), a[0].max(a[1]).max(a[2]));
            for &g in &near[..i] {
                let b = corners(&faces[g]);
                let apart =
                    b[0].max(b[1]).max(b[2]).cmplt(alo).any() || b[0].min(b[1]).min(b[2]).cmpgt(ahi).any();
                if apart || faces[f].iter().any(|v| faces[g].contains(v)) {
                    continue;
                }
                let crosses =
                    (0..3).any(|i| pierces(a[i], a[(i + 1) % 3], b) || pierces(b[i], b[(i + 1) % 3], a));
                if crosses {
                    found.insert((g, f));
                }
            }
        }
    }
    found.iter().map(|&(g, _)| at[faces[g][0] as usize]).collect()
}

/// The generalised winding number by its definition.
fn winding_number(at: &[Vec3], faces: &[[u32; 3]], p: DVec3) -> f64 {
    let solid_angle = |t: &[u32; 3]| {
        let [a, b, c] = t.map(|v| at[v as usize].as_dvec3() - p);
        let (la, lb, lc) = (a.length(), b.length(), c.length());
        let below = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
        2.0 * a.dot(b.cross(c)).atan2(below)
    };
    faces.iter().map(solid_angle).sum::<f64>() / (4.0 * std::f64::consts::PI)
}

/// Everything that a clean sample promises of its surface.
fn assert_clean(spec: &str, mesh: &Mesh) {
    let (at, faces) = welded(mesh);
    assert_eq!(at.len(), mesh.positions.len(), "{spec}: no weld");
    let edges = directed_edges(&faces);
    assert!(
        edges.values().all(|&n| n == 1),
        "{spec}: an edge is used twice in one direction"
    );
    assert_eq!(open_edges(&faces), 0, "{spec}: open edges");
    assert_eq!(components(at.len(), &faces).len(), 1, "{spec}: components");
    // With every edge used once each way, this makes it a sphere, so no vertex is pinched.
    assert_eq!(
        at.len() + faces.len(),
        edges.len() / 2 + 2,
        "{spec}: Euler characteristic"
    );
    assert!(signed_volume(&at, &faces) > 0.0, "{spec}: inside out");
    assert_eq!(degenerate_faces(&at, &faces), 0, "{spec}: degenerate faces");
    assert_eq!(duplicated_faces(&faces), 0, "{spec}: duplicated faces");
    let crossings = self_intersections(&at, &faces);
    assert!(
        crossings.is_empty(),
        "{spec}: {} self-intersections, at {:?}",
        crossings.len(),
        &crossings[..crossings.len().min(8)]
    );
}

#[test]
fn every_sample_is_valid_and_moves() {
    for info in names() {
        let c = default_size(info.name);
        let name = info.name;
        assert_eq!(c.mesh.check(), Ok(()), "{name}");
        assert_eq!(c.skeleton.check(), Ok(()), "{name}");
        assert!(c.weights.is_none());
        let normals = c.mesh.normals.as_ref().unwrap();
        assert!(normals.iter().all(|n| (n.length() - 1.0).abs() < 1e-4), "{name}");
        assert!(
            c.skeleton.joints.iter().filter(|j| j.parent.is_none()).count() == 1,
            "{name}: one root"
        );
        assert!(c.skeleton.duplicate_names().is_empty(), "{name}");
        assert!(c.clips.len() >= 2, "{name}");
        for clip in &c.clips {
            assert!(!clip.tracks.is_empty(), "{name} {}", clip.name);
            for track in &clip.tracks {
                assert_eq!(track.check(), Ok(()), "{name} {}", clip.name);
                let first = track.values[..track.channel.width()].to_vec();
                let last = track.values[track.values.len() - track.channel.width()..].to_vec();
                let gap = first
                    .iter()
                    .zip(&last)
                    .map(|(a, b)| (a - b).abs())
                    .fold(0.0, f32::max);
                assert!(gap < 1e-5, "{name} {} does not loop", clip.name);
            }
            let twice = clip.tracks.iter().enumerate().any(|(i, t)| {
                clip.tracks[..i]
                    .iter()
                    .any(|o| o.joint == t.joint && o.channel == t.channel)
            });
            assert!(!twice, "{name} {}: a channel is driven twice", clip.name);
            assert!(clip.tracks.iter().any(|t| t.channel == Channel::Rotation));
        }
    }
}

#[test]
fn rest_is_bind_and_turned_joints_keep_their_place() {
    for info in names() {
        let c = make(&format!("{}@{}", info.name, info.fewest)).unwrap();
        let world = crate::character::Pose::rest(&c.skeleton).world_from_joints(&c.skeleton);
        for (w, j) in world.iter().zip(&c.skeleton.joints) {
            assert!(w.abs_diff_eq(j.bind_from_joint, 1e-9), "{} {}", info.name, j.name);
        }
    }
}

#[test]
fn clean_samples_are_one_closed_surface() {
    for (name, ..) in clean() {
        assert_clean(name, &default_size(name).mesh);
    }
}

#[test]
fn clean_samples_stay_clean_at_other_sizes() {
    for spec in ["athlete@3000", "apose@5000", "hand@1500", "hound@2500", "tube@60"] {
        assert_clean(spec, &make(spec).unwrap().mesh);
    }
}

#[test]
fn the_checks_notice_defects() {
    let mesh = make("tube@100").unwrap().mesh;
    let (mut at, mut faces) = welded(&mesh);
    let first = faces[0];
    faces.push(first);
    assert_eq!(duplicated_faces(&faces), 1);
    faces.truncate(faces.len() - 2);
    assert_eq!(open_edges(&faces), 3);
    let far = (0..at.len())
        .max_by(|&a, &b| at[a].y.total_cmp(&at[b].y))
        .unwrap();
    at[far] = Vec3::new(0.3, 0.1, 0.02);
    assert!(!self_intersections(&at, &faces).is_empty());
}

#[test]
fn symmetric_samples_equal_their_mirror_image() {
    for (name, _, symmetric) in clean() {
        if !symmetric {
            continue;
        }
        let c = default_size(name);
        let key = |p: Vec3| (p / 1e-5).round().to_array().map(|x| x as i64);
        let all: BTreeSet<[i64; 3]> = c.mesh.positions.iter().map(|&p| key(p)).collect();
        let near = |k: [i64; 3]| {
            (-1..=1)
                .any(|x| (-1..=1).any(|y| (-1..=1).any(|z| all.contains(&[k[0] + x, k[1] + y, k[2] + z]))))
        };
        for &p in &c.mesh.positions {
            assert!(
                near(key(p * Vec3::new(-1.0, 1.0, 1.0))),
                "{name}: {p} has no mirror image"
            );
        }
        for j in &c.skeleton.joints {
            if let Some(rest) = j.name.strip_prefix("left_") {
                let other = c.skeleton.find(&format!("right_{rest}")).unwrap();
                let at = j.bind_from_joint.translation;
                assert_eq!(c.skeleton.bind_position(other), at * DVec3::new(-1.0, 1.0, 1.0));
            }
        }
    }
}

#[test]
fn joints_lie_inside_the_body() {
    for (name, solid, _) in clean() {
        let Some(solid) = solid else { continue };
        let c = default_size(name);
        let (at, faces) = welded(&c.mesh);
        for j in &c.skeleton.joints {
            let p = j.bind_from_joint.translation;
            assert!(
                solid.value(p) < -0.002,
                "{name}: {} is at {}",
                j.name,
                solid.value(p)
            );
            let winding = winding_number(&at, &faces, p);
            assert!((winding - 1.0).abs() < 1e-3, "{name}: {} winds {winding}", j.name);
        }
    }
}

#[test]
fn vertices_lie_on_the_field() {
    for (name, solid, _) in clean() {
        let Some(solid) = solid else { continue };
        let mesh = &default_size(name).mesh;
        let off: Vec<f64> = mesh
            .positions
            .iter()
            .map(|p| solid.value(p.as_dvec3()).abs())
            .collect();
        // The worst are in creases, where the field has no one gradient to follow.
        let worst = off.iter().copied().fold(0.0, f64::max);
        let mean = off.iter().sum::<f64>() / off.len() as f64;
        assert!(
            worst < 3e-3 && mean < 5e-5,
            "{name}: {mean} m off, at worst {worst}"
        );
    }
}

#[test]
fn arms_of_the_apose_keep_clear_of_the_body() {
    // Between hand and thigh, and between upper arm and ribs, there is air.
    let solid = athlete::apose_figure().solid();
    let c = default_size("apose");
    let position = |name: &str| c.skeleton.bind_position(c.skeleton.find(name).unwrap());
    for (from, to) in [("left_hand", "left_upper_leg"), ("left_lower_arm", "spine")] {
        let (a, b) = (position(from), position(to));
        let outside = (0..=200).any(|i| solid.value(a.lerp(b, f64::from(i) / 200.0)) > 0.004);
        assert!(outside, "no gap from {from} to {to}");
    }
}

#[test]
fn the_knight_has_the_defects_it_promises() {
    let c = default_size("knight");
    let (at, faces) = welded(&c.mesh);
    assert!(at.len() < c.mesh.positions.len(), "vertices are split at seams");
    assert_eq!(duplicated_faces(&faces), 1);
    assert_eq!(degenerate_faces(&at, &faces), 0);
    let mut inside_out = Vec::new();
    let mut open = BTreeSet::new();
    let mut per_part: Vec<(String, Mesh)> = Vec::new();
    for part in &c.mesh.parts {
        // Skin and gambeson are one shell that was split between two materials.
        let name = if part.name == "gambeson" {
            "body"
        } else {
            &part.name
        };
        let triangles = &c.mesh.triangles[part.triangles.clone()];
        match per_part.iter_mut().find(|p| p.0 == name) {
            Some(found) => found.1.triangles.extend_from_slice(triangles),
            None => per_part.push((
                name.to_owned(),
                Mesh::single_part(name, c.mesh.positions.clone(), triangles.to_vec()),
            )),
        }
    }
    for (name, mesh) in &per_part {
        let (at, faces) = welded(mesh);
        for shell in components(at.len(), &faces) {
            if open_edges(&shell) > 0 {
                open.insert(name.clone());
            } else if signed_volume(&at, &shell) < 0.0 {
                inside_out.push(name.clone());
            }
        }
        let uses = directed_edges(&faces);
        let doubled = uses.values().filter(|&&n| n > 1).count();
        assert_eq!(
            doubled,
            if name == "body" { 3 } else { 0 },
            "{name}: edges used twice"
        );
    }
    assert_eq!(inside_out, ["pouch"]);
    assert_eq!(open.into_iter().collect::<Vec<_>>(), ["cape", "hair"]);
    assert!(c.skeleton.find("root").is_some() && c.skeleton.find("head_end").is_some());
    assert!((25..=55).contains(&c.skeleton.joints.len()));
}

#[test]
fn the_skirt_is_one_open_sheet() {
    let c = default_size("skirt");
    let (at, faces) = welded(&c.mesh);
    let shells = components(at.len(), &faces);
    assert_eq!(shells.len(), 3, "body with bodice, hair, skirt");
    let open = shells.iter().filter(|s| open_edges(s) > 0).count();
    assert_eq!(open, 1);
    let sheet = c.mesh.parts.iter().find(|p| p.name == "skirt").unwrap();
    assert!(open_edges(&c.mesh.triangles[sheet.triangles.clone()]) > 0);
    let chains = c
        .skeleton
        .joints
        .iter()
        .filter(|j| j.name.starts_with("skirt_"))
        .count();
    assert_eq!(chains, skirt::CHAINS * 4);
}

#[test]
fn the_coat_is_one_open_sheet_around_the_body() {
    let c = default_size("coat");
    let (at, faces) = welded(&c.mesh);
    assert_eq!(degenerate_faces(&at, &faces), 0);
    let shells = components(at.len(), &faces);
    assert_eq!(shells.len(), 3, "body with its clothes, hair, coat");
    assert_eq!(shells.iter().filter(|s| open_edges(s) > 0).count(), 1);
    let part = c.mesh.parts.iter().find(|p| p.name == "coat").unwrap();
    let body = coat::figure().solid();
    let nearest = (c.mesh.positions[part.vertices.clone()].iter())
        .map(|p| body.value(p.as_dvec3()))
        .fold(f64::INFINITY, f64::min);
    assert!(nearest > 0.008, "the coat comes within {nearest} m of the body");
    let tails = c.skeleton.joints.iter().filter(|j| j.name.contains("_coat_"));
    assert_eq!(tails.count(), 18);
}

#[test]
fn the_tube_is_exact() {
    let c = default_size("tube");
    let (rings, around) = tube::divisions(1000);
    assert_eq!(c.mesh.positions.len(), rings * around + 2);
    for r in 0..rings {
        for s in 0..around {
            let p = c.mesh.positions[r * around + s].as_dvec3();
            assert!((p.x.hypot(p.z) - tube::RADIUS).abs() < 1e-7);
            assert!((p.y - r as f64 / (rings - 1) as f64).abs() < 1e-7);
        }
    }
    // A prism over a regular polygon.
    let (at, faces) = welded(&c.mesh);
    let turn = std::f64::consts::TAU / around as f64;
    let base = 0.5 * around as f64 * tube::RADIUS * tube::RADIUS * turn.sin();
    assert!((signed_volume(&at, &faces) - base).abs() < 1e-6);
    assert!(
        c.mesh.positions.iter().any(|p| p.y == 0.5),
        "a ring lies at the middle joint"
    );
    let positions: Vec<f64> = c
        .skeleton
        .joints
        .iter()
        .map(|j| j.bind_from_joint.translation.y)
        .collect();
    assert_eq!(positions, [0.0, 0.5, 1.0]);
}

#[test]
fn the_same_spec_gives_the_same_bytes_at_any_thread_count() {
    for spec in ["knight@3000", "hand@1200", "coat@1500"] {
        let threads = |n| rayon::ThreadPoolBuilder::new().num_threads(n).build().unwrap();
        let one = threads(1).install(|| make(spec)).unwrap();
        let three = threads(3).install(|| make(spec)).unwrap();
        assert_eq!(one.mesh, three.mesh, "{spec}");
        assert_eq!(one.skeleton, three.skeleton, "{spec}");
        assert_eq!(one.clips, three.clips, "{spec}");
    }
}

#[test]
fn the_count_of_vertices_is_about_what_was_asked_for() {
    for info in names() {
        for wanted in [info.vertices, info.fewest, info.vertices * 3 / 2] {
            let found = if wanted == info.vertices {
                default_size(info.name).mesh.positions.len()
            } else {
                make(&format!("{}@{wanted}", info.name))
                    .unwrap()
                    .mesh
                    .positions
                    .len()
            };
            let off = (found as f64 / wanted as f64 - 1.0).abs();
            assert!(off <= 0.15, "{}@{wanted} has {found}", info.name);
        }
    }
}

#[test]
fn bad_specs_are_explained() {
    let unknown = make("dragon").unwrap_err();
    assert!(matches!(unknown, SampleError::UnknownName { .. }));
    assert!(names().iter().all(|s| unknown.to_string().contains(s.name)));
    assert!(matches!(make("knight@many"), Err(SampleError::NotANumber { .. })));
    assert!(matches!(make("knight@-5"), Err(SampleError::NotANumber { .. })));
    assert!(matches!(
        make("knight@10"),
        Err(SampleError::CountOutOfRange { count: 10, .. })
    ));
    assert!(matches!(
        make("tube@9999999"),
        Err(SampleError::CountOutOfRange { .. })
    ));
}
