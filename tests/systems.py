#!/usr/bin/env python3
"""Agreement of metrics with people on the ranking of systems.

    python3 tests/systems.py --data FOLDER [-m MODEL]...

FOLDER holds `wmt-systems`: the output of some systems, one file each, a file `reference`, and `answer_key.dev` with the
names of the systems from best to worst as people rank them. They are not part of the project; if they do not exist, the
script reports that and does nothing. Scores all systems with `tribunal score`, with the built-in model and those of
`-m`, and prints a table for a model's card: Spearman's rank correlation with people, its lowest and highest value with
any one system left out, and the number of pairs of systems in people's order.
"""

import argparse
import csv
import io
import re
import subprocess
import sys
import tempfile
from itertools import combinations
from pathlib import Path

from program import BASELINE, BINARY, METRICS, tribunal

ERRORS = {"ter"}


def scores(folder, systems, models):
    """The scores of all systems for each metric, higher is better: {metric: [score of each system]}."""
    outputs = [folder / name for name in systems]
    chosen = [option for model in models for option in ("-m", model)]
    table = tribunal("score", *outputs, "-r", folder / "reference", "--metrics", ",".join(METRICS), *chosen)
    rows = list(csv.DictReader(io.StringIO(table), delimiter="\t"))
    if [row["system"] for row in rows] != systems:
        sys.exit(f"tribunal score: other systems than {systems}")
    metrics = [name for name in rows[0] if name != "system"]
    found = {name: [(-1 if name in ERRORS else 1) * float(row[name]) for row in rows] for name in metrics}
    # All three are means over segments, so their sum is the mean of the baseline's sums.
    found["sum"] = [sum(values) for values in zip(*(found.pop(name) for name in BASELINE))]
    return found


def ranks(values):
    """Ranks from 1 for the lowest value; equal values share their mean rank."""
    below = [sum(other < value for other in values) for value in values]
    equal = [sum(other == value for other in values) for value in values]
    return [count + (same + 1) / 2 for count, same in zip(below, equal)]


def spearman(one, other):
    """Spearman's rho: Pearson's correlation of the ranks; 0 if either list is constant."""
    one, other = ranks(one), ranks(other)
    mean = (len(one) + 1) / 2
    product = sum((a - mean) * (b - mean) for a, b in zip(one, other))
    squares = sum((a - mean) ** 2 for a in one) * sum((b - mean) ** 2 for b in other)
    return product / squares**0.5 if squares > 0 else 0.0


def left_out(one, other):
    """The lowest and the highest rho with any one system left out."""
    found = [spearman(one[:at] + one[at + 1 :], other[:at] + other[at + 1 :]) for at in range(len(one))]
    return min(found), max(found)


def in_order(values):
    """The number of pairs of systems, listed from best to worst, whose scores are in that order."""
    return sum(better > worse for better, worse in combinations(values, 2))


def correlations(folder, models=()):
    """{metric: (rho, its range with any one system left out, pairs in order)}, and the number of systems."""
    systems = (folder / "answer_key.dev").read_text(encoding="utf-8").split()
    people = [-place for place in range(len(systems))]
    found = scores(folder, systems, models)
    rows = {}
    for name, values in found.items():
        rows[name] = spearman(people, values), left_out(people, values), in_order(values)
    return rows, len(systems)


def rows(found):
    """Rows of the table of correlations, the highest first."""
    ordered = sorted(found.items(), key=lambda row: -row[1][0])
    return [f"| `{name}` | {rho:.3f} | {low:.3f} - {high:.3f} | {pairs} |" for name, (rho, (low, high), pairs) in ordered]


def seen(folder, systems):
    """The number of references that the built-in model was trained on, by its fingerprints, and the number of all."""
    references, *outputs = [(folder / name).read_text(encoding="utf-8").splitlines() for name in ("reference", *systems[:2])]
    with tempfile.TemporaryDirectory() as scratch:
        pairs = Path(scratch) / "pairs.csv"
        with open(pairs, "w", encoding="utf-8", newline="") as file:
            rows = zip(*outputs, references, ("1", "-1") * len(references))
            csv.writer(file).writerows([("hyp1", "hyp2", "ref", "label"), *rows])
        done = subprocess.run([BINARY, "compare", pairs], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"tribunal compare: status {done.returncode}: {done.stderr.strip()}")
    found = re.search(r"was trained on the references of (\d+) of these", done.stderr)
    return int(found[1]) if found else 0, len(references)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder of the judgments")
    parser.add_argument("-m", "--model", type=Path, action="append", default=[], help="a model that train wrote")
    arguments = parser.parse_args()
    folder = arguments.data / "wmt-systems"
    if not (folder / "answer_key.dev").exists():
        print(f"skipped: the systems are not here ({folder} does not exist)")
        return
    found, systems = correlations(folder, arguments.model)
    names = (folder / "answer_key.dev").read_text(encoding="utf-8").split()
    print("{} of {} references are among those that the model inside the program was trained on\n".format(*seen(folder, names)))
    all_pairs = systems * (systems - 1) // 2
    print(f"| metric | Spearman's rho | leave-one-out range | pairs in the human order, of {all_pairs} |")
    print("| --- | ---: | --- | ---: |")
    print("\n".join(rows(found)))


if __name__ == "__main__":
    main()
