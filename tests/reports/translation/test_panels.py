from xml.etree import ElementTree

import pytest

from ensue.reports import Interval
from ensue.reports.pictures import render
from ensue.reports.pictures.dots import Axis, Dot, panel_picture

DOTS = [
    Dot("A", Interval(0.6, 0.5, 0.7), 1),
    Dot("B", Interval(0.5, 0.4, 0.6), 1),
    Dot("C", Interval(0.2), 2),
    Dot("D", Interval(None), 2),
]
AXIS = Axis("share")


def picture(panels, axis=AXIS, **more):
    return panel_picture(panels, axis, title="Some", name="some", **more)


def marks(spec, kind):
    return [layer for layer in spec["layer"] if layer["mark"]["type"] == kind]


@pytest.mark.parametrize("panels", [{"": DOTS}, {"cs-en": DOTS, "de-en": DOTS[:1]}, {"": []}])
def test_panels_are_drawn_as_well_formed_svg(panels):
    svg = render(picture(panels, rules={"chance": 0.5}), "svg")
    assert ElementTree.fromstring(svg).tag.endswith("svg")


def test_single_panel_stands_alone():
    assert "concat" not in picture({"cs-en": DOTS}).spec
    assert len(picture({"cs-en": DOTS, "de-en": DOTS}).spec["concat"]) == 2


def test_panel_leaves_out_rows_without_a_number():
    values = picture({"": DOTS}).spec["data"]["values"]
    assert [row["place"] for row in values] == ["A", "B", "C"]


def test_panel_shows_shares_in_percent_and_other_numbers_as_they_are():
    assert picture({"": DOTS}).spec["data"]["values"][0]["value"] == 60
    plain = picture({"": DOTS}, Axis("score", percent=False))
    assert plain.spec["data"]["values"][0]["value"] == 0.6


def test_panel_parts_clusters_by_a_line_below_the_last_of_each():
    lines = [
        layer["data"]["values"]
        for layer in marks(picture({"": DOTS}).spec, "rule")
        if "data" in layer
    ]
    assert lines == [[{"place": "B"}]]


def test_panel_draws_a_named_line_for_each_rule():
    spec = picture({"": DOTS}, rules={"chance": 0.5, "bound": 0.52}).spec
    names = marks(spec, "text")
    assert [layer["data"]["values"][0]["name"] for layer in names] == ["chance", "bound"]
    assert names[0]["mark"]["dy"] > names[1]["mark"]["dy"]  # near each other: the second is higher


def test_panels_share_their_stretch_only_where_asked():
    def stretches(axis):
        panels = picture({"a": DOTS[:1], "b": DOTS[2:3]}, axis).spec["concat"]
        return [marks(panel, "point")[0]["encoding"]["x"]["scale"]["domain"] for panel in panels]

    first, second = stretches(Axis("share", shared=True))
    assert first == second
    first, second = stretches(Axis("share", shared=False))
    assert first != second


def test_panel_leaves_little_room_beyond_its_limits():
    dots = [Dot("A", Interval(0.0)), Dot("B", Interval(1.0))]
    spec = picture({"": dots}).spec
    low, high = marks(spec, "point")[0]["encoding"]["x"]["scale"]["domain"]
    assert -5 < low < 0
    assert 100 < high < 105
