//! How much memory the process holds while something runs.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Between two looks. Stages shorter than this have the memory of the look before them.
const EVERY: Duration = Duration::from_millis(1);

/// Looks at the resident memory from its start until it is finished.
pub struct MemoryWatch {
    stop: Arc<AtomicBool>,
    watcher: Option<JoinHandle<Vec<(Duration, f64)>>>,
}

impl MemoryWatch {
    /// Begins to look; `None` where the system does not tell.
    pub fn start() -> Option<Self> {
        let first = resident()?;
        let stop = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&stop);
        let start = Instant::now();
        let watcher = std::thread::spawn(move || {
            let mut seen = vec![(Duration::ZERO, first)];
            while !asked.load(Ordering::Relaxed) {
                std::thread::sleep(EVERY);
                if let Some(megabytes) = resident() {
                    seen.push((start.elapsed(), megabytes));
                }
            }
            seen
        });
        Some(Self {
            stop,
            watcher: Some(watcher),
        })
    }

    /// What was seen.
    pub fn finish(mut self) -> Option<Memory> {
        self.stop.store(true, Ordering::Relaxed);
        self.watcher.take()?.join().ok().map(Memory)
    }
}

impl Drop for MemoryWatch {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}

/// Moments and megabytes, in order of time; at least one.
pub struct Memory(Vec<(Duration, f64)>);

impl Memory {
    /// The most between two moments.
    pub fn peak(&self, from: Duration, to: Duration) -> f64 {
        let before = self.0.partition_point(|s| s.0 <= from).saturating_sub(1);
        let within = self.0[before..].iter().take_while(|s| s.0 <= to);
        let most = within.map(|s| s.1).fold(0.0, f64::max);
        // Not even the look before: the first one stands for it.
        if most > 0.0 {
            most
        } else {
            self.0.first().map_or(0.0, |s| s.1)
        }
    }

    /// The most of all.
    pub fn most(&self) -> f64 {
        self.0.iter().map(|s| s.1).fold(0.0, f64::max)
    }
}

/// Megabytes that the process holds now.
fn resident() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmRSS:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn peaks_are_those_of_their_time() {
        let at = Duration::from_millis;
        let memory = Memory(vec![(at(0), 10.0), (at(5), 80.0), (at(9), 30.0)]);
        assert_eq!(memory.peak(at(0), at(4)), 10.0);
        assert_eq!(memory.peak(at(4), at(8)), 80.0);
        assert_eq!(memory.peak(at(6), at(7)), 80.0, "the look before counts");
        assert_eq!(memory.peak(at(9), at(20)), 30.0);
        assert_eq!(memory.most(), 80.0);
    }

    #[test]
    fn a_large_allocation_is_seen() {
        let Some(watch) = MemoryWatch::start() else { return };
        let held = vec![1u8; 64 << 20];
        std::thread::sleep(Duration::from_millis(20));
        let sum: u64 = held.iter().step_by(4096).map(|&b| u64::from(b)).sum();
        let memory = watch.finish().unwrap();
        assert!(sum > 0 && memory.most() > 60.0, "{}", memory.most());
    }
}
