"""How fast Tribunal is on Apache Spark, and where the time goes.

    python benches/spark.py [--pairs FILE] [--rows 10000,100000,1000000] [--cores 2] [--train]

Prints rows per second and core, and rows per second of CPU time, which is less affected by other programs: for
`predict` and `features` on Spark; for the engine alone, in one process on one thread; and for Spark with the same
output columns but nothing computed. With --train also for `train`, where MLlib fits the weights. Linux only: CPU time
is read from /proc.

The pairs are copies of those in FILE (`hyp1 ||| hyp2 ||| ref`; default: the sample), as many as needed. Every copy
replaces some words of each text, so that texts repeat as often as they do in FILE.
"""

import argparse
import contextlib
import logging
import os
import random
import sys
import tempfile
import time
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet
import tribunal
import tribunal.spark
from pyspark.sql import SparkSession

SAMPLE = Path(__file__).parents[1] / "data" / "sample" / "sample"
#: Rows per Parquet file.
PART = 50_000
#: One word in this many is replaced in each copy, on average.
CHANGED = 6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pairs", type=Path, default=SAMPLE.with_suffix(".pairs"))
    parser.add_argument("--answers", type=Path, default=None, help="labels for --train; of the sample, its own")
    parser.add_argument("--rows", default="10000,100000,1000000")
    parser.add_argument("--cores", type=int, default=os.cpu_count())
    parser.add_argument("--train", action="store_true")
    options = parser.parse_args()
    answers = options.answers or SAMPLE.with_suffix(".answers")
    texts = [line.split(" ||| ")[:3] for line in options.pairs.read_text(encoding="utf-8").splitlines()]
    labels = [int(line) for line in answers.read_text().split()] if options.train else [0] * len(texts)
    rows = [int(count) for count in options.rows.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        engine(made(texts, labels, 0, min(rows[0], 20_000)))
        spark = session(options.cores)
        for count in rows:
            path = Path(folder) / str(count)
            write(texts, labels, count, path)
            on_spark(spark, str(path), count, options)
        spark.stop()


def session(cores):
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder = SparkSession.builder.master(f"local[{cores}]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.driver.memory", "6g").config("spark.ui.showConsoleProgress", "false")
    builder = builder.config("spark.sql.files.maxPartitionBytes", "8m")
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def made(texts, labels, start, count):
    """`count` pairs, from `start`, of the endless sequence of copies."""
    vocabulary = sorted({word for pair in texts for text in pair for word in text.split()})
    known = {}

    def changed(text, copy):
        if copy == 0:
            return text
        if (text, copy) not in known:
            draw = random.Random(f"{copy} {text}")
            words = [draw.choice(vocabulary) if draw.randrange(CHANGED) == 0 else word for word in text.split()]
            known[text, copy] = " ".join(words)
        return known[text, copy]

    places = [divmod(row, len(texts)) for row in range(start, start + count)]
    sides = {name: [changed(texts[at][side], copy) for copy, at in places] for side, name in enumerate(NAMES)}
    return pa.table({**sides, "label": pa.array([labels[at] for _, at in places], pa.int8())})


NAMES = ("hyp1", "hyp2", "ref")


def write(texts, labels, count, folder):
    folder.mkdir()
    for start in range(0, count, PART):
        part = made(texts, labels, start, min(PART, count - start))
        pa.parquet.write_table(part, folder / f"{start:012}.parquet", row_group_size=5_000)


def engine(table):
    tribunal.set_threads(1)
    model = tribunal.Model.builtin()
    model.judge(table.slice(0, 100))
    tell("engine alone, one thread", len(table), 1, lambda: model.judge(table))
    tribunal.set_threads(0)


def on_spark(spark, path, count, options):
    def read():
        return spark.read.parquet(path)

    def job(df):
        return df.write.format("noop").mode("overwrite").save

    judged = tribunal.spark.predict(read())
    # A warm-up: the first job starts Python and compiles code.
    judged.limit(100).collect()
    tell("predict", count, options.cores, job(judged))
    tell("  without computing", count, options.cores, job(uncomputed(read(), judged.schema)))
    tell("features", count, options.cores, job(tribunal.spark.features(read())))
    if options.train:
        tell("train", count, options.cores, lambda: tribunal.spark.train(read()))
    print(f"a Python worker took at most {peak() / 2**20:,.0f} MiB", flush=True)


def uncomputed(df, schema):
    """The same data flow as `predict`, without the engine."""
    names = schema.fieldNames()

    def same(batches):
        for batch in batches:
            numbers = pa.array([0.0] * batch.num_rows)
            verdicts = pa.array([0] * batch.num_rows, pa.int8())
            yield pa.RecordBatch.from_arrays([*batch.columns, verdicts, numbers, numbers, numbers], names=names)

    return df.mapInArrow(same, schema)


def tell(what, rows, cores, work):
    start, before = time.perf_counter(), cpu_seconds()
    work()
    seconds = time.perf_counter() - start
    busy = sum(taken - before.get(process, 0.0) for process, taken in cpu_seconds().items())
    rates = f"{rows / seconds / cores:10,.0f} rows/s/core {rows / busy:10,.0f} rows/CPU s"
    print(f"{what:28} {rows:>10,} rows {seconds:9.1f} s {rates}", flush=True)


def family():
    """This process and all its descendants: Spark and its Python workers."""
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            parents[int(folder.name)] = int(status(folder.name).rpartition(")")[2].split()[1])
    found = {os.getpid()}
    while more := {process for process, parent in parents.items() if parent in found} - found:
        found |= more
    return found


def status(process):
    return Path(f"/proc/{process}/stat").read_text()


def cpu_seconds():
    """CPU seconds so far of each process in the family. Spark keeps its Python workers between jobs."""
    taken = {}
    for process in family():
        with contextlib.suppress(OSError):
            user, system = status(process).rpartition(")")[2].split()[11:13]
            taken[process] = (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
    return taken


def peak():
    """The peak memory of a Python worker, in bytes."""
    most = 0
    for process in family():
        with contextlib.suppress(OSError, ValueError, IndexError):
            if "pyspark.daemon" in Path(f"/proc/{process}/cmdline").read_text():
                held = Path(f"/proc/{process}/status").read_text().split("VmHWM:")[1].split()[0]
                most = max(most, 1024 * int(held))
    return most


if __name__ == "__main__":
    logging.getLogger("py4j").setLevel(logging.ERROR)
    main()
