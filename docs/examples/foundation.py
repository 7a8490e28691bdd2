# A template for a foundation model of tables, such as TabPFN. In a study:
#
#   - id: tabpfn
#     classifier: external
#     command: [python3, foundation.py]
#     files: [foundation.py]
#     memory: 8GB
#     params:
#       model: "tabpfn:TabPFNClassifier"          # import path of the class
#       weights: /models/tabpfn-v2-classifier.ckpt # a file that you downloaded, or one of files
#       sha256: 3f1c...                            # of the weights: they belong to the recipe
#       licence: "Prior Labs License 1.1"          # of the weights, as their page states it
#       options: {device: cpu}                     # further arguments of the class
#
# The class needs what TabPFNClassifier has: arguments model_path and random_state, methods
# fit(x, y) and predict_proba(x), and classes_. Nothing is downloaded: without the weights, or
# with others than the study names, the program ends before the first fit.
import hashlib
import importlib
import json
import os

# Libraries that download models read these variables when they are imported.
for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DATASETS_OFFLINE"):
    os.environ[name] = "1"

import numpy

import copse  # copse adds it to PYTHONPATH

# What the model accepts: the largest number of classes, discrete attributes (as codes), missing values.
CLASSES, DISCRETE, MISSING = 10, True, True


def checked(params):
    """Return the class of the model, after a check of the weights and their licence."""
    for key in ("model", "weights", "sha256", "licence"):
        if not params.get(key):
            raise SystemExit("params.%s is missing: see the first comment of foundation.py" % key)
    if not os.path.isfile(params["weights"]):
        raise SystemExit("params.weights: there is no file %s; download it once, then name it" % params["weights"])
    digest = hashlib.sha256()
    with open(params["weights"], "rb") as file:
        for block in iter(lambda: file.read(1 << 20), b""):
            digest.update(block)
    if digest.hexdigest() != params["sha256"]:
        raise SystemExit("params.sha256: %s has the SHA-256 %s; name it, or restore the weights" % (
            params["weights"], digest.hexdigest()))
    module, _, name = params["model"].partition(":")
    return getattr(importlib.import_module(module), name)


Model = checked(json.loads(os.environ["COPSE_PARAMS"]))  # once per process, of which each worker has one


def fit(x, y, params):
    options = dict(params.get("options", {}), random_state=copse.task["seed31"])
    return Model(model_path=params["weights"], **options).fit(x, y)


def predict(model, x):
    shares = numpy.zeros((len(x), len(copse.task["classes"])))
    shares[:, numpy.asarray(model.classes_, int)] = model.predict_proba(x)
    return shares / shares.sum(axis=1, keepdims=True)


copse.classifier(fit, predict, name=json.loads(os.environ["COPSE_PARAMS"])["model"], classes=CLASSES,
                 discrete=DISCRETE, missing=MISSING, probabilities=True)
