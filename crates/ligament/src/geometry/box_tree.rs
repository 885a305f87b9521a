//! Boxes in a tree, to find those that overlap a given one, lie along a segment, or are closest to a point.
//!
//! A binary tree split at the median of the longest axis: no tuning, balanced however the
//! input is distributed, and the same tree on every run.

use glam::{DVec3, Vec3};

/// An axis-aligned box; the low and the high corner belong to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    /// The least coordinates.
    pub low: Vec3,
    /// The largest coordinates.
    pub high: Vec3,
}

impl Bounds {
    /// The box around one point or more.
    pub fn around(first: Vec3, others: &[Vec3]) -> Self {
        others.iter().fold(
            Self {
                low: first,
                high: first,
            },
            |b, &p| Self {
                low: b.low.min(p),
                high: b.high.max(p),
            },
        )
    }

    /// Whether two boxes share a point.
    pub fn overlaps(&self, other: &Self) -> bool {
        self.low.cmple(other.high).all() && other.low.cmple(self.high).all()
    }

    /// Whether a segment may touch the box: no segment that does is missed, and one that
    /// passes by within rounding may be reported. `inverse` is one over its extent.
    fn may_touch(&self, from: DVec3, inverse: DVec3) -> bool {
        let a = (self.low.as_dvec3() - from) * inverse;
        let b = (self.high.as_dvec3() - from) * inverse;
        // 0·∞ where the segment runs in a side's plane: NaN, which must not rule out.
        let free = a.is_nan_mask() | b.is_nan_mask();
        let enter = DVec3::select(free, DVec3::NEG_INFINITY, a.min(b));
        let leave = DVec3::select(free, DVec3::INFINITY, a.max(b));
        let (enter, leave) = (enter.max_element().max(0.0), leave.min_element().min(1.0));
        enter <= leave + SEGMENT_SLACK
    }

    /// A distance to a point that no point of the box is nearer than. Corners are rounded to `f32`, so it is
    /// `slack` less than the distance to the box itself.
    fn least_distance(&self, p: DVec3, slack: f64) -> f64 {
        let outside = (self.low.as_dvec3() - p)
            .max(p - self.high.as_dvec3())
            .max(DVec3::ZERO);
        outside.length() - slack
    }

    fn joined(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
        }
    }
}

/// How far, relative to a segment's length, rounding may move where it enters a box.
const SEGMENT_SLACK: f64 = 1e-9;

/// Leaves hold at most this many boxes; with 2 or 8 no difference could be measured.
const LEAF_SIZE: usize = 4;

/// A tree over boxes; see the module.
#[derive(Debug, Clone, Default)]
pub struct BoxTree {
    nodes: Vec<Node>,
    /// The boxes and their numbers in the input, leaf by leaf.
    items: Vec<(Bounds, u32)>,
}

#[derive(Debug, Clone, Copy)]
struct Node {
    bounds: Bounds,
    /// Of a leaf, its first item; of another node, its second child. The first child
    /// follows its parent.
    link: u32,
    /// How many items a leaf has; 0 for another node.
    count: u32,
}

impl BoxTree {
    /// Builds the tree. Coordinates must be finite.
    pub fn new(boxes: impl IntoIterator<Item = Bounds>) -> Self {
        let mut tree = Self {
            items: boxes.into_iter().zip(0..).collect(),
            nodes: Vec::new(),
        };
        let mut items = std::mem::take(&mut tree.items);
        if !items.is_empty() {
            tree.nodes.reserve(items.len());
            tree.build(&mut items, 0);
        }
        tree.items = items;
        tree
    }

    /// Adds the nodes over `items`, which start at `offset` of all items.
    fn build(&mut self, items: &mut [(Bounds, u32)], offset: usize) {
        let bounds = items.iter().skip(1).fold(items[0].0, |all, i| all.joined(i.0));
        let at = self.nodes.len();
        let leaf = items.len() <= LEAF_SIZE;
        self.nodes.push(Node {
            bounds,
            link: offset as u32,
            count: if leaf { items.len() as u32 } else { 0 },
        });
        if leaf {
            return;
        }
        let axis = (bounds.high - bounds.low).max_position();
        let middle = items.len() / 2;
        // Halved before adding, so that the ends of f32's range do not overflow.
        let centre = |b: &Bounds| 0.5 * b.low[axis] + 0.5 * b.high[axis];
        items.select_nth_unstable_by(middle, |a, b| {
            centre(&a.0).total_cmp(&centre(&b.0)).then(a.1.cmp(&b.1))
        });
        let (left, right) = items.split_at_mut(middle);
        self.build(left, offset);
        self.nodes[at].link = self.nodes.len() as u32;
        self.build(right, offset + middle);
    }

    /// Calls `visit` with the number of each box that overlaps `query` until it returns
    /// true; returns whether it did. The order is fixed but has no meaning.
    pub fn any_overlapping(&self, query: &Bounds, visit: impl FnMut(u32) -> bool) -> bool {
        self.any_where(|bounds| bounds.overlaps(query), visit)
    }

    /// Calls `visit` with the number of each box that the segment between two points
    /// touches, and perhaps of some that it nearly does, until it returns true; returns
    /// whether it did.
    pub fn any_along(&self, from: DVec3, to: DVec3, visit: impl FnMut(u32) -> bool) -> bool {
        let inverse = (to - from).recip();
        self.any_where(|bounds| bounds.may_touch(from, inverse), visit)
    }

    /// The number of the item that is closest to a point and how far it is, by `distance`, which must not be less than the
    /// distance to the item's box; of equally close ones the first. `None` if the tree is empty.
    pub fn closest(&self, from: DVec3, mut distance: impl FnMut(u32) -> f64) -> Option<(u32, f64)> {
        let root = self.nodes.first()?;
        let extent = root.bounds.low.abs().max(root.bounds.high.abs()).max_element();
        let slack = 4.0 * f64::from(f32::EPSILON) * f64::from(extent);
        let mut best: Option<(u32, f64)> = None;
        // Nearer branches first: they rule out more of the others.
        let mut stack: Vec<(f64, u32)> = vec![(root.bounds.least_distance(from, slack), 0)];
        while let Some((bound, at)) = stack.pop() {
            let farther = |bound: f64| best.is_some_and(|(_, least)| bound > least);
            if farther(bound) {
                continue;
            }
            let node = &self.nodes[at as usize];
            if node.count == 0 {
                let mut below = [at + 1, node.link].map(|child| {
                    (
                        self.nodes[child as usize].bounds.least_distance(from, slack),
                        child,
                    )
                });
                if below[0].0 < below[1].0 {
                    below.swap(0, 1);
                }
                stack.extend(below);
                continue;
            }
            let first = node.link as usize;
            for (bounds, index) in &self.items[first..first + node.count as usize] {
                if best.is_some_and(|(_, least)| bounds.least_distance(from, slack) > least) {
                    continue;
                }
                let found = distance(*index);
                if best.is_none_or(|(other, least)| (found, *index) < (least, other)) {
                    best = Some((*index, found));
                }
            }
        }
        best
    }

    fn any_where(&self, wanted: impl Fn(&Bounds) -> bool, mut visit: impl FnMut(u32) -> bool) -> bool {
        // Median splits of u32-many items are at most 32 levels deep, and each level
        // leaves one node behind.
        let mut stack = [0u32; 64];
        let mut height = usize::from(!self.nodes.is_empty());
        while height > 0 {
            height -= 1;
            let at = stack[height] as usize;
            let node = &self.nodes[at];
            if !wanted(&node.bounds) {
                continue;
            }
            if node.count == 0 {
                stack[height] = node.link;
                stack[height + 1] = at as u32 + 1;
                height += 2;
                continue;
            }
            let first = node.link as usize;
            for (bounds, index) in &self.items[first..first + node.count as usize] {
                if wanted(bounds) && visit(*index) {
                    return true;
                }
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn bounds() -> impl Strategy<Value = Bounds> {
        (prop::array::uniform3(0i8..9), prop::array::uniform3(0i8..4)).prop_map(|(low, size)| {
            let low = Vec3::from(low.map(f32::from));
            Bounds {
                low,
                high: low + Vec3::from(size.map(f32::from)),
            }
        })
    }

    proptest! {
        #[test]
        fn finds_what_the_naive_search_finds(
            boxes in prop::collection::vec(bounds(), 0..70),
            query in bounds(),
        ) {
            let mut found = Vec::new();
            let tree = BoxTree::new(boxes.iter().copied());
            tree.any_overlapping(&query, |i| { found.push(i); false });
            found.sort_unstable();
            let naive: Vec<u32> = (0..boxes.len() as u32)
                .filter(|&i| boxes[i as usize].overlaps(&query))
                .collect();
            prop_assert_eq!(found, naive);
        }

        #[test]
        fn the_closest_is_the_naive_closest(
            points in prop::collection::vec(prop::array::uniform3(-9i8..9), 1..70),
            from in prop::array::uniform3(-20i8..20),
        ) {
            let points: Vec<DVec3> = points.iter().map(|p| DVec3::from(p.map(f64::from)) / 7.0).collect();
            let from = DVec3::from(from.map(f64::from)) / 7.0;
            let tree = BoxTree::new(points.iter().map(|p| Bounds::around(p.as_vec3(), &[])));
            let distance = |i: u32| points[i as usize].distance(from);
            let naive = (0..points.len() as u32)
                .map(|i| (distance(i), i))
                .min_by(|a, b| a.partial_cmp(b).unwrap())
                .map(|(d, i)| (i, d));
            prop_assert_eq!(tree.closest(from, distance), naive);
        }

        #[test]
        fn segments_find_the_boxes_that_hold_one_of_their_points(
            boxes in prop::collection::vec(bounds(), 1..70),
            from in prop::array::uniform3(0i8..12),
            to in prop::array::uniform3(0i8..12),
        ) {
            let [from, to] = [from, to].map(|p| DVec3::from(p.map(f64::from)));
            let mut found = Vec::new();
            let tree = BoxTree::new(boxes.iter().copied());
            tree.any_along(from, to, |i| { found.push(i); false });
            let holds = |b: &Bounds, slack: f64| (0..=1000).any(|t| {
                let p = from.lerp(to, f64::from(t) / 1000.0);
                p.cmpge(b.low.as_dvec3() - slack).all() && p.cmple(b.high.as_dvec3() + slack).all()
            });
            for (i, b) in boxes.iter().enumerate() {
                let listed = found.contains(&(i as u32));
                prop_assert!(listed || !holds(b, 0.0));
                prop_assert!(!listed || holds(b, 0.02));
            }
        }
    }
}
