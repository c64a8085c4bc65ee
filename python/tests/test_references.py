"""Scores are those of the reference implementations."""

import pytest
import sacrebleu
from rouge_score.rouge_scorer import RougeScorer

import tribunal


@pytest.fixture(scope="module")
def texts(rows):
    return [row[0] for row in rows], [row[2] for row in rows]


def test_sacrebleu(texts):
    hypotheses, references = texts
    segments = tribunal.score(hypotheses, references, ["bleu", "chrf", "chrf++", "ter"], segments=True)
    whole = tribunal.score(hypotheses, references, ["bleu", "chrf", "chrf++", "ter"])
    metrics = {
        "bleu": (sacrebleu.BLEU(effective_order=True), sacrebleu.BLEU()),
        "chrf": (sacrebleu.CHRF(), sacrebleu.CHRF()),
        "chrf++": (sacrebleu.CHRF(word_order=2), sacrebleu.CHRF(word_order=2)),
        "ter": (sacrebleu.TER(), sacrebleu.TER()),
    }
    for name, (of_sentence, of_corpus) in metrics.items():
        expected = [of_sentence.sentence_score(*pair).score for pair in zip(hypotheses, [[text] for text in references])]
        assert segments[name].tolist() == pytest.approx(expected, rel=1e-12, abs=1e-9), name
        assert whole[name] == pytest.approx(of_corpus.corpus_score(hypotheses, [references]).score, rel=1e-12), name


def test_rouge_score(texts):
    hypotheses, references = texts
    found = tribunal.score(hypotheses, references, ["rouge1", "rouge2", "rougeL"], segments=True)
    scorer = RougeScorer(["rouge1", "rouge2", "rougeL"], use_stemmer=False)
    for row, (hypothesis, reference) in enumerate(zip(hypotheses, references)):
        expected = scorer.score(reference, hypothesis)
        for name, values in found.items():
            assert values[row] == pytest.approx(expected[name].fmeasure, rel=1e-12), (name, row)
