"""Values of single segments for compare.py. Each tool takes names and segments (objects with `hyp` and `refs`), and
gives for each name a list of values, None where the tool has none."""

from functools import lru_cache

from . import meteor15, nltk_metrics, rouge155, rouge_py, sacre


def sacrebleu_values(names, segments):
    metrics = {
        "bleu": sacre.BLEU(effective_order=True),
        "chrf": sacre.CHRF(),
        "chrf++": sacre.CHRF(word_order=2),
        "ter": sacre.TER(),
    }
    return {name: [metrics[name].sentence_score(row.hyp, row.refs).score for row in segments] for name in names}


def rouge_score_values(names, segments):
    scorer = rouge_py.RougeScorer(names, use_stemmer=False)
    rows = [scorer.score_multi(row.refs, row.hyp) for row in segments]
    return {name: [float(row[name].fmeasure) for row in rows] for name in names}


def rouge155_values(names, segments):
    rows, _ = rouge155.score(segments, ["-f", "A"], resamples=1)
    return {name: [row[name][2] if row[name] else None for row in rows] for name in names}


def nltk_values(names, segments):
    functions = nltk_metrics.segment_functions()
    texts = [([ref.split() for ref in row.refs], row.hyp.split()) for row in segments]
    return {name: [nltk_metrics.attempt(functions[name], *text)[0] for text in texts] for name in names}


def meteor15_values(names, segments):
    values = {}
    for name in names:
        jar = running_jar(name)
        scores, _ = jar.evaluate([jar.statistics(row.hyp, row.refs) for row in segments])
        values[name] = [meteor15.number(score) for score in scores]
    return values


@lru_cache(maxsize=None)
def running_jar(name):
    """One jar a setting and process: it takes seconds to start."""
    return meteor15.Jar(meteor15.SETTINGS[name])


TOOLS = {
    "sacrebleu": (sacre, sacrebleu_values),
    "rouge-score": (rouge_py, rouge_score_values),
    "ROUGE-1.5.5": (rouge155, rouge155_values),
    "nltk": (nltk_metrics, nltk_values),
    "METEOR": (meteor15, meteor15_values),
}


@lru_cache(maxsize=None)
def version(tool):
    return TOOLS[tool][0].version()


def values(tool, names, segments):
    """Name -> the value of each segment, by that tool."""
    return TOOLS[tool][1](names, segments)
