#!/usr/bin/env python3
"""Compares the fits of `train` with scikit-learn's: the same folds, penalties, rows and columns, one core, CPU time.

    python3 benches/peers/fit.py PAIRS ANSWERS [--rounds 5] [--penalty 0.03] [--golden FILE]

Needs cargo, numpy and scikit-learn (`pip install numpy scikit-learn`). Cross-validation chooses a penalty for each of ten folds,
and for all pairs, on held-out rows. scikit-learn gets every pair with its mirror image, without which its model would not be
antisymmetric; Tribunal's weights have no bounds here, as scikit-learn knows none. Each round makes all fits with one and then with
the other. Prints the medians, and the loss that each reaches on all pairs (mean log loss + penalty/2 |W|^2 over pairs and their
mirror images), with its distance from the lower of the two.
"""

import argparse
import json
import os
import statistics
import subprocess
import tempfile
import time
import warnings
from pathlib import Path

os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = "1"

import numpy
import sklearn
from sklearn.linear_model import LogisticRegression

ROOT = Path(__file__).resolve().parent.parent.parent


def read(folder):
    """The rows, their labels, the number of columns that change their sign, and what is fitted."""
    path = folder / "rows"
    rows, columns = (int(count) for count in numpy.fromfile(path, dtype="<u8", count=2))
    values = numpy.fromfile(path, dtype="<f8", offset=16, count=rows * columns).reshape(rows, columns)
    labels = numpy.fromfile(path, dtype="<u8", offset=16 + 8 * rows * columns).astype(int)
    plan = json.loads((folder / "fits.json").read_text())
    return values, labels, plan["signed"], [(numpy.array(fit["rows"]), fit["penalties"]) for fit in plan["fits"]]


def mirrored(values, labels, signed):
    """Each pair, and each pair with its hypotheses swapped."""
    mirror = values.copy()
    mirror[:, :signed] *= -1
    return numpy.concatenate([values, mirror]), numpy.concatenate([labels, 2 - labels])


def fitted(rows, labels, penalty, tolerance=1e-4):
    """A model of scikit-learn, and the CPU seconds that its fit took."""
    # It minimises C times the sum of losses + |W|^2 / 2. Without ties it fits the difference of the two classes' weights, whose square
    # is twice the sum of theirs.
    classes = len(numpy.unique(labels))
    model = LogisticRegression(C=(1 if classes == 3 else 2) / (penalty * len(labels)), max_iter=1000, tol=tolerance)
    before = time.process_time()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(rows, labels)
    return model, time.process_time() - before


def classes_of(weights):
    """Tribunal's weights, (columns, classes), and its intercepts, (classes)."""
    w, u, v = (numpy.array(weights[name]) for name in ("hypothesis", "decided", "tie"))
    none = numpy.zeros_like(w)
    matrix = numpy.stack([numpy.concatenate(column) for column in ((w, u), (none, v), (-w, u))], axis=1)
    decided, tie = weights["decided_intercept"], weights["tie_intercept"]
    return matrix, numpy.array([decided, tie, decided])


def classes_of_peer(model):
    """The same of a model of scikit-learn."""
    if len(model.coef_) == 3:
        return model.coef_.T, model.intercept_
    (half,), (intercept,) = model.coef_ / 2, model.intercept_ / 2
    return numpy.stack((-half, numpy.zeros_like(half), half), axis=1), numpy.array([-intercept, -numpy.inf, intercept])


def loss(rows, labels, matrix, intercepts, penalty):
    """Mean log loss + penalty/2 |W|^2."""
    logits = rows @ matrix + intercepts
    logits -= logits.max(axis=1, keepdims=True)
    log_sums = numpy.log(numpy.exp(logits).sum(axis=1))
    return (log_sums - logits[numpy.arange(len(labels)), labels]).mean() + penalty / 2 * (matrix**2).sum()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pairs", type=Path)
    parser.add_argument("answers", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--penalty", type=float, default=0.03)
    parser.add_argument("--golden", help="write what scikit-learn reaches, for tests/it/golden_fit.rs")
    options = parser.parse_args()
    command = ["cargo", "run", "--quiet", "--profile", "ci" if options.golden else "release", "--example", "fit", "--"]
    arguments = [str(options.pairs.resolve()), str(options.answers.resolve()), str(options.penalty)]
    seconds = {"Tribunal": [], "scikit-learn": []}
    with tempfile.TemporaryDirectory() as folder:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        with subprocess.Popen([*command, *arguments, folder], cwd=ROOT, **pipes) as ours:
            weights = json.loads(ours.stdout.readline())
            values, labels, signed, fits = read(Path(folder))
            for _ in range(0 if options.golden else options.rounds):
                ours.stdin.write("\n")
                ours.stdin.flush()
                seconds["Tribunal"].append(float(ours.stdout.readline()))
                total = 0.0
                for rows, penalties in fits:
                    part = mirrored(values[rows], labels[rows], signed)
                    total += sum(fitted(*part, penalty)[1] for penalty in penalties)
                seconds["scikit-learn"].append(total)
    rows, labels = mirrored(values, labels, signed)
    model, _ = fitted(rows, labels, options.penalty, 1e-7 if options.golden else 1e-4)
    losses = [loss(rows, labels, *classes_of(weights), options.penalty), loss(rows, labels, *classes_of_peer(model), options.penalty)]
    if options.golden:
        golden = {"tool": f"scikit-learn {sklearn.__version__}", "rows": rows.shape[0], "columns": rows.shape[1], "penalty": options.penalty, "loss": losses[1]}
        golden["command"] = "python3 benches/peers/fit.py data/sample/sample.pairs data/sample/sample.answers --golden tests/golden/fit.json"
        Path(options.golden).write_text(json.dumps(golden, indent=1) + "\n", encoding="utf-8")
        return
    count = sum(len(penalties) for _, penalties in fits)
    print(f"{count} fits of {len(values)} pairs, {rows.shape[1]} columns, {len(numpy.unique(labels))} classes; scikit-learn {sklearn.__version__}\n")
    print("| | CPU s of all fits | minimum | maximum | loss of one | above the least |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    for (name, times), value in zip(seconds.items(), losses):
        print(f"| {name} | {statistics.median(times):.2f} | {min(times):.2f} | {max(times):.2f} | {value:.9f} | {value - min(losses):.1e} |")
    ratios = [theirs / ours for ours, theirs in zip(*seconds.values())]
    print(f"\nscikit-learn takes {statistics.median(ratios):.1f} times as long ({min(ratios):.1f} to {max(ratios):.1f})")


if __name__ == "__main__":
    main()
