#!/usr/bin/env python3
"""The accuracy of models on campaigns held out of training, and the training of the built-in models.

    python3 tests/campaigns.py --data FOLDER [--pairs N] [--judged N] [--encoder FOLDER] [--families | --write models]

FOLDER holds human judgments of translations and summaries, which are not part of the project: `wmt-pairs`, `wmt-rank`,
`wmt-rankings`, `mqm`, `da` and `summaries`. If they do not exist, the script reports that and does nothing. It imports
them with the program, draws N pairs of each campaign with a fixed seed (three times as many of one), trains on all
campaigns but one, judges more pairs of the held-out one, and prints the tables of the models' card. With --families it
prints an ablation of the feature families instead; with --write it trains on all campaigns and writes the models. With
--encoder, which needs a program with the cargo feature of that name, it does so for the model that an encoder is part of.
"""

import argparse
import csv
import json
import random
import re
import sys
import tempfile
from pathlib import Path

from program import SINGLE, accuracy, best_metric, tokenise, tribunal

csv.field_size_limit(1 << 30)
# The training pairs of each campaign, the same number for all, so that they have equal weight.
PAIRS = 4_000

# The campaign closest to the program's task (two hypotheses side by side, with ties) gives TIMES as many pairs. That
# costs no accuracy on the others, and improves the ranking of systems.
PAIRWISE, TIMES = "WMT 2012, news, pairs", 3

# The most test pairs of a campaign.
JUDGED = 20_000
FOLDS = 3

# The metrics of an encoder.
ENCODER_METRICS = ("bertscore", "cosine")

# Features left out for other languages although they can be computed there: weights of words and surface learned from
# English judgments do not transfer to languages with richer morphology.
NOT_ELSEWHERE = "meteor,meteor2005,alignment,bleu,rouge2,rougeL,words,surface"

# The features of a model for English, and those that are only added on request.
FAMILIES = "bleu chrf rouge1 rouge2 rougeL meteor-all synset length edits surface words".split()
ON_REQUEST = "meteor,meteor2005,alignment,cosine"
TEXTS = ("hyp1", "hyp2", "ref")


def imported(kind, file, path, *options):
    """The pairs imported from a file of judgments."""
    tribunal("import", kind, file, *options, "-o", path)
    with open(path, encoding="utf-8", newline="") as lines:
        return list(csv.DictReader(lines))


def lines_of(pairs, answers):
    """The pairs of a file with one pair per line, and their answers."""
    with open(pairs, encoding="utf-8") as texts, open(answers, encoding="utf-8") as labels:
        return [dict(zip((*TEXTS, "label"), (*text.rstrip("\n").split(" ||| "), label.strip()))) for text, label in zip(texts, labels)]


def ranked(data, year, path):
    """The pairs of METEOR's .rank files of a year."""
    folder = data / "wmt-rank" / year
    options = ("--systems", folder, "--references", folder)
    return [pair for file in sorted(folder.glob("*.rank")) for pair in imported("rank", file, path, *options)]


def campaigns(data, path):
    """The judgments of each campaign with English targets; the rankings share their references with 2013."""
    pairs = data / "wmt-pairs"
    return {
        PAIRWISE: [pair for part in ("train", "more") for pair in lines_of(pairs / f"{part}.hyp1-hyp2-ref", pairs / f"{part}.answers")],
        "WMT 2013, news, ranks": ranked(data, "wmt13", path),
        "WMT 2014, news, ranks": ranked(data, "wmt14", path),
        "WMT 2019, Lithuanian, direct assessment": imported("table", data / "da" / "wmt19_lt-en.csv", path),
        "WMT 2020, Chinese news, MQM": imported("mqm", data / "mqm" / "mqm_newstest2020_zhen.tsv.gz", path),
        "WMT 2021, Chinese talks, MQM": imported("mqm", data / "mqm" / "mqm_ted_zhen.tsv", path),
        "REALSumm, summaries": imported("table", data / "summaries" / "realsumm.csv", path, "--column", "mt=summary,score=litepyramid_recall"),
    }


def others(data, path):
    """The judgments of campaigns with targets other than English."""
    return {
        "WMT 2013, into Czech, ranks": imported("rankings", data / "wmt-rankings" / "en-cs.rankings", path),
        "WMT 2021, German talks, MQM": imported("mqm", data / "mqm" / "mqm_ted_ende.tsv", path),
    }


def sample(pairs, count):
    """At most `count` random pairs, as a few pairs of each reference teach more than all pairs of a few references."""
    return random.Random(1).sample(pairs, min(count, len(pairs)))


def write(pairs, path, change=str):
    """Writes a table of pairs with their labels."""
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow((*TEXTS, "label"))
        writer.writerows([*(change(pair[text]) for text in TEXTS), pair["label"]] for pair in pairs)
    return path


def decided(pairs):
    """The pairs of which people prefer a hypothesis."""
    return [pair for pair in pairs if pair["label"] != "0"]


class Campaign:
    """Samples of a campaign's pairs for training and test, as files."""

    def __init__(self, name, pairs, count, judged, folder):
        judged = decided(sample(pairs, judged))
        name = re.sub(r"\W+", "-", name.lower())
        self.learned = write(sample(pairs, count), folder / f"{name}.csv")
        self.decided = write(judged, folder / f"{name}.decided.csv")
        self.tokenised = write(judged, folder / f"{name}.tokenised.csv", tokenise)


def train(parts, path, language, without=None, encoder=()):
    """Trains a model on equally many pairs of each campaign, without some features."""
    files = [part.learned for part in parts]
    without = without or (None if language == "en" else NOT_ELSEWHERE)
    features = ("--without", without) if without else ()
    tribunal("train", *files, "--folds", FOLDS, "-m", path, "--language", language, *features, *encoder)
    return path


def compare(pairs, model, language, encoder=()):
    """The report of a model on pairs."""
    return json.loads(tribunal("compare", pairs, "-m", model, "--language", language, "--json", *encoder))


#: Every row that was printed: the model card must have them.
PRINTED = []


def row(*cells):
    """Prints a row of a table."""
    PRINTED.append("| " + " | ".join(map(str, cells)) + " |")
    print(PRINTED[-1], flush=True)


def head(title, columns):
    """Prints the header of a table."""
    print(f"\n### {title}\n")
    row(*columns)
    row("---", *["---:"] * (len(columns) - 1))


def left_out(title, judged, learned, folder, language):
    """Trains on all campaigns but one, and judges that one; returns the gains over the best single metric."""
    head(title, ("held-out campaign", "pairs", "references", "ensemble", "95% CI", "best single metric", "gain (points)", "`sum`", "tau", "ECE", "tokenised"))
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
        row(name, f"{report['rows']:,}", f"{report['groups']:,}", *cells, f"{ours['kendall_tau']:.4f}", f"{error:.3f}", f"{accuracy(tokenised, 'model'):.4f}")
    print(f"\nGain over the best of {len(SINGLE)} single metrics, chosen in hindsight: {sum(gains) / len(gains):+.2f} points on average, {min(gains):+.2f} points at least.")
    return gains


def left_out_with_encoder(campaigns, folder, encoder):
    """The same for English with an encoder, beside the ensemble without; returns the gains over the best lexical metric, and over the best of all."""
    columns = ("held-out campaign", "lexical ensemble", "best lexical metric", "encoder alone", "ensemble with encoder", "95% CI", "over lexical metrics", "over all", "ECE without", "ECE with")
    head("English, with an encoder", columns)
    gains = []
    for name, part in campaigns.items():
        learned = [other for title, other in campaigns.items() if title != name]
        without = compare(part.decided, train(learned, folder / "model.json", "en"), "en")
        report = compare(part.decided, train(learned, folder / "model.json", "en", encoder=encoder), "en", encoder)
        lexical, ours = ({row["name"]: row for row in of["systems"]}["model"] for of in (without, report))
        metric, best = best_metric(report)
        own, of_encoder = max(((name, accuracy(report, name)) for name in ENCODER_METRICS), key=lambda row: row[1])
        gains.append((100 * (ours["accuracy"] - best), 100 * (ours["accuracy"] - max(best, of_encoder)), 100 * (ours["accuracy"] - lexical["accuracy"])))
        interval = f"{ours['low']:.4f} - {ours['high']:.4f}"
        errors = (f"{of['calibration']['expected_calibration_error']:.3f}" for of in (lexical, ours))
        cells = (f"{lexical['accuracy']:.4f}", f"`{metric}` {best:.4f}", f"`{own}` {of_encoder:.4f}", f"{ours['accuracy']:.4f}", interval)
        row(name, *cells, f"{gains[-1][0]:+.2f}", f"{gains[-1][1]:+.2f}", *errors)
    for at, rivals in enumerate(("the best lexical metric", "the best metric of all", "the lexical ensemble")):
        found = [gain[at] for gain in gains]
        print(f"\nGain over {rivals}: {sum(found) / len(found):+.2f} points on average, {min(found):+.2f} points at least.")
    return gains


class Judgments:
    """Samples of all campaigns."""

    def __init__(self, data, folder, count=PAIRS, judged=JUDGED):
        self.folder = folder

        def sampled(campaigns):
            counts = {name: TIMES * count if name == PAIRWISE else count for name in campaigns}
            return {name: Campaign(name, pairs, counts[name], judged, folder) for name, pairs in campaigns.items()}

        self.english, self.others = sampled(campaigns(data, folder / "x.csv")), sampled(others(data, folder / "x.csv"))

    def encoder_table(self, encoder):
        """Prints the accuracy of the ensemble with an encoder on held-out campaigns; returns its gains."""
        return left_out_with_encoder(self.english, self.folder, encoder)

    def tables(self):
        """Prints the accuracy on held-out campaigns; returns the gains for English and for other languages."""
        everything = self.english | self.others
        english = left_out("English", self.english, self.english, self.folder, "en")
        return english, left_out("Other languages", self.others, everything, self.folder, "xx")

    def families(self):
        """Prints the gains over the best single metric without each family of features, and with each excluded one."""
        head("Features", ("features", "average gain", "least gain", "average change", "campaigns that lose"))
        usual = self.gains(None)
        row("all", f"{sum(usual) / len(usual):+.2f}", f"{min(usual):+.2f}", "", "")
        others = [f"{ON_REQUEST},{family}" for family in FAMILIES]
        requested = ON_REQUEST.split(",")
        more = [",".join(name for name in requested if name != family) for family in requested]
        for title, without in zip([f"-{name}" for name in FAMILIES] + [f"+{name}" for name in requested], others + more):
            gains = self.gains(without)
            change = [gain - before for gain, before in zip(gains, usual)]
            loses = sum(value < 0 for value in change)
            row(f"`{title}`", f"{sum(gains) / len(gains):+.2f}", f"{min(gains):+.2f}", f"{sum(change) / len(change):+.2f}", loses)

    def gains(self, without):
        """The gain on each held-out campaign, without some features."""
        found = []
        for name, part in self.english.items():
            learned = [other for title, other in self.english.items() if title != name]
            report = compare(part.decided, train(learned, self.folder / "model.json", "en", without), "en")
            found.append(100 * (accuracy(report, "model") - best_metric(report)[1]))
        return found

    def write(self, to, encoder=()):
        """Trains and writes the built-in models; with an encoder, the one that it is part of."""
        if encoder:
            train(list(self.english.values()), to / "wmt-minilm.json", "en", encoder=encoder)
            return
        train(list(self.english.values()), to / "wmt.json", "en")
        train(list((self.english | self.others).values()), to / "wmt-any.json", "xx")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder of the judgments")
    parser.add_argument("--pairs", type=int, default=PAIRS, help="pairs of a campaign to learn from")
    parser.add_argument("--judged", type=int, default=JUDGED, help="pairs of a campaign to judge, at most")
    parser.add_argument("--families", action="store_true", help="print what each family of features is worth instead")
    parser.add_argument("--write", type=Path, help="write the models into this folder instead of printing tables")
    parser.add_argument("--encoder", type=Path, help="the folder of an encoder that is part of the models")
    parser.add_argument("--encoder-cache", type=Path, help="a folder for its hidden states, which other runs take from there")
    options = parser.parse_args()
    encoder = ("--encoder", options.encoder) if options.encoder else ()
    encoder += ("--encoder-cache", options.encoder_cache) if options.encoder_cache else ()
    if not (options.data / "wmt-rank").exists():
        print(f"skipped: the real judgments are not here ({options.data / 'wmt-rank'} does not exist)")
        return
    with tempfile.TemporaryDirectory() as scratch:
        judgments = Judgments(options.data, Path(scratch), options.pairs, options.judged)
        if options.write:
            judgments.write(options.write, encoder)
        elif options.families:
            judgments.families()
        elif encoder:
            judgments.encoder_table(encoder)
        else:
            judgments.tables()


if __name__ == "__main__":
    main()
