"""What tests share: the sample that ships with the project, and the command line to compare with.

TRIBUNAL   the program [default: target/release/tribunal, as `cargo build --release` makes it]
"""

import os
import subprocess
from pathlib import Path

import pandas as pd
import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("TRIBUNAL", str(ROOT / "target" / "release" / "tribunal"))
PAIRS = ROOT / "data" / "sample" / "sample.pairs"
ANSWERS = ROOT / "data" / "sample" / "sample.answers"


@pytest.fixture(scope="session")
def program():
    """Runs the command line and gives what it prints."""

    def run(*arguments):
        done = subprocess.run([PROGRAM, *map(str, arguments), "--quiet"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run


@pytest.fixture(scope="session")
def rows():
    """The pairs of the sample as tuples."""
    lines = PAIRS.read_text(encoding="utf-8").splitlines()
    return [tuple(field.strip() for field in line.split(" ||| ")) for line in lines]


@pytest.fixture(scope="session")
def labels():
    """What people said of them."""
    return [int(line) for line in ANSWERS.read_text().split()]


@pytest.fixture(scope="session")
def frame(rows, labels):
    """Pairs and labels as a frame."""
    return pd.DataFrame(rows, columns=["hyp1", "hyp2", "ref"]).assign(label=labels)
