# A classifier for copse. In a study:
#
#   - {id: mine, classifier: external, command: [python3, method.py], files: [method.py], params: {ridge: 0.01}}
#
# Test it: copse try method.py --param ridge=0.01

# Import packages here. copse records their versions, but not the versions of packages that a
# function imports later.
import numpy

import copse  # copse adds it to PYTHONPATH


# x is an n x d matrix of float64, y contains the class codes 0, 1, ..., and params is the
# dict of parameters in the study. copse seeds numpy.random and random; use
# copse.task["seed31"] for random_state. This example is linear discriminant analysis with a
# ridge on the pooled covariance matrix.
def fit(x, y, params):
    codes = numpy.arange(len(copse.task["classes"]))
    means = numpy.array([x[y == c].mean(axis=0) for c in codes])
    within = x - means[y]
    s = within.T @ within / len(x)
    s += (params.get("ridge", 0.01) * s.diagonal().mean() + 1e-12) * numpy.eye(x.shape[1])
    weights = numpy.linalg.solve(s, means.T)
    share = numpy.array([(y == c).mean() for c in codes])
    return weights, numpy.log(share) - (means.T * weights).sum(axis=0) / 2


# predict returns one class code per row of x, or a matrix of probabilities with one column
# per class, in the order of copse.task["classes"]. Columns of a data frame can have any order
# if their names are the classes or their codes.
def predict(model, x):
    weights, offset = model
    # Compute row by row, so that the sums of a row do not depend on the other rows.
    score = numpy.array([row @ weights for row in x]) + offset
    p = numpy.exp(score - score.max(axis=1, keepdims=True))
    return p / p.sum(axis=1, keepdims=True)


# State what the method accepts: at most two classes (classes=2), discrete attributes
# (discrete=True), missing values (missing=True).
copse.classifier(fit, predict, name="ridge LDA", version="1", classes=0, discrete=False, missing=False, probabilities=True)
