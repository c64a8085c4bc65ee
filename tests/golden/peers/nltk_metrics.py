"""NLTK: NIST, METEOR (2005 parameters), sentence BLEU with its smoothings, GLEU and RIBES, on words split at blanks."""

import warnings
from importlib.metadata import version as installed_version

import nltk
from nltk.translate import meteor_score as meteor
from nltk.translate.bleu_score import SmoothingFunction, corpus_bleu, sentence_bleu
from nltk.translate.gleu_score import corpus_gleu, sentence_gleu
from nltk.translate.nist_score import corpus_nist, sentence_nist
from nltk.translate.ribes_score import corpus_ribes, sentence_ribes

from .common import PEERS_DIR

TOOL = "nltk"
COMMAND = "python API: nltk.translate.*, on tokens = text.split()"
SMOOTHINGS = [f"method{i}" for i in range(8)]

nltk.data.path.insert(0, str(PEERS_DIR / "nltk_data"))
warnings.filterwarnings("ignore", category=UserWarning, module="nltk.translate.bleu_score")


def version():
    return installed_version("nltk")


def segment_functions():
    """Name -> function of (references, hypothesis), both split into words."""
    functions = {
        "nist5": lambda refs, hyp: sentence_nist(refs, hyp, n=5),
        "nist4": lambda refs, hyp: sentence_nist(refs, hyp, n=4),
        "meteor": lambda refs, hyp: meteor.meteor_score(refs, hyp, alpha=0.9, beta=3.0, gamma=0.5),
        "gleu": sentence_gleu,
        "ribes": sentence_ribes,
    }
    for name in SMOOTHINGS:
        functions[f"bleu.{name}"] = lambda refs, hyp, name=name: sentence_bleu(
            refs, hyp, smoothing_function=getattr(SmoothingFunction(), name)
        )
    return functions


def corpus_functions():
    """Name -> function of (lists of references, hypotheses), all split into words."""
    return {
        "nist5": lambda refs, hyps: corpus_nist(refs, hyps, n=5),
        "nist4": lambda refs, hyps: corpus_nist(refs, hyps, n=4),
        "gleu": corpus_gleu,
        "ribes": corpus_ribes,
        "bleu.method0": corpus_bleu,
        "bleu.method1": lambda refs, hyps: corpus_bleu(refs, hyps, smoothing_function=SmoothingFunction().method1),
        "bleu.method3": lambda refs, hyps: corpus_bleu(refs, hyps, smoothing_function=SmoothingFunction().method3),
    }


def attempt(function, refs, hyp):
    """(value, None), or (None, the exception's name) where NLTK raises."""
    try:
        return float(function(refs, hyp)), None
    except (ArithmeticError, AssertionError, AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        return None, type(error).__name__


def golden(pairs):
    return {
        "tokens": "text.split() for every value; METEOR lower-cases each word itself",
        "segments": [segment(pair) for pair in pairs],
        "corpora": corpora(pairs),
    }


def segment(pair):
    """Values (null where NLTK raises, the exception under `raises`), and METEOR's alignments."""
    hyp, refs = pair.hyp.split(), [ref.split() for ref in pair.refs]
    row, raises = {"id": pair.id}, {}
    for name, function in segment_functions().items():
        row[name], error = attempt(function, refs, hyp)
        if error:
            raises[name] = error
    row["raises"] = raises
    row["meteor_alignments"] = [alignment(hyp, ref) for ref in refs]
    return row


def alignment(hyp, ref):
    """Which word of the hypothesis METEOR matches with which of the reference, from 0, and in how many chunks."""
    matches, _, _ = meteor.align_words(hyp, ref)
    return {"matches": len(matches), "chunks": meteor._count_chunks(matches) if matches else 0, "pairs": matches}


def corpora(pairs):
    chosen = {
        "all": ("all pairs, all references", pairs),
        "mt": ("the pairs of kind 'mt'", [pair for pair in pairs if pair.kind == "mt"]),
        "several": ("the pairs with several references", [pair for pair in pairs if len(pair.refs) > 1]),
    }
    return {name: {"built": built, **corpus(rows)} for name, (built, rows) in chosen.items()}


def corpus(pairs):
    hyps = [pair.hyp.split() for pair in pairs]
    refs = [[ref.split() for ref in pair.refs] for pair in pairs]
    return {name: attempt(function, refs, hyps)[0] for name, function in corpus_functions().items()}
