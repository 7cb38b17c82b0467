"""The recipes of `docs/integrations.md` for other tools, where these are installed."""

import asyncio
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "integrations.md"
PACKAGES = {
    "LangChain": "langchain_core",
    "LlamaIndex": "llama_index.core",
    "DeepEval": "deepeval",
    "Ragas": "ragas",
    "inspect_ai": "inspect_ai",
}
SOURCE = "Bread is cheap. The legal age is 64."
GOOD, BAD = "Bread is cheap.", "Bread is cheap. The legal age is 62."


@pytest.fixture(autouse=True)
def cache(tmp_path, use_cache, monkeypatch):
    use_cache(tmp_path / "cache")
    monkeypatch.setenv("DEEPEVAL_TELEMETRY_OPT_OUT", "YES")
    monkeypatch.setenv("RAGAS_DO_NOT_TRACK", "true")
    monkeypatch.chdir(tmp_path)


def blocks():
    """The code of each recipe by its heading; that which all begin with has an empty name."""
    part = PAGE.read_text("utf-8").partition("\n## In other tools\n")[2]
    named = ["", *re.findall(r"^### (.+)$", part, flags=re.MULTILINE)]
    return dict(zip(named, re.findall(r"```python\n(.*?)```", part, flags=re.S), strict=True))


@pytest.fixture
def recipe():
    """Run the recipe of a tool, and give what it defines."""

    def run(name):
        pytest.importorskip(PACKAGES[name], exc_type=ImportError)
        names = {}
        for code in (blocks()[""], blocks()[name]):
            exec(code, names)
        return names

    return run


def test_every_recipe_has_a_test_and_ten_lines_or_so():
    assert set(blocks()) == {"", *PACKAGES}
    assert all(len(code.strip().splitlines()) <= 22 for code in blocks().values())


def test_all_begin_with_what_is_unsupported():
    names = {}
    exec(blocks()[""], names)
    reasons, share = names["unsupported"](SOURCE, BAD)
    assert share == 1 / 2
    (reason,) = reasons
    assert reason.startswith("The legal age is 62. (")
    assert names["unsupported"](SOURCE, GOOD) == ([], 0.0)
    assert names["unsupported"](SOURCE, "") == ([], 0.0)


@pytest.mark.filterwarnings("ignore")
def test_langchain(recipe):
    said = recipe("LangChain")["check"].invoke({"context": SOURCE, "answer": BAD})
    assert said["supported_share"] == 0.5
    assert said["answer"] == BAD


@pytest.mark.filterwarnings("ignore")
def test_llamaindex(recipe):
    evaluator = recipe("LlamaIndex")["SupportEvaluator"]()
    found = evaluator.evaluate(response=BAD, contexts=[SOURCE])
    assert (found.passing, found.score) == (False, 0.5)
    assert evaluator.evaluate(response=GOOD, contexts=[SOURCE]).passing


@pytest.mark.filterwarnings("ignore")
def test_deepeval(recipe):
    metric = recipe("DeepEval")["SupportMetric"]()
    from deepeval import assert_test
    from deepeval.test_case import LLMTestCase

    case = LLMTestCase(input="?", actual_output=BAD, retrieval_context=[SOURCE])
    assert metric.measure(case) == 0.5
    assert not metric.is_successful()
    with pytest.raises(AssertionError, match="Support"):
        assert_test(case, [metric], run_async=False)


@pytest.mark.filterwarnings("ignore")
def test_ragas(recipe):
    support = recipe("Ragas")["support"]
    found = support.score(response=BAD, retrieved_contexts=[SOURCE])
    assert found.value == 0.5
    assert "62" in found.reason


@pytest.mark.filterwarnings("ignore")
def test_inspect_ai(recipe):
    score = recipe("inspect_ai")["support"]()
    from inspect_ai.model import ModelOutput
    from inspect_ai.scorer import Target
    from inspect_ai.solver import TaskState

    state = TaskState(
        model="mockllm/model",
        sample_id="1",
        epoch=1,
        input="?",
        messages=[],
        output=ModelOutput.from_content("mockllm/model", BAD),
        metadata={"source": SOURCE},
    )
    found = asyncio.run(score(state, Target("")))
    assert found.value == 0.5
    assert "62" in found.explanation
