//! Every dialect of a judge: READY and TURN in all the shapes they may come in, to bots in C and in Python.

use std::sync::OnceLock;
use std::thread;

use stonesmith::bake::{self, Language, Limit, Options, Spelling};
use stonesmith::game::othello::Othello;
use stonesmith::game::{Color, Move, Position};
use stonesmith::kit;

use crate::programs::{Bot, bots, bots_with_plan, run, template_bots};

/// What a bot should answer.
#[derive(Clone)]
enum Answer {
    Ready,
    Pass,
    /// A legal move for this side on this board.
    Move(&'static str, Color),
}

use Answer::{Pass, Ready};

const START: &str = "...........................WB......BW...........................";
/// After black's d3.
const ONE: &str = "...................B.......BB......BW...........................";
/// White has no move, black has (two empty squares); from a game drawn at random.
const LATE: &str = "O-OOOOOOXOOOOOOOXXOOOOXOXXXXOOOOXXXOOOOOXXXXXOO-XXXOXOXXXXXXXXXX";
/// Black has nothing on the board.
const WIPED: &str = "...........WWW......W.....WWWWW...WWW.....WWW...................";

fn black(board: &'static str) -> Answer {
    Answer::Move(board, Color::Black)
}

fn white(board: &'static str) -> Answer {
    Answer::Move(board, Color::White)
}

fn position(board: &str, color: Color) -> Othello<8> {
    Othello::from_board_text(board, color).unwrap()
}

/// Cases of input and answers. Those that begin with READY are games in a row to one run of each bot; the others (and
/// those that end the bot) have a run of their own.
#[derive(Default)]
struct Table {
    games: Case,
    alone: Vec<Case>,
}

#[derive(Default)]
struct Case {
    input: String,
    expected: Vec<(String, Answer)>,
}

impl Table {
    fn add(&mut self, name: &str, input: &str, expected: &[Answer]) {
        let upper = input.trim_start_matches('\u{feff}').trim_start().to_uppercase();
        let game = upper.starts_with("READY") && !upper.contains("FINISH") && input.ends_with('\n');
        if !game {
            self.alone.push(Case::default());
        }
        let case = if game { &mut self.games } else { self.alone.last_mut().unwrap() };
        case.input += input;
        case.expected.extend(expected.iter().map(|answer| (format!("{name} {input:?}"), answer.clone())));
    }

    fn check(&self) {
        thread::scope(|scope| {
            for bot in quick_bots() {
                scope.spawn(|| [&self.games].into_iter().chain(&self.alone).for_each(|case| case.check(bot)));
            }
        });
    }
}

impl Case {
    fn check(&self, bot: &Bot) {
        let output = run(&bot.command, &["an argument of no meaning", "--seed", "7"], self.input.as_bytes());
        assert!(output.is_empty() || output.ends_with('\n'), "{}", bot.name);
        let mut lines = output.lines();
        for (name, answer) in &self.expected {
            let line = lines.next().unwrap_or_else(|| panic!("{}, {name}: no answer", bot.name));
            check_line(line, answer, &format!("{}, {name}", bot.name));
        }
        assert_eq!(lines.next(), None, "{}: {:?}", bot.name, self.expected.last().map(|(name, _)| name));
    }
}

fn check_line(line: &str, answer: &Answer, name: &str) {
    match answer {
        Ready => assert_eq!(line, "OK", "{name}"),
        Pass => assert_eq!(line, "PASS", "{name}"),
        Answer::Move(board, color) => {
            let field: Vec<&str> = line.split(' ').collect();
            let number = |text: &str| text.parse::<u8>().ok().filter(|n| (1..=8).contains(n));
            let [Some(row), Some(col)] = [1, 2].map(|at| field.get(at).copied().and_then(number)) else {
                panic!("{name}: {line}")
            };
            let mv = Move(8 * (row - 1) + col - 1);
            assert!(field[0] == "MOVE" && field.len() == 3, "{name}: {line}");
            assert!(position(board, *color).legal_moves().contains(&mv), "{name}: {line} for {color:?}");
        }
    }
}

/// The templates with little time: what is tested is how they read and write.
fn quick_bots() -> &'static [Bot] {
    static BOTS: OnceLock<(tempfile::TempDir, Vec<Bot>)> = OnceLock::new();
    let (_, found) = BOTS.get_or_init(|| {
        let folder = tempfile::tempdir().unwrap();
        let found = bots_with_plan(folder.path(), "150.0");
        (folder, found)
    });
    found
}

/// `text` with every cell followed by a blank, or every eight.
fn spaced(text: &str, every: usize, separator: &str) -> String {
    text.as_bytes().chunks(every).map(|row| std::str::from_utf8(row).unwrap()).collect::<Vec<_>>().join(separator)
}

/// A board in other letters: black, white, empty.
fn letters(board: &str, [b, w, e]: [char; 3]) -> String {
    board
        .chars()
        .map(|c| {
            if c == 'B' {
                b
            } else if c == 'W' {
                w
            } else {
                e
            }
        })
        .collect()
}

#[test]
fn the_positions_of_the_protocol_table_are_what_they_are_called() {
    assert_eq!(position(LATE, Color::White).legal_moves(), [Move::PASS]);
    assert!(position(LATE, Color::Black).mobility() != 0);
    assert!(position(WIPED, Color::Black).is_over());
    let mut one = Othello::<8>::start();
    one.play(Othello::<8>::parse_move("d3").unwrap()).unwrap();
    assert_eq!(one.board_text(), ONE);
}

#[test]
fn the_protocol_as_stated() {
    let mut table = Table::default();
    table.add("first", &format!("READY FIRST\nTURN 1 {START}\n"), &[Ready, black(START)]);
    table.add("second", &format!("READY SECOND\nTURN 2 {ONE}\n"), &[Ready, white(ONE)]);
    table.add("bare READY", &format!("READY\nTURN 2 {ONE}\n"), &[Ready, white(ONE)]);
    table.add("no READY at all", &format!("TURN 1 {START}\n"), &[black(START)]);
    table.add("forced pass", &format!("READY\nTURN 60 {LATE}\n"), &[Ready, Pass]);
    table.add("the other side of it", &format!("READY\nTURN 61 {LATE}\n"), &[Ready, black(LATE)]);
    table.add("a finished game", &format!("READY\nTURN 15 {WIPED}\n"), &[Ready, Pass]);
    table.add("no line end", &format!("READY\nTURN 1 {START}"), &[Ready, black(START)]);
    table.add("nothing", "", &[]);
    table.add("FINISH", &format!("READY\nFINISH\nTURN 1 {START}\n"), &[Ready]);
    table.check();
}

#[test]
fn the_protocol_with_noise() {
    let mut table = Table::default();
    table.add(
        "BOM, CR, blanks, case",
        &format!("\u{feff}  ready first \r\n\r\n turn\t1  {START} \r\n"),
        &[Ready, black(START)],
    );
    table.add(
        "unknown commands",
        &format!("HELLO\nREADY\nOPP 3 4\nINFO x {ONE}\nTURN 1 {START}\n"),
        &[Ready, black(START)],
    );
    for argument in
        ["", " FIRST", " BLACK", " first", " Black", " SECOND", " WHITE", " 1", " 5000 5000", " NAME x y", " 첫째"]
    {
        table.add("READY's argument", &format!("READY{argument}\nTURN 1 {START}\n"), &[Ready, black(START)]);
    }
    table.add("READY in small letters", &format!("ready\nTuRn 2 {ONE}\n"), &[Ready, white(ONE)]);
    table.add("READY READY", "READY\nREADY\nREADY FIRST\n", &[Ready, Ready, Ready]);
    let mark = "\u{feff}";
    table.add("a mark on every line", &format!("{mark}READY\n{mark}TURN 2 {ONE}\n"), &[Ready, white(ONE)]);
    table.add("CR alone is a blank", &format!("READY\r\nTURN\r2\r{ONE}\r\r\n\r\n"), &[Ready, white(ONE)]);
    table.add("commas", &format!("READY\nTURN,2,{ONE}\n"), &[Ready, white(ONE)]);
    table.add("FINISH with more", &format!("READY\nfinish 12 34\nTURN 1 {START}\n"), &[Ready]);
    table.add("a start word", &format!("READY\nstart turn 2 {ONE}\n"), &[Ready, white(ONE)]);
    table.add("INIT is not answered", &format!("INIT {LATE} 60\nINIT {ONE} 1\nREADY\n"), &[Ready]);
    let again = format!("READY SECOND\nTURN 2 {ONE}\nREADY FIRST\nTURN {START}\n");
    table.add("READY again", &again, &[Ready, white(ONE), Ready, black(START)]);
    table.add("START TURN", &format!("READY\nSTART TURN 1 {START}\n"), &[Ready, black(START)]);
    let abandoned = format!("READY\nTURN 1\n........\nTURN 2 {ONE}\n");
    table.add("a board that never came", &abandoned, &[Ready, white(ONE)]);
    table.check();
}

#[test]
fn the_protocol_in_other_layouts() {
    let mut table = Table::default();
    table.add("board first", &format!("READY\nTURN {ONE} 2\n"), &[Ready, white(ONE)]);
    table.add("with times", &format!("READY\nTURN 2 4990 5000 {ONE}\n"), &[Ready, white(ONE)]);
    table.add("times first", &format!("READY\nTURN 4990 5000 2 {ONE}\n"), &[Ready, white(ONE)]);
    // The first TURN says which number is which: a time of 40 is no turn later on.
    table.add(
        "small times late",
        &format!("READY\nTURN 5000 1 {START}\nTURN 540 60 {LATE}\nTURN 41 60 {LATE}\n"),
        &[Ready, black(START), Pass, Pass],
    );
    table.add("more numbers", &format!("READY\nTURN 2 {ONE} 4990 5000 0 17\n"), &[Ready, white(ONE)]);
    table.add(
        "time before turn, late",
        &format!("READY\nTURN 4990 2 {ONE}\nTURN 12 60 {LATE}\n"),
        &[Ready, white(ONE), Pass],
    );
    table.add("no time left", &format!("READY\nTURN 2 0 0 {ONE}\n"), &[Ready, white(ONE)]);
    table.add("no turn, by READY", &format!("READY BLACK\nTURN {LATE}\n"), &[Ready, black(LATE)]);
    table.add("no turn, by READY", &format!("READY WHITE\nTURN {LATE}\n"), &[Ready, Pass]);
    table.add("no turn, by the board", &format!("READY\nTURN {ONE}\n"), &[Ready, white(ONE)]);
    table.add("turn from 0", &format!("READY\nTURN 0 {START}\nTURN 59 {LATE}\n"), &[Ready, black(START), Pass]);
    table.add("INIT", &format!("INIT {LATE} 60\nREADY\n"), &[Ready]);
    table.add("INIT and a bare TURN", &format!("READY\nINIT {LATE} 60\nTURN\n"), &[Ready, black(LATE)]);
    table.add("INIT and a turn", &format!("READY\nINIT {LATE} 59\nTURN 60\n"), &[Ready, Pass]);
    table.check();
}

#[test]
fn the_board_in_other_shapes() {
    let mut table = Table::default();
    for (name, board) in [
        ("X O -", letters(ONE, ['X', 'O', '-'])),
        ("x o .", letters(ONE, ['x', 'o', '.'])),
        ("1 2 0", letters(ONE, ['1', '2', '0'])),
        ("B W 0", letters(ONE, ['B', 'W', '0'])),
        ("* O _", letters(ONE, ['*', 'O', '_'])),
        ("b w -", letters(ONE, ['b', 'w', '-'])),
        ("@ O -", letters(ONE, ['@', 'O', '-'])),
    ] {
        table.add(name, &format!("READY\nTURN 2 {board}\n"), &[Ready, white(ONE)]);
        table.add(name, &format!("READY\nTURN 2 {}\n", spaced(&board, 8, " ")), &[Ready, white(ONE)]);
        table.add(name, &format!("READY\nTURN 2 {}\n", spaced(&board, 1, " ")), &[Ready, white(ONE)]);
        table.add(name, &format!("READY\nTURN 2\n{board}\n"), &[Ready, white(ONE)]);
        table.add(name, &format!("READY\nTURN\n2\n{}\r\n", spaced(&board, 8, "\r\n")), &[Ready, white(ONE)]);
        let cells = spaced(&spaced(&board, 8, "/"), 1, " ").replace(" / ", "\n");
        table.add(name, &format!("READY\nTURN 2\n{cells}\n"), &[Ready, white(ONE)]);
    }
    table.check();
}

/// The bake-time switches: other words, columns first, counted from 0.
#[test]
fn answers_in_another_spelling() {
    let word = |text: &str| text.parse().unwrap();
    let spelling = Spelling {
        ready: word("READY-OK"),
        verb: word("PUT"),
        pass: Some(word("PUT -1 -1")),
        turn: word("Play"),
        index_base: 0,
        column_first: true,
    };
    let bare = Spelling { verb: word(""), ..Spelling::default() };
    // Three moves, of which none is the mirror image of another: an axis that is swapped shows.
    let board = "........................BWWW........W.......W...................";
    let legal = |line: &str, base: u8, column_first: bool| {
        let numbers: Vec<u8> = line.split(' ').map(|word| word.parse().unwrap()).collect();
        let (row, col) = if column_first { (numbers[1], numbers[0]) } else { (numbers[0], numbers[1]) };
        position(board, Color::Black).legal_moves().contains(&Move(8 * (row - base) + col - base))
    };
    for language in [Language::C, Language::Python] {
        let folder = tempfile::tempdir().unwrap();
        for (name, spelling) in [("another", &spelling), ("bare", &bare)] {
            let folder = folder.path().join(name);
            std::fs::create_dir(&folder).unwrap();
            let options =
                Options { spelling: spelling.clone(), ..Options::new(language, 0).limited(Limit::Bytes(99_000)) };
            let source = bake::bake(&kit::template_weights(), &options).unwrap();
            for bot in bots(&source, language, &folder) {
                let turn = spelling.turn.as_str();
                let pass = spelling.pass.as_ref().map_or("PASS", |pass| pass.as_str());
                let input = format!("READY\n{turn} 1 {board}\nOTHER 1 {board}\n{turn} 60 {LATE}\n");
                let output = run(&bot.command, &[], input.as_bytes());
                let lines: Vec<&str> = output.lines().collect();
                assert_eq!(lines.len(), 3, "{}: {output}", bot.name);
                assert_eq!((lines[0], lines[2]), (spelling.ready.as_str(), pass), "{}", bot.name);
                let pair = if name == "bare" { lines[1] } else { lines[1].strip_prefix("PUT ").expect("the verb") };
                assert!(legal(pair, spelling.index_base, spelling.column_first), "{}: {output}", bot.name);
            }
        }
    }
}

/// Bots answer READY before they unpack anything, and a closed output is no reason to shout.
#[test]
fn a_judge_that_goes_away_is_no_fault() {
    for bot in template_bots() {
        let mut child = std::process::Command::new(&bot.command[0])
            .args(&bot.command[1..])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().unwrap();
        let text = format!("READY\nTURN 1 {START}\nTURN 2 {ONE}\n");
        let writer = thread::spawn(move || drop(std::io::Write::write_all(&mut stdin, text.as_bytes())));
        let output = child.wait_with_output().unwrap();
        writer.join().unwrap();
        assert!(output.stderr.is_empty(), "{}: {}", bot.name, String::from_utf8_lossy(&output.stderr));
    }
}
