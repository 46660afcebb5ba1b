//! The form of some weights that loses least within a limit on the source file.
//!
//! For every number of knots the weights are rounded so that, for a price λ of a bit, the sum of error and λ · bits is
//! least: the error of a weight counts as often as positions read it, the bits are those of the coder's contexts
//! ([`encode`]). Thus weights that are hardly ever read cost next to nothing, and each table gets the step that its
//! readers deserve. (Rate-distortion optimised quantisation, as video coders do it.) λ is raised until the file fits;
//! among the numbers of knots the validation loss on held-out games decides.

use super::encode::{self, Prices};
use super::{BakeError, Options, TooLarge, size};
use crate::eval::shrink::{Loss, Sample, fewer_knots, least, resampled};
use crate::eval::weights::Weights;

/// Numbers of knots that are tried, as far as the weights have as many.
const KNOTS: [usize; 10] = [1, 2, 3, 4, 5, 6, 8, 10, 12, 16];
/// How often a weight that no position of the sample reads counts as read.
const UNSEEN: f64 = 0.7;
/// Where the steps of plain rounding would be best this is 6; a larger one leaves less to the choice of levels.
const COARSENESS: f64 = 9.0;
/// The price of a bit λ, in squared weight units, as a power of two: the first guess, and the range from hardly any loss
/// to hardly anything left.
const FIRST_PRICE: f64 = 0.0;
const PRICES: (f64, f64) = (-14.0, 16.0);
/// Forms that are made at most to find λ, and the share of the limit from which on a form is large enough.
const TRIES: usize = 14;
const FULL: f64 = 0.997;

/// A form of some weights, and what it is worth.
#[derive(Clone, Debug, PartialEq)]
pub struct Form {
    /// The weights: a file of their own, with the original as parent, or the original.
    pub weights: Weights,
    /// The size of the source file baked from them, in the unit of the limit.
    pub size: usize,
    /// Their loss on the games held out.
    pub loss: Loss,
}

/// The form of `original` whose source file keeps to the limit of `options` and that loses least on the games that
/// `sample` holds out.
///
/// # Errors
/// [`BakeError::TooLarge`] with the least size there is, and weights or options that make no bot at all.
pub fn shrink(original: &Weights, sample: &Sample, options: &Options) -> Result<Form, BakeError> {
    let whole = size(original, options)?;
    if whole <= options.limit.most() {
        return Ok(Form { weights: original.clone(), size: whole, loss: sample.loss(original) });
    }
    let smallest = least(original);
    let least_size = size(&smallest, options)?;
    if least_size > options.limit.most() {
        return Err(TooLarge { size: whole, limit: options.limit, least: Some(least_size) }.into());
    }
    let least_form = Form { loss: sample.loss(&smallest), size: least_size, weights: smallest };
    let best = climb(original, sample, options)?;
    Ok(best.filter(|form| form.loss.rmse <= least_form.loss.rmse).unwrap_or(least_form))
}

/// The best form over all numbers of knots: from a middling number to more or fewer, as long as the loss falls.
fn climb(original: &Weights, sample: &Sample, options: &Options) -> Result<Option<Form>, BakeError> {
    let mut counts: Vec<usize> = KNOTS.into_iter().filter(|&count| count < original.knots.len()).collect();
    counts.push(original.knots.len());
    let search = |at: usize, guess: f64| Search::new(original, sample, options, counts[at]).run(guess);
    let mut at = counts.len() / 2;
    let mut best = search(at, FIRST_PRICE)?;
    let guess = best.price;
    let beside = |step: isize| at.checked_add_signed(step).filter(|&at| at < counts.len());
    let neighbour = |step: isize| beside(step).map(|at| search(at, guess)).transpose();
    let (fewer, more) = rayon::join(|| neighbour(-1), || neighbour(1));
    let (fewer, more) = (fewer?, more?);
    let falls = |found: &Option<Found>| found.as_ref().map_or(f64::INFINITY, Found::rmse);
    let step = if falls(&fewer) < falls(&more) { -1 } else { 1 };
    let mut next = if step < 0 { fewer } else { more };
    while let Some(found) = next.take().filter(|found| found.rmse() < best.rmse()) {
        at = at.checked_add_signed(step).expect("a neighbour was found there");
        let guess = found.price;
        best = found;
        next = match at.checked_add_signed(step).filter(|&at| at < counts.len()) {
            Some(at) => Some(search(at, guess)?),
            None => None,
        };
    }
    Ok(best.form)
}

/// What the search for λ found.
struct Found {
    /// The logarithm of λ.
    price: f64,
    form: Option<Form>,
}

impl Found {
    fn rmse(&self) -> f64 {
        self.form.as_ref().map_or(f64::INFINITY, |form| form.loss.rmse)
    }
}

/// The search for λ with one number of knots.
struct Search<'a> {
    original: &'a Weights,
    sample: &'a Sample,
    options: &'a Options,
    sizes: Vec<usize>,
    knots: Vec<u8>,
    targets: Vec<f64>,
    reads: Vec<f32>,
    /// What symbols cost in the form that was made last.
    prices: Option<Prices>,
}

impl<'a> Search<'a> {
    fn new(original: &'a Weights, sample: &'a Sample, options: &'a Options, count: usize) -> Self {
        let knots = fewer_knots(original, count);
        let targets = resampled(original, &knots).concat();
        let reads = sample.reads(&knots, original.row_len(), UNSEEN);
        let sizes = original.tables.iter().map(|table| table.size).collect();
        Search { original, sample, options, sizes, knots, targets, reads, prices: None }
    }

    /// Looks for the smallest λ whose form fits, by interpolation of sizes between one that fits and one that does not.
    fn run(mut self, guess: f64) -> Result<Found, BakeError> {
        let most = self.options.limit.most();
        let mut too_large: Option<(f64, usize)> = None;
        let mut fits: Option<(f64, usize, Weights)> = None;
        let (mut price, mut reach) = (guess, 1.0);
        for _ in 0..TRIES {
            let form = self.form(price.exp2());
            let size = size(&form, self.options)?;
            if size <= most {
                fits = Some((price, size, form));
            } else {
                too_large = Some((price, size));
            }
            price = match (&too_large, &fits) {
                (_, Some((_, size, _))) if *size as f64 >= FULL * most as f64 => break,
                (None, Some((price, ..))) if *price <= PRICES.0 => break,
                (Some((price, _)), None) if *price >= PRICES.1 => break,
                (None, Some((price, ..))) => (price - reach).max(PRICES.0),
                (Some((price, _)), None) => (price + reach).min(PRICES.1),
                (Some((low, above)), Some((high, below, _))) => {
                    // Sizes are nearly straight over the logarithm of λ; never a guess at the very ends.
                    let share = (above - most) as f64 / (above - below) as f64;
                    low + (high - low) * (share + 0.02).clamp(0.1, 0.9)
                }
                (None, None) => unreachable!("a form fits or it does not"),
            };
            reach *= 2.0;
        }
        let Some((price, size, weights)) = fits else { return Ok(Found { price, form: None }) };
        let loss = self.sample.loss(&weights);
        Ok(Found { price, form: Some(Form { weights, size, loss }) })
    }

    /// The form at a price of a bit: by the prices of the form before it, where there is one, else by those of plain
    /// rounding.
    fn form(&mut self, price: f64) -> Weights {
        let steps = self.steps(price);
        let round =
            |prices: Option<&Prices>| encode::rounded(&self.targets, &self.reads, &self.sizes, &steps, price, prices);
        let mut prices = self.prices.take();
        for _ in 0..if prices.is_some() { 1 } else { 2 } {
            prices = Some(Prices::of(&round(prices.as_ref()), &self.sizes, &steps));
        }
        let values = round(prices.as_ref());
        self.prices = prices;
        Weights { parent: self.original.hash(), values, knots: self.knots.clone(), ..self.original.clone() }
    }

    /// The step of each table: about where one bit more a weight, which takes three quarters of the error q²/12, would cost
    /// as much as it saves, for weights that are read as often as those of the table are on average when one is read.
    fn steps(&self, price: f64) -> Vec<i32> {
        let row: usize = self.sizes.iter().sum();
        let mut start = 0;
        let step = |&size: &usize| {
            let knots = self.reads.chunks_exact(row);
            let reads = knots.flat_map(|knot| &knot[start..start + size]).map(|&reads| f64::from(reads));
            let (sum, squares) = reads.fold((0.0, 0.0), |(sum, squares), reads| (sum + reads, squares + reads * reads));
            start += size;
            let often = if sum > 0.0 { squares / sum } else { 0.0 };
            (COARSENESS * price / (often.max(1e-12) * std::f64::consts::LN_2)).sqrt().round().clamp(1.0, 8192.0) as i32
        };
        self.sizes.iter().map(step).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bake::{Language, Limit, bake};
    use crate::eval::evaluator::Evaluator;
    use crate::eval::othello::{OthelloFeatures, PatternSet};
    use crate::eval::pattern::Pattern;
    use crate::eval::shrink::Prediction;
    use crate::game::Position;
    use crate::game::othello::Othello;
    use crate::kit;
    use crate::rng::{Domain, RngExt, stream};

    /// A few patterns: 16,848 weights a knot with the mobilities.
    fn set() -> PatternSet {
        let corner = [0, 1, 2, 8, 9, 10, 16, 17, 18];
        let line = |row: u8| (8 * row..8 * row + 8).collect::<Vec<u8>>();
        let shapes = [("corner", corner.to_vec()), ("line 2", line(1)), ("line 3", line(2))];
        let patterns = shapes.map(|(name, cells)| Pattern::new(name, &cells, 8)).to_vec();
        PatternSet::new::<8>(patterns).unwrap()
    }

    /// Positions of random games with what `weights` say of them as outcomes: the loss is what a form changes.
    fn sample(weights: &Weights) -> Sample {
        let model = OthelloFeatures::<8>::new(set());
        let evaluator = Evaluator::<8>::new(weights).unwrap();
        let mut sample = Sample::new(&model, weights, Prediction::Within(64.0)).unwrap();
        for game in 0..200 {
            let mut rng = stream(game, Domain::Test, 50);
            let mut position = Othello::<8>::start();
            while position.outcome().is_none() {
                let moves = position.legal_moves();
                let value = evaluator.sum(position.board()) as f32 / f32::from(weights.scale);
                sample.push(&model, position.ply(), &position, value.clamp(-64.0, 64.0), game % 2 == 0);
                position.play(moves[rng.random_range(0..moves.len())]).unwrap();
            }
        }
        sample
    }

    /// Five knots of weights that are small where they are rarely read, as fitted ones are.
    fn weights() -> Weights {
        let mut weights = kit::othello_zero::<8>(&set(), kit::othello_knots::<8>(5));
        let reads = sample(&weights).reads(&weights.knots, weights.row_len(), 0.0);
        let mut rng = stream(9, Domain::Test, 51);
        for (value, &reads) in weights.values.iter_mut().zip(&reads) {
            let most = 1 + (400.0 * (1000.0 * reads).min(1.0)) as i16;
            *value = rng.random_range(-most..=most);
        }
        weights
    }

    #[test]
    fn files_keep_to_every_budget_and_lose_less_the_more_they_may_take() {
        let weights = weights();
        let sample = sample(&weights);
        for (language, limits) in [
            (Language::C, vec![Limit::Bytes(40_000), Limit::Bytes(50_000), Limit::Characters(45_000)]),
            (Language::Cpp, vec![Limit::Characters(40_000), Limit::Characters(43_000)]),
            (Language::Python, vec![Limit::Bytes(44_000), Limit::Bytes(52_000), Limit::Characters(48_000)]),
        ] {
            let mut before = f64::INFINITY;
            for limit in limits {
                let options = Options::new(language, 1).limited(limit);
                let form = shrink(&weights, &sample, &options).unwrap();
                let source = bake(&form.weights, &options).unwrap();
                assert_eq!(limit.measure(&source), form.size);
                assert!(form.size <= limit.most() && form.size > limit.most() * 9 / 10, "{limit}: {}", form.size);
                assert_eq!((form.weights.parent, form.loss), (weights.hash(), sample.loss(&form.weights)));
                assert!(form.loss.rmse < before, "{limit}: {} is not below {before}", form.loss.rmse);
                before = form.loss.rmse;
            }
        }
    }

    #[test]
    fn what_fits_stays_and_what_cannot_fit_says_the_least_size() {
        let weights = weights();
        let sample = sample(&weights);
        let wide = Options::new(Language::C, 1);
        let form = shrink(&weights, &sample, &wide).unwrap();
        assert_eq!((form.size, &form.weights), (size(&weights, &wide).unwrap(), &weights));
        assert!(form.loss.rmse < 0.1, "rounding is all that is lost: {}", form.loss.rmse);
        let narrow = wide.clone().limited(Limit::Bytes(20_000));
        let Err(BakeError::TooLarge(error)) = shrink(&weights, &sample, &narrow) else { panic!("20,000 bytes fit") };
        let least = error.least.unwrap();
        let form = shrink(&weights, &sample, &wide.limited(Limit::Bytes(least))).unwrap();
        assert!(form.size <= least && form.size > 20_000);
    }

    /// Plain rounding in one step for all tables, the coarsest that fits: what the search has to beat by far.
    #[test]
    fn the_search_beats_plain_rounding() {
        let weights = weights();
        let sample = sample(&weights);
        let options = Options::new(Language::C, 1).limited(Limit::Bytes(50_000));
        let form = shrink(&weights, &sample, &options).unwrap();
        let plain = (1..4000).step_by(16).find_map(|step| {
            let values = weights.values.iter().map(|&value| value / step * step).collect();
            let plain = Weights { values, ..weights.clone() };
            (size(&plain, &options).unwrap() <= 50_000).then(|| sample.loss(&plain).rmse)
        });
        assert!(form.loss.rmse < 0.8 * plain.unwrap(), "{} against {}", form.loss.rmse, plain.unwrap());
    }
}
