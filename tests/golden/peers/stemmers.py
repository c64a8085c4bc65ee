"""Stemmers: the stems of some words, and a checksum over the stems of every WordNet lemma."""

import hashlib
import subprocess
import sys
from importlib.metadata import version as installed_version

import snowballstemmer
from nltk.corpus import wordnet
from nltk.stem import PorterStemmer, SnowballStemmer

from . import nltk_metrics  # noqa: F401  (tells NLTK where WordNet is)
from .common import PEERS_DIR
from .meteor15 import JAR

TOOL = "nltk, snowballstemmer, METEOR"
COMMAND = (
    "python API: nltk.stem.PorterStemmer(mode).stem, nltk.stem.SnowballStemmer('english').stem, "
    "snowballstemmer.stemmer(name).stemWord; "
    "java -cp meteor-1.5.jar Stemmer en"
)
SAMPLES = 300

# Words that the algorithms treat apart from the rest.
CHOSEN = """\
a is as us this his was bus gas the of dying lying tying dies die skis skies sky news innings inning outing canning
herring earring proceed exceed succeed idly gently ugly early only singly howe atlas cosmos bias andes generate
generic general communication arsenal university universe emergency past international caresses ponies ties caress
cats feed agreed plastered bled motoring sing conflated troubled sized hopping tanned falling hissing fizzed failing
filing happy sky relational conditional rational valenci hesitanci digitizer conformabli radicalli differentli vileli
analogousli vietnamization predication operator feudalism decisiveness hopefulness callousness formaliti sensitiviti
sensibiliti triplicate formative formalize electriciti electrical hopeful goodness revival allowance inference
airliner gyroscopic adjustable defensible irritant replacement adjustment dependent adoption homologou communism
activate angulariti homologous effective bowdlerize probate rate cease controll roll flies flying fly yes say youth
yellow boyish enjoy enjoyed toys geese mice children went running runner ran dog's dogs' o'clock 'em don't naïve café
Straße 1990s u.s. co-operate mother-in-law x-ray knightly kneeled worldly fluently apologized using used organization
organizing modernised analyses axes oaths luxuriously oed eed ing ed s ss sses ies y yy
""".split()


def version():
    nltk, snowball = installed_version("nltk"), installed_version("snowballstemmer")
    return f"nltk {nltk}, snowballstemmer {snowball} and 3.1.1, METEOR 1.5"


def stemmers():
    """Name -> function of a list of words."""
    porter = {
        mode: PorterStemmer(mode=getattr(PorterStemmer, mode))
        for mode in ("NLTK_EXTENSIONS", "ORIGINAL_ALGORITHM", "MARTIN_EXTENSIONS")
    }
    functions = {f"nltk.PorterStemmer.{mode}": each(stemmer.stem) for mode, stemmer in porter.items()}
    functions["nltk.SnowballStemmer.english"] = each(SnowballStemmer("english").stem)
    for name in ("english", "porter"):
        functions[f"snowballstemmer-2.2.0.{name}"] = snowballstemmer.stemmer(name).stemWords
        functions[f"snowballstemmer-3.1.1.{name}"] = newer_snowball(name)
    functions["meteor-1.5.english"] = filtered(["java", "-cp", str(JAR), "Stemmer", "en"])
    return functions


def each(stem):
    return lambda words: [stem(word) for word in words]


def newer_snowball(name):
    """snowballstemmer 3 lives outside the venv, so it runs in a process of its own."""
    program = (
        "import sys; sys.path.insert(0, sys.argv[1]); import snowballstemmer; "
        "stemmer = snowballstemmer.stemmer(sys.argv[2]); "
        "sys.stdout.writelines(stemmer.stemWord(line[:-1]) + chr(10) for line in sys.stdin)"
    )
    return filtered([sys.executable, "-X", "utf8", "-c", program, str(PEERS_DIR / "snowball3"), name])


def filtered(command):
    """The stemmer that is a program: a word a line in, a stem a line out."""

    def stem(words):
        lines = "".join(f"{word}\n" for word in words)
        done = subprocess.run(command, input=lines.encode("utf-8"), stdout=subprocess.PIPE, check=True)
        return done.stdout.decode("utf-8").split("\n")[:-1]

    return stem


def golden(_pairs):
    functions = stemmers()
    lemmas = sorted(set(wordnet.all_lemma_names()), key=lambda lemma: lemma.encode("utf-8"))
    words = CHOSEN + lemmas[:: len(lemmas) // (SAMPLES - len(CHOSEN))]
    return {
        "sha256_of": "the lines 'LEMMA<tab>STEM<newline>' in UTF-8, of every different name of "
        "nltk.corpus.wordnet.all_lemma_names() (all in lower case), in byte order",
        "lemmas": len(lemmas),
        "sha256": {name: checksum(lemmas, stem(lemmas)) for name, stem in functions.items()},
        "order": list(functions),
        "words": {word: list(stems) for word, *stems in zip(words, *(stem(words) for stem in functions.values()))},
    }


def checksum(lemmas, stems):
    lines = "".join(f"{lemma}\t{stem}\n" for lemma, stem in zip(lemmas, stems, strict=True))
    return hashlib.sha256(lines.encode("utf-8")).hexdigest()
