"""Compares Tribunal with the reference implementations, segment by segment, on pairs or system outputs.

$PEERS_DIR/venv/bin/python tests/golden/compare.py PAIRS [--tribunal BIN] [--metrics bleu,ter] [--variants]
    [--limit N] [--reference-only]
"""

import argparse
import math
import os
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from peers.cache import reference_values
from peers.common import REPOSITORY
from peers.rows import ROWS, VARIANTS


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
    theirs = reference_values([(row.tool, row.name) for row in options.metrics.values()], rows)
    if options.reference_only:
        return 0
    ours = tribunal_values(options.tribunal, options.metrics, rows)
    return report(options.metrics, ours, theirs, segments)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "input",
        type=Path,
        metavar="PAIRS",
        help="`hyp1 ||| hyp2 ||| ref [||| ref...]` a line, or a folder of system outputs with a file `reference`",
    )
    parser.add_argument("--tribunal", type=Path, default=default_binary(), metavar="BIN", help="default: %(default)s")
    parser.add_argument("--metrics", metavar="A,B,...", help=f"default: {','.join(ROWS)}")
    parser.add_argument("--variants", action="store_true", help="the rows with other settings, instead or besides")
    parser.add_argument("--limit", type=int, metavar="N", help="only the first N different segments")
    parser.add_argument("--reference-only", action="store_true", help="only compute and keep the reference values")
    options = parser.parse_args()
    known = ROWS | VARIANTS
    names = options.metrics.split(",") if options.metrics else [] if options.variants else list(ROWS)
    unknown = sorted(set(names) - set(known))
    if unknown:
        parser.error(f"unknown metric {', '.join(unknown)}; there are {', '.join(known)}")
    options.metrics = {name: known[name] for name in [*names, *(VARIANTS if options.variants else ())]}
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
    """Row -> list of values in the order of `rows`. One run for each number of references and choice of options."""
    columns = {name: [None] * len(rows) for name in metrics}
    for count in sorted({len(row.refs) for row in rows}):
        positions = [position for position, row in enumerate(rows) if len(row.refs) == count]
        chosen = [rows[position] for position in positions]
        for run in dict.fromkeys(metric.options for metric in metrics.values()):
            names = {name: metric.metric or name for name, metric in metrics.items() if metric.options == run}
            table = run_tribunal(binary, list(dict.fromkeys(names.values())), run, chosen)
            for name, column in names.items():
                for position, value in zip(positions, table[column]):
                    columns[name][position] = value
    return columns


def run_tribunal(binary, metrics, options, rows):
    """`tribunal score HYP -r REF... --metrics ... --segments`, parsed into a list of numbers a metric."""
    with tempfile.TemporaryDirectory() as folder:
        texts = [[row.hyp for row in rows], *zip(*(row.refs for row in rows))]
        paths = [write_lines(Path(folder, str(stream)), lines) for stream, lines in enumerate(texts)]
        references = [word for path in paths[1:] for word in ("-r", path)]
        command = [binary, "score", paths[0], *references, "--metrics", ",".join(metrics), "--segments", *options]
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


def report(metrics, ours, theirs, segments):
    """Prints a line a row; 1 if a segment differs anywhere without the explanation that the row has."""
    width = max(map(len, metrics), default=0) + 1
    counts = f"{'metric':<{width}}{'segments':>9}{'undefined':>10}{'explained':>10}{'differing':>10}{'largest':>11}"
    print(f"{counts}  {'worst segment':<22}{'ours':>14}{'reference':>14}  by")
    differing = 0
    for name, row in metrics.items():
        line, wrong = report_row(row, ours[name], theirs[row.tool, row.name], segments)
        print(f"{name:<{width}}{line}", flush=True)
        differing += wrong
    return 1 if differing else 0


def report_row(row, ours, theirs, segments):
    """The line of a row, with one for each explanation, and how many segments differ without one. The largest difference
    is of those that are not explained."""
    values = zip(ours, theirs, segments.values(), segments)
    defined = [value for value in values if value[1] is not None]
    wrong = [value for value in defined if math.isnan(value[0]) or not row.agrees(value[0], value[1])]
    reasons = {value[2]: row.explain(value[3], value[0]) for value in wrong if row.explain}
    explained = {place: reason for place, reason in reasons.items() if reason}
    line = f"{len(defined):>9}{len(theirs) - len(defined):>10}{len(explained):>10}{len(wrong) - len(explained):>10}"
    left = [value for value in defined if value[2] not in explained]
    if left:
        mine, other, place, _ = max(left, key=difference)
        line += f"{difference((mine, other)):>11.3g}  {place:<22}{mine:>14.8g}{other:>14.8g}"
    counts = "".join(f"\n    {count} x {reason}" for reason, count in Counter(explained.values()).most_common())
    return f"{line}  {row.tool} {row.name}{counts}", len(wrong) - len(explained)


def difference(value):
    mine, other = value[:2]
    return math.inf if math.isnan(mine) else abs(mine - other)


if __name__ == "__main__":
    sys.exit(main())
