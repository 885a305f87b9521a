//! What a page of Markdown holds: headings, links, code.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use ligament_testkit::project_root;
use pulldown_cmark::{CodeBlockKind, Event, Options, Parser, Tag, TagEnd};

/// Text of a page, and the line that it begins on.
#[derive(Debug, Clone)]
pub struct Snippet {
    pub text: String,
    pub line: usize,
}

/// A fenced block of code.
#[derive(Debug, Clone)]
pub struct Block {
    /// What follows the fence, such as `sh` or `rust,no_run`; none for an indented block.
    pub language: Option<String>,
    pub text: String,
    pub line: usize,
}

/// A page of the project.
#[derive(Debug)]
pub struct Page {
    /// Relative to the project's root, with `/`.
    pub name: String,
    /// What a link may point to within the page.
    pub anchors: BTreeSet<String>,
    /// Targets of links and images.
    pub links: Vec<Snippet>,
    pub blocks: Vec<Block>,
    /// Code within a line.
    pub spans: Vec<Snippet>,
}

impl Page {
    fn read(root: &Path, path: &Path) -> Self {
        let text = std::fs::read_to_string(path).unwrap();
        let name = path
            .strip_prefix(root)
            .unwrap()
            .to_str()
            .unwrap()
            .replace('\\', "/");
        let mut page = Self {
            name,
            anchors: BTreeSet::new(),
            links: Vec::new(),
            blocks: Vec::new(),
            spans: Vec::new(),
        };
        let mut heading: Option<String> = None;
        let mut block: Option<Block> = None;
        for (event, range) in Parser::new_ext(&text, Options::ENABLE_TABLES).into_offset_iter() {
            let line = text[..range.start].lines().count() + 1;
            match event {
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::End(TagEnd::Heading(_)) => {
                    let anchor = anchor_of(&heading.take().unwrap_or_default());
                    assert!(
                        page.anchors.insert(anchor.clone()),
                        "{}:{line}: a second heading with the anchor {anchor}",
                        page.name
                    );
                }
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    let text = dest_url.into_string();
                    page.links.push(Snippet { text, line });
                }
                Event::Start(Tag::CodeBlock(kind)) => {
                    let language = match kind {
                        CodeBlockKind::Fenced(language) => Some(language.into_string()),
                        CodeBlockKind::Indented => None,
                    };
                    let text = String::new();
                    block = Some(Block { language, text, line });
                }
                Event::End(TagEnd::CodeBlock) => page.blocks.extend(block.take()),
                Event::Text(part) => {
                    if let Some(block) = &mut block {
                        block.text.push_str(&part);
                    } else if let Some(heading) = &mut heading {
                        heading.push_str(&part);
                    }
                }
                Event::Code(code) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&code);
                    }
                    let text = code.into_string();
                    page.spans.push(Snippet { text, line });
                }
                Event::Html(html) | Event::InlineHtml(html) => {
                    if let Some((_, rest)) = html.split_once("<a id=\"")
                        && let Some((anchor, _)) = rest.split_once('"')
                    {
                        page.anchors.insert(anchor.to_owned());
                    }
                }
                _ => {}
            }
        }
        page
    }

    /// Where a line of the page is, for messages.
    pub fn at(&self, line: usize) -> String {
        format!("{}:{line}", self.name)
    }
}

/// What a heading is linked to by: GitHub's and mdBook's rule.
fn anchor_of(heading: &str) -> String {
    heading
        .trim()
        .chars()
        .filter_map(|c| match c {
            ' ' => Some('-'),
            c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
            _ => None,
        })
        .flat_map(char::to_lowercase)
        .collect()
}

/// The project's pages: those at its root and the book.
pub fn pages() -> Vec<Page> {
    let root = project_root();
    let mut files = Vec::new();
    markdown_files(&root, false, &mut files);
    markdown_files(&root.join("docs"), true, &mut files);
    files.sort();
    assert!(files.len() > 30, "only {} pages", files.len());
    files.iter().map(|file| Page::read(&root, file)).collect()
}

/// The README and the book: what promises how things are now. A changelog tells how they were.
pub fn manual() -> Vec<Page> {
    let mut pages = pages();
    pages.retain(|page| page.name != "CHANGELOG.md");
    pages
}

fn markdown_files(folder: &Path, deep: bool, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            if deep {
                markdown_files(&path, deep, files);
            }
        } else if path.extension().is_some_and(|e| e == "md") {
            files.push(path);
        }
    }
}

#[test]
fn anchors_are_made_as_readers_make_them() {
    assert_eq!(anchor_of("Which joints take part"), "which-joints-take-part");
    assert_eq!(
        anchor_of("Tried with garments, and left"),
        "tried-with-garments-and-left"
    );
    assert_eq!(anchor_of("`2014` at 3·10⁻⁴"), "2014-at-310⁴");
}
