import json

import pytest

from ensue import registry
from ensue.cli.app import run
from ensue.cli.diagnostics import KINDS
from ensue.reports.recognizers import components_table


@pytest.mark.parametrize("what", KINDS)
def test_list_gives_every_installed_component_a_line(what, capsys):
    assert run(["list", what, "--format", "json"]) == 0
    rows = json.loads(capsys.readouterr().out)[what]["rows"]
    assert [row["name"] for row in rows] == registry.names(KINDS[what])
    assert all(row["summary"] for row in rows)


@pytest.mark.parametrize("what", KINDS)
def test_list_shows_no_component_that_cannot_be_loaded(what):
    summaries = [row[1] for row in components_table(KINDS[what], what).rows]
    assert not [each for each in summaries if "cannot be loaded" in each]


def test_list_knows_every_kind_of_component():
    assert set(KINDS.values()) == set(registry.GROUPS)


def test_list_without_a_kind_gives_all(capsys):
    assert run(["list", "--format", "json"]) == 0
    assert list(json.loads(capsys.readouterr().out)) == list(KINDS)


def test_list_does_not_let_one_broken_component_hide_the_others(monkeypatch):
    def find(kind, name):
        raise ImportError("no module named 'absent'")

    monkeypatch.setattr(registry, "names", lambda kind: ["broken"])
    monkeypatch.setattr(registry, "find", find)
    table = components_table("recognizer", "recognizers")
    assert table.rows == [["broken", "(cannot be loaded: no module named 'absent')"]]


def test_list_names_what_there_is_to_list(capsys):
    assert run(["list", "models"]) == 2
    assert "'recognizers', 'formats', 'measures'" in capsys.readouterr().err


def test_list_gives_one_table_where_asked(capsys):
    assert run(["list", "--format", "csv", "--table", "measures"]) == 0
    assert capsys.readouterr().out.startswith("name,summary\naccuracy,")
    assert run(["list", "formats", "--table", "measures"]) == 3
    assert "no table is called 'measures'\nhint: there are: formats" in capsys.readouterr().err
