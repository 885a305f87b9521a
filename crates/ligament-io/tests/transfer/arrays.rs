//! NumPy's arrays in an archive, as far as the reference's need it.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use glam::DVec3;

/// Arrays by name: how many columns each has, and its bytes.
pub struct Arrays(BTreeMap<String, (usize, Vec<u8>)>);

impl Arrays {
    pub fn open(file: &Path) -> Self {
        let mut archive = zip::ZipArchive::new(std::fs::File::open(file).unwrap()).unwrap();
        let mut arrays = BTreeMap::new();
        for index in 0..archive.len() {
            let mut entry = archive.by_index(index).unwrap();
            let name = entry.name().unwrap().trim_end_matches(".npy").to_owned();
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes).unwrap();
            // Version 1: the header's length is in two bytes after the magic and the version.
            let end = 10 + usize::from(u16::from_le_bytes([bytes[8], bytes[9]]));
            let header = String::from_utf8_lossy(&bytes[10..end]).into_owned();
            assert!(header.contains("'fortran_order': False"), "{name}: {header}");
            let shape = header.split('(').nth(1).unwrap().split(')').next().unwrap();
            let columns = shape.split(',').nth(1).and_then(|c| c.trim().parse().ok());
            arrays.insert(name, (columns.unwrap_or(1), bytes.split_off(end)));
        }
        Self(arrays)
    }

    pub fn columns(&self, name: &str) -> usize {
        self.0[name].0
    }

    fn words(&self, name: &str) -> impl Iterator<Item = [u8; 4]> + '_ {
        self.0[name].1.chunks_exact(4).map(|c| [c[0], c[1], c[2], c[3]])
    }

    pub fn floats(&self, name: &str) -> Vec<f32> {
        self.words(name).map(f32::from_le_bytes).collect()
    }

    pub fn points(&self, name: &str) -> Vec<DVec3> {
        let numbers = self.floats(name);
        let point = |p: &[f32]| DVec3::new(p[0].into(), p[1].into(), p[2].into());
        numbers.chunks_exact(3).map(point).collect()
    }

    pub fn faces(&self, name: &str) -> Vec<[u32; 3]> {
        let numbers: Vec<u32> = self.words(name).map(u32::from_le_bytes).collect();
        numbers.chunks_exact(3).map(|f| [f[0], f[1], f[2]]).collect()
    }

    pub fn flags(&self, name: &str) -> Vec<bool> {
        self.0[name].1.iter().map(|&b| b != 0).collect()
    }
}
