//! Steps that can be taken back, and which of them is shown.

use serde::{Deserialize, Serialize};

use crate::state::State;

/// Steps that are kept; the oldest but the start go first.
const MOST_STEPS: usize = 500;

/// A step and where it led.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// What was done.
    pub label: String,
    /// What came of it.
    pub state: State,
}

/// All steps since a character was opened. There is always the first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct History {
    steps: Vec<Step>,
    at: usize,
}

impl History {
    /// Nothing done yet.
    pub fn new(label: String) -> Self {
        Self {
            steps: vec![Step {
                label,
                state: State::default(),
            }],
            at: 0,
        }
    }

    /// The state that is shown.
    pub fn state(&self) -> &State {
        &self.steps[self.at].state
    }

    /// Which step is shown.
    pub fn at(&self) -> usize {
        self.at
    }

    /// All steps.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Takes a step; those that were taken back are gone. A step that changes nothing is none.
    pub fn take(&mut self, label: String, state: State) -> bool {
        if state == *self.state() {
            return false;
        }
        self.steps.truncate(self.at + 1);
        self.steps.push(Step { label, state });
        if self.steps.len() > MOST_STEPS {
            self.steps.remove(1);
        }
        self.at = self.steps.len() - 1;
        true
    }

    /// Shows another step.
    pub fn go(&mut self, step: usize) -> bool {
        let exists = step < self.steps.len();
        if exists {
            self.at = step;
        }
        exists
    }

    /// Whether a history that was read holds together.
    pub fn is_sound(&self) -> bool {
        self.at < self.steps.len() && self.steps.len() <= MOST_STEPS
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::BindSettings;

    fn bound(influences: usize) -> State {
        State {
            bind: Some(BindSettings {
                influences,
                ..BindSettings::default()
            }),
            ..State::default()
        }
    }

    #[test]
    fn steps_are_taken_back_and_done_again() {
        let mut history = History::new("opened".to_owned());
        assert!(history.take("four".to_owned(), bound(4)));
        assert!(
            !history.take("four again".to_owned(), bound(4)),
            "nothing changed"
        );
        assert!(history.take("eight".to_owned(), bound(8)));
        assert!(history.go(0) && history.state().bind.is_none());
        assert!(history.go(2) && *history.state() == bound(8));
        assert!(!history.go(3));
        assert!(history.go(1) && history.take("two".to_owned(), bound(2)));
        let labels: Vec<&str> = history.steps().iter().map(|s| s.label.as_str()).collect();
        assert_eq!(labels, ["opened", "four", "two"]);
    }

    #[test]
    fn the_start_is_never_lost() {
        let mut history = History::new("opened".to_owned());
        for k in 0..2 * MOST_STEPS {
            history.take(k.to_string(), bound(1 + k % 8));
        }
        assert_eq!(history.steps().len(), MOST_STEPS);
        assert_eq!(history.steps()[0].label, "opened");
        assert_eq!(history.at(), MOST_STEPS - 1);
    }
}
