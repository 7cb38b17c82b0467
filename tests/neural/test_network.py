"""The network at work: what it gives to a pair, and folders that hold none."""

import json
import os
import pickle
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st

from ensue.errors import DataError
from ensue.neural import PairNetwork, shipped_network
from ensue.neural.network import GRAPH, RECORD, SHIPPED, VOCABULARY, read_bundle

PAIRS = [
    ("A man is playing a guitar.", "A man is playing a guitar."),
    ("A dog is sleeping.", "No dog is sleeping."),
    ("Rain.", "It rains."),
    ("x", "y"),
    ("Two women are sitting on a bench near the old harbor.", "Some women are outside."),
    ("The company that made the engines was sold in 1998 to a rival.", "A rival made engines."),
    ("Nobody saw the boy who threw the ball over the wall of the garden.", "A boy threw a ball."),
    ("日本語 🙂", "An unknown script."),
    ("The minister said that the bridge would be closed. " * 3, "The bridge was closed."),
    ("Tom, who had been ill for weeks, came to the meeting. " * 6, "Tom came."),
    ("A river runs through the valley. " * 12, "There is a river in the valley. " * 4),
    ("The train left the station before noon. " * 40, "A train left."),
]
GUITAR = "A man is playing a guitar."


@pytest.fixture(scope="module")
def network():
    return shipped_network()


@pytest.fixture(scope="module")
def alone(network):
    """What each pair gets when it is the only one."""
    return np.concatenate([network.log_odds([text], [asked]) for text, asked in PAIRS])


@pytest.fixture
def folder(tmp_path):
    """A copy of the shipped network, the large file of it by a link."""
    for name in (VOCABULARY, RECORD):
        shutil.copy(SHIPPED / name, tmp_path / name)
    (tmp_path / GRAPH).symlink_to(SHIPPED / GRAPH)
    return tmp_path


def odds_of(network, pairs):
    return network.log_odds([text for text, _ in pairs], [asked for _, asked in pairs])


def error_of(folder):
    with pytest.raises(DataError) as caught:
        PairNetwork(folder)
    return caught.value


# What a pair gets.


@settings(max_examples=15)
@given(st.lists(st.integers(0, len(PAIRS) - 1), min_size=1, max_size=20))
def test_odds_do_not_depend_on_the_other_pairs(network, alone, chosen):
    found = odds_of(network, [PAIRS[i] for i in chosen])
    assert found.tolist() == alone[chosen].tolist()


@pytest.mark.parametrize("n", [1, 2, 3, 7, 12])
def test_odds_do_not_depend_on_the_size_of_the_batch(network, n, monkeypatch):
    # to the last bit that the kernels give, since rounding hides a difference most of the time
    monkeypatch.setattr("ensue.neural.network._DIGITS", 12)
    assert odds_of(network, PAIRS[:n]).tolist() == odds_of(network, PAIRS)[:n].tolist()


def test_no_pairs_get_no_odds(network):
    assert network.log_odds([], []).shape == (0, 3)


def test_threads_get_what_one_gets(network, alone):
    with ThreadPoolExecutor(4) as pool:
        asked = [PAIRS[i % 9] for i in range(36)]
        found = list(pool.map(lambda pair: odds_of(network, [pair])[0].tolist(), asked))
    assert found == [alone[i % 9].tolist() for i in range(36)]


def test_pickled_network_gives_the_same_odds(network, alone):
    other = pickle.loads(pickle.dumps(network))
    assert other.identity == network.identity
    assert odds_of(other, PAIRS[:9]).tolist() == alone[:9].tolist()


def test_network_has_a_short_name_of_its_weights(network):
    hashes = json.loads((SHIPPED / RECORD).read_text("utf-8"))["hashes"]
    assert network.identity == hashes[GRAPH][:12]


# Long texts.


@pytest.fixture
def counted(network, monkeypatch):
    """How many windows each call ran."""
    counts, run = [], network._run

    def count(windows):
        counts.append(len(windows))
        return run(windows)

    monkeypatch.setattr(network, "_run", count)
    return counts


def test_long_text_is_decided_by_the_window_with_the_sentence(network):
    filler = "The train left the station before noon and nobody waited for it there. " * 115
    without, found = network.log_odds([filler * 2, f"{filler}{GUITAR} {filler}"], [GUITAR] * 2)
    assert found.argmax() == 0
    assert found[0] - found[1:].max() > without[0] - without[1:].max()


def test_long_text_gets_the_odds_of_its_best_window(network, monkeypatch):
    odds = np.array([[0.0, 1.0, 0.0], [2.0, 0.5, 1.0], [3.0, 2.5, 0.0]])
    monkeypatch.setattr(network, "_run", lambda windows: odds[: len(windows)])
    (pair,) = network.tokenizer(["word " * 300], ["a word"])
    assert len(pair.text) == 300  # 187 tokens a window: from 0, from 93 and from 186
    # margins are 0 - 1, 2 - 1 and 3 - 2.5
    assert network.log_odds(["word " * 300], ["a word"]).tolist() == [[2.0, 0.5, 1.0]]


def test_very_long_text_takes_a_bounded_number_of_windows(network, counted):
    network.log_odds(["word other " * 50_000], ["A word."])
    assert counted == [16]


# Folders that hold no network.


def test_network_neither_identifies_nor_reports_the_machine(tmp_path):
    # onnxruntime 1.29 and later do, unless told before they are loaded; where CI is set they do not
    quiet = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "ENSUE_CACHE": str(tmp_path)}
    code = "from ensue.neural import shipped_network; shipped_network().log_odds(['x'], ['y'])"
    done = subprocess.run([sys.executable, "-c", code], env=quiet, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert not [path for path in tmp_path.rglob("*") if "onnxruntime" in str(path)]


@pytest.mark.parametrize("name", [GRAPH, VOCABULARY, RECORD])
def test_missing_file_is_an_error_that_names_it(folder, name):
    (folder / name).unlink()
    error = error_of(folder)
    assert (error.code, error.place) == ("network-unreadable", str(folder / name))
    assert error.hint


def test_missing_folder_is_an_error_that_names_it(tmp_path):
    error = error_of(tmp_path / "none")
    assert (error.code, error.place) == ("network-unreadable", str(tmp_path / "none" / RECORD))
    assert error.hint


@pytest.mark.parametrize("name", [GRAPH, VOCABULARY])
def test_changed_byte_is_an_error_that_names_the_file(folder, name):
    content = bytearray((folder / name).read_bytes())
    content[len(content) // 2] ^= 1
    (folder / name).unlink()  # the link, and not what it leads to
    (folder / name).write_bytes(content)
    error = error_of(folder)
    assert (error.code, error.place) == ("network-unreadable", str(folder / name))
    assert error.hint


@pytest.mark.parametrize("version", [0, 2, "1", None])
def test_other_format_is_an_error_that_names_the_record(folder, version):
    record = json.loads((folder / RECORD).read_text("utf-8"))
    (folder / RECORD).write_text(json.dumps({**record, "ensue_network": version}), "utf-8")
    error = error_of(folder)
    assert (error.code, error.place) == ("network-unreadable", str(folder / RECORD))
    assert repr(version) in error.message
    assert error.hint


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff",
        b"null",
        b"[]",
        b'"network"',
        b"{}",
        b'{"ensue_network": 1}',
        b'{"ensue_network": 1, "hashes": []}',
        b'{"ensue_network": 1, "hashes": null}',
        b'{"ensue_network": 1, "hashes": {}}',
        b'{"ensue_network": 1, "hashes": {"network.onnx": "0"}}',
    ],
)
def test_broken_record_is_an_error_that_names_it(folder, content):
    (folder / RECORD).write_bytes(content)
    error = error_of(folder)
    assert (error.code, error.place) == ("network-unreadable", str(folder / RECORD))
    assert error.hint


def test_graph_that_is_none_is_an_error_that_names_it(folder, monkeypatch):
    (folder / GRAPH).unlink()
    (folder / GRAPH).write_bytes(b"no graph")
    monkeypatch.setattr("ensue.neural.network.read_bundle", lambda folder: None)
    error = error_of(folder)
    assert (error.code, error.place) == ("network-unreadable", str(folder / GRAPH))
    assert error.hint


def test_bundle_of_no_folder_is_the_shipped_one():
    assert read_bundle() == read_bundle(SHIPPED)
