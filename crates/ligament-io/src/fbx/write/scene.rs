//! What a file is made of besides its objects: numbers of objects, connections, settings.

use glam::{DAffine3, DVec3};

use super::node::{CREATION_TIME, FILE_ID, Node, Property, VERSION};

/// Ticks of FBX's clock in a second.
pub(super) const SECOND: f64 = 46_186_158_000.0;
/// Frames in a second, and the name that FBX has for that.
pub(super) const FRAMES_PER_SECOND: f64 = 30.0;
const TIME_MODE_30: i32 = 6;
/// Centimetres in a metre: what Maya and Unreal count in, so that neither scales the root.
pub(super) const UNITS: f64 = 100.0;

/// Objects and how they hang together.
pub(super) struct Scene {
    pub objects: Vec<Node>,
    connections: Vec<Node>,
    next: i64,
}

impl Scene {
    pub fn new() -> Self {
        Self {
            objects: Vec::new(),
            connections: Vec::new(),
            next: 1_000_000,
        }
    }

    /// A number that no other object has.
    pub fn id(&mut self) -> i64 {
        self.next += 1;
        self.next
    }

    /// Hangs an object on another; on 0, the root.
    pub fn connect(&mut self, child: i64, parent: i64) {
        let connection = Node::of("C", "OO").with(child).with(parent);
        self.connections.push(connection);
    }

    /// Lets an object drive a property of another.
    pub fn drive(&mut self, child: i64, parent: i64, property: &str) {
        let connection = Node::of("C", "OP").with(child).with(parent).with(property);
        self.connections.push(connection);
    }

    /// The records of the whole file. `span` is the longest clip's length in seconds.
    pub fn records(self, span: f64) -> Vec<Node> {
        let document = Node::of("Document", 999_999i64)
            .with("Scene")
            .with("Scene")
            .child(properties([property("SourceObject", "object", "", "")]))
            .child(Node::of("RootNode", 0i64));
        vec![
            header(),
            Node::of("FileId", Property::Raw(FILE_ID.as_slice().into())),
            Node::of("CreationTime", CREATION_TIME),
            Node::of("Creator", "Ligament"),
            settings(span),
            Node::new("Documents").child(Node::of("Count", 1)).child(document),
            Node::new("References"),
            definitions(&self.objects),
            Node::new("Objects").children(self.objects),
            Node::new("Connections").children(self.connections),
        ]
    }
}

/// An object's record: its number, its name with its class, its kind.
pub(super) fn object(class: &'static str, id: i64, name: &str, kind: &str) -> Node {
    let class_in_name = match class {
        "AnimationStack" => "AnimStack",
        "AnimationLayer" => "AnimLayer",
        "AnimationCurveNode" => "AnimCurveNode",
        "AnimationCurve" => "AnimCurve",
        "Deformer" if kind == "Cluster" || kind == "BlendShapeChannel" => "SubDeformer",
        other => other,
    };
    Node::of(class, id)
        .with(with_class(name, class_in_name))
        .with(kind)
}

/// A name as FBX writes it, with its class after two bytes that no name may hold.
pub(super) fn with_class(name: &str, class: &str) -> String {
    let name: String = name.chars().filter(|c| *c > '\u{1}').collect();
    format!("{name}\u{0}\u{1}{class}")
}

/// An object's list of properties.
pub(super) fn properties(all: impl IntoIterator<Item = Node>) -> Node {
    Node::new("Properties70").children(all)
}

/// A property without a value.
pub(super) fn property(name: &str, kind: &str, label: &str, flags: &str) -> Node {
    Node::of("P", name).with(kind).with(label).with(flags)
}

pub(super) fn int(name: &str, value: i32) -> Node {
    property(name, "int", "Integer", "").with(value)
}

pub(super) fn choice(name: &str, value: i32) -> Node {
    property(name, "enum", "", "").with(value)
}

pub(super) fn double(name: &str, value: f64) -> Node {
    property(name, "double", "Number", "").with(value)
}

pub(super) fn time(name: &str, seconds: f64) -> Node {
    property(name, "KTime", "Time", "").with(ticks(seconds))
}

/// Three numbers of a kind that FBX writes twice: `Lcl Translation`, `Vector3D`, `Color`.
pub(super) fn vector(name: &str, kind: &str, flags: &str, value: DVec3) -> Node {
    let label = match kind {
        "Vector3D" => "Vector",
        "ColorRGB" => "Color",
        _ => "",
    };
    let node = property(name, kind, label, flags);
    node.with(value.x).with(value.y).with(value.z)
}

pub(super) fn ticks(seconds: f64) -> i64 {
    (seconds * SECOND).round() as i64
}

/// Columns one after the other, translation last, in centimetres.
pub(super) fn matrix(m: DAffine3) -> Vec<f64> {
    let (x, y, z) = (m.matrix3.x_axis, m.matrix3.y_axis, m.matrix3.z_axis);
    let rows = [(x, 0.0), (y, 0.0), (z, 0.0), (m.translation, 1.0)];
    rows.iter().flat_map(|(v, w)| [v.x, v.y, v.z, *w]).collect()
}

fn header() -> Node {
    let stamp = [
        ("Version", 1000),
        ("Year", 1970),
        ("Month", 1),
        ("Day", 1),
        ("Hour", 10),
        ("Minute", 0),
        ("Second", 0),
        ("Millisecond", 0),
    ];
    Node::new("FBXHeaderExtension")
        .child(Node::of("FBXHeaderVersion", 1003))
        .child(Node::of("FBXVersion", VERSION as i32))
        .child(Node::of("EncryptionType", 0))
        // The same character gives the same bytes, so the time is none.
        .child(Node::new("CreationTimeStamp").children(stamp.map(|(name, n)| Node::of(name, n))))
        .child(Node::of("Creator", "Ligament"))
}

fn settings(span: f64) -> Node {
    let mut all: Vec<Node> = [
        ("UpAxis", 1),
        ("UpAxisSign", 1),
        ("FrontAxis", 2),
        ("FrontAxisSign", 1),
        ("CoordAxis", 0),
        ("CoordAxisSign", 1),
        ("OriginalUpAxis", 1),
        ("OriginalUpAxisSign", 1),
    ]
    .map(|(name, value)| int(name, value))
    .into();
    all.extend([
        double("UnitScaleFactor", 1.0),
        double("OriginalUnitScaleFactor", 1.0),
        choice("TimeMode", TIME_MODE_30),
        time("TimeSpanStart", 0.0),
        time("TimeSpanStop", span),
        double("CustomFrameRate", -1.0),
    ]);
    Node::new("GlobalSettings")
        .child(Node::of("Version", 1000))
        .child(properties(all))
}

/// How many objects of each class there are.
fn definitions(objects: &[Node]) -> Node {
    let mut counts: Vec<(&'static str, i32)> = vec![("GlobalSettings", 1)];
    for object in objects {
        match counts.iter_mut().find(|(name, _)| *name == object.name()) {
            Some((_, count)) => *count += 1,
            None => counts.push((object.name(), 1)),
        }
    }
    let types = counts
        .iter()
        .map(|(name, count)| Node::of("ObjectType", *name).child(Node::of("Count", *count)));
    Node::new("Definitions")
        .child(Node::of("Version", 100))
        .child(Node::of("Count", counts.iter().map(|(_, n)| n).sum::<i32>()))
        .children(types)
}
