"""The YAML that is written is read back as the same values by another program."""

import pytest

from copse import _yaml

yaml = pytest.importorskip("yaml", reason="NOT TESTED: needs PyYAML")

VALUES = {
    "text": ["plain", "two words", "$n", "a: b", "- a", "yes", "No", "null", "~", "1", "1e3", "", " x", "x ",
             "a#b", "a #b", '"', "'", "\\", "\n", "é", "{a}", "[a]", "*a", "&a", "!a", "%a", "@a", "`a", "a,b",
             "=", "0x10", "0o7", "1_000", ".5", ".inf", "2026-01-01", "12:30:45", "a/b-c.csv", "num.trees"],
    "numbers": [0, -1, 3.5, 1e-5, 1e300, 2**63, 0.1],
    "truth and nothing": [True, False, None],
    "nested": {"a": {"b": [1, {"c": "d e"}]}, "long": ["x" * 40, "y" * 40, {"z": "w" * 40}]},
    "empty": [{}, []],
    "tuple and range": [(1, 2), range(3)],
}


def test_round_trip():
    class Reader(yaml.SafeLoader):
        """PyYAML reads YAML 1.1, where an exponent needs a point."""

    Reader.add_implicit_resolver(
        "tag:yaml.org,2002:float", __import__("re").compile(r"[-+]?\d+(\.\d*)?[eE][-+]?\d+\Z"), list("-+0123456789"))
    want = dict(VALUES)
    want["tuple and range"] = [[1, 2], [0, 1, 2]]
    assert yaml.load(_yaml.text(VALUES), Reader) == want


def test_numpy():
    numpy = pytest.importorskip("numpy", reason="NOT TESTED: needs numpy")
    values = {"n": numpy.array([40, 60]), "a": numpy.array([[0.5], [1]]), "b": numpy.bool_(True),
              "c": numpy.array(["x", "1"]), "d": [numpy.int64(3), numpy.float64(0.1), numpy.str_("1")]}
    assert _yaml.text(values) == 'n: [40, 60]\na: [[0.5], [1.0]]\nb: true\nc: [x, "1"]\nd: [3, 0.1, "1"]\n'
    with pytest.raises(TypeError, match="a study cannot contain a date"):
        _yaml.text({"a": numpy.array(["2024-01-01"], "datetime64[D]")})


@pytest.mark.parametrize("value", [float("nan"), float("inf"), object(), b"x"])
def test_what_is_refused(value):
    with pytest.raises((TypeError, ValueError), match="a study cannot contain"):
        _yaml.text({"a": [value]})


def test_data_frames_are_written_to_files():
    pandas = pytest.importorskip("pandas", reason="NOT TESTED: needs pandas")
    with pytest.raises(TypeError, match='a study cannot contain a DataFrame; write it to a CSV file.*"csv"'):
        _yaml.text({"data": pandas.DataFrame({"x": [1, 2]})})


def test_estimators_are_named_by_their_path():
    class Estimator:
        def get_params(self):
            return {}

    with pytest.raises(TypeError, match="a study cannot contain a Estimator.*import path"):
        _yaml.text({"classifiers": [Estimator()]})
