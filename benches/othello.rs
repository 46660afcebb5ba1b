//! Speed of Othello's inner loops: moves, flips, evaluation, solving. `cargo bench --bench othello`.
//!
//! Each bench works on positions of random games drawn from a fixed seed and asserts its answer first, against the
//! plain form or a known value, so that nothing wrong is ever timed.

use std::fs;
use std::hint::black_box;
use std::path::Path;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use stonesmith::eval::evaluator::Evaluator;
use stonesmith::eval::othello::Indices;
use stonesmith::eval::weights::Weights;
use stonesmith::game::othello::{Board, Othello, board, flips, moves};
use stonesmith::game::perft::{PassCounting, perft};
use stonesmith::game::{Color, Position};
use stonesmith::rng::{Domain, RngExt, stream};
use stonesmith::search::othello::Engine;

/// Boards of random games, every phase.
fn boards() -> Vec<Board> {
    let mut boards = Vec::new();
    for game in 0..40 {
        let mut rng = stream(game, Domain::Test, 40);
        let mut position = Othello::<8>::start();
        while !position.is_over() {
            boards.push(position.board());
            let moves = position.legal_moves();
            position.play(moves[rng.random_range(0..moves.len())]).unwrap();
        }
    }
    boards
}

fn evaluator() -> Evaluator<8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("weights/othello");
    let champion = fs::read_to_string(folder.join("champion")).unwrap();
    Evaluator::new(&Weights::from_bytes(&fs::read(folder.join(champion.trim())).unwrap()).unwrap()).unwrap()
}

fn board_work(criterion: &mut Criterion) {
    let boards = boards();
    let mut group = criterion.benchmark_group("board");
    for board in &boards {
        let (player, opponent) = (board.player, board.opponent);
        assert_eq!(moves::mobility(player, opponent), moves::portable(player, opponent));
        for square in board::bits(!(player | opponent)) {
            assert_eq!(flips::flips(player, opponent, square), flips::portable(player, opponent, square));
        }
    }
    group.throughput(Throughput::Elements(boards.len() as u64));
    group.bench_function("moves", |bench| {
        bench.iter(|| boards.iter().fold(0, |sum, b| sum ^ moves::mobility(black_box(b.player), b.opponent)))
    });
    let squares: Vec<(Board, usize)> =
        boards.iter().flat_map(|&b| board::bits(moves::mobility(b.player, b.opponent)).map(move |s| (b, s))).collect();
    group.throughput(Throughput::Elements(squares.len() as u64));
    group.bench_function("flips", |bench| {
        bench.iter(|| squares.iter().fold(0, |sum, (b, s)| sum ^ flips::flips(black_box(b.player), b.opponent, *s)))
    });
    // The published count of games of eight plies.
    assert_eq!(perft(&Othello::<8>::start(), 8, PassCounting::PassIsPly), 390_216);
    group.throughput(Throughput::Elements(390_216));
    group.bench_function("perft 8", |bench| {
        bench.iter(|| perft(black_box(&Othello::<8>::start()), 8, PassCounting::PassIsPly))
    });
    group.finish();
}

fn evaluation(criterion: &mut Criterion) {
    let (evaluator, boards) = (evaluator(), boards());
    let set = evaluator.set();
    let nodes: Vec<(Board, Indices, usize, u64)> = boards
        .iter()
        .filter_map(|&b| {
            let square = board::bits(moves::mobility(b.player, b.opponent)).next()?;
            Some((b, Indices::new(set, b), square, flips::flips(b.player, b.opponent, square)))
        })
        .collect();
    for (board, indices, square, flipped) in &nodes {
        let child = Board { player: board.opponent ^ flipped, opponent: board.player ^ flipped ^ (1 << square) };
        let after = indices.after(set, *square, *flipped, true);
        assert_eq!(evaluator.evaluate(child, &after.seen(false)), evaluator.value(child));
    }
    let mut group = criterion.benchmark_group("evaluation");
    group.throughput(Throughput::Elements(nodes.len() as u64));
    group.bench_function("update", |bench| {
        bench.iter(|| {
            for (_, indices, square, flipped) in &nodes {
                black_box(indices.after(set, *square, *flipped, true));
            }
        })
    });
    group.bench_function("read", |bench| {
        bench.iter(|| nodes.iter().map(|(b, indices, ..)| evaluator.evaluate(*b, &indices.seen(true))).sum::<i32>())
    });
    group.finish();
}

fn solving(criterion: &mut Criterion) {
    // Number 40 of the published FFO endgames: +38 by a2.
    let text = "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X--------";
    let position = Othello::<8>::from_board_text(text, Color::Black).unwrap();
    let mut engine = Engine::new(evaluator(), 21);
    let result = engine.solve(&position);
    assert_eq!((result.score, result.exact), (38 * 16, true));
    let mut group = criterion.benchmark_group("solve");
    group.sample_size(10).measurement_time(Duration::from_secs(20)).throughput(Throughput::Elements(result.nodes));
    group.bench_function("FFO 40", |bench| {
        bench.iter(|| {
            stonesmith::search::Searcher::forget(&mut engine);
            engine.solve(black_box(&position)).score
        })
    });
    group.finish();
}

criterion_group!(othello, board_work, evaluation, solving);
criterion_main!(othello);
