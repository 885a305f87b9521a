//! Values in the binary form: each becomes 64 bits, with its bytes elsewhere where they
//! do not fit.

use std::collections::HashMap;

use super::layer::{Value, width_of};

const ARRAY: u64 = 1 << 63;
const INLINED: u64 = 1 << 62;

/// Bytes of values, and the tables they refer to.
pub(super) struct Values {
    pub bytes: Vec<u8>,
    pub tokens: Vec<String>,
    index_of_token: HashMap<String, u32>,
    /// Strings, as indices in `tokens`.
    pub strings: Vec<u32>,
    index_of_string: HashMap<u32, u32>,
}

impl Values {
    /// Values that will stand after a head of so many bytes.
    pub fn after(head: usize) -> Self {
        let mut values = Self {
            bytes: vec![0; head],
            tokens: Vec::new(),
            index_of_token: HashMap::new(),
            strings: Vec::new(),
            index_of_string: HashMap::new(),
        };
        // Properties are tokens with a minus sign, so the first must be none of them.
        values.token(";-)");
        values
    }

    pub fn token(&mut self, token: &str) -> u32 {
        if let Some(&index) = self.index_of_token.get(token) {
            return index;
        }
        let index = self.tokens.len() as u32;
        self.tokens.push(token.to_owned());
        self.index_of_token.insert(token.to_owned(), index);
        index
    }

    pub fn string(&mut self, string: &str) -> u32 {
        let token = self.token(string);
        let strings = &mut self.strings;
        *self.index_of_string.entry(token).or_insert_with(|| {
            strings.push(token);
            strings.len() as u32 - 1
        })
    }

    /// Where the next bytes will stand: at a multiple of eight.
    fn align(&mut self) -> u64 {
        let length = self.bytes.len().next_multiple_of(8);
        self.bytes.resize(length, 0);
        length as u64
    }

    fn indices(&mut self, kind: u64, head: &[u8], indices: &[u32]) -> u64 {
        let at = self.align();
        self.bytes.extend_from_slice(head);
        self.bytes.extend((indices.len() as u64).to_le_bytes());
        self.bytes.extend(indices.iter().flat_map(|i| i.to_le_bytes()));
        kind << 48 | at
    }

    /// Names of children, in order.
    pub fn token_vector(&mut self, names: &[String]) -> u64 {
        let indices: Vec<u32> = names.iter().map(|n| self.token(n)).collect();
        self.indices(41, &[], &indices)
    }

    /// A list of tokens put in front of what may be there.
    pub fn prepended(&mut self, names: &[String]) -> u64 {
        let indices: Vec<u32> = names.iter().map(|n| self.token(n)).collect();
        self.indices(32, &[1 << 5], &indices)
    }

    /// Paths, by their indices.
    pub fn path_list(&mut self, indices: &[u32]) -> u64 {
        self.indices(34, &[0b11], indices)
    }

    /// A value of a type.
    pub fn value(&mut self, value: &Value, type_name: &str) -> u64 {
        let inlined = |kind: u64, bits: u32| kind << 48 | INLINED | u64::from(bits);
        match value {
            Value::Blocked | Value::Other | Value::Dictionary(_) => inlined(51, 0),
            Value::Bool(b) => inlined(1, u32::from(*b)),
            Value::Text(text) if type_name == "string" => {
                let index = self.string(text);
                inlined(10, index)
            }
            Value::Text(text) => {
                let index = self.token(text);
                inlined(if type_name == "asset" { 12 } else { 11 }, index)
            }
            Value::Texts(texts) => {
                let is_string = type_name.starts_with("string");
                let indices: Vec<u32> = texts
                    .iter()
                    .map(|t| if is_string { self.string(t) } else { self.token(t) })
                    .collect();
                let kind = if is_string { 10 } else { 11 };
                if indices.is_empty() {
                    return kind << 48 | ARRAY;
                }
                self.indices(kind, &[], &indices) | ARRAY
            }
            Value::Numbers(numbers) => self.numbers(numbers, type_name),
        }
    }

    fn numbers(&mut self, numbers: &[f64], type_name: &str) -> u64 {
        let element = type_name.trim_end_matches("[]");
        let is_array = element.len() < type_name.len();
        let width = width_of(type_name);
        let kind = match element {
            "bool" => 1,
            "int" => 3,
            "half3" => 25,
            "float" => 8,
            "double" => 9,
            "quatf" => 17,
            "matrix4d" => 15,
            _ if width == 2 => 20,
            _ if width == 3 => 24,
            _ if width == 4 => 28,
            _ => 9,
        };
        if is_array && numbers.is_empty() {
            return kind << 48 | ARRAY;
        }
        if let ([one], false) = (numbers, is_array) {
            let bits = match kind {
                1 | 3 => Some(*one as i32 as u32),
                8 => Some((*one as f32).to_bits()),
                _ => Some(*one as f32)
                    .filter(|f| f64::from(*f) == *one)
                    .map(f32::to_bits),
            };
            if let Some(bits) = bits {
                return kind << 48 | INLINED | u64::from(bits);
            }
        }
        let at = self.align();
        if is_array {
            self.bytes
                .extend(((numbers.len() / width.max(1)) as u64).to_le_bytes());
        }
        for group in numbers.chunks(width.max(1)) {
            // Quaternions are stored with the real part last.
            let order: [usize; 4] = if kind == 17 { [1, 2, 3, 0] } else { [0, 1, 2, 3] };
            for i in 0..group.len() {
                let n = group[order.get(i).copied().unwrap_or(i)];
                match kind {
                    1 => self.bytes.push(u8::from(n != 0.0)),
                    3 => self.bytes.extend((n as i32).to_le_bytes()),
                    25 => self.bytes.extend(half_bits(n as f32).to_le_bytes()),
                    9 | 15 => self.bytes.extend(n.to_le_bytes()),
                    _ => self.bytes.extend((n as f32).to_le_bytes()),
                }
            }
        }
        kind << 48 | at | if is_array { ARRAY } else { 0 }
    }

    /// Values over time.
    pub fn samples(&mut self, samples: &[(f64, Value)], type_name: &str) -> u64 {
        let reps: Vec<u64> = samples.iter().map(|(_, v)| self.value(v, type_name)).collect();
        let times = self.align();
        self.bytes.extend((samples.len() as u64).to_le_bytes());
        self.bytes
            .extend(samples.iter().flat_map(|(t, _)| t.to_le_bytes()));
        let at = self.align();
        // Each offset says that what it leads to comes right after it.
        self.bytes.extend(8u64.to_le_bytes());
        self.bytes.extend((48 << 48 | times).to_le_bytes());
        self.bytes.extend(8u64.to_le_bytes());
        self.bytes.extend((reps.len() as u64).to_le_bytes());
        self.bytes.extend(reps.iter().flat_map(|r| r.to_le_bytes()));
        46 << 48 | at
    }
}

/// The nearest half-precision number's bits; the largest for numbers beyond it.
fn half_bits(x: f32) -> u16 {
    let sign = ((x.to_bits() >> 16) & 0x8000) as u16;
    let size = f64::from(x.abs()).min(65504.0);
    if size < 2f64.powi(-14) {
        return sign | (size * 2f64.powi(24)).round_ties_even() as u16;
    }
    let exponent = (((size as f32).to_bits() >> 23) as i32) - 127;
    let fraction = (size * 2f64.powi(10 - exponent)).round_ties_even() as i32;
    // A fraction that rounds up to the next power carries into the exponent.
    sign | (((exponent + 15) << 10) + (fraction - 1024)) as u16
}

#[cfg(test)]
mod tests {
    use super::super::crate_numbers::half;
    use super::half_bits;

    #[test]
    fn halves_are_the_nearest() {
        let finite = (0..=u16::MAX).filter(|b| (b >> 10) & 31 != 31);
        for bits in finite {
            assert_eq!(half_bits(half(bits) as f32), bits);
        }
        for i in 1..1000u16 {
            // A third of the way to the next is nearer to the first.
            let (a, b) = (half(i * 31), half(i * 31 + 1));
            assert_eq!(half_bits((a + (b - a) / 3.0) as f32), i * 31);
            assert_eq!(half_bits((a + (b - a) / 1.5) as f32), i * 31 + 1);
        }
        assert_eq!(half(half_bits(1e9)), 65504.0);
    }
}
