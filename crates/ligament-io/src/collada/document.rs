//! The parts of a document by their names: elements by id, and arrays of numbers and names behind sources.

use std::collections::HashMap;

use super::xml::Element;
use crate::import::ImportError;

/// A document with its elements by id.
pub(super) struct Document<'a> {
    pub root: &'a Element,
    by_id: HashMap<&'a str, &'a Element>,
}

/// Numbers in rows.
pub(super) struct Numbers {
    pub values: Vec<f64>,
    pub stride: usize,
}

impl Numbers {
    pub fn row(&self, index: usize) -> Option<&[f64]> {
        let from = index.checked_mul(self.stride)?;
        self.values.get(from..from.checked_add(self.stride)?)
    }

    pub fn rows(&self) -> usize {
        self.values.len() / self.stride.max(1)
    }
}

impl<'a> Document<'a> {
    pub fn new(root: &'a Element) -> Self {
        let mut by_id = HashMap::new();
        root.by_id(&mut by_id);
        Self { root, by_id }
    }

    /// What `#id` names.
    pub fn find(&self, link: Option<&str>) -> Option<&'a Element> {
        let link = link?;
        self.by_id.get(link.strip_prefix('#').unwrap_or(link)).copied()
    }

    /// Like [`find`](Self::find), where it must be there.
    pub fn expect(&self, link: Option<&str>, by: &Element) -> Result<&'a Element, ImportError> {
        self.find(link).ok_or_else(|| {
            let what = link.unwrap_or("nothing");
            ImportError::malformed(format!("<{}>", by.name), format!("'{what}' is not in the file"))
        })
    }

    /// The numbers of a source.
    pub fn numbers(&self, source: &Element) -> Result<Numbers, ImportError> {
        let accessor = source.below(&["technique_common", "accessor"]);
        let array = accessor
            .and_then(|a| self.find(a.attribute("source")))
            .or_else(|| source.child("float_array"))
            .ok_or_else(|| ImportError::malformed("<source>", "it has no numbers"))?;
        let read = |name: &str| {
            accessor
                .and_then(|a| a.attribute(name))
                .and_then(|text| text.parse::<usize>().ok())
        };
        let offset = read("offset").unwrap_or(0);
        let mut values = array.numbers()?;
        values.drain(..offset.min(values.len()));
        Ok(Numbers {
            values,
            stride: read("stride").unwrap_or(1).max(1),
        })
    }

    /// The names of a source.
    pub fn names(&self, source: &'a Element) -> Vec<&'a str> {
        let array = source
            .children
            .iter()
            .find(|c| c.name == "Name_array" || c.name == "IDREF_array");
        array.map_or(Vec::new(), |a| a.text.split_ascii_whitespace().collect())
    }
}
