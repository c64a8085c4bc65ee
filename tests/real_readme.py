#!/usr/bin/env python3
"""What the README shows of real judgments, which are not part of the project.

    python3 tests/real_readme.py --data FOLDER

runs the commands of the README's blocks that name this script, says which of the lines shown there are not printed, and prints the
tables of judges and few labels. `tests/real_data.py` checks the same.
"""

import argparse
import json
import random
import shlex
import shutil
import tempfile
from pathlib import Path
from statistics import mean

from program import ROOT, accuracy, tribunal
from real_judges import MODELS, SUBSETS, llmbar, rows, write

JUDGES = {f"{model}/Vanilla": model.lower().replace("-", "") for model in MODELS}
PEOPLE = ["annotator1", "annotator2", "annotator3"]
LABELS = 150
DRAWS = 20


def pandalm(path, to, seed):
    """PandaLM with the labels of a random part."""
    pairs = rows(path)
    labelled = set(random.Random(seed).sample(range(len(pairs)), LABELS))
    # Words that are no verdict are read as missing; of the drawn pairs they may be too many.
    hide = lambda at, row: row if at in labelled else {**row, **dict.fromkeys(PEOPLE)}
    return write(to, ({**hide(at, row), "gpt35": row["gpt35"].replace("garbage", "")} for at, row in enumerate(pairs)))


def missing_lines(folder):
    """The lines that the documents show and the program does not print. Commands run in `folder`, which has the files that they name."""
    missing = []
    documents = ("README.md", "docs/outputs.md")
    lines = iter([line for name in documents for line in (ROOT / name).read_text(encoding="utf-8").splitlines()])
    for line in lines:
        if line != "<!-- run by tests/real_readme.py -->":
            continue
        next(lines)
        printed = ""
        for line in iter(lambda: next(lines), "```"):
            if line.startswith("$ tribunal "):
                words = shlex.split(line)[2:]
                printed = tribunal(*(folder / word if is_file(word) else word for word in words))
            elif line != "..." and not line.startswith("$ ") and line not in printed.splitlines():
                missing.append(line)
    return missing


def is_file(word):
    return word == "report" or word.endswith((".jsonl", ".csv", ".pairs", ".answers", ".json", ".out"))


def gain(name, report, judges):
    best = max(judges, key=lambda judge: accuracy(report, judge))
    ours = report["systems"][0]
    against = ours["against"]
    low, high = (100 * against[end] for end in ("low", "high"))
    return f"| {name} | `{best}` {accuracy(report, best):.3f} | {ours['accuracy']:.3f} | {100 * against['difference']:+.1f} ({low:.1f} to {high:.1f}) |"


def subsets(data, folder):
    """The rows of the table of LLMBar's subsets: GPT-4; the ensemble without judges and with six, cross-validated on all
    subsets; that of judges and texts, and of judges only, which learned on the other subsets."""
    judges = ("--judge", ",".join(JUDGES.values()))
    files = [llmbar(data / "judges" / "llmbar.jsonl", folder / f"{name}.jsonl", JUDGES, subset) for subset, name in SUBSETS.items()]
    alone, together = (json.loads(tribunal("train", *files, *options, "--json")) for options in ((), judges))

    def held_out(path, *options):
        tribunal("train", *(other for other in files if other != path), *judges, *options, "-m", folder / "others.model.json")
        return json.loads(tribunal("compare", path, "-m", folder / "others.model.json", *judges, "--json"))["systems"][0]["accuracy"]

    header = ["LLMBar", "pairs", "`gpt4`", "texts alone", "ensemble", "held out", "held out, `--only-own`"]
    line = lambda cells: f"| {' | '.join(cells)} |"
    written = lambda *shares: [f"{share:.3f}" for share in shares]
    parts = lambda report: report["breakdowns"][0]["parts"]
    lines = [line(header), line(["---", *["---:"] * 6])]
    for path, without, with_judges in zip(files, parts(alone), parts(together)):
        shares = (accuracy(with_judges, "gpt4"), accuracy(without, "ensemble"), accuracy(with_judges, "ensemble"))
        lines.append(line([path.stem, str(with_judges["rows"]), *written(*shares, held_out(path), held_out(path, "--only-own"))]))
    shares = (accuracy(together, "gpt4"), accuracy(alone, "ensemble"), accuracy(together, "ensemble"))
    return [*lines, line(["all", str(together["rows"]), *written(*shares), "", ""])]


def table(data, folder):
    """The rows of the tables of judges in docs/accuracy.md, as Markdown, and the sentence on labels."""
    train = lambda pairs, judges, *others: json.loads(tribunal("train", pairs, "--judge", ",".join(judges), "--json", *others))
    lines = ["| data | best judge | ensemble | gain (points, 95% CI) |", "| --- | ---: | ---: | ---: |"]
    two = ["gpt35", "pandalm7b"]
    report = train(data / "judges" / "pandalm.jsonl", two, "--annotators", ",".join(PEOPLE))
    lines.append(gain(f"PandaLM, two judges; one annotator has {accuracy(report, 'human'):.3f}", report, two))
    worth = []
    for seed in range(DRAWS):
        path = pandalm(data / "judges" / "pandalm.jsonl", folder / "draw.jsonl", seed)
        found = json.loads(tribunal("rank", path, "--annotators", ",".join(PEOPLE), "--judge", ",".join(two), "--by", "both", "--json"))
        worth.append(found["worth"]["labels"])
    sentence = f"{LABELS} random labels of PandaLM and these judges say as much as {mean(worth):.0f} labels alone (mean of {DRAWS} draws)."
    return [*lines, sentence, *subsets(data, folder)]


def prepare(data, folder):
    llmbar(data / "judges" / "llmbar.jsonl", folder / "llmbar.jsonl", JUDGES)
    pandalm(data / "judges" / "pandalm.jsonl", folder / "pandalm.jsonl", seed=0)
    shutil.copy(data / "wmt-pairs" / "train.hyp1-hyp2-ref", folder / "wmt12.pairs")
    shutil.copy(data / "wmt-pairs" / "train.answers", folder / "wmt12.answers")
    shutil.copy(folder / "wmt12.pairs", folder / "new.pairs")
    shutil.copy(data / "summaries" / "realsumm.csv", folder / "realsumm.csv")


def check_readme(checks, data, scratch):
    """The README shows what the program prints."""
    if not (data / "judges").exists():
        print(f"skipped: the README's commands ({data / 'judges'} does not exist)")
        return
    prepare(data, scratch)
    missing = missing_lines(scratch)
    shown = "".join((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/accuracy.md"))
    missing += [line for line in table(data, scratch) if line not in shown]
    checks.that(not missing, "the README shows what its commands print on real judgments", missing)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="the folder of the judgments")
    data = parser.parse_args().data
    with tempfile.TemporaryDirectory() as folder:
        prepare(data, Path(folder))
        print("\n".join(table(data, Path(folder))))
        print("not printed:", missing_lines(Path(folder)))


if __name__ == "__main__":
    main()
