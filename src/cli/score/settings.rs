//! What can be set of single metrics.

use std::sync::Arc;

use clap::Args;
use tribunal::Error;
use tribunal::metrics::bleu::{Bleu, BleuSettings, BleuTokenizer, MAX_ORDER, Smoothing};
use tribunal::metrics::chrf::{Chrf, ChrfSettings};
use tribunal::metrics::meteor::{Meteor, MeteorSettings, Module, Normalization, ParaphraseTable, Task};
use tribunal::metrics::nist::{Nist, NistSettings};
use tribunal::metrics::rouge::{Rouge, RougeKind, RougeSettings};
use tribunal::metrics::rouge155::{References, Rouge155, Rouge155Kind, Rouge155Settings};
use tribunal::metrics::ter::{Ter, TerSettings};
use tribunal::metrics::{Entry, Metric};
use tribunal::text::Plan;

/// Options of metrics; each is the reference implementation's default where it is not given.
#[derive(Debug, Args)]
#[command(next_help_heading = "Settings of metrics")]
pub struct MetricOptions {
    /// bleu: 13a, intl, char, zh or none
    #[arg(long, value_name = "NAME", default_value = "13a", value_parser = BleuTokenizer::named)]
    tokenize: BleuTokenizer,
    /// bleu, chrf, chrf++: compare in lower case
    #[arg(long)]
    lowercase: bool,
    /// bleu: exp, floor, add-k or none
    #[arg(long, value_name = "METHOD", default_value = "exp", value_parser = ["exp", "floor", "add-k", "none"])]
    smooth: String,
    /// bleu: the value of floor [default: 0.1] or add-k [default: 1]
    #[arg(long, value_name = "X")]
    smooth_value: Option<f64>,
    /// bleu: the highest order of n-grams
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = order)]
    bleu_order: usize,
    /// bleu: leave orders out of which a text has no n-grams; for segments always so
    #[arg(long)]
    effective_order: bool,
    /// chrf, chrf++: the highest order of character n-grams
    #[arg(long, value_name = "N", default_value_t = 6)]
    chrf_char_order: usize,
    /// chrf: the highest order of word n-grams; chrf++ has 2
    #[arg(long, value_name = "N", default_value_t = 0)]
    chrf_word_order: usize,
    /// chrf, chrf++: how much more recall counts than precision
    #[arg(long, value_name = "X", default_value_t = 2.0)]
    chrf_beta: f64,
    /// chrf, chrf++: white space counts as characters
    #[arg(long)]
    chrf_whitespace: bool,
    /// chrf, chrf++: smoothing as in chrF++.py
    #[arg(long)]
    chrf_eps_smoothing: bool,
    /// ter: decode entities and set punctuation apart
    #[arg(long)]
    ter_normalized: bool,
    /// ter: drop punctuation
    #[arg(long)]
    ter_no_punct: bool,
    /// ter: set ideographs apart, or drop their punctuation
    #[arg(long)]
    ter_asian_support: bool,
    /// ter: keep the case
    #[arg(long)]
    ter_case_sensitive: bool,
    /// meteor: the task that parameters and weights were tuned to: rank, adq, hter, li, tune, util or universal
    #[arg(long, value_name = "TASK", default_value = "rank", value_parser = task)]
    meteor_task: Task,
    /// meteor: how much a match of each module counts: exact, stem, synonym[, paraphrase] [default: the task's]
    #[arg(long, value_name = "W,W,W", value_delimiter = ',')]
    meteor_weights: Option<Vec<f64>>,
    /// meteor: the text is tokenised and in one case already, as without METEOR's -norm
    #[arg(long)]
    meteor_plain: bool,
    /// rouge: compare Porter stems
    #[arg(long)]
    rouge_stem: bool,
    /// rougeW, rougeS, rougeS4, rougeSU4: the best of several references counts, instead of their mean
    #[arg(long)]
    rouge_best: bool,
    /// nist: the highest order of n-grams
    #[arg(long, value_name = "N", default_value_t = 5)]
    nist_order: usize,
}

fn task(name: &str) -> std::result::Result<Task, String> {
    Task::of_name(name).ok_or_else(|| format!("the tasks are {}", Task::ALL.map(Task::name).join(", ")))
}

fn order(text: &str) -> std::result::Result<usize, String> {
    let order = text.parse().ok().filter(|order| (1..=MAX_ORDER).contains(order));
    order.ok_or_else(|| format!("an order is from 1 to {MAX_ORDER}"))
}

impl MetricOptions {
    /// The metric with these settings.
    pub fn build(
        &self,
        entry: &Entry,
        paraphrases: Option<&Arc<ParaphraseTable>>,
        plan: &mut Plan,
    ) -> tribunal::Result<Box<dyn Metric>> {
        Ok(match entry.name {
            "bleu" => Box::new(Bleu::new(self.bleu()?.check()?, plan)),
            "chrf" => Box::new(Chrf::new(self.chrf(self.chrf_word_order).check()?, plan)),
            "chrf++" => Box::new(Chrf::new(self.chrf(2).check()?, plan)),
            "rouge1" => self.rouge(RougeKind::N(1), plan)?,
            "rouge2" => self.rouge(RougeKind::N(2), plan)?,
            "rouge3" => self.rouge(RougeKind::N(3), plan)?,
            "rouge4" => self.rouge(RougeKind::N(4), plan)?,
            "rougeL" => self.rouge(RougeKind::L, plan)?,
            "rougeLsum" => self.rouge(RougeKind::LSum, plan)?,
            "rougeW" => self.rouge155(Rouge155Kind::W { weight: 1.2 }, plan)?,
            "rougeS" => self.rouge155(Rouge155Kind::S { gap: None, unigrams: false }, plan)?,
            "rougeS4" => self.rouge155(Rouge155Kind::S { gap: Some(4), unigrams: false }, plan)?,
            "rougeSU4" => self.rouge155(Rouge155Kind::S { gap: Some(4), unigrams: true }, plan)?,
            "ter" => Box::new(Ter::new(self.ter(), plan)),
            "meteor" => Box::new(Meteor::new(self.meteor(paraphrases).check()?, plan)),
            "nist" => {
                let settings = NistSettings { order: self.nist_order, ..NistSettings::default() };
                Box::new(Nist::new(settings.check()?, plan))
            }
            _ => (entry.build)(plan),
        })
    }

    fn rouge(&self, kind: RougeKind, plan: &mut Plan) -> tribunal::Result<Box<dyn Metric>> {
        let settings = RougeSettings { stemming: self.rouge_stem, ..RougeSettings::new(kind) };
        Ok(Box::new(Rouge::new(settings.check()?, plan)))
    }

    fn rouge155(&self, kind: Rouge155Kind, plan: &mut Plan) -> tribunal::Result<Box<dyn Metric>> {
        let references = if self.rouge_best { References::Best } else { References::default() };
        let settings = Rouge155Settings { stemming: self.rouge_stem, references, ..Rouge155Settings::new(kind) };
        Ok(Box::new(Rouge155::new(settings.check()?, plan)))
    }

    fn ter(&self) -> TerSettings {
        TerSettings {
            normalized: self.ter_normalized,
            no_punctuation: self.ter_no_punct,
            asian_support: self.ter_asian_support,
            case_sensitive: self.ter_case_sensitive,
        }
    }

    fn meteor(&self, paraphrases: Option<&Arc<ParaphraseTable>>) -> MeteorSettings {
        let modules = if paraphrases.is_some() { &Module::ALL[..] } else { &Module::ALL[..3] };
        let mut settings = MeteorSettings::of_task(self.meteor_task, modules);
        if let Some(weights) = &self.meteor_weights {
            settings.weights.clone_from(weights);
        }
        if self.meteor_plain {
            settings.normalization = Normalization::None;
        }
        settings.paraphrases = paraphrases.cloned();
        settings
    }

    fn bleu(&self) -> tribunal::Result<BleuSettings> {
        if self.smooth_value.is_some() && !["floor", "add-k"].contains(&self.smooth.as_str()) {
            let found = format!("--smooth {}", self.smooth);
            return Err(Error::invalid("--smooth-value", "--smooth floor or add-k with it", found, "leave it out"));
        }
        Ok(BleuSettings {
            tokenizer: self.tokenize,
            lowercase: self.lowercase,
            smoothing: match self.smooth.as_str() {
                "floor" => Smoothing::Floor(self.smooth_value.unwrap_or(0.1)),
                "add-k" => Smoothing::AddK(self.smooth_value.unwrap_or(1.0)),
                "none" => Smoothing::None,
                _ => Smoothing::Exp,
            },
            max_order: self.bleu_order,
            segment_effective_order: true,
            corpus_effective_order: self.effective_order,
        })
    }

    fn chrf(&self, word_order: usize) -> ChrfSettings {
        ChrfSettings {
            character_order: self.chrf_char_order,
            word_order,
            beta: self.chrf_beta,
            lowercase: self.lowercase,
            whitespace: self.chrf_whitespace,
            eps_smoothing: self.chrf_eps_smoothing,
        }
    }
}
