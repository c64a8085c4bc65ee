"""Bad input gets Python's own exception with the message of the command line, and ends nothing."""

import json
import pickle

import numpy as np
import pandas as pd
import pytest

import tribunal

PAIR = ("He goes home.", "He go home.", "He is going home.")
MODEL = tribunal.Model.builtin()
TABLE = pd.DataFrame([PAIR] * 3, columns=["hyp1", "hyp2", "ref"])


def other_version():
    """The text of a model file of a later version."""
    return MODEL.to_json().replace('"version": 2', '"version": 1', 1)


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: MODEL.predict([]), ValueError, "pairs: expected at least one pair, found none"),
        (lambda: MODEL.predict(TABLE[:0]), ValueError, "pairs: expected at least one pair, found none"),
        (lambda: MODEL.predict("text"), TypeError, "found a value of type str"),
        (lambda: MODEL.predict(7), TypeError, "found a value of type int"),
        (lambda: MODEL.predict(None), TypeError, "found None"),
        (
            lambda: tribunal.fit(TABLE[::-1], pd.Series([1, 0, -1])),
            ValueError,
            "labels: expected the index of the pairs, found another index",
        ),
        (lambda: MODEL.predict([PAIR, PAIR[0]]), TypeError, "pairs:1: expected a tuple"),
        (lambda: MODEL.predict([PAIR, ("a",)]), ValueError, "pairs:1: expected two hypotheses and a reference, found 1"),
        (lambda: MODEL.predict([PAIR, ("a", "b")]), ValueError, "pairs:1: expected a reference for every pair"),
        (lambda: MODEL.predict([("a", "b")]), ValueError, "pairs:0: expected a reference for every pair"),
        (lambda: MODEL.predict([PAIR, ("a", None, "c")]), TypeError, "pairs:1: expected a text in the column 'hyp2'"),
        (lambda: MODEL.predict([PAIR, ("a", float("nan"), "c")]), TypeError, "pairs:1: expected a text in the column 'hyp2'"),
        (lambda: MODEL.predict([PAIR, ("a", b"b", "c")]), TypeError, "pairs:1: expected a text, .* found a value of type bytes"),
        (lambda: MODEL.predict(TABLE.assign(ref=["r", None, "r"])), ValueError, "found none in 1 of 3 pairs; add the references"),
        (lambda: MODEL.predict(TABLE.assign(ref=["r", np.nan, "r"])), ValueError, "found none in 1 of 3 pairs; add the references"),
        (lambda: MODEL.predict(TABLE.assign(ref=["r", pd.NA, "r"])), ValueError, "found none in 1 of 3 pairs; add the references"),
        (lambda: MODEL.predict(TABLE.drop(columns="hyp2")), KeyError, "no column 'hyp2' among hyp1, ref"),
        (lambda: MODEL.predict(TABLE.rename(columns={"hyp1": "mt"})), KeyError, "no column 'hyp1' among mt, hyp2, ref"),
        (lambda: MODEL.predict({"hyp1": ["a"], "hyp2": ["b", "c"], "ref": ["d"]}), ValueError, "hyp2: expected 1 values, one for each row"),
        (lambda: MODEL.predict([PAIR], ties="often"), ValueError, "ties: expected likeliest"),
        (lambda: tribunal.train([PAIR] * 3, [1, 0]), ValueError, "labels: expected 3 values, one for each row, found 2"),
        (lambda: tribunal.train([PAIR] * 3, [1, 0, 2]), ValueError, "pairs:2: expected a label 1, 0 or -1, found '2'"),
        (lambda: tribunal.train([PAIR] * 3, [1, None, 0]), ValueError, "pairs:1: expected a human judgment of the pair"),
        (lambda: tribunal.train([PAIR] * 3, [True, False, True]), ValueError, "a label 1, 0 or -1, found 'True'"),
        (lambda: tribunal.train(TABLE.assign(label=True)), ValueError, "a label 1, 0 or -1, found 'True'"),
        (lambda: MODEL.predict(TABLE, own=["comet"]), ValueError, "`own`: expected no own metric: the model has none, found 'comet'"),
        (lambda: tribunal.train([PAIR] * 3, ["left"] * 3), ValueError, "pairs:0: expected a label 1, 0 or -1, found 'left'"),
        (lambda: tribunal.train(TABLE), ValueError, "pairs:0: expected a human judgment of the pair, found none"),
        (lambda: tribunal.train([PAIR] * 3, [1, 0, 1], weights=[1, -1, 1]), ValueError, "expected a weight of 0 or more"),
        (lambda: tribunal.train([PAIR] * 3, [1, 0, 1]), ValueError, "expected .* references"),
        (lambda: tribunal.train(TABLE, [1, 0, 1], folds=1), ValueError, "folds: expected 2 or more, found 1"),
        (lambda: tribunal.train(TABLE, [1, 0, 1], own=["comet"]), KeyError, "no column 'comet.1' .* with the pairs"),
        (lambda: tribunal.train(TABLE, [1, 0, 1], own={"comet": [1.0, 2.0, 3.0]}), TypeError, "comet:0: expected two numbers"),
        (lambda: tribunal.train(TABLE, [1, 0, 1], without=["bleurt"]), ValueError, "found 'bleurt'"),
        (lambda: tribunal.features(TABLE, language="nowhere-at-all"), ValueError, "language: expected a language"),
        (lambda: tribunal.Model.load("none.json"), FileNotFoundError, "none.json: no such file"),
        (lambda: tribunal.Model.from_json("{}"), ValueError, "model: expected a model file, found another JSON object"),
        (lambda: tribunal.Model.from_json(other_version()), ValueError, "expected a model of version 2, found version 1"),
        (lambda: MODEL.save("no/such/folder/x.json"), FileNotFoundError, "no/such/folder"),
        (lambda: tribunal.score(["a"], ["b", "c"]), ValueError, "hypotheses: expected 2 texts, as there are references, found 1"),
        (lambda: tribunal.score(["a", "b"], [["c", "d"]]), ValueError, r"list\(zip\(\*references\)\)"),
        (lambda: tribunal.score({"x": ["a"], "y": []}, ["b"]), ValueError, "y: expected 1 texts"),
        (lambda: tribunal.score([], []), ValueError, "expected one text or more, found none"),
        (lambda: tribunal.score(["a", None], ["b", "c"]), TypeError, "hypotheses:1: expected a text, found None"),
        (lambda: tribunal.score(["a", "b"], ["c", float("nan")]), TypeError, "references:1: expected a text"),
        (lambda: tribunal.score(["a"], [[]]), ValueError, "references:0: expected a reference, found an empty list"),
        (lambda: tribunal.score(["a"], ["b"], ["blue"]), ValueError, "found 'blue'; did you mean 'bleu'"),
        (lambda: tribunal.score(["a"], ["b"], []), ValueError, "metrics: expected the name of at least one metric, found none"),
        (lambda: tribunal.score(["a"], ["b"], metric="bleu"), TypeError, "found 'metric'; did you mean 'metrics'"),
        (lambda: tribunal.score(["a"], ["b"], models="my.json"), TypeError, "models: expected a model, or a list of models"),
        (
            lambda: tribunal.score(TABLE.hyp1, TABLE.ref[::-1]),
            ValueError,
            "hypotheses: expected the index of the references, found another index",
        ),
        (lambda: tribunal.score(["a"], ["b"], 3), TypeError, "metrics: expected a name, or a list of names, found a value of type int"),
        (lambda: tribunal.train(TABLE, [1, 0, 1], judges=3), TypeError, "judges: expected a name, or a list of names"),
        (lambda: tribunal.rank(TABLE, annotators=[1]), TypeError, "annotators: expected a name, .* found a value of type int"),
        (lambda: tribunal.train(TABLE, [1, 0, 1], own=3), TypeError, "own: expected a name, or a list of names"),
        (lambda: tribunal.train(TABLE, [1, 0, 1], own={"comet": 3}), TypeError, "comet: expected two numbers for each pair"),
        (lambda: tribunal.features(TABLE, column=["hyp1"]), TypeError, "column: expected a dictionary of roles"),
        (lambda: MODEL.predict(TABLE, column={"hyp1": "answer"}), KeyError, "'answer'"),
        (lambda: MODEL.score(["a"], ["b"], own={"comet": 3}), TypeError, "comet: expected a list of numbers"),
        (lambda: MODEL.confidence_for(0.999), ValueError, "`min_agreement`: expected at most"),
        (lambda: tribunal.train(TABLE, [1, 0, 1], groups=3), TypeError, "groups: expected a list with one value per pair"),
        (lambda: tribunal.evaluate([1, 2], [1, 1]), ValueError, "verdicts:1: expected 1, 0 or -1, found '2'"),
        (lambda: tribunal.evaluate({"a": [1]}, [1, 1]), ValueError, "a: expected 2 verdicts, one for each pair, found 1"),
        (lambda: tribunal.evaluate([1]), ValueError, "labels: expected human labels, found none"),
        (lambda: tribunal.score(["a"], ["b"], chrf_bet=3), TypeError, "did you mean 'chrf_beta'"),
        (lambda: tribunal.score(["a"], ["b"], test="t"), ValueError, "test: expected paired-bs or paired-ar"),
        (lambda: tribunal.score(["a"], ["b"], test="paired-bs"), ValueError, "two or more systems for a paired test"),
    ],
)
def test_message(call, kind, message):
    with pytest.raises(kind, match=message):
        call()


def test_no_half_written_file(tmp_path):
    target = tmp_path / "model.json"
    target.write_text("before")
    MODEL.save(target)
    assert json.loads(target.read_text())["format"] == "tribunal-model"
    assert [path.name for path in tmp_path.iterdir()] == ["model.json"]


def test_a_changed_model_is_refused(tmp_path):
    text = MODEL.to_json()
    with pytest.raises(ValueError, match="expected"):
        tribunal.Model.from_json(text[: len(text) // 2])
    assert pickle.loads(pickle.dumps(MODEL)).to_json() == text


def test_warnings_are_pythons(rows):
    with pytest.warns(UserWarning, match="neither English nor names"):
        MODEL.predict([("Er geht heim.", "Er gehen heim.", "Der alte Mann ging gestern wieder nach Hause.")] * 40)
