//! The text form (`.usda`) read into a [`Layer`].

use crate::import::ImportError;

use super::layer::{Attribute, Layer, Prim, Relationship, Value, is_wanted};
use super::lexer::{Lexer, Word};

/// Prims and values inside each other deeper than this are no scene that anyone made.
pub(super) const MOST_DEPTH: usize = 128;

/// Reads a whole text.
pub(super) fn parse_text(text: &[u8]) -> Result<Layer, ImportError> {
    let mut parser = Parser {
        words: Lexer::new(text),
    };
    parser.layer()
}

struct Parser<'a> {
    words: Lexer<'a>,
}

/// The contents of a value while they are read.
#[derive(Default)]
struct Collected {
    numbers: Vec<f64>,
    texts: Vec<String>,
}

impl Parser<'_> {
    fn layer(&mut self) -> Result<Layer, ImportError> {
        let mut layer = Layer::default();
        if self.words.take(b'(')? {
            layer.metadata = self.metadata()?;
        }
        loop {
            match self.words.next()? {
                Word::End => return Ok(layer),
                Word::Name(keyword) if is_specifier(&keyword) => {
                    layer.prims.push(self.prim(&keyword, 0)?);
                }
                Word::Name(keyword) if keyword == "reorder" => self.reorder()?,
                found => return Err(self.words.fail(format!("expected a prim, found {found}"))),
            }
        }
    }

    fn reorder(&mut self) -> Result<(), ImportError> {
        self.words.name()?;
        self.words.expect(b'=')?;
        self.value(0)?;
        Ok(())
    }

    fn prim(&mut self, specifier: &str, depth: usize) -> Result<Prim, ImportError> {
        if depth > MOST_DEPTH {
            return Err(self.words.fail("prims are nested too deep"));
        }
        let mut prim = Prim {
            is_defined: specifier == "def",
            ..Prim::default()
        };
        if let Word::Name(_) = self.words.peek()? {
            prim.type_name = self.words.name()?;
        }
        prim.name = self.words.string()?;
        if self.words.take(b'(')? {
            prim.metadata = self.metadata()?;
        }
        self.words.expect(b'{')?;
        loop {
            if self.words.take(b'}')? {
                return Ok(prim);
            }
            if self.words.take(b';')? {
                continue;
            }
            let keyword = self.words.name()?;
            if is_specifier(&keyword) {
                let child = self.prim(&keyword, depth + 1)?;
                prim.children.push(child);
            } else if keyword == "reorder" {
                self.reorder()?;
            } else if keyword == "variantSet" {
                prim.metadata.push(("variantSets".to_owned(), Value::Other));
                self.words.string()?;
                self.words.expect(b'=')?;
                self.words.expect(b'{')?;
                self.words.skip_to_close()?;
            } else {
                self.property(keyword, &mut prim)?;
            }
        }
    }

    fn property(&mut self, first: String, prim: &mut Prim) -> Result<(), ImportError> {
        let (mut is_custom, mut is_uniform, mut is_removed) = (false, false, false);
        let mut type_name = first;
        loop {
            match type_name.as_str() {
                "custom" => is_custom = true,
                "uniform" => is_uniform = true,
                "delete" | "reorder" => is_removed = true,
                "varying" | "config" | "prepend" | "append" | "add" => {}
                _ => break,
            }
            type_name = self.words.name()?;
        }
        if self.words.take(b'[')? {
            self.words.expect(b']')?;
            type_name.push_str("[]");
        }
        let full = self.words.name()?;
        let (name, aspect) = full.split_once('.').unwrap_or((&full, ""));
        if type_name == "rel" {
            let value = self.assigned()?;
            let targets = value.as_ref().and_then(Value::texts).unwrap_or(&[]).to_vec();
            if self.words.take(b'(')? {
                self.metadata()?;
            }
            if is_wanted(name) && !is_removed {
                prim.relationships.push(Relationship {
                    name: name.to_owned(),
                    targets,
                });
            }
            return Ok(());
        }
        let mut fresh = Attribute {
            name: name.to_owned(),
            type_name,
            is_uniform,
            is_custom,
            ..Attribute::default()
        };
        match aspect {
            "timeSamples" => {
                self.words.expect(b'=')?;
                fresh.samples = self.samples(is_wanted(name))?;
            }
            "connect" => {
                let value = self.assigned()?;
                fresh.connections = value.as_ref().and_then(Value::texts).unwrap_or(&[]).to_vec();
            }
            "" | "default" => fresh.default = self.assigned()?,
            _ => {
                // Splines and what may come: stepped over.
                self.words.expect(b'=')?;
                if self.words.take(b'{')? {
                    self.words.skip_to_close()?;
                } else {
                    self.value(0)?;
                }
            }
        }
        if self.words.take(b'(')? {
            fresh.metadata = self.metadata()?;
        }
        if !is_wanted(name) || is_removed {
            return Ok(());
        }
        match prim.attributes.iter_mut().find(|a| a.name == fresh.name) {
            Some(known) => {
                known.default = fresh.default.or(known.default.take());
                if !fresh.samples.is_empty() {
                    known.samples = fresh.samples;
                }
                known.connections.append(&mut fresh.connections);
                known.metadata.append(&mut fresh.metadata);
            }
            None => prim.attributes.push(fresh),
        }
        Ok(())
    }

    fn assigned(&mut self) -> Result<Option<Value>, ImportError> {
        if self.words.take(b'=')? {
            return self.value(0).map(Some);
        }
        Ok(None)
    }

    fn samples(&mut self, is_wanted: bool) -> Result<Vec<(f64, Value)>, ImportError> {
        let mut samples = Vec::new();
        self.words.expect(b'{')?;
        loop {
            if self.words.take(b'}')? {
                break;
            }
            let Word::Number(time) = self.words.next()? else {
                return Err(self.words.fail("expected a time"));
            };
            self.words.expect(b':')?;
            let value = self.value(0)?;
            if is_wanted && time.is_finite() {
                samples.push((time, value));
            }
            self.words.take(b',')?;
        }
        samples.sort_by(|a, b| a.0.total_cmp(&b.0));
        Ok(samples)
    }

    /// After an opening bracket: entries up to the closing one.
    fn metadata(&mut self) -> Result<Vec<(String, Value)>, ImportError> {
        let mut entries: Vec<(String, Value)> = Vec::new();
        loop {
            match self.words.next()? {
                Word::Sign(b')') => return Ok(entries),
                Word::Sign(b';' | b',') | Word::Text(_) => {}
                Word::Name(mut key) => {
                    let is_edit = matches!(key.as_str(), "prepend" | "append" | "add" | "delete" | "reorder");
                    if is_edit {
                        key = self.words.name()?;
                    }
                    self.words.expect(b'=')?;
                    let value = self.value(0)?;
                    entries.push((key, value));
                }
                found => return Err(self.words.fail(format!("unexpected {found:?}"))),
            }
        }
    }

    fn value(&mut self, depth: usize) -> Result<Value, ImportError> {
        match self.words.next()? {
            Word::Number(n) => Ok(Value::Numbers(vec![n])),
            Word::Text(text) => {
                // An asset may name a prim inside it, and how its time is shifted.
                if let Word::Path(_) = self.words.peek()? {
                    self.words.next()?;
                }
                Ok(Value::Text(text))
            }
            Word::Path(path) => Ok(Value::Texts(vec![path])),
            Word::Name(name) => Ok(match name.as_str() {
                "None" => Value::Blocked,
                "true" | "True" => Value::Bool(true),
                "false" | "False" => Value::Bool(false),
                _ => Value::Text(name),
            }),
            Word::Sign(open @ (b'(' | b'[')) => {
                let mut collected = Collected::default();
                self.collect(closing(open), &mut collected, depth)?;
                Ok(if collected.numbers.is_empty() {
                    Value::Texts(collected.texts)
                } else {
                    Value::Numbers(collected.numbers)
                })
            }
            Word::Sign(b'{') => self.dictionary(depth),
            found => Err(self.words.fail(format!("expected a value, found {found}"))),
        }
    }

    fn collect(&mut self, close: u8, into: &mut Collected, depth: usize) -> Result<(), ImportError> {
        if depth > MOST_DEPTH {
            return Err(self.words.fail("values are nested too deep"));
        }
        loop {
            match self.words.next()? {
                Word::Number(n) => into.numbers.push(n),
                Word::Text(text) | Word::Path(text) => into.texts.push(text),
                Word::Name(name) => match name.as_str() {
                    "true" | "True" => into.numbers.push(1.0),
                    "false" | "False" => into.numbers.push(0.0),
                    _ => into.texts.push(name),
                },
                Word::Sign(b',' | b';' | b'=') => {}
                Word::Sign(sign) if sign == close => return Ok(()),
                Word::Sign(open @ (b'(' | b'[')) => self.collect(closing(open), into, depth + 1)?,
                Word::Sign(b'{') => {
                    self.dictionary(depth + 1)?;
                }
                found => return Err(self.words.fail(format!("unexpected {found:?} in a list"))),
            }
        }
    }

    /// After `{`: `type name = value` entries.
    fn dictionary(&mut self, depth: usize) -> Result<Value, ImportError> {
        if depth > MOST_DEPTH {
            return Err(self.words.fail("values are nested too deep"));
        }
        let mut entries = Vec::new();
        loop {
            match self.words.next()? {
                Word::Sign(b'}') => return Ok(Value::Dictionary(entries)),
                Word::Sign(b';' | b',') => {}
                Word::Name(_) => {
                    if self.words.take(b'[')? {
                        self.words.expect(b']')?;
                    }
                    let key = match self.words.next()? {
                        Word::Name(key) | Word::Text(key) => key,
                        found => return Err(self.words.fail(format!("expected a key, found {found}"))),
                    };
                    self.words.expect(b'=')?;
                    let value = self.value(depth + 1)?;
                    entries.push((key, value));
                }
                found => return Err(self.words.fail(format!("unexpected {found:?} in a dictionary"))),
            }
        }
    }
}

fn is_specifier(keyword: &str) -> bool {
    matches!(keyword, "def" | "over" | "class")
}

fn closing(open: u8) -> u8 {
    if open == b'(' { b')' } else { b']' }
}
