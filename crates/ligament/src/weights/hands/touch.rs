//! What a brush does to one point.

use serde::{Deserialize, Serialize};

use super::summed;
use crate::character::{Influence, JointIndex};

/// What a brush does to the share of one joint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Touch {
    /// More of it; less with a negative value.
    Add,
    /// As much of it as the value says.
    Replace,
    /// The value's multiple of it.
    Scale,
}

/// One touch of one point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stamp {
    /// What is done.
    pub touch: Touch,
    /// To which joint.
    pub joint: JointIndex,
    /// By which value: added, put in place, multiplied with.
    pub value: f32,
    /// How much of that, 0 to 1.
    pub amount: f32,
    /// The others share what is left, so that the sum stays one; they stay as they are if not.
    pub holds_sum: bool,
    /// Who takes what a joint loses that holds all of a point.
    pub heir: Option<JointIndex>,
}

impl Stamp {
    /// A row (joints ascending) after the touch.
    pub fn on(&self, row: &[Influence]) -> Vec<Influence> {
        let before = fraction(row, self.joint);
        let (value, amount) = (f64::from(self.value), f64::from(self.amount));
        let after = match self.touch {
            Touch::Add => before + value * amount,
            Touch::Replace => before + (value - before) * amount,
            Touch::Scale => before * (1.0 + (value - 1.0) * amount),
        };
        self.with_share(row, after.clamp(0.0, 1.0))
    }

    /// A row in which the joint has this share.
    fn with_share(&self, row: &[Influence], after: f64) -> Vec<Influence> {
        let before = fraction(row, self.joint);
        if after == before {
            return row.to_vec();
        }
        let others: f64 = row
            .iter()
            .filter(|i| i.joint != self.joint)
            .map(|i| f64::from(i.weight))
            .sum();
        let mut touched: Vec<Influence> = Vec::with_capacity(row.len() + 1);
        let scale = match self.holds_sum {
            true if others > 0.0 => (1.0 - after) / others,
            true => 0.0,
            false => 1.0,
        };
        for i in row.iter().filter(|i| i.joint != self.joint) {
            touched.push(Influence {
                weight: (f64::from(i.weight) * scale) as f32,
                ..*i
            });
        }
        let mut own = after;
        if self.holds_sum && others <= 0.0 {
            match self.heir.filter(|&heir| heir != self.joint) {
                Some(heir) => touched.push(Influence {
                    joint: heir,
                    weight: (1.0 - after) as f32,
                }),
                // Weight has to go somewhere.
                None => own = 1.0,
            }
        }
        touched.push(Influence {
            joint: self.joint,
            weight: own as f32,
        });
        touched.retain(|i| i.weight > 0.0);
        touched.sort_by_key(|i| i.joint);
        touched
    }
}

fn fraction(row: &[Influence], joint: JointIndex) -> f64 {
    row.iter()
        .find(|i| i.joint == joint)
        .map_or(0.0, |i| f64::from(i.weight))
}

/// A row on its way to the mean of others, by `amount`; joints ascending. Without others it stays.
pub fn mixed<'a>(
    row: &[Influence],
    others: impl IntoIterator<Item = &'a [Influence]>,
    amount: f32,
) -> Vec<Influence> {
    let mut sum: Vec<(JointIndex, f64)> = Vec::new();
    let mut count = 0.0;
    for other in others {
        sum.extend(other.iter().map(|i| (i.joint, f64::from(i.weight))));
        count += 1.0;
    }
    if count == 0.0 {
        return row.to_vec();
    }
    let amount = f64::from(amount);
    for entry in &mut sum {
        entry.1 *= amount / count;
    }
    sum.extend(
        row.iter()
            .map(|i| (i.joint, (1.0 - amount) * f64::from(i.weight))),
    );
    summed(sum)
}
