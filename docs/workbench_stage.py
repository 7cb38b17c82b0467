"""A workbench to look at: made-up people, the shipped pairs, a server, and every page there is.

`docs/make_pictures.py` takes pictures of it, and `tests/web/browser` tests it.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ensue.cli.app import run
from ensue.pairs.sources import read_pairs, write_pairs
from ensue.web.access import SESSION_COOKIE
from ensue.workbench import Role, Workbench
from ensue.workbench.accounts import Person, add_person, add_token
from ensue.workbench.annotation.judgments import judge, next_question
from ensue.workbench.annotation.projects import (
    ProjectKind,
    ProjectPlan,
    add_annotator,
    make_project,
)
from ensue.workbench.annotation.questions import import_pairs, import_patterns
from ensue.workbench.annotation.settlement import review
from ensue.workbench.challenges import Rules, close_now, make_challenge, publish
from ensue.workbench.database import now
from ensue.workbench.datasets import add_dataset, share_dataset
from ensue.workbench.runs import add_run
from ensue.workbench.submissions import invite, join, submit
from ensue.workbench.trials import RecognizerTrial, keep_trial
from ensue.workbench.uploads import Upload

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page as Tab, Playwright

ROOT = Path(__file__).parents[1]
PASSWORD = "correct horse battery"
PEOPLE = {
    "ada": Role.ORGANIZER,
    "bob": Role.PARTICIPANT,
    "cleo": Role.PARTICIPANT,
    "dan": Role.ANNOTATOR,
    "eve": Role.ANNOTATOR,
}
PAIR = RecognizerTrial(
    ("features", "modified-bleu", "logic"),
    "The board did not approve the sale of the mill in 2019.",
    "The board approved the sale.",
)
DOCUMENT = RecognizerTrial(
    ("features",),
    (ROOT / "examples" / "source.txt").read_text("utf-8"),
    claims=(ROOT / "examples" / "claims.txt").read_text("utf-8"),
)


@dataclass(frozen=True, slots=True)
class Page:
    """A page, for whom it is, and what is pressed there before one looks."""

    path: str
    who: str = "ada"
    """Nobody, where it is empty."""
    button: str = ""


PAGES = {
    "home": Page("/"),
    "sign-in": Page("/sign-in", ""),
    "try": Page("/try", "bob"),
    "try-pair": Page(f"/try/{PAIR.key}", "bob"),
    "try-document": Page(f"/try/{DOCUMENT.key}", "bob"),
    "data": Page("/data"),
    "data-set": Page("/data/1"),
    "data-audit": Page("/data/1/audit"),
    "data-pairs": Page("/data/1/pairs?run=1&run=2&outcome=disputed"),
    "compare": Page("/compare?data=1"),
    "compare-runs": Page("/compare?data=1&run=1&run=2&run=3"),
    "compare-mining": Page("/compare/mining?data=2&run=4"),
    "challenges": Page("/challenges"),
    "challenge-organizer": Page("/challenges/1"),
    "challenge-team": Page("/challenges/1", "bob"),
    "challenge-published": Page("/challenges/2", "dan"),
    "challenge-join": Page("/challenges/join", "dan"),
    "challenge-invitation": Page("/challenges/1", button="Invite a team"),
    "annotate": Page("/annotate"),
    "annotate-pairs": Page("/annotate/1"),
    "annotate-patterns": Page("/annotate/2"),
    "annotate-judge": Page("/annotate/1", "dan"),
    "annotate-pair": Page("/annotate/1/next", "dan"),
    "annotate-pattern": Page("/annotate/2/next", "dan"),
    "annotate-again": Page("/annotate/questions/3", "dan"),
    "annotate-make": Page("/annotate/1/make", "eve"),
    "annotate-mine": Page("/annotate/1/mine", "dan"),
    "annotate-review": Page("/annotate/1/review?standing=disputed"),
    "account": Page("/account"),
    "people": Page("/people"),
    "log": Page("/audit"),
    "error": Page("/data/99"),
}
"""Every page by the name of its pictures; one more line here is one more page."""


def fill(workbench: Workbench, folder: Path) -> None:
    """Let people in, and give them something to look at.

    Args:
        workbench: An empty one.
        folder: An empty one, for files on the way.
    """
    people = {name: add_person(workbench, name, role, PASSWORD) for name, role in PEOPLE.items()}
    ada, bob = people["ada"], people["bob"]
    examples = ROOT / "examples" / "pairs.xml"
    data = add_dataset(workbench, ada, "examples", _upload(examples))
    share_dataset(workbench, ada, data.id, shared=True)
    for name in ("modified-bleu", "overlap", "bleu"):
        add_run(workbench, ada, data.id, name, _upload(_judged(examples, name, folder)))
    suites = folder / "suites"
    _run("suite", "generate", "--suites", "1", "--size", "300", "-o", str(suites), "-q")
    (suite,) = suites.glob("*.jsonl")
    generated = add_dataset(workbench, ada, "syntactic suite", _upload(suite))
    add_run(workbench, ada, generated.id, "overlap", _upload(_judged(suite, "overlap", folder)))
    for trial in (PAIR, DOCUMENT):
        keep_trial(workbench, bob, trial)
    add_token(workbench, ada, "laptop")
    _hold_challenges(workbench, people, folder)
    _annotate(workbench, people)


def _hold_challenges(workbench: Workbench, people: dict[str, Person], folder: Path) -> None:
    """One that is open, with a tie, and one that is published."""
    ada, day = people["ada"], timedelta(days=1)
    pairs = list(read_pairs(ROOT / "examples" / "pairs.xml"))
    files = [folder / "development.jsonl", folder / "test.jsonl"]
    write_pairs(files[0], pairs[::4])  # so that six of a task are left, which have a number
    write_pairs(files[1], [pair for i, pair in enumerate(pairs) if i % 4])
    sets = [add_dataset(workbench, ada, file.stem, _upload(file)).id for file in files]
    runs = {name: _judged(files[1], name, folder) for name in ("modified-bleu", "overlap", "bleu")}
    for name, opened in (("Does it follow?", 3), ("A warming up", 30)):
        text = "Every hypothesis is to be judged by its text alone, as a person would read it."
        rules = Rules(name, *sets, now() - opened * day, now() + 11 * day, text)
        challenge = make_challenge(workbench, ada, rules)
        for member, team in (("bob", "Northern Lights"), ("cleo", "Paper Planes")):
            join(workbench, people[member], invite(workbench, ada, challenge), team)
        for member, kind, title in (
            ("bob", "modified-bleu", "modified BLEU"),
            ("cleo", "bleu", "plain BLEU"),
            ("bob", "overlap", "words in common"),
            ("cleo", "modified-bleu", "modified BLEU again"),
        ):
            submit(workbench, people[member], challenge, title, _upload(runs[kind]))
    close_now(workbench, ada, challenge)
    publish(workbench, ada, challenge)


def _annotate(workbench: Workbench, people: dict[str, Person]) -> None:
    """Pairs that Eve brings and Dan judges, now and then otherwise; and patterns in sentences."""
    ada, dan, eve = people["ada"], people["dan"], people["eve"]
    pairs = make_project(workbench, ada, ProjectPlan("News of the autumn"))
    patterns = make_project(
        workbench, ada, ProjectPlan("Verbs in sentences", ProjectKind.PATTERNS, 3)
    )
    for project in (pairs, patterns):
        for judge_ in (dan, eve):
            add_annotator(workbench, ada, project, judge_.name)
    examples = ROOT / "examples"
    import_pairs(workbench, eve, pairs, _upload(examples / "pairs.xml"))
    found, _ = review(workbench, ada, pairs, size=100)
    first = {each.id: each.answers[0] for each in found}
    said = {"entailment": "not-entailment", "not-entailment": "entailment"}
    for i in range(48):
        asked = next_question(workbench, dan, pairs)
        if asked is None:
            break
        answer = first[asked.id] if i % 6 else said[first[asked.id]]
        is_unclear = i % 20 == 7
        remark = "this depends on what came before" if is_unclear else ""
        judge(workbench, dan, asked.id, "unsure" if is_unclear else answer, remark=remark)
    import_patterns(workbench, ada, patterns, _upload(examples / "paraphrase" / "lists.tsv"))
    for judge_, cycle in ((dan, "slsds"), (eve, "slssd")):
        for i in range(25):
            asked = next_question(workbench, judge_, patterns)
            if asked is None:
                break
            names = {"s": "strict", "l": "lenient", "d": "different"}
            judge(workbench, judge_, asked.id, names[cycle[i % len(cycle)]])


def _upload(file: Path) -> Upload:
    return Upload(file.name, BytesIO(file.read_bytes()))


def _judged(pairs: Path, recognizer: str, folder: Path) -> Path:
    target = folder / f"{pairs.stem}-{recognizer}.jsonl"
    _run("judge", str(pairs), "-r", recognizer, "-o", str(target), "-q")
    return target


def _run(*arguments: str) -> None:
    code = run(list(arguments))
    if code:
        sys.exit(code)


@contextmanager
def served(*options: str) -> Iterator[str]:
    """The address of a server with accounts, as long as it is looked at."""
    process = subprocess.Popen(
        [sys.executable, "-m", "ensue.cli", "serve", "--accounts", "--port", "0", "-q", *options],
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        line = process.stderr.readline() if process.stderr else ""
        if not line.startswith("the workbench is at "):
            raise RuntimeError(line)
        yield line.split()[-1].rstrip("/")
    finally:
        process.terminate()
        process.communicate()


@contextmanager
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """Debian's browser, which asks nobody for anything by itself."""
    options = (
        "--headless --no-sandbox --disable-gpu --disable-background-networking"
        " --disable-component-update --disable-sync --no-first-run"
    )
    browser = playwright.chromium.launch(
        executable_path=shutil.which("chromium"), args=options.split()
    )
    try:
        yield browser
    finally:
        browser.close()


def window(browser: Browser, address: str, secret: str | None, **options: Any) -> BrowserContext:
    """A window of whoever has a session's secret; of a stranger, where there is none."""
    context = browser.new_context(base_url=address, **options)
    if secret:
        context.add_cookies([{"name": SESSION_COOKIE, "value": secret, "url": address}])
    return context


def look_at(tab: Tab, page: Page) -> None:
    """Open a page."""
    tab.goto(page.path)
    if page.button:
        press(tab, page.button)


def press(tab: Tab, button: str, *, row: str = "") -> None:
    """Press a button that sends a form, of a table's row where one is named; wait for what comes."""
    place = tab.get_by_role("row", name=row) if row else tab
    with tab.expect_navigation():
        place.get_by_role("button", name=button).click()
