#!/usr/bin/env python3
"""Rankings and prediction-powered means by the reference implementations.

    python tests/golden/make_ranking.py --data DIR [--write]

DIR has PandaLM's test set as `pandalm.jsonl`, of which only systems and labels go into ranking.json; the other tables are random.
Bradley-Terry strengths (geometric mean 1) and average win rates are evalica 0.4.2's, with ties as halves; means, intervals and
their lambda are ppi-python 0.2.3's. Without --write, the values of ranking.json are compared.
"""

import argparse
import json
import random
from collections import Counter
from pathlib import Path

import evalica
import numpy
import ppi_py

HERE = Path(__file__).resolve().parent
WINNERS = {1: evalica.Winner.X, 0: evalica.Winner.Draw, -1: evalica.Winner.Y}


def ranking(rows):
    """The strengths and win rates of systems in rows of first system, second system, label."""
    one, other, labels = zip(*rows)
    winners = [WINNERS[label] for label in labels]
    systems = sorted(set(one) | set(other))
    strengths = evalica.bradley_terry(one, other, winners, tie_weight=0.5, tolerance=1e-13, limit=100_000).scores
    rates = evalica.average_win_rate(one, other, winners, tie_weight=0.5).scores
    mean = numpy.exp(numpy.mean([numpy.log(strengths[system]) for system in systems]))
    return {
        "rows": rows,
        "systems": systems,
        "strengths": [float(strengths[system] / mean) for system in systems],
        "win_rates": [float(rates[system]) for system in systems],
    }


def powered(labels, labelled, others, lam=None):
    """The prediction-powered mean of labels, whose predictions are `labelled`."""
    arrays = [numpy.array(values, float) for values in (labels, labelled, others)]
    low, high = ppi_py.ppi_mean_ci(*arrays, alpha=0.05, lam=lam)
    return {
        "labels": labels,
        "labelled": labelled,
        "others": others,
        "lambda": lam,
        "value": float(numpy.squeeze(ppi_py.ppi_mean_pointestimate(*arrays, lam=lam))),
        "low": float(numpy.squeeze(low)),
        "high": float(numpy.squeeze(high)),
    }


def random_ranking(draw):
    """A table in which every system wins and loses against each other one."""
    count = draw.randint(2, 7)
    strengths = [draw.random() for _ in range(count)]
    rows = [[one, other, label] for one in range(count) for other in range(one) for label in (1, -1)]
    for _ in range(draw.randint(5, 60)):
        one, other = draw.sample(range(count), 2)
        lead = strengths[one] - strengths[other] + draw.gauss(0, 0.5)
        rows.append([one, other, 0 if abs(lead) < 0.1 else 1 if lead > 0 else -1])
    return ranking(rows)


def random_powered(draw):
    def pair():
        label = draw.choice([0, 0.5, 1])
        return label, round(min(max(label + draw.gauss(0, 0.5), 0), 1), 2)

    labels, labelled = zip(*(pair() for _ in range(draw.randint(15, 60))))
    others = [pair()[1] for _ in range(draw.randint(20, 120))]
    return powered(list(labels), list(labelled), others, lam=draw.choice([None, None, 1, 0.5]))


def pandalm(data):
    """Pairs in which two or more of three annotators agree, as (row of systems and label, the judge's verdict)."""
    signs = {1: 1, 2: -1, 0: 0, "1": 1, "2": -1, "Tie": 0, "0": 0}
    rows, agreed = [json.loads(line) for line in (data / "pandalm.jsonl").read_text().splitlines()], []
    names = sorted({row[name] for row in rows for name in ("model_a", "model_b")})
    for row in rows:
        label, votes = Counter(row[f"annotator{number}"] for number in (1, 2, 3)).most_common(1)[0]
        if votes > 1:
            agreed.append(([names.index(row["model_a"]), names.index(row["model_b"]), signs[label]], signs.get(row["gpt35"])))
    judged = [(0.5 + 0.5 * label, 0.5 if verdict is None else 0.5 + 0.5 * verdict) for (_, _, label), verdict in agreed]
    labels, predicted = (list(values) for values in zip(*judged))
    return {
        "names": names,
        "ranking": ranking([row for row, _ in agreed]),
        "powered": [powered(labels[:150], predicted[:150], predicted[150:], lam) for lam in (None, 1)],
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    draw = random.Random(1)
    made = {
        "tool": "evalica, ppi-python",
        "version": "evalica 0.4.2, ppi-python 0.2.3",
        "command": "python tests/golden/make_ranking.py --data DIR --write",
        "pandalm": pandalm(options.data),
        "rankings": [random_ranking(draw) for _ in range(50)],
        "powered": [random_powered(draw) for _ in range(50)],
    }
    path = HERE / "ranking.json"
    if options.write:
        path.write_text(json.dumps(made, separators=(",", ":")) + "\n")
    elif json.loads(path.read_text()) != json.loads(json.dumps(made)):
        raise SystemExit("ranking.json has other values")


if __name__ == "__main__":
    main()
