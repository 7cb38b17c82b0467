"""Languages as judgments and file names write them, brought to one code each."""

from __future__ import annotations

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
