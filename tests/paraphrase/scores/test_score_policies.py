"""What becomes of lists that are not as the paper's are."""

import numpy as np
import pytest
from hypothesis import given, strategies as st

from ensue.errors import DataError
from ensue.pairs import Severity
from ensue.paraphrase.lists import NOT_JUDGED, ListKey, RankedLists
from ensue.paraphrase.scores import (
    PatternMeasure,
    Repeated,
    ScoreSettings,
    Short,
    Unjudged,
    found_quality,
    score,
    score_lists,
)
from ensue.paraphrase.scores.preparation import repeats
from ensue.paraphrase.words import pattern_words

EP, EPR, DIMPLE = PatternMeasure
YES, NO, NOBODY = (1, 1), (0, 0), (NOT_JUDGED, NOT_JUDGED)


def codes(scored):
    return [finding.code for finding in scored.findings]


def test_what_a_short_list_lacks_gets_nothing(judged):
    lists = judged({("killed", "a"): [("shot", YES), ("slain", YES)]})
    scored = score(lists, ScoreSettings(ks=(5,)))
    assert scored.values[0, :, 0].tolist() == [2 / 5, 2 / 5, 2 * 7 / (5 * 7)]
    assert codes(scored) == ["short-list"]
    assert scored.findings[0].message == "1 of 1 lists have fewer than 5 patterns"


def test_short_list_may_be_divided_by_what_it_has(judged):
    lists = judged({("killed", "a"): [("shot", YES), ("slain", NO)]})
    scored = score(lists, ScoreSettings(ks=(1, 5), short=Short.AVAILABLE))
    assert scored.values[0, :, 1].tolist() == [1 / 2, 1 / 2, 7 / (2 * 7)]
    assert scored.values[0, :, 0].tolist() == [1, 1, 1]


def test_empty_list_scores_nothing(judged):
    lists = judged({("killed", "a"): [], ("told", "a"): [("said", YES)]})
    scored = score(lists, ScoreSettings(ks=(1,)))
    assert scored.values[0].tolist() == [[0], [0], [0]]
    assert codes(scored) == ["short-list", "empty-list"]
    assert scored.mean(EP, 1).value == 1 / 2


def test_empty_list_is_undefined_by_what_it_has(judged):
    lists = judged({("killed", "a"): [], ("told", "a"): [("said", YES)]})
    scored = score(lists, ScoreSettings(ks=(1,), short=Short.AVAILABLE))
    found = scored.estimate(0, DIMPLE, 1)
    assert (found.value, found.reason) == (None, "the list has no pattern")
    assert scored.mean(EP, 1).value == 1


def test_pattern_without_content_words_gets_the_least(judged):
    scored = score(judged({("killed", "a"): [("of the", YES), ("", YES)]}), ScoreSettings(ks=(2,)))
    assert scored.values[0, :, 0].tolist() == [1, 0, (1 + 1) / (2 * 7)]


REPEATING = [("shot", YES), ("Shot ", NO), ("slain", YES), ("  SHOT", NO), ("hit", YES)]


def test_repeated_pattern_is_dropped_and_those_behind_move_up(judged):
    scored = score(judged({("killed", "a"): REPEATING}, places=True), ScoreSettings(ks=(3,)))
    assert list(scored.lists.paraphrases) == ["shot", "slain", "hit"]
    assert scored.values[0, :, 0].tolist() == [1, 1, 1]
    (finding,) = scored.findings
    assert finding.code == "repeated-pattern"
    assert finding.severity is Severity.WARNING
    assert finding.message == (
        "2 patterns in the same list already: dropped, e.g. 'killed' → 'Shot '"
    )
    assert finding.place == "few.tsv:3"
    assert finding.details == {"n_patterns": 2, "n_lists": 1}


def test_repeated_pattern_may_be_kept(judged):
    settings = ScoreSettings(ks=(3,), repeated=Repeated.KEEP)
    scored = score(judged({("killed", "a"): REPEATING}), settings)
    assert scored.values[0, :, 0].tolist() == [2 / 3, 2 / 3, (7 + 0 + 7) / (3 * 7)]
    assert "kept" in scored.findings[0].message


def test_repeated_pattern_may_be_an_error(judged):
    settings = ScoreSettings(repeated=Repeated.ERROR)
    with pytest.raises(DataError, match="'killed' → 'Shot ' stands in its list already") as caught:
        score(judged({("killed", "a"): REPEATING}, places=True), settings)
    assert caught.value.place == "few.tsv:3"
    assert "-s repeated=drop or keep" in caught.value.hint


pieces = st.sampled_from(
    ["shot", "Shot", "hit", "É", "é", "ß", " ", "\u00a0", "\t", "\x1c", "!", "\0"]
)
odd_paraphrases = st.lists(pieces, max_size=4).map("".join)


@given(st.lists(st.lists(odd_paraphrases, max_size=8), max_size=3))
def test_repetitions_are_equal_in_lower_case_with_single_blanks(plain):
    lists = RankedLists.of({ListKey("killed", str(i)): each for i, each in enumerate(plain)})
    expected = []
    for i, each in enumerate(plain):
        forms = [" ".join(paraphrase.lower().split()) for paraphrase in each]
        start = int(lists.offsets[i])
        expected += [start + j for j, form in enumerate(forms) if form in forms[:j]]
    assert repeats(lists, pattern_words(lists)).tolist() == expected


def test_same_words_with_other_marks_are_no_repetition(judged):
    patterns = [("shot", YES), ("shot!", YES), ("“shot”", YES), ("shot\u00a0!", YES)]
    scored = score(judged({("killed", "a"): patterns}))
    assert len(scored.lists.paraphrases) == 4


def test_same_pattern_in_two_lists_is_no_repetition(judged):
    lists = judged({("killed", "a"): [("shot", YES)], ("killed", "b"): [("shot", YES)]})
    assert codes(score(lists, ScoreSettings(ks=(1,)))) == []


def test_repetition_is_found_in_long_lists(judged):
    patterns = [(f"word{i % 150}", YES) for i in range(300)]
    scored = score(judged({("killed", "a"): patterns}))
    assert list(scored.lists.paraphrases) == [f"word{i}" for i in range(150)]


def test_paraphrase_that_equals_its_term_is_a_pattern_like_others(judged):
    scored = score(judged({("killed", "a"): [("Killed", YES)]}), ScoreSettings(ks=(1,)))
    assert scored.values[0, :, 0].tolist() == [1, 0, 1 / 7]


UNJUDGED = [("shot", YES), ("slain", NOBODY), ("hit", YES)]


def test_pattern_that_nobody_judged_is_an_error(judged):
    with pytest.raises(
        DataError, match="'killed' → 'slain' has no Q by 'judges:strict'\nhint"
    ) as caught:
        score(judged({("killed", "a"): UNJUDGED}, places=True))
    assert caught.value.place == "few.tsv:3"
    assert caught.value.hint == (
        "give it one, or choose what becomes of it: -s unjudged=wrong or skip"
    )


def test_error_says_how_many_others_nobody_judged(judged):
    patterns = [*UNJUDGED, ("wounded", NOBODY)]
    with pytest.raises(DataError, match="and so it is with 1 other pattern\nhint"):
        score(judged({("killed", "a"): patterns}))
    with pytest.raises(DataError, match="and so it is with 2 other patterns\nhint"):
        score(judged({("killed", "a"): [*patterns, ("injured", NOBODY)]}))


def test_error_names_the_quality_that_a_pattern_lacks():
    columns = {"share": np.array([1.0, np.nan])}
    lists = RankedLists.of({ListKey("killed", "a"): ["shot", "slain"]}, columns=columns)
    with pytest.raises(DataError, match="has no Q by 'column:share'"):
        score(lists, quality="column:share")


def test_pattern_that_nobody_judged_is_an_error_at_the_last_rank(judged):
    lists = judged({("killed", "a"): UNJUDGED})
    with pytest.raises(DataError, match="'slain' has no Q"):
        score(lists, ScoreSettings(ks=(1, 2)))


def test_pattern_without_q_at_the_last_rank_is_not_scored(judged):
    lists = judged({("killed", "a"): UNJUDGED})
    quality, words = np.array([1.0, np.nan, 1.0]), pattern_words(lists)
    assert score_lists(lists, quality, None, words, ScoreSettings(ks=(1,))).value(0, EP, 1) == 1
    with pytest.raises(DataError, match="'slain' has no Q\nhint"):
        score_lists(lists, quality, None, words, ScoreSettings(ks=(2,)))


def test_findings_of_the_quality_are_among_the_findings(tmp_path):
    path = tmp_path / "judged.csv"
    path.write_text(
        "term,paraphrase,text,hypothesis,judgment\nkilled,shot,He was killed.,He was shot.,yes\n"
    )
    lists = RankedLists.of({ListKey("killed", "a"): ["shot", "slain"]})
    settings = ScoreSettings(ks=(2,), unjudged=Unjudged.WRONG)
    scored = score(lists, settings, f"instances:{path}")
    assert scored.quality.tolist() == [1, 0]
    assert codes(scored) == ["no-instance", "unjudged-pattern"]


def test_findings_of_a_recognizer_are_among_the_findings():
    lists = RankedLists(
        "few.tsv",
        (ListKey("killed", "a"),),
        np.array([0, 2]),
        ["shot", "slain"],
        sentences=["He was killed.", None],
    )
    scored = score(lists, ScoreSettings(ks=(1,)), "recognizer:overlap")
    assert codes(scored) == ["no-sentence"]


def test_found_quality_tells_its_findings_only_if_asked():
    lists = RankedLists(
        "few.tsv", (ListKey("killed", "a"),), np.array([0, 1]), ["shot"], sentences=[None]
    )
    findings = []
    assert np.isnan(found_quality("recognizer:overlap", findings.append)(lists)).all()
    assert [each.code for each in findings] == ["no-sentence"]
    assert np.isnan(found_quality("recognizer:overlap")(lists)).all()


def test_pattern_that_nobody_judged_is_no_error_behind_the_last_rank(judged):
    scored = score(judged({("killed", "a"): UNJUDGED}), ScoreSettings(ks=(1,)))
    assert scored.values[0, :, 0].tolist() == [1, 1, 1]
    assert np.isnan(scored.quality[1])


def test_pattern_that_nobody_judged_may_be_taken_as_wrong(judged):
    settings = ScoreSettings(ks=(3,), unjudged=Unjudged.WRONG)
    scored = score(judged({("killed", "a"): UNJUDGED}), settings)
    assert scored.values[0, :, 0].tolist() == [2 / 3, 2 / 3, 2 * 7 / (3 * 7)]
    (finding,) = scored.findings
    assert finding.code == "unjudged-pattern"
    assert finding.message == "1 pattern without Q: taken as wrong, e.g. 'killed' → 'slain'"


def test_pattern_that_nobody_judged_may_be_skipped(judged):
    settings = ScoreSettings(ks=(2,), unjudged=Unjudged.SKIP)
    scored = score(judged({("killed", "a"): UNJUDGED}), settings)
    assert list(scored.lists.paraphrases) == ["shot", "hit"]
    assert scored.values[0, :, 0].tolist() == [1, 1, 1]
    assert "left out" in scored.findings[0].message


def test_skipped_pattern_leaves_no_words_in_the_history(judged):
    patterns = [("shot", NOBODY), ("shot dead", YES)]
    settings = ScoreSettings(ks=(1,), unjudged=Unjudged.SKIP)
    assert score(judged({("killed", "a"): patterns}), settings).diversity.tolist() == [3]


def test_dropped_and_skipped_patterns_are_told_apart(judged):
    patterns = [("shot", YES), ("shot", YES), ("slain", NOBODY)]
    settings = ScoreSettings(ks=(1,), unjudged=Unjudged.SKIP)
    scored = score(judged({("killed", "a"): patterns}), settings)
    assert codes(scored) == ["repeated-pattern", "unjudged-pattern"]
    assert list(scored.lists.paraphrases) == ["shot"]
