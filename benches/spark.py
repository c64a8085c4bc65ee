"""How fast Tribunal is on Apache Spark, and what takes the time.

    python benches/spark.py [--pairs FILE] [--rows 10000,100000,1000000] [--cores 2] [--train]

Prints rows a second and core of `predict` on Spark; of the engine alone, in one process on one thread; and of Spark with
the same columns out and nothing computed. With --train also of `train`, where MLlib fits the weights.

The pairs are made from those of FILE (`hyp1 ||| hyp2 ||| ref`; the sample, if none is named): as many copies as it takes,
in each of which every text has other words, so that what repeats is what repeats in FILE.
"""

import argparse
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
#: Rows of a file of Parquet.
PART = 50_000
#: One word of so many is another one in each copy.
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
    builder = builder.config("spark.driver.memory", "6g").config("spark.sql.files.maxPartitionBytes", "8m")
    spark = builder.getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    return spark


def made(texts, labels, start, count):
    """Some of the pairs that there would be of endless copies."""
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
    seconds = timed(lambda: model.judge(table))
    tell("engine alone, one thread", len(table), seconds, 1)
    tribunal.set_threads(0)


def on_spark(spark, path, count, options):
    def read():
        return spark.read.parquet(path)

    def timed_job(df):
        return timed(df.write.format("noop").mode("overwrite").save)

    judged = tribunal.spark.predict(read())
    # The first job starts Python and compiles.
    judged.limit(100).collect()
    tell("predict", count, timed_job(judged), options.cores)
    tell("  without computing", count, timed_job(uncomputed(read(), judged.schema)), options.cores)
    tell("features", count, timed_job(tribunal.spark.features(read())), options.cores)
    if options.train:
        tell("train", count, timed(lambda: tribunal.spark.train(read())), options.cores)


def uncomputed(df, schema):
    """What `predict` does of `df`, but for the engine."""
    names = schema.fieldNames()

    def same(batches):
        for batch in batches:
            numbers = pa.array([0.0] * batch.num_rows)
            verdicts = pa.array([0] * batch.num_rows, pa.int8())
            yield pa.RecordBatch.from_arrays([*batch.columns, verdicts, numbers, numbers, numbers], names=names)

    return df.mapInArrow(same, schema)


def timed(work):
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def tell(what, rows, seconds, cores):
    print(f"{what:28} {rows:>10,} rows {seconds:9.1f} s {rows / seconds / cores:10,.0f} rows/s/core", flush=True)


if __name__ == "__main__":
    logging.getLogger("py4j").setLevel(logging.ERROR)
    main()
