"""Measures Tribunal and its peers on distinct segments, and prints the ratios as Markdown. Started by run.sh.

Every measurement is user CPU time on one core. In each round all programs run once, one after the other, so that
whatever slows the machine down affects all of them. The ratio of a round is that of its two times per segment. Tribunal
scores all segments, a slow peer as many as the table says, evenly spaced.
"""

import argparse
import statistics
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import costs
from programs import Programs, python_peer, whole, without_start
from texts import Segments


@dataclass(frozen=True)
class Row:
    """A row of the table. `ours` and `peer` measure user seconds per segment; the peer scores `segments` of them."""

    key: str
    task: str
    peer_name: str
    target: float
    ours: callable
    peer: callable
    segments: int | None = None


def main():
    options = parse_arguments()
    programs = Programs(options.tribunal, options.built)
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        segments = Segments(options.pairs, options.limit)
        one = segments.write(folder, "one", 2)
        rows = [row for row in all_rows(programs, one) if options.rows is None or row.key in options.rows]
        sizes = {None, *(row.segments for row in rows)}
        texts = {size: segments.write(folder, f"of-{size}", size) for size in sizes}
        print(f"{len(segments):,} distinct segments, {options.rounds} rounds\n")
        print_table(rows, measure(rows, texts, options.rounds), texts)
        if not options.no_costs:
            costs.print_table(programs, texts[None], one, options, folder)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0], prog="run.sh")
    parser.add_argument("pairs", type=Path, nargs="+", help="files of `hyp1 ||| hyp2 ||| ref` lines, or CSV")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--limit", type=int, help="limit the number of segments")
    parser.add_argument("--rows", type=lambda text: text.split(","), help="only these rows, such as bleu,ter")
    parser.add_argument("--no-costs", action="store_true", help="skip the measurements of Tribunal alone")
    parser.add_argument("--train", type=Path, nargs="+", default=[], help="labelled pairs to train on, in CSV")
    parser.add_argument("--memory-pairs", type=int, default=1_000_000, help="pairs for the peak of memory")
    parser.add_argument("--tribunal", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--built", type=Path, required=True, help=argparse.SUPPRESS)
    return parser.parse_args()


def all_rows(programs, one):
    def ours(metrics, *options):
        return without_start(programs.score(metrics, *options), one)

    jar, bleuscore = programs.meteor_jar, without_start(programs.bleuscore, one)
    pipeline, jar_alone = python_peer("pipeline"), without_start(jar, one)

    def features(texts):
        return pipeline(texts) + jar_alone(texts)

    return [
        Row("bleu", "sentence BLEU", "sacreBLEU", 80, ours("bleu"), python_peer("bleu"), 6_000),
        Row("bleuscore", "sentence BLEU", "bleuscore (Rust)", 27, ours("bleu"), bleuscore),
        Row("chrf", "chrF", "sacreBLEU", 80, ours("chrf"), python_peer("chrf"), 3_000),
        Row("chrf++", "chrF++", "sacreBLEU", 75, ours("chrf++"), python_peer("chrf++"), 3_000),
        Row("ter", "TER", "sacreBLEU", 500, ours("ter"), python_peer("ter"), 1_500),
        Row("rouge", "ROUGE 1+2+L, stemmed", "rouge-score", 150, rouge(ours), python_peer("rouge"), 3_000),
        Row("meteor", "METEOR 1.5, start-up included", "its jar", 60, whole(programs.score("meteor")), whole(jar), 12_000),
        Row("predict", "`predict`", "Python pipeline", 200, without_start(programs.predict, one), features, 1_500),
        Row("floor", "`predict`", "floor in C", 1 / 100, whole(programs.predict), whole(programs.floor)),
    ]


def rouge(ours):
    return ours("rouge1,rouge2,rougeL", "--rouge-stem")


def measure(rows, texts, rounds):
    """For each row and round, the seconds per segment of Tribunal and of the peer."""
    found = {row.key: [] for row in rows}
    for number in range(1, rounds + 1):
        # Rows share programs: each is measured only once per round.
        known = {}
        for row in rows:
            both = [(row.ours, texts[None]), (row.peer, texts[row.segments])]
            for seconds, of in both:
                if (seconds, of) not in known:
                    known[seconds, of] = seconds(of)
            found[row.key].append([known[both[0]], known[both[1]]])
        print(f"round {number} of {rounds} is done", file=sys.stderr, flush=True)
    return found


def print_table(rows, found, texts):
    print("| task | compared with | peer segments | segments/s | peer segments/s | median ratio | minimum | maximum | target |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for row in rows:
        rounds = found[row.key]
        rates = [f"{1 / statistics.median(seconds):,.0f}" for seconds in zip(*rounds)]
        ratios = [peer / ours for ours, peer in rounds]
        shown = [ratio(value) for value in (statistics.median(ratios), min(ratios), max(ratios), row.target)]
        print("|", " | ".join([row.task, row.peer_name, f"{texts[row.segments].segments:,}", *rates, *shown]), "|")
    print()
    floor = next((row.key for row in rows if row.key == "floor"), None)
    if floor:
        print_distances(rows, found, statistics.median(peer for _, peer in found[floor]))


def print_distances(rows, found, floor):
    """Compares the time per segment of each task with the floor in C."""
    print("| task | µs per segment | relative to the floor in C |")
    print("| --- | ---: | ---: |")
    for task in dict.fromkeys(row.task for row in rows):
        ours = statistics.median(ours for row in rows if row.task == task for ours, _ in found[row.key])
        print(f"| {task} | {1e6 * ours:,.2f} | {ours / floor:,.1f} |")
    print(flush=True)


def ratio(value):
    return f"{value:.0f}" if value >= 1 else f"1/{1 / value:.0f}"


if __name__ == "__main__":
    main()
