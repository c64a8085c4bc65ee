#!/usr/bin/env python3
"""Checks on real human judgments, which are not part of the project.

    python3 tests/real_data.py --data FOLDER

FOLDER holds `wmt-pairs/train.hyp1-hyp2-ref` and `wmt-pairs/train.answers`: 7,319 pairs of WMT translations that people
judged; `wmt-rankings/cs-en.rankings` and `mqm/mqm_ted_zhen.tsv` hold judgments in other formats, and `wmt-systems`
whole systems in the order that people gave them; `judges` language models that judged; `campaigns.py` lists what else is used. If the first does not exist,
the script reports that and does nothing. `--size` trains on 350,000 pairs, and checks nothing else. Prints what was expected and found, and exits with status 1 if any check
fails.
"""

import argparse
import csv
import json
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

import campaigns
import real_judges
import real_outputs
import real_ranking
import real_readme
import systems
from program import BINARY, ROOT, accuracy, best_metric, cpu_seconds, rewrite, tokenise, tribunal


class Checks:
    """Prints each check and remembers whether one failed."""

    failed = False

    def that(self, holds, asked, found):
        print(f"{'ok    ' if holds else 'FAILED'}  {asked}: {found}", flush=True)
        self.failed |= not holds


def check_training(checks, pairs, answers, folder):
    """Cross-validated accuracy, and identical bytes for any number of threads."""
    model, again = folder / "model.json", folder / "again.json"
    before = cpu_seconds()
    text = tribunal("train", pairs, "--answers", answers, "-m", model, "--json", "--threads", 2)
    print(f"train, ten folds and final model: {cpu_seconds() - before:.1f} s of CPU time")
    report = json.loads(text)
    ensemble, baseline = accuracy(report, "ensemble"), accuracy(report, "sum")
    p_value = report["systems"][0]["against_baseline"]["p_value"]
    checks.that(report["rows"] == 7319 and report["groups"] == 633, "7319 pairs, 633 references", report["rows"])
    checks.that(0.509 <= baseline <= 0.520, "baseline from 0.509 to 0.520", f"{baseline:.4f}")
    checks.that(ensemble >= 0.585, "ensemble at least 0.585 out of fold", f"{ensemble:.4f}")
    words = {name: round(accuracy(report, name), 4) for name in ("naive-bayes", "word-regression")}
    checks.that(max(words.values()) < baseline, "what learns from words alone is below the baseline", words)
    error = report["systems"][0]["calibration"]["expected_calibration_error"]
    checks.that(error <= 0.03, "expected calibration error at most 0.03", f"{error:.4f}")
    checks.that(p_value < 0.001, "p below 0.001 against the baseline", p_value)
    same = text == tribunal("train", pairs, "--answers", answers, "-m", again, "--json", "--threads", 1)
    checks.that(same and model.read_bytes() == again.read_bytes(), "1 and 2 threads give the same bytes", same)
    return model, report


def check_tokenised(checks, pairs, answers, folder, report):
    """Raw and tokenised text must be judged about equally well."""
    tokenised = rewrite(pairs, tokenise, folder / "tokenised.pairs")
    other = json.loads(tribunal("train", tokenised, "--answers", answers, "--json"))
    points = 100 * abs(accuracy(other, "ensemble") - accuracy(report, "ensemble"))
    checks.that(points <= 0.5, "raw and tokenised text at most 0.5 points apart", f"{points:.2f}")


def check_own(checks, pairs, answers, folder, report):
    """An informative metric raises the accuracy, noise hardly changes it, and own metrics alone are enough to train."""
    random = Random(1)
    labels = [int(line) for line in answers.read_text().split()]
    files = {"judge": folder / "judge.tsv", "noise": folder / "noise.tsv"}
    rows = {"judge": [], "noise": []}
    for label in labels:
        rows["judge"].append((0.35 * label + random.gauss(0, 0.5), 0))
        rows["noise"].append((random.gauss(0, 1), random.gauss(0, 1)))
    for name, file in files.items():
        file.write_text("".join(f"{first}\t{second}\n" for first, second in rows[name]))
    alone = accuracy(report, "ensemble")

    def train(*own):
        return json.loads(tribunal("train", pairs, "--answers", answers, "--own", *own, "--json"))

    both = train(f"judge={files['judge']}")
    found = accuracy(both, "ensemble"), accuracy(both, "judge")
    checks.that(found[0] > max(found[1], alone) + 0.02, "with a made-up judge at least 2 points above it and above the ensemble", found)
    share = next(family["share"] for family in both["families"] if family["name"] == "judge")
    checks.that(share > 0.2, "the judge has more than a fifth of the weight", f"{share:.2f}")
    points = 100 * (accuracy(train(f"noise={files['noise']}"), "ensemble") - alone)
    checks.that(abs(points) < 0.3, "pure noise changes accuracy by less than 0.3 points", f"{points:+.2f}")
    known = metric_values(pairs, folder, ("bleu", "chrf", "rouge1", "rouge2", "rougeL", "meteor"))
    names = [f"{name}={file}" for name, file in known.items()]
    own = train(",".join(names), "--only-own")
    found = accuracy(own, "ensemble")
    checks.that(found > 0.53, "BLEU, chrF, ROUGE and METEOR alone, as own metrics, above 0.53", f"{found:.4f}, all features {alone:.4f}")
    same = all(accuracy(own, f"own.{name}") == accuracy(own, name) for name in known)
    checks.that(same, "each as good as Tribunal's own", same)


def metric_values(pairs, folder, names):
    """Writes the values of metrics for both hypotheses to files, as another program would."""
    table = folder / "features.csv"
    tribunal("features", pairs, "-o", table)
    files = {name: folder / f"{name}.tsv" for name in names}
    with open(table, encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    for name, file in files.items():
        file.write_text("".join(f"{row[f'h1.{name}']}\t{row[f'h2.{name}']}\n" for row in rows))
    return files


def check_prediction(checks, pairs, answers, folder, model):
    """predict, check, evaluate and compare agree with each other."""
    verdicts, again = folder / "eval.out", folder / "again.out"
    before = cpu_seconds()
    tribunal("predict", pairs, "-m", model, "-o", verdicts, "--threads", 2)
    print(f"predict: {cpu_seconds() - before:.2f} s of CPU time")
    tribunal("predict", pairs, "-m", model, "-o", again, "--threads", 1)
    checks.that(verdicts.read_bytes() == again.read_bytes(), "1 and 2 threads give the same verdicts", "compared")
    found = json.loads(tribunal("check", verdicts, "--pairs", pairs, "--json"))
    checks.that(found["valid"] and found["rows"] == 7319, "check accepts the verdicts", found["rows"])
    evaluated = json.loads(tribunal("evaluate", verdicts, "--answers", answers, "--pairs", pairs, "--json"))
    compared = json.loads(tribunal("compare", pairs, "--answers", answers, "-m", model, "--json"))
    pair = accuracy(evaluated, "eval"), accuracy(compared, "model")
    checks.that(pair[0] == pair[1], "evaluate and compare agree", pair)


def mqm_scores(path):
    """The negated MQM penalty of each system's translation of each segment, by one rater (Freitag et al. 2021)."""
    scores = {}
    with open(path, encoding="utf-8") as lines:
        header = next(lines).rstrip("\n").split("\t")
        for line in lines:
            row = dict(zip(header, line.rstrip("\n").split("\t")))
            cost = {"Major": 5, "Minor": 1, "No-error": 0}[row["severity"]]
            if (row["category"], row["severity"]) == ("Fluency/Punctuation", "Minor"):
                cost = 0.1
            key = f"{row['doc']}:{row['seg_id']}", row["system"]
            scores[key] = scores.get(key, 0) - cost
    return scores


def check_imports(checks, data, folder):
    """Every judgment of every file becomes a pair, with the sign that a simple Python version gives it."""
    rankings, pairs = data / "wmt-rankings" / "cs-en.rankings", folder / "cs-en.csv"
    found = json.loads(tribunal("import", "rankings", rankings, "-o", pairs, "--json"))[0]
    checks.that((found["pairs"], found["labels"][1], found["groups"]) == (11306, 793, 334), "rankings: 11306 pairs, 793 ties, 334 sentences", found["pairs"])
    with open(rankings, encoding="utf-8") as lines:
        rows = [line.rstrip("\n").split(" ||| ") for line in lines]
    blocks = {}
    for name, rank, _, text in rows:
        blocks.setdefault(name, []).append((int(rank), text))
    wrong = 0
    with open(pairs, encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            places = row["id"].split(":")[1].split("-")
            (first, one), (second, other) = (blocks[row["group"]][int(place) - 1] for place in places)
            wrong += int(row["label"]) != (first > second) - (first < second) or (one, other) != (row["hyp1"], row["hyp2"])
    checks.that(wrong == 0, "rankings: labels as the ranks say", f"{wrong} wrong")

    annotations, pairs = data / "mqm" / "mqm_ted_zhen.tsv", folder / "mqm.csv"
    found = json.loads(tribunal("import", "mqm", annotations, "--reference", "ref", "-o", pairs, "--json"))[0]
    used = found["rows_read"] - sum(found["rows_dropped"].values())
    checks.that((found["pairs"], used, found["groups"]) == (15561, 2959, 171), "MQM: 171 segments, 15561 pairs of 2959 rows", found["pairs"])
    scores, wrong = mqm_scores(annotations), 0
    systems = sorted({system for _, system in scores}, key=len, reverse=True)
    with open(pairs, encoding="utf-8", newline="") as lines:
        for row in csv.DictReader(lines):
            names = row["id"][len(row["group"]) + 1 :]
            first = next(name for name in systems if names.startswith(f"{name}-") and names[len(name) + 1 :] in systems)
            difference = scores[row["group"], first] - scores[row["group"], names[len(first) + 1 :]]
            label = 0 if abs(difference) < 1 - 1e-9 else 1 if difference > 0 else -1
            wrong += label != int(row["label"])
    checks.that(wrong == 0, "MQM: labels as the penalties say", f"{wrong} wrong")
    model = folder / "mqm.json"
    report = json.loads(tribunal("train", pairs, "-m", model, "--folds", 5, "--json"))
    checks.that(report["rows"] == 15561, "train on MQM", f"{accuracy(report, 'ensemble'):.4f}")
    report = json.loads(tribunal("compare", folder / "cs-en.csv", "-m", model, "--json"))
    checks.that(report["rows"] == 11306, "compare on rankings", f"{accuracy(report, 'mqm'):.4f}")


# mt-metrics-eval (stats.py, tau_optimization.py, pce.py) on sacreBLEU's chrF of the talks of WMT 2021, reference refB.
TALKS = {
    "none": (0.13819948413917, 0.11573078846460158, -0.2212225271110107, 0.3893887364444947, 0.15698055355967616, 0.18298680159206207, 0.3894267969307052, 0.07745061376139972),
    "sys": (0.14067727794763357, 0.12278918592103713, -0.23169008494085894, 0.3841549575295706, 0.15529738318430403, 0.1852117596457115, 0.38437723267444646, 1.2878277231151714),
    "item": (0.06989331781414139, 0.06003102345716789, -0.17303943619733084, 0.4134802819013345, 0.09591300365320457, 0.08158242517677743, 0.4135552556605188, 0.002714553120355845),
}
STATISTICS = ("kendall_b", "kendall_c", "kendall_23", "kendall_acc23", "pearson", "spearman", "acc23_optimised", "acc23_threshold")
TALKS_LIKE = -0.011040394856474867
TALKS_SYSTEMS = {
    "pairwise_accuracy": 0.6153846153846154,
    "soft_pairwise_accuracy_1000_permutations_seed_4": 0.5832692307692309,
    "pearson": 0.12199975233813277,
    "spearman": 0.3021978021978022,
    "kendall_b": 0.23076923076923073,
}


def check_agreement(checks, data, folder):
    """chrF's agreement with the annotators of the talks equals that of mt-metrics-eval."""
    scores = folder / "scores.csv"
    imported = json.loads(tribunal("import", "mqm", data / "mqm" / "mqm_ted_zhen.tsv", "--reference", "refB", "--scores", "-o", scores, "--json"))
    checks.that((imported["systems"], imported["segments"]) == (13, 171), "scores of 13 systems and 171 segments", imported["systems"])
    found = json.loads(tribunal("correlate", scores, "--people", "score", "--metrics", "chrf", "--json"))["metrics"][0]
    asked = {(row, name): value for row, values in TALKS.items() for name, value in zip(STATISTICS, values)}
    distances = {key: abs(found["segments"][key[0]][key[1]] - value) for key, value in asked.items()}
    distances["kendall_like_1"] = abs(found["segments"]["kendall_like_1"] - TALKS_LIKE)
    distances.update({name: abs(found["system_level"][name] - value) for name, value in TALKS_SYSTEMS.items()})
    worst = max(distances, key=distances.get)
    checks.that(distances[worst] < 1e-9, f"{len(distances)} statistics as mt-metrics-eval's, to 1e-9", f"{distances[worst]:.1e} ({worst})")
    everything = json.loads(tribunal("correlate", scores, "--people", "score", "--json"))
    clusters = {metric["name"]: metric["cluster"] for metric in everything["metrics"]}
    print(f"clusters of metrics on the talks: {clusters}")
    first = everything["metrics"][0]
    checks.that(first["segments"]["none"]["pearson"] > 0, "where people mostly tie, no metric comes first by ties", first["name"])


def check_campaigns(checks, data, folder):
    """The built-in models are those that campaigns.py trains, and do well on held-out campaigns."""
    if not (data / "wmt-rank").exists():
        print(f"skipped: campaigns ({data / 'wmt-rank'} does not exist)")
        return
    judgments = campaigns.Judgments(data, folder)
    judgments.write(folder)
    for name in ("wmt.json", "wmt-any.json"):
        check_builtin(checks, name, folder / name)
    english, others = judgments.tables()
    checks.that(min(english) >= -0.2, "no campaign in English more than 0.2 points below the best single metric", f"{min(english):+.2f}")
    checks.that(sum(english) / len(english) >= 1, "on average at least 1 point above", f"{sum(english) / len(english):+.2f}")
    checks.that(min(others) >= -1, "other languages at most 1 point below", f"{min(others):+.2f}")


def check_size(checks, data, folder):
    """Training on 350,000 pairs takes a few times as long as computing the features, and at most twice the target of 1.5 GB."""
    ranks = sorted((data / "wmt-rank").glob("wmt1[34]/*.rank"))
    if not ranks:
        print(f"skipped: training on 350,000 pairs ({data / 'wmt-rank'} does not exist)")
        return
    tables = []
    for file in ranks:
        tables.append(folder / f"{file.parent.name}-{file.stem}.csv")
        tribunal("import", "rank", file, "-o", tables[-1])
    # In a separate process, so that the peak memory is its own.
    script = (
        "import json, resource, subprocess, sys; "
        "done = subprocess.run(sys.argv[1:], capture_output=True, text=True, check=True); "
        "usage = resource.getrusage(resource.RUSAGE_CHILDREN); "
        "report = json.loads(done.stdout); "
        "ensemble = next(row['accuracy'] for row in report['systems'] if row['name'] == 'ensemble'); "
        "print(report['rows'], ensemble, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)"
    )
    command = [sys.executable, "-c", script, BINARY, "train", *tables, "--json", "--quiet"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True)
    rows, ensemble, seconds, megabytes = map(float, done.stdout.split())
    print(f"train on {rows:.0f} pairs: ensemble {ensemble:.4f}")
    checks.that(rows >= 350_000, "at least 350,000 pairs", f"{rows:.0f}")
    before = cpu_seconds()
    for table in tables:
        subprocess.run([BINARY, "features", table, "--quiet", "-o", "/dev/null"], check=True)
    features = cpu_seconds() - before
    asked = "at most 5 times the CPU time of features"
    checks.that(seconds <= 5 * features, asked, f"{seconds / features:.2f} ({seconds:.1f} s, {features:.1f} s)")
    checks.that(megabytes <= 2 * 1536, "at most twice 1.5 GB of memory", f"{megabytes:.0f} MB")


def check_systems(checks, folder, model):
    """The ensemble ranks systems as people do, at least as well as the most widely reported metrics."""
    found, _ = systems.correlations(folder, [model])
    rho = {name: row[0] for name, row in found.items()}
    best = max(("bleu", "chrf", "meteor"), key=rho.get)
    for name in ("ensemble", model.stem):
        asked = f"Spearman's rho with people over systems, {name} at least bleu, chrf and meteor"
        checks.that(rho[name] >= rho[best], asked, f"{rho[name]:.3f}, {best} {rho[best]:.3f}")


def check_builtin(checks, name, model):
    """A built-in model is what training gives, byte for byte."""
    checks.that(model.read_bytes() == (ROOT / "models" / name).read_bytes(), f"{name} trained again has the same bytes", name)


def check_card(checks, pairs, answers, systems_folder):
    """The model card shows what the program prints on real judgments."""
    card = (ROOT / "models" / "wmt.md").read_text(encoding="utf-8")
    shown = tribunal("train", pairs, "--answers", answers) in card
    checks.that(shown, "the card shows the report of one campaign", shown)
    printed = [*campaigns.PRINTED, *systems.rows(systems.correlations(systems_folder)[0])]
    missing = [row for row in printed if row not in card]
    checks.that(not missing, f"the card has all {len(printed)} rows of campaigns and systems", missing)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder of the judgments")
    parser.add_argument("--size", action="store_true", help="only time and memory of training on 350,000 pairs")
    arguments = parser.parse_args()
    folder = arguments.data / "wmt-pairs"
    pairs, answers = folder / "train.hyp1-hyp2-ref", folder / "train.answers"
    if not pairs.exists():
        print(f"skipped: the real judgments are not here ({folder} does not exist)")
        return
    checks = Checks()
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        if arguments.size:
            check_size(checks, folder.parent, scratch)
            sys.exit(1 if checks.failed else 0)
        model, report = check_training(checks, pairs, answers, scratch)
        check_tokenised(checks, pairs, answers, scratch, report)
        check_own(checks, pairs, answers, scratch, report)
        check_prediction(checks, pairs, answers, scratch, model)
        check_imports(checks, folder.parent, scratch)
        check_agreement(checks, folder.parent, scratch)
        check_systems(checks, folder.parent / "wmt-systems", model)
        real_judges.check_judges(checks, folder.parent / "judges", scratch)
        real_ranking.check_ranking(checks, folder.parent, scratch)
        real_outputs.check_training(checks, folder.parent, scratch)
        real_outputs.check_coverage(checks, folder.parent, scratch, draws=100)
        real_readme.check_readme(checks, folder.parent, scratch)
        check_campaigns(checks, folder.parent, scratch)
        check_card(checks, pairs, answers, folder.parent / "wmt-systems")
    print(f"peak memory of any one run: {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MB")
    sys.exit(1 if checks.failed else 0)


if __name__ == "__main__":
    main()
