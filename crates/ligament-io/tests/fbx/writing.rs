//! What we wrote reads back the same, and broken copies of it do no harm.

use glam::{DVec3, Vec2, Vec3};
use ligament::character::{
    Alpha, BlendShape, Channel, Influence, Interpolation, PartAttachment, ShapeMotion, Texture, Wrap,
};
use ligament::deform::{DeformMethod, deform};
use ligament::{Character, Clip, JointIndex, Pose};
use ligament_io::fbx;
use ligament_io::gltf::GltfFile;
use ligament_testkit::{corpus, corpus_characters};

use crate::samples::{PNG, bound};

/// The order of vertices in the file: by mesh, where parts that share vertices are one.
pub fn file_order(character: &Character) -> Vec<usize> {
    let mut seen = Vec::new();
    let mut order = Vec::new();
    for part in &character.mesh.parts {
        if !seen.contains(&part.vertices) {
            seen.push(part.vertices.clone());
            order.extend(part.vertices.clone());
        }
    }
    order
}

/// Where a clip begins to move; readers count from there.
pub fn start(clip: &Clip) -> f32 {
    let moves = |t: &&ligament::character::Track| {
        let width = t.values.len() / t.times.len();
        t.values.chunks(width).any(|v| v != &t.values[..width])
    };
    let firsts = clip.tracks.iter().filter(moves).map(|t| t.times[0]);
    firsts.reduce(f32::min).unwrap_or(0.0)
}

/// A few moments of a few clips: clip and seconds after its start.
pub fn moments(character: &Character) -> Vec<(usize, f32)> {
    let clips = character.clips.len();
    let times = |clip: usize| {
        let (from, to) = (start(&character.clips[clip]), character.clips[clip].span_secs().1);
        [0.0, 0.37, 0.81].map(|share| (clip, share * (to - from)))
    };
    (0..clips)
        .step_by(clips.div_ceil(4).max(1))
        .flat_map(times)
        .collect()
}

/// Where our own code puts the skin.
pub fn posed(character: &Character, clip: usize, seconds: f32) -> Vec<Vec3> {
    let clip = &character.clips[clip];
    let pose = clip.pose_at(&character.skeleton, start(clip) + seconds);
    posed_by(character, &pose)
}

fn posed_by(character: &Character, pose: &Pose) -> Vec<Vec3> {
    let weights = character.weights.as_ref().unwrap();
    deform(character, weights, pose, DeformMethod::LinearBlend)
        .unwrap()
        .positions
}

fn in_skin(c: &Character) -> Vec<JointIndex> {
    let in_skin = |j: &JointIndex| c.skeleton.joint(*j).in_skin;
    c.skeleton.indices().filter(in_skin).collect()
}

/// Everything that the writer promises to keep.
pub fn assert_same(a: &Character, b: &Character) {
    let name = &a.name;
    b.mesh.check().unwrap();
    b.skeleton.check().unwrap();
    let order = file_order(a);
    let size = a.mesh.diagonal();
    assert_eq!(order.len(), b.mesh.positions.len(), "{name}: vertices");
    for (at, &v) in order.iter().enumerate() {
        let apart = a.mesh.positions[v].distance(b.mesh.positions[at]);
        assert!(apart <= 1e-6 * size, "{name}: vertex {v} is {apart} off");
        // Where edges are hard, a vertex has the mean of its corners, which are compared below.
        let is_smooth = a.mesh.corner_normals.is_none();
        if let (Some(p), Some(q), true) = (&a.mesh.normals, &b.mesh.normals, is_smooth) {
            assert!(
                p[v].normalize_or(Vec3::Y).dot(q[at]) > 0.9999,
                "{name}: normal {v}"
            );
        }
        if let (Some(p), Some(q)) = (&a.mesh.colors, &b.mesh.colors) {
            assert_eq!(p[v], q[at], "{name}: colour {v}");
        }
    }
    assert_eq!(a.mesh.colors.is_some(), b.mesh.colors.is_some());
    assert_eq!(a.mesh.corner_uvs.is_some(), b.mesh.corner_uvs.is_some());
    assert_eq!(a.mesh.corner_normals.is_some(), b.mesh.corner_normals.is_some());
    assert_eq!(a.mesh.parts.len(), b.mesh.parts.len(), "{name}: parts");
    for (p, q) in a.mesh.parts.iter().zip(&b.mesh.parts) {
        assert_eq!(p.material.texture.is_some(), q.material.texture.is_some());
        if let (Some(t), Some(u)) = (&p.material.texture, &q.material.texture) {
            assert_eq!(t.bytes, u.bytes, "{name}: the picture of {}", p.name);
        } else {
            let pairs = p.material.base_color.iter().zip(q.material.base_color);
            let apart = pairs.map(|(x, y)| (x - y).abs()).fold(0.0, f32::max);
            assert!(apart < 1e-6, "{name}: {:?} {:?}", p.material, q.material);
        }
        assert_eq!(
            p.triangles.len(),
            q.triangles.len(),
            "{name}: faces of {}",
            p.name
        );
        for (t, u) in p.triangles.clone().zip(q.triangles.clone()) {
            let here = |c: &Character, t: usize| c.mesh.triangles[t].map(|v| c.mesh.positions[v as usize]);
            let apart = |(x, y): (Vec3, Vec3)| x.distance(y);
            let (x, y) = (here(a, t), here(b, u));
            let worst = x.into_iter().zip(y).map(apart).fold(0.0, f32::max);
            assert!(worst <= 1e-6 * size, "{name}: face {t} of {}", p.name);
            if let (Some(x), Some(y)) = (&a.mesh.corner_uvs, &b.mesh.corner_uvs) {
                assert_eq!(x[t], y[u], "{name}: coordinates of face {t}");
            }
            if let (Some(x), Some(y)) = (&a.mesh.corner_normals, &b.mesh.corner_normals) {
                let pairs = x[t].iter().zip(&y[u]);
                assert!(
                    pairs.into_iter().all(|(p, q)| p.dot(*q) > 0.9998),
                    "{name}: normals of face {t}"
                );
            }
        }
        match (p.attachment, q.attachment) {
            (PartAttachment::Skin, PartAttachment::Skin) => {}
            (PartAttachment::Rigid(j), PartAttachment::Rigid(k)) => {
                let holder = |c: &Character, j: JointIndex| {
                    let skin = Some(j).filter(|j| c.skeleton.joint(*j).in_skin);
                    let skin = skin.or(c.skeleton.skin_parent(j));
                    skin.map(|j| c.skeleton.joint(j).name.clone())
                };
                assert_eq!(holder(a, j), holder(b, k), "{name}: what carries {}", p.name);
            }
            other => panic!("{name}: {} hangs as {other:?}", p.name),
        }
    }
    let (ours, theirs) = (in_skin(a), in_skin(b));
    assert_eq!(ours.len(), theirs.len(), "{name}: joints");
    let same = |j: JointIndex| {
        let found = theirs.iter().find(|k| {
            let same_parent = |j: Option<JointIndex>, k: Option<JointIndex>| match (j, k) {
                (Some(j), Some(k)) => a.skeleton.joint(j).name == b.skeleton.joint(k).name,
                (j, k) => j.is_none() && k.is_none(),
            };
            a.skeleton.joint(j).name == b.skeleton.joint(**k).name
                && same_parent(a.skeleton.skin_parent(j), b.skeleton.skin_parent(**k))
                && a.skeleton
                    .bind_position(j)
                    .distance(b.skeleton.bind_position(**k))
                    < 1e-6 * f64::from(size)
        });
        *found.unwrap_or_else(|| panic!("{name}: joint {} is lost or elsewhere", a.skeleton.joint(j).name))
    };
    let of: Vec<JointIndex> = ours.iter().map(|&j| same(j)).collect();
    if let (Some(w), Some(x)) = (&a.weights, &b.weights) {
        for (at, &v) in order.iter().enumerate() {
            if a.mesh.part_of_vertex(v).unwrap().attachment != PartAttachment::Skin {
                continue;
            }
            let list: &[Influence] = w.of_vertex(v);
            assert_eq!(list.len(), x.of_vertex(at).len(), "{name}: vertex {v}");
            for i in list {
                let place = ours.iter().position(|j| *j == i.joint).unwrap();
                let apart = (x.weight(at, of[place]) - i.weight).abs();
                assert!(apart < 1e-6, "{name}: vertex {v} is {apart} off");
            }
        }
    }
    assert_eq!(a.weights.is_some(), b.weights.is_some());
    let named = |c: &Character| -> Vec<String> { c.clips.iter().map(|c| c.name.clone()).collect() };
    assert_eq!(named(a), named(b), "{name}: clips");
    if a.weights.is_none() {
        return;
    }
    let far = |p: &[Vec3], q: &[Vec3]| {
        let pairs = order.iter().enumerate();
        pairs.map(|(at, &v)| p[v].distance(q[at])).fold(0.0, f32::max)
    };
    let rest = far(
        &posed_by(a, &Pose::rest(&a.skeleton)),
        &posed_by(b, &Pose::rest(&b.skeleton)),
    );
    assert!(rest < 1e-5 * size, "{name}: at rest {rest} off");
    for (clip, seconds) in moments(a) {
        let worst = far(&posed(a, clip, seconds), &posed(b, clip, seconds));
        assert!(
            worst < 1e-4 * size,
            "{name}: clip {} at {seconds} s is {worst} off, of {size}",
            a.clips[clip].name
        );
    }
}

fn through(c: &Character) -> Character {
    let bytes = fbx::write(c).unwrap();
    assert_eq!(bytes, fbx::write(c).unwrap(), "the same bytes");
    let read = fbx::read(&bytes, &c.name).unwrap();
    let others: Vec<_> = read.warnings.iter().filter(|w| w.code != "rigid_part").collect();
    assert!(others.is_empty(), "{}: {others:?}", c.name);
    read.character
}

#[test]
fn samples_read_back_the_same() {
    for sample in ligament::sample::names() {
        let character = bound(&format!("{}@{}", sample.name, sample.fewest.max(400)));
        let back = through(&character);
        assert_same(&character, &back);
        if sample.name != "knight" {
            continue;
        }
        // And once more: nothing grows, nothing drifts.
        let again = through(&back);
        assert_same(&back, &again);
        assert_eq!(
            back.skeleton.joints.len(),
            again.skeleton.joints.len(),
            "{}",
            sample.name
        );
    }
}

/// A few real characters, each with two of its clips.
pub fn real_characters() -> Vec<Character> {
    let names = [
        "cesium_man",
        "kaykit_knight",
        "m2m_spider",
        "robot_expressive",
        "quaternius_stag",
    ];
    corpus_characters()
        .into_iter()
        .filter(|p| p.file_stem().is_some_and(|s| names.iter().any(|n| s == *n)))
        .map(|path| {
            let mut character = GltfFile::open(&path).unwrap().character().as_ref().clone();
            character.clips.retain(|c| !c.tracks.is_empty());
            character.clips.truncate(2);
            character
        })
        .collect()
}

#[test]
fn real_characters_read_back_the_same() {
    for character in real_characters() {
        let back = through(&character);
        assert_same(&character, &back);
    }
}

#[test]
fn real_fbx_files_read_back_the_same() {
    let Some(corpus) = corpus() else { return };
    for name in [
        "rocketbox_dog_germanshepard_01",
        "rocketbox_male_adult_01",
        "rocketbox_m_walk_neutral",
        "seed_san",
    ] {
        let before = fbx::open(&corpus.join(format!("open/fbx/{name}.fbx"))).unwrap();
        let before = before.character;
        let after = fbx::read(&fbx::write(&before).unwrap(), name).unwrap().character;
        if before.mesh.positions.is_empty() {
            assert_eq!(in_skin(&before).len(), in_skin(&after).len(), "{name}");
            let (from, to) = before.clips[0].span_secs();
            assert!(
                (after.clips[0].span_secs().1 - (to - from)).abs() < 1e-4,
                "{name}"
            );
        } else {
            assert_same(&before, &after);
        }
    }
}

/// A tube with colours, a picture and a joint that is scaled at rest.
pub fn dressed() -> Character {
    let mut tube = bound("tube@400");
    let mesh = &mut tube.mesh;
    let uv = |p: Vec3| Vec2::new(0.5 + 0.3 * p.x + 0.1 * p.z, 0.2 + 0.25 * p.y);
    let corners = |t: &[u32; 3]| t.map(|v| uv(mesh.positions[v as usize]));
    mesh.corner_uvs = Some(mesh.triangles.iter().map(corners).collect());
    mesh.colors = Some(
        mesh.positions
            .iter()
            .map(|p| [0.5, p.y.fract().abs(), 0.25, 1.0])
            .collect(),
    );
    mesh.parts[0].material.name = "Painted".to_owned();
    mesh.parts[0].material.texture = Some(Texture::new("white", PNG));
    mesh.blend_shapes = vec![BlendShape {
        name: "swell".to_owned(),
        part_vertices: mesh.parts[0].vertices.clone(),
        weight: 0.0,
        vertices: vec![1, 3, 7],
        offsets: vec![Vec3::X, Vec3::Y, Vec3::Z],
        normal_offsets: None,
        motions: vec![ShapeMotion {
            clip: "swelling".to_owned(),
            interpolation: Interpolation::Linear,
            times: vec![0.0, 0.5, 1.0],
            values: vec![0.0, 1.0, 0.25],
        }],
    }];
    tube
}

#[test]
fn pictures_colours_and_see_through_materials_are_kept() {
    let mut tube = dressed();
    assert_same(&tube, &through(&tube));
    tube.mesh.parts[0].material.texture = None;
    tube.mesh.parts[0].material.base_color = [0.25, 0.5, 0.75, 0.375];
    assert_same(&tube, &through(&tube));
}

#[test]
fn an_even_scale_of_joints_goes_into_their_frames() {
    let mut tube = bound("tube@400");
    // As if the whole rig hung on a node of scale 0.01.
    let skeleton = &mut tube.skeleton;
    for joint in skeleton.joints.iter_mut() {
        joint.bind_from_joint *= glam::DAffine3::from_scale(DVec3::splat(0.01));
        match joint.parent {
            None => joint.rest.scale *= 0.01,
            Some(_) => joint.rest.translation *= 100.0,
        }
    }
    for track in tube.clips.iter_mut().flat_map(|c| &mut c.tracks) {
        let is_root = skeleton.joint(track.joint).parent.is_none();
        let factor = match track.channel {
            Channel::Scale if is_root => 0.01,
            Channel::Translation if !is_root => 100.0,
            _ => continue,
        };
        track.values.iter_mut().for_each(|v| *v *= factor);
    }
    let back = through(&tube);
    assert_same(&tube, &back);
    for joint in back.skeleton.joints.iter().filter(|j| j.in_skin) {
        assert!((joint.rest.scale - DVec3::ONE).length() < 1e-9, "{joint:?}");
    }
}

#[test]
fn skeletons_and_motion_need_no_mesh() {
    let tube = bound("tube@400");
    let motion = Character {
        mesh: ligament::Mesh::default(),
        weights: None,
        ..tube.clone()
    };
    let back = through(&motion);
    assert_eq!(back.clips.len(), motion.clips.len());
    assert_eq!(in_skin(&back).len(), in_skin(&motion).len());
    assert!(!motion.clips.is_empty() && back.mesh.positions.is_empty());
}

#[test]
fn what_cannot_be_written_is_refused() {
    let mut tube = bound("tube@400");
    tube.skeleton.joints[1].rest.translation.x = f64::NAN;
    assert!(matches!(
        fbx::write(&tube),
        Err(fbx::WriteError::BadJoint { joint: 1, .. })
    ));
    let mut tube = bound("tube@400");
    tube.mesh.triangles[0][1] = u32::MAX;
    assert!(matches!(fbx::write(&tube), Err(fbx::WriteError::Mesh(_))));
}

#[test]
fn how_a_picture_is_laid_on_goes_into_the_coordinates() {
    let mut tube = dressed();
    let material = &mut tube.mesh.parts[0].material;
    material.alpha = Alpha::Blend;
    let texture = material.texture.as_mut().unwrap();
    texture.wrap = [Wrap::Clamp, Wrap::Repeat];
    texture.transform.offset = Vec2::new(0.25, 0.5);
    texture.transform.scale = Vec2::new(2.0, -1.0);
    let (wrap, transform) = (texture.wrap, texture.transform);
    let back = through(&tube);
    let read = back.mesh.parts[0].material.clone();
    assert_eq!(read.alpha, Alpha::Blend);
    let texture = read.texture.unwrap();
    assert_eq!((texture.wrap, &*texture.bytes), (wrap, PNG));
    let uvs = |c: &Character| c.mesh.corner_uvs.clone().unwrap().into_iter().flatten();
    for (before, after) in uvs(&tube).zip(uvs(&back)) {
        assert!(texture.transform.apply(after).distance(transform.apply(before)) < 1e-5);
    }
}
