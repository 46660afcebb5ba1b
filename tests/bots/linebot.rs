//! A program of other arenas' protocols that plays legally or misbehaves on request, for the match's tests.
//!
//! `linebot gtp|nboard|gomocup MODE [VALUE] [--record FILE] [--tag TEXT]`. It keeps the game itself and dies when it is told something
//! that the rules do not allow, so a match without faults shows that it was told the truth.

use std::fs::File;
use std::io::{self, BufRead, Write};
use std::time::{Duration, Instant};
use std::{env, process, thread};

use stonesmith::game::othello::Othello;
use stonesmith::game::renju::{Board, Point, Renju};
use stonesmith::game::{Color, Move, Position};
use stonesmith::judge::nboard::parse_ggf;
use stonesmith::play::{Greedy, Player};

type Reversi = Othello<8>;

fn main() {
    let mut words = env::args().skip(1);
    let protocol = words.next().expect("a protocol");
    let mode = words.next().expect("a mode");
    let value = words.next().and_then(|word| word.parse().ok()).unwrap_or(0);
    let record = words.next().filter(|word| word == "--record").and_then(|_| words.next());
    let mut record = record.map(|path| File::create(path).expect("the record can be created"));
    let mut bot = Bot { mode, value, reversi: Reversi::start(), renju: Renju::start(), board: None };
    match bot.mode.as_str() {
        "dead" => process::exit(3),
        // So many milliseconds of work before it listens, as tables take.
        "start-work" => {
            let until = Instant::now() + Duration::from_millis(bot.value);
            while Instant::now() < until {
                std::hint::spin_loop();
            }
        }
        _ => {}
    }
    for line in io::stdin().lock().lines() {
        let line = line.expect("a line");
        if let Some(record) = &mut record {
            writeln!(record, "{line}").expect("the record is writable");
        }
        match protocol.as_str() {
            "gtp" => bot.gtp(&line),
            "nboard" => bot.nboard(&line),
            _ => bot.gomocup(line.trim()),
        }
    }
    if bot.mode == "ignore-eof" {
        sleep_forever();
    }
}

struct Bot {
    mode: String,
    value: u64,
    reversi: Reversi,
    renju: Renju,
    /// The stones of a BOARD that is being told.
    board: Option<Vec<(Point, bool)>>,
}

impl Bot {
    /// What happens instead of, or before, a good answer; the move to answer with.
    fn misbehave(&self) {
        match self.mode.as_str() {
            "hang" => sleep_forever(),
            "spin" => loop {
                std::hint::spin_loop();
            },
            "crash" => process::abort(),
            "exit" => process::exit(0),
            "slow" => thread::sleep(Duration::from_millis(self.value)),
            "flood" => loop {
                say("status still thinking\n");
            },
            _ => {}
        }
    }

    fn gtp(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["boardsize", "8"] | ["time_settings" | "time_left", ..] => say("=\n\n"),
            ["clear_board"] => {
                self.reversi = Reversi::start();
                say("=\n\n");
            }
            ["play", _, "pass"] if self.mode == "no-pass" => {
                // As some programs do: a forced pass is understood, and telling it is refused.
                self.reversi.play(Move::PASS).expect("a pass is told where it is forced");
                say("? illegal move\n\n");
            }
            ["play", color, text] => {
                let mv = Reversi::parse_move(text).expect("a move");
                assert_eq!(color, if self.reversi.side_to_move() == Color::Black { "b" } else { "w" });
                self.reversi.play(mv).expect("a legal move");
                say("= \n\n");
            }
            ["genmove", color] => {
                assert_eq!(color, if self.reversi.side_to_move() == Color::Black { "b" } else { "w" });
                self.misbehave();
                let mv = Greedy.choose(&self.reversi);
                match self.mode.as_str() {
                    "illegal" => say("= a1\n\n"),
                    "pass" => say("= PASS\n\n"),
                    "refuse" => say("? no idea\n\n"),
                    "format" => say("= left\n\n"),
                    "resign" => say("= resign\n\n"),
                    _ => {
                        self.reversi.play(mv).expect("legal");
                        say(&format!("thinking...\n= {}\n\n", Reversi::move_text(mv).to_uppercase()));
                    }
                }
            }
            _ => say("? unknown command\n\n"),
        }
    }

    fn nboard(&mut self, line: &str) {
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        match command {
            "nboard" => say("set myname linebot\n"),
            "set" => {
                if let Some(text) = rest.strip_prefix("game ") {
                    self.reversi = parse_ggf::<Reversi>(text).expect("a game").position;
                }
            }
            "ping" if self.mode == "no-pong" => {}
            "ping" => say(&format!("pong {rest}\n")),
            "go" => {
                self.misbehave();
                let mv = Greedy.choose(&self.reversi);
                match self.mode.as_str() {
                    "illegal" => say("=== A1\n"),
                    "pass" => say("=== PA\n"),
                    "format" => say("=== left\n"),
                    _ => {
                        let text = Reversi::move_text(mv).to_uppercase();
                        say(&format!("status thinking\nnodestats 12 0.01\n=== {text}/1.50/0.01\nstatus\n"));
                    }
                }
            }
            _ => {}
        }
    }

    fn gomocup(&mut self, line: &str) {
        if let Some(stones) = &mut self.board {
            if line == "DONE" {
                let stones = std::mem::take(stones);
                self.board = None;
                self.set(&stones);
                self.answer();
                return;
            }
            let numbers: Vec<i64> = line.split(',').map(|word| word.parse().expect("a number")).collect();
            let [x, y, owner] = numbers[..] else { panic!("{line}") };
            stones.push((Point::from_one_based(y + 1, x + 1).expect("a point"), owner == 1));
            return;
        }
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        match command {
            "START" if self.mode == "no-start" => say("ERROR unsupported size\n"),
            "START" | "RESTART" => {
                self.renju = Renju::start();
                say("MESSAGE hello\nOK\n");
            }
            "BEGIN" => self.answer(),
            "BOARD" => self.board = Some(Vec::new()),
            "TURN" => {
                let (x, y) = rest.split_once(',').expect("x,y");
                let point = Point::from_one_based(y.parse::<i64>().unwrap() + 1, x.parse::<i64>().unwrap() + 1);
                self.renju.play(point.expect("a point").to_move()).expect("a legal move");
                self.answer();
            }
            "INFO" if self.mode == "no-info" => say("ERROR Unknown command: TIME_LEFT\nUNKNOWN command INFO\n"),
            "INFO" => {}
            _ => say("UNKNOWN\n"),
        }
    }

    fn set(&mut self, stones: &[(Point, bool)]) {
        let own = stones.iter().filter(|(_, own)| *own).count();
        let color = if 2 * own == stones.len() { Color::Black } else { Color::White };
        let mut board = Board::empty();
        for &(point, own) in stones {
            board.place(point, if own { color } else { color.opponent() });
        }
        self.renju = Renju::new(board, color);
    }

    fn answer(&mut self) {
        self.misbehave();
        let mv = Greedy.choose(&self.renju);
        match self.mode.as_str() {
            "illegal" => say("7,7\n"),
            "outside" => say("15,3\n"),
            "refuse" => say("ERROR no idea\n"),
            "format" => say("h8\n"),
            "second-thought" => {
                // The end of an INFO line whose beginning was lost, and then a good answer.
                say("ERROR Unknown command: 2147483647\n");
                thread::sleep(Duration::from_millis(5));
                self.place(mv);
            }
            _ => self.place(mv),
        }
    }

    fn place(&mut self, mv: Move) {
        // Managers know no pass.
        let point = Point::of_move(mv).expect("greedy places a stone");
        self.renju.play(mv).expect("legal");
        let (row, col) = point.one_based();
        say(&format!("DEBUG depth 1\n{},{}\n", col - 1, row - 1));
    }
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
