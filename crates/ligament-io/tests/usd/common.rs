//! What the tests of USD share.

use ligament::Character;
use ligament::bind::BindOptions;
use ligament::task::Task;

/// A sample with weights.
pub fn bound(name: &str) -> Character {
    let mut character = ligament::sample::make(name).unwrap();
    let method = ligament::bind::Method::named("closest").unwrap();
    let bound = method.bind_character(&character, &BindOptions::default(), &Task::unattended());
    character.weights = Some(bound.unwrap().weights);
    character
}
