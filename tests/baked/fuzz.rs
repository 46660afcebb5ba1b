//! The bots' parser under noise: never a crash, never a line too many, never a wrong answer to a whole request.
//!
//! A stream is made of items whose answers are known: READY and whole requests (one line each), noise (none), and
//! mangled requests (none or one, whatever can be made of them), each followed by READY so that the count shows at
//! which item it went wrong. The bots' clock is set to nothing: they move at once.

use stonesmith::game::othello::Othello;
use stonesmith::game::{Move, Position};
use stonesmith::rng::{Domain, RngExt, Stream, stream};

use crate::programs::{Bot, bots_with_plan, noise, run};

/// What requests are made of.
const LETTERS: &[u8] = b"BW.XO-0123456789 TURNADYI";

/// What an item is answered with.
enum Expected {
    Ready,
    /// A legal action in this position.
    Action(Othello<8>),
    /// Perhaps one line of any kind of answer.
    Anything,
}

struct Item {
    lines: Vec<u8>,
    expected: Option<Expected>,
}

/// A position of a random game, over or not, and its turn number.
fn position(rng: &mut Stream) -> (Othello<8>, usize) {
    let mut position = Othello::<8>::start();
    let mut turn = 1;
    for _ in 0..rng.random_range(0..62) {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        position.play(moves[rng.random_range(0..moves.len())]).unwrap();
        turn += 1;
    }
    (position, turn)
}

fn blanks(rng: &mut Stream) -> String {
    (0..rng.random_range(1..4)).map(|_| [' ', '\t', '\r', ','][rng.random_range(0..4)]).collect()
}

/// A whole request in some shape, with its line end.
fn request(rng: &mut Stream, position: &Othello<8>, turn: usize) -> String {
    let letters =
        [['B', 'W', '.'], ['X', 'O', '-'], ['1', '2', '0'], ['b', 'w', '_'], ['*', 'o', '.']][rng.random_range(0..5)];
    let letter = |cell| {
        letters[match cell {
            'B' => 0,
            'W' => 1,
            _ => 2,
        }]
    };
    let board: String = position.board_text().chars().map(letter).collect();
    let rows: Vec<&str> = (0..8).map(|row| &board[8 * row..8 * row + 8]).collect();
    let board = match rng.random_range(0..4) {
        0 => rows.join(" "),
        1 => format!("\n{}", rows.join("\r\n")),
        _ => board.clone(),
    };
    let verb = ["TURN", "turn", "Turn", "START TURN", "\u{feff}TURN"][rng.random_range(0..5)];
    format!("{verb}{}{turn} {board}{}\n", blanks(rng), ["", " ", "\r", "\t "][rng.random_range(0..4)])
}

fn item(rng: &mut Stream, number: u64) -> Vec<Item> {
    let ready = |text: &str| Item { lines: format!("{text}\n").into_bytes(), expected: Some(Expected::Ready) };
    let (position, turn) = position(rng);
    match rng.random_range(0..10) {
        0 => vec![ready(
            ["READY", "ready FIRST", "\u{feff}READY", " READY  SECOND x\r", "READY 5 5"][number as usize % 5],
        )],
        1 | 2 => {
            // A number alone says who moves; after READY the layout is found anew.
            let lines = request(rng, &position, turn).into_bytes();
            vec![ready("READY"), Item { lines, expected: Some(Expected::Action(position)) }]
        }
        3 | 4 => {
            let mut lines = request(rng, &position, turn).into_bytes();
            for _ in 0..rng.random_range(1..6) {
                if lines.is_empty() {
                    break;
                }
                let at = rng.random_range(0..lines.len());
                match rng.random_range(0..4) {
                    0 => lines[at] = rng.random_range(0..=255),
                    1 => drop(lines.remove(at)),
                    2 => lines.insert(at, rng.random_range(0..=255)),
                    _ => lines.truncate(at.max(1)),
                }
            }
            lines.push(b'\n');
            vec![Item { lines, expected: Some(Expected::Anything) }, ready("READY")]
        }
        _ => (0..rng.random_range(1..5)).map(|_| Item { lines: noise(rng, LETTERS), expected: None }).collect(),
    }
}

fn is_action(line: &str, position: &Othello<8>) -> bool {
    let moves = position.legal_moves();
    if line == "PASS" {
        return moves.is_empty() || moves == [Move::PASS];
    }
    let Some(numbers) = line.strip_prefix("MOVE ") else { return false };
    let numbers: Vec<u8> = numbers.split(' ').filter_map(|word| word.parse().ok()).collect();
    numbers.len() == 2 && moves.contains(&Move(8 * (numbers[0] - 1) + numbers[1] - 1))
}

fn is_answer(line: &str) -> bool {
    let coordinate = |word: &str| word.len() == 1 && ('1'..='8').contains(&word.chars().next().unwrap());
    let moved = |line: &str| {
        line.strip_prefix("MOVE ")
            .is_some_and(|rest| rest.split(' ').filter(|w| coordinate(w)).count() == 2 && rest.len() == 3)
    };
    line == "OK" || line == "PASS" || moved(line)
}

/// Feeds at least `least` lines in some runs of the program.
fn fuzz(bot: &Bot, least: usize, seed: u64) {
    let mut fed = 0;
    let mut round = 0;
    while fed < least {
        let mut rng = stream(1000 * seed + round, Domain::Test, 60);
        let mut items = vec![Item { lines: b"READY\n".to_vec(), expected: Some(Expected::Ready) }];
        let mut lines = 0;
        while lines < least.min(50_000) {
            let more = item(&mut rng, lines as u64);
            lines += more.iter().map(|item| item.lines.iter().filter(|&&byte| byte == b'\n').count()).sum::<usize>();
            items.extend(more);
        }
        let input: Vec<u8> = items.iter().flat_map(|item| item.lines.iter().copied()).collect();
        let output = run(&bot.command, &[], &input);
        let mut answers = output.lines().peekable();
        for (number, item) in items.iter().enumerate() {
            let shown = || {
                format!(
                    "{}, seed {seed}, round {round}, item {number}: {:?}",
                    bot.name,
                    String::from_utf8_lossy(&item.lines)
                )
            };
            match &item.expected {
                None => {}
                Some(Expected::Ready) => assert_eq!(answers.next(), Some("OK"), "{}", shown()),
                Some(Expected::Action(position)) => {
                    let line = answers.next().unwrap_or_default();
                    assert!(is_action(line, position), "{line}: {}", shown());
                }
                Some(Expected::Anything) => {
                    // Several requests may have come of one: all are answered before the OK behind them. What was cut
                    // into READY by chance is an OK of its own, but the last one is the next item's.
                    let mut count = 0;
                    while answers.peek().is_some_and(|line| *line != "OK") {
                        assert!(is_answer(answers.next().unwrap()), "{}", shown());
                        count += 1;
                    }
                    assert!(count <= 1, "{count} answers: {}", shown());
                }
            }
        }
        assert_eq!(answers.next(), None, "{}: lines at the end", bot.name);
        fed += lines;
        round += 1;
    }
}

#[test]
fn noise_is_survived() {
    let folder = tempfile::tempdir().unwrap();
    for bot in bots_with_plan(folder.path(), "0.0") {
        fuzz(&bot, if bot.name == "gcc" { 30_000 } else { 4_000 }, 1);
    }
}

/// A million lines to the bot in C, a hundred thousand to each interpreter.
#[test]
#[ignore = "minutes: scripts/test.sh --full"]
fn a_million_lines_of_noise_are_survived() {
    let folder = tempfile::tempdir().unwrap();
    for bot in bots_with_plan(folder.path(), "0.0") {
        fuzz(&bot, if bot.name == "gcc" { 1_000_000 } else { 100_000 }, 2);
    }
}
