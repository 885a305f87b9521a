//! Skeletons for meshes that have none, measured against what artists made.

use std::path::PathBuf;

use glam::DVec3;
use ligament::bind::DeformChoice;
use ligament::character::PartAttachment;
use ligament::geometry::WeldedMesh;
use ligament::rig::{ExtractOptions, Extracted, extract};
use ligament::solid::{Grid, Solid, SolidOptions};
use ligament::task::Task;
use ligament::{Character, Skeleton, Weights};
use ligament_io::gltf::GltfFile;
use ligament_io::open::{Opened, open, open_skeleton};
use ligament_testkit::corpus;

pub(crate) fn rig(input: &str, extra: &[&str]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("rigged.glb");
    let mut args = vec!["rig", input, "-o", output.to_str().unwrap(), "--quiet"];
    args.extend(extra);
    let result = crate::run(&args);
    assert!(
        result.status.success(),
        "{input}: {}",
        String::from_utf8_lossy(&result.stderr)
    );
    (folder, output)
}

#[test]
fn a_rigged_file_holds_one_skeleton_with_weights() {
    for input in ["sample:hound@2000", "sample:knight@3000"] {
        let (_folder, path) = rig(input, &[]);
        let file = GltfFile::open(&path).unwrap();
        let c = file.character();
        assert!(c.skeleton.find("hips").is_some());
        assert!(
            c.clips.is_empty(),
            "clips of the skeleton that was there are gone"
        );
        assert!(c.mesh.parts.iter().all(|p| p.attachment == PartAttachment::Skin));
        let weights = c.weights.as_ref().unwrap();
        for v in 0..c.mesh.positions.len() {
            let sum: f32 = weights.of_vertex(v).iter().map(|i| i.weight).sum();
            assert!((sum - 1.0).abs() < 1e-5);
        }
    }
}

#[test]
fn the_same_bytes_at_any_number_of_threads() {
    let (_a, one) = rig("sample:hound@2000", &["--threads", "1"]);
    let (_b, three) = rig("sample:hound@2000", &["--threads", "3"]);
    assert!(std::fs::read(one).unwrap() == std::fs::read(three).unwrap());
}

#[test]
fn bad_options_say_what_is_wanted() {
    for (args, said) in [
        (["--detail", "2"], "from 0 to 1"),
        (["--root", "1,2"], "three numbers"),
        (["--joints", "0"], "--joints"),
    ] {
        let result = crate::run(&["rig", "sample:tube", args[0], args[1]]);
        assert_eq!(result.status.code(), Some(2));
        let text = String::from_utf8_lossy(&result.stderr).into_owned();
        assert!(text.contains(said), "{text}");
    }
}

/// Every file of the corpus, with the artist's skeleton where there is one.
fn characters() -> Vec<(String, Character, Option<Skeleton>)> {
    let Some(corpus) = corpus() else { return Vec::new() };
    let mut files: Vec<PathBuf> = ["open", "meshes"]
        .iter()
        .flat_map(|folder| std::fs::read_dir(corpus.join(folder)).unwrap())
        .map(|entry| entry.unwrap().path())
        .filter(|p| {
            let ending = p.extension().unwrap_or_default().to_string_lossy().into_owned();
            ["glb", "vrm", "obj", "off", "mesh"].contains(&ending.as_str())
        })
        .collect();
    files.sort();
    let of = |path: &PathBuf| {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let character = match open(path).unwrap() {
            Opened::Gltf(file) => file.character().as_ref().clone(),
            Opened::Imported(imported) => imported.character,
        };
        let own = character.skeleton.joints.iter().any(|j| j.in_skin);
        let beside = match name.as_str() {
            "fps_armadillo_LR3" => Some("fps_armadillo.skel"),
            "fps_male" | "fps_male_LR20" => Some("fps_male.skel"),
            "libigl_armadillo" => Some("libigl_armadillo.skel"),
            "libigl_arm" => Some("libigl_arm.tgf"),
            "libigl_elephant" => Some("libigl_elephant.tgf"),
            "libigl_hand" => Some("libigl_hand.tgf"),
            "makehuman_base_with_helpers" => Some("makehuman_default.mhskel"),
            _ => None,
        };
        let skeleton = match beside {
            Some(file) => Some(
                open_skeleton(&corpus.join("meshes").join(file), &character.mesh)
                    .unwrap()
                    .skeleton,
            ),
            None => own.then(|| character.skeleton.clone()),
        };
        (name, character, skeleton)
    };
    files.iter().map(of).collect()
}

fn places(skeleton: &Skeleton) -> Vec<DVec3> {
    let joints = skeleton.joints.iter().filter(|j| j.in_skin);
    joints.map(|j| j.bind_from_joint.translation).collect()
}

fn ends(skeleton: &Skeleton) -> Vec<DVec3> {
    let children = skeleton.skin_children();
    skeleton
        .indices()
        .filter(|&j| skeleton.joint(j).in_skin && children[j.at()].is_empty())
        .map(|j| skeleton.bind_position(j))
        .collect()
}

/// The ends of an artist's limb chains: of at least two joints with weight in a row, so that
/// eyes, twist and control joints are none.
fn limb_ends(skeleton: &Skeleton, weights: Option<&Weights>) -> Vec<DVec3> {
    let used = match weights {
        Some(_) => DeformChoice::Used.resolve_stated(skeleton, weights).unwrap(),
        None => vec![true; skeleton.joints.len()],
    };
    let children: Vec<Vec<_>> = skeleton
        .skin_children()
        .into_iter()
        .map(|c| c.into_iter().filter(|j| used[j.at()]).collect())
        .collect();
    skeleton
        .indices()
        .filter(|&j| skeleton.joint(j).in_skin && used[j.at()] && children[j.at()].is_empty())
        .filter(|&j| {
            skeleton
                .skin_parent(j)
                .is_some_and(|p| children[p.at()].len() == 1)
        })
        .map(|j| skeleton.bind_position(j))
        .collect()
}

fn nearest(p: DVec3, others: &[DVec3]) -> f64 {
    others.iter().map(|q| q.distance(p)).fold(f64::INFINITY, f64::min)
}

fn mean_nearest(from: &[DVec3], to: &[DVec3]) -> f64 {
    from.iter().map(|&p| nearest(p, to)).sum::<f64>() / from.len() as f64
}

/// What takes no thought: as many means of the vertices (Lloyd's algorithm, started from
/// points far apart) as joints were extracted.
fn baseline(c: &Character, count: usize) -> Vec<DVec3> {
    let points: Vec<DVec3> = c.mesh.positions.iter().map(|p| p.as_dvec3()).collect();
    let mut means = vec![points[0]];
    let mut distance: Vec<f64> = points.iter().map(|p| p.distance(points[0])).collect();
    while means.len() < count {
        let far = (0..points.len())
            .max_by(|&a, &b| distance[a].total_cmp(&distance[b]))
            .unwrap();
        means.push(points[far]);
        for (d, p) in distance.iter_mut().zip(&points) {
            *d = d.min(p.distance(points[far]));
        }
    }
    for _ in 0..10 {
        let mut sums = vec![(DVec3::ZERO, 0.0); count];
        for &p in &points {
            let own = (0..count)
                .min_by(|&a, &b| {
                    p.distance_squared(means[a])
                        .total_cmp(&p.distance_squared(means[b]))
                })
                .unwrap();
            sums[own].0 += p;
            sums[own].1 += 1.0;
        }
        for (mean, (sum, count)) in means.iter_mut().zip(sums) {
            if count > 0.0 {
                *mean = sum / count;
            }
        }
    }
    means
}

/// The share of the length of the bones, bridges apart, that is in the solid.
fn share_inside(c: &Character, found: &Extracted) -> f64 {
    let task = Task::unattended();
    let surface = WeldedMesh::of(&c.mesh);
    let grid = Grid::in_pairs(&surface.points, 160);
    let solid = Solid::within(&surface, grid, &SolidOptions::default(), &task).unwrap();
    let (mut inside, mut all) = (0.0, 0.0);
    for j in found.skeleton.indices().filter(|j| !found.bridges.contains(j)) {
        let Some(parent) = found.skeleton.joint(j).parent else {
            continue;
        };
        let [a, b] = [parent, j].map(|j| found.skeleton.bind_position(j));
        let within = (0..=20).filter(|&k| solid.contains(a.lerp(b, f64::from(k) / 20.0)));
        inside += a.distance(b) * within.count() as f64 / 21.0;
        all += a.distance(b);
    }
    inside / all
}

/// Prints the table of `docs/lab/rig.md` (with `--nocapture`).
#[test]
#[allow(clippy::print_stdout, reason = "a table for a person")]
fn skeletons_of_real_characters_are_trees_inside_and_reach_the_limbs_ends() {
    let mut reached = (0, 0);
    let mut sums = [0.0; 4];
    let mut compared = 0.0;
    println!(
        "| file | body | joints | bones inside | artist's ends reached | to artist's joints | back | baseline to | back |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let (mut well_inside, mut files) = (0, 0);
    for (name, c, artist) in characters() {
        let found = extract(&c.mesh, &ExtractOptions::default(), &Task::unattended()).unwrap();
        found.skeleton.check().unwrap();
        let roots = found
            .skeleton
            .joints
            .iter()
            .filter(|j| j.parent.is_none())
            .count();
        assert_eq!(roots, 1, "{name}");
        let inside = share_inside(&c, &found);
        // Where locks of hair are open cards, whether a place is inside depends on the voxels.
        assert!(inside > 0.97, "{name}: {inside}");
        well_inside += usize::from(inside > 0.98);
        files += 1;
        let ours = places(&found.skeleton);
        let mut row = format!(
            "| {name} | {:?} | {} | {:.1} % |",
            found.plan,
            ours.len(),
            100.0 * inside
        );
        if let Some(artist) = artist {
            let diagonal = f64::from(c.mesh.diagonal());
            let our_ends = ends(&found.skeleton);
            let artist_ends = limb_ends(&artist, c.weights.as_ref());
            let near = artist_ends
                .iter()
                .filter(|&&e| nearest(e, &our_ends) < 0.1 * diagonal)
                .count();
            reached = (reached.0 + near, reached.1 + artist_ends.len());
            let theirs = places(&artist);
            let means = baseline(&c, ours.len());
            let figures = [
                mean_nearest(&theirs, &ours),
                mean_nearest(&ours, &theirs),
                mean_nearest(&theirs, &means),
                mean_nearest(&means, &theirs),
            ]
            .map(|d| 100.0 * d / diagonal);
            row.push_str(&format!(" {near} of {} |", artist_ends.len()));
            for (sum, figure) in sums.iter_mut().zip(figures) {
                *sum += figure;
                row.push_str(&format!(" {figure:.1} % |"));
            }
            compared += 1.0;
        }
        println!("{row}");
    }
    if reached.1 == 0 {
        return;
    }
    let [to, back, base_to, base_back] = sums.map(|s| s / compared);
    println!(
        "| mean | | | | {} of {} | {to:.1} % | {back:.1} % | {base_to:.1} % | {base_back:.1} % |",
        reached.0, reached.1
    );
    assert!(
        reached.0 as f64 >= 0.9 * reached.1 as f64,
        "{} of {} ends",
        reached.0,
        reached.1
    );
    assert!(back < base_back, "{back} for {base_back}");
    assert!(well_inside + 1 >= files, "{well_inside} of {files}");
}
