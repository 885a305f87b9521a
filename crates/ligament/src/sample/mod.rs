//! Characters made by code.
use crate::Character;
/// temp
#[derive(Debug, thiserror::Error)]
#[error("no sample")]
pub struct SampleError;
/// temp
pub fn make(_: &str) -> Result<Character, SampleError> {
    Err(SampleError)
}
