//! Hands on the weights: strokes, tools, what stays when the bind below is made anew, and the way back.

use glam::Vec3;
use ligament::task::Task;
use ligament_app::asset::AssetRequest;
use ligament_app::bind::BindRequest;
use ligament_app::edit::EditRequest;
use ligament_app::hand_edits::HandLayer;
use ligament_testkit::{Random, repeats};
use serde_json::{Value, json};

use crate::client::{Page, TestStudio, settings, studio};
use crate::work::shown;

/// A page with a character, and where its vertices are.
struct Painted {
    test: TestStudio,
    page: Page,
    scene: Value,
    places: Vec<Vec3>,
    normals: Vec<Vec3>,
}

impl Painted {
    fn open(input: &str) -> Self {
        let test = studio(input);
        let mut page = Page::open(&test.studio);
        let scene = page.wait_for_character();
        let vertices = scene["vertices"].as_u64().unwrap() as usize;
        let mesh = page
            .frames_of(scene["serial"].as_u64().unwrap(), 1)
            .next()
            .unwrap();
        let numbers: Vec<f32> = mesh[16..16 + 24 * vertices]
            .chunks(4)
            .map(|c| f32::from_le_bytes(c.try_into().unwrap()))
            .collect();
        let vectors = |of: &[f32]| of.chunks(3).map(Vec3::from_slice).collect::<Vec<_>>();
        let (places, normals) = (
            vectors(&numbers[..3 * vertices]),
            vectors(&numbers[3 * vertices..]),
        );
        Self {
            test,
            page,
            scene,
            places,
            normals,
        }
    }

    fn ask(&mut self, what: Value) -> Value {
        self.page.ask(what).unwrap()
    }

    fn rows(&self) -> Vec<[u32; 8]> {
        shown(&self.page, self.places.len(), 0)
    }

    fn joint(&self, name: &str) -> usize {
        let joints = self.scene["joints"].as_array().unwrap();
        joints.iter().position(|j| j["name"] == name).unwrap()
    }

    /// A ray that meets a vertex from outside, from very near.
    fn ray(&self, vertex: usize) -> Value {
        let from = self.places[vertex] + 0.002 * self.normals[vertex];
        json!([from.to_array(), (-self.normals[vertex]).to_array()])
    }

    /// The vertex that is furthest in a direction.
    fn furthest(&self, direction: Vec3) -> usize {
        let far = |v: &usize| self.places[*v].dot(direction);
        (0..self.places.len())
            .max_by(|a, b| far(a).total_cmp(&far(b)))
            .unwrap()
    }

    fn stroke(&mut self, brush: Value, vertices: &[usize], radius: f64) -> Value {
        let mut last = Value::Null;
        for &vertex in vertices {
            let ray = self.ray(vertex);
            last = self.ask(json!({ "paint": { "brush": brush, "rays": [ray], "radius": radius } }));
        }
        self.ask(json!({ "stroke": { "label": "Paint" } }));
        last
    }

    fn export(&mut self) -> Vec<u8> {
        let written = self.ask(json!({ "export": { "format": "glb" } }));
        std::fs::read(written["path"].as_str().unwrap()).unwrap()
    }

    /// What hands did, as a file that the command line reads.
    fn layer(&mut self) -> HandLayer {
        let written = self.ask(json!({ "keep_hands": {} }));
        HandLayer::read(written["path"].as_str().unwrap().as_ref()).unwrap()
    }

    fn by_bind(&mut self, input: &str, settings: &Value) -> Vec<u8> {
        let output = self.test.folder.path().join("by_command_line.glb");
        let request = BindRequest {
            asset: AssetRequest::of(input),
            output: Some(output.clone()),
            hand_edits: Some(self.layer()),
            ..serde_json::from_value(settings.clone()).unwrap()
        };
        ligament_app::bind::run(&request, &Task::unattended()).unwrap();
        std::fs::read(output).unwrap()
    }

    fn go(&mut self, step: u64) {
        self.ask(json!({ "go": { "step": step } }));
    }

    fn at(&self) -> u64 {
        self.page.state()["at"].as_u64().unwrap()
    }
}

fn brush(mode: &str, joint: usize, value: f64, strength: f64) -> Value {
    json!({ "mode": mode, "joint": joint, "value": value, "strength": strength })
}

/// A joint's share in a row that a page has.
fn share(row: &[u32; 8], joint: usize) -> f64 {
    let own = row.iter().filter(|w| (**w >> 16) as usize == joint);
    own.map(|w| f64::from(w & 0xffff)).sum::<f64>() / 65535.0
}

#[test]
fn strokes_are_steps_and_the_bind_can_be_made_anew() {
    let input = "sample:hound@1500";
    let mut hound = Painted::open(input);
    let opened = hound.export();
    let start = hound.rows();
    hound.ask(json!({ "bind": { "settings": settings("closest") } }));
    let bound = hound.rows();
    let (nose, head, jaw) = (hound.furthest(Vec3::Z), hound.joint("head"), hound.joint("neck"));

    // A stroke shows at once, sends the rows that it changed and no more, and is one step.
    let ray = hound.ray(nose);
    let first = hound
        .ask(json!({ "paint": { "brush": brush("replace", jaw, 1.0, 1.0), "rays": [ray], "radius": 0.1 } }));
    let (rows, bytes) = (first["rows"].as_u64().unwrap(), first["bytes"].as_u64().unwrap());
    let during = hound.rows();
    let changed = bound.iter().zip(&during).filter(|(a, b)| a != b).count();
    assert!(changed > 3 && rows < 200, "{changed} of {rows}");
    assert!(bytes <= 20 + rows * (4 + 16), "{bytes} for {rows}");
    assert_eq!(hound.at(), 1, "no step until it is let go");
    assert!(
        share(&during[nose], jaw) > 0.95,
        "all of it in the middle of the brush"
    );
    for (row, before) in during.iter().zip(&bound) {
        assert!(share(row, jaw) >= share(before, jaw) - 1e-4, "and nowhere less");
        assert!(row.iter().filter(|w| **w & 0xffff > 0).count() <= 4);
    }
    // Let go without a step: pages have what they had.
    hound.ask(json!({ "forget": {} }));
    assert!(hound.rows() == bound);
    assert_eq!(
        hound.ask(json!({ "stroke": { "label": "Nothing" } }))["taken"],
        false
    );

    // Beside the mesh, then over it, with every mode.
    let beside = json!([[50, 50, 50], [0, 1, 0]]);
    let over = hound.ray(nose);
    let missed = hound
        .ask(json!({ "paint": { "brush": brush("add", jaw, 1.0, 0.4), "rays": [beside], "radius": 0.1 } }));
    assert_eq!(missed["rows"], 0);
    let both =
        json!({ "paint": { "brush": brush("add", jaw, 1.0, 0.4), "rays": [beside, over], "radius": 0.1 } });
    assert!(hound.ask(both)["rows"].as_u64().unwrap() > 0);
    hound.ask(json!({ "stroke": { "label": "Add" } }));
    let added = hound.rows();
    let rise = share(&added[nose], jaw) - share(&bound[nose], jaw);
    assert!((0.3..=0.5).contains(&rise), "{rise}");
    hound.stroke(brush("scale", head, 0.5, 1.0), &[nose], 0.15);
    let scaled = hound.rows();
    let expected = 0.5 * share(&added[nose], head);
    assert!((share(&scaled[nose], head) - expected).abs() < 0.05, "{expected}");
    hound.stroke(brush("relax", 0, 1.0, 1.0), &[nose, nose, nose], 0.15);
    let tail = hound.furthest(Vec3::NEG_Z);
    hound.stroke(brush("replace", head, 0.7, 1.0), &[tail], 0.05);
    let (painted, last) = (hound.rows(), hound.at());
    assert!((share(&painted[tail], head) - 0.7).abs() < 0.02);
    assert!(painted != scaled);
    assert_eq!(last, 5, "bind and four strokes");
    assert!(
        painted
            .iter()
            .all(|r| r.iter().map(|w| w & 0xffff).sum::<u32>() == 65535)
    );

    // The export is what the command line gives with the layer's file.
    let exported = hound.export();
    let command = hound.page.state()["command"].as_str().unwrap().to_owned();
    assert!(command.contains("--hand-edits hand_edits.json"), "{command}");
    assert!(exported == hound.by_bind(input, &settings("closest")));

    // The bind below is made anew: what hands did lies over it.
    hound.ask(json!({ "bind": { "settings": settings("voxel") } }));
    let anew = hound.rows();
    assert!((share(&anew[tail], head) - 0.7).abs() < 0.02, "painted");
    assert!(anew != painted);
    let mut sliding = settings("voxel");
    sliding["options"] = json!({ "falloff": 0.6 });
    hound.ask(json!({ "try": { "settings": sliding } }));
    assert!(
        (share(&hound.rows()[tail], head) - 0.7).abs() < 0.02,
        "while a slider moves too"
    );
    hound.ask(json!({ "forget": {} }));
    assert!(hound.export() == hound.by_bind(input, &settings("voxel")));
    // Half of it while a slider moves, without a step; then as one.
    let before = hound.at();
    hound.ask(json!({ "layer": { "opacity": 0.5 } }));
    let seen = share(&hound.rows()[tail], head);
    assert!((seen - 0.35).abs() < 0.03 && hound.at() == before, "{seen}");
    hound.ask(json!({ "hands": { "tool": { "opacity": 0.5 }, "label": "Half" } }));
    let half = share(&hound.rows()[tail], head);
    assert!((half - 0.35).abs() < 0.03, "{half}");
    assert!(hound.export() == hound.by_bind(input, &settings("voxel")));
    hound.go(last);

    // All the way back and forth: the same bytes.
    for step in (0..last).rev() {
        hound.go(step);
    }
    assert!(hound.rows() == start && hound.export() == opened);
    for step in 1..=last {
        hound.go(step);
    }
    assert!(hound.rows() == painted && hound.export() == exported);
}

#[test]
fn both_sides_are_painted_alike() {
    let mut athlete = Painted::open("sample:athlete@2000");
    athlete.ask(json!({ "bind": { "settings": settings("closest") } }));
    let (left, right) = (athlete.joint("left_hand"), athlete.joint("right_hand"));
    let (spine, shoulder) = (athlete.joint("hips"), athlete.furthest(Vec3::Y));
    let hand = athlete.furthest(
        if athlete.scene["joints"][left]["bind"][9].as_f64().unwrap() > 0.0 {
            Vec3::X
        } else {
            Vec3::NEG_X
        },
    );
    let mut both = brush("replace", spine, 0.5, 1.0);
    both["mirrored"] = true.into();
    athlete.stroke(both.clone(), &[hand], 0.1);
    let side = |athlete: &Painted, sign: f32| {
        let rows = athlete.rows();
        let there = rows.iter().zip(&athlete.places).filter(|(_, p)| sign * p.x > 0.3);
        there.map(|(row, _)| share(row, spine)).sum::<f64>()
    };
    let gained = [1.0, -1.0].map(|sign| side(&athlete, sign));
    assert!(
        gained[0] > 1.0 && (gained[0] - gained[1]).abs() < 0.02 * gained[0],
        "{gained:?}"
    );
    let sum = |rows: &[[u32; 8]], joint: usize| rows.iter().map(|r| share(r, joint)).sum::<f64>();
    // A joint of one side on one side is its partner on the other.
    both["joint"] = left.into();
    both["value"] = 1.into();
    athlete.stroke(both, &[shoulder], 0.05);
    let rows = athlete.rows();
    let gained = [left, right].map(|j| sum(&rows, j));
    assert!((gained[0] - gained[1]).abs() < 0.02 * gained[0], "{gained:?}");

    // One side given to the other by a tool.
    athlete.stroke(brush("replace", spine, 1.0, 1.0), &[hand], 0.08);
    let sides = |athlete: &Painted| [1.0, -1.0].map(|sign| side(athlete, sign));
    let one = sides(&athlete);
    assert!((one[0] - one[1]).abs() > 0.5, "{one:?}");
    let positive = athlete.places[hand].x > 0.0;
    athlete
        .ask(json!({ "hands": { "tool": { "mirror": { "to_positive": !positive } }, "label": "Mirror" } }));
    let two = sides(&athlete);
    assert!((two[0] - two[1]).abs() < 0.02 * two[0], "{two:?}");
    assert!(two[0].max(two[1]) >= one[0].max(one[1]) - 1e-3);
}

#[test]
fn a_brush_goes_through_the_screen_or_along_the_surface() {
    let mut tube = Painted::open("sample:tube@2000");
    tube.ask(json!({ "bind": { "settings": settings("closest") } }));
    let before = tube.rows();
    let last = tube.scene["joints"]
        .as_array()
        .unwrap()
        .iter()
        .rposition(|j| j["in_skin"] == true)
        .unwrap();
    let behind = |tube: &Painted, now: &[[u32; 8]]| {
        let other = before
            .iter()
            .zip(now)
            .zip(&tube.places)
            .filter(|((a, b), _)| a != b);
        other.filter(|(_, place)| place.z < 0.0).count()
    };
    let paint = |through: bool| {
        json!({ "paint": {
            "brush": brush("replace", last, 1.0, 1.0),
            "rays": [[[0, 0.5, 9], [0, 0, -1]]], "radius": 0.05, "through": through,
        } })
    };
    assert!(tube.ask(paint(false))["rows"].as_u64().unwrap() > 0);
    assert_eq!(behind(&tube, &tube.rows()), 0);
    tube.ask(json!({ "forget": {} }));
    assert!(tube.ask(paint(true))["rows"].as_u64().unwrap() > 0);
    assert!(behind(&tube, &tube.rows()) > 0);
    tube.ask(json!({ "forget": {} }));
    assert!(tube.rows() == before);
    // The same circle selects.
    let brush = |through: bool| json!({ "brush": { "origin": [0, 0.5, 9], "direction": [0, 0, -1], "radius": 0.05, "through": through } });
    let (front, all) = (tube.ask(brush(false)), tube.ask(brush(true)));
    assert!(all["vertices"].as_array().unwrap().len() > front["vertices"].as_array().unwrap().len());
}

#[test]
fn a_fill_crosses_no_gap_and_a_table_has_what_was_typed() {
    let mut knight = Painted::open("sample:knight@4000");
    knight.ask(json!({ "bind": { "settings": settings("closest") } }));
    let (before, head) = (knight.rows(), knight.joint("head"));
    let top = knight.furthest(Vec3::Y);
    let origin = knight.places[top] + Vec3::Y;
    let fill = json!({ "fill": {
        "brush": brush("replace", head, 0.25, 1.0), "origin": origin.to_array(), "direction": [0, -1, 0],
    } });
    knight.ask(fill);
    let filled = knight.rows();
    let edited = knight.page.state()["edited"].as_u64().unwrap();
    let changed = before.iter().zip(&filled).filter(|(a, b)| a != b).count();
    assert!(
        changed > 20 && changed < before.len() / 2,
        "one shell of many: {changed}, {edited}"
    );
    // What is connected is what was filled: every edge of the mesh joins two filled vertices or none.
    let layer = knight.layer();
    assert_eq!(layer.edits.len() as u64, edited);
    assert!(
        knight
            .page
            .ask(json!({ "fill": {
        "brush": brush("replace", head, 0.25, 1.0), "origin": [90, 0, 0], "direction": [0, -1, 0],
    } }))
            .is_err()
    );

    let rows =
        |knight: &mut Painted, vertices: &[usize]| knight.ask(json!({ "rows": { "vertices": vertices } }));
    let typed = |joint: usize, value: f64, vertices: &[usize]| {
        json!({ "hands": {
        "tool": { "share": { "vertices": vertices, "joint": joint, "value": value } }, "label": "Type" } })
    };
    let (low, wide) = (knight.furthest(Vec3::NEG_Y), knight.furthest(Vec3::X));
    knight.ask(typed(head, 0.375, &[low, wide]));
    let table = rows(&mut knight, &[low, wide]);
    for row in table.as_array().unwrap() {
        let influences = row["influences"].as_array().unwrap();
        let own = influences.iter().find(|i| i[0] == head).unwrap();
        assert!((own[1].as_f64().unwrap() - 0.375).abs() < 1e-6, "{row}");
        assert!(row["edited"].as_f64().unwrap() > 0.0);
        let sum: f64 = influences.iter().map(|i| i[1].as_f64().unwrap()).sum();
        assert!((sum - 1.0).abs() < 1e-6);
    }
    // Copied and pasted.
    let copied = table[0]["influences"].clone();
    knight.ask(json!({ "hands": { "tool": { "paste": { "vertices": [top], "weights": copied } }, "label": "Paste" } }));
    let pasted = rows(&mut knight, &[top])[0]["influences"].clone();
    for (a, b) in copied.as_array().unwrap().iter().zip(pasted.as_array().unwrap()) {
        assert!(a[0] == b[0] && (a[1].as_f64().unwrap() - b[1].as_f64().unwrap()).abs() < 1e-6);
    }
    // Paused, numbers stay as they were typed, and more joints than the bind's four may hold a vertex.
    knight.ask(json!({ "hands": { "tool": { "pause": true }, "label": "Pause" } }));
    for joint in 1..7 {
        knight.ask(typed(joint, 0.5, &[top]));
    }
    let many = rows(&mut knight, &[top])[0]["influences"]
        .as_array()
        .unwrap()
        .len();
    assert!(many >= 6, "{many}");
    knight.ask(json!({ "hands": { "tool": { "pause": false }, "label": "Go on" } }));
    assert_eq!(
        rows(&mut knight, &[top])[0]["influences"]
            .as_array()
            .unwrap()
            .len(),
        4
    );
    // Small shares go, and all of it goes.
    knight.ask(json!({ "hands": { "tool": { "prune": { "under": 0.3 } }, "label": "Prune" } }));
    let pruned = rows(&mut knight, &[low])[0]["influences"]
        .as_array()
        .unwrap()
        .clone();
    assert!(pruned.iter().all(|i| i[1].as_f64().unwrap() >= 0.3), "{pruned:?}");
    knight.ask(json!({ "hands": { "tool": { "smooth": { "rounds": 3 } }, "label": "Smooth" } }));
    knight.ask(json!({ "hands": { "tool": { "clear": {} }, "label": "Clear" } }));
    assert!(knight.rows() == before);
    assert_eq!(knight.page.state()["edited"], 0);
    for wrong in [
        json!({ "hands": { "tool": { "opacity": 7 }, "label": "" } }),
        json!({ "hands": { "tool": { "share": { "vertices": [1], "joint": 9999, "value": 1 } }, "label": "" } }),
        json!({ "hands": { "tool": { "paste": { "vertices": [1], "weights": [[9999, 1]] } }, "label": "" } }),
        json!({ "hands": { "tool": { "prune": { "under": -1 } }, "label": "" } }),
        json!({ "paint": { "brush": brush("add", 9999, 1.0, 1.0), "rays": [], "radius": 1 } }),
    ] {
        assert!(knight.page.ask(wrong).is_err());
    }
}

/// Hands on the rig and on the weights: edits follow their joints, and `ligament edit` gives the same bytes.
#[test]
fn edits_follow_the_rig() {
    let input = "sample:hound@1500";
    let mut hound = Painted::open(input);
    let rig = |script: &[Value]| json!({ "rig": { "rig": { "session": { "method": "heat" }, "script": script }, "label": "Rig" } });
    hound.ask(rig(&[]));
    let (nose, neck) = (hound.furthest(Vec3::Z), hound.joint("neck"));
    hound.stroke(brush("replace", neck, 0.8, 1.0), &[nose], 0.1);
    let script = [
        json!({ "command": "insert_joint", "joint": "spine1", "name": "waist" }),
        json!({ "command": "move_joint", "joint": "head", "by": [0, 0.03, 0] }),
        json!({ "command": "rename_joint", "joint": "neck", "name": "nape" }),
    ];
    hound.ask(json!({ "drag": { "script": [script[1]] } }));
    for count in 1..=script.len() {
        hound.ask(rig(&script[..count]));
    }
    hound.ask(json!({ "library": {} }));
    let layer = hound.layer();
    assert!(!layer.edits.is_empty());
    assert!(
        layer.edits.iter().all(|e| e.weights.contains_key("nape")),
        "under its new name"
    );
    let output = hound.test.folder.path().join("by_command_line.glb");
    let request = EditRequest {
        asset: AssetRequest::of(input),
        script: script.to_vec(),
        output: Some(output.clone()),
        hand_edits: Some(layer),
        ..EditRequest::default()
    };
    ligament_app::edit::run(&request, &Task::unattended()).unwrap();
    assert!(hound.export() == std::fs::read(output).unwrap());
    assert!(
        hound.page.state()["command"]
            .as_str()
            .unwrap()
            .contains("--hand-edits")
    );
    // The joint goes, and its weight to its parent.
    let mut all = script.to_vec();
    all.push(json!({ "command": "delete_joint", "joint": "nape" }));
    hound.ask(rig(&all));
    let parent = hound.layer();
    assert!(
        parent
            .edits
            .iter()
            .all(|e| !e.weights.contains_key("nape") && !e.weights.is_empty())
    );
    let last = hound.at();
    for step in (0..=last).rev().chain(1..=last) {
        hound.go(step);
    }
    assert_eq!(hound.layer(), parent);
}

/// The layer is in the project's file and in what is kept after every step.
#[test]
fn a_project_has_the_layer_in_it() {
    let input = "sample:hound@800";
    let mut hound = Painted::open(input);
    hound.ask(json!({ "bind": { "settings": settings("closest") } }));
    let (nose, neck) = (hound.furthest(Vec3::Z), hound.joint("neck"));
    for strength in [0.2, 0.4] {
        hound.stroke(brush("add", neck, 1.0, strength), &[nose], 0.1);
    }
    let (layer, exported) = (hound.layer(), hound.export());
    let project = hound.ask(json!({ "save": {} }))["path"]
        .as_str()
        .unwrap()
        .to_owned();
    let mut again = Painted::open(&project);
    while again.page.state()["slots"][0].is_null() || again.page.state()["slots"][0]["pending"] == true {
        again.ask(json!({ "library": {} }));
    }
    assert_eq!(again.layer(), layer);
    assert!(again.export() == exported);
    again.go(2);
    assert!(again.layer() != layer && !again.layer().edits.is_empty());
    again.go(3);
    assert_eq!(again.layer(), layer);
}

/// A thousand commands in any order, sensible or not: weights stay whole, and the way back is exact.
#[test]
fn a_thousand_random_hands_leave_a_valid_session() {
    let mut tube = Painted::open("sample:tube@200");
    tube.ask(json!({ "bind": { "settings": settings("closest") } }));
    let joints = tube.scene["joints"].as_array().unwrap().len();
    let bound = tube.rows();
    let mut random = Random(0x5eed_0124);
    let (mut done, mut refused) = (0, 0);
    for _ in 0..repeats(1000) {
        let count = tube.places.len();
        let vertex = random.below(count);
        let some: Vec<usize> = (0..random.below(9)).map(|_| random.below(count + 2)).collect();
        let mode = ["add", "replace", "scale", "relax"][random.below(4)];
        let mut brush = brush(
            mode,
            random.below(joints + 1),
            random.below(300) as f64 / 100.0 - 1.0,
            random.below(100) as f64 / 99.0,
        );
        brush["mirrored"] = (random.below(3) == 0).into();
        let ray = tube.ray(vertex);
        let radius = random.below(100) as f64 / 150.0;
        let tool = |tool: Value| json!({ "hands": { "tool": tool, "label": "Tool" } });
        let vertices = if random.below(2) == 0 {
            Value::Null
        } else {
            json!(some)
        };
        let command = match random.below(16) {
            0..6 => {
                json!({ "paint": { "brush": brush, "rays": [ray, ray], "radius": radius, "through": random.below(4) == 0 } })
            }
            6 | 7 => json!({ "stroke": { "label": "Stroke" } }),
            8 => {
                json!({ "fill": { "brush": brush, "origin": ray[0], "direction": ray[1], "reach": radius } })
            }
            9 => tool(
                json!({ "share": { "vertices": some, "joint": random.below(joints + 1), "value": radius } }),
            ),
            10 => tool(
                json!({ "paste": { "vertices": some, "weights": [[random.below(joints + 1), radius], [0, 0.2]] } }),
            ),
            11 => tool(json!({ "smooth": { "vertices": vertices, "rounds": random.below(4) } })),
            12 => tool(json!({ "mirror": { "vertices": vertices, "to_positive": random.below(2) == 0 } })),
            13 => match random.below(4) {
                0 => tool(json!({ "clear": { "vertices": some } })),
                1 => tool(json!({ "pause": random.below(2) == 0 })),
                2 => tool(json!({ "opacity": radius * 1.7 })),
                _ => tool(json!({ "prune": { "vertices": vertices, "under": radius / 2.0 } })),
            },
            14 => json!({ "go": { "step": random.below(tube.at() as usize + 1) } }),
            _ => json!({ "bind": { "settings": settings(["closest", "hierarchy"][random.below(2)]) } }),
        };
        match tube.page.ask(command) {
            Ok(_) => done += 1,
            Err(_) => refused += 1,
        }
    }
    assert!(done > refused && refused > 0, "{done} done, {refused} refused");
    tube.ask(json!({ "forget": {} }));
    let mut late = Page::open(&tube.test.studio);
    late.wait_for_character();
    let rows = shown(&late, tube.places.len(), 0);
    assert!(rows == tube.rows(), "a page that comes later has the same");
    for row in &rows {
        assert_eq!(row.iter().map(|w| w & 0xffff).sum::<u32>(), 65535);
        assert!(row.iter().all(|w| (w >> 16) < joints as u32));
    }
    tube.export();
    tube.go(0);
    tube.ask(json!({ "bind": { "settings": settings("closest") } }));
    assert!(tube.rows() == bound);
}
