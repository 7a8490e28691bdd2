# A generator for copse. In a study:
#
#   data:
#     generator: {name: external, command: [python3, generator.py], files: [generator.py],
#                 classes: 2, density: true, params: {d: 5, shift: 1}}
#
# Test it: copse try generator.py --param d=5 --param shift=1

# Import packages here. copse records their versions, but not the versions of packages that a
# function imports later.
import numpy

import copse  # copse adds it to PYTHONPATH


# new returns a random problem as any object. params is the dict of parameters in the
# study. copse seeds numpy.random before each call. This example draws two normal
# distributions that differ in their means.
def new(params):
    direction = numpy.random.standard_normal(params.get("d", 5))
    return params.get("shift", 1) * direction / numpy.linalg.norm(direction)


# counts contains the number of rows of each class. x is a matrix; y contains the codes
# 0, 1, ...
def sample(mean, counts):
    y = numpy.repeat(numpy.arange(len(counts)), counts)
    return numpy.random.standard_normal((len(y), len(mean))) + numpy.outer(y, mean), y


# Optional: the log density of class 0 or 1 at each row of x. copse needs it for the
# oracle, which has the Bayes error.
def log_density(mean, label, x):
    return -((x - label * mean) ** 2 + numpy.log(2 * numpy.pi)).sum(axis=1) / 2


copse.generator(new, sample, log_density, name="shifted normals", version="1")
