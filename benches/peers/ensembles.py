#!/usr/bin/env python3
"""Compares Tribunal with other learned ensembles of metrics, on the same values and folds: accuracy and CPU time.

    python3 benches/peers/ensembles.py PAIRS ANSWERS [--folds 10] [--values metrics|features]
    python3 benches/peers/ensembles.py PAIRS ANSWERS --test PAIRS ANSWERS [--test PAIRS ANSWERS ...]

Prints a Markdown table for the held-out pairs of all folds, which are split by reference. With --test it prints one for
each test file instead: the ensembles are trained on all of PAIRS, and test pairs whose reference is in PAIRS are left
out. The peers:

- MetaMetrics (Winata et al. 2024), Gaussian process: metrics scaled to [0, 1] on the training pairs, and a weight in
  [0, 1] for each, found by `bayesian-optimization` in 5 + 100 evaluations of the accuracy on the training pairs
- MetaMetrics, trees: `xgboost`'s XGBRanker, pairwise, with one group per pair; depth and learning rate are chosen from
  a grid that includes xgboost's defaults, by accuracy on a quarter of the training references
- AutoMetrics (Ryan et al. 2025): scikit-learn's PLSRegression with one component on standardised metrics
- the single metric with the best accuracy on the training pairs, and Tribunal's baseline, the sum of three metrics

Needs cargo, or --tribunal. The packages of requirements-ensembles.txt are installed into target/ensembles unless the
running Python has them in these versions. The same input and seed give the same accuracies. A fit of the Gaussian
process takes minutes: `--peers trees,partial,best,sum` leaves it out.
"""

import argparse
import importlib.metadata
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import venv
import warnings
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
REQUIREMENTS = HERE / "requirements-ensembles.txt"
VENV = ROOT / "target" / "ensembles"

# The metrics that the peers weigh; each is a row of Tribunal's report.
METRICS = (
    "bleu,chrf,chrf++,ter,rouge1,rouge2,rougeL,rougeW,rougeSU4,meteor,meteor-all,meteor2005,gleu,ribes,synset,length,"
    "alignment,edits,surface,words"
).split(",")
BASELINE = ("sum.meteor", "sum.synset", "sum.bleu")

ROUNDS = 2000
TRIBUNAL = "Tribunal"

# One core for every ensemble; must be set before NumPy is loaded.
ONE_THREAD = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}


def main():
    options = parse_arguments()
    with_packages()
    learned = Judged.read(options.pairs, options.answers)
    tribunal = Tribunal(options.tribunal or built_tribunal())
    learned.values, seconds = tribunal.values(learned, options.values)
    if options.test:
        print_tests(learned, options, tribunal)
    else:
        print_folds(learned, options, tribunal)
    print(
        "\nCPU s: user seconds of fitting and predicting on one core, all folds together. The peers get the values "
        f"of {len(learned.values['names'])} {options.values}, which took {seconds:.1f} s and are not counted; those of "
        f"{TRIBUNAL} are `train`, its metrics and its cross-validated report included, and `predict`."
    )


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("pairs", type=Path, help="a file of `hyp1 ||| hyp2 ||| ref` lines to learn from")
    parser.add_argument("answers", type=Path, help="1, 0 or -1 a line")
    parser.add_argument("--test", type=Path, nargs=2, action="append", metavar=("PAIRS", "ANSWERS"))
    parser.add_argument("--folds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1, help="of folds, of the Gaussian process and of the bootstrap")
    parser.add_argument(
        "--values",
        choices=("metrics", "features"),
        default="metrics",
        help="what the peers weigh: the main scores of metrics, or all that Tribunal's model may see of a hypothesis",
    )
    parser.add_argument("--peers", type=lambda text: text.split(","), help="only those with one of these in their name")
    parser.add_argument("--tribunal", type=Path, help="the program [default: built from this repository]")
    options = parser.parse_args()
    if options.folds < 2:
        parser.error("--folds: 2 or more")
    return options


# ---- the packages


def with_packages():
    """Continues in a Python that has the required versions of the packages."""
    os.environ.update(ONE_THREAD)
    if has_packages():
        return
    python = VENV / "bin" / "python"
    if Path(sys.prefix).resolve() == VENV.resolve():
        sys.exit(f"ensembles.py: {VENV} is incomplete; remove it and run this again")
    done = VENV / "requirements.done"
    if not done.exists() or done.read_bytes() != REQUIREMENTS.read_bytes():
        print(f"ensembles.py: Python packages into {VENV}", file=sys.stderr)
        venv.create(VENV, with_pip=True, clear=True)
        pip = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        if subprocess.run([*pip, "--requirement", str(REQUIREMENTS)]).returncode:
            sys.exit(f"ensembles.py: pip could not install {REQUIREMENTS}")
        done.write_bytes(REQUIREMENTS.read_bytes())
    os.execv(python, [str(python), *sys.argv])


def has_packages():
    lines = REQUIREMENTS.read_text(encoding="utf-8").splitlines()
    wanted = [line.split("==") for line in lines if not line.startswith("#")]
    try:
        return all(importlib.metadata.version(name) == version for name, version in wanted)
    except importlib.metadata.PackageNotFoundError:
        return False


# ---- the judgments


@dataclass
class Judged:
    """Lines of pairs with human labels and references; `values` holds the metrics' values."""

    lines: list
    labels: list
    references: list
    values: dict = None

    @classmethod
    def read(cls, pairs, answers):
        lines = pairs.read_text(encoding="utf-8").split("\n")[:-1]
        labels = [int(line) for line in answers.read_text(encoding="utf-8").split()]
        if len(lines) != len(labels):
            sys.exit(f"{answers}: expected {len(lines)} answers, as {pairs} has pairs, found {len(labels)}")
        wrong = next((number for number, line in enumerate(lines, 1) if line.count(" ||| ") != 2), None)
        if wrong:
            sys.exit(f"{pairs}:{wrong}: expected 'hyp1 ||| hyp2 ||| ref'; give a file of pairs")
        return cls(lines, labels, [line.rsplit(" ||| ", 1)[1] for line in lines])

    def take(self, rows):
        """The pairs of these rows."""
        import numpy

        values = self.values and {**self.values, "of": self.values["of"][:, numpy.asarray(rows)]}
        return Judged(*([column[row] for row in rows] for column in (self.lines, self.labels, self.references)), values)

    def metric(self, name):
        """A metric's values for both hypotheses, higher is better: (2, pairs)."""
        return self.values["of"][:, :, self.values["all"].index(name)]

    def matrix(self):
        """The values that the peers weigh: (2, pairs, metrics)."""
        return self.values["of"][:, :, : len(self.values["names"])]

    def write(self, folder):
        pairs, answers = folder / "pairs.txt", folder / "answers.txt"
        pairs.write_text("".join(f"{line}\n" for line in self.lines), encoding="utf-8")
        answers.write_text("".join(f"{label}\n" for label in self.labels), encoding="utf-8")
        return pairs, answers


def folds_by_reference(references, count, seed):
    """The fold of every pair; all pairs of a reference are in the same fold."""
    import numpy

    names = list(dict.fromkeys(references))
    order = numpy.random.default_rng(seed).permutation(len(names))
    fold_of = {names[name]: place % count for place, name in enumerate(order)}
    return [fold_of[reference] for reference in references]


# ---- CPU time


class Stopwatch:
    """User CPU seconds of this process, or of the programs that it started."""

    def __init__(self, who=resource.RUSAGE_SELF):
        self.who, self.start = who, resource.getrusage(who).ru_utime

    def seconds(self):
        return resource.getrusage(self.who).ru_utime - self.start


# ---- Tribunal


def built_tribunal():
    subprocess.run(["cargo", "build", "--quiet", "--release"], cwd=ROOT, check=True)
    return ROOT / "target" / "release" / "tribunal"


class Tribunal:
    """The program: metric values for the peers, and its own ensemble."""

    name = TRIBUNAL

    def __init__(self, program):
        self.command = [str(program), "--threads", "1", "--quiet"]

    def run(self, *arguments):
        done = subprocess.run([*self.command, *map(str, arguments)], capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"tribunal {arguments[0]}: exit status {done.returncode}: {done.stderr.strip()}")
        return done.stdout

    def values(self, judged, kind):
        """The metrics' values for both hypotheses of all pairs, and the CPU seconds that they took.

        `of`: (2, pairs, columns), higher is better. `all` names its columns; `names` come first; peers weigh those.
        """
        import numpy

        registry = json.loads(self.run("score", "--list-metrics", "--json"))
        lower = {entry["name"] for entry in registry if entry["direction"] == "lower"}
        columns = [*METRICS, *BASELINE]
        watch = Stopwatch(resource.RUSAGE_CHILDREN)
        with tempfile.TemporaryDirectory() as folder:
            fields = list(zip(*(line.split(" ||| ") for line in judged.lines)))
            paths = [Path(folder) / name for name in ("hyp1.txt", "hyp2.txt", "ref.txt")]
            for path, lines in zip(paths, fields):
                path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
            score = ["--metrics", ",".join(columns), "--segments"]
            tables = [numbers(self.run("score", paths[side], "-r", paths[2], *score), "\t", columns) for side in (0, 1)]
            of = numpy.stack(tables) * numpy.array([-1.0 if name in lower else 1.0 for name in columns])
            if kind == "metrics":
                return {"names": METRICS, "all": columns, "of": of}, watch.seconds()
            watch = Stopwatch(resource.RUSAGE_CHILDREN)
            table = self.run("features", judged.write(Path(folder))[0])
            seconds = watch.seconds()
        header = table.split("\n", 1)[0].split(",")
        names = [name.removeprefix("h1.") for name in header if name.startswith("h1.")]
        features = numpy.stack([numbers(table, ",", [f"{side}.{name}" for name in names]) for side in ("h1", "h2")])
        of = numpy.concatenate([features, of[:, :, -len(BASELINE) :]], axis=2)
        return {"names": names, "all": [*names, *BASELINE], "of": of}, seconds

    def judge(self, train, test):
        """Verdicts of the test pairs without ties and with them, and CPU seconds."""
        watch = Stopwatch(resource.RUSAGE_CHILDREN)
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            pairs, answers = train.write(folder)
            self.run("train", pairs, "--answers", answers, "-m", folder / "model.json")
            pairs, _ = test.write(folder)
            with_ties = self.run("predict", pairs, "-m", folder / "model.json")
            seconds = watch.seconds()
            plain = self.run("predict", pairs, "-m", folder / "model.json", "--ties", "0")
        return [[int(verdict) for verdict in verdicts.split()] for verdicts in (plain, with_ties)], seconds


def numbers(table, separator, columns):
    """Some columns of a table as numbers: (rows, columns)."""
    import numpy

    header, *rows = table.splitlines()
    header = header.split(separator)
    at = [header.index(name) for name in columns]
    fields = (row.split(separator) for row in rows)
    return numpy.array([[float(row[column]) for column in at] for row in fields])


# ---- the peers: each is trained on pairs, and then returns by how much it prefers the first hypothesis of others


class Peer:
    """An aggregator of metric values; subclasses implement `fit`."""

    def __init__(self, name, seed):
        self.name, self.seed = name, seed

    def judge(self, train, test):
        """Verdicts of the test pairs without ties and with them, and CPU seconds."""
        import numpy

        watch = Stopwatch()
        prefers, threshold = self.learn(train)
        differences = prefers(test)
        with_ties = numpy.where(numpy.abs(differences) <= threshold, 0, numpy.sign(differences))
        return [numpy.sign(differences).astype(int).tolist(), with_ties.astype(int).tolist()], watch.seconds()

    def learn(self, train):
        """A function that returns by how much the first hypotheses are preferred, and the threshold for ties."""
        prefers = self.fit(train)
        return prefers, best_threshold(prefers(train), train.labels)


def best_threshold(differences, labels):
    """The least threshold with the best accuracy, where differences up to it are ties, as in Tribunal's report."""
    import numpy

    sizes, labels = numpy.abs(differences), numpy.asarray(labels)
    gains = (labels == 0).astype(int) - (labels == numpy.sign(differences))
    order = numpy.argsort(sizes, kind="stable")
    reached = numpy.cumsum(gains[order])
    sizes = sizes[order]
    # Equal differences become ties together.
    is_last = numpy.append(sizes[1:] > sizes[:-1], True)
    reached = numpy.where(is_last, reached, -1)
    best = int(numpy.argmax(reached))
    return sizes[best] if reached[best] > 0 else 0.0


class GaussianProcess(Peer):
    """MetaMetrics: maximises the accuracy on the training pairs."""

    def fit(self, train):
        import numpy
        from bayes_opt import BayesianOptimization

        values, labels = train.matrix(), numpy.asarray(train.labels)
        low = values.min(axis=(0, 1))
        width = values.max(axis=(0, 1)) - low
        width[width == 0.0] = 1.0

        def differences(judged):
            scaled = numpy.clip((judged.matrix() - low) / width, 0.0, 1.0)
            return scaled[0] - scaled[1]

        training = differences(train)
        names = [f"w{number:03}" for number in range(training.shape[1])]

        def accuracy(**weights):
            return float((numpy.sign(training @ numpy.array([weights[name] for name in names])) == labels).mean())

        bounds = {name: (0.0, 1.0) for name in names}
        search = BayesianOptimization(accuracy, bounds, random_state=self.seed, verbose=0, allow_duplicate_points=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            search.maximize(init_points=5, n_iter=100)
        weights = numpy.array([search.max["params"][name] for name in names])
        return lambda judged: differences(judged) @ weights


class Trees(Peer):
    """MetaMetrics: gradient-boosted trees for ranking."""

    GRID = tuple({"max_depth": depth, "learning_rate": rate} for depth in (6, 3, 2, 1) for rate in (0.3, 0.1))

    def learn(self, train):
        import numpy

        # Trees overfit their training pairs, so settings and threshold are chosen on held-out ones.
        parts = folds_by_reference(train.references, 4, self.seed)
        rest = train.take([row for row, part in enumerate(parts) if part != 0])
        chosen = train.take([row for row, part in enumerate(parts) if part == 0])
        differences = [self.fit(rest, settings)(chosen) for settings in self.GRID]
        accuracies = [(numpy.sign(of_one) == numpy.asarray(chosen.labels)).mean() for of_one in differences]
        best = int(numpy.argmax(accuracies))
        return self.fit(train, self.GRID[best]), best_threshold(differences[best], chosen.labels)

    def fit(self, train, settings):
        import numpy
        from xgboost import XGBRanker

        # A pair is a group of two rows; the better one is labelled 1, the other 0. In a tie both are 0.
        rows = numpy.moveaxis(train.matrix(), 0, 1).reshape(-1, train.matrix().shape[2])
        better = numpy.array([[label == 1, label == -1] for label in train.labels], dtype=int).reshape(-1)
        ranker = XGBRanker(objective="rank:pairwise", n_jobs=1, random_state=self.seed, **settings)
        ranker.fit(rows, better, group=[2] * len(train.labels))

        def prefers(judged):
            first, second = (ranker.predict(side).astype(float) for side in judged.matrix())
            return first - second

        return prefers


class LeastSquares(Peer):
    """AutoMetrics: partial least squares regression of human labels."""

    def fit(self, train):
        import numpy
        from sklearn.cross_decomposition import PLSRegression
        from sklearn.preprocessing import StandardScaler

        values = train.matrix()
        scaler = StandardScaler().fit(values.reshape(-1, values.shape[2]))

        def differences(judged):
            first, second = (scaler.transform(side) for side in judged.matrix())
            return first - second

        training, labels = differences(train), numpy.asarray(train.labels, dtype=float)
        # Every pair is also mirrored, so that the order of the hypotheses carries no information.
        regression = PLSRegression(n_components=1, scale=False)
        regression.fit(numpy.concatenate([training, -training]), numpy.concatenate([labels, -labels]))
        weights = numpy.ravel(regression.coef_)
        return lambda judged: differences(judged) @ weights


class BestMetric(Peer):
    """The single metric that agrees most often with people on the training pairs."""

    def fit(self, train):
        import numpy

        values = train.matrix()
        signs = numpy.sign(values[0] - values[1])
        best = int(numpy.argmax((signs == numpy.asarray(train.labels)[:, None]).mean(axis=0)))
        return lambda judged: judged.matrix()[0][:, best] - judged.matrix()[1][:, best]


class Sum(Peer):
    """Tribunal's baseline, which is not trained."""

    def fit(self, _):
        def prefers(judged):
            first, second = sum(judged.metric(name) for name in BASELINE)
            return first - second

        return prefers


def all_peers(options, tribunal):
    seed = options.seed
    peers = [
        tribunal,
        GaussianProcess("MetaMetrics, Gaussian process", seed),
        Trees("MetaMetrics, trees (XGBRanker)", seed),
        LeastSquares("AutoMetrics, partial least squares", seed),
        BestMetric("best single metric", seed),
        Sum("sum of three metrics", seed),
    ]
    wanted = options.peers
    return [peer for peer in peers if peer is tribunal or wanted is None or any(part in peer.name for part in wanted)]


# ---- the tables


@dataclass
class Row:
    """One ensemble's verdicts on all pairs."""

    name: str
    plain: list
    with_ties: list
    seconds: float


def print_folds(judged, options, tribunal):
    fold_of = folds_by_reference(judged.references, options.folds, options.seed)
    rows = []
    for peer in all_peers(options, tribunal):
        row = Row(peer.name, [0] * len(fold_of), [0] * len(fold_of), 0.0)
        started = time.monotonic()
        for fold in range(options.folds):
            held_out = [at for at, of_row in enumerate(fold_of) if of_row == fold]
            rest = [at for at, of_row in enumerate(fold_of) if of_row != fold]
            (plain, with_ties), seconds = peer.judge(judged.take(rest), judged.take(held_out))
            for at, *verdicts in zip(held_out, plain, with_ties, strict=True):
                row.plain[at], row.with_ties[at] = verdicts
            row.seconds += seconds
            done = f"fold {fold + 1} of {options.folds} after {time.monotonic() - started:.0f} s"
            print(f"{peer.name}: {done}", file=sys.stderr, flush=True)
        rows.append(row)
    references = len(set(judged.references))
    pairs = f"{len(judged.labels)} pairs of {references} references"
    print(f"{pairs}, {options.folds} folds by reference, seed {options.seed}\n")
    print_table(rows, judged, options.seed)


def print_tests(learned, options, tribunal):
    known = set(learned.references)
    print(f"Learned from {len(learned.labels)} pairs of {len(known)} references, seed {options.seed}")
    for pairs, answers in options.test:
        test = Judged.read(pairs, answers)
        unseen = [row for row, reference in enumerate(test.references) if reference not in known]
        if not unseen:
            sys.exit(f"{pairs}: expected references that {options.pairs} does not have, found none; name another file")
        left_out = len(test.labels) - len(unseen)
        test.values, _ = tribunal.values(test, options.values)
        test = test.take(unseen)
        rows = []
        for peer in all_peers(options, tribunal):
            (plain, with_ties), seconds = peer.judge(learned, test)
            rows.append(Row(peer.name, plain, with_ties, seconds))
        print(f"\n{pairs.name}: {len(unseen)} pairs of {len(set(test.references))} references, {left_out} left out\n")
        print_table(rows, test, options.seed)


def print_table(rows, judged, seed):
    import numpy

    labels = numpy.asarray(judged.labels)
    _, group = numpy.unique(judged.references, return_inverse=True)
    resampled = Resampled(group, seed)
    plain = [numpy.asarray(row.plain) == labels for row in rows]
    with_ties = [numpy.asarray(row.with_ties) == labels for row in rows]
    print(f"| ensemble | no ties | with ties | 95% CI | gain of {TRIBUNAL} (points) | CPU s |")
    print("| --- | ---: | ---: | --- | --- | ---: |")
    for row, without, right in zip(rows, plain, with_ties):
        low, high = resampled.interval(right)
        ahead = ""
        if row.name != TRIBUNAL:
            lead = with_ties[0].astype(float) - right
            least, most = resampled.interval(lead)
            ahead = f"{100 * lead.mean():+.1f} ({100 * least:+.1f} to {100 * most:+.1f})"
        accuracies = [f"{without.mean():.4f}", f"{right.mean():.4f}", f"{low:.4f} - {high:.4f}"]
        cells = [row.name, *accuracies, ahead, f"{row.seconds:.1f}"]
        print("| " + " | ".join(cells) + " |", flush=True)
    print(
        "\nno ties: the sign of the difference; with ties: differences up to a threshold chosen on training pairs are "
        f"ties, and {TRIBUNAL}'s own rule; intervals and gains are of that column, by bootstrap over "
        f"references ({ROUNDS} rounds)."
    )


class Resampled:
    """How often each reference was drawn in every round."""

    def __init__(self, group, seed):
        import numpy

        self.group, count = group, int(group.max()) + 1
        drawn = numpy.random.default_rng(seed).integers(count, size=(ROUNDS, count))
        self.drawn = numpy.stack([numpy.bincount(of_round, minlength=count) for of_round in drawn])

    def interval(self, values):
        """The 95% interval of the mean; `values` holds one per pair."""
        import numpy

        sums, sizes = numpy.bincount(self.group, weights=values), numpy.bincount(self.group)
        return numpy.quantile((self.drawn @ sums) / (self.drawn @ sizes), [0.025, 0.975])


if __name__ == "__main__":
    main()
