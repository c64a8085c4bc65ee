"""Prints 60 outputs with texts that a page could trip over, of which the first have labels: so many as the argument says."""

import csv
import sys

PLANTED = ["<script>alert(1)</script>", 'a "quoted", text', "two\nlines", "\u202eright to left", "plain"]
table = csv.writer(sys.stdout, lineterminator="\n")
table.writerow(["prompt", "output", "ref", "context", "context2", "label", "gpt"])
labels = int(sys.argv[1])
for row in range(60):
    text = f"{PLANTED[row % len(PLANTED)]} {row}"
    contexts = [text, f"more of {text}"] if row % 2 else ["", ""]
    label = ["pass", "fail"][row % 2] if row < labels else ""
    table.writerow([f"prompt {row // 2}", text, text, *contexts, label, row % 3 == 0])
