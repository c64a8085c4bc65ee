#!/usr/bin/env python3
"""Scores both hypotheses of every pair with the reference implementations, as files for `--own NAME=FILE`.

    PEERS_DIR=target/peers target/peers/venv/bin/python benches/peers/own_scores.py PAIRS FOLDER [--metrics ter,meteor]

PAIRS holds one `hyp1 ||| hyp2 ||| ref [||| ref ...]` per line. One file NAME.tsv per metric is written to FOLDER, each
line of which holds the scores of hyp1 and hyp2, separated by a tab. The metrics are `ter` (sacreBLEU's sentence TER,
lower is better), `rouge1`, `rouge2` and `rougeL` (F1 of rouge-score without stemming) and `meteor` (the METEOR 1.5 jar
with `-l en -norm -m "exact stem synonym"`).
tests/golden/install.sh installs these programs into PEERS_DIR. A segment that occurs several times is scored once.
"""

import argparse
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "tests" / "golden"))

ROUGE = ("rouge1", "rouge2", "rougeL")
METRICS = ("ter", *ROUGE, "meteor")


def main():
    options = parse_arguments()
    pairs = read_pairs(options.pairs)
    segments = list(dict.fromkeys(segment for pair in pairs for segment in pair))
    print(f"{len(pairs)} pairs, {len(segments)} different segments", file=sys.stderr)
    options.folder.mkdir(parents=True, exist_ok=True)
    for name, scores in all_scores(options.metrics, segments):
        known = dict(zip(segments, scores, strict=True))
        path = options.folder / f"{name}.tsv"
        write_whole(path, "".join(f"{known[one]!r}\t{known[other]!r}\n" for one, other in pairs))
        print(path, file=sys.stderr)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pairs", type=Path, help="a file of `hyp1 ||| hyp2 ||| ref` lines")
    parser.add_argument("folder", type=Path, help="where the files are written")
    parser.add_argument("--metrics", type=lambda text: text.split(","), default=METRICS, help=", ".join(METRICS))
    options = parser.parse_args()
    unknown = [name for name in options.metrics if name not in METRICS]
    if unknown:
        parser.error(f"unknown metric {', '.join(unknown)}; there are {', '.join(METRICS)}")
    return options


def read_pairs(path):
    """The two segments of every pair, each as (hypothesis, references)."""
    pairs = []
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n")[:-1], 1):
        hyp1, hyp2, *references = line.removesuffix("\r").split(" ||| ")
        if not references:
            sys.exit(f"{path}:{number}: expected 'hyp1 ||| hyp2 ||| ref'; give a file of pairs")
        pairs.append(((hyp1, tuple(references)), (hyp2, tuple(references))))
    return pairs


def all_scores(metrics, segments):
    """Each metric's name, with one score per segment."""
    if "ter" in metrics:
        yield "ter", ter(segments)
    if any(name in ROUGE for name in metrics):
        found = rouge(segments)
        yield from ((name, [scores[name].fmeasure for scores in found]) for name in ROUGE if name in metrics)
    if "meteor" in metrics:
        yield "meteor", meteor(segments)


def ter(segments):
    from sacrebleu.metrics import TER

    metric = TER()
    return [metric.sentence_score(hypothesis, list(references)).score for hypothesis, references in segments]


def rouge(segments):
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(list(ROUGE), use_stemmer=False)
    return [scorer.score_multi(references, hypothesis) for hypothesis, references in segments]


def meteor(segments):
    from peers.meteor15 import SETTINGS, Jar

    with Jar(SETTINGS["default"]) as jar:
        # One question at a time: a write then never blocks on output that has not been read yet.
        return [jar.evaluate([jar.statistics(*segment)])[0][0] for segment in segments]


def write_whole(path, text):
    temporary = path.with_name(path.name + ".new")
    temporary.write_text(text, encoding="utf-8")
    temporary.replace(path)


if __name__ == "__main__":
    main()
