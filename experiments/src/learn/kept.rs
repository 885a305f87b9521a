//! Samples as bytes, for the next run: numbers in little-endian order, lists with their lengths in front.

use anyhow::{Context, ensure};

use crate::samples::Sample;

/// Changes whenever the layout does.
const VERSION: u32 = 2;

/// The bytes of samples.
pub fn written(points: &[Sample]) -> Vec<u8> {
    let mut bytes = VERSION.to_le_bytes().to_vec();
    let count = |bytes: &mut Vec<u8>, n: usize| bytes.extend((n as u32).to_le_bytes());
    count(&mut bytes, points.len());
    for point in points {
        count(&mut bytes, point.joints.len());
        bytes.extend(point.joints.iter().flat_map(|j| j.to_le_bytes()));
        count(&mut bytes, point.features.len());
        bytes.extend(&point.features);
        for numbers in [&point.bases, &point.own, &point.mixed] {
            count(&mut bytes, numbers.len());
            bytes.extend(numbers.iter().flat_map(|n| n.to_le_bytes()));
        }
    }
    bytes
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> anyhow::Result<&'a [u8]> {
        let (first, rest) = self.0.split_at_checked(count).context("it ends too early")?;
        self.0 = rest;
        Ok(first)
    }

    fn number(&mut self) -> anyhow::Result<usize> {
        let bytes: [u8; 4] = self.take(4)?.try_into()?;
        Ok(u32::from_le_bytes(bytes) as usize)
    }

    fn numbers(&mut self) -> anyhow::Result<Vec<f32>> {
        let count = self.number()?;
        let bytes = self.take(4 * count)?.chunks_exact(4);
        Ok(bytes
            .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .collect())
    }
}

/// Reads what [`written`] made, of points with so many features a candidate.
pub fn read(bytes: &[u8], features: usize) -> anyhow::Result<Vec<Sample>> {
    let mut reader = Reader(bytes);
    ensure!(reader.number()? == VERSION as usize, "its layout is another");
    let count = reader.number()?;
    let mut points = Vec::new();
    for _ in 0..count {
        let joints = reader.number()?;
        let joints: Vec<u16> = reader
            .take(2 * joints)?
            .chunks_exact(2)
            .map(|b| u16::from_le_bytes([b[0], b[1]]))
            .collect();
        let wide = reader.number()?;
        ensure!(wide == features * joints.len(), "its features are others");
        points.push(Sample {
            features: reader.take(wide)?.to_vec(),
            joints,
            bases: reader.numbers()?,
            own: reader.numbers()?,
            mixed: reader.numbers()?,
        });
    }
    ensure!(reader.0.is_empty(), "there is more after its end");
    Ok(points)
}
