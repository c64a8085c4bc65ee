#!/usr/bin/env python3
"""The speed of an encoder beside bert-score and sentence-transformers on torch, each with one thread.

    python benches/encoder.py --texts FILE --encoder FOLDER [--tribunal BIN]

FILE has a text per line, FOLDER is all-MiniLM-L6-v2. The python that runs this needs what tests/golden/make_encoders.py
needs. Each program encodes every text once: Tribunal for BERTScore and cosine together, the others for one of them. All run in
turn, three times, and the best round of each counts: CPU seconds without start-up, which is measured on one line. The floor is
the time of the bare products of matrices of all linear layers in numpy.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROUNDS = 3
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "RAYON_NUM_THREADS": "1"}

START = "import sys, torch; torch.set_num_threads(1); texts = open(sys.argv[1], encoding='utf-8').read().splitlines()\n"
PEERS = {
    "sentence-transformers": START
    + "from sentence_transformers import SentenceTransformer\n"
    + "SentenceTransformer(sys.argv[2], device='cpu').encode(texts, batch_size=32)",
    "bert-score": START
    + "from bert_score import BERTScorer\n"
    + "scorer = BERTScorer(model_type=sys.argv[2], num_layers=6, use_fast_tokenizer=True, device='cpu', batch_size=64, nthreads=0)\n"
    + "half = len(texts) // 2 or 1\n"
    + "scorer.score(texts[:half], texts[-half:])",
    "matrix products": "import sys, numpy as np\n"
    + "tokens = int(sys.argv[3]); x, up = np.ones((512, 384), np.float32), np.ones((512, 1536), np.float32)\n"
    + "a, b, c = (np.ones(shape, np.float32) for shape in ((384, 384), (384, 1536), (1536, 384)))\n"
    + "for _ in range(6 * tokens // 512): [x @ a for _ in range(4)]; x @ b; up @ c",
}


def cpu_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([str(part) for part in command], check=True, capture_output=True, env={**os.environ, **ONE_THREAD})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=Path, required=True)
    parser.add_argument("--encoder", type=Path, required=True)
    parser.add_argument("--tribunal", type=Path, default=ROOT / "target" / "release" / "tribunal")
    options = parser.parse_args()
    texts = sorted(set(options.texts.read_text(encoding="utf-8").splitlines()))
    texts = texts[: len(texts) // 2 * 2]
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(options.encoder / "tokenizer.json"))
    tokenizer.no_padding()
    tokens = sum(len(found.ids) for found in tokenizer.encode_batch(texts))
    with tempfile.TemporaryDirectory() as scratch:
        folder, times = Path(scratch), {}
        for name, part in (("all", texts), ("one", texts[:2])):
            (folder / name).write_text("".join(f"{text}\n" for text in part), encoding="utf-8")
            half = len(part) // 2
            for side, lines in (("hyp", part[:half]), ("ref", part[half:])):
                (folder / f"{name}.{side}").write_text("".join(f"{text}\n" for text in lines), encoding="utf-8")

        def command(program, name):
            if program == "tribunal":
                metrics = ("--metrics", "bertscore,cosine", "--encoder", options.encoder, "-q")
                return [options.tribunal, "score", folder / f"{name}.hyp", "-r", folder / f"{name}.ref", *metrics]
            return [sys.executable, "-c", PEERS[program], folder / name, options.encoder, tokens if name == "all" else 0]

        for _ in range(ROUNDS):
            for program in ("tribunal", *PEERS):
                spent = cpu_seconds(command(program, "all")) - cpu_seconds(command(program, "one"))
                times[program] = min(spent, times.get(program, spent))
    print(f"{len(texts)} texts, {tokens / len(texts):.1f} tokens each")
    for program, spent in times.items():
        print(f"{program:22} {spent:7.2f} s of CPU, {len(texts) / spent:6.1f} texts a second, {spent / times['tribunal']:.2f} times tribunal")


if __name__ == "__main__":
    main()
