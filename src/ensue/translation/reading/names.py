"""What the name of a file says: test set, language pair and system, as WMT names its files.

| name | test set | pair | system |
| --- | --- | --- | --- |
| `newstest2012.cs-en.cu-bojar` | newstest2012 | cs-en | cu-bojar |
| `newstest2016.uedin.4362.cs-en` | newstest2016 | cs-en | uedin.4362 |
| `cs-en.cu-bojar.sgm` | | cs-en | cu-bojar |
| `DAseg.newstest2016.mt-system.cs-en` | newstest2016 | cs-en | mt-system |
| `mine.txt` | | | mine |

Only the ends `.gz`, `.txt`, `.sgm` and `.sgml` are no part of a name: a system's may hold dots.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from ensue.translation.reading.languages import canonical_pair, is_pair, language_code

_ENDS = (".gz", ".txt", ".sgm", ".sgml")
_DIRECT = "DAseg"
_ROLES = {"ref": "reference", "reference": "reference", "src": "source", "source": "source"}
_JOINED_PAIR = re.compile(r"(?:^|[-.])([a-z]{2})([a-z]{2})-(?:ref|src)\b")
_NUMBERED = re.compile(r"(.+)\.\d+")


@dataclass(frozen=True, slots=True)
class FileName:
    """The parts of a file's name."""

    whole: str
    """Without the ends that only say how the file is written."""
    test_set: str = ""
    """Empty where the name has none, as `language_pair`."""
    language_pair: str = ""
    system: str = ""

    @property
    def aliases(self) -> tuple[str, ...]:
        """What judgments may call the system; the surest first."""
        numbered = _NUMBERED.fullmatch(self.system)
        short = (numbered[1],) if numbered else ()
        return (self.system, self.whole, *short)


def bare_name(path: str | Path) -> str:
    """The name of a file without its directory and without the ends that say how it is written.

    >>> bare_name("outputs/cs-en.online.B.sgm.gz")
    'cs-en.online.B'
    """
    name = Path(path).name
    while name.lower().endswith(_ENDS) and not name.startswith("."):
        name = name[: name.rindex(".")]
    return name or Path(path).name


def output_name(path: str | Path) -> FileName:
    """What the name of a system's file says.

    >>> output_name("newstest2016.uedin.4362.cs-en").system
    'uedin.4362'
    """
    whole = bare_name(path)
    parts = whole.split(".")
    where = next((i for i, part in enumerate(parts) if is_pair(part)), None)
    if where is None or len(parts) == 1:
        return FileName(whole, system=whole)
    before, after = parts[:where], parts[where + 1 :]
    if before[:1] == [_DIRECT]:
        before = before[1:]
    if not after:  # set.system.pair, or system.pair
        after, before = before[1:] or before, before[:1] if len(before) > 1 else []
    return FileName(whole, ".".join(before), parts[where], ".".join(after))


@dataclass(frozen=True, slots=True)
class Serving:
    """Which language pairs a reference or a source is for."""

    language_pair: str = ""
    """That pair only; empty where the name has none."""
    target: str = ""
    """Pairs into that language only; empty where the name has none."""

    def serves(self, pair: str) -> bool:
        """Whether it is for that pair; a pair that nobody knows is served by everything."""
        if not pair:
            return True
        if self.language_pair:
            return canonical_pair(self.language_pair) == canonical_pair(pair)
        target = language_code(pair.rpartition("-")[2])
        return not self.target or target is None or target == self.target


def reference_name(path: str | Path) -> Serving:
    """Which language pairs a reference is for, by its name.

    >>> reference_name("newstest2016-csen-ref.en.sgm")
    Serving(language_pair='cs-en', target='')
    >>> reference_name("reference.en")
    Serving(language_pair='', target='en')
    """
    name = bare_name(path)
    parts = name.split(".")
    pair = next((part for part in parts if is_pair(part)), "")
    joined = _JOINED_PAIR.search(name)
    if not pair and joined and is_pair(f"{joined[1]}-{joined[2]}"):
        pair = f"{joined[1]}-{joined[2]}"
    if pair:
        return Serving(pair)
    end = parts[-1] if len(parts) > 1 and len(parts[-1]) == 2 else ""
    return Serving(target=language_code(end) or "")


def role(path: str | Path) -> str | None:
    """Whether a name says `reference` or `source`; None where it says neither.

    >>> role("cs-en.ref.sgm"), role("newstest2016-src.cs"), role("cs-en.preference")
    ('reference', 'source', None)
    """
    words = re.split(r"[.\-_]", bare_name(path).lower())
    return next((_ROLES[word] for word in words if word in _ROLES), None)


def direct_role(path: str | Path) -> str | None:
    """What a file of WMT's segment-level direct assessment holds; None for other names.

    >>> direct_role("DAseg.newstest2016.human.cs-en")
    'human'
    """
    parts = bare_name(path).split(".")
    return parts[-2] if parts[0] == _DIRECT and len(parts) >= 4 else None
