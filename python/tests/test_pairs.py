"""All forms of pairs are the same pairs."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import tribunal


@pytest.fixture(scope="module")
def model():
    return tribunal.Model.builtin()


@pytest.mark.parametrize(
    "form",
    [
        lambda frame: list(frame[["hyp1", "hyp2", "ref"]].itertuples(index=False, name=None)),
        lambda frame: frame[["hyp1", "hyp2", "ref"]].to_numpy(dtype=object),
        lambda frame: frame.to_dict("list"),
        lambda frame: frame.sample(frac=1, random_state=1).sort_index(),
        lambda frame: frame.astype({"hyp1": "category", "ref": "string[pyarrow]"}),
        lambda frame: frame.assign(other=[{"any": object()}] * len(frame)),
        lambda frame: pl.from_pandas(frame),
        lambda frame: pl.from_pandas(frame).rechunk().slice(0, 300).vstack(pl.from_pandas(frame).slice(300)),
        lambda frame: pa.Table.from_pandas(frame),
        lambda frame: pa.Table.from_pandas(frame).cast(
            pa.schema([("hyp1", pa.large_string()), ("hyp2", pa.string_view()), ("ref", pa.string()), ("label", pa.int8())])
        ),
        lambda frame: pa.RecordBatch.from_pandas(frame),
        lambda frame: pa.Table.from_pandas(frame).to_reader(max_chunksize=7),
    ],
)
def test_forms(model, frame, form):
    np.testing.assert_array_equal(model.predict_proba(form(frame)), model.predict_proba(frame))


def test_references_in_any_form(model):
    pair, more = ("He goes home.", "He go home.", "He is going home."), ["He walks home.", "Home he goes."]
    forms = [
        [(*pair, *more)],
        [(*pair[:2], [pair[2], *more])],
        {"hyp1": [pair[0]], "hyp2": [pair[1]], "ref": [pair[2]], "ref2": [more[0]], "ref3": [more[1]]},
        pl.DataFrame({"hyp1": [pair[0]], "hyp2": [pair[1]], "ref": [[pair[2], *more]]}),
    ]
    several = [model.predict_proba(form) for form in forms]
    assert all((other == several[0]).all() for other in several)
    assert (several[0] != model.predict_proba([pair])).any()
    # A row may have fewer.
    assert (model.predict_proba([pair, (*pair, *more)])[1] == several[0][0]).all()


def test_labels_in_any_form(rows, labels, frame):
    models = [
        tribunal.fit(rows, given).to_json()
        for given in (labels, np.array(labels), np.array(labels, dtype=float), pd.Series(labels), pl.Series(labels), pa.array(labels))
    ]
    assert len({*models, tribunal.fit(frame).to_json()}) == 1


def test_groups_are_those_of_references():
    pairs = [("a", "b", "The cat sat."), ("c", "d", "the cat sat ."), ("a", "b", "Another one."), ("x", "y", "the cat sat")]
    assert tribunal.groups(pairs).tolist() == [0, 0, 1, 2] or tribunal.groups(pairs).tolist() == [0, 0, 1, 0]
    table = {"hyp1": list("abc"), "hyp2": list("def"), "ref": ["one", "two", "three"], "group": ["x", "x", None]}
    assert tribunal.groups(table).tolist() == [0, 0, 1]


def test_arrow_gets_the_numbers_of_numpy(frame):
    features = tribunal.features(frame)
    values = np.asarray(features)
    assert values.shape == features.shape == (len(frame), len(features.names))
    batch = pa.record_batch(features)
    assert batch.schema.names == features.names == pl.DataFrame(features).columns
    np.testing.assert_array_equal(np.column_stack([column.to_numpy() for column in batch.columns]), values)


def test_own_metrics_stand_in_columns_or_beside(rows, labels, frame):
    rng = np.random.default_rng(1)
    judge = np.column_stack([np.array(labels) + rng.normal(size=len(rows)), rng.normal(size=len(rows))])
    table = frame.assign(**{"judge.1": judge[:, 0], "judge.2": judge[:, 1]})
    in_columns = tribunal.fit(table, own=["judge"])
    beside = tribunal.fit(rows, labels, own={"judge": judge})
    assert in_columns.to_json() == beside.to_json() and in_columns.own == ["judge"]
    assert (in_columns.predict(table) == beside.predict(rows, own={"judge": judge})).all()
    alone = tribunal.fit(table.drop(columns="ref"), own=["judge"], only_own=True)
    assert alone.weights[0][0] == "judge" and len(alone.weights) == 1
    assert (alone.predict(table.drop(columns="ref")) != 0).any()
