"""Spark on this machine, with executors and Python workers in processes of their own."""

import csv
import io
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute
import pytest
from conftest import PAIRS, run_examples
from pyspark.errors import PythonException
from pyspark.sql import SparkSession

import tribunal
import tribunal.spark

#: MLlib stops at a slope of 1e-5, Tribunal's own fit at 1e-4.
NEAR = 1e-3


@pytest.fixture(scope="module")
def spark():
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.shuffle.partitions", "4")
    # Several batches a partition.
    session = builder.config("spark.sql.execution.arrow.maxRecordsPerBatch", "60").getOrCreate()
    session.sparkContext.setLogLevel("FATAL")
    yield session
    session.stop()


@pytest.fixture
def table(frame):
    """The pairs of the sample, numbered."""
    numbered = pa.table({"row": range(len(frame))})
    for name in frame.columns:
        numbered = numbered.append_column(name, pa.array(frame[name].to_list()))
    return numbered


def spread(spark, table, partitions=5):
    return spark.createDataFrame(table).repartition(partitions)


def in_order(df):
    return df.toArrow().sort_by("row")


def probabilities(judged):
    return np.stack([judged[name].to_numpy() for name in ("p_first", "p_tie", "p_second")], axis=1)


def test_verdicts_are_those_of_the_program(spark, table, program):
    judged = in_order(tribunal.spark.predict(spread(spark, table)))
    assert judged.column_names == [*table.column_names, "verdict", "p_first", "p_tie", "p_second"]
    assert judged.select(table.column_names).to_pylist() == table.to_pylist()
    expected = [int(line) for line in program("predict", PAIRS).split()]
    assert judged["verdict"].to_pylist() == expected
    assert np.array_equal(probabilities(judged), tribunal.Model.builtin().predict_proba(table))


def test_features_are_those_of_the_command_line_to_the_last_bit(spark, table, program):
    computed = in_order(tribunal.spark.features(spread(spark, table)))
    written = list(csv.DictReader(io.StringIO(program("features", PAIRS))))
    names = [name for name in computed.column_names if name not in table.column_names]
    assert len(names) > 100 and set(names) <= set(written[0]) and len(written) == len(table)
    for name in names:
        assert computed[name].to_pylist() == [float(row[name]) for row in written], name


@pytest.fixture
def outputs():
    """Single outputs, of which two have the labels of two annotators."""
    rows = range(240)
    return pa.table({
        "row": rows,
        "prompt": [f"Question {at // 4}?" for at in rows],
        "output": [f"answer {'word ' * (at % 7)}{at % 4 // 2}" for at in rows],
        "label": ["pass" if (at * 7) % 11 < 6 - at % 4 else "fail" for at in rows],
        "annotator": ["ann" if at % 2 else "bob" for at in rows],
        "gpt": [None if at % 10 == 0 else 5.0 - at % 4 for at in rows],
    })


def test_outputs_have_the_features_and_predictions_of_the_command_line(spark, outputs, program, tmp_path):
    path = tmp_path / "outputs.csv"
    outputs.to_pandas().to_csv(path, index=False)
    computed = in_order(tribunal.spark.features(spread(spark, outputs)))
    written = list(csv.DictReader(io.StringIO(program("features", path))))
    names = [name for name in computed.column_names if name not in outputs.column_names]
    assert len(names) > 5 and set(names) <= set(written[0]) and len(written) == len(outputs)
    for name in names:
        assert computed[name].to_pylist() == [float(row[name]) for row in written], name
    with pytest.raises(ValueError, match="own, judges: expected pairs, found outputs"):
        tribunal.spark.features(spread(spark, outputs), judges=["gpt"])
    trained = tribunal.train(outputs, own=["gpt"], name="outputs")
    judged = in_order(tribunal.spark.predict(spread(spark, outputs), trained.model, min_agreement=0.6))
    expected = trained.model.predict(outputs, min_agreement=0.6)
    assert len(expected) == len(outputs)
    for name in ("score", "verdict", "expected"):
        assert judged[name].to_pylist() == [one.get(name) for one in expected], name
    with pytest.raises(ValueError, match="ties: expected pairs, found outputs"):
        tribunal.spark.predict(spread(spark, outputs), trained.model, ties="likeliest")
    with pytest.raises(ValueError, match="min_agreement: expected outputs"):
        tribunal.spark.predict(spark.createDataFrame([("a", "b", "c")], "hyp1 string, hyp2 string, ref string"), min_agreement=0.6)


def test_another_model_and_language(spark, table):
    model = tribunal.Model.builtin("de")
    judged = in_order(tribunal.spark.predict(spread(spark, table), model))
    assert np.array_equal(probabilities(judged), model.predict_proba(table))
    by_language = in_order(tribunal.spark.predict(spread(spark, table), language="de"))
    assert np.array_equal(probabilities(by_language), probabilities(judged))
    assert not np.array_equal(probabilities(judged), tribunal.Model.builtin().predict_proba(table))


def test_own_metrics_and_lists_of_references(spark, table):
    own = np.random.default_rng(1).normal(size=(len(table), 2))
    table = table.append_column("comet.1", pa.array(own[:, 0])).append_column("comet.2", pa.array(own[:, 1]))
    references = pa.array([[text, text.upper()] for text in table["ref"].to_pylist()])
    table = table.set_column(table.column_names.index("ref"), "ref", references)
    computed = in_order(tribunal.spark.features(spread(spark, table), own=["comet"]))
    expected = tribunal.features(table, own=["comet"])
    assert np.array_equal(np.stack([computed[name].to_numpy() for name in expected.names], 1), expected.to_numpy())


def test_features_can_be_added_to_verdicts_and_verdicts_to_features(spark, table):
    first = tribunal.spark.predict(spread(spark, table)).select(*table.column_names, "verdict")
    with_features = tribunal.spark.features(first.withColumnRenamed("verdict", "before"))
    both = in_order(tribunal.spark.predict(with_features))
    assert both["verdict"].to_pylist() == both["before"].to_pylist() and both.num_columns > 200


def test_partitions_without_rows_and_no_row_at_all(spark, table):
    three = table.slice(0, 3)
    few = spread(spark, three, partitions=8)
    assert in_order(tribunal.spark.predict(few))["verdict"].to_pylist() == list(tribunal.Model.builtin().predict(three))
    assert tribunal.spark.features(few.filter("row < 0")).toArrow().num_rows == 0


def same_weights(one, other, near):
    return all(abs(a - b) < near for (_, a), (_, b) in zip(one.weights, other.weights, strict=True))


@pytest.mark.parametrize("with_ties", [True, False])
def test_mllib_finds_the_weights_that_tribunal_finds(spark, table, with_ties):
    if not with_ties:
        table = table.filter(pa.compute.not_equal(table["label"], 0))
    table = table.drop_columns(["row"])
    here = tribunal.fit(table)
    labels = [table["label"].to_pylist().count(label) for label in (1, 0, -1)]
    regression = tribunal._native.Regression(here, with_ties)
    rows = spread(spark, pa.Table.from_batches([pa.record_batch(regression.rows(table))]))
    found = tribunal.spark._fitted(rows, regression.problem())
    there = regression.model(table, *found, labels=labels, groups=110, references=None)
    assert same_weights(here, there, NEAR) and not same_weights(here, there, 0)
    with pytest.warns(UserWarning, match="was trained on"):
        assert (here.predict(table) == there.predict(table)).mean() > 0.99
        assert np.abs(here.predict_proba(table) - there.predict_proba(table)).max() < 1e-3
    scores = [model.score(table["hyp1"].to_pylist(), table["ref"].to_pylist()) for model in (here, there)]
    assert np.abs(scores[0] - scores[1]).max() < 0.5


def test_one_sample_sets_all_but_the_weights_and_another_is_reported_on(spark, table):
    trained = tribunal.spark.train(spread(spark, table), folds=3, sample=400, name="everything")
    again = tribunal.spark.train(spread(spark, table, partitions=3), folds=3, sample=400, name="everything")
    text, held_out = trained.model.to_json(), trained.report.rows
    assert 50 < held_out < 350 and f'"pairs": {len(table) - held_out}' in text and '"data": "everything"' in text
    # How MLlib adds up depends on partitions.
    assert again.report.rows == held_out and same_weights(trained.model, again.model, NEAR)
    # All references that it learned from are known, and no other.
    with pytest.warns(UserWarning, match=f"references of {len(table) - held_out} of these {len(table)} pairs"):
        verdicts = trained.model.predict(table)
    everything = tribunal.train(table, folds=3).model
    assert (everything.predict(table) == verdicts).mean() > 0.85
    assert same_weights(trained.model, tribunal.Model.from_json(text), 1e-15)


def test_few_pairs_are_trained_on_where_the_driver_is(spark, table):
    table = table.drop_columns(["row"])
    trained = tribunal.spark.train(spread(spark, table), folds=3, ties="accurate")
    ordered = table.sort_by([(name, "ascending") for name in table.column_names])
    assert trained.model.to_json() == tribunal.train(ordered, folds=3, ties="accurate").model.to_json()


def test_judges_are_columns(spark, table):
    verdicts = np.random.default_rng(1).choice([1, -1], len(table)) * (np.array(table["label"]) != 0)
    table = table.append_column("gpt.12", pa.array(verdicts)).append_column("gpt.21", pa.array(-verdicts))
    column = {"hyp1": "one"}
    renamed = table.rename_columns(["one" if name == "hyp1" else name for name in table.column_names])
    computed = in_order(tribunal.spark.features(spread(spark, renamed), judges="gpt:words", only_own=True, column=column))
    assert computed["judge.gpt"].to_pylist() == [0.0] * len(table)
    with pytest.raises(ValueError, match="judges: expected the scale of the judge 'gpt'"):
        tribunal.spark.features(spread(spark, renamed), judges="gpt", only_own=True, column=column)
    model = tribunal.fit(table, judges=["gpt"])
    judged = in_order(tribunal.spark.predict(spread(spark, renamed), model, ties="threshold=0.3", column=column))
    assert judged["verdict"].to_pylist() == model.predict(table, ties="threshold=0.3").tolist()
    with pytest.raises(KeyError, match="gpt"):
        tribunal.spark.predict(spread(spark, table.drop_columns(["gpt.12", "gpt.21"])), model)
    with pytest.raises(ValueError, match="ties: expected likeliest or threshold=P"):
        tribunal.spark.predict(spread(spark, table), model, ties=0.2)


def test_workers_open_an_encoder(spark, table):
    encoder = str(Path(__file__).resolve().parents[2] / "tests" / "golden" / "encoders" / "bert")
    few = table.slice(0, 90)
    df = spread(spark, few, 3)
    features = in_order(tribunal.spark.features(df, encoder=encoder))
    expected = pa.record_batch(tribunal.features(few, encoder=encoder))
    for name in ("h1.bertscore", "h2.cosine"):
        # Other texts in a batch change the last bits.
        assert np.allclose(features[name].to_numpy(), expected[name].to_numpy(), rtol=0, atol=1e-5)
    model = tribunal.fit(table, encoder=encoder)
    judged = in_order(tribunal.spark.predict(df, model))
    assert np.allclose(probabilities(judged), model.predict_proba(few), rtol=0, atol=1e-4)


def test_what_is_wrong_with_columns_is_said_before_any_job(spark, table):
    df = spread(spark, table)
    before = len(spark.sparkContext.statusTracker().getJobIdsForGroup())
    with pytest.raises(ValueError, match="expected a reference for every pair"):
        tribunal.spark.predict(df.drop("ref"))
    with pytest.raises(KeyError, match="no column 'ref'"):
        tribunal.spark.train(df.drop("ref"))
    assert "h1.style" in tribunal.spark.features(df.drop("ref")).columns
    with pytest.raises(ValueError, match="a human judgment"):
        tribunal.spark.train(df.drop("label"))
    with pytest.raises(KeyError, match="comet.1"):
        tribunal.spark.features(df, own=["comet"])
    with pytest.raises(TypeError, match="own: expected a list"):
        tribunal.spark.features(df, own={"comet": [[1, 2]]})
    with pytest.raises(ValueError, match="columns to be added exist already: verdict;"):
        tribunal.spark.predict(df.withColumnRenamed("label", "verdict"))
    with pytest.raises(ValueError, match="folds"):
        tribunal.spark.train(df, folds=1)
    assert len(spark.sparkContext.statusTracker().getJobIdsForGroup()) == before


def test_what_is_wrong_with_a_row_is_said_with_its_reason(spark, table):
    rows = table.to_pylist()
    rows[500]["hyp2"] = None
    rows[600]["label"] = None
    df = spark.createDataFrame(rows)
    with pytest.raises(PythonException, match="expected a text"):
        tribunal.spark.predict(df.filter("row < 600")).count()
    with pytest.raises(PythonException, match="expected a human judgment"):
        tribunal.spark.train(df.filter("row > 500"))


def test_without_spark_the_import_says_what_to_install():
    code = "import sys; sys.modules['pyspark'] = None; import tribunal.spark"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 1 and "ImportError: tribunal.spark needs Apache Spark 4: pip install" in run.stderr


def processes_below(root):
    """The processes that descend from one, with their command lines."""
    found, parents = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            found[int(folder.name)] = (folder / "cmdline").read_text()
        except OSError:
            pass

    def descends(process):
        while process in parents and process != root:
            process = parents[process]
        return process == root

    return {process: line for process, line in found.items() if process != root and descends(process)}


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked for in /proc")
@pytest.mark.parametrize("kind", ["worker", "executor"])
def test_a_process_that_is_killed_changes_nothing(spark, table, tmp_path, kind):
    begun, may_end = tmp_path / "begun", tmp_path / "may_end"

    def held_back(batches):
        """Judges once, notes the task with its process, and holds back the rows."""
        from pyspark import TaskContext

        tribunal.Model.builtin().predict([("a", "b", "a")])
        with begun.open("a") as file:
            file.write(f"{TaskContext.get().partitionId()} {os.getpid()}\n")
        for batch in batches:
            while not may_end.exists():
                time.sleep(0.05)
            yield batch

    def tasks():
        """The partitions and processes of the tasks that have begun so far."""
        text = begun.read_text() if begun.exists() else ""
        return [tuple(map(int, line.split())) for line in text.splitlines()]

    def wait_for(condition):
        end = time.monotonic() + 240
        while not condition() and job.is_alive() and time.monotonic() < end:
            time.sleep(0.05)
        return condition()

    # One task for each core: none waits for the place of the one that is lost.
    df = spread(spark, table, partitions=2)
    judged, result = tribunal.spark.predict(df.mapInArrow(held_back, df.schema)), []
    job = threading.Thread(target=lambda: result.append(in_order(judged)))
    job.start()
    try:
        assert wait_for(lambda: len(tasks()) == 2)
        process = tasks()[0][1]
        if kind == "executor":
            below = processes_below(os.getpid())
            executors = [one for one, line in below.items() if "CoarseGrainedExecutorBackend" in line]
            process = next(executor for executor in executors if process in processes_below(executor))
        os.kill(process, signal.SIGKILL)
        # A task begins again: its own, or the other one where an executor took what that one had still to fetch.
        assert wait_for(lambda: len(tasks()) > 2)
        assert process not in processes_below(os.getpid())
    finally:
        may_end.touch()
        job.join()
    (result,) = result
    assert np.array_equal(probabilities(result), tribunal.Model.builtin().predict_proba(table))
    assert result.select(table.column_names).to_pylist() == table.to_pylist()


@pytest.mark.parametrize("document", ["docs/tutorials/cluster.md"])
def test_examples_of_documents(document, spark, frame, demo, monkeypatch):
    monkeypatch.chdir(demo)
    assert run_examples(document, {"spark": spark, "frame": frame}, "python/tests/test_spark.py") > 2
