//! What a fit says it will take against what it takes: every allocation of a whole fit is counted, and the most that
//! was ever held at once stays below the figure that `fit` announces before it begins.
//!
//! The one test of its binary, since the allocator counts what every thread of it does.

use std::alloc::{GlobalAlloc, Layout, System};
use std::convert::Infallible;
use std::sync::atomic::{AtomicUsize, Ordering};

use stonesmith::dataset::GameRecord;
use stonesmith::eval::FeatureModel;
use stonesmith::eval::othello::{OthelloFeatures, sets};
use stonesmith::fit::report::memory_need;
use stonesmith::fit::samples::{SampleOptions, Samples};
use stonesmith::fit::solver::{Problem, SolverOptions};

struct Counting;

static HELD: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

// SAFETY: every call goes on to the system's allocator as it came; the counts touch no memory of its.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let held = HELD.fetch_add(layout.size(), Ordering::Relaxed) + layout.size();
        MOST.fetch_max(held, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // A block that grows by moving is mapped anew, not copied, once it is large: it is not held twice.
        let held = HELD.fetch_add(size, Ordering::Relaxed) + size - layout.size();
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        MOST.fetch_max(held, Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `realloc`; `memory` came from `System`.
        unsafe { System.realloc(memory, layout, size) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: the caller keeps the contract of `dealloc`; `memory` came from `System`.
        unsafe { System.dealloc(memory, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[path = "fit/games.rs"]
mod games;

#[test]
fn a_fit_takes_no_more_than_it_says() {
    // Short lines: so few games read every configuration, so the figure has no room to spare for unread ones.
    let features = OthelloFeatures::<8>::new(sets::PatternSetName::Lines.set::<8>().unwrap());
    let records: Vec<GameRecord> = (0..300).map(games::random_game::<8>).collect();
    let positions: usize = records.iter().map(|game| game.plies.len()).sum();
    let knots: Vec<u8> = (0..12).map(|knot| 5 * knot).collect();
    for threads in [1, 12] {
        let said = memory_need(features.layout(), knots.len(), positions as u64, threads);
        let before = HELD.load(Ordering::Relaxed);
        MOST.store(before, Ordering::Relaxed);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let read = records.iter().cloned().map(Ok::<_, Infallible>);
            let samples = Samples::build(read, &features, &SampleOptions::new(64.0), |_| ()).unwrap();
            let options = SolverOptions { passes: 4, ..SolverOptions::default() };
            let mut problem = Problem::new(&samples, &knots, &options);
            let mut solution = vec![0.0; problem.unknowns()];
            problem.solve(&mut solution, &options, |_, _| true);
        });
        let taken = (MOST.load(Ordering::Relaxed) - before) as u64;
        assert!(taken <= said, "{threads} threads: {taken} bytes held at once, {said} announced");
        assert!(2 * taken > said, "{threads} threads: {said} bytes announced for {taken}");
    }
}
