"""What tests share: the sample that ships with the project, and the command line to compare with.

TRIBUNAL   the program [default: target/release/tribunal, as `cargo build --release` makes it]
"""

import doctest
import os
import re
import subprocess
from pathlib import Path

import pandas as pd
import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("TRIBUNAL", str(ROOT / "target" / "release" / "tribunal"))
PAIRS = ROOT / "data" / "sample" / "sample.pairs"
ANSWERS = ROOT / "data" / "sample" / "sample.answers"


#: A block of examples, and who runs it if the tests of the documentation do not.
BLOCK = re.compile(r"(?:<!-- run by (\S+) -->\n)?```pycon\n(.*?)```", re.DOTALL)


def examples(path, runner=None):
    """The examples of a document that a test file runs; without one, those of the tests of the documentation."""
    return "\n".join(block for by, block in BLOCK.findall(path.read_text(encoding="utf-8")) if (by or None) == runner)


def run_examples(document, names, runner=None):
    """Runs them in one namespace that begins with ``names``; their number, if all print what they show."""
    test = doctest.DocTestParser().get_doctest(examples(ROOT / document, runner), names, document, document, 0)
    found = doctest.DocTestRunner().run(test)
    assert found.failed == 0, document
    return found.attempted


@pytest.fixture
def demo(tmp_path):
    """A folder with the files of `tribunal demo`."""
    subprocess.run([PROGRAM, "demo"], cwd=tmp_path, check=True, capture_output=True)
    return tmp_path


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
