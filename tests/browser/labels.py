"""Compares the labels that a page exported with the keys that were pressed, and with what train, or rank of outputs, read
of them.

    python3 labels.py labels.csv pressed.json report.json
"""

import csv
import json
import sys
from collections import Counter

with open(sys.argv[1], encoding="utf-8", newline="") as lines:
    rows = list(csv.DictReader(lines))
with open(sys.argv[2], encoding="utf-8") as text:
    pressed = json.load(text)
with open(sys.argv[3], encoding="utf-8") as text:
    report = json.load(text)
texts = [name for name in ("hyp1", "hyp2", "output") if name in rows[0]]
new = [row for row in rows if row["order"]]
exported = sorted(([row[name] for name in texts], int(row["label"])) for row in new)
assert len(new) >= 20, len(new)
assert exported == sorted((texts, label) for texts, label in pressed), "the exported labels are not those that were pressed"
assert {row["annotator"] for row in new} == {"ann"} and [row for row in new if row["comment"] == 'not sure, "really" 1']
assert 1 <= sum(row["label_again"] != "" for row in new) <= 3 and all(float(row["seconds"]) >= 0 for row in new)
if "output" in texts:
    assert "shown_first" not in rows[0] and report["labels"] == len(rows), report["labels"]
    # Earlier labels are of another wave, and weigh more or less.
    mean = sum(float(row["label"]) for row in rows) / len(rows)
    assert len(rows) > len(new) or abs(report["all"]["estimate"]["value"] - mean) < 1e-9, report["all"]
else:
    counts = Counter(label for _, label in exported)
    assert {row["shown_first"] for row in rows} == {"hyp1", "hyp2"}
    assert report["labels"] == [counts[1], counts[0], counts[-1]], report["labels"]
print(f"the {len(rows)} labels were read as they were pressed")
