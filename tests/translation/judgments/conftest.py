"""Rankings made by hand, random ones, and WMT's."""

import pytest
from hypothesis import strategies as st

from ensue.translation.formats.judgments import read_judgments
from ensue.translation.systems import HumanRanking, TranslationJudgments


def _ranked(*rankings):
    """Judgments from (segment, judge, ranks by system)."""
    return TranslationJudgments(
        tuple(
            HumanRanking("cs-en", segment, judge, ranks, f"made:{line}")
            for line, (segment, judge, ranks) in enumerate(rankings, 1)
        )
    )


def _any_rankings():
    """Few segments, judges and systems, so that judges meet and repeat themselves."""
    one = st.tuples(
        st.sampled_from(["1", "2", "3"]),
        st.sampled_from(["ada", "ben", "cleo"]),
        st.dictionaries(st.sampled_from("uvwx"), st.integers(1, 3), max_size=4),
    )
    return st.lists(one, min_size=1, max_size=12).map(lambda rankings: _ranked(*rankings))


@pytest.fixture(scope="session")
def ranked():
    return _ranked


@pytest.fixture(scope="session")
def wmt07(shared_data):
    return read_judgments(shared_data / "wmt-judgments" / "wmt07.csv")


@pytest.fixture(scope="session")
def wmt08(shared_data):
    return read_judgments(shared_data / "wmt-judgments" / "wmt08.csv")


@pytest.fixture(scope="session")
def wmt12(shared_data):
    return read_judgments(shared_data / "wmt12" / "judgments.csv")


@pytest.fixture(scope="session")
def into_english():
    """The judgments of translations into English."""

    def chosen(judgments):
        return TranslationJudgments(
            tuple(r for r in judgments.rankings if r.language_pair.endswith("-en"))
        )

    return chosen


@pytest.fixture(scope="session")
def any_rankings():
    """A strategy, to draw from with `st.data()`."""
    return _any_rankings()


@pytest.fixture(scope="session")
def renamed():
    """Judgments with judges and systems under other names, in another order of the alphabet."""

    def other(name):
        return f"{'zyxwvutsrqponmlkjihgfedcba'['abcdefghijklmnopqrstuvwxyz'.index(name[0])]}{name}"

    def rename(judgments):
        return TranslationJudgments(
            tuple(
                HumanRanking(
                    ranking.language_pair,
                    ranking.segment,
                    other(ranking.judge),
                    {other(system): rank for system, rank in ranking.ranks.items()},
                )
                for ranking in judgments.rankings
            )
        )

    return rename


@pytest.fixture(scope="session")
def doubled():
    """Judgments with every segment there twice, under another number."""

    def double(judgments):
        again = [
            HumanRanking(r.language_pair, f"{r.segment}'", r.judge, r.ranks)
            for r in judgments.rankings
        ]
        return TranslationJudgments((*judgments.rankings, *again))

    return double
