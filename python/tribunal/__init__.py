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

All computations release the GIL and use all cores (`set_threads`), and give the same numbers as the
command line. `tribunal.sklearn` has an estimator for scikit-learn, `tribunal.spark` has functions for Apache Spark.
"""

from tribunal import _native
from tribunal._native import (
    Explanation,
    Features,
    Judgments,
    Model,
    Ranking,
    Report,
    Scores,
    Trained,
    compare,
    features,
    fit,
    groups,
    licences,
    metrics,
    rank,
    score,
    set_threads,
    train,
)

__version__ = _native.__VERSION__

__all__ = [
    "Explanation",
    "Features",
    "Judgments",
    "Model",
    "Ranking",
    "Report",
    "Scores",
    "Trained",
    "compare",
    "features",
    "fit",
    "groups",
    "licences",
    "metrics",
    "rank",
    "score",
    "set_threads",
    "train",
]


def _unpickled(text: str, language: str, name: str, encoder: str | None = None) -> Model:
    return Model.from_json(text, language=language, name=name, encoder=encoder)
