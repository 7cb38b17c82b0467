"""FraCaS XML: premises, sections, answers."""

from __future__ import annotations

import pytest
from tests.errors import coded

from ensue.errors import DataError, LabelError, SettingError
from ensue.pairs import Label, read_located_pairs, read_pairs, write_pairs

FILE = """<?xml version="1.0"?>
<fracas-problems>
<comment class="intro"> about &lt;problem&gt; </comment>
<comment class="section"> 1 GENERALIZED QUANTIFIERS </comment>
<comment class="subsection"> 1.1 Conservativity </comment>
<comment> in between </comment>
<problem id="001" fracas_answer="no" fracas_nonstandard="true">
  <p idx="1">
    Every cat sleeps.
  </p>
  <p idx="2"> Tom is a cat. </p>
  <q> Is Tom awake? </q>
  <h> Tom is awake. </h>
  <a> No </a>
  <note> one </note><note> two </note>
</problem>
<comment class="section"> 2 PLURALS </comment>
<problem id="002" fracas_answer="undef"><p idx="1"> It rains. </p><q> </q><h> </h></problem>
</fracas-problems>
"""


def test_fracas_joins_premises_and_keeps_them(written):
    pair = next(read_pairs(written("f.xml", FILE)))
    assert pair.text == "Every cat sleeps. Tom is a cat."
    assert pair.meta["premises"] == ["Every cat sleeps.", "Tom is a cat."]


def test_fracas_no_is_a_contradiction(written):
    assert next(read_pairs(written("f.xml", FILE))).gold is Label.CONTRADICTION


def test_fracas_task_is_the_section(written):
    pairs = list(read_pairs(written("f.xml", FILE)))
    assert [pair.task for pair in pairs] == ["generalized quantifiers", "plurals"]
    assert [pair.meta.get("subsection") for pair in pairs] == ["1.1 Conservativity", None]


def test_fracas_keeps_the_rest_in_meta(written):
    meta = next(read_pairs(written("f.xml", FILE))).meta
    assert meta["fracas_nonstandard"] is True
    assert (meta["question"], meta["answer"], meta["note"]) == ("Is Tom awake?", "No", "one two")


def test_fracas_undef_and_a_missing_hypothesis_are_findings(written, findings):
    path = written("f.xml", FILE)
    located = list(read_located_pairs(path, on_finding=findings.append))
    assert [(line, pair.id, pair.gold) for line, pair in located][1] == (18, "002", None)
    assert [finding.code for finding in findings] == ["no-gold", "empty-hypothesis"]
    assert all(finding.place == f"{path}:18" for finding in findings)


def test_fracas_refuses_a_problem_without_id(written):
    content = "<fracas-problems>\n<problem><p>a</p><h>b</h></problem></fracas-problems>"
    with pytest.raises(DataError, match=r"f.xml:2: a problem has no id"):
        list(read_pairs(written("f.xml", content)))


def test_fracas_refuses_an_unknown_answer(written):
    with pytest.raises(LabelError, match="unknown label 'perhaps'"):
        list(read_pairs(written("f.xml", FILE.replace('"undef"', '"perhaps"'))))


def test_fracas_refuses_a_file_without_problems(written):
    with pytest.raises(DataError, check=coded("no-problem-file")):
        list(read_pairs(written("f.xml", "<fracas-problems></fracas-problems>")))


def test_fracas_is_only_read(tmp_path):
    with pytest.raises(SettingError, match="'fracas' can be read, not written"):
        write_pairs(tmp_path / "f.xml", [], format="fracas")


def test_fracas_reads_deep_markup_of_any_size(written):
    deep = "<b>" * 150_000 + "Every" + "</b>" * 150_000
    path = written("f.xml", FILE.replace("Every", deep))
    pair = next(read_pairs(path))
    assert pair.text == "Every cat sleeps. Tom is a cat."
