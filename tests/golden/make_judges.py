#!/usr/bin/env python3
"""Agreement of annotators, and judges against them, by the reference implementations.

    python tests/golden/make_judges.py --data DIR [--write]

DIR has PandaLM's test set, MT-bench's judgments and LLMBar as `pandalm.jsonl`, `mtbench.jsonl` and `llmbar.jsonl`. Only their labels
go into judges.json, as numbers: 1 for the first, -1 for the second, 0 for a tie, null for none. Needs krippendorff 0.9.0,
scikit-learn and SciPy. The alternative annotator test is the procedure of the authors' program (github.com/nitaytech/AltTest),
whose p-values are SciPy's `ttest_1samp`. Without --write, the values of judges.json are compared.
"""

import argparse
import itertools
import json
from pathlib import Path

import krippendorff
import numpy
from scipy import stats
from sklearn.metrics import cohen_kappa_score

HERE = Path(__file__).resolve().parent
WORDS = {"1": 1, "2": -1, "0": 0, "tie": 0, "model_a": 1, "model_b": -1}


def label(word):
    """The label that a word stands for; None for any other."""
    return WORDS.get(str(word).lower())


def alternative(people, judge, epsilon):
    """The alternative annotator test: people are {annotator: {pair: label}}, the judge is {pair: label}."""
    judged_by = {}
    for annotator, labels in people.items():
        for pair in labels:
            judged_by.setdefault(pair, []).append(annotator)
    result, advantages = {}, []
    for annotator, labels in people.items():
        leads, wins = [], []
        for pair, own in labels.items():
            others = [people[other][pair] for other in judged_by[pair] if other != annotator]
            # The authors' program keeps the pairs `if i in llm_annotations`.
            if not others or judge[pair] is None:
                continue
            score = lambda given: numpy.mean([given == other for other in others])
            person, machine = score(own), score(judge[pair])
            leads.append(int(person >= machine) - int(machine >= person))
            wins.append(machine >= person)
        if len(leads) < 30:
            continue
        p = stats.ttest_1samp(leads, epsilon, alternative="less").pvalue if len(set(leads)) > 1 else float(leads[0] >= epsilon)
        result[annotator] = float(p)
        advantages.append(float(numpy.mean(wins)))
    return {"epsilon": epsilon, "advantage_probability": float(numpy.mean(advantages)), "p_values": result}


def rows(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def pandalm(data):
    pairs = rows(data / "pandalm.jsonl")
    names = ["annotator1", "annotator2", "annotator3"]
    labels = [[label(pair[name]) for name in names] for pair in pairs]
    columns = list(zip(*labels))
    people = {name: dict(enumerate(column)) for name, column in zip(names, columns)}
    judges = {name: [label(pair[name]) for pair in pairs] for name in ("gpt35", "pandalm7b")}
    two = list(itertools.combinations(range(3), 2))
    return {
        "annotators": names,
        "labels": labels,
        "judges": judges,
        "alpha": krippendorff.alpha(reliability_data=numpy.array(columns, float), level_of_measurement="nominal"),
        "kappa": [cohen_kappa_score(columns[one], columns[other]) for one, other in two],
        "agreement": [float(numpy.mean(numpy.equal(columns[one], columns[other]))) for one, other in two],
        "alternative": {name: [alternative(people, dict(enumerate(given)), epsilon) for epsilon in (0.1, 0.2)] for name, given in judges.items()},
    }


def mtbench(data):
    pairs = rows(data / "mtbench.jsonl")
    names = list(dict.fromkeys(name for pair in pairs for name in pair["people"]))
    labels = [[label(pair["people"].get(name)) for name in names] for pair in pairs]
    people = {name: {at: row[position] for at, row in enumerate(labels) if row[position] is not None} for position, name in enumerate(names)}
    judges = {name: [label(pair["models"][name]) for pair in pairs] for name in pairs[0]["models"]}
    table = numpy.array([[numpy.nan if one is None else one for one in row] for row in labels], float).T
    return {
        "annotators": names,
        "labels": labels,
        "judges": judges,
        "alpha": krippendorff.alpha(reliability_data=table, level_of_measurement="nominal"),
        "alternative": {name: [alternative(people, dict(enumerate(given)), 0.2)] for name, given in judges.items()},
    }


def llmbar(data):
    pairs = rows(data / "llmbar.jsonl")
    truth = [label(pair["label"]) for pair in pairs]
    result = {"labels": truth, "judges": {}}
    for name in pairs[0]["judges"]:
        given = [[label(one) for one in pair["judges"][name]] for pair in pairs]
        # Missing verdicts are skipped.
        both = [(one, other, right) for (one, other), right in zip(given, truth) if None not in (one, other)]
        shown = lambda order: [row[order] == (1, -1)[order] for row in given if row[order] is not None]
        in_order = lambda order: [row[order] == right for row, right in zip(given, truth) if row[order] is not None]
        result["judges"][name] = {
            "verdicts": given,
            "accuracy": [float(numpy.mean(in_order(order))) for order in (0, 1)],
            "consistency": float(numpy.mean([one == other for one, other, _ in both])),
            "both_orders_right": float(numpy.mean([one == other == right for one, other, right in both])),
            "first_shown": float(numpy.mean([numpy.mean(shown(order)) for order in (0, 1)])),
        }
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    made = {
        "tool": "krippendorff, scikit-learn, SciPy",
        "version": f"krippendorff 0.9.0, scikit-learn {__import__('sklearn').__version__}, SciPy {__import__('scipy').__version__}",
        "command": "python tests/golden/make_judges.py --data DIR --write",
        "pandalm": pandalm(options.data),
        "mtbench": mtbench(options.data),
        "llmbar": llmbar(options.data),
    }
    path = HERE / "judges.json"
    if options.write:
        path.write_text(json.dumps(made, separators=(",", ":")) + "\n")
    elif json.loads(path.read_text()) != json.loads(json.dumps(made)):
        raise SystemExit("judges.json has other values")


if __name__ == "__main__":
    main()
