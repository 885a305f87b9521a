//! A layer in memory: a tree of prims, each with attributes and relationships. The text
//! and the binary form are read into it, and the text is printed from it.

use std::fmt::Write as _;

/// One file's prims.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Layer {
    pub metadata: Vec<(String, Value)>,
    pub prims: Vec<Prim>,
}

/// A named thing in the tree.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Prim {
    pub name: String,
    /// `Mesh`, `Skeleton`, …; empty where the file says none.
    pub type_name: String,
    /// Whether it is a `def`; an `over` or a `class` draws nothing by itself.
    pub is_defined: bool,
    pub metadata: Vec<(String, Value)>,
    pub attributes: Vec<Attribute>,
    pub relationships: Vec<Relationship>,
    pub children: Vec<Prim>,
}

/// A typed value, fixed or over time.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Attribute {
    pub name: String,
    /// As the text has it: `point3f[]`.
    pub type_name: String,
    pub is_uniform: bool,
    pub is_custom: bool,
    pub default: Option<Value>,
    /// Time codes and values, in order of time.
    pub samples: Vec<(f64, Value)>,
    /// Where the value comes from instead, as paths.
    pub connections: Vec<String>,
    pub metadata: Vec<(String, Value)>,
}

/// Paths to other prims.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Relationship {
    pub name: String,
    pub targets: Vec<String>,
}

/// A value. Numbers of all widths, scalars, tuples and arrays alike, are one flat list:
/// the attribute's type says how to group them. Quaternions have the real part first.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    /// `None`: whatever was there before is no more.
    Blocked,
    Bool(bool),
    Numbers(Vec<f64>),
    /// A string, token or asset.
    Text(String),
    Texts(Vec<String>),
    Dictionary(Vec<(String, Value)>),
    /// Something that is there but not looked into.
    Other,
}

impl Value {
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Numbers(n) if n.len() == 1 => n.first().copied(),
            _ => None,
        }
    }

    pub fn numbers(&self) -> Option<&[f64]> {
        match self {
            Self::Numbers(n) => Some(n),
            // An empty list says nothing of what it would hold.
            Self::Texts(t) if t.is_empty() => Some(&[]),
            _ => None,
        }
    }

    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(t) => Some(t),
            _ => None,
        }
    }

    pub fn texts(&self) -> Option<&[String]> {
        match self {
            Self::Texts(t) => Some(t),
            Self::Numbers(n) if n.is_empty() => Some(&[]),
            _ => None,
        }
    }
}

/// The entry of a list of metadata.
pub(super) fn entry<'a>(metadata: &'a [(String, Value)], key: &str) -> Option<&'a Value> {
    metadata.iter().find(|(k, _)| k == key).map(|(_, v)| v)
}

impl Attribute {
    /// What it is when nothing moves: the default, or else the first sample.
    pub fn still(&self) -> Option<&Value> {
        let default = self.default.as_ref().filter(|v| **v != Value::Blocked);
        default.or_else(|| self.samples.first().map(|(_, v)| v))
    }

    /// `constant`, `vertex`, `faceVarying`, …
    pub fn interpolation(&self) -> &str {
        entry(&self.metadata, "interpolation")
            .and_then(Value::text)
            .unwrap_or("constant")
    }
}

impl Prim {
    pub fn attribute(&self, name: &str) -> Option<&Attribute> {
        self.attributes.iter().find(|a| a.name == name)
    }

    pub fn value(&self, name: &str) -> Option<&Value> {
        self.attribute(name)?.still()
    }

    pub fn text(&self, name: &str) -> Option<&str> {
        self.value(name)?.text()
    }

    /// The first target of a relationship.
    pub fn target(&self, name: &str) -> Option<&str> {
        let relationship = self.relationships.iter().find(|r| r.name == name)?;
        relationship.targets.first().map(String::as_str)
    }

    /// What a person calls it, where the file says so.
    pub fn given_name(&self) -> Option<&str> {
        let given = entry(&self.metadata, "displayName").and_then(Value::text);
        given.filter(|n| !n.is_empty())
    }

    /// What a person calls it.
    pub fn display_name(&self) -> &str {
        self.given_name().unwrap_or(&self.name)
    }
}

/// Numbers in one value of a type: 3 for `point3f[]`, 16 for `matrix4d`.
pub(super) fn width_of(type_name: &str) -> usize {
    let element = type_name.trim_end_matches("[]");
    if element.starts_with("quat") {
        return 4;
    }
    if element.starts_with("int64") || element.starts_with("uint64") {
        return 1;
    }
    let digit = element
        .bytes()
        .find(u8::is_ascii_digit)
        .map_or(1, |d| usize::from(d - b'0'));
    let is_matrix = element.starts_with("matrix") || element.starts_with("frame");
    if is_matrix { digit * digit } else { digit }
}

/// Whether a property of that name says anything about a character. Others are skipped
/// while reading: renderers' settings.
pub(super) fn is_wanted(property: &str) -> bool {
    const NAMES: [&str; 26] = [
        "points",
        "faceVertexCounts",
        "faceVertexIndices",
        "orientation",
        "normals",
        "doubleSided",
        "purpose",
        "visibility",
        "xformOpOrder",
        "joints",
        "jointNames",
        "bindTransforms",
        "restTransforms",
        "translations",
        "rotations",
        "scales",
        "indices",
        "familyName",
        "elementType",
        "info:id",
        "material:binding",
        "offsets",
        "normalOffsets",
        "pointIndices",
        "blendShapes",
        "blendShapeWeights",
    ];
    const STARTS: [&str; 6] = [
        "skel:",
        "primvars:",
        "xformOp:",
        "inputs:",
        "outputs:",
        "ligament:",
    ];
    NAMES.contains(&property) || STARTS.iter().any(|s| property.starts_with(s))
}

/// A path with one more name.
pub(super) fn join(parent: &str, name: &str) -> String {
    let mut path = String::with_capacity(parent.len() + name.len() + 1);
    let _ = write!(path, "{}/{name}", parent.trim_end_matches('/'));
    path
}
