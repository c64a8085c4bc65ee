//! METEOR's paraphrase table: which one, and where what was read of it is kept.

use std::env;
use std::path::PathBuf;
use std::sync::Arc;

use anyhow::Result;
use clap::Args;
use tribunal::metrics::meteor::{Cached, ParaphraseTable};

use crate::cli::options::Common;

/// Options about the table.
#[derive(Debug, Args)]
#[command(next_help_heading = "Settings of metrics")]
pub struct ParaphraseOptions {
    /// meteor: match paraphrases, too, of METEOR's table, such as paraphrase-en.gz
    #[arg(long, value_name = "FILE")]
    paraphrases: Option<PathBuf>,
    /// meteor: where --paraphrases keeps the table in a form that opens fast; safe to delete
    /// [default: tribunal in $XDG_CACHE_HOME or ~/.cache]
    #[arg(long, value_name = "DIR", requires = "paraphrases")]
    paraphrase_cache: Option<PathBuf>,
}

impl ParaphraseOptions {
    /// The table that the user names, from the cache if it is there.
    pub fn table(&self, common: &Common) -> Result<Option<Arc<ParaphraseTable>>> {
        let Some(path) = &self.paraphrases else { return Ok(None) };
        let Some(folder) = self.paraphrase_cache.clone().or_else(default_folder) else {
            return Ok(Some(Arc::new(ParaphraseTable::read(path)?)));
        };
        let Cached { table, not_kept } = ParaphraseTable::cached(path, &folder)?;
        if let Some(error) = not_kept {
            common.note(&format!("{error}; or name another folder with --paraphrase-cache"));
        }
        Ok(Some(Arc::new(table)))
    }
}

/// Where programs keep what they can make again. A path that is not absolute has no meaning there, says the XDG Base Directory
/// Specification.
fn default_folder() -> Option<PathBuf> {
    let folder = |name: &str| env::var_os(name).map(PathBuf::from).filter(|folder| folder.is_absolute());
    let home = || env::home_dir().filter(|home| home.is_absolute()).map(|home| home.join(".cache"));
    let caches = folder("XDG_CACHE_HOME").or_else(|| folder("LOCALAPPDATA")).or_else(home)?;
    Some(caches.join("tribunal"))
}
