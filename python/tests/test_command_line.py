"""The package gives what the command line gives: every number to the last bit."""

import csv
import io
import json

import numpy as np
import pandas as pd
import pytest
from conftest import ANSWERS, PAIRS

import tribunal


@pytest.fixture(scope="module")
def trained(program, tmp_path_factory):
    """What `tribunal train` prints of the sample, and its model."""
    model = tmp_path_factory.mktemp("model") / "sample.json"
    report = json.loads(program("train", PAIRS, "--answers", ANSWERS, "-m", model, "--json"))
    return model, report


def test_features(program, frame):
    table = list(csv.reader(io.StringIO(program("features", PAIRS))))
    features = tribunal.features(frame)
    start = table[0].index("h1." + features.names[0].removeprefix("h1."))
    assert table[0][start:] == features.names
    expected = np.array([[float(value) for value in row[start:]] for row in table[1:]])
    assert (features.to_numpy() == expected).all()


def test_verdicts_and_probabilities(program, frame, trained):
    model, _ = trained
    for loaded, options in [(tribunal.Model.builtin(), []), (tribunal.Model.load(model), ["-m", model])]:
        lines = [json.loads(line) for line in program("predict", PAIRS, "--json", *options).splitlines()]
        judged = loaded.judge(frame)
        assert judged.verdicts.tolist() == [line["verdict"] for line in lines]
        probabilities = [[line["probabilities"][name] for name in ("1", "0", "-1")] for line in lines]
        assert judged.probabilities.tolist() == probabilities
        assert (loaded.predict(frame) == judged.verdicts).all()
    ties = program("predict", PAIRS, "--ties", "0.25").split()
    for share in ("0.25", 0.25):
        assert tribunal.Model.builtin().predict(frame, ties=share).tolist() == [int(verdict) for verdict in ties]


def test_training(rows, labels, trained):
    model, report = trained
    found = tribunal.train(rows, labels, name="sample.pairs")
    assert found.report.to_dict() == report
    expected, ours = json.loads(model.read_text()), json.loads(found.model.to_json())
    assert {**ours, "training": None, "checksum": None} == {**expected, "training": None, "checksum": None}
    fitted = json.loads(tribunal.fit(rows, labels).to_json())
    assert fitted["training"]["accuracy"] == {} and len(fitted["columns"]) > 50


def test_details_are_kept(rows, labels, tmp_path):
    report = tribunal.train(rows, labels, details=True).report
    assert {"most_wrong", "pairs"} <= set(report.to_dict()["details"])
    assert "<svg" in report._repr_html_() and "ensemble" in report._repr_html_() and str(report).startswith("ensemble")
    report.save(tmp_path / "report")
    assert len(pd.read_csv(tmp_path / "report" / "pairs.csv")) == len(rows)


def test_comparing(program, rows, labels, trained):
    model, _ = trained
    expected = json.loads(program("compare", PAIRS, "--answers", ANSWERS, "-m", model, "-m", "builtin", "--json"))
    with pytest.warns(UserWarning, match="was trained on the references"):
        found = tribunal.compare(rows, labels, models=[tribunal.Model.load(model), tribunal.Model.builtin()])
    ours = {row["name"]: row["accuracy"] for row in found.systems}
    assert {row["name"]: row["accuracy"] for row in expected["systems"]} == {
        {"ensemble": "builtin"}.get(name, name): accuracy for name, accuracy in ours.items()
    }


def test_explanations(program, rows, trained):
    model, _ = trained
    expected = json.loads(program("explain", PAIRS, "--line", 3, "-m", model, "--json"))
    explanation = tribunal.Model.load(model).explain(rows[2:3])[0]
    found = explanation.to_dict()
    for key in ("verdict", "probabilities", "preference", "families", "metrics"):
        assert found[key] == expected[key], key
    total = sum(contribution for _, contribution in explanation.contributions)
    assert abs(total - explanation.preference) < 1e-9
    assert explanation._repr_html_().startswith("<iframe srcdoc=") and "hyp1" in str(explanation)


@pytest.fixture(scope="module")
def systems(rows, tmp_path_factory):
    """The hypotheses of the sample as two systems, in files."""
    folder = tmp_path_factory.mktemp("systems")
    for name, texts in zip(("one", "two", "ref"), zip(*rows)):
        (folder / name).write_text("".join(text + "\n" for text in texts), encoding="utf-8")
    return folder


def test_scores_of_segments(program, rows, systems):
    names = list(tribunal.metrics()) + ["ensemble"]
    table = program("score", systems / "one", "-r", systems / "ref", "--segments", "--metrics", ",".join(names))
    header, *lines = (line.split("\t") for line in table.splitlines())
    first, _, references = map(list, zip(*rows))
    found = tribunal.score(first, references, metrics=names, segments=True)
    assert list(found) == header
    assert (np.column_stack(list(found.values())) == np.array(lines, dtype=float)).all()
    assert tribunal.score(first[0], references[0], metrics=names) == {name: found[name][0] for name in names}
    assert (tribunal.Model.builtin().score(first, references) == found["ensemble"]).all()


def test_scores_of_systems(program, rows, systems):
    names = ["chrf", "bleu", "rougeL", "meteor", "ensemble"]
    options = ["--metrics", ",".join(names), "--paired-bs", "--clusters", "--sort", "--json"]
    expected = json.loads(program("score", systems / "one", systems / "two", "-r", systems / "ref", *options))
    first, second, references = map(list, zip(*rows))
    found = tribunal.score({"one": first, "two": second}, references, names, test="paired-bs", clusters=True, sort=True)
    assert found.to_dict() == expected
    assert found.systems == [system["name"] for system in expected["systems"]]
    assert found["chrf"]["one"] == found.to_numpy()[found.systems.index("one"), 0]
    assert list(found) == names and "chrf" in found and len(found) == 5
    assert list(tribunal.score(first[:2], references[:2])) == ["bleu", "chrf", "ter", "rougeL", "meteor"]
    only = tribunal.score(first, references, "chrf", chrf_beta=3)
    text = program("score", systems / "one", "-r", systems / "ref", "--metrics", "chrf", "--chrf-beta", 3, "--json")
    assert only["chrf"] == json.loads(text)["systems"][0]["scores"][0]["score"]


def test_evaluating(program, frame, labels, tmp_path):
    verdicts = {"one": [1] * len(labels), "other": [-label for label in labels]}
    for name, given in verdicts.items():
        (tmp_path / name).write_text("".join(f"{verdict}\n" for verdict in given))
    files = [tmp_path / name for name in verdicts]
    expected = json.loads(program("evaluate", *files, "--answers", ANSWERS, "--pairs", PAIRS, "--json"))
    assert tribunal.evaluate(verdicts, pairs=frame).to_dict() == expected
    alone = json.loads(program("evaluate", *files, "--answers", ANSWERS, "--json"))
    found = tribunal.evaluate({name: np.array(given) for name, given in verdicts.items()}, labels)
    assert found.to_dict() == alone
    assert found.to_pandas()["accuracy"].to_list() == [row["accuracy"] for row in alone["systems"]]
