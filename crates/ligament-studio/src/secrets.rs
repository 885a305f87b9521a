//! Who may talk to the studio.
//!
//! The address that opens the browser carries a one-time code in its fragment, which browsers never send to anybody. The
//! page exchanges it for the session's secret and keeps that in its tab; the secret is the first message on every
//! WebSocket. No cookie: cookies do not know ports, so that another program on this machine would be sent them.

use std::sync::{Mutex, MutexGuard, PoisonError};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// Codes that may wait to be used at a time.
const MOST_CODES: usize = 8;
/// After so many wrong codes all that wait are void: nobody types codes, so somebody guesses.
const MOST_MISTAKES: u32 = 100;

/// The session's secret and the codes that open it.
pub struct Doors {
    secret: String,
    codes: Mutex<Codes>,
}

#[derive(Default)]
struct Codes {
    waiting: Vec<String>,
    mistakes: u32,
}

impl Doors {
    /// A new session.
    pub fn new() -> Result<Self, getrandom::Error> {
        Ok(Self {
            secret: token()?,
            codes: Mutex::default(),
        })
    }

    fn codes(&self) -> MutexGuard<'_, Codes> {
        self.codes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A code that opens the session once.
    pub fn new_code(&self) -> Result<String, getrandom::Error> {
        let code = token()?;
        let mut codes = self.codes();
        codes.mistakes = 0;
        if codes.waiting.len() == MOST_CODES {
            codes.waiting.remove(0);
        }
        codes.waiting.push(code.clone());
        Ok(code)
    }

    /// The secret for a code, which is then used up.
    pub fn exchange(&self, code: &str) -> Option<&str> {
        let mut codes = self.codes();
        match codes.waiting.iter().position(|waiting| same(waiting, code)) {
            Some(found) => {
                codes.waiting.remove(found);
                Some(&self.secret)
            }
            None => {
                codes.mistakes += 1;
                if codes.mistakes >= MOST_MISTAKES {
                    codes.waiting.clear();
                }
                None
            }
        }
    }

    /// Whether this is the session's secret.
    pub fn admits(&self, secret: &str) -> bool {
        same(&self.secret, secret)
    }
}

/// 256 random bits as a word that can stand in an address.
pub fn token() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes)?;
    Ok(URL_SAFE_NO_PAD.encode(bytes))
}

/// Compares in a time that does not tell where two words differ.
fn same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |diff, (a, b)| diff | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_opens_once() {
        let doors = Doors::new().unwrap();
        let code = doors.new_code().unwrap();
        assert!(doors.exchange("another").is_none());
        let secret = doors.exchange(&code).unwrap().to_owned();
        assert!(doors.admits(&secret) && !doors.admits(&code) && !doors.admits(""));
        assert!(doors.exchange(&code).is_none(), "used up");
    }

    #[test]
    fn guessing_ends_it() {
        let doors = Doors::new().unwrap();
        let code = doors.new_code().unwrap();
        for _ in 0..MOST_MISTAKES {
            assert!(doors.exchange("guess").is_none());
        }
        assert!(doors.exchange(&code).is_none(), "void by then");
        let code = doors.new_code().unwrap();
        assert!(doors.exchange(&code).is_some(), "a new one works");
    }

    #[test]
    fn tokens_differ_and_are_words() {
        let (a, b) = (token().unwrap(), token().unwrap());
        assert!(a != b && a.len() == 43);
        assert!(
            a.bytes()
                .all(|c| c.is_ascii_alphanumeric() || c == b'-' || c == b'_')
        );
    }
}
