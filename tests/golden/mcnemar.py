#!/usr/bin/env python3
"""McNemar's test by SciPy, exact and over groups.

    python3 tests/golden/mcnemar.py > tests/golden/mcnemar.json

The exact p is SciPy's two-sided binomial test of b among b + c. Over groups the statistic is (K - 1)/K (sum d)^2 / sum d^2 (Obuchowski
1998), its p the upper tail of SciPy's chi-squared with one degree of freedom.
"""

import json
import sys

import numpy
import scipy
from scipy.stats import binomtest, chi2


def main():
    random = numpy.random.default_rng(14)
    exact = [[0, 0], [1, 0], [0, 4], [5, 5], [10, 3], [37, 61], [400, 310], [5000, 5213]]
    exact = [{"b": b, "c": c, "p": binomtest(b, b + c).pvalue if b + c else 1.0} for b, c in exact]
    clustered = []
    for groups, size in [(2, 1), (5, 3), (20, 1), (40, 6), (200, 4)]:
        b, c = (random.integers(0, size + 1, groups).tolist() for _ in range(2))
        d = numpy.subtract(b, c)
        statistic = (groups - 1) / groups * d.sum() ** 2 / (d**2).sum() if d.any() else 0.0
        clustered.append({"b": b, "c": c, "statistic": float(statistic), "p": float(chi2.sf(statistic, 1))})
    tool = f"SciPy {scipy.__version__}, NumPy {numpy.__version__}"
    command = "python3 tests/golden/mcnemar.py > tests/golden/mcnemar.json"
    json.dump({"tool": tool, "command": command, "exact": exact, "clustered": clustered}, sys.stdout, indent=1)
    print()


if __name__ == "__main__":
    main()
