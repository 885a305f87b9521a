//! Islands of the skin that no bone reaches, and what they hang on.

use glam::DVec3;

use super::{Bounds, BoxTree, Laplacian};

/// The positions of each connected piece of the surface, in the order of their first ones.
pub fn islands(laplacian: &Laplacian) -> Vec<Vec<u32>> {
    let mut reached = vec![false; laplacian.len()];
    let mut islands = Vec::new();
    for first in 0..laplacian.len() as u32 {
        if reached[first as usize] {
            continue;
        }
        reached[first as usize] = true;
        let mut island = vec![first];
        let mut next = 0;
        while let Some(&at) = island.get(next) {
            next += 1;
            for (to, _) in laplacian.row(at as usize) {
                if !std::mem::replace(&mut reached[to as usize], true) {
                    island.push(to);
                }
            }
        }
        island.sort_unstable();
        islands.push(island);
    }
    islands
}

/// For each of `seekers` the nearest of `hosts` and its distance; ties go to the one that
/// comes first. All are numbers of points; `hosts` is not empty.
pub fn nearest(points: &[DVec3], seekers: &[u32], hosts: &[u32]) -> Vec<(u32, f64)> {
    let at = |p: u32| points[p as usize];
    let tree = BoxTree::new(hosts.iter().map(|&h| Bounds::around(at(h).as_vec3(), &[])));
    let find = |&seeker: &u32| {
        let from = at(seeker);
        let found = tree.closest(from, |index| at(hosts[index as usize]).distance(from));
        found.map_or((u32::MAX, f64::INFINITY), |(index, distance)| {
            (hosts[index as usize], distance)
        })
    };
    seekers.iter().map(find).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn pieces_are_told_apart() {
        let points: Vec<DVec3> = (0..8)
            .map(|i| DVec3::new(f64::from(i), f64::from(i * i), 0.0))
            .collect();
        let laplacian = Laplacian::of(&points, &[[0, 1, 5], [5, 6, 7], [2, 3, 4]]);
        assert_eq!(islands(&laplacian), [vec![0, 1, 5, 6, 7], vec![2, 3, 4]]);
    }

    proptest! {
        #[test]
        fn the_nearest_is_the_naive_nearest(
            points in prop::collection::vec(prop::array::uniform3(0i8..20), 2..60),
        ) {
            let points: Vec<DVec3> = points.iter().map(|p| DVec3::from(p.map(f64::from))).collect();
            let half = points.len() as u32 / 2;
            let (hosts, seekers): (Vec<u32>, Vec<u32>) = ((0..half).collect(), (half..points.len() as u32).collect());
            for (&s, found) in seekers.iter().zip(nearest(&points, &seekers, &hosts)) {
                let distance = |h: u32| points[h as usize].distance(points[s as usize]);
                let naive = hosts.iter().map(|&h| (distance(h), h)).min_by(|a, b| a.partial_cmp(b).unwrap()).unwrap();
                prop_assert_eq!((found.1, found.0), naive);
            }
        }
    }
}
