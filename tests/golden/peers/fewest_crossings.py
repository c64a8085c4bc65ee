"""METEOR of 2005 as it is defined, with NLTK's words, stems and synonyms: each stage makes as many matches as there can be,
and of these alignments takes the one with the fewest crossings.

NLTK departs from that in two ways: it matches greedily, and it compares stems, which are in lower case, with WordNet's names as
they are written, so that names with capitals (`US`, `Czech`) never match.

The search here shares no code with Tribunal's. It is exact; where it would take too long it is cut off, and such segments are
counted apart."""

from collections import Counter
from functools import lru_cache

from nltk.corpus import wordnet
from nltk.stem.porter import PorterStemmer
from nltk.translate import meteor_score as meteor

ALPHA, BETA, GAMMA = 0.9, 3.0, 0.5
STEMMER = PorterStemmer()

# States of a search: more than the longest sentences of WMT need.
WIDTH = 100_000
# How often a search of each width had more states.
CUT_OFF = Counter()


def explain(segment, ours):
    """In which way NLTK departs from the definition, if our value is that of the definition; otherwise None."""
    hyp, refs = words(segment.hyp), [words(ref) for ref in segment.refs]
    before = CUT_OFF[WIDTH]
    defined = max(score(hyp, ref) for ref in refs)
    searched = "" if CUT_OFF[WIDTH] == before else f", among the best {WIDTH} states of the search"
    if abs(ours - defined) > 1e-9 * abs(defined):
        return None
    if any(departs(hyp, ref, AS_WRITTEN) for ref in refs):
        return f"NLTK's alignment crosses more often, or matches less{searched}"
    if any(departs(hyp, ref, STAGES) for ref in refs):
        return f"NLTK misses a name with capitals{searched}"
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
    """Goes through the words that have a choice, from the last to the first, with all sets of places that may be taken by
    then. Of two that leave the same between the places that are still to come, the one with fewer crossings is enough."""

    def __init__(self, candidates, settled):
        self.words = [h for h, _ in candidates]
        # For each word the latest place first, each with what it crosses of the settled matches.
        self.candidates = [
            [(r, sum(cross((h, r), other) for other in settled)) for r in sorted(refs, reverse=True)]
            for h, refs in candidates
        ]
        self.size = largest_matching([refs for _, refs in candidates])
        self.alike = [self.places_of_alike(refs, candidates) for _, refs in candidates]
        # For each word and those with the same places, the later ones among all.
        self.later = [
            [later for later in range(at + 1, len(candidates)) if candidates[later][1] == refs]
            for at, (_, refs) in enumerate(candidates)
        ]
        self.needed = [min(len(refs), sum(others == refs for _, others in candidates)) for _, refs in candidates]
        to_come = [sorted({r for _, refs in candidates[at:] for r in refs}) for at in range(len(candidates) + 1)]
        self.to_come = [[(1 << r, (1 << r) - 1) for r in places] for places in to_come]
        # A narrow search first: what it finds is the most that the second may cross.
        bound = self.run(float("inf"), width=500)
        _, self.best = self.run(bound[0], WIDTH) or bound

    @staticmethod
    def places_of_alike(refs, candidates):
        """The places of a word, one bit each, if no other word shares only some of them; otherwise 0."""
        shared = any(others != refs and set(others) & set(refs) for _, others in candidates)
        return 0 if shared else sum(1 << r for r in refs)

    def run(self, bound, width):
        """(crossings, matches) of the best matching that crosses at most `bound` times, or None. More than `width` states
        are too many; the search goes on with those of the fewest crossings then, and says so in `CUT_OFF`."""
        states = [(0, 0, ())]
        for at in range(len(self.words)):
            following = {}
            for state in states:
                for count, taken, chosen in self.choices(at, *state):
                    if count + self.at_least(at + 1, taken) > bound:
                        continue
                    left = tuple((taken & bit, (taken & below).bit_count()) for bit, below in self.to_come[at + 1])
                    known = following.get((len(chosen), left))
                    # The order of the states is that in which equals are preferred.
                    if known is None or count < known[0]:
                        following.pop((len(chosen), left), None)
                        following[len(chosen), left] = (count, taken, chosen)
            states = list(following.values())
            if len(states) > width:
                CUT_OFF[width] += 1
                kept = sorted(range(len(states)), key=lambda place: (states[place][0], place))[:width]
                states = [states[place] for place in sorted(kept)]
        best = min(states, key=lambda state: state[0], default=None)
        return best and (best[0], best[2])

    def choices(self, at, count, taken, chosen):
        """The states in which one more word is decided, the preferred one first."""
        for r, settled in self.candidates[at]:
            # Matches of words with the same places never cross: exchanging them takes at least one crossing away.
            before = (1 << r) - 1 if self.alike[at] else 0
            if not taken >> r & 1 and not taken & self.alike[at] & before and self.is_full(at, taken | 1 << r, chosen, 1):
                more = settled + (taken & ((1 << r) - 1)).bit_count()
                yield count + more, taken | 1 << r, (*chosen, (self.words[at], r))
        if self.is_full(at, taken, chosen, 0):
            yield count, taken, chosen

    def is_full(self, at, taken, chosen, more):
        """True if the words to come can still make as many matches as there have to be."""
        if self.alike[at]:
            mine = taken & self.alike[at]
            # Only places before all that are taken are left to words that do not cross.
            below = self.alike[at] & ((mine & -mine) - 1) if mine else self.alike[at]
            return mine.bit_count() + min(len(self.later[at]), below.bit_count()) >= self.needed[at]
        free = [[r for r, _ in refs if not taken >> r & 1] for refs in self.candidates[at + 1 :]]
        return len(chosen) + more + largest_matching(free) >= self.size

    def at_least(self, at, taken):
        """How often the words from `at` on cross what is taken, wherever they are matched."""
        least, seen = 0, 0
        for word in range(at, len(self.words)):
            if self.alike[word] and not seen & self.alike[word]:
                seen |= self.alike[word]
                missing = self.needed[word] - (taken & self.alike[word]).bit_count()
                each = sorted(self.cheapest(one, taken) for one in (word, *self.later[word]))
                least += sum(each[:missing])
        return least

    def cheapest(self, word, taken):
        return min(settled + (taken & ((1 << r) - 1)).bit_count() for r, settled in self.candidates[word])


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
