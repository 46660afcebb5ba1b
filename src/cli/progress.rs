//! Progress on stderr, and Ctrl-C turned into a wish to stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use super::Global;

static STOP: AtomicBool = AtomicBool::new(false);

/// The flag that Ctrl-C (or SIGTERM) sets; a second one ends the process at once.
pub fn stop_flag() -> &'static AtomicBool {
    extern "C" fn on_signal(_: libc::c_int) {
        if STOP.swap(true, Ordering::Relaxed) {
            // SAFETY: `_exit` may be called from a signal handler.
            unsafe { libc::_exit(130) }
        }
    }
    for signal in [libc::SIGINT, libc::SIGTERM] {
        // SAFETY: the handler only touches an atomic and `_exit`, both allowed in a signal handler.
        unsafe { libc::signal(signal, on_signal as *const () as libc::sighandler_t) };
    }
    &STOP
}

/// A bar of `total` things with rate and ETA; nothing is shown with `-q`.
pub fn bar(global: &Global, what: &str, total: u64) -> ProgressBar {
    if global.quiet {
        return ProgressBar::hidden();
    }
    let style = ProgressStyle::with_template(
        "{prefix:>12} [{bar:30}] {human_pos}/{human_len}  {per_sec}  {elapsed} elapsed, {eta} left  {msg}",
    )
    .expect("the template is well-formed")
    .progress_chars("=> ");
    let bar = ProgressBar::new(total).with_style(style).with_prefix(what.to_string());
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// A line on stderr unless `-q`.
pub fn say(global: &Global, line: impl AsRef<str>) {
    if !global.quiet {
        eprintln!("{}", line.as_ref());
    }
}
