"""Measures Tribunal beside its peers on one file of pairs and prints the ratios as Markdown. Started by run.sh.

Every measurement is user CPU time on one core. In a round every program runs once on every file, one after the other, so
that what slows the machine down slows all of them; the ratio is that of the medians over the rounds. `repeated` is the
file as it is, `distinct` has every segment once. `tribunal score` keeps no memory of segments; `predict` is measured
with `--every-segment`, unless the row says "memo".
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
PEERS_DIR = Path(os.environ["PEERS_DIR"])
PYTHON = str(PEERS_DIR / "venv" / "bin" / "python")
JAR = ["java", "-Xmx2G", "-jar", str(PEERS_DIR / "meteor15" / "meteor-1.5.jar")]
JAR_SETTINGS = ["-l", "en", "-norm", "-m", "exact stem synonym"]
CORE = str(max(os.sched_getaffinity(0)))

# A short program is repeated until it has run this long, for the clock of the operating system is coarse.
LEAST_SECONDS = 0.5
MOST_REPEATS = 40


@dataclass(frozen=True)
class Texts:
    """The same segments in the three shapes that programs read."""

    pairs: Path
    hypotheses: Path
    references: Path
    segments: int


@dataclass(frozen=True)
class Row:
    """A line of the table. `ours` and `peer` give user seconds for texts, by the one-line texts that show the start-up."""

    key: str
    work: str
    peer_name: str
    wanted: float
    ours: callable
    peer: callable


def main():
    options = parse_arguments()
    programs = Programs(options.tribunal, options.built)
    with tempfile.TemporaryDirectory() as folder:
        repeated, distinct, one = make_texts(options, Path(folder))
        rows = [row for row in all_rows(programs, one) if options.rows is None or row.key in options.rows]
        print(f"{repeated.segments} segments, {distinct.segments} of them distinct; {options.rounds} rounds\n")
        table = measure(rows, {"repeated": repeated, "distinct": distinct}, options.rounds)
        print_table(rows, table, {"repeated": repeated, "distinct": distinct})
        print_costs(programs, repeated, one, options)


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0], prog="run.sh")
    parser.add_argument("pairs", type=Path, help="a file of `hyp1 ||| hyp2 ||| ref` lines")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--limit", type=int, help="only the first pairs of the file")
    parser.add_argument("--rows", type=lambda text: text.split(","), help="only these rows, such as bleu,ter")
    parser.add_argument("--memory-pairs", type=int, default=1_000_000, help="pairs for the peak of memory")
    parser.add_argument("--tribunal", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--built", type=Path, required=True, help=argparse.SUPPRESS)
    return parser.parse_args()


# ---- the texts


def make_texts(options, folder):
    lines = options.pairs.read_text(encoding="utf-8").split("\n")[:-1][: options.limit]
    pairs = [line.split(" ||| ")[:3] for line in lines]
    wrong = next((number for number, pair in enumerate(pairs, 1) if len(pair) < 3), None)
    if wrong:
        sys.exit(f"{options.pairs}:{wrong}: expected 'hyp1 ||| hyp2 ||| ref'; give a file of pairs")
    segments = [(hyp, pair[2]) for pair in pairs for hyp in pair[:2]]
    distinct = list(dict.fromkeys(segments))
    distinct = distinct[: len(distinct) // 2 * 2]
    return (
        write_texts(folder, "repeated", segments),
        write_texts(folder, "distinct", distinct),
        write_texts(folder, "one", segments[:2]),
    )


def write_texts(folder, name, segments):
    """Two segments that follow each other make a pair; of the distinct ones some get a neighbour's reference."""
    paths = [folder / f"{name}.{kind}" for kind in ("pairs", "hyp", "ref")]
    halves = zip(segments[::2], segments[1::2])
    write_lines(paths[0], (f"{hyp1} ||| {hyp2} ||| {ref1}" for (hyp1, ref1), (hyp2, _) in halves))
    write_lines(paths[1], (hyp for hyp, _ in segments))
    write_lines(paths[2], (ref for _, ref in segments))
    return Texts(*paths, len(segments))


def write_lines(path, lines):
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


# ---- the programs


class Programs:
    """How each program is started on texts."""

    def __init__(self, tribunal, built):
        self.tribunal = [tribunal, "--threads", "1"]
        self.built = built

    def score(self, metrics):
        def command(texts):
            files = [str(texts.hypotheses), "-r", str(texts.references)]
            return [*self.tribunal, "score", *files, "--segments", "--metrics", metrics]

        return command

    def predict(self, *options):
        return lambda texts: [*self.tribunal, "predict", str(texts.pairs), *options]

    def floor(self, texts):
        return [str(self.built / "floor"), str(texts.pairs)]

    def bleuscore(self, texts):
        return [str(self.built / "bleuscore/release/bleuscore-peer"), str(texts.hypotheses), str(texts.references)]

    def meteor_jar(self, texts):
        return [*JAR, str(texts.hypotheses), str(texts.references), *JAR_SETTINGS]


def user_seconds(command, once=False):
    """User CPU seconds of one run of a program; a short one is run several times."""
    total, runs = 0.0, 0
    while runs == 0 or not once and total < LEAST_SECONDS and runs < MOST_REPEATS:
        total += run(command).ru_utime
        runs += 1
    return total / runs


def run(command, feed=lambda process: process.stdin.close()):
    """Runs a program on one core, with what `feed` writes to it; what it used of the machine."""
    environment = {**os.environ, "RAYON_NUM_THREADS": "1"}
    with tempfile.TemporaryFile() as messages:
        process = subprocess.Popen(
            ["taskset", "-c", CORE, *command],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=messages,
            env=environment,
        )
        feed(process)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            messages.seek(0)
            sys.exit(f"{' '.join(command)}: exit status {process.returncode}: {messages.read().decode().strip()}")
    return usage


def whole(command):
    """User seconds of a program, its start-up included."""
    return lambda texts: user_seconds(command(texts))


def without_start(command, one):
    """User seconds of a program without those that it takes for one line."""
    return lambda texts: user_seconds(command(texts)) - user_seconds(command(one))


def python_peer(name):
    """User seconds of the scores alone."""

    def seconds(texts):
        command = [PYTHON, str(HERE / "python_peer.py"), name, str(texts.hypotheses), str(texts.references)]
        output = subprocess.run(["taskset", "-c", CORE, *command], check=True, capture_output=True, text=True).stdout
        return float(output.split()[1])

    return seconds


def all_rows(programs, one):
    def ours(metrics):
        return without_start(programs.score(metrics), one)

    meteor, jar = programs.score("meteor"), programs.meteor_jar
    pipeline, jar_alone = python_peer("pipeline"), without_start(jar, one)
    every = programs.predict("--every-segment")

    def features(texts):
        return pipeline(texts) + jar_alone(texts)

    return [
        Row("bleu", "sentence BLEU", "sacreBLEU", 60, ours("bleu"), python_peer("bleu")),
        Row("bleuscore", "sentence BLEU", "bleuscore (Rust)", 20, ours("bleu"), without_start(programs.bleuscore, one)),
        Row("chrf", "chrF", "sacreBLEU", 60, ours("chrf"), python_peer("chrf")),
        Row("chrf++", "chrF++", "sacreBLEU", 60, ours("chrf++"), python_peer("chrf++")),
        Row("ter", "TER", "sacreBLEU", 200, ours("ter"), python_peer("ter")),
        Row("rouge", "ROUGE 1+2+L, stemmed", "rouge-score", 100, stemmed(programs, one), python_peer("rouge")),
        Row("meteor", "METEOR 1.5", "its jar", 40, without_start(meteor, one), jar_alone),
        Row("meteor-all", "METEOR 1.5, start-up included", "its jar", 60, whole(meteor), whole(jar)),
        Row("predict", "`predict`", "Python pipeline", 200, without_start(every, one), features),
        Row("predict-memo", "`predict`, memo", "Python pipeline", 200, without_start(programs.predict(), one), features),
        Row("floor", "`predict`", "floor in C", 1 / 60, whole(every), whole(programs.floor)),
        Row("floor-memo", "`predict`, memo", "floor in C", 1 / 60, whole(programs.predict()), whole(programs.floor)),
    ]


def stemmed(programs, one):
    command = programs.score("rouge1,rouge2,rougeL")
    return without_start(lambda texts: [*command(texts), "--rouge-stem"], one)


# ---- the table


def measure(rows, texts, rounds):
    """Medians over the rounds: (row, kind of text) -> [our seconds, the peer's seconds]."""
    found = {(row.key, kind): ([], []) for row in rows for kind in texts}
    for number in range(1, rounds + 1):
        # Rows share peers: what one round has measured of a peer is not measured again in it.
        known = {}
        for row in rows:
            for kind, of_kind in texts.items():
                for side, seconds in zip(found[row.key, kind], (row.ours, row.peer)):
                    key = (seconds, kind)
                    if key not in known:
                        known[key] = seconds(of_kind)
                    side.append(known[key])
        print(f"round {number} of {rounds} is done", file=sys.stderr, flush=True)
    return {key: [statistics.median(side) for side in sides] for key, sides in found.items()}


def print_table(rows, table, texts):
    print("| work | against | segments/s | of the peer | ratio | ratio, distinct segments | wanted |")
    print("| --- | --- | ---: | ---: | ---: | ---: | ---: |")
    for row in rows:
        ours, peer = table[row.key, "repeated"]
        rates = [f"{texts['repeated'].segments / seconds:,.0f}" for seconds in (ours, peer)]
        ratios = [ratio(table[row.key, kind], row.wanted) for kind in ("repeated", "distinct")]
        print("|", " | ".join([row.work, row.peer_name, *rates, *ratios, ratio((1, row.wanted), row.wanted)]), "|")
    print()


def ratio(seconds, wanted):
    ours, peer = seconds
    return f"{peer / ours:.0f}" if wanted >= 1 else f"1/{ours / peer:.0f}"


# ---- start-up and memory


def print_costs(programs, repeated, one, options):
    tribunal = programs.tribunal
    print("| cost | found | wanted |")
    print("| --- | ---: | ---: |")
    version = [cpu(run([*tribunal, "--version"])) for _ in range(21)]
    predict = [cpu(run(programs.predict()(one))) for _ in range(21)]
    print(f"| start-up of `--version`, ms of CPU | {1000 * statistics.median(version):.1f} | 5 |")
    print(f"| one-pair `predict`, ms of CPU | {1000 * statistics.median(predict):.1f} | 15 |")
    pairs = options.memory_pairs
    peak = run([*tribunal, "predict", "-"], lambda process: feed(process, repeated.pairs, pairs)).ru_maxrss / 1024
    print(f"| peak memory of `predict` on {pairs:,} pairs, MB | {peak:.0f} | 300 |")


def cpu(usage):
    return usage.ru_utime + usage.ru_stime


def feed(process, pairs, count):
    """Writes the pairs again and again, with the number of the turn before every hypothesis, so that none repeats."""
    fields = [line.split(" ||| ") for line in pairs.read_text(encoding="utf-8").split("\n")[:-1]]
    for start in range(0, count, len(fields)):
        turn = start // len(fields)
        lines = (f"{turn} {hyp1} ||| {turn} {hyp2} ||| {ref}\n" for hyp1, hyp2, ref in fields[: count - start])
        process.stdin.write("".join(lines).encode())
    process.stdin.close()


if __name__ == "__main__":
    main()
