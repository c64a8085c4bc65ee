"""Reference values on disk, and the two processes that compute the missing ones."""

import hashlib
import multiprocessing
import sqlite3
import sys

from . import segments
from .common import PEERS_DIR

BLOCK = 200
PROCESSES = 2


class Cache:
    """$PEERS_DIR/cache/values.sqlite: a value for each tool with its version, name of the value, and text."""

    def __init__(self, path=PEERS_DIR / "cache" / "values.sqlite"):
        path.parent.mkdir(parents=True, exist_ok=True)
        self.database = sqlite3.connect(path, timeout=60)
        self.database.execute("CREATE TABLE IF NOT EXISTS reference (key BLOB PRIMARY KEY, value REAL) WITHOUT ROWID")

    def get(self, keys):
        """The values that are there, as a dictionary; None is a value, too."""
        found = {}
        for key in keys:
            row = self.database.execute("SELECT value FROM reference WHERE key = ?", (key,)).fetchone()
            if row:
                found[key] = row[0]
        return found

    def put(self, rows):
        with self.database:
            self.database.executemany("INSERT OR REPLACE INTO reference VALUES (?, ?)", rows)


def key(tool, name, segment):
    parts = (tool, segments.version(tool), name, segment.hyp, *segment.refs)
    return hashlib.sha256("\0".join(parts).encode("utf-8")).digest()


def reference_values(wanted, rows):
    """(tool, name) -> list of values in the order of `rows`, for each pair in `wanted`; missing ones are computed."""
    cache = Cache()
    keys = {(tool, name): [key(tool, name, row) for row in rows] for tool, name in wanted}
    known = {pair: cache.get(pair_keys) for pair, pair_keys in keys.items()}
    fill(cache, keys, known, rows)
    return {pair: [known[pair][one] for one in pair_keys] for pair, pair_keys in keys.items()}


def fill(cache, keys, known, rows):
    """Computes what is missing, a block of segments of one tool at a time, and writes each block as it comes."""
    tasks = list(blocks(keys, known, rows))
    if not tasks:
        return
    with multiprocessing.Pool(PROCESSES) as pool:
        for done, (tool, positions, values) in enumerate(pool.imap_unordered(work, tasks), 1):
            for name, column in values.items():
                found = {keys[tool, name][position]: value for position, value in zip(positions, column)}
                known[tool, name].update(found)
                cache.put(found.items())
            print(f"\rreference values: block {done} of {len(tasks)} ({tool})   ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)


def blocks(keys, known, rows):
    """(tool, names, positions, segments): names that lack the same segments go together."""
    for tool in dict.fromkeys(tool for tool, _ in keys):
        lacking = {}
        for (owner, name), pair_keys in keys.items():
            if owner == tool:
                missing = tuple(position for position, one in enumerate(pair_keys) if one not in known[tool, name])
                lacking.setdefault(missing, []).append(name)
        for missing, names in lacking.items():
            for start in range(0, len(missing), BLOCK):
                positions = missing[start : start + BLOCK]
                yield tool, names, positions, [rows[position] for position in positions]


def work(task):
    tool, names, positions, rows = task
    return tool, positions, segments.values(tool, names, rows)
