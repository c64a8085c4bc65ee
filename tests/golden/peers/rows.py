"""The rows of compare.py: what each metric of Tribunal is compared with, under which options, and how closely."""

from collections.abc import Callable
from dataclasses import dataclass

from . import fewest_crossings, meteor15, sacre


@dataclass(frozen=True)
class Row:
    """Where the reference value comes from, how far Tribunal may be from it, and how Tribunal is called."""

    tool: str
    # What peers/segments.py calls the value.
    name: str
    relative: float = 0.0
    absolute: float = 0.0
    # Tribunal's metric, where the row has another name.
    metric: str = ""
    # Further options of `tribunal score`.
    options: tuple = ()
    # Of a differing segment and our value: in which known way the reference departs from the definition, or None.
    explain: Callable | None = None

    def agrees(self, ours, theirs):
        return abs(ours - theirs) <= max(self.absolute, self.relative * max(abs(ours), abs(theirs)))


FLOAT = {"relative": 1e-9, "absolute": 1e-12}
FIVE_DECIMALS = {"absolute": 1.0001e-5}
SIX_DECIMALS = {"absolute": 1e-6}

ROUGE_SCORE = ("rouge1", "rouge2", "rouge3", "rouge4", "rougeL", "rougeLsum")
ROUGE_155 = {"rougeW": "ROUGE-W-1.2", "rougeS": "ROUGE-S*", "rougeS4": "ROUGE-S4", "rougeSU4": "ROUGE-SU4"}

ROWS = {
    "bleu": Row("sacrebleu", "bleu", **FLOAT),
    "chrf": Row("sacrebleu", "chrf", **FLOAT),
    "chrf++": Row("sacrebleu", "chrf++", **FLOAT),
    "ter": Row("sacrebleu", "ter", **FLOAT),
    **{name: Row("rouge-score", name, **FLOAT) for name in ROUGE_SCORE},
    **{name: Row("ROUGE-1.5.5", theirs, **FIVE_DECIMALS) for name, theirs in ROUGE_155.items()},
    "nist": Row("nltk", "nist5", **FLOAT),
    "meteor": Row("METEOR", "default", **SIX_DECIMALS),
    "meteor.paraphrases": Row(
        "METEOR", "all", **SIX_DECIMALS, metric="meteor", options=("--paraphrases", str(meteor15.TABLE))
    ),
    "meteor2005.nltk": Row("nltk", "meteor", **FLOAT, explain=fewest_crossings.explain),
    "gleu": Row("nltk", "gleu", **FLOAT),
    "ribes": Row("nltk", "ribes", **FLOAT),
}

# Settings other than the default ones.
BLEU_OPTIONS = {"lowercase": ("--lowercase",), "order2": ("--bleu-order", "2")}
CHRF_OPTIONS = {
    "whitespace": ("--chrf-whitespace",),
    "lowercase": ("--lowercase",),
    "eps": ("--chrf-eps-smoothing",),
    "beta1": ("--chrf-beta", "1"),
    "beta3": ("--chrf-beta", "3"),
    "char4": ("--chrf-char-order", "4"),
}
TER_OPTIONS = {
    "norm": ("--ter-normalized",),
    "nopunct": ("--ter-no-punct",),
    "asian": ("--ter-asian-support",),
    "case": ("--ter-case-sensitive",),
}
METEOR_OPTIONS = {
    **{task: ("--meteor-task", task) for task in (*meteor15.TASKS[1:], "universal")},
    **{f"{task}.raw": ("--meteor-task", task, "--meteor-plain") for task in meteor15.TASKS},
    "weights_1_1_1": ("--meteor-weights", "1,1,1"),
    "all.raw": ("--meteor-plain", "--paraphrases", str(meteor15.TABLE)),
}


def bleu_options(name):
    """Of a name in `sacre.BLEU_SETTINGS`, such as `intl.add-k`."""
    tokenizer, smoothing, *others = name.split(".")
    return ("--tokenize", tokenizer, "--smooth", smoothing, *(word for one in others for word in BLEU_OPTIONS[one]))


def chrf_options(name):
    """Of a name in `sacre.CHRF_SETTINGS`, such as `chrf++.eps`; the rest is the metric's name."""
    return tuple(word for one in name.split(".")[1:] for word in CHRF_OPTIONS[one])


def ter_options(name):
    return tuple(word for one in name.split(".")[1:] for word in TER_OPTIONS[one])


def variants():
    for name in sacre.BLEU_SETTINGS:
        if name not in ("13a.exp", "13a.exp.no_effective_order"):
            yield f"bleu.{name}", Row("sacrebleu", f"bleu.{name}", **FLOAT, metric="bleu", options=bleu_options(name))
    yield "chrf+", Row("sacrebleu", "chrf+", **FLOAT, metric="chrf", options=("--chrf-word-order", "1"))
    for name in sacre.CHRF_SETTINGS:
        if "." in name:
            yield name, Row("sacrebleu", name, **FLOAT, metric=name.split(".")[0], options=chrf_options(name))
    for name in sacre.TER_SETTINGS:
        if "." in name:
            yield name, Row("sacrebleu", name, **FLOAT, metric="ter", options=ter_options(name))
    for name in ROUGE_SCORE:
        yield f"{name}.stem", Row("rouge-score", f"{name}.stem", **FLOAT, metric=name, options=("--rouge-stem",))
    for name, theirs in ROUGE_155.items():
        row = Row("ROUGE-1.5.5", f"{theirs}.stem", **FIVE_DECIMALS, metric=name, options=("--rouge-stem",))
        yield f"{name}.stem", row
    yield "nist4", Row("nltk", "nist4", **FLOAT, metric="nist", options=("--nist-order", "4"))
    for method in range(8):
        yield f"bleu.nltk{method}", Row("nltk", f"bleu.method{method}", **FLOAT)
    for name, options in METEOR_OPTIONS.items():
        yield f"meteor.{name}", Row("METEOR", name, **SIX_DECIMALS, metric="meteor", options=options)


VARIANTS = dict(variants())
