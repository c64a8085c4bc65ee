"""Prints pairs with texts planted in some of them that a page could trip over: markup, the other direction of writing,
signs of several code points, control characters, and words without end.

    python3 plant.py PAIRS
"""

import sys

PLANTED = [
    "<script>alert('planted')</script>",
    "</textarea></script><!-- <b>bold</b> &amp; 'quotes\"",
    "שלום עולם \u202eturned\u202c שלום",
    "👩‍👩‍👧‍👦 family 🇪🇺 flags",
    "nul \0 and escape \x1b[31m",
    "w" * 3000,
]

with open(sys.argv[1], encoding="utf-8") as lines:
    for number, line in enumerate(lines):
        fields = line.rstrip("\n").split(" ||| ")
        # Behind the text, as of both hypotheses and the reference by turns.
        if number < 3 * len(PLANTED):
            fields[number % 3] += " " + PLANTED[number // 3]
        print(" ||| ".join(fields))
