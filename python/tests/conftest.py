"""The tests use the binary that COPSE_BINARY names; without it they build one with Go."""

import os
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[2]


@pytest.fixture(scope="session", autouse=True)
def binary(tmp_path_factory):
    if "COPSE_BINARY" not in os.environ:
        path = tmp_path_factory.mktemp("bin") / "copse"
        subprocess.run(["go", "build", "-o", str(path), "."], cwd=SOURCE, check=True)
        os.environ["COPSE_BINARY"] = str(path)
    return os.environ["COPSE_BINARY"]


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def keys():
    return dict(
        seed=3,
        replicates=4,
        design={"n": [30, 60]},
        data={"generator": {"name": "forest", "d": 4}, "train": {"n": "$n"}, "test": {"n": 50}},
        classifiers=["5nn", "lda", "oracle"],
        report={"tables": [{"name": "small", "rows": ["n"]}]},
    )
