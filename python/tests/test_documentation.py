"""What is public is documented, and its examples work."""

import doctest
import inspect

import pytest
from conftest import ROOT, examples, run_examples

import tribunal

#: Chapters of the book with examples that need no cluster.
CHAPTERS = [str(path.relative_to(ROOT)) for path in sorted((ROOT / "docs").rglob("*.md")) if examples(path)]


def test_every_public_name_is_documented():
    for name in tribunal.__all__:
        thing = getattr(tribunal, name)
        assert inspect.getdoc(thing), name
        if inspect.isclass(thing):
            members = [(one, value) for one, value in vars(thing).items() if not one.startswith("_")]
            assert members, name
            assert all(inspect.getdoc(value) for _, value in members), [one for one, value in members if not inspect.getdoc(value)]


@pytest.mark.parametrize("name", ["", *tribunal.__all__])
def test_examples(name, tmp_path, monkeypatch):
    """What is public has an example that runs; those of a class are about its methods and properties, too."""
    monkeypatch.chdir(tmp_path)
    text = inspect.getdoc(getattr(tribunal, name) if name else tribunal)
    test = doctest.DocTestParser().get_doctest(text, {"tribunal": tribunal}, f"tribunal.{name}", None, 0)
    found = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test)
    assert found.attempted > 0 and found.failed == 0


@pytest.mark.parametrize("document", ["python/README.md", *CHAPTERS])
def test_examples_of_documents(document, demo, monkeypatch):
    monkeypatch.chdir(demo)
    assert run_examples(document, {}) > 4


def test_licences_name_what_is_inside():
    names = {of for of, _, _ in tribunal.licences()}
    assert {"WordNet 3.0", "METEOR 1.5's data for English", "Crates of the Python package"} <= names
