"""What scripts add to pages, in a real browser, under the policy that forbids nearly everything."""

import io
import socket
import threading
from datetime import timedelta

import pytest
import uvicorn

from ensue.web import WebSettings, create_app
from ensue.workbench import Limits, Role, Workbench, open_workbench
from ensue.workbench.accounts import add_person, the_only_person
from ensue.workbench.annotation.judgments import given_by, judge, next_question
from ensue.workbench.annotation.projects import ProjectPlan, add_annotator, make_project
from ensue.workbench.annotation.questions import import_pairs
from ensue.workbench.challenges import Rules, make_challenge
from ensue.workbench.database import now
from ensue.workbench.datasets import add_dataset
from ensue.workbench.leaderboards import score
from ensue.workbench.runs import add_run
from ensue.workbench.submissions import invite, join, submit
from ensue.workbench.uploads import Upload

N_PAIRS = 60
WATCHED = """
window.refused = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.refused.push(`${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`);
});
"""
SAID = "p.unseen[role=status]"


def pairs(text="A dog barks."):
    line = '{{"id": "{}", "text": "{}", "hypothesis": "A {} barks.", "gold": "{}"}}\n'
    made = [
        line.format(i, text, *(("dog", "entailment") if i % 2 else ("cat", "not-entailment")))
        for i in range(N_PAIRS)
    ]
    return Upload("pairs.jsonl", io.BytesIO("".join(made).encode()))


def run(every):
    """A run that says yes to every so many-th pair."""
    line = '{{"pair_id": "{}", "label": "{}", "score": {}, "confidence": {}}}\n'
    made = []
    for i in range(N_PAIRS):
        label = "entailment" if i % every == 1 else "not-entailment"
        made.append(line.format(i, label, i / N_PAIRS, i / N_PAIRS))
    return Upload("run.jsonl", io.BytesIO("".join(made).encode()))


@pytest.fixture
def workbench(database_url, cheap_passwords):
    """A workbench for one person: two data sets, two runs over the first; runs are scored by hand."""
    opened = open_workbench(database_url)
    made = Workbench(opened.database, Limits(at_once=0))
    person = the_only_person(made)
    add_dataset(made, person, "first", pairs())
    add_dataset(made, person, "second", pairs("Two dogs bark."))
    for every in (2, 3):
        add_run(made, person, 1, f"every {every}", run(every))
    yield made
    opened.close()


@pytest.fixture
def address(workbench):
    """Where it is served; the worker that scores runs does not run."""
    app = create_app(workbench, WebSettings(has_accounts=False))
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, lifespan="off", ws="none", log_level="error"))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()
    yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    server.should_exit = True
    thread.join()
    listening.close()


@pytest.fixture
def window(chrome, address):
    """A page; in the end nothing was refused by the policy, asked of another host, or broken."""
    context = chrome.new_context(base_url=address, viewport={"width": 1100, "height": 900})
    page = context.new_page()
    page.add_init_script(WATCHED)
    asked, broken = [], []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: broken.append(str(error)))
    yield page
    assert page.evaluate("window.refused") == []
    assert broken == []
    assert [url for url in asked if not url.startswith(address)] == []
    context.close()


def has_reloaded(page):
    """Whether the page is another than the one that `stays` was called on."""
    return page.evaluate("window.isTheSame") is None


def stays(page):
    page.evaluate("window.isTheSame = true")


def test_picture_tells_what_is_under_the_pointer(window):
    window.goto("/compare?data=1&run=1&run=2")
    figure = window.locator("figure", has_text="Confusion of every 2")
    figure.scroll_into_view_if_needed()
    figure.locator("[data-drawn]").wait_for()
    assert figure.locator("svg").get_attribute("aria-label") == "Confusion of every 2"
    figure.locator("svg .mark-rect path").first.hover(position={"x": 40, "y": 20})
    assert window.locator(".tip dt").all_inner_texts() == ["gold", "answer", "pairs"]
    assert window.locator(".tip dd").all_inner_texts() == ["entailment", "entailment", "30"]


def test_every_picture_is_drawn_by_the_page_itself(window):
    window.goto("/compare?data=1&run=1&run=2")
    frames = window.locator("[data-specification]")
    assert frames.count() >= 6
    for frame in frames.all():
        frame.scroll_into_view_if_needed()
    window.wait_for_function(
        "document.querySelectorAll('[data-specification]:not([data-drawn])').length === 0"
    )


def test_pictures_follow_the_theme(chrome, address):
    page = chrome.new_page(base_url=address, color_scheme="dark")
    page.goto("/compare?data=1&run=1")
    frame = page.locator("[data-drawn]").first
    frame.wait_for()
    ink = page.evaluate("getComputedStyle(document.body).color")
    label = frame.locator("text[fill='#2b2d31']").first
    assert label.evaluate("element => getComputedStyle(element).fill") == ink
    paper = frame.locator("svg").evaluate("element => getComputedStyle(element).backgroundColor")
    assert paper == "rgba(0, 0, 0, 0)"


def test_pictures_are_there_without_scripts(chrome, address):
    page = chrome.new_context(base_url=address, java_script_enabled=False).new_page()
    page.goto("/compare?data=1&run=1")
    assert page.locator("[data-specification] > svg").count() >= 3
    assert page.locator("[data-drawn]").count() == 0


def try_pair(page, recognizer="overlap"):
    page.goto("/try")
    stays(page)
    page.fill("#field-text", "A dog barks at night.")
    page.fill("#field-hypothesis", "A dog barks.")
    for box in page.locator("input[name=recognizer]:checked").all():
        box.uncheck()
    if recognizer:
        page.check(f"input[value={recognizer}]")
    page.get_by_role("button", name="Try it").click()


def test_verdicts_come_without_a_reload_and_have_the_focus(window):
    try_pair(window)
    window.locator("#verdicts:focus").wait_for()
    assert not has_reloaded(window)
    assert window.locator("#field-hypothesis").input_value() == "A dog barks."
    link = window.url.removeprefix(window.url.partition("/try")[0])
    assert link.startswith("/try/")
    assert window.locator("#foot a").get_attribute("href") == f"{link}.json"
    assert window.get_by_role("button", name="Try it").is_enabled()


def test_way_back_leads_to_what_was_there_before(window):
    try_pair(window)
    window.locator("#verdicts").wait_for()
    window.go_back()
    window.locator("#verdicts").wait_for(state="detached")
    assert window.url.endswith("/try")
    window.go_forward()
    window.locator("#verdicts").wait_for()


def test_error_stands_beside_what_was_written(window):
    try_pair(window, recognizer=None)
    alert = window.locator("form [role=alert]")
    alert.wait_for()
    assert "no recognizer is chosen" in alert.inner_text()
    assert window.locator("#field-text").input_value() == "A dog barks at night."
    assert window.url.endswith("/try")
    window.check("input[value=overlap]")
    window.get_by_role("button", name="Try it").click()
    alert.wait_for(state="detached")


def test_filter_keeps_the_focus_and_says_how_many_there_are(window):
    window.goto("/data/1/pairs")
    stays(window)
    window.fill("#field-words", "cat")
    window.get_by_role("button", name="Show").click()
    window.locator(SAID, has_text="30 pairs").wait_for(state="attached")
    assert not has_reloaded(window)
    assert "words=cat" in window.url
    assert window.evaluate("document.activeElement.textContent") == "Show"


def test_next_page_begins_at_its_first_pair(window):
    window.goto("/data/1/pairs")
    stays(window)
    window.get_by_role("link", name="after").click()
    window.locator("#found:focus").wait_for()
    assert not has_reloaded(window)
    assert window.locator("#found tbody tr").count() == 10
    window.go_back()
    window.get_by_role("link", name="after").wait_for()
    assert window.locator("#found tbody tr").count() == 50


def test_board_shows_a_run_as_soon_as_it_is_scored(window, workbench):
    ada = the_only_person(workbench)
    bob = add_person(workbench, "bob", Role.PARTICIPANT, "correct horse battery")
    day = timedelta(days=1)
    challenge = make_challenge(workbench, ada, Rules("RTE", 1, 2, now() - day, now() + day))
    join(workbench, bob, invite(workbench, ada, challenge), "The Bobs")
    handed_in = submit(workbench, bob, challenge, "mine", run(2))
    window.goto(f"/challenges/{challenge}")
    stays(window)
    assert "No run is scored yet" in window.locator("#board").inner_text()
    assert score(workbench, handed_in.id)
    window.locator("#board td", has_text="The Bobs").wait_for()
    assert window.locator("#handed-in td", has_text="scored").count() == 1
    window.locator(SAID, has_text="All runs are scored.").wait_for(state="attached")
    assert window.locator("#waiting > *").count() == 0
    assert not has_reloaded(window)


@pytest.fixture
def asked(workbench):
    """A project with pairs that nobody has judged, and two people who judge them."""
    ada = the_only_person(workbench)
    bob = add_person(workbench, "bob", Role.ANNOTATOR, "correct horse battery")
    project = make_project(workbench, ada, ProjectPlan("RTE"))
    for each in (ada, bob):
        add_annotator(workbench, ada, project, each.name)
    lines = (f'{{"id": "{i}", "text": "T {i}.", "hypothesis": "H {i}."}}\n' for i in range(3))
    import_pairs(workbench, ada, project, Upload("p.jsonl", io.BytesIO("".join(lines).encode())))
    return project, ada, bob


def test_answers_by_keys_need_no_reload(window, workbench, asked):
    project, ada, _ = asked
    window.goto(f"/annotate/{project}/next")
    stays(window)
    for i in range(3):
        window.locator("#judged", has_text=f"{i} judged by you").wait_for()
        words = window.locator(".sides dd").first.inner_text()
        if i:
            window.locator(SAID, has_text=words).wait_for(state="attached")
        window.keyboard.press("12"[i % 2])
    window.get_by_role("heading", name="Nothing left").wait_for()
    assert not has_reloaded(window)
    assert window.title() == "Nothing left · ensue"
    assert window.url.endswith(f"/annotate/{project}/next")
    assert next_question(workbench, ada, project) is None
    window.go_back()  # where the tab was before; no answer is a page of its own
    assert window.url == "about:blank"


def test_enter_in_a_remark_is_no_answer(window, workbench, asked):
    project, ada, _ = asked
    window.goto(f"/annotate/{project}/next")
    stays(window)
    window.fill("#field-remark", "odd")
    window.keyboard.press("Enter")
    window.keyboard.press("Tab")
    window.keyboard.press("2")  # by now an answer to Enter would be there
    window.locator("#judged", has_text="1 judged by you").wait_for()
    (given,) = given_by(workbench, ada, project)
    assert given.answer == "not-entailment"


def test_answer_that_is_refused_is_told_beside_the_question(window, workbench, asked):
    project, ada, _ = asked
    window.goto(f"/annotate/{project}/next")
    stays(window)
    shown = next_question(workbench, ada, project)  # the same one, for twenty minutes
    judge(workbench, ada, shown.id, "entailment")
    window.keyboard.press("2")
    alert = window.locator("form [role=alert]")
    alert.wait_for()
    assert "you said 'entailment' of this one meanwhile" in alert.inner_text()
    assert window.locator(".sides dd").first.inner_text() == shown.content["text"]
    assert not has_reloaded(window)


def test_agreement_comes_by_itself(window, workbench, asked):
    project, ada, bob = asked
    window.goto(f"/annotate/{project}")
    stays(window)
    assert "There is none before" in window.locator("#agreement").inner_text()
    window.locator("#field-name").first.focus()
    for person in (ada, bob):
        shown = next_question(workbench, person, project)
        judge(workbench, person, shown.id, "entailment")
    window.locator("#agreement a", has_text="agreed (1)").wait_for()
    window.locator("#progress-of-all", has_text="1 of 3 have all").wait_for()
    assert not has_reloaded(window)
    assert window.evaluate("document.activeElement.id") == "field-name"


def marked(page, kind):
    return page.locator(f".source mark.{kind}").all_inner_texts()


@pytest.fixture
def checked(window, tmp_path, use_cache):
    """A page with a document and three claims against it."""
    use_cache(tmp_path / "cache")
    window.goto("/try")
    form = window.locator("form[aria-labelledby=a-document]")
    form.locator("[name=text]").fill("Bread is cheap. The legal age is 64. It rains often.")
    claims = "The legal age is 62. Bread is cheap. Who are you?"
    form.locator("[name=claims]").fill(claims)
    form.locator("[name=recognizer]").select_option("features")
    form.locator("button").click()
    window.locator(".evidence").wait_for()
    return window


def test_passage_of_a_claim_is_lit_by_pointer_and_by_keyboard(checked):
    assert "1 of 3 claims are supported" in checked.locator("h2#claims").inner_text()
    assert marked(checked, "lit") == []
    checked.locator(".claim").first.hover()
    assert "".join(marked(checked, "lit")).strip() == "The legal age is 64."
    assert marked(checked, "told") == ["64"]
    checked.locator(".claims .where").first.focus()
    checked.keyboard.press("ArrowDown")
    assert "".join(marked(checked, "lit")).strip() == "Bread is cheap."
    assert marked(checked, "told") == []
    checked.keyboard.press("ArrowDown")  # the last is a question: no passage comes near it
    assert "".join(marked(checked, "lit")).strip() == "Bread is cheap."
    checked.keyboard.press("ArrowUp")
    assert marked(checked, "told") == ["64"]
    checked.keyboard.press("Enter")
    assert checked.url.endswith("#passage-1")


def test_claim_of_a_passage_is_lit_by_pointer(checked):
    checked.locator(".source mark", has_text="Bread").hover()
    lit = checked.locator(".claim.lit .said").all_inner_texts()
    assert lit == ["Bread is cheap."]


def test_checked_document_is_printed_whole(checked):
    checked.emulate_media(media="print")
    assert checked.locator("form").filter(visible=True).count() == 0
    source = checked.locator(".source")
    assert source.is_visible()
    assert source.evaluate("element => getComputedStyle(element).maxHeight") == "none"
    number = "element => getComputedStyle(element, '::before').content"
    shown = [each.evaluate(number) for each in checked.locator(".source [data-number]").all()]
    assert (
        sorted(shown) == ['"[1] "', '"[2] "'] or sorted(shown) == ['"[" attr(data-number) "] "'] * 2
    )
