"""Language codes, and what WMT file names say: test set, language pair, system.

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

# Languages as judgments and file names write them, brought to one code each.

_CODES = {
    "ar": ("arabic", "ara"),
    "bg": ("bulgarian", "bul"),
    "cs": ("czech", "ces", "cze", "cz"),
    "da": ("danish", "dan"),
    "de": ("german", "deu", "ger"),
    "el": ("greek", "ell", "gre"),
    "en": ("english", "eng"),
    "es": ("spanish", "spa"),
    "et": ("estonian", "est"),
    "fi": ("finnish", "fin"),
    "fr": ("french", "fra", "fre"),
    "gu": ("gujarati", "guj"),
    "ha": ("hausa", "hau"),
    "he": ("hebrew", "heb"),
    "hi": ("hindi", "hin"),
    "hr": ("croatian", "hrv"),
    "ht": ("haitian creole", "haitian", "hat"),
    "hu": ("hungarian", "hun"),
    "is": ("icelandic", "isl", "ice"),
    "it": ("italian", "ita"),
    "iu": ("inuktitut", "iku"),
    "ja": ("japanese", "jpn"),
    "kk": ("kazakh", "kaz"),
    "km": ("khmer", "khm"),
    "ko": ("korean", "kor"),
    "lt": ("lithuanian", "lit"),
    "lv": ("latvian", "lav"),
    "nl": ("dutch", "nld", "dut"),
    "no": ("norwegian", "nor"),
    "pl": ("polish", "pol"),
    "ps": ("pashto", "pus"),
    "pt": ("portuguese", "por"),
    "ro": ("romanian", "ron", "rum"),
    "ru": ("russian", "rus"),
    "sk": ("slovak", "slk", "slo"),
    "sl": ("slovenian", "slovene", "slv"),
    "sv": ("swedish", "swe"),
    "ta": ("tamil", "tam"),
    "tr": ("turkish", "tur"),
    "uk": ("ukrainian", "ukr"),
    "vi": ("vietnamese", "vie"),
    "zh": ("chinese", "zho", "chi"),
    "xx": ("all", "several"),
}
"""ISO 639-1 code → English name and other codes; `xx` stands for several source languages."""

_NAMES = {name: code for code, names in _CODES.items() for name in (code, *names)}


def language_code(name: str) -> str | None:
    """The two letters of a language, by its English name or any ISO 639 code; None if unknown.

    >>> language_code("Czech"), language_code("ces"), language_code("cz"), language_code("Elvish")
    ('cs', 'cs', 'cs', None)
    """
    return _NAMES.get(name.strip().lower())


def is_pair(text: str) -> bool:
    """Whether a text is a language pair as file names write it, two letters and two letters.

    Longer codes are left out: `uk-dan` is how a system of Denmark is called.

    >>> is_pair("cs-en"), is_pair("uk-dan"), is_pair("de-xy")
    (True, False, False)
    """
    source, dash, target = text.partition("-")
    short = len(source) == len(target) == 2
    return bool(dash) and short and source in _NAMES and target in _NAMES


def canonical_pair(pair: str) -> str:
    """One way to write a language pair, for comparison; what is no pair stays as it is.

    >>> canonical_pair("cz-en"), canonical_pair("Czech-English"), canonical_pair("")
    ('cs-en', 'cs-en', '')
    """
    source, dash, target = pair.partition("-")
    codes = (language_code(source), language_code(target))
    return f"{codes[0]}-{codes[1]}" if dash and all(codes) else pair


# What the name of a file says: test set, language pair and system, as WMT names its files.

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
class ReferenceScope:
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


def reference_name(path: str | Path) -> ReferenceScope:
    """Which language pairs a reference is for, by its name.

    >>> reference_name("newstest2016-csen-ref.en.sgm")
    ReferenceScope(language_pair='cs-en', target='')
    >>> reference_name("reference.en")
    ReferenceScope(language_pair='', target='en')
    """
    name = bare_name(path)
    parts = name.split(".")
    pair = next((part for part in parts if is_pair(part)), "")
    joined = _JOINED_PAIR.search(name)
    if not pair and joined and is_pair(f"{joined[1]}-{joined[2]}"):
        pair = f"{joined[1]}-{joined[2]}"
    if pair:
        return ReferenceScope(pair)
    end = parts[-1] if len(parts) > 1 and len(parts[-1]) == 2 else ""
    return ReferenceScope(target=language_code(end) or "")


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
