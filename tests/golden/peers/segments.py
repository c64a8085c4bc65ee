"""Values of single segments for compare.py. Each tool takes names and segments (objects with `hyp` and `refs`), and
gives for each name a list of values, None where the tool has none."""

from functools import lru_cache

from . import meteor15, nltk_metrics, rouge155, rouge_py, sacre


def sacrebleu_values(names, segments):
    metrics = {name: sacrebleu_metric(name) for name in names}
    return {name: [metrics[name].sentence_score(row.hyp, row.refs).score for row in segments] for name in names}


def sacrebleu_metric(name):
    """`bleu` or `bleu.` and a name in `BLEU_SETTINGS`, or a name in `CHRF_SETTINGS` or `TER_SETTINGS`."""
    if name.startswith("bleu"):
        return sacre.BLEU(**sacre.BLEU_SETTINGS[name.removeprefix("bleu").removeprefix(".") or "13a.exp"])
    if name in sacre.CHRF_SETTINGS:
        return sacre.CHRF(**sacre.CHRF_SETTINGS[name])
    return sacre.TER(**sacre.TER_SETTINGS[name])


def rouge_score_values(names, segments):
    """A name is ROUGE's own, with `.stem` behind it for the Porter stemmer."""
    values = {}
    for stemming in (False, True):
        chosen = {name: name.removesuffix(".stem") for name in names if name.endswith(".stem") == stemming}
        scorer = rouge_py.RougeScorer(list(chosen.values()), use_stemmer=stemming)
        rows = [scorer.score_multi(row.refs, row.hyp) for row in segments] if chosen else []
        values |= {name: [float(row[kind].fmeasure) for row in rows] for name, kind in chosen.items()}
    return values


def rouge155_values(names, segments):
    """A name is ROUGE's own, with `.stem` behind it for its option -m."""
    values = {}
    for stemming, flag in (("", []), (".stem", ["-m"])):
        chosen = {name: name.removesuffix(".stem") for name in names if name.endswith(".stem") == bool(stemming)}
        rows = rouge155.score(segments, [*flag, "-f", "A"], resamples=1)[0] if chosen else []
        values |= {name: [row[kind][2] if row[kind] else None for row in rows] for name, kind in chosen.items()}
    return values


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
    return meteor15.Jar(meteor15.COMPARED[name])


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
