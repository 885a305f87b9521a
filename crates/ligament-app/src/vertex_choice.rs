//! Vertices chosen by words: by part, material, colour, position or index.
//!
//! `part:NAME`, `material:NAME`, `color:R,G,B` (vertices painted within a quarter of it, numbers from 0 to 1),
//! `vertices:1,5,9-20`, `vertices:@FILE` (numbers, separated by anything), `sphere:X,Y,Z,RADIUS`, `box:X,Y,Z,X,Y,Z`.
//! A word alone is a part's name. Several choices add up; `!` in front takes vertices out again, and if the first one does
//! so, all others start in.

use std::path::Path;

use glam::DVec3;
use ligament::bind::VertexSet;

use crate::AppError;
use crate::asset::Asset;

/// How far a vertex's colour may be from one that is named.
const LIKE: f32 = 0.25;

/// For each vertex of the character whether it is chosen; none if nothing was said.
pub fn chosen_vertices(asset: &Asset, words: &[String]) -> Result<Option<Vec<bool>>, AppError> {
    let Some(first) = words.first() else {
        return Ok(None);
    };
    let mut chosen = vec![first.starts_with('!'); asset.character().mesh.positions.len()];
    for word in words {
        let (name, wanted) = match word.strip_prefix('!') {
            Some(name) => (name, false),
            None => (word.as_str(), true),
        };
        for (chosen, inside) in chosen.iter_mut().zip(vertices_called(asset, name)?) {
            if inside {
                *chosen = wanted;
            }
        }
    }
    if chosen.contains(&true) {
        return Ok(Some(chosen));
    }
    Err(AppError::NoVertexChosen {
        words: words.join(", "),
    })
}

fn vertices_called(asset: &Asset, word: &str) -> Result<Vec<bool>, AppError> {
    let character = asset.character();
    let (kind, rest) = word.split_once(':').unwrap_or(("part", word));
    let set = match kind {
        "part" => VertexSet::Part(rest.to_owned()),
        "material" => VertexSet::Material(rest.to_owned()),
        "vertices" => asset.vertex_set(&VertexSet::Vertices(vertex_numbers(rest)?))?,
        "sphere" => match numbers(rest).as_deref() {
            Some(&[x, y, z, radius]) => VertexSet::Sphere {
                centre: DVec3::new(x, y, z),
                radius,
            },
            _ => return Err(bad_choice(word, "a sphere is X,Y,Z,RADIUS")),
        },
        "box" => match numbers(rest).as_deref() {
            Some(&[x, y, z, u, v, w]) => VertexSet::Box {
                low: DVec3::new(x, y, z).min(DVec3::new(u, v, w)),
                high: DVec3::new(x, y, z).max(DVec3::new(u, v, w)),
            },
            _ => return Err(bad_choice(word, "a box is X,Y,Z,X,Y,Z")),
        },
        "color" => return painted(asset, word, rest),
        // Parts may be called anything, with a colon too.
        _ => VertexSet::Part(word.to_owned()),
    };
    set.resolve(character).map_err(|source| {
        let mut parts: Vec<&str> = character.mesh.parts.iter().map(|p| p.name.as_str()).collect();
        parts.dedup();
        parts.truncate(12);
        bad_choice(word, format!("{source}; the parts are {}", parts.join(", ")))
    })
}

fn painted(asset: &Asset, word: &str, rest: &str) -> Result<Vec<bool>, AppError> {
    let wanted = match numbers(rest).as_deref() {
        Some(&[r, g, b]) => [r as f32, g as f32, b as f32],
        _ => return Err(bad_choice(word, "a colour is R,G,B, each from 0 to 1")),
    };
    let colors = asset.character().mesh.colors.as_ref();
    let colors = colors.ok_or_else(|| bad_choice(word, "the file has no vertex colours"))?;
    let like = |c: &[f32; 4]| (0..3).all(|k| (c[k] - wanted[k]).abs() <= LIKE);
    let inside: Vec<bool> = colors.iter().map(like).collect();
    if inside.contains(&true) {
        return Ok(inside);
    }
    Err(bad_choice(word, "no vertex is painted so"))
}

fn numbers(text: &str) -> Option<Vec<f64>> {
    let number = |n: &str| n.trim().parse::<f64>().ok().filter(|n| n.is_finite());
    text.split(',').map(number).collect()
}

/// `1,5,9-20`, or the numbers in a file.
fn vertex_numbers(text: &str) -> Result<Vec<u32>, AppError> {
    let read = match text.strip_prefix('@') {
        Some(path) => {
            let path = Path::new(path);
            Some(std::fs::read_to_string(path).map_err(|e| AppError::read(path, e))?)
        }
        None => None,
    };
    let words = read.as_deref().unwrap_or(text);
    let mut all = Vec::new();
    let separates = |c: char| !(c.is_ascii_digit() || c == '-');
    for word in words.split(separates).filter(|w| !w.is_empty()) {
        let (from, to) = word.split_once('-').unwrap_or((word, word));
        match (from.parse::<u32>(), to.parse::<u32>()) {
            // A typo must not ask for four billion vertices.
            (Ok(from), Ok(to)) if from <= to && to - from < 100_000_000 => all.extend(from..=to),
            _ => return Err(bad_choice(word, "vertices are numbers, as in 1,5,9-20")),
        }
    }
    Ok(all)
}

fn bad_choice(word: &str, rule: impl Into<String>) -> AppError {
    AppError::BadChoice {
        word: word.to_owned(),
        rule: rule.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::asset::AssetRequest;
    use ligament::task::Task;

    fn count(words: &[&str]) -> Result<Option<usize>, String> {
        let asset = Asset::open(&AssetRequest::of("sample:skirt@1500"), &Task::unattended()).unwrap();
        let words: Vec<String> = words.iter().map(|w| (*w).to_owned()).collect();
        chosen_vertices(&asset, &words)
            .map(|c| c.map(|c| c.iter().filter(|&&c| c).count()))
            .map_err(|e| e.to_string())
    }

    #[test]
    fn choices_add_up_and_can_be_taken_back() {
        let whole = Asset::open(&AssetRequest::of("sample:skirt@1500"), &Task::unattended()).unwrap();
        let all = whole.source_positions().len();
        let of = |words: &[&str]| count(words).unwrap().unwrap();
        assert_eq!(count(&[]), Ok(None));
        let (skirt, hair) = (of(&["skirt"]), of(&["part:hair"]));
        assert_eq!(of(&["skirt", "hair"]), skirt + hair);
        assert_eq!(of(&["!skirt"]), all - skirt);
        assert_eq!(of(&["material:linen"]), skirt);
        assert_eq!(of(&["vertices:1,5,9-20"]), 14);
        assert_eq!(of(&["box:-9,-9,-9,9,9,9"]), all);
        assert_eq!(of(&["sphere:0,0,0,99", "!vertices:0"]), all - 1);
    }

    #[test]
    fn what_is_not_there_is_named() {
        for (words, says) in [
            (&["cape"][..], "skirt"),
            (&["color:1,0,0"], "no vertex colours"),
            (&["color:red"], "R,G,B"),
            (&["vertices:1-x"], "1-"),
            (&["vertices:9-1"], "9-1"),
            (&["vertices:999999999"], "999999999"),
            (&["sphere:1,2"], "RADIUS"),
            (&["box:1,2,nan,4,5,6"], "X,Y,Z"),
            (&["skirt", "!skirt"], "skirt"),
        ] {
            let refused = count(words).unwrap_err();
            assert!(refused.contains(says), "{words:?}: {refused}");
        }
    }

    #[test]
    fn mutated_words_choose_something_or_are_refused() {
        let asset = Asset::open(&AssetRequest::of("sample:skirt@1500"), &Task::unattended()).unwrap();
        let words = [
            "part:skirt",
            "material:linen",
            "vertices:1,5,9-20",
            "sphere:0,1,0,0.5",
            "box:-1,0,-1,1,1,1",
            "color:1,0,0",
        ];
        let mut random = ligament_testkit::Random(11);
        for _ in 0..3000 {
            let mut letters: Vec<char> = words[random.below(words.len())].chars().collect();
            for _ in 0..=random.below(3) {
                let at = random.below(letters.len());
                letters[at] = ['!', ':', ',', '-', '9', 'e', '@', '\u{e9}'][random.below(8)];
            }
            let word: String = letters.into_iter().collect();
            // A file of that name would be read.
            if word.contains('@') {
                continue;
            }
            if let Ok(chosen) = chosen_vertices(&asset, &[word]) {
                assert!(chosen.is_some_and(|c| c.contains(&true)));
            }
        }
    }
}
