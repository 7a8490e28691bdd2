import csv
import math

import pytest

import copse
from copse import _frames
from copse.results import TEXTS

pandas = pytest.importorskip("pandas", reason="NOT TESTED: needs pandas")


@pytest.fixture
def results(keys):
    keys["predictions"] = "keep"
    return copse.Study("small", **keys).run(progress=False)


def test_records(results):
    rows = list(csv.DictReader(open(results.folder / "records.csv")))
    frame = results.records()
    assert len(frame) == len(rows) == 24
    assert list(frame.columns) == list(rows[0])
    assert [float(row["error"]) for row in rows] == frame["error"].tolist()
    assert [row["classifier"] for row in rows] == frame["classifier"].tolist()
    assert frame["n"].tolist() == [int(row["n"]) for row in rows]


def test_predictions_agree_with_records(results):
    rows = results.predictions()
    assert rows["data_file"].isna().all()  # the rows come from a generator
    wrong = rows["label"] != rows["truth"]
    errors = wrong.groupby([rows["cell"], rows["replicate"], rows["classifier"]], observed=True).mean()
    for record in results.records().itertuples():
        assert errors[record.cell, record.replicate, record.classifier] == record.error


def test_tables_and_tests(results):
    table = results.tables()["small"]
    means = results.records().groupby(["n", "classifier"], observed=True)["error"].mean()
    for row in table.itertuples():
        assert math.isclose(row.mean, 100 * means[row.n, row.classifier], rel_tol=1e-12)
    tests = results.tests()
    assert set(tests["table"]) == {"small"}
    assert set(tests["classifier"]) <= {"5nn", "lda"}
    assert tests["p_adjusted"].between(0, 1).all()
    assert list(tests.columns[:6]) == ["table", "n", "classifier", "metric", "test", "against"]
    assert set(tests["against"]) <= set(table["classifier"])
    assert tests.columns[-1] == "doubtful"


@pytest.mark.parametrize("factor", ["test", "metric", "table", "doubtful", "mean"])
def test_factors_named_like_columns(keys, factor):
    keys["design"] = {factor: [30, 60]}
    keys["data"]["train"]["n"] = "$" + factor
    keys["report"]["tables"][0]["rows"] = [factor]
    tests = copse.Study("named", **keys).run(progress=False).tests()
    renamed = {name: "table." + name if name == factor else name for name in ["table", "metric", "test", "doubtful"]}
    assert list(tests.columns[:5]) == [renamed["table"], factor, "classifier", renamed["metric"], renamed["test"]]
    assert list(tests.columns[-1:]) == [renamed["doubtful"]]
    assert set(tests[renamed["table"]]) == {"small"}
    assert set(tests[factor]) <= {30, 60}
    assert len(tests) > 0 and tests["p_adjusted"].between(0, 1).all()


def test_no_tests(keys):
    keys["classifiers"] = ["lda"]
    assert len(copse.Study("one", **keys).run(progress=False).tests()) == 0


def test_notebook_shows_the_tables(results):
    page = results._repr_html_()
    letters = ' style="list-style-type: lower-alpha"'
    assert page.count(letters) == 1
    assert page.replace(letters, "") == (results.folder / "tables" / "small.html").read_text()
    assert "5-NN" in page


def test_verify(results):
    assert not any(results.verify(sample=1).values())
    (results.folder / "tables" / "small.csv").write_text("changed\n")
    assert any(results.verify(sample=0).values())


def test_no_predictions(keys):
    results = copse.Study("other", **keys).run(progress=False)
    with pytest.raises(copse.CopseError, match="predictions: keep"):
        results.predictions()


def test_no_results(folder):
    with pytest.raises(FileNotFoundError, match="not a results folder"):
        copse.Results(folder)


def test_generic_reader_equals_pandas(results):
    """polars gets the columns of the generic reader."""
    path = results.folder / "records.csv"
    generic = pandas.DataFrame(_frames.columns(path, TEXTS))
    frame = results.records()
    for name in frame.columns:
        a, b = frame[name].tolist(), generic[name].tolist()
        assert all(x == y or x != x and (y is None or y != y) for x, y in zip(a, b)), name


LEVELS = """study,cell,code,name,flag,share,size,long,nested,replicate,classifier,error,confusion
s,c1,01,NA,true,1.0e-6,100000,12345678901234567890,,1,NA,0.5,NA
s,c2,1,q,false,0.01,40,12345678901234567891,3,1,lda,NA,1 0
s,c3,1,nan,false,1,1e3,2,4,1,lda,1e-05,1 0
"""

WANT = {
    "code": ["01", "1", "1"], "name": ["NA", "q", "nan"], "flag": ["true", "false", "false"],
    "share": [1e-6, 0.01, 1], "size": [100000, 40, 1000],
    "long": ["12345678901234567890", "12345678901234567891", "2"], "nested": [None, 3, 4],
    "replicate": [1, 1, 1], "classifier": ["NA", "lda", "lda"], "error": [0.5, None, 1e-5],
    "confusion": [None, "1 0", "1 0"],
}


def test_different_levels_stay_different(folder):
    (folder / "study.yaml").write_text("study: s\n")
    (folder / "records.csv").write_text(LEVELS)
    frame = copse.Results(folder).records()
    generic = _frames.columns(folder / "records.csv", TEXTS)
    for name, want in WANT.items():
        for column in (frame[name].tolist(), generic[name]):
            assert [None if pandas.isna(entry) else entry for entry in column] == want, name
    assert frame["size"].dtype == float and frame["replicate"].dtype == int


def test_tables_lack_levels_of_nested_factors(folder):
    (folder / "study.yaml").write_text("study: s\n")
    (folder / "tables").mkdir()
    (folder / "tables" / "t.csv").write_text("n,kind,classifier,mean\n1,NA,lda,0.5\nNA,q,lda,0.25\n")
    frame = copse.Results(folder).tables()["t"]
    generic = _frames.columns(folder / "tables" / "t.csv", ["classifier"])
    for column in (frame["n"].tolist(), generic["n"]):
        assert column[0] == 1 and math.isnan(column[1])
    assert frame["kind"].tolist() == generic["kind"] == ["NA", "q"]


def test_class_names_stay_texts(folder):
    rows = "".join("%d,%s\n" % (i, "01" if i % 2 else "1") for i in range(40))
    (folder / "classes.csv").write_text("x,y\n" + rows)
    study = copse.Study(
        "classes", seed=1, data={"csv": "classes.csv", "folds": 2}, classifiers=["lda"], predictions="keep")
    rows = study.run(progress=False).predictions()
    assert set(zip(rows["data_file"], rows["truth_class"], rows["file_row"] % 2)) == {
        ("classes.csv", "1", 0), ("classes.csv", "01", 1)}  # the header is row 1
    assert set(zip(rows["truth"], rows["truth_class"])) in ({(0, "01"), (1, "1")}, {(0, "1"), (1, "01")})


def test_polars(results):
    polars = pytest.importorskip("polars", reason="NOT TESTED: needs polars")
    assert results.records(frame="polars")["error"].to_list() == results.records()["error"].tolist()
    assert isinstance(results.tests(frame="polars"), polars.DataFrame)


def test_parquet(results):
    try:
        import pyarrow.parquet as parquet
    except ImportError:
        pytest.skip("NOT TESTED: needs pyarrow, which Debian does not have")
    results.export("records.parquet")
    frame, records = pandas.read_parquet("records.parquet"), results.records()
    assert frame["error"].tolist() == records["error"].tolist()
    assert frame["n"].tolist() == [str(n) for n in records["n"]]
    metadata = parquet.read_schema("records.parquet").metadata
    assert b'"lda":["lda/' in metadata[b"copse.recipes"]


def test_export(results):
    results.export("records.parquet")
    content = open("records.parquet", "rb").read()
    assert content[:4] == content[-4:] == b"PAR1"
    assert b"copse.config_sha256" in content


def test_a_failed_export_changes_no_file(results, folder):
    (folder / "kept.parquet").write_text("mine")
    (results.folder / "manifest.json").unlink()
    before = set(folder.iterdir())
    with pytest.raises(copse.CopseError):
        results.export("kept.parquet")
    assert (folder / "kept.parquet").read_text() == "mine"
    assert set(folder.iterdir()) == before


def test_unknown_library(results):
    with pytest.raises(ValueError, match="pandas, polars"):
        results.records(frame="numpy")
