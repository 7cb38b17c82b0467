"""Clients that want something kept, and ask again until they know that it is."""

import threading
import time
from hashlib import sha256

from tests.web.world import run_lines

PAIRS = 120
AT_ONCE = 40
"""Verdicts of a run that is scored while its sender waits; larger ones wait for the worker."""
FIRST = 100
"""The number of the first pair of the test data."""
ALLOWED = 40
"""Runs of the team; the two who submit may come to it."""
PAUSE = 0.15
"""Seconds between one thing and the next, or large runs would be used up at once."""

QUESTIONS = 200
"""Of the project in which two judge."""

ENOUGH = "enough"
"""What a client says that has nothing left to do."""


def small_run(program, i):
    """Hand a run in that is scored at once."""
    return submitted(program, run_lines(FIRST, i % AT_ONCE, AT_ONCE - 1 - i // AT_ONCE))


def large_run(program, i):
    """Hand a run in that the worker scores, or that of the next server."""
    return submitted(program, run_lines(FIRST, i % PAIRS, PAIRS - i // PAIRS))


def submitted(program, content):
    """What is known of a run that was taken in; None where nobody said anything."""
    status, said = program.send_file("/challenges/1/runs", "run.txt", content)
    digest = sha256(content).hexdigest()
    if status == 200:
        assert said["submission"]["digest"] == digest
        return "run", digest, said["submission"]["number"]
    if status == 409:  # it was taken in, and the server was killed before it said so
        _, page = program.ask("GET", "/challenges/1.json")
        (found,) = (each for each in page["runs"] if each["digest"] == digest)
        return "run", digest, found["number"]
    if status == 429:
        return ENOUGH
    assert status == 503, said
    return None


def judgment(program, i):
    """Judge the next question, which the other judge has on the screen as well."""
    if i >= QUESTIONS:
        return ENOUGH
    answer = "entailment" if i % 3 else "not-entailment"
    form = {"content-type": "application/x-www-form-urlencoded"}
    path = f"/annotate/questions/{i + 1}/judgment"
    status, said = program.ask("POST", path, f"answer={answer}", **form)
    if status == 503:
        return None
    assert (status, said["judgment"]["version"]) == (200, 1), said
    return "judgment", i + 1, answer


CLIENTS = {"bob": small_run, "cleo": large_run, "dan": judgment, "eve": judgment}
"""Who does what: a function of a program and of a number, from 0, that does one thing.

It gives what was acknowledged, a tuple that says what kind of thing it is, or None where there was
no answer that says so, and is then called with the same number again.
"""


class Client(threading.Thread):
    """Somebody who does one thing after the other, each until it is acknowledged."""

    def __init__(self, name, program, stop):
        super().__init__(name=name)
        self.program, self.stop = program, stop
        self.acknowledged = []
        self.trouble = None
        self.n_repeated = 0

    def run(self):
        """Go on until told to stop; what was begun is finished."""
        try:
            i = 0
            while not self.stop.is_set():
                found = self.insist(i)
                if found == ENOUGH:
                    return
                self.acknowledged.append(found)
                i += 1
                self.stop.wait(PAUSE)
        except BaseException as error:  # whoever waits for the thread wants to know
            self.trouble = error

    def insist(self, i):
        """Do one thing until it is acknowledged."""
        until = time.monotonic() + 60
        while time.monotonic() < until:
            try:
                found = CLIENTS[self.name](self.program, i)
            except OSError:
                found = None
            if found is not None:
                return found
            self.n_repeated += 1
            time.sleep(0.05)
        raise TimeoutError(f"{self.name} got no answer for a minute")
