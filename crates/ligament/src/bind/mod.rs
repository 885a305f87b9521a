//! The verbs that give weights.
