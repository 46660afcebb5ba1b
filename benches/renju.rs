//! Speed of Renju's inner loops: questions of legality, stones put and taken back, wins by fours. `cargo bench --bench
//! renju`.
//!
//! Each bench works on positions with answers from outside and asserts them first, so that nothing wrong is ever timed.

use std::fs;
use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use serde_json::Value;
use stonesmith::dataset::obf;
use stonesmith::eval::renju::lines::Lines;
use stonesmith::eval::renju::{Evaluator, SURE};
use stonesmith::eval::weights::Weights;
use stonesmith::game::Color;
use stonesmith::game::renju::forbidden::is_forbidden;
use stonesmith::game::renju::{Board, Point, Renju};
use stonesmith::search::renju::Engine;
use stonesmith::search::{Limits, Searcher};

const ORACLE: &str = include_str!("../tests/data/renju-forbidden-oracle.jsonl");
const WON: &str = include_str!("../tests/data/renju-fours.obf");

fn points(list: &Value) -> impl Iterator<Item = Point> {
    let one_based = |pair: &Value| Point::from_one_based(pair[0].as_i64()?, pair[1].as_i64()?);
    list.as_array().unwrap().iter().map(move |pair| one_based(pair).unwrap())
}

/// The oracle's positions that come from games, with their forbidden points.
fn boards() -> Vec<(Board, Vec<Point>)> {
    let entries = ORACLE.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    entries
        .filter(|entry| entry["src"].as_str().unwrap().starts_with("game"))
        .map(|entry| {
            let mut board = Board::empty();
            points(&entry["black"]).for_each(|point| board.place(point, Color::Black));
            points(&entry["white"]).for_each(|point| board.place(point, Color::White));
            (board, points(&entry["forbidden"]).collect())
        })
        .collect()
}

fn evaluator() -> Evaluator {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("weights/renju");
    let champion = fs::read_to_string(folder.join("champion")).unwrap();
    Evaluator::new(&Weights::read(&folder.join(champion.trim())).unwrap()).unwrap()
}

/// One question for every empty point of every position.
fn legality(criterion: &mut Criterion) {
    let boards = boards();
    for (board, forbidden) in &boards {
        let found: Vec<Point> = board.empty_points().filter(|&point| is_forbidden(board, point)).collect();
        assert_eq!(&found, forbidden);
    }
    let questions: usize = boards.iter().map(|(board, _)| board.empty_points().count()).sum();
    let mut group = criterion.benchmark_group("legality");
    group.throughput(Throughput::Elements(questions as u64));
    group.bench_function("every empty point", |bench| {
        let count = |board: &Board| board.empty_points().filter(|&point| is_forbidden(board, point)).count();
        bench.iter(|| boards.iter().map(|(board, _)| count(black_box(board))).sum::<usize>())
    });
    group.finish();
}

/// A stone of either side put on every empty point and taken back, sums of the evaluation included.
fn stones(criterion: &mut Criterion) {
    let evaluator = evaluator();
    let boards: Vec<Board> = boards().into_iter().step_by(20).map(|(board, _)| board).collect();
    let weights = evaluator.codes(20);
    let mut lines: Vec<Lines> = boards.iter().map(|board| Lines::from_scratch(board, &weights)).collect();
    let mut each = |sum_of: &mut dyn FnMut(&Lines, Point, Color)| {
        for (board, lines) in boards.iter().zip(&mut lines) {
            for point in board.empty_points() {
                for (color, stone) in [Color::Black, Color::White].into_iter().enumerate() {
                    lines.place(point.index(), color, &weights);
                    sum_of(lines, point, stone);
                    lines.take_back(point.index(), color);
                }
            }
        }
    };
    let mut moves = 0;
    each(&mut |lines, _, _| {
        moves += 1;
        let fresh = Lines::from_scratch(lines.board(), &weights);
        assert_eq!([0, 1].map(|side| lines.sum(side)), [0, 1].map(|side| fresh.sum(side)));
    });
    let mut group = criterion.benchmark_group("lines");
    group.throughput(Throughput::Elements(moves));
    group.bench_function("put and taken back", |bench| {
        bench.iter(|| {
            let mut sum = 0;
            each(&mut |lines, _, color| sum ^= lines.sum(color as usize));
            sum
        })
    });
    group.finish();
}

/// All wins by fours that `tests/renju_search.rs` proves.
fn fours(criterion: &mut Criterion) {
    let positions = obf::parse::<Renju>(WON, Path::new("renju-fours.obf")).unwrap();
    let mut engine = Engine::new(evaluator(), 16);
    let mut won = || {
        let mut win = |position: &Renju| {
            engine.forget();
            engine.search(position, &Limits::depth(1)).score >= SURE
        };
        positions.iter().filter(|scored| win(&scored.position)).count()
    };
    assert_eq!(won(), positions.len());
    let mut group = criterion.benchmark_group("wins by fours");
    group.sample_size(10).throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("from the root", |bench| bench.iter(&mut won));
    group.finish();
}

criterion_group!(renju, legality, stones, fours);
criterion_main!(renju);
