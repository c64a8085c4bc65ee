"""Types of the native module, which `tribunal` re-exports."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, Protocol, final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Agreement",
    "Batch",
    "Explanation",
    "Features",
    "Judgments",
    "MAX_TUNING_PAIRS",
    "MOST_REFERENCES",
    "Model",
    "Regression",
    "OutputReport",
    "Ranking",
    "Report",
    "Scores",
    "Trained",
    "__VERSION__",
    "annotate",
    "are_outputs",
    "ask",
    "check_settings",
    "compare",
    "correlate",
    "encoders",
    "evaluate",
    "features",
    "fit",
    "groups",
    "judged_references",
    "licences",
    "metrics",
    "next",
    "rank",
    "read",
    "run_command_line",
    "sample_files",
    "score",
    "set_encoder_cache",
    "set_threads",
    "train",
]

__VERSION__: str
MAX_TUNING_PAIRS: int
MOST_REFERENCES: int

class _ArrowStream(Protocol):
    """A table that supports Arrow's PyCapsule interface, as of pandas, Polars, pyarrow or DuckDB."""

    def __arrow_c_stream__(self, requested_schema: object | None = ...) -> object: ...

class _ArrowArray(Protocol):
    """A record batch that supports Arrow's PyCapsule interface."""

    def __arrow_c_array__(self, requested_schema: object | None = ...) -> tuple[object, object]: ...

#: n tuples (hyp1, hyp2, ref), with further references after ref or a list as ref; or a table with these columns.
_Pairs = Sequence[Sequence[str | Sequence[str]]] | Mapping[str, Sequence[Any]] | _ArrowStream | _ArrowArray | NDArray[Any]
#: Names of columns NAME.1 and NAME.2, or values of shape (n, 2) by name; `NAME-` if lower is better.
_Own = str | Iterable[str] | Mapping[str, Any]
#: A text for each hypothesis, or a list of texts.
_References = Sequence[str] | Sequence[Sequence[str]]
_Path = str | PathLike[str]
#: The folder of a COMET model, or that and the one with its tokeniser.
_Comet = _Path | tuple[_Path, _Path]
#: A name, or several: of columns, metrics or features.
_Names = str | Iterable[str]
#: A tie rule.
_Ties = str | float | None
#: A table as a dictionary of its columns.
_Columns = dict[str, list[Any]]
#: Names of columns, by their roles.
_Roles = Mapping[str, str]

def set_encoder_cache(folder: _Path | None, /) -> None:
    """Cache the hidden states of encoders in this folder; None for no cache."""

def set_threads(count: int, /) -> None:
    """Set the number of threads for all later computations of this process; 0, the default, means one per core."""

def run_command_line(arguments: Sequence[str], is_stdout_closed: bool, /) -> int:
    """Run the command line with the arguments of this process, and return its exit status."""

def licences() -> list[tuple[str, str, str]]:
    """The licences of the library, its data and its crates: tuples of licensed part, licence and text."""

def metrics(*, encoder: _Path | None = None, comet: _Comet | None = None) -> dict[str, str]:
    """The names of all metrics, with a description of each."""

def encoders(folder: _Path | None = None) -> Any:
    """The encoders on this machine, a list of dictionaries; with `folder`, a dictionary that describes the one in it."""

def sample_files() -> list[tuple[str, bytes]]:
    """The files of the sample, as `tribunal demo` writes them: names with contents."""

def read(
    files: _Path | Sequence[_Path],
    format: str | None = None,
    *,
    scores: bool = False,
    drop_same_text: bool = False,
    own: _Names | None = None,
    **settings: Any,
) -> _Columns:
    """Read human judgments in any format of `tribunal import`: pairs, or with `scores` human scores, as columns."""

def groups(pairs: _Pairs, *, column: _Roles | None = None) -> NDArray[np.int64]:
    """The group of each pair, by shared references and values of the column group: (n,), as for GroupKFold."""

def features(
    pairs: _Pairs,
    *,
    own: _Own | None = None,
    judges: _Names | None = None,
    only_own: bool = False,
    column: _Roles | None = None,
    language: str = "en",
    encoder: _Path | None = None,
    comet: _Comet | None = None,
) -> Features:
    """The features of each pair: `h1.F` and `h2.F` for every feature F of a hypothesis, then those of the pair and the
    mean verdicts of judges."""

def score(
    hypotheses: str | Sequence[str] | Mapping[str, Sequence[str]],
    references: str | _References | None,
    metrics: _Names | None = None,
    *,
    segments: bool = False,
    models: Model | Sequence[Model] | None = None,
    own: Mapping[str, Any] | None = None,
    language: str = "en",
    confidence: bool = False,
    test: str | None = None,
    rounds: int | None = None,
    seed: int | None = None,
    clusters: bool = False,
    sort: str | bool | None = None,
    encoder: _Path | None = None,
    comet: _Comet | None = None,
    sources: str | Sequence[str] | None = None,
    **settings: Any,
) -> Any:
    """Scores of hypotheses against references.

    `metrics` names one or several, by default bleu, chrf, ter, rougeL and meteor.

    For one text, a dictionary with one float per metric. For a list, or a dictionary of lists by system, `Scores`; with
    `segments=True`, a dictionary with one array (n,), float64, per metric (for several systems, a dictionary of these).
    `test` is "paired-bs" or "paired-ar". Settings of metrics are those of `tribunal score`: `chrf_beta=3`.
    """

def train(
    pairs: _Pairs,
    labels: Sequence[int] | Any | None = None,
    *,
    groups: Sequence[Any] | Any | None = None,
    weights: Sequence[float] | Any | None = None,
    own: _Own | None = None,
    judges: _Names | None = None,
    only_own: bool = False,
    annotators: _Names | None = None,
    merge: bool = False,
    no_majority: str = "tie",
    majority_weights: bool = False,
    column: _Roles | None = None,
    without: _Names | None = None,
    folds: int = 10,
    ties: _Ties = None,
    seed: int = 1,
    language: str = "en",
    epsilon: float = 0.2,
    ablation: bool = False,
    curve: bool = False,
    details: bool = False,
    by_column: str | None = None,
    name: str = "pairs",
    encoder: _Path | None = None,
    comet: _Comet | None = None,
) -> Trained:
    """Train on human-labelled pairs, and report the accuracy, cross-validated by reference.

    `labels`, `groups` and `weights` are lists of n values that replace the columns label, group and weight; `ties` is
    "likeliest", "accurate" or a share; `without` replaces the default exclusions (meteor, meteor2005, alignment).
    `judges` are columns of verdicts (`NAME`, or `NAME.12` and `NAME.21` in both orders), `annotators` columns of labels;
    `column` maps roles to other names: `{"hyp1": "answer"}`.
    """

def fit(
    pairs: _Pairs,
    labels: Sequence[int] | Any | None = None,
    *,
    groups: Sequence[Any] | Any | None = None,
    weights: Sequence[float] | Any | None = None,
    own: _Own | None = None,
    judges: _Names | None = None,
    only_own: bool = False,
    annotators: _Names | None = None,
    merge: bool = False,
    no_majority: str = "tie",
    majority_weights: bool = False,
    column: _Roles | None = None,
    without: _Names | None = None,
    ties: _Ties = None,
    seed: int = 1,
    language: str = "en",
    name: str = "pairs",
    encoder: _Path | None = None,
    comet: _Comet | None = None,
) -> Model:
    """Train without a report, for callers that cross-validate themselves."""

def compare(
    pairs: _Pairs,
    labels: Sequence[int] | Any | None = None,
    *,
    models: Model | Sequence[Model] | None = None,
    groups: Sequence[Any] | Any | None = None,
    own: _Own | None = None,
    judges: _Names | None = None,
    annotators: _Names | None = None,
    merge: bool = False,
    no_majority: str = "tie",
    column: _Roles | None = None,
    ties: _Ties = None,
    seed: int = 1,
    language: str = "en",
    epsilon: float = 0.2,
    against: str | None = None,
    gain: float = 0.02,
    details: bool = False,
    by_column: str | None = None,
    encoder: _Path | None = None,
    comet: _Comet | None = None,
) -> Any:
    """Compare trained models, the summed-metric baseline and every single metric with human labels.

    A `Report`; of a table with one `output` a row an `OutputReport`.
    """

def rank(
    pairs: _Pairs | Mapping[str, Sequence[str]],
    labels: Sequence[int] | Any | None = None,
    *,
    by: str | None = None,
    model: Model | None = None,
    groups: Sequence[Any] | Any | None = None,
    own: _Own | None = None,
    judges: _Names | None = None,
    annotators: _Names | None = None,
    merge: bool = False,
    no_majority: str = "tie",
    column: _Roles | None = None,
    references: _References | None = None,
    style_control: bool = False,
    lambda_: float | None = None,
    seed: int = 1,
    language: str = "en",
    encoder: _Path | None = None,
    comet: _Comet | None = None,
    sources: str | Sequence[str] | None = None,
) -> Any:
    """Rank the systems of pairs: win rates, Bradley-Terry strengths and clusters, with 95% CIs.

    A `Ranking`; of a table with one `output` a row an `OutputReport`.
    """

def next(
    pairs: _Pairs,
    count: int = 100,
    *,
    model: Model | None = None,
    labels: Sequence[int | None] | Any | None = None,
    groups: Sequence[Any] | Any | None = None,
    own: _Own | None = None,
    judges: _Names | None = None,
    annotators: _Names | None = None,
    merge: bool = False,
    no_majority: str = "tie",
    column: _Roles | None = None,
    random: float = 0.3,
    seed: int = 1,
    language: str = "en",
    encoder: _Path | None = None,
    comet: _Comet | None = None,
) -> _Columns:
    """Draw the pairs or outputs whose labels would help most, from those without a label, with `row`, `drawn` and `wave`; then the labelled ones."""

def annotate(
    pairs: _Pairs,
    output: _Path,
    *,
    annotator: str | None = None,
    controls: int | None = None,
    scale: str | None = None,
    own: _Own | None = None,
    judges: _Names | None = None,
    column: _Roles | None = None,
    seed: int = 1,
    name: str = "pairs",
) -> None:
    """Write a page on which people label pairs or outputs, without a network."""

def evaluate(
    verdicts: Sequence[int] | Mapping[str, Sequence[int]] | Any,
    labels: Sequence[int] | Any | None = None,
    *,
    pairs: _Pairs | None = None,
    groups: Sequence[Any] | Any | None = None,
    column: _Roles | None = None,
    seed: int = 1,
) -> Report:
    """Report how often verdicts, or those of several by name, agree with human labels."""

def correlate(
    scores: Mapping[str, Sequence[Any]] | _ArrowStream | _ArrowArray,
    people: _Names | None = None,
    *,
    metrics: _Names | None = None,
    column: _Roles | None = None,
    by_column: str | None = None,
    complete: bool = False,
    kendall_like: Sequence[float] | None = None,
    test: str | None = None,
    rounds: int | None = None,
    seed: int | None = None,
    language: str = "en",
    encoder: _Path | None = None,
    comet: _Comet | None = None,
) -> Agreement:
    """Correlate metrics with human scores of segments of systems, and test which metrics differ."""

def ask(
    table: _Pairs,
    *,
    url: str,
    model: str,
    name: str | None = None,
    form: str = "schema",
    soft: str = "auto",
    ties: bool = False,
    choices: str | None = None,
    rubric: str | None = None,
    template: str | None = None,
    journal: _Path | None = None,
    again: bool = False,
    budget: int | None = None,
    key_env: str | None = None,
    concurrency: int = 8,
    timeout: int = 120,
    retries: int = 6,
    max_tokens: int | None = None,
    column: _Roles | None = None,
) -> dict[str, list[float | None]]:
    """Ask a language model which hypothesis of each pair is better, in both orders, or how good each output is.

    The columns to add: ``NAME.12`` and ``NAME.21``, or ``NAME`` of outputs, such as ``frame.assign(**columns)``. With a
    ``journal``, the name of a file, the same call goes on after an interruption and pays nothing twice. ``rubric`` and
    ``template`` are texts.
    """

def check_settings(
    *, own: _Own, without: _Names | None, folds: int, ties: _Ties, seed: int, language: str,
    encoder: _Path | None = None,
    comet: _Comet | None = None,
) -> None:
    """Validate the arguments of `train` without data; raises the same errors."""

def are_outputs(table: _Pairs, *, column: _Roles | None = None) -> bool:
    """Whether a table has one output a row, and no pair. ``column`` maps roles to names of columns."""

def judged_references(pairs: _Pairs, *, own: _Own, seed: int) -> Batch:
    """For judged pairs: label, draw (in [0, 1), equal for equal first references) and fingerprints of references."""

@final
class Agreement:
    """How metrics agree with human scores, the best first, and which of them differ significantly."""

    @property
    def metrics(self) -> list[str]:
        """The names, the best first."""
    def to_pandas(self, table: str = "metrics") -> Any:
        """A pandas frame: "metrics" or "differences"."""
    def to_dict(self) -> dict[str, Any]: ...

@final
class Batch:
    """An Arrow record batch, exported by the PyCapsule interface."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

@final
class Regression:
    """The regression behind a model, for MLlib to fit on more pairs: see `tribunal.spark`."""

    def __new__(cls, model: Model, has_ties: bool) -> Regression: ...
    def rows(self, pairs: _Pairs) -> Batch:
        """Pairs and their mirror images: features, class and weight."""
    def problem(self) -> dict[str, Any]:
        """The problem to solve: penalty, lower and upper, the bounds of shape (classes, columns)."""
    def model(
        self,
        sample: _Pairs,
        coefficients: NDArray[np.float64],
        intercepts: Sequence[float],
        *,
        labels: Sequence[int],
        groups: int,
        references: Sequence[str] | None,
    ) -> Model:
        """The model with the weights that MLlib found; the scale of its scores is measured on the sample."""

@final
class Features:
    """The features of pairs: one row per pair, one column per feature."""

    @property
    def names(self) -> list[str]: ...
    @property
    def shape(self) -> tuple[int, int]: ...
    def to_numpy(self) -> NDArray[np.float64]:
        """The values: (pairs, features)."""
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __len__(self) -> int: ...

@final
class Judgments:
    """A model's verdicts and probabilities for n pairs."""

    @property
    def verdicts(self) -> NDArray[np.int8]:
        """1, 0 or -1: (n,)."""
    @property
    def probabilities(self) -> NDArray[np.float64]:
        """The probabilities of 1, 0 and -1, in this order: (n, 3)."""
    def __len__(self) -> int: ...

@final
class Model:
    """A trained model: predicts which of two hypotheses people prefer, and scores single hypotheses."""

    @staticmethod
    def builtin(language: str = "en", *, encoder: _Path | None = None, comet: _Comet | None = None) -> Model:
        """The built-in model for a language: one for English, one for all others; with an encoder, the one trained with it."""
    @staticmethod
    def load(path: _Path, *, language: str = "en", encoder: _Path | None = None, comet: _Comet | None = None) -> Model:
        """Load a model file written by `save` or `tribunal train`."""
    @staticmethod
    def from_json(text: str, *, language: str = "en", name: str = "model", encoder: _Path | None = None, comet: _Comet | None = None) -> Model:
        """Read a model from the text of a model file."""
    def to_json(self) -> str:
        """The text of the model file."""
    def save(self, path: _Path) -> None:
        """Write the model file."""
    @property
    def name(self) -> str: ...
    @property
    def language(self) -> str: ...
    @property
    def encoder(self) -> str | None:
        """The folder of its encoder, if it has one."""
    @property
    def own(self) -> list[str]:
        """The own metrics that the model was trained with."""
    @property
    def judges(self) -> list[str]:
        """The judges that the model was trained with."""
    @property
    def weights(self) -> list[tuple[str, float]]:
        """The features of a hypothesis with their learned weights, for standardised features."""
    def confidence_for(self, agreement: float) -> float:
        """The least probability of a verdict at which verdicts agree with people in this share."""
    def predict(
        self,
        pairs: _Pairs,
        *,
        ties: _Ties = None,
        own: _Own | None = None,
        column: _Roles | None = None,
        min_agreement: float | None = None,
    ) -> Any:
        """1 (the first is better), 0 or -1 for each of n pairs: (n,), int8.

        Of a table with one `output` a row, a list of dictionaries with score, expected label and verdict.
        """
    def predict_proba(
        self, pairs: _Pairs, *, ties: _Ties = None, own: _Own | None = None, column: _Roles | None = None
    ) -> NDArray[np.float64]:
        """The probabilities of 1, 0 and -1, in this order: (n, 3)."""
    def judge(
        self, pairs: _Pairs, *, ties: _Ties = None, own: _Own | None = None, column: _Roles | None = None
    ) -> Judgments:
        """Verdicts and probabilities at once."""
    def score(
        self,
        hypotheses: Sequence[str],
        references: _References,
        *,
        own: Mapping[str, Any] | None = None,
        sources: Sequence[str] | None = None,
    ) -> NDArray[np.float64]:
        """A score from 0 to 100 for each hypothesis, roughly a percentile of the training translations: (n,)."""
    def explain(
        self, pairs: _Pairs, *, ties: _Ties = None, own: _Own | None = None, column: _Roles | None = None
    ) -> list[Explanation]:
        """Explain each verdict: matches with the reference, contributions of features, values of metrics."""

@final
class Explanation:
    """The explanation of a model's verdict on a pair."""

    @property
    def verdict(self) -> int: ...
    @property
    def probabilities(self) -> list[float]:
        """The probabilities of 1, 0 and -1."""
    @property
    def preference(self) -> float:
        """The sum of all contributions; above 0 it favours the first hypothesis."""
    @property
    def contributions(self) -> list[tuple[str, float]]:
        """The contribution of each family of features, in descending order of absolute value."""
    def to_dict(self) -> dict[str, Any]: ...
    def to_html(self) -> str: ...
    def save(self, path: _Path) -> None: ...
    def _repr_html_(self) -> str: ...

@final
class OutputReport:
    """What `compare` and `rank` find about single outputs, with 95% CIs."""

    @property
    def tables(self) -> list[str]:
        """The names of the tables of `to_pandas`."""
    def __getitem__(self, name: str, /) -> dict[str, Any]:
        """The row of a judge or metric, or of a system."""
    def to_pandas(self, table: str | None = None) -> Any:
        """A table as a pandas frame, by default the first one."""
    def to_dict(self) -> dict[str, Any]: ...
    def require(self, what: str) -> dict[str, Any]:
        """Whether something holds by the 95% interval, such as "v2 >= v1 - 5": its "outcome" is met, unmet, or open."""
    def to_html(self) -> str: ...

@final
class Report:
    """An accuracy report: agreement of systems with human labels, with 95% CIs."""

    @property
    def rows(self) -> int: ...
    @property
    def groups(self) -> int | None: ...
    @property
    def folds(self) -> int: ...
    @property
    def systems(self) -> list[dict[str, Any]]: ...
    @property
    def outputs(self) -> OutputReport | None:
        """How well expected labels of single outputs agree with their labels."""
    def to_pandas(self) -> Any:
        """The systems as a pandas frame."""
    def __getitem__(self, name: str, /) -> dict[str, Any]:
        """The system of that name: "ensemble", "sum" (the baseline), "bleu", ..."""
    def to_dict(self) -> dict[str, Any]: ...
    def require(self, what: str) -> dict[str, Any]:
        """Whether something holds by the 95% interval, such as "v2 >= v1 - 5": its "outcome" is met, unmet, or open."""
    def to_html(self) -> str: ...
    def save(self, folder: _Path, *, all_pairs: bool = False) -> None:
        """Write the folder of `tribunal train --report`."""
    def _repr_html_(self) -> str: ...

@final
class Ranking:
    """A ranking of systems: win rates, Bradley-Terry strengths, clusters, with 95% CIs."""

    @property
    def systems(self) -> list[str]:
        """The names, the strongest first."""
    def to_pandas(self, table: str = "systems") -> Any:
        """A pandas frame: "systems", "differences" or "power"."""
    def to_dict(self) -> dict[str, Any]: ...
    def require(self, what: str) -> dict[str, Any]:
        """Whether something holds by the 95% interval, such as "v2 >= v1 - 5": its "outcome" is met, unmet, or open."""
    def to_html(self) -> str: ...

@final
class Trained:
    """A model, and the report of its cross-validated accuracy."""

    def __new__(cls, model: Model, report: Report) -> Trained: ...
    @property
    def model(self) -> Model: ...
    @property
    def report(self) -> Report: ...
    def _repr_html_(self) -> str: ...

@final
class Scores(Mapping[str, Any]):
    """Corpus scores of one or several systems: `scores["bleu"]` is a float, or a dictionary of floats by system."""

    @property
    def systems(self) -> list[str]: ...
    @property
    def metrics(self) -> list[str]: ...
    @property
    def signatures(self) -> dict[str, str]: ...
    def to_dict(self) -> dict[str, Any]: ...
    def to_numpy(self) -> NDArray[np.float64]:
        """The scores: (systems, metrics)."""
    def save(self, path: _Path) -> None:
        """Write the table as CSV, TSV or JSON, by the file's extension."""
    def require(self, what: str) -> dict[str, Any]:
        """Whether something holds by the 95% interval of the bootstrap, such as "v2 >= v1"; as Report.require."""
    def __getitem__(self, metric: str, /) -> Any: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
