"""Judgments in other formats, the sample, and which encoders there are, beside the command line."""

import json
import logging
from pathlib import Path

import pandas as pd
import pytest
import tribunal

DATA = Path(__file__).resolve().parents[2] / "data" / "sample"
BERT = Path(__file__).resolve().parents[2] / "tests" / "golden" / "encoders" / "bert"


def test_pairs_are_those_of_import(program, tmp_path, caplog):
    program("import", "rankings", DATA / "sample.rankings", "--human-ties", "drop", "-o", tmp_path / "pairs.csv")
    with caplog.at_level(logging.INFO, "tribunal"):
        found = pd.DataFrame(tribunal.read(DATA / "sample.rankings", human_ties="drop"))
    expected = pd.read_csv(tmp_path / "pairs.csv", dtype={"id": str, "group": str, "system1": str, "system2": str})
    assert "dropped" in caplog.text and "ties" in caplog.text
    assert len(found) == len(expected) and set(found.columns) == set(expected.dropna(axis="columns", how="all").columns)
    for name in found.columns:
        assert found[name].to_list() == expected[name].to_list(), name
    assert tribunal.read([DATA / "sample.rankings"], "rankings")["label"].count(0) > 0


def test_scores_are_those_of_import(program, tmp_path):
    rows = ["system\tdoc\tseg_id\trater\ttarget\tcategory\tseverity"]
    for segment in (1, 2):
        rows.append(f"ref\td\t{segment}\tr1\tthe cat sat {segment}\tNo-error\tNo-error")
        rows.append(f"A\td\t{segment}\tr1\tthe <v>cats</v> sat\tFluency/Grammar\tMajor")
        rows.append(f"B\td\t{segment}\tr1\ta cat sat\tNo-error\tNo-error")
    (tmp_path / "x.mqm").write_text("\n".join(rows) + "\n")
    program("import", "mqm", tmp_path / "x.mqm", "--scores", "-o", tmp_path / "scores.csv")
    expected = pd.read_csv(tmp_path / "scores.csv", dtype={"segment": str})
    found = pd.DataFrame(tribunal.read(tmp_path / "x.mqm", "mqm", scores=True))
    assert found.astype({"score": float})[["score", "hyp", "ref"]].equals(expected.astype({"score": float})[["score", "hyp", "ref"]])


def test_what_is_wrong_with_a_file_is_named(tmp_path):
    for call, kind, message in [
        (lambda: tribunal.read("none.rankings"), FileNotFoundError, "none.rankings: no such file"),
        (lambda: tribunal.read("x", "mqn"), ValueError, "format: expected .*mqm.*, found mqn"),
        (lambda: tribunal.read([]), ValueError, "format: expected .*, found none"),
        (lambda: tribunal.read("x", "mqm", weight=1), TypeError, "read: expected an argument, or a setting"),
        (lambda: tribunal.read(3), TypeError, "files: expected a file, or a list of files"),
        (lambda: tribunal.read("x", "rankings", scores=True), ValueError, "`scores`: expected a format with scores"),
    ]:
        with pytest.raises(kind, match=message):
            call()


def test_the_sample_is_that_of_the_demo(demo, rows, labels):
    dev, new = tribunal.sample(), tribunal.sample("new")
    assert list(zip(dev["hyp1"], dev["hyp2"], dev["ref"])) == rows and dev["label"] == labels
    assert pd.DataFrame(tribunal.sample("arena")).equals(pd.read_csv(demo / "demo" / "arena.csv"))
    assert len(tribunal.sample("ratings")["score"]) == 330 and "label" not in new
    assert len(tribunal.features(new, own=["judge"], only_own=True)) == len(new["ref"])
    with pytest.raises(KeyError, match="expected dev, new, arena or ratings"):
        tribunal.sample("old")


def test_encoders_are_described(program):
    assert tribunal.encoders(BERT)["architecture"] == "bert" and len(tribunal.encoders(BERT)["digest"]) == 64
    assert isinstance(tribunal.encoders(), list)
    with pytest.raises((FileNotFoundError, ValueError)):
        tribunal.encoders("nowhere")
