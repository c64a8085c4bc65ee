"""Scores segments with a Python peer: python_peer.py PEER HYPOTHESES REFERENCES.

Prints two user CPU times in seconds: before the first score (start of Python, imports, reading), and for the scores.
"""

import logging
import resource
import sys
from pathlib import Path


def sentence_scores(metric):
    return lambda hyp, ref: metric.sentence_score(hyp, [ref]).score


def bleu():
    from sacrebleu.metrics import BLEU

    logging.getLogger("sacrebleu").setLevel(logging.ERROR)
    return sentence_scores(BLEU(effective_order=True))


def chrf(word_order=0):
    from sacrebleu.metrics import CHRF

    return sentence_scores(CHRF(word_order=word_order))


def ter():
    from sacrebleu.metrics import TER

    return sentence_scores(TER())


def rouge(use_stemmer=True):
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=use_stemmer)
    return lambda hyp, ref: scorer.score(ref, hyp)


def pipeline():
    """The features that a Python pipeline computes for a segment; METEOR is left to the jar."""
    functions = [bleu(), chrf(), ter(), rouge(use_stemmer=False)]
    return lambda hyp, ref: [function(hyp, ref) for function in functions]


PEERS = {
    "bleu": bleu,
    "chrf": chrf,
    "chrf++": lambda: chrf(word_order=2),
    "ter": ter,
    "rouge": rouge,
    "pipeline": pipeline,
}


def user_seconds():
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime


def main():
    peer, *paths = sys.argv[1:]
    score = PEERS[peer]()
    hypotheses, references = (Path(path).read_text(encoding="utf-8").split("\n")[:-1] for path in paths)
    start = user_seconds()
    for hypothesis, reference in zip(hypotheses, references, strict=True):
        score(hypothesis, reference)
    print(start, user_seconds() - start)


if __name__ == "__main__":
    main()
