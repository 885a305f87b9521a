//! Each line of the paragraph on safety.

use serde_json::json;
use tungstenite::Message;

use crate::client::{Page, connect, http, secret, studio};

#[test]
fn only_the_loopback_interface_listens() {
    let test = studio("sample:tube@200");
    assert!(test.studio.address().ip().is_loopback());
}

#[test]
fn a_rebound_name_is_not_answered() {
    let test = studio("sample:tube@200");
    let address = test.studio.address();
    let port = address.port();
    for host in [
        format!("evil.example:{port}"),
        format!("127.0.0.1.evil.example:{port}"),
        "127.0.0.1".to_owned(),
        format!("127.0.0.1:{}", port ^ 1),
    ] {
        for path in ["/", "/studio.js", "/download/x", "/ws"] {
            let answer = http(address, "GET", path, &[("Host", &host)], b"");
            assert_eq!(answer.status, 421, "{host} {path}");
        }
        assert!(
            connect(address, &host, Some(&format!("http://{host}"))).is_err(),
            "{host}"
        );
    }
    for host in [format!("127.0.0.1:{port}"), format!("localhost:{port}")] {
        assert_eq!(http(address, "GET", "/", &[("Host", &host)], b"").status, 200);
    }
}

#[test]
fn a_foreign_or_missing_origin_opens_nothing() {
    let test = studio("sample:tube@200");
    let address = test.studio.address();
    let own = address.to_string();
    for origin in [
        None,
        Some("null"),
        Some("http://evil.example"),
        Some("https://127.0.0.1"),
        Some("file://"),
    ] {
        assert!(connect(address, &own, origin).is_err(), "{origin:?}");
        let headers: Vec<(&str, &str)> = origin.map(|o| ("Origin", o)).into_iter().collect();
        for path in ["/session", "/drop/new"] {
            assert_eq!(
                http(address, "POST", path, &headers, b"x").status,
                403,
                "{origin:?} {path}"
            );
        }
    }
    assert!(connect(address, &own, Some(&format!("http://{own}"))).is_ok());
}

#[test]
fn only_the_page_itself_may_be_asked_for_from_elsewhere() {
    let test = studio("sample:tube@200");
    let address = test.studio.address();
    let cross = [("Sec-Fetch-Site", "cross-site")];
    assert_eq!(http(address, "GET", "/", &cross, b"").status, 200);
    for path in ["/studio.js", "/studio.css", "/download/x", "/nothing"] {
        assert_eq!(http(address, "GET", path, &cross, b"").status, 403, "{path}");
    }
}

#[test]
fn a_code_opens_once_and_the_secret_comes_first() {
    let test = studio("sample:tube@200");
    let address = test.studio.address();
    let origin = format!("http://{address}");
    let link = test.studio.link().unwrap();
    let code = link.split('#').nth(1).unwrap();
    let ask = |code: &str| {
        http(
            address,
            "POST",
            "/session",
            &[("Origin", &origin)],
            code.as_bytes(),
        )
    };
    assert_eq!(ask("wrong").status, 403);
    let first = ask(code);
    assert_eq!(first.status, 200);
    assert!(first.header("set-cookie").is_none(), "no cookie");
    assert_eq!(ask(code).status, 403, "used up");

    for hello in [
        json!({ "secret": "wrong", "version": 1 }).to_string(),
        json!({ "secret": code, "version": 1 }).to_string(),
        json!({ "id": 1, "do": { "library": {} } }).to_string(),
        "{".to_owned(),
    ] {
        let mut socket = connect(address, &address.to_string(), Some(&origin)).unwrap();
        socket.send(Message::Text(hello.clone().into())).unwrap();
        let heard = socket.read();
        assert!(
            !matches!(heard, Ok(Message::Text(_) | Message::Binary(_))),
            "{hello}: {heard:?}"
        );
    }
    let mut page = Page::with_secret(&test.studio, &first.text());
    page.wait("welcome");
}

#[test]
fn every_answer_forbids_what_is_not_its_own() {
    let test = studio("sample:tube@200");
    let address = test.studio.address();
    for (path, host) in [
        ("/", None),
        ("/studio.js", None),
        ("/nothing", None),
        ("/", Some("evil.example")),
    ] {
        let headers: Vec<(&str, &str)> = host.map(|h| ("Host", h)).into_iter().collect();
        let answer = http(address, "GET", path, &headers, b"");
        let policy = answer.header("content-security-policy").unwrap();
        assert!(policy.starts_with("default-src 'self'"), "{policy}");
        assert!(!policy.contains("unsafe"), "{policy}");
        assert_eq!(
            answer.header("x-content-type-options").as_deref(),
            Some("nosniff")
        );
        assert_eq!(answer.header("x-frame-options").as_deref(), Some("DENY"));
        assert_eq!(
            answer.header("cross-origin-opener-policy").as_deref(),
            Some("same-origin")
        );
        assert_eq!(
            answer.header("cross-origin-resource-policy").as_deref(),
            Some("same-origin")
        );
        assert!(answer.header("access-control-allow-origin").is_none());
    }
}

#[test]
fn paths_lead_nowhere() {
    let test = studio("sample:tube@200");
    let address = test.studio.address();
    std::fs::write(test.folder.path().join("secret.txt"), "no").unwrap();
    for path in [
        "/../Cargo.toml",
        "/..%2f..%2fetc%2fpasswd",
        "/download/..%2f..%2fsecret.txt",
        "/download/%2fetc%2fpasswd",
        "/download/",
        "/drop/..%2f..",
    ] {
        assert_ne!(http(address, "GET", path, &[], b"").status, 200, "{path}");
    }
    let mut page = Page::open(&test.studio);
    page.wait_for_character();
    for item in ["/etc/passwd", "../x.glb", "sample:knight", "item-0", ""] {
        let message = page.ask(json!({ "open": { "item": item } })).unwrap_err();
        assert!(message.contains("not in the list"), "{message}");
    }
    let message = page
        .ask(json!({ "bind": { "settings": { "method": "closest", "deform": ["@/etc/passwd"] } } }))
        .unwrap_err();
    assert!(!message.contains("root:"), "{message}");
    let message = page
        .ask(json!({ "which_joints": { "deform": ["@/etc/passwd"] } }))
        .unwrap_err();
    assert!(
        !message.contains("root:") && message.contains("patterns"),
        "{message}"
    );
    let message = page
        .ask(json!({ "bind": { "settings": { "method": "best", "options": { "prior": "/etc/passwd" } } } }))
        .unwrap_err();
    assert!(message.contains("prior"), "{message}");
    for format in ["../../x.glb", "exe", "/x.glb"] {
        page.ask(json!({ "export": { "format": format } })).unwrap_err();
    }
    let outside = std::fs::read_dir(test.folder.path()).unwrap().count();
    assert_eq!(outside, 2 + usize::from(test.folder.path().join("kept").exists()));
}

#[test]
fn dropped_files_need_the_secret_and_stay_in_their_folder() {
    let test = studio("sample:tube@200");
    let address = test.studio.address();
    let origin = format!("http://{address}");
    let secret = secret(&test.studio);
    let drop = |folder: &str, secret: &str, name: &str, body: &[u8]| {
        let headers = [
            ("Origin", origin.as_str()),
            ("X-Ligament-Secret", secret),
            ("X-Ligament-Name", name),
        ];
        http(address, "POST", &format!("/drop/{folder}"), &headers, body)
    };
    assert_eq!(drop("new", "wrong", "a.glb", b"x").status, 403);
    assert_eq!(drop("new", &secret, "..%2f..", b"x").status, 400);
    assert_ne!(drop("..%2f..%2fx", &secret, "a.glb", b"x").status, 200);
    let answer = drop("new", &secret, "..%2f..%2fevil.svg", b"<svg onload='alert(1)'/>");
    assert_eq!(answer.status, 200, "{}", answer.text());
    let message: serde_json::Value = serde_json::from_str(&answer.text()).unwrap();
    assert!(message["item"].is_null(), "no character");
    let folder = message["folder"].as_str().unwrap();
    let kept = test.folder.path().join("kept/dropped").join(folder);
    assert!(kept.join("evil.svg").exists());
    // Nothing that was dropped is served.
    for path in [
        "/evil.svg".to_owned(),
        format!("/drop/{folder}/evil.svg"),
        format!("/dropped/{folder}/evil.svg"),
    ] {
        assert_ne!(http(address, "GET", &path, &[], b"").status, 200, "{path}");
    }
}

#[test]
fn a_download_is_an_attachment() {
    let test = studio("sample:tube@200");
    let mut page = Page::open(&test.studio);
    page.wait_for_character();
    let written = page
        .ask(json!({ "export": { "format": "skeleton.json" } }))
        .unwrap();
    let path = format!("/download/{}", written["ticket"].as_str().unwrap());
    let answer = http(test.studio.address(), "GET", &path, &[], b"");
    assert_eq!(answer.status, 200);
    assert_eq!(
        answer.header("content-type").as_deref(),
        Some("application/octet-stream")
    );
    assert!(
        answer
            .header("content-disposition")
            .unwrap()
            .starts_with("attachment;")
    );
    assert_eq!(
        answer.body,
        std::fs::read(written["path"].as_str().unwrap()).unwrap()
    );
}

#[test]
fn an_oversized_message_ends_its_page_alone() {
    let test = studio("sample:tube@200");
    let mut page = Page::open(&test.studio);
    page.wait_for_character();
    let huge = format!("{{\"id\":1,\"do\":{{\"library\":{}}}}}", " ".repeat(2 << 20));
    page.try_send(huge);
    while page.hear().is_some() {}
    let mut other = Page::open(&test.studio);
    other.wait_for_character();
    assert!(other.ask(json!({ "library": {} })).is_ok());
}
