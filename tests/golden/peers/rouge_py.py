"""rouge-score: ROUGE-1 to 4, ROUGE-L and ROUGE-Lsum, with and without its Porter stemmer."""

from importlib.metadata import version as installed_version

from rouge_score.rouge_scorer import RougeScorer

TOOL = "rouge-score"
COMMAND = "python API: rouge_score.rouge_scorer.RougeScorer(types, use_stemmer=...).score_multi(refs, hyp)"
TYPES = ("rouge1", "rouge2", "rouge3", "rouge4", "rougeL", "rougeLsum")


def version():
    return installed_version("rouge-score")


def scorers():
    return {"nostem": RougeScorer(TYPES, use_stemmer=False), "stem": RougeScorer(TYPES, use_stemmer=True)}


def golden(pairs):
    """A segment's values are [precision, recall, F]; of several references each type takes the one of best F."""
    both = scorers()
    return {"segments": [segment(both, pair) for pair in pairs]}


def segment(both, pair):
    row = {"id": pair.id}
    for name, scorer in both.items():
        scores = scorer.score_multi(pair.refs, pair.hyp)
        row[name] = {kind: [float(value) for value in scores[kind]] for kind in TYPES}
        row[f"{name}_tokens"] = [" ".join(scorer._tokenizer.tokenize(text)) for text in (pair.hyp, *pair.refs)]
    return row
