//! A bot on the clock: a request goes out, one line comes back, and every limit is watched meanwhile.
//!
//! Answer time is wall time from the moment the request is written to the moment the whole line is read. CPU time is
//! that of all processes of the bot since its start, whoever is on move, so the side that waits is watched too. A bot
//! says nothing but its answers: what it prints between two requests is a fault, found at the next one.

use std::io;
use std::sync::OnceLock;
use std::thread;
use std::time::{Duration, Instant};

use super::Limits;
use super::command::Command;
use super::meter::{Meter, is_runnable};
use super::process::{Exit, Process, poll, poll_entry};
use super::verdict::{Fault, Reason, quoted};

/// The most a bot may print where one line is expected. A pipe holds as much.
pub const FLOOD_BYTES: usize = 64 * 1024;
/// The most lines of talk before an answer.
pub const TALK_LINES: usize = 100_000;
/// What is kept of a bot's standard error in a game.
const DEBUG_BYTES: usize = 64 * 1024;
/// How long the referee goes on reading output that is wrong anyway, to tell a flood from a slip: so much of the bot's
/// own CPU time, which fills a pipe many times over, and no longer than this.
const FLOOD_WORK: Duration = Duration::from_millis(200);
const FLOOD_PATIENCE: Duration = Duration::from_secs(4);
/// The pause after which a bot that does not work is done with its output.
const SILENCE: Duration = Duration::from_millis(20);
/// How often memory and further processes are looked at while a bot is on move.
const SCAN_EVERY: Duration = Duration::from_millis(20);
/// The same while it waits for its opponent.
const SCAN_WAITING_EVERY: Duration = Duration::from_millis(100);
/// The rhythm of `--slowdown`.
const THROTTLE_PERIOD: Duration = Duration::from_millis(10);

/// An answer and the time it took.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The line without its newline.
    pub line: String,
    /// From the request to the end of the line.
    pub took: Duration,
}

/// Which of the two bots in view did wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The one that was asked.
    Asked(Fault),
    /// The one that waits.
    Waiting(Fault),
}

impl Failure {
    /// What was done wrong, whoever did it.
    fn into_fault(self) -> Fault {
        match self {
            Failure::Asked(fault) | Failure::Waiting(fault) => fault,
        }
    }
}

/// What a bot has used.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Usage {
    /// Answer time.
    pub wall: Duration,
    /// CPU time of all processes.
    pub cpu: Duration,
    /// Resident peak in bytes.
    pub peak: u64,
}

/// A bot in a game.
#[derive(Debug)]
pub struct Bot {
    process: Process,
    meter: Meter,
    limits: Limits,
    wall: Duration,
    pending: Vec<u8>,
    output_open: bool,
    debug: Debug,
    throttle: Option<Throttle>,
}

impl Bot {
    /// Starts the program.
    ///
    /// # Errors
    /// When the system cannot create a process. A program that cannot be executed is a fault found at the first
    /// request.
    pub fn start(command: &Command, limits: Limits) -> io::Result<Bot> {
        let process = Process::spawn(command)?;
        let meter = Meter::new(process.pid(), process.supervisor());
        let throttle = (limits.slowdown > 1.0).then(|| Throttle::new(limits.slowdown));
        Ok(Bot {
            process,
            meter,
            limits,
            wall: Duration::ZERO,
            pending: Vec::new(),
            output_open: true,
            debug: Debug::default(),
            throttle,
        })
    }

    /// The bot's first process.
    pub fn pid(&self) -> libc::pid_t {
        self.process.pid()
    }

    /// Answer time left of the game's total.
    pub fn remaining(&self) -> Duration {
        self.limits.total.saturating_sub(self.wall)
    }

    /// Sends `request` (whole lines) and waits for one line. Without an `allowance` of its own the answer time comes
    /// off the game's total; with one it does not. `waiting` is the opponent, whose CPU time is watched.
    ///
    /// # Errors
    /// The first fault of either bot.
    pub fn ask(
        &mut self,
        request: &str,
        allowance: Option<Duration>,
        waiting: Option<&mut Bot>,
    ) -> Result<Answer, Failure> {
        let limit = allowance.unwrap_or_else(|| self.remaining());
        self.check_silence().map_err(Failure::Asked)?;
        let begin = Instant::now();
        if let Some(throttle) = &mut self.throttle {
            throttle.begin(begin);
        }
        let answer = self.await_line(request.as_bytes(), begin, limit, waiting);
        let took = begin.elapsed();
        if let Some(throttle) = &mut self.throttle {
            throttle.end(&self.process, begin + took);
        }
        if allowance.is_none() {
            self.wall += took;
        }
        let line = answer?;
        if took > limit {
            return Err(Failure::Asked(self.late(limit)));
        }
        self.watch(SCAN_EVERY).map_err(Failure::Asked)?;
        let line = self.check_line(line).map_err(Failure::Asked)?;
        Ok(Answer { line, took })
    }

    /// As [`Bot::ask`], with no opponent in view.
    ///
    /// # Errors
    /// The bot's first fault.
    pub fn ask_alone(&mut self, request: &str, allowance: Option<Duration>) -> Result<Answer, Fault> {
        self.ask(request, allowance, None).map_err(Failure::into_fault)
    }

    /// Sends `request` (whole lines) to a program that may talk, and reads lines until `last` accepts one; answers all
    /// of them and the time they took. What was printed before a request is dropped; an empty one goes on reading. Nothing
    /// comes off the game's total.
    ///
    /// # Errors
    /// TLE after `limit`, CRASH, and FLOOD for more than [`TALK_LINES`] lines.
    pub fn consult(
        &mut self,
        request: &str,
        limit: Duration,
        mut last: impl FnMut(&str) -> bool,
    ) -> Result<(Vec<String>, Duration), Fault> {
        if !request.is_empty() {
            self.discard_output()?;
        }
        let begin = Instant::now();
        let mut request = request.as_bytes();
        let mut lines = Vec::new();
        while lines.len() < TALK_LINES {
            let left = limit.saturating_sub(begin.elapsed());
            let line = match self.await_line(request, Instant::now(), left, None) {
                Ok(line) => line,
                Err(failure) => {
                    let fault = failure.into_fault();
                    return Err(if fault.reason == Reason::Tle { self.late(limit) } else { fault });
                }
            };
            request = &[];
            let text = String::from_utf8_lossy(&line).trim_end_matches('\r').to_string();
            let done = last(&text);
            lines.push(text);
            if done {
                let took = begin.elapsed();
                return if took > limit { Err(self.late(limit)) } else { Ok((lines, took)) };
            }
        }
        Err(Fault::new(Reason::Flood, format!("more than {TALK_LINES} lines and no answer among them")))
    }

    /// Drops what the bot has printed so far.
    ///
    /// # Errors
    /// FLOOD when that is more than a program may say unasked.
    pub fn discard_output(&mut self) -> Result<(), Fault> {
        self.read_output()?;
        self.pending.clear();
        self.debug.read(&mut self.process);
        Ok(())
    }

    /// CPU time of all processes so far.
    pub fn cpu(&mut self) -> Duration {
        self.meter.cpu()
    }

    /// Sends lines that need no answer.
    ///
    /// # Errors
    /// When the bot has died, does not read, or has printed something unasked.
    pub fn tell(&mut self, lines: &str) -> Result<(), Fault> {
        self.check_silence()?;
        let mut rest = lines.as_bytes();
        self.send(&mut rest)?;
        if rest.is_empty() { Ok(()) } else { Err(Fault::new(Reason::Crash, "it does not read its input")) }
    }

    /// Closes the bot's input and gives it `patience` to exit.
    pub fn dismiss(&mut self, patience: Duration) -> Option<Exit> {
        self.process.close_stdin();
        self.process.await_exit(patience)
    }

    /// Fails if the bot printed something although nothing was asked.
    pub fn check_silence(&mut self) -> Result<(), Fault> {
        self.read_output()?;
        self.debug.read(&mut self.process);
        if self.pending.is_empty() { Ok(()) } else { Err(self.extra_output()) }
    }

    /// The lines of standard error since the last call.
    pub fn take_debug(&mut self) -> Vec<String> {
        self.debug.read(&mut self.process);
        std::mem::take(&mut self.debug.lines)
    }

    /// Kills the bot with everything it started. Answers with its use of time and memory, and a fault that only the
    /// final count shows.
    pub fn end(&mut self) -> (Usage, Option<Fault>) {
        // Memory is gone when the process is: it is looked at first.
        self.meter.scan(self.limits.memory);
        self.meter.cpu();
        let ending = self.process.end();
        self.debug.finish(&mut self.process);
        let usage =
            Usage { wall: self.wall, cpu: self.meter.cpu().max(ending.cpu), peak: self.meter.peak().max(ending.peak) };
        (usage, self.limits.exceeded(usage.cpu, usage.peak))
    }

    fn await_line(
        &mut self,
        mut request: &[u8],
        begin: Instant,
        limit: Duration,
        mut waiting: Option<&mut Bot>,
    ) -> Result<Vec<u8>, Failure> {
        let deadline = begin + limit;
        self.send(&mut request).map_err(Failure::Asked)?;
        loop {
            // Death is looked up before the output is read: what was printed before it is then all there.
            let exit = self.process.exit();
            if let Some(line) = self.read_line().map_err(Failure::Asked)? {
                return Ok(line);
            }
            if exit.is_some() || !self.output_open {
                return Err(Failure::Asked(self.crash()));
            }
            let now = Instant::now();
            if now >= deadline {
                return Err(Failure::Asked(self.late(limit)));
            }
            let mut next = deadline - now;
            next = next.min(self.watch(SCAN_EVERY).map_err(Failure::Asked)?);
            if let Some(waiting) = waiting.as_deref_mut() {
                next = next.min(waiting.watch(SCAN_WAITING_EVERY).map_err(Failure::Waiting)?);
            }
            if let Some(throttle) = &mut self.throttle {
                next = next.min(throttle.turn(&self.process, now));
            }
            self.sleep(next, !request.is_empty(), waiting.as_deref_mut());
            self.send(&mut request).map_err(Failure::Asked)?;
        }
    }

    /// Waits for output, death or room in the input pipe, at most `longest`; empties the error pipes meanwhile, so that
    /// nobody blocks on them.
    fn sleep(&mut self, longest: Duration, sending: bool, waiting: Option<&mut Bot>) {
        let [output, error, status] = self.process.descriptors();
        let error = if self.debug.open { error } else { -1 };
        let other = waiting.as_ref().filter(|bot| bot.debug.open).map_or(-1, |bot| bot.process.descriptors()[1]);
        let mut entries = [
            poll_entry(output, libc::POLLIN),
            poll_entry(status, libc::POLLIN),
            poll_entry(error, libc::POLLIN),
            poll_entry(other, libc::POLLIN),
        ];
        // A full input pipe is rare enough to be looked at again soon instead of being waited for.
        let longest = if sending { longest.min(Duration::from_millis(1)) } else { longest };
        // An interruption ends the sleep early, which is no harm.
        let _ = poll(&mut entries, longest);
        if entries[2].revents != 0 {
            self.debug.read(&mut self.process);
        }
        if let Some(waiting) = waiting.filter(|_| entries[3].revents != 0) {
            waiting.debug.read(&mut waiting.process);
        }
    }

    /// Checks CPU time and memory, after a scan if the last is `scan_every` old; answers when to look again: the CPU
    /// limit cannot be passed before.
    fn watch(&mut self, scan_every: Duration) -> Result<Duration, Fault> {
        if self.meter.scanned().elapsed() >= scan_every {
            self.meter.scan(self.limits.memory);
        }
        let cpu = self.meter.cpu();
        if let Some(fault) = self.limits.exceeded(cpu, self.meter.peak()) {
            return Err(fault);
        }
        // Every core may work for the bot.
        Ok(((self.limits.cpu - cpu) / cores()).clamp(Duration::from_millis(1), scan_every))
    }

    fn check_line(&mut self, line: Vec<u8>) -> Result<String, Fault> {
        self.read_output()?;
        if !self.pending.is_empty() {
            return Err(self.extra_output());
        }
        match String::from_utf8(line) {
            Ok(line) => Ok(line),
            Err(error) => {
                let shown = quoted(error.as_bytes());
                Err(self.or_flood(Fault::new(Reason::Format, format!("the answer {shown} is not text"))))
            }
        }
    }

    /// `fault`, unless the bot goes on printing without end. It has done so when it is silent and waits; one that still
    /// works, or that a busy machine does not let run, may have more to say.
    pub fn or_flood(&mut self, fault: Fault) -> Fault {
        let deadline = Instant::now() + FLOOD_PATIENCE;
        let before = self.meter.cpu();
        loop {
            if let Err(flood) = self.read_output() {
                return flood;
            }
            let [output, ..] = self.process.descriptors();
            let more = self.output_open && poll(&mut [poll_entry(output, libc::POLLIN)], SILENCE).unwrap_or(false);
            let working = self.output_open && is_runnable(self.process.pid());
            let enough = self.meter.cpu().saturating_sub(before) >= FLOOD_WORK || Instant::now() >= deadline;
            if !(more || working) || enough {
                return fault;
            }
        }
    }

    fn extra_output(&mut self) -> Fault {
        let line = self.pending.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let fault = Fault::new(Reason::ExtraOutput, format!("output nobody asked for: {}", quoted(line)));
        self.or_flood(fault)
    }

    fn late(&mut self, limit: Duration) -> Fault {
        let mut detail = format!("no answer within {} ms", limit.as_millis());
        if limit < self.limits.total && self.limits.total < Duration::MAX {
            detail += &format!(" (the game's total is {} ms)", self.limits.total.as_millis());
        }
        if !self.pending.is_empty() {
            detail += &format!(" but an unfinished line: {}", quoted(&self.pending));
        }
        Fault::new(Reason::Tle, detail)
    }

    /// The fault of a bot that is dead or has closed a pipe, with the last thing it said.
    fn crash(&mut self) -> Fault {
        let exit = self.process.await_exit(Duration::from_millis(50));
        let mut detail = match exit {
            Some(exit) => format!("it {exit}"),
            None if self.output_open => "it closed its input".to_string(),
            None => "it closed its output".to_string(),
        };
        if !self.pending.is_empty() {
            detail += &format!(" in the middle of a line: {}", quoted(&self.pending));
        }
        self.debug.finish(&mut self.process);
        if let Some(last) = &self.debug.last {
            detail += &format!("; its last words: {}", quoted(last.as_bytes()));
        }
        Fault::new(Reason::Crash, detail)
    }

    fn send(&mut self, bytes: &mut &[u8]) -> Result<(), Fault> {
        while !bytes.is_empty() {
            match self.process.write(bytes) {
                Ok(written) => *bytes = &bytes[written..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(_) => return Err(self.crash()),
            }
        }
        Ok(())
    }

    /// The next whole line, if it is there.
    fn read_line(&mut self) -> Result<Option<Vec<u8>>, Fault> {
        if !self.pending.contains(&b'\n') {
            self.read_output()?;
        }
        let Some(end) = self.pending.iter().position(|&byte| byte == b'\n') else { return Ok(None) };
        let mut line: Vec<u8> = self.pending.drain(..=end).collect();
        line.pop();
        Ok(Some(line))
    }

    /// Takes what is in the output pipe.
    fn read_output(&mut self) -> Result<(), Fault> {
        let mut buffer = [0u8; 4 * 1024];
        while self.output_open {
            match self.process.read(&mut buffer) {
                Ok(0) => self.output_open = false,
                Ok(length) => {
                    self.pending.extend_from_slice(&buffer[..length]);
                    if self.pending.len() > FLOOD_BYTES {
                        let detail = format!("more than {FLOOD_BYTES} bytes of output where one line is expected");
                        return Err(Fault::new(Reason::Flood, detail));
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                Err(_) => self.output_open = false,
            }
        }
        Ok(())
    }
}

/// The machine's cores, asked for once: the answer costs more than a move.
fn cores() -> u32 {
    static CORES: OnceLock<u32> = OnceLock::new();
    *CORES.get_or_init(|| thread::available_parallelism().map_or(1, |cores| cores.get() as u32))
}

/// A bot's standard error, in lines.
#[derive(Debug)]
struct Debug {
    lines: Vec<String>,
    /// The last line that is not blank.
    last: Option<String>,
    unfinished: Vec<u8>,
    kept: usize,
    open: bool,
}

impl Default for Debug {
    fn default() -> Debug {
        Debug { lines: Vec::new(), last: None, unfinished: Vec::new(), kept: 0, open: true }
    }
}

impl Debug {
    /// Takes what is there now, but no more than a pipeful: a bot that writes without end must not hold the referee.
    fn read(&mut self, process: &mut Process) {
        let mut buffer = [0u8; 4 * 1024];
        for _ in 0..16 {
            match process.read_stderr(&mut buffer) {
                Ok(0) => {
                    self.open = false;
                    return;
                }
                Ok(length) => self.take(&buffer[..length]),
                Err(error) => {
                    self.open = matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted);
                    return;
                }
            }
        }
    }

    fn finish(&mut self, process: &mut Process) {
        self.read(process);
        if !self.unfinished.is_empty() {
            let line = std::mem::take(&mut self.unfinished);
            self.push(&line);
        }
    }

    fn take(&mut self, mut bytes: &[u8]) {
        while let Some(end) = bytes.iter().position(|&byte| byte == b'\n') {
            self.unfinished.extend_from_slice(&bytes[..end]);
            let line = std::mem::take(&mut self.unfinished);
            self.push(&line);
            bytes = &bytes[end + 1..];
        }
        let room = 4096_usize.saturating_sub(self.unfinished.len());
        self.unfinished.extend_from_slice(&bytes[..bytes.len().min(room)]);
    }

    fn push(&mut self, line: &[u8]) {
        let text = String::from_utf8_lossy(line).trim_end().to_string();
        if !text.is_empty() {
            self.last = Some(text.clone());
        }
        match self.kept {
            kept if kept + line.len() < DEBUG_BYTES => self.lines.push(text),
            kept if kept < DEBUG_BYTES => self.lines.push("(further output is not kept)".to_string()),
            _ => return,
        }
        self.kept += line.len() + 1;
    }
}

/// Stops and continues the bot's process group, so that it runs 1/F of the time.
///
/// The share of the period already run is carried over from one answer to the next: a bot that answers in less than
/// one share is slowed like any other, on the average.
#[derive(Debug)]
struct Throttle {
    run: Duration,
    stop: Duration,
    /// What is left of the present share.
    left: Duration,
    since: Instant,
    stopped: bool,
}

impl Throttle {
    fn new(factor: f64) -> Throttle {
        let run = THROTTLE_PERIOD.div_f64(factor);
        Throttle { run, stop: THROTTLE_PERIOD - run, left: run, since: Instant::now(), stopped: false }
    }

    fn begin(&mut self, now: Instant) {
        self.since = now;
    }

    /// Switches over when it is time; answers when to look again.
    fn turn(&mut self, process: &Process, now: Instant) -> Duration {
        let gone = now - self.since;
        if gone < self.left {
            return self.left - gone;
        }
        self.stopped = !self.stopped;
        process.signal(if self.stopped { libc::SIGSTOP } else { libc::SIGCONT });
        self.left = if self.stopped { self.stop } else { self.run };
        self.since = now;
        self.left
    }

    fn end(&mut self, process: &Process, now: Instant) {
        if self.stopped {
            process.signal(libc::SIGCONT);
            (self.stopped, self.left) = (false, self.run);
        } else {
            self.left = self.left.saturating_sub(now - self.since);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn debug_output_is_cut_into_lines_and_bounded() {
        let mut debug = Debug::default();
        debug.take(b"one\ntw");
        debug.take(b"o\n\n");
        assert_eq!(debug.lines, ["one", "two", ""]);
        assert_eq!(debug.last.as_deref(), Some("two"));
        for _ in 0..100 {
            debug.take(&[b'x'; 10_000]);
            debug.take(b"\n");
        }
        let kept: usize = debug.lines.iter().map(String::len).sum();
        assert!(kept <= 2 * DEBUG_BYTES, "{kept}");
    }

    #[test]
    fn the_throttle_runs_its_share_across_answers() {
        let throttle = Throttle::new(2.5);
        assert_eq!((throttle.run, throttle.stop), (Duration::from_millis(4), Duration::from_millis(6)));
    }
}
