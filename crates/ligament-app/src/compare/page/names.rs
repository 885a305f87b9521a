//! Contenders' names on the page: their colours, and where lines may break.

use maud::{Markup, html};

use crate::compare::contender::{Contender, Origin};

/// The name of a contender's colour in the style sheet: grey for the file's own weights.
pub fn hue(contenders: &[Contender], number: usize) -> String {
    if contenders[number].origin == Origin::File {
        return "own".to_owned();
    }
    let before = contenders[..number]
        .iter()
        .filter(|c| c.origin != Origin::File)
        .count();
    format!("c{}", before % 8)
}

/// A sentence with the contenders' names, which stand in quotes, set apart by their colours.
pub fn emphasised(sentence: &str, contenders: &[Contender]) -> Markup {
    let names: Vec<(&str, String)> = contenders
        .iter()
        .enumerate()
        .map(|(k, c)| (c.name.as_str(), hue(contenders, k)))
        .collect();
    html! {
        @for piece in pieces(sentence, &names) {
            @match piece {
                Piece::Plain(text) => (text),
                Piece::Name(name, hue) => b style={ "--hue:var(--" (hue) ")" } { (name) },
            }
        }
    }
}

#[derive(Debug, PartialEq)]
enum Piece<'a> {
    Plain(&'a str),
    Name(&'a str, &'a str),
}

/// Cuts a sentence before and after every quoted name.
fn pieces<'a>(mut sentence: &'a str, names: &'a [(&'a str, String)]) -> Vec<Piece<'a>> {
    let mut pieces = Vec::new();
    while !sentence.is_empty() {
        let found = |(name, hue): &'a (&'a str, String)| {
            let at = sentence.find(&format!("'{name}'"))?;
            Some((at, *name, hue.as_str()))
        };
        // The first in the sentence; of several there, the longest.
        let next = names
            .iter()
            .filter_map(found)
            .min_by_key(|(at, name, _)| (*at, usize::MAX - name.len()));
        let Some((at, name, hue)) = next else {
            pieces.push(Piece::Plain(sentence));
            break;
        };
        if at > 0 {
            pieces.push(Piece::Plain(&sentence[..at]));
        }
        pieces.push(Piece::Name(name, hue));
        sentence = &sentence[at + name.len() + 2..];
    }
    pieces
}

/// A name that may be broken after its underscores.
pub fn breakable(name: &str) -> Markup {
    html! {
        @for (k, piece) in name.split('_').enumerate() {
            @if k > 0 { "_" wbr; }
            (piece)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_joints_cannot_become_tags() {
        assert_eq!(
            breakable("<b a=\"1\">&_x").into_string(),
            "&lt;b a=&quot;1&quot;&gt;&amp;_<wbr>x"
        );
    }

    #[test]
    fn quoted_names_are_set_apart() {
        let names = [("a", "c0".to_owned()), ("<x>", "c1".to_owned())];
        assert_eq!(
            pieces("'<x>' beats 'a'.", &names),
            [
                Piece::Name("<x>", "c1"),
                Piece::Plain(" beats "),
                Piece::Name("a", "c0"),
                Piece::Plain(".")
            ]
        );
        assert_eq!(pieces("It's 'b'.", &names), [Piece::Plain("It's 'b'.")]);
    }
}
