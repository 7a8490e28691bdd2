# A classifier for copse. In a study:
#
#   - {id: mine, classifier: external, command: [python3, method.py], files: [method.py], params: {ridge: 0.01}}
#
# Try it: copse try method.py --param ridge=0.01
import numpy

import copse  # copse puts it into PYTHONPATH


# x: float64 matrix, n x d. y: class codes 0, 1, ... params: the study's, a dict.
# numpy.random and random are seeded; copse.task["seed31"] is for random_state.
# Here: linear discriminants, with a ridge on the pooled covariance matrix.
def fit(x, y, params):
    codes = numpy.arange(len(copse.task["classes"]))
    means = numpy.array([x[y == c].mean(axis=0) for c in codes])
    within = x - means[y]
    s = within.T @ within / len(x)
    s += (params.get("ridge", 0.01) * s.diagonal().mean() + 1e-12) * numpy.eye(x.shape[1])
    weights = numpy.linalg.solve(s, means.T)
    share = numpy.array([(y == c).mean() for c in codes])
    return weights, numpy.log(share) - (means.T * weights).sum(axis=0) / 2


# One class code per row of x, or a matrix of probabilities, one column per class.
def predict(model, x):
    weights, offset = model
    # Row by row, so that a row's sums do not depend on the rows beside it.
    score = numpy.array([row @ weights for row in x]) + offset
    p = numpy.exp(score - score.max(axis=1, keepdims=True))
    return p / p.sum(axis=1, keepdims=True)


# What it can do: classes=2 for two at most, discrete and missing (values).
copse.classifier(fit, predict, name="ridge LDA", version="1", classes=0, discrete=False, missing=False, probabilities=True)
