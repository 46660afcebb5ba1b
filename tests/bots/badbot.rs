//! A reversi and Renju bot that plays legally or misbehaves on request, for the referee's tests.
//!
//! `badbot MODE [VALUE] [--tag TEXT] [--record FILE] [--clocks FILE]`: the modes stand in [`Bot::answer`] and
//! [`Bot::begin`]. The tag makes its processes findable, the record keeps every line it was sent, and the clocks its
//! own measurement (`sleep-and-work`): a line a move, of nanoseconds since the request and of CPU time since it began.

use std::fs::File;
use std::io::{self, BufRead, BufWriter, Write};
use std::process::{self, Command, Stdio};
use std::time::{Duration, Instant};
use std::{env, hint, thread};

use stonesmith::game::othello::{Othello, notation};
use stonesmith::game::renju::{Point, Renju};
use stonesmith::game::{Color, Move, Position};

fn main() {
    let mut words = env::args().skip(1);
    let mut bot = Bot { mode: words.next().unwrap_or_else(|| "legal".to_string()), ..Bot::default() };
    while let Some(word) = words.next() {
        match word.as_str() {
            "--tag" => bot.tag = words.next().unwrap_or_default(),
            "--clocks" => bot.clocks = words.next().and_then(|path| File::create(path).ok()),
            "--record" => bot.record = words.next().and_then(|path| File::create(path).ok()),
            value => bot.value = value.parse().expect("a number"),
        }
    }
    bot.begin();
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        if let Some(record) = &mut bot.record {
            writeln!(record, "{line}").expect("the record is writable");
        }
        bot.asked = Some(Instant::now());
        bot.answer(&line);
    }
    if bot.mode == "ignore-eof" {
        sleep_forever();
    }
}

#[derive(Default)]
struct Bot {
    mode: String,
    value: u64,
    tag: String,
    record: Option<File>,
    clocks: Option<File>,
    asked: Option<Instant>,
    turns: usize,
    kept: Option<BufWriter<io::Stdout>>,
    renju: Option<Renju>,
}

impl Bot {
    /// What happens before any request.
    fn begin(&mut self) {
        match self.mode.as_str() {
            "dead" => process::exit(3),
            "burn" => loop {
                burn_until(u128::MAX);
            },
            "sleep" => sleep_forever(),
            "hold" => {
                let block = vec![1u8; self.value as usize * 1024 * 1024];
                hint::black_box(&block);
                sleep_forever();
            }
            "daemon" => {
                // Out of the group and the session, then orphaned: this process exits, its child sleeps on.
                // SAFETY: plain system call.
                unsafe { libc::setsid() };
                self.spawn("sleep");
                process::exit(0);
            }
            "reserve" => {
                let length = self.value as usize * 1024 * 1024;
                let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
                let access = libc::PROT_READ | libc::PROT_WRITE;
                // SAFETY: a new mapping at an address of the kernel's choice, which nothing touches.
                let mapped = unsafe { libc::mmap(std::ptr::null_mut(), length, access, flags, -1, 0) };
                assert!(mapped != libc::MAP_FAILED, "the address space is refused");
            }
            "ponder" => {
                thread::spawn(|| burn_until(u128::MAX));
            }
            "ignore-eof" => {
                for signal in [libc::SIGTERM, libc::SIGHUP, libc::SIGINT] {
                    // SAFETY: ignoring a signal runs no handler.
                    unsafe { libc::signal(signal, libc::SIG_IGN) };
                }
            }
            "start-burn" => burn_until(u128::from(self.value)),
            _ => {}
        }
    }

    fn answer(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["READY", ..] => self.ready(),
            ["TURN", turn, board] if board.len() == 64 => {
                self.turns += 1;
                let side = if turn.parse::<u32>().expect("a turn") % 2 == 1 { Color::Black } else { Color::White };
                let position = Othello::<8>::from_board_text(board, side).expect("a board");
                self.turn(&position);
            }
            ["TURN", _, _] => self.renju_turn(),
            ["OPP", row, col, _] => {
                let number = |word: &str| word.parse::<i64>().expect("a coordinate");
                let mv = Point::from_one_based(number(row), number(col)).map_or(Move::PASS, Point::to_move);
                self.renju().play(mv).expect("the opponent's move is legal");
            }
            ["INIT", board, plies] => {
                let even = plies.parse::<u32>().expect("a number") % 2 == 0;
                let side = if even { Color::Black } else { Color::White };
                self.renju = Some(Renju::from_board_text(board, side).expect("a board"));
            }
            ["FINISH"] => process::exit(0),
            _ => panic!("unexpected request {line}"),
        }
    }

    fn renju(&mut self) -> &mut Renju {
        self.renju.get_or_insert_with(Renju::start)
    }

    /// Plays the first legal point, passes as soon as it may (`pass`), or plays the point 100·row + column (`point`).
    fn renju_turn(&mut self) {
        let moves = self.renju().legal_moves();
        let mv = match self.mode.as_str() {
            "pass" => *moves.last().expect("a move"),
            "point" => {
                let (row, col) = (self.value as i64 / 100, self.value as i64 % 100);
                Point::from_one_based(row, col).expect("a point").to_move()
            }
            _ => moves[0],
        };
        let text = match Point::of_move(mv).map(Point::one_based) {
            Some((row, col)) => format!("MOVE {row} {col}\n"),
            None => "MOVE -1 -1\n".to_string(),
        };
        // A forbidden move is the referee's to judge.
        let _ = self.renju().play(mv);
        say(&text);
    }

    fn ready(&mut self) {
        match self.mode.as_str() {
            "never-ready" => sleep_forever(),
            "wrong-ready" => say("YES\n"),
            "spelled" => say("HERE\n"),
            "ready-sleep" => {
                thread::sleep(Duration::from_millis(self.value));
                say("OK\n");
            }
            "ready-burn" => {
                burn_until(u128::from(self.value));
                say("OK\n");
            }
            "ready-thread-burn" => {
                let until = u128::from(self.value);
                let workers: Vec<_> = (0..2).map(|_| thread::spawn(move || burn_until(until))).collect();
                workers.into_iter().for_each(|worker| worker.join().expect("a worker"));
                say("OK\n");
            }
            "no-flush" => {
                let mut out = BufWriter::new(io::stdout());
                out.write_all(b"OK\n").expect("buffered");
                self.kept = Some(out);
            }
            "exit-after-ready" => {
                say("OK\n");
                process::exit(0);
            }
            "stderr" => {
                eprintln!("thinking of {}", self.value);
                say("OK\n");
            }
            "stderr-flood" => {
                for _ in 0..20_000 {
                    eprintln!("{}", "e".repeat(80));
                }
                say("OK\n");
            }
            _ => say("OK\n"),
        }
    }

    fn turn(&mut self, position: &Othello<8>) {
        let moves = position.legal_moves();
        let good = text(if self.mode == "last" { *moves.last().expect("a move") } else { moves[0] });
        match self.mode.as_str() {
            "hang" => sleep_forever(),
            "spin" => burn_until(u128::MAX),
            "spin-child" => {
                self.spawn("burn");
                sleep_forever();
            }
            "crash" => {
                eprintln!("about to fail");
                process::abort();
            }
            "exit" => process::exit(0),
            "illegal" => say("MOVE 1 1\n"),
            "binary" => {
                let answered = io::stdout().write_all(b"MOVE \xff 4\n").and_then(|()| io::stdout().flush());
                answered.expect("the referee reads");
            }
            "empty-line" => say("\n"),
            "orphan" => {
                self.spawn("sleep");
                process::exit(0);
            }
            "outside" => say("MOVE 0 9\n"),
            "pass" => say("PASS\n"),
            "format" => say("MOVE d3\n"),
            "flood" => loop {
                say(&"x".repeat(1000));
            },
            "flood-lines" => loop {
                say("MOVE 1 1\n");
            },
            "flood-after" => {
                say(&good);
                loop {
                    say("MOVE 1 1\n");
                }
            }
            "extra" => say(&format!("{good}debug\n")),
            "late-extra" => {
                say(&good);
                thread::sleep(Duration::from_millis(20));
                say("debug\n");
            }
            "two-writes" => {
                let (head, tail) = good.split_at(good.len() / 2);
                say(head);
                thread::sleep(Duration::from_millis(5));
                say(tail);
            }
            "unfinished" => {
                say("MOVE 3");
                process::exit(0);
            }
            "no-newline" => {
                say(good.trim_end());
                sleep_forever();
            }
            "close-stdout" => {
                // SAFETY: nothing is printed any more.
                unsafe { libc::close(1) };
                sleep_forever();
            }
            "close-stdin" => {
                // SAFETY: nothing is read any more: the process sleeps.
                unsafe { libc::close(0) };
                say(&good);
                sleep_forever();
            }
            "daemons" => {
                if self.turns == 1 {
                    self.spawn("daemon");
                    self.spawn("sleep");
                }
                say(&good);
            }
            "memory" => {
                if self.turns == 1 {
                    let block = vec![1u8; self.value as usize * 1024 * 1024];
                    thread::sleep(Duration::from_millis(50));
                    hint::black_box(&block);
                }
                say(&good);
            }
            "memory-child" => {
                self.spawn_with("hold", self.value);
                sleep_forever();
            }
            "slow" => {
                thread::sleep(Duration::from_millis(self.value));
                say(&good);
            }
            "work" => {
                burn_until(cpu_time().as_millis() + u128::from(self.value));
                say(&good);
            }
            "sleep-and-work" => {
                thread::sleep(Duration::from_millis(self.value));
                burn_until(cpu_time().as_millis() + u128::from(self.value));
                if let (Some(clocks), Some(asked)) = (&mut self.clocks, self.asked) {
                    // In one write, and before the answer: the last one ends the game and this process.
                    let line = format!("{} {}\n", asked.elapsed().as_nanos(), cpu_time().as_nanos());
                    clocks.write_all(line.as_bytes()).expect("the file is writable");
                }
                say(&good);
            }
            // The coordinates from 0, the column first, and other words.
            "spelled" if good == "PASS\n" => say("NO MOVE\n"),
            "spelled" => {
                let numbers: Vec<u32> =
                    good.split_whitespace().skip(1).map(|word| word.parse().expect("a number")).collect();
                say(&format!("PUT {} {}\n", numbers[1] - 1, numbers[0] - 1));
            }
            _ => say(&good),
        }
    }

    fn spawn(&self, mode: &str) {
        self.spawn_with(mode, 0);
    }

    /// Starts this program in another mode; it shares standard output and error.
    #[allow(clippy::zombie_processes)]
    fn spawn_with(&self, mode: &str, value: u64) {
        let own = env::current_exe().expect("a path");
        let mut command = Command::new(own);
        command.arg(mode).arg(value.to_string()).args(["--tag", &self.tag]).stdin(Stdio::null());
        command.spawn().expect("a child");
    }
}

fn text(mv: Move) -> String {
    if mv.is_pass() {
        return "PASS\n".to_string();
    }
    let (row, col) = notation::row_col::<8>(mv.0 as usize);
    format!("MOVE {} {}\n", row + 1, col + 1)
}

/// Prints and flushes; a closed pipe ends the bot.
fn say(text: &str) {
    let mut out = io::stdout();
    if out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err() {
        process::exit(1);
    }
}

fn sleep_forever() -> ! {
    loop {
        thread::sleep(Duration::from_secs(60));
    }
}

/// CPU time of this process.
fn cpu_time() -> Duration {
    // SAFETY: the call writes into the variable it is given; all-zero is a valid timespec.
    let time = unsafe {
        let mut time: libc::timespec = std::mem::zeroed();
        libc::clock_gettime(libc::CLOCK_PROCESS_CPUTIME_ID, &mut time);
        time
    };
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

/// Works until this process has used so much CPU time.
fn burn_until(millis: u128) {
    let mut sum = 1u64;
    while cpu_time().as_millis() < millis {
        for _ in 0..10_000 {
            sum = hint::black_box(sum.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1));
        }
    }
}
