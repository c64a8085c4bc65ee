"""`compare` and `rank` on single outputs: the same values as scikit-learn, SciPy and judgy."""

import json
import random
import subprocess

import numpy as np
import pytest
from conftest import PROGRAM
from judgy import estimate_success_rate
from scipy import stats
from sklearn import metrics

TABLES = 50


def run(*arguments):
    """The program's answer as JSON."""
    found = subprocess.run([PROGRAM, *map(str, arguments), "--json", "--quiet"], capture_output=True, text=True, check=True)
    return json.loads(found.stdout)


def outputs(seed, path, *, is_binary, unlabelled=0.0):
    """A random table: labels, a judge's verdicts or points, and numbers of a metric."""
    draw = random.Random(seed)
    points = lambda value: max(1, min(5, round(3 + value)))
    rows = []
    for at in range(draw.choice([20, 60, 200])):
        quality = draw.gauss(0, 1)
        seen = quality + draw.gauss(0.3, 0.8)
        label, judge = (int(quality > 0.3), int(seen > 0.3)) if is_binary else (points(quality), points(0.7 * seen))
        label = None if draw.random() < unlabelled else label
        text = f"output {at} {'x' * draw.randint(0, 30)}"
        number = round(quality + draw.gauss(0, 1), 2)
        rows.append({"prompt": f"p{at // 3}", "output": text, "label": label, "judge": judge, "number": number})
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return [np.array([row[name] for row in rows]) for name in ("label", "judge", "number")]


@pytest.mark.parametrize("seed", range(TABLES))
def test_rates_and_areas_are_those_of_scikit_learn(seed, tmp_path):
    table = tmp_path / "outputs.jsonl"
    label, judge, number = outputs(seed, table, is_binary=True)
    rows = {row["name"]: row for row in run("compare", table, "--judge", "judge", "--own", "number")["rows"]}
    found = {name: value["value"] for name, value in rows["judge"]["binary"].items() if name != "coverage"}
    assert found == pytest.approx({
        "accuracy": metrics.accuracy_score(label, judge),
        "true_positive_rate": metrics.recall_score(label, judge),
        "true_negative_rate": metrics.recall_score(label, judge, pos_label=0),
        "balanced_accuracy": metrics.balanced_accuracy_score(label, judge),
        "kappa": metrics.cohen_kappa_score(label, judge),
        "f1": metrics.f1_score(label, judge),
    }, abs=1e-12)
    areas = [rows[name]["roc_area"]["value"] for name in ("judge", "number")]
    assert areas == pytest.approx([metrics.roc_auc_score(label, judge), metrics.roc_auc_score(label, number)], abs=1e-12)


@pytest.mark.parametrize("seed", range(TABLES))
def test_correlations_are_those_of_scipy(seed, tmp_path):
    table = tmp_path / "outputs.jsonl"
    label, judge, number = outputs(seed, table, is_binary=False)
    rows = {row["name"]: row["numeric"] for row in run("compare", table, "--judge", "judge", "--own", "number")["rows"]}
    for name, values in (("judge", judge), ("number", number)):
        found = [rows[name][figure]["value"] for figure in ("pearson", "spearman", "kendall")]
        expected = [of(values, label).statistic for of in (stats.pearsonr, stats.spearmanr, stats.kendalltau)]
        assert found == pytest.approx(expected, abs=1e-12)
    weighted = metrics.cohen_kappa_score(label, judge, weights="quadratic", labels=[1, 2, 3, 4, 5])
    found = [rows["judge"]["weighted_kappa"]["value"], rows["judge"]["bias"]["value"], rows["judge"]["spread"]]
    assert found == pytest.approx([weighted, np.mean(judge - label), judge.std() / label.std()], abs=1e-12)


@pytest.mark.parametrize("seed", range(TABLES))
def test_the_corrected_rate_is_judgys(seed, tmp_path):
    table = tmp_path / "outputs.jsonl"
    label, judge, _ = outputs(seed, table, is_binary=True, unlabelled=0.5)
    has_label = np.array([value is not None for value in label])
    found = run("rank", table, "--by", "both", "--judge", "judge")["by_rates"]
    try:
        theta, *_ = estimate_success_rate(
            label[has_label].astype(int), judge[has_label], judge[~has_label], bootstrap_iterations=10
        )
    except ValueError:
        assert found is None
        return
    assert found["value"] == pytest.approx(theta, abs=1e-12)
