//! The fit against answers known from elsewhere: planted weights, a direct solve, hand-counted labels.

use std::convert::Infallible;
use std::iter;
use std::time::Duration;

use rayon::ThreadPoolBuilder;
use stonesmith::dataset::{End, GameRecord, Ply};
use stonesmith::eval::evaluator::stored_tables;
use stonesmith::eval::othello::{OthelloFeatures, PatternSet, sets};
use stonesmith::eval::pattern::Pattern;
use stonesmith::eval::weights::Weights;
use stonesmith::eval::{FeatureModel, Layout, Part, Table, mixture};
use stonesmith::fit::checkpoint::Checkpoint;
use stonesmith::fit::quantise::{quantise, unknowns_of};
use stonesmith::fit::samples::{Group, NO_COLUMN, SampleOptions, Samples, game_hash, is_validation};
use stonesmith::fit::solver::{FEWEST, Problem, SCARCE, SHARED, SolverOptions};
use stonesmith::fit::{FitError, FitOptions, fit, fit_samples};
use stonesmith::game::othello::Othello;
use stonesmith::game::{Color, GameId, Outcome, Position};
use stonesmith::rng::{Domain, RngExt, stream};

#[path = "fit/games.rs"]
mod games;
use games::random_game;

fn random_games<const N: usize>(count: u64) -> Vec<GameRecord> {
    (0..count).map(random_game::<N>).collect()
}

fn read(games: &[GameRecord]) -> impl Iterator<Item = Result<GameRecord, Infallible>> + '_ {
    games.iter().cloned().map(Ok)
}

/// A few short shapes: far more positions than weights.
fn small_features<const N: usize>() -> OthelloFeatures<N> {
    let edge = (8 - N) / 2;
    let at = |row: usize, col: usize| ((row + edge) * 8 + col + edge) as u8;
    let shapes = [
        ("corner", vec![at(0, 0), at(0, 1), at(1, 0), at(1, 1)]),
        ("edge", (0..N.min(5)).map(|col| at(0, col)).collect()),
        ("middle", vec![at(1, 1), at(1, 2), at(2, 1)]),
    ];
    let patterns = shapes.iter().map(|(name, cells)| Pattern::new(name, cells, 8)).collect();
    OthelloFeatures::new(PatternSet::new::<N>(patterns).unwrap())
}

fn template<const N: usize>(features: &OthelloFeatures<N>, knots: &[u8]) -> Weights {
    Weights {
        game: <Othello<N> as Position>::GAME,
        scale: 128,
        parent: [0; 32],
        knots: knots.to_vec(),
        tables: stored_tables(features.layout(), &features.set().patterns),
        constants: vec![0; features.layout().plies],
        values: vec![0; features.layout().row_len() * knots.len()],
        probcut: Vec::new(),
    }
}

/// The prediction of the definition, in outcome units: no compact columns, no blending.
fn predict<const N: usize>(features: &OthelloFeatures<N>, weights: &Weights, position: &Othello<N>) -> f64 {
    let mut indices = vec![0; features.layout().instances.len()];
    features.indices(position, &mut indices);
    let offsets = features.layout().offsets();
    let (below, above, share) = mixture(&weights.knots, position.ply());
    let share = f64::from(share) / 256.0;
    let mut sum = f64::from(weights.constants[position.ply()]);
    for (&table, &index) in features.layout().instances.iter().zip(&indices) {
        let at = offsets[table as usize] + index as usize;
        sum += (1.0 - share) * f64::from(weights.row(below)[at]) + share * f64::from(weights.row(above)[at]);
    }
    sum / f64::from(weights.scale)
}

#[test]
fn planted_weights_are_found_again() {
    let features = small_features::<6>();
    let mut planted = template(&features, &[4, 14, 24]);
    let mut rng = stream(5, Domain::Test, 0);
    planted.values.iter_mut().for_each(|value| *value = rng.random_range(-100..=100));
    planted.constants.iter_mut().for_each(|value| *value = rng.random_range(-100..=100));
    // Every position of the games carries its planted value as an exact score, in sixteenths of a disc.
    let games: Vec<GameRecord> = (0..1500)
        .map(|index| {
            let mut record = random_game::<6>(index);
            let mut position = Othello::<6>::start();
            for ply in &mut record.plies {
                ply.score = Some((predict(&features, &planted, &position) * 16.0).round() as i16);
                ply.exact = true;
                position.play(ply.mv).unwrap();
            }
            record
        })
        .collect();
    let mut options = FitOptions::new(36.0);
    options.samples.validation = 0.1;
    options.solver = SolverOptions { lambda: 1e-3, passes: 300, tolerance: 0.0, sharing: false };
    let found = fit(read(&games), &features, &template(&features, &planted.knots), None, &options, |_| ()).unwrap();
    // A sixteenth rounds by 1/32 at most, 0.018 on average; weights of fewer than 3 occurrences stay 0.
    let mae = found.report.validation_mae.unwrap();
    assert!(mae < 0.06, "held-out positions are off by {mae} discs");
    let rmse = found.report.validation_rmse.unwrap();
    assert!(rmse < 0.3, "{rmse}");
    // The same through the definition, on a game the fit never saw.
    let mut position = Othello::<6>::start();
    for ply in random_game::<6>(99_999).plies {
        let (a, b) = (predict(&features, &planted, &position), predict(&features, &found.weights, &position));
        assert!((a - b).abs() < 1.0 || !(4..=24).contains(&position.ply()), "{a} {b} at {}", position.ply());
        position.play(ply.mv).unwrap();
    }
}

#[test]
fn the_same_bits_for_any_number_of_threads() {
    let features = OthelloFeatures::<6>::new(stonesmith::eval::othello::standard_set::<6>());
    let games = random_games::<6>(600);
    let mut options = FitOptions::new(36.0);
    options.solver.passes = 8;
    let template = template(&features, &[4, 14, 24]);
    let run = |threads: usize| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| fit(read(&games), &features, &template, None, &options, |_| ()).unwrap())
    };
    let one = run(1);
    assert!(one.unknowns.iter().any(|&x| x != 0.0));
    for threads in [2, 3] {
        let other = run(threads);
        assert!(one.unknowns.iter().zip(&other.unknowns).all(|(a, b)| a.to_bits() == b.to_bits()), "{threads}");
        assert_eq!(one.weights.to_bytes(), other.weights.to_bytes());
        assert_eq!(one.report.validation_mae, other.report.validation_mae);
    }
}

#[test]
fn a_killed_fit_goes_on_to_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("fit.checkpoint");
    let (samples, knots) = (made_up(400), [3, 8]);
    let options = SolverOptions { lambda: 2.0, passes: 9, tolerance: 0.0, sharing: true };
    let start = vec![0.0; Problem::new(&samples, &knots, &options).unknowns()];
    let checkpoint = || Checkpoint::new(&path, &samples, &start, &knots, &options).every(Duration::ZERO);
    assert_eq!(checkpoint().load(), None, "there is none yet");
    let mut whole = start.clone();
    Problem::new(&samples, &knots, &options).solve(&mut whole, &options, |_, _| true);

    let mut problem = Problem::new(&samples, &knots, &options);
    let mut state = problem.begin(start.clone());
    let mut kept = checkpoint();
    problem.go_on(&mut state, &options, |pass, state| {
        kept.save(state).unwrap();
        pass.pass < 4
    });
    let mut resumed = checkpoint().load().unwrap();
    assert_eq!(resumed.pass, 4);
    let last = Problem::new(&samples, &knots, &options).go_on(&mut resumed, &options, |_, _| true);
    assert_eq!(last.pass, 9);
    assert!(whole.iter().zip(&resumed.x).all(|(a, b)| a.to_bits() == b.to_bits()));

    // Neither another fit's file nor a damaged one is taken.
    let other = SolverOptions { lambda: 3.0, ..options };
    assert_eq!(Checkpoint::new(&path, &samples, &start, &knots, &other).load(), None);
    assert_eq!(Checkpoint::new(&path, &made_up(401), &start, &knots, &options).load(), None);
    let bytes = std::fs::read(&path).unwrap();
    for at in [0, 40, bytes.len() / 2, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        std::fs::write(&path, &damaged).unwrap();
        assert_eq!(checkpoint().load(), None, "byte {at}");
        std::fs::write(&path, &bytes[..at]).unwrap();
        assert_eq!(checkpoint().load(), None, "cut at {at}");
    }
}

/// Samples of two tables made up by hand: one of 3 weights read by two instances, one of 2 read by one.
fn made_up(rows: usize) -> Samples {
    let mut rng = stream(3, Domain::Test, rows as u64);
    let table = |name: &str, size| Table { name: name.into(), size };
    let layout = Layout {
        game: GameId::Othello4,
        tables: vec![table("a", 3), table("b", 2)],
        instances: vec![0, 0, 1],
        plies: 13,
    };
    let training = [2, 5, 6, 9]
        .into_iter()
        .map(|ply| {
            let mut group = Group { ply, ..Group::default() };
            for _ in 0..rows {
                let row = [rng.random_range(0..3), rng.random_range(0..3), rng.random_range(0..2), 0, 0, 0, 0, 0];
                group.indices.extend(row);
                group.targets.push(rng.random_range(-20.0..20.0));
                group.weights.push(rng.random_range(1..4) as f32);
            }
            group
        })
        .collect();
    let none = NO_COLUMN;
    Samples {
        layout,
        stride: 8,
        bases: vec![0, 0, 4, 7, 8, 9, 10, 11],
        columns: vec![0, 1, 2, none, 3, 4, none, none, none, none, none, none],
        parts: Vec::new(),
        training,
        validation: Vec::new(),
        games: 1,
        validation_games: 0,
    }
}

/// Solves `matrix`·x = `right` by Gaussian elimination with pivoting.
fn eliminate(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for step in 0..size {
        let pivot = (step..size).max_by(|&a, &b| matrix[a][step].abs().total_cmp(&matrix[b][step].abs())).unwrap();
        matrix.swap(step, pivot);
        right.swap(step, pivot);
        for row in step + 1..size {
            let factor = matrix[row][step] / matrix[step][step];
            let (above, below) = matrix.split_at_mut(row);
            below[0].iter_mut().zip(&above[step]).for_each(|(entry, pivot)| *entry -= factor * pivot);
            right[row] -= factor * right[step];
        }
    }
    for step in (0..size).rev() {
        let known: f64 = (step + 1..size).map(|column| matrix[step][column] * right[column]).sum();
        right[step] = (right[step] - known) / matrix[step][step];
    }
    right
}

/// Solves the made-up samples densely and holds the solver's weights, constants and loss against that.
///
/// Dense unknowns: 2 knots × 5 weights, 4 constants; where weights share, 2 knots × 2 parts, 5 weights and 2 parts
/// that both knots have in common. The part stands twice in table `a`, so that one weight may read it twice.
fn check_normal_equations(sharing: bool) {
    let maps = [[0u16, 1, 1], [1, 0, 1]];
    let part = Part { table: 0, size: 2, maps: maps.iter().map(|map| map.to_vec()).collect() };
    let samples = Samples { parts: vec![part], ..made_up(40) };
    let (knots, lambda) = ([2u8, 8], 7.0);
    let options = SolverOptions { lambda, passes: 400, tolerance: 0.0, sharing };
    let mut problem = Problem::new(&samples, &knots, &options);
    let mut unknowns = vec![0.0; problem.unknowns()];
    let last = problem.solve(&mut unknowns, &options, |_, _| true);
    let x = problem.sharing().sum(&unknowns);

    let size = if sharing { 25 } else { 14 };
    // The unknowns that a weight of a knot adds up: of the knot, with the part's; in common, with the part's.
    let parts_of =
        |column: usize| maps.iter().filter(move |_| sharing && column < 3).map(move |map| map[column] as usize);
    let of_knot = |knot: usize, column: usize| {
        iter::once(knot * 5 + column).chain(parts_of(column).map(move |part| 14 + knot * 2 + part)).collect::<Vec<_>>()
    };
    let in_common = |column: usize| {
        let all = iter::once(18 + column).chain(parts_of(column).map(|part| 23 + part));
        all.filter(|_| sharing).collect::<Vec<_>>()
    };
    let (mut matrix, mut right) = (vec![vec![0.0; size]; size], vec![0.0; size]);
    let mut labels = vec![0.0; size];
    let mut dense_rows = Vec::new();
    for (number, group) in samples.training.iter().enumerate() {
        let (below, above, share) = mixture(&knots, group.ply);
        let share = f64::from(share) / 256.0;
        for (row, indices) in group.indices.chunks_exact(8).enumerate() {
            let mut dense = vec![0.0; size];
            let mut taken = vec![0.0; size];
            let (target, weight) = (f64::from(group.targets[row]), f64::from(group.weights[row]));
            for (instance, first) in [0, 0, 3].into_iter().enumerate() {
                let column = first + indices[instance] as usize;
                for (at, share) in (of_knot(below, column).into_iter().map(|at| (at, 1.0 - share)))
                    .chain(of_knot(above, column).into_iter().map(|at| (at, share)))
                    .chain(in_common(column).into_iter().map(|at| (at, 1.0)))
                {
                    dense[at] += share;
                    // A label counts once for an unknown, however often its position reads it.
                    taken[at] = f64::max(taken[at], share);
                }
            }
            labels.iter_mut().zip(&taken).for_each(|(labels, share)| *labels += weight * share);
            dense[10 + number] = 1.0;
            for a in 0..size {
                right[a] += weight * dense[a] * target;
                for b in 0..size {
                    matrix[a][b] += weight * dense[a] * dense[b];
                }
            }
            dense_rows.push((dense, target, weight));
        }
    }
    for at in (0..10).chain(14..size) {
        assert!(labels[at] > FEWEST);
        let held = if at < 10 { lambda } else { SHARED * lambda };
        matrix[at][at] += held * (1.0 + SCARCE / labels[at]);
    }
    let direct = eliminate(matrix, right);

    // Rows are summed in single precision, and what is shared is held by little.
    let near = if sharing { 1e-3 } else { 1e-4 };
    let width = samples.width();
    for knot in 0..2 {
        for (column, &place) in samples.columns.iter().enumerate() {
            let found = x[knot * width + column];
            let expected = if place == NO_COLUMN {
                0.0
            } else {
                let place = place as usize;
                of_knot(knot, place).into_iter().chain(in_common(place)).map(|at| direct[at]).sum()
            };
            assert!((found - expected).abs() < near, "knot {knot} column {column}: {found} {expected}");
        }
    }
    for (number, group) in samples.training.iter().enumerate() {
        assert!((x[2 * width + group.ply] - direct[10 + number]).abs() < near);
    }
    // The loss the solver reports without computing it is the loss.
    let squared: f64 = dense_rows
        .iter()
        .map(|(row, target, weight)| {
            let prediction: f64 = row.iter().zip(&direct).map(|(a, x)| a * x).sum();
            weight * (prediction - target).powi(2)
        })
        .sum();
    let mean = squared / samples.training_labels();
    assert!((last.training_mse - mean).abs() < 1e-4 * mean, "{} {mean}", last.training_mse);
}

#[test]
fn the_solution_is_that_of_the_normal_equations() {
    check_normal_equations(false);
    check_normal_equations(true);
}

/// Othello's parts are where they should be: the value of a part at an index of its pattern is that of the same squares.
#[test]
fn parts_read_the_squares_of_their_patterns() {
    let set = stonesmith::eval::othello::standard_set::<8>();
    let parts = sets::parts::<8>(&set.patterns);
    let named = |part: &Part| (&*set.patterns[part.table].name, part.size, part.maps.len());
    // Edge: 3^8 configurations, 3,321 up to reflection. The block of 2×2: (81 + 27) / 2 up to its diagonal. The others
    // have no symmetry.
    assert_eq!(
        parts.iter().map(named).collect::<Vec<_>>(),
        [
            ("edge + 2X", 3321, 1),
            ("corner 3x3", 54, 1),
            ("corner 3x3", 729, 2),
            ("corner 2x5", 6561, 1),
            ("edge + 2X", 81, 2),
            ("edge + 2X", 243, 2),
            ("corner 2x5", 81, 1),
            ("diagonal 8", 81, 2),
        ]
    );
    // The shapes that the set of tens widens are parts of its patterns.
    let tens = sets::PatternSetName::Tens.set::<8>().unwrap();
    let parts = sets::parts::<8>(&tens.patterns);
    let of = |table: &str, size| parts.iter().any(|part| tens.patterns[part.table].name == table && part.size == size);
    assert!(of("corner 3x3 + center", 10_206) && of("line 2 + corners", 3321) && of("diagonal 8 + corners", 3321));
    assert!(of("diagonal 7 + 2X", 1134) && of("diagonals 6 and 5", 378) && of("kite", 135) && of("triangle", 45));
    // An own disc on a1 alone: the corner's block has it in its corner, wherever it lies in the pattern's reading.
    let parts = sets::parts::<8>(&set.patterns);
    let edge = &parts[0];
    let empty = edge.maps[0][0];
    let pattern = &set.patterns[edge.table];
    let x_squares = [9u8, 14];
    for (cell, &square) in pattern.placements[0].iter().enumerate() {
        let index = pattern.shared[3usize.pow(cell as u32)] as usize;
        assert_eq!(edge.maps[0][index] == empty, x_squares.contains(&square), "square {square}");
    }
}

#[test]
fn a_warm_start_begins_where_the_parent_ended() {
    let features = small_features::<6>();
    let games = random_games::<6>(400);
    let template = template(&features, &[4, 14, 24]);
    let mut options = FitOptions::new(36.0);
    options.solver.sharing = false;
    options.solver.passes = 100;
    let parent = fit(read(&games), &features, &template, None, &options, |_| ()).unwrap();
    options.solver.passes = 1;
    let child = fit(read(&games), &features, &template, Some(&parent.weights), &options, |_| ()).unwrap();
    assert_eq!(child.weights.parent, parent.weights.hash());
    assert_eq!(child.weights.values, parent.weights.values);
    assert!((child.report.objective - parent.report.objective).abs() < 1e-3 * parent.report.objective);
    // Other knots: the parent's weights at their plies.
    let other = fit(
        read(&games),
        &features,
        &Weights { knots: vec![9], values: vec![0; template.row_len()], ..template.clone() },
        Some(&parent.weights),
        &options,
        |_| (),
    )
    .unwrap();
    let samples = Samples::build(read(&games), &features, &options.samples, |_| ()).unwrap();
    let from_parent = unknowns_of(&samples, &template, &parent.weights);
    for (column, &place) in samples.columns.iter().enumerate().filter(|(_, place)| **place != NO_COLUMN) {
        let middle = (from_parent[column] + from_parent[samples.width() + column]) / 2.0;
        let found = f64::from(other.weights.values[place as usize]) / 128.0;
        assert!((found - middle).abs() <= 0.5 / 128.0 + 1e-9 || found == 0.0, "{found} {middle}");
    }
}

#[test]
fn games_fall_on_one_side_by_their_moves() {
    let games = random_games::<6>(2000);
    let aside: Vec<bool> = games.iter().map(|game| is_validation(game_hash(game), 0.05)).collect();
    let count = aside.iter().filter(|&&aside| aside).count();
    // 100 expected, standard deviation 9.7.
    assert!((60..=140).contains(&count), "{count}");
    for (game, &side) in games.iter().zip(&aside) {
        let mut again = GameRecord { index: game.index + 7, ..game.clone() };
        again.plies.iter_mut().for_each(|ply| ply.score = Some(3));
        assert_eq!(is_validation(game_hash(&again), 0.05), side);
        assert!(!is_validation(game_hash(game), 0.0) && is_validation(game_hash(game), 1.0));
    }
}

#[test]
fn labels_are_those_of_the_rules() {
    let features = small_features::<4>();
    // The first game without a pass, so that every ply but the end is a position with a choice.
    let mut record = (0..).map(random_game::<4>).find(|game| game.plies.iter().all(|ply| !ply.mv.is_pass())).unwrap();
    let outcome = record.outcome.0;
    let build = |record: &GameRecord, options: &SampleOptions| {
        let samples = Samples::build(read(std::slice::from_ref(record)), &features, options, |_| ()).unwrap();
        samples.training.iter().map(|group| (group.ply, group.targets[0])).collect::<Vec<_>>()
    };
    let options = SampleOptions { validation: 0.0, ..SampleOptions::new(16.0) };
    let sign = |ply: usize| if ply.is_multiple_of(2) { 1.0 } else { -1.0 };
    let all: Vec<_> = (0..record.plies.len()).map(|ply| (ply, sign(ply) * f32::from(outcome))).collect();
    assert_eq!(build(&record, &options), all);
    // Nothing up to and including the random move carries the outcome; an exact score does as a label of its own.
    record.plies[4].random = true;
    record.plies[1] = Ply { score: Some(-40), exact: true, ..record.plies[1] };
    record.plies[2].score = Some(8);
    record.plies[6].score = Some(32);
    record.plies[7] = Ply { score: Some(900), exact: true, ..record.plies[7] };
    let mut expected = vec![(1, -2.5)];
    expected.extend(&all[5..]);
    expected[3] = (7, 16.0);
    assert_eq!(build(&record, &options), expected);
    // λ = 3/4: a search score of 2 discs takes a quarter, and stands alone where there is no outcome label.
    let mixed = SampleOptions { outcome_weight: 0.75, ..options.clone() };
    expected.insert(1, (2, 0.5));
    expected[3].1 = 0.75 * f32::from(outcome) + 0.25 * 2.0;
    assert_eq!(build(&record, &mixed), expected);
    // A λ-return of 1/4: of White's sure 56.25 discs a ply later a quarter is taken off three quarters of Black's 2. The
    // random move at ply 4 cuts what lies behind it off from ply 2.
    let returned = SampleOptions { score_lambda: 0.25, ..mixed.clone() };
    let before = expected[3];
    expected[3].1 = (0.75 * f32::from(outcome) + 0.25 * (0.75 * 2.0 - 0.25 * 56.25)).clamp(-16.0, 16.0);
    assert_eq!(build(&record, &returned), expected);
    // With 1 only what comes last counts: the sure score again.
    let last = SampleOptions { score_lambda: 1.0, outcome_weight: 0.0, ..mixed.clone() };
    expected[3].1 = -16.0;
    assert_eq!(build(&record, &last)[..2], expected[..2]);
    assert_eq!(build(&record, &last)[3], expected[3]);
    expected[3] = before;
    let capped = SampleOptions { max_positions_per_game: Some(3), ..mixed };
    let few = build(&record, &capped);
    assert!(few.len() == 3 && few.iter().all(|sample| expected.contains(sample)), "{few:?}");
    // Half weight at 2 discs: where the search said 2 a half, where it said nothing by the outcome.
    let weights = |options: &SampleOptions| {
        let samples = Samples::build(read(std::slice::from_ref(&record)), &features, options, |_| ()).unwrap();
        samples.training.iter().map(|group| (group.ply, group.weights[0])).collect::<Vec<_>>()
    };
    assert!(weights(&options).iter().all(|&(_, weight)| weight == 1.0));
    let halved = weights(&SampleOptions { half_weight: Some(2.0), ..options.clone() });
    let of = |ply: usize| halved.iter().find(|&&(at, _)| at == ply).unwrap().1;
    assert_eq!(of(6), 0.5);
    assert_eq!(of(8), 1.0 / (1.0 + (f32::from(outcome) / 2.0).powi(2)));
    // A game stopped at a solved position: that position is a sample too.
    let solved_at = 9;
    let mut position = Othello::<4>::start();
    record.plies.truncate(solved_at);
    record.plies.iter().for_each(|ply| position.play(ply.mv).unwrap());
    record = GameRecord { end: End::Solved, outcome: Outcome(6), ..record };
    let value = Outcome(6).for_color(position.side_to_move());
    assert_eq!(position.side_to_move(), Color::White);
    assert_eq!(build(&record, &options).last(), Some(&(solved_at, f32::from(value))));
}

#[test]
fn equal_positions_are_merged_without_changing_the_fit() {
    let features = small_features::<4>();
    let games = random_games::<4>(300);
    let mut options = FitOptions::new(16.0);
    options.samples.validation = 0.0;
    options.solver = SolverOptions { lambda: 5.0, passes: 150, tolerance: 0.0, sharing: false };
    let build = |merge: bool| {
        let options = SampleOptions { merge, ..options.samples.clone() };
        Samples::build(read(&games), &features, &options, |_| ()).unwrap()
    };
    let (merged, single) = (build(true), build(false));
    assert_eq!(merged.training_labels(), single.training_rows() as f64);
    // The start, its four symmetric first moves, and three answers to them.
    assert_eq!(merged.training.iter().take(3).map(Group::rows).collect::<Vec<_>>(), [1, 1, 3]);
    let template = template(&features, &[2, 8]);
    let fits = [&merged, &single].map(|samples| fit_samples(samples, &template, None, &options, |_| ()).unwrap());
    for (a, b) in fits[0].weights.values.iter().zip(&fits[1].weights.values) {
        // In single precision the passes of two data sets differ where weights hardly matter: a sixteenth of a disc.
        assert!(a.abs_diff(*b) <= 8, "{a} {b}");
    }
    // RMSE is that of single labels either way.
    assert!((fits[0].report.training_rmse - fits[1].report.training_rmse).abs() < 1e-2);
    assert!(merged.training_rows() < single.training_rows());
}

#[test]
fn rounding_is_to_nearest_and_saturation_is_counted() {
    let features = small_features::<4>();
    let samples = Samples::build(read(&random_games::<4>(50)), &features, &SampleOptions::new(16.0), |_| ()).unwrap();
    let template = template(&features, &[4]);
    let mut x = vec![0.0; samples.width() + samples.layout.plies];
    for (at, value) in [1.0, 0.4 / 128.0, 0.6 / 128.0, -0.6 / 128.0, 300.0, -1e9].into_iter().enumerate() {
        x[at] = value;
    }
    let quantised = quantise(&samples, &x, &template, [7; 32]);
    let found: Vec<i16> = (0..6).map(|at| quantised.weights.values[samples.columns[at] as usize]).collect();
    assert_eq!(found, [128, 0, 1, -1, 32767, -32767]);
    assert_eq!((quantised.saturated, quantised.weights.parent), (2, [7; 32]));
    let back = unknowns_of(&samples, &template, &quantised.weights);
    assert_eq!(&back[..4], [1.0, 0.0, 1.0 / 128.0, -1.0 / 128.0]);
}

#[test]
fn a_fit_of_nothing_and_games_against_the_rules_are_errors() {
    let features = small_features::<4>();
    let template = template(&features, &[4]);
    let options = FitOptions::new(16.0);
    let run = |games: &[GameRecord]| fit(read(games), &features, &template, None, &options, |_| ()).unwrap_err();
    assert!(matches!(run(&[]), FitError::NoPositions { games: 0 }));
    let mut drawn = random_game::<4>(1);
    drawn.plies.last_mut().unwrap().random = true;
    assert!(matches!(run(&[drawn]), FitError::NoPositions { games: 1 }));

    let mut games = random_games::<4>(300);
    games[217].plies[3].mv = games[217].plies[2].mv;
    let error = run(&games).to_string();
    assert!(error.starts_with("game 217, ply 3: illegal move"), "{error}");
    let mut wrong = random_game::<4>(5);
    wrong.outcome.0 += 2;
    assert!(run(&[wrong]).to_string().contains("final board"));
    let mut unfinished = random_game::<4>(5);
    unfinished.plies.pop();
    assert!(run(&[unfinished]).to_string().contains("the game goes on"));
    let broken = [Ok(random_game::<4>(0)), Err("shard 3: truncated")];
    let error = fit(broken.into_iter(), &features, &template, None, &options, |_| ()).unwrap_err();
    assert!(error.to_string().contains("shard 3: truncated"));
    let other = Weights { game: GameId::Othello6, ..template.clone() };
    let error = fit(read(&random_games::<4>(9)), &features, &other, None, &options, |_| ()).unwrap_err();
    assert!(matches!(error, FitError::Template { .. }));
}
