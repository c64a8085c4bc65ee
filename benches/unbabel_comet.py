#!/usr/bin/env python3
"""COMET by Tribunal and by unbabel-comet, side by side, on a random model of XLM-RoBERTa large's shape.

Ten systems translate the same segments, so that a source and a reference occur ten times: Tribunal encodes each once. Both compute
in single precision, one after the other, on the same core, and want a machine without other work; `comet-score` computes as it is,
in half precision, a part of the segments. Wants `pip install "setuptools<81" unbabel-comet==2.2.7`. The tokeniser is the tiny one of tests/golden/comet, whose
vocabulary is filled up to XLM-RoBERTa's.
"""

import argparse
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = os.environ.get("TRIBUNAL", str(ROOT / "target/release/tribunal"))
TINY = ROOT / "tests/golden/comet/tiny-xlm-roberta"
SHAPE = {"hidden_size": 1024, "num_hidden_layers": 24, "num_attention_heads": 16, "intermediate_size": 4096, "vocab_size": 250002}
SCORE = """
import json, sys, time, torch
torch.set_num_threads(1)
from comet import load_from_checkpoint
model = load_from_checkpoint(sys.argv[1], local_files_only=True)
data = [json.loads(line) for line in open(sys.argv[2], encoding="utf8")]
begun = time.process_time()
scores = model.predict(data, batch_size=16, gpus=0, num_workers=0, progress_bar=False).scores
print(json.dumps({"seconds": time.process_time() - begun, "scores": scores}))
"""


def make_model(folder, layers):
    """A random model, as Lightning saves one, and its tokeniser."""
    import torch
    from comet.models import RegressionMetric

    pretrained = folder / "pretrained"
    pretrained.mkdir()
    config = json.loads((TINY / "config.json").read_text())
    config.update(SHAPE, num_hidden_layers=layers)
    (pretrained / "config.json").write_text(json.dumps(config))
    tokenizer = json.loads((TINY / "tokenizer.json").read_text())
    vocabulary = tokenizer["model"]["vocab"]
    vocabulary += [[f"\ue000{number}", -90.0] for number in range(SHAPE["vocab_size"] - len(vocabulary))]
    (pretrained / "tokenizer.json").write_text(json.dumps(tokenizer))
    (pretrained / "tokenizer_config.json").write_text((TINY / "tokenizer_config.json").read_text())
    torch.manual_seed(1)
    model = RegressionMetric(
        encoder_model="XLM-RoBERTa", pretrained_model=str(pretrained), load_pretrained_weights=False, local_files_only=True,
        pool="avg", layer="mix", layer_transformation="sparsemax", layer_norm=False, hidden_sizes=[3072, 1024],
        activations="Tanh", loss="mse",
    )
    (folder / "model/checkpoints").mkdir(parents=True)
    settings = {**dict(model.hparams), "class_identifier": "regression_metric"}
    (folder / "model/hparams.yaml").write_text("".join(f"{name}: {json.dumps(value)}\n" for name, value in settings.items()))
    torch.save(
        {"state_dict": model.state_dict(), "hyper_parameters": settings, "pytorch-lightning_version": "2.0.0", "epoch": 0,
         "global_step": 0, "loops": {}, "hparams_name": "kwargs"},
        folder / "model/checkpoints/model.ckpt",
    )


def run(command, folder):
    """Runs a command on one core: its output, its CPU seconds, and the most memory that it took, in MB."""
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "RAYON_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": ""}
    pin = lambda: os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    with tempfile.TemporaryFile() as out:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=out, preexec_fn=pin)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        assert process.returncode == 0, command
        out.seek(0)
        return out.read().decode(), used.ru_utime + used.ru_stime, used.ru_maxrss // 1024


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--segments", type=int, default=200)
    parser.add_argument("--half", type=int, default=10, help="segments that comet-score scores, in half precision")
    parser.add_argument("--systems", type=int, default=10)
    parser.add_argument("--layers", type=int, default=24)
    given = parser.parse_args()
    rows = [json.loads(line) for line in (ROOT / "tests/golden/comet/inputs.jsonl").read_text(encoding="utf8").splitlines()]
    words = " ".join(row["mt"] for row in rows if row["group"] == "main").split()
    draw = random.Random(1)
    sentence = lambda: " ".join(draw.choices(words, k=draw.randint(5, 13)))
    names = [f"system{number}" for number in range(given.systems)]
    texts = {name: [sentence() for _ in range(given.segments)] for name in ("src", "ref", *names)}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        make_model(folder, given.layers)
        model = folder / "model/checkpoints/model.ckpt"

        def write(segments):
            for name, lines in texts.items():
                (folder / name).write_text("".join(f"{line}\n" for line in lines[:segments]), encoding="utf8")
            table = [zip(texts["src"][:segments], texts[name], texts["ref"]) for name in names]
            table = [json.dumps({"src": s, "mt": m, "ref": r}) + "\n" for rows in table for s, m, r in rows]
            (folder / "table").write_text("".join(table), encoding="utf8")

        ours = [
            PROGRAM, "score", *names, "-r", "ref", "--src", "src", "--metrics", "comet", "--segments", "--threads", "1", "--comet",
            str(folder / "model"), "--comet-tokenizer", str(folder / "pretrained"), "-q",
        ]
        write(given.segments)
        found, seconds, memory = run(ours, folder)
        out, whole, peak = run([sys.executable, "-c", SCORE, str(model), "table"], folder)
        theirs = json.loads(out.splitlines()[-1])
        rows = [line.split("\t") for line in found.splitlines()[1:]]
        found = [float(row[-1]) for row in rows]
        off = max(abs(one - other) for one, other in zip(found, theirs["scores"], strict=True))
        print(f"{given.segments} segments of {given.systems} systems, seconds of processor time with loading the model:")
        print(f"tribunal {seconds:.0f} s, {memory} MB; unbabel-comet {whole:.0f} s ({theirs['seconds']:.0f} without loading), {peak} MB")
        print(f"{theirs['seconds'] / seconds:.1f} times as long; scores differ by at most {off:.1e}", flush=True)
        write(given.half)
        score = pathlib.Path(sys.executable).with_name("comet-score")
        half = [str(score), "-s", "src", "-t", *names, "-r", "ref", "--model", str(model), "--gpus", "0", "--only_system"]
        (_, seconds, memory), (_, whole, peak) = run(ours, folder), run(half, folder)
        print(f"{given.half} segments: tribunal {seconds:.0f} s, {memory} MB; comet-score {whole:.0f} s, {peak} MB: {whole / seconds:.1f} times")


if __name__ == "__main__":
    main()
