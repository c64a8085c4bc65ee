"""Every option of a command is an argument of its function in Python, or is here with what takes its place."""

import inspect
import re
import subprocess
import sys

import pytest
import tribunal

#: Options whose argument has another name.
RENAMED = {"answers": "labels", "judge": "judges", "file_weights": "weights", "lambda": "lambda_", "src": "sources"}

#: What takes the place of options that no function has.
ELSEWHERE = {
    "help": "help(tribunal)",
    "json": "to_dict",
    "quiet": "logging, warnings",
    "threads": "tribunal.set_threads",
    "encoder_cache": "tribunal.set_encoder_cache",
    "comet_tokenizer": "comet, a tuple of both folders",
    "output": "what the function returns",
    "report": "Report.save",
    "all_pairs": "all_pairs of Report.save",
    "table": "to_pandas().to_latex, to_pandas().to_markdown",
    "require": "require of what the function returns",
    "html": "to_html",
    "brief": "repr",
    "explain": "Model.explain",
    "unbuffered": "one pair a call",
    "list_metrics": "tribunal.metrics",
    "min_agreement": "Model.confidence_for, Model.predict",
    "format": "tribunal.read",
    "labels": "values of the argument labels",
    "lowest_is_best": "tribunal.read",
}

#: The same for single commands.
OF_COMMAND = {
    "train": {"model": "Model.save", "criteria": "column, one call per criterion"},
    "compare": {"matrix": "details", "model": "models", "majority_weights": "weights only matter in training"},
    "rank": {"majority_weights": "weights only matter in training"},
    "next": {"majority_weights": "weights only matter in training"},
    "features": {
        "seed": "nothing is drawn",
        **dict.fromkeys(["answers", "annotators", "merge", "no_majority", "majority_weights"], "labels are no features"),
    },
    "ask": {
        "dry_run": "the command",
        "write": "the command",
        "read": "the command",
        "price": "the command",
        "limit": "rows of the table",
        "seed": "nothing is drawn",
    },
    "score": {"model": "models", "paired_bs": "test", "paired_ar": "test"},
}

FUNCTIONS = {
    "ask": tribunal.ask,
    "train": tribunal.train,
    "compare": tribunal.compare,
    "rank": tribunal.rank,
    "next": tribunal.next,
    "annotate": tribunal.annotate,
    "features": tribunal.features,
    "score": tribunal.score,
    "correlate": tribunal.correlate,
}


def options(command):
    # The command line of the package, which has all that the package has.
    line = [sys.executable, "-m", "tribunal", command, "--help"]
    text = subprocess.run(line, capture_output=True, text=True, check=True).stdout
    named = re.findall(r"^ +(?:-\w, )?--([a-z][a-z-]*)", text, re.MULTILINE)
    return {name.replace("-", "_") for name in named}


def is_setting(name):
    """Whether `score` knows a setting of this name, whether or not a metric here has it."""
    try:
        tribunal.score(["a"], ["a"], "length", **{name: True})
    except TypeError:
        return False
    except ValueError:
        pass
    return True


@pytest.mark.parametrize("command", FUNCTIONS)
def test_every_option_is_an_argument(command):
    arguments = inspect.signature(FUNCTIONS[command]).parameters
    places = [*arguments, *ELSEWHERE, *OF_COMMAND.get(command, {})]
    missing = [name for name in options(command) if name not in places and RENAMED.get(name) not in arguments]
    if command == "score":
        missing = [name for name in missing if not is_setting(name)]
    assert not missing


def test_systems_are_ranked_by_their_outputs(demo):
    outputs = {"good": ["the cat sat on the mat", "it rained all day"] * 6, "bad": ["cat the mat", "day rain"] * 6}
    found = tribunal.rank(outputs, references=["the cat sat on the mat", "it rained all day"] * 6)
    assert found.systems == ["good", "bad"]
    with pytest.raises(ValueError, match="outputs of systems have no labels"):
        tribunal.rank(outputs, references=["x"] * 12, by="human")


def test_a_row_is_compared_with_another():
    report = tribunal.compare(tribunal.sample("dev"), against="bleu", gain=0.05).to_dict()
    assert report["against"] == "bleu"
