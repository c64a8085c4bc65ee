"""Rankings, beside the command line."""

import io
import json
import random

import pandas as pd
import pytest
import tribunal


@pytest.fixture
def arena():
    """Pairs of three systems, a later one better, of which a fifth is labelled; a judge that is mostly right."""
    draw = random.Random(1)
    rows = []
    for number in range(400):
        one, other = draw.sample(range(3), 2)
        label = 1 if draw.random() < 0.5 + 0.15 * (one - other) else -1
        rows.append({
            "prompt": f"q{number}", "response_a": f"answer {number} of {one}", "response_b": f"reply {number} of {other}",
            "model_a": f"s{one}", "model_b": f"s{other}", "label": label if number % 5 == 0 else None,
            "good": label if draw.random() < 0.85 else -label,
        })
    return pd.DataFrame(rows)


@pytest.mark.parametrize("by", [None, "human", "good", "both"])
def test_rankings_are_those_of_the_command_line(arena, tmp_path, program, by):
    arena.to_csv(tmp_path / "arena.csv", index=False)
    options, judges = (["--by", by] if by else []), (["good"] if by in ("good", "both") else None)
    expected = json.loads(program("rank", tmp_path / "arena.csv", *(["--judge", "good"] if judges else []), "--json", *options))
    found = tribunal.rank(arena, by=by, judges=judges)
    for ranking in (expected, actual := found.to_dict()):
        # The model that is cross-fitted is the same; only the name of the file differs.
        ranking.pop("by")
    assert actual == expected
    assert found.systems == ["s2", "s1", "s0"]
    frame = found.to_pandas()
    assert list(frame["system"]) == found.systems and {"win_rate", "strength_low", "cluster"} <= set(frame.columns)
    assert len(found.to_pandas("differences")) == 3 and len(found.to_pandas("power")) == 5
    assert "figure-win-rates" in found.to_html() and "s2" in str(found)


def test_rankings_need_no_texts():
    food = {"left": ["soup", "rice", "bread"], "right": ["rice", "bread", "soup"], "winner": ["left", "right", "left"]}
    assert tribunal.rank(food).to_dict()["systems"][0]["name"] == "bread"
    with pytest.raises(ValueError, match="expected labels, or texts that a model can judge"):
        tribunal.rank({"left": ["soup"], "right": ["rice"]})


def test_what_is_missing_is_named(arena):
    with pytest.raises(KeyError, match="x"):
        tribunal.rank(arena).to_pandas("x")
    with pytest.raises(ValueError, match="the columns system1 and system2"):
        tribunal.rank(arena.drop(columns="model_a"))
    with pytest.raises(ValueError, match="labelled pairs"):
        tribunal.rank(arena.assign(label=None), by="human")


def test_pairs_to_label_are_those_of_the_command_line(arena, tmp_path, program):
    arena.to_csv(tmp_path / "arena.csv", index=False)
    written = program("next", tmp_path / "arena.csv", "-n", 20, "--judge", "good", "--seed", 3)
    expected = pd.read_csv(io.StringIO(written), float_precision="round_trip")
    found = pd.DataFrame(tribunal.next(arena, 20, judges=["good"], seed=3))
    assert found[["hyp1", "drawn"]].equals(expected[["hyp1", "drawn"]])
    assert (arena["response_a"].iloc[found["row"]].to_numpy() == found["hyp1"]).all()
    labels = arena["label"].iloc[found["row"]]
    # Those drawn come first; the labelled ones follow with the probabilities that `rank` needs.
    assert labels[:20].isna().all() and len(labels) == 20 + arena["label"].notna().sum()
    assert labels[20:].notna().all() and set(found["wave"][:20]) == {2} and set(found["wave"][20:]) == {1}
    with pytest.raises(ValueError, match="`random`: expected a share above 0"):
        tribunal.next(arena, random=0)
    with pytest.raises(ValueError, match="pairs: expected pairs without a label"):
        tribunal.next(arena, labels=[1] * len(arena))


def test_a_page_for_labelling_is_that_of_the_command_line(arena, tmp_path, program):
    arena.head(30).to_csv(tmp_path / "arena.csv", index=False)
    program("annotate", tmp_path / "arena.csv", "-o", tmp_path / "expected.html", "--annotator", "ann", "--seed", 2)
    tribunal.annotate(arena.head(30), tmp_path / "page.html", annotator="ann", seed=2, name="arena.csv")
    assert (tmp_path / "page.html").read_text() == (tmp_path / "expected.html").read_text()
    # Pairs that have a label are not asked again.
    with pytest.raises(ValueError, match="`controls`: expected at most 24, the number of pairs, found 31"):
        tribunal.annotate(arena.head(30), tmp_path / "other.html", controls=31)
    assert not (tmp_path / "other.html").exists()
