"""Files of others are as they were published, and go with how we draw."""

import hashlib
import json
import re

import pytest

from ensue.reports.pictures import theme as rendering
from ensue.web.pages import environment


@pytest.fixture
def vendor(root):
    return root / "src/ensue/web/static/vendor"


def rows(vendor):
    """The table of the folder's README: file, package, version, and so on."""
    lines = (vendor / "README.md").read_text("utf-8").splitlines()
    table = [line.strip("| ").split(" | ") for line in lines if line.startswith("| `")]
    return {cells[0].strip("`"): [cell.strip("`") for cell in cells[1:]] for cells in table}


def test_files_are_as_they_were_published(vendor):
    told = {name: cells[-1] for name, cells in rows(vendor).items()}
    found = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in vendor.glob("*.js")
    }
    assert found == told
    assert len(found) == 4


def test_every_file_comes_with_its_license(vendor):
    licenses = (vendor / "LICENSES.txt").read_text("utf-8")
    for package, version, *_ in rows(vendor).values():
        name = {"htmx.org": "htmx", "vega": "Vega", "vega-lite": "Vega-Lite"}.get(package, package)
        assert f"{name} {version}" in licenses


def test_browser_draws_in_the_version_in_which_we_draw(vendor):
    _, version, *_ = rows(vendor)["vega-lite.min.js"]
    assert f"v{version}".startswith(f"{rendering._VEGA_LITE}.")


def test_htmx_is_told_to_evaluate_and_keep_nothing():
    page = environment().get_template("scripts/renewing.html").render()
    (said,) = re.findall(r"content='([^']+)'", page)
    settings = json.loads(said)
    assert settings["selfRequestsOnly"] is True
    for name in ("allowEval", "allowScriptTags", "includeIndicatorStyles"):
        assert settings[name] is False
    assert settings["historyCacheSize"] == 0
