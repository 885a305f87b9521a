//! Which positions a step looks at.
//!
//! Losses are judged at some positions and need their neighbours moved too. Positions come
//! in patches that hang together on the surface, so that few neighbours lie outside.

use super::domain::FitDomain;
use super::random::Random;

/// A step's positions with their neighbours numbered within the step.
#[derive(Debug, Clone, Default)]
pub(super) struct Batch {
    /// Positions of the skin.
    pub points: Vec<u32>,
    /// So many of the first are judged.
    pub judged: usize,
    starts: Vec<u32>,
    ring: Vec<(u32, f64)>,
    back_starts: Vec<u32>,
    back: Vec<(u32, f64)>,
}

impl Batch {
    /// All positions.
    pub fn whole(domain: &FitDomain) -> Self {
        let count = domain.points.len();
        Self::of(domain, (0..count as u32).collect())
    }

    /// The given positions, none twice, and their neighbours.
    pub fn of(domain: &FitDomain, mut points: Vec<u32>) -> Self {
        const NONE: u32 = u32::MAX;
        let judged = points.len();
        let mut local = vec![NONE; domain.points.len()];
        for (l, &point) in points.iter().enumerate() {
            local[point as usize] = l as u32;
        }
        let mut starts = vec![0u32];
        let mut ring = Vec::new();
        for i in 0..judged {
            let point = points[i] as usize;
            for k in domain.starts[point] as usize..domain.starts[point + 1] as usize {
                let neighbour = domain.neighbours[k];
                let slot = &mut local[neighbour as usize];
                if *slot == NONE {
                    *slot = points.len() as u32;
                    points.push(neighbour);
                }
                ring.push((*slot, domain.fractions[k]));
            }
            starts.push(ring.len() as u32);
        }
        // The same the other way round: in whose rings is a position?
        let mut back_starts = vec![0u32; points.len() + 1];
        for &(j, _) in &ring {
            back_starts[j as usize + 1] += 1;
        }
        for j in 0..points.len() {
            back_starts[j + 1] += back_starts[j];
        }
        let mut next = back_starts.clone();
        let mut back = vec![(0, 0.0); ring.len()];
        for i in 0..judged {
            for &(j, fraction) in &ring[starts[i] as usize..starts[i + 1] as usize] {
                let slot = &mut next[j as usize];
                back[*slot as usize] = (i as u32, fraction);
                *slot += 1;
            }
        }
        Self {
            points,
            judged,
            starts,
            ring,
            back_starts,
            back,
        }
    }

    /// The neighbours of a judged position and their fractions in its Laplacian; none for
    /// others.
    pub fn ring(&self, i: usize) -> &[(u32, f64)] {
        if i < self.judged {
            &self.ring[self.starts[i] as usize..self.starts[i + 1] as usize]
        } else {
            &[]
        }
    }

    /// The judged positions in whose rings a position is, and its fractions there.
    pub fn rings_with(&self, j: usize) -> &[(u32, f64)] {
        &self.back[self.back_starts[j] as usize..self.back_starts[j + 1] as usize]
    }
}

/// The positions in patches of about `size` that hang together, each position in one.
pub(super) fn patches(domain: &FitDomain, size: usize) -> Vec<Vec<u32>> {
    let mut taken = vec![false; domain.points.len()];
    let mut patches: Vec<Vec<u32>> = Vec::new();
    // Where a patch ended, the next begins: what is left over stays small.
    let mut edge: Vec<u32> = Vec::new();
    let mut unseen = 0;
    let mut patch: Vec<u32> = Vec::new();
    loop {
        let seed = loop {
            match edge.pop() {
                Some(v) if taken[v as usize] => continue,
                Some(v) => break Some(v),
                None => {
                    while unseen < taken.len() && taken[unseen] {
                        unseen += 1;
                    }
                    break (unseen < taken.len()).then_some(unseen as u32);
                }
            }
        };
        let Some(seed) = seed else { break };
        let start = patch.len();
        patch.push(seed);
        taken[seed as usize] = true;
        let mut next = start;
        while next < patch.len() && patch.len() < size {
            let v = patch[next] as usize;
            next += 1;
            for &n in &domain.neighbours[domain.starts[v] as usize..domain.starts[v + 1] as usize] {
                if patch.len() < size && !taken[n as usize] {
                    taken[n as usize] = true;
                    patch.push(n);
                }
            }
        }
        if patch.len() >= size {
            for &v in &patch[next.min(patch.len())..] {
                edge.extend(
                    &domain.neighbours
                        [domain.starts[v as usize] as usize..domain.starts[v as usize + 1] as usize],
                );
            }
            patches.push(std::mem::take(&mut patch));
        }
    }
    if !patch.is_empty() {
        patches.push(patch);
    }
    patches
}

/// A random choice of patches with about `count` positions in all.
pub(super) fn choose(patches: &[Vec<u32>], count: usize, random: &mut Random) -> Vec<u32> {
    let mut order: Vec<usize> = (0..patches.len()).collect();
    let mut chosen = Vec::with_capacity(count);
    for i in 0..order.len() {
        if chosen.len() >= count {
            break;
        }
        let other = i + random.below(order.len() - i);
        order.swap(i, other);
        chosen.extend(&patches[order[i]]);
    }
    chosen
}

#[cfg(test)]
mod tests {
    use super::super::domain::tests::domain_of;
    use super::*;

    #[test]
    fn patches_part_the_positions() {
        let domain = domain_of("knight@2000");
        let patches = patches(&domain, 64);
        let mut all: Vec<u32> = patches.concat();
        all.sort_unstable();
        assert_eq!(all, (0..domain.points.len() as u32).collect::<Vec<_>>());
        assert!(patches.iter().all(|p| p.len() <= 64));
        assert!(patches.len() <= domain.points.len() / 64 + 1);
        let chosen = choose(&patches, 500, &mut Random::new(1));
        assert!((500..564).contains(&chosen.len()));
    }

    #[test]
    fn rings_and_their_reverse_agree() {
        let domain = domain_of("tube@60");
        let batch = Batch::of(&domain, vec![3, 9, 4, 20]);
        assert_eq!(batch.judged, 4);
        let mut forward: Vec<(u32, u32)> = Vec::new();
        let mut reverse: Vec<(u32, u32)> = Vec::new();
        for i in 0..batch.points.len() {
            forward.extend(batch.ring(i).iter().map(|&(j, _)| (i as u32, j)));
            reverse.extend(batch.rings_with(i).iter().map(|&(j, _)| (j, i as u32)));
        }
        reverse.sort_unstable();
        forward.sort_unstable();
        assert_eq!(forward, reverse);
        assert!(!forward.is_empty());
    }
}
