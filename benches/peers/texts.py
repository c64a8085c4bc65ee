"""The texts that programs are measured on: distinct segments."""

import csv
import sys
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Texts:
    """The same segments in the file formats that programs read."""

    pairs: Path
    hypotheses: Path
    references: Path
    segments: int


class Segments:
    """Distinct segments from files of pairs, grouped by reference, an even number for each."""

    def __init__(self, files, limit=None):
        by_reference = {}
        for file in files:
            for hyp1, hyp2, reference in rows(file):
                # A dict keeps insertion order.
                by_reference.setdefault(reference, {}).update({hyp1: None, hyp2: None})
        self.pairs = []
        for reference, hypotheses in by_reference.items():
            hypotheses = list(hypotheses)
            self.pairs += [(one, other, reference) for one, other in zip(hypotheses[::2], hypotheses[1::2])]
        self.pairs = self.pairs[: limit and limit // 2]

    def __len__(self):
        return 2 * len(self.pairs)

    def write(self, folder, name, count=None):
        """Writes all segments, or about `count` evenly spaced ones."""
        step = 1 if count is None else max(len(self) // count, 1)
        pairs = self.pairs[::step][: count and count // 2]
        paths = [folder / f"{name}.{kind}" for kind in ("pairs", "hyp", "ref")]
        write_lines(paths[0], (" ||| ".join(pair) for pair in pairs))
        write_lines(paths[1], (hyp for pair in pairs for hyp in pair[:2]))
        write_lines(paths[2], (pair[2] for pair in pairs for _ in range(2)))
        return Texts(*paths, 2 * len(pairs))


def rows(path):
    """First hypothesis, second hypothesis and reference of each row in a file of pairs or a CSV file."""
    with path.open(encoding="utf-8", newline="") as file:
        if path.suffix == ".csv":
            found = ((row["hyp1"], row["hyp2"], row["ref"]) for row in csv.DictReader(file))
        else:
            found = (line.rstrip("\n").split(" ||| ")[:3] for line in file)
        for number, row in enumerate(found, 1):
            if len(row) < 3:
                sys.exit(f"{path}:{number}: expected 'hyp1 ||| hyp2 ||| ref'; give a file of pairs")
            # A text that contains a line end or a separator cannot be written as a line of pairs.
            if not any("\n" in text or "|||" in text for text in row):
                yield row


def write_lines(path, lines):
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
