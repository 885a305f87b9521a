//! Edits against whole binds.
