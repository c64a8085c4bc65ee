"""Features, verdicts and training on Apache Spark, for DataFrames of pairs of any size, and of single outputs.

    judged = tribunal.spark.predict(spark.read.parquet("pairs.parquet"))
    trained = tribunal.spark.train(spark.read.parquet("judged.parquet"))

A DataFrame of pairs has the same columns as every table of pairs in this package: ``hyp1``, ``hyp2`` and ``ref``; one of
single outputs has the column ``output``, and is known by it. Rows
go to Python workers as Arrow batches (``mapInArrow``), and each task uses as many threads as Spark gives it cores
(``spark.task.cpus``). The package has to be installed on every machine. docs/tutorials/cluster.md describes the speed
and how distributed training works.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from os import PathLike
from typing import Any

try:
    import pyarrow as pa
    from pyspark import Broadcast, StorageLevel, TaskContext
    from pyspark.ml.classification import LogisticRegression
    from pyspark.ml.functions import array_to_vector
    from pyspark.ml.linalg import DenseMatrix
    from pyspark.sql import DataFrame
    from pyspark.sql.functions import col, explode
    from pyspark.sql.pandas.types import to_arrow_schema
    from pyspark.sql.types import ByteType, DataType, DoubleType, StringType, StructField, StructType
except ImportError as error:
    raise ImportError("tribunal.spark needs Apache Spark 4: pip install 'tribunal[spark]'") from error

import numpy as np

import tribunal
from tribunal import Model, Trained, _native

__all__ = ["features", "predict", "train"]

#: The columns that pairs use, besides references and own metrics.
_KNOWN = ("hyp1", "hyp2", "label", "id", "group", "annotator", "judges", "weight")

#: The scales of a judge's numbers, one of which follows its name.
_SCALES = ("probability", "signed", "words", "one-to-two")

#: MLlib stops where no component of the gradient within bounds exceeds 1e-5, or at this tolerance.
_TOLERANCE = 1e-9
_MAX_ITERATIONS = 1000

_Batches = Iterator[pa.RecordBatch]


def features(
    df: DataFrame,
    *,
    own: Sequence[str] = (),
    judges: str | Sequence[str] = (),
    only_own: bool = False,
    column: Mapping[str, str] | None = None,
    language: str = "en",
    encoder: str | PathLike[str] | None = None,
) -> DataFrame:
    """Add the features that models learn from to each pair or single output: one column of doubles per feature, named as
    in the output of ``tribunal features``. Takes the arguments of `tribunal.features`; values of own metrics must be columns.

    Each judge is named with the scale of its numbers, such as ``gpt:probability``: no batch shows that of all rows.

    Beside single outputs, columns of judges and own metrics are features as they are: they cannot be named here.

    Names contain dots: write ``df["`h1.bleu`"]``. ``encoder`` is a folder that is the same on every machine; each worker
    opens it once.
    """
    own = _own(own)
    judges = [judges] if isinstance(judges, str) else list(judges)
    if (own or judges or only_own) and _native.are_outputs(_example(df), column=column):
        raise ValueError("own, judges: expected pairs, found outputs, beside which these columns are; omit them")
    for name in judges:
        if name.rpartition(":")[2] not in _SCALES:
            raise ValueError(
                f"judges: expected the scale of the judge {name!r}, found none; write {name}:probability, "
                f"or one of {', '.join(_SCALES)}"
            )
    settings: dict[str, Any] = dict(
        own=own, judges=judges, only_own=only_own, column=column, language=language, encoder=encoder
    )
    names = tribunal.features(_example(df), **settings).names

    def compute(batch: pa.RecordBatch) -> list[pa.Array]:
        return pa.record_batch(tribunal.features(batch, **settings)).columns

    return _with_columns(df, [(name, DoubleType()) for name in names], compute)


def predict(
    df: DataFrame,
    model: Model | None = None,
    *,
    ties: str | float | None = None,
    column: Mapping[str, str] | None = None,
    language: str = "en",
    encoder: str | PathLike[str] | None = None,
    min_agreement: float | None = None,
) -> DataFrame:
    """Add to each pair the columns ``verdict`` (1: the first hypothesis is better, 0: a tie, -1: the second), and
    ``p_first``, ``p_tie`` and ``p_second``, the probabilities of these verdicts.

    ``model`` defaults to the built-in model for ``language`` and ``encoder``, the folder of an encoder, which must be the
    same on every machine, and which each worker opens once. Values of the model's own metrics and verdicts of its judges
    must be columns. ``column`` maps roles to names of columns, and ``ties`` is "likeliest" or "threshold=P", as in
    `Model.predict`, which, unlike this, warns about references that the model was trained on.

    Single outputs get the columns ``score``, ``verdict`` and ``expected``, as `Model.predict` describes them with
    ``min_agreement``; those that it leaves out are null.
    """
    if ties not in (None, "likeliest") and not str(ties).startswith("threshold="):
        raise ValueError(f"ties: expected likeliest or threshold=P, as batches do not know each other, found {ties!r}")
    model = Model.builtin(language, encoder=encoder) if model is None else model
    if _native.are_outputs(_example(df), column=column):
        return _predicted_outputs(df, model, dict(ties=ties, column=column, min_agreement=min_agreement))
    if min_agreement is not None:
        raise ValueError("min_agreement: expected outputs, one a row, found pairs; compare probabilities instead")
    model.judge(_example(df), ties=ties, column=column)
    shared = _shared(df, model)

    def compute(batch: pa.RecordBatch) -> list[pa.Array]:
        judged = _model(*shared.value).judge(batch, ties=ties, column=column)
        return [pa.array(judged.verdicts), *(pa.array(column) for column in judged.probabilities.T.copy())]

    new = [("verdict", ByteType()), ("p_first", DoubleType()), ("p_tie", DoubleType()), ("p_second", DoubleType())]
    return _with_columns(df, new, compute)


def _predicted_outputs(df: DataFrame, model: Model, settings: dict[str, Any]) -> DataFrame:
    """Add to each single output its score, verdict and expected label."""
    with warnings.catch_warnings():
        # The values of the example say nothing.
        warnings.simplefilter("ignore")
        model.predict(_example(df), **settings)
    shared = _shared(df, model)
    new = {"score": DoubleType(), "verdict": StringType(), "expected": DoubleType()}
    kinds = (pa.float64(), pa.string(), pa.float64())

    def compute(batch: pa.RecordBatch) -> list[pa.Array]:
        predicted = _model(*shared.value).predict(batch, **settings)
        return [pa.array([one.get(name) for one in predicted], kind) for name, kind in zip(new, kinds, strict=True)]

    return _with_columns(df, list(new.items()), compute, may_be_null=True)


def train(
    df: DataFrame,
    *,
    own: Sequence[str] = (),
    without: Sequence[str] | None = None,
    folds: int = 10,
    ties: str | float | None = None,
    seed: int = 1,
    language: str = "en",
    name: str = "pairs",
    sample: int | None = None,
    encoder: str | PathLike[str] | None = None,
) -> Trained:
    """Train the ensemble on human-labelled pairs: the columns of pairs, ``label`` and, if known, ``group``,
    ``weight`` and values of own metrics. Takes these arguments of `tribunal.train`; judges and annotators, which are rarely
    on so many pairs, need that function itself.

    Up to ``sample`` pairs, by default 40,000, are collected and given to `tribunal.train`. If there are more, two samples
    of whole references, of half that size each, are collected. The first determines scales, penalty and tie rule. MLlib's
    logistic regression then fits the weights on all pairs but those of the second sample, with which the report compares
    the model, the baseline and every single metric.
    """
    own, most = _own(own), _native.MAX_TUNING_PAIRS if sample is None else sample
    pairs = df.select(*_columns_of_pairs(df, own))
    if not any(name.startswith("ref") for name in df.columns):
        raise KeyError("training on Spark: no column 'ref'; train pairs without references with tribunal.train")
    settings: dict[str, Any] = dict(own=own, without=without, ties=ties, seed=seed, language=language, encoder=encoder)
    _native.check_settings(folds=folds, **settings)
    _native.judged_references(_example(pairs), own=own, seed=seed)
    known = _map(
        pairs,
        lambda batch: _native.judged_references(batch, own=own, seed=seed),
        "label byte, draw double, references array<string>",
    ).persist(StorageLevel.MEMORY_AND_DISK)
    try:
        count = known.count()
        if count <= most:
            return tribunal.train(_collected(pairs), folds=folds, name=name, **settings)
        half = 0.5 * most / count
        learned = known.filter((col("draw") < half) | (col("draw") >= 2 * half))
        labels, groups = _counts(learned), learned.select("draw").distinct().count()
        about: dict[str, Any] = dict(labels=labels, groups=groups, references=_references(learned))
    finally:
        known.unpersist()
    first = _collected(_drawn(pairs, lambda draw: draw < half, own, seed))
    held_out = _collected(_drawn(pairs, lambda draw: (draw >= half) & (draw < 2 * half), own, seed))
    tuned = tribunal.fit(first, name=name, **settings)
    rest = _drawn(pairs, lambda draw: (draw < half) | (draw >= 2 * half), own, seed)
    regression, shared = _native.Regression(tuned, labels[1] > 0), _shared(pairs, tuned)
    rows = _map(
        rest,
        lambda batch: _regression(*shared.value, labels[1] > 0).rows(batch),
        "features array<double>, class double, weight double",
    )
    model = regression.model(first, *_fitted(rows, regression.problem()), **about)
    report = tribunal.compare(held_out, models=[model], seed=seed, language=language, encoder=encoder)
    return _native.Trained(model, report)


def _fitted(rows: DataFrame, problem: dict[str, Any]) -> tuple[np.ndarray, list[float]]:
    """Fit the regression with MLlib: coefficients and intercepts."""
    learner = LogisticRegression(
        featuresCol="features",
        labelCol="class",
        weightCol="weight",
        family="multinomial",
        regParam=problem["penalty"],
        elasticNetParam=0.0,
        # The rows are already scaled, and the penalty applies to these scales.
        standardization=False,
        lowerBoundsOnCoefficients=_matrix(problem["lower"]),
        upperBoundsOnCoefficients=_matrix(problem["upper"]),
        maxIter=_MAX_ITERATIONS,
        tol=_TOLERANCE,
    )
    found = learner.fit(rows.select(array_to_vector(col("features")).alias("features"), "class", "weight"))
    if found.summary.totalIterations >= _MAX_ITERATIONS:
        raise RuntimeError(f"training: MLlib did not converge in {_MAX_ITERATIONS} iterations")
    return found.coefficientMatrix.toArray(), list(found.interceptVector.toArray())


def _matrix(values: np.ndarray) -> DenseMatrix:
    rows, columns = values.shape
    return DenseMatrix(rows, columns, values.ravel().tolist(), True)


def _counts(known: DataFrame) -> list[int]:
    """The numbers of pairs with labels 1, 0 and -1."""
    counted = {row.label: row["count"] for row in known.groupBy("label").count().collect()}
    return [counted.get(label, 0) for label in (1, 0, -1)]


def _references(known: DataFrame) -> list[str] | None:
    """The fingerprints of all references; None if they are more than a model file holds."""
    most = _native.MOST_REFERENCES
    distinct = known.select(explode("references").alias("reference")).distinct().limit(most + 1).toArrow()
    return None if len(distinct) > most else distinct["reference"].to_pylist()


def _drawn(pairs: DataFrame, is_drawn: Callable[[np.ndarray], np.ndarray], own: list[str], seed: int) -> DataFrame:
    """The pairs of some of the references, by their draws."""

    def draw(batch: pa.RecordBatch) -> pa.RecordBatch:
        numbers = pa.record_batch(_native.judged_references(batch, own=own, seed=seed))["draw"]
        return batch.filter(pa.array(is_drawn(numbers.to_numpy())))

    return _map(pairs, draw, pairs.schema)


def _collected(pairs: DataFrame) -> pa.Table:
    """The pairs in an order that does not depend on partitioning, because folds and sums depend on it."""
    table = pairs.toArrow()
    plain = [field.name for field in table.schema if not pa.types.is_nested(field.type)]
    return table.sort_by([(name, "ascending") for name in plain])


def _with_columns(
    df: DataFrame,
    new: Sequence[tuple[str, DataType]],
    compute: Callable[[pa.RecordBatch], list[pa.Array]],
    may_be_null: bool = False,
) -> DataFrame:
    taken = sorted({name for name, _ in new} & set(df.columns))
    if taken:
        raise ValueError(f"rows: columns to be added exist already: {', '.join(taken)}; rename or drop them")
    schema = StructType([*df.schema.fields, *(StructField(name, kind, may_be_null) for name, kind in new)])

    def extended(batch: pa.RecordBatch) -> pa.RecordBatch:
        return pa.RecordBatch.from_arrays(batch.columns + compute(batch), names=schema.fieldNames())

    return _map(df, extended, schema)


def _map(df: DataFrame, compute: Callable[[pa.RecordBatch], Any], schema: StructType | str) -> DataFrame:
    """The result of `compute` on each batch of rows."""
    names = df.columns

    def computed(batches: _Batches) -> _Batches:
        # It would be repeated for every batch, in worker logs that nobody reads.
        warnings.filterwarnings("ignore", message=".*was trained on the references")
        # Spark runs other tasks on the other cores.
        context = TaskContext.get()
        tribunal.set_threads(1 if context is None else context.cpus())
        for batch in batches:
            if batch.num_rows:
                yield pa.record_batch(compute(pa.RecordBatch.from_arrays(batch.columns, names=names)))

    # PySpark 4 finds no column with a dot in its name, such as those of features and own metrics.
    return df.toDF(*(f"column{number}" for number in range(len(names)))).mapInArrow(computed, schema)


def _shared(df: DataFrame, model: Model) -> Broadcast[tuple[str, str, str | None]]:
    """The text of a model, sent once to every machine, with its language and the folder of its encoder."""
    return df.sparkSession.sparkContext.broadcast((model.to_json(), model.language, model.encoder))


@lru_cache(maxsize=4)
def _model(text: str, language: str, encoder: str | None) -> Model:
    """A model, prepared once in every Python worker."""
    return Model.from_json(text, language=language, encoder=encoder)


@lru_cache(maxsize=4)
def _regression(text: str, language: str, encoder: str | None, has_ties: bool) -> _native.Regression:
    return _native.Regression(_model(text, language, encoder), has_ties)


def _own(own: Iterable[str]) -> list[str]:
    if isinstance(own, str) or hasattr(own, "keys"):
        raise TypeError("own: expected a list of metric names; add their values as columns NAME.1 and NAME.2")
    return list(own)


def _columns_of_pairs(df: DataFrame, own: Sequence[str]) -> list[str]:
    sides = {f"{name.removesuffix('-')}.{side}" for name in own for side in (1, 2)}
    wanted = [name for name in df.columns if name in _KNOWN or name.startswith("ref") or name in sides]
    return [f"`{name}`" for name in wanted]


def _example(df: DataFrame) -> pa.Table:
    """One row with the columns of a DataFrame, for finding errors in them before any job starts."""

    def value(kind: pa.DataType) -> Any:
        if pa.types.is_string(kind) or pa.types.is_large_string(kind):
            return "1"
        if pa.types.is_list(kind) and pa.types.is_string(kind.value_type):
            return ["1"]
        is_number = pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)
        return 1 if is_number else None

    schema = to_arrow_schema(df.schema)
    return pa.table([pa.array([value(field.type)], field.type) for field in schema], names=schema.names)
