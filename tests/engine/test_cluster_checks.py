"""What is asked of a cluster before a run, told during it, and said when it breaks."""

import platform
from importlib.metadata import version
from types import SimpleNamespace

import dask
import pytest
from distributed import KilledWorker

from ensue.engine.doing import Event, EventKind
from ensue.engine.engines import Purpose
from ensue.engine.engines.cluster import check_workers, explained, scheme
from ensue.engine.engines.worker_side import lacking, packed, unpacked
from ensue.engine.folders import LocalFolder
from ensue.engine.model import ShardAccount
from ensue.errors import EngineError, OutputError
from ensue.pairs import Finding, Severity


class Answers:
    """A cluster of one worker that answers what it is told to."""

    def __init__(self, *answers):
        self._answers = list(answers)

    def run(self, function, *arguments, on_error):
        return {"tcp://there:1": self._answers.pop(0)}


def test_worker_with_another_python_is_an_error():
    with pytest.raises(EngineError, match=r"'tcp://there:1' has Python 3\.2\.9, and this is 3\."):
        check_workers(Answers("3.2.9"), None)


def test_worker_that_does_not_see_the_output_is_an_error(tmp_path):
    purpose = Purpose("run", None, LocalFolder(tmp_path), (), 1)
    answers = Answers(platform.python_version(), version("ensue"), "does not see the output folder")
    with pytest.raises(
        EngineError, match="'tcp://there:1' does not see the output folder"
    ) as caught:
        check_workers(answers, purpose)
    assert "file system that all workers share" in caught.value.hint


@pytest.fixture
def planned(tmp_path):
    """A folder with a plan, and a file of five bytes beside it."""
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "_plan.json").write_bytes(b"{}")
    (tmp_path / "pairs.csv").write_bytes(b"12345")
    return LocalFolder(tmp_path / "run")


def test_worker_that_sees_everything_lacks_nothing(planned, tmp_path):
    assert lacking(planned, b"{}", str(tmp_path), [("pairs.csv", 5)]) is None
    assert planned.names() == ["_plan.json"]


@pytest.mark.parametrize(
    ("plan", "source", "told"),
    [
        (b"[]", ("pairs.csv", 5), "does not see the output folder '{run}'"),
        (b"{}", ("other.csv", 5), "does not see the input 'other.csv'"),
        (b"{}", ("pairs.csv", 9), "sees another file at 'pairs.csv', of 5 bytes and not 9"),
    ],
)
def test_worker_says_what_it_lacks(planned, tmp_path, plan, source, told):
    found = lacking(planned, plan, str(tmp_path), [source])
    assert found == told.format(run=planned.name)


def test_worker_that_cannot_write_says_so(planned, tmp_path, monkeypatch):
    def full(self, name, content):
        raise OutputError("no space left")

    monkeypatch.setattr(LocalFolder, "write", full)
    told = f"cannot write to the output folder {planned.name!r}: no space left"
    assert lacking(planned, b"{}", str(tmp_path), []) == told


def test_encryption_without_a_certificate_is_an_error():
    with (
        dask.config.set({"distributed.comm.require-encryption": True}),
        pytest.raises(
            EngineError, match="configured to require encryption, and has no certificate"
        ),
    ):
        scheme()


def test_workers_that_die_again_and_again_are_an_error():
    last = SimpleNamespace(address="tcp://there:1")
    with (
        pytest.raises(EngineError, match="4 Dask workers died over the same shards, the last of"),
        explained("tcp://here:1"),
    ):
        raise KilledWorker("task", last, 3)


def test_worker_that_joins_without_the_package_is_an_error():
    with (
        pytest.raises(EngineError, match="a Dask worker has joined that has no ensue"),
        explained("tcp://here:1"),
    ):
        raise ModuleNotFoundError("No module named 'ensue'", name="ensue")


def test_event_comes_back_as_it_was_told():
    account = ShardAccount(
        3,
        "part-000003.parquet",
        2,
        2,
        9,
        "00",
        0.5,
        content=[1 << 126],
        blamed=(("1", "why"),),
        findings=(Finding("empty", Severity.NOTE, "nothing", place="x:1", pair_ids=("1",)),),
    )
    told = Event("here", EventKind.DONE, 3, account, 17)
    assert unpacked(packed(told, "there")) == Event("there", EventKind.DONE, 3, account, 17)
