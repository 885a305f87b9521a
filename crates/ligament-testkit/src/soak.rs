//! How much tests repeat: little in every run, much in a soak.
//!
//! What a test checks is the same in both; a soak tries more broken files and more characters.
//! `cargo xtask soak` starts one by naming it in the environment.

/// The variable that names what is soaked, separated by commas.
pub const SOAK: &str = "LIGAMENT_SOAK";

/// Everything that can be soaked, and what it is.
pub const SOAKS: [(&str, &str); 3] = [
    ("mutants", "ten times as many broken files and random cases"),
    ("corpus", "every real character where a few stand for all"),
    ("batch", "a batch of a thousand assets, killed twenty times"),
];

/// Whether this run takes its time with something.
fn soaking(what: &str) -> bool {
    std::env::var(SOAK).is_ok_and(|named| named.split(',').any(|name| name == what))
}

/// How often something random is tried: as often as given in a soak of mutants, a tenth of
/// that in every run.
pub fn repeats(often: usize) -> usize {
    if soaking("mutants") {
        often
    } else {
        often.div_ceil(10)
    }
}

/// How often a command is run on something random: as often as given in a soak of mutants, a hundredth of that in every run.
pub fn commands(often: usize) -> usize {
    if soaking("mutants") {
        often
    } else {
        often.div_ceil(100)
    }
}

/// The size of a batch: as large as given in a soak of batches, a hundredth of that in every run.
pub fn batch_size(large: usize) -> usize {
    if soaking("batch") {
        large
    } else {
        large.div_ceil(100)
    }
}

/// All in a soak of the corpus, in every run so many of them, evenly spread.
pub fn spread<T>(all: Vec<T>, few: usize) -> Vec<T> {
    if soaking("corpus") {
        return all;
    }
    evenly(all, few)
}

/// The last of each of `few` runs of about the same length.
fn evenly<T>(all: Vec<T>, few: usize) -> Vec<T> {
    let count = all.len().max(1);
    let is_last = |i: usize| few >= count || (i * few) / count < ((i + 1) * few) / count;
    let mut index = 0..;
    let mut all = all;
    all.retain(|_| index.next().is_some_and(is_last));
    all
}

#[cfg(test)]
mod tests {
    use super::evenly;

    #[test]
    fn few_are_spread_over_all() {
        for count in 0..40 {
            for few in 1..50 {
                let found = evenly((0..count).collect(), few);
                assert_eq!(found.len(), few.min(count), "{few} of {count}");
                let gaps = found.windows(2).map(|w| w[1] - w[0]);
                assert!(gaps.clone().max().unwrap_or(0) <= gaps.min().unwrap_or(0) + 1);
            }
        }
    }
}
