//! The parts of an OBJ: each different object, group and material that has faces.

use std::collections::HashMap;
use std::ops::Range;

/// Names of parts by number, given in order of first use by a face.
#[derive(Default)]
pub(super) struct PartNames {
    object: String,
    group: String,
    material: String,
    current: Option<u32>,
    /// Object, group, material.
    known: Vec<[String; 3]>,
    number_of: HashMap<[String; 3], u32>,
}

impl PartNames {
    pub fn set_object(&mut self, name: String) {
        self.object = name;
        self.group.clear(); // groups begin anew in each object
        self.current = None;
    }

    pub fn set_group(&mut self, name: String) {
        self.group = name;
        self.current = None;
    }

    pub fn set_material(&mut self, name: String) {
        self.material = name;
        self.current = None;
    }

    /// The part that a face here belongs to.
    pub fn current(&mut self) -> u32 {
        if let Some(part) = self.current {
            return part;
        }
        let key = [&self.object, &self.group, &self.material].map(String::clone);
        let next = self.known.len() as u32;
        let part = *self.number_of.entry(key.clone()).or_insert(next);
        if part == next {
            self.known.push(key);
        }
        self.current = Some(part);
        part
    }

    /// A part's name and its material's: `group`, `object`, or `object/group`.
    pub fn get(&self, part: u32) -> (String, &str) {
        let Some([object, group, material]) = self.known.get(part as usize) else {
            return Default::default();
        };
        let name = if group.is_empty() || group == object {
            object.clone()
        } else if object.is_empty() {
            group.clone()
        } else {
            format!("{object}/{group}")
        };
        (name, material)
    }
}

/// The range of vertices of each part: from the smallest to the largest index, grown into
/// gaps, the same for parts whose ranges would overlap. Together they hold all vertices.
pub(super) fn vertex_ranges<'a>(
    parts: impl Iterator<Item = &'a [[u32; 3]]>,
    vertices: usize,
) -> Vec<Range<usize>> {
    let spans: Vec<(usize, usize)> = parts
        .map(|triangles| {
            let used = || triangles.iter().flatten().map(|&v| v as usize);
            (used().min().unwrap_or(0), used().max().unwrap_or(0))
        })
        .collect();
    let mut order: Vec<usize> = (0..spans.len()).collect();
    order.sort_by_key(|&p| spans[p]);
    // Blocks of spans that overlap; each runs up to where the next starts.
    let mut starts: Vec<usize> = Vec::new();
    let mut block_of = vec![0; spans.len()];
    let mut last = 0;
    for p in order {
        let (low, high) = spans[p];
        if starts.is_empty() {
            starts.push(0);
        } else if low > last {
            starts.push(low);
        }
        last = last.max(high);
        block_of[p] = starts.len() - 1;
    }
    block_of
        .into_iter()
        .map(|block| starts[block]..starts.get(block + 1).copied().unwrap_or(vertices))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_are_equal_or_apart_and_hold_everything() {
        let parts: [&[[u32; 3]]; 4] = [&[[7, 8, 9]], &[[1, 2, 3]], &[[3, 4, 5]], &[[10, 11, 12]]];
        assert_eq!(vertex_ranges(parts.into_iter(), 15), [7..10, 0..7, 0..7, 10..15]);
        assert_eq!(vertex_ranges(std::iter::empty(), 3), []);
    }

    #[test]
    fn the_same_names_are_one_part() {
        let mut names = PartNames::default();
        names.set_group("arm".to_owned());
        assert_eq!(names.current(), 0);
        names.set_material("skin".to_owned());
        assert_eq!(names.current(), 1);
        names.set_object("body".to_owned());
        assert_eq!(names.current(), 2);
        names.set_object(String::new());
        names.set_group("arm".to_owned());
        assert_eq!(names.current(), 1);
        assert_eq!(names.get(1), ("arm".to_owned(), "skin"));
        assert_eq!(names.get(2), ("body".to_owned(), "skin"));
    }
}
