//! Renju's protocol in every dialect, and under noise, to the bots in C and in Python.

use std::thread;

use stonesmith::bake::{self, Language, Limit, Options, Spelling, template};
use stonesmith::eval::renju::{knots, zero};
use stonesmith::game::renju::{Point, Renju};
use stonesmith::game::{Color, Move, Position};
use stonesmith::rng::{Domain, RngExt, Stream, stream};

use crate::programs::{Bot, bots, noise, run};
use crate::renju::{answer, renju_bots};

/// What a bot should answer.
#[derive(Clone)]
enum Answer {
    Ready,
    /// A legal move in this position.
    Legal(Box<Renju>),
    /// These very words.
    Words(&'static str),
}

use Answer::{Ready, Words};

const FIRST: Answer = Words("MOVE 8 8");

fn after(moves: &str) -> Renju {
    let mut position = Renju::start();
    for name in moves.split_whitespace() {
        let mv = if name == "pass" { Move::PASS } else { Renju::parse_move(name).unwrap() };
        position.play(mv).unwrap();
    }
    position
}

fn legal(moves: &str) -> Answer {
    Answer::Legal(Box::new(after(moves)))
}

/// Games in a row, each from its READY on, in one run of a bot.
#[derive(Default)]
struct Games {
    input: String,
    expected: Vec<(String, Answer)>,
}

impl Games {
    fn add(&mut self, name: &str, input: &str, expected: &[Answer]) {
        self.input += input;
        self.expected.extend(expected.iter().map(|answer| (format!("{name}: {input:?}"), answer.clone())));
    }

    fn check(&self) {
        thread::scope(|scope| {
            for bot in renju_bots() {
                scope.spawn(|| self.check_bot(bot));
            }
        });
    }

    fn check_bot(&self, bot: &Bot) {
        let output = run(&bot.command, &["an argument of no meaning", "--seed", "7"], self.input.as_bytes());
        let mut lines = output.lines();
        for (name, expected) in &self.expected {
            let name = format!("{name}, {}", bot.name);
            let line = lines.next().unwrap_or_else(|| panic!("{name}: no answer"));
            match expected {
                Ready => assert_eq!(line, "OK", "{name}"),
                Words(words) => assert_eq!(line, *words, "{name}"),
                Answer::Legal(position) => {
                    assert!(position.legal_moves().contains(&answer(line)), "{name}: {line}");
                }
            }
        }
        assert_eq!(lines.next(), None, "{}", bot.name);
        assert!(output.is_empty() || output.ends_with('\n'), "{}", bot.name);
    }
}

fn check(name: &str, input: &str, expected: &[Answer]) {
    let mut games = Games::default();
    games.add(name, input, expected);
    games.check();
}

/// h8, then White's i9 as the judge tells it: row 7, column 9.
const OPENING: &str = "READY FIRST\nTURN 400 400\nOPP 7 9 3\n";

#[test]
fn the_protocol_as_stated() {
    let told = legal("h8 i9");
    let mut games = Games::default();
    games.add("first", &format!("{OPENING}TURN 800 800\n"), &[Ready, FIRST, told.clone()]);
    games.add("second", "READY SECOND\nOPP 8 8 10\nTURN 400 400\n", &[Ready, legal("h8")]);
    games.add("a line without an end", &format!("{OPENING}TURN 800 800"), &[Ready, FIRST, told]);
    games.check();
    check("nothing", "", &[]);
    check("FINISH", "READY FIRST\nFINISH\nTURN 400 400\n", &[Ready]);
    check("no READY, asked first", "TURN 400 400\n", &[FIRST]);
    check("no READY, told first", "OPP 8 8 10\nTURN 400 400\n", &[legal("h8")]);
}

#[test]
fn the_protocol_with_noise() {
    let mut games = Games::default();
    let second = &[Ready, legal("h8")];
    for argument in ["", " SECOND", " WHITE", " second", " White", " 2", " NAME x y", " 둘째"] {
        games.add("READY's argument", &format!("READY{argument}\nOPP 8 8 10\nTURN 400 400\n"), second);
    }
    for argument in ["", " FIRST", " BLACK", " first", " 1", " 10000 10000"] {
        games.add("READY's argument", &format!("READY{argument}\nTURN 400 400\n"), &[Ready, FIRST]);
    }
    games.add("BOM, CR, blanks, case", "\u{feff}  ready second \r\n\r\n opp\t8  8 10 \r\nturn  900 900\r\n", second);
    games.add("a mark on every line", "\u{feff}READY\n\u{feff}OPP 8 8 1\n\u{feff}TURN 400 400\n", second);
    games.add("commas", "READY\nOPP 8,8,10\nTURN 900,900\n", second);
    games.add("unknown commands", "HELLO\nREADY\nINFO 3 4\nTIME 5\nOPP 8 8 10\nMOVE 1 1\nTURN 400 400\n", second);
    games.add("READY READY", "READY\nREADY\nREADY FIRST\n", &[Ready, Ready, Ready]);
    let again = "READY FIRST\nTURN 400 400\nREADY SECOND\nOPP 8 8 10\nTURN 400 400\nREADY\nTURN 400 400\n";
    games.add("READY again", again, &[Ready, FIRST, Ready, legal("h8"), Ready, FIRST]);
    games.add("START TURN", "READY\nSTART TURN\nOPP 7 9 1\nstart turn 500 500\n", &[Ready, FIRST, legal("h8 i9")]);
    games.add("FINISH with more", "READY\nfinish 1 2\nTURN 400 400\n", &[Ready]);
    games.check();
}

#[test]
fn the_protocol_in_other_layouts() {
    let mut games = Games::default();
    for times in ["", " 900", " 900 900", " 900 900 17", " 40 900", " 1 1", " 0 0", " -5 900", " x y", " 99999999 1"] {
        let expected = &[Ready, FIRST, legal("h8 i9")];
        games.add("TURN's times", &format!("READY FIRST\nTURN{times}\nOPP 7 9 3\nTURN{times}\n"), expected);
    }
    for time in ["", " 0", " 12", " 12 900 900", " x"] {
        games.add("OPP's time", &format!("READY\nOPP 8 8{time}\nTURN 500 500\n"), &[Ready, legal("h8")]);
    }
    games.check();
    // Times are small late in a game, and no layout is forgotten for that.
    let mut late = OPENING.to_string();
    let mut answers = vec![Ready, FIRST];
    for (time, (row, col)) in [(900, (1, 1)), (300, (1, 15)), (90, (15, 1)), (20, (15, 15)), (5, (1, 8)), (0, (8, 15))]
    {
        late += &format!("TURN {time} 900\nOPP {row} {col} 1\n");
        answers.push(Words(""));
    }
    for bot in renju_bots() {
        let output = run(&bot.command, &[], late.as_bytes());
        assert_eq!(output.lines().count(), answers.len(), "{}: {output}", bot.name);
        let mut at = after("h8 i9");
        for (line, corner) in output.lines().skip(2).zip(["a15", "o15", "a1", "o1", "h15", "o8"]) {
            at.play(answer(line)).unwrap_or_else(|error| panic!("{}: {line}: {error}", bot.name));
            if at.is_over() {
                break;
            }
            at.play(Renju::parse_move(corner).unwrap()).unwrap();
        }
    }
}

/// Passes of the opponent, forced or by choice, in every spelling; ours in the opponent's spelling.
#[test]
fn passes_are_understood_and_mirrored() {
    let stones = format!("READY SECOND\nINIT {} 3\n", after("h8 i9 g7").board_text());
    let passes = ["-1 -1 5", "PASS 5", "pass", "0 0 5", "-1 -1", "16 1 5", "PASS -1 -1", ""];
    let input: String = passes.map(|pass| format!("{stones}TURN 300 300\nOPP {pass}\nTURN 300 300\n")).concat();
    for bot in renju_bots() {
        let output = run(&bot.command, &[], input.as_bytes());
        let lines: Vec<&str> = output.lines().collect();
        assert_eq!(lines.len(), 3 * passes.len(), "{}: {output}", bot.name);
        for (pass, lines) in passes.iter().zip(lines.chunks(3)) {
            let mut position = after("h8 i9 g7");
            for mv in [answer(lines[1]), Move::PASS] {
                position.play(mv).unwrap_or_else(|error| panic!("{} {pass}: {error}", bot.name));
            }
            let last = if lines[2] == "PASS" { Move::PASS } else { answer(lines[2]) };
            position.play(last).unwrap_or_else(|error| panic!("{} {pass}: {lines:?}: {error}", bot.name));
        }
    }
    // A lost game is drawn by a pass after a pass, as it was spelled.
    let mut lost = stonesmith::game::renju::Board::empty();
    for name in ["e5", "f5", "g5", "h5", "e9", "f9", "g9", "c3"] {
        lost.place(Point::of_move(Renju::parse_move(name).unwrap()).unwrap(), Color::Black);
    }
    for name in ["a1", "c1", "e1", "g1", "i1", "k1", "m1", "o1"] {
        lost.place(Point::of_move(Renju::parse_move(name).unwrap()).unwrap(), Color::White);
    }
    let lost = format!("READY SECOND\nINIT {} 16\n", Renju::new(lost, Color::Black).board_text());
    let mut games = Games::default();
    for (told, own) in [("-1 -1 5", "MOVE -1 -1"), ("PASS 5", "PASS"), ("pass 5", "PASS"), ("0 0 5", "MOVE -1 -1")] {
        games.add(told, &format!("{lost}OPP {told}\nTURN 3000 3000\n"), &[Ready, Words(own)]);
    }
    games.check();
}

/// The bake-time switches: other words, columns first, counted from 0, a pass of its own.
#[test]
fn answers_in_another_spelling() {
    let word = |text: &str| text.parse().unwrap();
    let spelling = Spelling {
        ready: word("HELLO"),
        verb: word("PUT"),
        pass: Some(word("SKIP")),
        turn: word("Go"),
        index_base: 0,
        column_first: true,
    };
    // After i9: the stones tell whether axes or bases are mixed up, as White must answer near the centre.
    let input =
        format!("READY\nGO 500 500\nOPP 8 6 1\nGO 500 500\nREADY SECOND\n{}OPP -1 -1 1\nGO 3000 3000\n", lost());
    for language in [Language::C, Language::Python] {
        let folder = tempfile::tempdir().unwrap();
        let options =
            Options { spelling: spelling.clone(), ..Options::new(language, 0).limited(Limit::Bytes(299_000)) };
        let source = bake::bake(&zero(knots(1)), &options).unwrap();
        for bot in bots(&source, language, folder.path()) {
            let output = run(&bot.command, &[], input.as_bytes());
            let lines: Vec<&str> = output.lines().collect();
            assert_eq!(lines.len(), 5, "{}: {output}", bot.name);
            assert_eq!((lines[0], lines[1], lines[3], lines[4]), ("HELLO", "PUT 7 7", "HELLO", "SKIP"), "{}", bot.name);
            let numbers: Vec<i64> =
                lines[2].strip_prefix("PUT ").unwrap().split(' ').map(|n| n.parse().unwrap()).collect();
            let mv = Point::from_one_based(numbers[1] + 1, numbers[0] + 1).unwrap().to_move();
            assert!(after("h8 i9").legal_moves().contains(&mv), "{}: {output}", bot.name);
        }
    }
}

/// A position in which White has lost.
fn lost() -> String {
    let mut cells = vec!['.'; 225];
    for (row, cols) in [(10, vec![4, 5, 6, 7]), (6, vec![4, 5, 6])] {
        cols.into_iter().for_each(|col| cells[15 * row + col] = 'B');
    }
    (0..8).for_each(|col| cells[15 * 14 + 2 * col] = 'W');
    format!("INIT {} 16\n", cells.into_iter().collect::<String>())
}

/// What requests are made of.
const LETTERS: &[u8] = b"OPTURN READYINIT 0123456789-";

/// One item of a noisy stream: its lines and what they are answered with.
struct Item {
    lines: Vec<u8>,
    expected: Option<Answer>,
}

/// A request in some spelling.
fn spelled(rng: &mut Stream, text: &str) -> Vec<u8> {
    let text = match rng.random_range(0..4) {
        0 => text.to_lowercase(),
        1 => format!("\u{feff} {text} \r"),
        2 => text.replace(' ', " \t "),
        _ => text.to_string(),
    };
    format!("{text}\n").into_bytes()
}

/// Some requests and what they are answered with: a position set up and a TURN or two, mangled ones, noise.
fn items(rng: &mut Stream) -> Vec<Item> {
    match rng.random_range(0..8) {
        0..3 => {
            let mut position = Renju::start();
            for _ in 0..rng.random_range(3..40) {
                if position.is_over() {
                    break;
                }
                let moves = position.legal_moves();
                let mv = moves[rng.random_range(0..moves.len())];
                if mv.is_pass() {
                    break;
                }
                position.play(mv).unwrap();
            }
            let mut found = Vec::new();
            let told = position.legal_moves();
            let seat = if position.side_to_move() == Color::Black { "FIRST" } else { "SECOND" };
            found.push(Item { lines: spelled(rng, &format!("READY {seat}")), expected: Some(Ready) });
            if told.is_empty() {
                return found;
            }
            let init = format!("INIT {} {}", position.board_text(), position.ply());
            found.push(Item { lines: format!("{init}\n").into_bytes(), expected: None });
            let request = ["TURN 0 0", "TURN 0", "START TURN 0 5", "TURN 1 1 1"][rng.random_range(0..4)];
            found.push(Item { lines: spelled(rng, request), expected: Some(Answer::Legal(Box::new(position))) });
            found
        }
        3 => {
            let text = ["TURN 0 0", "OPP 8 8 10", "OPP -1 -1 3", "OPP PASS 2", "OPP 1 1", "INIT .BW 3"]
                [rng.random_range(0..6)];
            let mut lines = text.as_bytes().to_vec();
            for _ in 0..rng.random_range(1..5) {
                let at = rng.random_range(0..lines.len());
                lines[at] = rng.random_range(0..=255);
            }
            lines.retain(|&byte| byte != b'\n');
            // A mangled line may still be a request: it is answered once or not at all, and no game follows it.
            lines.push(b'\n');
            vec![Item { lines, expected: Some(Words("?")) }, Item { lines: b"READY\n".to_vec(), expected: Some(Ready) }]
        }
        _ => (0..rng.random_range(1..5)).map(|_| Item { lines: noise(rng, LETTERS), expected: None }).collect(),
    }
}

fn fuzz(bot: &Bot, least: usize, seed: u64) {
    let (mut fed, mut round) = (0, 0);
    while fed < least {
        let mut rng = stream(1000 * seed + round, Domain::Test, 61);
        let mut all = Vec::new();
        let mut lines = 0;
        while lines < least.min(50_000) {
            let more = items(&mut rng);
            lines += more.len();
            all.extend(more);
        }
        let input: Vec<u8> = all.iter().flat_map(|item| item.lines.iter().copied()).collect();
        let output = run(&bot.command, &[], &input);
        let mut answers = output.lines().peekable();
        for (number, item) in all.iter().enumerate() {
            let shown =
                || format!("{}, round {round}, item {number}: {:?}", bot.name, String::from_utf8_lossy(&item.lines));
            match &item.expected {
                None => {}
                Some(Ready) => assert_eq!(answers.next(), Some("OK"), "{}", shown()),
                Some(Answer::Legal(position)) => {
                    let line = answers.next().unwrap_or_default();
                    assert!(position.legal_moves().contains(&answer(line)), "{line}: {}", shown());
                }
                // Perhaps one answer; an OK is the next item's.
                Some(Words(_)) => {
                    if let Some(line) = answers.next_if(|line| *line != "OK") {
                        assert!(line == "PASS" || line.starts_with("MOVE "), "{line}: {}", shown());
                    }
                }
            }
        }
        assert_eq!(answers.next(), None, "{}: lines at the end", bot.name);
        fed += lines;
        round += 1;
    }
}

/// The templates as they stand: told that there is no time they move at once.
fn hasty_bots(folder: &std::path::Path) -> Vec<Bot> {
    let mut found = bots(template::RENJU_C, Language::C, folder);
    found.extend(bots(template::RENJU_PY, Language::Python, folder));
    found
}

#[test]
fn noise_is_survived() {
    let folder = tempfile::tempdir().unwrap();
    for bot in hasty_bots(folder.path()) {
        fuzz(&bot, if bot.name == "gcc" { 10_000 } else { 300 }, 1);
    }
}

/// A million lines to the bot in C, twenty thousand to each interpreter.
#[test]
#[ignore = "minutes: scripts/test.sh --full"]
fn a_million_lines_of_noise_are_survived() {
    let folder = tempfile::tempdir().unwrap();
    for bot in hasty_bots(folder.path()) {
        fuzz(&bot, if bot.name == "gcc" { 1_000_000 } else { 20_000 }, 2);
    }
}
