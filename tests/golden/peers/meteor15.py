"""METEOR 1.5: segment statistics and scores from the jar's -stdio mode, alignments from its -writeAlignments."""

import math
import re
import subprocess
import tempfile
from pathlib import Path

from .common import PEERS_DIR

TOOL = "METEOR"
JAR = PEERS_DIR / "meteor15" / "meteor-1.5.jar"
TABLE = PEERS_DIR / "meteor15" / "data" / "paraphrase-en.gz"
JAVA = ["java", "-Xmx2G", "-jar", str(JAR)]
COMMAND = (
    "java -Xmx2G -jar meteor-1.5.jar - - -stdio SETTINGS "
    "(`SCORE ||| ref ||| ... ||| hyp`, then `EVAL ||| statistics ||| ...`)"
)

MODULES = ["-m", "exact stem synonym"]
TASKS = ("rank", "adq", "hter", "li", "tune", "util")

# Name -> the jar's arguments. "raw" is without -norm, "all" has the paraphrase table too.
SETTINGS = {task: ["-l", "en", "-norm", "-t", task, *MODULES] for task in TASKS}
SETTINGS |= {f"{task}.raw": ["-l", "en", "-t", task, *MODULES] for task in TASKS}
SETTINGS |= {
    "default": ["-l", "en", "-norm", *MODULES],
    "lower": ["-l", "en", "-lower", *MODULES],
    "nopunct": ["-l", "en", "-norm", "-noPunct", *MODULES],
    "exact": ["-l", "en", "-norm", "-m", "exact"],
    "exact_stem": ["-l", "en", "-norm", "-m", "exact stem"],
    "weights_1_1_1": ["-l", "en", "-norm", *MODULES, "-w", "1.0 1.0 1.0"],
    "2005": ["-l", "en", "-norm", *MODULES, "-p", "0.9 3.0 0.5 0.5", "-w", "1.0 1.0 1.0"],
    "beam5": ["-l", "en", "-norm", *MODULES, "-x", "5"],
    "characters": ["-l", "en", "-norm", *MODULES, "-ch"],
    "other": ["-l", "other", "-lower", "-m", "exact"],
    "all": ["-l", "en", "-norm"],
    "all.raw": ["-l", "en"],
}
# For compare.py only: a task that the jar takes and its help does not name.
COMPARED = SETTINGS | {"universal": ["-l", "en", "-norm", "-t", "universal", *MODULES]}
ALIGNED = ("default", "all")


def version():
    return "1.5 (jar of pycocoevalcap 1.2)"


def one_line(text):
    """The jar reads lines: line ends become blanks, and ` ||| ` would end a field."""
    return re.sub(r"[\r\n]+", " ", text).replace("|||", "")


class Jar:
    """The jar as a process that answers a line with a line."""

    def __init__(self, settings):
        command = [*JAVA, "-", "-", "-stdio", *settings]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()

    def statistics(self, hyp, refs):
        """The statistics line of a segment, best of its references."""
        self._send("SCORE ||| " + " ||| ".join(map(one_line, (*refs, hyp))))
        return self._answer()

    def evaluate(self, statistics):
        """The score of each statistics line, and the system-level score of all of them ("Final score")."""
        self._send("EVAL ||| " + " ||| ".join(statistics))
        scores = [float(self._answer()) for _ in statistics]
        return scores, float(self._answer())

    def _send(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def _answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(
                f"METEOR ended with status {self.process.wait()}: {' '.join(map(str, self.process.args))}"
            )
        return line.strip()


def golden(pairs):
    """`segments` has an object a pair and setting: the statistics line as it came, and the score."""
    runs = {name: run(settings, pairs) for name, settings in SETTINGS.items()}
    return {
        "text": "line ends in a text are replaced by one blank",
        "statistics_fields": statistics_fields(),
        "settings": {name: " ".join(quoted(settings)) for name, settings in SETTINGS.items()},
        "segments": [
            {"id": pair.id} | {name: segments[position] for name, (segments, _) in runs.items()}
            for position, pair in enumerate(pairs)
        ],
        "systems": {name: systems for name, (_, systems) in runs.items()},
        **{f"alignments.{name}": alignments(pairs, SETTINGS[name]) for name in ALIGNED},
    }


def statistics_fields():
    """What the 23 numbers of a statistics line are (MeteorStats.toString)."""
    stages = [
        f"{side}_{kind}_matches_{stage}"
        for stage in ("exact", "stem", "synonym", "paraphrase")
        for kind in ("content", "function")
        for side in ("hypothesis", "reference")
    ]
    head = ["hypothesis_length", "reference_length", "hypothesis_function_words", "reference_function_words"]
    return [*head, *stages, "chunks", "hypothesis_matches", "reference_matches"]


def quoted(settings):
    return [f'"{word}"' if " " in word else word for word in settings]


def run(settings, pairs):
    """The segments' statistics and scores, and the "Final score" of all pairs and of those of kind 'mt'."""
    with Jar(settings) as jar:
        statistics = [jar.statistics(pair.hyp, pair.refs) for pair in pairs]
        scores, final = jar.evaluate(statistics)
        _, ordinary = jar.evaluate([line for line, pair in zip(statistics, pairs) if pair.kind == "mt"])
    segments = [{"statistics": line, "score": number(score)} for line, score in zip(statistics, scores)]
    return segments, {"all": number(final), "mt": number(ordinary)}


def number(value):
    return None if math.isnan(value) else value


def alignments(pairs, settings):
    """Of each hypothesis with its first reference: normalised texts, P, R, fragmentation, score, matches."""
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, name) for name in ("hyp", "ref")]
        for path, texts in zip(paths, ([pair.hyp for pair in pairs], [pair.refs[0] for pair in pairs])):
            path.write_text("".join(one_line(text) + "\n" for text in texts), encoding="utf-8")
        options = ["-vOut", "-writeAlignments", "-f", str(Path(folder, "meteor"))]
        subprocess.run([*JAVA, *map(str, paths), *settings, *options], check=True, stdout=subprocess.DEVNULL)
        written = Path(folder, "meteor-align.out").read_bytes().decode("utf-8")
    return [alignment(block) for block in re.split(r"(?m)^(?=Alignment\t)", written)[1:]]


def alignment(block):
    """One block of meteor-align.out; a match is [reference start, length, hypothesis start, length, module]."""
    head, hyp, ref, _titles, *matches = block.split("\n")
    _, line, precision, recall, fragmentation, score = head.split("\t")
    return {
        "id": int(line) - 1,
        "precision": number(float(precision)),
        "recall": number(float(recall)),
        "fragmentation": number(float(fragmentation)),
        "score": number(float(score)),
        "hyp": hyp,
        "ref": ref,
        "matches": [match_numbers(line) for line in matches if line],
    }


def match_numbers(line):
    reference, hypothesis, module, _score = line.split()
    return [int(number) for number in (*reference.split(":"), *hypothesis.split(":"), module)]
