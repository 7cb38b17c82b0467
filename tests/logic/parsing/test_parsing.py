import pytest

from ensue.language.lexicon import load_lexicon
from ensue.logic.parsing import parse
from ensue.logic.parsing.categories import closed_classes, irregular_forms
from ensue.logic.parsing.parser import REPAIRS, TRANSFORMATIONS, load_grammar, second_opinion
from ensue.logic.parsing.repairs import sentence_of, tree_of

GARDEN_PATHS = [
    ("The horse raced past the barn fell.", "fell nsubj horse"),
    ("The plumber snores.", "snores nsubj plumber"),
    ("The book Paul sold vanished.", "book relcl sold"),
    ("While Paul fought the pilot sneezed.", "sneezed nsubj pilot"),
    ("Paul knew the pilot mentioned the clerk.", "knew ccomp mentioned"),
    ("The nurse arrested by the pilot sneezed.", "nurse acl arrested"),
    ("Ann accused the pilot of fraud.", "accused prep of"),
    ("The clerk that the pilot saw slept.", "clerk relcl saw"),
    ("Paul sent the pilot to whom Ann wrote a gift.", "pilot relcl wrote"),
    ("The judge by the pilot stopped the clerk.", "stopped nsubj judge"),
]
TEXTS = [
    *(text for text, _ in GARDEN_PATHS),
    "It was Paul who came. He left, and what Ann saw was a bear.",
    "Paul and Ann's meeting, which nobody attended, was short.",
    "Hello!",
    "( of the and",
]


@pytest.fixture(scope="module")
def read(analyze):
    return lambda text: parse(analyze(text), lexicon=load_lexicon())


def relations(sentence):
    """Every token with its head, as `fell nsubj horse`."""
    found = set()
    for token, head in enumerate(sentence.heads.tolist()):
        if head >= 0:
            form, above = sentence.forms[token], sentence.forms[head]
            found.add(f"{above} {sentence.relations[token]} {form}")
    return found


@pytest.mark.parametrize(("text", "relation"), GARDEN_PATHS)
def test_parse_does_not_go_down_the_garden_path(text, relation, read):
    assert relation in relations(read(text).sentence)


@pytest.mark.parametrize("text", TEXTS)
def test_parse_keeps_tokens(text, read, analyze):
    assert read(text).sentence.forms == analyze(text).forms


@pytest.mark.parametrize("text", TEXTS)
def test_parse_gives_a_tree(text, read):
    heads = read(text).sentence.heads.tolist()
    for token in range(len(heads)):
        seen = set()
        while token >= 0:
            assert token not in seen
            seen.add(token)
            token = heads[token]


@pytest.mark.parametrize("text", TEXTS)
def test_parse_is_deterministic(text, read):
    first, second = read(text), read(text)
    assert first.changes == second.changes
    assert first.sentence.heads.tolist() == second.sentence.heads.tolist()


@pytest.mark.parametrize(
    ("mend", "example"),
    [(mend, example) for mend in TRANSFORMATIONS for example in mend.examples],
    ids=lambda value: value if isinstance(value, str) else value.name,
)
def test_undoing_leaves_nothing_to_do(mend, example, read):
    tree = tree_of(read(example).sentence, load_lexicon())
    mend.apply(tree)
    assert tree.changes == []


def test_cleft_is_put_together(read):
    found = relations(read("It was Paul who sent the book.").sentence)
    assert {"sent nsubj Paul", "sent dobj book"} <= found


def test_free_relative_is_put_together(read):
    assert "sent dobj book" in relations(read("What Paul sent was a book.").sentence)


def test_cleft_needs_a_relative_clause(read):
    assert read("It was a book.").changes == ()


@pytest.mark.parametrize("text", ["Paul threw the box away.", "Paul threw away the box."])
def test_particle_belongs_to_its_verb(text, read):
    assert "threw prt away" in relations(read(text).sentence)


def test_preposition_with_an_object_is_no_particle(read):
    assert "up pobj hill" in relations(read("Paul walked up the hill.").sentence)


def test_gerund_with_an_owner_is_a_noun(read):
    sentence = read("Paul's sending a book to Ann surprised us.").sentence
    assert sentence.parts[2] == "NOUN"


@pytest.mark.parametrize("mend", REPAIRS, ids=lambda mend: mend.name)
def test_mend_gives_a_tree(mend, analyze):
    for text in mend.examples:
        tree = tree_of(analyze(text), load_lexicon())
        mend.apply(tree)
        assert sum(head < 0 for head in sentence_of(tree).heads.tolist()) == 1


def test_second_opinion_is_silent_where_the_grammar_does_not_reach(analyze):
    assert second_opinion(analyze("( of the and"), lexicon=load_lexicon()) is None


def test_name_of_unknown_word_begins_a_sentence(read):
    assert read("Sven emigrates.").sentence.tags[:2] == ("NNP", "VBZ")


def test_plural_at_the_beginning_is_no_name(read):
    assert read("Lanterns were hidden.").sentence.lemmas[0] == "lantern"


def test_past_that_is_no_participle_is_finite(read):
    assert read("The violin rented to Ann by Paul broke.").sentence.tags[7] == "VBD"


def test_grammar_knows_every_kind_of_closed_classes():
    kinds = {way.kind for ways in closed_classes().values() for way in ways}
    assert kinds <= load_grammar().symbols.keys()


def test_irregular_forms_are_of_known_verbs():
    unknown = [word for word in irregular_forms() if not load_lexicon().lemmas(word, "verb")]
    assert unknown == []
