//! The file as a tree of elements, in the order of the file.

use std::collections::HashMap;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::import::ImportError;
use crate::text::without_mark;

/// Deeper trees than this are no characters.
const DEEPEST: usize = 512;

/// An element.
#[derive(Debug, Default)]
pub(super) struct Element {
    pub name: String,
    pub attributes: Vec<(String, String)>,
    pub text: String,
    pub children: Vec<Element>,
}

impl Element {
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }

    pub fn child(&self, name: &str) -> Option<&Self> {
        self.children.iter().find(|c| c.name == name)
    }

    pub fn children<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a Self> {
        self.children.iter().filter(move |c| c.name == name)
    }

    /// Its input of that meaning.
    pub fn input(&self, semantic: &str) -> Option<&Self> {
        self.children("input")
            .find(|c| c.attribute("semantic") == Some(semantic))
    }

    /// The element at the end of a path of names.
    pub fn below(&self, path: &[&str]) -> Option<&Self> {
        path.iter().try_fold(self, |element, name| element.child(name))
    }

    /// The first element of that name, here or anywhere below.
    pub fn find(&self, name: &str) -> Option<&Self> {
        if self.name == name {
            return Some(self);
        }
        self.children.iter().find_map(|c| c.find(name))
    }

    /// Its text as numbers.
    pub fn numbers(&self) -> Result<Vec<f64>, ImportError> {
        let number = |word: &str| {
            let value = crate::text::f64_of(word.as_bytes());
            value.ok_or_else(|| {
                ImportError::malformed(format!("<{}>", self.name), format!("'{word}' is no number"))
            })
        };
        self.text.split_ascii_whitespace().map(number).collect()
    }

    /// Its text as indices; −1 means none.
    pub fn indices(&self) -> Result<Vec<Option<usize>>, ImportError> {
        let index = |word: &str| match word.parse::<i64>() {
            Ok(number) => Ok(usize::try_from(number).ok()),
            Err(_) => Err(ImportError::malformed(
                format!("<{}>", self.name),
                format!("'{word}' is no index"),
            )),
        };
        self.text.split_ascii_whitespace().map(index).collect()
    }

    /// Every element with an id, here and below.
    pub fn by_id<'a>(&'a self, found: &mut HashMap<&'a str, &'a Self>) {
        if let Some(id) = self.attribute("id") {
            found.entry(id).or_insert(self);
        }
        for child in &self.children {
            child.by_id(found);
        }
    }
}

/// Reads a whole file.
pub(super) fn parse(bytes: &[u8]) -> Result<Element, ImportError> {
    let text = std::str::from_utf8(without_mark(bytes))
        .map_err(|e| ImportError::malformed(format!("byte {}", e.valid_up_to()), "it is no UTF-8 text"))?;
    let mut reader = Reader::from_str(text);
    let mut open: Vec<Element> = vec![Element::default()];
    loop {
        let at = reader.buffer_position();
        let fail = |problem: String| ImportError::malformed(format!("byte {at}"), problem);
        match reader.read_event().map_err(|e| fail(e.to_string()))? {
            Event::Eof => break,
            Event::Start(tag) => {
                if open.len() > DEEPEST {
                    return Err(fail(format!("more than {DEEPEST} elements inside each other")));
                }
                open.push(element(&tag).map_err(fail)?);
            }
            Event::Empty(tag) => {
                let empty = element(&tag).map_err(fail)?;
                if let Some(parent) = open.last_mut() {
                    parent.children.push(empty);
                }
            }
            Event::End(_) => {
                let done = open.pop().unwrap_or_default();
                match open.last_mut() {
                    Some(parent) => parent.children.push(done),
                    None => return Err(fail("an element ends that did not begin".to_owned())),
                }
            }
            Event::Text(text) => {
                if let Some(element) = open.last_mut() {
                    element.text.push_str(&text);
                }
            }
            Event::CData(text) => {
                if let Some(element) = open.last_mut() {
                    element.text.push_str(&text);
                }
            }
            _ => {}
        }
    }
    let mut document = open.swap_remove(0);
    let root = document.children.iter().position(|c| c.name == "COLLADA");
    match root {
        Some(root) if open.is_empty() => Ok(document.children.swap_remove(root)),
        Some(_) => Err(ImportError::malformed("the file", "it is cut off")),
        None => Err(ImportError::malformed(
            "the file",
            "this is not Collada, or it is cut off",
        )),
    }
}

fn element(tag: &BytesStart<'_>) -> Result<Element, String> {
    let name = tag.name();
    let name: &str = name.as_ref();
    let mut element = Element {
        // Some exporters name the namespace on every element.
        name: name.rsplit(':').next().unwrap_or(name).to_owned(),
        ..Element::default()
    };
    for attribute in tag.attributes() {
        let attribute = attribute.map_err(|e| e.to_string())?;
        let key: &str = attribute.key.as_ref();
        let value = attribute
            .normalized_value(quick_xml::XmlVersion::Explicit1_0)
            .map_err(|e| e.to_string())?;
        element.attributes.push((key.to_owned(), value.into_owned()));
    }
    Ok(element)
}
