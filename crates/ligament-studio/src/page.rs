//! The page, built from `web/` by `cargo xtask web` and kept here, so that a machine with Rust alone has it.

use std::borrow::Cow;
use std::path::Path;

/// A file of the page.
pub struct PageFile {
    /// Where it is asked for.
    pub path: &'static str,
    /// Its type.
    pub kind: &'static str,
    /// What is in it.
    pub bytes: &'static [u8],
}

impl PageFile {
    /// What is in it: as it was built in, or as it lies in a folder now, for who works on the page.
    pub fn contents(&self, folder: Option<&Path>) -> Cow<'static, [u8]> {
        let name = match self.path {
            "/" => "index.html",
            path => path.trim_start_matches('/'),
        };
        let fresh = folder.and_then(|folder| std::fs::read(folder.join(name)).ok());
        fresh.map_or(Cow::Borrowed(self.bytes), Cow::Owned)
    }
}

/// All files of the page.
pub static FILES: [PageFile; 4] = [
    PageFile {
        path: "/",
        kind: "text/html; charset=utf-8",
        bytes: include_bytes!("../page/index.html"),
    },
    PageFile {
        path: "/studio.js",
        kind: "text/javascript; charset=utf-8",
        bytes: include_bytes!("../page/studio.js"),
    },
    PageFile {
        path: "/studio.css",
        kind: "text/css; charset=utf-8",
        bytes: include_bytes!("../page/studio.css"),
    },
    PageFile {
        path: "/favicon.svg",
        kind: "image/svg+xml",
        bytes: include_bytes!("../page/favicon.svg"),
    },
];
