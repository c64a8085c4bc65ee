//! Tribunal for Python: the library's workflows on lists, and on tables of any library that supports Arrow; and its
//! command line.
//!
//! Nothing is computed here: `pairs` and `texts` convert Python's data, `work` runs a workflow beside the interpreter,
//! `faults` turns errors into Python's exceptions, and each other file wraps one type of the library. Functions and
//! classes are also documented in `tribunal/_native.pyi`, with types.

mod agreement;
mod asking;
mod cells;
mod explanation;
mod faults;
mod features;
mod importing;
mod model;
mod outputs;
mod pairs;
mod ranking;
mod report;
mod requirement;
mod scores;
mod spark;
mod texts;
mod training;
mod values;
mod work;

use std::path::PathBuf;

use pyo3::prelude::*;
use tribunal::encoder::Encoder;

/// Preparing texts allocates many short lists, for which this allocator takes a third of the time of the C library's.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// The native part of the package.
#[pymodule]
mod _native {
    use super::*;
    #[pymodule_export]
    use super::{
        agreement::{Agreement, correlate},
        asking::ask,
        explanation::Explanation,
        features::{Features, features, groups},
        importing::read,
        model::{Judgments, Model},
        outputs::{OutputReport, are_outputs},
        ranking::{Ranking, annotate, next, rank},
        report::Report,
        scores::{Scores, metrics, score},
        spark::{Batch, Regression, judged_references},
        training::{Trained, check_settings, compare, evaluate, fit, train},
    };

    use std::ffi::OsString;

    #[pymodule_export]
    const __VERSION__: &str = env!("CARGO_PKG_VERSION");

    /// The most pairs on which hyperparameters are tuned.
    #[pymodule_export]
    const MAX_TUNING_PAIRS: usize = tribunal::learning::MAX_TUNING_PAIRS;

    /// The most reference fingerprints that a model file holds.
    #[pymodule_export]
    const MOST_REFERENCES: usize = tribunal::model::MOST_REFERENCES;

    /// Set the number of threads for all later computations of this process; 0, the default, means one per core.
    /// Results do not depend on it.
    ///
    /// ```pycon
    /// >>> tribunal.set_threads(0)
    ///
    /// ```
    #[pyfunction]
    #[pyo3(signature = (count, /))]
    fn set_threads(count: usize) {
        super::work::set_threads(count);
    }

    /// Cache the hidden states of encoders in this folder, for all models and calls that name an encoder from now on; None,
    /// the default, means no cache.
    ///
    /// ```pycon
    /// >>> tribunal.set_encoder_cache(None)
    ///
    /// ```
    #[pyfunction]
    #[pyo3(signature = (folder, /))]
    fn set_encoder_cache(folder: Option<PathBuf>) {
        super::work::set_encoder_cache(folder);
    }

    /// Run the command line with the arguments of this process, and return its exit status. Once in a process, whose threads
    /// it sets; `tribunal.__main__` prepares standard streams and signals for it.
    #[pyfunction]
    #[pyo3(signature = (arguments, is_stdout_closed, /))]
    fn run_command_line(py: Python<'_>, arguments: Vec<OsString>, is_stdout_closed: bool) -> u8 {
        py.detach(|| tribunal::cli::main(arguments, is_stdout_closed))
    }

    /// The encoders that are found on this machine, as dictionaries; with `folder`, only a description of the encoder
    /// in it, by which reports and models name it.
    ///
    /// ```pycon
    /// >>> tribunal.encoders()  # doctest: +SKIP
    /// [{'folder': 'all-MiniLM-L6-v2', 'architecture': 'bert', 'bytes': 90868376}]
    /// >>> isinstance(tribunal.encoders(), list)
    /// True
    ///
    /// ```
    #[pyfunction]
    #[pyo3(signature = (folder=None))]
    fn encoders(py: Python<'_>, folder: Option<PathBuf>) -> PyResult<Bound<'_, PyAny>> {
        match folder {
            #[cfg(feature = "encoder")]
            None => values::to_python(py, &tribunal::encoder::found()),
            // Without encoders this says how to get them.
            folder => {
                let folder = folder.unwrap_or_default();
                values::to_python(py, Encoder::open(&folder).map_err(faults::raised)?.description())
            }
        }
    }

    /// The files of the sample, as `tribunal demo` writes them: names with contents.
    #[pyfunction]
    fn sample_files() -> Vec<(String, Vec<u8>)> {
        tribunal::workflows::sample::files()
    }

    /// The licences of the library, its data and its crates: tuples of licensed part, licence and text.
    ///
    /// ```pycon
    /// >>> [(part, licence) for part, licence, text in tribunal.licences()][0]
    /// ('Tribunal', 'MIT OR Apache-2.0')
    ///
    /// ```
    #[pyfunction]
    fn licences() -> Vec<(&'static str, &'static str, &'static str)> {
        let all = tribunal::workflows::licences::all();
        let own = ("Crates of the Python package", "of each", include_str!("../crates.txt"));
        all.iter().map(|part| (part.of, part.licence, part.text)).chain([own]).collect()
    }
}
