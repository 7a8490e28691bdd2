# A method whose second fit misbehaves as stated by the parameter act. It is the conformance
# suite for authors of clients for copse's protocol. Rewrite it with your client, then run:
#
#   copse try acts.py --acts
import os
import sys
import time
import warnings

import numpy

import copse  # copse adds it to PYTHONPATH

fits = 0


# The label depends on the sign of the first column: code 1 if it is positive.
def predict(model, x):
    global fits
    fits += 1
    labels = (x[:, 0] > 0) + 0
    act = copse.task["params"]["act"] if fits == 2 else "behaves"
    if act == "prints":
        print('{"id": 1, "ok": true}\n' + "no line break" * 100000, end="")
        print("to standard error", file=sys.stderr, end="")
    elif act == "changes its folder":
        os.chdir("/")
    elif act == "redirects its output":
        sys.stdout = open(os.devnull, "w")
    elif act == "warns":
        warnings.warn('a "quoted" \\ text,\nüber two lines')
    elif act == "raises an error":
        raise ValueError('a "quoted" \\ text,\nüber two lines')
    elif act == "raises an error of 1 MB":
        raise ValueError("e" * (1 << 20))
    elif act == "returns no class":
        return ["no class"] * len(x)
    elif act == "returns a label too few":
        return labels[1:]
    elif act == "returns NaN":
        return numpy.full((len(x), 2), numpy.nan)
    elif act == "ends its process":
        os._exit(7)
    elif act == "aborts its process":
        os.abort()
    elif act == "hangs":
        time.sleep(3600)
    elif act == "reads its requests":
        sys.stdin.readline()
    elif act != "behaves":
        raise ValueError("no such act")
    return labels


copse.classifier(lambda x, y, params: None, predict, name="acts")
