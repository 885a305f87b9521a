//! FBX's binary tree: records with properties and children.

use std::io::Write;
use std::sync::Arc;

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// A record.
pub(super) struct Node {
    name: &'static str,
    properties: Vec<Property>,
    children: Vec<Node>,
}

/// A value of a record.
pub(super) enum Property {
    Bool(bool),
    Int(i32),
    Long(i64),
    Double(f64),
    Text(String),
    Raw(Arc<[u8]>),
    Ints(Vec<i32>),
    Longs(Vec<i64>),
    Floats(Vec<f32>),
    Doubles(Vec<f64>),
}

macro_rules! from {
    ($($of:ty => $variant:ident),*) => {$(
        impl From<$of> for Property {
            fn from(value: $of) -> Self {
                Self::$variant(value.into())
            }
        }
    )*};
}

from!(bool => Bool, i32 => Int, i64 => Long, f64 => Double, &str => Text, String => Text, Arc<[u8]> => Raw,
    Vec<i32> => Ints, Vec<i64> => Longs, Vec<f32> => Floats, Vec<f64> => Doubles);

impl Node {
    pub fn new(name: &'static str) -> Self {
        Self {
            name,
            properties: Vec::new(),
            children: Vec::new(),
        }
    }

    /// A record with one value and nothing below it.
    pub fn of(name: &'static str, value: impl Into<Property>) -> Self {
        Self::new(name).with(value)
    }

    pub fn name(&self) -> &'static str {
        self.name
    }

    pub fn with(mut self, value: impl Into<Property>) -> Self {
        self.properties.push(value.into());
        self
    }

    pub fn child(mut self, child: Node) -> Self {
        self.children.push(child);
        self
    }

    pub fn children(mut self, children: impl IntoIterator<Item = Node>) -> Self {
        self.children.extend(children);
        self
    }
}

/// The version that is written: the first with 64-bit offsets.
pub(super) const VERSION: u32 = 7500;
const MAGIC: &[u8] = b"Kaydara FBX Binary  \x00\x1a\x00";
/// Arrays that are shorter are not worth packing.
const PACKED_FROM: usize = 128;
/// The end of a list of children: a record of zeros.
const END: [u8; 25] = [0; 25];
/// What ends a file. The first depends on the time of writing and the identity that the
/// header states; these three belong together, as public descriptions of the format found.
const FOOT: [u8; 16] = [
    0xfa, 0xbc, 0xab, 0x09, 0xd0, 0xc8, 0xd4, 0x66, 0xb1, 0x76, 0xfb, 0x83, 0x1c, 0xf7, 0x26, 0x7e,
];
pub(super) const FILE_ID: [u8; 16] = [
    0x28, 0xb3, 0x2a, 0xeb, 0xb6, 0x24, 0xcc, 0xc2, 0xbf, 0xc8, 0xb0, 0x2a, 0xa9, 0x2b, 0xfc, 0xf1,
];
pub(super) const CREATION_TIME: &str = "1970-01-01 10:00:00:000";
const LAST: [u8; 16] = [
    0xf8, 0x5a, 0x8c, 0x6a, 0xde, 0xf5, 0xd9, 0x7e, 0xec, 0xe9, 0x0c, 0xe3, 0x75, 0x8f, 0x29, 0x0b,
];

/// A whole file.
pub(super) fn print(records: &[Node]) -> Vec<u8> {
    let mut out = MAGIC.to_vec();
    out.extend(VERSION.to_le_bytes());
    for record in records {
        print_node(record, &mut out);
    }
    out.extend(END);
    out.extend(FOOT);
    // At least one byte of padding: readers look for the rest at a multiple of 16.
    let padded = (out.len() / 16 + 1) * 16;
    out.resize(padded, 0);
    out.extend([0; 4]);
    out.extend(VERSION.to_le_bytes());
    out.extend([0; 120]);
    out.extend(LAST);
    out
}

fn print_node(node: &Node, out: &mut Vec<u8>) {
    let start = out.len();
    out.extend([0; 8]); // where it ends, filled in below
    out.extend((node.properties.len() as u64).to_le_bytes());
    out.extend([0; 8]); // the length of its values, filled in below
    out.push(node.name.len() as u8);
    out.extend(node.name.as_bytes());
    let values = out.len();
    for property in &node.properties {
        print_property(property, out);
    }
    let length = (out.len() - values) as u64;
    // Readers want these to end like lists even when nothing is below them.
    let is_list = matches!(node.name, "AnimationStack" | "AnimationLayer") || node.properties.is_empty();
    for child in &node.children {
        print_node(child, out);
    }
    if is_list || !node.children.is_empty() {
        out.extend(END);
    }
    let end = out.len() as u64;
    out[start..start + 8].copy_from_slice(&end.to_le_bytes());
    out[start + 16..start + 24].copy_from_slice(&length.to_le_bytes());
}

fn print_property(property: &Property, out: &mut Vec<u8>) {
    let bytes = |code: u8, bytes: &[u8], out: &mut Vec<u8>| {
        out.push(code);
        out.extend((bytes.len() as u32).to_le_bytes());
        out.extend(bytes);
    };
    match property {
        Property::Bool(b) => out.extend([b'C', u8::from(*b)]),
        Property::Int(n) => {
            out.push(b'I');
            out.extend(n.to_le_bytes());
        }
        Property::Long(n) => {
            out.push(b'L');
            out.extend(n.to_le_bytes());
        }
        Property::Double(n) => {
            out.push(b'D');
            out.extend(n.to_le_bytes());
        }
        Property::Text(text) => bytes(b'S', text.as_bytes(), out),
        Property::Raw(raw) => bytes(b'R', raw, out),
        Property::Ints(all) => print_array(b'i', all, i32::to_le_bytes, out),
        Property::Longs(all) => print_array(b'l', all, i64::to_le_bytes, out),
        Property::Floats(all) => print_array(b'f', all, f32::to_le_bytes, out),
        Property::Doubles(all) => print_array(b'd', all, f64::to_le_bytes, out),
    }
}

fn print_array<T: Copy, const N: usize>(code: u8, all: &[T], bytes: fn(T) -> [u8; N], out: &mut Vec<u8>) {
    let plain: Vec<u8> = all.iter().flat_map(|&x| bytes(x)).collect();
    let packed = (plain.len() >= PACKED_FROM).then(|| pack(&plain)).flatten();
    out.push(code);
    out.extend((all.len() as u32).to_le_bytes());
    out.extend(u32::from(packed.is_some()).to_le_bytes());
    let stored = packed.as_ref().unwrap_or(&plain);
    out.extend((stored.len() as u32).to_le_bytes());
    out.extend(stored);
}

/// The bytes as zlib packs them, where that is shorter.
fn pack(plain: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(plain).ok()?;
    encoder.finish().ok().filter(|packed| packed.len() < plain.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_laid_out_as_the_format_says() {
        let file = print(&[Node::of("A", 7).child(Node::of("Bc", "x"))]);
        assert_eq!(&file[..23], MAGIC);
        assert_eq!(&file[23..27], &7500u32.to_le_bytes());
        let long = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().unwrap());
        // A: end, one value of five bytes, a name of one letter.
        let inner = 27 + 25 + 1 + 5;
        assert_eq!((long(35), long(43), file[51], file[52]), (1, 5, 1, b'A'));
        assert_eq!(&file[53..58], b"I\x07\0\0\0");
        assert_eq!((long(inner + 8), long(inner + 16), file[inner + 24]), (1, 6, 2));
        assert_eq!(&file[inner + 25..inner + 33], b"BcS\x01\0\0\0x");
        assert_eq!(long(inner), (inner + 33) as u64);
        assert_eq!(
            long(27),
            (inner + 33 + 25) as u64,
            "a list of children ends in zeros"
        );
        assert!(file.ends_with(&LAST));
    }

    #[test]
    fn long_arrays_are_packed_and_unpack_to_the_same() {
        let numbers: Vec<i32> = (0..1000).map(|n| n / 3).collect();
        let mut out = Vec::new();
        print_property(&Property::Ints(numbers.clone()), &mut out);
        assert_eq!(out[0], b'i');
        assert_eq!(out[5..9], 1u32.to_le_bytes());
        let mut plain = Vec::new();
        let mut decoder = flate2::read::ZlibDecoder::new(&out[13..]);
        std::io::Read::read_to_end(&mut decoder, &mut plain).unwrap();
        let back: Vec<i32> = plain
            .as_chunks::<4>()
            .0
            .iter()
            .map(|b| i32::from_le_bytes(*b))
            .collect();
        assert_eq!(back, numbers);
    }
}
