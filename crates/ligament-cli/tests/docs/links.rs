//! Links lead somewhere, and the book leaves no page out.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use ligament_testkit::project_root;

use crate::markdown::{Page, pages};

/// The file that a link of a page points to, relative to the root, with `.` and `..`
/// resolved.
fn target(page: &Page, link: &str) -> String {
    let mut path = PathBuf::new();
    let folder = Path::new(&page.name).parent().unwrap_or(Path::new(""));
    for component in folder.join(link).components() {
        match component {
            Component::ParentDir => assert!(path.pop(), "{}: {link} leaves the project", page.name),
            Component::CurDir => {}
            other => path.push(other),
        }
    }
    path.to_str().unwrap().replace('\\', "/")
}

fn is_elsewhere(link: &str) -> bool {
    link.starts_with("https://") || link.starts_with("http://") || link.starts_with("mailto:")
}

#[test]
fn every_link_leads_somewhere() {
    let root = project_root();
    let pages = pages();
    let by_name: BTreeMap<&str, &Page> = pages.iter().map(|p| (p.name.as_str(), p)).collect();
    let mut broken = Vec::new();
    let mut seen = 0;
    for page in &pages {
        for link in &page.links {
            if is_elsewhere(&link.text) {
                continue;
            }
            seen += 1;
            let (file, anchor) = link.text.split_once('#').unwrap_or((&link.text, ""));
            let name = if file.is_empty() {
                page.name.clone()
            } else {
                target(page, file)
            };
            let lacks_anchor = || {
                !anchor.is_empty()
                    && by_name
                        .get(name.as_str())
                        .is_none_or(|p| !p.anchors.contains(anchor))
            };
            if !root.join(&name).exists() || lacks_anchor() {
                broken.push(format!("{}: {}", page.at(link.line), link.text));
            }
        }
    }
    assert!(seen > 100, "only {seen} links found");
    assert!(
        broken.is_empty(),
        "links that lead nowhere:\n{}",
        broken.join("\n")
    );
}

#[test]
fn the_book_has_every_page_once() {
    let pages = pages();
    let summary = pages.iter().find(|p| p.name == "docs/SUMMARY.md").unwrap();
    let listed: Vec<String> = summary.links.iter().map(|l| target(summary, &l.text)).collect();
    let once: BTreeSet<&str> = listed.iter().map(String::as_str).collect();
    assert_eq!(once.len(), listed.len(), "docs/SUMMARY.md names a page twice");
    let written: BTreeSet<&str> = pages
        .iter()
        .map(|p| p.name.as_str())
        .filter(|name| name.starts_with("docs/") && *name != "docs/SUMMARY.md")
        .collect();
    assert_eq!(written, once, "docs/SUMMARY.md and the files of docs differ");
}

#[test]
fn every_picture_is_shown() {
    let shown: BTreeSet<String> = pages()
        .iter()
        .flat_map(|page| page.links.iter().map(move |l| (page, l)))
        .filter(|(_, link)| {
            [".png", ".jpg", ".gif"]
                .iter()
                .any(|end| link.text.ends_with(end))
        })
        .map(|(page, link)| target(page, &link.text))
        .collect();
    let folder = project_root().join("docs/images");
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = format!("docs/images/{}", entry.unwrap().file_name().to_str().unwrap());
        assert!(shown.contains(&name), "no page shows {name}");
    }
}
