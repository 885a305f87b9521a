//! Random numbers that are the same on every machine: SplitMix64 (Steele, Lea, Flood
//! 2014). Seeds are options; nothing here looks at a clock.

/// A stream of random numbers.
#[derive(Debug, Clone)]
pub(super) struct Random(u64);

impl Random {
    /// The stream of a seed; every seed is good, zero too.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// Sixty-four random bits.
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Uniform from 0 up to, but not including, 1.
    pub fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Uniform between two bounds.
    pub fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.unit()
    }

    /// A whole number under `count`, which must not be zero.
    pub fn below(&mut self, count: usize) -> usize {
        // The bias of a 64-bit remainder over any list that fits in memory is nothing.
        (self.next() % count as u64) as usize
    }
}

/// Numbers under a count in random order, each once before any comes again.
#[derive(Debug, Clone)]
pub(super) struct Deck {
    count: usize,
    left: Vec<usize>,
}

impl Deck {
    /// Of so many numbers; at least one.
    pub fn new(count: usize) -> Self {
        Self {
            count,
            left: Vec::new(),
        }
    }

    /// The next number.
    pub fn draw(&mut self, random: &mut Random) -> usize {
        if self.left.is_empty() {
            self.left.extend(0..self.count);
            for i in (1..self.left.len()).rev() {
                self.left.swap(i, random.below(i + 1));
            }
        }
        self.left.pop().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stream_is_the_published_one() {
        let mut random = Random::new(1234567);
        let first: Vec<u64> = (0..3).map(|_| random.next()).collect();
        assert_eq!(
            first,
            [6457827717110365317, 3203168211198807973, 9817491932198370423]
        );
    }

    #[test]
    fn it_is_uniform_enough() {
        let mut random = Random::new(0);
        let mut counts = [0; 10];
        for _ in 0..10_000 {
            counts[(random.unit() * 10.0) as usize] += 1;
            assert!(random.below(7) < 7);
        }
        assert!(counts.iter().all(|c| (850..1150).contains(c)), "{counts:?}");
    }

    #[test]
    fn a_deck_gives_every_number_once_a_round() {
        let mut random = Random::new(4);
        let mut deck = Deck::new(9);
        let mut rounds = [(); 2].map(|()| (0..9).map(|_| deck.draw(&mut random)).collect::<Vec<_>>());
        assert_ne!(rounds[0], rounds[1]);
        for round in &mut rounds {
            round.sort_unstable();
            assert_eq!(*round, (0..9).collect::<Vec<_>>());
        }
    }
}
