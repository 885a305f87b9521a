//! Values of the binary form.

use crate::import::ImportError;

use super::bytes::Bytes;
use super::crate_file::CrateFile;
use super::crate_numbers::{Number, inlined, shape};
use super::layer::{Value, join};
use super::packed::integers;

/// Values inside values deeper than this are no file that anyone made.
const MOST_DEPTH: usize = 32;

impl CrateFile<'_> {
    /// Unpacks a value.
    pub fn value(&self, rep: u64) -> Result<Value, ImportError> {
        self.value_at_depth(rep, 0)
    }

    fn value_at_depth(&self, rep: u64, depth: usize) -> Result<Value, ImportError> {
        let kind = (rep >> 48) & 0xFF;
        let is_array = rep >> 63 == 1;
        let is_inlined = (rep >> 62) & 1 == 1;
        let payload = rep & 0xFFFF_FFFF_FFFF;
        let mut bytes = Bytes::at(self.bytes, payload);
        if depth > MOST_DEPTH {
            return Err(bytes.fail("values are nested too deep"));
        }
        if let Some((number, width)) = shape(kind) {
            let mut numbers = if is_array || kind == 48 {
                self.array(rep, number, width)?
            } else if is_inlined {
                inlined(kind, number, width, payload as u32)
            } else {
                (0..width)
                    .map(|_| number.read(&mut bytes))
                    .collect::<Result<_, _>>()?
            };
            if (16..=18).contains(&kind) {
                // Stored with the real part last.
                for q in numbers.as_chunks_mut::<4>().0 {
                    q.rotate_right(1);
                }
            }
            if kind == 1 && !is_array {
                return Ok(Value::Bool(numbers.first().is_some_and(|&n| n != 0.0)));
            }
            return Ok(Value::Numbers(numbers));
        }
        let index = || payload & 0xFFFF_FFFF;
        Ok(match kind {
            10..=12 if is_array => {
                let count = self.array_count(&mut bytes, payload)?;
                Value::Texts(self.texts(&mut bytes, count, kind == 11)?)
            }
            10 => Value::Text(self.string(index() as u32)?.to_owned()),
            11 | 12 => Value::Text(self.token(index())?.to_owned()),
            31 if is_inlined => Value::Dictionary(Vec::new()),
            31 => Value::Other,
            32 | 34 => Value::Texts(self.list(&mut bytes, kind == 34)?),
            40 => {
                let count = bytes.count()?;
                Value::Texts(self.path_texts(&mut bytes, count)?)
            }
            41 | 50 => {
                let count = bytes.count()?;
                Value::Texts(self.texts(&mut bytes, count, kind == 41)?)
            }
            42..=44 => Value::Numbers(vec![payload as u32 as f64]),
            51 => Value::Blocked,
            52 => {
                let inner = bytes.u64()?;
                self.value_at_depth(inner, depth + 1)?
            }
            _ => Value::Other,
        })
    }

    /// How many elements an array has; leaves `bytes` at the first.
    fn array_count(&self, bytes: &mut Bytes<'_>, payload: u64) -> Result<usize, ImportError> {
        if payload == 0 {
            return Ok(0);
        }
        if self.version < (0, 5) {
            bytes.u32()?;
        }
        if self.version < (0, 7) {
            return Ok(bytes.u32()? as usize);
        }
        bytes.count()
    }

    fn array(&self, rep: u64, number: Number, width: usize) -> Result<Vec<f64>, ImportError> {
        let payload = rep & 0xFFFF_FFFF_FFFF;
        let mut bytes = Bytes::at(self.bytes, payload);
        let is_vector = (rep >> 48) & 0xFF == 48;
        let count = if is_vector {
            bytes.count()?
        } else {
            self.array_count(&mut bytes, payload)?
        };
        // Small arrays are never packed, whatever the flag says.
        let is_packed = (rep >> 61) & 1 == 1 && count >= 4;
        let total = count.saturating_mul(width);
        self.spend(total.saturating_mul(8))?;
        if !is_packed {
            let raw = bytes.take(total.saturating_mul(number.size()))?;
            let mut raw = Bytes { all: raw, at: 0 };
            return (0..total).map(|_| number.read(&mut raw)).collect();
        }
        match number {
            Number::Int | Number::Uint | Number::Int64 => {
                let whole = integers(&mut bytes, count, number == Number::Int64)?;
                let is_unsigned = number == Number::Uint;
                let convert = |i: i64| {
                    if is_unsigned {
                        f64::from(i as u32)
                    } else {
                        i as f64
                    }
                };
                Ok(whole.into_iter().map(convert).collect())
            }
            Number::Half | Number::Float | Number::Double => match bytes.u8()? {
                b'i' => {
                    let whole = integers(&mut bytes, count, false)?;
                    Ok(whole.into_iter().map(|i| i as f64).collect())
                }
                b't' => {
                    let entries = bytes.u32()? as usize;
                    let raw = bytes.take(entries.saturating_mul(number.size()))?;
                    let mut raw = Bytes { all: raw, at: 0 };
                    let table: Vec<f64> = (0..entries)
                        .map(|_| number.read(&mut raw))
                        .collect::<Result<_, _>>()?;
                    let indices = integers(&mut bytes, count, false)?;
                    let look_up = |i: i64| table.get(i as u32 as usize).copied();
                    let found: Option<Vec<f64>> = indices.into_iter().map(look_up).collect();
                    found.ok_or_else(|| bytes.fail("an array names a value that is not in its table"))
                }
                _ => Err(bytes.fail("an array is packed in an unknown way")),
            },
            Number::Byte => Err(bytes.fail("an array is packed in an unknown way")),
        }
    }

    fn texts(
        &self,
        bytes: &mut Bytes<'_>,
        count: usize,
        are_tokens: bool,
    ) -> Result<Vec<String>, ImportError> {
        let raw = bytes.take(count.saturating_mul(4))?;
        let indices = raw.as_chunks::<4>().0.iter().map(|b| u32::from_le_bytes(*b));
        let mut texts = Vec::with_capacity(count);
        for i in indices {
            let text = if are_tokens {
                self.token(u64::from(i))?
            } else {
                self.string(i)?
            };
            self.spend(text.len() + 24)?;
            texts.push(text.to_owned());
        }
        Ok(texts)
    }

    fn path_texts(&self, bytes: &mut Bytes<'_>, count: usize) -> Result<Vec<String>, ImportError> {
        let raw = bytes.take(count.saturating_mul(4))?;
        let indices = raw.as_chunks::<4>().0.iter().map(|b| u32::from_le_bytes(*b));
        indices.map(|i| self.path_text(i)).collect()
    }

    /// A path in full.
    pub fn path_text(&self, index: u32) -> Result<String, ImportError> {
        let mut chain = Vec::new();
        let mut next = Some(index);
        while let Some(i) = next {
            let path = self.paths.get(i as usize);
            let path =
                path.ok_or_else(|| ImportError::malformed("the paths", format!("there is no path {i}")))?;
            chain.push(path);
            next = path.parent;
        }
        chain.pop(); // the root
        let mut text = String::new();
        for path in chain.into_iter().rev() {
            let name = self.token(u64::from(path.token))?;
            if path.is_property {
                text.push('.');
                text.push_str(name);
            } else {
                text = join(&text, name);
            }
            self.spend(name.len())?;
        }
        Ok(text)
    }

    /// A list that may be edits of another: what it adds.
    fn list(&self, bytes: &mut Bytes<'_>, are_paths: bool) -> Result<Vec<String>, ImportError> {
        let flags = bytes.u8()?;
        let mut items = Vec::new();
        // Explicit, added, prepended, appended; deleted and ordered ones come after.
        for bit in [1u8, 2, 5, 6] {
            if flags & (1 << bit) != 0 {
                let count = bytes.count()?;
                items.extend(if are_paths {
                    self.path_texts(bytes, count)?
                } else {
                    self.texts(bytes, count, true)?
                });
            }
        }
        Ok(items)
    }

    /// Times and values.
    pub fn samples(&self, rep: u64) -> Result<Vec<(f64, Value)>, ImportError> {
        if (rep >> 48) & 0xFF != 46 {
            return Ok(Vec::new());
        }
        let mut bytes = Bytes::at(self.bytes, rep & 0xFFFF_FFFF_FFFF);
        bytes.jump()?;
        let times = self.value(bytes.u64()?)?;
        let times = times.numbers().unwrap_or(&[]).to_vec();
        bytes.jump()?;
        let count = bytes.count()?;
        if count != times.len() {
            return Err(bytes.fail(format!("{count} values for {} times", times.len())));
        }
        let mut samples = Vec::with_capacity(count);
        for time in times {
            let value = self.value(bytes.u64()?)?;
            if time.is_finite() {
                samples.push((time, value));
            }
        }
        samples.sort_by(|a, b| a.0.total_cmp(&b.0));
        Ok(samples)
    }
}
