#!/usr/bin/env python3
"""Scores of the tiny COMET models in the folder `comet`, by unbabel-comet.

    pip install "setuptools<81" torch==2.15.0 transformers==4.57.6 unbabel-comet==2.2.7
    python tests/golden/make_comet.py [--write]

Without --write, the values of comet/scores.json are compared. Takes a minute on a processor.
"""

import argparse
import json
import os
from pathlib import Path

import torch
from comet import load_from_checkpoint

COMET = Path(__file__).resolve().parent / "comet"
MODELS = [
    "regression-da22", "regression-da20", "regression-other", "referenceless-qe20", "unified-kiwi22", "unified-unite22", "xcomet-xl",
]
#: Models that can also do without a text, and what that text is.
WITHOUT = {"unified-unite22": ["ref", "src"], "xcomet-xl": ["ref"]}
NAMES = {"ref": "without_reference", "src": "without_source"}


def values(name, rows):
    model = load_from_checkpoint(str(COMET / name / "checkpoints/model.ckpt"), local_files_only=True)
    predict = lambda rows: model.predict(rows, batch_size=1, gpus=0, num_workers=0, progress_bar=False)
    found = {}

    def keep(rows, of):
        prediction = predict(rows)
        found["scores" + of] = prediction.scores
        if "error_spans" in prediction.get("metadata", {}):
            found["error_spans" + of] = prediction.metadata.error_spans

    keep(rows, "")
    for text in WITHOUT.get(name, []):
        keep([{role: row[role] for role in row if role != text} for row in rows], "_" + NAMES[text])
    model.double()
    found["scores_double"] = predict(rows).scores
    return found


def difference(one, other):
    """The greatest difference of two values; what is no number must be equal."""
    if isinstance(one, dict) and one.keys() == other.keys():
        return max((difference(one[name], other[name]) for name in one), default=0.0)
    if isinstance(one, list) and len(one) == len(other):
        return max(map(difference, one, other), default=0.0)
    if isinstance(one, float):
        return abs(one - other)
    assert one == other, (one, other)
    return 0.0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    write = parser.parse_args().write
    torch.set_num_threads(1)
    rows = [json.loads(line) for line in (COMET / "inputs.jsonl").read_text(encoding="utf-8").splitlines()]
    rows = [{role: row[role] for role in ("src", "mt", "ref")} for row in rows]
    # The models name their tokeniser by a folder beside them.
    os.chdir(COMET)
    found = {name: values(name, rows) for name in MODELS}
    path = COMET / "scores.json"
    if write:
        kept = {"tool": "unbabel-comet 2.2.7, torch 2.15.0, transformers 4.57.6", "command": "tests/golden/make_comet.py", "values": found}
        path.write_text(json.dumps(kept) + "\n", encoding="utf-8")
        return
    off = difference(found, json.loads(path.read_text(encoding="utf-8"))["values"])
    print(f"values differ by at most {off:.1e}")
    assert off <= 1e-6


if __name__ == "__main__":
    main()
