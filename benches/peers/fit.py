#!/usr/bin/env python3
"""Compares a fit of Tribunal with one of scikit-learn: the same rows, the same penalty, one core, CPU time.

    python3 benches/peers/fit.py PAIRS ANSWERS [--penalty 0.03] [--golden FILE]

Needs cargo, numpy and scikit-learn (`pip install numpy scikit-learn`). Prints, for each, the median CPU seconds of
seven fits, the loss reached (mean log loss + penalty/2 |W|^2 over pairs and their mirror images), and its distance
from the lower of the two losses.
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
FITS = 7


def tribunal(options, matrix):
    """The output of examples/fit.rs, which writes the rows to `matrix`."""
    command = ["cargo", "run", "--quiet", "--profile", "ci" if options.golden else "release", "--example", "fit", "--"]
    arguments = [options.pairs, options.answers, str(options.penalty), matrix]
    done = subprocess.run(command + [str(Path(a).resolve()) if a != arguments[2] else a for a in arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


def read(matrix):
    """The mirrored rows and their labels."""
    rows, columns = numpy.fromfile(matrix, dtype="<u8", count=2)
    values = numpy.fromfile(matrix, dtype="<f8", offset=16, count=int(rows * columns)).reshape(int(rows), int(columns))
    return values, numpy.fromfile(matrix, dtype="<u8", offset=16 + 8 * int(rows * columns)).astype(int)


def classes_of(found):
    """Tribunal's weights, (columns, classes), and its intercepts, (classes)."""
    weights = found["weights"]
    w, u, v = (numpy.array(weights[name]) for name in ("hypothesis", "decided", "tie"))
    none = numpy.zeros_like(w)
    matrix = numpy.stack([numpy.concatenate(column) for column in ((w, u), (none, v), (-w, u))], axis=1)
    decided, tie = weights["decided_intercept"], weights["tie_intercept"]
    return matrix, numpy.array([decided, tie, decided])


def loss(rows, labels, matrix, intercepts, penalty):
    """Mean log loss + penalty/2 |W|^2."""
    logits = rows @ matrix + intercepts
    logits -= logits.max(axis=1, keepdims=True)
    log_sums = numpy.log(numpy.exp(logits).sum(axis=1))
    return (log_sums - logits[numpy.arange(len(labels)), labels]).mean() + penalty / 2 * (matrix**2).sum()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pairs")
    parser.add_argument("answers")
    parser.add_argument("--penalty", type=float, default=0.03)
    parser.add_argument("--golden", help="write what scikit-learn reaches, for tests/it/golden_fit.rs")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        matrix = str(Path(folder) / "matrix")
        ours = tribunal(options, matrix)
        rows, labels = read(matrix)
    seconds = []
    for _ in range(FITS):
        # scikit-learn minimises C times the sum of losses + |W|^2 / 2.
        model = LogisticRegression(C=1 / (options.penalty * len(labels)), max_iter=1000, tol=1e-7 if options.golden else 1e-4)
        before = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            model.fit(rows, labels)
        seconds.append(time.process_time() - before)
    losses = [loss(rows, labels, *classes_of(ours), options.penalty), loss(rows, labels, model.coef_.T, model.intercept_, options.penalty)]
    if options.golden:
        golden = {"tool": f"scikit-learn {sklearn.__version__}", "rows": rows.shape[0], "columns": rows.shape[1], "penalty": options.penalty, "loss": losses[1]}
        golden["command"] = "python3 benches/peers/fit.py data/sample/sample.pairs data/sample/sample.answers --golden tests/golden/fit.json"
        Path(options.golden).write_text(json.dumps(golden, indent=1) + "\n", encoding="utf-8")
    print(f"{rows.shape[0]} rows, {rows.shape[1]} columns, 3 classes, penalty {options.penalty}; scikit-learn {sklearn.__version__}\n")
    print("| | CPU s | loss | above the least |\n| --- | ---: | ---: | ---: |")
    for name, times, value in zip(("Tribunal", "scikit-learn"), (ours["seconds"], seconds), losses):
        print(f"| {name} | {statistics.median(times):.3f} | {value:.9f} | {value - min(losses):.1e} |")


if __name__ == "__main__":
    main()
