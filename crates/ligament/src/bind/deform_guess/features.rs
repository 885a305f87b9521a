//! The features of a joint, in the order in which a table knows them.

use crate::bind::learned::Range;

/// What a feature is about, so that a person can be told why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// What its name says.
    Words,
    /// What hangs on it and what it hangs on.
    Hierarchy,
    /// Where it is.
    Geometry,
    /// How it moves in clips.
    Motion,
    /// What the file lists.
    File,
}

/// A feature.
#[derive(Debug, Clone, Copy)]
pub struct Feature {
    /// What it is about.
    pub about: About,
    /// Which values 256 steps cover.
    pub range: Range,
}

macro_rules! features {
    ($($name:ident $about:ident $low:literal $high:literal: $doc:literal,)*) => {
        /// The names of the features.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Name {
            $(#[doc = $doc] $name,)*
        }

        /// All features.
        pub const FEATURES: [Feature; [$(Name::$name),*].len()] = [
            $(Feature { about: About::$about, range: Range::new($low, $high) },)*
        ];
    };
}

features! {
    SaysControl Words 0.0 1.0: "A word for something that steers.",
    SaysEnd Words 0.0 1.0: "The last word says that a chain ends.",
    SaysRoot Words 0.0 1.0: "The last word says that it places the character.",
    SaysSteering Words 0.0 1.0: "A word for something that may steer.",
    SaysSocket Words 0.0 1.0: "A word for a place of something.",
    SaysProp Words 0.0 1.0: "A word for something that is carried.",
    SaysHelper Words 0.0 1.0: "A word for twists and correctives.",
    SaysBody Words 0.0 1.0: "A word for a part of a body.",
    SaysFace Words 0.0 1.0: "A word for a part of a face.",
    SaysSoft Words 0.0 1.0: "A word for hair or clothes.",
    SaysObject Words 0.0 1.0: "A word for a thing in a scene.",
    SaysNothing Words 0.0 1.0: "No known word.",
    SaysDeform Words 0.0 1.0: "Says that it moves skin; half where no joint does.",
    NamedAsParent Words 0.0 1.0: "Named as its parent but for numbers and ends.",
    BelowControl Words 0.0 1.0: "Hangs below a joint that says it steers.",
    ChildrenNoBody Words 0.0 1.0: "The fraction of its children without a word for a body's part.",
    BodiesNamed Words 0.0 1.0: "The fraction of all joints with such a word.",
    PastFinger Words 0.0 1.0: "The fourth joint of a finger in a skeleton with such.",
    NamedAsPart Words 0.0 1.0: "Named as a part of the mesh.",
    TwinDeforms Words 0.0 1.0: "A joint at the same position says that it moves skin, and this one does not.",
    TwinPlain Words 0.0 1.0: "A joint at the same position steers less, by its name.",
    OthersLikeIt Words 0.0 1.0: "The fraction of all joints that say as little.",
    IsRoot Hierarchy 0.0 1.0: "Hangs on nothing.",
    IsLeaf Hierarchy 0.0 1.0: "Nothing hangs on it.",
    Children Hierarchy 0.0 8.0: "How many hang on it.",
    Below Hierarchy 0.0 1.0: "The fraction of all joints that are below.",
    Depth Hierarchy 0.0 16.0: "How many are above.",
    Height Hierarchy 0.0 16.0: "How many generations are below.",
    Siblings Hierarchy 0.0 16.0: "How many hang beside it.",
    HangsOnRoot Hierarchy 0.0 1.0: "Hangs on a root.",
    EndsChain Hierarchy 0.0 1.0: "A leaf with no joint beside it.",
    LeafBesideLimb Hierarchy 0.0 1.0: "A leaf beside a joint that goes on.",
    Joints Hierarchy 0.0 6.0: "ln of how many joints there are.",
    SkinDistance Geometry -7.0 0.0: "ln of the distance to the skin over the diagonal.",
    OutsideBox Geometry 0.0 0.5: "How far outside the skin's box, over the diagonal.",
    Inside Geometry -1.0 1.0: "How squarely the nearest skin faces away from it.",
    Share Geometry -8.0 0.0: "ln of the fraction of the skin that is nearest to it.",
    Facing Geometry -1.0 1.0: "How squarely that skin faces away from it.",
    Reach Geometry -3.0 3.0: "ln of the distance of that skin over the usual one.",
    OwnsShells Geometry 0.0 1.0: "The fraction of that skin in shells that are mostly nearest to it.",
    Alone Geometry 0.0 3.0: "ln of how much farther the next joint is from that skin.",
    ToNeighbour Geometry -8.0 0.0: "ln of the distance to the nearest joint that is neither above nor below.",
    ToParent Geometry -8.0 0.0: "ln of the distance to its parent over the diagonal.",
    ToChild Geometry -8.0 0.0: "ln of the distance to the nearest child.",
    Up Geometry -0.5 1.5: "How high, from the lowest to the highest skin.",
    Aside Geometry 0.0 1.5: "How far from the middle, sideways.",
    Forward Geometry -0.5 1.5: "How far forward.",
    HasClips Motion 0.0 1.0: "The file has clips.",
    OwnMotion Motion -12.0 0.0: "ln of its motion seen from its parent.",
    Slides Motion -12.0 0.0: "ln of the motion of its position seen from its parent.",
    WorldMotion Motion -12.0 0.0: "ln of the motion of its position.",
    Scaled Motion 0.0 1.0: "How far its scale is from that of the others.",
    ApartMotion Motion -12.0 0.0: "ln of how the distance to that neighbour changes.",
    Tracked Motion 0.0 1.0: "A track turns it.",
    Listed File 0.0 1.0: "The fraction of the skin whose part lists it.",
}

/// The features of one joint, a byte each.
pub type Features = [u8; FEATURES.len()];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_places_in_the_list() {
        assert_eq!(Name::SaysControl as usize, 0);
        assert_eq!(Name::Listed as usize + 1, FEATURES.len());
        assert!(FEATURES.iter().all(|f| f.range.low < f.range.high));
    }
}
