"""CSV, TSV, JSONL and Parquet: layouts, columns, labels, and what is refused."""

from __future__ import annotations

import json
import tracemalloc

import pytest
from tests.errors import coded

from ensue.errors import DataError, LabelError, OutputError, UnknownNameError
from ensue.files import row_format, write_rows
from ensue.pairs import (
    PRESETS,
    Label,
    Pair,
    label_preset,
    read_located_pairs,
    read_pairs,
    read_part,
    survey,
    write_pairs,
)

E, N, C, U = Label.ENTAILMENT, Label.NOT_ENTAILMENT, Label.CONTRADICTION, Label.UNKNOWN


def tsv(*rows: str) -> str:
    return "".join(row.replace("|", "\t") + "\n" for row in rows)


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        (
            "snli.tsv",
            tsv(
                "gold_label|sentence1_parse|sentence1|sentence2|captionID|pairID|label1",
                "neutral|(x)|A man.|A tall man.|c|p1|neutral",
                "contradiction|(x)|A man.|A cat.|c|p2|neutral",
            ),
            [("p1", "A man.", "A tall man.", U, None), ("p2", "A man.", "A cat.", C, None)],
        ),
        (
            "mnli.tsv",
            tsv(
                "index|promptID|pairID|genre|sentence1|sentence2|label1|gold_label",
                "0|9|9n|fiction|He ran.|He moved.|entailment|entailment",
            ),
            [("9n", "He ran.", "He moved.", E, "fiction")],
        ),
        (
            "RTE.tsv",
            tsv("index|sentence1|sentence2|label", '7|He "ran.|He moved.|not_entailment'),
            [("7", 'He "ran.', "He moved.", N, None)],
        ),
        (
            "WNLI.tsv",
            tsv("index|sentence1|sentence2|label", "0|a b|a|1", "1|a b|c|0"),
            [("0", "a b", "a", E, None), ("1", "a b", "c", N, None)],
        ),
        (
            "QNLI.tsv",
            tsv("index|question|sentence|label", "3|Who ran?|He ran.|entailment"),
            [("3", "He ran.", "Who ran?", E, None)],
        ),
        (
            "test.tsv",
            tsv("index|sentence1|sentence2", "3|He ran.|He moved."),
            [("3", "He ran.", "He moved.", None, None)],
        ),
        (
            "msrpc.txt",
            "\ufeff" + tsv("Quality|#1 ID|#2 ID|#1 String|#2 String", '1|8|9|He said "no.|No.'),
            [("8-9", 'He said "no.', "No.", E, None)],
        ),
        (
            "SICK.txt",
            tsv(
                "pair_ID|sentence_A|sentence_B|relatedness_score|entailment_judgment",
                "4|A boy runs|No boy runs|3.6|CONTRADICTION",
            ),
            [("4", "A boy runs", "No boy runs", C, None)],
        ),
        (
            "SICK2.txt",
            tsv(
                "pair_ID|sentence_A|sentence_B|entailment_label|relatedness_score",
                "4|A boy runs|A child runs|NEUTRAL|3.6",
            ),
            [("4", "A boy runs", "A child runs", U, None)],
        ),
        (
            "heuristics_evaluation_set.txt",
            tsv(
                "gold_label|sentence1_parse|sentence1|sentence2|pairID|heuristic|subcase|template",
                "non-entailment|(x)|A b saw a c .|A c saw a b .|ex7|lexical_overlap|ln_swap|temp1",
            ),
            [("ex7", "A b saw a c .", "A c saw a b .", N, None)],
        ),
        (
            "conj_dev.tsv",
            tsv("Premise|Hypothesis|Label", "He sat and ate.|He sat.|entailment"),
            [("1", "He sat and ate.", "He sat.", E, None)],
        ),
        (
            "diagnostic-full.tsv",
            tsv(
                "Lexical Semantics|Predicate-Argument Structure|Logic|Knowledge|Domain|Premise"
                "|Hypothesis|Label",
                "||Negation||Artificial|It is on.|It is not on.|contradiction",
            ),
            [("1", "It is on.", "It is not on.", C, None)],
        ),
        (
            "own.csv",
            'id,text,hypothesis,gold,task\nx,"a, ""b""\nc",d,true,QA\n',
            [("x", 'a, "b"\nc', "d", E, "QA")],
        ),
        (
            "hub.csv",
            "premise,hypothesis,label\na,b,neutral\nc,d,entailment\n",
            [("1", "a", "b", U, None), ("2", "c", "d", E, None)],
        ),
        (
            "snli.jsonl",
            json.dumps(
                {
                    "gold_label": "entailment",
                    "sentence1": "a",
                    "sentence2": "b",
                    "pairID": "p",
                    "genre": "travel",
                }
            ),
            [("p", "a", "b", E, "travel")],
        ),
    ],
)
def test_layout_is_recognized_by_its_columns(written, name, content, expected):
    pairs = read_pairs(written(name, content))
    assert [(p.id, p.text, p.hypothesis, p.gold, p.task) for p in pairs] == expected


ROWS = {
    "anli": (
        {"uid": "u1", "context": "A man.", "hypothesis": "A cat.", "label": "c", "reason": "r"},
        Pair("u1", "A man.", "A cat.", C, None, {"reason": "r"}),
    ),
    "vitaminc": (
        {"unique_id": "v1", "evidence": "He ran.", "claim": "He moved.", "label": "SUPPORTS"},
        Pair("v1", "He ran.", "He moved.", E),
    ),
    "fever": (
        {"id": "f1", "evidence": "He ran.", "claim": "He sat.", "label": "NOT ENOUGH INFO"},
        Pair("f1", "He ran.", "He sat.", U),
    ),
    "doc-claim": (
        {"doc": "He ran.", "claim": "He sat.", "label": "REFUTES"},
        Pair("1", "He ran.", "He sat.", C),
    ),
    "document-claim": (
        {"id": "d", "document": "He ran.", "claim": "He sat.", "label": "not_entailment"},
        Pair("d", "He ran.", "He sat.", N),
    ),
    "scitail": (
        {"sentence1": "He ran.", "sentence2": "He moved.", "gold_label": "entailment"},
        Pair("1", "He ran.", "He moved.", E),
    ),
    "hub": (
        {"premise": "He ran.", "hypothesis": "He moved.", "label": "entailment", "idx": "7"},
        Pair("7", "He ran.", "He moved.", E),
    ),
    "hub-mnli": (
        {"pairID": "9n", "premise": "a", "hypothesis": "b", "genre": "fiction", "label": "neutral"},
        Pair("9n", "a", "b", U, "fiction"),
    ),
}


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".tsv", ".parquet"])
@pytest.mark.parametrize("layout", ROWS)
def test_layouts_of_others_are_recognized_in_every_format(tmp_path, layout, suffix):
    row, expected = ROWS[layout]
    path = tmp_path / f"x{suffix}"
    with path.open("wb") as file:
        write_rows(file, list(row), [list(row.values())], format=row_format(path))
    assert list(read_pairs(path)) == [expected]


def test_scitail_without_a_header_is_recognized(written):
    path = written("x.tsv", tsv("It rains.|It is wet.|entails", "A dog.|A cat.|neutral"))
    assert [(line, pair) for line, pair in read_located_pairs(path)] == [
        (1, Pair("1", "It rains.", "It is wet.", E)),
        (2, Pair("2", "A dog.", "A cat.", N)),
    ]


def test_neutral_beside_entails_is_never_guessed(written):
    path = written("x.csv", "premise,hypothesis,label\na,b,neutral\nc,d,entails\n")
    with pytest.raises(LabelError, check=coded("file-mean-contradiction-not-entailment")) as caught:
        list(read_pairs(path))
    assert "--label scitail" in (caught.value.hint or "")
    assert [pair.gold for pair in read_pairs(path, labels=PRESETS["scitail"])] == [N, E]


def test_layout_keeps_other_columns_in_meta(written):
    content = tsv(
        "pair_ID|sentence_A|sentence_B|relatedness_score|entailment_judgment", "4|a|b|3.6|NEUTRAL"
    )
    (pair,) = read_pairs(written("s.tsv", content))
    assert pair.meta == {"relatedness_score": "3.6"}


def test_snli_dash_gives_no_gold_and_a_finding(written, findings):
    path = written("s.tsv", tsv("gold_label|sentence1|sentence2|pairID", "-|a|b|p1"))
    (pair,) = read_pairs(path, on_finding=findings.append)
    assert pair.gold is None
    assert [(f.code, f.place) for f in findings] == [("no-gold", f"{path}:2")]


def test_columns_option_names_the_columns(written):
    path = written("x.csv", "nr,a,b,c\n7,He ran.,He moved.,yes\n")
    columns = {"id": "nr", "text": "a", "hypothesis": "b", "gold": "c"}
    (pair,) = read_pairs(path, columns=columns)
    assert pair == Pair("7", "He ran.", "He moved.", E)


def test_columns_option_overrides_one_column_of_a_known_layout(written):
    path = written("x.tsv", tsv("gold_label|sentence1|sentence2|pairID|label1", "-|a|b|p|neutral"))
    (pair,) = read_pairs(path, columns={"gold": "label1"})
    assert pair.gold is U


def test_columns_option_works_for_jsonl(written):
    path = written("x.jsonl", '{"a": "t", "b": "h"}\n')
    (pair,) = read_pairs(path, columns={"text": "a", "hypothesis": "b"})
    assert (pair.id, pair.text, pair.hypothesis) == ("1", "t", "h")


def test_columns_option_refuses_a_column_that_is_not_there(written):
    path = written("x.csv", "first,second\na,b\n")
    with pytest.raises(UnknownNameError, match=r"x.csv:1: no column is called 'frist'") as caught:
        list(read_pairs(path, columns={"text": "frist", "hypothesis": "second"}))
    assert caught.value.hint == "did you mean 'first'?"


def test_columns_option_refuses_a_field_that_pairs_do_not_have(written):
    with pytest.raises(UnknownNameError, match="no field is called 'txt'"):
        list(read_pairs(written("x.csv", "a,b\n1,2\n"), columns={"txt": "a"}))


def test_unknown_columns_are_refused_with_the_way_out(written):
    with pytest.raises(DataError, match=r"x.csv:1: no known layout .*'a', 'b'") as caught:
        list(read_pairs(written("x.csv", "a,b\n1,2\n")))
    assert "--read text=COLUMN" in (caught.value.hint or "")


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".tsv", ".parquet"])
@pytest.mark.parametrize(
    ("labels", "hint"),
    [
        ((0, 2, 1), "--label hf, where 0 is entailment, 2 contradiction, 1 unknown"),
        (
            (1, 0, 0),
            "--label glue, where 1 is not-entailment, 0 entailment;"
            " or --label wnli, where 1 is entailment, 0 not-entailment",
        ),
        (("c", "e", "n"), "--label anli, where c is contradiction, e entailment, n unknown"),
        (
            ("good", "bad", "so so"),
            "say what they mean: --label good=LABEL --label bad=LABEL --label 'so so=LABEL',"
            " where LABEL is one of entailment, contradiction, unknown, not-entailment, none",
        ),
    ],
)
def test_labels_are_never_guessed_and_the_hint_is_made_of_those_seen(
    tmp_path, labels, hint, suffix
):
    path = tmp_path / f"x{suffix}"
    rows = [["a", "b", label if suffix == ".jsonl" else str(label)] for label in labels]
    with path.open("wb") as file:
        columns = ["premise", "hypothesis", "label"]
        write_rows(file, columns, rows, format=row_format(path))
    with pytest.raises(LabelError, match=f"unknown label '{labels[0]}'") as caught:
        list(read_pairs(path))
    assert caught.value.hint == hint


@pytest.mark.parametrize(
    ("preset", "labels", "golds"),
    [
        ("hf", [0, 1, 2, -1], [E, U, C, None]),
        ("snli", ["entailment", "neutral", "contradiction", "-"], [E, U, C, None]),
        ("mnli", [2, 0, 1], [C, E, U]),
        ("anli", ["e", "n", "c"], [E, U, C]),
        ("glue", ["entailment", "not_entailment", 0, 1, -1], [E, N, E, N, None]),
        ("wnli", [0, 1, -1], [N, E, None]),
        ("scitail", ["entails", "neutral", "entailment"], [E, N, E]),
    ],
)
def test_preset_maps_the_labels_of_well_known_data(written, preset, labels, golds):
    lines = [json.dumps({"premise": "a", "hypothesis": "b", "label": label}) for label in labels]
    path = written("x.jsonl", "\n".join(lines))
    assert [pair.gold for pair in read_pairs(path, labels=label_preset(preset))] == golds


def test_preset_that_is_not_there_is_refused():
    with pytest.raises(UnknownNameError, match="no preset of labels is called 'snl'"):
        label_preset("snl")


@pytest.mark.parametrize("suffix", [".jsonl", ".csv", ".tsv", ".parquet"])
def test_labels_that_are_not_needed_are_one_finding(tmp_path, findings, suffix):
    path = tmp_path / f"x{suffix}"
    rows = [["a", "b", str(i % 3)] for i in range(9)]
    with path.open("wb") as file:
        columns = ["premise", "hypothesis", "label"]
        write_rows(file, columns, rows, format=row_format(path))
    pairs = list(read_pairs(path, on_finding=findings.append, needs_gold=False))
    assert [pair.gold for pair in pairs] == [None] * 9
    assert [(each.code, each.place) for each in findings] == [("unknown-labels", str(path))]
    assert findings[0].message.endswith(
        "'0', '1', '2'; --label hf, where 0 is entailment, 1 unknown, 2 contradiction"
    )


def test_labels_in_xml_that_are_not_needed_are_one_finding(written, findings):
    pair = '<pair id="{0}" entailment="{1}"><t>a</t><h>b</h></pair>'
    text = "".join(map(pair.format, "12", ["PERHAPS", "PERHAPS"]))
    path = written("x.xml", f"<entailment-corpus>{text}</entailment-corpus>")
    pairs = list(read_pairs(path, on_finding=findings.append, needs_gold=False))
    assert [pair.gold for pair in pairs] == [None, None]
    assert [each.code for each in findings] == ["unknown-labels"]


@pytest.mark.parametrize(("given", "expected"), [(7, "7"), (7.5, "7.5"), (" x ", "x")])
def test_id_is_a_text_or_a_number(written, given, expected):
    record = {"id": given, "text": "a", "hypothesis": "b"}
    (pair,) = read_pairs(written("x.jsonl", json.dumps(record)))
    assert pair.id == expected


@pytest.mark.parametrize("given", [True, [1], {"a": 1}, float("nan")])
def test_id_of_another_kind_is_refused(written, given):
    record = {"id": given, "text": "a", "hypothesis": "b"}
    with pytest.raises(DataError, check=coded("id-no-text")) as caught:
        list(read_pairs(written("x.jsonl", json.dumps(record))))
    assert str(caught.value.place).endswith("x.jsonl:1")


def test_id_that_is_null_is_refused(written):
    line = '{"id": null, "text": "a", "hypothesis": "b"}'
    with pytest.raises(DataError, check=coded("pair-no-id")):
        list(read_pairs(written("x.jsonl", line)))


def test_csv_row_begins_at_its_first_line(written):
    path = written("x.csv", 'id,text,hypothesis\n1,"a\nb\nc",d\n2,e,f\n')
    assert [line for line, _ in read_located_pairs(path)] == [2, 5]


def test_csv_refuses_a_row_of_another_length(written):
    with pytest.raises(DataError, match=r"x.csv:3: 2 fields in this row, 3 in the header"):
        list(read_pairs(written("x.csv", "id,text,hypothesis\n1,a,b\n2,c\n")))


def test_csv_refuses_a_quotation_mark_that_is_not_closed(written):
    with pytest.raises(DataError, match=r"x.csv:2: broken row"):
        list(read_pairs(written("x.csv", 'id,text,hypothesis\n1,"a,b\n2,c,d\n')))


@pytest.mark.parametrize(
    ("name", "header", "doubled"),
    [
        ("x.csv", "text,text,hypothesis", "text"),
        ("x.csv", "id,id,text,hypothesis", "id"),
        ("x.tsv", "#1 ID\t#2 ID\t#2 ID\t#1 String\t#2 String", "#2 ID"),
    ],
)
def test_doubled_column_of_the_layout_is_refused(written, name, header, doubled):
    path = written(name, f"{header}\n")
    with pytest.raises(DataError, match=rf"{name}:1: two columns are called '{doubled}'") as caught:
        list(read_pairs(path))
    assert caught.value.hint == "rename one of them"


def test_doubled_column_that_the_user_names_is_refused(written):
    path = written("x.csv", "a,a,b\n1,2,3\n")
    with pytest.raises(DataError, match=r"x.csv:1: two columns are called 'a'"):
        list(read_pairs(path, columns={"text": "a", "hypothesis": "b"}))


def test_doubled_column_that_the_layout_does_not_use_is_read(written):
    (pair,) = read_pairs(written("x.csv", "text,hypothesis,note,note\na,b,c,c\n"))
    assert pair.meta == {"note": "c"}


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_csv_has_the_delimiter_of_its_first_line(written, delimiter, mark):
    rows = [["id", "text", '"hypothesis"'], ["1", '"a; b, \t""c"""', "d"], ["2", "e", "f"]]
    text = "\r\n".join(["", *map(delimiter.join, rows)])
    path = written("x.csv", mark + text.encode())
    expected = [Pair("1", 'a; b, \t"c"', "d"), Pair("2", "e", "f")]
    assert list(read_pairs(path)) == expected
    surveyed = survey(str(path), grid=1)
    parts = [part for shard in surveyed.parts(1) for part in shard]
    assert [pair for part in parts for pair in read_part(part)] == expected


def test_csv_with_semicolons_is_recognized_without_a_name(written):
    assert next(read_pairs(written("x", "text;hypothesis\na, b;c\n"))).text == "a, b"


def test_tsv_with_commas_is_refused_with_a_hint(written):
    with pytest.raises(DataError, check=coded("one-column-only")) as caught:
        list(read_pairs(written("x.tsv", "id,text,hypothesis\n1,a,b\n")))
    assert caught.value.hint == "is it CSV? then --read format=csv"


ARRAY = [
    {"id": 1, "text": 'He said "no":\n[{', "hypothesis": "é\u2028", "meta": {"a": [{}, {"b": 1}]}},
    {"id": 2, "text": "x" * 200_000, "hypothesis": "\\", "meta": {}},
    {"id": 3, "text": "a", "hypothesis": "b", "meta": {"n": -1.5e3, "t": True}},
]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("name", ["x.json", "x.jsonl", "x"])
@pytest.mark.parametrize("indent", [None, 2])
def test_array_of_json_is_read_as_lines_are(written, indent, name, encoding):
    text = json.dumps(ARRAY, indent=indent, ensure_ascii=False)
    path = written(name, f"\n{text}\n\n".encode(encoding))
    lines = written("lines.jsonl", "\n".join(map(json.dumps, ARRAY)))
    located = list(read_located_pairs(path))
    assert [pair for _, pair in located] == list(read_pairs(lines))
    assert survey(str(path)).n_rows is None
    begins = [2, 2, 2] if indent is None else [3, 16, 22]
    assert [line for line, _ in located] == begins


def test_empty_array_is_a_data_set_without_pairs(written, findings):
    assert list(read_pairs(written("x.json", "[ ]"), on_finding=findings.append)) == []
    assert [finding.code for finding in findings] == ["no-pairs"]


GOOD = '{"text": "a", "hypothesis": "b"}'


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        (f"[{GOOD},\n 3]", 2, "not an object: '3]'"),
        (f"[{GOOD}\n {GOOD}]", 2, "not JSON: '{' where ] or , is due"),
        (f"[{GOOD},\n", 2, "not JSON: the array is not closed"),
        (f"[{GOOD},\n]", 2, "not an object: ']'"),
        (f"[{GOOD}]\n{GOOD}", 2, "not JSON: something stands after the array"),
        (f'[{GOOD},\n{{"text":\n"a" 3}}]', 3, "not JSON: Expecting ',' delimiter"),
        (f'[{GOOD},\n{{"text": "a', 2, "not JSON: Unterminated string starting at"),
        (f'[{GOOD},\n{{"text": "\\ud800", "hypothesis": "b"}}]', 2, "is half of a character"),
        (f'[{GOOD},\n{{"a": ' + "[" * 100_000, 2, "not JSON: "),
    ],
)
def test_broken_array_is_refused_with_its_line(written, text, line, message):
    path = written("x.json", text)
    with pytest.raises(DataError) as caught:
        list(read_pairs(path))
    assert str(caught.value).startswith(f"{path}:{line}: ")
    assert message in caught.value.message


def test_array_is_not_held_as_a_whole(written):
    record = json.dumps({"text": "a" * 1000, "hypothesis": "b"})
    path = written("x.json", f"[{','.join([record] * 5000)}]")
    tracemalloc.start()
    n_pairs = sum(1 for _ in read_pairs(path))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert n_pairs == 5000
    assert peak < 2_000_000


@pytest.mark.parametrize(
    ("line", "keys"),
    [
        ('{"text": "a", "text": "c", "hypothesis": "b"}', ["text"]),
        ('{"text" : "a", "hypothesis": "b", "meta": {"n": 1, "n"  : 2}}', ["n"]),
        ('{"text": "a", "hypothesis": "b", "meta": {"x": [{"n": 1, "n": 2}]}}', ["n"]),
        ('{"text": "He: \\"a\\": b", "hypothesis": "b: c", "meta": {"text": "d:"}}', []),
    ],
)
@pytest.mark.parametrize("form", ["\n{0}\n", "[\n{0}]"])
def test_doubled_key_is_a_finding(written, findings, form, line, keys):
    path = written("x.json", form.format(line))
    (pair,) = read_pairs(path, on_finding=findings.append)
    assert [each.code for each in findings] == ["doubled-key"] * len(keys)
    assert [each.place for each in findings] == [f"{path}:2"] * len(keys)
    assert all(repr(key) in each.message for key, each in zip(keys, findings, strict=True))
    assert pair.hypothesis.startswith("b")


def test_csv_with_only_a_header_is_a_finding(written, findings):
    path = written("x.csv", "id,text,hypothesis\n")
    assert list(read_pairs(path, on_finding=findings.append)) == []
    assert [finding.code for finding in findings] == ["no-pairs"]


@pytest.mark.parametrize("name", ["x.csv", "x.tsv", "x.parquet", "x.anything"])
def test_empty_file_is_refused(written, name):
    with pytest.raises(DataError, check=coded("file-empty")):
        list(read_pairs(written(name, "")))


def test_empty_jsonl_is_a_data_set_without_pairs(written, findings):
    assert list(read_pairs(written("x.jsonl", ""), on_finding=findings.append)) == []
    assert [finding.code for finding in findings] == ["no-pairs"]


def test_csv_of_blank_lines_is_refused(written):
    with pytest.raises(DataError, check=coded("file-empty")):
        list(read_pairs(written("x.csv", "\n\n")))


@pytest.mark.parametrize(
    ("name", "content"),
    [("x.csv", "id,text,hypothesis\n1,a\0,b\n"), ("x.jsonl", '\n{"id": "1\0"}\n')],
)
def test_nul_is_refused(written, name, content):
    with pytest.raises(DataError, match=rf"{name}:2: the line holds a NUL"):
        list(read_pairs(written(name, content)))


@pytest.mark.parametrize("name", ["x.csv", "x.jsonl"])
def test_latin_1_is_refused_and_read_when_named(written, name):
    lines = {
        "x.csv": "id,text,hypothesis\n1,café,b\n",
        "x.jsonl": '\n{"id": "1", "text": "café", "hypothesis": "b"}\n',
    }
    path = written(name, lines[name].encode("latin-1"))
    with pytest.raises(DataError, match=rf"{name}:2: byte \d+ of the line is not utf-8"):
        list(read_pairs(path))
    assert next(read_pairs(path, encoding="latin-1")).text == "café"


@pytest.mark.parametrize("codec", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_wide_encodings_are_read(written, codec):
    # U+0A0A and U+0D0A hold the byte of a line feed
    content = "id,text,hypothesis\r\n1,caf\u0a0a\u0d0a,b\r\n2,c,d\r\n"
    path = written("x.csv", content.encode(codec))
    assert [p.text for p in read_pairs(path, encoding=codec)] == ["caf\u0a0a\u0d0a", "c"]


def test_utf_16_with_a_mark_needs_no_option(written):
    path = written("x.csv", "id,text,hypothesis\n1,é,b\n".encode("utf-16"))
    assert [p.text for p in read_pairs(path)] == ["é"]


def test_wide_encoding_that_breaks_off_is_refused_with_its_line(written):
    content = "id,text,hypothesis\n1,a,b\n".encode("utf-16") + b"\x41"
    with pytest.raises(DataError, match=r"x.csv:3: byte 0x41 is not utf-16"):
        list(read_pairs(written("x.csv", content)))


@pytest.mark.parametrize("name", ["x.csv", "x.tsv", "x.jsonl"])
def test_line_of_five_megabytes_is_read(written, name):
    text = "word " * 1_000_000
    lines = {
        "x.csv": f"id,text,hypothesis\n1,{text},b\n",
        "x.tsv": f"id\ttext\thypothesis\n1\t{text}\tb\n",
        "x.jsonl": f'{{"id": "1", "text": "{text}", "hypothesis": "b"}}\n',
    }
    (pair,) = read_pairs(written(name, lines[name]))
    assert len(pair.text) == 5_000_000


@pytest.mark.parametrize("letter", ["a", "\\u00e9", "\\ud83d\\ude00"])
def test_long_line_takes_a_small_multiple_of_itself(written, letter):
    line = f'{{"text": "{letter * 500_000}", "hypothesis": "b"}}\n'
    path = written("x.jsonl", line)
    tracemalloc.start()
    assert sum(1 for _ in read_pairs(path)) == 1
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 5 * len(line) + 1_000_000


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ('{"id": "1", "text": "a"', "not JSON: "),
        ("[1, 2]", "not an object: '[1, 2]'"),
        ("[" * 100_000, "not JSON: "),
        ('{"id": "1", "text": 3, "hypothesis": "b"}', "the text of pair '1' is no text: int"),
        ('{"id": "1", "text": null, "hypothesis": "b"}', "pair '1' has no text"),
        ('{"id": " ", "text": "a", "hypothesis": "b"}', "a pair has no id"),
        ('{"id": "1", "text": "a"}', "no known layout has these columns: 'id', 'text'"),
        ('{"id": "1", "text": "\\ud800", "hypothesis": "b"}', "is half of a character"),
        ('{"id": "1", "text": "a", "hypothesis": "b", "meta": 3}', "meta is no object: 3"),
        ('{"id": "1", "text": "a", "hypothesis": "b", "gold": "nay"}', "unknown label 'nay'"),
    ],
)
def test_jsonl_refuses_a_broken_line_with_its_place(written, line, message):
    path = written("x.jsonl", f"\n{line}\n")
    with pytest.raises(DataError) as caught:
        list(read_pairs(path))
    assert str(caught.value).startswith(f"{path}:2: ")
    assert message in caught.value.message


def test_jsonl_notices_labels_that_do_not_go_together_whatever_the_keys(written):
    lines = [
        {"id": "1", "text": "a", "hypothesis": "b", "gold": "no"},
        {"id": "2", "text": "a", "hypothesis": "b", "task": "QA", "gold": "unknown"},
    ]
    path = written("x.jsonl", "\n".join(map(json.dumps, lines)))
    with pytest.raises(LabelError, match=r"x.jsonl:2: 'no' and 'unknown' in one file"):
        list(read_pairs(path))


def test_jsonl_keeps_nothing_of_the_keys_of_its_lines(written):
    lines = [{"text": "a", "hypothesis": "b", f"key {i}": i} for i in range(5000)]
    path = written("x.jsonl", "\n".join(map(json.dumps, lines)))
    tracemalloc.start()
    metas = sum(pair.meta == {f"key {i}": i} for i, pair in enumerate(read_pairs(path)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert metas == 5000
    assert peak < 1_000_000


def test_meta_column_that_is_not_json_is_refused(written):
    with pytest.raises(DataError, match=r"x.csv:2: meta is not JSON: '\{'"):
        list(read_pairs(written("x.csv", "id,text,hypothesis,meta\n1,a,b,{\n")))


@pytest.mark.parametrize("side", ["text", "hypothesis"])
def test_empty_side_is_a_finding(written, findings, side):
    record = {"id": "1", "text": "a", "hypothesis": "b"} | {side: " "}
    list(read_pairs(written("x.jsonl", json.dumps(record)), on_finding=findings.append))
    assert [finding.code for finding in findings] == [f"empty-{side}"]


def test_tsv_refuses_to_write_a_tab(tmp_path):
    with pytest.raises(OutputError, match="pair '1' holds a tab or a line break"):
        write_pairs(tmp_path / "x.tsv", [Pair("1", "a\tb", "c")])
    assert list(tmp_path.iterdir()) == []


def parquet(path, columns, features=None):
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.table(columns)
    if features:
        about = json.dumps({"info": {"features": features}})
        table = table.replace_schema_metadata({"huggingface": about})
    pq.write_table(table, path)
    return path


def test_parquet_names_numbered_labels_by_its_schema(tmp_path, findings):
    path = parquet(
        tmp_path / "x.parquet",
        {"premise": ["a", "b", "c"], "hypothesis": ["d", "e", "f"], "label": [0, 2, -1]},
        {"label": {"names": ["entailment", "neutral", "contradiction"], "_type": "ClassLabel"}},
    )
    golds = [pair.gold for pair in read_pairs(path, on_finding=findings.append)]
    assert golds == [E, C, None]
    assert [(f.code, f.place) for f in findings] == [("no-gold", f"{path}:3")]


def test_parquet_refuses_numbered_labels_without_names(tmp_path):
    path = parquet(
        tmp_path / "x.parquet",
        {"idx": [0], "sentence1": ["a"], "sentence2": ["b"], "label": [1]},
    )
    with pytest.raises(LabelError, match=r"x.parquet:1: unknown label '1'"):
        list(read_pairs(path))


def test_parquet_cut_off_is_refused(tmp_path):
    path = parquet(tmp_path / "x.parquet", {"id": ["1"], "text": ["a"], "hypothesis": ["b"]})
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(DataError, check=coded("not-parquet")):
        list(read_pairs(path))


def test_parquet_refuses_a_doubled_column_of_the_layout(tmp_path):
    import pyarrow as pa
    import pyarrow.parquet as pq

    table = pa.Table.from_arrays([pa.array(["a"])] * 3, names=["text", "text", "hypothesis"])
    pq.write_table(table, tmp_path / "x.parquet")
    with pytest.raises(DataError, match=r"x.parquet: two columns are called 'text'"):
        list(read_pairs(tmp_path / "x.parquet"))
