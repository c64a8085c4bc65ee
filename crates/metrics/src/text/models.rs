//! The models that metrics can request.

use std::fs;
use std::path::Path;

use crate::comet::{self, Comet};
use crate::encoder::{Encoder, FILES};
use crate::error::{Error, Result};

/// The models that read texts, which users have in folders.
#[derive(Debug, Clone, Default)]
pub struct Models {
    /// An encoder, for BERTScore.
    pub encoder: Option<Encoder>,
    /// A model of COMET.
    pub comet: Option<Comet>,
}

/// Models of fewer MB are read without a note.
const TOLD: u64 = 200;

impl Models {
    /// Opens the models in these folders, as far as they are named. COMET's tokeniser is that of `tokenizer`, or else of its own
    /// folder, or else of the encoder's. `cache` keeps what they make of texts. `tell` hears how large a large one is.
    ///
    /// # Errors
    /// As [`Encoder::open`] and [`Comet::open`]; there is a cache and no model.
    pub fn open(
        encoder: Option<&Path>,
        comet: Option<&Path>,
        tokenizer: Option<&Path>,
        cache: Option<&Path>,
        tell: &dyn Fn(String),
    ) -> Result<Self> {
        if cache.is_some() && encoder.is_none() && comet.is_none() {
            let advice = "name a folder with `encoder` or `comet`";
            return Err(Error::invalid("`encoder_cache`", "an encoder, or a model of COMET", "neither", advice));
        }
        let of_comet = |folder: &Path| {
            let files = comet::FILES.map(|name| fs::metadata(folder.join(name)).map_or(0, |file| file.len()));
            let size = files.into_iter().find(|size| *size > 0).unwrap_or_default() >> 20;
            if size > TOLD {
                tell(format!("{}: reading a model of {size} MB, which stays in memory", folder.display()));
            }
            let beside = tokenizer.or(encoder.filter(|_| !folder.join(FILES[1]).is_file()));
            Comet::open(folder, beside)
        };
        let (encoder, comet) = (encoder.map(Encoder::open).transpose()?, comet.map(of_comet).transpose()?);
        Ok(match cache {
            Some(cache) => Self {
                encoder: encoder.map(|encoder| encoder.with_cache(cache)),
                comet: comet.map(|comet| comet.with_cache(cache)),
            },
            None => Self { encoder, comet },
        })
    }
}
