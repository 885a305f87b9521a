//! What is known about a point and one of the joints that it might follow. Nothing depends on units or on which way the
//! character stands.

use crate::bind::learned::Range;

macro_rules! features {
    ($($name:ident $low:literal $high:literal: $doc:literal,)*) => {
        /// The names of the features.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Name {
            $(#[doc = $doc] $name,)*
        }

        /// The range of each feature.
        pub const RANGES: [Range; [$(Name::$name),*].len()] = [$(Range::new($low, $high),)*];

        /// What each feature is called.
        #[cfg(feature = "research")]
        pub const NAMES: [&str; RANGES.len()] = [$(stringify!($name),)*];
    };
}

features! {
    // Distances: R is the radius of the limb around the joint's bone.
    Counted -0.1 3.0: "ln of the distance that counts for voxel binding, over the least of all joints.",
    Through -0.1 3.0: "ln of the distance through the solid, over the least.",
    Straight -0.1 3.0: "ln of the straight distance, over the least.",
    Detour -0.1 2.0: "ln of the distance through the solid over the straight one.",
    PastEnd 0.0 1.0: "How directly it lies past an end of the bone.",
    OverHead 0.0 4.0: "How far before the bone's head, in least distances.",
    OverTail 0.0 4.0: "How far past the bone's tail, in least distances.",
    ToHead -4.0 4.0: "How far along from the head, in R.",
    ToTail -4.0 4.0: "How far back from the tail, in R.",
    Along -1.0 2.0: "How far along, in bone lengths.",
    StraightInRadii -3.0 3.0: "ln of the straight distance in R.",
    Facing -1.0 1.0: "The cosine between the normal and the way from the bone.",
    HeatCost -0.1 5.0: "ln of what heat would charge, over the least of the candidates.",
    Rank 0.0 2.5: "ln of one more than its rank by counted distance.",
    // What the recipes say.
    VoxelLog -7.0 0.0: "ln of the weight by voxels.",
    HeatLog -7.0 0.0: "ln of the weight by heat.",
    Voxel 0.0 1.0: "The weight by voxels.",
    Heat 0.0 1.0: "The weight by heat.",
    Mean 0.0 1.0: "The mean of both.",
    Largest 0.0 1.0: "The largest mean at the point.",
    Second 0.0 1.0: "The second largest.",
    Disagreement 0.0 1.0: "How far voxels and heat disagree at the point.",
    Around -7.0 0.0: "ln of the mean weight of the points around.",
    Wide -7.0 0.0: "ln of the mean weight of those and of the points around them.",
    // The joint and its bone.
    RadiusInMedians -3.0 3.0: "ln of R over the median over bones.",
    RadiusInDistances -3.0 3.0: "ln of R over the least distance.",
    LengthInRadii -3.0 3.0: "ln of the bone's length over R.",
    LengthInDiagonals -6.0 0.0: "ln of the bone's length over the skeleton's diagonal.",
    Leaf 0.0 1.0: "It has no child that moves skin.",
    Children 0.0 4.0: "How many such children it has.",
    Below 0.0 1.0: "How much of the skeleton is below it, in logarithms.",
    CoincidesMiddle -4.0 3.0: "ln of the distance from the bone's middle to other joints' bones, in R.",
    CoincidesTail -4.0 3.0: "The same from its tail.",
    Bend -1.0 1.0: "The cosine of the bend against its parent.",
    RadiusOverParent -2.0 2.0: "ln of R over the parent's.",
    LengthOverParent -3.0 3.0: "ln of the bone's length over the way from its parent.",
    SideBone 0.0 1.0: "The nearest bone of the joint is not its main one.",
    Aside 0.0 1.0: "It lies beside the middle of a symmetric skeleton.",
    Kind 0.0 17.0: "What its name says that it is.",
    BestKind 0.0 17.0: "What that of the best joint says.",
    SaysFace 0.0 1.0: "Its name is that of a face's part.",
    SaysSoft 0.0 1.0: "Its name is that of hair or clothes.",
    SaysProp 0.0 1.0: "Its name is that of something that is carried.",
    SaysHelper 0.0 1.0: "Its name is that of a twist or corrective.",
    // What the joint owns as a whole.
    Share -9.0 0.0: "ln of the fraction of the skin whose largest weight it has.",
    HeatShare -9.0 0.0: "ln of the fraction of the skin that heat gives it.",
    ShareOverParent -4.0 4.0: "ln of its weight on all skin over its parent's.",
    TopOfOwn 0.0 1.5: "The skin whose largest weight it has over all that it has.",
    VoxelOverHeat -1.0 1.0: "What voxels give it beyond what heat does, over both.",
    Plumpness -3.0 3.0: "ln of its skin over that of a cylinder of its bone and R.",
    MainPiece 0.0 1.0: "The fraction of its skin that lies in one piece of the surface.",
    FromCentroid -3.0 2.0: "ln of the distance to the middle of its skin over that skin's radius.",
    FromCentroidLeast 0.0 3.0: "ln of the distance to the middle of its skin over the least of the candidates.",
    AimedBone -2.0 2.0: "Of a leaf: ln of the distance to a bone aimed at its skin over that to its stub.",
    // Where the point lies about the joint.
    NormalAlong -1.0 1.0: "The cosine between the normal and the bone.",
    Plane -1.0 1.0: "On which side of the joint's plane, softly.",
    PlaneFar -4.0 4.0: "How far on that side, in R.",
    PlaneIncoming -1.0 1.0: "On which side of the plane across the incoming bone, softly.",
    Lateral -3.0 3.0: "How far on the joint's own side of a symmetric character, in R.",
    // The hierarchy, seen from the best joints at the point.
    IsBest 0.0 1.0: "It has the largest mean.",
    IsParent 0.0 1.0: "It is the parent of that joint.",
    IsChild 0.0 1.0: "It is a child of that joint.",
    IsSibling 0.0 1.0: "It hangs beside that joint.",
    TreeDistance 0.0 6.0: "Steps in the hierarchy to that joint.",
    Direction -1.0 1.0: "Whether it is deeper than that joint.",
    SecondTreeDistance 0.0 6.0: "Steps to the second.",
    BelowWeight 0.0 1.0: "What joints below it have at the point.",
    AboveWeight 0.0 1.0: "What joints above it have.",
    ParentWeight 0.0 1.0: "What its parent has.",
    ChildWeight 0.0 1.0: "What its children have.",
    // The connected piece of the surface.
    PieceArea -9.0 0.0: "ln of the fraction of all area.",
    PieceExtent 0.0 1.0: "Its size over the skeleton's diagonal.",
    PieceMost 0.0 1.0: "The largest mean weight of a joint in it.",
    PieceJoints 0.0 4.0: "ln of one more than how many joints hold it.",
    PieceWeight 0.0 1.0: "The joint's mean weight in it.",
    PieceWeightLog -7.0 0.0: "ln of it.",
    SmallPieceLog -7.0 0.0: "The same, if the piece is small.",
    OwnInPiece 0.0 1.0: "The fraction of the joint's skin that lies in it.",
    BoneInPiece 0.0 1.0: "The bone's middle lies in its box.",
    HeadInPiece 0.0 1.0: "The bone's head lies in its box.",
    // The pieces close to it, and what its part is called.
    CloseLog -7.0 0.0: "ln of the joint's mean weight where another piece of the surface comes closest.",
    CloseDistance -3.0 3.0: "ln of the distance to that place over the least distance of a bone.",
    CloseFacing -1.0 1.0: "The cosine between the normal and the way there: one where it lies over the point.",
    PartFace 0.0 1.0: "Its part or material is called after a part of a face.",
    PartSoft 0.0 1.0: "After hair or clothes.",
    PartProp 0.0 1.0: "After something that is carried.",
    // The point.
    Thinness -8.0 0.0: "ln of the least distance over the skeleton's diagonal.",
    Edges -3.0 2.0: "ln of the mean edge over the least distance.",
}

/// How many there are.
pub const COUNT: usize = RANGES.len();

/// The features of a point and a joint, a byte each.
pub type Features = [u8; COUNT];
