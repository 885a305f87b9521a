//! Names that USD takes: letters, digits and `_`, not beginning with a digit.

use std::collections::{HashMap, HashSet};

/// Hands out names, each only once.
#[derive(Default)]
pub(super) struct Names {
    taken: HashSet<String>,
    /// The number to try next for a name that was wanted before.
    next: HashMap<String, usize>,
}

impl Names {
    /// A valid name close to `wanted` that was not handed out before. The same calls
    /// give the same names.
    pub fn unique(&mut self, wanted: &str, fallback: &str) -> String {
        let valid = valid_name(wanted, fallback);
        let mut name = valid.clone();
        if self.taken.contains(&name) {
            let next = self.next.entry(valid.clone()).or_insert(2);
            while self.taken.contains(&name) {
                name = format!("{valid}_{next}");
                *next += 1;
            }
        }
        self.taken.insert(name.clone());
        name
    }
}

fn valid_name(wanted: &str, fallback: &str) -> String {
    // ASCII alone: letters of other scripts are valid only for recent readers.
    let mut name: String = wanted
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    if name.chars().all(|c| c == '_') {
        fallback.clone_into(&mut name);
    }
    if name.starts_with(|c: char| c.is_ascii_digit()) {
        name.insert(0, '_');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_valid_and_unique() {
        let mut names = Names::default();
        let wanted = [
            "mixamorig:Hips",
            "mixamorig Hips",
            "2nd",
            "手",
            "",
            "Hips",
            "Hips",
        ];
        let given: Vec<String> = wanted.iter().map(|w| names.unique(w, "joint")).collect();
        assert_eq!(
            given,
            [
                "mixamorig_Hips",
                "mixamorig_Hips_2",
                "_2nd",
                "joint",
                "joint_2",
                "Hips",
                "Hips_2"
            ]
        );
    }
}
