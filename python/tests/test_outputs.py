"""Single outputs: the same values as scikit-learn, SciPy, judgy and ppi-python, and the same from frames as from files."""

import io
import json
import random
import subprocess

import numpy as np
import pandas
import pyarrow
import pytest
import tribunal
from conftest import PROGRAM
from judgy import estimate_success_rate
from ppi_py import ppi_mean_ci, ppi_mean_pointestimate
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


def test_outputs_to_label_are_those_of_the_command_line(tmp_path, program):
    rows = [{"prompt": f"q{at // 2}", "output": f"text {at}", "label": "pass" if at < 9 else None, "gpt": at % 2 == 0}
            for at in range(60)]
    frame = pandas.DataFrame(rows)
    frame.to_csv(tmp_path / "outputs.csv", index=False)
    written = program("next", tmp_path / "outputs.csv", "-n", 20, "--judge", "gpt", "--seed", 3)
    expected = pandas.read_csv(io.StringIO(written), float_precision="round_trip")
    found = pandas.DataFrame(tribunal.next(frame, 20, judges=["gpt"], seed=3))
    assert set(found.columns) == {*expected.columns, "row"} and found["annotator"].isna().all()
    names = expected.columns.drop("annotator")
    pandas.testing.assert_frame_equal(found[names], expected[names], check_dtype=False, check_exact=True)
    assert (frame["output"].iloc[found["row"]].to_numpy() == found["output"]).all()
    page = [tmp_path / "outputs.csv", "-o", tmp_path / "expected.html", "--annotator", "ann", "--judge", "gpt", "--scale", "0-4"]
    program("annotate", *page)
    tribunal.annotate(frame, tmp_path / "page.html", annotator="ann", judges="gpt", scale="0-4", name="outputs.csv")
    assert (tmp_path / "page.html").read_text() == (tmp_path / "expected.html").read_text()
    with pytest.raises(ValueError, match="scale: expected a scale, found 9-1"):
        tribunal.annotate(frame, tmp_path / "other.html", scale="9-1")
    with pytest.raises(ValueError, match="scale: expected outputs, one a row, found pairs"):
        tribunal.annotate({"hyp1": ["a"], "hyp2": ["b"]}, tmp_path / "other.html", scale="1-5")


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


@pytest.mark.parametrize("seed", range(TABLES))
def test_corrected_means_are_those_of_ppi_python(seed, tmp_path):
    table = tmp_path / "outputs.jsonl"
    label, judge, _ = outputs(seed, table, is_binary=seed % 2 == 0, unlabelled=0.6)
    label = np.array([np.nan if value is None else value for value in label], dtype=float)
    # Each output is a group of its own, as there.
    rows = [{**json.loads(line), "prompt": f"p{at}"} for at, line in enumerate(table.read_text().splitlines())]
    table.write_text("".join(json.dumps(row) + "\n" for row in rows))
    known = ~np.isnan(label)
    parts = label[known], judge[known].astype(float), judge[~known].astype(float)
    for options, fixed in (((), None), (("--lambda", 1), 1)):
        row = run("rank", table, "--by", "both", "--judge", "judge", *options)["all"]
        if fixed is None and np.count_nonzero(~known) < 10:
            # Of so few the spread is not known.
            assert row["lambda"] == 0 and row["estimate"] == row["labels_alone"]
            continue
        found = row["estimate"]
        assert found["value"] == pytest.approx(float(ppi_mean_pointestimate(*parts, lam=fixed)[0]), abs=1e-9)
        # Its interval is normal, ours has Student's quantile.
        low, high = (float(end) for end in np.ravel(ppi_mean_ci(*parts, alpha=0.05, lam=fixed)))
        if len(rows) == 200:
            assert [found["low"], found["high"]] == pytest.approx([low, high], abs=0.05 * (high - low) + 0.01)


def alternative_test(labels, judged, epsilon):
    """The test of Calderon, Reichart and Dror 2025 for numbers. `labels`: (outputs, annotators)."""
    score = lambda value, others: -np.sqrt(np.mean((value - others) ** 2))
    p_values, advantages = [], []
    for annotator in range(labels.shape[1]):
        others = np.delete(labels, annotator, axis=1)
        scores = [[score(value, rest) for value, rest in zip(values, others)] for values in (judged, labels[:, annotator])]
        judge, person = (np.array(one) for one in scores)
        leads = (person >= judge).astype(float) - (judge >= person)
        advantages.append(np.mean(judge >= person))
        p_values.append(stats.ttest_1samp(leads, epsilon, alternative="less").pvalue)
    wins = stats.false_discovery_control(p_values, method="by") <= 0.05
    return np.mean(wins), np.mean(advantages), p_values


@pytest.mark.parametrize("seed", range(TABLES))
def test_the_alternative_annotator_test_of_numbers_is_that_of_its_authors(seed, tmp_path):
    draw, table = random.Random(seed), tmp_path / "rated.jsonl"
    quality = [draw.gauss(3, 1.2) for _ in range(60)]
    rate = lambda noise: [max(1, min(5, round(one + draw.gauss(0, noise)))) for one in quality]
    people, judge = {name: rate(0.8) for name in ("ann", "bob", "eve", "kim")}, rate(draw.choice([0.4, 1.0, 2.0]))
    rows = [{"prompt": f"p{at}", "output": f"o{at}", "judge": judge[at], **{name: people[name][at] for name in people}} for at in range(60)]
    table.write_text("".join(json.dumps(row) + "\n" for row in rows))
    found = run("compare", table, "--annotators", ",".join(people), "--judge", "judge", "--epsilon", 0.15)["alternative"][0]
    winning_rate, advantage, p_values = alternative_test(np.array(list(people.values())).T, np.array(judge), 0.15)
    assert [found["winning_rate"], found["advantage_probability"]] == pytest.approx([winning_rate, advantage], abs=1e-12)
    assert [one["p_value"] for one in found["annotators"]] == pytest.approx(p_values, abs=1e-9)


def frame(path):
    """The rows of a table as a dictionary of columns."""
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    return {name: [row[name] for row in rows] for name in rows[0]}


def without_names(found):
    """An answer without the name of its data."""
    return {name: value for name, value in found.items() if name != "name"}


@pytest.mark.parametrize("is_binary", [True, False])
def test_frames_have_the_answers_of_files(is_binary, tmp_path):
    table, model = tmp_path / "outputs.jsonl", tmp_path / "model.json"
    label, _, _ = outputs(5, table, is_binary=is_binary)
    columns = frame(table)
    for outputs_of in (columns, pandas.DataFrame(columns)):
        compared = tribunal.compare(outputs_of, judges=["judge"], own=["number"])
        assert isinstance(compared, tribunal.OutputReport)
        asked = run("compare", table, "--judge", "judge", "--own", "number")
        assert without_names(compared.to_dict()) == without_names(asked)
    with_systems = {**columns, "system": [f"s{at % 3}" for at in range(len(label))]}
    csv = tmp_path / "systems.csv"
    pandas.DataFrame(with_systems).to_csv(csv, index=False)
    ranked = tribunal.rank(with_systems, by="both", judges=["judge"])
    assert without_names(ranked.to_dict()) == without_names(run("rank", csv, "--by", "both", "--judge", "judge"))
    assert list(ranked.to_pandas()["system"])[-1] == "all outputs"
    trained = tribunal.train(columns, judges=["judge"], own=["number"], folds=5)
    asked = run("train", table, "--judge", "judge", "--own", "number", "--folds", 5, "-m", model)
    assert without_names(trained.report.outputs.to_dict()) == without_names(asked["outputs"])
    predicted = trained.model.predict(columns)
    lines = subprocess.run([PROGRAM, "predict", table, "-m", model, "--json", "-q"], capture_output=True, text=True, check=True)
    rows = [json.loads(line) for line in lines.stdout.splitlines()]
    assert [row["expected"] for row in predicted] == [row["expected"] for row in rows]
    again = tribunal.compare(columns, models=trained.model, judges=["judge"]).to_dict()["rows"]
    assert sorted(row["name"] for row in again) == sorted(["ensemble", "judge", "number", "characters"])
    # The errors of a ready model's expected labels are those of scikit-learn.
    expected = np.array([row["expected"] for row in rows])
    error = run("compare", table, "-m", model)["reliability"][0]["squared_error"]
    assert error == pytest.approx(metrics.mean_squared_error(label, expected), abs=1e-12)
    if is_binary:
        assert error == pytest.approx(metrics.brier_score_loss(label, expected), abs=1e-12)


def test_contexts_are_lists_of_texts(tmp_path):
    table = tmp_path / "contexts.jsonl"
    passages = lambda at: [f"Bridge {at} is closed.", "Nobody uses it."][: 1 + at % 2]
    output = lambda at: [f"Bridge {at} is closed.", "Nobody crosses the river.", "It rains."][at % 3]
    rows = [{"output": output(at), "contexts": passages(at), "label": int(at % 3 == 0)} for at in range(30)]
    table.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for outputs_of in (frame(table), pyarrow.table(frame(table))):
        found = tribunal.compare(outputs_of)
        assert without_names(found.to_dict()) == without_names(run("compare", table))
        assert found["grounding"]["roc_area"]["value"] > 0.9


def test_outputs_have_no_options_of_pairs():
    columns = {"output": ["a", "b"], "label": ["pass", "fail"]}
    for call in (
        lambda: tribunal.rank(columns, style_control=True),
        lambda: tribunal.compare(columns, merge=True),
        lambda: tribunal.Model.builtin().predict(columns, ties=0.1),
        lambda: tribunal.Model.builtin().predict([("a", "b", "c")], min_agreement=0.9),
    ):
        with pytest.raises(ValueError, match="expected (pairs|outputs), found (outputs|pairs)|outputs, one a row"):
            call()
