//! Where contenders go wrong: the neighbourhoods of joints that are worst in any of them.

use ligament::JointIndex;
use ligament::measure::{RegionVerdict, Verdict};

use super::contender::Contender;

/// A joint's neighbourhood in all contenders.
#[derive(Debug, Clone)]
pub struct WorstRegion {
    /// The joint.
    pub joint: JointIndex,
    /// Its name.
    pub name: String,
    /// The contender in which it is worst.
    pub contender: usize,
}

impl WorstRegion {
    /// What a contender does here; `None` where it gives the joint no weight.
    pub fn of<'a>(&self, contender: &'a Contender) -> Option<&'a RegionVerdict> {
        contender.report.regions.iter().find(|r| r.joint == self.joint)
    }
}

/// The worst regions of all contenders that are not sound, the worst first.
pub fn worst_regions(contenders: &[Contender], count: usize) -> Vec<WorstRegion> {
    let mut all: Vec<(f64, WorstRegion)> = Vec::new();
    for (number, contender) in contenders.iter().enumerate() {
        for region in contender
            .report
            .regions
            .iter()
            .filter(|r| r.verdict != Verdict::Sound)
        {
            let worst = WorstRegion {
                joint: region.joint,
                name: region.name.clone(),
                contender: number,
            };
            match all.iter_mut().find(|(_, p)| p.joint == region.joint) {
                Some(known) if known.0 < region.severity => *known = (region.severity, worst),
                Some(_) => {}
                None => all.push((region.severity, worst)),
            }
        }
    }
    all.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.joint.cmp(&b.1.joint)));
    all.into_iter().take(count).map(|(_, worst)| worst).collect()
}
