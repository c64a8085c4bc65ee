"""Runs programs and measures their user CPU time on one core."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
PEERS_DIR = Path(os.environ["PEERS_DIR"])
PYTHON = str(PEERS_DIR / "venv" / "bin" / "python")
JAR = ["java", "-Xmx2G", "-jar", str(PEERS_DIR / "meteor15" / "meteor-1.5.jar")]
JAR_SETTINGS = ["-l", "en", "-norm", "-m", "exact stem synonym"]
CORES = sorted(os.sched_getaffinity(0))[-2:]
CORE = CORES[-1:]

# A short program is repeated until it has run this long in total, since the operating system's clock is coarse.
LEAST_SECONDS = 0.5
MOST_REPEATS = 40


class Programs:
    """The command lines of all programs."""

    def __init__(self, tribunal, built):
        self.binary = tribunal
        self.tribunal = [tribunal, "--threads", "1"]
        self.built = built

    def score(self, metrics, *options):
        def command(texts):
            files = [str(texts.hypotheses), "-r", str(texts.references)]
            return [*self.tribunal, "score", *files, "--segments", "--metrics", metrics, *options]

        return command

    def predict(self, texts):
        return [*self.tribunal, "predict", str(texts.pairs)]

    def floor(self, texts):
        return [str(self.built / "floor"), str(texts.pairs)]

    def bleuscore(self, texts):
        return [str(self.built / "bleuscore/release/bleuscore-peer"), str(texts.hypotheses), str(texts.references)]

    def meteor_jar(self, texts):
        return [*JAR, str(texts.hypotheses), str(texts.references), *JAR_SETTINGS]


def run(command, feed=lambda process: process.stdin.close(), cores=CORE):
    """Runs a program on `cores`, with input from `feed`, and returns its resource usage."""
    environment = {**os.environ, "RAYON_NUM_THREADS": "1"} if cores == CORE else os.environ
    # The program inherits the cores of this process; a wrapper such as taskset would be measured with it.
    os.sched_setaffinity(0, cores)
    with tempfile.TemporaryFile() as messages, open(os.devnull, "wb") as sink:
        process = subprocess.Popen(
            [*map(str, command)],
            stdin=subprocess.PIPE,
            stdout=sink,
            stderr=messages,
            env=environment,
        )
        feed(process)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            messages.seek(0)
            sys.exit(f"{' '.join(map(str, command))}: exit status {process.returncode}: {messages.read().decode().strip()}")
    return usage


def cpu(usage):
    return usage.ru_utime + usage.ru_stime


def user_seconds(command):
    """Mean user CPU seconds of a run; a short program is run several times."""
    total, runs = 0.0, 0
    while runs == 0 or total < LEAST_SECONDS and runs < MOST_REPEATS:
        total += run(command).ru_utime
        runs += 1
    return total / runs


def whole(command):
    """User seconds per segment, including start-up."""
    return lambda texts: user_seconds(command(texts)) / texts.segments


def without_start(command, one):
    """User seconds per segment, minus the time for a single pair."""
    return lambda texts: (user_seconds(command(texts)) - user_seconds(command(one))) / texts.segments


def python_peer(name):
    """User seconds per segment for the scores alone, as python_peer.py measures them."""

    def seconds(texts):
        command = [PYTHON, str(HERE / "python_peer.py"), name, str(texts.hypotheses), str(texts.references)]
        os.sched_setaffinity(0, CORE)
        output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        return float(output.split()[1]) / texts.segments

    return seconds
