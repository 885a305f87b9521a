//! The words of the text form.

use crate::import::ImportError;

/// One word.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Word {
    /// A name or keyword: letters, digits, `_`, and `:` and `.` inside.
    Name(String),
    Number(f64),
    /// A string or an asset, without its quotes.
    Text(String),
    /// `<…>`, without its brackets.
    Path(String),
    /// One of `( ) { } [ ] = , ; :` or another sign.
    Sign(u8),
    End,
}

/// As messages quote it: a few letters of it, since a quote that is not closed runs to the end of the file.
impl std::fmt::Display for Word {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const MOST: usize = 40;
        let text = match self {
            Self::Name(text) | Self::Text(text) | Self::Path(text) => text,
            Self::Number(number) => return write!(f, "{number}"),
            Self::Sign(sign) => return write!(f, "'{}'", char::from(*sign)),
            Self::End => return write!(f, "the end of the file"),
        };
        let start: String = text.chars().take(MOST).collect();
        let more = if start.len() < text.len() { "…" } else { "" };
        write!(f, "'{}{more}'", start.escape_debug())
    }
}

/// Goes through a text word by word.
pub(super) struct Lexer<'a> {
    text: &'a [u8],
    at: usize,
    /// The next word, where it was looked at already.
    peeked: Option<Word>,
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a [u8]) -> Self {
        Self {
            text,
            at: 0,
            peeked: None,
        }
    }

    /// An error at the current line.
    pub fn fail(&self, problem: impl Into<String>) -> ImportError {
        let before = self.text.get(..self.at).unwrap_or(self.text);
        let line = 1 + before.iter().filter(|&&b| b == b'\n').count();
        ImportError::malformed(format!("line {line}"), problem)
    }

    pub fn peek(&mut self) -> Result<&Word, ImportError> {
        if self.peeked.is_none() {
            self.peeked = Some(self.read()?);
        }
        Ok(self.peeked.as_ref().unwrap_or(&Word::End))
    }

    pub fn next(&mut self) -> Result<Word, ImportError> {
        match self.peeked.take() {
            Some(word) => Ok(word),
            None => self.read(),
        }
    }

    /// Takes the next word if it is this sign.
    pub fn take(&mut self, sign: u8) -> Result<bool, ImportError> {
        let found = *self.peek()? == Word::Sign(sign);
        if found {
            self.peeked = None;
        }
        Ok(found)
    }

    pub fn expect(&mut self, sign: u8) -> Result<(), ImportError> {
        if self.take(sign)? {
            return Ok(());
        }
        let found = self.next()?;
        Err(self.fail(format!("expected '{}', found {found}", char::from(sign))))
    }

    pub fn name(&mut self) -> Result<String, ImportError> {
        match self.next()? {
            Word::Name(name) => Ok(name),
            found => Err(self.fail(format!("expected a name, found {found}"))),
        }
    }

    pub fn string(&mut self) -> Result<String, ImportError> {
        match self.next()? {
            Word::Text(text) => Ok(text),
            found => Err(self.fail(format!("expected a string, found {found}"))),
        }
    }

    /// Skips to the sign that closes a bracket that was just opened.
    pub fn skip_to_close(&mut self) -> Result<(), ImportError> {
        let mut depth = 1usize;
        while depth > 0 {
            match self.next()? {
                Word::Sign(b'(' | b'[' | b'{') => depth += 1,
                Word::Sign(b')' | b']' | b'}') => depth -= 1,
                Word::End => return Err(self.fail("the file ends inside a bracket")),
                _ => {}
            }
        }
        Ok(())
    }

    fn byte(&self, ahead: usize) -> u8 {
        self.text.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn rest(&self) -> &'a [u8] {
        self.text.get(self.at..).unwrap_or(&[])
    }

    fn skip_blank(&mut self) {
        loop {
            match self.byte(0) {
                b' ' | b'\t' | b'\r' | b'\n' => self.at += 1,
                b'#' => self.skip_line(),
                b'/' if self.byte(1) == b'/' => self.skip_line(),
                b'/' if self.byte(1) == b'*' => {
                    let end = self.rest().windows(2).position(|w| w == b"*/");
                    self.at = end.map_or(self.text.len(), |e| self.at + e + 2);
                }
                _ => return,
            }
        }
    }

    fn skip_line(&mut self) {
        let end = self.rest().iter().position(|&b| b == b'\n');
        self.at = end.map_or(self.text.len(), |e| self.at + e);
    }

    fn read(&mut self) -> Result<Word, ImportError> {
        self.skip_blank();
        if self.at >= self.text.len() {
            return Ok(Word::End);
        }
        match self.byte(0) {
            b'"' | b'\'' => self.quoted(),
            b'@' => self.asset(),
            b'<' => {
                let Some(end) = self.rest().iter().position(|&b| b == b'>') else {
                    return Err(self.fail("a path has no end"));
                };
                let path = String::from_utf8_lossy(&self.rest()[1..end]).into_owned();
                self.at += end + 1;
                Ok(Word::Path(path))
            }
            b'0'..=b'9' | b'+' | b'-' | b'.' => self.number(),
            b'_' | b'a'..=b'z' | b'A'..=b'Z' | 0x80.. => Ok(self.word()),
            sign => {
                self.at += 1;
                Ok(Word::Sign(sign))
            }
        }
    }

    fn word(&mut self) -> Word {
        let inside =
            |b: &u8| matches!(b, b'_' | b':' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' | 0x80..);
        let length = self.rest().iter().take_while(|b| inside(b)).count();
        let word = String::from_utf8_lossy(&self.rest()[..length]).into_owned();
        self.at += length;
        match word.as_str() {
            "inf" => Word::Number(f64::INFINITY),
            "nan" => Word::Number(f64::NAN),
            _ => Word::Name(word),
        }
    }

    fn number(&mut self) -> Result<Word, ImportError> {
        let inside = |b: &u8| matches!(b, b'+' | b'-' | b'.' | b'0'..=b'9' | b'a'..=b'z' | b'E');
        let length = self.rest().iter().take_while(|b| inside(b)).count();
        let word = std::str::from_utf8(&self.rest()[..length]).unwrap_or_default();
        match word.parse::<f64>() {
            Ok(number) => {
                self.at += length;
                Ok(Word::Number(number))
            }
            Err(_) => Err(self.fail(format!("'{word}' is no number"))),
        }
    }

    fn asset(&mut self) -> Result<Word, ImportError> {
        let mark: &[u8] = if self.rest().starts_with(b"@@@") {
            b"@@@"
        } else {
            b"@"
        };
        self.at += mark.len();
        let Some(end) = self.rest().windows(mark.len()).position(|w| w == mark) else {
            return Err(self.fail("an asset's name has no end"));
        };
        let asset = String::from_utf8_lossy(&self.rest()[..end]).into_owned();
        self.at += end + mark.len();
        Ok(Word::Text(asset))
    }

    fn quoted(&mut self) -> Result<Word, ImportError> {
        let quote = self.byte(0);
        let is_long = self.byte(1) == quote && self.byte(2) == quote;
        let mark = if is_long { 3 } else { 1 };
        self.at += mark;
        let mut bytes = Vec::new();
        loop {
            if self.at >= self.text.len() {
                return Err(self.fail("a string has no end"));
            }
            let b = self.byte(0);
            if b == quote && (!is_long || (self.byte(1) == quote && self.byte(2) == quote)) {
                self.at += mark;
                break;
            }
            self.at += 1;
            if b == b'\\' {
                let escaped = self.byte(0);
                self.at += 1;
                match escaped {
                    b'n' => bytes.push(b'\n'),
                    b't' => bytes.push(b'\t'),
                    b'r' => bytes.push(b'\r'),
                    b'x' => {
                        let digits = [self.byte(0), self.byte(1)];
                        let code = std::str::from_utf8(&digits).ok();
                        let code = code.and_then(|d| u8::from_str_radix(d, 16).ok());
                        if let Some(code) = code {
                            self.at += 2;
                            bytes.push(code);
                        }
                    }
                    other => bytes.push(other),
                }
            } else {
                bytes.push(b);
            }
        }
        Ok(Word::Text(String::from_utf8_lossy(&bytes).into_owned()))
    }
}
