"""The estimator in scikit-learn's hands."""

import subprocess
import sys

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_predict, cross_val_score
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import FunctionTransformer

import tribunal
from tribunal.sklearn import TribunalClassifier


def test_without_scikit_learn_the_import_says_what_to_install():
    code = "import sys; sys.modules['sklearn'] = None; import tribunal.sklearn"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert run.returncode == 1 and "ImportError: tribunal.sklearn needs scikit-learn: pip install" in run.stderr


def test_it_learns_what_the_library_learns(rows, labels):
    fitted = TribunalClassifier(ties="accurate").fit(rows, labels)
    assert fitted.model_.to_json() == tribunal.fit(rows, labels, ties="accurate").to_json()
    assert (fitted.predict(rows) == fitted.model_.predict(rows)).all()
    probabilities = fitted.predict_proba(rows)
    assert (probabilities == fitted.model_.predict_proba(rows)[:, ::-1]).all()
    assert fitted.classes_.tolist() == [-1, 0, 1]
    np.testing.assert_allclose(probabilities.sum(axis=1), 1)
    assert fitted.score(rows, labels) == np.mean(fitted.predict(rows) == np.array(labels))


def test_parameters_are_those_of_estimators():
    estimator = TribunalClassifier(seed=3, without=["meteor"])
    assert estimator.get_params() == {
        "classes": (-1, 0, 1), "column": None, "comet": None, "encoder": None, "judges": None, "language": "en", "only_own": False,
        "own": None, "seed": 3, "ties": "likeliest", "without": ["meteor"],
    }
    assert clone(estimator).set_params(seed=4).seed == 4
    with pytest.raises(Exception, match="not fitted"):
        estimator.predict([("a", "b", "c")])


@pytest.mark.parametrize("form", ["tuples", "frame", "array"])
def test_cross_validation_by_groups(rows, labels, frame, form):
    table = frame.drop(columns="label")
    pairs = {"tuples": rows, "frame": table, "array": table.to_numpy(dtype=object)}[form]
    scores = cross_val_score(
        TribunalClassifier(), pairs, np.array(labels), groups=tribunal.groups(pairs), cv=GroupKFold(3), error_score="raise"
    )
    majority = max(np.mean(np.array(labels) == label) for label in (1, 0, -1))
    assert scores.shape == (3,) and scores.mean() > majority


def test_pipelines_and_searches(frame, labels):
    table = frame.drop(columns="label")
    lower = FunctionTransformer(lambda table: table.apply(lambda column: column.str.lower()))
    pipeline = Pipeline([("lower", lower), ("judge", TribunalClassifier())])
    groups, folds = tribunal.groups(table), GroupKFold(3)
    verdicts = cross_val_predict(pipeline, table, labels, groups=groups, cv=folds)
    # There scikit-learn numbers the labels from 0.
    numbered = clone(pipeline).set_params(judge__classes=(0, 1, 2))
    found = cross_val_predict(numbered, table, labels, groups=groups, cv=folds, method="predict_proba")
    # Where both hypotheses are as likely the verdict is a tie.
    decided = found[:, 0] != found[:, 2]
    assert decided.mean() > 0.9 and (np.array([-1, 0, 1])[found.argmax(axis=1)] == verdicts)[decided].all()
    search = GridSearchCV(pipeline, {"judge__ties": ["likeliest", "accurate"]}, cv=GroupKFold(2), error_score="raise")
    search.fit(table, labels, groups=tribunal.groups(table))
    assert search.best_params_["judge__ties"] in ("likeliest", "accurate")


def test_classes_have_any_names(rows, labels):
    names = {1: "A", 0: "tie", -1: "B"}
    named = TribunalClassifier(classes=("B", "tie", "A")).fit(rows, [names[label] for label in labels])
    plain = TribunalClassifier().fit(rows, labels)
    assert named.classes_.tolist() == ["A", "B", "tie"]
    assert named.predict(rows).tolist() == [names[label] for label in plain.predict(rows)]
    assert (named.predict_proba(rows)[:, [1, 2, 0]] == plain.predict_proba(rows)).all()
    with pytest.raises(ValueError, match="pairs:0: expected a label 1, 0 or -1, found 'C'"):
        TribunalClassifier(classes=("B", "tie", "A")).fit(rows, ["C"] * len(rows))


def test_weights_and_groups_reach_training(rows, labels):
    weights = np.where(np.arange(len(rows)) % 2 == 0, 1.0, 0.5)
    weighted = TribunalClassifier().fit(rows, labels, sample_weight=weights)
    assert weighted.model_.to_json() == tribunal.fit(rows, labels, weights=weights).to_json()
    assert weighted.model_.to_json() != TribunalClassifier().fit(rows, labels).model_.to_json()
