"""Encoders: the same values as on the command line, in every function that takes one."""

import json
import pickle
import shutil
from pathlib import Path

import numpy as np
import pytest

import tribunal

ENCODERS = Path(__file__).resolve().parents[2] / "tests" / "golden" / "encoders"
BERT = ENCODERS / "bert"
PAIRS = [
    ("The minister has not resigned.", "Minister the not of resigned!", "The minister did not resign."),
    ("Prices rose again in May.", "In May the prices fell.", "Prices increased again in May."),
    ("He goes home.", "He is going to his home.", "He is going home."),
]
#: One group of pairs for each fold and more.
JUDGED = [(f"{one} {number}", f"{other} {number}", f"{ref} {number}") for number in range(8) for one, other, ref in PAIRS]
LABELS = [1, 1, -1] * 8


def test_metrics_of_an_encoder():
    scores = tribunal.score(["He goes home."], ["He is going home."], ["bertscore", "cosine"], encoder=BERT)
    assert 0 < scores["bertscore"] < 1 and 0 < scores["cosine"] < 1
    layer = tribunal.score(["He goes home."], ["He is going home."], ["bertscore"], encoder=BERT, bertscore_layer=1)
    assert layer["bertscore"] != scores["bertscore"]
    with pytest.raises(ValueError, match="bertscore: expected an encoder, found none; name its folder with `encoder`"):
        tribunal.score(["a"], ["b"], ["bertscore"])


def test_features_have_those_of_the_encoder():
    names = tribunal.features(PAIRS, encoder=str(BERT)).names
    assert {"h1.bertscore", "h2.bertscore.recall", "h1.cosine", "pair.distance.bertscore"} <= set(names)
    assert not any("bertscore" in name for name in tribunal.features(PAIRS).names)


def test_a_model_remembers_its_encoder():
    trained = tribunal.train(JUDGED, LABELS, encoder=BERT, folds=4)
    assert "bertscore" in {row["name"] for row in trained.report.systems}
    model = pickle.loads(pickle.dumps(trained.model))
    assert model.encoder == str(BERT)
    assert np.array_equal(model.predict_proba(PAIRS), trained.model.predict_proba(PAIRS))
    assert model.explain(PAIRS[:1])[0].to_dict()["meanings"]
    assert len(model.score(["He goes home."], ["He is going home."])) == 1
    report = tribunal.compare(JUDGED, LABELS, models=model)
    assert {"bertscore", "cosine"} <= {row["name"] for row in report.systems}


def test_another_encoder_is_refused(tmp_path):
    tribunal.fit(JUDGED, LABELS, encoder=BERT).save(tmp_path / "m.json")
    with pytest.raises(ValueError, match="expected the encoder bert .*found none"):
        tribunal.Model.load(tmp_path / "m.json")
    with pytest.raises(ValueError, match="found roberta"):
        tribunal.Model.load(tmp_path / "m.json", encoder=ENCODERS / "roberta")
    with pytest.raises(ValueError, match="the encoder all-MiniLM-L6-v2"):
        tribunal.Model.builtin(encoder=BERT)
    with pytest.raises((FileNotFoundError, ValueError), match="no folder of that name"):
        tribunal.features(PAIRS, encoder=tmp_path / "nowhere")


def test_an_encoder_is_opened_once(tmp_path):
    folder = shutil.copytree(BERT, tmp_path / "bert")
    before = tribunal.features(PAIRS, encoder=folder).to_numpy()
    shutil.rmtree(folder)
    assert np.array_equal(tribunal.features(PAIRS, encoder=folder).to_numpy(), before)


def test_truncated_texts_are_told():
    with pytest.warns(UserWarning, match="1 text has more than 40 tokens; the encoder saw only the beginning"):
        tribunal.score(["word " * 90], ["word"], ["cosine"], encoder=BERT)


COMET = ENCODERS.parent / "comet"
DA22 = (COMET / "regression-da22", COMET / "tiny-xlm-roberta")


def test_metrics_of_comet():
    values = json.loads((COMET / "scores.json").read_text(encoding="utf8"))["values"]["regression-da22"]["scores"]
    rows = [json.loads(line) for line in (COMET / "inputs.jsonl").read_text(encoding="utf8").splitlines()][:10]
    sources, hypotheses, references = ([row[role] for row in rows] for role in ("src", "mt", "ref"))
    found = tribunal.score(hypotheses, references, ["comet"], segments=True, comet=DA22, sources=sources)
    assert found["comet"] == pytest.approx(values[:10], abs=1e-6)
    assert "comet" in tribunal.metrics(comet=DA22) and "comet" not in tribunal.metrics()
    with pytest.raises(ValueError, match="comet: expected a model of COMET, found none; name its folder with `comet`"):
        tribunal.score(hypotheses, references, ["comet"], sources=sources)
    with pytest.raises(ValueError, match="expected the source of each translation, which comet reads"):
        tribunal.score(hypotheses, references, ["comet"], comet=DA22)
    kiwi = (COMET / "unified-kiwi22", DA22[1])
    bare = tribunal.score(hypotheses, None, ["comet-qe"], segments=True, comet=kiwi, sources=sources)
    assert bare["comet-qe"].shape == (10,)
    with pytest.raises(ValueError, match="`references`: expected one or more for each segment, with which bleu compares"):
        tribunal.score(hypotheses, None, ["bleu"], sources=sources)


def test_a_model_learns_from_comet():
    columns = dict(zip(["hyp1", "hyp2", "ref"], zip(*JUDGED)))
    frame = {name: list(texts) for name, texts in columns.items()} | {"src": [f"Satz {at}" for at in range(len(JUDGED))]}
    assert "h1.comet" in tribunal.features(frame, comet=DA22).names
    trained = tribunal.train(frame, LABELS, comet=DA22, folds=4)
    assert "comet" in {row["name"] for row in trained.report.systems}
    model = pickle.loads(pickle.dumps(trained.model))
    assert np.array_equal(model.predict_proba(frame), trained.model.predict_proba(frame))
    texts = ["He goes home."], ["He is going home."]
    assert len(model.score(*texts, sources=["Er geht nach Hause."])) == 1
    ranked = tribunal.rank({"one": texts[0] * 4, "two": texts[1] * 4}, references=texts[1] * 4, sources=["Er geht."] * 4, model=model)
    assert {row["name"] for row in ranked.to_dict()["systems"]} == {"one", "two"}
