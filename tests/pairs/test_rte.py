"""RTE XML: the dialects, the encodings, and what is refused."""

from __future__ import annotations

import codecs

import pytest
from tests.errors import coded

from ensue.errors import DataError, LabelError, OutputError
from ensue.pairs import Label, Pair, read_located_pairs, read_pairs, write_pairs

PAIR = '<pair id="1" value="TRUE" task="QA"><t>A dog barks.</t><h>A dog barks.</h></pair>'


def corpus(*pairs: str, head: str = "") -> str:
    return f"{head}<entailment-corpus>\n" + "\n".join(pairs) + "\n</entailment-corpus>\n"


def one(written, content, **options) -> Pair:
    (pair,) = read_pairs(written("pairs.xml", content), **options)
    return pair


@pytest.mark.parametrize(
    ("attribute", "gold"),
    [
        ('value="TRUE"', Label.ENTAILMENT),
        ('value="FALSE"', Label.NOT_ENTAILMENT),
        ('entailment="YES"', Label.ENTAILMENT),
        ('entailment="NO"', Label.NOT_ENTAILMENT),
        ('entailment="ENTAILMENT"', Label.ENTAILMENT),
        ('entailment="CONTRADICTION"', Label.CONTRADICTION),
        ('entailment="UNKNOWN"', Label.UNKNOWN),
        ("", None),
    ],
)
def test_rte_reads_the_labels_of_every_dialect(written, attribute, gold):
    pair = one(written, corpus(f'<pair id="1" {attribute}><t>a</t><h>b</h></pair>'))
    assert pair.gold is gold


def test_rte_keeps_other_attributes_and_elements_in_meta(written):
    element = '<pair id="1" length="short" topic="x"><t>a</t><h>b</h><note>odd</note></pair>'
    assert one(written, corpus(element)).meta == {"length": "short", "topic": "x", "note": "odd"}


def test_rte_strips_text_and_makes_line_breaks_spaces(written):
    element = '<pair id="1"><t>\n  It rained\n  all day. </t><h> It  rained.\r\n</h></pair>'
    pair = one(written, corpus(element))
    assert (pair.text, pair.hypothesis) == ("It rained all day.", "It  rained.")


def test_rte_keeps_the_text_of_markup_inside_a_side(written):
    element = '<pair id="1"><t>A <b>big</b> dog<i> barks</i></t><h>b</h></pair>'
    assert one(written, corpus(element)).text == "A big dog barks"


def test_rte_says_at_which_line_a_pair_begins(written):
    path = written("pairs.xml", corpus(PAIR, PAIR.replace('"1"', '"2"')))
    assert [(line, pair.id) for line, pair in read_located_pairs(path)] == [(2, "1"), (3, "2")]


def test_rte_resolves_characters_and_html_names_without_a_dtd(written):
    element = (
        '<pair id="1" task="caf&eacute;"><t>caf&eacute; &#233; &#xE9; &amp;</t><h>b</h></pair>'
    )
    pair = one(written, corpus(element))
    assert (pair.text, pair.task) == ("café é é &", "café")


def test_rte_never_opens_the_dtd_that_a_file_names(written):
    element = '<pair id="1"><t>caf&eacute;</t><h>b</h></pair>'
    head = '<!DOCTYPE entailment-corpus SYSTEM "not-there.dtd">\n'
    assert one(written, corpus(element, head=head)).text == "café"


@pytest.mark.parametrize("where", ["<t>&foo;</t><h>b</h>", "<t>a</t><h>&foo; b</h>"])
@pytest.mark.parametrize("head", ["", '<!DOCTYPE entailment-corpus SYSTEM "rte.dtd">\n'])
def test_rte_refuses_an_unknown_entity(written, where, head):
    with pytest.raises(DataError, match=r"pairs.xml:\d: unknown entity '&foo;'"):
        one(written, corpus(f'<pair id="1">{where}</pair>', head=head))


def test_rte_refuses_an_unknown_entity_in_an_attribute(written):
    with pytest.raises(DataError, match=r"pairs.xml:2: unknown entity '&foo;'"):
        one(written, corpus('<pair id="1" task="&amp;&foo;"><t>a</t><h>b</h></pair>'))


def test_rte_refuses_a_billion_laughs(written):
    head = '<!DOCTYPE x [\n<!ENTITY a "ha">\n<!ENTITY b "&a;&a;&a;&a;">\n]>\n'
    element = '<pair id="1"><t>&b;</t><h>b</h></pair>'
    with pytest.raises(DataError, match=r"pairs.xml:2: the file declares the entity 'a'"):
        one(written, corpus(element, head=head))


@pytest.mark.parametrize(
    "declaration",
    ['<!ENTITY a SYSTEM "secret.txt">', '<!ENTITY % a SYSTEM "secret.dtd"> %a;'],
)
def test_rte_refuses_external_entities(written, declaration):
    head = f"<!DOCTYPE x [{declaration}]>\n"
    with pytest.raises(DataError, match="declares the entity 'a', which is refused"):
        one(written, corpus(PAIR, head=head))


@pytest.mark.parametrize(
    ("codec", "declared"),
    [
        ("utf-8", "UTF-8"),
        ("utf-8-sig", "UTF-8"),
        ("utf-16", "UTF-16"),
        ("utf-16-le", "UTF-16"),
        ("utf-16-be", "UTF-16"),
        ("latin-1", "ISO-8859-1"),
        ("cp1252", "windows-1252"),
        ("shift_jis", "Shift_JIS"),
    ],
)
def test_rte_reads_the_encoding_that_a_file_declares(written, codec, declared):
    text = "日本" if codec == "shift_jis" else "café"
    head = f'<?xml version="1.0" encoding="{declared}"?>\n'
    content = corpus(f'<pair id="1"><t>{text}</t><h>b</h></pair>', head=head)
    assert one(written, content.encode(codec)).text == text


def test_rte_encoding_option_overrides_the_declaration(written):
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    content = corpus('<pair id="1"><t>café</t><h>b</h></pair>', head=head).encode("latin-1")
    assert one(written, content, encoding="latin-1").text == "café"


def test_rte_refuses_latin_1_that_says_nothing(written):
    content = corpus('<pair id="1"><t>café</t><h>b</h></pair>').encode("latin-1")
    with pytest.raises(DataError, match=r"pairs.xml:2: byte 0xe9 is not utf-8") as caught:
        one(written, content)
    assert caught.value.hint == "name the file's encoding, e.g. --read encoding=latin-1"


def test_rte_refuses_a_declaration_that_cannot_be_true(written):
    head = '<?xml version="1.0" encoding="UTF-16"?>\n'
    with pytest.raises(DataError, match="says it is UTF-16, and is not"):
        one(written, corpus(PAIR, head=head))


def test_rte_refuses_what_is_not_xml(written):
    with pytest.raises(DataError, match=r"pairs.xml:1: not XML: syntax error"):
        one(written, "A dog barks.\n")


def test_rte_refuses_a_bare_ampersand_and_says_what_to_write(written):
    with pytest.raises(DataError, match=r"pairs.xml:2: not XML") as caught:
        one(written, corpus('<pair id="1"><t>R & D</t><h>b</h></pair>'))
    assert "&amp;" in (caught.value.hint or "")


@pytest.mark.parametrize("share", [0.3, 0.5, 0.7, 0.95])
def test_rte_refuses_xml_cut_off_in_the_middle(written, share):
    content = corpus(PAIR, PAIR.replace('"1"', '"2"'))
    with pytest.raises(DataError, check=coded("xml-ends-middle")):
        list(read_pairs(written("pairs.xml", content[: int(len(content) * share)])))


@pytest.mark.parametrize(
    ("element", "message"),
    [
        ('<pair id="12"><t>a</t></pair>', "pair '12' has no hypothesis"),
        ('<pair id="12"><h>a</h></pair>', "pair '12' has no text"),
        ("<pair><t>a</t><h>b</h></pair>", "a pair has no id"),
        ('<pair id="12"><t>a</t><t>b</t><h>c</h></pair>', "pair '12' has a second <t>"),
        ('<pair id="12"><pair id="13"></pair></pair>', "another <pair> begins inside of it"),
        (
            '<pair id="12" value="TRUE" entailment="NO"><t>a</t><h>b</h></pair>',
            "pair '12' has two labels: 'TRUE' and 'NO'",
        ),
    ],
)
def test_rte_refuses_a_pair_that_is_not_whole(written, element, message):
    with pytest.raises(DataError, match=rf"pairs.xml:2: .*{message}"):
        one(written, corpus(element))


def test_rte_hint_says_what_a_pair_needs(written):
    with pytest.raises(DataError) as caught:
        one(written, corpus('<pair id="12"><t>a</t></pair>'))
    assert caught.value.hint == "each <pair> needs one <t> and one <h>"


def test_rte_refuses_an_unknown_label_and_lists_the_known_ones(written):
    with pytest.raises(LabelError, match=r"pairs.xml:2: unknown label 'MAYBE'; known .*unknown"):
        one(written, corpus('<pair id="1" value="MAYBE"><t>a</t><h>b</h></pair>'))


def test_rte_labels_option_maps_other_names(written):
    content = corpus('<pair id="1" value="MAYBE"><t>a</t><h>b</h></pair>')
    assert one(written, content, labels={"maybe": Label.UNKNOWN}).gold is Label.UNKNOWN


def test_rte_refuses_to_guess_what_no_means_beside_unknown(written):
    elements = [
        f'<pair id="{i}" entailment="{name}"><t>a</t><h>b</h></pair>'
        for i, name in enumerate(["YES", "NO", "UNKNOWN"])
    ]
    path = written("pairs.xml", corpus(*elements))
    with pytest.raises(LabelError, match=r"pairs.xml:4: 'NO' and 'UNKNOWN' in one file"):
        list(read_pairs(path))
    golds = [pair.gold for pair in read_pairs(path, labels={"NO": Label.CONTRADICTION})]
    assert golds == [Label.ENTAILMENT, Label.CONTRADICTION, Label.UNKNOWN]


def test_rte_reports_an_empty_hypothesis_and_gives_the_pair(written, findings):
    content = corpus('<pair id="1"><t>a</t><h> </h></pair>')
    assert one(written, content, on_finding=findings.append).hypothesis == ""
    assert [(f.code, f.place.rsplit("/")[-1], f.pair_ids) for f in findings] == [
        ("empty-hypothesis", "pairs.xml:2", ("1",))
    ]


def test_rte_refuses_xml_of_another_kind(written):
    with pytest.raises(DataError, match="no <pair> in this file, whose root is <html>"):
        list(read_pairs(written("pairs.xml", "<html><body/></html>")))


def test_rte_reports_a_corpus_without_pairs(written, findings):
    path = written("pairs.xml", "<entailment-corpus/>")
    assert list(read_pairs(path, on_finding=findings.append)) == []
    assert [finding.code for finding in findings] == ["no-pairs"]


def test_rte_refuses_an_empty_file(written):
    with pytest.raises(DataError, check=coded("file-empty")):
        list(read_pairs(written("pairs.xml", "")))


def test_rte_reads_a_text_of_five_megabytes(written):
    content = corpus(f'<pair id="1"><t>{"word " * 1_000_000}</t><h>b</h></pair>')
    assert len(one(written, content).text) == 5 * 1_000_000 - 1


def test_rte_reads_a_pair_that_spans_blocks(written):
    filler = "<!-- " + "x" * 65_500 + " -->"
    content = corpus(filler, '<pair id="1" task="R&amp;D"><t>caf&eacute;</t><h>b</h></pair>')
    pair = one(written, content)
    assert (pair.text, pair.task) == ("café", "R&D")


def test_rte_written_labels_are_those_of_later_challenges(tmp_path):
    pairs = [Pair(label.value, "a", "b", label) for label in Label]
    write_pairs(tmp_path / "p.xml", pairs)
    content = (tmp_path / "p.xml").read_text()
    for name in ("YES", "NO", "CONTRADICTION", "UNKNOWN"):
        assert f'entailment="{name}"' in content


def test_rte_refuses_to_write_what_xml_cannot_hold(tmp_path):
    with pytest.raises(OutputError, match=r"pair '1' holds the character '\\x0b'"):
        write_pairs(tmp_path / "p.xml", [Pair("1", "a\x0bb", "c")])
    assert list(tmp_path.iterdir()) == []


def test_rte_writes_meta_as_attributes(tmp_path):
    pair = Pair("1", "a", "b", meta={"#1 ID": "x", "premises": ["a"], "length": "short"})
    write_pairs(tmp_path / "p.xml", [pair])
    (back,) = read_pairs(tmp_path / "p.xml")
    assert back.meta == {"_1_ID": "x", "premises": '["a"]', "length": "short"}


@pytest.mark.parametrize("key", ["id", "task", "value", "entailment"])
def test_rte_meta_does_not_become_what_the_pair_says_of_itself(tmp_path, key):
    write_pairs(tmp_path / "p.xml", [Pair("1", "a", "b", meta={key: "YES"})])
    assert list(read_pairs(tmp_path / "p.xml")) == [Pair("1", "a", "b", meta={f"_{key}": "YES"})]


@pytest.mark.parametrize(
    ("one", "other", "name"), [("a b", "a_b", "a_b"), ("value", "_value", "_value")]
)
def test_rte_refuses_two_meta_keys_with_one_attribute_name(tmp_path, one, other, name):
    pair = Pair("1", "a", "b", meta={one: "x", other: "y"})
    message = f"pair '1' has two attributes called {name!r} in XML; the second is meta {other!r}"
    with pytest.raises(OutputError, match=message) as caught:
        write_pairs(tmp_path / "p.xml", [pair])
    assert caught.value.hint == "rename one of them, or write it as JSONL"


def test_rte_reads_what_looks_like_an_attribute_of_any_size(written):
    text = '="' + "&amp;" * 10_000
    elements = [f'<pair id="{i}"><t>{text}</t><h>b</h></pair>' for i in range(10)]
    path = written("pairs.xml", corpus(*elements))
    texts = {pair.text for pair in read_pairs(path)}
    assert texts == {'="' + "&" * 10_000}


def test_rte_reads_deep_markup_of_any_size(written):
    text = "<b>" * 150_000 + "deep" + "</b>" * 150_000
    path = written("pairs.xml", corpus(f'<pair id="1"><t>{text}</t><h>b</h></pair>'))
    (pair,) = read_pairs(path)
    assert pair.text == "deep"


def test_rte_reads_a_long_attribute_of_any_size(written):
    note = "word " * 3_000_000
    path = written("pairs.xml", corpus(f'<pair id="1" note="{note}"><t>a</t><h>b</h></pair>'))
    (pair,) = read_pairs(path)
    assert pair.meta == {"note": note}


def test_rte_refuses_an_unknown_entity_in_an_attribute_that_spans_blocks(written):
    note = "word \n" * 50_000
    element = f'<pair id="1" note="{note}&foo;"><t>a</t><h>b</h></pair>'
    with pytest.raises(DataError, match=r"pairs.xml:2: unknown entity '&foo;'"):
        one(written, corpus(element))


def test_rte_sees_utf_16_behind_a_byte_order_mark_without_a_declaration(written):
    content = corpus('<pair id="1"><t>café</t><h>b</h></pair>').encode("utf-16-be")
    assert one(written, codecs.BOM_UTF16_BE + content).text == "café"
