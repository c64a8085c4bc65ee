//! `tribunal ask`: the verdicts of a language model.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use clap::Args;
use tribunal::ask::{self, AskSettings, Choices, Form, Question, Server, Soft, key_of_environment};
use tribunal::error::pluralized;
use tribunal::files::Input;
use tribunal::files::Output;
use tribunal::formats::are_outputs;
use tribunal::workflows::{self, AskedTable, Engine};

use super::flags::{one_of, whole};
use super::help::GENERAL;
use super::options::{Common, PairOptions, check_files, refuse_for_outputs, refuse_for_pairs};

/// The most bytes of a rubric or a template.
const MAX_TEXT: usize = 1 << 20;

/// Ask a language model which of two hypotheses is better, in both orders, or how good outputs are
///
/// Any server with OpenAI's chat completions answers: vLLM, llama.cpp, Ollama, LM Studio, TGI, or a hosted one. The table gets
/// the columns NAME.12 (the first hypothesis shown first) and NAME.21, or NAME of outputs; `compare`, `train` and `rank` take
/// them with --judge NAME. Where the server gives log probabilities, a value is the probability that the first hypothesis is
/// better, or that the output passes, or the mean grade; otherwise 1, 0 or -1, or the grade itself. What is no verdict is
/// missing; over 10% missing, no table is written.
///
/// Each answer is written to a journal at once, so that the same command goes on after any interruption and pays nothing
/// twice. Texts are shown between marks that they cannot forge.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  tribunal ask arena.jsonl --url http://127.0.0.1:8080/v1 --model qwen3-8b --dry-run\n  \
    tribunal ask arena.jsonl --url http://127.0.0.1:8080/v1 --model qwen3-8b --name qwen -o judged.jsonl\n  \
    tribunal ask outputs.csv --url https://api.openai.com/v1 --key-env OPENAI_API_KEY --model gpt-4.1-mini\n    \
    --price 0.4,1.6 --choices one-to-five --rubric rubric.txt --name gpt -o judged.csv\n  \
    tribunal compare judged.jsonl --judge qwen"
)]
pub struct Ask {
    /// A table of pairs, or of outputs, one a row
    table: Input,
    /// Address of the server, which often ends in /v1
    #[arg(long, value_name = "URL", required_unless_present_any = ["write", "read"])]
    url: Option<String>,
    /// Name of the model
    #[arg(long, value_name = "NAME")]
    model: String,
    /// Name of the judge in the table's columns [default: the model's, without its folder]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Write a .csv, .tsv or .jsonl file
    #[arg(long, short, value_name = "FILE", required_unless_present_any = ["dry_run", "write"])]
    output: Option<PathBuf>,
    /// Form of the answer: JSON by a schema, the verdict alone, or reasons before it
    #[arg(long, value_name = "FORM", default_value = "schema", value_parser = one_of(Form::NAMES))]
    form: Form,
    /// Weigh verdicts by their log probabilities
    #[arg(long, value_name = "WHEN", default_value = "auto", value_parser = one_of(Soft::NAMES))]
    soft: Soft,
    /// Let the judge say that neither hypothesis is better
    #[arg(long)]
    ties: bool,
    /// Verdicts on outputs [default: pass-fail]
    #[arg(long, value_name = "CHOICES", value_parser = one_of(Choices::OF_OUTPUTS))]
    choices: Option<Choices>,
    /// Judge by the rubric in this file
    #[arg(long, value_name = "FILE")]
    rubric: Option<Input>,
    /// Prompt of your own, with {prompt} {context} {reference} {first} {second} {output} {rubric} {answer}
    #[arg(long, value_name = "FILE")]
    template: Option<Input>,
    /// Only count requests, tokens and price, and show one request
    #[arg(long)]
    dry_run: bool,
    /// Ask only about the first rows
    #[arg(long, value_name = "N", value_parser = whole::<usize>(1, None))]
    limit: Option<usize>,
    /// Stop once so many tokens were used
    #[arg(long, value_name = "TOKENS", value_parser = whole::<u64>(1, None))]
    budget: Option<u64>,
    /// Price of a million tokens of prompts, and of answers
    #[arg(long, value_name = "IN,OUT", value_parser = price)]
    price: Option<[f64; 2]>,
    /// Ask again where an answer had no verdict
    #[arg(long)]
    again: bool,
    /// Environment variable with the key of the server
    #[arg(long, value_name = "VARIABLE")]
    key_env: Option<String>,
    /// Journal of the answers [default: OUTPUT.journal]
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
    /// Write the requests as a batch in OpenAI's form, and send nothing
    #[arg(long, value_name = "FILE", conflicts_with_all = ["read", "dry_run"])]
    write: Option<PathBuf>,
    /// Read the results of such a batch, and send nothing
    #[arg(long, value_name = "FILE", conflicts_with = "dry_run")]
    read: Option<Input>,
    /// Most requests at a time
    #[arg(long, value_name = "N", default_value = "8", value_parser = whole::<u16>(1, Some(512)), help_heading = GENERAL, hide_short_help = true)]
    concurrency: u16,
    /// Seconds after which a request has failed
    #[arg(long, value_name = "SECONDS", default_value = "120", value_parser = whole::<u64>(1, None), help_heading = GENERAL, hide_short_help = true)]
    timeout: u64,
    /// How often a failed request is sent again
    #[arg(long, value_name = "N", default_value = "6", value_parser = whole::<u32>(0, Some(100)), help_heading = GENERAL, hide_short_help = true)]
    retries: u32,
    /// Most tokens of an answer [default: 64; letter 16; reason 1024]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1, None), help_heading = GENERAL, hide_short_help = true)]
    max_tokens: Option<u32>,
    #[command(flatten)]
    reading: PairOptions,
}

impl Ask {
    pub fn run(self, common: &Common) -> Result<()> {
        let inputs = [&self.table].into_iter().chain(&self.rubric).chain(&self.template).chain(&self.read);
        let outputs: Vec<_> = self.output.iter().chain(&self.write).map(|path| Some(path.as_path())).collect();
        check_files(inputs, &outputs)?;
        let reading = self.reading.reading(&self.table)?;
        let table = AskedTable {
            are_outputs: are_outputs(&self.table, &reading)?,
            input: self.table.clone(),
            reading,
            limit: self.limit,
        };
        match table.are_outputs {
            true => refuse_for_outputs(&[(self.ties, "ties")])?,
            false => refuse_for_pairs(&[(self.choices.is_some(), "choices")])?,
        }
        let settings = self.settings(table.are_outputs)?;
        if let Some(path) = &self.write {
            let mut output = Output::create(Some(path))?;
            ask::write_batch(&|| table.texts(), &settings, |line| output.write(format!("{line}\n").as_bytes()))?;
            return Ok(output.finish()?);
        }
        if self.dry_run {
            return self.show_plan(&table, &settings, common);
        }
        let Some(output) = &self.output else { return Ok(()) };
        if let Some(results) = &self.read {
            ask::read_batch(results, &settings)?;
        }
        let name = self.name.as_deref().unwrap_or(self.model.rsplit('/').next().unwrap_or(&self.model));
        common.with_context(&Engine::new(), |context| workflows::ask(context, &table, &settings, name, output))
    }

    fn settings(&self, are_outputs: bool) -> Result<AskSettings> {
        let text = |input: &Option<Input>| input.as_ref().map(|input| input.read_to_string(MAX_TEXT)).transpose();
        let choices = match (are_outputs, self.ties) {
            (true, _) => self.choices.unwrap_or(Choices::PassFail),
            (false, true) => Choices::BetterOrTie,
            (false, false) => Choices::Better,
        };
        let (rubric, template) = (text(&self.rubric)?, text(&self.template)?);
        let key = self.key_env.as_deref().map(key_of_environment).transpose()?;
        let server = self.url.clone().filter(|_| self.read.is_none()).map(|url| {
            let (concurrency, timeout) = (self.concurrency.into(), Duration::from_secs(self.timeout));
            Server { url, key, concurrency, timeout, retries: self.retries }
        });
        let beside = |output: &PathBuf| {
            let mut name = output.clone().into_os_string();
            name.push(".journal");
            PathBuf::from(name)
        };
        Ok(AskSettings {
            model: self.model.clone(),
            question: Question { choices, form: self.form, rubric, template },
            soft: self.soft,
            max_tokens: self.max_tokens,
            server,
            journal: self.journal.clone().or(self.output.as_ref().map(beside)),
            again: self.again,
            budget: self.budget,
            price: self.price,
        })
    }

    fn show_plan(&self, table: &AskedTable, settings: &AskSettings, common: &Common) -> Result<()> {
        let plan = ask::plan(&|| table.texts(), settings)?;
        let text = || {
            let [prompts, answers] = plan.tokens;
            let price = plan.price.map_or_else(String::new, |price| format!(", price about {price:.4}"));
            let first = plan.first.as_ref().map_or_else(String::new, |body| {
                let messages = body["messages"].as_array().into_iter().flatten();
                let shown = messages.filter_map(|message| message["content"].as_str());
                format!("\nThe first request:\n\n{}\n", shown.collect::<Vec<_>>().join("\n\n"))
            });
            format!(
                "{}, {} in the journal\nabout {prompts} tokens of prompts and {answers} of answers{price}\n{first}",
                pluralized(plan.requests, "request"),
                plan.answered
            )
        };
        common.print(&plan, text)
    }
}

fn price(text: &str) -> Result<[f64; 2], String> {
    let number = |text: &str| text.trim().parse().ok().filter(|price: &f64| price.is_finite() && *price >= 0.0);
    let both = text.split_once(',').and_then(|(one, other)| Some([number(one)?, number(other)?]));
    both.ok_or_else(|| "expected two prices, such as 0.4,1.6".to_owned())
}
