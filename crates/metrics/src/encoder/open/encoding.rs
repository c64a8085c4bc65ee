//! Texts in batches of like length, from tokens to states.

use std::ops::Range;
use std::sync::atomic::Ordering;

use candle_core::Tensor;
use ndarray::{Array1, Array2, Axis};
use rayon::prelude::*;

use super::super::Encoded;
use super::super::kept::{Key, key};
use super::super::mix::{Mix, mixed};
use super::{Opened, locked, split};

/// The tokens of a batch, with those that fill short texts up: enough for products of matrices at full speed, and few
/// enough for a core's cache.
const BATCH: usize = 512;

/// A sequence of tokens to encode: of a text's states, its mean, or both.
struct Job {
    text: usize,
    tokens: Vec<u32>,
    has_states: bool,
    has_mean: bool,
}

impl Opened {
    /// The tokens of a text, with those that begin and end it, and their bytes; none where the tokeniser fails.
    pub(super) fn tokens(&self, text: &str) -> (Vec<u32>, Vec<Range<usize>>) {
        let Ok(encoding) = split(&self.tokenizer, text, self.vocabulary, self.description.max_tokens) else {
            self.unsplit.fetch_add(1, Ordering::Relaxed);
            return Default::default();
        };
        if !encoding.get_overflowing().is_empty() {
            locked(&self.truncated).insert(key(text, 0));
        }
        let spans = encoding.get_offsets().iter().map(|&(start, end)| start..end);
        (encoding.get_ids().to_vec(), spans.collect())
    }

    /// The states of each sequence of tokens in each mix, as [`mixed`]; those that are not numbers are 0.
    pub(super) fn mixed(&self, texts: &[&[u32]], mixes: &[&Mix]) -> Vec<Vec<Array2<f64>>> {
        let width = self.description.width;
        let mut all = mixed(&self.network, texts, mixes, width).unwrap_or_else(|_| {
            let unknown = |text: &&[u32]| Array2::from_elem((text.len(), width), f64::NAN);
            mixes.iter().map(|_| texts.iter().map(unknown).collect()).collect()
        });
        for states in all.iter_mut().flatten().filter(|states| !states.iter().all(|value| value.is_finite())) {
            self.overflowing.fetch_add(1, Ordering::Relaxed);
            states.fill(0.0);
        }
        all
    }

    /// Encodes different texts.
    pub(super) fn encoded(&self, texts: &[&str], layer: usize) -> Vec<Encoded> {
        let tokenised: Vec<(Encoded, Vec<Job>)> =
            texts.par_iter().enumerate().map(|(number, text)| self.tokenised(number, text)).collect();
        let (mut all, jobs): (Vec<Encoded>, Vec<Vec<Job>>) = tokenised.into_iter().unzip();
        let keys: Vec<Key> = texts.iter().map(|text| key(text, layer)).collect();
        let is_stored = self.take_stored(layer, &keys, &mut all);
        let mut jobs: Vec<Job> = jobs.into_iter().flatten().filter(|job| !is_stored[job.text]).collect();
        jobs.sort_by_key(|job| job.tokens.len());
        let batches: Vec<&[Job]> = batches(&jobs).collect();
        let done: Vec<Vec<(Array2<f32>, Array1<f32>)>> =
            batches.par_iter().map(|batch| self.batch(batch, layer)).collect();
        for (job, (states, mean)) in batches.into_iter().flatten().zip(done.into_iter().flatten()) {
            let encoded = &mut all[job.text];
            if job.has_states {
                encoded.states = states;
            }
            if job.has_mean {
                encoded.mean = mean;
            }
        }
        let new = keys.iter().zip(&all).zip(&is_stored).filter(|(_, is_stored)| !**is_stored);
        let new = new.map(|((&key, encoded), _)| (key, &encoded.states, &encoded.mean));
        locked(&self.stores).with(layer, |store| store.add(new));
        all
    }

    /// Fills in what is on disk, and tells of which texts it is.
    fn take_stored(&self, layer: usize, keys: &[Key], all: &mut [Encoded]) -> Vec<bool> {
        let mut stores = locked(&self.stores);
        let mut take = |(&key, encoded): (&Key, &mut Encoded)| {
            let found = stores.with(layer, |store| store.get(key)).flatten();
            // A text with another number of tokens would be another text of the same key.
            let found = found.filter(|(states, _)| states.nrows() == encoded.tokens.len());
            found.map(|found| (encoded.states, encoded.mean) = found).is_some()
        };
        keys.iter().zip(all).map(&mut take).collect()
    }

    /// A text without its states, and what is to be encoded of it. Most texts are one sequence of tokens; the mean is of
    /// another one if the text is beyond its length, or if BERTScore sees it after a space.
    fn tokenised(&self, number: usize, text: &str) -> (Encoded, Vec<Job>) {
        if self.mix.is_some() {
            let (tokens, _) = self.tokens(text);
            let job = Job { text: number, tokens, has_states: false, has_mean: true };
            return (self.without_tokens(), vec![job]);
        }
        let text_start = text.len() - text.trim_start().len();
        let trimmed = text.trim();
        let split = |text: &str| split(&self.tokenizer, text, self.vocabulary, self.description.max_tokens);
        let spaced = (self.after_space && !trimmed.is_empty()).then(|| split(&format!(" {trimmed}"))).transpose();
        let (Ok(plain), Ok(spaced)) = (split(trimmed), spaced) else {
            self.unsplit.fetch_add(1, Ordering::Relaxed);
            return (self.without_tokens(), Vec::new());
        };
        if !plain.get_overflowing().is_empty() {
            locked(&self.truncated).insert(key(text, 0));
        }
        let seen = spaced.as_ref().unwrap_or(&plain);
        let shift = usize::from(spaced.is_some());
        let span = |&(start, end): &(usize, usize)| {
            text_start + start.saturating_sub(shift)..text_start + end.saturating_sub(shift)
        };
        let encoded = Encoded {
            tokens: seen.get_ids().to_vec(),
            spans: seen.get_offsets().iter().map(span).collect(),
            special: seen.get_special_tokens_mask().iter().map(|&special| special == 1).collect(),
            ..self.without_tokens()
        };
        let of_mean = self.shortened(plain.get_ids());
        let job = |tokens: Vec<u32>, has_states, has_mean| Job { text: number, tokens, has_states, has_mean };
        let mut jobs = if of_mean == encoded.tokens {
            vec![job(of_mean, true, true)]
        } else {
            vec![job(encoded.tokens.clone(), true, false), job(of_mean, false, true)]
        };
        jobs.retain(|job| !job.tokens.is_empty());
        (encoded, jobs)
    }

    fn without_tokens(&self) -> Encoded {
        let width = self.description.width;
        let (states, mean) = (Array2::zeros((0, width)), Array1::zeros(width));
        Encoded { tokens: Vec::new(), spans: Vec::new(), special: Vec::new(), states, mean }
    }

    /// The tokens that the mean is taken of: as many as sentence-transformers reads, with the last one, which ends a text.
    fn shortened(&self, tokens: &[u32]) -> Vec<u32> {
        match tokens {
            [.., end] if tokens.len() > self.max_tokens_of_mean => {
                let kept = &tokens[..self.max_tokens_of_mean - 1];
                kept.iter().chain([end]).copied().collect()
            }
            all => all.to_vec(),
        }
    }

    /// The states of each sequence, of unit length, and the mean of its last states.
    fn batch(&self, jobs: &[Job], layer: usize) -> Vec<(Array2<f32>, Array1<f32>)> {
        let texts: Vec<&[u32]> = jobs.iter().map(|job| job.tokens.as_slice()).collect();
        if let Some(mix) = &self.mix {
            let states = self.mixed(&texts, &[mix]).swap_remove(0);
            let pooled = states.iter().zip(&texts).map(|(states, tokens)| mix.pooled(states, tokens, self.padding));
            let rounded = |vector: Array1<f64>| {
                let mut vector = vector.mapv(|value| value as f32);
                if !vector.iter().all(|value| value.is_finite()) {
                    self.overflowing.fetch_add(1, Ordering::Relaxed);
                    vector.fill(0.0);
                }
                (Array2::zeros((0, vector.len())), vector)
            };
            return pooled.map(rounded).collect();
        }
        let (width, longest) = (self.description.width, texts.iter().map(|text| text.len()).max().unwrap_or(0));
        let states = self.network.states(&texts, layer).and_then(|[wanted, last]| Ok([flat(&wanted)?, flat(&last)?]));
        // All shapes were checked: what fails is a file that has changed since.
        let [wanted, last] = states.unwrap_or_else(|_| [(); 2].map(|()| vec![f32::NAN; texts.len() * longest * width]));
        let of = |values: &[f32], number: usize, job: &Job| {
            let start = number * longest * width;
            let mut values = values[start..start + job.tokens.len() * width].to_vec();
            if !values.iter().all(|value| value.is_finite()) {
                self.overflowing.fetch_add(1, Ordering::Relaxed);
                values.fill(0.0);
            }
            Array2::from_shape_vec((job.tokens.len(), width), values).expect("a row for each token")
        };
        let one = |(number, job): (usize, &Job)| {
            let states = if job.has_states { of(&wanted, number, job) } else { Array2::zeros((0, width)) };
            let mean = job.has_mean.then(|| of(&last, number, job).mean_axis(Axis(0))).flatten();
            (unit(states), mean.unwrap_or_else(|| Array1::zeros(width)))
        };
        jobs.iter().enumerate().map(one).collect()
    }
}

fn flat(states: &Tensor) -> candle_core::Result<Vec<f32>> {
    states.flatten_all()?.to_vec1()
}

/// Scales each row to length 1; a row of zeros stays as it is.
fn unit(mut states: Array2<f32>) -> Array2<f32> {
    for mut row in states.rows_mut() {
        let length = row.dot(&row).sqrt();
        if length > 0.0 {
            row /= length;
        }
    }
    states
}

/// Runs of sequences that together, each filled up to the length of the last, have at most [`BATCH`] tokens; a longer
/// one is a batch of its own. They are sorted by length.
fn batches(jobs: &[Job]) -> impl Iterator<Item = &[Job]> {
    let mut rest = jobs;
    std::iter::from_fn(move || {
        rest.first()?;
        let fits = |count: &usize| *count * rest[*count - 1].tokens.len() <= BATCH;
        let count = (1..=rest.len()).take_while(fits).last().unwrap_or(1);
        let (batch, after) = rest.split_at(count);
        rest = after;
        Some(batch)
    })
}
