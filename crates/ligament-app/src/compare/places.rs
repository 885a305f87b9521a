//! Where contenders go wrong: the neighbourhoods of joints that are worst in any of them.

use ligament::JointIndex;
use ligament::measure::{RegionVerdict, Verdict};

use super::contender::Contender;

/// A joint's neighbourhood in all contenders.
#[derive(Debug, Clone)]
pub struct Place {
    /// The joint.
    pub joint: JointIndex,
    /// Its name.
    pub name: String,
    /// The contender in which it is worst.
    pub worst: usize,
}

impl Place {
    /// What a contender does here; `None` where it gives the joint no weight.
    pub fn of<'a>(&self, contender: &'a Contender) -> Option<&'a RegionVerdict> {
        contender.report.regions.iter().find(|r| r.joint == self.joint)
    }
}

/// The worst places of all contenders that are not sound, the worst first.
pub fn worst_places(contenders: &[Contender], count: usize) -> Vec<Place> {
    let mut all: Vec<(f64, Place)> = Vec::new();
    for (number, contender) in contenders.iter().enumerate() {
        for region in contender
            .report
            .regions
            .iter()
            .filter(|r| r.verdict != Verdict::Sound)
        {
            let place = Place {
                joint: region.joint,
                name: region.name.clone(),
                worst: number,
            };
            match all.iter_mut().find(|(_, p)| p.joint == region.joint) {
                Some(known) if known.0 < region.severity => *known = (region.severity, place),
                Some(_) => {}
                None => all.push((region.severity, place)),
            }
        }
    }
    all.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.joint.cmp(&b.1.joint)));
    all.into_iter().take(count).map(|(_, place)| place).collect()
}
