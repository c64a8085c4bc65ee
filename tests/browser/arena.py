"""Prints an arena of six systems, of which a later one is better: a fifth of the pairs is labelled, and a judge is right four
times in five. Names and texts are such that a page could trip over them."""

import csv
import random
import sys

NAMES = ["<b>zero</b>", "one & only", "a-name-of-a-system-that-is-longer-than-any-column", "שלוש", "four", "five"]

draw = random.Random(1)
writer = csv.writer(sys.stdout, lineterminator="\n")
writer.writerow(["prompt", "hyp1", "hyp2", "system1", "system2", "label", "judge"])
for at in range(600):
    one, other = draw.sample(range(6), 2)
    label = 1 if draw.random() < 0.5 + 0.08 * (one - other) else -1
    judge = label if draw.random() < 0.8 else -label
    texts = [f"answer {at} of {one}", f"answer {at} of {other}, a little longer"]
    writer.writerow([f"<script>alert('planted')</script> {at}", *texts, NAMES[one], NAMES[other], label if at % 5 == 0 else "", judge])
