"""The paper's figures recompute as far as the data go, and what is missing is said."""

import gzip
import shutil

import numpy as np
import pytest
from tests.errors import coded

from ensue.errors import DataError
from ensue.reproduce import entailment_mt
from ensue.reproduce.entailment_mt import COLUMNS, MODELS, NAME, SETS, reproduce
from ensue.reproduce.model import published
from ensue.translation.features import FeatureSet, FeatureTable, feature_names
from ensue.translation.formats.sets import open_set
from ensue.translation.judgments import preferences
from ensue.translation.metrics import linear_models as fitting
from ensue.translation.metrics.linear_models import ModelKind

TABLE_2 = {
    ("abs", "tradmt"): (0.50, 0.74, 0.74),
    ("abs", "rte"): (0.51, 0.72, 0.78),
    ("abs", "comb"): (0.51, 0.74, 0.74),
    ("pair", "tradmt"): (0.52, 0.63, 0.73),
    ("pair", "rte"): (0.51, 0.66, 0.77),
    ("pair", "comb"): (0.53, 0.70, 0.77),
}
CELLS = [
    f"table-2-{model}-{features}-{c}" for model in MODELS for features in SETS for c in COLUMNS
]
ANALYSES = [
    key for s in ("rte", "tradmt") for key in (f"top-{s}", f"margin-{s}-right", f"margin-{s}-wrong")
]
OUT_OF_REACH = {
    "worst-consistency",
    "worst-with-ties",
    "best-consistency",
    "best-with-ties",
    "bleu-ter",
    "seconds",
    *(f"table-3-{n}-{features}" for n in (1, 2) for features in SETS),
}

HEADER = "TASK,TYPE,ITEM_ID,ANNOTATOR_ID,TIME," + ",".join(
    f"SYSTEM_{i},SCORE_{i}_A,SCORE_{i}_B" for i in range(5)
)


def campaign(*rows):
    """A file of WMT07's and WMT08's kind, from (task, type, item, judge, scores by system)."""
    lines = [HEADER]
    for task, kind, item, judge, scores in rows:
        cells = [cell for system, given in scores.items() for cell in (system, *given)]
        lines.append(",".join(map(str, [task, kind, item, judge, 60, *cells])))
    return "\n".join(lines) + "\n"


def ranks(**given):
    return {system: (rank, "") for system, rank in given.items()}


NEWS_07, NEWS_08 = "WMT07 French-English News Commentary", "WMT08 French-English News"


@pytest.fixture
def judgments(tmp_path):
    """In WMT07 5 is best: two tie on the first segment, one is best on the second and the third."""
    folder = tmp_path / "wmt-judgments"
    folder.mkdir()
    (folder / "wmt07.csv").write_text(
        campaign(
            (NEWS_07, "RANK", 0, 1, ranks(u=5, v=5, w=1)),
            (NEWS_07, "RANK", 1, 1, ranks(u=5, v=1, w=1)),
            (NEWS_07, "RANK", 2, 1, ranks(u=2, v=1, w=1)),
            ("WMT07 English-French News Commentary", "RANK", 0, 1, ranks(u=3, v=3)),
        )
    )
    (folder / "wmt08.csv").write_text(
        campaign(
            (NEWS_08, "RANK", 0, 1, ranks(u=1, v=2, w=3)),
            (NEWS_08, "RANK", 0, 2, ranks(u=1, v=2, w=2)),
            (NEWS_08, "RANK", 0, 3, ranks(u=2, v=1)),
            (NEWS_08, "RANK", 686, 1, ranks(u=1, rbmt4=4)),
        )
    )
    return tmp_path


def figures_of(reproduction):
    return {figure.key: figure for figure in reproduction.figures}


def listing_of(reproduction, name):
    return next(each for each in reproduction.listings if each.name == name)


def cheap_measure(meter, segments, *, progress=None):
    """Features at no cost: the share of the reference's words, and the length; the others are 0."""
    keys, rows = [], []
    names = feature_names(FeatureSet.COMB)
    for segment in segments:
        reference = segment.references[0].lower().split()
        for key, output in zip(segment.output_keys(), segment.outputs.values(), strict=True):
            words = output.lower().split()
            row = np.zeros(len(names))
            row[0] = len(set(words) & set(reference)) / len(set(reference))
            row[-1] = len(words) / len(reference)
            keys.append(key)
            rows.append(row)
    if progress:
        progress(len(keys))
    return FeatureTable(tuple(keys), names, np.array(rows))


@pytest.fixture(scope="module")
def cheap():
    """Nothing is parsed, and the strength of regularization is not chosen but given."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(entailment_mt, "measure", cheap_measure)
        patch.setattr(fitting, "STRENGTHS", dict.fromkeys(ModelKind, (1e-3,)))
        yield


def test_record_has_every_cell_of_table_2():
    figures = {each["key"]: each["published"] for each in published(NAME)["figures"]}
    for (model, features), row in TABLE_2.items():
        cells = [figures[f"table-2-{model}-{features}-{column}"] for column in COLUMNS]
        assert tuple(cells) == row
    assert (figures["worst-consistency"], figures["worst-with-ties"]) == (0.44, 0.37)
    assert (figures["best-consistency"], figures["best-with-ties"]) == (0.56, 0.83)


def test_record_names_each_figure_once():
    keys = [each["key"] for each in published(NAME)["figures"]]
    assert len(keys) == len(set(keys))


def test_everything_out_of_reach_says_why(judgments):
    figures = figures_of(reproduce(judgments))
    missing = {key for key, figure in figures.items() if figure.recomputed is None}
    assert missing == OUT_OF_REACH | {*CELLS, *ANALYSES, "table-3-1-gold"}
    assert all(figures[key].note for key in missing)
    assert figures["table-3-1-gold"].note.startswith("nobody ranked it")


def test_missing_texts_are_named(judgments):
    figures = figures_of(reproduce(judgments))
    assert figures["table-2-abs-rte-basic"].note == "not in the directory: wmt06, wmt07, wmt08"
    assert figures["table-2-pair-rte-basic"].note == "not in the directory: wmt07, wmt08"
    assert figures["top-rte"].note.startswith("not in the directory: wmt06, wmt07, wmt08; ")


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("wmt07", ["ties"]),
        (
            "wmt08",
            ["agreement", "agreement-untied", "kappa", "floor", "floor-ties", "table-3-2-gold"],
        ),
    ],
)
def test_missing_judgments_are_named(judgments, name, keys):
    (judgments / "wmt-judgments" / f"{name}.csv").unlink()
    figures = figures_of(reproduce(judgments))
    for key in keys:
        assert figures[key].recomputed is None
        assert figures[key].note.startswith(f"not in the directory: wmt-judgments/{name}.csv; ")


def test_directory_without_any_data_is_refused(tmp_path):
    with pytest.raises(DataError, check=coded("nothing-wmt")) as caught:
        reproduce(tmp_path)
    assert "wmt-judgments/wmt07.csv" in caught.value.hint


def test_claims_are_held_against_the_table_by_arithmetic(judgments):
    figures = figures_of(reproduce(judgments))
    expected = {
        "pair-consistency": 2,  # 0.52 > 0.50, 0.51 = 0.51, 0.53 > 0.51
        "comb-consistency": 1,  # 0.51 = 0.51; 0.53 > 0.52
        "comb-best": 0.53,
        "competitive": 0.56 - 0.53,
        "pair-basic": 3,  # 0.63 < 0.74, 0.66 < 0.72, 0.70 < 0.74
        "pair-basic-margin": 0.74 - 0.63,
        "abs-gains": 1,  # 0.74 → 0.74, 0.72 → 0.78, 0.74 → 0.74
        "abs-gains-less": 3,  # 0.00 < 0.10, 0.06 < 0.11, 0.00 < 0.07
        "similar": 0.77 - 0.74,  # beside 0.74 − 0.73 and 0.78 − 0.77
        "pattern": 0,  # 0.50 < 0.51, but 0.74 > 0.72; 0.52 > 0.51, but 0.63 < 0.66
        "no-winner": 1,  # 0.72 < 0.74; 0.66 > 0.63
        "above-bleu": 0.63 - 0.55,
        "comb-basic": 1,  # 0.74 = 0.74; 0.70 > 0.66
        "rte-ties": 1,  # 0.78 > 0.74; 0.77 = 0.77
        "rte-gain-abs": 0.78 - 0.72,
        "rte-gain-pair": 0.77 - 0.66,
        "others-gain-less": 4,  # 0.00 and 0.00 < 0.06; 0.10 and 0.07 < 0.11
        "comb-gains-least": 1,  # 0.00 = 0.00; 0.07 < 0.10
        "two-best": 3,  # 0.78, 0.77, 0.77
        "ties-improve": 4,  # all but 0.74 → 0.74, twice
        "margin-rte-ratio": 0.30 / 0.16,
        "margin-tradmt-ratio": 0.17 / 0.13,
        "features": 74,
        "groups": 15,  # Table 1
        "tradmt-features": 18 + 16 + 50,
    }
    found = {key: figures[key].recomputed for key in expected}
    assert found == pytest.approx(expected)


def test_claims_that_the_table_does_not_bear_out_are_those_we_know(judgments):
    differ = [figure.key for figure in reproduce(judgments).figures if figure.agrees is False]
    assert set(differ) - {"agreement", "table-3-2-gold"} == {
        "pair-consistency",
        "comb-consistency",
        "abs-gains",
        "comb-basic",
        "rte-ties",
        "comb-gains-least",
        "two-best",
        "ties-improve",
    }


def test_ties_for_best_are_counted_into_english_with_5_the_best(judgments):
    assert figures_of(reproduce(judgments))["ties"].recomputed == pytest.approx(100 * 1 / 3)


def test_ties_are_listed_by_every_way_to_count(judgments):
    rows = listing_of(reproduce(judgments), "ties").rows
    assert [row[:5] for row in rows if row[0] == "wmt07"] == [
        ("wmt07", "ranking", "all", 2, 4),
        ("wmt07", "segment", "all", 2, 4),
        ("wmt07", "ranking", "into English", 1, 3),
        ("wmt07", "segment", "into English", 1, 3),
    ]


def test_agreement_and_floors_are_worked_by_hand(judgments):
    figures = figures_of(reproduce(judgments))
    # u–v: u, u, v: 1 couple of 3 agrees; u–w: u, u: 1 of 1; v–w: v, tie: 0 of 1
    assert figures["agreement"].recomputed == pytest.approx(2 / 5)
    assert figures["kappa"].recomputed == pytest.approx((2 / 5 - 1 / 3) / (1 - 1 / 3))
    assert figures["agreement-untied"].recomputed == pytest.approx(2 / 4)
    # 3 + 3 + 1 + 1 comparisons, one of them a tie
    assert figures["floor"].recomputed == 50
    assert figures["floor-ties"].recomputed == pytest.approx(100 * (1 - 1 / 8) / 2)
    assert figures["table-3-2-gold"].recomputed == 4


def test_packed_judgments_are_read(judgments):
    plain = figures_of(reproduce(judgments))
    for path in (judgments / "wmt-judgments").iterdir():
        path.with_name(f"{path.name}.gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
    assert figures_of(reproduce(judgments)) == plain


def test_what_does_not_stand_in_is_said(judgments):
    reproduction = reproduce(judgments)
    assert reproduction.remarks[-1].startswith("there is no wmt12 in the directory")
    assert [each.name for each in reproduction.listings] == ["ties", "floors"]


@pytest.fixture(scope="module")
def stand_in(root, tmp_path_factory):
    """The project's own example where WMT12 would be."""
    folder = tmp_path_factory.mktemp("stand-in")
    shutil.copytree(root / "examples" / "translation", folder / "wmt12")
    return folder


@pytest.fixture(scope="module")
def stood_in(stand_in, cheap):
    """What is reproduced, and how many outputs were measured at a time."""
    measured = []
    return reproduce(stand_in, progress=measured.append), measured


def test_stand_in_puts_the_published_table_beside_ours(stood_in):
    listing = listing_of(stood_in[0], "table_2")
    rows = [dict(zip(listing.columns, row, strict=True)) for row in listing.rows]
    assert [(row["model"], row["features"]) for row in rows[:6]] == list(TABLE_2)
    for row, cells in zip(rows, TABLE_2.values(), strict=False):
        assert (row["WMT08 consistency"], row["WMT08 basic"], row["WMT08 with ties"]) == cells
        assert 0 <= row["low"] <= row["consistency"] <= row["high"] <= 1
        assert -1 <= row["basic"] <= 1
        assert -1 <= row["with ties"] <= 1
    assert [row["WMT08 with ties"] for row in rows[6:]] == [0.37, 0.83]


def test_stand_in_with_human_ties_counts_them_as_wrong(stood_in, stand_in):
    listing = listing_of(stood_in[0], "table_2")
    compared = preferences(open_set([str(stand_in / "wmt12")]).judgments)
    n, n_decided = len(compared), len(compared.decided())
    for row in listing.rows[:6]:
        without, counted = row[3], row[6]
        assert counted == pytest.approx(without * n_decided / n)
    assert f"over {n_decided:,} preferences" in listing.notes[2]
    assert f"over {n - n_decided:,} ties" in listing.notes[2]


def test_stand_in_lists_the_analyses_of_both_models(stood_in):
    rows = listing_of(stood_in[0], "analyses").rows
    assert [row[:3] for row in rows] == [
        ("abs", "tradmt", -0.02),
        ("abs", "rte", 0.015),
        ("pair", "tradmt", -0.02),
        ("pair", "rte", 0.015),
    ]
    assert [row[6] for row in rows[:2]] == pytest.approx([0.17 / 0.13, 0.30 / 0.16])


def test_stand_in_neither_agrees_nor_differs(stood_in):
    figures = figures_of(stood_in[0])
    assert all(figures[key].agrees is None for key in (*CELLS, *ANALYSES))


def test_whole_segments_are_measured_on_demand(stood_in, stand_in):
    found = open_set([str(stand_in / "wmt12")])
    reproduction, measured = stood_in
    whole = []
    other = reproduce(stand_in, whole_segments=True, progress=whole.append)
    ranked = {key for ranking in found.judgments.rankings for key in ranking.output_keys()}
    segments = {(key.language_pair, key.segment) for key in ranked}
    assert sum(measured) == len(ranked)
    assert sum(whole) == sum(
        len(each.outputs) for each in found.segments() if (each.language_pair, each.id) in segments
    )
    assert sum(measured) < sum(whole)
    assert figures_of(other) == figures_of(reproduction)


SEGMENTS = 12
SENTENCE = "the old man rowed his green boat to a quiet island before the storm"
SYSTEMS = {"u": 14, "v": 11, "w": 8, "x": 5}
"""How many words of the reference each keeps."""


def write_texts(folder, test_set):
    """A French set of twelve segments, in which each system keeps its share of the words."""
    outputs = folder / "system-outputs" / "fr-en"
    outputs.mkdir(parents=True)
    words = SENTENCE.split()
    references = [" ".join(words[i:] + words[:i]) for i in range(SEGMENTS)]
    (folder / "reference.en").write_text("\n".join(references) + "\n")
    for system, n_words in SYSTEMS.items():
        lines = [" ".join(line.split()[: n_words - i % 2]) for i, line in enumerate(references)]
        (outputs / f"{test_set}.fr-en.{system}").write_text("\n".join(lines) + "\n")


@pytest.fixture
def own_texts(tmp_path, cheap):
    """WMT06 to WMT08 in small, the judges liking what keeps more words, but for one segment."""
    write_texts(tmp_path / "wmt06", "test2006")
    rows = ["language_pair,segment,system,judge,adequacy,fluency"]
    rows += [
        f"fr-en,{i + 1},{system},j,{(n_words + i % 2) // 3},{n_words // 3}"
        for i in range(SEGMENTS)
        for system, n_words in SYSTEMS.items()
    ]
    (tmp_path / "wmt06" / "judgments.csv").write_text("\n".join(rows) + "\n")
    write_texts(tmp_path / "wmt07" / "nc-test2007", "nc-test2007")
    write_texts(tmp_path / "wmt08" / "newstest2008", "newstest2008")
    folder = tmp_path / "wmt-judgments"
    folder.mkdir()
    scored = {"u": (5, 5), "v": (4, 4), "w": (2, 3), "x": (1, 1)}
    best_is_5, best_is_1 = ranks(u=5, v=3, w=2, x=1), ranks(u=1, v=2, w=2, x=5)
    (folder / "wmt07.csv").write_text(
        campaign(
            *((NEWS_07, "NIST", i, 1, scored) for i in range(SEGMENTS)),
            *((NEWS_07, "RANK", i, 1, best_is_5) for i in range(SEGMENTS)),
        )
    )
    (folder / "wmt08.csv").write_text(
        campaign(
            *((NEWS_08, "RANK", i, 1, best_is_1) for i in range(1, SEGMENTS)),
            (NEWS_08, "RANK", 0, 1, ranks(u=4, v=3, w=2, x=1)),
        )
    )
    return tmp_path


def test_whoever_has_the_texts_recomputes_table_2(own_texts):
    figures = figures_of(reproduce(own_texts))
    # what counts words is right on 11 segments with 5 preferences each, and wrong on one with 6
    shares = [figures[key].recomputed for key in CELLS if key.endswith("consistency")]
    assert shares == pytest.approx([55 / 61] * 6)
    # u is always its best, so that its systems have the ranks 4, 2, 2, 2; people's "≥ others" are
    # 33, 23, 24 and 3 of 36, the ranks 4, 2, 3, 1: ρ = 3 / √(3 · 5)
    assert figures["table-2-pair-comb-basic"].recomputed == pytest.approx(3 / (3 * 5) ** 0.5)
    assert all(figures[key].recomputed is not None for key in (*CELLS, *ANALYSES))


def test_abs_needs_wmt06_and_pair_does_not(own_texts):
    shutil.rmtree(own_texts / "wmt06")
    figures = figures_of(reproduce(own_texts))
    for key in CELLS:
        is_there = figures[key].recomputed is not None
        assert is_there is key.startswith("table-2-pair")
    assert figures["table-2-abs-comb-basic"].note == "not in the directory: wmt06"


def test_analyses_are_those_of_abs_in_points(own_texts, monkeypatch):
    seen = []
    place_consistency = entailment_mt.place_consistency

    def spied(rankings, scores, **others):
        found = place_consistency(rankings, scores, **others)
        seen.append((scores.name, found.difference.value))
        return found

    monkeypatch.setattr(entailment_mt, "place_consistency", spied)
    figures = figures_of(reproduce(own_texts))
    assert figures["top-rte"].recomputed == pytest.approx(100 * dict(seen)["abs-rte"])
    assert figures["top-tradmt"].recomputed == pytest.approx(100 * dict(seen)["abs-tradmt"])


@pytest.fixture(scope="module")
def judged_by_people(shared_data, tmp_path_factory):
    """WMT07 and WMT08 without WMT12, which takes minutes."""
    folder = tmp_path_factory.mktemp("wmt")
    shutil.copytree(shared_data / "wmt-judgments", folder / "wmt-judgments")
    return reproduce(folder)


@pytest.mark.data
def test_ties_of_wmt07_are_the_papers_almost_30_percent(judged_by_people):
    assert figures_of(judged_by_people)["ties"].recomputed == pytest.approx(100 * 574 / 1944)
    counts = [row[3:5] for row in listing_of(judged_by_people, "ties").rows if row[0] == "wmt07"]
    assert counts == [(1169, 4076), (628, 2408), (574, 1944), (315, 1174)]


@pytest.mark.data
def test_agreement_of_wmt08_is_the_papers(judged_by_people):
    figures = figures_of(judged_by_people)
    assert figures["agreement"].agrees
    assert figures["agreement"].recomputed == pytest.approx(5080 / 8787)
    assert figures["kappa"].recomputed == pytest.approx(1.5 * (5080 / 8787 - 1 / 3))


@pytest.mark.data
def test_chance_on_wmt08_is_below_half_only_where_ties_count(judged_by_people):
    figures = figures_of(judged_by_people)
    assert figures["floor"].recomputed == 50
    # 31,823 preferences and 6,680 ties
    assert figures["floor-ties"].recomputed == pytest.approx(100 * 31_823 / 38_503 / 2)


@pytest.mark.data
def test_gold_ranks_of_table_3_are_in_wmt08(judged_by_people):
    figures = figures_of(judged_by_people)
    assert figures["table-3-1-gold"].agrees
    assert figures["table-3-2-gold"].agrees
