"""A recognizer with a flaw to find: a hypothesis follows if its words stand in the text, in order.

ensue judge suite.jsonl -r command:"python examples/word_order_program.py"

With the option `--passives` it turns passives round first.
"""

import json
import sys

BE = {"is", "are", "was", "were"}
UNREAD = {"a", "an", "the", "to", "of", "for", "about", "on", "at", "from", "with", "by"} | BE


def words_of(sentence: str) -> list[str]:
    """The words of a sentence, in lower case."""
    return sentence.lower().replace("'s", "").strip(".").split()


def turned_round(words: list[str]) -> list[str]:
    """A passive as its active: "a book is quickly sent by John", "John quickly sent a book"."""
    at = next((i for i, word in enumerate(words) if word in BE), None)
    if at is None:
        return words
    subject, rest = words[:at], words[at + 1 :]
    by = rest.index("by") if "by" in rest else len(rest)
    verb = 2 if rest[0].endswith("ly") else 1
    return rest[by:] + rest[:verb] + subject + rest[verb:by]


def stems(words: list[str]) -> list[str]:
    """What is compared: the first three letters of each word, so that "sends" is "sent"."""
    return [word[:3] for word in words if word not in UNREAD]


def follows(text: list[str], hypothesis: list[str]) -> bool:
    """Whether everything in the hypothesis stands in the text, in the same order."""
    rest = iter(text)
    return all(stem in rest for stem in hypothesis)


for line in sys.stdin:
    pair = json.loads(line)
    sides = [words_of(pair[side]) for side in ("text", "hypothesis")]
    if "--passives" in sys.argv:
        sides = [turned_round(words) for words in sides]
    answer = "entailment" if follows(*map(stems, sides)) else "not-entailment"
    sys.stdout.write(json.dumps({"pair_id": pair["id"], "label": answer}) + "\n")
    sys.stdout.flush()
