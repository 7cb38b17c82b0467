"""Take pictures of every page of the workbench, in light and in dark.

`python -m docs.make_pictures` writes `docs/pictures/workbench/NAME-light.png` and `NAME-dark.png`
for each name in `docs.workbench_stage.PAGES`; names after it are those of the only pages to take.
"""

from __future__ import annotations

import struct
import sys
import tempfile
import zlib
from base64 import b64decode, b64encode
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from docs.workbench_stage import PAGES, PASSWORD, PEOPLE, chromium, fill, look_at, served, window

from ensue.workbench import open_workbench
from ensue.workbench.accounts import sign_in
from ensue.workbench.workbench import default_url

if TYPE_CHECKING:
    from playwright.sync_api import Page as Tab

FOLDER = Path(__file__).parent / "pictures" / "workbench"
THEMES = ("light", "dark")
WIDTH, LEAST, MOST = 1200, 400, 1200
"""The width of a picture and its least and largest height; a page that is longer is cut off."""

PIXELS = """async (data) => {
  const blob = await (await fetch("data:image/png;base64," + data)).blob();
  const image = await createImageBitmap(blob);
  const brush = new OffscreenCanvas(image.width, image.height).getContext("2d");
  brush.drawImage(image, 0, 0);
  const pixels = brush.getImageData(0, 0, image.width, image.height).data;
  let text = "";
  for (let i = 0; i < pixels.length; i += 8192) {
    text += String.fromCharCode(...pixels.subarray(i, i + 8192));
  }
  return [image.width, image.height, btoa(text)];
}"""


def take(tab: Tab, blank: Tab, file: Path) -> None:
    """Write what a tab shows, from its top, in a palette's colors; a blank tab reads the pixels."""
    height = tab.evaluate("document.documentElement.scrollHeight")
    clip = {"x": 0, "y": 0, "width": WIDTH, "height": min(height, MOST)}
    shot = tab.screenshot(full_page=True, clip=clip)
    width, height, pixels = blank.evaluate(PIXELS, b64encode(shot).decode())
    colors = np.frombuffer(b64decode(pixels), np.uint8).reshape(height, width, 4)[:, :, :3]
    file.write_bytes(small_png(colors))


def small_png(colors: np.ndarray[Any, np.dtype[np.uint8]]) -> bytes:
    """A PNG with a palette: a third of one without. Rare colors give way to like ones."""
    height, width, _ = colors.shape
    packed = colors.reshape(-1, 3).astype(np.uint32) @ np.array([1 << 16, 1 << 8, 1], np.uint32)
    exact, places, counts = np.unique(packed, return_inverse=True, return_counts=True)
    for dropped in range(8):
        mask = (0xFF << dropped & 0xFF) * 0x010101
        kinds, kind_of = np.unique(exact & mask, return_inverse=True)
        if len(kinds) <= 256:
            break
    order = np.argsort(counts)
    palette = np.zeros(len(kinds), np.uint32)
    palette[kind_of[order]] = exact[order]  # the last, the most frequent of a kind, stays
    rows = np.zeros((height, width + 1), np.uint8)  # each begins with its filter, which is none
    rows[:, 1:] = kind_of[places].reshape(height, width)
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)),
        (b"PLTE", palette.astype(">u4").view(np.uint8).reshape(-1, 4)[:, 1:].tobytes()),
        (b"IDAT", zlib.compress(rows.tobytes(), 9)),
        (b"IEND", b""),
    )
    chunks = (
        struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
        for name, body in parts
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def main(names: list[str]) -> None:
    """Take the pictures of the named pages, or of all."""
    from playwright.sync_api import sync_playwright

    FOLDER.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        workbench = open_workbench(default_url(Path(home)))
        fill(workbench, Path(home))
        secrets = {who: sign_in(workbench, who, PASSWORD)[1] for who in PEOPLE}
        workbench.close()
        with served("--home", home) as address, chromium(playwright) as browser:
            blank = browser.new_page()
            for theme in THEMES:
                options = {"color_scheme": theme, "viewport": {"width": WIDTH, "height": LEAST}}
                for name in names or PAGES:
                    page = PAGES[name]
                    with window(browser, address, secrets.get(page.who), **options) as context:
                        tab = context.new_page()
                        look_at(tab, page)
                        take(tab, blank, FOLDER / f"{name}-{theme}.png")


if __name__ == "__main__":
    main(sys.argv[1:])
