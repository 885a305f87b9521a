//! A [`Layer`] in the binary form (`.usdc`), version 0.8.

use std::collections::HashMap;

use super::layer::{Attribute, Layer, Prim, Value, join};
use super::print_crate_values::Values;

/// Bytes before the first value: mark, version, index of the contents, and room.
const HEAD: usize = 88;
const ATTRIBUTE: i32 = 1;
const PRIM: i32 = 6;
const ROOT: i32 = 7;
const RELATIONSHIP: i32 = 8;

/// The whole file.
pub(super) fn print_crate(layer: &Layer) -> Vec<u8> {
    let mut printer = Printer {
        values: Values::after(HEAD),
        entries: Vec::new(),
        index_of_path: HashMap::new(),
        fields: Vec::new(),
        index_of_field: HashMap::new(),
        fieldsets: Vec::new(),
        specs: Vec::new(),
    };
    let root = Prim {
        metadata: layer.metadata.clone(),
        ..Prim::default()
    };
    printer.entries.push((0, -1));
    printer.list_paths("", &[], &layer.prims);
    if layer.prims.is_empty() {
        printer.entries[0].1 = -2;
    }
    printer.prim(&root, "", &layer.prims);
    printer.finish()
}

struct Printer {
    values: Values,
    /// Paths in order of depth: a token (negative for properties) and a jump.
    entries: Vec<(i32, i32)>,
    index_of_path: HashMap<String, u32>,
    fields: Vec<(u32, u64)>,
    index_of_field: HashMap<(u32, u64), u32>,
    fieldsets: Vec<u32>,
    /// Path, start of its fields, kind.
    specs: Vec<(u32, u32, i32)>,
}

impl Printer {
    /// Numbers all paths under one.
    fn list_paths(&mut self, above: &str, properties: &[&str], children: &[Prim]) {
        let total = properties.len() + children.len();
        for (i, name) in properties.iter().enumerate() {
            let token = self.values.token(name) as i32;
            let index = self.entries.len() as u32;
            self.index_of_path.insert(format!("{above}.{name}"), index);
            self.entries.push((-token, if i + 1 < total { 0 } else { -2 }));
        }
        for (i, child) in children.iter().enumerate() {
            let is_last = i + 1 == children.len();
            let token = self.values.token(&child.name) as i32;
            let index = self.entries.len();
            let path = join(above, &child.name);
            self.index_of_path.insert(path.clone(), index as u32);
            self.entries.push((token, 0));
            self.list_paths(&path, &properties_of(child), &child.children);
            let length = self.entries.len() - index;
            self.entries[index].1 = match (length > 1, is_last) {
                (true, true) => -1,
                (true, false) => length as i32,
                (false, true) => -2,
                (false, false) => 0,
            };
        }
    }

    fn spec(&mut self, path: u32, kind: i32, fields: &[(&str, u64)]) {
        let start = self.fieldsets.len() as u32;
        for &(name, rep) in fields {
            let field = (self.values.token(name), rep);
            let known = &mut self.fields;
            let index = *self.index_of_field.entry(field).or_insert_with(|| {
                known.push(field);
                known.len() as u32 - 1
            });
            self.fieldsets.push(index);
        }
        self.fieldsets.push(u32::MAX);
        self.specs.push((path, start, kind));
    }

    fn prim(&mut self, prim: &Prim, path: &str, children: &[Prim]) {
        let is_root = path.is_empty();
        let index = self.index_of_path.get(path).copied().unwrap_or(0);
        let mut fields: Vec<(&str, u64)> = Vec::new();
        if !is_root {
            fields.push(("specifier", 42 << 48 | 1 << 62));
            fields.push((
                "typeName",
                self.values.value(&Value::Text(prim.type_name.clone()), "token"),
            ));
        }
        for (key, value) in &prim.metadata {
            let rep = match (key.as_str(), value) {
                ("apiSchemas", Value::Texts(names)) => self.values.prepended(names),
                ("displayName", _) => self.values.value(value, "string"),
                (_, Value::Numbers(_)) => self.values.value(value, "double"),
                _ => self.values.value(value, "token"),
            };
            fields.push((key, rep));
        }
        let names: Vec<String> = children.iter().map(|c| c.name.clone()).collect();
        if !names.is_empty() {
            fields.push(("primChildren", self.values.token_vector(&names)));
        }
        let properties: Vec<String> = properties_of(prim).into_iter().map(str::to_owned).collect();
        if !properties.is_empty() {
            fields.push(("properties", self.values.token_vector(&properties)));
        }
        self.spec(index, if is_root { ROOT } else { PRIM }, &fields);
        for attribute in &prim.attributes {
            self.attribute(attribute, path);
        }
        for relationship in &prim.relationships {
            let targets = self.indices(&relationship.targets);
            let fields = [
                ("custom", 1 << 48 | 1 << 62),
                ("variability", 44 << 48 | 1 << 62 | 1),
                ("targetPaths", self.values.path_list(&targets)),
            ];
            let index = self.indices(&[format!("{path}.{}", relationship.name)]);
            self.spec(index.first().copied().unwrap_or(0), RELATIONSHIP, &fields);
        }
        for child in children {
            self.prim(child, &join(path, &child.name), &child.children);
        }
    }

    fn indices(&self, paths: &[String]) -> Vec<u32> {
        let index = |p: &String| self.index_of_path.get(p).copied();
        paths.iter().filter_map(index).collect()
    }

    fn attribute(&mut self, a: &Attribute, prim: &str) {
        let values = &mut self.values;
        let type_name = Value::Text(a.type_name.clone());
        let mut fields = vec![
            ("custom", values.value(&Value::Bool(a.is_custom), "bool")),
            ("typeName", values.value(&type_name, "token")),
            ("variability", 44 << 48 | 1 << 62 | u64::from(a.is_uniform)),
        ];
        if let Some(default) = &a.default {
            fields.push(("default", values.value(default, &a.type_name)));
        }
        if !a.samples.is_empty() {
            fields.push(("timeSamples", values.samples(&a.samples, &a.type_name)));
        }
        for (key, value) in &a.metadata {
            let kind = if key == "elementSize" { "int" } else { "token" };
            fields.push((key, values.value(value, kind)));
        }
        if !a.connections.is_empty() {
            let targets = self.indices(&a.connections);
            fields.push(("connectionPaths", self.values.path_list(&targets)));
        }
        let index = self.indices(&[format!("{prim}.{}", a.name)]);
        self.spec(index.first().copied().unwrap_or(0), ATTRIBUTE, &fields);
    }

    fn finish(self) -> Vec<u8> {
        let Values {
            bytes: mut out,
            tokens,
            strings,
            ..
        } = self.values;
        let mut sections: Vec<(&str, usize, usize)> = Vec::new();
        let mut section = |out: &mut Vec<u8>, name: &'static str, body: Vec<u8>| {
            sections.push((name, out.len(), body.len()));
            out.extend(body);
        };
        let count = |n: usize| (n as u64).to_le_bytes().to_vec();
        let mut text: Vec<u8> = Vec::new();
        for token in &tokens {
            text.extend(token.bytes().filter(|&b| b != 0));
            text.push(0);
        }
        section(
            &mut out,
            "TOKENS",
            [count(tokens.len()), count(text.len()), packed(&text)].concat(),
        );
        let indices = strings.iter().flat_map(|s| s.to_le_bytes()).collect();
        section(&mut out, "STRINGS", [count(strings.len()), indices].concat());
        let names = integers(self.fields.iter().map(|f| f.0 as i32));
        let reps: Vec<u8> = self.fields.iter().flat_map(|f| f.1.to_le_bytes()).collect();
        section(
            &mut out,
            "FIELDS",
            [count(self.fields.len()), names, packed(&reps)].concat(),
        );
        let sets = integers(self.fieldsets.iter().map(|&f| f as i32));
        section(
            &mut out,
            "FIELDSETS",
            [count(self.fieldsets.len()), sets].concat(),
        );
        let n = self.entries.len();
        let order = integers(0..n as i32);
        let elements = integers(self.entries.iter().map(|e| e.0));
        let jumps = integers(self.entries.iter().map(|e| e.1));
        section(
            &mut out,
            "PATHS",
            [count(n), count(n), order, elements, jumps].concat(),
        );
        let columns = [
            count(self.specs.len()),
            integers(self.specs.iter().map(|s| s.0 as i32)),
            integers(self.specs.iter().map(|s| s.1 as i32)),
            integers(self.specs.iter().map(|s| s.2)),
        ];
        section(&mut out, "SPECS", columns.concat());
        let contents = out.len() as u64;
        out.extend((sections.len() as u64).to_le_bytes());
        for (name, start, size) in sections {
            let mut padded = [0; 16];
            padded[..name.len()].copy_from_slice(name.as_bytes());
            out.extend(padded);
            out.extend((start as u64).to_le_bytes());
            out.extend((size as u64).to_le_bytes());
        }
        out[..8].copy_from_slice(b"PXR-USDC");
        out[8..11].copy_from_slice(&[0, 8, 0]);
        out[16..24].copy_from_slice(&contents.to_le_bytes());
        out
    }
}

fn properties_of(prim: &Prim) -> Vec<&str> {
    let attributes = prim.attributes.iter().map(|a| a.name.as_str());
    let relationships = prim.relationships.iter().map(|r| r.name.as_str());
    attributes.chain(relationships).collect()
}

/// Bytes as LZ4 in one chunk, with their packed size in front.
fn packed(bytes: &[u8]) -> Vec<u8> {
    let block = lz4_flex::block::compress(bytes);
    let mut out = (block.len() as u64 + 1).to_le_bytes().to_vec();
    out.push(0);
    out.extend(block);
    out
}

/// Integers as differences, one, two or four bytes each, packed.
fn integers(numbers: impl IntoIterator<Item = i32>) -> Vec<u8> {
    let mut codes: Vec<u8> = Vec::new();
    let mut differences: Vec<u8> = Vec::new();
    let mut last = 0i32;
    for (i, number) in numbers.into_iter().enumerate() {
        let step = number.wrapping_sub(last);
        last = number;
        // The common difference, which takes no bytes, is one.
        let code = if step == 1 {
            0
        } else if let Ok(small) = i8::try_from(step) {
            differences.extend(small.to_le_bytes());
            1
        } else if let Ok(medium) = i16::try_from(step) {
            differences.extend(medium.to_le_bytes());
            2
        } else {
            differences.extend(step.to_le_bytes());
            3
        };
        if i % 4 == 0 {
            codes.push(0);
        }
        if let Some(byte) = codes.last_mut() {
            *byte |= code << (2 * (i % 4));
        }
    }
    packed(&[1i32.to_le_bytes().as_slice(), &codes, &differences].concat())
}
