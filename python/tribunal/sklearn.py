"""An estimator for scikit-learn: the ensemble in pipelines, searches and cross-validation.

    >>> from sklearn.model_selection import GroupKFold, cross_val_score
    >>> import tribunal
    >>> from tribunal.sklearn import TribunalClassifier
    >>> scores = cross_val_score(TribunalClassifier(), pairs, labels,
    ...                          groups=tribunal.groups(pairs), cv=GroupKFold(5))  # doctest: +SKIP

Split by `tribunal.groups`, so that no reference is in both training and test data: otherwise the accuracy is inflated.
"""

from __future__ import annotations

try:
    from sklearn.base import BaseEstimator, ClassifierMixin
    from sklearn.utils.validation import check_is_fitted
except ImportError as error:
    raise ImportError("tribunal.sklearn needs scikit-learn: pip install 'tribunal[sklearn]'") from error

import numpy as np

import tribunal

__all__ = ["TribunalClassifier"]

#: The verdicts of the library, in the order of `TribunalClassifier.classes`.
VERDICTS = (-1, 0, 1)


class TribunalClassifier(ClassifierMixin, BaseEstimator):
    """The learned ensemble as a scikit-learn classifier of pairs.

    X is a list of n tuples ``(hyp1, hyp2, ref)``, an object array of shape (n, 3), or a table with the columns hyp1,
    hyp2 and ref; y is 1 (the first is better), 0 or -1. The parameters are those of `tribunal.train`; values of own
    metrics and verdicts of judges are in columns of X.

    `classes` are the labels of y for -1, 0 and 1, such as ``("B", "tie", "A")``. `cross_val_predict` encodes labels as
    0, 1 and 2 if it asks for probabilities: give ``(0, 1, 2)`` there.

    After `fit`, ``model_`` is the `tribunal.Model`, and ``classes_`` holds the classes sorted, as usual in
    scikit-learn: this is the order of the columns of `predict_proba`.
    """

    def __init__(
        self,
        *,
        classes=(-1, 0, 1),
        own=None,
        judges=None,
        only_own=False,
        column=None,
        without=None,
        ties="likeliest",
        seed=1,
        language="en",
        encoder=None,
        comet=None,
    ):
        self.classes = classes
        self.own = own
        self.judges = judges
        self.only_own = only_own
        self.column = column
        self.without = without
        self.ties = ties
        self.seed = seed
        self.language = language
        self.encoder = encoder
        self.comet = comet

    def fit(self, X, y, *, groups=None, sample_weight=None):
        """Train on pairs; pairs of a group stay in the same fold, and `sample_weight` is the weight of each pair."""
        verdicts = dict(zip(self.classes, VERDICTS, strict=True))
        self.model_ = tribunal.fit(
            X,
            [verdicts.get(label, label) for label in np.asarray(y).tolist()],
            groups=groups,
            weights=sample_weight,
            own=self.own,
            judges=self.judges,
            only_own=self.only_own,
            column=self.column,
            without=self.without,
            ties=self.ties,
            seed=self.seed,
            language=self.language,
            encoder=self.encoder,
            comet=self.comet,
        )
        self.classes_ = np.unique(np.asarray(self.classes))
        return self

    def predict(self, X):
        """The class of each pair: (n,)."""
        check_is_fitted(self)
        return np.asarray(self.classes)[self.model_.predict(X, column=self.column) + 1]

    def predict_proba(self, X):
        """The probabilities of the classes, in the order of ``classes_``: (n, 3)."""
        check_is_fitted(self)
        # The model gives them in the order 1, 0, -1.
        given = self.model_.predict_proba(X, column=self.column)
        return given[:, ::-1][:, np.argsort(np.asarray(self.classes))]

    def __sklearn_tags__(self):
        """Declare that pairs are texts instead of numbers."""
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.string = True
        tags.no_validation = True
        return tags
