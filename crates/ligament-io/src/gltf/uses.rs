//! Who uses which bytes: the question before anything is overwritten.

use serde_json::Value;

use super::accessor::{Accessor, View, compression_of};
use super::container::Document;
use super::error::GltfError;
use super::json::Node;

/// All references to accessors, and where accessors and views lie.
pub(super) struct Uses {
    users: Vec<Vec<User>>,
    accessors: Vec<Option<Accessor>>,
    /// `None` where a view is compressed or reaches past its buffer.
    views: Vec<Option<View>>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum User {
    Attribute { mesh: usize, primitive: usize },
    Other,
}

impl Uses {
    pub fn of(document: &Document) -> Result<Self, GltfError> {
        let root = Node::root(&document.json);
        let accessor_count = root.count("accessors");
        let mut uses = Self {
            users: vec![Vec::new(); accessor_count],
            accessors: (0..accessor_count).map(|i| document.accessor(i).ok()).collect(),
            views: Vec::new(),
        };
        for view in root.items("bufferViews")? {
            let plain = compression_of(&view).is_none();
            let placed = document
                .view(&view)
                .ok()
                .filter(|v| plain && document.range(&view, v).is_ok());
            uses.views.push(placed);
        }
        for (mesh, node) in root.items("meshes")?.into_iter().enumerate() {
            for (primitive, node) in node.items("primitives")?.into_iter().enumerate() {
                uses.add_all(node.value.get("attributes"), User::Attribute { mesh, primitive });
                uses.add(node.value.get("indices"), User::Other);
                for target in node.items("targets")? {
                    uses.add_all(Some(target.value), User::Other);
                }
            }
        }
        for skin in root.items("skins")? {
            uses.add(skin.value.get("inverseBindMatrices"), User::Other);
        }
        for animation in root.items("animations")? {
            for sampler in animation.items("samplers")? {
                uses.add(sampler.value.get("input"), User::Other);
                uses.add(sampler.value.get("output"), User::Other);
            }
        }
        for node in root.items("nodes")? {
            let instances = node
                .value
                .pointer("/extensions/EXT_mesh_gpu_instancing/attributes");
            uses.add_all(instances, User::Other);
        }
        Ok(uses)
    }

    fn add(&mut self, reference: Option<&Value>, user: User) {
        let index = reference
            .and_then(Value::as_u64)
            .and_then(|i| usize::try_from(i).ok());
        if let Some(users) = index.and_then(|i| self.users.get_mut(i)) {
            users.push(user);
        }
    }

    fn add_all(&mut self, map: Option<&Value>, user: User) {
        for reference in map
            .and_then(Value::as_object)
            .into_iter()
            .flat_map(|m| m.values())
        {
            self.add(Some(reference), user);
        }
    }

    /// Whether anything but the given primitives refers to an accessor, or they do so in
    /// two ways.
    pub fn elsewhere(&self, accessor: usize, mesh: usize, primitives: &[usize]) -> bool {
        let mut seen = Vec::new();
        self.users
            .get(accessor)
            .into_iter()
            .flatten()
            .any(|user| match *user {
                User::Attribute { mesh: m, primitive } if m == mesh && primitives.contains(&primitive) => {
                    let again = seen.contains(&primitive);
                    seen.push(primitive);
                    again
                }
                _ => true,
            })
    }

    /// Where the elements of an accessor can be overwritten: buffer, byte offset and
    /// stride. `None` if they are compressed, sparse, zeros, or if any other accessor or
    /// view uses some of the same bytes.
    pub fn overwritable(&self, index: usize) -> Option<(usize, usize, usize)> {
        let accessor = self.accessors.get(index)?.as_ref().filter(|a| !a.sparse)?;
        let at = accessor.view.as_ref()?;
        let view = self.views.get(at.view)?.as_ref()?;
        let size = accessor.width * accessor.component.size();
        let stride = view.stride.unwrap_or(size);
        let last = accessor.count.checked_sub(1)?;
        let end = last
            .checked_mul(stride)?
            .checked_add(at.offset)?
            .checked_add(size)?;
        if stride < size || end > view.length {
            return None;
        }
        let crossed = self.views.iter().enumerate().any(|(i, other)| {
            i != at.view
                && other.as_ref().is_none_or(|o| {
                    o.buffer == view.buffer
                        && o.offset < view.offset + view.length
                        && view.offset < o.offset + o.length
                })
        });
        let overlapped = self.accessors.iter().enumerate().any(|(i, other)| {
            i != index
                && other.as_ref().is_some_and(|other| {
                    let other_size = other.width * other.component.size();
                    other.view.as_ref().is_some_and(|o| {
                        o.view == at.view
                            && ranges_overlap(
                                (at.offset, size, accessor.count),
                                (o.offset, other_size, other.count),
                                view.stride,
                            )
                    })
                })
        });
        (!crossed && !overlapped).then_some((view.buffer, view.offset + at.offset, stride))
    }
}

/// Whether two accessors (offset, element size, count) over one view touch the same
/// bytes. Interleaved ones do not as long as their places within the stride differ.
fn ranges_overlap(a: (usize, usize, usize), b: (usize, usize, usize), stride: Option<usize>) -> bool {
    let end = |(offset, size, count): (usize, usize, usize)| offset + stride.unwrap_or(size) * count;
    if end(a) <= b.0 || end(b) <= a.0 {
        return false;
    }
    match stride {
        None | Some(0) => true,
        Some(stride) => {
            let gap = (b.0 % stride + stride - a.0 % stride) % stride; // from a's start to b's
            gap < a.1 || stride - gap < b.1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interleaved_neighbours_do_not_overlap() {
        // POSITION at 0 (12 bytes) and JOINTS at 12 (4 bytes), stride 16.
        assert!(!ranges_overlap((0, 12, 9), (12, 4, 9), Some(16)));
        assert!(!ranges_overlap((12, 4, 9), (0, 12, 9), Some(16)));
        assert!(ranges_overlap((0, 12, 9), (8, 4, 9), Some(16)));
        assert!(ranges_overlap((8, 4, 9), (0, 12, 9), Some(16)));
        assert!(ranges_overlap((0, 12, 9), (0, 12, 9), Some(16)));
        // One after the other, without a stride.
        assert!(!ranges_overlap((0, 4, 9), (36, 4, 9), None));
        assert!(ranges_overlap((0, 4, 10), (36, 4, 9), None));
    }
}
