"""Metrics of generated text, and a learned ensemble that predicts human preferences.

    >>> import tribunal
    >>> pair = ("The minister has not resigned.", "Minister the not of resigned!", "The minister did not resign.")
    >>> model = tribunal.Model.builtin()
    >>> model.predict([pair])
    array([1], dtype=int8)
    >>> scores = tribunal.score(["He goes home."], ["He is going home."], metrics=["bleu", "chrf"])
    >>> round(scores["chrf"], 1)
    29.9

Pairs are a list of tuples ``(hyp1, hyp2, ref)``, or a table of pandas, Polars, pyarrow or any other library that
supports Arrow's PyCapsule interface, with the columns ``hyp1``, ``hyp2`` and ``ref``. Further references are a list in
place of ``ref``, or the columns ``ref2``, ``ref3``, ... Labels are 1 (the first hypothesis is better), 0 (a tie) and
-1.

With ``encoder``, the folder of an encoder such as all-MiniLM-L6-v2, BERTScore and the cosine of sentence embeddings
join the metrics and the features.

`sample` has tables to try all of it on. Tables that functions return are dictionaries of columns, which every function
here takes, as do the constructors of pandas and Polars.

All computations release the GIL and use all cores (`set_threads`), and give the same numbers as the
command line. `tribunal.sklearn` has an estimator for scikit-learn, `tribunal.spark` has functions for Apache Spark.
"""

import csv
import io
from typing import Any

from tribunal import _native
from tribunal._native import (
    Agreement,
    Explanation,
    Features,
    Judgments,
    Model,
    OutputReport,
    Ranking,
    Report,
    Scores,
    Trained,
    annotate,
    ask,
    compare,
    correlate,
    encoders,
    evaluate,
    features,
    fit,
    groups,
    licences,
    metrics,
    next,
    rank,
    read,
    score,
    set_encoder_cache,
    set_threads,
    train,
)

__version__ = _native.__VERSION__

__all__ = [
    "Agreement",
    "Explanation",
    "Features",
    "Judgments",
    "Model",
    "OutputReport",
    "Ranking",
    "Report",
    "Scores",
    "Trained",
    "annotate",
    "ask",
    "compare",
    "correlate",
    "encoders",
    "evaluate",
    "features",
    "fit",
    "groups",
    "licences",
    "metrics",
    "next",
    "rank",
    "read",
    "sample",
    "score",
    "set_encoder_cache",
    "set_threads",
    "train",
]


def sample(name: str = "dev") -> dict[str, list[Any]]:
    """A table of the sample that `tribunal demo` writes, as a dictionary of columns. Its sentences are synthetic.

    - "dev": pairs with labels, and judge.1 and judge.2, the scores of an own metric
    - "new": the same without labels
    - "arena": pairs of three systems, of which every other reference has labels
    - "ratings": a score for each segment of three systems

    The steps of `tribunal demo`:

    >>> dev, new = tribunal.sample("dev"), tribunal.sample("new")
    >>> trained = tribunal.train(dev)
    >>> trained.report["ensemble"]["accuracy"] > trained.report["sum"]["accuracy"]
    True
    >>> trained.model.predict(new).shape
    (6,)
    >>> trained.model.explain(new)[0].verdict in (1, 0, -1)
    True
    >>> tribunal.rank(tribunal.sample("arena"), by="both").systems
    ['system1', 'system2', 'system3']
    >>> tribunal.correlate(tribunal.sample("ratings"), metrics=["bleu", "chrf"]).metrics
    ['chrf', 'bleu']
    """
    files = {file: contents.decode() for file, contents in _native.sample_files()}
    if name == "arena":
        header, *rows = csv.reader(io.StringIO(files["arena.csv"]))
    elif name == "ratings":
        # As everywhere in Tribunal, quotes in TSV are part of the text.
        header, *rows = csv.reader(io.StringIO(files["ratings.tsv"]), delimiter="\t", quoting=csv.QUOTE_NONE)
    elif name in ("dev", "new"):
        texts, scores = files[f"{name}.pairs"].splitlines(), files[f"{name}.judge"].splitlines()
        header = ["hyp1", "hyp2", "ref", "judge.1", "judge.2"]
        rows = [[*text.split(" ||| "), *score.split("\t")] for text, score in zip(texts, scores)]
    else:
        raise KeyError(f"sample: expected dev, new, arena or ratings, found {name!r}")
    columns: dict[str, list[Any]] = {column: list(values) for column, values in zip(header, zip(*rows))}
    if name == "dev":
        columns["label"] = files["dev.answers"].split()
    for column in {"label", "score", "judge.1", "judge.2"} & set(columns):
        number = int if column == "label" else float
        columns[column] = [number(value) if value else None for value in columns[column]]
    return columns


def _unpickled(text: str, language: str, name: str, encoder: str | None = None, comet=None) -> Model:
    return Model.from_json(text, language=language, name=name, encoder=encoder, comet=comet)
