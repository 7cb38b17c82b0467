"""Recompute "Textual Entailment Features for Machine Translation Evaluation" (2009).

The paper's texts, the outputs and references of WMT 2006 to 2008, are not to be had. What its
directory of data holds decides how much is recomputed:

- `wmt-judgments/wmt07.csv` and `wmt08.csv`: what the raw judgments say by themselves.
- `wmt06`, `wmt07` and `wmt08`, for whoever has the texts: Table 2 and the analyses. Each is a
  directory that `ensue mt` reads, or holds one for each test set, called after it
  (`wmt08/newstest2008`). Judgments are beside the outputs; where there are none, those of
  `wmt-judgments` are taken.
- `wmt12`: the same experiment on other data, leaving one language pair out in turn. It stands in
  for the paper's, side by side with its figures, and neither agrees nor differs.

That the printed table bears out what the text says of it needs no data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path

from ensue.errors import DataError
from ensue.features import NAMES as ENTAILMENT_NAMES
from ensue.reproduce.model import (
    Listing,
    Reproduction,
    ReproductionKind,
    estimates_side_by_side,
    paper_of,
    published,
    published_number,
)
from ensue.statistics import Coefficient, Estimate, Resampling
from ensue.translation import (
    HumanMethod,
    HumanRanking,
    MetricScores,
    Segment,
    SystemMethod,
    TranslationJudgments,
    human_system_scores,
    system_scores,
)
from ensue.translation.evaluation import (
    Consistency,
    Margins,
    PlaceConsistency,
    consistency,
    margins,
    place_consistency,
    system_correlation,
)
from ensue.translation.features import FeatureSet, FeatureTable, Meter, feature_names, measure
from ensue.translation.formats import TranslationSet, open_set, read_judgments
from ensue.translation.judgments import (
    FloorPolicy,
    TieUnit,
    consistency_ceiling,
    consistency_floors,
    judge_agreement,
    judged_outputs,
    judged_segments,
    preferences,
    tie_share,
)
from ensue.translation.metrics import ModelKind, cross_scores, of_set, train

# What Padó et al. (2009) say of their Table 2, held against the table by arithmetic.

NAME = "entailment-mt"
MODELS = (ModelKind.ABS, ModelKind.PAIR)
SETS = (FeatureSet.TRADMT, FeatureSet.RTE, FeatureSet.COMB)
METHODS = (SystemMethod.BASIC, SystemMethod.WITH_TIES)
COLUMNS = ("consistency", *METHODS)
"""Of Table 2."""

_Column = Mapping[ModelKind, Mapping[FeatureSet, int]]
"""Of Table 2, in hundredths."""


def claims() -> dict[str, Estimate]:
    """What the text says, by arithmetic on Table 2, in hundredths: they are whole numbers."""
    sure, basic, ties = (_table_column(name) for name in COLUMNS)
    ratios = {
        f"margin-{s}-ratio": _hundredths(f"margin-{s}-right") / _hundredths(f"margin-{s}-wrong")
        for s in SETS[:2]
    }
    differences = {key: n / 100 for key, n in _differences(sure, basic, ties).items()}
    sizes = {
        "features": len(ENTAILMENT_NAMES),
        "groups": len({name.partition(".")[0] for name in ENTAILMENT_NAMES}),
        "tradmt-features": len(feature_names(FeatureSet.TRADMT)),
    }
    found = {**_counts(sure, basic, ties), **differences, **ratios, **sizes}
    return {key: Estimate(float(number)) for key, number in found.items()}


def _counts(sure: _Column, basic: _Column, ties: _Column) -> dict[str, int]:
    """For how many models and sets a claim is true."""
    (of_abs, of_pair), (tradmt, rte, comb) = MODELS, SETS
    gain = {m: {s: ties[m][s] - basic[m][s] for s in SETS} for m in MODELS}
    order = [(sure[m][rte] - sure[m][tradmt], basic[m][rte] - basic[m][tradmt]) for m in MODELS]
    second = min(ties[m][rte] for m in MODELS)
    return {
        "pair-consistency": sum(sure[of_pair][s] > sure[of_abs][s] for s in SETS),
        "comb-consistency": sum(_leads(sure[m], comb) for m in MODELS),
        "pair-basic": sum(basic[of_pair][s] < basic[of_abs][s] for s in SETS),
        "abs-gains": sum(gain[of_abs][s] > 0 for s in SETS),
        "abs-gains-less": sum(gain[of_abs][s] < gain[of_pair][s] for s in SETS),
        "pattern": sum(by_consistency * by_basic > 0 for by_consistency, by_basic in order),
        "no-winner": sum(by_basic > 0 for _, by_basic in order),
        "comb-basic": sum(_leads(basic[m], comb) for m in MODELS),
        "rte-ties": sum(_leads(ties[m], rte) for m in MODELS),
        "others-gain-less": sum(gain[m][s] < gain[m][rte] for m in MODELS for s in (tradmt, comb)),
        "comb-gains-least": sum(gain[m][comb] < min(gain[m][tradmt], gain[m][rte]) for m in MODELS),
        "two-best": sum(ties[m][s] >= second for m in MODELS for s in SETS),
        "ties-improve": sum(gain[m][s] > 0 for m in MODELS for s in SETS),
    }


def _differences(sure: _Column, basic: _Column, ties: _Column) -> dict[str, int]:
    (of_abs, of_pair), (tradmt, rte, comb) = MODELS, SETS
    best = max(sure[m][comb] for m in MODELS)
    return {
        "comb-best": best,
        "competitive": _hundredths("best-consistency") - best,
        "pair-basic-margin": max(basic[of_abs][s] - basic[of_pair][s] for s in SETS),
        "similar": max(abs(ties[of_abs][s] - ties[of_pair][s]) for s in SETS),
        "above-bleu": min(basic[m][tradmt] for m in MODELS) - _hundredths("bleu-ter"),
        "rte-gain-abs": ties[of_abs][rte] - basic[of_abs][rte],
        "rte-gain-pair": ties[of_pair][rte] - basic[of_pair][rte],
    }


def _table_column(column: str) -> _Column:
    return {m: {s: _hundredths(cell(m, s, column)) for s in SETS} for m in MODELS}


def cell(model: ModelKind, features: FeatureSet, column: str) -> str:
    """The key of a cell of Table 2."""
    return f"table-2-{model}-{features}-{column}"


def analyses(features: FeatureSet) -> tuple[str, str, str]:
    """The keys of what the analyses say of a set."""
    return f"top-{features}", f"margin-{features}-right", f"margin-{features}-wrong"


def _hundredths(key: str) -> int:
    return round(100 * published_number(NAME, key))


def _leads(row: Mapping[FeatureSet, int], features: FeatureSet) -> bool:
    return all(row[features] > row[other] for other in SETS if other is not features)


# Recompute "Textual Entailment Features for Machine Translation Evaluation" (Padó et al. 2009).

CAMPAIGNS = ("wmt07", "wmt08")
LEARNED_FROM = {ModelKind.ABS: ("wmt06", "wmt07"), ModelKind.PAIR: ("wmt07",)}
JUDGED_ON = "wmt08"
STAND_IN = "wmt12"
_EXAMPLES = {
    "table-3-1-gold": ("newstest2008:1358", "lium-systran"),
    "table-3-2-gold": ("newstest2008:687", "rbmt4"),
}
"""The outputs of Table 3, which counts segments from 0."""

_JUDGMENTS = ("*.csv", "*.csv.gz", "*.rank", "*.rank.gz", "judgments*")

Progress = Callable[[int], None]
"""Is told how many outputs more have been measured."""
Measured = Callable[[TranslationSet], FeatureTable]
"""Gives the features of what was judged."""


@dataclass(frozen=True, slots=True, eq=False)
class _Result:
    """What one model reaches with one set of features."""

    model: ModelKind
    features: FeatureSet
    consistency: Consistency
    correlations: Mapping[str, Estimate]
    """ρ at system level, the mean over language pairs."""
    places: PlaceConsistency
    margins: Margins

    def columns(self) -> dict[str, Estimate]:
        """Its row of Table 2."""
        return {"consistency": self.consistency.share, **self.correlations}

    def analyses(self) -> dict[str, Estimate]:
        """What the paper says of rte and tradmt beside it; the difference is in points."""
        gap = self.places.difference
        points = gap if gap.value is None else Estimate(100 * gap.value)
        found = (points, self.margins.right, self.margins.wrong)
        return dict(zip(analyses(self.features), found, strict=True))


def reproduce(
    directory: Path,
    seed: int = 0,
    *,
    whole_segments: bool = False,
    progress: Progress | None = None,
) -> Reproduction:
    """Recompute what the data allow, and hold the paper's claims against its Table 2.

    Args:
        directory: Holds some of what the module names.
        seed: For parts that are left out in training, and for resampling.
        whole_segments: Rank systems by all outputs of the judged segments. Otherwise by the
            outputs that were judged, as many as people compared; on WMT12 that takes less than
            half of the time.
        progress: Is told of outputs that are measured.

    Raises:
        DataError: none of it is there, or it is broken.
    """
    _check_there(directory)
    judged = {name: read_judgments(path) for name, path in _judgment_files(directory).items()}
    measured = partial(_measured, whole_segments=whole_segments, progress=progress)
    found = claims() | _judgment_figures(judged, seed) | _own_figures(directory, measured, seed)
    paper, remarks = paper_of(NAME)
    listings = [_ties_listing(judged), _floors_listing(judged, seed)] if judged else []
    if (directory / STAND_IN).is_dir():
        results = _stand_in(directory / STAND_IN, measured, seed)
        listings += [_table_listing(results), _analyses_listing(results)]
    else:
        remarks = (*remarks, f"there is no {STAND_IN} in the directory: nothing stands in here")
    return Reproduction(NAME, paper, estimates_side_by_side(NAME, found), remarks, tuple(listings))


def _check_there(directory: Path) -> None:
    texts = [name for name in ("wmt06", *CAMPAIGNS, STAND_IN) if (directory / name).is_dir()]
    if not texts and not _judgment_files(directory):
        raise DataError(
            "nothing-wmt",
            f"there is nothing of WMT in {str(directory)!r}",
            hint="--data names the directory that holds wmt-judgments/wmt07.csv and wmt08.csv,"
            " wmt12, or the paper's own wmt06, wmt07 and wmt08",
        )


def _judgment_files(directory: Path) -> dict[str, Path]:
    """The raw judgments that are there."""
    folder = directory / "wmt-judgments"
    places = [(name, folder / f"{name}.csv{end}") for name in CAMPAIGNS for end in (".gz", "")]
    return {name: path for name, path in places if path.is_file()}


def _judgment_figures(judged: Mapping[str, TranslationJudgments], seed: int) -> dict[str, Estimate]:
    """What needs no texts."""
    found = {}
    if "wmt07" in judged:
        rankings = _into_english(judged["wmt07"].rankings)
        found["ties"] = tie_share(rankings, TieUnit.RANKING).share
    else:
        found["ties"] = _absent(["wmt-judgments/wmt07.csv"])
    if "wmt08" not in judged:
        absent = _absent(["wmt-judgments/wmt08.csv"])
        keys = ("agreement", "agreement-untied", "kappa", "floor", "floor-ties", *_EXAMPLES)
        return found | dict.fromkeys(keys, absent)
    compared = preferences(judged["wmt08"])
    inter = judge_agreement(compared, resampling=Resampling(draws=0)).inter
    floors = {each.policy: each.expected for each in consistency_floors(compared, seed=seed)}
    return {
        **found,
        "agreement": inter.observed,
        "agreement-untied": consistency_ceiling(
            compared, resampling=Resampling(draws=0)
        ).two_judges,
        "kappa": inter.kappa_uniform,
        "floor": Estimate(floors[FloorPolicy.COMPLETE]),
        "floor-ties": Estimate(floors[FloorPolicy.COMPLETE_ALL]),
        **{key: _rank(judged["wmt08"].rankings, *output) for key, output in _EXAMPLES.items()},
    }


def _absent(names: Sequence[str]) -> Estimate:
    return Estimate(None, reason=f"not in the directory: {', '.join(names)}")


def _into_english(rankings: Sequence[HumanRanking]) -> list[HumanRanking]:
    return [each for each in rankings if each.language_pair.endswith("-en")]


def _rank(rankings: Sequence[HumanRanking], segment: str, system: str) -> Estimate:
    """The rank that the first judge gave to a French system's output."""
    given = (
        each.ranks[system]
        for each in rankings
        if (each.language_pair, each.segment) == ("fr-en", segment) and system in each.ranks
    )
    rank = next(given, None)
    return Estimate(None, reason="nobody ranked it") if rank is None else Estimate(float(rank))


def _ties_listing(judged: Mapping[str, TranslationJudgments]) -> Listing:
    rows = []
    for name, judgments in judged.items():
        directions = {"all": judgments.rankings, "into English": _into_english(judgments.rankings)}
        for pairs, rankings in directions.items():
            for found in (tie_share(rankings, unit) for unit in TieUnit if rankings):
                share = (found.share.value, found.share.low, found.share.high)
                rows.append((name, found.unit.value, pairs, found.n_tied, found.n, *share))
    return _listing("ties", rows)


def _floors_listing(judged: Mapping[str, TranslationJudgments], seed: int) -> Listing:
    rows = [
        (name, each.meaning, each.n_comparisons, each.expected, each.simulated, each.spread)
        for name, judgments in judged.items()
        for each in consistency_floors(preferences(judgments), seed=seed)
    ]
    return _listing("floors", rows)


def _listing(name: str, rows: Sequence[tuple[object, ...]], **facts: int) -> Listing:
    """A table in the words of the record, whose notes name facts."""
    words = published(NAME)["listings"][name]
    notes = tuple(note.format(**facts) for note in words["notes"])
    return Listing(name, words["title"], tuple(words["columns"]), tuple(rows), notes)


def _measured(
    found: TranslationSet, *, whole_segments: bool, progress: Progress | None
) -> FeatureTable:
    """All features of the outputs that an experiment needs."""
    segments: Iterable[Segment] = judged_segments(found.segments(), found.judgments)
    if whole_segments:
        judged = {(key.language_pair, key.segment) for key in judged_outputs(found.judgments)}
        segments = (one for one in found.segments() if (one.language_pair, one.id) in judged)
    meter = Meter(FeatureSet.COMB).informed(found.references())
    return measure(meter, segments, progress=progress)


def _result(
    experiment: tuple[ModelKind, FeatureSet],
    scores: MetricScores,
    judgments: TranslationJudgments,
    method: HumanMethod,
    seed: int,
) -> _Result:
    compared = preferences(judgments)
    human = human_system_scores(compared, method)
    correlations = {
        each: system_correlation(scores.name, system_scores(scores, each), human)
        for each in METHODS
    }
    return _Result(
        *experiment,
        consistency(compared, scores, resampling=Resampling(seed=seed)).overall,
        {name: each.mean[Coefficient.SPEARMAN] for name, each in correlations.items()},
        place_consistency(judgments.rankings, scores, resampling=Resampling(seed=seed)),
        margins(judgments.rankings, scores, resampling=Resampling(seed=seed)),
    )


def _own_figures(directory: Path, measured: Measured, seed: int) -> dict[str, Estimate]:
    """Table 2 and the analyses on the paper's own texts, or what is missing for them."""
    found: dict[str, Estimate] = {}
    for model in MODELS:
        of_analyses = SETS[:2] if model is ModelKind.ABS else ()
        needed = (*LEARNED_FROM[model], JUDGED_ON)
        absent = [name for name in needed if not (directory / name).is_dir()]
        if absent:
            keys = [cell(model, *place) for place in product(SETS, COLUMNS)]
            keys += [key for features in of_analyses for key in analyses(features)]
            found |= dict.fromkeys(keys, _absent(absent))
            continue
        for each in _own_results(directory, model, measured, seed):
            found |= {cell(model, each.features, c): n for c, n in each.columns().items()}
            found |= each.analyses() if each.features in of_analyses else {}
    return found


def _own_results(
    directory: Path, model: ModelKind, measured: Measured, seed: int
) -> Iterator[_Result]:
    known, test = _open(directory, LEARNED_FROM[model]), _open(directory, (JUDGED_ON,))
    judgments = known.judgments
    if model is ModelKind.ABS:
        judgments = TranslationJudgments(assessments=judgments.assessments)
    learned_from, table = measured(known), measured(test)
    for features in SETS:
        weighing, _ = train(of_set(learned_from, features), judgments, model, seed=seed)
        values = weighing.scores(of_set(table, features).values)
        scores = MetricScores(f"{model}-{features}", table.outputs, values)
        method = HumanMethod.BETTER_OR_EQUAL  # as the overview of WMT 2008 has it
        yield _result((model, features), scores, test.judgments, method, seed)


def _open(directory: Path, names: Sequence[str]) -> TranslationSet:
    """The texts of some years, each a set or a directory of sets, with their judgments."""
    folders: list[Path] = []
    files: list[Path] = []
    for name in names:
        inside = sorted(path for path in (directory / name).iterdir() if path.is_dir())
        is_one = any(path.name == "system-outputs" for path in inside)
        of_year = [directory / name] if is_one else inside
        folders += of_year
        if not any(path for each in of_year for kind in _JUDGMENTS for path in each.glob(kind)):
            files += [path for year, path in _judgment_files(directory).items() if year == name]
    return open_set([str(each) for each in folders], judgments=[str(each) for each in files])


def _stand_in(directory: Path, measured: Measured, seed: int) -> list[_Result]:
    """The paper's experiment on other data: each language pair by what the others teach."""
    found = open_set([str(directory)])
    table = measured(found)
    results = []
    for model, features in product(MODELS, SETS):
        values = cross_scores(of_set(table, features), found.judgments, model, seed=seed)
        scores = MetricScores(f"{model}-{features}", table.outputs, values)
        method = HumanMethod.BETTER  # as the overview of WMT 2012 has it
        results.append(_result((model, features), scores, found.judgments, method, seed))
    return results


def _table_listing(results: Sequence[_Result]) -> Listing:
    rows: list[tuple[object, ...]] = []
    for each in results:
        share, basic, ties = each.columns().values()
        paper = [published_number(NAME, cell(each.model, each.features, c)) for c in COLUMNS]
        counts = each.consistency
        with_ties = counts.right / (counts.total + counts.n_human_ties)
        shares = (paper[0], share.value, share.low, share.high, with_ties)
        of_systems = (paper[1], basic.value, paper[2], ties.value)
        rows.append((each.model.value, each.features.value, *shares, *of_systems))
    for name in ("worst", "best"):
        sure, rho = (published_number(NAME, f"{name}-{c}") for c in (COLUMNS[0], COLUMNS[2]))
        rows.append((f"{name} of WMT08", None, sure, *(None,) * 6, rho, None))
    ours = results[0].consistency
    return _listing("table_2", rows, preferences=ours.total, ties=ours.n_human_ties)


def _analyses_listing(results: Sequence[_Result]) -> Listing:
    rows = []
    for each in results:
        if each.features is not FeatureSet.COMB:
            top, right, wrong = (published_number(NAME, key) for key in analyses(each.features))
            gap, sure = each.places.difference, each.margins
            top_gap = (top / 100, gap.value, gap.low, gap.high)
            ratio = (right / wrong, sure.ratio.value, sure.ratio.low, sure.ratio.high)
            rows.append((each.model.value, each.features.value, *top_gap, *ratio))
    return _listing("analyses", rows)


REPRODUCTION = ReproductionKind(
    NAME,
    "figures of the paper on entailment features for translation evaluation, as far as data go",
    reproduce,
)
