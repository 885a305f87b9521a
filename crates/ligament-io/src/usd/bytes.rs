//! Bytes at offsets that the file itself names, none of which can be trusted.

use crate::import::ImportError;

/// An offset into a file's bytes.
#[derive(Clone, Copy)]
pub(super) struct Bytes<'a> {
    pub all: &'a [u8],
    pub at: usize,
}

impl<'a> Bytes<'a> {
    pub fn at(all: &'a [u8], at: u64) -> Self {
        Self {
            all,
            at: usize::try_from(at).unwrap_or(usize::MAX),
        }
    }

    pub fn fail(&self, problem: impl Into<String>) -> ImportError {
        ImportError::malformed(format!("byte {}", self.at), problem)
    }

    pub fn take(&mut self, count: usize) -> Result<&'a [u8], ImportError> {
        let end = self.at.checked_add(count);
        let taken = end.and_then(|end| self.all.get(self.at..end));
        let taken =
            taken.ok_or_else(|| self.fail(format!("the file ends before {count} bytes that it names")))?;
        self.at += count;
        Ok(taken)
    }

    pub fn array<const N: usize>(&mut self) -> Result<[u8; N], ImportError> {
        let mut bytes = [0; N];
        bytes.copy_from_slice(self.take(N)?);
        Ok(bytes)
    }

    pub fn u8(&mut self) -> Result<u8, ImportError> {
        Ok(self.array::<1>()?[0])
    }

    pub fn u32(&mut self) -> Result<u32, ImportError> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    pub fn u64(&mut self) -> Result<u64, ImportError> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    /// A count of things. Whether there are as many is for the caller to find out.
    pub fn count(&mut self) -> Result<usize, ImportError> {
        usize::try_from(self.u64()?).map_err(|_| self.fail("a count is too large"))
    }

    /// Moves by the offset that is stored here, counted from here.
    pub fn jump(&mut self) -> Result<(), ImportError> {
        let from = self.at as i64;
        let offset = self.u64()? as i64;
        let to = from.checked_add(offset).and_then(|to| usize::try_from(to).ok());
        self.at = to.ok_or_else(|| self.fail("an offset leaves the file"))?;
        Ok(())
    }
}
