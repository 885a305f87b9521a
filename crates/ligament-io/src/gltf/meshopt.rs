//! Buffer views compressed by `EXT_meshopt_compression`.

use super::error::GltfError;
use super::json::Node;

/// The codec packs at most about 64 bytes into one (a group of 16 equal bytes takes two
/// bits); twice that and more is a lie that must not take memory.
const LARGEST_RATIO: usize = 256;

/// Decodes a view; `node` is its extension object.
pub(super) fn decode_compressed_view(node: &Node<'_>, bytes: &[u8]) -> Result<Vec<u8>, GltfError> {
    let count = node.need("count")?.as_index()?;
    let stride = node.need("byteStride")?.as_index()?;
    let plausible = count
        .checked_mul(stride)
        .is_some_and(|size| size <= bytes.len().saturating_mul(LARGEST_RATIO));
    if !plausible {
        return Err(node.fail(format!(
            "claims {count} elements of {stride} bytes, more than its data can hold"
        )));
    }
    let mode = node.str_or("mode", "");
    let broken = |_| node.fail("its compressed data is broken");
    let mut decoded = match (mode, stride) {
        ("ATTRIBUTES", _) if stride % 4 == 0 && (4..=128).contains(&stride) => {
            decode_vertices(bytes, count, stride).map_err(broken)?
        }
        ("TRIANGLES", 2) if count % 3 == 0 => {
            from_u16(meshopt::decode_index_buffer(bytes, count).map_err(broken)?)
        }
        ("TRIANGLES", 4) if count % 3 == 0 => {
            from_u32(meshopt::decode_index_buffer(bytes, count).map_err(broken)?)
        }
        ("INDICES", 2) => from_u16(meshopt::decode_index_sequence(bytes, count).map_err(broken)?),
        ("INDICES", 4) => from_u32(meshopt::decode_index_sequence(bytes, count).map_err(broken)?),
        _ => {
            return Err(node.fail(format!(
                "mode '{mode}' with a stride of {stride} bytes is not known"
            )));
        }
    };
    match (node.str_or("filter", "NONE"), stride) {
        ("NONE", _) => {}
        ("OCTAHEDRAL", 4) => {
            let mut vectors: Vec<[i8; 4]> = decoded
                .as_chunks::<4>()
                .0
                .iter()
                .map(|v| v.map(|b| b as i8))
                .collect();
            meshopt::decode_filter_oct(&mut vectors);
            decoded = vectors.into_iter().flatten().map(|b| b as u8).collect();
        }
        ("OCTAHEDRAL", 8) => decoded = filtered_i16(&decoded, meshopt::decode_filter_oct),
        ("QUATERNION", 8) => decoded = filtered_i16(&decoded, meshopt::decode_filter_quat),
        ("EXPONENTIAL", _) => {
            let mut numbers: Vec<[u32; 1]> = decoded
                .as_chunks::<4>()
                .0
                .iter()
                .map(|&b| [u32::from_le_bytes(b)])
                .collect();
            meshopt::decode_filter_exp(&mut numbers);
            decoded = from_u32(numbers.into_iter().flatten().collect());
        }
        (other, _) => {
            return Err(node.fail(format!(
                "filter '{other}' with a stride of {stride} bytes is not known"
            )));
        }
    }
    Ok(decoded)
}

/// The crate takes the stride from a type, the file states it as a number.
fn decode_vertices(bytes: &[u8], count: usize, stride: usize) -> meshopt::Result<Vec<u8>> {
    macro_rules! by_words {
        ($($words:literal)*) => {
            match stride / 4 {
                $($words => meshopt::decode_vertex_buffer::<[u32; $words]>(bytes, count)
                    .map(|v| v.into_iter().flatten().flat_map(u32::to_ne_bytes).collect()),)*
                _ => Ok(Vec::new()), // the caller lets no other stride through
            }
        };
    }
    by_words!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32)
}

fn filtered_i16(bytes: &[u8], filter: impl Fn(&mut [[i16; 4]])) -> Vec<u8> {
    let number = |b: &[u8], i: usize| i16::from_le_bytes([b[2 * i], b[2 * i + 1]]);
    let mut vectors: Vec<[i16; 4]> = bytes
        .as_chunks::<8>()
        .0
        .iter()
        .map(|b| std::array::from_fn(|i| number(b, i)))
        .collect();
    filter(&mut vectors);
    vectors.into_iter().flatten().flat_map(i16::to_le_bytes).collect()
}

fn from_u16(numbers: Vec<u16>) -> Vec<u8> {
    numbers.into_iter().flat_map(u16::to_le_bytes).collect()
}

fn from_u32(numbers: Vec<u32>) -> Vec<u8> {
    numbers.into_iter().flat_map(u32::to_le_bytes).collect()
}
