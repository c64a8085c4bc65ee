#!/usr/bin/env python3
"""Write the other files of the sample from sample.rankings, beside this script.

Every line of sample.rankings is `id ||| rank ||| ref ||| hyp`: the highest
rank is the best, equal ranks are ties. Every pair of hypotheses of one id becomes a line
`hyp1 ||| hyp2 ||| ref` and an answer: 1 (hyp1 is better), 0 (tie) or -1.
A fixed seed decides which hypothesis comes first, so the output is always the
same; 1 and -1 occur equally often (they differ by one if their sum is odd).
sample.judge has a made-up score of both hypotheses a line, from 1 to 5: the rank with noise.

system1.txt, system2.txt, reference.txt, ratings.tsv and arena.csv are about three systems, the first three hypotheses
of each reference; in every fourth segment they swap hypotheses, so that no system is the best in all of them.

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
SYSTEMS = 3
ROTATED = 4
# By how many places systems swap hypotheses in further segments of the arena, where they are not far apart.
SWAPPED = [0, 1, 0, 2]
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


def systems(groups):
    """The id, the reference and the (rank, hyp) of each system of every segment."""
    segments = []
    for at, (name, (ref, hyps)) in enumerate(groups.items()):
        places = at // ROTATED % len(hyps) if (at + 1) % ROTATED == 0 else 0
        segments.append((name, ref, (hyps[places:] + hyps[:places])[:SYSTEMS]))
    return segments


def ratings(segments):
    yield "system\tsegment\tref\thyp\tscore"
    for name, ref, hyps in segments:
        for system, (rank, hyp) in enumerate(hyps, 1):
            yield f"system{system}\t{name}\t{ref}\t{hyp}\t{rank}"


def arena(segments):
    """Every two systems on each segment, with labels of every other one."""
    yield "hyp1,hyp2,ref,system1,system2,label"
    for at, (_, ref, hyps) in enumerate(segments):
        for one, other in ((0, 1), (2, 0), (1, 2)):
            places = SWAPPED[at // 2 % len(SWAPPED)]
            (rank_one, first), (rank_other, second) = (hyps[(system + places) % SYSTEMS] for system in (one, other))
            label = (rank_one > rank_other) - (rank_one < rank_other) if at % 2 == 0 else ""
            texts = ",".join('"' + text.replace('"', '""') + '"' for text in (first, second, ref))
            yield f"{texts},system{one + 1},system{other + 1},{label}"


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

    segments = systems(groups)
    for at, name in enumerate(("system1.txt", "system2.txt")):
        write_lines(HERE / name, [hyps[at][1] for _, _, hyps in segments])
    write_lines(HERE / "reference.txt", [ref for _, ref, _ in segments])
    write_lines(HERE / "ratings.tsv", ratings(segments))
    write_lines(HERE / "arena.csv", arena(segments))

    count = Counter(answers)
    print(f"{len(groups)} references, {sum(len(h) for _, h in groups.values())} hypotheses, "
          f"{len(pairs)} pairs: {count[1]} of 1, {count[0]} of 0, {count[-1]} of -1")


if __name__ == "__main__":
    main()
