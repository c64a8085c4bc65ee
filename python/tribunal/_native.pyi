"""Types of the native part; `tribunal` gives all of it."""

from collections.abc import Iterator, Mapping, Sequence
from os import PathLike
from typing import Any, Protocol, final

import numpy as np
from numpy.typing import NDArray

__all__ = [
    "Batch",
    "Explanation",
    "Features",
    "Judgments",
    "MOST_PAIRS",
    "MOST_REFERENCES",
    "Model",
    "Refit",
    "Report",
    "Scores",
    "Trained",
    "__VERSION__",
    "check_settings",
    "compare",
    "features",
    "fit",
    "groups",
    "judged_references",
    "licences",
    "metrics",
    "score",
    "set_threads",
    "train",
]

__VERSION__: str
MOST_PAIRS: int
MOST_REFERENCES: int

class _ArrowStream(Protocol):
    """A table by Arrow's PyCapsule interface: of pandas, Polars, pyarrow, DuckDB."""

    def __arrow_c_stream__(self, requested_schema: object | None = ...) -> object: ...

class _ArrowArray(Protocol):
    """A record batch by Arrow's PyCapsule interface."""

    def __arrow_c_array__(self, requested_schema: object | None = ...) -> tuple[object, object]: ...

#: n tuples (hyp1, hyp2, ref), with further references behind or a list of them as ref; or a table with these columns.
_Pairs = Sequence[Sequence[str | Sequence[str]]] | Mapping[str, Sequence[Any]] | _ArrowStream | _ArrowArray | NDArray[Any]
#: Names of columns NAME.1 and NAME.2, or values of shape (n, 2) by name; `NAME-` where lower is better.
_Own = Sequence[str] | Mapping[str, Any]
#: A text for each hypothesis, or a list of texts.
_References = Sequence[str] | Sequence[Sequence[str]]
_Path = str | PathLike[str]

def set_threads(count: int, /) -> None:
    """Say how many threads compute from now on in this process; 0, the default, is one a core. Changes no result."""

def licences() -> list[tuple[str, str, str]]:
    """The licences of the library, its data and its crates: what each is of, its name, its text."""

def metrics() -> dict[str, str]:
    """The names of all metrics, with what each is."""

def groups(pairs: _Pairs) -> NDArray[np.int64]:
    """The groups of pairs that share a reference, or a value of the column group: (n,), for GroupKFold and the like."""

def features(
    pairs: _Pairs, *, own: _Own | None = None, only_own: bool = False, language: str = "en"
) -> Features:
    """What models can learn from, for each pair: `h1.F`, `h2.F` for every feature F of a hypothesis, then those of the pair."""

def score(
    hypotheses: str | Sequence[str] | Mapping[str, Sequence[str]],
    references: str | _References,
    metrics: Sequence[str] | None = None,
    *,
    segments: bool = False,
    models: Sequence[Model] | None = None,
    own: Mapping[str, Any] | None = None,
    language: str = "en",
    confidence: bool = False,
    test: str | None = None,
    rounds: int | None = None,
    seed: int | None = None,
    clusters: bool = False,
    sort: str | bool | None = None,
    **settings: Any,
) -> Any:
    """Scores of hypotheses against references.

    Of one text a dictionary, a float a metric. Of a list, or a dictionary of lists by system, `Scores`; with
    `segments=True` a dictionary of arrays (n,), float64, a metric each (of several systems a dictionary of these).
    `test` is "paired-bs" or "paired-ar". Settings of metrics are those of `tribunal score`: `chrf_beta=3`.
    """

def train(
    pairs: _Pairs,
    labels: Sequence[int] | Any | None = None,
    *,
    groups: Sequence[Any] | Any | None = None,
    weights: Sequence[float] | Any | None = None,
    own: _Own | None = None,
    only_own: bool = False,
    without: Sequence[str] | None = None,
    folds: int = 10,
    ties: str | float | None = None,
    seed: int = 1,
    language: str = "en",
    ablation: bool = False,
    curve: bool = False,
    details: bool = False,
    name: str = "pairs",
) -> Trained:
    """Train on pairs that people judged, and report the accuracy out of fold, split by reference.

    `labels`, `groups` and `weights` are lists of n values that stand in for the columns label, group and weight; `ties` is
    "likeliest", "accurate" or a share; `without` stands in place of what is left out by default: meteor, meteor2005, alignment.
    """

def fit(
    pairs: _Pairs,
    labels: Sequence[int] | Any | None = None,
    *,
    groups: Sequence[Any] | Any | None = None,
    weights: Sequence[float] | Any | None = None,
    own: _Own | None = None,
    only_own: bool = False,
    without: Sequence[str] | None = None,
    ties: str | float | None = None,
    seed: int = 1,
    language: str = "en",
    name: str = "pairs",
) -> Model:
    """Train without a report: for callers that cross-validate by themselves."""

def compare(
    pairs: _Pairs,
    labels: Sequence[int] | Any | None = None,
    *,
    models: Sequence[Model] | None = None,
    groups: Sequence[Any] | Any | None = None,
    own: _Own | None = None,
    ties: str | float | None = None,
    seed: int = 1,
    language: str = "en",
    details: bool = False,
) -> Report:
    """Compare ready models, the summed-metric baseline and every metric with what people said."""

def check_settings(
    *, own: _Own, without: Sequence[str] | None, folds: int, ties: str | float | None, seed: int, language: str
) -> None:
    """Say what is wrong with arguments of `train` before there are pairs."""

def judged_references(pairs: _Pairs, *, own: _Own, only_own: bool = False, seed: int) -> Batch:
    """Of judged pairs: label, draw (in [0, 1), the same for all of one first reference), fingerprints of references."""

@final
class Batch:
    """A record batch by Arrow's PyCapsule interface."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

@final
class Refit:
    """A model of which another program fits the weights anew, on more pairs: see `tribunal.spark`."""

    def __new__(cls, model: Model) -> Refit: ...
    def rows(self, pairs: _Pairs) -> Batch:
        """Judged pairs as the model sees them: row (scaled features), label and weight."""
    def regression(self, has_ties: bool) -> dict[str, Any]:
        """What the other program fits: classes, intercepts, penalty, lower and upper."""
    def mirrored(self, rows: _ArrowArray, has_ties: bool) -> Batch:
        """What it learns from, rows and their mirror images: features, class and weight."""
    def weights(self, coefficients: NDArray[np.float64], intercepts: Sequence[float], has_ties: bool) -> str:
        """The weights that it found, as JSON."""
    def sums(self, weights: str, rows: _ArrowArray) -> NDArray[np.float64]:
        """Loss and slope at these weights, to be added to those of other rows."""
    def trained(
        self,
        trained: Trained,
        sample: _Pairs,
        *,
        weights: str,
        sums: NDArray[np.float64],
        labels: Sequence[int],
        groups: int,
        references: Sequence[str] | None,
        name: str,
    ) -> Trained:
        """The model of these weights, with the report of the sample."""

@final
class Features:
    """The features of pairs: a row a pair, a column a feature."""

    @property
    def names(self) -> list[str]: ...
    @property
    def shape(self) -> tuple[int, int]: ...
    def to_numpy(self) -> NDArray[np.float64]:
        """(pairs, features)."""
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __len__(self) -> int: ...

@final
class Judgments:
    """What a model says of n pairs."""

    @property
    def verdicts(self) -> NDArray[np.int8]:
        """1, 0 or -1: (n,)."""
    @property
    def probabilities(self) -> NDArray[np.float64]:
        """Of 1, 0 and -1, in this order: (n, 3)."""
    def __len__(self) -> int: ...

@final
class Model:
    """A trained model: it says which of two hypotheses people would prefer, and scores single hypotheses."""

    @staticmethod
    def builtin(language: str = "en") -> Model:
        """The model inside the library: one for English, one for all other languages."""
    @staticmethod
    def load(path: _Path, *, language: str = "en") -> Model:
        """The model in a file that `save` or `tribunal train` wrote."""
    @staticmethod
    def from_json(text: str, *, language: str = "en", name: str = "model") -> Model:
        """The model of the text of a model file."""
    def to_json(self) -> str:
        """The text of the model file."""
    def save(self, path: _Path) -> None:
        """Write the model file."""
    @property
    def name(self) -> str: ...
    @property
    def language(self) -> str: ...
    @property
    def own(self) -> list[str]:
        """The own metrics that it learned from."""
    @property
    def weights(self) -> list[tuple[str, float]]:
        """The features of a hypothesis, each with its standardised weight."""
    def predict(self, pairs: _Pairs, *, ties: str | float | None = None, own: _Own | None = None) -> NDArray[np.int8]:
        """1 (the first is better), 0 or -1 for each of n pairs: (n,)."""
    def predict_proba(self, pairs: _Pairs, *, ties: str | float | None = None, own: _Own | None = None) -> NDArray[np.float64]:
        """The probabilities of 1, 0 and -1, in this order: (n, 3)."""
    def judge(self, pairs: _Pairs, *, ties: str | float | None = None, own: _Own | None = None) -> Judgments:
        """Verdicts and probabilities at once."""
    def score(
        self, hypotheses: Sequence[str], references: _References, *, own: Mapping[str, Any] | None = None
    ) -> NDArray[np.float64]:
        """A score from 0 to 100 for each hypothesis, roughly a percentile: (n,)."""
    def explain(self, pairs: _Pairs, *, ties: str | float | None = None, own: _Own | None = None) -> list[Explanation]:
        """Why: for each pair what matches the reference, and what speaks for either hypothesis."""

@final
class Explanation:
    """Why a model says what it says of a pair."""

    @property
    def verdict(self) -> int: ...
    @property
    def probabilities(self) -> list[float]:
        """Of 1, 0 and -1."""
    @property
    def preference(self) -> float:
        """The sum of all contributions: above 0 for the first hypothesis."""
    @property
    def contributions(self) -> list[tuple[str, float]]:
        """Of each family of features, the largest first."""
    def to_dict(self) -> dict[str, Any]: ...
    def to_html(self) -> str: ...
    def save(self, path: _Path) -> None: ...
    def _repr_html_(self) -> str: ...

@final
class Report:
    """How often each system says what people say, with 95% intervals."""

    @property
    def rows(self) -> int: ...
    @property
    def groups(self) -> int | None: ...
    @property
    def folds(self) -> int: ...
    @property
    def systems(self) -> list[dict[str, Any]]: ...
    def __getitem__(self, name: str, /) -> dict[str, Any]:
        """The system of that name: "ensemble", "sum" (the baseline), "bleu", ..."""
    def to_dict(self) -> dict[str, Any]: ...
    def to_html(self) -> str: ...
    def save(self, folder: _Path) -> None:
        """Write the folder of `tribunal train --report`."""
    def _repr_html_(self) -> str: ...

@final
class Trained:
    """A model, and the report of its accuracy out of fold."""

    @property
    def model(self) -> Model: ...
    @property
    def report(self) -> Report: ...
    def _repr_html_(self) -> str: ...

@final
class Scores(Mapping[str, Any]):
    """Corpus scores of one or several systems: `scores["bleu"]` is a float, of several systems a dictionary of floats."""

    @property
    def systems(self) -> list[str]: ...
    @property
    def metrics(self) -> list[str]: ...
    @property
    def signatures(self) -> dict[str, str]: ...
    def to_dict(self) -> dict[str, Any]: ...
    def to_numpy(self) -> NDArray[np.float64]:
        """(systems, metrics)."""
    def save(self, path: _Path) -> None:
        """Write the table as CSV, TSV or JSON, by the ending."""
    def __getitem__(self, metric: str, /) -> Any: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
