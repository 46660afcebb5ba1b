//! Parallel work whose results arrive in index order: what makes files the same for any number of threads.
//!
//! Workers take the next index as they become free; the calling thread puts the results back in order and hands
//! them to a sink, one by one. A worker that runs ahead waits, so the results held back stay few.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;

/// How many results per thread may wait for an earlier one.
const AHEAD: usize = 32;

/// Runs `work` on every index of `range` with `threads` workers and gives the results to `sink` in index order.
///
/// `make` builds a worker's own state. An error of `sink` stops the rest and is returned; so does `sink` answering
/// `Ok(false)`, which is not an error. Returns how many results the sink took.
pub fn ordered<W, T: Send, E>(
    range: Range<u64>,
    threads: usize,
    make: impl Fn() -> W + Sync,
    work: impl Fn(&mut W, u64) -> T + Sync,
    mut sink: impl FnMut(u64, T) -> Result<bool, E>,
) -> Result<u64, E> {
    let next = AtomicU64::new(range.start);
    let end = AtomicU64::new(range.end);
    let mut taken = 0;
    std::thread::scope(|scope| {
        let (sender, receiver) = mpsc::sync_channel::<(u64, T)>(threads * AHEAD);
        for _ in 0..threads.max(1) {
            let sender = sender.clone();
            let (next, end, make, work) = (&next, &end, &make, &work);
            scope.spawn(move || {
                let mut worker = make();
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= end.load(Ordering::Relaxed) {
                        break;
                    }
                    if sender.send((index, work(&mut worker, index))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        let mut waiting = BTreeMap::new();
        let mut expected = range.start;
        let stop = || end.store(0, Ordering::Relaxed);
        for (index, result) in receiver {
            waiting.insert(index, result);
            while let Some(result) = waiting.remove(&expected) {
                match sink(expected, result) {
                    Ok(true) => {}
                    Ok(false) => {
                        stop();
                        return Ok(taken + 1);
                    }
                    Err(error) => {
                        stop();
                        return Err(error);
                    }
                }
                expected += 1;
                taken += 1;
            }
        }
        Ok(taken)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_whatever_the_threads() {
        for threads in [1, 2, 7] {
            let mut seen = Vec::new();
            let slow_first = |_: &mut (), index: u64| {
                if index.is_multiple_of(5) {
                    std::thread::sleep(std::time::Duration::from_millis(2));
                }
                index * index
            };
            let sink = |index, value| {
                seen.push((index, value));
                Ok::<bool, ()>(true)
            };
            assert_eq!(ordered(3..60, threads, || (), slow_first, sink), Ok(57));
            assert_eq!(seen, (3..60).map(|i| (i, i * i)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_sink_can_stop_and_fail() {
        let sink = |index: u64, _: u64| Ok::<bool, ()>(index < 9);
        assert_eq!(ordered(0..1_000_000, 2, || (), |_, index| index, sink), Ok(10));
        let sink = |index: u64, _: u64| if index < 9 { Ok(true) } else { Err("full") };
        assert_eq!(ordered(0..1_000_000, 2, || (), |_, index| index, sink), Err("full"));
    }
}
