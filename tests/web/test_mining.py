"""Mining on a page: what makes a run fail, each with its cases, and no longer than a page may take."""

import json
import re

import pytest

from ensue.web.routes import comparison

TAGS = [
    ("V-P", "V-A"),
    ("V-A", "V-A"),
]
"""The construction of the hypothesis and of the text; the first kind is what the run gets wrong."""


def case(i):
    of_hypothesis, of_text = TAGS[i % 2]
    return {
        "id": f"s&{i}",
        "text": f"John sent book {i}.",
        "hypothesis": f"Book {i} was sent." if i % 2 == 0 else f"John sent book {i}.",
        "gold": "entailment",
        "meta": {
            "tags": [{"predicate": "send", "text": [of_text], "hypothesis": [of_hypothesis]}],
            "clauses": i % 3,
            "group": i,
        },
    }


@pytest.fixture
def suite(browser):
    """Somebody with a suite and two runs: one that takes passives for a no, one that is right."""
    ada = browser("ada")
    cases = [case(i) for i in range(12)]
    lines = "".join(json.dumps(each) + "\n" for each in cases)
    ada.send_form("/data", {"name": "suite"}, files={"file": ("s.jsonl", lines.encode())})
    answers = {"active": lambda i: i % 2 == 1, "right": lambda i: True}
    for name, says in answers.items():
        run = "".join(f"s&{i} {'TRUE' if says(i) else 'FALSE'} 0.5\n" for i in range(12))
        files = {"file": ("run.txt", run.encode())}
        assert ada.send_form("/data/1/runs", {"name": name}, files=files).status_code == 303
    return ada


def suspects(twin):
    return [
        part["rows"]
        for section in twin["report"]["sections"]
        for part in section["parts"]
        if part["title"].startswith("Suspects") and "rows" in part
    ]


def test_suite_is_mined_for_its_tags(suite):
    twin = suite.get("/compare/mining.json?data=1&run=1").json()
    assert twin["form_kinds"] == ["tags"]
    assert twin["offered"] == ["tags", "clauses", "words", "lemmas"]
    ((first,),) = suspects(twin)
    assert (first["hypothesis"], first["text"], first["errors"]) == ("V-P", "V-A", 6)
    assert first["p"] <= 0.05
    assert twin["unmined"] == [
        "active: nothing to mine: there are no answered non-entailments",
    ]


def test_worst_cases_lead_to_their_pairs_with_verdicts(suite):
    page = suite.get("/compare/mining?data=1&run=1&against=2").text
    assert "⟦" in page
    (link,) = re.findall(r'href="(/data/1/pairs\?id=[^"]+)"', page)
    found = suite.get(f"{link.replace('&amp;', '&').replace('/pairs?', '/pairs.json?')}").json()
    assert found["found"]["n_found"] == 3
    for row in found["found"]["rows"]:
        assert row["right"] == [False, True]


def test_columns_and_words_are_mined_where_they_are_asked_for(suite):
    twin = suite.get("/compare/mining.json?data=1&run=1&forms=clauses&forms=words").json()
    ((first, *_),) = suspects(twin)
    assert first["form"] == "H:was"


def test_run_without_errors_has_nothing_to_mine(suite):
    page = suite.get("/compare/mining?data=1&run=2")
    assert page.status_code == 200
    assert "nothing to mine" in page.text


def test_forms_that_nobody_has_are_an_error_that_says_so(suite):
    found = suite.get("/compare/mining?data=1&run=1&forms=clause")
    assert found.status_code == 422
    assert "did you mean &#39;clauses&#39;?" in found.text


def test_words_of_many_pairs_are_not_resampled(suite, monkeypatch):
    monkeypatch.setattr(comparison, "_RESAMPLED", 11)
    page = suite.get("/compare/mining?data=1&run=1&forms=words").text
    assert "There are no p-values" in page
    ((first, *_),) = suspects(suite.get("/compare/mining.json?data=1&run=1&forms=words").json())
    assert first["p"] is None
    ((first,),) = suspects(suite.get("/compare/mining.json?data=1&run=1&forms=tags").json())
    assert first["p"] is not None


def test_comparison_leads_to_mining(suite):
    page = suite.get("/compare?data=1&run=1&run=2").text
    assert 'href="/compare/mining?data=1&amp;run=1"' in page
    assert 'href="/compare/mining?data=1&amp;run=1&amp;against=2&amp;errors=all"' in page
