"""sacreBLEU: BLEU, chrF and TER of segments and corpora, tokenised text, signatures, and significance tests."""

import logging
from functools import lru_cache
from importlib.metadata import version as installed_version

import numpy as np
from sacrebleu.metrics import BLEU, CHRF, TER, ter
from sacrebleu.significance import PairedTest, _bootstrap_resample

TOOL = "sacrebleu"
COMMAND = (
    "python API: sacrebleu.metrics.{BLEU,CHRF,TER}(**settings).sentence_score / corpus_score; "
    "sacrebleu.significance.PairedTest"
)

TOKENIZERS = ("13a", "intl", "char", "zh", "none")
SMOOTHINGS = {"exp": {}, "floor": {"smooth_value": 0.1}, "add-k": {"smooth_value": 1}, "none": {}}

BLEU_SETTINGS = {
    f"{tokenizer}.{smoothing}": {"tokenize": tokenizer, "smooth_method": smoothing, "effective_order": True, **value}
    for tokenizer in TOKENIZERS
    for smoothing, value in SMOOTHINGS.items()
}
BLEU_SETTINGS |= {
    "13a.exp.no_effective_order": {"tokenize": "13a", "smooth_method": "exp"},
    "13a.exp.lowercase": {"tokenize": "13a", "smooth_method": "exp", "effective_order": True, "lowercase": True},
    "intl.exp.lowercase": {"tokenize": "intl", "smooth_method": "exp", "effective_order": True, "lowercase": True},
    "13a.exp.order2": {"tokenize": "13a", "smooth_method": "exp", "effective_order": True, "max_ngram_order": 2},
}

CHRF_SETTINGS = {
    "chrf": {},
    "chrf+": {"word_order": 1},
    "chrf++": {"word_order": 2},
    "chrf.whitespace": {"whitespace": True},
    "chrf++.whitespace": {"word_order": 2, "whitespace": True},
    "chrf.lowercase": {"lowercase": True},
    "chrf++.lowercase": {"word_order": 2, "lowercase": True},
    "chrf.eps": {"eps_smoothing": True},
    "chrf++.eps": {"word_order": 2, "eps_smoothing": True},
    "chrf.beta1": {"beta": 1},
    "chrf.beta3": {"beta": 3},
    "chrf++.beta3": {"word_order": 2, "beta": 3},
    "chrf.char4": {"char_order": 4},
    "chrf++.char4": {"word_order": 2, "char_order": 4},
}

TER_SETTINGS = {
    "ter": {},
    "ter.norm": {"normalized": True},
    "ter.nopunct": {"no_punct": True},
    "ter.asian": {"asian_support": True},
    "ter.case": {"case_sensitive": True},
    "ter.norm.asian": {"normalized": True, "asian_support": True},
    "ter.norm.nopunct": {"normalized": True, "no_punct": True},
    "ter.norm.case": {"normalized": True, "case_sensitive": True},
    "ter.nopunct.asian": {"no_punct": True, "asian_support": True},
    "ter.norm.nopunct.asian.case": {
        "normalized": True,
        "no_punct": True,
        "asian_support": True,
        "case_sensitive": True,
    },
}

BOOTSTRAPPED = ("13a.exp", "13a.add-k", "chrf", "chrf++", "ter", "ter.norm")
BOOTSTRAP_SAMPLES = 1000
RANDOMIZATION_TRIALS = 10000
SEED = 12345  # sacreBLEU's own default, unless the environment has SACREBLEU_SEED

logging.getLogger("sacrebleu").setLevel(logging.ERROR)  # it advises against BLEU of a segment without effective order


@lru_cache(maxsize=None)
def _edit_rate(hyp_words, ref_words, original=ter.translation_edit_rate):
    return original(list(hyp_words), list(ref_words))


# The same words come back under many settings, and TER of the long pairs takes seconds.
ter.translation_edit_rate = lambda hyp, ref: _edit_rate(tuple(hyp), tuple(ref))


def version():
    return installed_version("sacrebleu")


def golden(pairs):
    return {
        "settings": {"bleu": BLEU_SETTINGS, "chrf": CHRF_SETTINGS, "ter": TER_SETTINGS},
        "segments": segments(pairs),
        "corpora": corpora(pairs),
        "significance": significance(pairs),
    }


# ---- segments


def segments(pairs):
    """One object a pair. BLEU's statistics stand once a tokeniser: smoothing does not change them."""
    bleus = {name: BLEU(**settings) for name, settings in BLEU_SETTINGS.items()}
    chrfs = {name: CHRF(**settings) for name, settings in CHRF_SETTINGS.items()}
    ters = {name: TER(**settings) for name, settings in TER_SETTINGS.items()}
    return [
        {
            "id": pair.id,
            "bleu": {name: bleu_values(metric.sentence_score(pair.hyp, pair.refs)) for name, metric in bleus.items()},
            "bleu_statistics": {name: bleu_statistics(bleus[f"{name}.exp"], pair) for name in TOKENIZERS},
            "chrf": {name: metric.sentence_score(pair.hyp, pair.refs).score for name, metric in chrfs.items()},
            "ter": {name: ter_values(metric.sentence_score(pair.hyp, pair.refs)) for name, metric in ters.items()},
            "tokens": {name: tokens(metric, pair) for name, metric in tokenizing_metrics(bleus, ters)},
        }
        for pair in pairs
    ]


def bleu_values(score):
    return {"score": score.score, "precisions": score.precisions}


def bleu_statistics(metric, pair):
    score = metric.sentence_score(pair.hyp, pair.refs)
    return {
        "counts": score.counts,
        "totals": score.totals,
        "bp": score.bp,
        "sys_len": score.sys_len,
        "ref_len": score.ref_len,
    }


def ter_values(score):
    return {"score": score.score, "num_edits": score.num_edits, "ref_length": score.ref_length}


def tokenizing_metrics(bleus, ters):
    for name in TOKENIZERS:
        yield name, bleus[f"{name}.exp"]
    for name in ("ter.case", "ter.norm.case", "ter.norm.nopunct.asian.case"):
        yield name, ters[name]


def tokens(metric, pair):
    """Text as the metric splits it on blanks: tokenised, not lower-cased."""
    return [metric._preprocess_segment(text) for text in (pair.hyp, *pair.refs)]


# ---- corpora


def corpora(pairs):
    """Name -> how it was built, and every metric's score, signature and bootstrap interval."""
    several = [pair for pair in pairs if len(pair.refs) > 1]
    ordinary = [pair for pair in pairs if pair.kind == "mt"]
    widest = max(len(pair.refs) for pair in pairs)
    described = {
        "one_reference": ("all pairs, each with its first reference", pairs, [firsts(pairs)]),
        "mt": ("the pairs of kind 'mt'", ordinary, [firsts(ordinary)]),
        "two_references": (
            "the pairs with several references, each with its first two",
            several,
            [firsts(several), [pair.refs[1] for pair in several]],
        ),
        "unequal_none": ("all pairs with all references, missing ones None", pairs, streams(pairs, widest, None)),
        "unequal_empty": ("all pairs with all references, missing ones ''", pairs, streams(pairs, widest, "")),
    }
    return {
        name: {
            "built": built,
            "ids": [pair.id for pair in chosen],
            "scores": corpus_scores([pair.hyp for pair in chosen], references),
        }
        for name, (built, chosen, references) in described.items()
    }


def firsts(pairs):
    return [pair.refs[0] for pair in pairs]


def streams(pairs, width, filler):
    """References as sacreBLEU takes them: one list a reference stream."""
    return [[pair.refs[i] if i < len(pair.refs) else filler for pair in pairs] for i in range(width)]


def corpus_scores(hypotheses, references):
    settings = [(BLEU, name, {**value, "effective_order": False}) for name, value in BLEU_SETTINGS.items()]
    settings += [(CHRF, name, value) for name, value in CHRF_SETTINGS.items()]
    settings += [(TER, name, value) for name, value in TER_SETTINGS.items()]
    scores = {name: corpus_score(kind(**value), hypotheses, references) for kind, name, value in settings}
    for kind, name, value in settings:
        if name in BOOTSTRAPPED:
            scores[name]["bootstrap"] = bootstrap(kind(**value), hypotheses, references)
    return scores


def corpus_score(metric, hypotheses, references):
    score = metric.corpus_score(hypotheses, references)
    result = {
        "score": score.score,
        "signature": str(metric.get_signature()),
        "short": metric.get_signature().format(short=True),
    }
    if isinstance(metric, BLEU):
        result |= {"precisions": score.precisions, "counts": score.counts, "totals": score.totals}
        result |= {"bp": score.bp, "sys_len": score.sys_len, "ref_len": score.ref_len}
    if isinstance(metric, TER):
        result |= ter_values(score)
    return result


def bootstrap(metric, hypotheses, references):
    """sacreBLEU's --confidence: mean and half width, the first resamples' scores, and the signature."""
    score = metric.corpus_score(hypotheses, references, n_bootstrap=BOOTSTRAP_SAMPLES)
    statistics = metric._extract_corpus_statistics(hypotheses, references)
    _, samples = _bootstrap_resample(statistics, metric, BOOTSTRAP_SAMPLES)
    return {
        "mean": score._mean,
        "ci": score._ci,
        "first_samples": [sample.score for sample in samples[:5]],
        "signature": str(metric.get_signature()),
    }


# ---- significance


def significance(pairs):
    """Paired bootstrap and approximate randomisation on three systems, the first of which is the baseline."""
    chosen = [pair for pair in pairs if pair.kind in ("mt", "crossing")]
    systems = pseudo_systems(chosen)
    references = [firsts(chosen)]
    return {
        "built": "the pairs of kinds 'mt' and 'crossing', split on blanks: A the hypotheses; B every fifth word "
        "(the 5th, 10th, ...) left out; C as A, but every third from the second on (the 2nd, 5th, ...) as B, "
        "and every seventh (the 1st, 8th, ...) the reference",
        "ids": [pair.id for pair in chosen],
        "systems": dict(systems),
        "references": references[0],
        "rng": rng_samples(len(chosen)),
        "paired_bs": paired_test(systems, references, "bs"),
        "paired_ar": paired_test(systems, references, "ar"),
        "paired_ar_with_confidence": paired_test(systems, references, "ar", n_ar_confidence=BOOTSTRAP_SAMPLES),
    }


def pseudo_systems(pairs):
    """The three systems that `significance` describes, as PairedTest takes them."""
    return [
        ("A", [pair.hyp for pair in pairs]),
        ("B", [without_every_fifth_word(pair.hyp) for pair in pairs]),
        ("C", [mixed(position, pair) for position, pair in enumerate(pairs)]),
    ]


def mixed(position, pair):
    if position % 7 == 0:
        return pair.refs[0]
    return without_every_fifth_word(pair.hyp) if position % 3 == 1 else pair.hyp


def without_every_fifth_word(text):
    words = text.split(" ")
    return " ".join(word for position, word in enumerate(words, 1) if position % 5)


def paired_test(systems, references, kind, **settings):
    metrics = {"BLEU": BLEU(), "chrF2": CHRF(), "TER": TER()}
    signatures, scores = PairedTest(systems, metrics, references, test_type=kind, **settings)()
    return {
        "signatures": {name: str(signature) for name, signature in signatures.items()},
        "systems": scores["System"],
        "results": {name: [vars(result) for result in scores[name]] for name in signatures},
    }


def rng_samples(rows):
    """The first draws of numpy's generator as significance.py makes them, for who has to write that generator."""
    randomization = np.random.default_rng(SEED).integers(2, size=(RANDOMIZATION_TRIALS, rows), dtype=bool)
    bootstrap = np.random.default_rng(SEED).choice(rows, size=(BOOTSTRAP_SAMPLES, rows), replace=True)
    return {
        "seed": SEED,
        "bootstrap_first_row": bootstrap[0].tolist(),
        "bootstrap_last_row": bootstrap[-1].tolist(),
        "randomization_first_row": randomization[0].astype(int).tolist(),
        "randomization_last_row": randomization[-1].astype(int).tolist(),
    }
