"""Compares the labels that a page exported with the keys that were pressed, and with what train read of them.

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
exported = sorted(([row["hyp1"], row["hyp2"]], int(row["label"])) for row in rows)
assert len(rows) >= 20, len(rows)
assert exported == sorted((texts, label) for texts, label in pressed), "the exported labels are not those that were pressed"
assert {row["annotator"] for row in rows} == {"ann"} and [row for row in rows if row["comment"] == 'not sure, "really" 1']
assert {row["shown_first"] for row in rows} == {"hyp1", "hyp2"}
assert 1 <= sum(row["label_again"] != "" for row in rows) <= 3 and all(float(row["seconds"]) >= 0 for row in rows)
counts = Counter(label for _, label in exported)
assert report["labels"] == [counts[1], counts[0], counts[-1]], report["labels"]
print(f"train read the {len(rows)} labels as they were pressed")
