#!/usr/bin/env python3
"""Checks of rankings on real judgments: values of other programs, official rankings, and whether intervals hold.

    python3 tests/real_ranking.py --data DIR [--draws 1000]

prints how often the 95% intervals of `rank --by both` hold the win rates of all labels, if 150 labels are drawn at random, and
what `next` gains over a random draw. DIR is the folder of all judgments. `tests/real_data.py` runs the same with few draws.

    python3 tests/real_ranking.py --data DIR --campaigns 300

prints the same for labels that come in waves, as the example `campaigns` simulates them: at random or by `next`, then 20 more
by `next`, three times.
"""

import argparse
import csv
import json
import random
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from statistics import mean

from program import BINARY, ROOT, tribunal

PEOPLE = ["annotator1", "annotator2", "annotator3"]
LABELS = 150
#: Pairs of the campaign of 2020, a random part of all.
POOL = 1500


def rank(*arguments):
    return json.loads(tribunal("rank", *arguments, "--json"))


def rates(ranking):
    return {system["name"]: system["win_rate"] for system in ranking["systems"]}


def width(ranking):
    return mean(rate["high"] - rate["low"] for rate in rates(ranking).values())


def held(ranking, truth):
    """The share of intervals that hold the win rates of all labels."""
    return mean(rate["low"] <= truth[name]["value"] <= rate["high"] for name, rate in rates(ranking).items())


def tau(order, official):
    """Kendall's tau of two orders of the same systems."""
    place = {name: at for at, name in enumerate(official)}
    pairs = [(one, other) for at, one in enumerate(order) for other in order[at + 1:]]
    return mean(1 if place[one] < place[other] else -1 for one, other in pairs)


class Pool:
    """Pairs with labels of all, of which a part can be hidden."""

    def __init__(self, rows, hide, options, model):
        self.rows, self.hide, self.options, self.model = rows, hide, options, model

    def write(self, path, labelled):
        rows = [row if at in labelled else self.hide(row) for at, row in enumerate(self.rows)]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        return path

    def everything(self, scratch):
        return rates(rank(self.write(scratch / "all.jsonl", range(len(self.rows))), "--by", "human", *self.options))


def pandalm(data, scratch):
    """PandaLM's test set; a model from elsewhere is trained on MT-bench, where it sees style alone."""
    rows = [json.loads(line) for line in (data / "judges" / "pandalm.jsonl").read_text(encoding="utf-8").splitlines()]
    # Few words that are no verdict are read as missing; of what is drawn they may be too many.
    rows = [{**row, "gpt35": None if row["gpt35"] == "garbage" else row["gpt35"]} for row in rows]
    model = scratch / "mtbench.json"
    tribunal("train", data / "judges" / "mtbench.jsonl", "--annotators", "people", "-m", model)
    hide = lambda row: {**row, **dict.fromkeys(PEOPLE)}
    return Pool(rows, hide, ["--annotators", ",".join(PEOPLE)], {"cross-fitted": ["--judge", "gpt35,pandalm7b"], "elsewhere": ["-m", model]})


def news(data, scratch):
    """A random part of WMT 2020's MQM, Chinese to English; a model from elsewhere is trained on WMT 2012."""
    table, model = scratch / "mqm.csv", scratch / "wmt12.json"
    tribunal("import", "mqm", data / "mqm" / "mqm_newstest2020_zhen.tsv.gz", "-o", table)
    pairs = data / "wmt-pairs" / "train"
    tribunal("train", f"{pairs}.hyp1-hyp2-ref", "--format", "pairs", "--answers", f"{pairs}.answers", "-m", model)
    with open(table, encoding="utf-8", newline="") as lines:
        rows = random.Random(1).sample(list(csv.DictReader(lines)), POOL)
    keep = ["hyp1", "hyp2", "ref", "system1", "system2", "label"]
    rows = [{name: row[name] for name in keep} for row in rows]
    hide = lambda row: {**row, "label": None}
    return Pool(rows, hide, [], {"cross-fitted": [], "elsewhere": ["-m", model]})


def coverage(pool, draws, scratch):
    """For each kind of model: the share of intervals that hold the win rates of all labels, and mean widths."""
    truth = pool.everything(scratch)

    def draw(seed):
        labelled = set(random.Random(seed).sample(range(len(pool.rows)), LABELS))
        path = pool.write(scratch / f"draw{seed}.jsonl", labelled)
        found = {"labels alone": rank(path, "--by", "human", *pool.options)}
        for name, options in pool.model.items():
            found[name] = rank(path, "--by", "both", *pool.options, *options)
        path.unlink()
        return {name: (held(ranking, truth), width(ranking)) for name, ranking in found.items()}

    with ThreadPoolExecutor(2) as threads:
        results = list(threads.map(draw, range(draws)))
    return {name: tuple(mean(result[name][part] for result in results) for part in (0, 1)) for name in results[0]}


def drawn_pairs(path, count, share, seed, options, scratch):
    """The pairs that `next` draws: rows of its table."""
    table = scratch / f"next{seed}.csv"
    tribunal("next", path, "-n", count, "--random", share, "--seed", seed, "-o", table, *options)
    with open(table, encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def majority(votes):
    return next((vote for vote in (1, 2) if votes.count(vote) > len(votes) / 2), 0)


def campaigns(pools, count, scratch):
    """Simulates campaigns of labelling in waves, and checks that intervals hold and never widen."""
    for name, (pool, model, judges) in pools.items():
        path = scratch / "campaigns.jsonl"
        rows = [{"label": {2: -1}.get(row.get("label"), row.get("label")), **row} for row in pool.rows]
        if judges:
            rows = [{**row, "label": {1: 1, 2: -1, 0: 0}[majority([row[person] for person in PEOPLE])]} for row in rows]
            keep = ["label", "model_a", "model_b", "instruction", "input", "response_a", "response_b", *judges.split(",")]
            rows = [{key: row[key] for key in keep} for row in rows]
        else:
            # What a model from elsewhere says is a judge here.
            pool.write(path, ())
            predictions = scratch / "predictions.jsonl"
            tribunal("predict", path, *model, "-o", predictions)
            given = [json.loads(line) for line in predictions.read_text(encoding="utf-8").splitlines()]
            judges = "elsewhere"
            shares = [row["probabilities"]["1"] + row["probabilities"]["0"] / 2 for row in given]
            rows = [{**row, judges: round(share, 6)} for row, share in zip(rows, shares)]
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        print(f"\n{name}: {len(rows)} pairs, {count} campaigns\n", flush=True)
        example = BINARY.parent / "examples" / "campaigns"
        done = subprocess.run([example, path, judges, str(count), str(LABELS)], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr)
        print(done.stdout, flush=True)
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in done.stdout.splitlines()[2:]]
        alone = {name[-5:]: float(width) for name, _, width in cells[:2]}
        holds = [float(share) >= 0.93 for _, share, _ in cells]
        narrows = [float(width) <= alone[name[-5:]] for name, _, width in cells if "random" in name]
        Printed.that(all(holds), f"{name}: 95% intervals hold in at least 93%", f"{sum(holds)} of {len(holds)} rows")
        Printed.that(all(narrows), f"{name}: never wider than the random labels alone", f"{sum(narrows)} of {len(narrows)} rows")


def mean_of(once, draws):
    """The mean of what `once` finds for each seed, at each position."""
    with ThreadPoolExecutor(2) as threads:
        return [mean(values) for values in zip(*threads.map(once, range(draws)))]


def next_intervals(pool, draws, scratch, model):
    """Intervals of labels that `next` drew, then of as many random ones: the share that hold the win rates of all labels, mean widths."""
    truth = pool.everything(scratch)
    known = {(row["hyp1"], row["hyp2"]): row["label"] for row in pool.rows}

    def once(seed):
        path, found = pool.write(scratch / f"pool{seed}.jsonl", ()), []
        for share in (0.3, 1):
            rows, labels = drawn_pairs(path, LABELS, share, seed, model, scratch), scratch / f"labels{seed}.csv"
            with open(labels, "w", encoding="utf-8", newline="") as lines:
                writer = csv.DictWriter(lines, rows[0].keys())
                writer.writeheader()
                writer.writerows({**row, "label": known[row["hyp1"], row["hyp2"]]} for row in rows)
            ranking = rank(path, "-a", labels, "--by", "both", *model)
            found += [held(ranking, truth), width(ranking)]
        return found

    return mean_of(once, draws)


def next_accuracy(pool, texts, draws, scratch, choosing, learning):
    """The mean accuracy on the other pairs, learned from so many labels that `next` drew, or from as many random ones."""
    counts = (60, 120, 240)

    def once(seed):
        path, found = pool.write(scratch / f"pool{seed}.jsonl", ()), []
        for count in counts:
            for share in (0.3, 1):
                drawn = {(row["hyp1"], row["hyp2"]): row["drawn"] for row in drawn_pairs(path, count, share, seed, choosing, scratch)}
                parts = [[], []]
                for row in pool.rows:
                    probability = drawn.get(tuple(row[name] for name in texts))
                    parts[probability is None].append(row if probability is None else {**row, "drawn": float(probability)})
                labelled, rest = scratch / f"labelled{seed}.jsonl", scratch / f"rest{seed}.jsonl"
                for file, part in zip((labelled, rest), parts):
                    file.write_text("".join(json.dumps(row) + "\n" for row in part), encoding="utf-8")
                model = scratch / f"model{seed}.json"
                tribunal("train", labelled, "-m", model, *pool.options, *learning)
                report = json.loads(tribunal("compare", rest, "-m", model, "--json", *pool.options, *learning))
                found.append(report["systems"][0]["accuracy"])
        return found

    means = mean_of(once, draws)
    return {count: means[2 * at:2 * at + 2] for at, count in enumerate(counts)}


def check_ranking(checks, data, scratch, draws=10):
    golden = json.loads((ROOT / "tests" / "golden" / "ranking.json").read_text(encoding="utf-8"))["pandalm"]
    found = rank(data / "judges" / "pandalm.jsonl", "--annotators", ",".join(PEOPLE), "--by", "human")
    by_name = {system["name"]: system for system in found["systems"]}
    expected = zip(golden["names"], golden["ranking"]["strengths"], golden["ranking"]["win_rates"])
    same = [abs(by_name[name]["strength"]["value"] - strength) < 1e-9 and abs(by_name[name]["win_rate"]["value"] - rate) < 1e-9
            for name, strength, rate in expected]
    checks.that(all(same), "PandaLM: strengths and win rates of evalica", f"{sum(same)} of {len(same)} systems")

    folder = data / "wmt-systems"
    official = (folder / "answer_key.dev").read_text(encoding="utf-8").split()
    files = [folder / name for name in sorted(official)]
    ranked = [system["name"] for system in rank(*files, "-r", folder / "reference")["systems"]]
    scores = json.loads(tribunal("score", *files, "-r", folder / "reference", "--metrics", "bleu,chrf", "--json"))
    metric = {}
    for at, name in enumerate(("bleu", "chrf")):
        by_score = sorted(scores["systems"], key=lambda system: -system["scores"][at]["score"])
        metric[name] = tau([system["name"] for system in by_score], official)
    told = ", ".join([f"rank {tau(ranked, official):.3f}"] + [f"{name} {value:.3f}" for name, value in metric.items()])
    checks.that(tau(ranked, official) > 0.5, "15 systems: Kendall's tau with the official ranking", told)

    for name, pool in (("PandaLM", pandalm(data, scratch)), ("WMT 2020", news(data, scratch))):
        for kind, (share, mean_width) in coverage(pool, draws, scratch).items():
            told = f"{share:.3f} of the intervals, mean width {mean_width:.3f}"
            checks.that(share >= 0.9, f"{name}: intervals of {LABELS} labels, {kind}, hold all labels ({draws} draws)", told)


class Printed:
    """Prints what a check would say."""

    @staticmethod
    def that(is_so, what, found):
        print("ok     " if is_so else "WRONG  ", f"{what}: {found}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--draws", type=int, default=1000)
    parser.add_argument("--campaigns", type=int, help="simulate so many campaigns of labelling in waves instead")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder)
        if options.campaigns:
            panda, wmt = pandalm(options.data, scratch), news(options.data, scratch)
            pools = {"PandaLM": (panda, [], "gpt35,pandalm7b"), "WMT 2020": (wmt, wmt.model["elsewhere"], "")}
            campaigns(pools, options.campaigns, scratch)
            return
        check_ranking(Printed, options.data, scratch, options.draws)
        draws = max(1, options.draws // 20)
        pools = {"WMT 2020": (news(options.data, scratch), ("hyp1", "hyp2")), "PandaLM": (pandalm(options.data, scratch), ("response_a", "response_b"))}
        for name, (pool, texts) in pools.items():
            elsewhere, learning = pool.model["elsewhere"], pool.model["cross-fitted"]
            if name == "WMT 2020":
                found = next_intervals(pool, draws, scratch, elsewhere)
                for what, share, mean_width in (("that next drew", *found[:2]), ("drawn at random", *found[2:])):
                    told = f"{share:.3f} of the intervals, mean width {mean_width:.3f}"
                    Printed.that(share >= 0.9, f"{name}: intervals of {LABELS} labels {what} hold all labels ({draws} draws)", told)
            for count, (chosen, at_random) in next_accuracy(pool, texts, draws, scratch, learning or elsewhere, learning).items():
                print(f"{name}: accuracy learned from {count} labels that next drew {chosen:.4f}, random ones {at_random:.4f} ({draws} draws)", flush=True)


if __name__ == "__main__":
    main()
