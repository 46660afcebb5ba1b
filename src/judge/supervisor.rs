//! The process that stands between the referee and a bot.
//!
//! It is forked from the referee and never executes another program. It is the "subreaper" of the bot: whatever the
//! bot starts, however it is detached, ends up as a child of the supervisor when its parent dies. So nothing escapes
//! the kill at the end of a game, and the CPU time of every process is counted. When the referee dies, the control
//! pipe closes, and the supervisor kills the bot just the same.
//!
//! The referee may have many threads, so after the fork only async-signal-safe calls are allowed here: plain system
//! calls, no allocation, no panics.

use std::os::fd::RawFd;
use std::ptr;

use libc::{c_char, c_int, pid_t};

/// Bytes of a message on the status pipe: four numbers, the first of which is one of the kinds below. So short a
/// write to a pipe is atomic.
pub(super) const MESSAGE_BYTES: usize = 32;
/// The bot is about to be executed: its process id.
pub(super) const STARTED: u64 = 1;
/// The bot could not be executed: the error number.
pub(super) const NOT_STARTED: u64 = 2;
/// The bot's first process ended: 1 if by a signal, then the exit code or the signal number.
pub(super) const EXITED: u64 = 3;
/// Everything is killed and reaped: CPU time of all processes in µs, resident peak of the largest in KiB, and the
/// peak in KiB that any child may have inherited from the supervisor before it executed its program.
pub(super) const ENDED: u64 = 4;

/// What the supervisor and the bot need, prepared before the fork. All pointers are to NUL-terminated strings, or
/// NULL-terminated arrays of them.
pub(super) struct Plan {
    pub(super) program: *const c_char,
    pub(super) arguments: *const *const c_char,
    /// The arguments of `/bin/sh` for a script without `#!`.
    pub(super) script_arguments: *const *const c_char,
    pub(super) environment: *const *const c_char,
    pub(super) stdin: RawFd,
    pub(super) stdout: RawFd,
    pub(super) stderr: RawFd,
    /// Reading end: it closes, or says anything, when the game is over.
    pub(super) control: RawFd,
    /// Writing end of the messages.
    pub(super) status: RawFd,
}

/// Runs the supervisor; it exits when the game is over.
///
/// # Safety
/// Only in a process just forked, with all signals blocked, whose pointers and descriptors in `plan` are valid.
pub(super) unsafe fn run(plan: &Plan) -> ! {
    // SAFETY: plain system calls on this process's own descriptors and stack; `plan` is valid by contract.
    unsafe {
        // Out of the referee's process group: Ctrl-C at the terminal must not end the supervisor before its work.
        libc::setsid();
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = libc::SIG_DFL;
        action.sa_flags = libc::SA_NOCLDSTOP;
        libc::sigaction(libc::SIGCHLD, &action, ptr::null_mut());
        let mut child_signal: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut child_signal);
        libc::sigaddset(&mut child_signal, libc::SIGCHLD);
        let signals = libc::signalfd(-1, &child_signal, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK);

        let bot = libc::fork();
        if bot == 0 {
            become_bot(plan);
        }
        if bot < 0 {
            send(plan.status, [NOT_STARTED, errno() as u64, 0, 0]);
            libc::_exit(1);
        }
        libc::dup2(plan.control, CONTROL);
        libc::dup2(plan.status, STATUS);
        libc::dup2(signals, SIGNALS);
        // Pipes of other games may have come along with the fork; a writing end kept open here would hide an end of
        // file there.
        close_from(3);
        watch(bot);
        kill_all(bot);
        report_end();
        libc::_exit(0)
    }
}

const CONTROL: RawFd = 0;
const STATUS: RawFd = 1;
const SIGNALS: RawFd = 2;

/// Waits for the end of the game; meanwhile reaps what the bot leaves behind, and tells when the bot itself exits. The
/// bot stays a zombie, so that its process id keeps its meaning.
unsafe fn watch(bot: pid_t) {
    // SAFETY: as in `run`.
    unsafe {
        let mut polled = [
            libc::pollfd { fd: CONTROL, events: libc::POLLIN, revents: 0 },
            libc::pollfd { fd: SIGNALS, events: libc::POLLIN, revents: 0 },
        ];
        let mut count = 2;
        loop {
            libc::poll(polled.as_mut_ptr(), count, -1);
            if count == 2 && polled[1].revents != 0 {
                drain_signals();
                if reap_orphans(bot) {
                    count = 1;
                }
            }
            if polled[0].revents != 0 {
                return;
            }
            polled[0].revents = 0;
            polled[1].revents = 0;
        }
    }
}

/// Reaps dead children up to the bot itself, which is reported but kept. True when the bot is dead.
unsafe fn reap_orphans(bot: pid_t) -> bool {
    // SAFETY: as in `run`; `waitid` fills the structure it is given.
    unsafe {
        loop {
            let mut info: libc::siginfo_t = std::mem::zeroed();
            let peek = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
            if libc::waitid(libc::P_ALL, 0, &mut info, peek) != 0 || info.si_pid() == 0 {
                return false;
            }
            if info.si_pid() == bot {
                let by_signal = u64::from(info.si_code != libc::CLD_EXITED);
                send(STATUS, [EXITED, by_signal, info.si_status() as u64, 0]);
                return true;
            }
            libc::waitpid(info.si_pid(), ptr::null_mut(), 0);
        }
    }
}

/// Kills the bot's process group, then every child, again and again: the children of the killed become ours.
unsafe fn kill_all(bot: pid_t) {
    // SAFETY: as in `run`. The group is the bot's, which is not reaped yet.
    unsafe {
        libc::kill(-bot, libc::SIGKILL);
        libc::kill(bot, libc::SIGKILL);
        let mut polled = libc::pollfd { fd: SIGNALS, events: libc::POLLIN, revents: 0 };
        // Ten seconds: only a process that hangs inside the kernel needs more than a few rounds.
        for _ in 0..10_000 {
            kill_children();
            let mut reaped = 1;
            while reaped > 0 {
                reaped = libc::waitpid(-1, ptr::null_mut(), libc::WNOHANG);
            }
            if reaped < 0 {
                return;
            }
            libc::poll(&mut polled, 1, 1);
            drain_signals();
        }
    }
}

unsafe fn kill_children() {
    // SAFETY: as in `run`; the buffer is as long as `read` is told.
    unsafe {
        let file = libc::open(c"/proc/thread-self/children".as_ptr(), libc::O_RDONLY | libc::O_CLOEXEC);
        if file < 0 {
            return;
        }
        let mut buffer = [0u8; 4096];
        let length = libc::read(file, buffer.as_mut_ptr().cast(), buffer.len());
        libc::close(file);
        let mut pid: pid_t = 0;
        for &byte in buffer.iter().take(usize::try_from(length).unwrap_or(0)) {
            if byte.is_ascii_digit() {
                pid = pid.wrapping_mul(10).wrapping_add(pid_t::from(byte - b'0'));
            } else {
                // Only a number with its blank is whole.
                if pid > 1 {
                    libc::kill(pid, libc::SIGKILL);
                }
                pid = 0;
            }
        }
    }
}

unsafe fn report_end() {
    // SAFETY: as in `run`; `getrusage` fills the structures it is given.
    unsafe {
        let mut children: libc::rusage = std::mem::zeroed();
        let mut own: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_CHILDREN, &mut children);
        libc::getrusage(libc::RUSAGE_SELF, &mut own);
        let micros = |time: libc::timeval| time.tv_sec as u64 * 1_000_000 + time.tv_usec as u64;
        let cpu = micros(children.ru_utime) + micros(children.ru_stime);
        send(STATUS, [ENDED, cpu, children.ru_maxrss as u64, own.ru_maxrss as u64]);
    }
}

/// Turns the second fork into the bot.
unsafe fn become_bot(plan: &Plan) -> ! {
    // SAFETY: as in `run`; `execve` gets the strings and arrays of the plan.
    unsafe {
        // A session of its own: the group can be stopped and killed as one.
        libc::setsid();
        libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL, 0, 0, 0);
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = libc::SIG_DFL;
        for signal in 1..32 {
            libc::sigaction(signal, &action, ptr::null_mut());
        }
        // A core file helps nobody here and takes seconds to write.
        let none = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        libc::setrlimit(libc::RLIMIT_CORE, &none);
        send(plan.status, [STARTED, libc::getpid() as u64, 0, 0]);
        libc::dup2(plan.stdin, 0);
        libc::dup2(plan.stdout, 1);
        libc::dup2(plan.stderr, 2);
        // Descriptors the referee was started with must not reach the bot; those of the plan close by themselves.
        libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC);
        let mut none_blocked: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut none_blocked);
        libc::sigprocmask(libc::SIG_SETMASK, &none_blocked, ptr::null_mut());
        libc::execve(plan.program, plan.arguments, plan.environment);
        let mut error = errno();
        if error == libc::ENOEXEC {
            libc::execve(c"/bin/sh".as_ptr(), plan.script_arguments, plan.environment);
            error = errno();
        }
        send(plan.status, [NOT_STARTED, error as u64, 0, 0]);
        libc::_exit(127)
    }
}

unsafe fn drain_signals() {
    // SAFETY: as in `run`; the buffer is as long as `read` is told, and the descriptor does not block.
    unsafe {
        let mut buffer = [0u8; 1024];
        while libc::read(SIGNALS, buffer.as_mut_ptr().cast(), buffer.len()) > 0 {}
    }
}

unsafe fn send(status: RawFd, message: [u64; 4]) {
    // SAFETY: the message is MESSAGE_BYTES long. A referee that is gone does not read it, which is no harm: SIGPIPE
    // is blocked.
    unsafe {
        libc::write(status, message.as_ptr().cast(), MESSAGE_BYTES);
    }
}

unsafe fn close_from(first: c_int) {
    // SAFETY: closing descriptors that nothing in this process uses any more.
    unsafe {
        if libc::syscall(libc::SYS_close_range, first, libc::c_uint::MAX, 0) != 0 {
            let limit = libc::sysconf(libc::_SC_OPEN_MAX).clamp(256, 65_536) as c_int;
            for descriptor in first..limit {
                libc::close(descriptor);
            }
        }
    }
}

fn errno() -> c_int {
    // SAFETY: the C library's own thread-local error number.
    unsafe { *libc::__errno_location() }
}
