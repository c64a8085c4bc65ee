//! The encoders on this machine.

use std::path::{Path, PathBuf};
use std::{env, fs};

use serde::Serialize;

use super::FILES;
use super::config::Config;

/// A folder with the files of an encoder.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Found {
    /// The folder.
    pub folder: PathBuf,
    /// Its architecture, if it can be read.
    pub architecture: Option<String>,
    /// The bytes of its weights.
    pub bytes: u64,
}

/// The encoders in the working folder and in Hugging Face's cache, where its tools keep what they download.
pub fn found() -> Vec<Found> {
    let home = || env::home_dir().map(|home| home.join(".cache").join("huggingface"));
    let cache = env::var_os("HF_HUB_CACHE").map(PathBuf::from);
    let cache = cache
        .or_else(|| Some(env::var_os("HF_HOME").map(PathBuf::from).or_else(home)?.join("hub")))
        .unwrap_or_default();
    let snapshots = folders(&cache).into_iter().flat_map(|model| folders(&model.join("snapshots")));
    let mut all: Vec<PathBuf> = vec![PathBuf::from(".")];
    all.extend(folders(Path::new(".")).into_iter().chain(snapshots));
    all.iter().filter_map(|folder| look(folder)).collect()
}

/// The folders in a folder, in the order of their names; none if it cannot be read.
fn folders(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut all: Vec<PathBuf> = entries.filter(|path| path.is_dir()).collect();
    all.sort();
    all
}

fn look(folder: &Path) -> Option<Found> {
    let [config, tokenizer, weights] = FILES.map(|name| folder.join(name));
    let bytes = fs::metadata(&weights).ok()?.len();
    let text = fs::read_to_string(&config).ok().filter(|_| tokenizer.is_file())?;
    let architecture = Config::parse(&text, &config).ok().map(|config| config.architecture);
    Some(Found { folder: folder.to_owned(), architecture, bytes })
}
