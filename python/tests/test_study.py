import csv
import subprocess
import sys

import pytest

import copse


def test_the_file_is_the_record(keys, binary):
    study = copse.Study("small", **keys)
    check = study.check(pilot=0)
    assert (check.missing, check.done, check.failed) == (24, 0, 0)
    results = study.run(jobs=1, progress=False)
    # The study file alone gives the same records without Python.
    subprocess.run([binary, "run", "small.yaml", "--out", "again"], check=True, capture_output=True)
    assert (results.folder / "records.csv").read_bytes() == open("again/records.csv", "rb").read()
    assert study.check(pilot=0).missing == 0
    assert study.check(replicates=5, pilot=0).missing == 6
    assert study.check(set={"design.n": [30, 60, 90]}, pilot=0).missing == 12


@pytest.mark.parametrize(
    "value",
    ["1", "true", "x,y", "a: b", "1e3", "", " x", "null", 1, 0.5, True, None, ["a,b", "c", None], {"z": ["1", 2]}],
)
def test_set_keeps_the_type_of_a_value(keys, value):
    def recipes(params, **flags):
        keys["classifiers"] = [{"id": "m", "classifier": "external", "command": ["sh"], "params": params}]
        lines = copse.Study("small", **keys).check(pilot=0, **flags).lines
        return [line["recipes"] for line in lines if line["type"] == "classifier"]

    assert recipes({"k": 7}, set={"classifiers.m.params.k": value}) == recipes({"k": value})


@pytest.mark.parametrize("levels", [["01"], ["01", "a, b"], ["1"], "a, b"])
@pytest.mark.parametrize("named", [True, False])
def test_set_keeps_levels(keys, levels, named):
    names = ["1", "01", "a, b"]
    keys["design"] = {"v": {name: name for name in names} if named else names}
    keys["data"]["train"] = {"n": 30}
    keys["report"] = {}
    keys["classifiers"] = [
        {"id": "m", "classifier": "external", "command": ["sh"], "params": {"k": "$v"}}]
    check = copse.Study("small", **keys).check(pilot=0, set={"design.v": levels})
    want = [levels] if isinstance(levels, str) else levels
    assert [line["levels"]["v"] for line in check.lines if line["type"] == "cell"] == want


@pytest.mark.parametrize("frame", ["pandas", "polars"])
def test_cells_and_records_have_the_same_levels(keys, frame):
    pytest.importorskip(frame)
    keys["design"] = {"n": {"01": 30, "1": 60}, "d": [3, 4]}
    keys["data"]["generator"]["d"] = "$d"
    keys["classifiers"], keys["report"] = ["lda"], {}
    study = copse.Study("small", **keys)
    cells = study.check(pilot=0).cells(frame)
    records = study.run(progress=False).records(frame)
    for name in "n", "d":
        assert cells[name].dtype == records[name].dtype
        assert set(cells[name]) == set(records[name])
    assert set(cells["n"]) == {"01", "1"}
    assert set(cells["d"]) == {3, 4}


def test_a_mistake_has_its_place(keys):
    keys["report"] = {"tables": [{"name": "small", "rws": ["n"]}]}
    with pytest.raises(copse.StudyError) as caught:
        copse.Study("small", **keys).check(pilot=0)
    error = caught.value
    assert error.file == "small.yaml"
    assert error.key == "report.tables[0].rws"
    assert 'did you mean "rows"?' in error.mistakes[0].message
    line = open("small.yaml").read().splitlines()[error.line - 1]
    assert line[error.column - 1:].startswith("rws:")
    assert error.exit_code == 2


@pytest.mark.parametrize("classifiers", ["lda", {"classifier": "lda"}, ("lda",), (name for name in ["lda"])])
def test_a_single_classifier(keys, classifiers):
    keys["classifiers"] = classifiers
    assert copse.Study("small", **keys).check(pilot=0).missing == 8


@pytest.mark.parametrize("pilot", [1e-7, 1e-20, 1e7, 2])
def test_pilots(keys, pilot):
    keys["classifiers"] = ["lda"]
    keys["replicates"] = 1
    copse.Study("small", **keys).check(pilot=pilot)


def test_check_describes_failed_fits(keys):
    keys["classifiers"] = [{"classifier": "rf", "mtry": 50}]
    messages = copse.Study("small", **keys).check().messages
    assert any("rf: mtry is 50, but the training set has 4 columns" in message for message in messages)


def test_memory(keys):
    for memory in (10**9, 1e9, "1GB"):
        copse.Study("small", **keys).run(memory=memory, progress=False)
    with pytest.raises(copse.CopseError, match="1XB"):
        copse.Study("small", **keys).run(memory="1XB", progress=False)


@pytest.fixture
def program(keys, folder, monkeypatch):
    """A program that reads its version from the environment and fails if FAILS is set."""
    pytest.importorskip("numpy")
    (folder / "mine.py").write_text(
        "import os\n"
        "import copse\n"
        "def fit(x, y, params):\n"
        "    assert not os.environ.get('FAILS')\n"
        "copse.classifier(fit, lambda model, x: x[:, 0] > 0, name='mine', version=os.environ['MINE'])\n"
    )
    monkeypatch.setenv("MINE", "1")
    monkeypatch.setenv("COPSE_COMMANDS", str(folder / "commands"))
    keys["classifiers"] = [
        "lda", {"id": "mine", "classifier": "external", "command": [sys.executable, "mine.py"], "files": ["mine.py"]}]
    return keys


def test_a_changed_program_needs_approval(program, monkeypatch):
    study = copse.Study("small", **program)
    study.run(progress=False)
    monkeypatch.setenv("MINE", "2")
    with pytest.raises(copse.CopseError, match="--accept-change"):
        study.run(replicates=5, progress=False)
    with pytest.warns(UserWarning, match="mine"):
        results = study.run(replicates=5, accept_change=True, progress=False)
    assert len(results.records()) == 20


def test_commands_of_a_results_folder_need_approval(program, folder, monkeypatch):
    results = copse.Study("small", **program).run(progress=False)
    monkeypatch.setenv("COPSE_COMMANDS", str(folder / "nothing"))
    study = copse.Study.from_file(results.folder / "study.yaml")
    for call in study.run, results.verify:
        with pytest.raises(copse.CopseError, match="--run-commands"):
            call()
    assert not any(results.verify(sample=1, run_commands=True).values())
    monkeypatch.setenv("COPSE_COMMANDS", str(folder / "nothing else"))
    assert len(study.run(run_commands=True, progress=False).records()) == 16


def test_failed_fits_are_repeated(program, monkeypatch):
    study = copse.Study("small", **program)
    monkeypatch.setenv("FAILS", "yes")
    with pytest.warns(copse.FailedFits, match="8 fits failed"):
        study.run(progress=False)
    monkeypatch.delenv("FAILS")
    assert set(study.run(retry_failed=True, progress=False).records()["status"]) == {"ok"}


def test_the_results_of_a_stopped_run_have_a_report(program, monkeypatch):
    program["replicates"] = 20
    monkeypatch.setenv("FAILS", "yes")
    with pytest.raises(copse.CopseError, match="copse report"):
        copse.Study("small", **program).run(progress=False)
    results = copse.Results("results/small")
    assert not results.tables()
    results.report()
    assert set(results.tables()) == {"small"}


def test_unknown_times_are_named(program):
    check = copse.Study("small", **program).check()
    assert check.cost.unknown == ["mine"]
    assert "on one core; no expected time for these classifiers: mine" in str(check)


def test_all_mistakes_are_reported(keys):
    keys["inference"] = {"alfa": 0.1}
    keys["classifiers"] = ["6nn"]
    with pytest.raises(copse.StudyError) as caught:
        copse.Study("small", **keys).run(progress=False)
    assert any(mistake.key == "classifiers.6nn" for mistake in caught.value.mistakes)


def test_an_estimator_that_does_not_exist(keys):
    pytest.importorskip("sklearn", reason="NOT TESTED: needs scikit-learn")
    keys["classifiers"] = ["lda", {"id": "a", "classifier": "sklearn", "interpreter": sys.executable,
                                   "estimator": "sklearn.svm:SVCC"}]
    with pytest.raises(copse.StudyError, match="sklearn.svm has no SVCC") as caught:
        copse.Study("small", **keys).run(progress=False)
    assert caught.value.key == "classifiers.a"
    assert "SVCC" in open("small.yaml").read().splitlines()[caught.value.line - 1]


def test_failed_fits_are_a_warning(keys):
    keys["classifiers"] = ["lda", {"id": "broken", "classifier": "5nn", "k": 1000}]
    with pytest.warns(copse.FailedFits, match="8 fits failed"):
        results = copse.Study("small", **keys).run(progress=False)
    failed = [row for row in csv.DictReader(open(results.folder / "records.csv")) if row["status"] == "failed"]
    assert len(failed) == 8


def test_notes_are_warnings(keys):
    study = copse.Study("small", **keys)
    study.run(progress=False)
    for _ in range(2):
        with pytest.warns(UserWarning, match="6 results of replicates above 3"):
            results = study.run(replicates=3, progress=False)
    assert len(results.records()) == 18


def test_progress_reaches_the_end(keys):
    lines = []
    copse.Study("small", **keys).run(progress=lines.append)
    progress = [line for line in lines if line["type"] == "progress"]
    assert progress[-1]["done"] == progress[-1]["trials"] == 8
    assert lines[-1] == {"type": "exit", "code": 0}


def test_an_interrupt_loses_nothing(keys):
    def interrupt(line):
        if line["type"] == "progress" and line["done"] > 0:
            raise KeyboardInterrupt

    keys["replicates"] = 400
    study = copse.Study("small", **keys)
    with pytest.raises(KeyboardInterrupt):
        study.run(jobs=1, progress=interrupt)
    done = study.check(pilot=0).done
    assert done > 0
    assert study.check(pilot=0).missing == 2 * 400 * 3 - done


def test_another_file_is_not_replaced(keys, folder):
    (folder / "small.yaml").write_text("study: mine\n")
    with pytest.raises(FileExistsError, match="overwrite=True"):
        copse.Study("small", **keys).check()
    assert (folder / "small.yaml").read_text() == "study: mine\n"


def test_a_study_of_a_file(keys):
    copse.Study("small", **keys).save()
    study = copse.Study.from_file("small.yaml")
    assert study.name == "small"
    assert study.check(pilot=0).missing == 24


def test_the_binary_is_missing(monkeypatch, tmp_path):
    monkeypatch.delenv("COPSE_BINARY")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(FileNotFoundError, match="COPSE_BINARY"):
        copse.binary()
