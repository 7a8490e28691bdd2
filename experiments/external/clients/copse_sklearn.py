"""The adapter of scikit-learn: python3 -m copse_sklearn. An estimator is an import path with
parameters; its tags and methods give its capabilities. Nothing is unpickled."""
import importlib
import sys
import time
import warnings

import numpy

import copse


def find(path):
    """Return the object of an import path module:name."""
    module, _, name = path.partition(":")
    if not name:
        raise ValueError("%r is not an import path; write module:name, such as sklearn.svm:SVC" % path)
    found = importlib.import_module(module)
    for part in name.split("."):
        if not hasattr(found, part):
            raise ValueError("the module %s has no %s" % (module, name))
        found = getattr(found, part)
    return found


def build(value):
    """Return a parameter: {estimator: path, params: {...}} is built, {object: path} is imported."""
    if isinstance(value, list):
        return [build(item) for item in value]
    if not isinstance(value, dict):
        return value
    if "object" in value and len(value) == 1:
        return find(value["object"])
    if "estimator" in value and set(value) <= {"estimator", "params"}:
        return estimator(value["estimator"], value.get("params", {}))
    return parameters(value)


def parameters(values):
    """Build the values of parameters. A mapping as class_weight gets the codes of the classes as keys."""
    return {name: by_code(value) if name.split("__")[-1] == "class_weight" else build(value)
            for name, value in values.items()}


def by_code(weights):
    if isinstance(weights, list):  # the values of a grid
        return [by_code(item) for item in weights]
    classes = copse.task.get("classes")  # absent from a request for a description
    if not isinstance(weights, dict) or classes is None:
        return build(weights)
    unknown = [name for name in weights if name not in classes]
    if unknown:
        raise ValueError("class_weight: %r is not a class; the classes are %s" % (unknown[0], ", ".join(classes)))
    return {classes.index(name): weight for name, weight in weights.items()}


def estimator(chosen, params):
    """Return an estimator; a list of them makes a pipeline, whose steps params names with __."""
    built = parameters(params)
    if isinstance(chosen, list):
        from sklearn.pipeline import make_pipeline

        steps = [build(step if isinstance(step, dict) else {"estimator": step}) for step in chosen]
        return make_pipeline(*steps).set_params(**built)
    return find(chosen)(**built)


def seeded(model, seed):
    """Set each random_state that is None, so that parallel workers draw the same numbers."""
    if hasattr(model, "get_params"):
        for name, value in model.get_params(deep=True).items():
            if value is None and name.split("__")[-1] == "random_state":
                model.set_params(**{name: seed})
    return model


def tag(model, name):
    """Return a tag under its name in scikit-learn before 1.6, or None if the estimator does not have it."""
    import sklearn.utils

    if hasattr(sklearn.utils, "get_tags"):
        tags = sklearn.utils.get_tags(model)
        if name == "allow_nan":
            return tags.input_tags.allow_nan
        return tags.classifier_tags is not None and not tags.classifier_tags.multi_class
    from sklearn.utils._tags import _safe_tags

    return _safe_tags(model, key=name)


def takes_missing(model):
    """Report whether missing values are accepted. In a pipeline, the steps up to imputation must accept them."""
    for _, step in getattr(model, "steps", [("", model)]):
        if step is None or isinstance(step, str):
            continue
        if not tag(step, "allow_nan"):
            return False
        if type(step).__module__.startswith("sklearn.impute"):
            return True
    return True


def capabilities(params):
    model = estimator(params["estimator"], params.get("params", {}))
    if not hasattr(model, "fit") or not hasattr(type(model), "predict"):
        raise TypeError("%s is not a classifier: it needs fit and predict" % type(model).__name__)
    return {"max_classes": 2 if tag(model, "binary_only") else 0, "discrete": True,
            "missing": bool(takes_missing(model)), "probabilities": hasattr(model, "predict_proba"),
            "scores": hasattr(model, "decision_function")}


def encoded(x, train, encode):
    """Return the matrix with an indicator for each level of a discrete attribute that the
    training rows have."""
    levels = copse.task.get("levels") or {}
    if encode == "codes" or not levels:
        return x
    columns = []
    for j, name in enumerate(copse.task["names"]):
        if name not in levels:
            columns.append(x[:, j])
            continue
        for code in range(len(levels[name])):
            if (train[:, j] == code).any():
                columns.append(numpy.where(numpy.isnan(x[:, j]), numpy.nan, x[:, j] == code))
    return numpy.column_stack(columns)


def per_class(values, present, count, absent):
    """Return one column per class. present are the classes of the columns of values."""
    values = numpy.asarray(values, float)
    if values.ndim == 1:  # for two classes, the score of the second one
        values = numpy.column_stack([-values, values])
    if values.shape[1] != len(present):
        raise ValueError("%d columns for %d classes" % (values.shape[1], len(present)))
    columns = numpy.full((len(values), count), absent(values))
    columns[:, present] = values
    return columns


def agrees(values, labels):
    """Report whether the largest entry of each row is its label's."""
    return bool((values[numpy.arange(len(labels)), labels] >= values.max(axis=1)).all())


def describe(params):
    """Return the description of a recipe that copse records. Its packages do not depend on other recipes."""
    packages = {"numpy", "scipy", "sklearn", "joblib"} | {path.split(".")[0] for path in modules(params)}
    environment = {name: version for name, version in copse._versions().items() if name in packages | {"python"}}
    return {"protocol": "external/1", "kind": "classifier", "name": "scikit-learn",
            "version": sys.modules["sklearn"].__version__, "capabilities": capabilities(params),
            "environment": environment}


def modules(value):
    """Return the modules of all import paths in the parameters."""
    if isinstance(value, dict):
        return {m for item in value.values() for m in modules(item)}
    if isinstance(value, list):
        return {m for item in value for m in modules(item)}
    return {value.partition(":")[0]} if isinstance(value, str) and ":" in value else set()


def answer(task):
    if task["op"] == "describe":
        return {"hello": describe(task["params"])}
    x, y, new = (numpy.load(task[key]) for key in ("train", "labels", "test"))
    params = task["params"]
    model = seeded(estimator(params["estimator"], params.get("params", {})), task["seed31"])
    x, new = (encoded(rows, x, params["encode"]) for rows in (x, new))
    start = time.perf_counter()
    model.fit(x, y)
    fitted = time.perf_counter()
    labels = copse._codes(model.predict(new), "predict")
    present, count = [int(c) for c in model.classes_], len(task["classes"])
    reply = {}
    if hasattr(model, "predict_proba"):
        shares = per_class(model.predict_proba(new), present, count, lambda values: 0.0)
        if not numpy.isfinite(shares).all():
            raise ValueError("predict_proba returned values that are not finite")
        add(reply, "probabilities", shares, labels)
    if hasattr(model, "decision_function") and "probabilities" not in reply:
        scores = numpy.asarray(model.decision_function(new))
        if scores.ndim == 2 and scores.shape[1] != len(present):
            warnings.warn("decision_function returned %d columns for %d classes, so the scores are not used" % (
                scores.shape[1], len(present)))
        else:
            add(reply, "scores", per_class(scores, present, count, lambda values: values.min() - 1), labels)
    reply.update(fit_s=fitted - start, predict_s=time.perf_counter() - fitted,
                 labels=copse._write("labels.npy", labels, "<i4"))
    return reply


def add(reply, name, values, labels):
    """Add probabilities or scores, unless their largest entries contradict the predicted classes."""
    if agrees(values, labels):
        reply[name] = copse._write(name + ".npy", values, "<f8")
    else:
        warnings.warn("predict and %s choose different classes in some rows; the %s are not used" % (
            {"probabilities": "predict_proba", "scores": "decision_function"}[name], name))


def main():
    try:
        import sklearn
    except ImportError as error:
        raise SystemExit("No module named 'scikit_learn' (%s)" % error)
    copse._serve("classifier", "scikit-learn", sklearn.__version__, {}, answer)


if __name__ == "__main__":
    main()
