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

/// Two nodes of a tree, or one twice.
pub type NodePair = (u32, u32);

/// Subtrees of at least so many items are built side by side.
const APART: usize = 1 << 14;

/// Adds the nodes over `items`, which start at `offset` of all items.
fn build(nodes: &mut Vec<Node>, items: &mut [(Bounds, u32)], offset: usize) {
    let bounds = items.iter().skip(1).fold(items[0].0, |all, i| all.joined(i.0));
    let at = nodes.len();
    let leaf = items.len() <= LEAF_SIZE;
    nodes.push(Node {
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
    let apart = items.len() >= APART;
    let (left, right) = items.split_at_mut(middle);
    if !apart {
        build(nodes, left, offset);
        nodes[at].link = nodes.len() as u32;
        build(nodes, right, offset + middle);
        return;
    }
    let mut beside = Vec::with_capacity(right.len());
    rayon::join(
        || build(nodes, left, offset),
        || build(&mut beside, right, offset + middle),
    );
    let start = nodes.len() as u32;
    nodes[at].link = start;
    // Links of leaves are to items, which stay; those of others are to nodes, which are behind the left ones now.
    nodes.extend(beside.into_iter().map(|node| Node {
        link: node.link + if node.count == 0 { start } else { 0 },
        ..node
    }));
}

impl BoxTree {
    /// Builds the tree. Coordinates must be finite.
    pub fn new(boxes: impl IntoIterator<Item = Bounds>) -> Self {
        let mut items: Vec<(Bounds, u32)> = boxes.into_iter().zip(0..).collect();
        let mut nodes = Vec::with_capacity(items.len());
        if !items.is_empty() {
            build(&mut nodes, &mut items, 0);
        }
        Self { nodes, items }
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

    /// Pairs of nodes, equal or apart, whose boxes overlap and under which all pairs of overlapping items lie: at least
    /// `parts` of them if there are so many, to be looked into side by side by [`Self::overlapping_under`].
    pub fn overlapping_parts(&self, parts: usize) -> Vec<NodePair> {
        let mut pairs: Vec<NodePair> = if self.nodes.is_empty() {
            Vec::new()
        } else {
            vec![(0, 0)]
        };
        let mut divided = true;
        while divided && pairs.len() < parts {
            divided = false;
            let mut below = Vec::with_capacity(3 * pairs.len());
            for &pair in &pairs {
                let kept = below.len();
                if self.divide(pair, &mut below) {
                    divided = true;
                } else {
                    below.truncate(kept);
                    below.push(pair);
                }
            }
            pairs = below;
        }
        pairs
    }

    /// Calls `visit` with each two items under a pair of nodes whose boxes overlap, once.
    pub fn overlapping_under(&self, pair: NodePair, mut visit: impl FnMut(u32, u32)) {
        let mut stack = vec![pair];
        while let Some(pair) = stack.pop() {
            if self.divide(pair, &mut stack) {
                continue;
            }
            let of = |node: u32| {
                let node = &self.nodes[node as usize];
                &self.items[node.link as usize..][..node.count as usize]
            };
            for (k, (bounds, item)) in of(pair.0).iter().enumerate() {
                let first = if pair.0 == pair.1 { k + 1 } else { 0 };
                for (other_bounds, other) in &of(pair.1)[first..] {
                    if bounds.overlaps(other_bounds) {
                        visit(*item, *other);
                    }
                }
            }
        }
    }

    /// Adds the pairs of nodes one level below that overlap; false for two leaves, which have none.
    fn divide(&self, (a, b): NodePair, below: &mut Vec<NodePair>) -> bool {
        let [first, second] = [a, b].map(|n| &self.nodes[n as usize]);
        let children = |at: u32, node: &Node| [at + 1, node.link];
        if a == b {
            if first.count > 0 {
                return false;
            }
            let [left, right] = children(a, first);
            below.extend([(left, left), (right, right)]);
            if self.nodes[left as usize]
                .bounds
                .overlaps(&self.nodes[right as usize].bounds)
            {
                below.push((left, right));
            }
            return true;
        }
        let size = |n: &Node| (n.bounds.high - n.bounds.low).element_sum();
        let second_is_cut = first.count > 0 || (second.count == 0 && size(second) > size(first));
        let (cut, node, whole) = if second_is_cut {
            (b, second, first)
        } else {
            (a, first, second)
        };
        if node.count > 0 {
            return false;
        }
        for child in children(cut, node) {
            if self.nodes[child as usize].bounds.overlaps(&whole.bounds) {
                below.push(if second_is_cut { (a, child) } else { (child, b) });
            }
        }
        true
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
        fn every_overlapping_pair_is_visited_once(
            boxes in prop::collection::vec(bounds(), 0..70),
            parts in 1usize..40,
        ) {
            let tree = BoxTree::new(boxes.iter().copied());
            let mut found = Vec::new();
            for part in tree.overlapping_parts(parts) {
                tree.overlapping_under(part, |a, b| found.push((a.min(b), a.max(b))));
            }
            found.sort_unstable();
            let count = boxes.len() as u32;
            let naive: Vec<(u32, u32)> = (0..count)
                .flat_map(|a| (a + 1..count).map(move |b| (a, b)))
                .filter(|&(a, b)| boxes[a as usize].overlaps(&boxes[b as usize]))
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

    #[test]
    fn halves_built_side_by_side_make_one_tree() {
        let boxes: Vec<Bounds> = (0..3 * APART)
            .map(|i| Vec3::new((i % 97) as f32, (i / 97 % 101) as f32, (i / 9797) as f32))
            .map(|low| Bounds::around(low, &[low + 0.75]))
            .collect();
        let tree = BoxTree::new(boxes.iter().copied());
        for query in boxes.iter().step_by(997) {
            let wider = Bounds::around(query.low - 0.5, &[query.high + 0.5]);
            let mut found = Vec::new();
            tree.any_overlapping(&wider, |i| {
                found.push(i);
                false
            });
            found.sort_unstable();
            let naive: Vec<u32> = (0..boxes.len() as u32)
                .filter(|&i| boxes[i as usize].overlaps(&wider))
                .collect();
            assert_eq!(found, naive);
        }
    }
}
