# A generator for copse. In a study:
#
#   data:
#     generator: {name: external, command: [python3, generator.py], files: [generator.py],
#                 classes: 2, density: true, params: {d: 5, shift: 1}}
#
# Try it: copse try generator.py --param d=5 --param shift=1
import numpy

import copse  # copse puts it into PYTHONPATH


# new draws one random problem, any object. params: the study's, a dict.
# numpy.random is seeded before each call. Here: two normal distributions that
# differ in their means.
def new(params):
    direction = numpy.random.standard_normal(params.get("d", 5))
    return params.get("shift", 1) * direction / numpy.linalg.norm(direction)


# counts: the rows of each class. x: a matrix; y: the codes 0, 1, ...
def sample(mean, counts):
    y = numpy.repeat(numpy.arange(len(counts)), counts)
    return numpy.random.standard_normal((len(y), len(mean))) + numpy.outer(y, mean), y


# Optional: the logarithm of the density of class 0 or 1 at each row of x. It gives
# the oracle, the Bayes error.
def log_density(mean, label, x):
    return -((x - label * mean) ** 2 + numpy.log(2 * numpy.pi)).sum(axis=1) / 2


copse.generator(new, sample, log_density, name="shifted normals", version="1")
