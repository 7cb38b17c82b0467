"""How this ensue is installed: what it requires, its extras, and commands that install the rest.

Commands are made for the place where they are read: by the Python that runs, and from the checkout
where there is one, since a checkout's version need not be in any package index.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path
from shlex import quote

EXTRAS = {
    "dask": "runs on a Dask cluster (--engine dask)",
    "hf": "data sets of the Hugging Face hub by name (hf:NAME/SPLIT)",
    "mcp": "tools for agents, by the Model Context Protocol (ensue mcp)",
    "postgresql": "the workbench's data in PostgreSQL",
    "sacrebleu": "sacreBLEU's metrics beside ours (ensue mt score -m chrf)",
    "train": "training the network anew (make train)",
    "transformers": "transformer models as recognizers (examples/cross_encoder.py)",
    "web": "the workbench in the browser (ensue serve)",
}
"""What each extra of the package brings, in words."""

_EXTRA = re.compile(r"""\bextra\s*==\s*['"]([\w.-]+)['"]""")


def declared_extras() -> list[str]:
    """The extras that the installed package declares; none where ensue itself is not installed."""
    try:
        return distribution("ensue").metadata.get_all("Provides-Extra") or []
    except PackageNotFoundError:
        return []


def requirements(extra: str | None = None) -> list[str]:
    """The names of the packages that ensue declares, for all or for one extra.

    Raises:
        PackageNotFoundError: ensue itself is not installed.
    """
    lines = distribution("ensue").requires or []
    return [re.split(r"[^\w.-]", line, maxsplit=1)[0] for line in lines if _extra(line) == extra]


def _extra(line: str) -> str | None:
    found = _EXTRA.search(line)
    return found[1] if found else None


def installed_version(package: str) -> str | None:
    """The version of an installed package; None where it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None


def missing_packages(extra: str) -> list[str]:
    """The packages of an extra that are not installed.

    Raises:
        PackageNotFoundError: ensue itself is not installed.
    """
    return [each for each in requirements(extra) if installed_version(each) is None]


def checkout() -> Path | None:
    """The checkout that this module belongs to; None where it was installed from a wheel."""
    root = Path(__file__).parents[2]
    return root if (root / "pyproject.toml").is_file() else None


def pip_install(*words: str) -> str:
    """The command that installs something for the Python that runs.

    That is `pip install …` where the first `pip` of the path is this Python's own; in a virtual
    environment that is not activated it belongs to another.
    """
    pip = shutil.which("pip")
    is_ours = pip is not None and Path(pip).parent == Path(sys.executable).parent
    start = "pip" if is_ours else f"{quote(sys.executable)} -m pip"
    return " ".join([start, "install", *map(quote, words)])


def install_extra(extra: str) -> str:
    """The command that installs an extra."""
    root = checkout()
    return pip_install("-e", f"{root}[{extra}]") if root else pip_install(f"ensue[{extra}]")


def install_again() -> str:
    """The command that installs ensue itself again, with what it requires."""
    root = checkout()
    return pip_install("-e", str(root)) if root else pip_install("--force-reinstall", _origin())


def restore_file(path: Path) -> str:
    """The command that brings back a file that ships with ensue."""
    root = checkout()
    return f"git -C {quote(str(root))} restore {quote(str(path))}" if root else install_again()


def _origin() -> str:
    """What pip installed ensue from: the URL of a wheel, else its name in an index."""
    try:
        said = distribution("ensue").read_text("direct_url.json")
    except PackageNotFoundError:
        said = None
    return str(json.loads(said)["url"]) if said else "ensue"
