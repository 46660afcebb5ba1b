//! Wall and CPU clocks against other clocks, and `--slowdown`.

use std::fs;
use std::time::{Duration, Instant};

use stonesmith::judge::{Entrant, Limits, Match, Reason, Reversi, Side, Start};

use crate::bots::{PATIENT, bot, clean, number, referee};

/// What the referee measured of a bot's answers and what the bot did.
struct Compared {
    /// How far the referee's times of moves are from the bot's own. READY is left out: a program starts before it can
    /// measure.
    wall: Vec<Duration>,
    /// The referee's CPU time and the bot's own at its last answer.
    cpu: [Duration; 2],
}

/// A game of a bot that sleeps and works so many milliseconds a move, and keeps its own account.
fn compare(millis: u32) -> Compared {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("clocks");
    let measured = bot(&format!("sleep-and-work {millis} --clocks '{}'", path.display()));
    let patient = Duration::from_secs(60);
    let referee = Match {
        protocol: Reversi::default(),
        entrants: [Entrant::parse(&measured.command).unwrap(), Entrant::Greedy],
        limits: Limits { total: patient, cpu: patient, ..Limits::default() },
        seed: 1,
    };
    let game = referee.play(&Start { number: 1, black: Side::First, opening: Vec::new() }).unwrap();
    assert_eq!(game.verdict.reason, Reason::Ok, "{:?}", game.verdict);
    let text = fs::read_to_string(path).unwrap();
    let own: Vec<[Duration; 2]> = text
        .lines()
        .map(|line| {
            let (wall, cpu) = line.split_once(' ').unwrap();
            [wall, cpu].map(|nanos| Duration::from_nanos(nanos.parse().unwrap()))
        })
        .collect();
    let played: Vec<Duration> =
        game.played.iter().filter(|played| played.side == Side::First).map(|played| played.took).collect();
    assert_eq!(own.len(), played.len());
    let sum: Duration = played.iter().sum::<Duration>() + game.ready[0].unwrap();
    assert_eq!(game.usage[0].wall, sum, "the game's answer time is the sum of its answers'");
    // What the bot sees lies within what the referee sees.
    let wall = played.iter().zip(&own).map(|(took, own)| took.checked_sub(own[0]).expect("the longer one"));
    Compared { wall: wall.collect(), cpu: [game.usage[0].cpu, own.last().unwrap()[1]] }
}

#[test]
fn clocks_agree_with_the_bots_own() {
    let mut errors = Vec::new();
    let mut cpu_errors = Vec::new();
    for millis in [0, 4] {
        let compared = compare(millis);
        let [judged, own] = compared.cpu;
        assert!(judged >= own, "the referee counts all of it: {judged:?} and {own:?}");
        cpu_errors.push(judged - own);
        errors.extend(compared.wall);
    }
    errors.sort();
    cpu_errors.sort();
    let (middle, worst) = (errors[errors.len() / 2], errors[errors.len() - 1]);
    eprintln!("wall: {middle:?} in the middle, {worst:?} at worst; CPU: {cpu_errors:?}");
    // A busy machine delays single answers after the bot has written them, and not every second one.
    assert!(middle < Duration::from_millis(2), "{errors:?}");
    // CPU time does not depend on who else works.
    assert!(cpu_errors.iter().all(|error| *error < Duration::from_millis(10)), "{cpu_errors:?}");
}

#[test]
fn clocks_agree_with_an_independent_measurement() {
    // The bot sleeps so long before READY's answer: wall without CPU, and no more wall than the whole run took.
    let begin = Instant::now();
    let game = clean("ready-sleep 120", &[]);
    let elapsed = begin.elapsed().as_secs_f64() * 1e3;
    assert!((120.0..elapsed).contains(&number(&game, "wall_ms", 0)), "{game}");
    assert!(number(&game, "cpu_ms", 0) < 100.0, "{game}");
    // The wait for the opponent is not charged: the clocks together show no more than the run took.
    let (quick, slow) = (bot("legal"), bot("slow 20"));
    let begin = Instant::now();
    let game = &referee(&quick.command, &slow.command, &PATIENT)[0];
    let elapsed = begin.elapsed().as_secs_f64() * 1e3;
    let (one, other) = (number(game, "wall_ms", 0), number(game, "wall_ms", 1));
    assert!(other >= 20.0 * 20.0, "{game}");
    assert!(one + other < elapsed, "{elapsed} {game}");
    // The bot works until its own CPU clock shows so much: one thread, then two.
    for mode in ["ready-burn 150", "ready-thread-burn 150"] {
        let game = clean(mode, &[]);
        assert!((149.0..300.0).contains(&number(&game, "cpu_ms", 0)), "{game}");
    }
}

#[test]
fn slowdown_stretches_the_wall_clock_and_not_the_work() {
    let game = clean("ready-burn 100", &["--slowdown", "4"]);
    let (wall, cpu) = (number(&game, "wall_ms", 0), number(&game, "cpu_ms", 0));
    assert!(cpu < 250.0, "{game}");
    // A quarter of the time would make it 400 ms.
    assert!(wall > 250.0, "{game}");
}
