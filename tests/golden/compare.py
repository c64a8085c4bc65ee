"""Compares Tribunal with the reference implementations, segment by segment, on pairs or system outputs.

$PEERS_DIR/venv/bin/python tests/golden/compare.py PAIRS [--tribunal BIN] [--metrics bleu,ter] [--limit N]
    [--reference-only]
"""

import argparse
import math
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from peers.cache import reference_values
from peers.common import REPOSITORY


@dataclass(frozen=True)
class Reference:
    """Where a metric's reference value comes from, and how far Tribunal may be from it."""

    tool: str
    name: str
    relative: float = 0.0
    absolute: float = 0.0

    def agrees(self, ours, theirs):
        return abs(ours - theirs) <= max(self.absolute, self.relative * max(abs(ours), abs(theirs)))


FLOAT = {"relative": 1e-9, "absolute": 1e-12}
FIVE_DECIMALS = {"absolute": 1.0001e-5}
SIX_DECIMALS = {"absolute": 1e-6}

# Tribunal's metric -> its reference. The names are those that peers/segments.py takes: for NLTK the keys of
# `segment_functions`, for METEOR those of `SETTINGS`.
METRICS = {
    "bleu": Reference("sacrebleu", "bleu", **FLOAT),
    "chrf": Reference("sacrebleu", "chrf", **FLOAT),
    "chrf++": Reference("sacrebleu", "chrf++", **FLOAT),
    "ter": Reference("sacrebleu", "ter", **FLOAT),
    "rouge1": Reference("rouge-score", "rouge1", **FLOAT),
    "rouge2": Reference("rouge-score", "rouge2", **FLOAT),
    "rouge3": Reference("rouge-score", "rouge3", **FLOAT),
    "rouge4": Reference("rouge-score", "rouge4", **FLOAT),
    "rougeL": Reference("rouge-score", "rougeL", **FLOAT),
    "rougeLsum": Reference("rouge-score", "rougeLsum", **FLOAT),
    "rougeW": Reference("ROUGE-1.5.5", "ROUGE-W-1.2", **FIVE_DECIMALS),
    "rougeS": Reference("ROUGE-1.5.5", "ROUGE-S*", **FIVE_DECIMALS),
    "rougeS4": Reference("ROUGE-1.5.5", "ROUGE-S4", **FIVE_DECIMALS),
    "rougeSU4": Reference("ROUGE-1.5.5", "ROUGE-SU4", **FIVE_DECIMALS),
    "nist": Reference("nltk", "nist5", **FLOAT),
    "meteor": Reference("METEOR", "default", **SIX_DECIMALS),
    # Differs where NLTK's greedy alignment has not the fewest crossings.
    "meteor2005.nltk": Reference("nltk", "meteor", **FLOAT),
    "gleu": Reference("nltk", "gleu", **FLOAT),
    "ribes": Reference("nltk", "ribes", **FLOAT),
}


@dataclass(frozen=True)
class Segment:
    """One hypothesis with its references: all that a score depends on."""

    hyp: str
    refs: tuple


def main():
    options = parse_arguments()
    segments = first_places(read_input(options.input))
    if options.limit:
        segments = dict(list(segments.items())[: options.limit])
    rows = list(segments)
    print(f"{len(rows)} different segments", file=sys.stderr)
    theirs = reference_values([(METRICS[name].tool, METRICS[name].name) for name in options.metrics], rows)
    if options.reference_only:
        return 0
    ours = tribunal_values(options.tribunal, options.metrics, rows)
    return report(options.metrics, ours, theirs, list(segments.values()))


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "input",
        type=Path,
        metavar="PAIRS",
        help="`hyp1 ||| hyp2 ||| ref [||| ref...]` a line, or a folder of system outputs with a file `reference`",
    )
    parser.add_argument("--tribunal", type=Path, default=default_binary(), metavar="BIN", help="default: %(default)s")
    parser.add_argument("--metrics", default=",".join(METRICS), metavar="A,B,...", help="default: %(default)s")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N different segments")
    parser.add_argument("--reference-only", action="store_true", help="only compute and keep the reference values")
    options = parser.parse_args()
    options.metrics = options.metrics.split(",")
    unknown = sorted(set(options.metrics) - set(METRICS))
    if unknown:
        parser.error(f"unknown metric {', '.join(unknown)}; there are {', '.join(METRICS)}")
    if not options.input.exists():
        parser.error(f"{options.input} does not exist")
    return options


def default_binary():
    return Path(os.environ.get("CARGO_TARGET_DIR", REPOSITORY / "target")) / "release" / "tribunal"


# ---- input


def read_input(path):
    """(place, segment) of every segment, in the order of the input."""
    return read_folder(path) if path.is_dir() else read_pairs_file(path)


def read_pairs_file(path):
    for number, line in enumerate(read_lines(path), 1):
        fields = [field.strip() for field in line.split("|||")]
        if len(fields) < 3:
            sys.exit(f"{path}:{number}: expected at least 3 fields separated by ' ||| ', found {len(fields)}")
        hyp1, hyp2, *refs = fields
        yield f"{number}:hyp1", Segment(hyp1, tuple(refs))
        yield f"{number}:hyp2", Segment(hyp2, tuple(refs))


def read_folder(folder):
    """Each file with as many lines as `reference` is a system."""
    if not (folder / "reference").is_file():
        sys.exit(f"{folder}: expected a file named `reference` beside the systems' outputs, found none")
    references = read_lines(folder / "reference")
    for path in sorted(path for path in folder.iterdir() if path.is_file() and path.name != "reference"):
        hypotheses = read_lines(path)
        if len(hypotheses) != len(references):
            lines = f"{len(hypotheses)} lines where the reference has {len(references)}"
            print(f"{path.name}: left out, {lines}", file=sys.stderr)
            continue
        for number, (hyp, ref) in enumerate(zip(hypotheses, references), 1):
            yield f"{path.name}:{number}", Segment(hyp.strip(), (ref.strip(),))


def read_lines(path):
    """Lines end at line feeds alone: other separators are part of the text."""
    return path.read_bytes().decode("utf-8").removesuffix("\n").split("\n")


def first_places(placed):
    """Each different segment with the place where it first stands."""
    segments = {}
    for place, segment in placed:
        segments.setdefault(segment, place)
    return segments


# ---- Tribunal


def tribunal_values(binary, metrics, rows):
    """Metric -> list of values in the order of `rows`. One run for each number of references."""
    columns = {name: [None] * len(rows) for name in metrics}
    for count in sorted({len(row.refs) for row in rows}):
        positions = [position for position, row in enumerate(rows) if len(row.refs) == count]
        table = run_tribunal(binary, metrics, [rows[position] for position in positions])
        for name in metrics:
            for position, value in zip(positions, table[name]):
                columns[name][position] = value
    return columns


def run_tribunal(binary, metrics, rows):
    """`tribunal score HYP -r REF... --metrics ... --segments`, parsed into a list of numbers a metric."""
    with tempfile.TemporaryDirectory() as folder:
        texts = [[row.hyp for row in rows], *zip(*(row.refs for row in rows))]
        paths = [write_lines(Path(folder, str(stream)), lines) for stream, lines in enumerate(texts)]
        references = [word for path in paths[1:] for word in ("-r", path)]
        command = [binary, "score", paths[0], *references, "--metrics", ",".join(metrics), "--segments"]
        try:
            done = subprocess.run(command, capture_output=True, encoding="utf-8")
        except OSError as error:
            sys.exit(f"{binary}: {error.strerror}; build it with `cargo build --release`, or name it with --tribunal")
    if done.returncode:
        sys.exit(f"{binary} score ended with status {done.returncode}: {done.stderr.strip()}")
    return parse_table(done.stdout, metrics, len(rows))


def write_lines(path, lines):
    path.write_bytes("".join(line + "\n" for line in lines).encode("utf-8"))
    return str(path)


def parse_table(text, metrics, rows):
    header, *lines = [line.split("\t") for line in text.removesuffix("\n").split("\n")]
    missing = [name for name in metrics if name not in header]
    if missing or len(lines) != rows:
        lack = f", without {', '.join(missing)}" if missing else ""
        sys.exit(
            f"tribunal score --segments: expected {rows} rows with {', '.join(metrics)}; found {len(lines)} rows{lack}"
        )
    return {name: [as_number(line[header.index(name)]) for line in lines] for name in metrics}


def as_number(cell):
    """NaN for what is no number."""
    try:
        return float(cell)
    except ValueError:
        return math.nan


# ---- report


def report(metrics, ours, theirs, places):
    """Prints a line a metric; 1 if a segment differs anywhere."""
    counts = f"{'metric':<11}{'segments':>9}{'undefined':>10}{'differing':>10}{'largest':>11}"
    print(f"{counts}  {'worst segment':<22}{'ours':>14}{'reference':>14}  by")
    differing = 0
    for name in metrics:
        reference = METRICS[name]
        column = theirs[reference.tool, reference.name]
        differing += report_metric(name, reference, ours[name], column, places)
    return 1 if differing else 0


def report_metric(name, reference, ours, theirs, places):
    defined = [(mine, other, place) for mine, other, place in zip(ours, theirs, places) if other is not None]
    wrong = [row for row in defined if math.isnan(row[0]) or not reference.agrees(row[0], row[1])]
    line = f"{name:<11}{len(defined):>9}{len(theirs) - len(defined):>10}{len(wrong):>10}"
    if defined:
        mine, other, place = max(defined, key=difference)
        line += f"{difference((mine, other, place)):>11.3g}  {place:<22}{mine:>14.8g}{other:>14.8g}"
    print(f"{line}  {reference.tool} {reference.name}")
    return len(wrong)


def difference(row):
    mine, other, _ = row
    return math.inf if math.isnan(mine) else abs(mine - other)


if __name__ == "__main__":
    sys.exit(main())
