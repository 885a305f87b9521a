//! A page without a browser: HTTP by hand, the WebSocket by a library.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::time::{Duration, Instant};

use ligament_studio::{Studio, StudioOptions};
use serde_json::{Value, json};
use tempfile::TempDir;
use tungstenite::client::IntoClientRequest;
use tungstenite::{Message, WebSocket, client, protocol::WebSocketConfig};

/// Longer than anything takes on a busy machine.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// A studio in folders of its own.
pub struct TestStudio {
    pub studio: Studio,
    pub folder: TempDir,
}

pub fn studio(input: &str) -> TestStudio {
    let folder = tempfile::tempdir().unwrap();
    let studio = studio_in(input, folder.path());
    TestStudio { studio, folder }
}

pub fn studio_in(input: &str, folder: &Path) -> Studio {
    std::fs::create_dir_all(folder.join("exports")).unwrap();
    Studio::start(&StudioOptions {
        input: input.to_owned(),
        port: 0,
        exports: folder.join("exports"),
        kept: Some(folder.join("kept")),
        page: None,
    })
    .unwrap()
}

/// What a request over HTTP came to.
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: Vec<u8>,
}

impl Answer {
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub fn header(&self, name: &str) -> Option<String> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(':')?;
            key.eq_ignore_ascii_case(name).then(|| value.trim().to_owned())
        })
    }
}

/// Sends a request as it is given.
pub fn http(address: SocketAddr, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
    let mut stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut head = format!(
        "{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n",
        body.len()
    );
    if !headers.iter().any(|h| h.0.eq_ignore_ascii_case("host")) {
        head.push_str(&format!("Host: {address}\r\n"));
    }
    for (name, value) in headers {
        head.push_str(&format!("{name}: {value}\r\n"));
    }
    head.push_str("\r\n");
    stream.write_all(head.as_bytes()).unwrap();
    let _ = stream.write_all(body); // a server that refuses early stops reading
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    let end = bytes
        .windows(4)
        .position(|w| w == b"\r\n\r\n")
        .unwrap_or(bytes.len());
    let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
    let status = head.split(' ').nth(1).and_then(|s| s.parse().ok()).unwrap_or(0);
    let body = bytes.get(end + 4..).unwrap_or_default().to_vec();
    Answer { status, head, body }
}

/// The secret that a fresh link opens.
pub fn secret(studio: &Studio) -> String {
    let link = studio.link().unwrap();
    let code = link.split('#').nth(1).unwrap();
    let origin = format!("http://{}", studio.address());
    let answer = http(
        studio.address(),
        "POST",
        "/session",
        &[("Origin", &origin)],
        code.as_bytes(),
    );
    assert_eq!(answer.status, 200, "{}", answer.text());
    answer.text()
}

/// A page.
pub struct Page {
    socket: WebSocket<TcpStream>,
    next: u32,
    pub frames: Vec<Vec<u8>>,
    pub received: Vec<(String, Value)>,
}

/// Opens a WebSocket with these headers; what the server says if it refuses.
pub fn connect(
    address: SocketAddr,
    host: &str,
    origin: Option<&str>,
) -> Result<WebSocket<TcpStream>, String> {
    let stream = TcpStream::connect(address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut request = format!("ws://{host}/ws").into_client_request().unwrap();
    if let Some(origin) = origin {
        request.headers_mut().insert("Origin", origin.parse().unwrap());
    }
    let config = WebSocketConfig::default()
        .max_message_size(None)
        .max_frame_size(None);
    match client::client_with_config(request, stream, Some(config)) {
        Ok((socket, _)) => Ok(socket),
        Err(error) => Err(error.to_string()),
    }
}

impl Page {
    pub fn open(studio: &Studio) -> Self {
        let secret = secret(studio);
        Self::with_secret(studio, &secret)
    }

    pub fn with_secret(studio: &Studio, secret: &str) -> Self {
        let address = studio.address();
        let origin = format!("http://{address}");
        let socket = connect(address, &address.to_string(), Some(&origin)).unwrap();
        let mut page = Self {
            socket,
            next: 1_000_000,
            frames: Vec::new(),
            received: Vec::new(),
        };
        page.send_text(&json!({ "secret": secret, "version": 1 }).to_string());
        page
    }

    pub fn send_text(&mut self, text: &str) {
        self.socket.send(Message::Text(text.to_owned().into())).unwrap();
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        self.socket.send(Message::Binary(bytes.to_vec().into())).unwrap();
    }

    /// Whether a message could be sent at all.
    pub fn try_send(&mut self, text: String) -> bool {
        self.socket.send(Message::Text(text.into())).is_ok()
    }

    /// The next thing that the server tells, frames kept apart; none when it hung up.
    pub fn hear(&mut self) -> Option<(String, Value)> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => {
                    let value: Value = serde_json::from_str(&text).unwrap();
                    let (kind, value) = value.as_object().unwrap().iter().next().unwrap();
                    self.received.push((kind.clone(), value.clone()));
                    return Some((kind.clone(), value.clone()));
                }
                Ok(Message::Binary(frame)) => self.frames.push(frame.to_vec()),
                Ok(Message::Close(_)) | Err(_) => return None,
                Ok(_) => {}
            }
        }
    }

    /// Waits for a message of a kind.
    pub fn wait(&mut self, kind: &str) -> Value {
        let start = Instant::now();
        while start.elapsed() < PATIENCE {
            let (heard, value) = self
                .hear()
                .unwrap_or_else(|| panic!("the server hung up before {kind}"));
            if heard == kind {
                return value;
            }
            assert!(
                !(heard == "ended" && !value["failed"].is_null() && kind == "scene"),
                "{value}"
            );
        }
        panic!("no {kind} came");
    }

    /// Asks, and waits for the answer or the error.
    pub fn ask(&mut self, command: Value) -> Result<Value, String> {
        self.ask_from(command, None)
    }

    pub fn ask_from(&mut self, command: Value, base: Option<u64>) -> Result<Value, String> {
        let id = self.next;
        self.next += 1;
        let mut request = json!({ "id": id, "do": command });
        if let Some(base) = base {
            request["base"] = base.into();
        }
        self.send_text(&request.to_string());
        loop {
            let (kind, value) = self.hear().expect("the server answers");
            if value["id"] == id && kind == "reply" {
                return Ok(value["value"].clone());
            }
            if value["id"] == id && kind == "error" {
                return Err(value["message"].as_str().unwrap().to_owned());
            }
        }
    }

    /// Waits until a character is there with its frames: mesh and two slots of weights.
    pub fn wait_for_character(&mut self) -> Value {
        let scene = self.wait("scene");
        while self.frames_of(scene["serial"].as_u64().unwrap(), 2).count() < 2 {
            // The frames come right after the state.
            self.ask(json!({ "library": {} })).unwrap();
        }
        scene
    }

    pub fn frames_of(&self, serial: u64, kind: u16) -> impl Iterator<Item = &Vec<u8>> {
        self.frames.iter().filter(move |f| {
            u16::from_le_bytes([f[2], f[3]]) == kind
                && u64::from(u32::from_le_bytes([f[4], f[5], f[6], f[7]])) == serial
        })
    }

    /// The last state that was received.
    pub fn state(&self) -> &Value {
        self.last("state")
    }

    /// The last message of a kind that was received.
    pub fn last(&self, kind: &str) -> &Value {
        let message = self.received.iter().rev().find(|message| message.0 == kind);
        &message.expect("such a message was received").1
    }
}

/// The settings that the page begins with.
pub fn settings(method: &str) -> Value {
    json!({ "method": method, "influences": 4, "prune": 0.001 })
}
