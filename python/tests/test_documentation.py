"""What is public is documented, and its examples work."""

import doctest
import inspect
import re

from conftest import ROOT

import tribunal


def test_every_public_name_is_documented():
    for name in tribunal.__all__:
        thing = getattr(tribunal, name)
        assert inspect.getdoc(thing), name
        if inspect.isclass(thing):
            members = [(one, value) for one, value in vars(thing).items() if not one.startswith("_")]
            assert members, name
            assert all(inspect.getdoc(value) for _, value in members), [one for one, value in members if not inspect.getdoc(value)]


def test_examples():
    found = doctest.testmod(tribunal)
    assert found.attempted > 4 and found.failed == 0


def test_examples_of_the_readmes(monkeypatch):
    monkeypatch.chdir(ROOT)
    for readme in ("README.md", "python/README.md"):
        blocks = re.findall(r"```pycon\n(.*?)```", (ROOT / readme).read_text(encoding="utf-8"), re.DOTALL)
        examples = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, readme, readme, 0)
        found = doctest.DocTestRunner().run(examples)
        assert found.attempted > 4 and found.failed == 0, readme


def test_licences_name_what_is_inside():
    names = {of for of, _, _ in tribunal.licences()}
    assert {"WordNet 3.0", "METEOR 1.5's data for English", "Crates of the Python package"} <= names
