//! Names for joints that are no standard bones, in the spelling of a package.

use crate::character::NameScheme;

/// A name of words joined by `_`, `left` or `right` first, as a package would spell it.
pub(super) fn spelled(name: &str, scheme: NameScheme) -> String {
    let (side, rest) = match name.split_once('_') {
        Some((side @ ("left" | "right"), rest)) => (Some(side), rest),
        _ => (None, name),
    };
    let capital = |w: &str| {
        let mut letters = w.chars();
        let first = letters.next().map(|c| c.to_ascii_uppercase());
        // Numbers that follow each other stay apart.
        let apart = first.filter(char::is_ascii_digit).map(|_| '_');
        apart.into_iter().chain(first).chain(letters).collect::<String>()
    };
    let joined = || {
        let words = side.into_iter().chain(rest.split('_'));
        words.map(capital).collect::<String>()
    };
    let suffix = side.map(|s| &s[..1]);
    match scheme {
        NameScheme::Unity => joined(),
        NameScheme::Mixamo => format!("mixamorig:{}", joined()),
        NameScheme::Vrm => {
            let name = joined();
            let mut letters = name.chars();
            let first = letters.next().map(|c| c.to_ascii_lowercase());
            first.into_iter().chain(letters).collect()
        }
        NameScheme::Unreal => suffix.map_or_else(|| rest.to_owned(), |s| format!("{rest}_{s}")),
        NameScheme::Rigify => {
            let end = suffix.map_or_else(String::new, |s| format!(".{}", s.to_ascii_uppercase()));
            format!("DEF-{rest}{end}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packages_spell_alike_words_each_their_way() {
        let of = |name| NameScheme::ALL.map(|s| spelled(name, s));
        assert_eq!(
            of("left_ear1_2"),
            [
                "leftEar1_2",
                "mixamorig:LeftEar1_2",
                "ear1_2_l",
                "LeftEar1_2",
                "DEF-ear1_2.L"
            ]
        );
        assert_eq!(of("tail1")[2], "tail1");
    }
}
