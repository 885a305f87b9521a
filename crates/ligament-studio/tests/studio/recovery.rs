//! What survives: a killed server, a closed tab, a project sent on.

use serde_json::json;

use crate::client::{Page, settings, studio, studio_in};

fn exported(page: &mut Page) -> Vec<u8> {
    let written = page.ask(json!({ "export": { "format": "glb" } })).unwrap();
    std::fs::read(written["path"].as_str().unwrap()).unwrap()
}

#[test]
fn a_server_that_was_killed_loses_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let first = studio_in("sample:tube@300", folder.path());
    let mut page = Page::open(&first);
    page.wait_for_character();
    page.ask(json!({ "bind": { "settings": settings("voxel") } }))
        .unwrap();
    let mut sharp = settings("voxel");
    sharp["options"] = json!({ "falloff": 0.8 });
    page.ask(json!({ "bind": { "settings": sharp } })).unwrap();
    page.ask(json!({ "go": { "step": 1 } })).unwrap();
    let before = exported(&mut page);
    drop(page);
    std::mem::forget(first); // no farewell: as if it were killed

    let second = studio_in("sample:tube@300", folder.path());
    let mut page = Page::open(&second);
    page.wait_for_character();
    assert_eq!(page.state()["recovery"], 2);
    assert_eq!(
        page.state()["history"].as_array().unwrap().len(),
        1,
        "offered, not forced"
    );
    page.ask(json!({ "recover": { "accept": true } })).unwrap();
    while page.state()["slots"][0].is_null() || page.state()["slots"][0]["pending"] == true {
        page.hear().unwrap();
    }
    assert_eq!(page.state()["history"].as_array().unwrap().len(), 3);
    assert_eq!(page.state()["at"], 1);
    assert!(exported(&mut page) == before, "the same bytes");
    // Other characters are offered nothing.
    let third = studio_in("sample:tube@200", folder.path());
    let mut page = Page::open(&third);
    page.wait_for_character();
    assert!(page.state()["recovery"].is_null());
}

#[test]
fn work_that_is_not_wanted_is_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    let first = studio_in("sample:tube@200", folder.path());
    let mut page = Page::open(&first);
    page.wait_for_character();
    page.ask(json!({ "bind": { "settings": settings("closest") } }))
        .unwrap();
    for offered in [true, false] {
        let next = studio_in("sample:tube@200", folder.path());
        let mut page = Page::open(&next);
        page.wait_for_character();
        assert_eq!(!page.state()["recovery"].is_null(), offered);
        if offered {
            page.ask(json!({ "recover": { "accept": false } })).unwrap();
        }
    }
}

#[test]
fn a_closed_tab_comes_back_to_the_same() {
    let test = studio("sample:tube@200");
    let mut page = Page::open(&test.studio);
    page.wait_for_character();
    page.ask(json!({ "bind": { "settings": settings("closest") } }))
        .unwrap();
    // An export goes on without the page that asked for it.
    page.send_text(&json!({ "id": 77, "do": { "export": { "format": "glb" } } }).to_string());
    drop(page);
    let mut page = Page::open(&test.studio);
    page.wait_for_character();
    assert_eq!(page.state()["slots"][0]["name"], "closest");
    let exports = test.folder.path().join("exports");
    let start = std::time::Instant::now();
    while std::fs::read_dir(&exports).unwrap().count() == 0 {
        assert!(
            start.elapsed() < crate::client::PATIENCE,
            "the export came to its end"
        );
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
}

#[test]
fn a_project_is_one_file_and_opens_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    let hero = folder.path().join("hero.glb");
    let tube = ligament::sample::make("tube@300").unwrap();
    ligament_io::gltf::build(&tube)
        .unwrap()
        .document
        .save(&hero)
        .unwrap();
    let test = studio(hero.to_str().unwrap());
    let mut page = Page::open(&test.studio);
    page.wait_for_character();
    page.ask(json!({ "bind": { "settings": settings("voxel") } }))
        .unwrap();
    let turn = json!({ "joint": 1, "rotation": [0, 0, 0.6, 0.8], "translation": [0, 0.5, 0] });
    page.ask(json!({ "pose": { "turns": [turn], "label": "Bend" } }))
        .unwrap();
    let before = exported(&mut page);
    let written = page.ask(json!({ "save": {} })).unwrap();
    std::fs::remove_file(&hero).unwrap();

    let test = studio(written["path"].as_str().unwrap());
    let mut page = Page::open(&test.studio);
    let scene = page.wait_for_character();
    assert_eq!(scene["name"], "hero.glb");
    while page.state()["slots"][0].is_null() {
        page.hear().unwrap();
    }
    assert_eq!(page.state()["history"].as_array().unwrap().len(), 3);
    assert_eq!(page.state()["state"]["pose"][0]["joint"], 1);
    assert!(exported(&mut page) == before, "the same bytes");
}

/// A comparison with a file that is not there any more is none, and the desk stays free.
#[test]
fn a_file_that_is_gone_is_not_looked_for_again_and_again() {
    let folder = tempfile::tempdir().unwrap();
    let project = json!({
        "ligament_project": 1, "name": "tube", "source": { "sample": "sample:tube@200" },
        "history": { "at": 1, "steps": [
            { "label": "opened", "state": {} },
            { "label": "compared", "state": { "other": { "item": "item-99" } } },
        ] },
    });
    let path = folder.path().join("old.ligament");
    std::fs::write(&path, project.to_string()).unwrap();
    let test = studio(path.to_str().unwrap());
    let mut page = Page::open(&test.studio);
    page.wait_for_character();
    let revision = page.state()["revision"].clone();
    for _ in 0..5 {
        page.ask(json!({ "library": {} })).unwrap();
    }
    assert_eq!(page.state()["revision"], revision);
    assert!(page.state()["slots"][1].is_null());
}
