"""Runs of the program, and helpers for checks of its reports on real judgments."""

import os
import re
import resource
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BINARY = Path(os.environ.get("TRIBUNAL", ROOT / "target" / "release" / "tribunal"))

# What `tribunal score --metrics` computes of outputs of systems, and which of it is one metric.
METRICS = (
    "ensemble bleu chrf chrf++ ter rouge1 rouge2 rougeL rougeW rougeS4 rougeSU4 meteor meteor-all meteor2005 nist synset "
    "sum.meteor sum.synset sum.bleu"
).split()
BASELINE = ["sum.meteor", "sum.synset", "sum.bleu"]
SINGLE = [name for name in METRICS if name not in ["ensemble", *BASELINE]]


def tribunal(*arguments):
    """Runs the program and returns what it prints."""
    done = subprocess.run([BINARY, "--quiet", *map(str, arguments)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"tribunal {' '.join(map(str, arguments))}: status {done.returncode}: {done.stderr.strip()}")
    return done.stdout


def cpu_seconds():
    """The CPU time of all programs run so far, in seconds."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def tokenise(text):
    """Adds spaces around punctuation and before the endings of contractions, as tokenisers for training corpora do."""
    text = re.sub(r"n't\b", " n't", text.replace("&quot;", '"'))
    text = re.sub(r"(\w)'(s|re|ve|ll|d|m)\b", r"\1 '\2", text)
    text = re.sub(r'([!?;:()\[\]"%$€£“”„«»])', r" \1 ", text)
    text = re.sub(r"(?<!\d)([.,])|([.,])(?!\d)", lambda mark: f" {mark.group(0)} ", text)
    return " ".join(re.sub(r"(\w)-(\w)", r"\1 @-@ \2", text).split())


def accuracy(report, name):
    """The accuracy of one system of a report."""
    return next(row["accuracy"] for row in report["systems"] if row["name"] == name)


def best_metric(report):
    """The name and the accuracy of the best single metric of a report; some are only there for English."""
    found = {row["name"]: row["accuracy"] for row in report["systems"] if row["name"] in SINGLE}
    return max(found.items(), key=lambda item: item[1])


def rewrite(pairs, change, path):
    """Writes the pairs of a file with `change` applied to each text."""
    with open(pairs, encoding="utf-8") as lines:
        rows = [" ||| ".join(change(field) for field in line.rstrip("\n").split("|||")) for line in lines]
    path.write_text("\n".join(rows) + "\n", encoding="utf-8")
    return path
