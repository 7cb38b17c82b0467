"""The paper on DIMPLE without data, and its experiment on small stand-ins."""

import json

import numpy as np
import pytest
from scipy import stats
from tests.errors import coded

from ensue.cli.app import run
from ensue.errors import DataError
from ensue.paraphrase.recognition import recognize
from ensue.paraphrase.scores import KS, PatternMeasure, ScoreSettings, score
from ensue.reproduce.dimple import (
    LONGEST,
    REPRODUCTION,
    judged_lists,
    learned_lists,
    reproduce,
    task_sets,
)
from ensue.reproduce.dimple_tables import VERBS

TWICE = {
    "killed": {
        "murdered": "yy",
        "slew": "yy",
        "took out": "yn",
        "had killed": "yy",
        "bit": "nn",
        "buried": "nn",
        "chased": "nn",
        "fed": "nn",
        "married": "nn",
        "saw": "nn",
    },
    "reached": {
        "arrived at": "yy",
        "got to": "yy",
        "attained": "yy",
        "came near": "yn",
        "crossed": "nn",
        "guarded": "nn",
        "left": "nn",
        "painted": "nn",
        "praised": "nn",
        "swept": "nn",
    },
}
"""What two people say of each candidate."""
ONCE = {"killed": ["vanquished", "wiped out"], "reached": ["made it to", "set foot in"]}
"""Right, and held against the term once only: the last two in the order by instances."""
MSRPC = [
    (1, "The fox killed four hens.", "A fox is killing hens."),
    (1, "The wolf killed a lamb.", "A lamb was murdered."),
    (1, "The knight killed the dragon.", "The dragon was vanquished."),
    (0, "The hunter killed a bear.", "The hunter saw a bear."),
    (1, "The boat reached the island.", "The boat got to the island."),
    (1, "The letter reached the mayor.", "The mayor has the letter."),
]
RTE = [
    ("TRUE", "The dog killed a rat.", "The dog slew a rat."),
    ("TRUE", "The guests reached the inn.", "The guests made it to the inn."),
    ("TRUE", "Rain reached the coast.", "It rains."),
    ("FALSE", "The bus reached the school.", "The bus left the school."),
]
ORDERS = ("features", "overlap", "modified-bleu", "instances")
TASKS = ("MSRPC", "RTE")
KILLING = [
    "Gunmen {} a guard outside the bank.",
    "The rebels {} a judge in his car.",
    "The gang {} both witnesses before dawn.",
    "A storm {} two farmers in the valley.",
]
REACHING = [
    "The climbers {} the summit at noon.",
    "The ship {} the harbor before dawn.",
    "The fire {} the village at night.",
    "The army {} the river on Sunday.",
]
"""Contexts in which paraphrases are planted."""


def instance(term, paraphrase, judgment):
    """A question and a candidate answer, as Levy & Dagan have them."""
    return f"animal, {term}, the farm\tbig dog, {paraphrase}, the farm\t{judgment}\n"


def rules():
    """Judged relations: two terms that are to be taken, and three that are not."""
    rows = [
        instance(term, paraphrase, judgment)
        for term, candidates in TWICE.items()
        for paraphrase, judgments in candidates.items()
        for judgment in judgments
    ]
    rows += [instance(term, each, "y") for term, all_of in ONCE.items() for each in all_of]
    rows += [instance("is", f"verb {i}", "y") for i in range(LONGEST)]
    rows += [instance("wolf", f"verb {i}", "y") for i in range(LONGEST - 1)]
    rows += [instance("danced with", f"verb {i}", "y") for i in range(LONGEST)]
    rows.append("animal, killed, the farm\tthe farm, fell to, big dog\ty\n")
    return "".join(rows)


def write_tasks(folder):
    (folder / "msrpc").mkdir()
    lines = "".join(
        f"{label}\t{2 * i}\t{2 * i + 1}\t{text}\t{hypothesis}\n"
        for i, (label, text, hypothesis) in enumerate(MSRPC)
    )
    (folder / "msrpc" / "msr_paraphrase_train.txt").write_text(
        f"Quality\t#1 ID\t#2 ID\t#1 String\t#2 String\n{lines}", encoding="utf-8"
    )
    (folder / "rte").mkdir()
    pairs = "".join(
        f'<pair id="{i}" value="{value}" task="IR"><t>{text}</t><h>{hypothesis}</h></pair>\n'
        for i, (value, text, hypothesis) in enumerate(RTE, 1)
    )
    (folder / "rte" / "rte1_dev.xml").write_text(
        f"<entailment-corpus>\n{pairs}</entailment-corpus>\n", encoding="utf-8"
    )


def write_wmt(folder):
    """Text to learn from: "murdered" is in the references, the rest in outputs only."""
    outputs = folder / "wmt12" / "system-outputs" / "fr-en"
    outputs.mkdir(parents=True)

    def write(path, killed, reached):
        lines = [each.format("killed") for each in KILLING] if path.name == "reference.en" else []
        lines += [each.format(killed) for each in KILLING]
        lines += [each.format(reached) for each in REACHING]
        lines += ["Nothing else was said."] * (12 - len(lines))
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")

    write(folder / "wmt12" / "reference.en", "murdered", "reached")
    write(outputs / "x.fr-en.one", "assassinated", "got to")
    write(outputs / "x.fr-en.two", "assassinated", "left")


def listing_of(found, name):
    """The rows of a listing as dictionaries, and its notes."""
    listing = next(each for each in found.listings if each.name == name)
    rows = [dict(zip(listing.columns, row, strict=True)) for row in listing.rows]
    return rows, listing.notes


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """The reproduction without data."""
    return reproduce(tmp_path_factory.mktemp("nothing"))


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    """A directory with both tasks and judged relations."""
    folder = tmp_path_factory.mktemp("data")
    write_tasks(folder)
    (folder / "paraphrase-rules").mkdir()
    (folder / "paraphrase-rules" / "daganlevy.txt").write_text(rules(), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def found(data):
    return reproduce(data, draws=20)


@pytest.fixture(scope="module")
def wmt(tmp_path_factory):
    """A directory with both tasks and text to learn from."""
    folder = tmp_path_factory.mktemp("wmt")
    write_tasks(folder)
    write_wmt(folder)
    return folder


@pytest.fixture(scope="module")
def learned(wmt):
    return reproduce(wmt, draws=20)


@pytest.fixture(scope="module")
def stand_in(data):
    return judged_lists(data, task_sets(data))


def test_reproduction_needs_no_data(bare):
    assert not REPRODUCTION.needs_data
    assert bare.name == REPRODUCTION.name == "dimple"
    assert bare.paper == "Diversity-aware Evaluation for Paraphrase Patterns"


def test_figures_agree_or_say_why_not(bare):
    assert [
        figure.key for figure in bare.figures if figure.agrees is False and not figure.note
    ] == []
    assert sum(figure.agrees is True for figure in bare.figures) > 10


def test_figures_without_a_published_number_are_recomputed_or_noted(bare):
    silent = [
        figure.key
        for figure in bare.figures
        if figure.published is None and figure.recomputed is None and not figure.note
    ]
    assert silent == []


def test_listings_of_what_the_paper_prints_need_no_data(bare):
    assert [each.name for each in bare.listings] == ["significance", "order", "williams", "verbs"]


def test_missing_data_are_said_to_be_missing(bare, found):
    remark = "where --data DIR holds msrpc or rte"
    assert [remark in each for each in bare.remarks].count(True) == 1
    assert not any(remark in each for each in found.remarks)


def test_data_change_no_figure(bare, found):
    assert found.figures == bare.figures
    assert found.listings[: len(bare.listings)] == bare.listings


def test_stand_ins_are_listed_behind(found):
    names = [each.name for each in found.listings][4:]
    expected = ["verbs-here", "judged-lists", "judged-correlations", "judged-differences"]
    assert names == expected


def test_tasks_without_lists_give_the_verbs_alone(tmp_path):
    write_tasks(tmp_path)
    found = reproduce(tmp_path, draws=0)
    assert [each.name for each in found.listings][4:] == ["verbs-here"]


def test_lists_without_tasks_are_not_used(data, tmp_path):
    (tmp_path / "paraphrase-rules").symlink_to(data / "paraphrase-rules")
    found = reproduce(tmp_path, draws=0)
    assert len(found.listings) == 4
    assert any("where --data DIR holds msrpc or rte" in each for each in found.remarks)


def test_verbs_are_counted_here_beside_the_published_counts(found):
    rows, notes = listing_of(found, "verbs-here")
    assert [row["verb"] for row in rows] == list(VERBS)
    by_verb = {row["verb"]: row for row in rows}
    assert by_verb["killed"] == {
        "verb": "killed",
        "MSRPC here": 3,
        "MSRPC published": 48,
        "RTE here": 1,
        "RTE published": 109,
    }
    assert (by_verb["reached"]["MSRPC here"], by_verb["reached"]["RTE here"]) == (2, 2)
    assert "positive pairs at hand: MSRPC: 5, RTE: 3;" in notes[0]


def test_judged_terms_say_something_are_used_and_have_enough_candidates(stand_in):
    # "is" has no content word, "wolf" one candidate too few, nobody danced in a positive pair
    assert stand_in.lists.terms == ("killed", "reached")


def test_judged_lists_are_in_four_orders_and_as_long_as_the_papers(stand_in):
    assert stand_in.lists.methods == ORDERS
    assert np.diff(stand_in.lists.offsets).tolist() == [LONGEST] * len(ORDERS) * 2


def test_judged_order_by_instances_has_the_most_frequent_candidates(stand_in):
    which = [i for i, key in enumerate(stand_in.lists.keys) if key.method == "instances"]
    chosen = stand_in.lists.chosen_lists(which)
    assert list(chosen.paraphrases) == [*sorted(TWICE["killed"]), *sorted(TWICE["reached"])]


def test_judged_quality_is_the_share_of_right_instances(stand_in):
    quality = dict(
        zip(stand_in.lists.paraphrases, stand_in.lists.columns["quality"].tolist(), strict=True)
    )
    assert (quality["murdered"], quality["took out"], quality["saw"]) == (1, 1 / 2, 0)


def test_judged_candidate_with_changed_places_is_left_out(stand_in):
    assert "fell to" not in stand_in.lists.paraphrases


def test_judged_means_are_worked_by_hand(found):
    row = next(r for r in listing_of(found, "judged-lists")[0] if r["method"] == "instances")
    assert row["lists"] == 2
    # killed: Q of 1, 1, 1/2 and 1, the last of which repeats the term; reached: 1, 1, 1 and 1/2
    assert row["EP@10"] == pytest.approx((3.5 / 10 + 3.5 / 10) / 2)
    assert row["EPR@10"] == pytest.approx((2.5 / 10 + 3.5 / 10) / 2)
    half = 2**1.5 - 1
    killed, reached = 7 + 7 + half + 1, 7 + 7 + 7 + half
    assert row["DIMPLE@10"] == pytest.approx((killed + reached) / 2 / (10 * 7))


def test_judged_recognition_is_worked_by_hand(found):
    row = next(r for r in listing_of(found, "judged-lists")[0] if r["method"] == "instances")
    # killed: one pair by its stem, one by "murdered", none by "vanquished"; reached: "got to"
    assert row["MSRPC performance"] == pytest.approx((2 / 3 + 1 / 2) / 2)
    assert row["MSRPC by patterns"] == pytest.approx((1 / 3 + 1 / 2) / 2)
    # and one false alarm, by "saw"
    assert row["MSRPC precision"] == pytest.approx(3 / 4)
    # "slew", but neither "made it to" nor rain; "left" is a false alarm
    assert row["RTE performance"] == pytest.approx((1 / 1 + 0 / 2) / 2)
    assert row["RTE precision"] == pytest.approx(1 / 2)


def test_judged_correlations_are_those_of_scipy_over_the_lists(found, stand_in, data):
    scored = score(stand_in.lists, ScoreSettings(), "column:quality")
    performances = recognize(stand_in.lists, task_sets(data)).performances
    rows, notes = listing_of(found, "judged-correlations")
    assert [(row["task"], row["measure"], row["k"]) for row in rows] == [
        (task, measure, k) for task in TASKS for measure in PatternMeasure for k in KS
    ]
    assert any(row["r"] is not None for row in rows)
    for row in rows:
        assert row["lists"] == len(ORDERS) * 2
        values = [scored.value(i, row["measure"], row["k"]) for i in range(row["lists"])]
        performance = performances[:, TASKS.index(row["task"])]
        if np.ptp(values) == 0:
            assert row["r"] is None
            assert any(f"{row['measure']}_{row['k']} is" in note for note in notes)
            continue
        pearson = stats.pearsonr(values, performance)
        assert (row["r"], row["p"]) == pytest.approx((pearson.statistic, pearson.pvalue))
        assert row["ρ"] == pytest.approx(stats.spearmanr(values, performance).statistic)
        assert row["τ"] == pytest.approx(stats.kendalltau(values, performance).statistic)


def test_judged_listings_have_a_cell_for_each_column_and_no_nan(found):
    for listing in found.listings:
        assert {len(row) for row in listing.rows} == {len(listing.columns)}
        numbers = [cell for row in listing.rows for cell in row if isinstance(cell, float)]
        assert np.isfinite(numbers).all()


def test_judged_differences_are_of_every_two_measures_at_10(found):
    rows, _ = listing_of(found, "judged-differences")
    couples = [("EP", "EPR"), ("EP", "DIMPLE"), ("EPR", "DIMPLE")]
    assert [(row["task"], row["first"], row["second"]) for row in rows] == [
        (task, *couple) for task in TASKS for couple in couples
    ]
    of_correlations = {
        (row["task"], row["measure"]): row["r"]
        for row in listing_of(found, "judged-correlations")[0]
        if row["k"] == max(KS)
    }
    for row in rows:
        assert row["r of the first"] == of_correlations[row["task"], row["first"]]
        assert row["r of the second"] == of_correlations[row["task"], row["second"]]


def test_reproduction_is_the_same_for_the_same_seed(data, found):
    assert reproduce(data, draws=20).listings == found.listings


def test_learned_lists_are_found_in_four_ways(learned):
    rows, notes = listing_of(learned, "learned-lists")
    assert {row["method"]: row["lists"] for row in rows} == {
        "pd": 2,
        "pd-cosine": 2,
        "pd-narrow": 2,
        "br": 1,
    }
    assert notes[0] == "terms: killed, reached"
    assert listing_of(learned, "learned-correlations")[0]


def test_learned_lists_recognize_what_was_planted(learned):
    row = next(r for r in listing_of(learned, "learned-lists")[0] if r["method"] == "pd")
    # killed: by its stem, and by "murdered"; reached: by "got to"
    assert row["MSRPC performance"] == pytest.approx((2 / 3 + 1 / 2) / 2)
    # nothing was planted for "slew"
    assert row["RTE performance"] == pytest.approx((0 / 1 + 0 / 2) / 2)


def test_learned_qualities_are_a_recognizers(wmt):
    lists = learned_lists(wmt).lists
    assert set(lists.paraphrases) == {"murdered", "assassinated", "got to", "left"}
    quality = lists.columns["quality"]
    assert ((quality > 0) & (quality < 1)).all()


def test_learning_needs_text_in_english(tmp_path):
    folder = tmp_path / "wmt12" / "system-outputs" / "en-fr"
    folder.mkdir(parents=True)
    (folder / "x.en-fr.one").write_text("bonjour\n", encoding="utf-8")
    (tmp_path / "wmt12" / "reference.fr").write_text("salut\n", encoding="utf-8")
    with pytest.raises(DataError, check=coded("no-segment-english")):
        learned_lists(tmp_path)


def test_stand_ins_without_their_data_are_none(tmp_path):
    assert judged_lists(tmp_path, []) is None
    assert learned_lists(tmp_path) is None


def test_command_gives_the_listings_without_data(bare, monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    assert run(["reproduce", "dimple", "--format", "json", "--strict"]) == 0
    shown = json.loads(capsys.readouterr().out)
    assert {each.name for each in bare.listings} <= set(shown)
