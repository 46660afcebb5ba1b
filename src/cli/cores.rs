//! Cores and CPU time of the calling thread: what keeps games that run side by side out of each other's way.
//!
//! A worker of a match takes a core for itself; programs it starts inherit it. Where that is not possible (more games
//! than cores, or a system that forbids it) the match says so and goes on unpinned.

use std::io;
use std::mem;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The cores this process may run on.
pub fn allowed() -> io::Result<Vec<usize>> {
    // SAFETY: all-zero is a valid set; the call writes no more than its size.
    let (done, set) = unsafe {
        let mut set: libc::cpu_set_t = mem::zeroed();
        (libc::sched_getaffinity(0, mem::size_of::<libc::cpu_set_t>(), &mut set), set)
    };
    if done != 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the macro reads one bit of the set, and the index is below its size.
    Ok((0..libc::CPU_SETSIZE as usize).filter(|&core| unsafe { libc::CPU_ISSET(core, &set) }).collect())
}

/// Lets the calling thread, and what it starts, run on these cores only.
fn confine(cores: &[usize]) -> io::Result<()> {
    // SAFETY: the set is a local value; the kernel checks its contents.
    let done = unsafe {
        let mut set: libc::cpu_set_t = mem::zeroed();
        cores.iter().for_each(|&core| libc::CPU_SET(core, &mut set));
        libc::sched_setaffinity(0, mem::size_of::<libc::cpu_set_t>(), &set)
    };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// CPU time of the calling thread.
pub fn thread_cpu() -> Duration {
    // SAFETY: the call writes into the variable it is given; all-zero is a valid timespec.
    let time = unsafe {
        let mut time: libc::timespec = mem::zeroed();
        libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &mut time);
        time
    };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// The cores that workers take, one each.
pub struct Pins {
    cores: Vec<usize>,
    next: AtomicUsize,
}

impl Pins {
    /// Pins for `workers` workers and what to say of them; without pins it says why.
    pub fn plan(workers: usize) -> (Option<Pins>, String) {
        let cores = match allowed() {
            Ok(cores) => cores,
            Err(error) => return (None, format!("cores not pinned: {error}")),
        };
        if workers > cores.len() {
            return (None, format!("cores not pinned: {workers} games at once on {} cores", cores.len()));
        }
        // The same set again changes nothing and shows whether the system allows it.
        if let Err(error) = confine(&cores) {
            return (None, format!("cores not pinned: {error}"));
        }
        let cores: Vec<usize> = cores.into_iter().take(workers).collect();
        let names: Vec<String> = cores.iter().map(usize::to_string).collect();
        (Some(Pins { next: AtomicUsize::new(0), cores }), format!("pinned to cores {}", names.join(", ")))
    }

    /// Gives the calling thread the next core. One that is gone by now leaves it where it is.
    pub fn take(&self) {
        let index = self.next.fetch_add(1, Ordering::Relaxed);
        let _ = confine(&[self.cores[index % self.cores.len()]]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_runs_on_its_core_alone() {
        let before = allowed().unwrap();
        let worker = std::thread::spawn(|| {
            let (pins, words) = Pins::plan(1);
            let Some(pins) = pins else { return (Vec::new(), words) };
            pins.take();
            (allowed().unwrap(), words)
        });
        let (cores, words) = worker.join().unwrap();
        if !cores.is_empty() {
            assert_eq!((cores.len(), words), (1, format!("pinned to cores {}", cores[0])));
        }
        // Other threads keep theirs.
        assert_eq!(allowed().unwrap(), before);
        assert!(Pins::plan(before.len() + 1).1.contains("not pinned"));
    }
}
