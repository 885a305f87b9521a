//! Steps that can be taken back, and which of them is shown.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::hands::{LayerChange, change_between, changed};
use crate::state::State;

/// Steps that are kept; the oldest but the start go first.
const MOST_STEPS: usize = 500;
/// Edits by hand in the layers of all steps, before the oldest steps go.
const MOST_EDITS: usize = 4_000_000;

/// A step and where it led.
#[derive(Debug, Clone, PartialEq)]
pub struct Step {
    /// What was done.
    pub label: String,
    /// What came of it.
    pub state: State,
}

/// All steps since a character was opened. There is always the first.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(from = "KeptHistory", into = "KeptHistory")]
pub struct History {
    steps: Vec<Step>,
    at: usize,
}

/// A history as a file has it: of the layer of edits by hand each step has only what it changed.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeptHistory {
    steps: Vec<KeptStep>,
    at: usize,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeptStep {
    label: String,
    state: State,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    edited: LayerChange,
}

impl From<History> for KeptHistory {
    fn from(history: History) -> Self {
        let mut layer = Arc::default();
        let kept = |step: Step| {
            let edited = change_between(&layer, &step.state.hands.layer);
            layer = step.state.hands.layer.clone();
            KeptStep {
                label: step.label,
                state: step.state,
                edited,
            }
        };
        Self {
            steps: history.steps.into_iter().map(kept).collect(),
            at: history.at,
        }
    }
}

impl From<KeptHistory> for History {
    fn from(kept: KeptHistory) -> Self {
        let mut layer = Arc::default();
        let step = |step: KeptStep| {
            layer = changed(&layer, step.edited);
            let mut state = step.state;
            state.hands.layer = layer.clone();
            Step {
                label: step.label,
                state,
            }
        };
        Self {
            steps: kept.steps.into_iter().map(step).collect(),
            at: kept.at,
        }
    }
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
        let edits = |steps: &[Step]| steps.iter().map(|s| s.state.hands.layer.len()).sum::<usize>();
        while self.steps.len() > MOST_STEPS || (self.steps.len() > 3 && edits(&self.steps) > MOST_EDITS) {
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
    fn a_file_keeps_of_a_layer_what_each_step_changed() {
        let mut history = History::new("opened".to_owned());
        let mut state = State::default();
        for vertex in 0..40u32 {
            let mut layer = state.hands.layer.as_ref().clone();
            let joint = ligament::JointIndex(vertex as u16 % 3);
            let one = ligament::character::Influence { joint, weight: 0.3 };
            layer.set(vertex / 2, ligament::weights::hands::HandEdit::typed(&[one]));
            state.hands.layer = Arc::new(layer);
            assert!(history.take(format!("stroke {vertex}"), state.clone()));
        }
        let text = serde_json::to_string(&history).unwrap();
        assert!(text.matches("\"cover\"").count() == 40, "each stroke once");
        assert_eq!(serde_json::from_str::<History>(&text).unwrap(), history);
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
