"""`ensue mcp`, by the SDK's own client."""

import asyncio
import sys

import pytest

import ensue
from ensue.cli.app import run
from ensue.cli.workbench import tool_server
from ensue.installation import install_extra

mcp = pytest.importorskip("mcp")

SOURCE = "Bread is cheap. The legal age is 64."
CLAIMS = "Bread is cheap. The legal age is 62."


@pytest.fixture(autouse=True)
def cache(tmp_path, use_cache):
    use_cache(tmp_path / "cache")


def called(server, *calls):
    """What the tools of a server answer to calls, one after the other."""

    async def ask():
        async with mcp.Client(server) as client:
            return [await client.call_tool(name, given) for name, given in calls]

    return asyncio.run(ask())


@pytest.fixture
def here():
    """The server in this process."""
    return tool_server("features", {})


def test_server_is_a_process_that_speaks_over_standard_streams():
    command = ["-m", "ensue.cli", "mcp", "-r", "overlap"]

    async def ask():
        server = mcp.StdioServerParameters(command=sys.executable, args=command)
        async with mcp.Client(server) as client:
            tools = (await client.list_tools()).tools
            pair = {"text": "A dog barks loudly.", "hypothesis": "A dog barks."}
            return tools, await client.call_tool("judge", pair)

    tools, answer = asyncio.run(ask())
    assert [tool.name for tool in tools] == ["check", "judge", "explain", "propositions"]
    assert all(tool.description and tool.annotations.read_only_hint for tool in tools)
    assert answer.structured_content["label"] == "entailment"
    assert answer.structured_content["signature"].startswith("overlap|")


def test_check_and_propositions_say_what_the_library_says(here):
    calls = ("check", {"source": SOURCE, "claims": CLAIMS}), ("propositions", {"text": CLAIMS})
    checked, cut = (each.structured_content for each in called(here, *calls))
    assert checked == ensue.check(SOURCE, CLAIMS, "features").to_json()
    assert cut["propositions"] == [each.to_json() for each in ensue.propositions(CLAIMS)]


def test_explanation_is_in_words(here):
    pair = {"text": "The legal age is 64.", "hypothesis": "The legal age is 62."}
    judged, explained = called(here, ("judge", pair), ("explain", pair))
    said = explained.structured_content
    assert said["label"] == judged.structured_content["label"]
    assert said["score"] == judged.structured_content["score"]
    assert "dates.number-mismatch" in said["explanation"]
    assert "\x1b" not in said["explanation"]


def test_client_cannot_name_what_judges(here):
    given = {"text": "a", "hypothesis": "b", "recognizer": "command:touch hacked"}
    (answer,) = called(here, ("judge", given))
    assert answer.is_error or answer.structured_content["signature"].startswith("features|")


def test_error_is_told_with_its_hint():
    (answer,) = called(tool_server("nothing", {}), ("judge", {"text": "a", "hypothesis": "b"}))
    assert answer.is_error
    assert "no recognizer is called 'nothing'" in answer.content[0].text


def test_what_a_recognizer_prints_is_not_sent(here, capsys, monkeypatch):
    def noisy(text):
        sys.stdout.write("noise\n")
        return []

    monkeypatch.setattr("ensue.claims.propositions", noisy)
    called(here, ("propositions", {"text": "It rains."}))
    told = capsys.readouterr()
    assert (told.out, told.err) == ("", "noise\n")


def test_command_says_which_package_to_install(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "mcp.server.mcpserver", None)
    assert run(["mcp"]) == 3
    assert f"hint: run: {install_extra('mcp')}" in capsys.readouterr().err
