"""How Tribunal's cost grows with the length of segments and with the number of pairs; prints Markdown.

python3 benches/growth.py [--tribunal target/release/tribunal] [--rows 7]

The text is drawn from the words of the sample with a fixed seed. Times are user CPU seconds of one thread, without
start-up.
"""

import argparse
import os
import random
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
METRICS = ["bleu", "chrf", "ter", "rougeL", "meteor", "meteor2005"]
LENGTHS = [10, 100, 1_000, 10_000]
# Total words in all segments of one length, so that there are many short ones.
WORDS = 20_000


def main():
    options = parse_arguments()
    draw = random.Random(1)
    words = (ROOT / "data/sample/sample.pairs").read_text(encoding="utf-8").replace(" ||| ", " ").split()
    with tempfile.TemporaryDirectory() as folder:
        print_lengths(options.tribunal, draw, words, Path(folder))
        print_rows(options.tribunal, draw, words, Path(folder), options.rows)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tribunal", default=str(ROOT / "target/release/tribunal"))
    parser.add_argument("--rows", type=int, default=6, help="up to ten to the power of this many pairs")
    return parser.parse_args()


def usage(command, stdin=None):
    """Runs a program and returns its resource usage."""
    with open(os.devnull, "wb") as sink:
        process = subprocess.Popen(command, stdin=stdin, stdout=sink)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(command)}: exit status {process.returncode}")
    return used


def print_lengths(tribunal, draw, words, folder):
    """Microseconds per segment, for each metric and length."""
    print("| words a segment | " + " | ".join(METRICS) + " |")
    print("| ---: |" + " ---: |" * len(METRICS))
    start = usage([tribunal, "--version"]).ru_utime
    for length in LENGTHS:
        count = max(WORDS // length, 2)
        paths = [folder / "hyp", folder / "ref"]
        lines = [pair(draw, words, length) for _ in range(count)]
        for path, side in zip(paths, zip(*lines)):
            path.write_text("".join(f"{text}\n" for text in side), encoding="utf-8")
        costs = [cost(tribunal, paths, metric, start) / count for metric in METRICS]
        print(f"| {length:,} | " + " | ".join(f"{1e6 * seconds:,.0f}" for seconds in costs) + " |", flush=True)
    print()


def cost(tribunal, paths, metric, start):
    command = [tribunal, "score", str(paths[0]), "-r", str(paths[1]), "--segments", "--metrics", metric, "--threads", "1"]
    total, runs = 0.0, 0
    # A short run is repeated, since the operating system's clock is coarse.
    while runs == 0 or total < 0.1 and runs < 20:
        total, runs = total + usage(command).ru_utime, runs + 1
    return max(total / runs - start, 0.0)


def pair(draw, words, length):
    """A hypothesis and its reference: about every fifth word is replaced, and one run of words is moved."""
    reference = draw.choices(words, k=length)
    hypothesis = [draw.choice(words) if draw.random() < 0.2 else word for word in reference]
    cut, length = draw.randrange(length), max(length // 10, 1)
    moved = hypothesis[cut : cut + length]
    del hypothesis[cut : cut + length]
    at = draw.randrange(len(hypothesis) + 1)
    return " ".join(hypothesis[:at] + moved + hypothesis[at:]), " ".join(reference)


def print_rows(tribunal, draw, words, folder, most):
    """CPU seconds and peak memory of `predict` on pairs without repeated segments."""
    print("| pairs | user CPU, s | peak memory, MB |")
    print("| ---: | ---: | ---: |")
    path = folder / "pairs"
    for rows in (10**power for power in range(3, most + 1)):
        with path.open("w", encoding="utf-8") as file:
            for _ in range(rows):
                (first, reference), (second, _) = pair(draw, words, 20), pair(draw, words, 20)
                file.write(f"{first} ||| {second} ||| {reference}\n")
        used = usage([tribunal, "predict", str(path), "--threads", "1"])
        print(f"| {rows:,} | {used.ru_utime:,.2f} | {used.ru_maxrss / 1024:,.0f} |", flush=True)


if __name__ == "__main__":
    main()
