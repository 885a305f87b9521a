//! What the readers of text files share: lines and words that know where they are, and
//! numbers that are always finite.

use crate::import::ImportError;

/// One line, without its end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'a> {
    /// Counted from 1.
    pub number: usize,
    /// Its bytes, without surrounding blanks.
    pub text: &'a [u8],
}

impl<'a> Line<'a> {
    /// Its words, between blanks.
    pub fn words(&self) -> impl Iterator<Item = &'a [u8]> + Clone + use<'a> {
        self.text
            .split(u8::is_ascii_whitespace)
            .filter(|word| !word.is_empty())
    }

    /// What follows its first word.
    pub fn after_first_word(&self) -> &'a [u8] {
        let end = self.text.iter().position(u8::is_ascii_whitespace);
        end.map_or(&[], |end| self.text[end..].trim_ascii())
    }

    /// Says what is wrong here.
    pub fn error(&self, problem: impl Into<String>) -> ImportError {
        ImportError::malformed(format!("line {}", self.number), problem)
    }
}

/// All lines, whatever ends them: LF, CR LF or CR alone.
pub(crate) fn lines(bytes: &[u8]) -> Lines<'_> {
    let lonely_cr = !bytes.contains(&b'\n') && bytes.contains(&b'\r');
    Lines {
        rest: Some(without_mark(bytes)),
        end: if lonely_cr { b'\r' } else { b'\n' },
        number: 0,
    }
}

/// The same bytes without the mark that some editors put in front of UTF-8.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes)
}

/// Goes from line to line.
#[derive(Debug, Clone)]
pub(crate) struct Lines<'a> {
    rest: Option<&'a [u8]>,
    end: u8,
    number: usize,
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let rest = self.rest?;
        let text = match memchr::memchr(self.end, rest) {
            Some(at) => {
                self.rest = Some(&rest[at + 1..]);
                &rest[..at]
            }
            None => {
                self.rest = None;
                rest
            }
        };
        self.number += 1;
        Some(Line {
            number: self.number,
            text: text.trim_ascii(),
        })
    }
}

/// Words one after the other, wherever the lines end.
#[derive(Debug, Clone)]
pub(crate) struct Words<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
    comment: Option<u8>,
}

impl<'a> Words<'a> {
    /// `comment`, where it starts a word, hides the rest of its line.
    pub fn new(bytes: &'a [u8], comment: Option<u8>) -> Self {
        Self {
            bytes: without_mark(bytes),
            at: 0,
            line: 1,
            comment,
        }
    }

    /// Words from `start` on, with lines counted from the beginning.
    pub fn starting(bytes: &'a [u8], start: usize) -> Self {
        let start = start.min(bytes.len());
        Self {
            bytes,
            at: start,
            line: 1 + bytes[..start].iter().filter(|&&b| b == b'\n').count(),
            comment: None,
        }
    }

    /// How many bytes were read.
    pub fn at(&self) -> usize {
        self.at
    }

    /// The line that the last word stood on.
    pub fn line(&self) -> usize {
        self.line
    }

    /// The next word.
    pub fn next(&mut self) -> Option<&'a [u8]> {
        loop {
            let byte = *self.bytes.get(self.at)?;
            if byte.is_ascii_whitespace() {
                self.line += usize::from(byte == b'\n');
                self.at += 1;
            } else if Some(byte) == self.comment {
                while self.bytes.get(self.at).is_some_and(|&b| b != b'\n') {
                    self.at += 1;
                }
            } else {
                let start = self.at;
                while self.bytes.get(self.at).is_some_and(|b| !b.is_ascii_whitespace()) {
                    self.at += 1;
                }
                return Some(&self.bytes[start..self.at]);
            }
        }
    }

    /// The next word, which must be there.
    pub fn expect(&mut self, what: &str) -> Result<&'a [u8], ImportError> {
        match self.next() {
            Some(word) => Ok(word),
            None => Err(self.error(format!("the file ends where {what} should be"))),
        }
    }

    /// The next word as a number.
    pub fn f64(&mut self, what: &str) -> Result<f64, ImportError> {
        let word = self.expect(what)?;
        f64_of(word).ok_or_else(|| self.error(format!("{what} should be a number, not {}", shown(word))))
    }

    /// The next word as a number.
    pub fn f32(&mut self, what: &str) -> Result<f32, ImportError> {
        let word = self.expect(what)?;
        f32_of(word).ok_or_else(|| self.error(format!("{what} should be a number, not {}", shown(word))))
    }

    /// The next word as a count or an index.
    pub fn count(&mut self, what: &str) -> Result<usize, ImportError> {
        let word = self.expect(what)?;
        count_of(word)
            .ok_or_else(|| self.error(format!("{what} should be a whole number, not {}", shown(word))))
    }

    /// Says what is wrong at the last word.
    pub fn error(&self, problem: impl Into<String>) -> ImportError {
        ImportError::malformed(format!("line {}", self.line), problem)
    }
}

/// A finite number.
pub(crate) fn f64_of(word: &[u8]) -> Option<f64> {
    let number: f64 = std::str::from_utf8(word).ok()?.parse().ok()?;
    number.is_finite().then_some(number)
}

/// A finite number. Too small becomes zero, too large is none.
pub(crate) fn f32_of(word: &[u8]) -> Option<f32> {
    let number: f32 = std::str::from_utf8(word).ok()?.parse().ok()?;
    number.is_finite().then_some(number)
}

/// A whole number that is not negative.
pub(crate) fn count_of(word: &[u8]) -> Option<usize> {
    std::str::from_utf8(word).ok()?.parse().ok()
}

/// A word for a message: short, and readable whatever it holds.
pub(crate) fn shown(word: &[u8]) -> String {
    let text = String::from_utf8_lossy(&word[..word.len().min(40)]);
    let readable: String = text.chars().filter(|c| !c.is_control()).collect();
    format!("'{readable}'")
}

/// A name as text.
pub(crate) fn name_of(word: &[u8]) -> String {
    String::from_utf8_lossy(word).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_every_way_and_are_counted() {
        for text in ["a b\n\n c", "a b\r\n\r\n c", "a b\r\r c", "\u{feff}a b\n\nc"] {
            let all: Vec<(usize, &[u8])> = lines(text.as_bytes()).map(|l| (l.number, l.text)).collect();
            assert_eq!(all, [(1, &b"a b"[..]), (2, b""), (3, b"c")], "{text:?}");
        }
        assert_eq!(
            lines(b"g  left arm ").next().unwrap().after_first_word(),
            b"left arm"
        );
    }

    #[test]
    fn words_skip_comments_and_know_their_line() {
        let mut words = Words::new(b"OFF # no\n# none\n 3 1.5", Some(b'#'));
        assert_eq!(words.next(), Some(&b"OFF"[..]));
        assert_eq!(words.count("a count").unwrap(), 3);
        assert_eq!(words.line(), 3);
        assert_eq!(words.f64("a number").unwrap(), 1.5);
        assert!(words.f64("a number").is_err());
    }

    #[test]
    fn numbers_are_finite() {
        assert_eq!(f32_of(b"-1.5e-3"), Some(-1.5e-3));
        for bad in ["nan", "inf", "1e99", "", "1.0.0", "-1.#IND", "0x10"] {
            assert_eq!(f32_of(bad.as_bytes()), None, "{bad}");
        }
    }
}
