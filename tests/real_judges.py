"""Checks on language models that judged, and on the people beside them: LLMBar, PandaLM and MT-bench.

The figures of other programs are those of `golden/judges.json`, which is made from the same files.
"""

import json

from program import ROOT, accuracy, tribunal

MODELS = ["GPT-4", "ChatGPT", "ChatGPT-0301", "PaLM2", "LLaMA2", "Falcon"]
#: The six models under one prompt; and all but GPT-4 under three.
SIX = [f"{model}/Vanilla" for model in MODELS]
WEAK = [f"{model}/{prompt}" for model in MODELS[1:] for prompt in ("Vanilla", "Vanilla_NoRules", "CoT")]
PEOPLE = "annotator1,annotator2,annotator3"
#: Its names in the data and in `golden/llmbar.json`.
SUBSETS = {"Natural": "Natural", **{f"Adversarial/{name}": name for name in ("Neighbor", "GPTInst", "GPTOut", "Manual")}}


def rows(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def write(path, objects):
    path.write_text("".join(json.dumps(one) + "\n" for one in objects), encoding="utf-8")
    return path


def llmbar(path, to, names=None, subset=None):
    """LLMBar, or a subset of it, with columns for each judge and order; 1 and 2 name the output that won. `names`: those
    judges, under these names."""
    def flat(row):
        judges = {(names or {}).get(name, name): both for name, both in row["judges"].items() if not names or name in names}
        columns = {f"{name}.{order}": verdict for name, both in judges.items() for order, verdict in zip(("12", "21"), both)}
        return {"prompt": row["input"], "output_1": row["output_1"], "output_2": row["output_2"], "winner": str(row["label"]), **columns}

    return write(to, (flat(row) for row in rows(path) if subset in (None, row["subset"])))


def of_orders(verdicts, labels):
    """Accuracy (the mean of both orders), consistency and both orders right, without missing verdicts."""
    mean = lambda values: sum(values) / len(values)
    in_order = lambda order: [pair[order] == label for pair, label in zip(verdicts, labels) if pair[order] is not None]
    both = [(one, other, label) for (one, other), label in zip(verdicts, labels) if None not in (one, other)]
    return {
        "accuracy": mean([mean(in_order(0)), mean(in_order(1))]),
        "consistency": mean([one == other for one, other, _ in both]),
        "both_orders_right": mean([one == other == label for one, other, label in both]),
    }


def check_subsets(checks, data, scratch, golden):
    """On each subset the judges have the accuracies that the rows give, and the rows are a part of the published ones."""
    same, parts = [], []
    for subset, name in SUBSETS.items():
        part = [row for row in rows(data / "llmbar.jsonl") if row["subset"] == subset]
        table = llmbar(data / "llmbar.jsonl", scratch / "subset.jsonl", subset=subset)
        report = json.loads(tribunal("compare", table, "--judge", ",".join(SIX), "--json"))
        for judge in report["judges"]:
            given = [row["judges"][judge["name"]] for row in part]
            expected = of_orders(given, [row["label"] for row in part])
            same += [close(judge[key]["value"], value) for key, value in expected.items()]
            same.append(close(accuracy(report, judge["name"]), expected["accuracy"]))
            published = golden["judges"].get(judge["name"].split("/")[0], {}).get(name)
            if published:
                for order, key in ((0, "right_12"), (1, "right_21")):
                    right = sum(pair[order] == row["label"] for pair, row in zip(given, part))
                    wrong = golden["pairs"][name] - published["counts"][key]
                    parts.append(right <= published["counts"][key] and len(part) - right <= wrong)
    checks.that(all(same), "LLMBar: accuracy, consistency and both orders right of each judge on each subset", f"{sum(same)} of {len(same)}")
    checks.that(all(parts) and len(parts) == 40, "LLMBar: the rows are a part of the published ones", f"{sum(parts)} of {len(parts)}")


def check_breakdown(checks, data):
    """One command on the file as it is has the accuracy of each judge on each subset, and their mean over subsets."""
    judges = {name: f"judge{at}" for at, name in enumerate(SIX)}
    named = ",".join(f"{column}=judges.{name}" for name, column in judges.items())
    path = data / "llmbar.jsonl"
    report = json.loads(tribunal("compare", path, "--labels", "1=1,2=-1", "--judge", named, "--by-column", "subset", "--json"))
    breakdown, same = report["breakdowns"][0], []
    for name, column in judges.items():
        accuracies = []
        for part in breakdown["parts"]:
            of_part = [row for row in rows(path) if row["subset"] == part["name"]]
            given = [row["judges"][name] for row in of_part]
            accuracies.append(of_orders(given, [row["label"] for row in of_part])["accuracy"])
            same.append(close(accuracy(part, column), accuracies[-1]))
        average = next(row["value"] for row in breakdown["macro_averages"] if row["name"] == column)
        same.append(close(average, sum(accuracies) / len(accuracies)))
    checks.that(all(same) and len(same) == 36, "LLMBar as it is: each judge on each subset, in one command", f"{sum(same)} of {len(same)}")


def mtbench(path, scratch):
    """MT-bench with a column for each model; people stay an object of annotators and labels."""
    return write(scratch / "mtbench.jsonl", ({**row, **row.pop("models")} for row in rows(path)))


def close(found, expected):
    return abs(found - expected) < 1e-9


def check_alternative(checks, name, report, expected):
    """The alternative annotator test is that of the authors' program."""
    found = {row["system"]: row for row in report["annotators"]["alternative"]}
    same = []
    for judge, tests in expected["alternative"].items():
        test = next(test for test in tests if test["epsilon"] == 0.2)
        p_values = {annotator["name"]: annotator["p_value"] for annotator in found[judge]["annotators"]}
        same.append(p_values.keys() == test["p_values"].keys())
        same += [close(p_values[annotator], p) for annotator, p in test["p_values"].items()]
        same.append(close(found[judge]["advantage_probability"], test["advantage_probability"]))
    checks.that(all(same), f"{name}: the alternative annotator test as elsewhere", f"{sum(same)} of {len(same)} values")
    alpha = report["annotators"]["alpha"]["value"]
    checks.that(close(alpha, expected["alpha"]), f"{name}: Krippendorff's alpha {expected['alpha']:.6f}", f"{alpha:.6f}")


def check_judges(checks, data, scratch):
    """Judges together are better than each alone within LLMBar; their statistics are those of other programs."""
    if not data.exists():
        print(f"skipped: the judgments of language models are not here ({data} does not exist)")
        return
    golden = json.loads((ROOT / "tests" / "golden" / "judges.json").read_text())
    check_breakdown(checks, data)
    check_subsets(checks, data, scratch, json.loads((ROOT / "tests" / "golden" / "llmbar.json").read_text()))
    pairs = llmbar(data / "llmbar.jsonl", scratch / "llmbar.jsonl")
    for judges, least in ((SIX, 0.844), (WEAK, 0.73)):
        report = json.loads(tribunal("train", pairs, "--judge", ",".join(judges), "--json"))
        best = max(accuracy(report, judge) for judge in judges)
        found = f"{accuracy(report, 'ensemble'):.3f}; best alone {best:.3f}"
        checks.that(accuracy(report, "ensemble") >= least, f"LLMBar, {len(judges)} judges together at least {least}", found)
        expected = {name: golden["llmbar"]["judges"][name] for name in judges}
        same = [
            close(judge["accuracy_12"]["value"], expected[judge["name"]]["accuracy"][0])
            and close(judge["accuracy_21"]["value"], expected[judge["name"]]["accuracy"][1])
            and close(judge["accuracy"]["value"], sum(expected[judge["name"]]["accuracy"]) / 2)
            and close(judge["consistency"]["value"], expected[judge["name"]]["consistency"])
            and close(judge["both_orders_right"]["value"], expected[judge["name"]]["both_orders_right"])
            and close(judge["first_shown"]["value"], expected[judge["name"]]["first_shown"])
            for judge in report["judges"]
        ]
        checks.that(all(same), f"LLMBar, {len(judges)} judges: accuracy, consistency and first shown as elsewhere", sum(same))

    pandalm = data / "pandalm.jsonl"
    report = json.loads(tribunal("train", pandalm, "--annotators", PEOPLE, "--judge", "gpt35,pandalm7b", "--json"))
    found = {name: round(accuracy(report, name), 3) for name in ("ensemble", "gpt35", "pandalm7b", "length", "human")}
    checks.that(found["ensemble"] >= 0.733, "PandaLM, two judges and what needs no reference at least 0.733", found)
    check_alternative(checks, "PandaLM", report, golden["pandalm"])
    report = json.loads(tribunal("compare", mtbench(data / "mtbench.jsonl", scratch), "--annotators", "people",
                                 "--judge", ",".join(golden["mtbench"]["judges"]), "--json"))
    check_alternative(checks, "MT-bench", report, golden["mtbench"])
