"""What every peer needs: where things are, the sentence pairs, and how a golden file is written."""

import json
import os
from dataclasses import dataclass
from pathlib import Path

GOLDEN_DIR = Path(__file__).resolve().parent.parent
REPOSITORY = GOLDEN_DIR.parent.parent
PEERS_DIR = Path(os.environ.get("PEERS_DIR", REPOSITORY / "target" / "peers")).resolve()


@dataclass(frozen=True)
class Pair:
    """One row of sentences.json."""

    id: int
    kind: str
    hyp: str
    refs: tuple


def read_pairs(path=GOLDEN_DIR / "sentences.json"):
    """The sentence pairs, in order of their id."""
    rows = json.loads(Path(path).read_text(encoding="utf-8"))
    pairs = [Pair(row["id"], row["kind"], row["hyp"], tuple(row["refs"])) for row in rows]
    for position, pair in enumerate(pairs):
        if pair.id != position:
            raise ValueError(f"{path}: expected id {position}, found {pair.id}; number the pairs from 0 without gaps")
    return pairs


def write_golden(name, tool, version, command, values):
    """Writes tests/golden/NAME.json: compact ASCII, a line an entry of the lists under `values`, floats by repr."""
    path = GOLDEN_DIR / f"{name}.json"
    temporary = path.with_suffix(".json.new")
    head = {"tool": tool, "version": version, "command": command}
    lines = ["{" + ",".join(f"{_compact(key)}:{_compact(value)}" for key, value in head.items()) + ',"values":{']
    lines.append(",\n".join(f"{_compact(key)}:{_lines(value)}" for key, value in values.items()))
    temporary.write_text("\n".join(lines) + "}}\n", encoding="ascii")
    temporary.replace(path)
    return path


def _lines(value):
    """A list of objects takes a line each, so that a change to one pair is a change to one line."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + ",\n".join(map(_compact, value)) + "]"
    return _compact(value)


def _compact(value):
    return json.dumps(value, separators=(",", ":"), default=_plain, allow_nan=False)


def _plain(value):
    """numpy's numbers as Python's."""
    return value.item()
