#!/usr/bin/env python3
"""What the model is worth on judgments and on text that it was not trained on, and what more judgments add.

    python3 tests/transfer.py --data FOLDER

FOLDER holds `wmt-pairs/train.hyp1-hyp2-ref` and `wmt-pairs/train.answers`, `wmt-rankings/cs-en.rankings` and
`mqm/mqm_ted_zhen.tsv`: human judgments, which are not part of the project. Where they do not exist the script says so and does
nothing. Prints the tables of the model's card. Ties of people are left out of rankings and MQM.
"""

import argparse
import codecs
import csv
import json
import random
import re
import sys
import tempfile
from pathlib import Path

from real_data import accuracy, best_metric, cpu_seconds, rewrite, tokenise, tribunal
from systems import SINGLE

SPLITS = 3
NAMES = {"pairs": "pairs", "rankings": "rankings", "mqm": "talks"}
# What is learned from, and how much a pair of each kind counts. Kinds with a file of answers come first, as `train` wants them.
MIXTURES = [
    {"pairs": 1},
    {"rankings": 1},
    {"mqm": 1},
    {"pairs": 1, "rankings": 0.2},
    {"pairs": 1, "rankings": 0.5},
    {"pairs": 1, "rankings": 1},
    {"pairs": 0.5, "rankings": 1},
    {"pairs": 0.2, "rankings": 1},
    {"pairs": 1, "mqm": 0.2},
    {"pairs": 1, "mqm": 0.5},
    {"pairs": 1, "mqm": 1},
    {"pairs": 0.5, "mqm": 1},
    {"pairs": 0.2, "mqm": 1},
    {"pairs": 1, "rankings": 1, "mqm": 1},
]
FEATURES = {
    "chrf.r1": "characters of the reference found",
    "words.content.r": "content words of the reference found",
    "words.r1": "words of the reference found",
    "words.p1": "own words found in the reference",
    "words.p4": "own runs of four words found",
    "chrf.p6": "own runs of six characters found",
    "alignment.fragmentation": "matches out of order",
    "edits": "edits",
    "surface.unknown": "words that look untranslated",
}


def row(*cells):
    """Prints a row of a table; shares have four digits."""
    print("| " + " | ".join(f"{cell:.4f}" if isinstance(cell, float) else str(cell) for cell in cells) + " |")


def head(title, *columns, texts=1):
    """Prints the head of a table, whose first columns are text."""
    print(f"\n### {title}\n")
    row(*columns)
    row(*(["---"] * texts), *(["---:"] * (len(columns) - texts)))


def named(best):
    """A metric and its accuracy in one cell."""
    return f"`{best[0]}` {best[1]:.4f}"


class Judgments:
    """One kind of human judgments: the file, and what the program is called with to read it."""

    def __init__(self, pairs, answers=None):
        self.pairs = pairs
        self.answers = ["--answers", answers] if answers else []

    def train(self, *options):
        """What is reached out of fold."""
        return json.loads(tribunal("train", self.pairs, *self.answers, *options, "--json"))

    def compare(self, *options):
        """What ready models and single metrics reach."""
        return json.loads(tribunal("compare", self.pairs, *self.answers, *options, "--json"))

    def features(self, path):
        """The feature table, a dictionary a pair."""
        tribunal("features", self.pairs, *self.answers, "-o", path)
        with open(path, encoding="utf-8", newline="") as lines:
            return list(csv.DictReader(lines))


def imported(data, folder, *options):
    """A file of rankings or error annotations as pairs, without the ties of people."""
    kind = "mqm" if data.suffix == ".tsv" else "rankings"
    path = folder / f"{kind}{''.join(options)}.csv"
    tribunal("import", kind, data, "--ties", "drop", *options, "-o", path)
    return Judgments(path)


def print_other_judgments(kinds, as_described):
    """The models inside the program, as they are, on judgments of other kinds; on their own, what they reach out of fold."""
    columns = ("judgments", "pairs", "references", "`ensemble`", "95% interval", "without English", "`sum`")
    head("Judgments of other kinds", *columns, "best single metric", "`meteor`", "`chrf`")
    rows = {
        "its own, out of fold": kinds["pairs"].train,
        "Czech to English, rankings, the highest rank is the best": kinds["rankings"].compare,
        "the same, rank 0 is the best": as_described.compare,
        "Chinese to English talks, error annotations (MQM)": kinds["mqm"].compare,
    }
    for name, judge in rows.items():
        report = judge()
        ensemble = report["systems"][0]
        other = accuracy(judge("--language", "xx"), "ensemble")
        interval = f"{ensemble['low']:.4f} - {ensemble['high']:.4f}"
        found = [accuracy(report, metric) for metric in ("sum", "meteor", "chrf")]
        cells = (f"{report['rows']:,}", report["groups"], ensemble["accuracy"], interval, other, found[0])
        row(name, *cells, named(best_metric(report)), *found[1:])
    for kind in ("rankings", "mqm"):
        with open(kinds[kind].pairs, encoding="utf-8", newline="") as lines:
            pairs = list(csv.DictReader(lines))
        same = sum(pair["hyp1"] == pair["hyp2"] for pair in pairs)
        print(f"\n{same} of {len(pairs)} pairs of {NAMES[kind]} are of twice the same text.")


def print_more_data(kinds, folder):
    """What each mixture of judgments reaches on each kind."""
    head("More judgments", "learned from", "weights", *(f"on {NAMES[kind]}" for kind in kinds), texts=2)
    model = folder / "mixed.json"
    for mixture in MIXTURES:
        used = [kinds[kind] for kind in mixture]
        answers = [word for judgments in used for word in judgments.answers]
        weights = ",".join(map(str, mixture.values()))
        files = [judgments.pairs for judgments in used]
        report = json.loads(tribunal("train", *files, *answers, "--weights", weights, "-m", model, "--json"))
        # A report of one file has no part by file.
        by_file = dict(zip(mixture, report.get("files", [report])))
        unseen = {kind: kinds[kind].compare("-m", model) for kind in kinds if kind not in mixture}
        found = [accuracy(by_file[kind], "ensemble") if kind in by_file else accuracy(unseen[kind], "mixed") for kind in kinds]
        cells = [share if kind in by_file else f"*{share:.4f}*" for kind, share in zip(kinds, found)]
        row(", ".join(NAMES[kind] for kind in mixture), weights, *cells)
    row("best single metric", "", *(named(best_metric(judgments.compare())) for judgments in kinds.values()))


def preferred_has_more(table, feature):
    """Of the pairs that people decide and that differ in a feature, the share in which it is the preferred hypothesis that has
    more of it; and the share of the pairs that people decide that differ."""
    decided = [pair for pair in table if int(pair["label"]) != 0]
    differences = [int(pair["label"]) * (float(pair[f"h1.{feature}"]) - float(pair[f"h2.{feature}"])) for pair in decided]
    differing = [difference for difference in differences if difference != 0]
    return sum(difference > 0 for difference in differing) / len(differing), len(differing) / len(decided)


def print_features(kinds, folder):
    """What single features say of each kind of judgments."""
    columns = ("the preferred hypothesis has more", "feature", *(f"on {NAMES[kind]}" for kind in kinds))
    head("What single features say", *columns, texts=2)
    tables = [judgments.features(folder / "features.csv") for judgments in kinds.values()]
    for feature, meaning in FEATURES.items():
        shares = (preferred_has_more(table, feature) for table in tables)
        row(meaning, f"`{feature}`", *(f"{more:.2f} of {differ:.2f}" for more, differ in shares))


def without_punctuation(text):
    """Letters and digits only: apostrophes go, other marks become spaces."""
    return " ".join(re.sub(r"[^\w\s]|_", " ", re.sub(r"['’]", "", text)).split())


def exchange_letters(text):
    """ROT13, A for N and so on: hardly a word is English, and as many letters agree as before. `&quot;` stays."""
    parts = re.split(r"(&\w+;)", text)
    return "".join(part if part.startswith("&") and part.endswith(";") else codecs.encode(part, "rot13") for part in parts)


# The text, what is done to it, and the language that the program is told; and of which text models learn, too.
TEXTS = [
    ("as it is", str.strip, "en"),
    ("tokenised", tokenise, "en"),
    ("in lower case", str.lower, "en"),
    ("without punctuation", without_punctuation, "en"),
    ("as it is, `--language xx`", str.strip, "xx"),
    ("letters exchanged", exchange_letters, "en"),
    ("letters exchanged, `--language xx`", exchange_letters, "xx"),
]
LEARNED = ["tokenised", "in lower case", "without punctuation"]
MODELS = {"english.json": "en", "other.json": "xx"}


def folds(pairs):
    """The fold of each pair, such that all pairs of a reference are in one."""
    references = ["".join(filter(str.isalnum, line.split(" ||| ")[2].lower())) for line in pairs]
    order = sorted(set(references))
    random.Random(1).shuffle(order)
    place = {reference: at % SPLITS for at, reference in enumerate(order)}
    return [place[reference] for reference in references]


def parts(judgments, folder, fold):
    """The pairs of all other folds, and those of one."""
    pairs = judgments.pairs.read_text(encoding="utf-8").splitlines()
    answers = judgments.answers[1].read_text(encoding="utf-8").splitlines()
    for name, inside in (("training", False), ("test", True)):
        rows = [at for at, found in enumerate(folds(pairs)) if (found == fold) == inside]
        for kind, lines in (("pairs", pairs), ("answers", answers)):
            (folder / f"{name}.{kind}").write_text("".join(lines[at] + "\n" for at in rows), encoding="utf-8")
    return [Judgments(folder / f"{name}.pairs", folder / f"{name}.answers") for name in ("training", "test")]


def learned(training, path, *options):
    """A model that learned from these judgments."""
    tribunal("train", training.pairs, *training.answers, "-m", path, *options)
    return path


def print_other_texts(judgments, folder):
    """Models that learned from text as it is, and for some of it from such text, on other text."""
    systems = ["english", "other", "such", "sum", "meteor", "chrf"]
    found = {name: [] for name, _, _ in TEXTS}
    for fold in range(SPLITS):
        training, test = parts(judgments, folder, fold)
        english, other = (learned(training, folder / name, "--language", code) for name, code in MODELS.items())
        for name, change, language in TEXTS:
            changed = Judgments(rewrite(test.pairs, change, folder / "changed.pairs"), test.answers[1])
            models = ["-m", english, "-m", other]
            if name in LEARNED:
                such = Judgments(rewrite(training.pairs, change, folder / "such.pairs"), training.answers[1])
                models += ["-m", learned(such, folder / "such.json")]
            found[name].append(changed.compare(*models, "--language", language))
    columns = ("`ensemble`", "learned without English", "learned from such text", "`sum`", "`meteor`", "`chrf`")
    head("Other text", f"text, mean of {SPLITS} splits by reference", *columns, "best single metric")
    for name, reports in found.items():
        there = [system for system in (*systems, *SINGLE) if system != "such" or name in LEARNED]
        mean = {system: sum(accuracy(report, system) for report in reports) / SPLITS for system in there}
        best = max(SINGLE, key=mean.get)
        row(name, *(mean.get(system, "") for system in systems), named((best, mean[best])))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder of the judgments")
    data = parser.parse_args().data
    pairs, rankings = data / "wmt-pairs" / "train.hyp1-hyp2-ref", data / "wmt-rankings" / "cs-en.rankings"
    talks = data / "mqm" / "mqm_ted_zhen.tsv"
    for file in (pairs, rankings, talks):
        if not file.exists():
            print(f"skipped: the real judgments are not here ({file} does not exist)")
            return
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        kinds = {
            "pairs": Judgments(pairs, pairs.with_name("train.answers")),
            "rankings": imported(rankings, scratch),
            "mqm": imported(talks, scratch, "--reference", "ref"),
        }
        print_other_judgments(kinds, imported(rankings, scratch, "--lowest-is-best"))
        print_features(kinds, scratch)
        print_more_data(kinds, scratch)
        print_other_texts(kinds["pairs"], scratch)
    print(f"{cpu_seconds():.0f} s of CPU time", file=sys.stderr)


if __name__ == "__main__":
    main()
