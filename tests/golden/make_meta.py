#!/usr/bin/env python3
"""Agreement of a metric with people on random tables, by SciPy and by definition, beside `tribunal correlate`.

    python tests/golden/make_meta.py [--tribunal BIN] [--write]

Needs NumPy and SciPy. Compares 50 tables, with ties and without people's scores for some cells, and ends with status 1 if a
value is further than 1e-9 from Tribunal's. `--write` keeps a few of them in meta_scipy.json.
"""

import argparse
import itertools
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy
import scipy
from scipy import stats

TABLES, KEPT = 50, 5
HERE = Path(__file__).resolve().parent
AVERAGINGS = ("none", "sys", "item")


def random_table(number):
    """People's scores, some of them missing (NaN), and a metric's: (systems, segments)."""
    random = numpy.random.default_rng(number)
    shape = random.integers(2, 7), random.integers(2, 13)
    people = random.normal(size=shape)
    metric = people + random.normal(size=shape) * random.choice([0.3, 1, 3])
    # Most people's scores are whole numbers, and many metrics have ties.
    people = [people, numpy.round(2 * people), numpy.round(people)][number % 3] + 0.0
    metric = numpy.round(metric, [8, 1, 0][number % 3 if number % 2 else 0]) + 0.0
    if number % 4 == 1:
        people[random.random(shape) < 0.1] = numpy.nan
    return people, metric


def differences(values):
    """The differences of every two values."""
    first, second = numpy.triu_indices(len(values), 1)
    return numpy.asarray(values)[first] - numpy.asarray(values)[second]


def signs(values):
    """The order of every two values, the earlier minus the later."""
    return numpy.sign(differences(values))


def mean(values):
    """The mean of what is defined, or None."""
    values = [value for value in values if not numpy.isnan(value)]
    return float(numpy.mean(values)) if values else None


def ratio(part, whole):
    return part / whole if whole else numpy.nan


def variants(people, metric):
    """The WMT variants of Kendall's tau of one row (Deutsch et al. 2023, table 1)."""
    people, metric = signs(people), signs(metric)
    concordant, discordant = (people * metric > 0).sum(), (people * metric < 0).sum()
    metric_ties, right = ((people != 0) & (metric == 0)).sum(), (people == metric).sum()
    return {
        "kendall_10": ratio(concordant - discordant - metric_ties, concordant + discordant + metric_ties),
        "kendall_13": ratio(concordant - discordant, concordant + discordant),
        "kendall_14": ratio(concordant - discordant, concordant + discordant + metric_ties),
        "kendall_23": ratio(2 * right - len(people), len(people)),
        "kendall_acc23": ratio(right, len(people)),
    }


def optimised(rows):
    """acc_23 with the best threshold: every one is tried."""
    rows = [(numpy.sign(differences(people)), differences(metric)) for people, metric in rows]
    tried = numpy.unique(numpy.concatenate([[0.0], *(abs(metric) for _, metric in rows)]))
    right = lambda people, metric, threshold: (numpy.where(abs(metric) <= threshold, 0, numpy.sign(metric)) == people).mean()
    return float(max(numpy.mean([right(*row, threshold) for row in rows]) for threshold in tried))


def by_scipy(statistic, people, metric):
    # Without order on a side there is nothing to correlate.
    if len(set(people)) < 2 or len(set(metric)) < 2:
        return numpy.nan
    return statistic(people, metric)[0]


def kendall_like(rows, threshold):
    concordant = discordant = 0
    for people, metric in rows:
        for (a, b), (c, d) in itertools.combinations(zip(people, metric), 2):
            if abs(a - c) >= threshold:
                is_concordant = (a - c) * (b - d) > 0
                concordant, discordant = concordant + is_concordant, discordant + (not is_concordant)
    return ratio(concordant - discordant, concordant + discordant)


def values(people, metric):
    """All statistics by name."""
    found = {}
    for averaging in AVERAGINGS:
        shaped = {"none": lambda table: table.reshape(1, -1), "sys": lambda table: table, "item": lambda table: table.T}[averaging]
        rows = [(p[~numpy.isnan(p)], m[~numpy.isnan(p)]) for p, m in zip(shaped(people), shaped(metric))]
        rows = [row for row in rows if len(row[0]) > 1]
        scipys = {
            "pearson": stats.pearsonr,
            "spearman": stats.spearmanr,
            "kendall_b": stats.kendalltau,
            "kendall_c": lambda p, m: stats.kendalltau(p, m, variant="c"),
        }
        for name, statistic in scipys.items():
            found[f"{averaging} {name}"] = mean(by_scipy(statistic, p, m) for p, m in rows)
        counted = [variants(p, m) for p, m in rows]
        for name in variants([0], [0]):
            found[f"{averaging} {name}"] = mean(row[name] for row in counted)
        found[f"{averaging} acc23_optimised"] = optimised(rows) if rows else None
        if averaging == "item":
            found[" kendall_like_1"] = mean([kendall_like(rows, 1)])
    if not numpy.isnan(people).any():
        means = people.mean(axis=1), metric.mean(axis=1)
        found["system_level pairwise_accuracy"] = float((signs(means[0]) == signs(means[1])).mean())
        found["system_level pearson"] = mean([by_scipy(stats.pearsonr, *means)])
        found["system_level spearman"] = mean([by_scipy(stats.spearmanr, *means)])
        found["system_level kendall_b"] = mean([by_scipy(stats.kendalltau, *means)])
        found["system_level soft_pairwise_accuracy_1000_permutations_seed_4"] = soft(people, metric)
    return found


def soft(people, metric):
    """Soft pairwise accuracy (Thompson et al. 2024), with mt-metrics-eval's draws."""
    draws = 2 * numpy.rint(numpy.random.default_rng(4).random((1000, people.shape[1]), dtype=numpy.float32)) - 1

    def p_values(scores):
        scores = scores.astype(numpy.float32)
        sums, exchanged = scores.sum(axis=1), draws @ scores.T
        pairs = itertools.combinations(range(len(scores)), 2)
        return numpy.array([((exchanged[:, i] - exchanged[:, j]) >= sums[i] - sums[j]).mean() for i, j in pairs])

    return float(1 - numpy.abs(p_values(people) - p_values(metric)).mean())


def csv(people, metric):
    cell = lambda value: "" if numpy.isnan(value) else repr(float(value))
    lines = [f"s{system},{segment},{cell(people[system, segment])},{cell(metric[system, segment])}\n" for system, segment in numpy.ndindex(people.shape)]
    return "system,segment,score,m\n" + "".join(lines)


def tribunals(binary, text):
    """The same statistics, by the program."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        path.write_text(text)
        command = [binary, "correlate", path, "--people", "score", "--metrics", "m", "--json", "--quiet", "--rounds", "0"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    metric = json.loads(done.stdout)["metrics"][0]
    found = {"system_level": metric["system_level"] or {}, **{name: metric["segments"][name] for name in AVERAGINGS}, "": metric["segments"]}
    return lambda name: found[name.split(" ")[0]].get(name.split(" ")[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tribunal", type=Path, default=HERE.parent.parent / "target" / "release" / "tribunal")
    parser.add_argument("--write", action="store_true", help="write meta_scipy.json")
    arguments = parser.parse_args()
    compared, wrong, largest, kept = 0, 0, 0.0, []
    for number in range(TABLES):
        people, metric = random_table(number)
        expected, text = values(people, metric), csv(people, metric)
        found = tribunals(arguments.tribunal, text)
        for name, value in expected.items():
            other = found(name)
            distance = 0.0 if value is None and other is None else numpy.inf if value is None or other is None else abs(value - other)
            compared, largest = compared + 1, max(largest, distance)
            if not distance < 1e-9:
                wrong += 1
                print(f"table {number} {name}: {other}, expected {value}")
        if number % 10 == 1 or number == 2:
            kept.append({"table": text, "values": expected})
    print(f"{TABLES} tables, {compared} values, largest difference {largest:.1e}, {wrong} further than 1e-9 from SciPy {scipy.__version__}")
    if arguments.write:
        kept = sorted(kept, key=lambda case: len(case["table"]))[:KEPT]
        head = {"tool": "NumPy and SciPy", "version": f"{numpy.__version__}, {scipy.__version__}", "command": "make_meta.py --write"}
        lines = ",\n".join("    " + json.dumps(case) for case in kept)
        head = json.dumps(head)[1:-1]
        (HERE / "meta_scipy.json").write_text(f'{{\n  {head},\n  "cases": [\n{lines}\n  ]\n}}\n')
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
