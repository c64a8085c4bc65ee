"""Tribunal's own costs: start-up, memory, speed-up by a second core, training compared with computing features."""

import statistics
import time

from programs import CORES, cpu, run


def print_table(programs, texts, one, options, folder):
    print("| cost | median | minimum | maximum | target |")
    print("| --- | ---: | ---: | ---: | ---: |")
    line("start-up of `--version`, ms of CPU time", milliseconds([*programs.tribunal, "--version"]), "5")
    line("one-pair `predict`, ms of CPU time", milliseconds(programs.predict(one)), "5")
    pairs = options.memory_pairs
    peak = run([*programs.tribunal, "predict", "-"], lambda process: feed(process, texts.pairs, pairs)).ru_maxrss / 1024
    line(f"peak memory of `predict` on {pairs:,} pairs, MB", [peak], "150", digits=0)
    what = f"two cores against one, `predict` on {texts.segments // 2:,} pairs"
    line(what, in_rounds(options.rounds, lambda: speedup(programs, ["predict", texts.pairs])), "1.9", digits=2)
    if options.train:
        print_training(programs, options, folder)
    print()


def print_training(programs, options, folder):
    """Compares `train` with `features` on the same files; `train` writes a model and no report, `features` a table."""
    train = ["train", *options.train, "-m", folder / "model.json", "--json", "--quiet"]
    table = folder / "all.csv"
    join(options.train, table)
    features = ["features", table, "-o", folder / "features.tsv", "--quiet"]
    rounds = min(options.rounds, 3)
    ratios = in_rounds(rounds, lambda: cpu(run([*programs.tribunal, *train])) / cpu(run([*programs.tribunal, *features])))
    line("CPU time of `train` over that of `features`", ratios, "1.5", digits=2)
    line("two cores against one, `train`", in_rounds(rounds, lambda: speedup(programs, train)), "1.9", digits=2)


def milliseconds(command):
    return [1000 * cpu(run(command)) for _ in range(21)]


def join(files, path):
    """Concatenates tables with the same columns."""
    with path.open("w", encoding="utf-8") as joined:
        for number, file in enumerate(files):
            header, rows = file.read_text(encoding="utf-8").split("\n", 1)
            joined.write(f"{header}\n{rows}" if number == 0 else rows)


def line(cost, found, target, digits=1):
    values = [statistics.median(found), min(found), max(found)]
    print("|", " | ".join([cost, *(f"{value:,.{digits}f}" for value in values), target]), "|", flush=True)


def in_rounds(count, measure):
    return [measure() for _ in range(count)]


def speedup(programs, command):
    """The ratio of wall-clock times: one thread to two threads, both on two cores."""
    seconds = []
    for threads, cores in (("1", CORES), ("2", CORES)):
        start = time.perf_counter()
        run([programs.binary, "--threads", threads, *command], cores=cores)
        seconds.append(time.perf_counter() - start)
    return seconds[0] / seconds[1]


def feed(process, pairs, count):
    """Writes `count` distinct pairs: repeats the file, with the number of the repetition before every hypothesis."""
    fields = [line.split(" ||| ") for line in pairs.read_text(encoding="utf-8").split("\n")[:-1]]
    for start in range(0, count, len(fields)):
        turn = start // len(fields)
        lines = (f"{turn} {hyp1} ||| {turn} {hyp2} ||| {ref}\n" for hyp1, hyp2, ref in fields[: count - start])
        process.stdin.write("".join(lines).encode())
    process.stdin.close()
