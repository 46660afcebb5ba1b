//! What the processes of a running bot use: CPU time and resident memory.
//!
//! The first process has a clock that one system call reads to the nanosecond; a bot of one process, the usual case,
//! costs the referee nothing more. Its other processes, if any, and all memory are found by walking the process tree
//! in `/proc` ([`Meter::scan`]), some tens of microseconds, which the referee does only now and then. Memory is the
//! kernel's own resident peak (`VmHWM`), so that no peak between two looks is missed.

use std::collections::HashMap;
use std::fs;
use std::time::{Duration, Instant};

/// Measures one bot.
#[derive(Debug)]
pub struct Meter {
    pid: libc::pid_t,
    supervisor: libc::pid_t,
    /// CPU time of everything but the first process itself, as of the last scan.
    others: Duration,
    /// The last CPU time seen of every process but the first, so that nothing is lost when a parent that ignores
    /// its children lets the kernel forget them.
    seen: HashMap<libc::pid_t, Duration>,
    cpu: Duration,
    peak: u64,
    scanned: Instant,
}

impl Meter {
    /// A meter of the bot whose first process is `pid` and whose supervisor is `supervisor`.
    pub fn new(pid: libc::pid_t, supervisor: libc::pid_t) -> Meter {
        Meter {
            pid,
            supervisor,
            others: Duration::ZERO,
            seen: HashMap::new(),
            cpu: Duration::ZERO,
            peak: 0,
            scanned: Instant::now(),
        }
    }

    /// CPU time used so far by all processes of the bot. The first process is read now, the others as they were at
    /// the last scan.
    pub fn cpu(&mut self) -> Duration {
        if let Some(first) = process_clock(self.pid) {
            self.cpu = self.cpu.max(first + self.others);
        }
        self.cpu
    }

    /// The largest resident size so far in bytes: of one process by the kernel's own account, of all together as seen
    /// by the scans.
    pub fn peak(&self) -> u64 {
        self.peak
    }

    /// When the last scan was, or the meter was made.
    pub fn scanned(&self) -> Instant {
        self.scanned
    }

    /// Looks at every process of the bot. Where several processes together seem to pass `memory_limit` bytes, pages
    /// they share are counted once.
    pub fn scan(&mut self, memory_limit: u64) {
        let mut pids = Vec::new();
        let mut reaped = Duration::ZERO;
        let mut resident = 0;
        // The supervisor's own time is the referee's; the time of what it has reaped is the bot's.
        let mut open = vec![(self.supervisor, 1)];
        while let Some((pid, threads)) = open.pop() {
            for child in children(pid, threads) {
                let Some(stat) = Stat::read(child) else { continue };
                pids.push(child);
                reaped += stat.reaped;
                resident += stat.resident;
                if child != self.pid {
                    self.seen.insert(child, process_clock(child).unwrap_or(stat.own));
                }
                open.push((child, stat.threads));
            }
        }
        reaped += Stat::read(self.supervisor).map_or(Duration::ZERO, |stat| stat.reaped);
        let live = pids.iter().filter_map(|pid| self.seen.get(pid)).sum::<Duration>();
        self.others = self.others.max(live + reaped).max(self.seen.values().sum());

        for &pid in &pids {
            self.peak = self.peak.max(resident_peak(pid));
        }
        if pids.len() > 1 {
            if resident > memory_limit {
                resident = pids.iter().map(|&pid| proportional(pid).unwrap_or(0)).sum();
            }
            self.peak = self.peak.max(resident);
        }
        self.scanned = Instant::now();
    }
}

/// The CPU clock of a process, its finished threads included; `None` when there is no such process.
pub fn process_clock(pid: libc::pid_t) -> Option<Duration> {
    let mut clock: libc::clockid_t = 0;
    // SAFETY: an all-zero timespec is a valid one.
    let mut time: libc::timespec = unsafe { std::mem::zeroed() };
    // SAFETY: both calls write into the variable whose address they get, and nowhere else.
    let read = unsafe {
        pid > 0 && libc::clock_getcpuclockid(pid, &mut clock) == 0 && libc::clock_gettime(clock, &mut time) == 0
    };
    read.then(|| Duration::new(time.tv_sec as u64, time.tv_nsec as u32))
}

/// Whether the first thread of a process runs, or would if it had a core.
pub fn is_runnable(pid: libc::pid_t) -> bool {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    text.rsplit_once(')').is_some_and(|(_, fields)| fields.trim_start().starts_with('R'))
}

/// The children of all threads of a process.
fn children(pid: libc::pid_t, threads: usize) -> Vec<libc::pid_t> {
    let of_thread =
        |thread: &str| fs::read_to_string(format!("/proc/{pid}/task/{thread}/children")).unwrap_or_default();
    let text = if threads == 1 {
        of_thread(&pid.to_string())
    } else {
        let tasks = fs::read_dir(format!("/proc/{pid}/task")).into_iter().flatten().flatten();
        tasks.map(|task| of_thread(&task.file_name().to_string_lossy())).collect::<Vec<_>>().join(" ")
    };
    text.split_whitespace().filter_map(|word| word.parse().ok()).collect()
}

/// What `/proc/<pid>/stat` says.
struct Stat {
    own: Duration,
    reaped: Duration,
    threads: usize,
    resident: u64,
}

impl Stat {
    fn read(pid: libc::pid_t) -> Option<Stat> {
        let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        // The name in parentheses may hold anything, blanks and parentheses too. The fields behind it count from 3.
        let fields: Vec<u64> =
            text.rsplit_once(')')?.1.split_whitespace().map(|word| word.parse().unwrap_or(0)).collect();
        let field = |number: usize| fields.get(number - 3).copied();
        // SAFETY: asks for constants of the system.
        let (ticks, page) = unsafe { (libc::sysconf(libc::_SC_CLK_TCK), libc::sysconf(libc::_SC_PAGESIZE)) };
        let time = |ticks_used: u64| Duration::from_secs_f64(ticks_used as f64 / ticks.max(1) as f64);
        Some(Stat {
            own: time(field(14)? + field(15)?),
            reaped: time(field(16)? + field(17)?),
            threads: field(20)? as usize,
            resident: field(24)? * page as u64,
        })
    }
}

/// The kernel's account of the resident peak in bytes; 0 for a process that is dead.
fn resident_peak(pid: libc::pid_t) -> u64 {
    kibibytes(&format!("/proc/{pid}/status"), "VmHWM:").unwrap_or(0)
}

/// Resident bytes, a page shared by n processes counting 1/n.
fn proportional(pid: libc::pid_t) -> Option<u64> {
    kibibytes(&format!("/proc/{pid}/smaps_rollup"), "Pss:")
}

fn kibibytes(path: &str, key: &str) -> Option<u64> {
    let text = fs::read_to_string(path).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    Some(1024 * line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn own_clock_and_memory_are_read() {
        let own = std::process::id() as libc::pid_t;
        let before = process_clock(own).unwrap();
        let begin = Instant::now();
        let mut sum = 0u64;
        while begin.elapsed() < Duration::from_millis(20) {
            sum = sum.wrapping_mul(31).wrapping_add(begin.elapsed().as_nanos() as u64);
        }
        assert!(process_clock(own).unwrap() > before, "{sum}");
        assert!(resident_peak(own) > 100_000);
        assert!(Stat::read(own).unwrap().resident > 100_000);
        assert_eq!(process_clock(0), None);
    }

    #[test]
    fn a_dead_process_has_nothing() {
        // No process has this number: it is above the kernel's largest, 2^22.
        let nobody = (1 << 22) + 1;
        assert_eq!(process_clock(nobody), None);
        assert!(!is_runnable(nobody));
        assert!(Stat::read(nobody).is_none());
        assert_eq!(resident_peak(nobody), 0);
    }
}
