import numpy as np
import pytest
from tests.errors import coded

from ensue.errors import DataError, SettingError, UndefinedError
from ensue.features import FEATURES, NAMES as ENTAILMENT_NAMES
from ensue.translation.features import (
    FeatureSet,
    FeatureTable,
    Meter,
    batches,
    feature_names,
    joined,
    measure,
)
from ensue.translation.systems import OutputKey, Segment


class LengthReader:
    """Gives every feature of a pair the length of its text."""

    def features(self, pairs):
        lengths = [len(text) for text, _ in pairs]
        return np.repeat(np.array(lengths, float)[:, None], len(ENTAILMENT_NAMES), axis=1)


def segment(i, outputs, *references, pair="cs-en"):
    return Segment(pair, str(i), references or ("a red house",), outputs)


TWO = [
    segment(1, {"A": "a red house", "B": "the red house"}),
    segment(2, {"B": "the dog", "A": "a dog barks"}, "the dog barks"),
]
REFERENCES = [each.references for each in TWO]


@pytest.fixture(params=FeatureSet)
def meter(request):
    return Meter(request.param, LengthReader()).informed(REFERENCES)


def test_table_has_a_row_an_output_and_the_columns_of_the_set(meter):
    table = meter.table(TWO)
    assert table.outputs == (
        OutputKey("cs-en", "1", "A"),
        OutputKey("cs-en", "1", "B"),
        OutputKey("cs-en", "2", "B"),
        OutputKey("cs-en", "2", "A"),
    )
    assert table.names == feature_names(meter.feature_set)
    assert table.values.shape == (4, len(table.names))
    assert np.isfinite(table.values).all()
    assert table.worded.all()


@pytest.mark.parametrize("output", ["", "   ", "...", "?! —"])
def test_output_without_words_has_a_row_of_nan(meter, output):
    table = meter.table([segment(1, {"A": output, "B": "a house"})])
    assert np.isnan(table.values[0]).all()
    assert np.isfinite(table.values[1]).all()
    assert table.worded.tolist() == [False, True]


def test_output_whose_references_say_nothing_has_a_row_of_nan(meter):
    silent = segment(1, {"A": "a house"}, "", "...")
    table = meter.informed([silent.references]).table([silent])
    assert np.isnan(table.values).all()


def test_empty_reference_beside_another_is_passed_over(meter):
    both = segment(1, {"A": "a red house"}, "a red house", "")
    assert meter.informed([both.references]).table([both]).worded.all()


def test_segments_are_measured_the_same_alone_as_together(meter):
    together = meter.table(TWO).values
    alone = np.concatenate([meter.table([each]).values for each in TWO])
    assert together.tolist() == alone.tolist()


def test_no_segments_have_a_table_without_rows(meter):
    table = meter.table([])
    assert len(table) == 0
    assert table.values.shape == (0, len(table.names))


def test_comb_has_the_columns_of_both_sets():
    tables = [
        Meter(each, LengthReader()).informed(REFERENCES).table(TWO).values
        for each in (FeatureSet.TRADMT, FeatureSet.RTE, FeatureSet.COMB)
    ]
    assert np.hstack(tables[:2]).tolist() == tables[2].tolist()


def test_informed_meter_knows_the_words_of_other_references():
    meter = Meter(FeatureSet.TRADMT)
    column = feature_names(FeatureSet.TRADMT).index("nist.1")
    alone = meter.informed(REFERENCES[:1]).table(TWO[:1]).values[:, column]
    among = meter.informed(REFERENCES).table(TWO[:1]).values[:, column]
    # among more words, each word of the output is rarer
    assert (among > alone).all()


def test_meter_that_is_not_informed_measures_no_surface():
    with pytest.raises(SettingError, check=coded("nists-features-need-know")):
        Meter(FeatureSet.TRADMT).table(TWO)


def test_reference_that_says_nothing_is_left_out():
    one = segment(1, {"A": "a red"}, "a red house", "")
    meter = Meter(FeatureSet.TRADMT).informed([one.references])
    alone = segment(1, {"A": "a red"}, "a red house")
    assert meter.table([one]).values.tolist() == meter.table([alone]).values.tolist()


def test_meter_of_entailment_alone_needs_no_information():
    meter = Meter(FeatureSet.RTE, LengthReader())
    assert meter.informed(REFERENCES) is meter


def test_best_aligned_reference_is_taken_for_entailment():
    # the reader likes long texts: backward, the reference is the text
    one = segment(1, {"A": "a house"}, "a red", "a red house", "house")
    values = Meter(FeatureSet.RTE, LengthReader()).table([one]).values
    assert values[0, len(FEATURES) :].tolist() == [len("a red house")] * len(FEATURES)


@pytest.mark.parametrize(("size", "sizes"), [(1, [1, 1, 1]), (3, [2, 1]), (100, [3])])
def test_batches_hold_about_so_many_outputs(size, sizes):
    # two outputs each
    three = [segment(i, {"A": "a", "B": "b"}) for i in range(3)]
    found = list(batches(iter(three), size))
    assert [len(batch) for batch in found] == sizes
    assert [each for batch in found for each in batch] == three


def test_batches_of_nothing_are_none():
    assert list(batches([])) == []


def test_measuring_a_stream_is_measuring_it_at_once(monkeypatch):
    from ensue.translation.features import tables as measuring

    monkeypatch.setattr(measuring, "batches", lambda segments: batches(segments, 1))
    meter = Meter(FeatureSet.TRADMT).informed(REFERENCES)
    told = []
    table = measure(meter, iter(TWO), progress=told.append)
    assert told == [2, 2]
    assert table.values.tolist() == meter.table(TWO).values.tolist()
    assert table.outputs == meter.table(TWO).outputs


def test_nothing_cannot_be_measured():
    with pytest.raises(UndefinedError, check=coded("no-outputs-measure")):
        measure(Meter(FeatureSet.TRADMT), [])


def test_rows_of_outputs_are_found():
    table = Meter(FeatureSet.TRADMT).informed(REFERENCES).table(TWO)
    wanted = [table.outputs[2], table.outputs[0]]
    assert table.places(wanted).tolist() == [2, 0]
    assert table.chosen(table.places(wanted)).outputs == tuple(wanted)


def test_output_that_was_not_measured_is_an_error():
    table = Meter(FeatureSet.TRADMT).informed(REFERENCES).table(TWO)
    with pytest.raises(DataError, match="segment '9' of 'cs-en' has no output of system 'A'"):
        table.places([OutputKey("cs-en", "9", "A")])


def test_joined_tables_have_the_rows_of_all():
    tables = [
        FeatureTable((OutputKey("", "1", name),), ("x",), np.array([[number]]))
        for name, number in (("A", 1.0), ("B", 2.0))
    ]
    table = joined(tables)
    assert [key.system for key in table.outputs] == ["A", "B"]
    assert table.values.tolist() == [[1.0], [2.0]]
