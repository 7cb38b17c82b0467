"""To what the author commits, through all that embeds, negates and weakens it."""

import pytest


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("The dog barked.", "barked"),
        ("She will leave tomorrow.", "leave"),
        ("John did not fail to see the sign.", "see"),
        ("He knows that she left.", "left"),
        ("He does not know that she left.", "left"),
        ("If she knew that he lied, she would leave.", "lied"),
        ("She managed to open the door.", "open"),
        ("They forced him to leave.", "leave"),
        ("He did not hesitate to speak.", "speak"),
        ("The fact that he left is known.", "left"),
        ("It is true that John left.", "left"),
        ("The singer who won the prize did not come.", "won"),
        ("He said that the singer, who won the prize, came.", "won"),
        ("The mayor, a lawyer, did not come.", "lawyer"),
        ("She did not come because she was ill.", "ill"),
        ("There is a woman who is cutting onions.", "cutting"),
        ("He left without a coat.", "left"),
        ("Even if he leaves, she will stay.", "stay"),
        ("He was the first man to walk on the moon.", "walk"),
        ("Their failure to pay the debt surprised us.", "surprised"),
        ("Not only John but also Mary came.", "came"),
        ("There is no doubt that she left.", "left"),
    ],
)
def test_author_affirms(read, text, word):
    assert read(text).at(word, "commitments") == "true"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("The dog did not bark at the cat.", "bark"),
        ("John failed to see the sign.", "see"),
        ("It is not the case that John likes ice cream.", "likes"),
        ("It is not the case that John likes ice cream.", "cream"),
        ("It is false that John left.", "left"),
        ("She did not manage to open the door.", "open"),
        ("They prevented him from leaving.", "leaving"),
        ("He cannot swim.", "swim"),
        ("He was not able to leave.", "leave"),
        ("He pretended to be ill.", "ill"),
        ("He left without saying goodbye.", "saying"),
        ("He left without a coat.", "coat"),
        ("Nobody came.", "came"),
        ("There is no man playing a guitar.", "guitar"),
        ("There is no woman who is cutting onions.", "cutting"),
        ("The man who did not leave was tired.", "leave"),
        ("Their failure to pay the debt surprised us.", "pay"),
        ("He nearly won.", "won"),
        ("He did not eat or drink.", "drink"),
        ("He was acquitted of killing the king.", "killing"),
        ("The court cleared him of stealing the car.", "stealing"),
        ("He is not guilty of stealing the car.", "stealing"),
        ("He is incapable of lying.", "lying"),
    ],
)
def test_author_denies(read, text, word):
    assert read(text).at(word, "commitments") == "false"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("He said that she left.", "left"),
        ("He said that Mary knows that Bob left.", "left"),
        ("He did not force her to sing.", "sing"),
        ("He may leave the house.", "leave"),
        ("If he leaves, she will cry.", "leaves"),
        ("If he leaves, she will cry.", "cry"),
        ("He wants to leave.", "leave"),
        ("He denied that he had left.", "left"),
        ("According to the police, the man fled.", "fled"),
        ("The claim that the earth is flat is old.", "flat"),
        ("He would leave.", "leave"),
        ("He need not go.", "go"),
        ("He left or she cried.", "left"),
        ("Did he leave?", "leave"),
        ("He did not buy a car that flies.", "flies"),
        ("He wants a car that flies.", "flies"),
        ("No student who failed was happy.", "failed"),
        ("Scientists found no evidence that the drug works.", "works"),
        ("She worries that he lost the race.", "lost"),
        ("She explained that he lost the race.", "lost"),
        ("Her reluctance to sign the letter is known.", "sign"),
        ("He was not incapable of lying.", "lying"),
        ("She did not wait to be asked.", "asked"),
        ("She was tempted to leave.", "leave"),
        ("The task of rebuilding the city is hard.", "rebuilding"),
        ("She cannot stand living in Rome.", "living"),
    ],
)
def test_author_leaves_open(read, text, word):
    assert read(text).at(word, "commitments") == "open"
