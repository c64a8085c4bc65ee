#!/usr/bin/env python3
"""What a model is worth on judgments of a campaign that it did not learn from, and the models inside the program.

    python3 tests/campaigns.py --data FOLDER [--pairs N] [--write models]

FOLDER holds human judgments of translations and summaries, which are not part of the project: `wmt-pairs`, `wmt-rank`, `wmt-rankings`,
`mqm`, `da` and `summaries`. Where they do not exist the script says so and does nothing. It imports them with the program, takes at
most N pairs of each campaign (whole references, drawn with a fixed seed), trains on all campaigns but one with equal weight, judges
the one that was left out, and prints the tables of the models' card. With --write it then trains on all of them and writes the models.
"""

import argparse
import csv
import json
import random
import sys
import tempfile
from pathlib import Path

from real_data import accuracy, best_metric, cpu_seconds, tokenise, tribunal
from systems import SINGLE

csv.field_size_limit(1 << 30)
FOLDS = 3
TEXTS = ("hyp1", "hyp2", "ref")


def imported(kind, file, path, *options):
    """A file of judgments as pairs."""
    tribunal("import", kind, file, *options, "-o", path)
    with open(path, encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def lines_of(pairs, answers):
    """Pairs and answers, a line each."""
    with open(pairs, encoding="utf-8") as texts, open(answers, encoding="utf-8") as labels:
        return [dict(zip((*TEXTS, "label"), (*text.rstrip("\n").split(" ||| "), label.strip()))) for text, label in zip(texts, labels)]


def ranked(data, year, path):
    """METEOR's .rank files of a year."""
    folder = data / "wmt-rank" / year
    options = ("--systems", folder, "--references", folder)
    return [pair for file in sorted(folder.glob("*.rank")) for pair in imported("rank", file, path, *options)]


def campaigns(data, path):
    """The judgments of each campaign with English targets. Those of the rankings share their references with 2013."""
    pairs = data / "wmt-pairs"
    return {
        "WMT 2012, news, pairs": [pair for part in ("train", "more") for pair in lines_of(pairs / f"{part}.hyp1-hyp2-ref", pairs / f"{part}.answers")],
        "WMT 2013, news, ranks": ranked(data, "wmt13", path),
        "WMT 2014, news, ranks": ranked(data, "wmt14", path),
        "WMT 2019, Lithuanian, direct assessment": imported("table", data / "da" / "wmt19_lt-en.csv", path),
        "WMT 2020, Chinese news, MQM": imported("mqm", data / "mqm" / "mqm_newstest2020_zhen.tsv.gz", path),
        "WMT 2021, Chinese talks, MQM": imported("mqm", data / "mqm" / "mqm_ted_zhen.tsv", path),
        "REALSumm, summaries": imported("table", data / "summaries" / "realsumm.csv", path, "--mt", "summary", "--score", "litepyramid_recall"),
    }


def others(data, path):
    """Judgments of targets that are not English."""
    return {
        "WMT 2013, into Czech, ranks": imported("rankings", data / "wmt-rankings" / "en-cs.rankings", path),
        "WMT 2021, German talks, MQM": imported("mqm", data / "mqm" / "mqm_ted_ende.tsv", path),
    }


def key(pair):
    """What two writings of the same reference share."""
    return "".join(filter(str.isalnum, pair["ref"].lower()))


def sample(pairs, count):
    """Pairs of some references, at most so many."""
    references = sorted({key(pair) for pair in pairs})
    random.Random(1).shuffle(references)
    place = {reference: at for at, reference in enumerate(references)}
    taken = list(pairs)
    random.Random(2).shuffle(taken)
    # A few pairs of each reference teach more than all pairs of a few.
    return sorted(taken[:count], key=lambda pair: place[key(pair)])


def write(pairs, path, change=str):
    """A table of pairs with their labels."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow((*TEXTS, "label"))
        writer.writerows([*(change(pair[text]) for text in TEXTS), pair["label"]] for pair in pairs)
    return path


def decided(pairs):
    """The pairs of which people prefer a hypothesis."""
    return [pair for pair in pairs if pair["label"] != "0"]


class Campaign:
    """A sample of a campaign's pairs, as files."""

    def __init__(self, pairs, count, folder, number):
        taken = sample(pairs, count)
        self.count = len(taken)
        self.all = write(taken, folder / f"{number}.csv")
        self.decided = write(decided(taken), folder / f"{number}.decided.csv")
        self.tokenised = write(decided(taken), folder / f"{number}.tokenised.csv", tokenise)


def train(parts, path, language):
    """A model that learned from campaigns of equal weight."""
    weights = ",".join(f"{1 / part.count:.9f}" for part in parts)
    files = [part.all for part in parts]
    tribunal("train", *files, "--weights", weights, "--folds", FOLDS, "-m", path, "--language", language)
    return path


def compare(pairs, model, language):
    """The report of a model on pairs."""
    return json.loads(tribunal("compare", pairs, "-m", model, "--language", language, "--json"))


def row(*cells):
    """Prints a row of a table."""
    print("| " + " | ".join(map(str, cells)) + " |", flush=True)


def head(title, columns):
    """Prints the head of a table."""
    print(f"\n### {title}\n")
    row(*columns)
    row("---", *["---:"] * (len(columns) - 1))


def left_out(title, judged, learned, folder, language):
    """Trains on all campaigns but one, and judges that one; the mean and the least gain over the best single metric."""
    head(title, ("left out of training", "pairs", "references", "ensemble", "95% interval", "best single metric", "gain", "`sum`", "tau", "ECE", "tokenised"))
    gains = []
    for name, part in judged.items():
        model = train([other for title, other in learned.items() if title != name], folder / "model.json", language)
        report, tokenised = (compare(file, model, language) for file in (part.decided, part.tokenised))
        ours = next(system for system in report["systems"] if system["name"] == "model")
        metric, best = best_metric(report)
        gains.append(100 * (ours["accuracy"] - best))
        interval = f"{ours['low']:.4f} - {ours['high']:.4f}"
        error = ours["calibration"]["expected_calibration_error"]
        cells = (f"{ours['accuracy']:.4f}", interval, f"`{metric}` {best:.4f}", f"{gains[-1]:+.2f}", f"{accuracy(report, 'sum'):.4f}")
        row(name, f"{report['rows']:,}", report["groups"], *cells, f"{ours['kendall_tau']:.4f}", f"{error:.3f}", f"{accuracy(tokenised, 'model'):.4f}")
    print(f"\nGain over the best single metric with hindsight, of {len(SINGLE)}: {sum(gains) / len(gains):+.2f} points on average, {min(gains):+.2f} at least.")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder of the judgments")
    parser.add_argument("--pairs", type=int, default=12_000, help="pairs of a campaign, at most")
    parser.add_argument("--write", type=Path, help="where the models are written")
    options = parser.parse_args()
    if not (options.data / "wmt-rank").exists():
        print(f"skipped: the real judgments are not here ({options.data / 'wmt-rank'} does not exist)")
        return
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        numbered = enumerate((campaigns(options.data, scratch / "x.csv") | others(options.data, scratch / "x.csv")).items())
        parts = {name: Campaign(pairs, options.pairs, scratch, number) for number, (name, pairs) in numbered}
        foreign = dict(list(parts.items())[-2:])
        english = {name: part for name, part in parts.items() if name not in foreign}
        left_out("English", english, english, scratch, "en")
        left_out("Other languages", foreign, parts, scratch, "xx")
        if options.write:
            train(list(english.values()), options.write / "wmt.json", "en")
            train(list(parts.values()), options.write / "wmt-any.json", "xx")
    print(f"\n{cpu_seconds():.0f} s of CPU time", file=sys.stderr)


if __name__ == "__main__":
    main()
