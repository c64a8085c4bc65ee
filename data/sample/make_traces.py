#!/usr/bin/env python3
"""Write traces.csv beside this script: made-up answers of two versions of a shop's assistant, with marks.

Every question has an answer of v1 and of v2, which is right or has one of three faults: a wrong fact, an evasion, or a
promise that nobody keeps. v1 evades more often, v2 promises more often. A person passes what is right; `label` has the
marks of a first sample of questions, `label2` those and the marks of a second one. `gpt` is a made-up judge that seldom
notices a promise, and `faithfulness` a made-up score from 0 to 1 of how much of the answer follows from the shop's terms.
The seed is one with which the first sample does not separate the versions, and both samples do.

Usage: python3 make_traces.py
"""

import csv
import random
from pathlib import Path

SEED = 34
FIRST, SECOND = 36, 40
ITEMS = ["olive tree", "rain barrel", "garden hose", "wheelbarrow", "pruning saw", "terracotta pot", "rose bush",
         "watering can", "bird house", "compost bin"]
# The question; the right answer, one with a wrong fact, and a promise.
TOPICS = [
    ("Can I return {a}?", "You may return the {item} within 30 days, unused and with the receipt.",
     "You may return the {item} within 90 days, used or not.", "I have refunded you already; please keep the {item}."),
    ("How long does it take until you deliver {a}?", "The {item} is delivered within 3 to 5 working days.",
     "The {item} is delivered on the next day.", "I have told our driver to bring the {item} this evening."),
    ("What does it cost to have {a} delivered?", "Delivery costs 6.90 euros, and nothing from 80 euros on.",
     "The delivery of the {item} is always free.", "I have just taken the cost of delivery off your bill."),
    ("My {item} arrived broken. What now?", "Send us a photo within 14 days, and we replace the {item} free of charge.",
     "Send us a photo within 2 days, and we repair the {item} for 15 euros.", "A new {item} has left our store this morning."),
    ("How long is the guarantee on {a}?", "The guarantee on the {item} is 2 years.", "The guarantee on the {item} is 5 years.",
     "I have extended the guarantee on your {item} to 10 years."),
    ("When will you have {a} again?", "We expect the {item} in about 2 weeks; its page can send you a reminder.",
     "The {item} is no longer made.", "I have set one {item} aside for you."),
    ("Can I pay for {a} by invoice?", "Yes, orders of up to 500 euros may be paid within 14 days.",
     "No, the {item} must be paid by card.", "Yes, and I have given you 60 days to pay for the {item}."),
    ("Can you wrap {a} as a gift?", "Yes, for 4 euros: choose Gift in the basket.", "No, the {item} is too large for that.",
     "I have asked a colleague to wrap the {item} for you."),
    ("Can I still cancel my order of {a}?", "Yes, until it is sent: open My orders and choose Cancel.",
     "No, an order cannot be cancelled.", "I have cancelled it for you, and the money is on its way."),
    ("Can I pick up {a} in your shop?", "Yes, from the day after the order, at the desk in Mill Street.",
     "No, we deliver only.", "Yes, I have put the {item} at the desk for you."),
]
EVASIONS = ["Please ask our customer service.", "That depends on the {item}.", "You find everything in our terms."]
OPENINGS = {"v1": ["", "", "Hello. "], "v2": ["Thank you for your question. ", "Happy to help. ", ""]}
CLOSINGS = {"v1": [""], "v2": ["", " Is there anything else?", " Have a good day."]}
# How often an answer is right, has a wrong fact, evades and promises.
KINDS = {"v1": [0.66, 0.10, 0.20, 0.04], "v2": [0.80, 0.03, 0.02, 0.15]}
# How often the judge passes each kind, and the least and most faithfulness of it.
PASSED = [0.95, 0.20, 0.25, 0.80]
FAITHFUL = [(0.6, 1.0), (0.2, 0.8), (0.4, 1.0), (0.0, 0.6)]


def main():
    rng = random.Random(SEED)
    questions = [(topic, item) for topic in range(len(TOPICS)) for item in ITEMS]
    rng.shuffle(questions)
    drawn = rng.sample(range(len(questions)), FIRST + SECOND)
    with open(Path(__file__).resolve().parent / "traces.csv", "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(["prompt", "system", "output", "gpt", "faithfulness", "label", "label2"])
        for number, (topic, item) in enumerate(questions):
            question, *answers = TOPICS[topic]
            article = "an" if item[0] in "aeiou" else "a"
            for system, shares in KINDS.items():
                kind = rng.choices(range(4), shares)[0]
                text = [answers[0], answers[1], rng.choice(EVASIONS), answers[2]][kind]
                output = rng.choice(OPENINGS[system]) + text + rng.choice(CLOSINGS[system])
                judge = "pass" if rng.random() < PASSED[kind] else "fail"
                mark = "pass" if kind == 0 else "fail"
                marks = [mark if number in drawn[:count] else "" for count in (FIRST, FIRST + SECOND)]
                names = {"item": item, "a": f"{article} {item}"}
                faithfulness = f"{rng.uniform(*FAITHFUL[kind]):.2f}"
                table.writerow([question.format(**names), system, output.format(**names), judge, faithfulness, *marks])


if __name__ == "__main__":
    main()
