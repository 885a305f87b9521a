//! Reading a JSON document by location, so that every error can name where it is.

use serde_json::{Map, Value};

use super::error::GltfError;

/// A JSON value and the pointer that leads to it.
#[derive(Clone)]
pub(super) struct Node<'a> {
    pub value: &'a Value,
    pub location: String,
}

impl<'a> Node<'a> {
    pub fn root(value: &'a Value) -> Self {
        Self {
            value,
            location: String::new(),
        }
    }

    pub fn fail(&self, problem: impl Into<String>) -> GltfError {
        let location = if self.location.is_empty() {
            "/"
        } else {
            &self.location
        };
        GltfError::malformed(location, problem)
    }

    pub fn get(&self, key: &str) -> Option<Node<'a>> {
        Some(Node {
            value: self.value.get(key)?,
            location: format!("{}/{key}", self.location),
        })
    }

    pub fn need(&self, key: &str) -> Result<Node<'a>, GltfError> {
        self.get(key)
            .ok_or_else(|| self.fail(format!("'{key}' is missing")))
    }

    /// The items of an array; none when the key is absent.
    pub fn items(&self, key: &str) -> Result<Vec<Node<'a>>, GltfError> {
        let Some(list) = self.get(key) else {
            return Ok(Vec::new());
        };
        let Some(array) = list.value.as_array() else {
            return Err(list.fail("is not a list"));
        };
        Ok(array
            .iter()
            .enumerate()
            .map(|(i, value)| Node {
                value,
                location: format!("{}/{i}", list.location),
            })
            .collect())
    }

    /// One item of an array, without looking at the others.
    pub fn item(&self, key: &str, index: usize) -> Result<Node<'a>, GltfError> {
        let list = self.value.get(key).and_then(Value::as_array);
        let value = list.and_then(|l| l.get(index));
        Ok(Node {
            value: value.ok_or_else(|| self.fail(format!("'{key}' has no item {index}")))?,
            location: format!("{}/{key}/{index}", self.location),
        })
    }

    /// The length of an array; zero when the key is absent.
    pub fn count(&self, key: &str) -> usize {
        self.value.get(key).and_then(Value::as_array).map_or(0, Vec::len)
    }

    pub fn as_index(&self) -> Result<usize, GltfError> {
        self.value
            .as_u64()
            .and_then(|n| usize::try_from(n).ok())
            .ok_or_else(|| self.fail("is not a whole number of zero or more"))
    }

    /// An index that must be under `count`.
    pub fn as_index_under(&self, count: usize, of: &str) -> Result<usize, GltfError> {
        let index = self.as_index()?;
        if index < count {
            return Ok(index);
        }
        Err(self.fail(format!("refers to {of} {index}, but there are only {count}")))
    }

    pub fn index_or(&self, key: &str, default: usize) -> Result<usize, GltfError> {
        self.get(key).map_or(Ok(default), |n| n.as_index())
    }

    pub fn str_or(&self, key: &str, default: &'a str) -> &'a str {
        self.value.get(key).and_then(Value::as_str).unwrap_or(default)
    }

    pub fn bool_or(&self, key: &str, default: bool) -> bool {
        self.value.get(key).and_then(Value::as_bool).unwrap_or(default)
    }

    /// `N` finite numbers, or the default when the key is absent.
    pub fn numbers_or<const N: usize>(&self, key: &str, default: [f64; N]) -> Result<[f64; N], GltfError> {
        let Some(list) = self.get(key) else {
            return Ok(default);
        };
        let numbers = list.value.as_array().filter(|a| a.len() == N);
        let Some(numbers) = numbers else {
            return Err(list.fail(format!("is not a list of {N} numbers")));
        };
        let mut out = [0.0; N];
        for (to, from) in out.iter_mut().zip(numbers) {
            *to = from
                .as_f64()
                .filter(|x| x.is_finite())
                .ok_or_else(|| list.fail("holds something that is no finite number"))?;
        }
        Ok(out)
    }
}

/// The list under a key of an object, made when it is absent.
pub(super) fn list_mut<'a>(object: &'a mut Map<String, Value>, key: &str) -> &'a mut Vec<Value> {
    let entry = object.entry(key).or_insert_with(|| Value::Array(Vec::new()));
    if !entry.is_array() {
        *entry = Value::Array(Vec::new());
    }
    match entry {
        Value::Array(list) => list,
        _ => unreachable!("made an array just above"),
    }
}
