//! Moving the skin with the bones.
