//! A [`Layer`] as text (`.usda`).

use std::fmt::Write as _;

use super::layer::{Attribute, Layer, Prim, Value, width_of};

/// The whole text.
pub(super) fn print_text(layer: &Layer) -> String {
    let mut out = String::from("#usda 1.0\n");
    metadata(&mut out, &layer.metadata, 0, "(\n");
    out.push('\n');
    for p in &layer.prims {
        prim(&mut out, p, 0);
    }
    out
}

fn indent(out: &mut String, depth: usize) {
    for _ in 0..depth {
        out.push_str("    ");
    }
}

/// A bracket of entries, if there are any, and the end of the line.
fn metadata(out: &mut String, entries: &[(String, Value)], depth: usize, open: &str) {
    if entries.is_empty() {
        out.push('\n');
        return;
    }
    out.push_str(open);
    for (key, v) in entries {
        indent(out, depth + 1);
        if key == "apiSchemas" {
            out.push_str("prepend ");
        }
        let _ = write!(out, "{key} = ");
        value(out, v, "double", key == "apiSchemas");
        out.push('\n');
    }
    indent(out, depth);
    out.push_str(")\n");
}

fn prim(out: &mut String, p: &Prim, depth: usize) {
    indent(out, depth);
    let _ = write!(out, "def {} \"{}\"", p.type_name, p.name);
    metadata(out, &p.metadata, depth, " (\n");
    indent(out, depth);
    out.push_str("{\n");
    for a in &p.attributes {
        attribute(out, a, depth + 1);
    }
    for r in &p.relationships {
        indent(out, depth + 1);
        let _ = write!(out, "rel {} = ", r.name);
        paths(out, &r.targets);
        out.push('\n');
    }
    for child in &p.children {
        out.push('\n');
        prim(out, child, depth + 1);
    }
    indent(out, depth);
    out.push_str("}\n");
}

fn paths(out: &mut String, targets: &[String]) {
    if let [one] = targets {
        let _ = write!(out, "<{one}>");
        return;
    }
    out.push('[');
    for (i, target) in targets.iter().enumerate() {
        let _ = write!(out, "{}<{target}>", if i == 0 { "" } else { ", " });
    }
    out.push(']');
}

fn attribute(out: &mut String, a: &Attribute, depth: usize) {
    let declare = |out: &mut String| {
        indent(out, depth);
        if a.is_custom {
            out.push_str("custom ");
        }
        if a.is_uniform {
            out.push_str("uniform ");
        }
        let _ = write!(out, "{} {}", a.type_name, a.name);
    };
    let plain = a.samples.is_empty() && a.connections.is_empty();
    if a.default.is_some() || plain {
        declare(out);
        if let Some(v) = &a.default {
            out.push_str(" = ");
            value(out, v, &a.type_name, a.type_name.ends_with("[]"));
        }
        metadata(out, &a.metadata, depth, " (\n");
    }
    if !a.samples.is_empty() {
        declare(out);
        out.push_str(".timeSamples = {\n");
        for (time, v) in &a.samples {
            indent(out, depth + 1);
            let _ = write!(out, "{time}: ");
            value(out, v, &a.type_name, a.type_name.ends_with("[]"));
            out.push_str(",\n");
        }
        indent(out, depth);
        out.push_str("}\n");
    }
    if !a.connections.is_empty() {
        declare(out);
        out.push_str(".connect = ");
        paths(out, &a.connections);
        out.push('\n');
    }
}

fn value(out: &mut String, v: &Value, type_name: &str, is_array: bool) {
    match v {
        Value::Blocked | Value::Other => out.push_str("None"),
        Value::Bool(b) => out.push_str(if *b { "true" } else { "false" }),
        Value::Text(t) if type_name == "asset" => {
            let _ = write!(out, "@{t}@");
        }
        Value::Text(t) => quoted(out, t),
        Value::Texts(texts) => {
            out.push('[');
            for (i, t) in texts.iter().enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                quoted(out, t);
            }
            out.push(']');
        }
        Value::Numbers(numbers) => {
            let width = width_of(type_name);
            if is_array {
                out.push('[');
            }
            for (i, group) in numbers.chunks(width.max(1)).enumerate() {
                if i > 0 {
                    out.push_str(", ");
                }
                tuple(out, group, type_name);
            }
            if is_array {
                out.push(']');
            }
        }
        Value::Dictionary(_) => out.push_str("{}"),
    }
}

fn tuple(out: &mut String, numbers: &[f64], type_name: &str) {
    if let [one] = numbers {
        return number(out, *one, type_name);
    }
    if numbers.len() == 16 {
        out.push('(');
        for (i, row) in numbers.chunks(4).enumerate() {
            if i > 0 {
                out.push_str(", ");
            }
            tuple(out, row, type_name);
        }
        out.push(')');
        return;
    }
    out.push('(');
    for (i, n) in numbers.iter().enumerate() {
        if i > 0 {
            out.push_str(", ");
        }
        number(out, *n, type_name);
    }
    out.push(')');
}

/// The shortest text that reads back as the same number in its type.
fn number(out: &mut String, n: f64, type_name: &str) {
    let element = type_name.trim_end_matches("[]");
    let is_double = element.ends_with('d') || element == "double";
    let is_whole = ["int", "uint", "bool", "uchar"]
        .iter()
        .any(|t| element.starts_with(t));
    let is_extreme = n != 0.0 && !(1e-6..1e15).contains(&n.abs());
    let _ = if !n.is_finite() {
        // Nothing that is written here should be; a reader must still read it.
        write!(out, "0")
    } else if is_whole {
        write!(out, "{}", n as i64)
    } else if is_double && is_extreme {
        write!(out, "{n:e}")
    } else if is_double {
        write!(out, "{n}")
    } else if is_extreme {
        write!(out, "{:e}", n as f32)
    } else {
        write!(out, "{}", n as f32)
    };
}

fn quoted(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if c.is_control() => {
                let mut buffer = [0; 4];
                for b in c.encode_utf8(&mut buffer).bytes() {
                    let _ = write!(out, "\\x{b:02x}");
                }
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
