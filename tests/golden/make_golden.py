"""Writes the golden files beside this script from sentences.json and the reference implementations of install.sh.

$PEERS_DIR/venv/bin/python tests/golden/make_golden.py [TOOL...]
"""

import argparse
import importlib
import sys
import time

from peers.common import read_pairs, write_golden

# Golden file -> the module under peers/ that makes it.
TOOLS = {
    "sacrebleu": "sacre",
    "rouge_score": "rouge_py",
    "nltk": "nltk_metrics",
    "meteor15": "meteor15",
    "rouge155": "rouge155",
    "stemmers": "stemmers",
}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tools", nargs="*", metavar="TOOL", help=f"of {', '.join(TOOLS)}; all without any")
    tools = parser.parse_args().tools or list(TOOLS)
    unknown = sorted(set(tools) - set(TOOLS))
    if unknown:
        parser.error(f"unknown tool {', '.join(unknown)}; there are {', '.join(TOOLS)}")
    pairs = read_pairs()
    for name in tools:
        started = time.monotonic()
        peer = importlib.import_module(f"peers.{TOOLS[name]}")
        path = write_golden(name, peer.TOOL, peer.version(), peer.COMMAND, peer.golden(pairs))
        print(f"{path.name}: {path.stat().st_size:,} bytes, {time.monotonic() - started:.0f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
