"""METEOR of 2005 as it is defined, with NLTK's words, stems and synonyms: each stage makes as many matches as there can be,
and of these alignments takes the one with the fewest crossings.

NLTK departs from that in two ways: it matches greedily, and it compares stems, which are in lower case, with WordNet's names as
they are written, so that names with capitals (`US`, `Czech`) never match.

The search goes depth first through all choices, gives up where it crosses too often, and shares nothing with Tribunal's."""

from collections import Counter
from functools import lru_cache

from nltk.corpus import wordnet
from nltk.stem.porter import PorterStemmer
from nltk.translate import meteor_score as meteor

ALPHA, BETA, GAMMA = 0.9, 3.0, 0.5
STEMMER = PorterStemmer()


def explain(segment, ours):
    """In which way NLTK departs from the definition, if our value is that of the definition; otherwise None."""
    hyp, refs = words(segment.hyp), [words(ref) for ref in segment.refs]
    defined = max(score(hyp, ref) for ref in refs)
    if abs(ours - defined) > 1e-9 * abs(defined):
        return None
    if any(departs(hyp, ref, AS_WRITTEN) for ref in refs):
        return "NLTK's alignment crosses more often, or matches less"
    if any(departs(hyp, ref, STAGES) for ref in refs):
        return "NLTK misses a name with capitals"
    return None


def words(text):
    return [word.lower() for word in text.split()]


def departs(hyp, ref, stages):
    """True if NLTK, in the first stage where it matches otherwise than defined, has fewer matches or more crossings."""
    greedy, _, _ = meteor.align_words(hyp, ref)
    settled, left = [], set(greedy)
    for edges in stages:
        free_hyp, free_ref = free(hyp, ref, settled)
        candidates = edges(hyp, ref, free_hyp, free_ref)
        # The stages of NLTK are told apart by what they can match.
        theirs = {(h, r) for h, r in left if r in dict(candidates).get(h, ())}
        defined = fewest(candidates, tuple(settled))
        if set(defined) != theirs:
            return (-len(theirs), crossings(theirs, settled)) > (-len(defined), crossings(defined, settled))
        settled += defined
        left -= theirs
    return False


def score(hyp, ref):
    """The formula of NLTK's `single_meteor_score` on the defined alignment."""
    settled = []
    for edges in STAGES:
        settled += fewest(edges(hyp, ref, *free(hyp, ref, settled)), tuple(settled))
    if not settled:
        return 0.0
    precision, recall = len(settled) / len(hyp), len(settled) / len(ref)
    fmean = precision * recall / (ALPHA * precision + (1 - ALPHA) * recall)
    fragmentation = meteor._count_chunks(sorted(settled)) / len(settled)
    return (1 - GAMMA * fragmentation**BETA) * fmean


# ---- what each stage may match: (place in the hypothesis, its places in the reference), ...


def free(hyp, ref, settled):
    return (
        [at for at in range(len(hyp)) if at not in {h for h, _ in settled}],
        [at for at in range(len(ref)) if at not in {r for _, r in settled}],
    )


def equal_words(hyp, ref, free_hyp, free_ref):
    return having({h: [r for r in free_ref if ref[r] == hyp[h]] for h in free_hyp})


def equal_stems(hyp, ref, free_hyp, free_ref):
    return having({h: [r for r in free_ref if stem(ref[r]) == stem(hyp[h])] for h in free_hyp})


def synonyms(hyp, ref, free_hyp, free_ref):
    """NLTK hands stems to this stage, not words."""
    return having({h: [r for r in free_ref if stem(ref[r]) in lower(synonyms_of(stem(hyp[h])))] for h in free_hyp})


def synonyms_as_written(hyp, ref, free_hyp, free_ref):
    return having({h: [r for r in free_ref if stem(ref[r]) in synonyms_of(stem(hyp[h]))] for h in free_hyp})


def having(edges):
    return tuple((h, tuple(refs)) for h, refs in edges.items() if refs)


STAGES = (equal_words, equal_stems, synonyms)
AS_WRITTEN = (equal_words, equal_stems, synonyms_as_written)


@lru_cache(maxsize=None)
def stem(word):
    return STEMMER.stem(word)


@lru_cache(maxsize=None)
def synonyms_of(word):
    names = {lemma.name() for synset in wordnet.synsets(word) for lemma in synset.lemmas()}
    return frozenset({name for name in names if "_" not in name} | {word})


@lru_cache(maxsize=None)
def lower(names):
    return frozenset(name.lower() for name in names)


# ---- the search


def crossings(pairs, settled):
    """Pairs of matches in different order on the two sides, with at least one of them in `pairs`."""
    pairs = list(pairs)
    inner = sum(cross(one, other) for at, one in enumerate(pairs) for other in pairs[:at])
    return inner + sum(cross(one, other) for one in pairs for other in settled)


def cross(one, other):
    return (one[0] - other[0]) * (one[1] - other[1]) < 0


@lru_cache(maxsize=1000)
def fewest(candidates, settled):
    """The largest matching with the fewest crossings. Among equals that in which, from the last word of the hypothesis to the
    first, each has the latest word of the reference: the order in which NLTK matches."""
    owners = Counter(r for _, refs in candidates for r in refs)
    certain = [(h, refs[0]) for h, refs in candidates if len(refs) == 1 and owners[refs[0]] == 1]
    taken = {h for h, _ in certain}
    search = Search([one for one in reversed(candidates) if one[0] not in taken], [*settled, *certain])
    return sorted([*certain, *search.best])


class Search:
    """Depth first over the words that have a choice, from the last to the first."""

    def __init__(self, candidates, settled):
        self.words = [h for h, _ in candidates]
        # For each word the latest place first, each with what it crosses of the settled matches.
        self.candidates = [
            [(r, sum(cross((h, r), other) for other in settled)) for r in sorted(refs, reverse=True)]
            for h, refs in candidates
        ]
        self.size = largest_matching([refs for _, refs in candidates])
        self.must = [self.may_not_be_left_out(refs, candidates) for _, refs in candidates]
        self.next_alike = [
            next((later for later in range(at + 1, len(candidates)) if candidates[later][1] == refs), None)
            for at, (_, refs) in enumerate(candidates)
        ]
        self.best, self.fewest = [], float("inf")
        self.visit(0, [], {}, 0)

    @staticmethod
    def may_not_be_left_out(refs, candidates):
        """True for one of some words that can all be matched with the same places."""
        alike = [others for _, others in candidates if set(others) & set(refs)]
        return all(others == refs for others in alike) and len(alike) <= len(refs)

    def visit(self, at, chosen, below, count):
        """`below`: where the words before which something alike was chosen have to stay. Matches of words with the same
        candidates never cross: exchanging the two places takes at least one crossing away."""
        if count >= self.fewest or len(chosen) + len(self.words) - at < self.size:
            return
        if count + self.at_least(at, chosen) >= self.fewest:
            return
        if at == len(self.words):
            self.best, self.fewest = list(chosen), count
            return
        h, limit = self.words[at], below.get(at, float("inf"))
        taken = {r for _, r in chosen}
        for r, settled in self.candidates[at]:
            if r not in taken and r < limit:
                more = settled + sum(cross((h, r), other) for other in chosen)
                chosen.append((h, r))
                self.visit(at + 1, chosen, {**below, self.next_alike[at]: r}, count + more)
                chosen.pop()
        if not self.must[at]:
            self.visit(at + 1, chosen, {**below, self.next_alike[at]: limit}, count)

    def at_least(self, at, chosen):
        """How often the words that have to be matched cross what is chosen, wherever they are matched."""
        return sum(
            min(settled + sum(r > other for _, other in chosen) for r, settled in self.candidates[later])
            for later in range(at, len(self.words))
            if self.must[later]
        )


def largest_matching(candidates):
    """Its size, by augmenting paths."""
    owner = {}

    def place(word, seen):
        for r in candidates[word]:
            if r not in seen:
                seen.add(r)
                if r not in owner or place(owner[r], seen):
                    owner[r] = word
                    return True
        return False

    return sum(place(word, set()) for word in range(len(candidates)))
