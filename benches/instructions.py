"""Counts the instructions of fixed workloads, and compares them with those in instructions.tsv.

python3 benches/instructions.py [--tribunal target/release/tribunal] [--write]

Instructions are counted by valgrind's callgrind; the counts are nearly the same in every run, whatever else the machine
does. Fails if a workload takes over 5% more instructions than recorded; `--write` records the new counts.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FIGURES = ROOT / "benches" / "instructions.tsv"
PAIRS = ROOT / "data" / "sample" / "sample.pairs"
GROWTH = 0.05


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tribunal", default=str(ROOT / "target/release/tribunal"))
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = {name: count([options.tribunal, "--threads", "1", *work], folder) for name, work in workloads(Path(folder))}
    if options.write:
        FIGURES.write_text("".join(f"{name}\t{millions:.1f}\n" for name, millions in found.items()), encoding="utf-8")
        return
    known = dict(line.split("\t") for line in FIGURES.read_text(encoding="utf-8").splitlines())
    print("| workload | millions of instructions | committed | growth |")
    print("| --- | ---: | ---: | ---: |")
    grown = []
    for name, millions in found.items():
        growth = millions / float(known[name]) - 1
        print(f"| {name} | {millions:,.1f} | {float(known[name]):,.1f} | {growth:+.1%} |")
        if growth > GROWTH:
            grown.append(name)
    if grown:
        sys.exit(
            f"{', '.join(grown)}: expected at most {GROWTH:.0%} more instructions than in {FIGURES.name}; find what grew with "
            "callgrind_annotate, or, if it has to be, write the new figures with --write"
        )


def workloads(folder):
    """Names and arguments; all workloads use the sample that ships with the project."""
    pairs = [line.split(" ||| ") for line in PAIRS.read_text(encoding="utf-8").splitlines()]
    hypotheses, references = folder / "hyp", folder / "ref"
    hypotheses.write_text("".join(f"{hyp}\n" for pair in pairs for hyp in pair[:2]), encoding="utf-8")
    references.write_text("".join(f"{pair[2]}\n" for pair in pairs for _ in range(2)), encoding="utf-8")
    yield "start-up", ["--version"]
    for metrics in ("bleu", "chrf++", "ter", "rouge1,rouge2,rougeL", "meteor", "meteor-all"):
        options = ["--rouge-stem"] if metrics.startswith("rouge") else []
        yield metrics, ["score", hypotheses, "-r", references, "--segments", "--metrics", metrics, *options]
    yield "features", ["features", PAIRS, "-o", folder / "features.tsv", "--quiet"]
    yield "predict", ["predict", PAIRS, "-o", folder / "eval.out", "--quiet"]
    yield "train", ["train", PAIRS, "--answers", PAIRS.with_suffix(".answers"), "--folds", "2", "--quiet"]


def count(command, folder):
    """The instructions that a program executes, in millions."""
    output = f"--callgrind-out-file={folder}/callgrind"
    done = subprocess.run(["valgrind", "--tool=callgrind", output, *map(str, command)], capture_output=True, text=True)
    collected = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or not collected:
        sys.exit(f"{' '.join(map(str, command))}: exit status {done.returncode}: {done.stderr.strip()}")
    return int(collected[1]) / 1e6


if __name__ == "__main__":
    main()
