#!/usr/bin/env python3
"""Checks of single outputs on real judgments: whether the intervals of corrected rates hold, and what a model learns.

    python3 tests/real_outputs.py --data DIR [--draws 1000]

prints how often the 95% intervals of `rank --by both` hold the mean of all labels, if 50 or 150 outputs are labelled at random, and
how wide they are beside those of the labels alone; and the figures of a model of PandaLM's outputs. DIR is the folder of all judgments.
"""

import argparse
import csv
import json
import random
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import mean

from program import tribunal
from real_judges import rows, write
from real_ranking import PEOPLE

SIZES = (50, 150)
#: Rows of `wmt20`, a random part of all.
POOL = 1500


def pandalm(path):
    """Each response passes if most annotators prefer it to the other, and so does gpt35's verdict."""
    for row in rows(path):
        prompt = f"{row['id']} {row['instruction']} {row['input']}"
        for side, name in ((1, "a"), (2, "b")):
            wins = sum(str(row[person]) == str(side) for person in PEOPLE)
            yield {"prompt": prompt, "system": row[f"model_{name}"], "output": row[f"response_{name}"], "label": int(wins > 1),
                   "judge": int(str(row["gpt35"]) == str(side)), "pandalm7b": int(str(row["pandalm7b"]) == str(side)),
               **{person: int(str(row[person]) == str(side)) for person in PEOPLE}}


def realsumm(path, scratch):
    """The recall of the reference's content, and ROUGE-1 as the judge."""
    with open(path, encoding="utf-8", newline="") as lines:
        table = list(csv.DictReader(lines))
    return with_metric(table, "summary", "ref", "litepyramid_recall", "id", "rouge1", scratch)


def mqm(path, scratch):
    """Scores of translators, and chrF as the judge."""
    scores = scratch / "mqm.csv"
    tribunal("import", "mqm", path, "--scores", "-o", scores)
    with open(scores, encoding="utf-8", newline="") as lines:
        table = [row for row in csv.DictReader(lines) if row["score"]]
    table = random.Random(1).sample(table, min(POOL, len(table)))
    return with_metric(table, "hyp", "ref", "score", "segment", "chrf", scratch)


def with_metric(table, output, reference, label, prompt, metric, scratch):
    files = [scratch / name for name in ("outputs.txt", "references.txt")]
    for path, column in zip(files, (output, reference)):
        path.write_text("".join(" ".join(row[column].split()) + "\n" for row in table), encoding="utf-8")
    values = tribunal("score", files[0], "-r", files[1], "--metrics", metric, "--segments").splitlines()[1:]
    values = [float(line.split("\t")[-1]) for line in values]
    return [{"prompt": row[prompt], "system": row["system"], "output": row[output], "label": float(row[label]), "judge": value}
            for row, value in zip(table, values)]


def draw(table, size, seed, scratch):
    """The estimate with the judge, and by the labels alone, of a random part."""
    labelled = set(random.Random(seed).sample(range(len(table)), size))
    path = scratch / f"{size}-{seed}.jsonl"
    write(path, (row if at in labelled else {**row, "label": None} for at, row in enumerate(table)))
    found = json.loads(tribunal("rank", path, "--by", "both", "--judge", "judge", "--json"))["all"]
    path.unlink()
    return found["estimate"], found["labels_alone"]


def check_coverage(checks, data, scratch, draws):
    """Intervals hold the mean of all labels, and are no wider with the judge than without."""
    tables = {
        "PandaLM, gpt35": list(pandalm(data / "judges" / "pandalm.jsonl")),
        "REALSumm, ROUGE-1": realsumm(data / "summaries" / "realsumm.csv", scratch),
        "MQM 2020 zh-en, chrF": mqm(data / "mqm" / "mqm_newstest2020_zhen.tsv.gz", scratch),
    }
    print("| data and judge | outputs | labels | holds | width | width of the labels alone |\n| --- | ---: | ---: | ---: | ---: | ---: |")
    shares, widths = [], []
    for name, table in tables.items():
        truth = mean(row["label"] for row in table)
        for size in SIZES:
            with ThreadPoolExecutor() as pool:
                found = list(pool.map(lambda seed: draw(table, size, seed, scratch), range(draws)))
            holds = mean(with_judge["low"] <= truth <= with_judge["high"] for with_judge, _ in found)
            width = [mean(one[at]["high"] - one[at]["low"] for one in found) for at in (0, 1)]
            print(f"| {name} | {len(table)} | {size} | {100 * holds:.1f} | {width[0]:.3f} | {width[1]:.3f} |")
            shares.append(holds)
            widths.append(width[0] <= 1.01 * width[1])
    # Of few draws, the share itself is uncertain.
    least = 0.93 - 2 * (0.05 * 0.95 / draws) ** 0.5 if draws < 1000 else 0.93
    checks.that(min(shares) >= least, f"intervals of corrected rates hold in at least {100 * least:.1f}% of the draws", f"{100 * min(shares):.1f}")
    checks.that(all(widths), "the judge makes no interval wider", widths)


def check_training(checks, data, scratch):
    """On held-out prompts, a model of two judges and the texts tells better what passes than the best of them."""
    table = write(scratch / "pandalm-outputs.jsonl", pandalm(data / "judges" / "pandalm.jsonl"))
    options = ("--annotators", ",".join(PEOPLE), "--judge", "judge,pandalm7b", "--json")
    report = json.loads(tribunal("train", table, *options))["outputs"]
    errors = {one["name"]: one for one in report["reliability"]}
    print("| system | ROC area | 95% CI | calibration error | Brier score |\n| --- | ---: | --- | ---: | ---: |")
    areas = {}
    for row in report["rows"]:
        if row["name"] in errors:
            area, error = row["roc_area"], errors[row["name"]]
            name = "gpt35" if row["name"] == "judge" else row["name"]
            areas[name] = area
            print(f"| {name} | {area['value']:.3f} | {area['low']:.3f} to {area['high']:.3f} | {error['calibration_error']:.3f} "
                  f"| {error['squared_error']:.3f} |")
    checks.that(areas["ensemble"]["low"] > areas["gpt35"]["high"], "PandaLM: the model's ROC area is above the best judge's", areas)
    squared = [errors[name]["squared_error"] for name in ("ensemble", "judge")]
    checks.that(squared[0] < squared[1], "PandaLM: the model's Brier score is below the best judge's", squared)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder of the judgments")
    parser.add_argument("--draws", type=int, default=1000, help="the number of random draws of labels")
    arguments = parser.parse_args()
    if not arguments.data.exists():
        print(f"skipped: {arguments.data} does not exist")
        return
    from real_data import Checks

    checks = Checks()
    with tempfile.TemporaryDirectory() as scratch:
        check_training(checks, arguments.data, Path(scratch))
        check_coverage(checks, arguments.data, Path(scratch), arguments.draws)
    sys.exit(1 if checks.failed else 0)


if __name__ == "__main__":
    main()
