//! The studio in a real browser, on the real server: all that a person does, with pictures kept in `target/studio`.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use ligament_io::gltf::GltfFile;
use ligament_testkit::{chromium, playwright_tools, run as run_tool, target_dir};
use serde_json::Value;

use crate::validator::validate;
use crate::{bind, ligament, run};

/// A studio that runs; it is killed when the test is over.
struct Running {
    process: Child,
    link: String,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn start(input: &str, folder: &Path) -> Running {
    let mut process = ligament()
        .args(["studio", input, "--no-browser", "--quiet", "--exports"])
        .arg(folder)
        .arg("--kept")
        .arg(folder.join("kept"))
        .current_dir(folder)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut link = String::new();
    BufReader::new(process.stdout.take().unwrap())
        .read_line(&mut link)
        .unwrap();
    assert!(link.starts_with("http://127.0.0.1:"), "{link}");
    let link = link.trim().to_owned();
    Running { process, link }
}

fn pictures() -> PathBuf {
    let folder = target_dir().join("studio");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// What the browser saw.
fn seen(running: &Running, phase: &str, file: Option<&Path>) -> Value {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/studio.mjs");
    let output = run_tool(
        Command::new("node")
            .arg(script)
            .arg(playwright_tools())
            .arg(chromium())
            .arg(&running.link)
            .arg(pictures())
            .arg(phase)
            .args(file),
    );
    serde_json::from_str(output.lines().last().unwrap()).unwrap()
}

#[test]
fn a_whole_session_in_the_browser() {
    let folder = tempfile::tempdir().unwrap();
    let input = "sample:knight@6000";
    let mut running = start(input, folder.path());
    let seen_first = seen(&running, "work", None);
    let at = |key: &str| seen_first[key].clone();
    println!("{seen_first:#}");
    assert_eq!(
        at("said").as_array().unwrap().len(),
        0,
        "the console is silent: {}",
        at("said")
    );
    assert_eq!(
        at("elsewhere").as_array().unwrap().len(),
        0,
        "{}",
        at("elsewhere")
    );
    assert!(
        !at("address").as_str().unwrap().contains('#'),
        "the code does not stay in the address"
    );
    assert_eq!(at("title"), "knight@6000", "the title once it is drawn");
    assert!(
        at("colors").as_u64().unwrap() > 500,
        "a blank canvas: {}",
        at("colors")
    );

    // The falloff moved the skin while the clip went on, and was one step.
    assert_ne!(at("bound"), at("start"));
    assert_ne!(at("during"), at("bound"), "weights follow the slider");
    assert_eq!(at("stepsDuring"), 2, "a slide is no step until it is let go");
    assert!(at("framesDuring").as_u64().unwrap() >= 3 && at("stillPlaying") == true);
    assert!(!at("tried").as_array().unwrap().is_empty());
    for tried in at("tried").as_array().unwrap() {
        let (rows, bytes) = (tried["rows"].as_u64().unwrap(), tried["bytes"].as_u64().unwrap());
        assert!(bytes <= 20 + rows * (4 + 4 * 4), "{tried}");
    }

    assert_eq!(at("selected"), "left_lower_arm", "found by its name");
    assert!(at("sampled").is_string(), "S and a click take a joint");
    assert_eq!(at("gizmo"), true, "a ring was dragged");
    assert!(at("posed").as_u64().unwrap() >= 1);
    assert!(at("dual").as_u64().unwrap() > 500);
    assert_ne!(at("other"), at("slid"));
    assert!(at("headline").is_string());
    assert!(at("script").as_f64().unwrap() > 0.0);

    // Undo to the start and redo to the end: the same bytes.
    assert_eq!(at("undone"), at("start"));
    assert_eq!(at("redone"), at("slid"));

    // The export passes the validator and is what the command line gives.
    let written = PathBuf::from(at("written").as_str().unwrap());
    assert_eq!(at("download").as_str(), written.file_name().unwrap().to_str());
    let found = &validate(std::slice::from_ref(&written))[0];
    assert_eq!((found.errors, found.warnings), (0, 0));
    let command = at("command").as_str().unwrap().to_owned();
    let mut words = shlex::split(&command).unwrap();
    let output = words.iter().position(|w| w == "-o").unwrap() + 1;
    let again = folder.path().join("again.glb");
    words[output] = again.to_str().unwrap().to_owned();
    let words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
    assert!(run(&words).status.success(), "{command}");
    assert!(
        std::fs::read(&again).unwrap() == std::fs::read(&written).unwrap(),
        "{command}"
    );

    // Killed without a word, it comes back with everything.
    running.process.kill().unwrap();
    running.process.wait().unwrap();
    let second = start(input, folder.path());
    let recovered = seen(&second, "recover", None);
    assert!(
        recovered["offered"].as_str().unwrap().contains("found"),
        "{recovered}"
    );
    assert_eq!(recovered["history"], at("history"));
    assert_eq!(recovered["hash"], at("slid"));
}

#[test]
fn a_dropped_file_a_brushed_region_and_a_clip_of_kept_poses() {
    let folder = tempfile::tempdir().unwrap();
    let hero = bind(
        "sample:hound@2000",
        folder.path(),
        &["--method", "closest", "--quiet"],
    );
    let running = start("sample:tube@400", folder.path());
    let seen = seen(&running, "more", Some(&hero));
    assert_eq!(seen["said"].as_array().unwrap().len(), 0, "{}", seen["said"]);
    assert_eq!(seen["opened"].as_str(), hero.file_name().unwrap().to_str());
    assert_ne!(seen["bound"], seen["own"]);
    assert!(seen["region"].as_u64().unwrap() > 10, "{}", seen["region"]);
    assert_ne!(
        seen["regional"], seen["bound"],
        "the region has a falloff of its own"
    );
    let clips = |path: &Path| {
        let file = GltfFile::open(path).unwrap();
        file.character()
            .clips
            .iter()
            .map(|c| c.name.clone())
            .collect::<Vec<_>>()
    };
    let written = PathBuf::from(seen["written"].as_str().unwrap());
    let (before, after) = (clips(&hero), clips(&written));
    assert_eq!(after[..before.len()], before[..]);
    assert_eq!(after[before.len()..], ["poses"]);
    let found = &validate(std::slice::from_ref(&written))[0];
    assert_eq!((found.errors, found.warnings), (0, 0));
}

/// The rest of what a person does: left against right, shapes by the gizmo, the solid cut open and painted, views left out,
/// a fault that is gone to, and all of it taken back.
#[test]
fn shapes_voxels_symmetry_and_going_to_a_fault() {
    let folder = tempfile::tempdir().unwrap();
    let running = start("sample:athlete@2000", folder.path());
    let seen = seen(&running, "solid", None);
    println!("{seen:#}");
    assert_eq!(seen["said"].as_array().unwrap().len(), 0, "{}", seen["said"]);
    let reasons = seen["reasons"].as_array().unwrap();
    assert!(reasons.len() > 40 && reasons.iter().all(|r| !r.as_str().unwrap().is_empty()));
    let takes_part = seen["takesPart"].as_array().unwrap();
    assert!(!takes_part.contains(&"left_hand".into()) && takes_part.contains(&"right_hand".into()));
    assert_ne!(seen["leftOut"], seen["bound"]);
    assert_eq!(seen["takenAgain"], seen["bound"]);
    assert_ne!(seen["shaped"], seen["bound"], "the ball attracts skin");
    assert_eq!(seen["dragged"], true, "its gizmo was dragged");
    assert_ne!(seen["moved"], seen["shaped"], "and skin followed");
    let count = |of: &str, kind: usize| seen[of][kind].as_u64().unwrap();
    let within = |of: &str| count(of, 0) + count(of, 3);
    assert!(seen["balls"].as_u64().unwrap() > 1, "a stroke is several balls");
    assert!(within("painted") < within("counts"), "what is painted out is out");
    assert_eq!(seen["excluded"], serde_json::json!(["+y", "-y", "+z", "-z"]));
    assert!(
        count("withoutViews", 3) > count("painted", 3),
        "winding numbers decide what views do not: {seen:#}"
    );
    let there = &seen["there"];
    for key in ["selected", "posed", "map"] {
        assert_eq!(there[key], true, "{key}: {there}");
    }
    assert!(there["looksAt"].as_f64().unwrap() < 0.02, "{there}");
    assert_eq!(there["playing"], false);
    assert_eq!(seen["undone"], seen["start"]);
    // Without a pointer.
    assert_eq!(seen["unseen"].as_array().unwrap().len(), 0, "{}", seen["unseen"]);
    let reached: Vec<&str> = seen["reached"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(Value::as_str)
        .collect();
    // Undo and redo cannot be reached where there is nothing to take back; Ctrl+Z is their key.
    for name in ["open", "save", "export", "bind", "method", "Find a joint", "clip"] {
        assert!(reached.contains(&name), "{name} is not reached: {reached:?}");
    }
}

/// A joint is dragged into the body on both sides while weights follow; the export is what `ligament edit` makes of the same
/// commands; all of it goes back and forth.
#[test]
fn hands_on_the_rig() {
    let folder = tempfile::tempdir().unwrap();
    let input = "sample:athlete@2000";
    let running = start(input, folder.path());
    let seen = seen(&running, "rig", None);
    assert_eq!(seen["said"].as_array().unwrap().len(), 0, "{}", seen["said"]);
    assert_eq!(seen["stepsDuring"], 0, "a drag is no step until it is let go");
    let dragged = seen["dragged"].as_array().unwrap();
    assert!(!dragged.is_empty());
    for drag in dragged {
        let (rows, bytes) = (drag["rows"].as_u64().unwrap(), drag["bytes"].as_u64().unwrap());
        assert!(bytes <= 20 + rows * 20, "{drag}");
    }
    let place = |when: usize, side: usize, axis: usize| seen["elbows"][when][side][axis].as_f64().unwrap();
    assert!(
        place(0, 0, 0) - place(1, 0, 0) > 0.01,
        "the left elbow went inwards: {}",
        seen["elbows"]
    );
    assert!(
        (place(1, 0, 0) + place(1, 1, 0)).abs() < 1e-4,
        "and so did the right one"
    );
    assert_eq!([&seen["flat"], &seen["perspective"]], [true, true]);
    assert_eq!([&seen["loupe"], &seen["loupeAfter"]], [true, false]);
    assert!(
        seen["limits"].as_str().unwrap().contains('°'),
        "how far an elbow bends: {}",
        seen["limits"]
    );
    let scripts: Vec<u64> = seen["scripts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|n| n.as_u64().unwrap())
        .collect();
    assert!(
        scripts.windows(2).all(|w| w[1] == w[0] + 2),
        "a handle is a step for both sides: {scripts:?}"
    );
    let ranged = &seen["ranged"];
    let by = |which: usize, axis: usize| ranged[which]["by"][axis].as_f64().unwrap();
    assert!(
        by(0, 0) != 0.0 && by(0, 0) == -by(1, 0) && by(0, 1) == by(1, 1),
        "{ranged}"
    );
    if let Some(knee) = seen["knee"].as_array() {
        let at = |when: usize, axis: usize| knee[when][axis].as_f64().unwrap();
        assert!(
            at(1, 0) > at(0, 0) + 1e-3 && (at(1, 2) - at(0, 2)).abs() < 1e-5,
            "{knee:?}"
        );
    }
    let limb: Vec<&Value> = seen["limb"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|pair| pair.as_array().unwrap())
        .collect();
    let names: Vec<&str> = limb.iter().map(|j| j["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["left_limb1", "right_limb1", "left_limb2", "right_limb2"]);
    assert_eq!(
        seen["limbParents"],
        serde_json::json!(["chest", "chest", "left_limb1", "right_limb1"])
    );
    assert_eq!(seen["limbSelected"], "left_limb2");
    for pair in limb.chunks(2) {
        let at = |side: usize, axis: usize| pair[side]["at"][axis].as_f64().unwrap();
        assert!(
            at(0, 0) > 0.01 && (at(0, 0) + at(1, 0)).abs() < 1e-3 && (at(0, 1) - at(1, 1)).abs() < 1e-4,
            "{pair:?}"
        );
    }
    let different =
        ["start", "taken", "moved", "magnified", "handled"].map(|key| seen[key].as_u64().unwrap());
    assert!(different.windows(2).all(|w| w[0] != w[1]), "{different:?}");
    assert_eq!(seen["undone"], seen["start"]);
    assert_eq!(seen["redone"], seen["end"]);
    let edits = folder.path().join("edits.json");
    std::fs::write(&edits, seen["script"].as_str().unwrap()).unwrap();
    let again = folder.path().join("again.glb");
    let words = [
        "edit",
        input,
        edits.to_str().unwrap(),
        "-o",
        again.to_str().unwrap(),
        "--quiet",
    ];
    assert!(run(&words).status.success());
    let written = seen["written"].as_str().unwrap();
    assert!(std::fs::read(&again).unwrap() == std::fs::read(written).unwrap());
}

/// Every mode of the brush, fill, table and tools; the bind made anew below; the export is what `ligament bind --hand-edits` gives;
/// all of it goes back and forth.
#[test]
fn hands_on_the_weights() {
    let folder = tempfile::tempdir().unwrap();
    let input = "sample:athlete@2000";
    let running = start(input, folder.path());
    let seen = seen(&running, "hands", None);
    println!("{seen:#}");
    assert_eq!(seen["said"].as_array().unwrap().len(), 0, "{}", seen["said"]);
    assert!(seen["asked"].as_str().unwrap().contains("Select the joint"));
    assert_eq!(seen["stepsDuring"], 0, "a stroke is no step until it is let go");
    let number = |key: &str| seen[key].as_f64().unwrap();
    assert!(number("added") > number("before") + 0.3, "{seen:#}");
    assert!(number("replaced") > 0.4 && number("scaled") < 0.9 * number("replaced"));
    assert!(number("less") < number("added") - 0.2);
    assert_eq!(seen["relaxed"], true);
    let brush = |when: usize, what: usize| seen["brush"][when][what].as_f64().unwrap();
    assert!(
        brush(1, 0) > 1.1 * brush(0, 0) && brush(1, 1) > brush(0, 1),
        "by keys"
    );
    assert!(
        brush(2, 0) > 1.2 * brush(1, 0) && brush(2, 1) < brush(1, 1),
        "by a drag"
    );
    for stamp in seen["stamped"].as_array().unwrap() {
        let (rows, bytes) = (stamp["rows"].as_u64().unwrap(), stamp["bytes"].as_u64().unwrap());
        assert!(bytes <= 20 + rows * 20, "{stamp}");
    }
    for tool in ["Smooth", "Mirror → +X", "Prune"] {
        assert!(seen[tool].as_u64().unwrap() <= 1, "{tool}");
    }
    let filled: Vec<u64> = seen["filled"]
        .as_array()
        .unwrap()
        .iter()
        .map(|n| n.as_u64().unwrap())
        .collect();
    assert!(
        filled[0] < filled[1] && filled[1] < filled[2],
        "up to a distance, then all: {filled:?}"
    );
    assert_eq!(
        seen["opacity"],
        serde_json::json!({ "steps": 0, "changed": true })
    );
    let all = serde_json::json!({ "stillPlays": true, "moved": true, "painted": true, "otherStays": true });
    assert_eq!(seen["playing"], all, "while a clip plays beside another bind");
    assert_eq!(seen["kept"], true);
    let different = ["start", "bound", "end"].map(|key| seen[key].as_u64().unwrap());
    assert!(different.windows(2).all(|w| w[0] != w[1]), "{different:?}");
    assert_eq!(seen["undone"], seen["start"]);
    assert_eq!(seen["redone"], seen["end"]);
    let mut words = shlex::split(seen["command"].as_str().unwrap()).unwrap();
    let again = folder.path().join("again.glb");
    for (option, value) in [("-o", again.to_str()), ("--hand-edits", seen["layer"].as_str())] {
        let at = words.iter().position(|w| w == option).unwrap() + 1;
        words[at] = value.unwrap().to_owned();
    }
    let words: Vec<&str> = words.iter().skip(1).map(String::as_str).collect();
    assert!(run(&words).status.success(), "{words:?}");
    let written = seen["written"].as_str().unwrap();
    assert!(std::fs::read(&again).unwrap() == std::fs::read(written).unwrap());
}

/// A mesh alone is given a skeleton, found and fitted, walks, is corrected by hand and sent on, all in the page. In a soak of the corpus
/// `common_homer` and `nbs_doll` too; it prints how long and how many clicks that takes.
#[test]
fn a_rig_from_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let mesh = folder.path().join("athlete.obj");
    let athlete = ligament::sample::make("athlete@4000").unwrap().mesh;
    let vertex = |p: &glam::Vec3| format!("v {} {} {}\n", p.x, p.y, p.z);
    let face = |t: &[u32; 3]| format!("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
    let text: String = athlete.positions.iter().map(vertex).collect();
    let faces: String = athlete.triangles.iter().map(face).collect();
    std::fs::write(&mesh, text + &faces).unwrap();
    let mut meshes = vec![mesh];
    if let Some(corpus) = ligament_testkit::corpus() {
        let figures = ["common_homer.obj", "nbs_doll.obj"].map(|name| corpus.join("meshes").join(name));
        meshes.extend(ligament_testkit::spread(figures.to_vec(), 0));
    }
    for mesh in meshes {
        let running = start(mesh.to_str().unwrap(), folder.path());
        let seen = seen(&running, "nothing", None);
        println!("{seen:#}");
        assert_eq!(
            seen["found"].as_array().map(|f| f.len() > 10),
            Some(true),
            "{seen:#}"
        );
        assert_eq!(
            [&seen["fitted"], &seen["walks"], &seen["followed"]],
            [true, true, true],
            "{seen:#}"
        );
        let names = seen["named"].as_array().unwrap();
        assert!(names.iter().any(|n| n == "leftLowerArm"), "{names:?}");
        let written = PathBuf::from(seen["written"].as_str().unwrap());
        let file = GltfFile::open(&written).unwrap();
        assert!(file.character().weights.is_some());
    }
}
