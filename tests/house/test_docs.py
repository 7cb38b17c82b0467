"""The docs are complete and true: reference pages, links, examples in help texts."""

import difflib
import importlib.util
import re
import shlex
import shutil
from pathlib import Path

import click
import pytest
from tests.tables import check_widths

from ensue.cli.app import ensue, run
from ensue.reports import write_tables

ROOT = Path(__file__).parents[2]


def _load_maker():
    spec = importlib.util.spec_from_file_location("make_docs", ROOT / "docs" / "make_docs.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


MAKER = _load_maker()


def _leaves(group, path=()):
    context = click.Context(group)
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        if isinstance(command, click.Group):
            yield from _leaves(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


LEAVES = dict(_leaves(ensue))


@pytest.mark.parametrize("name", ["cli.md", "components.md", "errors.md"])
def test_reference_page_is_up_to_date(name):
    assert (ROOT / "docs" / name).read_text("utf-8") == MAKER.PAGES[name](), "run `make docs`"


@pytest.mark.parametrize("page", MAKER.pages_with_examples(), ids=lambda page: page.name)
def test_examples_of_a_page_print_what_it_shows(page, tmp_path, request):
    text = page.read_text("utf-8")
    if MAKER.needs_data(text):
        request.getfixturevalue("shared_data")
    MAKER.prepare(tmp_path)
    found = MAKER.with_examples_run(text, tmp_path)
    changes = difflib.unified_diff(text.splitlines(), found.splitlines(), "shown", "found", n=0)
    assert found == text, "\n".join(["run `make docs`", *changes])


def test_pages_link_to_what_is_there(root):
    for page in [root / "README.md", root / "CONTRIBUTING.md", *(root / "docs").glob("*.md")]:
        for target in re.findall(r"\]\((?!http)([^)#]+)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name} links to {target}"


def _anchors(page):
    """What links may name in a page: its headings, as they are told in an address."""
    prose = re.sub(r"^```.*?^```$", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    for heading in re.findall(r"^#+ (.*)$", prose, flags=re.MULTILINE):
        words = re.sub(r"[^\w\- ]", "", re.sub(r"\]\([^)]*\)", "", heading).lower())
        yield words.strip().replace(" ", "-")


def test_links_name_headings_that_are_there(root):
    for page in [*root.glob("*.md"), *(root / "docs").glob("*.md")]:
        for target, heading in re.findall(
            r"\]\((?!http)([^)#]*)#([^)]+)\)", page.read_text("utf-8")
        ):
            named = page.parent / target if target else page
            assert heading in _anchors(named), f"{page.name} links to {target}#{heading}"


def test_every_page_is_reached_from_the_index(root):
    index = (root / "docs" / "index.md").read_text("utf-8")
    for page in (root / "docs").glob("*.md"):
        assert page.name == "index.md" or f"({page.name})" in index, page.name


@pytest.fixture(scope="session")
def demo(root, tmp_path_factory):
    """The runs that `make demo` leaves."""
    folder, pairs = tmp_path_factory.mktemp("demo"), str(root / "examples" / "pairs.xml")
    for name in ("bleu", "modified-bleu", "overlap"):
        assert run(["judge", pairs, "-r", name, "-o", str(folder / f"{name}.jsonl")]) == 0
    return folder


@pytest.fixture
def checkout(root, demo, tmp_path, monkeypatch):
    """A directory with the shipped pairs and the runs that `make demo` leaves."""
    shutil.copytree(root / "examples", tmp_path / "examples")
    shutil.copytree(demo, tmp_path / "demo")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def written(monkeypatch):
    """The tables that commands write as text."""
    tables = []

    def spy(some, *, format="table", table=None, **others):
        write_tables(some, format=format, table=table, **others)
        if format == "table":
            tables.extend(each for each in some if table in (None, each.name))

    monkeypatch.setattr("ensue.reports.write_tables", spy)
    return tables


@pytest.mark.parametrize("name", LEAVES)
def test_help_ends_with_an_example_that_runs(name, checkout, written, request, capsys):
    epilog = LEAVES[name].epilog
    assert epilog, f"ensue {name} has no example"
    assert epilog.startswith("Example: ensue "), epilog
    arguments = shlex.split(epilog.removeprefix("Example: ensue "))
    if "path/to/rte" in arguments:
        (checkout / "path" / "to").mkdir(parents=True)
        (checkout / "path" / "to" / "rte").symlink_to(
            request.getfixturevalue("shared_data") / "rte"
        )
    assert arguments[: len(name.split())] == name.split()
    assert run(arguments) in (0, 1), capsys.readouterr().err
    for table in written:
        check_widths(table)
