//! Judged games of the Renju bots that end in unusual ways: nothing but forbidden points left, a full board, opponents
//! who move first or pass by choice.

use std::path::Path;
use std::time::Duration;

use stonesmith::bake::Language;
use stonesmith::game::renju::{Board, POINTS, Point, Renju};
use stonesmith::game::{Color, Move, Position};
use stonesmith::judge::{Entrant, Game, Limits, Match, RenjuJudge, Side, Start, Winner};
use stonesmith::rng::{Domain, RngExt, stream};

use crate::programs::{Bot, bots, stonesmith};
use crate::renju::{only_forbidden_left, renju_bots};

fn entrant(bot: &Bot) -> Entrant {
    let command: Vec<String> = bot.command.iter().map(|part| part.display().to_string()).collect();
    Entrant::parse(&command.join(" ")).unwrap()
}

/// A judged game without a fault; the bot is first, and plays Black or White. The opening is told by INIT.
fn play(bot: &Bot, opponent: &str, dialect: &str, color: Color, opening: Vec<Move>) -> Game {
    let limits = Limits { total: Duration::from_millis(2500), cpu: Duration::from_secs(20), ..Limits::default() };
    let referee = Match {
        protocol: RenjuJudge { dialect: dialect.parse().unwrap() },
        entrants: [entrant(bot), Entrant::parse(opponent).unwrap()],
        limits,
        seed: 5,
    };
    let black = if color == Color::Black { Side::First } else { Side::Second };
    let game = referee.play(&Start { number: 1, black, opening }).unwrap();
    assert_eq!(game.verdict.faulty, None, "{}, {opponent}, {dialect}: {:?}", bot.name, game.verdict);
    game
}

/// The bots of the champion, who know what a free move is worth.
fn champion_bots(folder: &Path) -> Vec<Bot> {
    let mut found = Vec::new();
    for language in [Language::C, Language::Python] {
        let out = folder.join("baked");
        let (lang, path) = (language.file_name().rsplit('.').next().unwrap(), out.to_str().unwrap());
        let (code, _, errors) = stonesmith(&["-q", "bake", "-g", "renju", "champion", "--lang", lang, "--out", path]);
        assert_eq!(code, Some(0), "{errors}");
        found.extend(bots(&std::fs::read_to_string(&out).unwrap(), language, folder));
    }
    found
}

/// A legal game from the start in which the stones of `board` are placed, all but those on `open` points; passes where a
/// side has nothing it may place now.
fn game_to(board: &Board, open: &[Point], seed: u64) -> Vec<Move> {
    let mut rng = stream(seed, Domain::Test, 63);
    let mut left: Vec<Point> = Point::all().filter(|point| !open.contains(point)).collect();
    for at in (1..left.len()).rev() {
        left.swap(at, rng.random_range(0..=at));
    }
    let (mut position, mut moves) = (Renju::start(), Vec::new());
    while !left.is_empty() {
        let color = position.side_to_move();
        let may_be_placed = |point: &Point| {
            let mut after = position.clone();
            board.color_at(*point) == Some(color) && after.play(point.to_move()).is_ok() && !after.is_over()
        };
        // Who has fewer stones left passes, so that stones of both are placed up to the end, White's last.
        let stones_left = |color| left.iter().filter(|&&point| board.color_at(point) == Some(color)).count();
        let white = usize::from(color == Color::White);
        let waits = moves.len() >= 3 && stones_left(color) < stones_left(color.opponent()) + white;
        let mv = match left.iter().position(may_be_placed).filter(|_| !waits) {
            Some(at) => left.swap_remove(at).to_move(),
            None => Move::PASS,
        };
        position.play(mv).unwrap_or_else(|error| panic!("{} points are left: {error}", left.len()));
        assert!(!position.is_over(), "{} points are left", left.len());
        moves.push(mv);
    }
    moves
}

/// The game to the board whose only open point is forbidden to Black, with Black to move.
fn with_a_forbidden_point_left() -> Vec<Move> {
    let board = only_forbidden_left();
    let open: Vec<Point> = Point::all().filter(|&point| board.color_at(point).is_none()).collect();
    // Not after a pass: Black's would be the second in a row.
    let ends_with_white = |moves: &Vec<Move>| moves.len().is_multiple_of(2) && moves.last() != Some(&Move::PASS);
    (0..100).map(|seed| game_to(&board, &open, seed)).find(ends_with_white).expect("some order of moves does")
}

/// Black has to pass, and the game goes on: White fills the board or passes too. A draw either way.
#[test]
fn black_passes_and_the_game_goes_on() {
    for bot in renju_bots() {
        for color in [Color::Black, Color::White] {
            for dialect in ["standard", "pass-word,own-time", "bare,no-times"] {
                let game = play(bot, "random", dialect, color, with_a_forbidden_point_left());
                let passes: Vec<bool> = game.played.iter().map(|played| played.mv.is_pass()).collect();
                assert!(passes[0] && passes.len() == 2, "{} as {color:?}: {passes:?}", bot.name);
                assert_eq!(game.verdict.result, Winner::Draw, "{}: {:?}", bot.name, game.verdict);
                let stones = game.stones.iter().sum::<u32>() as usize;
                assert_eq!(stones, if passes[1] { POINTS - 1 } else { POINTS });
            }
        }
    }
}

/// From few open points on, to the end of the game, as Black and as White, on move or told of a move first.
#[test]
fn nearly_full_boards_are_played_to_the_end() {
    let board = only_forbidden_left();
    let mut filled = 0;
    for (number, bot) in renju_bots().iter().enumerate() {
        for (seed, color) in [(0, Color::Black), (1, Color::White), (2, Color::Black), (3, Color::White)] {
            let open: Vec<Point> = Point::all()
                .filter(|&point| {
                    board.color_at(point).is_none() || (point.row() * 7 + point.col() * 3 + seed) % 31 == 4
                })
                .collect();
            let opponent = ["greedy", "random"][(number + seed) % 2];
            let game = play(bot, opponent, "standard", color, game_to(&board, &open, 1));
            assert!(!game.played.is_empty());
            filled += usize::from(game.stones.iter().sum::<u32>() as usize == POINTS);
        }
    }
    assert!(filled > 0, "some game fills the board");
}

/// A program that makes the moves it must, in places that are always free, and then passes whenever it is asked.
fn passer(folder: &Path) -> String {
    let script = folder.join("passer.sh");
    let text = "seat=SECOND\nasked=0\nwhile read -r verb rest; do\n  case \"$verb\" in\n  READY) seat=${rest:-SECOND}; asked=0; echo OK ;;\n  \
                TURN)\n    asked=$((asked + 1))\n    case \"$seat$asked\" in\n    FIRST1) echo MOVE 8 8 ;;\n    FIRST2) echo MOVE 6 6 ;;\n    \
                SECOND1) echo MOVE 7 7 ;;\n    *) echo MOVE -1 -1 ;;\n    esac ;;\n  FINISH) exit 0 ;;\n  esac\ndone\n";
    std::fs::write(&script, text).unwrap();
    format!("sh {}", script.display())
}

/// Whoever passes by choice gives the bot every move: it wins, and never passes back into a draw.
#[test]
fn opponents_that_pass_by_choice_are_beaten() {
    let folder = tempfile::tempdir().unwrap();
    for bot in &champion_bots(folder.path()) {
        for (color, dialect) in [(Color::Black, "standard"), (Color::White, "pass-word")] {
            let game = play(bot, &passer(folder.path()), dialect, color, Vec::new());
            assert_eq!(game.verdict.result, Winner::First, "{} as {color:?}: {:?}", bot.name, game.verdict);
            let passed =
                |side: Side| game.played.iter().filter(|played| played.side == side && played.mv.is_pass()).count();
            assert!(passed(Side::First) == 0 && passed(Side::Second) >= 2, "{}", bot.name);
        }
    }
}
