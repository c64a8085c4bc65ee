"""Agreement of metrics with human scores, beside the command line."""

import json

import numpy as np
import pandas as pd
import pytest
import scipy.stats
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


def test_intervals_are_scipys():
    """BCa, with the level that Hesterberg (2015) expands for few units."""
    random = np.random.default_rng(3)
    systems, segments = 24, 200
    human = random.normal(size=(systems, segments)) + np.linspace(0, 1, systems)[:, None]
    metric = human + random.normal(size=(systems, segments))
    table = {
        "system": np.repeat([f"s{at}" for at in range(systems)], segments).tolist(),
        "segment": np.tile(np.arange(segments), systems).tolist(),
        "score": human.ravel().tolist(),
        "m": metric.ravel().tolist(),
    }
    found = tribunal.correlate(table, metrics=["m"], rounds=5000).to_dict()["metrics"][0]["intervals"]

    def expected(statistic, units):
        z = scipy.stats.t.ppf(0.975, units - 1) * np.sqrt(units / (units - 1))
        level = 1 - 2 * scipy.stats.norm.sf(z)
        drawn = scipy.stats.bootstrap(
            (np.arange(units),), statistic, n_resamples=5000, confidence_level=level, vectorized=False, rng=random
        )
        return drawn.confidence_interval

    means = human.mean(axis=1), metric.mean(axis=1)
    of_systems = lambda rows: scipy.stats.pearsonr(means[0][rows], means[1][rows]).statistic
    taus = np.array([scipy.stats.kendalltau(human[:, at], metric[:, at]).statistic for at in range(segments)])
    of_cells = lambda rows: scipy.stats.pearsonr(human[:, rows].ravel(), metric[:, rows].ravel()).statistic
    for interval, scipys in (
        (found["system_level"]["pearson"], expected(of_systems, systems)),
        (found["item"]["kendall_b"], expected(lambda rows: taus[rows].mean(), segments)),
        (found["none"]["pearson"], expected(of_cells, segments)),
    ):
        width = interval["high"] - interval["low"]
        assert interval["low"] == pytest.approx(scipys.low, abs=0.1 * width)
        assert interval["high"] == pytest.approx(scipys.high, abs=0.1 * width)


def test_parts_and_several_human_scores_are_those_of_the_command_line(ratings, tmp_path, program):
    ratings = ratings.assign(topic=ratings.segment.str[-1], other=-ratings.ter)
    ratings.to_csv(tmp_path / "ratings.csv", index=False)
    options = ["--people", "score,other", "--by-column", "topic", "--metrics", "length", "--rounds", 50, "--json"]
    expected = json.loads(program("correlate", tmp_path / "ratings.csv", *options))
    found = tribunal.correlate(ratings, ["score", "other"], by_column="topic", metrics=["length"], rounds=50)
    assert found.to_dict()["macro_averages"] == expected["macro_averages"] != []
    frame = found.to_pandas()
    assert list(frame.part.unique()) == [report["part"] for report in expected["reports"][: frame.part.nunique()]]
    assert list(frame.people.unique()) == ["score", "other"]
