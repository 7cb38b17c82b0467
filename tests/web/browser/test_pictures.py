"""The pictures of pages in the docs."""

from base64 import b64decode, b64encode

import numpy as np
from docs.make_pictures import FOLDER, PIXELS, THEMES, small_png
from docs.workbench_stage import PAGES


def test_every_page_has_its_pictures():
    expected = {f"{name}-{theme}.png" for name in PAGES for theme in THEMES}
    assert {file.name for file in FOLDER.iterdir()} == expected, "run `make pictures`"


def test_picture_of_few_colors_keeps_them(chrome):
    colors = np.arange(6 * 7 * 3, dtype=np.uint8).reshape(6, 7, 3)
    width, height, pixels = read(chrome, small_png(colors))
    assert (width, height) == (7, 6)
    assert np.array_equal(pixels, colors)


def test_picture_of_many_colors_keeps_the_most_frequent(chrome):
    colors = np.random.default_rng(1).integers(0, 256, (40, 40, 3), np.uint8)
    colors[:20] = (246, 247, 249)
    _, _, pixels = read(chrome, small_png(colors))
    assert np.array_equal(pixels[:20], colors[:20])
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) <= 256
    assert np.abs(pixels.astype(int) - colors).max() < 64


def read(chrome, png):
    """The pixels of a picture, as a browser reads it."""
    context = chrome.new_context()
    width, height, pixels = context.new_page().evaluate(PIXELS, b64encode(png).decode())
    context.close()
    raw = np.frombuffer(b64decode(pixels), np.uint8)
    return width, height, raw.reshape(height, width, 4)[:, :, :3]
