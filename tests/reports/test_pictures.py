import json
import math
import re
from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest

from ensue.errors import OutputError, UnknownNameError
from ensue.reports import Interval
from ensue.reports.pictures import (
    Line,
    accuracy_picture,
    confusion_picture,
    cutoff_picture,
    group_picture,
    reliability_picture,
    render,
    risk_coverage_picture,
    write_picture,
)
from ensue.reports.pictures.curves import EstimateCurve, PlotFrame, line_picture
from ensue.reports.pictures.dots import Axis, Dot, bar_picture, panel_picture
from ensue.reports.pictures.plots import Point, ScatterPanel, scatter_picture
from ensue.reports.pictures.theme import (
    PALETTE,
    color_scale,
    dash_scale,
    padded,
    shortened_names,
    text_width,
)
from ensue.statistics import Estimate

DEVELOPMENT = Line(
    "development",
    [-math.inf, 0.1, 0.4],
    [0.5, 0.75, 0.5],
    low=[0.4, 0.6, 0.4],
    high=[0.6, 0.9, 0.6],
)
TEST = Line("test", [-math.inf, 0.2], [0.5, 0.6])

PICTURES = {
    "cutoff": cutoff_picture([DEVELOPMENT, TEST], tuned=0.1),
    "cutoff of minus infinity": cutoff_picture([TEST], tuned=-math.inf),
    "cutoff by task": cutoff_picture(
        [Line("run", [-math.inf, 0.3], [0.5, 0.7], panel=task) for task in ("IE", "QA")], tuned=0.3
    ),
    "risk and coverage": risk_coverage_picture([Line("run", [0.5, 1.0], [0.1, 0.3])]),
    "reliability": reliability_picture(
        [Line("run", [0.2, 0.9], [0.5, 0.8], low=[0.4, 0.7], high=[0.6, 0.9])]
    ),
    "accuracy": accuracy_picture({"run": Interval(0.6, 0.5, 0.7), "none": Interval(None)}),
    "groups": group_picture({"IE": {"a": Interval(0.6), "b": Interval(0.5, 0.4, 0.6)}}),
    "confusion": confusion_picture(["yes", "no"], ["yes", "no", "none"], [[3, 1, 0], [2, 2, 1]]),
}


@pytest.fixture(scope="module")
def drawings():
    return {name: render(picture, "svg").decode() for name, picture in PICTURES.items()}


@pytest.mark.parametrize("name", PICTURES)
def test_render_draws_every_picture_as_well_formed_svg(name, drawings):
    assert ElementTree.fromstring(drawings[name]).tag.endswith("svg")


@pytest.mark.parametrize("name", PICTURES)
def test_render_puts_no_ids_into_svg_that_could_clash_on_a_page(name, drawings):
    assert not re.search(r'\bid="|url\(|href="', drawings[name])


@pytest.mark.parametrize("name", PICTURES)
def test_specification_is_strict_json(name):
    json.dumps(PICTURES[name].spec, allow_nan=False)


def texts(svg):
    return [element.text for element in ElementTree.fromstring(svg).iter() if element.text]


def test_cutoff_picture_names_lines_axes_chance_and_tuned_cutoff(drawings):
    shown = texts(drawings["cutoff"])
    wanted = {"development", "test", "cutoff", "accuracy, %", "chance", "cutoff 0.1"}
    assert wanted <= set(shown)


def test_cutoff_picture_shows_an_infinite_cutoff_as_such(drawings):
    assert "cutoff −∞" in texts(drawings["cutoff of minus infinity"])


def test_cutoff_picture_puts_minus_infinity_left_of_the_lowest_score():
    rows = cutoff_picture([DEVELOPMENT]).spec["data"]["values"]
    # scores from 0.1 to 0.4: 6 % of 0.3 is 0.018 on both sides; the last step is drawn out
    assert [row["x"] for row in rows] == pytest.approx([0.082, 0.1, 0.4, 0.418])


def test_cutoff_picture_draws_steps_in_percent():
    spec = cutoff_picture([TEST]).spec
    assert [row["y"] for row in spec["data"]["values"]] == [50, 60, 60]
    marks = [layer["mark"] for layer in spec["layer"] if layer["mark"]["type"] == "line"]
    assert [mark["interpolate"] for mark in marks] == ["step-after"]


def test_cutoff_picture_draws_a_band_only_where_there_is_one():
    def kinds(line):
        return [layer["mark"]["type"] for layer in cutoff_picture([line]).spec["layer"]]

    assert "area" in kinds(DEVELOPMENT)
    assert "area" not in kinds(TEST)


def test_cutoff_picture_makes_a_panel_for_each_task():
    panels = PICTURES["cutoff by task"].spec["concat"]
    assert [panel["title"] for panel in panels] == ["IE", "QA"]


def test_cutoff_picture_copes_with_a_single_infinite_cutoff():
    picture = cutoff_picture([Line("run", [-math.inf], [0.5])], tuned=-math.inf)
    assert render(picture, "svg")


def test_cutoff_picture_of_many_cutoffs_stays_small_and_keeps_the_peak():
    rng = np.random.default_rng(0)
    accuracy = rng.uniform(0.4, 0.6, 100_000)
    accuracy[51_234] = 0.9
    line = Line("run", np.linspace(0, 1, 100_000), accuracy, accuracy - 0.1, accuracy + 0.1)
    picture = cutoff_picture([line])
    assert max(row["y"] for row in picture.spec["data"]["values"]) == 90
    assert len(render(picture, "svg")) < 200_000


def test_reliability_picture_leaves_empty_bins_out_of_strict_json():
    picture = reliability_picture([Line("run", [0.2, 0.5], [0.5, math.nan])])
    assert picture.spec["data"]["values"][1]["y"] is None


def test_accuracy_picture_leaves_undefined_runs_without_a_dot():
    rows = PICTURES["accuracy"].spec["data"]["values"]
    assert [row["place"] for row in rows] == ["run"]


def test_accuracy_picture_names_even_undefined_runs(drawings):
    assert {"run", "none"} <= set(texts(drawings["accuracy"]))


def test_confusion_picture_shows_every_count(drawings):
    shown = texts(drawings["confusion"])
    assert sorted(text for text in shown if text.isdigit()) == ["0", "1", "1", "2", "2", "3"]


def test_render_escapes_names_in_svg():
    svg = render(accuracy_picture({"<script>&": Interval(0.5)}), "svg").decode()
    assert "<script>" not in svg
    assert "<script>&" in texts(svg)


def test_render_leaves_the_title_out_where_asked():
    picture = PICTURES["accuracy"]
    assert "Accuracy" not in texts(render(picture, "svg", titled=False))
    assert "Accuracy" in texts(render(picture, "svg"))


def test_render_refuses_other_formats():
    with pytest.raises(UnknownNameError, match="no picture format is called 'gif'"):
        render(PICTURES["accuracy"], "gif")


@pytest.mark.parametrize(
    ("suffix", "start"),
    [(".png", b"\x89PNG"), (".svg", b"<svg"), (".json", b"{"), (".SVG", b"<svg")],
)
def test_write_picture_chooses_by_suffix(suffix, start, tmp_path):
    path = tmp_path / f"picture{suffix}"
    write_picture(path, PICTURES["accuracy"])
    assert path.read_bytes().startswith(start)


def test_write_picture_refuses_other_suffixes_and_says_which_there_are(tmp_path):
    with pytest.raises(OutputError, match=r"no picture ends in '\.pdf'") as error:
        write_picture(tmp_path / "picture.pdf", PICTURES["accuracy"])
    assert error.value.hint == "name a file that ends in .json, .png, .svg"
    assert not (tmp_path / "picture.pdf").exists()


def test_color_scale_goes_round_and_dashes_tell_the_rounds_apart():
    names = [f"run {i}" for i in range(len(PALETTE) + 1)]
    colors, dashes = color_scale(names)["range"], dash_scale(names)["range"]
    assert colors[0] == colors[-1]
    assert dashes[0] != dashes[-1]


def test_padded_gives_room_even_to_a_single_value():
    low, high = padded([0.5])
    assert low < 0.5 < high


def _layers(spec):
    """All layers, each with the rows that it is drawn from."""
    for panel in spec.get("concat", [spec]):
        for layer in panel.get("layer", [panel]):
            yield layer, layer.get("data", panel["data"])["values"]


@pytest.mark.parametrize("name", PICTURES)
def test_picture_tells_a_pointer_what_its_rows_hold(name):
    told = [
        ({each["field"] for each in layer["encoding"]["tooltip"]}, set().union(*rows))
        for layer, rows in _layers(PICTURES[name].spec)
        if "tooltip" in layer["encoding"]
    ]
    assert told
    assert all(fields <= held for fields, held in told)


LONG = (
    "demo/modified-bleu.jsonl",
    "/home/somebody/experiments/textual-entailment/runs/features-with-everything-1/run.jsonl",
    "/home/somebody/experiments/textual-entailment/runs/features-with-everything-2/run.jsonl",
)
NAMES = {
    "long": LONG,
    "in other scripts": ("実行/含意認識の結果.jsonl", "прогоны/логика.jsonl", "overlap.jsonl"),
    "many": tuple(f"demo/run-{i:02d}.jsonl" for i in range(16)),
}


def pictures_of(names):
    interval, estimate = Interval(0.6, 0.5, 0.7), Estimate(0.6, 0.5, 0.7)
    lines = [Line(name, [0.1, 0.5, 0.9], [0.4, 0.6, 0.7]) for name in names]
    dots = [Dot(name, interval) for name in names]
    curves = [EstimateCurve(name, [1, 2], [estimate, estimate]) for name in names]
    points = [Point(i, i, name, name) for i, name in enumerate(names)]
    bars = [{"form": name, "number": 1, "series": "a"} for name in names]
    named = {"title": "t", "name": "n"}
    axis, frame = Axis("agreement"), PlotFrame("k", "score")
    return {
        "accuracy": accuracy_picture(dict.fromkeys(names, interval)),
        "groups": group_picture({"IE": dict.fromkeys(names, interval)}),
        "risk and coverage": risk_coverage_picture(lines),
        "reliability": reliability_picture(lines),
        "cutoff": cutoff_picture([replace(line, panel=line.name) for line in lines]),
        "dots in panels": panel_picture({names[0]: dots, names[-1]: dots}, axis, **named),
        "bars": bar_picture(
            bars, place="form", number="number", axis="s", series=["a"], legend=False, **named
        ),
        "lines in panels": line_picture({names[0]: curves, names[-1]: curves}, frame, **named),
        "points": scatter_picture([ScatterPanel(names[-1], "r", "x", "y", points)], **named),
    }


def placed_texts(element, x=0.0):
    """Each text that is not turned, with where it begins and ends."""
    moved = element.get("transform", "")
    if "rotate" in moved:
        return
    for found in re.findall(r"translate\(([-0-9.e]+)", moved):
        x += float(found)
    if element.tag.endswith("text"):
        title = element.find("{*}title")
        string = (element.text if title is None else title.tail) or ""
        width = text_width(string, float(element.get("font-size").removesuffix("px")))
        left = x - width * {"end": 1.0, "middle": 0.5}.get(element.get("text-anchor"), 0.0)
        yield element, left, left + width
    for child in element:
        yield from placed_texts(child, x)


@pytest.mark.parametrize("kind", NAMES)
def test_names_are_whole_in_every_picture(kind):
    for what, picture in pictures_of(NAMES[kind]).items():
        drawn = ElementTree.fromstring(render(picture, "svg"))
        wide = float(drawn.get("width"))
        for element, left, right in placed_texts(drawn):
            assert -0.5 <= left <= right <= wide + 1, (what, element.text)


@pytest.mark.parametrize("what", pictures_of(LONG))
def test_shortened_names_differ_and_have_the_whole_name_as_title(what):
    drawn = ElementTree.fromstring(render(pictures_of(LONG)[what], "svg"))
    titles = [title for text in drawn.findall(".//{*}text") for title in text.findall("{*}title")]
    assert {title.text for title in titles} == set(LONG[1:])
    assert len({title.tail for title in titles}) >= len({title.text for title in titles})


def test_texts_are_as_wide_as_measured_whatever_the_type():
    drawn = ElementTree.fromstring(render(PICTURES["accuracy"], "svg"))
    (text,) = [each for each in drawn.findall(".//{*}text") if each.text == "run"]
    assert text.get("textLength") == f"{text_width('run', 11):.1f}"


def test_names_that_would_be_shortened_to_the_same_stay_whole():
    names = [f"{'a' * 60}{i}{'b' * 60}" for i in range(2)]
    assert shortened_names([*names, "c" * 100])[names[0]] == names[0]
