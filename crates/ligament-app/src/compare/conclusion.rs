//! What a comparison comes to, in plain words.
//!
//! With the file's own weights as a reference the bind whose posed skin is nearest to theirs
//! is best; without, the one of the lowest score. A bind that is broken comes after those that
//! are not. Binds within a twentieth of each other are called level.

use ligament::Character;
use ligament::measure::{Measure, Verdict};
use serde::Serialize;

use super::contender::{Contender, Failed, Origin};
use super::worst_regions::worst_regions;
use crate::words::{duration, listed, percent, title};

/// Values this close, relative to the lower one, are level.
const LEVEL: f64 = 0.05;

/// Which bind is best, and why.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Conclusion {
    /// What decided.
    pub by: Basis,
    /// The contenders' numbers, the best first; the file's own weights have no part in it.
    pub order: Vec<usize>,
    /// One line.
    pub headline: String,
    /// What else there is to say.
    pub sentences: Vec<String>,
}

/// What decides which bind is best.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Basis {
    /// The distance of the posed skin from the reference's.
    Deformation,
    /// The sum of the measures.
    Score,
}

impl Basis {
    fn of(reference: bool) -> Self {
        if reference { Self::Deformation } else { Self::Score }
    }

    /// The number that decides; less is better.
    pub fn value(self, contender: &Contender) -> f64 {
        let report = &contender.report;
        match self {
            Self::Deformation => report
                .reference
                .as_ref()
                .and_then(|r| r.deformation_rms)
                .unwrap_or(report.score),
            Self::Score => report.score,
        }
    }

    fn words(self, contender: &Contender) -> String {
        match self {
            Self::Deformation => percent(self.value(contender)),
            Self::Score => format!("{:.2}", self.value(contender)),
        }
    }
}

/// The best first, broken ones after the others, the file's own weights last.
pub(super) fn put_in_order(contenders: &mut [Contender], reference: bool) {
    let by = Basis::of(reference);
    contenders.sort_by(|a, b| {
        let key = |c: &Contender| (c.origin == Origin::File, c.report.verdict == Verdict::Broken);
        key(a).cmp(&key(b)).then(by.value(a).total_cmp(&by.value(b)))
    });
}

impl Conclusion {
    /// What contenders that are in order come to.
    pub(super) fn of(
        character: &Character,
        contenders: &[Contender],
        failed: &[Failed],
        reference: bool,
    ) -> Self {
        let by = Basis::of(reference);
        let order: Vec<usize> = (0..contenders.len())
            .filter(|&c| contenders[c].origin != Origin::File)
            .collect();
        let mut words = Words {
            contenders,
            order: &order,
            by,
            sentences: Vec::new(),
        };
        let headline = words.headline(character);
        words.figures();
        words.broken();
        words.regions();
        words.times();
        for failure in failed {
            words.sentences.push(format!(
                "{} gave no weights: {}.",
                quoted(&failure.name),
                failure.why
            ));
        }
        let sentences = words.sentences;
        Self {
            by,
            order,
            headline,
            sentences,
        }
    }

    /// The first of the order.
    pub fn best(&self) -> Option<usize> {
        self.order.first().copied()
    }
}

struct Words<'a> {
    contenders: &'a [Contender],
    order: &'a [usize],
    by: Basis,
    sentences: Vec<String>,
}

impl Words<'_> {
    /// In quotes: methods are called like plain words.
    fn name(&self, number: usize) -> String {
        quoted(&self.contenders[number].name)
    }

    fn value(&self, number: usize) -> f64 {
        self.by.value(&self.contenders[number])
    }

    fn is_broken(&self, number: usize) -> bool {
        self.contenders[number].report.verdict == Verdict::Broken
    }

    /// Those that are as good as the best.
    fn leaders(&self) -> Vec<usize> {
        let Some(&best) = self.order.first() else {
            return Vec::new();
        };
        let near = |&c: &usize| {
            self.value(c) <= (1.0 + LEVEL) * self.value(best) && self.is_broken(c) == self.is_broken(best)
        };
        self.order.iter().copied().take_while(near).collect()
    }

    fn headline(&self, character: &Character) -> String {
        let leaders = self.leaders();
        let names: Vec<String> = leaders.iter().map(|&c| self.name(c)).collect();
        let what = &character.name;
        match (names.as_slice(), leaders.first()) {
            ([], _) => format!("Only the file's own weights of {what} were measured"),
            ([only], _) if self.order.len() == 1 => {
                let verdict = self.contenders[leaders[0]].report.verdict;
                let found = match verdict {
                    Verdict::Sound => "is sound",
                    Verdict::Suspect => "is worth a look",
                    Verdict::Broken => "is broken",
                };
                format!("{only} alone was compared, and it {found}")
            }
            (_, Some(&best)) if self.is_broken(best) => {
                format!(
                    "No bind of {what} is free of faults; {} comes nearest",
                    listed(&names)
                )
            }
            ([one], _) => format!("{one} binds {what} best"),
            _ => format!("{} bind {what} equally well", listed(&names)),
        }
    }

    /// The numbers that decide.
    fn figures(&mut self) {
        let Some((&best, others)) = self.order.split_first() else {
            return;
        };
        let report = &self.contenders[best].report;
        let frames = if report.from_clips {
            format!("{} frames of the file's own clips", report.frames_in_words())
        } else {
            format!("{} poses within joint limits", report.frames_in_words())
        };
        let worth = |c: &usize| format!("{} {}", self.name(*c), self.by.words(&self.contenders[*c]));
        let rest: Vec<String> = others.iter().map(worth).collect();
        let rest = if rest.is_empty() {
            String::new()
        } else {
            format!("; {}", listed(&rest))
        };
        let first = self.by.words(&self.contenders[best]);
        let name = self.name(best);
        self.sentences.push(match self.by {
            Basis::Deformation => format!(
                "Over {frames}, the skin that {name} gives is on average {first} of the character's size \
                 away from where the file's own weights put it{rest}."
            ),
            Basis::Score => format!(
                "Over {frames}, {name} has the lowest score, {first}{rest}. The score adds up what is wrong; less \
                 is better."
            ),
        });
    }

    /// Who is broken, and by what.
    fn broken(&mut self) {
        let all: Vec<usize> = (0..self.contenders.len())
            .filter(|&c| self.is_broken(c))
            .collect();
        if all.is_empty() {
            let worst = self.contenders.iter().map(|c| c.report.verdict).max();
            self.sentences.push(match worst {
                Some(Verdict::Sound) | None => "Nothing is broken, and nothing is near a limit.".to_owned(),
                _ => "Nothing is broken; what is worth a look stands below.".to_owned(),
            });
        }
        for number in all {
            let report = &self.contenders[number].report;
            let measures: Vec<&str> = report
                .findings
                .iter()
                .filter(|f| f.verdict == Verdict::Broken)
                .map(|f| title(f.measure))
                .collect();
            let regions: Vec<&str> = report
                .regions
                .iter()
                .filter(|r| r.verdict == Verdict::Broken)
                .map(|r| r.name.as_str())
                .collect();
            let mut reasons = Vec::new();
            if !measures.is_empty() {
                reasons.push(format!("over its limit in {}", listed(&measures)));
            }
            match regions.as_slice() {
                [] => {}
                [one] => reasons.push(format!("broken near {one}")),
                [first, ..] => {
                    reasons.push(format!(
                        "broken near {} joints, most of all {first}",
                        regions.len()
                    ));
                }
            }
            let who = match self.contenders[number].origin {
                Origin::File => "The file's own weights are",
                _ => &format!("{} is", self.name(number)),
            };
            self.sentences.push(format!("{who} {}.", reasons.join(" and ")));
        }
        for contender in self.contenders.iter().filter(|c| c.unweighted > 0) {
            let (name, count) = (quoted(&contender.name), contender.unweighted);
            self.sentences
                .push(format!("{name} left {count} vertices without any weight."));
        }
    }

    /// Where to look first.
    fn regions(&mut self) {
        let Some(worst) = worst_regions(self.contenders, 1).into_iter().next() else {
            return;
        };
        let contender = &self.contenders[worst.contender];
        let Some(region) = worst.of(contender) else { return };
        let frame = match &region.frame {
            Some(frame) => format!(", in {}", frame.name),
            None => String::new(),
        };
        let measure = match region.worst {
            Measure::Deformation => "distance from the file's weights",
            other => title(other),
        };
        self.sentences.push(format!(
            "Look first near {}: {} has its worst {measure} there{frame}.",
            worst.name,
            quoted(&contender.name)
        ));
    }

    /// Who is quick.
    fn times(&mut self) {
        let mut timed: Vec<(f64, String)> = self
            .contenders
            .iter()
            .filter_map(|c| Some((c.seconds?, quoted(&c.name))))
            .collect();
        timed.sort_by(|a, b| a.0.total_cmp(&b.0));
        if let ([(quick, fastest), ..], [.., (slow, slowest)]) = (timed.as_slice(), timed.as_slice())
            && timed.len() > 1
        {
            self.sentences.push(format!(
                "{fastest} is the quickest with {}, {slowest} takes {}.",
                duration(*quick),
                duration(*slow)
            ));
        }
    }
}

fn quoted(name: &str) -> String {
    format!("'{name}'")
}
