//! Why a joint was kept or left out, in a person's words.

use super::JointTable;
use super::features::{About, FEATURES, Features, Name};

/// What decided: the kind of evidence without which the answer would change most, put into words.
pub(super) fn reason(table: &JointTable, features: &Features, moves_skin: bool) -> String {
    let odds = table.log_odds(features);
    let without = |about: About| {
        let mut changed = *features;
        for (at, feature) in FEATURES.iter().enumerate() {
            if feature.about == about {
                changed[at] = table.usual[at];
            }
        }
        table.log_odds(&changed)
    };
    if moves_skin {
        let says = |name: Name| features[name as usize] > 127;
        let by_name = says(Name::SaysBody) || says(Name::SaysFace) || says(Name::SaysSoft);
        return match (by_name, says(Name::Share)) {
            (true, true) => "its name is that of a body's part, and skin is near it",
            (true, false) => "its name is that of a body's part",
            (false, true) => "skin is near it, and nothing says that it only steers",
            (false, false) => "nothing says that it only steers",
        }
        .to_owned();
    }
    let strongest = [
        About::Words,
        About::Hierarchy,
        About::Geometry,
        About::Motion,
        About::File,
    ]
    .into_iter()
    .max_by(|&a, &b| (without(a) - odds).total_cmp(&(without(b) - odds)));
    words(strongest.unwrap_or(About::Words), features).to_owned()
}

/// What its name says against a joint.
pub(super) fn by_name(features: &Features) -> &'static str {
    words(About::Words, features)
}

/// What a kind of evidence says against a joint.
fn words(about: About, features: &Features) -> &'static str {
    let value = |name: Name| {
        let range = FEATURES[name as usize].range;
        range.low + f32::from(features[name as usize]) / 255.0 * (range.high - range.low)
    };
    let says = |name: Name| value(name) > 0.5;
    match about {
        About::Words => {
            if says(Name::SaysControl) || says(Name::SaysSteering) || says(Name::BelowControl) {
                "its name says that it steers others"
            } else if says(Name::SaysEnd) || says(Name::PastFinger) {
                "its name says that a chain ends there"
            } else if says(Name::SaysRoot) {
                "its name says that it places the character"
            } else if says(Name::SaysSocket) || says(Name::SaysProp) {
                "its name says that it carries something"
            } else if says(Name::TwinDeforms) || says(Name::TwinPlain) {
                "another joint at the same position moves the skin, by its name"
            } else if says(Name::SaysHelper) {
                "its name says that it helps another joint"
            } else if says(Name::SaysObject) || says(Name::NamedAsPart) {
                "its name is that of a thing, not of a joint"
            } else {
                "its name is not that of a body's part"
            }
        }
        About::Hierarchy => {
            if says(Name::IsRoot) {
                "it is a root that only places the character"
            } else if says(Name::IsLeaf) {
                "it hangs at the end, with nothing below it"
            } else {
                "it hangs beside the limbs"
            }
        }
        About::Geometry => {
            if value(Name::OutsideBox) > 0.01 {
                "it lies outside the skin"
            } else if value(Name::Share) < -6.0 {
                "no skin is nearest to it"
            } else if value(Name::Facing) < 0.2 || value(Name::Inside) < 0.0 {
                "the skin near it faces towards it: it lies outside the body"
            } else if value(Name::ToNeighbour) < -5.0 {
                "another joint lies at the same position"
            } else {
                "of where it lies in the body"
            }
        }
        About::Motion => {
            if value(Name::Slides) > -6.0 {
                "in the clips it slides against its parent"
            } else {
                "in the clips it does not move by itself"
            }
        }
        About::File => "few of the file's parts list it",
    }
}
