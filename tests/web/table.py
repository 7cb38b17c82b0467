"""Who may what: a table of every route and method.

A row says, for each of `ROLES` in their order: `+` let in, `s` sent to sign in, `-` refused, `0` not
there, in the words for what is not there for anybody. Where a path has numbers, its row names the
things in `world.THINGS` that it is asked with, so that there is something behind every number.

To add a route, add a row to `FREE` or `NUMBERED`, and what its form needs to `FORMS` or `FILES`; its
`.json` twin goes with it. For a new kind of thing, put one into `world.fill`, name its numbers in
`world.THINGS`, and numbers that nothing has in `MISSING`.
"""

from tests.web.conftest import PASSWORD
from tests.web.world import ANNOTATOR, MINE, ORGANIZER, OTHER, OWNER, THINGS, run_lines

ROLES = (None, OTHER, MINE, ANNOTATOR, ORGANIZER, OWNER)
"""A stranger, a participant of another challenge and one of this one, an annotator, another
organizer, and the organizer whose things they are."""

EVERYBODY = "++++++"
SIGNED_IN = "s+++++"
ORGANIZERS = "s---++"
OWN_DATA = {"unshared": "s0000+", "shared": "s+++++"}
OWN_CHALLENGE = {"open": "s0+00+", "published": "s+++++"}
OWN_PROJECT = {"pairs": "s00+0+", "patterns": "s00+0+"}
OF_ORGANIZER = {"pairs": "s00-0+", "patterns": "s00-0+"}
"""Of a project: its annotators see it, and are refused what is for whoever made it."""

FREE = {
    ("GET", "/"): EVERYBODY,
    ("GET", "/sign-in"): EVERYBODY,
    ("GET", "/health"): EVERYBODY,
    ("GET", "/try"): SIGNED_IN,
    ("POST", "/try"): SIGNED_IN,
    ("GET", "/try/{key}"): SIGNED_IN,
    ("POST", "/api/judge"): SIGNED_IN,
    ("POST", "/api/check"): SIGNED_IN,
    ("GET", "/data"): SIGNED_IN,
    ("POST", "/data"): SIGNED_IN,
    ("GET", "/compare"): SIGNED_IN,
    ("GET", "/compare/mining"): SIGNED_IN,
    ("GET", "/challenges"): SIGNED_IN,
    ("GET", "/challenges/join"): SIGNED_IN,
    ("POST", "/challenges/join"): "s00000",
    ("GET", "/account"): SIGNED_IN,
    ("POST", "/account/tokens"): SIGNED_IN,
    ("GET", "/people"): ORGANIZERS,
    ("POST", "/people"): ORGANIZERS,
    ("GET", "/metrics"): ORGANIZERS,
    ("GET", "/audit"): ORGANIZERS,
    ("POST", "/challenges"): "s---0+",
    ("GET", "/annotate"): SIGNED_IN,
    ("POST", "/annotate"): ORGANIZERS,
}
"""Routes without numbers; with the form below, nobody was invited, and data are the owner's."""

NUMBERED = {
    ("GET", "/data/{data_id}"): OWN_DATA,
    ("GET", "/data/{data_id}/audit"): OWN_DATA,
    ("GET", "/data/{data_id}/pairs"): OWN_DATA,
    ("GET", "/data/{data_id}/pairs.jsonl"): OWN_DATA,
    ("GET", "/data/{data_id}/pairs.csv"): OWN_DATA,
    ("GET", "/data/{data_id}/runs/{run_id}/file"): OWN_DATA,
    ("POST", "/data/{data_id}/runs"): OWN_DATA,
    ("POST", "/data/{data_id}/share"): {"unshared": "s0000+", "shared": "s----+"},
    ("POST", "/data/{data_id}/runs/{run_id}/remove"): {"unshared": "s0000+", "shared": "s----+"},
    ("POST", "/data/{data_id}/remove"): {"unshared": "s0000+", "shared": "s----+"},
    ("GET", "/challenges/{challenge_id}"): OWN_CHALLENGE,
    ("GET", "/challenges/{challenge_id}/development.jsonl"): OWN_CHALLENGE,
    ("GET", "/challenges/{challenge_id}/test.jsonl"): OWN_CHALLENGE,
    ("GET", "/challenges/{challenge_id}/example.jsonl"): OWN_CHALLENGE,
    ("GET", "/challenges/{challenge_id}/board.csv"): OWN_CHALLENGE,
    ("GET", "/challenges/{challenge_id}/board.html"): OWN_CHALLENGE,
    ("POST", "/challenges/{challenge_id}/invite"): {"open": "s0+00+", "published": "s-+--+"},
    ("POST", "/challenges/{challenge_id}/runs"): {"open": "s0+00-", "published": "s-+---"},
    ("POST", "/challenges/{challenge_id}/runs/{run_id}/withdraw"): {
        "open": "s0+00+",
        "published": "s-+--+",
    },
    ("POST", "/challenges/{challenge_id}/close"): {"open": "s---0+", "published": "s----+"},
    ("POST", "/challenges/{challenge_id}/publish"): {"open": "s---0+", "published": "s----+"},
    ("POST", "/account/tokens/{token_id}/remove"): {"of the owner": "s0000+"},
    ("GET", "/annotate/{project_id}"): OWN_PROJECT,
    ("GET", "/annotate/{project_id}/make"): OWN_PROJECT,
    ("GET", "/annotate/{project_id}/mine"): OWN_PROJECT,
    ("GET", "/annotate/{project_id}/next"): {"pairs": "s00+0-"},
    ("GET", "/annotate/{project_id}/review"): OF_ORGANIZER,
    ("GET", "/annotate/{project_id}/changes"): OF_ORGANIZER,
    ("GET", "/annotate/{project_id}/settled.jsonl"): {"pairs": "s00-0+"},
    ("GET", "/annotate/{project_id}/discarded.jsonl"): {"pairs": "s00-0+"},
    ("GET", "/annotate/{project_id}/lists.jsonl"): {"patterns": "s00-0+"},
    ("GET", "/annotate/questions/{question_id}"): OWN_PROJECT,
    ("POST", "/annotate/questions/{question_id}/judgment"): {"pairs": "s00+0-"},
    ("POST", "/annotate/questions/{question_id}/decision"): OF_ORGANIZER,
    ("POST", "/annotate/questions/{question_id}/remove"): OF_ORGANIZER,
    ("POST", "/annotate/{project_id}/pairs"): {"pairs": "s00+0-"},
    ("POST", "/annotate/{project_id}/import"): OWN_PROJECT,
    ("POST", "/annotate/{project_id}/people"): OF_ORGANIZER,
    ("POST", "/annotate/{project_id}/people/remove"): OF_ORGANIZER,
    ("POST", "/annotate/{project_id}/guidelines"): OF_ORGANIZER,
    ("POST", "/annotate/{project_id}/data"): OF_ORGANIZER,
    ("POST", "/annotate/{project_id}/close"): OF_ORGANIZER,
}

LAST = {
    ("POST", "/people/close"): ORGANIZERS,
    ("POST", "/account/password"): SIGNED_IN,
    ("POST", "/sign-out"): EVERYBODY,
    ("POST", "/sign-in"): EVERYBODY,
}
"""After which whoever asks is not signed in any more."""

MISSING = {
    "data_id": 9991,
    "run_id": 9992,
    "challenge_id": 9993,
    "token_id": 9994,
    "project_id": 9995,
    "question_id": 9996,
}
"""Numbers that nothing has."""

FORMS = {
    "/try": {"text": "A dog barks.", "hypothesis": "A dog barks.", "recognizer": "overlap"},
    "/challenges": {
        "name": "x",
        "development": "1",
        "test": "2",
        "opens": "2020-01-01",
        "closes": "2040-01-01",
    },
    "/challenges/join": {"code": "invitation_guess", "team": "x"},
    "/account/tokens": {"name": "t"},
    "/annotate": {"name": "x"},
    "/annotate/{project_id}/people": {"name": "fay"},
    "/annotate/{project_id}/people/remove": {"name": "fay"},
    "/annotate/{project_id}/guidelines": {"guidelines": "x", "version": "1"},
    "/annotate/{project_id}/pairs": {"text": "a", "hypothesis": "b", "answer": "entailment"},
    "/annotate/{project_id}/data": {"name": "x"},
    "/annotate/questions/{question_id}/judgment": {"answer": "entailment"},
    "/annotate/questions/{question_id}/decision": {"answer": "entailment", "version": "1"},
    "/annotate/questions/{question_id}/remove": {"version": "1"},
    "/people": {"name": "eve", "password": PASSWORD, "role": "annotator"},
    "/people/close": {"name": "eve"},
    "/account/password": {"old": PASSWORD, "new": "another good password"},
    "/sign-in": {"name": "fay", "password": PASSWORD},
}
"""What is sent, so that nothing is refused for what it lacks."""
CALLS = {
    "/api/judge": {"text": "A dog barks.", "hypothesis": "A dog barks.", "recognizer": "overlap"},
    "/api/check": {"source": "A dog barks.", "claims": "A dog barks.", "recognizer": "overlap"},
}
"""What programs post as JSON."""
LINE = b'{"id": "1", "text": "a", "hypothesis": "b"}\n'
FILES = {
    "/data": ("p.jsonl", LINE),
    "/data/{data_id}/runs": ("run.txt", b"p0 TRUE\n"),
    "/annotate/{project_id}/import": ("p.jsonl", LINE),
    "/challenges/{challenge_id}/runs": ("run.txt", run_lines(100, 5)),
}


def pages(rows):
    """Rows with those of the twins of pages, which are for the same people."""
    files = (".jsonl", ".csv", ".html", "/file", "/health", "/metrics", "/changes")
    for (method, path), who in rows.items():
        yield method, path, who
        if method == "GET" and not path.endswith(files):
            yield method, "/index.json" if path == "/" else f"{path}.json", who


def walked():
    """All rows, each with what it is asked with and what is expected."""
    for method, path, who in pages(FREE):
        yield method, path, {}, who
    for method, path, cases in pages(NUMBERED):
        for thing, who in cases.items():
            yield method, path, THINGS[thing], who
    for method, path, who in pages(LAST):
        yield method, path, {}, who
