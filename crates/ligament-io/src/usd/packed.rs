//! How the binary form packs bytes (LZ4 in chunks) and integers (differences).

use crate::import::ImportError;

use super::bytes::Bytes;

/// Unpacks a block that must give at most `most` bytes.
pub(super) fn unpack(packed: &[u8], most: usize) -> Result<Vec<u8>, ImportError> {
    let fail = || ImportError::malformed("a packed block", "it cannot be unpacked");
    let one = |block: &[u8], most: usize| {
        // LZ4 gives at most 255 bytes for one.
        let most = most.min(block.len().saturating_mul(255));
        let mut out = vec![0; most];
        let length = lz4_flex::block::decompress_into(block, &mut out).map_err(|_| fail())?;
        out.truncate(length);
        Ok(out)
    };
    let (&chunks, rest) = packed.split_first().ok_or_else(fail)?;
    if chunks == 0 {
        return one(rest, most);
    }
    let mut reader = Bytes { all: rest, at: 0 };
    let mut out: Vec<u8> = Vec::new();
    for _ in 0..chunks {
        let size = usize::try_from(reader.u32()?).map_err(|_| fail())?;
        let chunk = reader.take(size)?;
        out.extend(one(chunk, most.saturating_sub(out.len()))?);
    }
    Ok(out)
}

/// Reads `count` packed integers of four or eight bytes each.
pub(super) fn integers(bytes: &mut Bytes<'_>, count: usize, is_wide: bool) -> Result<Vec<i64>, ImportError> {
    if count == 0 {
        return Ok(Vec::new());
    }
    let size = bytes.count()?;
    let packed = bytes.take(size)?;
    // Two bits an integer at least, and LZ4's 255 for one.
    if count / 4 > packed.len().saturating_mul(255) {
        return Err(bytes.fail(format!("{count} integers do not fit into {size} bytes")));
    }
    let width = if is_wide { 8 } else { 4 };
    let most = width + count.div_ceil(4) + width * count;
    let unpacked = unpack(packed, most)?;
    let mut codes = Bytes {
        all: &unpacked,
        at: 0,
    };
    let wide = |b: &mut Bytes<'_>| Ok::<i64, ImportError>(b.u64()? as i64);
    let narrow = |b: &mut Bytes<'_>| Ok::<i64, ImportError>(i64::from(b.u32()? as i32));
    let short = |b: &mut Bytes<'_>| Ok::<i64, ImportError>(i64::from(i16::from_le_bytes(b.array()?)));
    let common = if is_wide {
        wide(&mut codes)?
    } else {
        narrow(&mut codes)?
    };
    let code_bytes = codes.take(count.div_ceil(4))?;
    let mut values = codes;
    let mut out = Vec::with_capacity(count);
    let mut last = 0i64;
    for i in 0..count {
        let code = (code_bytes[i / 4] >> (2 * (i % 4))) & 3;
        let step = match (code, is_wide) {
            (0, _) => common,
            (1, true) => short(&mut values)?,
            (1, false) => i64::from(values.u8()? as i8),
            (2, true) => narrow(&mut values)?,
            (2, false) => short(&mut values)?,
            (_, true) => wide(&mut values)?,
            (_, false) => narrow(&mut values)?,
        };
        last = last.wrapping_add(step);
        if !is_wide {
            last = i64::from(last as i32);
        }
        out.push(last);
    }
    Ok(out)
}
