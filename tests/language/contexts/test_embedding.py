"""What embeds each clause, and as what."""

import pytest


@pytest.mark.parametrize(
    ("text", "word", "embedding", "embedder"),
    [
        ("He knows that she left.", "left", "factive", "knows"),
        ("He regrets leaving.", "leaving", "factive", "regrets"),
        ("She is glad that he left.", "left", "factive", "glad"),
        ("The fact that he left is known.", "left", "factive", "fact"),
        ("The problem is that he left.", "left", "factive", "problem"),
        ("He forgot that he locked the door.", "locked", "factive", "forgot"),
        ("He pretended to be ill.", "be", "counterfactive", "pretended"),
        ("She managed to open the door.", "open", "implicative", "managed"),
        ("It is true that John left.", "left", "implicative", "true"),
        ("It is not the case that John likes ice cream.", "likes", "implicative", "case"),
        ("He succeeded in leaving.", "leaving", "implicative", "succeeded"),
        ("She is old enough to drive.", "drive", "implicative", "old"),
        ("John failed to see the sign.", "see", "negative-implicative", "failed"),
        ("He forgot to lock the door.", "lock", "negative-implicative", "forgot"),
        ("It is false that John left.", "left", "negative-implicative", "false"),
        ("Their failure to pay surprised us.", "pay", "negative-implicative", "failure"),
        ("He was too tired to walk.", "walk", "negative-implicative", "tired"),
        ("He has yet to win.", "win", "negative-implicative", "yet"),
        ("They forced him to leave.", "leave", "one-way-positive", "forced"),
        ("It is clear that he left.", "left", "one-way-positive", "clear"),
        ("That he left is clear.", "left", "one-way-positive", "clear"),
        ("They prevented him from leaving.", "leaving", "one-way-negative", "prevented"),
        ("He refused to leave.", "leave", "one-way-negative", "refused"),
        ("He nearly won.", "won", "one-way-negative", "nearly"),
        ("He is able to swim.", "swim", "if-not", "able"),
        ("He hesitated to speak.", "speak", "unless", "hesitated"),
        ("He said that she left.", "left", "reported", "said"),
        ('"He left," said Mary.', "left", "reported", "said"),
        ("The ship, he said, sank.", "sank", "reported", "said"),
        ("He allegedly stole the car.", "stole", "reported", "allegedly"),
        ("According to the police, the man fled.", "fled", "reported", "According"),
        ("The claim that the earth is flat is old.", "is", "reported", "claim"),
        ("He was accused of stealing a car.", "stealing", "reported", "accused"),
        ("Police suspect that he fled.", "fled", "believed", "suspect"),
        ("The ship is believed to have sunk.", "sunk", "believed", "believed"),
        ("He denied that he had left.", "left", "denied", "denied"),
        ("He wants to leave.", "leave", "wanted", "wants"),
        ("Their attempt to climb the mountain failed.", "climb", "wanted", "attempt"),
        ("The plan is to sell the firm.", "sell", "wanted", "plan"),
        ("He came to see her.", "see", "wanted", "came"),
        ("He has to go.", "go", "modal", "has"),
        ("He is likely to win.", "win", "modal", "likely"),
        ("He wonders whether she left.", "left", "questioned", "wonders"),
        ("If he leaves, she will cry.", "leaves", "conditional", "If"),
        ("If he leaves, she will cry.", "cry", "conditional", "If"),
        ("Had he left, she would have cried.", "left", "conditional", "Had"),
    ],
)
def test_embedding_of_a_clause(read, text, word, embedding, embedder):
    found = read(text)
    assert found.at(word, "embeddings") == embedding
    assert found.word_at(word, "embedders") == embedder


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("The dog barked.", "barked"),
        ("The man who left was tired.", "left"),
        ("The shop closed, the owner left.", "closed"),
        ("Even if he leaves, she will stay.", "stay"),
        ("He was the first man to walk on the moon.", "walk"),
        ("She did not come because she was ill.", "was"),
        ("The claim that he made was false.", "made"),
        ("Nearly all the students passed the exam.", "passed"),
    ],
)
def test_other_clauses_are_not_embedded(read, text, word):
    found = read(text)
    assert (found.at(word, "embeddings"), found.word_at(word, "embedders")) == ("", "")


def test_conjunct_is_embedded_as_what_it_is_joined_to(read):
    found = read("The firm plans to sell cars and to buy trucks.")
    assert (found.at("buy", "embeddings"), found.word_at("buy", "embedders")) == ("wanted", "plans")
