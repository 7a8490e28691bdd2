"""The template of a foundation model with a stand-in that has the interface of TabPFN."""

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numpy", reason="NOT TESTED: needs numpy")

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"

STANDIN = '''
import numpy


class Standin:
    """Votes weighted by distance. The weights file has the bandwidth."""

    def __init__(self, model_path, random_state, device="cpu"):
        self.bandwidth = float(open(model_path).read())
        assert isinstance(random_state, int) and device == "cpu"

    def fit(self, x, y):
        self.x, self.y, self.classes_ = x, y, numpy.unique(y)
        return self

    def predict_proba(self, x):
        rows = []
        for row in x:
            distance = numpy.nansum((self.x - row) ** 2, axis=1)
            votes = numpy.exp(-(distance - distance.min()) / self.bandwidth)
            rows.append([votes[self.y == c].sum() for c in self.classes_])
        shares = numpy.array(rows)
        return shares / shares.sum(axis=1, keepdims=True)
'''

STUDY = """study: foundation
seed: 1
replicates: 1
data: {{generator: {{name: forest, d: 4}}, train: {{n: 40}}, test: {{n: 40}}}}
classifiers:
  - id: standin
    classifier: external
    command: ["{python}", foundation.py]
    files: [foundation.py, standin.py, weights.txt]
    params: {{model: "standin:Standin", weights: weights.txt, sha256: "{digest}", licence: {licence},
             options: {{device: cpu}}}}
"""


@pytest.fixture
def study(folder):
    shutil.copy(EXAMPLES / "foundation.py", folder)
    (folder / "standin.py").write_text(STANDIN)
    (folder / "weights.txt").write_text("2.0\n")

    def write(digest=hashlib.sha256(b"2.0\n").hexdigest(), licence="CC0"):
        (folder / "study.yaml").write_text(STUDY.format(python=sys.executable, digest=digest, licence=licence))

    return write


def test_the_template_keeps_the_contract(study, binary):
    study()
    done = subprocess.run([binary, "try", "study.yaml"], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert ", 0 failed" in done.stdout


@pytest.mark.parametrize("change, message", [
    ({"digest": "0" * 64}, "params.sha256: weights.txt has the SHA-256"),
    ({"licence": '""'}, "params.licence is missing"),
])
def test_other_weights_are_refused(study, binary, change, message):
    study(**change)
    done = subprocess.run([binary, "run", "study.yaml"], capture_output=True, text=True)
    assert done.returncode == 1
    assert message in done.stderr
