//! A bot as a process: started under a supervisor, spoken to through pipes that never block, killed with all it left.
//!
//! The bot leads a session and a process group of its own. [`Process::end`] (or dropping the value) kills that group
//! and every process the bot started, detached or not, and answers with what all of them used.

use std::ffi::{CString, c_char};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, OwnedFd, RawFd};
use std::os::unix::ffi::OsStringExt;
use std::time::{Duration, Instant};
use std::{env, fmt, mem, ptr};

use super::command::Command;
use super::supervisor::{self, MESSAGE_BYTES};

/// How a bot's first process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exit {
    /// It returned this code.
    Code(i32),
    /// This signal killed it.
    Signal(i32),
    /// It could not be executed: the system's error number.
    NotStarted(i32),
}

impl fmt::Display for Exit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Exit::Code(code) => write!(f, "exited with code {code}"),
            Exit::Signal(signal) => match signal_name(signal) {
                Some(name) => write!(f, "was killed by signal {signal} ({name})"),
                None => write!(f, "was killed by signal {signal}"),
            },
            Exit::NotStarted(error) => write!(f, "could not be started: {}", io::Error::from_raw_os_error(error)),
        }
    }
}

fn signal_name(signal: i32) -> Option<&'static str> {
    Some(match signal {
        libc::SIGABRT => "SIGABRT",
        libc::SIGBUS => "SIGBUS",
        libc::SIGFPE => "SIGFPE",
        libc::SIGHUP => "SIGHUP",
        libc::SIGILL => "SIGILL",
        libc::SIGINT => "SIGINT",
        libc::SIGKILL => "SIGKILL",
        libc::SIGPIPE => "SIGPIPE",
        libc::SIGSEGV => "SIGSEGV",
        libc::SIGTERM => "SIGTERM",
        _ => return None,
    })
}

/// What all processes of a bot used, known exactly once they are dead.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Ending {
    /// User and system time of every process.
    pub cpu: Duration,
    /// Resident peak of the largest process in bytes; 0 when it cannot be told from the referee's own size, which a
    /// process inherits for the moment before it executes its program.
    pub peak: u64,
}

/// A running bot.
#[derive(Debug)]
pub struct Process {
    pid: libc::pid_t,
    supervisor: libc::pid_t,
    control: Option<OwnedFd>,
    status: File,
    stdin: Option<File>,
    stdout: File,
    stderr: File,
    exit: Option<Exit>,
    ending: Option<Ending>,
}

impl Process {
    /// Starts the program. A program that cannot be executed is found dead by [`Process::exit`].
    ///
    /// # Errors
    /// When the system has no process or descriptor left.
    pub fn spawn(command: &Command) -> io::Result<Process> {
        let (child_stdin, stdin) = io::pipe()?;
        let (stdout, child_stdout) = io::pipe()?;
        let (stderr, child_stderr) = io::pipe()?;
        let (child_control, control) = io::pipe()?;
        let (status, child_status) = io::pipe()?;

        let environment: Vec<CString> = env::vars_os()
            .filter_map(|(mut key, value)| {
                key.push("=");
                key.push(value);
                CString::new(key.into_vec()).ok()
            })
            .collect();
        let script = [&[c"sh".to_owned(), command.program.clone()], command.arguments.get(1..).unwrap_or(&[])].concat();
        let (arguments, script, environment) =
            (pointers(&command.arguments), pointers(&script), pointers(&environment));
        let plan = supervisor::Plan {
            program: command.program.as_ptr(),
            arguments: arguments.as_ptr(),
            script_arguments: script.as_ptr(),
            environment: environment.as_ptr(),
            stdin: child_stdin.as_raw_fd(),
            stdout: child_stdout.as_raw_fd(),
            stderr: child_stderr.as_raw_fd(),
            control: child_control.as_raw_fd(),
            status: child_status.as_raw_fd(),
        };
        let supervisor = fork_supervisor(&plan)?;
        drop((child_stdin, child_stdout, child_stderr, child_control, child_status));

        let mut process = Process {
            pid: 0,
            supervisor,
            control: Some(control.into()),
            status: nonblocking(status.into())?,
            stdin: Some(nonblocking(stdin.into())?),
            stdout: nonblocking(stdout.into())?,
            stderr: nonblocking(stderr.into())?,
            exit: None,
            ending: None,
        };
        let deadline = Instant::now() + Duration::from_secs(10);
        while process.pid == 0 && process.exit.is_none() {
            if !process.await_status(deadline) {
                return Err(io::Error::new(io::ErrorKind::TimedOut, "the new process does not come up"));
            }
        }
        Ok(process)
    }

    /// The bot's first process, which leads its session and group. 0 if there never was one.
    pub fn pid(&self) -> libc::pid_t {
        self.pid
    }

    /// The supervisor: the ancestor of every process of the bot.
    pub fn supervisor(&self) -> libc::pid_t {
        self.supervisor
    }

    /// How the bot's first process ended, if it did.
    pub fn exit(&mut self) -> Option<Exit> {
        self.read_status();
        self.exit
    }

    /// Waits up to `patience` for the bot's first process to end.
    pub fn await_exit(&mut self, patience: Duration) -> Option<Exit> {
        let deadline = Instant::now() + patience;
        self.read_status();
        while self.exit.is_none() && self.await_status(deadline) {}
        self.exit
    }

    /// Sends a signal to the bot's process group.
    pub fn signal(&self, signal: libc::c_int) {
        if self.pid > 1 && self.ending.is_none() {
            // SAFETY: the group is the bot's own: its leader is reaped only after `end`.
            unsafe { libc::kill(-self.pid, signal) };
        }
    }

    /// Writes as much of `bytes` as the pipe takes, and answers how much.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] for a full pipe, [`io::ErrorKind::BrokenPipe`] when the bot closed its input.
    pub fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.stdin {
            Some(pipe) => pipe.write(bytes),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    /// Closes the bot's input: it reads the end of the file.
    pub fn close_stdin(&mut self) {
        self.stdin = None;
    }

    /// Reads what the bot has printed: 0 bytes at the end of its output.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] when there is nothing now.
    pub fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stdout.read(buffer)
    }

    /// As [`Process::read`], of the bot's standard error.
    pub fn read_stderr(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.stderr.read(buffer)
    }

    /// The descriptors to wait on: output, standard error, and news of the bot's death.
    pub fn descriptors(&self) -> [RawFd; 3] {
        [self.stdout.as_raw_fd(), self.stderr.as_raw_fd(), self.status.as_raw_fd()]
    }

    /// Kills every process of the bot and waits until they are gone.
    pub fn end(&mut self) -> Ending {
        if let Some(ending) = self.ending {
            return ending;
        }
        self.control = None;
        // Longer than the supervisor's own patience with a process that does not die.
        let deadline = Instant::now() + Duration::from_secs(15);
        while self.ending.is_none() && self.await_status(deadline) {}
        if self.ending.is_none() {
            // SAFETY: the supervisor is our child and not waited for yet.
            unsafe { libc::kill(self.supervisor, libc::SIGKILL) };
        }
        // SAFETY: as above; no status is asked for.
        unsafe { libc::waitpid(self.supervisor, ptr::null_mut(), 0) };
        *self.ending.get_or_insert_default()
    }

    /// Waits for a message, and takes it. False at the deadline or when the supervisor is gone.
    fn await_status(&mut self, deadline: Instant) -> bool {
        let patience = deadline.saturating_duration_since(Instant::now());
        let mut polled = [poll_entry(self.status.as_raw_fd(), libc::POLLIN)];
        match poll(&mut polled, patience) {
            Ok(true) => self.read_status(),
            Ok(false) => false,
            Err(error) => error.kind() == io::ErrorKind::Interrupted,
        }
    }

    /// Takes the messages that are there. False when the supervisor is gone.
    fn read_status(&mut self) -> bool {
        let mut message = [0u8; MESSAGE_BYTES];
        loop {
            match self.status.read(&mut message) {
                Ok(MESSAGE_BYTES) => self.take_message(message),
                Ok(_) => {
                    // A supervisor that somebody killed takes the bot along with it.
                    self.exit.get_or_insert(Exit::Signal(libc::SIGKILL));
                    return false;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return error.kind() == io::ErrorKind::WouldBlock,
            }
        }
    }

    fn take_message(&mut self, message: [u8; MESSAGE_BYTES]) {
        let field = |i: usize| u64::from_ne_bytes(message[8 * i..8 * i + 8].try_into().expect("eight bytes"));
        let number = |i: usize| field(i) as i32;
        match field(0) {
            supervisor::STARTED => self.pid = number(1),
            supervisor::NOT_STARTED => self.exit = Some(Exit::NotStarted(number(1))),
            supervisor::EXITED if self.exit.is_none() => {
                self.exit = Some(if field(1) == 0 { Exit::Code(number(2)) } else { Exit::Signal(number(2)) });
            }
            supervisor::ENDED => {
                let (peak, inherited) = (field(2), field(3));
                self.ending = Some(Ending {
                    cpu: Duration::from_micros(field(1)),
                    peak: if peak > inherited { 1024 * peak } else { 0 },
                });
            }
            _ => {}
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// An entry for [`poll`].
pub fn poll_entry(descriptor: RawFd, events: libc::c_short) -> libc::pollfd {
    libc::pollfd { fd: descriptor, events, revents: 0 }
}

/// Waits until one of the entries is ready, to the microsecond; false when `patience` is over.
///
/// # Errors
/// [`io::ErrorKind::Interrupted`] when a signal came first.
pub fn poll(entries: &mut [libc::pollfd], patience: Duration) -> io::Result<bool> {
    let timeout = libc::timespec {
        tv_sec: patience.as_secs().min(1_000_000) as libc::time_t,
        tv_nsec: patience.subsec_nanos() as libc::c_long,
    };
    // SAFETY: the slice gives address and length; no signal mask is given.
    let ready = unsafe { libc::ppoll(entries.as_mut_ptr(), entries.len() as libc::nfds_t, &timeout, ptr::null()) };
    if ready < 0 { Err(io::Error::last_os_error()) } else { Ok(ready > 0) }
}

fn fork_supervisor(plan: &supervisor::Plan) -> io::Result<libc::pid_t> {
    // SAFETY: signals are blocked round the fork, so that no handler of this program runs in the child; the child
    // goes straight into the supervisor, which makes only async-signal-safe calls; the plan's pointers live in the
    // caller's frame, of which the child has its own copy.
    unsafe {
        let mut all: libc::sigset_t = mem::zeroed();
        let mut before: libc::sigset_t = mem::zeroed();
        libc::sigfillset(&mut all);
        libc::pthread_sigmask(libc::SIG_SETMASK, &all, &mut before);
        let pid = libc::fork();
        if pid == 0 {
            supervisor::run(plan);
        }
        let error = io::Error::last_os_error();
        libc::pthread_sigmask(libc::SIG_SETMASK, &before, ptr::null_mut());
        if pid < 0 { Err(error) } else { Ok(pid) }
    }
}

/// The addresses of the strings, and NULL.
fn pointers(strings: &[CString]) -> Vec<*const c_char> {
    strings.iter().map(|string| string.as_ptr()).chain([ptr::null()]).collect()
}

fn nonblocking(descriptor: OwnedFd) -> io::Result<File> {
    let raw = descriptor.as_raw_fd();
    // SAFETY: `raw` is open: `descriptor` owns it.
    let done = unsafe {
        let flags = libc::fcntl(raw, libc::F_GETFL);
        libc::fcntl(raw, libc::F_SETFL, flags | libc::O_NONBLOCK)
    };
    if done < 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(File::from(descriptor))
}
