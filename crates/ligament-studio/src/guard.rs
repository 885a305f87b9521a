//! Which requests are answered at all, and what every answer says.
//!
//! The server listens on the loopback interface only, which does not keep web pages out: any page may ask this machine's
//! ports, and with a name that points here (DNS rebinding) it may read the answers. So `Host` and `Origin` are held against
//! literal lists; comparing one with the other would not do, as under rebinding both are the attacker's.

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, Uri, header};

/// The names that this server answers to.
pub struct Guard {
    hosts: [String; 3],
    origins: [String; 3],
}

/// Where a message may come from another site: the page itself, which anybody may link to.
const PAGE: &str = "/";
/// Where the WebSocket is.
pub const SOCKET: &str = "/ws";

impl Guard {
    /// The names of a server on this port.
    pub fn new(port: u16) -> Self {
        let hosts = ["127.0.0.1", "localhost", "[::1]"].map(|name| format!("{name}:{port}"));
        let origins = hosts.clone().map(|host| format!("http://{host}"));
        Self { hosts, origins }
    }

    /// Fails with what is wrong about a request.
    pub fn check(
        &self,
        method: &Method,
        uri: &Uri,
        headers: &HeaderMap,
    ) -> Result<(), (StatusCode, &'static str)> {
        let refused = |why| Err((StatusCode::FORBIDDEN, why));
        let is_host = |host: &str| self.hosts.iter().any(|own| own == host);
        match one(headers, header::HOST) {
            Found::One(host) if is_host(host) => {}
            _ => {
                return Err((
                    StatusCode::MISDIRECTED_REQUEST,
                    "this is not the studio's address",
                ));
            }
        }
        if uri.authority().is_some_and(|a| !is_host(a.as_str())) {
            return Err((
                StatusCode::MISDIRECTED_REQUEST,
                "this is not the studio's address",
            ));
        }
        let is_own = |origin: &str| self.origins.iter().any(|own| own == origin);
        let reads = method == Method::GET || method == Method::HEAD;
        let needs_origin = !reads || uri.path() == SOCKET;
        match one(headers, header::ORIGIN) {
            Found::One(origin) if is_own(origin) => {}
            Found::None if !needs_origin => {}
            Found::None => return refused("a page must say where it is from"),
            _ if reads && uri.path() == PAGE => {}
            _ => return refused("this page is not the studio's"),
        }
        let crosses = match one(headers, HeaderName::from_static("sec-fetch-site")) {
            Found::None => false,
            Found::One(site) => site != "same-origin" && site != "none",
            Found::Unclear => true,
        };
        if crosses && !(reads && uri.path() == PAGE) {
            return refused("only the page itself may be asked for from elsewhere");
        }
        Ok(())
    }
}

/// A header that may be there once.
enum Found<'a> {
    None,
    One(&'a str),
    /// It is there twice, or is no text.
    Unclear,
}

fn one(headers: &HeaderMap, name: HeaderName) -> Found<'_> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (None, _) => Found::None,
        (Some(value), None) => value.to_str().map_or(Found::Unclear, Found::One),
        _ => Found::Unclear,
    }
}

/// What every answer says: nothing from elsewhere, nothing guessed, nothing kept, nobody frames it.
pub const HEADERS: [(&str, &str); 8] = [
    (
        "content-security-policy",
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-embedder-policy", "require-corp"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cache-control", "no-store"),
];

/// Adds [`HEADERS`].
pub fn add_headers(headers: &mut HeaderMap) {
    for (name, value) in HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(method: Method, path: &str, given: &[(&str, &str)]) -> bool {
        let mut headers = HeaderMap::new();
        for (name, value) in given {
            headers.append(
                HeaderName::from_bytes(name.as_bytes()).unwrap(),
                HeaderValue::from_str(value).unwrap(),
            );
        }
        let guard = Guard::new(4000);
        guard.check(&method, &path.parse().unwrap(), &headers).is_ok()
    }

    const HOST: (&str, &str) = ("host", "127.0.0.1:4000");
    const OWN: (&str, &str) = ("origin", "http://127.0.0.1:4000");

    #[test]
    fn only_literal_names_of_this_machine_are_answered_to() {
        for good in ["127.0.0.1:4000", "localhost:4000", "[::1]:4000"] {
            assert!(ask(Method::GET, "/", &[("host", good)]), "{good}");
        }
        for bad in [
            "evil.example:4000",
            "127.0.0.1",
            "127.0.0.1:4001",
            "localhost.evil.example:4000",
            "127.0.0.1:4000.evil.example",
            "0.0.0.0:4000",
            "",
        ] {
            assert!(!ask(Method::GET, "/", &[("host", bad)]), "{bad}");
        }
        assert!(!ask(Method::GET, "/", &[]), "no name at all");
        assert!(
            !ask(Method::GET, "/", &[HOST, ("host", "evil.example")]),
            "two names"
        );
        assert!(
            !ask(Method::GET, "http://evil.example/", &[HOST]),
            "a proxy's request"
        );
    }

    #[test]
    fn a_socket_and_a_post_need_the_pages_own_origin() {
        for (method, path) in [(Method::GET, SOCKET), (Method::POST, "/session")] {
            assert!(ask(method.clone(), path, &[HOST, OWN]));
            assert!(!ask(method.clone(), path, &[HOST]), "missing");
            for bad in [
                "null",
                "http://evil.example",
                "https://127.0.0.1:4000",
                "http://127.0.0.1:4001",
                "http://127.0.0.1",
            ] {
                assert!(!ask(method.clone(), path, &[HOST, ("origin", bad)]), "{bad}");
            }
            assert!(
                !ask(method, path, &[HOST, OWN, ("origin", "null")]),
                "two of them"
            );
        }
    }

    #[test]
    fn only_the_page_may_be_asked_for_from_elsewhere() {
        let cross = ("sec-fetch-site", "cross-site");
        assert!(ask(Method::GET, "/", &[HOST, cross]));
        assert!(ask(
            Method::GET,
            "/",
            &[HOST, cross, ("origin", "http://evil.example")]
        ));
        assert!(!ask(Method::GET, "/app.js", &[HOST, cross]));
        assert!(!ask(
            Method::GET,
            "/app.js",
            &[HOST, ("origin", "http://evil.example")]
        ));
        assert!(!ask(
            Method::GET,
            "/download/x",
            &[HOST, ("sec-fetch-site", "same-site")]
        ));
        assert!(!ask(Method::POST, "/session", &[HOST, OWN, cross]));
        assert!(ask(
            Method::GET,
            "/app.js",
            &[HOST, ("sec-fetch-site", "same-origin")]
        ));
        assert!(ask(
            Method::GET,
            "/download/x",
            &[HOST, ("sec-fetch-site", "none")]
        ));
    }
}
