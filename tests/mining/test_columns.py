import json

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, strategies as st

from ensue.errors import DataError
from ensue.mining.columns import tags_of_metas
from ensue.mining.forms import FormSets, form_kind
from ensue.pairs import Pair

TAG = st.sampled_from(["VA", "VP", "V-A-R", "Ä"])
TAGS = st.lists(TAG, max_size=3)
SIDES = st.fixed_dictionaries({}, optional={"text": TAGS, "hypothesis": TAGS})
ENTRIES = st.lists(
    st.builds(
        lambda predicate, sides: {"predicate": predicate} | sides,
        st.sampled_from(["send", "see", 3]),
        SIDES,
    ),
    max_size=3,
)
METAS = st.lists(
    st.one_of(
        st.none(),
        st.just(" "),
        st.just('{"clauses": 1}'),
        st.just('{"share": NaN}'),
        st.builds(lambda tags: json.dumps({"other": [1, "}"], "tags": tags}), ENTRIES),
        st.builds(lambda tags: json.dumps({"tags": tags}, indent=1), ENTRIES),
    ),
    max_size=12,
)


def pairs_of(metas):
    return [
        Pair(str(i), "", "", meta=json.loads(meta) if meta and meta.strip() else {})
        for i, meta in enumerate(metas)
    ]


def read(metas):
    return tags_of_metas(
        pa.array(metas, pa.string()), pa.array([str(i) for i in range(len(metas))])
    )


@given(METAS)
def test_tags_of_columns_are_those_of_pairs(metas):
    found, seen = read(metas)
    expected = form_kind("tags").find(pairs_of(metas))
    assert found.n_cases == len(metas)
    assert [set(found.of(i)) for i in range(len(metas))] == [
        set(expected.of(i)) for i in range(len(metas))
    ]
    assert seen == any("tags" in pair.meta for pair in pairs_of(metas))


@pytest.mark.parametrize(
    "tags",
    [
        '"VA"',
        "null",
        '[{"text": ["VA"]}]',
        '[{"predicate": "see", "text": null}]',
        '[{"predicate": "see", "text": ["V/A"]}]',
        '[{"predicate": "see", "hypothesis": [""]}]',
        '[{"predicate": "see", "hypothesis": [null]}]',
        '[{"predicate": "see", "hypothesis": [1]}]',
        "[null]",
    ],
)
def test_tags_that_make_no_sense_are_refused_as_in_pairs(tags):
    metas = ['{"tags": []}', f'{{"tags": {tags}}}']
    with pytest.raises(DataError) as expected:
        form_kind("tags").find(pairs_of(metas))
    with pytest.raises(DataError) as found:
        read(metas)
    assert str(found.value) == str(expected.value)


@pytest.mark.parametrize(
    ("meta", "message"),
    [
        ("{", "the meta of pair '1' is not JSON: '{'"),
        ("[]", "the meta of pair '1' is no object: []"),
        ('{"a": 1} {"b": 2}', "the meta of pair '1' is not JSON"),
    ],
)
def test_meta_that_is_no_object_is_refused(meta, message):
    with pytest.raises(DataError) as raised:
        read([None, meta])
    assert message in raised.value.message


def test_sets_of_forms_are_numbered_over_batches():
    sets = FormSets(["words"])
    first = sets.of_pairs([Pair("1", "a b", "a"), Pair("2", "c", "")])
    second = sets.of_pairs([Pair("3", "c", ""), Pair("4", "b a", "a"), Pair("5", "", "")])
    assert np.concatenate([first, second]).tolist() == [0, 1, 1, 0, 2]
    forms = sets.forms()
    assert [set(forms.of(i)) for i in range(3)] == [{"H:a", "T:a", "T:b"}, {"T:c"}, set()]
