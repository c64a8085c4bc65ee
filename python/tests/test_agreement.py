"""Agreement of metrics with human scores, beside the command line."""

import json

import pandas as pd
import pytest
import tribunal


@pytest.fixture
def ratings(demo):
    """Scores of three systems' segments, with a metric of which lower is better."""
    frame = pd.read_csv(demo / "demo" / "ratings.tsv", sep="\t", dtype={"segment": str})
    return frame.assign(length=frame.hyp.str.len(), ter=-frame.score + frame.index % 5)


@pytest.mark.parametrize("metrics", [None, ["length", "ter-", "bleu"]])
def test_it_is_that_of_the_command_line(ratings, tmp_path, program, metrics):
    ratings.to_csv(tmp_path / "ratings.csv", index=False)
    options = ["--metrics", ",".join(metrics)] if metrics else []
    expected = json.loads(
        program("correlate", tmp_path / "ratings.csv", "--people", "score", "--rounds", 100, "--json", *options)
    )
    found = tribunal.correlate(ratings, "score", metrics=metrics, rounds=100)
    assert found.to_dict() == {**expected, "notes": found.to_dict()["notes"]}
    assert found.metrics == [metric["name"] for metric in expected["metrics"]]
    assert set(metrics or ["length", "ensemble", "chrf"]) <= {*found.metrics, "ter-"}
    frame = found.to_pandas()
    assert list(frame["name"]) == found.metrics and "segments.item.acc23_optimised" in frame.columns
    assert len(found.to_pandas("differences")) == len(expected["differences"])
    assert "acc23*" in str(found)


def test_columns_have_other_names_and_tables_other_forms(ratings):
    named = ratings.rename(columns={"system": "model", "segment": "id", "hyp": "target", "score": "da"})
    column = {"system": "model", "segment": "id", "mt": "target"}
    found = tribunal.correlate(named.to_dict("list"), "da", metrics="bleu", column=column, rounds=0)
    assert found.to_dict()["metrics"] == tribunal.correlate(ratings, metrics="bleu", rounds=0).to_dict()["metrics"]


def test_what_is_wrong_is_named(ratings):
    for call, kind, message in [
        (lambda: tribunal.correlate(ratings, "da"), KeyError, "scores: expected a column 'da'"),
        (lambda: tribunal.correlate([1, 2]), TypeError, "scores: expected a table with a row for each segment"),
        (lambda: tribunal.correlate(ratings, metrics=["blue"]), ValueError, "'blue'"),
        (lambda: tribunal.correlate(ratings, test="t"), ValueError, "test: expected .*pearson.*, found 't'"),
        (lambda: tribunal.correlate(ratings, column={"hyp": "x"}), ValueError, "found 'hyp=x'; .*the roles are"),
        (lambda: tribunal.correlate(ratings[:5], metrics="bleu"), ValueError, "a row for every segment of every"),
        (lambda: tribunal.correlate(ratings.assign(score=None)), ValueError, "scores: expected human scores in"),
        (lambda: tribunal.correlate(ratings, metrics="bleu").to_pandas("x"), KeyError, "x"),
    ]:
        with pytest.raises(kind, match=message):
            call()
