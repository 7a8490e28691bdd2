"""The client of copse's protocol external/1 for Python. It needs Python 3.9 or later
and numpy. copse adds it to PYTHONPATH. A method ends with copse.classifier() or
copse.generator()."""
import json
import numbers
import os
import random
import sys
import time
import traceback
import warnings

import numpy

task = None  # the current request, a dict: seed, seed31, params, classes, names, kinds, levels, deadline_s


def _say(reply):
    sys.stdout.flush()
    sys.__stdout__.write("\n%s %s\n" % (os.environ["COPSE_TOKEN"], json.dumps(reply, default=float)))
    sys.__stdout__.flush()


def _write(name, array, dtype):
    numpy.save(os.path.join(task["out"], name), numpy.asfortranarray(array, dtype))
    return name


def _numbers(given, source):
    """Return given as an array. Raise ValueError if a value is not a finite number."""
    values = numpy.asarray(given)
    if values.dtype.kind == "O":  # for example, whole numbers from a pandas column
        values = numpy.array(values.tolist())
    if values.dtype.kind not in "biuf":
        items = numpy.asarray(given, object).ravel().tolist()
        wrong = next((item for item in items if not isinstance(item, (numbers.Real, numpy.bool_))), values)
        raise ValueError("%s returned something that is no class code: %r" % (source, wrong))
    if not numpy.isfinite(values).all():
        raise ValueError("%s returned values that are not finite" % source)
    return values


def _ordered(p):
    """Return predictions with the columns of a data frame in the order of the classes.

    The names of its columns must be the names of the classes or their codes.
    """
    columns = getattr(p, "columns", None)
    if columns is None:
        return p
    given, names = list(columns), task["classes"]
    wanted = list(range(len(names))) if all(isinstance(c, numbers.Integral) for c in given) else names
    if len(given) != len(wanted) or set(given) != set(wanted):
        raise ValueError("predict returned the columns %s; name them after the classes %s or their codes %s"
                         % (given, names, list(range(len(names)))))
    return numpy.asarray(p)[:, [given.index(name) for name in wanted]]


def _codes(values, source):
    """Return class codes as integers. Raise ValueError if a value is not a whole number."""
    values = _numbers(values, source)
    codes = values.astype("<i4")
    wrong = values[values != codes]
    if wrong.size:
        raise ValueError("%s returned something that is no class code: %s" % (source, wrong[0]))
    return codes


def _versions():
    found = {"python": sys.version.split()[0]}
    standard = getattr(sys, "stdlib_module_names", ())  # Python 3.10 and later
    for name, module in list(sys.modules.items()):
        version = getattr(module, "__version__", None)
        if "." not in name and not name.startswith("_") and name not in standard and isinstance(version, str):
            found[name] = version
    return found


def _serve(kind, name, version, capabilities, answer):
    global task
    _say({"protocol": "external/1", "kind": kind, "name": name, "version": str(version),
          "capabilities": capabilities, "environment": _versions()})
    for line in sys.stdin:
        task = json.loads(line)
        reply = {"id": task["id"], "ok": True}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                if "seed" in task:
                    random.seed(int(task["seed"], 16))
                    numpy.random.seed(task["seed31"])
                reply.update(answer(task))
            except Exception as e:
                reply = {"id": task["id"], "ok": False, "error": "%s: %s" % (type(e).__name__, e),
                         "traceback": traceback.format_exc()}
        reply["warnings"] = list(dict.fromkeys(str(w.message) for w in caught))
        _say(reply)


def classifier(fit=None, predict=None, fit_predict=None, *, name, version="1",
               classes=0, discrete=False, missing=False, probabilities=False):
    """fit(x, y, params) returns a model; predict(model, x) returns one class code per
    row, or a matrix of class probabilities, one column per class. The columns of an array have
    the order of copse.task["classes"]. Columns of a data frame can have any order if their
    names are the classes or their codes. x is an n x d matrix of float64, in which discrete attributes (see copse.task["kinds"]) are codes and NaN is a
    missing value. y contains the codes 0, 1, ... of copse.task["classes"].
    fit_predict(x, y, new, params) does both. classes is the largest number of classes; 0
    means any number."""
    def answer(task):
        x, y, new = (numpy.load(task[key]) for key in ("train", "labels", "test"))
        start = time.perf_counter()
        model = fit(x, y, task.get("params", {})) if fit_predict is None else None
        fitted = time.perf_counter()
        p = predict(model, new) if fit_predict is None else fit_predict(x, y, new, task.get("params", {}))
        reply = {"fit_s": fitted - start, "predict_s": time.perf_counter() - fitted}
        p = _numbers(_ordered(p), "predict")
        if p.ndim == 2:
            reply["probabilities"] = _write("probabilities.npy", p, "<f8")
            p = p.argmax(axis=1)
        reply["labels"] = _write("labels.npy", _codes(p, "predict"), "<i4")
        return reply

    _serve("classifier", name, version, {"max_classes": classes, "discrete": discrete, "missing": missing,
                                         "probabilities": probabilities}, answer)


def generator(new, sample, log_density=None, describe=None, *, name, version="1"):
    """new(params) draws a problem and returns it as any object. sample(problem, counts)
    returns x (n x d) and y (codes 0, 1, ...). log_density(problem, label, x) returns one
    number per row. describe(problem) may return a dict with names (of the columns), levels
    (of discrete columns), classes and description."""
    problems = {}

    def answer(task):
        key = task.get("handle", str(task["id"]))
        if task["op"] == "new":
            problem = new(task.get("params", {}))
            told = describe(problem) if describe else {}
            problems[key] = problem
            return {"handle": key, **told}
        if task["op"] == "sample":
            x, y = sample(problems[key], task["counts"])
            return {"x": _write("x.npy", x, "<f8"), "y": _write("y.npy", _codes(y, "sample"), "<i4")}
        if task["op"] == "log_density":
            return {"log_density": _write("log_density.npy", log_density(problems[key], task["class"], numpy.load(task["x"])), "<f8")}
        del problems[key]
        return {}

    _serve("generator", name, version, {"density": log_density is not None}, answer)
