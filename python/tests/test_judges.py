"""Judges, annotators, preference data and pairs without references, beside the command line."""

import json
import random

import pandas as pd
import pytest
import tribunal


@pytest.fixture
def judged():
    """Pairs without references: three annotators, a judge that is mostly right, and one that prefers what is shown first."""
    draw = random.Random(1)
    rows = []
    for number in range(120):
        label = 1 if number % 2 else -1

        def given(share, label=label):
            return label if draw.random() < share else -label

        rows.append({
            "prompt": f"Question {number}?",
            "response_a": f"one {number} {number}",
            "response_b": f"two {number}",
            "ann": given(0.9), "bob": given(0.9), "eve": given(0.9),
            "good": "A" if given(0.85) == 1 else "B",
            "biased.12": 1, "biased.21": -1,
        })
    return pd.DataFrame(rows)


ARGUMENTS = {"judges": ["good", "biased"], "annotators": ["ann", "bob", "eve"]}


def test_judges_and_annotators_are_those_of_the_command_line(judged, tmp_path, program):
    judged.to_csv(tmp_path / "x.csv", index=False)
    trained = tribunal.train(judged, **ARGUMENTS)
    found = trained.report.to_dict()
    options = ("--annotators", "ann,bob,eve", "--judge", "good,biased", "--json")
    expected = json.loads(program("train", tmp_path / "x.csv", *options))
    assert found == expected
    assert {"human", "length", "good", "ensemble"} <= {row["name"] for row in found["systems"]}
    assert [judge["name"] for judge in found["judges"]] == ["good", "biased"]
    assert found["annotators"]["alpha"]["value"] > 0.3
    assert trained.model.predict(judged).shape == (120,) and trained.model.judges == ["good", "biased"]
    explained = trained.model.explain(judged.head(1))[0]
    assert {"good", "biased"} <= {name.removeprefix("judge.") for name, _ in explained.contributions}
    with pytest.raises(KeyError, match="the column good, or the columns good.12 and good.21"):
        trained.model.predict(judged.drop(columns="good"))
    compared = tribunal.compare(judged, **ARGUMENTS).to_dict()
    assert "ensemble" not in {row["name"] for row in compared["systems"]}


def test_columns_have_other_names(judged):
    renamed = judged.rename(columns={"response_a": "left", "response_b": "right"})
    column = {"hyp1": "left", "hyp2": "right"}
    features = tribunal.features(renamed, judges=["good"], column=column)
    assert features.names[-1] == "judge.good" and "h1.style" in features.names
    assert set(features.to_numpy()[:, -1]) == {1.0, -1.0}
    words = tribunal.features(renamed, judges=["good:words"], column=column)
    assert (words.to_numpy()[:, -1] == features.to_numpy()[:, -1]).all() and words.names == features.names
    shares = renamed.assign(good=[0.25 if number % 2 else 0.75 for number in range(120)])
    assert set(tribunal.features(shares, judges=["good"], column=column).to_numpy()[:, -1]) == {0.5, -0.5}
    with pytest.raises(ValueError, match="the scale words declared for the judge 'good'"):
        tribunal.features(shares, judges=["good:words"], column=column)
    labelled = renamed.assign(label=[1 if number % 2 else -1 for number in range(120)])
    model = tribunal.fit(labelled, judges=["good"], column=column)
    before = judged.assign(label=labelled["label"])
    assert (model.predict(renamed, column=column) == model.predict(before)).all()
    assert len(set(tribunal.groups(renamed, column=column))) == 120
    with pytest.raises(ValueError, match="the roles are prompt, src, hyp1"):
        tribunal.features(renamed, column={"hyp3": "left"})


def test_conversations_are_preference_data():
    def said(answer):
        return [{"role": "user", "content": "Why?"}, {"role": "assistant", "content": answer}]

    rows = {"chosen": [said(f"because {n}") for n in range(30)], "rejected": [said(f"no {n} {n}") for n in range(30)]}
    report = tribunal.train(rows, folds=2, groups=list(range(30))).report.to_dict()
    assert report["rows"] == 30 and min(report["labels"][0], report["labels"][2]) > 5


def test_accuracies_are_broken_down_by_a_column():
    pairs = pd.DataFrame(tribunal.sample("dev")).assign(topic=lambda frame: frame.index % 3)
    report = tribunal.compare(pairs, by_column="topic").to_dict()
    (breakdown,) = report["breakdowns"]
    assert (breakdown["by"], [part["name"] for part in breakdown["parts"]]) == ("topic", ["0", "1", "2"])
    assert sum(part["rows"] for part in breakdown["parts"]) == report["rows"] == len(pairs)
    outputs = {"output": pairs["hyp1"], "label": [n % 2 for n in range(len(pairs))], "topic": pairs["topic"]}
    single = tribunal.compare(outputs, by_column="topic").to_dict()["breakdown"]
    assert [part["name"] for part in single["parts"]] == ["0", "1", "2"]
    trained = tribunal.train(pairs, by_column="topic", folds=2).report.to_dict()
    assert trained["breakdowns"][0]["macro_averages"][0]["name"] == "ensemble"
