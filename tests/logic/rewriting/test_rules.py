import pytest

from ensue.language.lexicon import load_lexicon
from ensue.logic.parsing import parse
from ensue.logic.rewriting import CASCADE, normalize

EXAMPLES = [(rule, example) for rule in CASCADE for example in rule.examples]


@pytest.fixture(scope="module")
def links(analyze):
    """The links of a text after the cascade, as `send agent john`, and the rules that did something."""

    def links(text):
        parsed = parse(analyze(text), lexicon=load_lexicon())
        graph = normalize(parsed.sentence, lexicon=load_lexicon())
        found = {
            f"{graph.words[governor]} {relation} {graph.words[token]}"
            for governor, many in enumerate(graph.links)
            for relation, token in many
        }
        return found, {step.rule for step in graph.steps}

    return links


@pytest.mark.parametrize(
    ("rule", "example"), EXAMPLES, ids=[f"{rule.name}: {text}" for rule, text in EXAMPLES]
)
def test_rule_does_what_its_examples_say(rule, example, links):
    text, _, wanted = example.partition(" > ")
    found, fired = links(text)
    assert set(wanted.split(", ")) <= found
    assert rule.name in fired or rule.says.endswith("passive")


@pytest.mark.parametrize(
    ("text", "link"),
    [
        ("The book sent to Ann by Paul vanished.", "send agent ann"),
        ("The man who sang left.", "leave patient man"),
        ("The man Ann laughed at left.", "leave agent ann"),
        ("The man Ann laughed at left.", "laugh agent man"),
        ("Paul asked Ann to sing.", "sing agent paul"),
        ("Paul promised Ann to sing.", "sing agent ann"),
        ("Paul came and Ann went.", "go agent paul"),
        ("Paul slept and sold a clock.", "sleep patient clock"),
        ("Paul gave Ann a book.", "give patient ann"),
        ("Paul was given a book by Ann.", "give agent paul"),
        ("Paul took the ladder.", "ladder agent paul"),
        ("Paul drank a cup of tea.", "cup patient tea"),
        ("Paul ate.", "eat patient paul"),
        ("The pipe was laid by Paul.", "lay agent pipe"),
        ("The singer Ann saw left.", "leave agent ann"),
        ("Paul walked up the hill.", "walk up patient hill"),
        ("Ann, a baker, sang.", "sing agent baker"),
    ],
)
def test_rule_leaves_near_miss_alone(text, link, links):
    assert link not in links(text)[0]


@pytest.mark.parametrize(
    "texts",
    [
        ("Paul turned on the lamp.", "Paul turned the lamp on.", "The lamp was turned on by Paul."),
        (
            "Paul gave back the ring.",
            "Paul gave the ring back.",
            "The ring was given back by Paul.",
        ),
        ("Ann robbed Paul of a watch.", "Paul was robbed of a watch by Ann."),
        (
            "Paul sent a book to Ann.",
            "It was Paul who sent a book to Ann.",
            "It was a book that Paul sent to Ann.",
        ),
        ("Ann laughed at Paul.", "Paul was laughed at by Ann.", "It was Paul that Ann laughed at."),
        ("Paul stole a coat from Ann.", "A coat was stolen by Paul from Ann."),
    ],
)
def test_cascade_gives_paraphrases_the_same_roles(texts, links):
    roles = ("agent", "patient", "recipient", "on", "at", "of", "from", "quality")
    first, *others = [
        {link for link in links(text)[0] if any(f" {role} " in link for role in roles)}
        for text in texts
    ]
    assert first
    assert all(other == first for other in others)
