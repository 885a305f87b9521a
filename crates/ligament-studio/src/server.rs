//! The server: the page, the WebSocket, dropped files and downloads.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::Sender;
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::extract::{DefaultBodyLimit, Path, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use percent_encoding::percent_decode_str;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use crate::desk::{Event, Outgoing};
use crate::guard::{Guard, SOCKET, add_headers};
use crate::library::{can_be_opened, safe_name};
use crate::messages::{Hello, Request as Ask};
use crate::page::FILES;
use crate::project::Keeper;
use crate::secrets::{Doors, token};
use crate::tickets::Tickets;
use crate::wire::VERSION;

/// The longest message from a page: a pose of a thousand joints.
pub const LONGEST_MESSAGE: usize = 1 << 20;
/// The largest file that may be dropped.
const LARGEST_FILE: usize = 512 << 20;
/// Pages at a time.
const MOST_PAGES: usize = 16;
/// Messages that wait for a page; one that falls further behind is let go.
const WAITING: usize = 1024;
/// The secret must come within this time.
const PATIENCE: Duration = Duration::from_secs(10);

/// What handlers share.
pub struct Shared {
    /// Who is answered.
    pub guard: Guard,
    /// Who may talk.
    pub doors: Arc<Doors>,
    /// To the desk.
    pub desk: Sender<Event>,
    /// What may be downloaded.
    pub tickets: Arc<Tickets>,
    /// Where dropped files go.
    pub keeper: Keeper,
    /// Where the page lies while it is worked on.
    pub page: Option<std::path::PathBuf>,
    /// Numbers pages.
    pub next_page: AtomicU64,
    /// Pages that are there.
    pub pages: AtomicUsize,
}

/// All routes, behind the guard.
pub fn router(shared: Arc<Shared>) -> Router {
    let mut router = Router::new();
    for file in &FILES {
        let folder = shared.page.clone();
        let answer = move || async move {
            let contents = file.contents(folder.as_deref());
            ([(header::CONTENT_TYPE, file.kind)], contents)
        };
        router = router.route(file.path, get(answer));
    }
    router
        .route("/session", post(session).layer(DefaultBodyLimit::max(1 << 10)))
        .route(
            "/drop/{folder}",
            post(drop_file).layer(DefaultBodyLimit::max(LARGEST_FILE)),
        )
        .route("/download/{ticket}", get(download))
        .route(SOCKET, get(socket))
        .layer(middleware::from_fn_with_state(shared.clone(), guarded))
        .with_state(shared)
}

async fn guarded(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let checked = shared
        .guard
        .check(request.method(), request.uri(), request.headers());
    let mut response = match checked {
        Ok(()) => next.run(request).await,
        Err(refused) => refused.into_response(),
    };
    add_headers(response.headers_mut());
    response
}

/// A code for the secret.
async fn session(State(shared): State<Arc<Shared>>, code: String) -> Response {
    match shared.doors.exchange(code.trim()) {
        Some(secret) => secret.to_owned().into_response(),
        None => (
            StatusCode::FORBIDDEN,
            "this address was used already; ask the studio for a new one",
        )
            .into_response(),
    }
}

const SECRET: &str = "x-ligament-secret";
const NAME: &str = "x-ligament-name";
/// In place of a folder's name: a new one.
const NEW: &str = "new";

/// One file of a drop. Files of one drop share a folder, which the first of them makes.
async fn drop_file(
    State(shared): State<Arc<Shared>>,
    Path(folder): Path<String>,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let given = |name| headers.get(name).and_then(|v: &HeaderValue| v.to_str().ok());
    if !given(SECRET).is_some_and(|secret| shared.doors.admits(secret)) {
        return (StatusCode::FORBIDDEN, "this page is not the studio's").into_response();
    }
    let name = given(NAME).map(|n| percent_decode_str(n).decode_utf8_lossy().into_owned());
    let Some(name) = name.as_deref().and_then(safe_name) else {
        return (StatusCode::BAD_REQUEST, "this file has no usable name").into_response();
    };
    let is_folder = folder.len() == 43
        && folder
            .bytes()
            .all(|c| c.is_ascii_alphanumeric() || b"-_".contains(&c));
    let folder = match folder.as_str() {
        NEW => token().map_err(|e| e.to_string()),
        _ if is_folder => Ok(folder),
        _ => Err("there is no such drop".to_owned()),
    };
    let keeper = shared.keeper.clone();
    let written = tokio::task::spawn_blocking(move || {
        let folder = folder?;
        let path = keeper.new_drop(&folder).map_err(|e| e.to_string())?.join(name);
        std::fs::write(&path, &body).map_err(|e| format!("the file cannot be kept: {e}"))?;
        Ok::<_, String>((folder, path))
    });
    let (folder, path) = match written.await {
        Ok(Ok(written)) => written,
        Ok(Err(message)) => return (StatusCode::INSUFFICIENT_STORAGE, message).into_response(),
        Err(_) => return StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    };
    let mut item = None;
    if can_be_opened(&path) {
        let (back, answer) = oneshot::channel();
        if shared.desk.send(Event::Dropped(path, back)).is_ok() {
            item = answer.await.ok().map(|i| i.id);
        }
    }
    serde_json::json!({ "folder": folder, "item": item })
        .to_string()
        .into_response()
}

/// A file that was written, never shown in the page's place.
async fn download(State(shared): State<Arc<Shared>>, Path(ticket): Path<String>) -> Response {
    let Some(path) = shared.tickets.file(&ticket) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let name = crate::library::file_name(&path);
    let plain: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || "._-".contains(c) {
                c
            } else {
                '_'
            }
        })
        .collect();
    match tokio::task::spawn_blocking(move || std::fs::read(path)).await {
        Ok(Ok(bytes)) => (
            [
                (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
                (
                    header::CONTENT_DISPOSITION,
                    format!("attachment; filename=\"{plain}\""),
                ),
            ],
            bytes,
        )
            .into_response(),
        _ => (StatusCode::NOT_FOUND, "the file is gone").into_response(),
    }
}

async fn socket(State(shared): State<Arc<Shared>>, upgrade: WebSocketUpgrade) -> Response {
    upgrade
        .max_message_size(LONGEST_MESSAGE)
        .max_frame_size(LONGEST_MESSAGE)
        .on_upgrade(|socket| talk(shared, socket))
}

/// Counts a page as long as it is there.
struct Present(Arc<Shared>, u64);

impl Drop for Present {
    fn drop(&mut self) {
        self.0.pages.fetch_sub(1, Ordering::Relaxed);
        let _ = self.0.desk.send(Event::Leave(self.1)); // the desk may be gone
    }
}

async fn talk(shared: Arc<Shared>, mut socket: WebSocket) {
    if shared.pages.fetch_add(1, Ordering::Relaxed) >= MOST_PAGES {
        shared.pages.fetch_sub(1, Ordering::Relaxed);
        return close(socket, close_code::AGAIN, "too many tabs are open").await;
    }
    let page = shared.next_page.fetch_add(1, Ordering::Relaxed);
    let _present = Present(shared.clone(), page);
    let first = timeout(PATIENCE, socket.recv()).await;
    let hello = match first {
        Ok(Some(Ok(Message::Text(text)))) => serde_json::from_str::<Hello>(&text).ok(),
        _ => None,
    };
    match hello {
        Some(hello) if !shared.doors.admits(&hello.secret) => {
            return close(
                socket,
                close_code::POLICY,
                "open the address that the studio printed",
            )
            .await;
        }
        Some(hello) if hello.version != VERSION => {
            return close(
                socket,
                close_code::PROTOCOL,
                "the page is of another version; load it again",
            )
            .await;
        }
        Some(_) => {}
        None => return close(socket, close_code::POLICY, "the secret comes first").await,
    }
    let (to_page, mut outbox) = mpsc::channel(WAITING);
    if shared.desk.send(Event::Join(page, to_page)).is_err() {
        return;
    }
    loop {
        tokio::select! {
            out = outbox.recv() => {
                let message = match out {
                    Some(Outgoing::Text(text)) => Message::Text(text.into()),
                    Some(Outgoing::Frame(frame)) => Message::Binary(frame),
                    None => return close(socket, close_code::AGAIN, "the page did not keep up").await,
                };
                if socket.send(message).await.is_err() {
                    return;
                }
            }
            heard = socket.recv() => {
                let event = match heard {
                    Some(Ok(Message::Text(text))) => match serde_json::from_str::<Ask>(&text) {
                        Ok(ask) => Event::Ask(page, Box::new(ask)),
                        Err(error) => Event::Garbled(page, format!("the message cannot be read: {error}")),
                    },
                    Some(Ok(Message::Binary(_))) => {
                        Event::Garbled(page, "pages send text only".to_owned())
                    }
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                };
                if shared.desk.send(event).is_err() {
                    return;
                }
            }
        }
    }
}

async fn close(mut socket: WebSocket, code: u16, reason: &'static str) {
    let frame = CloseFrame {
        code,
        reason: reason.into(),
    };
    let _ = socket.send(Message::Close(Some(frame))).await; // it may be gone already
}
