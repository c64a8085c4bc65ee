#!/usr/bin/env python3
"""Write sample.pairs, sample.answers and sample.judge from sample.rankings, beside this script.

Every line of sample.rankings is `id ||| rank ||| ref ||| hyp`: the highest
rank is the best, equal ranks are ties. Every pair of hypotheses of one id becomes a line
`hyp1 ||| hyp2 ||| ref` and an answer: 1 (hyp1 is better), 0 (tie) or -1.
A fixed seed decides which hypothesis comes first, so the output is always the
same; 1 and -1 occur equally often (they differ by one if their sum is odd).
sample.judge has a made-up score of both hypotheses a line, from 1 to 5: the rank with noise.

Usage: python3 make_pairs.py
"""

import random
from collections import Counter
from itertools import combinations
from pathlib import Path

SEP = " ||| "
SEED = 2024
# Of the scores in sample.judge, and how much noise they have.
JUDGE_SEED = 5
NOISE = 2.2
HERE = Path(__file__).resolve().parent


def read_rankings(path):
    """Return [(rank, hyp), ...] and the reference of each id, in file order."""
    groups = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n")[:-1], 1):
        fields = line.split(SEP)
        if len(fields) != 4 or "|||" in "".join(fields):
            raise SystemExit(f"{path.name}, line {number}: not `id ||| rank ||| ref ||| hyp`")
        name, rank, ref, hyp = fields
        known_ref, hyps = groups.setdefault(name, (ref, []))
        if known_ref != ref:
            raise SystemExit(f"{path.name}, line {number}: {name} has two references")
        hyps.append((int(rank), hyp))
    return groups


def judge_scores(groups):
    """A score from 1 to 5 of each hypothesis: its rank among those of its reference, with noise."""
    rng = random.Random(JUDGE_SEED)
    scores = {}
    for ref, hyps in groups.values():
        top = max(rank for rank, _ in hyps) or 1
        for rank, hyp in hyps:
            scores[hyp, ref] = min(5, max(1, round(1 + 4 * rank / top + rng.gauss(0, NOISE))))
    return scores


def write_lines(path, lines):
    path.write_bytes("".join(line + "\n" for line in lines).encode("utf-8"))


def main():
    groups = read_rankings(HERE / "sample.rankings")
    pairs = [(a, b, ref) for ref, hyps in groups.values() for a, b in combinations(hyps, 2)]

    rng = random.Random(SEED)
    decided = sum(a[0] != b[0] for a, b, _ in pairs)
    labels = [1] * (decided - decided // 2) + [-1] * (decided // 2)
    rng.shuffle(labels)
    labels = iter(labels)

    lines, answers = [], []
    for (rank_a, a), (rank_b, b), ref in pairs:
        if rank_a == rank_b:
            answer, swap = 0, rng.random() < 0.5
        else:
            answer = next(labels)
            swap = (rank_a > rank_b) != (answer == 1)
        lines.append(SEP.join((b, a, ref) if swap else (a, b, ref)))
        answers.append(answer)

    write_lines(HERE / "sample.pairs", lines)
    write_lines(HERE / "sample.answers", map(str, answers))
    scores = judge_scores(groups)
    texts = [line.split(SEP) for line in lines]
    write_lines(HERE / "sample.judge", [f"{scores[one, ref]}\t{scores[other, ref]}" for one, other, ref in texts])

    count = Counter(answers)
    print(f"{len(groups)} references, {sum(len(h) for _, h in groups.values())} hypotheses, "
          f"{len(pairs)} pairs: {count[1]} of 1, {count[0]} of 0, {count[-1]} of -1")


if __name__ == "__main__":
    main()
